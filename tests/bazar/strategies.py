"""Hypothesis strategies for Bazar's values, made from plain text."""

from itertools import combinations, combinations_with_replacement

from hypothesis import Phase, settings
from hypothesis import strategies as st

from tradekit.bazar import Equation, Exchange, Stones, Ware

COLOURS = "RWBGY"
SIDES = ["".join(c) for n in (1, 2, 3, 4) for c in combinations_with_replacement(COLOURS, n)]
EQUATIONS = [f"{a}={b}" for a, b in combinations(SIDES, 2) if not set(a) & set(b)]  # every one that BZ-3 allows, once
WARES = ["".join(c) for c in combinations_with_replacement(COLOURS, 5)]  # 126


def few(examples):
    """Return settings for a test whose examples take long: this many of them, and no shrinking of a failure."""
    return settings(max_examples=examples, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def multisets(least=0, most=10):
    """Return a strategy for letters in the order of BZ-1."""
    return st.text(COLOURS, min_size=least, max_size=most).map(lambda text: "".join(sorted(text, key=COLOURS.index)))


def stones(least=0, most=30):
    return multisets(least, most).map(Stones)


holdings = multisets(0, 10).map(Stones)
equation_texts = st.builds(
    lambda text, turned: "=".join(reversed(text.split("="))) if turned else text,
    st.sampled_from(EQUATIONS),
    st.booleans(),
)
equations = equation_texts.map(Equation)
wares = st.builds(lambda text, star: Ware(text + star), st.sampled_from(WARES), st.sampled_from(["", "*"]))
left_counts = st.integers(0, 8)
lefts = st.none() | left_counts | st.frozensets(left_counts, min_size=1)


def exchanges(least=1, most=10):
    """Return a strategy for exchanges of distinct equations, each written in either direction."""
    texts = st.lists(equation_texts, min_size=least, max_size=most, unique_by=lambda text: frozenset(text.split("=")))
    return texts.map(Exchange)


@st.composite
def balanced_exchanges(draw):
    """Draw an exchange whose equations all balance at some drawn prices."""
    price = dict(zip(COLOURS, draw(st.tuples(*[st.integers(1, 6)] * 5)), strict=True))

    def worth(side):
        return sum(price[colour] for colour in side)

    fair = [text for text in EQUATIONS if len({worth(side) for side in text.split("=")}) == 1]
    chosen = draw(st.lists(st.sampled_from(fair), min_size=1, max_size=10, unique=True)) if fair else ["R=W"]
    return Exchange(chosen)


NAMES = {
    "R": ["R", "r", "red", "Red", "rojo", "roja", "rojos", "ROJAS"],
    "W": ["W", "w", "white", "blanco", "Blanca", "blancos", "blancas"],
    "B": ["B", "b", "blue", "azul", "azules"],
    "G": ["G", "g", "green", "GREEN", "verde", "verdes"],
    "Y": ["Y", "y", "yellow", "amarillo", "amarilla", "Amarillos", "amarillas"],
}


@st.composite
def spellings(draw):
    """Draw (letters, the same stones as a person may type them)."""
    words, letters = [], ""
    for colour in draw(st.lists(st.sampled_from(COLOURS), max_size=5)):
        n = draw(st.integers(1, 3))
        name = draw(st.sampled_from(NAMES[colour]))
        gap = draw(st.sampled_from(["", " "]))
        words.append(draw(st.sampled_from([f"{n}{gap}{name}", " ".join([name] * n)])))
        letters += colour * n
    parts = draw(st.sampled_from([" ", ", ", ",", "  ", " + "]))
    if not parts.strip():  # a single y between words may be Spanish for "and"
        words = [" ".join(word.replace("y", "Y") if word == "y" else word for word in item.split()) for item in words]
    return letters, parts.join(words)
