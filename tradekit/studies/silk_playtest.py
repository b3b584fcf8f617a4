"""The playtest of The Silk Road (SI-74): the points that its author lists for study, tested with bots.

An experiment changes one option of the rules, or lets one of three at a table play differently from the two others, and
fixes the luck: under every value of the option the games of a round meet the same cards. Each measure is a mean, or a
ratio of two, with a 95% interval over the rounds, and its change from the rules as written with an interval of its own.

The tables: three bots alike (`planner`, or `sale`, which plays ten games in the same time), or an odd one that does
something differently or not at all, next to two ordinary bots. If the market or the pile is the point, nobody makes
offers.
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
from tradekit.silk.parameters import TRADERS, Parameters, Step
from tradekit.studies import Row, Study
from tradekit.studies.rounds import NUMBERS, Rounds, difference, ratio, sums_by
from tradekit.tournament import Played

if TYPE_CHECKING:
    import pandas as pd

_SEED: Final = 74
_LOOK_EVERY: Final = 8  #: turns between two searches for an exchange
_QUARTERS: Final = 4
_LOW: Final = 1  #: most cards shown by a pile that the author calls low
_LARGE: Final = 10  #: numbers from which a column shows one decimal; otherwise two
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


# Bots that play differently


class Without(bots.Bot):
    """A bot that plays as another does, but without some kinds of action, unless nothing else is left.

    >>> Without("bribe", "audience").without
    ('bribe', 'audience')
    """

    name = "without"
    games = ("silk",)
    deterministic = True

    def __init__(self, *without: str, bot: str | bots.Bot = "planner") -> None:
        self.without, self.bot = without, bots.make(bot, game="silk")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """Return the remaining action that the other bot values most."""
        worths = self.bot.evaluate(view, actions, rng)
        left = [action for action in worths if action.split()[0] not in self.without]
        return ties.best(left or worths, key=worths.__getitem__)


class Selling(bots.Bot):
    """A bot that sells when and what another would, but with the `cheapest` or the most valuable cards of that good."""

    name = "selling"
    games = ("silk",)
    deterministic = True

    def __init__(self, cheapest: bool, bot: str | bots.Bot = "planner") -> None:
        self.cheapest, self.bot = cheapest, bots.make(bot, game="silk")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """Return the other bot's action, a sale with other cards."""
        action = self.bot.choose(view, actions, rng)
        if not action.startswith("sell "):
            return action
        sold = read(action.removeprefix("sell "))
        state = cast(silk.State, view.known)
        held = numbers(state.hands[state.mover] & ONE_GOOD << VALUES * good_of(lowest(sold)))
        n = sold.bit_count()
        return Action(f"sell {text(cards_of(held[:n] if self.cheapest else held[-n:]))}")


class Hurrying(bots.Bot):
    """A bot that passes while it is ahead of all others by `lead` dinars, and otherwise plays as another bot does."""

    name = "hurrying"
    games = ("silk",)
    deterministic = True

    def __init__(self, lead: int = 5, bot: str | bots.Bot = "planner") -> None:
        self.lead, self.bot = lead, bots.make(bot, game="silk")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """Return ``pass``, which discards cards of the pile (SI-41), or the other bot's action."""
        state = cast(silk.State, view.known)
        if state.step is Step.TURN and not state.closed and _ahead(state, view.player) >= self.lead:
            return Action("pass")
        return self.bot.choose(view, actions, rng)


def _ahead(state: silk.State, player: int) -> int:
    """Return the lead, in dinars, of a player over the best of the others."""
    return state.dinars[player] - max(dinars for other, dinars in enumerate(state.dinars) if other != player)


# The experiments

_WRITTEN: Final = silk.Rules()
_PLAYERS: Final = 3
#: Values of each option, as in the table; ``players`` is an option too, and "nothing" changes nothing.
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
    """Return the bots at each table: one kind on all seats, or an odd one and another kind on the two other seats."""
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


#: Measures by name: the column that is added up, and the one that it is divided by.
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
#: Measures by option at tables of bots alike, and by option at other tables.
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


def play(option: str, table: str, games: int) -> Sequence[Row]:
    """Return an experiment: `games` under every value of an option, at one table; one row per value and measure.

    Columns: ``value, measure, mean, low, high``, and ``change, change_low, change_high`` from the rules as written. The
    intervals are of 95%.
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
    """Return a mean, with its interval cut to possible values: a share is at most 1, only a margin can be negative."""
    mean, low, high = ratio(rounds)
    if measure == "wins":  # all rounds may be alike, which leaves a tournament's interval some width
        low, high = tournament.interval([[won / games for won, games in rounds]])
    return mean, low if measure == "margin" else max(low, 0.0), min(high, 1.0) if measure in _SHARES else high


@lru_cache(maxsize=4)  # the rules as written are a value of every option
def _tournament(table: str, games: int, changed: tuple[str, Any] | None) -> pd.DataFrame:
    """Return the counts of games at a table, with one option of the rules changed or none."""
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
    """Return the results: one row per table (all that have the measure, if none is named) and value of an option.

    Columns: ``table, value, games, mean, low, high, change, change_low, change_high``. Raises `ValueError` for a
    combination that was not measured.

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
    """Return several measures in readable form: one row per table and value, numbers with their 95% intervals.

    With `change` the numbers are changes from the rules as written, which then have no row.

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
    """Return numbers with their intervals, all with the same decimals; an interval stays on one line."""
    digits = 1 if any(abs(number) >= _LARGE for row in rows for number in row) else 2
    texts = [[f"{ties.settled(number):z.{digits}f}" for number in row] for row in rows]  # z: no "-0.0"
    interval = _("({low} to {high})").replace(" ", _NO_BREAK)
    return [f"{number} {interval.format(low=low, high=high)}" for number, low, high in texts]


#: The author's points, in his words, and the most telling number for each: option, value, table and measure.
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
    """Return one row per point of the author: one number with its interval, or its change if a rule was changed."""
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
    """Return one row per game, played with ``records=True``: the counts of `silk.game_stats`, its ``round``, and more.

    - Sales: ``cards`` and ``points`` sold, ``single`` ones of one card, dinars of the ``bonus``, and ``opening``, the
      income from the best sales of all players in their first turns.
    - Payments: ``bribes by safeguard``, ``audiences by safeguards``.
    - Passes: those by a player who was ``ahead``.
    - The row: ``low 1`` to ``low 4``, piles that showed 0 or 1 when a turn began, by quarters of the game.
    - The pile: ``reshuffled``, cards of the second one.
    - Exchanges: ``rise``, by how many dinars they raised the best sales of the two, and ``both``, how often both rose;
      ``looks``, in every eighth turn and with open hands, for an exchange of two cards for two that would raise both,
      and the ``chances`` found.
    - An odd bot, if there is one: its ``wins`` (its share of the win), and its ``margin``, its dinars minus the mean of
      the others'.
    - Also ``decisions``, ``seats``, and ``games``, which is 1.
    """
    import pandas as pd

    records = [cast(Record, game.record) for game in games]
    sales = silk.income(records)
    sales["single"] = sales["demand"] == 1
    sold = sales.groupby("game").agg(
        cards=("demand", "sum"), points=("sum", "sum"), bonus=("bonus", "sum"), single=("single", "sum")
    )
    more = pd.DataFrame([_counted(game) for game in games])
    return pd.concat([silk.game_stats(records), sold, more], axis=1).fillna(dict.fromkeys(sold.columns, 0))


def _counted(game: Played) -> dict[str, float]:
    """Return what `counts` adds to the library's counts of a game."""
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
    """Yield the quarters of a list; an empty quarter gets the nearest item instead."""
    ends = [len(values) * n // _QUARTERS for n in range(_QUARTERS + 1)]
    return (values[begin : max(end, begin + 1)] or values[-1:] or [0] for begin, end in pairwise(ends))


def best_sale(state: silk.State, player: int, hand: Cards) -> int:
    """Return the dinars of the best sale of a hand in the present market, 0 if there is none (SI-20, SI-21, SI-32)."""
    barred = state.marker[2:] if state.marker and state.marker[1] != player else ()
    best = _best(state.parameters)
    return max(
        0 if good in barred else best[demand][hand >> VALUES * good & ONE_GOOD]
        for good, demand in enumerate(state.market.demands)
    )


@lru_cache(maxsize=16)
def _best(parameters: Parameters) -> list[list[int]]:
    from tradekit.silk.sale_odds import best_sales

    found: list[list[int]] = best_sales(parameters).tolist()
    return found


def _rises(before: silk.State, after: silk.State) -> tuple[int, int]:
    """Return by how many dinars an exchange raised the best sale of the player on turn and of the partner."""
    one, other = (
        best_sale(before, player, after.hands[player]) - best_sale(before, player, before.hands[player])
        for player in (before.turn, before.partner)
    )
    return one, other


def both_could_gain(state: silk.State) -> bool:
    """Return whether the player on turn and another can exchange two cards for two so that both their best sales rise.

    All hands are examined, which no player could do.
    """
    me, hands = state.turn, state.hands[: state.players]
    if hands[me].bit_count() < TRADERS:
        return False

    def rises(player: int, kept: Cards, more: Cards) -> bool:
        return best_sale(state, player, kept | more) > best_sale(state, player, hands[player])

    def wanted(player: int, giver: int) -> list[Cards]:  # skips cards that would not help even for nothing
        pairs = map(cards_of, combinations(numbers(hands[giver]), 2))
        return [pair for pair in pairs if rises(player, hands[player], pair)]

    return any(
        rises(me, hands[me] & ~given, got) and rises(partner, hands[partner] & ~got, given)
        for partner in range(state.players)
        if partner != me and hands[partner].bit_count() >= TRADERS
        for given, got in product(wanted(partner, me), wanted(me, partner))
    )
