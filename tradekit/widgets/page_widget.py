"""A page that Python writes and a person acts on: what all our widgets are.

A subclass writes its page as named parts of HTML (`write`) and answers messages (`do_<name>`). The script beside this
file shows the parts and sends the messages: `live.js` the page, `connection.js` whether somebody answers, `comm.js` the
way to Jupyter's kernel; there is no other JavaScript. It asks nothing of any host.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, ClassVar

import anywidget
import traitlets

from tradekit import theme
from tradekit.widgets.moments import Moments, notices
from tradekit.widgets.still import still


def script(*names: str) -> str:
    """The script of a page: the parts of it beside this file, one after the other."""
    return "\n".join((files("tradekit.widgets") / f"{name}.js").read_text("utf-8") for name in names)


def style(*names: str, package: str = "tradekit.widgets") -> str:
    """The style sheets of a page: our colours and type, ``live.css`` beside this file, and those of `package`."""
    homes = {"live": "tradekit.widgets"}
    sheets = ((files(homes.get(name, package)) / f"{name}.css").read_text("utf-8") for name in names)
    return "\n".join([theme.CSS, *sheets])


class LivePage(anywidget.AnyWidget):
    """A widget whose page is HTML written by Python. One message in, one message out, which answers it.

    What a person does to the page comes with the number of the moment that the page showed (`moments`): a click on what
    has passed by then is answered, and nothing else. So three clicks that waited for a busy kernel are one, unless
    `every_click` counts.
    """

    _esm = script("connection", "live", "comm")
    #: Its style sheets. They reach the whole window of JupyterLab: so the page has a class for each, as ``tk-table``,
    #: and what a sheet says of ``data-part`` it says of pages of that class.
    sheets: ClassVar[tuple[str, ...]] = ("live",)
    _css = style(*sheets)
    kind = traitlets.Unicode().tag(sync=True)  #: these classes
    parts = traitlets.Dict().tag(sync=True)  #: name of the part: its HTML, in the order of the page
    label = traitlets.Unicode().tag(sync=True)  #: what a screen reader calls the page
    moment = traitlets.Int().tag(sync=True)  #: the number of what the page shows
    answered = traitlets.Unicode().tag(sync=True)  #: the last message that was answered
    every_click = traitlets.Bool().tag(sync=True)  #: whether a click counts before the last one is answered
    notices = traitlets.Dict().tag(sync=True)  #: state of the connection: what the page says of it
    errors: traitlets.Dict[str, tuple[str, str]] = (
        traitlets.Dict()
    )  #: field: what was typed there, and what is wrong with it
    fields: ClassVar[Mapping[str, str]] = {}  #: where the message about an action stands, if not at its own field
    bound: ClassVar[frozenset[str]] = frozenset()  #: actions that are about the `subject` as the page showed it

    def __init__(self, label: str, every_click: bool = False) -> None:
        self._moments = Moments(self.bound, every_click)
        kind = " ".join(f"tk-{sheet}" for sheet in self.sheets)
        super().__init__(label=label, kind=kind, every_click=every_click, notices=notices())
        self.on_msg(self._receive)
        self.refresh()

    @property
    def subject(self) -> object:
        """What the page is about, another object when that has changed; None where nothing changes by itself."""
        return None

    def write(self) -> dict[str, str]:
        """The parts of the page as they should be now."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Write the page anew; parts that have not changed are not drawn again."""
        self.parts = self.write()
        self.moment = self._moments.look(self.subject)

    def _receive(self, _widget: Any, message: Any, _buffers: Any) -> None:
        if not isinstance(message, dict):
            return
        with self.hold_sync():
            try:
                if hasattr(self, f"do_{message.get('do')}"):
                    self._do(message["do"], str(message.get("value") or ""), message.get("at"), message.get("click"))
            finally:  # whatever went wrong, the page does not wait for ever
                self.answered = str(message.get("id") or self.answered)

    def _do(self, do: str, value: str, at: object, click: object) -> None:
        self._moments.look(self.subject)
        if self._moments.has_passed(do, at):
            self.missed(do, value)
        else:
            self.receive(do, value)
            if click:
                self._moments.clicked()
        self.refresh()

    def missed(self, do: str, value: str) -> None:
        """What a person did came too late: it was meant for what has passed."""

    def receive(self, do: str, value: str) -> None:
        """Call the method ``do_<do>`` with `value`; a `ValueError` becomes the message at the field."""
        field = self.fields.get(do, do)
        self.errors.pop(field, None)
        try:
            getattr(self, f"do_{do}")(value)
        except ValueError as error:
            self.errors[field] = (value, str(error))

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> Any:
        """The live widget, and a still page for where no kernel runs (code hosts, printed pages)."""
        bundle = super()._repr_mimebundle_(*args, **kwargs)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            data["text/html"] = self._repr_html_()
        return bundle

    def _repr_html_(self) -> str:
        return still(self.write_still(), self._css, self.kind)

    def write_still(self) -> dict[str, str]:
        """The parts of the still page; what nobody can use there is left out of them."""
        return self.parts
