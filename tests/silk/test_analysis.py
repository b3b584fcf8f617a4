"""SI-70 to SI-73: the analysis against the rules themselves, enumeration and sampling."""

import random
from collections import Counter
from itertools import combinations
from math import comb, log2, sqrt

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drawn import names, texts
from tradekit import Record, bazar, silk, tournament
from tradekit.bots import finish
from tradekit.game import CHANCE, IllegalAction
from tradekit.silk import charts, demand, offer_inference, statistics
from tradekit.silk.cards import GOODS, cards_of, good_of, numbers, read, value_of
from tradekit.silk.parameters import Said

from .test_rules import at, everything_else_gone

# SI-70: the market


def after_sale(row, place, stay):
    """Return the row after a sale by the words of SI-23 and SI-24, on the numbers alone."""
    sold = (row[place] - 1) % 5
    rest = [*row[:place], *row[place + 1 :]]
    return (*(rest if stay else [shown or 1 for shown in rest]), sold)


@pytest.mark.parametrize("zeros", ["turn", "stay"])
def test_SI_70_the_graph_of_rows_is_that_of_the_rule(zeros):
    graph = silk.market_graph(zeros)
    assert set(graph) == set(demand.rows(zeros)) and len(graph) == {"turn": 1280, "stay": 3125}[zeros]
    for row in graph:
        expected = {}
        for place, shown in enumerate(row):
            if shown or (zeros == "stay" and place < 4):
                expected.setdefault(after_sale(row, place, zeros == "stay"), []).append(f"sell {place + 1}")
        assert {after: [*graph.edges[row, after]["moves"]] for after in graph.successors(row)} == expected


def test_SI_70_sales_alone_end_in_one_row_and_no_other():
    """By enumeration: 1 1 1 1 0 is the only row that no sale leads out of, and it can be reached from every row."""
    graph = silk.market_graph()
    assert demand.absorbing(graph) == [(1, 1, 1, 1, 0)]
    end = [part for part in nx.strongly_connected_components(graph)
           if all(after in part for row in part for after in graph.successors(row))]  # fmt: skip
    assert end == [{(1, 1, 1, 1, 0)}]
    assert nx.ancestors(graph, (1, 1, 1, 1, 0)) == set(graph) - {(1, 1, 1, 1, 0)}


def test_SI_70_a_sale_raises_no_demand_but_a_0_to_1():
    for before, after in silk.market_graph().edges:
        left = [[*before[:place], *before[place + 1 :]] for place in range(5) if before[place]]
        assert [*after[:4]] in [[shown or 1 for shown in rest] for rest in left]
        assert after[4] < max(before)
        assert sum(after) <= sum(before) + (before[4] == 0)


def test_SI_70_with_the_other_reading_nothing_decays():
    graph = silk.market_graph("stay", start=(4, 3, 2, 1, 0))
    assert demand.absorbing(graph) == []
    # every row that sales lead to leads back again: nothing is lost for good
    assert nx.is_strongly_connected(graph)
    lost, kept = silk.decay(300), silk.decay(300, "stay")
    assert lost["all"].iloc[-1] == pytest.approx(4) and lost["stuck"].iloc[-1] == pytest.approx(1)
    assert kept["all"].iloc[-1] > 8 and kept["stuck"].max() == 0


def test_SI_70_bribes_and_audiences_lead_out_again():
    sold_out = (1, 1, 1, 1, 0)
    for moves in (("sell", "bribe"), ("sell", "audience"), ("bribe",), ("audience",)):
        assert demand.absorbing(silk.market_graph(moves=moves)) == []
    assert nx.is_strongly_connected(silk.market_graph(moves=("sell", "bribe")))
    graph = silk.market_graph(moves=("audience",), start=sold_out)
    assert graph.edges[sold_out, (1, 1, 1, 4, 0)]["moves"] == tuple(f"audience {n} shows 4" for n in range(1, 5))
    assert set(graph) == set(demand.rows())  # and so the Vizier alone can turn any row into any other
    with pytest.raises(ValueError, match="no move 'sale' of the market; there are sell, bribe, audience"):
        silk.market_graph(moves=("sale",))
    for wrong in ({"zeros": "go"}, {"start": (4, 0, 2, 1, 0)}, {"start": (4, 3, 2, 1)}):
        with pytest.raises(ValueError, match="SI-24"):
            silk.decay(**wrong)
    assert silk.decay(0, "stay", (4, 0, 2, 1, 0)).loc[0, "place_2"] == 1  # which counts as one there


@pytest.mark.parametrize("zeros", ["turn", "stay"])
def test_SI_70_decay_is_what_random_sales_do(zeros):
    rng, found, games = random.Random(4), [], 1500
    for _game in range(games):
        market = silk.Market.begin(range(5), zeros == "stay")
        for _sale in range(6):
            market = market.sell(rng.choice([good for good, n in enumerate(market.demands) if n]))
        demands = market.demands
        found.append([demands[good] for good in market.row])
    exact = silk.decay(6, zeros).loc[6]
    error = np.std(found, axis=0) / sqrt(games) + 1e-9
    assert (np.abs(np.mean(found, axis=0) - exact.to_numpy()[:5]) < 4.5 * error + 1e-6).all()
    assert exact["all"] == pytest.approx(exact[:5].sum())


def played(players=3, seed=1, bots=("random",), **options):
    return finish(Record.begin(silk.new(players, **options)), [bots[n % len(bots)] for n in range(players)], seed=seed)


def test_SI_70_the_demand_of_a_recorded_game():
    record = played(zeros="stay")
    frame = silk.demands(record)
    assert len(frame) == 5 * (frame["change"].max() + 1)
    for _change, rows in frame.groupby("change"):
        market = record.state(rows["move"].iloc[0]).market
        assert [*rows["good"]] == [GOODS[good] for good in market.row] and [*rows["shown"]] == [*market.shown]
        assert [*rows["demand"]] == [market.demands[good] for good in market.row]
        before = record.state(max(rows["move"].iloc[0] - 1, 0)).market
        assert before != market or rows["move"].iloc[0] == 0
    changed = sum(a.market != b.market for a, b in zip(record.states(), [*record.states()][1:], strict=False))
    assert frame["change"].max() + 1 == changed
    verbs = Counter(action.split()[0] for action in frame.drop_duplicates("change")["action"])
    assert verbs["market"] == 1 and verbs["sell"] == sum(a.startswith("sell") for _p, a in record.moves)


# SI-71: sales and odds


def best_sale(state, cards, barred=()):
    """Return the dinars of the best sale of these cards, by trying them all."""
    demands, most = state.market.demands, 0
    for good in range(5):
        held = [card for card in cards if good_of(card) == good]
        if demands[good] and good not in barred:
            for some in combinations(held, demands[good]):
                most = max(most, state.rules.dinars(len(some), sum(map(value_of, some))))
    return most


@pytest.mark.parametrize("players", [2, 3, 5])
def test_SI_71_every_sale_with_what_the_rules_pay_for_it(players):
    seen = 0
    for seed in range(12):
        for state in [*played(players, seed).states()][::9]:
            if state.step.name != "TURN" or state.mover != state.turn:
                continue
            frame = silk.sales(state)
            paid = {a: state.after(a).scores()[state.turn] - state.scores()[state.turn]
                    for a in state.actions(state.turn) if a.startswith("sell")}  # fmt: skip
            assert dict(zip(frame["sale"], frame["dinars"], strict=True)) == paid
            assert [*frame["dinars"]] == sorted(paid.values(), reverse=True)
            assert silk.sales(state.view(state.turn)).equals(frame)
            seen += len(frame)
            for row in frame.itertuples():
                kept = state.after(row.sale).safeguards[state.turn][-1]
                assert read(row.safeguard) == 1 << kept
                assert row.hordes == (row.dinars >= 6)
    assert seen > 20


EIGHT = "cloth 3 9 silk 2 8 10 tea 7 ivory 5 spices 6"


@pytest.mark.parametrize("hand", ["silk 3 5 7 tea 4 9 cloth 2", "silk 9 tea 1 2 ivory 8", "spices 1 2 3 4"])
@pytest.mark.parametrize("options", [{}, {"zeros": "stay"}, {"bonus": "5,6/9,2"}], ids=str)
def test_SI_71_the_odds_are_those_of_all_draws_listed(hand, options):
    """Eight cards are unseen, three of them in another's hand: any of the eight can come next."""
    state = everything_else_gone(f"{hand};cloth 3 silk 2 ivory 5;-", EIGHT, **options)
    state = state._with(hands=(state.hands[0], read("cloth 3 silk 2 ivory 5"), 0))
    state = state._with(unseen=read(EIGHT) & ~state.hands[1])
    view = state.view(0)
    assert view.known.unseen == read(EIGHT)
    frame = silk.odds(view, draws=9)
    held, unseen = numbers(read(hand)), numbers(read(EIGHT))
    now = best_sale(state, held)
    assert [*frame.index.unique("draws")] == [*range(6)]  # the pile has five cards
    for n in range(6):
        draws = [[*held, *some] for some in combinations(unseen, n)]
        best = [best_sale(state, cards) for cards in draws]
        assert frame.loc[(n, "any"), "better"] == pytest.approx(np.mean([dinars > now for dinars in best]))
        assert frame.loc[(n, "any"), "mean"] == pytest.approx(np.mean(best))
        for good, name in enumerate(GOODS):
            alone = [best_sale(state, cards, {*range(5)} - {good}) for cards in draws]
            assert frame.loc[(n, name), "better"] == pytest.approx(np.mean([dinars > now for dinars in alone]))
            assert frame.loc[(n, name), "mean"] == pytest.approx(np.mean(alone))


def test_SI_71_what_the_player_put_under_the_pile_comes_last_and_for_certain():
    state = everything_else_gone("silk 3 5 7 tea 4;tea 1;tea 2", "silk 10 cloth 1 silk 9", run_outs=1)
    state = state._with(unseen=read("cloth 1"), under=((read_one("silk 9"), 0), (read_one("silk 10"), 1)))
    frame = silk.odds(state, draws=3)["better"].unstack("good")["any"]
    assert state.market.demands[:2] == [4, 3]
    # unseen to p0: cloth 1, silk 10 under the pile, and the hands of two; silk 9 is the second card to come
    assert [*frame.round(6)] == [0, 0.25, 1, 1]
    # if others draw in between, it is theirs: two unseen cards bring the fourth silk, or two teas for three
    between = silk.odds(state, draws=3, between=1)["better"].unstack("good")["any"]
    assert [*between] == pytest.approx([0, 1 / 4, 1 / 2 + 1 / 6])


def read_one(card):
    return numbers(read(card))[0]


def test_SI_71_the_odds_agree_with_draws_from_the_game_itself():
    state = silk.new(4, seed=11)
    player, n, rng, samples = state.turn, 3, random.Random(2), 3000
    view = state.view(player)
    row = silk.odds(view, draws=n).loc[(n, "any")]
    now = best_sale(state, numbers(state.hands[player]))
    found = []
    for _sample in range(samples):
        hand = state.hands[player] | cards_of(rng.sample(numbers(view.known.unseen), n))
        found.append(best_sale(state, numbers(hand)))
    share = np.mean([dinars > now for dinars in found])
    assert abs(share - row["better"]) < 4.5 * sqrt(0.25 / samples)
    assert abs(np.mean(found) - row["mean"]) < 4.5 * np.std(found) / sqrt(samples)


def test_SI_71_a_bribe_of_another_bars_a_good():
    state = at("silk 3 5 7 8;tea 4;tea 5", marker="cloth:1+p1+silk+tea", discards="-")
    assert silk.sales(state).empty and silk.odds(state, 1)["mean"].loc[(0, "silk")] == 0
    own = at("silk 3 5 7 8;tea 4;tea 5", marker="cloth:1+p0+silk+tea", discards="-")
    assert silk.sales(own)["dinars"].tolist() == [10]


def test_SI_71_says_what_is_wrong():
    with pytest.raises(ValueError, match="SI-71"):
        silk.odds(silk.new(3), player=0)
    with pytest.raises(ValueError, match="say for which player"):
        silk.odds(silk.new(3))
    with pytest.raises(ValueError, match="what player 0 knows"):
        silk.sales(silk.new(3, seed=1).view(0), player=1)
    with pytest.raises(ValueError, match="0 or more"):
        silk.odds(silk.new(3, seed=1), draws=-1)


# SI-72: offers


def fits(hand, said):
    return any(
        sum(map(value_of, some)) == said.total and any(good_of(card) == said.good for card in some)
        for some in combinations(hand, said.size)
    )


@settings(max_examples=120, deadline=None)
@given(st.sets(st.integers(0, 49), min_size=4, max_size=12), st.integers(0, 3), st.integers(0, 5), st.data())
def test_SI_72_hands_are_counted_as_if_listed(pool, known, hidden, data):
    pool = data.draw(st.permutations(sorted(pool)))
    mine, unseen = pool[:known], sorted(pool[known:])
    hidden = min(hidden, len(unseen))
    said = Said(0, data.draw(st.integers(0, 4)), data.draw(st.integers(2, 4)), data.draw(st.integers(3, 36)))
    hands = [[*mine, *some] for some in combinations(unseen, hidden)]
    fitting = [hand for hand in hands if fits(hand, said)]
    revealed = offer_inference.Revealed(said, cards_of(mine), hidden, cards_of(unseen))
    assert (revealed.before, revealed.after) == (len(hands), len(fitting))
    offers = {
        some
        for hand in hands
        for some in combinations(sorted(hand), said.size)
        if sum(map(value_of, some)) == said.total and any(good_of(card) == said.good for card in some)
    }
    assert revealed.offers == len(offers)
    if fitting:
        assert revealed.bits == pytest.approx(log2(len(hands) / len(fitting)))
        frame = revealed.to_frame()
        for card, row in zip(sorted(pool), frame.itertuples(), strict=True):
            assert row.after == pytest.approx(np.mean([card in hand for hand in fitting]))
            assert row.before == pytest.approx(np.mean([card in hand for hand in hands]))


def test_SI_72_the_view_says_which_hands_there_were():
    state = silk.new(3, seed=7)
    revealed = silk.inference(state.view(0), 1, 2, silk.Good.IVORY, 19)
    unseen = state.view(0).known.unseen.bit_count()
    assert revealed.before == comb(unseen, 5) and 0 < revealed.after < revealed.before
    frame = revealed.to_frame()
    assert frame["after"].sum() == pytest.approx(5) and frame["before"].sum() == pytest.approx(5)
    assert frame.loc["ivory 9", "after"] > 0.4 > frame.loc["ivory 9", "before"]
    rng, hits, samples = random.Random(3), 0, 4000
    for _sample in range(samples):
        hits += fits(rng.sample(numbers(state.view(0).known.unseen), 5), revealed.said)
    share = revealed.after / revealed.before
    assert abs(hits / samples - share) < 4.5 * sqrt(share * (1 - share) / samples)


def test_SI_72_more_is_told_by_a_rarer_sum():
    view = silk.new(3, seed=7).view(0)
    bits = [silk.inference(view, 1, 2, silk.Good.TEA, total).bits for total in (11, 5, 3)]
    assert bits == sorted(bits) and bits[0] > 1
    with pytest.raises(ValueError, match="cannot say '2 cards, 50 points of tea'"):
        silk.inference(view, 1, 2, silk.Good.TEA, 50)
    with pytest.raises(ValueError, match="no hidden hand"):
        silk.inference(view, 0, 2, silk.Good.TEA, 11)
    with pytest.raises(ValueError, match="numbered 0 to 4"):
        silk.inference(view, 1, 2, 5, 11)


def test_SI_72_a_large_hand_is_counted_too():
    """45 million hands of seven, of which one in some thousand is examined."""
    known = silk.new(3, seed=7).view(0).known
    said, rng, samples = Said(0, 3, 4, 25), random.Random(5), 3000
    revealed = offer_inference.Revealed(said, 0, 7, known.unseen)
    hits = sum(fits(rng.sample(numbers(known.unseen), 7), said) for _sample in range(samples))
    share = revealed.after / revealed.before
    assert abs(hits / samples - share) < 4.5 * sqrt(share * (1 - share) / samples)


# SI-73: the sources of the dinars


@pytest.mark.parametrize("options", [{}, {"players": 2}, {"zeros": "stay"}, {"bonus": ((5, 6), (9, 7))}], ids=str)
def test_SI_73_all_dinars_of_all_games_are_accounted_for(options):
    records = statistics.games(["sale", "random"], 6, seed=3, **options)
    sales = silk.income(records)
    for game, record in enumerate(records):
        final = record.state().scores()
        for player, name in enumerate(record.names):
            mine = sales[(sales["game"] == game) & (sales["player"] == player)]
            assert mine["dinars"].sum() == final[player] and set(mine["name"]) <= {name}
    assert (sales["demand"] + sales["bonus"] == sales["dinars"]).all()
    assert ((sales["hordes"] != "") == (sales["dinars"] >= 6)).all()
    shares = silk.income_shares(records)
    assert shares["share"].sum() == pytest.approx(1) and shares["sales"].sum() == len(sales)
    courses = silk.game_stats(records)
    assert [*courses["sales"]] == [*sales.groupby("game").size()]
    assert [*courses["dinars"]] == [sum(record.state().scores()) for record in records]


def test_SI_25_SI_73_the_hordes_attack_with_the_fourth_rich_sale_and_then_every_fifth():
    records = statistics.games(["sale"], 12, seed=2, bonus=((1, 6),))
    sales = silk.income(records)
    for game, course in silk.game_stats(records).iterrows():
        rich = sales[(sales["game"] == game) & (sales["hordes"] != "")]
        attacks = [n for n, hordes in enumerate(rich["hordes"], 1) if hordes == "attack"]
        assert attacks == [*range(4, len(rich) + 1, 5)] and course["raids"] == len(attacks) > 0


def test_SI_73_turns_are_counted_as_they_are_taken():
    record = played(3, 4)
    turns = 0
    last = None
    for state in record.states():
        if state.step.name == "TURN":
            now = (state.turn, sum(state.dinars), state.idle, state.pile, state.hands)
            turns += now != last
            last = now
    course = silk.game_stats(record).loc[0]
    assert course["turns"] == turns
    verbs = Counter(action.split()[0] for actor, action in record.moves if actor != CHANCE)
    assert course["barters"] == verbs["barter"] and course["exchanges"] == verbs["accept"]


def test_SI_73_either_reading_of_SI_24_side_by_side():
    frame = silk.compare_zero_rules(["sale", "random"], 6, seed=1)
    assert [*frame.index] == ["turn", "stay"]
    assert frame.filter(like="from_").sum(axis=1).to_numpy() == pytest.approx([1, 1])
    assert (frame["raids_low"] <= frame["raids"]).all() and (frame["raids"] <= frame["raids_high"]).all()
    assert frame.loc["turn", "zeros"] < frame.loc["stay", "zeros"]  # only there can a 0 be before the last place
    one = silk.game_stats(statistics.games(["sale", "random"], 6, seed=1, zeros="stay"))
    assert frame.loc["stay", "dinars"] == one["dinars"].mean()


@pytest.mark.parametrize(
    "asks", [silk.income, silk.income_shares, silk.game_stats, silk.demands], ids=lambda f: f.__name__
)
def test_SI_70_SI_73_a_record_of_another_game_is_refused(asks):
    with pytest.raises(ValueError, match="a record of silk is needed, not of bazar"):
        asks(Record.begin(bazar.new(cards=(1, 4))))


@pytest.mark.parametrize("asks", [silk.sales, silk.odds], ids=lambda f: f.__name__)
@pytest.mark.parametrize("players", [2, 3])
def test_SI_71_who_does_not_play_has_no_hand_to_ask_about(asks, players):
    """Nor does the neutral, which sits behind two players: its hand belongs to nobody (SI-60)."""
    state = silk.new(players, seed=7)
    for player in (players, players + 1, -1, -2):
        with pytest.raises(IllegalAction, match=f"there is no p{player}, only p0"):
            asks(state, player=player)
    assert len(asks(state, player=players - 1)) >= 0


def test_a_tournament_keeps_its_records_if_asked_to():
    options = {"players": 3, "progress": False, "seed": 5}
    kept = tournament.play("silk", ["random"], 3, records=True, **options)
    for game in kept.played:
        assert game.record.state().scores() == game.scores and game.record.names == game.bots
        assert Record.parse(str(game.record)) == game.record
    plain = tournament.play("silk", ["random"], 3, **options)
    assert [game._replace(record=None) for game in kept.played] == plain.played


# Pictures


def test_pictures_draw_and_say_their_numbers_in_words():
    record = played(3, 1, ["sale"])
    frame = silk.demands(record)
    first = frame.iloc[0]
    for by in ("place", "good"):
        said = names(charts.demand(frame, by))
        assert f"change 0, {first['action']}: place 1, {first['good']}, shows 4" in said
    decay = silk.decay(3)
    assert f"2, sales 3: {decay.loc[3, 'place_2']:.3g}" in names(charts.decay(decay))
    odds = silk.odds(silk.new(3, seed=7), 3)
    said = names(charts.odds(odds))
    assert f"any good, draws 3: {odds.loc[(3, 'any'), 'better']:.3g}" in said
    revealed = silk.inference(silk.new(3, seed=7).view(0), 1, 2, silk.Good.IVORY, 19)
    chance = revealed.to_frame().loc["ivory 9"]
    assert f"ivory 9: {chance['after']:.0%} after, {chance['before']:.0%} before" in names(charts.revealed(revealed))
    shares = silk.income_shares(record)
    (demand_, bonus), row = next(iter(shares.iterrows()))
    expected = f"demand {demand_}, bonus {bonus}: {row['share']:.1%} of the dinars, {row['sales']:.0f} sales"
    assert expected in names(charts.income(shares))
    with pytest.raises(ValueError, match="place or good"):
        charts.demand(frame, "colour")


def test_SI_24_values_of_the_option_are_said_in_words():
    frame = pd.DataFrame({"table": ["sale, stay", "2"], "value": ["turn", "0.5"], "mean": 1.0, "low": 0.5, "high": 1.5})
    said = texts(charts.measured(frame, "Low piles", "zeros", "piles"))
    assert {"a 0 is turned to 1", "0.5", "sale, a 0 stays", "2"} <= {*said}
    assert not {"turn", "stay", "sale, stay"} & {*said}


def test_lines_differ_in_dash_and_mark_and_colour():
    chart = charts.odds(silk.odds(silk.new(3, seed=7), 2)).to_dict()
    line, mark = chart["layer"]
    for encoding, what in ((line, "strokeDash"), (mark, "shape"), (line, "color")):
        scale = encoding["encoding"][what]["scale"]
        assert len(scale["domain"]) == len({str(look) for look in scale["range"]}) == 6
