"""The table without a browser: bots answer at once here, because no loop runs; the last tests run one."""

import asyncio
import random
import re
import selectors
import threading
from dataclasses import dataclass
from html import unescape
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.toy import Toy
from tradekit import bazar, bots, game, silk, turin
from tradekit.bots import Bot
from tradekit.game import CHANCE, NO_ACTIONS, Action, IllegalAction, Listed
from tradekit.record import Record
from tradekit.turin.parameters import numbers
from tradekit.widgets.table import play

# --- a toy: the players count down from `left` in turns, by one or two, and the player who takes the last point has it


@dataclass(frozen=True)
class Countdown(game.State):
    left: int
    points: tuple[int, ...] = (0, 0)
    turn: int = 0

    @property
    def actors(self):
        return (self.turn,) if self.left else ()

    def actions(self, player):
        return Listed.of(*("one", "two")[: self.left]) if player in self.actors else NO_ACTIONS

    def after(self, action, player=None):
        if action not in ("one", "two"):
            raise game.ParseError(f"{action!r} is no action; write one or two")
        take = 1 if action == "one" else 2
        if take > self.left or player not in (None, self.turn):
            raise IllegalAction(f"p{self.turn} cannot take two of one (CD-1)")
        points = tuple(p + take * (seat == self.turn) for seat, p in enumerate(self.points))
        return Countdown(self.left - take, points, 1 - self.turn)

    def scores(self):
        return self.points


game.register(game.Game("countdown", Countdown, lambda players=2, seed=None: Countdown(5), (2,), chance=False, high=5))


class Broken(Bot):
    """A bot that raises errors as often as it is set to."""

    name = "broken"

    def __init__(self, times=1):
        self.times = times

    def choose(self, view, actions, rng):
        self.times -= 1
        if self.times >= 0:
            raise RuntimeError("out of ideas")
        return next(iter(actions))


class First(Bot):
    """A bot that takes the first action."""

    name = "first"

    def choose(self, view, actions, rng):
        return next(iter(actions))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder to save into."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def say(talk_to):
    """A function say(table, do, value): send as the front end does; return the parts rewritten, in one message."""
    return lambda table, do, value="": talk_to(table)(do, value)


def text(html):
    """Return the text that a person reads in a part."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]+>", " ", html, flags=re.S))).strip()


def clickable(table, part="picture"):
    """Return the actions that the live picture offers."""
    return [unescape(action) for action in re.findall(r'data-do="act" data-value="([^"]+)"', table.parts[part])]


def against(bot=None, **options):
    options = {"cards": (1, 4), "seed": 7} | options
    return play(bazar.new(2, **options), {0: "me", 1: bot or First()}, seed=7)


# --- playing


def test_what_can_be_clicked_is_what_is_legal_and_the_rest_says_why(comms, say):
    table = against()
    assert clickable(table) == ["roll"]
    off = re.findall(r'aria-disabled="true"[^>]*data-key="act-buy 1" title="([^"]+)"', table.parts["picture"])
    assert off == [f"buy {table.state.wares[0]}: cannot buy before rolling or trading (BZ-12)"]
    for _turn in range(30):
        assert set(clickable(table)) == set(table.state.actions(table.to_act))
        say(table, "act", clickable(table)[-1])
    assert table.place > 60


def test_a_click_is_one_message_the_answer_of_the_bot_included(comms, say):
    table = against()
    changed = say(table, "act", "roll")
    assert {"picture", "news", "moves", "file"} <= changed
    assert not {"type", "paste"} & changed, "what is being typed there stays"
    assert table.record.moves[-1].actor in (CHANCE, 0, 1)


@pytest.mark.parametrize(("do", "field"), [("act", "act"), ("type", "type")])
@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("buy 1", "cannot buy before rolling or trading (BZ-12)"),
        ("done", "there is no passing: roll or trade (BZ-11)"),
        ("R=WW", "- does not hold R (BZ-10)"),
        ("jump", "'jump' is no action; write roll, an equation such as R=WW, take R, buy 2, done or return R"),
    ],
)
def test_what_is_illegal_changes_nothing_and_the_rule_is_named(comms, say, do, field, action, message):
    table = against()
    record = table.record
    say(table, do, action)
    assert table.errors == {field: (action, message)}
    assert message in text(table.parts["news" if do == "act" else "type"])
    assert table.record is record
    say(table, do, "roll")
    assert not table.errors
    assert table.place > record.chances


def test_typed_actions_are_read_kindly_and_empty_the_field(comms, say):
    table = against()
    say(table, "type", " Roll ")
    assert [move.action for move in table.record.moves if move.actor == 0] == ["roll"]
    assert 'value="' not in table.parts["type"]


# --- players in typed text

OFFERS = silk.State.parse(
    "silk players=3 step=turn turn=p0 market=ivory:43210,tea:32104,cloth:21043,silk:10432,spices:04321 hordes=4 "
    "hands=ivory:3/tea:1,2,7;silk:9,10/cloth:8;spices:1,2,10/tea:9 discards=- safeguards=-;-;- dinars=0,0,0 idle=0"
)


def moves_shown(table):
    """Return the sentence of each move, and what is typed for it, with the last one first."""
    lines = re.findall(r"<li[^>]*>(.*?)(?: <code[^>]*>(.*?)</code>)?</li>", table.parts["moves"])
    return [tuple(map(unescape, line)) for line in lines]


def test_SI_11_an_offer_is_typed_as_the_list_of_moves_shows_it(comms, say):
    bot = First()
    bot.name = "Bo Derek"
    table = play(OFFERS, {0: "me", 1: "planner", 2: bot}, seed=1)
    say(table, "type", "offer Bo Derek tea 1 2 as tea")
    assert table.errors == {} and str(table.record.moves[0]) == "p0 offer p2 tea 1 2 as tea"
    assert moves_shown(table)[-1] == (
        "You offered Bo Derek 2 cards, tea among them, 3 in all.",
        "offer Bo Derek tea 1 2 as tea",
    )
    assert moves_shown(table)[-2][1] == "", "the cards of another's answer are a secret"
    say(table, "undo")
    say(table, "type", "offer p2 tea 1 2 as tea")
    assert str(table.record.moves[0]) == "p0 offer p2 tea 1 2 as tea"


def test_SI_11_what_is_wrong_with_an_offer_is_said_of_what_was_meant(comms, say):
    table = play(OFFERS, {0: "me", 1: "planner", 2: "sale"}, seed=1)
    said = []
    for typed in ("offer sale cloth 1 2 as cloth", "offer p2 cloth 1 2 as cloth"):
        say(table, "type", typed)
        assert table.errors["type"][0] == typed, "the field keeps what was typed"
        said.append(table.errors["type"][1])
    assert said[0] == said[1] and "cloth" in said[0]


NAMES = ["tea", "as", "offer", "offer p2", "p0", "p1", "p2", "1", "Ana B", "(x)", "a|b", "Añá", "tea 1", "Ada", ""]


@pytest.mark.parametrize("other", ["Ana", "p1", "tea"])
@pytest.mark.parametrize("name", NAMES)
def test_SI_11_whatever_players_are_called_an_action_can_be_typed_as_it_is_shown(comms, name, other):
    """And as a record writes it, always; in a position where each of the others can be offered each pair of cards."""
    table = play(OFFERS, {0: other, 1: "Ada", 2: name}, seed=1)
    actions = random.Random(0).sample([*table.state.actions(0)], 30)
    assert {"p1", "p2"} <= {word for action in actions for word in action.split()}
    for action in actions:
        assert table.meant(table.called(action)) == table.meant(action) == action


def test_it_is_not_a_persons_turn(comms):
    table = play(bazar.new(2, cards=(1, 4), seed=7), {0: Broken(), 1: Broken()}, seed=7)
    with pytest.raises(IllegalAction, match="not your turn"):
        table.act("roll")


def test_a_whole_game_and_its_end(comms, say):
    table = play(bazar.new(2, cards=(1, 4), seed=7, patience=6), {0: "me", 1: "random"}, seed=7)
    while table.state.actors:
        say(table, "act", clickable(table)[-1])
    said = text(table.parts["picture"])
    winners = [table.record.names[player] for player in table.state.winners()]
    assert "The bazaar is closed" in said
    assert all(name in said for name in winners)
    assert clickable(table) == []
    assert Record.load(table.file).state() == table.state


def test_solitaire(comms, say):
    table = play(bazar.new(1, cards=(1, 4), seed=3), seed=3)
    say(table, "act", "roll")
    assert "1 turn" in text(table.parts["picture"])


# --- luck, undo


def test_undo_takes_back_the_bots_moves_too_and_meets_the_same_luck(comms, say):
    table = against()
    begin = table.record
    say(table, "act", "roll")
    first = table.record
    assert first.moves[-1] != begin.moves[-1:]
    say(table, "undo")
    assert table.record == begin
    assert Record.load(table.file) == begin, "undone moves leave the file"
    say(table, "act", "roll")
    assert table.record == first


def test_nothing_to_undo(comms, say):
    table = against()
    assert 'data-key="undo" title="there is no move to take back"' in table.parts["tools"]
    say(table, "undo")
    assert table.errors["undo"][1] == "there is no move to take back"


def test_the_seed_is_visible_and_kept(comms, say):
    table = against()
    assert "seed 7" in text(table.parts["file"])
    say(table, "act", "roll")
    assert play(Record.load(table.file)).seed == 7


# --- hint, replay


def test_hint_says_the_best_action_and_what_others_cost(comms, say):
    table = play(bazar.new(2, cards=(1, 4), seed=7), {0: "me", 1: "random"}, seed=7)
    record = table.record
    say(table, "hint")
    assert "Hint: Roll the die" in text(table.parts["hint"])
    assert table.advice.measure in text(table.parts["hint"])
    assert table.record is record
    say(table, "hint")
    assert table.advice is None
    say(table, "hint")
    say(table, "act", "roll")
    assert table.advice is None, "advice is for one place in the game"


def test_a_hint_marks_its_button_by_a_badge_and_a_name(comms, say):
    """And no other, and none in a replay or after the next move."""
    table = play(bazar.new(2, cards=(1, 4), seed=7), {0: "me", 1: "random"}, seed=7)
    for _turn in range(12):
        say(table, "hint")
        (tag,) = re.findall(r"<button[^>]*tk-marked[^>]*>", table.parts["picture"])
        assert f'data-value="{table.advice.best}"' in tag
        assert 'data-badge="hint"' in tag
        assert 'aria-label="hint: ' in tag
        assert clickable(table) == [*dict.fromkeys(clickable(table))], "it can be clicked as before"
        say(table, "act", table.advice.best)
        assert "tk-marked" not in table.parts["picture"]
    say(table, "hint")
    say(table, "replay", "3")
    assert "tk-marked" not in table.parts["picture"]


def test_a_hint_for_an_amount_marks_the_button_of_its_form(comms, say, monkeypatch):
    monkeypatch.setattr("tradekit.widgets.table_view.HINT_SECONDS", 0.05)
    table = play(turin.new(4, seed=1), {1: First(), 2: First(), 3: First()}, seed=1)
    assert table.state.step.name == "BID"
    say(table, "hint")
    (tag,) = re.findall(r"<button[^>]*tk-marked[^>]*>", table.parts["picture"])
    assert 'data-pattern="bid {amount} {loan}"' in tag
    assert f'data-badge="{table.advice.best.capitalize()}"' in tag


def test_a_hint_marks_a_button_that_shows_its_action(comms, say, monkeypatch):
    monkeypatch.setattr("tradekit.widgets.table_view.HINT_SECONDS", 0.05)
    table = play(Countdown(2), {1: "random"})
    say(table, "hint")
    assert f'aria-label="hint: {table.advice.best}"' in table.parts["picture"]


def test_a_hint_in_any_game_is_an_estimated_share_of_wins(comms, say, monkeypatch):
    monkeypatch.setattr("tradekit.widgets.table_view.HINT_SECONDS", 0.2)
    table = play(Countdown(3), {1: "random"})
    say(table, "hint")
    assert table.advice.bot == "search"
    assert "estimated share of wins" in text(table.parts["hint"])
    assert set(table.advice.values) == {"one", "two"}


def test_a_replay_goes_on_while_bots_move(comms, say):
    table = play(Countdown(9), {0: "Ada", 1: First()})
    say(table, "stop")
    say(table, "act", "one")
    say(table, "replay", "0")
    say(table, "go")
    assert (table.place, table.shown) == (2, 0)
    say(table, "type", "one")
    assert table.shown is None


def test_replay_shows_every_state_and_changes_nothing(comms, say):
    table = against()
    for _turn in range(3):
        say(table, "act", clickable(table)[0])
    record, now = table.record, table.parts["picture"]
    for move in range(table.place):
        say(table, "replay", str(move))
        assert table.shown == move
        assert clickable(table) == []
        assert f"after move {move} of {table.place}" in text(table.parts["news"])
    for wrong in ("99", "-1", "x"):
        say(table, "replay", wrong)
        assert table.errors["replay"][0] == wrong
    say(table, "back")
    assert table.parts["picture"] == now
    assert table.record is record


# --- saving


def test_nothing_is_written_before_the_first_move_and_all_after_each(comms, say, folder):
    table = against()
    assert [*folder.iterdir()] == []
    for _turn in range(4):
        say(table, "act", clickable(table)[0])
        again = play(Record.load(table.file), {1: First()})
        assert again.state == table.state
        assert again.record == table.record
    assert [file.name for file in folder.iterdir()] == [table.file.name]
    assert table.file.name in text(table.parts["file"])
    assert re.fullmatch(r"bazar-\d{4}-\d\d-\d\d-a\.txt", table.file.name)


def test_a_resumed_game_meets_the_same_luck(comms, say):
    table = against("random")
    say(table, "act", "roll")
    again = play(Record.load(table.file))
    assert again.record.names == ("me", "random")
    assert 1 in again.bots
    action = clickable(table)[0]
    say(table, "act", action)
    say(again, "act", action)
    assert again.record == table.record


def test_two_tables_do_not_share_a_file(comms, say):
    tables = against(), against()
    for table in tables:
        say(table, "act", "roll")
    assert tables[0].file != tables[1].file
    assert tables[0].parts.keys() == tables[1].parts.keys()


def test_a_file_of_another_game_is_not_written_over(comms, folder):
    (folder / "mine.txt").write_text("a game")
    with pytest.raises(ValueError, match=r"there is a file mine.txt already; go on with it by tradekit.play"):
        play(bazar.new(seed=1), file="mine.txt")


def test_a_record_does_not_write_over_the_file_of_another_game(comms, folder):
    one, other = (played_on(bazar.new(2, cards=cards, seed=7)) for cards in ((1, 4), (2, 5)))
    path = other.save("b.txt")
    before = path.read_bytes()
    fork = one.before(1).with_move(one.state(1).outcomes()[-1][0])
    texts = {"notes.txt": b"my notes", "empty.txt": b"", "b.txt": before, "fork.txt": str(fork).encode()}
    assert fork.moves != one.moves[: len(fork.moves)]
    for name, content in texts.items():
        (folder / name).write_bytes(content)
        for record in (one, one.before(1)) if name != "fork.txt" else (one,):
            with pytest.raises(ValueError, match=name):
                play(record, file=name)
        assert (folder / name).read_bytes() == content


@pytest.mark.parametrize("kept", [0, 3, 8])
@pytest.mark.parametrize("given", [0, 3, 8])
def test_a_record_and_its_file_go_on_from_where_the_longer_one_is(comms, folder, kept, given):
    """Nothing of either is lost, including notes and seed."""
    whole = played_on(bazar.new(2, cards=(1, 4), seed=7), most=8, seed=5, room="3b")
    whole.before(kept).save("game.txt")
    record = Record.begin(whole.start, ["Ana", "Bo"], day="Monday")
    for actor, action in whole.moves[:given]:
        record = record.with_move(action, actor)
    table = play(record, {0: "Ana", 1: "Bo"}, file="game.txt")
    assert table.record.moves[: max(kept, given)] == whole.moves[: max(kept, given)]
    assert {"room", "seed"} <= dict(table.record.notes).keys() and table.seed == 5
    while table.to_act is None:
        table.receive("on", "")
    table.act(next(iter(table.state.actions(table.to_act))))
    assert Record.load("game.txt") == table.record and len(table.record.moves) > max(kept, given)


def played_on(start, most=8, **notes):
    """Return a record of the first legal actions."""
    record = Record.begin(start, **notes)
    while len(record.moves) < most:
        state = record.state()
        record = record.with_move(next(iter(game.choices(state, state.actors[0]))), state.actors[0])
    return record


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(
        st.text(max_size=6) | st.sampled_from(["Ana\nB", " ", "p1: x", "#1", "\u2028", "\ud800"]),
        min_size=2,
        max_size=2,
    )
)
def test_whatever_people_are_called_their_game_is_loaded_again(comms, folder, names):
    table = play(bazar.new(2, cards=(1, 4), seed=7), dict(enumerate(names)), seed=7)
    table.act("roll")
    again = Record.load(table.file)
    assert again == table.record and again.names == table.record.names and "" not in again.names
    table.file.unlink()


@pytest.mark.parametrize("seed", [0, 7, -5, 10**30])
def test_the_seed_is_found_again_in_the_record(comms, say, seed):
    table = play(bazar.new(2, cards=(1, 4), seed=7), {0: "me", 1: First()}, seed=seed)
    say(table, "act", "roll")
    assert play(Record.load(table.file), {1: First()}).seed == seed
    other = against()
    say(other, "paste", str(table.record))
    assert other.seed == seed
    say(other, "seating")
    say(other, "seed", str(seed))
    say(other, "begin")
    assert other.seed == seed and not other.errors


def test_a_pasted_game_is_called_by_its_name(comms, say):
    table = against()
    assert table.label == "table: bazar"
    say(table, "paste", str(Record.begin(Toy())))
    assert table.label == "table: toy"


def test_a_folder_that_cannot_be_written_to_is_said_and_the_game_goes_on(comms, say):
    table = play(bazar.new(2, cards=(1, 4), seed=7), {1: First()}, seed=7, file="no/such/folder.txt")
    say(table, "act", "roll")
    news = text(table.parts["news"])
    assert "could not be saved" in news and "No such file or directory" in news and "Errno" not in news
    assert table.place


def test_paste_a_record_and_go_on(comms, say):
    table = against("random")
    say(table, "act", "roll")
    kept, file = str(table.record), table.file
    other = play(bazar.new(3, seed=1), {1: "random", 2: "random"}, seed=9)
    say(other, "paste", kept)
    assert other.record == table.record
    assert other.seed == 7
    assert other.file is None
    say(other, "act", clickable(other)[0])
    assert other.file != file
    assert 'aria-invalid="true"' not in other.parts["paste"]


def test_a_faulty_paste_keeps_the_game_and_what_was_typed(comms, say):
    table = against()
    say(table, "act", "roll")
    record = table.record
    broken = str(record).replace("p0 roll", "p0 R=WW", 1)
    say(table, "paste", broken)
    assert "R=WW" in table.errors["paste"][1]
    assert table.errors["paste"][1] in text(table.parts["paste"])
    assert "end:" in table.parts["paste"], "the field still holds what was pasted"
    assert table.record is record
    assert clickable(table)


def test_download_holds_the_whole_record(comms, say):
    from urllib.parse import unquote

    table = against()
    say(table, "act", "roll")
    link = re.search(r'href="data:text/plain;charset=utf-8,([^"]+)"', table.parts["file"])[1]
    assert Record.parse(unquote(link)) == table.record


# --- bots that fail, stop and go


@pytest.mark.parametrize("way", ["again", "random", "play"])
def test_after_a_bots_error_the_game_goes_on(comms, say, way):
    table = play(bazar.new(2, cards=(1, 4), seed=7), {0: "me", 1: Broken(1)}, seed=7)
    if not table.trouble:
        say(table, "act", "roll")
        while not table.trouble:
            say(table, "act", clickable(table)[-1])
    assert "broken cannot move: RuntimeError: out of ideas" in text(table.parts["news"])
    place = table.place
    say(table, "instead", way)
    assert not table.trouble
    if way == "play":
        assert table.to_act == 1
        say(table, "act", clickable(table)[0])
    assert table.place > place
    assert table.to_act == 0


def test_a_bots_illegal_action_is_its_error(comms, say):
    class Cheat(First):
        name = "cheat"

        def choose(self, view, actions, rng):
            return Action("buy 1")

    table = against(Cheat())
    while not table.trouble:
        say(table, "act", clickable(table)[0])
    assert "BZ-12" in text(table.parts["news"])


@pytest.fixture
def halted(comms, say):
    """A table whose bots are halted, when it is the bot's turn."""
    table = against()
    say(table, "stop")
    say(table, "act", "roll")
    while table.to_act == 0:
        say(table, "act", clickable(table)[0])
    return table


def test_stop_and_go(halted, say):
    table = halted
    assert table.state.actors == (1,)
    assert "The bots wait" in text(table.parts["tools"])
    say(table, "go")
    assert table.to_act == 0


def test_what_came_too_early_stays_in_the_field_without_its_message(halted, say):
    table = halted
    say(table, "type", "roll")
    assert "it is not your turn" in text(table.parts["type"])
    say(table, "go")
    assert table.to_act == 0
    assert 'value="roll"' in table.parts["type"] and "it is not your turn" not in text(table.parts["type"])


# --- two persons


@pytest.mark.parametrize("way", ["undo", "reseat", "begin", "paste"])
def test_TU_6_no_message_tells_the_next_person_of_a_hand(comms, say, way):
    """Bo types a card that he does not have, and is told which he has: that is for Bo."""
    table = play(turin.new(2, seed=7), {0: "Ana", 1: "Bo"}, seed=1)
    say(table, "uncover")
    say(table, "act", table.state.actions(0)[0])
    say(table, "uncover")
    say(table, "type", "show 99")
    assert "Bo holds the cards" in text(table.parts["type"])
    say(table, "seating")
    say(table, way, str(table.record) if way == "paste" else "")
    assert table.covered
    assert "holds the cards" not in text("".join(table.parts.values()))


def test_a_cover_hides_the_holdings_until_the_next_person_is_there(comms, say):
    state = bazar.new(2, cards=(1, 4), seed=7, hidden=True)
    table = play(state, {0: "Ada", 1: "Bo"}, seed=7)
    for _turn in range(8):
        assert table.covered
        name = table.record.names[table.to_act]
        assert text(table.parts["picture"]).startswith(f"Pass the screen to {name}.")
        assert "tk-stone" not in "".join(table.parts.values())
        say(table, "act", "roll")
        assert "not your turn" in table.errors["act"][1], "nobody plays through the cover"
        say(table, "uncover")
        me = table.to_act
        while table.to_act == me and not table.covered:
            other = table.state.holdings[1 - me]
            seen = re.findall(r'bz-held">(.*?)</div>', table.parts["picture"], flags=re.S)[1 - me]
            assert f"{len(other)} stone" in text(seen)
            assert not re.search(r"tk-[RWBGY]\b", seen)
            say(table, "act", clickable(table)[0])


def bids_shown(table):
    """Return the numbers and bids that the whole page shows."""
    return re.findall(r"(?:bid|number)(?: |%20)\d", re.sub(r"<button.*?</button>", "", "".join(table.parts.values())))


@pytest.mark.parametrize("seed", range(4))
def test_bids_at_the_same_time_stay_hidden_from_the_other_at_one_screen(comms, say, seed):
    """Two persons: each bids behind the cover, and no part of the page tells the other before both have bid."""
    table = play(Toy(), {0: "Ada", 1: "Bo"}, seed=seed)
    assert table.state.actors == (0, 1)
    numbers = table.state.numbers
    for seat, bid in enumerate(("bid 2", "bid 1")):
        assert table.covered
        assert text(table.parts["picture"]).startswith(f"Pass the screen to {table.record.names[seat]}.")
        assert not bids_shown(table)
        say(table, "uncover")
        own = [n if at == seat else -2 for at, n in enumerate(numbers)]
        assert f"numbers={own} bids=[-1, -1]".replace(", ", ",") in text(table.parts["picture"])
        assert set(bids_shown(table)) == {f"number {numbers[seat]}"}, "the own one, as chance has dealt it"
        assert clickable(table) == ["bid 0", "bid 1", "bid 2", "bid 3"]
        say(table, "act", bid)
    assert table.state.bids == (2, 1)
    assert {"bid 2", "bid 1"} <= set(bids_shown(table)), "at the end all is told"
    assert "Ada" in text(table.parts["picture"])


@pytest.mark.parametrize("bid", ["bid 0", "bid 2"])
def test_a_bot_that_bids_at_the_same_time_is_not_looked_at(comms, say, bid):
    """It bids before the person does, does not see the person's bid, and the page shows nothing of its own."""
    seen = []

    class Watching(First):
        name = "watching"

        def choose(self, view, actions, rng):
            seen.append(str(view))
            return Action("bid 1")

    table = play(Toy(), {0: "Ada", 1: Watching()}, seed=3)
    assert [move.actor for move in table.record.moves if move.actor != CHANCE] == [1]
    assert not table.covered
    own = {f"number {table.state.numbers[0]}"}
    assert set(bids_shown(table)) == own
    say(table, "act", bid)
    assert len(seen) == 1
    assert "bids=[-1,-1]" in seen[0]
    assert table.state.bids == (int(bid[-1]), 1)
    assert not table.state.actors
    say(table, "undo")
    assert table.state.bids[0] == -1
    assert set(bids_shown(table)) == own


def hand_shown(table):
    """Return the cards whose owner the whole page shows: in a hand, or dealt."""
    page = "".join(table.parts.values())
    hand = page.partition('class="tu-hand"')[2].partition('class="tu-bids"')[0]
    return {int(n) for n in re.findall(r"card (\d+):", hand) + re.findall(r"chance: deal (\d+)", page)}


def test_TU_6_TU_10_a_hand_at_one_screen_is_seen_by_its_owner_alone(comms, say):
    """From the first deal on; hand cards chosen and bids appear when the last one is in, and deals never."""
    table = play(turin.new(3), {0: "Ada", 1: "Bo", 2: First()}, seed=4)
    hands = [set(numbers(hand)) for hand in table.state.hands]
    for verb, said, actions in (("show", "up for auction", ["show"] * 2), ("bid", " bid ", ["bid 3", "bid 5"])):
        for seat, action in enumerate(actions):
            assert (table.covered, table.to_act, table.state.step.name) == (True, seat, verb.upper())
            assert hand_shown(table) == set()
            assert said not in text(table.parts["news"] + table.parts["moves"])
            say(table, "uncover")
            own = set(numbers(table.state.hands[seat]))
            assert own <= hand_shown(table) <= hands[seat], "those in the hand, and those that were dealt"
            listed = text(table.parts["moves"])
            assert said not in listed
            assert listed.count("was dealt a card.") == 12
            say(table, "act", f"show {min(own)}" if action == "show" else action)
    say(table, "uncover")
    listed = text(table.parts["moves"])
    names = ["You" if seat == table.facing else name for seat, name in enumerate(("Ada", "Bo", "first"))]
    assert all(f"{name} bid {n}." in listed for name, n in zip(names, (3, 5, 0), strict=True))
    assert all(f"{name} put card " in listed for name in names)
    assert "Download" not in text(table.parts["file"])


def test_TU_40_the_payments_of_a_game_stay_until_a_person_goes_on(comms, say):
    """Chance waits with the cards of the next game; among bots it does not."""
    table = play(turin.new(2, seed=1, games=2), {0: "Ada", 1: "random"}, seed=1)
    while not table.state.pauses:
        assert 'data-do="on"' not in table.parts["news"]
        say(table, "act", table.state.actions(0).sample(random.Random(table.place)))
    place = table.place
    assert "Game 1 is over: these are its payments." in text(table.parts["picture"])
    assert 'data-do="on"' in table.parts["news"]
    say(table, "on")
    assert table.place >= place + 12, "the cards of the next game are dealt"
    assert Record.load(table.file) == table.record
    say(table, "undo")
    assert table.place < place
    table = play(turin.new(2, seed=1, games=2), {0: "random", 1: "random"}, seed=1)
    assert not table.state.actors


def test_no_cover_where_nothing_is_hidden_or_one_person_plays(comms):
    assert not play(bazar.new(2, cards=(1, 4), seed=7), {}, seed=7).covered
    assert not play(bazar.new(2, cards=(1, 4), seed=7, hidden=True), {1: First()}, seed=7).covered


# --- any game


def test_a_game_without_a_picture_is_played_by_its_buttons_and_by_typing(comms, say):
    table = play(Countdown(4), {0: "Ada", 1: First()})
    assert clickable(table) == ["one", "two"]
    say(table, "act", "two")
    assert table.state.points == (2, 1)
    say(table, "type", "two")
    assert "Ada cannot take two of one (CD-1)" in text(table.parts["type"])
    say(table, "type", "one")
    assert "Ada 3 wins" in text(table.parts["picture"])


def test_seats(comms):
    with pytest.raises(ValueError, match="there is no seat 2; there are 0, 1"):
        play(bazar.new(2, seed=1), {2: "me"})
    table = play(bazar.new(2, seed=1), {0: "chain"}, seed=1)
    assert table.record.names == ("chain", "player 2")
    assert list(table.bots) == [0]


def test_who_names_nobody_meets_the_best_bot_of_the_game(comms):
    assert play(bazar.new(3, seed=1), seed=1).record.names == ("you", "policy", "policy")
    assert play(Countdown(3)).record.names == ("you", "search")
    assert play(bazar.new(1, seed=1), seed=1).record.names == ("you",)
    assert play(bazar.new(2, seed=1), {}, seed=1).bots == {}, "no bots if none are asked for"


def test_bots_of_one_name_are_told_apart(comms, say):
    table = play(bazar.new(3, cards=(1, 4), seed=7), {0: "me", 1: First(), 2: First()}, seed=7)
    say(table, "act", "roll")
    for said in ("first (2)", "first (3)"):
        assert said in text(table.parts["picture"])
        assert f"{said} rolled the die." in text(table.parts["moves"])
    assert table.record.names == ("me", "first", "first"), "a record keeps what the bot is asked for by"


def shown_seats(table):
    """Return the seat picker's choice for each seat, and a person's name."""
    html = table.parts["seats"]
    chosen = re.findall(r'<option value="([^"]*)" selected>', html)
    return chosen, re.findall(r'data-do="name"[^>]* value="([^"]*)"', html)


def test_the_seat_picker_shows_every_bot_with_its_strength(comms, say):
    table = play(bazar.new(2, cards=(1, 4), seed=7), {0: "Ada", 1: First()}, seed=7)
    assert table.parts["seats"] == table.parts["begin"] == ""
    assert say(table, "seating") == {"tools", "seats", "begin"}
    assert shown_seats(table) == (["", "first"], ["Ada"])
    offered = re.findall(r"<option[^>]*>([^<]*)<", table.parts["seats"])[: len(bots.names("bazar")) + 2]
    assert [line.partition(":")[0] for line in offered] == ["a person", *sorted([*bots.names("bazar"), "first"])]
    assert f"policy: {bots.strength('policy', 'bazar')}" in offered
    assert "first" in offered, "a bot that was brought along has no measured strength"
    say(table, "seating")
    assert table.parts["seats"] == ""


def test_a_new_game_with_other_seats_and_a_seed(comms, say):
    table = against()
    say(table, "act", "roll")
    first, file, start = table.record, table.file, table.record.start
    say(table, "seating")
    assert f"This one stays in {file.name}." in text(table.parts["begin"])
    assert say(table, "seat", "1 random") == say(table, "seed", "12") == {"seats"}
    say(table, "seat", "0 ")
    say(table, "name", "0 Ada  Byron")
    assert shown_seats(table) == (["", "random"], ["Ada Byron"])
    assert table.record is first, "nothing happens before one says so"
    say(table, "begin")
    assert (table.record.names, table.seed, table.place) == (("Ada Byron", "random"), 12, 0)
    assert table.record.start == start
    assert "seed 12" in text(table.parts["file"])
    assert table.parts["seats"] == ""
    assert Record.load(file) == first, "the game before stays in its file"
    say(table, "act", "roll")
    assert table.file != file
    assert Record.load(table.file) == table.record


def test_a_new_game_has_any_seed_or_the_same_luck_again(comms, say):
    table = against()
    say(table, "act", "roll")
    first = table.record
    seeds = set()
    for _game in range(5):
        say(table, "seating")
        say(table, "begin")
        seeds.add(table.seed)
    assert len(seeds) > 1
    say(table, "seating")
    say(table, "seed", "7")
    say(table, "begin")
    say(table, "act", "roll")
    assert table.record == first


def test_seats_change_hands_within_a_game(comms, say):
    """A bot takes over and gives back; the record says who sat there until when."""
    table = play(bazar.new(2, cards=(1, 4), seed=7, patience=5), {0: "Ada", 1: First()}, seed=7)
    say(table, "act", "roll")
    place, moves = table.place, table.record.moves
    say(table, "seating")
    say(table, "seat", "1 ")
    say(table, "reseat")
    assert table.persons == [0, 1]
    assert table.record.moves == moves
    assert dict(table.record.notes)[f"until move {place}"] == "Ada, first"
    assert Record.load(table.file).notes == table.record.notes
    say(table, "seating")
    say(table, "seat", "0 random")
    say(table, "seat", "1 first")
    say(table, "reseat")
    assert not table.state.actors, "two bots play it to the end"
    assert table.record.names == ("random", "first")
    assert dict(table.record.notes)[f"until move {place}"] == "Ada, first", "who sat there for no move is not noted"


def test_the_bot_at_a_seat_stays_that_bot(comms, say):
    """Bots of one name may differ."""
    one, other = bots.SearchBot(1), bots.SearchBot(2)
    table = play(bazar.new(3, cards=(1, 4), seed=7), {1: one, 2: other}, seed=7)
    say(table, "seating")
    say(table, "begin")
    assert table.bots == {1: one, 2: other}


def test_a_second_click_on_new_game_begins_no_other_one(comms, say):
    table = against()
    say(table, "seating")
    say(table, "seed", "42")
    for _click in range(2):
        say(table, "begin")
    assert table.seed == 42


@pytest.mark.parametrize(("do", "value"), [("seed", "7a"), ("name", "0 policy")])
@pytest.mark.parametrize("way", ["begin", "reseat"])
def test_what_is_wrong_with_the_seats_is_put_right_first(comms, say, do, value, way):
    table = against()
    say(table, "seating")
    say(table, do, value)
    before = table.seed, table.record
    say(table, way)
    assert (table.seed, table.record) == before and table.seating and table.errors[do][1]


@pytest.mark.parametrize(
    ("do", "value", "message"),
    [
        ("seat", "2 policy", "there is no seat 2; there are 0, 1"),
        ("name", "0 policy", "policy is the name of a bot"),
        ("seed", "x", "'x': a seed is a whole number, such as 7"),
    ],
)
def test_a_faulty_seat_changes_nothing(comms, say, do, value, message):
    table = against()
    say(table, "seating")
    wanted = table.wanted
    say(table, do, value)
    assert table.errors[do] == (value, message)
    assert (table.wanted, table.wanted_seed) == (wanted, None)
    if do != "seat":
        assert message in unescape(table.parts["seats"])
        assert 'aria-invalid="true"' in table.parts["seats"]


def test_a_page_without_a_kernel_is_there_and_loads_nothing(comms):
    data = against()._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    assert "Exchange" in data["text/html"]
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', data["text/html"])


def test_the_same_picture_without_buttons_shows_the_state(comms):
    html = bazar.new(2, cards=(1, 4), seed=7)._repr_html_()
    assert "<button" not in html
    assert "Stalls" in html


OPTIONS = [
    {},
    {"double": True},
    {"over_ten": "penalty"},
    {"max_left": 1},
    {"hidden": True},
    {"players": 1, "series": 3},
    {"players": 3},
]


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_picture_offers_what_is_legal_in_every_state(options):
    """Seen by the player to move; the others can click nothing, and every state has its sentence."""
    rng = random.Random(1)
    for state in game.play_on(bazar.new(**{"seed": 3, "patience": 40} | options), rng):
        for player in range(state.players):
            html = state.html(player, live=True)
            offered = {unescape(action) for action in re.findall(r'data-do="act" data-value="([^"]+)"', html)}
            assert offered == set(state.actions(player))
            assert re.search(r'class="bz-todo"><p>.+?</p>', html)


@dataclass(frozen=True)
class Number(Countdown):
    """A countdown in which players say a number."""

    def actions(self, player):
        return Listed.of(*map(str, range(100))) if player in self.actors else NO_ACTIONS

    def after(self, action, player=None):
        return Number(self.left - 1, self.points, 1 - self.turn)


def test_of_too_many_actions_one_is_typed(comms, say):
    game.register(game.Game("number", Number, lambda players=2, seed=None: Number(2), (2,), chance=False))
    table = play(Number(2), {})
    assert clickable(table) == []
    assert "100 actions are possible; type one." in text(table.parts["picture"])
    say(table, "type", "77")
    assert table.record.moves[-1].action == "77"


# --- the clock (BZ-21)


def test_when_time_is_up_it_rolls_and_buys_nothing(comms, say):
    table = play(bazar.new(2, cards=(1, 4), seed=7, timer=60), {0: "me", 1: First()}, seed=7)
    assert "data-left" in table.parts["tools"]
    for _turn in range(20):
        step = table.state.step.name
        table.match.time_out()
        action = next(m.action for m in reversed(table.record.moves) if m.actor == 0)
        assert action.startswith({"TURN": "roll", "CHOICE": "take", "BUY": "done", "RETURN": "return"}[step])


class Clock:
    """The time of a loop that never waits: it jumps to the next scheduled call."""

    def __init__(self, monkeypatch):
        clock, self.now = self, 1000.0

        class Selector(selectors.DefaultSelector):
            def select(self, timeout=None):
                ready = super().select(0)
                clock.now += 0 if ready else timeout or 0
                return ready

        def loop():
            loop = asyncio.SelectorEventLoop(Selector())
            loop.time = lambda: self.now
            return loop

        monkeypatch.setattr("tradekit.match.time", SimpleNamespace(monotonic=lambda: self.now))
        self.loop = loop

    def run(self, test):
        with asyncio.Runner(loop_factory=self.loop) as runner:
            runner.run(test())


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


CLOCKED = [{"players": 1}, {"players": 1, "series": 2}, {"players": 2}, {"double": True}, {"over_ten": "penalty"}]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", CLOCKED, ids=str)
def test_BZ_21_the_game_goes_on_without_anybody_a_turn_each_time_that_the_clock_runs_out(comms, clock, options, seed):
    """A turn begins with its roll, so there is one roll per time-out; moves after a roll have no time of their own."""

    async def test():
        table = play(bazar.new(**{"players": 2} | options, cards=(1, 4), seed=seed, timer=60), {}, seed=seed)
        await asyncio.sleep(1)
        for turns in range(20):
            assert [move.action for move in table.record.moves].count("roll") == turns
            assert table.state.step.name == "TURN"
            assert table.seconds_left == pytest.approx(59)
            await asyncio.sleep(60)

    clock.run(test)


@pytest.mark.parametrize(
    ("step", "hand", "did"),
    [
        ("choice", "RWBG", "take"),
        ("buy", "RWBGYR", "done"),
        ("must", "RWBGYRRRRRR", "buy 1"),
        ("return", "RRRRRWWWWWG", "return"),
    ],
)
def test_BZ_21_what_is_open_is_done_when_the_time_of_the_turn_is_up(comms, clock, step, hand, did):
    """With all that follows in that turn, such as a purchase after a colour; the next turn has all its time."""
    state = bazar.State.parse(
        f"bazar players=2 deck=house cards=1,4 timer=60 step={step} turn=p0 hands={hand},- "
        "stalls=RWBGY:4,RRWGY:4,RRWBB:4,GGGGG*:4 bought=-,- idle=0"
    )

    async def test():
        table = play(state, {}, seed=3)
        await asyncio.sleep(59)
        assert table.place == 0
        await asyncio.sleep(2)
        assert table.record.moves[0].action.startswith(did)
        assert (table.state.step.name, table.state.turn) == ("TURN", 1)
        assert table.seconds_left == pytest.approx(59)

    clock.run(test)


def test_BZ_21_who_has_rolled_has_what_is_left_of_the_time_of_the_turn(comms, clock):
    async def test():
        table = play(bazar.new(2, cards=(1, 4), seed=7, timer=60), {}, seed=7)
        first = table.state.turn
        while table.state.step.name != "CHOICE":
            for seed in range(60):
                table.match.seed = seed
                table.receive("act", "roll")
                if table.state.step.name == "CHOICE":
                    break
                table.receive("undo", "")
            await asyncio.sleep(40)
        assert table.seconds_left == pytest.approx(20)
        await asyncio.sleep(21)
        assert table.state.turn != first and table.seconds_left == pytest.approx(59)

    clock.run(test)


def test_BZ_21_a_page_that_is_opened_late_is_told_how_much_time_is_left(comms, clock):
    """In seconds from now, and not as a time of day: the clock of the device may be wrong."""

    async def test():
        table = play(bazar.new(2, cards=(1, 4), seed=7, timer=60), {}, seed=7)
        await asyncio.sleep(25)
        assert 'data-left="60000"' in table.parts["tools"], "what was drawn at the start"
        comms.browser_says(table, content={"do": "clock", "value": None})
        assert 'data-left="35000"' in table.parts["tools"]
        assert 'role="timer"' in table.parts["tools"] and ">35<" in table.parts["tools"]

    clock.run(test)


def test_BZ_21_a_halted_table_has_no_clock(comms, clock):
    async def test():
        table = play(bazar.new(2, cards=(1, 4), seed=7, timer=60), {}, seed=7)
        await asyncio.sleep(10)
        table.receive("stop", "")
        assert table.seconds_left is None
        await asyncio.sleep(100)
        assert table.place == 0

    clock.run(test)


# --- with a loop: bots think in the background


class Slow(First):
    """A bot that thinks until it is told to go on, or to stop."""

    name = "slow"
    stop = None

    def __init__(self):
        self.free, self.stopped, self.asked = threading.Event(), [], threading.Event()

    def choose(self, view, actions, rng):
        self.asked.set()
        assert self.free.wait(10)
        self.stopped.append(self.stop.is_set())
        return next(iter(actions))


def table_in_a_loop(test):
    """Run `test(table, bot)` inside a loop, while the bot is thinking."""

    async def run():
        bot = Slow()
        table = play(Countdown(9), {0: "Ada", 1: bot}, pause=0)
        table.receive("act", "one")
        table.refresh()
        await asyncio.to_thread(bot.asked.wait, 10)
        await test(table, bot)

    asyncio.run(run())


async def until(condition):
    for _tick in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    pytest.fail("it did not come")


def test_a_bot_thinks_beside_and_answers_on_the_loop(comms):
    async def test(table, bot):
        assert "slow is thinking" in text(table.parts["tools"])
        assert clickable(table) == []
        comms.clear()
        bot.free.set()
        await until(lambda: table.place == 2)
        assert table.to_act == 0
        assert len(comms.updates(table)) == 1

    table_in_a_loop(test)


@pytest.mark.parametrize("do", ["undo", "stop"])
def test_what_a_bot_thought_before_undo_or_stop_is_void(comms, do):
    async def test(table, bot):
        comms.browser_says(table, content={"do": do})
        bot.free.set()
        await until(lambda: bot.stopped)
        await asyncio.sleep(0.05)
        assert bot.stopped == [True]
        assert table.place == (0 if do == "undo" else 1)
        if do == "stop":
            comms.browser_says(table, content={"do": "go"})
            await until(lambda: table.place == 2)

    table_in_a_loop(test)
