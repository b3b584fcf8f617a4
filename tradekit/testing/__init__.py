"""The laws that every game here keeps, for our games and for anyone's: `check_game(game)`.

Random games are played to their end. Cheap laws are checked in every state, expensive ones in a sample of states. The
first broken law raises `BrokenLaw`, which names the law, the fault, the state, the way there, and the remedy. The laws
about rules are in `tradekit.testing.laws`, those about secrets in `tradekit.testing.secrecy`.

    from tradekit import testing
    testing.check_game(bazar.rules.GAME, plays=100, players=4, double=True)
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from inspect import getdoc
from typing import Any, Final

from tradekit._utils.arguments import between, checked, whole
from tradekit.game import CHANCE, Game, State, choices, draw, keyed
from tradekit.i18n import _
from tradekit.record import Move
from tradekit.testing import laws, secrecy
from tradekit.testing.law import Law, Run

LONGEST: Final = 100_000  #: moves after which a game counts as never-ending
_LOOKED_AT: Final = 10_000  #: moves of a game in which the laws are checked; after that it is only played on
_OF_A_KIND: Final = 1  #: states of each kind that are always checked closely, even if other kinds are frequent
_IN_ONE_PROCESS: Final = 40  # states whose hash is computed by a second process

CHEAP: Final[tuple[Law, ...]] = laws.CHEAP
DEAR: Final[tuple[Law, ...]] = (
    laws.refusals, laws.texts, laws.pictures, laws.commits,
    secrecy.views, secrecy.bonds, secrecy.secrets, secrecy.news,
)  # fmt: skip
AT_THE_END: Final[tuple[Law, ...]] = (laws.reads, secrecy.views, laws.replays)


class BrokenLaw(AssertionError):
    """A law that a game does not keep."""


@dataclass(frozen=True)
class Checked:
    """The numbers of plays, states and decisions that a check has seen."""

    plays: int
    states: int
    decisions: int


@checked(plays=whole(1, 10_000_000), dear=between(0, 1), longest=whole(1))
def check_game(
    game: Game, plays: int = 50, seed: int = 0, dear: float = 1 / 12, longest: int = LONGEST, **options: Any
) -> Checked:
    """Check the laws in `plays` random games from ``game.new(**options)``.

    The expensive laws are checked in a share `dear` of the states, from 0 to 1, and, unless it is 0, in the first
    states of each kind: those in which chance acts, one player acts, several act, some have still to choose, or nobody
    acts. Equal seeds play equal games. A game that is not over after `longest` moves counts as never-ending. Raises
    `BrokenLaw` for the first law that is broken; otherwise returns how much was checked. Hashes are compared with those
    of a second process, which imports the game; for a game defined in a notebook or a script, a warning says that they
    were not compared.

    >>> from dataclasses import replace
    >>> from tradekit.game import find
    >>> check_game(find("bazar"), plays=1, patience=1)
    Checked(plays=1, states=11, decisions=2)
    >>> check_game(replace(find("bazar"), chance=False), plays=1)  # declares that there are no dice
    Traceback (most recent call last):
    tradekit.testing.BrokenLaw: The actors are players, or chance alone, as the game declares: chance acts: (-1,)
      state: bazar players=2 deck=house step=cards turn=chance ...
      after: nothing
      what to do: Give `State.actors` numbers from 0 to players - 1, each once, or `(CHANCE,)`, and declare ...
    """
    looked = _Looked(game, dear)
    for play in range(plays):
        _play(looked, Run(game, game.new(**options), keyed(seed, play, "laws")), keyed(seed, play), longest, options)
    if game.hidden and looked.hidden and not looked.otherwise:
        raise BrokenLaw(
            _worded(secrecy.views, "what is hidden must be able to be otherwise: each sample was the truth")
        )
    if game.hidden and not looked.hidden:
        raise BrokenLaw(_worded(secrecy.views, "it hides what the game declares: every view was of the whole state"))
    _same_hashes_elsewhere(game, looked.kept)
    return Checked(plays, looked.states, looked.decisions)


class _Looked:
    """The states checked so far, and what they showed."""

    def __init__(self, game: Game, dear: float) -> None:
        self.game, self.dear = game, dear
        self.states = self.decisions = 0
        self.hidden = self.otherwise = False  #: True once anything was masked; once a sample was not the truth
        self.kept: list[State] = []  #: states for a second process
        self.texts: dict[State, str] = {}
        self.kinds: Counter[tuple[Any, ...]] = Counter()

    def new_kind(self, run: Run, state: State) -> bool:
        """Count a state of its kind; return whether few of that kind were checked before."""
        waiting = bool(run.recent) and len(run.recent[-1][0].actors) > 1
        kind = (CHANCE in state.actors, min(len(state.actors), 2), waiting)
        self.kinds[kind] += 1
        return self.kinds[kind] <= _OF_A_KIND

    def secrets(self, run: Run, state: State) -> tuple[str, ...]:
        """Note whether anything is hidden from anybody, and can differ from the truth; once it did, stop looking."""
        for player in () if self.otherwise or not self.game.hidden else range(run.start.players):
            self.hidden |= state.hide_from(player) != state
            self.otherwise |= any(state.view(player).sample(run.rng) != state for _attempt in range(3))
        return ()


def _play(looked: _Looked, run: Run, rng: Any, longest: int, options: dict[str, Any]) -> None:
    """Play one random game, and check the laws in it."""
    state = run.start
    run.texts = looked.texts
    told: list[tuple[State, tuple[Any, ...]]] = []  # the texts and facts of states when they came up
    if not looked.states:
        _hold(lambda run, _state: laws.declared(run, options), run, state, laws.declared)
    while True:
        looked.states += 1
        if len(run.moves) < _LOOKED_AT:
            _look(looked, run, state, told)
        actors = state.actors
        if not actors:
            break
        if len(run.moves) == longest:
            raise BrokenLaw(_worded(_ends, f"after {longest} moves it is not over", run, state))
        actor = CHANCE if CHANCE in actors else actors[int(rng.random() * len(actors))]
        action = draw(state.outcomes(), rng) if actor == CHANCE else state.actions(actor).sample(rng)
        looked.decisions += actor != CHANCE
        try:
            after = state.after(action, actor)
        except Exception as error:
            what = f"{action!r} of {actor} is listed but refused: {type(error).__name__}: {error}"
            raise BrokenLaw(_worded(laws.refusals, what, run, state)) from error
        move = Move(actor, action)
        run.moves.append(move)
        run.recent.append((state, move))
        state = after
    for state, said in told:
        if said != _said(state):
            raise BrokenLaw(_worded(_stays, f"{said} became {_said(state)}", run, state))


def _look(looked: _Looked, run: Run, state: State, told: list[tuple[State, tuple[Any, ...]]]) -> None:
    """Check the laws in one state of a game."""
    for law in CHEAP:
        _hold(law, run, state)
    _hold(looked.secrets, run, state, secrecy.views)
    if run.rng.random() < looked.dear or (looked.dear > 0 and looked.new_kind(run, state)):
        for law in DEAR:
            _hold(law, run, state)
        told.append((state, _said(state)))
        if len(looked.kept) < _IN_ONE_PROCESS:
            looked.kept.append(state)
    for law in AT_THE_END if not state.actors else ():
        _hold(law, run, state)


def _said(state: State) -> tuple[Any, ...]:
    return str(state), hash(state), state.actors, state.scores(), state.winners()


def _hold(law: Callable[[Run, State], Iterable[str]], run: Run, state: State, called: Any = None) -> None:
    """Raise `BrokenLaw` for the first fault."""
    try:
        broken = next(iter(law(run, state)), None)
    except Exception as error:
        raise BrokenLaw(_worded(called or law, f"it raises {type(error).__name__}: {error}", run, state)) from error
    if broken:
        raise BrokenLaw(_worded(called or law, broken, run, state))


def _worded(law: Any, broken: str, run: Run | None = None, state: State | None = None) -> str:
    """Return the message of a broken law: which law and how, where, and what to do."""
    name, _line, advice = (getdoc(law) or "").partition("\n")
    where = ""
    if run is not None:
        where = f"\n  state: {state}\n  after: {', '.join(map(str, run.moves[-8:])) or 'nothing'}"
    return f"{name.strip()}: {broken}{where}\n  what to do: {' '.join(advice.split())}"


def _ends() -> None:
    """A game ends, however it is played

    Let something run out, such as turns in which nothing happens (BZ-19); or set `longest` to how long it can last.
    """


def _stays() -> None:
    """An earlier state never changes

    Keep numbers, texts and tuples in a state, nothing that `State.after` changes; questions to a state change nothing.
    """


def _reads_elsewhere() -> None:
    """A second process can read a state

    Importing the module of the state's class must be enough: register there whatever else the game needs.
    """


def _hashes() -> None:
    """Equal states have equal hashes in every process

    Python hashes texts and `None` differently in every process. Keep numbers in their place, or define `__hash__` by
    `tradekit.game.stable_hash(str(self))`.
    """


def _same_hashes_elsewhere(game: Game, states: list[State]) -> None:
    """Compare hashes with those of a second process, in which texts and sets have other hashes."""
    home, name = game.state.__module__, game.state.__qualname__
    if not states:
        return
    if home == "__main__":  # another process cannot import it: not a fault of the game
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
        what = f"{done.stderr.strip().splitlines()[-1]}\n  state: {states[0]}"
        raise BrokenLaw(_worded(_reads_elsewhere, what))
    for state, number in zip(states, done.stdout.split(), strict=True):
        if hash(state) != int(number):
            told = "".join(f"; {field} is {value!r}" for field, value in _restless(state))
            raise BrokenLaw(_worded(_hashes, f"not of {state}{told}"))


def _restless(state: State) -> list[tuple[str, Any]]:
    """Return the fields of a state whose hashes differ from process to process, with their values."""
    names = [field.name for field in fields(state)] if is_dataclass(state) else getattr(state, "_fields", ())
    pairs = [(name, getattr(state, name)) for name in names or getattr(state, "FIELDS", ())]
    return [(name, value) for name, value in pairs if _has_text(value)]


def _has_text(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return any(map(_has_text, value))
    return value is None or isinstance(value, str | bytes)


@checked(depth=whole(0, 500))
def count_sequences(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` actions from a state; a game that ends earlier counts once.

    Every outcome of chance counts once, whatever its probability; at a simultaneous moment commits are made in seat
    order.

    >>> from tradekit import bazar
    >>> start = bazar.new(players=2, cards=(1, 4), seed=7)
    >>> [count_sequences(start, depth) for depth in range(4)]  # a roll, six faces, and after Choice five colours
    [1, 1, 6, 10]
    """
    actors = state.actors
    if not depth or not actors:
        return 1
    actor = actors[0]
    return sum(count_sequences(state.after(action, actor), depth - 1) for action in choices(state, actor))
