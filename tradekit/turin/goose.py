"""The barter goose: house rules as small strategies, found by name (TU-41 to TU-43).

The goose belongs to one player at a time, or to nobody. A strategy determines its holder before the bids, its bonus
when bids are compared, and the actions that tied players can take with it before they bid again. To play your own
rules, write a strategy and register it::

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
FIRST, LAST = 1, -1  #: places of a block of tied players that the goose can give

CLAIM: Final = "goose"


class Goose:
    """A game without a goose, and the base class of all strategies.

    >>> goose = Goose()
    >>> goose.holder(NOBODY, [0, 0, 1], 2), goose.bonus(), goose.may(NOBODY, [0, 1], 0)
    (-1, 0, ())
    """

    name: ClassVar[str] = "none"

    def holder(self, holder: int, tokens: Sequence[int], players: int) -> int:
        """Return the player with the goose before the bids; `tokens`: each good's token holder or `NOBODY` (TU-25)."""
        return holder

    def bonus(self) -> int:
        """Return the bonus on the holder's bid when bids are compared; it is not paid, and a bid of 0 stays 0."""
        return 0

    def may(self, holder: int, tied: Sequence[int], player: int) -> tuple[str, ...]:
        """Return the actions of a tied player before the tied bid again; (): the player is not asked."""
        return ()

    def moved(self, tied: Sequence[int], player: int, action: str) -> tuple[int, Mapping[int, int]]:
        """Return the player with the goose after such an action, and the tied players with the `FIRST` or `LAST` place.

        >>> find("tie").moved([0, 2], 2, CLAIM)
        (2, {2: -1})
        """
        raise NotImplementedError


class TieGoose(Goose):
    """A goose that a tied player can take with the last place, and later give away for the first (TU-41)."""

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
    """A goose of the one player with the fewest tokens, nobody's if several tie; its bids count one more (TU-42)."""

    name = "underdog"

    def holder(self, holder: int, tokens: Sequence[int], players: int) -> int:  # noqa: D102
        counts = [tokens.count(player) for player in range(players)]
        return counts.index(min(counts)) if counts.count(min(counts)) == 1 else NOBODY

    def bonus(self) -> int:  # noqa: D102
        return 1


_GEESE: dict[str, Goose] = {}


def register(goose: Goose) -> Goose:
    """Register a goose under its name, for ``turin.new(goose=name)``, and return it.

    A goose registered again replaces the earlier one. Raises `ValueError` for a name that is not one word, which the
    text of a game could not hold, and for "none", the name of a class without one: it means no goose at all.

    >>> register(TieGoose()).name
    'tie'
    """
    if goose.name.split() != [goose.name] or (goose.name == Goose.name and type(goose) is not Goose):
        message = _("{name!r}: a goose needs a name of its own in one word, such as 'generous' (TU-43)")
        raise ValueError(message.format(name=goose.name))
    _GEESE[goose.name] = goose
    return goose


def find(name: str) -> Goose:
    """Return the goose of that name; raise `ValueError` with a list of the names for an unknown one.

    >>> find("underdog").bonus()
    1
    """
    if name not in _GEESE:
        raise ValueError(_("goose={name!r}: there are {there} (TU-43)").format(name=name, there=", ".join(_GEESE)))
    return _GEESE[name]


for _goose in (Goose(), TieGoose(), UnderdogGoose()):
    register(_goose)
