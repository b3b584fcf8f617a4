"""Turin Market's rules in ten lines."""

from __future__ import annotations

from typing import Final

from tradekit.i18n import later
from tradekit.show.rules_card import Rule

RULES: Final = (
    Rule(
        later("The aim"),
        later("Win cards at auction. At the end each good pays whoever has the most of it; the most escudos win."),
        "TU-1 TU-3 TU-4 TU-36",
    ),
    Rule(
        later("The start"),
        later("You have 15 escudos and a hand of secret cards. There are five auctions, or four with five players."),
        "TU-2 TU-5 TU-6",
    ),
    Rule(
        later("The cards for sale"),
        later(
            "Everyone puts one card up for auction, all at once. With four or five players, the first auction is for "
            "the cards in the centre."
        ),
        "TU-10",
    ),
    Rule(
        later("Bid"),
        later("Bid in secret, from 0 to all you have. The highest bidders choose their cards first."),
        "TU-11 TU-18 TU-19",
    ),
    Rule(
        later("Pay"),
        later("If you win a card you pay your bid; if not, half of it, rounded down. A bid of 0 wins nothing."),
        "TU-12 TU-13",
    ),
    Rule(
        later("Ties"),
        later(
            "If you tie for a card, add to your bid in secret. Still tied, a coin decides; if nobody adds, nobody wins."
        ),
        "TU-14 TU-15 TU-16 TU-17",
    ),
    Rule(
        later("Sell"),
        later("After an auction you may put a card up for sale: lay its price on it. A buyer pays you that price."),
        "TU-20 TU-21 TU-22 TU-23 TU-24 TU-25",
    ),
    Rule(
        later("The loan"),
        later("Once a game you may borrow 10 escudos when you bid, add, buy or sell. You repay 15 at the end."),
        "TU-30 TU-34 TU-35",
    ),
    Rule(
        later("Who has the most"),
        later(
            "At the end, whoever has the most of a good is paid by the bank, and gets 1 escudo from everyone "
            "else who has some."
        ),
        "TU-31 TU-32 TU-33",
    ),
    Rule(
        later("Other ways to play"),
        later("Three games in a row, or a goose that decides ties or helps whoever is behind."),
        "TU-40 TU-41 TU-42 TU-43",
    ),
)
