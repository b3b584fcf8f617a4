"""Bots as others write them: anything but a legal action is reported with the bot's name.

It costs the bot one game or stops the tournament, as chosen, and nothing that was played is lost.
"""

import json
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from tests.tournament.players import ENDS, HANGS, STRANGE, Rolls, Strange, play
from tradekit import bots, tournament
from tradekit.bots import RandomBot
from tradekit.tournament import BotError, Result

SOON = sorted(STRANGE.keys() - HANGS.keys() - ENDS.keys())
GAMES = 4


def spawned(n=1):
    return ProcessPoolExecutor(n, get_context("spawn"))


@pytest.fixture(scope="module")
def pool():
    with spawned() as executor:
        yield executor


def forfeits(bot, *others, **options):
    with pytest.warns(RuntimeWarning, match=r"games? (was|were) forfeited: strange"):
        return play(bot, *(others or ["random"]), **{"games": GAMES, "errors": "forfeit"} | options)


def check(result, games=GAMES):
    """Check that all games are there, that the strange bot lost those in which it was strange, and their count."""
    assert result.complete and len(result.played) == games
    lost = [game for game in result.played if game.forfeit]
    assert lost and len(result.forfeits) == len(lost) == result.summary.loc["strange", "forfeits"]
    assert result.summary["forfeits"].sum() == len(lost)
    for game in lost:
        assert game.bots[game.forfeit.seat] == "strange" and game.shares[game.forfeit.seat] == 0
        assert sum(game.shares) == pytest.approx(float(len(game.bots) > 1)) and not game.finished
        assert game.forfeit.reason and game.forfeit.reason.isprintable() and game.forfeit.reason.encode()
    assert result.games["forfeit"].tolist() == ["strange" if game.forfeit else "" for game in result.played]
    return lost


# The games go on


@pytest.mark.parametrize("what", SOON)
def test_a_bot_that_does_not_choose_loses_that_game_and_the_others_share_it(what, tmp_path, pool):
    file = tmp_path / "games.jsonl"
    result = forfeits(Strange(what), file=file, records=True)
    for game in check(result):
        assert len(game.record.moves) == game.forfeit.move - 1, "the record ends before the move that it owed"
        assert game.record.state().actors[0] == game.forfeit.seat
    assert result.reproducible
    assert Result.load(file).played == result.played
    again = forfeits(Strange(what), file=file, records=True)
    assert again.played == result.played, "the same call goes on"
    there = forfeits(Strange(what), records=True, executor=pool)
    assert there.played == result.played, "in another process the same"


def test_the_others_share_the_win_evenly():
    game = check(forfeits(Strange("None", 1), "random", "rolls", players=3, games=3, **{"errors": "forfeit"}), 3)[0]
    assert sorted(game.shares) == [0, 0.5, 0.5]


@pytest.fixture(autouse=True)
def rolls(monkeypatch):
    monkeypatch.setattr(bots, "_BOTS", {**bots._BOTS, ("", "rolls"): Rolls})


def test_one_who_plays_alone_gets_nothing():
    with pytest.warns(RuntimeWarning, match="1 game was forfeited: strange"):
        result = tournament.play("bazar", Strange("None"), 1, players=1, errors="forfeit", progress=False)
    assert check(result, 1)[0].shares == (0.0,)


def test_games_of_others_are_as_without_it():
    alone = play("random", "rolls", games=GAMES)
    result = forfeits(Strange("error"), "random", "rolls")
    assert [game for game in result.played if "strange" not in game.bots] == alone.played


def test_bots_that_choose_leave_no_trace(tmp_path):
    """Files, tables and pictures are as they were; the settings make no difference."""
    one, other = (
        play("random", "rolls", file=tmp_path / "a"),
        play("random", "rolls", file=tmp_path / "b", errors="forfeit"),
    )
    timed = play("random", "rolls", seconds=60.0)
    assert (
        one == other and one.played == timed.played and (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    )
    assert "forfeit" not in (tmp_path / "a").read_text() and one.forfeits.empty and one.reproducible
    assert "forfeits" not in one.summary and "forfeit" not in one.games and one.said_of_forfeits() == ""


def test_what_was_forfeited_is_shown():
    result = forfeits(Strange("error"))
    n = len(result.forfeits)
    said = f"{n} games were forfeited: strange {n} (raised ArithmeticError: cannot count)"
    assert result.said_of_forfeits() == said and said in result._repr_html_()


# Or stop, as chosen


@pytest.mark.parametrize("what", SOON)
def test_or_it_stops_the_tournament_by_name_and_what_was_played_is_kept(what, tmp_path, pool):
    file = tmp_path / "games.jsonl"
    asked = {"games": GAMES, "file": file, "executor": None}
    for executor in (None, pool):
        with pytest.raises(BotError) as stopped:
            play("random", "rolls", Strange(what), **asked | {"executor": executor})
        said = str(stopped.value)
        assert (
            said.startswith("bot 'strange' ") and "in bazar, round 0, " in said and "seed " in said and "move " in said
        )
        assert stopped.value.bot == "strange" and said.isprintable()
        record, seat = stopped.value.record, int(said.partition(", as p")[2][0])
        assert record.state().actors == (seat,) and record.names[seat] == "strange"
        assert f"move {len(record.moves) + 1}, " in said
        kept = stopped.value.result
        assert kept.played == Result.load(file).played and not kept.complete
        assert kept.stopped == f"{said}: {len(kept.played)} of {3 * GAMES} games are played"
        assert kept.played[:2] == play("random", "rolls", games=GAMES).played[:2]
    assert check(forfeits("random", "rolls", Strange(what), file=file), 3 * GAMES), "the same file goes on, as asked"


def test_its_own_error_is_the_cause():
    with pytest.raises(BotError) as stopped:
        play("random", Strange("error"))
    assert isinstance(stopped.value.__cause__, ArithmeticError)
    assert stopped.traceback and "choose" in str(stopped.getrepr(chain=True)), "one sees where"


def test_an_interrupt_is_nobody_s_fault():
    class Interrupted(RandomBot):
        name = "interrupted"

        def choose(self, view, actions, rng):
            raise KeyboardInterrupt

    for seconds in (None, 60.0):
        result = play(Interrupted(), "random", errors="forfeit", seconds=seconds)
        assert result.stopped.startswith("interrupted: ") and result.forfeits.empty


def test_an_error_of_the_rules_is_nobody_s_fault(monkeypatch):
    from tests.toy import Toy

    monkeypatch.setattr(Toy, "actions", lambda state, player: 1 / 0)
    with pytest.raises(ZeroDivisionError) as raised:
        tournament.play(Toy(), ["random", "search"], 2, errors="forfeit", progress=False)
    assert raised.value.__notes__[0].startswith("in toy, round 0, random - search, seed ")


# Time


@pytest.mark.long
@pytest.mark.parametrize("what", sorted(HANGS))
def test_who_takes_too_long_forfeits_and_the_result_is_marked(what, tmp_path, pool):
    before = threading.active_count()
    for executor in (None, pool, ThreadPoolExecutor(2)):
        file = tmp_path / f"{type(executor).__name__}.jsonl"
        result = forfeits(Strange(what), games=2, seconds=0.5, executor=executor, file=file)
        for game in check(result, 2):
            assert game.forfeit.late and game.forfeit.reason == "took longer than 0.5 s"
        assert not result.reproducible and not Result.load(file).reproducible
        assert result.said_of_forfeits().endswith("; not reproducible, for time was up")
    if what != "sleeps":  # which one call of C code does
        for thread in threading.enumerate():
            if thread.name == "tradekit-decision":
                thread.join(60)
        assert threading.active_count() <= before + 3, "what runs Python code is ended"


def test_out_of_time_stops_as_any_other_fault():
    with pytest.raises(BotError, match=r"bot 'strange' took longer than 0\.5 s; move "):
        play(Strange("hangs"), "random", seconds=0.5)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_limit_that_cannot_be_is_refused(seconds):
    with pytest.raises(ValueError, match=rf"seconds={seconds}: must be (more than 0|a finite number)"):
        play("random", seconds=seconds)
    with pytest.raises(ValueError, match="errors='ignore': must be one of 'stop', 'forfeit'"):
        play("random", errors="ignore")


# A process that ends


@pytest.mark.parametrize("what", sorted(ENDS))
def test_who_ends_its_process_is_found_and_the_same_call_goes_on(what, tmp_path):
    file, calls, result = tmp_path / "games.jsonl", 0, None
    while result is None or not result.complete:
        calls += 1
        assert calls < 10
        with pytest.warns(RuntimeWarning), spawned(2) as executor:
            result = play(
                Strange(what), "random", games=2, errors="forfeit", records=True, executor=executor, file=file
            )
        assert result.complete or "bot 'strange' ended the process that it was played in; move " in result.stopped
    for game in check(result, 2):
        assert game.forfeit.reason == "ended the process that it was played in"
        assert len(game.record.moves) == game.forfeit.move - 1


def test_who_ends_its_process_is_named_where_it_stops_the_tournament():
    with pytest.warns(RuntimeWarning, match="bot 'strange' ended the process"), spawned() as executor:
        result = play(Strange("ended"), "random", games=2, executor=executor)
    assert not result.complete and "in bazar, round 0, " in result.stopped and result.forfeits.empty


# Making and naming


def test_a_bot_that_cannot_be_made_is_named(monkeypatch):
    class Unmade(RandomBot):
        name = "unmade"

        def __init__(self):
            raise SystemExit("no")

    monkeypatch.setitem(bots._BOTS, ("", "unmade"), Unmade)
    with pytest.raises(ValueError, match="bot 'unmade' cannot be made: SystemExit: no"):
        play("unmade", "random")


class Unread(RandomBot):
    name = "unread"

    def __setstate__(self, state):
        raise TypeError("cannot be read")

    def __reduce__(self):
        return (Unread, (), {"some": 1})


def test_a_bot_that_cannot_be_read_back_is_named_before_anything_is_played(pool):
    with pytest.raises(ValueError, match=r"bot 'unread' cannot be sent to another process.*cannot be read"):
        play(Unread(), "random", executor=pool)


NAMES = [None, 7, b"chain", "", " ", "a\nb", "a\tb", "a,b", " a", "a ", "\ud800", "a\x00", ("a",), 1.5, "\u2028"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_that_a_file_could_not_hold_is_refused(name, tmp_path):
    class Named(RandomBot):
        pass

    Named.name = name
    message = "give it a name of its own, on one line and without commas"
    with pytest.raises(ValueError, match=message):
        bots.register(Named)
    for given in ({name: "random"}, [Named()]):
        with pytest.raises(ValueError, match=message):
            tournament.play("bazar", given, 1, progress=False, file=tmp_path / "games.jsonl")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("thing", [None, 3, RandomBot, ["random"], len], ids=ascii)
def test_what_is_no_bot_is_refused_in_words(thing):
    with pytest.raises(ValueError, match=r"bot=.*: must be an object such as"):
        tournament.play("bazar", [thing], 1, progress=False)


def test_one_bot_may_be_named_alone():
    assert tournament.play("bazar", "random", 1, progress=False, patience=2).bots == ("random",)


def test_names_in_other_letters_are_names(tmp_path):
    result = tournament.play(
        "bazar", {"Zoë (1)": "random", "编号": "random"}, 2, progress=False, patience=2, file=tmp_path / "g"
    )
    assert Result.load(tmp_path / "g").played == result.played


# Records


class Typed(RandomBot):
    """A bot that types actions as people do."""

    name = "typed"

    def choose(self, view, actions, rng):
        return f"  {super().choose(view, actions, rng).upper()} "


@pytest.mark.parametrize("game", ["bazar", "turin", "silk"])
def test_records_hold_the_exact_text_of_what_a_bot_typed(game):
    """As `Record.with_move` and `Record.parse` write it: each action is one of the legal ones."""
    for played in tournament.play(game, {"typed": Typed()}, 2, progress=False, records=True, limit=60).played:
        for state, (actor, action) in zip(played.record.states(), played.record.moves, strict=False):
            assert str(action) in {str(there) for there in state.actions(actor)} or actor < 0
        assert json.dumps(str(played.record))
