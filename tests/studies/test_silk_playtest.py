"""SI-74, the playtest of The Silk Road: its bots, its counts, its intervals, and the table that is kept."""

import pickle
import random
import re
from itertools import combinations, pairwise
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.drawn import names
from tradekit import bots, silk, tournament
from tradekit.exercises import check
from tradekit.game import CHANCE, play_on
from tradekit.silk import charts
from tradekit.silk.cards import GOODS, cards_of, numbers, read
from tradekit.silk.parameters import Step
from tradekit.studies import rounds
from tradekit.studies import silk_playtest as playtest
from tradekit.studies.silk_playtest import STUDY, Hurrying, Without


def played(seats, games=3, **options):
    """Return games between bots; with `limit`, only that many decisions of each."""
    return tournament.play("silk", seats, games, seed=3, players=3, progress=False, records=True, **options).played


def at_a_table(name, games=3, **options):
    odd, *others = playtest._tables()[name]
    return played({"odd": odd, "one": others[0], "other": others[0]}, games, **options)


def decisions(game):
    """Yield every decision of a game: the state, the player, and the action."""
    for state, (actor, action) in zip(game.record.states(), game.record.moves, strict=False):
        if actor != CHANCE:
            yield state, actor, str(action)


# The bots


@pytest.mark.long
@pytest.mark.parametrize(
    ("table", "never", "others_do"),
    [
        ("no talk", {"offer", "answer"}, "offer"),
        ("no offers", {"offer"}, "answer"),
        ("no answers", {"answer"}, "offer"),
        ("no bribes", {"bribe", "offer", "answer"}, "bribe"),
        ("no buys", {"buy", "offer", "answer"}, "buy"),
        ("no passes", {"pass", "offer", "answer"}, "pass"),
    ],
)
def test_SI_74_a_bot_without_an_action_never_takes_it_and_others_do(table, never, others_do):
    seen = {True: set(), False: set()}
    games, limit = (15, 200) if others_do == "pass" else (3, 60)  # a bot passes when little is left, and seldom
    for game in at_a_table(table, games, limit=limit):
        for _state, actor, action in decisions(game):
            seen[game.bots[actor] == "odd"].add(action.split()[0])
    assert not seen[True] & never
    assert others_do in seen[False] and "sell" in seen[True]


def test_what_is_left_to_it_a_bot_without_an_action_does_as_the_other_would():
    without, planner, alike = Without("bribe"), bots.make("planner"), 0
    (game,) = played({"planner": planner}, 1, limit=50)
    for state, actor, action in decisions(game):
        if not action.startswith("bribe"):
            view, actions = state.view(actor), state.actions(actor)
            assert without.choose(view, actions, random.Random(0)) == action
            alike += 1
    assert alike > 20


def test_where_nothing_else_is_left_it_does_it_all_the_same():
    state = silk.new(3, seed=7, first_hand=7)
    view, actions = state.view(state.turn), state.actions(state.turn)
    everything = {action.split()[0] for action in bots.make("planner").evaluate(view, actions)}
    assert Without(*everything).choose(view, actions, random.Random(0)) in actions


def test_SI_21_one_sells_the_cheapest_cards_of_a_good_and_the_others_the_dearest():
    sales = 0
    for game in at_a_table("cheapest, sale", 6):
        for state, actor, action in decisions(game):
            if action.startswith("sell "):
                _sell, good, *values = action.split()
                held = [int(card.split()[1]) for card in _cards(state.hands[actor]) if card.startswith(good)]
                n = len(values)
                assert sorted(map(int, values)) == (held[:n] if game.bots[actor] == "odd" else held[-n:])
                sales += n < len(held)
    assert sales > 20, "there was a choice"


def _cards(hand):
    """Return the cards of a hand, by rising value."""
    return [f"{GOODS[number // 10]} {number % 10 + 1}" for number in numbers(hand)]


def test_SI_41_the_hurrying_bot_passes_when_it_is_ahead_and_only_then_more_than_the_other():
    quiet, passes, closed = Without("offer", "answer"), 0, 0
    for game in played({"odd": Hurrying(1, quiet), "one": quiet, "other": quiet}, 3):
        for state, actor, action in decisions(game):
            if game.bots[actor] == "odd" and state.step is Step.TURN:
                lead = state.dinars[actor] - max(d for p, d in enumerate(state.dinars) if p != actor)
                view = state.view(actor)
                hurry = lead >= 1 and not state.closed  # then a pass no longer discards anything (SI-51)
                assert action == ("pass" if hurry else quiet.choose(view, state.actions(actor), random.Random(0)))
                passes += hurry
                closed += state.closed and lead >= 1
    assert passes and closed


def test_all_tables_can_be_sent_to_another_process():
    for seats in playtest._tables().values():
        for bot in pickle.loads(pickle.dumps(seats)):
            assert isinstance(bot, bots.Bot)
    again = pickle.loads(pickle.dumps(STUDY))
    assert again.play is playtest.play and again.treatments == STUDY.treatments


# The counts


@pytest.fixture(scope="module")
def games():
    return at_a_table("no bribes", 3) + played(["planner"], 1) + played(["sale"], 2, zeros="stay")


def test_a_game_is_counted_as_one_reads_it_from_the_text(games):
    frame = playtest.counts(games)
    for game, row in zip(games, frame.to_dict("records"), strict=True):
        actions = [str(action) for actor, action in game.record.moves if actor != CHANCE]
        sold = [action.split()[2:] for action in actions if action.startswith("sell ")]
        assert row["cards"] == sum(map(len, sold))
        assert row["points"] == sum(int(value) for values in sold for value in values)
        assert row["single"] == sum(len(values) == 1 for values in sold)
        assert row["dinars"] == row["cards"] + row["bonus"] == sum(game.scores)
        assert row["bribes by safeguard"] == sum(bool(re.fullmatch("bribe.* with safeguard", a)) for a in actions)
        assert row["audiences by safeguards"] == sum(bool(re.fullmatch("aud.* with safeguards", a)) for a in actions)
        assert (row["decisions"], row["seats"], row["round"]) == (len(actions), 3, game.round)
        new = [state.pile for before, state in pairwise(game.record.states()) if state.ran_out > before.ran_out]
        assert row["reshuffled"] == new[0]
        rises = []
        for (before, after), move in zip(pairwise(game.record.states()), game.record.moves, strict=True):
            if move.action == "accept":
                pair = (before.turn, before.partner)
                best = [[playtest.best_sale(before, p, state.hands[p]) for p in pair] for state in (before, after)]
                rises.append([new - old for old, new in zip(*best, strict=True)])
        first = {}
        for state in game.record.states():
            if state.step is Step.TURN:
                first.setdefault(state.turn, playtest.best_sale(state, state.turn, state.hands[state.turn]))
        assert len(first) == 3 and row["opening"] == sum(first.values())
        assert row["rise"] == sum(map(sum, rises)) and row["both"] == sum(min(rise) > 0 for rise in rises)
        assert row["exchanges"] == len(rises) and row["chances"] <= row["looks"]
        if "odd" in game.bots:
            by_bot = dict(zip(game.bots, game.scores, strict=True))
            assert row["wins"] == dict(zip(game.bots, game.shares, strict=True))["odd"]
            assert row["margin"] == by_bot["odd"] - (by_bot["one"] + by_bot["other"]) / 2


def test_SI_24_low_piles_are_counted_by_quarters_of_the_turns(games):
    """Another way to find the turns: a turn ends when the player on turn changes, or draws once more (SI-51)."""
    for game, row in zip(games, playtest.counts(games).to_dict("records"), strict=True):
        states = [*game.record.states()]
        shown, before = [], None
        for state, nth in zip(states, range(len(states)), strict=True):
            begins = state.step is Step.DRAW or (state.step is Step.TURN and states[nth - 1].step is not Step.DRAW)
            if begins and before is not Step.DRAW:
                shown.append(sum(pile[0] < 2 for pile in state.market.piles))
            before = state.step
        assert len(shown) == row["turns"]
        parts = [shown[len(shown) * n // 4 : len(shown) * (n + 1) // 4] for n in range(4)]
        assert [row[f"low {n}"] for n in (1, 2, 3, 4)] == pytest.approx([*map(fmean, parts)])
        assert fmean(shown) == pytest.approx(row["zeros"] + row["ones"])


def test_SI_41_a_pass_of_who_is_ahead_is_counted_as_such(games):
    games = [*games, *played({"odd": Hurrying(2), "one": "sale", "other": "sale"}, 3)]
    total = 0
    for game, row in zip(games, playtest.counts(games).to_dict("records"), strict=True):
        dinars, ahead = [0, 0, 0], 0
        states = [*game.record.states()]
        for after, (actor, action) in zip(states[1:], game.record.moves, strict=True):
            ahead += action == "pass" and sorted(dinars)[-2] < dinars[actor] == max(dinars)
            dinars = list(after.dinars)
        assert row["ahead"] == ahead
        total += ahead
    assert total


@given(st.integers(0, 400), st.integers(3, 90))
def test_SI_20_the_best_sale_is_that_of_the_analysis(seed, moves):
    state = _somewhere(seed, moves)
    for player in range(3):
        sales = silk.sales(state, player)["dinars"]
        assert playtest.best_sale(state, player, state.hands[player]) == (sales.max() if len(sales) else 0)


def test_SI_11_an_exchange_that_both_gain_by_is_found_where_there_is_one_and_only_there():
    found = set()
    for seed in range(60):
        state = _somewhere(seed, 10 + seed)
        best = [playtest.best_sale(state, player, state.hands[player]) for player in range(3)]
        me, pairs = state.turn, [[cards_of(two) for two in combinations(numbers(hand), 2)] for hand in state.hands]
        truth = any(
            playtest.best_sale(state, me, state.hands[me] & ~given | got) > best[me]
            and playtest.best_sale(state, other, state.hands[other] & ~got | given) > best[other]
            for other in range(3)
            if other != me and min(state.hands[p].bit_count() for p in (me, other)) >= 3
            for given in pairs[me]
            for got in pairs[other]
        )
        assert playtest.both_could_gain(state) == truth
        found.add(truth)
    assert found == {True, False}


def _somewhere(seed, moves):
    """Return a state in which somebody has the turn, about this many random moves into a game."""
    found = silk.new(3, seed=seed)
    for nth, state in enumerate(play_on(found, random.Random(seed))):
        if state.step is Step.TURN:
            found = state
            if nth >= moves:
                break
    return found


def test_SI_10_what_an_exchange_brought_is_the_change_of_both_best_sales():
    before = silk.State.parse(
        "silk players=3 step=accept turn=p1 market=spices:43210,cloth:32104,ivory:10432,silk:10432,tea:10432 hordes=4 "
        "hands=silk:4/tea:2/cloth:1/spices:6;silk:5/cloth:4,7/ivory:1,2/spices:8;silk:6/tea:7/cloth:2,9/ivory:10 "
        "discards=tea:9 safeguards=tea:6;-;- dinars=5,0,0 "
        "talk=p2;ivory|3|8|silk:5/ivory:1,2;cloth|2|15|silk:6/cloth:9 idle=-1"
    )
    assert before.hands[1] == read("silk 5 cloth 4 7 ivory 1 2 spices 8")
    # Demands: spices 4, cloth 3, the others 1. The player on turn could sell one silk for a dinar; with the third cloth
    # the player sells 4 + 7 + 9 for 3 + 3. The other keeps its ivory 10, which alone brings 1 + 1.
    assert before.market.demands == [1, 1, 3, 1, 4]
    assert playtest._rises(before, before.after("accept")) == (5, 0)


# The luck


def test_SI_74_under_every_value_a_round_meets_the_same_cards():
    def begins(**options):
        return [[str(m.action) for m in game.record.moves if m.actor == CHANCE][:17] for game in
                at_a_table("no bribes", 3, limit=3, **options)]  # fmt: skip

    assert begins(bribe=5) == begins(bribe=11)
    assert begins(bribe=5)[0] == begins(bribe=5)[1], "and so do the three seats of a round"


# Intervals


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=30))
def test_over_equal_rounds_it_is_the_mean_with_students_interval(values):
    mean, low, high = rounds.ratio([(3 * value, 3) for value in values])
    assert mean == pytest.approx(np.mean(values), abs=1e-9)
    error = float(np.std(values, ddof=1)) / len(values) ** 0.5
    half = stats.t.ppf(0.975, len(values) - 1) * error
    assert (low, high) == pytest.approx((mean - half, mean + half), abs=1e-9)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=3, max_size=20))
def test_a_change_is_students_interval_of_the_paired_differences(pairs):
    before, after = ([(value, 1) for value in values] for values in zip(*pairs, strict=True))
    change, low, high = rounds.difference(before, after)
    differences = [new - old for old, new in pairs]
    half = stats.t.ppf(0.975, len(pairs) - 1) * np.std(differences, ddof=1) / len(pairs) ** 0.5
    expected = np.mean(differences)
    assert (change, low, high) == pytest.approx((expected, expected - half, expected + half), abs=1e-9)


def test_the_interval_of_a_ratio_holds_the_truth_in_about_95_of_100_cases():
    rng = np.random.default_rng(5)
    held = 0
    for _case in range(1000):
        bottoms = rng.poisson(6, 30) + 1
        tops = rng.binomial(bottoms, 0.3)  # a share of 0.3 of a number that is itself random
        _ratio, low, high = rounds.ratio([*zip(tops.tolist(), bottoms.tolist(), strict=True)])
        held += low <= 0.3 <= high
    assert 925 <= held <= 970


@given(st.lists(st.tuples(st.floats(-99, 99), st.integers(1, 9)), min_size=2, max_size=20), st.randoms())
def test_no_last_bit_of_a_figure_hangs_on_the_order_in_which_it_was_summed(pairs, rng):
    other = rng.sample(pairs, len(pairs))
    assert rounds.ratio(pairs) == rounds.ratio(other)
    both = [*zip(pairs, reversed(pairs), strict=True)]
    mixed = rng.sample(both, len(both))
    assert rounds.difference(*zip(*both, strict=True)) == rounds.difference(*zip(*mixed, strict=True))


def test_of_what_never_happened_no_share_can_be_told():
    assert all(np.isnan(number) for number in rounds.ratio([(0, 0), (0, 0)]))
    assert all(np.isnan(number) for number in rounds.difference([(1, 1), (2, 1)], [(0, 0), (0, 0)]))
    assert rounds.ratio([(3, 1)])[0] == 3 and np.isnan(rounds.ratio([(3, 1)])[1]), "one round has no spread"


# The table that is kept


@pytest.fixture(scope="module")
def table():
    return STUDY.load()


def test_SI_74_the_table_has_every_experiment_value_and_measure_and_no_other(table):
    there = set(table[["option", "table", "games", "value", "measure"]].itertuples(index=False, name=None))
    needed = {
        (option, seats, games, value, measure)
        for option, seats, games in playtest._EXPERIMENTS
        for value in playtest.VALUES_OF[option]
        for measure in (playtest._ALIKE if len(playtest._tables()[seats]) == 1 else playtest._ODD)[option]
    }
    assert there == needed, "make studies plays it again"
    assert len(table) == len(there)


def test_the_values_are_options_of_the_rules_and_those_as_written_are_among_them():
    for option, values in playtest.VALUES_OF.items():
        if option not in ("players", "nothing"):
            assert getattr(silk.Rules(), option) in values.values()
            assert all(silk.Rules(**{option: value}) for value in values.values())


@pytest.mark.long
def test_the_table_is_what_the_study_brings(table):
    """One fast experiment; the others are played by the same function."""
    again = STUDY.rows(next(t for t in STUDY.treatments if (t["option"], t["table"]) == ("run_outs", "sale")))
    kept = table[(table["option"] == "run_outs") & (table["table"] == "sale")].to_dict("records")
    assert len(again) == len(kept)
    for ours, theirs in zip(again, kept, strict=True):
        assert {k: v for k, v in ours.items() if isinstance(v, str)} == {
            k: v for k, v in theirs.items() if isinstance(v, str)
        }
        numbers = ("mean", "low", "high", "change", "change_low", "change_high")
        assert [ours[n] for n in numbers] == pytest.approx([theirs[n] for n in numbers], abs=2e-6, nan_ok=True)


def test_intervals_hold_their_means(table):
    told = table.dropna(subset="mean")
    assert ((told["low"] <= told["mean"]) & (told["mean"] <= told["high"])).all()
    changed = table.dropna(subset="change")
    assert ((changed["change_low"] <= changed["change"]) & (changed["change"] <= changed["change_high"])).all()
    assert len(changed) > 100
    assert (told.query("measure != 'margin'")["low"] >= 0).all()
    assert (told[told["measure"].isin(playtest._SHARES)]["high"] <= 1).all()


def test_wins_that_are_alike_in_all_rounds_are_not_certain():
    assert playtest._mean("wins", [(1, 3)] * 20)[1] < 1 / 3 < playtest._mean("wins", [(1, 3)] * 20)[2]
    assert playtest._mean("margin", [(-3, 3), (-6, 3)])[1] < 0 <= playtest._mean("passes", [(0, 3), (1, 3)])[1]


def test_kept_says_what_was_not_measured():
    assert playtest.kept("players", "turns", "sale")["table"].unique().tolist() == ["sale"]
    with pytest.raises(ValueError, match="'margin' by 'players' was not measured at any table"):
        playtest.kept("players", "margin")
    with pytest.raises(ValueError, match="not measured at no talk"):
        playtest.kept("bonus", "offers", "planner", "no talk")


def test_SI_74_every_point_of_the_author_has_its_number(table):
    found = playtest.points()
    assert len(found) == 9, "so many has his list"
    rows = table.set_index(["option", "value", "table", "measure"]).to_dict("index")
    for (point, what), number in zip(playtest.POINTS.items(), found["number"], strict=True):
        row = rows[what]
        names = ("change", "change_low", "change_high") if row["change"] == row["change"] else ("mean", "low", "high")
        assert interval_of(number) == pytest.approx([row[name] for name in names], abs=0.051), point
        assert found.loc[point, "what"].startswith("change of ") == (names[0] == "change")


def interval_of(told):
    """Return the numbers in a text such as "2.92 (2.43 to 3.40)", checking that no line break splits the interval."""
    assert told.count(" ") == 1 and told.count("\N{NO-BREAK SPACE}") == 2
    return [float(number) for number in re.findall(r"-?\d+\.\d+", told)]


@pytest.mark.parametrize(("option", "measure"), [("first_hand", "opening"), ("bonus", "margin"), ("run_outs", "turns")])
def test_a_column_of_a_report_has_so_many_decimals_and_no_zero_with_a_sign(option, measure):
    numbers = playtest.kept(option, measure)[["mean", "low", "high"]].to_numpy()
    decimals = 1 if abs(numbers).max() >= 10 else 2
    for told, row in zip(playtest.report(option, measure)[measure], numbers, strict=True):
        assert interval_of(told) == pytest.approx(row, abs=0.51 * 10**-decimals)
        assert {len(part) for part in re.findall(r"\.(\d+)", told)} == {decimals}
        assert not re.search(r"-0\.0+(?!\d)", told)


def test_a_report_has_all_values_and_a_dash_where_there_is_nothing_to_tell():
    means = playtest.report("bonus", "offers", "agreed", tables=["planner"])
    assert means.index.tolist() == [("planner", value) for value in ("none", "as written", "double")]
    kept = playtest.kept("bonus", "agreed", "planner").set_index("value")
    for value in kept.index:
        told = means.loc[("planner", value), "agreed"]
        assert (told == "-") == np.isnan(kept.loc[value, "mean"]), "without offers nobody agrees"
    changes = playtest.report("bonus", "offers", tables=["planner"], change=True)
    assert changes.index.tolist() == [("planner", "none"), ("planner", "double")]


# The exercises


def test_17_likely_mistakes_get_a_hint_of_their_own():
    seven = playtest.kept("bribe", "margin", "no bribes").set_index("value").loc["7"]
    times = (seven["high"] - seven["low"]) / 2 / 0.5
    assert times > 1.5, "else the two would be hard to tell apart"
    assert check("17.1", round(seven["games"] * times**2)) and check("17.1", 30 * round(seven["games"] * times**2 / 30))
    assert "square root" in check("17.1", seven["games"] * times).message
    changes = STUDY.load().dropna(subset="change")
    assert check("17.2", len(changes) / 20)
    clear = int(((changes["change_low"] > 0) | (changes["change_high"] < 0)).sum())
    assert clear > len(changes) / 10, "more than chance alone brings"
    assert "those that do" in check("17.2", clear).message
    played = [
        playtest.kept("run_outs", m, "planner").set_index("value").loc["2", "mean"] for m in ("turns", "decisions")
    ]
    assert check("17.3", 1800 / played[0]) and check("17.3", f"{1800 / played[0]:.1f}")
    assert "for a decision" in check("17.3", 1800 / played[1]).message


# The picture


def test_the_picture_says_its_numbers_in_words_and_tells_tables_apart_by_shape():
    found = playtest.kept("run_outs", "turns")
    chart = charts.measured(found, "How long", "times the pile runs out", "turns")
    said = names(chart)
    for row in found.to_dict("records"):
        expected = "{table}, times the pile runs out {value}: {mean:.3g} ({low:.3g} to {high:.3g})".format(**row)
        assert expected in said
    assert any("shape" in layer["encoding"] for layer in chart.to_dict()["layer"])


def test_a_line_marks_zero_where_it_is_of_interest():
    found = playtest.kept("run_outs", "turns", "sale")
    plain, zero, change = (
        charts.measured(found, "How long", "runs out", "turns", **how) for how in ({}, {"zero": True}, {"change": True})
    )
    assert len(change.layer) == len(zero.layer) == len(plain.layer) + 1
    assert zero.layer[0].to_dict()["encoding"]["y"] == {"datum": 0}
    assert sum("runs out" in said and " to " in said for said in names(change)) == 2, "as written nothing changed"
