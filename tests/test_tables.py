"""Tables that people write, as spreadsheets save them: both games' decks are read from such files."""

import pytest

from tradekit import bazar, turin
from tradekit.game import ParseError
from tradekit.tables import decode, read_file, read_rows

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
    for name, lines in files.items():
        (tmp_path / f"{name}.csv").write_bytes("".join(line + end for line in lines).encode(code))
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
