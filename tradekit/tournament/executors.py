"""Batches of games on any executor: sent all at once, kept as they come back, sent again when they fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from queue import SimpleQueue
from typing import Final

from tradekit.tournament.play_game import Played, play_batch
from tradekit.tournament.schedule import Seating

ATTEMPTS: Final = 3  #: times that a batch is sent: a worker may be lost with its batch, and so may the next one

Batch = Sequence[Seating]
Sent = Future[list[Played]]


def send_all(
    executor: Executor, packed: bytes, batches: Iterable[Batch], keep: Callable[[Sequence[Played]], None]
) -> None:
    """Have all batches of a packed `Job` played, and `keep` each one as it comes back, in any order.

    Raises the error of a batch that failed `ATTEMPTS` times, or `BrokenExecutor` if the executor takes no more batches;
    an interrupt passes through. In all these cases the batches that are back by then are kept, and the rest cancelled.
    """
    back: SimpleQueue[Sent] = SimpleQueue()  # not `as_completed`, which would miss batches that are sent again
    sent: dict[Sent, tuple[Batch, int]] = {}

    def send(batch: Batch, attempt: int) -> None:
        future = executor.submit(play_batch, packed, batch, attempt)
        sent[future] = batch, attempt
        future.add_done_callback(back.put)

    try:
        for batch in batches:
            send(batch, 1)
        while sent:
            future = back.get()
            batch, attempt = sent.pop(future)
            try:
                games = future.result()
            except BrokenExecutor:
                raise
            except Exception:
                if attempt == ATTEMPTS:
                    raise
                send(batch, attempt + 1)
            else:
                keep(games)
    finally:
        for future in sent:
            future.cancel()
        if sent and hasattr(executor, "view"):  # ipyparallel's engines are not told of a cancelled future
            executor.view.abort([*sent], block=False)
        while not back.empty():
            future = back.get()
            if sent.pop(future, None) and not future.cancelled() and not future.exception():
                keep(future.result())
