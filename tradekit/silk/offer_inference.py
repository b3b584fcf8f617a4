"""Information in offers and answers: "two cards, 16 points of ivory" narrows the hands a player can have (SI-72).

A hand fits the words if some of its cards do: this number of cards, with this sum, the good among them. Hands are
counted and not listed, because there may be a million. The count goes through the cards from the highest value down.
It keeps only how many cards were taken, and which sums of how many of them, with or without the good, can still lead to
the words; hands that agree in this are counted together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import comb, log2
from typing import TYPE_CHECKING, Final, cast

from tradekit._utils.arguments import checked
from tradekit.game import View
from tradekit.i18n import _
from tradekit.silk.cards import (
    ALL,
    CARD_TEXT,
    GOODS,
    OF_GOOD,
    UNKNOWN,
    VALUES,
    Cards,
    cards_of,
    good_of,
    numbers,
    value_of,
)
from tradekit.silk.parameters import FEWEST_OFFERED, LIMIT, Said
from tradekit.silk.rules import State

if TYPE_CHECKING:
    import pandas as pd

#: Sums of cards, as the bits of an integer, by number of cards, first without and then with the good among them.
_Sums = tuple[int, ...]
_Group = tuple[int, int, int]  #: value, True for the good named, and number of such unseen cards


@dataclass(frozen=True)
class Revealed:
    """Hands a player can have before and after an offer; every hand counts the same."""

    said: Said
    known: Cards  #: cards of the hand known before
    hidden: int  #: number of other cards in the hand
    unseen: Cards  #: cards that these can be

    @property
    def before(self) -> int:
        """Number of hands that agree with the view."""
        return comb(self.unseen.bit_count(), self.hidden)

    @property
    def after(self) -> int:
        """Number of these hands with cards that fit the words said."""
        return _fitting(self.said, self.known, self.hidden, self.unseen)

    @property
    def bits(self) -> float:
        """Information in bits: log2 of the factor by which the number of hands fell."""
        return log2(self.before / self.after)

    @property
    def offers(self) -> int:
        """Number of sets of cards that can be the offered ones."""
        return _offers(self.said, self.known, self.hidden, self.unseen)

    @checked
    def chance(self, card: int) -> float:
        """Return the share of the fitting hands that have `card`."""
        one = 1 << card
        if one & self.known or not one & self.unseen or not self.hidden:
            return float(bool(one & self.known))
        return _fitting(self.said, self.known | one, self.hidden - 1, self.unseen & ~one) / self.after

    def to_frame(self) -> pd.DataFrame:
        """Return each card with its probability ``before`` and ``after`` to be in the hand; also ``good, value``."""
        import pandas as pd

        alike: dict[tuple[int, bool], float] = {}  # cards of one value are alike, except for the good named
        rows = []
        for card in numbers(self.known | self.unseen):
            known = bool(self.known >> card & 1)
            before = 1.0 if known else self.hidden / self.unseen.bit_count()
            kind = (value_of(card), good_of(card) == self.said.good)
            if not known and kind not in alike:
                alike[kind] = self.chance(card)
            after = 1.0 if known else alike[kind]
            rows.append((CARD_TEXT[card], GOODS[good_of(card)], value_of(card), before, after))
        return pd.DataFrame(rows, columns=["card", "good", "value", "before", "after"]).set_index("card")

    def __str__(self) -> str:
        return _("{said}: {before:,} hands before, {after:,} after; {bits:.2f} bits").format(
            said=self.said, before=self.before, after=self.after, bits=self.bits
        )


@checked
def inference(view: View, player: int, count: int, good: int, total: int) -> Revealed:
    """Return what another player's words reveal to the owner of a view (SI-11).

    The words are `count` cards, with `good` among them (a number, as in `silk.Good`) and the sum `total`. Raises
    `ValueError` for words that the player cannot have said.

    >>> from tradekit import silk
    >>> print(inference(silk.new(3, seed=7).view(0), 1, 2, silk.Good.IVORY, 19))
    2 cards, 19 points of ivory: 1,221,759 hands before, 85,520 after; 3.84 bits
    """
    state = cast(State, view.known)
    if player == view.player or not 0 <= player < state.players:
        raise ValueError(_("p{n} has no hidden hand in this view (SI-14)").format(n=player))
    if good not in range(len(GOODS)):
        raise ValueError(_("{good}: the goods are numbered 0 to 4 (SI-1)").format(good=good))
    hand = state.hands[player]
    found = Revealed(Said(0, good, count, total), hand & ALL, (hand >> UNKNOWN).bit_count(), state.unseen)
    if not FEWEST_OFFERED <= count <= LIMIT or not found.after:
        message = _("p{n} cannot say '{said}': no hand that it can have fits (SI-11)")
        raise ValueError(message.format(n=player, said=found.said))
    return found


# Sets of cards that an offer can mean


def meant(said: Said, known: Cards, hidden: int, unseen: Cards, number: int) -> Counter[Cards]:
    """Return sets of cards that a player can mean by the words said, each weighted by its probability.

    In the list of all fitting sets, each repeated in proportion to its probability, `number` evenly spaced entries are
    taken. A set is more probable the more hands have it, so a set of cards known to be in the hand is far ahead of any
    set of unseen cards. It is also more probable the more of its cards are of the good named, because any of its cards
    can give the name. The result is empty if nothing fits. `known`, `hidden` and `unseen` are as in `Revealed`.

    >>> from tradekit.silk.cards import read, text
    >>> said = Said(0, 3, 2, 5)  # two cards, five points, ivory among them
    >>> some = meant(said, read("ivory 1 tea 4"), 2, read("ivory 2 3, tea 2 3"), 20)
    >>> {text(cards): weight for cards, weight in some.items()}
    {'tea 2 ivory 3': 2, 'tea 3 ivory 2': 2, 'ivory 2 3': 4, 'tea 4 ivory 1': 12}
    """
    pool = numbers(unseen)
    tables = _weights(pool, said)
    sets = []  # per set: its cards in hand, the number and total of cards it lacks, and its probability
    for n in range(min(said.size, known.bit_count()) + 1):
        need = said.size - n
        hands = comb(len(pool) - need, hidden - need) if need <= hidden else 0
        for held in combinations(numbers(known), n) if hands else ():
            total = said.total - sum(map(value_of, held))
            named = sum(good_of(card) == said.good for card in held)
            if total >= 0:
                sets.append((held, need, total, hands, hands * _weight(tables[0], need, total, named)))
    every = sum(weight for *_held, weight in sets)
    found: Counter[Cards] = Counter()
    place = 0  # in `sets`
    before = 0  # the weight of those that came before it
    for n in range(number if every else 0):
        rank = (2 * n + 1) * every // (2 * number)
        while rank >= before + sets[place][-1]:
            before += sets[place][-1]
            place += 1
        held, need, total, hands, _all = sets[place]
        found[cards_of(held) | _ranked((rank - before) // hands, pool, tables, said, held, need, total)] += 1
    return found


_DIGIT: Final = 48  #: bits per digit; every number of sets is smaller
#: By number of cards: the number of sets, and the number of cards of the good named in all of them, both by total as
#: the digits of an integer.
_Weights = list[tuple[int, int]]


def _weights(pool: list[int], said: Said) -> list[_Weights]:
    """Count the sets in every end of a pool of cards."""
    digits = (1 << _DIGIT * (said.total + 1)) - 1
    tables: list[_Weights] = [[(1, 0)] + [(0, 0)] * said.size]
    for card in reversed(pool):
        last, shift = tables[-1], _DIGIT * value_of(card)
        named = good_of(card) == said.good
        tables.append([(1, 0)] + [
            (
                ways + (fewer << shift & digits),
                weight + ((lighter + fewer if named else lighter) << shift & digits),
            )
            for (ways, weight), (fewer, lighter) in zip(last[1:], last, strict=False)
        ])  # fmt: skip
    tables.reverse()
    return tables


def _weight(table: _Weights, need: int, total: int, named: int) -> int:
    """Count the cards of the good named in all sets of `need` cards with a total, plus `named` in each set."""
    ways, weight = (some >> _DIGIT * total & (1 << _DIGIT) - 1 for some in table[need])
    return named * ways + weight


def _ranked(
    rank: int, pool: list[int], tables: list[_Weights], said: Said, held: Iterable[int], need: int, total: int
) -> Cards:
    """Return the set with that rank in the list of all sets, each repeated once per card of the good named."""
    cards = 0
    named = sum(good_of(card) == said.good for card in held)
    for card, table in zip(pool, tables[1:], strict=True):
        if not need:
            break
        value, more = value_of(card), named + (good_of(card) == said.good)
        with_it = _weight(table, need - 1, total - value, more) if value <= total else 0
        if rank < with_it:
            cards, need, total, named = cards | 1 << card, need - 1, total - value, more
        else:
            rank -= with_it
    return cards


# Counting


def _groups(unseen: Cards, good: int) -> list[_Group]:
    """Group unseen cards from the highest value down, equal ones together."""
    found = []
    for value in range(VALUES, 0, -1):
        alike = sum(1 << VALUES * g + value - 1 for g in range(len(GOODS))) & unseen
        named = alike & OF_GOOD[good]
        found += [(value, 1, named.bit_count()), (value, 0, (alike & ~named).bit_count())]
    return [group for group in found if group[2]]


def _sums_of(said: Said, known: Cards) -> _Sums:
    """Return the sums of known cards."""
    sums = [0] * (2 * said.size + 2)
    for n in range(min(said.size, known.bit_count()) + 1):
        for some in combinations(numbers(known), n):
            total = sum(map(value_of, some))
            if total <= said.total:
                sums[2 * n + any(good_of(card) == said.good for card in some)] |= 1 << total
    return tuple(sums)


def _with(sums: _Sums, value: int, named: int) -> _Sums:
    """Return the sums with one more card."""
    more = [*sums]
    for place in range(len(sums) - 2):
        more[place // 2 * 2 + 2 + (place % 2 | named)] |= sums[place] << value
    return tuple(more)


@lru_cache(maxsize=4096)
def _fitting(said: Said, known: Cards, hidden: int, unseen: Cards) -> int:
    """Count the sets of `hidden` unseen cards that make, with the known ones, a hand that fits the words."""
    groups = _groups(unseen, said.good)
    left = [0] * (len(groups) + 1)  # cards in the groups from here on
    named = [0] * (len(groups) + 1)  # and of the good named
    for place in range(len(groups) - 1, -1, -1):
        left[place] = left[place + 1] + groups[place][2]
        named[place] = named[place + 1] + groups[place][1] * groups[place][2]
    lowest = groups[-1][0] if groups else 0
    fitting = 0
    open_ = {(hidden, _sums_of(said, known)): 1}
    for place in range(len(groups) + 1):
        highest = groups[place][0] if place < len(groups) else 0
        useful = _useful(said, highest, lowest, bool(named[place]))
        next_: dict[tuple[int, _Sums], int] = defaultdict(int)
        for (picks, sums), ways in open_.items():
            if sums[-1] >> said.total & 1:
                fitting += ways * comb(left[place], picks)
                continue
            kept = tuple(
                some & mask if said.size - n // 2 <= picks else 0
                for n, (some, mask) in enumerate(zip(sums, useful, strict=True))
            )
            if place == len(groups) or not any(kept):
                continue
            value, of_good, number = groups[place]
            for taken in range(min(number, picks) + 1):
                if picks - taken <= left[place + 1]:
                    next_[picks - taken, kept] += ways * comb(number, taken)
                kept = _with(kept, value, of_good)
        open_ = next_
    return fitting


def _useful(said: Said, highest: int, lowest: int, named: bool) -> list[int]:
    """Return the sums that cards between these values can complete, by number of cards, without and with the good."""
    masks = []
    for n in range(said.size + 1):
        need = said.size - n
        low, high = max(0, said.total - need * highest), said.total - need * lowest
        mask = (1 << high + 1) - (1 << low) if 0 <= low <= high else 0
        masks += [mask if named and need else 0, mask]
    return masks


def _offers(said: Said, known: Cards, hidden: int, unseen: Cards) -> int:
    """Count the sets of cards that fit the words, with at most `hidden` unseen cards."""
    found = 0
    for held in chain.from_iterable(combinations(numbers(known), n) for n in range(said.size + 1)):
        need, total = said.size - len(held), said.total - sum(map(value_of, held))
        if need <= hidden and total >= 0:
            found += _sets(unseen, need, total)
            if not any(good_of(card) == said.good for card in held):
                found -= _sets(unseen & ~OF_GOOD[said.good], need, total)
    return found


def _sets(unseen: Cards, size: int, total: int) -> int:
    """Count the sets of `size` of these cards that are worth `total`."""
    (table, *_rest) = _weights(numbers(unseen), Said(0, 0, size, total))
    return table[size][0] >> _DIGIT * total
