"""The explorer without a browser: a message out for each one in, and faults that lose nothing."""

import asyncio
import re
from html import unescape
from math import inf

import pytest

from tradekit import bazar, bots
from tradekit.bazar import Deck, Exchange, Stones, policy
from tradekit.bazar.explorer import explore
from tradekit.game import CHANCE
from tradekit.record import Record
from tradekit.widgets import background

CARDS = "card 1\nR=WW\nR=BGYW\nW=BG\nB=GG\nY=WG\ncard 4\nG=YY\nBB=RY\nWW=GB\nYYB=R\nGW=BY\n"
DECK = Deck.parse(CARDS + "card 9\nR=B\nR=G\nR=Y\nY=BB\nWW=YYY\nwares\nRWBGY\nGGGGG*\nRRWWB\nBYYYY*\nRRRWG")


@pytest.fixture
def explorer(comms):
    """An explorer with two wares on display, its opening message forgotten."""
    explorer = explore(cards=(1, 4), deck=DECK, have="RRW", wares=["RWBGY", "GGGGG*"])
    comms.clear()
    return explorer


@pytest.fixture
def say(talk_to, explorer):
    """A function say(do, value): send as the front end does; return the names of the parts that were rewritten."""
    return talk_to(explorer)


def values(frontier):
    """Return a frontier without its policies, which are equal only to themselves."""
    return frontier.drop(columns=["chain", "policy"], errors="ignore")


def text(html):
    """Return the text that a person reads in a part."""
    return re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]+>", " ", html)).strip()


def test_shows_the_best_chain_of_the_library(explorer):
    chain = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY").chain("RRW", "RWBGY", left=1)
    assert chain.title() in text(explorer.parts["answer"])
    assert "No chain is shorter" in explorer.parts["answer"]


def test_a_click_on_a_stone_is_one_message_and_changes_the_answer(explorer, say):
    changed = say("add", "B")
    assert str(explorer.question.have) == "RRWB"
    assert {"holding", "frontier", "steps", "heat", "code"} <= changed
    assert "exchange" not in changed
    say("remove", "R")
    assert str(explorer.question.have) == "RWB"


def test_choosing_a_row_shows_its_chain(explorer, say):
    last = len(explorer.answer.frontier) - 1
    say("choose", str(last))
    chain = explorer.answer.frontier["chain"].iloc[last]
    assert chain.title() in text(explorer.parts["answer"])
    assert explorer.answer.ware == chain.ware


def test_with_the_die_it_shows_expected_turns_of_the_policy(explorer, say):
    say("die", "yes")
    row = explorer.answer.frontier.iloc[0]
    assert f"{explorer.answer.policy.turns('RRW'):.2f} expected turns" in text(explorer.parts["answer"])
    assert row["turns"] == pytest.approx(explorer.answer.policy.turns("RRW"))


def test_first_steps_tell_what_rolling_costs_by_the_policy(explorer):
    policy = explorer.answer.policy
    costs = policy.options("RRW").set_index("action")["costs"]
    assert {step.action: step.die[1] for step in explorer.answer.first_steps} == pytest.approx(costs.to_dict())
    assert f"(+{costs['roll']:.2f})" in text(explorer.parts["steps"])


@pytest.mark.parametrize("die", ["no", "yes"])
def test_first_steps_come_best_first_by_the_way_of_play(explorer, say, die):
    """Each trade with its turns by trades alone (BZ-41), and every action with those against the die (BZ-43)."""
    say("die", die)
    answer = explorer.answer
    alone = explorer.question.exchange.options("RRW", answer.ware, answer.left).set_index("action")
    by_die = answer.policy.options("RRW").set_index("action")
    assert {step.action for step in answer.first_steps} == set(by_die.index)
    for step in answer.first_steps:
        assert step.die == tuple(by_die.loc[step.action, ["turns", "costs"]])
        if step.action == "roll":
            assert step.alone is None and step.after is None
        else:
            assert step.alone == tuple(alone.loc[step.action, ["turns", "costs"]])
            assert step.after == alone.loc[step.action, "after"]
    turns = [step.die[0] if die == "yes" else (step.alone or (inf,))[0] for step in answer.first_steps]
    assert turns == sorted(turns)
    assert die == "yes" or answer.first_steps[-1].action == "roll"


@pytest.mark.parametrize(
    ("do", "value", "field", "message"),
    [
        ("have", "RQ", "have", "'RQ': unknown colour 'Q'; colours are R W B G Y"),
        ("have", "11R", "have", "RRRRRRRRRRR: 11 stones; a holding has at most ten (BZ-14)"),
        ("add_ware", "RWBG", "add_ware", "'RWBG': a ware shows five stones, not 4 (BZ-4)"),
        ("add_ware", "RWBGYY", "add_ware", "'RWBGYY': a ware shows five stones, not 6 (BZ-4)"),
        ("add_ware", "RWBGY", "add_ware", "ware RWBGY is there already"),
        ("equations", "R=WW\n=B", "equations", "line 2: '=B': a side has 1 to 4 stones, not 0 (BZ-3)"),
        ("equations", "R=R", "equations", "'R=R': the same stones stand on both sides (BZ-3)"),
        ("equations", "R=WW\nWW=R", "equations", "line 2: equation WW=R is there twice (first in line 1)"),
        ("card", "12", "card", "there is no exchange card 12; deck 'own' has 1, 4, 9"),
    ],
)
def test_a_fault_stands_by_its_field_and_the_last_good_answer_stays(explorer, say, do, value, field, message):
    question, answer = explorer.question, text(explorer.parts["answer"])
    say(do, value)
    assert explorer.errors == {field: (value, message)}
    part = {"have": "holding", "add_ware": "wares", "equations": "exchange", "card": "exchange"}[field]
    assert message in unescape(text(explorer.parts[part]))
    assert explorer.question == question
    assert text(explorer.parts["answer"]) == answer
    if field != "card":
        assert 'aria-invalid="true"' in explorer.parts[part], "the field still shows what was typed"


def test_a_fault_goes_when_the_field_is_right_again(explorer, say):
    say("have", "RQ")
    say("have", "RR")
    assert not explorer.errors
    assert "tk-error" not in explorer.parts["holding"]


def test_adding_an_eleventh_stone_is_refused_with_the_rule(explorer, say):
    say("have", "RRRRRRRRRR")
    say("add", "W")
    assert "BZ-14" in explorer.errors["have"][1]
    assert len(explorer.question.have) == 10


def test_cards_two_at_a_time_and_never_none(explorer, say):
    say("card", "9")
    assert explorer.question.cards == (4, 9)
    say("card", "4")
    assert explorer.question.cards == (9,)
    say("card", "9")
    assert explorer.question.cards == (9,)
    assert [str(e) for e in explorer.question.exchange.equations][:2] == ["R=B", "R=G"]


def test_typed_equations_take_the_place_of_cards(explorer, say):
    say("equations", "rojo = 2 blancas\nW -> BG")
    assert explorer.question.cards is None
    assert str(explorer.question.exchange) == "R=WW W=BG"


def test_four_wares_at_most_and_stars_can_be_turned(explorer, say):
    for ware in ("RRWWB", "BYYYY*", "RRRWG"):
        say("add_ware", ware)
    assert len(explorer.question.wares) == 4
    assert "at most four" in explorer.errors["add_ware"][1]
    say("star", "RWBGY")
    assert str(explorer.question.wares[0]) == "RWBGY*"
    say("remove_ware", "GGGGG*")
    assert [str(ware) for ware in explorer.question.wares] == ["RWBGY*", "RRWWB", "BYYYY*"]


def test_an_empty_stall_scores_a_column_higher_BZ_16(explorer, say):
    before = explorer.answer.frontier.set_index(["ware", "left"])["points"].to_dict()
    say("empty_stalls", "1")
    after = explorer.answer.frontier.set_index(["ware", "left"])["points"].to_dict()
    assert all(after[key] > before[key] for key in before.keys() & after.keys())


def test_no_ware_and_no_chain_are_answers(explorer, say):
    say("remove_ware", "RWBGY")
    say("remove_ware", "GGGGG*")
    assert "Choose a ware." in text(explorer.parts["frontier"])
    say("equations", "R=WW")
    say("add_ware", "GGGGG")
    assert "in any number of turns" in text(explorer.parts["frontier"])
    say("die", "yes")
    assert "expected turns" in text(explorer.parts["answer"]), "with the die it can be bought"


def test_the_axes_of_the_heat_map_change_places_rather_than_be_the_same(explorer, say):
    say("across", "G")
    assert explorer.question.axes == ("G", "W")
    say("up", "G")
    assert explorer.question.axes == ("W", "G")


def test_the_heat_map_is_the_policy(explorer):
    policy = explorer.answer.policy
    for holding, shown in re.findall(r'aria-label="([RWBGY-]+): ([\d.]+|∞) turns"', explorer.parts["heat"]):
        assert shown == f"{policy.turns(holding):.1f}"


def test_the_line_of_python_gives_the_answer_again(explorer, say):
    for do, value in (("add", "B"), ("empty_stalls", "1"), ("die", "yes")):
        say(do, value)
    line = unescape(re.search(r'data-key="answer" value="([^"]+)"', explorer.parts["code"])[1])
    names = {}
    statement, expression = line.split("; ")
    exec(statement, names)
    again = eval(expression, names)
    assert values(again).equals(values(explorer.answer.frontier))


def test_repr_makes_the_same_explorer(comms):
    explorer = bazar.explore(cards=(1, 4), have="RRW", wares=["RWBGY"], die=True)
    again = eval(repr(explorer), {"bazar": bazar})
    assert again.question == explorer.question
    typed = bazar.explore("R=WW W=BG", have="-", wares=[])
    assert eval(repr(typed), {"bazar": bazar}).question == typed.question


#: Other equations on cards of the numbers that the house deck opens with; and those equations on other cards.
TEXT = "card 1 R=GG W=BG B=YY G=WW YY=RB card 4 R=BYW W=YY BB=RG G=WY Y=BB wares RWBGY* GGGGG"
OTHER = Deck.parse(re.sub(r" (?!\d)", "\n", TEXT))
RENUMBERED = Deck.parse(re.sub(r" (?!\d)", "\n", TEXT.replace("card 4", "card 7").replace("card 1", "card 3")))


@pytest.mark.parametrize("deck", [Deck.house(), OTHER, RENUMBERED, DECK], ids=["house", "other", "renumbered", "own"])
@pytest.mark.parametrize("die", [False, True])
def test_the_python_of_an_explorer_asks_of_the_same_exchange_whatever_the_deck(comms, deck, die):
    """Both lines: that of the explorer and that of its answer."""
    explorer = explore(deck=deck, have="RW", wares=["RWBGY", "GGGGG*"], die=die)
    again = eval(repr(explorer), {"bazar": bazar})
    assert again.question.exchange == explorer.question.exchange
    assert again.parts["frontier"] == explorer.parts["frontier"]
    again = eval(explorer.question.code(deck), {"bazar": bazar})
    assert values(again).equals(values(explorer.answer.frontier))


def test_without_cards_it_opens_with_the_first_two_of_an_own_deck(comms):
    assert explore().question.cards == (1, 4)
    assert explore(deck=RENUMBERED).question.cards == (3, 7)
    one = Deck(RENUMBERED.name, RENUMBERED.cards[:1], RENUMBERED.wares)
    assert explore(deck=one).question.cards == (3,)


def test_a_page_without_a_kernel_is_there_and_loads_nothing(explorer):
    bundle = explorer._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "The shortest chain" in data["text/html"]
    links = re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', data["text/html"])
    assert not links


def test_the_script_asks_no_host_for_anything(explorer):
    script = explorer._esm.replace("http://www.w3.org/1999/xlink", "")
    assert "http" not in script
    assert "import" not in script.replace("important", "")


def test_foreign_messages_are_ignored(explorer, comms):
    for content in ("hello", {"do": "nothing"}, {"do": "__init__"}, {}):
        comms.browser_says(explorer, content=content)
    assert comms.updates(explorer) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"exchange": "R=WW", "cards": (1,)}, "give an exchange or cards, not both"),
        ({"have": "RQ"}, "'RQ': unknown colour 'Q'; colours are R W B G Y"),
        ({"wares": ["RWBG"]}, "'RWBG': a ware shows five stones, not 4 (BZ-4)"),
        ({"empty_stalls": 2}, "2 empty stalls: 0 or 1 are possible, with two the bazaar is closed (BZ-17)"),
    ],
)
def test_explore_refuses_bad_input(arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        explore(deck=DECK, **({"wares": []} | arguments))


STATE = bazar.State.parse(
    "bazar players=2 deck=house cards=1,4 step=turn turn=p1 hands=RRRWWYY,RRBBGG "
    "stalls=WWWWW*:0,RRWBB:1,RWGGY:0,-:0 bought=-,- idle=0"
)


def test_a_state_says_all_that_is_asked(comms):
    """Cards, the stones of the player on turn, wares on display, empty stalls; arguments take precedence over it."""
    question = explore(STATE).question
    assert repr(explore(STATE)) == (
        "bazar.explore(cards=(1, 4), have='RRBBGG', wares=['WWWWW*', 'RRWBB', 'RWGGY'], empty_stalls=1, die=False)"
    )
    assert question.exchange == Exchange.of(STATE)
    question = explore(STATE, have="R", wares=["RWBGY"], empty_stalls=0, die=True).question
    assert (str(question.have), [*map(str, question.wares)], question.empty_stalls) == ("R", ["RWBGY"], 0)
    assert question.die


def test_a_state_with_typed_equations_and_a_deck_of_its_own(comms):
    x = explore(bazar.new(2, exchange="R=WW W=BG", deck=Deck.house(), seed=1))
    assert x.question.cards is None
    assert str(x.question.exchange) == "R=WW W=BG"
    own = Deck.parse(str(CARDS) + "wares\n" + "\n".join(map(str, Deck.house().wares[:20])))
    x = explore(bazar.new(2, cards=(1, 4), deck=own, seed=1))
    assert x.deck == own
    assert x.question.cards == (1, 4)


@pytest.mark.long
def test_every_state_of_a_record_can_be_explored(comms):
    record = Record.begin(bazar.new(2, seed=3), ["random", "random"])
    record = bots.finish(record, record.names, seed=3)
    for place in range(0, len(record.moves) + 1, 7):
        state = record.state(place)
        if state.turn != CHANCE and len(state.holdings[state.turn]) <= 10:
            assert explore(state).question.have == state.holdings[state.turn]
    assert explore(record.state()).question.empty_stalls == (1 if record.state().empty_stalls else 0)
    assert explore(bazar.new(2, cards=(1, 4))).question.have == Stones(""), "nobody's turn yet"


@pytest.mark.parametrize(
    ("state", "options", "message"),
    [
        (bazar.new(2), {}, "the exchange cards are still to be drawn (BZ-7)"),
        (STATE, {"cards": (1, 4)}, "give an exchange or cards, not both"),
        (STATE, {"deck": DECK}, "a state says itself what deck it is played with"),
        (bazar.new(2, cards=(1, 4), double=True), {}, "the analysis knows the default rules alone, not double="),
        (
            bazar.State.parse(str(STATE).replace("step=turn", "step=return").replace("RRBBGG", "RRRRWWWWBGY")),
            {},
            "RRRRWWWWBGY: 11 stones; a holding has at most ten (BZ-14)",
        ),
    ],
)
def test_a_state_that_cannot_be_explored(state, options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        explore(state, **options)


def test_what_has_been_solved_is_not_solved_again(explorer, say, monkeypatch):
    say("die", "yes")
    rows = len(explorer.answer.frontier)
    monkeypatch.setattr("tradekit.bazar.policy.solve", lambda *_: pytest.fail("solved a second time"))
    say("choose", "1")
    say("die", "no")
    say("die", "yes")
    assert len(explorer.answer.frontier) == rows


def test_with_the_die_a_row_is_the_policy_that_is_best_at_some_cost(explorer, say):
    """A chosen row shows what to do first, and what other steps cost in points at that cost per turn."""
    say("die", "yes")
    frame = explorer.answer.frontier
    assert len(frame) > 3
    for row in range(len(frame)):
        say("choose", str(row))
        answer = explorer.answer
        assert answer.policy is frame["policy"].iloc[row] and str(answer.ware) == frame["ware"].iloc[row]
        assert answer.first_steps[0].action == answer.policy.best("RRW") and answer.first_steps[0].die[1] == 0
        cost = answer.policy.goal.cost
        assert cost is None or f"less {cost:.3g} for each turn" in text(explorer.parts["steps"])


@pytest.fixture
def solved(monkeypatch):
    """The goals that are really solved, one list per call."""
    calls, solve = [], policy.solve
    monkeypatch.setattr(policy, "solve", lambda moves, goals: calls.append(goals) or solve(moves, goals))
    return calls


def test_what_the_next_click_would_wait_for_is_solved_while_nothing_is_asked(comms, monkeypatch, solved):
    """First the die, and then, with it, every other card: the click itself solves nothing."""
    monkeypatch.setattr(background, "IDLE", 0.01)
    monkeypatch.setattr(background, "PAUSE", 0.001)

    async def look_around():
        x = explore(cards=(1, 4), deck=DECK, have="RR", wares=["RWBGY", "GGGGG*"])
        for click in (("die", "yes"), ("card", "9"), ("card", "1")):
            ahead = sum(1 for _step in x._solve_ahead())  # all work done in advance, here at once
            assert ahead == 2 * (1 + len(DECK.cards))
            await asyncio.sleep(0.05)
            before = len(solved)
            x.receive(*click)
            x.refresh()
            assert len(solved) == before, click

    asyncio.run(asyncio.wait_for(look_around(), 60))


def test_a_click_waits_for_one_ware_at_most_of_what_is_looked_ahead(explorer, say, solved):
    say("die", "yes")
    solved.clear()
    steps = 0
    for _step in explorer._solve_ahead():
        steps += 1
        assert len({goal.ware for goals in solved for goal in goals}) <= 1
        solved.clear()
    assert steps == 2 * (1 + len(DECK.cards)), "two wares, these cards and those with one put in or out"


def test_looking_ahead_ends_with_the_question(comms, monkeypatch):
    begun = []
    monkeypatch.setattr("tradekit.bazar.explorer.while_idle", lambda steps, wanted: begun.append(wanted))
    x = explore(cards=(1, 4), deck=DECK, have="RR", wares=["RWBGY"])
    x.receive("add", "B")
    x.receive("add", "Q")
    assert [wanted() for wanted in begun] == [False, True], "a question that cannot be read leaves the last one"


def test_BZ_16_another_stall_scores_higher_for_no_more_turns_with_the_die(explorer, say):
    say("die", "yes")
    before = explorer.answer.frontier
    say("empty_stalls", "1")
    after = explorer.answer.frontier
    assert after["turns"].iloc[0] == pytest.approx(before["turns"].iloc[0])
    assert after["points"].max() > before["points"].max()
