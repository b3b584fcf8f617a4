"""Style sheets of widgets reach the whole window of JupyterLab, where other widgets are."""

import re

import pytest

import tradekit
from tradekit import auctions, bazar, theme
from tradekit.widgets import page_widget

MADE = {
    "explorer": lambda: bazar.explore(cards=(1, 4)),
    "table": lambda: tradekit.play(bazar.new(players=1, cards=(1, 4), seed=7), {0: "me"}),
    "lab": auctions.lab,
    "bidding": auctions.bidding_game,
}
OF_ALL = re.compile(r"\[data-part|\.tk-live|^[a-z]+\b")  # shared with pages of other kinds


def sheets_of(*names):
    return page_widget.style(*names, package="tradekit.bazar" if names[-1] == "explorer" else "tradekit.widgets")


@pytest.mark.parametrize("name", MADE)
def test_a_sheet_speaks_of_its_own_pages_alone(name):
    """Otherwise a laboratory would lay out the parts of a table next to it, since both have parts of the same names."""
    sheet = re.sub(r"/\*.*?\*/", "", sheets_of(name).removeprefix(theme.CSS), flags=re.DOTALL)
    selectors = [one.strip() for some in re.findall(r"([^{}]+)\{", sheet) for one in some.split(",")]
    selectors = [one for one in selectors if not one.startswith("@")]
    assert len(selectors) > 5
    assert not [one for one in selectors if OF_ALL.search(one) and f".tk-{name}" not in one]


@pytest.mark.parametrize("name", MADE)
def test_a_page_has_the_class_of_each_of_its_sheets(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where a table keeps its game
    page = MADE[name]()
    assert page.sheets[-1] == name and page._css == sheets_of(*page.sheets)
    assert page.kind.split() == [f"tk-{sheet}" for sheet in page.sheets]
    assert f'class="tk {page.kind} tk-still"' in page._repr_html_()
