"""Typed moves: their exact text, and for an illegal move the reason and the rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, combinations
from typing import TYPE_CHECKING, Final

from tradekit.game import CHANCE, Action, ParseError, short
from tradekit.i18n import _, ngettext
from tradekit.show.names import join_words
from tradekit.silk import actions as kinds
from tradekit.silk import wording
from tradekit.silk.actions import SAFEGUARDS
from tradekit.silk.cards import (
    ALL,
    CARD_TEXT,
    GOODS,
    OF_GOOD,
    Cards,
    cards_of,
    good_named,
    good_of,
    read,
    read_sequence,
    sequence_text,
    text,
    worth,
)
from tradekit.silk.market import CYCLE, turned
from tradekit.silk.parameters import BY_CHANCE, LIMIT, NEUTRAL, OPEN, RAID, TRADERS, Step

if TYPE_CHECKING:
    from tradekit.silk.rules import State

_SEAT: Final = re.compile(r"[pP](0|[1-9][0-9]*)")
_ALONE: Final = ("pass", "accept", "decline", "done", "neutral")
_NUMBERS: Final = {"a": 1, "one": 1, "two": 2, "three": 3}
_CHANCE_WORDS: Final = ("market", "deal", "first", "draw", "drop")


def exact(state: State, typed: str) -> Action:
    """Return the exact form of a typed action; raise `ParseError` for text that does not look like an action.

    Cards can come in any order, and goods by any name or colour, in English or Spanish. A pile with 0 on top is turned
    (SI-24).
    """
    words = re.sub(r"[,;:+/]", " ", short(typed)).split()
    verb, rest = (words[0].lower(), words[1:]) if words else ("", [])
    if verb in _ALONE and not rest:
        return Action(verb)
    reader = _READERS.get(verb)
    found = reader(state, rest) if reader and rest else None
    if found is None:
        message = _(
            "{text!r} is no action; write sell ivory 8 7, bribe tea up silk down with ivory 9, "
            "audience tea 4 3 2 1 0 with safeguards, buy 1, barter ivory 3, "
            "offer p1 silk 9 ivory 7 as silk, answer, accept, decline, discard, done or pass"
        )
        raise ParseError(message.format(text=typed))
    return Action(f"{verb} {found}")


def _read_set(state: State, words: list[str]) -> str:
    return text(cards_of(read_sequence(" ".join(words))))


def _read_pass(state: State, words: list[str]) -> str:
    return sequence_text(read_sequence(" ".join(words)))


def _read_card(state: State, words: list[str]) -> str | None:
    found = read_sequence(" ".join(words))
    return CARD_TEXT[found[0]] if len(found) == 1 else None


def _read_number(state: State, words: list[str]) -> str | None:
    number = _number(words[0].lower()) if len(words) == 1 else None
    return None if number is None else str(number)


def _number(word: str) -> int | None:
    return int(word) if word.isdecimal() and word.isascii() else _NUMBERS.get(word)


def _read_discard(state: State, words: list[str]) -> str:
    if words[0].lower() == "neutral":
        return f"neutral {_read_set(state, words[1:])}"
    return _read_set(state, words)


def _paid(state: State, words: list[str], cost: int) -> tuple[list[str], str] | None:
    """Split words into those before ``with`` and the payment after it; `cost` is the price in safeguards."""
    low = [word.lower() for word in words]
    if "with" not in low:
        return None
    place = low.index("with")
    *number, last = low[place + 1 :] or [""]
    if last in ("safeguard", "safeguards") and len(number) < 2:
        n = _number(number[0]) if number else 1 if last == "safeguard" else cost
        if n == cost:
            return words[:place], "safeguard" if cost == 1 else "safeguards"
        if n is not None:  # no action has this text, and `_why_no_payment` gives the reason
            return words[:place], f"{n} {last}"
    return words[:place], _read_set(state, words[place + 1 :])


def _read_bribe(state: State, words: list[str]) -> str | None:
    found = _paid(state, words, 1)
    if found is None or len(found[0]) != 4:
        return None
    a, which, b, other = found[0]
    if {which.lower(), other.lower()} != {"up", "down"}:
        return None
    up, down = (a, b) if which.lower() == "up" else (b, a)
    return f"{GOODS[good_named(up)]} up {GOODS[good_named(down)]} down with {found[1]}"


def _read_audience(state: State, words: list[str]) -> str | None:
    found = _paid(state, words, 2)
    if found is None or not found[0]:
        return None
    (name, *order), payment = found
    if len(order) == 1:  # 42310
        order = [*order[0]]
    if sorted(order) != sorted(map(str, CYCLE)):
        return None
    pile = tuple(map(int, order))
    if not (pile[0] or state.rules.zeros == "stay"):
        pile = turned(pile, 1)
    return f"{GOODS[good_named(name)]} {kinds.ORDER_TEXT[pile]} with {payment}"


def _read_answer(state: State, words: list[str]) -> str | None:
    if len(words) < 3 or words[-2].lower() != "as":
        return None
    return f"{_read_set(state, words[:-2])} as {GOODS[good_named(words[-1])]}"


def _read_offer(state: State, words: list[str]) -> str | None:
    seat, *said = words
    if not _SEAT.fullmatch(seat):
        message = _("{text!r}: say to whom, as in offer p1 silk 9 ivory 7 as silk (SI-11)")
        raise ParseError(message.format(text=" ".join(["offer", *words])))
    answer = _read_answer(state, said)
    return f"{seat.lower()} {answer}" if answer else None


def _read_first(state: State, words: list[str]) -> str | None:
    return words[0].lower() if len(words) == 1 and _SEAT.fullmatch(words[0]) else None


def _read_market(state: State, words: list[str]) -> str | None:
    goods = [good_named(word) for word in words]
    return " ".join(GOODS[good] for good in goods) if len(goods) == len({*goods}) == len(GOODS) else None


_READERS: Final = {
    "sell": _read_set,
    "bribe": _read_bribe,
    "audience": _read_audience,
    "buy": _read_number,
    "barter": _read_card,
    "offer": _read_offer,
    "answer": _read_answer,
    "discard": _read_discard,
    "pass": _read_pass,
    "market": _read_market,
    "first": _read_first,
    "deal": _read_card,
    "draw": _read_card,
    "drop": _read_card,
}


# Reasons


def not_your_turn(state: State, player: int) -> str:
    """Return the reason why `player`, or chance, cannot act."""
    if not state.actors:
        return _("the game is over (SI-51)")
    if player == CHANCE:
        return _("p{actor} is to act now, not chance (SI-7)").format(actor=state.actors[0])
    state.need_player(player)
    if state.actors == (CHANCE,):
        return _("chance acts now, not p{player} (SI-6)").format(player=player)
    if state.step is Step.HORDES:
        return _("p{player} has chosen what to discard, or has no cards (SI-25)").format(player=player)
    return _("p{actor} is to act now, not p{player} (SI-5)").format(actor=state.actors[0], player=player)


def why_not(state: State, action: Action, player: int | None) -> str:
    """Return the reason, with its rule, why a readable action is not legal here."""
    verb, _space, rest = action.partition(" ")
    step = state.step
    if step is Step.OVER:
        return _("the game is over (SI-51)")
    if step in BY_CHANCE:
        if verb in _CHANCE_WORDS:
            return _("{action} cannot come up here (SI-14)").format(action=action)
        return _("chance acts now, not a player (SI-6)")
    actor = state.actors[0] if player is None else player
    if verb in _CHANCE_WORDS:
        return _("{action} is for chance to say, and it is p{player} who acts").format(action=action, player=actor)
    if step is Step.HORDES:
        return _why_no_discard(state, verb, rest, actor)
    if step is Step.ANSWER:
        if verb != "answer":
            return _("an offer is open: answer it with cards of your own, or decline (SI-11)")
        return _why_nothing_said(state, rest, state.partner, *kinds.answer_sizes(state))
    if step is Step.ACCEPT:
        return _("an answer is open: accept or decline (SI-11)")
    if step is Step.NEUTRAL:
        return _("the turn is over but for the neutral's: take it by neutral, or say done (SI-60)")
    if verb == "discard":
        return _("the hordes do not attack now (SI-25)")
    if verb in ("answer", "accept", "decline"):
        return _("no talk is open (SI-11)")
    if step is Step.TRADE and verb not in ("offer", "barter", "done"):
        return _why_trading(state)
    return _TURN_REASONS[verb](state, rest)


def _lacking(state: State, cards: Cards, seat: int) -> str:
    """Return the error for cards that a hand lacks; "" if it has them all."""
    missing, who = cards & ~state.hands[seat], wording.seat(state, seat)
    return _("{who} does not hold {cards} (SI-14)").format(who=who, cards=wording.cards(missing)) if missing else ""


def _why_no_sale(state: State, rest: str) -> str:
    cards = read(rest)
    if lacking := _lacking(state, cards, state.mover):
        return lacking
    goods = {good_of(number) for number in read_sequence(rest)}
    if len(goods) > 1:
        return _("a sale is of one good, not of {goods} (SI-20)").format(
            goods=", ".join(map(wording.good, sorted(goods)))
        )
    good = goods.pop()
    demand, name = state.market.demands[good], wording.good(good)
    if not demand:
        return _("{good} is not asked for: its demand is 0 (SI-20)").format(good=name)
    if kinds.blocked(state, good):
        return _("{good} is blocked by a bribe; only the briber may sell it (SI-32)").format(good=name)
    return _("{good} is asked for exactly {demand} times, not {n} (SI-20)").format(
        good=name, demand=demand, n=cards.bit_count()
    )


def _why_no_payment(state: State, paid: str, cost: int, safeguards: int, rule: str) -> str:
    if paid.endswith(("safeguard", "safeguards")):
        if state.mover != state.turn:
            return _("the neutral has no safeguards (SI-60)")
        number, _space, many = paid.partition(" ")
        if many:
            words = ngettext(
                "that costs {n} safeguard, not {{number}} ({{rule}})",
                "that costs {n} safeguards, not {{number}} ({{rule}})",
                safeguards,
            )
            return words.format(number=number, rule=rule)
        return ngettext("that costs {n} safeguard ", "that costs {n} safeguards ", safeguards) + _(
            "and p{player} has {have} ({rule})"
        ).format(player=state.turn, have=len(state.safeguards[state.turn]), rule=rule)
    cards = read(paid)
    if lacking := _lacking(state, cards, state.mover):
        return lacking
    if all(cards & ~own for own in OF_GOOD):
        return _("pay with cards of one good ({rule})").format(rule=rule)
    if worth(cards) < cost:
        return _("{cards} is worth {worth}; {cost} are needed ({rule})").format(
            cards=wording.cards(cards), worth=worth(cards), cost=cost, rule=rule
        )
    return _("{cards} has a card more than needed for {cost} ({rule})").format(
        cards=wording.cards(cards), cost=cost, rule=rule
    )


def _why_no_bribe(state: State, rest: str) -> str:
    goods, _with, paid = rest.partition(" with ")
    up, _up, down, _down = goods.split()
    a, b = good_named(up), good_named(down)
    if (a, b) not in (pairs := state.market.neighbours()) and (b, a) not in pairs:
        return _("{a} and {b} do not lie side by side (SI-31)").format(a=wording.good(a), b=wording.good(b))
    for good in (a, b):
        if good in state.marker[2:]:
            return _("{good} is blocked by the bribe that holds (SI-33)").format(good=wording.good(good))
    return _why_no_payment(state, paid, state.rules.bribe, 1, "SI-30")


def _why_no_audience(state: State, rest: str) -> str:
    return _why_no_payment(state, rest.partition(" with ")[2], state.rules.audience, 2, "SI-35")


def _why_no_purchase(state: State, rest: str) -> str:
    if state.mover != state.turn:
        return _("the neutral has no safeguards (SI-60)")
    if state.closed:
        return _("the pile is empty for good: nothing can be bought (SI-51)")
    n, have = int(rest), len(state.safeguards[state.turn])
    if not have:
        return _("without a safeguard nothing can be bought (SI-40)")
    if not 0 < n <= have:
        words = ngettext(
            "p{{player}} has {n} safeguard: a purchase spends one (SI-40)",
            "p{{player}} has {n} safeguards: a purchase spends one at least, and {n} at most (SI-40)",
            have,
        )
        return words.format(player=state.turn)
    if n * state.rules.bought + state.hands[state.turn].bit_count() > LIMIT:
        return _("a purchase of {n} would make more than seven cards (SI-40)").format(n=n * state.rules.bought)
    return _("there are no {n} cards to draw (SI-40)").format(n=n * state.rules.bought)


def _why_no_barter(state: State, rest: str) -> str:
    if state.closed:
        return _("the pile is empty for good: there is no barter with the market (SI-51)")
    if state.exchanged:
        return _("an exchange was made this turn: no barter with the market, but done (SI-12)")
    return _lacking(state, read(rest), state.mover)


def _why_no_offer(state: State, rest: str) -> str:
    who, _space, said = rest.partition(" ")
    partner = int(who[1:])
    if state.mover != state.turn:
        return _("nobody trades with the neutral, nor it with anybody (SI-60)")
    if partner >= state.players:
        others = join_words(f"p{player}" for player in state.parameters.others[state.turn])
        return _("no player has the number {n}: the others here are {others} (SI-10)").format(n=partner, others=others)
    if partner == state.turn:
        return _("talk with another player, not with yourself (SI-10)")
    if state.talked >> partner & 1:
        return _("one talk with each player a turn, and that with p{player} is over (SI-10)").format(player=partner)
    for player in (state.turn, partner):
        if state.hands[player].bit_count() < TRADERS:
            return _("p{player} holds fewer than three cards and cannot trade (SI-10)").format(player=player)
    return _why_nothing_said(state, said, state.turn, 2, LIMIT)


def _why_nothing_said(state: State, said: str, seat: int, least: int, most: int) -> str:
    held, _as, named = said.partition(" as ")
    cards = read(held)
    if lacking := _lacking(state, cards, seat):
        return lacking
    good = good_named(named)
    if not cards & OF_GOOD[good]:
        return _("name a good that is among the cards offered; {good} is not (SI-11)").format(good=wording.good(good))
    if cards.bit_count() < 2:
        return _("an offer is two cards or more (SI-11)")
    return _("answer with {least} to {most} cards, so that both end with seven or fewer (SI-11)").format(
        least=least, most=most
    )


def _why_no_discard(state: State, verb: str, rest: str, player: int) -> str:
    if verb != "discard":
        return _("the hordes attack: discard goods worth {raid}, or all (SI-25)").format(raid=RAID)
    seat = player if state.commits[player] == OPEN else NEUTRAL
    if rest.startswith("neutral ") != (seat != player):
        if seat != player:
            return _("choose for the neutral now: discard neutral and its cards (SI-60)")
        return _("choose for your own hand now (SI-25)")
    cards = read(rest.removeprefix("neutral "))
    if lacking := _lacking(state, cards, seat):
        return lacking
    if worth(cards) >= RAID:
        return _("{cards} has a card more than needed for {raid} (SI-25)").format(cards=wording.cards(cards), raid=RAID)
    return _("{cards} is worth {worth}; the hordes take {raid}, or all there is (SI-25)").format(
        cards=wording.cards(cards), worth=worth(cards), raid=RAID
    )


def _why_no_pass(state: State, rest: str) -> str:
    if state.mover != state.turn:
        return _("the neutral passes with all its cards in an order, {cards} (SI-61)").format(
            cards=text(state.hands[NEUTRAL])
        )
    return _("a pass names no cards; the top of the pile is dropped (SI-41)")


def _why_trading(state: State) -> str:
    """Return the error that lists the allowed moves once trading has begun."""
    if state.exchanged or state.closed:
        return _("a trade was begun: offer again, or end it by done (SI-7, SI-13)")
    if kinds.partners(state):
        return _("a trade was begun: offer again, or end it by an exchange or a barter (SI-7, SI-13)")
    return _("a trade was begun, and nobody is left to talk with: barter with the market (SI-7, SI-13)")


def _why_not_done(state: State, rest: str) -> str:
    if state.step is Step.TRADE:
        return _why_trading(state)
    if state.mover != state.turn:
        return _("a turn of the neutral is an action: sell, bribe, ask for an audience, barter or pass (SI-60)")
    return _("a turn is one of six actions; to do nothing is to pass (SI-7)")


def _why_no_neutral(state: State, rest: str) -> str:
    if state.neutral is None:
        return _("there is no neutral player here (SI-60, SI-62)")
    return _("first your own action, then the neutral's turn (SI-60)")


_TURN_REASONS: Final = {
    "sell": _why_no_sale,
    "bribe": _why_no_bribe,
    "audience": _why_no_audience,
    "buy": _why_no_purchase,
    "barter": _why_no_barter,
    "offer": _why_no_offer,
    "pass": _why_no_pass,
    "done": _why_not_done,
    "neutral": _why_no_neutral,
}


# Vocabulary


def vocabulary(state: State) -> Iterator[Action]:
    """Yield actions of every kind: all short ones, and of those that combine many cards, some with two, some a hand."""
    yield from map(Action, _ALONE)
    yield from (Action(kinds.BUY.text((n,))) for n in range(1, LIMIT + 1))
    for word in ("barter", "deal", "draw", "drop"):
        yield from (Action(f"{word} {card}") for card in CARD_TEXT)
    yield Action(f"market {' '.join(GOODS)}")
    yield from (Action(f"first p{player}") for player in range(state.players + 1))
    pairs = [*combinations(range(len(CARD_TEXT)), 2)]
    for a, b in pairs[:: 1 + len(pairs) // 100]:
        cards = cards_of([a, b])
        yield Action(kinds.SELL.text((cards,)))
        yield Action(kinds.ANSWER.text((cards, good_of(b))))
        yield from (Action(kinds.OFFER.text((partner, cards, good_of(a)))) for partner in range(state.players + 1))
        yield Action(f"discard {text(cards)}")
    hands = [hand & ALL for hand in state.hands if hand & ALL]
    for cards in chain(hands, (hand & own for hand in hands for own in OF_GOOD if hand & own)):
        yield Action(kinds.SELL.text((cards,)))
        yield kinds.discard_text(cards)
        yield kinds.discard_text(cards, neutral=True)
        yield Action(f"pass {text(cards)}")
        yield Action(kinds.BRIBE.text((0, 1, cards)))
        yield Action(kinds.AUDIENCE.text((0, CYCLE, cards)))
    for up in range(len(GOODS)):
        yield from (Action(kinds.BRIBE.text((up, down, SAFEGUARDS))) for down in range(len(GOODS)) if down != up)
        yield Action(kinds.AUDIENCE.text((up, CYCLE, SAFEGUARDS)))
