"""A language that nobody speaks: letters of every message are replaced, and any other text keeps its own letters.

Only text in the code is replaced, not the values filled in for ``{name}``, so a word that is filled in without being
translated is found as well.
"""

import json
import re
from gettext import NullTranslations
from html.parser import HTMLParser
from string import ascii_letters

#: Two alphabets, each with as many letters as English, small and capital, none of which is English.
WIDE = str.maketrans(ascii_letters, "".join(chr(ord(letter) + 0xFEE0) for letter in ascii_letters))
CYRILLIC = str.maketrans(ascii_letters, "".join(chr(first + n) for first in (0x430, 0x410) for n in range(26)))

#: Attributes that show text.
_SPOKEN = ("aria-label", "title", "placeholder", "alt", "data-badge", "data-done")
_UNSEEN = ("style", "script", "textarea")  # and text that a person has typed


class Pseudo(NullTranslations):
    """A translation of every message into other letters."""

    def __init__(self, letters):
        super().__init__()
        self.letters = letters

    def gettext(self, message):
        parts = re.split(r"(\{+[^{}]*\}+)", message)  # every second one is a field, which stays
        return "".join(part if place % 2 else part.translate(self.letters) for place, part in enumerate(parts))

    def ngettext(self, one, many, n):
        return self.gettext(one if n == 1 else many)

    def pgettext(self, context, message):
        return self.gettext(message)


class _Seen(HTMLParser):
    """A reader of a page's texts, both visible and read aloud."""

    def __init__(self, but):
        super().__init__()
        self.texts, self.but, self.inside = [], but, []

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        if tag not in ("input", "br", "rect", "path", "circle", "line"):
            self.inside.append(tag in _UNSEEN or bool(self.but & {*given.get("class", "").split()}))
        if not any(self.inside):
            self.texts += [given[name] for name in _SPOKEN if name in given]
            for case in json.loads(given.get("data-cases", "{}")).values():
                self.texts.append(case[1])

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in ("input", "br", "rect", "path", "circle", "line"):
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if self.inside and tag not in ("input", "br", "rect", "path", "circle", "line"):
            self.inside.pop()

    def handle_data(self, text):
        if not any(self.inside) and text.strip():
            self.texts.append(text)


def seen(page, but=()):
    """Return the texts of an HTML page or an SVG picture, without elements of the classes in `but`.

    >>> seen('<p class="x">roll</p><b title="to buy">Buy</b><style>b { color: red }</style>', but=["x"])
    ['to buy', 'Buy']
    """
    reader = _Seen({*but})
    reader.feed(str(page))
    reader.close()
    return reader.texts


def english(texts, but=()):
    """Return the words of two or more letters that are still English, with the text around each.

    Quoted words are ours or were typed by a person, and stay as they are.

    >>> english(["ｒｏｌｌ the ｄｉｅ", "RWBGY*", "R=WW"])
    {'the': 'ｒｏｌｌ the ｄｉｅ'}
    """
    found = {}
    for text in texts:
        plain = re.sub(r"\b(BZ|TU|SI)-\d+|'[^']*'", " ", text)
        for word in re.findall(r"[A-Za-z]{2,}", plain):
            if word not in but and not re.fullmatch("[RWBGY]+", word):  # stones
                found.setdefault(word, text)
    return found
