"""Studies in general: played here or elsewhere, saved, and loaded again."""

import re
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pandas as pd
import pytest

from tradekit import studies
from tradekit.studies import Study, study


def powers(base, most):
    """Return the rows of a treatment."""
    return [{"power": n, "value": base**n, "third": base**n / 3, "word": None if n else "none"} for n in range(most)]


TOY = Study("toy", "How fast do powers grow?", [{"base": base, "most": 4} for base in (2, 3, 5)], powers)


def test_rows_come_in_order_with_their_treatment_wherever_they_are_played():
    here = TOY.make()
    assert [*here.columns] == ["base", "most", "power", "value", "third", "word"]
    assert [*zip(here["base"], here["power"], strict=True)] == [(base, n) for base in (2, 3, 5) for n in range(4)]
    assert (here["value"] == here["base"] ** here["power"]).all()
    for executor in (ThreadPoolExecutor, ProcessPoolExecutor):
        with executor(2) as pool:
            pd.testing.assert_frame_equal(TOY.make(pool), here)


def test_a_table_that_is_written_down_is_found_again(tmp_path, monkeypatch):
    (tmp_path / "studies").mkdir()
    monkeypatch.setattr(studies, "files", lambda package: tmp_path)
    with pytest.raises(FileNotFoundError, match=r"toy\.csv is not there; make studies"):
        TOY.load()
    table = TOY.make()
    path = TOY.save(tmp_path / "studies", table)
    assert path.name == "toy.csv" and b"\r" not in path.read_bytes()
    pd.testing.assert_frame_equal(TOY.load(), table, check_dtype=False)
    first = TOY.load()["word"]
    assert first[0] == "none" and first[1:4].isna().all(), "a word stays a word, nothing stays nothing"
    before = path.read_bytes()
    assert TOY.save(tmp_path / "studies", TOY.load()).read_bytes() == before


def test_the_same_table_is_brought_again():
    pd.testing.assert_frame_equal(TOY.make(), TOY.make())


def test_studies_are_found_by_name_and_each_asks_a_question():
    for one in studies.studies():
        assert study(one.name) is one
        assert one.question.endswith("?") and one.treatments
        assert one.play.__module__ == f"tradekit.studies.{one.name}", "other processes find it"


def test_a_name_that_is_not_there_says_which_are():
    with pytest.raises(ValueError, match=re.escape("there is no study 'sackson'; there are sacksons_worry, ")):
        study("sackson")
