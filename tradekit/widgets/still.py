"""A page as a picture, for where nobody answers: a code host, a printed page, a notebook that nobody has run yet.

Nothing in it looks as if it could be used: controls are left out, and of those that show something (a card, a choice)
what they show is kept. It is read without its style sheet, too: JupyterLab takes that from a notebook which it does not
trust, with every drawing, so that drawings become images and stones carry their colours themselves.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from typing import Final

from tradekit.i18n import _
from tradekit.theme import STONES

_VOID: Final = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_FIELDS: Final = {"input", "select", "textarea", "datalist", "details"}
_WAITS_FOR_CONTENT: Final = {"div", "section", "p", "ul", "ol", "li", "h3", "h4", "label"}
_KEPT_DATA: Final = {"data-part", "data-n"}


def still(parts: Mapping[str, str], css: str, kind: str) -> str:
    """The still page of these parts, with the style sheet of the live one.

    >>> page = still({"one": '<p>Bid <b>7</b></p><button data-do="bid">Bid</button>'}, "p { margin: 0 }", "tk-live")
    >>> "<p>Bid <b>7</b></p>" in page, "button" in page
    (True, False)
    """
    about = f'<p class="tk-quiet">{_("A picture of the page: run the cell to use it.")}</p>'
    sections = "".join(
        f'<section data-part="{name}">{text}</section>' for name, html in parts.items() if (text := picture(html))
    )
    return f'<div class="tk {kind} tk-still"><style>{css}</style>{about}{sections}</div>'


def picture(html: str) -> str:
    """A part without its controls.

    >>> picture('<button aria-pressed="true">red</button> <button aria-pressed="false">blue</button>')
    '<b class="tk-chosen">red</b> <span>blue</span>'
    >>> picture('<div><label>Seed <input value="7"></label> <button>Undo</button></div>')
    ''
    """
    reader = _Reader()
    reader.feed(str(html))
    reader.close()
    return "".join(text for node in reader.root.children for text in _still(node)).strip()


@dataclass
class _Node:
    """An element; a text is a `str`."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    children: list[_Node | str] = field(default_factory=list)

    def within(self) -> Iterator[_Node]:
        """The elements in it."""
        for child in self.children:
            if isinstance(child, _Node):
                yield child
                yield from child.within()

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()


class _Reader(HTMLParser):
    """Reads what our own pages write: elements that are closed, but for those that never are."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = _Node("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = _Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(_Node(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and self.open[-1].tag == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def _still(node: _Node | str) -> Iterator[str]:
    """The text of an element as a picture; nothing of one that only acts."""
    if isinstance(node, str):
        yield escape(node, quote=False)
    elif node.tag == "style":
        yield f"<style>{''.join(child for child in node.children if isinstance(child, str))}</style>"
    elif node.tag == "svg":
        if node.attributes.get("aria-hidden") != "true":
            yield _image(node)
    elif node.tag == "input" and "tk-code" in node.classes:
        yield f'<code class="tk-code">{escape(node.attributes.get("value") or "")}</code>'
    elif node.tag == "a" and "download" in node.attributes:
        yield _file(node)
    elif node.tag == "details":
        yield " ".join(_file(inner) for inner in node.within() if "download" in inner.attributes)
    elif node.tag == "button":
        yield from _button(node)
    elif node.tag not in _FIELDS and (node.tag != "label" or _shows(node)):
        inside = (" " if node.tag == "div" else "").join(text for child in node.children for text in _still(child))
        if inside.strip() or not node.children or node.tag not in _WAITS_FOR_CONTENT:
            tag = {"label": "span", "a": "span"}.get(node.tag, node.tag)
            end = "" if node.tag in _VOID else f"{inside}</{tag}>"
            yield f"<{tag}{_attributes(node)}>{end}"


def _file(node: _Node) -> str:
    """A link that holds a file itself, so that nobody needs to answer; nothing of another link."""
    link, name = (node.attributes.get(attribute) or "" for attribute in ("href", "download"))
    inside = "".join(text for child in node.children for text in _still(child))
    return f'<a download="{escape(name)}" href="{escape(link)}">{inside}</a>' if link.startswith("data:") else ""


def _shows(label: _Node) -> bool:
    """Return True if a label names more than a field: a card to tick, or code to copy."""
    return any(
        inner.tag not in {"option", "optgroup", *_FIELDS} or "tk-code" in inner.classes for inner in label.within()
    )


def _button(node: _Node) -> Iterator[str]:
    """Return what a button shows: one of a choice, or a thing; a button that only names its action is left out."""
    pressed = node.attributes.get("aria-pressed")
    shows = any(inner.tag != "svg" for inner in node.within())
    if "data-copy" in node.attributes or not (pressed or shows):
        return
    inside = "".join(text for child in node.children for text in _still(child))
    tag = "b" if pressed == "true" else "span"
    kinds = [kind for kind in node.classes if kind not in ("tk-off", "tk-marked")]
    look = {"class": " ".join([*kinds, *["tk-chosen"] * (tag == "b")]), "style": node.attributes.get("style")}
    yield f"<{tag}{_attributes(_Node(tag, {name: value for name, value in look.items() if value}))}>{inside}</{tag}>"


def _attributes(node: _Node) -> str:
    """Its attributes but for those that act, and with the colours of a stone."""
    kept = {
        name: value
        for name, value in node.attributes.items()
        if (not name.startswith("data-") or name in _KEPT_DATA) and name not in ("tabindex", "href", "for")
    }
    if "tk-stone" in node.classes:
        colour = next((kind[3:] for kind in node.classes if kind[3:] in STONES), None)
        if colour:
            fill, letter = STONES[colour]
            kept["style"] = f"{kept.get('style') or ''}background-color:{fill};color:{letter};border-radius:50%"
    return "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in kept.items())


#: What HTML reads in small letters and SVG does not.
_CAPITALS: Final = {
    name.lower(): name
    for name in (
        "viewBox",
        "preserveAspectRatio",
        "clipPath",
        "linearGradient",
        "textLength",
        "gradientUnits",
        "refX",
        "refY",
    )
}


def _image(svg: _Node) -> str:
    """A drawing as an image, on paper: it knows nothing of the page's theme."""
    described = svg.attributes.get("aria-label") or next(
        ("".join(map(str, inner.children)) for inner in svg.within() if inner.tag == "title"), ""
    )
    svg.attributes["xmlns"] = "http://www.w3.org/2000/svg"
    data = b64encode(_drawn(svg).encode()).decode()
    size = "".join(
        f' {side}="{escape(svg.attributes[side] or "")}"' for side in ("width", "height") if svg.attributes.get(side)
    )
    look = "background-color:#fff;max-width:100%;height:auto"
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(described)}"{size} style="{look}">'


def _drawn(node: _Node | str) -> str:
    """A drawing's own text, its links left out."""
    if isinstance(node, str):
        return escape(node, quote=False)
    tag = "g" if node.tag == "a" else _CAPITALS.get(node.tag, node.tag)
    attributes = "".join(
        f' {_CAPITALS.get(name, name)}="{escape(value or "")}"'
        for name, value in node.attributes.items()
        if not name.startswith("data-") and name not in ("href", "xlink:href", "tabindex")
    )
    return f"<{tag}{attributes}>{''.join(map(_drawn, node.children))}</{tag}>"
