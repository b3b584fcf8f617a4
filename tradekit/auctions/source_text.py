"""Formats, values and risk attitudes as Python text, which `read` gives back: for code to copy, and for files.

Only calls of the names below with plain numbers and words are read; nothing else is ever evaluated.
"""

from __future__ import annotations

import ast
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Final

from tradekit.auctions.formats import Format
from tradekit.auctions.payment import PaymentRule
from tradekit.auctions.risk import RiskAttitude
from tradekit.auctions.values import Distribution, Uniform, ValueModel, Values
from tradekit.i18n import _

#: The names that `read` knows besides the continuous distributions of `scipy.stats`.
NAMES: Final = ("Format", "CRRA", "CARA", "MeanOfSignals", "NoisySignals", "uniform", "Values.of")


Spelled = Format | RiskAttitude | ValueModel | Distribution


def spell(thing: Spelled) -> str:
    """Return the text that makes `thing`, where `auctions` is our package and `stats` that of SciPy.

    >>> from tradekit.auctions import all_pay, uniform
    >>> spell(all_pay(prizes=(2, 1))), spell(uniform(0, 20))
    ('auctions.Format(prizes=(2, 1), loser_pays=1)', 'stats.uniform(0, 20)')
    """
    if isinstance(thing, Values):
        law = spell(thing.distribution)
        return law if thing.mass == 1 else f"auctions.Values.of({law}, truncate={_plain(thing.mass)})"
    if isinstance(thing, Uniform):  # as SciPy has it: the lowest value, and how far it is to the highest
        return f"stats.uniform({_plain(thing.low)}, {_plain(thing.high - thing.low)})"
    frozen: Any = thing
    if _is_named(getattr(frozen, "dist", None)):
        words = [_plain(value) for value in frozen.args]
        words += [f"{name}={_plain(value)}" for name, value in frozen.kwds.items()]
        return f"stats.{frozen.dist.name}({', '.join(words)})"
    if not is_dataclass(thing) or type(thing).__name__ not in NAMES or isinstance(thing, type):
        raise _unknown(thing)
    said = [
        f"{field.name}={_plain(getattr(thing, field.name))}"
        for field in fields(thing)
        if field.compare and (field.default is MISSING or getattr(thing, field.name) != field.default)
    ]
    return f"auctions.{type(thing).__name__}({', '.join(said)})"


def _unknown(thing: object) -> ValueError:
    text = _("{thing!r} cannot be written down: it is no format and no values known here")
    return ValueError(text.format(thing=thing))


def _is_named(law: Any) -> bool:
    """Return True if `scipy.stats` has it under its name."""
    if law is None:
        return False
    from scipy import stats

    return type(getattr(stats, str(law.name), None)) is type(law)


def _plain(value: Any) -> str:
    """A number, a word or a tuple of numbers as Python, whole numbers without a point."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_plain, value))}{',' if len(value) == 1 else ''})"
    if value is None or isinstance(value, str | bool):
        return repr(value)
    if isinstance(value, PaymentRule):
        raise _unknown(value)
    number = float(value)
    return str(int(number)) if number.is_integer() else repr(number)


def read(text: str) -> Spelled:
    """Return what a text of `spell` makes. Raises `ValueError` for anything else.

    >>> read("auctions.Format(prizes=(2, 1), loser_pays=0.5)").places
    2
    >>> read("__import__('os')")
    Traceback (most recent call last):
    ValueError: "__import__('os')" cannot be read: ...
    """
    try:
        made: Spelled = _made(ast.parse(text.strip(), mode="eval").body)
        return made
    except (SyntaxError, TypeError, ValueError) as error:
        raise ValueError(_('"{text}" cannot be read: {error}').format(text=text, error=error)) from None


def _made(node: ast.expr) -> Any:
    if not isinstance(node, ast.Call):
        return ast.literal_eval(node)
    maker = _maker(ast.unparse(node.func))
    given = {word.arg: _made(word.value) for word in node.keywords if word.arg}
    return maker(*map(_made, node.args), **given)


def _maker(name: str) -> Any:
    from scipy import stats

    from tradekit import auctions

    package, _dot, rest = name.partition(".")
    if package == "auctions" and rest in NAMES:
        first, *more = rest.split(".")
        made = getattr(auctions, first)
        return getattr(made, more[0]) if more else made
    if package == "stats" and isinstance(getattr(stats, rest, None), stats.rv_continuous):
        return getattr(stats, rest)
    raise ValueError(_("{name} is not known here").format(name=name))
