"""The Silk Road's rules in ten lines."""

from __future__ import annotations

from typing import Final

from tradekit.i18n import later
from tradekit.show.rules_card import Rule

RULES: Final = (
    Rule(
        later("The aim"),
        later("Sell goods for dinars. The most dinars win; if two are tied, the one with more safeguards."),
        "SI-1 SI-2 SI-52",
    ),
    Rule(
        later("The market"),
        later("You have five cards. Each pile shows its demand: how many cards of that good it buys."),
        "SI-3 SI-4 SI-5",
    ),
    Rule(
        later("Your turn"),
        later("With six cards or fewer, draw one. Then do one thing: trade, sell, bribe, see the Vizier, buy or pass."),
        "SI-6 SI-7",
    ),
    Rule(
        later("Trade"),
        later(
            "Offer two or more cards: say how many, name one good, and give their true sum. The other player answers "
            "in the same way, or declines."
        ),
        "SI-10 SI-11 SI-13 SI-14",
    ),
    Rule(
        later("Barter"),
        later("If you made no exchange this turn, you may swap one card with the market. Then your turn ends."),
        "SI-12",
    ),
    Rule(
        later("Sell"),
        later(
            "Sell exactly as many cards of a good as its demand: 1 dinar each, plus 1, 3 or 6 if they add up to 7, "
            "14 or 21. The lowest card becomes your safeguard."
        ),
        "SI-20 SI-21 SI-22 SI-23 SI-24",
    ),
    Rule(
        later("The hordes"),
        later(
            "Sales of 6 dinars or more bring the hordes closer. When they attack, everyone discards goods worth 25, "
            "or their whole hand."
        ),
        "SI-25",
    ),
    Rule(
        later("Bribe"),
        later(
            "Pay 7 in one good, or a safeguard: of two neighbouring goods, one demand rises and one falls, and only "
            "you may sell them for a while."
        ),
        "SI-30 SI-31 SI-32 SI-33",
    ),
    Rule(
        later("Vizier, buy, pass"),
        later(
            "Pay 14 or two safeguards to rearrange a pile; draw a card for each safeguard; or discard three "
            "from the deck."
        ),
        "SI-35 SI-40 SI-41",
    ),
    Rule(
        later("The end"),
        later(
            "When the deck runs out again, everyone takes two more turns. For two there is a neutral player as well."
        ),
        "SI-50 SI-51 SI-53 SI-54 SI-60 SI-61 SI-62",
    ),
)
