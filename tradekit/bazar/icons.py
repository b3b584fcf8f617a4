"""Drawings of Bazar: cut stones, the die, and the sign of the table.

A stone is told by its colour, its cut and its letter. It is drawn once in the style sheet (`sheet`); on the page it is
one short element.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Final

from markupsafe import Markup

from tradekit.i18n import ngettext
from tradekit.show import components
from tradekit.show.html import element
from tradekit.show.icons import link
from tradekit.show.sheets import Sheet

_Points = tuple[tuple[int, int], ...]

#: Outline of each stone, clockwise in a square of 48 units, and the flat table on it that carries the letter.
CUTS: Final[dict[str, tuple[str, str]]] = {
    "R": (
        "24 1 36 4 44 12 47 24 44 36 36 44 24 47 12 44 4 36 1 24 4 12 12 4",
        "24 9 34 13 39 24 34 35 24 39 14 35 9 24 14 13",
    ),
    "W": ("24 0 45 12 45 36 24 48 3 36 3 12", "24 9 38 17 38 31 24 39 10 31 10 17"),
    "B": ("8 3 40 3 45 8 45 40 40 45 8 45 3 40 3 8", "12 11 36 11 37 12 37 36 36 37 12 37 11 36 11 12"),
    "G": ("6 4 42 4 47 10 45 25 35 38 24 46 13 38 3 25 1 10", "11 11 37 11 39 14 37 24 31 33 24 38 17 33 11 24 9 14"),
    "Y": ("24 0 48 24 24 48 0 24", "24 9 39 24 24 39 9 24"),
}
#: Colour of each stone, of its rim, and of the dashes where it is missing: a contrast of 3 : 1 on every surface.
FILLS: Final = {
    "R": ("#c4352a", "#7d1a13", "#d9564a"), "W": ("#f4f0e6", "#77705f", "#8f8879"),
    "B": ("#2a69b5", "#153f74", "#4f8fd8"), "G": ("#217f4a", "#0e4d2a", "#3d9a62"),
    "Y": ("#f1c232", "#8a6608", "#b0850f"),
}  # fmt: skip
LETTERED: Final = 14  #: pixels from which a stone shows its letter


def stones(
    letters: str, *, size: int | None = None, missing: bool = False, fresh: Collection[int] = (), label: str = ""
) -> Markup:
    """Return a row of stones, which a screen reader names at once.

    `fresh`: places in the row of those that have just come. `missing`: drawn as dashes. `size` in pixels, otherwise
    that of the surroundings (24). `label` is what is read out, by default `spoken(letters)`.

    >>> print(stones("WG", fresh=[1]))
    <span class="tk-stone-row" role="img" aria-label="1 white, 1 green"><b class="tk-w">W</b><b
    class="tk-g tk-st-fresh">G</b></span>
    >>> print(stones("R", size=12, missing=True, label="short of 1 red"))
    <span class="tk-stone-row tk-st-bare" style="--s: 12px" role="img" aria-label="short of 1 red"><b ...>R</b></span>
    """
    cells = [
        element("b", letter, class_=f"tk-{letter.lower()}" + " tk-st-miss" * missing + " tk-st-fresh" * (at in fresh))
        for at, letter in enumerate(letters)
    ]
    return element(
        "span",
        cells,
        class_="tk-stone-row" + " tk-st-bare" * (size is not None and size < LETTERED),
        style=f"--s: {size}px" if size else None,
        role="img",
        aria_label=label or spoken(letters),
    )


def spoken(letters: str) -> str:
    """Return stones in words, in the order in which their colours come.

    >>> spoken("WWG")
    '2 white, 1 green'
    """
    words = {
        "R": lambda n: ngettext("{n} red", "{n} red", n),
        "W": lambda n: ngettext("{n} white", "{n} white", n),
        "B": lambda n: ngettext("{n} blue", "{n} blue", n),
        "G": lambda n: ngettext("{n} green", "{n} green", n),
        "Y": lambda n: ngettext("{n} yellow", "{n} yellow", n),
    }
    counts = {letter: letters.count(letter) for letter in letters}
    return ", ".join(words[letter](n).format(n=n) for letter, n in counts.items())


def stone(letter: str) -> str:
    """Return a cut stone as SVG text: light falls on it from above, a little from the left."""
    outline, table = (_points(part) for part in CUTS[letter])
    fill, rim, _dashes = FILLS[letter]
    tones: dict[float, str] = {}  # facets of the same tone are one path
    for a, b in zip(outline, (*outline[1:], outline[0]), strict=True):
        light = (24 - (a[1] + b[1]) / 2 - ((a[0] + b[0]) / 2 - 24) / 2) / 30
        tone = round(max(-2, min(2, light * 2.7))) / 5
        corners = " ".join(f"{x:g} {y:g}" for x, y in (a, b, _nearest(b, table), _nearest(a, table)))
        tones[tone] = tones.get(tone, "") + f"M{corners}z"
    facets = "".join(
        f'<path d="{path}" fill="{"#fff" if tone > 0 else "#000"}" opacity="{abs(tone):g}"/>'
        for tone, path in tones.items()
        if tone
    )
    return _drawing(
        f'<path d="M{CUTS[letter][0]}z" fill="{fill}" stroke="{rim}" stroke-width="1.6"/>{facets}'
        f'<path d="M{CUTS[letter][1]}z" fill="{fill}" stroke="#fff" stroke-opacity=".3"/>'
    )


def missing_stone(letter: str) -> str:
    """Return the place of a missing stone as SVG text: its outline in dashes."""
    dashes = FILLS[letter][2]
    return _drawing(
        f'<path d="M{CUTS[letter][0]}z" fill="{dashes}" fill-opacity=".12" stroke="{dashes}" stroke-width="3.4" '
        'stroke-dasharray="6 4"/>'
    )


def _drawing(shapes: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 50 50">{shapes}</svg>'


def _points(text: str) -> _Points:
    numbers = [*map(int, text.split())]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _nearest(point: tuple[int, int], corners: _Points) -> tuple[int, int]:
    return min(corners, key=lambda corner: (corner[0] - point[0]) ** 2 + (corner[1] - point[1]) ** 2)


def die() -> Markup:
    """Return the die: a star, a blue and a red face."""
    return Markup(
        '<svg viewBox="0 0 48 48" width="52" height="52" aria-hidden="true">'
        '<path d="M24 2l20 10v22L24 46 4 34V12z" fill="#fffaf0" stroke="#0004"/>'
        '<path d="M24 24l20-12v22L24 46z" fill="#d9cdb4"/><path d="M24 24L4 12v22l20 12z" fill="#efe6d2"/>'
        '<path d="M24 7l2 4 5 .7-3.6 3 .9 4.3-4.3-2-4.3 2 .9-4.3-3.6-3 5-.7z" fill="#8a5a00"/>'
        '<ellipse cx="14" cy="29" rx="4.5" ry="6" fill="#2a69b5"/>'
        '<ellipse cx="34" cy="29" rx="4.5" ry="6" fill="#c4352a"/></svg>'
    )


def logo() -> Markup:
    """Return the sign of the table: a stall with its awning."""
    return Markup(
        '<svg class="tk-logo" viewBox="0 0 26 18" aria-hidden="true">'
        '<path fill="var(--awning)" d="M3 1h20l3 8a3 3 0 01-5.2 1.5 3 3 0 01-5.2 0 3 3 0 01-5.2 0 3 3 0 01-5.2 0'
        'A3 3 0 010 9z"/><path fill="var(--canvas)" d="M8 1h3.3l-.8 9.5a3 3 0 01-5.2 0zM14.7 1H18l2.7 9.5'
        'a3 3 0 01-5.2 0z"/><path fill="var(--awning)" d="M3 12h2v6H3zM21 12h2v6h-2z"/></svg>'
    )


@cache
def sheet() -> Sheet:
    """Return the style sheet of everything that Bazar draws."""
    drawn = "\n".join(
        f".tk-stone-row .tk-{letter.lower()} {{ background-image: {link(stone(letter))} }}\n"
        f".tk-stone-row .tk-st-miss.tk-{letter.lower()} {{ background-image: {link(missing_stone(letter))} }}"
        for letter in CUTS
    )
    return components.sheet() + Sheet.read("tradekit.bazar", "board.css") + Sheet(drawn)
