"""Public signatures say what they take and give: `Any` is an exception with a reason."""

import ast
from pathlib import Path

import tradekit

ROOT = Path(tradekit.__file__).parent

_OPTIONS = "options of a game or a bot, each of a type of its own, which the game or the bot checks"
_PARENT = "the signature of the parent class, of a library without types"

#: Functions that may have `Any`, each with a reason.
ALLOWED: dict[str, str] = {
    **dict.fromkeys(
        [
            "bots.make",
            "game.begin",
            "options.Options.given",
            "options.read_options",
            "testing.check_game",
            "tournament.play",
            "silk.statistics.compare_zero_rules",
            "silk.statistics.games",
            "adapters.openspiel.load",
            "adapters.pettingzoo.env",
            "adapters.pettingzoo.GameEnv.__init__",
        ],
        _OPTIONS,
    ),
    **dict.fromkeys(
        [
            "adapters.openspiel.SpielGame.__init__",
            "adapters.openspiel.SpielGame.make_py_observer",
            "adapters.openspiel.SpielObserver.__init__",
            "adapters.openspiel.SpielState.current_player",
            "adapters.pettingzoo.GameEnv.action_space",
            "adapters.pettingzoo.GameEnv.observation_space",
            "adapters.pettingzoo.GameEnv.reset",
        ],
        _PARENT,
    ),
    "adapters.features.observation": "an array of the type that its caller names",
}


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


def test_public_signatures_have_no_any():
    assert not WITH_ANY - ALLOWED.keys(), "say what these take and give, or write into ALLOWED why they cannot"


def test_exceptions_are_still_there():
    assert ALLOWED.keys() <= WITH_ANY, "they have no Any: take them from ALLOWED"


def test_they_are_few():
    assert len(ALLOWED) < 20


if __name__ == "__main__":
    print(*sorted(WITH_ANY), len(WITH_ANY), sep="\n")
