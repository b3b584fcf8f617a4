"""The toy auction, a game of tradekit."""

from dataclasses import replace

from tradekit.game import BotInfo
from tradekit_toy import rules

GAME = replace(
    rules.GAME,
    title="Toy auction",
    help="https://toy.example/rules",
    bots=(BotInfo("half", "tradekit_toy.bots:HalfBot", title="Half", level="medium", best=(2,)),),
    measured="tradekit_toy:bots.csv",
)
