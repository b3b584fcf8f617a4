"""Constants of a game of The Silk Road: the options of the rules, the players, and tables made from them."""

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

LIMIT: Final = 7  #: cards of a full hand, which draws no more and never grows (SI-6)
TRADERS: Final = 3  #: cards that each side of an exchange needs (SI-10)
FEWEST_OFFERED: Final = 2  #: fewest cards of an offer (SI-11)
RICH_SALE: Final = 6  #: least dinars of a sale that advances the hordes (SI-25)
RAID: Final = 25  #: worth of cards that the hordes take from everybody (SI-25)
HORDES: Final = 5  #: cards of the hordes' pile, 0 to 4 (SI-2)
NEUTRAL: Final = 2  #: seat of the neutral player, after the two others (SI-60)

NOBODY: Final = -1  #: no partner
OPEN: Final = -1  #: loss to the hordes that is not chosen yet
ALL_KNOW: Final = -1  #: card under the pile from the neutral player, whose hand is open (SI-60)
HIDDEN: Final = -1  #: unknown card under the pile


@dataclass(frozen=True, slots=True)
class Rules(Options):
    """Options of the rules; options not given keep their default.

    >>> Rules(zeros="stay", patience=20).text()
    'zeros=stay patience=20'
    """

    zeros: str = "turn"  #: 0 before the last place: "turn" the pile to its 1, or let it "stay" and count as 1 (SI-24)
    last_turns: str = "pairs"  #: last turns: two in a row per player ("pairs"), or two more "rounds" (SI-51)
    patience: int = 50  #: turns in a row without a draw or sale that count as a pile run out; 0: never (SI-53)
    neutral_leaves: int = 2  #: run-out of the pile, 1st or 2nd, at which the neutral player leaves (SI-62)
    first_hand: int = 5  #: cards of a first hand (SI-3)
    bonus: tuple[tuple[int, ...], ...] = ((7, 1), (14, 3), (21, 6))  #: bonuses: (least sum of values, dinars) (SI-21)
    bribe: int = 7  #: least worth of the cards that pay a bribe (SI-30)
    audience: int = 14  #: least worth of the cards that pay an audience (SI-35)
    bought: int = 1  #: cards per safeguard (SI-40)
    dropped: int = 3  #: cards discarded from the pile at a pass (SI-41)
    run_outs: int = 2  #: run-outs of the pile until the end comes (SI-51)

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
        """Return the dinars for a sale of `cards` cards with the sum `worth` (SI-21).

        >>> Rules().dinars(4, 8 + 5 + 7 + 3)
        10
        """
        return cards + next((dinars for least, dinars in reversed(self.bonus) if worth >= least), 0)


class Step(IntEnum):
    """Steps of a game: the kind of decision or chance event that comes next."""

    MARKET = 0  #: chance lays out the market (SI-4)
    DEAL = 1  #: chance deals a card (SI-3)
    FIRST = 2  #: chance says who begins (SI-5)
    DRAW = 3  #: chance gives the card that begins a turn (SI-6)
    TURN = 4  #: one of the six actions (SI-7)
    TRADE = 5  #: after a failed offer or an exchange: another offer, or the end of the trading (SI-10, SI-12)
    ANSWER = 6  #: the partner answers the offer (SI-11)
    ACCEPT = 7  #: the player on turn accepts or declines the answer (SI-11)
    REFILL = 8  #: chance gives the cards of a barter, a purchase, or the neutral's pass (SI-12, SI-40, SI-61)
    DROP = 9  #: chance reveals the cards discarded at a pass (SI-41)
    HORDES = 10  #: all discard at once (SI-25)
    NEUTRAL = 11  #: two players only: a turn of the neutral player, or none (SI-60)
    OVER = 12


class Said(NamedTuple):
    """An offer or an answer: the words said aloud, and the cards, 0 if they are unknown (SI-11).

    >>> str(Said(0, 3, 2, 16))
    '2 cards, 16 points of ivory'
    """

    cards: Cards
    good: int
    size: int
    total: int

    @classmethod
    def of(cls, cards: Cards, good: int) -> Said:
        """Return the offer of these cards with `good` named."""
        return cls(cards, good, cards.bit_count(), worth(cards))

    def __str__(self) -> str:
        return _("{n} cards, {total} points of {good}").format(n=self.size, total=self.total, good=good(self.good))


BY_CHANCE: Final = frozenset({Step.MARKET, Step.DEAL, Step.FIRST, Step.DRAW, Step.REFILL, Step.DROP})


NOT_BY_TURN: Final = frozenset({Step.ANSWER, Step.HORDES, Step.OVER})


class Parameters(Shared):
    """Rules and number of players, shared by all states of a game, with tables made from them."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.run_outs, self.bribe, self.audience = rules.run_outs, rules.bribe, rules.audience
        self.neutral_leaves = min(rules.neutral_leaves, rules.run_outs)  # SI-62
        self.patience = rules.patience or -1  # SI-53; -1: never
        highest = sum(range(1, VALUES + 1))
        #: dinars by number of cards sold and sum of their values (SI-21)
        self.dinars = tuple(tuple(rules.dinars(n, worth) for worth in range(highest + 1)) for n in range(5))
        seats = tuple((player,) for player in range(players))
        #: chance's choices of the first player (SI-5)
        self.first_actions = Listed.of(*(f"first p{player}" for player in range(players)))
        self.left = (*range(1, players), 0)  #: left neighbour of each player
        #: other players, by player
        self.others = tuple(tuple(other for other in range(players) if other != player) for player in range(players))
        chance, nobody = ((CHANCE,),) * (players + 1), ((),) * (players + 1)
        #: actors by step and turn (the last turn is chance's, of the set-up); () if step and turn do not determine them
        self.actors: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
            chance if step in BY_CHANCE else nobody if step in NOT_BY_TURN else (*seats, ()) for step in Step
        )

    @cached_property
    def text(self) -> str:
        """Players and rules as text, the beginning of a state's text."""
        return " ".join(filter(None, [f"players={self.players}", self.rules.text()]))

    def __reduce__(self) -> tuple[Any, ...]:
        return parameters, (self.rules, self.players)


@lru_cache(maxsize=64)
def parameters(rules: Rules, players: int) -> Parameters:
    """Return the setting of these rules and players; each is made once."""
    return Parameters(rules, players)
