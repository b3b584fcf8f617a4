"""The table as a person uses it: real JupyterLab, real Chromium, no network."""

import re

import nbformat
from playwright.sync_api import expect

from .conftest import serve, sound

BEGIN = "from tradekit import bazar", "from tradekit.widgets.table import play"
SHORT = "table = play(bazar.new(2, cards=(1, 4), seed=7, patience=3), {0: 'me', 1: 'chain'}, seed=7, pause=0)\ntable"
#: With R=GG the third stall's last ware can be bought, which closes the bazaar.
NEAR_THE_END = (
    "state = bazar.State.parse('bazar players=2 deck=house cards=1,4 step=turn turn=p0 hands=RRRWWYY,RRBBGG '"
    "'stalls=WWWWW*:0,RRWBB:1,RWGGY:0,-:0 bought=RWBGY:8;RBGYY:3,RRBBG:5;WWBGG:2;RWBBB:1 idle=0')\n"
    "table = play(state, {0: 'me', 1: 'policy'}, seed=3, pause=0)\ntable"
)


def part(page, name):
    return page.locator(f'.tk-live [data-part="{name}"]')


def live(page):
    """Return the picture's clickable elements."""
    return part(page, "picture").locator('[data-do="act"]')


def place(page):
    """Return the number of moves made, as the replay says."""
    return int(part(page, "moves").locator('input[type="range"]').get_attribute("max"))


def act(page, button):
    """Click a button of the picture, and wait until the move is made."""
    before = place(page)
    button.click()
    moved(page, before)


def moved(page, before):
    """Wait until another move was made, or the screen is covered."""
    page.wait_for_function(
        "n => document.querySelector('.tk-live [data-key=replay-slider]')?.max !== n", arg=str(before)
    )


def my_turn(page):
    """Wait until there is something to click, or the game is over; return whether there is."""
    expect(part(page, "picture").locator('.bz-todo, [data-do="act"]').first).to_be_visible()
    expect(part(page, "tools")).not_to_contain_text("thinking")
    return live(page).count() > 0


def test_a_whole_game_by_clicks_with_hint_and_undo(run_notebook, shot):
    page = run_notebook(*BEGIN, SHORT)
    part(page, "tools").locator('[data-key="hint"]').click()
    expect(part(page, "hint")).to_contain_text("Hint: Roll the die")
    off = part(page, "picture").locator('[data-key="act-buy 1"]')
    assert "(BZ-12)" in off.get_attribute("title")
    off.click(force=True)
    assert place(page) == 0, "what is switched off does nothing"

    begin = part(page, "picture").inner_text()
    act(page, live(page).first)
    my_turn(page)
    first = part(page, "moves").inner_text()
    part(page, "tools").locator('[data-key="undo"]').click()
    expect(part(page, "moves")).not_to_contain_text("You rolled the die.")
    assert part(page, "picture").inner_text() == begin
    act(page, live(page).first)
    my_turn(page)
    assert part(page, "moves").inner_text() == first, "the same choice meets the same luck"

    for turn in range(40):
        if not my_turn(page):
            break
        if turn == 2:
            shot("turn", page.locator(".tk-live"))
        act(page, live(page).last)
    expect(part(page, "picture").locator(".bz-final")).to_be_visible()

    moves = place(page)
    slider = part(page, "moves").locator('input[type="range"]')
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(part(page, "news")).to_contain_text(f"after move {moves - 1} of {moves}")
    expect(slider).to_be_focused()
    shot("replay", page.locator(".tk-live"))
    part(page, "news").locator('[data-do="back"]').click()
    expect(part(page, "picture").locator(".bz-final")).to_be_visible()


FOCUS = """() => {
    const it = document.activeElement;
    return {act: it.dataset.do === 'act', picture: !!it.closest('.tk-live [data-part=picture]')};
}"""


def test_a_whole_game_by_keyboard_alone(run_notebook):
    page = run_notebook(*BEGIN, SHORT)
    page.locator('.tk-live [data-key="hint"]').focus()  # from here on only keys
    key, inside = "Tab", False
    for _turn in range(40):
        if not my_turn(page):
            break
        for _tab in range(60):
            page.keyboard.press(key)
            focus = page.evaluate(FOCUS)
            if focus["act"]:
                break
            if inside and not focus["picture"]:  # past the last button: back again
                key = {"Tab": "Shift+Tab", "Shift+Tab": "Tab"}[key]
            inside = focus["picture"]
        before, inside = place(page), True
        page.keyboard.press("Enter")
        moved(page, before)
        my_turn(page)
        assert page.evaluate(FOCUS)["picture"], "the focus is kept"
    expect(part(page, "picture").locator(".bz-final")).to_be_visible()


def test_looks_well_in_both_themes_and_in_narrow_and_wide_windows(run_notebook, looks_well):
    page = run_notebook(*BEGIN, NEAR_THE_END)
    part(page, "tools").locator('[data-key="hint"]').click()
    expect(part(page, "hint")).to_contain_text("costs")
    looks_well("turn")
    part(page, "picture").locator('[data-key="act-R=GG"]').click()
    expect(part(page, "picture")).to_contain_text("buy a ware")
    looks_well("buy")
    part(page, "picture").locator('[data-key="act-buy 3"]').click()
    expect(part(page, "picture")).to_contain_text("The bazaar is closed. The winner is me.")
    looks_well("end")


def test_a_reloaded_page_finds_the_live_game_and_two_tables_keep_apart(run_notebook):
    page = run_notebook(*BEGIN, SHORT, "other = play(bazar.new(1, cards=(1, 4), seed=5), seed=5)\nother")
    tables = page.locator(".tk-live")
    untouched = tables.nth(1).inner_text()
    tables.nth(0).locator('[data-do="act"]').first.click()
    listed = tables.nth(0).locator('[data-part="moves"]')
    expect(listed).to_contain_text("You rolled the die.")
    expect(tables.nth(0).locator('[data-part="tools"]')).not_to_contain_text("thinking")
    moves = listed.inner_text()
    assert tables.nth(1).inner_text() == untouched
    page.evaluate("() => jupyterapp.shell.currentWidget.context.save()")
    page.reload()
    expect(listed).to_contain_text("You rolled the die.", timeout=30_000)
    assert listed.inner_text() == moves
    tables.nth(0).locator('[data-do="act"]').first.click()
    expect(tables.nth(0).locator('[data-part="moves"]')).not_to_have_text(moves, use_inner_text=True)


def test_as_an_output_lists_of_the_picture_are_flush_and_the_moves_keep_their_numbers(run_notebook):
    """JupyterLab indents and marks every list of an output; the picture's are not lists to a reader, the moves are."""
    states = "silk.new(3, seed=7), turin.new(3, seed=7), bazar.new(2, cards=(1, 4), seed=7)"
    page = run_notebook(
        *BEGIN,
        SHORT,
        "from IPython.display import HTML\nfrom tradekit import silk, turin",
        "table.act('roll')\nHTML(table._repr_html_())",
        f"for state in ({states}):\n    display(HTML(state._repr_html_()))",
    )
    look = "lists => lists.map(it => [getComputedStyle(it).paddingLeft, getComputedStyle(it).listStyleType])"
    pictures = page.locator(".jp-RenderedHTMLCommon :is(.bz, .si, .tu) :is(ul, ol)").evaluate_all(look)
    assert len(pictures) > 8 and {*map(tuple, pictures)} == {("0px", "none")}
    assert page.locator(".jp-RenderedHTMLCommon .tb-moves").evaluate_all(look) == [["44px", "decimal"]]


def test_two_persons_with_hidden_holdings_pass_the_screen(run_notebook, shot):
    state = "bazar.new(2, cards=(1, 4), seed=7, hidden=True, timer=60)"
    page = run_notebook(*BEGIN, f"play({state}, {{0: 'Ada', 1: 'Bo'}}, seed=9, pause=0)", width=800)
    for name in ("Ada", "Bo", "Ada"):
        expect(part(page, "picture")).to_contain_text(f"Pass the screen to {name}.")
        assert page.locator(".tk-live .tk-stone").count() == 0
        shot(f"cover-{name}", page.locator(".tk-live"))
        part(page, "picture").locator("button").click()
        expect(part(page, "picture")).to_contain_text(f"{name}: roll the die")
        expect(part(page, "tools").locator("[data-left]")).to_have_text(re.compile(r"^(60|5\d)$"))
        page.evaluate("Date.now = () => 4102444800000")  # the device believes it is the year 2100
        shot(f"view-{name}", page.locator(".tk-live"))
        while not part(page, "picture").get_by_text("Pass the screen").count():
            act(page, live(page).first)


def test_seats_are_chosen_and_a_new_game_begins(run_notebook, shot):
    """By a person who types a name and clicks at once: the button is still there when the name has arrived."""
    page = run_notebook(*BEGIN, "table = play(bazar.new(2, cards=(1, 4), seed=7), seed=7, pause=0)\ntable", width=900)
    act(page, live(page).first)
    part(page, "tools").locator('[data-key="seating"]').click()
    seats = part(page, "seats")
    expect(seats.locator('[data-key="seat-1"]')).to_have_value("policy")
    expect(seats.locator("option:checked").nth(1)).to_contain_text("policy: wins")
    seats.locator('[data-key="seat-1"]').select_option("chain")
    seed = seats.locator('[data-key="seed"]')
    seed.fill("12")
    seed.blur()
    expect(seed).to_have_attribute("value", "12")  # the kernel has answered
    seats.locator('[data-key="name-0"]').fill("Ada")
    part(page, "begin").locator('[data-key="begin"]').click()
    expect(part(page, "picture")).to_contain_text("Ada:")
    expect(part(page, "file")).to_contain_text("bazar · Ada, chain · seed 12")
    expect(part(page, "seats")).to_be_hidden()
    part(page, "tools").locator('[data-key="hint"]').click()
    expect(part(page, "picture").get_by_label(re.compile("^hint: "))).to_have_count(1)
    part(page, "tools").locator('[data-key="seating"]').click()
    expect(part(page, "seats")).to_be_visible()
    shot("seats", page.locator(".tk-live"))
    sound(page)


def test_notebook_7(page, tmp_path, shot):
    with serve(tmp_path, "notebook", "--JupyterNotebookApp.expose_app_in_browser=True") as server:
        write_table(server.root)
        page.goto(f"{server.url}/notebooks/table.ipynb?token={server.token}")
        page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.info")
        page.evaluate("() => void jupyterapp.commands.execute('notebook:run-all-cells')")
        expect(live(page).first).to_be_visible(timeout=60_000)
        for _turn in range(40):
            if not my_turn(page):
                break
            act(page, live(page).last)
        expect(part(page, "picture").locator(".bz-final")).to_be_visible()
        shot("end", page.locator(".tk-live"))
        server.stop_kernels()


def write_table(folder):
    """Write a notebook with a table in it."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("\n".join([*BEGIN, SHORT]))])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / "table.ipynb")


def test_answers_quickly(run_notebook, record_property):
    """Measured and printed, not judged: the clock does not decide a test."""
    page = run_notebook(*BEGIN, NEAR_THE_END)
    measure = """async ([part, key]) => {
        const target = document.querySelector(`.tk-live [data-part="${part}"]`);
        const [start, before] = [performance.now(), target.textContent];
        const changed = new Promise(done => new MutationObserver((_, watcher) => {
            if (target.textContent === before) return; // the page writes more than what it shows
            watcher.disconnect();
            done();
        }).observe(target, {childList: true, subtree: true}));
        document.querySelector(`.tk-live [data-key="${key}"]`).click();
        const late = new Promise((_, no) => setTimeout(() => no(new Error('no change in 30 s')), 30000));
        await Promise.race([changed, late]);
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        return performance.now() - start;
    }"""
    for name, (where, key) in {
        "a trade": ("picture", "act-R=GG"),
        "undo": ("picture", "undo"),
        "the same trade": ("picture", "act-R=GG"),
        "a purchase that ends the game": ("picture", "act-buy 3"),
        "undo the end": ("picture", "undo"),
    }.items():
        milliseconds = page.evaluate(measure, [where, key])
        record_property(name, f"{milliseconds:.0f} ms")
        print(f"{name}: {milliseconds:.0f} ms")
    expect(part(page, "picture")).to_contain_text("buy a ware")


def test_haste_does_nothing_that_was_not_meant(run_notebook):
    """A double click, a key pressed twice, and text typed too early."""
    page = run_notebook(*BEGIN, SHORT.replace("1: 'chain'", "1: 'you'"))
    part(page, "picture").locator('[data-key="act-roll"]').dblclick()
    expect(part(page, "news")).to_contain_text("The die showed")
    page.wait_for_timeout(500)
    assert part(page, "moves").get_by_role("listitem").filter(has_text="rolled the die").count() == 1
    field = part(page, "type").locator("input")
    field.fill("dance")
    field.press("Enter")
    expect(part(page, "type")).to_contain_text("is no action")
    act = live(page).last
    act.focus()
    page.keyboard.press("Enter")
    expect(field).to_have_value("")
    focused = page.evaluate("document.activeElement.dataset.do ?? document.activeElement.dataset.part ?? ''")
    assert focused != "act", "a second Enter would act"
