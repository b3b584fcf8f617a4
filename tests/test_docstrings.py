"""Every public name has an example in its docstring. (The examples themselves are run as doctests.)"""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
MODULES = re.findall(
    r"automodule:: (\S+)\n(?! +:no-members:)", "\n".join(page.read_text() for page in sorted(REFERENCE.glob("*.md")))
)
EXAMPLE = re.compile(r"^ *(?:>>>|\.\.\.) (.*)$", re.MULTILINE)


def things(module):
    """Return the functions and classes that a page of the reference shows."""
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    found = [getattr(module, name) for name in names]
    ours = [thing for thing in found if getattr(thing, "__module__", "").startswith("tradekit")]
    return [thing for thing in ours if hasattr(module, "__all__") or thing.__module__ == module.__name__]


def methods(cls):
    """Yield the public methods that a class adds to those of its bases, which are explained there."""
    for name, thing in vars(cls).items():
        method = getattr(thing, "__func__", thing)
        new = not any(hasattr(base, name) for base in cls.__mro__[1:])
        if inspect.isfunction(method) and not name.startswith("_") and new:
            yield method


def examples(thing):
    return "\n".join(EXAMPLE.findall(thing.__doc__ or ""))


@pytest.mark.parametrize("name", MODULES)
def test_everything_that_can_be_called_has_an_example(name):
    """A function's example is in its own docstring, a method's there or in that of its class."""
    without = []
    for thing in things(import_module(name)):
        if inspect.isfunction(thing):
            without += [] if thing.__name__ in examples(thing) else [thing.__name__]
        elif isinstance(thing, type):
            told = {method: examples(method) + examples(thing) for method in methods(thing)}
            without += [f"{thing.__name__}.{m.__name__}" for m in told if not re.search(rf"\b{m.__name__}\b", told[m])]
    assert not without
