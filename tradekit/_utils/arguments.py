"""Arguments of public functions: equal values are taken as equal whatever their type, and the rest refused in words.

A whole number can be an `int`, ``7.0``, ``np.int64(7)``, ``Decimal(7)``, ``"7"`` or an array of no dimension, and equal
values give equal games. True and False are not numbers, nor is text that can be read in two ways (``"1.000"``). A wrong
value raises `ValueError` that names the argument, shows the value and says what would be right. NumPy and pandas are
not imported: their values are recognised by what they can do.

`checked` applies all this to a function by its annotations:

    @checked(plays=whole(1, 10_000_000))
    def simulate(have: StonesLike, plays: int = 20_000, seed: int | None = None) -> pd.DataFrame: ...
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import wraps
from inspect import Parameter, formatannotation, signature
from itertools import chain, repeat
from math import isfinite
from numbers import Rational, Real
from operator import index
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload
from unicodedata import normalize

from tradekit._utils.numerals import plain
from tradekit.i18n import _

if TYPE_CHECKING:
    import numpy as np

LARGEST: Final = 10**18  #: the limit of whole numbers, above and below 0; anything beyond it is a typing error
LARGEST_SEED: Final = 2**128 - 1  #: the largest seed that NumPy's generators start from
MOST_SHOWN: Final = 60  #: letters of a value shown in a message
_GUARD: Final = 500  # limits from here up only protect the machine; a message names them only if they are exceeded
_EXACT: Final = 2**53  # up to here every whole number is a floating-point number too

_WHOLE: Final = re.compile(r"[+-]?\d+(?:\.0{0,2})?")  # not 7.000, which may mean seven thousand
_DECIMAL: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?")
_LONGEST: Final = 60  # digits of a number given as text

Take = Callable[[Any, str], Any]  #: takes a value and its argument's name, and returns what the function receives
_BY_PLACE: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_N = TypeVar("_N", int, float)
_F = TypeVar("_F", bound=Callable[..., Any])


# Values


def shown(value: object) -> str:
    """Return a value as a message shows it: on one line, not too long, and numbers as Python writes them.

    >>> shown("x" * 70), shown(10**5000), shown(object())
    ("'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...", 'a number of about 5001 digits', '<object>')
    """
    value = plain(_scalar(value))
    if isinstance(value, int) and value.bit_length() > 200:
        return _("a number of about {n} digits").format(n=int(value.bit_length() * 0.30103) + 1)
    if _is_time(value):
        value = str(value)
    if isinstance(value, str):
        value = str(value[: MOST_SHOWN + 1])  # plain text, whatever subclass of `str` it is
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a value can be anything, even one whose `repr` fails
        text = f"<{type(value).__name__}>"
    if " at 0x" in text:  # an address in memory means nothing to the reader
        text = f"<{getattr(value, '__name__', type(value).__name__)}>"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


def refusal(name: str, value: object, needed: str) -> ValueError:
    """Return the error for an argument: its name, the value, and what would be right.

    >>> print(refusal("cost", -1, "must be 0 or more"))
    cost=-1: must be 0 or more
    """
    return ValueError(f"{name}={shown(value)}: {needed}")


def whole_number(value: Any, name: str, least: int | None = None, most: int | None = None) -> int:
    """Return a value of any accepted type as a whole number; raises `ValueError` for any other.

    >>> whole_number(7.0, "players"), whole_number(" 7 ", "players")
    (7, 7)
    >>> whole_number(7.5, "players")
    Traceback (most recent call last):
    ValueError: players=7.5: must be a whole number
    """
    found = value if type(value) is int else _whole(value)
    if found is None:
        raise refusal(name, value, _("must be a whole number"))
    if not min(-LARGEST, least or 0) <= found <= max(LARGEST, most or 0):
        raise refusal(name, value, _("that number is too large"))
    return _within(found, value, name, least, most)


def number(
    value: Any, name: str, least: float | None = None, most: float | None = None, *, above: float | None = None
) -> float:
    """Return a value of any accepted type as a finite number, an `int` if whole, so that equal numbers have one text.

    >>> number("0.5", "cost"), number(Decimal("2.0"), "cost")
    (0.5, 2)
    >>> number(float("nan"), "cost")
    Traceback (most recent call last):
    ValueError: cost=nan: must be a finite number
    """
    found = value if type(value) in (int, float) else _real(value)
    if found is None:
        raise refusal(name, value, _("must be a number"))
    if not -1e300 < found < 1e300:
        raise refusal(name, value, _("must be a finite number"))
    if above is not None and not found > above:
        raise refusal(name, value, _("must be more than {above}").format(above=above))
    if type(found) is float and abs(found) < _EXACT and found == int(found):
        found = int(found)
    return _within(found, value, name, least, most)


def seed(value: Any, name: str = "seed") -> int:
    """Return a value as a seed: any whole number that `whole_number` takes, including those below 0.

    >>> seed("7") == seed(7.0) == 7
    True
    """
    return whole_number(value, name, -LARGEST_SEED, LARGEST_SEED)


def generator(seed: int | None) -> np.random.Generator:
    """Return NumPy's generator for a seed, which can be below 0 as everywhere; None means an unseeded generator."""
    import numpy as np

    return np.random.default_rng(seed if seed is None or seed >= 0 else [-seed, 1])


def yes_or_no(value: Any, name: str) -> bool:
    """Return True or False; raises `ValueError` for anything else, including 0 and 1.

    >>> yes_or_no(0, "cache")
    Traceback (most recent call last):
    ValueError: cache=0: must be True or False
    """
    found = _scalar(value)
    if not isinstance(found, bool):
        raise refusal(name, value, _("must be True or False"))
    return found


def word(value: Any, name: str) -> str:
    """Return a value that is text; raises `ValueError` for anything else.

    >>> word(7, "name")
    Traceback (most recent call last):
    ValueError: name=7: must be text
    """
    found = _scalar(value)
    if not isinstance(found, str):
        raise refusal(name, value, _("must be text"))
    return found


def one_of(value: Any, name: str, allowed: Collection[Any]) -> Any:
    """Return the allowed value that a value equals; raises `ValueError` that lists the allowed ones.

    >>> one_of("sometimes", "when", ("always", "never"))
    Traceback (most recent call last):
    ValueError: when='sometimes': must be one of 'always', 'never'
    """
    found = _scalar(value)
    for choice in allowed:
        if type(choice) is type(found) and choice == found:
            return choice
        if isinstance(choice, str) and isinstance(found, str) and choice == str(found):
            return choice
    raise refusal(name, value, _("must be one of {allowed}").format(allowed=", ".join(map(repr, allowed))))


def items(value: Any, name: str, take: Take | None = None, example: str = "(2, 1)") -> tuple[Any, ...]:
    """Return several values from a list, an array, a column or any other iterable, each taken by `take`.

    Raises `ValueError` for text, for a mapping, and for anything that is not iterable.

    >>> items(range(3), "cards", whole_number)
    (0, 1, 2)
    >>> items(5, "prizes")
    Traceback (most recent call last):
    ValueError: prizes=5: must be several values, such as (2, 1)
    """
    listed = None
    if not isinstance(value, str | bytes | bytearray | Mapping) and getattr(value, "ndim", 1) == 1:
        try:
            listed = tuple(value)
        except TypeError:
            listed = None
    if listed is None:
        raise refusal(name, value, _("must be several values, such as {example}").format(example=example))
    return listed if take is None else tuple(take(item, name) for item in listed)


def whole_numbers(value: Any, name: str) -> tuple[int, ...]:
    """Return whole numbers from a single one, several, or text such as ``"1, 4"``.

    >>> whole_numbers(4, "cards"), whole_numbers("1, 4", "cards"), whole_numbers({"1"}, "cards")
    ((4,), (1, 4), (1,))
    """
    if isinstance(text := _scalar(value), str):
        parts = re.split(r"\s*[,;]\s*|\s+", text.strip(" ,;()[]\t\n"))
        return tuple(whole_number(part, name) for part in parts)
    if _whole(value) is not None:
        return (whole_number(value, name),)
    return items(value, name, whole_number, "(1, 4)")


def day(value: Any) -> date | None:
    """Return a `date`, a `datetime`, a day of NumPy's or pandas' or ISO text as a date; None for anything else.

    >>> day(datetime(2027, 1, 6, 20, 15)), day("2027-01-06 20:15"), day("tomorrow")
    (datetime.date(2027, 1, 6), datetime.date(2027, 1, 6), None)
    """
    if _kind(value) == "M":  # np.datetime64, in any unit
        value = value.astype("datetime64[D]").item()
    elif getattr(value, "ndim", None) == 0:
        value = value.item()
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(normalize("NFKC", value).strip()).date()
        except ValueError:
            return None
    if not isinstance(value, date) or value != value:  # NaT is a datetime, but does not equal itself
        return None
    return value.date() if isinstance(value, datetime) else value


def label(value: Any, name: str) -> str:
    """Return a date, a whole number or a word as one text: equal values, equal texts.

    >>> label(date(2027, 1, 6), "name"), label(7.0, "name"), label(" 7 ", "name")
    ('2027-01-06', '7', '7')
    """
    if _whole(value) is not None:
        return str(seed(value, name))
    if (found_day := day(value)) is not None:
        return found_day.isoformat()
    text = _scalar(value)
    if isinstance(text, str) and text.strip():
        return normalize("NFC", str(text).strip())
    raise refusal(name, value, _("must be a date, a whole number or a word"))


def function(value: Any, name: str) -> Any:
    """Return a function; raises `ValueError` for anything that cannot be called.

    >>> function("half", "bid")
    Traceback (most recent call last):
    ValueError: bid='half': must be a function
    """
    if not callable(value):
        raise refusal(name, value, _("must be a function"))
    return value


def amounts(value: Any, name: str) -> Any:
    """Return one number or many as NumPy's floats; raises `ValueError` for anything else.

    >>> amounts([1, "2"], "x")
    array([1., 2.])
    """
    import numpy as np

    if isinstance(value, str | Decimal | Rational):
        return np.float64(number(value, name))
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError, OverflowError):
        raise refusal(name, value, _("must be numbers")) from None


def path(value: Any, name: str) -> Any:
    """Return the path of a file, given as text or as a path; raises `ValueError` for anything else.

    >>> path(5, "file")
    Traceback (most recent call last):
    ValueError: file=5: must be the path of a file
    """
    found = _scalar(value)
    text = found.__fspath__() if isinstance(found, os.PathLike) else found
    if not isinstance(text, str) or not text or "\0" in text:
        raise refusal(name, value, _("must be the path of a file"))
    return found


# Limits, for `checked`


def whole(least: int | None = None, most: int | None = None) -> Take:
    """Return a `Take` for whole numbers between these limits.

    >>> whole(1)(0, "plays")
    Traceback (most recent call last):
    ValueError: plays=0: must be 1 or more
    """
    return lambda value, name: whole_number(value, name, least, most)


def between(least: float | None = None, most: float | None = None, *, above: float | None = None) -> Take:
    """Return a `Take` for numbers between these limits.

    >>> between(0, 1)(1.5, "share")
    Traceback (most recent call last):
    ValueError: share=1.5: must be between 0 and 1
    """
    return lambda value, name: number(value, name, least, most, above=above)


def optional(take: Take) -> Take:
    """Return a `Take` that also accepts None, unchanged.

    >>> optional(whole(1))(None, "players") is None
    True
    """
    return lambda value, name: None if value is None else take(value, name)


def choice(*allowed: Any) -> Take:
    """Return a `Take` for one of these values.

    >>> choice("up", "down")("up", "way")
    'up'
    """
    return lambda value, name: one_of(value, name, allowed)


def an_object(kind: type, example: str, **named: Callable[[], Any]) -> Take:
    """Return a `Take` for objects of a class; each of these names stands for an object that its function makes.

    >>> an_object(dict, "{}", empty=dict)("empty", "table")
    {}
    """

    def take(value: Any, name: str) -> Any:
        if isinstance(value, kind):
            return value
        if isinstance(value, str) and value in named:
            return named[value]()
        raise refusal(name, value, _("must be an object such as {example}").format(example=example))

    return take


def need_one_of(name: str, value: object, allowed: Collection[Any]) -> None:
    """Raise `ValueError` unless a value is one of the allowed ones."""
    one_of(value, name, allowed)


def need_at_least(least: int, **numbers: float) -> None:
    """Raise `ValueError` unless each of these is a number from `least` up.

    >>> need_at_least(1, plays=0)
    Traceback (most recent call last):
    ValueError: plays=0: must be 1 or more
    """
    for name, value in numbers.items():
        number(value, name, least)


# Functions


@overload
def checked(function: _F, /) -> _F: ...
@overload
def checked(**takes: Take) -> Callable[[_F], _F]: ...
def checked(function: Callable[..., Any] | None = None, /, **takes: Take) -> Any:
    """Make a function, or a class, take its arguments as its annotations say, and those in `takes` as given there.

    Numbers, words, True or False, dates, paths, and several of them are taken in any accepted type; where the
    annotation is one of our classes, the value must be an object of it. Values with any other annotation are passed on
    unchanged, and so are defaults, and None where the annotation allows it.

    >>> @checked
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> double("21")
    42
    >>> double(None)
    Traceback (most recent call last):
    ValueError: number=None: must be a whole number
    """
    return _checked(function, takes) if function is not None else lambda of: _checked(of, takes)


def _checked(function: Any, takes: Mapping[str, Take]) -> Any:
    if isinstance(function, type):
        function.__init__ = _checked(function.__init__, takes)  # type: ignore[misc]
        return function
    parameters = signature(function).parameters.values()
    if unknown := takes.keys() - {of.name for of in parameters}:
        raise TypeError(f"{function.__qualname__} has no arguments {sorted(unknown)}")
    taken = {of.name: take for of in parameters if (take := takes.get(of.name) or taker(of))}
    places = [(of.name, taken.get(of.name)) for of in parameters if of.kind in _BY_PLACE]
    rest = [(of.name, taken.get(of.name)) for of in parameters if of.kind is Parameter.VAR_POSITIONAL]

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        every = chain(places, *map(repeat, rest)) if rest else places
        given = [take(value, name) if take else value for value, (name, take) in zip(args, every, strict=False)]
        for name in options:
            if name in taken:
                options[name] = taken[name](options[name], name)
        return function(*given, *args[len(given) :], **options)

    call.__takes__ = taken  # type: ignore[attr-defined]
    return call


def taker(parameter: Parameter) -> Take | None:
    """Return the function that takes a parameter's value, by its name and annotation; None: pass it on unchanged."""
    if parameter.annotation is Parameter.empty or parameter.kind is Parameter.VAR_KEYWORD:
        return None
    of = parameter.annotation if isinstance(parameter.annotation, str) else formatannotation(parameter.annotation)
    parts = _parts(of)
    kinds = [part for part in parts if part != "None"]
    take = seed if parameter.name == "seed" and "int" in kinds else _take(kinds)
    return optional(take) if take is not None and "None" in parts else take


def _take(kinds: Sequence[str]) -> Take | None:
    if {*kinds} in ({"str", "PathLike[str]"}, {"str", "os.PathLike[str]"}, {"str", "Path"}, {"Path"}, {"StrPath"}):
        return path
    if len(kinds) == 1:
        [kind] = kinds
        if kind in _KINDS:
            return _KINDS[kind]
        if kind.startswith("Callable["):
            return function
        if several := re.fullmatch(r"(?:Sequence|Iterable|Collection|list|tuple)\[([\w |]+)(?:, \.\.\.)?\]", kind):
            each, example = _KINDS.get(several[1]), _SEVERAL.get(several[1])
            return None if example is None else lambda value, name: items(_alone(value), name, each, example)
    ours = [part for kind in kinds for part in _ALIASES.get(kind, (kind.rpartition(".")[2],))]
    if all(kind in _OURS or kind == "str" for kind in ours) and any(kind in _OURS for kind in ours):
        return lambda value, name: _object(value, name, ours)
    return None


def _object(value: Any, name: str, kinds: Sequence[str]) -> Any:
    """Return an object of one of our classes, found by name to avoid importing it; or text where it is allowed."""
    if "str" in kinds and isinstance(value, str):
        return value
    if any(base.__name__ in kinds for base in type(value).__mro__):
        return value
    examples = [_OURS[kind] for kind in kinds if kind in _OURS]
    needed = _("must be an object such as {example}").format(example=_(" or ").join(dict.fromkeys(examples)))
    raise refusal(name, value, needed)


def _names(value: Any, name: str) -> tuple[str, ...]:
    return items(value, name, word, "('Ana', 'Bruno')")


def _alone(value: Any) -> Any:
    """Return one ware, equation or goal as a sequence of one; anything else unchanged."""
    return (value,) if type(value).__name__ in ("Ware", "Stones", "Equation", "Goal") else value


_KINDS: Final[dict[str, Take]] = {"Names": _names, "int": whole_number, "float": number, "bool": yes_or_no, "str": word}
_SEVERAL: Final = {
    "WareLike": "('RWBGY', 'GGGGG*')",
    "Goal | WareLike": "('RWBGY', 'GGGGG*')",
    "EquationLike": "('R=WW', 'W=BG')",
    "int": "(1, 4)",
    "float": "(2, 1)",
    "bool": "(True, False)",
    "str": "('Ana', 'Bruno')",
}
_ALIASES: Final = {
    "Alone": ("State",),
    "Position": ("State", "View"),
}
#: Our classes, each with a function that makes an object of it; games add theirs by `examples`.
_OURS: Final = {
    "Record": "Record.load(file)",
    "State": "game.begin('name', players=2)",
    "View": "state.view(0)",
    "Game": "game.find('name')",
    "Deck": "Deck.house()",
    "Rules": "Rules()",
    "Format": "auctions.first_price()",
    "Equilibrium": "format.equilibrium(3, auctions.uniform())",
    "CommonEquilibrium": "format.equilibrium(3, auctions.MeanOfSignals())",
    "Solution": "format.solve()",
    "Experiment": "Experiment.begin(format, values, opponents)",
    "Handout": "handouts.exercise('02.1')",
    "DataFrame": "pd.DataFrame()",
    "Bot": "bots.make('random')",
}


def examples(**made: str) -> None:
    """Declare classes by name, each with what makes one of it: functions that are `checked` then refuse what is not.

    A package says so before the modules that have such functions are imported.
    """
    _OURS.update(made)


def _parts(annotation: str) -> list[str]:
    """Return the members of a union; a bar within brackets does not separate."""
    parts, depth = [""], 0
    for letter in annotation:
        depth += (letter in "[(") - (letter in "])")
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip(" '\"") for part in parts]


# Dresses


def _kind(value: Any) -> str:
    """Return NumPy's letter for the kind of number that an array or scalar holds; "" for other values."""
    return str(getattr(getattr(value, "dtype", None), "kind", ""))


def _is_time(value: Any) -> bool:
    """Return whether a value is one of NumPy's times, which it also counts among its whole numbers."""
    return _kind(value) in ("M", "m")


def _scalar(value: Any) -> Any:
    """Return the Python value in an array of no dimension, or in one of NumPy's scalars; anything else unchanged."""
    if getattr(value, "ndim", None) != 0 or not callable(getattr(value, "item", None)):
        return value
    if _is_time(value):
        return value
    found = value.item()
    return float(found) if getattr(found, "ndim", None) == 0 and _kind(found) == "f" else found


def _whole(value: Any) -> int | None:
    """Return a value as a whole number; None if it is not one."""
    value = _scalar(value)
    if isinstance(value, bool) or getattr(value, "ndim", 0) != 0 or _is_time(value):
        return None
    if isinstance(value, str):
        text = value.strip().replace("−", "-")
        if len(text) > _LONGEST or not _WHOLE.fullmatch(text):
            return None
        return int(text.partition(".")[0])
    if isinstance(value, Decimal):
        fits = value.is_finite() and value.adjusted() < _LONGEST
        return int(value) if fits and value == value.to_integral_value() else None
    if isinstance(value, Rational) and not isinstance(value, int):
        return int(value.numerator) if value.denominator == 1 else None
    if isinstance(value, Real) and not hasattr(value, "__index__"):
        exact = float(value)
        return int(exact) if isfinite(exact) and exact == int(exact) else None
    try:
        return int(index(value))
    except TypeError:
        return None


def _real(value: Any) -> float | None:
    """Return a value as a number, which may be infinite or NaN; None if it is not a number."""
    value = _scalar(value)
    if isinstance(value, bool) or getattr(value, "ndim", 0) != 0 or _is_time(value):
        return None
    if isinstance(value, str):
        text = value.strip().replace("−", "-")
        if len(text) > _LONGEST or not _DECIMAL.fullmatch(text):
            return None
        return _whole(text) if _whole(text) is not None else float(text)
    if (found := _whole(value)) is not None:
        return found
    if isinstance(value, Real | Decimal):
        try:
            return float(value)
        except (OverflowError, ValueError):
            return float("nan")
    return None


def _within(found: _N, value: object, name: str, least: float | None, most: float | None) -> _N:
    """Return a number if it is between the limits; raise `ValueError` if not."""
    if (least is None or found >= least) and (most is None or found <= most):
        return found
    if least is None:
        needed = _("must be {most} or less").format(most=most)
    elif most is None or (most >= _GUARD and found < least):
        needed = _("must be {least} or more").format(least=least)
    else:
        needed = _("must be between {least} and {most}").format(least=least, most=most)
    raise refusal(name, value, needed)
