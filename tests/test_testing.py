"""Tests of the laws: each planted defect is caught, by the law that is meant for it."""

import random
import subprocess
import sys
import weakref
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from tests import toy
from tests.toy import BIDS, GAME, OPEN, UNKNOWN, Toy
from tradekit import testing
from tradekit.bazar import rules
from tradekit.game import CHANCE, Action, Game, IllegalAction, Listed, register
from tradekit.testing import BrokenLaw, check_game, count_sequences


def game(state, **facts):
    """Return the toy game with another state."""
    declared = Game("toy", state, lambda: state(), players=(2,), simultaneous=True, hidden=True, low=-1, high=6)
    return register(replace(declared, **facts))


@pytest.fixture(autouse=True)
def toy_as_it_is():
    """The toy game, restored after any game that a test registers."""
    yield
    register(GAME)


def test_the_toy_keeps_every_law():
    checked = check_game(GAME, plays=100)
    assert checked.plays == 100 and checked.decisions == 200 and checked.states >= 500


class Leaky(Toy):
    def hide_from(self, player):
        return self


class HalfLeaky(Toy):
    """The number is masked, the other's bid shows."""

    def hide_from(self, player):
        return self if not self.actors else replace(Toy.hide_from(self, player), bids=self.bids)


class Careless(Toy):
    """A sample that changes what the player knows."""

    def sample_hidden(self, rng, player):
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
    """The last to commit decides."""

    def after(self, action, player=None):
        new = Toy.after(self, action, player)
        return replace(new, winner=player) if new.winner != OPEN and action in BIDS else new


class Nosy(Toy):
    """A player who does not exist acts."""

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


class Lazy(Toy):
    """Actions attached to the state that they come from."""

    def actions(self, player):
        return Bound(self) if Toy.actions(self, player) else Toy.actions(self, player)


class Bound(Listed):
    """Legal actions that remember their player."""

    __slots__ = ()

    def __new__(cls, state):
        return super().__new__(cls, (Remembering.of(action, state) for action in BIDS))

    def sample(self, rng):
        return self[int(rng.random() * len(self))]


class Remembering(Action):
    __slots__ = ("state",)

    @classmethod
    def of(cls, text, state):
        action = cls(text)
        action.state = state
        return action


class Labelled(Action):
    """An action that can be written on."""


class Writable(Toy):
    def actions(self, player):
        return Listed(map(Labelled, Toy.actions(self, player)))


class Closed(Toy):
    """A view with a way back to the state."""

    def hide_from(self, player):
        return tied(Toy.hide_from(self, player), lambda: self) if self.actors else self


class Cached(Toy):
    """A view that keeps the state in a dictionary next to its fields."""

    def hide_from(self, player):
        return tied(Toy.hide_from(self, player), {"true": self}) if self.actors else self


class Weak(Toy):
    """A view that refers to the state weakly."""

    def hide_from(self, player):
        return tied(Toy.hide_from(self, player), weakref.ref(self)) if self.actors else self


class Numbered(Toy):
    """A view with the other's number next to its fields."""

    def hide_from(self, player):
        return tied(Toy.hide_from(self, player), sum(self.numbers)) if self.actors else self


def tied(state, thing):
    """Return the state with something attached that neither text nor equality show: these classes have a dictionary."""
    object.__setattr__(state, "beside", thing)
    return state


class Bare(Toy):
    """A picture that shows all."""

    def html(self, player=None, *, live=False, names=(), hint=""):
        return Toy.html(self, None, live=live, names=names)


class BareLive(Toy):
    def html(self, player=None, *, live=False, names=(), hint=""):
        return Toy.html(self, None if live else player, names=names)


class BarePaper(Toy):
    def to_svg(self, player=None, names=()):
        return Toy.to_svg(self, None, names)


class Waiting(Toy):
    """A picture that says who has bid already."""

    def html(self, player=None, *, live=False, names=(), hint=""):
        return Toy.html(self, player, live=live, names=names) + f"<p>to bid: {self.actors}</p>"


class Gossip(Toy):
    """Everybody is told everything."""

    def visible_to(self, action, player, later):
        return action


class HalfGossip(Toy):
    """Everybody is told whether hidden numbers are 3."""

    def visible_to(self, action, player, later):
        return ("high" if action == "number 3" else "low") if action.startswith("number") else None


class Blabbing(Toy):
    """A refusal that says what the other holds."""

    def after(self, action, player=None):
        try:
            return Toy.after(self, action, player)
        except IllegalAction as error:
            raise IllegalAction(f"{error}; numbers are {self.numbers}") from None


class Sorted(Toy):
    """The order of the actions tells the other's number."""

    def actions(self, player):
        actions = Toy.actions(self, player)
        return Listed(actions[::-1]) if actions and self.numbers[1 - player] == 3 else actions


class Weighed(Listed):
    __slots__ = ()
    low: ClassVar = False

    def sample(self, rng):
        place = int(rng.random() * len(self))
        return self[0] if type(self).low else self[place]


class WeighedLow(Weighed):
    __slots__ = ()
    low: ClassVar = True


class Loaded(Toy):
    """A sample that reveals what is hidden, though the list does not."""

    def actions(self, player):
        actions = Toy.actions(self, player)
        return (WeighedLow if 1 in self.numbers else Weighed)(actions) if actions else actions


class Frozen(Toy):
    """Hidden parts come back as they were: the masked state has kept them."""

    def hide_from(self, player):
        return tied(Toy.hide_from(self, player), self.numbers) if self.actors else self

    def sample_hidden(self, rng, player):
        return replace(self, numbers=getattr(self, "beside", self.numbers))


class Doubling(Toy):
    """A completed state in which there are two of one: numbers conserved by number, but not by text."""

    def conserved(self):
        return (sum(n != OPEN for n in self.numbers) > 9, max(self.numbers) <= 3)

    def sample_hidden(self, rng, player):
        return replace(self, numbers=tuple(rng.randint(1, 4) if n == UNKNOWN else n for n in self.numbers))


class Forgetful(Toy):
    """Masking twice masks more."""

    def hide_from(self, player):
        known = Toy.hide_from(self, player)
        return replace(known, numbers=(UNKNOWN, UNKNOWN)) if UNKNOWN in self.numbers else known


class Endless(Toy):
    """Equal bids are bid again, and all are equal."""

    def after(self, action, player=None):
        new = Toy.after(self, "bid 1" if action in BIDS else action, player)
        return replace(new, bids=(OPEN, OPEN)) if OPEN not in new.bids else new


class Blank(Toy):
    def html(self, player=None, *, live=False, names=(), hint=""):
        return Toy.html(self, player, live=live, names=names) if self.actors else "" * self.nothing


class Raw(Toy):
    """A picture with names that are not escaped."""

    def html(self, player=None, *, live=False, names=(), hint=""):
        return str(Toy.html(self, player, live=live, names=names)) + "".join(names)


class Torn(Toy):
    def to_svg(self, player=None, names=()):
        return Toy.to_svg(self, player, names)[:-6]


class Growing(Toy):
    """Points that go on growing after the end, each time they are read."""

    asked: ClassVar = [0]

    def scores(self):
        self.asked[0] += not self.actors
        return tuple(score - (self.asked[0] > 40) for score in Toy.scores(self))


class Upside(Toy):
    """The lower score wins."""

    def winners(self):
        scores = self.scores()
        return () if self.actors else tuple(p for p, score in enumerate(scores) if score == min(scores))


class Wild(Toy):
    """Chance inside an action, which a record does not store."""

    def after(self, action, player=None):
        new = Toy.after(self, action, player)
        return replace(new, winner=random.randrange(2)) if new.winner != OPEN and action in BIDS else new


class Spaced(Toy):
    """Two texts of one state."""

    def __str__(self):
        Spaced.turn = not getattr(Spaced, "turn", False)
        return Toy.__str__(self).replace(" ", "  " if Spaced.turn else " ")


class Miscounted(Listed):
    __slots__ = ()

    def __len__(self):
        return super().__len__() + 1


class Counting(Toy):
    def actions(self, player):
        actions = Toy.actions(self, player)
        return Miscounted(actions) if actions else actions


class Everything(Listed):
    __slots__ = ()

    def __contains__(self, action):
        return True


class Welcoming(Toy):
    def actions(self, player):
        actions = Toy.actions(self, player)
        return Everything(actions) if actions else actions


class Astray(Listed):
    __slots__ = ()

    def sample(self, rng):
        return Action(f"bid {int(rng.random() * 8)}")


class Straying(Toy):
    def actions(self, player):
        actions = Toy.actions(self, player)
        return Astray(actions) if actions else actions


class Ended(Toy):
    """After the end the toss can be made again."""

    def after(self, action, player=None):
        return self if not self.actors and action == "toss 1" else Toy.after(self, action, player)


class Crashing(Toy):
    def after(self, action, player=None):
        if action == "bid 3" and self.numbers == (3, 3):
            raise AssertionError("this cannot be")
        return Toy.after(self, action, player)


FAULTS = [
    (Leaky, "does not depend on what its player cannot see|hides what|sees what"),
    (HalfLeaky, "sees what p0 has chosen"),
    (Careless, "could tell"),
    (Shared, "changed|it was|parsed|sees|could tell|had the text"),
    (Unlisted, "not listed but accepted"),
    (Overlisted, "listed but refused|raises IllegalAction: no"),
    (Twice, "has an action twice"),
    (Unlikely, "add up to"),
    (Mute, "parsed"),
    (Early, "before the end"),
    (Rich, "above 6"),
    (Printing, "conserves"),
    (Hasty, "order matters"),
    (Nosy, "no such player|other actions|cannot be done here by"),
    (Silent, "without a word"),
    (Named, "every process: not of .*; name is 'x'"),
    (Lazy, "carries"),
    (Writable, "carries a dict"),
    (
        Closed,
        "hangs on the true state: on the view or the actions of p. hangs toy numbers=|gets another view: at .*beside",
    ),
    (
        Cached,
        "hangs on the true state: on the view or the actions of p. hangs toy numbers=|gets another view: at .*beside",
    ),
    (
        Weak,
        "hangs on the true state: on the view or the actions of p. hangs toy numbers=|gets another view: at .*beside",
    ),
    (Numbered, "differ only in what the player may not know: p. gets another view"),
    (Bare, "gets another picture"),
    (BareLive, "gets another live picture"),
    (BarePaper, "gets another SVG picture"),
    (Waiting, "gets another picture"),
    (Gossip, "cannot tell apart: of .* p. is told Action.'number .'.; of .*, Action.'number .'"),
    (HalfGossip, "cannot tell apart: of .* p. is told '(high|low)'"),
    (Blabbing, "gets another answer to"),
    (Sorted, "other actions"),
    (Loaded, "with the same luck other samples"),
    (Frozen, "each sample was the truth|gets another view: at .*beside"),
    (Doubling, "conserved"),
    (Forgetful, "masked again"),
    (Endless, "A game ends, however it is played: after 300 moves it is not over"),
    (Blank, "raises AttributeError: .*nothing"),
    (Raw, "a name is not escaped"),
    (Torn, "is no XML"),
    (Growing, "scores|became|earlier state|parsed"),
    (Upside, "winners .* with scores"),
    (Wild, "elsewhere|order matters|ended in|another"),
    (Spaced, "it was|parsed|had the text|begin with"),
    (Counting, "len is 5, listed 4"),
    (Welcoming, "what is no action is in"),
    (Straying, "is not listed|is listed but refused: ParseError"),
    (Ended, "Action.'toss 1'. of .* is not listed but accepted"),
    (Crashing, "raises AssertionError|refused: AssertionError"),
]


@pytest.mark.parametrize(("state", "law"), FAULTS, ids=lambda value: getattr(value, "__name__", None))
def test_a_planted_defect_is_caught(state, law):
    """The message says which law, where, and what to do."""
    with pytest.raises(BrokenLaw, match=law) as error:
        check_game(game(state), plays=60, longest=300)
    name, *where, advice = str(error.value).splitlines()
    assert name[0].isupper() and ": " in name and advice.startswith("  what to do: ") and advice.endswith(".")
    assert any(line.startswith("  state: toy ") for line in where) or "process" in name or "hides" in name


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
                self.parameters.holding[self.hands[self.turn]], self.bank - rules.UNIT[colour]
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


def test_a_game_that_never_ends_is_reported_in_bounded_time():
    with pytest.raises(BrokenLaw, match="after 100000 moves it is not over") as error:
        check_game(game(Endless), plays=1, dear=0)
    assert "longest" in str(error.value)
    assert len(str(error.value)) < 2000


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
    """As in a notebook, `__main__` is not a module that a second process can import; elsewhere there is no warning."""
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
