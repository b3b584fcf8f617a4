"""The golden vectors of Bazar, made by another implementation, replayed through the public API."""

import json
from functools import cache
from pathlib import Path

import pytest

from tradekit.bazar import Exchange, Stones
from tradekit.bazar.hands import index

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "golden.json").read_text(encoding="utf-8"))
VECTORS = GOLDEN["bazar"]
RACES = [*VECTORS.items(), ("held up", GOLDEN["bazar_held_up"])]


@cache
def exchange(name):
    return Exchange(VECTORS[name]["equations"])


@cache
def graph(name):
    return exchange(name).graph()


def cases(kind):
    return [
        pytest.param(name, *case, id=f"{name}: {case[0] or '-'} to {case[1]}, {case[2]} left")
        for name, vectors in VECTORS.items()
        for case in vectors[kind]
    ]


def test_the_vectors_are_all_there():
    assert {name: (len(v["chains"]), len(v["die"]), len(v["race"])) for name, v in VECTORS.items()} == {
        "lively": (192, 32, 42),
        "sparse": (192, 32, 42),
    }
    assert len(GOLDEN["bazar_held_up"]["race"]) == 5


@pytest.mark.parametrize("name", VECTORS)
def test_BZ_40_trade_graph(name):
    vectors, found = VECTORS[name], graph(name)
    assert found.number_of_nodes() == vectors["holdings"]
    assert found.number_of_edges() == vectors["trade_pairs"]
    directions = [(before, edge["number"], edge["equation"]) for before, _after, edge in found.edges(data=True)]
    assert len(set(directions)) == vectors["trade_edges"]


@pytest.mark.parametrize(("name", "have", "ware", "left", "turns"), cases("chains"))
def test_BZ_41_chains(name, have, ware, left, turns):
    chain = exchange(name).chain(have, ware, left=left)
    assert (chain and chain.turns) == turns
    if chain:
        assert chain.start == Stones(have)
        assert left in (None, chain.left)
    number = list(graph(name)).index(Stones(have))
    assert exchange(name).turns(ware, left)[number] == (-1 if turns is None else turns)


@pytest.mark.parametrize(("name", "have", "ware", "left", "turns"), cases("die"))
def test_BZ_43_against_the_die(name, have, ware, left, turns):
    assert exchange(name).solve(ware, left).turns(have) == pytest.approx(turns, abs=6e-7)  # six places are kept


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "ware"), [(name, ware) for name, v in RACES for ware in dict.fromkeys(case[2] for case in v["race"])]
)
def test_BZ_45_race(name, ware):
    vectors = dict(RACES)[name]
    race = Exchange(vectors["equations"]).race(ware, cache=False)
    cases = [case for case in vectors["race"] if case[2] == ware]
    assert cases
    for have, other, _ware, win, lose in cases:
        assert race.win(have, other) == pytest.approx(win, abs=5.1e-5)  # four places are kept
        assert race.lose(have, other) == pytest.approx(lose, abs=5.1e-5)
        assert race.held_up[index(have), index(other)] == (win + lose < 1)
