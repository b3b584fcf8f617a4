"""A played game as text: write it, read it back, replay it.

A record is the state in which a game began and what everybody has done since, one action per line. Every state of the
game can be rebuilt from it, without a seed. People can read and write it:

    tradekit record 1
    start: bazar players=2 deck=house cards=1,4 step=turn turn=p0 hands=-,- stalls=...
    p0: me
    p1: chain

    p0 roll
    chance R        # what the die said
    p1 roll
    end: 3 actions

The last line shows that nothing was cut off.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tradekit import game
from tradekit._utils.arguments import checked
from tradekit._utils.atomic_files import whole_files
from tradekit._utils.display_names import isolated
from tradekit._utils.tables import decode, why_no_text
from tradekit.game import CHANCE, UNTOLD, Action, IllegalAction, ParseError, State, choices
from tradekit.i18n import _
from tradekit.show.names import name_of
from tradekit.show.voice import Draw, Voice

if TYPE_CHECKING:
    import pandas as pd

VERSION: Final = 1
_HEADING: Final = "tradekit record"
_WORLDS: Final = 20  #: enough that when two things are both consistent, both come up


class Move(NamedTuple):
    """An action and its actor: a player, or `CHANCE`."""

    actor: int
    action: Action

    def __str__(self) -> str:
        return f"{actor_text(self.actor)} {self.action}"


@dataclass(frozen=True)
class Record:
    """A game so far: its first state, its players, and its moves.

    Names and notes are kept on one line each, and a player without a name is called by the number of the seat, so that
    a record can always be read back. Raises `ValueError` for a note whose name could be confused with another line of
    the header.

    >>> from tradekit import bazar
    >>> record = Record.begin(bazar.new(cards=(1, 4), seed=7), ["me", "you"])
    >>> record = record.with_move("roll").with_move("R")
    >>> record.moves[-1].actor == CHANCE, str(record.state().holdings[record.moves[0].actor])
    (True, 'R')
    """

    start: State
    names: tuple[str, ...]  #: names of the players, by seat
    moves: tuple[Move, ...] = ()
    notes: tuple[tuple[str, str], ...] = field(default=(), compare=False)  #: other lines of the header, such as a seed

    def __post_init__(self) -> None:
        seats = self.start.players
        if len(self.names) > seats:
            raise ValueError(_("{n} names for {seats} seats").format(n=len(self.names), seats=seats))
        given = [*map(_one_line, self.names), *[""] * (seats - len(self.names))]
        names = tuple(name or name_of(seat) for seat, name in enumerate(given))
        notes = tuple((_one_line(name), _one_line(value)) for name, value in self.notes)
        reserved = {"start", *map(actor_text, range(seats))}
        for name, value in notes:
            if name in reserved or _read_header(f"{name}: {value}") != (name, value):
                raise ValueError(
                    _("{name!r} is no name for a note; a word or two are needed, such as seed").format(name=name)
                )
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "notes", notes)

    @classmethod
    @checked
    def begin(cls, start: State, names: Sequence[str] = (), **notes: object) -> Record:
        """Return an empty record of a game that begins with `start`; `notes` are kept in the header."""
        return cls(start, tuple(map(str, names)), (), tuple((name, str(value)) for name, value in notes.items()))

    @checked
    def with_move(self, action: str, actor: int | None = None) -> Record:
        """Return the record with one more action; `actor` can be left out if only one actor is to move.

        Raises `IllegalAction` or `ParseError`, and then nothing has changed.
        """
        state = self.state()
        if actor is None:
            actor = state.actors[0] if len(state.actors) == 1 else None
        if actor is None:
            raise IllegalAction(
                _("say who acts: {actors}").format(actors=", ".join(map(actor_text, state.actors)) or "-")
            )
        new = state.after(action, actor)
        return self._of((*self.moves, Move(actor, exact(state, actor, action, new))), [*self._states, new])

    @checked
    def before(self, move: int) -> Record:
        """Return the record as it was before a move: that move and all later ones are removed.

        >>> from tradekit import bazar
        >>> len(Record.begin(bazar.new(seed=7)).with_move("roll").with_move("R").before(1).moves)
        1
        """
        moves = self.moves[:move]
        return self._of(moves, self._states[: len(moves) + 1])

    def _of(self, moves: tuple[Move, ...], states: list[State]) -> Record:
        """Return this game with other moves and the states that they lead to, without checking them again."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, moves=moves, _states=states)
        return other

    @cached_property
    def _states(self) -> list[State]:
        states = [self.start]
        for place, (actor, action) in enumerate(self.moves):
            try:
                states.append(_after(states[-1], actor, action))
            except ValueError as error:
                raise type(error)(_("action {n}: {error}").format(n=place + 1, error=error)) from None
        return states

    def states(self) -> Iterator[State]:
        """Return every state of the game, the first one first; one more than there are moves.

        >>> from tradekit import bazar
        >>> [state.actors for state in Record.begin(bazar.new(seed=7)).with_move("roll").states()]
        [(0,), (-1,)]
        """
        return iter(self._states)

    @checked
    def state(self, move: int | None = None) -> State:
        """Return the state after `move` moves; None: the last one. `IndexError` for a number that does not exist."""
        if move is not None and not 0 <= move <= len(self.moves):
            raise IndexError(_("move {n}: the record has {most}").format(n=move, most=len(self.moves)))
        return self._states[-1 if move is None else move]

    def _need(self, player: int, place: int) -> None:
        """Raise an error for a player or a place in the record that does not exist."""
        self.start.need_player(player)
        if not 0 <= place < len(self.moves):
            raise IndexError(_("move {n}: the record has {most}").format(n=place, most=len(self.moves)))

    @checked
    def knows(self, player: int, place: int) -> bool:
        """Return whether a player can tell by now what was done at that place, given what the states showed the player.

        Players know their own choices. They know another's once the last choice of its moment has been made, if a
        different choice would have shown them a different state: a bid that is revealed, but not a card dealt to
        somebody else.

        >>> from tradekit import turin
        >>> record = Record.begin(turin.new(3)).with_move("deal 7")
        >>> record.knows(0, 0), record.knows(1, 0)
        (True, False)
        """
        self._need(player, place)
        if player == self.moves[place].actor:
            return True
        end = place
        while end < len(self.moves) and len(self._states[end].actors) > 1:
            end += 1
        return end < len(self.moves) and _tells(self._states[place], self.moves[place : end + 1], player)

    @checked
    def visible_to(self, player: int, place: int) -> str:
        """Return what a player has been told by now about the action at that place; `game.UNTOLD` if that is nothing.

        >>> from tradekit import turin
        >>> record = Record.begin(turin.new(3)).with_move("deal 7")
        >>> record.visible_to(0, 0), record.visible_to(1, 0)
        (Action('deal 7'), '…')
        """
        self._need(player, place)
        actor, action = self.moves[place]
        if player == actor:
            return action
        told = self._states[place].visible_to(action, player, islice(self._states, place + 1, None))
        return told if told is not None else action if self.knows(player, place) else UNTOLD

    def sentence(self, place: int, told: str, voice: Voice) -> str:
        """Return the sentence about the action at a place of which so much is `told`; see `State.sentence`.

        >>> from tradekit import turin
        >>> Record.begin(turin.new(3)).with_move("deal 7").sentence(0, "…", Voice(names=["Ana"]))
        'Ana was dealt a card.'
        """
        state = self._states[place]
        if state.game.hidden and voice.reader is not None:
            state = state.hide_from(voice.reader)
        return state.sentence(told, self.moves[place].actor, voice)

    @checked
    def sentences(
        self, reader: int | None = None, *, since: int = 0, until: int | None = None, draw: Draw | None = None
    ) -> list[str]:
        """Return a sentence for each of the moves, with what that player has been told of them by now.

        `reader` is "you" in them; None: they tell everything, of everybody by name. They begin at the place `since` and
        end before `until`. `draw`: with pictures in them, as markup (see `show.voice`).

        >>> from tradekit import bazar
        >>> record = Record.begin(bazar.new(seed=7), ["Ana", "Bo"]).with_move("roll").with_move("R")
        >>> record.sentences(0), record.sentences(1, since=1)
        (['You rolled the die.', 'The die showed red.'], ['The die showed red.'])
        """
        if reader is not None:
            self.start.need_player(reader)
        voice = Voice(reader, self.names, draw)
        return [
            self.sentence(place, self.moves[place].action if reader is None else self.visible_to(reader, place), voice)
            for place in range(len(self.moves))[since:until]
        ]

    @property
    def chances(self) -> int:
        """Number of times that chance has acted: the place of the next chance event, for `game.keyed`."""
        return sum(move.actor == CHANCE for move in self.moves)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per move: ``actor, name, action``, the points and the ``state`` after it.

        ``actor`` is -1 for chance; the points are in ``points_0`` and so on, ``state`` is text. The index counts the
        moves from 1.

        >>> from tradekit import bazar
        >>> Record.begin(bazar.new(seed=7), ["Ana"]).with_move("roll").with_move("R").to_frame()[["name", "action"]]
                name action
        move
        1        Ana   roll
        2     chance      R
        """
        import pandas as pd

        rows = []
        for place, (move, state) in enumerate(zip(self.moves, self._states[1:], strict=True), 1):
            name = name_of(move.actor, self.names)
            rows.append((place, move.actor, name, str(move.action), *state.scores(), str(state)))
        points = [f"points_{player}" for player in range(self.start.players)]
        return pd.DataFrame(rows, columns=["move", "actor", "name", "action", *points, "state"]).set_index("move")

    # Text

    def __str__(self) -> str:
        heading = [f"{_HEADING} {VERSION}", f"start: {self.start}"]
        heading += [f"p{seat}: {name}" for seat, name in enumerate(self.names)]
        heading += [f"{name}: {value}".rstrip() for name, value in self.notes]
        return "\n".join([*heading, "", *map(str, self.moves), f"end: {len(self.moves)} actions", ""])

    def __repr__(self) -> str:
        return f"<Record: {self.start.game.name}, {', '.join(map(isolated, self.names))}, {len(self.moves)} actions>"

    @classmethod
    @checked
    def parse(cls, text: str) -> Record:
        """Return the record in a text, with every action replayed through the rules.

        Raises `ParseError` that names the line: a foreign or cut-off text, an action that the rules do not allow.

        >>> from tradekit import bazar
        >>> record = Record.begin(bazar.new(seed=7), ["Ana", "Bruno"]).with_move("roll")
        >>> Record.parse(str(record)) == record
        True
        """
        lines = [(n, line.strip()) for n, line in enumerate(decode(text).split("\n"), 1)]
        lines = [(n, line) for n, line in lines if line and not line.startswith("#")]
        if not lines or not lines[0][1].startswith(_HEADING):
            raise ParseError(_("this is no record: it does not begin with {heading!r}").format(heading=_HEADING))
        version = lines[0][1].removeprefix(_HEADING).strip()
        if version != str(VERSION):
            raise ParseError(
                _("line 1: version {version!r}; this tradekit reads {known}").format(version=version, known=VERSION)
            )
        header: dict[str, str] = {}
        body = lines[1:]
        while body and (said := _read_header(body[0][1])):
            header[said[0]] = said[1]
            body.pop(0)
        body = [(n, line.partition("#")[0].strip()) for n, line in body]
        if "start" not in header:
            raise ParseError(_("there is no line that begins with 'start: '"))
        try:
            start = game.read(header.pop("start"))
        except ParseError as error:
            raise ParseError(_("line of 'start: ': {error}").format(error=error)) from None
        names = [header.pop(f"p{seat}", "") for seat in range(start.players)]
        record = replace(cls.begin(start, names), notes=tuple(header.items()))
        if not body or not body[-1][1].startswith("end:"):
            raise ParseError(_("the record is cut off: its last line should be 'end: ...'"))
        moves, states = [], [start]
        for n, line in body[:-1]:
            try:
                actor, action = _read_move(line)
                states.append(_after(states[-1], actor, action))
            except ValueError as error:
                raise ParseError(_("line {n}: {line!r}: {error}").format(n=n, line=line, error=error)) from None
            moves.append(Move(actor, exact(states[-2], actor, action, states[-1])))
        end = body[-1][1].removeprefix("end:").split()
        if end[:1] != [str(len(moves))]:
            raise ParseError(
                _("line {n}: {there} actions stand here, not {said}: some are missing or too many").format(
                    n=body[-1][0], there=len(moves), said=" ".join(end) or "-"
                )
            )
        return record._of(tuple(moves), states)

    @checked
    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the record to a file, complete or not at all: the old content stays until the new one is complete.

        >>> from tempfile import TemporaryDirectory
        >>> from tradekit import bazar
        >>> record = Record.begin(bazar.new(seed=7)).with_move("roll")
        >>> with TemporaryDirectory() as folder:
        ...     Record.load(record.save(Path(folder) / "evening.record")) == record
        True
        """
        with whole_files(path) as [file]:
            file.write(str(self).encode())
        return Path(path)

    @classmethod
    @checked
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a record from a file, in any encoding that an editor has saved it in.

        Raises `ParseError` that names the file and the line.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "evening.record"
        ...     written = file.write_text("my game")
        ...     Record.load(file)
        Traceback (most recent call last):
        tradekit.game.ParseError: evening.record: this is no record: it does not begin with 'tradekit record'
        """
        content = Path(path).read_bytes()
        try:
            if why := why_no_text(content):
                raise ParseError(_("this is no record: {why}").format(why=why))
            return cls.parse(decode(content))
        except ParseError as error:
            raise ParseError(f"{Path(path).name}: {error}") from None


@lru_cache(2_000)
def _tells(state: State, moves: tuple[Move, ...], player: int) -> bool:
    """Return whether what a player sees after `moves` distinguishes the first of them from all others that it might be.

    That depends on what the player knows: the last card of a pack is the only one there, but not to a player who has
    not seen the others. So actions are also tried in `_WORLDS` states that are consistent with the player's view.
    """
    first, rest = moves[0], moves[1:]

    def after(state: State, action: Action) -> State | None:
        try:
            for actor, said in (Move(first.actor, action), *rest):
                state = state.after(said, actor)
        except IllegalAction:  # the later moves would be illegal after this first one
            return None
        return state

    end = after(state, first.action)
    assert end is not None
    seen, there = end.hide_from(player), choices(state, first.actor)
    for action in there:
        other = after(state, action) if action != first.action else None
        if other is not None and other != end and other.hide_from(player) == seen:
            return False
    luck = game.keyed(0, "worlds")
    for world in (state.view(player).sample(luck) for _world in range(_WORLDS)):
        for action in choices(world, first.actor):
            other = after(world, action) if action not in there else None
            if other is not None and other.hide_from(player) == seen:
                return False
    return True


def actor_text(actor: int) -> str:
    """Return the name of an actor, as a record writes it.

    >>> actor_text(1), actor_text(CHANCE)
    ('p1', 'chance')
    """
    return "chance" if actor == CHANCE else f"p{actor}"


def _one_line(text: str) -> str:
    """Return a name or a note as a text file can keep it: one line, no NUL, no halves of letters that UTF-8 lacks."""
    return " ".join(text.encode(errors="replace").decode().replace("\0", "?").split())


def _read_header(line: str) -> tuple[str, str] | None:
    """Return name and value, which may be empty, from a line of the header; None for a line of another kind."""
    name, sign, value = map(_one_line, f"{line} ".partition(": "))
    return (name, value) if sign and name and not f"{name}:".startswith(("end:", "#")) else None


def _read_move(line: str) -> tuple[int, str]:
    who, _space, action = line.partition(" ")
    if who == "chance":
        return CHANCE, action.strip()
    if not (who.startswith("p") and who[1:].isdecimal() and action):
        raise ParseError(_("a line says who acts and what: 'p0 roll' or 'chance R'"))
    return int(who[1:]), action.strip()


def exact(state: State, actor: int, action: str, new: State) -> Action:
    """Return the exact text of an action that may have been typed in another form; `new` is the state it leads to.

    >>> from tradekit import bazar
    >>> state = bazar.new(players=2, seed=7)
    >>> exact(state, 0, " ROLL", state.after(" ROLL"))
    Action('roll')
    """
    there = choices(state, actor)
    if action in there:
        return Action(action)
    return next(choice for choice in there if state.after(choice, actor) == new)


def _after(state: State, actor: int, action: str) -> State:
    """Return the state after an action of that actor, who must be one of those to move."""
    if actor not in state.actors:
        raise IllegalAction(
            _("{actor} is not to act here, but {actors}").format(
                actor=actor_text(actor), actors=", ".join(map(actor_text, state.actors)) or _("nobody: it is over")
            )
        )
    return state.after(action, actor)
