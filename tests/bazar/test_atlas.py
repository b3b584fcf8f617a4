"""The atlas of exchanges (BZ-47): the file in `data/`, its columns, and errors for an incomplete file."""

import csv
import hashlib
import json
import os
import re
import shutil
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tradekit import bazar
from tradekit.bazar import COLOURS, Deck, Equation, Exchange, atlases
from tradekit.bazar.stones import FACES
from tradekit.game import ParseError

from . import oracle

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "data" / "bazar"
LEFTS = {"": None, "_0": 0}
# Only red and white can be traded: most wares cannot be made certain with no stones left over.
TWO_COLOURS = Deck.parse(
    "card 3\nR=WW\nR=WWW\nR=WWWW\nRR=W\nRR=WWW\ncard 8\nRRR=W\nRRR=WW\nRRRR=W\nRRR=WWWW\nRRRR=WWW", name="two"
)


@pytest.fixture(scope="module")
def house():
    return bazar.atlas()


@pytest.fixture(scope="module")
def two_colours():
    return atlases.compute(TWO_COLOURS)


@pytest.fixture
def kept(two_colours, tmp_path):
    """A folder with an atlas."""
    atlases.save(two_colours, TWO_COLOURS, tmp_path)
    return tmp_path


# The file in data/


@pytest.mark.parametrize("pair", [(1, 4), (5, 6)])
def test_BZ_47_the_file_is_what_the_cards_give(pair):
    """So it cannot be stale. Turns can differ in the last place, because a solver may take another way."""
    stored = np.load(FOLDER / "atlas.npy")
    deck = Deck("pair", tuple(Deck.house().card(number) for number in pair))
    fresh = atlases.compute(deck)
    there = stored[(stored["card"] == pair[0]) & (stored["other"] == pair[1])]
    assert len(fresh) == 126
    for name in stored.dtype.names:
        if stored.dtype[name].kind == "f":
            assert np.allclose(fresh[name], there[name], rtol=3e-7, atol=1e-6, equal_nan=True), name
        else:
            assert (fresh[name] == there[name]).all(), name


def test_the_same_cards_give_the_same_bytes(two_colours, tmp_path):
    for folder, deck in (("one", TWO_COLOURS), ("two", Deck("two", TWO_COLOURS.cards[::-1]))):
        (tmp_path / folder).mkdir()
        atlases.make(tmp_path / folder, deck, progress=False)
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / n).iterdir()} for n in ("one", "two"))
    assert one == two and two_colours.tobytes() in one["atlas.npy"]


def test_BZ_47_the_manifest_says_which_cards_and_what_data():
    manifest = json.loads((FOLDER / "atlas.json").read_text("utf-8"))
    with (FOLDER / "exchange_cards.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["card"], Equation(row["equation"])) for row in csv.DictReader(file)]
    cards = "".join(f"{card},{equation}\n" for card, equation in rows)
    data = (FOLDER / "atlas.npy").read_bytes()
    table = np.load(FOLDER / "atlas.npy")
    assert manifest["cards"] == hashlib.sha256(cards.encode()).hexdigest()
    assert manifest["sha256"] == hashlib.sha256(data).hexdigest()
    assert manifest["bytes"] == len(data) < 1_000_000
    assert manifest["shape"] == [45 * 126] == [*table.shape]
    assert list(manifest["columns"]) == [*table.dtype.names]
    types = [text.split(": ")[0] for text in manifest["columns"].values()]
    assert [np.dtype(kind) for kind in types] == [table.dtype[name] for name in table.dtype.names]


def test_BZ_47_every_pair_and_every_ware_is_there_once(house):
    wares = {oracle.letters(hand) for hand in oracle.HANDS if sum(hand) == 5}
    assert len(wares) == 126
    there = [*zip(house["card"], house["other"], house["ware"], strict=True)]
    assert len(there) == 45 * 126
    assert set(there) == {(*pair, ware) for pair in combinations(range(1, 11), 2) for ware in wares}


def test_the_page_and_the_folder_name_every_column_and_file():
    page = (ROOT / "docs" / "atlas.md").read_text("utf-8")
    families = {name.removesuffix("_0") for name in atlases.COLUMNS}
    families = {name[:-1] + "R" if name[-2:-1] == "_" else name for name in families}
    assert [name for name in families if f"`{name}`" not in page] == []
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert "`atlas.npy`" in readme and "`atlas.json`" in readme


def test_the_page_tells_the_figures_of_the_file(house):
    page = (ROOT / "docs" / "atlas.md").read_text("utf-8")
    by_pair, by_ware = house.groupby(["card", "other"]), house.groupby("ware")["turns"].mean()
    for mean in (by_pair["turns"].mean(), by_pair["turns_0"].mean()):
        for extreme in (mean.idxmin(), mean.idxmax()):
            assert re.search(r"{:.2f}\s+under\s+cards\s+{}\s+and\s+{}".format(mean[extreme], *extreme), page)
    five = by_ware[[5 * colour for colour in COLOURS]]
    assert by_ware.idxmin() == "WWBGG" and by_ware.idxmax() == "RRRRR"
    told = {f"{turns:.2f}" for turns in (by_ware["RWBGY"], five.mean(), by_ware.min(), by_ware.max())}
    assert told <= {word.strip(".,") for word in page.split()}


# The meaning of the columns


def numbers(frame, name, end):
    """Return an array (rows, 5): one column per colour."""
    return frame[[f"{name}_{colour}{end}" for colour in COLOURS]].to_numpy()


@pytest.mark.parametrize("end", LEFTS)
def test_BZ_43_the_first_turn_is_a_roll(house, end):
    """From the empty hand: one turn, then the mean over five colours and Choice, which takes the best."""
    stones = numbers(house, "from", end)
    expected = 1 + (stones.sum(axis=1) + stones.min(axis=1)) / 6
    assert np.allclose(house[f"turns{end}"], expected, rtol=1e-6)
    taken = stones[np.arange(len(stones)), [COLOURS.index(stone) for stone in house[f"stone{end}"]]]
    assert np.allclose(taken, stones.min(axis=1), rtol=1e-6)


@pytest.mark.parametrize("end", LEFTS)
def test_BZ_47_bounds_that_hold_in_every_row(house, end):
    turns, mean, worst = (house[name + end] for name in ("turns", "mean", "worst"))
    assert np.isfinite(worst).all(), "the house deck makes every ware certain"
    assert (mean <= worst).all() and (turns <= worst).all() and (mean >= 1).all()
    stones, chains = numbers(house, "from", end), numbers(house, "chain", end)
    assert (stones <= chains + 1e-5).all(), "a chain is one way to play against the die"
    assert (chains[np.isfinite(chains)] % 1 == 0).all()
    lead = numbers(house, "lead", end)
    assert (lead[~np.isnan(lead)] >= 0).all()


def test_BZ_47_nothing_left_takes_as_many_turns_or_more(house):
    for name in ("turns", "mean", "worst", *(f"{kind}_{colour}" for kind in ("from", "chain") for colour in COLOURS)):
        assert (house[f"{name}_0"] >= house[name]).all(), name


@pytest.mark.parametrize("row", range(0, 5670, 397))
def test_BZ_41_BZ_43_every_column_is_what_the_exchange_says(house, row):
    row = house.loc[row]
    exchange = Exchange.of_cards(row["card"], row["other"])
    for end, left in LEFTS.items():
        policy, chains = exchange.solve(row["ware"], left), exchange.turns(row["ware"], left)
        assert row[f"turns{end}"] == pytest.approx(policy.turns(""), rel=1e-6)
        assert row[f"mean{end}"] == pytest.approx(policy.all_turns.mean(), rel=1e-6)
        assert row[f"worst{end}"] == pytest.approx(policy.all_turns.max(), rel=1e-6)
        assert row[f"stone{end}"] == policy.faces("").set_index("face").loc[FACES[-1], "take"]
        for number, colour in enumerate(COLOURS, 1):
            options = policy.options(colour)
            assert row[f"from_{colour}{end}"] == pytest.approx(policy.turns(colour), rel=1e-6)
            assert row[f"move_{colour}{end}"] == policy.best(colour)
            chain = row[f"chain_{colour}{end}"]
            assert (chain if np.isfinite(chain) else -1) == chains[number]
            lead = options["costs"].iloc[1] if len(options) > 1 else np.nan
            assert row[f"lead_{colour}{end}"] == pytest.approx(lead, abs=1e-6, nan_ok=True)


# A deck of your own


def test_BZ_47_where_nothing_can_be_made_certain_turns_are_infinite_and_one_rolls(two_colours, monkeypatch):
    monkeypatch.setattr(atlases, "compute", lambda deck, progress: two_colours)
    frame = bazar.atlas(TWO_COLOURS, progress=False).set_index("ware")
    assert frame[["card", "other"]].drop_duplicates().values.tolist() == [[3, 8]]
    hopeless = frame.loc["BBGGY"]
    assert np.isfinite(hopeless["turns"]) and np.isinf(hopeless[["turns_0", "from_R_0", "chain_R_0"]].tolist()).all()
    assert hopeless["move_R_0"] == "roll" and np.isnan(hopeless["lead_R_0"])
    # Without a trade the roll is the only move.
    assert (frame["move_B"] == "roll").all() and frame["lead_B"].isna().all() and not frame["lead_R"].isna().any()
    # One white stone: W=RRRR, then R=WWWW twice makes WWWWWWWW and two red ones.
    assert frame.loc["WWWWW", "chain_W"] == 3


def test_the_house_cards_under_another_name_are_read_from_the_file(house, monkeypatch):
    monkeypatch.setattr(atlases, "compute", None)
    assert bazar.atlas(Deck("mine", Deck.house().cards)).equals(house)


def test_BZ_3_one_card_makes_no_pair():
    with pytest.raises(ValueError, match=r"'one' has one exchange card.*\(BZ-3\)"):
        bazar.atlas(Deck("one", Deck.house().cards[:1]), progress=False)


# Keeping an atlas


def test_what_is_saved_is_read_again(kept, two_colours, monkeypatch):
    monkeypatch.setattr(atlases, "compute", lambda deck, progress: two_colours)
    assert atlases.load(kept, TWO_COLOURS).equals(bazar.atlas(TWO_COLOURS))
    assert atlases.load(str(kept), TWO_COLOURS).shape == (126, 51)


def test_what_is_the_same_is_not_written_again(kept, two_colours):
    before = {path: path.stat().st_mtime_ns for path in kept.iterdir()}
    assert atlases.save(two_colours, TWO_COLOURS, kept) is False
    assert {path: path.stat().st_mtime_ns for path in kept.iterdir()} == before
    two_colours = two_colours.copy()
    two_colours["turns"][0] += 1
    assert atlases.save(two_colours, TWO_COLOURS, kept) is True
    assert atlases.load(kept, TWO_COLOURS)["turns"][0] == two_colours["turns"][0]


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def rewrite(**changes):
    return lambda path: path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")


@pytest.mark.parametrize(
    ("file", "fault", "message"),
    [
        ("atlas.npy", cut, r"atlas\.npy is damaged or cut off"),
        ("atlas.npy", flip, r"atlas\.npy is damaged or cut off"),
        ("atlas.npy", lambda path: path.write_bytes(b""), r"atlas\.npy is damaged or cut off"),
        ("atlas.json", cut, r"atlas\.json is damaged, or no atlas's manifest"),
        ("atlas.json", lambda path: path.write_bytes(b"\xff\xfe"), r"atlas\.json is damaged, or no atlas's manifest"),
        ("atlas.json", lambda path: path.write_text("[1, 2]"), r"atlas\.json is damaged, or no atlas's manifest"),
        (
            "atlas.json",
            lambda path: path.write_text('{"name": "x"}'),
            r"atlas\.json is damaged, or no atlas's manifest",
        ),
        ("atlas.json", rewrite(what="something else"), r"atlas\.json is no manifest of an atlas"),
        ("atlas.json", rewrite(format=0), r"another version of tradekit; make the atlas anew"),
        ("atlas.json", rewrite(rules="eleven stones"), r"other rules; make the atlas anew"),
        ("atlas.json", rewrite(cards="0" * 64), r"other exchange cards than deck 'two'; make the atlas anew"),
    ],
)
def test_a_file_that_is_damaged_or_foreign_is_named_and_refused(kept, file, fault, message):
    fault(kept / file)
    with pytest.raises(ParseError, match=message + r".*\(BZ-47\)"):
        atlases.load(kept, TWO_COLOURS)


def test_an_atlas_of_another_deck_is_refused(kept):
    with pytest.raises(ParseError, match=r"other exchange cards than deck 'house'"):
        atlases.load(kept)


@pytest.mark.parametrize("file", ["atlas.npy", "atlas.json"])
def test_a_missing_file_is_told(kept, file):
    (kept / file).unlink()
    with pytest.raises(FileNotFoundError, match=r"atlas\.json and atlas\.npy are needed \(BZ-47\)"):
        atlases.load(kept, TWO_COLOURS)


class Stop(KeyboardInterrupt):
    pass


def stopping_at(call, real):
    """Return `real`, interrupted at that call."""
    calls = iter(range(100))

    def stopped(*arguments):
        if next(calls) == call:
            raise Stop
        return real(*arguments)

    return stopped


@pytest.mark.parametrize(("name", "call"), [("fsync", 0), ("fsync", 1), ("replace", 0)])
def test_an_interrupted_save_loses_nothing(kept, two_colours, monkeypatch, name, call):
    before = {path.name: path.read_bytes() for path in kept.iterdir()}
    changed = two_colours.copy()
    changed["turns"] += 1
    monkeypatch.setattr(os, name, stopping_at(call, getattr(os, name)))
    with pytest.raises(Stop):
        atlases.save(changed, TWO_COLOURS, kept)
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == before


def test_a_save_interrupted_between_its_two_files_is_noticed_and_mended(kept, two_colours, monkeypatch):
    changed = two_colours.copy()
    changed["turns"] += 1
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", stopping_at(1, os.replace))
        with pytest.raises(Stop):
            atlases.save(changed, TWO_COLOURS, kept)
    with pytest.raises(ParseError, match=r"it is not what atlas\.json was written for; make it anew"):
        atlases.load(kept, TWO_COLOURS)
    assert atlases.save(changed, TWO_COLOURS, kept) is True
    assert (atlases.load(kept, TWO_COLOURS)["turns"] > 1).all()
    assert sorted(path.name for path in kept.iterdir()) == ["atlas.json", "atlas.npy"]


def test_make_says_whether_anything_changed_and_takes_the_place_of_another_deck_s(two_colours, tmp_path, monkeypatch):
    monkeypatch.setattr(atlases, "compute", lambda deck, progress: two_colours)
    shutil.copy(FOLDER / "atlas.json", tmp_path)
    assert [atlases.make(tmp_path, TWO_COLOURS) for _ in range(2)] == [True, False]
    assert len(atlases.load(tmp_path, TWO_COLOURS)) == 126
