"""Names of players as they are shown, alone, in a list and in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tradekit._utils.arguments import checked
from tradekit._utils.display_names import isolated
from tradekit.i18n import _

Names = Sequence[str]  #: what the players are called, by seat; a player without a name is called by the number


@checked
def name_of(player: int, names: Names = ()) -> str:
    """Return the name of a player, or of chance.

    >>> name_of(0, ["Ana"]), name_of(1, ["Ana"]), name_of(-1)
    ('Ana', 'player 2', 'chance')
    """
    if player < 0:
        return _("chance")
    return names[player] if player < len(names) else _("player {n}").format(n=player + 1)


def shown_name(player: int, names: Names = ()) -> str:
    """Return the name of a player for use next to other text, whose direction it does not change (`isolated`).

    >>> shown_name(0, ["Ana"]), shown_name(0, ["\u202eAna"]) == "\u2068\u202eAna\u2069"
    ('Ana', True)
    """
    return isolated(name_of(player, names))


def join_words(words: Iterable[str]) -> str:
    """Several words as one says them in a sentence; one alone stays as it is, none are nothing.

    >>> join_words(["Ana", "Bo", "Carla"]), join_words(["Ana", "Bo"])
    ('Ana, Bo and Carla', 'Ana and Bo')
    """
    *several, last = [*words] or [""]
    return _("{several} and {last}").format(several=", ".join(several), last=last) if several else last


def with_names(text: str, names: Names) -> str:
    """A text with p0, p1 and so on called by their names.

    >>> with_names("p1 is to act now, not p0 (BZ-8)", ["me", "chain"])
    'chain is to act now, not me (BZ-8)'
    """
    return re.sub(r"\bp(\d+)\b", lambda player: shown_name(int(player[1]), names), text)
