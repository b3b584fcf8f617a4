"""What the tests, examples and notebooks share: kernels that do not meet on a port, and examples without a loop.

A kernel is given ports that were free a moment before; several processes that start kernels at once, or anything else
that asks for a port, may take one of them in between. Sockets of the file system have names of their own.
"""

import asyncio
import os
from pathlib import Path
from uuid import uuid4

import pytest

BEFORE = pytest.StashKey()
LONGEST = 100  #: letters of a socket's path; some systems take no more than 104


def pytest_configure(config):
    """Have nbval start its kernels so, where the system has such sockets and their paths are short enough."""
    if not config.pluginmanager.hasplugin("nbval"):
        return
    from jupyter_core.paths import jupyter_runtime_dir
    from nbval import kernel

    start = config.stash[BEFORE] = kernel.KernelManager

    def manager(**options):
        file = Path(jupyter_runtime_dir()) / f"kernel-{uuid4()}.json"
        if os.name != "posix" or len(str(file)) > LONGEST:
            return start(**options)
        file.parent.mkdir(parents=True, exist_ok=True)
        return start(transport="ipc", connection_file=str(file), **options)

    kernel.KernelManager = manager


def pytest_unconfigure(config):
    """Leave nbval as it was."""
    if BEFORE in config.stash:
        from nbval import kernel

        kernel.KernelManager = config.stash[BEFORE]


@pytest.fixture
def no_loop_runs():
    """No event loop, as in a script: earlier browser tests in the process leave Playwright's loop marked as running."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture(autouse=True)
def _examples_run_as_in_a_script(request):
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("no_loop_runs")
