"""Views as arrays of a fixed length, for any game.

A view is made of numbers, texts and tuples. It is taken apart into facts, such as "bit 3 of item 0 of `hands` is set":
games keep sets of cards, piles of stones and amounts as integers, whose bits are what a network can best read. Every
fact sets one of `LENGTH` places to 1, which a hash of its name says (feature hashing: Weinberger et al. 2009), so no
game has to say how long its tuples may become. Two facts share a place now and then; what has to be told apart for sure
is told apart by the text of the view.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tradekit.drafts import Drafted
from tradekit.game import stable_hash
from tradekit.options import Shared

if TYPE_CHECKING:
    import numpy.typing as npt

    from tradekit.adapters.play import Play

LENGTH: Final = 1024  #: places of an observation


def observation(play: Play, player: int, dtype: npt.DTypeLike = np.float32) -> npt.NDArray[Any]:
    """Return what a player sees now, as ones and zeros: the player's number, the view, and the half-spelled action.

    >>> from tradekit import turin
    >>> from tradekit.adapters.play import Play
    >>> observation(Play.begin(turin.new(3)), 0).shape
    (1024,)
    """
    array = np.zeros(LENGTH, dtype)
    known = play.state.view(player).known
    parts = [("player", f"p{player}"), ("said", play.half_said(player)), *_parted(known)]
    array[[place for path, value in parts for place in _places(path, value)]] = 1
    return array


def facts(value: object, path: str = "") -> Iterator[tuple[str, int | str]]:
    """Yield the facts of a value: the way to each part, and its content; of a number the bits, and -1 below zero.

    >>> list(facts((5, -1), "hands"))
    [('hands', 'of 2'), ('hands/0', 0), ('hands/0', 2), ('hands/1', -1), ('hands/1', 0)]
    """
    if isinstance(value, Enum):
        yield path, value.name
    elif isinstance(value, int):
        if value < 0:
            yield path, -1
        size = abs(value)
        yield from ((path, bit) for bit in range(size.bit_length()) if size >> bit & 1)
    elif isinstance(value, tuple):
        yield path, f"of {len(value)}"
        for place, item in enumerate(value):
            yield from facts(item, f"{path}/{place}")
    elif isinstance(value, Shared):
        yield from ((path, word) for word in value.text.split())
    elif isinstance(value, Drafted) or is_dataclass(value):
        for name, item in _parted(value):
            yield from facts(item, f"{path}/{name}")
    else:
        yield path, str(value)


def _parted(value: object) -> list[tuple[str, Any]]:
    """The fields of a state, or of another value that has some; else the words of its text."""
    if isinstance(value, Drafted):
        return [(name, getattr(value, name)) for name in value.FIELDS]
    if is_dataclass(value):
        return [(field.name, getattr(value, field.name)) for field in fields(value)]
    return [("text", word) for word in str(value).split()]


@lru_cache(20_000)
def _places(path: str, value: object) -> list[int]:
    """Return the places of a value's facts; from one state to the next most of its fields stay the same."""
    return [stable_hash(f"{way} {fact}") % LENGTH for way, fact in facts(value, path)]
