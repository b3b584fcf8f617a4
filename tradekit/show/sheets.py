"""Style sheets: whole for a live page, and for a still output only the rules that it uses.

Write a sheet as if it were inside `.tk { … }`: `&.tk-page` is the root itself, and everything else is inside it. So a
sheet never changes the notebook around it, and our rules outrank those of JupyterLab for lists, tables and headings in
outputs (`.jp-RenderedHTMLCommon ul:not(.list-inline)`): for that, the root's class is written twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Final

from tradekit import theme

_ROOT: Final = ".tk.tk"
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_IN_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\]]*\]")
_NAME: Final = re.compile(r"\.(tk-[\w-]+)|(?<![\w:.-])([a-z]\w*)")  # of a class or an element, in a selector
_CHOICE: Final = re.compile(r":(?:is|where)\(([^()]*)\)")
_CLASSES: Final = re.compile(r"""class=["']([^"']*)["']""")
_ELEMENT: Final = re.compile(r"<([a-z]\w*)")
_TOKEN: Final = re.compile(r"var\(--([\w-]+)\)")
_FIXED: Final = {name: size for name, size in theme.SIZES.items() if name != "font"}  # shorter than their names
_COMMA: Final = re.compile(r",(?![^()]*\))\s*")  # between selectors, and not within :is(...)

# What nobody can do in a still output, and what moves.
_ACTS: Final = re.compile(
    r":(hover|active|focus|checked)|\[(aria-(pressed|expanded|disabled)|data-why|hidden)|tk-phone"
)
_OF_LIFE: Final = re.compile(r"@keyframes|prefers-reduced-motion")
_MOVES: Final = re.compile(r"(cursor|transition|animation[\w-]*):[^;]*;?")


@dataclass(frozen=True)
class Sheet:
    """A style sheet, in our own way of writing; sheets are added with +.

    >>> sheet = Sheet(".tk-chip { color: var(--ink) } .tk-log li { margin: 0 } &.tk-page { padding: 0 }")
    >>> print(sheet.whole())
    .tk{color-scheme:light;--cloth:#f5f0e4;...}
    ...
    .tk.tk .tk-chip{color:var(--ink)}
    .tk.tk .tk-log li{margin:0}
    .tk.tk.tk-page{padding:0}
    >>> print(sheet.used_by('<div class="tk tk-page"><p class="tk-log">no list</p></div>'))
    .tk.tk.tk-page{padding:0}
    """

    source: str = field(repr=False)

    def __add__(self, other: Sheet) -> Sheet:
        return Sheet(f"{self.source}\n{other.source}")

    @classmethod
    def read(cls, package: str, name: str) -> Sheet:
        """Read the sheet `name` from the folder of a package."""
        return cls((files(package) / name).read_text("utf-8"))

    def whole(self) -> str:
        """Return the sheet with all tokens, for a live page."""
        return self._written(None, theme.tokens())

    def used_by(self, html: str) -> str:
        """Return the rules that `html` can use where nobody acts and nothing moves, with their tokens."""
        names = {name for found in _CLASSES.findall(html) for name in found.split()} | {*_ELEMENT.findall(html)}
        rules = self._written(names, "")
        rules = _TOKEN.sub(lambda token: _FIXED.get(token[1], token[0]), rules)
        used = {*_TOKEN.findall(rules), *_TOKEN.findall(html)}
        return self._joined(theme.tokens(used, live=False) if used else "", rules)

    def _written(self, names: set[str] | None, head: str) -> str:
        return self._joined(head, *(text for rule in self._rules if (text := rule.written(names))))

    @staticmethod
    def _joined(*parts: str) -> str:
        return "\n".join(part for part in parts if part)

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        return tuple(_parsed(_COMMENT.sub("", self.source)))


@dataclass(frozen=True)
class Rule:
    """A rule, or with `within` a group of them, such as those of a media query."""

    head: str  #: its selectors, or its at-rule
    body: str = ""
    within: tuple[Rule, ...] = ()

    def written(self, names: set[str] | None) -> str:
        """Return the rule if a still output with these classes and elements can use it; None: a live page."""
        if names is not None and _OF_LIFE.search(self.head):
            return ""
        if self.within:
            inner = "".join(rule.written(names) for rule in self.within)
            return f"{self.head}{{{inner}}}" if inner else ""
        if self.head.startswith("@"):
            return f"{self.head}{{{self.body}}}"
        selectors = _COMMA.split(self.head)
        if names is None:
            return f"{','.join(map(_rooted, selectors))}{{{self.body}}}"
        selectors = [selector for selector in selectors if _finds(selector, names)]
        body = _MOVES.sub("", self.body).rstrip(";")
        return f"{','.join(map(_rooted, selectors))}{{{body}}}" if selectors and body else ""


def _finds(selector: str, names: set[str]) -> bool:
    """Return True if a selector can find something in a still output with these classes and elements."""
    if _ACTS.search(selector) or not _named(_IN_BRACKETS.sub("", selector)) <= names:
        return False
    return all(any(_named(one) <= names for one in choice.split(",")) for choice in _CHOICE.findall(selector))


def _named(selector: str) -> set[str]:
    """Return the classes and elements that a selector names."""
    return {name for pair in _NAME.findall(selector) for name in pair if name}


def _rooted(selector: str) -> str:
    """Return a selector placed inside the root; with & it selects the root itself."""
    return selector.replace("&", _ROOT) if "&" in selector else f"{_ROOT} {selector}"


def _parsed(css: str) -> Iterator[Rule]:
    """Yield the rules of a sheet without comments."""
    at = 0
    while (opening := css.find("{", at)) >= 0:
        head, end = " ".join(css[at:opening].split()), css.find("}", opening) + 1
        while css.count("{", opening, end) > css.count("}", opening, end):  # until the group is closed
            end = css.find("}", end) + 1
        body = " ".join(css[opening + 1 : end - 1].split())
        nested = head.startswith("@") and "{" in body and not head.startswith("@keyframes")
        yield Rule(head, within=tuple(_parsed(body))) if nested else Rule(head, _tight(body))
        at = end


def _tight(body: str) -> str:
    """Return declarations without spaces that say nothing."""
    return body.replace(": ", ":").replace("; ", ";").replace(", ", ",").rstrip(";")
