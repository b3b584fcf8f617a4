"""What the tests of all bots do: one decision, and a whole game, with the luck of one generator."""

import random

from tradekit.game import CHANCE, draw


def decide(bot, state, seed=0, player=None):
    """What a bot does in a state; the first to act is asked unless `player` says who."""
    player = state.actors[0] if player is None else player
    return bot.choose(state.view(player), state.actions(player), random.Random(seed))


def finish(state, seats, seed=0):
    """The last state of a game that these bots play on."""
    rng = random.Random(seed)
    while state.actors:
        actor = state.actors[0]
        if actor == CHANCE:
            state = state.after(draw(state.outcomes(), rng))
        else:
            state = state.after(seats[actor].choose(state.view(actor), state.actions(actor), rng), actor)
    return state
