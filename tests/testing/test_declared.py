"""Faults in a game's declaration, and in texts that read back as something that only looks the same."""

import random
from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest

from tests.toy import GAME, OPEN, Toy
from tradekit import bazar
from tradekit.game import NO_ACTIONS, Game, IllegalAction, Listed, ParseError, State, find, register
from tradekit.testing import BrokenLaw, check_game


@pytest.fixture(autouse=True)
def toy_as_it_is():
    """The toy game, restored after any game that a test registers."""
    yield
    register(GAME)


def game(state=Toy, **facts):
    declared = Game("toy", state, lambda: state(), players=(2,), simultaneous=True, hidden=True, low=-1, high=6)
    return register(replace(declared, **facts))


class Hand(NamedTuple):
    what: int = 1


HAND = Hand()


@dataclass(frozen=True, slots=True, repr=False)
class Nested(Toy):
    """A field that is a named tuple: the value read back equals it, and has no names."""

    hand: Hand = HAND

    def scores(self):
        return tuple(score + 0 * self.hand.what for score in Toy.scores(self))


@dataclass(frozen=True, slots=True, repr=False)
class NestedActions(Toy):
    hand: Hand = HAND

    def actions(self, player):
        return Toy.actions(self, player) if self.hand.what else NO_ACTIONS


@dataclass(frozen=True, slots=True, repr=False)
class NestedPicture(Toy):
    hand: Hand = HAND

    def html(self, player=None, *, live=False, names=(), hint=""):
        return Toy.html(self, player, live=live, names=names) + f"<p>{self.hand.what}</p>"


@pytest.mark.parametrize("state", [Nested, NestedActions, NestedPicture])
def test_what_is_read_back_must_be_like_what_was_written_in_every_part(state):
    with pytest.raises(BrokenLaw, match="raises AttributeError: 'tuple' object has no attribute 'what'"):
        check_game(game(state), plays=5)


class Pile(NamedTuple):
    """A part of a state that is a named tuple."""

    hand: Hand
    done: int = 0


class Tupled(Pile, State):
    @property
    def actors(self):
        return () if self.done else (0,)

    def actions(self, player):
        return Listed.of("go") if player in self.actors and self.hand.what else NO_ACTIONS

    def after(self, action, player=None):
        if action != "go":
            raise ParseError(f"{action!r} is no action; write go")
        if not self.actors or player not in (None, 0):
            raise IllegalAction("it is over, or another's turn")
        return type(self)(self.hand, 1)

    def scores(self):
        return (self.done,)

    def vocabulary(self):
        return Listed.of("go")

    def __str__(self):
        return f"tupled {self.hand[0]} {self.done}"

    def __repr__(self):
        return f"Tupled.parse({str(self)!r})"

    @classmethod
    def parse(cls, text):
        _name, hand, done = text.split()
        return cls((int(hand),), int(done))


class Whole(Tupled):
    @classmethod
    def parse(cls, text):
        _name, hand, done = text.split()
        return cls(Hand(int(hand)), int(done))


def test_so_must_a_state_that_is_a_named_tuple():
    facts = {"players": (1,), "chance": False}
    declared = register(Game("tupled", Tupled, lambda players=1: Tupled(Hand()), **facts))
    with pytest.raises(BrokenLaw, match="'tuple' object has no attribute 'what'"):
        check_game(declared, plays=5)
    assert check_game(register(Game("tupled", Whole, lambda players=1: Whole(Hand()), **facts)), plays=5).plays == 5


def two(players=2, seed=None):
    if players != 2:
        raise ValueError("two play")
    return Toy()


def two_at_any_rate(players=2, seed=None):
    return Toy()


def at_random(players=2, seed=None):
    return Toy((random.randint(1, 3), random.randint(1, 3)), (random.randint(0, 3), OPEN))


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        ({"new": two, "players": (2, 3)}, "begins with every number of players .*3 players: ValueError: two play"),
        ({"new": two, "players": (3,)}, "2 play, declared are .3,."),
        ({"new": two, "players": ()}, "declared are"),
        ({"new": two_at_any_rate, "players": (2, 4)}, "4 players: 2 play"),
        ({"new": at_random}, "begun again, it is|with one seed it begins in two ways"),
    ],
)
def test_what_is_declared_must_be_possible(facts, fault):
    random.seed(3)
    with pytest.raises(BrokenLaw, match=fault):
        check_game(game(**facts), plays=2)


@pytest.mark.parametrize("new", [two, two_at_any_rate, lambda: Toy(), lambda **options: Toy()])
def test_a_game_may_begin_in_any_way_that_is_so(new):
    assert check_game(game(new=new), plays=2).plays == 2


def test_an_option_that_is_declared_must_be_possible():
    def new(players=2, rules=None, **options):
        if "over_ten" in options:
            raise TypeError("over_ten is not taken")
        return bazar.new(players, rules=rules, **options)

    with pytest.raises(BrokenLaw, match="option over_ten: TypeError: over_ten is not taken"):
        check_game(replace(find("bazar"), new=new), plays=1)
