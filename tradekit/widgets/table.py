"""The table: the widget in which a person plays any game, against bots or with others at the same screen.

It is three things: a `Match`, the page of those at one screen (`table_view`), and a comm that carries the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tradekit import bots
from tradekit._utils.arguments import checked
from tradekit._utils.atomic_files import GuardedFile
from tradekit.bots import Bot
from tradekit.game import State, begin
from tradekit.i18n import _
from tradekit.match import PAUSE, Match
from tradekit.record import Record
from tradekit.widgets import table_page
from tradekit.widgets.page_widget import LivePage
from tradekit.widgets.table_view import SharedView


@checked
def play(
    game: str | State | Record,
    seats: Mapping[int, str | Bot] | None = None,
    *,
    seed: int | None = None,
    file: str | Path | None = None,
    pause: float = PAUSE,
) -> Table:
    """A table at which `game` is played: a game's name, a state to begin with, or a `Record` to go on with.

    `seats` says who plays: a bot or a bot's name; any other text is a person's name, and a seat that is not named is a
    person's (in a record, whoever sat there). Without `seats` you play against the game's best bot. All this can be
    changed at the table. Chance is drawn from `seed`, so the same choices meet the same luck. The game saves itself
    after every move to `file`, by default to one with a new name in the folder of the notebook. Bots take `pause`
    seconds a move or more.

    A record may be given a `file` that holds the same game: where one of the two has gone on from the other, the longer
    one is played on. Raises `ValueError` for a seat that does not exist and for a `file` that holds anything else.

    >>> from tradekit import bazar
    >>> table = play(bazar.new(players=1, seed=7), {0: "me"}, seed=7)
    >>> table
    <Table: bazar, me, 0 actions, seed 7>
    >>> play(bazar.new(players=2, seed=7), seed=7)
    <Table: bazar, you, policy, 0 actions, seed 7>
    """
    game = begin(game) if isinstance(game, str) else game
    kept = None if file is None else GuardedFile(file)  # as it is before it is read
    if file is not None and Path(file).exists():
        game = _gone_on(game, Path(file))
    if seats is None and isinstance(game, State):
        best = bots.opponent(game.game, game.players)
        seats = {0: _("you"), **dict.fromkeys(range(1, game.players), best)}
    return Table(Match(game, seats, seed, kept, pause))


class Table(SharedView, LivePage):
    """The widget. `record` and `state` are plain values, for whoever goes on in Python."""

    sheets = ("live", "table")

    def __repr__(self) -> str:
        return f"<Table: {self.match}>"

    def write_still(self) -> dict[str, str]:
        """The page as a picture: see `table_page`."""
        return table_page.still(self)


def _gone_on(game: State | Record, file: Path) -> Record:
    """The game of a file and of a record, so far as either has come; raises `ValueError` unless it is one game."""
    if isinstance(game, Record):
        there = Record.load(file)
        shorter, longer = sorted((there, game), key=lambda record: len(record.moves))
        if there.start == game.start and shorter.moves == longer.moves[: len(shorter.moves)]:
            return replace(longer, notes=tuple({**dict(there.notes), **dict(longer.notes)}.items()))
        raise ValueError(_("{name} holds another game, which would be lost; give another file").format(name=file))
    resume = f"tradekit.play(tradekit.Record.load({str(file)!r}), file={str(file)!r})"
    raise ValueError(_("there is a file {name} already; go on with it by {resume}").format(name=file, resume=resume))
