"""Positions of Turin Market written as differences from the usual one, and moves that tests make in them."""

import re

import pytest

from tradekit import turin
from tradekit.auctions.formats import turin as auction_format
from tradekit.game import CHANCE, IllegalAction
from tradekit.turin import State
from tradekit.turin.draft import OPEN
from tradekit.turin.parameters import ALL, SIMULTANEOUS, Step, bits, numbers

RICH = 100  # enough for every bid of the tests


def at(players=3, step=Step.BID, *, auction=1, hands=None, centre=None, won=None, options=None, **fields):
    """Return a position of the second auction, before the bids: two hand cards each, 15 escudos each, nothing won.

    Cards are given by their numbers: `centre` a list, `hands` and `won` one list per player. `sale`: (card, owner,
    price).
    """
    start = turin.new(players, **options or {})
    if centre is None:
        centre = range(1, 1 + int(sum(auction_format(players, first=not auction).prizes)))
    won = won or [()] * players
    used = [*centre, *(card for cards in won for card in cards)]
    if hands is None:
        free = [card for card in range(18, 0, -1) if card not in used]
        hands = [free[2 * player : 2 * player + 2] for player in range(players)]
    values = {name: getattr(start, name) for name in State.FIELDS}
    values |= {
        "step": step,
        "auction": auction,
        "hands": tuple(map(bits, hands)),
        "centre": bits(centre),
        "won": tuple(map(bits, won)),
        "commits": (OPEN,) * players if step in SIMULTANEOUS else (),
        **fields,
    }
    if step is Step.BID:  # a player who has nothing and cannot borrow has no choice
        able = (have or not loan for have, loan in zip(values["reserve"], values["loans"], strict=True))
        values["commits"] = tuple(OPEN if may else 0 for may in able)
    seen = [*values["hands"], *values["won"], values["centre"], values["gone"]]
    values["rest"] = ALL & ~sum(seen)
    values["bank"] = -sum(values["reserve"]) - sum(price for _card, _owner, price in values["sale"])
    state = State.make(**values)
    assert State.parse(str(state)) == state, "not a position that the rules know"
    return state


def rich(players, first=False, **fields):
    """Return a position in which all are about to bid, and nobody is short of money."""
    auction = 0 if first and players > 3 else 1
    return at(players, auction=auction, reserve=(RICH,) * players, **fields)


def play(state, *moves):
    """Return the state after moves such as ``p1 bid 4``, or ``order p1 p0`` if chance acts."""
    for move in moves:
        player = re.match(r"p(\d) ", move)
        state = state.after(move[3:] if player else move, int(player[1]) if player else CHANCE)
    return state


def all_bid(state, *bids):
    """Return the state after these bids, by seat."""
    return play(state, *(f"p{player} bid {bid}" for player, bid in enumerate(bids)))


def all_add(state, **additions):
    """Return the state after the tied players have added: ``all_add(state, p0=2, p1=0)``."""
    return play(state, *(f"{player} add {amount}" for player, amount in additions.items()))


def choose_first(state):
    """Return the state when all cards of an auction are chosen: always the first of several."""
    while state.step is Step.TAKE:
        state = state.after(next(iter(state.actions(state.actors[0]))))
    return state


def endings(state, additions, chance=1.0):
    """Yield every way that the coin may end an auction, (probability, state); the first cards are chosen each time."""
    while state.step in (Step.ADD, Step.TAKE):
        player = state.actors[0]
        adds = state.step is Step.ADD
        state = state.after(f"add {additions[player]}" if adds else next(iter(state.actions(player))), player)
    if state.step is not Step.COIN:
        yield chance, state
    for action, probability in state.outcomes():
        yield from endings(state.after(action), additions, chance * probability)


def paid(before, after):
    """Return what each player has paid between two states."""
    return tuple(have - left for have, left in zip(before.reserve, after.reserve, strict=True))


def cards_won(state):
    """Return the number of cards in front of each player."""
    return tuple(won.bit_count() for won in state.won)


def lying(state, player):
    """Return the numbers of the cards in front of a player."""
    return numbers(state.won[player])


def refused(state, action, message, player=None):
    """Check that the action is refused with that message, and that nothing has changed."""
    text = str(state)
    with pytest.raises(IllegalAction) as error:
        state.after(action, player)
    assert str(error.value) == message
    assert str(state) == text
