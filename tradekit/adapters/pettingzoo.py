"""Every game as a PettingZoo environment whose agents act one after another (AEC): `env("bazar", players=3)`.

An action is the next word of what an agent does (`tradekit.adapters.words`); the mask of the observation says which
words can come next. Chance acts by itself, from the seed. Where several are to act at once, they do so in the order of
their seats, and nobody's view shows it before the last one has.

What an agent sees, ``observation``, is its view as an array (`adapters.features`); `infos` has the view as text,
what the agent has half said, and the words that can come next. Rewards are the share of the win, at the end, or with
``utility="points"`` what the scores change by. Nothing is ever truncated.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import numpy as np

from tradekit import game as games
from tradekit._utils.arguments import checked, need_one_of
from tradekit.adapters.features import LENGTH, observation
from tradekit.adapters.play import UTILITIES, Play, shares
from tradekit.game import CHANCE, State
from tradekit.i18n import _
from tradekit.record import Record

try:  # as values without types: PettingZoo has none
    pettingzoo: Any = import_module("pettingzoo")
    wrappers: Any = import_module("pettingzoo.utils.wrappers")
    spaces: Any = import_module("gymnasium.spaces")
except ImportError as error:
    raise ImportError(_("PettingZoo is missing: pip install 'tradekit[pettingzoo]'")) from error

Observation = dict[str, Any]  #: ``observation`` and ``action_mask``, arrays of ones and zeros

_RENDER_MODES: Final = ("human", "ansi")


@checked
def env(game: str | State, **options: Any) -> Any:
    """The environment of a game, wrapped so that steps out of order are errors; takes what `GameEnv` takes.

    >>> bazar = env("bazar", players=3)
    >>> bazar.reset(seed=7)
    >>> bazar.agent_selection, bazar.infos[bazar.agent_selection]["words"]
    ('player_2', ['roll'])
    """
    return wrappers.OrderEnforcingWrapper(GameEnv(game, **options))


class GameEnv(pettingzoo.AECEnv):  # type: ignore[misc]
    """The environment itself.

    `game`: its name, with `options` of its `new`, or the state to begin with. Raises `ValueError` for what cannot be.

    >>> bazar = GameEnv("bazar", players=2, cards=(1, 4))
    >>> bazar.reset(seed=7)
    >>> words = bazar.observe(bazar.agent_selection)["action_mask"]
    >>> bazar.step(words.argmax())
    >>> bazar.record.moves[-2].action  # chance has answered by itself
    Action('roll')
    """

    @checked
    def __init__(
        self,
        game: str | State,
        *,
        utility: str = UTILITIES[0],
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        need_one_of("utility", utility, UTILITIES)
        need_one_of("render_mode", render_mode, (None, *_RENDER_MODES))
        start = game if isinstance(game, State) else games.begin(game, **options)
        self.start, self.utility, self.render_mode = start, utility, render_mode
        self.metadata = {
            "name": f"tradekit_{start.game.name}",
            "render_modes": [*_RENDER_MODES],
            "is_parallelizable": False,
        }
        self.play = Play.begin(start)
        self.possible_agents = [f"player_{player}" for player in range(start.players)]
        self._player = {agent: player for player, agent in enumerate(self.possible_agents)}
        words = len(self.play.words)
        sights = {
            "observation": spaces.Box(0, 1, (LENGTH,), np.int8),
            "action_mask": spaces.Box(0, 1, (words,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(sights) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(words) for agent in self.possible_agents}
        self._seeds = random.Random()
        self._seed = 0

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The words, by number."""
        return self.action_spaces[agent]

    @property
    def record(self) -> Record:
        """The game so far, as a record of tradekit: to save it, or to look at it on the table."""
        return self.play.record

    # The course of a game

    @checked
    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin again. `seed` drives chance, in this game and in those after it; `options` are not used."""
        if seed is not None:
            self._seeds = random.Random(seed)
        self._seed = self._seeds.getrandbits(32) if seed is None else seed
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.play = Play.begin(self.start)
        self._go_on()

    def step(self, action: int | None) -> None:
        """The selected agent says its next word; raises `IllegalAction` for one that cannot come next.

        Agents whose game is over step once more, with None.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(_("{agent} is to say a word; None is for who has ended").format(agent=agent))
        before = self._worth()
        self.play = self.play.say(self._player[agent], int(action))
        self._cumulative_rewards[agent] = 0.0
        self._go_on()
        for other, now, then in zip(self.possible_agents, self._worth(), before, strict=True):
            self.rewards[other] = now - then
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """Chance acts until somebody else is to, or the game is over."""
        play = self.play
        while play.actors == (CHANCE,):
            luck = games.keyed(self._seed, "chance", play.moment.chances)
            play = play.act(CHANCE, games.draw(play.state.outcomes(), luck))
        self.play = play
        if play.actors:
            self.agent_selection = self.possible_agents[play.actors[0]]
            player = play.actors[0]
            self.infos[self.agent_selection] = {
                "view": play.moment.view(player),
                "said": play.words.said(play.half_said(player)),
                "words": play.choice(player).texts,
            }
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"view": play.moment.view(self._player[agent])} for agent in self.agents}
            self.agent_selection = self.agents[0]

    def _worth(self) -> tuple[float, ...]:
        """Return the amounts whose changes are the rewards."""
        state = self.play.state
        return shares(state) if self.utility == "win" else tuple(map(float, state.scores()))

    # What is to be seen

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now, and the words that it can say next if it is to move."""
        player = self._player[agent]
        mask = np.zeros(len(self.play.words), np.int8)
        if agent == self.agent_selection and player in self.play.actors:
            mask[self.play.choice(player).numbers] = 1
        return {"observation": observation(self.play, player, np.int8), "action_mask": mask}

    def render(self) -> str | None:
        """All of the state, as text: handed back with ``ansi``, printed with ``human``."""
        if self.render_mode == "human":
            print(self.play)
            return None
        return str(self.play)

    def close(self) -> None:
        """Nothing is held open."""
