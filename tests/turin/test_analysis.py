"""TU-50 to TU-52: the value of cards, the present auction as a game, and bids next to theory, each by an oracle."""

import random
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drawn import texts
from tradekit import Record, bots, turin
from tradekit.auctions.formats import turin as auction_format
from tradekit.auctions.whole_bids import solve_known
from tradekit.game import play_on
from tradekit.turin import charts, payment
from tradekit.turin.equilibria import places, solve_auction
from tradekit.turin.goose import NOBODY
from tradekit.turin.parameters import Step, bits, numbers
from tradekit.turin.values import Table, finals

from .positions import all_add, all_bid, at, play

DECK = turin.Deck.house()


def goods(cards):
    """Return the units of each good on some cards, added up one by one."""
    return [sum(DECK.card(n).units[good] for n in cards) for good in range(9)]


def settled(state, piles, cash):
    """Return the final escudos if the players have those cards, by the payments of the rules."""
    units = [goods(pile) for pile in piles]
    return payment.settle(units, state.parameters.payouts, cash, state.loans, state.parameters.order).final


def cash_of(state):
    return [
        have + sum(price for _card, owner, price in state.sale if owner == player)
        for player, have in enumerate(state.reserve)
    ]


def piles_now(state):
    """Return the cards that count if the game ends now: those face up, and the last hand card (TU-31)."""
    spare = state.parameters.players < 4
    return [
        {*numbers(won), *(numbers(hand) if spare and hand > 0 and hand.bit_count() == 1 else ())}
        for won, hand in zip(state.won, state.hands, strict=True)
    ]


@cache
def some_positions(players):
    """Return positions after the deal of random games, each step among them."""
    found = {}
    for seed in range(8):
        start = turin.new(players=players, seed=seed, payouts=("classic", "new")[seed % 2])
        for state in play_on(start, random.Random(seed)):
            if state.actors and state.step is not Step.DEAL:
                found.setdefault(state.step, []).append(state)
    rng = random.Random(players)
    return [state for states in found.values() for state in rng.sample(states, min(2, len(states)))]


# TU-50: values


@given(data=st.data(), players=st.integers(2, 5))
@settings(max_examples=60)
def test_TU_32_to_35_payments_as_arrays_are_the_payments(data, players):
    owners = [data.draw(st.lists(st.integers(-1, players - 1), min_size=18, max_size=18)) for _ending in range(3)]
    cash = data.draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    loans = tuple(data.draw(st.lists(st.integers(0, 1), min_size=players, max_size=players)))
    version = data.draw(st.sampled_from(["classic", "new"]))
    order = ",".join(data.draw(st.permutations([good.name for good in DECK.goods])))
    state = turin.new(players=players, payouts=version, order=order)._with(loans=loans)
    found = finals(np.array(owners), state.parameters, cash, loans)
    for row, escudos in zip(owners, found.tolist(), strict=True):
        piles = [[n + 1 for n in range(18) if row[n] == player] for player in range(players)]
        assert tuple(escudos) == settled(state, piles, cash)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_TU_50_worth_is_the_change_of_the_final_payments(players):
    """Payments with and without the card, by the rules, in positions of all steps."""
    steps = set()
    for state in some_positions(players):
        steps.add(state.step)
        frame = turin.worth(state)
        piles, cash = piles_now(state), cash_of(state)
        seen = {n for cards in (state.centre, *state.won, *state.hands) for n in numbers(cards)}
        assert set(frame["card"]) == seen and len(frame) == players * len(seen)
        for row in frame.iloc[len(steps) % 2 :: 2].itertuples():
            without = [pile - {row.card} for pile in piles]
            have = [*without]
            have[row.player] = without[row.player] | {row.card}
            before = without if row.card in piles[row.player] else piles
            expected = settled(state, have, cash)[row.player] - settled(state, before, cash)[row.player]
            assert row.worth == expected
            owners = [p for p in range(players) if row.card in numbers(state.won[p] | state.hands[p])]
            assert row.owner == (owners or [NOBODY])[0]
    assert {Step.SHOW, Step.BID, Step.OFFER, Step.WINDOW} | ({Step.TAKE} if players > 2 else set()) <= steps


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_TU_50_awards_are_the_change_of_the_final_payments(players):
    for state in some_positions(players):
        piles, cash = piles_now(state), cash_of(state)
        frame = turin.awards(state)
        assert len(frame) == players * len([*combinations(numbers(state.centre), 2)])
        for row in frame.itertuples():
            cards = {*map(int, row.cards.split())}
            now = settled(state, piles, cash)[row.player]

            def with_more(more, p=row.player, piles=piles, cash=cash, state=state):
                return settled(state, [pile | more if n == p else pile for n, pile in enumerate(piles)], cash)[p]

            assert row.worth == with_more(cards) - now
            assert row.together == row.worth - sum(with_more({card}) - now for card in cards)


def test_TU_50_two_cards_may_be_worth_more_or_less_than_each_alone():
    frames = [turin.awards(state)["together"] for state in some_positions(3) if state.centre.bit_count() > 1]
    assert max(frame.max() for frame in frames) > 0 > min(frame.min() for frame in frames)


def test_TU_50_poverty_counts():
    """Card 1 makes p0 a payer without an escudo: p0 must take a loan (TU-34), which costs another 5."""
    poor, rich = (
        at(4, won=[(), (2, 3, 4, 6, 8, 9, 10, 11), (), ()], centre=[1, 5, 7, 12], reserve=(cash, 15, 15, 15))
        for cash in (0, 15)
    )
    worths = [
        dict(turin.worth(state, 0).query("where == 'centre'")[["card", "worth"]].to_numpy()) for state in (poor, rich)
    ]
    assert any(worths[0][card] < worths[1][card] for card in worths[0])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("future", [None, "sample"])
def test_TU_50_a_view_says_what_its_player_may_know(players, future):
    for state in some_positions(players)[::3]:
        view = state.view(1)
        other = view.sample(random.Random(5)).view(1)
        assert view == other
        frame = turin.worth(view, future=future, samples=9)
        assert frame.equals(turin.worth(other, future=future, samples=9))
        assert set(frame.query("where == 'hand'")["owner"]) <= {1}
        if future is None and players > 3:  # nobody keeps a card that is not seen
            everything = turin.worth(state)
            assert frame.merge(everything, how="left").shape == frame.shape
            assert len(frame.merge(everything)) == len(frame)


def test_TU_50_the_sample_agrees_with_all_endings_one_by_one():
    """The last auction with four players: 4! orders of players times 4! orders of cards, nothing else is open."""
    state = at(
        4, auction=4, hands=[()] * 4, centre=[1, 4, 9, 13], won=[(2, 3), (5, 6, 7), (8, 10), (11,)], gone=bits([12]),
        reserve=(3, 0, 6, 2), loans=(0, 1, 0, 0),
    )  # fmt: skip
    cash = cash_of(state)
    endings = []
    for order, cards in product(permutations(range(4)), permutations(numbers(state.centre))):
        piles = [{*numbers(won)} for won in state.won]
        for player, award in zip(order, (cards[:2], cards[2:3], cards[3:]), strict=False):
            piles[player] |= {*award}
        endings.append(piles)
    frame = turin.worth(state, future="sample", samples=2000, seed=1)
    checked = 0
    for row in frame[frame["where"] == "centre"].iloc[::3].itertuples():
        changes = []
        for piles in endings:
            without = [pile - {row.card} for pile in piles]
            have = [pile | {row.card} if p == row.player else pile for p, pile in enumerate(without)]
            changes.append(settled(state, have, cash)[row.player] - settled(state, without, cash)[row.player])
        assert row.error < 0.25
        assert row.worth == pytest.approx(np.mean(changes), abs=4.5 * row.error + 1e-9)
        assert row.error == pytest.approx(np.std(changes) / np.sqrt(2000), rel=0.15, abs=1e-9)
        checked += 1
    assert checked == 6


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_TU_50_endings_deal_out_the_deck(players):
    """Every card that will be sold has an owner, hands keep one card with two and three (TU-31), nothing moves."""
    for state in some_positions(players):
        table = Table(state, "sample", 20)
        kept = {2: 1, 3: 1}.get(players, 0)
        to_come = (state.hands[0].bit_count() - kept) * players
        owned = (table.endings != NOBODY).sum(axis=1)
        lying = sum(won.bit_count() for won in state.won)
        void = sum(-n for _player, n in state.queue if n < 0) if state.step is Step.TAKE else 0
        left = sum(abs(n) for _player, n in state.queue) if state.step is Step.TAKE else state.centre.bit_count()
        sold = min(left, state.centre.bit_count()) - void
        assert (owned == lying + kept * players + to_come + sold).all()
        for player, won in enumerate(state.won):
            assert (table.endings[:, [n - 1 for n in numbers(won)]] == player).all()
        assert (table.endings[:, [n - 1 for n in numbers(state.gone)]] == NOBODY).all()


def test_TU_50_with_two_players_what_one_gains_the_other_loses():
    """A lot goes to one player or to the other, so it puts both ahead by as much."""
    state = at(2, won=[(5, 6), (7, 8, 9)], centre=[1, 2])
    table = Table(state, "sample", 50)
    first, second = (table.ahead(player, [state.centre]) for player in (0, 1))
    assert first == pytest.approx(second) and first[0] > 0
    ones = [table.differences(player, [state.centre], np.full((1, 18), 1 - player)) for player in (0, 1)]
    assert (ones[0] == -ones[1]).all()


@pytest.mark.parametrize("player", [3, -1, 7])
def test_TU_50_nobody_is_told_what_cards_are_worth_to_who_does_not_exist(player):
    state = turin.new(players=3, seed=1)
    for ask in (turin.worth, turin.awards):
        for position in (state, state.view(0)):
            with pytest.raises(ValueError, match=f"there is no p{player}, only p0, p1 and p2"):
                ask(position, player)


def test_TU_50_says_what_cannot_be():
    with pytest.raises(ValueError, match=r"not dealt yet \(TU-5\)"):
        turin.worth(turin.new(players=3))
    with pytest.raises(ValueError, match=r"future='later': None or 'sample'"):
        turin.worth(turin.new(players=3, seed=1), future="later")
    with pytest.raises(ValueError, match="samples=1: must be 2 or more"):
        turin.worth(turin.new(players=3, seed=1), future="sample", samples=1)


# TU-51: the present auction


def last_auction(players=2, **fields):
    """Return a state in which few cards are out and all hands are known."""
    won = [(6, 7), (8, 9), (10, 11), (12, 13), (14, 15)][:players]
    hands = [(), (), [(18,), (17,)], [(18,), (17,), (16,)], [()] * 4, [()] * 5][players]
    return at(players, auction=3 if players == 5 else 4, hands=hands, won=won, **fields)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_TU_51_the_first_place_is_worth_the_best_award(players):
    night = solve_auction(last_auction(players), ties="coin", steps=100)
    awards = turin.awards(last_auction(players))
    first = night.places.query("place == 1")
    assert first["worth"].tolist() == awards.groupby("player")["worth"].max().tolist()
    assert (first["low"] == first["high"]).all()
    assert ((night.places["low"] <= night.places["worth"]) & (night.places["worth"] <= night.places["high"])).all()


def test_TU_51_later_places_take_what_is_left():
    """p1 and p2 want card 1 first; p0 has the second place after either, and after p2 the better card is left."""
    worths = {(0, 1): 9.0, (0, 2): 7.0, (0, 4): 3.0, (1, 1): 5.0, (1, 2): 4.0, (1, 4): 0.0}
    worths |= {(2, 1): 1.0, (2, 2): 2.0, (2, 4): 0.0}
    found = places(worths, 0b111, (1, 1, 1), range(3))
    assert found.mean[0].tolist() == [9, (7 + 9) / 2, 3]
    assert found.low[0].tolist() == [9, 7, 3] and found.high[0].tolist() == [9, 9, 3]
    assert found.mean[1].tolist() == [5, (4 + 5) / 2, 0]  # after p0, and after p2
    assert found.mean[2].tolist() == [2, 2, 0]


def played_out(state, worth):
    """Return every way the cards of an auction may go: winners take their best, those of a void place discard any."""
    if state.step is Step.COIN:
        for action, _chance in state.outcomes():
            yield from played_out(state.after(action), worth)
    elif state.step is Step.TAKE:
        player, actions = state.actors[0], [*state.actions(state.actors[0])]
        if actions[0].startswith("take"):
            actions = [max(actions, key=lambda action: worth[player, action.removeprefix("take ")])]
        for action in actions:
            yield from played_out(state.after(action), worth)
    else:
        yield state


REBIDS = [  # bids, and what the tied players above have added
    (3, (9, 4, 4), {}),
    (3, (4, 9, 4), {}),
    (4, (9, 4, 4, 1), {}),
    (4, (9, 4, 4, 4), {}),
    (4, (4, 9, 8, 4), {}),
    (4, (9, 9, 4, 4), {"p0": 1, "p1": 2}),
    (4, (5, 5, 3, 3), {"p0": 0, "p1": 0}),
    (4, (4, 4, 4, 1), {}),
    (5, (9, 4, 4, 4, 1), {}),
    (5, (5, 3, 5, 3, 3), {"p0": 0, "p2": 0}),
]


@pytest.mark.parametrize(("players", "bids", "added"), REBIDS, ids=str)
def test_TU_18_a_rebid_knows_who_has_the_places_above(players, bids, added):
    """Each place of the tie, by playing the auction to its end in every order of the tied players."""
    differs = 0
    for seed in range(6):
        cards = random.Random(seed).sample(range(1, 19), 18)
        centre = sorted(cards[: int(sum(auction_format(players).prizes))])
        hands = [[cards[-1 - player]] for player in range(players)]
        won = [[card] for card in cards[5 : 5 + players]]
        state = all_add(all_bid(at(players, centre=centre, hands=hands, won=won), *bids), **added)
        assert state.step is Step.ADD
        worth = {
            (row.player, row.cards): row.worth for size in (1, 2) for row in turin.awards(state, size=size).itertuples()
        }
        found = {(p, k): [] for p in state.actors for k in range(1, players + 1)}
        for order in permutations(state.actors):
            additions = {f"p{player}": len(order) - place for place, player in enumerate(order)}
            first = sum(bid > bids[order[0]] for bid in bids) + 1
            for end in played_out(all_add(state, **additions), worth):
                for place, player in enumerate(order, first):
                    if got := numbers(end.won[player] & state.centre):
                        found[player, place].append(worth[player, " ".join(map(str, got))])
        night = solve_auction(state, ties="coin", steps=1)
        places = {(row.player, row.place): row for row in night.places.itertuples()}
        assert {key for key, worths in found.items() if worths} == {*places}
        for key, row in places.items():
            assert row.worth == pytest.approx(np.mean(found[key]))
            assert (row.low, row.high) == (min(found[key]), max(found[key]))
            differs += row.worth != max(worth[key[0], cards] for p, cards in worth if p == key[0])
    assert differs, "somebody above took what was best"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_TU_51_bids_earn_what_the_settlement_says(players):
    """Every combination of bids through `Format.settle`, a coin for ties, and places with the values of `places`."""
    state = last_auction(players, reserve=(4, 3, 5, 2)[:players])
    night = solve_auction(state, ties="coin", steps=60)
    worth, strategy = night.worth.mean, [night.chances(player) for player in range(players)]
    format = replace(state.parameters.format(state.auction), ties="coin")
    ranked = replace(format, prizes=tuple(range(format.places, 0, -1)))  # so that a prize shows the place
    expected = [dict.fromkeys(night.earns(player), 0.0) for player in range(players)]
    for made in product(*(night.earns(player) for player in range(players))):
        for outcome in ranked.settle(made).outcomes:
            for player, bid in enumerate(made):
                others = np.prod([strategy[p].get(b, 0.0) for p, b in enumerate(made) if p != player])
                award = outcome.awards[player]
                gets = worth[player, format.places - award] if award else 0.0
                expected[player][bid] += outcome.probability * others * (gets - outcome.pays[player])
    for player in range(players):
        assert night.earns(player) == pytest.approx(expected[player])
        mean = sum(chance * expected[player][bid] for bid, chance in strategy[player].items())
        row = night.payoffs.iloc[player]
        assert row["payoff"] == pytest.approx(mean)
        assert row["gain"] == pytest.approx(max(expected[player].values()) - mean)
    assert night.gain == pytest.approx(night.payoffs["gain"].max())


def test_TU_51_ten_and_eight():
    """The theory's example (theory.md E, F) through place values: the same game as with values of a unit."""
    format = replace(auction_format(2), prizes=(1,), ties="coin")
    units, rows = (solve_known(format, values, 10, steps=1000) for values in ((10, 8), [[10], [8]]))
    assert rows.strategy == pytest.approx(units.strategy)
    assert rows.payoffs == pytest.approx([2, 0], abs=0.35) and rows.gain < 1e-3


def test_TU_51_is_an_equilibrium_and_says_how_nearly():
    night = solve_auction(last_auction(2))
    assert night.gain < 0.02 and f"largest gain from deviating {night.gain:.2g}" in repr(night)
    frame = night.strategy
    assert frame.groupby("player")["probability"].sum().to_numpy() == pytest.approx([1, 1])
    assert frame.columns.tolist() == ["player", "bid", "probability", "payoff"]
    for player in (0, 1):
        made = [bid for bid, chance in night.chances(player).items() if chance > 0.02]
        assert max(night.how_far(player, bid) for bid in made) < 0.05
        assert min(night.how_far(player, bid) for bid in range(16)) == 0
        assert night.how_far(player, 15) > 1
    assert "<table" in night._repr_html_()


def test_TU_51_reserves_cap_the_bids():
    state = last_auction(2, reserve=(4, 9))
    night = solve_auction(state)
    assert night.payoffs["most"].tolist() == [4, 9]
    assert night.strategy.groupby("player")["bid"].max().tolist()[0] == 4
    with pytest.raises(ValueError, match=r"p0 may bid 0 to 4, not 5 \(TU-11\)"):
        night.how_far(0, 5)
    with pytest.raises(ValueError, match=r"p2 does not bid here; p0, p1 do"):
        night.how_far(2, 1)
    rich = solve_auction(last_auction(2, reserve=(60, 60)), ties="coin", steps=300)
    assert 60 not in rich.earns(1)  # bids that no one would make are not in the game, and still have a price
    assert rich.how_far(1, 60) == pytest.approx(max(rich.earns(1).values()) - (rich.worth.mean[1, 0] - 60))


@pytest.mark.parametrize("reserve", [(8, 8), (2, 15), (30, 60), (40, 30, 50)])
def test_TU_51_TU_30_how_far_every_bid_is_from_best_that_may_be_made(reserve):
    """Each against the others' strategies through `Format.settle`, including those above every bid of the game."""
    cheap = {"centre": [3, 4], "won": [(5, 6), (7, 8)], "hands": [(1,), (2,)]} if len(reserve) == 2 else {}
    state = at(len(reserve), auction=4, reserve=reserve, **cheap)
    night = solve_auction(state, loans=True, ties="coin", steps=20)
    format = replace(state.parameters.format(state.auction), ties="coin")
    ranked = replace(format, prizes=tuple(range(format.places, 0, -1)))  # so that a prize shows the place
    outside = 0
    for player, most in enumerate(night.most):
        others = [night.chances(p).items() for p in range(len(reserve)) if p != player]
        best, top = max(night.earns(player).values()), max(night.earns(player))
        for bid in {0, 1, reserve[player], min(reserve[player] + 1, most), top, min(top + 1, most), most}:
            earned = -5.0 * (bid > reserve[player])
            for made in product(*others):
                bids = [other for other, _chance in made]
                bids.insert(player, bid)
                for outcome in ranked.settle(bids).outcomes:
                    award = outcome.awards[player]
                    gets = night.worth.mean[player, format.places - award] if award else 0.0
                    chance = outcome.probability * np.prod([chance for _other, chance in made])
                    earned += chance * (gets - outcome.pays[player])
            assert night.how_far(player, bid) == pytest.approx(best - earned)
            outside += bid > top
    assert outside, "there are bids that nobody would make"


def test_TU_30_a_loan_costs_five_and_lets_bid_ten_more():
    state = last_auction(2, reserve=(1, 15), loans=(0, 1))
    night = solve_auction(state, loans=True, ties="coin")
    assert night.payoffs["most"].tolist() == [11, 15]
    game = night.solution.game
    assert game.extra.tolist() == [[5.0 * (bid > 1) for bid in game.bids], [0.0] * len(game.bids)]
    assert solve_auction(state, ties="coin").payoffs["most"].tolist() == [1, 15]


def test_TU_14_the_rebid_of_the_tied():
    """4p bids 5,5,3,2: p0 and p1 bid again for places one and two, in totals from 5 up; two who add nothing lose."""
    state = all_bid(last_auction(4), 5, 5, 3, 2)
    assert state.step is Step.ADD
    night = solve_auction(state)
    assert night.who == (0, 1)
    assert min(night.earns(0)) == 5 and night.payoffs["most"].tolist() == [15, 15]
    game = night.solution.game
    first, second = night.worth.mean[:2, 0], night.worth.mean[:2, 1]
    nothing, more = np.zeros((2, len(game.bids))), np.zeros((2, len(game.bids)))
    nothing[:, 0] = more[:, 1] = 1
    assert game.payoffs(nothing)[:, 0].tolist() == [-2, -2]  # TU-16: half of the first bid, rounded down
    assert game.payoffs(nothing)[:, 1] == pytest.approx(first - 6)  # the only one to add: the first of their places
    assert game.payoffs(more)[:, 0] == pytest.approx(second - 5)  # a player who adds nothing takes the second
    assert game.payoffs(more)[:, 1] == pytest.approx((first + second) / 2 - 6)  # a coin
    assert night.gain < 0.05


def test_TU_51_says_where_there_is_no_auction():
    for state in (turin.new(players=3, seed=1), turin.new(players=2, seed=1)):
        with pytest.raises(ValueError, match="no cards are up for auction here"):
            solve_auction(state)
    with pytest.raises(ValueError, match="ties='dice'"):
        solve_auction(last_auction(2), ties="dice")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_TU_51_a_view_will_do(players):
    state = next(state for state in some_positions(players) if state.step is Step.BID)
    view = state.view(0)
    one, two = (
        solve_auction(v, future="sample", samples=20, ties="coin", steps=20)
        for v in (view, view.sample(random.Random(1)).view(0))
    )
    assert one.strategy.equals(two.strategy)


# TU-52: theory, and the bids made


def test_TU_52_theory_is_that_of_the_formats():
    """theory.md A, Turin's formats with values uniform on [0, 1]."""
    v = 0.75
    for players, first, bid in [(2, False, 0.643), (3, False, 0.581), (4, False, 0.478), (4, True, 0.400),
                                (5, False, 0.758), (5, True, 0.368)]:  # fmt: skip
        assert turin.theory_bid(players, first).bid(v) == pytest.approx(bid, abs=5e-4)
        assert turin.theory_bid(players, first, 10).bid(10 * v) == pytest.approx(10 * bid, abs=5e-3)


@cache
def record(players, seed, **options):
    start = turin.new(players=players, seed=seed, **options)
    return bots.finish(Record.begin(start, ["ann", "bob"]), ["random", "value"] * 2 + ["random"], seed=seed)


@pytest.mark.parametrize(("players", "options"), [(2, ()), (3, ()), (4, ()), (5, ()), (3, (("games", 2),))])
def test_TU_52_bids_of_a_record(players, options):
    """Bids, payments and cards, against the states before and after each auction."""
    played = record(players, 3, **dict(options))
    frame = turin.bids(played, samples=10)
    spoken = [move for move in played.moves if move.action.startswith("bid")]
    added = [move for move in played.moves if move.action.startswith("add")]
    assert frame["bid"].sum() == sum(int(move.action.split()[1]) for move in spoken)
    assert frame["added"].sum() == sum(int(move.action.split()[1]) for move in added)
    assert frame["loan"].sum() == sum("loan" in move.action for move in [*spoken, *added])
    assert set(frame["name"]) == set(played.names)
    assert (frame.groupby(["game", "auction"]).size() == players).all()
    totals = frame["bid"] + frame["added"].fillna(0)
    wins = frame["award"] > 0
    assert (frame["paid"][wins] == totals[wins]).all()  # TU-12
    lost = totals[~wins] // 2
    void = frame["bid"][~wins] // 2  # TU-16
    assert ((frame["paid"][~wins] == lost) | (frame["paid"][~wins] == void)).all()
    assert (frame["cards"].str.split().map(len) == frame["award"]).all()
    assert (frame["theory"] >= 0).all() and (frame["theory"] <= frame["reserve"] + 10 * frame["loan"]).all()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_TU_13_a_record_that_begins_in_the_middle_tells_the_same_of_the_auctions_to_come(players):
    """Wherever it begins: choices already made appear as they were, and open bids have no row."""
    steps = set()
    for seed in range(3):
        poor = {"reserve": (5,) * players, "loans": (1,) * players}
        start = turin.new(players, seed=seed)._with(**poor)  # and so often tied
        played = bots.finish(Record.begin(start), ["random"] * players, seed=seed)
        whole, states = turin.bids(played, samples=4), [*played.states()]
        revealed = {}  # by auction, the move after which the bids are open
        for place, (state, move) in enumerate(zip(states, played.moves, strict=False)):
            if move.action.startswith("bid"):
                revealed[state.auction + 1] = place
        for place, state in enumerate(states[:-1]):
            later = [n for n, last in revealed.items() if last >= place]
            if state.step is Step.BID or state.step not in steps:
                cut = turin.bids(replace(played, start=state, moves=played.moves[place:]), samples=4)
                expected = whole[whole["auction"].isin(later)].reset_index(drop=True)
                assert cut.equals(expected) if later else cut.empty
            steps.add(state.step)
    assert {Step.BID, Step.ADD, Step.OFFER, Step.WINDOW} <= steps


def test_TU_13_who_had_bid_before_the_record_began_is_not_told_to_have_bid_0():
    start = turin.new(4, seed=7).after("bid 20 loan", 0)
    first = turin.bids(bots.finish(Record.begin(start), ["random"] * 4, seed=1), samples=4).iloc[0]
    assert (first["bid"], first["loan"], first["reserve"], first["paid"]) in [(20, True, 15, 20), (20, True, 15, 10)]


def test_TU_14_who_could_add_nothing_is_told_to_have_added_0():
    start = turin.new(3, seed=1)._with(reserve=(6, 9, 15), loans=(1, 0, 1))
    played = Record.begin(start)
    for player in range(3):
        played = played.with_move(next(iter(start.actions(player))), player)
    for move in ("p0 bid 6", "p1 bid 6", "p2 bid 2", "p1 add 1"):
        played = played.with_move(move[3:], int(move[1]))
    assert played.state().step is Step.TAKE, "p0 has nothing left, and was not asked"
    added = turin.bids(bots.finish(played, ["random"] * 3, seed=1), samples=4)["added"].tolist()
    assert added[:2] == [0, 1] and np.isnan(added[2])


def test_TU_52_worth_is_what_could_be_known_before_the_bids():
    played = record(4, 3)
    frame = turin.bids(played, samples=30)
    states = {s.auction + 1: s for s in reversed([*played.states()]) if s.step is Step.BID}
    for row in frame[frame["award"] > 0].itertuples():
        table = Table(states[row.auction].view(row.player), "sample", 30, 0)
        assert row.worth == pytest.approx(table.worth(row.player, [bits(map(int, row.cards.split()))])[0])
        assert row.reserve == states[row.auction].reserve[row.player]


def test_TU_52_a_record_of_another_game_is_refused():
    from tradekit import bazar

    with pytest.raises(ValueError, match="a record of bazar, not of turin"):
        turin.bids(Record.begin(bazar.new(cards=(1, 4))))


# Charts


def test_the_charts_draw_and_say_what_they_show():
    state = play(at(3, won=[(5, 6), (7,), ()], sale=((5, 0, 2),), reserve=(9, 15, 15)))
    frame = turin.worth(state)
    said = texts(charts.worth(frame, ["ann", "bob", "cy"]))
    assert {"ann", "bob", "cy", "5 on sale by ann", "7 of bob"} <= set(said)
    assert f"{frame['worth'].iloc[0]:g}" in said
    assert "18 in a hand" in said
    night = solve_auction(last_auction(2), ties="coin")
    said = " ".join(texts(charts.auction(night, 0, 4, ["ann", "bob"])))
    assert f"4 by ann, marked, loses {night.how_far(0, 4):.2f}" in said
    assert f"largest gain from deviating: {night.gain:.2g}" in said
    assert "ann" in texts(charts.history(turin.bids(record(3, 3), samples=5)))
    assert "2.1" in texts(charts.history(turin.bids(record(3, 3, games=2), samples=5)))


def test_worth_repeats_itself():
    state = turin.new(players=5, seed=4)
    frames = [turin.worth(state.view(2), future="sample", samples=40, seed=seed) for seed in (1, 1, 2)]
    assert frames[0].equals(frames[1]) and not frames[0].equals(frames[2])
