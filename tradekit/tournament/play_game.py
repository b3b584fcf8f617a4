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
ERRORS: Final = (STOP, FORFEIT)  #: what to do if a bot does not choose an action


class Forfeit(NamedTuple):
    """The way in which a bot lost a game without playing it to the end."""

    seat: int
    move: int  #: number of the move that it failed to make, counted as in a record
    reason: str
    late: bool  #: True if its time was up, which may not happen on another machine

    def said(self, start: State, seating: Seating) -> str:
        """Return which bot did what, in which game.

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
    """A game that was played: everything by seat."""

    round: int
    seed: int  #: of its chance
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]  #: of the win
    decisions: int  #: number of decisions in total
    finished: bool  #: False if it was broken off; then the leaders by points share the win
    record: Record | None = None  #: of the game, if records were requested
    forfeit: Forfeit | None = None  #: set if a bot forfeited it; all others share the win

    @property
    def seating(self) -> Seating:
        """The seating that the game was played from."""
        return Seating(self.round, self.seed, self.bots)


class Job(NamedTuple):
    """The settings that all games of a tournament share."""

    start: State
    bots: dict[str, Bot]
    limit: int  #: the most decisions per game
    records: bool  #: True to keep each game as a `Record`
    errors: str = STOP  #: one of `ERRORS`
    seconds: float | None = None  #: time limit per decision
    diary: str = ""  #: folder of the processes' diaries; none if it does not exist

    def play(self, seating: Seating, diary: Diary | None = None) -> Played:
        """Play a game.

        Raises `BotError` for a bot that does not choose an action, unless it forfeits the game. An error of the rules
        has a note that names the game.
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
        # A bot's own chance moves with it from seat to seat.
        rngs = [keyed(seed, "bot", name, seats[:seat].count(name)) for seat, name in enumerate(seats)]
        decisions, forfeit = 0, None
        while (actors := state.actors) and decisions < self.limit:
            actor = actors[0]  # if several act at once, the first: the others' views do not show its action
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
        """Return the failure of a bot as an error, with all you need to look into it."""
        forfeit = Forfeit(actor, len(moves) + 1, failure.reason, failure.late)
        record = Record.begin(self.start, seating.bots)
        for by, action in moves:
            record = record.with_move(action, by)
        return BotError(forfeit.said(self.start, seating), seating.bots[actor], record)

    def packed(self) -> bytes:
        """Return the job as bytes, for `play_batch`; raises `ValueError` that says which bot cannot be sent.

        If cloudpickle is installed, as it is with Dask, bots and games defined in a notebook are sent as well.
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
    """Return which game of a tournament it was, in words."""
    return _("in {game}, round {n}, {bots}, seed {seed}").format(
        game=start.game.name, n=seating.round, bots=" - ".join(seating.bots), seed=seating.seed
    )


def shared(players: int, loser: int) -> tuple[float, ...]:
    """Return the shares of the win when one player forfeits: all others share it evenly."""
    return tuple(0.0 if player == loser else 1 / (players - 1) for player in range(players))


def play_batch(packed: bytes, batch: Sequence[Seating], attempt: int = 1) -> list[Played]:
    """Play games in whatever process this is.

    `attempt` is not used: it makes a repeated call differ from the first one, because Dask remembers equal calls.
    """
    job: Job = pickle.loads(packed)
    with Diary(job.diary) if os.path.isdir(job.diary) else nullcontext() as diary:
        return [job.play(seating, diary) for seating in batch]


class Luck:
    """Chance by kind and count: whatever happens in the games, the n-th roll of the die is the same."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.count: Counter[str] = Counter()

    def draw(self, state: State) -> Action:
        """Return the outcome of chance in a state in which chance acts."""
        outcomes = state.outcomes()
        kind = outcomes[0][0].split()[0]  # such as "ware"
        self.count[kind] += 1
        return draw(outcomes, keyed(self.seed, "chance", kind, self.count[kind]))
