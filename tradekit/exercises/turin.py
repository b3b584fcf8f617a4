"""Exercises of the notebooks on Turin Market, 11 and 12, with the game and the position used in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from tradekit import auctions, turin
from tradekit._utils.arguments import checked
from tradekit._utils.numerals import numbers
from tradekit.exercises.checking import exercise, near, quantity
from tradekit.i18n import _
from tradekit.record import Record
from tradekit.turin.parameters import Step

#: A game of three bots that bid a half, a third and two thirds of the value of a lot to them, as a record.
EVENING: Final = """\
tradekit record 1
start: turin players=3 deck=house step=show hands=1.2.7.10.13.17,3.6.8.9.15.16,4.5.11.12.14.18 rest=- commits=[-1,-1,-1]
p0: Ana
p1: Bruno
p2: Carla

p0 show 1
p1 show 8
p2 show 4
p0 bid 8
p1 bid 7
p2 bid 8
p0 add 4
p2 add 13 loan
p2 take 4 8
p2 done
p0 done
p0 show 7
p1 show 9
p2 show 11
p0 bid 6 loan
p1 bid 4
p2 bid 4
p1 add 5
p0 take 9 11
p0 done
p1 done
p2 done
p0 show 13
p1 show 3
p2 show 5
p0 bid 6
p1 bid 4 loan
p2 bid 2
p0 take 5 13
p0 sell 1 for 1
p1 sell 7 for 3
p2 done
p1 claim 1
p2 claim 1
p0 sell 1 to p1
p0 show 2
p1 show 15
p2 show 18
p0 bid 2
p1 bid 3
p2 bid 1
p1 take 15 18
p1 done
p2 done
p0 show 17
p1 show 6
p2 show 14
p1 bid 2
p2 bid 1
p1 take 14 17
end: 50 actions
"""

#: The last auction of a game of two, in which the cards are worth twice as much to one player as to the other.
DUEL: Final = (
    "turin players=2 deck=house step=bid auction=4 reserve=[9,8] hands=17,15 centre=5.13 "
    "won=12.18,1.2.3.7.8.16 rest=4.6.9.10.11.14 commits=[-1,-1] tokens=[1,1,1,1,1,1,0,1,-1] bank=-17"
)

# 11 Play Turin Market


@exercise("11.1")
def _who_pays_what(answer: Any) -> tuple[bool, str]:
    ending = auctions.turin(3).settle([4, 4, 7], {0: 1, 1: 0}).outcomes[0]
    said = tuple(numbers(answer) if isinstance(answer, str) else map(quantity, answer))
    if said == (5, 4, 7):
        return False, _("Only two places win; the third player loses the tie, and does not pay it all.")
    return said == tuple(ending.pays), _(
        "Three numbers, by player: winners pay bid and addition, the loser half of it."
    )


@exercise("11.2")
def _by_the_new_payouts(answer: Any) -> tuple[bool, str]:
    ana = Record.parse(EVENING.replace("deck=house", "deck=house payouts=new")).state().scores()[0]
    if near(answer, evening().state().scores()[0]):
        return False, _("So it was with the classic payouts.")
    return near(answer, ana), _("Write payouts=new behind deck=house in the text of the record, and read it again.")


@exercise("11.3")
def _the_price_of_a_card(answer: Any) -> tuple[bool, str]:
    bids = turin.bids(evening()).query("name == 'Carla'")
    cards = bids["award"].sum()
    if near(answer, bids["paid"][bids["award"] > 0].sum() / cards):
        return False, _("That is what she paid where she won; the other auctions were not free.")
    hint = _("Add up what she paid in all five auctions, and divide by the cards that she won.")
    return near(answer, bids["paid"].sum() / cards), hint


def evening() -> Record:
    """Return the game as a record."""
    return Record.parse(EVENING)


# 12 From the laboratory to Turin Market


@exercise("12.1")
def _a_bid_among_four(answer: Any) -> tuple[bool, str]:
    if near(answer, float(turin.theory_bid(4, first=True, top=20).bid(12))):
        return False, _("That is for the first auction, in which no place wins two cards.")
    return near(answer, float(turin.theory_bid(4, top=20).bid(12))), _("Ask turin.theory_bid(4, top=20) for its bid.")


@exercise("12.2")
def _the_best_two_cards(answer: Any) -> tuple[bool, str]:
    worth = turin.awards(before_bids(1), 1).set_index("cards")["worth"]
    words = str(answer).translate(str.maketrans(",()[]{}", " " * 7)).replace("take", "").split()
    said = next((cards for cards in worth.index if sorted(cards.split()) == sorted(words)), None)
    if said is None:
        return False, _("It may be one of these: {actions}.").format(actions=", ".join(worth.index))
    hint = _("Two others are worth more to him: cards that are best one by one need not be best together.")
    return bool(worth[said] == worth.max()), hint


@exercise("12.3")
def _one_too_many(answer: Any) -> tuple[bool, str]:
    lost = turin.solve_auction(before_bids(3)).how_far(1, 3)
    if near(answer, -lost, 0.05):
        return False, _("The other way round: how much less it earns than the best bid.")
    return near(answer, lost, 0.05), _("Solve the auction with solve_auction, and ask how_far(1, 3).")


@checked
def before_bids(auction: int) -> turin.State:
    """Return the state before the bids of an auction, counted from 0."""
    for state in cast(Iterator[turin.State], evening().states()):
        if state.step is Step.BID and state.auction == auction:
            return state
    raise AssertionError
