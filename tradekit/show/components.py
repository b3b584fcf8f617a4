"""Components for every table and tool: small functions that return markup.

They are styled in `components.css`, in the same folder, with the tokens of `theme`. The caller gives the words,
translated; a component adds none. Names of players, and whatever else people type, come as plain text and are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from markupsafe import Markup

from tradekit.show import icons
from tradekit.show.html import element
from tradekit.show.icons import icon
from tradekit.show.sheets import Sheet

SEATS: Final = 6  #: colours of seats

Kind = Literal["", "go", "plain", "big", "go big"]  #: of a button: at most one on a page is "go", the main thing to do


@cache
def sheet() -> Sheet:
    """Return the style sheet of the components and of the icons of `show.icons`."""
    return Sheet.read("tradekit.show", "components.css") + icons.sheet(icons.ICONS)


def page(*parts: str, kind: str = "") -> Markup:
    """Return a page without its style sheet: the frame, in which `kind` is the table, such as "tk-turin".

    >>> print(page("a table", kind="tk-turin"))
    <div class="tk tk-page"><div class="tk-turin">a table</div></div>
    """
    return element("div", element("div", parts, class_=kind or None), class_="tk tk-page")


# Marks


def seat(number: int, name: str) -> Markup:
    """Return the badge of a seat: a disc with the first letter of the player's name. Show the name next to it.

    >>> print(seat(1, "teo"))
    <span class="tk-seat tk-p2" aria-hidden="true">T</span>
    """
    return element("span", name.strip()[:1].upper(), class_=f"tk-seat tk-p{number % SEATS + 1}", aria_hidden="true")


def chip(*content: str) -> Markup:
    """Return a fact.

    >>> print(chip(icon("clock"), "4 sales away"))
    <span class="tk-chip"><i class="tk-ic tk-ic-clock" aria-hidden="true"></i>4 sales away</span>
    """
    return element("span", *content, class_="tk-chip")


def badge(text: str, kind: Literal["hint", "fresh", "act"] = "hint") -> Markup:
    """Return a mark on something: advised, just happened, or possible.

    >>> print(badge("Hint"))
    <span class="tk-badge">Hint</span>
    """
    return element("span", text, class_="tk-badge" if kind == "hint" else f"tk-badge tk-badge-{kind}")


def unseen(text: str) -> Markup:
    """Return words for a screen reader alone.

    >>> print(unseen("has the most"))
    <span class="tk-sr">has the most</span>
    """
    return element("span", text, class_="tk-sr")


def awning() -> Markup:
    """Return the awning of a stall.

    >>> print(awning())
    <div class="tk-awning" aria-hidden="true"></div>
    """
    return element("div", class_="tk-awning", aria_hidden="true")


# Controls


def button(
    do: str,
    value: object,
    *content: str,
    kind: Kind = "",
    label: str = "",
    why: str = "",
    pressed: bool | None = None,
    key: str = "",
    class_: str = "",
) -> Markup:
    """Return a button that sends {do, value}.

    Parameters
    ----------
    kind
        "go" for the one main thing to do, "big" for a move, "plain" for a tool.
    label
        its name where the content does not say enough; it must contain the words seen.
    why
        what pressing it gives, shown on hover, on focus and on a long touch.
    pressed
        whether it is the chosen one of several.
    key
        by which the page gives the focus back; by default made of `do` and `value`.

    Examples
    --------
    >>> print(button("act", "roll", "Roll the die", kind="go"))
    <button type="button" class="tk-btn tk-btn-go" data-do="act" data-value="roll" data-key="act-roll">Roll the
    die</button>
    """
    return element(
        "button", *content, type="button", class_=_kinds(kind, class_), data_do=do,
        data_value=None if value == "" else value, data_key=key or f"{do}-{value}", aria_label=label or None,
        aria_pressed=_truth(pressed), data_why=why or None, aria_description=why or None,
    )  # fmt: skip


def not_now(*content: str, why: str, key: str, kind: Kind = "", label: str = "", class_: str = "") -> Markup:
    """Return a control that cannot be used now and says why: the focus and a screen reader still find it.

    >>> print(not_now("Buy", why="You are short of a white stone.", key="act-buy-1"))
    <button type="button" class="tk-btn" aria-disabled="true" data-key="act-buy-1" data-why="You are short of a white
    stone." aria-description="You are short of a white stone.">Buy</button>
    """
    return element(
        "button", *content, type="button", class_=_kinds(kind, class_), aria_disabled="true", data_key=key,
        aria_label=label or None, data_why=why, aria_description=why,
    )  # fmt: skip


def action(
    do: str, value: object, picture: str, verb: str, price: str, *, opened: bool, panel: str, label: str = ""
) -> Markup:
    """Return an action: a picture, a verb, and its price in two or three words.

    While it is `opened`, the panel with the id `panel` is shown below the row.

    >>> print(action("open", "sell", icon("play"), "Sell", "three goods wanted", opened=True, panel="p-sell"))
    <button type="button" class="tk-do" data-do="open" data-value="sell" data-key="open-sell" aria-expanded="true"
    aria-controls="p-sell"><i ...></i><b>Sell</b><small>three goods wanted</small></button>
    """
    return element(
        "button", picture, element("b", verb), element("small", price), type="button", class_="tk-do", data_do=do,
        data_value=value, data_key=f"{do}-{value}", aria_expanded=_truth(opened),
        aria_controls=panel if opened else None, aria_label=label or None,
    )  # fmt: skip


def menu(label: str, items: Iterable[str], *, key: str = "menu") -> Markup:
    """Return the menu: everything that is not a move, each item a button.

    >>> print(menu("Menu", [button("new", "", icon("new"), "New game")]))
    <details class="tk-menu" data-key="menu"><summary class="tk-btn tk-btn-plain" aria-label="Menu"><i ...></i><span
    class="tk-word">Menu</span></summary><ul><li><button ...>...New game</button></li></ul></details>
    """
    return element(
        "details",
        element("summary", icon("more"), word(label), class_=_kinds("plain"), aria_label=label),
        element("ul", *(element("li", item) for item in items)),
        class_="tk-menu",
        data_key=key,
    )


def word(text: str) -> Markup:
    """Return the word of a tool; on a narrow page only a screen reader finds it, and the icon is seen.

    >>> print(word("Undo"))
    <span class="tk-word">Undo</span>
    """
    return element("span", text, class_="tk-word")


# The head of a page


def header(logo: str, title: str, about: str, *tools: str) -> Markup:
    """Return the head of a page: its sign and title, where the game stands, and tools at the right.

    >>> print(header("", "Bazar", "round 27", button("undo", "", icon("undo"), word("Undo"), kind="plain")))
    <header class="tk-top"><h2><span>Bazar</span> <small>round 27</small></h2><div class="tk-tools"><button ...
    """
    return element(
        "header",
        element("h2", logo, element("span", title), " ", element("small", about)),
        element("div", *tools, class_="tk-tools") if tools else "",
        class_="tk-top",
    )


def sentence(words: str, *, badge: str = "", news: Iterable[str] = (), label: str = "") -> Markup:
    """Return the sentence that says whose turn it is and what to do, and below it what has happened since.

    A screen reader reads both out when they change. `label` names the news.

    >>> print(sentence("Your turn: roll the die.", badge=seat(0, "you"), news=["Teo rolled yellow"]))
    <div class="tk-say" role="status"><p class="tk-turn"><span class="tk-seat tk-p1" ...>Y</span>Your turn: roll the
    die.</p><ol class="tk-news"><li>Teo rolled yellow</li></ol></div>
    """
    items = [element("li", item) for item in news]
    return element(
        "div",
        element("p", badge, words, class_="tk-turn"),
        element("ol", items, class_="tk-news", aria_label=label or None) if items else None,
        class_="tk-say",
        role="status",
    )


# Panels


def heading(text: str, *, picture: str = "", note: str = "", end: str = "", level: int = 3) -> Markup:
    """Return a heading that names what is below it, with `note` next to it and `end` at the right.

    >>> print(heading("Who has most", note="the most is paid in the end"))
    <h3 class="tk-head">Who has most <small>the most is paid in the end</small></h3>
    """
    return element(
        f"h{level}",
        picture,
        text,
        *((" ", element("small", note)) if note else ()),
        element("span", end, class_="tk-end") if end else "",
        class_="tk-head",
    )


def panel(head: str, *content: str, flat: bool = False, class_: str = "", id: str = "") -> Markup:
    """Return a panel: a card on the cloth, or `flat` without one. `head` is a `heading`, or nothing.

    >>> print(panel(heading("Hint"), "Roll the die."))
    <section class="tk-panel"><h3 class="tk-head">Hint</h3>Roll the die.</section>
    """
    kinds = " ".join(["tk-panel", *["tk-panel-flat"] * flat, *[class_] * bool(class_)])
    return element("section", head, *content, class_=kinds, id=id or None)


class Bar(NamedTuple):
    """A row of `bars`."""

    thing: str
    share: float  #: length of the bar, 0 to 1
    number: str  #: "best", "costs 2.0"
    best: bool = False


def bars(rows: Iterable[Bar], *, label: str = "") -> Markup:
    """Return a list of things, each with a bar and a number; the best one is violet.

    >>> print(bars([Bar("Sell silk", 1, "best", best=True), Bar("Barter", 0.27, "costs 1.2")]))
    <ul class="tk-bars"><li class="tk-best"><span>Sell silk</span><span class="tk-bar" aria-hidden="true"><i
    style="--v: 100%"></i></span><span class="tk-num">best</span></li><li><span>Barter</span>...</ul>
    """
    items = [
        element(
            "li",
            element("span", row.thing),
            element("span", element("i", style=f"--v: {row.share:.0%}"), class_="tk-bar", aria_hidden="true"),
            element("span", row.number, class_="tk-num"),
            class_="tk-best" if row.best else None,
        )
        for row in rows
    ]
    return element("ul", items, class_="tk-bars", aria_label=label or None)


def log(head: str, moves: Iterable[str], *, class_: str = "") -> Markup:
    """Return the last moves in words; `head` is a `heading`, with a way to all of them at its end.

    >>> print(log(heading("So far"), [Markup("<b>You</b> rolled red")]))
    <section class="tk-log"><h3 class="tk-head">So far</h3><ol><li><b>You</b> rolled red</li></ol></section>
    """
    kind = f"tk-log {class_}".strip()
    return element("section", head, element("ol", *(element("li", move) for move in moves)), class_=kind)


def player(number: int, name: str, score: str, *lines: str, about: str = "", me: bool = False) -> Markup:
    """Return a row of the players: badge, name and `about` it ("bot, strong"), points, and lines below.

    The first line is what the player holds, if it is drawn; the last one how far the player is.

    >>> print(player(0, "You", "15", "3 wares, 2 points ahead", me=True))
    <li class="tk-player tk-me"><span class="tk-seat tk-p1" ...>Y</span><span class="tk-name">You</span><span
    class="tk-score">15</span><span class="tk-far">3 wares, 2 points ahead</span></li>
    """
    below = [
        element("span", line, class_="tk-far" if at == len(lines) - 1 else "tk-held") for at, line in enumerate(lines)
    ]
    return element(
        "li",
        seat(number, name),
        element("span", name, *((" ", element("small", about)) if about else ()), class_="tk-name"),
        element("span", score, class_="tk-score"),
        *below,
        class_="tk-player" + " tk-me" * me,
    )


def bubble(badge: str, words: str, *content: str, mine: bool = False) -> Markup:
    """Return what somebody says in a dialogue: another at the left, `mine` at the right.

    >>> print(bubble(seat(1, "Vera"), "“I give you three cards.”"))
    <section class="tk-panel tk-bubble"><span class="tk-seat tk-p2" ...>V</span><p class="tk-words">“I give you three
    cards.”</p></section>
    """
    kind = "tk-panel tk-bubble" + " tk-bubble-mine" * mine
    return element("section", badge, element("p", words, class_="tk-words"), *content, class_=kind)


# Things of the games that more than one page shows


class Bid(NamedTuple):
    """A row of `reveal`."""

    place: str  #: "1st"
    badge: str
    name: str
    bid: int
    added: int  #: in a tie
    pays: int
    payment: str  #: "you pay 7"
    why: str  #: "won the coin: two cards"
    gets: str  #: the cards, or that there are none
    said: str  #: the bar for a screen reader: "bid 6, added 1"
    mine: bool = False
    lost: bool = False


def reveal(bids: Sequence[Bid], *, label: str) -> Markup:
    """Return the result of an auction, with one row per bidder in order of place.

    The bar is the bid: its solid part is what is paid, stripes what was added in a tie, dashes what is not paid.
    They open one after the other, the last place first.

    >>> row = Bid("1st", seat(0, "You"), "You", 6, 1, 7, "you pay 7", "won the coin", "", "bid 6, added 1", mine=True)
    >>> print(reveal([row], label="The bids"))
    <ol class="tk-reveal" aria-label="The bids" style="--most: 7"><li class="tk-me" style="--i: 0">...<span
    class="tk-paid" role="img" aria-label="bid 6, added 1"><i class="tk-due" style="--n: 6">6</i><i class="tk-added"
    style="--n: 1">+1</i></span><span class="tk-pays">you pay 7</span>...</ol>
    """
    most = max((bid.bid + bid.added for bid in bids), default=0)
    rows = (_bid(bid, opens) for bid, opens in zip(bids, reversed(range(len(bids))), strict=True))
    return element("ol", *rows, class_="tk-reveal", aria_label=label, style=f"--most: {max(most, 1)}")


def _bid(bid: Bid, opens: int) -> Markup:
    due, added = min(bid.pays, bid.bid), max(bid.pays - bid.bid, 0)
    free = bid.bid + bid.added - due - added
    parts = [("tk-due", due, str(due)), ("tk-added", added, f"+{added}"), ("tk-free", free, "")]
    bar = [element("i", text, class_=kind, style=f"--n: {n}") for kind, n, text in parts if n > 0]
    return element(
        "li",
        element("span", bid.place, class_="tk-place"),
        element("span", bid.badge, bid.name, class_="tk-name"),
        element("span", *bar, class_="tk-paid", role="img", aria_label=bid.said),
        element("span", bid.payment, class_="tk-pays"),
        element("span", bid.why, class_="tk-why-text"),
        element("span", bid.gets, class_="tk-gets"),
        class_=" ".join(["tk-me"] * bid.mine + ["tk-lost"] * bid.lost) or None,
        style=f"--i: {opens}",
    )


def majority(count: int, number: int, most: Literal["alone", "tied", ""] = "", came: int = 0, said: str = "") -> Markup:
    """Return a cell of the table of majorities: filled if the player leads, ringed if tied, a dot for none.

    `came` is the small figure of what has just come; `said` what the look says, for a screen reader.

    >>> print(majority(5, 0, "alone", came=2, said="has the most"))
    <td><span class="tk-lead tk-p1">5</span><sup>+2</sup><span class="tk-sr">has the most</span></td>
    >>> print(majority(0, 1))
    <td><span>·</span></td>
    """
    kind = {"alone": "tk-lead", "tied": "tk-tied", "": ""}[most]
    return element(
        "td",
        element("span", str(count or "·"), class_=f"{kind} tk-p{number % SEATS + 1}" if kind else None),
        element("sup", f"+{came}") if came else "",
        unseen(said) if said else "",
    )


def steps(counts: Sequence[int], label: str) -> Markup:
    """Return the steps of a pile: what is wanted now, and what after each sale; `label` says it.

    >>> print(steps([3, 2], "3 now, then 2"))
    <span class="tk-fall" role="img" aria-label="3 now, then 2"><i class="tk-now" style="--v: 3"><b>3</b></i><i
    style="--v: 2"><b>2</b></i></span>
    """
    columns = (
        element("i", element("b", str(count)), class_="tk-now" if at == 0 else None, style=f"--v: {count}")
        for at, count in enumerate(counts)
    )
    return element("span", *columns, class_="tk-fall", role="img", aria_label=label)


def legend(*items: tuple[Literal["full", "ring"], str]) -> Markup:
    """Return what the looks of a table of majorities mean.

    >>> print(legend(("full", "has the most"), ("ring", "shares the most")))
    <p class="tk-legend"><span><i class="tk-full"></i>has the most</span><span><i class="tk-ring"></i>...</span></p>
    """
    return element(
        "p", *(element("span", element("i", class_=f"tk-{look}"), text) for look, text in items), class_="tk-legend"
    )


def just_now(*content: str) -> Markup:
    """Return what has just decided something, such as a tie, above what follows from it.

    >>> print(just_now("A tie at 6."))
    <p class="tk-just-now">A tie at 6.</p>
    """
    return element("p", *content, class_="tk-just-now")


# The end of a game


def winner(result: str, about: str, *buttons: str) -> Markup:
    """Return who won, in words, with a cup, and what to do next.

    >>> print(winner("You win, 31 to 26.", "36 rounds", button("rematch", "", "Rematch", kind="go big")))
    <div class="tk-winner"><svg ...><div role="status"><h2>You win, 31 to 26.</h2><p>36 rounds</p></div><div
    class="tk-line"><button ...>Rematch</button></div></div>
    """
    return element(
        "div",
        icons.cup(),
        element("div", element("h2", result), element("p", about), role="status"),
        element("div", *buttons, class_="tk-line"),
        class_="tk-winner",
    )


def decision(number: int, words: str, when: str, cost: str, back: str) -> Markup:
    """Return one of the most expensive decisions; `back` is the button that plays from there.

    >>> print(decision(1, "You rolled the die.", "round 13", "−2.1", button("at", 13, "Play from here")))
    <li><span class="tk-no">1</span><p>You rolled the die.<small>round 13</small></p><span
    class="tk-cost">−2.1</span><button ...>Play from here</button></li>
    """
    return element(
        "li",
        element("span", str(number), class_="tk-no"),
        element("p", words, element("small", when)),
        element("span", cost, class_="tk-cost"),
        back,
    )


# Pieces


def _kinds(kind: str, class_: str = "") -> str:
    """Return the classes of a button."""
    return " ".join(["tk-btn", *(f"tk-btn-{name}" for name in kind.split()), *class_.split()])


def _truth(value: bool | None) -> str | None:
    return None if value is None else str(value).lower()
