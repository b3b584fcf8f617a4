"""A decision of somebody else's bot: anything but a legal action becomes a reason in words."""

from __future__ import annotations

import ctypes
import random
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Final

from tradekit.bots import Bot
from tradekit.game import State
from tradekit.i18n import _
from tradekit.record import Record

_LETTERS: Final = 200  #: the most letters of a bot's message or value in a reason


class BotError(RuntimeError):
    """The error of a bot that did not choose an action; the message names the bot, the game, its seed and the move.

    `record` is the game up to that move. `result` has what the tournament had played by then; None until it is known.
    """

    def __init__(self, message: str, bot: str, record: Record) -> None:
        super().__init__(message)
        self.bot, self.record = bot, record
        self.result: Any = None  #: the tournament's `Result`

    def __reduce__(self) -> tuple[Any, ...]:
        return BotError, (str(self), self.bot, self.record)


class Failure(Exception):
    """The reason why there is no action; `late` if a slower or busier machine may give it where another does not."""

    def __init__(self, reason: str, late: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.late = reason, late


def decide(bot: Bot, state: State, player: int, rng: random.Random, seconds: float | None = None) -> tuple[str, State]:
    """Return the action that a bot chooses within `seconds` (None: no limit), and the state after it.

    Raises `Failure` for an error of the bot, for anything that is not one of the legal actions, and when time is up. An
    interrupt passes through.
    """
    view = state.view(player)
    actions = view.actions()

    def choose() -> object:
        return bot.choose(view, actions, rng)

    try:
        action = choose() if seconds is None else _in_time(choose, seconds)
    except (KeyboardInterrupt, Failure):
        raise
    except BaseException as error:  # SystemExit as well: a bot may end its game, not the tournament
        raise Failure(_("raised {error}").format(error=_said(error))) from error
    if not isinstance(action, str):
        raise Failure(_("chose {action}, which is not the text of an action").format(action=_shown(action)))
    try:
        return action, state.after(action, player)
    except ValueError as error:
        message = _("chose {action}, which is not a legal action: {why}")
        raise Failure(message.format(action=_shown(str(action)), why=_cut(str(error)))) from error


def _in_time(choose: Callable[[], object], seconds: float) -> object:
    """Return what `choose` returns, from a thread that is told to end when time is up.

    A thread that never gets back to Python code, as in a single long call of C code, ends with the process at the
    latest.
    """
    done: list[tuple[object, BaseException | None]] = []

    def run() -> None:
        with suppress(SystemExit):  # which may come late as well
            try:
                done.append((choose(), None))
            except BaseException as error:
                done.append((None, error))

    begin = time.monotonic()
    thread = threading.Thread(target=copy_context().run, args=(run,), daemon=True, name="tradekit-decision")
    thread.start()
    try:
        thread.join(min(seconds, threading.TIMEOUT_MAX))
    finally:
        if thread.is_alive():  # SystemExit, because bots that catch every `Exception` do not catch it
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
    if not done or time.monotonic() - begin > seconds:
        raise Failure(_("took longer than {seconds:g} s").format(seconds=seconds), late=True)
    [(action, error)] = done
    if error is not None:
        raise error
    return action


def _said(error: BaseException) -> str:
    """Return an error's kind and message, even if its own text raises an error."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return _cut(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def _shown(value: object) -> str:
    """Return a value as Python writes it, or only its kind if it has no plain form."""
    try:
        return _cut(repr(value)) if value is None or isinstance(value, str | int | float) else type(value).__name__
    except Exception:  # as for a number with more digits than Python writes
        return type(value).__name__


def _cut(text: str) -> str:
    """Return a text on one line, the same in every process, shortened, with only letters that UTF-8 has."""
    line = re.sub(r"0x[0-9a-fA-F]{6,}", "0x…", " ".join(text.encode(errors="replace").decode().split()))
    return line if len(line) <= _LETTERS else f"{line[: _LETTERS - 1]}…"
