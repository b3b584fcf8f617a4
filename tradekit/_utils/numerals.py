"""Numbers as people write them: the only reader of numbers in fields, files and answers.

    0.25   0,25   1/3   2 1/2   ½   33 %   −5   1 000,5   1.234.567   € 12.50   1E+05   '7   ١٢

A point or a comma can be the decimal mark, and the other one then separates thousands. A text that can be read either
way, such as ``1,234``, is never guessed at. A caller that knows the mark passes it, as for a file whose other numbers
show it (`mark_of`); otherwise `TwoReadings` is raised, which names both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any, Final, Literal
from unicodedata import category, decimal, decomposition

from tradekit.i18n import _

Mark = Literal[".", ","]  #: the decimal mark
MARKS: Final[tuple[Mark, Mark]] = (".", ",")

_LONGEST: Final = 400  # letters: no number here has more digits
_PLAIN: Final = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
_TWO: Final = re.compile(r"[1-9]\d?\d?[.,]\d{3}")  # might contain thousands, or a fraction of three places
_SIGNS: Final = dict.fromkeys("−–—‒‐‑﹣－", "-") | dict.fromkeys("⁄∕／", "/") | dict.fromkeys("％٪﹪", "%")
_SIGNS.update(dict.fromkeys("’‘ʼ´`＇٬", "'") | {"，": ",", "．": ".", "＋": "+", "٫": "·", "＝": "="})
_PERCENT: Final = re.compile(r"\s*(?:%|per ?cent|por ?ciento)$", re.IGNORECASE)
_WORDS: Final = "escudos?|dinars?|dinares|euros?|dollars?|dólares|pesos|points?|puntos?|EUR|USD|GBP|CHF|MXN|ARS"
_MONEY: Final = re.compile(rf"^(?:{_WORDS})\s*(?=[-+\d.,])|(?<=[\d.,])\s*(?:{_WORDS})$", re.IGNORECASE)


class NotANumber(ValueError):
    """A text that is not a number, or not one that is right there."""


class TwoReadings(NotANumber):
    """A text with two readings: its mark can separate thousands, or be the decimal mark."""

    def __init__(self, text: str, one: Fraction, other: Fraction) -> None:
        super().__init__(
            _('"{text}" can be read in two ways: write {one} or {other}').format(
                text=text.strip(), one=_unmistakable(one), other=_unmistakable(other)
            )
        )
        self.readings = (one, other)


def number(text: str, mark: Mark | None = None, within: tuple[float, float] | None = None) -> float:
    """Return the number in a text.

    `mark`: the decimal mark, if it is known. `within`: the lowest and the highest number that can be meant; a text with
    a decimal point, as our own pages write numbers, is then accepted if only that reading lies between them.

    Raises `NotANumber`, of which `TwoReadings` is a subclass.

    >>> [number(text) for text in ("0,25", "2 1/2", "33 %", "−1 000,5")]
    [0.25, 2.5, 0.33, -1000.5]
    >>> number("1,234")
    Traceback (most recent call last):
    tradekit._utils.numerals.TwoReadings: "1,234" can be read in two ways: write 1234 or 1.2340
    >>> number("1,234", mark=","), number("1.234", within=(0, 10))
    (1.234, 1.234)
    """
    if _PLAIN.fullmatch(text) and len(text) <= _LONGEST and (mark == "." or not _TWO.search(text)):
        value = float(text)
    else:
        try:
            value = float(exact(text, mark, within))
        except OverflowError:
            value = float("inf")
    if not isfinite(value):
        raise NotANumber(_('"{text}" is too large').format(text=_short(text)))
    return value


def whole(text: str, mark: Mark | None = None) -> int:
    """Return the whole number in a text, exact at any length. Raises `NotANumber`.

    >>> whole("7,0"), whole(" 1 000 000 ")
    (7, 1000000)
    >>> whole("2 1/2")
    Traceback (most recent call last):
    tradekit._utils.numerals.NotANumber: "2 1/2" is no whole number
    """
    if text.isdecimal() and text.isascii() and len(text) <= _LONGEST:
        return int(text)
    value = exact(text, mark)
    if value.denominator != 1:
        raise NotANumber(_('"{text}" is no whole number').format(text=_short(text)))
    return value.numerator


def numbers(text: str) -> list[float]:
    """Return the numbers in a list, with or without brackets. Raises `NotANumber`.

    They are separated by semicolons, commas with a space, spaces, or commas alone if there is nothing else.

    >>> numbers("(5, 4, 7)"), numbers("0,5; 1"), numbers("5 4 7"), numbers("5,4,7")
    ([5.0, 4.0, 7.0], [0.5, 1.0], [5.0, 4.0, 7.0], [5.0, 4.0, 7.0])
    """
    text = text.strip().strip("()[]{}").strip()
    for between in (r"\s*;\s*", r",\s+", r"\s+", r","):
        if re.search(between, text):
            return [number(part) for part in re.split(between, text) if part]
    return [number(text)]


def exact(text: str, mark: Mark | None = None, within: tuple[float, float] | None = None) -> Fraction:
    """Return the number in a text, exactly; for `mark`, `within` and errors see `number`.

    >>> exact("1/3"), exact("0,1")
    (Fraction(1, 3), Fraction(1, 10))
    """
    found = readings(text)
    if mark in found:
        return found[mark]
    if not found:
        raise NotANumber(_('"{text}" is no number').format(text=_short(text)))
    first, *others = dict.fromkeys(found.values())
    if not others:
        return first
    if within and mark is None and _PLAIN.fullmatch(text.strip()):
        low, high = within
        if low <= found["."] <= high and not low <= found[","] <= high:
            return found["."]
    raise TwoReadings(text, *sorted(found.values(), reverse=True))


def readings(text: str) -> dict[Mark, Fraction]:
    """Return the value of a text for each decimal mark with which it can be read.

    >>> readings("1,234")
    {'.': Fraction(1234, 1), ',': Fraction(617, 500)}
    >>> readings("0,5"), readings("word")
    ({',': Fraction(1, 2)}, {})
    """
    return dict(_readings(text)) if len(text) <= _LONGEST else {}


def mark_of(texts: Iterable[str]) -> Mark | None:
    """Return the decimal mark shared by all texts that only one mark can read; None if there is no such mark.

    >>> mark_of(["7", "1,234", "0,5"]), mark_of(["7", "1,234"]), mark_of(["0.5", "0,5"])
    (',', None, None)
    """
    marks: set[Mark] = set()
    for text in {*texts}:
        if _PLAIN.fullmatch(text) and not _TWO.search(text):  # a fast path for most texts
            marks |= {"."} if "." in text else set()
        elif len(found := readings(text)) == 1:
            marks |= {*found}
    return marks.pop() if len(marks) == 1 else None


def doubtful(text: str) -> bool:
    """Return whether a text can be read as two different numbers.

    >>> doubtful("1.234"), doubtful("0.234"), doubtful("1.234,5")
    (True, False, False)
    """
    return bool(_TWO.search(text) or not text.isascii()) and len({*readings(text).values()}) > 1


def is_share(text: str) -> bool:
    """Return whether a text is a percentage.

    >>> is_share("33 %"), is_share("0.33")
    (True, False)
    """
    return bool(_PERCENT.search(_folded(text)))


def plain(value: Any) -> Any:
    """Return a value of NumPy's, or a container of such values, as Python's own.

    Use it for texts, in which nobody wants to read ``np.float64(0.5)``.

    >>> import numpy as np
    >>> plain((np.float64(0.5), [np.int64(2)], "word"))
    (0.5, [2], 'word')
    """
    if type(value) in (tuple, list, set, frozenset):
        return type(value)(map(plain, value))
    if type(value) is dict:
        return {plain(key): plain(entry) for key, entry in value.items()}
    return value.item() if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0 else value


def make_plain(thing: Any) -> None:
    """Make the fields of a frozen dataclass `plain`, before it is passed on."""
    for field in fields(thing):
        object.__setattr__(thing, field.name, plain(getattr(thing, field.name)))


@lru_cache(4096)
def _readings(text: str) -> tuple[tuple[Mark, Fraction], ...]:
    words = _MONEY.sub("", _folded(text)).strip()
    percent = _PERCENT.search(words)
    body = words[: percent.start()] if percent else words
    found = ((mark, _read(body, mark)) for mark in MARKS)
    return tuple((mark, value / 100 if percent else value) for mark, value in found if value is not None)


def _folded(text: str) -> str:
    """Return the text with one sign for each meaning: digits of other scripts, minuses, spaces; without currencies."""
    signs = []
    for sign in text:
        kind = category(sign)
        if kind == "Nd":
            signs.append(str(decimal(sign)))
        elif kind == "No" and decomposition(sign).startswith("<fraction>"):
            _form, *codes = decomposition(sign).split()
            signs.append(" " + "".join(chr(int(code, 16)) for code in codes).replace("⁄", "/"))
        elif kind != "Cf" and kind != "Sc":  # invisible marks and currencies go
            signs.append(" " if sign.isspace() else _SIGNS.get(sign, sign))
    folded = "".join(signs).strip()
    if quoted := re.fullmatch(r'=?"(.*)"', folded):  # how people make a spreadsheet leave a number alone
        folded = quoted[1].strip()
    return folded[1:] if folded.startswith("'") else folded


@lru_cache(2)
def _pattern(mark: Mark) -> re.Pattern[str]:
    other = re.escape("," if mark == "." else ".")
    thousands = "|".join(rf"[1-9]\d?\d?(?:{sign}\d{{3}})+" for sign in (other, " ", "'", "_"))
    indian = rf"[1-9]\d?(?:{other}\d\d)*{other}\d{{3}}"
    fraction = rf"[{re.escape(mark)}·]"
    return re.compile(
        rf"(?P<sign>[-+]?) ?(?:(?P<whole>{thousands}|{indian}|\d+)(?:{fraction}(?P<places>\d*))?"
        rf"|{fraction}(?P<only>\d+))(?:[eE](?P<power>[-+]?\d{{1,3}}))?"
    )


def _read(text: str, mark: Mark) -> Fraction | None:
    """Return the value of a text with this decimal mark; None if it has none."""
    first, slash, rest = text.partition("/")
    if not slash:
        return _decimal(text, mark)
    mixed = re.fullmatch(r"([-+]? ?\d+) +(\d+) ?", first)
    over, under = _decimal(mixed[2] if mixed else first.rstrip(), mark), _decimal(rest.lstrip(), mark)
    if over is None or not under:
        return None
    if not mixed:
        return over / under
    parts = over / under
    return Fraction(int(mixed[1].replace(" ", ""))) + (-parts if mixed[1].startswith("-") else parts)


def _decimal(text: str, mark: Mark) -> Fraction | None:
    found = _pattern(mark).fullmatch(text)
    if not found:
        return None
    places = found["places"] or found["only"] or ""
    digits = int(re.sub(r"\D", "", found["whole"] or "") + places)
    value = Fraction(digits) * Fraction(10) ** (int(found["power"] or 0) - len(places))
    return -value if found["sign"] == "-" else value


def _unmistakable(value: Fraction) -> str:
    """Return a number as text that can be read in only one way."""
    if value.denominator == 1:
        return str(value.numerator)
    text = f"{float(value):.15g}"
    return f"{text}0" if _TWO.fullmatch(text.lstrip("-")) else text


def _short(text: str) -> str:
    """Return the beginning of a text."""
    return text.strip() if len(text) <= 40 else f"{text.strip()[:39]}…"
