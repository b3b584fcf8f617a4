"""The atlas of exchanges: turns to buy every possible ware with every pair of cards (BZ-47).

It has the turns against the die (BZ-43), chains from a single stone (BZ-41), and the best first move, each with any
number of stones left over and with none. The house deck's atlas is in `data/bazar/`: a NumPy file and a manifest with
its contents and cards; `make atlas` makes both. For your own deck it is computed.

The file is plain `.npy` without compression: the same cards give the same bytes on every machine.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from tradekit._utils import ties
from tradekit._utils.arguments import checked
from tradekit._utils.atomic_files import whole_files
from tradekit.bazar.bellman import Floats
from tradekit.bazar.chains import UNREACHABLE, purchases, turns_to_all
from tradekit.bazar.deck import Deck
from tradekit.bazar.exchange import Exchange
from tradekit.bazar.hands import ROLLED, Moves, N, index
from tradekit.bazar.policy import ROLL, Goal
from tradekit.bazar.stones import COLOURS, FACES, LIMIT, WARE_SIZE, Ware
from tradekit.game import ParseError
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

#: Structured array, one row per pair and ware.
Table = npt.NDArray[np.void]

WARES: Final = tuple(Ware("".join(stones)) for stones in combinations_with_replacement(COLOURS, WARE_SIZE))
LEFTS: Final[dict[str, int | None]] = {"": None, "_0": 0}  #: number of stones left over, by ending of a column's name
DATA: Final = "atlas.npy"
MANIFEST: Final = "atlas.json"

_FORMAT: Final = 1
_RULES: Final = (
    f"at most {LIMIT} stones, wares of {WARE_SIZE}, a die of {len(FACES)} faces, the bank full (BZ-2 to BZ-14)"
)


def _columns() -> dict[str, tuple[str, str]]:
    """Return for each column its type in the file and its contents."""
    columns = {
        "card": ("<u2", "number of the pair's lower card"),
        "other": ("<u2", "number of its higher card"),
        "ware": (f"S{WARE_SIZE}", "the ware's five stones"),
    }
    for end, left in LEFTS.items():
        goal = "any number left" if left is None else "nothing left"
        columns |= {
            f"turns{end}": ("<f4", f"expected turns from the empty hand, {goal}"),
            f"mean{end}": ("<f4", f"expected turns, mean of all {N} holdings, {goal}"),
            f"worst{end}": ("<f4", f"expected turns from the worst holding, {goal}"),
            f"stone{end}": ("S1", f"stone to take if the first roll is Choice, {goal}"),
        }
        for colour in COLOURS:
            columns |= {
                f"from_{colour}{end}": ("<f4", f"expected turns from {colour} alone, {goal}"),
                f"chain_{colour}{end}": (
                    "<i2", f"fewest turns from {colour} alone, trades alone, {UNREACHABLE} if there is no chain, {goal}"
                ),
                f"move_{colour}{end}": (
                    "i1", f"best move with {colour} alone: 0 to roll, n the n-th trade of the exchange, {goal}"
                ),
                f"lead_{colour}{end}": (
                    "<f4", f"turns that this move saves over the second best, nan if there is no other, {goal}"
                ),
            }  # fmt: skip
    return columns


COLUMNS: Final = _columns()
_TYPE: Final = np.dtype([(name, kind) for name, (kind, _what) in COLUMNS.items()])


@checked
def atlas(deck: Deck | None = None, progress: bool = True) -> pd.DataFrame:
    """Return the atlas of a deck, by default the house deck's: one row per pair of cards and ware (BZ-47).

    The house deck's is read from its file; any other is computed, which takes about a second per pair and shows a bar
    unless `progress` is off. `make` and `load` keep it in a folder. Raises `ParseError` if the file is damaged, and
    `ValueError` for a deck of a single card.

    Columns, all turns expected against the die with best play: ``card``, ``other``, ``ware``; ``turns`` from the empty
    hand; ``mean`` and ``worst`` over all 3,003 hands; ``stone``, the one to take if the first roll is Choice; and for
    each colour R, W, B, G, Y, with one stone of it as the hand: ``from_R`` (turns), ``chain_R`` (fewest turns by only
    trades, infinite without a chain), ``move_R`` (the best move, a trade or ``roll``) and ``lead_R`` (turns that
    it saves over the second best, missing if there is no other). They are for any number of stones left over; the same
    columns with ``_0`` at the end are for nothing left over (BZ-30).

    >>> frame = atlas()
    >>> print(len(frame), *frame.loc[0, ["card", "other", "ware", "stone"]])
    5670 1 2 RRRRR R
    """
    house = Deck.house()
    if deck is None or deck.cards == house.cards:
        return load(files("tradekit_data") / "bazar", house)
    return _frame(compute(deck, progress), deck)


# Computation


def compute(deck: Deck, progress: bool = False) -> Table:
    """Compute the atlas in the order of the file, pair by pair, and within a pair by ware; `progress` shows a bar."""
    from tqdm.auto import tqdm

    pairs = [*combinations(sorted(card.number for card in deck.cards), 2)]
    if not pairs:
        raise ValueError(_("deck {name!r} has one exchange card; an exchange is of two (BZ-3)").format(name=deck.name))
    return np.concatenate([_of_pair(deck, *pair) for pair in tqdm(pairs, unit=_("pairs"), disable=not progress)])


def _of_pair(deck: Deck, card: int, other: int) -> Table:
    exchange = Exchange.of_cards(card, other, deck=deck)
    table = np.empty(len(WARES), _TYPE)
    table["card"], table["other"], table["ware"] = card, other, [str(ware).encode() for ware in WARES]
    for end, left in LEFTS.items():
        policies = exchange.solve_all(Goal.of(ware, left) for ware in WARES)
        turns = np.stack([policy.all_turns for policy in policies], axis=1)  # (3003, wares)
        chains = turns_to_all(exchange.moves, np.stack([purchases(ware, left) for ware in WARES], axis=1))
        single = [index(colour) for colour in COLOURS]
        table["turns" + end] = turns[index("")]
        table["mean" + end], table["worst" + end] = turns.mean(axis=0), turns.max(axis=0)
        table["stone" + end] = np.array([*COLOURS], "S1")[ties.first_best(-turns[single])]
        for colour, at in zip(COLOURS, single, strict=True):
            move, lead = _first_move(exchange.moves, turns, at)
            for name, column in (("from", turns[at]), ("chain", chains[at]), ("move", move), ("lead", lead)):
                table[f"{name}_{colour}{end}"] = column
    return table


def _first_move(moves: Moves, turns: Floats, at: int) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the best move with the single stone `at`, (goals,), and its lead: 0 is a roll, n the n-th trade.

    One move makes at most four stones of it, so it cannot buy: its value is that of the hand it makes (`bellman`). As
    for a `Policy`, the first of equal trades is best, and the roll is best if nothing can be made certain.
    """
    trades = np.flatnonzero(moves.after[:, at] < N)
    rolled = turns[ROLLED[:, at]]
    roll = (rolled.sum(axis=0) + rolled.min(axis=0)) / len(FACES)
    after = np.vstack([turns[moves.after[trades, at]], roll])
    best = np.where(np.isfinite(after.min(axis=0)), np.append(trades + 1, 0)[ties.first_best(-after)], 0)
    if not trades.size:
        return best, np.full(len(best), np.nan)
    first, second = np.sort(after, axis=0)[:2]
    lead = np.subtract(second, first, where=np.isfinite(first), out=np.full(len(best), np.nan))
    tied = lead <= ties.TOLERANCE * np.maximum(first, 1.0, where=np.isfinite(first), out=np.ones(len(best)))
    return best, np.where(tied, 0, lead)


def _frame(table: Table, deck: Deck) -> pd.DataFrame:
    """Return the table for display: text as text, moves as they are typed, and infinite turns for no chain."""
    import pandas as pd

    pairs = table[["card", "other"]][:: len(WARES)].tolist()
    moves = np.array([
        [ROLL, *map(str, Exchange.of_cards(*pair, deck=deck).moves.trades)] for pair in pairs
    ], object)  # fmt: skip
    pair = np.arange(len(table)) // len(WARES)

    def shown(name: str) -> npt.NDArray[Any]:
        column = table[name]
        if name.startswith("move_"):
            return np.asarray(moves[pair, column])
        if name.startswith("chain_"):
            return np.where(column == UNREACHABLE, np.inf, column)
        return column.astype({"S": str, "f": float}.get(column.dtype.kind, int))

    return pd.DataFrame({name: shown(name) for name in COLUMNS})


# Files


@checked
def make(folder: str | os.PathLike[str], deck: Deck | None = None, progress: bool = True) -> bool:
    """Compute the atlas of a deck, by default the house deck's, into a folder; return True if it was not there.

    Both files are complete before they replace older ones; files that are the same stay untouched.
    """
    deck = deck or Deck.house()
    return save(compute(deck, progress), deck, folder)


def save(table: Table, deck: Deck, folder: str | os.PathLike[str]) -> bool:
    """Write the result of `compute` for `deck` into a folder, with its manifest; return True if anything changed."""
    buffer = io.BytesIO()
    np.save(buffer, table, allow_pickle=False)
    data = buffer.getvalue()
    manifest = {
        **_identity(deck),
        "deck": deck.name,
        "made by": "make atlas",
        "file": DATA,
        "bytes": len(data),
        "sha256": _checksum(data),
        "shape": [*table.shape],
        "columns": {name: f"{kind}: {what}" for name, (kind, what) in COLUMNS.items()},
    }
    text = (json.dumps(manifest, indent=2) + "\n").encode()
    contents = {Path(folder, DATA): data, Path(folder, MANIFEST): text}
    changed = {path: new for path, new in contents.items() if not path.is_file() or path.read_bytes() != new}
    with whole_files(*changed) as parts:
        for part, content in zip(parts, changed.values(), strict=True):
            part.write(content)
    return bool(changed)


def load(folder: str | os.PathLike[str] | Traversable, deck: Deck | None = None) -> pd.DataFrame:
    """Read the atlas of a deck, by default the house deck's, from a folder that `make` wrote; columns as in `atlas`.

    Raises `FileNotFoundError` if there is none, and `ParseError` with the fault if the files are damaged, or belong to
    other cards or another version of tradekit.
    """
    place = Path(folder) if isinstance(folder, str | os.PathLike) else folder
    deck = deck or Deck.house()
    try:
        text, data = (place / MANIFEST).read_bytes(), (place / DATA).read_bytes()
    except FileNotFoundError:
        message = _("{folder}: there is no atlas, or only a part of one; {manifest} and {data} are needed (BZ-47)")
        raise FileNotFoundError(message.format(folder=place, manifest=MANIFEST, data=DATA)) from None
    try:
        manifest = json.loads(text)
        known = {name: manifest[name] for name in _identity(deck)}
        said = manifest["sha256"]
    except (ValueError, KeyError, TypeError):
        raise ParseError(_("{file} is damaged, or no atlas's manifest (BZ-47)").format(file=place / MANIFEST)) from None
    for name, ours in _identity(deck).items():
        if known[name] != ours:
            raise ParseError(_other(name, str(place / MANIFEST), deck.name))
    if _checksum(data) != said:
        message = _("{file} is damaged or cut off: it is not what {manifest} was written for; make it anew (BZ-47)")
        raise ParseError(message.format(file=place / DATA, manifest=MANIFEST))
    return _frame(np.load(io.BytesIO(data), allow_pickle=False), deck)


def _identity(deck: Deck) -> dict[str, Any]:
    """Return the facts that must be the same for an atlas to be valid."""
    cards = sorted(deck.cards, key=lambda card: card.number)
    lines = [f"{card.number},{equation}\n" for card in cards for equation in card.equations]
    return {
        "what": "tradekit: atlas of exchanges (BZ-47)",
        "format": _FORMAT,
        "rules": _RULES,
        "cards": _checksum("".join(lines).encode()),
    }


def _other(name: str, file: str, deck: str) -> str:
    """Return the error for a manifest that differs in `name` of `_identity`."""
    return {
        "what": _("{file} is no manifest of an atlas (BZ-47)"),
        "format": _("{file} was written by another version of tradekit; make the atlas anew (BZ-47)"),
        "rules": _("{file} was made by other rules; make the atlas anew (BZ-47)"),
        "cards": _("{file} is of other exchange cards than deck {deck!r}; make the atlas anew (BZ-47)"),
    }[name].format(file=file, deck=deck)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    print(_("The atlas is new.") if make(sys.argv[1]) else _("The atlas is as it was."))
