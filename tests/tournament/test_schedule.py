"""Pairings and seats: every seat equally often, whatever the numbers."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.players import Rolls, play
from tradekit import bots
from tradekit.tournament.schedule import FEWEST, LONGEST, batches, orders, schedule, tables

NUMBERS = {"bots": st.integers(1, 5), "players": st.integers(1, 5), "games": st.integers(1, 12)}


def seatings(bots, players, games, seed=0):
    return [*schedule([f"b{n}" for n in range(bots)], players, games, seed)]


@given(**NUMBERS)
def test_every_bot_of_a_table_has_every_seat_equally_often(bots, players, games):
    tables = {}
    for seating in seatings(bots, players, games):
        tables.setdefault(tuple(sorted(seating.bots)), []).append(seating.bots)
    for table, met in tables.items():
        for name in table:
            counts = {sum(seats[seat] == name for seats in met) for seat in range(players)}
            assert len(counts) == 1


@given(**NUMBERS)
def test_every_choice_of_bots_meets_as_often_as_was_asked_or_one_round_more(bots, players, games):
    met = Counter(tuple(sorted(seating.bots)) for seating in seatings(bots, players, games))
    names = [f"b{n}" for n in range(bots)]
    if bots >= players:
        assert set(met) == {*combinations(names, players)}
    else:
        assert len(met) == 1 and set(next(iter(met))) == set(names)
    assert len(set(met.values())) == 1
    assert games <= min(met.values()) < games + players


@given(**NUMBERS)
def test_no_game_is_there_twice_and_a_round_of_a_table_shares_its_seed(bots, players, games):
    there = seatings(bots, players, games)
    assert len({(seating.round, seating.bots) for seating in there}) == len(there)
    shared = {}
    for seating in there:
        shared.setdefault(seating.seed, set()).add((seating.round, tuple(sorted(seating.bots))))
    assert all(len(tables) == 1 for tables in shared.values())
    assert len(shared) == len({(seating.round, tuple(sorted(seating.bots))) for seating in there})


@given(**NUMBERS, more=st.integers(0, 9))
def test_more_games_begin_with_the_same_ones(bots, players, games, more):
    fewer = seatings(bots, players, games)
    assert seatings(bots, players, games + more)[: len(fewer)] == fewer


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6).map(tuple))
def test_orders_are_the_table_turned_each_once(table):
    there = orders(table)
    assert there[0] == table and len(set(there)) == len(there)
    assert set(there) == {table[k:] + table[:k] for k in range(len(table))}


def test_a_table_is_filled_up_in_turn():
    assert tables(["a", "b"], 5) == [("a", "b", "a", "b", "a")]


@given(**NUMBERS, lost=st.sets(st.integers(0, 200)))
def test_batches_are_the_schedule_in_pieces_and_keep_together_what_shares_its_luck(bots, players, games, lost):
    left = [seating for n, seating in enumerate(seatings(bots, players, games)) if n not in lost]
    pieces = batches(left)
    assert [seating for piece in pieces for seating in piece] == left
    seeds = [{seating.seed for seating in piece} for piece in pieces]
    assert sum(map(len, seeds)) == len(set().union(*seeds))
    assert all(1 <= len(shared) <= LONGEST for shared in seeds)


def test_a_long_tournament_has_pieces_enough_for_many_processes_and_no_more_than_it_needs():
    few, many = batches(seatings(2, 2, 100)), batches(seatings(2, 2, 100_000))
    assert len(few) == 50 and {len(piece) for piece in few} == {2}
    assert FEWEST < len(many) == 50_000 // LONGEST


# As played


def test_every_pairing_meets_in_every_order():
    result = play("random", Rolls(), bots.make("search", iterations=1, depth=0), games=5)
    assert Counter(game.bots for game in result.played) == {
        pair: 3
        for one, other in [("random", "rolls"), ("random", "search"), ("rolls", "search")]
        for pair in [(one, other), (other, one)]
    }
    assert [game.round for game in result.played] == sorted(game.round for game in result.played)


def test_tables_of_more_seats_than_bots_fill_up():
    def seats(**options):
        return {game.bots for game in play("random", Rolls(), **options).played}

    assert seats(players=3) == {
        ("random", "rolls", "random"),
        ("rolls", "random", "random"),
        ("random", "random", "rolls"),
    }
    assert seats(players=1) == {("random",), ("rolls",)}
