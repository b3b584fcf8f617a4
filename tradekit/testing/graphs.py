"""Objects and everything attached to them: all that a program can reach from an object it is given.

Pickles and `repr` show only what a class chooses to show. Here objects are followed through their references
(`gc.get_referents`): attributes, slots, items, closures, bound methods. Classes, modules and the globals of functions
are not part of a value and are not followed.
"""

from __future__ import annotations

import gc
import pickle
import re
import weakref
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

MOST: Final = 20_000  #: the most objects followed from one, nearest first
_PLAIN: Final[tuple[type[Any], ...]] = (str, bytes, int, float, complex)


def parts(value: object) -> list[object]:
    """Return the objects that an object refers to, in a stable order.

    >>> parts((1, "a")), parts(lambda n, step=2: n + step)
    ([1, 'a'], [None, (2,), None, {}])
    """
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if _filled(cell)]
        return [cells or None, value.__defaults__, value.__kwdefaults__, vars(value)]
    if isinstance(value, weakref.ref):
        return [value()]
    if hasattr(value, "__dict__"):
        vars(value)  # from now on a dictionary holds the attributes, however they were kept before
    found = [part for part in gc.get_referents(value) if not isinstance(part, type | ModuleType)]
    return found[::-1] if isinstance(value, tuple | list) else found  # which are visited from the end


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def reached(*values: object) -> Iterator[object]:
    """Yield these objects and everything attached to them, nearest first, each once, up to `MOST` objects."""
    seen: dict[int, object] = {}
    level = [*values]
    while level:
        following = []
        for value in level:
            if id(value) in seen or isinstance(value, type | ModuleType | BuiltinFunctionType):
                continue
            if len(seen) >= MOST:
                return
            seen[id(value)] = value  # kept, so that no other object gets its id
            yield value
            following += parts(value)
        level = following


def difference(one: object, other: object) -> str:
    """Return where two objects, with everything attached to them, first differ; "" if they do not.

    >>> difference((1, [2, "a"]), (1, [2, "b"])), difference([3], [3])
    ("at [1][1]: 'a' and 'b'", '')
    """
    pairs = [("", one, other)]
    seen: dict[tuple[int, int], object] = {}
    while pairs and len(seen) < MOST:
        where, a, b = pairs.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        seen[id(a), id(b)] = (a, b)
        if type(a) is not type(b):
            return _at(where, f"{type(a).__name__} and {type(b).__name__}")
        plain: Any = next((kind for kind in _PLAIN if isinstance(a, kind)), None)
        if plain:
            if not plain.__eq__(a, b) and a == a:  # (nan differs from itself)
                return _at(where, f"{_short(a)} and {_short(b)}")
            if type(a) is plain:
                continue
        if isinstance(a, set | frozenset):
            if a != b:
                return _at(where, f"{_short(a)} and {_short(b)}")
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            a_parts: list[Any] = [part for item in a.items() for part in item]
            b_parts: list[Any] = [part for item in b.items() for part in item]
            names = [f"[{key!r}]" for key in a for _part in "kv"]
        else:
            a_parts, b_parts = parts(a), parts(b)
            names = [f"[{place}]" for place in range(len(a_parts))]
        if len(a_parts) != len(b_parts):
            return _at(where, f"{_short(a)} and {_short(b)}")
        if not plain and (not a_parts or hasattr(a, "getstate")) and _inside(a) != _inside(b):
            return _at(where, f"{_short(a)} and {_short(b)}")
        named = zip(names, a_parts, b_parts, strict=True)
        pairs += [(f"{where}{name}", part, same) for name, part, same in named][::-1]
    return ""


def _at(where: str, what: str) -> str:
    return f"at {where}: {what}" if where else what


def _inside(value: Any) -> object:
    """Return the content of an object that cannot be followed, being made in another language: arrays, luck."""
    if hasattr(value, "getstate"):  # random.Random
        return value.getstate()
    try:
        return pickle.dumps(value)
    except Exception:  # an object that cannot be pickled can raise anything
        return re.sub(r"0x[0-9a-f]+", "", repr(value))


def _short(value: object) -> str:
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(value))
    return text if len(text) <= 60 else f"{text[:57]}..."
