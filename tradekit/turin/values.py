"""Values of cards to a player: the change they make to the final payments (TU-50).

The value of a card comes from the owners of all cards at the end. The payments are made twice: once with the card in
front of the player, and once with it where it is now, with everything else unchanged. The cards in front of the players
at the end are either those there now, as if the game ended, or those plus the rest of the deck dealt at random.

Payments are not additive: a majority takes several cards, ties share, and poor players must borrow. So the payments are
calculated in full, for many endings at once, as arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import numpy.typing as npt

from tradekit._utils.arguments import checked, generator, whole
from tradekit._utils.numerals import plain
from tradekit.game import View
from tradekit.i18n import _
from tradekit.turin.deck import CARDS, Deck
from tradekit.turin.goose import NOBODY
from tradekit.turin.parameters import Cards, Parameters, Step, bits, numbers
from tradekit.turin.payment import DEBT, LOAN, REPAID
from tradekit.turin.rules import State

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SAMPLES: Final = 400

Position = State | View


def finals(owners: Ints, parameters: Parameters, cash: Sequence[int], loans: Sequence[int]) -> npt.NDArray[np.int32]:
    """Return the escudos of all players after the payments, (endings, players) (TU-32 to TU-35).

    This is `payment.settle` for many endings. `owners`, (endings, 18), has the owner of each card in the end, -1 for
    nobody; `cash` and `loans` are by player, as they are now.

    >>> from tradekit import turin
    >>> state = turin.new(players=2, seed=1)
    >>> finals(np.full((1, 18), -1), state.parameters, state.reserve, state.loans).tolist()
    [[15, 15]]
    """
    players = range(len(cash))
    cards = _units(parameters.deck)
    units = np.stack([(owners == p).astype(np.float32) @ cards for p in players], axis=1)
    escudos = np.tile(np.array(cash, np.int32), (len(owners), 1))
    borrowed = np.tile(np.array(loans, bool), (len(owners), 1))
    owed = REPAID * borrowed.astype(np.int32)
    for good in parameters.order:
        have = units[:, :, good]
        most = have.max(axis=1, keepdims=True)
        leads = (have == most) & (most > 0)
        pays = (have > 0) & ~leads
        if (escudos <= 0).any():  # players who cannot pay borrow, or the bank pays (TU-34)
            poor = pays & (escudos <= 0)
            new, covered = poor & ~borrowed, poor & borrowed
            borrowed |= new
            escudos += LOAN * new + covered
            owed += REPAID * new + DEBT * covered
        number = leads.sum(axis=1, keepdims=True)
        pot = parameters.payouts[good] + pays.sum(axis=1, keepdims=True)
        share = -(-pot // np.maximum(number, 1))  # rounded up (TU-33)
        escudos += np.where(leads, share, 0) - pays
    result: npt.NDArray[np.int32] = escudos - owed
    return result


@lru_cache(maxsize=16)
def _units(deck: Deck) -> npt.NDArray[np.float32]:
    """Return the units of each good on each card, (18, 9)."""
    return np.array([card.units for card in deck.cards], np.float32)


def ahead(changes: npt.NDArray[np.int32]) -> Floats:
    """Return each player's lead over the others' mean, (sets, players), from changes, (sets, endings, players).

    The arithmetic uses integers as long as possible, so equal values are exactly equal on every machine.

    >>> ahead(np.array([[[3, 0, 1], [0, 0, 1]]]))
    array([[ 1.  , -1.25,  0.25]])
    """
    endings, players = changes.shape[1:]
    totals = changes.sum(axis=1, dtype=np.int64)
    return np.asarray((totals * players - totals.sum(axis=1, keepdims=True)) / ((players - 1) * endings))


class Table:
    """A position with possible endings of the game, for the values of sets of cards.

    `future`: None ends the game now; "sample" gives the cards still to come to any player, and lots to players in any
    order. In a view the hands of others are dealt from the cards that its player has not seen.
    """

    def __init__(self, position: Position, future: str | None = None, samples: int = SAMPLES, seed: int = 0) -> None:
        if future not in (None, "sample"):
            raise ValueError(_("future={future!r}: None or 'sample' is needed (TU-50)").format(future=plain(future)))
        if samples < 2:
            raise ValueError(_("samples={n}: 2 or more are needed (TU-50)").format(n=samples))
        self.state = state = cast(State, position.known if isinstance(position, View) else position)
        if state.step is Step.DEAL:
            raise ValueError(_("the cards are not dealt yet (TU-5)"))
        self.players = range(len(state.hands))
        self.parameters = state.parameters
        self.now = self._now()
        self.cash = state.cash or state.owned
        #: (endings, 18): owner of each card in the end
        self.endings = self.now[None] if future is None else self._endings(generator(seed), samples)

    def finals(self, owners: Ints) -> npt.NDArray[np.int32]:
        """Return the escudos of all players after the payments, for endings with these owners of the cards."""
        return finals(owners, self.parameters, self.cash, self.state.loans)

    def changes(self, player: int, sets: Sequence[Cards]) -> Floats:
        """Return the change in escudos that each set of cards makes for a player, (sets, endings).

        The set in front of the player is compared with the set where it is now: in front of its owner, or of nobody.
        For the player's own cards, the comparison is with nobody.
        """
        elsewhere = np.where(self.now == player, NOBODY, self.now)
        return np.asarray(self.differences(player, sets, elsewhere[None])[..., player], float)

    def ahead(self, player: int, sets: Sequence[Cards]) -> Floats:
        """Return the lead over the others' mean that each set gives a player, compared with going to another, (sets,).

        A card that an ending gives to the player goes to the next seat instead, so that endings favour nobody.
        """
        others = (player + 1 + np.arange(len(self.endings)) % (len(self.players) - 1)) % len(self.players)
        elsewhere = np.where(self.endings == player, others[:, None], self.endings)
        return ahead(self.differences(player, sets, elsewhere))[:, player]

    def differences(self, player: int, sets: Sequence[Cards], elsewhere: Ints) -> npt.NDArray[np.int32]:
        """Return final escudos with a set in front of a player minus those with it elsewhere, (sets, endings, players).

        `elsewhere` has the other owners by ending and card, (endings or 1, 18).
        """
        endings = self.endings
        with_them = np.tile(endings, (len(sets), 1, 1))
        without = with_them.copy()
        for place, cards in enumerate(sets):
            there = [number - 1 for number in numbers(cards)]
            with_them[place][:, there] = player
            without[place][:, there] = elsewhere[:, there]
        after = self.finals(np.concatenate([with_them, without]).reshape(-1, CARDS))
        both: npt.NDArray[np.int32] = after.reshape(2, len(sets), len(endings), len(self.players))
        return np.asarray(both[0] - both[1])

    def worth(self, player: int, sets: Sequence[Cards]) -> Floats:
        """Return the worth of each set of cards to a player, in escudos: the mean of `changes`."""
        return np.asarray(self.changes(player, sets).mean(axis=1)) if sets else np.zeros(0)

    def asked(self, player: int | None) -> Sequence[int]:
        """Return that player, or all of them for None; raise `IllegalAction` for a player who does not exist."""
        if player is None:
            return self.players
        self.state.need_player(player)
        return [player]

    @cached_property
    def places(self) -> dict[int, str]:
        """Visible cards by number, with their place: "centre", "sale", "won" or "hand"."""
        state = self.state
        there = dict.fromkeys(numbers(state.centre), "centre")
        there |= {n: "won" for won in state.won for n in numbers(won)}
        there |= {card: "sale" for card, _owner, _price in state.sale}
        there |= {n: "hand" for hand in state.hands if hand > 0 for n in numbers(hand)}
        return dict(sorted(there.items()))

    def _now(self) -> Ints:
        """Return each card's owner if the game ended now: cards face up, and the card that stays in hand (TU-31)."""
        owners = np.full(CARDS, NOBODY)
        spare = _spare(self.parameters)
        for player, (won, hand) in enumerate(zip(self.state.won, self.state.hands, strict=True)):
            kept = hand if hand > 0 and hand.bit_count() == spare else 0
            owners[[number - 1 for number in numbers(won | kept)]] = player
        return owners

    def _endings(self, rng: np.random.Generator, samples: int) -> Ints:
        """Draw endings at random: the owner of each card, one row per ending."""
        hands = self._hands(rng, samples)
        owners, rows = np.tile(self.now, (samples, 1)), np.arange(samples)
        spare, format = _spare(self.parameters), self.parameters.formats[1]
        kept = [hand[:, :spare] for hand in hands]
        shown = [hand[:, spare:] for hand in hands]
        for player, cards in enumerate(kept):
            owners[rows[:, None], cards] = player
        for auction in range(min(hand.shape[1] for hand in shown)):
            pile = np.stack([hand[:, auction] for hand in shown], axis=1)
            self._deal_out(owners, rng.permuted(pile, axis=1), self._turns(format.prizes, rng, samples))
        if self.state.centre:
            pile = np.tile([number - 1 for number in numbers(self.state.centre)], (samples, 1))
            prizes = self.parameters.format(self.state.auction).prizes
            turns = self._turns(prizes, rng, samples)
            if self.state.step is Step.TAKE:
                turns = [(player if n > 0 else NOBODY, abs(n)) for player, n in self.state.queue]
            self._deal_out(owners, rng.permuted(pile, axis=1), turns)
        return owners

    def _turns(self, prizes: Sequence[float], rng: np.random.Generator, samples: int) -> list[tuple[Any, int]]:
        """Draw the player of each place, all equally likely, with the number of cards of the place."""
        order = rng.permuted(np.tile(np.array(self.players), (samples, 1)), axis=1)
        return [(order[:, place], int(prize)) for place, prize in enumerate(prizes)]

    def _hands(self, rng: np.random.Generator, samples: int) -> list[Ints]:
        """Draw the cards in each hand in random order, (samples, cards); unknown ones are dealt from those not seen."""
        unseen = rng.permuted(np.tile([n - 1 for n in numbers(self.state.rest)], (samples, 1)), axis=1)
        hands: list[Ints] = []
        for hand in self.state.hands:
            if hand < 0:
                dealt, unseen = unseen[:, :-hand], unseen[:, -hand:]
            else:
                dealt = rng.permuted(np.tile([n - 1 for n in numbers(hand)], (samples, 1)), axis=1)
            hands.append(dealt.astype(np.int64))
        return hands

    def _deal_out(self, owners: Ints, pile: Ints, turns: Sequence[tuple[Any, int]]) -> None:
        """Give the cards of an auction to the players whose turn it is."""
        rows, at = np.arange(len(owners)), 0
        for who, number in turns:
            for card in range(at, min(at + number, pile.shape[1])):
                owners[rows, pile[:, card]] = who
            at += number


def _spare(parameters: Parameters) -> int:
    """Return the number of cards that stay in each hand to the end: one with two and three players (TU-31)."""
    return parameters.hand - parameters.auctions + bool(parameters.centre)


@checked(samples=whole(2, 1_000_000))
def worth(
    position: Position,
    player: int | None = None,
    *,
    future: str | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the worth of each card to each player, or to one, in escudos: one row per player and card (TU-50).

    The worth is the change of the player's final escudos if the card is in front of the player instead of where it is
    now. For a card of the centre, it is the gain from winning it. For another player's card, it is the gain from having
    it in place of its owner (without its price). For the player's card, it is the cost of losing it.

    Payments are made on the cards that are face up now, and with ``future="sample"`` on those and the rest of the deck,
    dealt at random `samples` times from `seed`; players have their present money. With a `View`, only its player's
    knowledge is used: a hidden hand can have any unseen cards.

    Columns: ``player, card, where`` ("centre", "sale", "won" or "hand"), ``owner`` (-1 for nobody), ``worth``, and for
    samples ``error``, the standard error of the mean.

    >>> from tradekit import turin
    >>> state = turin.new(players=4, seed=1)
    >>> worth(state, 0).query("where == 'centre'")["worth"].tolist()    # three majorities each, as nobody has anything
    [23.0, 31.0]
    """
    import pandas as pd

    table = Table(position, future, samples, seed)
    cards = list(table.places)
    owners = _owners(table.state)
    rows = []
    for p in table.asked(player):
        changes = table.changes(p, [bits([card]) for card in cards]) if cards else np.zeros((0, 1))
        for card, change in zip(cards, changes, strict=True):
            row = {"player": p, "card": card, "where": table.places[card], "owner": owners.get(card, NOBODY)}
            rows.append(row | _estimate(change))
    columns = ["player", "card", "where", "owner", "worth", *(["error"] if future else [])]
    return pd.DataFrame(rows, columns=columns)


@checked(size=whole(1, 6), samples=whole(2, 1_000_000))
def awards(
    position: Position,
    player: int | None = None,
    size: int = 2,
    *,
    future: str | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the worth of each lot of `size` cards of the centre to each player, or to one, as in `worth`.

    Columns: ``player, cards`` (numbers, as in ``take 3 7``), ``worth``, ``together`` (its difference from the sum over
    single cards: two cards can make a majority that neither makes by itself, or share a gain that counts once),
    and for samples ``error``.

    >>> from tradekit import turin
    >>> awards(turin.new(players=4, seed=1), 0)["cards"].tolist()
    ['7 17']
    """
    import pandas as pd

    table = Table(position, future, samples, seed)
    centre = numbers(table.state.centre)
    sets = list(combinations(centre, size))
    rows = []
    for p in table.asked(player):
        single = dict(zip(centre, table.worth(p, [bits([card]) for card in centre]), strict=True))
        changes = table.changes(p, [bits(cards) for cards in sets]) if sets else np.zeros((0, 1))
        for cards, change in zip(sets, changes, strict=True):
            estimate = _estimate(change)
            together = estimate["worth"] - float(sum(single[card] for card in cards))
            row = {"player": p, "cards": " ".join(map(str, cards)), "worth": estimate["worth"], "together": together}
            rows.append(row | estimate)
    columns = ["player", "cards", "worth", "together", *(["error"] if future else [])]
    return pd.DataFrame(rows, columns=columns)


def _estimate(changes: Floats) -> dict[str, float]:
    """Return the mean over endings, and its standard error."""
    n = len(changes)
    return {"worth": float(changes.mean()), "error": float(changes.std(ddof=1) / np.sqrt(n)) if n > 1 else 0.0}


def _owners(state: State) -> dict[int, int]:
    piles = [(p, won | max(hand, 0)) for p, (won, hand) in enumerate(zip(state.won, state.hands, strict=True))]
    return {number: p for p, cards in piles for number in numbers(cards)}
