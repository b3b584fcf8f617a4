"""Kinds of actions, with the legal actions of each kind in a state and their text.

A hand of seven cards allows hundreds of offers, and an audience orders a pile in a hundred ways for every way to pay.
So the legal actions are a lazy collection, `Choices`: each kind can count its actions, list them, check whether a text
is one of them, and draw one, all without listing the rest.

A *move* is an action as numbers and sets of cards; `tradekit.silk.rules` carries it out. An action is its text and
nothing else, so it reveals nothing about the state that listed it.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial
from typing import TYPE_CHECKING, Any, Final

from tradekit._utils.fixed import Fixed
from tradekit.game import Action, ParseError
from tradekit.silk.cards import (
    ALL,
    CARD_TEXT,
    GOOD_NUMBER,
    GOODS,
    OF_GOOD,
    UNKNOWN,
    VALUES,
    WORTH,
    Cards,
    by_good,
    cards_of,
    counts,
    looked_up,
    numbers,
    payments,
    read_sequence,
    sequence_text,
    text,
    text_of_good,
)
from tradekit.silk.market import CYCLE
from tradekit.silk.parameters import FEWEST_OFFERED, LIMIT, NEUTRAL, OPEN, RAID, TRADERS, Step

if TYPE_CHECKING:
    from tradekit.silk.draft import Draft
    from tradekit.silk.rules import State

Move = tuple[Any, ...]

SAFEGUARDS: Final[Cards] = 0  #: payment with safeguards, in place of a set of cards
ORDER_TEXT: Final = {order: " ".join(map(str, order)) for order in permutations(CYCLE)}
_ORDERS: Final = {text: order for order, text in ORDER_TEXT.items()}


class Kind(ABC):
    """Actions that begin with the same word."""

    verb: str

    @abstractmethod
    def read(self, rest: str) -> Move | None:
        """Return the move that the text after the verb describes, legal or not; raise `ParseError` for no cards."""

    @abstractmethod
    def legal(self, state: State, move: Move) -> bool:
        """Return True if a move is legal."""

    @abstractmethod
    def each(self, state: State) -> Iterator[Move]:
        """Yield all legal moves, in a stable order."""

    @abstractmethod
    def text(self, move: Move) -> str:
        """Return the exact text of a move."""

    def drawn(self, state: State, move: Move) -> Action:
        """Return the action for a move drawn from the legal moves of a state."""
        global last
        text = self.text(move)
        last = (state, text, self, move)
        return Action(text)

    def count(self, state: State) -> int:
        """Count the legal moves."""
        return sum(1 for _move in self.each(state))

    def sample(self, state: State, rng: random.Random) -> Action | None:
        """Draw a legal action, each equally likely; None if there is none."""
        moves = [*self.each(state)]
        return self.drawn(state, moves[int(rng.random() * len(moves))]) if moves else None


class Word(Kind):
    """An action that is one word."""

    def __init__(self, verb: str) -> None:
        self.verb = verb

    def read(self, rest: str) -> Move | None:  # noqa: D102
        return None if rest else ()

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        return True

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        return iter([()] if self.legal(state, ()) else [])

    def text(self, move: Move) -> str:  # noqa: D102
        return self.verb

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        return self.drawn(state, ()) if self.legal(state, ()) else None


class Done(Word):
    """End of the trading: after an exchange (SI-10), or when there is no pile to barter with (SI-51)."""

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        return bool(state.exchanged or state.closed)


# Sales


def blocked(state: State, good: int) -> bool:
    """Return True if another player's bribe forbids the player to move to sell the good (SI-32)."""
    marker = state.marker
    return bool(marker) and good in marker[2:] and marker[1] != state.mover


class Sell(Kind):
    """``sell ivory 3 5 7 8``: as many cards as the good's demand (SI-20)."""

    verb = "sell"

    def read(self, rest: str) -> Move | None:  # noqa: D102
        return (cards_of(read_sequence(rest)),)

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        (cards,) = move
        good = (cards.bit_length() - 1) // VALUES
        return not (
            cards & ~(state.hands[state.mover] & OF_GOOD[good])
            or cards.bit_count() != state.market.demands[good]
            or (state.marker and blocked(state, good))
        )

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        for held, demand in self.goods(state):
            for some in combinations(numbers(held), demand):
                yield (cards_of(some),)

    def goods(self, state: State) -> list[tuple[Cards, int]]:
        """List, for each good that can be sold, the cards in hand and the demand."""
        hand, found = state.hands[state.mover], []
        for good, demand in enumerate(state.market.demands):
            if demand:
                held = hand & OF_GOOD[good]
                if held.bit_count() >= demand and not (state.marker and blocked(state, good)):
                    found.append((held, demand))
        return found

    def text(self, move: Move) -> str:  # noqa: D102
        return f"sell {text_of_good(move[0])}"

    def count(self, state: State) -> int:  # noqa: D102
        return sum([comb(held.bit_count(), demand) for held, demand in self.goods(state)])

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        goods = self.goods(state)
        if not goods:
            return None
        place = 0
        if len(goods) > 1:
            sets = [comb(held.bit_count(), demand) for held, demand in goods]
            number = int(rng.random() * sum(sets))
            while number >= sets[place]:
                number -= sets[place]
                place += 1
        held, demand = goods[place]
        cards = held
        while cards.bit_count() != demand:
            cards = rng.getrandbits(UNKNOWN) & held
        return self.drawn(state, (cards,))


# Bribes and audiences


def has_safeguards(state: State, n: int) -> bool:
    """Return True if the player to move can pay with n safeguards; the neutral player has none (SI-60)."""
    return state.mover == state.turn and len(state.safeguards[state.turn]) >= n


@cache
def _ways(cost: int) -> tuple[Mapping[int, list[Cards]], ...]:
    """Return tables of the sets of cards that pay a cost, by values in hand of one good."""
    return by_good(lambda cards: payments(cards, cost))


def ways_to_pay(state: State, cost: int, safeguards: int) -> list[Cards]:
    """List payments of the player to move: `SAFEGUARDS` if there are enough, and cards of one good worth `cost`."""
    hand = state.hands[state.mover]
    ways = looked_up(hand, _ways(cost))
    if has_safeguards(state, safeguards):
        ways.append(SAFEGUARDS)
    return ways


def can_pay(state: State, payment: Cards, cost: int, safeguards: int) -> bool:
    """Return True if the player to move can pay this way, with no card to spare."""
    if payment == SAFEGUARDS:
        return has_safeguards(state, safeguards)
    shift = (payment.bit_length() - 1) // VALUES * VALUES
    values = payment >> shift
    if payment & ~state.hands[state.mover] or values << shift != payment:
        return False
    return cost <= WORTH[values] < cost + (values & -values).bit_length()


def open_pairs(state: State) -> list[tuple[int, int]]:
    """List the neighbours in the market that a bribe can turn: neither is blocked (SI-33)."""
    pairs, goods = state.market.neighbours(), state.marker[2:]
    return [(a, b) for a, b in pairs if a not in goods and b not in goods] if goods else pairs


def _payment(text: str, safeguards: str) -> Cards:
    return SAFEGUARDS if text == safeguards else cards_of(read_sequence(text))


class Bribe(Kind):
    """``bribe ivory up tea down with silk 3 4``, or ``with safeguard``: turn two neighbours (SI-30, SI-31)."""

    verb = "bribe"

    def read(self, rest: str) -> Move | None:  # noqa: D102
        goods, _with, paid = rest.partition(" with ")
        words = goods.split()
        if len(words) != 4 or words[1] != "up" or words[3] != "down":
            return None
        up, down = GOOD_NUMBER.get(words[0], -1), GOOD_NUMBER.get(words[2], -1)
        return (up, down, _payment(paid, "safeguard")) if up >= 0 <= down else None

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        up, down, payment = move
        row, goods = state.market.row, state.marker[2:]
        return (
            abs(row.index(up) - row.index(down)) == 1
            and not (goods and (up in goods or down in goods))
            and can_pay(state, payment, state.parameters.bribe, 1)
        )

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        ways = ways_to_pay(state, state.parameters.bribe, 1)
        for a, b in open_pairs(state) if ways else ():
            for payment in ways:
                yield a, b, payment
                yield b, a, payment

    def text(self, move: Move) -> str:  # noqa: D102
        up, down, payment = move
        return f"bribe {GOODS[up]} up {GOODS[down]} down with {text_of_good(payment) if payment else 'safeguard'}"

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        ways = ways_to_pay(state, state.parameters.bribe, 1)
        pairs = open_pairs(state) if ways else ()
        if not pairs:
            return None
        place, turned = divmod(int(rng.random() * 2 * len(pairs)), 2)
        a, b = pairs[place]
        payment = ways[int(rng.random() * len(ways))]
        return self.drawn(state, (b, a, payment) if turned else (a, b, payment))


class Audience(Kind):
    """``audience ivory 4 2 3 1 0 with silk 5 9``, or ``with safeguards``: reorder the ivory pile (SI-35)."""

    verb = "audience"

    def read(self, rest: str) -> Move | None:  # noqa: D102
        what, _with, paid = rest.partition(" with ")
        name, _space, numbers = what.partition(" ")
        good, order = GOOD_NUMBER.get(name, -1), _ORDERS.get(numbers)
        return None if good < 0 or order is None else (good, order, _payment(paid, "safeguards"))

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        _good, order, payment = move
        return bool(order[0] or state.market.zeros_stay) and can_pay(state, payment, state.parameters.audience, 2)

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        for payment in ways_to_pay(state, state.parameters.audience, 2):
            for good in range(len(GOODS)):
                for order in state.market.orders():
                    yield good, order, payment

    def count(self, state: State) -> int:  # noqa: D102
        return len(ways_to_pay(state, state.parameters.audience, 2)) * len(GOODS) * len(state.market.orders())

    def text(self, move: Move) -> str:  # noqa: D102
        good, order, payment = move
        return f"audience {GOODS[good]} {ORDER_TEXT[order]} with {text_of_good(payment) if payment else 'safeguards'}"

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        ways = ways_to_pay(state, state.parameters.audience, 2)
        if not ways:
            return None
        orders = state.market.orders()
        good, order = divmod(int(rng.random() * len(GOODS) * len(orders)), len(orders))
        return self.drawn(state, (good, orders[order], ways[int(rng.random() * len(ways))]))


# Buying, bartering, passing


def most_bought(state: State) -> int:
    """Return the highest number of safeguards that can be turned into cards (SI-40).

    No hand can have more than seven cards, and there must be cards to draw: those of the draw pile and, unless it runs
    out for the last time, those of the new one.
    """
    each = state.rules.bought
    most = min(len(state.safeguards[state.turn]), (LIMIT - state.hands[state.turn].bit_count()) // each)
    if most > 0 and most * each > state.pile:
        while most and most * each > state.supply(most):
            most -= 1
    return most


class Buy(Kind):
    """``buy 2``: two safeguards for two cards (SI-40)."""

    verb = "buy"

    def read(self, rest: str) -> Move | None:  # noqa: D102
        number = _NUMBERS.get(rest)
        return None if number is None else (number,)

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        return bool(0 < move[0] <= most_bought(state))

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        return ((n + 1,) for n in range(most_bought(state)))

    def text(self, move: Move) -> str:  # noqa: D102
        return f"buy {move[0]}"

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        return super().sample(state, rng) if state.safeguards[state.turn] else None


class Barter(Kind):
    """``barter ivory 3``: put that card under the draw pile and draw another (SI-12)."""

    verb = "barter"

    def read(self, rest: str) -> Move | None:  # noqa: D102
        card = _CARD.get(rest)
        return None if card is None else (card,)

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        return bool(state.hands[state.mover] >> move[0] & 1) and not (state.exchanged or state.closed)

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        open_ = not (state.exchanged or state.closed)
        return ((card,) for card in (numbers(state.hands[state.mover]) if open_ else ()))

    def text(self, move: Move) -> str:  # noqa: D102
        return f"barter {CARD_TEXT[move[0]]}"

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        if state.exchanged or state.closed:
            return None
        held = numbers(state.hands[state.mover])
        return self.drawn(state, (held[int(rng.random() * len(held))],)) if held else None


class NeutralPass(Kind):
    """``pass ivory 3 silk 9``: put the neutral player's cards under the pile in order, and draw as many (SI-61)."""

    verb = "pass"

    def read(self, rest: str) -> Move | None:  # noqa: D102
        return read_sequence(rest) if rest else ()

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        return cards_of(move) == state.hands[NEUTRAL]

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        return permutations(numbers(state.hands[NEUTRAL]))

    def count(self, state: State) -> int:  # noqa: D102
        return factorial(state.hands[NEUTRAL].bit_count())

    def text(self, move: Move) -> str:  # noqa: D102
        return f"pass {sequence_text(move)}".strip()

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        order = numbers(state.hands[NEUTRAL])
        rng.shuffle(order)
        return self.drawn(state, tuple(order))


# Offers


def partners(state: Draft) -> list[int]:
    """List players who can still get an offer: both sides need three cards, one offer per player and turn (SI-10)."""
    hands, talked = state.hands, state.talked
    if hands[state.turn].bit_count() < TRADERS:
        return []
    found = []
    for player in state.parameters.others[state.turn]:  # a comprehension would take half as long again
        if hands[player].bit_count() >= TRADERS and not talked >> player & 1:
            found.append(player)
    return found


def offers(hand: Cards, least: int, most: int) -> Iterator[Move]:
    """Yield all sets of `least` to `most` cards of a hand, each with every good in it that can be named."""
    held = numbers(hand)
    for n in range(least, most + 1):
        for some in combinations(held, n):
            cards = cards_of(some)
            for good, own in enumerate(OF_GOOD):
                if cards & own:
                    yield cards, good


def _count_offers(hand: Cards, least: int, most: int) -> int:
    """Count such offers: for each good, all sets except those without it."""
    n = hand.bit_count()
    return sum(comb(n, size) - comb(n - own, size) for size in range(least, most + 1) for own in counts(hand) if own)


def _sample_offer(hand: Cards, least: int, most: int, rng: random.Random) -> tuple[Cards, int]:
    """Draw one such offer, each equally likely: draw a set of cards and a good until the set has that good."""
    while True:
        cards = rng.getrandbits(UNKNOWN) & hand
        if least <= cards.bit_count() <= most:
            good = int(rng.random() * len(GOODS))
            if cards & OF_GOOD[good]:
                return cards, good


def _read_offer(words: list[str]) -> tuple[Cards, int] | None:
    """Read the cards and the good of ``silk 9 ivory 7 as silk``."""
    if len(words) < 3 or words[-2] != "as" or words[-1] not in GOOD_NUMBER:
        return None
    return cards_of(read_sequence(" ".join(words[:-2]))), GOOD_NUMBER[words[-1]]


class Offer(Kind):
    """``offer p2 silk 9 ivory 7 as silk``: said aloud is "two cards, 16 points of silk" (SI-11)."""

    verb = "offer"

    def read(self, rest: str) -> Move | None:  # noqa: D102
        who, *words = rest.split() or [""]
        offer = _read_offer(words)
        return (_SEAT[who], *offer) if offer and who in _SEAT else None

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        partner, cards, good = move
        return (
            cards & OF_GOOD[good] != 0
            and cards & state.hands[state.turn] == cards
            and cards.bit_count() >= FEWEST_OFFERED
            and partner in partners(state)
        )

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        hand = state.hands[state.turn]
        for partner in partners(state):
            for cards, good in offers(hand, FEWEST_OFFERED, hand.bit_count()):
                yield partner, cards, good

    def count(self, state: State) -> int:  # noqa: D102
        hand, others = state.hands[state.turn], partners(state)
        return len(others) * _count_offers(hand, FEWEST_OFFERED, hand.bit_count()) if others else 0

    def text(self, move: Move) -> str:  # noqa: D102
        partner, cards, good = move
        return f"offer p{partner} {text(cards)} as {GOODS[good]}"

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        others = partners(state)
        if not others:
            return None
        partner = others[int(rng.random() * len(others))]
        return self.drawn(state, (partner, *_sample_offer(state.hands[state.turn], FEWEST_OFFERED, LIMIT, rng)))


def answer_sizes(state: State) -> tuple[int, int]:
    """Return the lowest and highest number of cards in an answer that leaves nobody with more than seven (SI-11)."""
    mine, theirs = state.hands[state.turn].bit_count(), state.hands[state.partner].bit_count()
    offered = state.offers[0].size
    return max(FEWEST_OFFERED, theirs + offered - LIMIT), min(theirs, LIMIT - mine + offered)


class Answer(Kind):
    """``answer cloth 5 8 as cloth``: the other player's offer in return (SI-11)."""

    verb = "answer"

    def read(self, rest: str) -> Move | None:  # noqa: D102
        return _read_offer(rest.split())

    def legal(self, state: State, move: Move) -> bool:  # noqa: D102
        cards, good = move
        least, most = answer_sizes(state)
        held = state.hands[state.partner]
        return bool(cards & OF_GOOD[good] and not cards & ~held and least <= cards.bit_count() <= most)

    def each(self, state: State) -> Iterator[Move]:  # noqa: D102
        return offers(state.hands[state.partner], *answer_sizes(state))

    def count(self, state: State) -> int:  # noqa: D102
        return _count_offers(state.hands[state.partner], *answer_sizes(state))

    def text(self, move: Move) -> str:  # noqa: D102
        cards, good = move
        return f"answer {text(cards)} as {GOODS[good]}"

    def sample(self, state: State, rng: random.Random) -> Action | None:  # noqa: D102
        return self.drawn(state, _sample_offer(state.hands[state.partner], *answer_sizes(state), rng))


# Raids


def discards(hand: Cards) -> list[Cards]:
    """List possible losses to the hordes: sets worth 25 or more with none to spare, or the whole hand (SI-25)."""
    return payments(hand & ALL, RAID) or [hand & ALL]


def first_commits(hands: tuple[Cards, ...], players: int) -> tuple[int, ...]:
    """Return the losses fixed when a raid begins, by hand; `OPEN` where a choice remains.

    Empty hands lose nothing, and the neutral player's open hand may leave no choice. Players choose even where only
    one choice is legal, so that nobody sees how much a hand is worth.
    """
    commits = [OPEN if hand else 0 for hand in hands]
    for hand in hands[players:]:
        ways = discards(hand)
        commits[-1] = ways[0] if len(ways) == 1 else OPEN
    return tuple(commits)


def discard_text(cards: Cards, neutral: bool = False) -> Action:
    """Return the action that commits to losing these cards."""
    return Action(f"discard {'neutral ' if neutral else ''}{text(cards)}")


# All of them

_NUMBERS: Final = {str(n): n for n in range(1, LIMIT + 1)}
_SEAT: Final = {f"p{n}": n for n in range(5)}
_CARD: Final = {text: card for card, text in enumerate(CARD_TEXT)}

PASS: Final = Word("pass")
DONE: Final = Done("done")
DECLINE: Final = Word("decline")
ACCEPT: Final = Word("accept")
NEUTRAL_TURN: Final = Word("neutral")
NO_NEUTRAL_TURN: Final = Word("done")
SELL, BRIBE, AUDIENCE, BUY, BARTER = Sell(), Bribe(), Audience(), Buy(), Barter()
OFFER, ANSWER, NEUTRAL_PASS = Offer(), Answer(), NeutralPass()

NEUTRAL_ACTION: Final = (SELL, BRIBE, AUDIENCE, BARTER, NEUTRAL_PASS)  #: kinds in a neutral turn (SI-60)
BY_STEP: Final[dict[Step, tuple[Kind, ...]]] = {
    Step.TURN: (SELL, BRIBE, AUDIENCE, BUY, BARTER, OFFER, PASS),  # SI-7
    Step.TRADE: (OFFER, BARTER, DONE),
    Step.ANSWER: (ANSWER, DECLINE),
    Step.ACCEPT: (ACCEPT, DECLINE),
    Step.NEUTRAL: (NEUTRAL_TURN, NO_NEUTRAL_TURN),
}

#: The move drawn last: its state, text, kind, and the move itself. It is usually played at once, and needs no second
#: check that it is legal. The action carries none of this: it is its text.
last: tuple[object, str, Kind, Move] = (None, "", PASS, ())


def read(some: tuple[Kind, ...], action: str) -> tuple[Kind, Move] | None:
    """Return the kind of an action, among `some`, and its move; None if it is of none of them.

    Cards can come in any form that `read_sequence` reads; everything else must be exact.
    """
    verb, _space, rest = action.partition(" ")
    for kind in some:
        if kind.verb == verb:
            with suppress(ParseError):
                move = kind.read(rest)
                return None if move is None else (kind, move)
    return None


class Choices(Fixed, Collection[Action]):
    """Legal actions of a state, listed only on demand.

    `sample` first draws a kind, with equal probability among those with legal actions, and then an action of this
    kind, also with equal probability.
    """

    __slots__ = ("kinds", "state")
    state: State
    kinds: tuple[Kind, ...]

    def __init__(self, state: State, kinds: tuple[Kind, ...]) -> None:
        _set_state(self, state)
        _set_kinds(self, kinds)

    def __iter__(self) -> Iterator[Action]:
        state = self.state
        return (Action(kind.text(move)) for kind in self.kinds for move in kind.each(state))

    def __len__(self) -> int:
        return sum([kind.count(self.state) for kind in self.kinds])

    def __bool__(self) -> bool:
        return True  # a step without a legal action does not come up

    def __contains__(self, action: object) -> bool:
        found = read(self.kinds, action) if isinstance(action, str) else None
        if found is None:
            return False
        kind, move = found
        return kind.text(move) == action and kind.legal(self.state, move)

    def __repr__(self) -> str:
        return f"<{len(self)} actions: {', '.join(kind.verb for kind in self.kinds if kind.count(self.state))}>"

    def sample(self, rng: random.Random) -> Action:
        """Draw a legal action at random."""
        kinds = self.kinds
        while True:
            action = kinds[int(rng.random() * len(kinds))].sample(self.state, rng)
            if action is not None:
                return action


_set_state, _set_kinds = Choices.state.__set__, Choices.kinds.__set__  # type: ignore[attr-defined]
