"""The race (BZ-45): compared with a second solver, exact bounds and real play; and as a file that nothing can spoil."""

import gc
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit.bazar import Exchange, Race, Ware, race_files, race_values
from tradekit.bazar.hands import N, holding, index
from tradekit.game import ParseError

from . import naive_race, oracle
from .strategies import few, holdings

LIVELY = str(Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY"))
SPARSE = str(Exchange("R=BGYW R=WW B=YY G=RR Y=WWW W=GB GG=WY BB=RW YY=BG W=RRY"))
KNOWN = {"lively": (LIVELY, "RWBGY"), "held up": (LIVELY, "RRBGG"), "sparse": (SPARSE, "RWGGY")}
HELD_UP = ("held up",)

pairs = st.lists(st.tuples(holdings, holdings), min_size=10, max_size=10, unique=True)
known = pytest.mark.parametrize("name", KNOWN)


@cache
def solved(name):
    exchange, ware = KNOWN[name]
    return Exchange(exchange).race(ware, cache=False, progress=False)


# Numbers


@pytest.mark.long
def test_BZ_45_all_pairs_are_those_of_the_second_solver():
    """Nine million pairs, with some that can be held up for ever, within the promised 1e-6."""
    exchange, ware = KNOWN["held up"]
    race, (win, lose) = solved("held up"), naive_race.numbers(exchange, ware)
    order = np.array([index(oracle.letters(hand)) for hand in naive_race.HANDS])
    assert np.abs(race.all_win[np.ix_(order, order)] - win).max() < 3e-7
    assert np.abs(race.all_lose[np.ix_(order, order)] - lose).max() < 3e-7
    assert (race.held_up[np.ix_(order, order)] == (win + lose < 1 - 1e-6)).all()


@known
@few(10)
@given(some=pairs)
def test_BZ_45_exact_bounds_of_few_turns(name, some):
    """Wins within two turns are a lower bound; an upper bound counts as a win that nobody has bought in three turns."""
    exchange, ware = KNOWN[name]
    race, within = solved(name), naive_race.within(exchange, ware)
    for have, other in some:
        low, high = within(2, have.counts, other.counts), within(3, have.counts, other.counts)
        assert low - 1e-7 <= race.win(have, other) <= 1 - race.lose(have, other) + 1e-7 <= high + 2e-7


@pytest.mark.parametrize(
    ("have", "other", "win"),
    [("RWGYY", "RRRWWWWWWW", 1 / 3), ("RR", "GG", 1), ("RBBBBBBBBB", "RWGGYYY", 2 / 3), ("RBGGGGG", "RRRRRGG", 0)],
)
def test_BZ_45_values_that_a_few_turns_decide_are_exact(have, other, win):
    """So they are exact in single precision: rounding is the only error."""
    within = naive_race.within(LIVELY, "RWBGY")
    hands = oracle.hand(have), oracle.hand(other)
    assert float(within(4, *hands)) == float(within(5, *hands)) == win
    assert solved("lively").win(have, other) == np.float32(win)


@known
@few(25)
@given(some=pairs)
def test_BZ_45_what_one_can_force_is_the_best_of_what_each_action_lets_him(name, some):
    """The equation of both numbers, written out from the rules: after a turn the opponent moves."""
    exchange, ware = KNOWN[name]
    race = solved(name)
    for have, other in some:
        for force, pick, worst, theirs in ((race.win, max, min, race.lose), (race.lose, min, max, race.win)):
            bought = 1.0 if pick is max else 0.0

            def end(hand, theirs=theirs, other=other):
                return theirs(other, oracle.letters(hand))

            def roll(hand, bought=bought, worst=worst, end=end):
                return bought if oracle.buys(hand, ware) else worst(map(end, oracle.kept(hand)))

            actions = [sum(pick(map(roll, face)) for face in oracle.faces(have.counts)) / 6]
            for _name, after in oracle.trades(exchange, have.counts):
                if oracle.buys(after, ware):
                    actions.append(bought)
                elif sum(after) <= oracle.TEN:
                    actions.append(end(after))
            assert force(have, other) == pytest.approx(pick(actions), abs=5e-7)


@known
def test_BZ_45_the_two_add_up_to_one_but_where_it_can_be_held_up(name):
    race = solved(name)
    total = race.all_win + race.all_lose
    assert total.max() <= 1 + 1e-7 and race.all_win.min() == race.all_lose.min() == 0
    assert race.held_up.sum() == (total < 1 - 1e-6).sum() == (16 if name in HELD_UP else 0)


def test_BZ_45_a_star_makes_no_difference():
    exchange = Exchange(LIVELY)
    race = exchange.race("RWBGY*", cache=False)
    assert exchange.race("RWBGY", cache=False) is race
    assert race.ware == Ware("RWBGY")


def test_an_exchange_travels_light_and_forgets_a_race_that_nobody_holds():
    exchange = Exchange(LIVELY)
    race = exchange.race("RWBGY", cache=False)
    packed = pickle.dumps(exchange)
    assert pickle.loads(packed) == exchange and len(packed) < 500
    del race
    gc.collect()
    assert not exchange._races


def test_who_holds_too_much_is_told_so():
    with pytest.raises(ValueError, match=r"11 stones; a holding has at most ten \(BZ-14\)"):
        solved("lively").win("R", "RRRRRWWWWWW")


# What to do


@known
@few(10)
@given(some=pairs)
def test_options_are_the_legal_actions_and_the_best_forces_the_pairs_numbers(name, some):
    exchange, ware = KNOWN[name]
    race = solved(name)
    for have, other in some:
        options = race.options(have, other)
        assert sorted(options["action"]) == sorted(oracle.legal_actions(exchange, have.counts, ware))
        made = dict(oracle.trades(exchange, have.counts))
        for action, after, buys in options[["action", "after", "buys"]].itertuples(index=False, name=None):
            if action != "roll":
                assert oracle.hand(after) == made[action] and buys == oracle.buys(made[action], ware)
        assert race.best(have, other) == options["action"][0]
        assert options["win"][0] == pytest.approx(race.win(have, other), abs=6e-7)
        assert options["win"].max() == pytest.approx(race.win(have, other), abs=5e-7)
        assert options["lose"].min() == pytest.approx(race.lose(have, other), abs=5e-7)
        equal = options[options["win"] > options["win"].max() - 5e-7]
        assert options["lose"][0] <= equal["lose"].min() + 6e-7
        assert (options["costs"] >= 0).all()


def play(race, exchange, ware, have, other, rng, most=200):
    """Play a race by the rules, checking that what `best` and `faces` say is legal. 0 or 1: the buyer; -1: nobody."""
    hands = [oracle.hand(have), oracle.hand(other)]
    for turn in range(most):
        mine, theirs = hands[turn % 2], hands[1 - turn % 2]
        action, told = said(race, mine, theirs)
        if action == "roll":
            face = rng.randrange(6)
            take, then, following = told[face]
            assert face == 5 or take == oracle.COLOURS[face]
            after = oracle.plus(mine, oracle.ONE[take])
            if then == "buy":
                assert oracle.buys(after, ware) and oracle.hand(following) == oracle.minus(after, oracle.hand(ware))
                return turn % 2
            assert oracle.hand(following) in oracle.kept(after)
            after = oracle.hand(following)
        else:
            after = dict(oracle.trades(exchange, mine))[action]
            if oracle.buys(after, ware):
                return turn % 2
        assert sum(after) <= oracle.TEN
        hands[turn % 2] = after
    return -1


@cache
def said(race, mine, theirs):
    mine, theirs = oracle.letters(mine), oracle.letters(theirs)
    faces = race.faces(mine, theirs)[["face", "take", "then", "holding"]]
    return race.best(mine, theirs), [row[1:] for row in faces.itertuples(index=False, name=None)]


@pytest.mark.parametrize(("name", "have", "other"), [("lively", "BBBBBB", "BGGGYYYY"), ("held up", "BBGGGYYYY", "RBY")])
def test_real_races_by_the_rules_end_as_often_as_promised(name, have, other):
    exchange, ware = KNOWN[name]
    race, rng = solved(name), random.Random(3)
    buyers = [play(race, exchange, ware, have, other, rng) for _play in range(600)]
    assert -1 not in buyers
    mean, error = oracle.mean_and_error([buyer == 0 for buyer in buyers])
    assert abs(mean - race.win(have, other)) < 4 * error


@known
def test_twenty_thousand_simulated_races_confirm_the_numbers(name):
    race, rng = solved(name), random.Random(11)
    chosen = [("", ""), *((str(holding(rng.randrange(N))), str(holding(rng.randrange(N)))) for _pair in range(3))]
    for have, other in chosen:
        plays = race.simulate(have, other, 20_000, seed=5)
        assert len(plays) == 20_000 and (plays["buyer"] >= 0).all()
        share = (plays["buyer"] == 0).mean()
        error = max((share * (1 - share) / 20_000) ** 0.5, 1e-9)
        assert abs(share - race.win(have, other)) < 4.5 * error + 1e-6
        # The first player has the odd turns.
        assert ((plays["turns"] % 2 == 1) == (plays["buyer"] == 0)).all()


def test_BZ_45_a_race_that_is_held_up_is_won_by_nobody():
    race = solved("held up")
    have, other = (str(holding(int(number))) for number in np.argwhere(race.held_up)[0])
    plays = race.simulate(have, other, 300, seed=1)
    assert race.win(have, other) == race.lose(have, other) == 0
    assert (plays["buyer"] == -1).all()


# Files


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return solved("lively").save(tmp_path_factory.mktemp("race") / "lively.race")


def same(one, other):
    return (
        (one.equations, one.ware) == (other.equations, other.ware)
        and np.array_equal(one.all_win, other.all_win)
        and np.array_equal(one.all_lose, other.all_lose)
    )


def test_a_race_comes_back_from_its_file_mapped_into_memory(kept):
    found = Race.load(kept)
    assert same(found, solved("lively"))
    assert found.best("RR", "GG") == solved("lively").best("RR", "GG") == "R=WBGY"
    assert not found.all_win.flags.owndata and not found.all_win.flags.writeable
    assert kept.stat().st_size == 4096 + 2 * 4 * N * N
    head = kept.read_bytes()[:4096].decode().rstrip("\n").split("\n")
    assert head[:4] == ["tradekit tablebase 1", "rules: BZ-45", f"equations: {Exchange(LIVELY)}", "ware: RWBGY"]


def spoiled(kept, tmp_path, change):
    path = tmp_path / "spoiled.race"
    path.write_bytes(change(bytearray(kept.read_bytes())))
    return path


@pytest.mark.long
@few(6)
@given(place=st.integers(0, 2 * 4 * N * N - 1), bit=st.integers(0, 7))
def test_a_single_flipped_bit_is_found(kept, tmp_path_factory, place, bit):
    def flip(content):
        content[4096 + place] ^= 1 << bit
        return content

    with pytest.raises(ParseError, match=r"spoiled\.race: the file is damaged: its checksum is another one"):
        Race.load(spoiled(kept, tmp_path_factory.mktemp("flip"), flip))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.replace(b"ware: RWBGY", b"ware: RWBGG", 1), "the file is damaged: its checksum"),
        (lambda content: content.replace(b"R=WW", b"R=GG", 1), "the file is damaged: its checksum"),
        (lambda content: content[:-1], "the file is cut off or has grown: it has 72148167 bytes and should have"),
        (lambda content: content[:4096], "the file is cut off or has grown: it has 4096 bytes"),
        (lambda content: content[:50], "the header is damaged: it has no line"),
        (lambda content: content + b"\n", "the file is cut off or has grown"),
        (lambda content: content.replace(b"base 1", b"base 2", 1), "version '2'; this tradekit reads 1"),
        (lambda content: content.replace(b"\nware: ", b"\nmare: ", 1), "the header is damaged: it has no line 'ware:'"),
        (lambda content: content.replace(b"<f4", b"<f8", 1), "the header is damaged: '<f8' are no numbers of ours"),
        (lambda content: content.replace(b"3003,", b"3oo3,", 1), "the header is damaged"),
        (lambda content: b"", "this is no table: it does not begin with 'tradekit tablebase'"),
        (lambda content: b"tradekit record 1\nstart: bazar", "this is no table"),
        (lambda content: random.Random(1).randbytes(9_000), "this is no table"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_and_named(kept, tmp_path, change, message):
    path = spoiled(kept, tmp_path, change)
    with pytest.raises(ParseError) as error:
        Race.load(path)
    assert str(error.value).startswith(f"spoiled.race: {message}")


@pytest.mark.parametrize(
    ("rules", "shape"), [("BZ-45 with penalty", (N, N)), ("BZ-45", (3, 3))], ids=["other rules", "other tables"]
)
def test_a_whole_table_of_something_else_is_refused(tmp_path, rules, shape):
    facts = {"rules": rules, "equations": "R=W", "ware": "RWBGY"}
    path = race_files.save(tmp_path / "other.race", facts, [np.zeros(shape, np.float32)] * 2)
    with pytest.raises(
        ParseError, match=r"^other\.race: '.*' with a shape of .* is no race as this tradekit knows it$"
    ):
        Race.load(path)


def test_a_missing_file_is_the_systems_to_tell(tmp_path):
    with pytest.raises(FileNotFoundError):
        Race.load(tmp_path / "none.race")


def test_a_save_that_fails_leaves_what_was_there(kept, tmp_path, monkeypatch):
    path = tmp_path / "mine.race"
    Race.load(kept).save(path)

    def full(number):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        solved("sparse").save(path)
    assert [*tmp_path.iterdir()] == [path] and same(Race.load(path), solved("lively"))


SAVING = """
import sys
from tradekit.bazar import Race
race = Race.load(sys.argv[1])
print("ready", flush=True)
while True:
    race.save(sys.argv[2])
"""


@pytest.mark.long
@pytest.mark.parametrize("delay", [0.0, 0.05, 0.15])
def test_a_process_killed_while_it_saves_spoils_nothing(kept, tmp_path, delay):
    """It saves the sparse race over the lively one, again and again; one or the other is there, whole."""
    source, path = solved("sparse").save(tmp_path / "source.race"), Race.load(kept).save(tmp_path / "mine.race")
    process = subprocess.Popen([sys.executable, "-c", SAVING, source, path], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    while not [*tmp_path.glob("*.part")]:  # it has begun to write
        time.sleep(0.001)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    found = Race.load(path)
    assert same(found, solved("lively")) or same(found, solved("sparse"))
    left = sorted(tmp_path.iterdir())
    assert {file.suffix for file in left} <= {".race", ".part"}
    # The files that the killed process left are cleared with the rest.
    assert race_files.Cache(tmp_path).clear() == len(left) and not [*tmp_path.iterdir()]


# The cache


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(race_files, "cache", lambda: race_files.Cache(tmp_path / "tradekit"))
    return tmp_path / "tradekit"


def count_solutions(monkeypatch):
    solutions, solve = [], race_values.solve
    monkeypatch.setattr(race_values, "solve", lambda *given: solutions.append(given[1]) or solve(*given))
    return solutions


def test_a_race_is_solved_once_and_then_comes_from_the_cache(cache_folder, monkeypatch):
    solutions = count_solutions(monkeypatch)
    first = Exchange(LIVELY).race("RWBGY")
    again = Exchange(LIVELY).race("RWBGY*")
    assert solutions == [Ware("RWBGY")]
    assert same(first, again) and same(first, solved("lively"))
    cache = race_files.cache()
    assert len(cache.files) == 1 and cache.size == cache.files[0].stat().st_size
    assert repr(cache) == f"<Cache: 1 tables, 72 MB, in {cache_folder}>"
    assert cache.clear() == 1 and cache.files == [] and cache.size == 0


def test_another_exchange_or_ware_is_another_race(cache_folder, monkeypatch):
    solutions = count_solutions(monkeypatch)
    Exchange(LIVELY).race("RWBGY")
    Exchange(LIVELY).race("RWGGY")
    Exchange(SPARSE).race("RWBGY")
    assert len(solutions) == len(race_files.cache().files) == 3


def test_a_damaged_file_of_the_cache_is_made_again(cache_folder, monkeypatch):
    Exchange(LIVELY).race("RWBGY")
    (path,) = race_files.cache().files
    path.write_bytes(path.read_bytes()[:-5])
    solutions = count_solutions(monkeypatch)
    assert same(Exchange(LIVELY).race("RWBGY"), solved("lively"))
    assert solutions and same(Race.load(path), solved("lively"))


def test_without_a_cache_it_goes_on(tmp_path, cache_folder):
    """It goes on in memory, and warns once."""
    cache_folder.write_text("no folder")
    with pytest.warns(UserWarning, match=r"^Solved races cannot be kept \(.*\), so they stay in memory$"):
        assert same(Exchange(LIVELY).race("RWBGY"), solved("lively"))
    assert same(Exchange(LIVELY).race("RWBGY"), solved("lively"))


def test_without_a_folder_for_it_the_cache_is_empty(monkeypatch):
    monkeypatch.setattr(race_files, "cache_folder", lambda: None)
    nowhere = race_files.cache()
    assert nowhere.files == [] and nowhere.size == nowhere.clear() == 0 and "stays in memory" in repr(nowhere)
    with pytest.warns(UserWarning, match="stays in memory"):
        assert same(Exchange(LIVELY).race("RWBGY"), solved("lively"))


def test_nothing_is_written_if_that_is_not_wished(cache_folder):
    Exchange(LIVELY).race("RWBGY", cache=False)
    assert not cache_folder.exists()


# Progress


def test_a_bar_shows_if_asked_for_and_not_else(capsys):
    Exchange(LIVELY).race("RWBGY", cache=False, progress=True)
    assert "/7 digits" in capsys.readouterr().err
    Exchange(LIVELY).race("RWGGY", cache=False, progress=False)
    assert capsys.readouterr().err == ""


def test_the_report_tells_of_every_sweep_and_ends_below_the_accuracy():
    changes = []
    race_values.solve(Exchange(LIVELY).moves, Ware("RWBGY"), changes.append)
    assert 10 < len(changes) < 60 and len(changes) % 2 == 0
    assert changes[-1] < 1e-6 and all(change >= 0 for change in changes)
