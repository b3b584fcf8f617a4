"""The bidding game's page: pure functions from the game to HTML, a function a part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import numpy as np
from markupsafe import Markup

from tradekit.auctions import lab_charts, rounds_csv
from tradekit.auctions.experiment import Experiment, Status, names
from tradekit.i18n import _, ngettext
from tradekit.show import html
from tradekit.show.html import element

if TYPE_CHECKING:
    from tradekit.widgets.bidding import Game

_MINUS: Final = "−"


def write(game: Game) -> dict[str, str]:
    """The parts of the page, in its order; those that have nothing to say yet are empty."""
    parts: dict[str, Callable[[Game], str]] = {
        "round": bidding,
        "buttons": buttons,
        "news": news,
        "bids": who_bid_what,
        "picture": picture,
        "replay": replay,
        "payoff": payoff,
        "rounds": rounds,
        "end": end,
        "export": export,
    }
    return {name: part(game) for name, part in parts.items()}


def bidding(game: Game) -> Markup:
    """Write what is sold, what the person knows, and the field for the bid, or that the bid is in."""
    experiment = game.experiment
    n = experiment.current if game.uncovering is None else game.uncovering
    rivals = ", ".join(f"{name} ({_strategy(said)})" for name, said in zip(
        names(experiment.opponents)[1:], experiment.opponents, strict=True
    ))  # fmt: skip
    about = html.quiet(f"{experiment.format.describe()} {_('Against')} {rivals}.")
    balance = element("p", _("Balance"), ": ", element("strong", _amount(_balance(game))))
    if (game.over and game.uncovering is None) or n is None:
        return html.heading(_("All rounds are over") if game.live else _("A game that was read")) + about + balance
    heading = html.heading(_("Round {n} of {all}").format(n=n + 1, all=len(experiment.rounds)))
    known = _("Your value is {v}.") if experiment.values.private else _("Your signal is {v}.")
    knows = element("p", known.format(v=_amount(experiment.rounds[n].types[0])), class_="bg-known")
    if not game.bids_are_taken:
        return heading + about + knows + balance
    message = game.errors.get("bid", ("", ""))[1]
    field = html.field("amount", _("Your bid"), game.typed, hint=_("an amount"), wrong=bool(message), size=10)
    return heading + about + knows + html.row(field) + html.error(message) + balance


def buttons(game: Game) -> str:
    """Write the buttons of a round."""
    if game.bids_are_taken:
        return html.row(
            html.button("bid", "", _("Bid"), key="bid", kind="bg-main"),
            html.button("no_bid", "", _("Do not bid"), key="no_bid"),
        )
    if game.uncovering is None:
        return ""
    if _done(game):
        more = game.experiment.current is not None
        return html.row(
            html.button("next", "", _("Next round") if more else _("To the end"), key="next", kind="bg-main")
        )
    label = _("Uncover: {step}").format(step=_steps()[game.step])
    return html.row(
        html.button("uncover", "", label, key="uncover", kind="bg-main"),
        html.button("uncover_all", "", _("Uncover all"), key="uncover_all"),
    )


def news(game: Game) -> str:
    """Write what has just happened; screen readers read it out."""
    if game.uncovering is None:
        typed = game.typed.strip()
        return element("p", _("{amount} is typed. Press Bid to hand it in.").format(amount=typed)) if typed else ""
    a_round = game.experiment.rounds[game.uncovering]
    if game.step == 0:
        said = _bid_in_words(a_round.bids[0], a_round.status)
        return element("p", _("{said}. Nothing is uncovered yet.").format(said=said))
    return element("p", _("Uncovered: {step}.").format(step=_steps()[game.step - 1]))


def who_bid_what(game: Game) -> str:
    """The round under the cover: a column more a step."""
    if game.uncovering is None:
        return ""
    experiment, n, step = game.experiment, game.uncovering, game.step
    a_round, outcome = experiment.rounds[n], experiment.rounds[n].outcome
    assert outcome is not None
    columns: list[tuple[str, Sequence[str]]] = [
        (_("bidder"), names(experiment.opponents)),
        (_("strategy"), [_("a person"), *map(_strategy, experiment.opponents)]),
    ]
    if step >= 1:
        shown = zip(a_round.bids, a_round.statuses, strict=True)
        columns.append((_("bid"), [_shown(bid, status) for bid, status in shown]))
    if step >= 2:
        columns.append((_type(experiment), list(map(_amount, a_round.types))))
    if step >= 3 and experiment.rule:
        unit, line = experiment.unit, experiment.rule(np.array(a_round.types))
        line = np.round(line / unit) * unit
        columns.append((_("b(signal)") if not experiment.values.private else _("b(value)"), list(map(_amount, line))))
    if step >= 5:
        columns.append((_("wins"), [f"{units:g}" for units in outcome.awards]))
        columns.append((_("pays"), list(map(_amount, outcome.pays))))
        columns.append((_("gains"), [_amount(a_round.gains(bidder)) for bidder in range(experiment.bidders)]))
    says = ""
    if step >= 2 and not experiment.values.private:
        says += element("p", _("A unit was worth {worth} to everyone.").format(worth=_amount(a_round.worths[0])))
    if step >= 3 and not experiment.rule:
        says += html.quiet(_("No equilibrium is known here for this format and these values."))
    if step >= 4:
        says += element("p", _best_in_words(experiment, n))
    return html.heading(_("Who bid what")) + _table(columns) + says


def picture(game: Game) -> str:
    """Everyone's bid over what they knew, with the line b(v): from the third step on."""
    if game.uncovering is None or game.step < 3:
        return ""
    experiment, a_round = game.experiment, game.experiment.rounds[game.uncovering]
    entries = zip(a_round.types, a_round.bids, names(experiment.opponents), strict=True)
    points = [
        (v, bid, _("you") if bidder == 0 else _("the others"), name)
        for bidder, (v, bid, name) in enumerate(entries)
        if bid is not None
    ]
    return _over_types(experiment, points, _("The line and everyone's bid"))


def replay(game: Game) -> str:
    """Choose a round and another bid for it."""
    if not game.uncovered:
        return ""
    experiment, n = game.experiment, game.replayed
    tried = _tried(game)
    rounds = {str(k + 1): str(k + 1) for k in range(game.uncovered)}
    step = experiment.format.step or experiment.most / 100
    typed, message = game.errors.get("try", ("", ""))
    slider = html.slider(
        "try", _("Your bid"), f"{tried:.6g}", 0, f"{experiment.most:.6g}", f"{step:.6g}",
        typed=typed, wrong=bool(message),
    )  # fmt: skip
    return (
        html.heading(_("Bid a round again"))
        + html.row(html.select("replay", _("Round"), rounds, str(n + 1)))
        + slider
        + html.error(message)
        + html.quiet(_("The others' bids stay as they were."))
    )


def payoff(game: Game) -> str:
    """Draw the profit of every possible bid in that round."""
    if not game.uncovered:
        return ""
    experiment, n = game.experiment, game.replayed
    a_round, best, tried = experiment.rounds[n], experiment.best(n)[0], _tried(game)
    made, kinds = a_round.bids[0], (_("the best in hindsight"), _("your bid"))
    pairs = [(best, kinds[0]), (made, kinds[1])]
    marks = [(bid, experiment.payoff(n, bid), kind) for bid, kind in pairs if bid is not None]
    brings = experiment.payoff(n, tried)
    most = max(experiment.most, tried)
    chart = lab_charts.payoff(experiment.payoffs(n), most, marks, kinds, (tried, brings))
    ring = element("span", element("span", "◯", aria_hidden="true"), " ", _("tried"), class_="tk-key")
    says = _("Round {n}: a bid of {bid} would have gained {gain}.").format(
        n=n + 1, bid=_amount(tried), gain=_amount(brings)
    )
    return (
        html.heading(chart.title)
        + chart.svg(f"{chart.title}. {says} {_best_in_words(experiment, n)}")
        + html.row(chart.key() + ring)
        + element("p", says, " ", _best_in_words(experiment, n))
    )


def rounds(game: Game) -> str:
    """All rounds that are uncovered, and what their bids missed."""
    if not game.uncovered:
        return ""
    experiment, balance, columns = game.experiment, 0.0, []
    for n, a_round in enumerate(experiment.rounds[: game.uncovered]):
        balance += a_round.gains()
        best = experiment.best(n)[0]
        columns.append([
            str(n + 1), _amount(a_round.types[0]), _shown(a_round.bids[0], a_round.status),
            _("no bid") if best is None else _amount(best), _amount(a_round.gains()), _amount(experiment.missed(n)),
            _amount(balance),
        ])  # fmt: skip
    titles = [_("round"), _type(experiment), _("bid"), _("best bid"), _("gained"), _("missed"), _("balance")]
    missed = sum(experiment.missed(n) for n in range(game.uncovered))
    total = _("Gained {gained} in all, and missed {missed}.").format(gained=_amount(balance), missed=_amount(missed))
    open_ = len(experiment.rounds) - experiment.played
    still = ngettext("{n} round: not bid yet.", "{n} rounds: not bid yet.", open_)
    left = html.quiet(still) if open_ and not game.live else ""
    table = _table(list(zip(titles, zip(*columns, strict=True), strict=True)), first=0)
    return html.heading(_("Your rounds")) + table + element("p", total) + left


def end(game: Game) -> str:
    """At the end: all own bids over the line."""
    if not game.over or not game.uncovered:
        return ""
    return own_bids_part(game.experiment)


def own_bids_part(experiment: Experiment) -> Markup:
    """The picture of a person's own bids, with its heading and key."""
    points = [
        (r.types[0], r.bids[0], _("you"), str(n))
        for n, r in enumerate(experiment.rounds, 1)
        if r.bids and r.bids[0] is not None
    ]
    return _over_types(experiment, points, _("Your bids over the line"))


def export(game: Game) -> str:
    """The rounds as a file, with its codebook."""
    if not game.experiment.played:
        return ""
    text, book = game.to_csv(), rounds_csv.codebook()
    files = (("bids.csv", text, _("Download the rounds")), ("codebook.csv", book, _("Download the codebook")))
    links = [
        element("a", label, class_="bg-file", download=name, href=f"data:text/csv;charset=utf-8,{quote(content)}")
        for name, content, label in files
    ]
    line = "from tradekit.widgets import bidding; game = bidding.read(open('bids.csv').read()); game.to_frame()"
    return element(
        "details",
        element("summary", _("The rounds as a file")),
        html.row(*links),
        element("textarea", text, readonly=True, rows=6, aria_label=_("the rounds as CSV")),
        html.code("read", _("to read it again"), line, _("Copy"), _("Copied")),
    )


# Words


def _steps() -> list[str]:
    return [_("bids"), _("values"), _("the line b(v)"), _("the best reply"), _("payments")]


def _strategy(name: str) -> str:
    known = {
        "equilibrium": _("equilibrium"), "naive": _("naive"), "shading": _("bids half"), "recorded": _("recorded bids"),
        "function": _("a function"),
    }  # fmt: skip
    return known.get(name, name)


def _type(experiment: Experiment) -> str:
    return _("value") if experiment.values.private else _("signal")


def _status(status: Status) -> str:
    words = {Status.OPEN: _("not bid yet"), Status.BID: _("bid"), Status.NO_BID: _("no bid")}
    return words.get(status, _("timed out"))


def _shown(bid: float | None, status: Status) -> str:
    """A bid, or why there is none."""
    return _status(status) if bid is None else _amount(bid)


def _bid_in_words(bid: float | None, status: Status) -> str:
    return _("Your bid of {bid} is in").format(bid=_amount(bid)) if bid is not None else _("You did not bid")


def _best_in_words(experiment: Experiment, n: int) -> str:
    best, gains = experiment.best(n)
    if best is None:
        says = _("Best in hindsight: not to bid.")
    else:
        says = _("Best in hindsight: {bid}, which gains {gain}.").format(bid=_amount(best), gain=_amount(gains))
    return f"{says} {_('Missed: {missed}.').format(missed=_amount(experiment.missed(n)))}"


def _amount(x: float) -> str:
    """A number to read: no dust of binary fractions, a true minus, and "–" for none."""
    if not math.isfinite(x):
        return "–"
    return f"{round(x, 4) + 0.0:g}".replace("-", _MINUS)


# Helpers


def _done(game: Game) -> bool:
    return game.step == len(_steps())


def _balance(game: Game) -> float:
    """Return the profit so far, as far as it is uncovered."""
    return sum(a_round.gains() for a_round in game.experiment.rounds[: game.uncovered])


def _tried(game: Game) -> float:
    """The bid that is tried: the one made, the best one, or none worth anything, if nothing else was said."""
    made = game.experiment.rounds[game.replayed].bids[0]
    best = game.experiment.best(game.replayed)[0]
    return next(bid for bid in (game.tried, made, best, 0.0) if bid is not None)


def _over_types(experiment: Experiment, points: list[tuple[float, float, str, str]], title: str) -> Markup:
    chart = lab_charts.values_and_bids(points, experiment.values.span, experiment.rule, _type(experiment))
    says = "; ".join(f"{name}: {_amount(v)} → {_amount(bid)}" for v, bid, _kind, name in points)
    key = chart.key(_("the line b(v)") if experiment.rule else "")
    return html.heading(title) + chart.svg(f"{title}. {says}") + html.row(key)


def _table(columns: list[tuple[str, Sequence[str]]], first: int = 2) -> Markup:
    """A table by its columns; those from `first` on are numbers."""

    def line(tag: str, cells: Iterable[str], scope: str | None = None) -> Markup:
        numbers = (None, "tk-number")
        return element(
            "tr", [element(tag, cell, class_=numbers[n >= first], scope=scope) for n, cell in enumerate(cells)]
        )

    head = line("th", (title for title, _cells in columns), scope="col")
    body = [line("td", row) for row in zip(*(cells for _title, cells in columns), strict=True)]
    return element("table", element("thead", head), element("tbody", body))
