"""What is fixed for a game of Bazar: the options of the rules, the deck, the equations, and what follows from them.

All states of a game share one `Setting`. It remembers the trades of every hand that comes up and what it can pay, so
that no state has to work that out again. Hands are piles, wares are numbers in the deck.
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

BANK: Final = 20  #: BZ-2: stones of each colour
FULL: Final = pile([BANK] * len(COLOURS))  #: the bank before anyone has a stone
STALLS: Final = 4  #: BZ-7
STALL_SIZE: Final = 5  #: BZ-7: wares in a stall
PLAYERS: Final = range(1, 7)  #: BZ-6
CLOSING: Final = 2  #: BZ-17: so many empty stalls close the bazaar
EMPTY: Final = -1  #: a stall without a ware
COVERED: Final = -2  #: a stall whose next ware is still to be turned up


@dataclass(frozen=True, slots=True)
class Rules(Options):
    """The options of the rules; what is not said is the default.

    >>> Rules(over_ten="penalty").text()
    'over_ten=penalty'
    """

    over_ten: str = "buy"  #: BZ-14: "buy": a trade above ten must buy; "penalty": the neighbour takes it down to ten
    patience: int = 100  #: BZ-19: turns of each player in a row without a purchase that close the bazaar; 0: never
    double: bool = False  #: BZ-20: two wares in a turn
    double_star: str = "both"  #: BZ-20: the second scores higher if a stall is empty after "both", or after the "first"
    timer: float = 0  #: BZ-21: seconds a turn, of any length; 0: none
    hidden: bool = False  #: BZ-22: the screen shows of others' holdings, and of the bank, only the number
    max_left: int = MOST_LEFT  #: BZ-23: no purchase that leaves more; no turn can leave more than the default
    series: int = 1  #: BZ-30: wares of a solitaire
    points: tuple[tuple[int, ...], ...] = POINTS  #: BZ-15: by column and stones left

    def check(self) -> None:  # noqa: D102
        self._need_one_of(over_ten=("buy", "penalty"), double_star=("both", "first"))
        self._need_at_least(patience=0, timer=0, max_left=0, series=1)
        if [len(column) for column in self.points] != [4, 4, 4]:
            raise ValueError(_("points: three columns of four numbers are needed (BZ-15)"))

    @checked
    def score(self, column: int, left: int) -> int:
        """What a purchase scores that leaves `left` stones, nothing beyond two stars (BZ-15, BZ-16).

        `column`: the ware's stars, and one more once a stall is empty. Raises `ValueError` for one below 0.

        >>> Rules().score(column=1, left=0), Rules().score(column=3, left=7)
        (8, 3)
        """
        need_at_least(0, column=column, left=left)
        return self.points[min(column, 2)][min(left, 3)]


class Step(IntEnum):
    """What is open in a state."""

    CARDS = 0  #: chance draws the exchange cards (BZ-7)
    WARE = 1  #: chance turns up a ware (BZ-7, BZ-13)
    FIRST = 2  #: chance says who begins (BZ-8)
    TURN = 3  #: roll or trade (BZ-9)
    DIE = 4  #: chance rolls (BZ-5)
    CHOICE = 5  #: which colour to take (BZ-5)
    BUY = 6  #: buy or not (BZ-12)
    MUST = 7  #: buy, for the trade passed ten (BZ-14)
    RETURN = 8  #: which stone goes back (BZ-14)
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
    """A hand at the end of a roll or trade, and what follows for the rest of the turn."""

    hand: Pile
    above: bool  #: whether it passes ten stones (BZ-14)
    pays: int  #: a bit for each ware of the deck that it may buy (BZ-12, BZ-23, BZ-30)


@dataclass(frozen=True, slots=True)
class Trades:
    """The trades of a hand, the bank taken as full."""

    makes: dict[str, Holding]  #: what each trade makes
    pays: int  #: a bit for each ware that a trade above ten stones could buy, as it then must (BZ-14)
    turns: Mapping[int, Listed]  #: a roll and the legal trades, by those of `pays` that are on display


class Setting(Shared):
    """What all states of a game share: rules, deck, number of players, and the equations in force.

    It remembers what follows from them: the trades of every hand that comes up, and the wares that it can pay.
    """

    def __init__(
        self, rules: Rules, deck: Deck, players: int, cards: tuple[int, ...] = (), typed: tuple[Equation, ...] = ()
    ) -> None:
        self.rules, self.deck, self.players, self.cards, self.typed = rules, deck, players, cards, typed
        self.equations = typed or (deck.exchange(cards) if cards else ())
        self.prices: tuple[Pile, ...] = tuple(pile(ware.stones.counts) for ware in deck.wares)
        self.solitaire = players == 1
        self.closing = 1 if self.solitaire else CLOSING  # BZ-30: its one stall is the series
        self.stall_counts: Sequence[int] = [1 if self.solitaire else STALLS]  #: how many stalls there may be
        self.stall_size = rules.series if self.solitaire else STALL_SIZE
        self.twice = rules.double and not self.solitaire  # BZ-20; who buys with nothing left buys once (BZ-30)
        self.most_left = 0 if self.solitaire else rules.max_left  #: BZ-23, BZ-30: after a purchase
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
        #: who acts, by step and turn (the last one is the set-up's turn of chance)
        self.actors = tuple(by_step.get(step, (*seats, ())) for step in Step)
        self.holding: Mapping[Pile, Holding] = Remembered(self._find_holding)
        self.trades: Mapping[Pile, Trades] = Remembered(self._find_trades)  #: the trades of a hand

    def with_cards(self, cards: tuple[int, ...]) -> Setting:
        """The same with these exchange cards in force."""
        return setting(self.rules, self.deck, self.players, cards)

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
        """Players, deck, cards or equations, and rules, as the beginning of a state's text."""
        deck = "house" if self.deck == Deck.house() else deck_text(self.deck)
        words = [f"players={self.players}", f"deck={deck}"]
        if self.typed:
            words.append(f"exchange={','.join(map(str, self.typed))}")
        elif self.cards:
            words.append(f"cards={','.join(map(str, self.cards))}")
        return " ".join([*words, *filter(None, [self.rules.text()])])

    def __reduce__(self) -> tuple[Any, ...]:
        return setting, (self.rules, self.deck, self.players, self.cards, self.typed)


@lru_cache(maxsize=64)
def setting(
    rules: Rules, deck: Deck, players: int, cards: tuple[int, ...] = (), typed: tuple[Equation, ...] = ()
) -> Setting:
    """The setting of these, made once."""
    return Setting(rules, deck, players, cards, typed)


def deck_text(deck: Deck) -> str:
    """A deck in one word, for a state's text: ``1:R=WW,...|2:...|RWBGY*,...``."""
    cards = [f"{card.number}:{','.join(map(str, card.equations))}" for card in deck.cards]
    return "|".join([*cards, ",".join(map(str, deck.wares))])


def read_deck(text: str) -> Deck:
    """The deck of such a word; raises `ParseError`."""
    *cards, wares = text.split("|")
    lines: list[str] = []
    for card in cards:
        number, _sign, equations = card.partition(":")
        lines += [f"card {number}", *equations.split(",")]
    return Deck.parse("\n".join([*lines, "wares", *filter(None, wares.split(","))]))
