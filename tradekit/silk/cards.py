"""The fifty goods cards, and sets of cards as one integer with a bit per card (SI-1).

A card is a number from 0 to 49: ten times its good, plus its value minus one. A set of cards is an integer with those
bits, so giving, taking and comparing cards is one operation each. In a player's view of another hand, every unknown
card is a bit from `UNKNOWN` up, so ``hand.bit_count()`` is the size of any hand.

As text a set is ``silk 4 9 ivory 7``: goods in their order, and the values of each good rising.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import combinations
from typing import Final, TypeVar

from tradekit._utils.memo import Remembered
from tradekit.game import ParseError
from tradekit.i18n import _

T = TypeVar("T")

Cards = int  #: set of cards, one bit per card


class Good(IntEnum):
    """The five goods, in the order of every array and every printed hand (SI-1)."""

    SILK = 0  #: red
    TEA = 1  #: green
    CLOTH = 2  #: blue
    IVORY = 3  #: yellow
    SPICES = 4  #: purple

    def __str__(self) -> str:
        return GOODS[self]

    @property
    def colour(self) -> str:
        """Colour of the good's cards."""
        return COLOURS[self]


GOODS: Final = ("silk", "tea", "cloth", "ivory", "spices")
COLOURS: Final = ("red", "green", "blue", "yellow", "purple")
VALUES: Final = 10  #: cards of a good, with the values 1 to 10
ALL: Final[Cards] = (1 << len(GOODS) * VALUES) - 1
ONE_GOOD: Final[Cards] = (1 << VALUES) - 1  #: all cards of the first good; shift by ``VALUES * g`` for good g
UNKNOWN: Final = len(GOODS) * VALUES  #: first bit of the unknown cards of a hand
OF_GOOD: Final[tuple[Cards, ...]] = tuple(ONE_GOOD << VALUES * good for good in range(len(GOODS)))

_OTHER_NAMES: Final = {
    "red": 0, "roja": 0, "rojas": 0, "rojo": 0, "seda": 0, "sedas": 0, "silks": 0,
    "green": 1, "verde": 1, "verdes": 1, "té": 1, "te": 1, "tés": 1, "teas": 1,
    "blue": 2, "azul": 2, "azules": 2, "tela": 2, "telas": 2,
    "yellow": 3, "amarilla": 3, "amarillas": 3, "amarillo": 3, "marfil": 3, "marfiles": 3,
    "purple": 4, "morada": 4, "moradas": 4, "morado": 4, "especia": 4, "especias": 4, "spice": 4,
}  # fmt: skip
GOOD_NUMBER: Final = {name: number for number, name in enumerate(GOODS)}  #: number of a good by its exact name


def good_named(name: str) -> int:
    """Return the number of a good from its name or colour, in English or Spanish; raise `ParseError` for others.

    >>> good_named("Marfil"), good_named("yellow")
    (3, 3)
    """
    low = name.lower()
    number = GOOD_NUMBER.get(low, _OTHER_NAMES.get(low))
    if number is None:
        raise ParseError(_("{name!r} is no good; there are {goods} (SI-1)").format(name=name, goods=", ".join(GOODS)))
    return number


def good(number: int) -> str:
    """Return the name of a good in the reader's language.

    >>> good(3)
    'ivory'
    """
    return (_("silk"), _("tea"), _("cloth"), _("ivory"), _("spices"))[number]


# Numbers and values


def card(good: int, value: int) -> int:
    """Return the number of a card."""
    return good * VALUES + value - 1


def good_of(card: int) -> int:
    """Return the good of a card."""
    return card // VALUES


def value_of(card: int) -> int:
    """Return the value of a card, 1 to 10."""
    return card % VALUES + 1


def by_good(make: Callable[[Cards], T]) -> tuple[Mapping[int, T], ...]:
    """Return five tables, one per good, with the result of `make` for each set of its values (ten bits)."""

    def table(shift: int) -> Mapping[int, T]:
        return Remembered(lambda values: make(values << shift))

    return tuple(map(table, range(0, UNKNOWN, VALUES)))


def looked_up(cards: Cards, tables: Sequence[Mapping[int, Iterable[T]]]) -> list[T]:
    """Look a set of cards up in such tables, good by good: the quickest way to go through a set."""
    silk, tea, cloth, ivory, spices = tables
    return [
        *silk[cards & 1023],
        *tea[cards >> 10 & 1023],
        *cloth[cards >> 20 & 1023],
        *ivory[cards >> 30 & 1023],
        *spices[cards >> 40 & 1023],
    ]


_NUMBERS: Final = by_good(lambda cards: [card for card in range(UNKNOWN) if cards >> card & 1])


def numbers(cards: Cards) -> list[int]:
    """List the known cards of a set: goods in their order, values rising. Unknown cards are left out.

    >>> numbers(read("ivory 7 2 silk 10"))
    [9, 31, 36]
    """
    return looked_up(cards, _NUMBERS)


def cards_of(numbers: Iterable[int]) -> Cards:
    """Return the set of these cards."""
    cards = 0
    for number in numbers:
        cards |= 1 << number
    return cards


WORTH: Final = tuple(sum(bit + 1 for bit in range(VALUES) if values >> bit & 1) for values in range(ONE_GOOD + 1))
#: sum of the values, by set of values of one good (ten bits)


def worth(cards: Cards) -> int:
    """Return the sum of the values of a set.

    >>> worth(read("ivory 8 5 7 3"))
    23
    """
    return (
        WORTH[cards & 1023]
        + WORTH[cards >> 10 & 1023]
        + WORTH[cards >> 20 & 1023]
        + WORTH[cards >> 30 & 1023]
        + WORTH[cards >> 40 & 1023]
    )


def counts(cards: Cards) -> tuple[int, ...]:
    """Count the known cards of each good in a set."""
    return tuple((cards >> shift & 1023).bit_count() for shift in (0, 10, 20, 30, 40))


def lowest(cards: Cards) -> int:
    """Return the lowest card of a set of one good."""
    return (cards & -cards).bit_length() - 1


# Sets to choose from


def payments(cards: Cards, least: int) -> list[Cards]:
    """List all sets of these cards worth `least` or more, with none to spare (SI-25, SI-30, SI-35).

    A set has none to spare if it would be worth less than `least` without its lowest card. Small sets come first.

    >>> [text(some) for some in payments(read("silk 9 4 2 1"), 7)]
    ['silk 9', 'silk 1 2 4']
    """
    found = []
    held = numbers(cards)
    for n in range(1, len(held) + 1):
        for some in combinations(held, n):
            values = [value_of(number) for number in some]
            if least <= sum(values) < least + min(values):
                found.append(cards_of(some))
    return found


# Texts


CARD_TEXT: Final = tuple(f"{name} {value}" for name in GOODS for value in range(1, VALUES + 1))


_TEXTS: Final = by_good(lambda cards: f"{sequence_text(numbers(cards))} " if cards else "")


def text(cards: Cards) -> str:
    """Return a set of cards as text; ``-`` for the empty set.

    >>> text(read("ivory 8 3, silk 9"))
    'silk 9 ivory 3 8'
    """
    silk, tea, cloth, ivory, spices = _TEXTS
    return (
        f"{silk[cards & 1023]}{tea[cards >> 10 & 1023]}{cloth[cards >> 20 & 1023]}"
        f"{ivory[cards >> 30 & 1023]}{spices[cards >> 40 & 1023]}"
    )[:-1] or "-"


def text_of_good(cards: Cards) -> str:
    """Return a set of cards of one good as text; the set must not be empty."""
    good = (cards.bit_length() - 1) // VALUES
    return _TEXTS[good][cards >> good * VALUES][:-1]


def sequence_text(numbers: Iterable[int]) -> str:
    """Return cards in their order as text; a good is named where it changes.

    >>> sequence_text([31, 36, 9])
    'ivory 2 7 silk 10'
    """
    words: list[str] = []
    last = -1
    for number in numbers:
        good, bit = divmod(number, VALUES)
        if good != last:
            words.append(GOODS[good])
            last = good
        words.append(str(bit + 1))
    return " ".join(words)


_VALUES: Final = {str(value) for value in range(1, VALUES + 1)}


def read_sequence(text: str) -> tuple[int, ...]:
    """Return the cards that a text names, in its order; raise `ParseError` for anything else and for repeated cards.

    >>> read_sequence("Marfil 2, 7; red 10")
    (31, 36, 9)
    """
    found: list[int] = []
    good, values = -1, 0
    for word in _words(text):
        if not word.isdecimal():
            if good >= 0 and not values:
                raise ParseError(_("{text!r}: say which values after {good}").format(text=text, good=GOODS[good]))
            good, values = good_named(word), 0
            continue
        number = card(good, int(word))
        if good < 0 or word not in _VALUES:
            raise ParseError(
                _("{text!r}: a card is a good and a value of 1 to 10, as in ivory 7 (SI-1)").format(text=text)
            )
        if number in found:
            raise ParseError(_("{text!r}: {card} is there twice").format(text=text, card=CARD_TEXT[number]))
        found.append(number)
        values += 1
    if not values:
        raise ParseError(_("{text!r}: say which cards, as in ivory 8 7 silk 3 (SI-1)").format(text=text))
    return tuple(found)


def read(text: str) -> Cards:
    """Return the set of cards that a text names, empty for ``-``; raise `ParseError` for anything else.

    >>> worth(read("silk 9, marfil 8 3"))
    20
    """
    return 0 if text.strip() == "-" else cards_of(read_sequence(text))


def _words(text: str) -> Iterator[str]:
    return iter(re.findall(r"\d+|[^\W\d_]+|[^\s,;:+/]", text))
