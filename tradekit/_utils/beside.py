"""Slow work in a thread beside the loop that handles messages, so that what is waited for changes at one place only."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any


class Thought:
    """One thing at a time that is thought about; what was overtaken, by another one or by `void`, comes to nothing.

    Where no loop runs, in a script or a test, it is thought about at once.

    >>> thought = Thought()
    >>> thought.begin(lambda stop: 6 * 7, then=print)
    42
    >>> thought.goes_on
    False
    """

    def __init__(self) -> None:
        self._stop: Event | None = None  # set when what is being thought about is of no use any more

    @property
    def goes_on(self) -> bool:
        """Return True while a thought is under way."""
        return self._stop is not None

    def void(self) -> None:
        """Let what is being thought about come to nothing."""
        if self._stop:
            self._stop.set()
            self._stop = None

    def begin(
        self,
        work: Callable[[Event], Any],
        then: Callable[[Any], None],
        later: Callable[[], None] = lambda: None,
        pause: float = 0.0,
    ) -> None:
        """Do slow `work` beside, then tell `then` what came of it, or which error; unless it was void by then.

        If it did not come at once it takes `pause` seconds or more, and `later` is called after it.
        """
        self.void()
        stop = self._stop = Event()
        begin = time.monotonic()

        def result(errors: type[BaseException] = Exception) -> Any:
            try:
                return work(stop)
            except errors as error:
                return error

        def arrive(value: Any, after: Callable[[], None] = lambda: None) -> None:
            if self._stop is stop:
                self._stop = None
                then(value)
                after()

        def beside() -> None:
            value = result(BaseException)  # a thread that ends without a word would be waited for
            stop.wait(max(0.0, begin + pause - time.monotonic()))
            with suppress(RuntimeError):  # the loop has ended, and nobody waits any more
                loop.call_soon_threadsafe(arrive, value, later)

        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            arrive(result())
        else:
            try:
                Thread(target=beside, daemon=True).start()
            except RuntimeError:  # the system starts no more threads: think here, once the page has been shown
                loop.call_later(pause, lambda: None if stop.is_set() else arrive(result(), later))
