"""The handout of an exercise: the question with room for an answer, and a page for the teacher."""

from __future__ import annotations

import re
from typing import Any, Final

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from tradekit._utils.arguments import checked
from tradekit.exercises.questions import given
from tradekit.handouts import lessons
from tradekit.i18n import _
from tradekit.show.html import element, fragment
from tradekit.show.paper import Handout, page, ruled

_LINES: Final = {
    "<svg": 5,
    "<table": 7,
    "<ol": 10,
    "": 14,
}  # lines to write on, by what else takes up room on the page
_MARK: Final = "\ue000"  # of a formula, in no text
_FORMULA: Final = re.compile(r"(`+)(?:.+?)\1|\$\$(?P<block>.+?)\$\$|\$(?P<inline>[^$\n]+?)\$", re.DOTALL)


@checked
def exercise(name: str, answers: bool = True) -> Handout:
    """Return the handout of an exercise of the notebooks, named as there ("02.1").

    The question comes with its context (the equations, the position) and ruled lines; with `answers` a second page for
    the teacher has the answer and the worked solution. The text is that of the installed notebooks, in the current
    language if they exist in it. Raises `ParseError` for an unknown exercise, and `ImportError` if the library that
    reads Markdown is missing.

    >>> exercise("02.1", answers=False)
    handout 'Trade chains: the exchange is a graph, exercise 02.1', 1 page: save(path) writes it
    """
    asked = lessons.question(name)
    title = _("{notebook}, exercise {name}").format(notebook=asked.notebook, name=name)
    shown = given(name)
    about = fragment(element("div", part, class_="given") for part in shown)
    lines = next(lines for tag, lines in _LINES.items() if tag in about)
    text = markdown(f"{asked.lead}\n\n{asked.text}")
    heading = element("h1", _("Exercise {name}").format(name=name))
    pages = [page(asked.notebook, heading, about, text, ruled(lines))]
    if answers:
        pages.append(page(title, _answer(name), to_fill_in=False))
    return Handout(title, tuple(pages))


def _answer(name: str) -> Markup:
    """Return the teacher's page."""
    found = lessons.answer(name)
    box = (
        element("div", element("b", _("The answer"), ":"), " ", _written(found), class_="answer")
        if found is not None
        else ""
    )
    heading = element("h1", _("For the teacher: {name}").format(name=name))
    return heading + box + fragment(map(_cell, lessons.solution(name)))


def _cell(cell: lessons.Cell) -> str:
    if cell.kind == "markdown":
        return markdown(cell.source)
    source = "\n".join(line for line in cell.source.splitlines() if not line.startswith("# NBVAL"))
    outputs = fragment(element("div", output, class_="output") for output in cell.outputs)
    return fragment(element("pre", source), outputs)


def _written(answer: Any) -> str:
    """Return an answer as HTML, with numbers to four digits."""
    value = answer.item() if hasattr(answer, "item") else answer
    if isinstance(value, (tuple, list)):
        return ", ".join(map(_written, value))
    if isinstance(value, float):
        return f"{value:.4g}"
    return element("code", str(value)) if isinstance(value, str) else escape(value)


def markdown(text: str) -> str:
    """Return Markdown as HTML with formulas; raises `ImportError` that says what to install.

    >>> markdown("**bold** and $v_i$")
    Markup('<p><strong>bold</strong> and <span class="formula"><math ...><msub><mi>v</mi>...</math></span></p>')
    """
    try:
        import mistune  # comes with JupyterLab
    except ImportError:
        raise ImportError(
            _("handouts of exercises need mistune, which reads Markdown: pip install 'tradekit[lab]'")
        ) from None
    formulas: list[Markup] = []  # each has a mark in the text meanwhile: what is Markdown in it is not meant

    def mark(found: re.Match[str]) -> str:
        if not found["block"] and not found["inline"]:  # code
            return found[0]
        formulas.append(_set(found))
        return _MARK

    html = str(mistune.html(_FORMULA.sub(mark, text.replace(_MARK, "")))).strip()
    return Markup(re.sub(_MARK, lambda _found: formulas.pop(0), html))


def _set(found: re.Match[str]) -> Markup:
    """Return a formula as HTML."""
    if found["block"]:
        return element("div", _formula(found["block"], "block"), class_="formula")
    return element("span", _formula(found["inline"], "inline"), class_="formula")


def _formula(tex: str, display: str) -> Markup:
    """Return a formula as MathML, which browsers draw and print; TeX that is not a formula stays as it was typed."""
    try:
        return Markup(convert(tex, display=display))
    except Exception:  # latex2mathml has a class of errors for each kind of mistake, and an IndexError now and then
        return element("code", tex)
