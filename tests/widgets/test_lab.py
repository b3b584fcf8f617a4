"""The laboratory without a browser: a message out for each one in, and faults that lose nothing."""

import asyncio
import re
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats

from tradekit import auctions, theme
from tradekit.auctions import (
    CARA,
    CRRA,
    Format,
    MeanOfSignals,
    Values,
    all_pay,
    first_price,
    lab_charts,
    losers_pay,
    second_price,
)
from tradekit.auctions.source_text import read, spell
from tradekit.show import axes
from tradekit.widgets.lab import PRIZES, ROUNDS, SHAPES, Lab, lab


@pytest.fixture
def bench(comms):
    """A lab of three bidders, its opening message forgotten."""
    bench = lab(bidders=3)
    comms.clear()
    return bench


@pytest.fixture
def say(talk_to, bench):
    return talk_to(bench)


def text(html):
    """Return the text that a person reads in a part."""
    return re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]+>", " ", html)).strip()


def test_shows_the_equilibrium_beside_the_simulation(bench):
    assert "bids 0.333" in text(bench.parts["type"])
    assert "wins with chance 0.250" in text(bench.parts["type"])
    assert "mean 0.500" in text(bench.parts["revenue"])
    sums = bench.answer.revenues
    assert len(sums) == ROUNDS
    assert f"{sums.mean():.3f}" in text(bench.parts["revenue"])
    assert sums.mean() == pytest.approx(0.5, abs=4 * sums.std() / ROUNDS**0.5)


@pytest.mark.parametrize(
    ("do", "value", "field", "now"),
    [
        ("bidders", "5", "bidders", 5),
        ("loser_pays", "0,5", "loser_pays", 0.5),
        ("reserve", "0.25", "reserve", 0.25),
        ("prizes", "2,1", "prizes", (2, 1)),
        ("risk", "CRRA", "risk", CRRA(0.5)),
        ("risk", "CARA", "risk", CARA(3.0)),
        ("values", "high", "values", SHAPES["high"]),
        ("value", "0.9", "value", 0.9),
    ],
)
def test_every_control_changes_its_part_of_the_question_and_all_pictures(bench, say, do, value, field, now):
    changed = say(do, value)
    owner = bench.question if hasattr(bench.question, field) else bench.question.format
    assert getattr(owner, field) == now
    assert {"bids", "surplus", "revenue", "type", "code"} <= changed  # the winner depends neither on shares nor on risk
    assert not bench.errors


def test_choosing_a_value_marks_it_everywhere_and_computes_nothing_again(bench, say):
    answer = bench.answer
    changed = say("value", "0.75")
    assert bench.answer is answer
    assert changed == {"type", "bids", "wins", "surplus", "revenue", "code"}
    assert "value 0.75 bids 0.5" in bench.parts["bids"]
    assert "value 0.75 wins with chance 0.562" in bench.parts["wins"]
    assert "value 0.75 gains 0.141" in bench.parts["surplus"]


def test_a_place_in_a_picture_is_a_value(bench, say):
    places = re.findall(r'<a href="#([^"]+)" tabindex="-1"', bench.parts["bids"])
    assert len(places) == 50
    say("value", places[10])
    assert bench.question.value == float(places[10]) == 0.21


def test_from_first_price_to_all_pay_revenue_stays_and_its_spread_does_not(bench, say):
    spread = []
    for share in ("0", "0.25", "0.5", "0.75", "1"):
        say("loser_pays", share)
        assert bench.answer.equilibrium.revenue == pytest.approx(0.5)
        spread.append(bench.answer.equilibrium.revenue_sd)
    assert spread == sorted(spread)


@pytest.mark.parametrize(
    ("do", "value", "message"),
    [
        ("bidders", "1", "1 bidders; 2 to 10 are shown here"),
        ("bidders", "11", "11 bidders; 2 to 10 are shown here"),
        ("bidders", "2.5", '"2.5" is no whole number'),
        ("loser_pays", "2", "loser_pays=2.0: must be between 0 and 1"),
        ("loser_pays", "half", '"half" is no number'),
        ("reserve", "-1", "reserve=-1.0: must be 0 or more"),
        ("reserve", "3", "nobody would bid"),
        ("value", "1.5", "a value of 1.5; they are from 0 to 1"),
    ],
)
def test_a_fault_stands_by_its_field_and_the_last_good_answer_stays(bench, say, do, value, message):
    question, before = bench.question, dict(bench.parts)
    changed = say(do, value)
    part = "type" if do == "value" else "setting"
    assert changed == {part}
    assert message in unescape(text(bench.parts[part]))
    assert 'aria-invalid="true"' in bench.parts[part], "the field still shows what was typed"
    assert f'value="{value}"' in bench.parts[part]
    assert bench.question == question
    say("value", "0.5")
    assert bench.parts == before, "the message goes when something right is done"


def test_what_has_no_known_equilibrium_is_said_by_the_control_that_asked_for_it(bench, say):
    say("loser_pays", "0.5")
    say("risk", "CRRA")
    assert "no equilibrium is known here for: CRRA where losers pay" in text(bench.parts["setting"])
    assert bench.question.risk is None
    say("risk", "CARA")
    say("degree", "5")
    assert bench.question.risk == CARA(5)
    say("prizes", "2,1")
    assert bench.question.format.prizes == (1,)
    assert "risk aversion with several prizes" in text(bench.parts["setting"])


def test_more_prizes_than_bidders_are_refused(bench, say):
    say("prizes", "2,1,1")
    say("bidders", "2")
    assert "3 prizes for 2 bidders" in text(bench.parts["setting"])
    assert bench.question.bidders == 3


def test_who_does_not_bid_is_shown_so(bench, say):
    say("reserve", "0.6")
    assert "This type does not bid" in bench.parts["type"]
    assert "wins with chance 0.000 0.000" in text(bench.parts["type"])
    assert "value 0.5 does not bid" in bench.parts["bids"]


def test_every_slider_has_a_number_field_beside_it_and_a_name(bench, say):
    say("risk", "CARA")
    page = bench.parts["setting"] + bench.parts["type"]
    sliders = re.findall(r'<label>([^<]+) <input type="range"[^>]* data-do="(\w+)"', page)
    assert [do for _label, do in sliders] == ["bidders", "loser_pays", "reserve", "degree", "value"]
    for label, do in sliders:
        assert re.search(rf'<input inputmode="decimal"[^>]* data-do="{do}"[^>]* aria-label="{label}: a number"', page)


@pytest.mark.parametrize(
    ("format", "options"),
    [
        (None, {}),
        (losers_pay(0.5, (2, 1)), {"bidders": 4, "values": "low", "value": 0.3, "seed": 5}),
        (all_pay(), {"risk": CARA(2)}),
        (second_price(), {"values": stats.beta(2, 5)}),
        (first_price(reserve=0.2), {"values": Values.of(stats.expon(), truncate=0.99), "risk": CRRA(0.5)}),
    ],
)
def test_repr_and_the_line_of_python_make_the_same_again(format, options):
    bench = lab(format, **options)
    names = {"auctions": auctions, "stats": stats, "lab": lab}
    again = eval(repr(bench).replace("auctions.lab", "lab"), names)
    assert repr(again) == repr(bench)
    assert again.answer.simulation.equals(bench.answer.simulation)
    exec(bench.question.code(), names)
    assert names["auction"].equals(bench.answer.simulation)
    assert names["equilibrium"].revenue == bench.answer.equilibrium.revenue


@pytest.mark.parametrize(
    ("values", "message"),
    [("round", "there are no values 'round'"), (stats.norm(), "values below 0"), (stats.poisson(3), "atoms")],
)
def test_values_that_cannot_be_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        lab(values=values)


# Text


@pytest.mark.parametrize(
    "thing",
    [Format(), Format((2, 1), 0.5, step=1, rounding="down", ties="rebid"), CRRA(0.3), CARA(2), auctions.MeanOfSignals(),
     auctions.NoisySignals(30, 1, 99)],
)  # fmt: skip
def test_what_is_spelled_can_be_read(thing):
    assert read(spell(thing)) == thing


@pytest.mark.parametrize(
    "text", ["1 +", "open('x')", "auctions.lab()", "stats.poisson(2)", "auctions.Format(prizes=open)"]
)
def test_nothing_else_is_evaluated(text):
    with pytest.raises(ValueError, match="cannot be read"):
        read(text)


def test_what_has_no_text_is_refused():
    with pytest.raises(ValueError, match="cannot be written down"):
        spell(object())


# Pictures


def test_pictures_have_the_librarys_numbers_and_a_mark_for_each_kind():
    format = losers_pay(0.5)
    equilibrium = format.equilibrium(3, auctions.uniform())
    frame = format.simulate(equilibrium, auctions.uniform(), 2000, bidders=3)
    bids = lab_charts.bids(equilibrium, frame, 0.5)
    for row in bids.data["line"]:
        assert row["y"] == pytest.approx(equilibrium.bid(row["x"]))
    won, _lost = bids.axes.kinds
    for row in bids.data["points"]:
        assert row["y"] == pytest.approx(equilibrium.bid(row["x"]) * (1 if row["kind"] == won else 0.5), abs=1e-6)
    for picture, column in ((lab_charts.wins, "award"), (lab_charts.surplus, "gains")):
        points = picture(equilibrium, frame).data["points"]
        whole = np.mean([row["y"] for row in points])
        assert whole == pytest.approx(frame[column].mean(), abs=0.02)
    revenue = lab_charts.revenue(equilibrium, frame, 0.9)
    theory, simulated = revenue.data["spread"]
    assert theory["x"] == equilibrium.revenue
    assert simulated["x"] == pytest.approx(frame["pays"].sum() / 2000)
    for picture in (bids, revenue):
        assert "mark" in str(picture.chart.to_dict())
        assert "image/svg+xml" in picture._repr_mimebundle_()
        svg = picture.svg("in words")
        assert 'role="img" aria-label="in words"' in svg
        assert theme.INK + '"' not in svg, "colours of the page, light or dark"


NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"


def numbers(pattern, text):
    """Return all the pairs, triples ... that a pattern finds, sorted."""
    return sorted(tuple(map(float, found)) for found in re.findall(pattern.replace("#", NUMBER), text))


def close(some, others):
    return len(some) == len(others) > 0 and np.allclose(some, others, atol=0.02)


def marks(svg, kind):
    """Return the marks of one kind, without legends, in a picture drawn by Vega."""
    groups = (g for g in ElementTree.fromstring(svg).iter() if f"mark-{kind} role-mark" in g.get("class", ""))
    return " ".join(f"{path.get('transform', '')} {path.get('d')}" for group in groups for path in group)


def test_the_fast_picture_is_the_chart():
    """A page's picture is drawn by us; it shows the marks that Vega draws of the Altair chart, at the same places."""
    for format, values in (
        (losers_pay(0.5, (2, 1), reserve=0.3), auctions.uniform()),
        (first_price(), MeanOfSignals()),
    ):
        equilibrium = format.equilibrium(3, values)
        frame = format.simulate(equilibrium, values, 300, bidders=3)
        for make in (lab_charts.bids, lab_charts.wins, lab_charts.surplus, lab_charts.revenue):
            picture = make(equilibrium, frame, 0.7)
            slow, fast = picture.chart.to_svg(), picture.svg()
            ours = fast[fast.rindex("<g transform=") :]
            assert close(numbers("M#,#m", ours), numbers(r"translate\(#, ?#\) M", marks(slow, "symbol"))), make
            if make is lab_charts.revenue:
                bars = numbers("M#,200V#H#V200Z", ours)
                theirs = numbers("M#,#h#v#", marks(slow, "rect"))
                assert close(bars, sorted((x, y, x + w) for x, y, w, h in theirs if h > 0))
            else:
                lines = " ".join(re.findall(r'd="(M[^"m]*)" fill="none"', ours))
                assert close(numbers("[ML]#,#", lines), numbers("[ML]#,#", marks(slow, "line"))), make


# A common value


def test_the_winners_curse_is_seen(bench, say):
    say("values", "common")
    assert bench.question.values == MeanOfSignals()
    equilibrium = bench.answer.equilibrium
    page = text(bench.parts["type"])
    assert "Signal" in page and "signal within 0.05" in page
    assert f"worth by the signal alone {equilibrium.naive(0.5):.3f}" in page  # 0.5: (0.5 + 1) / 3
    assert f"worth if it wins {equilibrium.break_even(0.5):.3f}" in page  # 0.333: 4/6 of 0.5
    assert "worth if it wins" in bench.parts["bids"] and "signal 0.5 bids 0.278" in bench.parts["bids"]
    assert bench.answer.revenues.mean() == pytest.approx(equilibrium.revenue, abs=0.02)
    won = bench.answer.simulation.query("award > 0")
    found = won["worth"][(won["type"] - 0.5).abs() < 0.05].mean()
    assert f"{found:.3f}" in page
    say("loser_pays", "1")
    assert bench.answer.equilibrium.revenue == pytest.approx(equilibrium.revenue)
    say("risk", "CARA")
    assert "no equilibrium is known here for: risk aversion and values in common" in text(bench.parts["setting"])
    say("values", "low")
    assert "Signal" not in text(bench.parts["type"])


def test_a_lab_of_signals_can_be_asked_for_and_says_what_is_not_known():
    assert repr(lab(values=MeanOfSignals())) == "auctions.lab(auctions.Format(), 3, 'common', value=0.5)"
    with pytest.raises(ValueError, match="where signals lie around a value"):
        lab(values=auctions.NoisySignals(30))


# Precomputed for the next question


def test_while_nobody_asks_the_axes_are_drawn_that_larger_prizes_need(comms, monkeypatch):
    drawn, asked, needed = [], [], []
    for prizes in PRIZES:  # of the pictures that a person may choose next
        format = first_price(prizes)
        equilibrium = format.equilibrium(5, auctions.uniform())
        frame = format.simulate(equilibrium, auctions.uniform(), 2000, bidders=5)
        pictures = [make(equilibrium, frame).axes for make in (lab_charts.bids, lab_charts.surplus)]
        needed += [axes.Axis(both.y, both.up) for both in pictures]
        taken = lab_charts.revenue(equilibrium, frame).axes
        needed.append(axes.Axis(taken.x, taken.across))
    monkeypatch.setattr("tradekit.widgets.background.IDLE", 0.01)
    monkeypatch.setattr("tradekit.widgets.background.PAUSE", 0.0)
    monkeypatch.setattr(axes.Canvas, "prepare", lambda _canvas, _scale, axis: drawn.append(axis))
    monkeypatch.setattr(Lab, "write", lambda self: asked.append(self.question) or {})

    async def work():
        bench = lab()
        await asyncio.sleep(0.1)
        assert set(needed) <= set(drawn)
        before = len(drawn)
        bench.receive("value", "0.3")
        await asyncio.sleep(0.1)
        assert len(drawn) == before, "each is drawn once"

    asyncio.run(work())
    assert len(drawn) == len(set(drawn))


def test_F1_the_lab_shows_bids_where_many_pay_and_mind_risk():
    bench = lab(all_pay(), bidders=9, values="high", risk=CARA(3.0), value=0.95)
    assert "mean 0.486" in text(bench.parts["revenue"])
    assert "bids 0.106" in text(bench.parts["type"])


def test_F1_a_refusal_is_words_and_no_numbers(comms, talk_to):
    with pytest.raises(ValueError, match="an English auction among three or more and values in common"):
        lab(auctions.english(), bidders=3, values="common")
    bench = lab(auctions.english(), bidders=2, values="common")
    say, before = talk_to(bench), dict(bench.parts)
    comms.clear()
    assert say("bidders", "3") == {"setting"}
    assert "an English auction among three or more and values in common" in text(bench.parts["setting"])
    assert bench.question.bidders == 2 and bench.parts["bids"] == before["bids"]


def test_F1_what_the_check_finds_stands_by_the_field(bench, say, monkeypatch):
    from tradekit.auctions import averse

    right = averse.by_payment
    monkeypatch.setattr(averse, "by_payment", lambda solved: lambda v: 0.7 * right(solved)(v))
    assert say("bidders", "7") == {"setting"}
    assert re.search("a bidder with value .* was to bid .*, and gains", text(bench.parts["setting"]))


def test_values_without_a_name_are_shown_without_code():
    law = stats.rv_histogram(([0.5, 0.5], [0, 0.2, 1]), density=False)
    bench = lab(first_price(), bidders=3, values=law)
    assert "cannot be written down" in text(bench.parts["code"])
    assert repr(bench).startswith("auctions.lab(auctions.Format(), 3, values")
