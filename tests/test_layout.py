"""The plan of the house: a game is a folder, and nothing else knows its name."""

import ast
import re
from pathlib import Path

import pytest

from tradekit import game

ROOT = Path(__file__).parents[1] / "tradekit"
GAMES = ("bazar", "turin", "silk")
NAMES = re.compile("|".join(GAMES), re.IGNORECASE)
ABOUT_GAMES = ("__init__.py", "app.py", "exercises", "studies")  # these are about the games
MODULES = [path.relative_to(ROOT) for path in sorted(ROOT.rglob("*.py"))]
OUTSIDE = [path for path in MODULES if path.parts[0] not in (*GAMES, *ABOUT_GAMES)]
CONTEXTS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings(tree):
    """The nodes of docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, CONTEXTS) and ast.get_docstring(node) is not None:
            yield node.body[0].value


def words(node):
    """The identifiers and texts of a node itself."""
    for value in (getattr(node, name) for name in node._fields):
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))


def names_of_games(tree):
    """Where code names a game, and how: in identifiers and in texts, docstrings aside."""
    passed = {*map(id, docstrings(tree))}
    for node in ast.walk(tree):
        if id(node) not in passed:
            yield from (f"line {node.lineno}: {word}" for word in words(node) if NAMES.search(word))


def exempt(path, tree):
    """The constructor `auctions.turin`, which is called after the game; texts of handouts are about the games."""
    if path.parts[0] == "auctions":
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == "turin":
                node.name, node.body = "", []
            elif isinstance(node, ast.alias | ast.Constant) and "turin" in words(node):
                yield f"line {node.lineno}: turin"


def tree_of(path):
    return ast.parse((ROOT / path).read_text("utf-8"))


@pytest.mark.parametrize("path", OUTSIDE, ids=str)
def test_no_module_outside_a_games_folder_names_a_game(path):
    tree = tree_of(path)
    allowed = {*exempt(path, tree)} if path.as_posix() in ("auctions/__init__.py", "auctions/formats.py") else set()
    assert not {*names_of_games(tree)} - allowed


def test_the_look_finds_a_name_in_any_dress():
    code = '''
"""Of bazar."""
from tradekit.bazar import Deck
import x as silk_x
TURIN = f"a {{y}} of Silk"
def f(turin): return a.bazar(silk=1)
'''
    assert [found.partition(": ")[2] for found in names_of_games(ast.parse(code))].__len__() == 7


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] in ("show", "_utils")], ids=str)
def test_what_all_share_imports_no_game(path):
    homes = (*(f"tradekit.{name}" for name in GAMES), "tradekit.auctions", "tradekit.widgets")
    for node in ast.walk(tree_of(path)):
        imported = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        imported += [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        assert not [name for name in imported if name.startswith(homes) or name in GAMES]


def test_a_game_imports_no_other_and_each_is_declared_in_its_own_folder():
    homes = {found.name: found.state.__module__ for found in game.installed()}
    assert {name: home.split(".")[1] for name, home in homes.items()} == {
        "bazar": "bazar", "bazar-alone": "bazar", "silk": "silk", "turin": "turin",
    }  # fmt: skip
    for path in MODULES:
        if path.parts[0] in GAMES:
            others = [f"tradekit.{name}" for name in GAMES if name != path.parts[0]]
            for node in ast.walk(tree_of(path)):
                assert not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith(tuple(others))), path


def test_the_top_of_the_house_is_to_be_taken_in_at_a_glance():
    assert len([path for path in MODULES if len(path.parts) == 1]) <= 14
