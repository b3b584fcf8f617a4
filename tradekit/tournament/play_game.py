"""A game of a tournament, from its seating alone, so that any process can play it."""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import Any, Final, NamedTuple

from tradekit.bots import Bot, standing
from tradekit.game import CHANCE, Action, State, draw, keyed
from tradekit.i18n import _
from tradekit.record import Move, Record, exact
from tradekit.tournament.decisions import BotError, Failure, decide
from tradekit.tournament.diary import Diary
from tradekit.tournament.schedule import Seating

STOP: Final = "stop"
FORFEIT: Final = "forfeit"
ERRORS: Final = (STOP, FORFEIT)  #: what to do about a bot that does not choose an action


class Forfeit(NamedTuple):
    """How a bot lost a game without playing it to the end."""

    seat: int
    move: int  #: the number of the move that it owed, as a record counts them
    reason: str
    late: bool  #: whether its time was up, which another machine may not find

    def said(self, start: State, seating: Seating) -> str:
        """Who did what in which game.

        >>> from tradekit import bazar
        >>> forfeit = Forfeit(seat=1, move=9, reason="took longer than 1 s", late=True)
        >>> forfeit.said(bazar.new(players=2), Seating(0, 7, ("chain", "mine")))
        "bot 'mine' took longer than 1 s; move 9, as p1, in bazar, round 0, chain - mine, seed 7"
        """
        return _("bot {bot!r} {reason}; move {move}, as p{seat}, {game}").format(
            bot=seating.bots[self.seat], reason=self.reason, move=self.move, seat=self.seat,
            game=in_game(start, seating),
        )  # fmt: skip


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
    forfeit: Forfeit | None = None  #: if a bot forfeited it, and all others share the win

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
    errors: str = STOP  #: one of `ERRORS`
    seconds: float | None = None  #: for a decision
    diary: str = ""  #: the folder of the processes' diaries; none where it is not there

    def play(self, seating: Seating, diary: Diary | None = None) -> Played:
        """Play a game.

        Raises `BotError` for a bot that does not choose an action, unless it forfeits the game. An error of the rules
        says in a note in which game it was.
        """
        try:
            return self._play(seating, diary)
        except BotError:
            raise
        except Exception as error:
            error.add_note(in_game(self.start, seating))
            raise

    def _play(self, seating: Seating, diary: Diary | None) -> Played:
        number, seed, seats = seating
        state, luck, moves = self.start, Luck(seed), list[Move]()
        if diary:
            diary.begin(seating)
        # A bot's own chance goes with it from seat to seat.
        rngs = [keyed(seed, "bot", name, seats[:seat].count(name)) for seat, name in enumerate(seats)]
        decisions, forfeit = 0, None
        while (actors := state.actors) and decisions < self.limit:
            actor = actors[0]  # of several at once the first: the others' views do not show what it does
            if actor == CHANCE:
                action = luck.draw(state)
                state = state.after(action, actor)
            else:
                before = state
                try:
                    typed, state = decide(self.bots[seats[actor]], state, actor, rngs[actor], self.seconds)
                except Failure as failure:
                    if self.errors == STOP:
                        raise self._error(seating, moves, actor, failure) from failure.__cause__
                    forfeit = Forfeit(actor, len(moves) + 1, failure.reason, failure.late)
                    break
                decisions += 1
                action = exact(before, actor, typed, state) if self.records else Action(typed)
            moves.append(Move(actor, action))
            if diary:
                diary.move(moves[-1])
        record = Record(self.start, seats, tuple(moves)) if self.records else None
        shares = standing(state) if forfeit is None else shared(len(seats), forfeit.seat)
        finished = not state.actors
        return Played(number, seed, seats, state.scores(), shares, decisions, finished, record, forfeit)

    def _error(self, seating: Seating, moves: Sequence[Move], actor: int, failure: Failure) -> BotError:
        """The failure of a bot, with all that one needs to look into it."""
        forfeit = Forfeit(actor, len(moves) + 1, failure.reason, failure.late)
        record = Record.begin(self.start, seating.bots)
        for by, action in moves:
            record = record.then(action, by)
        return BotError(forfeit.said(self.start, seating), seating.bots[actor], record)

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
                pickle.loads(dumps(thing))
            except Exception as error:
                message = _("{name} cannot be sent to another process, for it cannot be pickled: {error}")
                raise ValueError(message.format(name=name, error=error)) from error
        return dumps(self)


def in_game(start: State, seating: Seating) -> str:
    """Which game of a tournament it was."""
    return _("in {game}, round {n}, {bots}, seed {seed}").format(
        game=start.game.name, n=seating.round, bots=" - ".join(seating.bots), seed=seating.seed
    )


def shared(players: int, loser: int) -> tuple[float, ...]:
    """The shares of the win when one player forfeits: all others share it evenly."""
    return tuple(0.0 if player == loser else 1 / (players - 1) for player in range(players))


def play_batch(packed: bytes, batch: Sequence[Seating], attempt: int = 1) -> list[Played]:
    """Play games, wherever this is.

    `attempt` is not looked at: it makes a call that is made again another one, for Dask remembers those that are equal.
    """
    job: Job = pickle.loads(packed)
    with Diary(job.diary) if os.path.isdir(job.diary) else nullcontext() as diary:
        return [job.play(seating, diary) for seating in batch]


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
