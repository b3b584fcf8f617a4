"""Results of a tournament as tables, with intervals that allow for the luck that the games of a round share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from itertools import groupby, permutations
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from tradekit._utils.arguments import checked
from tradekit._utils.atomic_files import whole_files
from tradekit.i18n import _, ngettext
from tradekit.show import html
from tradekit.tournament.play_game import Played
from tradekit.tournament.store import Heading, Store

if TYPE_CHECKING:
    import pandas as pd

Z: Final = 1.959963984540054  #: standard deviations of a normal value within which 95% of cases lie
_SHARE: Final = (1 + 0.95) / 2  #: probability of Student's distribution below the upper end of a 95% interval


def interval(tables: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return the 95% interval for a mean, given for every table the average results of its rounds, from 0 to 1.

    The games of a round share their luck, so only rounds are independent, and the standard deviation is that of a
    table's rounds: which tables there are is not chance. Two rounds are added, one with the result 1 and one with 0. So
    the interval is not empty if all rounds are alike, and it keeps its 95% if they are few (Agresti and Caffo, The
    American Statistician 54, 2000, for proportions; `tests/tournament` measures it for rounds).

    >>> [round(end, 3) for end in interval([[1, 0.5, 0.5, 1, 0.5, 1, 1, 0.5]])]
    [0.447, 0.953]
    """
    from scipy.special import stdtrit

    tables = [rounds for rounds in tables if rounds]
    n = sum(map(len, tables))
    if n == 0:
        return 0.0, 1.0
    total = sum(map(sum, tables))
    mean = total / n
    squares = mean**2 + (1 - mean) ** 2
    for rounds in tables:
        ours = fmean(rounds)
        squares += sum((value - ours) ** 2 for value in rounds)
    freedom = n + 2 - len(tables)
    centre, half = (total + 1) / (n + 2), stdtrit(freedom, _SHARE) * sqrt(squares / freedom / (n + 2))
    return max(0.0, float(centre - half)), min(1.0, float(centre + half))


def need_pyarrow() -> None:
    """Raise `ImportError` that says what to install, unless pyarrow is installed."""
    if find_spec("pyarrow") is None:
        raise ImportError(_("Parquet needs pyarrow: pip install 'tradekit[parquet]'"))


@dataclass(frozen=True)
class Result:
    """The result of a tournament. The tables are pandas data frames.

    >>> from tradekit import tournament
    >>> result = tournament.play("bazar", {"one": "random", "two": "random"}, games=2, progress=False, patience=2)
    >>> result.games[["bot_0", "bot_1", "decisions"]]
      bot_0 bot_1  decisions
    0   one   two          4
    1   two   one          4
    >>> result.summary["games"].to_dict(), result.complete
    ({'one': 2, 'two': 2}, True)
    """

    heading: Heading  #: the state that games begin with, the bots, the seed
    played: list[Played] = field(repr=False)  #: in the order of the schedule
    stopped: str = ""  #: why it ended early and how far it came; empty if it did not

    @property
    def bots(self) -> tuple[str, ...]:
        """Names of the bots."""
        return tuple(self.heading.bots)

    @property
    def complete(self) -> bool:
        """True if all games of the schedule were played."""
        return not self.stopped

    @property
    def reproducible(self) -> bool:
        """True if equal seeds give this result on any machine: nobody ran out of time."""
        return not any(game.forfeit and game.forfeit.late for game in self.played)

    @cached_property
    def forfeits(self) -> pd.DataFrame:
        """One row per game that a bot forfeited: ``bot, round, seed, seat, move, reason, late``.

        ``move`` is the number of the move that it failed to make; ``late`` is True if its time was up.
        """
        import pandas as pd

        rows = [(game.bots[lost.seat], game.round, game.seed, *lost) for game in self.played if (lost := game.forfeit)]
        return pd.DataFrame(rows, columns=["bot", "round", "seed", "seat", "move", "reason", "late"])

    def said_of_forfeits(self) -> str:
        """Return how many games were forfeited, by which bots and why, in words; "" if there are none.

        >>> from tradekit import tournament
        >>> tournament.play("bazar", ["random"], games=1, progress=False, patience=2).said_of_forfeits()
        ''
        """
        if self.forfeits.empty:
            return ""
        said = [
            _("{bot} {n} ({reason})").format(bot=bot, n=len(lost), reason=lost["reason"].iloc[0])
            for bot, lost in self.forfeits.groupby("bot", sort=False)
        ]
        text = ngettext("{n} game was forfeited", "{n} games were forfeited", len(self.forfeits))
        text = _("{games}: {bots}").format(games=text, bots=", ".join(said))
        return text if self.reproducible else _("{text}; not reproducible, for time was up").format(text=text)

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row per game: ``round, seed``, then ``bot_0, score_0, share_0`` for each seat, ``decisions, finished``.

        If any game was forfeited, there is also ``forfeit``: the bot that did so, or nothing.
        """
        import pandas as pd

        rows = []
        for game in self.played:
            row: dict[str, Any] = {"round": game.round, "seed": game.seed}
            for seat, name in enumerate(game.bots):
                row |= {f"bot_{seat}": name, f"score_{seat}": game.scores[seat], f"share_{seat}": game.shares[seat]}
            rows.append(row | {"decisions": game.decisions, "finished": game.finished})
            if not self.forfeits.empty:
                rows[-1]["forfeit"] = game.bots[game.forfeit.seat] if game.forfeit else ""
        return pd.DataFrame(rows)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row per bot, the most wins first: ``games, wins, low, high, score``.

        ``wins`` is the mean share of the win, ``low`` to ``high`` its 95% `interval`, ``score`` the mean of the points.
        A bot with several seats in a game is counted for each. If any game was forfeited, there is also ``forfeits``:
        how many each bot forfeited; they count as games that it lost.
        """
        import pandas as pd

        rows = []
        for bot in self.bots:
            met = [
                (game, game.shares[seat], game.scores[seat])
                for game in self.played
                for seat, name in enumerate(game.bots)
                if name == bot
            ]
            wins = [(game, share) for game, share, _score in met]
            score = fmean([score for _game, _share, score in met]) if met else 0.0
            rows.append((bot, *_counted(wins), score))
        frame = pd.DataFrame(rows, columns=["bot", "games", "wins", "low", "high", "score"]).set_index("bot")
        if not self.forfeits.empty:
            frame["forfeits"] = self.forfeits["bot"].value_counts().reindex(frame.index, fill_value=0)
        return frame.sort_values("wins", ascending=False, kind="stable")

    @cached_property
    def pairwise(self) -> pd.DataFrame:
        """One row per bot and opponent, ``games, wins, low, high``: how often the bot did better, with `interval`.

        Better means a larger share of the win, or more points if the shares are equal; equal counts half.
        ``pairwise["wins"].unstack()`` is the square table, rows against columns.
        """
        import pandas as pd

        met: dict[tuple[str, str], list[tuple[Played, float]]] = {pair: [] for pair in permutations(self.bots, 2)}
        for game in self.played:
            for a, b in permutations(range(len(game.bots)), 2):
                if game.bots[a] != game.bots[b]:
                    ours, theirs = (game.shares[a], game.scores[a]), (game.shares[b], game.scores[b])
                    met[game.bots[a], game.bots[b]].append((game, 0.5 if ours == theirs else float(ours > theirs)))
        rows = [(*pair, *_counted(wins)) for pair, wins in met.items() if wins]
        frame = pd.DataFrame(rows, columns=["bot", "against", "games", "wins", "low", "high"])
        return frame.set_index(["bot", "against"])

    # Files

    @checked
    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the games down as `play` does with ``file=``, which can go on from there; an existing file is kept.

        Raises `FileExistsError` if the file exists. Returns the path.

        >>> from tempfile import TemporaryDirectory
        >>> from tradekit import tournament
        >>> bots, how = {"one": "random", "two": "random"}, dict(progress=False, patience=2)
        >>> result = tournament.play("bazar", bots, games=2, **how)
        >>> with TemporaryDirectory() as folder:
        ...     file = result.save(Path(folder) / "games.jsonl")
        ...     longer = tournament.play("bazar", bots, games=4, file=file, **how)
        >>> longer.played[:2] == result.played, len(longer.played)
        (True, 4)
        """
        path = Path(path)
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            raise FileExistsError(_("{file} is there already").format(file=path)) from None
        try:
            with Store(path, self.heading) as store:
                store.add(self.played)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path

    @classmethod
    @checked
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Return the games in such a file, round after round; raises `ParseError` that names the file and the line.

        >>> from tempfile import TemporaryDirectory
        >>> from tradekit import tournament
        >>> bots = {"one": "random", "two": "random"}
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "games.jsonl"
        ...     result = tournament.play("bazar", bots, games=2, progress=False, file=file, patience=2)
        ...     Result.load(file).played == result.played
        True
        """
        return cls(*Store.read(path))

    @checked
    def to_parquet(self, path: str | os.PathLike[str]) -> Path:
        """Write `games` to a Parquet file, complete or not at all; its ``attrs`` describe the tournament.

        Returns the path. Raises `ImportError` that says what to install if pyarrow is missing.

        >>> from tempfile import TemporaryDirectory
        >>> import pandas as pd
        >>> from tradekit import tournament
        >>> bots = {"one": "random", "two": "random"}
        >>> result = tournament.play("bazar", bots, games=2, progress=False, patience=2)
        >>> with TemporaryDirectory() as folder:
        ...     frame = pd.read_parquet(result.to_parquet(Path(folder) / "games.parquet"))
        >>> len(frame), frame.attrs["bots"]
        (2, {'one': 'random', 'two': 'random'})
        """
        need_pyarrow()
        frame = self.games.copy()
        frame.attrs.update(self.heading.values())
        with whole_files(path) as [file]:
            frame.to_parquet(file, engine="pyarrow", index=False)
        return Path(path)

    def _repr_html_(self) -> str:
        from tradekit.show.cell import page

        notes = [html.quiet(note) for note in (self.stopped, self.said_of_forfeits()) if note]
        return page(Markup(self.summary.round(3).to_html()), notes)


def _counted(wins: list[tuple[Played, float]]) -> tuple[int, float, float, float]:
    """Return how many there are, their mean, and its interval, with the games of one seed taken together."""
    if not wins:
        return 0, 0.0, 0.0, 1.0
    tables: dict[tuple[str, ...], list[float]] = {}
    for _seed, together in groupby(wins, key=lambda win: win[0].seed):  # they are in the order of the schedule
        shared = [*together]
        table = tuple(sorted(shared[0][0].bots))
        tables.setdefault(table, []).append(fmean(value for _game, value in shared))
    return len(wins), fmean(value for _game, value in wins), *interval(tables.values())
