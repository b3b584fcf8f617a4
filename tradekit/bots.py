"""Bots: what one is, how it is found by name, and those that play any game.

A bot sees a view, which is what a person in its seat may know, and the legal actions; it says which one it takes. What
chance it needs it draws from the generator that it is given, so that a game can be played again.

`RandomBot` takes anything. `SearchBot` knows no game: it plays many games on from here and takes the action that won
most of them (single-observer information set Monte Carlo tree search: Cowling, Powley and Whitehouse, IEEE Transactions
on Computational Intelligence and AI in Games 4, 2012). The bots of a game live in its package.
"""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib import import_module
from inspect import signature
from itertools import count
from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol, TypeVar

from tradekit._utils import ties
from tradekit._utils.arguments import between, checked, items, optional, whole
from tradekit.game import CHANCE, Action, Actions, Listed, State, View, draw, keyed
from tradekit.i18n import _

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
        """What it expects of each action, in the unit of `measure`; empty for a bot that does not reckon so."""
        return {}

    @property
    def measure(self) -> str:
        """What `evaluate` counts, as a hint says it; empty if it counts nothing."""
        return ""

    def __repr__(self) -> str:
        return f"<bot {self.name}>"


# Bots by name

#: Bots by game, the best one last, with the modules that register them when they are first asked for.
_HOMES: Final = {
    "bazar": {
        "quick": "tradekit.bazar.simple_bots",
        "patient": "tradekit.bazar.simple_bots",
        "chain": "tradekit.bazar.bots",
        "policy": "tradekit.bazar.bots",
    },
    "bazar-alone": {"solo": "tradekit.bazar.open_bazaar_solver"},
    "turin": {"equilibrium": "tradekit.turin.bots", "value": "tradekit.turin.bots"},
    "silk": {"sale": "tradekit.silk.bots", "planner": "tradekit.silk.bots"},
}
#: By game and bot: how many games of 100 it won against which other, at a table of two. Measured: see docs/bots.md.
_WINS: Final = {
    "bazar": {
        "policy": (77, "chain"),
        "chain": (23, "policy"),
        "quick": (38, "chain"),
        "patient": (26, "chain"),
        "search": (6, "chain"),
        "random": (0, "chain"),
    },
    "turin": {
        "value": (75, "equilibrium"),
        "equilibrium": (25, "value"),
        "search": (5, "value"),
        "random": (2, "value"),
    },
    "silk": {"planner": (72, "sale"), "sale": (28, "planner"), "search": (0, "sale"), "random": (0, "sale")},
}
_BEST_OF_MORE: Final = {"turin": "equilibrium"}  #: where another bot is the best at tables of three and more
_BOTS: dict[str, type[Bot]] = {}
_B = TypeVar("_B", bound=type[Bot])


def register(bot: _B) -> _B:
    """Make a class of bots known by its name; a decorator.

    Registered again, as by a notebook cell that is run again, it takes the place of the one before.

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
    homes = {module for bots in _HOMES.values() for name, module in bots.items() if name == bot.name}
    known = _BOTS.get(bot.name)
    taken = known is not None and (known.__module__, known.__qualname__) != (bot.__module__, bot.__qualname__)
    if taken or (homes and bot.__module__ not in homes):
        raise ValueError(_("Bot name {name!r} is taken; a bot needs a name of its own").format(name=bot.name))
    _BOTS[bot.name] = bot
    return bot


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
def names(game: str | None = None) -> tuple[str, ...]:
    """The names of all bots, or of those that play a game, sorted.

    >>> names("bazar")
    ('chain', 'patient', 'policy', 'quick', 'random', 'search')
    """
    at_home = {name for home, bots in _HOMES.items() if game in (None, home) for name in bots}
    known = {name for name, bot in _BOTS.items() if game is None or not bot.games or game in bot.games}
    return tuple(sorted(at_home | known))


@checked
def make(bot: str | Bot, **options: Any) -> Bot:
    """The bot of that name, made with these options; one that is made already is handed back.

    Raises `ValueError` that says which bots there are.

    >>> make("search", iterations=50)
    <bot search>
    """
    if isinstance(bot, Bot):
        if options:
            raise ValueError(_("bot {name!r} is made already and takes no options").format(name=bot.name))
        return bot
    if not isinstance(bot, str):
        raise ValueError(
            _("{bot!r} is not a bot: give the name of one, or a Bot such as make('random')").format(bot=bot)
        )
    for bots in _HOMES.values():
        if bot in bots and bot not in _BOTS:
            import_module(bots[bot])
    if bot not in _BOTS:
        raise ValueError(_("there is no bot {name!r}; there are {there}").format(name=bot, there=", ".join(names())))
    takes = signature(_BOTS[bot]).parameters
    if unknown := options.keys() - takes.keys():
        message = _("Bot {bot!r} has no option {name!r}; choose one of: {there}")
        raise ValueError(message.format(bot=bot, name=min(unknown), there=", ".join(takes)))
    return _BOTS[bot](**options)


@checked
def opponent(game: str, players: int = 2) -> str:
    """Whom a person meets who names nobody, and whom a hint is asked of: the game's best bot, or else search.

    >>> opponent("bazar"), opponent("turin"), opponent("turin", 3), opponent("a game of your own")
    ('policy', 'value', 'equilibrium', 'search')
    """
    if players > 2 and game in _BEST_OF_MORE:
        return _BEST_OF_MORE[game]
    return list(_HOMES.get(game, {"search": ""}))[-1]


@checked
def strength(bot: str, game: str) -> str:
    """How strong the bot of that name is in a game, in words; nothing where it was not measured.

    >>> strength("chain", "bazar")
    'wins 23 % against policy'
    """
    if bot not in _WINS.get(game, {}):
        return ""
    wins, other = _WINS[game][bot]
    return _("wins {n} % against {bot}").format(n=wins, bot=other)


@checked
def finish(record: Record, players: Sequence[str | Bot], seed: int = 0) -> Record:
    """The record with its game played to the end, a bot on each seat; equal seeds give equal games.

    >>> from tradekit import Record, bazar
    >>> finish(Record.begin(bazar.new(cards=(1, 4))), ["random", "chain"], seed=2).state().winners()
    (1,)
    """
    bots = [*map(make, items(players, "players", example="('chain', 'random')"))]
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
        record = record.then(action, actor)
    return record


# Bots for any game


@register
class RandomBot(Bot):
    """Takes any action, as `Actions.sample` draws it."""

    name = "random"

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:  # noqa: D102  (the class says it)
        return actions.sample(rng)


class Stop(Protocol):
    """What can tell a search to end, such as a `threading.Event`.

    >>> from threading import Event
    >>> end = Event()
    >>> end.set()
    >>> end.is_set()  # a search whose `stop` it is answers with what it has found
    True
    """

    def is_set(self) -> bool:
        """Whether it is to end."""
        ...


class Estimate(NamedTuple):
    """What a search found out about an action."""

    share: float  #: of wins, 0 to 1; a win that is shared counts in part
    visits: int  #: in so many plays


class _Node:
    """A point of the tree: how often it was met and could have been, and what its actor got in all."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = self.available = 0
        self.total = 0.0
        self.children: dict[tuple[int, Action], _Node] = {}


@register
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
        """What the plays say of each action; actions that no play tried are missing.

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
    """Who is taken to act next: `first` if it may, for at a simultaneous moment the order must not tell anything."""
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
