"""The options of a game's rules, and other values that all states of a game share, with a text form for records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from ast import literal_eval
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache, cached_property
from inspect import formatannotation, signature
from typing import Any, Final, NamedTuple, Self

from tradekit._utils.arguments import (
    Take,
    checked,
    items,
    need_at_least,
    number,
    one_of,
    refusal,
    shown,
    whole_number,
    word,
    yes_or_no,
)
from tradekit.game import Game, ParseError, find, stable_hash
from tradekit.i18n import _


class Options:
    """Base of a frozen dataclass whose fields are options, each with a default.

    Fields are whole numbers, numbers, words, yes or no (`bool`), or tables of whole numbers (``tuple[tuple[int, ...],
    ...]``, given as rows of any kind). Any other kind of value raises `ValueError`, so that every accepted value has a
    text that reads back to equal options.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, kind in self._kinds().items():
            object.__setattr__(self, name, kind.take(getattr(self, name), name))
        self.check()

    def check(self) -> None:
        """Raise `ValueError` for values that a game does not allow; they are of the right kind by then."""

    @classmethod
    @cache
    def _kinds(cls) -> dict[str, _Kind]:
        """Return the kind of each option, from its declared type, which some modules keep as text."""
        declared = {f.name: f.type for f in fields(cls)}  # type: ignore[arg-type]
        return {name: _KINDS[of if isinstance(of, str) else formatannotation(of)] for name, of in declared.items()}

    @classmethod
    def given(cls, rules: Self | None, options: Mapping[str, Any]) -> Self:
        """Return `rules`, by default the usual ones, with other options set by name."""
        if rules is not None and not isinstance(rules, cls):
            raise refusal("rules", rules, _("must be an object such as {example}").format(example="Rules()"))
        if unknown := options.keys() - {*cls.names()}:
            message = _("There is no option {name!r}; choose one of: {there}")
            raise ValueError(message.format(name=min(unknown), there=", ".join(cls.names())))
        return replace(rules, **options) if rules else cls(**options)  # type: ignore[type-var]

    def text(self) -> str:
        """Return the options that differ from their defaults, as ``name=value name=value``."""
        return " ".join(
            f"{f.name}={_written(getattr(self, f.name))}"
            for f in fields(self)  # type: ignore[arg-type]
            if getattr(self, f.name) != f.default
        )

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the options."""
        return [f.name for f in fields(cls)]  # type: ignore[arg-type]

    @classmethod
    def read(cls, options: dict[str, str]) -> Self:
        """Return the rules with these options, ignoring other names; raises `ParseError`."""
        values: dict[str, Any] = {}
        for name, kind in cls._kinds().items():
            if name in options:
                text = options[name]
                try:
                    values[name] = kind.read(text)
                except (KeyError, ValueError):
                    message = _("{name}={text}: cannot read this option; {needed}")
                    raise ParseError(message.format(name=name, text=shown(text)[1:-1], needed=kind.needed())) from None
        try:
            return cls(**values)
        except ValueError as error:
            raise ParseError(str(error)) from None

    def _need_one_of(self, **allowed: tuple[object, ...]) -> None:
        """Raise `ValueError` unless each option has one of its values."""
        for name, values in allowed.items():
            object.__setattr__(self, name, one_of(getattr(self, name), name, values))

    def _need_at_least(self, **least: int) -> None:
        """Raise `ValueError` unless each option is a number that is not below its least value."""
        for name, lowest in least.items():
            need_at_least(lowest, **{name: getattr(self, name)})


class Shared(ABC):
    """Values that all states of a game share: rules, cards, number of players. Equal if their `text` is the same."""

    @property
    @abstractmethod
    def text(self) -> str:
        """All shared values, as the beginning of a state's text."""

    @cached_property
    def _hash(self) -> int:
        return stable_hash(self.text)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self.text == other.text)


@checked
def read_options(game: str | Game, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return options of a game's `new` from their texts: rules as in records, others as numbers or words.

    The number of players is not among them.

    Raises `ValueError` for an option that the game does not have, and `ParseError` for a text that cannot be read.

    >>> read_options("silk", {"bonus": "7,1", "zeros": "stay"}), read_options("bazar", {"cards": "1,4"})
    ({'bonus': ((7, 1),), 'zeros': 'stay'}, {'cards': (1, 4)})
    """
    game = find(game) if isinstance(game, str) else game
    rules, taken = game.options, signature(game.new).parameters
    named = [name for name, of in taken.items() if of.kind is not of.VAR_KEYWORD and name not in ("players", "rules")]
    its = rules.names() if rules is not None else []
    for name in texts:
        if name not in (*named, *its):
            there = ", ".join([*named, *its])
            raise ValueError(
                _("{game} has no option {name!r}; there are {there}").format(game=game.name, name=name, there=there)
            )
    values = {name: _plain(text) for name, text in texts.items() if name not in its}
    if own := texts.keys() - values.keys():
        read = rules.read({**texts})  # type: ignore[union-attr]
        values |= {name: getattr(read, name) for name in texts if name in own}
    return values


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(",".join(map(str, column)) for column in value)
    return str(value)


def _plain(text: str) -> Any:
    """Return the meaning of an option without a declared kind: yes or no, numbers, or else a word."""
    if text in _SAID:
        return _SAID[text]
    try:
        return literal_eval(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


class _Kind(NamedTuple):
    """A kind of option. Both functions raise an error for values of another kind."""

    needed: Callable[[], str]  #: the right form of a text, in words
    take: Take  #: returns the value of an option given in Python
    read: Callable[[str], Any]  #: returns the value of a text


def _word(value: Any, name: str) -> str:
    return str(word(value, name))


def _rows(value: Any, name: str) -> tuple[tuple[int, ...], ...]:
    try:
        listed = value.tolist() if getattr(value, "ndim", 1) == 2 else items(value, name)
        rows = tuple(items(row, name, whole_number) for row in listed)
    except ValueError:
        rows = ()
    if not rows or not all(rows):
        raise refusal(name, value, _("must be rows of whole numbers, such as ((7, 1), (14, 3))"))
    return rows


def _read_number(text: str) -> float:
    return number(text, "")


def _read_whole(text: str) -> int:
    return whole_number(text, "")


_SAID: Final = {"yes": True, "no": False}
_KINDS: Final = {
    "str": _Kind(lambda: _("write a word"), _word, str),
    "int": _Kind(lambda: _("write a whole number"), whole_number, _read_whole),
    "float": _Kind(lambda: _("write a number"), number, _read_number),
    "bool": _Kind(lambda: _("write yes or no"), yes_or_no, _SAID.__getitem__),
    "tuple[tuple[int, ...], ...]": _Kind(
        lambda: _("write rows of whole numbers, such as 7,1/14,3"),
        _rows,
        lambda text: tuple(tuple(map(_read_whole, row.split(","))) for row in text.split("/")),
    ),
}
