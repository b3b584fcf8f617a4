"""Every game as an OpenSpiel game: `load("bazar")`, or ``pyspiel.load_game("python_tradekit_bazar(players=3)")``.

Importing this module registers every game that is installed, such as ``python_tradekit_bazar``; `register` does so with
any other that keeps the contract. Parameters, all of them optional:

- ``players``;
- ``options``: of the game's `new`, such as ``cards:1 4;double:yes``, as records write them but with spaces for commas;
  OpenSpiel's other signs are quoted as in an address: ``exchange:R%3DWW W%3DBG``;
- ``start``: the text of the state to begin with, in place of both, quoted by `quoted`;
- ``utility``: ``win``, a player's share of the win less an equal share, so that all add up to 0; or ``points``, the
  scores at the end, as general sum. One who plays alone plays for points.

An action is said word by word (`tradekit.adapters.words`), and chance does the same with its outcomes. Where a game is
simultaneous, so is OpenSpiel's: all who are to act say their next word at once, and when one alone has more to say,
that one goes on; `pyspiel.convert_to_turn_based` makes turns of it. With the parameter ``turns=True`` the game has
turns to begin with: all say their words in the order of their seats, and no view shows what others do at the same
moment. Search in information sets (`open_spiel.python.algorithms.ismcts`) wants that; it draws states with
`SpielState.resample_from_infostate`.

The information state is all that a player has seen and done (`tradekit.adapters.play`); the observation is the view, as
text and as array (`tradekit.adapters.features`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from math import inf
from typing import Any, ClassVar, Final
from urllib.parse import quote, unquote

import numpy as np

from tradekit import game as games
from tradekit._utils.arguments import checked, need_one_of
from tradekit.adapters.features import LENGTH, observation
from tradekit.adapters.play import UTILITIES, Play, shares
from tradekit.game import CHANCE, Game, ParseError, State
from tradekit.i18n import _
from tradekit.options import read_options
from tradekit.record import Record

try:
    pyspiel: Any = import_module("pyspiel")  # it has no types
except ImportError as error:
    raise ImportError(_("OpenSpiel is missing: pip install 'tradekit[openspiel]'")) from error

LONGEST: Final = 100_000  #: steps; stands where OpenSpiel wants a bound and a game declares none. Nothing is cut off


@checked
def load(game: str | State, *, utility: str = "win", turns: bool = False, **options: Any) -> Any:
    """An OpenSpiel game: of that name with the options of its `new`, or from a state.

    With `turns` players who act at the same time do so in turn, unseen, so that no node is simultaneous.

    Raises `ValueError` for a game or an option that does not exist.

    >>> game = load("bazar", players=3)
    >>> game.num_players(), game.new_initial_state().is_chance_node()
    (3, True)
    """
    start = game if isinstance(game, State) else games.begin(game, **options)
    register(start.game)
    given = {"players": start.players, "start": quoted(start), "utility": utility, "turns": turns}
    return pyspiel.load_game(short_name(start.game), given)


def quoted(state: State) -> str:
    """The text of a state as a parameter of OpenSpiel, whose own signs it may not contain.

    >>> from tradekit import turin
    >>> quoted(turin.new(2))
    'turin players%3D2 deck%3Dhouse step%3Ddeal'
    """
    return quote(str(state), safe=" /:;+*")


def short_name(game: Game) -> str:
    """Return the name of a game in OpenSpiel.

    >>> from tradekit.game import find
    >>> short_name(find("silk"))
    'python_tradekit_silk'
    """
    return f"python_tradekit_{game.name}"


def register(game: Game) -> Game:
    """Make a game known to OpenSpiel, and give it back. Twice is as good as once.

    >>> from tradekit.game import find
    >>> bazar = register(find("bazar"))
    >>> pyspiel.registered_names().count(short_name(bazar))
    1
    """
    name = short_name(game)
    if name not in pyspiel.registered_names():
        # a class, not a function: OpenSpiel's registry outlives the interpreter, and a class is never the last to go
        kind = type(f"{game.name.title()}Game", (SpielGame,), {"rules": game, "__module__": __name__})
        pyspiel.register_game(_game_type(game), kind)
    return game


def _game_type(game: Game, zero_sum: bool = True, turns: bool = False) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=short_name(game),
        long_name=f"tradekit: {game.name}",
        dynamics=kind.Dynamics.SIMULTANEOUS if game.simultaneous and not turns else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if game.chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if game.hidden or game.simultaneous
        else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(game.players),
        min_num_players=min(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={
            "players": _players(game),
            "options": "",
            "start": "",
            "utility": UTILITIES[0],
            "turns": False,
        },
    )


def _players(game: Game) -> int:
    """Return the default number of players, which is that of the game's `new`."""
    taken = signature(game.new).parameters.get("players")
    return taken.default if taken and isinstance(taken.default, int) else min(game.players)


def _start(game: Game, parameters: dict[str, Any]) -> State:
    if parameters["start"]:
        return game.state.parse(unquote(parameters["start"]))
    return games.begin(game, **{"players": parameters["players"], **_options(game, parameters["options"])})


def _options(game: Game, text: str) -> dict[str, Any]:
    """The options that a text names; raises `ValueError`.

    >>> _options(games.find("bazar"), "cards:1 4;double:yes")
    {'cards': (1, 4), 'double': True}
    """
    options: dict[str, str] = {}
    for option in filter(None, text.split(";")):
        name, sign, said = option.partition(":")
        if not sign or not said.strip():
            raise ParseError(_("{option!r}: write an option as name:value").format(option=option))
        options[name.strip()] = unquote(",".join(said.split()))
    return read_options(game, options)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of tradekit as OpenSpiel knows it; made by `load` and by `pyspiel.load_game`."""

    rules: ClassVar[Game]  #: of each game's own class: see `register`

    def __init__(self, parameters: dict[str, Any]) -> None:
        game = self.rules
        start = _start(game, parameters)
        need_one_of("utility", parameters["utility"], UTILITIES)
        points = parameters["utility"] == "points" or start.players == 1
        self.play = Play.begin(start)
        self.for_points = points
        self.turns = bool(parameters["turns"])
        low, high, fair = game.low, game.high, 1 / start.players
        if points:
            bounds = -inf if low is None else float(low), inf if high is None else float(high)
        else:
            bounds = -fair, 1 - fair
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.play.words),
            max_chance_outcomes=len(self.play.words) if game.chance else 0,
            num_players=start.players,
            min_utility=bounds[0],
            max_utility=bounds[1],
            utility_sum=None if points else 0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_game_type(game, not points, self.turns), info, parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)  # the class is not to be found by its name

    def new_initial_state(self) -> SpielState:
        """The state that the game begins with."""
        return SpielState(self, self.play, self.for_points, self.turns)

    def max_chance_nodes_in_history(self) -> int:
        """A bound where OpenSpiel wants one."""
        return LONGEST if self.play.state.game.chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return the observer of one player, with perfect recall of the past too. Raises `ValueError` for any `params`.

        `iig_obs_type`: which of the two, a `pyspiel.IIGObservationType`, by default without perfect recall.

        >>> recalls = load("bazar", cards=(1, 4)).make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
        >>> recalls.tensor is None  # a past has no fixed length
        True
        """
        if params:
            raise ValueError(_("observations have no parameters here, so not {given}").format(given=params))
        return SpielObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _loaded(name: str) -> Any:
    return pyspiel.load_game(name)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of OpenSpiel: a `Play`, which holds the tradekit state, its past, and what is half said.

    >>> from tradekit import bazar
    >>> state = load(bazar.new(players=2, cards=(1, 4), seed=7)).new_initial_state()
    >>> state.apply_action(state.legal_actions()[0])
    >>> state.record.moves[0].action, state.is_chance_node()
    (Action('roll'), True)
    """

    def __init__(self, game: SpielGame, play: Play, for_points: bool, turns: bool) -> None:
        super().__init__(game)
        self.play = play  # all that changes; OpenSpiel copies and pickles a state by its attributes
        self.for_points, self.turns = for_points, turns

    @property
    def record(self) -> Record:
        """The game so far, as a record of tradekit: to save it, or to look at it on the table."""
        return self.play.record

    # What OpenSpiel asks of a state

    def current_player(self) -> Any:
        """Return the player who says the next word."""
        actors, ids = self.play.actors, pyspiel.PlayerId
        if len(actors) > 1 and not self.turns:
            return ids.SIMULTANEOUS
        if not actors:
            return ids.TERMINAL
        return ids.CHANCE if actors[0] == CHANCE else actors[0]

    def _legal_actions(self, player: int) -> list[int]:
        actors = self.play.actors[:1] if self.turns else self.play.actors
        return self.play.choice(player).numbers if player in actors else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The words that chance may say next, each with its probability."""
        return self.play.choice(CHANCE).chances

    def _apply_action(self, action: int) -> None:
        self.play = self.play.say(self.play.actors[0], action)

    def _apply_actions(self, actions: list[int]) -> None:
        for player in self.play.actors:
            self.play = self.play.say(player, actions[player])

    def _action_to_string(self, player: int, action: int) -> str:
        if player in self.play.actors:
            return self.play.choice(player).text(action)
        return self.play.words.texts[action]

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return not self.play.actors

    def returns(self) -> list[float]:
        """Return each player's utility at the end; zeros before."""
        state = self.play.state
        if state.actors:
            return [0.0] * state.players
        if self.for_points:
            return [float(score) for score in state.scores()]
        return [share - 1 / state.players for share in shares(state)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that the player must hold possible, drawn at random: the same past to that player's eyes.

        What happened in it is not told: its history and record begin there. `sampler` gives numbers from 0 to 1.

        >>> state = load("turin", players=3, turns=True).new_initial_state()
        >>> while state.is_chance_node():
        ...     state.apply_action(state.chance_outcomes()[0][0])
        >>> other = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0, 1))
        >>> other.information_state_string(0) == state.information_state_string(0)
        True
        """
        rng = random.Random(repr(float(sampler())))
        return SpielState(self.get_game(), self.play.resampled(player, rng), self.for_points, self.turns)

    def __str__(self) -> str:
        return str(self.play)


class SpielObserver:
    """The observation of a player, in OpenSpiel's form: `string_from`, and `tensor` after `set_from`.

    With perfect recall there is text alone: a past has no fixed length. The contract does not tell public from private
    knowledge, so an observer of one without the other says nothing.

    >>> from tradekit import turin
    >>> game = load(turin.new(3, seed=7))
    >>> observer, state = game.make_py_observer(), game.new_initial_state()
    >>> observer.string_from(state, 0)
    'p0 turin players=3 deck=house step=show hands=2.4.6.8.9.17,?6,?6 ...'
    >>> observer.set_from(state, 0)
    >>> observer.tensor.shape, observer.tensor.max().item()
    ((1024,), 1.0)
    """

    def __init__(self, kind: Any) -> None:
        self._recalls: bool = kind.perfect_recall
        self._whole: bool = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor = None if self._recalls or not self._whole else np.zeros(LENGTH, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill in the array `tensor`, 1,024 ones and zeros as float32 (`adapters.features`), if there is one."""
        if self.tensor is not None:
            self.tensor[:] = observation(state.play, player)

    def string_from(self, state: SpielState, player: int) -> str | None:
        """The view as text, or all views and own actions so far, a line each; None for an observer of a part."""
        if not self._whole:
            return None
        return state.play.seen(player) if self._recalls else state.play.observed(player)


for _game in games.installed():
    register(_game)
