"""States that are made quickly: a draft whose fields can be set, and then the class that can be changed no more.

A frozen dataclass takes four times as long to make, and the fields of a named tuple four times as long to read; random
play does little else. A game writes its fields down once, as the slots of a draft:

    class _Draft:
        __slots__ = ("turn", "hands", "actors")   # the last one follows from the others
        def done(self) -> State: self.actors = ...; self.__class__ = State; return self

    class State(_Draft, Drafted):
        __slots__ = ()
        FIELDS = ("turn", "hands")                # what the value consists of
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, NoReturn, Self

from tradekit.game import State


class Drafted(State):
    """A state made through a draft: a value, compared by its `FIELDS`, hashable, picklable, and not to be changed."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def make(cls, **values: Any) -> Self:
        """The state of these fields."""

    @abstractmethod
    def _draft(self) -> Any:
        """A copy that can be changed; a game writes it out, as a loop over the fields takes half the time of a move."""

    def _with(self, **changes: Any) -> Self:
        """The same with other values in some fields."""
        draft = self._draft()
        for name, value in changes.items():
            setattr(draft, name, value)
        made: Self = draft.done()
        return made

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.FIELDS)

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), *self._values())

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name}: a state cannot be changed; see State.after")

    __delattr__ = __setattr__  # type: ignore[assignment]


def _remade(state: type[Drafted], *values: Any) -> Drafted:
    return state.make(**dict(zip(state.FIELDS, values, strict=True)))


def put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    """The same with another item at a place.

    >>> put((1, 2, 3), 1, 5)
    (1, 5, 3)
    """
    changed = [*items]  # a list is quicker than three tuples
    changed[place] = item
    return tuple(changed)
