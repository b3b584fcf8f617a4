"""WCAG 2.5.3: the name of a control contains its visible words, so that a person can say them to a computer."""

import random
import re
from html.parser import HTMLParser

import pytest
from markupsafe import Markup

from tradekit import Record, auctions, bazar, play, silk, turin
from tradekit.game import CHANCE, choices
from tradekit.show import html
from tradekit.widgets.bidding import STEPS

CONTROLS = {"button", "a", "input", "select", "textarea", "summary"}
EMPTY = {"input", "br", "img", "hr", "meta", "link", "path", "circle", "rect", "line", "polygon", "use"}


class Controls(HTMLParser):
    """The controls of a page: the name of each, and the words visible on it or on the label around it."""

    def __init__(self, page):
        super().__init__()
        self.stack, self.found = [], []  # of (tag, attributes, seen)
        self.feed(str(page))
        self.close()

    def handle_starttag(self, tag, attributes):
        entry = (tag, dict(attributes), [])
        if tag in EMPTY:
            if tag in CONTROLS:
                label = next((above for above in self.stack if above[0] == "label"), None)
                self.found.append((tag, entry[1], label[2] if label else entry[2]))
            return
        if tag in ("select", "textarea"):  # their content is a value, not a name
            label = next((above for above in self.stack if above[0] == "label"), None)
            self.found.append((tag, entry[1], label[2] if label else []))
        elif tag in CONTROLS:
            self.found.append((tag, entry[1], entry[2]))
        self.stack.append(entry)

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if any(above[0] == tag for above in self.stack):
            while self.stack.pop()[0] != tag:
                pass

    def handle_data(self, data):
        if any(attributes.get("aria-hidden") == "true" for _tag, attributes, _seen in self.stack):
            return
        if any(tag in ("select", "textarea", "style", "title", "desc") for tag, _attributes, _seen in self.stack):
            return
        for _tag, _attributes, seen in self.stack:
            seen.append(data)


def words(text):
    return " ".join(re.findall(r"\w+", text.casefold()))


def without_its_words(page):
    """Return the controls whose name does not contain the words visible on them."""
    return [
        (tag, attributes["aria-label"], " ".join(seen))
        for tag, attributes, seen in Controls(page).found
        if "aria-label" in attributes
        and (said := words(" ".join(seen)))
        and f" {said} " not in f" {words(attributes['aria-label'])} "
    ]


def tables(tmp_path):
    """Yield tables of all games, in the middle of them."""
    starts = {
        "bazar": bazar.new(players=2, cards=(1, 4), seed=7),
        "alone": bazar.new(players=1, cards=(1, 4), seed=7),
        "turin": turin.new(3, seed=1),
        "turin at four": turin.new(4, seed=2),
        "silk": silk.new(players=3, seed=3),
    }
    for name, start in starts.items():
        rng = random.Random(name)
        record = Record.begin(start, ["Ana", "Bo", "Carla", "Dora"][: start.players])
        for move in range(40):
            state = record.state()
            if not state.actors:
                break
            actor = state.actors[0]
            record = record.with_move(rng.choice([*choices(state, actor)]), actor)
            if actor != CHANCE and move % 3 == 0:
                yield f"{name} {move}", play(record, seed=1, file=tmp_path / f"{name} {move}.txt")


def pages(tmp_path):
    for name, table in tables(tmp_path):
        for do in ("", "uncover", "seating", "hint", "replay"):
            if do:
                table.receive(do, "1" if do == "replay" else "")
                table.refresh()
            yield f"{name} {do}", " ".join(table.parts.values())
    yield (
        "explorer",
        " ".join(bazar.explore(cards=(1, 4), have="RRWG", wares=["RWBGY", "GGGGG*"], die=True).parts.values()),
    )
    yield "lab", " ".join(auctions.lab(risk=auctions.CRRA(0.5)).parts.values())
    game = auctions.bidding_game(rounds=2)
    game.receive("amount", "0.2")
    for do in ("bid", *["uncover"] * len(STEPS), "next", "no_bid", "uncover_all", "next"):
        game.receive(do, "")
        game.refresh()
        yield f"bidding {do}", " ".join(game.parts.values())


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_name_of_every_control_has_the_words_that_are_seen_on_it(language, tmp_path, request):
    if language == "es":
        request.getfixturevalue("spanish")
    found = {name: without_its_words(page) for name, page in pages(tmp_path)}
    assert len(found) > 100 and sum("<button" in page for _name, page in pages(tmp_path / "again")) > 100
    assert not [(name, *control) for name, controls in found.items() for control in controls]


def test_the_test_sees_a_control_whose_name_lacks_its_words():
    assert without_its_words('<button aria-label="halt the bots">Stop</button>')
    assert not without_its_words('<button aria-label="Stop: halt the bots"><b>Stop</b></button>')
    assert not without_its_words('<button aria-label="less"><span aria-hidden="true">Stop</span></button>')
    assert without_its_words('<label>Loan <input aria-label="borrow"></label>')


@pytest.mark.parametrize(
    ("content", "label", "name"),
    [
        ("Stop", "halt the bots", "Stop: halt the bots"),
        ("Roll", "roll the die", "roll the die"),
        ("−", "one less", "one less"),
        (Markup('<b>R</b><span aria-hidden="true">x</span>'), "add a stone", "R: add a stone"),
        ("Tom & Ana", "deal", "Tom & Ana: deal"),
        (Markup("Tom &amp; Ana"), "deal", "Tom & Ana: deal"),
    ],
)
def test_a_button_s_name_begins_with_its_words_if_it_has_them_not(content, label, name):
    made = dict(Controls(html.button("do", "", content, label=label)).found[0][1])
    assert made["aria-label"] == name and made["title"] == label
