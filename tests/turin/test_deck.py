"""Turin Market's decks, TU-1 and TU-3: every claim of `data/turin/README.md`, your own cards, and faults by line."""

from itertools import combinations
from pathlib import Path

import pytest

from tradekit import Record, turin
from tradekit.game import ParseError
from tradekit.turin import Card, Deck, Good, State
from tradekit.turin.deck import UNITS

FOLDER = Path(__file__).parents[2] / "data" / "turin"
DECK = Deck.house()
CARDS, GOODS = ((FOLDER / name).read_text(encoding="utf-8") for name in ("cards.csv", "goods.csv"))


def goods_of(card):
    """Return the goods of a card, most units first."""
    return [card.units.index(n) for n in UNITS]


# The house deck


def test_TU_1_nine_goods_and_eighteen_cards_of_three_two_and_one():
    assert len(DECK.goods) == 9 and [card.number for card in DECK.cards] == [*range(1, 19)]
    assert all(sorted(card.units) == [0] * 6 + [1, 2, 3] for card in DECK.cards)


def test_TU_1_the_printed_totals_are_those_of_the_cards_and_add_up_to_108():
    totals = [good.total for good in DECK.goods]
    assert totals == [sum(card.units[place] for card in DECK.cards) for place in range(9)]
    assert sum(totals) == 108 == 18 * sum(UNITS)


def test_TU_3_totals_differ_from_good_to_good():
    assert sorted(good.total for good in DECK.goods) == [*range(8, 17)]


def test_TU_3_grapes_pay_6_at_a_total_of_10():
    assert [good for good in DECK.goods if good.name == "grapes"] == [Good("grapes", 10, 6, 6, "uvas")]


def test_TU_3_classic_payouts_rise_with_the_total_by_one():
    by_total = sorted(DECK.goods, key=lambda good: good.total)
    assert [good.payout() - by_total[0].payout() for good in by_total] == [*range(9)]


def test_TU_3_new_payouts_do_not_rise_and_the_scarcest_good_pays_nearly_most():
    payouts = [good.payout("new") for good in sorted(DECK.goods, key=lambda good: good.total)]
    assert payouts != sorted(payouts) and payouts[0] == sorted(payouts)[-2]


def test_names_have_nine_different_initials_and_a_spanish_name():
    assert len({good.name[0] for good in DECK.goods}) == 9
    assert all(good.spanish for good in DECK.goods)


def test_no_two_cards_have_the_same_three_goods():
    assert len({frozenset(goods_of(card)) for card in DECK.cards}) == 18


def test_32_of_the_36_pairs_of_goods_meet_on_a_card():
    assert len({frozenset(pair) for card in DECK.cards for pair in combinations(goods_of(card), 2)}) == 32


def test_every_row_says_that_it_is_of_the_house_deck():
    for text, rows in ((CARDS, 18), (GOODS, 9)):
        header, *lines = text.splitlines()
        assert header.startswith("deck,")
        assert [line.split(",")[0] for line in lines] == ["house"] * rows


def test_the_files_read_as_anyones_own_deck():
    own = Deck.load(FOLDER / "cards.csv", FOLDER / "goods.csv")
    assert (own.cards, own.goods, own.name) == (DECK.cards, DECK.goods, "cards")


# Anyone's own


def test_a_deck_is_a_value():
    same = Deck.parse(CARDS, GOODS, name="house")
    assert same == DECK and hash(same) == hash(DECK) and same is not DECK
    assert same != Deck.parse(CARDS, GOODS)
    assert eval(repr(DECK), vars(turin).copy()) == DECK


def test_cards_by_number():
    assert DECK.card(3) == Card(3, (0, 1, 3, 2, 0, 0, 0, 0, 0))
    assert DECK.describe(3) == "grapes 3, anchovies 2, honey 1"
    for number in (0, 19, -1):
        with pytest.raises(ValueError, match=f"there is no card {number}; there are 18"):
            DECK.card(number)


def test_csv_as_spreadsheets_write_it(tmp_path):
    """A byte order mark, Windows line ends, other columns, spaces, an empty row, cards in any order, no Spanish."""
    _header, *rows = [line.split(",") for line in CARDS.splitlines()]
    lines = [f" {row[2]} , {row[1]},{row[3]},{row[4]},a note" for row in rows[::-1]]
    cards = tmp_path / "ours.csv"
    cards.write_bytes(("\ufeffthree,card,two,one,notes\r\n" + "\r\n,,,,\r\n".join(lines)).encode())
    goods = tmp_path / "goods.csv"
    goods.write_text("\n".join(",".join(line.split(",")[i] for i in (5, 4, 3, 1)) for line in GOODS.splitlines()))
    deck = Deck.load(str(cards), goods)
    assert deck.cards == DECK.cards and deck.name == "ours"
    assert [(good.name, good.total, good.classic, good.new) for good in deck.goods] == [
        (good.name, good.total, good.classic, good.new) for good in DECK.goods
    ]
    assert {good.spanish for good in deck.goods} == {""}


def test_TU_3_a_deck_of_ones_own_is_played_and_stands_in_the_text():
    deck = Deck.parse(CARDS.replace("truffles", "sweet wine"), GOODS.replace("truffles", "sweet wine"))
    state = turin.new(3, deck=deck, seed=2)
    again = State.parse(str(state))
    assert again == state and hash(again) == hash(state)
    assert [good.name for good in again.deck.goods] == [good.name for good in deck.goods]
    assert again.deck.cards == deck.cards
    assert "deck=house" not in str(state) and "deck=house" in str(turin.new(3))
    assert state != turin.new(3, seed=2), "another deck is another game"


def test_TU_3_spanish_names_of_a_deck_of_ones_own_are_read_back_with_a_game(monkeypatch):
    """This includes a record; a good without a Spanish name, or in a text older than such names, keeps its own name."""
    deck = Deck.parse(CARDS, GOODS.replace("nueces", "nueces del país").replace(",arroz,", ",,"))
    record = Record.begin(turin.new(3, deck=deck, seed=2))
    again = Record.parse(str(record)).start
    assert again == record.start and again.deck.goods == deck.goods
    assert State.parse(str(again)) == again
    monkeypatch.setattr(turin.deck, "language", lambda: "es")
    assert [good.shown for good in again.deck.goods][-5:] == [
        "nueces del país",
        "chocolate",
        "mantequilla",
        "rice",
        "maíz",
    ]
    assert [again.deck.describe(n) for n in range(1, 19)] == [deck.describe(n) for n in range(1, 19)]
    old = deck.text
    for good in deck.goods:
        old = old.replace(f":{good.spanish.replace(' ', '_')}" if good.spanish else "\0", "")
    assert [(good.name, good.spanish) for good in Deck.of_text(old).goods] == [(g.name, "") for g in deck.goods]
    assert Deck.of_text(old).cards == deck.cards and "nueces" not in old


def test_TU_3_only_a_column_called_spanish_is_that_of_the_spanish_names():
    deck = Deck.parse(CARDS, GOODS.replace(",spanish,", ",spanish_name,"))
    assert {good.spanish for good in deck.goods} == {""}
    quoted = Deck.parse(CARDS, GOODS.replace(",spanish,", ',"spanish" ,'))
    assert [good.spanish for good in quoted.goods] == [good.spanish for good in DECK.goods]


@pytest.mark.parametrize("text", ["", "house2", "x", "a:1:2:3|1.2", "a:1:2:3|0.1.2,x.y.z"])
def test_a_text_that_is_no_deck_is_refused(text):
    with pytest.raises(ParseError):
        State.parse(f"turin players=3 deck={text} step=deal")


# Faults, by file and line


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("house,3,grapes,anchovies,honey\n", "", "my_cards.csv: there are 17 cards; 18 are needed (TU-1)"),
        ("house,3,", "house,19,", "my_cards.csv, line 4: card 19: cards are numbered 1 to 18, each once (TU-1)"),
        ("house,3,", "house,2,", "my_cards.csv, line 4: card 2: cards are numbered 1 to 18, each once (TU-1)"),
        ("house,3,", "house,three,", "my_cards.csv, line 4: 'three' under 'card' is no whole number from 1 up"),
        ("house,3,", "house,0,", "my_cards.csv, line 4: '0' under 'card' is no whole number from 1 up"),
        ("house,3,", "house,,", "my_cards.csv, line 4: nothing under 'card'"),
        ("house,3,grapes,anchovies,honey", "house,3,grapes,anchovies",
         "my_cards.csv, line 4: nothing under 'one'"),
        ("house,3,grapes,anchovies,honey", "house,3,grapes,honey,honey",
         "my_cards.csv, line 4: card 3 has grapes, honey, honey; three different goods are needed (TU-1)"),
        ("house,3,grapes", "house,3,grape",
         "my_cards.csv, line 4: 'grape' is not among the goods: truffles, honey, grapes, anchovies, walnuts, "
         "chocolate, butter, rice, maize"),
        ("house,3,grapes,anchovies,honey", "house,3,grapes,honey,anchovies",
         "my_goods.csv, line 3: honey has a total of 9, but the cards have 10 units of it (TU-1)"),
        ("card,three", "number,three",
         "my_cards.csv, line 1: no column 'card'; needed are card,three,two,one, found deck,number,three,two,one"),
        ("two,one", "two",
         "my_cards.csv, line 1: no column 'one'; needed are card,three,two,one, found deck,card,three,two"),
    ],
)  # fmt: skip
def test_TU_3_a_fault_in_the_cards_is_named_with_its_line(tmp_path, old, new, message):
    assert refused(tmp_path, CARDS.replace(old, new), GOODS) == message
    assert CARDS.count(old) == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("house,grapes,uvas,10,6,6\n", "", "my_goods.csv: there are 8 goods; 9 are needed (TU-1)"),
        ("maíz,16,12,7\n", "maíz,16,12,7\nhouse,salt,sal,1,1,1\n",
         "my_goods.csv: there are 10 goods; 9 are needed (TU-1)"),
        ("house,grapes", "house,honey", "my_goods.csv, line 4: 'honey' is there twice"),
        ("uvas,10", "uvas,11",
         "my_goods.csv, line 4: grapes has a total of 11, but the cards have 10 units of it (TU-1)"),
        ("uvas,10", "uvas,ten", "my_goods.csv, line 4: 'ten' under 'total' is no whole number from 1 up"),
        ("10,6,6", "10,6,-1", "my_goods.csv, line 4: '-1' under 'new' is no whole number from 1 up"),
        ("10,6,6", "10,6.5,6", "my_goods.csv, line 4: '6.5' under 'classic' is no whole number from 1 up"),
        ("uvas,10", "uvas,", "my_goods.csv, line 4: nothing under 'total'"),
        ("classic,new", "classic",
         "my_goods.csv, line 1: no column 'new'; needed are good,total,classic,new, "
         "found deck,good,spanish,total,classic"),
        ("uvas", "uvas_rojas",
         "my_goods.csv, line 4: 'uvas_rojas': a name is words with a space between them, without any of _,:|\""),
        ("house,grapes", 'house,"red: grapes"',
         "my_goods.csv, line 4: 'red: grapes': a name is words with a space between them, without any of _,:|\""),
    ],
)  # fmt: skip
def test_TU_3_a_fault_in_the_goods_is_named_with_its_line(tmp_path, old, new, message):
    assert refused(tmp_path, CARDS, GOODS.replace(old, new)) == message
    assert GOODS.count(old) == 1


def test_TU_3_an_empty_file(tmp_path):
    assert refused(tmp_path, "", GOODS) == (
        "my_cards.csv, line 1: no column 'card'; needed are card,three,two,one, found nothing"
    )
    assert refused(tmp_path, CARDS, "") == (
        "my_goods.csv, line 1: no column 'good'; needed are good,total,classic,new, found nothing"
    )


def refused(folder, cards, goods):
    (folder / "my_cards.csv").write_text(cards, encoding="utf-8")
    (folder / "my_goods.csv").write_text(goods, encoding="utf-8")
    with pytest.raises(ParseError) as error:
        Deck.load(folder / "my_cards.csv", folder / "my_goods.csv")
    return str(error.value)
