"""Moves of Turin Market in words: a sentence about one that was made, and the label of the control for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradekit.game import CHANCE, UNTOLD
from tradekit.i18n import _, ngettext, pgettext
from tradekit.show.voice import Thing, Voice
from tradekit.turin.actions import amount_of
from tradekit.turin.parameters import Step

if TYPE_CHECKING:
    from tradekit.turin.rules import State


# Things in a sentence


def card(number: int | str) -> Thing:
    """Return a card: a thing of the kind "card", of which the value is the number.

    >>> card(7).words
    'card 7'
    """
    return Thing("card", int(number), pgettext("sentence", "card {n}").format(n=number))


def cards(numbers: str) -> list[Thing]:
    """Return the cards of these numbers, with spaces in between."""
    return [*map(card, numbers.split())]


def escudos(n: int) -> Thing:
    """Return a sum of money: a thing of the kind "escudos"."""
    return Thing("escudos", n, ngettext("{n} escudo", "{n} escudos", n))


# Moves


def sentence(state: State, action: str, actor: int, voice: Voice) -> str:
    """Return a sentence about an action made in a state; see `State.sentence`.

    >>> from tradekit import turin
    >>> state = turin.new(2, seed=1)
    >>> sentence(state, "show 7", 0, Voice(0)), sentence(state, "…", 1, Voice(0, ["Ana", "Bo"]))
    ('You put card 7 up for auction.', 'Bo has chosen.')
    """
    verb, _space, rest = action.partition(" ")
    if actor == CHANCE:
        return _tossed(rest, voice) if verb == "order" else _dealt(state, rest, voice)
    if action == UNTOLD:
        if state.step in (Step.BID, Step.ADD):
            return voice(actor, _("You have bid."), _("{name} has bid."))
        return voice(actor, _("You have chosen."), _("{name} has chosen."))
    if verb == "show":
        text = _("You put {card} up for auction."), _("{name} put {card} up for auction.")
        return voice(actor, *text, card=card(rest))
    if verb == "bid":
        n, loan = amount_of(action)
        text = _("You bid {n}."), _("{name} bid {n}.")
        if loan:
            text = _("You bid {n} and took a loan."), _("{name} bid {n} and took a loan.")
        return voice(actor, *text, n=n)
    if verb == "add":
        n, loan = amount_of(action)
        text = _("You added {n} to your bid."), _("{name} added {n}.")
        if loan:
            text = _("You added {n} to your bid and took a loan."), _("{name} added {n} and took a loan.")
        elif not n:
            text = _("You added nothing to your bid."), _("{name} added nothing.")
        return voice(actor, *text, n=n)
    if verb == "take":
        return voice(actor, _("You took {cards}."), _("{name} took {cards}."), cards=cards(rest))
    if verb == "discard":
        return voice(actor, _("You discarded {cards}."), _("{name} discarded {cards}."), cards=cards(rest))
    if verb == "claim":
        number, *with_loan = rest.split()
        text = _("You asked to buy {card}."), _("{name} asked to buy {card}.")
        if with_loan:
            text = _("You asked to buy {card}, with a loan."), _("{name} asked to buy {card}, with a loan.")
        return voice(actor, *text, card=card(number))
    if verb == "pass":
        return voice(actor, _("You asked to buy nothing."), _("{name} asked to buy nothing."))
    if verb == "sell":
        number, how, *_rest = rest.split()
        return _sold(number, rest, actor, voice) if how == "to" else _offered(number, action, actor, voice)
    if verb == "withdraw":
        text = _("You took {card} off sale."), _("{name} took {card} off sale.")
        return voice(actor, *text, card=card(rest))
    if verb == "done":
        if any(owner == actor for _card, owner, _price in state.sale):
            return voice(actor, _("You put nothing more on sale."), _("{name} put nothing more on sale."))
        return voice(actor, _("You put nothing on sale."), _("{name} put nothing on sale."))
    return _goose(state, action, actor, voice)


def _dealt(state: State, number: str, voice: Voice) -> str:
    """Return the sentence about a card that is dealt to a player, face down, or to the table (TU-5)."""
    dealt = sum(-hand if hand < 0 else hand.bit_count() for hand in state.hands) if state.step is Step.DEAL else 0
    player = dealt // state.parameters.hand
    if player >= state.players:
        return voice.say(_("Up for auction: {card}."), card=card(number))
    if number:
        text = _("You were dealt {card}."), _("{name} was dealt {card}.")
        return voice(player, *text, card=card(number))
    return voice(player, _("You were dealt a card."), _("{name} was dealt a card."))


def _tossed(order: str, voice: Voice) -> str:
    """Return the sentence about the order in which a coin has put tied players (TU-15, TU-19)."""
    first, *others = [int(seat.removeprefix("p")) for seat in order.split()]
    if others:
        return voice.say(_("A coin decided the order: {names}."), names=voice.seats([first, *others]))
    text = _("A coin put you first among those tied."), _("A coin put {name} first among those tied.")
    return voice(first, *text)


def _sold(number: str, rest: str, actor: int, voice: Voice) -> str:
    """Return the sentence about a card that two claimed, and its owner sold to one of them (TU-22)."""
    buyer = int(rest.rpartition("p")[2])
    if buyer == voice.reader:
        return voice.say(_("{name} sold you {card}."), name=voice.seat(actor), card=card(number))
    text = _("You sold {card} to {buyer}."), _("{name} sold {card} to {buyer}.")
    return voice(actor, *text, card=card(number), buyer=voice.seat(buyer))


def _offered(number: str, action: str, actor: int, voice: Voice) -> str:
    """Return the sentence about a card put on sale (TU-20)."""
    price, loan = amount_of(action)
    text = _("You put {card} on sale for {price}."), _("{name} put {card} on sale for {price}.")
    if loan:
        text = (
            _("You put {card} on sale for {price} and took a loan."),
            _("{name} put {card} on sale for {price} and took a loan."),
        )
    return voice(actor, *text, card=card(number), price=escudos(price))


def _goose(state: State, action: str, actor: int, voice: Voice) -> str:
    """Return the sentence about the goose (TU-41). An action of a custom goose (TU-43) is shown as typed."""
    if action == "no goose":
        return voice(actor, _("You left the goose out of it."), _("{name} left the goose out of it."))
    if action == "goose":
        return voice(actor, _("You took the goose."), _("{name} took the goose."))
    verb, _space, seat = action.partition(" p")
    if verb != "give" or not seat.isdecimal():
        return voice.say(_("{name}: {action}"), name=voice.seat(actor), action=action)
    if int(seat) == voice.reader:
        return voice.say(_("{name} gave you the goose."), name=voice.seat(actor))
    text = _("You gave the goose to {other}."), _("{name} gave the goose to {other}.")
    return voice(actor, *text, other=voice.seat(int(seat)))


def label(state: State, action: str, voice: Voice) -> str:
    """Return the label of the control for an action; see `State.label`.

    >>> from tradekit import turin
    >>> label(turin.new(2, seed=1), "bid 4", Voice())
    'Bid 4'
    """
    verb, _space, rest = action.partition(" ")
    if verb == "show":
        return voice.say(_("Put {card} up for auction"), card=card(rest))
    if verb in ("bid", "add"):
        n, loan = amount_of(action)
        if verb == "bid":
            return voice.say(_("Bid {n} and take a loan") if loan else _("Bid {n}"), n=n)
        return voice.say(_("Add {n} and take a loan") if loan else _("Add {n}"), n=n)
    if verb == "take":
        return voice.say(_("Take {cards}"), cards=cards(rest))
    if verb == "discard":
        return voice.say(_("Discard {cards}"), cards=cards(rest))
    if verb == "claim":
        number, *with_loan = rest.split()
        return voice.say(_("Buy {card} with a loan") if with_loan else _("Buy {card}"), card=card(number))
    if verb == "pass":
        return voice.say(_("Buy nothing"))
    if verb == "sell":
        number, how, *_rest = rest.split()
        if how == "to":
            return voice.say(_("Sell {card} to {buyer}"), card=card(number), buyer=voice.seat(int(rest.split("p")[1])))
        price, loan = amount_of(action)
        text = _("Put {card} on sale for {price} and take a loan") if loan else _("Put {card} on sale for {price}")
        return voice.say(text, card=card(number), price=escudos(price))
    if verb == "withdraw":
        return voice.say(_("Take {card} off sale"), card=card(rest))
    if verb == "done":
        return voice.say(_("Put nothing on sale"))
    if action == "no goose":
        return voice.say(_("Leave the goose out of it"))
    if action == "goose":
        return voice.say(_("Take the goose"))
    if verb == "give" and rest.startswith("p"):
        return voice.say(_("Give the goose to {other}"), other=voice.seat(int(rest.removeprefix("p"))))
    return voice.say("{action}", action=action)
