"""The golden vectors of auctions, made by another implementation, replayed through the public API."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tradekit.auctions import CARA, Values, losers_pay, second_price

VECTORS = json.loads((Path(__file__).parents[1] / "golden" / "golden2.json").read_text("utf-8"))
BY_KIND: dict = {}
for vector in [vector for part in VECTORS.values() for vector in part]:
    BY_KIND.setdefault(vector["kind"], []).append(vector)
TEXTS = {
    "uniform(0,1)": Values.of(stats.uniform()),
    "beta(3,1)": Values.of(stats.beta(3, 1)),
    "uniform(100,101)": Values.of(stats.uniform(100, 1)),
    "pareto(1.1) up to its .999 quantile": Values.of(stats.pareto(1.1), 0.999),
}


def vectors(kind):
    return pytest.mark.parametrize("vector", BY_KIND[kind], ids=[vector["id"] for vector in BY_KIND[kind]])


def values_of(name, *numbers):
    made = {
        "uniform": lambda a=0, b=1: stats.uniform(a, b - a),
        "power": stats.powerlaw,
        "beta": stats.beta,
        "truncexp": stats.truncexpon,
        "cells": lambda edges, masses: stats.rv_histogram((masses, edges), density=False),
    }
    return Values.of(made[name](*numbers))


@vectors("cara")
def test_U1_U2_bids_and_revenue_of_the_averse(vector):
    given, out = vector["in"], vector["out"]
    values = TEXTS[given["distribution"]]
    equilibrium = losers_pay(given["loser_pays"]).equilibrium(given["bidders"], values, CARA(given["a"]))
    assert equilibrium.bid(given["values"]) == pytest.approx(out["bids"], abs=vector["tol"])
    assert equilibrium.revenue == pytest.approx(out["revenue"], abs=vector["revenue_tol"])
    assert equilibrium.gain < 1e-9


class Mixture(stats.rv_continuous):
    """Values with an atom that claim to have none."""

    at, mass = 0.5, 0.0

    def _cdf(self, x):
        return (1 - self.mass) * x + self.mass * (x >= self.at)

    def _pdf(self, x):
        return (1 - self.mass) * np.ones_like(x)

    def _ppf(self, u):
        below = (1 - self.mass) * self.at
        return np.where(u < below, u / (1 - self.mass), np.maximum((u - self.mass) / (1 - self.mass), self.at))


ATOMS = {"1 with chance 1/2, else uniform(0,1)": (1, 0.5), "1/2 with chance .4, else uniform(0,1)": (0.5, 0.4)}


@vectors("atom")
def test_U4_atoms_are_refused(vector):
    assert vector["out"]["refuse"]
    at, mass = ATOMS[vector["in"]["values"]]
    kind = type("Kind", (Mixture,), {"at": at, "mass": mass})
    for law in (kind(a=0, b=1), kind(a=0, b=1)()):
        with pytest.raises(ValueError, match=f"atoms: about {mass}.* of all at {at}"):
            losers_pay(0).equilibrium(vector["in"]["bidders"], law)


@vectors("irregular_reserve")
def test_L4_the_best_reserve_of_irregular_values(vector):
    given, out = vector["in"], vector["out"]
    values = values_of("cells", given["edges"], given["masses"])
    reserve = values.optimal_reserve(given["bidders"])
    assert reserve == pytest.approx(out["best_reserve"], abs=vector.get("reserve_tol", vector["tol"]))
    revenue = second_price(reserve=reserve).equilibrium(given["bidders"], values).revenue
    assert revenue == pytest.approx(out["revenue"], abs=vector["tol"])


@vectors("optimal_reserve")
def test_L2_L3_the_best_reserve(vector):
    given, out = vector["in"], vector["out"]
    assert given["seller_value"] == 0, "the library's seller keeps nothing from an unsold unit"
    n, values = given["bidders"], values_of(*given["distribution"])
    assert values.optimal_reserve() == pytest.approx(out["reserve"], abs=vector["tol"])
    assert values.optimal_reserve(n) == pytest.approx(out["reserve"], abs=vector["tol"])
    with_it, without = (second_price(reserve=r).equilibrium(n, values) for r in (out["reserve"], 0))
    assert with_it.revenue == pytest.approx(out["revenue_at_it"], abs=vector["tol"])
    assert without.revenue == pytest.approx(out["revenue_without"], abs=vector["tol"])
    assert float(values.cdf(with_it.threshold)) ** n == pytest.approx(out["unsold"], abs=vector["tol"])


@vectors("bulow_klemperer")
def test_L7_a_bidder_more_or_the_best_reserve(vector):
    n, out, values = vector["in"]["bidders"], vector["out"], values_of(*vector["in"]["distribution"])
    reserve = values.optimal_reserve(n)
    if n == 1:
        best = reserve * float(values.sf(reserve))
    else:
        best = second_price(reserve=reserve).equilibrium(n, values).revenue
    assert best == pytest.approx(out["with_best_reserve"], abs=vector["tol"])
    more = second_price().equilibrium(n + 1, values).revenue
    assert more == pytest.approx(out["one_more_bidder_no_reserve"], abs=vector["tol"])
