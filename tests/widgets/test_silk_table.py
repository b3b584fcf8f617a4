"""The Silk Road at the table, without a browser: what persons at one screen see (SI-14)."""

from tests.silk.test_rules import at
from tradekit.bots import Bot
from tradekit.widgets.table import play


class Pliant(Bot):
    """A bot that accepts nothing and passes."""

    name = "pliant"
    games = ("silk",)

    def choose(self, view, actions, rng):
        return next(action for action in ("pass", "decline") if action in actions)


def test_SI_14_persons_at_one_screen_see_their_own_cards_only(talk_to, tmp_path):
    state = at("silk 9 8 ivory 7 tea 6;tea 1 2 3;spices 6 7 8", discards="cloth:1,2,3")
    table = play(state, {0: "Ada", 1: "Bo", 2: Pliant()}, seed=1, file=tmp_path / "game.txt")
    say = talk_to(table)
    say("uncover")
    assert 'aria-label="silk 9"' in table.parts["picture"]
    say("act", "offer p1 silk 9 ivory 7 as silk")
    covered = " ".join(table.parts.values())
    assert "Pass the screen to Bo." in covered and "silk 9" not in covered
    assert "Ada has chosen." in covered, "to all who may be looking"
    say("uncover")
    page = " ".join(table.parts.values())
    assert "Ada offered you 2 cards, silk among them, 16 in all." in page
    assert "silk 9" not in page and "ivory 7" not in page and 'aria-label="tea 1"' in page
