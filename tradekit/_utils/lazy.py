"""Names of a package that are imported on first use (PEP 562)."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.abc import SourceLoader
from typing import Any, Final, cast


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


_IMPORT: Final = re.compile(r"^    from ([\w.]+) import (\w+) as \2$", re.MULTILINE)


def attach_imports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` for `package`, from the imports under its ``if TYPE_CHECKING:``.

    So the public names are listed once, where type checkers read them: one per line, as in ``from home import name as
    name``.
    """
    loader = cast(SourceLoader, sys.modules[package].__loader__)
    imports = _IMPORT.findall(loader.get_source(package) or "")
    homes = {name: f"{home}.{name}:" if home == package else home for home, name in imports}
    return *attach(package, homes), sorted(homes)
