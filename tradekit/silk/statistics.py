"""Statistics of finished games: dinars by sale, demand and bonus, and raids, with either reading of SI-24 (SI-73)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, nan, sqrt
from statistics import stdev
from typing import TYPE_CHECKING, Any, Final

from tradekit import tournament
from tradekit._utils.arguments import checked, whole
from tradekit.bots import Bot
from tradekit.game import CHANCE
from tradekit.record import Record
from tradekit.show.names import name_of
from tradekit.silk import notation
from tradekit.silk.cards import GOODS, good_of, lowest, read, worth
from tradekit.silk.demand import states_of
from tradekit.silk.parameters import RICH_SALE, Step
from tradekit.silk.rules import State

if TYPE_CHECKING:
    import pandas as pd

#: Columns of counts per game, with the first words of the actions counted.
_COUNTED: Final = {
    "bribes": "bribe", "audiences": "audience", "buys": "buy", "barters": "barter", "offers": "offer",
    "exchanges": "accept", "passes": "pass",
}  # fmt: skip


def games(
    bots: Sequence[str | Bot] | Mapping[str, str | Bot],
    number: int = 50,
    seed: int = 0,
    players: int = 3,
    **options: Any,
) -> list[Record]:
    """Play at least `number` games of bots and return their records.

    The number is rounded up so that each bot plays in every seat (`tournament.play`).

    >>> [record.state().actors for record in games(["random"], 3)]
    [(), (), ()]
    """
    result = tournament.play(
        notation.GAME, bots, number, seed, players=players, progress=False, records=True, **options
    )
    return [game.record for game in result.played if game.record is not None]


def income(records: Record | Iterable[Record]) -> pd.DataFrame:
    """Return the dinars of every sale of a player, one row per sale.

    Columns: ``game`` (its place among the records), ``move, player, name, good, demand, sum, bonus, dinars``, and
    ``hordes``: "" if the sale does not move them, "advance", or "attack" (SI-25). The `dinars` are one for each card of
    the `demand`, plus the `bonus` (SI-21). Sales of the neutral player bring nothing and are left out.

    >>> bool(income(games(["random"], 3)).eval("demand + bonus == dinars").all())
    True
    """
    import pandas as pd

    rows = []
    for game, record in enumerate(_listed(records)):
        states = states_of(record)
        for place, (before, (player, action), after) in enumerate(zip(states, record.moves, states[1:], strict=False)):
            if not action.startswith("sell ") or before.mover != before.turn:
                continue
            cards = read(action.removeprefix("sell "))
            dinars = after.dinars[player] - before.dinars[player]
            hordes = "" if dinars < RICH_SALE else "advance" if after.hordes else "attack"
            rows.append((
                game, place + 1, player, name_of(player, record.names), GOODS[good_of(lowest(cards))],
                cards.bit_count(), worth(cards), dinars - cards.bit_count(), dinars, hordes,
            ))  # fmt: skip
    columns = ["game", "move", "player", "name", "good", "demand", "sum", "bonus", "dinars", "hordes"]
    return pd.DataFrame(rows, columns=columns)


def income_shares(records: Record | Iterable[Record]) -> pd.DataFrame:
    """Return the share of all dinars by demand and bonus.

    The index is (demand, bonus); columns: ``sales``, ``dinars``, and ``share``, which adds up to 1.

    >>> parts = income_shares(games(["sale"], 2, seed=1))
    >>> [*parts], float(parts["share"].sum().round(6))
    (['sales', 'dinars', 'share'], 1.0)
    """
    sales = income(records)
    frame = sales.groupby(["demand", "bonus"]).agg(sales=("dinars", "size"), dinars=("dinars", "sum"))
    return frame.assign(share=frame["dinars"] / max(frame["dinars"].sum(), 1))


def game_stats(records: Record | Iterable[Record]) -> pd.DataFrame:
    """Return the counts of each game, one row per game.

    Columns: ``turns`` (including those of the neutral player); ``dinars`` of all players together and of the ``best``;
    ``sales`` of players; ``raids``; ``bribes, audiences, buys, barters, offers, exchanges, passes``, including the
    neutral player's; ``zeros`` and ``ones``, the mean number of piles that showed 0 and 1 when a turn began (SI-74).

    >>> game_stats(games(["sale"], 2, seed=1))[["turns", "dinars", "best", "raids"]]
          turns  dinars  best  raids
    game
    0        42      83    33      0
    1        52     101    39      0
    """
    import pandas as pd

    some = _listed(records)
    sales = income(some)
    rows = []
    for game, record in enumerate(some):
        states = states_of(record)
        verbs = Counter(action.split()[0] for actor, action in record.moves if actor != CHANCE)
        shown = [state.market.shown for state in _turns(states)]
        mine = sales[sales["game"] == game]
        rows.append({
            "turns": len(shown),
            "dinars": sum(states[-1].dinars),
            "best": max(states[-1].dinars),
            "sales": len(mine),
            "raids": int((mine["hordes"] == "attack").sum()),
            **{column: verbs[verb] for column, verb in _COUNTED.items()},
            "zeros": sum(row.count(0) for row in shown) / max(len(shown), 1),
            "ones": sum(row.count(1) for row in shown) / max(len(shown), 1),
        })  # fmt: skip
    return pd.DataFrame(rows).rename_axis("game")


@checked(number=whole(1, 10_000_000))
def compare_zero_rules(
    bots: Sequence[str | Bot] | Mapping[str, str | Bot],
    number: int = 50,
    seed: int = 0,
    players: int = 3,
    **options: Any,
) -> pd.DataFrame:
    """Compare games of the same bots with either reading of SI-24: one row for ``zeros`` "turn", one for "stay".

    Columns: the means of `game_stats` over the games; ``raids_low`` to ``raids_high``, the 95% interval of the mean of
    raids; ``from_1`` to ``from_4``, the share of all dinars from sales at each demand. With "stay" a 0 counts as 1.

    >>> compare_zero_rules(["sale"], number=2, seed=1)[["zeros", "ones"]].round(2)
           zeros  ones
    zeros
    turn    0.82  2.96
    stay    0.30  0.31
    """
    import pandas as pd

    rows: dict[str, dict[str, float]] = {}
    for zeros in ("turn", "stay"):
        records = games(bots, number, seed, players, zeros=zeros, **options)
        course = game_stats(records)
        dinars = income_shares(records)["dinars"].groupby("demand").sum()
        means = {str(column): fsum(course[column]) / len(course) for column in course}
        spread = stdev(course["raids"].tolist()) if len(course) > 1 else nan
        mean, half = means["raids"], tournament.Z * spread / sqrt(len(course))
        rows[zeros] = {
            **means,
            "raids_low": mean - half,
            "raids_high": mean + half,
            **{f"from_{demand}": dinars.get(demand, 0) / max(dinars.sum(), 1) for demand in range(1, 5)},
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("zeros")


def _listed(records: Record | Iterable[Record]) -> list[Record]:
    return [records] if isinstance(records, Record) else [*records]


def _turns(states: Sequence[State]) -> list[State]:
    """Return the first state of every turn of a player: its draw, or its action if no card is drawn (SI-6)."""
    own = [state.step if state.mover == state.turn else Step.OVER for state in states]
    return [
        state
        for state, step, last in zip(states, own, [Step.OVER, *own], strict=False)
        if step is Step.DRAW or (step is Step.TURN and last is not Step.DRAW)
    ]
