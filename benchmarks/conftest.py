"""A summary after the run: each measurement as a ratio to its peers, in the same process, run and threads."""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("RAYON_NUM_THREADS", str(os.cpu_count() or 1))  # rustworkx: as many threads as we use


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """Write, group by group, the minimum of each, and how many times faster "tradekit" is than the others."""
    session = getattr(config, "_benchmarksession", None)
    if session is None or not session.benchmarks:
        return
    terminalreporter.section("ratios (minimum of all rounds)")
    groups: dict[str, dict[str, float]] = {}
    turns: dict[tuple[str, str], str] = {}
    for bench in session.benchmarks:
        groups.setdefault(bench.group, {})[bench.params["who"]] = bench.stats.min
        if "taking turns" in bench.extra_info:
            turns[bench.group, bench.params["who"]] = f"; taking turns, {bench.extra_info['taking turns']}"
    for group, times in groups.items():
        if "tradekit" not in times:
            continue  # only peers of this group were selected to run
        ours = times.pop("tradekit")
        terminalreporter.write_line(f"{group}: tradekit {1e3 * ours:.3g} ms")
        for peer, seconds in times.items():
            terminalreporter.write_line(
                f"    {peer} {1e3 * seconds:.4g} ms: {seconds / ours:.3g} times as long{turns.get((group, peer), '')}"
            )
