"""States that are made quickly: a draft whose fields can be set, and then the class that can no longer be changed.

A frozen dataclass takes four times as long to make, and the fields of a named tuple four times as long to read; random
play does little else. A game lists its fields once, as the slots of a draft:

    class _Draft:
        __slots__ = ("turn", "hands", "actors")   # the last one follows from the others
        def done(self) -> State: self.actors = ...; self.__class__ = self.finished; return self

    class State(_Draft, Drafted[_Draft], draft=_Draft):
        __slots__ = ()
        FIELDS = ("turn", "hands")                # what the value consists of
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeVar

from markupsafe import Markup

from tradekit._utils.arguments import checked
from tradekit.game import CHANCE, State, draw, keyed
from tradekit.show.names import Names

D = TypeVar("D")
T = TypeVar("T")
S = TypeVar("S", bound=State)


class Drafted(State, Generic[D]):
    """A state made through a draft: a value, compared by its `FIELDS`, hashable, picklable and unchangeable."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]]
    DERIVED: ClassVar[tuple[str, ...]] = ()  #: values that follow from the fields and are copied with them
    HOME: ClassVar[str]  #: package of the game, which draws a state in `board_html` and `board_svg`
    _blank: ClassVar[Callable[[], Any]]  #: makes an empty draft

    if TYPE_CHECKING:

        def _draft(self) -> D:
            """Return a copy that can be changed."""

    def __init_subclass__(cls, draft: type[Any], **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls._blank, draft.finished = draft, cls
        setattr(cls, "_draft", _copier(draft, (*cls.FIELDS, *cls.DERIVED)))  # noqa: B010  (mypy takes it for a method)

    @classmethod
    def make(cls, **values: object) -> Self:
        """Return the state with these fields."""
        draft: Any = cls._blank()
        for name, value in values.items():
            setattr(draft, name, value)
        made: Self = draft.done()
        return made

    def _with(self, **changes: Any) -> Self:
        """Return the state with other values in some fields."""
        draft: Any = self._draft()
        for name, value in changes.items():
            setattr(draft, name, value)
        made: Self = draft.done()
        return made

    @checked
    def html(  # noqa: D102
        self, player: int | None = None, *, live: bool = False, names: Names = (), hint: str = ""
    ) -> Markup:
        draw: Callable[..., Markup] = import_module(f"{self.HOME}.board_html").picture
        return draw(self, player, live=live, names=names, hint=hint)

    @checked
    def to_svg(self, player: int | None = None, names: Names = ()) -> Markup:  # noqa: D102
        draw: Callable[..., Markup] = import_module(f"{self.HOME}.board_svg").picture
        return draw(self, player, names)

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


def _copier(draft: type[Any], names: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return the function that copies these fields into a new draft, written out as if by hand.

    A loop over their names would take half the time of a move.
    """
    lines = [f"    copy.{name} = state.{name}" for name in names]
    space: dict[str, Any] = {"blank": draft}
    exec("\n".join(["def _draft(state):", "    copy = blank()", *lines, "    return copy"]), space)
    copier: Callable[[Any], Any] = space["_draft"]
    return copier


def _remade(state: type[Drafted[Any]], *values: Any) -> Drafted[Any]:
    return state.make(**dict(zip(state.FIELDS, values, strict=True)))


def set_up(state: S, seed: int | None) -> S:
    """Return the state after its set-up by chance, sampled with `seed`; for None the state itself."""
    if seed is not None:
        rng = keyed(seed, "set-up")
        while state.turn_of == CHANCE and state.actors == (CHANCE,):
            state = state.after(draw(state.outcomes(), rng))
    return state


def put(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return a tuple with another item at a place.

    >>> put((1, 2, 3), 1, 5)
    (1, 5, 3)
    """
    changed = [*items]  # a list is faster than three tuples
    changed[place] = item
    return tuple(changed)
