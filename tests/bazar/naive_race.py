"""The race (BZ-45) a second time: every pair of hands, in double precision, by the rules of `oracle`."""

from fractions import Fraction
from functools import cache

import numpy as np

from . import oracle

HANDS = oracle.HANDS
NUMBER = {hand: number for number, hand in enumerate(HANDS)}


def numbers(exchange, ware, enough=1e-9):
    """Return (probability that the player to move can force, the same for the opponent), in the order of `HANDS`.

    They come from the probability of having bought within n turns when both play their best: even n for the player to
    move, odd for the opponent.
    """
    ready, further = [], []
    for hand in HANDS:
        ends = [after for _name, after in oracle.trades(exchange, hand)]
        ready.append(any(oracle.buys(after, ware) for after in ends))
        further.append([NUMBER[after] for after in ends if sum(after) <= oracle.TEN])
    rolled = [[oracle.plus(hand, one) for one in oracle.ONE.values()] for hand in HANDS]
    everyone = len(HANDS)
    values = [np.zeros((everyone, everyone)), np.full((everyone, everyone), 2.0)]  # 2: not known yet
    turn, change = 0, 1.0
    while change > enough:
        ended = np.ascontiguousarray(1 - values[turn % 2].T)  # by hand at the end of the turn

        @cache
        def stone(after, ended=ended):
            """Return the value of a rolled hand: bought, kept, or what the opponent leaves of eleven (BZ-14)."""
            if oracle.buys(after, ware):
                return np.ones(everyone)
            kept = [ended[NUMBER[kept]] for kept in oracle.kept(after)]
            return kept[0] if len(kept) == 1 else np.min(kept, axis=0)

        change = 0.0
        for hand in range(everyone):
            if ready[hand]:
                new = np.ones(everyone)
            else:
                first, *others = map(stone, rolled[hand])
                new, most = first.copy(), first.copy()
                for other in others:
                    new += other
                    np.maximum(most, other, out=most)
                new += most  # Choice
                new /= 6
                for after in further[hand]:
                    np.maximum(new, ended[after], out=new)
            change = max(change, float(np.abs(new - values[1 - turn % 2][hand]).max()))
            values[1 - turn % 2][hand] = new
        turn += 1
    return values[0], 1 - values[1]


def within(exchange, ware):
    """Return within(turns, have, other): the exact probability that the player to move has bought by then.

    `turns` are those of both players together. Both play for that; what is open then counts for the opponent (even) or
    for the player to move (odd).
    """

    @cache
    def won(turns, have, other):
        if turns == 0:
            return Fraction(0)

        def end(hand):
            return 1 - won(turns - 1, other, hand)

        def roll(after):
            return Fraction(1) if oracle.buys(after, ware) else min(map(end, oracle.kept(after)))

        after_trades = [after for _name, after in oracle.trades(exchange, have)]
        if any(oracle.buys(after, ware) for after in after_trades):
            return Fraction(1)
        rolls = [roll(oracle.plus(have, one)) for one in oracle.ONE.values()]
        return max([(sum(rolls) + max(rolls)) / 6, *(end(after) for after in after_trades if sum(after) <= oracle.TEN)])

    return won
