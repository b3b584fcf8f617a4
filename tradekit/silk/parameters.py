"""What is fixed for a game of The Silk Road: the options of the rules, the players, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from tradekit._utils.arguments import checked
from tradekit.game import CHANCE, Listed
from tradekit.i18n import _
from tradekit.options import Options, Shared
from tradekit.silk.cards import VALUES, Cards, good, worth

LIMIT: Final = 7  #: SI-6: with so many cards in hand none is drawn; no hand is ever larger
TRADERS: Final = 3  #: SI-10: both sides of a talk need so many cards
FEWEST_OFFERED: Final = 2  #: SI-11
RICH_SALE: Final = 6  #: SI-25: dinars of a sale that advances the hordes
RAID: Final = 25  #: SI-25: what the hordes take of everybody
HORDES: Final = 5  #: SI-2: cards of their pile, 0 to 4
NEUTRAL: Final = 2  #: SI-60: the seat of the neutral player, behind the two

NOBODY: Final = -1  #: a partner that is not there
OPEN: Final = -1  #: what somebody loses to the hordes: not chosen yet
ALL_KNOW: Final = -1  #: who put a card under the pile: the neutral, whose hand is open (SI-60)
HIDDEN: Final = -1  #: a card under the pile that is not known


@dataclass(frozen=True, slots=True)
class Rules(Options):
    """The options of the rules; what is not said is the default.

    >>> Rules(zeros="stay", patience=20).text()
    'zeros=stay patience=20'
    """

    zeros: str = "turn"  #: SI-24: a 0 before the last place: "turn" it to its 1, or let it "stay" and count as 1
    last_turns: str = "pairs"  #: SI-51: at the end two turns of each in a row ("pairs"), or two more "rounds"
    patience: int = 50  #: SI-53: turns in a row without a draw or a sale that count as a pile run out; 0: never
    neutral_leaves: int = 2  #: SI-62: the neutral leaves when the pile runs out for the 1st or the 2nd time
    first_hand: int = 5  #: SI-3
    bonus: tuple[tuple[int, ...], ...] = ((7, 1), (14, 3), (21, 6))  #: SI-21: from which sum how many dinars more
    bribe: int = 7  #: SI-30
    audience: int = 14  #: SI-35
    bought: int = 1  #: SI-40: cards that a safeguard buys
    dropped: int = 3  #: SI-41: cards dropped at a pass
    run_outs: int = 2  #: SI-51: how often the pile runs out until the end comes

    def check(self) -> None:  # noqa: D102
        self._need_one_of(zeros=("turn", "stay"), last_turns=("pairs", "rounds"), neutral_leaves=(1, 2))
        self._need_at_least(patience=0, first_hand=1, bribe=1, audience=1, bought=1, dropped=0, run_outs=1)
        if self.first_hand > LIMIT:
            raise ValueError(_("first_hand={n}: nobody holds more than seven cards (SI-11)").format(n=self.first_hand))
        sums = [pair[0] for pair in self.bonus if len(pair) == 2]
        if (
            not sums
            or len(sums) != len(self.bonus)
            or sums != sorted(set(sums))
            or any(pair[1] < 0 for pair in self.bonus)
        ):
            raise ValueError(_("bonus: pairs of a sum and its dinars are needed, the sums rising (SI-21)"))

    @checked
    def dinars(self, cards: int, worth: int) -> int:
        """What a sale of so many cards, worth so much together, brings (SI-21).

        >>> Rules().dinars(4, 8 + 5 + 7 + 3)
        10
        """
        return cards + next((dinars for least, dinars in reversed(self.bonus) if worth >= least), 0)


class Step(IntEnum):
    """What is open in a state."""

    MARKET = 0  #: chance lays out the market (SI-4)
    DEAL = 1  #: chance deals a card (SI-3)
    FIRST = 2  #: chance says who begins (SI-5)
    DRAW = 3  #: chance gives the card that begins a turn (SI-6)
    TURN = 4  #: one of the six actions (SI-7)
    TRADE = 5  #: a talk failed or an exchange was made: another one, or the end of the trading (SI-10, SI-12)
    ANSWER = 6  #: the other one answers the offer (SI-11)
    ACCEPT = 7  #: the first one accepts the answer, or declines (SI-11)
    REFILL = 8  #: chance gives the cards of a barter, a purchase, or the neutral's pass (SI-12, SI-40, SI-61)
    DROP = 9  #: chance turns up the cards dropped at a pass (SI-41)
    HORDES = 10  #: all discard at once (SI-25)
    NEUTRAL = 11  #: two players: a neutral turn or none (SI-60)
    OVER = 12


class Said(NamedTuple):
    """An offer or an answer: what was said aloud, and the cards, 0 where they are not known (SI-11).

    >>> str(Said(0, 3, 2, 16))
    '2 cards, 16 points of ivory'
    """

    cards: Cards
    good: int
    size: int
    total: int

    @classmethod
    def of(cls, cards: Cards, good: int) -> Said:
        """What is to be said of these cards when that good is named."""
        return cls(cards, good, cards.bit_count(), worth(cards))

    def __str__(self) -> str:
        return _("{n} cards, {total} points of {good}").format(n=self.size, total=self.total, good=good(self.good))


BY_CHANCE: Final = frozenset({Step.MARKET, Step.DEAL, Step.FIRST, Step.DRAW, Step.REFILL, Step.DROP})


NOT_BY_TURN: Final = frozenset({Step.ANSWER, Step.HORDES, Step.OVER})


class Setting(Shared):
    """What all states of a game share: the rules and the number of players, with tables made from them."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.run_outs, self.bribe, self.audience = rules.run_outs, rules.bribe, rules.audience
        self.neutral_leaves = min(rules.neutral_leaves, rules.run_outs)  # SI-62
        self.patience = rules.patience or -1  # SI-53; -1: never
        highest = sum(range(1, VALUES + 1))
        #: SI-21: dinars by number of cards sold and sum of their values
        self.dinars = tuple(tuple(rules.dinars(n, worth) for worth in range(highest + 1)) for n in range(5))
        seats = tuple((player,) for player in range(players))
        self.first_actions = Listed.of(*(f"first p{player}" for player in range(players)))  #: SI-5
        self.left = (*range(1, players), 0)  #: the left neighbour of each
        #: the other players, by player
        self.others = tuple(tuple(other for other in range(players) if other != player) for player in range(players))
        chance, nobody = ((CHANCE,),) * (players + 1), ((),) * (players + 1)
        #: who acts, by step and turn (the last one is the set-up's turn of chance); () if these do not say it
        self.actors: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
            chance if step in BY_CHANCE else nobody if step in NOT_BY_TURN else (*seats, ()) for step in Step
        )

    @cached_property
    def text(self) -> str:
        """Players and rules, as the beginning of a state's text."""
        return " ".join(filter(None, [f"players={self.players}", self.rules.text()]))

    def __reduce__(self) -> tuple[Any, ...]:
        return setting, (self.rules, self.players)


@lru_cache(maxsize=64)
def setting(rules: Rules, players: int) -> Setting:
    """The setting of these, made once."""
    return Setting(rules, players)
