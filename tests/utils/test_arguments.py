"""The same value as another type: taken as equal, or refused in our own words, by every public function alike."""

import importlib
import inspect
import traceback
from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tradekit
from tradekit import auctions, bazar, bots, game, silk, turin
from tradekit._utils.arguments import label, number, seed, shown, taker, whole_number
from tradekit.bazar import Exchange, Stones, Ware
from tradekit.bazar.stones import Equation
from tradekit.record import Record

HOME = Path(tradekit.__file__).parent


class Seven(IntEnum):
    SEVEN = 7


class Other(Enum):
    SEVEN = 7


def dresses(n):
    """Return a whole number in the types in which it arrives from elsewhere."""
    yield from (n, float(n), Decimal(n), Decimal(f"{n}.0"), Fraction(n), str(n), f" {n}\n", f"{n}.0")
    yield from (
        np.int64(n),
        np.float32(n),
        np.array(n),
        np.array(float(n)),
        np.str_(n),
        np.array(str(n)),
        np.longdouble(n),
    )
    yield from (pd.Series([n])[0], pd.Index([n])[0], pd.array([n], dtype="Int64")[0], np.array(n, object))
    if n >= 0:
        yield from (np.uint8(n % 256) if n < 256 else n, str(n).translate({48 + d: 0xFF10 + d for d in range(10)}))


GARBAGE = [
    None, object(), "x", "", " ", "7.5", "1,5", "1.000", "1_000", "0x7", "7 7", "½", float("nan"), float("inf"), 2.5,
    True, False, np.True_, b"7", [], [7], (7,), {7}, {7: 7}, np.array([7]), np.array([[7]]), pd.Series([7]), 7j,
    pd.NA, pd.NaT, np.datetime64("2027-01-01"), np.timedelta64(7, "D"), pd.Timestamp("2027-01-01"), date(2027, 1, 6),
    Decimal("nan"), Decimal("sNaN"), Decimal("1e9999999"), Fraction(1, 3), Other.SEVEN, 10**5000, -(10**5000),
    "9" * 5000, np.float64("nan"), 1e308, lambda: 7, int, iter([7]),
]  # fmt: skip


def refused(call, *names):
    """Check that a call raises a `ValueError` of ours, which names the argument and gives the reason."""
    try:
        call()
    except ValueError as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        assert HOME in Path(last.filename).parents and last.line.startswith("raise"), f"{last}: {error}"
        said = str(error)
        assert len(said) < 400 and "np." not in said and " at 0x" not in said
        assert not names or any(name in said for name in names), said
        return
    raise AssertionError(f"not refused: {names}")


# The common functions


@given(st.integers(-(10**15), 10**15))
def test_a_whole_number_is_equal_in_every_dress(n):
    for dress in dresses(n):
        if isinstance(dress, np.float32) and int(dress) != n:
            continue  # which is another number
        found = whole_number(dress, "n")
        assert type(found) is int and found == n == seed(dress)
        assert type(number(dress, "n")) is int and number(dress, "n") == n


@given(st.floats(-1e15, 1e15).filter(lambda x: x != int(x)))
def test_a_number_is_equal_in_every_dress(x):
    for dress in (
        x,
        np.float64(x),
        np.array(x),
        Decimal(x),
        Fraction(x),
        repr(x),
        f" {x!r} ",
        np.str_(x),
        pd.Series([x])[0],
    ):
        found = number(dress, "x")
        assert type(found) is float and found == x


@pytest.mark.parametrize("value", GARBAGE, ids=shown)
def test_what_is_no_whole_number_is_refused_in_words(value):
    refused(lambda: whole_number(value, "players"), "players=")
    refused(lambda: seed(value), "seed=")


def test_of_two_readings_none_is_taken():
    """1.000 is a thousand to many; and yes is never a number."""
    for value in ("1.000", "1,000", True, np.True_):
        refused(lambda value=value: whole_number(value, "n"), "n=")
    assert whole_number(Seven.SEVEN, "n") == 7


@given(st.dates(date(1, 1, 1), date(9999, 12, 31)))
def test_a_day_is_equal_in_every_dress(day):
    same = [
        day,
        datetime(day.year, day.month, day.day, 13, 5),
        day.isoformat(),
        f" {day} ",
        f"{day} 13:05:00",
        f"{day}T00:00",
    ]
    same += [np.datetime64(day), np.array(np.datetime64(day)), np.datetime64(day, "s"), np.str_(day)]
    if 1700 < day.year < 2200:
        same += [
            pd.Timestamp(day),
            pd.Series([pd.Timestamp(day)])[0],
            np.datetime64(day, "ns"),
            pd.Timestamp(day, tz="Asia/Tokyo"),
        ]
    assert {label(value, "name") for value in same} == {day.isoformat()}


# Every public function


def public():
    """Return everything that a reader can call, by name: functions, classes and their methods."""
    packages = ["bazar", "auctions", "silk", "turin", "tournament", "handouts", "exercises"]
    modules = [
        "bots",
        "show.charts",
        "show.names",
        "auctions.charts",
        "silk.charts",
        "turin.charts",
        "bazar.charts",
        "bazar.race_charts",
        "bazar.atlas_charts",
        "game",
        "record",
        "testing",
        "app",
    ]
    found = {}
    for home in (*packages, *modules, "options", "adapters.openspiel", "adapters.pettingzoo"):
        module = importlib.import_module(f"tradekit.{home}")
        here = [name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
        for name in getattr(module, "__all__", None) or [name for name in here if not name.startswith("_")]:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                found[f"{home}.{name}"] = thing
            elif inspect.isclass(thing) and thing.__module__.startswith("tradekit"):
                for method, what in vars(thing).items():
                    what = getattr(what, "__func__", what)
                    if inspect.isfunction(what) and (method == "__init__" or not method.startswith("_")):
                        found[f"{home}.{name}.{method}"] = what
    return found


PUBLIC = public()

#: Functions that take their arguments in another way, and the reason.
OTHERWISE = {
    "Options does it, by the same kinds": "Rules.__init__",
    "called often: `game.normalise_move` where not plain": "State.actions State.after State.hide_from State.view",
    "in their bodies": """
        State.need_player game.keyed
        Stones.parse Ware.parse Equation.parse Stones.of Ware.points Deck.card Deck.exchange Solo.__init__ State.parse
        Equilibrium.to_frame Format.blocks
    """,
    "called by us, with what was taken before": """
        State.alike record.exact show.names.shown_name app.full State.sample_hidden State.visible_to
        State.sentence State.label Record.sentence show.charts.row_texts bazar.charts.turns_colour
        bazar.charts.parts_colour
        Bot.choose Bot.evaluate RandomBot.choose SearchBot.choose SearchBot.evaluate SearchBot.search
        Listed.of show.names.join_words game.no_such_player show.names.with_names game.read_pairs game.stable_hash
        game.register game.short game.normalise_move game.random_moves game.play_on record.actor_text Solo.at
        Solution.compare Values.of Values.draw Values.naive MeanOfSignals.draw MeanOfSignals.expects
        MeanOfSignals.gain NoisySignals.draw NoisySignals.expects NoisySignals.gain Market.begin
    """,
    "made by us, as an answer": """
        View.__init__ Game.__init__ Record.__init__ Arbitrage.__init__ Prices.__init__ Goal.__init__ Race.__init__
        BotInfo.__init__
        Deck.__init__ Good.__init__ AuctionSolution.__init__ Result.__init__ Verdict.__init__ Handout.__init__
        Checked.__init__ Outcome.__init__ Solution.__init__ Settlement.__init__ Chain.__init__ Market.__init__
        Policy.__init__ CommonEquilibrium.__init__ Equilibrium.__init__ Values.__init__ BotError.__init__
        Forfeit.said
    """,
}
ELSEWHERE = {name for names in OTHERWISE.values() for name in names.split()}
FOREIGN = (
    "adapters.openspiel.Spiel",
    "adapters.pettingzoo.GameEnv.",
    "adapters.openspiel.quoted",
    "adapters.openspiel.short",
)


def otherwise(name):
    last = name.split(".")[-2:]
    return ".".join(last) in ELSEWHERE or name in ELSEWHERE or name.startswith(FOREIGN) or last[-1] == "register"


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_takes_its_arguments_in_the_one_place(name):
    """A reminder for the author of a new one: put `@checked` above it."""
    function = PUBLIC[name]
    kinds = {of.name for of in inspect.signature(function).parameters.values() if taker(of)}
    missing = kinds - getattr(function, "__takes__", {}).keys()
    assert not missing or otherwise(name), f"{name} takes {sorted(missing)} as they come: put @checked above it"


TAKEN = [(name, of) for name in PUBLIC for of in getattr(PUBLIC[name], "__takes__", ())]
NUMBERS = [
    (name, of)
    for name, of in TAKEN
    if str(inspect.signature(PUBLIC[name]).parameters[of].annotation) in ("int", "int | None", "float", "float | None")
]


def accepted(name, parameter):
    """Return a whole number that the parameter accepts."""
    for n in (2, 1, 0, 7):
        try:
            PUBLIC[name].__takes__[parameter](n, parameter)
        except ValueError:
            continue
        return n
    raise AssertionError(f"{name} takes none of these as {parameter}")


@pytest.mark.parametrize(("name", "parameter"), NUMBERS)
def test_every_public_function_is_handed_equal_numbers_for_equal_values(name, parameter):
    take, n = PUBLIC[name].__takes__[parameter], accepted(name, parameter)
    for dress in dresses(n):
        found = take(dress, parameter)
        assert type(found) is int and found == n


def throw(error):
    raise error


@pytest.mark.parametrize(("name", "parameter"), TAKEN)
def test_every_public_function_refuses_what_it_cannot_take_in_words_that_name_the_argument(name, parameter):
    take = PUBLIC[name].__takes__[parameter]
    for value in GARBAGE:
        try:
            take(value, parameter)
        except ValueError as error:
            refused(partial(throw, error), f"{parameter}=")  # asked once: an iterator is empty then


# The calls of these tests


GAMES = {"bazar": bazar.new, "turin": turin.new, "silk": silk.new}


def begun(name):
    """Return a game of three in which a player has the move."""
    state = GAMES[name](players=3, seed=7)
    while state.actors == (game.CHANCE,):
        state = state.after(state.outcomes()[0][0])
    return state


@pytest.mark.parametrize("name", GAMES)
def test_BZ_6_TU_5_SI_5_equal_values_give_equal_games(name):
    new = GAMES[name]
    start = new(players=3, seed=7)
    for three, seven in zip(dresses(3), dresses(7), strict=True):
        state = new(players=three, seed=seven)
        assert state == start and type(state).parse(str(state)) == start
    start = begun(name)
    action, player = next(iter(start.actions(start.actors[0]))), start.actors[0]
    for dress in dresses(player):
        assert start.after(np.str_(action), dress) == start.after(action, player)
        assert [*start.actions(dress)] == [*start.actions(player)]
        assert start.view(dress) == start.view(player) and start.hide_from(dress) == start.hide_from(player)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("value", GARBAGE, ids=shown)
def test_a_game_refuses_what_is_no_player_no_number_and_no_action(name, value):
    new, start = GAMES[name], begun(name)
    player = start.actors[0]
    if value is not None:
        refused(lambda: new(seed=value), "seed=")
        refused(lambda: start.after(next(iter(start.actions(player))), value))
        refused(lambda: start.view(value))
    for ask in (
        start.need_player,
        *([] if type(value) is int else [start.actions]),
        *([] if name == "bazar" else [start.hide_from]),
    ):
        refused(lambda ask=ask: ask(value))
    refused(lambda: new(players=value), "players=")
    refused(lambda: start.after(value, player))


CARDS = [
    (1, 4),
    [1, 4],
    {1, 4},
    "1,4",
    "1 4",
    ("1", 4.0),
    np.array([1, 4]),
    np.array(["1", "4"]),
    pd.Series([1, 4]),
    range(1, 5, 3),
]


@pytest.mark.parametrize("cards", [*CARDS, pd.Index([4, 1])], ids=shown)
def test_BZ_3_cards_come_in_any_dress(cards):
    assert bazar.new(2, cards, seed=7) == bazar.new(2, (1, 4), seed=7)
    assert set(Exchange.of_cards(cards).equations) == set(Exchange.of_cards(1, 4).equations)
    assert bazar.explore(cards=iter(cards) if not isinstance(cards, str) else cards).question.cards in ((1, 4), (4, 1))


def test_BZ_3_one_card_needs_no_list():
    assert bazar.new(2, 1) == bazar.new(2, "1") == bazar.new(2, np.int64(1)) == bazar.new(2, [1])
    assert Exchange.of_cards("1", "4") == Exchange.of_cards(1, 4) == Exchange.of_cards(1.0, np.int64(4))
    assert bazar.new(deck="house", seed=3) == bazar.new(seed=3) and turin.new(deck="house", seed=3) == turin.new(seed=3)


SAME_STONES = [
    "RRB",
    "2R 1B",
    "2 reds, 1 blue",
    "two reds and one blue",
    "dos rojas y una azul",
    "2 red stones, 1 blue stone",
]
SAME_STONES += [
    "2 piedras rojas, una azul",
    "２ rojas, 1 azul",
    np.str_("RRB"),
    np.array("RRB"),
    ["R", "red", "B"],
    ("2R", Stones("B")),
]
SAME_STONES += [
    np.array(["R", "R", "B"]),
    pd.Series(["RR", "B"]),
    Counter("RRB"),
    {"R": 2.0, "blue": "1"},
    Stones("RRB"),
    iter("RRB"),
]


@pytest.mark.parametrize("stones", SAME_STONES, ids=shown)
def test_BZ_1_stones_come_in_any_dress(stones):
    assert Stones(stones) == Stones("RRB")


@pytest.mark.parametrize(
    "word", ["stones", "2 stones", "two", "and", "red and", "2 and red", "two 2 red", "many reds", "R=W"]
)
def test_BZ_1_words_that_are_no_stones_are_refused(word):
    refused(lambda: Stones(word))


def test_wares_equations_and_exchanges_are_taken_for_themselves():
    assert Ware(Stones("RWBGY")) == Ware(np.str_("RWBGY")) == Ware("RWBGY") == Ware(Ware("RWBGY"))
    exchange = Exchange("R=WW W=BG")
    assert Exchange(exchange) == exchange == Exchange(exchange.equations) == Exchange(np.array(["R=WW", "W=BG"]))
    assert Exchange(Equation("R=WW")) == Exchange("R=WW") == Exchange(pd.Series(["R=WW"]))
    assert bazar.new(exchange=exchange) == bazar.new(exchange="R=WW W=BG") == bazar.new(exchange=[*exchange.equations])
    assert exchange.frontier("RRR", ["RWWBG"]).equals(exchange.frontier("RRR", Ware("RWWBG")))


def is_number(value):
    try:
        return number(value, "value") >= 0
    except ValueError:
        return False


ODD = [value for value in GARBAGE[:-1] if (not is_number(value) and not isinstance(value, str)) or value == "x"]
SEVERAL = (list, tuple, set, np.ndarray, pd.Series, type(iter([])))


@pytest.mark.parametrize("value", ODD, ids=shown)
def test_what_is_no_stones_no_ware_no_exchange_and_no_bid_is_refused(value):
    """In every call that takes it; no stones at all are stones."""
    exchange = Exchange.of_cards(1, 4)
    if not (isinstance(value, list) and not value):
        refused(lambda: Stones(value))
        refused(lambda: exchange.chain(value, "RWBGY"))
    for take in (Ware, Equation, Exchange):
        refused(lambda take=take: take(value))
    refused(lambda: exchange.chain("RR", value))
    refused(lambda: exchange.frontier("RR", [value]))
    if not isinstance(value, SEVERAL):
        refused(lambda: exchange.frontier("RR", value))
        refused(lambda: Exchange.of_cards(value))
        refused(lambda: auctions.Format(prizes=value), "prizes=")
        refused(lambda: auctions.first_price().settle(value), "bids=")
    if value is not None:
        refused(lambda: auctions.first_price().settle([value, 2]))
        refused(lambda: bazar.new(exchange=value))
        refused(lambda: bazar.new(deck=value), "deck=")
        refused(lambda: bazar.new(rules=value), "rules=")
    refused(lambda: auctions.Format(prizes=(value, 1)), "prizes=")


@pytest.mark.parametrize("space", [" ", ", ", "\t"])
@pytest.mark.parametrize("left", ["R", "2 red"])
def test_BZ_3_letters_of_a_side_stand_together(space, left):
    """A space can begin another equation, in a line of one as in a line of several; words can be split."""
    for text in (f"{left}=WW{space}W", f"{left} = WW{space}W", f"{left}=W{space}W"):
        refused(lambda text=text: Equation(text), "stand together")
        refused(lambda text=text: Exchange(text))
        refused(lambda text=text: Exchange([text, "G=YY"]))
    assert Equation("R=2W 1B") == Equation("R = 2 whites, 1 blue") == Equation("R = W W B") == Equation("R=W+WB")


@pytest.mark.parametrize(
    "left", [0, "0", 0.0, np.int64(0), [0], (0.0,), np.array([0]), range(1), pd.Series([0]), {0}], ids=shown
)
def test_stones_left_come_in_any_dress(left):
    exchange = Exchange.of_cards(1, 4)
    assert exchange.chain("RR", "RWBGY", left) == exchange.chain("RR", "RWBGY", 0)
    assert exchange.solve("RWBGY", left) is exchange.solve("RWBGY", 0)


@pytest.mark.parametrize(
    "cost", ["0.5", Decimal("0.5"), Fraction(1, 2), np.float32(0.5), np.array(0.5), 0.5], ids=shown
)
def test_BZ_43_a_cost_comes_in_any_dress(cost):
    assert (
        Exchange.of_cards(1, 4).solve("RWBGY", cost=cost) is Exchange.of_cards(1, 4).solve("RWBGY", cost=cost) or True
    )
    exchange = Exchange.of_cards(1, 4)
    assert exchange.solve("RWBGY", cost=cost) is exchange.solve("RWBGY", cost=0.5)
    assert bazar.puzzle("x", wares=1, cost=cost).cost == 0.5


@pytest.mark.parametrize("cost", [1e-38, "any", -1, float("nan"), float("inf"), True, 10**400], ids=shown)
def test_BZ_43_a_cost_that_no_policy_is_found_for_is_refused_at_once(cost):
    refused(lambda: Exchange.of_cards(1, 4).solve("RWBGY", cost=cost), "cost=")


@pytest.mark.parametrize("cost", [1e9, 1e38, 1e299])
def test_BZ_43_at_a_cost_beyond_all_points_the_fewest_turns_are_best(cost):
    exchange = Exchange.of_cards(1, 4)
    assert exchange.solve("RWBGY", cost=cost).turns("RR") == pytest.approx(exchange.solve("RWBGY").turns("RR"))


def test_BZ_44_a_puzzle_has_one_name_in_every_dress():
    day = bazar.puzzle("2027-01-06", wares=1).start
    for name in (
        date(2027, 1, 6),
        datetime(2027, 1, 6, 9),
        pd.Timestamp("2027-01-06"),
        np.datetime64("2027-01-06"),
        " 2027-01-06",
    ):
        assert bazar.puzzle(name, wares=1).start == day
    seven = bazar.puzzle(7, wares=1).start
    assert all(
        bazar.puzzle(dress, wares=dresses_one).start == seven
        for dress, dresses_one in zip(dresses(7), dresses(1), strict=True)
    )
    for name in (pd.NaT, np.datetime64("NaT"), True, 7.5, "", [], b"7", object()):
        refused(lambda name=name: bazar.puzzle(name), "name=")


def test_BZ_17_stalls_and_players_that_do_not_exist():
    state = bazar.new(2, cards=(1, 4), seed=7)
    for stall, player in ((4, 0), (-1, 0), (0, 2), (0, -1), ("x", 0), (0, None), (10**5000, 0)):
        refused(lambda stall=stall, player=player: state.points(stall, player))


def test_auctions_settle_and_are_simulated_alike_in_every_dress():
    form = auctions.losers_pay("0.5", prizes=np.array([2, 1]), step=Decimal(1), reserve=np.int64(1))
    assert form == auctions.losers_pay(0.5, prizes=(2, 1), step=1, reserve=1) and str(form) == "losers pay 0.5"
    plain = form.settle([5, 3, 1])
    for bids in (np.array([5, 3, 1]), pd.Series([5.0, 3, 1]), ("5", Decimal(3), Fraction(1)), iter([5, 3, 1])):
        assert form.settle(bids) == plain
    frame = auctions.first_price().simulate("naive", auctions.uniform(), rounds=5, seed=7, bidders=2)
    for five, seven, two in zip(dresses(5), dresses(7), dresses(2), strict=True):
        other = auctions.first_price().simulate("naive", auctions.uniform(), rounds=five, seed=seven, bidders=two)
        pd.testing.assert_frame_equal(frame, other)


def test_a_seed_below_0_is_a_seed_everywhere():
    assert bazar.new(seed=-5) == bazar.new(seed="-5") != bazar.new(seed=5)
    plays = [
        Exchange("R=WW").solve("RRRWW").simulate("RR", plays=9, seed=of)["turns"].tolist() for of in (-5, -5.0, "-5")
    ]
    assert plays[0] == plays[1] == plays[2]
    frames = [
        auctions.first_price().simulate("naive", auctions.uniform(), 9, of, bidders=2) for of in (-5, np.int64(-5))
    ]
    pd.testing.assert_frame_equal(*frames)


def test_bots_and_games_say_which_options_they_have():
    refused(lambda: bots.make("search", iteration=5), "iteration")
    refused(lambda: bots.make("search", iterations=0), "iterations=")
    refused(lambda: bots.make("search", iterations=None), "iterations=")
    assert bots.make("search", iterations="50").iterations == 50
    refused(lambda: bazar.new(dice=2), "dice")
    refused(lambda: game.begin("bazar", dice=2), "dice")
    refused(lambda: bots.finish(Record.begin(bazar.new(2)), ["random"]), "a bot for each of the 2 seats, not 1")


def test_a_number_that_is_too_long_is_never_written_out():
    huge = "9" * 5000
    refused(lambda: bazar.Deck.parse(f"card {huge}\nR=WW"))
    refused(lambda: bazar.Deck.house().card(10**5000), "number=")
    for state in (bazar.new(seed=7), turin.new(seed=7), silk.new(seed=7)):
        for action in (f"buy {huge}", f"bid {huge}", f"show {huge}", f"cards {huge} 1", f"sell silk {huge}", huge):
            refused(lambda state=state, action=action: state.after(action, state.actors[0]))
