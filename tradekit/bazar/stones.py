"""Stones (BZ-1), equations (BZ-3, BZ-10) and wares (BZ-4, BZ-15), each with a text form that can be read back.

Reading accepts many forms: ``"RRB"``, ``"2R 1B"``, ``"red red blue"`` and ``"2 rojas, 1 azul"`` are the same stones.
Errors are exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tradekit._utils.arguments import items, shown, whole_number
from tradekit.bazar import render
from tradekit.game import ParseError
from tradekit.i18n import _

COLOURS = "RWBGY"  # BZ-1: red, white, blue, green, yellow, the order of every array and of every printed hand
LIMIT = 10  # BZ-14: stones in hand at the end of a turn
WARE_SIZE = 5  # BZ-4
MOST_LEFT = 8  # a turn holds at most 13 stones (BZ-14), and 5 of them pay
STARS = "*★☆⭐"  # BZ-4: any of them marks a starred ware
FACES = (*COLOURS, "Choice")  # BZ-5

#: BZ-15: points by column (no star, ★, ★★) and stones left after paying (0, 1, 2, 3 or more).
POINTS = ((5, 3, 2, 1), (8, 5, 3, 2), (12, 8, 5, 3))

LONGEST = 300  # letters of stones, of a ware, of an equation
MOST_EQUATIONS = 10  # BZ-3: two cards of five

_ENGLISH = {"R": "red reds", "W": "white whites", "B": "blue blues", "G": "green greens", "Y": "yellow yellows"}
_SPANISH = {
    "R": "rojo roja rojos rojas",
    "W": "blanco blanca blancos blancas",
    "B": "azul azules",
    "G": "verde verdes",
    "Y": "amarillo amarilla amarillos amarillas",
}
_SPANISH_NAMES = {name for names in _SPANISH.values() for name in names.split()}
_COLOUR_OF = {name: colour for names in (_ENGLISH, _SPANISH) for colour in names for name in names[colour].split()}
_NUMBERS = {name: number for number, names in enumerate([
    "zero cero", "one a an un una uno", "two dos", "three tres", "four cuatro", "five cinco", "six seis", "seven siete",
    "eight ocho", "nine nueve", "ten diez",
]) for name in names.split()}  # fmt: skip
_NOUNS = frozenset(["stone", "stones", "piedra", "piedras"])  # next to the name of a colour: "2 red stones"
_NONE = ("", "-", "–")  # how "no stones" is written
_WORD = re.compile(r"\d+|[^\W\d_]+|[^\s,+]")
_LETTERS = re.compile(r"[RWBGYrwbgy+]+")
_SIGN = re.compile(r"\s*(?:<->|<=>|->|→|↔|=)\s*")  # separates the sides of an equation


@dataclass(frozen=True, slots=True, init=False, order=False)
class Stones:
    """A multiset of stones, written as letters in the order R W B G Y (BZ-1); no stones print as ``-``.

    It adds, subtracts and compares as a multiset: ``<=`` is "is contained in".

    >>> Stones("2B red") + Stones("W")
    Stones('RWBB')
    >>> Stones("RB") <= Stones("RRB"), len(Stones("RRB")), Stones("RRB").counts
    (True, 3, (2, 0, 1, 0, 0))
    """

    counts: tuple[int, ...]  #: number of stones of each colour, in the order of `COLOURS`

    def __init__(self, stones: StonesLike = "") -> None:
        counts = stones.counts if isinstance(stones, Stones) else _counts(stones)
        object.__setattr__(self, "counts", counts)

    @classmethod
    def parse(cls, text: str) -> Stones:
        """Read stones from text: letters, numbers, English or Spanish names; raises `ParseError`.

        >>> Stones.parse("2 rojas, azul")
        Stones('RRB')
        """
        return cls(text)

    @classmethod
    def of(cls, counts: Iterable[int]) -> Stones:
        """Return the stones with these five counts; raise `ValueError` if one is negative.

        >>> Stones.of([2, 0, 1, 0, 0])
        Stones('RRB')
        """
        numbers = items(counts, "counts", whole_number, "(2, 0, 1, 0, 0)")
        if len(numbers) != len(COLOURS) or min(numbers) < 0:
            raise ValueError(_("{counts}: give five counts of 0 or more").format(counts=shown(numbers)))
        return cls._of(numbers)

    @classmethod
    def _of(cls, counts: tuple[int, ...]) -> Stones:
        stones = object.__new__(cls)
        object.__setattr__(stones, "counts", counts)
        return stones

    def __add__(self, other: Stones) -> Stones:
        if not isinstance(other, Stones):
            return NotImplemented
        return Stones._of(tuple([a + b for a, b in zip(self.counts, other.counts, strict=True)]))

    def __sub__(self, other: Stones) -> Stones:
        if not isinstance(other, Stones):
            return NotImplemented
        if not other <= self:
            raise ValueError(_("{have} does not contain {want}").format(have=self, want=other))
        return Stones._of(tuple([a - b for a, b in zip(self.counts, other.counts, strict=True)]))

    def __le__(self, other: Stones) -> bool:
        if not isinstance(other, Stones):
            return NotImplemented
        return all(a <= b for a, b in zip(self.counts, other.counts, strict=True))

    def __lt__(self, other: Stones) -> bool:
        return NotImplemented if not isinstance(other, Stones) else self <= other and self != other

    def __len__(self) -> int:
        return sum(self.counts)

    def __iter__(self) -> Iterator[str]:
        return iter("".join(colour * n for colour, n in zip(COLOURS, self.counts, strict=True)))

    def __contains__(self, colour: object) -> bool:
        return any(colour == name and n for name, n in zip(COLOURS, self.counts, strict=True))

    def __str__(self) -> str:
        return "".join(self) or "-"

    def __repr__(self) -> str:
        return f"Stones({str(self)!r})"

    def _repr_html_(self) -> str:
        return render.page(render.stones(self))


#: Stones, their text, several of either, or counts by colour.
StonesLike: TypeAlias = Stones | str | Iterable[Stones | str] | Mapping[str, int]


def _counts(given: StonesLike) -> tuple[int, ...]:
    """Count the given stones of each colour; raise `ParseError` for anything other than stones."""
    text = text_of(given)
    if text is not None:
        return _read_counts(_short(text))
    if isinstance(given, Mapping):
        numbers = [(whole_number(number, f"{colour}", 0), Stones(colour)) for colour, number in given.items()]
        return tuple([sum(number * stones.counts[n] for number, stones in numbers) for n in range(len(COLOURS))])
    if isinstance(given, Iterable) and getattr(given, "ndim", 1) == 1:
        several = [stones if isinstance(stones, Stones) else text_of(stones) for stones in given]
        if None not in several:
            parts = [Stones(stones).counts for stones in several if stones is not None]
            return tuple([sum(counts[n] for counts in parts) for n in range(len(COLOURS))])
    raise ParseError(_("{value}: must be stones, such as RRB or 2 red, 1 blue").format(value=shown(given)))


def text_of(value: object) -> str | None:
    """Return the text of a value that is text, including NumPy's kinds; None for any other."""
    text = value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value
    return text if isinstance(text, str) else None


def _short(text: str) -> str:
    """Return a text if it is short enough for its purpose; raise `ParseError` if it is too long."""
    if len(text) > LONGEST:
        raise ParseError(_("{text}: too long for stones, a ware or an equation").format(text=shown(text)))
    return text


def _read_counts(text: str) -> tuple[int, ...]:
    counts = dict.fromkeys(COLOURS, 0)
    if text.strip() not in _NONE:
        for number, colour in _tokens(text):
            counts[colour] += number
    return tuple(counts.values())


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Yield the (number, colour) pairs of a text: a number counts the one colour after it."""
    number: int | None = None
    words = [*_WORD.finditer(text)]
    for place, word in enumerate(words):
        token = word[0]
        between = number is None and 0 < place < len(words) - 1
        if between and token.lower() == "and":
            continue
        if between and token == "y" and _says_and(text, words[place - 1], words[place + 1]):
            continue
        if token.isdecimal() or token.lower() in _NUMBERS:
            if number is not None or len(token) > (3 if token.isdecimal() else 6):
                message = _("{text}: {token} is not a number of stones of one colour")
                token = token if len(token) <= 20 else f"{token[:20]}..."
                raise ParseError(message.format(text=shown(text), token=token))
            number = _NUMBERS[token.lower()] if token.lower() in _NUMBERS else int(token)
            continue
        if token.lower() in _NOUNS and _names_a_colour(words, place - 1, place + 1):
            continue
        for colour in _colours(text, token):
            yield (1 if number is None else number), colour
            number = None
    if number is not None:
        message = _("{text!r}: no colour after the number {number}; write 2R for two red stones")
        raise ParseError(message.format(text=text, number=number))


def _names_a_colour(words: Sequence[re.Match[str]], *places: int) -> bool:
    return any(0 <= place < len(words) and words[place][0].lower() in _COLOUR_OF for place in places)


def _says_and(text: str, before: re.Match[str], after: re.Match[str]) -> bool:
    """Return True if a lone y between two words is Spanish "and", not yellow; raise `ParseError` if it can be both."""
    first, last = before[0].lower(), after[0].lower()
    counted = last.isdecimal() or last in _NUMBERS
    in_a_list = text[before.end() : after.start()].strip() != "y"  # "red, y, blue"
    if in_a_list or not (counted or first in _COLOUR_OF or last in _COLOUR_OF):  # letters: "r y b"
        return False
    if first in _SPANISH_NAMES and (counted or last in _SPANISH_NAMES):
        return True
    message = _("{text!r}: y may be a yellow stone here, or mean and, as in Spanish; write Y for the stone, or a comma")
    raise ParseError(message.format(text=text))


def _colours(text: str, token: str) -> str:
    """Return the colours of a word: the name of one colour, or a letter for each."""
    if token.lower() in _COLOUR_OF:
        return _COLOUR_OF[token.lower()]
    strange = [letter for letter in token.upper() if letter not in COLOURS]
    if strange:
        # Each letter of a word in capitals is a stone; any other word is a name.
        wrong = strange[0] if token.isupper() else token
        message = _("{text!r}: unknown colour {wrong!r}; colours are {colours}")
        raise ParseError(message.format(text=text, wrong=wrong, colours=" ".join(COLOURS)))
    return token.upper()


@dataclass(frozen=True, slots=True, init=False)
class Equation:
    """One line of an exchange card, and, read from left to right, one trade: give `left`, take `right` (BZ-10).

    Each side is 1 to 4 stones, and no colour is on both sides (BZ-3); otherwise this raises `ParseError`.

    >>> Equation("R = BGYW"), Equation("2W <-> red").reversed
    (Equation('R=WBGY'), Equation('R=WW'))
    """

    left: Stones
    right: Stones

    def __init__(self, equation: EquationLike) -> None:
        left, right = (equation.left, equation.right) if isinstance(equation, Equation) else _read_sides(equation)
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "right", right)

    @classmethod
    def parse(cls, text: str) -> Equation:
        """Read an equation with ``=``, ``<->`` or ``->`` between its sides; raises `ParseError`.

        >>> Equation.parse("rojo -> 2 blancas")
        Equation('R=WW')
        """
        return cls(text)

    @property
    def reversed(self) -> Equation:
        """Same equation in the other direction."""
        turned = object.__new__(Equation)
        object.__setattr__(turned, "left", self.right)
        object.__setattr__(turned, "right", self.left)
        return turned

    @property
    def sides(self) -> frozenset[Stones]:
        """Set of the two sides, the same in both directions: equations with equal sides are twins (BZ-3)."""
        return frozenset([self.left, self.right])

    def __str__(self) -> str:
        return f"{self.left}={self.right}"

    def __repr__(self) -> str:
        return f"Equation({str(self)!r})"

    def _repr_html_(self) -> str:
        return render.page(render.equation(self))


EquationLike: TypeAlias = Equation | str


def _read_sides(given: EquationLike) -> tuple[Stones, Stones]:
    text = text_of(given)
    if text is None:
        raise ParseError(_("{value}: must be an equation, such as R=WW").format(value=shown(given)))
    sides = _SIGN.split(_short(text))
    if len(sides) != 2:
        raise ParseError(
            _("{text!r}: an equation has two sides with one '=' between them, such as R=WW").format(text=text.strip())
        )
    left, right = map(Stones, sides)
    if any(_parts_letters(side, spaced=bool(re.search(r"\s[^\w\s]+\s", text))) for side in sides):
        message = _("{text!r}: the letters of a side stand together; write {equation}, or one equation a line")
        raise ParseError(message.format(text=text.strip(), equation=f"{left}={right}"))
    for side in (left, right):
        if not 1 <= len(side) <= 4:
            raise ParseError(
                _("{text!r}: a side has 1 to 4 stones, not {n} (BZ-3)").format(text=text.strip(), n=len(side))
            )
    if left == right:
        raise ParseError(_("{text!r}: the same stones stand on both sides (BZ-3)").format(text=text.strip()))
    for colour, gives, takes in zip(COLOURS, left.counts, right.counts, strict=True):
        if gives and takes:
            raise ParseError(
                _("{text!r}: colour {colour} stands on both sides (BZ-3)").format(text=text.strip(), colour=colour)
            )
    return left, right


def _parts_letters(side: str, spaced: bool) -> bool:
    """Return True if a space or a comma separates letters of a side, so that they may begin another equation.

    Words and counted letters can be separated, "2 red, 1 blue" and "2R 1B". Single letters can be too if there are
    spaces around the sign: "R = W W W". A plus joins.
    """
    words = re.split(r"[\s,]+", re.sub(r"\s*\+\s*", "+", side.strip(" \t,;")))
    bare = [
        word
        for before, word in pairwise(["", *words])
        if _LETTERS.fullmatch(word) and not before.isdecimal() and before.lower() not in _NUMBERS and word != "y"
    ]
    return len(words) > 1 and bool(bare) and not (spaced and "," not in side and all(len(word) == 1 for word in words))


@dataclass(frozen=True, slots=True, init=False)
class Ware:
    """A ware card: the five stones that it costs, and a star or none (BZ-4).

    >>> Ware("5G ★"), Ware("GGGGG*").points(left=0)
    (Ware('GGGGG*'), 8)
    """

    stones: Stones
    stars: int  #: number of stars, 0 or 1

    def __init__(self, ware: WareLike) -> None:
        stones, stars = (ware.stones, ware.stars) if isinstance(ware, Ware) else _read_ware(ware)
        object.__setattr__(self, "stones", stones)
        object.__setattr__(self, "stars", stars)

    @classmethod
    def parse(cls, text: str) -> Ware:
        """Read five stones and, for a starred ware, one ``*`` or ``★``; raises `ParseError`.

        >>> Ware.parse("RWBGY*").stars
        1
        """
        return cls(text)

    def points(self, left: int, empty_stalls: int = 0) -> int:
        """Return the ware's points for a buyer with `left` stones after paying, with `empty_stalls` (0 or 1) empty.

        Source: BZ-15, and BZ-16 for one column higher. Anything else raises `ValueError`.

        >>> Ware("RWBGY").points(0), Ware("RWBGY").points(7), Ware("RWBGY*").points(1, empty_stalls=1)
        (5, 1, 8)
        """
        left = whole_number(left, "left", 0)
        return POINTS[self.stars + check_empty_stalls(empty_stalls)][min(left, 3)]

    def __str__(self) -> str:
        return f"{self.stones}{'*' * self.stars}"

    def __repr__(self) -> str:
        return f"Ware({str(self)!r})"

    def _repr_html_(self) -> str:
        return render.page(render.ware(self))


WareLike: TypeAlias = Ware | str | Stones


def _read_ware(given: WareLike) -> tuple[Stones, int]:
    text = text_of(str(given) if isinstance(given, Stones) else given)
    if text is None:
        raise ParseError(_("{value}: must be a ware, such as RWBGY or GGGGG*").format(value=shown(given)))
    stars = sum(_short(text).count(star) for star in STARS)
    stones = Stones(re.sub(f"[{STARS}]", " ", text))
    if len(stones) != WARE_SIZE:
        raise ParseError(
            _("{text!r}: a ware shows five stones, not {n} (BZ-4)").format(text=text.strip(), n=len(stones))
        )
    if stars > 1:
        raise ParseError(
            _("{text!r}: a ware bears one star or none, not {n} (BZ-4)").format(text=text.strip(), n=stars)
        )
    return stones, stars


def check_empty_stalls(empty_stalls: int) -> int:
    """Return `empty_stalls` if it is 0 or 1; raise `ValueError` otherwise: with two the bazaar is closed (BZ-17)."""
    empty_stalls = whole_number(empty_stalls, "empty_stalls")
    if empty_stalls not in (0, 1):
        raise ValueError(
            _("{n} empty stalls: 0 or 1 are possible, with two the bazaar is closed (BZ-17)").format(n=empty_stalls)
        )
    return empty_stalls


def parse_equations(text: str) -> list[Equation]:
    """Read equations, one per line or several separated by spaces, commas or semicolons; ``#`` starts a comment.

    In a line of several, an equation can have spaces only around its sign. A fault, or a repeated equation in either
    direction, raises `ParseError` with the line.

    >>> parse_equations("R=WW  W = BG  # two\\n2 red = blue")
    [Equation('R=WW'), Equation('W=BG'), Equation('RR=B')]
    """
    equations: list[Equation] = []
    line_of: dict[frozenset[Stones], int] = {}
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        where = _("line {n}: ").format(n=number) if len(lines) > 1 else ""
        for item in _split_equations(line.partition("#")[0]):
            try:
                equation = Equation(item)
            except ParseError as error:
                raise ParseError(f"{where}{error}") from None
            if first := line_of.get(equation.sides):
                before = _(" (first in line {n})").format(n=first) if where else ""
                message = _("{where}equation {equation} is there twice{before}")
                raise ParseError(message.format(where=where, equation=equation, before=before))
            line_of[equation.sides] = number
            equations.append(equation)
    return equations


def parse_exchange(exchange: object) -> tuple[Equation, ...]:
    """Read the equations of an exchange (BZ-3).

    `exchange` is text as for `parse_equations`, an equation, several of either, or an object with `equations`. Also
    raises `ParseError` for none or more than ten equations.

    >>> parse_exchange("R=WW W=BG"), parse_exchange(["R=WW", Equation("W=BG")])
    ((Equation('R=WW'), Equation('W=BG')), (Equation('R=WW'), Equation('W=BG')))
    """
    text = text_of(exchange)
    if text is None:
        several = getattr(exchange, "equations", [exchange] if isinstance(exchange, Equation) else exchange)
        if isinstance(several, str | bytes | Mapping) or not isinstance(several, Iterable):
            raise ParseError(
                _("{value}: must be equations, such as R=WW W=BG, or an Exchange").format(value=shown(exchange))
            )
        text = "\n".join([item if isinstance(item, str) else str(Equation(item)) for item in several])
    return check_exchange(parse_equations(text))


def check_exchange(equations: Iterable[Equation]) -> tuple[Equation, ...]:
    """Return these equations if they are one to ten; raise `ParseError` otherwise (BZ-3)."""
    found = tuple(equations)
    if not 1 <= len(found) <= MOST_EQUATIONS:
        raise ParseError(_("{n} equations; an exchange has 1 to 10 (BZ-3)").format(n=len(found)))
    return found


def _split_equations(line: str) -> list[str]:
    if len(_SIGN.findall(line)) <= 1:
        return [*filter(None, [line.strip(" \t,;")])]
    return [item for item in re.split(r"[\s,;]+", _SIGN.sub("=", line)) if item]
