"""The playtest of The Silk Road (SI-74): the points that its author lists for study, put to bots.

An experiment changes one option of the rules, or lets one of three at a table play otherwise than the two others, and
holds the luck: under every value of the option the games of a round meet the same cards. What is counted is a mean, or
a ratio of two, with a 95 % interval over the rounds, and its change from the rules as written with an interval of its
own.

The tables: three bots alike (`planner`, or `sale`, which plays ten games in the time of one), or an odd one that does
without something, or does it otherwise, beside two that do not. Where the market or the pile is the point nobody talks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import nan
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, cast

from tradekit import bots, silk, tournament
from tradekit._utils import ties
from tradekit.game import CHANCE, Action, Actions, View
from tradekit.i18n import _
from tradekit.record import Record
from tradekit.silk.cards import ONE_GOOD, VALUES, Cards, cards_of, good_of, lowest, numbers, read, text
from tradekit.silk.parameters import TRADERS, Setting, Step
from tradekit.studies import Study
from tradekit.studies.rounds import NUMBERS, Rounds, difference, ratio, sums_by
from tradekit.tournament import Played

if TYPE_CHECKING:
    import pandas as pd

_SEED: Final = 74
_LOOK_EVERY: Final = 8  #: turns from one look for an exchange to the next
_QUARTERS: Final = 4
_LOW: Final = 1  #: a pile that shows no more is what the author calls low
_LARGE: Final = 10  #: a column with numbers from here on is told to one decimal, any other to two
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


# Bots that do something otherwise


class Without(bots.Bot):
    """Plays as another bot does, but never does some kinds of action, unless nothing else is left.

    >>> Without("bribe", "audience").without
    ('bribe', 'audience')
    """

    name = "without"
    games = ("silk",)
    deterministic = True

    def __init__(self, *without: str, bot: str | bots.Bot = "planner") -> None:
        self.without, self.bot = without, bots.make(bot, game="silk")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """The action that the other bot holds to be worth most, of those that are left."""
        worths = self.bot.evaluate(view, actions, rng)
        left = [action for action in worths if action.split()[0] not in self.without]
        return ties.best(left or worths, key=worths.__getitem__)


class Selling(bots.Bot):
    """Sells when and what another bot would, but always the `cheapest` cards of that good, or always the dearest."""

    name = "selling"
    games = ("silk",)
    deterministic = True

    def __init__(self, cheapest: bool, bot: str | bots.Bot = "planner") -> None:
        self.cheapest, self.bot = cheapest, bots.make(bot, game="silk")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """The other bot's action, a sale with other cards."""
        action = self.bot.choose(view, actions, rng)
        if not action.startswith("sell "):
            return action
        sold = read(action.removeprefix("sell "))
        state = cast(silk.State, view.known)
        held = numbers(state.hands[state.mover] & ONE_GOOD << VALUES * good_of(lowest(sold)))
        n = sold.bit_count()
        return Action(f"sell {text(cards_of(held[:n] if self.cheapest else held[-n:]))}")


class Hurrying(bots.Bot):
    """Passes as long as it is ahead of all others by `lead` dinars, and else plays as another bot does."""

    name = "hurrying"
    games = ("silk",)
    deterministic = True

    def __init__(self, lead: int = 5, bot: str | bots.Bot = "planner") -> None:
        self.lead, self.bot = lead, bots.make(bot, game="silk")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """``pass``, which drops cards of the pile (SI-41), or the other bot's action."""
        state = cast(silk.State, view.known)
        if state.step is Step.TURN and not state.closed and _ahead(state, view.player) >= self.lead:
            return Action("pass")
        return self.bot.choose(view, actions, rng)


def _ahead(state: silk.State, player: int) -> int:
    """By how many dinars a player leads the best of the others."""
    return state.dinars[player] - max(dinars for other, dinars in enumerate(state.dinars) if other != player)


# The experiments

_WRITTEN: Final = silk.Rules()
_PLAYERS: Final = 3
#: By option its values, as they stand in the table; ``players`` is one, too, and "nothing" changes nothing.
VALUES_OF: Final[dict[str, dict[str, Any]]] = {
    "first_hand": {str(n): n for n in (3, 4, 5, 6, 7)},
    "bonus": {
        "none": ((1, 0),),
        "as written": _WRITTEN.bonus,
        "double": tuple((least, 2 * dinars) for least, dinars in _WRITTEN.bonus),
    },
    "zeros": {"turn": "turn", "stay": "stay"},
    "bribe": {str(n): n for n in (5, 7, 9, 11)},
    "audience": {str(n): n for n in (10, 14, 18)},
    "bought": {str(n): n for n in (1, 2)},
    "dropped": {str(n): n for n in (0, 3, 6)},
    "run_outs": {str(n): n for n in (1, 2, 3)},
    "players": {str(n): n for n in (2, 3, 4, 5)},
    "nothing": {"as written": None},
}
_AS_WRITTEN: Final = {option: getattr(_WRITTEN, option, None) for option in VALUES_OF} | {"players": _PLAYERS}
_BOTS: Final = ("planner", "sale")  #: the tables of bots alike
_TALK: Final = ("offer", "answer")


def _tables() -> dict[str, tuple[bots.Bot, ...]]:
    """Who sits at a table: one kind of bot on all seats, or one that is odd and another on the two other seats."""
    quiet = Without(*_TALK)
    planner, sale = (bots.make(bot, game="silk") for bot in ("planner", "sale"))
    return {
        "planner": (planner,),
        "sale": (sale,),
        "no talk": (quiet, planner),
        "no offers": (Without("offer"), planner),
        "no answers": (Without("answer"), planner),
        "cheapest": (Selling(True, quiet), Selling(False, quiet)),
        "cheapest, sale": (Selling(True, sale), Selling(False, sale)),
        "sells at once": (Without(*_TALK, bot=sale), quiet),
        "no bribes": (Without(*_TALK, "bribe"), quiet),
        "no audiences": (Without(*_TALK, "audience"), quiet),
        "no buys": (Without(*_TALK, "buy"), quiet),
        "no passes": (Without(*_TALK, "pass"), quiet),
        "hurries": (Hurrying(bot=quiet), quiet),
    }


#: What is counted, by its name: the column that is added up, and the one that it is divided by.
MEASURES: Final[dict[str, tuple[str, str]]] = {
    **{name: (name, "games") for name in (
        "turns", "decisions", "sales", "offers", "exchanges", "bribes", "audiences", "buys", "passes",
        "zeros", "ones", "low 1", "low 2", "low 3", "low 4", "raids", "reshuffled", "margin", "wins",
    )},
    "dinars a player": ("dinars", "seats"),
    "opening": ("opening", "seats"),
    "dinars a sale": ("dinars", "sales"),
    "cards a sale": ("cards", "sales"),
    "points a card": ("points", "cards"),
    "one-card sales": ("single", "sales"),
    "bonus": ("bonus", "dinars"),
    "agreed": ("exchanges", "offers"),
    "rise": ("rise", "exchanges"),
    "both rise": ("both", "exchanges"),
    "chances": ("chances", "looks"),
    "bribes by safeguard": ("bribes by safeguard", "bribes"),
    "audiences by safeguards": ("audiences by safeguards", "audiences"),
    "passes ahead": ("ahead", "passes"),
}  # fmt: skip
_SHARES: Final = ("one-card sales", "bonus", "agreed", "both rise", "chances", "bribes by safeguard",
                  "audiences by safeguards", "passes ahead", "wins")  # fmt: skip
_GAME: Final = ("turns", "decisions", "sales", "dinars a player")
_SALES: Final = ("dinars a sale", "cards a sale", "points a card", "one-card sales", "bonus")
_TALKS: Final = ("offers", "exchanges", "agreed", "rise", "both rise", "chances")
_ROW: Final = ("zeros", "ones", "low 1", "low 2", "low 3", "low 4")
#: By option what is counted at tables of bots alike, and by option what at others.
_ALIKE: Final[dict[str, tuple[str, ...]]] = {
    "first_hand": (*_GAME, "opening"),
    "bonus": (*_GAME, "raids", *_SALES, *_TALKS),
    "zeros": (*_GAME, *_ROW),
    "run_outs": (*_GAME, *_ROW, "reshuffled"),
    "players": (*_GAME, *_ROW, "reshuffled", "bribes", "audiences", "buys", "passes", "exchanges", "chances"),
}
_ODD: Final[dict[str, tuple[str, ...]]] = {
    "bonus": ("margin",),
    "bribe": ("margin", "bribes", "bribes by safeguard"),
    "audience": ("margin", "audiences", "audiences by safeguards"),
    "bought": ("margin", "buys"),
    "dropped": ("margin", "wins", "passes", "passes ahead", "turns"),
    "nothing": ("margin",),
}
#: The experiments, the longest first, so that two processes end at about the same time.
_EXPERIMENTS: Final = (
    ("first_hand", "planner", 24), ("players", "planner", 24), ("bonus", "no talk", 48), ("run_outs", "planner", 24),
    ("bonus", "planner", 24), ("zeros", "planner", 24), ("bribe", "no bribes", 90), ("audience", "no audiences", 90),
    ("bought", "no buys", 90), ("dropped", "no passes", 60), ("dropped", "hurries", 60), ("bonus", "cheapest", 60),
    ("bonus", "sells at once", 60), ("nothing", "no offers", 48), ("nothing", "no answers", 48),
    ("bonus", "cheapest, sale", 300), ("run_outs", "sale", 120), ("first_hand", "sale", 120), ("players", "sale", 120),
    ("bonus", "sale", 120), ("zeros", "sale", 120),
)  # fmt: skip


def play(option: str, table: str, games: int) -> list[dict[str, Any]]:
    """An experiment: `games` under every value of an option, at one of the tables; a row for every value and measure.

    Columns: ``value, measure, mean, low, high``, and ``change, change_low, change_high`` from the rules as written.
    The intervals are of 95 %.
    """
    written = next(value for value, meant in VALUES_OF[option].items() if meant == _AS_WRITTEN[option])
    counted = {
        value: _tournament(table, games, None if value == written else (option, meant))
        for value, meant in VALUES_OF[option].items()
    }
    rows = []
    for measure in (_ALIKE if table in _BOTS else _ODD)[option]:
        before = sums_by(counted[written], MEASURES[measure], "round")
        for value, frame in counted.items():
            now = sums_by(frame, MEASURES[measure], "round")
            change = (nan,) * 3 if value == written else difference(before, now)
            numbers = (*_mean(measure, now), *change)
            rows.append({"value": value, "measure": measure, **dict(zip(NUMBERS, numbers, strict=True))})
    return rows


def _mean(measure: str, rounds: Rounds) -> tuple[float, float, float]:
    """A mean, and what of its interval can be: a share is at most 1, and only a margin is below 0."""
    mean, low, high = ratio(rounds)
    if measure == "wins":  # they may be alike in all rounds, which leaves a tournament's interval some width
        low, high = tournament.interval([[won / games for won, games in rounds]])
    return mean, low if measure == "margin" else max(low, 0.0), min(high, 1.0) if measure in _SHARES else high


@lru_cache(maxsize=4)  # the rules as written are a value of every option
def _tournament(table: str, games: int, changed: tuple[str, Any] | None) -> pd.DataFrame:
    """What is counted in games at a table, with one option of the rules changed or none."""
    odd, *others = _tables()[table]
    seats = {"odd": odd, "one": others[0], "other": others[0]} if others else {table: odd}
    rules: dict[str, Any] = {"players": _PLAYERS} | dict([changed] if changed else [])
    return counts(tournament.play("silk", seats, games, _SEED, progress=False, records=True, **rules).played)


STUDY: Final = Study(
    "silk_playtest",
    "What do bots say about the points that the author of The Silk Road lists for study?",
    [{"option": option, "table": table, "games": games} for option, table, games in _EXPERIMENTS],
    play,
)


@lru_cache(maxsize=1)
def _kept() -> pd.DataFrame:
    return STUDY.load()


def kept(option: str, measure: str, *tables: str) -> pd.DataFrame:
    """What was found: a row for each table (all that have it, if none is named) and value of an option.

    Columns: ``table, value, games, mean, low, high, change, change_low, change_high``. Raises `ValueError` for what was
    not measured.

    >>> kept("players", "turns", "sale")["value"].tolist()
    ['2', '3', '4', '5']
    """
    frame = _kept()
    found = frame[(frame["option"] == option) & (frame["measure"] == measure)]
    missing = {*tables} - {*found["table"]}
    if found.empty or missing:
        message = _("{measure!r} by {option!r} was not measured at {tables}")
        raise ValueError(
            message.format(measure=measure, option=option, tables=", ".join(sorted(missing)) or _("any table"))
        )
    found = found[found["table"].isin(tables)] if tables else found
    return found[["table", "value", "games", *NUMBERS]].reset_index(drop=True)


def report(option: str, *measures: str, tables: Sequence[str] = (), change: bool = False) -> pd.DataFrame:
    """The same of several measures, to be read: a row a table and value, and numbers with their 95 % intervals.

    With `change` it is the changes from the rules as written, and those have no row.

    >>> report("run_outs", "turns", tables=["sale"], change=True).index.tolist()
    [('sale', '1'), ('sale', '3')]
    """
    import pandas as pd

    columns = [*(NUMBERS[3:] if change else NUMBERS[:3])]
    told = {}
    for measure in measures:
        found = kept(option, measure, *tables).set_index(["table", "value"])
        rows = found[columns].dropna()
        told[measure] = pd.Series(_told(rows.to_numpy().tolist()), rows.index, dtype=object)
    index = found.dropna(subset="change").index if change else found.index
    return pd.DataFrame(told, index).fillna("-").rename_axis(["table", option])


def _told(rows: Sequence[Sequence[float]]) -> list[str]:
    """Numbers with their intervals, all with as many decimals; an interval stays on one line."""
    digits = 1 if any(abs(number) >= _LARGE for row in rows for number in row) else 2
    texts = [[f"{ties.settled(number):z.{digits}f}" for number in row] for row in rows]  # z: no "-0.0"
    interval = _("({low} to {high})").replace(" ", _NO_BREAK)
    return [f"{number} {interval.format(low=low, high=high)}" for number, low, high in texts]


#: The author's points, by his words, and the number that says most about each: option, value, table and measure.
POINTS: Final = {
    "Mano inicial": ("first_hand", "3", "planner", "opening"),
    "Que se comercie": ("bonus", "none", "planner", "exchanges"),
    "Vender lo más barato": ("bonus", "as written", "cheapest, sale", "margin"),
    "Baja demanda": ("zeros", "turn", "planner", "low 4"),
    "Sobornos": ("bribe", "7", "no bribes", "margin"),
    "El Gran Visir": ("audience", "14", "no audiences", "margin"),
    "Comprar": ("bought", "1", "no buys", "margin"),
    "Pasar": ("dropped", "3", "hurries", "margin"),
    "Duración": ("run_outs", "1", "planner", "turns"),
}


def points() -> pd.DataFrame:
    """A row for each of the author's points: one number with its interval, or its change where a rule was changed."""
    import pandas as pd

    rows = []
    for option, value, table, measure in POINTS.values():
        changed = report(option, measure, tables=[table], change=True)
        found = changed if (table, value) in changed.index else report(option, measure, tables=[table])
        what = _("change of {measure}") if found is changed else "{measure}"
        rows.append((f"{option}: {value}", table, what.format(measure=measure), found.loc[(table, value), measure]))
    return pd.DataFrame(rows, [*POINTS], ["rule", "table", "what", "number"])


# Counting


def counts(games: Sequence[Played]) -> pd.DataFrame:
    """A row a game, played with ``records=True``: what `silk.courses` counts, its ``round``, and what else is asked.

    Of sales: ``cards`` and ``points`` sold, ``single`` ones of one card, dinars of the ``bonus``, and ``opening``, what
    the best sales of all players would bring in their first turns. Of payments: ``bribes by safeguard``, ``audiences by
    safeguards``. Of passes: those of who was ``ahead``. Of the row: ``low 1`` to ``low 4``, piles that showed 0 or 1
    when a turn began, by quarters of the game. Of the pile: ``reshuffled``, cards of the second one. Of exchanges:
    ``rise``, by how many dinars they raised the best sales of the two, and ``both``, how often both rose; ``looks``, in
    every eighth turn and with open hands, for an exchange of two cards for two that would raise both, and the
    ``chances`` found. Where there is an odd one, its ``wins`` (its share of the win), and its ``margin``, its dinars
    less the mean of the others'. Also ``decisions``, ``seats``, and ``games``, which is 1.
    """
    import pandas as pd

    records = [cast(Record, game.record) for game in games]
    sales = silk.takings(records)
    sales["single"] = sales["demand"] == 1
    sold = sales.groupby("game").agg(
        cards=("demand", "sum"), points=("sum", "sum"), bonus=("bonus", "sum"), single=("single", "sum")
    )
    more = pd.DataFrame([_counted(game) for game in games])
    return pd.concat([silk.courses(records), sold, more], axis=1).fillna(dict.fromkeys(sold.columns, 0))


def _counted(game: Played) -> dict[str, float]:
    """What `counts` adds of a game to what the library counts."""
    record = cast(Record, game.record)
    states = [cast(silk.State, state) for state in record.states()]
    begins = [
        place for place, (last, state) in enumerate(pairwise(states), 1)
        if state.step in (Step.DRAW, Step.TURN) and last.step is not Step.DRAW and state.mover == state.turn
    ]  # fmt: skip
    low = [sum(shown <= _LOW for shown in states[place].market.shown) for place in begins]
    found = {f"low {n + 1}": fmean(part) for n, part in enumerate(_parts(low))}
    actions = [action for actor, action in record.moves if actor != CHANCE]
    found |= {
        "round": game.round,
        "games": 1,
        "decisions": game.decisions,
        "seats": len(game.scores),
        "bribes by safeguard": sum(action.startswith("bribe") and action.endswith("safeguard") for action in actions),
        "audiences by safeguards": sum(action.endswith("with safeguards") for action in actions),
        "ahead": sum(
            action == "pass" and _ahead(before, player) > 0
            for before, (player, action) in zip(states, record.moves, strict=False)
        ),
    }
    openings = {
        state.turn: state for state in reversed(states) if state.step is Step.TURN and state.mover == state.turn
    }
    found["opening"] = sum(best_sale(state, player, state.hands[player]) for player, state in openings.items())
    found["reshuffled"] = next((state.pile for state in states if state.ran_out), 0)
    rises = [
        _rises(before, after)
        for before, after, move in zip(states, states[1:], record.moves, strict=False)
        if move.action == "accept"
    ]
    found |= {"rise": sum(map(sum, rises)), "both": sum(min(rise) > 0 for rise in rises)}
    open_ = [state for state in states if state.step is Step.TURN and state.mover == state.turn and not state.closed]
    looks = open_[::_LOOK_EVERY]
    found |= {"looks": len(looks), "chances": sum(map(both_could_gain, looks))}
    if "odd" in game.bots:
        seat = game.bots.index("odd")
        found["wins"] = game.shares[seat]
        found["margin"] = game.scores[seat] - fmean(score for n, score in enumerate(game.scores) if n != seat)
    return found


def _parts(values: list[int]) -> Iterator[list[int]]:
    """Quarters of a list; one that would be empty has what is nearest."""
    ends = [len(values) * n // _QUARTERS for n in range(_QUARTERS + 1)]
    return (values[begin : max(end, begin + 1)] or values[-1:] or [0] for begin, end in pairwise(ends))


def best_sale(state: silk.State, player: int, hand: Cards) -> int:
    """The dinars of the best sale of a hand in the market as it is, 0 if there is none (SI-20, SI-21, SI-32)."""
    barred = state.marker[2:] if state.marker and state.marker[1] != player else ()
    best = _best(state.setting)
    return max(
        0 if good in barred else best[demand][hand >> VALUES * good & ONE_GOOD]
        for good, demand in enumerate(state.market.demands)
    )


@lru_cache(maxsize=16)
def _best(setting: Setting) -> list[list[int]]:
    from tradekit.silk.sale_odds import best_sales

    found: list[list[int]] = best_sales(setting).tolist()
    return found


def _rises(before: silk.State, after: silk.State) -> tuple[int, int]:
    """By how many dinars an exchange raised the best sale of the one on turn and of the partner."""
    one, other = (
        best_sale(before, player, after.hands[player]) - best_sale(before, player, before.hands[player])
        for player in (before.turn, before.partner)
    )
    return one, other


def both_could_gain(state: silk.State) -> bool:
    """Whether the one on turn and somebody else can exchange two cards for two so that both their best sales rise.

    All hands are looked into, which no player could do.
    """
    me, hands = state.turn, state.hands[: state.players]
    if hands[me].bit_count() < TRADERS:
        return False

    def rises(player: int, kept: Cards, more: Cards) -> bool:
        return best_sale(state, player, kept | more) > best_sale(state, player, hands[player])

    def wanted(player: int, giver: int) -> list[Cards]:  # what would not help even for nothing is left out
        pairs = map(cards_of, combinations(numbers(hands[giver]), 2))
        return [pair for pair in pairs if rises(player, hands[player], pair)]

    return any(
        rises(me, hands[me] & ~given, got) and rises(partner, hands[partner] & ~got, given)
        for partner in range(state.players)
        if partner != me and hands[partner].bit_count() >= TRADERS
        for given, got in product(wanted(partner, me), wanted(me, partner))
    )
