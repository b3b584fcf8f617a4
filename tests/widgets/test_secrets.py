"""The page, its log, hints and downloads: a seat's whole page does not depend on what the seat may not know.

Two games are compared in which a person has seen the same: from `View.sample`, from the last moves repeated with
another hidden one, and, for secrets of the screen alone (BZ-22, TU-6), from `State.alike`.
"""

import random
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.toy import Toy
from tradekit import Record, bazar, silk, turin
from tradekit.bots import Bot
from tradekit.game import CHANCE, random_moves
from tradekit.match import Match
from tradekit.testing.law import Run
from tradekit.testing.secrecy import retold
from tradekit.widgets.table import play
from tradekit.widgets.table_view import TableView


class First(Bot):
    name = "first"

    def choose(self, view, actions, rng):
        return next(iter(actions))


def page(comms, record, person, typed, hint=False):
    """Return all that the page shows a person, with typed text, a look back, and perhaps a hint."""
    seats = {seat: First() for seat in range(record.start.players) if seat != person} | {person: "me"}
    with TemporaryDirectory() as folder:  # so that the file, whose name the page shows, always has the same name
        table = play(record, seats, seed=1, file=Path(folder) / "game.txt")
        seen = [dict(table.parts)]
        for do, value in [*(("type", word) for word in typed), ("replay", "0"), ("back", ""), *[("hint", "")] * hint]:
            comms.browser_says(table, content={"do": do, "value": value})
            seen.append(dict(table.parts))
    assert all("data:text" not in part for parts in seen for part in parts.values()), "nothing to download yet"
    assert not hint or table.advice or table.errors.get("hint")
    return seen


class Seat(TableView):
    """The page of a seat, carried by nothing."""

    def show(self, parts):
        self.parts = parts


def seat_page(_comms, record, person, typed, _hint=False):
    """All that the page of a seat says, where the others are persons at pages of their own."""
    names = [f"player {seat}" for seat in range(record.start.players)]
    with TemporaryDirectory() as folder:
        match = Match(record, dict(enumerate(names)), seed=1, file=Path(folder) / "game.txt")
        views = [Seat(match, seat) for seat in range(len(names))]
        seen = [views[person].parts]
        for do, value in [*(("type", word) for word in typed), ("replay", "0"), ("back", "")]:
            for view in views:
                view.receive(do, value)
            seen.append(views[person].parts)
    assert all("data:text" not in part for parts in seen for part in parts.values()), "nothing to download yet"
    return seen


def same(one, other, where):
    """Assert that two pages are the same all along, or say which part of them is not."""
    for parts, others in zip(one, other, strict=True):
        for name, html in parts.items():
            assert html == others[name], f"{name}\n{where}"


def games(start, rng, chosen):
    """Yield some moments of a random game at which a person has the move, as (run, state, person)."""
    run = Run(type(start).game, start, rng)
    for state, actor, action in random_moves(start, rng):
        if actor != CHANCE and rng.random() < chosen:
            yield run, state, actor
        if action is not None:
            run.recent.append((state, (actor, action)))


def other_ways(run, state, person):
    """Yield pairs of records that look the same to that person, and in which the same bots have still to choose."""
    twin = state.view(person).sample(run.rng)
    if twin != state and twin.actors == state.actors:
        yield Record.begin(state), Record.begin(twin)
    for one, other in islice(retold(run, state, person), 2):
        if one.state() == state and other.state().actors == state.actors:
            yield one, other


STARTS = [
    ("toy", lambda seed: Toy(), 1, False),
    ("turin", lambda seed: turin.new(3, seed=seed), 0.3, True),
    ("turin with the goose", lambda seed: turin.new(4, seed=seed, goose="tie", selling="several"), 0.2, False),
    ("silk for two", lambda seed: silk.new(2, seed=seed), 0.2, True),
    ("silk", lambda seed: silk.new(4, seed=seed), 0.2, True),
]


@pytest.mark.long
@pytest.mark.parametrize("page", [page, seat_page])
@pytest.mark.parametrize(("start", "chosen", "hints"), [row[1:] for row in STARTS], ids=[row[0] for row in STARTS])
def test_the_page_of_a_person_is_the_same_whatever_is_hidden_from_it(comms, start, chosen, hints, page):
    compared = hinted = 0
    for seed in range(4):
        for run, state, person in games(start(seed), random.Random(seed), chosen):
            typed = [*run.rng.sample([*map(str, state.vocabulary())], 4), "no such action"]
            typed = [word for word in typed if state.why(word, person)]
            for one, other in islice(other_ways(run, state, person), 2):
                hint = hints and hinted < 3
                same(*(page(comms, record, person, typed, hint) for record in (one, other)), f"{one}\n{other}")
                compared += 1
                hinted += hint
            if compared > 12:
                break
    assert compared > 8


@pytest.mark.parametrize(
    "start",
    [
        lambda seed: bazar.new(2, seed=seed, hidden=True),
        lambda seed: bazar.new(3, seed=seed, hidden=True, double=True),
        lambda seed: turin.new(3, seed=seed, money="secret"),
    ],
    ids=["bazar for two", "bazar", "turin"],
)
def test_BZ_22_TU_6_the_page_is_the_same_whatever_a_screen_hides(comms, start):
    compared = 0
    for seed in range(3):
        for run, state, person in games(start(seed), random.Random(seed), 0.3):
            other = state.alike(run.rng, person)
            same_choice = other.actors == state.actors and [*other.actions(person)] == [*state.actions(person)]
            if other != state and same_choice:
                typed = [word for word in ("no such action", "buy 1", "bid 1000") if state.why(word, person)]
                same(
                    *(page(comms, Record.begin(start), person, typed) for start in (state, other)), f"{state}\n{other}"
                )
                compared += 1
            if compared > 12:
                break
    assert compared > 12


def test_the_error_of_a_bot_is_no_way_to_see_its_cards(comms, tmp_path, monkeypatch):
    """TU-6: the rules' messages to a bot, and a bot's own messages, may name the cards that it holds."""
    monkeypatch.chdir(tmp_path)

    class Careless(First):
        def choose(self, view, actions, rng):
            return "show 18" if "show 18" not in actions else "show 17"

    class Talking(First):
        def choose(self, view, actions, rng):
            raise LookupError(str(view))

    for bot in (Careless(), Talking()):
        table = play(turin.new(2, seed=3), {0: "me", 1: bot}, seed=3)
        shown = table.parts["news"]
        assert table.trouble and "first cannot move" in shown
        assert table.trouble.message not in shown and "hold" not in shown and "hands" not in shown
    table = play(bazar.new(2, seed=1, cards=(1, 4)), {0: Talking(), 1: Talking()}, seed=3)
    assert "hands=" in table.parts["news"], "where nothing is hidden, all of it is said"
