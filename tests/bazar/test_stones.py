"""Stones, equations and wares: accepted texts, errors and their wording, texts that read back."""

import copy
import os
import pickle
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit.bazar import COLOURS, POINTS, Equation, Stones, Ware
from tradekit.bazar.stones import parse_equations
from tradekit.game import ParseError

from . import oracle
from .strategies import EQUATIONS, NAMES, SIDES, equations, multisets, spellings, stones, wares

# Stones: a multiset


def test_BZ_1_order_of_colours():
    assert COLOURS == "RWBGY"
    assert str(Stones("YGBWR")) == "RWBGY"
    assert Stones("YGBWRR").counts == (2, 1, 1, 1, 1)


@given(stones(), stones())
def test_stones_are_a_multiset(a, b):
    one, other = Counter(a), Counter(b)
    assert Counter(a + b) == one + other
    assert len(a) == one.total()
    assert (a <= b) == (one <= other) == (b >= a)
    assert (a < b) == (one < other) == (b > a)
    assert (a == b) == (one == other)
    assert a + b - b == a
    assert all((colour in a) == (one[colour] > 0) for colour in COLOURS)
    assert a.counts == oracle.hand(str(a))


@given(stones(), stones())
def test_taking_away_what_is_not_there_is_refused(a, b):
    if b <= a:
        assert Counter(a - b) == Counter(a) - Counter(b)
    else:
        with pytest.raises(ValueError, match=f"^{a} does not contain {b}$"):
            a - b


@given(stones())
def test_stones_read_back(x):
    assert Stones.parse(str(x)) == x == eval(repr(x))
    assert Stones(x) == x == Stones.of(x.counts) == Stones.of(list(x.counts))
    assert len({x, Stones(str(x))}) == 1
    assert pickle.loads(pickle.dumps(x)) == copy.deepcopy(x) == x


@pytest.mark.parametrize("counts", [(1, 2, 3), (1, 0, 0, 0, -1), (0,) * 6, ()])
def test_stones_of_wrong_counts(counts):
    with pytest.raises(ValueError) as error:
        Stones.of(counts)
    assert str(error.value) == f"{counts}: give five counts of 0 or more"


def test_stones_do_not_change():
    with pytest.raises(AttributeError):
        Stones("R").counts = (0, 0, 0, 0, 0)
    with pytest.raises(AttributeError):
        Equation("R=WW").left = Stones("B")
    with pytest.raises(AttributeError):
        Ware("RWBGY").stars = 1


# Reading is lenient


@given(spellings())
def test_any_spelling_is_read(case):
    letters, typed = case
    assert Counter(Stones.parse(typed)) == Counter(letters)


@pytest.mark.parametrize(("colour", "name"), [(colour, name) for colour, names in NAMES.items() for name in names])
def test_every_name_in_both_languages(colour, name):
    assert Stones(name) == Stones(f"1 {name}") == Stones(name.upper()) == Stones(colour)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("RRB", "RRB"),
        ("rrb", "RRB"),
        ("2R 1B", "RRB"),
        ("2R1B", "RRB"),
        ("1B,2R", "RRB"),
        ("red red blue", "RRB"),
        ("rojo rojo azul", "RRB"),
        ("2 rojas, 1 azul", "RRB"),
        ("rojo 2 blue g", "RBBG"),
        ("2RB", "RRB"),  # a number counts only the colour after it
        ("R + B", "RB"),
        ("0R B", "B"),
        ("10 Y", "YYYYYYYYYY"),
        ("", "-"),
        ("  ", "-"),
        ("-", "-"),
    ],
)
def test_stones_as_people_type_them(typed, read):
    assert str(Stones(typed)) == read


@st.composite
def in_spanish(draw):
    """Draw (letters, the same stones as people say them in Spanish, the last after "y")."""
    letters, words = "", []
    for colour in draw(st.lists(st.sampled_from(COLOURS), min_size=2, max_size=4)):
        number = draw(st.none() | st.integers(1, 4))
        name = draw(st.sampled_from([name for name in NAMES[colour] if len(name) > 1 and name.lower() not in ENGLISH]))
        letters += colour * (number or 1)
        words.append(f"{number} {name}" if number else name)
    return letters, f"{', '.join(words[:-1])} y {words[-1]}"


ENGLISH = ("red", "white", "blue", "green", "yellow")


@given(in_spanish())
def test_a_y_between_spanish_words_is_an_and_and_no_yellow_stone(case):
    letters, typed = case
    assert Counter(Stones(typed)) == Counter(letters)


def test_the_spanish_and_in_equations_wares_and_decks():
    assert Equation("blanco = azul y verde") == Equation("W=BG") == Equation("1 blanca = 1 azul y 1 verde")
    assert Ware("4 rojos y 1 azul *") == Ware("RRRRB*")
    assert parse_equations("rojo = azul y 2 verdes\n2 amarillas y 1 roja = blanco") == parse_equations("R=BGG RYY=W")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("r w y", "RWY"),
        ("r y b", "RBY"),
        ("y y", "YY"),
        ("rojo Y azul", "RBY"),
        ("red, y, blue", "RBY"),
        ("rojo + y + azul", "RBY"),
        ("rojo, y", "RY"),
        ("rojo y", "RY"),
        ("y rojo", "RY"),
        ("2 y rojo", "RYY"),
        ("rojo 2 y 1 azul", "RBYY"),
        ("2y1b", "BYY"),
    ],
)
def test_a_y_that_stands_for_itself_is_a_yellow_stone(typed, read):
    assert str(Stones(typed)) == read


@pytest.mark.parametrize("typed", ["2R y 1B", "r y azul", "rojo y b", "red y blue", "2 red y 1 blue", "rojo y y azul"])
def test_a_y_that_may_be_either_is_refused(typed):
    with pytest.raises(ParseError) as error:
        Stones(typed)
    assert str(error.value) == (
        f"'{typed}': y may be a yellow stone here, or mean and, as in Spanish; write Y for the stone, or a comma"
    )
    either = {str(Stones(typed.replace(" y ", between, 1).replace(" y ", " Y "))) for between in (" Y ", ", ")}
    assert len(either) == 2  # written in one of the ways that the message names, it is read


@given(st.text(max_size=8) | st.text("RWBGYrojoazul 0123456789²٣½-+,*=_ß\n", max_size=10))
def test_any_text_is_read_or_refused_as_unreadable(text):
    for kind in (Stones, Equation, Ware):
        try:
            value = kind(text)
        except ParseError:
            continue
        assert kind(str(value)) == value


@pytest.mark.parametrize("text", ["² R", "R ²", "③"])
def test_a_digit_that_is_no_number_is_refused_as_unreadable(text):
    with pytest.raises(ParseError, match=f"^'{text}': "):
        Stones(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RQ", "'RQ': unknown colour 'Q'; colours are R W B G Y"),
        ("RRB X", "'RRB X': unknown colour 'X'; colours are R W B G Y"),
        ("red purple", "'red purple': unknown colour 'purple'; colours are R W B G Y"),
        ("rrq", "'rrq': unknown colour 'rrq'; colours are R W B G Y"),
        ("R;B", "'R;B': unknown colour ';'; colours are R W B G Y"),
        ("R B 2", "'R B 2': no colour after the number 2; write 2R for two red stones"),
        ("2 3 R", "'2 3 R': 3 is not a number of stones of one colour"),
        ("1000R", "'1000R': 1000 is not a number of stones of one colour"),
    ],
)
def test_stones_that_cannot_be_read(text, message):
    with pytest.raises(ParseError) as error:
        Stones.parse(text)
    assert str(error.value) == message


# Equations


def test_BZ_3_every_equation_that_is_allowed_is_accepted():
    """All pairs of sides of one to four stones: allowed exactly if no colour is on both sides."""
    accepted = []
    for a in SIDES:
        for b in SIDES:
            try:
                accepted.append(str(Equation(f"{a}={b}")))
            except ParseError:
                assert set(a) & set(b)
    assert accepted == [f"{a}={b}" for a in SIDES for b in SIDES if not set(a) & set(b)]
    assert len(accepted) == 2 * len(EQUATIONS)


@given(equations)
def test_equations_read_back(x):
    assert Equation.parse(str(x)) == x == eval(repr(x)) == Equation(x)
    assert pickle.loads(pickle.dumps(x)) == x
    assert hash(Equation(str(x))) == hash(x)


@given(equations)
def test_BZ_10_reversed(x):
    assert (x.reversed.left, x.reversed.right) == (x.right, x.left)
    assert x.reversed != x
    assert x.reversed.reversed == x


@pytest.mark.parametrize("sign", ["=", "<->", "->", "<=>", "→", "↔", " = ", "  <->  ", " ->", "= "])
def test_signs_between_the_sides(sign):
    assert str(Equation(f"R{sign}WW")) == "R=WW"
    assert str(Equation(f"2 rojas{sign}1 white, azul")) == "RR=WB"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("=R", "'=R': a side has 1 to 4 stones, not 0 (BZ-3)"),
        ("R=", "'R=': a side has 1 to 4 stones, not 0 (BZ-3)"),
        (" R = - ", "'R = -': a side has 1 to 4 stones, not 0 (BZ-3)"),
        ("R=WWWWW", "'R=WWWWW': a side has 1 to 4 stones, not 5 (BZ-3)"),
        ("5R=W", "'5R=W': a side has 1 to 4 stones, not 5 (BZ-3)"),
        ("R=R", "'R=R': the same stones stand on both sides (BZ-3)"),
        ("RW=white red", "'RW=white red': the same stones stand on both sides (BZ-3)"),
        ("RW=RB", "'RW=RB': colour R stands on both sides (BZ-3)"),
        ("RW=BW", "'RW=BW': colour W stands on both sides (BZ-3)"),
        ("R=Q", "'Q': unknown colour 'Q'; colours are R W B G Y"),
        ("RW", "'RW': an equation has two sides with one '=' between them, such as R=WW"),
        ("R=W=B", "'R=W=B': an equation has two sides with one '=' between them, such as R=WW"),
        ("", "'': an equation has two sides with one '=' between them, such as R=WW"),
    ],
)
def test_BZ_3_equations_that_are_refused(text, message):
    with pytest.raises(ParseError) as error:
        Equation.parse(text)
    assert str(error.value) == message


# Several equations


@given(
    st.lists(st.sampled_from(EQUATIONS), unique=True, max_size=12),
    st.sampled_from([" ", "\n", ", ", "; ", "\r\n", "\n\n"]),
)
def test_many_equations_however_they_are_parted(texts, between):
    assert [str(e) for e in parse_equations(between.join(texts))] == texts


@pytest.mark.parametrize(
    "text",
    [
        "R=WW; W=BG;",
        "R=WW;\n W=BG,",
        "; R = WW ;\n\n;\nW=BG",
        "R=WW W=BG",
        "R = WW  W <-> BG",
        "R->WW,W->BG",
        "R=WW # the first\n# nothing\n\n 1 blanca = azul, verde",
        "red = 2 white\r\nW=BG\r\n",
    ],
)
def test_equations_as_people_type_them(text):
    assert parse_equations(text) == [Equation("R=WW"), Equation("W=BG")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("R=WW W=BG R=WW", "equation R=WW is there twice"),
        ("R=WW 2W=red", "equation WW=R is there twice"),
        ("R=WW\nW=BG\nR=WW", "line 3: equation R=WW is there twice (first in line 1)"),
        ("W=BG\nR=WW\n\nWW=R", "line 4: equation WW=R is there twice (first in line 2)"),
        ("R=WW\nRQ=W", "line 2: 'RQ': unknown colour 'Q'; colours are R W B G Y"),
        ("R=WW\nB=\n", "line 2: 'B=': a side has 1 to 4 stones, not 0 (BZ-3)"),
        ("R=WW W=B G=Q", "'Q': unknown colour 'Q'; colours are R W B G Y"),
    ],
)
def test_BZ_3_faults_among_several_equations(text, message):
    with pytest.raises(ParseError) as error:
        parse_equations(text)
    assert str(error.value) == message


# Wares


@given(wares)
def test_wares_read_back(x):
    assert Ware.parse(str(x)) == x == eval(repr(x)) == Ware(x)
    assert pickle.loads(pickle.dumps(x)) == x
    assert len(x.stones) == 5
    assert x.stars == str(x).count("*")


@pytest.mark.parametrize("text", ["RWBGY*", "RWBGY ★", "★ rojo blanco azul verde amarillo", "ygbwr*", "*1R1W1B1G1Y"])
def test_BZ_4_a_starred_ware(text):
    assert Ware(text) == Ware("RWBGY*") != Ware("RWBGY")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RWBG", "'RWBG': a ware shows five stones, not 4 (BZ-4)"),
        ("RWBGYY", "'RWBGYY': a ware shows five stones, not 6 (BZ-4)"),
        ("6 red*", "'6 red*': a ware shows five stones, not 6 (BZ-4)"),
        ("*", "'*': a ware shows five stones, not 0 (BZ-4)"),
        ("RWBGY**", "'RWBGY**': a ware bears one star or none, not 2 (BZ-4)"),
        ("RWBGY*★", "'RWBGY*★': a ware bears one star or none, not 2 (BZ-4)"),
        ("RWBGQ", "'RWBGQ': unknown colour 'Q'; colours are R W B G Y"),
    ],
)
def test_BZ_4_wares_that_are_refused(text, message):
    with pytest.raises(ParseError) as error:
        Ware.parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("ware", "empty_stalls", "column"),
    [
        ("RWBGY", 0, (5, 3, 2, 1)),
        ("RWBGY*", 0, (8, 5, 3, 2)),
        ("RWBGY", 1, (8, 5, 3, 2)),
        ("RWBGY*", 1, (12, 8, 5, 3)),
    ],
)
def test_BZ_15_BZ_16_points(ware, empty_stalls, column):
    assert tuple(Ware(ware).points(left, empty_stalls) for left in range(4)) == column
    assert {Ware(ware).points(left, empty_stalls) for left in range(3, 9)} == {column[3]}
    assert column in POINTS


def test_BZ_17_with_two_empty_stalls_the_bazaar_is_closed():
    for stalls in (2, -1):
        with pytest.raises(ValueError) as error:
            Ware("RWBGY").points(0, empty_stalls=stalls)
        assert str(error.value) == (
            f"{stalls} empty stalls: 0 or 1 are possible, with two the bazaar is closed (BZ-17)"
        )


def test_points_with_fewer_than_no_stones_left():
    with pytest.raises(ValueError, match=r"^left=-1: must be 0 or more$"):
        Ware("RWBGY").points(-1)


# In a notebook, and between processes


@given(multisets(0, 10))
def test_stones_show_their_letters(letters):
    page = Stones(letters)._repr_html_()
    for colour in COLOURS:
        assert page.count(f'aria-hidden="true">{colour}</span>') == letters.count(colour)
    assert f'aria-label="{" ".join(letters) or "no stones"}"' in page


def test_equations_and_wares_show_letters_and_star():
    page = Equation("R=WW")._repr_html_()
    assert page.count(">R</span>") == 1 and page.count(">W</span>") == 2 and ">=</span>" in page
    assert "★" in Ware("RWBGY*")._repr_html_()
    assert "★" not in Ware("RWBGY")._repr_html_()


def test_hashes_are_the_same_in_every_process():
    shown = "[hash(x) for x in (Stones('RRB'), Stones(''), Equation('R=WW'), Ware('RWBGY*'))]"
    program = f"from tradekit.bazar import Equation, Stones, Ware; print({shown})"
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert eval(run.stdout) == eval(shown)
