"""Names of a package that are imported on first use (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attach(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for `package`, which take each name of `homes` from its module.

    A home that ends in a colon, such as ``"tradekit.show.charts:"``, is a module, and the name is the module itself.
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name].removesuffix(":")
        value = import_module(home) if home != homes[name] else getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)  # later uses do not come here
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return load, names
