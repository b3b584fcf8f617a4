"""Hands, and the controls of a live picture: cards are ticked, and each action says what it would do with them.

Which cards are ticked is known to the page alone; what they lead to is worked out here for every set that matters, so
that a person sees what a sale pays before it is made, or why it cannot be.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from markupsafe import Markup

from tradekit.game import stable_hash
from tradekit.i18n import _
from tradekit.show import html
from tradekit.show.board_context import Scene as AnyScene
from tradekit.show.html import Case, element, fragment, spaced
from tradekit.show.names import with_names
from tradekit.silk import actions as kinds
from tradekit.silk import render, wording
from tradekit.silk.actions import Choices, Kind
from tradekit.silk.cards import CARD_TEXT, GOODS, OF_GOOD, Cards, cards_of, good_of, numbers, text, worth
from tradekit.silk.market import CYCLE, Market
from tradekit.silk.parameters import FEWEST_OFFERED, NEUTRAL, OPEN, RAID, Step
from tradekit.silk.rules import State


class Scene(AnyScene[State]):
    """A state of the Silk Road and who looks at it."""

    def form_key(self, action: str) -> str:
        """Return the key of the button that makes a move with what its form says."""
        return form_key(action)


Places = tuple[int, ...]  #: which cards of a hand, by their place in it

CSS: Final = """
.si-hand { margin-bottom: 8px; }
.si-cards { display: flex; flex-wrap: wrap; gap: 4px; min-height: 54px; }
.si-cards > span { display: inline-flex; gap: 4px; } .si-cards > span:not(:last-child) { margin-right: 8px; }
.si-none { width: 50px; height: 54px; box-sizing: border-box; border: 1px dashed var(--jp-border-color1, #c4c8ce);
  border-radius: 6px; }
.si label.si-card { cursor: pointer; border-color: var(--tk-focus); box-shadow: inset 0 0 0 1px var(--tk-focus); }
.si label.si-card input { position: absolute; top: 5px; right: 4px; min-height: 0; margin: 0; width: 13px; }
.si label.si-card:has(:checked) { background: var(--jp-layout-color2, #eef0f3); outline: 3px solid var(--tk-focus);
  outline-offset: -1px; }
.si [data-ordered] label.si-card::after { content: attr(data-place); position: absolute; left: 5px; bottom: 3px;
  font-size: 11px; color: var(--jp-ui-font-color2, #57606a); }
.tk-still .si label.si-card { display: inline-flex; }
.si .si-moves { display: block; margin: 0; }
.si-acts-on { display: flex; flex-direction: column; gap: 4px; margin-top: 10px; }
.si-acts-on > div { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; min-height: 30px; }
.si-acts-on .tk-row { margin: 0; }
.si-acts-on [data-said] { flex: 1 1 100%; min-width: 0; min-height: 18px; font-size: 12px; line-height: 18px; }
.si-acts-on > .si-short [data-said] { flex: 1 1 160px; display: flex; align-items: center; }
@container (max-width: 460px) { .si-acts-on [data-said] { min-height: 36px; } }
.si-acts-on select { max-width: 100%; min-width: 0; width: 104px; }
.si-acts-on select[data-name="pair"] { width: 210px; } .si-acts-on select[data-name="n"] { width: 52px; }
.si-acts-on label { min-width: 0; }
.si button[data-do]:not([disabled]) { border-color: var(--tk-focus); box-shadow: inset 0 0 0 1px var(--tk-focus); }
.si button[disabled], .si select[disabled] { cursor: not-allowed; opacity: 0.45; border-style: dashed;
  background: none; }
"""


# Hands


def shown_hands(scene: Scene) -> list[tuple[str, int]]:
    """The hands that are shown whole, by seat, each with its heading: one's own, the neutral's; all if that may be."""
    found = []
    for seat in range(len(scene.state.hands)):
        if seat >= scene.state.players:
            found.append((_("Hand of the neutral"), seat))
        elif seat == scene.viewer:
            found.append((_("Your hand"), seat))
        elif scene.viewer is None:
            found.append((_("Hand of {name}").format(name=scene.display_name(seat)), seat))
    return found


def hands(scene: Scene) -> Markup:
    """The hands that the viewer may see; where it is live, with what can be done with them."""
    ticks = seat_to_move(scene)
    shown = fragment(
        element("div", element("h4", title), _hand(scene, seat, ticks=seat == ticks), class_="si-hand")
        for title, seat in shown_hands(scene)
    )
    if not scene.live or scene.viewer is None or not scene.state.actors:
        return shown
    rows = [row(scene) for row in (_sale, _barter, _talk, _bribe, _audience, _others)]
    actions = element("div", rows, class_="si-acts-on", role="group", aria_label=_("turn"))
    ordered = _open(scene, kinds.NEUTRAL_PASS)
    return html.form(shown, actions, kind="si-moves", ordered=ordered)


def seat_to_move(scene: Scene) -> int | None:
    """Whose cards the viewer may tick now: the own ones, or those of the neutral."""
    state, viewer = scene.state, scene.viewer
    if not scene.live or viewer is None or viewer not in state.actors:
        return None
    if state.step in (Step.ACCEPT, Step.NEUTRAL):
        return None  # what is said there needs no cards
    if state.step is Step.HORDES:
        return viewer if state.commits[viewer] == OPEN else NEUTRAL
    return state.mover if viewer == state.turn else viewer


def _hand(scene: Scene, seat: int, ticks: bool) -> Markup:
    cards = scene.state.hands[seat]
    moment = f"{stable_hash(str(scene.state)):x}"  # what was ticked before something happened is ticked no more

    def one(number: int) -> Markup:
        if not ticks:
            return render.card(number)
        key = f"{CARD_TEXT[number]} {moment}"
        name = wording.card(number)
        return html.tick("cards", CARD_TEXT[number], render.face(number), key=key, kind="si-card", label=name)

    groups = (fragment(map(one, numbers(cards & own))) for own in OF_GOOD if cards & own)
    shown = fragment(element("span", group) for group in groups) or element("span", class_="si-none")
    return element("div", shown, class_="si-cards")


# What may be done now


def _open(scene: Scene, kind: Kind) -> bool:
    """Return True if the viewer can take an action of that kind now."""
    assert scene.viewer is not None
    actions = scene.state.actions(scene.viewer)
    return isinstance(actions, Choices) and kind in actions.kinds


def _mine(scene: Scene) -> Cards:
    """The cards that the viewer may tick."""
    seat = seat_to_move(scene)
    return 0 if seat is None else scene.state.hands[seat]


def _why(scene: Scene, action: str) -> str:
    """Return the reason why an action is not legal now; an empty text if it is."""
    return with_names(scene.state.why(action, scene.viewer), scene.names)


def _case(scene: Scene, some: Cards, action: str, said: str) -> Case:
    """Cards that an action may be made with, and what is said of it; or why it may not."""
    why = _why(scene, action)
    return Case(None, why) if why else Case(text(some), said)


def _off(scene: Scene, text: str, key: str, action: str) -> Markup:
    """A button that is switched off, as that action is not legal; `text` is plain."""
    return html.switched_off(text, f"act-{key}", f"{text}: {_why(scene, action)}")


def form_key(action: str) -> str:
    """The key of the button that does an action.

    >>> form_key("sell silk 4 9"), form_key("offer p2 tea 1 2 as tea"), form_key("buy 2")
    ('act-cards', 'act-offer-2', 'act-buy')
    """
    verb, *words = action.split()
    if verb in ("sell", "discard"):
        return "act-cards"
    if verb == "offer":
        return f"act-offer-{words[0].removeprefix('p')}"
    paid = "-safeguards" if words[-1:] in (["safeguard"], ["safeguards"]) else ""
    return f"act-{verb}{paid}"


def _row(*controls: str, kind: str = "") -> Markup:
    """Controls, with room for what would be said of them."""
    return element("div", spaced(controls), " ", element("span", data_said=True), class_=kind)


def _sets(cards: Cards, least: int = 1) -> Iterator[tuple[Places, Cards]]:
    """All sets of so many cards of a hand or more, with the places of their cards in it."""
    held = numbers(cards)
    for n in range(least, len(held) + 1):
        for places in combinations(range(len(held)), n):
            yield places, cards_of(held[place] for place in places)


def _of_one_good(cards: Cards) -> Iterator[tuple[Places, Cards]]:
    """The same for sets of one good."""
    return (pair for pair in _sets(cards) if any(not pair[1] & ~own for own in OF_GOOD))


# Sales, and what the hordes take


def _sale(scene: Scene) -> Markup:
    """Sell the cards that are ticked; when the hordes attack, discard them instead."""
    if scene.state.step is Step.HORDES:
        return _discard(scene)
    if not _open(scene, kinds.SELL):
        return _row(_off(scene, _("Sell"), "cards", "sell silk 1"), kind="si-short")
    none = Case(None, _("tick cards of one good, as many as it is asked for (SI-20)"))
    others = Case(None, _("a sale is of one good (SI-20)"))
    return html.by_ticks(sales(scene), none, others, scene.send("sell {case}", _("Sell"), "act-cards"), kind="si-short")


def sales(scene: Scene) -> dict[Places, Case]:
    """For every set of cards of one good: what its sale would bring, or why it cannot be sold (SI-20, SI-21)."""
    state, cases = scene.state, {}
    for places, some in _of_one_good(_mine(scene)):
        why = _why(scene, f"sell {text(some)}")
        cases[places] = Case(None, why) if why else Case(text(some), wording.sale(state, some))
    return cases


def _discard(scene: Scene) -> Markup:
    """Write the controls for the cards that the hordes take (SI-25)."""
    seat = seat_to_move(scene)
    if seat is None:
        return _row(_off(scene, _("Discard"), "cards", "discard silk 1"), kind="si-short")
    verb = "discard" if seat == scene.viewer else "discard neutral"
    about = _("{cards}: worth {n}")
    cases = {
        places: _case(scene, some, f"{verb} {text(some)}", about.format(cards=wording.cards(some), n=worth(some)))
        for places, some in _sets(_mine(scene))
    }
    none = Case(None, _("tick cards worth {raid} or more, none too many, or all (SI-25)").format(raid=RAID))
    return html.by_ticks(cases, none, none, scene.send(f"{verb} {{case}}", _("Discard"), "act-cards"), kind="si-short")


# Trade


def _barter(scene: Scene) -> Markup:
    """One card under the pile, and one drawn (SI-12)."""
    content = _("Barter with the market")
    if not _open(scene, kinds.BARTER):
        return _row(_off(scene, content, "barter", "barter silk 1"), kind="si-short")
    about = _("{card} goes under the draw pile, and a card is drawn")
    cases: dict[Places, Case] = {
        (place,): _case(scene, 1 << number, f"barter {CARD_TEXT[number]}", about.format(card=wording.card(number)))
        for place, number in enumerate(numbers(_mine(scene)))
    }
    none = Case(None, _("tick one card (SI-12)"))
    return html.by_ticks(cases, none, none, scene.send("barter {case}", content, "act-barter"), kind="si-short")


def _talk(scene: Scene) -> Markup:
    """Offer the cards that are ticked to somebody, or answer an offer with them; one good of them is named (SI-11)."""
    state, answers = scene.state, _open(scene, kinds.ANSWER)
    partners = kinds.partners(state) if _open(scene, kinds.OFFER) else []
    talks = answers or bool(partners)
    held = _mine(scene) if talks else 0
    goods = {GOODS[good]: wording.good(good) for good, own in enumerate(OF_GOOD) if held & own}
    controls = [html.pick("good", _("Naming"), {"": "–"} | goods, key="good", off=not talks, by_ticks=True)]
    for other in range(state.players):
        if other != scene.viewer:
            controls.append(_partner(scene, other, other in partners))
    controls.append(
        scene.send("answer {case} as {good}", _("Answer"), "act-answer")
        if answers
        else _off(scene, _("Answer"), "answer", "answer silk 1 2 as silk")
    )
    if not talks:
        return _row(*controls)
    least, most = kinds.answer_sizes(state) if answers else (FEWEST_OFFERED, held.bit_count())
    none = Case(None, _("tick {least} to {most} cards (SI-11)").format(least=least, most=most))
    cases = {
        places: Case(text(some), _aloud(some), tuple(name for good, name in enumerate(GOODS) if some & OF_GOOD[good]))
        for places, some in _sets(held, least)
        if len(places) <= most
    }
    return html.by_ticks(cases, none, none, *controls)


def _aloud(some: Cards) -> str:
    """Return what will be said of these cards."""
    return _("said aloud: {cards}, {total} in all, and the good named").format(
        cards=wording.count(some.bit_count()), total=worth(some)
    )


def _partner(scene: Scene, partner: int, open_: bool) -> Markup:
    """The button that makes the offer to a player."""
    content = _("Offer to {name}").format(name=scene.display_name(partner))
    if open_:
        return scene.send(f"offer p{partner} {{case}} as {{good}}", content, f"act-offer-{partner}")
    own = numbers(_mine(scene))[:2] or [0, 1]
    example = f"offer p{partner} {text(cards_of(own))} as {GOODS[good_of(own[0])]}"
    return _off(scene, content, f"offer-{partner}", example)


# Bribes and audiences


def _bribe(scene: Scene) -> Markup:
    """Two neighbours are turned, for cards or a safeguard (SI-30, SI-31)."""
    state = scene.state
    open_ = _open(scene, kinds.BRIBE)
    pairs = kinds.open_pairs(state) if open_ else []
    ways = bribes(state.market, pairs)
    field = html.pick("pair", _("Bribe"), ways or {"": "–"}, key="pair", off=not ways)
    a, b = (pairs or state.market.neighbours() or [(0, 1)])[0]
    cost = _("tick cards of one good worth {cost} or more, none too many (SI-30)").format(cost=state.rules.bribe)
    example = f"bribe {GOODS[a]} up {GOODS[b]} down"
    return _paid(scene, open_, field, "bribe", "bribe {pair}", example, "safeguard", cost)


def bribes(market: Market, pairs: list[tuple[int, int]]) -> dict[str, str]:
    """The ways to turn two neighbours, by the words for them, with what their piles show then (SI-31)."""
    found = {}
    for pair in pairs:
        for up, down in (pair, pair[::-1]):
            after = market.bribe(up, down)
            found[f"{GOODS[up]} up {GOODS[down]} down"] = ", ".join(
                f"{wording.good(good)} {market.piles[good][0]} → {after.piles[good][0]}" for good in (up, down)
            )
    return found


def _audience(scene: Scene) -> Markup:
    """A pile in any order, for cards or two safeguards (SI-35)."""
    state = scene.state
    open_ = _open(scene, kinds.AUDIENCE)
    piles = {GOODS[good]: wording.good(good) for good in state.market.row if open_}
    orders = {kinds.ORDER_TEXT[order]: kinds.ORDER_TEXT[order] for order in state.market.orders() if open_}
    field = html.pick("pile", _("Audience"), piles or {"": "–"}, key="pile", off=not open_)
    field = spaced(field, html.pick("order", _("as"), orders or {"": "–"}, key="order", off=not open_))
    cost = _("tick cards of one good worth {cost} or more, none too many (SI-35)").format(cost=state.rules.audience)
    example = f"audience silk {kinds.ORDER_TEXT[CYCLE]}"
    return _paid(scene, open_, field, "audience", "audience {pile} {order}", example, "safeguards", cost)


def _paid(
    scene: Scene, open_: bool, field: str, key: str, pattern: str, example: str, safeguards: str, cost: str
) -> Markup:
    """An action that cards of one good pay for, or safeguards; `pattern` and `example` say it but for the payment."""
    one = safeguards == "safeguard"
    contents = _("Pay with cards"), _("With a safeguard") if one else _("With two safeguards")
    other = f"{example} with {safeguards}"
    second = (
        _off(scene, contents[1], f"{key}-safeguards", other)
        if _why(scene, other)
        else scene.send(f"{pattern} with {safeguards}", contents[1], f"act-{key}-safeguards")
    )
    if not open_:
        return _row(field, _off(scene, contents[0], key, other), second)
    about = _("pays {cards}, worth {n}")
    cases = {
        places: _case(
            scene, some, f"{example} with {text(some)}", about.format(cards=wording.cards(some), n=worth(some))
        )
        for places, some in _of_one_good(_mine(scene))
    }
    return html.by_ticks(
        cases,
        Case(None, cost),
        Case(None, cost),
        field,
        scene.send(f"{pattern} with {{case}}", contents[0], f"act-{key}"),
        second,
    )


# The rest


def _others(scene: Scene) -> Markup:
    """Write the controls that need no cards: the end of an offer or of trading, a neutral turn, a purchase, a pass."""
    state = scene.state
    done = _("No neutral turn") if state.step is Step.NEUTRAL else _("End the trading")
    buttons = [scene.do("accept", _("Accept"), ""), scene.do("decline", _("Decline"), ""), scene.do("done", done, "")]
    if state.players == 2:
        buttons.append(scene.do("neutral", _("Neutral turn"), _("draw and act for the neutral")))
    return fragment(element("div", spaced(buttons)), element("div", _buy(scene), " ", _pass(scene)))


def _buy(scene: Scene) -> Markup:
    """Safeguards for cards (SI-40)."""
    most = kinds.most_bought(scene.state) if _open(scene, kinds.BUY) else 0
    choice = [str(n) for n in range(1, most + 1)] or ["–"]
    field = html.pick("n", _("Safeguards"), dict(zip(choice, choice, strict=True)), key="buy", off=not most)
    if not most:
        return spaced(field, _off(scene, _("Buy"), "buy", "buy 1"))
    return spaced(field, scene.send("buy {n}", _("Buy"), "act-buy"))


def _pass(scene: Scene) -> Markup:
    """The pass, and that of the neutral, which puts its cards under the pile in the order ticked (SI-41, SI-61)."""
    content = _("Pass")
    held = _mine(scene)
    if not held or not _open(scene, kinds.NEUTRAL_PASS):
        return scene.do("pass", content, _("pass"))
    label = _("pass: all its cards under the pile, in the order ticked")
    button = scene.send("pass {cards}", content, "act-pass", needs=held.bit_count(), label=label)
    as_they_lie = scene.do(f"pass {text(held)}", _("Pass, as they lie"), "")
    return spaced(button, as_they_lie)
