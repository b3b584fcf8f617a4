"""Turin Market at the table, as a person plays it: real JupyterLab, real Chromium, no network."""

from playwright.sync_api import expect

from .conftest import sound
from .test_table import moved, part, place

BEGIN = """
from tradekit import turin
from tradekit.bots import Bot
from tradekit.widgets.table import play

class Scripted(Bot):
    '''Does what is written for a step of an auction, from 0, else the first thing: no bid, no claim, no offer.'''
    name = "scripted"
    games = ("turin",)
    def __init__(self, name, **script):
        self.name, self.script = name, script
    def choose(self, view, actions, rng):
        wanted = self.script.get(f"{view.known.step.name.lower()}{view.known.auction}", "")
        return next((action for action in actions if action == wanted), next(iter(actions)))
"""
GAME = """
bo = Scripted("Bo", bid0="bid 4", add0="add 1", bid1="bid 3", offer1="sell 2 for 2", bid2="bid 1", bid3="bid 2")
cy = Scripted("Cy", bid0="bid 1", window0="claim 3", bid2="bid 5", bid4="bid 3")
table = play(turin.new(3, seed=7), {0: "Ada", 1: bo, 2: cy}, seed=7, pause=0)
table
"""
#: Five players with long names in the last auction of a game: cards on sale, a tie, and the goose.
CROWD = """
state = turin.State.parse(
    "turin players=5 deck=house goose=tie games=3 step=bid auction=3 reserve=[14,14,8,9,14] centre=1.3.5.7.15 "
    "won=-,-,6.11.14.16,4.18,- gone=2.8.9.10.12.13.17 rest=- sale=[[4,3,2],[16,2,3]] commits=[-1,-1,-1,-1,-1] "
    "tokens=[2,2,3,2,2,-1,2,2,2] first=3 bank=-64"
)
names = ["Maximiliana", "Bartholomew", "Cy", "Wolfgang Amadeus", "Eleonora"]
play(state, {0: names[0], **{n: Scripted(names[n], bid3="bid 2") for n in range(1, 5)}}, seed=1, pause=0)
"""


def picture(page):
    return part(page, "picture")


def control(page, key):
    return picture(page).locator(f'[data-key="{key}"]')


def act(page, key):
    """Click the control of that key, and wait until the move is made."""
    before = place(page)
    control(page, key).click()
    moved(page, before)
    expect(part(page, "tools")).not_to_contain_text("thinking")


def show(page):
    """Offer the first hand card."""
    act(page, picture(page).locator('.tu-hand [data-do="act"]').first.get_attribute("data-key"))


def slider(page):
    return picture(page).locator(".tu-amount input[type=range]")


def number(page):
    return picture(page).locator('.tu-amount [data-name="amount"]')


def slide(page, to):
    """Move the slider of an amount by keys; its number follows."""
    slider(page).focus()
    for _step in range(to - int(number(page).input_value())):
        page.keyboard.press("ArrowRight")
    expect(number(page)).to_have_value(str(to))


def says(page, text):
    expect(picture(page).locator(".tu-todo p")).to_contain_text(text)


def row(page, name):
    """Return the row of the table of bids for a player."""
    return picture(page).locator(".tu-bids tbody tr").filter(has_text=name)


def test_a_whole_game_by_clicks_with_a_tie_a_sale_a_loan_and_the_payments(run_notebook, shot):
    page = run_notebook(BEGIN, GAME)
    table = page.locator(".tk-live")
    page.set_viewport_size({"width": 1280, "height": 1400})

    says(page, "Ada: choose a hand card for the auction.")
    top = control(page, "act-bid").bounding_box()
    assert "(TU-10)" in control(page, "act-bid").get_attribute("title"), "what is switched off says why"
    show(page)
    says(page, "Ada: bid for the cards.")
    expect(part(page, "moves")).to_contain_text("Bo has bid.")
    assert "bid 4" not in page.locator(".tk-live").inner_text(), "the bots have bid, in secret"
    assert control(page, "act-bid").bounding_box()["y"] == top["y"], "nothing jumps"
    slide(page, 4)
    shot("bid", table)
    act(page, "act-bid")

    says(page, "Ada: the bids are tied; add to yours, 0 or more.")
    expect(row(page, "Bo")).to_contain_text("tied: bids again (TU-14)")
    expect(row(page, "Cy")).to_contain_text("loses: half of 1, rounded down (TU-12)")
    shot("tie", table)
    slide(page, 2)
    act(page, "act-add")

    says(page, "Ada: take 2 cards.")
    expect(row(page, "Ada")).to_contain_text("wins 2 cards, pays all (TU-12)")
    boxes = picture(page).locator(".tu-centre [type=checkbox]")
    expect(control(page, "act-take")).to_be_disabled()
    boxes.nth(0).check()
    boxes.nth(2).check()
    expect(boxes.nth(1)).to_be_disabled()
    part(page, "tools").locator('[data-key="hint"]').click()
    expect(part(page, "hint")).to_contain_text("Hint: Take card", timeout=10_000)
    expect(boxes.nth(2)).to_be_checked()
    shot("take", table)
    act(page, "act-take")

    says(page, "Ada: put a card up for sale, or none.")
    picture(page).locator('[data-name="card"]').select_option("3")
    number(page).fill("30")
    control(page, "act-sell").click()
    expect(part(page, "news")).to_contain_text("Ada has 9 escudos for it, 19 with a loan (TU-20, TU-30)")
    expect(number(page)).to_have_value("30")
    number(page).fill("3")
    assert slider(page).input_value() == "3"
    shot("offer", table)
    before = place(page)
    number(page).press("Enter")
    moved(page, before)
    expect(part(page, "moves")).to_contain_text("Cy asked to buy card 3")
    expect(picture(page).locator(".tu-players li").first).to_contain_text("12 escudos")

    show(page)
    says(page, "Ada: bid for the cards.")
    control(page, "bid-0-1-0-loan").check()
    assert slider(page).get_attribute("max") == "22"
    number(page).fill("15")
    act(page, "act-bid")
    expect(row(page, "Ada")).to_contain_text("15")
    expect(picture(page).locator(".tu-players li").first).to_contain_text("has a loan")
    for box in (0, 1):
        picture(page).locator(".tu-centre [type=checkbox]").nth(box).check()
    act(page, "act-take")
    act(page, "act-done")
    says(page, "Ada: claim a card on sale, or none.")
    expect(picture(page).locator(".tu-sale")).to_contain_text("2 Bo")
    assert "TU-30" in control(page, "act-claim 2 loan").get_attribute("title")
    shot("window", table)
    sound(page)
    act(page, "act-claim 2")

    show(page)
    number(page).fill("0")
    act(page, "act-bid")
    for auction in (3, 4):
        says(page, f"auction {auction} of 5")
        while control(page, "act-done").get_attribute("data-do"):
            act(page, "act-done")
        show(page)
        before, typed = place(page), part(page, "type").locator("input")
        typed.fill("bid 0")
        typed.press("Enter")
        moved(page, before)
        expect(part(page, "tools")).not_to_contain_text("thinking")
    says(page, "The market is closed.")
    account = picture(page).locator(".tu-account")
    expect(account).to_contain_text("Ada repays 15")
    expect(account.locator("tbody tr")).to_have_count(11)
    expect(part(page, "file").locator("a")).to_have_count(1)
    shot("end", table)
    sound(page)


def test_five_players_look_well_in_both_themes_and_in_narrow_and_wide_windows(run_notebook, looks_well):
    page = run_notebook(BEGIN, CROWD)
    looks_well("bid")
    number(page).fill("2")
    act(page, "act-bid")
    says(page, "Maximiliana: your bid is tied; use the goose, or leave it.")
    looks_well("goose")
    act(page, "act-goose")
    says(page, "Game 1 is over: these are its payments.")
    looks_well("payments")
    part(page, "news").locator('[data-do="on"]').click()
    says(page, "game 2 of 3")
