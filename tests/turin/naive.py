"""An auction and the payments of Turin Market a second time, straight from the Spanish text, regardless of speed.

Nothing here uses tradekit. Coins are moved one by one, and a coin toss is every order of the players in turn.
"""

from collections import Counter
from itertools import permutations
from math import factorial


def rebidders(bids, places):
    """Return the players who must bid again (TU-14): tied above 0 for places of which at least one wins."""
    asked = set()
    for bid in set(bids) - {0}:
        tied = [player for player, other in enumerate(bids) if other == bid]
        above = sum(other > bid for other in bids)
        if len(tied) > 1 and above < places:
            asked.update(tied)
    return asked


def auction(bids, additions, prizes):
    """Return the probability of each ending: ``{(paid by each, cards of each, cards discarded): probability}``.

    `additions`: of all `rebidders`; `prizes`: cards by place.
    """
    players = range(len(bids))
    added = {player: additions.get(player, 0) for player in players}
    zero = {player for player in additions if added[player] == 0}
    void = {p for p in players if bids[p] == 0 or (p in zero and any(q != p and bids[q] == bids[p] for q in zero))}
    endings = Counter()
    for luck in permutations(players):
        order = sorted(players, key=lambda p: (-bids[p], -added[p], luck[p]))
        cards, discarded = [0] * len(bids), 0
        for place, number in enumerate(prizes):
            if order[place] in void:
                discarded += number
            else:
                cards[order[place]] = number
        pays = [bids[p] + added[p] if cards[p] else (bids[p] + added[p]) // 2 for p in players]
        endings[tuple(pays), tuple(cards), discarded] += 1 / factorial(len(bids))
    return dict(endings)


def payments(goods, payouts, purses, loans, order):
    """Return the escudos of each player in the end. `goods`: ``[player][good]``; `order`: the goods from the top."""
    players = range(len(purses))
    purses, loans, cards = list(purses), list(loans), [0] * len(purses)  # `cards`: coins on the loan cards
    for good in order:
        most = max(goods[player][good] for player in players)
        majority = [player for player in players if goods[player][good] == most > 0]
        table = payouts[good] if majority else 0
        for player in players:
            if goods[player][good] and player not in majority:
                if not purses[player] and not loans[player]:
                    loans[player] = 1
                    purses[player] += 10
                if purses[player]:
                    purses[player] -= 1
                else:
                    cards[player] += 2  # the bank pays
                table += 1
        while table > 0:
            for player in majority:  # one coin each; the bank makes up the last round
                purses[player] += 1
                table -= 1
    for player in players:
        purses[player] -= 15 * loans[player] + cards[player]
    return tuple(purses)
