"""Every move of every game is said in a sentence: to the reader or about others, in both languages, without secrets."""

import random
import re
from functools import cache, partial

import pytest
from markupsafe import Markup, escape

from tests import toy
from tests.pseudo import WIDE, Pseudo, english
from tradekit import bazar, i18n, silk, turin
from tradekit.bazar import open_bazaar
from tradekit.game import CHANCE, UNTOLD, random_moves
from tradekit.record import Move, Record
from tradekit.show.voice import Thing, Voice
from tradekit.testing.law import Run
from tradekit.testing.secrecy import retold

NAMES = ["Ana", "Bo", "Cid", "Dea", "Eva"]
GAMES = {
    "bazar": [
        partial(bazar.new, 2, cards=(1, 4), hidden=True),
        partial(bazar.new, 3, double=True),
        partial(bazar.new, 1),
    ],
    "bazar-alone": [partial(open_bazaar.new, seed=1)],
    "turin": [
        partial(turin.new, 3),
        partial(turin.new, 3, goose="tie", games=2),
        partial(turin.new, 4, selling="several"),
        lambda: turin.new(5, goose="tie", seed=1)._with(reserve=(1,) * 5, loans=(1,) * 5),  # all bids are ties
    ],
    "silk": [
        partial(silk.new, 3, run_outs=1),
        partial(silk.new, 2),
        lambda: silk.new(3, seed=1)._with(hordes=1),  # the next rich sale brings the hordes
        lambda: silk.new(2, seed=1)._with(hordes=1),
    ],
}
KINDS = {
    "bazar": "cards ware first roll R W B G Y Choice = take buy done return",
    "bazar-alone": "roll R W B G Y Choice = take buy done return",
    "turin": "deal show bid bid-loan add add-loan take discard claim claim-loan pass sell sell-loan sell-to withdraw "
    "done order goose no give",
    "silk": "market deal first draw drop sell bribe audience buy barter offer answer accept decline pass done neutral "
    "discard discard-neutral",
}


def kind(action):
    """Return the kind of an action: its first word, and one that makes it another."""
    if "=" in action:
        return "="
    words = action.split()
    return "-".join([words[0], *(word for word in words[1:] if word in ("loan", "to", "neutral"))])


@cache
def examples(game):
    """Return states of random games with a move in each: two of every kind of move and step."""
    found = {}
    for start in GAMES[game]:
        first = start()
        for seed in range(40):
            for state, actor, action in random_moves(first, random.Random(seed)):
                if action is not None:
                    there = found.setdefault((kind(action), state.step, len(state.scores())), [])
                    if len(there) < 2:
                        there.append((state, actor, action))
    return [example for some in found.values() for example in some]


def sentences(state, actor, action, **voice):
    """Return the sentence for each player, and for a reader who is nobody."""
    return [state.sentence(action, actor, Voice(who, NAMES, **voice)) for who in (*range(state.players), None)]


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_move_occurs_here(game):
    assert {kind(action) for _state, _actor, action in examples(game)} == {*KINDS[game].split()}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", GAMES)
def test_every_move_is_a_sentence_and_every_control_has_a_label(game, language, request):
    if language == "es":
        request.getfixturevalue("spanish")
    for state, actor, action in examples(game):
        labels = [] if actor == CHANCE else [state.label(action, Voice(None, NAMES))]
        for text in (*sentences(state, actor, action), *labels):
            assert not re.search(r"[{}]|\bp\d|  |\bNone\b", text), text
            assert (text[-1] == ".") == (text not in labels) and text[-1] not in " -:", text
            assert text not in (action, f"{action}."), text


@pytest.mark.parametrize("game", GAMES)
def test_you_are_you_and_others_have_names(game):
    for state, actor, action in examples(game):
        *to_players, about = sentences(state, actor, action)
        if actor == CHANCE:
            continue
        assert re.search(r"\b[Yy]ou\b", to_players[actor]) or "neutral" in to_players[actor], to_players[actor]
        assert not re.search(rf"\b{NAMES[actor]}\b", to_players[actor]), to_players[actor]
        assert not re.search(r"\b[Yy]our?\b", about), about
        for player, text in enumerate(to_players):
            assert re.search(rf"\b{NAMES[actor]}\b|neutral", text) or player == actor, text


@pytest.mark.parametrize("game", GAMES)
def test_no_word_of_a_sentence_or_label_bypasses_the_catalogue(game, monkeypatch):
    texts = []
    monkeypatch.setattr(i18n, "_language", "xx")
    monkeypatch.setattr(i18n, "_catalogue", Pseudo(WIDE))
    for state, actor, action in examples(game):
        texts += sentences(state, actor, action)
        if actor != CHANCE:
            texts.append(state.label(action, Voice(None, NAMES)))
    assert english(texts, {*NAMES}) == {}


@pytest.mark.parametrize("game", GAMES)
def test_pictures_stand_in_place_of_the_words_and_names_bring_no_markup(game):
    wild = ["<b>", "&amp;", '"', "'", "{name}"]

    def draw(thing):
        return Markup('<i class="{}">{}</i>').format(thing.kind, thing.words)

    for state, actor, action in examples(game):
        for reader in (None, 0):
            for say in (partial(state.sentence, action, actor), partial(state.label, action)):
                if say.func == state.label and actor == CHANCE:
                    continue
                plain = say(Voice(reader, wild))
                assert not isinstance(plain, Markup)
                for pictures in (draw, state.icon):
                    drawn = say(Voice(reader, wild, pictures))
                    assert isinstance(drawn, Markup)
                    bare = re.sub(r'<i class="[a-z]+">|</i>', "", drawn)
                    assert bare == escape(plain) and "<b>" not in drawn


def test_a_thing_that_is_drawn_as_plain_text_is_escaped():
    assert Voice(draw=lambda thing: "<i>").say("{a}", a=Thing("", None, "a")) == "&lt;i&gt;"


def test_singular_and_plural(spanish):
    state = bazar.new(2, cards=(1, 4), seed=7)
    assert state.sentence("WW=R", 0, Voice(0)) == "Cambiaste 2 blancas por 1 roja."
    assert turin.new(2).sentence("sell 5 for 1", 0, Voice(0)) == "Pusiste la carta 5 en venta por 1 escudo."
    assert turin.new(2).sentence("take 3 7", 0, Voice(names=NAMES)) == "Ana se llevó la carta 3 y la carta 7."


def test_whoever_is_spoken_of_is_spoken_to():
    """A third form: what another does to the reader."""
    state = silk.new(3, seed=1).after("draw ivory 1")
    offer = "offer p0 ?2 9 as silk"
    assert state.sentence(offer, 2, Voice(0, NAMES)) == "Cid offered you 2 cards, silk among them, 9 in all."
    assert state.sentence(offer, 2, Voice(1, NAMES)) == "Cid offered Ana 2 cards, silk among them, 9 in all."
    assert turin.new(3).sentence("sell 5 to p2", 0, Voice(2, NAMES)) == "Ana sold you card 5."
    assert turin.new(3).sentence("give p1", 0, Voice(1, NAMES)) == "Ana gave you the goose."


def test_BZ_14_the_neighbour_makes_a_player_give_a_stone_back():
    full = "bazar players=2 deck=house cards=1,4 step=return turn=p0 hands=RRRRRWWWWWB,G "
    state = bazar.State.parse(full + "stalls=RWBGY:1,RRWGY:4,-:0,GGGGG*:4 bought=-,- idle=0")
    assert sentences(state, 1, "return R") == [
        "Bo made you give back a red stone.",
        "You made Ana give back a red stone.",
        "Bo made Ana give back a red stone.",
    ]


# Secrets


def kinds_agree(one, other):
    return one.moves[0].action.split()[0] == other.moves[0].action.split()[0]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_reader_may_not_know_is_not_said(game):
    """Of games that differ only in what a player may not know, the player reads the same."""
    pairs = 0
    for start in GAMES[game]:
        for seed in range(12):
            rng = random.Random(seed)
            run = Run(start().game, start(), rng)
            for state, actor, action in random_moves(start(), random.Random(seed)):
                if action is None or len(run.moves) > 150:
                    break
                for player in range(state.players) if rng.random() < 0.2 else ():
                    for one, other in retold(run, state, player):
                        # The kind of a move may be public; and moves with the same result are not a secret.
                        if kinds_agree(one, other) and one.state() != other.state():
                            assert one.sentences(player) == other.sentences(player)
                            pairs += 1
                run.moves.append(Move(actor, action))
                run.recent.append((state, run.moves[-1]))
    assert pairs > 30 or game.startswith("bazar")


@pytest.mark.parametrize("game", GAMES)
def test_a_move_of_which_nothing_is_told_says_who_has_chosen(game):
    """Whatever the move, as several may look at one screen who have been told different things."""
    for state, actor, _action in examples(game):
        if actor != CHANCE:
            about = state.sentence(UNTOLD, actor, Voice(None, NAMES))
            assert re.fullmatch(rf"{NAMES[actor]} has (chosen|bid)\.", about)


def test_TU_10_what_is_shown_is_told_when_all_have_chosen():
    record = Record.begin(turin.new(2, seed=1), NAMES[:2])
    record = record.with_move(record.state().actions(0)[0], 0)
    assert record.sentences(1) == ["Ana has chosen."] and record.sentences(0)[0].startswith("You put card")
    record = record.with_move(record.state().actions(1)[0], 1)
    assert record.sentences(1)[0].startswith("Ana put card")


def test_SI_14_a_card_drawn_by_another_is_a_card():
    state = silk.new(3, seed=1)
    record = Record.begin(state, NAMES[:3]).with_move("draw ivory 1")
    assert record.sentences(0) == ["Cid drew a card."] and record.sentences(2) == ["You drew ivory 1."]
    assert record.sentences() == ["Cid drew ivory 1."]


# The contract


def test_a_game_without_sentences_says_what_was_typed():
    record = Record.begin(toy.new(), ["<b>", "Bo"]).with_move("number 1").with_move("number 2").with_move("bid 3", 0)
    assert record.sentences() == ["number 1", "number 2", "<b>: bid 3"]
    assert record.sentences(1) == ["…", "number 2", "<b> has chosen."]
    assert record.sentences(draw=record.state().icon, since=2) == ["&lt;b&gt;: bid 3"]
    assert record.state().label("bid 3", Voice()) == "bid 3"


def test_sentences_of_a_part_of_a_record():
    record = Record.begin(bazar.new(seed=7), NAMES[:2]).with_move("roll").with_move("R")
    assert record.sentences(since=1) + record.sentences(until=1) == record.sentences()[::-1]
    assert record.sentences(since=2) == []
    with pytest.raises(ValueError, match="no p2"):
        record.sentences(2)
