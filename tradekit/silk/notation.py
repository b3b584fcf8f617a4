"""Text of a state: ``silk players=3 step=turn turn=p0 market=ivory:43210,... hands=silk:9,4/tea:2;...``.

A set of cards is written ``silk:9,4/tea:2``, with ``?:3`` for three unknown cards; cards in order are written
``silk:9+tea:2``, and nothing is ``-``. Fields with their value at the beginning of a turn are left out. The draw pile
holds every card that is nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tradekit.game import CHANCE, ParseError, read_pairs
from tradekit.i18n import _
from tradekit.silk import wording
from tradekit.silk.cards import ALL, GOOD_NUMBER, GOODS, OF_GOOD, UNKNOWN, VALUES, Cards, card, cards_of, numbers
from tradekit.silk.draft import Draft
from tradekit.silk.market import CYCLE, Market
from tradekit.silk.parameters import ALL_KNOW, HIDDEN, HORDES, NEUTRAL, NOBODY, OPEN, Rules, Said, Step, parameters

if TYPE_CHECKING:
    from tradekit.silk.rules import State

GAME: Final = "silk"


class _Field(NamedTuple):
    """How a field is written and read; the usual text is left out. What is read before a field is in the draft."""

    write: Callable[[State], str]
    read: Callable[[str, Draft], Any]
    usual: str | None = None


def write(state: State) -> str:
    """Return the exact text of a state."""
    words = {name: field.write(state) for name, field in _FIELDS.items()}
    said = [f"{name}={word}" for name, word in words.items() if word != _FIELDS[name].usual]
    return " ".join([GAME, state.parameters.text, *said])


def read(text: str) -> Draft:
    """Return the draft of the state that `text` describes; raise `ParseError` with the fault in it."""
    usual = {name: field.usual for name, field in _FIELDS.items() if field.usual is not None}
    needed = ["players", *(name for name in _FIELDS if name not in usual)]
    pairs = usual | read_pairs(text, GAME, needed, [*usual, *Rules.names()])
    rules = Rules.read(pairs)
    draft = Draft()
    name = "players"
    try:
        draft.parameters = parameters(rules, range(2, 6).index(int(pairs[name])) + 2)
        for name, field in _FIELDS.items():
            value = field.read(pairs[name], draft)
            if name == "talk":
                draft.partner, draft.offers = value
            else:
                setattr(draft, name, value)
        if wrong := [what for what, is_wrong in _faults(draft) if is_wrong]:
            name = wrong[0]
            raise ValueError
    except (KeyError, ValueError) as error:
        if isinstance(error, ParseError):
            raise
        raise ParseError(
            _("state of {game}: {name}={value} cannot be").format(game=GAME, name=name, value=pairs[name])
        ) from None
    return draft


def _faults(draft: Draft) -> list[tuple[str, bool]]:
    """List impossible values by their names, and set the draw pile to the cards that are nowhere else.

    This checks each value by itself and the number of values; `tradekit.silk.validate` checks the state they make.
    """
    players, hands, step, turn = draft.parameters.players, draft.hands, draft.step, draft.turn
    places = [*(hand & ALL for hand in hands), draft.discards]
    single = [*chain(*draft.safeguards), *draft.marker[:1], *(c for c, _by in draft.under if c != HIDDEN)]
    everything = twice = 0
    for cards in [*places, *(1 << c for c in single)]:
        twice |= everything & cards
        everything |= cards
    if twice:
        raise ParseError(
            _("state of {game}: {cards} in two places at once (SI-1)").format(game=GAME, cards=wording.cards(twice))
        )
    draft.unseen = ALL & ~everything
    hidden = sum((hand >> UNKNOWN).bit_count() for hand in hands) + sum(c == HIDDEN for c, _by in draft.under)
    talks = {Step.ANSWER: 1, Step.ACCEPT: 2}.get(step, 0)
    setting_up = step in (Step.MARKET, Step.DEAL, Step.FIRST)
    return [
        ("hands", len(hands) not in (players, players + (players == 2)) or hidden > draft.unseen.bit_count()),
        ("safeguards", len(draft.safeguards) != players),
        ("dinars", len(draft.dinars) != players),
        ("knows", len(draft.knows) != players),
        ("turn", (turn == CHANCE) != setting_up or turn >= players),
        ("mover", draft.mover != turn and (players > 2 or draft.mover != NEUTRAL)),
        ("market", bool(draft.market.row) == (step is Step.MARKET)),
        ("talk", len(draft.offers) != talks or (draft.partner == NOBODY) != (not talks)),
        ("commits", len(draft.commits) != (len(hands) if step is Step.HORDES else 0)),
        ("commits", bool(draft.commits) and OPEN not in draft.commits),
        ("left", (draft.left > 0) != (step in (Step.DRAW, Step.REFILL, Step.DROP))),
    ]


# Players: p0, p1, the neutral player if two play, and chance


def _seat_text(of: Draft, seat: int) -> str:
    if seat == CHANCE:
        return "chance"
    return "neutral" if seat == of.parameters.players else f"p{seat}"


def _read_seat(word: str, of: Draft) -> int:
    players = of.parameters.players
    seats: dict[str, int] = {_seat_text(of, seat): seat for seat in (CHANCE, *range(players + (players == 2)))}
    return seats[word]


def _read_player(word: str, of: Draft) -> int:
    return range(of.parameters.players).index(_read_seat(word, of))


# Numbers and cards


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


def _market_text(state: State) -> str:
    piles = [f"{GOODS[good]}:{''.join(map(str, state.market.piles[good]))}" for good in state.market.row]
    return ",".join(piles) or "-"


def _read_market(word: str, of: Draft) -> Market:
    if word == "-":
        return Market()
    piles = {}
    for item in word.split(","):
        good, _sign, cards = item.partition(":")
        piles[GOOD_NUMBER[good]] = tuple(map(int, cards))
    if len(piles) != len(GOODS) or any(sorted(pile) != sorted(CYCLE) for pile in piles.values()):
        raise ValueError
    market = Market(tuple(piles), tuple(piles[good] for good in range(len(GOODS))), of.parameters.rules.zeros == "stay")
    if not market.zeros_stay and 0 in market.shown[:-1]:
        raise ValueError
    return market


def _under_text(state: State) -> str:
    cards = [
        f"{'?' if card == HIDDEN else _card_text(card)}@{'all' if by == ALL_KNOW else _seat_text(state, by)}"
        for card, by in state.under
    ]
    return "+".join(cards) or "-"


def _read_under(word: str, of: Draft) -> tuple[tuple[int, int], ...]:
    cards = [item.partition("@") for item in _items(word, "+")]
    return tuple(
        (HIDDEN if card == "?" else _read_card(card), ALL_KNOW if by == "all" else _read_player(by, of))
        for card, _sign, by in cards
    )


def _marker_text(state: State) -> str:
    if not state.marker:
        return "-"
    number, briber, *goods = state.marker
    return "+".join([_card_text(number), _seat_text(state, briber), *(GOODS[good] for good in goods)])


def _read_marker(word: str, of: Draft) -> tuple[int, ...]:
    if word == "-":
        return ()
    number, briber, *goods = word.split("+")
    a, b = sorted(GOOD_NUMBER[good] for good in goods)
    if a == b or _read_seat(briber, of) < 0:
        raise ValueError
    return _read_card(number), _read_seat(briber, of), a, b


def _talk_text(state: State) -> str:
    said = [
        f"{GOODS[said.good]}|{said.size}|{said.total}|{_set_text(said.cards) if said.cards else '?'}"
        for said in state.offers
    ]
    return ";".join([_seat_text(state, state.partner), *said]) if said else "-"


def _read_talk(word: str, of: Draft) -> tuple[int, tuple[Said, ...]]:
    """Return the partner, and what both have said."""
    partner, *said = _items(word, ";") or ["-"]
    return NOBODY if partner == "-" else _read_player(partner, of), tuple(map(_read_said, said))


def _read_said(word: str) -> Said:
    good, count, total, cards = word.split("|")
    said = Said(0 if cards == "?" else _read_set(cards), GOOD_NUMBER[good], int(count), int(total))
    if said.cards and said != Said.of(said.cards, said.good):
        raise ValueError
    return said


_FIELDS: Final[dict[str, _Field]] = {
    "step": _Field(lambda state: state.step.name.lower(), lambda word, of: Step[word.upper()]),
    "turn": _Field(lambda state: _seat_text(state, state.turn), _read_seat),
    "mover": _Field(
        lambda state: _seat_text(state, state.mover) if state.mover != state.turn else "",
        lambda word, of: _read_seat(word, of) if word else of.turn,
        usual="",
    ),
    "market": _Field(_market_text, _read_market),
    "hordes": _Field(lambda state: str(state.hordes), lambda word, of: range(HORDES).index(int(word))),
    "hands": _Field(
        lambda state: ";".join(map(_set_text, state.hands)),
        lambda word, of: tuple(_read_set(hand, hand=True) for hand in word.split(";")),
    ),
    "under": _Field(_under_text, _read_under, usual="-"),
    "discards": _Field(lambda state: _set_text(state.discards), lambda word, of: _read_set(word)),
    "safeguards": _Field(
        lambda state: ";".join("+".join(map(_card_text, cards)) or "-" for cards in state.safeguards),
        lambda word, of: tuple(tuple(map(_read_card, _items(cards, "+"))) for cards in word.split(";")),
    ),
    "dinars": _Field(
        lambda state: ",".join(map(str, state.dinars)), lambda word, of: tuple(map(_natural, word.split(",")))
    ),
    "marker": _Field(_marker_text, _read_marker, usual="-"),
    "knows": _Field(
        lambda state: ";".join(map(_set_text, state.knows)) if any(state.knows) else "",
        lambda word, of: tuple(map(_read_set, word.split(";"))) if word else (0,) * of.parameters.players,
        usual="",
    ),
    "left": _Field(lambda state: str(state.left), lambda word, of: _natural(word), usual="0"),
    "talked": _Field(
        lambda state: ",".join(f"p{player}" for player in range(state.players) if state.talked >> player & 1) or "-",
        lambda word, of: sum(1 << player for player in {_read_player(item, of) for item in _items(word, ",")}),
        usual="-",
    ),
    "exchanged": _Field(
        lambda state: "yes" if state.exchanged else "no", lambda word, of: {"yes": True, "no": False}[word], usual="no"
    ),
    "talk": _Field(_talk_text, _read_talk, usual="-"),
    "commits": _Field(
        lambda state: ";".join("?" if cards == OPEN else _set_text(cards) for cards in state.commits),
        lambda word, of: tuple(OPEN if c == "?" else _read_set(c) for c in word.split(";")) if word else (),
        usual="",
    ),
    "idle": _Field(lambda state: str(state.idle), lambda word, of: int(word)),
    "ran_out": _Field(
        lambda state: str(state.ran_out),
        lambda word, of: range(of.parameters.run_outs + 1).index(int(word)),
        usual="0",
    ),
    "to_come": _Field(
        lambda state: ",".join(_seat_text(state, seat) for seat in state.to_come) or "-",
        lambda word, of: tuple(_read_player(item, of) for item in _items(word, ",")),
        usual="-",
    ),
}
