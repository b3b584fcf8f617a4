"""Settings shared by all tests: Hypothesis without a clock, a browser, and the distribution of tests to workers."""

import os
import shutil
from collections import defaultdict
from math import ceil
from pathlib import Path

import pytest
from hypothesis import settings

from tradekit import i18n

# A slow or busy machine is not a failure; and CI must give the same result twice for the same code: always the same
# examples, of which a quarter are enough there.
CI = "CI" in os.environ
settings.register_profile("tradekit", deadline=None, derandomize=CI, max_examples=25 if CI else 100)
settings.register_profile("quick", settings.get_profile("tradekit"), max_examples=5)
settings.load_profile("tradekit")
PARAMETERS = 5  # of a test in `make quick`, as many as examples

BROWSER = Path(__file__).parent / "browser"
collect_ignore = ["outside_game"]  # a package of its own, which a test installs

CHROMIUM = os.environ.get("CHROMIUM_PATH") or shutil.which("chromium") or shutil.which("google-chrome")
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

AXE = {"runOnly": ["wcag2a", "wcag2aa"]}


@pytest.fixture
def spanish():
    """All texts in Spanish, and afterwards in the previous language."""
    before = i18n.language()
    i18n.set_language("es")
    yield
    i18n.set_language(before)


def missing(what):
    """Report that a test cannot run: a failure in CI, a skip on a person's machine."""
    (pytest.fail if "CI" in os.environ else pytest.skip)(what)


@pytest.fixture(scope="session")
def chromium():
    """Chromium, driven by Playwright."""
    if not CHROMIUM:
        missing("no Chromium on this machine: install it, or say where it is with CHROMIUM_PATH")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright is not installed: pip install -e '.[lab,test]'")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the browser tests; if several workers share the tests, these take longest and start first.

    In `make quick` a test runs with about five of its parameters, spread evenly over those that -k and -m leave.
    """
    for item in items:
        if item.path.is_relative_to(BROWSER):
            item.add_marker("browser")
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: "browser" not in item.keywords)
    yield
    if config.getoption("hypothesis_profile", None) == "quick":
        alike = defaultdict(list)
        for item in items:
            alike[item.nodeid.partition("[")[0]].append(item)
        items[:] = [item for some in alike.values() for item in some[:: ceil(len(some) / PARAMETERS)]]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Distribute the tests file by file, and the browser's to one worker.

    So there is one JupyterLab and one Chromium, the other worker has a core to itself, and the results of a
    module-scoped fixture are not computed again. (`--dist loadgroup` is for this, but pytest-xdist 3.8 cannot name
    groups to pytest 9.2.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            return "browser" if file.startswith("tests/browser/") else file

    return ByFile(config, log)
