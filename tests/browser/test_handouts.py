"""Handouts as a browser prints them."""

import pytest

from tradekit import handouts
from tradekit.exercises.checking import EXERCISES

A4 = 794 - 2 * 57  # CSS pixels: the width of the sheet minus margins of 15 mm

WIDER = """() => [...document.querySelectorAll('.handout *')].filter(it => it.scrollWidth > it.clientWidth + 1
    && getComputedStyle(it).display !== 'inline' || it.getBoundingClientRect().right > innerWidth + 1)
    .map(it => it.outerHTML.slice(0, 200))"""


@pytest.fixture
def sheet(chromium):
    page = chromium.new_page(viewport={"width": A4, "height": 1000})
    page.emulate_media(media="print")
    yield page
    page.close()


def test_exercises_fit_the_sheet(sheet):
    fit_the_sheet(sheet, EXERCISES)


def test_exercises_fit_the_sheet_in_spanish(sheet, spanish):
    fit_the_sheet(sheet, [name for name in EXERCISES if name[:2] in {"01", "02", "05", "06", "11"}])


def fit_the_sheet(sheet, names):
    for name in sorted(names):
        sheet.set_content(handouts.exercise(name).html)
        assert not sheet.evaluate(WIDER), name
