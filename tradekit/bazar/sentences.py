"""Moves of Bazar in words: a sentence about one that was made, and the label of the control for one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tradekit.bazar.parameters import COVERED
from tradekit.bazar.stones import COLOURS, FACES, Equation, Stones
from tradekit.i18n import _, ngettext, pgettext
from tradekit.show.names import join_words
from tradekit.show.voice import Thing, Voice

if TYPE_CHECKING:
    from tradekit.bazar.rules import State


# Things in a sentence


def stones(some: Stones) -> Thing:
    """Return stones: a thing of the kind "stones", of which the value is the `Stones`.

    >>> stones(Stones("GWW")).words
    '2 white and 1 green'
    """
    return Thing("stones", some, join_words(_count(c, n) for c, n in zip(COLOURS, some.counts, strict=True) if n))


def _count(colour: str, n: int) -> str:
    if colour == "R":
        return ngettext("{n} red", "{n} red", n)
    if colour == "W":
        return ngettext("{n} white", "{n} white", n)
    if colour == "B":
        return ngettext("{n} blue", "{n} blue", n)
    if colour == "G":
        return ngettext("{n} green", "{n} green", n)
    return ngettext("{n} yellow", "{n} yellow", n)


def stone(colour: str) -> Thing:
    """Return one stone, by the letter of its colour.

    >>> stone("R").words
    'a red stone'
    """
    words = {
        "R": _("a red stone"),
        "W": _("a white stone"),
        "B": _("a blue stone"),
        "G": _("a green stone"),
        "Y": _("a yellow stone"),
    }
    return Thing("stones", Stones(colour), words[colour])


def face(colour: str) -> Thing:
    """Return a face of the die, a stone in a picture.

    >>> face("R").words
    'red'
    """
    words = {
        "R": pgettext("die", "red"),
        "W": pgettext("die", "white"),
        "B": pgettext("die", "blue"),
        "G": pgettext("die", "green"),
        "Y": pgettext("die", "yellow"),
    }
    return Thing("stones", Stones(colour), words[colour])


def ware(state: State, text: str) -> Thing:
    """Return a ware, by its text: a thing of the kind "ware", of which the value is the `Ware`."""
    number = state.parameters.ware_numbers[f"ware {text}"]
    return Thing("ware", state.parameters.deck.wares[number], text)


def points(n: int) -> Thing:
    """Return a number of points: a thing of the kind "points"."""
    return Thing("points", n, ngettext("{n} point", "{n} points", n))


# Moves


def sentence(state: State, action: str, actor: int, voice: Voice) -> str:
    """Return a sentence about an action made in a state; see `State.sentence`.

    >>> from tradekit import bazar
    >>> state = bazar.new(2, cards=(1, 4), seed=7)
    >>> sentence(state, "R=WW", 0, Voice(0)), sentence(state, "R=WW", 0, Voice(names=["Ana"]))
    ('You traded 1 red for 2 white.', 'Ana traded 1 red for 2 white.')
    """
    verb, _space, rest = action.partition(" ")
    if verb in FACES:
        if verb == FACES[-1]:
            return voice.say(_("The die showed Choice: any colour."))
        return voice.say(_("The die showed {colour}."), colour=face(verb))
    if verb == "roll":
        return voice(actor, _("You rolled the die."), _("{name} rolled the die."))
    if verb == "take":
        return voice(actor, _("You took {stone}."), _("{name} took {stone}."), stone=stone(rest))
    if verb == "buy":
        return _bought(state, int(rest) - 1, actor, voice)
    if verb == "done":
        return voice(actor, _("You ended your turn."), _("{name} ended the turn."))
    if verb == "return":
        return _gave_back(state.turn, stone(rest), actor, voice)
    if verb == "ware":
        stall = state.stalls.index(COVERED) + 1
        return voice.say(_("{ware} came up in stall {n}."), ware=ware(state, rest), n=stall)
    if verb == "first":
        first = int(rest.removeprefix("p"))
        return voice(first, _("You were chosen to play first."), _("{name} was chosen to play first."))
    if verb == "cards":
        a, b = rest.split()
        return voice.say(_("Exchange cards {a} and {b} came into play."), a=a, b=b)
    given, taken = _sides(action)
    text = _("You traded {given} for {taken}."), _("{name} traded {given} for {taken}.")
    return voice(actor, *text, given=given, taken=taken)


def label(state: State, action: str, voice: Voice) -> str:
    """Return the label of the control for an action of the player whose turn it is; see `State.label`.

    >>> from tradekit import bazar
    >>> label(bazar.new(2, cards=(1, 4), seed=7), "R=WW", Voice())
    'Trade 1 red for 2 white'
    """
    verb, _space, rest = action.partition(" ")
    if verb == "roll":
        return voice.say(_("Roll the die"))
    if verb == "take":
        return voice.say(_("Take {stone}"), stone=stone(rest))
    if verb == "buy":
        stall = int(rest) - 1
        bought = ware(state, str(state.wares[stall]))
        if (n := _points(state, stall)) is None:
            return voice.say(_("Buy {ware}"), ware=bought)
        return voice.say(_("Buy {ware} for {points}"), ware=bought, points=points(n))
    if verb == "done":
        return voice.say(_("End your turn"))
    if verb == "return":
        if state.actors == (state.turn,):
            return voice.say(_("Give back {stone}"), stone=stone(rest))
        return voice.say(_("Make {name} give back {stone}"), name=voice.seat(state.turn), stone=stone(rest))
    given, taken = _sides(action)
    return voice.say(_("Trade {given} for {taken}"), given=given, taken=taken)


_equation = lru_cache(1_000)(Equation)  # the list of moves asks again for each one whenever it is drawn


def _sides(action: str) -> tuple[Thing, Thing]:
    equation = _equation(action)
    return stones(equation.left), stones(equation.right)


def _points(state: State, stall: int) -> int | None:
    """Return the points of a purchase now, where they are settled at once: not with a second one to come (BZ-20), and
    not in the solitaire (BZ-30), which counts turns.
    """
    if state.parameters.solitaire or (state.parameters.twice and not state.first):
        return None
    return state.points(stall, state.turn)


def _bought(state: State, stall: int, actor: int, voice: Voice) -> str:
    bought = ware(state, str(state.wares[stall]))
    if (n := _points(state, stall)) is None:
        return voice(actor, _("You bought {ware}."), _("{name} bought {ware}."), ware=bought)
    text = _("You bought {ware} for {points}."), _("{name} bought {ware} for {points}.")
    return voice(actor, *text, ware=bought, points=points(n))


def _gave_back(giver: int, given: Thing, chooser: int, voice: Voice) -> str:
    """Return the sentence about a stone that the left neighbour has chosen, or the giver (BZ-14)."""
    if chooser == giver:
        return voice(giver, _("You gave back {stone}."), _("{name} gave back {stone}."), stone=given)
    if voice.reader == giver:
        return voice.say(_("{chooser} made you give back {stone}."), chooser=voice.seat(chooser), stone=given)
    text = _("You made {giver} give back {stone}."), _("{name} made {giver} give back {stone}.")
    return voice(chooser, *text, giver=voice.seat(giver), stone=given)
