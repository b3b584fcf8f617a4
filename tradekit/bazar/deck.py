"""Decks of exchange cards (BZ-3) and wares (BZ-4): the house deck or your own.

The house deck is ours, made by rule (`data/bazar/README.md` explains it): the printed cards are not public knowledge.
If you own the game, read its cards with `Deck.load` or `Deck.parse`; everything works with them unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path

from tradekit._utils import numerals
from tradekit._utils.arguments import checked, shown, whole_number, whole_numbers
from tradekit._utils.tables import (
    decode,
    failed,
    has_columns,
    lines,
    read_file,
    read_rows,
    spoiled,
    without_comment,
    yes,
)
from tradekit.bazar.stones import STARS, Equation, Stones, Ware, check_exchange, parse_equations
from tradekit.game import ParseError
from tradekit.i18n import _

CARD_SIZE = 5  # BZ-3: equations on a card

#: Contents of a file or a pasted text, line by line: (place, card number or None for a ware, text).
_Lines = Iterator[tuple[str, int | None, str]]
_CARDS = ("card", "equation")  #: columns of a table of cards


@checked
@dataclass(frozen=True, slots=True)
class Card:
    """An exchange card: its number and its five equations."""

    number: int
    equations: tuple[Equation, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """Exchange cards and wares.

    >>> Deck.house().card(1).equations[0]
    Equation('R=WBGY')
    """

    name: str
    cards: tuple[Card, ...]
    wares: tuple[Ware, ...] = ()

    @classmethod
    def house(cls) -> Deck:
        """Return the deck that comes with tradekit: 10 cards and 45 wares that we made ourselves.

        >>> len(Deck.house().cards), len(Deck.house().wares)
        (10, 45)
        """
        return _house()

    @classmethod
    @checked
    def load(cls, cards: str | PathLike[str], wares: str | PathLike[str] | None = None) -> Deck:
        """Read a deck from CSV files: columns ``card,equation`` and, in a second file, ``ware``; others are ignored.

        A ware's star is written after it, ``RWBGY*``, or in a column ``star`` as 1 or 0. Without a second file the
        first can also be a text as for `parse`. The deck has the first file's name. Files can be in any form that a
        spreadsheet saves (`tradekit._utils.tables`).

        Raises `ParseError` with file, line and fault.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cards, wares = Path(folder) / "mine.csv", Path(folder) / "wares.csv"
        ...     written = cards.write_text("card,equation\\n7,R=WW\\n7,W=BG\\n7,B=GG\\n7,G=YY\\n7,YYB=R\\n")
        ...     written = wares.write_text("ware\\nRWBGY*\\n")
        ...     deck = Deck.load(cards, wares)
        >>> deck.name, deck.cards[0].number, deck.wares
        ('mine', 7, (Ware('RWBGY*'),))
        """
        path = Path(cards)
        text = read_file(path)
        if path.suffix.lower() == ".csv" or has_columns(text, *_CARDS):
            found = list(_csv_cards(path.name, text))
        else:
            found = list(_text_lines(text, f"{path.name}, "))
        if wares is not None:
            found += _csv_wares(Path(wares).name, read_file(wares))
        return _build(path.stem, found)

    @classmethod
    @checked
    def parse(cls, text: str, name: str = "own") -> Deck:
        """Read a deck from pasted text; raise `ParseError` with line and fault.

        A line ``card 1`` starts a card, and its equations follow, one per line; a line ``wares`` starts the wares.
        ``#`` starts a comment. A table with the columns ``card,equation`` can also be read.

        >>> deck = Deck.parse("card 7\\nR=WW\\nW=BG\\nB=GG\\nG=YY\\nYYB=R\\nwares\\nRWBGY*")
        >>> deck.cards[0].number, deck.wares
        (7, (Ware('RWBGY*'),))
        """
        text = decode(text)
        return _build(name, _csv_cards(_("text"), text) if has_columns(text, *_CARDS) else _text_lines(text))

    def __hash__(self) -> int:
        return hash((len(self.cards), len(self.wares), self.wares[:3]))  # enough to tell decks apart, and quick

    def card(self, number: int) -> Card:
        """Return the card with that number; raise `ValueError` with a list of the numbers for an unknown one.

        >>> print(*Deck.house().card(1).equations)  # BZ-3: five
        R=WBGY R=WW W=GGG B=GY G=YY
        """
        number = whole_number(number, "number")
        for card in self.cards:
            if card.number == number:
                return card
        there = ", ".join(str(card.number) for card in self.cards)
        message = _("there is no exchange card {number}; deck {name!r} has {there}")
        raise ValueError(message.format(number=number, name=self.name, there=there))

    def exchange(self, numbers: Collection[int]) -> tuple[Equation, ...]:
        """Return the equations of the exchange that these cards make (BZ-3).

        Raises `ValueError` for an unknown or repeated card, and for no equation or more than ten.

        >>> len(Deck.house().exchange((1, 4)))
        10
        """
        numbers = whole_numbers(numbers, "cards")
        if len(set(numbers)) != len(numbers):
            raise ValueError(
                _("cards {numbers}: each card is there once (BZ-3)").format(numbers=", ".join(map(str, numbers)))
            )
        return check_exchange(equation for number in numbers for equation in self.card(number).equations)


@cache
def _house() -> Deck:
    folder = files("tradekit_data") / "bazar"
    cards, wares = ((folder / name).read_text("utf-8") for name in ("exchange_cards.csv", "wares.csv"))
    return _build("house", [*_csv_cards("exchange_cards.csv", cards), *_csv_wares("wares.csv", wares)])


def _csv_cards(file: str, text: str) -> _Lines:
    for where, row in read_rows(file, text, *_CARDS):
        yield where, _card_number(where, row["card"]), row["equation"].strip("'")


def _csv_wares(file: str, text: str) -> _Lines:
    for where, row in read_rows(file, text, "ware", optional=["star"]):
        ware, star = row["ware"], row["star"]
        starred = any(sign in ware for sign in STARS)
        if star and yes(where, "star", star) != starred:
            if starred:
                wrong = _("{where}{ware!r} has a star, but there is {star!r} under 'star'")
                raise ParseError(wrong.format(where=where, ware=ware, star=star))
            ware += "*"
        yield where, None, ware


def _text_lines(text: str, file: str = "") -> _Lines:
    card: int | None = None
    started = False
    for n, line in lines(text):
        where, content = file + _("line {n}: ").format(n=n), without_comment(line).strip('"').rstrip(",;\t ")
        if not content:
            continue
        if why := spoiled(content) if failed(content) else "":
            raise ParseError(_("{where}{text!r}: {why}").format(where=where, text=content, why=why))
        head = re.fullmatch(r"(?:card|tarjeta|carta)\s+(\S+?)\s*:?", content, re.IGNORECASE)
        if head:
            card, started = _card_number(where, head[1]), True
            yield where, card, ""  # so that a card without equations does not get lost
        elif re.fullmatch(r"(?:wares?|mercanc[ií]as?)\s*:?", content, re.IGNORECASE):
            card, started = None, True
        elif not started:
            raise ParseError(
                _("{where}{text!r} stands before the first line 'card 1' or 'wares'").format(where=where, text=content)
            )
        else:
            yield where, card, content


def _card_number(where: str, text: str) -> int:
    try:
        if 0 <= (number := numerals.whole(text)) < 10**9:
            return number
        raise numerals.NotANumber(text)
    except numerals.NotANumber:
        raise ParseError(_("{where}{text} is not the number of a card").format(where=where, text=shown(text))) from None


def _build(name: str, found: Iterable[tuple[str, int | None, str]]) -> Deck:
    """Build the deck from the lines `found`, checked card by card."""
    cards: dict[int, list[Equation]] = {}
    wares: dict[Ware, str] = {}
    places: dict[frozenset[Stones], str] = {}
    ends: dict[int, str] = {}  # last line of each card
    for where, number, text in found:
        try:
            if number is None:
                ware = Ware(text)
                if ware in wares:
                    raise ParseError(
                        _("ware {ware} is there twice ({before})").format(ware=ware, before=wares[ware].rstrip(": "))
                    )
                wares[ware] = where
                continue
            ends[number], card = where, cards.setdefault(number, [])
            for equation in parse_equations(text):
                if before := places.get(equation.sides):
                    message = _("equation {equation} is there twice ({before})")
                    raise ParseError(message.format(equation=equation, before=before.rstrip(": ")))
                places[equation.sides] = where
                card.append(equation)
        except ParseError as error:
            at_card = "" if number is None else _("card {number}: ").format(number=number)
            raise ParseError(f"{where}{at_card}{error}") from None
    for number, equations in cards.items():
        if len(equations) != CARD_SIZE:
            message = _("{where}card {number} has {n} equations; a card has {size} (BZ-3)")
            raise ParseError(message.format(where=ends[number], number=number, n=len(equations), size=CARD_SIZE))
    if not cards:
        raise ParseError(_("there is no exchange card; start one with a line 'card 1', its equations below"))
    return Deck(
        name, tuple(Card(number, tuple(equations)) for number, equations in sorted(cards.items())), tuple(wares)
    )
