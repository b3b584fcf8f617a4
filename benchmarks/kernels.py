"""Run times of the notebooks, and the peak memory of their kernels: `python -m benchmarks.kernels`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
PEAK = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
IMPORT = "import time; start = time.perf_counter(); import tradekit; print(round(1e3 * (time.perf_counter() - start)))"


def main() -> None:
    """Run every notebook in a kernel of its own and print a line for each."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = nbformat.read(path, 4)
        first = nbformat.v4.new_code_cell(IMPORT)
        last = nbformat.v4.new_code_cell(PEAK)
        notebook.cells = [first, *notebook.cells, last]
        start = time.perf_counter()
        NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
        seconds = time.perf_counter() - start
        said = [cell.outputs[0].text.strip() for cell in (first, last)]
        print(f"{path.stem:<24} {seconds:5.1f} s   peak {said[1]} MB   import tradekit {said[0]} ms")


if __name__ == "__main__":
    sys.exit(main())
