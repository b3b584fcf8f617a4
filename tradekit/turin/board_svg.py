"""A state of Turin Market as an SVG picture for slides and papers: cards, bids, goods, players, in the end payments.

It shows what the picture in the notebook shows (`table_view`), without its controls; a function a part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Final

from markupsafe import Markup

from tradekit import theme
from tradekit.i18n import _, ngettext
from tradekit.show import svg
from tradekit.show.html import Child, fragment
from tradekit.show.names import Names, shown_name
from tradekit.show.svg import Row, words
from tradekit.turin import render, wording
from tradekit.turin.board_html import Scene, about, money, progress, sentence
from tradekit.turin.parameters import numbers
from tradekit.turin.rules import State

WIDTH: Final = 812  #: as wide as the output of a cell in a window of 1000 pixels
MARGIN: Final = 18
INNER: Final = WIDTH - 2 * MARGIN
SIDE: Final = 522  #: where the second column begins
COLUMN: Final = 60  #: from a player to the next in a table
LETTERS: Final = 92  #: of the sentence, on a line
REASON: Final = 64  #: letters of a reason, on a line
LETTER: Final = 6.4  #: width of one, at most on average
ABOUT: Final = 46  #: letters of what else a player has, on a line
ROW: Final = 6  #: cards on a line
LIST: Final = 2  #: small cards on a line


def picture(state: State, player: int | None = None, names: Names = ()) -> Markup:
    """Draw a state as a player sees it (None: see everything)."""
    scene = Scene(state.seen_by(player), player, False, names)
    said = sentence(scene)
    rows = [Row(24, words(0, 18, line, bold=True, font_size=15)) for line in wrap(said, LETTERS)]
    rows.append(Row(20, words(0, 13, progress(scene), colour=theme.QUIET, font_size=12)))
    rows += [*account(scene), *centre(scene), *hands(scene), *bids(scene), *sale(scene)]
    top = svg.stack(MARGIN, 12, rows)
    left = svg.stack(MARGIN, top.height + 8, goods(scene))
    right = svg.stack(SIDE, top.height + 8, players(scene))
    height = max(left.height, right.height) + MARGIN
    return svg.picture(WIDTH, height, said, top.drawn, left.drawn, right.drawn)


def cards(scene: Scene, there: Sequence[int]) -> Iterator[Row]:
    """Cards side by side."""
    for at in range(0, len(there), ROW):
        cards_ = enumerate(there[at : at + ROW])
        drawn = fragment(render.card_svg(scene.state.deck, card, render.CARD_WIDTH * n, 0) for n, card in cards_)
        yield Row(render.CARD_HEIGHT, drawn)


def centre(scene: Scene) -> Iterator[Row]:
    """The cards of this auction, and what each place wins."""
    state = scene.state
    if not state.actors:
        return
    awards = wording.awards(state.parameters.format(state.auction))
    yield svg.heading(f"{_('Cards of the auction')} ({awards})")
    if state.centre:
        yield from cards(scene, numbers(state.centre))
    else:
        yield Row(24, words(0, 14, _("no card yet"), colour=theme.QUIET))


def hands(scene: Scene) -> Iterator[Row]:
    """The hand cards that the viewer may see."""
    for player, cards_ in enumerate(scene.state.hands):
        if cards_ > 0 and scene.viewer in (None, player):
            yield svg.heading(_("Hand of {name}").format(name=scene.display_name(player)))
            yield from cards(scene, numbers(cards_))


def bids(scene: Scene) -> Iterator[Row]:
    """The bids, once revealed, with what each pays and why."""
    results = wording.bids(scene.state)
    if not results or not scene.state.actors:
        return
    yield svg.heading(_("Bids of auction {n}").format(n=wording.auction_of_bids(scene.state) + 1))
    head = [_("bid"), _("added"), _("total"), _("place"), _("pays")]
    yield _line("", head, [_("why")], quiet=True)
    for one in results:
        yield _line(_short(scene, one.player, 16), one.columns(), wrap(one.why, REASON))


def _line(name: str, amounts: list[str], why: list[str], quiet: bool = False) -> Row:
    colour = theme.QUIET if quiet else theme.INK
    drawn = words(0, 14, name, bold=True, font_size=12)
    for place, amount in enumerate(amounts):
        drawn += words(160 + 48 * place, 14, amount, colour=colour, text_anchor="end", font_size=12)
    for line, part in enumerate(why):
        drawn += words(368, 14 + 16 * line, part, colour=colour, font_size=12)
    return Row(4 + 16 * max(len(why), 1), drawn)


def sale(scene: Scene) -> Iterator[Row]:
    """The cards on sale: whose, and the price."""
    state = scene.state
    if state.sale:
        yield svg.heading(_("Cards on sale"))
    for card, owner, price in state.sale:
        cost = ngettext("{n} escudo", "{n} escudos", price)
        text = _("{owner}, {price}").format(owner=scene.display_name(owner), price=cost)
        yield Row(22, render.small_svg(state.deck, card, 0, 0) + words(render.CHIP + 10, 12, text, font_size=12))


def goods(scene: Scene) -> Iterator[Row]:
    """Units of each good by player, in the order of payment; who has most is marked."""
    state = scene.state
    yield svg.heading(_("Goods ({most} has most, {ties} shares most)").format(most="◆", ties="="))
    head = words(134, 13, _("pays"), colour=theme.QUIET, text_anchor="end", font_size=11)
    head += words(180, 13, _("in all"), colour=theme.QUIET, text_anchor="end", font_size=11)
    head += _columns(((_short(scene, player, 8), "") for player in range(state.players)), theme.QUIET)
    yield Row(19, head)
    for good in state.parameters.order:
        drawn = render.mark_svg(state.deck, good, 0, 0)
        drawn += words(28, 12, state.deck.goods[good].shown, font_size=12)
        drawn += words(134, 12, str(state.parameters.payouts[good]), text_anchor="end", font_size=12)
        drawn += words(180, 12, str(state.deck.goods[good].total), text_anchor="end", font_size=12)
        units = [state.goods(player)[good] for player in range(state.players)]
        sign = "◆" if units.count(max(units)) == 1 else "="
        yield Row(20, drawn + _columns((str(n or "·"), sign if n == max(units) > 0 else "") for n in units))


def _columns(texts: Iterable[tuple[str, str]], colour: str = theme.INK) -> Markup:
    """A text for each player, and a sign behind it or none; the text with a sign is heavy, and below the others."""
    drawn = Markup("")
    for place, (text, sign) in enumerate(texts):
        x = 244 + COLUMN * place
        drawn += words(x, 12, text, colour=colour, bold=bool(sign), text_anchor="end", font_size=12)
        drawn += words(x + 2, 12, sign, bold=True, font_size=11) if sign else ""
    return drawn


def players(scene: Scene) -> Iterator[Row]:
    """Each player's escudos, what else there is, and cards face up; who is to act is marked."""
    state = scene.state
    yield svg.heading(_("Players"))
    for player in range(state.players):
        mark = "▸ " if player in state.actors else ""
        has = words(WIDTH - SIDE - MARGIN, 14, money(scene, player), text_anchor="end")
        yield Row(20, words(0, 14, mark + _short(scene, player, 18), bold=True) + has)
        for line in wrap(" · ".join(about(scene, player)), ABOUT):
            yield Row(18, words(0, 12, line, colour=theme.QUIET, font_size=11))
        there = numbers(state.won[player])
        for at in range(0, len(there), LIST):
            cards_ = enumerate(there[at : at + LIST])
            yield Row(20, fragment(render.small_svg(state.deck, card, render.CHIP * n, 0) for n, card in cards_))
        yield Row(8, Markup(""))


def account(scene: Scene) -> Iterator[Row]:
    """The payments, good by good, and what each player has after each of them."""
    state = scene.state
    if not state.cash:
        return
    payments = state.payments()
    yield svg.heading(_("Payments, good by good"))
    yield from _paid("", "", "", [_short(scene, player, 8) for player in range(state.players)], quiet=True)
    yield from _paid("", "", _("before the payments"), [*map(str, state.cash)])
    for paid in payments.steps:
        name = render.mark_svg(state.deck, paid.good, 0, 0)
        name += words(28, 12, state.deck.goods[paid.good].shown, font_size=12)
        yield from _paid(name, str(paid.payout), wording.payment(paid, scene.display_name), [*map(str, paid.cash)])
    yield from _paid("", "", wording.repayment(payments, scene.display_name), [*map(str, payments.final)])


def _paid(name: Child, payout: str, text: str, cash: list[str], quiet: bool = False) -> Iterator[Row]:
    """A row of the account, on as many lines as its text needs."""
    colour = theme.QUIET if quiet else theme.INK
    drawn = fragment(name) + words(140, 12, payout, text_anchor="end", font_size=12)
    for place, amount in enumerate(cash):
        x = INNER - COLUMN * (len(cash) - 1 - place)
        drawn += words(x, 12, amount, colour=colour, text_anchor="end", font_size=12)
    lines = wrap(text, int((INNER - 152 - COLUMN * len(cash)) / LETTER)) or [""]
    for line, part in enumerate(lines):
        drawn += words(152, 12 + 16 * line, part, font_size=12)
    yield Row(20 + 16 * (len(lines) - 1), drawn)


def _short(scene: Scene, player: int, most: int) -> str:
    """Return a player's name, shortened to that many letters."""
    name = shown_name(player, scene.names)
    return name if len(name) <= most else f"{name[: most - 1]}…"
