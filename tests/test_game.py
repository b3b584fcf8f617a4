"""The parts of the contract: text forms, chance, games by name."""

import random
import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toy import GAME, Toy
from tradekit import game
from tradekit.game import (
    CHANCE,
    Action,
    IllegalAction,
    Listed,
    ParseError,
    State,
    View,
    draw,
    find,
    keyed,
    play_on,
    random_moves,
    read,
    register,
)


def test_an_action_is_its_text():
    assert Action("R=WW") == "R=WW" and hash(Action("R=WW")) == hash("R=WW") and {Action("roll"): 1}["roll"] == 1
    assert repr(Action("roll")) == "Action('roll')" and eval(repr(Action("roll"))) == "roll"


def test_listed_actions_are_sampled_evenly():
    actions, rng = Listed.of("a", "b", "c"), random.Random(1)
    seen = Counter(actions.sample(rng) for _ in range(3000))
    assert set(seen) == {"a", "b", "c"} and min(seen.values()) > 850


@given(st.tuples(st.integers(-2, 3), st.integers(-2, 3)), st.integers(-1, 1))
def test_text_comes_free_and_reads_back(numbers, winner):
    state = Toy(numbers=numbers, winner=winner)
    assert Toy.parse(str(state)) == state == eval(repr(state)) == read(str(state))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a state of toy begins with 'toy'"),
        ("toy numbers=[1,2] bids=[1,2]", "state of toy: winner= is missing"),
        ("toy numbers=[1,2] bids=[1,2 winner=0", "bids=[1,2: that value cannot be read"),
        ("toy numbers=[1,2] bids=[1,2] winner=0 moon=1", "'moon=1' does not belong here"),
    ],
)
def test_faulty_text(text, message):
    with pytest.raises(ParseError) as error:
        Toy.parse(text)
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["", "chess white=king"])
def test_text_of_a_game_that_nobody_knows(text):
    with pytest.raises(ParseError, match=r"there is no game .*; there are bazar"):
        read(text)


def test_games_are_found_by_name():
    assert find("toy") is GAME and find("bazar").state.__name__ == "State"


@pytest.mark.parametrize("name", ["", "two words", "-toy", "toy\n", "a.b", 7, None])
def test_a_game_is_called_by_one_word(name):
    with pytest.raises(ValueError, match="must be one word") as error:
        register(replace(GAME, name=name))
    assert repr(name) in str(error.value) and find("toy") is GAME


@pytest.mark.parametrize(("name", "owner"), [("bazar", "tradekit.bazar.rules"), ("toy", "tests.toy.Toy")])
def test_a_name_that_is_taken_is_refused_and_its_game_stays(name, owner):
    class Other(State):
        pass

    before = find(name)
    with pytest.raises(ValueError, match=f"'{name}' is taken by the game of {owner}; choose another"):
        register(replace(GAME, name=name, state=Other))
    assert find(name) is before


def test_a_game_that_is_registered_again_takes_its_own_place():
    assert register(again := replace(GAME)) is again is find("toy")
    assert register(GAME) is GAME is Toy.game


@pytest.mark.parametrize("name", ["bazar", "bazar-alone", "turin", "silk", "toy"])
def test_who_does_not_exist_is_told_so(name):
    """Our own error, without knowledge of another seat, and without taking chance for a player."""
    declared = find(name)
    for players in {declared.players[0], declared.players[-1]}:
        for state in [*play_on(declared.new(players, seed=1), random.Random(1))][:120:7]:
            there = " and ".join(
                filter(None, [", ".join(f"p{seat}" for seat in range(players - 1)), f"p{players - 1}"])
            )
            for player in (players, players + 7, -2, CHANCE):
                for ask in (state.view, state.html, state.to_svg, state.seen_by):
                    with pytest.raises(IllegalAction) as error:
                        ask(player)
                    assert str(error.value) == f"there is no p{player}, only {there}"
                if player == CHANCE and CHANCE in state.actors:
                    continue
                text = "bid 1" if name == "toy" else "pass"
                with pytest.raises(IllegalAction) as error:
                    state.after(text, player)
                assert not state.actions(player) and f"p{CHANCE}" not in str(error.value)
                if name != "toy" and state.actors and CHANCE not in state.actors and player != CHANCE:
                    assert str(error.value) == f"there is no p{player}, only {there}"
                assert name == "toy" or state.why(text, player) == str(error.value)


def test_views_come_free():
    state = Toy(numbers=(1, 3))
    view = state.view(0)
    assert isinstance(view, View) and view == Toy(numbers=(1, 2)).view(0) != Toy(numbers=(2, 3)).view(0)
    assert str(view) == "p0 toy numbers=[1,-2] bids=[-1,-1] winner=-1"
    assert view.actors == (0, 1) and view.actions() == state.actions(0) and view.scores() == (0, 0)
    assert {view.sample(random.Random(seed)).numbers for seed in range(30)} == {(1, n) for n in (1, 2, 3)}


def test_pictures_come_free():
    assert "toy numbers=[1,-2]" in Toy(numbers=(1, 3)).view(0)._repr_html_()
    assert "numbers=[1,3]" in Toy(numbers=(1, 3))._repr_html_()


def test_a_picture_for_paper_comes_free():
    svg = Toy(numbers=(1, 3)).to_svg(0, names=["Ada & Bo"])
    texts = [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["toy numbers=[1,-2] bids=[-1,-1] winner=-1", None, "▸ Ada & Bo: 0", "▸ player 2: 0"]
    assert "numbers=[1,3]" in Toy(numbers=(1, 3)).to_svg()


def test_chance_is_drawn_as_likely_as_it_says():
    rng = random.Random(3)
    seen = Counter(draw([("a", 0.5), ("b", 0.25), ("c", 0.25)], rng) for _ in range(4000))
    assert abs(seen["a"] - 2000) < 150 and abs(seen["b"] - 1000) < 130
    assert draw([("a", 0.3), ("b", 0.3)], random.Random(0)) in ("a", "b")  # rounding never leaves it without an answer


def test_luck_is_keyed_by_its_place():
    assert keyed(7, "chance", 3).random() == keyed(7, "chance", 3).random()
    others = {keyed(*key).random() for key in [(7, "chance", 3), (7, "chance", 4), (8, "chance", 3), (7, "bot", 3)]}
    assert len(others) == 4


def test_random_play_goes_to_the_end():
    states = [*play_on(Toy(), random.Random(5))]
    assert states[0] == Toy() and not states[-1].actors and all(state.actors for state in states[:-1])
    assert game.CHANCE == -1


@pytest.mark.parametrize("name", ["bazar", "turin", "silk"])
def test_names_are_escaped_once_wherever_a_picture_says_them(name):
    names = ["O'Brien & Co", "<b>Bo</b>", 'the "third"']
    for start in ({"turin": [{"goose": "tie"}]}).get(name, [{}]):
        for state, actor, _action in random_moves(find(name).new(players=3, seed=1, **start), random.Random(1)):
            for viewer in {actor, 0} - {CHANCE}:
                page = state.html(viewer, live=True, names=names)
                assert "<b>Bo" not in page
                assert not re.search(r"&amp;(?:amp|lt|gt|quot|#x?\w+);", page), str(state)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bazar", {}),
        ("bazar", {"double": True}),
        ("turin", {"goose": "tie"}),
        ("turin", {"selling": "several"}),
        ("silk", {}),
        ("silk", {"players": 2}),
    ],
    ids=str,
)
def test_a_hint_marks_a_control_that_is_on_for_every_action_in_the_picture_of_who_may_do_it(name, options):
    """Every action has a control, which carries the hint."""
    luck = random.Random(2)
    for seed in range(2):
        for state, actor, action in random_moves(find(name).new(**{"players": 3, "seed": seed} | options), luck):
            if actor != CHANCE:
                page = state.html(actor, live=True, hint=action)
                marked = re.findall(r"<button[^>]*data-badge=[^>]*>", page)
                assert marked and not any("aria-disabled" in control for control in marked), (action, str(state))
