"""Sentences about players, to one of them or about the others, with things of a game in words or as pictures.

A game's module `sentences` says every move in the past tense, through a `Voice`: "You traded 1 red for 2 white.",
"Ana traded 1 red for 2 white." The things in a sentence, such as stones, cards and players, are `Thing`s. A voice
without pictures says them in words and speaks plain text; with `draw` it speaks markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from tradekit.i18n import _
from tradekit.show.names import Names, shown_name


class Thing(NamedTuple):
    """A thing in a sentence: what it is, for a picture, and its words."""

    kind: str  #: "seat", and what the game has: "stones", "ware", "card", "cards", "good" and so on
    value: Any  #: such as the stones, the number of the card, or the seat
    words: str  #: in the reader's language, as they fit the sentence


Draw = Callable[[Thing], str]  #: turns a thing into a picture (`Markup`); plain text, such as its words, is escaped
Part = Thing | Iterable[Thing] | str | int  #: a part of a sentence; several things become a list


@dataclass(frozen=True)
class Voice:
    """A way to tell moves: the reader, the names of the players, and the pictures to use.

    >>> voice = Voice(reader=0, names=["Ana", "Bo"])
    >>> voice(0, "You have bid {n}.", "{name} has bid {n}.", n=4), voice(1, "You bid.", "{name} has bid {n}.", n=4)
    ('You have bid 4.', 'Bo has bid 4.')
    >>> loud = Voice(names=["<Ana>"], draw=lambda thing: Markup("<b>{}</b>").format(thing.words))
    >>> print(loud(0, "You have passed.", "{name} has passed."))
    <b>&lt;Ana&gt;</b> has passed.
    """

    reader: int | None = None  #: the player who is "you"; None: nobody
    names: Names = ()  #: of the players, by seat
    draw: Draw | None = None  #: pictures of things; None: words, in plain text

    def __call__(self, player: int, you: str, other: str, /, **parts: Part) -> str:
        """Return `you` if the player is the reader, otherwise `other` with the player's {name}."""
        return self.say(you, **parts) if player == self.reader else self.say(other, name=self.seat(player), **parts)

    def say(self, text: str, /, **parts: Part) -> str:
        """Return a text with its parts filled in.

        >>> Voice().say("You have {goods}.", goods=[Thing("good", 0, "silk"), Thing("good", 1, "tea")])
        'You have silk and tea.'
        """
        words = {name: self._word(part) for name, part in parts.items()}
        if self.draw is None:
            return text.format(**words)
        return Markup(str(escape(text)).format(**words))  # three times as fast as Markup.format: all parts are escaped

    def seat(self, player: int) -> Thing:
        """Return a player, as a thing in a sentence.

        >>> Voice(names=["Ana"]).seat(0)
        Thing(kind='seat', value=0, words='Ana')
        """
        return Thing("seat", player, shown_name(player, self.names))

    def seats(self, players: Iterable[int]) -> list[Thing]:
        """Return several players as things in a list, where the reader is "you".

        >>> voice = Voice(reader=1, names=["Ana", "Bo"])
        >>> voice.say("The order is: {names}.", names=voice.seats([1, 0]))
        'The order is: you and Ana.'
        """
        return [Thing("seat", player, _("you")) if player == self.reader else self.seat(player) for player in players]

    def _word(self, part: Part) -> str:
        """Return a part of the sentence as text, or as markup if there are pictures."""
        if isinstance(part, Thing):
            part = part.words if self.draw is None else self.draw(part)
        elif not isinstance(part, str | int):
            return self._list([self._word(thing) for thing in part])
        return str(part) if self.draw is None else escape(part)

    def _list(self, words: list[str]) -> str:
        *several, last = words or [""]
        comma = ", " if self.draw is None else Markup(", ")
        return self.say(_("{several} and {last}"), several=comma.join(several), last=last) if several else last
