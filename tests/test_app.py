"""The widgets as pages of their own: the files that `tradekit app` writes, and the content of each page."""

import sys
import time
import urllib.error
import urllib.request

import nbformat
import pytest

from tradekit import app
from tradekit.widgets.page_widget import LivePage

from .serving import kernels, served

PAGES = app.pages()
pytestmark = pytest.mark.usefixtures("no_loop_runs")  # bots answer at once


def test_it_writes_a_notebook_a_page_and_a_template(tmp_path):
    home = app.write(tmp_path)
    app.write(tmp_path)  # a second start writes the same again
    assert {path.stem for path in home.iterdir()} == {page.name for page in PAGES}
    for page in PAGES:
        notebook = nbformat.read(home / f"{page.name}.ipynb", as_version=4)
        nbformat.validate(notebook)
        assert notebook.metadata.title == page.title and notebook.cells[-1].source == page.code
    front = (tmp_path / "voila" / "templates" / "tradekit" / "tree-lab.html").read_text()
    assert all(f"voila/render/{page.name}.ipynb" in front for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_of_a_page_makes_its_widget(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where tables save their games
    *lines, last = page.code.split("\n")
    names = {}
    exec("\n".join(lines), names)
    widget = eval(last, names)
    assert isinstance(widget, LivePage)
    widget.close()


def test_a_game_goes_on_where_its_page_is_loaded_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUERY_STRING", "game=1234567890")
    first = app.table("turin", players=3)
    first.act(first.state.actions(0)[0])
    played = first.record.moves
    first.close()
    second = app.table("turin", players=3)
    assert second.record.moves[: len(played)] == played and second.seed == first.seed
    assert [path.name for path in tmp_path.glob("*.txt")] == ["turin-1234567890.txt"]
    monkeypatch.setenv("QUERY_STRING", "game=42")
    other = app.table("turin", players=3)
    assert all(move.actor != 0 for move in other.record.moves), "another number, another game"


@pytest.mark.parametrize("query", ["", "game=", "game=../mine", "game=a b", "other=1", "game=" + "1" * 99])
def test_what_is_no_number_names_no_file(query, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUERY_STRING", query)
    table = app.table("bazar", players=2)
    table.act("roll")
    [file] = tmp_path.glob("*")
    assert file.name.startswith("bazar-20"), "named by the date, as at any table"


def test_nothing_is_asked_of_another_host(tmp_path):
    app.write(tmp_path)
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or "http" not in file.read_text(), file


def test_voila_gets_the_folder_the_template_and_the_options(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr("voila.app.Voila.launch_instance", started.append)
    monkeypatch.setenv("JUPYTER_PATH", "mine")
    app.serve(tmp_path, ["--port=1234"])
    [(folder, template, port)] = started
    assert folder == str(tmp_path / "pages") and template == "--template=tradekit" and port == "--port=1234"
    assert (tmp_path / "voila" / "templates" / "tradekit" / "index.html.j2").is_file()
    assert app.os.environ["JUPYTER_PATH"] == app.os.pathsep.join([str(tmp_path), "mine"])


def test_without_voila_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "voila.app", None)
    with pytest.raises(ValueError, match=r"pip install 'tradekit\[lab\]'"):
        app.serve(tmp_path)
    assert not any(tmp_path.iterdir())


@pytest.mark.long
def test_three_visitors_come_and_go_and_no_kernel_is_left(tmp_path):
    """They leave without a word; the one too many is told so. Kernels are checked every second here."""
    culling = [f"--MappingKernelManager.cull_{name}=1" for name in ("idle_timeout", "interval")]
    with served(tmp_path, "--visitors=3", "--", *culling) as (url, process):
        visits = []
        for _visitor in range(3):
            visits.append(urllib.request.urlopen(f"{url}voila/render/explorer.ipynb", timeout=60))
            visits[-1].read(1)  # the page has begun: its kernel is there
        with pytest.raises(urllib.error.HTTPError, match="503") as refused:
            urllib.request.urlopen(f"{url}voila/render/lab.ipynb", timeout=60)
        assert "3 visitors are here already" in refused.value.read().decode()
        assert len(kernels(process)) == 3
        for visit in visits:
            assert "_xsrf=" in str(visit.headers.get_all("Set-Cookie")), "with which a page says good-bye"
            visit.close()
        end = time.monotonic() + 60
        while kernels(process) and time.monotonic() < end:
            time.sleep(0.2)
        assert not kernels(process)
        urllib.request.urlopen(f"{url}voila/render/lab.ipynb", timeout=60).close()  # there is room again
    assert "At most 3 visitors at once" in (tmp_path / "log").read_text()


def test_idle_kernels_end_in_the_time_that_is_said(tmp_path, monkeypatch):
    from tradekit.visitors import IDLE, LOOK, App

    monkeypatch.setattr("signal.signal", lambda *_handler: None)
    server = App(connection_dir=str(tmp_path))
    server.initialize([str(tmp_path)])
    server.init_settings()
    manager = server.kernel_manager
    assert (manager.cull_idle_timeout, manager.cull_interval) == (IDLE, LOOK)
    assert manager.cull_busy and not manager.cull_connected
    assert server.visitors == 20


def test_there_is_at_least_one_visitor(tmp_path):
    with pytest.raises(ValueError, match="visitors=0: must be 1 or more"):
        app.serve(tmp_path, visitors=0)
