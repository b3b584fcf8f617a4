"""Machines unlike ours: no home, no name for the user, nothing to write to, a terminal that has few letters."""

import os
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from tradekit._utils import copies, machine

PYTHON = [sys.executable, "-X", "utf8=0", "-W", "default"]
CHAIN = ["-m", "tradekit", "chain", "--cards", "1", "4", "--have", "RR", "--want", "RWBGY"]
NOBODY = 54321  #: a user without a name, a home or any rights


def run(*arguments, cwd, **environment):
    """Run a process with this environment and little more."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [*PYTHON, *arguments], cwd=cwd, env=kept | environment, capture_output=True, timeout=300, check=False
    )


can_become = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root becomes somebody else"
)


# Copies of the notebooks


def test_a_copy_of_what_is_read_only_can_be_written(tmp_path):
    """For a wheel or a Nix store: with any permissions there."""
    source = tmp_path / "store"
    (source / "es").mkdir(parents=True)
    for file in (source / "one.ipynb", source / "es" / "uno.ipynb", source / "__init__.py"):
        file.write_text("{}")
        file.chmod(0o444)
    for folder in (source / "es", source):
        folder.chmod(0o555)
    copies.copy(source, tmp_path / "mine")
    made = sorted(path.relative_to(tmp_path / "mine").as_posix() for path in (tmp_path / "mine").rglob("*"))
    assert made == ["es", "es/uno.ipynb", "one.ipynb"]
    assert all(path.stat().st_mode & 0o200 for path in [tmp_path / "mine", *(tmp_path / "mine").rglob("*")])


def test_a_copy_is_made_from_an_archive_too(tmp_path):
    with zipfile.ZipFile(tmp_path / "wheel.zip", "w") as archive:
        archive.writestr("notebooks/one.ipynb", "{}")
        archive.writestr("notebooks/es/uno.ipynb", "{}")
    copies.copy(zipfile.Path(tmp_path / "wheel.zip", "notebooks/"), tmp_path / "mine")
    assert (tmp_path / "mine" / "es" / "uno.ipynb").read_text() == "{}"


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=str)
def test_an_interrupted_copy_is_not_there(tmp_path, monkeypatch, fault):
    written = []

    def write(path, content, really=Path.write_bytes):
        if len(written) == 3:
            raise fault
        written.append(path)
        return really(path, content)

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(type(fault)):
        copies.copy(files("tradekit_notebooks"), tmp_path / "mine")
    assert len(written) == 3 and [*tmp_path.iterdir()] == []
    monkeypatch.undo()
    copies.copy(files("tradekit_notebooks"), tmp_path / "mine")
    assert (tmp_path / "mine" / "01_start_here.ipynb").exists()


def test_a_copy_never_overwrites(tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(FileExistsError):
        copies.copy(files("tradekit_notebooks"), tmp_path / "mine")


# No home, no name


#: From here on a process belongs to a user that the system does not have. Imports come first: they may be root's alone.
BECOME = f"import os; os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
RACE = f"""
import platformdirs, tqdm.auto, pandas
import tradekit.bazar.race as race, tradekit.bazar as bazar
from tradekit.bazar.race_values import Values
import numpy as np
N = race.N
race._solve = lambda moves, ware, progress: Values(*[np.zeros((N, N), np.float32)] * 2)
exchange = bazar.Exchange.of_cards(1, 4)
{BECOME}
kept = [exchange.race("RWBGY"), exchange.race("GGGGG"), bazar.Exchange.of_cards(1).race("RWBGY")]
print("solved", len(kept), bazar.cache())
"""


@pytest.mark.long
@can_become
@pytest.mark.parametrize("home", [None, "/nonexistent", "", "relative"], ids=str)
def test_without_a_home_a_cache_is_in_memory_and_that_is_said_once(tmp_path, home):
    tmp_path.chmod(0o755)
    environment = {} if home is None else {"HOME": home}
    done = run("-c", RACE, cwd="/", LC_ALL="C", **environment)
    assert done.returncode == 0 and done.stdout.startswith(b"solved 3"), done.stderr.decode()
    assert done.stderr.count(b"Solved races cannot be kept") == 1, done.stderr.decode()


@can_become
def test_a_home_that_is_read_only_is_no_trouble(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o555)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(folder.stat().st_mode | 0o055)
    done = run("-c", RACE, cwd="/", HOME=str(home))
    assert done.returncode == 0 and done.stderr.count(b"Solved races cannot be kept") == 1, done.stderr.decode()
    assert [*home.iterdir()] == []


def homeless():
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.parametrize("kind", ["unknown", "read-only", "there"])
def test_jupyter_gets_a_home_where_the_user_has_none(tmp_path, monkeypatch, kind):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    if kind == "unknown":
        monkeypatch.setattr(Path, "home", homeless)
    if kind == "there":
        (tmp_path / "home").mkdir()
        monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    before = dict(os.environ)
    with machine.some_home() as borrowed:
        assert borrowed == (kind != "there")
        assert machine.can_write(Path(os.environ["HOME"]))
        assert (Path(os.environ["HOME"]) == tmp_path / "home") == (kind == "there")
        assert ("JUPYTER_RUNTIME_DIR" in os.environ) == borrowed
        home = Path(os.environ["HOME"])
    assert dict(os.environ) == before and home.exists() == (kind == "there")


# Nothing can be written, and few letters can be shown


@can_become
def test_lab_says_where_it_cannot_copy_to(tmp_path):
    copy = "import sys, locale, gettext, importlib.resources; from tradekit import cli; cli._parser()"
    source = "class Nothing: iterdir = lambda self: iter(())\ncli.files = lambda name: Nothing()"
    done = run("-c", f"{copy}\n{source}\n{BECOME}\nsys.exit(cli.main(['lab']))", cwd="/")
    assert done.returncode == 2 and done.stderr.startswith(b"tradekit: "), done.stderr.decode()
    assert b"tradekit-notebooks" in done.stderr and b"Errno" not in done.stderr and done.stderr.count(b"\n") == 1


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437", "utf-8"])
def test_a_terminal_that_knows_few_letters_gets_the_answer(tmp_path, encoding, language):
    done = run(*CHAIN, cwd=tmp_path, PYTHONIOENCODING=encoding, LC_ALL="C", TRADEKIT_LANG=language)
    assert done.returncode == 0 and done.stderr == b"" and b"R=WBGY" in done.stdout
    wrong = run(*CHAIN[:-1], "ñandú★", cwd=tmp_path, PYTHONIOENCODING=encoding, LC_ALL="C", TRADEKIT_LANG=language)
    assert wrong.returncode == 2 and wrong.stderr.startswith(b"tradekit: ") and wrong.stderr.count(b"\n") == 1


@pytest.mark.parametrize("columns", ["1", "20", "0", "wide", "100000"])
def test_a_terminal_of_any_width_gets_help(tmp_path, columns):
    done = run("-m", "tradekit", "tournament", "--help", cwd=tmp_path, COLUMNS=columns)
    assert done.returncode == 0 and b"--games" in done.stdout and done.stderr == b""


def test_folders_may_have_spaces_and_accents(tmp_path):
    home = tmp_path / "Mis juegos, año 2º ☕"
    home.mkdir()
    done = run(
        "-X", "utf8", "-m", "tradekit", "tournament", "bazar", "random", "quick", "--games", "2",
        "--file", "partidas ñ.jsonl",
        cwd=home, HOME=str(home),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert [path.name for path in home.glob("*.jsonl")] == ["partidas ñ.jsonl"]


def test_who_reads_only_the_beginning_sees_no_error(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PYTHON, *CHAIN], cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, timeout=300, check=False
    )
    os.close(writer)
    assert done.stderr == b""
