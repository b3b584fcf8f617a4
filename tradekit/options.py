"""The options of a game's rules, and what else all states of a game share: values with a text form, for records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any, Final, Self

from tradekit.game import ParseError, stable_hash
from tradekit.i18n import _


def need_one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """Raise `ValueError` unless an option has one of its values."""
    if value not in allowed:
        there = _(" or ").join(map(str, allowed))
        raise ValueError(_("{name}={value!r}: {allowed} are possible").format(name=name, value=value, allowed=there))


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

    Fields are numbers, words, yes or no (`bool`), or tables of numbers (``tuple[tuple[int, ...], ...]``).
    """

    __slots__ = ()

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
        for f in fields(cls):  # type: ignore[arg-type]
            if f.name in options:
                text = options[f.name]
                try:
                    values[f.name] = _READERS[str(f.type)](text)
                except (KeyError, ValueError):
                    message = _("{name}={text}: that option cannot be read").format(name=f.name, text=text)
                    raise ParseError(message) from None
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


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(",".join(map(str, column)) for column in value)
    return str(value)


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "str": str,
    "int": int,
    "bool": {"yes": True, "no": False}.__getitem__,
    "tuple[tuple[int, ...], ...]": lambda text: tuple(tuple(map(int, part.split(","))) for part in text.split("/")),
}
