"""The Silk Road's picture: what it shows, what it keeps secret (SI-14), and the stated result of an action."""

import json
import random
import re
from html import unescape
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.test_theme import contrast
from tradekit import Record, silk, theme
from tradekit.game import CHANCE, play_on, random_moves
from tradekit.show.voice import Voice
from tradekit.silk import render, wording
from tradekit.silk.cards import ALL, GOODS, cards_of, numbers, read, text
from tradekit.silk.controls_html import bribes
from tradekit.silk.parameters import Step

from .test_rules import at, drawn, everything_else_gone


def controls(page):
    """Return the attributes of each button of a live picture, by key."""
    found = {}
    for tag in re.findall(r"<button([^>]*)>", page):
        attributes = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        found[attributes["data-key"]] = attributes
    return found


def ticks(page):
    """Return the values of the boxes, in the page's order."""
    return [unescape(value) for value in re.findall(r'<input type="checkbox"[^>]* value="([^"]*)"', page)]


def cases(page, key):
    """Return the cases of a button by the values of the boxes ticked: (the text sent, the text shown)."""
    group = next(group for group in re.findall(r"<div data-cases=.*?</div>", page) if f'data-key="{key}"' in group)
    boxes, pattern = ticks(page), controls(group)[key]["data-pattern"]
    table = json.loads(unescape(re.search(r'data-cases="([^"]*)"', group)[1]))
    return {
        frozenset(boxes[int(place)] for place in places.split(",")): (
            words if words is None else pattern.replace("{case}", words), said, values,
        )
        for places, (words, said, values) in table.items()
        if places not in ("", "others")
    }  # fmt: skip


def card_set(some):
    return frozenset(wording.card(number) for number in numbers(some))


def live(state, player=0):
    return state.html(player, live=True, names=["Ada", "Bo", "Cy"])


def plain(page):
    """Return the text that a person reads."""
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S))


GAMES = [(2, {}), (2, {"neutral_leaves": 1, "zeros": "stay"}), (3, {"run_outs": 1}), (5, {"run_outs": 1, "bribe": 3})]


@pytest.mark.parametrize(("players", "options"), GAMES, ids=str)
def test_SI_14_the_picture_is_the_same_for_all_states_that_its_viewer_must_hold_possible(players, options):
    rng = random.Random(players)
    luck = random.Random(1)
    for state in play_on(silk.new(players, **options), rng):
        if luck.random() < 0.3 or len(state.actors) > 1 or state.offers:
            player = luck.randrange(players)
            other = state.view(player).sample(luck)
            assert live(other, player) == live(state, player)
            assert other.to_svg(player) == state.to_svg(player)


def test_SI_14_the_picture_for_all_shows_what_a_players_does_not():
    state = at("silk 9 8 1 tea 6;tea 9 5 2 cloth 4;ivory 10 9 spices 2")
    for other in (1, 2):
        assert "silk 1 8 9" not in state.html(other) and "silk 1 8 9" not in state.to_svg(other)
    for number in numbers(read(state.holdings[0])):
        assert f'aria-label="{wording.card(number)}"' in state.html(0)
        assert f'aria-label="{wording.card(number)}"' not in state.html(1)
    assert all(
        f'aria-label="{wording.card(number)}"' in state.html() for hand in state.hands for number in numbers(hand)
    )


def test_SI_14_what_a_player_knows_of_other_hands_and_of_the_pile_is_shown():
    state = drawn(at("silk 1 2 3 4;tea 1 2 3 4;ivory 1 2 3"), "offer p1 silk 1 2 as silk", "answer tea 1 2 as tea")
    assert "you know of" not in state.html(0)
    state = state.after("accept")
    assert "you know of" in state.html(0) and 'aria-label="silk 1 2"' in state.html(0)
    assert "you know of" not in state.html(2)
    state = at("silk 1 2 3;tea 1 2 3;ivory 1 2 3").after("barter silk 1")
    assert "Under the draw pile, from the top: silk 1" in state.html(0)
    assert "Under the draw pile" not in state.html(1)


# Results of an action


@pytest.mark.parametrize("seed", range(4))
def test_SI_20_SI_21_what_a_sale_is_said_to_pay_is_what_it_pays(seed):
    """Every sale that the rules allow is a case with its dinars, safeguard and hordes; every other set has a reason."""
    seen = 0
    for state, actor, _action in random_moves(silk.new(3, run_outs=1), random.Random(seed)):
        if state.step is not Step.TURN:
            continue
        found = cases(live(state, actor), "act-cards")
        legal = {card_set(read(sale[5:])): sale for sale in state.actions(actor) if sale.startswith("sell")}
        assert {boxes for boxes, (action, _said, _values) in found.items() if action} == set(legal)
        for boxes, (action, said, _values) in found.items():
            if action is None:
                assert re.search(r"\(SI-(20|32)\)$", said), said
                continue
            assert action == legal[boxes]
            after, seen = state.after(action, actor), seen + 1
            paid, kept = after.dinars[actor] - state.dinars[actor], after.safeguards[actor][-1]
            assert int(re.search(r"(\d+) dinar", said)[1]) == paid
            n = len(boxes)
            assert (f": {n} + {paid - n} = {paid} dinars," in said) == (paid > n)
            assert f"safeguard {wording.card(kept)}" in said
            assert ("the hordes attack" in said) == (after.step is Step.HORDES)
            assert ("the hordes" in said) == (after.hordes != state.hordes)
    assert seen > 20


def test_SI_60_nobody_is_paid_for_the_neutrals_sale():
    state = at("silk 1;tea 1;silk 3 5 7 8", players=2, mover="neutral")
    action, said, _values = cases(live(state), "act-cards")[card_set(read("silk 3 5 7 8"))]
    assert action == "sell silk 3 5 7 8" and said == "silk 3 5 7 8: the market moves, nobody is paid (SI-60)"


#: Beginnings of the actions that a button sends, by key.
BUTTONS = {
    "act-cards": "sell", "act-barter": "barter", "act-offer-1": "offer p1", "act-offer-2": "offer p2",
    "act-answer": "answer", "act-bribe": "bribe", "act-audience": "audience",
}  # fmt: skip


def offered(page, key):
    """Return all actions that the button of that key can send, for any values of the fields next to the cards."""
    lists = {name: re.findall(r'<option value="([^"]*)"', options) for name, options in
             re.findall(r'<select data-name="(\w+)"[^>]*>(.*?)</select>', page)}  # fmt: skip
    found = set()
    for action, _said, values in cases(page, key).values():
        ways = {action} - {None}
        for name in ("good", "pair", "pile", "order"):
            if action and f"{{{name}}}" in action:
                options = values if name == "good" else lists[name]
                ways = {way.replace(f"{{{name}}}", option) for way in ways for option in options}
        found |= ways
    return found


@pytest.mark.parametrize("seed", range(3))
def test_every_action_with_cards_can_be_clicked_and_none_that_is_not_legal(seed):
    """SI-7 to SI-41: what ticks and fields can send is what the rules allow, except payments with safeguards."""
    checked, rng = set(), random.Random(seed)
    for state, actor, _action in random_moves(silk.new(3, run_outs=1, zeros="stay" if seed else "turn"), rng):
        if actor == CHANCE or state.step not in (Step.TURN, Step.TRADE, Step.ANSWER) or rng.random() < 0.7:
            continue
        page = live(state, actor)
        for key, verb in BUTTONS.items():
            if key == f"act-offer-{actor}":
                continue
            legal = {str(action) for action in state.actions(actor) if action.startswith(f"{verb} ")}
            legal = {action for action in legal if "safeguard" not in action}
            if legal:
                checked.add(key)
                assert offered(page, key) == legal
            elif "data-pattern" in controls(page)[key]:
                assert not offered(page, key)
            else:
                assert "(SI-" in controls(page)[key]["title"]
    assert checked >= {"act-cards", "act-barter", "act-offer-1", "act-bribe", "act-answer"}


@pytest.mark.parametrize("seed", range(3))
def test_what_needs_no_cards_is_on_exactly_where_it_is_legal(seed):
    for state in play_on(silk.new(2), random.Random(seed)):
        if not state.actors or CHANCE in state.actors:
            continue
        for player in range(2):
            found = controls(live(state, player))
            actions = state.actions(player)
            for verb in ("accept", "decline", "done", "neutral", "pass"):
                button = found[f"act-{verb}"]
                if verb == "pass" and state.mover != state.turn and player in state.actors:
                    assert button["data-pattern"] == "pass {cards}" or not state.neutral
                else:
                    assert ("data-do" in button) == (verb in actions)
                    assert "data-do" in button or "(SI-" in button["title"]
            most = max((int(action[4:]) for action in actions if action.startswith("buy")), default=0)
            assert ("data-pattern" in found["act-buy"]) == (most > 0)
            for key, words in (("bribe", "with safeguard"), ("audience", "with safeguards")):
                legal = any(action.startswith(key) and action.endswith(words) for action in actions)
                assert ("data-pattern" in found[f"act-{key}-safeguards"]) == legal


def test_SI_25_what_the_hordes_may_take_can_be_clicked():
    state = at("silk 3 5 7 8 tea 9 10 ivory 9;tea 1;tea 2 6 8 spices 9 10", players=2, hordes=1)
    state = state.after("sell silk 3 5 7 8")
    for page_of in (state, state.after("discard tea 9 10 ivory 9", 0)):
        page = live(page_of)
        found = {action for action, _said, _values in cases(page, "act-cards").values() if action}
        assert found == {str(action) for action in page_of.actions(0)}
    assert "choose what the neutral loses" in plain(page)
    assert ticks(page) == ["tea 2", "tea 6", "tea 8", "spices 9", "spices 10"]
    assert "discard" not in controls(live(page_of, 1))["act-cards"].get("title", "")  # p1 has a choice of its own


@given(st.permutations(range(50)), st.tuples(st.integers(0, 3), st.integers(0, 7), st.integers(0, 7)), st.randoms(),
       st.sampled_from([2, 3]))  # fmt: skip
def test_SI_60_who_chooses_for_the_neutral_is_told_so_and_nobody_else(deck, sizes, rng, players):
    """The sentence is about the hand from which the players addressed may discard, and needs a neutral to appear."""
    sold = read("silk 3 5 7 8")
    rest = [card for card in deck if not sold >> card & 1]
    kept, *others = (cards_of(rest[7 * seat : 7 * seat + size]) for seat, size in enumerate(sizes))
    state = at(";".join(map(text, (sold | kept, *others))), players=players, hordes=1)
    state = state.after("sell silk 3 5 7 8", 0)
    while state.step is Step.HORDES:
        for viewer in (None, *range(players)):
            shown = state.seen_by(viewer)
            addressed = [viewer] if viewer in shown.actors else shown.actors
            own = [action for player in addressed for action in shown.actions(player) if "neutral" not in action]
            page = plain(state.html(viewer))
            assert ("choose what the neutral loses" in page) is not bool(own)
            assert ("discard goods worth 25" in page) is bool(own)
        player = rng.choice(state.actors)
        state = state.after(state.actions(player).sample(rng), player)


def test_SI_60_the_neutral_stands_in_spanish_sentences_as_it_does_in_spanish(spanish):
    """Its name has an article, which joins with the words before it: "del neutral", never "de el neutral"."""
    neutral, raid = (at("silk 3 5 7 8;tea 1;silk 1 4 spices 8 9 10", players=2, hordes=1, **more)
                     for more in ({"mover": "neutral"}, {}))  # fmt: skip
    raid = raid.after("sell silk 3 5 7 8").after("discard tea 1", 1)
    said = [state.html(0, live=True) for state in (neutral, raid)]
    for state in (neutral, raid):
        said += [state.why(action, 0) for action in state.vocabulary()]
    assert sum("el neutral" in words for words in said) > 100
    assert not any(re.search(r"\b(a|de) el neutral", words) for words in said)


def test_SI_61_the_neutral_passes_with_its_cards_in_any_order():
    state = at("silk 1;tea 1;silk 3 tea 5 7", players=2, mover="neutral")
    page = live(state)
    assert 'data-ordered="yes"' in page and ticks(page) == ["silk 3", "tea 5", "tea 7"]
    assert controls(page)["act-pass"]["data-needs"] == "3"
    assert "act-pass silk 3 tea 5 7" in controls(page), "and as they lie by one click"
    empty = at("silk 1;tea 1;-", players=2, mover="neutral")
    assert controls(live(empty))["act-pass"]["data-value"] == "pass"


def test_SI_31_a_bribe_says_what_the_piles_show_then():
    market = at("silk 1;tea 1;ivory 1").market
    ways = bribes(market, market.neighbours())
    assert len(ways) == 8
    assert ways["silk up tea down"] == "silk 4 → 1, tea 3 → 2", "its 0 is turned away (SI-24)"
    for words, said in ways.items():
        up, _up, down, _down = words.split()
        after = market.bribe(GOODS.index(up), GOODS.index(down))
        shown = [
            f"{good} {market.piles[GOODS.index(good)][0]} → {after.piles[GOODS.index(good)][0]}" for good in (up, down)
        ]
        assert said == ", ".join(shown)


def test_what_was_ticked_is_ticked_no_more_when_something_has_happened_but_stays_while_nothing_has():
    state = at("silk 1 2 3 cloth 9;tea 1 2 3;ivory 1 2 3")
    keys = re.findall(r'data-key="(silk 1 [^"]*)"', live(state))
    assert keys == re.findall(r'data-key="(silk 1 [^"]*)"', live(state)) and len(keys) == 1
    later = drawn(state, "offer p1 cloth 9 silk 3 as silk", "decline")
    assert keys != re.findall(r'data-key="(silk 1 [^"]*)"', live(later))


# The market, the offer and the players


def test_SI_53_what_lay_under_a_pile_that_is_closed_is_out_of_the_game():
    hands = "silk 1 2 3 4 5 6 7;tea 1 2 3 4 5 6 7;ivory 1 2 3 4 5 6 7"
    open_, closed = (at(hands, idle=49, ran_out=ran_out).after("barter silk 1").after("draw spices 1")
                     for ran_out in (0, 1))  # fmt: skip
    bartered = at(hands, idle=3).after("barter silk 1").after("draw spices 1")
    assert "Under the draw pile, from the top: silk 1" in plain(bartered.html(0))
    assert "out of the game" not in plain(bartered.html(0))
    assert not open_.closed and "silk 1" not in plain(open_.html(0)), "it was shuffled into the new pile"
    assert closed.closed and "Known to be out of the game: silk 1" in plain(closed.html(0))
    assert "Under the draw pile" not in plain(closed.html(0)) and "out of the game" not in plain(closed.html(1))


def test_SI_32_blocked_goods_name_the_briber_and_the_marker():
    state = at("silk 3 4 tea 1;tea 2 3 4;ivory 1 2 3").after("bribe tea up cloth down with silk 3 4")
    page = live(state, 1)
    assert page.count('<li class="si-shut">') == 2 and page.count(">only Ada<") == 2
    assert "has bribed for tea and cloth; marker silk 3" in page
    assert "only player 1" in state.to_svg(1) and "marker silk 3" in state.to_svg(1)


def test_SI_24_a_zero_that_stays_says_that_it_counts_as_1():
    market = "silk:01234,tea:32104,cloth:21043,ivory:10432,spices:04321"
    state = at("silk 1;tea 1;ivory 1", zeros="stay", market=market)
    assert plain(state.html()).count("counts as 1") == 1
    assert "counts as 1" not in at("silk 1;tea 1;ivory 1").html()


def test_SI_25_the_hordes_say_how_near_they_are():
    for shown, words in ((4, "4 more sales of 6"), (1, "the next sale of 6"), (0, "5 more sales of 6")):
        assert f"Hordes {shown}: {words}" in plain(at("silk 1;tea 1;ivory 1", hordes=shown).html())


def test_SI_11_a_talk_is_told_in_plain_words_and_by_name():
    state = at("silk 9 8 ivory 7;tea 1 2 3;spices 6 7 8").after("offer p1 silk 9 8 ivory 7 as ivory")
    assert "Ada offers Bo 3 cards, ivory among them, 24 in all ." in plain(live(state, 2))
    assert 'aria-label="silk 8 9"' in live(state, 0) and 'aria-label="silk 8 9"' not in live(state, 1)
    state = state.after("answer tea 1 2 as tea")
    assert "Bo answers with 2 cards, tea among them, 3 in all ." in plain(live(state, 2))


def test_SI_51_the_end_says_whose_turns_are_still_to_come_and_who_has_won():
    state = everything_else_gone("silk 1 2;tea 1 2;ivory 1 2", "cloth 1", ran_out=1, dinars="3,9,4")
    state = state.after("pass").after("drop cloth 1")
    assert "last turns; still to come: Bo, Cy, Cy, Ada, Ada" in plain(live(state, 0))
    while state.actors:
        state = state.after("pass")
    assert "The game is over. The winner is Bo." in plain(live(state, 0))
    assert "9 dinars · wins" in plain(live(state, 0)) and "9 dinars · wins" in state.to_svg(0)
    assert not controls(live(state, 0)), "nothing is left to do"


def test_a_name_cannot_bring_markup():
    page = at("silk 1;tea 1;ivory 1").html(0, live=True, names=["<b>", "&", '"'])
    assert "<b>:" not in page and "&lt;b&gt;:" in page


def test_marks_are_two_letters_each_and_legible():
    assert render.marks() == ("Si", "Te", "Cl", "Iv", "Sp")
    assert all(contrast(fill, letters) >= 4.5 for fill, letters in render.FILLS)
    assert len({fill for fill, _letters in render.FILLS}) == len(GOODS)
    assert render.CSS.count("{") == render.CSS.count("}") and theme.CSS


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_svg_picture_is_well_formed_and_loads_nothing(players):
    for state in play_on(silk.new(players, run_outs=1), random.Random(players)):
        root = ElementTree.fromstring(state.to_svg(0, ["A & B <c>", "Bo"]))
        height = float(root.get("height"))
        assert root.find("{http://www.w3.org/2000/svg}title").text
        for group in root.findall("{http://www.w3.org/2000/svg}g"):
            x, y = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform")).groups())
            assert 0 <= y < height and 0 <= x < float(root.get("width"))
    assert not re.findall(r"(?:href|url|src)\W", state.to_svg())


# The log


def test_SI_14_the_log_tells_what_was_announced_and_no_card_that_is_hidden():
    record = Record.begin(silk.new(3, seed=1), ["Ada", "Bo", "Cy"])
    rng = random.Random(4)
    while record.state().actors and len(record.moves) < 150:
        state = record.state()
        actor = state.actors[0]
        action = rng.choice(state.outcomes())[0] if actor == CHANCE else state.actions(actor).sample(rng)
        record = record.with_move(action, actor)
    verbs = {"offer": 0, "answer": 0, "barter": 0, "draw": 0}
    for place, (actor, action) in enumerate(record.moves):
        before = record.state(place)
        for player in range(3):
            heard, verb = record.visible_to(player, place), action.split()[0]
            if player == actor or (actor == CHANCE and player == before.turn) or verb not in (*verbs, "discard"):
                assert heard == action
            elif verb != "discard":  # which is open when all have chosen
                verbs[verb] += 1
                hidden = {wording.card(number) for number in numbers(ALL)}
                told = record.sentence(place, heard, Voice(player))
                assert not any(re.search(rf"\b{card}\b", said) for card in hidden for said in (heard, told)), heard
    assert all(verbs.values())


def test_SI_25_what_the_hordes_take_is_told_when_all_have_chosen():
    start = at("silk 3 5 7 8 tea 9;tea 2 3 4;silk 10 tea 6 8 spices 9 10", players=2, hordes=1)
    record = Record.begin(start).with_move("sell silk 3 5 7 8")
    record = record.with_move("discard tea 2 3 4", 1).with_move("discard tea 9", 0)
    assert record.state().actors == (0,), "for the neutral"
    assert [record.visible_to(player, place) for player, place in ((0, 1), (1, 2))] == ["…", "…"]
    record = record.with_move("discard neutral tea 8 spices 9 10", 0)
    assert [record.visible_to(0, 1), record.visible_to(1, 2)] == ["discard tea 2 3 4", "discard tea 9"]
    assert record.visible_to(1, 3) == "discard neutral tea 8 spices 9 10"


@pytest.mark.parametrize(
    ("action", "told"), [("offer p1 silk 9 ivory 7 as silk", "offer p1 ?2 16 as silk"), ("barter silk 9", "barter ?")]
)
def test_SI_14_not_even_the_only_choice_that_a_hand_leaves_is_told(action, told):
    """Only the player who acted may know that no other action was possible."""
    hand = "silk 9 8 ivory 7" if action.startswith("offer") else "silk 9"
    record = Record.begin(at(f"{hand};tea 1 2 3;spices 6 7 8")).with_move(action)
    assert record.visible_to(1, 0) == told
