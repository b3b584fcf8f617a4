"""A page that Python writes and a person acts on, whatever carries it: a comm of Jupyter, a socket, nothing in a test.

A subclass writes its page as named parts of HTML (`write`) and answers what a person does by methods ``do_<name>``; a
browser can call those whose names it declares (`Page.actions`), and nothing else. How a page gets to a person is the
business of a transport, and all that one defines is `Page.show`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar

from tradekit.widgets.moments import Moments, notices


class Page:
    """A page, and what can be done on it. One message in, one answer out: `receive`, which ends in `show`.

    >>> class Counter(Page):
    ...     actions = frozenset({"add"})
    ...     total = 0
    ...     def write(self) -> dict[str, str]:
    ...         return {"total": f"<p>{self.total}</p>"}
    ...     def show(self, parts: dict[str, str]) -> None:
    ...         print(parts, self.errors)
    ...     def do_add(self, value: str) -> None:
    ...         self.total += int(value)
    >>> page = Counter("counter")
    {'total': '<p>0</p>'} {}
    >>> page.receive("add", "2")
    {'total': '<p>2</p>'} {}
    >>> page.receive("write", "2")  # not declared: nothing happens

    What a person does to the page comes with the number of the moment that the page showed (`moments`): a click on what
    has passed by then is answered, and nothing else. So three clicks that waited for a busy kernel are one, unless
    `every_click` counts.
    """

    #: Its style sheets. They reach the whole window of JupyterLab: so the page has a class for each, as ``tk-table``,
    #: and what a sheet says of ``data-part`` it says of pages of that class.
    sheets: ClassVar[tuple[str, ...]] = ("live",)
    actions: ClassVar[frozenset[str]] = frozenset()  #: what a browser can call: methods ``do_<name>``
    bound: ClassVar[frozenset[str]] = frozenset()  #: actions that are about the `subject` as the page showed it
    fields: ClassVar[Mapping[str, str]] = {}  #: where the message about an action stands, if not at its own field
    one_message: ClassVar[bool] = False  #: whether a message goes when anything else is done
    _held = False

    def __init__(self, label: str, every_click: bool = False) -> None:
        self.label = label  #: what a screen reader calls the page
        self.kind = " ".join(f"tk-{sheet}" for sheet in self.sheets)  #: its classes
        self.every_click = every_click  #: whether a click counts before the last one is answered
        self.notices = notices()  #: state of the connection: what the page says of it
        self.errors: dict[str, tuple[str, str]] = {}  #: field: what was typed there, and what is wrong with it
        self.moments = Moments(self.bound, every_click)
        self.refresh()

    @property
    def subject(self) -> object:
        """Subject of the page, another object once it has changed; None if nothing changes by itself."""
        return None

    def write(self) -> dict[str, str]:
        """The parts of the page as they should be now."""
        raise NotImplementedError

    def show(self, parts: dict[str, str]) -> None:
        """Bring the parts to the person, with the number ``moments.now``; what has not changed need not travel."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Write the page again and show it."""
        if not self._held:
            self.moments.look(self.subject)
            self.show(self.write())

    @contextmanager
    def one_refresh(self) -> Iterator[None]:
        """Whoever refreshes the page in here, it is written once, at the end."""
        if self._held:
            yield
            return
        self._held = True
        try:
            yield
        finally:
            self._held = False
        self.refresh()

    def receive(self, do: object, value: object = "", at: object = None, click: object = False) -> None:
        """Do what a person did, if it is declared and was not meant for what has passed, and show the page.

        `at` is the number of the moment that the person saw, `click` whether this was one. A `ValueError` becomes the
        message at the field.
        """
        if not isinstance(do, str) or do not in self.actions:
            return
        value = str(value or "")
        self.moments.look(self.subject)
        with self.one_refresh():
            if self.moments.has_passed(do, at):
                self.missed(do, value)
                return
            field = self.fields.get(do, do)
            for name in [*self.errors] if self.one_message else [field]:
                self.errors.pop(name, None)
            try:
                getattr(self, f"do_{do}")(value)
            except ValueError as error:
                self.errors[field] = (value, str(error))
            if click:
                self.moments.clicked()

    def missed(self, do: str, value: str) -> None:
        """Handle a message that came too late: it was meant for a moment that has passed."""
