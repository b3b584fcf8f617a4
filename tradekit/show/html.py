"""Tables and controls of our pages as HTML text: what `live.js` listens to (`data-do`) and gives the focus back to
(`data-key`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape, unescape
from typing import Any, Final, NamedTuple
from unicodedata import combining, normalize

from tradekit.i18n import _

_UNSEEN: Final = re.compile(r'<(\w+)[^>]*\baria-hidden="true"[^>]*>.*?</\1>', re.DOTALL)  # to a screen reader
_SPACES: Final = re.compile(r"\s+")


def _attributes(**values: object) -> str:
    """Attributes of an element; underscores become hyphens, and None and "" are left out."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in values.items()
        if value is not None and value != ""
    )


def _name(content: str, label: str) -> str:
    """The name of a control for screen readers and spoken commands: its label, with the words seen on it (WCAG 2.5.3).

    >>> _name("Stop", "halt the bots"), _name("<b>Roll</b>", "roll the die"), _name("−", "one less")
    ('Stop: halt the bots', 'roll the die', 'one less')
    """
    seen = _SPACES.sub(" ", unescape(re.sub("<[^>]*>", " ", _UNSEEN.sub(" ", content)))).strip()
    return f"{seen}: {label}" if label and f" {_said(seen)} " not in f" {_said(label)} " and _said(seen) else label


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


def heading(text: str) -> str:
    """The heading of a part."""
    return f"<h3>{text}</h3>"


def quiet(text: str) -> str:
    """A paragraph beside the matter."""
    return f'<p class="tk-quiet">{text}</p>'


def row(*controls: str, label: str = "") -> str:
    """Controls side by side; with `label` a group that a screen reader names."""
    attributes = _attributes(class_="tk-row", role="group" if label else None, aria_label=label)
    return f"<div{attributes}>{' '.join(controls)}</div>"


def button(
    do: str,
    value: object,
    content: str,
    *,
    label: str = "",
    pressed: bool | None = None,
    key: str = "",
    kind: str = "",
    style: str = "",
) -> str:
    """A button that sends {do, value}; `pressed` makes it one of a choice, `label` is its name and tooltip."""
    state = None if pressed is None else str(pressed).lower()
    attributes = _attributes(
        type="button", data_do=do, data_value=value, data_key=key or f"{do}-{value}", aria_pressed=state,
        aria_label=_name(content, label), title=label, class_=kind, style=style,
    )  # fmt: skip
    return f"<button{attributes}>{content}</button>"


def switched_off(content: str, key: str, reason: str, kind: str = "") -> str:
    """A button that does nothing and says why. It keeps the focus if it has it, but the Tab key passes it by."""
    attributes = _attributes(
        type="button", class_=f"tk-off {kind}".strip(), aria_disabled="true", tabindex="-1",
        data_key=key, title=reason, aria_label=_name(content, reason),
    )  # fmt: skip
    return f"<button{attributes}>{content}</button>"


def marked(page: str, key: str, word: str) -> str:
    """The page with the control of that key marked: by a badge that says `word`, to a screen reader by its name.

    >>> marked(button("act", "roll", "Roll", label="roll the die"), "act-roll", "hint")
    '<button ... aria-label="hint: roll the die" title="roll the die" class="tk-marked" data-badge="hint">Roll</button>'
    >>> marked("a page without that control", "act-roll", "hint")
    'a page without that control'
    """
    control = re.search(rf'<button([^>]* data-key="{re.escape(escape(key))}"[^>]*)>([^<]*)', page)
    if control is None:
        return page
    attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', control[1]))
    attributes["aria-label"] = f"{escape(word)}: {attributes.get('aria-label') or control[2]}"
    attributes["class"] = f"{attributes.get('class', '')} tk-marked".lstrip()
    attributes["data-badge"] = escape(word)
    tag = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"{page[: control.start()]}<button {tag}>{control[2]}{page[control.end() :]}"


def field(
    do: str, label: str, value: str = "", *, hint: str = "", wrong: bool = False, size: int = 16, of: object = None
) -> str:
    """A line to type in; it sends {do, value} when it is left or Enter is pressed. `of` is sent before the value."""
    attributes = _attributes(
        data_do=do, data_of=of, data_key=do if of is None else f"{do}-{of}", value=value, placeholder=hint, size=size,
        autocomplete="off", spellcheck="false", aria_invalid="true" if wrong else None,
    )  # fmt: skip
    return f"<label>{label} <input{attributes}></label>"


def slider(
    do: str, label: str, value: object, low: object, high: object, step: object, *, typed: str = "", wrong: bool = False
) -> str:
    """A slider and a field for its number; both send {do, value}, the slider also while it is dragged.

    `typed`: what the field says where that is not `value`, and may be `wrong`.
    """
    ranged = _attributes(
        type="range", min=low, max=high, step=step, value=value, data_do=do, data_key=f"{do}-slider", data_live="yes"
    )
    number = _attributes(
        inputmode="decimal", value=typed or value, data_do=do, data_key=do, size=5, autocomplete="off",
        aria_label=_("{label}: a number").format(label=label), aria_invalid="true" if wrong else None,
    )  # fmt: skip
    return f'<div class="tk-slider"><label>{label} <input{ranged}></label> <input{number}></div>'


def area(do: str, label: str, value: str, *, rows: int, wrong: bool = False) -> str:
    """Several lines to type in; they are sent when the field is left."""
    attributes = _attributes(
        data_do=do, data_key=do, rows=rows, spellcheck="false", aria_label=label, aria_invalid="true" if wrong else None
    )
    return f"<textarea{attributes}>{escape(value)}</textarea>"


def select(
    do: str, label: str, values: Iterable[object], chosen: object = None, *, first: str = "", of: object = None
) -> str:
    """A list to pick from: values, or a mapping from values to what is shown of them.

    `first` is a line that picks nothing; `of` is sent before the value.
    """
    shown = values if isinstance(values, Mapping) else {value: value for value in values}
    options = [f'<option value="">{first}</option>'] if first else []
    options += [
        f'<option value="{escape(str(value))}"{" selected" if value == chosen else ""}>{escape(str(text))}</option>'
        for value, text in shown.items()
    ]
    attributes = _attributes(data_do=do, data_of=of, data_key=f"{do}-{'list' if of is None else of}")
    return f"<label>{label} <select{attributes}>{''.join(options)}</select></label>"


def code(key: str, label: str, line: str, copy: str, copied: str) -> str:
    """A line of code with a button that copies it."""
    text = _attributes(readonly="readonly", data_key=key, value=line, class_="tk-code")
    press = _attributes(type="button", data_copy=key, data_key=f"copy-{key}", data_done=copied)
    return row(f'<label class="tk-wide">{label} <input{text}></label>', f"<button{press}>{copy}</button>")


def table(head: Iterable[str], rows: Iterable[Iterable[str]], numbers: Iterable[int] = ()) -> str:
    """A table of HTML cells; the columns in `numbers` are set flush right."""
    right = set(numbers)

    def cells(tag: str, row: Iterable[str]) -> str:
        attribute = {True: ' class="tk-number"', False: ""}
        return "".join(f"<{tag}{attribute[i in right]}>{cell}</{tag}>" for i, cell in enumerate(row))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"


# What several fields say together: a button sends one text with their values in it.


def form(*controls: str, label: str = "", kind: str = "", ordered: bool = False) -> str:
    """Fields, and the button that sends what they say together (`sends`).

    `ordered`: what several boxes of one name say comes in the order in which they were ticked, and they show it.
    """
    attributes = _attributes(
        data_form="yes", data_ordered="yes" if ordered else None, class_=f"tk-row {kind}".strip(), role="group",
        aria_label=label,
    )  # fmt: skip
    return f"<div{attributes}>{' '.join(controls)}</div>"


def sends(
    do: str, pattern: str, content: str, *, key: str, label: str = "", kind: str = "", needs: int | None = None
) -> str:
    """The button of a `form`: it sends {do, value}, the value being `pattern` with what the fields say for each {name}.

    `needs`: it is switched off until so many boxes of the form are ticked.

    >>> sends("act", "bid {amount} {loan}", "Bid", key="act-bid")
    '<button type="button" data-do="act" data-pattern="bid {amount} {loan}" data-key="act-bid">Bid</button>'
    """
    attributes = _attributes(
        type="button", data_do=do, data_pattern=pattern, data_needs=needs, data_key=key,
        aria_label=_name(content, label), title=label, class_=kind,
    )  # fmt: skip
    return f"<button{attributes}>{content}</button>"


class Case(NamedTuple):
    """The effect of some boxes of a `form`, ticked together."""

    words: str | None  #: what the buttons send for {case}; None: they are switched off
    said: str  #: what it would bring, or why it cannot be
    values: tuple[str, ...] = ()  #: of the list that stands there: what goes with these boxes


def by_ticks(cases: Mapping[tuple[int, ...], Case], none: Case, others: Case, *controls: str, kind: str = "") -> str:
    """Buttons whose meaning depends on the boxes ticked in their `form`, and a line that says what it is.

    `cases`: by the places of the boxes in the form, rising; `none` ticked; all `others`. The buttons (`sends`) have
    {case} in their pattern.

    >>> by_ticks({(0,): Case("roll", "rolls")}, Case(None, "tick one"), Case(None, "one only"), kind="x")
    '<div data-cases="{&quot;0&quot;: [&quot;roll&quot;, ...}" class="x"> <span ...>tick one</span></div>'
    """
    table = {",".join(map(str, places)): case for places, case in cases.items()} | {"": none, "others": others}
    attributes = _attributes(data_cases=json.dumps(table, ensure_ascii=False), class_=kind)
    said = f'<span class="tk-quiet" data-said="yes" role="status">{escape(none.said)}</span>'
    return f"<div{attributes}>{' '.join(controls)} {said}</div>"


def amount(name: str, label: str, value: int, low: int, high: int, *, key: str, off: bool = False) -> str:
    """A slider and a field for its number, in a `form`; a box ticked there may raise what is `high` (`tick`)."""
    same: dict[str, object] = {"value": value, "disabled": "disabled" if off else None}
    ranged = _attributes(type="range", min=low, max=high, data_high=high, data_key=f"{key}-slider", **same)
    number = _attributes(
        inputmode="numeric", data_name=name, data_key=key, size=3, autocomplete="off",
        aria_label=_("{label}: a number").format(label=label), **same,
    )  # fmt: skip
    return f"<label>{label} <input{ranged}></label> <input{number}>"


def tick(
    name: str, value: object, content: str, *, key: str, high: int | None = None, ticked: bool = False,
    off: bool = False, kind: str = "", label: str = "",
) -> str:  # fmt: skip
    """A box that says `value` in a `form` while it is ticked; then the amount there goes up to `high`."""
    attributes = _attributes(
        type="checkbox", data_name=name, value=value, data_high=high, data_key=key, aria_label=_name(content, label),
        checked="checked" if ticked else None, disabled="disabled" if off else None,
    )  # fmt: skip
    return f"<label{_attributes(class_=kind)}><input{attributes}> {content}</label>"


def pick(
    name: str, label: str, values: Mapping[Any, str], *, key: str, off: bool = False, by_ticks: bool = False
) -> str:
    """A list to pick from in a `form`: values and what is shown of them; `by_ticks`: those of the `Case` that holds."""
    options = "".join(f'<option value="{escape(str(value))}">{text}</option>' for value, text in values.items())
    attributes = _attributes(
        data_name=name, data_key=key, data_by="ticks" if by_ticks else None, disabled="disabled" if off else None
    )
    return f"<label>{label} <select{attributes}>{options}</select></label>"


def error(message: str) -> str:
    """Return the message about an error, to stand next to its field; nothing for ""."""
    return f'<div class="tk-error" role="alert">{escape(message)}</div>' if message else ""
