"""A class's hand-ins: all rows come back, a damaged cell costs only its own round, and nothing is lost."""

import csv
import io
import json
import random
import re
import zipfile
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tradekit import auctions, i18n
from tradekit._utils.display_names import clean
from tradekit.auctions import (
    MeanOfSignals,
    NoisySignals,
    all_pay,
    first_price,
    lab_charts,
    rounds_csv,
    second_price,
    turin,
    uniform,
)
from tradekit.auctions.experiment import Experiment, Status
from tradekit.auctions.hand_ins import DERIVED, _made
from tradekit.auctions.source_text import read as read_spelled
from tradekit.game import ParseError
from tradekit.show import charts
from tradekit.widgets.bidding import Game


def play(seed, rounds=4, format=None, values=None, opponents=("equilibrium", "naive"), left_open=0, share=0.7):
    """Play a game whose person bids about a share of the value, with a few rounds left out."""
    rng = random.Random(seed)
    game = Experiment.begin(format or first_price(), values or uniform(0, 100), opponents, rounds, seed)
    for a_round in game.rounds[: rounds - left_open]:
        kind = rng.choice([Status.BID] * 8 + [Status.NO_BID, Status.TIMED_OUT])
        bid = round(max(0.0, a_round.types[0] * share + rng.gauss(0, 3)))
        game = game.bid(bid if kind is Status.BID else None, kind)
    return game


TEXT = play(1).to_csv()
FORMATS = {
    "first price": (first_price(), uniform(0, 100)),
    "whole bids": (turin(3), uniform(0, 20)),
    "a signal": (second_price(), MeanOfSignals()),
    "all pay": (all_pay(prizes=(2, 1)), uniform()),
}
game_texts = st.builds(
    lambda seed, rounds, open_, kind: play(seed, rounds, *FORMATS[kind], left_open=min(open_, rounds)).to_csv(),
    st.integers(0, 500), st.integers(1, 5), st.integers(0, 2), st.sampled_from(sorted(FORMATS)),
)  # fmt: skip


def lines_of(text):
    return text.strip().split("\n")


def untouched(merged):
    """Return the problems that concern only a single student's lines."""
    return merged.problems[merged.problems["line"].notna()]


# All rows come back


@settings(max_examples=12)
@given(st.lists(game_texts, min_size=1, max_size=5))
def test_all_that_was_written_comes_back_and_nothing_is_wrong(texts):
    merged = auctions.merge({f"student {n}": text for n, text in enumerate(texts)})
    assert not len(untouched(merged))
    for n, text in enumerate(texts):
        back = merged.frame[merged.frame["student"] == f"student {n}"].drop(columns="student").reset_index(drop=True)
        pd.testing.assert_frame_equal(back, rounds_csv.read(text).to_frame(), check_dtype=False)


@settings(max_examples=8)
@given(st.dictionaries(st.text("abn12", min_size=1, max_size=4), game_texts, min_size=2, max_size=5), st.randoms())
def test_the_order_of_files_does_not_matter(texts, rng):
    items = [*texts.items()]
    rng.shuffle(items)
    one, other = auctions.merge(texts), auctions.merge(dict(items))
    pd.testing.assert_frame_equal(one.frame, other.frame)
    pd.testing.assert_frame_equal(one.problems, other.problems)
    assert one.game == other.game


def test_a_folder_paths_texts_and_one_pasted_text_say_the_same(tmp_path):
    texts = {name: play(seed).to_csv() for seed, name in enumerate(["Ana", "Bruno", "Carla"])}
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    frame = auctions.merge(texts).frame
    pasted = "\n\n".join(f"{name}\n{text}" for name, text in texts.items())
    paths = sorted(tmp_path.iterdir(), reverse=True)
    for given_ in (tmp_path, str(tmp_path), paths, {name: tmp_path / f"{name}.csv" for name in texts}, pasted):
        merged = auctions.merge(given_)
        pd.testing.assert_frame_equal(merged.frame, frame)
        assert not len(merged.problems)


def test_where_students_have_folders_a_second_download_is_still_theirs(tmp_path):
    for seed, file in enumerate(["Ana/bids.csv", "Bruno/bids.csv", "Carla/bids (1).csv", "Dora/bids.csv"]):
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(play(seed).to_csv(), "utf-8")
    assert auctions.merge(tmp_path).frame["student"].unique().tolist() == ["Ana", "Bruno", "Carla", "Dora"]


def test_pasted_tables_without_names_are_numbered_and_one_after_another_in_order():
    merged = auctions.merge("".join(play(seed).to_csv() for seed in range(12)))
    assert [one.student for one in merged.hand_ins] == [str(n) for n in range(1, 13)]
    assert auctions.merge([TEXT, play(2).to_csv()]).frame["student"].unique().tolist() == ["1", "2"]


def test_a_merged_class_can_be_merged_again():
    merged = auctions.merge({"Ana": TEXT, "Bruno": play(2, left_open=2).to_csv()})
    again = auctions.merge(merged.frame.to_csv(index=False))
    pd.testing.assert_frame_equal(again.frame, merged.frame)
    assert not len(again.problems)


@given(st.lists(st.sampled_from(["Ana", "Ana (2)", "Ana (2) (2)", "Ana (3)", "Bo"]), min_size=2, max_size=9))
def test_nobody_shares_a_name_and_only_those_who_would_get_another_one(names):
    texts = [f"{name}\n{TEXT}" for name in names]
    merged = auctions.merge("\n\n".join(texts))
    there = [one.student for one in merged.hand_ins]
    assert len({*there}) == len(names) and {*names} <= {*there}
    assert all(any(name.startswith(own) for own in names) for name in there)
    assert (merged.summary["rounds"] == 4).all(), "a row a hand-in, and nobody's rounds added to another's"


def test_two_merged_classes_with_the_same_names_stay_apart():
    once = auctions.merge(f"Ana\n{play(1).to_csv()}\nAna\n{play(2).to_csv()}").frame.to_csv(index=False)
    merged = auctions.merge([once, once])
    assert merged.summary.index.tolist() == ["Ana", "Ana (2)", "Ana (2) (2)", "Ana (3)"]
    assert len(merged._drawn) == len(merged.bids) == 2 * sum(line.count(",person,bid,") for line in once.split("\n"))


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for seed, name in enumerate(["Ana_123_file", "Bruno_124_file"]):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bids.csv").write_text(play(seed).to_csv(), "utf-8")
    assert [one.student for one in auctions.merge(tmp_path).hand_ins] == ["Ana_123_file", "Bruno_124_file"]


def test_two_of_the_same_name_stay_two():
    merged = auctions.merge(f"Ana\n{play(1).to_csv()}\nAna\n{play(2).to_csv()}")
    assert merged.summary.index.tolist() == ["Ana", "Ana (2)"]


# Saved again by a spreadsheet


def saved(text, separator=",", comma=False, quoted=False, end="\n", extra="", columns=None, encoding="utf-8", lines=0):
    rows = [*csv.reader(io.StringIO(text))]
    if columns:
        rows = [[row[rows[0].index(name)] for name in columns] for row in rows]
    if comma:
        rows = [[re.sub(r"^(-?\d+)\.(\d+)$", r"\1,\2", cell) for cell in row] for row in rows]
    if extra:
        rows = [[cell, *row] for cell, row in zip(["my notes", *[extra] * len(rows)], rows, strict=False)]
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting).writerows(rows)
    return (out.getvalue() + (separator * 16 + end) * lines).encode(encoding)


MOVED = [*reversed(rounds_csv.COLUMNS)]
SAVED = {
    "semicolons and decimal commas": {"separator": ";", "comma": True},
    "decimal commas in quotes": {"comma": True},
    "with BOM": {"encoding": "utf-8-sig"},
    "Latin-1": {"encoding": "latin-1", "extra": "año"},
    "UTF-16 and tabs": {"encoding": "utf-16", "separator": "\t"},
    "CRLF": {"end": "\r\n"},
    "old line ends": {"end": "\r"},
    "all quoted": {"quoted": True},
    "empty rows": {"lines": 30},
    "a column added": {"extra": "what a bid; so much!"},
    "columns moved": {"columns": MOVED},
    "without what follows": {"columns": [name for name in rounds_csv.COLUMNS if name not in DERIVED]},
    "all of it": {
        "separator": ";", "comma": True, "quoted": True, "end": "\r\n", "lines": 9, "extra": "é", "columns": MOVED,
        "encoding": "utf-8-sig",
    },
}  # fmt: skip


@pytest.mark.parametrize("how", SAVED)
def test_what_a_spreadsheet_has_saved_again_is_read(tmp_path, how):
    text = play(3, rounds=6, left_open=1).to_csv()
    (tmp_path / "Ana.csv").write_bytes(saved(text, **SAVED[how]))
    merged = auctions.merge(tmp_path)
    assert not len(merged.problems)
    pd.testing.assert_frame_equal(merged.frame, auctions.merge({"Ana": text}).frame)


def test_rows_that_were_sorted_are_put_back_in_order():
    head, *rows = lines_of(TEXT)
    merged = auctions.merge({"Ana": "\n".join([head, *sorted(rows, key=lambda row: row.split(",")[4])])})
    assert not len(merged.problems)
    pd.testing.assert_frame_equal(merged.frame, auctions.merge({"Ana": TEXT}).frame)


# Damage


def damaged(text, line, column, cell):
    rows = [*csv.reader(io.StringIO(text))]
    before = rows[line - 1][rounds_csv.COLUMNS.index(column)]
    rows[line - 1][rounds_csv.COLUMNS.index(column)] = cell
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue(), before


@lru_cache
def read_whole(text):
    return auctions.merge({"Ana": text}).frame


def check_damage(text, damaged_text, line, column):
    merged = auctions.merge({"Ana": damaged_text, "Bruno": TEXT})
    problems = merged.problems[merged.problems["student"] == "Ana"]
    rows = [*csv.reader(io.StringIO(text))]
    place = int(rows[line - 1][0])
    mates = [n for n, row in enumerate(rows[1:], 2) if int(row[0]) == place]
    named = problems[problems["line"].notna() & problems["fault"].isna()]
    assert (line, column) in {*zip(named["line"], named["column"], strict=True)}
    assert {*problems["line"].dropna()} <= {*mates}, "no other round is touched"
    shown = lines_of(damaged_text)
    assert all(shown[p.line - 1] == p.row for p in problems.dropna(subset="line").itertuples())
    kept = merged.frame[merged.frame["student"] == "Ana"]
    lost = {*problems[problems["lost"]]["line"]}
    assert lost in (set(), {*mates}), "a round is lost as a whole, every line of it with its text, or not at all"
    assert len(kept) + len(lost) == len(rows) - 1
    whole_ = read_whole(text)
    others = kept["round"] != place
    expected = whole_[whole_["round"] != place].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept[others].reset_index(drop=True), expected)
    assert len(merged.frame[merged.frame["student"] == "Bruno"]) == 12


NONSENSE = st.one_of(
    st.sampled_from(["x", "#REF!", "nan", "inf", "-1", "1e400", "??", '"', "0,3,1", "=A1", "{}", "()", "-"]),
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Nd")), min_size=1, max_size=8),
)  # fmt: skip


@pytest.mark.long
@settings(max_examples=80)
@given(
    st.sampled_from([play(n, 3, *FORMATS[kind]).to_csv() for n, kind in enumerate(FORMATS)]),
    st.integers(2, 9), st.sampled_from(rounds_csv.COLUMNS), NONSENSE,
)  # fmt: skip
def test_a_damaged_cell_costs_its_round_at_most_and_is_named(text, line, column, cell):
    damaged_text, before = damaged(text, line, column, cell)
    assume(cell.strip() and cell.strip() != before)
    check_damage(text, damaged_text, line, column)


@pytest.mark.parametrize("cell", ["1e400", "-1e400"])
@pytest.mark.parametrize("column", [column for column in rounds_csv.COLUMNS if column not in ("strategy", "status")])
def test_a_number_larger_than_floats_is_named(column, cell):
    text = play(0, 3, *FORMATS["first price"]).to_csv()
    check_damage(text, damaged(text, 2, column, cell)[0], 2, column)


@pytest.mark.parametrize("values", [MeanOfSignals(), NoisySignals(2, 0, 10)])
@pytest.mark.parametrize("number", [-1, 0, 0.5, 99])
@pytest.mark.parametrize("line", range(2, 11))
def test_a_value_in_common_that_the_others_of_the_round_do_not_have_is_named(values, number, line):
    text = play(5, 3, second_price(), values).to_csv()
    check_damage(text, damaged(text, line, "worth", str(number))[0], line, "worth")


@settings(max_examples=40)
@given(st.integers(2, 13), st.sampled_from(["bid", "pays", "award"]), st.sampled_from([99999999, 0.5, 3, 61.25]))
def test_another_number_costs_its_round_where_it_contradicts_the_rest(line, column, number):
    damaged_text, before = damaged(TEXT, line, column, f"{number}")
    assume(before and float(before) != number)
    merged = auctions.merge({"Ana": damaged_text})
    mates = {n for n in range(2, 14) if (n - 2) // 3 == (line - 2) // 3}
    assert {*merged.problems["line"]} <= mates
    assert len(merged.frame) + merged.problems["lost"].sum() == 12
    if column != "bid":  # a bid that loses all the same contradicts nothing
        assert merged.problems["lost"].sum() == 3


@pytest.mark.parametrize("column", ["round", "status", "type", "bid", "award", "pays", "format", "values"])
@pytest.mark.parametrize("line", [2, 3, 7])
def test_an_emptied_cell_is_damage_too(column, line):
    text = play(8, 3, all_pay(), uniform()).to_csv()
    assert "no bid" not in text and "timed out" not in text
    check_damage(text, damaged(text, line, column, "")[0], line, column)


@pytest.mark.parametrize(("line", "cell"), [(2, "2"), (4, "3"), (6, "3"), (8, "2"), (13, "1")])
def test_a_round_s_number_that_is_another_one_s_costs_its_own_round_alone(line, cell):
    text = play(8, 4).to_csv()
    damaged_text, before = damaged(text, line, "round", cell)
    assert before != cell
    check_damage(text, damaged_text, line, "round")


def test_a_quote_that_is_not_closed_costs_its_round_and_not_the_rest_of_the_file():
    rows = lines_of(TEXT)
    rows[4] = rows[4].replace("equilibrium", '"equilibrium').replace("person", '"person')
    merged = auctions.merge({"Ana": "\n".join(rows)})
    assert len(merged.frame) == 9
    assert merged.problems["row"].tolist() == rows[4:7]


def test_a_line_that_is_gone_costs_its_round():
    rows = lines_of(TEXT)
    merged = auctions.merge({"Ana": "\n".join(rows[:5] + rows[6:])})
    assert len(merged.frame) == 9 and merged.frame["round"].unique().tolist() == [1, 3, 4]
    assert "bidder 1 of round 2 is missing" in {*merged.problems["problem"]}


def test_a_damaged_name_of_a_column_is_taken_for_the_one_that_lacks():
    merged = auctions.merge({"Ana": TEXT.replace("award", "awrd", 1)})
    assert len(merged.frame) == 12


def test_what_follows_from_the_bids_is_worked_out_again_and_costs_nothing():
    text, _before = damaged(TEXT, 2, "best_gains", "9999")
    merged = auctions.merge({"Ana": text})
    assert len(merged.frame) == 12
    (problem,) = merged.problems.itertuples()
    assert (problem.line, problem.column, problem.lost) == (2, "best_gains", False)
    assert "which is taken" in problem.problem
    pd.testing.assert_frame_equal(merged.frame, auctions.merge({"Ana": TEXT}).frame)


def test_a_type_that_is_never_drawn_is_refused():
    merged = auctions.merge({"Ana": damaged(damaged(TEXT, 3, "type", "2370")[0], 3, "worth", "2370")[0]})
    (cause,) = merged.problems[merged.problems["fault"].isna()].itertuples()
    assert (cause.line, cause.column, cause.problem) == (3, "type", "it lies between 0 and 100")


# Files without a table


NO_TABLE = {
    "a notebook": ('{"cells": [{"cell_type": "code"}],\n "nbformat": 4}', "it is a notebook"),
    "an empty file": ("", "it is empty"),
    "a text": ("Dear teacher,\nmy dog has eaten it.\n", "it is no table of rounds"),
    "the codebook": (rounds_csv.codebook(), "it is the codebook"),
    "a table of something else": ("name,mark\nAna,7\n", "it is no table of rounds"),
    "the header alone": (TEXT.split("\n")[0] + "\n", "there are no rows"),
    "columns that lack": (saved(TEXT, columns=["round", "bidder", "status", "type", "bid"]).decode(), "are missing: "),
}


@pytest.mark.parametrize("what", NO_TABLE)
def test_what_is_no_table_is_said_in_clear_words_and_the_others_are_read(tmp_path, what):
    text, words = NO_TABLE[what]
    (tmp_path / "Ana.csv").write_text(TEXT, "utf-8")
    (tmp_path / "Bruno.csv").write_text(text, "utf-8")
    merged = auctions.merge(tmp_path)
    assert len(merged.frame) == 12
    assert merged.problems["student"].unique().tolist() == ["Bruno"]
    assert words in merged.problems["problem"].iloc[0]
    assert merged.summary.loc["Bruno", "rounds"] == 0
    assert {*merged.problems["row"]} >= {*lines_of(text)} or what not in (
        "columns that lack",
        "the header alone",
    )


def test_files_of_other_programs_are_named(tmp_path):
    (tmp_path / "Ana.xlsx").write_bytes(b"PK\x03\x04\x14\x00\xff")
    (tmp_path / "Bruno.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (tmp_path / ".hidden").write_bytes(b"\x00")
    problems = auctions.merge(tmp_path).problems
    assert problems["student"].tolist() == ["Ana", "Bruno"]
    assert "save it as CSV" in problems["problem"][0] and "it is no text" in problems["problem"][1]


def test_where_there_is_nothing_to_read_it_is_said_at_once(tmp_path):
    with pytest.raises(ParseError, match="is empty: the CSV files"):
        auctions.merge(tmp_path)
    with pytest.raises(ParseError, match="nothing was handed in"):
        auctions.merge({})
    with pytest.raises(FileNotFoundError):
        auctions.merge(tmp_path / "no such folder")


@settings(max_examples=40)
@given(st.text(max_size=200) | st.binary(max_size=200))
def test_whatever_is_handed_in_merging_does_not_fail(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "any.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
    assert len(auctions.merge(path.parent).problems) >= 1


@settings(max_examples=40)
@given(st.integers(0, 1500), st.integers(0, 60), st.text(max_size=30))
def test_of_a_text_with_a_hole_every_line_is_a_row_or_a_problem(at, length, filling):
    text = TEXT[:at] + filling + TEXT[at + length :]
    merged = auctions.merge({"Ana": text})
    there = [line for line in re.split(r"\r\n|\r|\n", text) if line.strip(',; \t"')]
    lost = int(merged.problems["lost"].sum())
    assert len(merged.frame) + lost >= len(there) - 1 - len(re.findall("round,bidder", text))


# Unusual next to the others


def test_the_same_rounds_twice_are_named_and_kept():
    merged = auctions.merge({"Ana": TEXT, "Bruno": play(2).to_csv(), "Carla": TEXT})
    (problem,) = merged.problems.itertuples()
    assert problem.student == "Carla" and "the same rounds as Ana" in problem.problem and not problem.lost
    assert len(merged.frame) == 36


def test_another_game_is_named_and_kept_and_the_chart_leaves_it_out():
    other = {
        "Dora": play(4, format=second_price()),
        "Eva": play(5, values=uniform(0, 50)),
        "Flor": play(6, opponents=["naive"]),
    }
    same = {name: play(seed) for seed, name in enumerate(["Ana", "Bruno"])}
    merged = auctions.merge({name: game.to_csv() for name, game in (same | other).items()})
    assert merged.problems["student"].tolist() == ["Dora", "Eva", "Flor"]
    assert not merged.problems["lost"].any()
    assert merged.frame["student"].nunique() == 5
    assert merged.game.bidders == 3 and merged.game.format == "auctions.Format()"
    drawn = sum(len(rows) for rows in data_of(merged.chart(), "bid"))
    ours = merged.bids["student"].isin(["Ana", "Bruno"])
    assert drawn == ours.sum() < len(merged.bids)
    assert f"{(~ours).sum()} bids in other games are left out" in merged.chart().title.subtitle


# Results computed from the files


def test_the_summary_adds_up_what_each_student_did():
    games = {"Ana": play(1, 8, share=1.0), "Bruno": play(2, 8, left_open=3, share=0.5)}
    summary = auctions.merge({name: game.to_csv() for name, game in games.items()}).summary
    for name, game in games.items():
        bids = [(r.types[0], r.bids[0]) for r in game.rounds if r.bids and r.bids[0] is not None]
        row = summary.loc[name]
        assert (row["rounds"], row["bids"]) == (game.played, len(bids))
        assert row["gains"] == pytest.approx(game.balance)
        assert row["missed"] == pytest.approx(sum(game.missed(n) for n in range(game.played)))
        assert row["share"] == pytest.approx(sum(b for _v, b in bids) / sum(v for v, _b in bids))
        assert row["above"] == pytest.approx(np.mean([b - 2 / 3 * v for v, b in bids]), abs=1e-6), (
            "b(v) = 2/3 v among three"
        )


def test_the_theory_is_that_of_each_student_s_own_game():
    merged = auctions.merge({"Ana": TEXT, "Bruno": play(2, format=second_price()).to_csv()})
    bids = merged.bids.set_index("student")
    assert bids.loc["Ana", "theory"].to_numpy() == pytest.approx(bids.loc["Ana", "type"].to_numpy() * 2 / 3, abs=1e-4)
    assert bids.loc["Bruno", "theory"].to_numpy() == pytest.approx(bids.loc["Bruno", "type"].to_numpy(), abs=1e-4)


def test_thirty_files_are_read_and_each_format_and_distribution_is_made_but_once(monkeypatch):
    """This makes it fast: some 0.6 s for 30 files of 10 rounds; otherwise each of 900 rows would call SciPy."""
    asked = []
    monkeypatch.setattr(rounds_csv, "read_spelled", lambda text: asked.append(text) or read_spelled(text))
    _made.cache_clear()
    merged = auctions.merge({f"student {n}": play(n, 10).to_csv() for n in range(30)})
    assert len(merged.frame) == 900 and not len(merged.problems) and len(merged.summary) == 30
    assert len(asked) <= 4, "the format and the values, as it is read and once more for the equilibrium"


# The chart


def data_of(chart, column):
    """Return the rows of the chart's data that have a column."""
    return [rows for rows in chart.to_dict()["datasets"].values() if rows and column in rows[0]]


def shown(svg):
    return [node.text for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("}text") and node.text]


def test_the_chart_has_each_bid_the_means_with_their_errors_and_the_line_of_theory():
    merged = auctions.merge({str(n): play(n, 10).to_csv() for n in range(9)})
    chart = merged.chart()
    (bids,) = data_of(chart, "bid")
    assert sorted((row["type"], row["bid"]) for row in bids) == sorted(
        zip(merged.bids["type"], merged.bids["bid"], strict=True)
    )
    (means,) = data_of(chart, "students")
    groups = merged.bids.assign(group=(merged.bids["type"] / 100 * len(means)).astype(int)).groupby("group")
    for mean, (_group, part) in zip(means, groups, strict=True):
        own = [rows["bid"].mean() for _student, rows in part.groupby("student")]
        assert mean["students"] == len(own) and mean["y"] == pytest.approx(np.mean(own))
        error = np.std(own, ddof=1) / np.sqrt(len(own)) if len(own) > 1 else 0
        assert mean["high"] - mean["y"] == pytest.approx(error)
    (lines,) = data_of(chart, "line")
    theory = [row for row in lines if row["line"].startswith("theory")]
    assert len(theory) > 50 and all(row["y"] == pytest.approx(2 / 3 * row["type"], abs=1e-3) for row in theory)
    labels = shown(chart.to_svg())
    assert {"theory: the equilibrium", "the value itself", "a bid", "mean, and its standard error"} <= {*labels}


def test_marks_differ_by_shape_and_not_by_colour_alone():
    spec = auctions.merge({str(n): play(n).to_csv() for n in range(3)}).chart().to_dict()
    scales = [layer["encoding"]["shape"]["scale"] for layer in spec["layer"] if "shape" in layer.get("encoding", {})]
    assert scales and all(len({*scale["range"]}) == len(scale["domain"]) for scale in scales)


def test_a_slip_of_the_keyboard_does_not_flatten_the_chart():
    game = Experiment.begin(first_price(), uniform(0, 100), ["naive"], 3, 5).bid(10.0).bid(8000.0).bid(20.0)
    chart = auctions.merge({"Ana": game.to_csv()}).chart()
    assert chart.to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"][1] <= 120
    assert "a bid above the chart" in shown(chart.to_svg())
    assert [row["bid"] for row in data_of(chart, "bid")[0]] == [10, 8000, 20], "drawn at the edge, told as it is"


def test_where_no_equilibrium_is_known_the_chart_says_so():
    signals = MeanOfSignals()
    known, unknown = (
        auctions.merge({"Ana": play(1, format=format, values=signals, opponents=["naive"]).to_csv()})
        for format in (first_price(), first_price(reserve=0.1))
    )
    assert known.equilibrium is not None and "the signal itself" in shown(known.chart().to_svg())
    assert unknown.equilibrium is None and unknown.bids["theory"].isna().all()
    assert "no equilibrium is known here for this game" in unknown.chart().title.subtitle


def test_without_a_bid_there_is_no_chart_but_a_picture_that_says_why():
    merged = auctions.merge({"Ana": "nothing\nto read"})
    with pytest.raises(ValueError, match="no bid to draw"):
        merged.chart()
    assert merged.game is None and merged.equilibrium is None
    assert "it is no table of rounds" in merged._repr_html_()


def test_the_notebook_picture_counts_and_names_and_escapes():
    texts = {f"<b>{n}</b>": play(n).to_csv() for n in range(3)}
    texts["<b>2</b>"] = damaged(texts["<b>2</b>"], 2, "status", "<script>")[0]
    page = auctions.merge(texts)._repr_html_()
    assert "3 hand-ins" in page and "3 lines not read" in page and "&lt;script&gt;" in page
    assert "<script" not in page and "<b>2" not in page
    assert page.count("<tr>") == 2, "one cause, and not the lines that are lost with it"
    assert "<svg" in page and 'aria-label="What the class bid"' in page
    assert "var(--jp-ui-font-color1" in page, "the picture takes the colours of a dark page too"


def test_pictures_take_the_language_of_now(monkeypatch):
    class Bracketed(i18n.gettext.NullTranslations):
        def gettext(self, message):
            return f"⟦{message}⟧"

        def ngettext(self, one, many, n):
            return f"⟦{one if n == 1 else many}⟧"

    merged = auctions.merge({str(n): play(n).to_csv() for n in range(3)})
    monkeypatch.setattr(i18n, "_catalogue", Bracketed())
    words = [text for text in shown(merged.chart().to_svg()) if re.search("[a-z]", text)]
    assert words and all("⟦" in text for text in words)


def test_the_how_to_runs_as_it_stands(tmp_path, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "class-session.md").read_text("utf-8")
    for seed, name in enumerate(["Ana", "Bruno", "Carla"]):
        (tmp_path / "hand-ins").mkdir(exist_ok=True)
        (tmp_path / "hand-ins" / f"{name}.csv").write_text(play(seed).to_csv(), "utf-8")
    monkeypatch.chdir(tmp_path)
    names = {"display": lambda shown: None}
    for block in re.findall(r"```python\n(.*?)```", page, re.S):
        exec(compile(block, "class-session.md", "exec"), names)
    assert names["class_results"].frame["student"].nunique() == 3


# Handed in by mistake, or in another format


def notebook(*outputs):
    cells = [{"cell_type": "code", "source": ["game"], "outputs": [output]} for output in outputs]
    return json.dumps({"cells": cells, "nbformat": 4})


def stream(text):
    return {"output_type": "stream", "text": text.splitlines(keepends=True)}


def same_as(text, merged, name="Ana"):
    rows = merged.frame[merged.frame["student"] == name].reset_index(drop=True)
    pd.testing.assert_frame_equal(rows, auctions.merge({name: text}).frame)
    return True


def test_a_notebook_or_a_page_with_one_table_in_it_is_read():
    game = play(1)
    page = Game(game)._repr_html_()
    wide = {"data": {"text/plain": [repr(TEXT)]}}
    for content in (
        notebook(stream(TEXT)), notebook(stream(TEXT), wide), notebook({"data": {"text/html": [page]}}),
        f"<!DOCTYPE html>\n<html><body>{page}</body></html>", notebook(stream("hello\n" + TEXT + "\nbye\n")),
    ):  # fmt: skip
        merged = auctions.merge({"Ana": content})
        assert not len(merged.problems) and same_as(TEXT, merged)


def test_a_notebook_with_several_tables_or_none_says_so():
    several = auctions.merge({"Ana": notebook(stream(TEXT), stream(play(2).to_csv()))})
    assert "there are 2 tables" in several.problems["problem"][0] and not len(several.frame)
    for content in (notebook(), "<html><body>hello</body></html>"):
        assert "the rounds are needed" in auctions.merge({"Ana": content}).problems["problem"][0]


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_a_class_in_a_zip_is_its_students_and_nobody_else(tmp_path):
    names = ["Ana", "Bruno", "__carla", "José", "Dora"]
    texts = {name: play(seed).to_csv() for seed, name in enumerate(names)}
    packed = zipped({
        "class/Ana.csv": texts["Ana"], "class/Bruno/bids.csv": texts["Bruno"], "class/__carla.csv": texts["__carla"],
        "class/Jose\u0301.csv": texts["José"], "class/Dora.zip": zipped({"bids.csv": texts["Dora"]}),
        "__MACOSX/class/._Ana.csv": b"\0\5\x16\7\0", "class/.DS_Store": b"\0\0\0\1Bud1", "class/Thumbs.db": b"\xd0\xcf",
        "class/Eva.xlsx": zipped({"[Content_Types].xml": "", "xl/workbook.xml": ""}), "class/Flor.pdf": b"%PDF-1.7",
        "class/empty/": b"",
    })  # fmt: skip
    (tmp_path / "class.zip").write_bytes(packed)
    for given_ in (tmp_path / "class.zip", tmp_path, packed, {"": packed}, [tmp_path / "class.zip"]):
        merged = auctions.merge(given_)
        assert {one.student.rpartition("/")[2] for one in merged.hand_ins} == {*names, "Eva", "Flor"}
        assert merged.problems["problem"].str.contains("save").tolist() == [True, True]
        assert len(merged.frame) == 12 * len(names)


def test_no_file_of_a_folder_is_lost(tmp_path):
    files = {
        "Ana.csv": TEXT, "__ana.csv": play(2).to_csv(), ".bo.csv": play(3).to_csv(),
        "a/b/c/bids.csv": play(4).to_csv(),
        "notes.txt": "hello", "Ana.txt": play(5).to_csv(), "broken.zip": "PK\x03\x04", "._x": "words",
        "no extension": "",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "gone.csv").symlink_to(tmp_path / "nowhere.csv")
    merged = auctions.merge(tmp_path)
    assert len(merged.hand_ins) == len(files)  # without files of the operating system, with the one that is gone
    assert len(merged.frame) == 5 * 12
    assert {*merged.problems["student"]} == {"notes", "broken", "no extension", "gone"}


@given(st.binary(max_size=120), st.sampled_from(["a.csv", "b.zip", "c.ipynb"]))
def test_any_packed_bytes_are_named(content, name):
    merged = auctions.merge(zipped({name: content, "Ana.csv": TEXT}))
    assert same_as(TEXT, merged) and {one.student for one in merged.hand_ins} == {"Ana", name[0]}
    assert name[0] in {*merged.problems["student"]}


@pytest.mark.parametrize("name", ["García, Ana", "García; Ana", "Ruiz\xa0Pérez, José", "Ana", "O’Brien, Bo"])
def test_a_name_with_a_comma_above_a_pasted_table_is_a_name(name):
    merged = auctions.merge(f"{name}\n{TEXT}\n{name} Otra\n{play(2).to_csv()}")
    assert not len(merged.problems) and {*merged.summary.index} == {clean(name), clean(f"{name} Otra")}


DRESSES = st.fixed_dictionaries({
    "separator": st.sampled_from(",;\t|"), "comma": st.booleans(), "quoted": st.booleans(),
    "end": st.sampled_from(["\n", "\r\n", "\r"]), "lines": st.integers(0, 3),
    "encoding": st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]),
    "extra": st.sampled_from(["", "é", "notes; so many"]), "columns": st.sampled_from([None, MOVED]),
})  # fmt: skip


@settings(max_examples=30)
@given(
    game_texts,
    DRESSES,
    st.sampled_from([str.upper, str.title, lambda name: f" {name.replace('_', ' ')} "]),
    st.booleans(),
)
def test_a_table_in_any_dress_reads_equal(text, dress, case, said):
    code = dress["encoding"]
    head, end, rest = saved(text, **dress).decode(code).partition(dress["end"])
    head = dress["separator"].join(case(name) for name in head.split(dress["separator"]))
    head = (f"sep={dress['separator']}{end}" if said else "") + head
    merged = auctions.merge({"Ana": (head + end + rest).encode(code)})
    assert not len(merged.problems) and same_as(text, merged)


def test_a_whole_line_in_one_cell_is_taken_apart():
    head, *rows = lines_of(TEXT)
    for tail in ("", ";;;"):
        wrapped = "\n".join([head + tail, *('"' + row.replace('"', '""') + '"' + tail for row in rows)])
        assert same_as(TEXT, auctions.merge({"Ana": wrapped}))


def test_a_column_that_is_there_twice_is_named_unless_both_say_the_same():
    rows = [*csv.reader(io.StringIO(TEXT))]
    for other, read in (("5", False), (None, True)):
        out = io.StringIO()
        bid = rounds_csv.COLUMNS.index("bid")
        csv.writer(out).writerows([*row, row[bid] if n == 0 or other is None else other] for n, row in enumerate(rows))
        merged = auctions.merge({"Ana": out.getvalue()})
        assert bool(len(merged.frame)) is read and len(merged.problems) == (0 if read else 13)
        assert read or "2 columns bid" in merged.problems["problem"][0]


def with_thousands(text, mark, places=()):
    """Return the amounts of a file as a spreadsheet writes them with thousands, in those rows, or in all."""
    rows = [*csv.reader(io.StringIO(text))]
    for number, row in enumerate(rows[1:], 1):
        for column in rounds_csv.AMOUNTS:
            at = rounds_csv.COLUMNS.index(column)
            if row[at] and (not places or (number, column) in places):
                row[at] = f"{float(row[at]):,.10g}".translate(str.maketrans(",.", ",." if mark == "." else ".,"))
    out = io.StringIO()
    csv.writer(out, delimiter="," if mark == "." else ";").writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize("high", [1, 100, 10_000, 3_000_000])
def test_thousands_are_read_where_the_file_s_other_numbers_decide_it(high, mark):
    text = play(7, 10, values=uniform(0, high)).to_csv()
    merged = auctions.merge({"Ana": with_thousands(text, mark)})
    assert not len(merged.problems) and same_as(text, merged)


def test_a_number_that_can_be_read_in_two_ways_is_a_problem_and_never_a_guess():
    game = Experiment.begin(first_price(), uniform(0, 10_000), ["naive"], 3, 5).bid(1234.0).bid(20.0).bid(30.0)
    text = game.to_csv()
    merged = auctions.merge({"Ana": with_thousands(text, ".", {(1, "bid")})})
    (cause,) = merged.problems[merged.problems["fault"].isna()].itertuples()
    assert (cause.line, cause.column) == (2, "bid") and "1234 or 1.2340" in cause.problem
    assert merged.frame["round"].unique().tolist() == [2, 3]


@pytest.mark.parametrize("cell", ["01. Feb", "#NAME?", "2-may"])
def test_what_a_spreadsheet_has_made_of_a_cell_is_said(cell):
    text, _before = damaged(TEXT, 2, "type", cell)
    (cause,) = (problems := auctions.merge({"Ana": text}).problems)[problems["fault"].isna()].itertuples()
    assert "a spreadsheet" in cause.problem and cause.column == "type"


# A class of any size


def test_a_chart_of_thousands_of_bids_gathers_them_and_says_so():
    rng = np.random.default_rng(1)
    n = 12_000
    types = rng.uniform(0, 100, n)
    bids = pd.DataFrame({"student": np.arange(n) // 30, "type": types, "bid": types * rng.uniform(0.3, 1, n)})
    bids.loc[5, "bid"] = 10_000
    chart = lab_charts.class_bids(bids, uniform(0, 100), None)
    (marks,) = data_of(chart, "bid")
    assert len(marks) < 1_500 and sum(row["bids"] for row in marks) == n
    means = sum(row["type"] * row["bids"] for row in marks) / n
    assert means == pytest.approx(types.mean())
    most = max(row["bids"] for row in marks)
    assert any(f"up to {most} bids" in line for line in chart.title.subtitle)
    assert "bids above the chart" in shown(chart.to_svg()) and f"{n} bids" in chart.title.subtitle[0]


def test_no_chart_of_ours_has_a_limit_of_rows():
    many = pd.DataFrame({"x": range(6_000), "y": range(6_000)})
    chart = charts.Chart(many).mark_point().encode(x="x", y="y")
    assert len(data_of(chart + chart, "x")[0]) == 6_000
    assert charts.alt.data_transformers.active == "default" and not charts.alt.data_transformers.options


def test_the_page_of_a_large_class_shows_some_problems_and_counts_the_others():
    text = play(1, 2).to_csv().replace("person,bid", "person,bit", 1)
    page = auctions.merge({f"student {n}": text for n in range(60)})._repr_html_()
    assert "107 more" in page  # one cause for each file, and that its rounds are the same as the first one's
    assert page.count("<tr>") == 13 and len(page) < 60_000
