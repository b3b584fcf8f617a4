"""The command line: `tradekit lab` opens the notebooks, `tradekit app` serves pages, `tradekit tournament` has bots
play, and games add commands of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from importlib.resources import files
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NoReturn

import tradekit
from tradekit._utils.arguments import seed as seed_of
from tradekit._utils.arguments import whole_number
from tradekit._utils.copies import copy
from tradekit._utils.machine import some_home, speak_plainly, why
from tradekit.game import installed, names
from tradekit.i18n import _, language
from tradekit.options import read_options

FOLDER = "tradekit-notebooks"
STARTS = {"en": "01_start_here.ipynb", "es": "es/01_empieza_aqui.ipynb"}  #: what is opened first, by language
PAGES = "tradekit-app"
STOPPED = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    The exit status is 0, or 1 if there is no chain, 2 for input that cannot be read, or `STOPPED` for a tournament that
    ended early.
    """
    speak_plainly()
    given = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(given)
    options.arguments = given
    try:
        status: int = options.run(options)
    except BrokenPipeError:  # whoever read has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, ImportError, OSError) as error:
        print(f"tradekit: {why(error) if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    return status


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"tradekit: {message}\n")


def _parser() -> _Parser:
    parser = _Parser(prog="tradekit", description=_("Trading and auction games as objects of analysis and teaching."))
    parser.add_argument("--version", action="version", version=f"tradekit {tradekit.__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")

    lab = commands.add_parser("lab", help=_("open JupyterLab on the notebooks"))
    lab.add_argument(
        "--dir",
        type=Path,
        default=Path(FOLDER),
        help=_("where the notebooks are, or are copied to (default: ./{folder})").format(folder=FOLDER),
    )
    lab.add_argument("rest", nargs="*", metavar="-- ...", help=_("what follows -- is handed to JupyterLab"))
    lab.set_defaults(run=_lab)

    app = commands.add_parser("app", help=_("serve explorer, tables and lab as pages of their own"))
    app.add_argument(
        "--dir",
        type=Path,
        default=Path(PAGES),
        help=_("where the pages are written, and games saved (default: ./{folder})").format(folder=PAGES),
    )
    app.add_argument("--visitors", type=int, metavar="N", help=_("how many there may be at once (20)"))
    app.add_argument("rest", nargs="*", metavar="-- ...", help=_("what follows -- is handed to Voila"))
    app.set_defaults(run=_app)

    tournament = commands.add_parser("tournament", help=_("many games between bots: who wins how often"))
    tournament.add_argument("game", help=_("one of: {games}").format(games=", ".join(names())))
    tournament.add_argument("bots", nargs="+", metavar="bot", help=_("the bots, such as chain and random"))
    tournament.add_argument("--games", default=100, metavar="N", help=_("games of each pairing (default: 100)"))
    tournament.add_argument("--seed", default=0, metavar="N", help=_("equal seeds give equal games"))
    tournament.add_argument("--players", metavar="N", help=_("how many play (default: 2)"))
    tournament.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help=_("of the game's rules, such as cards=1,4")
    )
    tournament.add_argument(
        "--errors",
        choices=("stop", "forfeit"),
        default="stop",
        help=_("a bot that raises an error or breaks the rules: stop (default), or it forfeits that game"),
    )
    tournament.add_argument(
        "--seconds", type=float, metavar="S", help=_("the most time for a decision (default: no limit)")
    )
    tournament.add_argument("--jobs", default=1, metavar="N", help=_("so many processes at once"))
    tournament.add_argument(
        "--file", type=Path, metavar="FILE", help=_("where games are kept; the same command goes on from there")
    )
    tournament.add_argument(
        "--parquet", type=Path, metavar="FILE", help=_("write a row a game to a Parquet file in the end")
    )
    tournament.add_argument("--json", action="store_true", help=_("print JSON"))
    tournament.set_defaults(run=_tournament)

    for game in installed():
        try:
            if game.commands:
                resolve_name(game.commands)(commands)
        except Exception as error:  # whatever another one's module does
            message = _("The commands of {name!r} are left out: {error}").format(name=game.name, error=error)
            warnings.warn(message, RuntimeWarning, stacklevel=2)
    return parser


def _tournament(options: argparse.Namespace) -> int:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from tradekit.tournament import BotError, play
    from tradekit.tournament.results import need_pyarrow

    if options.parquet:
        need_pyarrow()  # before the games, not after
    if twice := [bot for bot in options.bots if options.bots.count(bot) > 1]:
        raise ValueError(
            _("bot {name!r} is there twice; name it once: bots take seats in turn until all are taken").format(
                name=twice[0]
            )
        )
    rules = _options(options.game, options.option)
    games, jobs = (whole_number(getattr(options, name), f"--{name}", 1) for name in ("games", "jobs"))
    seed, players = seed_of(options.seed, "--seed"), None
    if options.players is not None:
        players = whole_number(options.players, "--players", 1)
    executor = None
    if jobs > 1:  # Ctrl-C is for this process, which tells the others
        ignore = (signal.SIGINT, signal.SIG_IGN)
        executor = ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, ignore)
    with executor or nullcontext(), warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # said below
        try:
            result = play(
                options.game, options.bots, games, seed, players=players, executor=executor,
                file=options.file, progress=sys.stderr.isatty(), errors=options.errors, seconds=options.seconds,
                **rules,
            )  # fmt: skip
        except BotError as error:
            result = error.result
    if forfeits := result.said_of_forfeits():
        print(f"tradekit: {forfeits}", file=sys.stderr)
    if result.stopped:
        file, again = options.file, ["tradekit", *options.arguments]
        if file is None:
            file = result.save(next(name for n in count(1) if not (name := Path(f"tournament-{n}.jsonl")).exists()))
            again += ["--file", str(file)]
        go_on = _("they are in {file}; this goes on: {command}").format(file=file, command=shlex.join(again))
        print(f"tradekit: {result.stopped}\n{go_on}", file=sys.stderr)
    if options.parquet:
        result.to_parquet(options.parquet)
    summary = result.summary.round(3)
    if options.json:
        rows = json.loads(summary.reset_index().to_json(orient="records"))
        print(json.dumps({"games": len(result.played), "complete": result.complete, "summary": rows}))
    else:
        print(summary.to_string())
    return 0 if result.complete else STOPPED


def _options(game: str, given: Sequence[str]) -> dict[str, Any]:
    """Options as records write them: ``cards=1,4``, ``patience=20``, ``double=yes``, ``over_ten=penalty``."""
    texts: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not name or not sign:
            raise ValueError(_("--option {text}: name=value is needed, such as cards=1,4").format(text=text))
        if name in ("games", "seed", "players", "errors", "seconds", "jobs", "file"):
            raise ValueError(_("--option {text}: there is --{name} for that").format(text=text, name=name))
        texts[name] = value
    return read_options(game, texts)


def _lab(options: argparse.Namespace) -> int:
    folder: Path = options.dir
    if not folder.exists():
        with suppress(FileExistsError):  # somebody else was quicker
            copy(files("tradekit_notebooks"), folder)
        print(_("The notebooks are in {folder}.").format(folder=folder.resolve()))
    start = STARTS.get(language(), STARTS["en"])
    first = [f"--LabApp.default_url=/lab/tree/{start}"] if (folder / start).exists() else []
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with _home():
        try:
            from jupyterlab.labapp import main as jupyterlab  # type: ignore[import-untyped]
        except ImportError:
            raise ValueError(_("JupyterLab is not installed; install it with: pip install 'tradekit[lab]'")) from None
        jupyterlab([str(folder), *first, *root, *options.rest])
    return 0


def _app(options: argparse.Namespace) -> int:
    from tradekit.app import serve

    with _home():
        serve(options.dir, options.rest, options.visitors)
    return 0


@contextmanager
def _home() -> Iterator[None]:
    """A home directory for Jupyter, and a word about it if it is not the user's."""
    with some_home() as borrowed:
        if borrowed:
            message = _("there is no home directory to write to: Jupyter's settings are forgotten when it stops")
            print(f"tradekit: {message}", file=sys.stderr)
        yield
