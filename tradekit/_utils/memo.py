"""A table that computes each entry when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Remembered(dict[Any, Any]):
    """A table that makes an entry when it is first used, and clears itself when it has grown too large.

    >>> squares = Remembered(lambda n: n * n)
    >>> squares[3], dict(squares)
    (9, {3: 9})
    """

    def __init__(self, make: Callable[[Any], Any], most: int = 100_000) -> None:
        super().__init__()
        self.make, self.most = make, most

    def __missing__(self, key: Any) -> Any:
        if len(self) >= self.most:
            self.clear()
        value = self[key] = self.make(key)
        return value
