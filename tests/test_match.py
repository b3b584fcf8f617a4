"""A match: a game as it is played, without anybody who looks."""

import pytest

from tests.toy import Toy
from tradekit import Record, bazar, silk, turin
from tradekit.bots import Bot
from tradekit.game import IllegalAction
from tradekit.match import Match

STARTS = [bazar.new(2, seed=1), turin.new(3, seed=1), silk.new(2, seed=1), Toy()]


class First(Bot):
    name = "first"

    def choose(self, view, actions, rng):
        return next(iter(actions))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, no_loop_runs):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_bots_and_chance_follow_a_person_by_themselves():
    match = Match(bazar.new(2, cards=(1, 4), seed=7), {0: "me", 1: First()}, seed=7)
    assert match.awaited == [0]
    for _move in range(20):
        match.act(next(iter(match.state.actions(0))), 0)
        assert match.awaited == [0]
    assert Record.load(match.file) == match.record


def test_all_at_once_are_awaited_at_once_and_bots_first():
    match = Match(turin.new(3, seed=1), {0: "Ana", 1: "Bo", 2: First()}, seed=1)
    assert match.awaited == [0, 1], "the bot has chosen already"
    match.act(next(iter(match.state.actions(1))), 1)
    assert match.awaited == [0]
    with pytest.raises(IllegalAction, match="not your turn"):
        match.act(next(iter(match.state.actions(0))), 1)


def test_listeners_are_told_once_of_all_that_followed():
    match, told = Match(bazar.new(2, cards=(1, 4), seed=7), {0: "me", 1: First()}, seed=7), []
    match.listeners.append(lambda: told.append(match.record))
    for _move in range(8):
        match.act(next(iter(match.state.actions(0))), 0)
        assert told[-1] is match.record
    assert len(told) == 8 < match.place
    match.undo()
    assert len(told) == 9
    with pytest.raises(IllegalAction):
        match.act("buy 1", 0)
    assert len(told) == 9, "nothing has changed"


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.game.name)
def test_the_same_choices_meet_the_same_luck(start):
    """Undone and made again, and in another match with the seed that the record notes."""
    match = Match(start, {}, seed=5)
    for _move in range(6):
        if not match.awaited:
            break
        seat = match.awaited[-1]
        action = next(iter(match.state.actions(seat)))
        match.act(action, seat)
        once = match.record
        match.undo()
        match.act(action, seat)
        assert match.record == once
    again = Match(match.record)
    assert again.seed == 5 and again.record == match.record


def test_a_match_knows_no_page():
    assert not {"html", "viewer", "shown", "advice", "covered"} & {*dir(Match(Toy(), {}, seed=1))}
