"""Moves of The Silk Road in words: a sentence about one that was made, and the label of the control for one.

The neutral player (SI-60) is a player with the seat after the others, and never "you".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tradekit.game import CHANCE
from tradekit.i18n import _, ngettext
from tradekit.show.voice import Thing, Voice
from tradekit.silk import actions as kinds
from tradekit.silk import wording
from tradekit.silk.actions import BY_STEP, NEUTRAL_ACTION, ORDER_TEXT, Kind, Move
from tradekit.silk.cards import GOOD_NUMBER, Cards, lowest, read
from tradekit.silk.parameters import Said, Step
from tradekit.silk.wording import MASKED

if TYPE_CHECKING:
    from tradekit.silk.rules import State


# Things in a sentence


def card(number: int) -> Thing:
    """Return a card: a thing of the kind "card", of which the value is the number.

    >>> card(4)
    Thing(kind='card', value=4, words='silk 5')
    """
    return Thing("card", number, wording.card(number))


def cards(some: Cards) -> Thing:
    """Return a set of cards: a thing of the kind "cards"."""
    return Thing("cards", some, wording.cards(some))


def good(number: int) -> Thing:
    """Return a good: a thing of the kind "good"."""
    return Thing("good", number, wording.good(number))


def said(offer: Said) -> Thing:
    """Return the words of an offer or an answer: a thing of the kind "said" (SI-11)."""
    return Thing("said", offer, wording.offer_text(offer))


def dinars(n: int) -> Thing:
    """Return a sum of money: a thing of the kind "dinars"."""
    return Thing("dinars", n, ngettext("{n} dinar", "{n} dinars", n))


def payment(some: Cards, n: int) -> Thing:
    """Return what a bribe or an audience is paid with: cards, or `n` safeguards."""
    return safeguards(n) if some == kinds.SAFEGUARDS else cards(some)


def safeguards(n: int) -> Thing:
    """Return a number of safeguards: a thing of the kind "safeguards"."""
    return Thing("safeguards", n, ngettext("{n} safeguard", "{n} safeguards", n))


def with_neutral(state: State, voice: Voice) -> Voice:
    """Return the voice with a name for the neutral player, who is a subject of sentences."""
    if len(state.hands) == state.players:
        return voice
    names = [voice.seat(player).words for player in range(state.players)]
    return replace(voice, names=[*names, _("The neutral player")])


# Moves


def sentence(state: State, action: str, actor: int, voice: Voice) -> str:
    """Return a sentence about an action made in a state, or as `visible_to` tells of it; see `State.sentence`.

    >>> from tradekit import silk
    >>> state, names = silk.new(3, seed=1), ["Ana", "Bo", "Cid"]
    >>> sentence(state, "draw silk 5", -1, Voice(2, names)), sentence(state, "draw ?", -1, Voice(0, names))
    ('You drew silk 5.', 'Cid drew a card.')
    """
    voice = with_neutral(state, voice)
    verb, _space, rest = action.partition(" ")
    if actor == CHANCE:
        return _CHANCE[state.step](state, rest, voice)
    if state.step is Step.HORDES:
        return _lost(action, actor, voice)
    if verb in (kinds.OFFER.verb, kinds.ANSWER.verb) and MASKED in rest:
        return _talked(verb, rest, actor, voice)
    if action == f"{kinds.BARTER.verb} {MASKED}":
        return _bartered_one(actor, voice)
    kind, move = _read(state, action)
    return _SAID[kind](state, move, actor if state.mover == state.turn else state.mover, voice)


def label(state: State, action: str, voice: Voice) -> str:
    """Return the label of the control for an action; see `State.label`.

    >>> from tradekit import silk
    >>> label(silk.new(3, seed=1).after("draw ivory 1"), "offer p0 silk 5 tea 4 as tea", Voice(names=["Ana"]))
    'Offer Ana silk 5, tea 4 and name tea'
    """
    if state.step is Step.HORDES:
        lost, of_neutral = _loss(action)
        return voice.say(_("Lose {cards} of the neutral player") if of_neutral else _("Lose {cards}"), cards=lost)
    kind, move = _read(state, action)
    return _LABELS[kind](state, move, voice)


def _read(state: State, action: str) -> tuple[Kind, Move]:
    found = kinds.read(BY_STEP[state.step] if state.mover == state.turn else NEUTRAL_ACTION, action)
    if found is None:
        raise ValueError(action)
    return found


# Chance


def _named(text: str) -> Thing:
    return card(lowest(read(text)))


def _laid_out(state: State, goods: str, voice: Voice) -> str:
    row = [good(GOOD_NUMBER[name]) for name in goods.split()]
    return voice.say(_("The market was laid out, from front to back: {goods}."), goods=row)


def _dealt(state: State, dealt: str, voice: Voice) -> str:
    player = sum(hand.bit_count() for hand in state.hands) // state.rules.first_hand
    if dealt in (MASKED, ""):
        return voice(player, _("You were dealt a card."), _("{name} was dealt a card."))
    return voice(player, _("You were dealt {card}."), _("{name} was dealt {card}."), card=_named(dealt))


def _began(state: State, seat: str, voice: Voice) -> str:
    first = int(seat.removeprefix("p"))
    return voice(first, _("You were chosen to play first."), _("{name} was chosen to play first."))


def _drew(state: State, drawn: str, voice: Voice) -> str:
    if drawn in (MASKED, ""):
        return voice(state.mover, _("You drew a card."), _("{name} drew a card."))
    return voice(state.mover, _("You drew {card}."), _("{name} drew {card}."), card=_named(drawn))


def _dropped(state: State, dropped: str, voice: Voice) -> str:
    return voice.say(_("The draw pile lost {card}."), card=_named(dropped))


_CHANCE: Final[dict[Step, Callable[[State, str, Voice], str]]] = {
    Step.MARKET: _laid_out,
    Step.DEAL: _dealt,
    Step.FIRST: _began,
    Step.DRAW: _drew,
    Step.REFILL: _drew,
    Step.DROP: _dropped,
}

# Players, or the neutral player


def _loss(action: str) -> tuple[Thing, bool]:
    """Return the cards of ``discard tea 9`` or ``discard neutral tea 9``, and whether they are the neutral player's."""
    own = action.removeprefix("discard ")
    lost = own.removeprefix("neutral ")
    return cards(read(lost)), lost != own


def _lost(action: str, player: int, voice: Voice) -> str:
    """Return the sentence about a loss to the hordes, perhaps of the neutral player, for whom a player chooses."""
    lost, of_neutral = _loss(action)
    if of_neutral:
        return voice.say(_("The hordes took {cards} from the neutral player."), cards=lost)
    text = _("The hordes took {cards} from you."), _("The hordes took {cards} from {name}.")
    return voice(player, *text, cards=lost)


def _sold(state: State, move: Move, player: int, voice: Voice) -> str:
    (sold,) = move
    if player == state.players:
        return voice.say(_("{name} sold {cards}."), name=voice.seat(player), cards=cards(sold))
    text = _("You sold {cards} for {dinars}."), _("{name} sold {cards} for {dinars}.")
    return voice(player, *text, cards=cards(sold), dinars=dinars(wording.dinars(state, sold)))


def _bribed(state: State, move: Move, player: int, voice: Voice) -> str:
    up, down, paid = move
    text = (
        _("You bribed: {up} went up, {down} went down, paid with {payment}."),
        _("{name} bribed: {up} went up, {down} went down, paid with {payment}."),
    )
    return voice(player, *text, up=good(up), down=good(down), payment=payment(paid, 1))


def _saw_the_vizier(state: State, move: Move, player: int, voice: Voice) -> str:
    number, order, paid = move
    text = (
        _("You saw the Vizier: {good} became {order}, paid with {payment}."),
        _("{name} saw the Vizier: {good} became {order}, paid with {payment}."),
    )
    return voice(player, *text, good=good(number), order=ORDER_TEXT[order], payment=payment(paid, 2))


def _bought(state: State, move: Move, player: int, voice: Voice) -> str:
    (n,) = move
    text = _("You spent {safeguards} and drew {cards}."), _("{name} spent {safeguards} and drew {cards}.")
    return voice(player, *text, safeguards=safeguards(n), cards=wording.count(n * state.rules.bought))


def _bartered(state: State, move: Move, player: int, voice: Voice) -> str:
    (number,) = move
    text = _("You swapped {card} with the market."), _("{name} swapped {card} with the market.")
    return voice(player, *text, card=card(number))


def _bartered_one(player: int, voice: Voice) -> str:
    return voice(player, _("You swapped a card with the market."), _("{name} swapped a card with the market."))


def _offered(state: State, move: Move, player: int, voice: Voice) -> str:
    partner, some, named = move
    return _offer(partner, Said.of(some, named), player, voice)


def _answered(state: State, move: Move, player: int, voice: Voice) -> str:
    return _answer(Said.of(*move), player, voice)


def _talked(verb: str, rest: str, player: int, voice: Voice) -> str:
    """Return the sentence about an offer or an answer of which only the words said aloud are told (SI-11)."""
    *partner, size, total, _as, named = rest.split()
    offer = Said(0, GOOD_NUMBER[named], int(size.removeprefix(MASKED)), int(total))
    if verb == kinds.ANSWER.verb:
        return _answer(offer, player, voice)
    return _offer(int(partner[0].removeprefix("p")), offer, player, voice)


def _offer(partner: int, offer: Said, player: int, voice: Voice) -> str:
    if partner == voice.reader:
        return voice.say(_("{name} offered you {said}."), name=voice.seat(player), said=said(offer))
    text = _("You offered {partner} {said}."), _("{name} offered {partner} {said}.")
    return voice(player, *text, partner=voice.seat(partner), said=said(offer))


def _answer(offer: Said, player: int, voice: Voice) -> str:
    return voice(player, _("You answered with {said}."), _("{name} answered with {said}."), said=said(offer))


def _accepted(state: State, move: Move, player: int, voice: Voice) -> str:
    text = _("You accepted: the cards changed hands."), _("{name} accepted: the cards changed hands.")
    return voice(player, *text)


def _declined(state: State, move: Move, player: int, voice: Voice) -> str:
    return voice(player, _("You declined."), _("{name} declined."))


def _passed(state: State, move: Move, player: int, voice: Voice) -> str:
    return voice(player, _("You passed."), _("{name} passed."))


def _stopped(state: State, move: Move, player: int, voice: Voice) -> str:
    return voice(player, _("You stopped trading."), _("{name} stopped trading."))


def _passed_neutral(state: State, move: Move, player: int, voice: Voice) -> str:
    some = [card(number) for number in move]
    if not some:
        return _passed(state, move, player, voice)
    return voice.say(_("{name} passed: {cards} went under the draw pile."), name=voice.seat(player), cards=some)


def _began_neutral(state: State, move: Move, player: int, voice: Voice) -> str:
    text = _("You also played the neutral player's turn."), _("{name} also played the neutral player's turn.")
    return voice(player, *text)


def _skipped_neutral(state: State, move: Move, player: int, voice: Voice) -> str:
    text = _("You skipped the neutral player's turn."), _("{name} skipped the neutral player's turn.")
    return voice(player, *text)


_SAID: Final[dict[Kind, Callable[[State, Move, int, Voice], str]]] = {
    kinds.SELL: _sold,
    kinds.BRIBE: _bribed,
    kinds.AUDIENCE: _saw_the_vizier,
    kinds.BUY: _bought,
    kinds.BARTER: _bartered,
    kinds.OFFER: _offered,
    kinds.ANSWER: _answered,
    kinds.ACCEPT: _accepted,
    kinds.DECLINE: _declined,
    kinds.PASS: _passed,
    kinds.DONE: _stopped,
    kinds.NEUTRAL_PASS: _passed_neutral,
    kinds.NEUTRAL_TURN: _began_neutral,
    kinds.NO_NEUTRAL_TURN: _skipped_neutral,
}

# Controls


def _sell(state: State, move: Move, voice: Voice) -> str:
    (sold,) = move
    if state.mover != state.turn:
        return voice.say(_("Sell {cards}"), cards=cards(sold))
    return voice.say(_("Sell {cards} for {dinars}"), cards=cards(sold), dinars=dinars(wording.dinars(state, sold)))


def _bribe(state: State, move: Move, voice: Voice) -> str:
    up, down, paid = move
    text = _("Bribe: {up} up, {down} down, paid with {payment}")
    return voice.say(text, up=good(up), down=good(down), payment=payment(paid, 1))


def _audience(state: State, move: Move, voice: Voice) -> str:
    number, order, paid = move
    text = _("See the Vizier: {good} becomes {order}, paid with {payment}")
    return voice.say(text, good=good(number), order=ORDER_TEXT[order], payment=payment(paid, 2))


def _buy(state: State, move: Move, voice: Voice) -> str:
    (n,) = move
    text = _("Spend {safeguards} and draw {cards}")
    return voice.say(text, safeguards=safeguards(n), cards=wording.count(n * state.rules.bought))


def _barter(state: State, move: Move, voice: Voice) -> str:
    (number,) = move
    return voice.say(_("Swap {card} with the market"), card=card(number))


def _make_offer(state: State, move: Move, voice: Voice) -> str:
    partner, some, named = move
    text = _("Offer {partner} {cards} and name {good}")
    return voice.say(text, partner=voice.seat(partner), cards=cards(some), good=good(named))


def _make_answer(state: State, move: Move, voice: Voice) -> str:
    some, named = move
    return voice.say(_("Answer with {cards} and name {good}"), cards=cards(some), good=good(named))


def _pass_neutral(state: State, move: Move, voice: Voice) -> str:
    some = [card(number) for number in move]
    if not some:
        return voice.say(_("Pass"))
    return voice.say(_("Pass: put {cards} under the draw pile, in this order"), cards=some)


_LABELS: Final[dict[Kind, Callable[[State, Move, Voice], str]]] = {
    kinds.SELL: _sell,
    kinds.BRIBE: _bribe,
    kinds.AUDIENCE: _audience,
    kinds.BUY: _buy,
    kinds.BARTER: _barter,
    kinds.OFFER: _make_offer,
    kinds.ANSWER: _make_answer,
    kinds.ACCEPT: lambda state, move, voice: voice.say(_("Accept the answer")),
    kinds.DECLINE: lambda state, move, voice: voice.say(_("Decline")),
    kinds.PASS: lambda state, move, voice: voice.say(_("Pass")),
    kinds.DONE: lambda state, move, voice: voice.say(_("Stop trading")),
    kinds.NEUTRAL_PASS: _pass_neutral,
    kinds.NEUTRAL_TURN: lambda state, move, voice: voice.say(_("Play the neutral player's turn")),
    kinds.NO_NEUTRAL_TURN: lambda state, move, voice: voice.say(_("Skip the neutral player's turn")),
}
