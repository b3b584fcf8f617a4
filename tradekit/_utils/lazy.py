"""Names of a package that are imported when they are first asked for (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attach(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of `package`, which hand on each name of `homes` from its module.

    A home such as ``"tradekit.show.charts:"``, with a colon, is itself handed on: a module.
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name].removesuffix(":")
        value = import_module(home) if home != homes[name] else getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)  # asked once
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return load, names
