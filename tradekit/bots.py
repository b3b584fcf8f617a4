"""Bots: what one is, how it is found by name, and those that play any game.

A bot sees a view, which is what a person in its seat may know, and the legal actions; it says which one it takes. What
chance it needs it draws from the generator that it is given, so that a game can be played again.

`RandomBot` takes anything. `SearchBot` knows no game: it plays many games on from here and takes the action that won
most of them (single-observer information set Monte Carlo tree search: Cowling, Powley and Whitehouse, IEEE Transactions
on Computational Intelligence and AI in Games 4, 2012). The bots of a game live in its package.
"""

from __future__ import annotations

import csv
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from inspect import signature
from itertools import count
from math import inf, log, sqrt
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol, TypeVar

from tradekit import game as games
from tradekit._utils import ties
from tradekit._utils.arguments import between, checked, items, optional, whole
from tradekit.game import CHANCE, Action, Actions, BotInfo, Game, Listed, State, View, draw, keyed
from tradekit.i18n import _, later

if TYPE_CHECKING:
    from tradekit.record import Record


class Bot(ABC):
    """A player that is a program: facts about it, which the tests hold it to, and one method.

    A class attribute is a fact about all its bots; one that depends on options is set in ``__init__``.

    >>> from tradekit import bazar, exercises
    >>> view, bot = bazar.State.parse(exercises.THREE_LEFT).view(0), make("quick")
    >>> bot.choose(view, view.actions(), random.Random(0))
    Action('buy 1')
    >>> worth = bot.evaluate(view, view.actions(), random.Random(0))
    >>> {action: round(value, 3) for action, value in worth.items()}, bot.measure
    ({Action('buy 1'): 1.0, Action('done'): 0.5}, 'purchases a turn')
    """

    name: ClassVar[str] = ""  #: what it is asked for by
    games: ClassVar[tuple[str, ...]] = ()  #: the games it plays; (): any
    deterministic: bool = False  #: whether it takes the same action in equal views, whatever the generator

    @abstractmethod
    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """The action taken, one of `actions`, which are not empty; called only for who is to act."""

    def evaluate(self, view: View, actions: Actions, rng: random.Random) -> dict[Action, float]:
        """Return the expected value of each action, in the unit of `measure`; empty for a bot without estimates."""
        return {}

    @property
    def measure(self) -> str:
        """Name of the amount that `evaluate` estimates, as shown with a hint; empty if there is none."""
        return ""

    def __repr__(self) -> str:
        return f"<bot {self.name}>"


# Bots by name

#: Bots that play any game. A game declares its own (`Game.bots`).
_ANY_GAME: Final = (
    BotInfo("random", f"{__name__}:RandomBot", later("Random"), "easy"),
    BotInfo("search", f"{__name__}:SearchBot", later("Searcher"), "medium"),
)
_BOTS: dict[tuple[str, str], type[Bot]] = {}  #: those registered, by game ("": any) and name
_B = TypeVar("_B", bound=type[Bot])


def register(bot: _B) -> _B:
    """Make a class of bots known by its name in the games that it plays; a decorator.

    A game declares its own bots (`Game.bots`); this is for others, as in a notebook. Registered again, as by a cell
    that is run again, it takes the place of the one before. Bots of different games may have the same name.

    Raises
    ------
    ValueError
        For a name that a file or a table could not hold (see `check_name`), and for a name that is another's.

    Examples
    --------
    >>> register(RandomBot).name
    'random'
    """
    check_name(bot.name)
    for game in bot.games or ("", *games.names()):
        known = infos(game).get(bot.name)
        if known and known.home != _home(bot):
            raise ValueError(_("Bot name {name!r} is taken; a bot needs a name of its own").format(name=bot.name))
    _BOTS.update({(game, bot.name): bot for game in bot.games or ("",)})
    return bot


def _home(bot: type[Bot]) -> str:
    return f"{bot.__module__}:{bot.__qualname__}"


def check_name(name: object) -> None:
    """Raise `ValueError` for a bot's name that a file of games or a table could not hold.

    A name is text that can be printed on one line, without commas, and without spaces at its ends.

    >>> check_name("quick 3")
    >>> check_name("quick, patient")
    Traceback (most recent call last):
    ValueError: Bot name 'quick, patient': give it a name of its own, on one line and without commas
    """
    if not isinstance(name, str) or not name.strip() or name != name.strip() or not name.isprintable() or "," in name:
        message = _("Bot name {name!r}: give it a name of its own, on one line and without commas")
        raise ValueError(message.format(name=name))


@checked
def infos(game: str | Game) -> dict[str, BotInfo]:
    """Return what is known of each bot that plays a game, by name: its title and its level.

    >>> infos("silk")["planner"].title, infos("silk")["random"].level
    ('Planner', 'easy')
    """
    name, declared = (game, _declared(game)) if isinstance(game, str) else (game.name, game.bots)
    registered = {bot: BotInfo(bot, _home(made)) for (of, bot), made in _BOTS.items() if of in ("", name)}
    return registered | {info.name: info for info in (*_ANY_GAME, *declared)}


def _declared(game: str) -> tuple[BotInfo, ...]:
    with suppress(ValueError):  # not a game that is known, as that of a bot may be
        return games.find(game).bots
    return ()


@checked
def names(game: str | Game | None = None) -> tuple[str, ...]:
    """Return the names of all bots, or of those that play a game, sorted.

    >>> names("bazar")
    ('chain', 'patient', 'policy', 'quick', 'random', 'search')
    """
    return tuple(sorted({name for of in (_homes() if game is None else [game]) for name in infos(of)}))


def _homes() -> list[str]:
    """All games that bots are known of."""
    return sorted({*games.names(), *(game for game, _name in _BOTS)})


@checked
def make(bot: str | Bot, *, game: str | Game | None = None, **options: Any) -> Bot:
    """Return the bot of that name, made with these options; one that is made already is handed back.

    Bots of different games may have the same name: that of `game` is meant. A name that this game does not have, or any
    name if no game is given, is looked for in all games.

    Raises `ValueError` that says which bots there are, and for a name that several of these games have.

    >>> make("search", iterations=50), make("planner", game="silk")
    (<bot search>, <bot planner>)
    """
    if isinstance(bot, Bot):
        if options:
            raise ValueError(_("bot {name!r} is made already and takes no options").format(name=bot.name))
        return bot
    if not isinstance(bot, str):
        raise ValueError(
            _("{bot!r} is not a bot: give the name of one, or a Bot such as make('random')").format(bot=bot)
        )
    kind = _kind(bot, game)
    takes = signature(kind).parameters
    if unknown := options.keys() - takes.keys():
        message = _("Bot {bot!r} has no option {name!r}; choose one of: {there}")
        raise ValueError(message.format(bot=bot, name=min(unknown), there=", ".join(takes)))
    return kind(**options)


def _kind(bot: str, game: str | Game | None) -> type[Bot]:
    """The class of the bot of that name."""
    near = "" if game is None else game
    among = [near] if bot in infos(near) else _homes()
    found = {info.home: of for of in among if (info := infos(of).get(bot))}
    if not found:
        message = _("there is no bot {name!r}; there are {there}")
        raise ValueError(message.format(name=bot, there=", ".join(names(game))))
    if len(found) > 1:
        message = _("Several games have a bot {name!r}; say which is meant, as by game={game!r}")
        raise ValueError(message.format(name=bot, game=min(map(str, found.values()))))
    [(home, of)] = found.items()
    name = of if isinstance(of, str) else of.name
    if known := _BOTS.get((name, bot)) or _BOTS.get(("", bot)):
        return known
    made: type[Bot] = resolve_name(home)
    return made


@checked
def opponent(game: str | Game, players: int = 2) -> str:
    """Return the name of the game's best bot, which plays against a person who names nobody and gives hints.

    A game that declares none for so many `players` has `search`.

    >>> opponent("bazar"), opponent("turin"), opponent("turin", 3), opponent("a game of your own")
    ('policy', 'value', 'equilibrium', 'search')
    """
    return next((name for name, info in infos(game).items() if players in info.best), "search")


class Measured(NamedTuple):
    """A measurement: how often a bot did better than another, in percent, with a 95% interval."""

    bot: str
    opponent: str
    players: int  #: at the table
    games: int
    wins: float
    low: float
    high: float
    command: str  #: what measured it


@checked
def measured(game: str | Game) -> tuple[Measured, ...]:
    """Return what was measured of a game's bots: the rows of the file that the game declares (`Game.measured`).

    >>> measured("silk")[0]._replace(command="")
    Measured(bot='planner', opponent='sale', players=2, games=200, wins=72.0, low=65.0, high=77.0, command='')
    """
    try:
        resource = (games.find(game) if isinstance(game, str) else game).measured
    except ValueError:  # not a game that is known
        return ()
    return _read(resource) if resource else ()


@cache
def _read(resource: str) -> tuple[Measured, ...]:
    package, _colon, file = resource.partition(":")
    with files(package).joinpath(file).open(encoding="utf-8") as lines:
        rows = [*csv.DictReader(lines)]
    kinds = {"players": int, "games": int, "wins": float, "low": float, "high": float}
    return tuple(Measured(**{name: kinds.get(name, str)(row[name]) for name in Measured._fields}) for row in rows)


@checked
def strength(bot: str, game: str | Game) -> str:
    """Return how strong the bot of that name is in a game, in words; nothing where it was not measured.

    That is the first row of the bot in `measured`.

    >>> strength("chain", "bazar")
    'wins 23 % against policy'
    """
    row = next((row for row in measured(game) if row.bot == bot), None)
    return _("wins {n} % against {bot}").format(n=f"{row.wins:g}", bot=row.opponent) if row else ""


@checked
def finish(record: Record, players: Sequence[str | Bot], seed: int = 0) -> Record:
    """The record with its game played to the end, a bot on each seat; equal seeds give equal games.

    >>> from tradekit import Record, bazar
    >>> finish(Record.begin(bazar.new(cards=(1, 4))), ["random", "chain"], seed=2).state().winners()
    (1,)
    """
    seated = items(players, "players", example="('chain', 'random')")
    bots = [make(bot, game=record.start.game) for bot in seated]
    if len(bots) < record.start.players:
        raise ValueError(
            _("players: give a bot for each of the {players} seats, not {n}").format(
                n=len(bots), players=record.start.players
            )
        )
    while actors := record.state().actors:
        state, actor = record.state(), actors[0]
        if actor == CHANCE:
            action = draw(state.outcomes(), keyed(seed, "chance", record.chances))
        else:
            view = state.view(actor)
            action = bots[actor].choose(view, view.actions(), keyed(seed, "bot", len(record.moves)))
        record = record.with_move(action, actor)
    return record


# Bots for any game


class RandomBot(Bot):
    """Takes any action, as `Actions.sample` draws it."""

    name = "random"

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:  # noqa: D102  (the class says it)
        return actions.sample(rng)


class Stop(Protocol):
    """A signal that can end a search, such as a `threading.Event`.

    >>> from threading import Event
    >>> end = Event()
    >>> end.set()
    >>> end.is_set()  # a search whose `stop` it is answers with what it has found
    True
    """

    def is_set(self) -> bool:
        """Return True if the search is to end."""
        ...


class Estimate(NamedTuple):
    """The result of a search for one action."""

    share: float  #: of wins, 0 to 1; a win that is shared counts in part
    visits: int  #: in so many plays


class _Node:
    """A point of the tree: how often it was met and could have been, and what its actor got in all."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = self.available = 0
        self.total = 0.0
        self.children: dict[tuple[int, Action], _Node] = {}


class SearchBot(Bot):
    """Plays on from here again and again, each time from another state that it must hold possible.

    A play goes down the tree of what was tried before (UCB1 among the actions that are legal in this play, counted by
    how often they were), adds one action to it, and lets the `rollout` bot play on. What counts at the end is the share
    of the win. After `depth` decisions of the rollout, or for ``depth=None`` at the end of the game, those who lead by
    points share it.

    A search takes `iterations` plays, or as many as `seconds` allow. It ends early when `stop`, a `threading.Event` or
    alike, is set. Where several act at once the searcher comes first, so it never reacts to what it cannot see; its
    opponents in the tree do, which errs on the side of caution. Of more than `width` actions those tried are what
    `Actions.sample` gives, few at first and more as a point of the tree is met more often. What is tried less is known
    less: estimates of actions far from the best are rough. A game for one has no win to share, so there it is no help.
    """

    name = "search"
    stop: Stop | None = None  #: set by who wants to be able to end a search

    @checked(
        iterations=whole(1),
        seconds=optional(between(above=0)),
        depth=optional(whole(0)),
        explore=between(0),
        width=whole(1),
    )
    def __init__(
        self,
        iterations: int = 500,
        *,
        seconds: float | None = None,
        rollout: str | Bot = "random",
        depth: int | None = 60,
        explore: float = 0.7,
        width: int = 40,
    ) -> None:
        self.iterations, self.seconds, self.depth = iterations, seconds, depth
        self.rollout, self.explore, self.width = make(rollout), explore, width

    @property
    def measure(self) -> str:  # noqa: D102
        return _("estimated share of wins")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """The action that most plays went through: its estimate is the surest."""
        if len(actions) == 1:
            return next(iter(actions))
        found = self.search(view, actions, rng)
        if not found:  # stopped before the first play
            return actions.sample(rng)
        most = max(estimate.visits for estimate in found.values())
        return ties.best(
            (action for action in found if found[action].visits == most), key=lambda action: found[action].share
        )

    def evaluate(self, view: View, actions: Actions, rng: random.Random) -> dict[Action, float]:
        """The estimated share of wins of each action tried."""
        return {action: estimate.share for action, estimate in self.search(view, actions, rng).items()}

    def search(self, view: View, actions: Actions, rng: random.Random) -> dict[Action, Estimate]:
        """Search, and return the estimate of each action; actions that no play tried are missing.

        >>> from tradekit import turin
        >>> view = turin.new(players=2, seed=1).view(0)
        >>> found = SearchBot(iterations=12).search(view, view.actions(), random.Random(0))
        >>> len(found), sum(estimate.visits for estimate in found.values())
        (6, 12)
        """
        root = _Node()
        for _play in self._budget():
            self._play(root, view, actions, rng)
        return {action: Estimate(node.total / node.visits, node.visits) for (_p, action), node in root.children.items()}

    def _budget(self) -> Iterator[int]:
        end = inf if self.seconds is None else time.monotonic() + self.seconds
        for done in count():
            over = done >= self.iterations if self.seconds is None else time.monotonic() >= end
            if over or (self.stop is not None and self.stop.is_set()):
                return
            yield done

    def _play(self, node: _Node, view: View, actions: Actions, rng: random.Random) -> None:
        """One play: down the tree, one node more, the rollout, and what came of it written down on the way."""
        state, root = view.sample(rng), node
        path: list[tuple[int, _Node]] = []
        new = False
        while not new and (actor := _next_actor(state, view.player)) is not None:
            if actor == CHANCE:
                action = draw(state.outcomes(), rng)
            else:
                action = self._select(node, actor, state.actions(actor) if path else actions, rng)
            child = node.children.get((actor, action))
            if child is None:
                child = node.children[actor, action] = _Node()
                child.available = 1
                new = actor != CHANCE
            node = child
            path.append((actor, node))
            state = state.after(action, actor)
        root.visits += 1
        shares = standing(self._roll_out(state, view.player, rng))
        for actor, node in path:
            node.visits += 1
            if actor != CHANCE:
                node.total += shares[actor]

    def _select(self, node: _Node, actor: int, actions: Actions, rng: random.Random) -> Action:
        """The action to go down: one not tried yet, else the one with the highest upper bound (UCB1)."""
        tried = [
            (action, child) for (who, action), child in node.children.items() if who == actor and action in actions
        ]
        wide = len(actions) > self.width
        if not wide and len(tried) < len(actions):
            known = {action for action, _child in tried}
            action = Listed(action for action in actions if action not in known).sample(rng)
        elif wide and len(tried) < min(self.width, 1 + sqrt(4 * node.visits)):
            action = actions.sample(rng)
        else:
            action = ties.best(tried, key=lambda pair: self._bound(pair[1]))[0]
        for _action, child in tried:
            child.available += 1
        return action

    def _bound(self, child: _Node) -> float:
        return child.total / child.visits + self.explore * sqrt(log(child.available) / child.visits)

    def _roll_out(self, state: State, first: int, rng: random.Random) -> State:
        decisions = 0
        at_random = isinstance(self.rollout, RandomBot)
        while (actor := _next_actor(state, first)) is not None:
            if actor == CHANCE:
                state = state.after(draw(state.outcomes(), rng))
                continue
            if decisions == self.depth:
                break
            decisions += 1
            if at_random:
                action = state.actions(actor).sample(rng)
            else:
                view = state.view(actor)
                action = self.rollout.choose(view, view.actions(), rng)
            state = state.after(action, actor)
        return state


def _next_actor(state: State, first: int) -> int | None:
    """Return the actor who moves next: `first` if possible, because at a simultaneous moment order reveals nothing."""
    actors = state.actors
    return None if not actors else first if first in actors else actors[0]


@checked
def standing(state: State) -> tuple[float, ...]:
    """The share of the win of each player; before the end, of those who lead by points.

    >>> from tradekit import bazar
    >>> standing(bazar.new(players=2, seed=1))
    (0.5, 0.5)
    """
    scores = state.scores()
    leaders: Sequence[int] = state.winners() or [p for p, score in enumerate(scores) if score == max(scores)]
    return tuple((p in leaders) / len(leaders) for p in range(len(scores)))
