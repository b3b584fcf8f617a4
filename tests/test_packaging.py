"""The wheel holds all that tradekit needs: built from a copy of the sources, installed, run from there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ["pyproject.toml", "setup.py", "README.md", "LICENSE", "tradekit", "data", "notebooks"]
# Folder of the checkout -> name of the installed package, and the files in it other than Python.
PACKAGES = {
    "tradekit": ("tradekit", ["py.typed", "**/*.js", "**/*.css", "**/*.po", "**/*.mo"]),
    "data": ("tradekit_data", ["**/*.csv", "**/*.md"]),
    "notebooks": ("tradekit_notebooks", ["**/*.ipynb"]),
}
# A script that prints where the installed tradekit comes from.
PROBE = """
import json, tradekit
from importlib.resources import files
from tradekit import turin
from tradekit.bazar import Deck

data, notebooks, deck = files("tradekit_data"), files("tradekit_notebooks"), Deck.house()
print(json.dumps({
    "tradekit": tradekit.__file__,
    "tradekit_data": str(data),
    "tradekit_notebooks": str(notebooks),
    "cards": len(deck.cards),
    "wares": len(deck.wares),
    "goods cards": len(turin.Deck.house().cards),
    "tables": [path.name for path in (data / "bazar").iterdir() if path.name.endswith(".csv")],
    "start": (notebooks / "01_start_here.ipynb").is_file(),
}))
"""
JUNK = shutil.ignore_patterns("__pycache__", ".*", "*.egg-info")


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{done.args}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder that the wheel was installed into."""
    home = tmp_path_factory.mktemp("wheel")
    # A copy, because setuptools would put leftovers of an earlier build in the checkout's build/ into the wheel.
    source = home / "source"
    source.mkdir()
    for path in map(ROOT.joinpath, SOURCES):
        if path.is_dir():
            shutil.copytree(path, source / path.name, ignore=JUNK)
        else:
            shutil.copy(path, source)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", home, source)
    (wheel,) = home.glob("*.whl")
    target = home / "installed"
    run(sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", target, wheel)
    return target


@pytest.fixture(scope="module")
def python(installed, tmp_path_factory):
    """A function python(*arguments) -> output of a Python that has the installed wheel and the libraries it needs.

    `-S` leaves out `.pth` files, so neither the checkout nor an editable install of it can help out.
    """
    libraries = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(installed), *libraries])}
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    return lambda *arguments: run(sys.executable, "-S", *arguments, env=env, cwd=elsewhere)


def test_every_file_is_there(installed):
    """Every Python file, card table, notebook, script and style sheet of the checkout, at any depth."""
    missing = [
        f"{package}/{path.relative_to(ROOT / folder)}"
        for folder, (package, patterns) in PACKAGES.items()
        for pattern in ["**/*.py", *patterns]
        for path in (ROOT / folder).glob(pattern)
        if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
        if not (installed / package / path.relative_to(ROOT / folder)).is_file()
    ]
    assert not missing, "not in the wheel: see [tool.setuptools.package-data] in pyproject.toml"
    widgets = installed / "tradekit" / "widgets"
    assert list(widgets.glob("*.js")) and list(widgets.glob("*.css"))
    assert (installed / "tradekit" / "py.typed").is_file()


def test_runs_from_the_wheel(python, installed):
    """The house deck loads; data and notebooks are found; and all of it comes from the wheel."""
    found = json.loads(python("-c", PROBE))
    for package in ["tradekit", "tradekit_data", "tradekit_notebooks"]:
        assert Path(found[package]).is_relative_to(installed / package)
    assert (found["cards"], found["wares"], found["goods cards"]) == (10, 45, 18)
    assert found["tables"] and found["start"]


def test_command_line(python):
    arguments = ["chain", "--cards", "1", "4", "--have", "R R", "--want", "RWBGY", "--json"]
    assert json.loads(python("-m", "tradekit", *arguments))


def test_script_is_installed(installed):
    """`tradekit` on the command line."""
    assert list((installed / "bin").glob("tradekit*")) or list((installed / "Scripts").glob("tradekit*"))
