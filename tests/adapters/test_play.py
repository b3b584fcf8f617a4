"""A game under way: the moves made, the move half said, and what each player has seen."""

import pickle
import random
from copy import deepcopy

import pytest

from tests.toy import Toy
from tradekit import bazar, silk, turin
from tradekit.adapters.play import Play, shares
from tradekit.game import CHANCE, Action, IllegalAction, draw
from tradekit.record import Record

STARTS = [
    Toy(),
    bazar.new(3, patience=10),
    turin.new(3, games=2),
    silk.new(2, run_outs=1, dropped=50),
    silk.new(4, run_outs=1, dropped=50),
]


def steps(start, seed):
    """Play at random, word by word; yield the play before each word, the speaker, the word and the play after it."""
    rng = random.Random(seed)
    play = Play.begin(start)
    while actors := play.actors:
        actor = rng.choice(actors)
        numbers, chances = zip(*play.choice(actor).chances, strict=True)
        after = play.say(actor, rng.choices(numbers, chances if actor == CHANCE else None)[0])
        yield play, actor, after
        play = after


def plays(start, seed):
    """Yield every play of a random game."""
    yield Play.begin(start)
    yield from (after for _before, _actor, after in steps(start, seed))


@pytest.mark.parametrize("start", STARTS, ids=lambda start: str(start)[:30])
def test_words_play_the_game_that_its_record_tells(start):
    *_rest, last = plays(start, 1)
    record = Record.parse(str(last.record))
    assert record.state() == last.state and not last.actors
    assert last.moment.chances == record.chances


@pytest.mark.parametrize("start", STARTS, ids=lambda start: str(start)[:30])
def test_a_play_comes_back_from_a_pickle_with_what_is_half_said(start):
    half = 0
    for n, play in enumerate(plays(start, 2)):
        if n > 40 and n % 20 and not (play.partly and half < 5):
            continue
        half += bool(play.partly)
        again = pickle.loads(pickle.dumps(play))
        assert str(again) == str(play) and again.state == play.state and again.record == play.record
        assert deepcopy(play) is play
        for player in range(start.players):
            assert again.seen(player) == play.seen(player) and again.half_said(player) == play.half_said(player)
        for actor in play.actors:
            assert again.choice(actor).texts == play.choice(actor).texts
    assert half or isinstance(start, Toy), "in all but the toy some actions take several words"


def everything(play, past=((), ())):
    """Yield every play of a small game, with all that each player has seen and done: all views and actions."""
    views = tuple(str(play.state.view(player)) for player in (0, 1))
    past = tuple(seen if seen[-1:] == (view,) else (*seen, view) for seen, view in zip(past, views, strict=True))
    yield play, past
    for actor in play.actors[:1]:
        for number in play.choice(actor).numbers:
            left = play.choice(actor).say(number)
            done = tuple((*seen, left) if player == actor else seen for player, seen in enumerate(past))
            yield from everything(play.say(actor, number), done)


def test_an_information_state_is_neither_more_nor_less_than_what_was_seen_and_done():
    """In the whole tree of the toy: equal text, equal past."""
    count = 0
    for player in (0, 1):
        told = {}
        for play, past in everything(Play.begin(Toy())):
            told.setdefault(play.seen(player), set()).add(past[player])
            count += 1
        assert all(len(pasts) == 1 for pasts in told.values()), "one text, one past"
        assert len(told) == len({past for pasts in told.values() for past in pasts}), "one past, one text"
    assert count > 300


@pytest.mark.parametrize("start", [turin.new(3), silk.new(3, run_outs=1)], ids=["turin", "silk"])
def test_nobody_sees_what_others_half_say_or_have_committed(start):
    looked = 0
    for before, actor, after in steps(start, 3):
        half_said = after.state is before.state
        if half_said or len(before.actors) > 1:  # in turn, or not the last one to commit
            for other in {*range(start.players)} - {actor}:
                assert after.seen(other) == before.seen(other)
                assert after.observed(other) == before.observed(other)
                looked += 1
    assert looked > 20


def test_what_is_half_said_is_heard_by_oneself_and_where_nothing_is_hidden_by_all():
    play = Play.begin(bazar.new(2))  # chance draws the two exchange cards, the first one first
    drawn = play.say(CHANCE, play.choice(CHANCE).numbers[0])
    assert drawn.observed(0).endswith("> cards 1 …") and drawn.observed(1).endswith("> cards 1 …")
    assert str(drawn).endswith("chance cards 1 …")
    secret = Play.begin(silk.new(3))
    secret = secret.say(CHANCE, secret.choice(CHANCE).numbers[0])
    assert str(secret).endswith("…") and "…" not in secret.observed(0)


def test_the_information_state_tells_changes_only_and_own_actions():
    """TU-10: hand cards are chosen at the same time; TU-6: cards dealt to others are not seen."""
    play = Play.begin(turin.new(3))
    rng = random.Random(4)
    while play.actors == (CHANCE,):
        play = play.act(CHANCE, draw(play.state.outcomes(), rng))
    for player in play.actors:
        play = play.say(player, play.choice(player).numbers[0])
    first, *lines = play.seen(0).splitlines()
    assert first == str(Play.begin(turin.new(3)).state.view(0))
    own = [line for line in lines if line.startswith("> show ")]
    assert len(own) == 1 and all("deck=" not in line for line in lines)


def test_a_word_for_who_is_not_to_act_is_refused():
    play = Play.begin(bazar.new(2, cards=(1, 4), seed=7))
    (actor,) = play.actors
    with pytest.raises(IllegalAction, match=f"p{1 - actor} has nothing to say here, but p{actor}"):
        play.say(1 - actor, play.choice(actor).numbers[0])


def test_shares_of_the_win_add_up_to_one_at_the_end():
    ended = Toy((1, 1), (0, 0), 1)
    assert shares(ended) == (0, 1) and shares(Toy()) == (0, 0)
    tie = Toy((1, 1), (2, 2), 0)
    assert tie.winners() == (0, 1) and shares(tie) == (0.5, 0.5)


def test_an_action_is_its_whole_text():
    play = Play.begin(bazar.new(2, cards=(1, 4), seed=7))
    assert play.act(play.actors[0], Action("roll")).moment.action == "roll"
