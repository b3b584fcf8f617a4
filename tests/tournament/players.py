"""Bots that the tests need, where workers can import them, and a tournament that is soon over."""

import os
import signal
import tempfile
import time

from tradekit import tournament
from tradekit.bots import Bot, RandomBot

decisions = 0  # of `Deadly`, in this process


class Rolls(Bot):
    """Rolls, takes the first colour and buys nothing: what chance gives it, one can see."""

    name = "rolls"
    deterministic = True

    def choose(self, view, actions, rng):
        return next((action for action in actions if action in ("roll", "done")), next(iter(actions)))


class Deadly(RandomBot):
    """Plays like `random`; after so many decisions in a process it kills that process, unless the mark is there."""

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
    """Raises an error, as often as there are no marks of it in a folder; without a folder always."""

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
    """Leaves a file for every decision, and takes its time for it."""

    name = "marks"

    def __init__(self, folder):
        self.folder = str(folder)

    def choose(self, view, actions, rng):
        time.sleep(0.05)
        tempfile.mkstemp(dir=self.folder)
        return super().choose(view, actions, rng)


class Interrupts(RandomBot):
    """Is interrupted in the game whose number it is given, as it counts them."""

    name = "interrupts"

    def __init__(self, game=3):
        self._left = game

    def choose(self, view, actions, rng):
        if view.known.idle == 0 and not any(view.known.bought) and view.known.actions(view.player) == ("roll",):
            self._left -= 1
            if self._left == 0:
                raise KeyboardInterrupt
        return super().choose(view, actions, rng)


def play(*players, games=4, seed=0, **options):
    """A tournament of Bazar whose games end soon."""
    options = {"cards": (1, 4), "patience": 2, "progress": False} | options
    return tournament.play("bazar", players, games, seed, **options)
