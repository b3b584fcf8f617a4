"""One auction of Turin Market, as a pure function of its bids and of what the tied add (TU-11 to TU-19).

Who wins and who pays is settled by `tradekit.auctions.formats`, which knows no cards; here are the steps that lead
there in a game, where each tie is settled before the next one, and the order in which cards are then chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from tradekit.auctions.formats import Block, Format, Kind

#: A bid of one escudo, in what is compared: the goose and coins put players ahead by less (TU-15, TU-41).
SCALE: Final = 100
_GOOSE: Final = SCALE // 2
_PLACED, _TIED, _VOID = Kind  # Python 3.11 finds members slowly

Bids = tuple[int, ...]


class Turn(NamedTuple):
    """A turn to choose cards: who, how many, and whether they are discarded (TU-16) or taken."""

    player: int
    cards: int
    discards: bool = False


def standing(bids: Sequence[int], ahead: int = -1, bonus: int = 0) -> Bids:
    """What is compared: the bids, and what one player counts besides the bid (TU-42)."""
    return tuple([SCALE * (bid + bonus * (player == ahead)) for player, bid in enumerate(bids)])


def moved(standing: Bids, shifts: Mapping[int, int]) -> Bids:
    """The standing after the goose gave some players the first or last place of their block (TU-41)."""
    return tuple([value + _GOOSE * shifts.get(player, 0) for player, value in enumerate(standing)])


def tie(blocks: Sequence[Block]) -> tuple[int, ...]:
    """Who must bid again first: the highest tie (TU-18); nobody if none is left."""
    return next((block.who for block in blocks if block.kind is _TIED), ())


def flip(format: Format, blocks: Sequence[Block], named: Sequence[int] = ()) -> Block | None:
    """The highest block whose order a coin must say before anything below it goes on, None if there is none.

    That is a block of winners still tied after they bid again (TU-15) and, once no tie is left, a void one above a
    winning place, whose players will name cards (TU-19); `named` are those whose order is known.
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
    """What the coin may say, each as likely: who takes the winning places of the block, in order."""
    return list(permutations(block.who, min(len(block.who), format.places - block.place)))


def ordered(standing: Bids, blocks: Sequence[Block], block: Block, order: Sequence[int]) -> Bids:
    """The standing after the coin put the first of a block in that order.

    All who bid the same as they did are set apart, so that the order among them stays as it is now.
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
    """What each player pays once no tie and no coin is left (TU-12, TU-16, TU-17)."""
    places = format.places
    winners: list[int | None] = []
    for who, kind, _place in blocks:
        if len(winners) < places:
            winners += who if kind is _PLACED else [None] * len(who)
    return format.paid(bids, added, winners[:places])[0]


def turns(format: Format, blocks: Sequence[Block], named: Sequence[int] = ()) -> list[Turn]:
    """Who chooses cards, from the top (TU-19); what is left then is discarded."""
    prizes = format.prizes
    found: list[Turn] = []
    last = 0  # of the turns, those up to the last winner's
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
