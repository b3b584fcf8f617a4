"""A state of The Silk Road as an SVG picture for slides and papers: market, talk, hands, players, discards.

It shows what the picture in the notebook shows (`table_view`), without its controls; a function a part.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from markupsafe import Markup

from tradekit import theme
from tradekit.i18n import _
from tradekit.show import svg
from tradekit.show.html import element
from tradekit.show.names import Names
from tradekit.show.svg import Row, words
from tradekit.silk import render, wording
from tradekit.silk.board_html import (
    bribed,
    held,
    hordes,
    known,
    money,
    pile,
    progress,
    safeguards,
    seat,
    sentence,
    then,
)
from tradekit.silk.cards import cards_of
from tradekit.silk.controls_html import Scene, shown_hands
from tradekit.silk.rules import State

WIDTH: Final = 720
MARGIN: Final = 18
PILE: Final = 136  #: from a pile of the market to the next
LETTERS: Final = 92  #: of a sentence, on a line


def picture(state: State, player: int | None = None, names: Names = ()) -> Markup:
    """Draw a state as a player sees it (None: see everything)."""
    scene = Scene(state.seen_by(player), player, False, names)
    said = sentence(scene)
    rows = [Row(24, words(0, 18, line, bold=True, font_size=15)) for line in wrap(said, 84)]
    rows.append(_quiet(progress(scene)))
    rows += [*market(scene), *talk(scene), *hands(scene), *players(scene), *discards(scene)]
    drawn = svg.stack(MARGIN, 12, rows)
    return svg.picture(WIDTH, drawn.height + MARGIN, said, drawn.drawn)


def _quiet(text: str) -> Row:
    return Row(20, words(0, 13, text, colour=theme.QUIET, font_size=12))


def market(scene: Scene) -> Iterator[Row]:
    """The row of piles from front to back, the hordes and the draw pile."""
    state = scene.state
    yield svg.heading(_("Market, front to back"))
    if not state.market.row:
        yield _quiet(_("not laid out yet"))
        return
    drawn = Markup("")
    for place, good in enumerate(state.market.row):
        x, cards = PILE * place, state.market.piles[good]
        shut = good in state.marker[2:]
        edge = theme.STONES["R"][0] if shut else theme.QUIET
        drawn += element("rect", x=f"{x + 0.5:g}", y="0.5", width="126", height="82", rx="8", fill="none", stroke=edge)
        drawn += render.mark_svg(good, x + 8, 8) + words(x + 36, 20, wording.good(good), font_size=12)
        drawn += words(x + 8, 50, str(cards[0]), bold=True, font_size=24)
        drawn += words(x + 30, 48, then(state, good), colour=theme.QUIET, font_size=11)
        if shut:
            name = _("only {name}").format(name=_short(seat(scene, state.marker[1]), 14))
            drawn += words(x + 8, 72, name, colour=edge, bold=True, font_size=11)
    yield Row(90, drawn)
    yield Row(20, words(0, 13, f"{hordes(state)} · {pile(state)}", font_size=12))


def _short(name: str, most: int) -> str:
    """A name in so many letters at most."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def talk(scene: Scene) -> Iterator[Row]:
    """Draw the present offers (SI-11)."""
    state = scene.state
    if state.offers:
        yield svg.heading(_("Talk"))
    for place, offer in enumerate(state.offers):
        pattern = _("{partner} answers with {said}.") if place else _("{turn} offers {partner} {said}.")
        turn, partner = seat(scene, state.turn), seat(scene, state.partner)
        said = pattern.format(turn=turn, partner=partner, said=wording.offer_text(offer))
        yield Row(20, words(0, 13, said))
        if offer.cards:
            yield Row(20, render.line_svg(offer.cards, 0, 0))


def hands(scene: Scene) -> Iterator[Row]:
    """The hands that the viewer may see."""
    for title, seat_ in shown_hands(scene):
        yield svg.heading(title)
        yield Row(22, render.line_svg(scene.state.hands[seat_], 0, 0) or _quiet(_("no cards")).drawn)


def players(scene: Scene) -> Iterator[Row]:
    """Each player's dinars, cards, safeguards and bribe; who is to act is marked."""
    state = scene.state
    yield svg.heading(_("Players"))
    for player in range(state.players):
        mark = "▸ " if player in state.actors else ""
        has = words(WIDTH - 2 * MARGIN, 14, money(scene, player), text_anchor="end")
        yield Row(20, words(0, 14, mark + scene.display_name(player), bold=True) + has)
        about = [held(scene, player), safeguards(state, player)]
        if state.marker[1:2] == (player,):
            about.append(bribed(state))
        yield Row(20, words(0, 13, " · ".join(about), colour=theme.QUIET, font_size=12))
        if state.safeguards[player]:
            yield Row(20, render.line_svg(cards_of(state.safeguards[player]), 0, 0))
        if some := known(scene, player):
            yield Row(20, words(0, 13, _("you know of"), font_size=12) + render.line_svg(some, 100, 0))
        yield Row(6, Markup(""))


def discards(scene: Scene) -> Iterator[Row]:
    """The discards."""
    yield svg.heading(_("Discards"))
    if not scene.state.discards:
        yield _quiet(_("no cards"))
    for line in wrap(wording.cards(scene.state.discards), LETTERS) if scene.state.discards else ():
        yield _quiet(line)
