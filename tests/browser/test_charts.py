"""Our charts draw in JupyterLab, Notebook 7, Voila and exported HTML, with no other host within reach."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from tradekit import theme

from .conftest import keep_inside, serve

ROOT = Path(__file__).parents[2]
CELL = """from tradekit import bazar
exchange = bazar.Exchange("R=WW W=BG")
draw = bazar.charts
draw.frontier(exchange.frontier("RRR", ["RRWWB", "RWWBG"])) | draw.proof(exchange.proof("RRR", "RRWWB"))"""
DRAWN_ALONE = "svg.marks, canvas.marks"
DRAWN = ".jp-OutputArea-output svg.marks, .jp-OutputArea-output canvas.marks"


def notebook(folder):
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nb, folder / "charts.ipynb")
    return folder / "charts.ipynb"


# Panels by column, row and facet, of one layer and of two; drawn as SVG, so that the page holds their texts.
PANELS = """import altair as alt, pandas as pd
from tradekit import charts
frame = pd.DataFrame({"a": [1, 2], "b": [3, 1], "whose": ["all estimates", "those that win"]})
bars = charts.Chart(frame).mark_bar().encode(x="a:O", y="b:Q", color="whose:N").properties(width=90, height=50)
panels = [
    bars.encode(column=alt.Column("whose:N").title(None)),
    bars.encode(row=alt.Row("whose:N").title("by whom")),
    bars.encode(facet="whose:N"),
    (bars + bars.mark_rule()).facet(row=alt.Row("whose:N").title(None)),
]
for panel in panels:
    display(panel.properties(title="Panels", usermeta={"embedOptions": {"renderer": "svg"}}))"""

# Every text with its colour, picture by picture.
TEXTS = """pictures => pictures.map(picture => [...picture.querySelectorAll("text")].map(
    text => [text.textContent, getComputedStyle(text).fill]))"""


def test_a_dark_jupyterlab_writes_on_our_paper_in_ink(run_notebook, shot):
    """Its Vega writes any text without a colour in white, and names of panels had none."""
    page = run_notebook(CELL, PANELS, theme="JupyterLab Dark")
    pictures = page.locator(".jp-OutputArea-output svg.marks")
    expect(pictures).to_have_count(4)
    expect(page.locator(DRAWN)).to_have_count(5)
    shot("drawn")
    ink = "rgb({}, {}, {})".format(*(int(theme.INK[at : at + 2], 16) for at in (1, 3, 5)))
    for texts in pictures.evaluate_all(TEXTS):
        shown = [text for text, _colour in texts]
        assert {"Panels", "a", "b"} <= {*shown}
        for name in ("all estimates", "those that win"):
            assert shown.count(name) == 2, "above or beside its panel, and in the legend"
        assert {colour for _text, colour in texts} == {ink}


def test_notebook_7(page, tmp_path):
    with serve(tmp_path, "notebook", "--JupyterNotebookApp.expose_app_in_browser=True") as server:
        notebook(server.root)
        page.goto(f"{server.url}/notebooks/charts.ipynb?token={server.token}")
        page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.info")
        page.evaluate("() => void jupyterapp.commands.execute('notebook:run-all-cells')")
        expect(page.locator(DRAWN)).to_be_visible(timeout=60_000)
        server.stop_kernels()


@pytest.fixture
def executed(tmp_path):
    """The notebook with its outputs."""
    path = notebook(tmp_path)
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def test_exported_html(page, executed):
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--template-file", str(ROOT / "docs/offline.html.j2")]
    subprocess.run([*command, str(executed)], check=True, capture_output=True)
    text = executed.with_suffix(".html").read_text("utf-8")
    page.set_content(text)  # the page refuses files; any other request fails the test
    picture = page.locator("img[src^='data:image/svg+xml']")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 300
    assert "Chart" in picture.get_attribute("alt")


# Sliders: each with a field for its number, and the picture follows both

SHARES = """import pandas as pd
from tradekit import auctions
from tradekit.auctions import losers_pay, uniform
curves = [losers_pay(k / 20).equilibrium(5, uniform()).to_frame(11).assign(share=k / 20) for k in range(21)]
chart = auctions.charts.bid_function(pd.concat(curves), slider="share")
chart"""
LEARNING = """from tradekit import auctions
from tradekit.auctions import Format
from tradekit.auctions.learn import learn
from tradekit.auctions.rank_games import PrivateValues
seen = learn(PrivateValues.of(Format(step=1), range(6)), steps=100, moments=6, seed=1)
print(sorted(seen.frame["step"].unique().tolist()))
auctions.charts.learning(seen)"""


class Slider:
    """A slider below a chart, the field for its number, and the chart's picture."""

    def __init__(self, page, name):
        self.page = page
        self.slider, self.field = (page.locator(f"input[name={n}]") for n in (name, f"{name}_number"))
        expect(self.slider).to_be_visible()

    @property
    def picture(self):
        return self.page.locator(DRAWN).evaluate("canvas => canvas.outerHTML + (canvas.toDataURL?.() ?? '')")

    def changes(self, act):
        """Do something, and check that the picture is another one afterwards."""
        before = self.picture
        act()
        for _wait in range(100):
            if self.picture != before:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("the picture stayed the same")

    def drag(self, part):
        """Drag the slider's thumb to that part of its length."""
        box = self.slider.bounding_box()
        y = box["y"] + box["height"] / 2
        place = float(self.slider.evaluate("s => (s.value - s.min) / (s.max - s.min)"))
        self.page.mouse.move(box["x"] + 8 + place * (box["width"] - 16), y)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + 8 + part * (box["width"] - 16), y, steps=5)
        self.page.mouse.up()

    def type(self, text):
        self.field.fill(text)
        self.field.press("Tab")


def test_a_slider_and_its_number_stay_in_step_and_the_picture_follows_both(run_notebook, shot):
    page = run_notebook(SHARES)
    share = Slider(page, "chosen_share")
    expect(share.field).to_have_value("0.5")
    share.changes(lambda: share.drag(1))
    expect(share.field).to_have_value("1")
    share.changes(lambda: share.type("0.25"))
    expect(share.slider).to_have_value("0.25")
    share.changes(lambda: share.type("0.36"))  # there are curves for 0.35 and 0.4
    expect(share.slider).to_have_value("0.35")
    expect(share.field).to_have_value("0.35")
    share.type("7")
    expect(share.field).to_have_value("1")
    share.type("")
    expect(share.slider).to_have_value("1")
    expect(share.field).to_have_value("1")
    shot("typed")


def test_learning_is_dragged_through_time(run_notebook, shot):
    page = run_notebook(LEARNING)
    expect(page.locator(".jp-OutputArea-output pre")).to_contain_text("[1, 3, 6, 16, 40, 100]")
    time = Slider(page, "moment")
    expect(time.field).to_have_value("100")
    time.changes(lambda: time.drag(0))
    expect(time.field).to_have_value("1")
    shot("first-round")
    time.changes(lambda: time.type("20"))  # the nearest round that is kept
    expect(time.slider).to_have_value("3")
    expect(time.field).to_have_value("16")
    shot("round-16")


def test_a_slider_works_in_saved_html(page, tmp_path):
    exec(SHARES.removesuffix("chart"), made := {})
    made["chart"].save(tmp_path / "chart.html")
    page.set_content((tmp_path / "chart.html").read_text("utf-8"))
    share = Slider(page, "chosen_share")
    page.locator(DRAWN_ALONE).wait_for()
    share.slider.fill("0.9")
    expect(share.field).to_have_value("0.9")
    share.type("0.1")
    expect(share.slider).to_have_value("0.1")


def test_voila(chromium, lab):
    """Voila's own page requests icons and formulas from a CDN; that is refused here, and the chart still appears."""
    context = chromium.new_context()
    outside = keep_inside(context)
    page = context.new_page()
    notebook(lab.root)
    page.goto(f"{lab.url}/voila/render/charts.ipynb?token={lab.token}", timeout=60_000)
    expect(page.locator("svg.marks, img[src^='data:image/svg+xml']").first).to_be_visible(timeout=60_000)
    context.close()
    assert all("fontawesome" in url or "mathjax" in url for url in outside), outside
