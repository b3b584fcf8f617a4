"""Against the die (BZ-43): values satisfy their equation, choices are best and legal, play confirms them."""

import random
from functools import cache
from math import inf, isfinite, isinf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit.bazar import Exchange, Goal, Policy, Ware, bellman, policy
from tradekit.bazar.policy import FACES

from . import oracle
from .strategies import WARES, exchanges, few, holdings, lefts, wares

LIVELY = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
SPARSE = Exchange("R=BGYW R=WW B=YY G=RR Y=WWW W=GB GG=WY BB=RW YY=BG W=RRY")

costs = st.sampled_from([0.05, 0.3, 1, 2.5])
many_holdings = st.lists(holdings, min_size=15, max_size=15, unique=True)


class Rules:
    """A goal as the oracle understands it: the value of a purchase, and the policy's answers for a hand.

    Values count upwards: turns are negative.
    """

    def __init__(self, exchange, solved):
        goal = solved.goal
        self.exchange, self.ware, self.left = str(exchange), str(goal.ware), goal.left
        self.cost = 1 if goal.cost is None else goal.cost
        self.sign = -1 if goal.cost is None else 1
        self.gain = (
            (lambda left: 0.0)
            if goal.cost is None
            else (lambda left: oracle.points(self.ware, left, goal.empty_stalls))
        )
        self.value = cache(lambda hand: self.sign * solved.value(oracle.letters(hand)))

    def actions(self, have):
        """Return actions with their values, in the order of the exchange."""
        worths = oracle.action_worths(self.exchange, have.counts, self.ware, self.left, self.gain, self.value)
        return {name: worth - self.cost for name, worth in worths}


def near(found, expected):
    return found == expected or abs(found - expected) <= 1e-9


# Values


@few(12)
@given(exchanges(), wares, lefts, many_holdings)
def test_BZ_43_expected_turns_satisfy_their_equation(exchange, ware, left, some):
    solved = exchange.solve(ware, left)
    rules = Rules(exchange, solved)
    for have in some:
        assert near(-solved.turns(have), max(rules.actions(have).values()))
        assert solved.value(have) == solved.turns(have)


@few(12)
@given(exchanges(), wares, lefts, costs, st.integers(0, 1), many_holdings)
def test_BZ_43_points_minus_cost_satisfy_their_equation(exchange, ware, left, cost, empty_stalls, some):
    solved = exchange.solve(ware, left, cost=cost, empty_stalls=empty_stalls)
    rules = Rules(exchange, solved)
    for have in some:
        assert near(solved.value(have), max(rules.actions(have).values()))


@few(8)
@given(exchanges(), wares, lefts, costs, st.integers(0, 1), many_holdings)
def test_BZ_43_value_is_points_minus_cost_times_turns(exchange, ware, left, cost, empty_stalls, some):
    solved = exchange.solve(ware, left, cost=cost, empty_stalls=empty_stalls)
    fastest = exchange.solve(ware, left)
    for have in some:
        if isinf(solved.value(have)):
            assert solved.turns(have) == fastest.turns(have) == inf
            assert solved.value(have) == -inf and isnan(solved.points(have))
            continue
        assert solved.value(have) == pytest.approx(solved.points(have) - cost * solved.turns(have), abs=1e-7)
        assert solved.turns(have) >= fastest.turns(have) - 1e-7
        ceiling = oracle.points(str(ware), 0, empty_stalls)
        assert oracle.points(str(ware), 8, empty_stalls) - 1e-9 <= solved.points(have) <= ceiling + 1e-9
        # The score of the hasty policy is a lower bound of the value.
        assert solved.value(have) >= fastest.points(have, empty_stalls) - cost * fastest.turns(have) - 1e-7


@few(3)
@given(exchanges(), wares, st.sampled_from([None, 0, 0, 1, (0, 3)]))
def test_BZ_43_infinite_exactly_where_the_goal_cannot_be_made_certain(exchange, ware, left):
    certain = oracle.certain(str(exchange), str(ware), left)
    for cost in (None, 0.5):
        solved = exchange.solve(ware, left, cost=cost)
        assert {hand for hand in oracle.HANDS if np.isfinite(solved.value(oracle.letters(hand)))} == certain
        assert {hand for hand in oracle.HANDS if solved.turns(oracle.letters(hand)) < inf} == certain


@pytest.mark.parametrize("equations", ["R=W", "RR=W", "RRR=W BB=G", "RRRR=W WW=BB"])
@pytest.mark.parametrize("left", [0, 1, None])
def test_BZ_43_infinite_under_few_equations(equations, left):
    certain = oracle.certain(equations, "BBGGY", left)
    turns = Exchange(equations).solve("BBGGY", left).all_turns
    assert {hand for hand, turn in zip(in_order(), turns.tolist(), strict=True) if turn < inf} == certain
    if equations == "R=W":
        # The number of stones never falls, and no trade makes a blue, green or yellow one. So no hand is sure to end
        # with
        # just the five good ones; to have one left over, any roll does from BBGGY, and a trade with one more.
        certainly = {
            0: set(),
            1: set(map(oracle.hand, ("BBGGY", "RBBGGY", "WBBGGY"))),
            None: set(oracle.HANDS),
        }
        assert certain == certainly[left]


@cache
def in_order():
    return [stones.counts for stones in Exchange("R=W").graph()]


def test_BZ_43_ten_stones_in_hand_and_nothing_may_be_left():
    """`R=W` keeps the number of stones, a roll adds one: from ten stones there can never be five."""
    solved = Exchange("R=W").solve("BBGGY", left=0)
    for have in ("RRRRRRRRRR", "BBGGYRRRRR", "BBBBBBBBBB"):
        assert solved.turns(have) == inf
        assert isnan(solved.points(have))
        with pytest.raises(ValueError) as error:
            solved.simulate(have)
        assert str(error.value) == f"{have}: the purchase cannot be made certain, so a play may never end"


@few(15)
@given(
    st.sampled_from(["R=W", "RR=W", "BBB=YY", "RRRR=W WW=BB"]),
    st.sampled_from(WARES),
    st.integers(0, 8),
    many_holdings,
)
def test_BZ_43_where_nothing_is_certain_the_advice_is_legal_all_the_same(equations, ware, left, some):
    solved = Exchange(equations).solve(ware, left)
    for have in some:
        assert solved.best(have) in oracle.legal_actions(equations, have.counts, ware, left)
        for face, take, then, following in solved.faces(have).iloc[:, :4].itertuples(index=False, name=None):
            rolled = oracle.plus(have.counts, oracle.hand(take))
            if then == "buy":
                assert oracle.buys(rolled, ware, left)
            else:
                assert oracle.hand(following) in oracle.kept(rolled), f"{have} after {face}"


def test_expected_turns_found_by_hand():
    """Four reds, and a fifth wanted: red and Choice buy, white is traded in the next turn, the rest changes nothing.

    T = 1 + 1/6 + T/2, and so it stays up to ten stones, where the useless one goes back.
    """
    solved = Exchange("R=W").solve("RRRRR")
    for have in ("RRRR", "RRRRB", "RRRRBGYBG", "RRRRBGYBGY"):
        assert solved.turns(have) == pytest.approx(7 / 3, abs=1e-9)
        assert solved.best(have) == "roll"
    assert (solved.turns("RRRRW"), solved.best("RRRRW")) == (1, "W=R")
    # Nothing useful can be traded, and the fifth yellow has the probability 1/3 in every turn.
    assert Exchange("R=W").solve("YYYYY").turns("YYYY") == pytest.approx(3, abs=1e-9)
    # It scores 5 if bought in the first turn, with one stone left over 3, with two 2, then 1.
    scored = 5 / 3 + 3 * 2 / 9 + 2 * 4 / 27 + 8 / 27
    assert Exchange("R=W").solve("YYYYY").points("YYYY") == pytest.approx(scored, abs=1e-9)
    assert Exchange("R=W").solve("YYYYY", cost=0.5).value("YYYY") == pytest.approx(scored - 1.5, abs=1e-9)


# Choices


@few(12)
@given(exchanges(), wares, lefts, st.none() | costs, many_holdings)
def test_options_are_the_legal_actions_with_their_values(exchange, ware, left, cost, some):
    solved = exchange.solve(ware, left, cost=cost)
    rules = Rules(exchange, solved)
    name = "turns" if cost is None else "value"
    for have in some:
        frame, expected = solved.options(have), rules.actions(have)
        assert list(frame.columns) == ["action", "after", "buys", name, "costs"]
        assert sorted(frame["action"]) == sorted(expected)
        made = dict(oracle.trades(str(exchange), have.counts))
        for action, after, buys, shown, _costs in frame.itertuples(index=False, name=None):
            assert near(rules.sign * shown, expected[action])
            if action == "roll":
                assert after is None or after != after  # pandas may write a missing text as NaN
                assert not buys
            else:
                assert after == oracle.letters(made[action])
                assert oracle.buys(made[action], rules.ware, rules.left) if buys else sum(made[action]) <= 10


@few(12)
@given(exchanges(), wares, lefts, st.none() | costs, many_holdings)
def test_options_come_best_first_and_say_what_the_others_cost(exchange, ware, left, cost, some):
    """Among equal options the first trade in the order of the exchange comes first, the roll last."""
    solved = exchange.solve(ware, left, cost=cost)
    rules = Rules(exchange, solved)
    for have in some:
        frame, expected = solved.options(have), rules.actions(have)
        best = max(expected.values())
        equal = [action for action, worth in expected.items() if worth >= best - 1e-9]
        if isinf(best):  # nothing can be made certain: the roll
            equal.sort(key=lambda action: action != "roll")
        assert frame["action"].tolist()[: len(equal)] == equal
        assert solved.best(have) == equal[0] == frame["action"].iloc[0]
        assert near(rules.sign * frame.iloc[0, 3], best)
        assert near(best, rules.value(have.counts))
        assert frame["costs"].is_monotonic_increasing
        assert frame["costs"].tolist()[: len(equal)] == [0.0] * len(equal)
        for action, costs_more in zip(frame["action"][len(equal) :], frame["costs"][len(equal) :], strict=True):
            assert costs_more > 0
            assert costs_more == pytest.approx(best - expected[action], abs=1e-9)


@few(10)
@given(exchanges(), wares, lefts, st.none() | costs, many_holdings)
def test_a_plan_follows_the_best_to_the_purchase_or_a_roll(exchange, ware, left, cost, some):
    solved = exchange.solve(ware, left, cost=cost)
    for have in some:
        if isinf(solved.turns(have)):
            continue
        *trades, last = solved.plan(have)
        here = have
        for step in (*trades, last):
            assert step.before == here
            assert str(step.trade or "roll") == solved.best(here)
            assert step.trade or step.after is None
            here = step.after
            made = dict(oracle.trades(str(exchange), step.before.counts)).get(str(step.trade))
            assert here is None or here.counts == made
        assert not any(step.buys for step in trades) and None not in [step.trade for step in trades]
        assert (last.trade is None) != last.buys
        assert not last.buys or oracle.buys(last.after.counts, str(ware), solved.goal.left)


def test_a_plan_ends_where_nothing_is_certain(monkeypatch):
    made = []

    def limited(*fields):
        made.append(fields)
        assert len(made) < 100, "the plan goes round in circles"
        return fields

    monkeypatch.setattr(policy, "PlanStep", limited)
    assert Exchange("R=W").solve("BBGGY", left=0).plan("RRB")[-1][1] is None


def test_BZ_14_options_leave_out_a_trade_above_ten_that_does_not_buy():
    solved = Exchange("R=WW RR=WWW").solve("RRRWW")
    assert set(solved.options("RRRRRRRRRB")["action"]) == {"R=WW", "RR=WWW", "roll"}
    assert set(solved.options("RRRBBBBBBB")["action"]) == {"roll"}
    frame = solved.options("RRRRRRRRRB").set_index("action")
    assert frame.loc["R=WW", ["after", "buys", "turns"]].tolist() == ["RRRRRRRRWWB", True, 1.0]
    assert frame.loc["roll", "after"] is None or frame["after"].isna()["roll"]


def test_of_equal_actions_the_first_trade_is_taken_and_the_roll_last():
    assert Exchange("R=WW R=WB B=WW").solve("WWWWW", left=None).best("RWWWWB") == "R=WW"
    assert Exchange("B=WW R=WW").solve("WWWWW", left=None).best("RWWWB") == "B=WW"
    # Whatever is rolled, the stones in hand pay for the ware: rolling is as quick as trading.
    solved = Exchange("W=Y R=B").solve("RRRRR")
    assert solved.best("RRRRRRW") == "W=Y"
    assert solved.options("RRRRRRW")["action"].tolist() == ["W=Y", "R=B", "roll"]
    assert solved.options("RRRRRRW")["costs"].tolist() == [0, 0, 0]


@few(12)
@given(exchanges(), wares, lefts, st.none() | costs, many_holdings)
def test_BZ_5_BZ_14_faces_are_answered_by_the_best(exchange, ware, left, cost, some):
    solved = exchange.solve(ware, left, cost=cost)
    rules = Rules(exchange, solved)
    for have in some:
        if isinf(solved.value(have)):
            continue
        frame = solved.faces(have)
        assert frame["face"].tolist() == [*"RWBGY", "Choice"] == list(FACES)
        worths = []
        for face, take, then, following, shown in frame.itertuples(index=False, name=None):
            assert take == face or face == "Choice"
            rolled = oracle.plus(have.counts, oracle.hand(take))
            able = oracle.buys(rolled, rules.ware, rules.left)
            worth = max(map(rules.value, oracle.kept(rolled)))
            if then == "buy":
                assert able
                assert oracle.hand(following) == oracle.minus(rolled, oracle.hand(rules.ware))
                gained = rules.gain(oracle.left_after(rolled, rules.ware))
                assert gained >= worth - 2e-9
                worth = gained
            else:
                assert oracle.hand(following) in oracle.kept(rolled)
                assert near(rules.value(oracle.hand(following)), worth)
                assert not able or worth >= rules.gain(oracle.left_after(rolled, rules.ware)) - 2e-9
                back = oracle.minus(rolled, oracle.hand(following))
                assert then == ("keep" if sum(rolled) <= 10 else f"return {oracle.letters(back)}")
            assert near(rules.sign * shown, worth)
            worths.append(worth)
        assert worths[5] >= max(worths[:5]) - 2e-9
        if not isinf(sum(worths)):
            assert near(sum(worths) / 6 - rules.cost, rules.actions(have)["roll"])


@few(6)
@given(exchanges(), wares, lefts, st.none() | costs, many_holdings)
def test_the_table_of_all_holdings(exchange, ware, left, cost, some):
    solved = exchange.solve(ware, left, cost=cost)
    frame = solved.to_frame()
    assert list(frame.columns) == ["holding", "stones", "turns", *(["value"] if cost else []), "best"]
    assert frame["holding"].tolist() == [oracle.letters(hand) for hand in in_order()]
    assert frame["stones"].tolist() == [sum(hand) for hand in in_order()]
    assert solved.all_turns.shape == (3003,)
    rows = frame.set_index("holding")
    for have in map(str, some):
        assert rows.loc[have, "turns"] == solved.turns(have)
        assert rows.loc[have, "best"] == solved.best(have)
        assert cost is None or rows.loc[have, "value"] == solved.value(have)


@few(8)
@given(exchanges(), wares, st.lists(st.sampled_from("RWBGY"), min_size=2, max_size=2, unique=True), holdings)
def test_the_grid_of_two_colours(exchange, ware, colours, have):
    across, up = colours
    solved = exchange.solve(ware)
    frame = solved.grid(have, across, up)
    rest = [colour for colour in str(have) if colour not in (*colours, "-")]
    at = [(x, y) for y in range(10 - len(rest), -1, -1) for x in range(11 - len(rest) - y)]
    assert list(zip(frame["x"], frame["y"], strict=True)) == at
    for x, y, stones, turns, here in frame.itertuples(index=False, name=None):
        hand = oracle.hand("".join(rest) + across * x + up * y)
        assert stones == oracle.letters(hand)
        assert turns == solved.turns(stones)
        assert here == (hand == have.counts)


@pytest.mark.parametrize("colours", [("X", "W"), ("R", "red"), ("r", "W"), ("R", "R"), ("RW", "B"), ("", "W")])
def test_a_grid_needs_two_different_colours(colours):
    with pytest.raises(ValueError, match=r"(across|up)='\w*': must be one of "):
        LIVELY.solve("RWBGY").grid("RR", *colours)


# Goals


@pytest.mark.parametrize("left", [1.5, [0, 1.5], -1, []])
def test_stones_left_are_whole_numbers(left):
    for ask in (Goal.of, LIVELY.solve, LIVELY.turns, lambda ware, left: LIVELY.chain("RRR", ware, left=left)):
        with pytest.raises(ValueError, match=r"left=.*: must be 0 or more"):
            ask("RWBGY", left=left)


def test_a_goal_is_the_same_of_a_ware_and_of_its_text():
    assert Goal.of("5G ★") == Goal.of(Ware("GGGGG*"))


@pytest.mark.parametrize("cost", [0, 0.0, -1, -0.5, float("nan"), inf, -inf])
def test_BZ_43_waiting_must_cost_something(cost):
    message = f"cost={cost or 0}: must be {'0.001 or more' if isfinite(cost) else 'a finite number'}"
    for ask in (lambda: Goal.of(Ware("RWBGY"), cost=cost), lambda: LIVELY.solve("RWBGY", cost=cost)):
        with pytest.raises(ValueError) as error:
            ask()
        assert str(error.value) == message


def test_BZ_17_two_empty_stalls():
    message = "2 empty stalls: 0 or 1 are possible, with two the bazaar is closed (BZ-17)"
    for ask in (
        lambda: LIVELY.solve("RWBGY", cost=1, empty_stalls=2),
        lambda: LIVELY.solve("RWBGY").points("", empty_stalls=2),
    ):
        with pytest.raises(ValueError) as error:
            ask()
        assert str(error.value) == message


def test_BZ_16_points_with_an_empty_stall():
    solved = LIVELY.solve("RWBGY*", left=0)
    assert solved.points("RR") == pytest.approx(8, abs=1e-9)
    assert solved.points("RR", empty_stalls=1) == pytest.approx(12, abs=1e-9)
    assert LIVELY.solve("RWBGY", left=0, cost=0.5, empty_stalls=1).points("RR") == pytest.approx(8, abs=1e-9)


@few(6)
@given(exchanges(), wares, lefts, many_holdings)
def test_BZ_15_points_are_the_mean_over_how_many_stones_are_left(exchange, ware, left, some):
    """Computed turn by turn: each turn's results by `best`, `options` and `faces`, and from them the points before."""
    solved = exchange.solve(ware, left)
    for have in some:
        if isinf(solved.turns(have)):
            continue
        for stalls in (0, 1):
            assert solved.points(have, stalls) == pytest.approx(points_after_a_turn(solved, have, stalls), abs=1e-9)


def points_after_a_turn(solved, have, stalls):
    ware = str(solved.goal.ware)
    action = solved.best(have)
    if action != "roll":
        after, buys = solved.options(have).set_index("action").loc[action, ["after", "buys"]]
        return oracle.points(ware, len(after) - 5, stalls) if buys else solved.points(after, stalls)
    worths = []
    for take, then, holding in solved.faces(have)[["take", "then", "holding"]].itertuples(index=False, name=None):
        left = oracle.left_after(oracle.plus(have.counts, oracle.hand(take)), ware)
        worths.append(oracle.points(ware, left, stalls) if then == "buy" else solved.points(holding, stalls))
    return sum(worths) / 6


@pytest.mark.parametrize(
    "ask",
    [Policy.value, Policy.turns, Policy.points, Policy.best, Policy.options, Policy.faces, Policy.simulate],
)
def test_BZ_14_more_than_ten_stones_are_refused(ask):
    with pytest.raises(ValueError) as error:
        ask(LIVELY.solve("RWBGY"), "11R")
    assert str(error.value) == "RRRRRRRRRRR: 11 stones; a holding has at most ten (BZ-14)"


@pytest.fixture
def solved_goals(monkeypatch):
    """The goals that are really solved, in order."""
    solved, original = [], policy.solve

    def recording(moves, goals):
        solved.extend(goals)
        return original(moves, goals)

    monkeypatch.setattr(policy, "solve", recording)
    return solved


def test_what_was_solved_is_not_solved_again(solved_goals):
    exchange = Exchange("R=WW W=BG")
    first = exchange.solve("RWBGG", left=[0])
    assert exchange.solve(Ware("GRWGB"), left=0) is first
    assert exchange.solve_all([Goal.of(Ware("RWBGG"), range(1)), "RWBGG", "RWBGG"])[0] is first
    assert solved_goals == [Goal(Ware("RWBGG"), (0,)), Goal(Ware("RWBGG"))]
    assert exchange.solve("RWBGG", cost=1) is not exchange.solve("RWBGG", cost=1, empty_stalls=1)
    assert exchange.solve("RWBGG*") is not exchange.solve("RWBGG")
    assert len(solved_goals) == 5


@pytest.mark.parametrize("cores", [1, 3])
def test_many_goals_in_one_call_are_the_same_as_one_by_one(solved_goals, monkeypatch, cores):
    monkeypatch.setattr(bellman.os, "cpu_count", lambda: cores)
    goals = [
        *(Goal.of(Ware(ware)) for ware in WARES[::5]),
        *(Goal.of(Ware(ware), 0) for ware in WARES[4::25]),
        *(Goal.of(Ware(ware + "*"), cost=0.4, empty_stalls=1) for ware in WARES[7::25]),
    ]
    together, alone = Exchange(str(SPARSE)), Exchange(str(SPARSE))
    policies = together.solve_all(goals)
    assert solved_goals == goals
    for goal, solved in zip(goals, policies, strict=True):
        other = alone.solve(goal.ware, goal.left, goal.cost, goal.empty_stalls)
        assert solved.goal == other.goal == goal
        assert np.allclose(solved.all_turns, other.all_turns, rtol=0, atol=1e-7)
        for have in ("", "RRWW", "YYYYYYYYYY"):
            assert near(solved.value(have), other.value(have))
    assert together.solve_all([]) == []


@few(20)
@given(exchanges(), wares, lefts, st.none() | st.sampled_from([0.02, 0.5, 3.0]))
def test_keeping_the_actions_changes_no_value(exchange, ware, left, cost):
    column = "turns" if cost is None else "value"
    fast = exchange.solve(ware, left, cost).to_frame()[column]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bellman, "_KEPT", 0)  # only passes
        slow = Exchange(str(exchange)).solve(ware, left, cost).to_frame()[column]
    assert np.allclose(fast, slow, rtol=1e-9, atol=1e-9)


# Play


def within_four_errors(numbers, expected):
    mean, error = oracle.mean_and_error([float(x) for x in numbers])
    return abs(mean - expected) <= 4 * error + 1e-9


@pytest.mark.parametrize(
    ("exchange", "ware", "left", "have"),
    [
        (LIVELY, "RWBGY", None, ""),
        (LIVELY, "RRRRR*", 0, "GGGGGGGGGG"),
        (SPARSE, "RWGGY", 0, ""),
        (Exchange("R=W"), "BBGGY", None, "WWWWWWWWWW"),
        (Exchange("RRRR=W WW=BB"), "BBGGY", range(0, 3), "RRWW"),
    ],
)
def test_BZ_43_twenty_thousand_plays_confirm_the_expected_turns(exchange, ware, left, have):
    solved = exchange.solve(ware, left)
    plays = solved.simulate(have, plays=20_000, seed=1)
    assert list(plays.columns) == ["turns", "left", "points"]
    assert len(plays) == 20_000
    assert within_four_errors(plays["turns"], solved.turns(have))
    assert within_four_errors(plays["points"], solved.points(have))
    allowed = range(9) if left is None else solved.goal.left
    assert set(plays["left"]) <= set(allowed)
    assert plays["points"].tolist() == [oracle.points(ware, n) for n in plays["left"]]
    assert plays["turns"].min() >= 1


@pytest.mark.parametrize(("ware", "cost", "stalls"), [("RWBGY*", 0.3, 0), ("GGGGG*", 0.15, 1), ("WWBBY", 1, 0)])
def test_BZ_43_twenty_thousand_plays_confirm_points_minus_cost(ware, cost, stalls):
    solved = SPARSE.solve(ware, cost=cost, empty_stalls=stalls)
    plays = solved.simulate("RW", plays=20_000, seed=2)
    assert within_four_errors(plays["points"] - cost * plays["turns"], solved.value("RW"))
    assert within_four_errors(plays["turns"], solved.turns("RW"))
    assert within_four_errors(plays["points"], solved.points("RW"))
    assert plays["points"].tolist() == [oracle.points(ware, n, stalls) for n in plays["left"]]


def test_a_seed_repeats_a_simulation():
    solved = LIVELY.solve("RWBGY")
    assert solved.simulate("", 200, seed=5).equals(solved.simulate("", 200, seed=5))
    assert not solved.simulate("", 200, seed=5).equals(solved.simulate("", 200, seed=6))
    assert not solved.simulate("", 200).equals(solved.simulate("", 200))


@pytest.mark.long
@pytest.mark.parametrize(
    ("exchange", "ware", "left", "cost", "have"),
    [
        (LIVELY, "RWBGY", None, None, ""),
        (SPARSE, "RWGGY", 0, None, ""),
        (SPARSE, "RRRRR*", None, 0.3, "RRWW"),
        (Exchange("R=W"), "BBGGY", None, None, "WWWWWWWWWW"),  # eleven after every roll
        (Exchange("RRRR=W WW=BB"), "BBGGY*", (0, 1, 2), 0.4, "RRWW"),
    ],
)
def test_BZ_43_five_thousand_plays_by_the_oracle_confirm_the_policy(exchange, ware, left, cost, have):
    """The oracle rolls, does what `best`, `options` and `faces` say, and fails if that is not legal."""
    solved = exchange.solve(ware, left, cost=cost)

    @cache
    def advice(hand):
        stones = oracle.letters(hand)
        action = solved.best(stones)
        buys = solved.options(stones).set_index("action").loc[action, "buys"] if action != "roll" else False
        told = solved.faces(stones)[["take", "then", "holding"]]
        return action, buys, list(told.itertuples(index=False, name=None))

    rng = random.Random(7)
    games = [oracle.play(str(exchange), advice, oracle.hand(have), ware, left, rng) for _ in range(5_000)]
    points = [oracle.points(ware, rest) for _turns, rest in games]
    assert within_four_errors([turns for turns, _rest in games], solved.turns(have))
    assert within_four_errors(points, solved.points(have))
    if cost:
        gained = [p - cost * turns for p, (turns, _rest) in zip(points, games, strict=True)]
        assert within_four_errors(gained, solved.value(have))


# Shown


@pytest.mark.parametrize(
    ("goal", "title"),
    [
        ({}, "buy RWBGY*, any number left: fewest turns"),
        ({"left": 0}, "buy RWBGY*, 0 left: fewest turns"),
        ({"left": [4, 1]}, "buy RWBGY*, 1, 4 left: fewest turns"),
        ({"left": range(3, 9)}, "buy RWBGY*, 3 to 8 left: fewest turns"),
        ({"cost": 0.25}, "buy RWBGY*, any number left: points minus 0.25 a turn"),
    ],
)
def test_a_policy_says_what_it_is_for(goal, title):
    solved = LIVELY.solve("RWBGY*", **goal)
    assert solved.title() == title
    assert repr(solved) == f"<Policy: {title}>"
    page = solved._repr_html_()
    assert title in page
    assert f"from no stones: {solved.turns(''):.3f} turns" in page
    for face, *_rest in solved.faces("").itertuples(index=False, name=None):
        assert f"<td>{face}</td>" in page


def test_a_policy_without_end_shows_itself():
    assert "inf" in Exchange("R=W").solve("BBGGY", left=0)._repr_html_()
