"""Handouts: every exercise and every chain makes one that stands alone; formulas can be read without MathJax."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit import bazar, handouts
from tradekit.bazar import Chain, Exchange, Stones
from tradekit.exercises.checking import EXERCISES, check
from tradekit.exercises.questions import given as what_is_given
from tradekit.game import ParseError
from tradekit.handouts import lessons
from tradekit.handouts.exercise_sheet import markdown

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
TONIGHT = Exchange.of_cards(1, 4)
VOID = {"meta", "br", "img", "hr", "input", "circle", "rect", "path", "line"}


class Page(HTMLParser):
    """The texts of a page, and its requests to other hosts; it fails on tags that do not fit."""

    def __init__(self, html):
        super().__init__()
        self.open, self.asks, self.pages = [], [], []
        self.feed(str(html))
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.asks += [(tag, name, value) for name, value in attrs if name in ("src", "href", "srcset", "data")]
        self.asks += [(tag, name, value) for name, value in attrs if name.startswith("on")]
        if tag in ("script", "link", "iframe", "object", "embed"):
            self.asks.append((tag, "", ""))
        if tag == "section":
            self.pages.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.asks += [(tag, name, value) for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.pages and "style" not in self.open:
            self.pages[-1] += data


def shown(handout):
    """Return the texts of a handout's pages, checking that it stands alone."""
    page = Page(handout.html)
    assert not page.asks
    styles = "".join(re.findall(r"<style>(.*?)</style>", handout.html, re.S))
    assert "url(" not in styles and "@import" not in styles and "@page" in styles
    return [re.sub(r"\s+", " ", text).strip() for text in page.pages]


# Exercises


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(EXERCISES))
def test_every_exercise_makes_a_handout_with_its_answer_on_a_page_of_its_own(name):
    handout = handouts.exercise(name)
    student, teacher = shown(handout)
    words = re.sub(r"\W+", " ", unescape(re.sub(r"<[^>]+>", "", markdown(lessons.question(name).text)))).strip()
    assert words in re.sub(r"\W+", " ", student)
    assert f"Exercise {name}" in student and "Name: _" in student and '<div class="rule">' in handout.pages[0]
    found = lessons.answer(name)
    assert found is not None and check(name, found), "the answer printed is one that the check takes"
    assert "The answer:" in teacher and "The answer:" not in student
    for page in handout.pages:
        prose = re.sub(r"<(pre|code)>.*?</\1>", "", page, flags=re.S)
        assert not re.search(r"[$\\]|\*\*", prose) and "NBVAL" not in page
    assert '<div class="output">' in handout.pages[1], "the solution's outputs are for the teacher"
    assert '<div class="output">' not in handout.pages[0]


def test_the_answers_can_be_left_out():
    assert len(shown(handouts.exercise("06.1", answers=False))) == 1


@pytest.mark.parametrize(
    ("name", "answer"),
    [("02.1", "20"), ("06.1", "60"), ("06.3", "31.25"), ("11.1", "5, 2, 7"), ("12.2", "9 11"), ("15.1", "ivory")],
)
def test_answers_are_written_as_a_person_writes_them(name, answer):
    assert f"The answer: {answer}" in shown(handouts.exercise(name))[1]


def test_what_the_question_needs_stands_above_it():
    for name in ("01.1", "02.3", "03.2", "04.1"):
        assert handouts.exercise(name, False).pages[0].count("<li>") == 10
    assert "Values are between 0 and 100" in shown(handouts.exercise("06.2", False))[0]
    assert "The jar" in shown(handouts.exercise("09.1", False))[0]
    assert "2, 2 and 5" in shown(handouts.exercise("10.2", False))[0]
    for name in ("05.1", "05.2", "11.2", "12.2", "12.3", "13.1", "15.2"):
        assert "<svg" in handouts.exercise(name, False).pages[0]


def test_nothing_given_is_of_an_exercise_that_is_not_there():
    from tradekit.exercises import questions as module

    assert all(any(name.startswith(key) for name in EXERCISES) for key in module._GIVEN)
    assert what_is_given("06.1") == []


def test_an_unknown_exercise_is_named_with_those_that_there_are():
    with pytest.raises(ParseError, match=r"no exercise '99.9'; there are 01.1, 01.2"):
        handouts.exercise("99.9")


def test_without_the_library_for_markdown_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mistune", None)
    with pytest.raises(ImportError, match=r"pip install 'tradekit\[lab\]'"):
        handouts.exercise("06.1")


def test_the_language_of_now_is_taken_where_the_notebooks_are_there_in_it(tmp_path, monkeypatch):
    monkeypatch.setattr(lessons.i18n, "_language", "es")
    monkeypatch.setattr(lessons, "files", lambda package: tmp_path)
    (tmp_path / "solutions").mkdir()
    (tmp_path / "es").mkdir()
    for place, text in (
        (tmp_path, "# Chains\n\n**02.1** How many?"),
        (tmp_path / "es", "# Cadenas\n\n**02.1** ¿Cuántas?"),
    ):
        cell = {"cell_type": "markdown", "source": [text]}
        (place / "02_chains.ipynb").write_text(json.dumps({"cells": [cell]}), "utf-8")
    (page,) = shown(handouts.exercise("02.1", answers=False))
    assert "Cadenas" in page and "¿Cuántas?" in page
    monkeypatch.setattr(lessons.i18n, "_language", "fr")
    assert "How many?" in shown(handouts.exercise("02.1", answers=False))[0]


# Formulas and Markdown


def test_every_formula_of_the_notebooks_can_be_read():
    cells = [
        "".join(cell["source"])
        for path in sorted(NOTEBOOKS.rglob("*.ipynb"))
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "markdown"
    ]
    html = [markdown(text) for text in cells]
    formulas = re.findall(r'class="formula">(.*?)</(?:span|div)>', "".join(html), re.S)
    assert len(formulas) > 50
    for text in formulas:
        assert text.startswith("<math ") and text.endswith("</math>")
        said = "".join(ElementTree.fromstring(text).itertext())
        assert said.strip() and not re.search(r"[\\{}$^_]", said), text


@given(st.text("\\{}^_$abfrac 12+-'<&", max_size=30))
def test_whatever_stands_in_a_formula_makes_html(tex):
    Page(markdown(f"one ${tex}$ two"))


def test_tables_code_and_formulas_of_markdown_are_set():
    html = markdown("| a | b |\n|---|---|\n| 1 | $x^2$ |\n\n`$5` and *this*")
    assert "<table>" in html and "<msup><mi>x</mi><mn>2</mn></msup>" in html
    assert "<code>$5</code>" in html and "<em>this</em>" in html


# Chains

chains = st.tuples(
    st.text("RWBGY", min_size=1, max_size=4),
    st.sampled_from(["RWBGY", "GGGGG*", "RRWBB", "YYYYG"]),
    st.sampled_from([None, 0, 1]),
).map(lambda goal: TONIGHT.chain(*goal))


@settings(max_examples=25)
@given(chains)
def test_bz_41_a_chain_s_handout_has_every_trade_and_proves_that_none_is_shorter(chain):
    handout = bazar.handout(chain, TONIGHT)
    (text,) = shown(handout)
    rows = re.findall(r"<tr>(.*?)</tr>", handout.pages[0].split("The trades")[1], re.S)[1 : chain.turns + 1]
    for turn, (row, step) in enumerate(zip(rows, chain.steps, strict=True)):
        spoken = re.findall(r'aria-label="([^"]*)"', row)
        stones = [step.before, step.trade.left, step.trade.right, step.after]
        assert [Stones(words.replace(" ", "")) for words in spoken] == stones
        assert row.rstrip().endswith(f">{chain.turns - turn}</td>"), "each trade leaves one turn fewer to go"
    counts = [*map(int, re.findall(r"<td>(\d+)</td>", handout.pages[0].split("of these buy")[-1]))]
    assert counts[-1] > 0 and not any(counts[:-1]), "nothing buys before the last turn"
    assert "is shorter" in text and "is not a shortest one" not in text


@settings(max_examples=25)
@given(chains)
def test_bz_41_a_puzzle_gives_start_and_ware_and_keeps_the_trades_for_the_teacher(chain):
    handout = bazar.handout(chain, TONIGHT, blank=True)
    puzzle, solved = handout.pages
    filled_in = puzzle.split("Your chain")[1]
    assert filled_in.count("<tr>") == chain.turns + 1
    assert len(re.findall("aria-label", filled_in)) == 1, "only where it begins"
    assert "→" not in puzzle and solved.count("→") == chain.turns
    assert len(bazar.handout(chain, TONIGHT, blank=True, answers=False).pages) == 1
    assert len(shown(handout)) == 2


def test_a_chain_that_is_not_shortest_is_called_so():
    best = TONIGHT.chain("R", "RWBGY")
    around = Chain("R", "RWBGY", ["R=WW", "WW=R", *best.trades])
    (text,) = shown(bazar.handout(around, TONIGHT))
    assert f"This chain is not a shortest one: {best.turns} turns are enough." in text
    assert "No chain" not in text


def test_without_its_exchange_a_chain_has_its_own_equations_and_claims_nothing():
    chain = TONIGHT.chain("RR", "GGGGG*")
    (text,) = shown(bazar.handout(chain))
    assert "Equations of the chain" in text and "shorter" not in text and "turns needed" not in text


def test_stones_bear_letters_and_print_their_colours():
    handout = bazar.handout(TONIGHT.chain("RR", "GGGGG*"))
    assert re.search(r'class="tk-stone tk-R"[^>]*>R<', handout.html)
    assert "print-color-adjust: exact" in handout.html


def test_what_is_no_chain_of_the_exchange_is_refused():
    with pytest.raises(ParseError, match="None is no chain"):
        bazar.handout(None)
    with pytest.raises(ParseError, match=r"B=RRRR: the exchange does not have it \(BZ-10\)"):
        bazar.handout(Chain("BW", "RRRRW", ["B=RRRR"]), TONIGHT)


# The file


def test_a_handout_is_saved_shown_and_named(tmp_path):
    handout = handouts.exercise("06.1", answers=False)
    path = handout.save(tmp_path / "06.1.html")
    assert path.read_text("utf-8") == handout.html
    assert handout._repr_html_() in handout.html, "the picture is the page"
    assert (
        repr(handout)
        == "handout 'Sealed bids: what you pay decides what you bid, exercise 06.1', 1 page: save(path) writes it"
    )
    assert "size:" not in re.search(r"@page \{(.*?)\}", handout.html)[1], "the printer's paper is taken, A4 or Letter"
