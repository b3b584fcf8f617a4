"""The options of the games' rules: every accepted value has a text that reads back to it."""

from dataclasses import dataclass, fields
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import toy
from tradekit import bazar, game, silk, turin
from tradekit.game import ParseError, find
from tradekit.options import Options, read_options

GAMES = {"bazar": bazar.new, "turin": turin.new, "silk": silk.new}
RULES = {name: type(new().rules) for name, new in GAMES.items()}
OPTIONS = [(name, f.name) for name, rules in RULES.items() for f in fields(rules)]

numbers = st.one_of(st.integers(-3, 60), st.sampled_from([0.5, 2.0, 2.5, 1e-7, float("nan"), float("inf"), -0.0]))
TABLES = [((7, 1), (14, 3)), ((5, 3, 2, 1), (8, 5, 3, 2), (12, 8, 5, 3)), ((0,),), ((1.5, 2),), ()]
tables = st.sampled_from(TABLES).flatmap(
    lambda rows: st.sampled_from([list, tuple, np.array, iter]).map(lambda of: of(rows))
)
words = st.sampled_from(["", "penalty", "first", "new", "secret", "several", "tie", "stay", "rounds", "no", "5", "a b"])
plain = st.one_of(numbers, st.booleans(), st.none(), words, st.text(max_size=3), tables, st.lists(st.integers(0, 9)))
values = plain | numbers.map(np.float64) | st.integers(0, 9).map(np.int64) | words.map(np.str_)


@given(option=st.sampled_from(OPTIONS), value=values)
def test_BZ_21_TU_4_SI_21_what_new_accepts_reads_back_to_equal_rules(option, value):
    """For any kind of value; and only a `ValueError` refuses it."""
    name, field = option
    try:
        state = GAMES[name](3, **{field: value})
    except ValueError as error:
        assert str(error)
        return
    rules, text = state.rules, state.rules.text()
    pairs = dict(pair.split("=", 1) for pair in text.split())
    again = RULES[name].read(pairs)
    assert again == rules and hash(again) == hash(rules)
    assert [type(getattr(again, f.name)) for f in fields(again)] == [
        type(getattr(rules, f.name)) for f in fields(rules)
    ]
    assert type(state).parse(str(state)) == state
    assert game.begin(name, players=3, **read_options(name, pairs)) == state


@dataclass(frozen=True, slots=True)
class Clock(Options):
    """A class with one option of every kind, and one that the game checks itself."""

    seconds: float = 60
    sort: str = "sand"
    rounds: int = 3
    loud: bool = False
    pay: tuple[tuple[int, ...], ...] = ((1, 2),)

    def check(self) -> None:
        self._need_at_least(seconds=0, rounds=1)


ROWS = "must be rows of whole numbers, such as ((7, 1), (14, 3))"
KINDS = {
    "seconds": ([0, 2, 0.5, 1e-7, 2.0, "5", Decimal("0.5")], ["5 s", None, True, [1]], "must be a number"),
    "sort": (["water"], [1, None, b"sand", True], "must be text"),
    "rounds": ([1, np.int8(4), "5", 2.0], [2.5, "2.5", None, True], "must be a whole number"),
    "loud": ([True, False, np.True_], ["no", "yes", 0, 1, None], "must be True or False"),
    "pay": ([[[1], [2, 3]], np.eye(2, dtype=int), [["1"]]], [5, "1,2", "", (), [[]], [1, 2], [[1.5]]], ROWS),
}
READ = {
    "seconds": "write a number",
    "rounds": "write a whole number",
    "loud": "write yes or no",
    "pay": "write rows of whole numbers, such as 7,1/14,3",
}


@pytest.mark.parametrize("name", KINDS)
def test_a_value_is_of_the_kind_that_the_option_declares(name):
    right, wrong, needed = KINDS[name]
    for value in right:
        clock = Clock(**{name: value})
        kept = getattr(clock, name)
        same = [*map(len, kept)] == [*map(len, value)] if name == "pay" else kept == type(kept)(value)
        assert same and type(kept) in (int, float, str, bool, tuple)
        assert Clock.read(dict(pair.split("=") for pair in clock.text().split())) == clock
    for value in wrong:
        with pytest.raises(ValueError) as error:
            Clock(**{name: value})
        assert str(error.value) == f"{name}={value!r}: {needed}"


def test_BZ_21_equal_numbers_have_one_text():
    """Rules are cached by equality, so two texts of equal rules would be mixed up."""
    assert Clock(seconds=2.0).text() == Clock(seconds=2).text() == Clock.read({"seconds": "2.00"}).text() == "seconds=2"
    assert Clock(seconds=60.0) == Clock() and Clock(seconds=60.0).text() == ""


def test_what_a_game_itself_asks_comes_after_the_kinds():
    with pytest.raises(ValueError, match=r"^rounds=0: must be 1 or more$"):
        Clock(rounds=0)


@pytest.mark.parametrize(("name", "text"), [("rounds", "2.5"), ("seconds", "nan"), ("loud", "True"), ("pay", "1,x")])
def test_a_text_that_cannot_be_read_says_what_would_be_right(name, text):
    with pytest.raises(ParseError) as error:
        Clock.read({name: text})
    assert str(error.value) == f"{name}={text}: cannot read this option; {READ[name]}"


def test_options_are_read_as_records_write_them():
    texts = {"bonus": "7,1", "zeros": "stay", "bribe": "9"}
    assert read_options("silk", texts) == {"bonus": ((7, 1),), "zeros": "stay", "bribe": 9}
    assert read_options("bazar", {"exchange": "R=WW,W=BG", "double": "yes"}) == {
        "exchange": "R=WW,W=BG",
        "double": True,
    }
    assert read_options("bazar-alone", {"size": "3", "have": "RR"}) == {"size": 3, "have": "RR"}


@pytest.mark.parametrize(
    "known", [*map(find, ["bazar", "bazar-alone", "turin", "silk"]), toy.GAME], ids=lambda g: g.name
)
@pytest.mark.parametrize("option", ["dice", "players", "rules"])
def test_an_option_that_a_game_does_not_have_is_refused_with_those_it_has(known, option):
    with pytest.raises(ValueError, match=f"^{known.name} has no option '{option}'; there are .*seed"):
        read_options(known, {option: "1"})
