"""The rules of a game on one card: ten lines, each with a picture and the numbers of the rules that it sums up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from tradekit.i18n import translate

if TYPE_CHECKING:
    from tradekit.game import Game

_NUMBER: Final = re.compile(r"\b[A-Z]{2,}-\d+\b")


@dataclass(frozen=True)
class Rule:
    """One line of a card. `title` and `text` are marked with `i18n.later`, and translated where they are shown."""

    title: str
    text: str
    numbers: str  #: of the rules that it sums up: ``"BZ-9 BZ-11"``
    picture: Callable[[], Markup] = Markup

    @property
    def covers(self) -> tuple[str, ...]:
        """The numbers one by one.

        >>> Rule("Your turn", "Roll or trade.", "BZ-9 BZ-11").covers
        ('BZ-9', 'BZ-11')
        """
        return tuple(self.numbers.split())


def rules_of(game: Game) -> tuple[Rule, ...]:
    """Return the lines that a game declares, none if it declares none.

    >>> from tradekit import game
    >>> len(rules_of(game.find("bazar"))), rules_of(game.find("bazar"))[1].title
    (10, 'Your turn')
    """
    if not game.rules:
        return ()
    module, name = game.rules.split(":")
    lines: tuple[Rule, ...] = getattr(import_module(module), name)
    return lines


def card(rules: Sequence[Rule], lit: str = "") -> Markup:
    """Return the lines as a list; the one that covers the rule `lit` stands out.

    >>> "tk-lit" in card([Rule("Your turn", "Roll or trade.", "BZ-9 BZ-11")], lit="BZ-11")
    True
    """
    return Markup('<ol class="tk-rules">{}</ol>').format(Markup("").join(_line(rule, lit) for rule in rules))


def _line(rule: Rule, lit: str) -> Markup:
    here = Markup(' class="tk-lit" aria-current="true"') if lit in rule.covers else ""
    numbers = ", ".join(rule.covers)
    return Markup(
        '<li id="tk-rule-{id}"{here}><span class="tk-rule-picture">{picture}</span>'
        "<p><b>{title}</b> {text} <small>{numbers}</small></p></li>"
    ).format(
        id=rule.covers[0],
        here=here,
        picture=rule.picture(),
        title=translate(rule.title),
        text=translate(rule.text),
        numbers=numbers,
    )


def linked(text: str, rules: Sequence[Rule], link: Callable[[str], Markup]) -> Markup:
    """Return a text in which the number of each rule on the card is what `link` makes of it.

    >>> rules = [Rule("Your turn", "Roll or trade.", "BZ-9 BZ-11")]
    >>> linked("Roll first (BZ-11)", rules, lambda number: Markup("<a>{}</a>").format(number))
    Markup('Roll first (<a>BZ-11</a>)')
    """
    known = {number for rule in rules for number in rule.covers}
    return Markup("").join(link(part) if part in known else escape(part) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """Yield the numbers of rules in a text and what stands between them."""
    end = 0
    for found in _NUMBER.finditer(text):
        yield text[end : found.start()]
        yield found[0]
        end = found.end()
    yield text[end:]
