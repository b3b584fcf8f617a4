"""Exercises of the notebooks on The Silk Road, 13 to 15 and 17, and the position used in notebook 15."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final, cast

from tradekit import silk
from tradekit._utils.numerals import plain
from tradekit.exercises.checking import exercise, near
from tradekit.i18n import _
from tradekit.silk.cards import good_named
from tradekit.studies import silk_playtest

#: Bruno has offered three cards, and Carla has answered with cloth, of which he needs one more for a sale.
BARGAIN: Final = (
    "silk players=3 step=accept turn=p1 market=spices:43210,cloth:32104,ivory:10432,silk:10432,tea:10432 hordes=4 "
    "hands=silk:4/tea:2/cloth:1/spices:6;silk:5/cloth:4,7/ivory:1,2/spices:8;silk:6/tea:7/cloth:2,9/ivory:10 "
    "discards=tea:9 safeguards=tea:6;-;- dinars=5,0,0 "
    "talk=p2;ivory|3|8|silk:5/ivory:1,2;cloth|2|15|silk:6/cloth:9 idle=-1"
)
_BEGIN: Final = (4, 3, 2, 1, 0)  #: the row at the start (SI-4)
_DEAD: Final = (1, 1, 1, 1, 0)  #: the row from which no sale is possible any more (SI-70)

# 13 Play The Silk Road


@exercise("13.1")
def _cards_that_help(answer: Any) -> tuple[bool, str]:
    start = silk.new(players=3, seed=29)
    odds = silk.odds(start, draws=1, player=0)["better"]
    unseen = cast(silk.State, start.view(0).known).unseen.bit_count()
    if near(answer, unseen * odds[1, "silk"]):
        return False, _("These are the silks. Does another good help too?")
    return near(answer, unseen * odds[1, "any"]), _("It is the chance with one draw, times the cards unseen.")


@exercise("13.2")
def _what_waiting_gains(answer: Any) -> tuple[bool, str]:
    mean = silk.odds(silk.new(players=3, seed=29), draws=3, player=0)["mean"]
    if near(answer, mean[3, "any"]):
        return False, _("That is what the sale after three draws brings; the one of now would bring something too.")
    hint = _("Take the mean for no draws from the mean for three, in the rows for any good.")
    return near(answer, mean[3, "any"] - mean[0, "any"], 0.03), hint


# 14 The market and its demand


@exercise("14.1")
def _the_shortest_way_to_the_dead_row(answer: Any) -> tuple[bool, str]:
    import networkx as nx

    fewest = nx.shortest_path_length(silk.market_graph(start=_BEGIN), _BEGIN, _DEAD)
    if near(answer, sum(_BEGIN) - sum(_DEAD)):
        return False, _("So many if each sale lowered the total by one; but what did the first one do?")
    return near(answer, fewest), _("It is the length of a shortest path in silk.market_graph(start=(4, 3, 2, 1, 0)).")


@exercise("14.2")
def _the_best_bribe_for_the_market(answer: Any) -> tuple[bool, str]:
    best = max(sum(row) for row in silk.market_graph(moves=("bribe",), start=_DEAD)[_DEAD])
    if near(answer, sum(_DEAD) + 1):
        return False, _("There is a better one: what lies below the 0 of the last pile?")
    return near(answer, best), _('Look at the rows next to it in silk.market_graph(moves=("bribe",)).')


# 15 Bargaining with true words


@exercise("15.1")
def _the_good_that_tells_less(answer: Any) -> tuple[bool, str]:
    ana = silk.State.parse(BARGAIN).view(0)
    bits = {good: silk.inference(ana, 1, 2, good, 6).bits for good in (silk.Good.SILK, silk.Good.IVORY)}
    said = good_named(str(plain(answer)).strip().lower())
    if said not in bits:
        return False, _("It has to be a good that is among the cards: silk or ivory.")
    return said == min(bits, key=lambda good: bits[good]), _("Of which good does Ana hold a card herself?")


@exercise("15.2")
def _the_chance_of_a_cloth(answer: Any) -> tuple[bool, str]:
    told = silk.inference(silk.State.parse(BARGAIN).view(1), 2, 2, silk.Good.SILK, 15)
    cards = list(zip(*(told.to_frame()[column] for column in ("good", "value")), strict=True))
    pairs = [(a, b) for (a, x), (b, y) in combinations(cards, 2) if x + y == 15 and "silk" in (a, b)]
    if near(answer, 1):
        return False, _("She names silk now, and cloth may be the other card or not.")
    chance = sum("cloth" in pair for pair in pairs) / len(pairs)
    return near(answer, chance), _(
        "Count the pairs of unseen cards with a silk that are worth 15, and those with a cloth."
    )


# 17 The playtest

_MINUTES: Final = 30  #: length of a game according to the author
_NARROW: Final = 0.5  #: dinars on either side


def _found(option: str, measure: str, table: str, value: str) -> dict[Any, Any]:
    """Return the playtest's results under one value of an option."""
    return silk_playtest.kept(option, measure, table).set_index("value").to_dict("index")[value]


@exercise("17.1")
def _games_for_a_narrow_interval(answer: Any) -> tuple[bool, str]:
    found = _found("bribe", "margin", "no bribes", "7")
    games, times = found["games"], (found["high"] - found["low"]) / 2 / _NARROW
    if near(answer, games * times, 0.03):
        return False, _("So many if twice the games made it half as wide; but the width falls with their square root.")
    return near(answer, games * times**2, 0.03), _("How many times narrower? Then so many times that, squared.")


@exercise("17.2")
def _changes_by_chance_alone(answer: Any) -> tuple[bool, str]:
    changed = silk_playtest.STUDY.load().dropna(subset="change")
    found = ((changed["change_low"] > 0) | (changed["change_high"] < 0)).sum()
    if near(answer, float(found)):
        return False, _("These are those that do leave it out. How many would, if no rule changed anything?")
    return near(answer, 0.05 * len(changed), 0.03), _("An interval of 95 % misses the truth in 5 cases of 100.")


@exercise("17.3")
def _seconds_for_a_turn(answer: Any) -> tuple[bool, str]:
    turns, decisions = (_found("run_outs", measure, "planner", "2")["mean"] for measure in ("turns", "decisions"))
    if near(answer, 60 * _MINUTES / decisions, 0.02):
        return False, _("These are the seconds for a decision; a turn with talks has several.")
    return near(answer, 60 * _MINUTES / turns, 0.02), _("Divide the seconds of 30 minutes by the turns.")
