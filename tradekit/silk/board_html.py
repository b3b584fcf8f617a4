"""The picture of a state of The Silk Road: pure functions from the state to HTML, a function a part.

It is drawn from the state masked for who looks at it, so nothing hidden can show. Every control is there in every
state, at the same place; what the rules do not allow now is switched off and says why (`table_moves`).
"""

from __future__ import annotations

from html import escape
from typing import Final

from tradekit.game import CHANCE
from tradekit.i18n import _, ngettext
from tradekit.show import html
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


def picture(state: State, player: int | None = None, *, live: bool = False, names: Names = ()) -> str:
    """Draw a state as a player sees it (None: see everything); `live` adds controls for the player's moves."""
    scene = Scene(state.seen_by(player), player, live, names)
    left = market(scene) + talk(scene) + controls_html.hands(scene)
    right = players(scene) + gone(scene)
    board = f'{todo(scene)}<div class="si-side">{left}</div><div class="si-side">{right}</div>'
    return f'<div class="si"><style>{CSS}</style><div class="si-board">{board}</div></div>'


# What is to be done


def todo(scene: Scene) -> str:
    """Return the sentence that says who is to do what, and how far the game is."""
    return f'<div class="si-todo"><p>{sentence(scene)}<span>{progress(scene)}</span></p></div>'


def progress(scene: Scene) -> str:
    """Return how often the pile has run out (SI-50), and at the end the turns still to come (SI-51)."""
    state = scene.state
    if not state.closed:
        words = _("the pile has run out {n} of {most} times")
        return words.format(n=state.ran_out, most=state.parameters.run_outs)
    if not state.actors:
        return _("the pile has run out for the last time")
    still = ", ".join(map(scene.name, state.to_come))
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
    return _("the neutral") if number == NEUTRAL and scene.state.players == 2 else scene.name(number)


# The market


def market(scene: Scene) -> str:
    """The row of piles from front to back, the hordes, and the goods' piles."""
    state = scene.state
    piles = "".join(_pile(scene, place, good) for place, good in enumerate(state.market.row))
    title = (
        f"<h4>{_('Market')} <span>{_('front to back: how many cards are asked for, and what comes then')}</span></h4>"
    )
    row = f'<ol class="si-row">{piles}</ol>' if piles else html.quiet(_("not laid out yet"))
    about = "".join(f"<span>{words}</span>" for words in (hordes(state), pile(state)))
    return f'<div class="si-market">{title}{row}<p class="si-piles">{about}</p></div>'


def _pile(scene: Scene, place: int, good: int) -> str:
    state = scene.state
    shut = good in state.marker[2:]
    blocked = _("only {name}").format(name=seat(scene, state.marker[1])) if shut else ""
    name, next_ = escape(wording.good(good)), then(state, good)
    return (
        f"<li{' class=si-shut' if shut else ''}><span>{render.mark(good)}{name}</span>"
        f'<span class="si-demand">{state.market.piles[good][0]}</span>'
        f'<span class="si-then" title="{next_}">{next_}</span>'
        f'<span class="si-blocked" title="{blocked}">{blocked}</span></li>'
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


def talk(scene: Scene) -> str:
    """Draw the present offers, and those of their cards that the viewer may see (SI-11)."""
    state = scene.state
    lines = [f'<span class="tk-quiet">{_("nobody is talking")}</span>', ""]
    if state.offers:
        lines[0] = _("{turn} offers {partner} {said}.") + _own(state.offers[0].cards)
    if len(state.offers) > 1:
        lines[1] = _("{partner} answers with {said}.") + _own(state.offers[1].cards)
    turn, partner = seat(scene, state.turn), seat(scene, state.partner)
    said = [f"<strong>{escape(wording.offer_text(offer))}</strong>" for offer in state.offers] + ["", ""]
    shown = "".join(
        f"<p>{line.format(turn=turn, partner=partner, said=what)}</p>" for line, what in zip(lines, said, strict=False)
    )
    return f'<div class="si-talk"><h4>{_("Talk")}</h4>{shown}</div>'


def _own(cards: Cards) -> str:
    return f" {render.line(cards)}" if cards else ""


# The players


def players(scene: Scene) -> str:
    """Each player's dinars, cards, safeguards and bribe; who is to act is marked."""
    rows = "".join(_player(scene, player) for player in range(scene.state.players))
    return f'<div class="si-players"><h4>{_("Players")}</h4><ul>{rows}</ul></div>'


def _player(scene: Scene, player: int) -> str:
    state = scene.state
    acts = player in state.actors
    mark = f'<span role="img" aria-label="{_("is to act:")}">▸</span> ' if acts else ""
    about = [held(scene, player)]
    if some := known(scene, player):
        about.append(_("you know of {cards}").format(cards=render.line(some)))
    kept = cards_of(state.safeguards[player])
    about.append(safeguards(state, player) + (f" {render.line(kept)}" if kept else ""))
    if state.marker[1:2] == (player,):
        about.append(bribed(state))
    lines = "".join(f"<span>{words}</span>" for words in about)
    return (
        f'<li{" class=si-acts" if acts else ""}><div class="si-who"><span class="si-name">{mark}{scene.name(player)}'
        f'</span><span>{money(scene, player)}</span></div><div class="si-about">{lines}</div></li>'
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


def gone(scene: Scene) -> str:
    """The discards, and the cards that the viewer knows under the draw pile, or out of the game with it (SI-53)."""
    state = scene.state
    shown = render.line(state.discards) or f'<span class="tk-quiet">{_("no cards")}</span>'
    title = f"<h4>{_('Discards')} <span>{wording.count(state.discards.bit_count())}</span></h4>"
    under = ""
    if seen := cards_of(card for card, _by in state.under if card != HIDDEN):
        cards = "; ".join("?" if card == HIDDEN else escape(wording.card(card)) for card, _by in state.under)
        under = _("Under the draw pile, from the top: {cards}").format(cards=cards)
        if state.closed:
            under = _("Known to be out of the game: {cards}").format(cards=escape(wording.cards(seen)))
        under = html.quiet(under)
    return f'<div class="si-discards">{title}<div class="si-gone">{shown}</div>{under}</div>'
