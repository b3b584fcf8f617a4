"""Many games between bots, into tables: who wins how often, and how sure that is.

Every pairing sits down in every order, and all orders of a round meet the same chance: the n-th roll of the die, the
n-th ware turned up are the same, whoever has the seat. So a difference between two bots is less a matter of luck.

A game follows from its seed and from who sits where, so it does not matter which process plays it: `play` takes any
`concurrent.futures.Executor`, and with a file an interrupted tournament goes on where it was. `schedule` says who meets
whom, `playing` plays a game, `sending` has batches of them played elsewhere, `store` keeps them in a file, `results`
counts them.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import nullcontext
from typing import Any

from tradekit.arguments import checked, items, need_at_least, whole
from tradekit.bots import Bot, make
from tradekit.game import Game, State, begin, find
from tradekit.i18n import _
from tradekit.tournament.playing import Job, Played
from tradekit.tournament.results import Result, Z, interval
from tradekit.tournament.schedule import batches, schedule
from tradekit.tournament.sending import send_all
from tradekit.tournament.store import Heading, Store

__all__ = ["Played", "Result", "Z", "interval", "play"]


@checked(games=whole(1, 10_000_000), limit=whole(1))
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
    executor: Executor | None = None,
    file: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Result:
    """Play `games` games for each pairing of `bots` (rounded up, so that every seat is taken equally often).

    `game` is a game or its name, with `players` and `options` for its ``new``; or a state, and every game begins there.
    `bots` are names or bots; of several with one name, or to name them anew, give a dict. Where more play than there
    are bots, all bots sit down, in turn, until the table is full. A game ends after `limit` decisions at the latest.
    Equal seeds give equal results, on every executor, for bots that do not go by the clock and carry nothing over from
    one game to the next. With `records` every `Played` has its game's `Record`.

    `executor` plays the games elsewhere, such as a `ProcessPoolExecutor`, Dask's ``client.get_executor()`` or
    ipyparallel's ``client.executor()``; without one they are played here. A batch of games that fails is sent again
    twice; then its error is raised.

    An interrupt keeps what was played, and so does a pool that broke, with a warning that says how to go on; the
    result's `stopped` says why it ended. With `file` every game is written there as soon as it is played, and the same
    call, or one with more `games`, goes on from there. Raises `ValueError` for a file of another tournament and
    `ParseError` for a damaged one, with the line; nothing in them is changed.

    >>> result = play("bazar", ["chain", "random"], games=2, progress=False, cards=(1, 4))
    >>> result.summary["wins"].to_dict()
    {'chain': 1.0, 'random': 0.0}
    """
    named = _named(bots)
    start = _start(game, players, options)
    need_at_least(1, games=games, limit=limit)
    for name, bot in named.items():
        if bot.games and start.game.name not in bot.games:
            raise ValueError(_("bot {name!r} does not play {game}").format(name=name, game=start.game.name))
    if executor is not None and not isinstance(executor, Executor):
        message = _("executor={executor!r}: a concurrent.futures.Executor is needed, such as client.get_executor()")
        raise ValueError(message.format(executor=executor))
    job = Job(start, named, limit, records)
    sent = None if executor is None else job.packed()
    seatings = [*schedule([*named], start.players, games, seed)]
    heading = Heading.of(job, seed)
    with nullcontext() if file is None else Store(file, heading) as store:
        done = {} if store is None else {game.seating: game for game in store.games}
        left = [seating for seating in seatings if seating not in done]
        stopped = ""

        def keep(played: Sequence[Played]) -> None:
            if store is not None:
                store.add(played)
            done.update((game.seating, game) for game in played)
            shown(len(played))

        shown = _bar(progress, len(seatings), len(seatings) - len(left))
        try:
            if executor is None or sent is None:
                for seating in left:
                    keep([job.play(seating)])
            else:
                send_all(executor, sent, batches(left), keep)
        except (KeyboardInterrupt, BrokenExecutor) as error:
            stopped = _stopped(error, len(done.keys() & {*seatings}), len(seatings))
            if isinstance(error, BrokenExecutor):
                warnings.warn(f"{stopped}; {_resume(file)}", RuntimeWarning, stacklevel=2)
        finally:
            shown(None)
    return Result(heading, [done[seating] for seating in seatings if seating in done], stopped)


def _named(bots: Sequence[str | Bot] | Mapping[str, str | Bot]) -> dict[str, Bot]:
    if isinstance(bots, Mapping):
        named = {name: make(bot) for name, bot in bots.items()}
    else:
        made = [*map(make, items(bots, "bots", example="('chain', 'random')"))]
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
    return begin(game, players=players, **options)


def _bar(progress: bool, games: int, done: int) -> Callable[[int | None], object]:
    """What is told how many games more are played, and None at the end: it shows them, if it is to."""
    if not progress:
        return lambda more: None
    from tqdm.auto import tqdm

    bar = tqdm(total=games, initial=done, unit=_("game"))
    return lambda more: bar.close() if more is None else bar.update(more)


def _stopped(error: BaseException, done: int, games: int) -> str:
    """Why a tournament ended early, and how far it came."""
    why = _("interrupted")
    if isinstance(error, BrokenExecutor):
        why = _("the executor broke ({kind}: {error})").format(kind=type(error).__name__, error=error)
    return _("{why}: {done} of {games} games are played").format(why=why, done=done, games=games)


def _resume(file: str | os.PathLike[str] | None) -> str:
    """How it goes on, with an executor that works."""
    if file is None:
        return _("result.save(file) writes them down, and the same call with file=... goes on from there")
    return _("they are in {file}, and the same call goes on from there").format(file=os.fspath(file))
