"""Languages: texts go through a catalogue, typed words do not; without a catalogue all is English."""

import struct

import pytest

from tradekit import i18n
from tradekit.bazar import Chain, Exchange, Stones


def write_catalogue(folder, language, messages):
    """Write a compiled gettext catalogue, as `msgfmt` makes it: originals, sorted, and translations."""
    header = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
    entries = sorted((k.encode(), v.encode()) for k, v in {"": header, **messages}.items())
    at = 28 + 16 * len(entries)
    tables, texts = [b"", b""], b""
    for column in (0, 1):
        for entry in entries:
            tables[column] += struct.pack("<II", len(entry[column]), at + len(texts))
            texts += entry[column] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(entries), 28, 28 + 8 * len(entries), 0, 0)
    path = folder / language / "LC_MESSAGES" / "tradekit.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(head + tables[0] + tables[1] + texts)


MESSAGES = {
    "no stones": "sin piedras",
    "roll": "TIRAR",
    "R=WW": "NUNCA",
    "{n} turn\0{n} turns": "{n} turno\0{n} turnos",
    "{have} does not contain {want}": "{have} no contiene {want}",
    "chance": "azar",
    "probability\4chance": "probabilidad",
}


@pytest.fixture
def spanish(tmp_path, monkeypatch):
    """A catalogue of a few messages for "es", and English again afterwards."""
    write_catalogue(tmp_path, "es", MESSAGES)
    for name in ("TRADEKIT_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(i18n, "_LOCALE", tmp_path)
    monkeypatch.setattr(i18n, "_language", "en")
    yield
    i18n._catalogue = i18n.gettext.NullTranslations()


def test_texts_are_translated_and_back(spanish):
    i18n.set_language("es")
    assert i18n.language() == "es"
    assert i18n._("no stones") == "sin piedras"
    assert i18n._("a text without a translation") == "a text without a translation"
    i18n.set_language("en")
    assert i18n.language() == "en"
    assert i18n._("no stones") == "no stones"


def test_numbers_choose_the_form(spanish):
    assert [i18n.ngettext("{n} turn", "{n} turns", n) for n in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]
    i18n.set_language("es")
    assert [i18n.ngettext("{n} turn", "{n} turns", n) for n in (0, 1, 2)] == [
        "0 turnos",
        "1 turno",
        "2 turnos",
    ]


def test_the_same_words_may_mean_two_things(spanish):
    assert (i18n._("chance"), i18n.pgettext("probability", "chance")) == ("chance", "chance")
    i18n.set_language("es")
    assert (i18n._("chance"), i18n.pgettext("probability", "chance")) == ("azar", "probabilidad")
    assert i18n.pgettext("something else", "chance") == "chance"


def test_English_is_a_language_that_can_be_asked_for(spanish, monkeypatch):
    """It is the language of the code and has no catalogue: languages named after it have lower priority."""
    monkeypatch.setenv("LANGUAGE", "en_GB:es")
    i18n.set_language()
    assert i18n.language() == "en"
    monkeypatch.setenv("LANGUAGE", "fr:es:en")
    i18n.set_language()
    assert i18n.language() == "es"


def test_a_language_without_a_catalogue_is_english(spanish):
    i18n.set_language("es")
    i18n.set_language("xx")
    assert i18n._("no stones") == "no stones"


def test_the_language_of_the_environment(spanish, monkeypatch):
    i18n.set_language()
    assert i18n._("no stones") == "no stones"
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    i18n.set_language()
    assert i18n._("no stones") == "sin piedras"
    monkeypatch.setenv("TRADEKIT_LANG", "en")  # takes precedence over the others
    i18n.set_language()
    assert i18n._("no stones") == "no stones"
    i18n.set_language("es")  # and an explicit choice takes precedence over it
    assert i18n._("no stones") == "sin piedras"


def test_a_language_chosen_later_changes_what_is_shown_from_then_on(spanish):
    page, chain = Stones("")._repr_html_, Chain("RR", "WWWBG", ["R=WW", "R=WBG"])
    assert "no stones" in page() and "2 turns" in chain.title()
    i18n.set_language("es")
    assert "sin piedras" in page() and "2 turnos" in chain.title()
    with pytest.raises(ValueError, match=r"^RR no contiene W$"):
        Stones("RR") - Stones("W")


def test_what_a_person_types_is_never_translated(spanish):
    i18n.set_language("es")
    exchange = Exchange("R=WW")
    solved = exchange.solve("RRRRR")
    assert str(exchange) == "R=WW"
    assert solved.best("") == "roll"
    assert solved.options("R")["action"].tolist() == ["roll", "R=WW"]
    assert str(exchange.chain("RWWW", "WWWWW")) == "R=WW, buy WWWWW"


@pytest.mark.parametrize(
    "name",
    [
        "es-MX",
        "es-419",
        "es-ES",
        "es_AR.UTF-8",
        "spa",
        "ES",
        "es@euro",
        "Spanish_Spain.1252",
        "español",
        "es-MX,es;q=0.9",
    ],
)
def test_any_name_of_a_language_is_that_language(spanish, monkeypatch, name):
    i18n.set_language(name)
    assert i18n.language() == "es" and i18n._("no stones") == "sin piedras"
    i18n.set_language("en")
    for variable in ("TRADEKIT_LANG", "LANGUAGE", "LC_ALL", "LANG"):
        monkeypatch.setenv(variable, name)
        i18n.set_language()
        assert i18n.language() == "es"
        monkeypatch.delenv(variable)


@pytest.mark.parametrize(
    "name", ["en-GB", "en_US.UTF-8", "eng", "English_United States.1252", "C.UTF-8", "pt-BR", "est", ":"]
)
def test_another_language_is_english(spanish, name):
    i18n.set_language(name)
    assert i18n.language() == "en"
