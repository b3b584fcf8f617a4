"""The command ``python -m tradekit.studies [NAME ...]``, which plays studies again and writes their tables.

`make studies` runs it.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tradekit.studies import studies, study

if __name__ == "__main__":
    folder = Path(__file__).parents[2] / "data" / "studies"  # of a checkout: installed files are not written to
    with ProcessPoolExecutor() as pool:
        for one in [study(name) for name in sys.argv[1:]] or studies():
            print(one.save(folder, one.make(pool, progress=True)))
