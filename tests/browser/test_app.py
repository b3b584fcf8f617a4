"""The widgets as pages of their own: `tradekit app`, as a person starts it, with no other host within reach."""

import pytest
from playwright.sync_api import expect

from ..serving import kernels, served
from .conftest import sound
from .test_table import live, part


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """`tradekit app` as it is: the address of its pages, and its process."""
    with served(tmp_path_factory.mktemp("app")) as started:
        yield started


@pytest.fixture
def site(app):
    return app[0]


def test_pages_show_their_widgets_offline(page, site, shot):
    page.goto(site)
    sound(page, "body")
    shot("front")
    links = page.get_by_role("link").all_inner_texts()
    assert len(links) == 6
    for name in links[::2]:  # a kernel for each; the contents of the others are tested without a browser
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(name, timeout=60_000)
        expect(page.locator(".tk-live:not(.tk-still)")).to_be_visible(timeout=60_000)
        expect(page).to_have_title(name)
        shot(name)
        page.get_by_role("link", name="All pages").click()


def test_a_game_is_played_there(page, site):
    page.goto(site)
    page.get_by_role("link", name="Bazar", exact=True).click()
    live(page).first.click(timeout=60_000)
    expect(part(page, "news")).to_contain_text("You ")
    expect(part(page, "moves")).to_contain_text("You rolled the die.")
    page.reload()  # a new kernel
    expect(part(page, "moves")).to_contain_text("You rolled the die.", timeout=60_000)


def test_a_kernel_ends_when_its_visitor_leaves(page, app):
    """This includes a visitor who came by a link and not by the front page; it happens long before idle kernels end."""
    site, process = app
    before = kernels(process)  # of pages that a test has closed, as no browser does
    page.context.clear_cookies()
    others = [page.context.new_page() for _visitor in range(2)]
    for visitor in (page, *others):
        visitor.goto(f"{site}voila/render/explorer.ipynb")
        expect(visitor.locator('.tk-live[data-state="live"]')).to_be_visible(timeout=60_000)
    assert len({*kernels(process)} - {*before}) == 3
    for visitor in others:
        visitor.close(run_before_unload=True)
    page.goto(site)
    for _second in range(30):
        if {*kernels(process)} <= {*before}:
            break
        page.wait_for_timeout(1000)
    assert {*kernels(process)} <= {*before}
