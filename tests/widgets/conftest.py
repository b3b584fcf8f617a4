"""Widgets without a browser: what a widget sends is recorded, and what the front end says is made up."""

import comm
import pytest
from comm.base_comm import BaseComm


class Comms:
    """The messages between all widgets of a test and a front end that is not there.

    A test clears it, lets the front end say something, and looks at the answer:

        comms.clear()
        comms.browser_says(table, content={"event": "click", "index": 2})
        assert comms.updates(table) == [{"selected": 2}]  # one message
    """

    def __init__(self):
        self.messages = []  # (comm id, message type, data, buffers), oldest first

    def opened(self, widget):
        """The state that `widget` sent when it was made."""
        (state,) = (data["state"] for kind, data in self._of(widget) if kind == "comm_open")
        return state

    def updates(self, widget):
        """The changes of state that `widget` sent, one dictionary a message."""
        return [data["state"] for kind, data in self._of(widget) if data.get("method") == "update"]

    def custom(self, widget):
        """What `widget` sent with `send()`."""
        return [data["content"] for kind, data in self._of(widget) if data.get("method") == "custom"]

    def clear(self):
        """Forget what was sent so far."""
        self.messages.clear()

    def browser_says(self, widget, *, state=None, content=None):
        """Deliver what the front end would send: a change of traits (`state`) or a `model.send` (`content`).

        ipywidgets logs and swallows what a handler of `content` raises.
        """
        if state is not None:
            data = {"method": "update", "state": state, "buffer_paths": []}
        else:
            data = {"method": "custom", "content": content}
        widget.comm.handle_msg({"content": {"data": data}, "buffers": []})

    def _of(self, widget):
        mine = widget.comm.comm_id
        return [(kind, data) for comm_id, kind, data, _ in self.messages if comm_id == mine and data]


@pytest.fixture
def comms(monkeypatch):
    """The recorder, as `Comms` above says; ask for it before the first widget is made."""
    recorder = Comms()

    class RecordingComm(BaseComm):
        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
            recorder.messages.append((self.comm_id, msg_type, data, buffers))

    monkeypatch.setattr(comm, "create_comm", RecordingComm)
    return recorder


@pytest.fixture
def talk_to(comms):
    """talk_to(page) -> say(do, value): what the front end sends; it returns the names of the parts written anew."""

    def begin(page):
        def say(do, value=""):
            before = dict(page.parts)
            comms.clear()
            comms.browser_says(page, content={"do": do, "value": value})
            assert len(comms.updates(page)) <= 1, "one message in, at most one message out"
            return {name for name, html in page.parts.items() if before[name] != html}

        return say

    return begin


@pytest.fixture(autouse=True)
def as_in_a_script(no_loop_runs):
    """Bots answer at once."""
