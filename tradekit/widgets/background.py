"""Work that a page does while nobody asks it anything: a little at a time, so that no question waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

IDLE: Final = 0.3  #: seconds without a question, after which it begins
PAUSE: Final = 0.05  #: seconds between two steps, in which a question gets its turn

_OVER: Final = object()


def while_idle(steps: Iterator[object], wanted: Callable[[], bool]) -> None:
    """Take one step after the other as long as they are `wanted`; where no loop runs (a script), take none."""

    def step() -> None:
        if wanted() and next(steps, _OVER) is not _OVER:
            loop.call_later(PAUSE, step)

    with suppress(RuntimeError):
        loop = asyncio.get_running_loop()
        loop.call_later(IDLE, step)
