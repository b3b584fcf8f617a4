"""The widgets as pages of their own, without a notebook: `tradekit app` writes the pages and serves them with Voila.

Nothing is loaded from another host: the template here leaves out the icons that Voila's own asks a CDN for. Each
visitor has a kernel of their own; games save themselves in the folder of the pages. A page that is loaded again has a
new kernel, so the address says which game is played there: the front page makes up a number for each. How many visitors
there may be, and when a kernel ends, is said in `visitors`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qs

from tradekit._utils.arguments import checked
from tradekit._utils.atomic_files import whole_files
from tradekit.game import begin, installed
from tradekit.i18n import _, language
from tradekit.record import Record
from tradekit.show.html import Child, document, element

if TYPE_CHECKING:
    from tradekit.widgets.table import Table

TEMPLATE: Final = "tradekit"  #: its name, for Voila
_HOME: Final = Path("voila") / "templates" / TEMPLATE  # where Voila looks for it, below a folder of JUPYTER_PATH

#: Voila's page for a notebook but for the links to a font of icons, which no widget of ours uses.
_PAGE: Final = """\
{%- extends 'voila/templates/lab/index.html.j2' -%}
{% import "spinner.macro.html.j2" as spinner %}
{%- block notebook_css -%}
{{ resources.include_js("static/voila-style.js") }}
{{ spinner.css() }}
<style>.jp-mod-noOutputs.jp-mod-noInput { display: none; }</style>
{{ super.super() }}
{%- endblock notebook_css -%}
"""
_STYLE: Final = """\
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.4; }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
ul { list-style: none; padding: 0; }
li { margin: 1rem 0; }
a { font-size: 1.15rem; }
a + span { display: block; }
"""


class Page(NamedTuple):
    """A page: its file's name, what it is called, what it is for, and the code of its one cell."""

    name: str
    title: str
    about: str
    code: str
    address: str = ""  #: what a link to it ends with


_A_GAME: Final = "?game={{ range(10**9, 10**10) | random }}"  #: for the front page, which is a Jinja template


def pages() -> list[Page]:
    """Return all pages, in the current language: ours, and a table for each game from elsewhere that is installed.

    >>> [page.name for page in pages()][:6]
    ['explorer', 'bazar', 'turin', 'silk', 'lab', 'bidding']
    """

    def table(game: str, title: str, about: str, players: int) -> Page:
        code = f'from tradekit import app\n\napp.table("{game}", players={players})'
        return Page(game, title, about, code, _A_GAME)

    return [
        Page(
            "explorer",
            _("Trade chains"),
            _("Bazar: cards, stones and wares; the shortest chain of trades, and the best play against the die."),
            "from tradekit import bazar\n\nbazar.explore()",
        ),
        table("bazar", _("Bazar"), _("A table for two, against a bot."), 2),
        table("turin", _("Turin Market"), _("A table for three, with two bots."), 3),
        table("silk", _("The Silk Road"), _("A table for three, with two bots."), 3),
        Page(
            "lab",
            _("Auction lab"),
            _("Formats of auctions: the equilibrium, and a simulation beside it."),
            "from tradekit import auctions\n\nauctions.lab()",
        ),
        Page(
            "bidding",
            _("Bidding game"),
            _("Ten auctions against two bidders, and what a better bid would have brought."),
            "from random import randrange\n\nfrom tradekit import auctions\n\n"
            "auctions.bidding_game(seed=randrange(1_000_000))",
        ),
        *(
            table(
                game.name,
                game.title or game.name,
                _("A table, with bots on the other seats."),
                2 if 2 in game.players else min(game.players),
            )._replace(name=f"play-{game.name}")  # so that no name of a game is that of another page
            for game in installed()
            if not game.state.__module__.startswith(f"{__package__}.")
        ),
    ]


@checked
def table(game: str, players: int) -> Table:
    """A table for a page: the game in the page's address, ``?game=1234``, goes on from its file if it has begun.

    Voila hands the address to the kernel in the environment. Without a number in it the game gets a file of its own.
    """
    from tradekit.widgets.table import play

    [number] = parse_qs(os.environ.get("QUERY_STRING", "")).get("game", [""])[-1:]
    file = Path(f"{game}-{number}.txt") if re.fullmatch(r"[0-9]{1,20}", number) else None
    return play(Record.load(file) if file and file.exists() else begin(game, players=players), file=file)


@checked
def write(folder: Path) -> Path:
    """Write the pages and the template below `folder`, and hand back the folder of the pages."""
    home = folder / "pages"
    home.mkdir(parents=True, exist_ok=True)
    template = folder / _HOME
    template.mkdir(parents=True, exist_ok=True)
    files = {home / f"{page.name}.ipynb": _notebook(page) for page in pages()}
    names = {"conf.json": '{"base_template": "lab"}', "index.html.j2": _PAGE, "tree-lab.html": _front()}
    files |= {template / name: text for name, text in names.items()}
    with whole_files(*files) as opened:
        for file, text in zip(opened, files.values(), strict=True):
            file.write(text.encode())
    return home


@checked
def serve(folder: Path, rest: Sequence[str] = (), visitors: int | None = None) -> None:
    """Write the pages and serve them until it is interrupted; `rest` are options of Voila's, such as ``--port=8870``.

    There may be so many `visitors` at once, 20 if None; another one is told so. Raises `ValueError` if Voila is not
    installed, and for fewer than one visitor.
    """
    if visitors is not None and visitors < 1:
        raise ValueError(_("visitors={n}: must be 1 or more").format(n=visitors))
    try:
        import voila.app  # noqa: F401
    except ImportError:
        raise ValueError(_("Voila is not installed; install it with: pip install 'tradekit[lab]'")) from None
    from tradekit.visitors import IDLE, LOOK, VISITORS, App

    home = write(folder)
    paths = [str(folder.resolve()), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(paths)
    about = _(
        "At most {n} visitors at once. The kernel of a visitor who has left ends at once, or after {seconds} s if the "
        "browser is gone without a word."
    )
    print(about.format(n=visitors or VISITORS, seconds=IDLE + LOOK))
    limit = [] if visitors is None else [f"--App.visitors={visitors}"]
    App.launch_instance([str(home), f"--template={TEMPLATE}", *limit, *rest])


def full(visitors: int) -> str:
    """The page for one visitor too many."""
    head, text = _("All places are taken"), _("{n} visitors are here already. Try again in a few minutes.")
    return _page(head, element("h1", head), element("p", text.format(n=visitors)))


def _page(title: str, *body: Child) -> str:
    icon = element("link", rel="icon", href="data:;base64,=")  # so that no browser asks for one
    return document(title, _STYLE, element("main", body), language=language(), head=icon)


def _notebook(page: Page) -> str:
    head = f"# {page.title}\n\n{page.about} [{_('All pages')}](../..)"
    code: dict[str, object] = {"execution_count": None, "outputs": [], "source": page.code}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": [
            {"cell_type": "markdown", "id": "head", "metadata": {}, "source": head},
            {"cell_type": "code", "id": "widget", "metadata": {}, **code},
        ],
        "metadata": {"kernelspec": kernel, "title": page.title},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1)


def _front() -> str:
    """The front page: a link to each of the others."""
    links = [
        element(
            "li",
            element("a", page.title, href=f"{{{{ base_url }}}}voila/render/{page.name}.ipynb{page.address}"),
            element("span", page.about),
        )
        for page in pages()
    ]
    about = _("Trading and auction games: to play, to analyse, to teach.")
    return _page("tradekit", element("h1", "tradekit"), element("p", about), element("ul", links))
