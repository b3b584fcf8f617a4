"""Fields of a state: their text, and the values they can have."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from tradekit.turin.deck import CARDS, GOODS
from tradekit.turin.goose import NOBODY
from tradekit.turin.parameters import Step, bits, numbers


def _cards_text(cards: int) -> str:
    return f"?{-cards}" if cards < 0 else ".".join(map(str, numbers(cards))) or "-"


def _cards_of(text: str) -> int:
    if text.startswith("?"):
        return -int(text[1:])
    there = [] if text == "-" else [int(number) for number in text.split(".")]
    if len(set(there)) != len(there) or not set(there) <= set(range(1, CARDS + 1)):
        raise ValueError(text)
    return bits(there)


def _piles_text(piles: tuple[int, ...]) -> str:
    return ",".join(map(_cards_text, piles))


def _piles_of(text: str) -> tuple[int, ...]:
    return tuple(map(_cards_of, text.split(",")))


def _numbers_text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _numbers(text: str) -> Any:
    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    return tuples(json.loads(text))


_CARDS_TEXT: Final[dict[str, Callable[[Any], str]]] = {
    "hands": _piles_text, "won": _piles_text, "centre": _cards_text, "gone": _cards_text, "rest": _cards_text,
}  # fmt: skip
_READ: Final[dict[str, Callable[[str], Any]]] = {
    "hands": _piles_of,
    "won": _piles_of,
    "centre": _cards_of,
    "gone": _cards_of,
    "rest": _cards_of,
}
_NEEDED: Final[Mapping[Step, tuple[str, ...]]] = {
    Step.SHOW: ("commits",),
    Step.WINDOW: ("commits", "sale"),
    Step.CHOOSE: ("queue", "claims", "sale"),
    Step.BID: ("commits", "centre"),
    Step.GOOSE: ("queue", "bids", "centre"),
    Step.ADD: ("commits", "bids", "centre"),
    Step.COIN: ("bids", "centre"),
    Step.TAKE: ("queue", "centre"),
    Step.OFFER: ("queue",),
    Step.PAID: ("cash",),
    Step.OVER: ("cash",),
}
_BY_PLAYER: Final = {"reserve", "loans", "hands", "won"}
_BY_PLAYER_OR_EMPTY: Final = {"commits", "bids", "standing", "added", "cash"}


def check(name: str, value: Any, players: int) -> None:
    """Raise `ValueError` for a value of a field that no state can have."""
    if name in ("auction", "first", "holder", "bank", "centre", "gone", "rest"):
        fits = isinstance(value, int) and not (name == "auction" and not 0 <= value < 5)
        fits = fits and not (name in ("first", "holder") and not NOBODY <= value < players)
    elif name in _BY_PLAYER or name in _BY_PLAYER_OR_EMPTY:
        fits = len(value) == players or (not value and name in _BY_PLAYER_OR_EMPTY)
        fits = fits and all(isinstance(one, int) for one in value)
    elif name == "tokens":
        fits = len(value) == GOODS and all(NOBODY <= player < players for player in value)
    else:
        fits = isinstance(value, tuple)
    if not fits:
        raise ValueError(name)


def missing(values: Mapping[str, Any]) -> str:
    """Return the name of a field that is empty but needed at this step; "" if there is none."""
    needed = _NEEDED.get(values["step"], ()) + (("standing", "added") if values["bids"] else ())
    return next((name for name in needed if not values[name]), "")


def written(name: str, value: Any) -> str:
    """Return the text of a field."""
    return _CARDS_TEXT[name](value) if name in _CARDS_TEXT else _numbers_text(value)


def read(name: str, text: str) -> Any:
    """Return the field's value from its text; raise `ValueError`."""
    return _READ[name](text) if name in _READ else _numbers(text)
