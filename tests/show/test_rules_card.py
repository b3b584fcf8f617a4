"""The rules in ten lines: complete, short, in both languages, and linked to."""

import re
from pathlib import Path

import pytest

from tradekit import game, i18n
from tradekit.show import rules_card

DOCS = Path(__file__).parents[2] / "docs"
GAMES = ("bazar", "silk", "turin")


def numbers(name):
    """The numbers of the rules that are played: those of the page of rules, up to what the analysis answers."""
    page = (DOCS / f"{name}-rules.md").read_text("utf-8").split("\n## What the analysis answers")[0]
    return re.findall(r"^- ([A-Z]{2}-\d+) ", page, re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_ten_lines_cover_every_rule_once(name):
    lines = rules_card.rules_of(game.find(name))
    covered = [number for line in lines for number in line.covers]
    assert len(lines) == 10
    assert sorted(covered) == sorted(numbers(name))


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", GAMES)
def test_lines_are_short_and_in_the_language(name, language):
    lines = rules_card.rules_of(game.find(name))
    try:
        i18n.set_language(language)
        texts = [i18n.translate(line.text) for line in lines]
    finally:
        i18n.set_language("en")
    assert all(40 < len(text) < 180 and text.endswith(".") for text in texts), max(texts, key=len)
    assert ([line.text for line in lines] == texts) == (language == "en")


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_rules_begins_with_the_same_lines(name):
    page = (DOCS / f"{name}-rules.md").read_text("utf-8")
    for n, line in enumerate(rules_card.rules_of(game.find(name)), 1):
        assert f"\n{n}. **{line.title}.** {line.text} ({', '.join(line.covers)})\n" in page


def test_a_line_is_lit_by_every_rule_that_it_covers():
    lines = rules_card.rules_of(game.find("silk"))
    for line in lines:
        for number in line.covers:
            lit = re.findall(r'<li id="([^"]*)" class="tk-lit"', rules_card.card(lines, number))
            assert lit == [f"tk-rule-{line.covers[0]}"]


def test_numbers_become_links_and_everything_else_is_escaped():
    lines = rules_card.rules_of(game.find("bazar"))
    shown = rules_card.linked("<b> & BZ-12, XY-1", lines, lambda number: rules_card.Markup("<a>{}</a>").format(number))
    assert shown == "&lt;b&gt; &amp; <a>BZ-12</a>, XY-1"


def test_a_game_without_a_card_has_no_lines():
    assert rules_card.rules_of(game.Game("nothing", game.State, lambda: None, (1,))) == ()
