"""A page that Python writes and a person acts on: what all our widgets are.

A subclass writes its page as named parts of HTML (`write`) and answers messages (`do_<name>`). The script beside this
file shows the parts and sends the messages; there is no other JavaScript. It asks nothing of any host.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, ClassVar

import anywidget
import traitlets

from tradekit import theme


def style(*names: str) -> str:
    """The style sheets of a page: our colours and type, and those of that name beside this file."""
    return "\n".join([theme.CSS, *((files("tradekit.widgets") / f"{name}.css").read_text("utf-8") for name in names)])


class LivePage(anywidget.AnyWidget):
    """A widget whose page is HTML written by Python. One message in, at most one message out."""

    _esm = (files("tradekit.widgets") / "live.js").read_text("utf-8")
    #: Its style sheets. They reach the whole window of JupyterLab: so the page has a class for each, as ``tk-table``,
    #: and what a sheet says of ``data-part`` it says of pages of that class.
    sheets: ClassVar[tuple[str, ...]] = ("live",)
    _css = style(*sheets)
    kind = traitlets.Unicode().tag(sync=True)  #: these classes
    parts = traitlets.Dict().tag(sync=True)  #: name of the part: its HTML, in the order of the page
    label = traitlets.Unicode().tag(sync=True)  #: what a screen reader calls the page
    errors: traitlets.Dict[str, tuple[str, str]] = (
        traitlets.Dict()
    )  #: field: what was typed there, and what is wrong with it
    fields: ClassVar[Mapping[str, str]] = {}  #: where the message about an action stands, if not at its own field

    def __init__(self, label: str) -> None:
        super().__init__(label=label, kind=" ".join(f"tk-{sheet}" for sheet in self.sheets))
        self.on_msg(self._receive)
        self.refresh()

    def write(self) -> dict[str, str]:
        """The parts of the page as they should be now."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Write the page anew; parts that have not changed are not drawn again."""
        self.parts = self.write()

    def _receive(self, _widget: Any, message: Any, _buffers: Any) -> None:
        if isinstance(message, dict) and hasattr(self, f"do_{message.get('do')}"):
            with self.hold_sync():
                self.receive(message["do"], str(message.get("value") or ""))
                self.refresh()

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
        parts = "".join(f'<section data-part="{name}">{html}</section>' for name, html in self.parts.items())
        return f'<div class="tk {self.kind} tk-still"><style>{self._css}</style>{parts}</div>'
