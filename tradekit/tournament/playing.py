"""A game of a tournament, from its seating alone, so that any process can play it."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from tradekit.bots import Bot, standing
from tradekit.game import CHANCE, Action, State, draw, keyed
from tradekit.i18n import _
from tradekit.record import Move, Record
from tradekit.tournament.schedule import Seating


class Played(NamedTuple):
    """A game played: everything by seat."""

    round: int
    seed: int  #: of its chance
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]  #: of the win
    decisions: int  #: how many there were in all
    finished: bool  #: else it was broken off, and those who led by points share the win
    record: Record | None = None  #: of the game, if they were asked for

    @property
    def seating(self) -> Seating:
        """What it was before it was played."""
        return Seating(self.round, self.seed, self.bots)


class Job(NamedTuple):
    """What all games of a tournament have in common."""

    start: State
    bots: dict[str, Bot]
    limit: int  #: of decisions
    records: bool  #: whether each is to be kept as a `Record`

    def play(self, seating: Seating) -> Played:
        """Play a game; an error of a bot or of the rules says in a note in which one it was."""
        try:
            return self._play(seating)
        except Exception as error:
            error.add_note(_("in round {n}, {bots}, seed {seed}").format(
                n=seating.round, bots=" - ".join(seating.bots), seed=seating.seed
            ))  # fmt: skip
            raise

    def _play(self, seating: Seating) -> Played:
        number, seed, seats = seating
        state, luck, moves = self.start, Luck(seed), list[Move]()
        # A bot's own chance goes with it from seat to seat.
        rngs = [keyed(seed, "bot", name, seats[:seat].count(name)) for seat, name in enumerate(seats)]
        decisions = 0
        while (actors := state.actors) and decisions < self.limit:
            actor = actors[0]  # of several at once the first: the others' views do not show what it does
            if actor == CHANCE:
                action = luck.draw(state)
            else:
                view = state.view(actor)
                action = self.bots[seats[actor]].choose(view, view.actions(), rngs[actor])
                decisions += 1
            state = state.after(action, actor)
            if self.records:
                moves.append(Move(actor, Action(action)))
        record = Record(self.start, seats, tuple(moves)) if self.records else None
        return Played(number, seed, seats, state.scores(), standing(state), decisions, not state.actors, record)

    def packed(self) -> bytes:
        """The job as bytes, for `play_batch`; raises `ValueError` that says which bot cannot be sent.

        Where cloudpickle is installed, as it is with Dask, bots and games that a notebook defines go with it.
        """
        try:
            dumps: Callable[[Any], bytes] = import_module("cloudpickle").dumps
        except ImportError:
            dumps = pickle.dumps
        things = {_("bot {name!r}").format(name=name): bot for name, bot in self.bots.items()}
        for name, thing in (things | {_("the state to begin with"): self.start}).items():
            try:
                dumps(thing)
            except Exception as error:
                message = _("{name} cannot be sent to another process, for it cannot be pickled: {error}")
                raise ValueError(message.format(name=name, error=error)) from error
        return dumps(self)


def play_batch(packed: bytes, batch: Sequence[Seating], attempt: int = 1) -> list[Played]:
    """Play games, wherever this is.

    `attempt` is not looked at: it makes a call that is made again another one, for Dask remembers those that are equal.
    """
    job: Job = pickle.loads(packed)
    return [job.play(seating) for seating in batch]


class Luck:
    """Chance by kind and count: however the games go, the n-th roll of the die is the same."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.count: Counter[str] = Counter()

    def draw(self, state: State) -> Action:
        """What chance does in a state in which it acts."""
        outcomes = state.outcomes()
        kind = outcomes[0][0].split()[0]  # such as "ware"
        self.count[kind] += 1
        return draw(outcomes, keyed(self.seed, "chance", kind, self.count[kind]))
