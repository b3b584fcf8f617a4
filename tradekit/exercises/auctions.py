"""Exercises of the notebooks on auctions, 06 to 10."""

from __future__ import annotations

from functools import cache
from typing import Any

from tradekit import auctions
from tradekit._utils import ties
from tradekit.exercises.checking import exercise, near, quantity
from tradekit.i18n import _

# 06 Sealed bids: values between 0 and 100, all equally likely unless said otherwise


def _bid(equilibrium: Any, value: float) -> float:
    return float(equilibrium.bid(value))


@exercise("06.1")
def _one_bid_among_five(answer: Any) -> tuple[bool, str]:
    bid = _bid(auctions.first_price().equilibrium(5, auctions.uniform(0, 100)), 75)
    if quantity(answer) >= 75:
        return False, _("That leaves nothing to gain: who wins pays it all.")
    return near(answer, bid), _("Ask the equilibrium of a first-price auction among five for its bid at 75.")


@exercise("06.2")
def _the_price_of_ten_too_many(answer: Any) -> tuple[bool, str]:
    from scipy.integrate import quad

    values = auctions.uniform(0, 100)
    cost = quad(lambda price: (price - 60) * values.pdf(price), 60, 70)[0]
    hint = _(
        "It changes something only if the rival's value is between 60 and 70. How likely is that, and what is lost?"
    )
    return near(answer, cost), hint


@exercise("06.3")
def _values_in_the_middle(answer: Any) -> tuple[bool, str]:
    from scipy import stats

    bid = _bid(auctions.first_price().equilibrium(2, stats.beta(2, 2, 0, 100)), 50)
    if near(answer, _bid(auctions.first_price().equilibrium(2, auctions.uniform(0, 100)), 50)):
        return False, _("So it would be if all values were equally likely; these are not.")
    return near(answer, bid), _("Hand stats.beta(2, 2, 0, 100) to equilibrium in place of uniform(0, 100).")


# 07 Who pays the losers: values between 0 and 1


@exercise("07.1")
def _an_all_pay_bid(answer: Any) -> tuple[bool, str]:
    bid = _bid(auctions.all_pay().equilibrium(3, auctions.uniform()), 0.6)
    if near(answer, _bid(auctions.first_price().equilibrium(3, auctions.uniform()), 0.6)):
        return False, _("That is the bid if only the winner pays.")
    return near(answer, bid), _("Ask the equilibrium of all_pay() among three for its bid at 0.6.")


@exercise("07.2")
def _revenue_of_two_prizes(answer: Any) -> tuple[bool, str]:
    revenue = auctions.losers_pay(0.5, (1, 1)).equilibrium(4, auctions.uniform()).revenue
    return near(answer, revenue), _("Give the prizes (1, 1) to any of the formats; which one does not matter.")


@exercise("07.3")
def _a_share_for_a_revenue(answer: Any) -> tuple[bool, str]:
    share = quantity(answer)
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


@exercise("08.1")
def _the_cheap_step(answer: Any) -> tuple[bool, str]:
    owes = _rounded_down(1 / 2).loser_owes
    cost = 1 / 3 + 2 / 3 * (owes(5) - owes(4))
    return near(answer, cost), _("What more does it cost if it wins, and what if it loses? Weigh the two.")


@exercise("08.2")
def _the_favoured_remainder(answer: Any) -> tuple[bool, str]:
    remainder = quantity(answer)
    if remainder not in (0, 1, 2):
        return False, _("A remainder of a division by three is 0, 1 or 2.")
    frame = _solved(1 / 3, 2).to_frame()
    frame = frame[frame["bid"] > 0]
    shares = frame.groupby(frame["bid"] % 3)["probability"].sum()
    return bool(remainder == ties.best(shares.index, key=shares.__getitem__)), _(
        "Which bids are the last before a loser pays one more?"
    )


@exercise("08.3")
def _odd_among_three(answer: Any) -> tuple[bool, str]:
    hint = _("Solve the format with bidders=3, and look at odd_share.")
    return abs(quantity(answer) - _solved(1 / 2, 3).odd_share) <= 0.03, hint


# 09 The winner's curse


@exercise("09.1")
def _break_even(answer: Any) -> tuple[bool, str]:
    import numpy as np

    signals = auctions.NoisySignals(30, 0, 200)
    truth = float(signals.break_even(7)(np.array(100.0)))
    if near(answer, truth + 2 * (100 - truth)):
        return False, _("The other direction: the highest of seven estimates is too high.")
    return near(answer, truth), _("How much too high is the highest of seven estimates on average? Take that off.")


@exercise("09.2")
def _how_often_the_naive_lose(answer: Any) -> tuple[bool, str]:
    from scipy.stats import binom

    share = 1 - binom.pmf(0, 5, 0.5)  # at least one of five estimates is above the value
    if near(answer, 1 - share):
        return False, _("That is how often the winner does not lose.")
    hint = _("The winner loses if at least one of the five estimates is too high. Or simulate, and count the losses.")
    return abs(quantity(answer) - share) <= 0.012, hint


@exercise("09.3")
def _the_mean_of_five(answer: Any) -> tuple[bool, str]:
    import numpy as np

    signals = auctions.MeanOfSignals()
    if near(answer, float(signals.naive(5)(np.array(0.4)))):
        return False, _("That is what the prize seems worth to who forgets what winning says.")
    return near(answer, _bid(auctions.second_price().equilibrium(5, signals), 0.4)), _(
        "Ask the equilibrium of second_price() with MeanOfSignals()."
    )


# 10 Learning to bid


def _gained(bid: float) -> float:
    """Return the profit of a bid in three first-price rounds against 2, 2 and 5, at a value of 10."""
    format = auctions.Format(reserve=1, step=1)
    endings = [ending for other in (2, 2, 5) for ending in format.settle([bid, other]).outcomes]
    return sum(ending.probability * (10 * ending.awards[0] - ending.pays[0]) for ending in endings)


@exercise("10.1")
def _the_next_bid(answer: Any) -> tuple[bool, str]:
    best = ties.best(range(11), key=_gained)
    return quantity(answer) == best, _(
        "Work out for each bid what it would have gained in the three rounds, and take the best."
    )


@exercise("10.2")
def _a_regret(answer: Any) -> tuple[bool, str]:
    regret = _gained(3) - _gained(6)
    if near(answer, -regret):
        return False, _("The other way round: what the other bid would have gained, less what was gained.")
    return near(answer, regret), _("What would 3 have gained in the three rounds, and what did 6 gain?")


@cache
def _slowest_rule() -> str:
    from tradekit.auctions.learn import learn
    from tradekit.auctions.rank_games import PrivateValues

    frame = learn(PrivateValues.of(_rounded_down(1 / 2), range(21), bidders=3), steps=1000).frame
    last = frame[(frame["step"] == 1000) & (frame["profile"] == "average")].set_index("rule")
    return str(ties.best(last.index, key=last["exploitability"].__getitem__))


@exercise("10.3")
def _furthest_from_equilibrium(answer: Any) -> tuple[bool, str]:
    said, rule = str(answer).strip().lower(), _slowest_rule()
    return bool(said) and said in (rule, rule.split()[0]), _(
        "Call learn with PrivateValues.of(..., bidders=3), and compare the exploitability at the last step."
    )
