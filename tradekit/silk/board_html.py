"""The picture of a state of The Silk Road: pure functions from the state to HTML, a function a part.

It is drawn from the state masked for who looks at it, so nothing hidden can show. Every control is there in every
state, at the same place; what the rules do not allow now is switched off and says why (`table_moves`).
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from tradekit.game import CHANCE
from tradekit.i18n import _, ngettext
from tradekit.show import html
from tradekit.show.html import element, fragment
from tradekit.show.names import Names
from tradekit.silk import actions as kinds
from tradekit.silk import controls_html, render, wording
from tradekit.silk.cards import ALL, Cards, cards_of
from tradekit.silk.controls_html import Scene
from tradekit.silk.parameters import HIDDEN, NEUTRAL, OPEN, RAID, RICH_SALE, Step
from tradekit.silk.rules import State

#: The picture carries its style, for it stands in outputs of cells as well as in the table.
CSS: Final = (
    render.CSS
    + controls_html.CSS
    + """
.si { container-type: inline-size; }
.si-board, .si-side { display: flex; flex-direction: column; gap: 14px; min-width: 0; }
@container (min-width: 880px) { .si-board { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
  gap: 14px 32px; align-items: start; } .si-todo { grid-column: 1 / -1; } }
.si-todo p { margin: 0 !important; padding: 6px 10px; border-radius: 6px; font-size: 14px; font-weight: 600;
  background: var(--jp-layout-color2, #eef0f3); display: flex; flex-wrap: wrap; gap: 0 16px;
  justify-content: space-between; }
.si-todo p span { font-weight: 400; font-size: 13px; }
.si h4 { margin: 0 0 4px; font-size: 12px; font-weight: 600; color: var(--jp-ui-font-color2, #57606a); }
.si h4 span { font-weight: 400; }
.si ul, .si ol { list-style: none !important; margin: 0 !important; padding: 0 !important; }
.si-row { display: flex; gap: 4px; }
.si-row li { flex: 1 1 0; min-width: 0; max-width: 136px; box-sizing: border-box; padding: 5px; border-radius: 8px;
  border: 1px solid var(--jp-ui-font-color2, #6b7280); display: flex; flex-direction: column; gap: 2px;
  font-size: 12px; line-height: 16px; }
.si-row li > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.si-row li .si-mark { margin-right: 3px; }
.si-demand { font-size: 26px; line-height: 30px; font-weight: 700; font-variant-numeric: tabular-nums; }
.si-then, .si-place { color: var(--jp-ui-font-color2, #57606a); font-size: 11px; }
.si-blocked { min-height: 16px; font-weight: 600; color: var(--tk-wrong); }
.si-row li.si-shut { border: 2px dashed var(--tk-wrong); padding: 4px; }
@container (max-width: 460px) { .si-row { gap: 3px; } .si-row li { padding: 4px 2px; font-size: 10px; }
  .si-row li.si-shut { padding: 3px 1px; } .si-row li .si-mark { display: block; } .si-then { font-size: 10px; } }
.si-piles { display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 6px 0 0 !important; min-height: 20px; }
.si-talk { min-height: 62px; }
.si-talk p { margin: 0 !important; min-height: 20px; }
.si-players li { border-left: 4px solid transparent; padding: 2px 0 2px 10px; margin-bottom: 6px; }
.si-players li.si-acts { border-color: var(--tk-focus); }
.si-who { display: flex; justify-content: space-between; gap: 10px; }
.si-who > .si-name { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.si-who > :last-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
.si-about { font-size: 12px; color: var(--jp-ui-font-color2, #57606a); min-height: 18px; display: flex; flex-wrap: wrap;
  gap: 2px 12px; }
.si-gone { display: flex; flex-wrap: wrap; gap: 4px 12px; min-height: 24px; font-size: 12px; }
"""
)


def picture(
    state: State, player: int | None = None, *, live: bool = False, names: Names = (), hint: str = ""
) -> Markup:
    """Draw a state as a player sees it (None: see everything); `live` adds controls for the player's moves."""
    scene = Scene(state.seen_by(player), player, live, names, hint)
    left = market(scene) + talk(scene) + controls_html.hands(scene)
    right = players(scene) + gone(scene)
    board = fragment(todo(scene), element("div", left, class_="si-side"), element("div", right, class_="si-side"))
    return element("div", element("style", Markup(CSS)), element("div", board, class_="si-board"), class_="si")


# What is to be done


def todo(scene: Scene) -> Markup:
    """Return the sentence that says who is to do what, and how far the game is."""
    return element("div", element("p", sentence(scene), element("span", progress(scene))), class_="si-todo")


def progress(scene: Scene) -> str:
    """Return how often the pile has run out (SI-50), and at the end the turns still to come (SI-51)."""
    state = scene.state
    if not state.closed:
        words = _("the pile has run out {n} of {most} times")
        return words.format(n=state.ran_out, most=state.parameters.run_outs)
    if not state.actors:
        return _("the pile has run out for the last time")
    still = ", ".join(map(scene.display_name, state.to_come))
    return _("last turns; still to come: {names}").format(names=still or _("nobody"))


def sentence(scene: Scene) -> str:
    """Return who is to do what, or who has won."""
    state, step = scene.state, scene.state.step
    if step is Step.OVER:
        return scene.ending(
            _("The game is over. The winner is {names}."), _("The game is over. {names} share the victory.")
        )
    sentences = {
        Step.MARKET: _("The market is laid out."),
        Step.DEAL: _("The cards are dealt."),
        Step.FIRST: _("The first player is drawn."),
        Step.DRAW: _("{mover} draws a card."),
        Step.TURN: _("{actor}: sell, trade, bribe, ask for an audience, buy or pass."),
        Step.TRADE: _("{actor}: talk with somebody else, or barter with the market."),
        Step.ANSWER: _("{actor}: answer the offer of {turn}, or decline."),
        Step.ACCEPT: _("{actor}: accept the answer of {partner}, or decline."),
        Step.REFILL: _("{mover} draws cards."),
        Step.DROP: _("Cards of the pile are dropped."),
        Step.HORDES: _("The hordes attack. {actor}: discard goods worth {raid}, or all."),
        Step.NEUTRAL: _("{actor}: take a turn of the neutral too, or none."),
    }
    if state.mover != state.turn:
        sentences[Step.TURN] = _("{actor}: sell, barter, bribe, ask for an audience or pass for the neutral.")
    if state.exchanged or state.closed:
        sentences[Step.TRADE] = _("{actor}: talk with somebody else, or end the trading.")
    elif not kinds.partners(state):
        sentences[Step.TRADE] = _("{actor}: barter with the market.")
    acting = (scene.viewer,) if scene.viewer is not None and scene.viewer in state.actors else state.actors
    if step is Step.HORDES and acting == (state.turn,) and state.commits[state.turn] != OPEN:
        sentences[step] = _("The hordes attack. {actor}: choose what the neutral loses.")
    actor = "" if CHANCE in state.actors else scene.all_of(acting)
    return sentences[step].format(
        actor=actor, mover=seat(scene, state.mover), turn=seat(scene, state.turn), partner=seat(scene, state.partner),
        raid=RAID,
    )  # fmt: skip


def seat(scene: Scene, number: int) -> str:
    """Return the name of a seat; the neutral player has one, too."""
    return _("the neutral") if number == NEUTRAL and scene.state.players == 2 else scene.display_name(number)


# The market


def market(scene: Scene) -> Markup:
    """The row of piles from front to back, the hordes, and the goods' piles."""
    state = scene.state
    piles = fragment(_pile(scene, place, good) for place, good in enumerate(state.market.row))
    title = element(
        "h4", _("Market"), " ", element("span", _("front to back: how many cards are asked for, and what comes then"))
    )
    row = element("ol", piles, class_="si-row") if piles else html.quiet(_("not laid out yet"))
    about = fragment(element("span", words) for words in (hordes(state), pile(state)))
    return element("div", title, row, element("p", about, class_="si-piles"), class_="si-market")


def _pile(scene: Scene, place: int, good: int) -> Markup:
    state = scene.state
    shut = good in state.marker[2:]
    blocked = _("only {name}").format(name=seat(scene, state.marker[1])) if shut else ""
    name, next_ = wording.good(good), then(state, good)
    return element(
        "li",
        element("span", render.mark(good), name),
        element("span", state.market.piles[good][0], class_="si-demand"),
        element("span", next_, class_="si-then", title=next_),
        element("span", blocked, class_="si-blocked", title=blocked),
        class_="si-shut" if shut else None,
    )


def then(state: State, good: int) -> str:
    """Return the demand of a pile after the next sale, or a note that its 0 counts as 1 (SI-24)."""
    top, *others = state.market.piles[good]
    if state.market.demands[good] != top:
        return _("counts as 1")
    return f"→ {' '.join(map(str, others))}"


def hordes(state: State) -> str:
    """Draw the hordes' pile, and how near the next attack is (SI-25)."""
    words = ngettext(
        "Hordes {{shown}}: the next sale of {{rich}} dinars or more brings them",
        "Hordes {{shown}}: {n} more sales of {{rich}} dinars or more bring them",
        wording.to_the_attack(state),
    )
    return words.format(shown=state.hordes, rich=RICH_SALE)


def pile(state: State) -> str:
    """Return how many cards are left to draw."""
    return _("Draw pile {n}").format(n=state.pile)


# Talks


def talk(scene: Scene) -> Markup:
    """Draw the present offers, and those of their cards that the viewer may see (SI-11)."""
    state = scene.state
    turn, partner = seat(scene, state.turn), seat(scene, state.partner)
    lines: list[html.Child] = []
    for offer, words in zip(
        state.offers, (_("{turn} offers {partner} {said}."), _("{partner} answers with {said}.")), strict=False
    ):
        said = element("strong", wording.offer_text(offer))
        line = html.filled(words, turn=turn, partner=partner, said=said)
        lines.append([line, " ", render.line(offer.cards)] if offer.cards else line)
    lines = lines or [element("span", _("nobody is talking"), class_="tk-quiet")]
    shown = [element("p", line) for line in (*lines, "", "")[:2]]
    return element("div", element("h4", _("Talk")), shown, class_="si-talk")


# The players


def players(scene: Scene) -> Markup:
    """Each player's dinars, cards, safeguards and bribe; who is to act is marked."""
    rows = fragment(_player(scene, player) for player in range(scene.state.players))
    return element("div", element("h4", _("Players")), element("ul", rows), class_="si-players")


def _player(scene: Scene, player: int) -> Markup:
    state = scene.state
    about: list[html.Child] = [held(scene, player)]
    if some := known(scene, player):
        about.append(html.filled(_("you know of {cards}"), cards=render.line(some)))
    kept = cards_of(state.safeguards[player])
    about.append([safeguards(state, player), " ", render.line(kept)] if kept else safeguards(state, player))
    if state.marker[1:2] == (player,):
        about.append(bribed(state))
    lines = fragment(element("span", words) for words in about)
    return element(
        "li",
        element(
            "div",
            element("span", scene.mark(player), scene.display_name(player), class_="si-name"),
            element("span", money(scene, player)),
            class_="si-who",
        ),
        element("div", lines, class_="si-about"),
        class_="si-acts" if player in state.actors else None,
    )


def money(scene: Scene, player: int) -> str:
    """The dinars of a player, and whether they have won."""
    said = ngettext("{n} dinar", "{n} dinars", scene.state.dinars[player])
    return f"{said} · {_('wins')}" if player in scene.state.winners() else said


def held(scene: Scene, player: int) -> str:
    """Return how many cards a player has in hand."""
    return wording.count(scene.state.hands[player].bit_count())


def known(scene: Scene, player: int) -> Cards:
    """Draw what the viewer knows of another player's hand (SI-14)."""
    return scene.state.hands[player] & ALL if scene.viewer not in (None, player) else 0


def safeguards(state: State, player: int) -> str:
    """Return how many safeguards a player has."""
    return ngettext("{n} safeguard", "{n} safeguards", len(state.safeguards[player]))


def bribed(state: State) -> str:
    """Draw the bribe's marker, and the goods that it blocks (SI-33)."""
    number, _briber, a, b = state.marker
    words = _("has bribed for {a} and {b}; marker {card}")
    return words.format(a=wording.good(a), b=wording.good(b), card=wording.card(number))


# What has gone


def gone(scene: Scene) -> Markup:
    """The discards, and the cards that the viewer knows under the draw pile, or out of the game with it (SI-53)."""
    state = scene.state
    shown = render.line(state.discards) or element("span", _("no cards"), class_="tk-quiet")
    title = element("h4", _("Discards"), " ", element("span", wording.count(state.discards.bit_count())))
    under = ""
    if seen := cards_of(card for card, _by in state.under if card != HIDDEN):
        cards = "; ".join("?" if card == HIDDEN else wording.card(card) for card, _by in state.under)
        under = _("Under the draw pile, from the top: {cards}").format(cards=cards)
        if state.closed:
            under = _("Known to be out of the game: {cards}").format(cards=wording.cards(seen))
        under = html.quiet(under)
    return element("div", title, element("div", shown, class_="si-gone"), under, class_="si-discards")
