"""Reviews of played games: the value of each decision, and better decisions.

`review` uses a bot's estimates; `playouts` plays on to the end instead, and so tests an estimate.
"""

from __future__ import annotations

import random
from statistics import fmean
from typing import TYPE_CHECKING

from tradekit import bots
from tradekit._utils import ties
from tradekit._utils.arguments import checked, whole
from tradekit.bazar.rules import GAME, State
from tradekit.game import CHANCE
from tradekit.i18n import _
from tradekit.record import Record

if TYPE_CHECKING:
    import pandas as pd


@checked
def review(record: Record, bot: str | bots.Bot = "policy") -> pd.DataFrame:
    """Evaluate the decisions of a game with a bot's estimates: one row per decision with a choice.

    Columns: ``move`` (its place in the record, from 1), ``actor``, ``name``, ``action``, ``best`` (the bot's choice),
    ``value`` (of the action taken) and ``costs`` (the value it gave away), both in the bot's unit: for the policy bot
    points ahead of the others, including prospects.

    >>> from tradekit import bazar
    >>> start = bazar.State.parse("bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=RWBGY,R "
    ...     "stalls=RWBGY:4,RRWGY:4,RRWBB:4,GGGGG*:4 bought=-,- idle=0")
    >>> review(Record.begin(start).with_move("done"))["best"].tolist()
    ['buy 1']
    """
    import pandas as pd

    judge, rng = bots.make(bot, game=GAME), random.Random(0)
    rows = []
    for place, (move, state) in enumerate(zip(record.moves, record.states(), strict=False), 1):
        if move.actor == CHANCE:
            continue
        view = state.view(move.actor)
        actions = view.actions()
        worth = judge.evaluate(view, actions, rng) if len(actions) > 1 else {}
        if move.action in worth:
            best = ties.best(worth, key=worth.__getitem__)
            value = worth[move.action]
            _nothing, costs = ties.costs([worth[best], value])
            rows.append((place, move.actor, record.names[move.actor], str(move.action), str(best), value, costs))
    return pd.DataFrame(rows, columns=["move", "actor", "name", "action", "best", "value", "costs"])


@checked(games=whole(1, 1_000_000))
def playouts(state: State, games: int = 200, bot: str | bots.Bot = "chain", seed: int = 0) -> pd.DataFrame:
    """Play the game to its end many times after each action of a decision, with the same luck for all actions.

    `bot` plays every seat. Returns a row per game and a column per action, with the points by which the player who
    decides ends ahead of the mean of the others. Since the luck is the same within a row, the difference of two columns
    is less uncertain than the columns are (common random numbers). Raises `ValueError` if there is nothing to decide,
    and for less than one game.

    >>> from tradekit import bazar
    >>> state = bazar.State.parse("bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=RWBGYYR,R "
    ...     "stalls=RWBGY:0,-:0,RRWBB:4,GGGGG*:4 bought=RWGGY:5,RWGYY:3 idle=0")
    >>> playouts(state, games=2)["buy 1"].tolist()  # that closes the bazaar, two points and a point for a star ahead
    [5.0, 5.0]
    """
    import pandas as pd

    actor = state.actors[0] if state.actors else CHANCE
    actions = state.actions(actor)
    if actor == CHANCE or not actions:
        raise ValueError(_("there is nothing for the player to decide here"))
    players = [bots.make(bot, game=GAME)] * state.players

    def lead(action: str, game: int) -> float:
        scores = [*bots.finish(Record.begin(state.after(action)), players, seed + game).state().scores()]
        own = scores.pop(actor)
        return own - fmean(scores or [0])

    rows = [[lead(action, game) for action in actions] for game in range(games)]
    return pd.DataFrame(rows, columns=[*map(str, actions)])
