"""Records: a played game as text, complete or not at all, and every state of it."""

import os
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toy import Toy
from tradekit import bazar, turin
from tradekit.game import CHANCE, IllegalAction, ParseError, draw
from tradekit.record import Move, Record


def played(start, seed=1, names=("me", "you"), most=60):
    """Return a record of random moves."""
    rng, record = random.Random(seed), Record.begin(start, names, seed=seed)
    for _move in range(most):
        state = record.state()
        if not state.actors:
            break
        actor = rng.choice(state.actors)
        action = draw(state.outcomes(), rng) if actor == CHANCE else state.actions(actor).sample(rng)
        record = record.with_move(action, actor)
    return record


BAZAR = played(bazar.new(2, (1, 4)))
TOY = played(Toy(), names=())


@pytest.mark.parametrize("record", [BAZAR, TOY], ids=["bazar", "toy"])
def test_a_record_reads_back_and_replays(record):
    again = Record.parse(str(record))
    assert again == record and again.names == record.names and again.notes == record.notes == (("seed", "1"),)
    assert [*again.states()] == [*record.states()] and len([*again.states()]) == len(record.moves) + 1
    assert again.state() == record.state() and again.state(0) == record.start


def test_a_person_can_read_and_write_it():
    start = (
        "bazar players=2 deck=house cards=1,4 step=turn turn=p1 hands=-,- "
        "stalls=RWBGY:4,RRWGY:4,RRWBB:4,GGGGG*:4 bought=-,- idle=0"
    )
    text = f"""# a game by hand
tradekit record 1
start: {start}
p0: Ana # 1
p1: Ben

p1 roll
  chance R   # red
p0 ROLL
chance Choice
"""
    with pytest.raises(ParseError, match="cut off"):
        Record.parse(text)
    record = Record.parse(f"{text}end: 4 actions\n")
    assert record.names == ("Ana # 1", "Ben")
    assert record.moves[:3] == (Move(1, "roll"), Move(CHANCE, "R"), Move(0, "roll"))
    assert record.state().step.name == "CHOICE"


@pytest.mark.parametrize("name", ["names", "start of it", "seed", "p9"])
def test_whatever_else_the_header_says_is_kept(name):
    text = str(Record.begin(Toy())).replace("p0:", f"{name}: 12\np0:")
    assert Record.parse(text).notes == ((name, "12"),)


def test_an_action_in_another_form_is_written_exactly():
    record = (
        Record.begin(bazar.new(2, exchange="R=WW", seed=1))
        .with_move("roll")
        .with_move("R")
        .with_move("roll")
        .with_move("W")
    )
    record = record.with_move(" red -> 2 white ")
    assert record.moves[-1].action == "R=WW"


def test_who_acts_must_be_said_where_several_may():
    record = Record.begin(Toy()).with_move("number 1").with_move("number 2")
    with pytest.raises(IllegalAction, match="say who acts: p0, p1"):
        record.with_move("bid 2")
    assert (
        record.with_move("bid 2", 1).with_move("bid 1", 0).state()
        == record.with_move("bid 1", 0).with_move("bid 2", 1).state()
    )


def test_an_illegal_action_changes_nothing():
    text = str(BAZAR)
    with pytest.raises(ValueError):
        BAZAR.with_move("buy 9")
    assert str(BAZAR) == text


def test_undone_moves_leave_the_record():
    shorter = BAZAR.before(10)
    assert shorter.moves == BAZAR.moves[:10] and shorter.state() == BAZAR.state(10)
    assert shorter.with_move(BAZAR.moves[10].action, BAZAR.moves[10].actor) == BAZAR.before(11)


@pytest.mark.parametrize("move", [-1, len(BAZAR.moves) + 1])
def test_a_move_that_is_not_there(move):
    with pytest.raises(IndexError, match=f"move {move}: the record has {len(BAZAR.moves)}"):
        BAZAR.state(move)


def test_the_frame_has_a_row_a_move():
    frame = BAZAR.to_frame()
    assert len(frame) == len(BAZAR.moves) and frame.index[0] == 1
    assert [*frame.columns] == ["actor", "name", "action", "points_0", "points_1", "state"]
    assert frame["action"].tolist() == [str(move.action) for move in BAZAR.moves]
    assert set(frame["name"]) == {"me", "you", "chance"}
    assert frame["state"].iloc[-1] == str(BAZAR.state())


def test_more_names_than_seats():
    with pytest.raises(ValueError, match="3 names for 2 seats"):
        Record.begin(Toy(), ["a", "b", "c"])


ODD = [
    "Ana\nB",
    " ",
    "p1: x",
    "#1",
    "# p0",
    "\u2028",
    "\x1c\x85",
    "\ud800",
    "\ufeffAna",
    "end: 0 actions",
    ": ",
    "a:",
    "start",
    "p0",
    "p7",
]
texts = st.text(max_size=8) | st.sampled_from(ODD)


@given(names=st.lists(texts, max_size=2), notes=st.dictionaries(texts, texts, max_size=3), moves=st.integers(0, 3))
def test_any_names_and_notes_are_loaded_again_as_they_were_saved_or_refused_at_once(
    tmp_path_factory, names, notes, moves
):
    notes = {name: value for name, value in notes.items() if name not in ("start", "names", "cls")}
    try:
        record = Record.begin(bazar.new(2, (1, 4), seed=1), names, **notes)
    except ValueError as error:
        assert "is no name for a note" in str(error)
        return
    for move in ("roll", "G", "roll")[:moves]:
        record = record.with_move(move)
    again = Record.load(record.save(tmp_path_factory.getbasetemp() / "odd.txt"))
    assert again == record and again.names == record.names
    assert dict(again.notes) == dict(record.notes) and again.state() == record.state()
    assert all(name.strip() for name in record.names) and len(record.names) == 2
    kept = [name for name in names if name.strip() and name.isprintable()]
    assert all(" ".join(name.split()) in record.names for name in kept)


def test_a_record_made_anew_is_looked_at_like_one_that_begins():
    """`dataclasses.replace` does not bypass the checks, and moves keep what was there."""
    changed = replace(BAZAR, names=("Ana\nB", " "), notes=(("hour", ""), ("day", "a\nb")))
    assert changed.names == ("Ana B", "player 2") and changed.notes == (("hour", ""), ("day", "a b"))
    assert Record.parse(str(changed)) == changed and changed.before(9).names == changed.names
    for name in ("start", "p1", "end", "#", "", "a: b"):
        with pytest.raises(ValueError, match="is no name for a note; a word or two are needed, such as seed"):
            replace(BAZAR, notes=((name, "x"),))


def test_names_may_be_left_out_of_the_header():
    text = str(BAZAR).replace("p0: me", "p0:").replace("p1: you\n", "")
    assert Record.parse(text).names == ("player 1", "player 2")


def test_a_file_of_an_editor_that_marks_UTF_8_is_read(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(str(BAZAR), "utf-8-sig")
    assert Record.load(path) == BAZAR == Record.parse("\ufeff" + str(BAZAR))


LINES = str(BAZAR).splitlines()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no record: it does not begin with 'tradekit record'"),
        ("Dear diary", "this is no record: it does not begin with 'tradekit record'"),
        ("\n".join(["tradekit record 7", *LINES[1:]]), "line 1: version '7'; this tradekit reads 1"),
        ("\n".join(LINES[:1] + LINES[2:]), "there is no line that begins with 'start: '"),
        ("\n".join([LINES[0], "start: chess", *LINES[2:]]), "line of 'start: ': there is no game 'chess'"),
        ("\n".join(LINES[:-1]), "the record is cut off: its last line should be 'end: ...'"),
        ("\n".join(LINES[:-3] + LINES[-1:]), f"line {len(LINES) - 2}: 58 actions stand here, not 60 actions"),
        ("\n".join([*LINES[:6], "p0 fly", *LINES[6:]]), "line 7: 'p0 fly'"),
        ("\n".join([*LINES[:6], "roll", *LINES[6:]]), "line 7: 'roll': a line says who acts and what"),
        ("\n".join([*LINES[:6], "p5 roll", *LINES[6:]]), "line 7: 'p5 roll': p5 is not to act here, but chance"),
    ],
)
def test_a_foreign_or_cut_off_text_is_refused_with_its_fault(text, message):
    with pytest.raises(ParseError) as error:
        Record.parse(text)
    assert message in str(error.value)


def test_every_cut_off_text_is_refused():
    text = str(TOY)
    for end in range(len(text) - 1):
        if text[:end].strip() == text.strip():
            continue
        try:
            cut = Record.parse(text[:end])
        except ParseError:
            continue
        assert cut == TOY  # only the last words of the last line were missing


def test_saving_and_loading(tmp_path):
    path = BAZAR.save(tmp_path / "game.txt")
    assert Record.load(path) == BAZAR
    path.write_text(path.read_text("utf-8")[:700], "utf-8")
    with pytest.raises(ParseError, match=r"^game\.txt: "):
        Record.load(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ParseError, match=r"^game\.txt: "):
        Record.load(path)


def test_saving_is_all_or_nothing(tmp_path, monkeypatch):
    path = BAZAR.before(5).save(tmp_path / "game.txt")
    before = path.read_bytes()

    def full(_fd):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        BAZAR.save(path)
    assert path.read_bytes() == before and [*tmp_path.iterdir()] == [path]


# --- a player's knowledge of the moves


def test_what_is_dealt_to_another_is_not_known_and_bids_are_when_all_are_in():
    """In the toy: two numbers are dealt, two bids are made at the same time."""
    record = Record.begin(Toy()).with_move("number 2").with_move("number 3").with_move("bid 1", 1)
    assert [[record.knows(player, place) for place in range(3)] for player in (0, 1)] == [
        [True, False, False],
        [False, True, True],
    ]
    record = record.with_move("bid 2", 0)
    assert [[record.knows(player, place) for place in range(4)] for player in (0, 1)] == [
        [True, False, True, True],
        [False, True, True, True],
    ]


def test_nothing_is_unknown_where_nothing_is_hidden():
    assert all(BAZAR.knows(player, place) for player in (0, 1) for place in range(len(BAZAR.moves)))


@pytest.mark.parametrize("seed", range(3))
def test_TU_10_TU_11_in_turin_only_the_cards_dealt_to_others_stay_unknown(seed):
    """Seen from the end of the record; and before it, commits made while another player has still to choose."""
    record = played(turin.new(3), seed, (), most=200)
    for player in range(3):
        for place, move in enumerate(record.moves):
            own = move.action.startswith("deal") and place // 6 == player
            assert record.knows(player, place) == (own or not move.action.startswith("deal")), (place, move)
            before = record.before(place + 1)
            waits = len(record.state(place).actors) > 1 and move.actor != player
            assert before.knows(player, place) == (record.knows(player, place) and not waits)
