"""Pictures of everything that is drawn, to look at: ``python tests/looks.py [PAGE…]``, or ``make looks``.

Each page of `gallery.PAGES` is drawn in Chromium at every ``--width`` and in every ``--theme`` and ``--language``, into
``build/looks/``: a picture each, and a contact sheet of all pictures of a page.
"""

import argparse
import itertools
import shutil
from base64 import b64encode
from pathlib import Path

from playwright.sync_api import sync_playwright

from tradekit import i18n

OUT = Path("build/looks")
WIDTHS = (1100, 850, 390)
THEMES = ("light", "dark")


def document(html, css, theme):
    """A page as JupyterLab shows it, in one of its themes."""
    ground = {"light": "#ffffff", "dark": "#111111"}[theme]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>looks</title><style>{css}</style>'
        f'<body data-jp-theme-light="{str(theme == "light").lower()}" style="margin: 0; background: {ground}">{html}'
    )


def main():
    """Draw the pages that are asked for."""
    from gallery import PAGES

    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("pages", nargs="*", default=list(PAGES), metavar="PAGE", help=", ".join(PAGES))
    ask.add_argument("--width", type=int, nargs="+", default=WIDTHS)
    ask.add_argument("--theme", nargs="+", default=THEMES)
    ask.add_argument("--language", nargs="+", default=["en"])
    asked = ask.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name in asked.pages:
            shots = {}
            for language in asked.language:
                i18n.set_language(language)
                html, sheet = PAGES[name]()
                for width, theme in itertools.product(asked.width, asked.theme):
                    page = chromium.new_page(viewport={"width": width, "height": 620})
                    page.set_content(document(html, sheet.whole(), theme))
                    page.wait_for_timeout(1200)  # whatever falls in has come to rest
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    of = f"{width}_{theme}_{language}"
                    shots[of] = page.screenshot(path=OUT / f"{name}_{of}.png", full_page=True)
                    print(name, of, f"WIDE: {wide}" if wide > width else "")
                    page.close()
            contact_sheet(chromium, name, shots)
        chromium.close()


def contact_sheet(chromium, name, shots):
    """All pictures of a page side by side, at half their size."""
    images = "".join(
        f'<figure style="margin: 8px"><figcaption>{name} {of}</figcaption>'
        f'<img width="{int(of.split("_")[0]) // 2}" src="data:image/png;base64,{b64encode(shot).decode()}"></figure>'
        for of, shot in shots.items()
    )
    page = chromium.new_page(viewport={"width": 1600, "height": 600}, device_scale_factor=1.5)
    page.set_content(f'<body style="display: flex; flex-wrap: wrap; font: 13px sans-serif">{images}')
    page.screenshot(path=OUT / f"sheet_{name}.png", full_page=True)
    page.close()


if __name__ == "__main__":
    main()
