"""People's names: equal where they look equal, in the order of a class list, and harmless next to other text."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import bidirectional, combining, normalize

_UNSEEN: Final = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u061c\u2060\ufeff\u00ad"))  # invisible characters
_HYPHENS: Final = {ord(sign): "-" for sign in "\u2010\u2011"}
_OPEN: Final = "\u2066\u2067\u2068"  # characters that begin an isolate
_FIRST_STRONG: Final = "\u2068"
_POP: Final = "\u2069"
_TURNS: Final = {"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"}  # turn the direction
_AS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})
_TILDE: Final = "\u0303"


def clean(name: str) -> str:
    """Return one form for all spellings that look the same.

    Accents are composed, runs of spaces of any kind become one space, and invisible characters go; case stays, since
    people see it.

    >>> clean("Jose\\u0301\\u00a0 Ruiz ") == "José Ruiz"
    True
    """
    return " ".join(normalize("NFC", name.translate(_UNSEEN).translate(_HYPHENS)).split())


def in_order(name: str) -> tuple[object, ...]:
    """Return the key that sorts names as in a class list: accents and case decide last, ñ follows n, and 2 precedes 10.

    >>> sorted(["Zoe", "Álvaro", "10", "Núñez", "Nunoz", "ana", "2", "Ana"], key=in_order)
    ['2', '10', 'Álvaro', 'ana', 'Ana', 'Nunoz', 'Núñez', 'Zoe']
    """
    letters: list[tuple[str, int]] = []
    for sign in normalize("NFD", clean(name).casefold().translate(_AS)):
        if sign == _TILDE and letters and letters[-1][0] == "n":
            letters[-1] = ("n", 1)
        elif not combining(sign):
            letters.append((sign, 0))
    runs: list[tuple[int, int, str, int]] = []  # each number is one run, so that its value counts
    for sign, tilde in letters:
        if sign.isdecimal() and runs and runs[-1][0] == 0:
            runs[-1] = (0, runs[-1][1] * 10 + int(sign), "", 0)
        else:
            runs.append((0, int(sign), "", 0) if sign.isdecimal() else (1 + sign.isalpha(), 0, sign, tilde))
    return (runs, normalize("NFD", name.casefold()), name.swapcase(), name)


def isolated(name: str) -> str:
    """Return a name for use next to other text: characters that change the direction affect nothing outside the name.

    >>> isolated("Ana"), isolated("\\u202eAna") == "\\u2068\\u202eAna\\u2069"
    ('Ana', True)
    """
    if not any(bidirectional(sign) in _TURNS for sign in name):
        return name
    depth, signs = 0, []
    for sign in re.sub(r"[\n\r\x1c-\x1e\x85\u2029]", " ", name):  # these end a paragraph, and with it all isolates
        if sign == _POP and not depth:
            continue  # it would end our isolate
        depth += (sign in _OPEN) - (sign == _POP)
        signs.append(sign)
    return f"{_FIRST_STRONG}{''.join(signs)}{_POP * (depth + 1)}"
