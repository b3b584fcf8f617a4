"""Bazar's bots: `ChainBot` trades as the search for chains says, `PolicyBot` reckons with the die and the others too.

Both look to the end of the turn, over what the die may show, what they may buy, and the stone that a neighbour may take
(BZ-14), with the states themselves, so that every option of the rules is played as it is. They differ in what the
position at the end of the turn is worth to them: the one asks `chains`, the other `bellman`.
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
from tradekit.bazar.parameters import COVERED, EMPTY, STALLS, Setting, Step
from tradekit.bazar.rules import State
from tradekit.bazar.stones import MOST_LEFT, WARE_SIZE, Equation, Ware
from tradekit.game import Action, Actions, View
from tradekit.i18n import _

#: The index of a holding, by its stones as the rules count them.
INDEX: Final = {pile(counts): number for number, counts in enumerate(COUNTS[:N].tolist())}
#: What a purchase is worth, by column and stones left as BZ-15 has them.
Worths = tuple[tuple[float, ...], ...]

_EQUAL: Final[Worths] = ((1,) * 4,) * 3  # a purchase counts the same
_NEVER: Final = 100.0  # turns to what cannot be made certain, so that sums stay finite
_WIN: Final = 5.0  # points that it counts for to end the game as its winner, and against to end it as a loser
_SPREAD: Final = (1.0, 0.5)  # of a race, in moves: at least, and more for each move that it still takes
_SECOND: Final = 0.5  # the share of a second choice that is left to a player who comes too late for the first
_ROUNDS: Final = 3  # of `_Market`: with more the bot plays no better
_LEAST: Final = 0.01  # points that a turn costs; at 0 waiting would be free


class Planner(bots.Bot):
    """Takes the action whose turn ends best on average; what a position is worth at the end of a turn is open."""

    games = ("bazar",)
    deterministic = True

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """The best action, of equals the first."""
        if len(actions) == 1:
            return next(iter(actions))
        worth = self.evaluate(view, actions, rng)
        return ties.best(worth, key=worth.__getitem__)

    def evaluate(self, view: View, actions: Actions, rng: random.Random | None = None) -> dict[Action, float]:
        """What each action is worth if the turn goes on as well as it can; no chance is needed.

        To the neighbour who takes a stone away it is worth as much as it costs whose turn it is.
        """
        state = cast(State, view.known)
        sign = 1 if state.turn == view.player else -1
        return {action: sign * self._worth(state.after(action), state) for action in actions}

    def _worth(self, state: State, before: State) -> float:
        """What `state` is worth to whose turn it is in `before`, the state that was to be decided on."""
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
        """What it is worth to whose turn it is in `before` that the turn ends in `state`."""


class ChainBot(Planner):
    """Follows the chain of trades that brings the most points a turn, up to the next purchase and no further.

    It rolls where the stone that comes is worth more than any chain; it looks at no one else's stones.
    """

    name = "chain"

    @property
    def measure(self) -> str:  # noqa: D102
        return _("points a turn")

    def position(self, state: State, before: State) -> float:
        """What a turn brings until the next purchase; what this turn has bought is there at once."""
        best = self.chains(state.setting).best[state.stalls].item(INDEX[state.hands[before.turn]])
        if state.bought is before.bought and state.first == before.first:
            return best
        worth = self.bought(state, before)
        return worth if worth < 0 else max(worth, best)

    def chains(self, setting: Setting) -> Chains:
        """What it looks the best chains up in."""
        return make_chains(setting, _EQUAL if setting.solitaire else setting.rules.points, setting.most_left)

    def bought(self, state: State, before: State) -> float:
        """What the purchases of a turn from `before` to `state` are worth; less than 0: it wants none such."""
        count = wares_of if state.setting.solitaire else score_of
        return float(count(state, before.turn) - count(before, before.turn))


class _Estimate(Planner):
    """What `PolicyBot` estimates a position to be worth without looking further."""

    def position(self, state: State, before: State) -> float:
        """Points and prospects, in points, less those of the others; in the solitaire minus the turns it will take."""
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
        """What the stones of each player promise, in points."""
        players, covered = state.players, COVERED in state.stalls
        if covered and players == 1:
            return [0.0]  # a solitaire goes on from nothing, whenever it does
        market = _market(state.setting, bool(state.empty_stalls))
        at = [INDEX[hand] for hand in state.hands]
        worth, turns = market.worth.item, market.turns.item
        shown = [ware for ware in state.stalls if ware >= 0]
        # Moves of all players, counted from the next one, until each would buy each ware.
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
    """The probability that a player buys a ware first, if each needs so many moves to it on average.

    Against each of the others it is a logistic function of the moves ahead: 1 / (1 + exp(-ahead / spread)), where the
    spread grows with the moves that the nearer one still needs, for these are as uncertain as the die. The others are
    taken as independent.
    """
    least, more = _SPREAD
    own, chance = moves[player], 1.0
    for q, other in enumerate(moves):
        if q != player:
            chance /= 1 + exp((own - other) / (least + more * min(own, other)))
    return chance


def _best_of(choices: list[tuple[float, float]]) -> float:
    """What the best plan gains over keeping the stones: to go for one ware, and if that is lost for another.

    `choices`: for each ware the probability of being first, and what it gains then. A plan is worth its first choice's
    gain if that succeeds, and else a share of what the best other choice is worth.
    """
    alone = [chance * gain for chance, gain in choices]
    plans = [
        gains + (1 - chance) * _SECOND * max(alone[:i] + alone[i + 1 :], default=0.0)
        for i, (gains, (chance, _gain)) in enumerate(zip(alone, choices, strict=True))
    ]
    return max(plans)


class PolicyBot(_Estimate):
    """Plays the best policies against the die (BZ-43) for all wares on display at once.

    To go for a ware is worth its points, and what the stones left are worth for a purchase after it, less what the
    turns cost that it takes; all that times the probability of being there first, for which it counts the moves of all
    players, and who moves next. A position is worth what one has ahead of the mean of the others, in points and
    prospects, so that it also counts what others lose. With two players it looks on through the opponent's next turn,
    as that player would play by the same estimate, unless a ware is still to be turned up.

    It is an estimate: where it says that to buy is better than to wait, `playouts` may say the opposite.
    """

    name = "policy"
    _estimate = _Estimate()

    @property
    def measure(self) -> str:  # noqa: D102
        return _("points")

    def position(self, state: State, before: State) -> float:
        """What it is worth to be ahead, in points; with two players after the opponent's best answer."""
        if state.players == 2 and state.step == Step.TURN:
            look = self._estimate._worth
            return -max(look(state.after(action), state) for action in state.actions(state.turn))
        return super().position(state, before)


# What a ware is worth


def wares_of(state: State, player: int) -> int:
    """How many wares a player has bought, a first purchase that is not written down yet included (BZ-20)."""
    return len(state.bought[player]) + bool(state.first and player == state.turn)


def score_of(state: State, player: int) -> int:
    """The points of a player, with those of a first purchase that is not written down yet (BZ-20)."""
    score = state.scores()[player]
    if state.first and player == state.turn:
        score += state.setting.rules.score(state.first[1], size(state.hands[player]))
    return score


class Chains:
    """The best that a turn brings by trades alone, if purchases are worth so much and leave `most_left` at most."""

    def __init__(self, setting: Setting, worths: Worths, most_left: int) -> None:
        self.wares, self.worths = setting.deck.wares, worths
        #: (wares, bands, 3003): the fewest turns to a purchase that leaves so many stones, or `UNREACHABLE`
        self.turns = _turns(setting.equations, self.wares, most_left)
        #: by turns to a purchase, the share of its worth that a turn brings, with the turn now ending; the last is
        #: for `UNREACHABLE`
        self.share = np.append(1 / np.arange(1.0, self.turns.max() + 2), 0)
        self.rate = Remembered(self._find_rate)
        self.best: Mapping[tuple[int, ...], Floats] = Remembered(self._find_best, 32)  #: by display

    def _find_best(self, stalls: tuple[int, ...]) -> Floats:
        """(3003,): what a turn brings on the best chain to a ware on display, from each holding; 0 without one."""
        higher = EMPTY in stalls
        rates = [self.rate[ware, higher] for ware in stalls if ware >= 0]
        return np.asarray(np.maximum.reduce(rates or [np.zeros(N)]))

    def _find_rate(self, goal: tuple[int, bool]) -> Floats:
        """(3003,): what a turn brings on the best chain to a ware, the turn now ending included; 0 without one."""
        number, higher = goal
        worths = self.worths[min(self.wares[number].stars + higher, len(self.worths) - 1)]
        rates = [worth * self.share.take(turns) for worth, turns in zip(worths, self.turns[number], strict=False)]
        return np.asarray(np.maximum.reduce(rates))


@lru_cache(maxsize=192)  # a megabyte each, or nothing where `_turns` are the same
def make_chains(setting: Setting, worths: Worths, most_left: int) -> Chains:
    """The `Chains` of these, made once."""
    return Chains(setting, worths, most_left)


@lru_cache(maxsize=192)
def _turns(equations: tuple[Equation, ...], wares: tuple[Ware, ...], most_left: int) -> npt.NDArray[np.int16]:
    """(wares, bands, 3003): the fewest turns, by trades alone, to a purchase that leaves 0, 1, 2, or 3 or more."""
    bands = np.minimum(SIZES - WARE_SIZE, 3)  # as BZ-15 scores them
    able = np.zeros((N_ALL + 1, len(wares), min(most_left, 3) + 1), np.bool_)
    for number, ware in enumerate(wares):
        at = np.flatnonzero(containing(ware.stones) & (most_left >= SIZES - WARE_SIZE))
        able[at, number, bands[at]] = True
    turns = chains.turns_to_all(Moves(equations), able.reshape(len(able), -1))
    return np.ascontiguousarray(turns.T).reshape(*able.shape[1:], N)


class _Market:
    """What stones are worth under an exchange, to who plays alone and will buy one ware after another.

    A purchase is worth its points and the stones that it leaves; stones are worth what a purchase made with them is. So
    the two are found in rounds, stones worth nothing at first: each ware's best policy is solved (BZ-43), and a holding
    is worth the mean, over all displays of four, of the best ware on display. A turn costs what makes an empty hand
    worth nothing, so that points less costs are what a holding is ahead of the long run.
    """

    def __init__(self, setting: Setting, higher: bool) -> None:
        wares, moves = setting.deck.wares, Moves(setting.equations)
        gains, rests = self._purchases(setting, higher)
        able = np.where(gains > -np.inf, 0.0, -np.inf)
        turns = -bellman.solve(moves, able, np.ones(len(wares)))[:N]
        stones, cost = np.zeros(N), 1.0
        # Of the wares, ranked, the best on display is number k if it is there and the others, mostly three, are below.
        others = min(STALLS, len(wares)) - 1
        best_on_display = [comb(k, others) / comb(len(wares), others + 1) for k in range(len(wares))]
        worth = -turns
        if not setting.solitaire:
            for _round in range(_ROUNDS):
                worth = bellman.solve(moves, gains + stones[rests], np.full(len(wares), cost))[:N]
                worth = np.maximum(worth, -_NEVER * cost)
                # Added up in one order on every machine, which a product of matrices is not.
                stones = np.add.reduce(np.sort(worth, axis=1).T * np.array(best_on_display)[:, None], axis=0)
                cost = max(cost + stones[0] / (1 + turns[0].min()), _LEAST)
                stones = stones - stones[0]
        #: (wares, 3003): of going for a ware and for no other, in points (BZ-30: minus turns)
        self.worth = np.maximum(worth, -_NEVER).T.astype(np.float32)
        #: (wares, 3003): expected turns to a ware, whatever is left
        self.turns = np.minimum(turns, _NEVER).T.astype(np.float32)
        #: (3003,): of the holding when the wares on display are not known
        self.stones = stones

    @staticmethod
    def _purchases(setting: Setting, higher: bool) -> tuple[Floats, Ints]:
        """(8569, wares): what each purchase at each index scores, and the index of the stones it leaves."""
        wares, left = setting.deck.wares, SIZES - WARE_SIZE
        gains = np.full((N_ALL + 1, len(wares)), -np.inf)
        rests: Ints = np.zeros(gains.shape, np.intp)
        for number, ware in enumerate(wares):
            at = np.flatnonzero(containing(ware.stones) & (left <= setting.most_left))
            points = [setting.rules.score(ware.stars + higher, k) for k in range(MOST_LEFT + 1)]
            gains[at, number] = np.array(points, float)[left[at]]
            rests[at, number] = indices(COUNTS[at] - np.array(ware.stones.counts))
        return gains, rests


@lru_cache(maxsize=96)  # a megabyte each: the 45 pairs of cards, before and after a stall is empty
def _market(setting: Setting, higher: bool) -> _Market:
    return _Market(setting, higher)


@lru_cache(maxsize=1024)
def _array(numbers: tuple[int, ...]) -> npt.NDArray[np.intp]:
    return np.array(numbers, np.intp)
