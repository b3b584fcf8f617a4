"""A handout: pages for paper, black on white, in one file that needs nothing from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final

from markupsafe import Markup

from tradekit import i18n, theme
from tradekit._utils.arguments import checked
from tradekit._utils.atomic_files import write_whole
from tradekit.i18n import _, ngettext
from tradekit.show import cell
from tradekit.show.html import Child, document, element, fragment

# No paper size is set: the printer's is used, and everything fits both A4 and Letter.
_PRINT: Final = """
@page { margin: 14mm 17mm; }
body { margin: 0; background: #fff; }
@media screen { body { max-width: 190mm; margin: 0 auto; padding: 8mm; } }
@media print { .tk { overflow: visible; } }
"""
_LOOK: Final = f"""
.tk .handout {{ --jp-ui-font-color1: #000; --jp-ui-font-color2: #444; --jp-border-color1: #777; max-width: 180mm;
  font: 11pt/1.45 {theme.FONT}; color: #000; background: #fff; print-color-adjust: exact;
  -webkit-print-color-adjust: exact; }}
.tk .handout section {{ border: 1px solid #bbb; padding: 8mm; margin: 0 0 6mm; break-after: page; }}
.tk .handout section:last-child {{ break-after: auto; }}
.tk .handout h1 {{ font: 600 16pt/1.3 {theme.FONT}; margin: 0 0 4mm; color: #000; }}
.tk .handout h2 {{ font: 600 12pt/1.3 {theme.FONT}; margin: 4mm 0 2mm; color: #000; break-after: avoid; }}
.tk .handout p {{ margin: 0 0 2.5mm; color: #000; }}
.tk .handout .top {{ display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 6mm;
  font-size: 9.5pt; margin-bottom: 5mm; padding-bottom: 1.5mm; border-bottom: 1px solid #000; }}
.tk .handout .top span {{ white-space: nowrap; }}
.tk .handout .given {{ margin: 3mm 0 4mm; break-inside: avoid; }}
.tk .handout .given svg, .tk .handout .output svg {{ display: block; max-width: 100%; height: auto; }}
.tk .handout ol.equations {{ columns: 2; margin: 2mm 0 3mm; padding-left: 8mm; max-width: 140mm; }}
.tk .handout ol.equations li {{ margin: 0 0 1.5mm; break-inside: avoid; color: #000; }}
.tk .handout .rule {{ border-bottom: 1px solid #888; height: 9mm; break-inside: avoid; }}
.tk .handout table {{ font-size: 10.5pt; color: #000; border-collapse: collapse; margin: 2mm 0 3mm; }}
.tk .handout table tr {{ break-inside: avoid; }}
.tk .handout table th, .tk .handout table td {{ padding: 0.8mm 4mm 0.8mm 0; color: #000; vertical-align: middle; }}
.tk .handout table.plain th {{ border: none; }}
.tk .handout table.counts {{ break-inside: avoid; }}
.tk .handout table.counts td {{ padding-left: 2mm; padding-right: 0; min-width: 7mm; text-align: right !important; }}
.tk .handout td .tk-stone {{ width: 18px; height: 18px; font-size: 11px; }}
.tk .handout td .tk-stones {{ flex-wrap: wrap; max-width: 46mm; gap: 2px; }}
.tk .handout table.puzzle td {{ height: 10mm; border-bottom: 1px solid #888 !important; min-width: 30mm; }}
.tk .handout table.puzzle td:first-child, .tk .handout table.puzzle th:first-child {{ min-width: 10mm; }}
.tk .handout pre, .tk .handout code {{ font-family: 'DejaVu Sans Mono', Consolas, Menlo, monospace; font-size: 9.5pt;
  background: none; color: #000; }}
.tk .handout pre {{ white-space: pre-wrap; overflow-wrap: anywhere; margin: 1.5mm 0; padding: 1.5mm 3mm;
  border: 1px solid #bbb; }}
.tk .handout .output pre {{ border: none; border-left: 3px solid #777; }}
.tk .handout .answer {{ border: 1.5px solid #000; padding: 2mm 4mm; margin: 0 0 4mm; }}
@media print {{ .tk .handout section {{ border: none; padding: 0; margin: 0; }} }}
"""


@dataclass(frozen=True)
class Handout:
    """Pages to print. In a notebook it shows itself as on paper, in any theme of the notebook.

    >>> Handout("A title", (Markup("<p>one page</p>"),)).html.startswith("<!DOCTYPE html>")
    True
    """

    title: str
    pages: tuple[Markup, ...]

    @property
    def html(self) -> str:
        """The whole file: HTML with its styles, without scripts and without anything from elsewhere."""
        return f"{document(self.title, _PRINT, self._repr_html_(), language=i18n.language())}\n"

    @checked
    def save(self, path: str | PathLike[str]) -> Path:
        """Write the file, to open in a browser and print; returns its path."""
        return write_whole(path, self.html)

    def __repr__(self) -> str:
        pages = ngettext("{n} page", "{n} pages", len(self.pages))
        return _("handout {title!r}, {pages}: save(path) writes it").format(title=self.title, pages=pages)

    def _repr_html_(self) -> Markup:
        sections = [element("section", page) for page in self.pages]
        return cell.page(element("style", Markup(_LOOK)), element("div", sections, class_="handout"))


def page(about: str, *parts: Child, to_fill_in: bool = True) -> Markup:
    """Return a page: what it belongs to, the lines for name and date, and its parts."""
    blanks = f"{_('Name')}: {'_' * 24}\u2003{_('Date')}: {'_' * 10}" if to_fill_in else None
    top = [element("span", about), element("span", blanks) if blanks else None]
    return fragment(element("div", top, class_="top"), parts)


def ruled(lines: int) -> Markup:
    """Return lines to write on."""
    return element("div", class_="rule") * lines
