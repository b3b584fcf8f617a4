"""Turin Market's decks: eighteen goods cards and the payout card, the house deck or your own (TU-1, TU-3).

The house deck is ours (`data/turin/README.md` explains how it was made): only one payout of the printed cards is public
knowledge. If you own the game, read its cards with `Deck.load`; everything works with them unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from os import PathLike
from pathlib import Path

from tradekit._utils.arguments import checked
from tradekit._utils.tables import read_file, read_rows, whole
from tradekit.game import ParseError, stable_hash
from tradekit.i18n import _, language

CARDS = 18  #: goods cards (TU-1)
GOODS = 9  #: goods (TU-1)
UNITS = (3, 2, 1)  #: units of the three goods of a card (TU-1)
VERSIONS = ("classic", "new")  #: versions of the payouts (TU-1)
_SIGNS = '_,:|"'  # these have a meaning in a deck's text

_Rows = Iterable[tuple[str, dict[str, str]]]


@dataclass(frozen=True, slots=True)
class Good:
    """A good on the payout card: its number of units in the deck, and the bank's payout for the majority."""

    name: str
    total: int
    classic: int
    new: int
    spanish: str = ""

    @property
    def shown(self) -> str:
        """Name of the good in the language of the texts."""
        return self.spanish if self.spanish and language().startswith("es") else self.name

    @checked
    def payout(self, version: str = "classic") -> int:
        """Return the bank's payment, in escudos, to the player with the most of the good (TU-1, TU-32).

        >>> [good.payout("new") for good in Deck.house().goods]
        [11, 8, 6, 9, 4, 12, 5, 10, 7]
        """
        return self.new if version == "new" else self.classic


@checked
@dataclass(frozen=True, slots=True)
class Card:
    """A goods card: its number, 1 to 18, and its units of each good, in the order of the payout card."""

    number: int
    units: tuple[int, ...]


@dataclass(frozen=True)
class Deck:
    """Nine goods in payout order and eighteen cards.

    >>> deck = Deck.house()
    >>> deck.describe(3)
    'grapes 3, anchovies 2, honey 1'
    """

    name: str
    goods: tuple[Good, ...]
    cards: tuple[Card, ...]

    @classmethod
    def house(cls) -> Deck:
        """Return the deck that comes with tradekit, which we made ourselves.

        >>> [good.name for good in Deck.house().goods if good.payout("classic") == 6]
        ['grapes']
        """
        return _house()

    @classmethod
    @checked
    def load(cls, cards: str | PathLike[str], goods: str | PathLike[str]) -> Deck:
        """Read a deck from two CSV files, named after the first.

        Cards have the columns ``card,three,two,one``. Goods, from top to bottom as on the payout card, have
        ``good,total,classic,new`` and, if you like, ``spanish``; other columns are ignored. Files can be in any form
        that a spreadsheet saves (`tradekit._utils.tables`).

        Raises `ParseError` with file, line and fault (TU-3).

        >>> from tradekit_data import turin
        >>> folder = Path(turin.__path__[0])
        >>> Deck.load(folder / "cards.csv", folder / "goods.csv").cards == Deck.house().cards
        True
        """
        return cls.parse(read_file(cards), read_file(goods), Path(cards).stem, [Path(cards).name, Path(goods).name])

    @classmethod
    @checked
    def parse(cls, cards: str, goods: str, name: str = "own", files: Iterable[str] = ("cards", "goods")) -> Deck:
        """Read a deck from two CSV texts as in `load`; errors call them `files`. Raises `ParseError`.

        >>> Deck.parse("card,three,two,one", "good,total,classic,new\\nsilk,18,5,6")
        Traceback (most recent call last):
        tradekit.game.ParseError: goods: there are 1 goods; 9 are needed (TU-1)
        """
        cards_file, goods_file = files
        rows = read_rows(goods_file, goods, "good", "total", *VERSIONS, optional=["spanish"])
        listed, places = _read_goods(goods_file, rows)
        rows = read_rows(cards_file, cards, "card", "three", "two", "one")
        return _checked(name, listed, _read_cards(cards_file, rows, [good.name for good in listed]), places)

    @checked
    def card(self, number: int) -> Card:
        """Return the card with that number; raise `ValueError` if there is none.

        >>> Deck.house().card(3).units
        (0, 1, 3, 2, 0, 0, 0, 0, 0)
        """
        if not 1 <= number <= len(self.cards):
            raise ValueError(_("there is no card {n}; there are {most}").format(n=number, most=len(self.cards)))
        return self.cards[number - 1]

    @checked
    def describe(self, number: int) -> str:
        """Return the units on a card in words, most first."""
        units = self.card(number).units
        there = sorted((good for good in range(GOODS) if units[good]), key=lambda good: -units[good])
        return ", ".join(f"{self.goods[good].shown} {units[good]}" for good in there)

    @cached_property
    def text(self) -> str:
        """Deck in one word, for a state's text: ``house``, or ``good:total:classic:new:spanish,...|3.2.1,...``.

        A good without a Spanish name ends after ``new``.
        """
        if self == _house():
            return "house"
        goods = (f"{g.name}:{g.total}:{g.classic}:{g.new}" + f":{g.spanish}" * bool(g.spanish) for g in self.goods)
        cards = (".".join(str(card.units.index(n)) for n in UNITS) for card in self.cards)
        return f"{','.join(goods).replace(' ', '_')}|{','.join(cards)}"

    @classmethod
    @checked
    def of_text(cls, text: str) -> Deck:
        """Read the deck from such a word; raise `ParseError` for others.

        >>> Deck.of_text("house") == Deck.house()
        True
        """
        if text == "house":
            return _house()
        goods, _sign, cards = text.partition("|")
        header = "good,total,classic,new,spanish\n"
        names = [good.partition(":")[0] for good in goods.split(",")]
        rows = []
        try:
            for number, places in enumerate(cards.split(","), 1):
                rows.append(",".join([str(number), *(names[int(place)] for place in places.split("."))]))
        except (IndexError, ValueError):
            raise ParseError(_("{places!r}: a card is three numbers of goods").format(places=places)) from None
        text = header + goods.replace(":", "\t").replace(",", "\n").replace("\t", ",").replace("_", " ")
        return cls.parse("card,three,two,one\n" + "\n".join(rows).replace("_", " "), text)

    def __hash__(self) -> int:
        return stable_hash(self.name + str(len(self.goods)))


@cache
def _house() -> Deck:
    folder = files("tradekit_data") / "turin"
    cards, goods = ((folder / name).read_text("utf-8") for name in ("cards.csv", "goods.csv"))
    return Deck.parse(cards, goods, name="house", files=("cards.csv", "goods.csv"))


def _read_goods(file: str, rows: _Rows) -> tuple[tuple[Good, ...], list[str]]:
    """Return the goods, and the place of each in the file."""
    goods: list[Good] = []
    places: list[str] = []
    for where, row in rows:
        for name in (row["good"], row["spanish"]):
            if set(name) & set(_SIGNS) or " ".join(name.split()) != name:
                message = _("{where}{good!r}: a name is words with a space between them, without any of {signs}")
                raise ParseError(message.format(where=where, good=name, signs=_SIGNS))
        if row["good"] in [good.name for good in goods]:
            raise ParseError(_("{where}{good!r} is there twice").format(where=where, good=row["good"]))
        total, classic, new = (whole(where, column, row[column]) for column in ("total", *VERSIONS))
        goods.append(Good(row["good"], total, classic, new, row["spanish"]))
        places.append(where)
    if len(goods) != GOODS:
        raise ParseError(
            _("{file}: there are {n} goods; {needed} are needed (TU-1)").format(file=file, n=len(goods), needed=GOODS)
        )
    return tuple(goods), places


def _read_cards(file: str, rows: _Rows, names: list[str]) -> tuple[Card, ...]:
    cards: dict[int, Card] = {}
    for where, row in rows:
        number = whole(where, "card", row["card"])
        if number > CARDS or number in cards:
            message = _("{where}card {n}: cards are numbered 1 to {most}, each once (TU-1)")
            raise ParseError(message.format(where=where, n=number, most=CARDS))
        there = [row[column] for column in ("three", "two", "one")]
        for name in there:
            if name not in names:
                message = _("{where}{name!r} is not among the goods: {there}")
                raise ParseError(message.format(where=where, name=name, there=", ".join(names)))
        if len(set(there)) != len(there):
            message = _("{where}card {n} has {goods}; three different goods are needed (TU-1)")
            raise ParseError(message.format(where=where, n=number, goods=", ".join(there)))
        units = [0] * len(names)
        for name, n in zip(there, UNITS, strict=True):
            units[names.index(name)] = n
        cards[number] = Card(number, tuple(units))
    if len(cards) != CARDS:
        raise ParseError(
            _("{file}: there are {n} cards; {needed} are needed (TU-1)").format(file=file, n=len(cards), needed=CARDS)
        )
    return tuple(card for _number, card in sorted(cards.items()))


def _checked(name: str, goods: tuple[Good, ...], cards: tuple[Card, ...], places: list[str]) -> Deck:
    """Return the deck if the totals on its payout card are those of its cards (TU-1)."""
    for n, (good, where) in enumerate(zip(goods, places, strict=True)):
        units = sum(card.units[n] for card in cards)
        if units != good.total:
            message = _("{where}{good} has a total of {total}, but the cards have {units} units of it (TU-1)")
            raise ParseError(message.format(where=where, good=good.name, total=good.total, units=units))
    return Deck(name, goods, cards)
