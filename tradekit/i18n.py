"""Translation of every text that a person sees, by `_()` and the standard gettext catalogues in `locale/`.

The language is the last one given to `tradekit.set_language`, otherwise `TRADEKIT_LANG`, otherwise that of the kernel's
environment (`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`). What a person types (`roll`, `R=WW`, `RWBGY*`) is never
translated.

A text is looked up whenever it is shown. So `_()` is called inside functions, never while a module is imported, and its
result is not kept: a language chosen later applies to everything drawn from then on.
"""

from __future__ import annotations

import gettext
import os
import re
from pathlib import Path
from typing import Final

#: Languages by the names that ISO 639-2, Windows and people give them.
_NAMED: Final = {
    "spa": "es", "esp": "es", "spanish": "es", "español": "es", "espanol": "es", "castellano": "es", "castilian": "es",
    "eng": "en", "english": "en", "inglés": "en", "ingles": "en",
}  # fmt: skip
_LOCALE = Path(__file__).parent / "locale"
_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def set_language(language: str | None = None) -> None:
    """Show texts in `language` ("en", "es"); None: in the language of the environment.

    Any name of a language will do: "es-MX", "es_AR.UTF-8", "es-419", "spa", "español". Widgets and charts use it the
    next time they are drawn. A language without a catalogue falls back to English.

    >>> set_language("en")
    >>> _("stones")
    'stones'
    """
    global _catalogue, _language
    _language, _catalogue = "en", gettext.NullTranslations()  # the texts in the code are English
    for name in _languages(language) if language else _of_environment():
        forms = _forms(name)
        if forms[-1] in ("en", "c", "posix"):
            return
        for form in forms:
            if found := gettext.find("tradekit", _LOCALE, [form]):
                _language = Path(found).parent.parent.name  # .../es/LC_MESSAGES/tradekit.mo
                _catalogue = gettext.translation("tradekit", _LOCALE, [form])
                return


def _forms(name: str) -> list[str]:
    """Return the names of catalogues for a language, that of its region first: ``es_MX``, ``es``.

    The language can be named as on any system: ``es_MX.UTF-8``, ``es-419``, ``spa``, ``Spanish_Spain.1252``,
    ``español``.
    """
    base, *region = re.split(r"[-_]", re.split(r"[.@;]", name.strip())[0])
    base = base.casefold()
    base = _NAMED.get(base, base)
    return ["_".join([base, *(part.upper() for part in region)]), base] if region else [base]


def _languages(text: str) -> list[str]:
    """Return the languages of a list such as ``fr:es_MX`` or ``es-MX,es;q=0.9``, the most preferred first."""
    return [name for name in re.split(r"[:,]", text) if name.strip()]


def _of_environment() -> list[str]:
    """Return the languages set in the environment, the most preferred first."""
    for variable in ("TRADEKIT_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if names := _languages(os.environ.get(variable, "")):
            return names
    return []


def language() -> str:
    """Return the language that texts are in; "en" if there was no catalogue for the language chosen."""
    return _language


def _(text: str) -> str:
    """Return `text` in the current language."""
    return _catalogue.gettext(text)


def later(text: str) -> str:
    """Return a text that is declared now and shown by `translate` later, as it is; the catalogue takes it up.

    >>> later("The Silk Road")
    'The Silk Road'
    """
    return text


def translate(text: str) -> str:
    """Return a text that was declared by `later` in the current language.

    >>> translate(later("The Silk Road"))
    'The Silk Road'
    """
    return _(text)


def pgettext(context: str, text: str) -> str:
    """Return `text` in the current language; `context` tells it from a text of the same words with another meaning.

    >>> pgettext("probability", "chance")
    'chance'
    """
    return _catalogue.pgettext(context, text)


def ngettext(one: str, many: str, n: int) -> str:
    """Return the form for `n` things, with ``{n}`` filled in.

    >>> ngettext("{n} turn", "{n} turns", 3)
    '3 turns'
    """
    return _catalogue.ngettext(one, many, n).format(n=n)


set_language()
