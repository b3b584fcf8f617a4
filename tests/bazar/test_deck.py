"""Decks: reading cards and wares from files and pasted text, and the faults that are named line by line."""

import pytest

from tradekit import bazar
from tradekit.bazar import Card, Deck, Exchange, Ware
from tradekit.bazar.parameters import read_deck
from tradekit.game import ParseError

TEXT = """\
card 1            # the first
R=WW
W=BG
B = GG

2 yellow -> white, blue
G<->YYY

tarjeta 4:
R=BG
W=YY
B=RY
G=WW
Y=RRG
wares
RWBGY*
5 verdes
"""

CARDS = "card,equation\n" + "".join(
    f"{card},{equation}\n"
    for card, equations in {1: "R=WW W=BG B=GG YY=WB G=YYY", 4: "R=BG W=YY B=RY G=WW Y=RRG"}.items()
    for equation in equations.split()
)
WARES = "ware\nRWBGY*\nGGGGG\n"

TWO_CARDS = (
    Card(1, Exchange("R=WW W=BG B=GG YY=WB G=YYY").equations),
    Card(4, Exchange("R=BG W=YY B=RY G=WW Y=RRG").equations),
)


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file: file(name, text) -> its path."""

    def write(name, text, encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def refused(read, *arguments):
    with pytest.raises(ParseError) as error:
        read(*arguments)
    return str(error.value)


# What is read


def test_pasted_text():
    deck = Deck.parse(TEXT)
    assert deck == Deck("own", TWO_CARDS, (Ware("RWBGY*"), Ware("GGGGG")))
    assert Deck.parse(TEXT, name="ours").name == "ours"
    assert Deck.parse(TEXT.replace("\n", "\r\n")) == deck


def test_text_of_cards_out_of_order_and_in_parts():
    text = "card 4\nR=BG W=YY\ncard 1\nR=WW W=BG B=GG YY=WB G=YYY\nCARD 4\nB=RY G=WW\nY=RRG"
    assert Deck.parse(text).cards == TWO_CARDS
    assert Deck.parse(text).wares == ()


def test_two_csv_files(file):
    deck = Deck.load(file("mine.csv", CARDS), file("things.csv", WARES))
    assert deck == Deck("mine", TWO_CARDS, (Ware("RWBGY*"), Ware("GGGGG")))
    assert Deck.load(str(file("mine.csv", CARDS))) == Deck("mine", TWO_CARDS)


def test_csv_as_spreadsheets_write_it(file):
    """A byte order mark, Windows line ends, more columns in any order, quotes, spaces, blank lines."""
    rows = [line.split(",") for line in CARDS.splitlines()]
    text = "\ufeff" + "\r\n".join(f'{equation},a note,"{card}"' for card, equation in rows) + "\r\n\r\n"
    text = text.replace("\r\n1", "\r\n\r\n1").replace("W=BG,", '" W = BG " ,')
    cards = file("cards.CSV", text)
    wares = file("wares.csv", "\ufeffstock , ware\r\n3, RWBGY*\r\n\r\n1,5 verdes\r\n")
    assert Deck.load(cards, wares) == Deck("cards", TWO_CARDS, (Ware("RWBGY*"), Ware("GGGGG")))


@pytest.mark.parametrize("blank", ["", "  ", ",", " , "])
def test_blank_rows_of_a_csv_file(file, blank):
    """A row that is empty in the spreadsheet is a line of commas in the file."""
    cards = file("mine.csv", CARDS.replace("1,W=BG", f"{blank}\n1,W=BG") + f"{blank}\n")
    wares = file("things.csv", WARES.replace("GGGGG", f"{blank}\nGGGGG") + f"{blank}\n")
    assert Deck.load(cards, wares) == Deck("mine", TWO_CARDS, (Ware("RWBGY*"), Ware("GGGGG")))


def test_text_file(file):
    path = file("family.txt", "\ufeff" + TEXT.replace("\n", "\r\n"))
    assert Deck.load(path) == Deck("family", TWO_CARDS, (Ware("RWBGY*"), Ware("GGGGG")))


def test_a_second_file_is_not_let_fall(file):
    """A text file of cards and a file of wares: either both are read or the call fails; neither is silently ignored."""
    cards = file("family.txt", TEXT.partition("wares")[0])
    try:
        deck = Deck.load(cards, file("wares.csv", WARES))
    except ValueError:
        return
    assert deck.wares == (Ware("RWBGY*"), Ware("GGGGG"))


def test_decks_are_values():
    assert Deck.parse(TEXT) == Deck.parse(TEXT) != Deck.parse(TEXT, name="ours")
    assert hash(Deck.parse(TEXT)) == hash(Deck.parse(TEXT))
    assert eval(repr(Deck.parse(TEXT)), vars(bazar).copy()) == Deck.parse(TEXT)


# Cards of a deck in force


def test_card_by_number():
    assert Deck.parse(TEXT).card(4) == TWO_CARDS[1]


@pytest.mark.parametrize("number", [0, 2, 11, -1])
def test_a_card_number_that_does_not_exist(number):
    message = f"there is no exchange card {number}; deck 'own' has 1, 4"
    deck = Deck.parse(TEXT)
    with pytest.raises(ValueError) as error:
        deck.card(number)
    assert str(error.value) == message
    with pytest.raises(ValueError) as error:
        Exchange.of_cards(1, number, deck=deck)
    assert str(error.value) == message


def test_BZ_3_exchange_of_two_cards():
    deck = Deck.parse(TEXT)
    assert Exchange.of_cards(4, 1, deck=deck).equations == TWO_CARDS[1].equations + TWO_CARDS[0].equations
    assert str(Exchange.of_cards(1, deck=deck)) == "R=WW W=BG B=GG YY=WB G=YYY"


def test_BZ_3_each_card_is_there_once():
    with pytest.raises(ValueError) as error:
        Exchange.of_cards(4, 4, deck=Deck.parse(TEXT))
    assert str(error.value) == "cards 4, 4: each card is there once (BZ-3)"


def test_BZ_3_no_card_and_three_cards():
    deck = Deck.parse(TEXT + "card 9\nRR=GG\nWW=BB\nBB=YY\nGG=WY\nYY=RW\n")
    for cards, n in [((), 0), ((1, 4, 9), 15)]:
        assert refused(lambda cards=cards: Exchange.of_cards(*cards, deck=deck)) == (
            f"{n} equations; an exchange has 1 to 10 (BZ-3)"
        )


# Faults in a text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("W=BG", "W=BQ", "line 3: card 1: 'BQ': unknown colour 'Q'; colours are R W B G Y"),
        ("W=BG", "W=", "line 3: card 1: 'W=': a side has 1 to 4 stones, not 0 (BZ-3)"),
        ("W=BG", "W=WG", "line 3: card 1: 'W=WG': colour W stands on both sides (BZ-3)"),
        ("W=BG", "R=2W", "line 3: card 1: equation R=WW is there twice (line 2)"),
        ("W=YY", "WW=R", "line 11: card 4: equation WW=R is there twice (line 2)"),
        ("W=BG\n", "W=BG BB=WW\n", "line 7: card 1 has 6 equations; a card has 5 (BZ-3)"),
        ("Y=RRG\n", "", "line 13: card 4 has 4 equations; a card has 5 (BZ-3)"),
        ("tarjeta 4", "tarjeta four", "line 9: 'four' is not the number of a card"),
        ("card 1", "card one", "line 1: 'one' is not the number of a card"),
        ("card 1 ", "first ", "line 1: 'first' stands before the first line 'card 1' or 'wares'"),
        ("wares", "card 7\nwares", "line 15: card 7 has 0 equations; a card has 5 (BZ-3)"),
        ("card 1 ", "card 7\ncard 1 ", "line 1: card 7 has 0 equations; a card has 5 (BZ-3)"),
        ("wares", "card 7\n# R=YY\n\ntarjeta 7:\nwares", "line 18: card 7 has 0 equations; a card has 5 (BZ-3)"),
        ("RWBGY*", "RWBG*", "line 16: 'RWBG*': a ware shows five stones, not 4 (BZ-4)"),
        ("RWBGY*", "GGGGG", "line 17: ware GGGGG is there twice (line 16)"),
    ],
)
def test_a_fault_in_pasted_text_is_named_with_its_line(old, new, message):
    assert TEXT.count(old) == 1
    assert refused(Deck.parse, TEXT.replace(old, new)) == message


@pytest.mark.parametrize("text", ["", "  \n# nothing\n", "wares\nRWBGY\n"])
def test_a_deck_without_cards(text):
    message = "there is no exchange card; start one with a line 'card 1', its equations below"
    assert refused(Deck.parse, text) == message


def test_BZ_3_a_card_without_equations_does_not_vanish_wherever_it_stands(file):
    """In pasted text, in a file, and in the text of a state; a card begun twice is one card."""
    lines = TEXT.splitlines()
    for place in range(len(lines) + 1):
        text = "\n".join([*lines[:place], "card 7", *lines[place:]])
        with pytest.raises(ParseError):
            Deck.parse(text)
        with pytest.raises(ParseError, match=r"^family\.txt, line \d+: "):
            Deck.load(file("family.txt", text))
    assert Deck.parse(TEXT.replace("W=BG", "card 1\nW=BG")) == Deck.parse(TEXT)
    with pytest.raises(ParseError, match=r"card 7 has 0 equations; a card has 5 \(BZ-3\)"):
        read_deck("7:|1:R=WW,W=BG,B=GG,YY=WB,G=YYY|RWBGY")


def test_a_fault_in_a_text_file_is_named_with_file_and_line(file):
    path = file("family.txt", TEXT.replace("W=BG", "W=BQ"))
    message = "family.txt, line 3: card 1: 'BQ': unknown colour 'Q'; colours are R W B G Y"
    assert refused(Deck.load, path) == message


# Faults in CSV files


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("W=BG", "W=BQ", "mine.csv, line 3: card 1: 'BQ': unknown colour 'Q'; colours are R W B G Y"),
        (
            "W=BG",
            "W",
            "mine.csv, line 3: card 1: 'W': an equation has two sides with one '=' between them, such as R=WW",
        ),
        ("1,W=BG", "one,W=BG", "mine.csv, line 3: 'one' is not the number of a card"),
        ("1,W=BG", ",W=BG", "mine.csv, line 3: nothing under 'card'"),
        ("1,W=BG", "1", "mine.csv, line 3: nothing under 'equation'"),
        ("1,W=BG", "1, ", "mine.csv, line 3: nothing under 'equation'"),
        ("4,R=BG", "\n4,WW=R", "mine.csv, line 8: card 4: equation WW=R is there twice (mine.csv, line 2)"),
        ("4,Y=RRG\n", "", "mine.csv, line 10: card 4 has 4 equations; a card has 5 (BZ-3)"),
        (
            "card,",
            "number,",
            "mine.csv, line 1: no column 'card'; needed are card,equation, found number,equation",
        ),
        (
            ",equation",
            ";equation",
            "mine.csv, line 2: nothing under 'equation'",
        ),
        (
            "card,equation",
            "card",
            "mine.csv, line 1: no column 'equation'; needed are card,equation, found card",
        ),
    ],
)
def test_a_fault_in_a_card_file_is_named_with_its_line(file, old, new, message):
    assert CARDS.count(old) == 1
    assert refused(Deck.load, file("mine.csv", CARDS.replace(old, new))) == message


def test_an_empty_card_file(file):
    message = "mine.csv, line 1: no column 'card'; needed are card,equation, found nothing"
    assert refused(Deck.load, file("mine.csv", "")) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ware\nRWBGY\nRWBG\n", "things.csv, line 3: 'RWBG': a ware shows five stones, not 4 (BZ-4)"),
        ("ware\nRWBGY**\n", "things.csv, line 2: 'RWBGY**': a ware bears one star or none, not 2 (BZ-4)"),
        ("ware\nRWBGY\n\nYGBWR\n", "things.csv, line 4: ware RWBGY is there twice (things.csv, line 2)"),
        ("card\nRWBGY\n", "things.csv, line 1: no column 'ware'; needed are ware, found card"),
        ("stock,ware\n1,RWBGY\n1\n", "things.csv, line 3: nothing under 'ware'"),
    ],
)
def test_a_fault_in_a_ware_file_is_named_with_its_line(file, text, message):
    assert refused(Deck.load, file("mine.csv", CARDS), file("things.csv", text)) == message
