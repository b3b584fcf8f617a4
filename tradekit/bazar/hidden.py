"""Hidden hands: the stones that the screen does not show, and other hands consistent with it (BZ-22).

Rolls, trades and purchases are public, so a view hides nothing. A screen shows only the number of others' stones, and
then also of the bank's: all stones that are neither in the bank nor in your hand are in the others' hands.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tradekit.bazar.packed_stones import UNIT, counts
from tradekit.bazar.parameters import Step
from tradekit.drafts import put
from tradekit.game import ParseError

if TYPE_CHECKING:
    from tradekit.bazar.rules import State

_SWAPS = 20  #: number of pairs of stones tried


def hides(state: State, viewer: int | None, player: int) -> bool:
    """Return True if the viewer sees only the number of a player's stones.

    The neighbour who chooses which stone goes back sees them (BZ-14).
    """
    chooses = state.step == Step.RETURN and player == state.turn and viewer in state.actors
    return state.rules.hidden and viewer not in (None, player) and bool(state.actors) and not chooses


def swapped(state: State, rng: Random, viewer: int) -> State:
    """Return the state with stones swapped between the bank and hands that the viewer does not see.

    Numbers of stones do not change, nor do the viewer's legal actions, which reveal a part. The state is the same if
    nothing is hidden or no swap was found.
    """
    hidden = [player for player in range(state.players) if hides(state, viewer, player)]
    legal = state.actions(viewer)
    for _swap in range(_SWAPS if hidden else 0):
        giver, taker = rng.choice(hidden), rng.choice([*hidden, -1])  # -1: the bank
        give, take = rng.sample(range(len(UNIT)), 2)
        takers = state.bank if taker < 0 else state.hands[taker]
        if giver == taker or not counts(state.hands[giver])[give] or not counts(takers)[take]:
            continue
        change = UNIT[take] - UNIT[give]
        hands, bank = put(state.hands, giver, state.hands[giver] + change), state.bank
        if taker < 0:
            bank -= change
        else:
            hands = put(hands, taker, hands[taker] - change)
        other = state._with(hands=hands, bank=bank)
        if other.actions(viewer) == legal and _can_be(other):
            state = other
    return state


def _can_be(state: State) -> bool:
    """Return True if a game can reach it: a player who must buy can (BZ-14), and the bank is not overdrawn (BZ-2)."""
    try:
        return type(state).parse(str(state)) == state
    except ParseError:
        return False
