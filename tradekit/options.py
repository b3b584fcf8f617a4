"""The options of a game's rules, and what else all states of a game share: values with a text form, for records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache, cached_property
from inspect import formatannotation, signature
from math import isfinite
from operator import index
from typing import Any, Final, NamedTuple, Self

from tradekit.game import Game, ParseError, begin, stable_hash
from tradekit.i18n import _
from tradekit.numerals import plain


def need_one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """Raise `ValueError` unless an option has one of its values."""
    if value not in allowed:
        there = _(" or ").join(map(str, allowed))
        raise ValueError(
            _("{name}={value!r}: {allowed} are possible").format(name=name, value=plain(value), allowed=there)
        )


def need_at_least(least: int, **numbers: int) -> None:
    """Raise `ValueError` unless each of these is a number from `least` up.

    >>> need_at_least(1, plays=0)
    Traceback (most recent call last):
    ValueError: plays=0: a number from 1 up is needed
    """
    for name, number in numbers.items():
        if number < least:
            raise ValueError(
                _("{name}={value}: a number from {least} up is needed").format(name=name, value=number, least=least)
            )


class Options:
    """Base of a frozen dataclass whose fields are options, each with a default.

    Fields are whole numbers, numbers, words, yes or no (`bool`), or tables of whole numbers
    (``tuple[tuple[int, ...], ...]``, given as rows of any kind). Another kind of value raises `ValueError`, so that
    what is accepted has a text that reads back to equal options.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, kind in self._kinds().items():
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, kind.take(value))
            except (TypeError, ValueError):
                raise ValueError(
                    _("{name}={value!r}: {needed}").format(name=name, value=plain(value), needed=kind.needed())
                ) from None
        self.check()

    def check(self) -> None:
        """Raise `ValueError` for what a game does not allow; the values are of the right kind by then."""

    @classmethod
    @cache
    def _kinds(cls) -> dict[str, _Kind]:
        """Of each option as it is declared, by a type or in a module that keeps annotations as texts."""
        declared = {f.name: f.type for f in fields(cls)}  # type: ignore[arg-type]
        return {name: _KINDS[of if isinstance(of, str) else formatannotation(of)] for name, of in declared.items()}

    @classmethod
    def given(cls, rules: Self | None, options: Mapping[str, Any]) -> Self:
        """These rules, by default the usual ones, with other options by name."""
        return replace(rules, **options) if rules else cls(**options)  # type: ignore[type-var]

    def text(self) -> str:
        """The options that are not the default, as ``name=value name=value``."""
        return " ".join(
            f"{f.name}={_written(getattr(self, f.name))}"
            for f in fields(self)  # type: ignore[arg-type]
            if getattr(self, f.name) != f.default
        )

    @classmethod
    def names(cls) -> list[str]:
        """What the options are called."""
        return [f.name for f in fields(cls)]  # type: ignore[arg-type]

    @classmethod
    def read(cls, options: dict[str, str]) -> Self:
        """The rules of such options, other names aside; raises `ParseError`."""
        values: dict[str, Any] = {}
        for name, kind in cls._kinds().items():
            if name in options:
                text = options[name]
                try:
                    values[name] = kind.read(text)
                except (KeyError, ValueError):
                    message = _("{name}={text}: that option cannot be read; {needed}")
                    raise ParseError(message.format(name=name, text=text, needed=kind.needed())) from None
        try:
            return cls(**values)
        except ValueError as error:
            raise ParseError(str(error)) from None

    def _need_one_of(self, **allowed: tuple[object, ...]) -> None:
        """Raise `ValueError` unless each option has one of its values."""
        for name, values in allowed.items():
            need_one_of(name, getattr(self, name), values)

    def _need_at_least(self, **least: int) -> None:
        """Raise `ValueError` unless each option is a number from its least up."""
        for name, number in least.items():
            need_at_least(number, **{name: getattr(self, name)})


class Shared(ABC):
    """What all states of a game share: rules, cards, number of players. Equal is what has the same `text`."""

    @property
    @abstractmethod
    def text(self) -> str:
        """All of it, as the beginning of a state's text."""

    @cached_property
    def _hash(self) -> int:
        return stable_hash(self.text)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self.text == other.text)


def read_options(game: str | Game, texts: Mapping[str, str]) -> dict[str, Any]:
    """Options of a game's `new` from their texts: those of its rules as records write them, others as numbers or words.
    Not among them is the number of players.

    Raises `ValueError` for an option that the game does not have, and `ParseError` for a text that cannot be read.

    >>> read_options("silk", {"bonus": "7,1", "zeros": "stay"}), read_options("bazar", {"cards": "1,4"})
    ({'bonus': ((7, 1),), 'zeros': 'stay'}, {'cards': (1, 4)})
    """
    start = begin(game)
    rules, taken = getattr(start, "rules", None), signature(start.game.new).parameters
    named = [name for name, of in taken.items() if of.kind is not of.VAR_KEYWORD and name not in ("players", "rules")]
    its = rules.names() if isinstance(rules, Options) and "rules" in taken else []
    for name in texts:
        if name not in (*named, *its):
            there = ", ".join([*named, *its])
            raise ValueError(
                _("{game} has no option {name!r}; there are {there}").format(
                    game=start.game.name, name=name, there=there
                )
            )
    values = {name: _plain(text) for name, text in texts.items() if name not in its}
    if own := texts.keys() - values.keys():
        read = type(rules).read({**texts})  # type: ignore[union-attr]
        values |= {name: getattr(read, name) for name in texts if name in own}
    return values


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(",".join(map(str, column)) for column in value)
    return str(value)


def _plain(text: str) -> Any:
    """What an option of no declared kind means: yes or no, numbers, else a word."""
    if text in _SAID:
        return _SAID[text]
    try:
        return literal_eval(text)
    except (SyntaxError, ValueError):
        return text


class _Kind(NamedTuple):
    """A kind of option. Both functions raise an error for what is not of it."""

    needed: Callable[[], str]  #: what is right, in words
    take: Callable[[Any], Any]  #: the value of an option, given in Python
    read: Callable[[str], Any]  #: the value of a text


def _word(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return str(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool):  # which Python counts among the whole numbers
        raise TypeError
    return index(value)


def _number(value: Any) -> int | float:
    """A whole one as such, so that equal numbers have one text."""
    if isinstance(value, bool) or not isfinite(value):
        raise ValueError
    return int(value) if value == int(value) else float(value)


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _rows(value: Any) -> tuple[tuple[int, ...], ...]:
    rows = tuple(tuple(map(_whole, row)) for row in value)
    if not rows or not all(rows):
        raise ValueError
    return rows


_SAID: Final = {"yes": True, "no": False}
_KINDS: Final = {
    "str": _Kind(lambda: _("a word is needed"), _word, str),
    "int": _Kind(lambda: _("a whole number is needed"), _whole, int),
    "float": _Kind(lambda: _("a number is needed"), _number, lambda text: _number(float(text))),
    "bool": _Kind(lambda: _("True or False is needed, in text yes or no"), _yes_or_no, _SAID.__getitem__),
    "tuple[tuple[int, ...], ...]": _Kind(
        lambda: _("rows of whole numbers are needed, such as ((7, 1), (14, 3)), in text 7,1/14,3"),
        _rows,
        lambda text: tuple(tuple(map(int, row.split(","))) for row in text.split("/")),
    ),
}
