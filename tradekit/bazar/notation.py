"""Text of a state: ``bazar players=2 deck=house cards=1,4 step=turn turn=p0 hands=RR,G stalls=RWBGY*:4,...``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tradekit.bazar.deck import Deck
from tradekit.bazar.packed_stones import OVERDRAWN, pile
from tradekit.bazar.parameters import BANK, COVERED, EMPTY, FULL, PLAYERS, Parameters, Rules, Step, read_deck
from tradekit.bazar.parameters import parameters as make_setting
from tradekit.bazar.stones import LIMIT, MOST_LEFT, WARE_SIZE, Stones, parse_exchange
from tradekit.game import CHANCE, ParseError, no_such_player, read_pairs
from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.bazar.rules import State

_SETTING: Final = ["players", "deck"]
_PERHAPS: Final = ["cards", "exchange", *Rules.names()]
_POSITION: Final = ["step", "turn", "hands", "stalls", "bought", "idle"]
_BEFORE_BUYING: Final = (Step.BUY, Step.MUST, Step.RETURN)  # hands may have more than ten stones (BZ-14)


def write(state: State) -> str:
    """Return the exact text of a state."""
    wares = state.parameters.deck.wares
    names = {EMPTY: "-", COVERED: "?"}
    stalls = [f"{names.get(n) or wares[n]}:{below}" for n, below in zip(state.stalls, state.under, strict=True)]
    bought = [";".join(f"{wares[n]}:{points}" for n, points in pairs) or "-" for pairs in state.bought]
    words = [
        state.game.name,
        state.parameters.text,
        f"step={state.step.name.lower()}",
        f"turn={'chance' if state.turn == CHANCE else f'p{state.turn}'}",
        f"hands={','.join(map(str, state.holdings))}",
        f"stalls={','.join(stalls)}",
        f"bought={','.join(bought)}",
        f"idle={state.idle}",
    ]
    if state.first:
        words.append(f"first={wares[state.first[0]]}:{state.first[1]}")
    return " ".join(words)


class Fields:
    """Values in a state's text, by name; ``with fields.read(name) as value`` names the value in errors."""

    def __init__(self, text: str, game: str, needed: Sequence[str], optional: Sequence[str] = ()) -> None:
        self.game, self.pairs = game, read_pairs(text, game, [*needed, *_POSITION], [*optional, "first"])

    def __contains__(self, name: str) -> bool:
        return name in self.pairs

    @contextmanager
    def read(self, name: str) -> Iterator[str]:
        """Yield the value of that name; turn a `KeyError` or `ValueError` into a `ParseError` that names both."""
        value = self.pairs.get(name, "")
        try:
            yield value
        except ParseError:
            raise
        except (KeyError, ValueError) as error:
            fault = _("state of {game}: {name}={value} cannot be").format(game=self.game, name=name, value=value)
            why = f": {error}" if isinstance(error, ValueError) and str(error) else ""
            raise ParseError(f"{fault}{why}") from None


def read_parameters(fields: Fields) -> Parameters:
    """Read the constants of a game: players, deck, cards or exchange, and rules."""
    with fields.read("players") as value:
        _need((players := _number(value)) in PLAYERS, _("1 to 6 can play (BZ-6)"))
    with fields.read("deck") as value:
        deck = Deck.house() if value == "house" else read_deck(value)
    with fields.read("exchange") as value:
        _need(not ("exchange" in fields and "cards" in fields), _("give an exchange or cards, not both"))
        typed = parse_exchange(value) if "exchange" in fields else ()
    with fields.read("cards") as value:
        cards = tuple(map(_number, value.split(","))) if "cards" in fields else ()
        return make_setting(Rules.read(fields.pairs), deck, players, cards, typed)


def read(text: str, game: str) -> dict[str, object]:
    """Return the fields of the state that `text` describes; raise `ParseError` with the fault in it."""
    fields = Fields(text, game, _SETTING, _PERHAPS)
    return read_position(fields, read_parameters(fields))


def read_position(fields: Fields, parameters: Parameters) -> dict[str, object]:
    """Return the fields of a state with that setting.

    Raises `ParseError` for positions that the rules do not lead to and from which `after` could not go on. The number
    of wares bought can differ from the number missing in the stalls, so that you can make up positions.
    """
    wares = parameters.deck.wares
    numbers = {str(ware): number for number, ware in enumerate(wares)}
    with fields.read("step") as value:
        step = Step[value.upper()]
        _need(
            (step == Step.CARDS) != bool(parameters.equations),
            _("the exchange is drawn at step=cards, and only there (BZ-7)"),
        )
        _need(
            step != Step.CARDS or len(parameters.deck.cards) > 1, _("the deck has no two exchange cards to draw (BZ-7)")
        )
    with fields.read("turn") as value:
        turn = CHANCE if value == "chance" else _number(value.removeprefix("p"))
        _need(turn == CHANCE or turn in range(parameters.players), no_such_player(turn, parameters.players))
        set_up = step in (Step.CARDS, Step.FIRST) or (step == Step.WARE and turn == CHANCE)
        _need(set_up == (turn == CHANCE), _("until the first player is drawn it is chance's turn, then never (BZ-8)"))
    with fields.read("hands") as value:
        hands = [Stones(hand) for hand in value.split(",")]
        _need(len(hands) == parameters.players, _("one holding for each of {n} players").format(n=parameters.players))
        for player, hand in enumerate(hands):
            above = player == turn and step in _BEFORE_BUYING
            most = MOST_LEFT + WARE_SIZE if above else LIMIT
            _need(len(hand) <= most, _("{hand}: at most {n} stones there (BZ-14)").format(hand=hand, n=most))
        _need(step != Step.RETURN or len(hands[turn]) > LIMIT, _("of ten stones or fewer none goes back (BZ-14)"))
        piles = tuple(pile(hand.counts) for hand in hands)
        bank = FULL - sum(piles)
        _need(not bank & OVERDRAWN, _("there are {n} stones of each colour (BZ-2)").format(n=BANK))
    with fields.read("stalls") as value:
        stalls = [({**numbers, "-": EMPTY, "?": COVERED}[ware], below) for ware, below in _marked(value.split(","))]
        shown, under = tuple(number for number, _below in stalls), tuple(below for _number, below in stalls)
        _check_stalls(parameters, step, turn, shown, under)
    with fields.read("step"):
        able = step != Step.MUST or any(parameters.holding[piles[turn]].pays >> ware & 1 for ware in shown if ware >= 0)
        _need(able, _("nothing can be bought there, so nothing must be (BZ-14)"))
    with fields.read("bought") as value:
        bought = tuple(
            tuple((numbers[ware], points) for ware, points in _marked(pairs.split(";"))) if pairs != "-" else ()
            for pairs in value.split(",")
        )
        _need(len(bought) == parameters.players, _("wares, or -, for each of {n} players").format(n=parameters.players))
        seen = [number for number in shown if number >= 0] + [number for pairs in bought for number, _points in pairs]
        _need(len(set(seen)) == len(seen), _("a ware is there twice (BZ-4)"))
    with fields.read("idle") as value:
        idle = _number(value)
        _need(idle >= 0, _("a number from 0 up is needed"))
        _need(step == Step.OVER or not 0 < parameters.patience <= idle, _("the bazaar is closed by then (BZ-19)"))
    first: tuple[int, ...] = ()
    with fields.read("first") as value:
        if "first" in fields:
            ((ware, column),) = _marked([value])
            first = numbers[ware], column
            _need(
                parameters.twice and step in (Step.WARE, Step.BUY) and turn != CHANCE and first[0] not in seen,
                _("no first purchase can be open here (BZ-20)"),
            )
            _need(column in range(3), _("a column from 0 to 2 is needed (BZ-15)"))
    unseen = tuple(number for number in range(len(wares)) if number not in {*seen, *first[:1]})
    with fields.read("stalls"):
        to_come = sum(under) + shown.count(COVERED)
        _need(to_come <= len(unseen), _("too few wares of the deck are left for that (BZ-7)"))
    return {
        "parameters": parameters,
        "step": step,
        "turn": turn,
        "hands": piles,
        "bank": bank,
        "stalls": shown,
        "under": under,
        "unseen": unseen,
        "bought": bought,
        "idle": idle,
        "first": first,
    }


def _check_stalls(parameters: Parameters, step: Step, turn: int, shown: Sequence[int], under: Sequence[int]) -> None:
    """Raise `ValueError` for stalls that are impossible at that step."""
    counts = parameters.stall_counts
    _need(len(shown) in counts, _("stalls needed: {n} (BZ-7)").format(n=_(" or ").join(map(str, counts))))
    for number, below in zip(shown, under, strict=True):
        most = 0 if number == EMPTY else parameters.stall_size - 1
        _need(0 <= below <= most, _("{below} below, where 0 to {most} can lie (BZ-7)").format(below=below, most=most))
    empty = shown.count(EMPTY)
    _need(
        step == Step.OVER or empty < parameters.closing,
        _("empty stalls: {n}, and with {closing} the bazaar is closed: step=over (BZ-17)").format(
            n=empty, closing=parameters.closing
        ),
    )
    covered = shown.count(COVERED)
    if step == Step.CARDS:
        right = covered == len(shown)
    elif step == Step.WARE:
        right = covered >= 1 if turn == CHANCE else covered == 1
    else:
        right = not covered
    _need(right, _("a covered ware is turned up at step=ware, and then none is left (BZ-7, BZ-13)"))


def _need(right: bool, why: str) -> None:
    """Raise `ValueError` with the reason unless a value is right."""
    if not right:
        raise ValueError(why)


def _number(text: str) -> int:
    """Return the number; the `ValueError` is empty because Python's words do not help a player."""
    try:
        return int(text)
    except ValueError:
        raise ValueError from None


def _marked(items: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Split ``ware:number`` into its two parts."""
    for item in items:
        ware, _colon, number = item.partition(":")
        yield ware, _number(number)
