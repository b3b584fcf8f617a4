"""The text of a state: ``bazar players=2 deck=house cards=1,4 step=turn turn=p0 hands=RR,G stalls=RWBGY*:4,...``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tradekit.bazar.deck import Deck
from tradekit.bazar.piles import OVERDRAWN, pile
from tradekit.bazar.setting import COVERED, EMPTY, FULL, Rules, Step, read_deck
from tradekit.bazar.setting import setting as make_setting
from tradekit.bazar.stones import Stones, parse_equations
from tradekit.game import CHANCE, ParseError, read_pairs
from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.bazar.rules import State


def write(state: State) -> str:
    """The exact text of a state."""
    wares = state.setting.deck.wares
    names = {EMPTY: "-", COVERED: "?"}
    stalls = [f"{names.get(n) or wares[n]}:{below}" for n, below in zip(state.stalls, state.under, strict=True)]
    bought = [";".join(f"{wares[n]}:{points}" for n, points in pairs) or "-" for pairs in state.bought]
    words = [
        state.game.name,
        state.setting.text,
        f"step={state.step.name.lower()}",
        f"turn={'chance' if state.turn == CHANCE else f'p{state.turn}'}",
        f"hands={','.join(map(str, state.holdings))}",
        f"stalls={','.join(stalls)}",
        f"bought={','.join(bought)}",
        f"idle={state.idle}",
    ]
    if state.first:
        words.append(f"first={wares[state.first[0]]}:{state.first[1]}")
    return " ".join(words)


def read(text: str, game: str) -> dict[str, Any]:
    """The fields of the state of that text; raises `ParseError` that says what is wrong with it."""
    needed = ["players", "deck", "step", "turn", "hands", "stalls", "bought", "idle"]
    pairs = read_pairs(text, game, needed, ["cards", "exchange", "first", *Rules.names()])
    name = ""
    try:
        name = "players"
        players = int(pairs[name])
        name = "deck"
        deck = Deck.house() if pairs[name] == "house" else read_deck(pairs[name])
        name = "cards"
        cards = tuple(map(int, pairs[name].split(","))) if name in pairs else ()
        name = "exchange"
        typed = tuple(parse_equations(pairs[name])) if name in pairs else ()
        setting = make_setting(Rules.read(pairs), deck, players, cards, typed)
        numbers = {str(ware): number for number, ware in enumerate(deck.wares)} | {"-": EMPTY, "?": COVERED}
        name = "step"
        step = Step[pairs[name].upper()]
        name = "turn"
        turn = CHANCE if pairs[name] == "chance" else range(players).index(int(pairs[name].removeprefix("p")))
        name = "hands"
        hands = tuple(pile(Stones(hand).counts) for hand in pairs[name].split(","))
        bank = FULL - sum(hands)
        name = "stalls"
        stalls = [(numbers[ware], int(below)) for ware, below in _marked(pairs[name].split(","))]
        name = "bought"
        bought = tuple(
            tuple((numbers[ware], int(points)) for ware, points in _marked(wares.split(";"))) if wares != "-" else ()
            for wares in pairs[name].split(",")
        )
        name = "idle"
        idle = int(pairs[name])
        name = "first"
        pending = tuple((numbers[ware], int(column)) for ware, column in _marked(pairs.get(name, "").split()))
        name = "hands"
        if len(hands) != players or bank & OVERDRAWN:
            raise ValueError
        name = "bought"
        seen = [n for n, _below in stalls if n >= 0] + [n for wares in bought for n, _points in wares]
        seen += [n for n, _column in pending]
        if len(bought) != players or len(set(seen)) != len(seen):
            raise ValueError
    except (KeyError, ValueError) as error:
        if isinstance(error, ParseError):
            raise
        raise ParseError(
            _("state of {game}: {name}={value} cannot be").format(game=game, name=name, value=pairs.get(name, ""))
        ) from None
    shown, under = (tuple(column) for column in zip(*stalls, strict=True))
    return {
        "setting": setting,
        "step": step,
        "turn": turn,
        "hands": hands,
        "bank": bank,
        "stalls": shown,
        "under": under,
        "unseen": tuple(number for number in range(len(deck.wares)) if number not in seen),
        "bought": bought,
        "idle": idle,
        "first": next(iter(pending), ()),
    }


def _marked(items: Iterable[str]) -> Iterator[tuple[str, str]]:
    """``ware:number`` in two."""
    for item in filter(None, items):
        left, sign, right = item.partition(":")
        if not sign:
            raise ValueError(item)
        yield left, right
