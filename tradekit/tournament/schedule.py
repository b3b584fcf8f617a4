"""The pairings, seats and seeds of a tournament, known before the first game is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, islice
from typing import Final, NamedTuple

from tradekit.game import keyed

LONGEST: Final = 16  #: the most rounds of a table in a batch
FEWEST: Final = 64  #: the fewest batches, if there are enough rounds: so this many processes are busy to the end


class Seating(NamedTuple):
    """A game to be played."""

    round: int
    seed: int  #: of its chance
    bots: tuple[str, ...]  #: names by seat


def tables(bots: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Return the groups that meet: every choice of `players` bots, or all of them, in turn, until the table is full.

    >>> tables(["a", "b", "c"], 2), tables(["a", "b"], 3)
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [('a', 'b', 'a')])
    """
    return [*combinations(bots, players)] or [tuple(bots[seat % len(bots)] for seat in range(players))]


def orders(table: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the table rotated by one seat after another, as long as that gives a new order.

    The same order would give the same game again: equal bots, with equal luck.

    >>> orders(("a", "b", "a")), len(orders(("a", "b", "a", "b")))
    ([('a', 'b', 'a'), ('b', 'a', 'a'), ('a', 'a', 'b')], 2)
    """
    return [*dict.fromkeys(table[turned:] + table[:turned] for turned in range(len(table)))]


def seed_of(seed: int, table: tuple[str, ...], number: int) -> int:
    """Return the seed of a table's games in a round, from the seed of the tournament."""
    return keyed(seed, "tournament", *table, number).getrandbits(32)


def schedule(bots: Sequence[str], players: int, games: int, seed: int) -> Iterator[Seating]:
    """Yield at least `games` games of every table, round after round, so that an interrupted tournament is even.

    With more games, the first ones stay the same.
    """
    seated = [(table, orders(table)) for table in tables(bots, players)]
    for number in range(-(-games // len(seated[0][1]))):
        for table, turns in seated:
            game_seed = seed_of(seed, table, number)
            yield from (Seating(number, game_seed, order) for order in turns)


def batches(seatings: Sequence[Seating]) -> list[tuple[Seating, ...]]:
    """Return groups of games for one process to play in sequence; games that share their luck stay together."""
    rounds = iter([tuple(shared) for _seed, shared in groupby(seatings, key=lambda seating: seating.seed)])
    size = max(1, min(LONGEST, len({seating.seed for seating in seatings}) // FEWEST))
    return [sum(batch, ()) for batch in iter(lambda: tuple(islice(rounds, size)), ())]
