"""Fields of a state: their text, and the values they can have."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tradekit.turin.deck import CARDS, GOODS
from tradekit.turin.goose import NOBODY
from tradekit.turin.parameters import Step, bits, numbers

if TYPE_CHECKING:
    from tradekit.turin.draft import Draft


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


def _json_text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _json_of(text: str) -> Any:
    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    return tuples(json.loads(text))


def _is_number(value: object, players: int) -> bool:
    return isinstance(value, int)


def _is_player(value: object, players: int) -> bool:
    return isinstance(value, int) and NOBODY <= value < players


def _is_by_player(value: object, players: int) -> bool:
    return isinstance(value, tuple) and len(value) == players and all(isinstance(one, int) for one in value)


def _are_tokens(value: object, players: int) -> bool:
    return isinstance(value, tuple) and len(value) == GOODS and all(NOBODY <= player < players for player in value)


class _Kind(NamedTuple):
    """How a field is written and read, and whether a value fits it, in a game of so many players."""

    fits: Callable[[Any, int], bool]
    text: Callable[[Any], str] = _json_text
    read: Callable[[str], object] = _json_of


_KINDS: Final[Mapping[str, _Kind]] = {
    "auction": _Kind(lambda value, players: isinstance(value, int) and 0 <= value < 5),
    "bank": _Kind(_is_number),
    "tokens": _Kind(_are_tokens),
    **dict.fromkeys(("first", "holder"), _Kind(_is_player)),
    **dict.fromkeys(("reserve", "loans"), _Kind(_is_by_player)),
    **dict.fromkeys(
        ("commits", "bids", "standing", "added", "cash"),
        _Kind(lambda value, players: value == () or _is_by_player(value, players)),
    ),
    **dict.fromkeys(
        ("sale", "named", "queue", "claims", "past"), _Kind(lambda value, players: isinstance(value, tuple))
    ),
    **dict.fromkeys(("centre", "gone", "rest"), _Kind(_is_number, _cards_text, _cards_of)),
    **dict.fromkeys(("hands", "won"), _Kind(_is_by_player, _piles_text, _piles_of)),
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


def missing(draft: Draft) -> str:
    """Return the name of a field that is empty but needed at this step; "" if there is none."""
    needed = _NEEDED.get(draft.step, ()) + (("standing", "added") if draft.bids else ())
    return next((name for name in needed if not getattr(draft, name)), "")


def written(name: str, value: object) -> str:
    """Return the text of a field."""
    return _KINDS[name].text(value)


def read(name: str, text: str, players: int) -> object:
    """Return the field's value from its text; raise `ValueError` or `TypeError` for a value that no state can have."""
    value = _KINDS[name].read(text)
    if not _KINDS[name].fits(value, players):
        raise ValueError(name)
    return value
