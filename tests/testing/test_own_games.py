"""Faults planted in our own games: a secret that one of them revealed would be found."""

import pytest

import tests.toy  # noqa: F401  (registers its game)
from tradekit.bazar import board_html, board_svg
from tradekit.game import Action, View, find
from tradekit.silk import actions
from tradekit.testing import BrokenLaw, check_game
from tradekit.turin import board_html as turin_view

SILK, TURIN = find("silk").state, find("turin").state


def told_of_all(self, action, player, later):
    return action


def for_all(picture):
    """Return a picture that ignores its viewer."""
    return lambda self, player=None, **more: picture(self, None, **more)


def twice(deal):
    """Return a deal that fills in one unknown card twice."""

    def sample_hidden(self, rng, player):
        whole = deal(self, rng, player)
        first = next((hand for seat, hand in enumerate(whole.hands) if seat != player and hand), 0)
        card = first & -first
        hands = [hand if seat == player or not hand else hand | card for seat, hand in enumerate(whole.hands)]
        return whole._with(hands=tuple(hands))

    return sample_hidden


@pytest.mark.parametrize(
    ("name", "options", "owner", "attribute", "replacement", "law"),
    [
        ("silk", {}, SILK, "visible_to", told_of_all, "cannot tell apart"),
        ("turin", {}, TURIN, "visible_to", told_of_all, "cannot tell apart"),
        ("silk", {}, SILK, "html", for_all(SILK.html), "another picture|another live picture"),
        ("turin", {}, TURIN, "html", for_all(TURIN.html), "another picture|another live picture"),
        ("silk", {}, SILK, "to_svg", for_all(SILK.to_svg), "another SVG picture"),
        ("turin", {}, TURIN, "to_svg", for_all(TURIN.to_svg), "another SVG picture"),
        ("silk", {}, SILK, "sample_hidden", twice(SILK.sample_hidden), "conserved|could tell|cannot be"),
        ("turin", {}, TURIN, "sample_hidden", twice(TURIN.sample_hidden), "conserved|could tell|cannot be"),
        ("turin", {}, TURIN, "_known_to", lambda self, player: self, "another answer to"),
        ("bazar", {"hidden": True}, board_html, "hides_bank", lambda scene: False, "another .*picture"),
        ("bazar", {"hidden": True}, board_html, "hides", lambda scene, player: False, "another .*picture"),
        ("turin", {"money": "secret"}, turin_view, "hides_money", lambda scene, player: False, "another .*picture"),
    ],
)
def test_a_secret_that_is_told_is_found(monkeypatch, name, options, owner, attribute, replacement, law):
    for module in (owner, board_svg) if owner is board_html else (owner,):
        monkeypatch.setattr(module, attribute, replacement)
    with pytest.raises(BrokenLaw, match=law):
        check_game(find(name), plays=8, dear=0.25, players=3, **options)


def test_actions_that_remember_the_true_state_are_found(monkeypatch):
    """As those of The Silk Road did, and through it all hands."""

    class Bound(Action):
        __slots__ = ("state",)

    def each(self):
        for kind in self.kinds:
            for move in kind.each(self.state):
                action = Bound(kind.text(move))
                action.state = self.state
                yield action

    monkeypatch.setattr(actions.Choices, "__iter__", each)
    with pytest.raises(BrokenLaw, match=r"is its text and nothing else.*: .* carries"):
        check_game(find("silk"), plays=1)


def test_actions_of_a_view_that_are_those_of_the_true_state_are_found(monkeypatch):
    """They list the same actions, but the state is attached to them."""
    owners, view = {}, SILK.view

    def remembered(self, player):
        made = view(self, player)
        owners[id(made)] = made, self
        return made

    monkeypatch.setattr(SILK, "view", remembered)
    monkeypatch.setattr(View, "actions", lambda view: owners[id(view)][1].actions(view.player))
    with pytest.raises(BrokenLaw, match=r"hangs on the true state|gets another actions"):
        check_game(find("silk"), plays=1, dear=0.3)


@pytest.mark.parametrize("name", ["turin", "silk", "bazar", "bazar-alone", "toy"])
def test_nothing_is_wrong_where_the_dear_laws_are_not_looked_at(name):
    """As it was with Turin Market: no view was checked, and so none hid anything."""
    options = {"size": 1} if name == "bazar-alone" else {"patience": 5} if name == "bazar" else {}
    for plays in (1, 3):
        assert check_game(find(name), plays=plays, dear=0, **options).plays == plays


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_the_laws_draw_from_their_own_luck(seed):
    """So the checks do not change the games."""
    often, never = (check_game(find("turin"), plays=1, seed=seed, dear=dear) for dear in (0.1, 0))
    assert often == never
