"""The payments at the end of Turin Market (TU-32 to TU-35), good by good: a pure function that keeps its account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

LOAN: Final = 10  #: TU-30: escudos that a loan gives
REPAID: Final = 15  #: TU-30: escudos due for it
DEBT: Final = 2  #: TU-34: escudos owed for each payment that the bank makes for a player


class GoodPaid(NamedTuple):
    """What happened at one good."""

    good: int  #: its place on the payout card, from 0
    payout: int  #: what the bank offers for the majority (TU-32)
    leaders: tuple[int, ...]  #: who has most of it; several share (TU-33); nobody if nobody has any
    payers: tuple[int, ...]  #: who else has any, and pays 1
    share: int  #: what each leader gets
    borrowed: tuple[int, ...]  #: payers who had nothing and had to take the loan (TU-34)
    covered: tuple[int, ...]  #: payers for whom the bank paid (TU-34)
    cash: tuple[int, ...]  #: escudos of each player afterwards


@dataclass(frozen=True, slots=True)
class Payments:
    """All payments, in order, and what is left of it."""

    steps: tuple[GoodPaid, ...]
    loans: tuple[int, ...]  #: 1 for who has a loan in the end
    debts: tuple[int, ...]  #: what else is owed (TU-34)
    final: tuple[int, ...]  #: escudos when all is repaid, below zero for who cannot pay (TU-35)
    bank: int  #: what the bank has taken in, less what it has paid


def settle(
    goods: Sequence[Sequence[int]],
    payouts: Sequence[int],
    cash: Sequence[int],
    loans: Sequence[int],
    order: Sequence[int] | None = None,
) -> Payments:
    """Pay out every good, then repay the loans.

    `goods` is ``[player][good]``, units; `payouts` by good; `order` the goods in the order of payment (TU-4), as listed
    for None; `cash` and `loans` by player, before it begins.

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
