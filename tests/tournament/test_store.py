"""The file of a tournament: whatever happens to the process or to the file, no game is lost.

Anything that cannot be right is refused with its line.
"""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournament.players import Interrupts, Rolls, play
from tradekit import bots, tournament
from tradekit.bots import RandomBot
from tradekit.game import ParseError
from tradekit.tournament import Result, store

WHOLE = play("random", "chain", games=6)

once = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def again(file, **options):
    return play("random", "chain", **{"games": 6, "file": file} | options)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.jsonl"
    again(path)
    return path


class Counts(RandomBot):
    """A bot that plays like `random` and counts its decisions."""

    name = "random"

    def __init__(self):
        self._decisions = 0

    def choose(self, view, actions, rng):
        self._decisions += 1
        return super().choose(view, actions, rng)


# Going on


def test_a_file_is_a_line_that_says_which_tournament_and_a_line_a_game(file):
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert lines[0]["tradekit tournament"] == store.VERSION and "cards=1,4" in lines[0]["start"]
    assert lines[0]["bots"] == {"random": "random", "chain": "chain"} and lines[0]["seed"] == 0
    assert [tuple(line["scores"]) for line in lines[1:]] == [game.scores for game in WHOLE.played]


def test_what_is_there_is_not_played_again(file):
    counts = Counts()
    result = play(counts, "chain", games=6, file=file)
    assert counts._decisions == 0 and result.games.equals(WHOLE.games) and result.played == WHOLE.played


def test_more_games_go_on_and_fewer_are_some_of_them(file):
    before = file.read_bytes()
    assert again(file, games=2).played == WHOLE.played[:2]
    assert file.read_bytes() == before
    assert again(file, games=10).played == play("random", "chain", games=10).played
    assert file.read_bytes().startswith(before) and file.read_bytes().count(b"\n") == 11


def test_an_interrupted_tournament_goes_on(tmp_path):
    file = tmp_path / "games.jsonl"
    stopped = play(Interrupts(3), Rolls(), games=10, file=file)
    assert not stopped.complete
    assert Result.load(file).played == stopped.played
    whole = play(Interrupts(0), Rolls(), games=10)
    assert play(Interrupts(0), Rolls(), games=10, file=file).played == whole.played


def test_a_saved_result_goes_on_and_a_file_that_is_there_is_kept(tmp_path):
    file = tmp_path / "games.jsonl"
    stopped = play(Interrupts(3), Rolls(), games=10)
    assert stopped.save(file) == file and Result.load(file).played == stopped.played
    with pytest.raises(FileExistsError, match=r"games\.jsonl is there already"):
        stopped.save(file)
    assert play(Interrupts(0), Rolls(), games=10, file=file).complete


def test_load_gives_the_games_round_after_round(file):
    first, *lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + b"".join(reversed(lines)))
    assert Result.load(file) == WHOLE
    assert again(file).played == WHOLE.played


def test_records_are_kept(tmp_path):
    file = tmp_path / "games.jsonl"
    kept = again(file, records=True)
    assert Result.load(file).played == kept.played == again(file, records=True).played
    assert all(game.record.state().scores() == game.scores for game in kept.played)
    with pytest.raises(ValueError, match="records is True there and False here"):
        again(file)


@once
@given(data=st.data())
def test_a_file_cut_anywhere_goes_on(file, data):
    """A kill or a full disk leaves whole lines, which stay, and half a line, which is dropped."""
    whole = file.read_bytes()
    cut = file.with_name("cut.jsonl")
    cut.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    assert again(cut).played == WHOLE.played
    assert sorted(cut.read_bytes().splitlines()) == sorted(whole.splitlines())


KILLED = """
import sys, time
from tradekit import bots, tournament

class Slow(bots.RandomBot):
    name = "random"
    def choose(self, view, actions, rng):
        time.sleep(0.002)
        return super().choose(view, actions, rng)

tournament.play("bazar", [Slow(), "chain"], 400, progress=False, cards=(1, 4), patience=2, file=sys.argv[1])
"""


def killed(command, file, games, how, **options):
    """Run a command until its file has this many games, then end it; return its output and its exit status."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    try:
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            if file.exists() and file.read_bytes().count(b"\n") > games:
                process.send_signal(how)
                break
            time.sleep(0.01)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return out, err, process.returncode


def test_a_process_that_is_killed_loses_nothing_that_was_played(tmp_path):
    file = tmp_path / "games.jsonl"
    out, err, status = killed([sys.executable, "-c", KILLED, str(file)], file, 5, signal.SIGKILL)
    assert status == -signal.SIGKILL, out + err
    there = Result.load(file).played
    assert 5 <= len(there) < 400
    counts = Counts()
    options = {"games": 60, "progress": False, "cards": (1, 4), "patience": 2}
    whole = tournament.play("bazar", [counts, "chain"], **options)
    needed, counts._decisions = counts._decisions, 0
    assert there[:60] == whole.played[: len(there)]
    assert tournament.play("bazar", [counts, "chain"], **options, file=file).games.equals(whole.games)
    assert counts._decisions < needed


# Refused files


def refused(file, message, error=ValueError, **options):
    before = file.read_bytes()
    with pytest.raises(error, match=message):
        again(file, **options)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 1}, "games.jsonl is of another tournament: seed is 0 there and 1 here; name another file"),
        ({"cards": (2, 7)}, "start is '.*cards=1,4.*' there and '.*cards=2,7.*' here"),
        ({"patience": 3, "limit": 7}, "patience=2.*patience=3.*; limit is 20000 there and 7 here"),
        ({"players": 3}, "players=2.*players=3"),
    ],
)
def test_a_file_of_another_tournament_is_refused_and_what_differs_said(file, options, message):
    refused(file, message, **options)


def test_bots_of_other_options_are_other_bots(tmp_path):
    def search(**options):
        bot = bots.make("search", depth=0, **options)
        return play(bot, "random", games=2, file=tmp_path / "games.jsonl", patience=1)

    search(iterations=1)
    with pytest.raises(ValueError, match=r"bots is .*iterations=1, .* there and .*iterations=2, .* here"):
        search(iterations=2)
    with pytest.raises(ValueError, match=r"rollout=random.* there and .*rollout=rolls"):
        search(iterations=1, rollout=Rolls())
    assert search(iterations=1).complete


def test_a_file_of_another_version_is_refused(file, monkeypatch):
    monkeypatch.setattr("tradekit.__version__", "99")
    refused(file, "version is '.*' there and '99' here")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"round,seed\n1,2\n", r"games.jsonl, line 1: this is no file of a tournament: 'tradekit tournament' is miss"),
        (b"PAR1\x00\xff\n", r"games.jsonl, line 1: 'utf-8' codec"),
        (b"no line feed at all", "games.jsonl, line 1: this is no file"),
        (b'["tradekit tournament"]\n', "line 1: a JSON object in braces is needed"),
        (b'{"tradekit tournament": 1, "seed": 4}\n', "line 1: this is not what was written: its check does not fit"),
        (b'{"tradekit tournament": 1, "seed"', "line 1: this is no JSON"),
        (store._line({"tradekit tournament": 2}), "line 1: version 2; this tradekit reads 1"),
    ],
)
def test_a_foreign_file_is_refused_and_left_alone(tmp_path, text, message):
    path = tmp_path / "games.jsonl"
    path.write_bytes(text)
    refused(path, message, ParseError)
    with pytest.raises(ParseError, match=message):
        Result.load(path)


@once
@given(data=st.data())
def test_a_byte_that_changed_is_found_and_its_line_named(file, data):
    """Except a change without meaning, such as other white space, or one that makes the last line a partial one."""
    whole = file.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
    damaged = file.with_name("damaged.jsonl")
    text = whole[:place] + bytes([value]) + whole[place + 1 :]
    damaged.write_bytes(text)
    try:
        assert again(damaged).played == WHOLE.played
    except ParseError as error:
        line = whole[: place + 1].count(b"\n") + (whole[place] != 10)
        assert f"damaged.jsonl, line {line}: " in str(error)
        assert damaged.read_bytes() == text


def test_lines_of_another_tournament_are_refused(file, tmp_path):
    other = tmp_path / "other.jsonl"
    again(other, seed=1)
    lines = file.read_bytes().splitlines(keepends=True)
    lines[3] = other.read_bytes().splitlines(keepends=True)[3]
    file.write_bytes(b"".join(lines))
    refused(file, "games.jsonl, line 4: a game of another tournament", ParseError)
    lines[3] = lines[0]
    file.write_bytes(b"".join(lines))
    refused(file, "games.jsonl, line 4: a game belongs here", ParseError)


def test_a_game_that_is_there_twice_counts_once_unless_it_ended_otherwise(file):
    """Two processes may have gone on with one file."""
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines, lines[2]]))
    assert again(file).played == WHOLE.played
    forged = json.loads(lines[2]) | {"decisions": 1}
    forged.pop("check")
    file.write_bytes(b"".join([*lines, store._line(forged)]))
    refused(file, "line 8: this game is there twice, with two endings", ParseError)


def test_where_nothing_can_be_written_nothing_is_played(tmp_path):
    with pytest.raises(FileNotFoundError):
        play(Interrupts(1), "random", file=tmp_path / "no such folder" / "games.jsonl")
    with pytest.raises(IsADirectoryError):
        again(tmp_path)
    assert not os.listdir(tmp_path)
