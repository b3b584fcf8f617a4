"""The picture of a state of Bazar: pure functions from the state to HTML, a function a part.

Every control is there in every state, at the same place; what the rules do not allow now is switched off and says why.
So nothing jumps, and the same picture without controls is how a state shows itself in a notebook.
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from tradekit.bazar import hidden, render
from tradekit.bazar.parameters import COVERED, Step
from tradekit.bazar.rules import State
from tradekit.bazar.stones import COLOURS, LIMIT, WARE_SIZE, Equation, Stones
from tradekit.game import CHANCE
from tradekit.i18n import _, ngettext
from tradekit.show.board_context import Scene as AnyScene
from tradekit.show.html import element, fragment, spaced
from tradekit.show.names import Names

#: The picture carries its style, for it stands in outputs of cells as well as in the table.
CSS: Final = """
.bz { container-type: inline-size; }
.bz-board { display: grid; gap: 12px 32px;
  grid-template: "todo" "moves" "players" "exchange" "stalls" / minmax(0, 1fr); }
@container (min-width: 660px) { .bz-board { grid-template: "todo todo" auto "exchange moves" auto "exchange stalls" auto
  "exchange players" 1fr / 290px minmax(0, 1fr); } }
@container (min-width: 1060px) { .bz-board { grid-template: "todo todo todo" auto "exchange moves players" auto
  "exchange stalls players" 1fr / 290px minmax(0, 420px) minmax(0, 1fr); } }
.bz-todo { grid-area: todo; }
.bz-todo p { margin: 0 !important; padding: 6px 10px; border-radius: 6px; font-size: 14px; font-weight: 600;
  background: var(--jp-layout-color2, #eef0f3); }
.bz-exchange { grid-area: exchange; max-width: 300px; } .bz-moves { grid-area: moves; }
.bz-stalls { grid-area: stalls; } .bz-players { grid-area: players; min-width: 0; max-width: 420px; }
.bz h4 { margin: 0 0 2px; font-size: 12px; font-weight: 600; color: var(--jp-ui-font-color2, #57606a); }
.bz ul { list-style: none !important; margin: 0 !important; padding: 0 !important; }
.bz-exchange li { display: grid; grid-template-columns: minmax(0, 1fr) 84px minmax(0, 1fr); align-items: center;
  height: 34px; }
.bz-exchange li > :first-child { justify-self: end; }
.bz-exchange .tk-stones { flex-wrap: nowrap; }
.bz-ways { display: flex; justify-content: center; gap: 4px; }
.bz-ways button { padding: 0 9px; font-weight: 600; }
.bz-row { display: flex; flex-wrap: wrap; gap: 8px; min-height: 34px; margin-bottom: 8px; }
.bz-row button { display: inline-flex; align-items: center; gap: 6px; padding: 3px 12px; }
.bz button[data-do] { border-color: var(--tk-focus); box-shadow: inset 0 0 0 1px var(--tk-focus); }
.bz button.tk-bare { box-shadow: none; }
.bz button.tk-bare[data-do] .tk-stone { box-shadow: 0 0 0 3px var(--tk-focus); }
.bz-bank { display: flex; gap: 4px 14px; flex-wrap: wrap; min-height: 34px; align-items: center; }
.bz-bank li { display: flex; align-items: center; gap: 6px; font-variant-numeric: tabular-nums; }
.bz-stalls td { height: 34px; line-height: 1.2; }
.bz-stalls td:first-child { min-width: 156px; }
.bz-stalls td:nth-child(3) { min-width: 112px; }
@container (max-width: 420px) { .bz-stalls th { white-space: normal !important; }
  .bz-stalls button { padding: 3px 4px; } .bz-stalls .tk-stones { gap: 0; }
  .bz-stalls td:first-child { min-width: 141px; }
  .bz-stalls td:nth-child(3) { min-width: 64px; white-space: normal !important; } }
.bz-final { margin: 8px 0 0 10px; }
.bz-players > ul > li { border-left: 4px solid transparent; padding: 2px 0 2px 10px; margin-bottom: 6px; }
.bz-players > ul > li.bz-acts { border-color: var(--tk-focus); }
.bz-line { display: flex; justify-content: space-between; gap: 10px; }
.bz-name { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bz-points { white-space: nowrap; font-variant-numeric: tabular-nums; }
.bz-held { display: flex; flex-wrap: wrap; align-items: center; gap: 3px 8px; min-height: 28px; }
.bz-bought { min-height: 20px; font-size: 12px; color: var(--jp-ui-font-color2, #57606a);
  font-variant-numeric: tabular-nums; }
.bz-bought li { display: inline-block; margin-right: 12px; white-space: nowrap; }
.bz-hidden { background: var(--jp-layout-color2, #eef0f3); }
"""

_DIE: Final = element(
    "svg",
    element("rect", x=1, y=1, width=16, height=16, rx=4, fill="none", stroke="currentColor", stroke_width=1.5),
    [element("circle", cx=x, cy=x, r=1.6, fill="currentColor") for x in (5, 9, 13)],
    width=18, height=18, viewBox="0 0 18 18", aria_hidden="true",
)  # fmt: skip


class Scene(AnyScene[State]):
    """A state of Bazar and who looks at it."""

    @property
    def own(self) -> int:
        """Whose stones the stalls are held against: the viewer's, or of who acts."""
        return max(self.state.turn, 0) if self.viewer is None else self.viewer


def picture(
    state: State, player: int | None = None, *, live: bool = False, names: Names = (), hint: str = ""
) -> Markup:
    """Draw a state as a player sees it (None: see everything); `live` adds buttons for the player's moves."""
    scene = Scene(state.seen_by(player), player, live, names, hint)
    parts = [todo(scene), moves(scene), players(scene), exchange(scene), stalls(scene)]
    return element("div", element("style", Markup(CSS)), element("div", parts, class_="bz-board"), class_="bz")


def todo(scene: Scene) -> Markup:
    """Return the sentence that says who is to do what."""
    state = scene.state
    final = "" if state.actors or state.parameters.solitaire else _final(scene)
    return element("div", element("p", sentence(scene)), final, class_="bz-todo")


def sentence(scene: Scene) -> str:
    """Return who is to do what, or who has won."""
    state, step = scene.state, scene.state.step
    if step == Step.OVER:
        return _ending(scene)
    sentences = {
        Step.CARDS: _("Two exchange cards are drawn."),
        Step.WARE: _("A ware is turned up."),
        Step.FIRST: _("The first player is drawn."),
        Step.DIE: _("{turn} rolls the die."),
        Step.TURN: _("{actor}: roll the die, or make one trade."),
        Step.CHOICE: _("{actor}: the die shows Choice; take a stone of any colour from the bank."),
        Step.BUY: _("{actor}: buy a ware, or go without."),
        Step.MUST: _("{actor}: the trade has passed ten stones; choose the ware to buy."),
        Step.RETURN: _("{actor}: {turn} holds {n} stones; choose the one that goes back."),
    }
    if state.first:  # BZ-20
        sentences[Step.BUY] = _("{actor}: buy a second ware, or go without.")
    n = len(state.holdings[state.turn]) if state.turn != CHANCE else 0
    return sentences[step].format(actor=scene.display_name(state.actors[0]), turn=scene.display_name(state.turn), n=n)


def _ending(scene: Scene) -> str:
    state = scene.state
    if state.parameters.solitaire:
        turns = -state.scores()[0]
        if state.empty_stalls:
            return ngettext("All wares are bought, in {n} turn.", "All wares are bought, in {n} turns.", turns)
        return ngettext(  # BZ-19
            "The bazaar is closed after {n} turn; not all wares are bought.",
            "The bazaar is closed after {n} turns; not all wares are bought.",
            turns,
        )
    return scene.ending(
        _("The bazaar is closed. The winner is {names}."), _("The bazaar is closed. {names} share the victory.")
    )


def _final(scene: Scene) -> Markup:
    """The final table, winners first, by the order of BZ-18."""
    state, winners, scores = scene.state, scene.state.winners(), scene.state.scores()
    ranked = sorted(range(state.players), key=lambda player: (-scores[player], len(state.bought[player])))
    rows = [
        [
            scene.display_name(player),
            str(scores[player]),
            str(len(state.bought[player])),
            _("wins") if player in winners else "",
        ]
        for player in ranked
    ]
    head = [_("player"), _("points"), _("wares bought"), ""]
    return element("div", render.table(head, rows, numbers=[1, 2]), class_="bz-final")


def moves(scene: Scene) -> Markup:
    """The die, the end of a turn, and the bank with the stones that Choice takes."""
    state, stock = scene.state, scene.state.stock
    roll = scene.do("roll", spaced(_DIE, _("Roll")), _("roll the die"))
    done = scene.do("done", _("Buy nothing"), _("buy nothing and end the turn"))
    buttons = element("div", roll, done, class_="bz-row", role="group", aria_label=_("turn")) if scene.live else ""
    stones = ""
    for colour, number in zip(COLOURS, stock_shown(scene), strict=True):
        stone, label = render.stones(colour), _("take {colour}").format(colour=colour)
        shown = scene.do(f"take {colour}", stone, label, "tk-bare") if state.step == Step.CHOICE else stone
        stones += element("li", shown, " ", number)
    if hides_bank(scene):
        all_ = ngettext("{n} stone", "{n} stones", len(stock)).format(n=len(stock))
        stones += element("li", all_, class_="tk-quiet")
    return element("div", buttons, element("h4", _("Bank")), element("ul", stones, class_="bz-bank"), class_="bz-moves")


def exchange(scene: Scene) -> Markup:
    """The equations, with a button for each direction."""
    rows = fragment(
        element("li", render.stones(e.left), element("span", _ways(scene, e), class_="bz-ways"), render.stones(e.right))
        for e in scene.state.equations
    )
    return element("div", element("h4", _("Exchange")), element("ul", rows), class_="bz-exchange")


def _ways(scene: Scene, equation: Equation) -> Markup:
    ways = ((equation, "→"), (equation.reversed, "←"))
    return fragment(
        scene.do(str(way), arrow, _("give {give}, take {take}").format(give=way.left, take=way.right))
        for way, arrow in ways
    ) or element('span', '=', class_='tk-sign')  # fmt: skip


def stalls(scene: Scene) -> Markup:
    """The wares on display: how many lie below, what buying one scores, and a button to do it."""
    state = scene.state
    rows = []
    for stall, (number, ware, under) in enumerate(zip(state.stalls, state.wares, state.under, strict=True)):
        if ware is None:
            shown, now = (_("to be turned up"), "") if number == COVERED else (_("empty"), "")
        else:
            shown, now = render.ware(ware), _now(scene, stall)
        label = _("buy {ware}").format(ware=ware or _("from stall {n}").format(n=stall + 1))
        rows.append([shown, str(under), now])
        if scene.live:
            rows[-1].append(scene.do(f"buy {stall + 1}", _("Buy"), label))
    head = [_("ware"), _("below"), _("bought now"), *([_("buy")] if scene.live else [])]
    return element("div", element("h4", _("Stalls")), render.table(head, rows, numbers=[1]), class_="bz-stalls")


def _now(scene: Scene, stall: int) -> str:
    """Return the points of a stall's ware with the hand now, or how many stones are missing or too many for it."""
    state, ware, have = scene.state, scene.state.wares[stall], scene.state.holdings[scene.own]
    assert ware is not None
    if scene.viewer is None and state.rules.hidden:
        return ""
    if not ware.stones <= have:
        missing = [max(want - held, 0) for want, held in zip(ware.stones.counts, have.counts, strict=True)]
        return _("{stones} missing").format(stones=Stones.of(missing))
    points = state.points(stall, scene.own)
    if points is None:  # BZ-23, BZ-30
        too_many = len(have) - WARE_SIZE - state.parameters.most_left
        return ngettext("{n} stone too many", "{n} stones too many", too_many)
    if state.parameters.solitaire:
        return _("nothing left")
    return ngettext("{n} point", "{n} points", points)


def players(scene: Scene) -> Markup:
    """Each player's points, stones and wares; who is to act is marked."""
    state = scene.state
    rows = fragment(_player(scene, player) for player in range(state.players))
    title = _("Player") if state.parameters.solitaire else _("Players")
    return element("div", element("h4", title), element("ul", rows), class_="bz-players")


def _player(scene: Scene, player: int) -> Markup:
    state = scene.state
    gained = points(scene, player)
    if player in state.winners() and not state.parameters.solitaire:
        gained += fragment(" · ", element("strong", _("wins")))
    wares = [f"{state.parameters.deck.wares[number]} {score:+}" for number, score in state.bought[player]]
    bought = fragment(element("li", ware) for ware in wares or [_("no wares yet")])
    return element(
        "li",
        element(
            "div",
            element("span", scene.mark(player), scene.display_name(player), class_="bz-name"),
            element("span", gained, class_="bz-points"),
            class_="bz-line",
        ),
        element("div", _held(scene, player), class_="bz-held"),
        element("ul", bought, class_="bz-bought", aria_label=_("wares bought")),
        class_="bz-acts" if player in state.actors else None,
    )


def points(scene: Scene, player: int) -> str:
    """Return a player's gain: points, or in the solitaire the number of turns."""
    score = scene.state.scores()[player]
    if scene.state.parameters.solitaire:
        return ngettext("{n} turn", "{n} turns", -score)
    return ngettext("{n} point", "{n} points", score)


def hides(scene: Scene, player: int) -> bool:
    """Return True if only the number of a player's stones can be seen (BZ-22)."""
    return hidden.hides(scene.state, scene.viewer, player)


def hides_bank(scene: Scene) -> bool:
    """Return True if only the number of the bank's stones can be seen: colours would reveal hidden hands (BZ-22)."""
    return any(hides(scene, player) for player in range(scene.state.players))


def stock_shown(scene: Scene) -> list[str]:
    """Return the bank's stones by colour, as far as they can be seen."""
    return ["" if hides_bank(scene) else str(number) for number in scene.state.stock.counts]


def _held(scene: Scene, player: int) -> Markup:
    """The stones of a player; of others only the number where holdings are hidden."""
    state, have = scene.state, scene.state.holdings[player]
    if hides(scene, player):
        stones = element("span", class_="tk-stone bz-hidden", aria_hidden="true") * len(have)
        return fragment(
            element("span", stones, class_="tk-stones"), " ", ngettext("{n} stone", "{n} stones", len(have))
        )
    stones = render.stones(have)
    if state.step == Step.RETURN and player == state.turn and scene.live:
        stones = fragment(
            scene.do(
                f"return {colour}", render.stones(colour), _("give back {colour}").format(colour=colour), "tk-bare"
            )
            for colour in have
        )
        stones = element("span", stones, class_="tk-stones")
    number = _("{n} of {most}").format(n=len(have), most=LIMIT) if have else ""
    return fragment(stones, " ", element("span", number, class_="tk-quiet"))
