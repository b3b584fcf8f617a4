"""A page in a notebook: its parts travel over the comm of a Jupyter widget.

The script beside this file shows the parts and sends the messages: `live.js` the page, `connection.js` whether somebody
answers, `comm.js` the way to Jupyter's kernel; there is no other JavaScript. It asks nothing of any host.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from tradekit import theme
from tradekit.widgets.page import Page
from tradekit.widgets.still import still


def script(*names: str) -> str:
    """The script of a page: the parts of it beside this file, one after the other."""
    return "\n".join((files("tradekit.widgets") / f"{name}.js").read_text("utf-8") for name in names)


def style(*names: str, package: str = "tradekit.widgets") -> str:
    """The style sheets of a page: our colours and type, ``live.css`` beside this file, and those of `package`."""
    homes = {"live": "tradekit.widgets"}
    sheets = ((files(homes.get(name, package)) / f"{name}.css").read_text("utf-8") for name in names)
    return "\n".join([theme.CSS, *sheets])


class LivePage(Page, anywidget.AnyWidget):
    """A `Page` over a comm. Its sheets stand beside the module of its class."""

    _esm = script("connection", "live", "comm")
    kind = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    every_click = traitlets.Bool().tag(sync=True)
    notices = traitlets.Dict().tag(sync=True)
    parts = traitlets.Dict().tag(sync=True)  #: name of the part: its HTML, in the order of the page
    moment = traitlets.Int().tag(sync=True)  #: the number of what the page shows
    answered = traitlets.Unicode().tag(sync=True)  #: the last message that was answered

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "sheets" in vars(cls):
            cls._css = style(*cls.sheets, package=cls.__module__.rpartition(".")[0])

    def __init__(self, label: str, every_click: bool = False) -> None:
        Page.__init__(self, label, every_click)  # first, so that the comm opens with the page on it
        anywidget.AnyWidget.__init__(self)
        self.on_msg(self._receive)

    def show(self, parts: dict[str, str]) -> None:
        """Send the parts, in one message with the number of their moment."""
        with self.hold_sync():
            self.parts = parts
            self.moment = self.moments.now

    def _receive(self, _widget: Any, message: Any, _buffers: Any) -> None:
        if not isinstance(message, dict):
            return
        with self.hold_sync():
            try:
                self.receive(message.get("do"), message.get("value"), message.get("at"), message.get("click"))
            finally:  # whatever went wrong, the page does not wait for ever
                self.answered = str(message.get("id") or self.answered)

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
