"""The widgets as pages of their own: `tradekit app`, as a person starts it, with no other host within reach."""

import os
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from .conftest import sound
from .test_table import live, part


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address at which `tradekit app` serves its pages."""
    home = tmp_path_factory.mktemp("app")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tradekit", "app", "--", "--no-browser", "--Voila.ip=127.0.0.1", f"--port={port}"]
    env = os.environ | {"JUPYTER_RUNTIME_DIR": str(home / "runtime"), "JUPYTER_CONFIG_DIR": str(home / "config")}
    log = home / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=home, env=env, stdout=out, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}/"
    try:
        end = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(url, timeout=10).close()
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < end, log.read_text()[-3000:]
                time.sleep(0.25)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def test_pages_show_their_widgets_offline(page, site, shot):
    page.goto(site)
    sound(page, "body")
    shot("front")
    links = page.get_by_role("link").all_inner_texts()
    assert len(links) == 6
    for name in links[::2]:  # a kernel for each; what the others show is tested without a browser
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(name, timeout=60_000)
        expect(page.locator(".tk-live:not(.tk-still)")).to_be_visible(timeout=60_000)
        expect(page).to_have_title(name)
        shot(name)
        page.get_by_role("link", name="All pages").click()


def test_a_game_is_played_there(page, site):
    page.goto(site)
    page.get_by_role("link", name="Bazar", exact=True).click()
    live(page).first.click(timeout=60_000)
    expect(part(page, "news")).to_contain_text("you: ")
    expect(part(page, "moves")).to_contain_text("you: roll")
    page.reload()  # a new kernel
    expect(part(page, "moves")).to_contain_text("you: roll", timeout=60_000)
