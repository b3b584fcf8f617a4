"""The golden vectors of Turin Market, made by another implementation, replayed through the public API."""

import json
from collections import Counter
from math import isclose
from pathlib import Path

import pytest

from tradekit.auctions.formats import turin as auction_format
from tradekit.turin import payment
from tradekit.turin.draft import NONE

from .positions import RICH, endings, rich

VECTORS = json.loads((Path(__file__).parents[1] / "golden" / "golden.json").read_text(encoding="utf-8"))["turin"]


def test_the_vectors_are_all_there():
    assert {name: len(vectors) for name, vectors in VECTORS.items()} == {"auctions": 150, "payments": 80}


@pytest.mark.parametrize("vector", VECTORS["auctions"], ids=lambda v: f"{v['players']}p {v['bids']} {v['additions']}")
def test_TU_11_to_19_an_auction_in_a_game(vector):
    """Payments, cards won and cards discarded, for every result of the coin."""
    players = vector["players"]
    state = start = rich(players, vector["first_auction"])
    for player, bid in enumerate(vector["bids"]):
        state = state.after(f"bid {bid}", player)
    additions = {int(player): amount for player, amount in vector["additions"].items()}
    seen: Counter = Counter()
    for chance, end in endings(state, additions):
        pays = tuple(RICH - have for have in end.reserve)
        cards = tuple(won.bit_count() for won in end.won)
        seen[pays, cards, end.gone.bit_count()] += chance
        assert {p for p, amount in enumerate(end.added) if amount != NONE} == set(additions)
        assert end.conserved() == start.conserved()
    assert set(seen) == {(tuple(pays), tuple(cards), gone) for pays, cards, gone in vector["outcomes"]}
    assert isclose(sum(seen.values()), 1)


@pytest.mark.parametrize("vector", VECTORS["auctions"][::5], ids=lambda v: f"{v['players']}p {v['bids']}")
def test_TU_14_who_bids_again(vector):
    blocks = auction_format(vector["players"], first=vector["first_auction"]).settle(vector["bids"]).rebid
    assert [list(who) for who in blocks] == vector["rebid_groups"]


@pytest.mark.parametrize("vector", VECTORS["payments"], ids=lambda v: f"{len(v['cash'])}p {v['cash']}")
def test_TU_32_to_35_payments(vector):
    paid = payment.settle(vector["goods"], vector["payouts"], vector["cash"], vector["loan"])
    assert list(paid.final) == vector["final"]
    assert sum(paid.final) + paid.bank == sum(vector["cash"]), "the bank's ledger"
