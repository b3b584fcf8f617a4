"""Tables that people write, as spreadsheets save them: both games' decks are read from such files."""

import csv
import io
from contextlib import suppress
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit import Record, bazar, turin
from tradekit._utils.display_names import clean
from tradekit._utils.tables import SEPARATORS, Header, decode, lines, read_file, read_rows, rows_of, split, spoiled
from tradekit.game import ParseError

TOLD = ["García, José", "Škoda 5 €", "¿qué? ¡no! Ñandú", "L’été à Nîmes", "Über Größe", "O'Brien", "corazón; último"]

CODES = ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"]
CARD = "card,equation\n" + "".join(f"7,{equation}\n" for equation in ("R=WW", "W=BG", "B=GG", "G=YY", "YYB=R"))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_TU_3_BZ_3_a_deck_is_read_however_a_spreadsheet_has_saved_it(tmp_path, code, end):
    house = turin.Deck.house()
    names = {good.name: f"{good.spanish} de aquí" for good in house.goods}
    goods = [f"{names[good.name]},{good.total},{good.classic},{good.new}" for good in house.goods]
    cards = [
        ",".join([str(card.number), *(names[house.goods[card.units.index(n)].name] for n in (3, 2, 1))])
        for card in house.cards
    ]
    files = {"goods": ["good,total,classic,new", *goods], "cards": ["card,three,two,one", *cards]}
    files |= {"exchange": CARD.replace("equation", "equation,señal").splitlines(), "wares": ["ware,año", "RWBGY*,ñ"]}
    for name, rows in files.items():
        (tmp_path / f"{name}.csv").write_bytes("".join(line + end for line in rows).encode(code))
    own = turin.Deck.load(tmp_path / "cards.csv", tmp_path / "goods.csv")
    assert own.cards == house.cards and [good.name for good in own.goods] == [*names.values()]
    deck = bazar.Deck.load(tmp_path / "exchange.csv", tmp_path / "wares.csv")
    assert len(deck.cards[0].equations) == 5 and [str(ware) for ware in deck.wares] == ["RWBGY*"]


@pytest.mark.parametrize("content", [b"PK\x03\x04\x14\x00\x06\x00", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff"])
def test_TU_3_BZ_3_a_file_that_is_no_text_is_refused_by_its_name(tmp_path, content):
    path = tmp_path / "mine.csv"
    path.write_bytes(content)
    for load in (bazar.Deck.load, lambda path: turin.Deck.load(path, path)):
        with pytest.raises(ParseError, match=r"^mine\.csv: that is no text; save it as CSV, and read that$"):
            load(path)


def test_a_file_is_text_whoever_wrote_it(tmp_path):
    path = tmp_path / "mine.txt"
    for code in CODES:
        path.write_bytes("maíz\r\n¿qué?\r".encode(code))
        assert read_file(path) == "maíz\n¿qué?\n"
    assert decode(b"") == ""


def test_optional_columns_may_be_missing_and_their_cells_empty():
    text = "ware,note\nR,mine\nW\n"
    assert [cells for _where, cells in read_rows("f", text, "ware", optional=["note"])] == [
        {"ware": "R", "note": "mine"},
        {"ware": "W", "note": ""},
    ]
    assert next(cells for _where, cells in read_rows("f", text, "ware", optional=["price"])) == {
        "ware": "R",
        "price": "",
    }


# In any form

DRESSES = st.fixed_dictionaries({
    "separator": st.sampled_from(SEPARATORS),
    "end": st.sampled_from(["\n", "\r\n", "\r"]),
    "code": st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]),
    "quoted": st.booleans(),
    "case": st.sampled_from([str, str.upper, str.title, lambda name: f" {name} "]),
    "said": st.booleans(),
    "empty": st.integers(0, 3),
})  # fmt: skip
CELLS = st.text(st.sampled_from("abñé R=W,;|'\"7"), min_size=1, max_size=8).map(str.strip).filter(bool)


def dressed(rows, separator, end, code, quoted, case, said, empty):
    """Return a table as a spreadsheet saves it, as bytes."""
    rows = [[case(name) for name in rows[0]], *rows[1:]]
    out = io.StringIO()
    how = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=separator, lineterminator=end, quoting=how).writerows(
        [[*row, *[""] * empty] for row in rows]
    )
    text = (f"sep={separator}{end}" if said else "") + out.getvalue() + (separator * 2 + end) * empty
    return text.encode(code)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5), DRESSES)
def test_a_table_in_any_dress_reads_equal(rows, dress):
    rows = [row for row in rows if not any(map(spoiled, row))]
    text = decode(dressed([("ware", "note"), *rows], **dress))
    read = [(cells["ware"], cells["note"]) for _where, cells in read_rows("f", text, "ware", "note")]
    assert read == [tuple(map(clean, row)) for row in rows]


@given(
    st.sampled_from([line for line in TOLD if line]),
    st.sampled_from(["utf-8", "cp1252", "utf-16", "mac_roman", "cp850"]),
)
def test_words_are_read_in_any_encoding_of_a_spreadsheet(text, code):
    if "¿" in text and code in ("mac_roman", "cp850"):
        return  # it may be Windows-1252 as well
    with suppress(UnicodeEncodeError):  # not every encoding has every letter
        assert decode(text.encode(code)) == text


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode), st.booleans())
def test_any_bytes_are_a_deck_or_our_own_error(tmp_path_factory, content, begun):
    path = tmp_path_factory.mktemp("any") / "any.csv"
    path.write_bytes((CARD.encode() if begun else b"") + content)
    for load in (bazar.Deck.load, lambda path: turin.Deck.load(path, path), Record.load):
        try:
            load(path)
        except ParseError as error:
            assert str(error).startswith("any.csv")


@given(st.text(st.sampled_from('a,;"\n\r'), max_size=40), st.sampled_from(",;"))
def test_no_line_is_lost(text, separator):
    numbered = lines(text)
    rows = [*rows_of(numbered, Header(separator, ("one", "two", "three")))]
    assert [raw for _n, raw in numbered] == "\n".join(raw for _n, raw, _cells in rows).split("\n")
    assert [number for number, _raw, _cells in rows] == sorted({number for number, _raw, _cells in rows})


@given(st.lists(st.text(st.sampled_from('ab ,"'), max_size=6), min_size=2, max_size=5))
def test_cells_are_split_as_they_were_written(cells):
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    assert split(out.getvalue(), ",") == [cell.strip() for cell in cells]


def test_cells_of_any_length_and_over_several_lines_are_read():
    text = f'ware,note\nRWBGY,"{"x" * 200_000}"\nGGGGG,"two\nlines, and ""quotes"""\nWWWWW,end\n'
    found = [cells["ware"] for _where, cells in read_rows("f", text, "ware", "note")]
    assert found == ["RWBGY", "GGGGG", "WWWWW"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ware,ware\nRWBGY,GGGGG", "f, line 1: there are 2 columns 'ware'; which one counts?"),
        ("ware,Ware \nRWBGY,GGGGG", "f, line 1: there are 2 columns 'ware'; which one counts?"),
        ("ware\n#NAME?", "f, line 2: '#NAME?' under 'ware': a spreadsheet could not work it out"),
        ("ware\n#¿NOMBRE?", "could not work it out"),
        ("ware\n01. Feb", "f, line 2: '01. Feb' under 'ware': a spreadsheet has made a date of it"),
        ("ware,note\nRWBGY,a,b", "f, line 2: it has 3 cells, and there are 2 columns"),
        ("", "f, line 1: no column 'ware'; needed are ware, found nothing"),
    ],
)
def test_a_fault_in_a_table_is_named_with_its_place(text, words):
    with pytest.raises(ParseError) as fault:
        [*read_rows("f", text, "ware")]
    assert words in str(fault.value)


STAR = {
    "1": True, "0": False, "TRUE": True, "FALSE": False, "VERDADERO": True, "FALSO": False, "WAHR": True, "yes": True,
    "FALSCH": False, "no": False, "sí": True, "x": True, "*": True, "1,0": True, "": False,
}  # fmt: skip


@pytest.mark.parametrize("said", STAR)
def test_BZ_4_a_column_of_stars_is_read(tmp_path, said):
    (tmp_path / "cards.csv").write_text(CARD)
    (tmp_path / "wares.csv").write_text(f"ware;star\nRWBGY;{said}\nGGGGG*;1\n")
    deck = bazar.Deck.load(tmp_path / "cards.csv", tmp_path / "wares.csv")
    assert [str(ware) for ware in deck.wares] == [f"RWBGY{'*' * STAR[said]}", "GGGGG*"]


@pytest.mark.parametrize(("ware", "said"), [("RWBGY", "maybe"), ("RWBGY*", "0"), ("RWBGY", "2")])
def test_BZ_4_a_star_that_is_unclear_is_named(tmp_path, ware, said):
    (tmp_path / "cards.csv").write_text(CARD)
    (tmp_path / "wares.csv").write_text(f"ware,star\n{ware},{said}\n")
    with pytest.raises(ParseError, match=r"^wares\.csv, line 2: .*star"):
        bazar.Deck.load(tmp_path / "cards.csv", tmp_path / "wares.csv")


@pytest.mark.parametrize("failure", ["#NAME?", "#REF!", "#VALUE!", "#¿NOMBRE?", "#¡REF!", "#N/A", "#DIV/0!", "#BEZUG!"])
def test_BZ_3_what_a_spreadsheet_could_not_work_out_is_no_comment(failure):
    rows = ["card 7", "R=WW", "W=BG", "B=GG  # of mine", "# all of them", "G=YY", "YYB=R"]
    assert len(bazar.Deck.parse("\n".join(rows)).cards[0].equations) == 5
    with pytest.raises(ParseError, match="line 3"):
        bazar.Deck.parse("\n".join([*rows[:2], failure, *rows[2:]]))


@pytest.mark.parametrize("separator", SEPARATORS)
def test_BZ_3_a_table_of_cards_may_be_pasted_or_saved_as_text(tmp_path, separator):
    text = "\ufeff" + CARD.replace(",", separator).replace("card", "Tarjeta", 1).replace("equation", "Ecuación", 1)
    (tmp_path / "mine.txt").write_text(text, "utf-8")
    decks = [bazar.Deck.parse(text), bazar.Deck.load(tmp_path / "mine.txt")]
    assert decks[0].cards == decks[1].cards and len(decks[0].cards[0].equations) == 5


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_a_record_is_read_in_any_encoding(tmp_path, code):
    record = Record.begin(bazar.new(seed=7), ["Škoda €", "Ñandú"]).with_move("roll")
    path = tmp_path / "game.record"
    path.write_bytes(str(record).replace("\n", "\r\n").encode(code))
    assert Record.load(path) == record


def test_a_record_that_is_another_file_is_said_in_words(tmp_path):
    path = tmp_path / "game.record"
    for content, words in {b"\x89PNG\r\n\x1a\n\0\0": "that is no text", b"%PDF-1.4": "it is a PDF"}.items():
        path.write_bytes(content)
        with pytest.raises(ParseError, match=f"^game.record: this is no record: {words}"):
            Record.load(path)


def test_TU_3_goods_are_equal_where_they_look_equal():
    house = turin.Deck.house()
    names = {good.name: f"maíz  {n}" for n, good in enumerate(house.goods)}
    goods = [f"{names[good.name]},{good.total},{good.classic},{good.new}" for good in house.goods]
    cards = [
        ",".join([str(card.number), *(names[house.goods[card.units.index(n)].name] for n in (3, 2, 1))])
        for card in house.cards
    ]
    cards = [normalize("NFD", card).replace("  ", "\xa0") for card in cards]
    deck = turin.Deck.parse("\n".join(["card,three,two,one", *cards]), "\n".join(["good,total,classic,new", *goods]))
    assert deck.cards == house.cards and deck.goods[0].name == "maíz 0"
