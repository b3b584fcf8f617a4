"""Many auctions with any strategies: arrays inside, a DataFrame out.

A strategy says what a type bids: an equilibrium, a function of an array of types, or a name. What people bid is a
strategy too: `recorded` looks it up in bids that were written down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from tradekit._utils.arguments import checked, generator, whole
from tradekit._utils.numerals import plain
from tradekit.auctions.common import CommonEquilibrium
from tradekit.auctions.equilibrium import Equilibrium
from tradekit.auctions.formats import Format
from tradekit.auctions.values import Distribution, Floats, Strategy, ValueModel, types_of
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

_BATCH: Final = 100_000  # rounds settled at once
_LONG: Final = 1_000_000  # bidder-draws from which a progress bar is shown


#: A strategy: its name, a function that gives the bids of types, or an equilibrium.
Choice = str | Strategy | Equilibrium | CommonEquilibrium
Strategies = Choice | Sequence[Choice]  #: one for all, or one for each bidder


@checked
def shading(share: float) -> Strategy:
    """Bid that share of what the prize seems to be worth. Raises `ValueError` for one that is not from 0 to 1.

    >>> shading(0.5)(np.array([0.8])).tolist()
    [0.4]
    """
    if not 0 <= share <= 1:
        raise ValueError(_("shading({share}): a share from 0 to 1 is needed").format(share=share))
    return lambda types: share * types


@checked
def recorded(values: Sequence[float], bids: Sequence[float]) -> Strategy:
    """Bid as people did: for each type the bid of the nearest recorded value.

    Raises `ValueError` unless there are as many bids as values, and one at least.

    >>> recorded([0, 0.5, 1], [0, 0.3, 0.6])(np.array([0.45, 0.9])).tolist()
    [0.3, 0.6]
    """
    known, said = np.asarray(values, float), np.asarray(bids, float)
    if known.shape != said.shape or known.ndim != 1 or not len(known):
        raise ValueError(_("recorded: as many bids as values are needed, and one at least"))
    order = np.argsort(known, kind="stable")
    known, said = known[order], said[order]
    borders = (known[1:] + known[:-1]) / 2
    return lambda types: said[np.searchsorted(borders, types)]


@checked(rounds=whole(1, 10_000_000))
def simulate(
    format: Format,
    strategies: Strategies,
    values: ValueModel | Distribution,
    rounds: int = 10_000,
    seed: int = 0,
    *,
    bidders: int | None = None,
    truncate: float | None = None,
    progress: bool | None = None,
) -> pd.DataFrame:
    """Simulate auctions of `format`, each bidder with a strategy: one row per bidder and round.

    `strategies`: one for each bidder, or one for all with `bidders`; "equilibrium" is the one of the format, "naive"
    bids what the prize seems to be worth, "shading" half of that. `values`: as for `equilibrium`, or values in common.
    The same `seed` gives the same auctions; ties are broken by coin. `progress` shows a bar, by default on long runs.

    Columns: ``round, bidder, type, worth, bid, award, pays, gains``: what the bidder knew, what a unit was worth, the
    bid (NaN: none), units won, money paid, and worth times units less that.

    >>> from tradekit.auctions import first_price, uniform
    >>> frame = simulate(first_price(), "equilibrium", uniform(), rounds=2000, bidders=2)
    >>> round(frame.groupby("round")["pays"].sum().mean(), 2)  # theory says a third
    np.float64(0.33)
    """
    import pandas as pd
    from tqdm.auto import tqdm

    if isinstance(strategies, Sequence) and not isinstance(strategies, str):
        given = list(strategies)
    elif bidders is None:
        raise ValueError(_("say how many bidders=... follow that strategy, or give a list of strategies"))
    else:
        given = [strategies] * bidders
    n = len(given)
    if bidders not in (None, n):
        raise ValueError(_("{n} strategies for {bidders} bidders").format(n=n, bidders=bidders))
    if n < 2 or rounds < 1:
        raise ValueError(_("two bidders and one round at least are needed, not {n} and {r}").format(n=n, r=rounds))
    types = types_of(values, truncate)
    rules = [_rule(strategy, format, n, types) for strategy in given]
    rng = generator(seed)
    table = {name: np.empty((rounds, n)) for name in ("type", "worth", "bid", "award", "pays")}
    show = n * rounds >= _LONG if progress is None else progress
    with tqdm(total=rounds, unit=_("auctions"), disable=not show, leave=False) as bar:
        for start in range(0, rounds, _BATCH):
            part = slice(start, min(start + _BATCH, rounds))
            known, worth = types.draw(rng, part.stop - start, n)
            bids = format.nearest(_bids(rules, known))
            awards, pays = format.payments(bids, rng)
            for name, column in zip(table, (known, worth, bids, awards, pays), strict=True):
                table[name][part] = column
            bar.update(part.stop - start)
    places = {"round": np.repeat(np.arange(rounds), n), "bidder": np.tile(np.arange(n), rounds)}
    frame = pd.DataFrame(places | {name: column.ravel() for name, column in table.items()}, copy=False)
    frame["gains"] = frame["worth"] * frame["award"] - frame["pays"]
    return frame


def _rule(strategy: Choice, format: Format, bidders: int, types: ValueModel) -> Strategy:
    named: dict[str, Callable[[], Choice]] = {
        "equilibrium": lambda: format.equilibrium(bidders, types),
        "naive": lambda: types.naive(bidders),
        "shading": lambda: _half(types.naive(bidders)),
    }
    if isinstance(strategy, str):
        if strategy not in named:
            there = ", ".join(map(repr, named))
            raise ValueError(_("there is no strategy {name!r}; there are {there}").format(name=strategy, there=there))
        strategy = named[strategy]()
    rule = strategy.strategy if isinstance(strategy, Equilibrium | CommonEquilibrium) else strategy
    if not callable(rule):
        raise ValueError(_("{strategy!r} is no strategy: a name, an equilibrium or a function of types").format(
            strategy=plain(strategy)
        ))  # fmt: skip
    return rule


def _half(rule: Strategy) -> Strategy:
    return lambda types: rule(types) / 2


def _bids(rules: list[Strategy], types: Floats) -> Floats:
    """Return the bids of each column's strategy; a strategy that all follow is asked once."""
    if all(rule is rules[0] for rule in rules):
        bids = np.asarray(rules[0](types), float)
    else:
        bids = np.stack([np.asarray(rule(types[:, n]), float) for n, rule in enumerate(rules)], axis=1)
    if bids.shape != types.shape:
        raise ValueError(_("a strategy must give a bid for each type: {types} in, {bids} out").format(
            types=types.shape, bids=bids.shape
        ))  # fmt: skip
    if (bids < 0).any():
        raise ValueError(
            _("a strategy bids {bid:g}; 0 or more is needed, or NaN for no bid").format(bid=np.nanmin(bids))
        )
    return bids
