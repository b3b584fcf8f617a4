"""The moment that a click was meant for, and the notices about a connection, whatever the transport.

A page has a number for each moment that it shows, and what a person does comes with the number that was on the page.
Clicks that a busy kernel finds waiting were all made on one page: the first of them counts, the others were made on a
page that has passed. Where each click adds to the last one (stones put into a hand), every click counts.
"""

from __future__ import annotations

import os
from collections.abc import Collection

from tradekit.i18n import _


class Moments:
    """The numbers of what a page shows.

    `bound` names the actions that are about the page's subject: they have passed once the subject has changed, by
    whomever; every other one only once a click has been answered since, or never where `every` click counts.

    >>> moments = Moments(bound={"act"})
    >>> at = moments.look("a state")
    >>> moments.has_passed("hint", at), moments.has_passed("act", at)
    (False, False)
    >>> now = moments.look("another state, for a bot has moved")
    >>> moments.has_passed("hint", at), moments.has_passed("act", at)
    (False, True)
    >>> moments.clicked()
    >>> moments.has_passed("hint", now)
    True
    """

    def __init__(self, bound: Collection[str] = (), every: bool = False) -> None:
        self.bound = bound
        self.every = every
        self.now = 0
        self._subject: object = None
        self._changed = 0  # the moment since which the subject is what it is
        self._clicked = 0  # the moment that began with the last answer to a click

    def look(self, subject: object) -> int:
        """The number of this moment: a new one if the page's subject is another object than it was."""
        if subject is not self._subject:
            self._subject = subject
            self.now += 1
            self._changed = self.now
        return self.now

    def clicked(self) -> None:
        """A click has been answered: a new moment begins."""
        self.now += 1
        if not self.every:
            self._clicked = self.now

    def has_passed(self, do: str, at: object) -> bool:
        """Return True if the page had a newer moment than that; a message without a number counts as new."""
        return isinstance(at, int) and at < max(self._clicked, self._changed if do in self.bound else 0)


def notices() -> dict[str, str]:
    """Return the notice of a page for each state of its connection; none while it is live."""
    voila = os.environ.get("SERVER_SOFTWARE", "").startswith("voila")
    gone = _("Not connected: load this page again") if voila else _("Not connected: run the cell again")
    return {"waiting": _("Waiting for an answer …"), "disconnected": gone}
