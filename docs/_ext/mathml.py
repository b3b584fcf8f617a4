"""Formulas as MathML, written when the site is built: no script, and nothing to load but one font of our own site.

Every modern browser draws MathML; only the font differs. STIX Two Math (SIL Open Font License) comes with the package
ziamath, and is copied into the site.
"""

from importlib.resources import files
from shutil import copyfileobj
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

FONT = "STIXTwoMath-Regular.ttf"


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def visit_displaymath(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands alone."""
    self.body.append(f'<div class="tk-formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def copy_font(app: Sphinx, error: Exception | None) -> None:
    """Copy the font into the folder of the style sheet that names it."""
    if error is None:
        with (files("ziamath.fonts") / FONT).open("rb") as ours, (app.outdir / "_static" / FONT).open("wb") as theirs:
            copyfileobj(ours, theirs)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the writers; called by Sphinx."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    app.connect("build-finished", copy_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
