"""The laws that every game here keeps, for our games and for anyone's: `check_game(game)`.

Random games are played to their end. Cheap laws are looked at in every state, dear ones in a sample of them; the first
that is broken raises `BrokenLaw`, which names the law, the state and the way there.

    from tradekit import testing
    testing.check_game(bazar.rules.GAME, plays=100, players=4, double=True)
"""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isclose
from typing import Any, Final

from tradekit.arguments import between, checked, need_at_least, whole
from tradekit.game import CHANCE, Game, IllegalAction, ParseError, State, choices, keyed, random_moves
from tradekit.i18n import _
from tradekit.record import Record

_IN_ONE_PROCESS: Final = 40  # states whose hash a second process is asked for


class BrokenLaw(AssertionError):
    """A law that a game does not keep."""


@dataclass(frozen=True)
class Checked:
    """What a check has seen."""

    plays: int
    states: int
    decisions: int


@checked(plays=whole(1, 10_000_000), dear=between(0, 1))
def check_game(game: Game, plays: int = 50, seed: int = 0, dear: float = 1 / 12, **options: Any) -> Checked:
    """Hold a game against the laws in `plays` random games from ``game.new(**options)``.

    The dear laws are looked at in the part `dear` of the states, from 0 to 1. Equal seeds play equal games. Raises
    `BrokenLaw` for the first law that is not kept, else returns what was looked at. Hashes are compared with those of a
    second process, which imports the game: for one that is written in a notebook or a script, a warning says that they
    were not.

    >>> from dataclasses import replace
    >>> from tradekit.game import find
    >>> check_game(find("bazar"), plays=1, patience=1)
    Checked(plays=1, states=13, decisions=4)
    >>> check_game(replace(find("bazar"), chance=False), plays=1)  # declares that there are no dice
    Traceback (most recent call last):
    tradekit.testing.BrokenLaw: The actors are players, or chance alone, as the game declares: chance acts: (-1,)
      state: bazar players=2 deck=house step=cards turn=chance ...
      after: nothing
    """
    seen: list[State] = []
    states = decisions = 0
    sampled_otherwise = False
    need_at_least(1, plays=plays)
    for play in range(plays):
        rng = keyed(seed, play)
        start = game.new(**options)
        record = Record.begin(start)
        told: list[tuple[State, str, int]] = []  # each state as it was when it came up
        for state, actor, action in random_moves(start, rng):
            states += 1
            for law in CHEAP:
                _hold(law, game, state, start, record)
            if rng.random() < dear:
                for law in DEAR:
                    _hold(law, game, state, start, record)
                told.append((state, str(state), hash(state)))
                sampled_otherwise |= any(state.view(p).sample(rng) != state for p in range(state.players))
                if len(seen) < _IN_ONE_PROCESS:
                    seen.append(state)
            if action is not None:
                decisions += actor != CHANCE
                try:
                    record = record.then(action, actor)
                except ValueError as error:
                    raise BrokenLaw(
                        f"{action!r} of {actor} is listed but refused: {error}\n  state: {state}"
                    ) from error
        for state, text, number in told:
            if (str(state), hash(state)) != (text, number):
                raise BrokenLaw(f"an earlier state never changes: {text!r} became {str(state)!r}")
        for law in (_texts, _views, _replays):
            _hold(law, game, record.state(), start, record)
    if game.hidden and not sampled_otherwise:
        raise BrokenLaw("a view hides what is hidden: every sampled state was the true one")
    _same_hashes_elsewhere(game, seen)
    return Checked(plays, states, decisions)


def _hold(law: Law, game: Game, state: State, start: State, record: Record) -> None:
    try:
        broken = next(iter(law(game, state, start, record)), None)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        broken = f"it raises {type(error).__name__}: {error}"
    if broken:
        where = f"\n  state: {state}\n  after: {', '.join(map(str, record.moves[-8:])) or 'nothing'}"
        raise BrokenLaw(f"{(law.__doc__ or '').strip()}: {broken}{where}")


def _require(holds: bool, otherwise: str) -> Iterator[str]:
    if not holds:
        yield otherwise


Law = Callable[[Game, State, State, Record], Iterable[str]]


# Cheap laws. Each yields what is wrong; its docstring is its name.


def _actors(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """The actors are players, or chance alone, as the game declares"""
    actors, n = state.actors, start.players
    yield from _require(len(set(actors)) == len(actors), f"somebody acts twice: {actors}")
    if CHANCE in actors:
        yield from _require(len(actors) == 1 and game.chance, f"chance acts: {actors}")
    else:
        yield from _require(all(0 <= actor < n for actor in actors), f"there is no such player: {actors}")
        yield from _require(len(actors) <= 1 or game.simultaneous, f"several act at once: {actors}")


def _actions(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """Who is to act has actions, others have none; len, iteration, `in` and sample agree"""
    for player in range(start.players):
        actions = state.actions(player)
        if player not in state.actors:
            yield from _require(not actions and not len(actions), f"p{player} is not to act but may")
            continue
        listed = list(actions)
        yield from _require(bool(actions) and len(actions) == len(listed), f"p{player}: len is {len(actions)}")
        yield from _require(len(set(listed)) == len(listed), f"p{player} has an action twice")
        yield from _require(all(action in actions for action in listed), f"p{player}: a listed action is not in")
        yield from _require(actions.sample(random.Random(0)) in listed, f"p{player}: the sample is not listed")


def _chance(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """Where chance acts its probabilities are positive and add up to 1; elsewhere it has no outcomes"""
    outcomes = list(state.outcomes())
    if CHANCE not in state.actors:
        yield from _require(not outcomes, "outcomes without chance")
        return
    total = sum(probability for _action, probability in outcomes)
    yield from _require(isclose(total, 1, abs_tol=1e-9), f"they add up to {total}")
    yield from _require(all(probability > 0 for _action, probability in outcomes), "one is not positive")
    yield from _require(len({action for action, _p in outcomes}) == len(outcomes), "an outcome stands there twice")


def _scores(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """There is a score for every player, within the bounds that the game declares; winners only at the end"""
    scores = state.scores()
    yield from _require(len(scores) == start.players, f"scores {scores}")
    yield from _require(game.low is None or min(scores) >= game.low, f"scores {scores} below {game.low}")
    yield from _require(game.high is None or max(scores) <= game.high, f"scores {scores} above {game.high}")
    winners = state.winners()
    if state.actors:
        yield from _require(not winners, f"winners {winners} before the end")
    else:
        yield from _require(bool(winners) and set(winners) <= set(range(start.players)), f"winners {winners}")


def _conserved(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """What the game conserves is conserved"""
    now, then = state.conserved(), start.conserved()
    yield from _require(now == then, f"{then} became {now} ({game.conserves or 'nothing declared'})")


# Dear laws


def _refusals(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """Every listed action is accepted and every other one refused, by whoever else, too, and nothing has changed"""
    text = str(state)
    legal: set[tuple[int, str]] = {(CHANCE, action) for action, _p in state.outcomes()}
    legal |= {(player, action) for player in range(start.players) for action in state.actions(player)}
    for actor, action in sorted(legal):
        try:
            after = state.after(action, actor)
        except ValueError as error:
            yield f"{action!r} of {actor} is listed but refused: {error}"
            continue
        yield from _require(type(after) is type(state), f"{action!r} leads to {after!r}")
    words = [*dict.fromkeys([*state.vocabulary(), *(action for _actor, action in legal)])]
    for actor in {*range(start.players), *state.actors}:
        for action in words:
            if (actor, action) in legal or (actor == CHANCE and state.actors != (CHANCE,)):
                continue
            yield from _refused(state, action, actor, IllegalAction)
    for nonsense in ("", "no such action", "\N{SNOWMAN}"):
        for actor in state.actors:
            yield from _refused(state, nonsense, actor, ParseError)
    yield from _require(str(state) == text, f"it was {text!r}")


def _refused(state: State, action: str, actor: int, error: type[ValueError]) -> Iterator[str]:
    try:
        state.after(action, actor)
    except error as refusal:
        yield from _require(bool(str(refusal)), f"{action!r} is refused without a word")
    except Exception as other:
        yield f"{action!r} of {actor} raises {type(other).__name__}, not {error.__name__}: {other}"
    else:
        yield f"{action!r} of {actor} is not listed but accepted"


def _texts(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """A state's text gives the same state back, and so does a pickle; equal states have equal hashes"""
    same = type(state).parse(str(state))
    yield from _require(same == state and str(same) == str(state), f"parsed: {same}")
    yield from _require(hash(same) == hash(state), "its hash is another")
    kept = pickle.loads(pickle.dumps(state))
    yield from _require(kept == state and hash(kept) == hash(state), f"pickled: {kept}")
    yield from _require("\n" not in str(state), "the text has several lines")


def _views(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """A view does not depend on what its player cannot see, and a state sampled from it is consistent with it"""
    rng = random.Random(str(state))
    for player in range(start.players):
        view = state.view(player)
        for _attempt in range(3):
            sample = view.sample(rng)
            yield from _require(type(sample) is type(state), f"p{player}: the sample is {sample!r}")
            yield from _require(sample.view(player) == view, f"p{player} could tell {sample} apart")
            yield from _require(str(sample.view(player)) == str(view), f"p{player} could tell {sample} apart")
            mine, its = list(state.actions(player)), list(sample.actions(player))
            yield from _require(mine == its == list(view.actions()), f"p{player}: other actions in {sample}")
            if not game.hidden and not game.simultaneous:
                yield from _require(sample == state, f"nothing is hidden, but p{player} holds {sample} possible")


def _commits(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """Who acts at the same time may do so in any order, and nobody sees it before the last one has"""
    actors = state.actors
    if len(actors) < 2:
        return
    rng = random.Random(str(state))
    for _attempt in range(5):
        chosen = {player: state.actions(player).sample(rng) for player in actors}
        ends = set()
        for order in (actors, actors[::-1]):
            committed = state
            for player in order:
                committed = committed.after(chosen[player], player)
            ends.add(committed)
        yield from _require(len(ends) == 1, f"the order matters: {ends}")
    first, *others = actors
    for other in others:
        views = {str(state.after(action, first).view(other)) for action in list(state.actions(first))[:20]}
        yield from _require(views == {str(state.view(other))}, f"p{other} sees what p{first} has chosen")


def _replays(game: Game, state: State, start: State, record: Record) -> Iterator[str]:
    """A record replays to the same state"""
    again = Record.parse(str(record))
    yield from _require(again == record and again.state() == state, f"it ended in {again.state()}")


CHEAP: Final[tuple[Law, ...]] = (_actors, _actions, _chance, _scores, _conserved)
DEAR: Final[tuple[Law, ...]] = (_refusals, _texts, _views, _commits)


def _same_hashes_elsewhere(game: Game, states: list[State]) -> None:
    """Equal states have equal hashes in a second process, whose texts and sets are hashed otherwise."""
    home, name = game.state.__module__, game.state.__qualname__
    if home == "__main__":  # which another process cannot import: no fault of the game
        text = _("{name} is in no module: whether its hashes are equal in every process was not looked at")
        warnings.warn(text.format(name=name), stacklevel=3)
        return
    code = (
        f"import sys, {home} as home\nfor line in sys.stdin.read().splitlines(): print(hash(home.{name}.parse(line)))"
    )
    here = os.environ.get("PYTHONHASHSEED", "")
    env = {**os.environ, "PYTHONHASHSEED": "1" if here != "1" else "2", "PYTHONPATH": os.pathsep.join(sys.path)}
    texts = "\n".join(map(str, states))
    done = subprocess.run(
        [sys.executable, "-c", code], input=texts, capture_output=True, text=True, env=env, encoding="utf-8"
    )
    if done.returncode:
        raise BrokenLaw(f"a second process can read a state: {done.stderr.strip().splitlines()[-1]}")
    for state, number in zip(states, done.stdout.split(), strict=True):
        if hash(state) != int(number):
            raise BrokenLaw(f"equal states have equal hashes in every process: {state}")


@checked(depth=whole(0, 500))
def count_sequences(state: State, depth: int) -> int:
    """How many sequences of so many actions begin at a state; a game that ends earlier counts once.

    Every outcome of chance counts once, however likely; at a simultaneous moment commits are made in seat order.

    >>> from tradekit import bazar
    >>> start = bazar.new(players=2, cards=(1, 4), seed=7)
    >>> [count_sequences(start, depth) for depth in range(4)]  # a roll, six faces, and after Choice five colours
    [1, 1, 6, 10]
    """
    need_at_least(0, depth=depth)
    actors = state.actors
    if not depth or not actors:
        return 1
    actor = actors[0]
    return sum(count_sequences(state.after(action, actor), depth - 1) for action in choices(state, actor))
