"""Pages that tell the truth, without a browser: every message is answered, late actions are not done, still pages."""

import asyncio
import re
import threading
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tradekit import auctions, bazar, silk, turin
from tradekit.record import Record
from tradekit.widgets import moments
from tradekit.widgets.moments import Moments
from tradekit.widgets.still import picture
from tradekit.widgets.table import play

PAGES = {
    "bazar": lambda: play(bazar.new(2, cards=(1, 4), seed=7), {0: "me", 1: "chain"}, seed=7, pause=0),
    "turin": lambda: play(turin.new(3), seed=7, pause=0),
    "silk": lambda: play(silk.new(3, seed=7), seed=7, pause=0),
    "explorer": lambda: bazar.explore(),
    "lab": lambda: auctions.lab(),
    "bidding": lambda: auctions.bidding_game(),
}


@pytest.fixture(params=PAGES)
def page(request, comms, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return PAGES[request.param]()


@pytest.fixture
def table(comms, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return PAGES["bazar"]()


def says(comms, page, n, do="", value="", at=None, click=True):
    """Send what the script sends, and return the one answer to it."""
    comms.clear()
    message = {"id": f"x-{n}", "do": do, "value": value, "at": page.moment if at is None else at, "click": click}
    comms.browser_says(page, content=message)
    (answer,) = comms.updates(page)
    assert answer["answered"] == f"x-{n}"
    return answer


def test_every_message_has_one_answer(page, comms):
    """A question whether anybody is there, an action that does not exist, one that changes nothing."""
    for n, do in enumerate(["", "nothing", "replay", "across"]):
        says(comms, page, n, do, "no such value")
    assert {"waiting", "disconnected"} == set(page.notices)


def test_a_page_that_breaks_is_answered_too(table, comms, monkeypatch):
    monkeypatch.setattr(type(table), "do_hint", lambda *_: 1 / 0)
    says(comms, table, 1, "hint")
    says(comms, table, 2)


def test_three_clicks_on_one_page_are_one_roll(table, comms):
    at = table.moment
    for n in range(3):
        says(comms, table, n, "act", "roll", at)
    assert [str(move.action) for move in table.record.moves if move.actor == 0] == ["roll"]
    typed = at
    says(comms, table, 4, "type", "roll", typed, click=False)
    assert "roll" in table.parts["type"] and "had gone on" in table.parts["type"], "what was typed is kept"


@pytest.mark.parametrize("do", ["seating", "undo"])
def test_what_is_pressed_again_before_the_answer_is_not_done_twice(table, comms, do):
    for _move in range(2):
        table.act(table.state.actions(0)[0])
    says(comms, table, 0)
    at, places = table.moment, {table.undoable}
    for n in range(1, 4):
        says(comms, table, n, do, "", at)
        places.add(table.undoable)
    assert table.seating if do == "seating" else len(places) == 2


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(clicks=st.lists(st.sampled_from(["add R", "add W", "remove R", "card 5", "die yes", "die no"]), max_size=8))
def test_where_clicks_add_up_every_one_counts(comms, clicks):
    """Six quick clicks on stones are six stones, whatever the page showed when the last one was made (F6)."""
    quick, slow = bazar.explore(cards=(1, 4), have="RR"), bazar.explore(cards=(1, 4), have="RR")
    assert quick.every_click
    at = quick.moment
    for n, click in enumerate(clicks):
        says(comms, quick, n, *click.split(), at=at)
        says(comms, slow, n, *click.split())
    assert quick.question == slow.question


def test_in_the_bidding_game_clicks_made_at_one_moment_are_one(comms):
    game = auctions.bidding_game()
    says(comms, game, 1, "amount", "0.3", click=False)
    at = game.moment
    says(comms, game, 2, "bid", at=at)
    for n in range(3, 6):
        says(comms, game, n, "bid", at=at)
    at = game.moment
    for n in range(6, 9):
        says(comms, game, n, "uncover", at=at)
    assert game.step == 1


def test_a_field_that_is_left_by_a_click_does_not_swallow_it(comms):
    game = auctions.bidding_game()
    at = game.moment
    says(comms, game, 1, "amount", "0.3", at, click=False)
    says(comms, game, 2, "bid", "", at)
    assert game.experiment.played == 1


def test_a_bot_that_moves_does_not_swallow_a_click_on_the_tools(table, comms):
    at = table.moment
    table.act("roll")
    says(comms, table, 1, "seating", "", at)
    assert table.seating
    before = table.record
    says(comms, table, 2, "act", "done", at)
    assert table.record is before, "but a move that was meant for another state is not made"


@given(st.lists(st.sampled_from(["look", "same", "click"])), st.data())
def test_only_what_came_after_has_passed(events, data):
    numbers, subject, shown, history = Moments({"act"}), object(), [], []
    shown.append(numbers.look(subject))
    for event in events:
        if event == "look":
            subject = object()
        if event == "click":
            numbers.clicked()
        shown.append(numbers.look(subject))
        history.append(event)
    i = data.draw(st.integers(0, len(events)))
    later = history[i:]
    assert numbers.has_passed("hint", shown[i]) == ("click" in later)
    assert numbers.has_passed("act", shown[i]) == ("click" in later or "look" in later)
    assert not numbers.has_passed("act", None)


def test_where_every_click_counts_only_the_subject_can_pass():
    numbers = Moments({"act"}, every=True)
    at = numbers.look("a state")
    numbers.clicked()
    assert not numbers.has_passed("add", at) and not numbers.has_passed("act", at)
    numbers.look("another state")
    assert not numbers.has_passed("add", at) and numbers.has_passed("act", at)


def test_in_voila_there_is_no_cell_to_run(monkeypatch, spanish):
    assert moments.notices()["disconnected"] == "Sin conexión: vuelve a ejecutar la celda"
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5")
    assert moments.notices()["disconnected"] == "Sin conexión: vuelve a cargar la página"


# No thread


def test_where_no_thread_can_start_bots_think_all_the_same(table, monkeypatch):
    def refuse(_thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)

    async def game():
        table.act("roll")
        while table.to_act == 0 and not table.thinking:
            table.act("done" if "done" in table.state.actions(0) else table.state.actions(0)[0])
        assert table.thinking
        for _step in range(500):
            await asyncio.sleep(0.01)
            if not table.thinking:
                break

    asyncio.run(game())
    assert not table.thinking and not table.trouble and any(move.actor == 1 for move in table.record.moves)


def test_a_bot_that_ends_its_thread_is_named(comms, tmp_path, monkeypatch):
    from tradekit.bots import Bot

    class Leaves(Bot):
        name = "leaves"

        def choose(self, *_arguments):
            raise SystemExit("enough")

    monkeypatch.chdir(tmp_path)

    async def game():
        table = play(bazar.new(2, cards=(1, 4), seed=7), {0: Leaves(), 1: "me"}, seed=7, pause=0)
        for _step in range(500):
            await asyncio.sleep(0.01)
            if not table.thinking:
                break
        return table

    table = asyncio.run(game())
    assert table.trouble and "enough" in table.trouble.message


# Still pages


class Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found, self.open = [], []
        self.feed(str(html))

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in ("img", "br", "hr", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_still_page_has_nothing_to_press_and_is_well_formed(page, comms):
    html = page._repr_html_()
    tags = Tags(html)
    assert not tags.open
    names = {name for name, _attributes in tags.found}
    assert not names & {"button", "input", "select", "textarea", "svg", "script", "details", "label"}
    links = [attributes for tag, attributes in tags.found if tag == "a"]  # files, with their content in the link
    assert all(link["href"].startswith("data:") and "download" in link for link in links)
    assert not any(name.startswith("data-do") for _tag, attributes in tags.found for name in attributes)
    assert "run the cell to use it" in html
    assert all(attributes["src"].startswith("data:") for tag, attributes in tags.found if tag == "img")


def test_a_still_table_shows_the_game(table):
    table.act("roll")
    table.refresh()
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", table._repr_html_(), flags=re.DOTALL)
    assert "You rolled the die." in text and "Stalls" in text and "Undo" not in text and "Type an action" not in text


def test_choices_and_code_are_kept():
    assert picture('<label class="tk-wide">code <input class="tk-code" value="a &lt; b"></label>') == (
        '<span class="tk-wide">code <code class="tk-code">a &lt; b</code></span>'
    )
    assert picture('<p>x <button data-do="act"><span class="tk-stone tk-R">R</span></button></p>').count("tk-R") == 1


# Two pages, one file


def test_two_pages_of_one_game_do_not_overwrite_each_other(comms, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = PAGES["bazar"]()
    first.act("roll")
    file = first.file
    second = play(Record.load(file), file=file, pause=0)
    for _move in range(6):
        first.act(first.state.actions(first.to_act)[0])
    kept = file.read_bytes()
    second.act(second.state.actions(second.to_act)[0])
    second.refresh()
    assert file.read_bytes() == kept, "the longer game is not cut"
    assert second.file.name == f"{file.stem}-2.txt" and Record.load(second.file) == second.record
    assert file.name in second.parts["news"] and second.file.name in second.parts["news"]
    assert second.file.name in second.parts["file"]
    assert Record.load(second.file) == second.record and file.read_bytes() == kept
    first.act(first.state.actions(first.to_act)[0])
    assert Record.load(file) == first.record and first.file == file
