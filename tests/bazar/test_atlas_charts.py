"""The pictures of the atlas (BZ-47): they show the frame's own numbers, readable in both languages."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.drawn import names, subtitle, texts
from tradekit import bazar
from tradekit.bazar import COLOURS, atlas_charts

CHARTS = [atlas_charts.pairs, atlas_charts.wares, atlas_charts.first_moves]


@pytest.fixture(scope="module")
def frame():
    return bazar.atlas()


def of_pair(frame, card, other):
    return frame[(frame["card"] == card) & (frame["other"] == other)]


def layers(chart):
    """Yield each layer, and the data that it draws, after its filter."""
    spec = chart.to_dict()
    for layer in spec["layer"]:
        data = spec["datasets"][(layer.get("data") or spec["data"])["name"]]
        for step in layer.get("transform", []):
            field, value = re.fullmatch(r"\(datum\.(\w+) === '(\w+)'\)", step["filter"]).groups()
            data = [row for row in data if row[field] == value]
        yield layer, data


# Readable


@pytest.mark.parametrize("left", [None, 0])
@pytest.mark.parametrize("draw", CHARTS)
@pytest.mark.parametrize("part", ["all", "a pair"])
def test_fits_480_pixels(frame, draw, left, part):
    svg = draw(frame if part == "all" else of_pair(frame, 5, 6), left).to_svg()
    assert float(ElementTree.fromstring(svg).get("width")) <= 480


@pytest.mark.parametrize("draw", CHARTS)
def test_fits_480_pixels_in_spanish_and_says_nothing_in_english(frame, draw, spanish):
    chart = draw(frame, 0)
    assert float(ElementTree.fromstring(chart.to_svg()).get("width")) <= 480
    shown = " ".join(texts(chart))
    assert not re.search(r"\b(turns|cards?|wares?|best|stone|pairs|left)\b", shown), shown


# Rich pairs


@pytest.mark.parametrize(("left", "turns"), [(None, "turns"), (0, "turns_0")])
def test_every_pair_has_its_number_and_the_ends_are_framed_in_two_ways(frame, left, turns):
    means = frame.groupby(["card", "other"])[turns].mean()
    chart = atlas_charts.pairs(frame, left)
    shown = texts(chart)
    for number in {f"{mean:.1f}" for mean in means}:
        assert shown.count(number) >= sum(f"{mean:.1f}" == number for mean in means)
    said = {f"cards {card} and {other}, {mean:.2f} turns" for (card, other), mean in means.items()}
    assert said <= set(names(chart))
    _cells, _numbers, (solid, richest), (dashed, poorest) = layers(chart)
    assert solid["mark"]["strokeDash"] != dashed["mark"]["strokeDash"]
    for (framed,), extreme in ((richest, means.idxmin()), (poorest, means.idxmax())):
        assert (framed["card"], framed["other"]) == extreme
        assert "cards {} and {}, {:.2f} turns".format(*extreme, means[extreme]) in subtitle(chart)


def test_of_pairs_that_tie_the_first_is_framed_whatever_the_last_bits(frame):
    """A mean's last bits depend on the machine; the picture must not."""
    some = frame[frame["card"] <= 2].copy()
    some["turns"] = 4 + 1e-12 * (some["other"] == 9) - 1e-12 * (some["other"] == 7)
    assert "richest" not in subtitle(atlas_charts.pairs(some)), "they are all alike"
    first = min(some["ware"])
    said = subtitle(atlas_charts.wares(some))
    assert f"easiest: {first}, 4.00 turns; hardest: {first}, 4.00 turns" in said
    some["turns"] += some["card"] - 1
    said = subtitle(atlas_charts.pairs(some))
    assert "richest (framed): cards 1 and 2, 4.00 turns; poorest (dashed): cards 2 and 3, 5.00 turns" in said


def test_a_single_pair_is_neither_rich_nor_poor(frame):
    assert "richest" not in subtitle(atlas_charts.pairs(of_pair(frame, 1, 4)))


# Hard wares


@pytest.mark.parametrize(("left", "turns"), [(None, "turns"), (0, "turns_0")])
def test_every_ware_has_a_stroke_in_the_row_of_its_shape_and_the_ends_are_named(frame, left, turns):
    means = frame.groupby("ware")[turns].mean()
    chart = atlas_charts.wares(frame, left)
    assert {f"{ware}, {mean:.2f} turns" for ware, mean in means.items()} <= set(names(chart))
    strokes, diamonds, easiest, hardest = (data for _layer, data in layers(chart))
    shown = texts(chart)
    shapes = {row["ware"]: row["shape"] for row in strokes}
    assert shapes["RWBGY"] == "1+1+1+1+1" and shapes["RRWBB"] == "2+2+1" and shapes["YYYYY"] == "5"
    assert len(shapes) == 126 and len(diamonds) == len(set(shapes.values())) == 7
    for row in easiest + hardest:
        alike = means[[ware for ware in shapes if shapes[ware] == row["shape"]]]
        assert row["ware"] in (alike.idxmin(), alike.idxmax())
        assert row["ware"] in shown
    assert f"easiest: {means.idxmin()}, {means.min():.2f} turns" in subtitle(chart)
    assert f"hardest: {means.idxmax()}, {means.max():.2f} turns" in subtitle(chart)


def test_the_sentence_says_which_pair_it_is(frame):
    for draw in (atlas_charts.wares, atlas_charts.first_moves):
        assert "cards 2 and 9" in subtitle(draw(of_pair(frame, 2, 9)))
        assert "cards" not in subtitle(draw(frame))


# The quality of the best first move


@pytest.mark.parametrize(("left", "end"), [(None, ""), (0, "_0")])
def test_parts_of_a_bar_are_what_the_frame_counts(frame, left, end):
    chart = atlas_charts.first_moves(frame, left)
    said = names(chart)
    _layer, bars = next(layers(chart))
    for colour in COLOURS:
        move, lead = frame[f"move_{colour}{end}"], frame[f"lead_{colour}{end}"]
        trade = (move != "roll") & (lead > 0)
        assert f"{colour} alone, best a trade: {trade.mean():.0%}, saves {lead[trade].mean():.2f} turns" in said
        assert f"{colour} alone, best equally good: {(lead == 0).mean():.0%}, saves 0.00 turns" in said
        roll = (move == "roll") & ~(lead == 0)
        assert f"{colour} alone, best a roll: {roll.mean():.0%}, saves {lead[roll].mean():.2f} turns" in said
        of_colour = [bar for bar in bars if bar["colour"] == colour]
        assert [bar["begin"] for bar in of_colour] == [0, *(bar["end"] for bar in of_colour[:-1])]
        assert of_colour[-1]["end"] == pytest.approx(1)
    stones = frame[[f"from_{colour}{end}" for colour in COLOURS]]
    assert f"saves {(stones.mean(axis=1) - stones.min(axis=1)).mean():.2f} turns over a rolled one" in subtitle(chart)


# Odd frames


@pytest.mark.parametrize("draw", CHARTS)
def test_what_cannot_be_made_certain_is_shown_as_such(frame, draw):
    some = of_pair(frame, 1, 4).copy()
    some.loc[some["ware"] == "RRRRR", ["turns", "mean", "worst", *(f"from_{colour}" for colour in COLOURS)]] = np.inf
    some.loc[some["ware"] == "RRRRR", [f"lead_{colour}" for colour in COLOURS]] = np.inf
    chart = draw(some)
    shown = " ".join([*texts(chart), *names(chart)])
    assert "nan" not in shown
    if draw is atlas_charts.pairs:
        assert "∞" in texts(chart)
    if draw is atlas_charts.wares:
        assert "1 ware is never certain" in subtitle(chart) and "RRRRR" not in texts(chart)
    if draw is atlas_charts.first_moves:
        assert "inf" not in shown


@pytest.mark.parametrize("draw", CHARTS)
def test_what_the_atlas_does_not_know_is_refused(frame, draw):
    with pytest.raises(
        ValueError, match=r"left=1: the atlas knows None, any number left, and 0, nothing left \(BZ-47\)"
    ):
        draw(frame, 1)
    with pytest.raises(ValueError, match=r"no row of the atlas is left; .* lower card .*\(BZ-47\)"):
        draw(of_pair(frame, 4, 1))
