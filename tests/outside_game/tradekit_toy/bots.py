"""The bots of the toy auction."""

from tradekit.bots import Bot
from tradekit.game import Action


class HalfBot(Bot):
    """Bids half of what the two numbers are worth if the other one is 2, rounded down."""

    name = "half"
    games = ("toy",)
    deterministic = True

    def choose(self, view, actions, rng):
        return Action(f"bid {(view.known.numbers[view.player] + 2) // 2}")
