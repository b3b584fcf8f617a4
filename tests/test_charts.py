"""Charts that draw offline, stay so when combined, and leave Altair as it was."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pandas as pd
import pytest

from tradekit import auctions, bazar
from tradekit.bazar import Exchange
from tradekit.show import charts
from tradekit.show.axes import TRIANGLE, _outline

MIME = "application/vnd.vegalite.v5+json"
EXCHANGE = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
WARES = ["RWBGY", "GGGGG*"]


def bar():
    frame = pd.DataFrame({"a": ["x", "y"], "b": [1, 2], "c": ["u", "v"]})
    return charts.Chart(frame).mark_bar().encode(x="a:N", y="b:Q")


def grown(chart):
    chart += bar()
    return chart


def layers():
    chart = bar()
    return chart + chart.mark_rule()


COMBINATIONS = {
    "chart": bar,
    "+": lambda: bar() + bar(),
    "+=": lambda: grown(bar() + bar()),
    "|": lambda: bar() | bar(),
    "&": lambda: bar() & bar(),
    "facet": lambda: bar().facet("c:N"),
    "facet of layers": lambda: layers().facet("c:N"),
    "repeat": lambda: bar().encode(y=alt.Y(alt.repeat("row"), type="quantitative")).repeat(row=["b"]),
    "row of columns": lambda: (bar() & bar()) | bar(),
    "restyled": lambda: (bar() + bar()).properties(width=99).configure_axis(labelFontSize=20).interactive(),
}


@pytest.mark.parametrize("name", COMBINATIONS)
def test_shows_itself_as_vega_lite_5_and_as_a_picture(name):
    bundle = COMBINATIONS[name]()._repr_mimebundle_()
    assert set(bundle) == {MIME, "image/svg+xml", "text/plain"}
    assert bundle[MIME]["$schema"].endswith("/v5.json")
    picture = ElementTree.fromstring(bundle["image/svg+xml"])
    assert picture.tag.endswith("svg")
    assert picture.get("role") == "img"
    assert picture.get("aria-label")


def test_voila_gets_the_picture_alone(monkeypatch):
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.13")
    assert set(bar()._repr_mimebundle_()) == {"image/svg+xml", "text/plain"}


def test_the_user_s_own_settings_win_over_our_theme():
    spec = bar().configure_axis(labelFontSize=20).to_dict()
    assert spec["config"]["axis"]["labelFontSize"] == 20
    assert spec["config"]["axis"]["titleFontSize"] == 12
    assert "config" not in (bar() | bar()).to_dict()["hconcat"][0]


@pytest.mark.long
def test_saved_html_holds_all_it_needs(tmp_path):
    bar().save(tmp_path / "chart.html")
    page = (tmp_path / "chart.html").read_text("utf-8")
    assert "<script src=" not in page
    assert "cdn.jsdelivr" not in page.split("vegaEmbed", 1)[0][:2000]


@pytest.mark.long
def test_importing_and_drawing_changes_no_setting_of_altair():
    program = """
import altair as alt
def settings():
    return (alt.renderers.active, dict(alt.renderers.options), alt.theme.active, alt.data_transformers.active,
            alt.JupyterChart._is_offline, alt.Chart._repr_mimebundle_)
before = settings()
import tradekit
from tradekit import bazar
bazar.charts.picture(bazar.Exchange("R=WW"))._repr_mimebundle_()
bazar.explore("R=WW", wares=["RRWWB"])
assert settings() == before
"""
    subprocess.run([sys.executable, "-c", program], check=True)


FRONTIER = EXCHANGE.frontier("RRW", WARES)
OUTLOOK = EXCHANGE.outlook("RRW", WARES)
POLICY = EXCHANGE.solve("RWBGY", left=0)


@pytest.mark.parametrize(
    "chart",
    [
        lambda: bazar.charts.frontier(FRONTIER),
        lambda: bazar.charts.frontier(OUTLOOK, chosen=0),
        lambda: bazar.charts.heat_map(POLICY, "RRB", "R", "W"),
        lambda: bazar.charts.heat_map(Exchange("R=W").solve("BBGGY", left=0), "RRB", "B", "Y"),
        lambda: bazar.charts.picture(EXCHANGE),
        lambda: bazar.charts.picture(Exchange("R=WW")),
        lambda: bazar.charts.proof(EXCHANGE.proof("RRW", "GGGGG*", left=0)),
        lambda: bazar.charts.plays(POLICY.simulate("RR", 200, seed=1), POLICY.turns("RR"), 7),
        lambda: bazar.charts.plays(POLICY.simulate("RR", 200, seed=1), POLICY.turns("RR")),
    ],
)
def test_every_chart_of_ours_draws(chart):
    assert len(ElementTree.fromstring(chart().to_svg()).findall(".//{*}path")) > 3


def labels(svg):
    """Return the texts that a picture shows."""
    return [node.text for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("}text") and node.text]


def test_the_picture_of_an_exchange_names_every_equation_and_letters_every_stone():
    shown = labels(bazar.charts.picture(EXCHANGE).to_svg())
    assert {str(e) for e in EXCHANGE.equations} <= set(shown)
    assert sum(label in "RWBGY" for label in shown) == 10


def rows_of(layer, chart):
    """Return the data of a layer or panel of a chart."""
    return chart.to_dict()["datasets"][layer["data"]["name"]]


@pytest.mark.parametrize("exchange", [EXCHANGE, Exchange("R=WW")])
def test_the_lines_of_an_exchange_end_at_the_middle_of_the_sides_of_their_equation(exchange):
    chart = bazar.charts.picture(exchange)
    lines, grounds = (rows_of(chart.to_dict()["layer"][n], chart) for n in (0, 1))
    sides = [(ground[side], ground["y"]) for ground in grounds for side in ("left", "right")]
    assert {(line["x2"], line["y2"]) for line in lines} == {*sides}
    assert all(abs(line["x2"] - line["x"]) < 1 for line in lines), "before the label's middle, at 1"
    colours = [len({*side}) for e in exchange.equations for side in (str(e.left), str(e.right))]
    assert len(lines) == sum(colours)


def test_a_bar_of_the_proof_is_its_holdings_and_those_that_buy_are_a_part_of_it():
    frame = EXCHANGE.proof("RRW", "GGGGG*", left=0)
    chart = bazar.charts.proof(frame)
    parts = pd.DataFrame(rows_of(chart.to_dict()["layer"][0], chart))
    assert parts.groupby("turn")["part"].sum().tolist() == frame["holdings"].tolist()
    assert parts[parts["kind"] == "buys"]["part"].tolist() == frame["buying"].tolist()
    buying = int(frame["buying"].iloc[-1])
    assert ("1 buys" if buying == 1 else f"{buying} buy") in labels(chart.to_svg())


@pytest.mark.parametrize("shape", charts.MARKS)
def test_marks_of_one_size_are_of_like_area(shape):
    """By the outline that is drawn: two steps of an arc are a circle; the others' corners are joined by lines."""
    outline = _outline(shape, 400)
    steps = [
        (letter, [*map(float, re.findall(r"-?[\d.]+", rest))])
        for letter, rest in re.findall("([mlhv])([^mlhvz]+)", outline)
    ]
    if "a" in outline:
        area = np.pi * 10**2
    else:
        at, corners = np.zeros(2), []
        for letter, numbers in steps:
            at = at + {"h": [numbers[0], 0], "v": [0, numbers[0]]}.get(letter, numbers)
            corners.append(at)
        x, y = np.array(corners).T
        area = abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2
    assert 200 <= area <= 400
    assert shape != TRIANGLE or area > 240, "Vega's own has 173"


def test_a_number_stands_above_the_ring_of_every_mark_in_it():
    """Two wares can have the same place, and so one ring."""
    frame = FRONTIER.iloc[[0, 0]].assign(ware=["RWBGY", "RRWWB"])
    heights = {
        float(node.get("y"))
        for node in ElementTree.fromstring(bazar.charts.frontier_svg(frame, chosen=0)).iter()
        if node.get("font-size") == "11"
    }
    (without,) = {
        float(node.get("y"))
        for node in ElementTree.fromstring(bazar.charts.frontier_svg(frame)).iter()
        if node.get("font-size") == "11"
    }
    (lifted,) = heights
    assert without - lifted >= 4


def test_the_heat_map_shows_the_policy_s_turns_and_infinity_where_nothing_is_certain():
    assert f"{POLICY.turns('RRB'):.1f}" in labels(bazar.charts.heat_map(POLICY, "RRB", "R", "W").to_svg())
    hopeless = Exchange("R=W").solve("BBGGY", left=0)
    assert "∞" in labels(bazar.charts.heat_map(hopeless, "", "R", "W").to_svg())


def test_the_frontier_links_its_marks_to_rows_on_the_page_itself():
    svg = bazar.charts.frontier_svg(FRONTIER, chosen=0)
    links = ElementTree.fromstring(svg).findall(".//{*}a")
    assert [link.get("href") for link in links] == [f"#{row}" for row in range(len(FRONTIER))]
    assert [link.get("aria-label").split(",")[0] for link in links] == FRONTIER["ware"].tolist()


def test_the_fast_picture_is_the_chart():
    """Of marks, line and ring: the same places as Vega's, in the same order; and the same texts at the marks."""

    def numbers(text):
        return [*map(float, re.findall(r"-?[\d.]+", text))]

    def places(svg):
        nodes = [node for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("}path")]
        return [numbers(node.get("transform") or node.get("d").split("m")[0]) for node in nodes if is_mark(node)]

    def is_mark(node):
        return node.get("aria-roledescription") == "point" or re.match(r"M[-\d.,]+m", node.get("d"))

    def line(svg):
        (dashed,) = (node for node in ElementTree.fromstring(svg).iter() if node.get("stroke-dasharray") == "4,3")
        return absolute(dashed.get("d"))

    def absolute(path):
        """Return the corners of a path of M, L, H and V."""
        corners = [(0.0, 0.0)]
        for letter, rest in re.findall(r"([MLHV])([^MLHV]+)", path):
            x, y = corners[-1]
            at = numbers(rest)
            corners.append({"H": (at[0], y), "V": (x, at[0])}.get(letter, tuple(at)))
        return [corner for corner, last in zip(corners[1:], corners, strict=False) if corner != last]

    for frame in (FRONTIER, OUTLOOK):
        slow = bazar.charts.frontier(frame, chosen=1).properties(title="").to_svg()
        fast = bazar.charts.frontier_svg(frame, chosen=1)
        assert len(places(fast)) == len(frame) + 1
        assert np.allclose(places(fast), places(slow), atol=0.01)
        assert np.allclose(line(fast), line(slow), atol=0.01)
        best = frame if "best" not in frame else frame[frame["best"]]
        assert labels(fast)[-len(best) :] == best["left"].astype(str).tolist()


@pytest.mark.parametrize(("turns", "last", "step"), [(1, 5, 1), (9.5, 10, 1), (11, 14, 2), (21, 25, 5), (403, 400, 50)])
def test_the_axes_count_in_steps_of_one_two_or_five(turns, last, step):
    shown = labels(bazar.charts.frontier_svg(OUTLOOK.assign(turns=float(turns))))
    expected = [str(n) for n in range(0, last + 1, step)]
    assert shown[: len(expected)] == expected


def test_a_prediction_is_drawn_beside_the_truth_and_none_draws_no_mark():
    plays = POLICY.simulate("RR", 200, seed=1)
    assert "your prediction 7" in labels(bazar.charts.plays(plays, POLICY.turns("RR"), 7).to_svg())
    assert not any("prediction" in label for label in labels(bazar.charts.plays(plays, POLICY.turns("RR")).to_svg()))


# Auctions: the charts of the notebooks


def layers_of(chart):
    return chart.to_dict()["layer"]


def subtitle(chart):
    return chart.to_dict()["title"]["subtitle"]


def test_a_prediction_stands_beside_the_bid_function_and_none_is_said_to_be_none():
    equilibria = {f"{n} bidders": auctions.first_price().equilibrium(n, auctions.uniform()) for n in (2, 3)}
    without, not_yet, made = (
        auctions.charts.bid_function(equilibria, prediction=prediction)
        for prediction in (None, (0.5, None), (0.5, 0.0))
    )
    assert len(layers_of(without)) == len(layers_of(not_yet)) == len(layers_of(made)) - 1
    assert "prediction" not in subtitle(without)
    assert "no prediction of yours yet" in subtitle(not_yet)
    assert "your prediction" in subtitle(made)
    ElementTree.fromstring(made.to_svg())


def test_the_line_to_compare_with_is_left_out_where_a_curve_lies_on_it():
    first, second = (
        kind().equilibrium(3, auctions.uniform()) for kind in (auctions.first_price, auctions.second_price)
    )
    beside, upon = (
        auctions.charts.bid_function({"first": first}),
        auctions.charts.bid_function({"first": first, "second": second}),
    )
    assert subtitle(beside) == "thin line: the value itself"
    assert "itself" not in subtitle(upon)
    assert len(layers_of(upon)) == len(layers_of(beside)) - 1
    assert "strokeDash" not in layers_of(beside)[0]["mark"], "dashes are the curves'"


def test_simulated_bids_are_drawn_up_to_some_hundred_and_only_where_the_curve_is():
    format, signals = auctions.first_price(), auctions.NoisySignals(30, 0, 200)
    rounds = format.simulate("naive", signals, rounds=1000, bidders=3)
    curve = pd.DataFrame({"value": [50.0, 150.0], "bid": [20.0, 120.0]})
    chart = auctions.charts.bid_function(curve, rounds, signals=True)
    dots = layers_of(chart)[2]
    rows = chart.to_dict()["datasets"][dots["data"]["name"]]
    assert 0 < len(rows) <= 400
    assert all(50 <= row["value"] <= 150 for row in rows)


def test_a_slider_chooses_among_curves():
    shares = [0.0, 0.5, 1.0]
    curves = [auctions.losers_pay(a).equilibrium(3, auctions.uniform()).to_frame(11).assign(share=a) for a in shares]
    spec = auctions.charts.bid_function(pd.concat(curves), slider="share").to_dict()
    chosen, typed = spec["params"]
    assert typed["bind"]["input"] == "number" and typed["value"] == chosen["value"]
    assert chosen["value"] == 0.5
    assert (chosen["bind"]["min"], chosen["bind"]["max"], chosen["bind"]["step"]) == (0, 1, 0.5)


@pytest.mark.parametrize("first", ["auction", "losers pay"])
def test_revenue_with_its_spread_by_format_or_by_share(first):
    places = ["first price", "all-pay"] if first == "auction" else [0, 1]
    frame = pd.DataFrame({first: places, "revenue": [0.5, 0.5], "spread": [0.1, 0.4], "simulated": [0.51, 0.48]})
    made = auctions.charts.revenue(frame, prediction=[(places[0], 0.0), (places[1], None)])
    assert "your prediction" in subtitle(made)
    assert "no prediction of yours yet" in subtitle(auctions.charts.revenue(frame, prediction=[(places[0], None)]))
    assert "prediction" not in subtitle(auctions.charts.revenue(frame))
    several = pd.concat([frame.assign(bidders=who) for who in ("mind risk", "do not")])
    ElementTree.fromstring(auctions.charts.revenue(several).to_svg())
    assert set(frame) == {first, "revenue", "spread", "simulated"}, "the caller's frame stays as it was"
