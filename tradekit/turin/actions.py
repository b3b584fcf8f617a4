"""Actions as text: the possible ones, their exact form, and the forms a person can type."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from tradekit._utils.fixed import Fixed
from tradekit._utils.memo import Remembered
from tradekit.game import Action, IllegalAction, Listed, ParseError, short
from tradekit.i18n import _
from tradekit.turin.deck import CARDS
from tradekit.turin.parameters import Cards, bits, numbers

LOAN_WORD = "loan"
DONE: Final = Action("done")
PASS: Final = Action("pass")
NO_GOOSE: Final = Action("no goose")


class Amounts(Fixed, Collection[Action]):
    """A collection of plain actions and, for each verb, all amounts from least to most, first without a loan.

    The amounts with a loan follow. `loaned` is the most with a loan, 0 without the right to one. The actions iterate in
    this order, and `sample` is uniform.

    >>> list(Amounts(["bid"], 0, 1, 2))
    [Action('bid 0'), Action('bid 1'), Action('bid 1 loan'), Action('bid 2 loan')]
    """

    __slots__ = ("each", "least", "loaned", "most", "plain", "verbs", "without")
    verbs: tuple[str, ...]
    least: int
    most: int
    loaned: int
    plain: tuple[Action, ...]
    without: int  #: number of amounts per verb without a loan
    each: int  #: number of amounts per verb in total

    def __init__(
        self, verbs: Iterable[str], least: int, most: int, loaned: int, plain: tuple[Action, ...] = ()
    ) -> None:
        without = most - least + 1 if most >= least else 0
        values = (without + loaned, least, loaned, most, plain, tuple(verbs), without)
        for set_, value in zip(_SET, values, strict=True):
            set_(self, value)

    def __len__(self) -> int:
        return len(self.plain) + len(self.verbs) * self.each

    def __iter__(self) -> Iterator[Action]:
        yield from self.plain
        for words in self.verbs:
            yield from (with_amount(words, n) for n in range(self.least, self.most + 1))
            yield from (with_amount(words, n, True) for n in range(1, self.loaned + 1))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, str):
            return False
        amount, loan = amount_of(action)
        there = 1 <= amount <= self.loaned if loan else self.least <= amount <= self.most
        return action in self.plain or (
            there and any(action == with_amount(words, amount, loan) for words in self.verbs)
        )

    def sample(self, rng: random.Random) -> Action:
        """Draw one of the actions, each equally likely."""
        place = int(rng.random() * len(self)) - len(self.plain)
        if place < 0:
            return self.plain[place]
        words = self.verbs[place // self.each]
        place %= self.each
        if place < self.without:
            return with_amount(words, self.least + place)
        return with_amount(words, place - self.without + 1, True)


_SET: Final = [getattr(Amounts, name).__set__ for name in Amounts.__slots__]


@lru_cache(20_000)
def with_amount(words: str, amount: int, loan: bool = False) -> Action:
    """Return the action with that amount."""
    return Action(f"{words} {amount} {LOAN_WORD}" if loan else f"{words} {amount}")


@lru_cache(10_000)
def amount_of(action: str) -> tuple[int, bool]:
    """Return the amount at the end of an action (-1 if there is none), and True if a loan goes with it.

    >>> amount_of("sell 3 for 12 loan"), amount_of("done")
    ((12, True), (-1, False))
    """
    words = action.split(" ")
    loan = words[-1] == LOAN_WORD
    last = words[-2] if loan and len(words) > 1 else words[-1]
    return int(last) if last.isdecimal() else -1, loan


@lru_cache(20_000)
def read_amount(words: str, action: str) -> tuple[int, bool]:
    """Return the amount after a verb in an action (-1 if it is not written exactly), and True if a loan goes with it.

    >>> read_amount("bid", "bid 12 loan"), read_amount("bid", "bid 012"), read_amount("bid", "add 3")
    ((12, True), (-1, False), (-1, False))
    """
    amount, loan = amount_of(action)
    return (amount, loan) if action == with_amount(words, amount, loan) else (-1, False)


class Naming:
    """Actions that name cards after a verb, such as ``take 3 7``: one or two cards, in order."""

    def __init__(self, verb: str) -> None:
        sets = [some for size in (1, 2) for some in combinations(range(1, CARDS + 1), size)]
        self.actions = {some: Action(f"{verb} {' '.join(map(str, some))}") for some in sets}
        self.cards: dict[str, Cards] = {action: bits(some) for some, action in self.actions.items()}
        self._among = Remembered(self._listed)

    def _listed(self, key: tuple[Cards, int]) -> Listed:
        cards, size = key
        return Listed([self.actions[some] for some in combinations(numbers(cards), size)])

    def among(self, cards: Cards, size: int = 1) -> Listed:
        """List every way to name `size` cards of a set.

        >>> Naming("take").among(0b111, 2)
        (Action('take 1 2'), Action('take 1 3'), Action('take 2 3'))
        """
        listed: Listed = self._among[cards, size]
        return listed

    def named(self, action: str, cards: Cards, size: int = 1) -> Cards:
        """Return the cards that an action names, `size` cards of that set; 0 if it does not name them."""
        some = self.cards.get(action, 0)
        return some if some.bit_count() == size and not some & ~cards else 0


SHOW: Final = Naming("show")
TAKE: Final = Naming("take")
DISCARD: Final = Naming("discard")

DEALS: Final = {number: Action(f"deal {number}") for number in range(1, CARDS + 1)}
DEALT: Final[Mapping[str, Cards]] = {action: bits([number]) for number, action in DEALS.items()}
CLAIMS: Final = {
    (card, loan): Action(f"claim {card} loan" if loan else f"claim {card}")
    for card in range(1, CARDS + 1)
    for loan in (0, 1)
}
CLAIM_NUMBERS: Final[Mapping[str, tuple[int, int]]] = {action: key for key, action in CLAIMS.items()}


SELLS: Final = {card: f"sell {card} for" for card in range(1, CARDS + 1)}
WITHDRAWALS: Final = {card: Action(f"withdraw {card}") for card in range(1, CARDS + 1)}


@lru_cache(20_000)
def read_offer(action: str) -> tuple[int, int, bool]:
    """Read an offer: return card, price (0: withdrawn) and loan; card 0 if the action is not an offer or withdrawal.

    >>> read_offer("sell 3 for 12 loan"), read_offer("withdraw 3"), read_offer("sell 3 for 0")
    ((3, 12, True), (3, 0, False), (0, 0, False))
    """
    words = action.split(" ")
    card = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
    if action == WITHDRAWALS.get(card):
        return card, 0, False
    price, loan = read_amount(SELLS.get(card, ""), action)
    return (card, price, loan) if price > 0 else (0, 0, False)


@cache
def order_action(players: tuple[int, ...]) -> Action:
    """Return the action of a coin toss that puts players in this order."""
    return Action(f"order {' '.join(f'p{player}' for player in players)}")


def read(text: str) -> Action:
    """Return the exact form of an action; raise `ParseError` for text that does not look like an action."""
    words = " ".join(short(text).lower().split())
    for pattern, exact in _FORMS:
        if found := re.fullmatch(pattern, words):
            return Action(exact(found))
    if found := re.fullmatch(r"(?:bid|add|sell \d+ (?:for|at)) ([-+]?[\d.,/]+)(?: loan)?", words):
        raise IllegalAction(
            _("{amount} escudos cannot be named: 0 or a whole number can (TU-2, TU-11)").format(amount=found[1])
        )
    message = _(
        "{text!r} is no action; write show 7, bid 4, bid 12 loan, add 2, take 3 7, sell 5 for 4, withdraw 5, done, "
        "claim 5, pass"
    )
    raise ParseError(message.format(text=text))


def _sorted_cards(found: re.Match[str]) -> str:
    return f"{found[1]} {' '.join(map(str, sorted(int(n) for n in found[2].replace(',', ' ').split())))}"


def _with_loan(found: re.Match[str]) -> str:
    *words, amount, loan = found.groups()
    return " ".join(
        [*(str(int(word)) if word.isdecimal() else word for word in words), str(int(amount)), loan or ""]
    ).strip()


def _sale(found: re.Match[str]) -> str:
    return with_amount(f"sell {int(found[2])} for", int(found[3]), bool(found[4]))


_FORMS: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (r"(done|pass|goose|no goose)", lambda found: found[1]),
    (r"(show|withdraw|deal) (\d+)", lambda found: f"{found[1]} {int(found[2])}"),
    (r"(take|discard) (\d+(?:[ ,]+\d+)*)", _sorted_cards),
    (r"(bid|add|claim) (\d+)(?: (loan))?", _with_loan),
    (r"(sell) (\d+) (?:for|at) (\d+)(?: (loan))?", _sale),
    (r"sell (\d+) to p(\d+)", lambda found: f"sell {int(found[1])} to p{int(found[2])}"),
    (r"give p(\d+)", lambda found: f"give p{int(found[1])}"),
    (r"order( p\d+)+", lambda found: found[0]),
)  # fmt: skip
