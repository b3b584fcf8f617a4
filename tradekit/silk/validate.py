"""Checks for states that no game can reach, such as a hand of ten cards or an offer of cards that nobody has.

A state can be typed or changed by hand. An impossible state would go wrong later, with cards lost or created on the
way, so it is refused when it is read. A player's view of a state (`tradekit.silk.knowledge`) is checked by what it
shows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tradekit.game import CHANCE
from tradekit.i18n import _
from tradekit.silk import actions as kinds
from tradekit.silk import knowledge, wording
from tradekit.silk.cards import ALL, OF_GOOD, UNKNOWN
from tradekit.silk.parameters import FEWEST_OFFERED, LIMIT, NEUTRAL, OPEN, RAID, TRADERS, Said, Step

if TYPE_CHECKING:
    from tradekit.silk.rules import State

_DRAWS: Final = (Step.DRAW, Step.REFILL, Step.DROP)
_OF_NEUTRAL: Final = (Step.DRAW, Step.TURN, Step.REFILL)  #: steps of a neutral turn
_EXCHANGED: Final = (Step.TRADE, Step.ANSWER, Step.ACCEPT, Step.NEUTRAL)  #: steps that can follow an exchange


def faults(state: State) -> Iterator[str]:
    """Yield the faults of an impossible state, in words with the rule.

    >>> from tradekit import silk
    >>> state = silk.new(3, seed=1)
    >>> [*faults(state)], next(faults(state._with(hands=(*state.hands[:2], 255))))
    ([], 'p2 holds 8 cards: no hand has more than seven (SI-6)')
    """
    yield from _of_hands(state)
    if state.turn == CHANCE:
        yield from _of_set_up(state)
    else:
        yield from _of_neutral(state)
        yield from _of_pile(state)
        yield from _of_end(state)
        yield from _of_trade(state)
        yield from _of_raid(state)


def _of_hands(state: State) -> Iterator[str]:
    for seat, hand in enumerate(state.hands):
        if hand.bit_count() > LIMIT:
            yield _("{who} holds {n} cards: no hand has more than seven (SI-6)").format(
                who=wording.seat(state, seat), n=hand.bit_count()
            )
    for player, known in enumerate(state.knows):
        for other in state.parameters.others[player]:
            known &= ~(state.hands[other] & ALL)
        if known:
            yield _("p{player} knows of {cards}, which no other player holds (SI-14)").format(
                player=player, cards=wording.cards(known)
            )


def _of_set_up(state: State) -> Iterator[str]:
    """Check the set-up: cards are dealt hand after hand, and nothing else has happened to them (SI-3)."""
    each, sizes = state.rules.first_hand, [hand.bit_count() for hand in state.hands]
    dealt = sum(sizes)
    steps = {Step.MARKET: range(1), Step.DEAL: range(each * len(sizes)), Step.FIRST: [each * len(sizes)]}
    in_order = sizes == [min(each, max(0, dealt - each * seat)) for seat in range(len(sizes))]
    happened = state.under, state.ran_out, state.to_come, state.idle, state.talked, state.exchanged
    nothing_else = not any(happened) and state.pile == UNKNOWN - dealt
    if len(sizes) != state.players + (state.players == 2) or not in_order or not nothing_else:
        yield _("at the set-up the cards are dealt hand after hand, {n} to each (SI-3)").format(n=each)
    elif dealt not in steps[state.step]:
        yield _("{n} cards are dealt: that is not the step {step} (SI-3)").format(n=dealt, step=state.step.name.lower())


def _of_neutral(state: State) -> Iterator[str]:
    there, acts = state.neutral is not None, state.mover != state.turn
    if there != (state.players == 2 and state.ran_out < state.parameters.neutral_leaves):
        yield _("the neutral plays with two, until the pile has run out {n} times (SI-60, SI-62)").format(
            n=state.parameters.neutral_leaves
        )
    bribed = state.players == 2 and state.marker[1:2] == (NEUTRAL,)
    if (acts or bribed or state.step is Step.NEUTRAL) and not there:
        yield _("there is no neutral player here (SI-60, SI-62)")
    if acts and state.step not in _OF_NEUTRAL:
        yield _("in a turn of the neutral there is no step {step} (SI-60)").format(step=state.step.name.lower())
    if (state.neutral or 0) >> UNKNOWN:
        yield _("the hand of the neutral is open (SI-60)")


def _of_pile(state: State) -> Iterator[str]:
    """Check the pile: it is empty only at the end, and chance draws cards without a known place in it (SI-50)."""
    left, size, drawing = state.left, state.hands[state.mover].bit_count(), state.step in _DRAWS
    if not state.closed and not state.pile:
        yield _("the draw pile is empty: then a new one is made, or the end comes (SI-50)")
    if drawing and state.pile <= len(state.under):
        yield _("there is no card that chance could draw (SI-50)")
    most = {Step.DRAW: 1, Step.DROP: state.pile}.get(state.step, left)
    if left > most or (drawing and state.step is not Step.DROP and size + left > LIMIT):
        yield _("left={n}: so many cards are not drawn here (SI-6, SI-40, SI-41)").format(n=left)


def _of_end(state: State) -> Iterator[str]:
    if state.to_come and not state.closed:
        yield _("turns are still to come only when the pile has run out for the last time (SI-51)")
    if state.step is Step.OVER and (state.to_come or not state.closed):
        yield _("step=over: turns are still to come (SI-51)")
    patience = state.parameters.patience
    if state.idle < -1 or (0 < patience <= state.idle and not state.closed):
        yield _("idle={n}: a number from -1 up is needed, below the patience (SI-53)").format(n=state.idle)


def _of_trade(state: State) -> Iterator[str]:
    if state.exchanged and state.step not in _EXCHANGED:
        yield _("exchanged=yes: no trade is under way, or has just ended (SI-12)")
    if state.talked >> state.turn & 1:
        yield _("talk with another player, not with yourself (SI-10)")
    partners = kinds.partners(state)
    if state.step is Step.TRADE:
        over = not partners and (state.exchanged or state.closed)
        if over or not (state.exchanged or state.hands[state.turn].bit_count() >= TRADERS):
            yield _("such a trade is over, or was never begun (SI-10, SI-13)")
    if not state.offers:
        return
    if state.partner not in partners:
        yield _(
            "p{player} and p{partner} cannot talk: each needs three cards, and they talk once a turn (SI-10)"
        ).format(player=state.turn, partner=state.partner)
    offered, *answers = state.offers
    sizes = [(FEWEST_OFFERED, offered.size), *(kinds.answer_sizes(state) for _answer in answers)]
    wrong = [
        (seat, said)
        for seat, said, (least, most) in zip((state.turn, state.partner), state.offers, sizes, strict=False)
        if not (least <= said.size <= most and _can_say(state, seat, said))
    ]
    if not wrong and next(knowledge.cards_said(state, random.Random(0)), None) is None:
        wrong = [(state.partner, state.offers[-1])]  # both would need the same cards
    for seat, said in wrong:
        yield _("p{n} cannot say '{said}': no hand that it can have fits (SI-11)").format(n=seat, said=said)


def _can_say(state: State, seat: int, said: Said) -> bool:
    """Return True if a hand can have cards that fit the words said."""
    known, hidden = state.hands[seat] & ALL, (state.hands[seat] >> UNKNOWN).bit_count()
    if said.cards:
        return not said.cards & ~known and bool(said.cards & OF_GOOD[said.good])
    return next(knowledge.sets_said(said, known, hidden, state.unseen, random.Random(0)), None) is not None


def _of_raid(state: State) -> Iterator[str]:
    """Check losses to the hordes; the choice of a hand with unknown cards has not been seen (SI-25)."""
    for seat, lost in enumerate(state.commits):
        hand = state.hands[seat]
        ways = [] if hand >> UNKNOWN else kinds.discards(hand)
        if lost not in ([*ways, OPEN] if hand else ways):
            yield _(
                "{who} must lose goods worth {raid} to the hordes, no card more than needed, or all (SI-25)"
            ).format(who=wording.seat(state, seat), raid=RAID)
