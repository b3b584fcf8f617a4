"""A match: a game as it is played, with persons and bots at its seats, chance, a clock, and a file.

It keeps a `Record` and who sits where, and nothing else of the game: chance is drawn from the seed and the place in the
game, and undo is a shorter record. It shows nothing and knows nobody who looks: its `listeners` are told when something
has changed.

Bots think in a thread beside; what they answer comes back to the loop that handles messages, so that the game changes
at one place only. Where no loop runs, in a script or a test, bots answer at once.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import count, product
from operator import index
from pathlib import Path
from string import ascii_lowercase
from threading import Event
from typing import Any, Final, NamedTuple

from tradekit import bots
from tradekit._utils.atomic_files import GuardedFile, make_free
from tradekit._utils.beside import Thought
from tradekit._utils.machine import why
from tradekit._utils.numerals import whole
from tradekit.bots import Bot
from tradekit.game import CHANCE, Action, Actions, Game, IllegalAction, State, draw, keyed
from tradekit.i18n import _
from tradekit.record import Record

PAUSE: Final = 0.7  #: seconds that a bot's move takes at least, so that a person sees it


class Trouble(NamedTuple):
    """A bot that could not move."""

    seat: int
    message: str


class Continuation(NamedTuple):
    """A file that another one has written to, so that this game goes on elsewhere."""

    place: int  #: how many moves were made then
    name: str


class Match:
    """A game that goes on: whoever acts for a person calls a method, and bots and chance follow by themselves.

    `seats` says who plays: a bot, a bot's name, or a person's name; of a seat that is not named it is who sits there in
    the record, or a person. `seed` is by default the one that the record notes, else any.

    >>> from tradekit import turin
    >>> match = Match(turin.new(players=3, seed=7), {0: "Ana", 1: "random"}, seed=7)
    >>> match
    <Match: turin, Ana, random, player 3, 1 actions, seed 7>
    >>> match.awaited
    [0, 2]
    """

    def __init__(
        self,
        game: State | Record,
        seats: Mapping[int, str | Bot] | None = None,
        seed: int | None = None,
        file: str | Path | GuardedFile | None = None,
        pause: float = PAUSE,
    ) -> None:
        record, seats = game if isinstance(game, Record) else Record.begin(game), seats or {}
        for seat in seats:
            check_seat(seat, record)
        self.seed = _seed_of(record) if seed is None else index(seed)
        self.pause = pause
        self.listeners: list[Callable[[], None]] = []  #: called when something has changed
        self.brought = {bot.name: bot for bot in seats.values() if isinstance(bot, Bot)}  #: bots that are not made here
        self.running = True  #: whether bots may move
        self.attended = True  #: whether whoever is to act can see that: else no clock runs
        self.sittings = 0  #: how often people have sat down
        self.unsaved = ""  #: why the game could not be saved
        self._saved = file if file is None or isinstance(file, GuardedFile) else GuardedFile(file)
        self._thought = Thought()
        self._timer: asyncio.TimerHandle | None = None
        self._sit_down(record, seats)
        self._go_on()

    def __str__(self) -> str:
        names, game = ", ".join(self.record.names), self.record.start.game.name
        return f"{game}, {names}, {self.place} actions, seed {self.seed}"

    def __repr__(self) -> str:
        return f"<Match: {self}>"

    # Who sits where

    def _sit_down(self, record: Record, seats: Mapping[int, str | Bot]) -> None:
        """Begin or go on with a record; it is the game from now on."""
        self._thought.void()
        given = [seats.get(seat) or name for seat, name in enumerate(record.names)]
        who = [self._seated(who, record.start.game) for who in given]
        names = [bot.name if bot else str(name) for bot, name in zip(who, given, strict=True)]
        notes = {**dict(record.notes), "seed": str(self.seed)}
        self.bots = {seat: bot for seat, bot in enumerate(who) if bot is not None}  #: the bots, by seat
        self.record = replace(record, names=tuple(names), notes=tuple(notes.items()))
        self.sittings += 1
        self.trouble: Trouble | None = None
        self.left: Continuation | None = None
        self.helped: tuple[int, int] | None = None  #: the seat and the place at which a person moves for a bot
        self.looked: int | None = None  #: the place of a state that rests and was looked at
        self._clock: tuple[Any, float] = (None, 0.0)  #: whose time runs, and when it is up, as `time.monotonic` counts
        self._move_chance()

    def _seated(self, who: str | Bot, game: Game) -> Bot | None:
        """The bot that was asked for, None for a person."""
        if isinstance(who, Bot):
            return who
        return self.brought.get(who) or (bots.make(who, game=game) if who in bots.names(game) else None)

    def _same_bot(self, seat: int, name: str) -> str | Bot:
        """Return the bot at that seat if it has that name, else the name."""
        here = self.bots.get(seat)
        return here if here and here.name == name else name

    def _same_bots(self, names: list[str] | tuple[str, ...]) -> dict[int, str | Bot]:
        return {seat: self._same_bot(seat, name) for seat, name in enumerate(names)}

    @property
    def bot_names(self) -> list[str]:
        """The bots that may take a seat."""
        return sorted({*bots.names(self.record.start.game), *self.brought})

    @property
    def persons(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat in range(self.record.start.players) if seat not in self.bots]

    # What is so

    @property
    def state(self) -> State:
        """The state of the game now."""
        return self.record.state()

    @property
    def place(self) -> int:
        """Number of moves made."""
        return len(self.record.moves)

    @property
    def awaited(self) -> list[int]:
        """The seats at which a person is to act, perhaps for a bot."""
        actors = self.state.actors
        if self.helped and self.helped in [(seat, self.place) for seat in actors]:
            return [self.helped[0]]
        if any(seat in self.bots for seat in actors):
            return []  # bots first: what they commit shows to nobody
        return [seat for seat in actors if seat != CHANCE]

    @property
    def thinker(self) -> int | None:
        """The bot that is to act."""
        return None if self.awaited else next((seat for seat in self.state.actors if seat in self.bots), None)

    @property
    def thinking(self) -> bool:
        """True while a bot is thinking."""
        return self._thought.goes_on

    @property
    def resting(self) -> bool:
        """True if chance waits until a person has looked at the state."""
        return bool(self.persons) and self.state.pauses and self.looked != self.place

    @property
    def undoable(self) -> int | None:
        """The place of the last decision that a person made."""
        return next((i for i in reversed(range(self.place)) if self.record.moves[i].actor in self.persons), None)

    @property
    def file(self) -> Path | None:
        """File in which the game is saved; None: not saved yet."""
        return self._saved.path if self._saved else None

    # What persons do

    def act(self, action: str, seat: int) -> None:
        """Do an action of a person; raises `IllegalAction` or `ParseError`, and nothing has changed."""
        if seat not in self.awaited:
            raise IllegalAction(_("it is not your turn") if self.state.actors else self.state.why(action))
        self._then(action, seat)
        self._go_on()

    def undo(self) -> None:
        """Go back to the last decision that a person made; what came after leaves the record."""
        if self.undoable is None:
            raise ValueError(_("there is no move to take back"))
        self._set(self.record.before(self.undoable))
        self._save()
        self._go_on()

    def look(self) -> None:
        """Say that the state that rests was looked at: on to what chance brings."""
        self.looked = self.place
        self._move_chance()
        self._save()
        self._go_on()

    def run(self, on: bool = True) -> None:
        """Let the bots go on, or halt them; what one was thinking about is void."""
        if not on:
            self._thought.void()
        self.running = on
        self._go_on()

    def attend(self, here: bool) -> None:
        """Say whether whoever is to act can see that: the clock runs only then."""
        if here != self.attended:
            self.attended = here
            self._set_clock()

    def instead(self, way: str) -> None:
        """After a bot's error: a person will ``play`` for it, or a ``random`` move is made; else it tries again."""
        trouble, self.trouble = self.trouble, None
        if trouble is None:
            return
        if way == "play":
            self.helped = (trouble.seat, self.place)
        elif way == "random":
            actions: Actions = self.state.actions(trouble.seat)
            self._then(actions.sample(keyed(self.seed, "instead", trouble.seat, self.place)), trouble.seat)
        self._go_on()

    def begin(self, names: list[str], seed: int | None = None) -> None:
        """Begin a new game from the same start with any seed or this one; the last game stays in its file."""
        self.seed = _any_seed() if seed is None else seed
        self._saved, self.running = None, True
        self._sit_down(Record.begin(self.record.start), self._same_bots(names))
        self._go_on()

    def reseat(self, names: list[str]) -> None:
        """Go on with this game, the seats taken by others; the record notes who sat there before."""
        notes = dict(self.record.notes)
        if self.place and names != [*self.record.names]:
            notes.setdefault(f"until move {self.place}", ", ".join(self.record.names))
        self._sit_down(replace(self.record, notes=tuple(notes.items())), self._same_bots(names))
        self._save()
        self._go_on()

    def take(self, record: Record) -> None:
        """Go on with another game; this one stays in its file."""
        self.seed = _seed_of(record, self.seed)
        self._saved = None
        self._sit_down(record, self._same_bots(record.names))
        self._go_on()

    # What follows

    def _then(self, action: str, actor: int) -> None:
        self._set(self.record.with_move(action, actor))
        self._move_chance()
        self._save()

    def _set(self, record: Record) -> None:
        """Another record; what was thought about the last one is void."""
        self._thought.void()
        self.record = record
        self.trouble = self.looked = None

    def _move_chance(self) -> None:
        """Draw what chance does: keyed by the place in the game, so that undo meets the same luck."""
        while self.state.actors == (CHANCE,) and not self.resting:
            luck = keyed(self.seed, "chance", self.record.chances)
            self.record = self.record.with_move(draw(self.state.outcomes(), luck), CHANCE)

    def _go_on(self) -> None:
        """Let bots move, or begin to think, until a person is to act, for whom the clock runs; and tell of it."""
        while self.running and (seat := self.thinker) is not None and not self.trouble and not self.thinking:
            luck = keyed(self.seed, "bot", seat, self.place)
            work = partial(_choose, self.bots[seat], self.state, seat, luck)
            self._thought.begin(work, partial(self._moved, seat), self._go_on, self.pause)
        self._set_clock()
        for listener in [*self.listeners]:
            listener()

    def _moved(self, seat: int, action: str | BaseException) -> None:
        error = action if isinstance(action, BaseException) else None
        if not isinstance(action, BaseException):
            try:
                self._then(action, seat)
            except Exception as wrong:  # whatever a bot does wrong, the game goes on
                error = wrong
        if error:
            self.trouble = Trouble(seat, f"{type(error).__name__}: {error}")

    def _save(self) -> None:
        """Save the game, once there was something in it that a person did."""
        if self.persons and self.undoable is None and self.file is None:
            return
        try:
            self._saved = self._saved or GuardedFile(_new_file(self.state.game.name), b"")
            before = self._saved.path.name
            if not self._saved.save(str(self.record).encode()):
                self.left = Continuation(self.place, before)
            self.unsaved = ""
        except OSError as error:
            self.unsaved = _("the game could not be saved: {error}").format(error=why(error))

    # What the game says of secrets and of time

    @property
    def hides(self) -> bool:
        """True if players may see different things."""
        return self.state.hides

    @property
    def seconds_left(self) -> float | None:
        """Seconds left for the player to move; None: no clock runs.

        No wall clock is asked, here or in the browser: it may be wrong, or put right in between.
        """
        return max(0.0, self._clock[1] - time.monotonic()) if self._clock[0] else None

    def _set_clock(self) -> None:
        """Start the clock for a new turn, and stop it when nobody is to act."""
        seconds = self.state.time_limit or 0
        runs = seconds and self.running and self.attended and self.awaited
        turn = (self.awaited[0], self.state.timed_turn) if runs else None
        if turn != self._clock[0]:
            self._clock = (turn, time.monotonic() + seconds)
            if self._timer:
                self._timer.cancel()
                self._timer = None
            if turn:
                with suppress(RuntimeError):  # no loop: time stands still
                    self._timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up, turn)

    def _time_is_up(self, turn: object) -> None:
        """It is so for the whole turn: the roll, and whatever that opens."""
        while self._clock[0] == turn:
            self.time_out()

    def time_out(self) -> None:
        """Do one action for a player who did nothing in time, as the game says."""
        if self.awaited and self.seconds_left is not None:
            seat = self.awaited[0]
            actions = self.state.actions(seat)
            luck = keyed(self.seed, "time", self.place)
            preferred = (action for action in self.state.when_out_of_time() if action in actions)
            self.act(next(preferred, None) or actions.sample(luck), seat)


def check_seat(seat: int, record: Record) -> None:
    """Raise `ValueError` for a seat that is not there."""
    seats = range(record.start.players)
    if seat not in seats:
        there = ", ".join(map(str, seats))
        raise ValueError(_("there is no seat {seat}; there are {seats}").format(seat=seat, seats=there))


def _choose(bot: Bot, state: State, seat: int, luck: random.Random, stop: Event) -> Action:
    """Return the action that a bot takes in a state."""
    if hasattr(bot, "stop"):
        bot.stop = stop
    view = state.view(seat)
    return bot.choose(view, view.actions(), luck)


def _seed_of(record: Record, otherwise: int | None = None) -> int:
    """The seed that a record says its chance is drawn from, or another."""
    with suppress(ValueError):
        return whole(dict(record.notes).get("seed", ""))
    return _any_seed() if otherwise is None else otherwise


def _any_seed() -> int:
    """A seed short enough to be told to somebody."""
    return random.randrange(10**6)


def _new_file(game: str) -> Path:
    """A file whose name was free, such as ``bazar-2026-11-29-a.txt``, made so that no other table takes it."""
    letters = ("".join(word) for length in count(1) for word in product(ascii_lowercase, repeat=length))
    return make_free(lambda _n: Path(f"{game}-{date.today().isoformat()}-{next(letters)}.txt").absolute())
