"""The smallest game that has everything: two players, a hidden number each, one bid at the same time.

The higher bidder wins the sum of both numbers and pays the bid; equal bids are tossed for. Text form, views, records,
bots and a table come from the contract.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tradekit.game import CHANCE, NO_ACTIONS, Game, IllegalAction, Listed, ParseError, State, register

OPEN, UNKNOWN = -1, -2
NUMBERS = Listed.of("number 1", "number 2", "number 3")
BIDS = Listed.of("bid 0", "bid 1", "bid 2", "bid 3")
TOSS = Listed.of("toss 0", "toss 1")


@dataclass(frozen=True, slots=True, repr=False)
class Toy(State):
    numbers: tuple[int, ...] = (OPEN, OPEN)
    bids: tuple[int, ...] = (OPEN, OPEN)
    winner: int = OPEN

    @property
    def actors(self):
        if OPEN in self.numbers:
            return (CHANCE,)
        return tuple(p for p in (0, 1) if self.bids[p] == OPEN) or ((CHANCE,) if self.winner == OPEN else ())

    def actions(self, player):
        return BIDS if player in self.actors and player != CHANCE else NO_ACTIONS

    def outcomes(self):
        faces = (NUMBERS if OPEN in self.numbers else TOSS) if self.actors == (CHANCE,) else ()
        return [(face, 1 / len(faces)) for face in faces]

    def after(self, action, player=None):
        actor = player if player is not None else (*self.actors, None)[0] if len(self.actors) < 2 else None
        if action not in self.vocabulary():
            raise ParseError(f"{action!r} is no action; write bid 2")
        if actor not in self.actors or action not in (self.actions(actor) or dict(self.outcomes())):
            raise IllegalAction(f"{action} cannot be done here by {actor}")
        verb, value = action.split()[0], int(action.split()[1])
        if verb == "number":
            return replace(self, numbers=(value, OPEN) if self.numbers[0] == OPEN else (self.numbers[0], value))
        if verb == "toss":
            return replace(self, winner=value)
        bids = tuple(value if p == actor else bid for p, bid in enumerate(self.bids))
        decided = OPEN not in bids and bids[0] != bids[1]
        return replace(self, bids=bids, winner=int(bids[1] > bids[0]) if decided else OPEN)

    def scores(self):
        return tuple(sum(self.numbers) - self.bids[p] if p == self.winner else 0 for p in (0, 1))

    def vocabulary(self):
        return (*NUMBERS, *BIDS, *TOSS)

    def hide_from(self, player):
        """Return the state without the other's number, and without a bid that only the other has made."""
        if not self.actors:
            return self
        numbers = tuple(n if p == player or n == OPEN else UNKNOWN for p, n in enumerate(self.numbers))
        waiting = OPEN in self.bids
        bids = tuple(bid if p == player or not waiting else OPEN for p, bid in enumerate(self.bids))
        return replace(self, numbers=numbers, bids=bids)

    def sample_hidden(self, rng, player):
        return replace(self, numbers=tuple(rng.randint(1, 3) if n == UNKNOWN else n for n in self.numbers))


def new(players=2, seed=None):
    return Toy()


GAME = register(
    Game("toy", Toy, new, players=(2,), simultaneous=True, hidden=True, low=-1, high=6, conserves="nothing")
)
