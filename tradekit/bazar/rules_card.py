"""Bazar's rules in ten lines."""

from __future__ import annotations

from typing import Final

from tradekit.i18n import later
from tradekit.show.rules_card import Rule

RULES: Final = (
    Rule(
        later("The aim"),
        later("Buy wares with stones. Whoever has the most points wins; if two are tied, the one with fewer wares."),
        "BZ-4 BZ-6 BZ-18",
    ),
    Rule(
        later("Your turn"),
        later("Do one thing: roll the die or make one trade. If you have no stones, roll."),
        "BZ-8 BZ-9 BZ-11",
    ),
    Rule(
        later("Roll"),
        later("Take a stone of the colour you roll. Choice lets you take any colour the bank still has."),
        "BZ-1 BZ-2 BZ-5",
    ),
    Rule(
        later("Trade"),
        later("Use one equation once, either way round: give the stones on one side and take those on the other."),
        "BZ-3 BZ-10",
    ),
    Rule(
        later("Buy"),
        later(
            "After your roll or trade you may buy one ware for its five stones. The next card of its stall turns up."
        ),
        "BZ-7 BZ-12 BZ-13",
    ),
    Rule(
        later("Points"),
        later(
            "The fewer stones you have left, the more points: 5, 3, 2 or 1 with 0, 1, 2 or more left. Stars add points."
        ),
        "BZ-15",
    ),
    Rule(
        later("Ten stones"),
        later(
            "You may keep ten stones. A trade may pass ten only if you then buy; after a roll, your left neighbour "
            "gives one back."
        ),
        "BZ-14",
    ),
    Rule(
        later("An empty stall"),
        later("Once a stall is empty, every ware bought after that scores as if it had one more star."),
        "BZ-16",
    ),
    Rule(
        later("The end"),
        later(
            "The bazaar closes at once when a second stall is empty, or when nobody has bought for a very long time."
        ),
        "BZ-17 BZ-19",
    ),
    Rule(
        later("Other ways to play"),
        later(
            "Two wares in a turn, a clock, hidden stones, a limit on stones left over, or alone: buy with none left."
        ),
        "BZ-20 BZ-21 BZ-22 BZ-23 BZ-30",
    ),
)
