"""Bazar's moves written a second time, straight from the rules and without any concern for speed.

A position is a plain dictionary; `moves` lists the possible moves as (who, what, next position). It covers the default
rules and the options that change moves: BZ-14's penalty, BZ-20, BZ-23 and the solitaire BZ-30. Cards that are revealed
are drawn from all that nobody has seen.
"""

from copy import deepcopy

COLOURS = "RWBGY"
POINTS = {0: (5, 8, 12), 1: (3, 5, 8), 2: (2, 3, 5), 3: (1, 2, 3)}


def position(state):
    """Return the position of one of tradekit's states, read from its public attributes."""
    unseen = set(map(str, state.parameters.deck.wares))
    for number in [n for n in state.stalls if n >= 0] + [n for wares in state.bought for n, _points in wares]:
        unseen.discard(str(state.parameters.deck.wares[number]))
    first = None
    if state.first:
        first = (str(state.parameters.deck.wares[state.first[0]]), state.first[1])
        unseen.discard(first[0])
    return {
        "equations": [str(e).split("=") for e in state.equations],
        "rules": state.rules,
        "alone": len(state.hands) == 1,
        "step": state.step.name,
        "turn": state.turn,
        "hands": [str(stones).strip("-") for stones in state.holdings],
        "stalls": [
            [None if ware is None else str(ware), below, ware is None and state.stalls[i] == -2]
            for i, (ware, below) in enumerate(zip(state.wares, state.under, strict=True))
        ],
        "unseen": unseen,
        "bought": [[(str(state.parameters.deck.wares[n]), points) for n, points in wares] for wares in state.bought],
        "idle": state.idle,
        "first": first,
    }


def holds(hand, stones):
    return all(hand.count(c) >= stones.count(c) for c in COLOURS)


def less(hand, stones):
    for stone in stones:
        hand = hand.replace(stone, "", 1)
    return hand


def in_bank(p, colour):
    return 20 - sum(hand.count(colour) for hand in p["hands"])


def can_buy(p, hand, ware):
    price = ware.strip("*")
    if not holds(hand, price):
        return False
    left = len(hand) - 5
    return left == 0 if p["alone"] else left <= p["rules"].max_left


def buyable(p, hand):
    return [i for i, (ware, _below, _covered) in enumerate(p["stalls"]) if ware and can_buy(p, hand, ware)]


def empty(p):
    return sum(ware is None and not covered for ware, _below, covered in p["stalls"])


def moves(p):
    """Return all moves that are possible next: (who, text, position); who is -1 for chance."""
    step, me = p["step"], p["turn"]
    if step == "WARE":
        for ware in sorted(p["unseen"]):
            q = deepcopy(p)
            stall = next(s for s in q["stalls"] if s[2])
            stall[0], stall[2] = ware, False
            q["unseen"].discard(ware)
            yield -1, f"ware {ware}", bought(q)
    elif step == "TURN":
        hand = p["hands"][me]
        yield me, "roll", {**p, "step": "DIE"}
        for left, right in [pair for a, b in p["equations"] for pair in ((a, b), (b, a))]:
            if not holds(hand, left) or any(in_bank(p, c) < right.count(c) for c in COLOURS):
                continue
            new = less(hand, left) + right
            above = len(new) > 10
            if above and p["rules"].over_ten == "buy" and not buyable(p, new):
                continue
            q = deepcopy(p)
            q["hands"][me] = new
            yield me, f"{left}={right}", acted(q, above and p["rules"].over_ten == "buy")
    elif step == "DIE":
        for colour in COLOURS:
            yield -1, colour, taken(p, colour)
        yield -1, "Choice", {**p, "step": "CHOICE"}
    elif step == "CHOICE":
        for colour in COLOURS:
            if in_bank(p, colour):
                yield me, f"take {colour}", taken(p, colour)
    elif step in ("BUY", "MUST"):
        for stall in buyable(p, p["hands"][me]):
            yield me, f"buy {stall + 1}", purchase(p, stall)
        if step == "BUY":
            yield me, "done", ended(scored(p))
    elif step == "RETURN":
        who = me if p["alone"] else (me + 1) % len(p["hands"])
        for colour in sorted(set(p["hands"][me])):
            q = deepcopy(p)
            q["hands"][me] = less(q["hands"][me], colour)
            yield who, f"return {colour}", ended(q)


def taken(p, colour):
    q = deepcopy(p)
    if in_bank(p, colour):
        q["hands"][p["turn"]] += colour
    return acted(q, False)


def acted(p, must):
    if buyable(p, p["hands"][p["turn"]]):
        return {**p, "step": "MUST" if must else "BUY"}
    return ended(p)


def worth(p, column, left):
    return -(p["idle"] + 1) if p["alone"] else POINTS[min(left, 3)][min(column, 2)]


def purchase(p, stall):
    q = deepcopy(p)
    me = q["turn"]
    ware = q["stalls"][stall][0]
    before = empty(p) > 0
    q["hands"][me] = less(q["hands"][me], ware.strip("*"))
    below = q["stalls"][stall][1]
    q["stalls"][stall] = [None, max(below - 1, 0), below > 0]
    left = len(q["hands"][me])
    if q["first"]:
        other, column = q["first"]
        helped = empty(q) > 0 if p["rules"].double_star == "both" else before
        q["bought"][me] += [(other, worth(p, column, left)), (ware, worth(p, ware.count("*") + helped, left))]
        q["first"], q["idle"] = None, 0
    elif p["rules"].double and not p["alone"] and not closed(q):
        q["first"] = (ware, ware.count("*") + before)
    else:
        q["bought"][me].append((ware, worth(p, ware.count("*") + before, left)))
        q["idle"] = 0
    if below > 0 and not closed(q):
        return {**q, "step": "WARE"}
    return bought(q)


def closed(p):
    return empty(p) >= (1 if p["alone"] else 2)


def bought(p):
    if closed(p):
        return {**scored(p), "step": "OVER", "idle": 0}
    if p["first"] and buyable(p, p["hands"][p["turn"]]):
        return {**p, "step": "BUY"}
    return ended({**scored(p), "idle": -1})


def scored(p):
    if not p["first"]:
        return p
    q = deepcopy(p)
    ware, column = q["first"]
    q["bought"][q["turn"]].append((ware, worth(p, column, len(q["hands"][q["turn"]]))))
    return {**q, "first": None, "idle": -1}


def ended(p):
    if len(p["hands"][p["turn"]]) > 10:
        return {**p, "step": "RETURN"}
    idle = p["idle"] + 1
    over = p["rules"].patience and idle >= p["rules"].patience * len(p["hands"])
    return {**p, "step": "OVER" if over else "TURN", "turn": (p["turn"] + 1) % len(p["hands"]), "idle": idle}


def count(p, depth):
    """Return the number of sequences of `depth` actions; a game that is over earlier counts once."""
    following = [q for _who, _what, q in moves(p)] if depth else []
    return sum(count(q, depth - 1) for q in following) or 1
