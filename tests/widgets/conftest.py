"""Widgets without a browser: their messages are recorded, and the front end's are made up."""

import comm
import pytest
from comm.base_comm import BaseComm


class Comms:
    """The messages between all widgets of a test and a front end that is not there.

    A test clears it, sends a message of the front end, and looks at the answer:

        comms.clear()
        comms.browser_says(table, content={"event": "click", "index": 2})
        assert comms.updates(table) == [{"selected": 2}]  # one message
    """

    def __init__(self):
        self.messages = []  # (comm id, message type, data, buffers), oldest first

    def opened(self, widget):
        """Return the state that `widget` sent when it was made."""
        (state,) = (data["state"] for kind, data in self._of(widget) if kind == "comm_open")
        return state

    def updates(self, widget):
        """Return the changes of state that `widget` sent, one dictionary per message."""
        return [data["state"] for kind, data in self._of(widget) if data.get("method") == "update"]

    def custom(self, widget):
        """Return the messages that `widget` sent with `send()`."""
        return [data["content"] for kind, data in self._of(widget) if data.get("method") == "custom"]

    def clear(self):
        """Forget all messages so far."""
        self.messages.clear()

    def browser_says(self, widget, *, state=None, content=None):
        """Deliver a message of the front end: a change of traits (`state`) or a `model.send` (`content`).

        ipywidgets logs and swallows errors that a handler of `content` raises.
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
    """The recorder, described at `Comms`; use it before the first widget is made."""
    recorder = Comms()

    class RecordingComm(BaseComm):
        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
            recorder.messages.append((self.comm_id, msg_type, data, buffers))

    monkeypatch.setattr(comm, "create_comm", RecordingComm)
    return recorder


@pytest.fixture
def talk_to(comms):
    """A function talk_to(page) -> say(do, value): send as the front end does; return the names of rewritten parts."""

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
