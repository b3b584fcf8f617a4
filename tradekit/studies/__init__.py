"""Studies: a question answered by many tournaments, kept as a table that a notebook shows at once.

A study is a list of treatments, such as pairs of cards or options of the rules, and a function that plays one. The
tables are kept in `data/studies/`; `make studies` plays all of them again, in some minutes, and gives the same tables.

>>> [study.name for study in studies()]
['sacksons_worry', 'silk_playtest', 'silk_silence']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tradekit._utils.atomic_files import write_whole
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

_NAMES: Final = ("sacksons_worry", "silk_playtest", "silk_silence")  # modules here, each with its STUDY
_DIGITS: Final = 6  # decimals of the shares in a file

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Study:
    """A question, its treatments, and the function that plays one of them."""

    name: str
    question: str
    treatments: Sequence[Mapping[str, Any]]  #: each holds the arguments of `play`
    play: Callable[..., Sequence[Row]]  #: plays a treatment; a module's function, so that other processes find it

    def make(self, executor: Executor | None = None, progress: bool = False) -> pd.DataFrame:
        """Play all treatments, here or by an executor; return the rows in their order, with the treatment in each."""
        import pandas as pd
        from tqdm.auto import tqdm

        played = (executor.map if executor else map)(self.rows, self.treatments)
        rows = [row for rows in tqdm(played, self.name, len(self.treatments), disable=not progress) for row in rows]
        return pd.DataFrame(rows).round(2 * _DIGITS).round(_DIGITS)  # twice, so that halves round alike on any machine

    def rows(self, treatment: Row) -> list[dict[str, object]]:
        """Return the rows of one treatment."""
        return [{**treatment, **row} for row in self.play(**treatment)]

    def save(self, folder: Path, table: pd.DataFrame) -> Path:
        """Write a table where `load` finds it, and return its path."""
        return write_whole(folder / f"{self.name}.csv", table.to_csv(index=False, lineterminator="\n"))

    def load(self) -> pd.DataFrame:
        """Return the kept table. Raises `FileNotFoundError` that says how to make it."""
        import pandas as pd

        path = files("tradekit_data") / "studies" / f"{self.name}.csv"
        if not path.is_file():
            raise FileNotFoundError(_("{file} is not there; make studies makes it").format(file=path))
        with path.open(encoding="utf-8") as file:
            return pd.read_csv(file, keep_default_na=False, na_values=[""])


def studies() -> list[Study]:
    """Return all studies."""
    return [*map(study, _NAMES)]


def study(name: str) -> Study:
    """Return the study of that name; raises `ValueError` that lists the studies."""
    if name not in _NAMES:
        raise ValueError(_("there is no study {name!r}; there are {there}").format(name=name, there=", ".join(_NAMES)))
    found: Study = import_module(f"tradekit.studies.{name}").STUDY
    return found
