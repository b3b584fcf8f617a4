"""Style sheets: the whole of it for a live page, and for a still output only the rules that it uses.

A sheet is written as if it stood inside `.tk { … }`: `&.tk-page` is the root itself, all else stands in it. So nothing
of it reaches the notebook around, and our rules outrank those of JupyterLab for lists, tables and headings in outputs
(`.jp-RenderedHTMLCommon ul:not(.list-inline)`), which is why the root's class is written three times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Final

from tradekit import theme

_ROOT: Final = ".tk.tk.tk"
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_IN_BRACKETS: Final = re.compile(r"\([^()]*\)")
_CLASS: Final = re.compile(r"\.(tk-[\w-]+)")
_USED: Final = re.compile(r"""class=["']([^"']*)["']""")
_TOKEN: Final = re.compile(r"var\(--tk-([\w-]+)")
_COMMA: Final = re.compile(r",(?![^()]*\))\s*")  # between selectors, and not within :is(...)


@dataclass(frozen=True)
class Sheet:
    """A style sheet, in our own way of writing; sheets are added with +.

    >>> sheet = Sheet(".tk-chip { color: var(--tk-ink) } .tk-log li { margin: 0 } &.tk-page { padding: 0 }")
    >>> print(sheet.whole())
    .tk { color-scheme: light; --tk-cloth: #f5f0e4; ... }
    .tk.tk.tk .tk-chip { color: var(--tk-ink) }
    .tk.tk.tk .tk-log li { margin: 0 }
    .tk.tk.tk.tk-page { padding: 0 }
    >>> print(sheet.used_by('<div class="tk tk-page"></div>'))
    .tk { color-scheme: light }
    ...
    .tk.tk.tk.tk-page { padding: 0 }
    """

    source: str = field(repr=False)

    def __add__(self, other: Sheet) -> Sheet:
        return Sheet(f"{self.source}\n{other.source}")

    @classmethod
    def read(cls, package: str, name: str) -> Sheet:
        """Read the sheet `name` that stands beside the modules of a package."""
        return cls((files(package) / name).read_text("utf-8"))

    def whole(self) -> str:
        """Return the sheet with all tokens, for a live page."""
        return self._written(None, theme.tokens())

    def used_by(self, html: str) -> str:
        """Return the rules that `html` can use, with their tokens, for a still output."""
        classes = {name for found in _USED.findall(html) for name in found.split()}
        rules = self._written(classes, "")
        return self._joined(theme.tokens({*_TOKEN.findall(rules), *_TOKEN.findall(html)}), rules)

    def _written(self, classes: set[str] | None, head: str) -> str:
        return self._joined(head, *(text for rule in self._rules if (text := rule.written(classes))))

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

    def written(self, classes: set[str] | None) -> str:
        """Return the rule if a page with these classes can use it (None: any page), and otherwise nothing."""
        if self.within:
            inner = " ".join(text for rule in self.within if (text := rule.written(classes)))
            return f"{self.head} {{ {inner} }}" if inner else ""
        if self.head.startswith("@"):
            return f"{self.head} {{ {self.body} }}"
        selectors = [selector for selector in _COMMA.split(self.head) if classes is None or _needs(selector) <= classes]
        return f"{', '.join(map(_rooted, selectors))} {{ {self.body} }}" if selectors else ""


def _needs(selector: str) -> set[str]:
    """Return the classes without which a selector finds nothing; those in brackets are alternatives."""
    return set(_CLASS.findall(_IN_BRACKETS.sub("", selector)))


def _rooted(selector: str) -> str:
    """Return a selector that stands in the root, or with & is about the root itself."""
    return selector.replace("&", _ROOT) if "&" in selector else f"{_ROOT} {selector}"


def _parsed(css: str) -> Iterator[Rule]:
    """Yield the rules of a sheet without comments."""
    at = 0
    while (opening := css.find("{", at)) >= 0:
        head, depth, end = " ".join(css[at:opening].split()), 1, opening + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        body = " ".join(css[opening + 1 : end - 1].split())
        nested = head.startswith("@") and "{" in body and not head.startswith("@keyframes")
        yield Rule(head, within=tuple(_parsed(body))) if nested else Rule(head, body)
        at = end
