"""Text of a state: ``silk players=3 step=turn turn=p0 market=ivory:43210,... hands=silk:9,4/tea:2;...``.

A set of cards is written ``silk:9,4/tea:2``, with ``?:3`` for three unknown cards; cards in order are written
``silk:9+tea:2``, and nothing is ``-``. Fields with their value at the beginning of a turn are left out. The draw pile
holds every card that is nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tradekit.game import CHANCE, ParseError, read_pairs
from tradekit.i18n import _
from tradekit.silk import wording
from tradekit.silk.cards import ALL, GOOD_NUMBER, GOODS, OF_GOOD, UNKNOWN, VALUES, Cards, card, cards_of, numbers
from tradekit.silk.market import CYCLE, Market
from tradekit.silk.parameters import (
    ALL_KNOW,
    HIDDEN,
    HORDES,
    NEUTRAL,
    NOBODY,
    OPEN,
    Parameters,
    Rules,
    Said,
    Step,
    parameters,
)

if TYPE_CHECKING:
    from tradekit.silk.rules import State

GAME: Final = "silk"
_NEEDED: Final = ("players", "step", "turn", "market", "hordes", "hands", "discards", "safeguards", "dinars", "idle")
_OPTIONAL: Final = {
    "mover": "", "under": "-", "marker": "-", "knows": "", "left": "0", "talked": "-", "exchanged": "no", "talk": "-",
    "commits": "", "ran_out": "0", "to_come": "-",
}  # fmt: skip


def write(state: State) -> str:
    """Return the exact text of a state."""
    seat = _Seats(state.parameters).write
    market = [f"{GOODS[good]}:{''.join(map(str, state.market.piles[good]))}" for good in state.market.row]
    talk = [
        f"{GOODS[said.good]}|{said.size}|{said.total}|{_set_text(said.cards) if said.cards else '?'}"
        for said in state.offers
    ]
    talked = [seat(player) for player in range(state.players) if state.talked >> player & 1]
    words = {
        "step": state.step.name.lower(),
        "turn": seat(state.turn),
        "mover": seat(state.mover) if state.mover != state.turn else "",
        "market": ",".join(market) or "-",
        "hordes": state.hordes,
        "hands": ";".join(map(_set_text, state.hands)),
        "under": "+".join(
            f"{'?' if c == HIDDEN else _card_text(c)}@{'all' if by == ALL_KNOW else seat(by)}" for c, by in state.under
        )
        or "-",
        "discards": _set_text(state.discards),
        "safeguards": ";".join("+".join(map(_card_text, cards)) or "-" for cards in state.safeguards),
        "dinars": ",".join(map(str, state.dinars)),
        "marker": _marker_text(state) or "-",
        "knows": ";".join(map(_set_text, state.knows)) if any(state.knows) else "",
        "left": state.left,
        "talked": ",".join(talked) or "-",
        "exchanged": "yes" if state.exchanged else "no",
        "talk": ";".join([seat(state.partner), *talk]) if talk else "-",
        "commits": ";".join("?" if cards == OPEN else _set_text(cards) for cards in state.commits),
        "idle": state.idle,
        "ran_out": state.ran_out,
        "to_come": ",".join(map(seat, state.to_come)) or "-",
    }
    said = [f"{name}={value}" for name, value in words.items() if str(value) != _OPTIONAL.get(name)]
    return " ".join([GAME, state.parameters.text, *said])


def read(text: str) -> dict[str, Any]:
    """Return the fields of the state that `text` describes; raise `ParseError` with the fault in it."""
    pairs = read_pairs(text, GAME, _NEEDED, [*_OPTIONAL, *Rules.names()])
    rules = Rules.read(pairs)
    pairs = {**_OPTIONAL, **pairs}
    fields: dict[str, Any] = {}
    name = "players"
    try:
        players = range(2, 6).index(int(pairs[name])) + 2
        made = parameters(rules, players)
        seats = _Seats(made)
        readers: dict[str, Callable[[str], Any]] = {
            "step": lambda word: Step[word.upper()],
            "turn": seats.read,
            "market": lambda word: _read_market(word, rules),
            "hordes": lambda word: range(HORDES).index(int(word)),
            "hands": lambda word: tuple(_read_set(hand, hand=True) for hand in word.split(";")),
            "under": lambda word: tuple(_read_under(item, seats) for item in _items(word, "+")),
            "discards": _read_set,
            "safeguards": lambda word: tuple(tuple(map(_read_card, _items(cards, "+"))) for cards in word.split(";")),
            "dinars": lambda word: tuple(_natural(number) for number in word.split(",")),
            "marker": lambda word: _read_marker(word, seats),
            "knows": lambda word: tuple(map(_read_set, word.split(";"))) if word else (0,) * players,
            "left": _natural,
            "talked": lambda word: sum(1 << player for player in {*map(seats.player, _items(word, ","))}),
            "exchanged": {"yes": True, "no": False}.__getitem__,
            "commits": lambda word: tuple(OPEN if c == "?" else _read_set(c) for c in word.split(";")) if word else (),
            "idle": int,
            "to_come": lambda word: tuple(map(seats.player, _items(word, ","))),
        }
        for name, read_one in readers.items():
            fields[name] = read_one(pairs[name])
        name = "mover"
        fields[name] = seats.read(pairs[name]) if pairs[name] else fields["turn"]
        name = "ran_out"
        fields["ran_out"] = range(rules.run_outs + 1).index(int(pairs[name]))
        name = "talk"
        partner, *said = _items(pairs[name], ";") or ["-"]
        fields["partner"] = NOBODY if partner == "-" else seats.player(partner)
        fields["offers"] = tuple(map(_read_said, said))
        fields["parameters"] = made
        wrong = [what for what, is_wrong in _faults(fields, players) if is_wrong]
        if wrong:
            name = wrong[0]
            raise ValueError
    except (KeyError, ValueError) as error:
        if isinstance(error, ParseError):
            raise
        raise ParseError(
            _("state of {game}: {name}={value} cannot be").format(game=GAME, name=name, value=pairs[name])
        ) from None
    return fields


def _faults(fields: dict[str, Any], players: int) -> list[tuple[str, bool]]:
    """List impossible values by their names, and set the draw pile to the cards that are nowhere else.

    This checks each value by itself and the number of values; `tradekit.silk.validate` checks the state they make.
    """
    hands, under, safeguards, marker = (fields[name] for name in ("hands", "under", "safeguards", "marker"))
    step, offers, commits = fields["step"], fields["offers"], fields["commits"]
    places = [*(hand & ALL for hand in hands), fields["discards"]]
    places += [1 << c for c in [*chain(*safeguards), *marker[:1], *(c for c, _by in under if c != HIDDEN)]]
    everything = twice = 0
    for cards in places:
        twice |= everything & cards
        everything |= cards
    if twice:
        raise ParseError(
            _("state of {game}: {cards} in two places at once (SI-1)").format(game=GAME, cards=wording.cards(twice))
        )
    fields["unseen"] = ALL & ~everything
    hidden = sum((hand >> UNKNOWN).bit_count() for hand in hands) + sum(c == HIDDEN for c, _by in under)
    talks = {Step.ANSWER: 1, Step.ACCEPT: 2}.get(step, 0)
    setting_up = step in (Step.MARKET, Step.DEAL, Step.FIRST)
    return [
        ("hands", len(hands) not in (players, players + (players == 2)) or hidden > fields["unseen"].bit_count()),
        ("safeguards", len(safeguards) != players),
        ("dinars", len(fields["dinars"]) != players),
        ("knows", len(fields["knows"]) != players),
        ("turn", (fields["turn"] == CHANCE) != setting_up or fields["turn"] >= players),
        ("mover", fields["mover"] != fields["turn"] and (players > 2 or fields["mover"] != NEUTRAL)),
        ("market", bool(fields["market"].row) == (step is Step.MARKET)),
        ("talk", len(offers) != talks or (fields["partner"] == NOBODY) != (not talks)),
        ("commits", len(commits) != (len(hands) if step is Step.HORDES else 0)),
        ("commits", bool(commits) and OPEN not in commits),
        ("left", (fields["left"] > 0) != (step in (Step.DRAW, Step.REFILL, Step.DROP))),
    ]


class _Seats:
    """Players as text: p0, p1, the neutral player if two play, and chance."""

    def __init__(self, parameters: Parameters) -> None:
        self.players = parameters.players
        self.names = {f"p{player}": player for player in range(parameters.players)} | {"chance": CHANCE}
        if parameters.players == 2:
            self.names["neutral"] = NEUTRAL

    def write(self, seat: int) -> str:
        if seat == CHANCE:
            return "chance"
        return "neutral" if seat == self.players else f"p{seat}"

    def read(self, word: str) -> int:
        return self.names[word]

    def player(self, word: str) -> int:
        return range(self.players).index(self.names[word])


def _items(word: str, sign: str) -> list[str]:
    return [] if word == "-" else word.split(sign)


def _natural(word: str) -> int:
    if not word.isdecimal():
        raise ValueError
    return int(word)


def _card_text(number: int) -> str:
    return f"{GOODS[number // VALUES]}:{number % VALUES + 1}"


def _read_card(word: str) -> int:
    good, _sign, value = word.partition(":")
    return card(GOOD_NUMBER[good], range(1, VALUES + 1).index(int(value)) + 1)


def _set_text(cards: Cards) -> str:
    words = []
    for good, own in zip(GOODS, OF_GOOD, strict=True):
        if cards & own:
            words.append(f"{good}:{','.join(str(number % VALUES + 1) for number in numbers(cards & own))}")
    if cards >> UNKNOWN:
        words.append(f"?:{(cards >> UNKNOWN).bit_count()}")
    return "/".join(words) or "-"


def _read_set(word: str, hand: bool = False) -> Cards:
    """Read a set of cards; some cards of a `hand` may be unknown."""
    cards = 0
    for group in _items(word, "/"):
        good, _sign, values = group.partition(":")
        if good == "?" and hand:
            cards |= (1 << range(UNKNOWN + 1).index(int(values))) - 1 << UNKNOWN
            continue
        some = [_read_card(f"{good}:{value}") for value in values.split(",")]
        if len({*some}) < len(some) or cards & cards_of(some):
            raise ValueError
        cards |= cards_of(some)
    return cards


def _read_market(word: str, rules: Rules) -> Market:
    if word == "-":
        return Market()
    piles = {}
    for item in word.split(","):
        good, _sign, cards = item.partition(":")
        piles[GOOD_NUMBER[good]] = tuple(map(int, cards))
    if len(piles) != len(GOODS) or any(sorted(pile) != sorted(CYCLE) for pile in piles.values()):
        raise ValueError
    market = Market(tuple(piles), tuple(piles[good] for good in range(len(GOODS))), rules.zeros == "stay")
    if not market.zeros_stay and 0 in market.shown[:-1]:
        raise ValueError
    return market


def _read_under(item: str, seats: _Seats) -> tuple[int, int]:
    word, _sign, by = item.partition("@")
    return HIDDEN if word == "?" else _read_card(word), ALL_KNOW if by == "all" else seats.player(by)


def _marker_text(state: State) -> str:
    if not state.marker:
        return ""
    number, briber, *goods = state.marker
    return "+".join([_card_text(number), _Seats(state.parameters).write(briber), *(GOODS[good] for good in goods)])


def _read_marker(word: str, seats: _Seats) -> tuple[int, ...]:
    if word == "-":
        return ()
    number, briber, *goods = word.split("+")
    a, b = sorted(GOOD_NUMBER[good] for good in goods)
    if a == b or seats.read(briber) < 0:
        raise ValueError
    return _read_card(number), seats.read(briber), a, b


def _read_said(word: str) -> Said:
    good, count, total, cards = word.split("|")
    said = Said(0 if cards == "?" else _read_set(cards), GOOD_NUMBER[good], int(count), int(total))
    if said.cards and said != Said.of(said.cards, said.good):
        raise ValueError
    return said
