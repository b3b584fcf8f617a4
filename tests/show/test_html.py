"""HTML by construction: whatever is put into a page comes out as that text, and nowhere as an element."""

import ast
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

import tradekit
from tradekit.show import html

HOME = Path(tradekit.__file__).parent
#: Reads finished pages and writes them again for outputs of cells: what it writes is escaped there, as a parser does.
REWRITES = {"widgets/still.py"}

texts = st.text(st.sampled_from("ab<>&\"' "), max_size=8).map(lambda text: f"<i>{text}</i>&amp;\"'")


class Read(HTMLParser):
    """The elements, values of attributes and texts of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.values, self.texts = [], [], []
        self.feed(str(page))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.values += [value for _name, value in attrs]

    def handle_data(self, data):
        self.texts.append(data)


BUILDERS = {
    "element": lambda text: html.element("p", text, title=text),
    "fragment": lambda text: html.fragment(text, [text, html.element("b", text)]),
    "spaced": lambda text: html.spaced(text, text),
    "filled": lambda text: html.filled("{name} & {other}", name=text, other=html.element("b", text)),
    "document": lambda text: html.document(text, "", html.element("p", text), language="en"),
    "heading": html.heading,
    "quiet": html.quiet,
    "row": lambda text: html.row(text, label=text),
    "button": lambda text: html.button("do", text, text, label=text, badge=text),
    "switched_off": lambda text: html.switched_off(text, text, text),
    "field": lambda text: html.field("do", text, text, hint=text),
    "slider": lambda text: html.slider("do", text, 1, 0, 2, 1, typed=text),
    "area": lambda text: html.area("do", text, text, rows=2),
    "select": lambda text: html.select("do", text, {text: text}, first=text),
    "code": lambda text: html.code("key", text, text, text, text),
    "table": lambda text: html.table([text], [[text]], [0]),
    "form": lambda text: html.form(text, label=text),
    "sends": lambda text: html.sends("do", text, text, key=text, label=text, badge=text),
    "by_ticks": lambda text: html.by_ticks({}, html.Case(None, text), html.Case(None, text), text),
    "amount": lambda text: html.amount("n", text, 1, 0, 2, key=text),
    "tick": lambda text: html.tick("n", text, text, key=text, label=text),
    "pick": lambda text: html.pick("n", text, {text: text}, key=text),
    "error": html.error,
}


def test_every_builder_is_here():
    made = {name for name, value in vars(html).items() if callable(value) and name[0] != "_" and name.islower()}
    ours = {name for name in made if getattr(vars(html)[name], "__module__", "") == html.__name__}
    assert ours - BUILDERS.keys() == {"letters", "options"}  # of names, two letters each; `select` and `pick`


@pytest.mark.parametrize("name", sorted(BUILDERS))
@given(text=texts)
def test_text_comes_out_as_text(name, text):
    made = BUILDERS[name](text)
    assert isinstance(made, Markup)
    read = Read(made)
    assert "i" not in read.tags
    assert text in "".join(read.texts) or text in read.values


@given(text=texts)
def test_markup_comes_out_as_it_is(text):
    inner = html.element("b", text)
    assert html.element("p", inner) == f"<p>{inner}</p>" == html.element("p", [None, [inner]])


@given(st.sampled_from([3, 2.5, True]))
def test_what_is_no_text_is_written(value):
    assert html.fragment(value) == str(value)


def test_no_module_escapes_by_hand():
    """Neither `html.escape` nor a page in an f-string: escaping that is done by hand is forgotten somewhere."""
    for path in HOME.rglob("*.py"):
        if path.relative_to(HOME).as_posix() in REWRITES:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "html":
                assert "escape" not in {name.name for name in node.names}, path
