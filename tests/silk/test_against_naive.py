"""The rules compared with a second, plain implementation of them (`naive`), in random games under every option."""

import random

import pytest

from tradekit import silk
from tradekit.game import CHANCE, choices, random_moves
from tradekit.silk.parameters import Step

from . import naive

OPTIONS = {
    "the defaults": {},
    "zeros stay": {"zeros": "stay"},
    "rounds at the end": {"last_turns": "rounds"},
    "little patience": {"patience": 3},
    "no patience needed": {"patience": 0},
    "the neutral leaves early": {"neutral_leaves": 1},
    "large hands, two cards a safeguard, nothing dropped": {"first_hand": 7, "bought": 2, "dropped": 0},
    "one run-out": {"run_outs": 1},
    "three run-outs, all cheap": {"run_outs": 3, "bribe": 3, "audience": 5, "dropped": 6},
    "another bonus": {"bonus": ((3, 5), (9, 6)), "first_hand": 3},
}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_moves_are_those_of_the_second_implementation(players, options):
    rng = random.Random(f"{players} {options}")
    for seed in range(2):
        start = silk.new(players, seed=seed, **options) if seed else silk.new(players, **options)
        p = naive.position(str(start))
        for state, actor, action in random_moves(start, rng):
            assert naive.position(str(state)) == p
            who = "chance" if actor == CHANCE else f"p{actor}"
            if rng.random() < (0.5 if state.step is Step.HORDES else 0.05):
                theirs = [*naive.moves(p)]
                seats = {a: "chance" if a == CHANCE else f"p{a}" for a in state.actors}
                ours = [(seats[a], str(action)) for a in state.actors for action in choices(state, a)]
                assert sorted(ours) == sorted(theirs)
                for other, what in rng.sample(theirs, min(len(theirs), 20)):
                    seat = CHANCE if other == "chance" else int(other[1:])
                    assert naive.position(str(state.after(what, seat))) == naive.after(p, other, what)
            if action is None:
                assert not [*naive.moves(p)]
            else:
                p = naive.after(p, who, str(action))
