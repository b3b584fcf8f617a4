"""Games that were lost with the process that played them: whose bot ended it.

When one process of an executor is lost, the executor ends all others as well. So each game that was under way (`diary`)
is played once more in a process of its own; if a game ends this process too, the bot to move forfeits it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context
from tempfile import TemporaryDirectory

from tradekit.game import CHANCE
from tradekit.i18n import _
from tradekit.record import Move, Record
from tradekit.tournament.diary import under_way
from tradekit.tournament.play_game import FORFEIT, Forfeit, Job, Played, play_batch, shared
from tradekit.tournament.schedule import Seating


def play_alone(job: Job, seating: Seating) -> Played | None:
    """Play a game in a process of its own, forfeiting it if it ends that; None if no bot had the move then."""
    with TemporaryDirectory() as folder:
        packed = job._replace(errors=FORFEIT, diary=folder).packed()
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            try:
                return pool.submit(play_batch, packed, [seating]).result()[0]
            except BrokenExecutor:
                return next((_forfeited(job, *game) for game in under_way(folder)), None)


def _forfeited(job: Job, seating: Seating, moves: Sequence[Move]) -> Played | None:
    record = Record.begin(job.start, seating.bots)
    for actor, action in moves:
        record = record.with_move(action, actor)
    state, seat = record.state(), (*record.state().actors, CHANCE)[0]
    if seat == CHANCE:
        return None
    forfeit = Forfeit(seat, len(moves) + 1, _("ended the process that it was played in"), late=False)
    decisions = sum(actor != CHANCE for actor, _action in moves)
    kept = record if job.records else None
    return Played(*seating, state.scores(), shared(state.players, seat), decisions, False, kept, forfeit)
