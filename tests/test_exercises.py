"""Checks of exercises: right, wrong with a hint, not answered, and never an error."""

import re
from pathlib import Path

import pytest

from tradekit import exercises
from tradekit.exercises import check

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
NAMES = sorted(exercises._EXERCISES)


@pytest.mark.parametrize("name", NAMES)
def test_none_is_not_answered_and_says_what_to_do(name):
    verdict = check(name, None)
    assert verdict.status == "not answered yet"
    assert not verdict
    assert "in place of None" in verdict.message


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", ["", "nonsense", -1, 10**9, [], {}, object(), float("nan"), ["R=Q"], b"x"])
def test_whatever_is_handed_in_a_check_never_raises_and_gives_a_hint(name, answer):
    verdict = check(name, answer)
    assert verdict.status == "wrong"
    assert len(verdict.message) > len(name) + 12


def test_an_unknown_exercise_is_named_with_those_that_there_are():
    assert "there is no exercise '99.9'" in check("99.9", 1).message
    assert all(name in check("99.9", 1).message for name in NAMES)


def test_a_verdict_shows_itself_with_a_sign_and_not_by_colour_alone():
    assert repr(check("03.1", 18)).startswith(("✓", "✗"))
    assert "✗" in check("03.1", -5)._repr_html_()


def test_equal_forms_are_accepted():
    assert all(check("03.2", form) for form in ("WW=BBG", "2W = 2B 1G", "BBG -> WW", "WW <-> BGB"))


def test_the_auctions_likely_mistakes_get_a_hint_of_their_own():
    assert "nothing to gain" in check("06.1", 75).message
    assert "equally likely" in check("06.3", 25).message
    assert "only the winner" in check("07.1", 0.4).message
    assert "the seller gets 0.691" in check("07.3", 0).message
    assert "from 0 to 1" in check("07.3", 1.5).message
    assert "remainder of a division" in check("08.2", 3).message
    assert "other direction" in check("09.1", 122.5).message
    assert "does not lose" in check("09.2", 1 / 32).message
    assert "other way round" in check("10.2", -2).message


def test_whole_intervals_and_equal_names_are_accepted_where_many_answers_are_right():
    assert all(check("07.3", share) for share in (0.405, 0.41, 0.42))
    assert all(check("08.2", remainder) for remainder in (2, 2.0))
    assert all(check("10.3", name) for name in ("replicator", "Replicator dynamics "))
    assert all(check("06.2", answer) for answer in (0.5, "0.5"))


def test_every_exercise_stands_in_its_notebook_and_is_solved_there():
    for folder, asks in ((NOTEBOOKS, 1), (NOTEBOOKS / "solutions", 2)):
        text = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.ipynb")))
        for name in NAMES:
            found = len(re.findall(rf'exercises\.check\(\\"{re.escape(name)}\\"', text))
            assert found >= asks, f"{name} in {folder.name}: the solution shows a right and a wrong answer"
