"""A page is visibly live, waiting or disconnected: tests that need a real kernel that is busy, restarted or gone."""

import re

import nbformat
from nbclient import NotebookClient
from playwright.sync_api import expect

from tradekit import bazar
from tradekit.match import Match
from tradekit.widgets.page_widget import script, style
from tradekit.widgets.table_view import TableView

from .conftest import sound
from .test_table import BEGIN, part, place

TABLE = "table = play(bazar.new(2, cards=(1, 4), seed=7), {0: 'me', 1: 'chain'}, seed=7, pause=0)\ntable"
GONE = "Not connected: run the cell again"
KERNEL = "jupyterapp.shell.currentWidget.sessionContext.session.kernel"
#: A script for the controls that could still be used; copying and reading need no kernel.
USABLE = """() => [...document.querySelectorAll('.tk-live :is(button, input, select, textarea)')]
    .filter(it => !it.disabled && !it.matches('[data-copy], [readonly]')).length"""


def pages(page, state):
    """Wait until every page is in that state."""
    expect(page.locator(f'.tk-live[data-state="{state}"]')).to_have_count(page.locator(".tk-live").count())


def keep_busy(page, seconds):
    """Block every thread of the kernel for a while: JupyterLab gives clicks to another than the cell's."""
    code = f"import ctypes, time; print(flush=True); time.sleep(0.3); ctypes.PyDLL(None).sleep({seconds})"
    page.evaluate(
        f"""(code) => new Promise((begun) => {{
        {KERNEL}.requestExecute({{code}}).onIOPub = (message) => {{
            if (message.header.msg_type === 'stream') setTimeout(begun, 600);
        }};
    }})""",
        code,
    )


def test_every_page_says_that_its_kernel_was_restarted(run_notebook, shot):
    cells = "bazar.explore()", "from tradekit import auctions\nauctions.lab()", "auctions.bidding_game()"
    page = run_notebook(*BEGIN, TABLE, *cells)
    pages(page, "live")
    assert page.evaluate(USABLE) > 50
    page.evaluate(f"() => {KERNEL}.restart()")
    pages(page, "disconnected")
    expect(page.locator(".tk-live .tk-notice")).to_have_text([GONE] * 4)
    assert page.evaluate(USABLE) == 0
    page.wait_for_function(f"() => {KERNEL}.status === 'idle'")
    explorer = page.locator(".tk-live").nth(1)
    explorer.locator("section").last.scroll_into_view_if_needed()
    expect(explorer.locator("section").first).not_to_be_in_viewport()
    expect(explorer.locator(".tk-notice")).to_be_in_viewport(ratio=1)
    page.locator(".tk-live").first.scroll_into_view_if_needed()
    shot("disconnected", page.locator(".tk-live").first)
    sound(page)
    pages(page, "disconnected")


def test_every_stone_put_in_while_the_kernel_is_busy_is_there(run_notebook):
    """Clicks that add up all count: the explorer keeps them, in their order."""
    page = run_notebook("from tradekit import bazar", "bazar.explore(cards=(1, 4), have='')")
    pages(page, "live")
    keep_busy(page, 3)
    for colour in "RRWB":
        part(page, "holding").locator(f'[data-key="add-{colour}"]').click()
    part(page, "wares").locator('[data-do="die"][data-value="yes"]').click()
    pages(page, "waiting")
    pages(page, "live")
    expect(part(page, "holding")).to_contain_text("4 of 10 stones")
    expect(part(page, "holding").locator("input")).to_have_value("RRWB")
    expect(part(page, "wares").locator('[data-do="die"][data-value="yes"]')).to_have_attribute("aria-pressed", "true")


def test_three_clicks_on_a_busy_kernel_are_one_roll(run_notebook, shot):
    page = run_notebook(*BEGIN, TABLE)
    pages(page, "live")
    keep_busy(page, 4)
    roll = part(page, "picture").locator('[data-key="act-roll"]')
    before = roll.bounding_box()
    for _click in range(3):
        roll.click()
        page.wait_for_timeout(400)
    pages(page, "waiting")
    expect(page.locator(".tk-notice")).to_have_text("Waiting for an answer …")
    assert roll.bounding_box() == before, "what is to be clicked stays where it is"
    assert place(page) == 0
    shot("waiting", page.locator(".tk-live"))
    pages(page, "live")
    expect(part(page, "moves").locator("li", has_text="You rolled the die.")).to_have_count(1)
    expect(page.locator(".tk-notice")).to_have_text("")

    # First a connection that is cut for a moment; then a kernel that dies.
    page.evaluate(f"() => {KERNEL}.reconnect()")
    page.wait_for_function(f"() => {KERNEL}.connectionStatus === 'connected'")
    pages(page, "live")
    page.evaluate(f"() => void {KERNEL}.requestExecute({{code: 'import os; os._exit(1)', silent: true}})")
    pages(page, "disconnected")
    assert page.evaluate(USABLE) == 0
    page.wait_for_function(f"() => {KERNEL}.status === 'idle'", timeout=60_000)
    pages(page, "disconnected")


def test_a_notebook_that_nobody_has_run_shows_pictures_and_then_pages_that_are_off(lab, page, shot):
    """First a stranger's, whose outputs JupyterLab does not trust; then your own, with the state that was saved."""
    cells = *BEGIN, TABLE, "bazar.explore()", "from tradekit import auctions\nauctions.lab()"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": lab.root}}).execute()
    nbformat.write(notebook, lab.root / "own.ipynb")
    page.goto(f"{lab.url}/doc/tree/own.ipynb?token={lab.token}")
    expect(page.locator(".tk-still")).to_have_count(3, timeout=30_000)
    assert page.locator(".tk :is(button, input, select, textarea)").count() == 0
    assert page.locator(".tk-still img").count() > 3, "drawings are images, which are left in"
    stone = page.locator(".tk-still .tk-stone.tk-R").first
    assert stone.evaluate("it => getComputedStyle(it).backgroundColor") == "rgb(191, 51, 38)"
    expect(page.locator(".tk-still").first).to_contain_text("run the cell to use it")
    shot("stranger")

    page.evaluate("() => void jupyterapp.commands.execute('notebook:trust')")
    page.get_by_role("button", name="Trust").click()
    expect(page.locator('.tk-live[data-state="disconnected"]')).to_have_count(3)
    expect(page.locator(".tk-notice")).to_have_text([GONE] * 3)
    assert page.evaluate(USABLE) == 0
    shot("own")


class Carried(TableView):
    """A seat's page whose parts a test carries."""

    answered = ""

    def show(self, parts):
        self.parts = parts

    @property
    def state_sent(self):
        names = "kind", "label", "parts", "answered", "every_click", "notices"
        return {name: getattr(self, name) for name in names} | {"moment": self.moments.now}


#: A transport of a few lines: what a page says is told to Python, which hands back what every page shows now.
CARRY = """(states) => {
    const pages = states.map((state, seat) => {
        const page = {state};
        const el = document.body.appendChild(document.createElement("main"));
        page.shown = showPage({el, get: (name) => page.state[name], transport: {
            deliver: (message) => void tell(seat, message).then((states) => states.forEach((state, i) => {
                pages[i].state = state;
                pages[i].shown.update();
            })),
            heard: () => true, busy: () => false, patience: () => 4000,
        }});
        return page;
    });
}"""


def test_two_pages_of_one_match_without_jupyter(page, tmp_path, monkeypatch):
    """The core of the script needs no comm: a page that opens while a clock runs asks any transport for the time."""
    monkeypatch.chdir(tmp_path)
    match = Match(bazar.new(2, cards=(1, 4), seed=7, timer=60), {0: "Ana", 1: "Bo"}, seed=7)
    views, told = [Carried(match, 0), Carried(match, 1)], []

    def tell(seat, message):
        told.append((seat, message["do"]))
        views[seat].receive(message["do"], message["value"], message["at"], message.get("click"))
        views[seat].answered = message["id"]
        return [view.state_sent for view in views]

    page.expose_function("tell", tell)
    page.set_content(f"<!doctype html><style>{style('live', 'table')}</style>")
    page.add_script_tag(content=script("connection", "live"))
    page.evaluate(CARRY, [view.state_sent for view in views])
    ana, bo = page.locator("main").nth(0), page.locator("main").nth(1)
    expect(ana.locator("[data-left]")).to_have_text(re.compile(r"^(60|5\d)$"))
    assert told == [(0, "clock"), (1, "clock")]
    roll = '[data-key="act-roll"]'
    expect(bo.locator(f"{roll}[data-do]")).to_have_count(0)
    ana.locator(roll).click()
    for one, said in ((ana, "You rolled"), (bo, "Ana rolled")):
        expect(one.locator("li", has_text=said)).to_have_count(1)
    while match.awaited == [0]:
        moves = ana.locator("li").count()
        ana.locator('[data-part=picture] [data-do="act"]').last.click()
        expect(ana.locator("li").nth(moves)).to_be_visible()
    expect(bo.locator(f"{roll}[data-do]")).to_have_count(1)
    bo.locator(roll).focus()
    page.keyboard.press("Enter")
    expect(ana.locator("li", has_text="Bo rolled")).to_have_count(1)
