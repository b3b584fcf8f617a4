"""Typed moves: their exact text, and for an illegal move the reason and the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradekit.bazar.packed_stones import counts
from tradekit.bazar.parameters import BUY, BY_CHANCE, Step
from tradekit.bazar.stones import FACES, Equation, Stones, Ware
from tradekit.game import CHANCE, Action, IllegalAction, ParseError, short
from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.bazar.rules import State


def exact(state: State, text: str) -> Action:
    """Return the exact form of an action; raise `ParseError` for text that does not look like an action."""
    words = short(text).split()
    verb, rest = (words[0].lower(), " ".join(words[1:])) if words else ("", "")
    if verb in ("roll", "done") and not rest:
        return Action(verb)
    if verb in ("take", "return") and len(stones := Stones(rest)) == 1:
        return Action(f"{verb} {stones}")
    if verb == "buy" and rest:
        if rest.isdecimal():
            return Action(f"buy {int(rest)}")
        ware = Ware(rest)
        if ware in state.wares:
            return BUY[state.wares.index(ware)]
        raise IllegalAction(_("{ware} is not on display (BZ-12)").format(ware=ware))
    if verb == "ware" and rest:
        return Action(f"ware {Ware(rest)}")
    if verb == "cards" and all(map(str.isdecimal, words[1:])):
        return Action(" ".join(["cards", *map(str, sorted(map(int, words[1:])))]))
    if (verb == "first" and rest) or text in FACES:
        return Action(text)
    if "=" in text or "->" in text:
        return Action(Equation(text))
    message = _("{text!r} is no action; write roll, an equation such as R=WW, take R, buy 2, done or return R")
    raise ParseError(message.format(text=text))


def not_your_turn(state: State, player: int) -> str:
    """Return the reason why `player`, or chance, cannot act."""
    if not state.actors:
        return _("the game is over (BZ-17)")
    if player == CHANCE:
        return _("p{actor} is to act now, not chance (BZ-8)").format(actor=state.actors[0])
    state.need_player(player)
    if state.actors == (CHANCE,):
        return _("chance acts now, not p{player} (BZ-5)").format(player=player)
    return _("p{actor} is to act now, not p{player} (BZ-8)").format(actor=state.actors[0], player=player)


def why_not(state: State, action: Action) -> str:
    """Return the reason, with its rule, why a readable action is not legal here."""
    step, verb = state.step, action.split()[0]
    if step is Step.OVER:
        return _("the game is over (BZ-17)")
    if step in BY_CHANCE:
        if verb in ("cards", "ware", "first", *FACES):
            return _("{action} cannot come up here (BZ-7)").format(action=action)
        return _("chance acts now, not a player (BZ-5)")
    if verb in ("cards", "ware", "first", *FACES):
        return _("{action} is for chance to say, and it is p{player} who acts").format(
            action=action, player=state.actors[0]
        )
    if step is Step.RETURN:
        return _("one of the stones {stones} must go back (BZ-14)").format(stones=state.holdings[state.turn])
    if step is Step.CHOICE:
        stock = Stones.of([min(n, 1) for n in counts(state.bank)])
        return _("take a stone of a colour in stock: {stones} (BZ-5, BZ-2)").format(stones=" ".join(stock))
    if verb in ("take", "return"):
        return _("no stone is to be taken or given back now (BZ-9)")
    if step is Step.TURN:
        return _why_no_turn(state, action, verb)
    if verb == "done":
        return _("the trade passed ten stones, so this turn must buy (BZ-14)")
    if verb == "buy":
        return _why_no_purchase(state, action)
    return _("one roll or one trade a turn (BZ-9)")


def _why_no_turn(state: State, action: Action, verb: str) -> str:
    if verb == "buy":
        return _("cannot buy before rolling or trading (BZ-12)")
    if verb == "done":
        return _("there is no passing: roll or trade (BZ-11)")
    equation, have = Equation(action), state.holdings[state.turn]
    if equation not in {t for e in state.equations for t in (e, e.reversed)}:
        return _("{equation} is not among the equations in force (BZ-10)").format(equation=equation)
    if not equation.left <= have:
        return _("{have} does not hold {give} (BZ-10)").format(have=have, give=equation.left)
    # Too many stones come first: the bank's refusal then reveals no more of its stones (BZ-22) than legal trades do.
    made = state.parameters.trades[state.hands[state.turn]].makes[action]
    if made.above and not state.parameters.penalty and not made.pays & state.shown:
        return _(
            "{equation} would make {n} stones, more than ten, and none of the wares could be bought (BZ-14)"
        ).format(equation=equation, n=len(have - equation.left + equation.right))
    return _("the bank cannot pay {take} (BZ-2)").format(take=equation.right)


def _why_no_purchase(state: State, action: Action) -> str:
    stall, have = int(action.split()[1]) - 1, state.holdings[state.turn]
    if not 0 <= stall < len(state.stalls):
        return _("there is no stall {n}; there are {most} (BZ-7)").format(n=stall + 1, most=len(state.stalls))
    ware = state.wares[stall]
    if ware is None:
        return _("stall {n} is empty (BZ-7)").format(n=stall + 1)
    if not ware.stones <= have:
        return _("{have} does not hold {ware} (BZ-12)").format(have=have, ware=ware.stones)
    if state.parameters.solitaire:
        return _("a solitaire buys with no stone left (BZ-30)")
    return _("a purchase may leave {n} stones at most (BZ-23)").format(n=state.rules.max_left)
