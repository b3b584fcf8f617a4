"""Tournaments on any executor: the same games on threads, processes, Dask and ipyparallel, also when workers die.

The clusters are real ones, on this machine.
"""

import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context

import pytest

from tests.tournament.players import Deadly, Fails, Interrupts, Marks, Rolls, play
from tests.toy import Toy
from tradekit import tournament
from tradekit.bots import RandomBot
from tradekit.tournament import BotError, executors
from tradekit.tournament.play_game import Job
from tradekit.tournament.schedule import batches, schedule

GAMES = 60


def processes():
    return ProcessPoolExecutor(2, get_context("spawn"))  # like a cluster's workers, they have nothing of this process


@pytest.fixture(scope="module")
def pool():
    with processes() as executor:
        yield executor


def quick(executor=None, **options):
    return play("random", "chain", games=GAMES, executor=executor, **options)


@cache
def alone():
    return quick()


def deadly(mark, executor=None, **options):
    """Play a tournament that takes a while, and that kills one process unless the mark is there."""
    return play(Deadly(mark), "random", games=GAMES, patience=30, executor=executor, **options)


@cache
def nobody_dies(mark):
    mark.touch()
    games = deadly(mark)
    mark.unlink()
    return games


class Backwards(Executor):
    """An executor that runs its calls in reverse order, when the last result is requested."""

    def __init__(self, calls):
        self.calls, self.given = calls, []

    def submit(self, fn, *args):
        future = Future()
        self.given.append((future, fn, args))
        if len(self.given) == self.calls:
            for given, call, what in reversed(self.given):
                given.set_result(call(*what))
        return future


class Worn(Backwards):
    """An executor that runs calls at once, and breaks after some of them, like a pool that has lost a process."""

    def submit(self, fn, *args):
        if len(self.given) == self.calls:
            raise BrokenExecutor("a worker is gone")
        self.given.append(args)
        future = Future()
        future.set_result(fn(*args))
        return future


# Laws of all executors


def test_in_whatever_order_games_come_back_the_frame_is_the_same():
    result = quick(Backwards(GAMES // 2))
    assert result.games.equals(alone().games) and result.played == alone().played


def test_threads_give_the_same_games_and_bots_of_their_own():
    with ThreadPoolExecutor(3) as executor:
        assert quick(executor).games.equals(alone().games)


def test_processes_give_the_same_games_with_records_and_a_file(tmp_path, capsys, pool):
    result = quick(pool, file=tmp_path / "games.jsonl", progress=True)
    assert result.games.equals(alone().games)
    assert f"{GAMES}/{GAMES}" in capsys.readouterr().err
    kept = play("random", "chain", executor=pool, records=True)
    assert kept.played == play("random", "chain", records=True).played
    toys = tournament.play(Toy(), ["random", "search"], 6, executor=pool, progress=False)
    assert tournament.Result.load(tmp_path / "games.jsonl").games.equals(alone().games)
    assert toys.games.equals(tournament.play("toy", ["random", "search"], 6, progress=False).games)


def test_a_batch_that_fails_is_sent_again_twice(tmp_path):
    with ThreadPoolExecutor(1) as executor:
        result = play(Fails(tmp_path, 2), "random", games=2, executor=executor)
        assert len(result.played) == 2 and result.complete
        for mark in tmp_path.iterdir():
            mark.unlink()
        with pytest.raises(
            BotError, match=r"bot 'fails' raised ArithmeticError: cannot count; move .*, in bazar, round 0, "
        ):
            play(Fails(tmp_path, 3), "random", games=2, executor=executor)
    assert len([*tmp_path.iterdir()]) == executors.ATTEMPTS == 3


def test_an_error_keeps_what_is_played_in_the_file(tmp_path):
    """The third bot fails; the first pairing's games are there."""
    file = tmp_path / "games.jsonl"
    with ThreadPoolExecutor(1) as executor, pytest.raises(BotError):
        play("random", "chain", Fails(), games=2, executor=executor, file=file)
    kept = tournament.Result.load(file).played
    assert [game.bots for game in kept] == [("random", "chain"), ("chain", "random")]


def test_what_cannot_be_sent_is_said_before_anything_is_played(tmp_path, pool):
    class Locked(RandomBot):
        name = "locked"

        def __init__(self):
            self.lock = threading.Lock()

    file = tmp_path / "games.jsonl"
    with pytest.raises(ValueError, match="bot 'locked' cannot be sent to another process, for it cannot be pickled: "):
        play("random", Locked(), executor=pool, file=file)
    assert not file.exists()
    assert play("random", Locked()).complete


def test_bots_of_a_notebook_go_with_the_job(pool):
    """A class outside any module, as in a notebook cell, on processes that never saw it."""

    class OfACell(RandomBot):
        name = "of a cell"

    assert play("random", OfACell(), executor=pool).games.equals(play("random", OfACell()).games)


def test_without_cloudpickle_plain_pickle_sends_what_it_can(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cloudpickle", None)

    class OfACell(RandomBot):
        name = "of a cell"

    with ThreadPoolExecutor(1) as executor:
        assert quick(executor).games.equals(alone().games)
        with pytest.raises(ValueError, match="bot 'of a cell' cannot be sent"):
            play("random", OfACell(), executor=executor)


def interrupt(executor, folder):
    """Interrupt while the third batch of a hundred is kept: batches that are back are kept, the rest is not played."""
    folder.mkdir()
    job = Job(Toy(), {"a": Marks(folder), "b": RandomBot()}, 100, False).packed()
    pieces = batches([*schedule(["a", "b"], 2, 200, 0)])
    kept = []

    def keep(games):
        kept.append(games)
        if len(kept) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        executors.send_all(executor, job, pieces, keep)
    assert quick(executor).games.equals(alone().games)  # it soon takes work again
    assert 6 <= sum(map(len, kept)) <= len([*folder.iterdir()]) < 150


def test_an_interrupt_keeps_what_is_back_and_cancels_the_rest(tmp_path, pool):
    with ThreadPoolExecutor(1) as executor:
        interrupt(executor, tmp_path / "threads")
    interrupt(pool, tmp_path / "processes")


def test_an_interrupt_of_a_worker_is_one():
    with ThreadPoolExecutor(1) as executor:
        result = play(Interrupts(1), Rolls(), games=10, executor=executor)
    assert result.stopped.startswith("interrupted: ")


@pytest.mark.parametrize("file", [None, "games.jsonl"])
def test_a_pool_that_broke_keeps_what_is_done_and_says_how_to_go_on(tmp_path, monkeypatch, file):
    monkeypatch.chdir(tmp_path)
    how = r"result.save\(file\)" if file is None else "they are in games.jsonl, and the same call goes on from there"
    with pytest.warns(RuntimeWarning, match=rf"the executor broke \(BrokenExecutor: a worker is gone\): .*{how}"):
        result = quick(Worn(5), file=file)
    assert not result.complete and len(result.played) == 10
    if file is None:
        result.save(file := "games.jsonl")
    with ThreadPoolExecutor(2) as executor:
        assert quick(executor, file=file).games.equals(alone().games)


# A worker is killed half-way


@pytest.mark.long
def test_a_pool_of_processes_that_lost_one_goes_on_as_another_pool(tmp_path):
    mark, file = tmp_path / "mark", tmp_path / "games.jsonl"
    whole = nobody_dies(mark)
    with pytest.warns(RuntimeWarning, match=r"the executor broke \(BrokenProcessPool: ") as warned, processes() as pool:
        result = deadly(mark, pool, file=file)
    assert mark.exists() and not result.complete and 0 < len(result.played) < GAMES
    assert f"{len(result.played)} of {GAMES} games are played; they are in {file}" in str(warned[0].message)
    with processes() as executor:
        assert deadly(mark, executor, file=file).games.equals(whole.games)


def plays_and_survives(executor, tmp_path):
    """Check for the same games as here, also after a killed worker or an interrupt, and for a game of the tests."""
    mark = tmp_path / "mark"
    whole = nobody_dies(mark)
    assert quick(executor).games.equals(alone().games)
    assert not mark.exists()
    result = deadly(mark, executor)
    assert mark.exists() and result.complete and result.games.equals(whole.games)
    interrupt(executor, tmp_path / "interrupted")
    toys = tournament.play("toy", ["random", "search"], 6, executor=executor, progress=False)
    assert toys.games.equals(tournament.play("toy", ["random", "search"], 6, progress=False).games)


@pytest.mark.long
def test_dask_gives_the_same_games_and_gets_over_a_killed_worker(tmp_path):
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        executor = client.get_executor()
        plays_and_survives(executor, tmp_path)
        with pytest.raises(BotError, match="cannot count"):  # Dask would remember the failure of an equal call
            play(Fails(), "random", games=2, executor=executor)
        (folder := tmp_path / "marks").mkdir()
        assert play(Fails(folder, 2), "random", games=2, executor=executor).complete


@pytest.mark.long
def test_ipyparallel_gives_the_same_games_and_gets_over_a_killed_engine(tmp_path):
    import ipyparallel

    with ipyparallel.Cluster(n=2, log_level=40) as client:
        plays_and_survives(client.executor(), tmp_path)
