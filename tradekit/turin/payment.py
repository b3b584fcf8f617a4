"""Payments at the end of Turin Market, good by good: a pure function with a full account (TU-32 to TU-35)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

LOAN: Final = 10  #: escudos of a loan (TU-30)
REPAID: Final = 15  #: escudos to repay per loan (TU-30)
DEBT: Final = 2  #: escudos owed per payment that the bank makes for a player (TU-34)


class GoodPaid(NamedTuple):
    """Payments for one good."""

    good: int  #: place of the good on the payout card, from 0
    payout: int  #: escudos from the bank for the majority (TU-32)
    leaders: tuple[int, ...]  #: players with the most of it, several share (TU-33); () if nobody has any
    payers: tuple[int, ...]  #: other players who have any, and pay 1 escudo each
    share: int  #: escudos per leader
    borrowed: tuple[int, ...]  #: payers who had nothing and had to take the loan (TU-34)
    covered: tuple[int, ...]  #: payers for whom the bank paid (TU-34)
    cash: tuple[int, ...]  #: escudos of each player afterwards


@dataclass(frozen=True, slots=True)
class Payments:
    """All payments, in order, and the money left after them."""

    steps: tuple[GoodPaid, ...]
    loans: tuple[int, ...]  #: 1 for each player with a loan in the end
    debts: tuple[int, ...]  #: other escudos owed, by player (TU-34)
    final: tuple[int, ...]  #: escudos after repayment, below zero for a player who cannot pay (TU-35)
    bank: int  #: escudos that the bank has taken in minus those it has paid


def settle(
    goods: Sequence[Sequence[int]],
    payouts: Sequence[int],
    cash: Sequence[int],
    loans: Sequence[int],
    order: Sequence[int] | None = None,
) -> Payments:
    """Pay out every good, then repay the loans.

    `goods` has units, ``[player][good]``; `payouts` is by good; `order` has the goods in the order of payment (TU-4),
    None for the order listed; `cash` and `loans` are by player, before the payments.

    >>> settle([[2, 0], [2, 1], [1, 0]], [6, 4], [0, 5, 0], [0, 0, 1]).final
    (4, 13, -17)
    """
    escudos, borrowed, debts = list(cash), [int(loan) for loan in loans], [0] * len(cash)
    bank = 0
    steps = []
    columns = list(zip(*goods, strict=True))
    for good in range(len(payouts)) if order is None else order:
        units = columns[good]
        most = max(units)
        if not most:
            steps.append(GoodPaid(good, payouts[good], (), (), 0, (), (), tuple(escudos)))
            continue
        leaders = tuple([player for player, n in enumerate(units) if n == most])
        payers = tuple([player for player, n in enumerate(units) if 0 < n < most])
        new, covered = [], []
        for payer in payers:
            if escudos[payer] > 0:
                escudos[payer] -= 1
            elif not borrowed[payer]:
                borrowed[payer] = 1
                new.append(payer)
                escudos[payer] += LOAN - 1
                bank -= LOAN
            else:
                covered.append(payer)
                debts[payer] += DEBT
                bank -= 1
        share = -(-(payouts[good] + len(payers)) // len(leaders))  # rounded up (TU-33)
        for leader in leaders:
            escudos[leader] += share
        bank -= share * len(leaders) - len(payers)
        steps.append(GoodPaid(good, payouts[good], leaders, payers, share, tuple(new), tuple(covered), tuple(escudos)))
    owed = [REPAID * loan + debt for loan, debt in zip(borrowed, debts, strict=True)]
    final = tuple([have - due for have, due in zip(escudos, owed, strict=True)])
    return Payments(tuple(steps), tuple(borrowed), tuple(debts), final, bank + sum(owed))
