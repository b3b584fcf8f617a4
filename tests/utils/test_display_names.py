"""Names: equal if they look equal, sorted as in a class list, and without effect on the direction of other text."""

import re
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit import Record, bazar, play, turin
from tradekit._utils.display_names import clean, in_order, isolated

CLASS = [
    "2", "10", "Álvaro", "Ana", "ÁNGELA", "Ángeles", "Bea", "Ibáñez", "Íñigo", "Nadia", "Núria", "Ñoño", "Óscar",
    "Pérez",
    "Student 2", "Student 10", "Zoe",
]  # fmt: skip
TURNERS = "\u202e\u202d\u202a\u202b\u202c\u2066\u2067\u2068\u2069א1ب"


@given(st.randoms())
def test_a_class_list_is_in_order(rng):
    names = [normalize(rng.choice(["NFC", "NFD"]), name) for name in CLASS]
    rng.shuffle(names)
    assert [clean(name) for name in sorted(names, key=in_order)] == CLASS


@given(st.text(max_size=12), st.sampled_from(["NFC", "NFD"]))
def test_what_looks_equal_is_equal(name, form):
    assert clean(normalize(form, name)) == clean(name) == clean(clean(name))
    assert clean(f"\ufeff {name}\u200b\xa0") == clean(name)
    assert clean(name.replace(" ", "\xa0 \u2003")) == clean(name)
    assert in_order(normalize(form, clean(name))) is not None


def depths(text):
    """Return the number of open isolates after each sign, and whether one that does not end there is overridden."""
    depth = 0
    for sign in text:
        depth += (sign in "\u2066\u2067\u2068") - (sign == "\u2069")
        yield depth


@given(st.text(st.sampled_from(TURNERS + "ab \n"), max_size=12))
def test_a_name_ends_all_that_it_begins(name):
    shown = isolated(name)
    inside = [*depths(shown)]
    if any(sign in TURNERS.replace("1", "") for sign in name):
        assert shown[0] == "\u2068" and shown[-1] == "\u2069" and inside[-1] == 0
        assert all(depth > 0 for depth in inside[:-1]), "it is not left before its end"
        assert "\n" not in shown, "a paragraph's end would end the isolate"
    else:
        assert shown == name


@pytest.mark.parametrize("evil", ["\u202eAna", "Ana\u2069\u202e", "علي"])
def test_names_at_the_table_are_isolated_wherever_they_stand(evil, tmp_path):
    letters = evil.strip("\u202e\u2069")
    for start in (bazar.new(players=2, cards=(1, 4), seed=7), turin.new(3, seed=1)):
        bot = "chain" if start.game.name == "bazar" else "Bo"
        table = play(start, {0: evil, 1: bot}, file=tmp_path / f"{start.game.name}.txt")
        for move in range(3):
            page = (" ".join(table.parts.values()) + repr(table.record)).replace(f'value="{evil}"', "")
            page = re.sub('href="data:[^"]*"', "", page)
            places = page.split(letters)
            assert len(places) > 1 or move
            assert all(before.strip("\u202e").endswith("\u2068") for before in places[:-1])
            assert all(depth >= 0 for depth in depths(page)) and [*depths(page)][-1] == 0
            if actors := table.state.actors:
                table.receive("act", str(next(iter(table.state.actions(actors[0])))))
                table.refresh()


def test_a_name_in_another_form_is_still_that_player_at_the_table(tmp_path):
    start = turin.new(3, seed=1)
    table = play(start, {0: "Jose\u0301", 1: "José", 2: "Bo"}, file=tmp_path / "game.txt")
    assert len({clean(name) for name in table.names}) == 3, "two that look the same are told apart"
    assert table.meant(f"give {table.names[0]}") in ("give p0", f"give {table.names[0]}")


def test_a_record_keeps_the_name_itself():
    record = Record.begin(bazar.new(seed=7), ["\u202eAna"])
    assert Record.parse(str(record)).names[0] == "\u202eAna" and "\u2068" not in str(record)
