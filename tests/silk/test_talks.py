"""The bots' offers (SI-10 to SI-12): nothing is given up for less or exchanged twice, offers heard are weighed."""

from collections import Counter
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit import Record, bots, silk, tournament
from tradekit.silk.bots import DINAR, _Sight
from tradekit.silk.cards import ALL, cards_of, good_of, read, value_of
from tradekit.silk.offer_inference import meant
from tradekit.silk.parameters import Said, Step
from tradekit.studies import silk_silence
from tradekit.studies.silk_silence import exchanges, repeated

from .test_rules import at

NAMES = ("sale", "planner")


def games(name, players, seeds, **options):
    for seed in seeds:
        yield bots.finish(Record.begin(silk.new(players, **options)), [name] * players, seed=seed)


def given_up(bot, sight):
    """Return the alternative to an exchange for the player on turn: the best barter, or else the hand as it is."""
    after = sight.state.after("decline")
    left = bot.evaluate(after.view(sight.me), None) if after.step is Step.TRADE else {}
    worths = [value for action, value in left.items() if action.startswith(("barter", "done"))]
    return max(worths, default=bot.prospect(sight, sight.now) / DINAR)


def expected(bot, sight, given, seat, said):
    """Return the hand's average value with the offered cards in place of those given, by the bot's own estimate."""
    hand = sight.state.hands[seat]
    some = meant(said, hand & ALL, (hand & ~ALL).bit_count(), sight.unseen, 12)
    kept = sight.now.hand & ~given
    total = sum(bot.prospect(sight, sight.now._replace(hand=kept | cards, got=cards)) * n for cards, n in some.items())
    return total / some.total() / DINAR


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_SI_12_what_is_accepted_is_worth_more_than_the_barter_and_the_hand_given_up(name):
    bot, accepted, declined = bots.make(name), 0, 0
    for record in chain(*(games(name, players, range(6)) for players in (2, 3, 4))):
        for state, (player, action) in zip(record.states(), record.moves, strict=False):
            if state.step is Step.ACCEPT:
                sight, (offer, answer) = _Sight(state.view(player)), state.offers
                otherwise = given_up(bot, sight)
                value = expected(bot, sight, offer.cards, state.partner, answer)
                assert value > otherwise or action == "decline"
                accepted += action == "accept"
                declined += action == "decline"
    assert accepted and declined


@pytest.mark.parametrize("name", NAMES)
def test_SI_11_what_is_answered_is_worth_more_than_the_hand_given_up(name):
    bot, answered = bots.make(name), 0
    for record in games(name, 3, range(4)):
        for state, (player, action) in zip(record.states(), record.moves, strict=False):
            if state.step is Step.ANSWER and action != "decline":
                sight = _Sight(state.view(player))
                given = read(action.removeprefix("answer ").partition(" as ")[0])
                value = expected(bot, sight, given, state.turn, state.offers[0])
                assert value > bot.prospect(sight, sight.now) / DINAR
                answered += 1
    assert answered


@pytest.mark.parametrize(("players", "seeds"), [(2, range(12)), (3, range(6)), (5, range(2))])
def test_no_game_of_planners_makes_the_same_exchange_twice_or_undoes_one(players, seeds):
    """With two players seeds 0, 1 and 7 once had 56 to 68 exchanges each, until SI-53 ended the game."""
    for record in games("planner", players, seeds):
        some = [*exchanges(record)]
        assert not repeated(some) and len(some) < 25
        assert max(state.idle for state in record.states()) < 25, "far from SI-53"


def test_SI_14_cards_that_somebody_gave_away_are_not_offered_to_it_again():
    state = at("silk 10 9 8 tea 1 2;tea 9 silk 7 cloth 1;spices 1 2 3")
    state = state.after("offer p1 tea 1 2 as tea").after("answer tea 9 silk 7 as silk").after("accept")
    seen = state.view(0).known.knows[1]
    assert seen == read("tea 9 silk 7")
    worths = bots.make("planner").evaluate(state.view(0), None)
    for action in worths:
        if action.startswith("offer p1"):
            assert not read(action.removeprefix("offer p1 ").partition(" as ")[0]) & seen


# Weighing an offer


CARDS = st.lists(st.integers(0, 49), min_size=4, max_size=12, unique=True)


@settings(deadline=None, max_examples=60)
@given(CARDS, st.data())
def test_SI_11_a_set_counts_as_often_as_hands_have_it_and_cards_that_name_the_good(cards, data):
    """All hands are listed, and all ways to describe cards of them that match the offer."""
    split = data.draw(st.integers(0, 3))
    known, unseen = cards[:split], cards[split:]
    hidden = data.draw(st.integers(max(0, 2 - split), min(4, len(unseen))))
    hand = data.draw(st.permutations(unseen))[:hidden] + known
    some = data.draw(st.permutations(hand))[: data.draw(st.integers(2, len(hand)))]
    said = Said(0, good_of(some[0]), len(some), sum(map(value_of, some)))
    weights = Counter()
    for more in combinations(unseen, hidden):
        for chosen in combinations([*known, *more], said.size):
            named = sum(good_of(card) == said.good for card in chosen)
            if sum(map(value_of, chosen)) == said.total and named:
                weights[cards_of(chosen)] += named
    every = weights.total()
    found = meant(said, cards_of(known), hidden, cards_of(unseen), every)
    assert found == weights and every
    few = meant(said, cards_of(known), hidden, cards_of(unseen), 7)
    assert few.total() == 7
    for meant_, weight in weights.items():
        assert abs(few[meant_] - 7 * weight / every) < 2, "they lie evenly in the list"
    assert not meant(said._replace(total=99), cards_of(known), hidden, cards_of(unseen), 5)


def test_SI_14_cards_known_to_be_there_are_likelier_than_any_that_may_be():
    """p0 gave silk 1 and 2 away, and is offered two cards worth three points, silk among them."""
    state = at("silk 10 9 8 tea 1 2;silk 1 2 cloth 1;spices 1 2 3", knows="silk:1,2;-;-")
    view = state.after("offer p1 tea 1 2 as tea").after("answer silk 1 2 as silk").view(0)
    assert view.known.hands[1] & ALL == read("silk 1 2")
    sight = _Sight(view)
    assert sight.heard(1, view.known.offers[1])[read("silk 1 2")] >= 10, (
        "of 12; any silk 1 or 2 with another card is rarer"
    )


# The study


def test_the_study_counts_exchanges_as_one_reads_them_in_the_record():
    result = tournament.play(
        "silk", {"sale #0": "sale", "sale #1": "sale", "sale #2": "sale"}, 6, 3, players=3, progress=False, records=True
    )
    for game in result.played:
        found = silk_silence.counts(game)
        actions = [str(action) for _actor, action in game.record.moves]
        assert found["exchanges"] == actions.count("accept") and found["repeated"] == 0
        assert found["offers"] == sum(action.startswith("offer") for action in actions)
        assert found["wins"] == game.shares[game.bots.index("sale #0")]


def test_planner_gains_nothing_by_silence_and_still_exchanges_and_beats_sale():
    kept = silk_silence.STUDY.load().set_index(["who", "others", "measure"]).sort_index()
    silent = kept.loc["silent", "planner, planner"]
    assert silent.loc["wins", "deals"] == 400
    assert silent.loc["wins", "mean"] <= 0.36 and silent.loc["wins", "low"] <= 1 / 3
    assert silent.loc["exchanges", "mean"] > 0.2
    assert kept.loc[("planner", "sale", "wins"), "mean"] >= 0.6
    assert (kept.xs("repeated", level="measure")["mean"] == 0).all()


def test_the_study_of_silence_brings_what_is_kept(monkeypatch):
    treatment = {"who": "planner", "others": "sale", "deals": 2}
    rows = silk_silence.STUDY.rows(treatment)
    assert [row["measure"] for row in rows] == [*silk_silence.MEASURES]
    assert silk_silence.STUDY.rows(treatment) == rows
    assert {row["measure"]: row["mean"] for row in rows}["repeated"] == 0
