"""What all tests share: Hypothesis without a clock, and how the tests are dealt out to two workers."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tradekit import i18n

# A slow or busy machine is no failure; and CI must say the same thing twice about the same code: always the same
# examples, of which half are enough there.
CI = "CI" in os.environ
settings.register_profile("tradekit", deadline=None, derandomize=CI, max_examples=50 if CI else 100)
settings.load_profile("tradekit")

BROWSER = Path(__file__).parent / "browser"


@pytest.fixture
def spanish():
    """All texts are Spanish, and afterwards in the language that they were in."""
    before = i18n.language()
    i18n.set_language("es")
    yield
    i18n.set_language(before)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the browser tests; where several workers share the tests, these are the longest, and start."""
    for item in items:
        if item.path.is_relative_to(BROWSER):
            item.add_marker("browser")
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: "browser" not in item.keywords)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Deal the tests out file by file, and the browser's to one worker.

    So there is one JupyterLab and one Chromium, the other worker has a core for itself, and what a module-scoped
    fixture has worked out is not worked out again. (`--dist loadgroup` is for this, but pytest-xdist 3.8 cannot name
    groups to pytest 9.2.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            return "browser" if file.startswith("tests/browser/") else file

    return ByFile(config, log)
