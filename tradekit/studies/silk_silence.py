"""Does it pay to stay silent in The Silk Road? A `planner` that never makes offers next to two that do (SI-10, SI-11).

A bot that advises people must not play worse than it would without its offers. So the silent one, which makes no offers
and declines all, should win no more than its share; and `planner` still has to exchange, and to beat `sale`.

Every deal of the cards is played once with the silent one, or `planner`, on each seat. Each measure is a mean over the
games, with a 95% interval over the deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final, cast

from tradekit import bots, silk, tournament
from tradekit.record import Record
from tradekit.studies import Row, Study
from tradekit.studies.rounds import ratio
from tradekit.studies.silk_playtest import Without
from tradekit.tournament import Played

_SEED: Final = 1400
#: The bot in question, the bots that it sits with, and the number of deals; the longest first.
_TABLES: Final = (("silent", "planner, planner", 400), ("planner", "sale", 400), ("silent", "planner", 200),
                  ("planner", "planner", 200))  # fmt: skip
#: Measures of a game: the share of the win of the bot in question, and its lead in dinars over the others' mean; and of
#: all players the offers, the exchanges, and the exchanges that undo or repeat an earlier one.
MEASURES: Final = ("wins", "margin", "offers", "exchanges", "repeated")

#: An exchange: for both players, who gave which cards.
Exchange = frozenset[tuple[int, int]]


def play(who: str, others: str, deals: int) -> Sequence[Row]:
    """Return the rows of a table, one per measure: ``measure, mean, low, high``."""
    seats = [who, *others.split(", ")]
    named = {f"{bot} #{n}": _make(bot) for n, bot in enumerate(seats)}
    result = tournament.play("silk", named, deals * len(seats), _SEED, players=len(seats), progress=False, records=True)
    rounds: dict[int, list[dict[str, float]]] = {}
    for game in result.played:
        rounds.setdefault(game.round, []).append(counts(game))
    rows = []
    for measure in MEASURES:
        sums = [(sum(game[measure] for game in games), len(games)) for games in rounds.values()]
        rows.append({"measure": measure, **dict(zip(("mean", "low", "high"), ratio(sums), strict=True))})
    return rows


def _make(bot: str) -> bots.Bot:
    return Without("offer", "answer") if bot == "silent" else bots.make(bot, game="silk")


def counts(game: Played) -> dict[str, float]:
    """Return the counts of a game, played with ``records=True``."""
    seat = next(n for n, name in enumerate(game.bots) if name.endswith("#0"))
    some = [*exchanges(cast(Record, game.record))]
    actions = [action for _actor, action in cast(Record, game.record).moves]
    return {
        "wins": game.shares[seat],
        "margin": game.scores[seat] - fmean(score for n, score in enumerate(game.scores) if n != seat),
        "offers": sum(action.startswith("offer") for action in actions),
        "exchanges": len(some),
        "repeated": repeated(some),
    }


def exchanges(record: Record) -> Iterator[Exchange]:
    """Yield the exchanges of a game, in order."""
    for before, (_actor, action) in zip(record.states(), record.moves, strict=False):
        if action == "accept":
            state = cast(silk.State, before)
            offer, answer = state.offers
            yield frozenset({(state.turn, offer.cards), (state.partner, answer.cards)})


def repeated(some: Sequence[Exchange]) -> int:
    """Return how many exchanges move the same cards between the same players as an earlier one, in either direction.

    >>> once, back, other = {(0, 0b11), (1, 0b1100)}, {(1, 0b11), (0, 0b1100)}, {(0, 0b11), (2, 0b1100)}
    >>> repeated([*map(frozenset, (once, other))]), repeated([*map(frozenset, (once, back, once))])
    (0, 2)
    """
    moved = [(frozenset(player for player, _cards in one), frozenset(cards for _player, cards in one)) for one in some]
    return len(moved) - len({*moved})


STUDY: Final = Study(
    "silk_silence",
    "Does a planner in The Silk Road gain by staying silent?",
    [{"who": who, "others": others, "deals": deals} for who, others, deals in _TABLES],
    play,
)
