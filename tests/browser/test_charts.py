"""Our charts draw in JupyterLab, Notebook 7, Voila and exported HTML, with no other host within reach."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from .conftest import keep_inside, serve

ROOT = Path(__file__).parents[2]
CELL = """from tradekit import bazar, charts
exchange = bazar.Exchange("R=WW W=BG")
charts.frontier(exchange.frontier("RRR", ["RRWWB", "RWWBG"])) | charts.proof(exchange.proof("RRR", "RRWWB"))"""
DRAWN = ".jp-OutputArea-output svg.marks, .jp-OutputArea-output canvas.marks"


def notebook(folder):
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nb, folder / "charts.ipynb")
    return folder / "charts.ipynb"


def test_jupyterlab(run_notebook, shot):
    page = run_notebook(CELL)
    expect(page.locator(DRAWN)).to_be_visible()
    shot("drawn")


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
    page.set_content(text)  # the page's gate refuses files; whatever else it asks for fails the test
    picture = page.locator("img[src^='data:image/svg+xml']")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 300
    assert "Chart" in picture.get_attribute("alt")


def test_voila(chromium, lab):
    """Voila's own page asks a CDN for icons and formulas; that is refused here, and the chart is there all the same."""
    context = chromium.new_context()
    outside = keep_inside(context)
    page = context.new_page()
    notebook(lab.root)
    page.goto(f"{lab.url}/voila/render/charts.ipynb?token={lab.token}", timeout=60_000)
    expect(page.locator("svg.marks, img[src^='data:image/svg+xml']").first).to_be_visible(timeout=60_000)
    context.close()
    assert all("fontawesome" in url or "mathjax" in url for url in outside), outside
