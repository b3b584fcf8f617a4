"""Numbers as people write them: every form is read, and no number with two readings is guessed at."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit._utils.numerals import (
    MARKS,
    NotANumber,
    TwoReadings,
    doubtful,
    exact,
    mark_of,
    number,
    numbers,
    plain,
    readings,
    whole,
)

FORMS = {
    "0.25": 0.25, "0,25": 0.25, " 7 ": 7, ".5": 0.5, ",5": 0.5, "5.": 5,
    "1/4": 0.25, "1 / 4": 0.25, "2 1/2": 2.5, "½": 0.5,
    "2½": 2.5, "1⁄3": 1 / 3, "-2 1/2": -2.5, "1,5/3": 0.5, "25 %": 0.25,
    "25%": 0.25, "33,3 %": 0.333, "50 por ciento": 0.5,
    "50 percent": 0.5, "−5": -5, "–5": -5, "- 5": -5, "+5": 5, "1,234,567": 1234567, "1.234.567": 1234567,
    "1.234,5": 1234.5, "1,234.5": 1234.5, "1 000": 1000, "1\xa0000,5": 1000.5,
    "1\u202f234.5": 1234.5, "1'234.50": 1234.5,
    "1’234": 1234, "1_000": 1000, "1,00,000": 100000, "1E+05": 1e5,
    "1,5E+03": 1500, "1e-3": 0.001, "'7": 7, '"7,5"': 7.5,
    '="0.5"': 0.5, "€ 12.50": 12.5, "12,50 €": 12.5, "$5": 5, "5 escudos": 5,
    "12 dinares": 12, "EUR 5": 5, "１２．５": 12.5,
    "١٢٫٥": 12.5, "١٬٢٣٤": 1234, "0,234": 0.234, "0.234": 0.234, "1234.567": 1234.567, "1.2340": 1.234, "\u200e5": 5,
}  # fmt: skip
TWICE = ["1,234", "1.234", "-1,234", "999.999", "12,345", "1,234 €", "１,２３４", "1,234 %", "1,234/2"]
NONE = [
    "", " ", "x", "1,2,3", "0,3,1", "1.2.3", "1,23,4", "1 2", "12 34",
    "nan", "inf", "-inf", "1/0", "1/", "/2", "--5", "5-",
    "1e400", "1e9999", "0x10", "5²", "#REF!", "1..5", "1,.5", "%",
    "€", "5 bananas", "1e", "½½", "9" * 500, "1 2 3", "True",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMS)
def test_every_form_is_read(text):
    assert number(text) == pytest.approx(FORMS[text], rel=1e-15)


@pytest.mark.parametrize("text", TWICE)
def test_what_can_be_read_in_two_ways_is_asked_about_and_both_are_named(text):
    with pytest.raises(TwoReadings) as doubt:
        number(text)
    one, other = doubt.value.readings
    assert one != other and doubtful(text)
    for reading, typed in zip((one, other), str(doubt.value).rpartition("write ")[2].split(" or "), strict=True):
        assert number(typed) == pytest.approx(float(reading)), "what it says to write is read so, and in one way"
    assert {number(text, mark) for mark in MARKS} == {float(one), float(other)}


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_number_is_said_in_our_own_words(text):
    with pytest.raises(NotANumber, match=r"is no number|is too large"):
        number(text)


@given(st.text() | st.text("0123456789.,/ -eE%'½€\xa0", max_size=12), st.sampled_from([None, *MARKS]))
def test_any_text_is_a_number_or_our_own_error(text, mark):
    for read in (number, whole, numbers):
        try:
            value = read(text) if read is numbers else read(text, mark)
        except NotANumber as error:
            assert str(error)
        else:
            assert all(abs(one) < float("inf") for one in (value if read is numbers else [value]))


def written(value, mark, thousands, places):
    text = f"{value:,.{places}f}"
    return text.replace(",", "T").replace(".", mark).replace("T", thousands)


@given(
    st.decimals(-(10**8), 10**8, places=4, allow_nan=False), st.sampled_from(MARKS), st.integers(0, 4), st.booleans()
)
def test_what_is_written_with_a_mark_is_read_with_it_and_never_otherwise_without(value, mark, places, with_thousands):
    thousands = {".": ",", ",": "."}[mark] if with_thousands else ""
    text = written(value, mark, thousands, places)
    meant = Fraction(f"{value:.{places}f}")
    assert exact(text, mark) == meant
    try:
        assert exact(text) == meant
    except TwoReadings as doubt:
        assert meant in doubt.readings
    assert readings(text)[mark] == meant


@given(st.lists(st.decimals(0, 10**6, places=2, allow_nan=False), min_size=1), st.sampled_from(MARKS))
def test_the_other_numbers_decide(values, mark):
    texts = [written(value, mark, {".": ",", ",": "."}[mark], 2) for value in values]
    assert mark_of([*texts, "1,234", "1.234", "7"]) == mark
    assert mark_of([*texts, written(values[0], {".": ",", ",": "."}[mark], "", 2)]) is None, "two that contradict"


def test_what_our_own_page_writes_is_not_asked_about_where_only_one_reading_can_be():
    assert number("1.234", within=(0, 5)) == 1.234
    for text, within in (("1,234", (0, 5)), ("1.234", (0, 5000)), ("1.234", (0, 1))):
        with pytest.raises(TwoReadings):
            number(text, within=within)


@given(st.integers(-(10**60), 10**60))
def test_whole_numbers_are_exact_at_any_length(value):
    assert whole(str(value)) == value


def test_whole_numbers_are_whole():
    assert [whole(text) for text in ("7.0", "7,00", "1E+05", "14/2")] == [7, 7, 100000, 7]
    for text in ("7.5", "1/3", "50 %"):
        with pytest.raises(NotANumber, match="is no whole number"):
            whole(text)


def test_numpy_s_values_are_python_s_in_texts():
    numpy = pytest.importorskip("numpy")
    for value in (numpy.float64(0.5), (numpy.int64(1), [numpy.float32(2)]), {numpy.str_("a"): numpy.bool_(True)}):
        assert "np." not in repr(plain(value))
    assert plain([1, "a", None, 0.5]) == [1, "a", None, 0.5]
