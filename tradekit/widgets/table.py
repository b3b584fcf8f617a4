"""The table: the widget in which a person plays any game, against bots or with others at the same screen.

The table keeps a `Record` and who sits where, and nothing else of the game: the picture is the state's own, chance is
drawn from the seed and the place in the game, and undo is a shorter record. `table_page` writes its page.

Bots think in a thread beside; what they answer comes back to the loop that handles messages, so that the game changes
at one place only. A thought that was overtaken, by undo or by Stop, is void. Where no loop runs, in a script or a
test, bots answer at once.
"""

from __future__ import annotations

import asyncio
import random
import re
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
from threading import Event, Thread
from typing import Any, Final, NamedTuple

from tradekit import bots
from tradekit._utils import ties
from tradekit._utils.arguments import checked
from tradekit._utils.atomic_files import GuardedFile, make_free
from tradekit._utils.display_names import clean, isolated
from tradekit._utils.numerals import NotANumber, TwoReadings, whole
from tradekit.bots import Bot
from tradekit.game import CHANCE, Action, Actions, Game, IllegalAction, State, begin, draw, keyed, name_of, named
from tradekit.i18n import _
from tradekit.record import Record
from tradekit.widgets import table_page
from tradekit.widgets.page_widget import LivePage, style

PAUSE: Final = 0.7  #: seconds that a bot's move takes at least, so that a person sees it
HINT_SECONDS: Final = 2.0  #: how long a hint may be searched for


@checked
def play(
    game: str | State | Record,
    seats: Mapping[int, str | Bot] | None = None,
    *,
    seed: int | None = None,
    file: str | Path | None = None,
    pause: float = PAUSE,
) -> Table:
    """A table at which `game` is played: a game's name, a state to begin with, or a `Record` to go on with.

    `seats` says who plays: a bot or a bot's name; any other text is a person's name, and a seat that is not named is a
    person's (in a record, whoever sat there). Without `seats` you play against the game's best bot. All this can be
    changed at the table. Chance is drawn from `seed`, so the same choices meet the same luck. The game saves itself
    after every move to `file`, by default to one with a new name in the folder of the notebook. Bots take `pause`
    seconds a move or more.

    A record may be given a `file` that holds the same game: where one of the two has gone on from the other, the longer
    one is played on. Raises `ValueError` for a seat that does not exist and for a `file` that holds anything else.

    >>> from tradekit import bazar
    >>> table = play(bazar.new(players=1, seed=7), {0: "me"}, seed=7)
    >>> table
    <Table: bazar, me, 0 actions, seed 7>
    >>> play(bazar.new(players=2, seed=7), seed=7)
    <Table: bazar, you, policy, 0 actions, seed 7>
    """
    game = begin(game) if isinstance(game, str) else game
    kept = None if file is None else GuardedFile(file)  # as it is before it is read
    if file is not None and Path(file).exists():
        game = _gone_on(game, Path(file))
    record = game if isinstance(game, Record) else Record.begin(game)
    if isinstance(game, Record) and seed is None:
        seed = _noted_seed(record)
    named: dict[int, str | Bot] = dict(enumerate(record.names)) if isinstance(game, Record) else {}
    if seats is None and not named:
        players = record.start.players
        best = bots.opponent(record.start.game, players)
        seats = {0: _("you"), **dict.fromkeys(range(1, players), best)}
    for seat in seats or {}:
        _check_seat(seat, record)
    return Table(record, {**named, **(seats or {})}, _any_seed() if seed is None else index(seed), kept, pause)


class Advice(NamedTuple):
    """What a bot expects of each action, for a hint."""

    bot: str
    measure: str  #: what it counts
    values: dict[Action, float]

    @property
    def best(self) -> Action:
        """The action that it expects most of, of equals the first."""
        return ties.best(self.values, key=self.values.__getitem__)


class Trouble(NamedTuple):
    """A bot that could not move."""

    seat: int
    message: str


class Left(NamedTuple):
    """A file that another one has written to, so that this game goes on elsewhere."""

    place: int  #: how many moves were made then
    name: str


class Table(LivePage):
    """The widget. `record` and `state` are plain values, for whoever goes on in Python."""

    sheets = ("live", "table")
    _css = style(*sheets)
    bound = frozenset({"act", "type", "on", "uncover", "instead"})

    def __init__(
        self,
        record: Record,
        seats: Mapping[int, str | Bot],
        seed: int,
        file: str | Path | GuardedFile | None,
        pause: float,
    ) -> None:
        self.seed, self.pause = seed, pause
        self._saved = None if file is None else file if isinstance(file, GuardedFile) else GuardedFile(file)
        self.taken = {"type": 0, "paste": 0}  #: how often what was typed was taken: each time empties the field
        self.brought = {bot.name: bot for bot in seats.values() if isinstance(bot, Bot)}  #: bots that are not made here
        self.running = True  #: whether bots may move
        self._thought: Event | None = None  #: set when what is being thought about is of no use any more
        self._timer: asyncio.TimerHandle | None = None
        self._sit_down(record, seats)
        super().__init__(self._title())
        self._go_on()
        self.refresh()

    def _sit_down(self, record: Record, seats: Mapping[int, str | Bot]) -> None:
        """Begin or go on with a record; it is the game from now on."""
        self.errors.clear()
        players = range(record.start.players)
        who = {seat: self._seated(seats.get(seat, ""), record.start.game) for seat in players}
        given = {seat: str(seats.get(seat, "")) for seat in players}
        names = [bot.name if (bot := who[seat]) else given[seat] or record.names[seat] for seat in players]
        notes = {**dict(record.notes), "seed": str(self.seed)}
        self.bots = {seat: bot for seat, bot in who.items() if bot is not None}  #: the bots, by seat
        self.record = replace(record, names=tuple(names), notes=tuple(notes.items()))
        self.wanted = [*self.record.names]  #: who is to sit where, once that is said to be so
        self.wanted_seed: int | None = None  #: of the next game; None: any
        self.seating = False  #: whether it is being said
        self.trouble: Trouble | None = None
        self.left: Left | None = None
        self.advice: Advice | None = None
        self.shown: int | None = None  #: the move that a replay shows; None: the game as it is
        self.helped: tuple[int, int] | None = None  #: the seat and the place at which a person moves for a bot
        alone = len(self.persons) == 1
        self.facing: int | None = self.persons[0] if alone else None  #: the person before the screen
        self.covered = not alone and self.hides  #: whether the screen waits for that person
        self._clock: tuple[Any, float] = (None, 0.0)  #: whose time runs, and when it is up, as `time.monotonic` counts
        self.looked: int | None = None  #: the place of a state that rests and was looked at
        self._move_chance()

    def _title(self) -> str:
        return _("table: {game}").format(game=self.record.start.game.name)

    def _seated(self, who: str | Bot, game: Game) -> Bot | None:
        """The bot that was asked for, None for a person."""
        if isinstance(who, Bot):
            return who
        return self.brought.get(who) or (bots.make(who, game=game) if who in bots.names(game) else None)

    def _same_bot(self, seat: int, name: str) -> str | Bot:
        """Who that is: the bot that sits there now if that is its name, else the name."""
        here = self.bots.get(seat)
        return here if here and here.name == name else name

    def __repr__(self) -> str:
        names, game = ", ".join(self.record.names), self.record.start.game.name
        return f"<Table: {game}, {names}, {len(self.record.moves)} actions, seed {self.seed}>"

    # What is so

    @property
    def file(self) -> Path | None:
        """Where the game is saved; None: not yet."""
        return self._saved.path if self._saved else None

    @property
    def subject(self) -> Record:
        """The game as it stands: what a move is made in."""
        return self.record

    @property
    def state(self) -> State:
        """The state of the game now."""
        return self.record.state()

    @property
    def persons(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat in range(self.record.start.players) if seat not in self.bots]

    @property
    def names(self) -> list[str]:
        """What the players are called; where several have one name, with the number of the seat."""
        seen = [clean(name) for name in self.record.names]
        names = enumerate(zip(self.record.names, seen, strict=True), 1)
        return [name if seen.count(look) == 1 else f"{name} ({seat})" for seat, (name, look) in names]

    def called(self, action: str) -> str:
        """An action with the players called by their names, where it can be typed so; else as a record writes it.

        It cannot where a name looks like a seat, or like another word of the action.
        """
        shown = named(action, self.names)
        return shown if self._by_seat(shown) == action else action

    def meant(self, typed: str) -> str:
        """What a person typed, players called as a record does or by their names, whichever makes more sense."""
        return min((typed, self._by_seat(typed)), key=lambda action: _fault(self.state, action, self.to_act))

    def _by_seat(self, action: str) -> str:
        """An action that calls players by their names, as a record writes it."""
        names = [(clean(name), f"p{seat}") for seat, name in enumerate(self.names) if not re.fullmatch(r"p\d+", name)]
        seats = {form: seat for name, seat in names for form in (isolated(name), name)}
        there = "|".join(map(re.escape, sorted(seats, key=len, reverse=True))) or "(?!)"
        return re.sub(rf"(?<!\w)(?:{there})(?!\w)", lambda name: seats[name[0]], clean(action))

    @property
    def bot_names(self) -> list[str]:
        """The bots that may take a seat."""
        return sorted({*bots.names(self.record.start.game), *self.brought})

    @property
    def hides(self) -> bool:
        """Whether a person may not see what another sees."""
        return self.state.hides

    @property
    def place(self) -> int:
        """How many moves were made."""
        return len(self.record.moves)

    @property
    def to_act(self) -> int | None:
        """The person who is to act, perhaps for a bot; None if it is a bot's turn or the game is over."""
        actors = self.state.actors
        if self.helped in [(seat, self.place) for seat in actors]:
            return self.helped[0] if self.helped else None
        if any(seat in self.bots for seat in actors):
            return None  # bots first: what they commit shows to nobody
        return next((seat for seat in actors if seat != CHANCE), None)

    @property
    def thinker(self) -> int | None:
        """The bot that is to act."""
        return next((seat for seat in self.state.actors if seat in self.bots), None) if self.to_act is None else None

    @property
    def viewer(self) -> int | None:
        """Through whose eyes the picture is; None sees all."""
        if self.hides and not self.state.actors:
            return None
        return self.facing if self.to_act is None or self.covered else self.to_act

    @property
    def watching(self) -> list[int]:
        """Who may be before the screen: the viewer, or before the cover anybody; none if whoever it is sees all."""
        if self.covered:
            return self.persons
        return [] if self.viewer is None else [self.viewer]

    @property
    def resting(self) -> bool:
        """Whether chance waits until a person has looked at the state."""
        return bool(self.persons) and self.state.rests and self.looked != self.place

    @property
    def undoable(self) -> int | None:
        """The place of the last decision that a person made."""
        return next((i for i in reversed(range(self.place)) if self.record.moves[i].actor in self.persons), None)

    @property
    def thinking(self) -> bool:
        """Whether something is being thought about beside."""
        return self._thought is not None

    def write(self) -> dict[str, str]:
        """The page: see `table_page`."""
        return table_page.write(self)

    def write_still(self) -> dict[str, str]:
        """The page as a picture: see `table_page`."""
        return table_page.still(self)

    # What happens

    def receive(self, do: str, value: str) -> None:
        """Do what a person did, and let the others go on."""
        super().receive(do, value)
        self._go_on()

    def missed(self, do: str, value: str) -> None:
        """A move for a state that has passed is not made; what was typed stays in its field."""
        if do == "type" and value.strip():
            self.errors["type"] = value, _("The game had gone on by then; look again, and press Enter.")

    def act(self, action: str) -> None:
        """An action of the person who is to act; raises `IllegalAction` or `ParseError`, and nothing has changed."""
        if self.to_act is None or self.covered:
            raise IllegalAction(_("it is not your turn") if self.state.actors else self.state.why(action))
        self._then(action, self.to_act)
        self.shown = None
        self.errors.pop("type", None)

    def _then(self, action: str, actor: int) -> None:
        self._set(self.record.then(action, actor))
        self._move_chance()
        self._save()

    def _set(self, record: Record) -> None:
        """Another record; what was thought or said about the last one is void."""
        self._void()
        self.record = record
        self.advice = self.trouble = self.looked = None
        for field in ("act", "undo", "hint"):
            self.errors.pop(field, None)
        typed, _message = self.errors.pop("type", ("", ""))
        if typed and len(self.persons) == 1:  # what came too early may be right now; of another it would tell secrets
            self.errors["type"] = typed, ""

    def _move_chance(self) -> None:
        """Draw what chance does: keyed by the place in the game, so that undo meets the same luck."""
        while self.state.actors == (CHANCE,) and not self.resting:
            luck = keyed(self.seed, "chance", self.record.chances)
            self.record = self.record.then(draw(self.state.outcomes(), luck), CHANCE)

    def _go_on(self) -> None:
        """Let the next one act: a bot, or another person before the screen."""
        while self.running and (seat := self.thinker) is not None and not self.trouble and not self.thinking:
            luck = keyed(self.seed, "bot", seat, self.place)
            self._think(partial(_choose, self.bots[seat], self.state, seat, luck), partial(self._moved, seat))
        person = self.to_act if self.to_act in self.persons else None
        if person is not None and person != self.facing:
            self.facing = person
            self.covered = True
        self.covered = self.covered and self.hides and len(self.persons) > 1 and bool(self.state.actors)
        self._set_clock()

    # Bots

    def _moved(self, seat: int, action: str | BaseException) -> None:
        error = action if isinstance(action, BaseException) else None
        if not isinstance(action, BaseException):
            try:
                self._then(action, seat)
            except Exception as wrong:  # whatever a bot does wrong, the game goes on
                error = wrong
        if error:
            self.trouble = Trouble(seat, f"{type(error).__name__}: {error}")

    def _think(self, work: Callable[[Event], Any], then: Callable[[Any], None]) -> None:
        """Do slow `work` beside, then tell `then` what came of it, or which error; unless it was void by then."""
        stop = self._thought = Event()
        begin = time.monotonic()

        def result(errors: type[BaseException] = Exception) -> Any:
            try:
                return work(stop)
            except errors as error:
                return error

        def arrive(value: Any) -> None:
            if self._thought is stop:
                self._thought = None
                then(value)

        def arrive_later(value: Any) -> None:
            if self._thought is stop:
                with self.hold_sync():
                    arrive(value)
                    self._go_on()
                    self.refresh()

        def beside() -> None:
            value = result(BaseException)  # a thread that ends without a word would be waited for
            stop.wait(max(0.0, begin + self.pause - time.monotonic()))
            with suppress(RuntimeError):  # the loop has ended, and nobody waits any more
                loop.call_soon_threadsafe(arrive_later, value)

        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            arrive(result())
        else:
            try:
                Thread(target=beside, daemon=True).start()
            except RuntimeError:  # the system starts no more threads: think here, once the page has been shown
                loop.call_later(self.pause, lambda: None if stop.is_set() else arrive_later(result()))

    def _void(self) -> None:
        if self._thought:
            self._thought.set()
            self._thought = None

    # Saving

    def _save(self) -> None:
        """Save the game, once there was something in it that a person did."""
        if self.persons and self.undoable is None and self.file is None:
            return
        try:
            self._saved = self._saved or GuardedFile(_new_file(self.state.game.name), b"")
            before = self._saved.path.name
            if not self._saved.save(str(self.record).encode()):
                self.left = Left(self.place, before)
            self.errors.pop("file", None)
        except OSError as error:
            self.errors["file"] = ("", _("the game could not be saved: {error}").format(error=error))

    # The clock, which the kernel owns

    @property
    def seconds_left(self) -> float | None:
        """How many seconds the player to act still has; None: no clock runs.

        No wall clock is asked, here or in the browser: it may be wrong, or put right in between.
        """
        return max(0.0, self._clock[1] - time.monotonic()) if self._clock[0] else None

    def _set_clock(self) -> None:
        """Start the clock for a new turn, and stop it when nobody is to act."""
        seconds = self.state.time_limit or 0
        runs = seconds and self.running and not self.covered and self.to_act is not None
        turn = (self.to_act, self.state.timed_turn) if runs else None
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
        if self._clock[0] == turn:
            with self.hold_sync():
                while self._clock[0] == turn:
                    self.time_out()
                    self._go_on()
                self.refresh()

    def time_out(self) -> None:
        """The time is up: the game says what is done for a player who did nothing, one action."""
        if self.to_act is not None and self.seconds_left is not None:
            actions = self.state.actions(self.to_act)
            luck = keyed(self.seed, "time", self.place)
            preferred = (action for action in self.state.when_out_of_time() if action in actions)
            self.act(next(preferred, None) or actions.sample(luck))

    def do_clock(self, _value: str = "") -> None:
        """Say anew how much time is left: for a page that has just been opened, or was out of sight."""

    # What a person can do

    def do_act(self, value: str) -> None:
        """A legal action, clicked."""
        self.act(value)

    def do_type(self, value: str) -> None:
        """An action, typed."""
        if value.strip():
            self.act(self.meant(value.strip()))
            self.taken["type"] += 1

    def do_undo(self, _value: str = "") -> None:
        """Back to the last decision that a person made; what came after leaves the record."""
        if self.undoable is None:
            raise ValueError(_("there is no move to take back"))
        self._set(self.record.before(self.undoable))
        self.shown = None
        self._save()

    def do_hint(self, _value: str = "") -> None:
        """Ask what each action is worth; a second time puts the answer away."""
        if self.advice:
            self.advice = None
        elif self.to_act is not None and not self.covered and not self.thinking:
            luck = keyed(self.seed, "hint", self.place)
            self._think(partial(_advise, self.state, self.to_act, luck), self._advised)

    def _advised(self, advice: Advice | BaseException) -> None:
        if isinstance(advice, BaseException):
            self.errors["hint"] = ("", str(advice))
        else:
            self.advice = advice

    def do_seating(self, _value: str = "") -> None:
        """Say who sits where, and with which seed a new game begins; a second time puts that away."""
        self.seating = not self.seating

    def do_seat(self, value: str) -> None:
        """Who is to sit at a seat, such as ``1 policy``: a bot, or nobody named for a person."""
        seat, bot = self._at_seat(value)
        if bot or self.wanted[seat] in self.bot_names:
            self._want(seat, bot or name_of(seat))

    def do_name(self, value: str) -> None:
        """What the person at a seat is called, such as ``0 Ada``."""
        seat, name = self._at_seat(value)
        if name in map(clean, self.bot_names):
            raise ValueError(_("{name} is the name of a bot").format(name=name))
        self._want(seat, name or name_of(seat))

    def _at_seat(self, value: str) -> tuple[int, str]:
        number, *words = value.split()
        _check_seat(int(number), self.record)
        return int(number), clean(" ".join(words))

    def _want(self, seat: int, name: str) -> None:
        self.wanted = [*self.wanted[:seat], name, *self.wanted[seat + 1 :]]

    def do_seed(self, value: str) -> None:
        """The seed of the next game."""
        self.wanted_seed = _seed(value) if value.strip() else None

    def do_begin(self, _value: str = "") -> None:
        """A new game from the same start, for those who are wanted; this one stays in its file."""
        if not self._seated_well:
            return
        self._void()
        self.seed = _any_seed() if self.wanted_seed is None else self.wanted_seed
        self._saved, self.running = None, True
        self._sit_down(Record.begin(self.record.start), self._who_is_wanted())

    def do_reseat(self, _value: str = "") -> None:
        """Go on with this game, the seats taken by those who are wanted; the record notes who sat there before."""
        if not self._seated_well:
            return
        self._void()
        record, notes = self.record, dict(self.record.notes)
        if self.place and self.wanted != [*record.names]:
            notes.setdefault(f"until move {self.place}", ", ".join(record.names))
        self._sit_down(replace(record, notes=tuple(notes.items())), self._who_is_wanted())
        self._save()

    @property
    def _seated_well(self) -> bool:
        """Whether it is being said who sits where, not done already by a second click, and nothing is wrong with it."""
        return self.seating and not self.errors.keys() & {"seed", "name"}

    def _who_is_wanted(self) -> dict[int, str | Bot]:
        return {seat: self._same_bot(seat, name) for seat, name in enumerate(self.wanted)}

    def do_stop(self, _value: str = "") -> None:
        """Halt the bots; what one was thinking about is void."""
        self._void()
        self.running = False

    def do_go(self, _value: str = "") -> None:
        """Let the bots go on."""
        self.running = True

    def do_instead(self, value: str) -> None:
        """After a bot's error: play for it, a random move, or try again."""
        trouble, self.trouble = self.trouble, None
        if trouble is None:
            return
        if value == "play":
            self.helped = (trouble.seat, self.place)
        elif value == "random":
            actions: Actions = self.state.actions(trouble.seat)
            self._then(actions.sample(keyed(self.seed, "instead", trouble.seat, self.place)), trouble.seat)

    def do_uncover(self, _value: str = "") -> None:
        """The next person is before the screen."""
        self.covered = self.covered and self.to_act is None

    def do_on(self, _value: str = "") -> None:
        """The state that rests was looked at: on to what chance brings."""
        self.looked = self.place
        self._move_chance()
        self._save()

    def do_replay(self, value: str) -> None:
        """Look at the game after so many moves."""
        try:
            move = whole(value)
        except NotANumber:
            move = -1
        if not 0 <= move <= self.place:
            raise ValueError(_("{value!r}: a number from 0 to {most} is needed").format(value=value, most=self.place))
        self.shown = move if move < self.place else None

    def do_back(self, _value: str = "") -> None:
        """Back to the game."""
        self.shown = None

    def do_paste(self, value: str) -> None:
        """Go on with a pasted record; this game stays in its file."""
        if not value.strip():
            return
        record = Record.parse(value)
        self._void()
        noted = _noted_seed(record)
        self.seed = self.seed if noted is None else noted
        self._saved = None
        self._sit_down(record, {seat: self._same_bot(seat, name) for seat, name in enumerate(record.names)})
        self.label = self._title()
        self.taken["paste"] += 1


def _gone_on(game: State | Record, file: Path) -> Record:
    """The game of a file and of a record, so far as either has come; raises `ValueError` unless it is one game."""
    if isinstance(game, Record):
        there = Record.load(file)
        shorter, longer = sorted((there, game), key=lambda record: len(record.moves))
        if there.start == game.start and shorter.moves == longer.moves[: len(shorter.moves)]:
            return replace(longer, notes=tuple({**dict(there.notes), **dict(longer.notes)}.items()))
        raise ValueError(_("{name} holds another game, which would be lost; give another file").format(name=file))
    resume = f"tradekit.play(tradekit.Record.load({str(file)!r}), file={str(file)!r})"
    raise ValueError(_("there is a file {name} already; go on with it by {resume}").format(name=file, resume=resume))


def _noted_seed(record: Record) -> int | None:
    """The seed that a record says its chance is drawn from."""
    return _whole(dict(record.notes).get("seed", ""))


def _whole(text: str) -> int | None:
    """The whole number of a text; None for any other text."""
    with suppress(ValueError):
        return whole(text)
    return None


def _seed(text: str) -> int:
    """The seed that a person has typed."""
    try:
        return whole(text)
    except TwoReadings:
        raise
    except NotANumber:
        raise ValueError(_("{value!r}: a seed is a whole number, such as 7").format(value=text)) from None


def _any_seed() -> int:
    """A seed short enough to be told to somebody."""
    return random.randrange(10**6)


def _check_seat(seat: int, record: Record) -> None:
    """Raise `ValueError` for a seat that is not there."""
    seats = range(record.start.players)
    if seat not in seats:
        there = ", ".join(map(str, seats))
        raise ValueError(_("there is no seat {seat}; there are {seats}").format(seat=seat, seats=there))


def _fault(state: State, action: str, seat: int | None) -> int:
    """How far an action is from being done: 0 if it is legal, 1 if the rules forbid it, 2 if it is none."""
    try:
        state.after(action, seat)
    except IllegalAction:
        return 1
    except ValueError:
        return 2
    return 0


def _choose(bot: Bot, state: State, seat: int, luck: random.Random, stop: Event) -> Action:
    """What a bot does in a state."""
    if hasattr(bot, "stop"):
        bot.stop = stop
    view = state.view(seat)
    return bot.choose(view, view.actions(), luck)


def _advise(state: State, seat: int, luck: random.Random, stop: Event) -> Advice:
    """The advice of the game's best bot, or else of search."""
    view = state.view(seat)
    trouble: Exception = ValueError(_("no bot can advise in this game"))
    for name in dict.fromkeys((bots.opponent(state.game, state.players), "search")):
        bot = bots.make(name, game=state.game, **({"seconds": HINT_SECONDS} if name == "search" else {}))
        if hasattr(bot, "stop"):
            bot.stop = stop
        try:
            values = bot.evaluate(view, view.actions(), luck)
        except Exception as error:  # an adviser may refuse options of the rules: ask the next
            trouble = error
        else:
            if values:
                return Advice(bot.name, bot.measure, values)
    raise trouble


def _new_file(game: str) -> Path:
    """A file whose name was free, such as ``bazar-2026-11-29-a.txt``, made so that no other table takes it."""
    letters = ("".join(word) for length in count(1) for word in product(ascii_lowercase, repeat=length))
    return make_free(lambda _n: Path(f"{game}-{date.today().isoformat()}-{next(letters)}.txt").absolute())
