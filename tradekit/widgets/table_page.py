"""The table's page: pure functions from the table to HTML, a function a part."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from math import ceil
from operator import itemgetter
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from markupsafe import Markup

from tradekit import bots
from tradekit._utils import ties
from tradekit._utils.display_names import isolated
from tradekit.game import CHANCE, UNTOLD
from tradekit.i18n import _
from tradekit.show import html
from tradekit.show.html import element, fragment, spaced
from tradekit.show.names import with_names

if TYPE_CHECKING:
    from tradekit.show.voice import Voice
    from tradekit.widgets.table_view import TableView as Table


def write(table: Table) -> dict[str, str]:
    """The parts of the page, in its order."""
    return {name: part(table) for name, part in _PARTS.items()}


def still(table: Table) -> dict[str, str]:
    """The parts of the page as a picture: the game, and nothing that is only there to be used."""
    parts = {"news": news(table), "picture": picture(table, live=False), "hint": hint(table) if table.advice else ""}
    return parts | {"moves": _moves(table) if table.place else "", "file": file(table)}


def news(table: Table) -> Markup:
    """Write what happened since a person's last decision, who is thinking, and what went wrong."""
    if table.shown is not None:
        back = html.button("back", "", _("Back to the game"))
        place = _("Replay: after move {n} of {most}").format(n=table.shown, most=table.place)
        return html.row(element("strong", place), *_said(table, table.shown - 1, table.shown), back)
    since = table.place if table.undoable is None else table.undoable
    go_on = [html.button("on", "", _("Go on"), label=_("go on with the game"), key="on")] if table.resting else []
    lines = element("div", spaced(_said(table, since, table.place), go_on), class_="tb-news")
    for field in ("act", "undo", "hint", "file"):
        lines += html.error(with_names(table.errors.get(field, ("", ""))[1], table.names))
    if table.left and table.left.place >= since:
        lines += html.error(_left(table))
    if trouble := table.trouble:
        name = isolated(table.names[trouble.seat])
        secret = table.hides and table.persons and table.state.actors  # the message may name what the bot holds
        message = trouble.message.partition(":")[0] if secret else trouble.message
        lines += html.error(_("{name} cannot move: {message}").format(name=name, message=message))
        lines += html.row(
            html.button("instead", "play", _("Play for it")),
            html.button("instead", "random", _("Random move")),
            html.button("instead", "again", _("Try again")),
        )
    return lines


def _left(table: Table) -> str:
    """Write why the game is no longer in its file."""
    if not table.left or not table.file:
        return ""
    message = _("{old} holds another page's moves and was left as it is: this game goes on in {new}.")
    return message.format(old=table.left.name, new=table.file.name)


def _said(table: Table, first: int, last: int, most: int = 8) -> list[Markup]:
    """The moves from `first` to `last` in words, the last ones of them."""
    voice = table.voice
    words = [_sentence(table, place, _told(table, place), voice) for place in range(max(first, last - most, 0), last)]
    different = [word for word, _same in groupby(words)]  # a hand dealt unseen is one event
    return [element("span", word, class_="tb-said") for word in different] or [
        element("span", _("The game begins."), class_="tk-quiet")
    ]


def _sentence(table: Table, place: int, told: str, voice: Voice) -> Markup:
    """A move in words, as markup."""
    return fragment(table.record.sentence(place, told, voice))


def _told(table: Table, place: int) -> str:
    """Return as much of a move as those who may be before the screen have been told; at the end that is all."""
    action = table.record.moves[place].action
    heard = {table.record.visible_to(player, place) for player in table.watching} if table.hides else {action}
    return UNTOLD if len(heard) > 1 else next(iter(heard), action)


def picture(table: Table, live: bool = True) -> str:
    """The state as the person before the screen may see it, or a cover until that person is there."""
    names = table.names
    if table.covered and table.to_act is None:
        return element("div", element("p", _("The bots are moving.")), class_="tb-cover")
    if table.covered:
        name = isolated(names[table.facing or 0])
        ready = html.button("uncover", "", _("I am {name}: show my view").format(name=name))
        return element("div", element("p", _("Pass the screen to {name}.").format(name=name)), ready, class_="tb-cover")
    best = table.advice.best if table.advice else ""
    state = table.record.state(table.shown)
    return state.html(table.viewer, live=live and table.shown is None, names=names, hint=best)


def seats(table: Table) -> str:
    """Write the choice of seats and of the next game's seed; nothing unless a person asks for it."""
    if not table.seating:
        return ""
    rows = fragment(_seat(table, seat) for seat in range(table.record.start.players))
    seed = "" if table.wanted_seed is None else str(table.wanted_seed)
    typed, message = table.errors.get("seed", (seed, ""))
    field = html.field("seed", _("Seed of a new game"), typed, hint=_("any"), wrong=bool(message), size=8)
    return html.heading(_("Seats")) + rows + html.row(field) + html.error(message)


def _seat(table: Table, seat: int) -> Markup:
    """A seat: a person, who has a name, or a bot, each with its strength as measured."""
    who, game = table.wanted[seat], table.state.game.name
    choices = {"": _("a person")}
    for bot in table.bot_names:
        strength = bots.strength(bot, game)
        choices[bot] = _("{bot}: {strength}").format(bot=bot, strength=strength) if strength else bot
    label = _("Seat {n}").format(n=seat + 1)
    controls = [html.select("seat", label, choices, who if who in choices else "", of=seat)]
    message = ""
    if who not in choices:
        typed, message = table.errors.get("name", ("", ""))
        at, _space, typed = typed.partition(" ")
        message = message if at == str(seat) else ""
        controls.append(html.field("name", _("called"), typed if message else who, wrong=bool(message), of=seat))
    return html.row(*controls) + html.error(message)


def begin(table: Table) -> str:
    """Write the buttons for the chosen seats. They stand apart, so that typing does not move a button."""
    if not table.seating:
        return ""
    new = html.button(
        "begin", "", _("New game"), label=_("New game with these seats, from the same start"), key="begin"
    )
    go_on = html.button("reseat", "", _("Go on"), label=_("Go on with this game, with these seats"), key="reseat")
    about = _("A new game has the same start.")
    if table.file:
        about += " " + _("This one stays in {file}.").format(file=table.file.name)
    return html.row(new, go_on) + html.quiet(about)


def tools(table: Table) -> Markup:
    """Undo, hint, halting the bots, seats, and the clock."""
    controls = [
        html.button("undo", "", _("Undo"), label=_("take back the last decision"), key="undo")
        if table.undoable is not None
        else html.switched_off(_("Undo"), "undo", _("there is no move to take back")),
        html.button(
            "hint", "", _("Hint"), label=_("what the actions are worth"), key="hint", pressed=bool(table.advice)
        )
        if table.to_act is not None and not table.covered
        else html.switched_off(_("Hint"), "hint", _("it is not your turn")),
    ]
    if table.bots and table.running:
        controls.append(html.button("stop", "", _("Stop"), label=_("halt the bots"), key="run"))
    elif table.bots:
        controls.append(html.button("go", "", _("Go"), label=_("let the bots go on"), key="run"))
    about = _("Seats: who plays, and a new game")
    controls.append(html.button("seating", "", _("Seats"), label=about, key="seating", pressed=table.seating))
    if (left := table.seconds_left) is not None:
        seconds = element("span", ceil(left), data_left=f"{left * 1000:.0f}")
        controls.append(element("span", html.filled(_("{seconds} s left"), seconds=seconds), role="timer"))
    if table.thinking:
        name = _("the adviser") if table.thinker is None else isolated(table.names[table.thinker])
        controls.append(element("span", _("{name} is thinking ...").format(name=name), class_="tk-quiet"))
    elif not table.running and table.thinker is not None:
        controls.append(element("span", _("The bots wait."), class_="tk-quiet"))
    return html.row(*controls, label=_("table"))


def typing(table: Table) -> Markup:
    """A field for any action."""
    typed, message = table.errors.get("type", ("", ""))
    field = html.field(
        "type", _("Type an action"), typed, hint=_("as in the list of moves"), wrong=bool(message), size=22
    )
    return element("div", html.row(field), html.error(with_names(message, table.names)), data_n=table.taken["type"])


def hint(table: Table) -> Markup:
    """The best action, and what each other costs."""
    if not table.advice or table.covered:
        nothing = html.quiet(_("Ask for it, and see here what each action is worth."))
        return html.heading(_("Hint")) + element("div", nothing, class_="tb-scroll")
    voice = table.voice
    name, measure, values = table.advice
    ranked = ties.ranked(values.items(), key=itemgetter(1))
    lost = ties.costs(value for _action, value in ranked)
    rows = [
        [table.state.label(action, voice), f"{value:.2f}", f"{cost:.2f}"]
        for (action, value), cost in zip(ranked, lost, strict=True)
    ]
    heading = html.heading(html.filled(_("Hint: {action}"), action=table.state.label(table.advice.best, voice)))
    source = html.quiet(_("{measure}, as the bot {name} reckons").format(measure=measure, name=name))
    costs = html.table([_("action"), measure, _("costs")], rows, [1, 2])
    return fragment(
        heading, element("div", source, costs, class_="tb-scroll", tabindex="0", role="group", aria_label=_("hint"))
    )


def moves(table: Table) -> Markup:
    """The list of moves, the last one first, and the replay."""
    if table.covered:
        return html.heading(_("Moves"))
    at = table.place if table.shown is None else table.shown
    typed, message = table.errors.get("replay", (str(at), ""))
    slider = element(
        "input",
        type="range",
        min="0",
        max=table.place,
        value=at,
        data_do="replay",
        data_key="replay-slider",
        aria_label=_("replay: after how many moves"),
    )
    number = html.field("replay", _("after move"), typed, wrong=bool(message), size=4)
    replay = html.row(
        _("Replay"), slider, number, element("span", _("of {n}").format(n=table.place), class_="tk-quiet")
    )
    return _moves(table, replay + html.error(message))


def _moves(table: Table, replay: str = "") -> Markup:
    heading = html.heading(_("Moves"))
    if table.covered:
        return heading
    at, voice = table.place if table.shown is None else table.shown, table.voice
    lines = fragment(
        element("li", _line(table, place, voice), value=place + 1, aria_current="true" if place + 1 == at else None)
        for place in reversed(range(table.place))
    )
    about = _("moves, the last one first")
    return fragment(heading, replay, element("ol", lines, class_="tb-scroll tb-moves", tabindex="0", aria_label=about))


def _line(table: Table, place: int, voice: Voice) -> html.Child:
    """A move in the list: the sentence, and in grey what a person can type for it, unless it is a secret in part."""
    (actor, action), told = table.record.moves[place], _told(table, place)
    sentence = _sentence(table, place, told, voice)
    if actor == CHANCE or told != action:
        return sentence
    return spaced(sentence, element("code", table.called(action), class_="tb-typed tk-quiet"))


def file(table: Table) -> Markup:
    """The seed, where the game is saved, and a link to download it: not before the end where it would tell secrets."""
    saved = _("saved in {file}").format(file=table.file.name) if table.file else _("saved from your first move on")
    name = table.file.name if table.file else f"{table.state.game.name}.txt"
    link = f"data:text/plain;charset=utf-8,{quote(str(table.record))}"
    secret = table.covered or (table.hides and table.state.actors)
    download = "" if secret else element("a", _("Download"), download=name, href=link)
    players = ", ".join(map(isolated, table.names))
    about = [table.state.game.name, players, _("seed {seed}").format(seed=table.seed), saved]
    row = html.row(element("span", " · ".join(about), " ·" if download else ""), download)
    return row + (html.quiet(_left(table)) if table.left else "")


def paste(table: Table) -> Markup:
    """A field for a record to go on with."""
    typed, message = table.errors.get("paste", ("", ""))
    area = html.area("paste", _("a record"), typed, rows=5, wrong=bool(message))
    return element(
        "details",
        element("summary", _("Paste a record")),
        html.quiet(_("Leave the field to go on with that game; this one stays in its file.")),
        area,
        html.error(message),
        data_n=table.taken["paste"],
        open=bool(message),
    )


_PARTS: Final[dict[str, Callable[[Table], str]]] = {
    "news": news,
    "tools": tools,
    "seats": seats,
    "begin": begin,
    "picture": picture,
    "type": typing,
    "paste": paste,
    "hint": hint,
    "moves": moves,
    "file": file,
}
