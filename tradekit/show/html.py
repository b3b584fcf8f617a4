"""HTML by construction: elements of text, which is escaped, and of `Markup`, which is HTML already; and the tables and
controls of our pages, what `live.js` listens to (`data-do`) and gives the focus back to (`data-key`).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Hashable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias, TypeVar
from unicodedata import combining, normalize

from markupsafe import Markup, escape

from tradekit.i18n import _

#: Content of an element: text, HTML (`Markup`), a number, nothing, or several of these.
Child: TypeAlias = str | float | Iterable["Child"] | None

Key = TypeVar("Key", bound=Hashable)  #: a value that can be picked

_EMPTY: Final = {"input", "br", "hr", "img", "meta", "link"}  #: elements without an end
_DRAWN: Final = {"rect", "circle", "line", "path", "ellipse", "polygon", "polyline", "use"}  #: and those of SVG
_UNSEEN: Final = re.compile(r'<(\w+)[^>]*\baria-hidden="true"[^>]*>.*?</\1>', re.DOTALL)  # to a screen reader


def element(tag: str, *children: Child, **attributes: object) -> Markup:
    """Return an element. In the names of attributes underscores are hyphens, and one at the end is nothing (`class_`).

    An attribute that is None or False is left out, one that is True has no value.

    >>> element("p", "a < b", element("b", 3), class_="tk-quiet", hidden=True, title=None)
    Markup('<p class="tk-quiet" hidden>a &lt; b<b>3</b></p>')
    """
    start = f"<{tag}"
    for name, value in attributes.items():
        if value is not None and value is not False:
            start += f" {_attribute(name)}" if value is True else f' {_attribute(name)}="{_text(value)}"'
    if tag in _DRAWN:
        return _markup(f"{start}/>")
    return _markup(f"{start}>" if tag in _EMPTY else f"{start}>{''.join(_escaped(children))}</{tag}>")


def fragment(*children: Child) -> Markup:
    """Return elements and texts one after the other.

    >>> fragment(element("b", "Ana"), " & ", ["Bo", None])
    Markup('<b>Ana</b> &amp; Bo')
    """
    return _markup("".join(_escaped(children)))


def spaced(*children: Child) -> Markup:
    """Return elements and texts with a space between each two.

    >>> spaced("Ana", element("b", 3))
    Markup('Ana <b>3</b>')
    """
    return _markup(" ".join(_escaped(children)))


def _markup(text: str) -> Markup:
    """Mark text as HTML; a page has hundreds of elements, and `Markup(text)` looks for other things first."""
    return str.__new__(Markup, text)


@cache
def _attribute(name: str) -> str:
    return name.removesuffix("_").replace("_", "-")


def _escaped(children: Iterable[Child]) -> list[str]:
    written: list[str] = []
    for child in children:
        if isinstance(child, Iterable) and not isinstance(child, str):
            written += _escaped(child)
        elif child is not None:
            written.append(_text(child))
    return written


def _text(value: object) -> str:
    """Escape what is not yet HTML, as `markupsafe.escape` does, which takes twice as long to make Markup of it."""
    return value if isinstance(value, Markup) else html.escape(str(value))


def filled(text: str, **values: Child) -> Markup:
    """Return a sentence with its places filled: a translated text around elements.

    >>> filled("{name} pays {n}", name="A & B", n=element("b", 3))
    Markup('A &amp; B pays <b>3</b>')
    """
    return escape(text).format(**{name: fragment(value) for name, value in values.items()})


def document(title: str, style: str, *body: Child, language: str, head: Child = None) -> Markup:
    """Return a page that stands alone, with its style sheet and nothing from elsewhere; `head`: more for its head.

    >>> document("Rules", "p { margin: 0; }", element("p", "Roll."), language="en").startswith("<!DOCTYPE html>")
    True
    """
    heading = element(
        "head",
        element("meta", charset="utf-8"),
        element("title", title),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        head,
        element("style", Markup(style)),
    )
    return Markup("<!DOCTYPE html>\n") + element("html", heading, element("body", body), lang=language)


def _name(content: Child, label: str) -> str | None:
    """The name of a control for screen readers and spoken commands: its label, with the words seen on it (WCAG 2.5.3).

    >>> _name("Stop", "halt the bots"), _name(element("b", "Roll"), "roll the die"), _name("−", "one less")
    ('Stop: halt the bots', 'roll the die', 'one less')
    """
    seen = Markup(_UNSEEN.sub(" ", escape(content))).striptags() if isinstance(content, Markup) else f"{content}"
    named = f"{seen}: {label}" if label and f" {_said(seen)} " not in f" {_said(label)} " and _said(seen) else label
    return named or None


def _said(text: str) -> str:
    """The words of a text."""
    return " ".join(re.findall(r"\w+", text.casefold()))


@lru_cache(64)
def letters(names: tuple[str, ...]) -> tuple[str, ...]:
    """Two letters for each name, the first and one more, no two the same but for an accent.

    >>> letters(("maize", "mace", "rice", "té", "tela"))
    ('Ma', 'Mc', 'Ri', 'Té', 'Tl')
    """
    chosen: dict[str, str] = {}  # by the pair without accents
    for name in names:
        pairs = [name[0].upper() + letter for letter in name[1:] if letter.isalpha()]
        pairs += [name[0].upper() + digit for digit in "123456789"]
        pair = next(pair for pair in pairs if _bare(pair) not in chosen)
        chosen[_bare(pair)] = pair
    return tuple(chosen.values())


def _bare(text: str) -> str:
    """A text without its accents."""
    return "".join(letter for letter in normalize("NFD", text) if not combining(letter))


def heading(text: Child) -> Markup:
    """The heading of a part."""
    return element("h3", text)


def quiet(text: Child) -> Markup:
    """A paragraph beside the matter."""
    return element("p", text, class_="tk-quiet")


def row(*controls: Child, label: str = "") -> Markup:
    """Controls side by side; with `label` a group that a screen reader names."""
    return element("div", spaced(*controls), class_="tk-row", role="group" if label else None, aria_label=label or None)


def button(
    do: str,
    value: object,
    content: Child,
    *,
    label: str = "",
    pressed: bool | None = None,
    key: str = "",
    kind: str = "",
    style: str = "",
    badge: str = "",
) -> Markup:
    """A button that sends {do, value}; `pressed` makes it one of a choice, `label` is its name and tooltip.

    `badge`: a word that marks it, to a screen reader by its name.

    >>> button("act", "roll", "Roll", label="roll the die", badge="hint")
    Markup('<button ... aria-label="hint: roll the die" title=... class="tk-marked" data-badge="hint">Roll</button>')
    """
    return element(
        "button", content, type="button", data_do=do, data_value=value if value != "" else None,
        data_key=key or f"{do}-{value}", aria_pressed=None if pressed is None else str(pressed).lower(),
        **_marked(content, label, kind, badge), style=style or None,
    )  # fmt: skip


def _marked(content: Child, label: str, kind: str, badge: str) -> dict[str, object]:
    """The name, tooltip and class of a control, and its badge."""
    name = _name(content, label)
    if badge:
        name, kind = f"{badge}: {name or fragment(content).striptags()}", f"{kind} tk-marked".strip()
    return {"aria_label": name, "title": label or None, "class_": kind or None, "data_badge": badge or None}


def switched_off(content: Child, key: str, reason: str, kind: str = "") -> Markup:
    """A button that does nothing and says why. It keeps the focus if it has it, but the Tab key passes it by."""
    return element(
        "button", content, type="button", class_=f"tk-off {kind}".strip(), aria_disabled="true", tabindex="-1",
        data_key=key, title=reason or None, aria_label=_name(content, reason),
    )  # fmt: skip


def field(
    do: str, label: Child, value: str = "", *, hint: str = "", wrong: bool = False, size: int = 16, of: object = None
) -> Markup:
    """A line to type in; it sends {do, value} when it is left or Enter is pressed. `of` is sent before the value."""
    typed = element(
        "input", data_do=do, data_of=of, data_key=do if of is None else f"{do}-{of}", value=value or None,
        placeholder=hint or None, size=size, autocomplete="off", spellcheck="false",
        aria_invalid="true" if wrong else None,
    )  # fmt: skip
    return element("label", label, " ", typed)


def slider(
    do: str, label: str, value: object, low: object, high: object, step: object, *, typed: str = "", wrong: bool = False
) -> Markup:
    """A slider and a field for its number; both send {do, value}, the slider also while it is dragged.

    `typed`: what the field says where that is not `value`, and may be `wrong`.
    """
    ranged = element(
        "input", type="range", min=low, max=high, step=step, value=value, data_do=do, data_key=f"{do}-slider",
        data_live="yes",
    )  # fmt: skip
    number = element(
        "input", inputmode="decimal", value=typed or value, data_do=do, data_key=do, size=5, autocomplete="off",
        aria_label=_("{label}: a number").format(label=label), aria_invalid="true" if wrong else None,
    )  # fmt: skip
    return element("div", element("label", label, " ", ranged), " ", number, class_="tk-slider")


def area(do: str, label: str, value: str, *, rows: int, wrong: bool = False) -> Markup:
    """Several lines to type in; they are sent when the field is left."""
    return element(
        "textarea", value, data_do=do, data_key=do, rows=rows, spellcheck="false", aria_label=label,
        aria_invalid="true" if wrong else None,
    )  # fmt: skip


def options(shown: Mapping[Key, Child], chosen: object = None) -> list[Markup]:
    """The lines of a list to pick from: values and what is shown of them.

    >>> options({1: "one"}, chosen=1)
    [Markup('<option value="1" selected>one</option>')]
    """
    return [element("option", text, value=value, selected=value == chosen) for value, text in shown.items()]


def select(
    do: str, label: Child, values: Iterable[Key], chosen: object = None, *, first: str = "", of: object = None
) -> Markup:
    """A list to pick from: values, or a mapping from values to what is shown of them.

    `first` is a line that picks nothing; `of` is sent before the value.
    """
    shown = values if isinstance(values, Mapping) else {value: str(value) for value in values}
    lines = [*([element("option", first, value="")] if first else []), *options(shown, chosen)]
    picked = element("select", lines, data_do=do, data_of=of, data_key=f"{do}-{'list' if of is None else of}")
    return element("label", label, " ", picked)


def code(key: str, label: str, line: str, copy: str, copied: str) -> Markup:
    """A line of code with a button that copies it."""
    text = element("input", readonly="readonly", data_key=key, value=line, class_="tk-code")
    press = element("button", copy, type="button", data_copy=key, data_key=f"copy-{key}", data_done=copied)
    return row(element("label", label, " ", text, class_="tk-wide"), press)


def table(head: Iterable[Child], rows: Iterable[Iterable[Child]], numbers: Iterable[int] = ()) -> Markup:
    """A table; the columns in `numbers` are set flush right."""
    right = set(numbers)

    def cells(tag: str, row: Iterable[Child]) -> list[Markup]:
        return [element(tag, cell, class_="tk-number" if i in right else None) for i, cell in enumerate(row)]

    body = [element("tr", cells("td", row)) for row in rows]
    return element("table", element("thead", element("tr", cells("th", head))), element("tbody", body))


# What several fields say together: a button sends one text with their values in it.


def form(*controls: Child, label: str = "", kind: str = "", ordered: bool = False) -> Markup:
    """Fields, and the button that sends what they say together (`sends`).

    `ordered`: what several boxes of one name say comes in the order in which they were ticked, and they show it.
    """
    return element(
        "div", spaced(*controls), data_form="yes", data_ordered="yes" if ordered else None,
        class_=f"tk-row {kind}".strip(), role="group", aria_label=label or None,
    )  # fmt: skip


def sends(
    do: str, pattern: str, content: Child, *, key: str, label: str = "", kind: str = "", needs: int | None = None,
    badge: str = "",
) -> Markup:  # fmt: skip
    """The button of a `form`: it sends {do, value}, the value being `pattern` with what the fields say for each {name}.

    `needs`: it is switched off until so many boxes of the form are ticked.

    >>> sends("act", "bid {amount} {loan}", "Bid", key="act-bid")
    Markup('<button type="button" data-do="act" data-pattern="bid {amount} {loan}" data-key="act-bid">Bid</button>')
    """
    return element(
        "button", content, type="button", data_do=do, data_pattern=pattern, data_needs=needs, data_key=key,
        **_marked(content, label, kind, badge),
    )  # fmt: skip


class Case(NamedTuple):
    """The effect of some boxes of a `form`, ticked together."""

    words: str | None  #: what the buttons send for {case}; None: they are switched off
    said: str  #: what it would bring, or why it cannot be
    values: tuple[str, ...] = ()  #: of the list that stands there: what goes with these boxes


def by_ticks(
    cases: Mapping[tuple[int, ...], Case], none: Case, others: Case, *controls: Child, kind: str = ""
) -> Markup:
    """Buttons whose meaning depends on the boxes ticked in their `form`, and a line that says what it is.

    `cases`: by the places of the boxes in the form, rising; `none` ticked; all `others`. The buttons (`sends`) have
    {case} in their pattern.

    >>> by_ticks({(0,): Case("roll", "rolls")}, Case(None, "tick one"), Case(None, "one only"), kind="x")
    Markup('<div data-cases="{&quot;0&quot;: [&quot;roll&quot;, ...}" class="x"> <span ...>tick one</span></div>')
    """
    table = {",".join(map(str, places)): case for places, case in cases.items()} | {"": none, "others": others}
    said = element("span", none.said, class_="tk-quiet", data_said="yes", role="status")
    cases_as_text = json.dumps(table, ensure_ascii=False)
    return element("div", spaced(*controls), " ", said, data_cases=cases_as_text, class_=kind or None)


def amount(name: str, label: str, value: int, low: int, high: int, *, key: str, off: bool = False) -> Markup:
    """A slider and a field for its number, in a `form`; a box ticked there may raise what is `high` (`tick`)."""
    disabled = "disabled" if off else None
    ranged = element(
        "input", type="range", min=low, max=high, data_high=high, data_key=f"{key}-slider", value=value,
        disabled=disabled,
    )  # fmt: skip
    number = element(
        "input", inputmode="numeric", data_name=name, data_key=key, size=3, autocomplete="off",
        aria_label=_("{label}: a number").format(label=label), value=value, disabled=disabled,
    )  # fmt: skip
    return fragment(element("label", label, " ", ranged), " ", number)


def tick(
    name: str, value: object, content: Child, *, key: str, high: int | None = None, ticked: bool = False,
    off: bool = False, kind: str = "", label: str = "",
) -> Markup:  # fmt: skip
    """A box that says `value` in a `form` while it is ticked; then the amount there goes up to `high`."""
    box = element(
        "input", type="checkbox", data_name=name, value=value, data_high=high, data_key=key,
        aria_label=_name(content, label), checked="checked" if ticked else None, disabled="disabled" if off else None,
    )  # fmt: skip
    return element("label", box, " ", content, class_=kind or None)


def pick(
    name: str, label: Child, values: Mapping[Key, Child], *, key: str, off: bool = False, by_ticks: bool = False
) -> Markup:
    """A list to pick from in a `form`: values and what is shown of them; `by_ticks`: those of the `Case` that holds."""
    picked = element(
        "select", options(values), data_name=name, data_key=key, data_by="ticks" if by_ticks else None,
        disabled="disabled" if off else None,
    )  # fmt: skip
    return element("label", label, " ", picked)


def error(message: str) -> Markup:
    """Return the message about an error, to stand next to its field; nothing for ""."""
    return element("div", message, class_="tk-error", role="alert") if message else Markup("")
