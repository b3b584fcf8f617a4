"""Actions as numbers: an action is said word by word, and the words of a game are numbered.

Other libraries want a fixed, finite set of actions. Of texts such as ``offer p2 silk 9 ivory 7 as silk`` there are
hundreds of thousands, of words some dozens. So a decision is a few small ones: each says the next word where the legal
actions go apart, and words on which all of them agree are passed over. Chance is split in the same way.

The words are those of `State.vocabulary`. Whole numbers from 0 to the largest one named there are a word each; a larger
one is said as ``+27 +27 6``, here of a game that names 26 at most, so that every amount can be said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

from tradekit.game import CHANCE, Action, IllegalAction, State
from tradekit.i18n import _

END: Final = 0  #: the number of the word that ends an action which could also go on, as ``bid 3`` before ``loan``
MORE: Final = 1  #: the number of the word for one more than the largest number
_FIRST: Final = 2  #: the number of the first word of the game

Spelling = tuple[int, ...]  #: an action as the numbers of its words, `END` last: none is the beginning of another


class Words:
    """The words of a game, numbered from 0: `END`, `MORE`, whole numbers in their order, the others by alphabet.

    Equal starts have the same words: `Words.of` makes them once.

    >>> from tradekit import bazar
    >>> words = Words.of(bazar.new(cards=(1, 4)))
    >>> words.spelled("buy 2"), words.said(words.spelled("buy 2"))
    ((84, 4, 0), 'buy 2')
    """

    def __init__(self, start: State) -> None:
        self.start = start
        named = {word for state in _beginnings(start) for action in state.vocabulary() for word in action.split()}
        numbers = [int(word) for word in named if _is_number(word)]
        self.largest = max(numbers, default=-1)
        self.texts: tuple[str, ...] = (
            ".",
            f"+{self.largest + 1}",
            *map(str, range(self.largest + 1)),
            *sorted(word for word in named if not _is_number(word)),
        )
        self._numbers = {word: number for number, word in enumerate(self.texts[_FIRST:], _FIRST)}
        #: an action as numbers; raises `ValueError` for a word that the game's vocabulary does not name
        self.spelled = lru_cache(50_000)(self._spelled)

    @staticmethod
    @lru_cache(64)
    def of(start: State) -> Words:
        """The words of the game that begins so."""
        return Words(start)

    def __len__(self) -> int:
        return len(self.texts)

    def __reduce__(self) -> tuple[Any, ...]:
        return Words.of, (self.start,)

    def __deepcopy__(self, memo: object) -> Words:
        return self

    def _spelled(self, action: str) -> Spelling:
        words = action.split()
        try:
            return (*map(self._numbers.__getitem__, words), END)
        except KeyError:  # a larger number, or no word of the game
            return (*(number for word in words for number in self._spelled_word(word, action)), END)

    def _spelled_word(self, word: str, action: str) -> list[int]:
        number = self._numbers.get(word)
        if number is not None:
            return [number]
        if self.largest < 0 or not _is_number(word):
            raise ValueError(
                _("{action!r}: the vocabulary of {game} does not name {word!r}; State.vocabulary should").format(
                    action=str(action), game=self.start.game.name, word=word
                )
            )
        times, rest = divmod(int(word), self.largest + 1)
        return [MORE] * times + [rest + _FIRST]

    def said(self, numbers: Iterable[int]) -> str:
        """The words of these numbers."""
        return " ".join(self.texts[number] for number in numbers if number != END)


def _beginnings(start: State) -> Iterator[State]:
    """The start, and what chance may make of it: the cards it draws first may bring words of their own."""
    yield start
    for action, _probability in start.outcomes():
        yield start.after(action, CHANCE)


def _is_number(word: str) -> bool:
    return word.isdecimal() and word == str(int(word))


_Entry = tuple[Spelling, Action, float]  #: an action, how it is spelled, and its weight


class Choice:
    """The actions that an actor may still mean, and which words can come next.

    Chance's actions have weights, those of players weigh 1 each.
    """

    __slots__ = ("__dict__", "_entries", "_words", "place")

    def __init__(self, words: Words, entries: Sequence[_Entry]) -> None:
        (first, *_rest), (last, *_rest) = entries[0], entries[-1]  # in order: all share what these two do
        self._words, self._entries = words, entries
        #: how many words are clear; of a decision with one action its first word is still to say
        self.place = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)

    @classmethod
    def among(cls, words: Words, actions: Iterable[tuple[Action, float]]) -> Choice:
        """The choice among some actions, of each its weight."""
        spelled = words.spelled
        return cls(words, sorted([(spelled(action), action, weight) for action, weight in actions]))

    @cached_property
    def _spans(self) -> dict[int, slice]:
        """By next word: which entries have it."""
        spans: dict[int, slice] = {}
        begin = 0
        while begin < len(self._entries):
            word = self._entries[begin][0][self.place]
            end = bisect_right(self._entries, word, begin, key=lambda entry: entry[0][self.place])
            spans[word] = slice(begin, end)
            begin = end
        return spans

    @property
    def numbers(self) -> list[int]:
        """The words that can come next, in ascending order."""
        return [*self._spans]

    @property
    def clear(self) -> Spelling:
        """The words that are said, or passed over because all actions share them."""
        return self._entries[0][0][: self.place]

    @property
    def chances(self) -> list[tuple[int, float]]:
        """The words that can come next, each with its part of the weight."""
        weights = {n: sum(weight for *_rest, weight in self._entries[span]) for n, span in self._spans.items()}
        total = sum(weights.values())
        return [(number, weight / total) for number, weight in weights.items()]

    def say(self, number: int) -> Choice | Action:
        """Return the choice left after the next word, or the action if it is clear by now; raises `IllegalAction`."""
        span = self._spans.get(number)
        if span is None:
            words = self._words.texts
            said = words[number] if 0 <= number < len(words) else number
            raise IllegalAction(
                _("{word} cannot come next after {said!r}; these can: {words}").format(
                    word=f"{number} ({said})", said=self._words.said(self.clear), words=", ".join(self.texts)
                )
            )
        entries = self._entries[span]
        return entries[0][1] if len(entries) == 1 else Choice(self._words, entries)

    def after(self, clear: Spelling) -> Choice:
        """The choice among those that begin so."""
        return Choice(self._words, [entry for entry in self._entries if entry[0][: len(clear)] == clear])

    @property
    def texts(self) -> list[str]:
        """The words that can come next, as text."""
        return [self._words.texts[number] for number in self._spans]

    def text(self, number: int) -> str:
        """Return the text after one more word: the whole action if it is clear, else its beginning and an ellipsis."""
        span = self._spans.get(number)
        if span is None:
            return self._words.texts[number]
        entries = self._entries[span]
        return str(entries[0][1]) if len(entries) == 1 else f"{self._words.said((*self.clear, number))} …"
