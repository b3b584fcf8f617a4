"""The context in which a board is drawn: the state, the viewer, the players' names, and the advice for the viewer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from markupsafe import Markup, escape

from tradekit.i18n import _
from tradekit.show import html
from tradekit.show.names import Names, join_words, shown_name, with_names
from tradekit.show.voice import Voice

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
    hint: str = ""  #: the action that is advised: its control is marked

    def display_name(self, player: int) -> str:
        """Return a player's name."""
        return shown_name(player, self.names)

    def all_of(self, players: Iterable[int]) -> str:
        """Return the names of several players."""
        return join_words(map(self.display_name, players))

    def ending(self, one: str, several: str) -> str:
        """Return who has won, in the text for one winner or for a shared victory, with their ``{names}``."""
        winners = self.state.winners()
        return (several if len(winners) > 1 else one).format(names=self.all_of(winners))

    def mark(self, player: int) -> Markup:
        """Draw the mark of a player whose turn it is; nothing for the others."""
        if player not in self.state.actors:
            return Markup("")
        return html.fragment(html.element("span", "▸", role="img", aria_label=_("is to act:")), " ")

    # Controls

    def do(self, action: str, content: html.Child, label: str, kind: str = "", still: html.Child = "") -> Markup:
        """Draw the control for an action: a button, or, if the action is not legal, one that is off and says why.

        Where the picture is not live, `still` is drawn.
        """
        if not self.live:
            return escape(still)
        key, legal = f"act-{action}", self.viewer is not None and action in self.state.actions(self.viewer)
        if not legal and (reason := with_names(self.state.why(action, self.viewer), self.names)):
            return html.switched_off(content, key, f"{label}: {reason}" if label else reason, kind)
        return html.button("act", action, content, label=label, kind=kind, badge=self.badge(key))

    def send(self, pattern: str, content: html.Child, key: str, *, label: str = "", needs: int | None = None) -> Markup:
        """Draw the button of a form, which sends `pattern` with what the fields say (`html.sends`)."""
        return html.sends("act", pattern, content, key=key, label=label, needs=needs, badge=self.badge(key))

    def badge(self, key: str) -> str:
        """Return what marks the control of that key: the word hint, or on a form which move it is; or nothing."""
        if not self.hint or key not in (f"act-{self.hint}", self.form_key(self.hint)):
            return ""
        return _("hint") if key == f"act-{self.hint}" else self.state.label(self.hint, Voice(self.viewer, self.names))

    def form_key(self, action: str) -> str:
        """Return the key of the button that makes a move with what its form says."""
        return f"act-{action.split()[0]}"
