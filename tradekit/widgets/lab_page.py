"""The laboratory's page: pure functions from its question and answer to HTML, a function a part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from tradekit.auctions import lab_charts
from tradekit.auctions.common import CommonEquilibrium
from tradekit.auctions.risk import CRRA
from tradekit.i18n import _, pgettext
from tradekit.show import html
from tradekit.show.html import element, fragment

if TYPE_CHECKING:
    from tradekit.widgets.lab import Lab


def write(lab: Lab) -> dict[str, str]:
    """The parts of the page, in its order."""
    parts: dict[str, Callable[[Lab], str]] = {
        "setting": setting,
        "bids": bids,
        "wins": wins,
        "type": chosen,
        "surplus": surplus,
        "revenue": revenue,
        "code": code,
    }
    return {name: part(lab) for name, part in parts.items()}


def setting(lab: Lab) -> Markup:
    """Write the controls: who bids for what, what it costs, and what it is worth to them."""
    from tradekit.widgets.lab import MOST_BIDDERS, PRIZES, RISKS

    question, format = lab.question, lab.question.format
    prizes = {",".join(f"{units:g}" for units in prizes): prizes for prizes in (*PRIZES, format.prizes)}
    risk = next(name for name, risk in RISKS.items() if type(risk) is type(question.risk))
    controls = [
        _slider(lab, "bidders", _("Bidders"), question.bidders, 2, MOST_BIDDERS, 1),
        _slider(lab, "loser_pays", _("Losers pay"), format.loser_pays, 0, 1, 0.05),
        _slider(lab, "reserve", _("Reserve"), format.reserve, 0, question.span[1], question.span[1] / 20),
        _list(lab, "prizes", _("Prizes"), _prizes(prizes), ",".join(f"{units:g}" for units in format.prizes)),
        _list(lab, "values", _("Values"), _shapes(question.shape == "own"), question.shape),
        _list(lab, "risk", _("Risk"), _risks(), risk),
    ]
    if question.risk:
        relative = isinstance(question.risk, CRRA)
        label, low, high, step = (_("exponent r"), 0.1, 1, 0.05) if relative else (_("aversion a"), 0.5, 10, 0.5)
        controls.append(_slider(lab, "degree", label, question.risk.degree, low, high, step))
    return html.heading(_("The auction")) + fragment(controls) + html.quiet(format.describe())


def chosen(lab: Lab) -> Markup:
    """One type: what it bids, wins and gains, by theory and as its like did in the simulation."""
    question, equilibrium, frame = lab.question, lab.answer.equilibrium, lab.answer.simulation
    v, (low, high) = question.value, question.span
    slider = _slider(lab, "value", _type(lab).capitalize(), v, low, high, (high - low) / 100)
    width = lab_charts.NEAR * (high - low)
    like = np.abs(frame["type"].to_numpy() - v) <= width
    bid, award, pays, gains, worth = (
        frame[column].to_numpy()[like] for column in ("bid", "award", "pays", "gains", "worth")
    )
    rows = [
        (pgettext("of a bidder", "bids"), equilibrium.bid(v), _mean(bid[~np.isnan(bid)])),
        (_("wins with chance"), equilibrium.wins(v), _mean(award > 0)),
        (_("wins units"), equilibrium.units(v), _mean(award)),
        (_("pays on average"), equilibrium.pays(v), _mean(pays)),
        (_("gains on average"), equilibrium.surplus(v), _mean(gains)),
    ]
    if question.format.prizes == (1,):
        del rows[2]
    curse = ""
    if isinstance(equilibrium, CommonEquilibrium):
        rows += [
            (_("worth by the signal alone"), equilibrium.naive(v), _mean(worth)),
            (_("worth if it wins"), equilibrium.break_even(v), _mean(worth[award > 0])),
        ]
        curse = element("p", _("The last two rows: who wins has the highest signal, and so has hoped for too much."))
    note = _("Simulation: the average of {n} bidders with a {type} within {width:.2g} of it.").format(
        n=like.sum(), type=_type(lab), width=width
    )
    silent = (
        "" if np.isfinite(rows[0][1]) else element("p", _("This type does not bid: less than the reserve asks for."))
    )
    return html.heading(_("One type")) + slider + silent + _table(rows) + curse + html.quiet(note)


def bids(lab: Lab) -> Markup:
    """The bid function, over what simulated bidders paid; for a value in common, what a prize seems to be worth."""
    equilibrium, v = lab.answer.equilibrium, lab.question.value
    picture = lab_charts.bids(equilibrium, lab.answer.simulation, v)
    bid = float(equilibrium.bid(v))
    says = _("does not bid") if np.isnan(bid) else _("bids {bid:.3g}").format(bid=bid)
    return _linked(picture, f"{_type(lab)} {v:.3g} {says}", _("the bid"))


def wins(lab: Lab) -> Markup:
    """Draw the probability of winning, by value."""
    v, equilibrium = lab.question.value, lab.answer.equilibrium
    picture = lab_charts.wins(equilibrium, lab.answer.simulation, v)
    says = _("wins with chance {chance:.3g}").format(chance=float(equilibrium.wins(v)))
    return _linked(picture, f"{_type(lab)} {v:.3g} {says}", _("theory"))


def surplus(lab: Lab) -> Markup:
    """Draw the expected profit, by value."""
    v, equilibrium = lab.question.value, lab.answer.equilibrium
    picture = lab_charts.surplus(equilibrium, lab.answer.simulation, v)
    says = _("gains {gain:.3g} on average").format(gain=float(equilibrium.surplus(v)))
    return _linked(picture, f"{_type(lab)} {v:.3g} {says}", _("theory"))


def revenue(lab: Lab) -> Markup:
    """Draw the revenue: the simulated auctions, with mean and standard deviation next to theory."""
    equilibrium, sums = lab.answer.equilibrium, lab.answer.revenues
    picture = lab_charts.revenue(equilibrium, lab.answer.simulation, lab.question.value)
    rows = [
        (_("mean"), equilibrium.revenue, float(sums.mean())),
        (_("spread"), equilibrium.revenue_sd, float(sums.std())),
    ]
    note = _(
        "Spread: the standard deviation. Full colour: auctions whose highest {type} is near {v:.3g}. "
        "Mean of {n} auctions: give or take {error:.2g}."
    ).format(type=_type(lab), v=lab.question.value, n=len(sums), error=float(sums.std()) / len(sums) ** 0.5)
    says = _("{title}: {mean:.3g} by theory, {found:.3g} in the simulation").format(
        title=picture.title, mean=rows[0][1], found=rows[0][2]
    )
    return html.heading(picture.title) + picture.svg(says) + html.row(picture.key()) + _table(rows) + html.quiet(note)


def code(lab: Lab) -> Markup:
    """The same in Python, to copy."""
    begin, copy, copied = "from scipy import stats; from tradekit import auctions; ", _("Copy"), _("Copied")
    try:
        numbers = lab.question.code()
    except ValueError as error:  # values that have no name in Python
        return html.heading(_("In Python")) + html.quiet(str(error))
    return (
        html.heading(_("In Python"))
        + html.code("answer", _("these numbers"), begin + numbers, copy, copied)
        + html.code("lab", _("this lab"), begin + repr(lab), copy, copied)
    )


def _type(lab: Lab) -> str:
    return _("value") if lab.question.values.private else _("signal")


def _linked(picture: lab_charts.Picture, says: str, line: str) -> Markup:
    """A picture over types, each place of which can be clicked; `line`: what its line shows."""
    svg = picture.svg(f"{picture.title}: {says}", choose=True)
    return fragment(html.heading(picture.title), element("div", svg, data_links="value"), html.row(picture.key(line)))


def _slider(lab: Lab, do: str, label: str, value: float, low: float, high: float, step: float) -> Markup:
    """A slider with its number, and what is wrong with what was typed there."""
    typed, message = lab.errors.get(do, ("", ""))
    control = html.slider(
        do, label, f"{value:.6g}", *(f"{n:.6g}" for n in (low, high, step)), typed=typed, wrong=bool(message)
    )
    return control + html.error(message)


def _list(lab: Lab, do: str, label: str, values: dict[str, str], chosen: str) -> Markup:
    """A list to pick from, and what is wrong with what was picked."""
    typed, message = lab.errors.get(do, (chosen, ""))
    return fragment(element("div", html.select(do, label, values, typed), class_="tk-pick"), html.error(message))


def _prizes(prizes: dict[str, tuple[float, ...]]) -> dict[str, str]:
    return {text: " + ".join(text.split(",")) for text in prizes}


def _shapes(own: bool) -> dict[str, str]:
    shapes = {
        "uniform": _("all equally likely"),
        "middling": _("mostly middling: Beta(2, 2)"),
        "low": _("mostly low: Beta(1, 3)"),
        "high": _("mostly high: Beta(3, 1)"),
        "exponential": _("exponential, cut off"),
        "common": _("in common: the mean of signals"),
    }
    return shapes | ({"own": _("your own")} if own else {})


def _risks() -> dict[str, str]:
    return {
        "neutral": _("neutral"),
        "CRRA": _("averse: utility x^r (CRRA)"),
        "CARA": _("averse: 1 − e^(−a x) (CARA)"),
    }


def _mean(found: Any) -> float:
    return float(found.mean()) if len(found) else np.nan


def _table(rows: list[tuple[str, Any, Any]]) -> Markup:
    """Theory beside simulation, row by row."""

    def shown(x: float) -> str:
        return f"{x:.3f}" if np.isfinite(x) else "–"

    lines = fragment(
        element(
            "tr",
            element("th", name, scope="row"),
            element("td", shown(theory), class_="tk-number"),
            element("td", shown(found), class_="tk-number"),
        )
        for name, theory, found in rows
    )
    head = fragment(element("th", _("theory"), scope="col"), element("th", _("simulation"), scope="col"))
    return element("table", element("thead", element("tr", element("td"), head)), element("tbody", lines))
