"""Public signatures say what they take and give: `Any` is an exception with a reason."""

import ast
from pathlib import Path

import pytest

import tradekit

ROOT = Path(tradekit.__file__).parent

#: Packages and modules where `Any` has not been replaced yet: take a name away when its last one is gone.
TO_DO = {
    "adapters", "bots", "game", "options", "testing", "tournament",
}  # fmt: skip

#: Functions that may have `Any`, each with a reason.
_PASSED_ON = "options of the game and of `tournament.play`, each of a type of its own"
ALLOWED: dict[str, str] = {"silk.statistics.compare_zero_rules": _PASSED_ON, "silk.statistics.games": _PASSED_ON}


def modules():
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if not any(part.startswith("_") and part != "__init__" for part in name.split(".")):
            yield name, ast.parse(path.read_text("utf-8"))


def is_public(name):
    return not name.startswith("_") or name in ("__init__", "__call__")


def functions(tree, prefix):
    """The public functions and methods, by name; those inside functions are nobody's business."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and is_public(node.name):
            yield from functions(node, f"{prefix}.{node.name}")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_public(node.name):
            yield f"{prefix}.{node.name}", node


def has_any(function):
    of = function.args
    arguments = [*of.posonlyargs, *of.args, *of.kwonlyargs, of.vararg, of.kwarg]
    annotations = [function.returns, *(argument.annotation for argument in arguments if argument)]
    words = (word for annotation in annotations if annotation for word in ast.walk(annotation))
    return any(
        (isinstance(word, ast.Name) and word.id == "Any") or (isinstance(word, ast.Constant) and word.value == "Any")
        for word in words
    )


WITH_ANY = {name for module, tree in modules() for name, node in functions(tree, module) if has_any(node)}


def package(name):
    return name.split(".")[0]


def test_public_signatures_have_no_any():
    unknown = {name for name in WITH_ANY if package(name) not in TO_DO} - ALLOWED.keys()
    assert not unknown, "say what these take and give, or write into ALLOWED why they cannot"


def test_exceptions_are_still_there():
    assert ALLOWED.keys() <= WITH_ANY, "they have no Any: take them from ALLOWED"


@pytest.mark.parametrize("name", sorted(TO_DO))
def test_what_is_to_be_done_is_not_done_yet(name):
    assert (ROOT / name).exists() or (ROOT / f"{name}.py").exists()
    assert any(package(other) == name for other in WITH_ANY), f"{name} has no Any any more: take it from TO_DO"


def test_auctions_are_done():
    assert "auctions" not in TO_DO


if __name__ == "__main__":
    print(*sorted(WITH_ANY), len(WITH_ANY), sep="\n")
