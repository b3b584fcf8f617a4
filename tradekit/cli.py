"""The command line: `tradekit lab` opens the notebooks, `tradekit chain` answers one question."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import NoReturn

import tradekit
from tradekit.bazar import Deck
from tradekit.i18n import _

FOLDER = "tradekit-notebooks"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0, or 1 if there is no chain, or 2 for input that cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except (ValueError, OSError) as error:
        print(f"tradekit: {error}", file=sys.stderr)
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

    chain = commands.add_parser("chain", help=_("the shortest chain of trades to a ware of Bazar"))
    exchange = chain.add_mutually_exclusive_group(required=True)
    exchange.add_argument("--cards", type=int, nargs="+", metavar="N", help=_("exchange cards, by number"))
    exchange.add_argument("--equations", metavar="TEXT", help=_("equations, such as 'R=WW W=BG'"))
    chain.add_argument(
        "--deck", type=Path, metavar="FILE", help=_("a deck of your own (CSV or text) instead of the house deck")
    )
    chain.add_argument("--have", default="", metavar="STONES", help=_("the stones in hand, such as 'R R'"))
    chain.add_argument("--want", required=True, metavar="WARE", help=_("the ware, such as RWBGY or 'GGGGG*'"))
    chain.add_argument(
        "--left", type=int, metavar="K", help=_("stones left after paying, exactly; any number if not given")
    )
    chain.add_argument("--json", action="store_true", help=_("print JSON"))
    chain.set_defaults(run=_chain)
    return parser


def _chain(options: argparse.Namespace) -> int:
    from tradekit.bazar import Exchange  # brings NumPy: not needed for --help

    if options.cards:
        exchange = Exchange.of_cards(*options.cards, deck=Deck.load(options.deck) if options.deck else None)
    else:
        exchange = Exchange(options.equations)
    chain = exchange.chain(options.have, options.want, options.left)
    policy = exchange.solve(options.want, options.left)
    turns, action = policy.turns(options.have), policy.best(options.have)
    if options.json:
        found = None if chain is None else {
            "turns": chain.turns, "left": chain.left, "points": chain.points(), "rest": str(chain.rest),
            "steps": [{"trade": str(s.trade), "before": str(s.before), "after": str(s.after)} for s in chain.steps],
        }  # fmt: skip
        die = {"turns": turns if turns < float("inf") else None, "best": action}
        print(json.dumps({"exchange": [str(e) for e in exchange.equations], "chain": found, "with_die": die}))
    else:
        print(chain.to_text() if chain else _("There is no chain, of any length."))
        print(_("With the die: {turns:.3f} expected turns; first: {action}").format(turns=turns, action=action))
    return 0 if chain else 1


def _lab(options: argparse.Namespace) -> int:
    folder: Path = options.dir
    if not folder.exists():
        with as_file(files("tradekit_notebooks")) as source:
            shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", ".ipynb_checkpoints"))
        print(_("The notebooks are in {folder}.").format(folder=folder.resolve()))
    start = folder / "01_start_here.ipynb"
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    try:
        from jupyterlab.labapp import main as jupyterlab  # type: ignore[import-untyped]
    except ImportError:
        raise ValueError(_("JupyterLab is not installed; install it with: pip install 'tradekit[lab]'")) from None
    jupyterlab([str(start if start.exists() else folder), *root, *options.rest])
    return 0
