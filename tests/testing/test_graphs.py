"""Everything attached to an object is found, however it is attached."""

import random
import weakref
from collections import deque
from functools import partial

import pytest

from tradekit.testing.graphs import difference, reached


class Loose:
    def __init__(self, **values):
        self.__dict__.update(values)


class Slotted:
    """An object that reveals as little as it can: equal to all, pickled empty, with no attributes to list."""

    __slots__ = ("secret",)

    def __init__(self, secret):
        self.secret = secret

    def __eq__(self, other):
        return True

    __hash__ = None

    def __reduce__(self):
        return Slotted, (0,)

    def __repr__(self):
        return "Slotted()"

    def method(self):
        return self.secret


class Text(str):
    def __new__(cls, secret):
        made = super().__new__(cls, "x")
        made.secret = secret
        return made


WAYS = {
    "default of a function": lambda thing: lambda n=thing: n,
    "closure": lambda thing: lambda: thing,
    "partial": lambda thing: partial(print, thing),
    "bound method": lambda thing: Slotted(thing).method,
    "generator": lambda thing: (x for x in [thing]),
    "slot": Slotted,
    "attribute": lambda thing: Loose(a=1, deep=[{"x": (thing,)}]),
    "key": lambda thing: {thing: 1},
    "deque": lambda thing: deque([thing]),
    "text": Text,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_hangs_on_an_object(way):
    secret = (1, "the secret")
    assert any(thing is secret for thing in reached(way(secret)))
    assert not difference(way(secret), way((1, "the secret")))
    assert difference(way(secret), way((1, "another")))


def test_what_hangs_in_no_usual_way():
    one, other = Loose(a=1), Loose(a=2)
    assert any(thing is one for thing in reached([weakref.ref(one)]))
    assert difference(weakref.ref(one), weakref.ref(other))
    assert difference(random.Random(1), random.Random(2)) and not difference(random.Random(1), random.Random(1))
    assert difference({1, 2}, {1, 3}) and not difference({1, 2}, {2, 1})
    assert difference(1, True) and difference([1], (1,)) and difference([1], [1, 2]) and not difference(1.5, 1.5)


def test_a_ring_has_an_end():
    rings = [[1], [1]]
    for ring in rings:
        ring.append(ring)
    assert not difference(*rings) and len([*reached(rings[0])]) == 2
