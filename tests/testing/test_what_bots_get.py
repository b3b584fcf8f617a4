"""Every caller gives a bot what its seat may know, with nothing else attached."""

import random
from itertools import islice

import pytest

from tradekit import Record, bots, silk, turin
from tradekit.game import CHANCE, Action, State, find, random_moves
from tradekit.silk.actions import SELL
from tradekit.testing.graphs import reached
from tradekit.tournament import play_game
from tradekit.widgets import table as tables

pytestmark = pytest.mark.usefixtures("no_loop_runs")  # the table's bots answer at once


class Spy(bots.Bot):
    """A bot that looks at everything attached to what it receives."""

    name = "spy"

    def __init__(self):
        self.asked, self.found = 0, []

    def choose(self, view, actions, rng):
        self.asked += 1
        self.found += [thing for thing in reached(view, actions, [*actions][:5]) if self.tells(view, thing)]
        return actions.sample(rng)

    def tells(self, view, thing):
        return isinstance(thing, State) and thing.hide_from(view.player) != thing

    def evaluate(self, view, actions, rng):
        return {self.choose(view, actions, rng): 1.0}


def finish(start, spy):
    bots.finish(Record.begin(start), [spy, "random"], seed=1)


def search(start, spy):
    bot, luck = bots.SearchBot(2, rollout=spy, depth=4), random.Random(1)
    for state, actor, _action in islice(random_moves(start, random.Random(1)), 30):
        if actor != CHANCE:
            bot.choose(state.view(actor), state.view(actor).actions(), luck)


def tournaments(start, spy):
    job = play_game.Job(start, {"spy": spy, "random": bots.make("random")}, 200, records=False)
    job.play(play_game.Seating(0, 1, ("spy", "random")))


def table(start, spy):
    tables.play(start, {0: spy, 1: "random"}, seed=1)


def hint(start, spy):
    page = tables.play(start, {0: "me", 1: "random"}, seed=1)
    page.do_hint()
    assert page.advice.bot == "spy"


@pytest.mark.parametrize("new", [silk.new, turin.new], ids=["silk", "turin"])
@pytest.mark.parametrize("ask", [finish, search, tournaments, table, hint])
def test_a_bot_gets_a_view_and_its_actions_and_no_state_hangs_on_them(monkeypatch, tmp_path, new, ask):
    monkeypatch.chdir(tmp_path)
    spy = Spy()
    monkeypatch.setattr(bots, "opponent", lambda game, players=2: "spy")
    monkeypatch.setattr(bots, "make", lambda bot, make=bots.make, **more: spy if bot == "spy" else make(bot, **more))
    ask(new(2, seed=3), spy)
    assert spy.asked and not spy.found
    state = new(2, seed=3)
    assert any(spy.tells(state.view(0), thing) for thing in reached([state])), "and the spy has eyes"


@pytest.mark.parametrize("name", ["bazar", "turin", "silk"])
def test_an_action_and_a_collection_of_actions_cannot_be_changed(name):
    for state, actor, action in [*random_moves(find(name).new(3, seed=1), random.Random(4))][:80]:
        if actor == CHANCE:
            continue
        actions = state.view(actor).actions()
        names = [name for kind in type(actions).__mro__ for name in getattr(kind, "__slots__", ())]
        for thing in (action, next(iter(actions)), actions):
            for attribute in ("kind", "move", "state", "actions", *(names if thing is actions else ())):
                with pytest.raises(AttributeError):
                    setattr(thing, attribute, None)
        with pytest.raises(AttributeError):
            state.outcomes().actions = ()


def test_what_is_legal_is_asked_of_the_state_and_not_of_the_action():
    """A pass that claimed to be the sale of another's cards was accepted as one."""
    seen = random_moves(silk.new(3, seed=2), random.Random(2))
    sales = ((s, actor, action) for s, actor, action in seen if action and action.startswith("sell"))
    state, actor, sale = next(sales)

    class Posing(Action):
        """An action that claims to be another than its text."""

        kind, move = SELL, SELL.read(sale.partition(" ")[2])

    posing = Posing("pass")
    posing.state = state
    assert state.after(posing, actor) == state.after("pass", actor)
    assert Record.begin(state).with_move(posing, actor).moves[0].action == "pass"
