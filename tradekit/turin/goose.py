"""The barter goose (TU-41 to TU-43): house rules as small strategies, found by name.

The goose belongs to one player at a time, or to nobody. A strategy says who has it before the bids, what it is worth
when bids are compared, and what tied players may do with it before they bid again. A group that invents its own rules
writes one and registers it::

    class Generous(Goose):
        '''Whoever has the goose counts two more.'''
        name = "generous"
        def holder(self, holder, tokens, players):
            return holder if holder != NOBODY else 0      # the first seat begins with it
        def bonus(self):
            return 2

    register(Generous())
    turin.new(players=3, goose="generous")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from tradekit.i18n import _

NOBODY: Final = -1
FIRST, LAST = 1, -1  #: of a block of tied players: the places that the goose can give

CLAIM: Final = "goose"


class Goose:
    """No goose; the base of those who have one.

    >>> goose = Goose()
    >>> goose.holder(NOBODY, [0, 0, 1], 2), goose.bonus(), goose.may(NOBODY, [0, 1], 0)
    (-1, 0, ())
    """

    name: ClassVar[str] = "none"

    def holder(self, holder: int, tokens: Sequence[int], players: int) -> int:
        """Who has the goose when bids are to be made. `tokens`: by good, who holds its token (TU-25), or `NOBODY`."""
        return holder

    def bonus(self) -> int:
        """What is counted with the holder's bid when bids are compared; it is not paid, and a bid of 0 stays 0."""
        return 0

    def may(self, holder: int, tied: Sequence[int], player: int) -> tuple[str, ...]:
        """What a tied player may do before the tied bid again; nothing: the player is not asked."""
        return ()

    def moved(self, tied: Sequence[int], player: int, action: str) -> tuple[int, Mapping[int, int]]:
        """What such an action leads to: who has the goose, and who of the tied takes the `FIRST` or `LAST` place.

        >>> find("tie").moved([0, 2], 2, CLAIM)
        (2, {2: -1})
        """
        raise NotImplementedError


class TieGoose(Goose):
    """TU-41: a tied player may take the goose and the last place, and later give it away and take the first."""

    name = "tie"

    def may(self, holder: int, tied: Sequence[int], player: int) -> tuple[str, ...]:  # noqa: D102
        if holder == NOBODY:
            return (CLAIM,)
        return tuple(f"give p{other}" for other in tied if other != player) if holder == player else ()

    def moved(self, tied: Sequence[int], player: int, action: str) -> tuple[int, Mapping[int, int]]:  # noqa: D102
        if action == CLAIM:
            return player, {player: LAST}
        return int(action.removeprefix("give p")), {player: FIRST}


class UnderdogGoose(Goose):
    """TU-42: the player with fewest tokens has it, nobody if several have; the holder's bids count one more."""

    name = "underdog"

    def holder(self, holder: int, tokens: Sequence[int], players: int) -> int:  # noqa: D102
        counts = [tokens.count(player) for player in range(players)]
        return counts.index(min(counts)) if counts.count(min(counts)) == 1 else NOBODY

    def bonus(self) -> int:  # noqa: D102
        return 1


_GEESE: dict[str, Goose] = {}


def register(goose: Goose) -> Goose:
    """Make a goose known by its name, for ``turin.new(goose=name)``; gives it back.

    Registered again it takes the place of the one before. Raises `ValueError` for a name that is not one word, which no
    text of a game could hold, and for "none", which a class without a name has: that is no goose at all.

    >>> register(TieGoose()).name
    'tie'
    """
    if goose.name.split() != [goose.name] or (goose.name == Goose.name and type(goose) is not Goose):
        raise ValueError(
            _("{name!r}: a goose needs a name of its own in one word, such as 'generous' (TU-43)").format(
                name=goose.name
            )
        )
    _GEESE[goose.name] = goose
    return goose


def find(name: str) -> Goose:
    """The goose of that name, else `ValueError` that says which there are.

    >>> find("underdog").bonus()
    1
    """
    if name not in _GEESE:
        raise ValueError(_("goose={name!r}: there are {there} (TU-43)").format(name=name, there=", ".join(_GEESE)))
    return _GEESE[name]


for _goose in (Goose(), TieGoose(), UnderdogGoose()):
    register(_goose)
