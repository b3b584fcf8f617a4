"""One turn of Bazar, written independently of tradekit: the tests compare the library with it.

A hand is a tuple of five counts in the order R W B G Y, the equations are a text, "R=WW W=BG". No arrays, nothing from
tradekit: one rule after the other as written (BZ-5, BZ-10, BZ-12, BZ-14, BZ-15, BZ-16).
"""

from collections import deque
from functools import cache
from itertools import combinations_with_replacement
from math import inf, isfinite

COLOURS = "RWBGY"
TEN = 10
POINTS = {0: (5, 8, 12), 1: (3, 5, 8), 2: (2, 3, 5), 3: (1, 2, 3)}  # by stones left over: no star, one, two
HANDS = [
    tuple(map("".join(c).count, COLOURS)) for n in range(TEN + 1) for c in combinations_with_replacement(COLOURS, n)
]


@cache
def hand(letters):
    """Return the hand in letters, as in "RRB"."""
    return tuple(map(letters.count, COLOURS))


def letters(hand):
    """Return a hand as tradekit prints it."""
    return "".join(colour * n for colour, n in zip(COLOURS, hand, strict=True)) or "-"


def plus(hand, other):
    (a, b, c, d, e), (v, w, x, y, z) = hand, other
    return a + v, b + w, c + x, d + y, e + z


def minus(hand, other):
    (a, b, c, d, e), (v, w, x, y, z) = hand, other
    return a - v, b - w, c - x, d - y, e - z


def holds(hand, other):
    (a, b, c, d, e), (v, w, x, y, z) = hand, other
    return a >= v and b >= w and c >= x and d >= y and e >= z


ONE = {colour: hand(colour) for colour in COLOURS}


@cache
def directed(exchange):
    """Return every trade of an exchange, as (text, give, take): an equation, then its reverse (BZ-10)."""
    sides = [equation.split("=") for equation in exchange.split()]
    return [(f"{a}={b}", hand(a), hand(b)) for left, right in sides for a, b in ((left, right), (right, left))]


def trades(exchange, have):
    """Yield (text, hand after it) for every trade that `have` can pay."""
    return [(name, plus(minus(have, give), take)) for name, give, take in directed(exchange) if holds(have, give)]


def points(ware, left, empty_stalls=0):
    """Return the points of a purchase (BZ-15, BZ-16)."""
    return POINTS[min(left, 3)][ware.count("*") + empty_stalls]


def left_after(have, ware):
    """Return the stones left over after paying, or None if `have` cannot pay (BZ-12)."""
    price = hand(ware)
    return sum(have) - 5 if holds(have, price) else None


def buys(have, ware, left=None):
    """Return whether a purchase that reaches the goal can follow: `left` is None, a number or a collection."""
    rest = left_after(have, ware)
    return rest is not None and (left is None or rest == left or (not isinstance(left, int) and rest in left))


# Trades alone (BZ-41)


def first_made(exchange, have):
    """Return for each hand the first turn whose trade can make it; a hand above ten ends its line (BZ-14)."""
    made, known, queue = {}, {have: 0}, deque([have])
    while queue:
        here = queue.popleft()
        for _name, after in trades(exchange, here):
            made.setdefault(after, known[here] + 1)
            if sum(after) <= TEN and after not in known:
                known[after] = known[here] + 1
                queue.append(after)
    return made


def fewest_turns(exchange, have, ware, left=None):
    """Return the fewest turns to the purchase, or None."""
    return min((turn for after, turn in first_made(exchange, have).items() if buys(after, ware, left)), default=None)


def all_chains(exchange, have, ware, left, turns):
    """Yield every legal sequence of exactly `turns` trades that ends with a purchase: (stones left over, trades)."""
    for name, after in trades(exchange, have):
        if turns == 1:
            if buys(after, ware, left):
                yield left_after(after, ware), (name,)
        elif sum(after) <= TEN:
            for rest, names in all_chains(exchange, after, ware, left, turns - 1):
                yield rest, (name, *names)


def check_chain(exchange, have, ware, names):
    """Play a chain by the rules and return the stones left over; an illegal turn fails."""
    assert names, "a purchase follows a roll or a trade (BZ-12)"
    legal = {name: (give, take) for name, give, take in directed(exchange)}
    for turn, name in enumerate(names, 1):
        assert sum(have) <= TEN, f"turn {turn} begins with {letters(have)} (BZ-14)"
        give, take = legal[name]
        assert holds(have, give), f"turn {turn}: {letters(have)} cannot pay for {name} (BZ-10)"
        have = plus(minus(have, give), take)
    assert holds(have, hand(ware)), f"{letters(have)} cannot pay for {ware} (BZ-12)"
    return left_after(have, ware)


# Against the die (BZ-43). "gone" stands for a purchase that reaches the goal.


def faces(have):
    """Return the six faces: for each the hands it can lead to, one for a colour, five for Choice (BZ-5)."""
    rolled = [plus(have, one) for one in ONE.values()]
    return [[hand] for hand in rolled] + [rolled]


def kept(rolled):
    """Return the hands that a rolled hand can become without a purchase: of eleven, one stone goes back (BZ-14)."""
    if sum(rolled) <= TEN:
        return [rolled]
    return [minus(rolled, one) for one in ONE.values() if holds(rolled, one)]


def legal_actions(exchange, have, ware, left=None):
    """Return the legal actions on the way to the goal: above ten only a purchase (BZ-14), a roll always (BZ-11)."""
    able = [name for name, after in trades(exchange, have) if sum(after) <= TEN or buys(after, ware, left)]
    return [*able, "roll"]


def action_worths(exchange, have, ware, left, gain, value):
    """Yield (action, its value with the best continuation), for every legal action.

    `gain(stones left over)` is the value of the purchase, `value(hand)` the value of beginning a turn. The best action,
    minus the cost of a turn, is the right-hand side of the optimality equation.
    """

    def stand(hands, bought):
        can_buy = buys(bought, ware, left)
        return max([gain(left_after(bought, ware)) if can_buy else -inf, *map(value, hands)])

    for name, after in trades(exchange, have):
        if sum(after) <= TEN:
            yield name, stand([after], after)
        elif buys(after, ware, left):
            yield name, gain(left_after(after, ware))
    yield "roll", sum(max(stand(kept(rolled), rolled) for rolled in face) for face in faces(have)) / 6


def certain(exchange, ware, left=None):
    """Return the hands from which the goal can be made certain; the rest is removed, round after round.

    A roll is safe while every face can be answered inside the set; a hand stays while the goal can be reached through
    safe rolls and trades inside the set.
    """
    at_once = {h for h in HANDS if any(buys(after, ware, left) for _name, after in trades(exchange, h))}
    traded = {h: [after for _name, after in trades(exchange, h) if sum(after) <= TEN] for h in HANDS}
    rolled = {h: [(buys(face[0], ware, left), kept(face[0])) for face in faces(h)[:5]] for h in HANDS}
    stay = set(HANDS)
    while True:
        safe = {h for h in stay if all(bought or any(k in stay for k in keep) for bought, keep in rolled[h])}
        into = {}  # hand -> the hands of `stay` that can go on to it
        sources = set(at_once & stay)
        for h in stay:
            for after in traded[h]:
                into.setdefault(after, []).append(h)
            if h in safe:
                if any(bought for bought, _keep in rolled[h]):
                    sources.add(h)
                for _bought, keep in rolled[h]:
                    for k in keep:
                        into.setdefault(k, []).append(h)
        reach, queue = set(sources), deque(sources)
        while queue:
            for before in into.get(queue.popleft(), ()):
                if before not in reach:
                    reach.add(before)
                    queue.append(before)
        if reach == stay:
            return stay
        stay = reach


def play(exchange, policy, have, ware, left, rng):
    """Play one game against a real die by a policy, checking that each of its actions is legal.

    `policy(hand)` is the action, whether a purchase follows it, and, face by face, (stone taken, the next action, hand
    left). Returns (turns, stones left over).
    """
    turn = 0
    while True:
        turn += 1
        action, buy, told = policy(have)
        if action != "roll":
            after = dict(trades(exchange, have))[action]
            if buy:
                assert buys(after, ware, left)
                return turn, left_after(after, ware)
            assert sum(after) <= TEN, f"{action} from {letters(have)} passes ten and does not buy (BZ-14)"
            have = after
            continue
        number = rng.randrange(6)
        take, then, following = told[number]
        assert number == 5 or take == COLOURS[number]
        rolled = plus(have, ONE[take])
        if then == "buy":
            assert buys(rolled, ware, left)
            assert hand(following) == minus(rolled, hand(ware))
            return turn, left_after(rolled, ware)
        assert hand(following) in kept(rolled), f"{letters(rolled)} cannot become {following}"
        assert then == ("keep" if sum(rolled) <= TEN else f"return {letters(minus(rolled, hand(following)))}")
        have = hand(following)


def mean_and_error(numbers):
    """Return the mean and its standard error."""
    n = len(numbers)
    mean = sum(numbers) / n
    variance = sum((x - mean) ** 2 for x in numbers) / (n - 1)
    assert isfinite(variance)
    return mean, (variance / n) ** 0.5
