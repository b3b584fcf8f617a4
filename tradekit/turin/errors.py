"""Reasons why an action is illegal in Turin Market, in plain words and with the number of the rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from tradekit.game import CHANCE, Action
from tradekit.i18n import _
from tradekit.turin.actions import CLAIM_NUMBERS, amount_of
from tradekit.turin.draft import NOT_ASKED, OPEN
from tradekit.turin.goose import NOBODY
from tradekit.turin.parameters import SIMULTANEOUS, Cards, Step, numbers
from tradekit.turin.payment import LOAN

if TYPE_CHECKING:
    from tradekit.turin.rules import State


def not_your_turn(state: State, action: str, player: int | None) -> str:
    """Return the reason why a player cannot act here at all."""
    ended = not state.actors or state.step is Step.PAID
    if ended and action.split()[:1] in (["claim"], ["sell"], ["withdraw"]):
        return _("after the last auction nothing is sold or bought (TU-24)")
    if not state.actors:
        return _("the game is over (TU-36)")
    if state.actors == (CHANCE,):
        return _("chance acts now, not a player (TU-5, TU-15)")
    there = ", ".join(f"p{actor}" for actor in state.actors)
    if player is None:
        return _("say who acts: {actors} (TU-10, TU-11)").format(actors=there)
    if player == CHANCE:
        return _("a player acts now, not chance (TU-5, TU-15)")
    state.need_player(player)
    if state.step in SIMULTANEOUS:
        return _not_asked(state, player).format(player=player, actors=there)
    return _("{actors} is to act now, not p{player} (TU-19, TU-20)").format(actors=there, player=player)


def _not_asked(state: State, player: int) -> str:
    """Return the reason why a player has no choice while others do."""
    if state.commits[player] == NOT_ASKED:
        if state.step is Step.ADD:
            return _("p{player} is not tied, and does not bid again (TU-14)")
        return _("p{player} can pay for no card on sale, and is not asked (TU-22)")
    if state._before(player, state.commits[player]) == OPEN:
        return _("p{player} has chosen already; {actors} are to choose (TU-10, TU-11)")
    if state.step is Step.ADD:
        return _("p{player} has nothing left and cannot borrow, so adds 0 and is not asked (TU-14)")
    return _("p{player} has nothing and cannot borrow, so bids 0 and is not asked (TU-11)")


def why_not(state: State, action: Action, player: int) -> str:
    """Return the reason, with its rule, why a readable action is not legal here."""
    verb = action.split()[0]
    if verb in ("deal", "order"):
        if player == CHANCE:
            return _("{action} cannot come up here (TU-5, TU-15)").format(action=action)
        return _("{action} is for chance to say (TU-5, TU-15)").format(action=action)
    if player == CHANCE:
        return _("chance deals or tosses a coin now; no player acts (TU-5, TU-15)")
    moment = _MOMENTS[state.step]
    if verb not in moment.verbs or (state.step is Step.OFFER and " to p" in action):
        return _("{action}: not now; {now}").format(action=action, now=moment.now())
    return moment.why(state, action, player)


def _show(state: State, action: Action, player: int) -> str:
    return _("{action}: p{player} holds the cards {cards} (TU-10)").format(
        action=action, player=player, cards=_list(state.hands[player])
    )


def _bid(state: State, action: Action, player: int) -> str:
    already = state.bids[player] if state.step is Step.ADD else 0
    return _amount(state, action, player, state.reserve[player] - already)


def _amount(state: State, action: Action, player: int, have: int) -> str:
    amount, loan = amount_of(action)
    if loan and state.loans[player]:
        return _("p{player} has a loan already, and one is all (TU-30)").format(player=player)
    if loan and not amount:
        return _("{action}: a loan goes with a choice that needs money (TU-30)").format(action=action)
    rule = "TU-14" if state.step is Step.ADD else "TU-20" if state.step is Step.OFFER else "TU-11"
    if state.loans[player] or loan:
        return _("{action}: p{player} has {most} escudos for it ({rule})").format(
            action=action, player=player, most=have + LOAN * loan, rule=rule
        )
    return _("{action}: p{player} has {have} escudos for it, {most} with a loan ({rule}, TU-30)").format(
        action=action, player=player, have=have, most=have + LOAN, rule=rule
    )


def _window(state: State, action: Action, player: int) -> str:
    card, loan = CLAIM_NUMBERS.get(action, (int(action.split()[1]), 0))
    sale = {number: (owner, price) for number, owner, price in state.sale}
    owner, price = sale.get(card, (NOBODY, 0))
    if owner == NOBODY:
        there = ", ".join(map(str, sale))
        return _("card {n} is not on sale; on sale are {there} (TU-22)").format(n=card, there=there)
    if owner == player:
        return _("card {n} is p{player}'s own (TU-22)").format(n=card, player=player)
    if loan and state.loans[player]:
        return _("p{player} has a loan already, and one is all (TU-30)").format(player=player)
    return _("card {n} costs {price}; p{player} has {have} escudos (TU-22)").format(
        n=card, price=price, player=player, have=state.reserve[player]
    )


def _choose(state: State, action: Action, player: int) -> str:
    buyers = ", ".join(f"p{buyer}" for card, buyer, _loan in state.claims if card == state.claims[0][0])
    return _("{action}: {buyers} claim card {n} (TU-22)").format(action=action, buyers=buyers, n=state.claims[0][0])


def _goose(state: State, action: Action, player: int) -> str:
    there = ", ".join(state.actions(player))
    return _("{action}: with the goose, p{player} may: {there} (TU-41)").format(
        action=action, player=player, there=there
    )


def _take(state: State, action: Action, player: int) -> str:
    number = state.queue[0][1]
    words = _("{action}: p{player} is to take {n} of the cards {cards} (TU-19)")
    if number < 0:
        words = _("{action}: p{player} is to discard {n} of the cards {cards} (TU-19)")
    return words.format(action=action, player=player, n=abs(number), cards=_list(state.centre))


def _offer(state: State, action: Action, player: int) -> str:
    words = action.split()
    number = int(words[1])
    if words[0] == "withdraw":
        return _("card {n} of p{player} is not on sale (TU-21)").format(n=number, player=player)
    if number not in numbers(state.won[player]):
        return _("card {n} does not lie face up before p{player}, who has {cards} (TU-20)").format(
            n=number, player=player, cards=_list(state.won[player])
        )
    if not amount_of(action)[0]:
        return _("a price is 1 escudo or more (TU-20)")
    if state.parameters.several and any(card == number for card, _owner, _price in state.sale):
        return _("card {n} is on sale already; withdraw it first (TU-20)").format(n=number)
    return _amount(state, action, player, state._budget(player))


def _list(cards: Cards) -> str:
    return ", ".join(map(str, numbers(cards))) or "-"


class _Moment(NamedTuple):
    """A step at which players act: the verbs of its actions, what it asks for, and why an action is not legal."""

    verbs: tuple[str, ...]
    now: Callable[[], str]
    why: Callable[[State, Action, int], str]


_MOMENTS: Final = {
    Step.SHOW: _Moment(("show",), lambda: _("each chooses a hand card, such as: show 7 (TU-10)"), _show),
    Step.WINDOW: _Moment(("claim",), lambda: _("cards on sale may be claimed: claim 5, or pass (TU-22)"), _window),
    Step.CHOOSE: _Moment(("sell",), lambda: _("the owner says who gets the card: sell 5 to p2 (TU-22)"), _choose),
    Step.BID: _Moment(("bid",), lambda: _("all bid: bid 4 (TU-11)"), _bid),
    Step.GOOSE: _Moment(("goose", "give"), lambda: _("the tied may use the goose, or not: no goose (TU-41)"), _goose),
    Step.ADD: _Moment(("add",), lambda: _("the tied bid again: add 2 (TU-14)"), _bid),
    Step.TAKE: _Moment(("take", "discard"), lambda: _("cards are chosen (TU-19)"), _take),
    Step.OFFER: _Moment(
        ("sell", "withdraw"),
        lambda: _("a card may be put up for sale: sell 5 for 4, withdraw 5, done (TU-20)"),
        _offer,
    ),
}
