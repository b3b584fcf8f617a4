"""Sackson's worry (BZ-23): do quick buyers win Bazar with many stones left over, and would a limit change it?

`quick` takes the purchase that it can make soonest, `patient` only those that leave no stones over; in all else they
are alike. They meet under all 45 pairs of cards of the house deck, at tables of two to six, mixed in several ways, and
under every limit. Other buyers sit down with them: some have at least, or at most, a number of stones left over ("quick
3", "patient 1"), and `chain` weighs points against turns.

Each measure is a mean, or a ratio of two, with a 95% interval over the rounds, whose games share their luck. The pairs
of cards are all there are, not a sample. Games under a limit have the luck of those without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import fsum, nan
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, cast

from tradekit import bots, tournament
from tradekit.bazar.deck import Deck
from tradekit.bazar.packed_stones import size
from tradekit.bazar.rules import State
from tradekit.bazar.stones import MOST_LEFT
from tradekit.record import Record
from tradekit.studies import Row, Study
from tradekit.studies.rounds import NUMBERS, Rounds, difference, ratio, sums_by
from tradekit.tournament import Played

if TYPE_CHECKING:
    import pandas as pd

_SEED: Final = 1967
LOTS: Final = 3  #: stones left over that count as many: from here on BZ-15 makes no difference
PAIRS: Final = tuple(combinations((card.number for card in Deck.house().cards), 2))  #: of cards
LIMITS: Final = (MOST_LEFT, 5, 4, 3, 2, 1, 0)  #: most stones left over after a purchase (BZ-23); the first is no limit

#: Measures by name: the column that is added up, and the one that it is divided by.
MEASURES: Final[dict[str, tuple[str, str]]] = {
    "wins": ("wins", "seats"),  # shares of the win
    "points": ("points", "seats"),
    "wares": ("wares", "seats"),
    "points a ware": ("points", "wares"),
    "left": ("left", "wares"),  # stones left over after a purchase
    "lots left": ("lots", "wares"),  # purchases with many stones left over
    "turns": ("turns", "games"),
    "sold": ("sold", "games"),  # wares, to all players
}
_OPTIONS: Final = {"quick": "least", "patient": "most"}  #: option that a number after a bot's name sets
_OF_THE_GAME: Final = ("turns", "sold")  # the same for every bot of a table

#: The parts of the study with their tables (the seats in turn order) and rounds per pair of cards; the longest first,
#: so that two processes end at about the same time.
_PARTS: Final = (
    ("limits", "quick, patient", 3),
    ("pairs", "quick, patient", 16),
    *(("players", table, 1) for table in (
        "quick, patient, patient, patient, patient, patient",
        "patient, quick, quick, quick, quick, quick",
        "quick, patient, quick, patient, quick, patient",
        "quick, patient, patient, patient, patient",
        "patient, quick, quick, quick, quick",
        "quick, patient, quick, patient, quick",
        "patient, quick, patient, quick, patient",
        "quick, patient, patient, patient",
        "patient, quick, quick, quick",
        "quick, patient, quick, patient",
        "patient, quick, patient",
        "quick, patient, quick",
    )),
    *(("others", f"{other}, patient", 2) for other in (
        "quick 3", "quick 2", "quick 1", "patient 2", "patient 1", "chain"
    )),
    ("others", "quick 3, quick", 2),
    ("others", "chain, quick", 2),
)  # fmt: skip


def play(part: str, table: str, rounds: int) -> Sequence[Row]:
    """Return the rows of a table: `rounds` under every pair of cards, in the part "limits" under every limit.

    One row per limit, bot and measure, with the columns ``max_left, cards, bot, seats, measure, mean, low, high``; and
    ``change, change_low, change_high`` compared with no limit. ``cards`` are "all", in the part "pairs" also each pair.
    The intervals are of 95%.
    """
    seats = table.split(", ")
    limits = LIMITS if part == "limits" else LIMITS[:1]
    counted = {limit: _tournaments(seats, rounds, limit) for limit in limits}
    rows = []
    for limit, frame in counted.items():
        for bot in dict.fromkeys(seats):
            of_bot = {"max_left": limit, "cards": "all", "bot": bot, "seats": seats.count(bot)}
            ours, before = (every[every["bot"] == bot] for every in (frame, counted[MOST_LEFT]))
            for measure in MEASURES:
                if measure not in _OF_THE_GAME or bot == seats[0]:
                    change = (
                        (nan,) * 3 if limit == MOST_LEFT else difference(sums(before, measure), sums(ours, measure))
                    )
                    rows.append(_row(of_bot, measure, _interval(ours, measure), change))
            if part == "pairs":
                rows += [
                    _row(of_bot | {"cards": cards}, measure, _interval(pair, measure), (nan,) * 3)
                    for cards, pair in ours.groupby("cards", sort=False)
                    for measure in ("wins", "turns")
                    if bot == seats[0]
                ]
    return rows


def _row(of_bot: dict[str, Any], measure: str, found: Sequence[float], change: Sequence[float]) -> dict[str, Any]:
    return of_bot | {"measure": measure} | dict(zip(NUMBERS, (*found, *change), strict=True))


def sums(frame: pd.DataFrame, measure: str) -> Rounds:
    """Return each round's results under each pair of cards: the sum of a column, and of the one it is divided by."""
    return sums_by(frame, MEASURES[measure], "cards", "round")


def _interval(frame: pd.DataFrame, measure: str) -> tuple[float, float, float]:
    """Return a mean and its interval; for wins as a tournament has it, by pairs of cards if each has several rounds."""
    if measure != "wins":
        return ratio(sums(frame, measure))
    pairs = [[top / bottom for top, bottom in sums(pair, measure)] for _cards, pair in frame.groupby("cards")]
    every = [value for rounds in pairs for value in rounds]
    return fmean(every), *tournament.interval(pairs if len(every) > len(pairs) else [every])


# Games


def _tournaments(seats: Sequence[str], rounds: int, max_left: int) -> pd.DataFrame:
    """Return the counts of the games of a table under every pair of cards."""
    import pandas as pd

    named = seated(seats)
    rows = []
    for card, other in PAIRS:
        seed = 100 * (_SEED + card) + other  # each pair has luck of its own
        result = tournament.play(
            "bazar", named, rounds * len(seats), seed, players=len(seats), cards=(card, other), max_left=max_left,
            progress=False, records=True,
        )  # fmt: skip
        rows += [{"cards": f"{card}-{other}", **row} for game in result.played for row in counts(game)]
    return pd.DataFrame(rows)


def seated(seats: Sequence[str]) -> dict[str, bots.Bot]:
    """Return the bots of a table as a tournament takes them; if they do not sit in turn, each seat has its own name.

    >>> [*seated(["quick", "patient", "quick"])], [*seated(["quick", "patient 1", "patient 1"])]
    (['quick', 'patient'], ['quick #0', 'patient 1 #1', 'patient 1 #2'])
    """
    kinds = [*dict.fromkeys(seats)]
    if all(bot == kinds[n % len(kinds)] for n, bot in enumerate(seats)):
        return {bot: _make(bot) for bot in kinds}
    return {f"{bot} #{n}": _make(bot) for n, bot in enumerate(seats)}


def _make(bot: str) -> bots.Bot:
    name, _space, left = bot.partition(" ")
    return bots.make(name, game="bazar", **{_OPTIONS[name]: int(left)} if left else {})


def counts(game: Played) -> Iterator[Row]:
    """Yield the counts of a game, one row per bot that plays, its seats together."""
    record = cast(Record, game.record)
    states = [cast(State, state) for state in record.states()]
    left: list[list[int]] = [[] for _seat in game.bots]
    turns = 0
    for (actor, action), after in zip(record.moves, states[1:], strict=True):
        turns += action == "roll" or "=" in action  # BZ-9
        if action.startswith("buy"):
            left[actor].append(size(after.hands[actor]))
    kinds = [name.partition(" #")[0] for name in game.bots]
    for bot in dict.fromkeys(kinds):
        ours = [seat for seat, kind in enumerate(kinds) if kind == bot]
        bought = [stones for seat in ours for stones in left[seat]]
        yield {
            "round": game.round,
            "bot": bot,
            "games": 1,
            "seats": len(ours),
            "wins": fsum(game.shares[seat] for seat in ours),
            "points": sum(game.scores[seat] for seat in ours),
            "wares": len(bought),
            "left": sum(bought),
            "lots": sum(stones >= LOTS for stones in bought),
            "turns": turns,
            "sold": sum(map(len, left)),
        }


STUDY: Final = Study(
    "sacksons_worry",
    "Does who buys again and again with many stones left over win Bazar, and which limit would change it?",
    [{"part": part, "table": table, "rounds": rounds} for part, table, rounds in _PARTS],
    play,
)


def kept(part: str, measure: str, bot: str | None = None, cards: str | None = "all") -> pd.DataFrame:
    """Return the rows of the kept table for a part of the study and a measure; None stands for any.

    >>> round(kept("pairs", "wins", "quick")["mean"].item(), 1)
    0.6
    """
    table = STUDY.load()
    rows = (table["part"] == part) & (table["measure"] == measure)
    if bot is not None:
        rows &= table["bot"] == bot
    if cards is not None:
        rows &= table["cards"] == cards
    return table[rows].reset_index(drop=True)
