"""The open bazaar, a game for one player who knows every stall's order from the start (BZ-44).

It follows the rules of `rules`, ends with the purchase that empties the second stall (BZ-17), and never before (BZ-19).
The deck of such a game is its wares, stall by stall from the top down. So the ware under another is the next of the
deck, and it is revealed without chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, Final

from tradekit._utils.arguments import checked, items, label, whole
from tradekit.bazar.deck import Deck
from tradekit.bazar.notation import Fields, read_position
from tradekit.bazar.packed_stones import pile
from tradekit.bazar.parameters import BANK, CLOSING, COVERED, EMPTY, STALL_SIZE, STALLS, Parameters, Rules, Step
from tradekit.bazar.rules import Draft, State
from tradekit.bazar.stones import (
    COLOURS,
    LIMIT,
    MOST_LEFT,
    POINTS,
    Equation,
    Stones,
    StonesLike,
    Ware,
    WareLike,
    parse_exchange,
)
from tradekit.game import CHANCE, BotInfo, Game, ParseError, keyed, register
from tradekit.i18n import _, later

Stalls = tuple[tuple[Ware, ...], ...]  #: wares of each stall, the top one first


class _Parameters(Parameters):
    """Constants shared by all states of one bazaar."""

    def __init__(self, equations: tuple[Equation, ...], wares: tuple[Ware, ...]) -> None:
        # A deck needs a card (BZ-3), but the equations in force are typed.
        super().__init__(Rules(patience=0), Deck("alone", Deck.house().cards[:1], wares), 1, (), equations)
        self.solitaire, self.closing, self.most_left = False, CLOSING, MOST_LEFT
        self.stall_counts, self.stall_size = range(CLOSING, STALLS + 1), len(wares)

    @property
    def text(self) -> str:
        return f"exchange={','.join(map(str, self.equations))} wares={','.join(map(str, self.deck.wares))}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _Parameters, (self.equations, self.deck.wares)


class _AloneDraft(Draft):
    __slots__ = ()


class Alone(State, draft=_AloneDraft):
    """A position of the open bazaar for one player."""

    __slots__ = ()

    def after(self, action: str, player: int | None = None) -> Alone:  # noqa: D102
        bought = super().after(action, player)
        if bought.step == Step.WARE:
            stall = next(s for s, number in enumerate(self.stalls) if bought.stalls[s] != number)
            under = bought.parameters.ware_actions[self.stalls[stall] + 1]
            bought = State.after(bought, under)
        assert isinstance(bought, Alone)
        return bought

    @property
    def left(self) -> tuple[int, ...]:
        """Number of wares that each stall still has."""
        return tuple(
            [below + 1 if number != EMPTY else 0 for number, below in zip(self.stalls, self.under, strict=True)]
        )

    @property
    def ahead(self) -> Stalls:
        """Wares that each stall still has, the ware on display first."""
        wares = self.parameters.deck.wares
        return tuple(wares[number : number + left] for number, left in zip(self.stalls, self.left, strict=True))

    @classmethod
    def parse(cls, text: str) -> Alone:
        """Read a state from its text; raise `ParseError` with the fault in it."""
        fields = Fields(text, cls.game.name, ["exchange", "wares"])
        with fields.read("exchange") as value:
            equations = parse_exchange(value)
        with fields.read("wares") as value:
            wares = tuple(map(Ware, value.split(",")))
        found = cls.make(**read_position(fields, _Parameters(equations, wares)))
        known = [ware for stall in found.ahead for ware in stall]
        known += (bought := [wares[number] for number, _points in found.bought[0]])
        agree = sorted(map(str, known)) == sorted(map(str, wares)) and len(known) == sum(found.left) + len(bought)
        if found.turn == CHANCE or COVERED in found.stalls or not agree:
            raise ParseError(_("state of {game}: stalls and wares do not agree").format(game=cls.game.name))
        return found


@checked(seed=label, size=whole(1, STALL_SIZE))
def new(
    players: int = 1,
    stalls: Sequence[Iterable[WareLike]] | None = None,
    exchange: object = None,
    have: StonesLike = "",
    *,
    size: int = STALL_SIZE,
    seed: int | str = 0,
) -> Alone:
    """Return the bazaar with these stalls (wares from the top down) and this exchange, before the first turn.

    Missing arguments are drawn with `seed`: two cards of the house deck, and four stalls of `size` wares. Raises
    `ValueError` for a bazaar that is closed from the start and for a repeated ware.

    >>> start = new(stalls=[["RWBGY", "GGGGG*"], ["RRWBG"]], exchange="R=WW W=BG")
    >>> start.actors, [str(ware) for ware in start.wares]
    ((0,), ['RWBGY', 'RRWBG'])
    """
    if players != 1:
        raise ValueError(_("players={n}: only one plays alone (BZ-44)").format(n=players))
    rng, deck = keyed(0, "alone", str(seed)), Deck.house()
    drawn = deck.exchange([card.number for card in rng.sample(deck.cards, 2)])
    known = _drawn(rng, deck, size) if stalls is None else _stalls(stalls)
    wares = tuple(ware for stall in known for ware in stall)
    if len(set(wares)) != len(wares):
        twice = next(ware for number, ware in enumerate(wares) if ware in wares[:number])
        raise ValueError(_("ware {ware} is there twice (BZ-4)").format(ware=twice))
    empty = sum(not stall for stall in known)
    if not CLOSING <= len(known) <= STALLS or empty >= CLOSING:
        message = _(
            "{n} stalls, {empty} of them empty: there are two to four, and two empty ones close the bazaar (BZ-17)"
        )
        raise ValueError(message.format(n=len(known), empty=empty))
    hand = Stones(have)
    if len(hand) > LIMIT:
        raise ValueError(_("{stones}: {n} stones; a holding has at most ten (BZ-14)").format(stones=hand, n=len(hand)))
    equations = drawn if exchange is None else parse_exchange(exchange)
    first = [sum(map(len, known[:stall])) for stall in range(len(known))]
    shown = [number if stall else EMPTY for number, stall in zip(first, known, strict=True)]
    return Alone.make(
        parameters=_Parameters(equations, wares),
        step=Step.TURN,
        turn=0,
        hands=(pile(hand.counts),),
        bank=pile([BANK] * len(COLOURS)) - pile(hand.counts),
        stalls=tuple(shown),
        under=tuple(max(len(stall) - 1, 0) for stall in known),
        unseen=tuple(number for number in range(len(wares)) if number not in shown),
        bought=((),),
        idle=0,
        first=(),
    )


def _stalls(stalls: Sequence[Iterable[WareLike]]) -> Stalls:
    example = "[['RWBGY', 'GGGGG*'], ['RRWBG']]"
    return tuple(
        tuple(map(Ware, items(wares, "stalls", example=example))) for wares in items(stalls, "stalls", example=example)
    )


def _drawn(rng: random.Random, deck: Deck, size: int) -> Stalls:
    wares = rng.sample(deck.wares, STALLS * size)
    return tuple(tuple(wares[first : first + size]) for first in range(0, len(wares), size))


GAME: Final = register(
    Game(
        name="bazar-alone",
        state=Alone,
        new=new,
        players=(1,),
        high=STALLS * STALL_SIZE * POINTS[-1][0],
        conserves="stones of each colour in bank and hand; wares",
        title=later("Bazar alone"),
        rules="tradekit.bazar.rules_card:RULES",
        help="bazar-rules.md",
        bots=(BotInfo("solo", "tradekit.bazar.open_bazaar_solver:SoloBot", later("Solver"), "strong", (1,)),),
    )
)
