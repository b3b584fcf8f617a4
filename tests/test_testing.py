"""The laws are themselves held to account: each planted defect is caught, by the law that is meant for it."""

import subprocess
import sys
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from tests import toy
from tests.toy import BIDS, GAME, OPEN, Toy
from tradekit import testing
from tradekit.bazar import rules
from tradekit.game import CHANCE, Game, IllegalAction, Listed, register
from tradekit.testing import BrokenLaw, check_game, count_sequences


def game(state, **facts):
    """The toy game with another state."""
    declared = Game("toy", state, lambda: state(), players=(2,), simultaneous=True, hidden=True, low=-1, high=6)
    return register(replace(declared, **facts))


@pytest.fixture(autouse=True)
def toy_as_it_is():
    """Whatever a test registers, the toy game is itself again after it."""
    yield
    register(GAME)


def test_the_toy_keeps_every_law():
    checked = check_game(GAME, plays=100)
    assert checked.plays == 100 and checked.decisions == 200 and checked.states >= 500


class Leaky(Toy):
    def masked(self, player):
        return self


class HalfLeaky(Toy):
    """The number is masked, the other's bid shows."""

    def masked(self, player):
        return self if not self.actors else replace(Toy.masked(self, player), bids=self.bids)


class Careless(Toy):
    """A sample that changes what the player knows."""

    def completed(self, rng, player):
        return replace(self, numbers=(rng.randint(1, 3), rng.randint(1, 3)))


class Shared(Toy):
    """A list that all later states share, and change."""

    log: ClassVar[list] = []

    def after(self, action, player=None):
        self.log.append(action)
        return Toy.after(self, action, player)

    def __str__(self):
        return f"{Toy.__str__(self)} log={len(self.log)}"

    @classmethod
    def parse(cls, text):
        return Toy.parse.__func__(cls, text.rpartition(" log=")[0])


class Unlisted(Toy):
    def after(self, action, player=None):
        return self if action == "bid 0" and player not in self.actors else Toy.after(self, action, player)


class Overlisted(Toy):
    def vocabulary(self):
        return (*Toy.vocabulary(self), *Listed.of("bid 9"))

    def actions(self, player):
        actions = Toy.actions(self, player)
        return Listed((*actions, *Listed.of("bid 9"))) if actions else actions

    def after(self, action, player=None):
        if action == "bid 9" and player == 1:
            raise IllegalAction("no")
        return Toy.after(self, "bid 3" if action == "bid 9" else action, player)


class Twice(Toy):
    def actions(self, player):
        actions = Toy.actions(self, player)
        return Listed((*actions, *actions))


class Unlikely(Toy):
    def outcomes(self):
        return [(face, p * 0.9) for face, p in Toy.outcomes(self)]


class Mute(Toy):
    """Its text does not tell two states apart."""

    def __str__(self):
        return Toy.__str__(replace(self, bids=(OPEN, OPEN)))


class Early(Toy):
    def winners(self):
        return (0,)


class Rich(Toy):
    def scores(self):
        return tuple(10 * score for score in Toy.scores(self))


class Printing(Toy):
    """A coin is made with each bid."""

    def conserved(self):
        return (sum(bid != OPEN for bid in self.bids),)


class Hasty(Toy):
    """Who commits last decides."""

    def after(self, action, player=None):
        new = Toy.after(self, action, player)
        return replace(new, winner=player) if new.winner != OPEN and action in BIDS else new


class Nosy(Toy):
    """Somebody who is not there acts."""

    @property
    def actors(self):
        return tuple(p + 1 for p in Toy.actors.fget(self)) if self.bids != (OPEN, OPEN) else Toy.actors.fget(self)


class Silent(Toy):
    def after(self, action, player=None):
        try:
            return Toy.after(self, action, player)
        except ValueError as error:
            raise type(error)("") from None


@dataclass(frozen=True, slots=True, repr=False)
class Named(Toy):
    """A text in the state, whose hash differs from process to process."""

    name: str = "x"


@pytest.mark.parametrize(
    ("state", "law"),
    [
        (Leaky, "does not depend on what its player cannot see|hides what is hidden|sees what"),
        (HalfLeaky, "sees what p0 has chosen"),
        (Careless, "could tell"),
        (Shared, "changed|it was|parsed|sees|could tell"),
        (Unlisted, "not listed but accepted"),
        (Overlisted, "listed but refused|raises IllegalAction: no"),
        (Twice, "has an action twice"),
        (Unlikely, "add up to"),
        (Mute, "parsed"),
        (Early, "before the end"),
        (Rich, "above 6"),
        (Printing, "conserves"),
        (Hasty, "order matters"),
        (Nosy, "no such player|other actions"),
        (Silent, "without a word"),
        (Named, "every process"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_planted_defect_is_caught(state, law):
    with pytest.raises(BrokenLaw, match=law):
        check_game(game(state), plays=60)


@pytest.mark.parametrize("facts", [{"chance": False}, {"simultaneous": False}, {"low": 0}], ids=str)
def test_a_wrong_declaration_is_caught(facts):
    with pytest.raises(BrokenLaw):
        check_game(game(Toy, **facts), plays=60)


@pytest.mark.parametrize(
    ("name", "replacement"),
    [
        (
            "_take",
            lambda self, colour: self._acted(
                self.setting.holding[self.hands[self.turn]], self.bank - rules.UNIT[colour]
            ),
        ),
        ("_return", lambda self, action: self._draft().next_turn()),
        ("scores", lambda self: (0,) * (len(self.hands) - 1)),
    ],
)
def test_a_defect_planted_in_bazar_is_caught(monkeypatch, name, replacement):
    monkeypatch.setattr(rules.State, name, replacement)
    monkeypatch.setattr(rules, "_DOES", tuple(getattr(rules.State, does.__name__) for does in rules._DOES))
    with pytest.raises(BrokenLaw):
        check_game(rules.GAME, plays=20, players=3, patience=10)


def test_sequences_are_counted():
    """By hand: 9 deals; 16 pairs of bids, of which 4 are equal and are tossed for."""
    assert [count_sequences(Toy(), depth) for depth in range(6)] == [1, 3, 9, 36, 144, 9 * (12 + 4 * 2)]


def test_a_broken_law_says_which_and_where():
    with pytest.raises(BrokenLaw) as error:
        check_game(game(Twice), plays=1)
    assert "p0 has an action twice" in str(error.value)
    assert "state: toy numbers=" in str(error.value) and "after: " in str(error.value)
    assert testing.CHEAP and CHANCE == -1


SCRIPT = """
import sys, warnings
warnings.simplefilter("always")
exec(compile(open({toy!r}, encoding="utf-8").read(), "cell", "exec"))
from tradekit.testing import check_game
print(check_game(GAME, plays=30))
"""


def test_a_game_of_a_notebook_cell_is_held_against_all_laws_but_one_and_told_which():
    """As in a notebook, `__main__` is no module that a second process could import; elsewhere there is no warning."""
    script = SCRIPT.format(toy=toy.__file__)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == f"{check_game(GAME, plays=30)}\n"
    assert (
        done.stderr.count("Toy is in no module: whether its hashes are equal in every process was not looked at") == 1
    )


def test_nothing_passes_without_having_been_looked_at():
    with pytest.raises(ValueError, match="plays=0: must be 1 or more"):
        check_game(GAME, plays=0)
    with pytest.raises(ValueError, match="depth=-1: must be 0 or more"):
        count_sequences(GAME.new(), -1)
