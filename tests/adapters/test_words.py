"""Actions as numbers: every action has a path of its own, word by word, and there is no other path."""

import math
import pickle
import random
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.sealed import Sealed
from tests.toy import Toy
from tradekit import bazar, silk, turin
from tradekit.adapters.play import Moment
from tradekit.adapters.words import END, MORE, Choice, Words
from tradekit.game import CHANCE, Action, IllegalAction, choices, random_moves

STARTS = [
    Toy(),
    Sealed(),
    *(bazar.new(players, patience=10) for players in (1, 2, 6)),
    bazar.new(2, cards=(1, 4), double=True, over_ten="penalty"),
    *(turin.new(players, goose=goose, selling="several") for players, goose in ((2, "tie"), (5, "underdog"))),
    turin.new(3, games=2),
    *(silk.new(players, run_outs=1, dropped=50) for players in (2, 3, 5)),
]


def leaves(choice):
    """Yield all actions that words lead to, each with the product of the probabilities on its way."""
    chances = dict(choice.chances)
    assert [*chances] == choice.numbers == sorted(choice.numbers)
    for number in choice.numbers:
        left = choice.say(number)
        if isinstance(left, Action):
            yield left, chances[number]
        else:
            yield from ((action, chance * chances[number]) for action, chance in leaves(left))


@pytest.mark.parametrize("start", STARTS, ids=lambda start: str(start)[:45])
def test_words_lead_to_every_action_and_to_nothing_else(start):
    """This includes the actions of chance, with the game's probabilities."""
    words = Words.of(start)
    for state, actor, action in random_moves(start, random.Random(1)):
        if action is None:
            break
        some = choices(state, actor)
        choice = Moment(words, state).choice(actor)
        if len(some) <= 300:
            found = dict(leaves(choice))
            assert found.keys() == {*some}
            if actor == CHANCE:
                assert all(math.isclose(found[said], chance) for said, chance in state.outcomes())
        left, spelled = choice, words.spelled(action)
        while not isinstance(left, Action):  # the way to one of many
            left = left.say(spelled[left.place])
        assert left == action


@pytest.mark.parametrize("start", STARTS, ids=lambda start: str(start)[:45])
def test_all_that_is_said_in_a_game_has_words(start):
    words = Words.of(start)
    for seed in range(4):
        for _state, _actor, action in random_moves(start, random.Random(seed)):
            if action is not None:
                assert END not in words.spelled(action)[:-1] and max(words.spelled(action)) < len(words)


@given(st.lists(st.integers(0, 500) | st.sampled_from(["sell", "bid", "loan", "p1", "pass"]), min_size=1, max_size=4))
def test_numbers_of_any_size_are_spelled_and_can_be_read_back(said):
    """A number above the largest one named is a sum, so that nothing else is spelled like it."""
    words = Words.of(turin.new(3))
    spelled = words.spelled(" ".join(map(str, said)))
    back, total = [], 0
    for number in spelled[:-1]:
        text = words.texts[number]
        if number == MORE:
            total += words.largest + 1
        elif text.isdecimal():
            back.append(total + int(text))
            total = 0
        else:
            back.append(text)
    assert back == said and spelled[-1] == END


def test_an_action_that_begins_like_another_is_ended_by_a_word():
    words = Words.of(turin.new(3))
    choice = Choice.among(words, [(Action(a), 1) for a in ("bid 3", "bid 3 loan", "bid 60", "bid 4")])
    assert choice.texts == ["+27", "3", "4"] and words.said(choice.clear) == "bid"
    assert choice.text(choice.numbers[0]) == "bid 60" and choice.text(choice.numbers[1]) == "bid 3 …"
    three = choice.say(choice.numbers[1])
    assert three.texts == [".", "loan"] and three.say(END) == "bid 3"
    assert three.text(END) == "bid 3" and three.text(three.numbers[1]) == "bid 3 loan"


def test_one_action_alone_is_still_a_decision():
    words = Words.of(turin.new(3))
    choice = Choice.among(words, [(Action("no goose"), 1)])
    assert choice.texts == ["no"] and choice.text(choice.numbers[0]) == choice.say(choice.numbers[0]) == "no goose"


def test_a_word_that_cannot_come_next_is_refused_with_those_that_can():
    state = bazar.new(cards=(1, 4), seed=7)
    choice = Moment(Words.of(state), state).choice(state.actors[0])
    with pytest.raises(IllegalAction, match=r"0 \(\.\) cannot come next after ''; these can: roll"):
        choice.say(END)
    with pytest.raises(IllegalAction, match="9999"):
        choice.say(9999)


def test_a_word_that_the_vocabulary_lacks_is_an_error_that_says_so():
    with pytest.raises(ValueError, match=r"'bid much': the vocabulary of turin does not name 'much'"):
        Words.of(turin.new(3)).spelled("bid much")


def test_words_are_made_once_and_come_back_from_a_pickle():
    words = Words.of(turin.new(3))
    assert Words.of(turin.new(3)) is words is pickle.loads(pickle.dumps(words)) is deepcopy(words)
