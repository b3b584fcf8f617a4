"""TeX formulas as HTML that reads well without MathJax: letters in italics, indices set, fractions in a line.

It covers the commands in our notebooks; any other command is shown by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

_TOKENS: Final = re.compile(r"\\[A-Za-z]+|\\.|[{}^_]|\s+|\d+(?:\.\d+)?|.", re.DOTALL)
_SYMBOLS: Final = {
    "alpha": "α", "beta": "β", "delta": "δ", "varepsilon": "ε", "epsilon": "ε", "lambda": "λ", "mu": "μ", "pi": "π",
    "sigma": "σ", "theta": "θ", "ell": "ℓ", "sum": "∑", "prod": "∏", "int": "∫", "infty": "∞", "partial": "∂",
    "ge": "≥", "geq": "≥", "le": "≤", "leq": "≤", "ne": "≠", "neq": "≠", "approx": "≈", "pm": "±", "mid": "|",
    "cdot": "·", "times": "×", "to": "→", "in": "∈", "min": "min", "max": "max", "log": "log", "ln": "ln", "exp": "exp",
    ",": "\u2009", ";": " ", " ": " ", "quad": "\u2003", "qquad": "\u2003\u2003", "%": "%",
}  # fmt: skip
_SIZES: Final = ("left", "right", "big", "Big", "bigl", "bigr", "textstyle", "displaystyle", "!")  # these add no text
_UPRIGHT: Final = ("text", "mathrm", "operatorname")


def formula(tex: str) -> str:
    r"""Return a formula as HTML.

    >>> formula(r"v^n (n-1)/n")
    '<i>v</i><sup><i>n</i></sup> (<i>n</i>−1)/<i>n</i>'
    >>> formula(r"1 - \frac{v_B}{\alpha + 1}")
    '1 − <i>v</i><sub><i>B</i></sub>/(α + 1)'
    """
    return "".join(_parts(iter(_TOKENS.findall(tex.strip()))))


def _parts(tokens: Iterator[str]) -> Iterator[str]:
    """Yield the parts up to the end of a group."""
    for token in tokens:
        if token == "}":
            return
        yield _part(token, tokens)


def _part(token: str, tokens: Iterator[str]) -> str:
    """Return a token as HTML, with the tokens that belong to it."""
    if token == "{":
        return "".join(_parts(tokens))
    if token in "^_":
        tag = "sup" if token == "^" else "sub"
        return f"<{tag}>{_next(tokens)}</{tag}>"
    if token.startswith("\\") and len(token) > 1:
        return _command(token[1:], tokens)
    if token.isspace():
        return " "
    if len(token) == 1 and token.isalpha():
        return f"<i>{token}</i>"
    return {"-": "−", "'": "′"}.get(token, escape(token))


def _command(name: str, tokens: Iterator[str]) -> str:
    if name in _SIZES:
        return ""
    if name in _UPRIGHT:
        return re.sub(r"</?i>", "", _next(tokens, spaces=True))
    if name in ("frac", "tfrac", "dfrac"):
        return f"{_whole(_next(tokens))}/{_whole(_next(tokens))}"
    if name == "binom":
        return f"C({_next(tokens)}, {_next(tokens)})"
    if name == "sqrt":
        return f"√{_whole(_next(tokens))}"
    if name == "bar":
        return f"{_next(tokens)}\u0304".replace("</i>\u0304", "\u0304</i>")
    return _SYMBOLS.get(name, f"{name} ")


def _next(tokens: Iterator[str], spaces: bool = False) -> str:
    """Return the next token or group."""
    token = next((token for token in tokens if spaces or not token.isspace()), "")
    return _part(token, tokens) if token else ""


def _whole(part: str) -> str:
    """Return a part in brackets, unless it is a single thing."""
    text = re.sub(r"<[^>]+>", "", part)
    return part if re.fullmatch(r"\w+|[^\s+−/]+\([^()]*\)", text) else f"({part})"
