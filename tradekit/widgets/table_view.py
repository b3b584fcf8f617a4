"""The view of a match from one page: of the person at a seat, or of all who share a screen.

A view keeps what is its own: the replay, advice, messages, who is to sit where next. `table_page` writes its page.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Final, NamedTuple, TypeVar, cast

from tradekit import bots
from tradekit._utils import ties
from tradekit._utils.beside import Thought
from tradekit._utils.display_names import clean, isolated
from tradekit._utils.numerals import NotANumber, TwoReadings, whole
from tradekit.game import Action, IllegalAction, State, keyed
from tradekit.i18n import _
from tradekit.match import Match, check_seat
from tradekit.record import Record
from tradekit.show.names import name_of, with_names
from tradekit.show.voice import Voice
from tradekit.widgets import table_page
from tradekit.widgets.page import Page

HINT_SECONDS: Final = 2.0  #: how long a hint may be searched for

Value = TypeVar("Value")


class Advice(NamedTuple):
    """The expectations of a bot for each action, for a hint."""

    bot: str
    measure: str  #: what it counts
    values: dict[Action, float]

    @property
    def best(self) -> Action:
        """The action that it expects most of, of equals the first."""
        return ties.best(self.values, key=self.values.__getitem__)


def _of_match(read: Callable[[Match], Value]) -> Value:
    """A property of a view that is its match's."""
    return cast("Value", property(lambda view: read(view.match)))


class TableView(Page):
    """The page of the person at a seat."""

    sheets = ("live", "table")
    actions = (
        frozenset({"act", "type", "undo", "hint", "stop", "go", "instead", "on", "clock", "replay", "back"})
        | {"seating", "seat", "name", "seed", "begin", "reseat", "paste"}
    )  # fmt: skip
    bound = frozenset({"act", "type", "on", "uncover", "instead"})

    record = _of_match(lambda match: match.record)
    state = _of_match(lambda match: match.state)
    place = _of_match(lambda match: match.place)
    bots = _of_match(lambda match: match.bots)
    bot_names = _of_match(lambda match: match.bot_names)
    persons = _of_match(lambda match: match.persons)
    seed = _of_match(lambda match: match.seed)
    file = _of_match(lambda match: match.file)
    left = _of_match(lambda match: match.left)
    hides = _of_match(lambda match: match.hides)
    running = _of_match(lambda match: match.running)
    thinker = _of_match(lambda match: match.thinker)
    trouble = _of_match(lambda match: match.trouble)
    resting = _of_match(lambda match: match.resting)
    undoable = _of_match(lambda match: match.undoable)
    seconds_left = _of_match(lambda match: match.seconds_left)

    def __init__(self, match: Match, facing: int | None) -> None:
        self.match = match
        self.facing = facing  #: the person before the page; None: nobody yet
        self.covered = False  #: whether the page waits for that person
        self.taken = {"type": 0, "paste": 0}  #: how often what was typed was taken: each time empties the field
        self._thought = Thought()
        self._sat = 0  # the sitting of the match that was seen last
        self._seen = match.record
        with self.one_refresh():
            super().__init__(_title(match.record))
            self._heed()
        match.listeners.append(self._heed)

    # What happens in the match

    def _heed(self) -> None:
        """See what has happened."""
        if self._sat != self.match.sittings:
            self._sit_down()
        elif self._seen is not self.record:
            self._forget()
        self._seen = self.record
        self.errors.pop("file", None)
        if self.match.unsaved:
            self.errors["file"] = ("", self.match.unsaved)
        self._look_up()
        self.refresh()

    def _sit_down(self) -> None:
        """Another game, or others at the seats: nothing of before stays."""
        self._sat = self.match.sittings
        self._thought.void()
        self.errors.clear()
        self.label = _title(self.record)
        self.wanted = [*self.record.names]  #: who is to sit where, once that is said to be so
        self.wanted_seed: int | None = None  #: of the next game; None: any
        self.seating = False  #: whether it is being said
        self.advice: Advice | None = None
        self.shown: int | None = None  #: the move that a replay shows; None: the game as it is
        self.helped: tuple[int, int] | None = None  #: the seat and the place at which this page moves for a bot

    def _forget(self) -> None:
        """Another state: what was thought or said about the last one is void."""
        self._thought.void()
        self.advice = None
        for field in ("act", "undo", "hint"):
            self.errors.pop(field, None)
        typed, _message = self.errors.pop("type", ("", ""))
        if typed and self.alone:  # what came too early may be right now; of another it would tell secrets
            self.errors["type"] = typed, ""

    def _look_up(self) -> None:
        """See who is to act now."""

    # What is so

    @property
    def subject(self) -> Record:
        """The game as it stands: what a move is made in."""
        return self.record

    @property
    def alone(self) -> bool:
        """True if only one person uses the page."""
        return True

    @property
    def to_act(self) -> int | None:
        """The seat at which this page is to act, perhaps for a bot; None while it is not its turn."""
        helped = self.helped[0] if self.helped and self.helped == self.match.helped else None
        return next((seat for seat in self.match.awaited if seat in (self.facing, helped)), None)

    @property
    def viewer(self) -> int | None:
        """Through whose eyes the picture is; None sees all."""
        if self.hides and not self.state.actors:
            return None
        return self.facing if self.to_act is None or self.covered else self.to_act

    @property
    def watching(self) -> list[int]:
        """Seats that may be looking: the viewer's, all while covered, none if the viewer sees everything."""
        if self.covered:
            return self.persons
        return [] if self.viewer is None else [self.viewer]

    @property
    def thinking(self) -> bool:
        """True while a bot or the adviser is thinking."""
        return self.match.thinking or self._thought.goes_on

    @property
    def names(self) -> list[str]:
        """Names of the players, with the number of the seat if several have the same name."""
        seen = [clean(name) for name in self.record.names]
        names = enumerate(zip(self.record.names, seen, strict=True), 1)
        return [name if seen.count(look) == 1 else f"{name} ({seat})" for seat, (name, look) in names]

    @property
    def voice(self) -> Voice:
        """How moves are told here: to the person before the page, with the game's pictures."""
        return Voice(None if self.covered else self.facing, self.names, self.state.icon)

    def called(self, action: str) -> str:
        """An action with the players called by their names, where it can be typed so; else as a record writes it.

        It cannot where a name looks like a seat, or like another word of the action.
        """
        shown = with_names(action, self.names)
        return shown if self._by_seat(shown) == action else action

    def meant(self, typed: str) -> str:
        """Return what a person typed, with players as in a record or by name, whichever makes more sense."""
        return min((typed, self._by_seat(typed)), key=lambda action: _fault(self.state, action, self.to_act))

    def _by_seat(self, action: str) -> str:
        """An action that calls players by their names, as a record writes it."""
        names = [(clean(name), f"p{seat}") for seat, name in enumerate(self.names) if not re.fullmatch(r"p\d+", name)]
        seats = {form: seat for name, seat in names for form in (isolated(name), name)}
        there = "|".join(map(re.escape, sorted(seats, key=len, reverse=True))) or "(?!)"
        return re.sub(rf"(?<!\w)(?:{there})(?!\w)", lambda name: seats[name[0]], clean(action))

    def write(self) -> dict[str, str]:
        """The page: see `table_page`."""
        return table_page.write(self)

    # What a person can do

    def act(self, action: str) -> None:
        """An action of the person who is to act; raises `IllegalAction` or `ParseError`, and nothing has changed."""
        if self.to_act is None or self.covered:
            raise IllegalAction(_("it is not your turn") if self.state.actors else self.state.why(action))
        with self.one_refresh():
            self.match.act(action, self.to_act)
            self.shown = None
            self.errors.pop("type", None)

    def missed(self, do: str, value: str) -> None:
        """A move for a state that has passed is not made; what was typed stays in its field."""
        if do == "type" and value.strip():
            self.errors["type"] = value, _("The game had gone on by then; look again, and press Enter.")

    do_act = act  # clicked

    def do_type(self, value: str) -> None:
        """An action, typed."""
        if value.strip():
            self.act(self.meant(value.strip()))
            self.taken["type"] += 1

    def do_undo(self, _value: str = "") -> None:
        """Back to the last decision that a person made."""
        self.match.undo()
        self.shown = None

    def do_hint(self, _value: str = "") -> None:
        """Ask what each action is worth; a second time puts the answer away."""
        if self.advice:
            self.advice = None
        elif self.to_act is not None and not self.covered and not self.thinking:
            luck = keyed(self.seed, "hint", self.place)
            work = partial(_advise, self.state, self.to_act, luck)
            self._thought.begin(work, self._advised, self.refresh, self.match.pause)

    def _advised(self, advice: Advice | BaseException) -> None:
        if isinstance(advice, BaseException):
            self.errors["hint"] = ("", str(advice))
        else:
            self.advice = advice

    def do_stop(self, _value: str = "") -> None:
        """Halt the bots, and the adviser."""
        self._thought.void()
        self.match.run(False)

    def do_go(self, _value: str = "") -> None:
        """Let the bots go on."""
        self.match.run()

    def do_instead(self, value: str) -> None:
        """After a bot's error: play for it, a random move, or try again."""
        helps = value == "play" and self.trouble is not None
        self.match.instead(value)
        if helps:
            self.helped = self.match.helped

    def do_on(self, _value: str = "") -> None:
        """The state that rests was looked at: on to what chance brings."""
        self.match.look()

    def do_clock(self, _value: str = "") -> None:
        """Say anew how much time is left: for a page that has just been opened, or was out of sight."""

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

    # Who is to sit where

    def do_seating(self, _value: str = "") -> None:
        """Say who sits where, and with which seed a new game begins; a second time puts that away."""
        self.seating = not self.seating

    def do_seat(self, value: str) -> None:
        """Choose who sits at a seat, such as ``1 policy``: a bot, or without a name a person."""
        seat, bot = self._at_seat(value)
        if bot or self.wanted[seat] in self.bot_names:
            self._want(seat, bot or name_of(seat))

    def do_name(self, value: str) -> None:
        """Name the person at a seat, such as ``0 Ada``."""
        seat, name = self._at_seat(value)
        if name in map(clean, self.bot_names):
            raise ValueError(_("{name} is the name of a bot").format(name=name))
        self._want(seat, name or name_of(seat))

    def _at_seat(self, value: str) -> tuple[int, str]:
        number, *words = value.split()
        check_seat(int(number), self.record)
        return int(number), clean(" ".join(words))

    def _want(self, seat: int, name: str) -> None:
        self.wanted = [*self.wanted[:seat], name, *self.wanted[seat + 1 :]]

    def do_seed(self, value: str) -> None:
        """The seed of the next game."""
        self.wanted_seed = _seed(value) if value.strip() else None

    def do_begin(self, _value: str = "") -> None:
        """A new game from the same start, for those who are wanted; this one stays in its file."""
        if self._seated_well:
            self.match.begin(self.wanted, self.wanted_seed)

    def do_reseat(self, _value: str = "") -> None:
        """Go on with this game, the seats taken by those who are wanted."""
        if self._seated_well:
            self.match.reseat(self.wanted)

    @property
    def _seated_well(self) -> bool:
        """True if seats are being chosen, not by a second click, and without an error."""
        return self.seating and not self.errors.keys() & {"seed", "name"}

    def do_paste(self, value: str) -> None:
        """Go on with a pasted record; this game stays in its file."""
        if value.strip():
            record = Record.parse(value)
            if self.facing is not None:
                check_seat(self.facing, record)
            self.match.take(record)
            self.taken["paste"] += 1


class SharedView(TableView):
    """The page of all persons at one screen: for the one who is to act, and covered until that one is there.

    Nothing is covered where the game hides nothing or one person only plays.
    """

    actions = TableView.actions | {"uncover"}

    def __init__(self, match: Match) -> None:
        super().__init__(match, None)

    @property
    def alone(self) -> bool:
        """True if only one person plays."""
        return len(self.persons) == 1

    @property
    def to_act(self) -> int | None:
        """The person who is to act, perhaps for a bot; None if it is a bot's turn or the game is over."""
        return next(iter(self.match.awaited), None)

    def _sit_down(self) -> None:
        super()._sit_down()
        self.facing = self.persons[0] if self.alone else None
        self.covered = not self.alone and self.hides

    def _look_up(self) -> None:
        """Let another person who is to act come before the screen."""
        person = self.to_act if self.to_act in self.persons else None
        if person is not None and person != self.facing:
            self.facing = person
            self.covered = True
        self.covered = self.covered and self.hides and len(self.persons) > 1 and bool(self.state.actors)
        self.match.attend(not self.covered)

    def do_uncover(self, _value: str = "") -> None:
        """The next person is before the screen."""
        self.covered = self.covered and self.to_act is None
        self._look_up()


def _title(record: Record) -> str:
    return _("table: {game}").format(game=record.start.game.name)


def _seed(text: str) -> int:
    """The seed that a person has typed."""
    try:
        return whole(text)
    except TwoReadings:
        raise
    except NotANumber:
        raise ValueError(_("{value!r}: a seed is a whole number, such as 7").format(value=text)) from None


def _fault(state: State, action: str, seat: int | None) -> int:
    """Return how far a text is from a legal action: 0 legal, 1 forbidden by the rules, 2 not an action."""
    try:
        state.after(action, seat)
    except IllegalAction:
        return 1
    except ValueError:
        return 2
    return 0


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
