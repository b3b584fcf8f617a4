"""The rules of a game on one card: ten lines, each with a picture and the numbers of the rules that it sums up."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from tradekit.i18n import translate
from tradekit.show.html import element, fragment

if TYPE_CHECKING:
    from tradekit.game import Game

_NUMBER: Final = re.compile(r"\b([A-Z]{2,}-\d+)\b")


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
    lines: tuple[Rule, ...] = resolve_name(game.rules) if game.rules else ()
    return lines


def card(rules: Sequence[Rule], lit: str = "") -> Markup:
    """Return the lines as a list; the one that covers the rule `lit` stands out.

    >>> "tk-lit" in card([Rule("Your turn", "Roll or trade.", "BZ-9 BZ-11")], lit="BZ-11")
    True
    """
    return element("ol", (_line(rule, lit in rule.covers) for rule in rules), class_="tk-rules")


def _line(rule: Rule, lit: bool) -> Markup:
    text = [element("b", translate(rule.title)), " ", translate(rule.text), " "]
    return element(
        "li",
        element("span", rule.picture(), class_="tk-rule-picture"),
        element("p", text, element("small", ", ".join(rule.covers))),
        id=f"tk-rule-{rule.covers[0]}",
        class_="tk-lit" if lit else None,
        aria_current="true" if lit else None,
    )


def linked(text: str, rules: Sequence[Rule], link: Callable[[str], Markup]) -> Markup:
    """Return a text in which the number of each rule on the card is what `link` makes of it.

    >>> rules = [Rule("Your turn", "Roll or trade.", "BZ-9 BZ-11")]
    >>> linked("Roll first (BZ-11)", rules, lambda number: Markup("<a>{}</a>").format(number))
    Markup('Roll first (<a>BZ-11</a>)')
    """
    known = {number for rule in rules for number in rule.covers}
    return fragment(link(part) if part in known else part for part in _NUMBER.split(text))
