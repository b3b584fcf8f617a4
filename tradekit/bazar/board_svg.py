"""A state of Bazar as an SVG picture for slides and papers: what is to be done, exchange, bank, stalls and players.

It shows what the picture in the notebook shows (`table_view`), without its controls; a function a part.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from markupsafe import Markup

from tradekit import theme
from tradekit.bazar import render
from tradekit.bazar.board_html import Scene, hides, hides_bank, points, sentence, stock_shown
from tradekit.bazar.parameters import COVERED
from tradekit.bazar.rules import State
from tradekit.bazar.stones import COLOURS
from tradekit.i18n import _, ngettext
from tradekit.show import svg
from tradekit.show.html import element, fragment
from tradekit.show.names import Names
from tradekit.show.svg import Row, words

WIDTH: Final = 720
MARGIN: Final = 18
SIDE: Final = 300  #: where the second column begins
STONE: Final = render.STONE_STEP
LETTERS: Final = 88  #: of the sentence, on a line
WARES: Final = 5  #: that a player has bought, on a line


def picture(state: State, player: int | None = None, names: Names = ()) -> Markup:
    """Draw a state as a player sees it (None: see everything)."""
    scene = Scene(state.seen_by(player), player, False, names)
    said = sentence(scene)
    top = svg.stack(MARGIN, 12, [Row(24, words(0, 18, line, bold=True, font_size=15)) for line in wrap(said, LETTERS)])
    left = svg.stack(MARGIN, top.height + 8, exchange(scene))
    right = svg.stack(SIDE, top.height + 8, [*bank(scene), *stalls(scene), *players(scene)])
    height = max(left.height, right.height) + MARGIN
    return svg.picture(WIDTH, height, said, top.drawn, left.drawn, right.drawn)


def exchange(scene: Scene) -> Iterator[Row]:
    """The equations, sign below sign."""
    equations = scene.state.equations
    yield svg.heading(_("Exchange"))
    middle = STONE * max((len(equation.left) for equation in equations), default=0)
    for equation in equations:
        left = render.stones_svg(equation.left, middle - STONE * len(equation.left), 0)
        sign = words(middle + 12, 17, "=", colour=theme.QUIET, text_anchor="middle")
        yield Row(31, left + sign + render.stones_svg(equation.right, middle + 24, 0))


def bank(scene: Scene) -> Iterator[Row]:
    """The stones in the bank."""
    yield svg.heading(_("Bank"))
    stock = zip(COLOURS, stock_shown(scene), strict=True)
    yield Row(
        34,
        fragment(
            render.stones_svg(colour, 72 * place, 0) + words(72 * place + STONE + 4, 17, number)
            for place, (colour, number) in enumerate(stock)
        ),
    )
    if hides_bank(scene):
        all_ = len(scene.state.stock)
        yield Row(28, words(0, 17, ngettext("{n} stone", "{n} stones", all_), colour=theme.QUIET))


def stalls(scene: Scene) -> Iterator[Row]:
    """The wares on display, and how many lie below."""
    state = scene.state
    yield svg.heading(_("Stalls"))
    for number, ware, under in zip(state.stalls, state.wares, state.under, strict=True):
        if ware is None:
            yield Row(34, words(0, 17, _("to be turned up") if number == COVERED else _("empty"), colour=theme.QUIET))
            continue
        card = element("rect", x="0.5", y="-3.5", width="174", height="31", rx="6", fill="none", stroke=theme.NOTHING)
        star = words(152, 17, "★") if ware.stars else Markup("")
        below = words(190, 17, ngettext("{n} below", "{n} below", under), colour=theme.QUIET)
        yield Row(36, card + render.stones_svg(ware.stones, 6, 0) + star + below)


def players(scene: Scene) -> Iterator[Row]:
    """Each player's points, stones and wares; who is to act is marked."""
    state = scene.state
    yield svg.heading(_("Player") if state.parameters.solitaire else _("Players"))
    for player, have in enumerate(state.holdings):
        mark = "▸ " if player in state.actors else ""
        wins = f" · {_('wins')}" if player in state.winners() and not state.parameters.solitaire else ""
        gained = words(WIDTH - SIDE - MARGIN, 14, points(scene, player) + wins, text_anchor="end")
        yield Row(22, words(0, 14, mark + scene.display_name(player), bold=True) + gained)
        if hides(scene, player):
            yield Row(28, words(0, 17, ngettext("{n} stone", "{n} stones", len(have)), colour=theme.QUIET))
        else:
            yield Row(28, render.stones_svg(have, 0, 0) or words(0, 17, _("no stones"), colour=theme.QUIET))
        wares = [f"{state.parameters.deck.wares[number]} {score:+}" for number, score in state.bought[player]]
        for at in range(0, len(wares), WARES):
            yield Row(18, words(0, 13, " · ".join(wares[at : at + WARES]), colour=theme.QUIET, font_size=12))
        yield Row(8, Markup(""))
