"""Components, icons and their sheets: legible in both themes, ours alone, and small where they travel."""

import re
from itertools import product
from xml.etree import ElementTree

import pytest

from tradekit import theme
from tradekit.bazar import icons as bazar
from tradekit.show import components, icons
from tradekit.show.sheets import Sheet
from tradekit.silk import icons as silk
from tradekit.turin import Deck
from tradekit.turin import icons as turin
from tradekit.widgets.still import picture

from ..gallery import PAGES
from ..test_theme import contrast

SHEETS = {"components": components.sheet(), "bazar": bazar.sheet(), "turin": turin.sheet(), "silk": silk.sheet()}
DRAWN = icons.ICONS | turin.ICONS | silk.ICONS
PAINTED = {name: pair for name, pair in theme.COLOURS.items() if pair[0].startswith("#")}

# Texts and the surfaces they are shown on.
SURFACES = ("cloth", "card", "hollow")
SOFT = ("act-soft", "hint-soft", "fresh-soft")
LEGIBLE = [
    *product(("ink", "quiet"), (*SURFACES, *SOFT)),
    ("cloth", "ink"),  # the words that say why not
    *((f"on-{name}", name) for name in ("act", "hint", "fresh", "awning", "w1", "w2", "w3", "w4", "w5")),
    *product(("act",), ("cloth", "card", "act-soft")),
    *product(("hint",), ("cloth", "card", "hint-soft")),
    ("fresh", "card"),
    ("loss", "card"),
    ("gain", "card"),
    ("gold", "card"),
    *((f"p{n}", "card") for n in range(1, 7)),  # the letter of a seat is drawn in the card's colour
    *((f"g{n}", "card") for n in range(1, 10)),
    *((f"c{n}", "card") for n in range(1, 4)),
]


def plain_rules(name):
    """A whole sheet without its at-rules, and with the rules in them."""
    whole = SHEETS[name].whole()
    return re.sub(r"@(media|container)[^{]*\{", "", re.sub(r"@keyframes[^{]*\{.*?\}\}", "", whole))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "surface"), LEGIBLE, ids="-on-".join)
def test_a_text_is_legible_on_its_surface(text, surface, dark):
    assert contrast(theme.COLOURS[text][dark], theme.COLOURS[surface][dark]) >= 4.5


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_control_is_told_from_what_it_lies_on(dark):
    """WCAG 1.4.11: the outline of a button, and the bar of a list, 3 : 1."""
    for mark, ground in product(("edge", "act", "hint"), ("card", "cloth")):
        assert contrast(theme.COLOURS[mark][dark], theme.COLOURS[ground][dark]) >= 3, (mark, ground)


def test_colours_of_seats_and_of_series_differ():
    for names in (["p1", "p2", "p3", "p4", "p5", "p6"], ["c1", "c2", "c3"], [f"g{n}" for n in range(1, 10)]):
        for dark in (0, 1):
            assert len({theme.COLOURS[name][dark] for name in names}) == len(names)


@pytest.mark.parametrize("name", SHEETS)
def test_every_class_has_our_prefix_and_stands_within_our_page(name):
    for head in re.findall(r"([^{}]+)\{", plain_rules(name)):
        for selector in re.split(r",(?![^()]*\))", head.strip()):
            assert selector.strip().startswith((".tk", *(f"{mark} .tk" for mark in theme._DARK))), selector
            assert not re.search(r"\.(?!tk\b|tk-|vscode-dark)[a-z]", selector), selector
    for keyframes in re.findall(r"@keyframes (\S+?)\{", SHEETS[name].whole()):
        assert keyframes.startswith("tk-")


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_read_by_older_engines_and_asks_nobody(name):
    whole = SHEETS[name].whole()
    assert "light-dark(" not in whole and "color-mix(" not in whole and ":has(" not in whole
    assert whole.count("{") == whole.count("}")
    assert not re.search(r"@import|</", whole)
    assert {found[:5] for found in re.findall(r'url\("?([^")]*)', whole)} <= {"data:", "%23m"}


def test_components_write_no_colour_of_their_own():
    """All colours are tokens; black with some transparency is shade, on whatever it falls."""
    source = re.sub(r"/\*.*?\*/", "", Sheet.read("tradekit.show", "components.css").source, flags=re.DOTALL)
    assert {*re.findall(r"#[0-9a-f]{3,8}\b", source)} <= {"#000", "#0000", "#0003", "#0004"}


@pytest.mark.parametrize("name", SHEETS)
def test_every_token_that_is_used_is_defined(name):
    whole = SHEETS[name].whole()
    defined = {*theme.COLOURS, *theme.SIZES, *re.findall(r"[{;\s]--([\w-]+):", whole)}
    on_the_page = {"v", "n", "i", "most"}  # a length, a number: in the style of the element itself
    assert {*re.findall(r"var\(--([\w-]+)", whole)} - defined <= on_the_page


def test_tokens_come_in_plain_blocks_light_unless_a_page_says_dark():
    css = theme.tokens(["ink"])
    light, dark = theme.COLOURS["ink"]
    first, second, *others = css.splitlines()
    assert first == f".tk{{color-scheme:light;--ink:{light}}}"
    assert second.endswith(f"{{color-scheme:dark;--ink:{dark}}}")
    for mark in ('[data-jp-theme-light="false"]', "body.vscode-dark", 'html[theme="dark"]', 'html[data-theme="dark"]'):
        assert f"{mark} .tk" in second
    assert others[0].startswith("@media (prefers-color-scheme: dark){.tk.tk-phone{")


@pytest.mark.parametrize("name", DRAWN)
def test_an_icon_is_a_picture_of_its_own_and_silent(name):
    drawn = ElementTree.fromstring(icons.drawing(DRAWN[name]))
    assert drawn.get("viewBox") == "0 0 24 24"
    assert 'aria-hidden="true"' in icons.icon(name)
    assert any(f".tk-ic-{name}{{" in sheet.whole() for sheet in SHEETS.values())


@pytest.mark.parametrize("letter", "RWBGY")
def test_BZ_1_a_stone_is_drawn_with_a_cut_of_its_own(letter):
    for svg in (bazar.stone(letter), bazar.missing_stone(letter)):
        assert ElementTree.fromstring(svg).get("viewBox") == "-1 -1 50 50"
    assert len({cut for cut, _table in bazar.CUTS.values()}) == 5
    assert "stroke-dasharray" in bazar.missing_stone(letter)


@pytest.mark.parametrize("drawn", [bazar.die, bazar.logo, icons.cup])
def test_a_drawing_is_silent_and_scales(drawn):
    svg = ElementTree.fromstring(drawn())
    assert svg.get("aria-hidden") == "true" and svg.get("viewBox")


@pytest.mark.parametrize(("size", "letters"), [(14, True), (13, False), (None, True)])
def test_a_small_stone_has_no_letter_but_its_cut_and_its_name(size, letters):
    row = bazar.stones("RW", size=size)
    assert ("tk-st-bare" not in row) == letters
    assert 'aria-label="1 red, 1 white"' in row


def test_TU_1_every_good_of_the_house_deck_is_drawn_and_an_unknown_one_shows_two_letters():
    house = Deck.house()
    for place, good in enumerate(house.goods):
        assert f"tk-ic-{good.name}" in turin.good(house, place)


def test_a_page_escapes_what_people_type():
    page = components.page(
        components.header("", "<i>", "<b>"),
        components.sentence("<s>", badge=components.seat(0, "<u>")),
        components.button("say", '"><script>', "<p>", label='"', why="<q>"),
    )
    assert not re.search(r"<(i|b|s|u|p|q|script)>", page)
    assert ElementTree.fromstring(page) is not None


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_well_formed_and_every_class_of_it_has_a_rule(name):
    html, sheet = PAGES[name]()
    text = re.sub(r"<(input|br)([^>]*?)( checked)?>", r"<\1\2/>", html)
    used = {one for element in ElementTree.fromstring(text).iter() for one in element.get("class", "").split()}
    ruled = {*re.findall(r"\.(tk[\w-]*)", sheet.whole())}
    assert used - ruled <= {"tk-over", "tk-talk"}


@pytest.mark.parametrize("name", PAGES)
def test_a_still_output_carries_only_what_it_uses(name):
    html, sheet = PAGES[name]()
    shown = picture(html)
    css = sheet.used_by(shown)
    classes = {one for found in re.findall(r'class="([^"]*)"', shown) for one in found.split()}
    outside_brackets = re.sub(r"\([^()]*\)", "", css)
    assert {*re.findall(r"\.(tk-[\w-]+)", outside_brackets)} <= classes
    assert {*re.findall(r"\.tk-ic-([\w-]+)", css)} == {one[6:] for one in classes if one.startswith("tk-ic-")}
    assert not re.search(r"@keyframes|animation|transition|:hover|:focus|data-why", css)
    assert {*re.findall(r"var\(--([\w-]+)\)", css)} & {*theme.COLOURS} <= {*re.findall(r"--([\w-]+):", css)}


@pytest.mark.parametrize("name", PAGES)
def test_a_still_sheet_leaves_room_in_25_kilobytes(name):
    html, sheet = PAGES[name]()
    assert len(sheet.used_by(picture(html)).encode()) <= 20_000  # of a page that shows all there is


@pytest.mark.parametrize("name", SHEETS)
def test_a_whole_sheet_stays_small(name):
    assert len(SHEETS[name].whole().encode()) <= 45_000


def test_in_forced_colours_bars_and_marks_have_borders():
    block = re.search(r"@media \(forced-colors: active\)\{(.*?\})\}", components.sheet().whole())[1]
    for name in ("tk-bar", "tk-chip", "tk-badge", "tk-seat", "tk-btn-go", "tk-do", "tk-lead", "tk-tied"):
        assert re.search(rf"\.{name}\b[^{{}}]*\{{[^}}]*border", block), name


@pytest.mark.parametrize(("game", "told"), [("bazar", "tk-lit"), ("turin", "tk-amount"), ("silk", "tk-vcard")])
def test_in_forced_colours_what_is_possible_or_chosen_has_a_border(game, told):
    own = SHEETS[game].source.removeprefix(components.sheet().source)
    assert re.search(rf"@media \(forced-colors: active\) \{{[^@]*\.{told}[^@]*border", own)


def test_with_reduced_motion_nothing_moves():
    block = re.search(r"@media \(prefers-reduced-motion: reduce\)\{(.*?)\}\}", components.sheet().whole())[1]
    assert "animation:none !important" in block and "transition:none !important" in block


def test_a_control_that_cannot_be_used_says_why_and_keeps_the_focus():
    off = components.not_now("Buy", why="You are short of a white stone.", key="k")
    assert 'aria-disabled="true"' in off and "tabindex" not in off and " disabled" not in off
    assert 'aria-description="You are short of a white stone."' in off
    assert 'data-why="You are short of a white stone."' in off
    assert "data-do" not in off


@pytest.mark.parametrize(
    ("css", "html", "kept"),
    [
        (".tk-a .tk-b { margin: 0 }", '<p class="tk-a">', False),
        (".tk-a .tk-b { margin: 0 }", '<p class="tk-a tk-b">', True),
        (".tk-a, .tk-b { margin: 0 }", '<p class="tk-b">', True),
        (".tk-a:is(.tk-b, .tk-c) { margin: 0 }", '<p class="tk-a tk-c">', True),
        (".tk-a:is(.tk-b, .tk-c) { margin: 0 }", '<p class="tk-a">', False),
        (".tk-a:not(.tk-b) { margin: 0 }", '<p class="tk-a">', True),
        (".tk-a summary { margin: 0 }", '<p class="tk-a">', False),
        (".tk-a:hover { margin: 0 }", '<p class="tk-a">', False),
        ('.tk-a[data-why="x"] { margin: 0 }', '<p class="tk-a">', False),
        (".tk-a { transition: color 1s }", '<p class="tk-a">', False),
        ("@media print { .tk-a { margin: 0 } }", '<p class="tk-a">', True),
        ("@media print { .tk-b { margin: 0 } }", '<p class="tk-a">', False),
        ("@keyframes tk-x { from { margin: 0 } }", '<p class="tk-a">', False),
    ],
)
def test_which_rules_a_still_output_keeps(css, html, kept):
    assert ("margin" in Sheet(css).used_by(html)) == kept
    assert "margin" in Sheet(css).whole() or "transition" in css


def test_a_size_is_written_out_where_that_is_shorter():
    assert Sheet(".tk-a { gap: var(--s3) }").used_by('<p class="tk-a">') == ".tk.tk .tk-a{gap:12px}"
