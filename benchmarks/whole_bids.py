"""The tables of docs/whole-bids.md: `python -m benchmarks.whole_bids`, some minutes."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from tradekit.auctions.formats import Format
from tradekit.auctions.rank_games import PrivateValues
from tradekit.auctions.whole_bids import Solution, solve

FLOOR = Format(loser_pays=0.5, reserve=1, step=1, rounding="down")
LARGEST = (10, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 30, 40)
ROWS = ((2, (1,)), (3, (1,)), (3, (2, 1)), (4, (2, 1, 1)), (5, (2, 2, 1)))
SEEDS = (0, 1, 2)


def span(numbers: list[float], digits: int) -> str:
    """Return the lowest and the highest of some numbers, as text."""
    ends = [f"{end(numbers):.{digits}f}" for end in (min, max)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def solved(bidders: int, prizes: tuple[float, ...], rounding: str | None) -> tuple[list[Solution], float]:
    """Return the solutions from each seed, and the longest time that one of them took."""
    format, times, solutions = Format(prizes, 0.5, reserve=1, step=1, rounding=rounding), [], []
    for seed in SEEDS:
        start = perf_counter()
        solutions.append(solve(format, bidders=bidders, target=1e-4, seed=seed))
        times.append(perf_counter() - start)
    return solutions, max(times)


def only_odd(largest: int) -> np.ndarray:
    """Return the most to gain, by value, when both bidders have learned to bid only 0 and odd numbers."""
    odd = [0, *range(1, largest + 1, 2)]
    game = PrivateValues.of(FLOOR, range(largest + 1), largest)
    strategy = np.zeros(game.allowed.shape)
    strategy[:, odd] = solve(FLOOR, range(largest + 1), odd, target=2e-4).strategy
    return game.gains(strategy)


def by_format() -> None:
    """Print the rows of theory.md F as they are found."""
    print("| n, cards | half | odd among the positive bids | revenue | mean gain, at most | worst gain | at most s |")
    print("|---|---|---|---|---|---|---|")
    for bidders, prizes in ROWS:
        for rounding in (None, "down"):
            found, seconds = solved(bidders, prizes, rounding)
            cells = (
                f"{bidders}: {', '.join(map(str, prizes))}",
                "rounded down" if rounding else "exact",
                span([s.odd_share for s in found], 3),
                span([s.revenue for s in found], 2),
                f"{max(s.exploitability for s in found):.1e}",
                f"{max(s.gain for s in found):.1e}",
                f"{seconds:.0f}",
            )
            print("|", " | ".join(cells), "|", flush=True)


def by_largest_value() -> None:
    """Print what two bidders do with other largest values."""
    print(
        "| largest value | odd among the positive bids | mean gain, at most | only odd bids: mean gain | worst gain |"
    )
    print("|---|---|---|---|---|")
    for largest in LARGEST:
        found = [solve(FLOOR, range(largest + 1), target=2e-4, steps=20_000, seed=seed) for seed in SEEDS]
        gains = only_odd(largest)
        shares = span([s.odd_share for s in found], 2)
        most = max(s.exploitability for s in found)
        print(f"| {largest} | {shares} | {most:.1e} | {gains.mean():.4f} | {gains.max():.2f} |", flush=True)


if __name__ == "__main__":
    by_format()
    print()
    by_largest_value()
