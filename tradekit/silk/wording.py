"""Sentences about the game: words of an offer, results of sales, and others' moves as a player sees them (SI-14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tradekit.game import UNTOLD, Action
from tradekit.i18n import _, ngettext
from tradekit.silk import actions as kinds
from tradekit.silk.cards import GOODS, UNKNOWN, Cards, good_of, lowest, numbers, value_of, worth
from tradekit.silk.cards import good as good
from tradekit.silk.parameters import HORDES, NEUTRAL, RICH_SALE, Said, Step

if TYPE_CHECKING:
    from tradekit.silk.rules import State

MASKED: Final = "?"  #: in an action of which a part is told: cards that are not
_SECRET_CARD: Final = {Step.DEAL, Step.DRAW, Step.REFILL}


def card(number: int) -> str:
    """Return the name of a card: ``ivory 7``."""
    return f"{good(good_of(number))} {value_of(number)}"


def cards(some: Cards) -> str:
    """Return a set of cards in words; unknown cards are left out.

    >>> from tradekit.silk.cards import read
    >>> cards(read("ivory 8 3, silk 9"))
    'silk 9, ivory 3 8'
    """
    by_good: dict[int, list[str]] = {}
    for number in numbers(some):
        by_good.setdefault(good_of(number), []).append(str(value_of(number)))
    return ", ".join(f"{good(number)} {' '.join(values)}" for number, values in by_good.items())


def seat(state: State, number: int) -> str:
    """Return a seat as actions write it, and the neutral player's in words."""
    return _("the neutral") if number >= state.players else _("p{player}").format(player=number)


def count(n: int) -> str:
    """Return a number of cards in words."""
    return ngettext("{n} card", "{n} cards", n)


def offer_text(offer: Said) -> str:
    """Return the words said aloud in an offer or an answer (SI-11).

    >>> offer_text(Said(0, 0, 3, 19))
    '3 cards, silk among them, 19 in all'
    """
    words = _("{cards}, {good} among them, {total} in all")
    return words.format(cards=count(offer.size), good=good(offer.good), total=offer.total)


# Sales


def to_the_attack(state: State) -> int:
    """Return the number of sales of 6 dinars or more until the next attack of the hordes (SI-25)."""
    return state.hordes or HORDES


def dinars(state: State, cards: Cards) -> int:
    """Return the player's dinars for a sale of these cards (SI-21); 0 for the neutral player's (SI-60)."""
    return state.parameters.dinars[cards.bit_count()][worth(cards)] if state.mover == state.turn else 0


def sale(state: State, some: Cards) -> str:
    """Describe the result of a legal sale: the sum behind its dinars, the safeguard, and the hordes.

    >>> from tradekit.silk import State
    >>> from tradekit.silk.cards import read
    >>> state = State.parse("silk players=3 step=turn turn=p0 "
    ...     "market=ivory:43210,tea:32104,cloth:21043,silk:10432,spices:04321 hordes=4 hands=ivory:3,5,7,8;-;- "
    ...     "discards=- safeguards=-;-;- dinars=0,0,0 idle=0")
    >>> sale(state, read("ivory 3 5 7 8"))
    'ivory 3 5 7 8: 4 + 6 = 10 dinars, safeguard ivory 3; the hordes advance'
    """
    if state.mover != state.turn:
        return _("{cards}: the market moves, nobody is paid (SI-60)").format(cards=cards(some))
    paid, n = dinars(state, some), some.bit_count()
    sum_ = ngettext("{n} dinar", "{n} dinars", paid)
    if paid > n:
        sum_ = f"{n} + {paid - n} = {sum_}"
    words = _("{cards}: {sum}, safeguard {lowest}").format(cards=cards(some), sum=sum_, lowest=card(lowest(some)))
    if paid < RICH_SALE:
        return words
    return f"{words}; {_('the hordes attack') if to_the_attack(state) == 1 else _('the hordes advance')}"


# Moves of others


def visible_to(state: State, action: Action, player: int, later: Iterable[State]) -> str:
    """Return what `player` is told of an action of another player, or of chance (SI-14).

    Cards that are not told are masked: ``draw ?``, ``offer p2 ?3 19 as silk`` for three cards worth 19. `later` are the
    states since. Cards discarded to the hordes are revealed when all have chosen. Nothing else is revealed later.

    >>> from tradekit import silk
    >>> from tradekit.game import draw, keyed
    >>> state = silk.new(3, seed=1)
    >>> card = draw(state.outcomes(), keyed(1))
    >>> visible_to(state, card, state.turn, ()) == card, visible_to(state, card, (state.turn + 1) % 3, ())
    (True, 'draw ?')
    """
    step = state.step
    if step is Step.HORDES:
        return UNTOLD if all(state.step is Step.HORDES for state in later) else action
    if step in _SECRET_CARD:
        goes_to = state.mover
        if step is Step.DEAL:
            goes_to = (UNKNOWN - state.unseen.bit_count()) // state.rules.first_hand
        if goes_to in (player, NEUTRAL if state.players == 2 else player):  # the neutral's hand is open (SI-60)
            return action
        return f"{action.partition(' ')[0]} {MASKED}"
    found = kinds.read((kinds.OFFER, kinds.ANSWER, kinds.BARTER), action)
    if found is None or state.mover != state.turn:
        return action
    kind, move = found
    if kind is kinds.BARTER:
        return f"{kind.verb} {MASKED}"
    *partner, cards, good = move
    said = [MASKED + str(cards.bit_count()), str(worth(cards)), "as", GOODS[good]]
    return " ".join([kind.verb, *(f"p{player}" for player in partner), *said])
