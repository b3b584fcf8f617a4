"""The Silk Road at the table, as a person plays it: real JupyterLab, real Chromium, no network."""

from playwright.sync_api import expect

from .conftest import sound
from .test_table import moved, part, place

BEGIN = """
from tradekit import silk
from tradekit.bots import Bot
from tradekit.widgets.table import play

class Scripted(Bot):
    '''Does what is written for a step; else it passes, declines, or loses the first cards that it may.'''
    games = ("silk",)
    def __init__(self, name, **script):
        self.name, self.script = name, script
    def choose(self, view, actions, rng):
        wanted = self.script.get(view.known.step.name.lower(), "")
        there = [action for action in (wanted, "pass", "decline") if action in actions]
        return there[0] if there else next(iter(actions))
"""
#: Seven low cards are in the pile; the game is over when they are drawn and each player has had two more turns.
GAME = """
state = silk.State.parse(
    "silk players=3 dropped=0 run_outs=1 step=turn turn=p0 hordes=1 hands=silk:3,5,7,8/cloth:3,4/ivory:9;"
    "tea:3,4/ivory:5,6/spices:3;tea:5,6/cloth:5/spices:4,5 "
    "market=silk:43210,tea:32104,cloth:21043,ivory:10432,spices:04321 "
    "discards=silk:9,10/tea:7,8,9,10/cloth:6,7,8,9,10/ivory:1,3,4,7,8,10/spices:1,2,6,7,8,9,10 "
    "safeguards=silk:4+silk:6;-;- dinars=0,0,0 idle=0"
)
bo = Scripted("Bo", answer="answer tea 3 4 as tea")
table = play(state, {0: "Ada", 1: bo, 2: Scripted("Cy")}, seed=7, pause=0)
table
"""
TWO = """
state = silk.State.parse(
    "silk players=2 dropped=0 step=turn turn=p0 hordes=1 "
    "hands=silk:3,5,7,8/tea:9,10/ivory:9;tea:3,4/ivory:5,6/spices:3;tea:1,6,8/spices:9,10 "
    "market=silk:43210,tea:32104,cloth:21043,ivory:10432,spices:04321 "
    "discards=- safeguards=silk:4;silk:6 dinars=0,0 idle=0"
)
play(state, {0: "Ada", 1: Scripted("Bo")}, seed=7, pause=0)
"""
#: Five players with long names, and all that can be open at once: an offer, a bribe, safeguards, known cards.
CROWD = """
state = silk.State.parse(
    "silk players=5 step=turn turn=p0 hordes=3 hands=silk:3,5,7,8/tea:1,2/cloth:3;silk:1,2,4/tea:10/ivory:9,10;"
    "tea:3,4/ivory:5,6/spices:3;tea:5,6/cloth:5/spices:4,5,10;cloth:1,2/ivory:1,2/spices:1,2,7 "
    "under=cloth:7@p0+tea:9@p1 market=silk:43210,tea:32104,cloth:21043,ivory:10432,spices:04321 "
    "discards=tea:7,8/cloth:8,9,10/ivory:3,4,7,8 marker=spices:6+p1+tea+cloth knows=silk:1,2;-;-;-;- "
    "safeguards=silk:6+spices:8;-;cloth:4;-;- dinars=12,7,31,0,4 idle=0"
)
names = ["Maximiliana", "Bartholomew", "Cy", "Wolfgang Amadeus", "Eleonora"]
script = dict(answer="answer silk 1 2 4 as silk")
play(state, {0: names[0], **{n: Scripted(names[n], **script) for n in range(1, 5)}}, seed=1, pause=0)
"""


def picture(page):
    return part(page, "picture")


def control(page, key):
    return picture(page).locator(f'[data-key="{key}"]')


def tick(page, *cards):
    for card in cards:
        picture(page).locator(f'input[value="{card}"]').check()


def act(page, key):
    """Click the control of that key, and wait until the move is made and the bots have moved."""
    before = place(page)
    control(page, key).click()
    moved(page, before)
    expect(part(page, "tools")).not_to_contain_text("thinking")


def says(page, text):
    expect(picture(page).locator(".si-todo p")).to_contain_text(text)


def about(page, key):
    """Return the text next to the control of that key."""
    return control(page, key).locator("xpath=..").locator("[data-said]")


def places_of(page, *keys):
    """Return the places where controls begin, measured from the picture's corner."""
    corner = picture(page).bounding_box()
    boxes = [control(page, key).bounding_box() for key in keys]
    return [(box["x"] - corner["x"], box["y"] - corner["y"]) for box in boxes]


def demand(page, good):
    return picture(page).locator(".si-row li").filter(has_text=good).locator(".si-demand")


def test_a_whole_game_by_clicks_with_talks_a_bribe_an_audience_a_sale_and_the_hordes(run_notebook, shot):
    page = run_notebook(BEGIN, GAME)
    table = page.locator(".tk-live")
    page.set_viewport_size({"width": 1280, "height": 1500})

    says(page, "Ada: sell, trade, bribe, ask for an audience, buy or pass.")
    expect(control(page, "act-cards")).to_be_disabled()
    expect(about(page, "act-cards")).to_have_text("tick cards of one good, as many as it is asked for (SI-20)")
    assert "(SI-11)" in control(page, "act-accept").get_attribute("title"), "what is switched off says why"
    tick(page, "silk 3", "silk 5", "silk 7")
    expect(about(page, "act-cards")).to_have_text("silk is asked for exactly 4 times, not 3 (SI-20)")
    expect(control(page, "act-cards")).to_be_disabled()
    expect(about(page, "act-bribe")).to_contain_text("a card more than needed")
    tick(page, "silk 8")
    expect(about(page, "act-cards")).to_have_text(
        "silk 3 5 7 8: 4 + 6 = 10 dinars, safeguard silk 3; the hordes attack"
    )
    tops = places_of(page, "act-cards", "act-bribe", "act-pass")
    part(page, "tools").locator('[data-key="seating"]').click()
    expect(part(page, "seats")).to_be_visible()
    part(page, "tools").locator('[data-key="seating"]').click()
    expect(control(page, "act-cards")).to_be_enabled()
    shot("sale", table)

    for card in ("silk 3", "silk 5", "silk 7", "silk 8"):
        picture(page).locator(f'input[value="{card}"]').uncheck()
    tick(page, "cloth 3", "cloth 4")
    expect(about(page, "act-offer-1")).to_have_text("said aloud: 2 cards, 7 in all, and the good named")
    assert control(page, "good").locator("option:not([disabled])").all_inner_texts() == ["cloth"]
    act(page, "act-offer-1")

    says(page, "Ada: accept the answer of Bo, or decline.")
    talk = picture(page).locator(".si-talk")
    expect(talk).to_contain_text("Bo answers with 2 cards, tea among them, 7 in all.")
    expect(part(page, "moves")).to_contain_text("Bo answered with 2 cards, tea among them, 7 in all")
    assert "tea 3" not in table.inner_text() and "tea 4" not in table.inner_html()
    assert places_of(page, "act-cards", "act-bribe", "act-pass") == tops, "nothing jumps"
    shot("answer", table)
    act(page, "act-accept")

    says(page, "Ada: talk with somebody else, or end the trading.")
    assert "(SI-10)" in control(page, "act-offer-1").get_attribute("title")
    tick(page, "ivory 9", "silk 3")
    control(page, "good").select_option("ivory")
    act(page, "act-offer-2")
    expect(part(page, "moves")).to_contain_text("Cy declined.")

    says(page, "Ada: sell, trade, bribe, ask for an audience, buy or pass.")
    expect(picture(page).locator(".si-players li").nth(1)).to_contain_text("you know of")
    tick(page, "tea 3", "tea 4")
    expect(about(page, "act-bribe")).to_have_text("pays tea 3 4, worth 7")
    control(page, "pair").select_option("cloth up ivory down")
    shot("bribe", table)
    act(page, "act-bribe")
    expect(demand(page, "cloth")).to_have_text("3")
    expect(picture(page).locator(".si-shut")).to_have_count(2)
    expect(picture(page).locator(".si-shut").first).to_contain_text("only Ada")

    control(page, "pile").select_option("tea")
    control(page, "order").select_option("4 0 1 2 3")
    shot("audience", table)
    act(page, "act-audience-safeguards")
    expect(demand(page, "tea")).to_have_text("4")
    expect(picture(page).locator(".si-row li").nth(3)).to_contain_text("tea")
    expect(picture(page).locator(".si-players li").first).to_contain_text("0 safeguards")

    tick(page, "silk 3", "silk 5", "silk 7", "silk 8")
    act(page, "act-cards")
    says(page, "The hordes attack. Ada: discard goods worth 25, or all.")
    expect(picture(page).locator(".si-players li").first).to_contain_text("10 dinars")
    tick(page, "ivory 9")
    expect(about(page, "act-cards")).to_contain_text("ivory 9 is worth 9; the hordes take 25, or all there is (SI-25)")
    for box in picture(page).locator("input[type=checkbox]").all():
        box.check()
    assert places_of(page, "act-cards", "act-bribe", "act-pass") == tops
    shot("hordes", table)
    sound(page)
    act(page, "act-cards")

    for _turn in range(2):
        says(page, "Ada:")
        expect(picture(page).locator(".si-todo")).to_contain_text("last turns")
        act(page, "act-pass")
    says(page, "The game is over. The winner is Ada.")
    expect(part(page, "file").locator("a")).to_have_count(1)
    shot("end", table)
    sound(page)


def test_two_play_with_the_neutral(run_notebook, shot):
    page = run_notebook(BEGIN, TWO)
    table = page.locator(".tk-live")
    page.set_viewport_size({"width": 1280, "height": 1500})

    tick(page, "silk 3", "silk 5", "silk 7", "silk 8")
    act(page, "act-cards")
    says(page, "The hordes attack. Ada: discard")
    tick(page, "tea 9", "tea 10", "ivory 9")
    act(page, "act-cards")
    says(page, "The hordes attack. Ada: choose what the neutral loses.")
    tick(page, "tea 1", "tea 6", "spices 9", "spices 10")
    expect(about(page, "act-cards")).to_contain_text("a card more than needed")
    picture(page).locator('input[value="tea 1"]').uncheck()
    shot("neutral-hordes", table)
    act(page, "act-cards")

    says(page, "Ada: take a turn of the neutral too, or none.")
    act(page, "act-neutral")
    says(page, "Ada: sell, barter, bribe, ask for an audience or pass for the neutral.")
    expect(control(page, "act-pass")).to_be_disabled()
    boxes = picture(page).locator("input[type=checkbox]")
    expect(boxes).to_have_count(3)
    for box in (2, 0, 1):
        boxes.nth(box).check()
    assert [label.get_attribute("data-place") for label in picture(page).locator("label.si-card").all()] == list("231")
    wanted = [boxes.nth(box).get_attribute("value") for box in (2, 0, 1)]
    shot("neutral-pass", table)
    sound(page)
    act(page, "act-pass")
    good, value = wanted[0].split()
    expect(part(page, "moves")).to_contain_text(f"The neutral player passed: {good} {value}")
    says(page, "Ada: sell, trade, bribe, ask for an audience, buy or pass.")
    picture(page).locator("input[type=checkbox]").first.check()
    expect(about(page, "act-barter")).to_contain_text("goes under the draw pile, and a card is drawn")
    act(page, "act-barter")
    says(page, "Ada: take a turn of the neutral too, or none.")
    act(page, "act-done")
    typed = part(page, "type").locator("input")
    typed.fill("buy 1")
    typed.press("Enter")
    expect(part(page, "moves")).to_contain_text("You spent 1 safeguard and drew 1 card.")


def test_five_players_look_well_in_both_themes_and_in_narrow_and_wide_windows(run_notebook, looks_well):
    page = run_notebook(BEGIN, CROWD)
    tick(page, "silk 3", "silk 5", "silk 7", "silk 8")
    looks_well("ticked")
    act(page, "act-offer-1")
    says(page, "Maximiliana: accept the answer of Bartholomew, or decline.")
    looks_well("talk")
