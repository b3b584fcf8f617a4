"""The checks of the notebooks' exercises: `check("02.1", answer)`.

A check computes the right answer with the library when it is asked, so there is nothing to peek at. It accepts equal
forms, says right or wrong with one hint that leads on, and never raises. None means "not answered yet".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, Literal

from tradekit import auctions
from tradekit.bazar import Chain, Equation, Exchange, Prices, Stones
from tradekit.bazar import view as bazar_view
from tradekit.i18n import _

Status = Literal["right", "wrong", "not answered yet"]
_SIGNS: Final[dict[Status, str]] = {"right": "✓", "wrong": "✗", "not answered yet": "…"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check says: its status and, where it helps, a hint."""

    status: Status
    message: str

    def __bool__(self) -> bool:
        return self.status == "right"

    def __repr__(self) -> str:
        return f"{_SIGNS[self.status]} {self.message}"

    def _repr_html_(self) -> str:
        kind = {"right": "tk-good", "wrong": "tk-bad", "not answered yet": "tk-quiet"}[self.status]
        return bazar_view.page(f'<div class="{kind}" role="status">{bazar_view.text(repr(self))}</div>')


#: An exercise: says whether an answer is right, and the hint for a wrong one.
Exercise = Callable[[Any], tuple[bool, str]]
_EXERCISES: dict[str, Exercise] = {}


def check(exercise: str, answer: Any) -> Verdict:
    """Whether `answer` solves an exercise, named as in its notebook ("02.1").

    >>> check("01.1", None)
    … 01.1 is not answered yet: put your answer in place of None.
    """
    if exercise not in _EXERCISES:
        known = ", ".join(sorted(_EXERCISES))
        return Verdict(
            "wrong", _("there is no exercise {name!r}; there are {known}").format(name=exercise, known=known)
        )
    if answer is None:
        return Verdict(
            "not answered yet", _("{name} is not answered yet: put your answer in place of None.").format(name=exercise)
        )
    try:
        right, hint = _EXERCISES[exercise](answer)
    except Exception as error:  # whatever was handed in: a check never raises
        right, hint = False, _("the answer cannot be read: {error}").format(error=error)
    if right:
        return Verdict("right", _("{name}: right.").format(name=exercise))
    return Verdict("wrong", _("{name}: not yet. {hint}").format(name=exercise, hint=hint))


def _exercise(name: str) -> Callable[[Exercise], Exercise]:
    def register(exercise: Exercise) -> Exercise:
        _EXERCISES[name] = exercise
        return exercise

    return register


def _near(answer: Any, truth: float, tolerance: float = 0.005) -> bool:
    return math.isclose(float(answer), truth, rel_tol=tolerance, abs_tol=tolerance)


def _chain(answer: Any, start: str, ware: str) -> Chain:
    """An answer as a chain: a `Chain`, or its trades as one text or as several."""
    if isinstance(answer, Chain):
        return answer
    trades = answer.replace(";", ",").split(",") if isinstance(answer, str) else list(answer)
    return Chain(start, ware, [t for t in trades if not str(t).strip().startswith("buy")])


# 01 Start here, 02 Trade chains, 04 The die: the exchange of cards 1 and 4 of the house deck

TONIGHT: Final = (1, 4)


@_exercise("01.1")
def _fewest_turns(answer: Any) -> tuple[bool, str]:
    turns = _shortest("GY", "RWBGY", 0).turns
    more = _("Fewer turns are enough.") if answer > turns else _("So few turns cannot do it: ask the proof.")
    return answer == turns, more


@_exercise("01.2")
def _first_trade_cost(answer: Any) -> tuple[bool, str]:
    costs = _tonight().solve("RWBGY", left=0).options("WY").set_index("action")["costs"]
    return _near(answer, costs["roll"]), _("Look at the row 'roll' of options: its column 'costs'.")


@_exercise("02.1")
def _two_trades_away(answer: Any) -> tuple[bool, str]:
    import networkx as nx

    around = nx.single_source_shortest_path_length(_tonight().graph(), Stones("BY"), cutoff=2)
    hint = _("Count the holdings one and two trades away, each once; the start itself is no trade away.")
    return answer == len(around) - 1, hint


@_exercise("02.2")
def _a_shortest_chain(answer: Any) -> tuple[bool, str]:
    chain, best = _chain(answer, "WW", "RRWBG"), _shortest("WW", "RRWBG", None)
    if not set(chain.trades) <= set(_tonight().moves.trades):
        return False, _("A trade of it is none of this exchange's, in either direction.")
    if (chain.start, chain.ware) != (best.start, best.ware):
        return False, _("It should lead from WW to RRWBG.")
    return chain.turns == best.turns, _("It buys, but a chain of fewer turns exists.")


@_exercise("02.3")
def _how_many_chains(answer: Any) -> tuple[bool, str]:
    many = sum(1 for _chain in _tonight().chains("BY", "GGGGG*", left=0))
    return answer == many, _("exchange.chains gives them one by one; count them.")


@_exercise("04.1")
def _expected_turns(answer: Any) -> tuple[bool, str]:
    turns = _tonight().solve("GGGGG", left=0).turns("")
    return _near(answer, turns), _("Solve for the ware with nothing left, and ask its turns from no stones.")


@_exercise("04.2")
def _better_roll(answer: Any) -> tuple[bool, str]:
    have = Stones(answer)
    if not _tonight().trades(have):
        return False, _("There is no trade open to it, so rolling is no choice.")
    best = _tonight().solve("RWBGY", left=0).best(have)
    return best == "roll", _("With it a trade is at least as good: {trade}.").format(trade=best)


def _tonight() -> Exchange:
    return Exchange.of_cards(*TONIGHT)


def _shortest(start: str, ware: str, left: int | None) -> Chain:
    chain = _tonight().chain(start, ware, left)
    assert chain is not None
    return chain


# 03 Prices and arbitrage

#: Ten equations that balance at one set of prices.
BALANCED: Final = "R=WW W=GG G=YY B=GY W=BY BB=WG R=BBG R=WGG GG=BY R=WBY"


@_exercise("03.1")
def _price_of_a_ware(answer: Any) -> tuple[bool, str]:
    prices = Exchange(BALANCED).prices()
    assert isinstance(prices, Prices)
    value = prices.value("RWBGY") / prices["Y"]
    return _near(answer, value), _("Add up the prices of its five stones, in yellow stones.")


@_exercise("03.2")
def _one_more_equation(answer: Any) -> tuple[bool, str]:
    equation, balanced = Equation(answer), Exchange(BALANCED)
    if equation.sides in {other.sides for other in balanced.equations}:
        return False, _("That equation is there already.")
    prices = Exchange([*balanced.equations[1:], equation]).prices()
    return isinstance(prices, Prices), _("At the prices of this exchange its two sides are not worth the same.")


# 05 Play Bazar

#: p0 may buy RWBGY: with one stone left, with three left.
ONE_LEFT: Final = (
    "bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=RWBGYY,RRW "
    "stalls=RWBGY:4,RRWGY:4,RRWBB:4,GGGGG*:4 bought=-,- idle=0"
)
THREE_LEFT: Final = ONE_LEFT.replace("RWBGYY,", "RWBGYYYY,")


def _worth(text: str) -> dict[str, float]:
    """What the policy bot expects of each action."""
    from tradekit import bots
    from tradekit.bazar.rules import State

    view = State.parse(text).view(0)
    worth = bots.make("policy").evaluate(view, view.actions(), Random(0))
    return {str(action): value for action, value in worth.items()}


@_exercise("05.1")
def _buy_or_wait(answer: Any) -> tuple[bool, str]:
    worth = _worth(THREE_LEFT)
    if answer not in worth:
        return False, _("It may be one of these: {actions}.").format(actions=", ".join(worth))
    hint = _("The other one is worth more: ask the policy bot to evaluate both.")
    return worth[answer] == max(worth.values()), hint


@_exercise("05.2")
def _the_price_of_waiting(answer: Any) -> tuple[bool, str]:
    worth = _worth(ONE_LEFT)
    return _near(answer, worth["buy 1"] - worth["done"], 0.02), _("Take the value of 'done' from that of 'buy 1'.")


# 06 Sealed bids: values between 0 and 100, all equally likely unless said otherwise


def _bid(equilibrium: Any, value: float) -> float:
    return float(equilibrium.bid(value))


@_exercise("06.1")
def _one_bid_among_five(answer: Any) -> tuple[bool, str]:
    bid = _bid(auctions.first_price().equilibrium(5, auctions.uniform(0, 100)), 75)
    if float(answer) >= 75:
        return False, _("That leaves nothing to gain: who wins pays it all.")
    return _near(answer, bid), _("Ask the equilibrium of a first-price auction among five for its bid at 75.")


@_exercise("06.2")
def _the_price_of_ten_too_many(answer: Any) -> tuple[bool, str]:
    from scipy.integrate import quad

    values = auctions.uniform(0, 100)
    cost = quad(lambda price: (price - 60) * values.pdf(price), 60, 70)[0]
    hint = _(
        "It changes something only if the rival's value is between 60 and 70. How likely is that, and what is lost?"
    )
    return _near(answer, cost), hint


@_exercise("06.3")
def _values_in_the_middle(answer: Any) -> tuple[bool, str]:
    from scipy import stats

    bid = _bid(auctions.first_price().equilibrium(2, stats.beta(2, 2, 0, 100)), 50)
    if _near(answer, _bid(auctions.first_price().equilibrium(2, auctions.uniform(0, 100)), 50)):
        return False, _("So it would be if all values were equally likely; these are not.")
    return _near(answer, bid), _("Hand stats.beta(2, 2, 0, 100) to equilibrium in place of uniform(0, 100).")


# 07 Who pays the losers: values between 0 and 1


@_exercise("07.1")
def _an_all_pay_bid(answer: Any) -> tuple[bool, str]:
    bid = _bid(auctions.all_pay().equilibrium(3, auctions.uniform()), 0.6)
    if _near(answer, _bid(auctions.first_price().equilibrium(3, auctions.uniform()), 0.6)):
        return False, _("That is the bid if only the winner pays.")
    return _near(answer, bid), _("Ask the equilibrium of all_pay() among three for its bid at 0.6.")


@_exercise("07.2")
def _revenue_of_two_prizes(answer: Any) -> tuple[bool, str]:
    revenue = auctions.losers_pay(0.5, (1, 1)).equilibrium(4, auctions.uniform()).revenue
    return _near(answer, revenue), _("Give the prizes (1, 1) to any of the formats; which one does not matter.")


@_exercise("07.3")
def _a_share_for_a_revenue(answer: Any) -> tuple[bool, str]:
    share = float(answer)
    if not 0 <= share <= 1:
        return False, _("A share is a number from 0 to 1.")
    equilibrium = auctions.losers_pay(share).equilibrium(5, auctions.uniform(), risk=auctions.CARA(3))
    hint = _("At this share the seller gets {revenue:.3f}.").format(revenue=equilibrium.revenue)
    return abs(equilibrium.revenue - 0.6) <= 0.005, hint


# 08 Odd bids: losers pay a part, rounded down; values 0 to 20


def _rounded_down(share: float) -> auctions.Format:
    return auctions.Format(loser_pays=share, reserve=1, step=1, rounding="down")


@cache
def _solved(share: float, bidders: int) -> Any:
    return _rounded_down(share).solve(bidders=bidders, target=1e-3)


@_exercise("08.1")
def _the_cheap_step(answer: Any) -> tuple[bool, str]:
    owes = _rounded_down(1 / 2).loser_owes
    cost = 1 / 3 + 2 / 3 * (owes(5) - owes(4))
    return _near(answer, cost), _("What more does it cost if it wins, and what if it loses? Weigh the two.")


@_exercise("08.2")
def _the_favoured_remainder(answer: Any) -> tuple[bool, str]:
    if answer not in (0, 1, 2):
        return False, _("A remainder of a division by three is 0, 1 or 2.")
    frame = _solved(1 / 3, 2).to_frame()
    frame = frame[frame["bid"] > 0]
    best = frame.groupby(frame["bid"] % 3)["probability"].sum().idxmax()
    return bool(answer == best), _("Which bids are the last before a loser pays one more?")


@_exercise("08.3")
def _odd_among_three(answer: Any) -> tuple[bool, str]:
    hint = _("Solve the format with bidders=3, and look at odd_share.")
    return abs(float(answer) - _solved(1 / 2, 3).odd_share) <= 0.03, hint


# 09 The winner's curse


@_exercise("09.1")
def _break_even(answer: Any) -> tuple[bool, str]:
    import numpy as np

    signals = auctions.NoisySignals(30, 0, 200)
    truth = float(signals.break_even(7)(np.array(100.0)))
    if _near(answer, truth + 2 * (100 - truth)):
        return False, _("The other direction: the highest of seven estimates is too high.")
    return _near(answer, truth), _("How much too high is the highest of seven estimates on average? Take that off.")


@_exercise("09.2")
def _how_often_the_naive_lose(answer: Any) -> tuple[bool, str]:
    from scipy.stats import binom

    share = 1 - binom.pmf(0, 5, 0.5)  # at least one of five estimates is above the value
    if _near(answer, 1 - share):
        return False, _("That is how often the winner does not lose.")
    hint = _("The winner loses if at least one of the five estimates is too high. Or simulate, and count the losses.")
    return abs(float(answer) - share) <= 0.012, hint


@_exercise("09.3")
def _the_mean_of_five(answer: Any) -> tuple[bool, str]:
    import numpy as np

    signals = auctions.MeanOfSignals()
    if _near(answer, float(signals.naive(5)(np.array(0.4)))):
        return False, _("That is what the prize seems worth to who forgets what winning says.")
    return _near(answer, _bid(auctions.second_price().equilibrium(5, signals), 0.4)), _(
        "Ask the equilibrium of second_price() with MeanOfSignals()."
    )


# 10 Learning to bid


def _gained(bid: float) -> float:
    """What a bid gains in three first-price rounds against 2, 2 and 5, at a value of 10."""
    format = auctions.Format(reserve=1, step=1)
    endings = [ending for other in (2, 2, 5) for ending in format.settle([bid, other]).outcomes]
    return sum(ending.probability * (10 * ending.awards[0] - ending.pays[0]) for ending in endings)


@_exercise("10.1")
def _the_next_bid(answer: Any) -> tuple[bool, str]:
    best = max(range(11), key=_gained)
    return answer == best, _("Work out for each bid what it would have gained in the three rounds, and take the best.")


@_exercise("10.2")
def _a_regret(answer: Any) -> tuple[bool, str]:
    regret = _gained(3) - _gained(6)
    if _near(answer, -regret):
        return False, _("The other way round: what the other bid would have gained, less what was gained.")
    return _near(answer, regret), _("What would 3 have gained in the three rounds, and what did 6 gain?")


@cache
def _slowest_rule() -> str:
    from tradekit.auctions.learn import learn
    from tradekit.auctions.ranks import PrivateValues

    frame = learn(PrivateValues.of(_rounded_down(1 / 2), range(21), bidders=3), steps=1000).frame
    last = frame[(frame["step"] == 1000) & (frame["profile"] == "average")].set_index("rule")
    return str(last["exploitability"].idxmax())


@_exercise("10.3")
def _furthest_from_equilibrium(answer: Any) -> tuple[bool, str]:
    said, rule = str(answer).strip().lower(), _slowest_rule()
    return bool(said) and said in (rule, rule.split()[0]), _(
        "Call learn with PrivateValues.of(..., bidders=3), and compare the exploitability at the last step."
    )
