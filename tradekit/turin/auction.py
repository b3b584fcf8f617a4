"""One auction of Turin Market, as a pure function of its bids and the additions in ties (TU-11 to TU-19).

`tradekit.auctions.formats` determines winners and payments, without cards. This module has the steps of a game, where
each tie is settled before the next one, and the order in which cards are then chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from tradekit.auctions.formats import Block, Format, Kind

#: Standing per escudo of a bid: the goose and coin tosses put players ahead by less (TU-15, TU-41).
SCALE: Final = 100
_GOOSE: Final = SCALE // 2
_PLACED, _TIED, _VOID = Kind  # Python 3.11 finds members slowly

Bids = tuple[int, ...]


class Turn(NamedTuple):
    """A turn to choose cards: the player, the number of cards, and True if they are discarded (TU-16), not taken."""

    player: int
    cards: int
    discards: bool = False


def standing(bids: Sequence[int], ahead: int = -1, bonus: int = 0) -> Bids:
    """Return the numbers that are compared: the bids, plus one player's bonus (TU-42)."""
    return tuple([SCALE * (bid + bonus * (player == ahead)) for player, bid in enumerate(bids)])


def moved(standing: Bids, shifts: Mapping[int, int]) -> Bids:
    """Return the standing after the goose gave some players the first or last place of their block (TU-41)."""
    return tuple([value + _GOOSE * shifts.get(player, 0) for player, value in enumerate(standing)])


def tie(blocks: Sequence[Block]) -> tuple[int, ...]:
    """Return the players who must bid again next: the highest tie (TU-18); () if no tie is left."""
    return next((block.who for block in blocks if block.kind is _TIED), ())


def flip(format: Format, blocks: Sequence[Block], named: Sequence[int] = ()) -> Block | None:
    """Return the highest block that needs a coin toss for its order before play goes on below it; None if none does.

    This is a block of winners still tied after they bid again (TU-15) or, once no tie is left, a void block above a
    winning place, whose players will name cards (TU-19). `named` are the players whose order is already decided.
    """
    places = format.places
    void, below = None, False
    for block in blocks:
        who, kind, place = block
        if kind is _TIED:
            return None
        if kind is _PLACED and place < places:
            if len(who) > 1:
                return block
            below = void is not None
        elif kind is _VOID and not below and len(who) > 1 and who[0] not in named:
            void = void or block
    return void if below else None


def orders(format: Format, block: Block) -> list[tuple[int, ...]]:
    """List the equally likely results of the coin toss: players of the winning places of the block, in order."""
    return list(permutations(block.who, min(len(block.who), format.places - block.place)))


def ordered(standing: Bids, blocks: Sequence[Block], block: Block, order: Sequence[int]) -> Bids:
    """Return the standing after a coin toss put the first players of a block in that order.

    All equal bids are separated, so that the order among these players does not change any more.
    """
    height = standing[block.who[0]]
    result, below = list(standing), 0
    for other in blocks:
        if standing[other.who[0]] != height:
            continue
        rest = tuple(player for player in other.who if player not in order)
        for group in [*((player,) for player in order), rest] if other == block else [other.who]:
            for player in group:
                result[player] = height - below
            below += 1
    return tuple(result)


def payments(format: Format, bids: Bids, added: Mapping[int, int], blocks: Sequence[Block]) -> tuple[float, ...]:
    """Return each player's payment once no tie and no coin toss is left (TU-12, TU-16, TU-17)."""
    places = format.places
    winners: list[int | None] = []
    for who, kind, _place in blocks:
        if len(winners) < places:
            winners += who if kind is _PLACED else [None] * len(who)
    return format.paid(bids, added, winners[:places])[0]


def turns(format: Format, blocks: Sequence[Block], named: Sequence[int] = ()) -> list[Turn]:
    """Return the turns to choose cards, from the top (TU-19); the remaining cards are discarded."""
    prizes = format.prizes
    found: list[Turn] = []
    last = 0  # number of turns up to the last winner's
    for who, kind, place in blocks:
        if place >= len(prizes):
            break
        if kind is _PLACED:
            found.append(Turn(who[0], int(prizes[place])))
            last = len(found)
        else:
            order = sorted(who, key=named.index) if who[0] in named else who
            found += [Turn(n, int(prizes[p]), True) for p, n in enumerate(order, place) if p < len(prizes)]
    return found[:last]
