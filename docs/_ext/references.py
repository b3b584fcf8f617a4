"""Names in docstrings and signatures as links, wherever they lead somewhere.

A name in single backticks is a link if it is in the reference, and code if not; signatures link to names of the
reference and show all others as they are. Names are looked up by the module that defines them and by the one that
passes them on (`tradekit.bazar.exchange.Exchange` is `tradekit.bazar.Exchange`).
"""

import re
import sys
from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

ARRAY = re.compile(r"[~.\w]*ndarray\[tuple\[[~.\w]*Any, \.\.\.\], [~.\w]*dtype\[[~.\w]*?(float|bool)\w*\]\]")
NAME = re.compile(r"(?<![\w.'\"])(?<!= )[A-Z]\w+")  # in a type, not as a default
PACKAGES = ("auctions", "bazar", "exercises", "silk", "tournament", "turin")


def homes() -> dict[str, str]:
    """Return for each name's definition the place where the reference shows it."""
    found = {}
    for package in PACKAGES:
        module = import_module(f"tradekit.{package}")
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, type) or callable(thing):
                found[f"{thing.__module__}.{thing.__qualname__}"] = f"tradekit.{package}.{name}"
    return found


HOMES = homes()


def resolve(app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, shown: nodes.Element) -> Any:
    """Return the replacement for a name that Sphinx has not found."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    for home, public in HOMES.items():
        if f"{target}.".startswith(f"{home}."):
            again = public + target.removeprefix(home)
            domain = env.domains.python_domain
            if again in domain.objects:
                return domain.resolve_xref(env, node["refdoc"], app.builder, node["reftype"], again, node, shown)
    other_library = target.partition(".")[0] != "tradekit"
    return shown if node["reftype"] == "obj" or other_library or in_signature(node) else None


def in_signature(node: nodes.Node | None) -> bool:
    """Return whether a node is in the head of a function or a class."""
    return node is not None and (isinstance(node, addnodes.desc_signature) or in_signature(node.parent))


def readable(
    app: Sphinx, kind: str, name: str, thing: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None] | None:
    """Return a signature for people to read: arrays by their short name, our classes by one that can be looked up.

    A class that takes the arguments of another library's, dozens of them, is shown without any.
    """
    home = getattr(getattr(thing, "__init__", None), "__module__", None) or "tradekit"
    if kind == "class" and not home.startswith("tradekit"):
        return "", ""
    names = vars(sys.modules.get(getattr(thing, "__module__", ""), object))

    def full(match: re.Match[str]) -> str:
        found = names.get(match[0])
        return (
            f"{found.__module__}.{match[0]}"
            if isinstance(found, type) and found.__module__.startswith("tradekit.")
            else match[0]
        )

    def rewritten(text: str | None) -> str | None:
        return text and NAME.sub(full, ARRAY.sub(lambda match: f"{match[1].capitalize()}s", text))

    return rewritten(signature), rewritten(returned)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handlers; called by Sphinx."""
    app.connect("autodoc-process-signature", readable)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
