"""A played game looked at again: what each decision was worth, and what a better one would have been."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tradekit import bots, ties
from tradekit.game import CHANCE
from tradekit.record import Record

if TYPE_CHECKING:
    import pandas as pd


def review(record: Record, bot: str | bots.Bot = "policy") -> pd.DataFrame:
    """Every decision of a game in the eyes of a bot that reckons: a row a decision that left a choice.

    Columns: ``move`` (its place in the record, from 1), ``actor``, ``name``, ``action``, ``best`` (what the bot would
    have done), ``value`` (of the action taken) and ``costs`` (what it gave away), both in the bot's unit: for the
    policy bot points ahead of the others, prospects included.

    >>> from tradekit import bazar
    >>> start = bazar.State.parse("bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=RWBGY,R "
    ...     "stalls=RWBGY:4,RRWGY:4,RRWBB:4,GGGGG*:4 bought=-,- idle=0")
    >>> review(Record.begin(start).then("done"))["best"].tolist()
    ['buy 1']
    """
    import pandas as pd

    judge, rng = bots.make(bot), random.Random(0)
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
