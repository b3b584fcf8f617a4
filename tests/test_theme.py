"""Colours that everybody can read: contrast by the formula of WCAG 2.2, differences that remain in grey."""

import json
import re
from itertools import combinations

import pytest

from tradekit import theme


def luminance(colour):
    """Return the relative luminance of "#rrggbb" (WCAG 2.2, "relative luminance")."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    """Return the contrast ratio, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_formula_itself():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # the textbook's grey that just fails


def test_BZ_1_the_five_colours_in_their_order():
    assert "".join(theme.STONES) == "RWBGY"


@pytest.mark.parametrize("colour", theme.STONES)
def test_a_letter_is_legible_on_its_stone(colour):
    fill, letter = theme.STONES[colour]
    assert contrast(fill, letter) >= 4.5


@pytest.mark.parametrize("good", range(len(theme.GOODS)))
def test_letters_are_legible_on_the_mark_of_their_good(good):
    """TU-1: there are nine."""
    fill, letters = theme.GOODS[good]
    assert contrast(fill, letters) >= 4.5
    assert len(theme.GOODS) == len(set(theme.GOODS)) == 9


@pytest.mark.parametrize("mark", [theme.ACCENT, theme.SECOND, theme.QUIET, *theme.SERIES])
def test_marks_stand_out_on_paper(mark):
    assert contrast(mark, theme.PAPER) >= 3


def test_ink_is_legible_on_paper_and_on_the_heat_map():
    for ground in (theme.PAPER, *theme.RAMP):
        assert contrast(theme.INK, ground) >= 4.5


@pytest.mark.parametrize(("one", "other"), list(combinations(theme.SERIES, 2)))
def test_series_are_told_apart_in_grey(one, other):
    assert contrast(one, other) >= 1.15


def test_series_do_not_repeat():
    assert len(set(theme.SERIES)) == len(theme.SERIES)


def test_style_sheet_paints_every_stone_with_its_pair():
    for colour, (fill, letter) in theme.STONES.items():
        assert f".tk-{colour} {{ background: {fill}; color: {letter}; }}" in theme.CSS
    assert theme.CSS.count("{") == theme.CSS.count("}")
    assert not re.search(r"@import|url\(|</", theme.CSS)  # nothing from elsewhere, and nothing that ends a <style>


def test_chart_configuration_is_plain_json():
    assert json.loads(json.dumps(theme.VEGA_CONFIG)) == theme.VEGA_CONFIG
    assert theme.VEGA_CONFIG["background"] == theme.PAPER
    assert theme.VEGA_CONFIG["range"]["category"] == list(theme.SERIES)
    for guide in ("axis", "legend", "header"):
        assert {theme.VEGA_CONFIG[guide][text] for text in ("labelColor", "titleColor")} == {theme.INK}
