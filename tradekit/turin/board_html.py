"""The picture of a state of Turin Market: pure functions from the state to HTML, a function a part.

It is drawn from the state masked for who looks at it, so nothing hidden can show. Every control is there in every
state, at the same place; what the rules do not allow now is switched off and says why.
"""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup

from tradekit.game import CHANCE, Action
from tradekit.i18n import _, ngettext
from tradekit.show import html
from tradekit.show.board_context import Scene as AnyScene
from tradekit.show.html import element, fragment, spaced
from tradekit.show.names import Names, with_names
from tradekit.turin import render, wording
from tradekit.turin.actions import CLAIMS, DONE, NO_GOOSE, PASS, Amounts
from tradekit.turin.goose import CLAIM, NOBODY
from tradekit.turin.parameters import Step, numbers
from tradekit.turin.rules import State

Scene = AnyScene[State]

#: The picture carries its style, for it stands in outputs of cells as well as in the table.
CSS: Final = (
    render.CSS
    + """
.tu { container-type: inline-size; }
.tu-board, .tu-side { display: flex; flex-direction: column; gap: 14px; min-width: 0; }
.tu-board > * > * { min-width: 0; }
@container (max-width: 879px) { .tu-side { display: contents; } .tu-todo { order: -2; } .tu-centre { order: -2; }
  .tu-moves { order: -2; } .tu-sale { order: -1; } }
@container (min-width: 880px) { .tu-board { display: grid; grid-template-columns: minmax(0, 7fr) minmax(0, 5fr);
  gap: 14px 32px; align-items: start; } .tu-todo { grid-column: 1 / -1; } }
.tu-todo p { margin: 0 !important; padding: 6px 10px; border-radius: 6px; font-size: 14px; font-weight: 600;
  background: var(--jp-layout-color2, #eef0f3); display: flex; flex-wrap: wrap; gap: 0 16px;
  justify-content: space-between; }
.tu-todo p span { font-weight: 400; font-size: 13px; }
.tu h4 { margin: 0 0 4px; font-size: 12px; font-weight: 600; color: var(--jp-ui-font-color2, #57606a); }
.tu h4 span { font-weight: 400; }
.tu .tu-hand h4:not(:first-child) { margin-top: 12px; }
.tu ul { list-style: none !important; margin: 0 !important; padding: 0 !important; }
.tu .tk-row { min-height: 30px; }
.tu-cards { display: flex; flex-wrap: wrap; gap: 4px; min-height: 88px; align-items: flex-start;
  align-content: flex-start; }
.tu-nothing { width: 117px; height: 88px; box-sizing: border-box; border: 1px dashed var(--jp-border-color1, #c4c8ce);
  border-radius: 8px; display: inline-flex; align-items: center; justify-content: center; }
.tu button.tu-card { padding: 4px 4px 6px 5px; border-radius: 8px; font-size: 12px; }
.tu button.tu-card.tk-off { opacity: 1; border-style: solid; background: var(--jp-layout-color1, #fff);
  cursor: inherit; }
.tu button[data-do]:not([disabled]), .tu label.tu-card { border-color: var(--tk-focus);
  box-shadow: inset 0 0 0 1px var(--tk-focus); }
.tu label.tu-card { cursor: pointer; position: relative; align-items: flex-start; gap: 2px; }
.tu label.tu-card input { position: absolute; top: 5px; right: 6px; min-height: 0; margin: 0; }
.tu label.tu-card:has(:checked) { background: var(--jp-layout-color2, #eef0f3); outline: 3px solid var(--tk-focus);
  outline-offset: -1px; }
.tu button[disabled] { cursor: not-allowed; opacity: 0.45; border-style: dashed; background: none; }
.tu .tu-amount { display: block; }
.tu-amount > div { display: flex; align-items: center; gap: 10px; min-height: 34px; white-space: nowrap; }
.tu-amount > div > label { flex: 0 1 400px; min-width: 0; }
.tu-amount > div:last-child > label { flex: 0 0 auto; }
@container (max-width: 460px) { .tu-amount > div { flex-wrap: wrap; white-space: normal; }
  .tu-amount > div:last-child > label { flex: 0 1 auto; } }
.tu-amount input[type="range"] { flex: 1 1 60px; min-width: 60px; max-width: none; }
.tu-amount input:disabled, .tu-amount select:disabled { opacity: 0.45; }
.tu-amount select { width: 100%; min-width: 0; }
.tu-sale ul { min-height: 32px; }
.tu-sale li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; min-height: 32px; }
.tu-price { flex: 1 1 80px; display: flex; gap: 6px; min-width: 0; }
.tu table td { height: 24px; line-height: 1.2; }
.tu .tu-name { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  vertical-align: bottom; }
.tu .tu-named { display: inline-flex; max-width: 100%; white-space: pre; }
.tu .tu-bids table, .tu .tu-goods table { width: 100%; table-layout: fixed; }
.tu-bids th:nth-child(n + 2):nth-child(-n + 6) { width: 44px; }
.tu-bids th:last-child { width: 29%; }
.tu-bids td:last-child { white-space: normal; }
.tu-rule { white-space: nowrap; }
.tu-goods th:first-child { width: 108px; }
.tu-goods th:nth-child(2), .tu-goods th:nth-child(3) { width: 38px; }
.tu-goods td:first-child .tu-mark { margin-right: 6px; }
.tu-goods td:nth-child(n + 4) { padding-right: 0 !important; }
.tu-goods th:nth-child(n + 4) { padding-right: 8px !important; }
@container (max-width: 559px) { .tu-bids :is(th, td):nth-child(4), .tu-goods :is(th, td):nth-child(3) { display: none; }
  .tu .tu-bids :is(th, td) { padding-right: 5px; } .tu .tu-bids th { font-size: 11px; }
  .tu-bids th:first-child { width: 60px; } .tu-bids th:last-child { width: auto; }
  .tu-bids th:nth-child(n + 2):nth-child(-n + 6) { width: 39px; } .tu-account td:nth-child(3) { min-width: 150px; } }
.tu-account th .tu-named { max-width: 60px; }
.tu-most { font-weight: 700; }
.tu-sign { display: inline-block; width: 14px; text-align: center; }
.tu-players li { border-left: 4px solid transparent; padding: 2px 0 2px 10px; margin-bottom: 6px; }
.tu-players li.tu-acts { border-color: var(--tk-focus); }
.tu-line { display: flex; justify-content: space-between; gap: 10px; }
.tu-line > .tu-name { font-weight: 600; }
.tu-line > :last-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
.tu-about { font-size: 12px; color: var(--jp-ui-font-color2, #57606a); min-height: 18px; }
.tu-faceup { display: flex; flex-wrap: wrap; gap: 3px; min-height: 24px; }
.tu-account { margin: 8px 0 0 10px; overflow-x: auto; }
.tu .tu-account table { width: 100%; }
.tu-account td:nth-child(3) { white-space: normal; }
@container (min-width: 560px) { .tu-account td:nth-child(3) { min-width: 220px; } }
.tu-account tr:last-child td { font-weight: 600; border-top: 1px solid var(--jp-border-color1, #c4c8ce) !important; }
"""
)


def picture(
    state: State, player: int | None = None, *, live: bool = False, names: Names = (), hint: str = ""
) -> Markup:
    """Draw a state as a player sees it (None: see everything); `live` adds controls for the player's moves."""
    scene = Scene(state.seen_by(player), player, live, names, hint)
    left = ("" if state.cash else centre(scene) + moves(scene) + hand(scene)) + bids(scene)
    right = goods(scene) + ("" if state.cash else sale(scene)) + players(scene)
    board = fragment(todo(scene), element("div", left, class_="tu-side"), element("div", right, class_="tu-side"))
    return element("div", element("style", Markup(CSS)), element("div", board, class_="tu-board"), class_="tu")


# What is to be done


def todo(scene: Scene) -> Markup:
    """Return the sentence that says who is to do what, and how far the game is; at the end the payments."""
    account_ = account(scene) if scene.state.cash else ""
    return element("div", element("p", sentence(scene), element("span", progress(scene))), account_, class_="tu-todo")


def progress(scene: Scene) -> str:
    """Return the number of the auction, and in a match of the game."""
    state = scene.state
    words = [_("auction {n} of {most}").format(n=state.auction + 1, most=state.parameters.auctions)]
    if state.rules.games > 1:
        words.insert(0, _("game {n} of {most}").format(n=len(state.past) + 1, most=state.rules.games))
    return " · ".join(words)


def sentence(scene: Scene) -> str:
    """Return who is to do what, or who has won."""
    state, step = scene.state, scene.state.step
    if step is Step.OVER:
        return scene.ending(
            _("The market is closed. The winner is {names}."), _("The market is closed. {names} share the victory.")
        )
    sentences = {
        Step.DEAL: _("The cards are dealt."),
        Step.SHOW: _("{actor}: choose a hand card for the auction."),
        Step.WINDOW: _("{actor}: claim a card on sale, or none."),
        Step.CHOOSE: _("{actor}: several claim your card {n}; say who gets it."),
        Step.BID: _("{actor}: bid for the cards."),
        Step.GOOSE: _("{actor}: your bid is tied; use the goose, or leave it."),
        Step.ADD: _("{actor}: the bids are tied; add to yours, 0 or more."),
        Step.COIN: _("A coin says who goes first."),
        Step.OFFER: _("{actor}: put a card up for sale, or none."),
        Step.PAID: _("Game {n} is over: these are its payments."),
    }
    n = len(state.past) + 1
    if step is Step.CHOOSE:
        n = state.claims[0][0]
    elif step is Step.TAKE:
        n = state.queue[0][1]
        sentences[step] = ngettext("{{actor}}: take {n} card.", "{{actor}}: take {n} cards.", n)
        if n < 0:
            sentences[step] = ngettext(
                "{{actor}}: nobody wins this place; name {n} card that is discarded.",
                "{{actor}}: nobody wins this place; name {n} cards that are discarded.",
                -n,
            )
    acting = [scene.viewer] if scene.viewer is not None and scene.viewer in state.actors else state.actors
    actor = "" if CHANCE in state.actors else scene.all_of(acting)
    return sentences[step].format(actor=actor, n=n)


# The auction


def centre(scene: Scene) -> Markup:
    """The cards of this auction, and what each place wins; who is to choose picks them here."""
    state, deck = scene.state, scene.state.deck
    what = wording.awards(state.parameters.format(state.auction))
    cards = [render.card(deck, n) for n in numbers(state.centre)]
    note = html.row(element("span", what, " · ", _("Winners pay all, losers half"), class_="tk-quiet"))
    if scene.live and state.step is Step.TAKE and scene.viewer in state.actors:
        cards, note = _choices(scene)
    shown = fragment(cards) or element("span", _("no card yet"), class_="tu-nothing tk-quiet")
    title = element("h4", _("Cards of the auction"))
    board = fragment(element("div", shown, class_="tu-cards"), note)
    return element("div", title, element("div", board, data_form="yes"), class_="tu-centre")


def _choices(scene: Scene) -> tuple[list[Markup], Markup]:
    """The cards to choose from: one is clicked, several are ticked and then taken."""
    state, deck = scene.state, scene.state.deck
    n = state.queue[0][1]
    verb, word = ("take", _("Take")) if n > 0 else ("discard", _("Discard"))
    there = numbers(state.centre)
    if abs(n) == 1:
        labels = {card: f"{word} {render.label(deck, card)}" for card in there}
        cards = [scene.do(f"{verb} {card}", render.face(deck, card), labels[card], "tu-card") for card in there]
        return cards, html.row(element("span", _("Click the card."), class_="tk-quiet"))
    cards = [
        html.tick(
            "cards", card, render.face(deck, card), key=f"{verb}-{card}", kind="tu-card", label=render.label(deck, card)
        )
        for card in there
    ]
    label = _("{verb} the {n} cards that are ticked").format(verb=word, n=abs(n))
    button = scene.send(f"{verb} {{cards}}", word, f"act-{verb}", label=label, needs=abs(n))
    tick = _("Tick {n} cards.").format(n=abs(n))
    return cards, html.row(button, element("span", tick, class_="tk-quiet"))


def moves(scene: Scene) -> str:
    """Amounts and what else is decided; where it is not live, nothing."""
    if not scene.live or scene.viewer is None:
        return ""
    return element("div", _amount(scene), _others(scene), class_="tu-moves", role="group", aria_label=_("turn"))


def _amount(scene: Scene) -> Markup:
    """An amount of escudos: of a bid, of what is added to it, or of a price."""
    state, viewer = scene.state, scene.viewer
    assert viewer is not None
    verb = {Step.ADD: "add", Step.OFFER: "sell"}.get(state.step, "bid")
    pattern = "sell {card} for {amount} {loan}" if verb == "sell" else f"{verb} {{amount}} {{loan}}"
    content = {"bid": _("Bid"), "add": _("Add"), "sell": _("Put up for sale")}[verb]
    label = {"bid": _("Your bid"), "add": _("Add to your bid"), "sell": _("at")}[verb]
    there = state.actions(viewer)
    actions = there if isinstance(there, Amounts) and there.verbs else None
    key = f"{verb}-{len(state.past)}-{state.auction}-{len(state.sale)}"
    if actions is None:
        reason = with_names(state.why("sell 1 for 1" if verb == "sell" else f"{verb} 1", viewer), scene.names)
        amount = html.amount("amount", label, 0, 0, state.reserve[viewer], key=key, off=True)
        loan = html.tick("loan", "loan", wording.loan_offer(), key=f"{key}-loan", off=True)
        button = html.switched_off(content, f"act-{verb}", f"{content}: {reason}")
        return _form(amount, [loan, button])
    cards = {int(words.split()[1]) for words in actions.verbs} if verb == "sell" else set()
    shown = {card: render.label(state.deck, card) for card in sorted(cards)}
    least, high = actions.least, max(actions.least, actions.most)
    must = actions.most < least  # nothing can be paid without a loan
    amount = html.amount("amount", label, least, least, high, key=key)
    loan = html.tick(
        "loan", "loan", wording.loan_offer(), key=f"{key}-loan", high=actions.loaned, ticked=must,
        off=must or not actions.loaned,
    )  # fmt: skip
    picked = html.pick("card", _("Sell"), shown, key=f"{key}-card") if cards else ""
    return _form([picked, amount], [loan, scene.send(pattern, content, f"act-{verb}")])


def _form(*lines: html.Child) -> Markup:
    return html.form(*(element("div", line) for line in lines), kind="tu-amount")


def _others(scene: Scene) -> Markup:
    """Write the moves without an amount: no claim, no offer; who gets a card that several claim; the goose."""
    state = scene.state
    assert scene.viewer is not None
    keeps = any(owner == scene.viewer for _card, owner, _price in state.sale)
    buttons = [
        scene.do(PASS, _("Claim nothing"), _("claim no card")),
        scene.do(DONE, _("Leave it as it is") if keeps else _("Sell nothing"), _("no new offer")),
    ]
    if state.step in (Step.CHOOSE, Step.GOOSE):
        buttons += [scene.do(action, *_special(scene, action)) for action in state.actions(scene.viewer)]
    elif state.rules.goose != "none":
        buttons.append(scene.do(NO_GOOSE, *_special(scene, NO_GOOSE)))
    return html.row(*buttons)


def _special(scene: Scene, action: Action) -> tuple[str, str]:
    """Return what a button for a choice of buyers, or for the goose, shows and what it is called."""
    words = action.split()
    if words[0] == "sell":
        text = _("Card {n} to {name}").format(n=words[1], name=scene.display_name(int(words[3][1:])))
    elif words[0] == "give":
        text = _("Goose to {name}, take the first place").format(name=scene.display_name(int(words[1][1:])))
    elif action == CLAIM:
        text = _("Take the goose and the last place")
    else:
        text = _("Leave the goose") if action == NO_GOOSE else action
    return text, text


def hand(scene: Scene) -> str:
    """The hand cards that the viewer may see."""
    state = scene.state
    hands = ""
    for player, cards in enumerate(state.hands):
        if cards <= 0 or scene.viewer not in (None, player):
            continue
        title = (
            _("Your hand") if player == scene.viewer else _("Hand of {name}").format(name=scene.display_name(player))
        )
        shown = fragment(_hand_card(scene, card) for card in numbers(cards))
        note = (
            fragment(" ", element("span", _("the card left over is yours in the end"))) if len(state.hands) < 4 else ""
        )
        hands += fragment(element("h4", title, note), element("div", shown, class_="tu-cards"))
    if scene.viewer is not None and not hands and state.actors:
        hands = fragment(element("h4", _("Your hand")), html.quiet(_("no cards")))
    return element("div", hands, class_="tu-hand") if hands else ""


def _hand_card(scene: Scene, card: int) -> str:
    deck = scene.state.deck
    label = _("offer {card} in the auction").format(card=render.label(deck, card))
    return scene.do(f"show {card}", render.face(deck, card), label, "tu-card", still=render.card(deck, card))


def bids(scene: Scene) -> Markup:
    """The bids of the auction, once revealed, with what each pays and why."""
    state = scene.state
    rows = []
    by_player = {one.player: one for one in wording.bids(state)}
    for player in range(state.players):
        cells = [_name(scene, player), *["–"] * 5, ""]
        if one := by_player.get(player):
            cells[1:] = [*one.columns(), _rules(one.why)]
        rows.append(cells)
    title = _("Bids")
    if by_player:
        title = _("Bids of auction {n}").format(n=wording.auction_of_bids(state) + 1)
    head = [_("player"), _("bid"), _("added"), _("total"), _("place"), _("pays"), _("why")]
    return element("div", element("h4", title), html.table(head, rows, numbers=range(1, 6)), class_="tu-bids")


def _name(scene: Scene, player: int) -> Markup:
    """Return a player's name, shortened where there is little room, with the number that tells namesakes apart."""
    name, number = re.fullmatch(r"(.*?)( \(\d+\))?", scene.display_name(player), re.DOTALL).groups("")  # type: ignore[union-attr]
    return element("span", element("span", name, class_="tu-name"), number, class_="tu-named", title=f"{name}{number}")


def _rules(text: str) -> Markup:
    """A text whose rules, such as (TU-12), are not broken at the end of a line."""
    parts = re.split(r"(\(TU-\d+\))", text)
    return fragment(element("span", part, class_="tu-rule") if n % 2 else part for n, part in enumerate(parts))


# The market


def sale(scene: Scene) -> Markup:
    """The cards on sale: whose, the price, and buttons to claim one or to take an own one back."""
    state = scene.state
    rows = fragment(element("li", _offer(scene, *offer)) for offer in state.sale)
    rows = rows or element("li", _("No card is on sale."), class_="tk-quiet")
    return element(
        "div",
        element("h4", _("Cards on sale"), " ", element("span", _("price and owner"))),
        element("ul", rows),
        class_="tu-sale",
    )


def _offer(scene: Scene, card: int, owner: int, price: int) -> Markup:
    cost = ngettext("{n} escudo", "{n} escudos", price)
    parts = [render.small(scene.state.deck, card)]
    about = _("{owner}, {price}").format(owner=scene.display_name(owner), price=cost)
    parts.append(element("span", element("b", price), " ", _name(scene, owner), class_="tu-price", title=about))
    if owner == scene.viewer:
        parts.append(scene.do(f"withdraw {card}", _("Take back"), _("take card {n} off the market").format(n=card)))
    elif scene.viewer is not None:
        label = _("claim card {n} for {price}").format(n=card, price=cost)
        loan = _("{claim}, with a loan").format(claim=label)
        parts.append(scene.do(CLAIMS[card, 0], _("Claim"), label))
        parts.append(scene.do(CLAIMS[card, 1], _("with a loan"), loan))
    return spaced(parts)


def goods(scene: Scene) -> Markup:
    """Units of each good by player, in the order of payment; who has most is marked."""
    state, deck = scene.state, scene.state.deck
    held = [state.goods(player) for player in range(state.players)]
    rows = []
    for good in state.parameters.order:
        units = [have[good] for have in held]
        name = fragment(render.mark(deck, good), deck.goods[good].shown)
        rows.append([name, str(state.parameters.payouts[good]), str(deck.goods[good].total), *_units(units)])
    names = [_name(scene, player) for player in range(state.players)]
    head = [_("good"), _("pays"), _("in all"), *names]
    table = html.table(head, rows, numbers=range(1, 3 + state.players))
    key = _("{most} has most, {ties} shares most").format(most="◆", ties="=")
    return element("div", element("h4", _("Goods"), " ", element("span", key)), table, class_="tu-goods")


def _units(units: list[int]) -> list[Markup]:
    """The units of each player, with a sign for who has most."""
    most = max(units)
    sign, label = ("◆", _("has most")) if units.count(most) == 1 else ("=", _("shares most"))
    leads = element("span", sign, class_="tu-sign", role="img", aria_label=label)
    empty = element("span", class_="tu-sign")
    return [element("span", n, leads, class_="tu-most") if n == most > 0 else fragment(n or "·", empty) for n in units]


def players(scene: Scene) -> Markup:
    """Each player's escudos, loan, tokens and cards face up; who is to act is marked."""
    state = scene.state
    rows = fragment(_player(scene, player) for player in range(state.players))
    gone = numbers(state.gone)
    lost = html.quiet([_("Discarded"), ": ", render.smalls(state.deck, gone)]) if gone else ""
    return element("div", element("h4", _("Players")), element("ul", rows), lost, class_="tu-players")


def _player(scene: Scene, player: int) -> Markup:
    state = scene.state
    cards = render.smalls(state.deck, numbers(state.won[player])) or element(
        "span", _("no cards yet"), class_="tk-quiet"
    )
    return element(
        "li",
        element(
            "div",
            element("span", scene.mark(player), scene.display_name(player), class_="tu-name"),
            element("span", money(scene, player)),
            class_="tu-line",
        ),
        element("div", " · ".join(about(scene, player)), class_="tu-about"),
        element("div", cards, class_="tu-faceup"),
        class_="tu-acts" if player in state.actors else None,
    )


def money(scene: Scene, player: int) -> str:
    """The escudos of a player, as far as the viewer may know them (TU-6); at the end what is left of them."""
    state = scene.state
    if hides_money(scene, player):
        return _("escudos: secret")
    said = ngettext("{n} escudo", "{n} escudos", state.reserve[player])
    if player in state.winners():
        said += f" · {_('wins')}"
    return said


def hides_money(scene: Scene, player: int) -> bool:
    """Return True if the viewer may not know how many escudos a player has (TU-6)."""
    state = scene.state
    return state.rules.money == "secret" and scene.viewer not in (None, player) and not state.cash


def about(scene: Scene, player: int) -> list[str]:
    """Draw what else a player has: hand cards, tokens, coins on cards, a loan, the goose, earlier games."""
    state = scene.state
    hand = state.hands[player]
    n = -hand if hand < 0 else hand.bit_count()
    tokens = state.tokens.count(player)
    said = [_("hand {n}").format(n=n), ngettext("{n} token", "{n} tokens", tokens)]
    if state.loans[player] and not state.cash:
        said.append(_("has a loan"))
    if coins := sum(price for _card, owner, price in state.sale if owner == player):
        said.append(_("{n} on cards for sale").format(n=coins))
    if state.holder == player and state.rules.goose != "none" and state.holder != NOBODY:
        said.append(_("has the goose"))
    if state.past:
        before = [game[player] for game in state.past]
        said.append(_("earlier games {list}, all {sum}").format(
            list=" + ".join(map(str, before)), sum=state.scores()[player]
        ))  # fmt: skip
    return said


# The end


def account(scene: Scene) -> Markup:
    """The payments, good by good, and what each player has after each of them."""
    state, deck = scene.state, scene.state.deck
    payments = state.payments()
    rows = [["", "", _("before the payments"), *map(str, state.cash)]]
    for paid in payments.steps:
        name = spaced(render.mark(deck, paid.good), deck.goods[paid.good].shown)
        rows.append([name, str(paid.payout), _rules(wording.payment(paid, scene.display_name)), *map(str, paid.cash)])
    rows.append(["", "", wording.repayment(payments, scene.display_name), *map(str, payments.final)])
    names = [_name(scene, player) for player in range(state.players)]
    head = [_("good"), _("bank pays"), _("who gets and who pays"), *names]
    table = html.table(head, rows, numbers=[1, *range(3, 3 + state.players)])
    title = _("Payments, good by good")
    return element(  # it scrolls sideways, where there is little room
        "div", element("h4", title), table, class_="tu-account", tabindex=0, role="group", aria_label=title
    )
