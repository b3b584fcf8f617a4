"""What a page is without anything that carries it, and what can be called on one from outside."""

import re
import subprocess
import sys
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit.widgets.page import Page

from .test_connection import PAGES, says


class Counter(Page):
    """Counts; what it shows is kept."""

    actions = frozenset({"add", "look"})
    bound = frozenset({"add"})
    fields = MappingProxyType({"add": "amount"})

    def __init__(self, **options):
        self.total, self.shown = 0, []
        super().__init__("counter", **options)

    def write(self):
        return {"total": str(self.total)}

    def show(self, parts):
        self.shown.append((self.moments.now, parts["total"]))

    def do_add(self, value):
        self.total += int(value)
        self.refresh()
        self.refresh()

    def do_look(self, _value):
        pass

    def do_harm(self, _value):
        pytest.fail("it is not declared")


class Strict(Counter):
    actions = Counter.actions | {"double"}
    one_message = True

    def do_double(self, _value):
        self.total *= 2

    def do_add(self, value):
        super().do_add(value)


# --- a page


def test_a_page_is_written_once_a_message_however_often_it_is_refreshed():
    page = Counter()
    page.receive("add", "2")
    page.receive("add", 3)
    assert page.shown == [(0, "0"), (0, "2"), (0, "5")]


def test_what_is_wrong_stands_at_its_field_with_what_was_typed_until_that_is_put_right():
    page = Counter()
    page.receive("add", "two")
    assert page.errors["amount"][0] == "two" and len(page.shown) == 2
    page.receive("look")
    assert page.errors
    page.receive("add", "2")
    assert not page.errors
    page = Strict()
    page.receive("add", "two")
    page.receive("look")
    assert not page.errors, "there a message stands until anything else is done"


def test_a_page_that_breaks_can_be_used_again():
    page = Strict()
    page.receive("add", "7")
    page.total = None
    with pytest.raises(TypeError):
        page.receive("double")
    page.total = 1
    page.receive("double")
    assert page.shown[-1] == (0, "2")


def test_a_click_on_what_has_passed_is_not_done_but_the_page_is_shown():
    page = Counter()
    at = page.moments.now
    page.receive("add", "1", at, click=True)
    page.receive("add", "1", at, click=True)
    assert page.total == 1 and len(page.shown) == 3
    page = Counter(every_click=True)
    page.receive("add", "1", at, click=True)
    page.receive("add", "1", at, click=True)
    assert page.total == 2


def test_a_page_needs_neither_anywidget_nor_a_loop_nor_the_games():
    """A phone's page, in the room's process, loads what it shows and no more."""
    widgets = {"anywidget", "ipywidgets", "traitlets"}
    for module, not_loaded in (
        ("widgets.page", widgets | {"asyncio", "tradekit.game"}),
        ("widgets.table_view", widgets | {"altair", "pandas"}),
        ("match", widgets | {"altair", "pandas", "numpy"}),
    ):
        code = f"import sys, tradekit.{module}; print(*{not_loaded} & {{*sys.modules}})"
        assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "", module


# --- what can be called


@given(st.sampled_from([*dir(Strict), *vars(Strict())]) | st.text() | st.none() | st.integers() | st.lists(st.text()))
def test_nothing_else_can_be_called(do):
    page = Strict()
    if do not in [*Strict.actions]:
        page.receive(do, "1")
        assert page.total == 0 and len(page.shown) == 1


@pytest.fixture(params=PAGES)
def page(request, comms, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return PAGES[request.param]()


def test_every_other_name_is_answered_and_does_nothing(page, comms):
    """Names of all that a page has, in every spelling that might reach it."""
    names = {*dir(page), *vars(page), *dir(type), "do_", "", "__class__.__init__", "match.undo", "moments.clicked"}
    names |= {f"do_{name}" for name in page.actions} | {f"_{name}" for name in page.actions}
    names |= {name.upper() for name in page.actions}
    before, moment, place = dict(page.parts), page.moment, getattr(page, "record", None) or repr(page)
    for n, name in enumerate(sorted(names - page.actions)):
        says(comms, page, n, name, "1")
    assert (page.parts, page.moment) == (before, moment) and not page.errors
    assert place == (getattr(page, "record", None) or repr(page))
    for n, odd in enumerate([["act"], {"do": "act"}, 7, None, True]):
        says(comms, page, n, odd, "1")
    assert page.parts == before


def test_every_action_that_a_page_has_is_declared(page):
    assert page.actions == {name.removeprefix("do_") for name in dir(page) if name.startswith("do_")}


def test_every_control_on_a_page_has_its_action(page):
    page.receive("seating")
    asked = set(re.findall(r'data-(?:do|links)="(\w+)"', "".join(page.parts.values())))
    assert len(asked) >= 3 and asked <= page.actions


JUNK = "", "x", "-1", "9" * 20, "0 x", "5 x", "1,2", "é\ud800", "nan", "1e400", "R", [1], {"a": 1}, 5, None


def test_whatever_comes_from_a_browser_is_refused_or_done_and_the_page_can_be_written(page):
    """Each is a message at a field at most: nothing raises, then or with the next click."""
    for do in sorted(page.actions):
        for value in JUNK:
            page.receive(do, value)
    page.refresh()
