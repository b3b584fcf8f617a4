"""A game from outside is found by its entry point: installed as a wheel, it is played everywhere."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tradekit import game
from tradekit.cli import main

HERE = Path(__file__).parent
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
PROBE = """
import json
import tradekit
from tradekit import app, bots, game, tournament
from tradekit.adapters import openspiel, pettingzoo

assert {"toy", "bazar"} <= {*game.names()}
table = tradekit.play("toy", seed=1)
table.act("bid 1")
result = tournament.play("toy", ["half", "random"], games=4, progress=False)
environment = pettingzoo.env("toy")
environment.reset(seed=1)
print(json.dumps({
    "home": game.find("toy").state.__module__,
    "read": game.read(str(game.begin("toy"))).game.title,
    "table": [repr(table), table.state.actors],
    "best": bots.opponent("toy"),
    "strength": bots.strength("half", "toy"),
    "bots": [*result.summary.index],
    "spiel": openspiel.load("toy").num_players(),
    "registered": openspiel.pyspiel.registered_names().count("python_tradekit_toy"),
    "zoo": environment.infos["player_0"]["words"],
    "pages": {page.name: [page.title, page.code] for page in app.pages()},
}))
"""


def run(*command, folder, **environment):
    """What a command prints, run in that folder."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, f"{done.args}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    """Run a command in an empty folder, where the game is installed; its rules are those of the toy."""
    source, wheels, installed, empty = (tmp_path_factory.mktemp(name) for name in ("source", "wheel", "lib", "empty"))
    shutil.copytree(HERE / "outside_game", source, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "toy.py", source / "tradekit_toy" / "rules.py")
    offline = ["--no-index", "--no-deps"]
    run(*PIP, "wheel", *offline, "--no-build-isolation", "--wheel-dir", wheels, source, folder=empty)
    run(*PIP, "install", *offline, "--target", installed, *wheels.glob("*.whl"), folder=empty)
    return lambda *command: run(sys.executable, *command, folder=empty, PYTHONPATH=str(installed))


def test_a_game_from_outside_is_played_everywhere(outside):
    said = json.loads(outside("-c", PROBE))
    assert said["home"] == "tradekit_toy.rules" and said["read"] == "Toy auction"
    table, actors = said["table"]
    assert table.startswith("<Table: toy, you, half, ") and not actors  # the bot has bid, too
    assert said["best"] == "half" and said["strength"] == "wins 63 % against random"
    assert said["bots"] == ["half", "random"]
    assert said["spiel"] == 2 and said["registered"] == 1 and said["zoo"] == ["0", "1", "2", "3"]
    assert said["pages"]["play-toy"] == ["Toy auction", 'from tradekit import app\n\napp.table("toy", players=2)']


def test_the_command_line_plays_a_game_from_outside_and_lists_it(outside):
    played = json.loads(outside("-m", "tradekit", "tournament", "toy", "half", "random", "--games", "4", "--json"))
    assert played["games"] == 4 and played["complete"]
    listed = " ".join(outside("-m", "tradekit", "tournament", "--help").split())
    assert "one of: bazar, bazar-alone, silk, toy, turin" in listed


# What can be wrong with what is installed


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A function that installs modules with entry points, for one test."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(game, "_GAMES", {**game._GAMES})

    def installed(name, entries, **modules):
        for module, code in modules.items():
            (tmp_path / f"{module}.py").write_text(code)
        home = tmp_path / f"{name}-1.0.dist-info"
        home.mkdir()
        (home / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (home / "entry_points.txt").write_text(f"[{game.GROUP}]\n" + "".join(f"{entry}\n" for entry in entries))
        game._entries.cache_clear()

    yield installed
    game._entries.cache_clear()


@pytest.mark.parametrize(
    ("value", "code", "why"),
    [
        ("raises:GAME", "1 / 0", "ZeroDivisionError: division by zero"),
        ("ends:GAME", "raise SystemExit(3)", "SystemExit: 3"),
        ("missing.module:GAME", "", "ModuleNotFoundError: No module named 'missing'"),
        ("empty:GAME", "", "AttributeError: "),
        ("number:GAME", "GAME = 7", "ValueError: it is not a Game of that name"),
        ("other:GAME", "from tradekit.bazar.rules import GAME", "ValueError: it is not a Game of that name"),
        ("no home", "", "AttributeError: "),
    ],
)
def test_a_game_that_cannot_be_loaded_is_reported_once_and_left_out(install, value, code, why):
    install("broken", [f"broken = {value}"], **{value.partition(":")[0].replace(".", "_").replace(" ", "_"): code})
    assert "broken" in game.names()
    with pytest.warns(RuntimeWarning, match=rf"^The game 'broken' is left out, because {value} .*: {why}"):
        there = game.installed()
    assert [found.name for found in there] == ["bazar", "bazar-alone", "silk", "turin"]
    with pytest.raises(ValueError, match="there is no game 'broken'; there are bazar, "):
        game.find("broken")
    assert "broken" not in game.names()


def test_the_command_line_works_beside_a_game_that_does_not(install, capsys):
    install("broken", ["broken = breaks:GAME"], breaks="raise OSError('no disk')")
    with pytest.warns(RuntimeWarning, match="'broken' is left out"):
        assert main(["chain", "--equations", "R=WW", "--have", "R", "--want", "GGGGG"]) == 1
    assert "There is no chain" in capsys.readouterr().out


COMMANDS = """
from dataclasses import replace
from tests.toy import Toy as Base, new
from tradekit.game import Game

class Toy(Base): ...

GAME = Game("with-commands", Toy, new, players=(2,), commands="commanding:add")

def add(commands):
    commands.add_parser("hello").set_defaults(run=lambda options: print("hello") or 0)
"""


def test_a_game_adds_commands_and_those_that_cannot_be_are_left_out(install, capsys):
    install("commanding", ["with-commands = commanding:GAME"], commanding=COMMANDS)
    assert main(["hello"]) == 0 and capsys.readouterr().out == "hello\n"
    install("again", ["with-other = again:GAME"], again=COMMANDS.replace("with-commands", "with-other"))
    with pytest.warns(RuntimeWarning, match="The commands of 'with-other' are left out: .*hello"):
        assert main(["hello"]) == 0


def test_of_two_games_of_one_name_ours_is_used(install):
    install("second", ["bazar = second:GAME"], second="")
    with pytest.warns(RuntimeWarning, match=r"named 'bazar': tradekit\.bazar\.rules:GAME is used, second:GAME is not"):
        assert "bazar" in game.names()
    assert game.find("bazar").state.__module__ == "tradekit.bazar.rules"


def test_the_name_of_a_game_that_is_installed_is_taken(install):
    install("mine", ["mine = my_module:GAME"])
    with pytest.raises(ValueError, match="'mine' is taken by the game of my_module; choose another"):
        game.register(game.Game("mine", type("Mine", (), {"__module__": "other"}), None, players=(2,)))


def test_where_no_game_is_found_tradekit_is_to_be_reinstalled(monkeypatch):
    monkeypatch.setattr(game, "_GAMES", {})
    monkeypatch.setattr(game, "_entries", dict)
    with pytest.raises(ValueError, match=r"There is no game 'bazar': .* Reinstall tradekit$"):
        game.find("bazar")
    assert game.names() == game.installed() == ()


def test_nothing_is_looked_for_or_imported_before_it_is_needed():
    code = """
import sys, tradekit
from tradekit import bazar, game, turin
bazar.new(seed=7), turin.new(2)
assert not game._entries.cache_info().misses, "our own games need no look at what is installed"
assert "silk" in game.names() and "tradekit.silk" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
