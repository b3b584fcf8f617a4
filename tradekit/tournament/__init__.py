"""Many games between bots, as tables: who wins how often, and how certain that is.

Every pairing plays in every seating order, and all orders of a round meet the same chance: the n-th roll of the die and
the n-th ware revealed are the same, whoever has the seat. So a difference between two bots is less a matter of luck.

A game follows from its seed and its seating, so it does not matter which process plays it: `play` takes any
`concurrent.futures.Executor`, and with a file an interrupted tournament goes on where it stopped. `schedule` decides
who meets whom, `play_game` plays a game, `decisions` gets a bot's decision, `executors` has batches played elsewhere,
`diary` and `lost` deal with games that end with their process, `store` keeps games in a file, `results` counts them.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack, nullcontext
from tempfile import TemporaryDirectory
from typing import Any

from tradekit._utils.arguments import checked, items, need_at_least, need_one_of, whole
from tradekit.bots import Bot, check_name, make
from tradekit.game import Game, State, begin, find
from tradekit.i18n import _
from tradekit.tournament.decisions import BotError
from tradekit.tournament.diary import under_way
from tradekit.tournament.executors import send_all
from tradekit.tournament.lost import play_alone
from tradekit.tournament.play_game import ERRORS, FORFEIT, STOP, Forfeit, Job, Played
from tradekit.tournament.results import Result, Z, interval
from tradekit.tournament.schedule import Seating, batches, schedule
from tradekit.tournament.store import Heading, Store

__all__ = ["BotError", "Forfeit", "Played", "Result", "Z", "interval", "play"]


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
    errors: str = STOP,
    seconds: float | None = None,
    executor: Executor | None = None,
    file: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Result:
    """Play `games` games for each pairing of `bots` (rounded up, so that every seat is taken equally often).

    `game` is a game or its name, with `players` and `options` for its ``new``; or a state from which every game begins.
    `bots` are names or bots; give a dict if several have the same name, or to rename them. If a game needs more players
    than there are bots, all bots sit down, in turn, until the table is full. A game ends after `limit` decisions at the
    latest. Equal seeds give equal results, on every executor, for bots that do not go by the clock and carry nothing
    over from one game to the next. With `records` every `Played` has its game's `Record`.

    `errors` decides what happens if a bot raises an error, or chooses something that is not one of its actions. "stop"
    raises `BotError`, which names the bot, the game, its seed and the move, and whose ``result`` has what was played.
    With "forfeit" the bot loses that game, the others share the win, and `Result.forfeits` counts such games
    separately. If `seconds` is given, a decision may take at most that long, measured by the clock. A result in which
    anybody ran out of time is not `Result.reproducible`.

    `executor` plays the games elsewhere, such as a `ProcessPoolExecutor`, Dask's ``client.get_executor()`` or
    ipyparallel's ``client.executor()``; without one they are played here. A batch of games that fails is sent again
    twice; then its error is raised.

    After an interrupt, or if a pool breaks, the games played are kept, with a warning that says how to go on; the
    result's `stopped` says why it ended. With `file` every game is written there as soon as it is played, and the same
    call, or one with more `games`, goes on from there; forfeited games are not played again. Raises `ValueError` for a
    file of another tournament and `ParseError` for a damaged one, with the line; nothing in them is changed.

    >>> result = play("bazar", ["chain", "random"], games=2, progress=False, cards=(1, 4))
    >>> result.summary["wins"].to_dict()
    {'chain': 1.0, 'random': 0.0}
    """
    start = _start(game, players, options)
    named = _named(bots, start.game)
    need_at_least(1, games=games, limit=limit)
    need_one_of("errors", errors, ERRORS)
    if seconds is not None and not seconds > 0:
        raise ValueError(_("seconds={seconds}: must be more than 0, or None for no limit").format(seconds=seconds))
    for name, bot in named.items():
        if bot.games and start.game.name not in bot.games:
            raise ValueError(_("bot {name!r} does not play {game}").format(name=name, game=start.game.name))
    if executor is not None and not isinstance(executor, Executor):
        message = _("executor={executor!r}: a concurrent.futures.Executor is needed, such as client.get_executor()")
        raise ValueError(message.format(executor=executor))
    job = Job(start, named, limit, records, errors, seconds)
    seatings = [*schedule([*named], start.players, games, seed)]
    heading = Heading.of(job, seed)
    diaries = nullcontext("") if executor is None else TemporaryDirectory(ignore_cleanup_errors=True)
    with ExitStack() as open_:
        job = job._replace(diary=open_.enter_context(diaries))
        sent = None if executor is None else job.packed()
        store = None if file is None else open_.enter_context(Store(file, heading))
        done = {} if store is None else {game.seating: game for game in store.games}
        left = [seating for seating in seatings if seating not in done]
        why = ""

        def keep(played: Sequence[Played]) -> None:
            if store is not None:
                store.add(played)
            done.update((game.seating, game) for game in played)
            shown(len(played))

        def result() -> Result:
            played = [done[seating] for seating in seatings if seating in done]
            message = _("{why}: {done} of {games} games are played")
            stopped = message.format(why=why, done=len(played), games=len(seatings)) if why else ""
            return Result(heading, played, stopped)

        shown = _bar(progress, len(seatings), len(seatings) - len(left))
        try:
            if executor is None or sent is None:
                for seating in left:
                    keep([job.play(seating)])
            else:
                send_all(executor, sent, batches(left), keep)
        except KeyboardInterrupt:
            why = _("interrupted")
            if store is not None:  # a game may have been written, and not counted yet
                done |= {game.seating: game for game in Store.read(store.path)[1]} | done
        except BrokenExecutor as error:
            blame = _blame(job, [seating for seating in left if seating not in done], keep)
            why = _("the executor broke ({kind}: {error})").format(
                kind=type(error).__name__, error="; ".join([str(error), *blame])
            )
            warnings.warn(f"{result().stopped}; {_resume(file)}", RuntimeWarning, stacklevel=2)
        except BotError as error:
            why = str(error)
            error.result = result()
            raise
        finally:
            shown(None)
    if said := result().said_of_forfeits():
        warnings.warn(said, RuntimeWarning, stacklevel=2)
    return result()


def _blame(job: Job, left: Collection[Seating], keep: Callable[[Sequence[Played]], None]) -> Iterator[str]:
    """Play again the games that were lost with a process, and yield which bot ended each; `keep` those that finish."""
    for seating, _moves in under_way(job.diary):
        game = play_alone(job, seating) if seating in left else None
        if game and game.forfeit:
            yield game.forfeit.said(job.start, seating)
        if game and (job.errors == FORFEIT or not game.forfeit):
            keep([game])


def _named(bots: Sequence[str | Bot] | Mapping[str, str | Bot], game: Game) -> dict[str, Bot]:
    if isinstance(bots, Mapping):
        named = {name: _made(bot, game) for name, bot in bots.items()}
    else:
        several = [bots] if isinstance(bots, str | Bot) else items(bots, "bots", example="('chain', 'random')")
        made = [_made(bot, game) for bot in several]
        named = {bot.name: bot for bot in made}
        if len(named) < len(made):
            raise ValueError(_("several bots have one name; give a dict with a name for each"))
    if not named:
        raise ValueError(_("a tournament needs bots"))
    for name in named:
        check_name(name)
    return named


def _made(bot: str | Bot, game: Game) -> Bot:
    """Return the bot of a name; an error of its `__init__` names it."""
    try:
        return make(bot, game=game)
    except ValueError:
        raise
    except (Exception, SystemExit) as error:
        message = _("bot {name!r} cannot be made: {kind}: {error}")
        raise ValueError(message.format(name=bot, kind=type(error).__name__, error=error)) from error


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
    """Return a progress bar's function: call it with the number of games just played, and with None at the end."""
    if not progress:
        return lambda more: None
    from tqdm.auto import tqdm

    bar = tqdm(total=games, initial=done, unit=_("game"))
    return lambda more: bar.close() if more is None else bar.update(more)


def _resume(file: str | os.PathLike[str] | None) -> str:
    """Return how to go on with an executor that works."""
    if file is None:
        return _("result.save(file) writes them down, and the same call with file=... goes on from there")
    return _("they are in {file}, and the same call goes on from there").format(file=os.fspath(file))
