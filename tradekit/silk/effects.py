"""Effects of each kind of action: functions of the move and a draft, which is still the state before the move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tradekit.drafts import put
from tradekit.silk import actions as kinds
from tradekit.silk.actions import SAFEGUARDS, Kind, Move
from tradekit.silk.cards import Cards, cards_of, good_of, lowest, worth
from tradekit.silk.draft import Draft
from tradekit.silk.parameters import ALL_KNOW, HORDES, NEUTRAL, RICH_SALE, Said, Step

if TYPE_CHECKING:
    from tradekit.silk.rules import State

_REFILL, _DROP, _ANSWER, _ACCEPT = Step.REFILL, Step.DROP, Step.ANSWER, Step.ACCEPT  # Python 3.11 finds members slowly


def _sell(draft: Draft, move: Move) -> State:
    """Sell goods (SI-20 to SI-25); a sale of the neutral player changes only the market (SI-60)."""
    (cards,) = move
    good = good_of(lowest(cards))
    draft.market = draft.market.sell(good)
    draft.idle = -1
    if draft.marker and good in draft.marker[2:]:  # SI-33; only the briber can have sold it
        draft.clear_marker()
    draft.discard(draft.mover, cards)
    turn = draft.turn
    if draft.mover != turn:
        return draft.turn_over()
    kept = lowest(cards)
    draft.discards ^= 1 << kept
    draft.safeguards = put(draft.safeguards, turn, (*draft.safeguards[turn], kept))
    dinars = draft.parameters.dinars[cards.bit_count()][worth(cards)]
    draft.dinars = put(draft.dinars, turn, draft.dinars[turn] + dinars)
    if dinars >= RICH_SALE:
        draft.hordes = (draft.hordes - 1) % HORDES
        if not draft.hordes:
            return draft.raid()
    return draft.action_over()


def _pay(draft: Draft, payment: Cards, safeguards: int) -> int:
    """Discard cards, or safeguards from the oldest on, and return the lowest card or the oldest safeguard."""
    if payment != SAFEGUARDS:
        draft.discard(draft.mover, payment)
        return lowest(payment)
    have = draft.safeguards[draft.turn]
    draft.safeguards = put(draft.safeguards, draft.turn, have[safeguards:])
    draft.discards |= cards_of(have[:safeguards])
    return have[0]


def _bribe(draft: Draft, move: Move) -> State:
    """Bribe: turn two neighbouring piles (SI-30 to SI-33)."""
    up, down, payment = move
    draft.market = draft.market.bribe(up, down)
    draft.clear_marker()
    marker = _pay(draft, payment, 1)
    draft.discards ^= 1 << marker
    draft.marker = (marker, draft.mover, min(up, down), max(up, down))
    return draft.action_over()


def _audience(draft: Draft, move: Move) -> State:
    """See the Vizier: reorder a pile (SI-35)."""
    good, order, payment = move
    draft.market = draft.market.audience(good, order)
    _pay(draft, payment, 2)
    return draft.action_over()


def _buy(draft: Draft, move: Move) -> State:
    """Buy cards with safeguards (SI-40)."""
    (safeguards,) = move
    _pay(draft, SAFEGUARDS, safeguards)
    draft.step, draft.idle, draft.left = _REFILL, -1, safeguards * draft.parameters.rules.bought
    return draft.fetch()


def _barter(draft: Draft, move: Move) -> State:
    """Barter a card with the market (SI-12).

    One card has left the hand, so players who saw cards go into it no longer know that these are still there.
    """
    (card,) = move
    mover = draft.mover
    if mover == draft.turn:
        if any(draft.knows):
            kept = ~draft.hands[mover]
            draft.knows = tuple([known & kept for known in draft.knows])
        draft.under = (*draft.under, (card, mover))
    else:
        draft.under = (*draft.under, (card, ALL_KNOW))
    draft.give(mover, 1 << card)
    draft.step, draft.left = _REFILL, 1
    return draft.fetch()


def _pass(draft: Draft, _move: Move) -> State:
    """Pass (SI-41)."""
    if not draft.closed:
        draft.step = _DROP
        draft.left = min(draft.parameters.rules.dropped, draft.unseen.bit_count() + len(draft.under))
        if draft.left:
            draft.idle = -1
    return draft.drop()


def _neutral_pass(draft: Draft, move: Move) -> State:
    """Pass for the neutral player (SI-61)."""
    draft.give(NEUTRAL, draft.hands[NEUTRAL])
    draft.under = (*draft.under, *[(card, ALL_KNOW) for card in move])
    draft.step, draft.left = _REFILL, len(move)
    return draft.fetch()


def _offer(draft: Draft, move: Move) -> State:
    """Make an offer to another player (SI-11)."""
    partner, cards, good = move
    draft.partner, draft.offers, draft.step = partner, (Said.of(cards, good),), _ANSWER
    return draft.done()


def _answer(draft: Draft, move: Move) -> State:
    """Answer an offer (SI-11)."""
    cards, good = move
    draft.offers, draft.step = (*draft.offers, Said.of(cards, good)), _ACCEPT
    return draft.done()


def _decline(draft: Draft, _move: Move) -> State:
    """Decline the answer; no exchange is made (SI-11)."""
    draft.talked |= 1 << draft.partner
    return draft.trade_on()


def _accept(draft: Draft, _move: Move) -> State:
    """Exchange the cards face down; each player knows the cards given, others cannot tell which are where (SI-11)."""
    one, other = draft.turn, draft.partner
    given, got = draft.offers[0].cards, draft.offers[1].cards
    both = draft.hands[one] | draft.hands[other]
    knows = [known & ~both if player not in (one, other) else known for player, known in enumerate(draft.knows)]
    knows[one] = knows[one] & ~got | given
    knows[other] = knows[other] & ~given | got
    draft.knows = tuple(knows)
    draft.give(one, given | got)
    draft.give(other, given | got)
    draft.talked |= 1 << other
    draft.exchanged = True
    return draft.trade_on()


DO: Final[dict[Kind, Callable[[Draft, Move], State]]] = {
    kinds.SELL: _sell,
    kinds.BRIBE: _bribe,
    kinds.AUDIENCE: _audience,
    kinds.BUY: _buy,
    kinds.BARTER: _barter,
    kinds.OFFER: _offer,
    kinds.PASS: _pass,
    kinds.NEUTRAL_PASS: _neutral_pass,
    kinds.ANSWER: _answer,
    kinds.ACCEPT: _accept,
    kinds.DECLINE: _decline,
    kinds.DONE: lambda draft, _move: draft.action_over(),
    kinds.NEUTRAL_TURN: lambda draft, _move: draft.begin_turn(NEUTRAL),
    kinds.NO_NEUTRAL_TURN: lambda draft, _move: draft.turn_over(),
}
