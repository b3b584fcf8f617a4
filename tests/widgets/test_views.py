"""One match, two pages: each is a seat's own. No widget is needed, nor a browser."""

import random
import re
from html import unescape

import pytest

from tests.toy import Toy
from tradekit import bazar, silk, turin
from tradekit.bots import Bot
from tradekit.match import Match
from tradekit.record import Record
from tradekit.widgets.table_view import SharedView, TableView


class Seat(TableView):
    """A seat's page; what it shows is kept."""

    def __init__(self, match, seat):
        self.history = []
        super().__init__(match, seat)

    def show(self, parts):
        self.history.append(parts)

    @property
    def parts(self):
        return self.history[-1]


class Screen(SharedView):
    """The page of one screen."""

    history = ()

    def show(self, parts):
        self.history = [*self.history, parts]

    parts = Seat.parts


class First(Bot):
    name = "first"

    def choose(self, view, actions, rng):
        return next(iter(actions))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def two(start, names=("Ana", "Bo"), **options):
    match = Match(start, dict(enumerate(names)), seed=7, **options)
    return match, Seat(match, 0), Seat(match, 1)


def open_bazar():
    return two(bazar.new(2, cards=(1, 4), seed=7))


def text(view, *parts):
    return unescape(re.sub(r"<[^>]+>", " ", " ".join(view.parts[part] for part in parts or view.parts)))


def clickable(view):
    return [unescape(action) for action in re.findall(r'data-do="act" data-value="([^"]+)"', view.parts["picture"])]


def test_a_move_in_one_redraws_the_other():
    match, ana, bo = open_bazar()
    assert clickable(ana) == ["roll"] and clickable(bo) == []
    for _move in range(40):
        me, other = (ana, bo) if match.awaited == [0] else (bo, ana)
        assert set(clickable(me)) == set(match.state.actions(match.awaited[0])) and not clickable(other)
        drawn = len(ana.history), len(bo.history)
        me.receive("act", clickable(me)[-1])
        assert (len(ana.history), len(bo.history)) == (drawn[0] + 1, drawn[1] + 1), "each is written once"
        assert ana.parts["moves"].count("<li") == bo.parts["moves"].count("<li") == match.place
        assert me.parts["moves"].count("You ") >= 1, "each is told of its own moves as such"
    assert ana.place > 40 and Record.load(match.file) == match.record


def test_nobody_moves_for_another():
    match, ana, bo = open_bazar()
    before, drawn = match.record, len(ana.history)
    for do in ("act", "type"):
        bo.receive(do, "roll")
        assert "it is not your turn" in text(bo, "news", "type")
    assert match.record is before and len(ana.history) == drawn
    assert not ana.errors, "what is wrong in one page is said on that page"


def test_a_click_on_what_the_other_has_changed_meanwhile_is_not_done():
    match, ana, bo = two(Toy())
    at = ana.moments.now
    bo.receive("act", "bid 1")
    ana.receive("act", "bid 2", at, click=True)
    assert match.state.bids[0] == -1
    ana.receive("act", "bid 2", ana.moments.now, click=True)
    assert not match.state.actors


def bids_shown(view):
    return set(
        re.findall(r"(?:bid|number)(?: |%20)\d", re.sub(r"<button.*?</button>", "", "".join(view.parts.values())))
    )


def test_each_sees_its_own_number_and_bid_until_the_end():
    """And is never covered: each looks at a page of its own."""
    match, ana, bo = two(Toy())
    numbers = match.state.numbers
    for view, seat in ((ana, 0), (bo, 1)):
        assert not view.covered and bids_shown(view) == {f"number {numbers[seat]}"}
        assert clickable(view) == ["bid 0", "bid 1", "bid 2", "bid 3"]
    bo.receive("act", "bid 1")
    assert clickable(bo) == [] and clickable(ana)
    assert bids_shown(ana) == {f"number {numbers[0]}"}
    assert bids_shown(bo) == {f"number {numbers[1]}", "bid 1"}
    ana.receive("act", "bid 2")
    assert {"bid 1", "bid 2"} <= bids_shown(ana) == bids_shown(bo), "at the end all is told"


@pytest.mark.parametrize(
    "start", [turin.new(2, seed=3), silk.new(2, seed=3), bazar.new(2, seed=3, hidden=True)], ids=str
)
def test_what_a_page_says_of_the_state_is_what_its_seat_may_see(start):
    match, ana, bo = two(start)
    for n in range(30):
        if not match.state.actors:
            break
        for view, seat in ((ana, 0), (bo, 1)):
            assert view.parts["picture"] == match.state.html(seat, live=True, names=view.names)
            assert "Download" not in text(view, "file")
        seat = match.awaited[n % len(match.awaited)]
        (ana, bo)[seat].receive("act", match.state.actions(seat).sample(random.Random(n)))


def test_undo_in_one_takes_back_in_both_and_voids_advice():
    match, ana, bo = open_bazar()
    begin = match.record
    ana.receive("hint")
    assert ana.advice and not bo.advice and "Hint: Roll the die" in text(ana, "hint")
    assert "Hint: roll" not in text(bo, "hint") and "tk-marked" not in bo.parts["picture"]
    ana.receive("act", "roll")
    assert ana.advice is None
    bo.receive("undo")
    assert match.record == begin == ana.record and clickable(ana) == ["roll"]


def test_a_replay_in_one_does_not_disturb_the_other():
    match, ana, bo = open_bazar()
    for _move in range(9):
        me = ana if match.awaited == [0] else bo
        me.receive("act", clickable(me)[0])
    me, other = (ana, bo) if match.awaited == [0] else (bo, ana)
    other.receive("replay", "2")
    assert other.shown == 2 and not clickable(other) and me.shown is None
    me.receive("act", clickable(me)[0])
    assert other.shown == 2 and "after move 2 of" in text(other, "news")
    other.receive("replay", "99")
    assert other.errors and not me.errors
    other.receive("back")
    assert other.parts["picture"] == match.state.html(other.facing, live=True, names=other.names)


def test_a_shared_screen_and_a_seat_at_one_match():
    """The screen is covered for the next person; the page of a seat is that seat's, and covers nothing."""
    match = Match(bazar.new(2, cards=(1, 4), seed=7, hidden=True, timer=60), {0: "Ana", 1: "Bo"}, seed=7)
    screen, bo = Screen(match), Seat(match, 1)
    assert screen.covered and not bo.covered and not match.attended
    screen.receive("uncover")
    assert not screen.covered and match.attended and clickable(screen) == ["roll"]
    while match.awaited == [0]:
        screen.receive("act", clickable(screen)[0])
    assert screen.covered and clickable(bo) == ["roll"]
    bo.receive("act", "roll")
    assert screen.covered and "Pass the screen to" in text(screen, "picture")


def test_others_at_the_seats_and_a_new_game_come_to_both_pages():
    match, ana, bo = open_bazar()
    ana.receive("act", "roll")
    ana.receive("seating")
    assert ana.parts["seats"] and not bo.parts["seats"]
    bo.receive("replay", "0")
    ana.receive("name", "1 Cleo")
    ana.receive("begin")
    assert match.record.names == ("Ana", "Cleo") and match.place == 0
    assert not ana.seating and bo.shown is None and bo.wanted == ["Ana", "Cleo"] and "Cleo" in text(bo, "file")


def test_a_pasted_game_without_that_seat_is_refused():
    match, _ana, bo = open_bazar()
    before = match.record
    bo.receive("paste", str(Record.begin(bazar.new(1, seed=1))))
    assert match.record is before and "there is no seat 1" in text(bo, "paste")


def test_who_plays_for_a_bot_is_the_one_who_said_so():
    class Broken(First):
        def choose(self, view, actions, rng):
            raise RuntimeError("out of ideas")

    match = Match(turin.new(3, seed=1), {0: "Ana", 1: "Bo", 2: Broken()}, seed=1)
    ana, bo = Seat(match, 0), Seat(match, 1)
    assert match.trouble and ana.to_act is bo.to_act is None
    bo.receive("instead", "play")
    assert (ana.to_act, bo.to_act) == (None, 2)
    ana.receive("instead", "play")
    assert (ana.to_act, bo.to_act) == (None, 2), "too late"
    bo.receive("act", next(iter(match.state.actions(2))))
    assert (ana.to_act, bo.to_act) == (0, 1), "each plays again for themselves"


def test_a_file_that_cannot_be_written_is_said_on_both_pages():
    match, ana, bo = two(bazar.new(2, cards=(1, 4), seed=7), file="no/such/folder.txt")
    ana.receive("act", "roll")
    for view in (ana, bo):
        assert "could not be saved" in text(view, "news")
    assert match.place
