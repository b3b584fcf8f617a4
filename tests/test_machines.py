"""F14: equal seeds give equal games, orders and figures on every machine.

Other machines are simulated by settings that make linear algebra (OpenBLAS), NumPy and the C library work as on another
processor; `tests.machines` defines what is compared, line by line.
"""

import os
import re
import subprocess
import sys
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy._core._multiarray_umath import __cpu_baseline__, __cpu_dispatch__, __cpu_features__

from tests import machines

ROOT = Path(__file__).parents[1]
KERNELS = ("Prescott", "Haswell", "SkylakeX", "Zen")
#: features of this NumPy on this processor that can be turned off
DISPATCHED = [feature for feature in __cpu_dispatch__ if __cpu_features__[feature] and feature not in __cpu_baseline__]
WIDE = [feature for feature in DISPATCHED if "AVX512" in feature or feature == "X86_V4"]
NO_FMA = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"}  # exp, log and pow of older processors
MACHINES = {
    **{kernel: {"OPENBLAS_CORETYPE": kernel} for kernel in KERNELS},
    "NumPy without AVX-512": {"NPY_DISABLE_CPU_FEATURES": " ".join(WIDE)},
    "NumPy and C library without AVX2": {"NPY_DISABLE_CPU_FEATURES": " ".join(DISPATCHED), **NO_FMA},
}
NOTEBOOKS = ("16_sacksons_worry", "17_silk_road_playtest", "18_endgames")
MATH = "import math; print([math.exp(n / 7 - 30).hex() for n in range(3000)])"


def run(command, **setting):
    """Return the output of a Python command on that machine."""
    env = {**os.environ, "OPENBLAS_VERBOSE": "2", "PYTHONPATH": str(ROOT), **setting}
    done = subprocess.run([sys.executable, *command], env=env, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done


@cache
def kernel(name=None):
    """Return the linear algebra kernel used when `name` is requested; nothing if it cannot be requested."""
    said = run(["-c", "import numpy"], **{"OPENBLAS_CORETYPE": name} if name else {}).stderr
    return "".join(re.findall(r"^Core: (\w+)", said, re.MULTILINE)[:1])


@cache
def lines(setting=()):
    said = run(["-m", "tests.machines"], **dict(setting)).stdout.splitlines()
    return dict(line.split(": ", 1) for line in said)


def say(what):
    """Report in the summary of the run that a comparison may not be with another machine."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.warn(what, stacklevel=2)


def taken(setting):
    """Return the setting without an OpenBLAS kernel already compared: Zen's is Haswell's, one is this machine's own."""
    asked = setting.get("OPENBLAS_CORETYPE")
    if asked is None:
        return setting
    if not kernel():
        return setting
    return (
        {}
        if kernel(asked) == kernel()
        else {"OPENBLAS_CORETYPE": next(k for k in KERNELS if kernel(k) == kernel(asked))}
    )


@pytest.mark.long
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("machine", MACHINES)
def test_the_same_games_orders_and_figures_on_every_machine(machine):
    setting = MACHINES[machine]
    if "OPENBLAS_CORETYPE" in setting and not kernel(machine):
        say(f"OPENBLAS_CORETYPE={machine} takes no effect on this machine's linear algebra: compared all the same")
    here, there = lines(), lines(tuple(taken(setting).items()))
    assert [*here] == [*there]
    other = [of for of, text in here.items() if text != there[of]]
    assert not other, f"on {machine} otherwise: {'; '.join(other)}"


@pytest.mark.long
def test_all_bots_of_all_games_play_and_all_parts_are_compared():
    from tradekit import bots, game

    told = {
        of.split(", ")[0].removeprefix("games ") + " " + of.split(", ")[2] for of in lines() if of.startswith("games ")
    }
    ours = [name for name in game.names() if game.find(name).state.__module__.startswith("tradekit.")]
    assert {
        f"{name} {bot}"
        for name in ours
        for bot in bots.names(name)
        if bots.make(bot).__module__.startswith("tradekit.")
    } <= told
    assert {of.split()[0] for of in lines()} == {*machines.PARTS}


@pytest.mark.filterwarnings("default")
def test_the_settings_take_effect():
    """Last bits differ where they may, so that equal lines mean something."""
    product = "import numpy as np; a = np.random.default_rng(0).random((37, 41)); print((a @ a.T).tobytes().hex())"
    exp = "import numpy as np; print(np.exp(np.random.default_rng(0).random(9999) * 30).tobytes().hex())"
    effects = {
        "OPENBLAS_CORETYPE": {run(["-c", product], OPENBLAS_CORETYPE=name).stdout for name in KERNELS},
        "NPY_DISABLE_CPU_FEATURES": {run(["-c", exp], **MACHINES[m]).stdout for m in (KERNELS[0], [*MACHINES][-2])},
        "GLIBC_TUNABLES": {run(["-c", MATH], **setting).stdout for setting in ({}, NO_FMA)},
    }
    for what, seen in effects.items():
        if len(seen) == 1:
            say(f"{what} takes no effect on this machine")
    if kernel() and "X86_V3" in DISPATCHED:  # a modern processor with NumPy's own OpenBLAS
        assert len(effects["OPENBLAS_CORETYPE"]) > 1 and len(effects["NPY_DISABLE_CPU_FEATURES"]) > 1
    assert np.__version__


@pytest.mark.long
@pytest.mark.parametrize("machine", ["Prescott", "SkylakeX"])
def test_the_kept_figures_of_notebooks_are_those_of_every_machine(machine):
    """nbval compares the marked outputs of the notebooks on bots, studies and endgames."""
    command = [
        *(
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--nbval-lax",
            "--nbval-current-env",
            "--nbval-cell-timeout=120",
        ),
        *("--nbval-sanitize-with", "tests/nbval_sanitize.cfg"),
        *(f"notebooks/{name}.ipynb" for name in NOTEBOOKS),
    ]
    env = {**os.environ, **MACHINES[machine]}
    done = subprocess.run([sys.executable, *command], env=env, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:]
