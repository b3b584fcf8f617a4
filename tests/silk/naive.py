"""The Silk Road's moves written a second time, straight from the rules and without any concern for speed.

A position is a plain dictionary, read from the text of one of tradekit's states; cards are pairs (good, value), piles
are lists, and sets to sell, pay, offer or lose are found by trying all subsets of a hand. `moves` lists the possible
moves as (who, what), `after` is the position after one. Only texts are shared with the package.
"""

from copy import deepcopy
from itertools import chain, combinations, pairwise, permutations

GOODS = ("silk", "tea", "cloth", "ivory", "spices")
DECK = [(good, value) for good in GOODS for value in range(1, 11)]
DEFAULTS = {
    "zeros": "turn", "last_turns": "pairs", "patience": "50", "neutral_leaves": "2", "first_hand": "5",
    "bonus": "7,1/14,3/21,6", "bribe": "7", "audience": "14", "bought": "1", "dropped": "3", "run_outs": "2",
}  # fmt: skip


# Reading a position off a text


def split(word, sign):
    return [] if word in ("-", "") else word.split(sign)


def one_card(word):
    good, value = word.split(":")
    return good, int(value)


def card_set(word):
    return {(group.split(":")[0], int(v)) for group in split(word, "/") for v in group.split(":")[1].split(",")}


def position(text):
    said = {
        "mover": "", "under": "-", "marker": "-", "knows": "", "left": "0", "talked": "-", "exchanged": "no",
        "talk": "-", "commits": "", "ran_out": "0", "to_come": "-",
        **dict(word.split("=") for word in text.split()[1:]),
    }  # fmt: skip
    players = int(said["players"])
    hands = [card_set(word) for word in said["hands"].split(";")]
    partner, *offers = split(said["talk"], ";") or [None]
    p = {
        "players": players,
        "rules": {name: said.get(name, value) for name, value in DEFAULTS.items()},
        "step": said["step"],
        "turn": said["turn"],
        "mover": said["mover"] or said["turn"],
        "market": [[w.split(":")[0], [int(c) for c in w.split(":")[1]]] for w in split(said["market"], ",")],
        "hordes": int(said["hordes"]),
        "hands": {f"p{seat}" if seat < players else "neutral": hand for seat, hand in enumerate(hands)},
        "under": [[one_card(w.split("@")[0]), w.split("@")[1]] for w in split(said["under"], "+")],
        "discards": card_set(said["discards"]),
        "safeguards": [[one_card(w) for w in split(word, "+")] for word in said["safeguards"].split(";")],
        "dinars": [int(n) for n in said["dinars"].split(",")],
        "marker": split(said["marker"], "+"),
        "knows": [card_set(w) for w in said["knows"].split(";")] if said["knows"] else [set() for _ in range(players)],
        "left": int(said["left"]),
        "talked": {*split(said["talked"], ",")},
        "exchanged": said["exchanged"] == "yes",
        "partner": partner,
        "offers": [(w.split("|")[0], frozenset(card_set(w.split("|")[3]))) for w in offers],
        "said": [tuple(map(int, w.split("|")[1:3])) for w in offers],
        "commits": [None if w == "?" else card_set(w) for w in filter(None, said["commits"].split(";"))],
        "idle": int(said["idle"]),
        "ran_out": int(said["ran_out"]),
        "to_come": split(said["to_come"], ","),
    }
    if p["marker"]:
        p["marker"] = [one_card(p["marker"][0]), p["marker"][1], {*p["marker"][2:]}]
    p["pile"] = {*DECK} - {*known_places(p)}
    return p


def known_places(p):
    """Return every card that is not in the unordered part of the pile."""
    yield from chain(*p["hands"].values(), p["discards"], *p["safeguards"])
    yield from (card for card, _by in p["under"])
    if p["marker"]:
        yield p["marker"][0]


# Texts


def say(cards):
    words, last = [], None
    for good, value in cards:
        words += [good] * (good != last) + [str(value)]
        last = good
    return " ".join(words)


def say_set(cards):
    return say(sorted(cards, key=DECK.index))


def subsets(cards, least=1):
    cards = sorted(cards, key=DECK.index)
    return [set(some) for n in range(least, len(cards) + 1) for some in combinations(cards, n)]


def total(cards):
    return sum(value for _good, value in cards)


# The market, as lists


def fix_zeros(p):
    """Turn the other piles that show 0 until their 1 is on top: only the last pile of the row may show 0."""
    if p["rules"]["zeros"] == "turn":
        for _good, pile in p["market"][:-1]:
            if pile[0] == 0:
                while pile[0] != 1:
                    pile.append(pile.pop(0))


def demand(p, good):
    for place, (name, pile) in enumerate(p["market"]):
        if name == good:
            return 1 if pile[0] == 0 and place < 4 and p["rules"]["zeros"] == "stay" else pile[0]


def market_sell(p, good):
    pile = next(pile for pile in p["market"] if pile[0] == good)
    pile[1].append(pile[1].pop(0))
    p["market"].remove(pile)
    p["market"].append(pile)
    fix_zeros(p)


def market_bribe(p, up, down):
    for good, pile in p["market"]:
        if good == up:
            pile.insert(0, pile.pop())
        if good == down:
            pile.append(pile.pop(0))
    fix_zeros(p)


def market_audience(p, good, order):
    p["market"] = [pile for pile in p["market"] if pile[0] != good]
    p["market"].insert(3, [good, list(order)])
    fix_zeros(p)


def market_raise(p):
    for _good, pile in p["market"]:
        if pile[0] < 4:
            wanted = pile[0] + 1
            while pile[0] != wanted:
                pile.append(pile.pop(0))
    fix_zeros(p)


def layout(row, zeros="turn"):
    """Return a market as it is laid out, alone: for the golden vectors and for the tests of `market`."""
    piles = [[4, 3, 2, 1, 0], [3, 2, 1, 0, 4], [2, 1, 0, 4, 3], [1, 0, 4, 3, 2], [0, 4, 3, 2, 1]]
    return {"market": [[good, pile] for good, pile in zip(row, piles, strict=True)], "rules": {"zeros": zeros}}


# Legal moves


def neutral_here(p):
    return "neutral" in p["hands"]


def closed(p):
    return p["ran_out"] >= int(p["rules"]["run_outs"])


def pile_size(p):
    return 0 if closed(p) else len(p["pile"]) + len(p["under"])


def number(player):
    return int(player[1:])


def can_pay(cards, cost):
    """Return whether cards of one good are worth the cost, with none to spare."""
    return (
        len({good for good, _value in cards}) == 1
        and total(cards) >= cost
        and all(total(cards - {card}) < cost for card in cards)
    )


def payments(p, cost, safeguards):
    me = p["mover"]
    if me != "neutral" and len(p["safeguards"][number(me)]) >= safeguards:
        yield "safeguard" if safeguards == 1 else "safeguards"
    for cards in subsets(p["hands"][me]):
        if can_pay(cards, cost):
            yield say_set(cards)


def partners(p):
    if len(p["hands"][p["turn"]]) >= 3:
        for other in (f"p{n}" for n in range(p["players"])):
            if other != p["turn"] and other not in p["talked"] and len(p["hands"][other]) >= 3:
                yield other


def offers(cards, sizes):
    for some in subsets(cards):
        if len(some) in sizes:
            for good in sorted({good for good, _value in some}):
                yield f"{say_set(some)} as {good}"


def answer_sizes(p):
    mine, theirs = len(p["hands"][p["turn"]]), len(p["hands"][p["partner"]])
    given = len(p["offers"][0][1])
    return [n for n in range(2, theirs + 1) if mine - given + n <= 7 and theirs - n + given <= 7]


def refill(p, spent):
    """Return how many cards could be drawn if this many safeguards are spent first."""
    if p["ran_out"] + 1 >= int(p["rules"]["run_outs"]):
        return pile_size(p)
    q = deepcopy(p)
    neutral_may_leave(q, p["ran_out"] + 1)
    return pile_size(p) + len(q["discards"]) + spent


def discards(hand):
    if total(hand) < 25:
        return [say_set(hand)]
    return [
        say_set(cards)
        for cards in subsets(hand)
        if total(cards) >= 25 and all(total(cards - {card}) < 25 for card in cards)
    ]


def moves(p):
    """Return all moves that are possible next, as (who, text); who is "chance" or a player."""
    step, turn, me = p["step"], p["turn"], p["mover"]
    if step == "market":
        yield from (("chance", "market " + " ".join(row)) for row in permutations(GOODS))
    if step == "first":
        yield from (("chance", f"first p{n}") for n in range(p["players"]))
    if step in ("deal", "draw", "refill", "drop"):
        verb = "draw" if step == "refill" else step
        yield from (("chance", f"{verb} {say([card])}") for card in p["pile"])
    if step == "turn":
        yield from ((turn, action) for action in actions(p))
        if me != "neutral":
            yield turn, "pass"
        else:
            orders = permutations(p["hands"]["neutral"])
            yield from ((turn, f"pass {say(order)}".strip()) for order in orders)
    if step == "trade":
        yield from ((turn, action) for action in trading(p))
        if p["exchanged"] or closed(p):
            yield turn, "done"
    if step == "answer":
        yield p["partner"], "decline"
        sizes = answer_sizes(p)
        yield from ((p["partner"], f"answer {said}") for said in offers(p["hands"][p["partner"]], sizes))
    if step == "accept":
        yield turn, "accept"
        yield turn, "decline"
    if step == "hordes":
        for seat, lost in enumerate(p["commits"]):
            who = f"p{seat}" if seat < p["players"] else "neutral"
            if lost is None and who != "neutral":
                yield from ((who, f"discard {cards}") for cards in discards(p["hands"][who]))
            if lost is None and who == "neutral" and p["commits"][number(turn)] is not None:
                yield from ((turn, f"discard neutral {cards}") for cards in discards(p["hands"][who]))
    if step == "neutral":
        yield turn, "neutral"
        yield turn, "done"


def actions(p):
    me = p["mover"]
    hand = p["hands"][me]
    blocked = p["marker"][2] if p["marker"] and p["marker"][1] != me else set()
    for cards in subsets(hand):
        goods = {good for good, _value in cards}
        if len(goods) == 1 and not goods & blocked and len(cards) == demand(p, *goods):
            yield f"sell {say_set(cards)}"
    row = [good for good, _pile in p["market"]]
    for a, b in pairwise(row):
        if not p["marker"] or not {a, b} & p["marker"][2]:
            for paid in payments(p, int(p["rules"]["bribe"]), 1):
                yield f"bribe {a} up {b} down with {paid}"
                yield f"bribe {b} up {a} down with {paid}"
    for paid in payments(p, int(p["rules"]["audience"]), 2):
        for good in row:
            for order in permutations(range(5)):
                if order[0] or p["rules"]["zeros"] == "stay":
                    yield f"audience {good} {' '.join(map(str, order))} with {paid}"
    if me != "neutral" and not closed(p):
        for n in range(1, len(p["safeguards"][number(me)]) + 1):
            drawn = n * int(p["rules"]["bought"])
            if len(hand) + drawn <= 7 and drawn <= refill(p, n):
                yield f"buy {n}"
    yield from trading(p)


def trading(p):
    hand = p["hands"][p["mover"]]
    if p["mover"] != "neutral":
        for other in partners(p):
            yield from (f"offer {other} {said}" for said in offers(hand, range(2, 8)))
    if not p["exchanged"] and not closed(p):
        yield from (f"barter {say([card])}" for card in hand)


# Results of a move


def read(words):
    """Return the cards in words such as silk 4 9 ivory 7, in their order."""
    cards, good = [], None
    for word in words:
        if word.isdecimal():
            cards.append((good, int(word)))
        else:
            good = word
    return cards


def after(position, who, what):
    p = deepcopy(position)
    verb, *words = what.split()
    globals()[f"do_{verb}"](p, who, words)
    return p


def toss(p, cards):
    p["discards"] |= {*cards}
    for known in p["knows"]:
        known -= {*cards}


def do_market(p, _who, words):
    p["market"] = layout(words)["market"]
    p["step"] = "deal"


def do_deal(p, _who, words):
    (card,) = read(words)
    hand = next(hand for hand in p["hands"].values() if len(hand) < int(p["rules"]["first_hand"]))
    p["pile"].remove(card)
    hand.add(card)
    if all(len(hand) == int(p["rules"]["first_hand"]) for hand in p["hands"].values()):
        p["step"] = "first"


def do_first(p, _who, words):
    p["turn"] = words[0]
    begin_turn(p, p["turn"])


def begin_turn(p, mover):
    p["mover"], p["step"] = mover, "turn"
    p["talked"], p["exchanged"] = set(), False
    if not closed(p) and len(p["hands"][mover]) <= 6:
        p["step"], p["left"], p["idle"] = "draw", 1, -1
        draws(p)


def do_draw(p, _who, words):
    (card,) = read(words)
    p["pile"].remove(card)
    get(p, card)
    draws(p)


def get(p, card):
    p["hands"][p["mover"]].add(card)
    p["left"] -= 1
    if not p["pile"] and not p["under"]:
        run_out(p, buying=p["step"] == "refill")


def draws(p):
    """Draw on while no chance is involved: the cards under the pile come up in their order."""
    while p["left"] and not p["pile"]:
        card, by = p["under"].pop(0)
        for n in range(p["players"]):
            if p["mover"] not in (f"p{n}", "neutral") and by in (f"p{n}", "all"):
                p["knows"][n].add(card)
        get(p, card)
    if p["left"]:
        return
    if p["step"] == "draw":
        if p["mover"] == "neutral" and not neutral_here(p):
            end_turn(p)
        else:
            p["step"] = "turn"
    else:
        end_action(p)


def neutral_may_leave(p, times):
    if neutral_here(p) and times >= min(int(p["rules"]["neutral_leaves"]), int(p["rules"]["run_outs"])):
        p["discards"] |= p["hands"].pop("neutral")
        if p["marker"] and p["marker"][1] == "neutral":
            p["discards"].add(p["marker"][0])
            p["marker"] = []


def run_out(p, buying=False):
    p["ran_out"] += 1
    neutral_may_leave(p, p["ran_out"])
    if not closed(p):
        market_raise(p)
        p["pile"] |= p["discards"] | {card for card, _by in p["under"]}
        p["discards"], p["under"] = set(), []
        if p["pile"]:
            return
        p["ran_out"] = int(p["rules"]["run_outs"])
        neutral_may_leave(p, p["ran_out"])
    p["left"] = 0
    n = p["players"]
    left_first = [f"p{(number(p['turn']) + 1 + k) % n}" for k in range(n)]
    if p["rules"]["last_turns"] == "rounds":
        p["to_come"] = left_first * 2
    else:
        p["to_come"] = [player for player in left_first for _turn in range(2)]
    if buying:  # the buyer's turns are the last of a round, and the last of all pairs
        p["to_come"].pop()


def end_action(p):
    if p["mover"] == p["turn"] and neutral_here(p):
        p["step"] = "neutral"
    else:
        end_turn(p)


def end_turn(p):
    p["idle"] += 1
    if not closed(p) and p["idle"] == (int(p["rules"]["patience"]) or None):
        p["idle"] = 0
        run_out(p)
    if not closed(p):
        p["turn"] = f"p{(number(p['turn']) + 1) % p['players']}"
    elif p["to_come"]:
        p["turn"] = p["to_come"].pop(0)
    else:
        p["step"], p["mover"], p["talked"], p["exchanged"] = "over", p["turn"], set(), False
        return
    begin_turn(p, p["turn"])


def do_sell(p, who, words):
    cards = read(words)
    good, me = cards[0][0], p["mover"]
    p["hands"][me] -= {*cards}
    market_sell(p, good)
    p["idle"] = -1
    if p["marker"] and good in p["marker"][2]:
        toss(p, [p["marker"][0]])
        p["marker"] = []
    if me == "neutral":
        toss(p, cards)
        return end_turn(p)
    kept = min(cards, key=lambda card: card[1])
    toss(p, cards)
    p["discards"].remove(kept)
    p["safeguards"][number(me)].append(kept)
    bonus = 0
    for pair in p["rules"]["bonus"].split("/"):
        least, dinars = map(int, pair.split(","))
        if total(cards) >= least:
            bonus = dinars
    p["dinars"][number(me)] += len(cards) + bonus
    if len(cards) + bonus >= 6:
        p["hordes"] = 4 if p["hordes"] == 0 else p["hordes"] - 1
        if p["hordes"] == 0:
            p["step"] = "hordes"
            p["commits"] = []
            for seat, hand in p["hands"].items():
                settled = not hand or (seat == "neutral" and len(discards(hand)) == 1)
                p["commits"].append({*read(discards(hand)[0].split())} if settled else None)
            return raid(p)
    return end_action(p)


def raid(p):
    if None not in p["commits"]:
        for hand, lost in zip(p["hands"].values(), p["commits"], strict=True):
            hand -= lost
            toss(p, lost)
        p["commits"] = []
        end_action(p)


def do_discard(p, who, words):
    seat = p["players"] if words[0] == "neutral" else number(who)
    p["commits"][seat] = {*read(words[words[0] == "neutral" :])}
    raid(p)


def pay(p, words, safeguards):
    if words[0].startswith("safeguard"):
        mine = p["safeguards"][number(p["mover"])]
        cards = [mine.pop(0) for _ in range(safeguards)]
    else:
        cards = read(words)
        p["hands"][p["mover"]] -= {*cards}
    toss(p, cards)
    return min(cards, key=lambda card: card[1]) if not words[0].startswith("safeguard") else cards[0]


def do_bribe(p, who, words):
    up, down = words[0], words[2]
    market_bribe(p, up, down)
    if p["marker"]:
        toss(p, [p["marker"][0]])
    marker = pay(p, words[5:], 1)
    p["discards"].remove(marker)
    p["marker"] = [marker, p["mover"], {up, down}]
    end_action(p)


def do_audience(p, who, words):
    market_audience(p, words[0], map(int, words[1:6]))
    pay(p, words[7:], 2)
    end_action(p)


def do_buy(p, who, words):
    for _ in range(int(words[0])):
        toss(p, [p["safeguards"][number(who)].pop(0)])
    p["step"], p["idle"], p["left"] = "refill", -1, int(words[0]) * int(p["rules"]["bought"])
    draws(p)


def do_barter(p, who, words):
    (card,) = read(words)
    me = p["mover"]
    for known in p["knows"]:
        known -= p["hands"][me]
    p["hands"][me].remove(card)
    p["under"].append([card, "all" if me == "neutral" else me])
    p["step"], p["left"] = "refill", 1
    draws(p)


def do_pass(p, who, words):
    if p["mover"] == "neutral":
        cards = read(words)
        p["hands"]["neutral"].clear()
        p["under"] += [[card, "all"] for card in cards]
        p["step"], p["left"] = "refill", len(cards)
        return draws(p)
    if not closed(p):
        p["step"], p["left"] = "drop", min(int(p["rules"]["dropped"]), pile_size(p))
        if p["left"]:
            p["idle"] = -1
    return drops(p)


def do_drop(p, _who, words):
    (card,) = read(words)
    p["pile"].remove(card)
    drop(p, card)
    drops(p)


def drop(p, card):
    toss(p, [card])
    p["left"] -= 1
    if not p["pile"] and not p["under"]:
        run_out(p)


def drops(p):
    while p["left"] and not p["pile"]:
        drop(p, p["under"].pop(0)[0])
    if not p["left"]:
        end_turn(p)


def do_offer(p, who, words):
    p["partner"], p["step"] = words[0], "answer"
    remember(p, words[1:])


def do_answer(p, who, words):
    p["step"] = "accept"
    remember(p, words)


def remember(p, words):
    cards = read(words[:-2])
    p["offers"].append((words[-1], frozenset(cards)))
    p["said"].append((len(cards), total(cards)))


def do_decline(p, who, words):
    end_talk(p)


def do_accept(p, who, words):
    mine, theirs = p["turn"], p["partner"]
    (_g, given), (_h, got) = p["offers"]
    for n, known in enumerate(p["knows"]):
        if f"p{n}" not in (mine, theirs):
            known -= p["hands"][mine] | p["hands"][theirs]
    for player, away, here in ((mine, given, got), (theirs, got, given)):
        p["hands"][player] -= away
        p["hands"][player] |= here
        p["knows"][number(player)] -= here
        p["knows"][number(player)] |= away
    p["exchanged"] = True
    end_talk(p)


def end_talk(p):
    p["talked"].add(p["partner"])
    p["partner"], p["offers"], p["said"], p["step"] = None, [], [], "trade"
    if not [*partners(p)] and (p["exchanged"] or closed(p)):
        end_action(p)


def do_done(p, who, words):
    if p["step"] == "trade":
        end_action(p)
    else:
        end_turn(p)


def do_neutral(p, who, words):
    begin_turn(p, "neutral")
