"""Exercises of the notebooks on Bazar: 01 to 05, 16 and 18."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, Final

from tradekit._utils import ties
from tradekit.bazar import Chain, Equation, Exchange, Prices, Race, Stones, Ware, puzzle
from tradekit.exercises.checking import exercise, near, quantity
from tradekit.i18n import _, ngettext


def _chain(answer: Any, start: str, ware: str) -> Chain:
    """Return an answer as a chain: it is a `Chain`, or its trades as one text or as several."""
    if isinstance(answer, Chain):
        return answer
    trades = answer.replace(";", ",").split(",") if isinstance(answer, str) else list(answer)
    return Chain(start, ware, [t for t in trades if not str(t).strip().startswith("buy")])


# 01 Start here, 02 Trade chains, 04 The die: the equations of cards 1 and 4 of the house deck

TONIGHT: Final = (1, 4)


@exercise("01.1")
def _fewest_turns(answer: Any) -> tuple[bool, str]:
    turns, said = _shortest("GY", "RWBGY", 0).turns, quantity(answer)
    more = _("Fewer turns are enough.") if said > turns else _("So few turns cannot do it: ask the proof.")
    return said == turns, more


@exercise("01.2")
def _first_trade_cost(answer: Any) -> tuple[bool, str]:
    costs = _tonight().solve("RWBGY", left=0).options("WY").set_index("action")["costs"]
    return near(answer, costs["roll"]), _("Look at the row 'roll' of options: its column 'costs'.")


@exercise("02.1")
def _two_trades_away(answer: Any) -> tuple[bool, str]:
    import networkx as nx

    around = nx.single_source_shortest_path_length(_tonight().graph(), Stones("BY"), cutoff=2)
    hint = _("Count the holdings one and two trades away, each once; the start itself is no trade away.")
    return quantity(answer) == len(around) - 1, hint


@exercise("02.2")
def _a_shortest_chain(answer: Any) -> tuple[bool, str]:
    chain, best = _chain(answer, "WW", "RRWBG"), _shortest("WW", "RRWBG", None)
    if not set(chain.trades) <= set(_tonight().moves.trades):
        return False, _("A trade of it is none of this exchange's, in either direction.")
    if (chain.start, chain.ware) != (best.start, best.ware):
        return False, _("It should lead from WW to RRWBG.")
    return chain.turns == best.turns, _("It buys, but a chain of fewer turns exists.")


@exercise("02.3")
def _how_many_chains(answer: Any) -> tuple[bool, str]:
    many = sum(1 for _chain in _tonight().chains("BY", "GGGGG*", left=0))
    return quantity(answer) == many, _("exchange.chains gives them one by one; count them.")


@exercise("04.1")
def _expected_turns(answer: Any) -> tuple[bool, str]:
    turns = _tonight().solve("GGGGG", left=0).turns("")
    return near(answer, turns), _("Solve for the ware with nothing left, and ask its turns from no stones.")


@exercise("04.2")
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


@exercise("03.1")
def _price_of_a_ware(answer: Any) -> tuple[bool, str]:
    prices = Exchange(BALANCED).prices()
    assert isinstance(prices, Prices)
    value = prices.value("RWBGY") / prices["Y"]
    return near(answer, value), _("Add up the prices of its five stones, in yellow stones.")


@exercise("03.2")
def _one_more_equation(answer: Any) -> tuple[bool, str]:
    equation, balanced = Equation(answer), Exchange(BALANCED)
    if equation.sides in {other.sides for other in balanced.equations}:
        return False, _("That equation is there already.")
    prices = Exchange([*balanced.equations[1:], equation]).prices()
    return isinstance(prices, Prices), _("At the prices of this exchange its two sides are not worth the same.")


# 05 Play Bazar

#: p0 can buy RWBGY, with one stone left over or with three.
ONE_LEFT: Final = (
    "bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=RWBGYY,RRW "
    "stalls=RWBGY:4,RRWGY:4,RRWBB:4,GGGGG*:4 bought=-,- idle=0"
)
THREE_LEFT: Final = ONE_LEFT.replace("RWBGYY,", "RWBGYYYY,")


def _worth(text: str) -> dict[str, float]:
    """Return the value that the policy bot expects of each action."""
    from tradekit import bots
    from tradekit.bazar.rules import State

    view = State.parse(text).view(0)
    worth = bots.make("policy", game="bazar").evaluate(view, view.actions(), Random(0))
    return {str(action): value for action, value in worth.items()}


@exercise("05.1")
def _buy_or_wait(answer: Any) -> tuple[bool, str]:
    worth = _worth(THREE_LEFT)
    answer = str(answer).strip().lower()
    if answer not in worth:
        return False, _("It may be one of these: {actions}.").format(actions=", ".join(worth))
    hint = _("The other one is worth more: ask the policy bot to evaluate both.")
    return answer == ties.best(worth, key=worth.__getitem__), hint


@exercise("05.2")
def _the_price_of_buying(answer: Any) -> tuple[bool, str]:
    """Check the mean of paired playouts; every number in its 95% interval is right."""
    from tradekit.studies.rounds import ratio

    _mean, low, high = ratio([(gained, 1) for gained in _gained_by_waiting()])
    hint = _("Play both on with bazar.playouts, and take the mean of 'buy 1' from that of 'done'.")
    return low <= float(answer) <= high, hint


@cache
def _gained_by_waiting() -> tuple[float, ...]:
    from tradekit.bazar import State, playouts

    leads = playouts(State.parse(ONE_LEFT), games=200)
    return tuple((leads["done"] - leads["buy 1"]).tolist())


# 18 Endgames: the race for RWBGY under the equations of cards 1 and 4, and one day's puzzle

#: Hands of the player to move and of the opponent, for the only move that the notebook shows.
SHOWN: Final = (Stones("GGYY"), Stones("Y"))
PUZZLE: Final = "2027-01-06"
_SURE: Final = 1e-6  # within this of 1 is certain


@cache
def _race() -> Race:
    return _tonight().race("RWBGY", progress=False)


@exercise("18.1")
def _worth_of_the_move(answer: Any) -> tuple[bool, str]:
    win, lose = _race().win("RW", "RW"), _race().lose("RW", "RW")
    if near(answer, win):
        return False, _("That is what one wins with the move; take off what one can force without it.")
    return near(answer, win - lose), _("Take what one can force when the other is on the move from race.win.")


@exercise("18.2")
def _an_only_move(answer: Any) -> tuple[bool, str]:
    pair = [Stones(holding) for holding in (answer.split(",") if isinstance(answer, str) else answer)]
    if len(pair) != 2:
        return False, _("Answer with two holdings, the mover's and the other's, such as 'GGYY, Y'.")
    have, other = pair
    if (have, other) == SHOWN:
        return False, _("That is the pair of the text: find another one.")
    wins = _race().options(have, other)["win"]
    sure = int((wins > 1 - _SURE).sum())
    if sure != 1:
        return False, ngettext("{n} action wins for sure.", "{n} actions win for sure.", sure).format(n=sure)
    return len(wins) > 1, _("It is the only action at all, so there is nothing to choose.")


@exercise("18.3")
def _a_first_trade(answer: Any) -> tuple[bool, str]:
    options = puzzle(PUZZLE).solo.options().set_index("action")
    if near(answer, options["value"].iloc[1]):
        return False, _("That is what it is worth; what does it cost beside the best action?")
    costs = options["costs"].drop("roll").min()
    return near(answer, costs), _("Look at the column 'costs', in the first row that is a trade.")


# 16 Sackson's worry

_PATIENT_PAIR: Final = (4, 7)  #: the pair of cards under which having no stones left over takes the most extra turns


@exercise("16.1")
def _points_that_would_be_enough(answer: Any) -> tuple[bool, str]:
    points, wares = _found("points"), _found("wares")
    if near(answer, points["patient"] / wares["patient"], 0.01):
        return False, _("That is what the patient buyer gets for a ware; the quick one buys more of them.")
    return near(answer, points["patient"] / wares["quick"], 0.01), _(
        "The points of the patient buyer, shared out over the wares of the quick one."
    )


@exercise("16.2")
def _points_that_make_quick_level(answer: Any) -> tuple[bool, str]:
    from tradekit.bazar import atlas

    frame = atlas()
    pair = frame[(frame["card"] == _PATIENT_PAIR[0]) & (frame["other"] == _PATIENT_PAIR[1])]
    faster, full = float(pair["turns"].mean() / pair["turns_0"].mean()), Ware("RWBGY").points(0)
    if near(answer, full / faster, 0.01):
        return False, _("The other way round: who needs fewer turns needs fewer points.")
    return near(answer, full * faster, 0.01), _(
        "Points a turn are to be equal: 5 over the turns with nothing left, and so many over the other turns."
    )


@exercise("16.3")
def _pairs_that_are_not_even(answer: Any) -> tuple[bool, str]:
    from tradekit.studies.sacksons_worry import kept

    pairs = kept("pairs", "wins", "quick", cards=None).query("cards != 'all'")
    surely = int(((pairs["low"] > 1 / 2) | (pairs["high"] < 1 / 2)).sum())
    if near(answer, len(pairs) / 20):
        return False, _("So many would be expected by chance alone. How many are there?")
    return near(answer, surely), _("Count the pairs with low above one half, and those with high below it.")


def _found(measure: str) -> dict[str, float]:
    """Return the study's result for each of its two buyers, over all pairs of cards."""
    from tradekit.studies.sacksons_worry import kept

    return dict(kept("pairs", measure).set_index("bot")["mean"])
