"""Bazar's bots: `ChainBot` follows chains of trades, `PolicyBot` also considers the die and the other players.

Both plan to the end of the turn: faces of the die, possible purchases, and the stone that a neighbour can take (BZ-14).
They use real states, so they play every option of the rules correctly. They differ in the value of the position at the
end of the turn: `ChainBot` takes it from `chains`, `PolicyBot` from `bellman`.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from math import comb, exp
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from tradekit import bots
from tradekit._utils import ties
from tradekit._utils.memo import Remembered
from tradekit.bazar import bellman, chains
from tradekit.bazar.bellman import Floats
from tradekit.bazar.hands import COUNTS, N_ALL, SIZES, Ints, Moves, N, containing, indices
from tradekit.bazar.packed_stones import pile, size
from tradekit.bazar.parameters import COVERED, EMPTY, STALLS, Parameters, Step
from tradekit.bazar.rules import State
from tradekit.bazar.stones import MOST_LEFT, WARE_SIZE, Equation, Ware
from tradekit.game import Action, Actions, View
from tradekit.i18n import _

#: Index of a hand, by its pile of stones.
INDEX: Final = {pile(counts): number for number, counts in enumerate(COUNTS[:N].tolist())}
#: Worth of a purchase, by column and stones left over as in BZ-15.
Worths = tuple[tuple[float, ...], ...]

_EQUAL: Final[Worths] = ((1,) * 4,) * 3  # every purchase counts the same
_NEVER: Final = 100.0  # turns to a purchase that cannot be made certain, so that sums stay finite
_WIN: Final = 5.0  # points for ending the game as its winner, and against ending it as a loser
_SPREAD: Final = (1.0, 0.5)  # spread of a race, in moves: the least, and the increase per move still needed
_SECOND: Final = 0.5  # share of a second choice that is left to a player too late for the first
_ROUNDS: Final = 3  # of `_Market`: with more the bot plays no better
_LEAST: Final = 0.01  # points that a turn costs; at 0 waiting would be free


class Planner(bots.Bot):
    """A bot that takes the action with the best mean end of the turn; subclasses define the value of a position."""

    games = ("bazar",)
    deterministic = True

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """Return the best action (the first one in a tie)."""
        if len(actions) == 1:
            return next(iter(actions))
        worth = self.evaluate(view, actions, rng)
        return ties.best(worth, key=worth.__getitem__)

    def evaluate(self, view: View, actions: Actions, rng: random.Random | None = None) -> dict[Action, float]:
        """Return the value of each action if the rest of the turn is played best; nothing is drawn at random.

        For the neighbour who takes a stone away, the value is the cost to the player on turn.
        """
        state = cast(State, view.known)
        sign = 1 if state.turn == view.player else -1
        return {action: sign * self._worth(state.after(action), state) for action in actions}

    def _worth(self, state: State, before: State) -> float:
        """Return the value of `state` to the player on turn in `before`, the state of the decision."""
        step = state.step
        if step == Step.DIE:
            return sum(chance * self._worth(state.after(face), before) for face, chance in state.outcomes())
        if step in (Step.CHOICE, Step.BUY, Step.MUST, Step.RETURN):
            actor = state.actors[0]
            worths = (self._worth(state.after(action), before) for action in state.actions(actor))
            return max(worths) if actor == before.turn else min(worths)
        return self.position(state, before)

    @abstractmethod
    def position(self, state: State, before: State) -> float:
        """Return the value of ending the turn in `state`, to the player on turn in `before`."""


class ChainBot(Planner):
    """A bot that follows the chain of trades with the most points per turn, up to the next purchase and no further.

    It rolls if the stone that comes is worth more than any chain, and ignores the stones of others.
    """

    name = "chain"

    @property
    def measure(self) -> str:  # noqa: D102
        return _("points a turn")

    def position(self, state: State, before: State) -> float:
        """Return the gain per turn until the next purchase; purchases of this turn count at once."""
        best = self.chains(state.parameters).best[state.stalls].item(INDEX[state.hands[before.turn]])
        if state.bought is before.bought and state.first == before.first:
            return best
        worth = self.bought(state, before)
        return worth if worth < 0 else max(worth, best)

    def chains(self, parameters: Parameters) -> Chains:
        """Return the table of best chains."""
        return make_chains(
            parameters, _EQUAL if parameters.solitaire else parameters.rules.points, parameters.most_left
        )

    def bought(self, state: State, before: State) -> float:
        """Return the worth of the purchases in a turn from `before` to `state`; below 0 for unwanted ones."""
        count = wares_of if state.parameters.solitaire else score_of
        return float(count(state, before.turn) - count(before, before.turn))


class _Estimate(Planner):
    """`PolicyBot`'s estimate of a position, without planning further."""

    def position(self, state: State, before: State) -> float:
        """Return the lead in points, with prospects, over the others; in the solitaire minus the expected turns."""
        player, players = before.turn, range(state.players)
        if state.step == Step.OVER:
            worth = [float(score) for score in state.scores()]
            if len(worth) > 1:
                worth[player] += _WIN if player in state.winners() else -_WIN
        else:
            prospects = self._prospects(state)
            worth = [score_of(state, p) + prospects[p] for p in players]
        others = worth[:player] + worth[player + 1 :]
        return worth[player] - sum(others) / max(len(others), 1)

    def _prospects(self, state: State) -> list[float]:
        """Return the prospects of each player's stones, in points."""
        players, covered = state.players, COVERED in state.stalls
        if covered and players == 1:
            return [0.0]  # a solitaire goes on from nothing, whenever it does
        market = _market(state.parameters, bool(state.empty_stalls))
        at = [INDEX[hand] for hand in state.hands]
        worth, turns = market.worth.item, market.turns.item
        shown = [ware for ware in state.stalls if ware >= 0]
        # Number of moves by all players, from the next one, until each would buy each ware.
        mover = state.turn + (state.step == Step.WARE)
        moves = [[(turns(ware, at[p]) - 1) * players + (p - mover) % players for p in range(players)]
                 for ware in shown]  # fmt: skip
        found = []
        for p in range(players):
            stones = market.stones.item(at[p])
            most, choices = -_NEVER, []
            for ware, needed in zip(shown, moves, strict=True):
                value = worth(ware, at[p])
                if value > stones:
                    choices.append((_first(needed, p), value - stones))
                else:
                    most = max(most, value)
            found.append(max(most, stones + _best_of(choices)) if choices else most)
        if covered:  # any ware may come up
            unseen = _array(state.unseen)
            found = [
                float(np.maximum(market.worth[unseen, own], best).mean()) for own, best in zip(at, found, strict=True)
            ]
        return found


def _first(moves: list[float], player: int) -> float:
    """Return the probability that a player buys a ware first, from the mean number of moves that each player needs.

    Against each opponent it is a logistic function of the moves ahead: 1 / (1 + exp(-ahead / spread)). The spread grows
    with the moves that the nearer player still needs, because these are as uncertain as the die. Opponents count as
    independent.
    """
    least, more = _SPREAD
    own, chance = moves[player], 1.0
    for q, other in enumerate(moves):
        if q != player:
            chance /= 1 + exp((own - other) / (least + more * min(own, other)))
    return chance


def _best_of(choices: list[tuple[float, float]]) -> float:
    """Return the gain of the best plan over keeping the stones: go for one ware and, if it is lost, for another.

    `choices`: for each ware, the probability of being first and the gain. The value of a plan is its first choice's
    gain if it succeeds, and otherwise a share of the value of the best other choice.
    """
    alone = [chance * gain for chance, gain in choices]
    plans = [
        gains + (1 - chance) * _SECOND * max(alone[:i] + alone[i + 1 :], default=0.0)
        for i, (gains, (chance, _gain)) in enumerate(zip(alone, choices, strict=True))
    ]
    return max(plans)


class PolicyBot(_Estimate):
    """A bot that plays the best policies against the die for all wares on display at once (BZ-43).

    The value of going for a ware is its points, plus the value of the stones left over for a later purchase, minus the
    cost of the turns it takes, all times the probability of being first. This probability comes from the moves of all
    players and the order of play. The value of a position is the lead over the mean of the others, in points and
    prospects, so that others' losses count as well. With two players the bot also plans the opponent's next turn, by
    the same estimate, unless a ware is still to be revealed.

    It is an estimate: where it prefers buying to waiting, `playouts` may show the opposite.
    """

    name = "policy"
    _estimate = _Estimate()

    @property
    def measure(self) -> str:  # noqa: D102
        return _("points")

    def position(self, state: State, before: State) -> float:
        """Return the value of the lead, in points; with two players, after the opponent's best answer."""
        if state.players == 2 and state.step == Step.TURN:
            look = self._estimate._worth
            return -max(look(state.after(action), state) for action in state.actions(state.turn))
        return super().position(state, before)


# Values of wares


def wares_of(state: State, player: int) -> int:
    """Return a player's number of wares bought, including a first purchase not written down yet (BZ-20)."""
    return len(state.bought[player]) + bool(state.first and player == state.turn)


def score_of(state: State, player: int) -> int:
    """Return a player's points, including those of a first purchase not written down yet (BZ-20)."""
    score = state.scores()[player]
    if state.first and player == state.turn:
        score += state.parameters.rules.score(state.first[1], size(state.hands[player]))
    return score


class Chains:
    """Best gain per turn with only trades, for these worths of purchases that leave at most `most_left` stones."""

    def __init__(self, parameters: Parameters, worths: Worths, most_left: int) -> None:
        self.wares, self.worths = parameters.deck.wares, worths
        #: (wares, bands, 3003): fewest turns to a purchase that leaves this many stones, or `UNREACHABLE`
        self.turns = _turns(parameters.equations, self.wares, most_left)
        #: share of a purchase's worth per turn, by number of turns, including the turn now ending; the last is for
        #: `UNREACHABLE`
        self.share = np.append(1 / np.arange(1.0, self.turns.max() + 2), 0)
        self.rate = Remembered(self._find_rate)
        self.best: Mapping[tuple[int, ...], Floats] = Remembered(self._find_best, 32)  #: gains per turn, by display

    def _find_best(self, stalls: tuple[int, ...]) -> Floats:
        """Return the gain per turn on the best chain from each hand to a ware on display, (3003,); 0 without one."""
        higher = EMPTY in stalls
        rates = [self.rate[ware, higher] for ware in stalls if ware >= 0]
        return np.asarray(np.maximum.reduce(rates or [np.zeros(N)]))

    def _find_rate(self, goal: tuple[int, bool]) -> Floats:
        """Return the gain per turn, (3003,), on the best chain to a ware, including the present turn; 0 without one."""
        number, higher = goal
        worths = self.worths[min(self.wares[number].stars + higher, len(self.worths) - 1)]
        rates = [worth * self.share.take(turns) for worth, turns in zip(worths, self.turns[number], strict=False)]
        return np.asarray(np.maximum.reduce(rates))


make_chains: Final = lru_cache(maxsize=192)(Chains)  #: a megabyte each, or nothing where `_turns` are the same


@lru_cache(maxsize=192)
def _turns(equations: tuple[Equation, ...], wares: tuple[Ware, ...], most_left: int) -> npt.NDArray[np.int16]:
    """Return the fewest turns by trades to a purchase that leaves 0, 1, 2, or 3 or more, (wares, bands, 3003)."""
    bands = np.minimum(SIZES - WARE_SIZE, 3)  # as BZ-15 scores them
    able = np.zeros((N_ALL + 1, len(wares), min(most_left, 3) + 1), np.bool_)
    for number, ware in enumerate(wares):
        at = np.flatnonzero(containing(ware.stones) & (most_left >= SIZES - WARE_SIZE))
        able[at, number, bands[at]] = True
    turns = chains.turns_to_all(Moves(equations), able.reshape(len(able), -1))
    return np.ascontiguousarray(turns.T).reshape(*able.shape[1:], N)


class _Market:
    """Values of stones under an exchange, for a single player who will buy one ware after another.

    The value of a purchase is its points plus the value of the stones left over; the value of stones is that of a
    purchase made with them. So both are found in rounds, with stones worth nothing at first. Each round solves the best
    policy of each ware (BZ-43), and the value of a hand is the mean, over all displays of four, of the best ware on
    display. The cost of a turn makes an empty hand worth nothing, so points minus costs are the lead of a hand over the
    long run.
    """

    def __init__(self, parameters: Parameters, higher: bool) -> None:
        wares, moves = parameters.deck.wares, Moves(parameters.equations)
        gains, rests = self._purchases(parameters, higher)
        able = np.where(gains > -np.inf, 0.0, -np.inf)
        turns = -bellman.solve(moves, able, np.ones(len(wares)))[:N]
        stones, cost = np.zeros(N), 1.0
        # The best ware on display has rank k if it is there and the others, mostly three, rank below it.
        others = min(STALLS, len(wares)) - 1
        best_on_display = [comb(k, others) / comb(len(wares), others + 1) for k in range(len(wares))]
        worth = -turns
        if not parameters.solitaire:
            for _round in range(_ROUNDS):
                worth = bellman.solve(moves, gains + stones[rests], np.full(len(wares), cost))[:N]
                worth = np.maximum(worth, -_NEVER * cost)
                # This adds up in the same order on every machine; a product of matrices does not.
                stones = np.add.reduce(np.sort(worth, axis=1).T * np.array(best_on_display)[:, None], axis=0)
                cost = max(cost + stones[0] / (1 + turns[0].min()), _LEAST)
                stones = stones - stones[0]
        #: (wares, 3003): value of going for a ware and for no other, in points (BZ-30: minus turns)
        self.worth = np.maximum(worth, -_NEVER).T.astype(np.float32)
        #: (wares, 3003): expected turns to a ware, with any number of stones left over
        self.turns = np.minimum(turns, _NEVER).T.astype(np.float32)
        #: (3003,): value of the hand when the wares on display are unknown
        self.stones = stones

    @staticmethod
    def _purchases(parameters: Parameters, higher: bool) -> tuple[Floats, Ints]:
        """Return the points of each purchase at each index, (8569, wares), and the index of the stones left over."""
        wares, left = parameters.deck.wares, SIZES - WARE_SIZE
        gains = np.full((N_ALL + 1, len(wares)), -np.inf)
        rests: Ints = np.zeros(gains.shape, np.intp)
        for number, ware in enumerate(wares):
            at = np.flatnonzero(containing(ware.stones) & (left <= parameters.most_left))
            points = [parameters.rules.score(ware.stars + higher, k) for k in range(MOST_LEFT + 1)]
            gains[at, number] = np.array(points, float)[left[at]]
            rests[at, number] = indices(COUNTS[at] - np.array(ware.stones.counts))
        return gains, rests


_market: Final = lru_cache(maxsize=96)(_Market)  # a megabyte each: the 45 pairs of cards, with and without empty stalls


@lru_cache(maxsize=1024)
def _array(numbers: tuple[int, ...]) -> npt.NDArray[np.intp]:
    return np.array(numbers, np.intp)
