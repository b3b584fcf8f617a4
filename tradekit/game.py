"""The contract that every game keeps.

A `State` is an immutable value: whose decision is open (`actors`), what they may do (`actions`), and the state after
it (`after`). Chance is an actor like a player, `CHANCE`, with listed outcomes, so that a game is the list of its
actions. An `Action` is its text, as a person types it. What a player may know is a `View`: a state whose unknown parts
are masked, and bots and screens get nothing else.

A game says what it is in one declared value, `Game`, which the laws of `tradekit.testing` read. A state that is a
frozen dataclass of numbers, texts and tuples has text form, views, records, bots and a table for free.
"""

from __future__ import annotations

import json
import random
import re
import warnings
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import repeat
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Protocol, Self

from markupsafe import Markup

from tradekit._utils.arguments import checked, shown, whole_number, word
from tradekit._utils.arguments import seed as whole_seed
from tradekit._utils.errors import ParseError as ParseError
from tradekit._utils.fixed import Fixed
from tradekit.i18n import _
from tradekit.show import html
from tradekit.show.html import element, fragment
from tradekit.show.names import Names, join_words, shown_name, with_names
from tradekit.show.voice import Thing, Voice

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tradekit.options import Options

PLAIN: Final = (int, type(None))  #: kinds of a player in `State.after`; any other goes through `normalise_move`
CHANCE: Final = -1  #: the actor that is nobody: dice and shuffled cards
UNTOLD: Final = "…"  #: what a player is told of an action of which nothing is told but that it happened


class IllegalAction(ValueError):
    """Something the rules do not allow here; the message names the rule."""


class Action(str):
    """A move of a player or of chance: its exact text, such as ``roll`` or ``R=WW``. Equal to that text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Action({str(self)!r})"


class Actions(Collection[Action], Protocol):
    """Legal actions: they iterate in a stable order, know their number, and answer `in` without being listed.

    >>> from tradekit import silk
    >>> actions = silk.new(players=3, seed=1).after("draw ivory 1").actions(2)
    >>> len(actions), "pass" in actions, actions.sample(random.Random(0)) in actions
    (300, True, True)
    """

    def sample(self, rng: random.Random) -> Action:
        """One of them at random."""
        ...


class Listed(tuple[Action, ...]):
    """Legal actions few enough to be listed; `sample` is uniform.

    >>> actions = Listed.of("roll", "R=WW")
    >>> "roll" in actions, len(actions), actions.sample(random.Random(0))
    (True, 2, Action('R=WW'))
    """

    __slots__ = ()

    @classmethod
    def of(cls, *actions: str) -> Listed:
        """The actions of these texts."""
        return cls(map(Action, actions))

    def sample(self, rng: random.Random) -> Action:
        """One of them, each equally likely."""
        return self[int(rng.random() * len(self))]


NO_ACTIONS: Final = Listed()

MOST_BUTTONS: Final = 60  #: a picture with more is no help; the action is typed then
LONGEST: Final = 1_000  #: letters of an action
LETTERS: Final = 96  #: of a state's text, on a line of a picture


Outcomes = Sequence[tuple[Action, float]]  #: what chance may do, with probabilities that add up to 1


class Even(Fixed, Outcomes):
    """Outcomes that are equally likely, as those of dice and cards are: `actions`, and each as likely as another.

    >>> coin = Even(Listed.of("heads", "tails"))
    >>> [*coin], coin.sample(random.Random(0))
    ([(Action('heads'), 0.5), (Action('tails'), 0.5)], Action('tails'))
    """

    __slots__ = ("actions",)
    actions: Sequence[Action]

    def __init__(self, actions: Sequence[Action] = ()) -> None:
        _set_actions(self, actions)

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[tuple[Action, float]]:
        return zip(self.actions, repeat(1 / max(len(self.actions), 1)), strict=False)

    def __getitem__(self, place: Any) -> Any:
        return [*self][place] if isinstance(place, slice) else (self.actions[place], 1 / len(self.actions))

    def __eq__(self, other: object) -> bool:
        return [*self] == [*other] if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Even({self.actions!r})"

    def sample(self, rng: random.Random) -> Action:
        """One of them at random."""
        return self.actions[int(rng.random() * len(self.actions))]


_set_actions = Even.actions.__set__  # type: ignore[attr-defined]


Level = Literal["", "easy", "medium", "strong"]  #: how strong a bot is, for a person; "": not said


@dataclass(frozen=True)
class BotInfo:
    """A bot, declared by the game that it plays.

    >>> find("turin").bots[0]
    BotInfo(name='value', home='tradekit.turin.bots:ValueBot', title='Appraiser', level='strong', best=(2,))
    """

    name: str  #: what it is asked for by
    home: str  #: ``module:Class``, imported when the bot is first made
    title: str = ""  #: what a person calls it; the name if empty
    level: Level = ""
    best: tuple[int, ...] = ()  #: with how many players it is the game's best bot


@dataclass(frozen=True)
class Game:
    """The declaration of a game; `tradekit.testing` checks the game against it."""

    name: str  #: one word, the first of a state's text
    state: type[State]
    new: Callable[..., State]  #: ``new(players=2, seed=None, ...)``: the state that a game begins with
    players: tuple[int, ...]  #: the numbers of players it takes
    chance: bool = True  #: whether there are dice or shuffled cards
    simultaneous: bool = False  #: whether several may have to act at once
    hidden: bool = False  #: whether a player may know what another does not
    low: int | None = 0  #: no score is below; None: there is no bound
    high: int | None = None  #: no score is above; None: there is no bound
    conserves: str = ""  #: what no action changes, in words; `State.conserved` counts it
    title: str = ""  #: what a person calls it; the name if empty
    rules: str = ""  #: ``module:NAME``, its rules in ten lines: see `tradekit.show.rules_card`
    help: str = ""  #: the page with its rules: an address, or a file of tradekit's documentation
    options: type[Options] | None = None  #: those that its `new` takes by name, or all of them as `rules`
    bots: tuple[BotInfo, ...] = ()  #: its own bots; `random` and `search` play any game
    measured: str = ""  #: ``package:file``, how often its bots have won: see `tradekit.bots.measured`
    commands: str = ""  #: ``module:function`` that adds commands of its own to the command line's subparsers


class State(ABC):
    """A position of a game: immutable, hashable, with an exact text form.

    >>> from tradekit import bazar
    >>> state = bazar.new(players=2, cards=(1, 4), seed=7)
    >>> state.actors, [*state.actions(0)]
    ((0,), [Action('roll')])
    >>> rolled = state.after("roll")
    >>> rolled.actors == (CHANCE,), len(rolled.outcomes())
    (True, 6)
    >>> rolled.scores(), rolled.winners()
    ((0, 0), ())
    """

    __slots__ = ()
    game: ClassVar[Game]

    @property
    @abstractmethod
    def actors(self) -> tuple[int, ...]:
        """Whose decision is open: one player, several at a simultaneous moment, ``(CHANCE,)``, or none: it is over."""

    @abstractmethod
    def actions(self, player: int) -> Actions:
        """The legal actions of a player; none for who is not to act."""

    @abstractmethod
    def after(self, action: str, player: int | None = None) -> Self:
        """The state after an action of `player`, or of `CHANCE`, who need not be named where only one may act.

        Raises `IllegalAction`, which says why and names the rule, or `ParseError` for what no action looks like.
        """

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The points so far, by player."""

    def outcomes(self) -> Outcomes:
        """Return the possible outcomes of chance here, with probabilities; empty if it is not chance's turn."""
        return ()

    def winners(self) -> tuple[int, ...]:
        """Return the winners, several if they share the win; nobody before the end."""
        if self.actors:
            return ()
        scores = self.scores()
        return tuple(player for player, score in enumerate(scores) if score == max(scores))

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.scores())

    @property
    def turn_of(self) -> int:
        """Whose turn it is, for a heading; the first actor unless a game knows better."""
        return self.actors[0] if self.actors else CHANCE

    @property
    def pauses(self) -> bool:
        """True if people want to look at this state before chance goes on, as at the end of one game of several."""
        return False

    @property
    def hides(self) -> bool:
        """True if players may see different things, so that a shared screen is covered in between.

        >>> from tradekit import bazar
        >>> bazar.new(seed=7).hides, bazar.new(seed=7, hidden=True).hides
        (False, True)
        """
        return self.game.hidden

    # Time

    @property
    def time_limit(self) -> float | None:
        """Seconds that a person has for a turn; None, the default: no limit."""
        return None

    @property
    def timed_turn(self) -> Hashable:
        """A value that stays the same as long as one clock runs: by default, the player to move."""
        return self.turn_of

    def when_out_of_time(self) -> Sequence[Action]:
        """Return the moves for a player whose time is up: the first legal one is made, or else a random one.

        >>> from tradekit import bazar
        >>> bazar.new(seed=7, timer=60).when_out_of_time()[:3]  # BZ-21
        (Action('roll'), Action('done'), Action('buy 1'))
        """
        return NO_ACTIONS

    def conserved(self) -> tuple[int, ...]:
        """Amounts that no action changes (`Game.conserves` says which).

        >>> from tradekit import bazar
        >>> bazar.new(seed=7).conserved()  # stones of each colour, in hands and in the bank, and wares
        (20, 20, 20, 20, 20, 45)
        """
        return ()

    def vocabulary(self) -> Iterable[Action]:
        """Every action that can be written down in this game, legal here or not.

        >>> from tradekit import bazar
        >>> "buy 4" in {*bazar.new(seed=7).vocabulary()}
        True
        """
        return (action for player in self.actors for action in self.actions(player))

    # What a player may know

    def view(self, player: int) -> View:
        """Return what that player may know.

        >>> from tradekit import turin
        >>> print(turin.new(players=2, seed=1).view(0))
        p0 turin players=2 deck=house step=show hands=1.2.3.4.8.11,?6 ...
        """
        if type(player) is not int:
            player = whole_number(player, "player")
        self.need_player(player)
        return View(player, self.hide_from(player))

    def need_player(self, player: int) -> None:
        """Raise `IllegalAction` for a player that does not exist.

        >>> from tradekit import bazar
        >>> bazar.new(players=2, seed=7).need_player(2)
        Traceback (most recent call last):
        tradekit.game.IllegalAction: there is no p2, only p0 and p1
        """
        player = whole_number(player, "player")
        if player not in range(self.players):
            raise IllegalAction(no_such_player(player, self.players))

    @checked
    def seen_by(self, player: int | None) -> Self:
        """This state as that player may see it; all of it for None.

        >>> from tradekit import turin
        >>> state = turin.new(players=2, seed=1)
        >>> state.seen_by(0) == state.view(0).known, state.seen_by(None) == state
        (True, True)
        """
        if player is None:
            return self
        self.need_player(player)
        return self.hide_from(player)

    def hide_from(self, player: int) -> Self:
        """This state with all that the player does not know blotted out, so that nothing hidden can show.

        >>> from tradekit import bazar
        >>> state = bazar.new(seed=7)
        >>> state.hide_from(0) == state  # in Bazar nothing is hidden
        True
        """
        return self

    def sample_hidden(self, rng: random.Random, player: int) -> Self:
        """Of a masked state: a full one that the player must hold possible.

        >>> from tradekit import turin
        >>> state = turin.new(players=2, seed=1)
        >>> state.hide_from(0).sample_hidden(random.Random(0), 0).hide_from(0) == state.hide_from(0)
        True
        """
        return self

    def alike(self, rng: random.Random, player: int) -> Self:
        """Of a full state: another one of which that player must be shown the same pictures.

        By default one that the player must hold possible. A game whose pictures hide more than its views, as a screen
        may hide what everybody could have written down, fills that in otherwise, too; the laws compare pictures by it.

        >>> from tradekit import bazar
        >>> table = "bazar players=2 deck=house cards=1,4 hidden=yes step=turn turn=p0 hands=RW,RRRB "
        >>> state = bazar.State.parse(table + "stalls=RWBGY:1,RRWGY:4,-:0,GGGGG*:4 bought=-,- idle=0")
        >>> state.holdings == state.alike(random.Random(1), 0).holdings  # BZ-22: others' stones are a number
        False
        """
        return self.view(player).sample(rng)  # type: ignore[return-value]

    def visible_to(self, action: Action, player: int, later: Iterable[State]) -> str | None:
        """Return what a player is told of an action that another, or chance, makes here: all of it, a part, or only
        that it happened (`UNTOLD`). `later` are the states since then. None (the default): they show it
        (`Record.knows`). `sentence` says it in words.

        >>> from tradekit import silk
        >>> silk.new(players=3, seed=1).visible_to(Action("draw ivory 1"), 0, [])  # a card that player 2 draws
        'draw ?'
        """
        return None

    # Words

    def sentence(self, action: str, actor: int, voice: Voice) -> str:
        """Return a sentence about an action made here, in the past tense; by default the action itself.

        The action is written exactly, or as `visible_to` tells of it; it may be `UNTOLD` wherever several look at one
        screen. A game that hides something is asked in a state without all that the reader does not know, so that no
        sentence can tell a secret.

        >>> from tradekit import bazar
        >>> state = bazar.new(players=2, seed=7)
        >>> state.sentence("roll", 0, Voice(reader=0)), state.sentence("roll", 0, Voice(names=["Ana"]))
        ('You rolled the die.', 'Ana rolled the die.')
        """
        if action == UNTOLD and actor != CHANCE:
            return voice(actor, _("You have chosen."), _("{name} has chosen."))
        typed = with_names(action, voice.names)
        if actor == CHANCE:
            return voice.say("{action}", action=typed)
        return voice.say(_("{name}: {action}"), name=voice.seat(actor), action=typed)

    def label(self, action: str, voice: Voice) -> str:
        """Return what a control for an action says, or a hint: the action as an order; by default the action itself.

        >>> from tradekit import bazar
        >>> bazar.new(players=2, seed=7).label("roll", Voice())
        'Roll the die'
        """
        return voice.say("{action}", action=with_names(action, voice.names))

    def icon(self, thing: Thing) -> str:
        """Return the picture of a thing in a sentence on a page, for `Voice.draw`; by default, and for what has no
        picture, its words.

        >>> from tradekit import bazar
        >>> bazar.new(seed=7).icon(Thing("seat", 0, "Ana"))
        'Ana'
        """
        return thing.words

    # Text, for a frozen dataclass of numbers, texts and tuples

    def __str__(self) -> str:
        values = (
            f"{field.name}={json.dumps(getattr(self, field.name), separators=(',', ':'))}".replace(" ", r"\u0020")
            for field in fields(self)  # type: ignore[arg-type]
        )
        return " ".join([self.game.name, *values])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The state of that text; raises `ParseError`.

        >>> from tradekit import bazar
        >>> state = bazar.new(seed=7)
        >>> type(state).parse(str(state)) == state
        True
        """
        pairs = read_pairs(text, cls.game.name, [field.name for field in fields(cls)])  # type: ignore[arg-type]
        values = {}
        for name, value in pairs.items():
            try:
                values[name] = _tuples(json.loads(value))
            except json.JSONDecodeError:
                raise ParseError(
                    _("{name}={value}: that value cannot be read").format(name=name, value=value)
                ) from None
        return cls(**values)

    # Pictures

    @checked
    def why(self, action: str, player: int | None = None) -> str:
        """Return the reason why an action is not legal here, in the rules' words; an empty text if it is legal.

        >>> from tradekit import bazar
        >>> bazar.new(seed=7).why("buy 1")
        'cannot buy before rolling or trading (BZ-12)'
        """
        try:
            self.after(action, player)
        except ValueError as error:
            return str(error)
        return ""

    @checked
    def html(self, player: int | None = None, *, live: bool = False, names: Names = (), hint: str = "") -> Markup:
        """The picture of the state as that player may see it, None for who may see all.

        `live`: with buttons, for what that player may do; `names`: what the players are called; `hint`: the action that
        is advised, whose button is marked.

        >>> from tradekit import bazar
        >>> picture = bazar.new(players=2, seed=7).html(0, live=True, names=["Ana", "Bruno"])
        >>> "Bruno" in picture, picture.count('data-value="roll"')
        (True, 1)
        """
        shown = self.seen_by(player)
        winners = shown.winners()
        rows = fragment(
            element(
                "tr",
                element("th", "▸ " if seat in shown.actors else "", shown_name(seat, names), scope="row"),
                element("td", score, class_="tk-number"),
                element("td", _("wins") if seat in winners else ""),
            )
            for seat, score in enumerate(shown.scores())
        )
        picture = fragment(element("pre", str(shown), class_="tk-text"), element("table", element("tbody", rows)))
        if not live or player is None or player not in self.actors:
            return picture
        actions = self.actions(player)
        if len(actions) > MOST_BUTTONS:
            return picture + html.quiet(_("{n} actions are possible; type one.").format(n=len(actions)))
        from tradekit.show.board_context import Scene

        scene = Scene(self, player, live, names, hint)
        buttons = (scene.do(action, action, "") for action in actions)
        return picture + html.row(*buttons, label=_("what {name} may do").format(name=shown_name(player, names)))

    @checked
    def to_svg(self, player: int | None = None, names: Names = ()) -> str:
        """The state as an SVG picture that stands alone, as that player may see it, None for who may see all.

        A game that has no picture of its own shows its text and the points.

        >>> from tradekit import bazar
        >>> bazar.new(seed=7).to_svg(names=["Ana", "Bruno"]).startswith("<svg")
        True
        """
        from tradekit.show.svg import page_of_text

        shown = self.seen_by(player)
        rows = [
            f"{'▸ ' if seat in shown.actors else ''}{shown_name(seat, names)}: {score}"
            for seat, score in enumerate(shown.scores())
        ]
        return page_of_text(self.game.name, [*wrap(str(shown), LETTERS), "", *rows])

    def _repr_html_(self) -> str:
        from tradekit.show.cell import page

        return page(self.html())


@dataclass(frozen=True, slots=True)
class View:
    """The knowledge of one player: the state without what is hidden. Equal views mean equal knowledge.

    >>> from tradekit import turin
    >>> view = turin.new(players=2, seed=1).view(1)
    >>> len(view.actions()), view.scores()
    (6, (15, 15))
    >>> view.sample(random.Random(0)).view(1) == view
    True
    """

    player: int
    known: State

    @property
    def actors(self) -> tuple[int, ...]:
        """Whose decision is open, as far as the player knows."""
        return self.known.actors

    def actions(self) -> Actions:
        """The player's own legal actions."""
        return self.known.actions(self.player)

    def scores(self) -> tuple[int, ...]:
        """The points so far, as far as the player knows."""
        return self.known.scores()

    def sample(self, rng: random.Random) -> State:
        """A full state consistent with the view; any of them may come, with no promise how often."""
        return self.known.sample_hidden(rng, self.player)

    def __str__(self) -> str:
        return f"p{self.player} {self.known}"

    def _repr_html_(self) -> str:
        from tradekit.show.cell import page

        return page(self.known.html(self.player))


# Pictures


def short(action: str) -> str:
    """Return what was typed for an action; raises `ParseError` if it is too long to be one.

    >>> short("roll")
    'roll'
    """
    if len(action) > LONGEST:
        raise ParseError(_("{text}: an action has at most {n} letters").format(text=shown(action), n=LONGEST))
    return action


def normalise_move(action: str, player: int | None) -> tuple[str, int | None]:
    """An action and who makes it, whatever their dress; raises `ValueError` for what is no text and no number.

    A game's `after` asks only where they are not plain, for it is called often.

    >>> normalise_move("roll", "0")
    ('roll', 0)
    """
    return word(action, "action"), None if player is None else whole_number(player, "player")


def no_such_player(player: int, players: int) -> str:
    """Return the message that a player does not exist, and who does.

    >>> no_such_player(3, 3)
    'there is no p3, only p0, p1 and p2'
    """
    there = join_words(f"p{seat}" for seat in range(players))
    return _("there is no p{player}, only {there}").format(player=player, there=there)


# Texts


def read_pairs(text: str, game: str, names: Sequence[str], optional: Collection[str] = ()) -> dict[str, str]:
    """The values of ``game name=value name=value ...``; raises `ParseError` for a foreign, missing or double name.

    >>> read_pairs("nim heap=7 turn=p0", "nim", ["heap", "turn"])
    {'heap': '7', 'turn': 'p0'}
    """
    words = text.split()
    if not words or words[0] != game:
        raise ParseError(_("{text!r}: a state of {game} begins with {game!r}").format(text=_short(text), game=game))
    pairs: dict[str, str] = {}
    for pair in words[1:]:
        name, sign, value = pair.partition("=")
        if not sign or name not in (*names, *optional) or name in pairs:
            what = _("is there twice") if name in pairs else _("does not belong here")
            raise ParseError(_("state of {game}: {word!r} {what}").format(game=game, word=_short(pair), what=what))
        pairs[name] = value
    for name in names:
        if name not in pairs:
            raise ParseError(_("state of {game}: {name}= is missing").format(game=game, name=name))
    return pairs


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def stable_hash(text: str) -> int:
    """A hash of text that is the same in every process, which Python's own is not.

    >>> stable_hash("roll")
    783626958
    """
    return zlib.crc32(text.encode())


# Chance


def keyed(seed: int, *place: int | str) -> random.Random:
    """A generator of its own for a place in a game: undo and another choice meet the same luck.

    >>> keyed(7, "chance", 3).random() == keyed(7, "chance", 3).random()
    True
    """
    if type(seed) is not int:
        seed = whole_seed(seed)
    return random.Random(repr((seed, *place)))


def draw(outcomes: Outcomes, rng: random.Random) -> Action:
    """Draw one of the outcomes of chance, with its probability.

    >>> draw([(Action("heads"), 0.25), (Action("tails"), 0.75)], random.Random(0))
    Action('tails')
    """
    if isinstance(outcomes, Even):
        return outcomes.sample(rng)
    point = rng.random()
    for action, probability in outcomes:
        point -= probability
        if point < 0:
            return action
    return outcomes[-1][0]


@checked
def choices(state: State, actor: int) -> Collection[Action]:
    """Return the possible actions of a player or of chance.

    >>> from tradekit import bazar
    >>> [*choices(bazar.new(seed=7), 0)]
    [Action('roll')]
    """
    return [action for action, _p in state.outcomes()] if actor == CHANCE else state.actions(actor)


def random_moves(state: State, rng: random.Random) -> Iterator[tuple[State, int, Action | None]]:
    """Random play: every state of the game, with who acts there and how; None in the last one.

    >>> from tradekit import bazar
    >>> moves = random_moves(bazar.new(players=2, seed=7), random.Random(0))
    >>> [(actor, action) for _state, actor, action in moves][:2]
    [(0, Action('roll')), (-1, Action('B'))]
    """
    while actors := state.actors:
        actor = CHANCE if CHANCE in actors else actors[int(rng.random() * len(actors))]
        action = draw(state.outcomes(), rng) if actor == CHANCE else state.actions(actor).sample(rng)
        yield state, actor, action
        state = state.after(action, actor)
    yield state, CHANCE, None


def play_on(state: State, rng: random.Random) -> Iterator[State]:
    """Random play to the end, state by state, `state` first.

    >>> from tradekit import turin
    >>> *_before, end = play_on(turin.new(players=2, seed=1), random.Random(0))
    >>> end.actors
    ()
    """
    return (state for state, _actor, _action in random_moves(state, rng))


# Games by name

GROUP: Final = "tradekit.games"  #: the entry points of games, ``name = "module:GAME"``
_OURS: Final = f"{__package__}."
_GAMES: dict[str, Game] = {}


@cache
def _entries() -> dict[str, EntryPoint]:
    """The games of all that is installed, by name, none of them imported: ours before others of the same name."""
    from importlib.metadata import entry_points  # not cheap, so when it is first needed

    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (not entry.value.startswith(_OURS), entry.value)):
        if found.setdefault(entry.name, entry).value != entry.value:
            _warn(_("Two games are named {name!r}: {one} is used, {other} is not"), entry, one=found[entry.name].value)
    return found


def _load(name: str) -> None:
    """Import a game and register it. One that cannot be is reported, and forgotten."""
    entry = _entries()[name]
    try:
        game = entry.load()
        if not isinstance(game, Game) or game.name != name:
            raise ValueError(_("it is not a Game of that name"))
        register(game)
    except (Exception, SystemExit) as error:  # whatever another one's module does
        _GAMES.pop(name, None)
        del _entries()[name]
        why = f"{type(error).__name__}: {error}"
        _warn(_("The game {name!r} is left out, because {other} cannot be loaded: {why}"), entry, why=why)


def _warn(message: str, entry: EntryPoint, **more: str) -> None:
    warnings.warn(message.format(name=entry.name, other=entry.value, **more), RuntimeWarning, stacklevel=2)


def register(game: Game) -> Game:
    """Make a game known by its name, so that its records can be read, and return it.

    A game that is installed is found by its entry point in the group `GROUP`. This is for one that is not, as in a
    notebook. Registered again, as by a cell that is run again, it takes the place of the one before.

    Raises
    ------
    ValueError
        For a name that is not one word, which no text of a state could begin with, and for a name that is taken: by a
        game that is installed, or by one whose states are of another class.

    Examples
    --------
    >>> register(find("bazar")).name
    'bazar'
    """
    name, state = game.name, game.state
    if not isinstance(name, str) or not re.fullmatch(r"\w[\w-]*", name):
        raise ValueError(
            _("Game name {name!r}: must be one word of letters, digits, - and _, such as 'my-game'").format(name=name)
        )
    # ours need not look: that would cost more than to import them
    entry, known = None if state.__module__.startswith(_OURS) else _entries().get(name), _GAMES.get(name)
    if entry is not None and entry.module.partition(".")[0] != state.__module__.partition(".")[0]:
        message = _("Game name {name!r} is taken by the game of {other}; choose another")
        raise ValueError(message.format(name=name, other=entry.module))
    if known is not None and not _same_or_variant(state, known.state):
        raise ValueError(
            _("Game name {name!r} is taken by the game of {other}; choose another").format(
                name=name, other=f"{known.state.__module__}.{known.state.__qualname__}"
            )
        )
    state.game = game
    _GAMES[name] = game
    return game


def _same_or_variant(one: type, other: type) -> bool:
    """Return whether a class is the other one defined again, or derived from it, or the reverse."""
    again = (one.__module__, one.__qualname__) == (other.__module__, other.__qualname__)
    return again or issubclass(one, other) or issubclass(other, one)


def names() -> tuple[str, ...]:
    """Return the names of all games, sorted: of those that are installed, and of those that were registered.

    >>> {"bazar", "bazar-alone", "silk", "turin"} <= {*names()}
    True
    """
    return tuple(sorted({*_entries(), *_GAMES}))


def installed() -> tuple[Game, ...]:
    """Return the games that are installed, sorted by name. One that cannot be imported is reported and left out.

    >>> [game.title for game in installed() if game.name in ("silk", "turin")]
    ['The Silk Road', 'Turin Market']
    """
    for name in [*_entries()]:
        if name not in _GAMES:
            _load(name)
    return tuple(_GAMES[name] for name in sorted(_entries()))


@checked
def find(name: str) -> Game:
    """Return the game of that name.

    Raises `ValueError`, which says what games there are, or to reinstall tradekit where none of its own is found.

    >>> find("turin").players, find("turin").simultaneous
    ((2, 3, 4, 5), True)
    """
    if name not in _GAMES and name in _entries():
        _load(name)
    if name not in _GAMES:
        there = ", ".join(names())
        if not any(entry.value.startswith(_OURS) for entry in _entries().values()):
            message = _("There is no game {name!r}: no game of tradekit is found. Reinstall tradekit")
            raise ValueError(message.format(name=name))
        raise ValueError(_("there is no game {name!r}; there are {there}").format(name=name, there=there))
    return _GAMES[name]


@checked
def begin(game: str | Game, **options: Any) -> State:
    """The state that a game begins with; `options` are those of its `new`.

    Raises `ValueError` for a game or an option that does not exist, and for a value of another kind.

    >>> begin("bazar", players=3, cards=(1, 4)).players
    3
    >>> begin("bazar", dice=2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: There is no option 'dice'; choose one of: over_ten, patience, double, ...
    """
    found = find(game) if isinstance(game, str) else game
    try:
        return found.new(**options)
    except (TypeError, AttributeError) as error:
        raise ValueError(_("{game} cannot begin so: {error}").format(game=found.name, error=error)) from error


@checked
def read(text: str) -> State:
    """The state of that text, whichever game it is of; raises `ParseError`.

    >>> from tradekit import silk
    >>> read(str(silk.new(seed=1))).game.name
    'silk'
    """
    name = (text.split() or [""])[0]
    try:
        game = find(name)
    except ValueError as error:
        raise ParseError(str(error)) from None
    return game.state.parse(text)
