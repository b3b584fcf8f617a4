"""Many games between bots, into tables: who wins how often, and how sure that is.

Every pairing sits down in every order, and all orders of a round meet the same chance: the n-th roll of the die, the
n-th ware turned up are the same, whoever has the seat. So a difference between two bots is less a matter of luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tradekit.bots import Bot, make, standing
from tradekit.game import CHANCE, Action, Game, State, draw, find, keyed
from tradekit.i18n import _
from tradekit.record import Move, Record

if TYPE_CHECKING:
    import pandas as pd

Z: Final = 1.959963984540054  #: a normal value lies within so many standard deviations in 95 % of cases


class Played(NamedTuple):
    """A game played: everything by seat."""

    round: int
    seed: int  #: of its chance
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]  #: of the win
    decisions: int  #: how many there were in all
    finished: bool  #: else it was broken off, and those who led by points share the win
    record: Record | None = None  #: of the game, if they were asked for


def interval(mean: float, n: int) -> tuple[float, float]:
    """The 95 % interval for a share that was `mean` in `n` games (Wilson, J. Amer. Statist. Assoc. 22, 1927).

    For wins that are shared it is a little too wide.

    >>> [round(end, 3) for end in interval(0.6, 100)]
    [0.502, 0.691]
    """
    if n == 0:
        return 0.0, 1.0
    centre = (mean + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True)
class Result:
    """What a tournament brought. The tables are pandas data frames."""

    bots: tuple[str, ...]
    played: list[Played] = field(repr=False)
    complete: bool = True  #: whether it was not interrupted

    @cached_property
    def games(self) -> pd.DataFrame:
        """A row a game: ``round, seed``, then ``bot_0, score_0, share_0`` for each seat, ``decisions, finished``."""
        import pandas as pd

        rows = []
        for game in self.played:
            row: dict[str, Any] = {"round": game.round, "seed": game.seed}
            for seat, name in enumerate(game.bots):
                row |= {f"bot_{seat}": name, f"score_{seat}": game.scores[seat], f"share_{seat}": game.shares[seat]}
            rows.append(row | {"decisions": game.decisions, "finished": game.finished})
        return pd.DataFrame(rows)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row a bot, the most wins first: ``games, wins, low, high, score``.

        ``wins`` is the mean share of the win, ``low`` to ``high`` its 95 % interval, ``score`` the mean of the points.
        """
        import pandas as pd

        rows = []
        for bot in self.bots:
            seats = [
                (game.shares[seat], game.scores[seat])
                for game in self.played
                for seat, name in enumerate(game.bots)
                if name == bot
            ]
            n = len(seats)
            wins, score = (sum(column) / n for column in zip(*seats, strict=True)) if n else (0.0, 0.0)
            rows.append((bot, n, wins, *interval(wins, n), score))
        frame = pd.DataFrame(rows, columns=["bot", "games", "wins", "low", "high", "score"]).set_index("bot")
        return frame.sort_values("wins", ascending=False, kind="stable")

    @cached_property
    def pairwise(self) -> pd.DataFrame:
        """A row for each bot and each it met, ``games, wins, low, high``: how often it did better, with interval.

        Better is a larger share of the win, or else more points; equal counts half. ``pairwise["wins"].unstack()`` is
        the square table, rows against columns.
        """
        import pandas as pd

        met: dict[tuple[str, str], list[float]] = {
            (one, other): [] for one in self.bots for other in self.bots if one != other
        }
        for game in self.played:
            for a, b in permutations(range(len(game.bots)), 2):
                if game.bots[a] != game.bots[b]:
                    ours, theirs = (game.shares[a], game.scores[a]), (game.shares[b], game.scores[b])
                    met[game.bots[a], game.bots[b]].append(0.5 if ours == theirs else float(ours > theirs))
        rows = [
            (*pair, len(wins), mean := sum(wins) / len(wins), *interval(mean, len(wins)))
            for pair, wins in met.items()
            if wins
        ]
        frame = pd.DataFrame(rows, columns=["bot", "against", "games", "wins", "low", "high"])
        return frame.set_index(["bot", "against"])

    def _repr_html_(self) -> str:
        from tradekit.theme import page

        return page(self.summary.round(3).to_html())


def play(
    game: str | Game | State,
    bots: Sequence[str | Bot] | Mapping[str, str | Bot],
    games: int = 1000,
    seed: int = 0,
    *,
    players: int | None = None,
    limit: int = 20_000,
    progress: bool = True,
    records: bool = False,
    **options: Any,
) -> Result:
    """Play `games` games for each pairing of `bots` (rounded up, so that every seat is taken equally often).

    `game` is a game or its name, with `players` and `options` for its ``new``; or a state, and every game begins there.
    `bots` are names or bots; of several with one name, or to name them anew, give a dict. Where more play than there
    are bots, all bots sit down, in turn, until the table is full. A game ends after `limit` decisions at the latest.
    Equal seeds give equal results for bots that do not go by the clock. An interrupt keeps what was played. With
    `records` every `Played` has its game's `Record`.

    >>> result = play("bazar", ["chain", "random"], games=2, progress=False, cards=(1, 4))
    >>> result.summary["wins"].to_dict()
    {'chain': 1.0, 'random': 0.0}
    """
    named = _named(bots)
    start = _start(game, players, options)
    if games < 1 or limit < 1:
        raise ValueError(_("games={games}, limit={limit}: 1 or more are needed").format(games=games, limit=limit))
    for name, bot in named.items():
        if bot.games and start.game.name not in bot.games:
            raise ValueError(_("bot {name!r} does not play {game}").format(name=name, game=start.game.name))
    schedule = [*_schedule([*named], start.players, games, seed)]
    played: list[Played] = []
    try:
        for number, game_seed, seats in _shown(schedule, progress):
            played.append(_play(start, named, seats, number, game_seed, limit, records))
    except KeyboardInterrupt:
        return Result(tuple(named), played, complete=False)
    return Result(tuple(named), played)


def _named(bots: Sequence[str | Bot] | Mapping[str, str | Bot]) -> dict[str, Bot]:
    if isinstance(bots, Mapping):
        named = {name: make(bot) for name, bot in bots.items()}
    else:
        made = [*map(make, bots)]
        named = {bot.name: bot for bot in made}
        if len(named) < len(made):
            raise ValueError(_("several bots have one name; give a dict with a name for each"))
    if not named:
        raise ValueError(_("a tournament needs bots"))
    return named


def _start(game: str | Game | State, players: int | None, options: dict[str, Any]) -> State:
    if isinstance(game, State):
        if players is not None or options:
            raise ValueError(_("a state says itself how many play and by what rules"))
        return game
    game = find(game) if isinstance(game, str) else game
    if players is None:
        players = 2 if 2 in game.players else min(game.players)
    return game.new(players=players, **options)


def _schedule(bots: list[str], players: int, games: int, seed: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Round, seed and who sits where, round after round, so that an interrupted tournament is even."""
    tables = [*combinations(bots, players)] or [tuple(bots[seat % len(bots)] for seat in range(players))]
    for number in range(-(-games // players)):
        for table in tables:
            game_seed = keyed(seed, "tournament", *table, number).getrandbits(32)
            for turned in range(players):
                yield number, game_seed, table[turned:] + table[:turned]


def _shown(schedule: Sequence[Any], progress: bool) -> Iterator[Any]:
    if not progress:
        return iter(schedule)
    from tqdm.auto import tqdm

    return iter(tqdm(schedule, unit=_("game")))


def _play(
    start: State, named: dict[str, Bot], seats: tuple[str, ...], number: int, seed: int, limit: int, records: bool
) -> Played:
    state, luck, moves = start, _Luck(seed), list[Move]()
    # A bot's own chance goes with it from seat to seat.
    rngs = [keyed(seed, "bot", name, seats[:seat].count(name)) for seat, name in enumerate(seats)]
    decisions = 0
    while (actors := state.actors) and decisions < limit:
        actor = actors[0]  # of several at once the first: the others' views do not show what it does
        if actor == CHANCE:
            action = luck.draw(state)
        else:
            action = named[seats[actor]].choose(state.view(actor), state.actions(actor), rngs[actor])
            decisions += 1
        state = state.after(action, actor)
        if records:
            moves.append(Move(actor, Action(action)))
    record = Record(start, seats, tuple(moves)) if records else None
    return Played(number, seed, seats, state.scores(), standing(state), decisions, not state.actors, record)


class _Luck:
    """Chance by kind and count: however the games go, the n-th roll of the die is the same."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.count: Counter[str] = Counter()

    def draw(self, state: State) -> Action:
        outcomes = state.outcomes()
        kind = outcomes[0][0].split()[0]  # such as "ware"
        self.count[kind] += 1
        return draw(outcomes, keyed(self.seed, "chance", kind, self.count[kind]))
