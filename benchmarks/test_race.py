"""Bazar's endgames, complete: the race for one ware (BZ-45), and the bazaar for one (BZ-44). There is no peer.

Processor time is shown next to elapsed time: on a machine with other work only processor time means something.
"""

from __future__ import annotations

import subprocess
import sys
from time import process_time

import pytest

from tradekit.bazar import Exchange, Race, Solo, open_bazaar

EXCHANGE = "R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY"
RACES = {
    "RWBGY, nine million pairs": (EXCHANGE, "RWBGY"),
    "RRBGG, some held up for ever": (EXCHANGE, "RRBGG"),
    "BBGGY under R=W, most held up": ("R=W", "BBGGY"),
}
#: Peak memory of a new process, in MB, on Linux; `getrusage` would include its parent's.
PEAK = """
import sys
from tradekit.bazar import Exchange
Exchange(sys.argv[1]).race(sys.argv[2], cache=False, progress=False)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)
"""

alone_and_no_other = pytest.mark.parametrize("who", ["tradekit"])


def measure(benchmark, run):
    """Run three rounds, and record the least processor time of them."""
    times = []

    def timed():
        start = process_time()
        result = run()
        times.append(process_time() - start)
        return result

    result = benchmark.pedantic(timed, rounds=3, iterations=1, warmup_rounds=1)
    benchmark.extra_info["processor, s"] = round(min(times), 2)
    print(f"{benchmark.group}: {min(times):.2f} s of processor time")
    return result


@pytest.mark.parametrize("race", RACES)
@alone_and_no_other
def test_race(benchmark, race, who):
    benchmark.group = f"the race for {race}"
    equations, ware = RACES[race]
    found = measure(benchmark, lambda: Exchange(equations).race(ware, cache=False, progress=False))
    peak = subprocess.run([sys.executable, "-c", PEAK, equations, ware], capture_output=True, text=True, check=True)
    benchmark.extra_info["peak, MB"] = int(peak.stdout)
    print(f"{benchmark.group}: {peak.stdout.strip()} MB at the peak")
    assert found.all_win.shape == (3003, 3003)


@pytest.mark.benchmark(group="a race from its file, checksum included")
@alone_and_no_other
def test_load(benchmark, tmp_path, who):
    path = Exchange(EXCHANGE).race("RWBGY", cache=False, progress=False).save(tmp_path / "a.race")
    assert measure(benchmark, lambda: Race.load(path)).win("RR", "GG") == 1


@pytest.mark.benchmark(group="the whole bazaar alone, 1,125 positions of the stalls by 3,003 holdings")
@alone_and_no_other
def test_solo(benchmark, who):
    start = open_bazaar.new(seed=3)
    assert len(measure(benchmark, lambda: Solo.of(start, 0.5).values)) == 1125
