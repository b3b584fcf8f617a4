"""The controls of our pages as HTML text: what `live.js` listens to (`data-do`) and gives the focus back to
(`data-key`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from tradekit.i18n import _


def _attributes(**values: object) -> str:
    """Attributes of an element; underscores become hyphens, and None and "" are left out."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in values.items()
        if value is not None and value != ""
    )


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
        aria_label=label, title=label, class_=kind, style=style,
    )  # fmt: skip
    return f"<button{attributes}>{content}</button>"


def switched_off(content: str, key: str, reason: str, kind: str = "") -> str:
    """A button that does nothing and says why. It keeps the focus if it has it, but the Tab key passes it by."""
    attributes = _attributes(
        type="button", class_=f"tk-off {kind}".strip(), aria_disabled="true", tabindex="-1",
        data_key=key, title=reason, aria_label=reason,
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


def error(message: str) -> str:
    """What was wrong, beside the field; nothing for ""."""
    return f'<div class="tk-error" role="alert">{escape(message)}</div>' if message else ""
