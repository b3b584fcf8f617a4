"""Hidden holdings (BZ-22): what the screen does not show, and how it could be otherwise.

Rolls, trades and purchases are public, so a view hides nothing. A screen shows the stones of others as a number, and
then the bank's, too: what is neither in the bank nor in one's own hand is in the others' hands.
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

_SWAPS = 20  #: pairs of stones that are tried


def hides(state: State, viewer: int | None, player: int) -> bool:
    """Whether of a player's stones the viewer sees the number alone; who chooses which goes back sees them (BZ-14)."""
    chooses = state.step == Step.RETURN and player == state.turn and viewer in state.actors
    return state.rules.hidden and viewer not in (None, player) and bool(state.actors) and not chooses


def swapped(state: State, rng: Random, viewer: int) -> State:
    """The state with stones swapped between hands that the viewer does not see, and the bank.

    Everybody keeps as many, and the viewer's legal actions, which tell some of it, stay as they are. The same state if
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
    """Whether a game can come to it: who must buy can (BZ-14), and the bank has what it has given (BZ-2)."""
    try:
        return type(state).parse(str(state)) == state
    except ParseError:
        return False
