"""Checks of answers: the verdict of a check, and the register of exercises by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from tradekit._utils.arguments import checked
from tradekit._utils.numerals import NotANumber, TwoReadings, number, plain
from tradekit.game import ParseError
from tradekit.i18n import _
from tradekit.show.cell import page
from tradekit.show.html import element

Status = Literal["right", "wrong", "not answered yet"]
_LONG: Final = 40  # letters of an answer that is shown
_SIGNS: Final[dict[Status, str]] = {"right": "✓", "wrong": "✗", "not answered yet": "…"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check: its status and, if it helps, a hint."""

    status: Status
    message: str

    def __bool__(self) -> bool:
        return self.status == "right"

    def __repr__(self) -> str:
        return f"{_SIGNS[self.status]} {self.message}"

    def _repr_html_(self) -> str:
        kind = {"right": "tk-good", "wrong": "tk-bad", "not answered yet": "tk-quiet"}[self.status]
        return page(element("div", repr(self), class_=kind, role="status"))


#: An exercise: returns whether an answer is right, and the hint for a wrong one.
Exercise = Callable[[Any], tuple[bool, str]]
EXERCISES: Final[dict[str, Exercise]] = {}


@checked
def check(exercise: str, answer: object) -> Verdict:
    """Check whether `answer` solves an exercise, named as in its notebook ("02.1").

    >>> check("01.1", None)
    … 01.1 is not answered yet: put your answer in place of None.
    """
    if exercise not in EXERCISES:
        known = ", ".join(sorted(EXERCISES))
        return Verdict(
            "wrong", _("there is no exercise {name!r}; there are {known}").format(name=exercise, known=known)
        )
    if answer is None:
        return Verdict(
            "not answered yet", _("{name} is not answered yet: put your answer in place of None.").format(name=exercise)
        )
    try:
        found, hint = EXERCISES[exercise](answer)
        right = bool(found)
    except (ParseError, NotANumber) as error:  # with our own message
        right, hint = False, _("The answer cannot be read: {error}").format(error=error)
    except Exception:  # whatever was handed in: a check never raises
        right, hint = False, _("The answer cannot be read: {error}").format(error=_short(answer))
    if right:
        return Verdict("right", _("{name}: right.").format(name=exercise))
    return Verdict("wrong", _("{name}: not yet. {hint}").format(name=exercise, hint=hint))


def exercise(name: str) -> Callable[[Exercise], Exercise]:
    """Register an exercise under its name; a decorator."""

    def register(exercise: Exercise) -> Exercise:
        EXERCISES[name] = exercise
        return exercise

    return register


@checked
def near(answer: object, truth: float, tolerance: float = 0.005) -> bool:
    """Return whether a number is as good as the true one: within `tolerance` of it, absolute or relative.

    If a text can be read in two ways, either reading can be right.
    """
    try:
        said = [quantity(answer)]
    except TwoReadings as doubt:
        said = [float(reading) for reading in doubt.readings]
    return any(math.isclose(value, truth, rel_tol=tolerance, abs_tol=tolerance) for value in said)


def quantity(answer: object) -> float:
    """Return an answer as a number, also from text: ``1/3``, ``0,25``, ``25 %``. Raises `ValueError`.

    >>> quantity("1/4"), quantity(0.25), quantity("25 %")
    (0.25, 0.25, 0.25)
    """
    if isinstance(answer, str):
        return number(answer)
    one: Any = answer
    if getattr(answer, "size", None) == 1 and hasattr(answer, "item"):  # an array or a column with one number
        one = answer.item()
    try:
        return float(one)
    except (TypeError, ValueError, OverflowError):
        raise NotANumber(_("a number is needed, not {answer}").format(answer=_short(answer))) from None


def _short(answer: Any) -> str:
    text = repr(plain(answer))
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
