"""The gallery in Chromium: sizes of targets, contrast and names as axe sees them, nothing cut off, forced colours."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tradekit.widgets.still import picture

from ..conftest import AXE
from ..gallery import PAGES
from ..looks import document
from .conftest import set_theme

# Controls lower than `least` or wider than the page; small marks next to others are not targets.
LOW = """least => [...document.querySelectorAll('.tk button, .tk summary')]
    .filter(it => it.getClientRects().length && it.getBoundingClientRect().height < least - .5)
    .map(it => it.outerHTML.slice(0, 120))"""
WIDE = "document.documentElement.scrollWidth - innerWidth"
LONGER = """() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), all = [];
    while (texts.nextNode()) all.push(texts.currentNode);
    for (const text of all)
        text.data = text.data.replace(/[a-z]{4,}/g, word => word + 'aoeu'.slice(0, Math.round(word.length / 4)));
}"""


@pytest.fixture
def gallery(page):
    """A function gallery(name, theme, width) -> page that shows a page of the gallery."""

    def show(name, theme="light", width=1100):
        html, sheet = PAGES[name]()
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(reduced_motion="reduce")
        page.set_content(document(html, sheet.whole(), theme))
        return page

    return show


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(gallery, name, theme):
    page = gallery(name, theme)
    violations = Axe().run(page, context=".tk", options=AXE).response["violations"]
    assert not violations, [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in violations]


@pytest.mark.parametrize("name", PAGES)
def test_targets_are_32_pixels_high_on_a_desk_and_44_where_it_is_narrow(gallery, name):
    assert not gallery(name).evaluate(LOW, 32)
    assert not gallery(name, width=390).evaluate(LOW, 44)


def test_targets_are_44_pixels_high_under_a_finger(chromium):
    context = chromium.new_context(viewport={"width": 1100, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    html, sheet = PAGES["components"]()
    page.set_content(document(html, sheet.whole(), "light"))
    assert page.evaluate("matchMedia('(pointer: coarse)').matches")
    assert not page.evaluate(LOW, 44)
    context.close()


@pytest.mark.parametrize("width", [1100, 850, 390])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_the_page_with_words_a_quarter_longer_either(gallery, name, width):
    page = gallery(name, width=width)
    assert page.evaluate(WIDE) <= 0
    page.evaluate(LONGER)
    assert page.evaluate(WIDE) <= 0


def test_a_control_that_cannot_be_used_takes_the_focus_and_says_why(gallery):
    page = gallery("components")
    off = page.locator("[data-key=a8]")
    off.focus()
    assert page.evaluate("document.activeElement.dataset.key") == "a8"
    said = off.evaluate("it => getComputedStyle(it, '::after').content")
    assert said == '"You are short of a white stone."'


def test_the_themes_differ_and_tokens_stay_within_our_page(gallery):
    for theme, ink in (("light", "rgb(35, 30, 23)"), ("dark", "rgb(242, 238, 230)")):
        page = gallery("components", theme)
        assert page.locator(".tk-turn").evaluate("it => getComputedStyle(it).color") == ink
        assert page.evaluate("getComputedStyle(document.body).getPropertyValue('--ink')") == ""


def test_in_forced_colours_bars_are_seen(gallery):
    page = gallery("components")
    page.emulate_media(forced_colors="active")
    bar, part = page.locator(".tk-bar").first, page.locator(".tk-bar i").first
    ground = page.locator(".tk-page").evaluate("it => getComputedStyle(it).backgroundColor")
    assert bar.evaluate("it => getComputedStyle(it).borderTopWidth") == "1px"
    assert part.evaluate("it => getComputedStyle(it).backgroundColor") != ground


def test_our_lists_keep_their_looks_in_the_output_of_a_cell(gallery):
    """JupyterLab's rule for lists in outputs, word by word, does not reach ours."""
    page = gallery("components")
    page.evaluate("""() => {
        document.querySelector('.tk').parentElement.classList.add('jp-RenderedHTMLCommon');
        document.head.insertAdjacentHTML('beforeend', `<style>
            .jp-RenderedHTMLCommon ul:not(.list-inline), .jp-RenderedHTMLCommon ol:not(.list-inline) {
                padding-left: 2em }
            .jp-RenderedHTMLCommon p { margin: 0 0 1em } .jp-RenderedHTMLCommon h3:first-child { margin-top: 1em }
        </style>`);
    }""")
    for selector in (".tk-news", ".tk-log ol", ".tk-bars"):
        assert page.locator(selector).first.evaluate("it => getComputedStyle(it).paddingLeft") == "0px"
    assert page.locator(".tk-turn").evaluate("it => getComputedStyle(it).marginBottom") == "0px"
    assert page.locator("h3.tk-head").first.evaluate("it => getComputedStyle(it).marginTop") == "0px"


def test_a_still_output_in_jupyterlab_follows_its_theme_and_keeps_its_looks(run_notebook, shot):
    """The rules of the real JupyterLab for outputs; a theme changed later needs no new drawing."""
    html, sheet = PAGES["turin"]()
    shown = picture(html)
    page = run_notebook(
        f"from IPython.display import HTML\nHTML({f'<style>{sheet.used_by(shown)}</style>{shown}'!r})", width=1280
    )
    board = page.locator(".tk-page")
    for theme, ink in (("JupyterLab Light", "rgb(35, 30, 23)"), ("JupyterLab Dark", "rgb(242, 238, 230)")):
        set_theme(page, theme)
        shot(theme, board)
        assert page.locator(".tk-turn").evaluate("it => getComputedStyle(it).color") == ink
    look = "it => { const s = getComputedStyle(it); return [s.paddingLeft, s.marginTop, s.marginBottom] }"
    for selector in (".tk-news", ".tk-reveal", ".tk-places"):
        assert page.locator(selector).first.evaluate(look)[0] == "0px"
    assert page.locator(".tk-turn").evaluate(look) == ["0px", "0px", "0px"]
    row = page.locator(".tk-major tbody tr").nth(1)
    assert row.evaluate("it => getComputedStyle(it).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.locator(".tk-major td").first.evaluate("it => getComputedStyle(it).textAlign") == "center"
