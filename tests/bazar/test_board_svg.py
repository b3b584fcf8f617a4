"""A state of Bazar as an SVG picture: everything is on it, inside it, and no more than the viewer may know."""

import random
import re
from xml.etree import ElementTree

import pytest

from tradekit import bazar, theme
from tradekit.game import play_on
from tradekit.record import Record

SVG = "{http://www.w3.org/2000/svg}"
STATE = bazar.State.parse(
    "bazar players=2 deck=house cards=1,4 step=turn turn=p0 hands=RRRWWYY,RRBBGG "
    "stalls=WWWWW*:0,RRWBB:1,RWGGY:0,-:0 bought=RWBGY:8;RBGYY:3,RRBBG:5;WWBGG:2;RWBBB:1 idle=0"
)


def drawn(svg):
    """Return the picture's texts, and the letters of its stones, row by row; anything drawn beyond its edge fails."""
    root = ElementTree.fromstring(svg)
    texts, rows = [], {}

    def walk(element, x, y):
        for child in element:
            if child.tag == f"{SVG}g":
                dx, dy = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", child.get("transform")).groups())
                walk(child, x + dx, y + dy)
            elif child.tag == f"{SVG}text":
                place = x + float(child.get("x")), y + float(child.get("y"))
                if child.get("font-size") == "12" and child.get("text-anchor") == "middle":
                    rows[x, place[1]] = rows.get((x, place[1]), "") + child.text
                else:
                    texts.append((child.text, *place))
            elif child.tag == f"{SVG}circle":
                assert float(root.get("width")) >= x + float(child.get("cx")) + 12
                assert child.get("fill") in {fill for fill, _letter in theme.STONES.values()}

    walk(root, 0, 0)
    assert all(y < float(root.get("height")) for _text, _x, y in texts)
    return [text for text, _x, _y in texts], [rows[place] for place in sorted(rows)]


def test_everything_is_on_the_picture():
    texts, rows = drawn(STATE.to_svg(names=("Ada & Bo", "chain")))
    equations = [f"{e.left}{e.right}" for e in STATE.equations]
    assert rows[: len(equations)] == equations, "the exchange, side beside side"
    assert rows[len(equations) :] == ["RWBGY", "WWWWW", "RRWBB", "RWGGY", "RRRWWYY", "RRBBGG"]  # bank, stalls, players
    assert texts[0] == "Ada & Bo: roll the die, or make one trade."
    assert {"▸ Ada & Bo", "chain", "11 points", "8 points", "★", "1 below", "empty"} <= set(texts)
    assert {"RWBGY +8 · RBGYY +3", "RRBBG +5 · WWBGG +2 · RWBBB +1"} <= set(texts)
    assert [str(number) for number in STATE.stock.counts] == [text for text in texts if text.isdecimal()]


def test_it_is_named_by_its_sentence_and_loads_nothing():
    svg = STATE.to_svg()
    assert ElementTree.fromstring(svg).find(f"{SVG}title").text == "player 1: roll the die, or make one trade."
    assert re.findall(r"(?:href|url|src)\W", svg) == []


@pytest.mark.parametrize("options", [{}, {"players": 1, "series": 3}, {"players": 6}, {"double": True}], ids=str)
def test_every_state_of_a_game_has_a_picture(options):
    for state in play_on(bazar.new(**{"patience": 10} | options), random.Random(1)):
        texts, rows = drawn(state.to_svg())
        hands = [str(hand) for hand in state.holdings if hand]
        assert rows[len(rows) - len(hands) :] == hands, "the players stand last"
        assert texts[0]
    assert ("wins" in " ".join(texts)) == (options.get("players") != 1)


def test_BZ_22_the_stones_of_others_are_a_number():
    """And the picture does not change with what its viewer cannot see."""
    state = bazar.State.parse(str(STATE).replace(" step=", " hidden=yes step=", 1))
    texts, rows = drawn(state.to_svg(1))
    assert "RRBBGG" in rows and "RRRWWYY" not in rows
    assert "7 stones" in texts
    assert "87 stones" in texts, "and so are those of the bank, which would tell them"
    other = bazar.State.parse(str(state).replace("RRRWWYY,", "RRRWWYB,"))
    assert state.to_svg(1) == other.to_svg(1) and state.html(1, live=True) == other.html(1, live=True)
    assert state.to_svg(0) != other.to_svg(0) and state.to_svg() != other.to_svg()
    assert "RRRWWYY" in drawn(state.to_svg())[1], "who may see all sees all"


def test_a_record_shows_any_of_its_states():
    record = Record.begin(bazar.new(cards=(1, 4), seed=7), ["Ada", "Bo"]).with_move("roll").with_move("R")
    texts, rows = drawn(record.state(2).to_svg(names=record.names))
    assert "R" in rows and "Bo" in " ".join(texts)
