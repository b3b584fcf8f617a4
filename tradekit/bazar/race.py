"""The race for the last ware: an endgame of two players, solved exactly for every pair of hands (BZ-45).

The two numbers of a pair come from `race_values`; the best actions follow from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from math import log10
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tradekit._utils import ties
from tradekit._utils.arguments import checked, generator, need_at_least, whole
from tradekit._utils.machine import tell_once, why
from tradekit.bazar import policy, race_files, race_values, render
from tradekit.bazar.bellman import Floats
from tradekit.bazar.chains import purchases
from tradekit.bazar.hands import N_ALL, N_ROLLED, RETURNED, ROLLED, Ints, Moves, N, holding, index
from tradekit.bazar.policy import ROLL, Goal
from tradekit.bazar.race_values import ACCURACY, Singles, Values
from tradekit.bazar.stones import COLOURS, FACES, Equation, StonesLike, Ware, WareLike, parse_equations
from tradekit.game import ParseError
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

RULES: Final = "BZ-45"
_TIE: Final = 5e-7  # numbers nearer than this count as equal
_MOST_TURNS: Final = 2_000  # of a simulated race; a race not over by then counts as held up

#: (5, 4368): hands possible after a roll up to eleven stones, before the next turn (BZ-14); N: no further hand.
_KEPT: Final[Ints] = np.full((len(COLOURS), N_ROLLED), N)
_KEPT[0, :N] = np.arange(N)
_KEPT[:, N:] = RETURNED


class Race:
    """The race to buy `ware` first, from every pair of hands of the player to move and the opponent.

    Nobody wins a race that never ends. So a pair has two numbers: the probabilities of buying first that the player to
    move, and the opponent, can force. They add up to 1 except where the race can be held up for ever.

    >>> from tradekit.bazar import Exchange
    >>> exchange = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
    >>> race = exchange.race("RWBGY", cache=False)
    >>> print(race)
    the race for RWBGY: from nothing the mover wins with 0.607, the other with 0.393
    >>> race.win("RR", "GG"), race.best("RR", "GG")
    (1.0, 'R=WBGY')

    If the opponent is about to buy, only blue or Choice is in time, two faces of six, and every trade is too slow:

    >>> have, other = "RWGYY", "RRRWWWWWWW"
    >>> round(race.win(have, other), 3), round(race.lose(have, other), 3)
    (0.333, 0.667)
    >>> race.faces(have, other)["then"].tolist()
    ['keep', 'keep', 'buy', 'keep', 'keep', 'buy']
    >>> race.options(have, other)["costs"].round(3).unique().tolist()
    [0.0, 0.333]
    >>> race.simulate(have, other, plays=1000, seed=1)["turns"].max().item()
    2
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Race.load(race.save(Path(folder) / "RWBGY.race")).best(have, other)
    'roll'

    A hand above ten stones raises `ValueError` (BZ-14).
    """

    def __init__(self, equations: Iterable[Equation], ware: Ware, values: Values) -> None:
        self.equations, self.ware = tuple(equations), ware
        #: (3003, 3003): a row per hand of the player to move, a column per hand of the opponent, ordered as in `hands`
        self.all_win: Singles = values.win
        self.all_lose: Singles = values.lose

    # The two numbers

    def win(self, have: StonesLike, other: StonesLike) -> float:
        """Return the probability of buying first that the player to move can force, with `have` against `other`."""
        return float(self.all_win[index(have), index(other)])

    def lose(self, have: StonesLike, other: StonesLike) -> float:
        """Return the probability of buying first that the opponent can force."""
        return float(self.all_lose[index(have), index(other)])

    @cached_property
    def held_up(self) -> npt.NDArray[np.bool_]:
        """(3003, 3003): True if the race can be held up for ever, so that the two do not add up to 1."""
        return np.stack([win + lose < 1 - _TIE for win, lose in zip(self.all_win, self.all_lose, strict=True)])

    # Actions

    def best(self, have: StonesLike, other: StonesLike) -> str:
        """Return the best action, as it is typed: the one that forces most, then concedes least.

        In a tie it is the action after which a single player would buy soonest, so that nobody puts a purchase off for
        ever.
        """
        turn = self._turn([index(have)], [index(other)])
        return self._names[int(turn.best[0])]

    def options(self, have: StonesLike, other: StonesLike) -> pd.DataFrame:
        """Return every legal action, best first.

        Columns: ``action``; ``after`` (the hand a trade makes; missing for a roll); ``buys``; ``win`` and ``lose``
        (the probabilities that the player to move and the opponent can force after it); ``costs``: the part of `win`
        that it gives away.
        """
        import pandas as pd

        turn = self._turn([index(have)], [index(other)])
        after, buys = turn.after[:, 0].tolist(), turn.buys[:, 0].tolist()
        left = [n for n, name in enumerate(self._names) if after[n] < N or buys[n] or name == ROLL]
        rows = []
        while left:  # the best of those that are left, time and again
            number = left.pop(int(_first_best(*(table[left] for table in turn.actions))[0]))
            name, win, lose = self._names[number], *(float(table[number, 0]) for table in turn.actions[:2])
            rows.append((name, None if name == ROLL else str(holding(after[number])), buys[number], win, lose))
        costs = ties.costs((win for *_action, win, _lose in rows), _TIE)
        return pd.DataFrame(
            [(*row, cost) for row, cost in zip(rows, costs, strict=True)],
            columns=["action", "after", "buys", "win", "lose", "costs"],
        )

    def faces(self, have: StonesLike, other: StonesLike) -> pd.DataFrame:
        """Return the result of each face of the die if the player to move rolls.

        Columns: ``face``; ``take`` (the stone taken); ``then``: ``buy``, ``keep`` or ``return X`` (the stone that the
        opponent chooses to go back from eleven); ``holding`` at the end of the turn; ``win, lose`` from there on.
        """
        import pandas as pd

        turn = self._turn([index(have)], [index(other)])
        rows = []
        for number, face in enumerate(FACES):
            colour = number if number < len(COLOURS) else int(turn.choice[0])
            rolled, kept = holding(int(ROLLED[colour, index(have)])), int(turn.kept[colour, 0])
            if kept == N:
                then, left = "buy", rolled - self.ware.stones
            else:
                left = holding(kept)
                then = "keep" if left == rolled else f"return {rolled - left}"
            win, lose = (float(table[colour, 0]) for table in turn.colours[:2])
            rows.append((face, COLOURS[colour], then, str(left), win, lose))
        return pd.DataFrame(rows, columns=["face", "take", "then", "holding", "win", "lose"])

    @checked(plays=whole(1, 10_000_000))
    def simulate(
        self, have: StonesLike, other: StonesLike, plays: int = 20_000, seed: int | None = None
    ) -> pd.DataFrame:
        """Simulate `plays` races with a real die, both players at their best: one row per race.

        Columns: ``turns`` of both together, and ``buyer``: 0 for the first player, 1 for the opponent, -1 for nobody
        within 2,000 turns. Equal seeds give equal races. Raises `ValueError` if `plays` is below 1.
        """
        import pandas as pd

        need_at_least(1, plays=plays)
        rng = generator(seed)
        hands = np.tile(np.array([[index(have)], [index(other)]]), plays)
        turns, buyer = np.zeros(plays, np.intp), np.full(plays, -1)
        racing = np.arange(plays)
        for number in range(_MOST_TURNS):
            if not racing.size:
                break
            mover, waits = hands[number % 2, racing], hands[1 - number % 2, racing]
            # There are far fewer pairs than plays.
            pairs, of = np.unique(mover * N + waits, return_inverse=True)
            turn = self._turn(pairs // N, pairs % N)
            action = turn.best[of]
            face = rng.integers(len(FACES), size=racing.size)
            colour = np.where(face < len(COLOURS), face, turn.choice[of])
            rolls = action == len(self._moves.trades)
            bought = np.where(rolls, turn.kept[colour, of] == N, turn.buys[action, of])
            hands[number % 2, racing] = np.where(rolls, turn.kept[colour, of], turn.after[action, of])
            turns[racing] += 1
            buyer[racing[bought]] = number % 2
            racing = racing[~bought]
        return pd.DataFrame({"turns": turns, "buyer": buyer})

    # Files

    @checked
    def save(self, path: str | PathLike[str]) -> Path:
        """Write the race to a file of 72 MB, all of it or nothing: an older file stays until the new one is complete.

        Returns the path, for `load`.
        """
        facts = {"rules": RULES, "equations": " ".join(map(str, self.equations)), "ware": str(self.ware)}
        return race_files.save(path, facts, (self.all_win, self.all_lose))

    @classmethod
    @checked
    def load(cls, path: str | PathLike[str]) -> Race:
        """Load the race from a file, mapped into memory: numbers are read only when needed.

        Raises `ParseError` with the file's name if it is damaged, cut off, or not a race at all.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "RWBGY.race"
        ...     written = file.write_text("my race")
        ...     Race.load(file)
        Traceback (most recent call last):
        tradekit.game.ParseError: RWBGY.race: this is no table: it does not begin with 'tradekit tablebase'
        """
        facts, tables = race_files.load(path, "rules", "equations", "ware")
        if facts["rules"] != RULES or tables.shape != (2, N, N):
            message = _("{file}: {rules!r} with a shape of {shape} is no race as this tradekit knows it")
            raise ParseError(message.format(file=Path(path).name, rules=facts["rules"], shape=tables.shape))
        return cls(parse_equations(facts["equations"]), Ware(facts["ware"]), Values(*tables))

    def __str__(self) -> str:
        return _("the race for {ware}: from nothing the mover wins with {win:.3f}, the other with {lose:.3f}").format(
            ware=self.ware, win=self.win("", ""), lose=self.lose("", "")
        )

    def __repr__(self) -> str:
        return f"<Race: {self.ware}, {' '.join(map(str, self.equations))}>"

    def _repr_html_(self) -> str:
        return render.page(str(self))

    # A turn, for many pairs at once

    @cached_property
    def _moves(self) -> Moves:
        return Moves(self.equations)

    @cached_property
    def _names(self) -> list[str]:
        return [*map(str, self._moves.trades), ROLL]

    @cached_property
    def _buys(self) -> npt.NDArray[np.bool_]:
        return purchases(self.ware)

    @cached_property
    def _alone(self) -> Floats:
        """(3004,): expected turns of a single player; none at N, which is the purchase."""
        (alone,) = policy.solve(self._moves, [Goal.of(self.ware)])
        return np.append(alone.all_turns, 0)

    def _turn(self, have: Sequence[int] | Ints, other: Sequence[int] | Ints) -> _Turn:
        mover, waits = np.asarray(have, np.intp), np.asarray(other, np.intp)
        # After a roll: the opponent, who moves next, chooses which of eleven stones goes back.
        rolled = ROLLED[:, mover]
        kept = _KEPT[:, rolled]  # (5 that may go back, 5 colours, pairs)
        there = kept < N
        safe = np.where(there, kept, 0)
        theirs, ours = (
            np.where(there, table[waits, safe], none) for table, none in ((self.all_win, -1), (self.all_lose, 2))
        )
        back = _first_best(theirs, ours, -self._alone[kept])
        buys = self._buys[rolled]
        kept = np.where(buys, N, np.take_along_axis(kept, back[None], 0)[0])
        colours = _Numbers(
            np.where(buys, 1, ours.min(axis=0)), np.where(buys, 0, theirs.max(axis=0)), self._alone[kept]
        )
        choice = _first_best(*colours)
        chosen = _Numbers(colours.win.max(axis=0), colours.lose.min(axis=0), _pick(colours.turns, choice))
        roll = ((np.sum(table, axis=0) + one) / len(FACES) for table, one in zip(colours, chosen, strict=True))

        after = self._moves.after[:, mover]
        buys, legal = self._buys[after], after < N
        safe = np.where(legal, after, 0)
        trades = (
            np.where(buys, 1, np.where(legal, self.all_lose[waits, safe], -1)),
            np.where(buys, 0, np.where(legal, self.all_win[waits, safe], 2)),
            np.where(buys, 0, self._alone[safe]),
        )
        actions = _Numbers(*(np.vstack([table, one]) for table, one in zip(trades, roll, strict=True)))
        nowhere = np.full((1, mover.size), N_ALL)
        return _Turn(
            actions,
            _first_best(*actions),
            np.vstack([after, nowhere]),
            np.vstack([buys, nowhere < 0]),
            colours,
            choice,
            kept,
        )


class _Numbers(NamedTuple):
    """Both forced probabilities by action or colour and pair, with the turns of the player to move by itself."""

    win: npt.NDArray[Any]
    lose: npt.NDArray[Any]
    turns: npt.NDArray[Any]


class _Turn(NamedTuple):
    """A turn of the player to move in some pairs; the roll is the action after the trades."""

    actions: _Numbers
    best: Ints  #: (pairs,): best action
    after: Ints  #: (actions, pairs): hand that a trade makes
    buys: npt.NDArray[np.bool_]  #: (actions, pairs): True if it buys
    colours: _Numbers  #: numbers after a roll of each colour
    choice: Ints  #: (pairs,): colour to take on Choice
    kept: Ints  #: (5, pairs): hand at the end of the turn after a roll of each colour; N: it buys


def _first_best(win: npt.NDArray[Any], lose: npt.NDArray[Any], turns: npt.NDArray[Any]) -> Ints:
    """Return for each column the row with most win, among these with least lose, among these with fewest turns."""
    good = win >= win.max(axis=0) - _TIE
    good &= lose <= np.where(good, lose, np.inf).min(axis=0) + _TIE
    return ties.first_best(np.where(good, -turns, -np.inf))


def _pick(rows: npt.NDArray[Any], number: Ints) -> npt.NDArray[Any]:
    return np.asarray(np.take_along_axis(rows, number[None], 0)[0])


def of(moves: Moves, equations: Sequence[Equation], ware: WareLike, cache: bool, progress: bool | None) -> Race:
    """Return the race for a ware from the cache, or solve it and put it there.

    A cache that cannot be read or written is not an error: the race then stays only in memory.
    """
    stones = Ware(Ware(ware).stones)  # a star makes no difference
    kept = race_files.cache()
    path = kept.path(RULES, *map(str, equations), str(stones)) if cache else None
    if path:
        with suppress(OSError, ParseError):
            found = Race.load(path)
            if (found.equations, found.ware) == (tuple(equations), stones):
                return found
    race = Race(equations, stones, _solve(moves, stones, progress))
    if path:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return Race.load(race.save(path))
        except OSError as error:
            tell_once(_("Solved races cannot be kept ({why}), so they stay in memory").format(why=why(error)))
    elif cache:
        tell_once(_("Solved races cannot be kept: {cache}").format(cache=kept))
    return race


def _solve(moves: Moves, ware: Ware, progress: bool | None) -> Values:
    """Solve the numbers, with a bar of the digits that are certain; by default only if it takes over a second."""
    from tqdm.auto import tqdm

    digits = -log10(ACCURACY)
    with tqdm(
        total=digits,
        desc=str(ware),
        unit=_("digits"),
        bar_format="{l_bar}{bar}| {n:.1f}/{total:.0f} {unit} [{elapsed}]",
        disable=progress is False,
        delay=0 if progress else 1,
        leave=False,
    ) as bar:
        return race_values.solve(
            moves, ware, lambda change: bar.update(min(digits, -log10(max(change, ACCURACY))) - bar.n)
        )
