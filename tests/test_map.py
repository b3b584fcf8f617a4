"""The map of the code is true: drawn from the imports, and a room imports only rooms below it."""

import sys
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import layout  # noqa: E402


def test_no_room_imports_one_that_imports_it():
    assert nx.is_directed_acyclic_graph(layout.graph()), nx.find_cycle(layout.graph())


def test_the_drawing_is_that_of_the_imports():
    assert layout.PICTURE.read_text("utf-8") == layout.drawing(), "run `python docs/_ext/layout.py`"


@pytest.mark.parametrize("room", layout.rooms())
def test_every_room_is_on_the_page_and_says_what_it_is(room):
    name = room + ("/" if (layout.HOME / room).is_dir() else ".py")
    assert f"`{name}`" in (ROOT / "docs" / "code-layout.md").read_text("utf-8")
    assert layout.says(room)


def test_the_house_is_small():
    assert len([*layout.HOME.glob("*.py")]) <= 14
