"""Learning to bid: three rules play the games of `finite` again and again, and one sees how far from equilibrium.

Each step every bidder knows what each bid would have earned on average against the others' present strategies. What
the rules make of it:

- fictitious play (Brown 1951): the best reply to the others' average so far;
- regret matching (Hart and Mas-Colell 2000): bids in proportion to what they would have earned more so far;
- replicator dynamics (Taylor and Jonker 1978): bids that earn more than the average are made more often.

None of them knows a formula, and none must come to rest: often only the average over time goes near an equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from tradekit._utils.arguments import checked, generator, need_at_least, whole
from tradekit._utils.numerals import plain
from tradekit.auctions.rank_games import Game
from tradekit.auctions.values import Floats
from tradekit.auctions.whole_bids import NOTHING, Method
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

Rule = Callable[[Game, Floats], Iterator[Floats]]  #: the strategies of the steps after a first one, without an end

_EQUAL: Final = 1e-9  # payoffs nearer than this are equal
_PACE: Final = 0.5  # of the replicator dynamics: the largest change of a logarithm in a step is about this


def fictitious_play(game: Game, strategy: Floats) -> Iterator[Floats]:
    """Play the best response to the average so far; of several best bids each as often.

    Yields a strategy for each step after the first one, without an end, as all rules do.

    >>> from tradekit.auctions.formats import Format
    >>> from tradekit.auctions.rank_games import PrivateValues
    >>> game = PrivateValues.of(Format(step=1), range(4))  # first price, values and bids 0 to 3
    >>> next(fictitious_play(game, game.uniform())) @ game.bids  # what each value bids against any bids
    array([0., 0., 1., 1.])
    """
    average = strategy
    for step in count(2):
        payoffs = np.where(game.allowed, game.payoffs(average), -np.inf)
        reply = game.normalised(payoffs >= payoffs.max(axis=1, keepdims=True) - _EQUAL)
        average = average + (reply - average) / step
        yield reply


def regret_matching(game: Game, strategy: Floats) -> Iterator[Floats]:
    """Make bids in proportion to their regrets, the negative ones counted as 0.

    >>> from tradekit.auctions.formats import Format
    >>> from tradekit.auctions.rank_games import PrivateValues
    >>> game = PrivateValues.of(Format(step=1), range(4))
    >>> next(regret_matching(game, game.uniform()))[3].tolist()  # the value 3: 1 would have earned most, then 2
    [0.0, 0.625, 0.375, 0.0]
    """
    regrets = np.zeros(strategy.shape)
    while True:
        payoffs = game.payoffs(strategy)
        missed = payoffs - (strategy * payoffs).sum(axis=1, keepdims=True)
        regrets += np.where(np.abs(missed) <= NOTHING * game.values.max(), 0, missed)
        strategy = game.normalised(np.maximum(regrets, 0))
        yield strategy


def replicator(game: Game, strategy: Floats) -> Iterator[Floats]:
    """Let a bid's probability grow at the rate by which it earns more than the average.

    >>> from tradekit.auctions.formats import Format
    >>> from tradekit.auctions.rank_games import PrivateValues
    >>> game = PrivateValues.of(Format(step=1), range(4))
    >>> next(replicator(game, game.uniform()))[3].round(2)  # no bid is ever given up
    array([0.25, 0.26, 0.26, 0.23])
    """
    pace = _PACE / max(1.0, float(game.values.max()) * game.format.prizes[0])
    while True:
        payoffs = game.payoffs(strategy)
        best = np.where(game.allowed, payoffs, -np.inf).max(axis=1, keepdims=True)
        strategy = game.normalised(strategy * np.exp(pace * np.minimum(payoffs - best, 0)))
        yield strategy


#: The rules by name; a rule of your own can be given beside them.
RULES: Final[Mapping[str, Rule]] = {
    "fictitious play": fictitious_play,
    "regret matching": regret_matching,
    "replicator dynamics": replicator,
}


@dataclass(frozen=True, eq=False, repr=False)
class Learning:
    """The result of learning: made by `learn`, drawn by `charts.learning`.

    >>> from tradekit.auctions.formats import Format
    >>> from tradekit.auctions.rank_games import PrivateValues
    >>> seen = learn(PrivateValues.of(Format(step=1), range(4)), "fictitious play", steps=100, moments=3)
    >>> seen.mean_bids().pivot(index="step", columns="value", values="mean_bid").round(1)
    value  0.0  1.0  2.0  3.0
    step
    1      0.2  0.7  1.1  1.1
    10     0.0  0.1  1.0  1.0
    100    0.0  0.0  1.0  1.0
    >>> seen.bids().query("step == 100")["probability"].round(1).tolist()
    [0.5, 0.5, 0.0, 0.0]
    >>> seen.to_frame().query("step == 100 and value == 3")["probability"].round(1).tolist()
    [0.0, 1.0, 0.0, 0.0]
    """

    game: Game
    frame: pd.DataFrame  #: by moment, rule and profile ("average", "last"): gains, revenue, share of odd bids
    strategies: Mapping[tuple[str, int], Floats]  #: the average strategy by rule and step

    def __repr__(self) -> str:
        last = self.frame[self.frame["step"] == self.frame["step"].max()].query("profile == 'average'")
        far = ", ".join(f"{rule} {x:.2g}" for rule, x in zip(last["rule"], last["exploitability"], strict=True))
        told = _("exploitability after {n} steps: {far} (a solution's target: {target:g})")
        return "<Learning: " + told.format(n=last["step"].max(), far=far, target=Method.target) + ">"

    def to_frame(self) -> pd.DataFrame:
        """Return the average strategies in long format: a row for each rule, kept step, value (or player) and bid.

        Columns: ``moment`` (the number of the kept step, from 0), ``step, rule, value`` (or ``player``), ``bid,
        probability``.
        """
        return self._frame(lambda strategy: strategy.ravel(), "probability", self.game.labels, self.game.bids)

    def bids(self) -> pd.DataFrame:
        """Return the frequency of each bid over all values or players: a row for each rule, kept step and bid.

        Columns: ``moment, step, rule, bid, probability``.
        """
        return self._frame(lambda strategy: self.game.weights @ strategy, "probability", None, self.game.bids)

    def mean_bids(self) -> pd.DataFrame:
        """Return the mean bid: a row for each rule, kept step and value (or player).

        Columns: ``moment, step, rule, value`` (or ``player``), ``mean_bid``.
        """
        bids = np.nan_to_num(self.game.bids)
        return self._frame(lambda strategy: strategy @ bids, "mean_bid", self.game.labels, None)

    def _frame(
        self,
        measure: Callable[[Floats], Floats],
        name: str,
        rows: tuple[str, npt.NDArray[np.generic]] | None,
        bids: Floats | None,
    ) -> pd.DataFrame:
        import pandas as pd

        steps = sorted({step for _rule, step in self.strategies})
        axes = [rows] if rows else []
        axes += [("bid", bids)] if bids is not None else []
        index = pd.MultiIndex.from_product([axis for _name, axis in axes], names=[name for name, _axis in axes])
        parts = []
        for (rule, step), strategy in self.strategies.items():
            part = index.to_frame(index=False).assign(moment=steps.index(step), step=step, rule=rule)
            parts.append(part.assign(**{name: measure(strategy)}))
        frame = pd.concat(parts, ignore_index=True)
        return frame[["moment", "step", "rule", *index.names, name]]


@checked(steps=whole(1, 10_000_000), moments=whole(1, 100_000))
def learn(
    game: Game,
    rules: Iterable[str] | Mapping[str, Rule] = tuple(RULES),
    steps: int = 1000,
    moments: int = 40,
    seed: int = 0,
) -> Learning:
    """Let each rule play a game against itself, from the same random strategy.

    `game`: that of a solution (`format.solve(...).game`), or `PrivateValues.of(...)`. It is looked at at up to so many
    `moments`, close together at first: at the last strategy, and at the average of all so far. Raises `ValueError` for
    a rule that is not there, and for fewer than one step or moment.

    >>> from tradekit.auctions.formats import Format
    >>> from tradekit.auctions.rank_games import PrivateValues
    >>> seen = learn(PrivateValues.of(Format(step=1), range(6)), ["fictitious play"], steps=200)
    >>> first, *_, last = seen.frame.query("profile == 'average'")["exploitability"]
    >>> last < first / 10
    True
    """
    import pandas as pd

    need_at_least(1, steps=steps, moments=moments)
    kept = sorted({round(step) for step in np.geomspace(1, steps, moments).tolist()})
    start = game.normalised(generator(seed).random(game.allowed.shape))
    rows, strategies = [], {}
    for name, rule in _rules(rules).items():
        total = start.copy()
        for step, strategy in enumerate(islice(rule(game, start), steps), start=1):
            total += strategy
            if step in kept:
                strategies[name, step] = average = game.normalised(total)
                for profile, played in (("average", average), ("last", strategy)):
                    rows.append((kept.index(step), step, name, profile, *_measured(game, played)))
    columns = ["moment", "step", "rule", "profile", "exploitability", "gain", "revenue", "odd_share"]
    return Learning(game, pd.DataFrame(rows, columns=columns), strategies)


def _rules(rules: Iterable[str] | Mapping[str, Rule]) -> Mapping[str, Rule]:
    if isinstance(rules, Mapping):
        return rules
    rules = [rules] if isinstance(rules, str) else [*rules]
    if unknown := [rule for rule in rules if rule not in RULES]:
        raise ValueError(
            _("no rule {rule!r}; there are {rules}").format(rule=plain(unknown[0]), rules=", ".join(RULES))
        )
    return {rule: RULES[rule] for rule in rules}


def _measured(game: Game, strategy: Floats) -> tuple[float, float, float, float]:
    gains = game.gains(strategy)
    return float(game.weights @ gains), float(gains.max()), game.revenue(strategy), game.odd_share(strategy)
