"""Every text a person sees passes through `_()`; standard gettext catalogues in `locale/` translate it.

The language is `TRADEKIT_LANG`, or else that of the kernel's environment (`LANGUAGE`, `LC_ALL`, `LANG`), or what
`set_language` says. What a person types (`roll`, `R=WW`, `RWBGY*`) is never translated.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path

_LOCALE = Path(__file__).parent / "locale"
_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def set_language(language: str | None = None) -> None:
    """Show texts in `language` ("en", "es"), or in that of the environment for None.

    A language without a catalogue falls back to English.

    >>> set_language("en")
    >>> _("stones")
    'stones'
    """
    global _catalogue, _language
    asked = language or os.environ.get("TRADEKIT_LANG")
    languages = [asked] if asked else None
    found = gettext.find("tradekit", _LOCALE, languages)
    _language = Path(found).parent.parent.name if found else "en"  # .../es/LC_MESSAGES/tradekit.mo
    _catalogue = gettext.translation("tradekit", _LOCALE, languages, fallback=True)


def language() -> str:
    """The language that texts are in, "en" where there was no catalogue of the one that was asked for."""
    return _language


def _(text: str) -> str:
    """`text` in the current language."""
    return _catalogue.gettext(text)


def ngettext(one: str, many: str, n: int) -> str:
    """The form for `n` things, with ``{n}`` filled in.

    >>> ngettext("{n} turn", "{n} turns", 3)
    '3 turns'
    """
    return _catalogue.ngettext(one, many, n).format(n=n)


set_language()
