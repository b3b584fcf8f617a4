"""Who meets whom, who sits where, and with which luck: known before the first game is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, islice
from typing import Final, NamedTuple

from tradekit.game import keyed

LONGEST: Final = 16  #: rounds of a table in a batch
FEWEST: Final = 64  #: batches, if there are rounds enough: so many processes have something to do to the end


class Seating(NamedTuple):
    """A game to be played."""

    round: int
    seed: int  #: of its chance
    bots: tuple[str, ...]  #: their names, by seat


def tables(bots: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Who meets: every choice of so many bots, or all of them, in turn, until the table is full.

    >>> tables(["a", "b", "c"], 2), tables(["a", "b"], 3)
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [('a', 'b', 'a')])
    """
    return [*combinations(bots, players)] or [tuple(bots[seat % len(bots)] for seat in range(players))]


def orders(table: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The table turned on by one seat after another, as long as that is another order.

    The same order would be the same game once more: equal bots, with equal luck.

    >>> orders(("a", "b", "a")), len(orders(("a", "b", "a", "b")))
    ([('a', 'b', 'a'), ('b', 'a', 'a'), ('a', 'a', 'b')], 2)
    """
    return [*dict.fromkeys(table[turned:] + table[:turned] for turned in range(len(table)))]


def seed_of(seed: int, table: tuple[str, ...], number: int) -> int:
    """The seed of a table's games in a round, from that of the tournament."""
    return keyed(seed, "tournament", *table, number).getrandbits(32)


def schedule(bots: Sequence[str], players: int, games: int, seed: int) -> Iterator[Seating]:
    """At least so many games of every table, round after round, so that an interrupted tournament is even.

    With more games, the first ones are the same.
    """
    seated = [(table, orders(table)) for table in tables(bots, players)]
    for number in range(-(-games // len(seated[0][1]))):
        for table, turns in seated:
            game_seed = seed_of(seed, table, number)
            yield from (Seating(number, game_seed, order) for order in turns)


def batches(seatings: Sequence[Seating]) -> list[tuple[Seating, ...]]:
    """Games to be played by one process, one after another; those that share their luck stay together."""
    rounds = iter([tuple(shared) for _seed, shared in groupby(seatings, key=lambda seating: seating.seed)])
    size = max(1, min(LONGEST, len({seating.seed for seating in seatings}) // FEWEST))
    return [sum(batch, ()) for batch in iter(lambda: tuple(islice(rounds, size)), ())]
