"""Colours, type and spacing of every chart, table and widget, in one place.

Components (`show.components`) draw with the tokens of `tokens()`: no other colour is written in a style sheet. Pages
that are not yet made of components use `CSS` (class names start with ``tk-``) and take text and background from
Jupyter's own ``--jp-*`` variables; charts use `VEGA_CONFIG`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

#: Fill and letter of a stone by colour. Every pair has a contrast of at least 4.5 : 1 (tested).
STONES: Final[dict[str, tuple[str, str]]] = {
    "R": ("#bf3326", "#ffffff"),
    "W": ("#f6f3ea", "#1f2328"),
    "B": ("#2b62a8", "#ffffff"),
    "G": ("#2f7a4a", "#ffffff"),
    "Y": ("#f0c237", "#1f2328"),
}

#: Fill and letters of a good's mark, by its place on the payout card; every pair has a contrast of at least 4.5 : 1.
GOODS: Final[tuple[tuple[str, str], ...]] = (
    ("#5b4636", "#ffffff"), ("#f0c237", "#1f2328"), ("#5f3585", "#ffffff"), ("#2b62a8", "#ffffff"),
    ("#c79a67", "#1f2328"), ("#8a2f2a", "#ffffff"), ("#f6e9b8", "#1f2328"), ("#dfe6ec", "#1f2328"),
    ("#e58a3c", "#1f2328"),
)  # fmt: skip

#: Marks of charts: the accent first, then other series. Legible on white and told apart without hue (tested).
ACCENT: Final = "#2b62a8"
SECOND: Final = "#d9722c"
QUIET: Final = "#6b7280"
SERIES: Final = (ACCENT, SECOND, "#36915a", "#5f3585", QUIET)
SERIES_DARK: Final = ("#7db0ee", "#f0995e", "#74c791", "#c7a3e6", "#a3abb7")  #: the same on a dark page
GRID: Final = "#e5e7eb"
NOTHING: Final = "#d1d5db"  #: missing value in a heat map
RAMP: Final = ("#eff4fb", "#7ba6da")  #: heat maps, from few to many; ink is legible on all of it
PAPER: Final = "#ffffff"  #: charts are printed on paper, in both themes
INK: Final = "#1f2328"

#: Tokens that depend on the theme: light and dark. Three colours mean something and are used for nothing else: act (you
#: can do this), hint (the tool advises it) and fresh (it has just happened). Every pair of a text and the surface that
#: it stands on has a contrast of at least 4.5 : 1 (tested).
COLOURS: Final[dict[str, tuple[str, str]]] = {
    # surfaces: a cloth on the table, cards lying on it, hollows in it
    "cloth": ("#f5f0e4", "#1a1d21"), "card": ("#fffdf8", "#262a30"), "hollow": ("#ebe4d3", "#121518"),
    "line": ("#d8cdb6", "#3b4149"), "edge": ("#8c7f68", "#7d8490"),
    "ink": ("#231e17", "#f2eee6"), "quiet": ("#5f5647", "#b4aea3"),
    "shadow": ("0 1px 2px #5a4a2a33", "0 1px 2px #0009"), "lift": ("0 3px 10px #5a4a2a40", "0 4px 12px #000a"),
    # meaning
    "act": ("#0b6660", "#5cc9bd"), "on-act": ("#ffffff", "#06231f"), "act-soft": ("#dcefeb", "#17383a"),
    "hint": ("#66379b", "#caa8ff"), "on-hint": ("#ffffff", "#22103c"), "hint-soft": ("#efe5fa", "#352a48"),
    "fresh": ("#a8480e", "#ffab66"), "on-fresh": ("#ffffff", "#2e1400"), "fresh-soft": ("#fbe6d3", "#45301f"),
    "gain": ("#1b6b3a", "#78d39a"), "loss": ("#a52a1f", "#ff9c8f"), "gold": ("#8a5a00", "#ffd257"),
    "awning": ("#b4532a", "#a04c2a"), "canvas": ("#f1dcb6", "#d9c39c"), "on-awning": ("#ffffff", "#ffffff"),
    # seats, which always show the first letter of the name, too
    "p1": ("#0b6660", "#5cc9bd"), "p2": ("#9a4a12", "#f0a468"), "p3": ("#66379b", "#caa8ff"),
    "p4": ("#2d5f9e", "#8cbcf2"), "p5": ("#7a5a10", "#e2c25c"), "p6": ("#93285c", "#f29ac2"),
    # goods by their place on a list of nine, as ink on a card
    "g1": ("#5b4636", "#cdb39d"), "g2": ("#8f5a00", "#f5bd3e"), "g3": ("#5f3585", "#c3a0ea"),
    "g4": ("#2a62a8", "#8bbaf0"), "g5": ("#8a5c28", "#d9ab78"), "g6": ("#7c2f22", "#e59784"),
    "g7": ("#776409", "#f3e08a"), "g8": ("#5a6570", "#d3dbe3"), "g9": ("#a64b09", "#f7a055"),
    # wares by their place on a list of five, as grounds with their ink
    "w1": ("#b8322c", "#b8322c"), "w2": ("#22784a", "#22784a"), "w3": ("#2a62a8", "#2a62a8"),
    "w4": ("#efcf63", "#efcf63"), "w5": ("#6d3d99", "#6d3d99"),
    "on-w1": ("#ffffff", "#ffffff"), "on-w2": ("#ffffff", "#ffffff"), "on-w3": ("#ffffff", "#ffffff"),
    "on-w4": ("#2a2110", "#2a2110"), "on-w5": ("#ffffff", "#ffffff"),
    # charts: told apart by luminance and by mark as well as by hue
    "c1": ("#0b6660", "#5cc9bd"), "c2": ("#b4532a", "#ffab66"), "c3": ("#66379b", "#caa8ff"),
    "rule": ("#e2d9c6", "#363c44"),
}  # fmt: skip

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"

#: Tokens that both themes share: type, room, corners, height of a control, and motion.
SIZES: Final[dict[str, str]] = {
    "font": FONT,
    "t1": "12px", "t2": "13px", "t3": "15px", "t4": "19px", "t5": "26px", "t6": "40px",
    "s1": "4px", "s2": "8px", "s3": "12px", "s4": "16px", "s5": "24px",
    "r1": "6px", "r2": "10px", "r3": "14px", "round": "999px",
    "touch": "32px", "quick": "120ms", "move": "320ms", "ease": "cubic-bezier(.2, .8, .3, 1)",
}  # fmt: skip

TYPE: Final = ("t1", "t2", "t3", "t4", "t5", "t6")  #: names of the sizes of type
TOUCH: Final = "44px"  #: height of a control under a finger
_DARK: Final = ('[data-jp-theme-light="false"]', "body.vscode-dark", 'html[theme="dark"]', 'html[data-theme="dark"]')

# Colours of every kind of text: a dark JupyterLab makes Vega write text without one in white, and we print on paper.
_GUIDE: Final = {
    "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 500, "labelColor": INK, "titleColor": INK,
}  # fmt: skip

#: Vega-Lite configuration that our charts carry with them; a user's own theme or `.configure()` takes precedence.
VEGA_CONFIG: Final[dict[str, Any]] = {
    "background": PAPER,
    "font": FONT,
    "padding": 8,
    "view": {"stroke": None},
    "range": {"category": list(SERIES), "heatmap": list(RAMP), "ramp": list(RAMP)},
    "axis": {**_GUIDE, "gridColor": GRID, "domainColor": QUIET, "tickColor": QUIET, "labelFlush": False},
    "legend": _GUIDE,
    "header": _GUIDE,
    "facet": {"spacing": 36},  # room between the last label of a panel and the first of the next
    "title": {"fontSize": 14, "fontWeight": 600, "color": INK, "anchor": "start", "subtitleColor": QUIET},
    "mark": {"color": ACCENT},
}  # fmt: skip

_STONE_RULES = "\n".join(
    f".tk-{colour} {{ background: {fill}; color: {letter}; }}" for colour, (fill, letter) in STONES.items()
)


def _series(colours: Sequence[str]) -> str:
    return " ".join(f"--tk-series-{i}: {colour};" for i, colour in enumerate(colours))


CSS: Final = f"""
.tk {{ --tk-accent: {ACCENT}; --tk-focus: #4c8fe0; --tk-wrong: {STONES["R"][0]}; --tk-grid: {GRID};
  {_series(SERIES)} }}
[data-jp-theme-light="false"] .tk {{ --tk-wrong: #ff9d91; --tk-grid: #3d434b; {_series(SERIES_DARK)} }}
.tk {{ font: 13px/1.5 {FONT}; color: var(--jp-ui-font-color1, inherit); max-width: 100%; overflow-x: auto; }}
.tk-stones {{ display: inline-flex; flex-wrap: wrap; gap: 3px; vertical-align: middle; }}
.tk-stone {{ display: inline-flex; align-items: center; justify-content: center; width: 22px; height: 22px;
  box-sizing: border-box; border-radius: 50%; border: 1px solid #6b7280; font: 600 12px/1 {FONT}; }}
.tk-ware {{ display: inline-flex; align-items: center; gap: 6px; padding: 2px 6px; border-radius: 6px;
  border: 1px solid var(--jp-border-color1, #c4c8ce); }}
.tk-star {{ color: var(--jp-ui-font-color1, inherit); }}
.tk-sign {{ margin: 0 6px; color: var(--jp-ui-font-color2, #57606a); }}
.tk-quiet {{ color: var(--jp-ui-font-color2, #57606a); }}
.tk-good {{ border-left: 3px solid {STONES["G"][0]}; padding-left: 8px; }}
.tk-bad {{ border-left: 3px solid {STONES["R"][0]}; padding-left: 8px; }}
.tk table {{ border-collapse: collapse; margin: 4px 0; font-size: 13px; }}
.tk table tr {{ background: none !important; }}
.tk table th, .tk table td {{ padding: 3px 8px 3px 0; text-align: left !important; border: none; background: none;
  white-space: nowrap; }}
.tk td .tk-stones {{ flex-wrap: nowrap; }}
.tk table th {{ font-weight: 600; color: var(--jp-ui-font-color2, #57606a);
  border-bottom: 1px solid var(--jp-border-color1, #c4c8ce); }}
.tk table .tk-number {{ text-align: right !important; font-variant-numeric: tabular-nums; }}
{_STONE_RULES}
""".strip()


def tokens(used: Collection[str] | None = None, *, live: bool = True) -> str:
    """Write the tokens as custom properties of `.tk`, light and dark; with `used` only those named there.

    Plain blocks, because older engines drop every colour written in another way. JupyterLab, VS Code, Colab and
    our documentation say which theme they have. `live` adds what touch screens and phone pages need: these follow the
    system's theme, and count in rem so that text can grow.

    >>> print(tokens(["ink", "t2"]))
    .tk{color-scheme:light;--ink:#231e17;--t2:13px}
    [data-jp-theme-light="false"] .tk,...{color-scheme:dark;--ink:#f2eee6}
    @media (prefers-color-scheme: dark){.tk.tk-phone{color-scheme:dark;--ink:#f2eee6}}
    .tk.tk-phone{--t2:0.8125rem;--touch:44px}
    @media (pointer: coarse){.tk{--touch:44px}}
    """
    pairs = {name: pair for name, pair in COLOURS.items() if used is None or name in used}
    sizes = {name: size for name, size in SIZES.items() if used is None or name in used}
    light = _block("light", {name: pair[0] for name, pair in pairs.items()} | sizes)
    dark = _block("dark", {name: pair[1] for name, pair in pairs.items() if pair[0] != pair[1]})
    lines = [f".tk{light}", f"{','.join(f'{mark} .tk' for mark in _DARK)}{dark}"]
    if live:
        rem = {name: f"{int(size[:-2]) / 16:g}rem" for name, size in sizes.items() if name in TYPE}
        lines += [
            f"@media (prefers-color-scheme: dark){{.tk.tk-phone{dark}}}",
            f".tk.tk-phone{_block('', rem | {'touch': TOUCH})}",
            f"@media (pointer: coarse){{.tk{_block('', {'touch': TOUCH})}}}",
        ]
    return "\n".join(lines)


def _block(scheme: str, values: dict[str, str]) -> str:
    """A block of custom properties."""
    properties = [f"color-scheme:{scheme}"] if scheme else []
    return f"{{{';'.join([*properties, *(f'--{name}:{value}' for name, value in values.items())])}}}"


def shade(part: float) -> str:
    """Return the colour of a heat map at `part` of the way, 0 to 1, from few to many.

    >>> shade(0) == RAMP[0], shade(1) == RAMP[1]
    (True, True)
    """
    ends = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in RAMP]
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in zip(*ends, strict=True))
