"""Constants of a game of Turin Market: the options of the rules, the deck, and tables made from them.

All states of a game share one `Parameters` object. It has the units of every set of cards.
A set of cards is one number, bit n - 1 for card n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from operator import add
from typing import Any, Final, TypeVar

from tradekit._utils.arguments import checked
from tradekit.auctions.formats import Format
from tradekit.auctions.formats import turin as auction_format
from tradekit.i18n import _
from tradekit.options import Options, Shared
from tradekit.turin import goose
from tradekit.turin.deck import CARDS, GOODS, VERSIONS, Deck

T = TypeVar("T")

START: Final = 15  #: escudos per player at the beginning (TU-5)
HAND: Final = {2: 6, 3: 6, 4: 4, 5: 3}  #: cards dealt to each, by number of players (TU-5)
CENTRE: Final = {2: 0, 3: 0, 4: 2, 5: 3}  #: cards dealt face up, by number of players (TU-5)
AUCTIONS: Final = {2: 5, 3: 5, 4: 5, 5: 4}
ALL: Final = (1 << CARDS) - 1  #: set of all cards

Cards = int  #: set of cards, bit n - 1 for card n


@dataclass(frozen=True, slots=True)
class Rules(Options):
    """Options of the rules; options not given keep their default.

    >>> Rules(payouts="new", games=3).text()
    'payouts=new games=3'
    """

    payouts: str = "classic"  #: payouts: "classic" or "new" (red) (TU-1)
    order: str = ""  #: goods in the order of payment, separated by commas; empty: as on the payout card (TU-4)
    money: str = "open"  #: escudos: "open", or "secret": the screen does not show those of others (TU-6)
    selling: str = "one"  #: "one" card on sale at a time, or "several": one new one per round, others can stay (TU-20)
    goose: str = "none"  #: goose: "none", "tie", "underdog", or your own (TU-41 to TU-43)
    goose_stays: bool = False  #: option: in a match the goose stays with its holder (TU-41)
    games: int = 1  #: games in a row, 3 for a match (TU-40)

    def check(self) -> None:  # noqa: D102
        self._need_one_of(payouts=VERSIONS, money=("open", "secret"), selling=("one", "several"))
        self._need_at_least(games=1)
        goose.find(self.goose)
        names = [name.strip().replace(" ", "_") for name in self.order.split(",")]
        object.__setattr__(self, "order", ",".join(names))  # one word in a state's text


class Step(IntEnum):
    """Steps of a game: the kind of decision or chance event that comes next."""

    DEAL = 0  #: chance deals a card (TU-5)
    SHOW = 1  #: each chooses a hand card (TU-10)
    WINDOW = 2  #: each can claim a card on sale (TU-22)
    CHOOSE = 3  #: the owner chooses between players who claim the same card (TU-22)
    BID = 4  #: each bids (TU-11)
    GOOSE = 5  #: a tied player can use the goose (TU-41)
    ADD = 6  #: tied players bid again (TU-14)
    COIN = 7  #: chance orders players still tied (TU-15, TU-19)
    TAKE = 8  #: cards are chosen (TU-19)
    OFFER = 9  #: a player can put a card up for sale (TU-20)
    PAID = 10  #: a game of a match is over, and chance deals the next (TU-40)
    OVER = 11


SIMULTANEOUS: Final = frozenset({Step.SHOW, Step.WINDOW, Step.BID, Step.ADD})
BY_CHANCE: Final = frozenset({Step.DEAL, Step.COIN, Step.PAID})


class Parameters(Shared):
    """Rules, deck and number of players, shared by all states of a game."""

    def __init__(self, rules: Rules, deck: Deck, players: int) -> None:
        self.rules, self.deck, self.players = rules, deck, players
        self.hand, self.centre, self.auctions = HAND[players], CENTRE[players], AUCTIONS[players]
        self.formats = auction_format(players, first=True), auction_format(players)
        self.several = rules.selling == "several"
        self.payouts = tuple(good.payout(rules.payouts) for good in deck.goods)
        self.order = _order(rules.order, deck)  #: goods in the order of payment (TU-4)
        ones = [card.units for card in deck.cards]
        self._units = [_sums(ones[:_HALF]), _sums(ones[_HALF:])]

    @property
    def goose(self) -> goose.Goose:
        """Goose with the name in the rules; one registered again is used from then on (TU-43)."""
        return goose.find(self.rules.goose)

    @checked
    def format(self, auction: int) -> Format:
        """Return the format of an auction, counted from 0 (TU-10)."""
        return self.formats[auction > 0]

    def units(self, cards: Cards) -> tuple[int, ...]:
        """Return the units of each good on a set of cards."""
        lower, upper = self._units
        return tuple(map(add, lower[cards & (1 << _HALF) - 1], upper[cards >> _HALF]))

    @cached_property
    def text(self) -> str:
        """Players, deck and rules as text, the beginning of a state's text."""
        words = [f"players={self.players}", f"deck={self.deck.text}", self.rules.text()]
        return " ".join(filter(None, words))

    def __reduce__(self) -> tuple[Any, ...]:
        return parameters, (self.rules, self.deck, self.players)


@lru_cache(maxsize=64)
def parameters(rules: Rules, deck: Deck, players: int) -> Parameters:
    """Return the setting of these rules, deck and players; each is made once."""
    return Parameters(rules, deck, players)


def _sums(units: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the units of every set of these cards."""
    sums: list[tuple[int, ...]] = [(0,) * GOODS]
    for one in units:
        sums += [tuple(map(add, some, one)) for some in sums]
    return sums


def _order(text: str, deck: Deck) -> tuple[int, ...]:
    """Return the goods in the order of payment (TU-4)."""
    names = [good.name for good in deck.goods]
    asked = text.replace("_", " ").split(",") if text else names
    if sorted(asked) != sorted(names):
        raise ValueError(
            _("order={text}: each of {goods} is needed once (TU-4)").format(text=text, goods=",".join(names))
        )
    return tuple(map(names.index, asked))


_HALF: Final = CARDS // 2  # sets are looked up half by half: a table of all 262,144 would take a second to make


def picker(things: Sequence[T]) -> Callable[[Cards], tuple[T, ...]]:
    """Return a function that picks, from eighteen things (one per card), those of a set of cards.

    >>> picker("abcdefghijklmnopqr")(0b1001)
    ('a', 'd')
    """
    lower, upper = [
        [tuple(thing for n, thing in enumerate(half) if some >> n & 1) for some in range(1 << _HALF)]
        for half in (things[:_HALF], things[_HALF:])
    ]
    first = (1 << _HALF) - 1
    return lambda cards: lower[cards & first] + upper[cards >> _HALF]


#: Numbers of a set of cards: ``numbers(0b1001)`` is ``(1, 4)``.
numbers: Final = picker(range(1, CARDS + 1))


def bits(cards: Iterable[int]) -> Cards:
    """Return the set of cards with these numbers.

    >>> bits([1, 4])
    9
    """
    return sum(1 << n - 1 for n in cards)
