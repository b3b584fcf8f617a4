"""Bots for the tests, where workers can import them, and a tournament that is soon over."""

import os
import signal
import tempfile
import time
from contextlib import suppress

from tradekit import tournament
from tradekit.bots import Bot, RandomBot

decisions = 0  # of `Deadly`, in this process


class Rolls(Bot):
    """A bot that rolls, takes the first colour and buys nothing, so that its luck is visible."""

    name = "rolls"
    deterministic = True

    def choose(self, view, actions, rng):
        return next((action for action in actions if action in ("roll", "done")), next(iter(actions)))


class Deadly(RandomBot):
    """A bot that plays like `random`, and after some decisions in a process kills it, unless the mark is there."""

    name = "deadly"

    def __init__(self, mark, after=300):
        self.mark, self.after = str(mark), after

    def choose(self, view, actions, rng):
        global decisions
        decisions += 1
        if decisions > self.after and not os.path.exists(self.mark):
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(view, actions, rng)


class Fails(RandomBot):
    """A bot that raises an error, as often as marks of it are missing in a folder; without a folder always."""

    name = "fails"

    def __init__(self, folder=None, times=1):
        self.folder, self.times = folder and str(folder), times

    def choose(self, view, actions, rng):
        failed = len(os.listdir(self.folder)) if self.folder else -1
        if failed < self.times:
            if self.folder:
                open(os.path.join(self.folder, str(failed)), "x").close()
            raise ArithmeticError("cannot count")
        return super().choose(view, actions, rng)


class Marks(RandomBot):
    """A bot that leaves a file for every decision, and takes its time for it."""

    name = "marks"

    def __init__(self, folder):
        self.folder = str(folder)

    def choose(self, view, actions, rng):
        time.sleep(0.05)
        tempfile.mkstemp(dir=self.folder)
        return super().choose(view, actions, rng)


class Interrupts(RandomBot):
    """A bot that is interrupted in the game with a given number, as it counts them."""

    name = "interrupts"

    def __init__(self, game=3):
        self._left = game

    def choose(self, view, actions, rng):
        if view.known.idle == 0 and not any(view.known.bought) and view.known.actions(view.player) == ("roll",):
            self._left -= 1
            if self._left == 0:
                raise KeyboardInterrupt
        return super().choose(view, actions, rng)


class Strange(RandomBot):
    """A bot that plays like `random`, and at its n-th decision of a game does something strange, chosen by name.

    The games of a process are distinguished by their generators.
    """

    name = "strange"

    def __init__(self, what, nth=3):
        self.what, self.nth = what, nth
        self._count, self._rng = 0, None

    def choose(self, view, actions, rng):
        self._count, self._rng = self._count + 1 if rng is self._rng else 1, rng
        return STRANGE[self.what](self, view) if self._count == self.nth else super().choose(view, actions, rng)


class Unfair(Exception):
    """An error that cannot be unpickled: its arguments are not those of its `__init__`."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


class Mute:
    def __repr__(self):
        raise ValueError("no words")

    __str__ = __repr__


def _raise(error):
    raise error


def _hang(bot, view):
    while True:
        pass


def _hang_on(bot, view):
    """Catch everything, and never return."""
    while True:
        with suppress(Exception):
            time.sleep(0.01)


#: Strange things to do instead of choosing an action, by name.
STRANGE = {
    "error": lambda bot, view: _raise(ArithmeticError("cannot count")),
    "unpicklable error": lambda bot, view: _raise(Unfair(1, 2)),
    "error without words": lambda bot, view: _raise(ArithmeticError(Mute())),
    "several lines": lambda bot, view: _raise(ArithmeticError("one\n\ttwo, three\ud800 at 0x7f0011223344")),
    "exit": lambda bot, view: _raise(SystemExit(3)),
    "generator's exit": lambda bot, view: _raise(GeneratorExit()),
    "stop": lambda bot, view: _raise(StopIteration()),
    "deep": lambda bot, view: _deep(),
    "None": lambda bot, view: None,
    "number": lambda bot, view: 7,
    "list": lambda bot, view: ["roll"],
    "bytes": lambda bot, view: b"roll",
    "unpicklable": lambda bot, view: lambda: "roll",
    "mute": lambda bot, view: Mute(),
    "empty": lambda bot, view: "",
    "nonsense": lambda bot, view: "fly away\n\ud800",
    "illegal": lambda bot, view: "buy 4" if view.known.game.name == "bazar" else "bid 99",
    "somebody's error": lambda bot, view: _raise(KeyError("hands")),
}
HANGS = {"hangs": _hang, "hangs on": _hang_on, "sleeps": lambda bot, view: time.sleep(60)}
ENDS = {"killed": lambda bot, view: os.kill(os.getpid(), signal.SIGKILL), "ended": lambda bot, view: os._exit(0)}
STRANGE |= HANGS | ENDS


def _deep():
    return _deep()


def play(*players, games=4, seed=0, **options):
    """Play a tournament of Bazar whose games end soon."""
    options = {"cards": (1, 4), "patience": 2, "progress": False} | options
    return tournament.play("bazar", players, games, seed, **options)
