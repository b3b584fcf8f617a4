"""A player's knowledge: the state with everything else hidden, and states consistent with it (SI-14).

A player knows their hand, everything open (the market, dinars, safeguards, discards, the marker, the neutral player's
hand, the words of an open offer), the cards they put under the pile, those they gave to others in an exchange, and
those they put under the pile and saw drawn. After cards have left a hand face down, other players no longer know that
any card is still there. Conclusions from earlier offers are left to the player: the offers are in the record.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from tradekit.silk import actions as kinds
from tradekit.silk.cards import ALL, OF_GOOD, UNKNOWN, Cards, cards_of, numbers, value_of, worth
from tradekit.silk.parameters import ALL_KNOW, HIDDEN, Said

if TYPE_CHECKING:
    from tradekit.silk.rules import State


def hide_from(state: State, player: int) -> dict[str, object]:
    """Return the fields of a state as `player` knows it; hidden cards are in `unseen`."""
    own, knows = state.hands[player], state.knows[player]
    unseen = state.unseen
    hands = []
    for seat, hand in enumerate(state.hands):
        if seat != player and seat < state.players:
            hidden = hand & ALL & ~knows
            unseen |= hidden
            unknown = hidden.bit_count() + (hand >> UNKNOWN).bit_count()
            hand = hand & knows | (1 << unknown) - 1 << UNKNOWN
        hands.append(hand)
    under = []
    for card, by in state.under:
        if by not in (player, ALL_KNOW) and card != HIDDEN:
            unseen |= 1 << card
            card = HIDDEN
        under.append((card, by))
    talkers = (state.turn, state.partner)
    offers = [
        said if seat == player else said._replace(cards=0) for seat, said in zip(talkers, state.offers, strict=False)
    ]
    commits = state.commits
    if commits:
        first = [*kinds.first_commits(state.hands, state.players)]
        first[player] = commits[player]
        if player == state.turn:
            first[state.players :] = commits[state.players :]
        commits = tuple(first)
    return {
        "hands": tuple(hands),
        "unseen": unseen,
        "under": tuple(under),
        # a player knows which of their own cards others saw
        "knows": tuple(k if seat == player else k & own for seat, k in enumerate(state.knows)),
        "offers": tuple(offers),
        "commits": commits,
    }


def sample_hidden(state: State, rng: random.Random) -> dict[str, object]:
    """Return the fields of any full state that agrees with a masked one, without a promise about probabilities.

    The hands fit the words of an open offer. What others know of each other's cards is left out.
    """
    hidden = [(hand >> UNKNOWN).bit_count() for hand in state.hands]
    hands = [hand & ALL for hand in state.hands]
    offers = [*state.offers]
    unseen = state.unseen
    for (seat, said), cards in zip(_secret(state), next(cards_said(state, rng)), strict=True):
        offers[seat != state.turn] = said._replace(cards=cards)
        hidden[seat] -= (cards & ~hands[seat]).bit_count()
        hands[seat] |= cards
        unseen &= ~cards
    pool = [*numbers(unseen)]
    rng.shuffle(pool)
    under = tuple((pool.pop() if card == HIDDEN else card, by) for card, by in state.under)
    for seat, n in enumerate(hidden):
        hands[seat] |= cards_of(pool.pop() for _card in range(n))
    return {"hands": tuple(hands), "unseen": cards_of(pool), "under": under, "offers": tuple(offers)}


def _secret(state: State) -> list[tuple[int, Said]]:
    """Return offers and answers with unknown cards, by seat."""
    said = zip((state.turn, state.partner), state.offers, strict=False)
    return [(seat, offer) for seat, offer in said if not offer.cards]


def cards_said(state: State, rng: random.Random) -> Iterator[tuple[Cards, ...]]:
    """Yield all sets that the unknown cards of an open offer can be, in random order; none if nothing fits."""
    hands, hidden = [hand & ALL for hand in state.hands], [(hand >> UNKNOWN).bit_count() for hand in state.hands]
    return _sets_said(_secret(state), hands, hidden, state.unseen, rng)


def _sets_said(
    said: list[tuple[int, Said]], hands: list[Cards], hidden: list[int], unseen: Cards, rng: random.Random
) -> Iterator[tuple[Cards, ...]]:
    """Yield ways to choose cards for the words of some seats, without repeats, in random order."""
    if not said:
        yield ()
        return
    (seat, first), *rest = said
    for cards in sets_said(first, hands[seat], hidden[seat], unseen, rng):
        for others in _sets_said(rest, hands, hidden, unseen & ~cards, rng):
            yield cards, *others


def sets_said(said: Said, known: Cards, hidden: int, unseen: Cards, rng: random.Random) -> Iterator[Cards]:
    """Yield all sets of cards that fit the words said, in random order; some may come twice (SI-11).

    The hand has the cards `known`, and `hidden` more cards among `unseen`.
    """
    mine = numbers(known)
    some = [cards for n in range(min(said.size, len(mine)) + 1) for cards in combinations(mine, n)]
    rng.shuffle(some)
    for held in some:
        cards = cards_of(held)
        n, total = said.size - len(held), said.total - worth(cards)
        if n > hidden or n < 0:
            continue
        if cards & OF_GOOD[said.good]:
            yield from (cards | more for more in _sums([*numbers(unseen)], n, total, rng))
            continue
        named = [*numbers(unseen & OF_GOOD[said.good])]
        rng.shuffle(named)
        for card in named if n else ():
            pool = [*numbers(unseen & ~(1 << card))]
            yield from (cards | 1 << card | more for more in _sums(pool, n - 1, total - value_of(card), rng))


def _sums(pool: list[int], n: int, total: int, rng: random.Random) -> Iterator[Cards]:
    """Yield all sets of `n` cards of a pool whose values add up to `total`, in random order.

    For every end of the pool and every number of cards, the reachable sums are the bits of an integer, so the search
    never enters a dead end.
    """
    if total < 0:
        return
    rng.shuffle(pool)
    reach = [[1] + [0] * n]
    for card in reversed(pool):
        last = reach[-1]
        reach.append([1, *(last[k] | last[k - 1] << value_of(card) for k in range(1, n + 1))])
    reach.reverse()

    def search(place: int, n: int, total: int) -> Iterator[Cards]:
        if not n:
            yield 0
            return
        value = value_of(pool[place])
        if total >= value and reach[place + 1][n - 1] >> total - value & 1:
            for cards in search(place + 1, n - 1, total - value):
                yield cards | 1 << pool[place]
        if reach[place + 1][n] >> total & 1:
            yield from search(place + 1, n, total)

    if reach[0][n] >> total & 1:
        yield from search(0, n, total)
