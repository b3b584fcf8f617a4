"""The context in which a board is drawn: the state, the viewer, and the players' names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Generic, TypeVar

from tradekit.show.names import Names, join_words, shown_name

if TYPE_CHECKING:
    from tradekit.game import State

S = TypeVar("S", bound="State")


@dataclass(frozen=True)
class Scene(Generic[S]):
    """A state and who looks at it; `live`: with controls for what that one may do."""

    state: S
    viewer: int | None  #: None sees all
    live: bool
    names: Names

    def display_name(self, player: int) -> str:
        """Return a player's name as plain text, for the name of a control."""
        return shown_name(player, self.names)

    def name(self, player: int) -> str:
        """Return a player's name as HTML."""
        return escape(self.display_name(player))

    def all_of(self, players: Iterable[int]) -> str:
        """Return the names of several players as HTML."""
        return join_words(map(self.name, players))

    def ending(self, one: str, several: str) -> str:
        """Return who has won, in the text for one winner or for a shared victory, with their ``{names}``."""
        winners = self.state.winners()
        return (several if len(winners) > 1 else one).format(names=self.all_of(winners))

    def do(self, action: str, content: str, label: str, kind: str = "", still: str = "") -> str:
        """The control for an action; where the picture is not live, `still`."""
        if not self.live:
            return still
        return self.state.button(action, content, self.viewer, label=label, kind=kind, names=self.names)
