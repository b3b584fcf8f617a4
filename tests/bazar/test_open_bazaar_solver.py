"""The bazaar for one (BZ-44): compared with plain value iteration by the oracle's rules, in play, and as a puzzle."""

import os
import random
import subprocess
import sys
from datetime import date
from functools import cache
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tradekit
from tests.playing import decide
from tradekit import bazar, bots, testing, tournament
from tradekit.bazar import Exchange, Puzzle, Solo, Stones, open_bazaar, puzzles
from tradekit.bazar import open_bazaar_solver as solo_module
from tradekit.bazar.hands import index
from tradekit.game import CHANCE, IllegalAction, ParseError
from tradekit.record import Record

from . import oracle
from .strategies import WARES, exchanges, few, holdings

EXCHANGE = str(Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY"))
TINY = [["RWBGY", "GGGGG*"], ["RRWBB"]]
WHOLE = puzzles.puzzle("the whole bazaar", wares=5)
DAILY = puzzles.puzzle("2027-01-06")


# Values


class Plain:
    """Value iteration hand by hand: every array is made from the oracle's rules, nothing is tradekit's."""

    def __init__(self, exchange):
        self.number = {hand: n for n, hand in enumerate(oracle.HANDS)}
        nobody = len(oracle.HANDS)  # a number that belongs to no hand
        trades = [[after for _name, after in oracle.trades(exchange, hand)] for hand in oracle.HANDS]
        rolls = [[oracle.plus(hand, one) for one in oracle.ONE.values()] for hand in oracle.HANDS]
        self.ends = sorted({end for ends in (*trades, *rolls) for end in ends})
        place = {end: n for n, end in enumerate(self.ends)}
        most = max(map(len, trades))
        nowhere = len(self.ends)
        self.after_trade = np.array([[*map(place.get, ends), *[nowhere] * (most - len(ends))] for ends in trades]).T
        self.after_roll = np.array([[*map(place.get, ends)] for ends in rolls]).T
        #: hands at the end of a turn: after a trade, and after a roll, where of eleven stones any ten stay (BZ-14)
        self.small = np.array([*(self.number.get(end, nobody) for end in self.ends), nobody])
        self.kept = np.full((5, nowhere + 1), nobody)
        for n, end in enumerate(self.ends):
            for k, hand in enumerate(oracle.kept(end) if sum(end) <= 11 else []):
                self.kept[k, n] = self.number[hand]

    def value(self, stalls, cost):
        """Return the value of playing on with these stalls until two are empty (BZ-17), an array by hand."""
        stalls = tuple(map(tuple, stalls))
        empty = sum(not stall for stall in stalls)
        if empty >= 2:
            return np.zeros(len(oracle.HANDS))
        gains = np.full(len(self.ends) + 1, -np.inf)
        for s, stall in enumerate(stalls):
            if stall:
                further = self.value((*stalls[:s], stall[1:], *stalls[s + 1 :]), cost)
                for n, end in enumerate(self.ends):
                    left = oracle.left_after(end, stall[0])
                    if left is not None:
                        rest = self.number[oracle.minus(end, oracle.hand(stall[0]))]
                        gains[n] = max(gains[n], oracle.points(stall[0], left, empty) + further[rest])
        values = np.full(len(oracle.HANDS) + 1, -1e6)
        values[-1] = -np.inf
        for _sweep in range(5_000):
            traded = np.maximum(gains, values[self.small])[self.after_trade].max(axis=0)
            rolls = np.maximum(gains, values[self.kept].max(axis=0))[self.after_roll]
            new = np.maximum(traded, (rolls.sum(axis=0) + rolls.max(axis=0)) / 6) - cost
            change = np.abs(new - values[:-1]).max()
            values[:-1] = new
            if change < 1e-11:
                return new
        raise AssertionError("no end")


@cache
def plain(exchange):
    return Plain(exchange)


def ours(values):
    """Return values in the order of the oracle's hands."""
    return values[[index(oracle.letters(hand)) for hand in oracle.HANDS]]


@few(2)
@given(
    exchanges(least=2),
    st.lists(st.sampled_from(WARES), min_size=3, max_size=3, unique=True),
    st.sampled_from(["", "*"]),
    st.sampled_from([0.1, 0.5, 2]),
)
def test_BZ_44_tiny_bazaars_are_those_of_plain_value_iteration(exchange, wares, star, cost):
    """From all 3,003 holdings, in every position of the stalls."""
    stalls = [[wares[0] + star, wares[1]], [wares[2]]]
    solo, brute = Solo(exchange, stalls, cost), plain(str(exchange))
    assert set(solo.values) == {(2, 1), (1, 1), (0, 1), (2, 0), (1, 0)}
    for ahead, values in solo.values.items():
        left = [stall[len(stall) - n :] for n, stall in zip(ahead, stalls, strict=True)]
        assert np.abs(ours(values) - brute.value(left, cost)).max() < 1e-6


def test_BZ_16_and_17_with_three_stalls_the_second_purchase_may_score_higher_and_the_third_ends_it():
    stalls = [["RWBGY"], ["GGGGG*"], ["RRWBB", "YYYYB"]]
    solo, brute = Solo(EXCHANGE, stalls, 0.4), plain(EXCHANGE)
    assert np.abs(ours(solo.values[1, 1, 2]) - brute.value(stalls, 0.4)).max() < 1e-6
    assert (0, 1, 2) in solo.values and (0, 0, 2) not in solo.values and (0, 1, 0) not in solo.values


@pytest.mark.long
def test_BZ_44_of_the_whole_bazaar_every_position_satisfies_its_equation():
    """In 1,125 positions of the stalls, some hands in each: points and the hand after the purchase, by the oracle."""
    solo, cost, rng = WHOLE.solo, WHOLE.cost, np.random.default_rng(2)
    exchange = " ".join(map(str, solo.start.equations))
    assert len(solo.values) == 5**4 + 4 * 5**3
    keys = [*solo.values]
    for ahead in [(5, 5, 5, 5), *(keys[n] for n in rng.integers(len(keys), size=12))]:
        tops = [(s, str(w[len(w) - n])) for s, (n, w) in enumerate(zip(ahead, solo.stalls, strict=True)) if n]

        def bought(hand, ahead=ahead, tops=tops):
            best = -np.inf
            for s, ware in tops:
                left = oracle.left_after(hand, ware)
                if left is not None:
                    after = (*ahead[:s], ahead[s] - 1, *ahead[s + 1 :])
                    rest = oracle.letters(oracle.minus(hand, oracle.hand(ware)))
                    further = 0 if after.count(0) >= 2 else solo.values[after][index(rest)]
                    best = max(best, oracle.points(ware, left, ahead.count(0)) + further)
            return best

        def begin(hand, ahead=ahead):
            return solo.values[ahead][index(oracle.letters(hand))]

        for number in rng.integers(len(oracle.HANDS), size=8):
            have = oracle.HANDS[number]
            worth = [
                max(bought(after), begin(after) if sum(after) <= oracle.TEN else -np.inf)
                for _name, after in oracle.trades(exchange, have)
            ]
            faces = [
                [max(bought(hand), *map(begin, oracle.kept(hand))) for hand in face] for face in oracle.faces(have)
            ]
            worth.append(sum(map(max, faces)) / 6)
            assert begin(have) == pytest.approx(max(worth) - cost, abs=1e-8)


def test_BZ_44_by_hand_it_pays_to_wait_for_a_purchase_with_nothing_left():
    """Waiting scores 8 in place of 5.

    R=W buys YYYYB with five left over, a point, and empties a stall. RRWBB is then in hand; R=W, and W=R buys it with
    none left over in the column of a star: 8. Buying at once with a rolled stone left over would score 5, a turn
    earlier.
    """
    solo = Solo("R=W", [["RRWBB"], ["YYYYB"]], cost=0.25, have="RRRBBBYYYY")
    assert solo.value() == pytest.approx(1 + 8 - 3 * 0.25)
    assert solo.best() == "R=W"
    state = solo.start.after("R=W")
    assert solo.best(state) == "buy 2"
    assert solo.options(state).set_index("action")["costs"]["buy 1"] > 1


def test_costs_make_haste_and_values_fall_with_them():
    dear, cheap = Solo(EXCHANGE, TINY, 2.0), Solo(EXCHANGE, TINY, 0.1)
    assert all((dear.values[ahead] < cheap.values[ahead]).all() for ahead in dear.values)


# Play


def test_BZ_44_the_game_keeps_the_laws():
    for size in (1, 2):
        seen = testing.check_game(open_bazaar.GAME, plays=3, size=size, seed=4)
        assert seen.decisions > 50


def finished(solo, bot, seed):
    return bots.finish(Record.begin(solo.start), [bot], seed=seed)


@pytest.mark.parametrize("bot", ["best", "random"])
def test_BZ_44_games_are_worth_what_was_promised_less_what_decisions_lost(bot):
    """Over many games luck has the mean 0: the values, the costs of decisions and real play agree."""
    solo = Solo(EXCHANGE, TINY, 0.5, have="RWB")
    best = Player(solo)
    luck = []
    for seed in range(100 if bot == "best" else 25):
        record = finished(solo, best if bot == "best" else bot, seed)
        turns = sum(state.step.name == "TURN" for state in record.states())
        lost = solo.check(record)["costs"].sum()
        luck.append(record.state().scores()[0] - 0.5 * turns + lost - solo.value())
        if bot == "best":
            assert lost == pytest.approx(0, abs=1e-6)
    mean, error = oracle.mean_and_error(luck)
    assert abs(mean) < 4 * error and error > 0


class Player(bots.Bot):
    """A bot that does what `best` says, in every position."""

    name = "best of solo"

    def __init__(self, solo):
        self.solo = solo

    def choose(self, view, actions, rng):
        best = self.solo.best(view.known)
        assert best in actions
        return best


@few(15)
@given(holdings, st.tuples(st.integers(0, 2), st.integers(0, 1)))
def test_options_are_the_legal_actions_best_first(have, ahead):
    solo = Solo(EXCHANGE, TINY, 0.5)
    if ahead.count(0) == 2:
        with pytest.raises(ValueError, match=r"2 of them empty.*\(BZ-17\)"):
            solo.state(have, ahead)
        return
    state = solo.state(have, ahead)
    options = solo.options(state)
    assert sorted(options["action"]) == sorted(state.actions(0))
    assert options["value"][0] == pytest.approx(solo.value(state), abs=1e-9)
    assert options["costs"][0] == 0 and options["costs"].is_monotonic_increasing
    assert options["value"].to_numpy() + options["costs"].to_numpy() == pytest.approx(options["value"][0])
    assert solo.best(state) in options[options["costs"] < 1e-8]["action"].tolist()


def test_in_the_middle_of_a_turn_too():
    """On Choice, at the purchase, and with eleven stones: the best action leads to the value; chance to the mean."""
    solo = Solo(EXCHANGE, TINY, 0.5, have="RRRRRRRRWG")
    die = solo.start.after("roll")
    faces = [solo.value(die.after(face)) for face, _p in die.outcomes()]
    assert solo.value(die) == pytest.approx(sum(faces) / 6)
    choice = die.after("Choice")
    assert choice.actors == (0,)
    eleven = choice.after("take W")
    for state in (choice, eleven):
        worth = {action: solo.value(state.after(action)) for action in state.actions(0)}
        assert solo.value(state) == pytest.approx(max(worth.values()))
        assert solo.options(state).set_index("action")["value"].to_dict() == pytest.approx(worth)
        assert worth[solo.best(state)] == pytest.approx(max(worth.values()))
    with pytest.raises(ValueError, match="there is nothing for the player to decide here"):
        solo.best(die)


def test_BZ_13_and_17_the_next_ware_of_the_order_comes_up_and_the_second_empty_stall_closes():
    state = open_bazaar.new(stalls=TINY, exchange="R=W G=B", have="RRWBGY")
    state = state.after("R=W").after("buy 1")
    assert [str(ware) for ware in state.wares] == ["GGGGG*", "RRWBB"] and state.actors == (0,)
    assert state.scores() == (3,) and str(state.holdings[0]) == "W"
    state = open_bazaar.new(stalls=[["RRWBB"], ["RWBGY"], ["YYYYY", "GGGGG"]], exchange="R=W G=B", have="RRRBBGGYRW")
    state = state.after("G=B").after("buy 1")
    assert state.actors == (0,) and state.wares[0] is None and state.scores() == (1,)
    state = state.after("R=W").after("buy RWBGY")
    assert state.actors == () and state.scores() == (1 + 8,)  # none left, in the column of a star (BZ-16)
    with pytest.raises(IllegalAction, match=r"the game is over \(BZ-17\)"):
        state.after("roll")


def test_the_text_of_a_position_reads_back_and_what_cannot_be_is_refused():
    state = open_bazaar.new(stalls=TINY, exchange="R=W G=B", have="RRWBGY").after("R=W")
    assert open_bazaar.Alone.parse(str(state)) == state
    for wrong in ("stalls=GGGGG*:1,RRWBB:0", "stalls=RWBGY:1,RRWBB:1", "stalls=?:1,RRWBB:0", "stalls=RWBGY:0,RRWBB:0"):
        stalls = next(word for word in str(state).split() if word.startswith("stalls="))
        with pytest.raises(ParseError, match=r"state of bazar-alone: stalls(=.* cannot be| and wares do not agree)"):
            open_bazaar.Alone.parse(str(state).replace(stalls, wrong))
    with pytest.raises(ParseError, match="state of bazar-alone: wares= is missing"):
        open_bazaar.Alone.parse("bazar-alone exchange=R=W")


# The bot


@pytest.mark.parametrize("cost", [0.5, 2])
def test_BZ_44_the_bot_solo_knows_the_exact_values_everywhere(cost):
    """Compared with a bazaar that is solved separately; also in the middle of turns, and after purchases."""
    start = open_bazaar.new(stalls=TINY, exchange=EXCHANGE, have="RRB")
    solo, bot = Solo.of(start, cost), bots.make("solo", cost=cost)
    steps = set()
    for state in finished(solo, "random", 1).states():
        if state.actors == (0,):
            steps.add(state.step)
            options = solo.options(state).set_index("action")["value"]
            values = bot.evaluate(state.view(0), state.actions(0), random.Random(0))
            assert values == pytest.approx({action: options[action] for action in values}, abs=1e-12)
            assert set(values) == set(state.actions(0))
            assert max(values.values()) == pytest.approx(solo.value(state))
            assert decide(bot, state) == solo.best(state)
    assert len(steps) >= 3 and f"less {cost} a turn" in bot.measure


def test_the_bot_solo_is_who_is_asked_for_a_hint():
    assert bots.opponent("bazar-alone", 1) == "solo" and "policy" not in bots.names("bazar-alone")
    assert bots.make(bots.opponent("bazar-alone", 1)).games == ("bazar-alone",) and "solo" not in bots.names("bazar")
    with pytest.raises(ValueError, match=r"cost=0: must be 0.001 or more"):
        bots.make("solo", cost=0)
    with pytest.raises(ValueError, match="bot 'policy' does not play bazar-alone"):
        tournament.play("bazar-alone", ["policy"], games=1, progress=False)


def test_a_bazaar_is_solved_once_in_a_game_and_four_are_kept(monkeypatch):
    solved = []
    monkeypatch.setattr(solo_module, "_kept", [])
    monkeypatch.setattr(solo_module.Solo, "of", lambda start, cost: solved.append(start) or SOLVE(start, cost))
    starts = [open_bazaar.new(stalls=[[ware], [other]], exchange="R=W", seed=1) for ware, other in pairwise(WARES[:7])]
    for start in starts:
        for state in bots.finish(Record.begin(start), ["random"], seed=2).states():
            if state.actors == (0,):
                assert decide(bots.make("solo"), state) in state.actions(0)
    assert solved == starts and len(solo_module._kept) == 4
    decide(bots.make("solo"), starts[-4])
    assert solved == starts  # still kept, and now used last
    decide(bots.make("solo"), starts[0])
    decide(bots.make("solo"), starts[-4])
    assert solved == [*starts, starts[0]]
    decide(bots.make("solo", cost=1), starts[0])
    assert solved == [*starts, starts[0], starts[0]]


SOLVE = Solo.of


# Records


def test_check_says_what_each_decision_lost():
    solo = Solo(EXCHANGE, TINY, 0.5, have="RRB")
    record = finished(solo, "random", 1)
    frame = solo.check(record)
    states = [*record.states()]
    for move, action, best, costs in frame[["move", "action", "best", "costs"]].itertuples(index=False, name=None):
        before = states[move - 1]
        options = solo.options(before).set_index("action")["costs"]
        assert costs == pytest.approx(options[action], abs=1e-9) and options[best] == pytest.approx(0, abs=1e-9)
    choices = [
        place
        for place, (move, state) in enumerate(zip(record.moves, states, strict=False), 1)
        if move.actor != CHANCE and len(state.actions(0)) > 1
    ]
    assert frame["move"].tolist() == choices


def test_positions_and_records_of_other_bazaars_are_refused():
    solo = Solo(EXCHANGE, TINY, 0.5)
    others = [
        open_bazaar.new(stalls=TINY, exchange="R=W"),
        open_bazaar.new(stalls=[["RWBGY", "GGGGG"], ["RRWBB"]], exchange=EXCHANGE),
        open_bazaar.new(stalls=[*TINY, ["YYYYY"]], exchange=EXCHANGE),
        bazar.new(cards=(1, 4), seed=1),
    ]
    for other in others:
        with pytest.raises(ValueError, match=r"that is no position of this bazaar: .* \(BZ-44\)"):
            solo.value(other)
        with pytest.raises(ValueError, match="that is no position of this bazaar"):
            solo.at(other)
        with pytest.raises(ValueError, match="that is no position of this bazaar"):
            solo.check(Record.begin(other))


@pytest.mark.parametrize(
    ("stalls", "cost", "have", "message"),
    [
        ([["RWBGY"]], 1, "", r"1 stalls, 0 of them empty: .* \(BZ-17\)"),
        ([["RWBGY"], [], []], 1, "", r"3 stalls, 2 of them empty"),
        ([["RWBGY"]] * 2, 1, "", r"ware RWBGY is there twice \(BZ-4\)"),
        ([[ware] for ware in WARES[:5]], 1, "", r"5 stalls, 0 of them empty: there are two to four"),
        (TINY, 0, "", r"cost=0: must be 0.001 or more"),
        (TINY, 1, "RRRRRRRRRRW", r"RRRRRRRRRRW: 11 stones; a holding has at most ten \(BZ-14\)"),
        ([["RWBG"], ["RRWBB"]], 1, "", r"'RWBG': a ware shows five stones"),
    ],
)
def test_a_bazaar_that_cannot_be_is_refused(stalls, cost, have, message):
    with pytest.raises(ValueError, match=message):
        Solo("R=W", stalls, cost, have)


# Puzzles


def test_a_puzzle_is_the_same_everywhere():
    code = "from tradekit.bazar import puzzle; print(puzzle('2027-01-06').start)"
    for seed in ("1", "77"):
        env = os.environ | {"PYTHONHASHSEED": seed}
        said = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        assert said.stdout.strip() == str(DAILY.start)
    assert puzzles.puzzle(date(2027, 1, 6)).start == DAILY.start
    assert bazar.puzzle().start == puzzles.puzzle(str(date.today())).start or str(date.today()) != bazar.puzzle().name


def test_every_day_another_bazaar():
    starts = {puzzles.puzzle(f"2027-01-{day:02}").start for day in range(1, 29)}
    assert len(starts) == 28
    for start in starts:
        assert [len(stall) for stall in start.ahead] == [2] * 4 and len(start.equations) == 10
        assert len(Stones(start.holdings[0])) <= 4
    assert [len(stall) for stall in WHOLE.start.ahead] == [5] * 4


@pytest.mark.parametrize("bot", ["best", "random"])
def test_a_players_record_is_checked_against_the_optimum(bot, tmp_path):
    record = finished(DAILY.solo, Player(DAILY.solo) if bot == "best" else bot, 3)
    path = record.save(tmp_path / "mine.txt")
    marks = DAILY.check(Record.load(path))
    assert marks.points == record.state().scores()[0] and marks.ahead == 0
    assert marks.turns == sum(move.action == "roll" or "=" in move.action for move in record.moves)
    assert marks.value == pytest.approx(marks.points - DAILY.cost * marks.turns)
    assert marks.value == pytest.approx(DAILY.optimum - marks.lost + marks.luck)
    assert (marks.lost < 1e-6) == (bot == "best")
    assert f"The optimum is {DAILY.optimum:.2f}" in str(marks)
    assert ("<table" in marks._repr_html_()) == (bot == "random")


def test_an_unfinished_record_counts_what_may_still_come():
    record = Record.begin(DAILY.start)
    marks = DAILY.check(record)
    assert (marks.points, marks.turns, marks.lost) == (0, 0, 0)
    assert marks.value == marks.optimum == marks.ahead and marks.luck == pytest.approx(0)
    record = record.with_move(DAILY.solo.best())
    assert DAILY.check(record).luck == pytest.approx(0, abs=1e-8)  # nothing has been rolled yet


def test_marks_are_said_in_words_that_agree():
    record = Record.begin(DAILY.start)
    assert str(DAILY.check(record)).startswith("0 points in 0 turns: ")
    trade = next(action for action in DAILY.start.actions(0) if "=" in action)
    assert str(DAILY.check(record.with_move(trade))).startswith("0 points in 1 turn: ")
    none = pd.DataFrame({"costs": [0.0]})
    marks = puzzles.Marks(points=1, turns=2, cost=0.5, ahead=0, optimum=1e-9, decisions=none)  # luck: less than nothing
    assert str(marks).startswith("1 point in 2 turns: 0.00.") and str(marks).endswith("the die gave +0.00.")


def test_a_record_of_another_puzzle_is_refused():
    other = puzzles.puzzle("2027-01-07")
    with pytest.raises(ValueError, match="the record begins with another bazaar than puzzle 2027-01-06"):
        DAILY.check(Record.begin(other.start))
    for size in (0, 6):
        with pytest.raises(ValueError, match=rf"wares={size}: must be between 1 and 5"):
            puzzles.puzzle("x", wares=size)


def test_a_puzzle_is_played_at_the_table_and_shows_itself():
    table = tradekit.play(DAILY.start, seats={0: "me"})
    assert table is not None
    assert isinstance(DAILY, Puzzle) and "puzzle 2027-01-06" in DAILY._repr_html_()
    assert f"{DAILY.optimum:.3f} points can be expected" in DAILY.solo._repr_html_()


def test_all_positions_of_the_stalls_are_there():
    stalls = [*map(len, DAILY.solo.stalls)]
    open_ = {ahead for ahead in product(*(range(n + 1) for n in stalls)) if ahead.count(0) < 2}
    assert set(DAILY.solo.values) == open_
