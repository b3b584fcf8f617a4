"""States that no game leads to are refused when their text is read; all that a game leads to are read."""

import random
import re

import pytest

from tradekit import silk
from tradekit.game import ParseError, play_on
from tradekit.silk import Rules, State
from tradekit.silk.cards import UNKNOWN, read
from tradekit.silk.parameters import Step

from .test_rules import at, everything_else_gone, replaced, word

MARKS = re.compile(r"([;:,/+|@])")
WORDS = ("p0", "p1", "p2", "neutral", "chance", "0", "1", "2", "3", "7", "-", "?", "yes", "silk", "tea:3", "all")


def options(rng):
    """Return the rules with any of their options changed."""
    return {
        "zeros": rng.choice(["turn", "stay"]),
        "last_turns": rng.choice(["pairs", "rounds"]),
        "patience": rng.choice([0, 1, 2, 5, 50]),
        "neutral_leaves": rng.choice([1, 2]),
        "first_hand": rng.randint(1, 7),
        "bribe": rng.choice([1, 7, 40]),
        "audience": rng.choice([1, 14, 56]),
        "bought": rng.randint(1, 4),
        "dropped": rng.choice([0, 3, 9]),
        "run_outs": rng.randint(1, 3),
    }


def pairs(state):
    return dict(word.split("=") for word in str(state).split()[1:])


def changed(state, other, rng):
    """Return the text of a state with one to three values from another's, or with a word in them changed."""
    said, there = pairs(state), pairs(other)
    names = sorted({*said, *there} - {"players", *Rules.names()})
    for name in rng.sample(names, rng.choice([1, 1, 1, 2, 3])):
        if name in said and rng.random() < 0.3:
            words = MARKS.split(said[name])
            words[rng.randrange(len(words))] = rng.choice([*words, *WORDS])
            said[name] = "".join(words)
        elif name in there:
            said[name] = there[name]
        else:
            said.pop(name)
    return " ".join(["silk", *(f"{name}={value}" for name, value in said.items())])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_state_that_a_game_leads_to_is_read_and_every_view_of_it(players):
    """SI-14: the states, what each player knows of them, and the states consistent with that."""
    rng, steps = random.Random(players), set()
    for _game in range(12):
        for state in play_on(silk.new(players, **options(rng)), rng):
            if rng.random() > 0.2 and state.step not in (Step.ANSWER, Step.ACCEPT, Step.HORDES):
                continue
            steps.add(state.step)
            assert State.parse(str(state)) == state
            view = state.view(rng.randrange(players))
            assert State.parse(str(view.known)) == view.known
            sample = view.sample(rng)
            assert State.parse(str(sample)) == sample and sample.view(view.player) == view
    rare = {Step.MARKET, Step.HORDES} | ({Step.NEUTRAL} if players > 2 else set())
    assert steps >= {*Step} - rare


@pytest.mark.parametrize("seed", range(3))
def test_whatever_text_is_read_can_be_played(seed):
    """SI-1, SI-6, SI-50: a state that was changed by hand breaks no game, and no card is lost or made on the way."""
    rng, taken, refused = random.Random(seed), 0, 0
    for _game in range(3):
        states = [*play_on(silk.new(rng.randint(2, 5), **options(rng)), rng)]
        for _text in range(50):
            try:
                state = State.parse(changed(rng.choice(states), rng.choice(states), rng))
            except ParseError:
                refused += 1
                continue
            if any(hand >> UNKNOWN for hand in state.hands):
                continue  # a view: nobody plays on from it
            taken += 1
            for later, _place in zip(play_on(state, rng), range(40), strict=False):
                assert later.conserved() == (50, 50) and max(hand.bit_count() for hand in later.hands) <= 7
                assert later.closed or later.pile
                assert State.parse(str(later)) == later
    assert taken > 20 and refused > 20


HANDS = "silk 1 2 3;tea 1 2 3;ivory 1 2 3"
FULL = "silk 1 2 3 4 5 6 7;tea 1 2 3;ivory 1 2 3"
TALK = "p1;silk|2|3|silk:1,2"


@pytest.mark.parametrize(
    ("hands", "more", "message"),
    [
        (HANDS, {"discards": "tea:9", "safeguards": "tea:9;-;-"}, "tea 9 in two places at once (SI-1)"),
        (HANDS, {"marker": "silk:2+p0+tea+cloth"}, "silk 2 in two places at once (SI-1)"),
        ("silk 1 2 3 4 5 6 7 8;tea 1;-", {}, "p0 holds 8 cards: no hand has more than seven (SI-6)"),
        ("silk 1;tea 1;ivory 1 2 3 4 5 6 7 8", {"players": 2},
         "the neutral holds 8 cards: no hand has more than seven (SI-6)"),
        (HANDS, {"knows": "cloth:9;-;-"}, "p0 knows of cloth 9, which no other player holds (SI-14)"),
        (HANDS, {"knows": "-;tea:1;-"}, "p1 knows of tea 1, which no other player holds (SI-14)"),
        (HANDS, {"knows": "-;?:1;-"}, "knows=-;?:1;- cannot be"),
        (HANDS, {"discards": "?:2"}, "discards=?:2 cannot be"),
        (HANDS, {"step": "neutral"}, "there is no neutral player here (SI-60, SI-62)"),
        ("silk 1;tea 1", {"players": 2}, "the neutral plays with two, until the pile has run out 2 times"),
        ("silk 1;tea 1;ivory 1", {"players": 2, "ran_out": 2}, "the neutral plays with two, until the pile has run"),
        ("silk 1;tea 1;?:1", {"players": 2}, "the hand of the neutral is open (SI-60)"),
        ("silk 1;tea 1;ivory 1", {"players": 2, "mover": "neutral", "step": "trade"},
         "in a turn of the neutral there is no step trade (SI-60)"),
        ("silk 1;tea 1;ivory 1", {"players": 2, "mover": "neutral", "exchanged": "yes"},
         "exchanged=yes: no trade is under way, or has just ended (SI-12)"),
        ("silk 1;tea 1", {"players": 2, "ran_out": 2, "marker": "tea:9+neutral+silk+tea"},
         "there is no neutral player here (SI-60, SI-62)"),
        (HANDS, {"step": "draw", "left": 2}, "left=2: so many cards are not drawn here (SI-6, SI-40, SI-41)"),
        (FULL, {"step": "draw", "left": 1}, "left=1: so many cards are not drawn here (SI-6, SI-40, SI-41)"),
        (FULL, {"step": "refill", "left": 1}, "left=1: so many cards are not drawn here (SI-6, SI-40, SI-41)"),
        (HANDS, {"step": "drop", "left": 42}, "left=42: so many cards are not drawn here (SI-6, SI-40, SI-41)"),
        (HANDS, {"step": "draw", "left": 1, "ran_out": 2}, "there is no card that chance could draw (SI-50)"),
        (HANDS, {"to_come": "p1,p1"}, "turns are still to come only when the pile has run out for the last time"),
        (HANDS, {"step": "over"}, "step=over: turns are still to come (SI-51)"),
        (HANDS, {"idle": 50}, "idle=50: a number from -1 up is needed, below the patience (SI-53)"),
        (HANDS, {"idle": -2}, "idle=-2: a number from -1 up is needed, below the patience (SI-53)"),
        (HANDS, {"talked": "p0"}, "talk with another player, not with yourself (SI-10)"),
        (HANDS, {"step": "trade", "exchanged": "yes", "talked": "p1,p2"}, "such a trade is over, or was never begun"),
        ("silk 1 2;tea 1;ivory 1", {"step": "trade"}, "such a trade is over, or was never begun (SI-10, SI-13)"),
        (HANDS, {"step": "answer", "talk": "p0;silk|2|3|silk:1,2"}, "p0 and p0 cannot talk: each needs three cards"),
        (HANDS, {"step": "answer", "talk": TALK, "talked": "p1"}, "p0 and p1 cannot talk: each needs three cards"),
        ("silk 1 2 3;tea 1 2;-", {"step": "answer", "talk": TALK}, "p0 and p1 cannot talk: each needs three cards"),
        (HANDS, {"step": "answer", "talk": "p1;silk|2|19|silk:9,10"}, "p0 cannot say '2 cards, 19 points of silk'"),
        (HANDS, {"step": "answer", "talk": "p1;tea|2|3|silk:1,2"}, "p0 cannot say '2 cards, 3 points of tea'"),
        (HANDS, {"step": "answer", "talk": "p1;silk|1|3|silk:3"}, "p0 cannot say '1 cards, 3 points of silk'"),
        (HANDS, {"step": "answer", "talk": "p1;silk|2|9|?"}, "p0 cannot say '2 cards, 9 points of silk'"),
        (HANDS, {"step": "accept", "talk": f"{TALK};silk|2|3|silk:1,2"}, "p1 cannot say '2 cards, 3 points of silk'"),
        (FULL, {"step": "accept", "talk": f"{TALK};tea|3|6|tea:1,2,3"}, "p1 cannot say '3 cards, 6 points of tea'"),
        (HANDS, {"step": "hordes", "commits": "silk:1;?;?"}, "p0 must lose goods worth 25 to the hordes"),
        (HANDS, {"step": "hordes", "commits": "?;?;cloth:9"}, "p2 must lose goods worth 25 to the hordes"),
        ("silk 1;tea 1;-", {"step": "hordes", "commits": "?;?;?"}, "p2 must lose goods worth 25 to the hordes"),
        ("silk 1;-;tea 1", {"step": "deal", "turn": "chance", "first_hand": 1}, "the cards are dealt hand after hand"),
        ("silk 1;tea 1;-", {"step": "first", "turn": "chance", "first_hand": 1}, "that is not the step first (SI-3)"),
        ("silk 1;-;-", {"step": "deal", "turn": "chance", "first_hand": 1, "discards": "tea 1"},
         "the cards are dealt hand after hand"),
    ],
    ids=str,
)  # fmt: skip
def test_what_no_game_leads_to_is_refused_and_said(hands, more, message):
    with pytest.raises(ParseError) as error:
        if "turn" in more:
            replaced(at(HANDS), hands=";".join(map(word, hands.split(";"))), **more)
        else:
            at(hands, **more)
    assert message in str(error.value)


def test_SI_50_a_pile_is_never_empty_but_for_good():
    """All fifty cards are elsewhere: that is the end, and an error if the text does not say so."""
    with pytest.raises(ParseError, match=r"the draw pile is empty: then a new one is made, or the end comes \(SI-50\)"):
        everything_else_gone(HANDS)
    assert everything_else_gone(HANDS, ran_out=2, to_come="p1").after("pass").turn == 1


def test_SI_11_a_talk_that_only_others_heard_must_have_been_possible():
    """For p2, who sees neither hand, either offer is possible alone, but not both with the nines and tens left."""
    state = at("silk 1 10 3;tea 10 9 3;ivory 1 2 3").after("offer p1 silk 10 3 as silk").after("answer tea 10 9 as tea")
    text = str(state.view(2).known)
    assert "talk=p1;silk|2|13|?;tea|2|19|?" in text
    assert State.parse(text.replace("tea|2|19|?", "silk|2|19|?")) and State.parse(
        text.replace("silk|2|13|?", "tea|2|19|?")
    )
    gone = replaced(State.parse(text), discards="tea 9 cloth 9 10 ivory 9 10 spices 9 10")
    assert gone.view(2).known == gone
    for one, other in (("silk|2|19|?", "silk|2|19|?"), ("silk|2|13|?", "tea|2|99|?"), ("tea|9|60|?", "tea|2|19|?")):
        with pytest.raises(ParseError, match=r"p[01] cannot say '. cards, .* points of (silk|tea)'"):
            State.parse(str(gone).replace("silk|2|13|?;tea|2|19|?", f"{one};{other}"))


def test_SI_11_what_was_offered_is_found_even_where_nothing_else_is_hidden():
    """p0 has seen all of p1's cards going there, but not which of them p1 offers."""
    state = at("silk 1 2 3;tea 1 2 3;ivory 1", players=2, knows="tea:1,2,3;-", turn=1, step="answer",
               talk="p0;tea|2|4|tea:1,3")  # fmt: skip
    view = state.view(0)
    assert view.known.hands[1] == read("tea 1 2 3") and not view.known.offers[0].cards
    assert State.parse(str(view.known)) == view.known
    assert view.sample(random.Random(1)) == state
