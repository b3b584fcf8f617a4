"""Helpers of all tests of bots: one decision, and a whole game, with the luck of one generator."""

import random

from tradekit.game import CHANCE, draw


def decide(bot, state, seed=0, player=None):
    """Return a bot's action in a state; the first actor decides unless `player` is given."""
    player = state.actors[0] if player is None else player
    return bot.choose(state.view(player), state.actions(player), random.Random(seed))


def finish(state, seats, seed=0):
    """Return the last state of a game that these bots play on."""
    rng = random.Random(seed)
    while state.actors:
        actor = state.actors[0]
        if actor == CHANCE:
            state = state.after(draw(state.outcomes(), rng))
        else:
            state = state.after(seats[actor].choose(state.view(actor), state.actions(actor), rng), actor)
    return state
