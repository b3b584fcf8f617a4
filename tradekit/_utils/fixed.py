"""Values that cannot be changed once they are made, without a dataclass."""

from __future__ import annotations

from typing import NoReturn


class Fixed:
    """Base of a class whose attributes are set when it is made (through the slots themselves) and never again.

    >>> from tradekit.turin.actions import Amounts
    >>> Amounts(["bid"], 0, 1, 0).most = 100
    Traceback (most recent call last):
    AttributeError: most: a value of Amounts cannot be changed
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name}: a value of {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name}: a value of {type(self).__name__} cannot be changed")
