"""What all tests share: Hypothesis without a clock, and how the tests are dealt out to two workers."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A slow or busy machine is no failure; and CI must say the same thing twice about the same code.
settings.register_profile("tradekit", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("tradekit")

BROWSER = Path(__file__).parent / "browser"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the browser tests; under `--dist loadgroup`, one worker gets all of them, and files stay whole.

    So there is one JupyterLab and one Chromium, the other worker has a core for itself, and what a
    module-scoped fixture has worked out is not worked out again. The browser's are the longest: they start.
    """
    for item in items:
        browser = item.path.is_relative_to(BROWSER)
        if browser:
            item.add_marker("browser")
        if hasattr(config, "workerinput"):
            item.add_marker(pytest.mark.xdist_group("browser" if browser else str(item.path)))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: "browser" not in item.keywords)
