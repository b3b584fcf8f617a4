"""The Spanish catalogue kept in step with the code: `make catalogue` adds new messages, drops old ones and compiles it.

Babel's own reader of Python does not look into f-strings before Python 3.12, so messages are found in the syntax tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SPANISH = ROOT / "tradekit" / "locale" / "es" / "LC_MESSAGES" / "tradekit.po"
CALLS = {
    "_": ("text",),
    "later": ("text",),
    "ngettext": ("text", "text"),
    "pgettext": ("context", "text"),
}  # kinds of the first arguments


class Message(NamedTuple):
    """A text of the code, with its plural if it counts, and the context that distinguishes texts of the same words."""

    text: str
    plural: str | None = None
    context: str | None = None

    @property
    def id(self) -> str | tuple[str, str]:
        """The message's id in Babel."""
        return self.text if self.plural is None else (self.text, self.plural)

    @property
    def texts(self) -> tuple[str, ...]:
        """Its text, and its plural if there is one."""
        return (self.text,) if self.plural is None else (self.text, self.plural)


def messages(code: str, name: str = "<code>") -> Iterator[tuple[Message, int]]:
    """Yield the messages of a module and their lines; a message that is not plain text raises `ValueError`.

    >>> [*messages("f'{_(\\"a\\")} {ngettext(\\"{n} b\\", \\"{n} bs\\", n)}'")]
    [(Message(text='a', plural=None, context=None), 1), (Message(text='{n} b', plural='{n} bs', context=None), 1)]
    """
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (kinds := CALLS.get(node.func.id)):
            texts = [text.value for text in node.args[: len(kinds)] if isinstance(text, ast.Constant)]
            if len(texts) < len(kinds) or not all(isinstance(text, str) for text in texts):
                raise ValueError(f"{name}, line {node.lineno}: a message must be a plain text")
            context = texts.pop(0) if kinds[0] == "context" else None
            yield Message(*texts, *[None] * (2 - len(texts)), context), node.lineno


def from_code() -> dict[Message, list[str]]:
    """Return every message of tradekit with the files that contain it."""
    found: dict[Message, list[str]] = {}
    for path in sorted((ROOT / "tradekit").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if path.name != "i18n.py":  # which defines the calls
            for message, _line in sorted(messages(path.read_text("utf-8"), name), key=lambda pair: pair[1]):
                found.setdefault(message, []).append(name)
    return {message: [*dict.fromkeys(files)] for message, files in found.items()}


def read(path: Path = SPANISH) -> Catalog:
    """Return a catalogue as committed."""
    with path.open("rb") as file:
        return read_po(file, locale="es")


def updated(old: Catalog, there: dict[Message, list[str]]) -> Catalog:
    """Return the catalogue of the present messages, with the translations that `old` has of them."""
    new = Catalog("es", header_comment=old.header_comment, fuzzy=False)
    new.mime_headers = old.mime_headers
    for message, files in there.items():
        known = old.get(message.id, message.context)
        same = known is not None and known.id == message.id and not known.fuzzy
        new.add(
            message.id, known.string if known and same else None, context=message.context,
            locations=[(name, 0) for name in files],
        )  # fmt: skip
    return new


def as_po(catalogue: Catalog) -> bytes:
    """Return the catalogue's text, without the line numbers of messages, which every edit would change."""
    file = BytesIO()
    write_po(file, catalogue, width=120, include_lineno=False)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """Return the file that gettext reads."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def main() -> None:
    """Bring both files up to date, and print what is still to be translated."""
    SPANISH.write_bytes(as_po(updated(read(), from_code())))
    SPANISH.with_suffix(".mo").write_bytes(compiled(read()))
    for entry in read():
        if entry.id and not (all(entry.string) if entry.pluralizable else entry.string):
            print(f"not translated: {entry.id!r} ({', '.join(name for name, _line in entry.locations)})")


if __name__ == "__main__":
    main()
