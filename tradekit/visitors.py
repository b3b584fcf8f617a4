"""The server of `tradekit app`: Voila, with a kernel for each visitor that ends when the visitor has left.

A page says goodbye when it is left, which needs a cookie that Voila sets only on its front page; here every page sets
it. A browser that disappears without a word is noticed: its kernel ends `IDLE` to ``IDLE + LOOK`` seconds after the
last sign of life.
"""

from __future__ import annotations

from typing import Final

from traitlets import Int
from traitlets.config import Config
from voila.app import Voila
from voila.tornado.handler import TornadoVoilaHandler

from tradekit.app import full

VISITORS: Final = 20  #: at the same time; each kernel takes some 70 MB
IDLE: Final = 120  #: seconds without a visitor and without work, after which a kernel ends
LOOK: Final = 30  #: seconds between two such checks


class Visit(TornadoVoilaHandler):
    """A page for one visitor, unless there are too many already."""

    arriving = 0  #: visitors whose kernels do not exist yet

    async def get(self, path: str | None = None) -> None:
        """Show the page, or say that all places are taken."""
        visitors = self.settings["visitors"]
        if not self.get_current_user():
            await super().get(path)  # which asks for the password
            return
        if len(self.kernel_manager) + Visit.arriving >= visitors:
            self.set_status(503)
            self.set_header("Retry-After", str(LOOK))
            self.finish(full(visitors))
            return
        _cookie = self.xsrf_token  # the page needs it to say goodbye
        Visit.arriving += 1
        pieces = aiter(self.get_generator(path=path))
        try:
            first = await anext(pieces, "")  # its kernel exists by then
        finally:
            Visit.arriving -= 1
        self.write(first)
        self.flush()
        async for piece in pieces:
            self.write(piece)
            self.flush()


class App(Voila):
    """Voila with our settings; its own options, given after --, take precedence."""

    visitors = Int(VISITORS, help="how many visitors there may be at once", config=True)

    def init_settings(self) -> dict[str, object]:
        """Return Voila's settings, with ours where the user has not chosen others."""
        ours = Config()
        ours.MappingKernelManager.cull_idle_timeout = IDLE
        ours.MappingKernelManager.cull_interval = LOOK
        ours.MappingKernelManager.cull_busy = True  # nobody is connected who would wait for it
        ours.merge(self.config)
        self.update_config(ours)
        return {**super().init_settings(), "visitors": self.visitors}

    def init_handlers(self) -> list[object]:
        """Return Voila's pages, with ours in place of those that start a kernel."""
        return [
            (place, Visit if handler is TornadoVoilaHandler else handler, *options)
            for place, handler, *options in super().init_handlers()
        ]
