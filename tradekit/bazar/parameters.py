"""Constants of a game of Bazar: the options of the rules, the deck, the equations, and tables made from them.

All states of a game share one `Parameters` object. It stores the trades and the affordable wares of every hand that
comes up, so that no state has to calculate them again. Hands are piles, wares are numbers in the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Any, Final

from tradekit._utils.arguments import checked, need_at_least
from tradekit._utils.memo import Remembered
from tradekit.bazar.deck import Deck
from tradekit.bazar.packed_stones import OVERDRAWN, Pile, pile, size
from tradekit.bazar.stones import COLOURS, FACES, LIMIT, MOST_LEFT, POINTS, WARE_SIZE, Equation
from tradekit.game import CHANCE, Action, Listed
from tradekit.i18n import _
from tradekit.options import Options, Shared

BANK: Final = 20  #: stones of each colour (BZ-2)
FULL: Final = pile([BANK] * len(COLOURS))  #: bank before anyone has a stone
STALLS: Final = 4  #: number of stalls (BZ-7)
STALL_SIZE: Final = 5  #: wares per stall (BZ-7)
PLAYERS: Final = range(1, 7)  #: allowed numbers of players (BZ-6)
CLOSING: Final = 2  #: empty stalls that close the bazaar (BZ-17)
EMPTY: Final = -1  #: stall without a ware
COVERED: Final = -2  #: stall whose next ware is still to be revealed


@dataclass(frozen=True, slots=True)
class Rules(Options):
    """Options of the rules; options not given keep their default.

    >>> Rules(over_ten="penalty").text()
    'over_ten=penalty'
    """

    over_ten: str = "buy"  #: trade above ten: "buy": it must buy; "penalty": the neighbour takes it down to ten (BZ-14)
    patience: int = 100  #: turns per player in a row without a purchase that close the bazaar; 0: never (BZ-19)
    double: bool = False  #: option: two wares per turn (BZ-20)
    double_star: str = "both"  #: the second scores higher if a stall is empty after "both", or after "first" (BZ-20)
    timer: float = 0  #: seconds per turn, any number; 0: no timer (BZ-21)
    hidden: bool = False  #: option: the screen shows only the number of stones of others' hands and of the bank (BZ-22)
    max_left: int = MOST_LEFT  #: most stones left over by a purchase; no turn can leave more than the default (BZ-23)
    series: int = 1  #: wares of a solitaire (BZ-30)
    points: tuple[tuple[int, ...], ...] = POINTS  #: points by column and stones left over (BZ-15)

    def check(self) -> None:  # noqa: D102
        self._need_one_of(over_ten=("buy", "penalty"), double_star=("both", "first"))
        self._need_at_least(patience=0, timer=0, max_left=0, series=1)
        if [len(column) for column in self.points] != [4, 4, 4]:
            raise ValueError(_("points: three columns of four numbers are needed (BZ-15)"))

    @checked
    def score(self, column: int, left: int) -> int:
        """Return the points of a purchase that leaves `left` stones (BZ-15, BZ-16).

        `column`: the ware's stars, plus one once a stall is empty; above two, it counts as two. Raises `ValueError` for
        a column below 0.

        >>> Rules().score(column=1, left=0), Rules().score(column=3, left=7)
        (8, 3)
        """
        need_at_least(0, column=column, left=left)
        return self.points[min(column, 2)][min(left, 3)]


class Step(IntEnum):
    """Steps of a game: the kind of decision or chance event that comes next."""

    CARDS = 0  #: chance draws the exchange cards (BZ-7)
    WARE = 1  #: chance reveals a ware (BZ-7, BZ-13)
    FIRST = 2  #: chance chooses the first player (BZ-8)
    TURN = 3  #: roll or trade (BZ-9)
    DIE = 4  #: chance rolls (BZ-5)
    CHOICE = 5  #: the player takes a colour (BZ-5)
    BUY = 6  #: buy or not (BZ-12)
    MUST = 7  #: buy, because the trade passed ten stones (BZ-14)
    RETURN = 8  #: choice of the stone that goes back (BZ-14)
    OVER = 9


ROLL: Final = Action("roll")
DONE: Final = Action("done")
BUY: Final = tuple(Action(f"buy {stall + 1}") for stall in range(STALLS))
TAKE: Final = tuple(Action(f"take {colour}") for colour in COLOURS)
RETURN: Final = tuple(Action(f"return {colour}") for colour in COLOURS)
DIE: Final = tuple(Action(face) for face in FACES)
BY_CHANCE: Final = frozenset({Step.CARDS, Step.WARE, Step.FIRST, Step.DIE})


@dataclass(frozen=True, slots=True)
class Holding:
    """A hand at the end of a roll or trade, with its options for the rest of the turn."""

    hand: Pile
    above: bool  #: True if it passes ten stones (BZ-14)
    pays: int  #: one bit per ware of the deck that it can buy (BZ-12, BZ-23, BZ-30)


@dataclass(frozen=True, slots=True)
class Trades:
    """Trades of a hand with a full bank."""

    makes: dict[str, Holding]  #: result of each trade
    pays: int  #: one bit per ware that a trade above ten stones could buy, as it then must (BZ-14)
    turns: Mapping[int, Listed]  #: roll and legal trades, by the wares of `pays` on display


class Parameters(Shared):
    """Rules, deck, number of players and equations in force, shared by all states of a game.

    It also stores the trades of every hand that comes up, and the wares that the hand can pay.
    """

    def __init__(
        self, rules: Rules, deck: Deck, players: int, cards: tuple[int, ...] = (), typed: tuple[Equation, ...] = ()
    ) -> None:
        self.rules, self.deck, self.players, self.cards, self.typed = rules, deck, players, cards, typed
        self.equations = typed or (deck.exchange(cards) if cards else ())
        self.prices: tuple[Pile, ...] = tuple(pile(ware.stones.counts) for ware in deck.wares)
        self.solitaire = players == 1
        self.closing = 1 if self.solitaire else CLOSING  # BZ-30: its one stall is the series
        self.stall_counts: Sequence[int] = [1 if self.solitaire else STALLS]  #: allowed numbers of stalls
        self.stall_size = rules.series if self.solitaire else STALL_SIZE
        self.twice = rules.double and not self.solitaire  # BZ-20; a buyer with nothing left buys once (BZ-30)
        self.most_left = 0 if self.solitaire else rules.max_left  #: most stones after a purchase (BZ-23, BZ-30)
        self.penalty = rules.over_ten == "penalty"
        self.patience = rules.patience * players or -1  # BZ-19; -1: without end
        self.ware_numbers = {f"ware {ware}": number for number, ware in enumerate(deck.wares)}
        self.ware_actions = tuple(map(Action, self.ware_numbers))
        self.first_actions = Listed.of(*(f"first p{player}" for player in range(players)))
        self._ways = [
            (Action(t), pile(t.left.counts), pile(t.right.counts)) for e in self.equations for t in (e, e.reversed)
        ]
        seats = tuple((player,) for player in range(players))
        left = (*seats[1:], seats[0])  # BZ-14: the left neighbour, who comes next
        by_step = {Step.OVER: ((),) * (players + 1), Step.RETURN: (*left, ())} | dict.fromkeys(
            BY_CHANCE, ((CHANCE,),) * (players + 1)
        )
        #: actors by step and turn (the last turn is chance's, of the set-up)
        self.actors = tuple(by_step.get(step, (*seats, ())) for step in Step)
        self.holding: Mapping[Pile, Holding] = Remembered(self._find_holding)
        self.trades: Mapping[Pile, Trades] = Remembered(self._find_trades)  #: trades of each hand

    def with_cards(self, cards: tuple[int, ...]) -> Parameters:
        """Return the same setting with these exchange cards in force."""
        return parameters(self.rules, self.deck, self.players, cards)

    def _find_trades(self, hand: Pile) -> Trades:
        makes = [
            (way, self.holding[hand - give + take]) for way, give, take in self._ways if not hand - give & OVERDRAWN
        ]
        above = [(way, made.pays) for way, made in makes if made.above and not self.penalty]
        within = [ROLL, *(way for way, made in makes if self.penalty or not made.above)]

        def find_turns(shown: int) -> Listed:
            return Listed([*within, *[way for way, pays in above if pays & shown]])

        return Trades(dict(makes), reduce(or_, [pays for _way, pays in above], 0), Remembered(find_turns))

    def _find_holding(self, hand: Pile) -> Holding:
        stones = size(hand)
        pays = 0
        if 0 <= stones - WARE_SIZE <= self.most_left:
            pays = sum(1 << n for n, price in enumerate(self.prices) if not hand - price & OVERDRAWN)
        return Holding(hand, stones > LIMIT, pays)

    @cached_property
    def text(self) -> str:
        """Players, deck, cards or equations, and rules as text, the beginning of a state's text."""
        deck = "house" if self.deck == Deck.house() else deck_text(self.deck)
        words = [f"players={self.players}", f"deck={deck}"]
        if self.typed:
            words.append(f"exchange={','.join(map(str, self.typed))}")
        elif self.cards:
            words.append(f"cards={','.join(map(str, self.cards))}")
        return " ".join([*words, *filter(None, [self.rules.text()])])

    def __reduce__(self) -> tuple[Any, ...]:
        return parameters, (self.rules, self.deck, self.players, self.cards, self.typed)


@lru_cache(maxsize=64)
def parameters(
    rules: Rules, deck: Deck, players: int, cards: tuple[int, ...] = (), typed: tuple[Equation, ...] = ()
) -> Parameters:
    """Return the setting of these; each is made once."""
    return Parameters(rules, deck, players, cards, typed)


def deck_text(deck: Deck) -> str:
    """Return a deck in one word, for a state's text: ``1:R=WW,...|2:...|RWBGY*,...``."""
    cards = [f"{card.number}:{','.join(map(str, card.equations))}" for card in deck.cards]
    return "|".join([*cards, ",".join(map(str, deck.wares))])


def read_deck(text: str) -> Deck:
    """Read the deck from such a word; raise `ParseError` for others."""
    *cards, wares = text.split("|")
    lines: list[str] = []
    for card in cards:
        number, _sign, equations = card.partition(":")
        lines += [f"card {number}", *equations.split(",")]
    return Deck.parse("\n".join([*lines, "wares", *filter(None, wares.split(","))]))
