"""Notebooks in a real JupyterLab and a real, headless Chromium, with no other host within reach.

A test uses `run_notebook`, and gets the page once every cell has run:

    def test_click(run_notebook, looks_well):
        page = run_notebook("from tradekit import bazar", "bazar.explore()", theme="JupyterLab Dark")
        page.locator("[data-stone=R]").click()
        looks_well("after-click")

It fails if a cell raises, if the page requests anything outside this machine, or if JavaScript throws. There is one
server and one browser per session, and a fresh page per test, which takes JupyterLab some seconds to draw: check
several things on one page. The kernel imports tradekit as it is installed in this environment.

CHROMIUM_PATH   the browser, if it is neither `chromium` nor `google-chrome` on the path
SHOTS           a folder for screenshots: one at the end of every test, and those that tests take with `shot`
CI              if set, a missing browser is a failure and not a reason to skip
"""

import json
import os
import re
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe

from ..conftest import AXE

THEMES = "JupyterLab Light", "JupyterLab Dark"


# Notebook 7.6 throws this whenever it starts, with an empty notebook too.
NOT_OURS = {"Cannot read properties of undefined (reading 'schema')"}

# JupyterLab's own settings, as a person would set them: no question about news, and every cell of a notebook in the
# page, not only the visible ones.
LAB_SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}


def sound(page, context=".tk-live"):
    """Check that axe finds no fault with our part of the page; JupyterLab's own has faults of its own."""
    violations = Axe().run(page, context=context, options=AXE).response["violations"]
    assert not violations, [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in violations]


class Server:
    """A running Jupyter server: its address, and the folder that it serves."""

    def __init__(self, url, token, root):
        self.url, self.token, self.root = url, token, root

    def api(self, path, method="GET"):
        """Send a request to the server's REST interface and return the answer."""
        request = urllib.request.Request(
            f"{self.url}/api/{path}", method=method, headers={"Authorization": f"token {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def stop_kernels(self):
        """End every kernel, so that tests are not slowed by those before them."""
        for kernel in self.api("kernels"):
            self.api(f"kernels/{kernel['id']}", "DELETE")


@contextmanager
def serve(home, module, *options):
    """Run `python -m module`, which is jupyterlab or notebook, with an empty configuration of its own below `home`.

    Voila needs no server of its own: both of them show a notebook through it at /voila/render/<name>.
    """
    root = home / "root"
    root.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(f"http://127.0.0.1:{port}", secrets.token_hex(16), root)
    env = os.environ | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    command = [
        *(sys.executable, "-m", module, "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"),
        *("--ServerApp.port_retries=0", f"--IdentityProvider.token={server.token}"),
        *(f"--ServerApp.root_dir={root}", *options),
    ]
    log = home / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=env, cwd=root, stdout=out, stderr=subprocess.STDOUT)
    try:
        wait_for(server, process, log)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(server, process, log, seconds=60):
    """Wait until the server answers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            return server.api("status")
        except OSError:
            time.sleep(0.25)
    pytest.fail(f"the Jupyter server did not start:\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab `Server`."""
    home = tmp_path_factory.mktemp("lab")
    for name, settings in LAB_SETTINGS.items():
        file = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings))
    with serve(home, "jupyterlab", "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None") as server:
        yield server
        server.stop_kernels()


def keep_inside(context):
    """Refuse all requests of `context`'s pages to other hosts; return the list of refused ones, which grows."""
    outside = []

    def gate(route):
        if route.request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    def gate_socket(socket):
        if not socket.url.startswith("ws://127.0.0.1:"):
            outside.append(socket.url)

    context.route("**/*", gate)
    context.on("page", lambda page: page.on("websocket", gate_socket))
    return outside


@pytest.fixture
def page(chromium, shot_path):
    """An empty page, 1280 x 900, that lets no request leave this machine and tolerates no JavaScript error."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    outside, errors = keep_inside(context), []
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.on("pageerror", lambda error: str(error) in NOT_OURS or errors.append(str(error)))
    yield page
    if path := shot_path():
        page.screenshot(path=path)
    context.close()
    assert not outside, f"the page asked for resources of other hosts: {outside}"
    assert not errors, f"uncaught JavaScript errors: {errors}"


@pytest.fixture
def shot_path(request):
    """A function shot_path(name) -> path of that screenshot of this test, or None without SHOTS."""

    def path(name=None):
        if folder := os.environ.get("SHOTS"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            stem = "-".join(filter(None, [request.node.name, name]))
            return Path(folder) / (re.sub(r"[^\w.-]+", "_", stem).strip("_") + ".png")
        return None

    return path


@pytest.fixture
def shot(page, shot_path):
    """A function shot(name, locator=None) that saves a picture of the page or of one element to SHOTS."""

    def take(name, locator=None):
        if path := shot_path(name):
            (locator or page).screenshot(path=path)

    return take


#: A script that tests whether all we show is inside the window, and nothing of a game's picture is cut off.
FITS = """() => [...document.querySelectorAll('.tk-live')].every(it => it.getBoundingClientRect().right <= innerWidth)
    && [...document.querySelectorAll('.tk-live [data-part="picture"]')].every(it => it.scrollWidth <= it.clientWidth)"""


@pytest.fixture
def looks_well(page, shot):
    """A function looks_well(name): in both themes, our part fits a narrow and a wide window, and axe finds no fault.

    It leaves pictures of all four in SHOTS, and the window as it was.
    """

    def look(name):
        window = page.viewport_size
        now = page.evaluate("() => document.body.dataset.jpThemeName")
        for theme in sorted(THEMES, key=lambda theme: theme != now):  # a change takes a second
            set_theme(page, theme)
            for width in (480, 1600):
                page.set_viewport_size({"width": width, "height": 2600})
                page.wait_for_function(FITS)
                shot(f"{name}-{theme}-{width}", page.locator(".tk-live"))
            sound(page)
        page.set_viewport_size(window)

    return look


def set_theme(page, theme):
    """Change JupyterLab's theme, and wait until it is there. The server keeps it for later pages."""
    page.wait_for_function("() => document.body.dataset.jpThemeName")
    if page.evaluate("() => document.body.dataset.jpThemeName") != theme:
        page.evaluate("theme => void jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)


# Runs all cells. The kernel must be connected first: an earlier request to run is silently dropped. The command is not
# awaited: that can hang for ever.
RUN_ALL = """async () => {
    const limit = new Promise((_, no) => setTimeout(() => no(new Error('kernel not ready in 30 s')), 30000));
    const panel = jupyterapp.shell.currentWidget;
    const ready = (async () => {
        await panel.context.ready;
        await panel.sessionContext.ready;
        await panel.sessionContext.session.kernel.info;
    })();
    await Promise.race([ready, limit]);
    void jupyterapp.commands.execute('notebook:run-all-cells');
}"""

# For every code cell with something in it: whether it has run, and what it raised. An error ends the run.
PROGRESS = """() => jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code' && cell.model.sharedModel.source.trim())
    .map(cell => ({
        done: cell.model.executionCount !== null && cell.model.executionState !== 'running',
        errors: cell.model.outputs.toJSON().filter(o => o.output_type === 'error')
            .map(o => `${o.ename}: ${o.evalue}`),
    }))"""
FINISHED = f"() => (cells => cells.every(c => c.done) || cells.some(c => c.errors.length))(({PROGRESS})())"


@pytest.fixture
def run_notebook(lab, page):
    """A function run_notebook(*cells, path=None, theme="JupyterLab Light", width=1280, timeout=60) -> page, cells run.

    The notebook is made of `cells` of code, or read from `path`. It opens alone, with the side bars closed.
    """

    def run(*cells, path=None, theme="JupyterLab Light", width=1280, timeout=60):
        if path:
            notebook = nbformat.read(path, 4)
        else:
            notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
            notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        for cell in notebook.cells:
            if cell.cell_type == "code":  # kept outputs would look like a finished run
                cell.outputs, cell.execution_count = [], None
        name = f"{Path(path).stem if path else 'cells'}-{secrets.token_hex(4)}.ipynb"
        nbformat.write(notebook, lab.root / name)

        lab.stop_kernels()
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{lab.url}/doc/tree/{name}?token={lab.token}")
        page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.sessionContext")
        set_theme(page, theme)
        page.evaluate(RUN_ALL)
        page.wait_for_function(FINISHED, timeout=timeout * 1000)
        errors = [error for cell in page.evaluate(PROGRESS) for error in cell["errors"]]
        assert not errors, f"cells raised: {errors}"
        return page

    return run
