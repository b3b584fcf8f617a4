"""The explorer of Bazar's exchange: cards, stones and wares in; the best chains, their proof and the die's odds out.

`Question` is what a person asks and `Answer` what the analysis says; the widget lets the question be changed, and
`explorer_page` writes both as a page. A change that cannot be read leaves both as they are and puts its message beside
the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from tradekit._utils.arguments import checked, need_one_of, optional, whole_numbers
from tradekit._utils.numerals import plain
from tradekit.bazar import explorer_page
from tradekit.bazar.chains import SCORED, LeftOver
from tradekit.bazar.deck import Deck
from tradekit.bazar.exchange import Exchange
from tradekit.bazar.hands import index
from tradekit.bazar.policy import Policy
from tradekit.bazar.rules import State
from tradekit.bazar.stones import COLOURS, Stones, StonesLike, Ware, WareLike, check_empty_stalls
from tradekit.game import CHANCE
from tradekit.i18n import _
from tradekit.widgets.background import while_idle
from tradekit.widgets.page_widget import LivePage

if TYPE_CHECKING:
    import pandas as pd

MOST_WARES: Final = 4  # BZ-7: four stalls show a ware each
FIRST_CARDS: Final = (1, 4)  # what the explorer opens with, of the house deck
KEPT: Final = 12  # pairs of cards whose solved policies are kept
WITHIN: Final = 0.05  # points, or turns: what the frontier against the die may leave out, so that no click waits


@checked(cards=optional(whole_numbers))
def explore(
    exchange: Exchange | State | str | None = None,
    *,
    cards: Sequence[int] | None = None,
    deck: Deck | None = None,
    have: StonesLike | None = None,
    wares: Iterable[WareLike] | None = None,
    empty_stalls: int | None = None,
    die: bool = False,
) -> Explorer:
    """The explorer: an exchange (or `cards` of `deck`), a holding, up to four wares; `die`: rolls count, too.

    Of a state of the game it takes what is not given: the exchange in force, the stones of whose turn it is, the wares
    on display and the empty stalls; ``explore(record.state(12))`` looks at a played game. Everything can be changed by
    clicking or typing. Faulty input, also a state in which more than ten stones are held (BZ-14), raises `ValueError`
    here, and in the widget stands as a message beside the field.

    >>> explore(cards=(1, 4), have="RR", wares=["RWBGY"])
    bazar.explore(cards=(1, 4), have='RR', wares=['RWBGY'], empty_stalls=0, die=False)
    >>> from tradekit import bazar
    >>> explore(bazar.new(cards=(1, 4), seed=7).after("roll").after("G"))
    bazar.explore(cards=(1, 4), have='-', wares=['WWWWW*', 'RRWBB', 'RWGGY', 'WWGGY'], empty_stalls=0, die=False)
    """
    if cards is not None and exchange is not None:
        raise ValueError(_("give an exchange or cards, not both"))
    if isinstance(exchange, State):
        if deck is not None:
            raise ValueError(_("a state says itself what deck it is played with"))
        deck, asked = exchange.parameters.deck, _asked_by(exchange)
    else:
        deck = deck or Deck.house()
        asked = {"cards": None, "have": Stones("R"), "wares": deck.wares[:MOST_WARES]}
        if exchange is None:
            first = FIRST_CARDS if deck == Deck.house() else [card.number for card in deck.cards[:2]]
            asked["cards"] = tuple(cards or first)
            exchange = Exchange.of_cards(*asked["cards"], deck=deck)
        asked["exchange"] = exchange if isinstance(exchange, Exchange) else Exchange(exchange)
    if have is not None:
        asked["have"] = Stones(have)
    if wares is not None:
        asked["wares"] = tuple(map(Ware, wares))
    if empty_stalls is not None:
        asked["empty_stalls"] = empty_stalls
    return Explorer(Question(**asked, die=die), deck)


def _asked_by(state: State) -> dict[str, Any]:
    """Return the parts of the `Question` of the player to move. Before the first turn all hands are empty."""
    return {
        "exchange": Exchange.of(state),
        "cards": state.parameters.cards or None,
        "have": Stones("") if state.turn == CHANCE else state.holdings[state.turn],
        "wares": tuple(ware for ware in state.wares if ware),
        "empty_stalls": min(state.empty_stalls, 1),
    }


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the explorer. It is checked when it is made: a faulty one raises `ValueError`."""

    exchange: Exchange
    cards: tuple[int, ...] | None  #: None: typed equations
    have: Stones
    wares: tuple[Ware, ...]
    empty_stalls: int = 0
    die: bool = False
    chosen: int = 0  #: row of the frontier that is looked at
    axes: tuple[str, str] = ("R", "W")  #: colours of the heat map, across and up

    def __post_init__(self) -> None:
        index(self.have)
        check_empty_stalls(self.empty_stalls)
        for name, colour in zip(("across", "up"), self.axes, strict=True):
            need_one_of(name, colour, tuple(COLOURS))
        if len(self.wares) > MOST_WARES:
            raise ValueError(_("{n} wares; four stalls show at most four (BZ-7)").format(n=len(self.wares)))
        for ware in self.wares:
            if self.wares.count(ware) > 1:
                raise ValueError(_("ware {ware} is there already").format(ware=ware))

    def house_cards(self, deck: Deck) -> tuple[int, ...] | None:
        """The cards by which Python finds the exchange again; of another deck than the house's it is the equations."""
        return self.cards if deck == Deck.house() else None

    def code(self, deck: Deck) -> str:
        """The one line of Python that gives the frontier, as a DataFrame."""
        if cards := self.house_cards(deck):
            exchange = f"Exchange.of_cards({', '.join(map(str, cards))})"
        else:
            exchange = f"Exchange({str(self.exchange)!r})"
        ask, within = ("outlook", f", within={WITHIN}") if self.die else ("frontier", "")
        wares = [str(ware) for ware in self.wares]
        return f"bazar.{exchange}.{ask}({str(self.have)!r}, {wares}, empty_stalls={self.empty_stalls}{within})"

    def outlook(self, wares: Sequence[Ware]) -> pd.DataFrame:
        """The frontier of some wares against the die."""
        return self.exchange.outlook(self.have, wares, self.empty_stalls, within=WITHIN)


class FirstStep(NamedTuple):
    """A first step: a trade or the roll."""

    action: str
    after: str | None  #: what a trade makes
    alone: tuple[float, float] | None  #: turns, and how many more than the best, by trades alone; None for the roll
    die: tuple[float, float]  #: the same where every later turn is played best; of a policy with a cost its value, and
    #: how much less than the best, in points


class Answer:
    """The answer to a question; each part is computed when it is first looked at."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.frontier: pd.DataFrame = (
            question.outlook(question.wares)
            if question.die
            else question.exchange.frontier(question.have, question.wares, question.empty_stalls)
        )
        self.row = min(question.chosen, len(self.frontier) - 1)  #: the row looked at; -1: no ware can be bought

    @cached_property
    def ware(self) -> Ware | None:
        """The ware of the chosen row, or None if there is no row."""
        return Ware(str(self.frontier["ware"].iloc[self.row])) if self.row >= 0 else None

    @cached_property
    def left(self) -> LeftOver:
        """Stones left over by the chosen row with trades only: a column of the scoring table; with the die any."""
        if self.question.die:
            return None
        return SCORED[min(int(self.frontier["left"].iloc[self.row]), len(SCORED) - 1)]

    @cached_property
    def policy(self) -> Policy:
        """The best policy against the die for the chosen row."""
        assert self.ware is not None
        if self.question.die:
            return cast(Policy, self.frontier["policy"].iloc[self.row])
        return self.question.exchange.solve(self.ware, self.left)

    @cached_property
    def searched(self) -> int:
        """Number of hands searched to prove that no chain is shorter than the chosen one."""
        assert self.ware is not None
        return int(self.question.exchange.proof(self.question.have, self.ware, self.left)["holdings"].sum())

    @cached_property
    def first_steps(self) -> list[FirstStep]:
        """First steps, the best one first by the way of play that is asked for."""
        assert self.ware is not None
        have = self.question.have
        trades = self.question.exchange.options(have, self.ware, self.left)
        rows = trades.itertuples(index=False, name=None)
        alone = {action: (turns, costs) for action, _after, _buys, turns, costs in rows}
        steps = [
            FirstStep(action, after if action in alone else None, alone.get(action), (worth, costs))
            for action, after, _buys, worth, costs in self.policy.options(have).itertuples(index=False, name=None)
        ]
        if not self.question.die:
            steps.sort(key=lambda step: (not step.alone, step.alone, step.die))
        return steps


class Explorer(LivePage):
    """The widget. `question` and `answer` are plain values, for whoever goes on in Python."""

    sheets = ("live", "explorer")
    actions = (
        frozenset({"card", "equations", "have", "add", "remove", "add_ware", "remove_ware", "star", "empty_stalls"})
        | {"die", "choose", "across", "up"}
    )  # fmt: skip
    fields = explorer_page.FIELDS

    def __init__(self, question: Question, deck: Deck) -> None:
        self.question = question
        self.deck = deck
        self.answer = Answer(question)
        self._of_cards = lru_cache(KEPT)(partial(Exchange.of_cards, deck=deck))
        import scipy.sparse.linalg  # noqa: F401  (no click shall wait for it; nor for the first policies)

        question.outlook(question.wares)
        super().__init__(_("Bazar explorer"), every_click=True)
        self._look_ahead()

    def __repr__(self) -> str:
        question = self.question
        cards = question.house_cards(self.deck)
        exchange = f"cards={plain(cards)}" if cards else repr(str(question.exchange))
        wares = [str(ware) for ware in question.wares]
        return (
            f"bazar.explore({exchange}, have={str(question.have)!r}, wares={wares}, "
            f"empty_stalls={question.empty_stalls}, die={question.die})"
        )

    def write(self) -> dict[str, str]:
        """The page: see `explorer_page`."""
        return explorer_page.write(self)

    def _ask(self, **changes: Any) -> None:
        """Ask the changed question. If it cannot be answered it raises, and nothing has changed."""
        self._put(replace(self.question, **{"chosen": 0, **changes}))

    def _put(self, question: Question) -> None:
        self.answer = Answer(question)
        self.question = question
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Solve what the next clicks would wait for, as soon as nothing is asked for a while; results are kept."""
        question = self.question
        while_idle(self._solve_ahead(), lambda: self.question is question)

    def _solve_ahead(self) -> Iterator[None]:
        """Solve, ware by ware, the slow answers one click away: the die's frontier with these and other cards."""
        question = self.question
        others = self.deck.cards if question.cards else ()
        for asked in chain([question], (self._with_card(card.number) for card in others)):
            for ware in asked.wares:
                asked.outlook([ware])
                yield

    def _with_card(self, number: int) -> Question:
        """The question with a card put in or out: of three the oldest goes, and the last one stays."""
        cards = self.question.cards or ()
        chosen = tuple(card for card in cards if card != number) if number in cards else (*cards, number)[-2:]
        chosen = chosen or (number,)
        return replace(self.question, cards=chosen, exchange=self._of_cards(*chosen), chosen=0)

    # What a person can do

    def do_card(self, value: str) -> None:
        """Put a card in or out."""
        self._put(self._with_card(int(value)))
        self.errors.pop("equations", None)  # what was typed there is no longer meant

    def do_equations(self, value: str) -> None:
        """Take typed equations instead of cards."""
        self._ask(cards=None, exchange=Exchange(value))

    def do_have(self, value: str) -> None:
        """Hold these stones: typed, or a cell of the heat map."""
        self._ask(have=Stones(value))

    def do_add(self, value: str) -> None:
        """Put a stone into the holding."""
        self._ask(have=self.question.have + Stones(value))

    def do_remove(self, value: str) -> None:
        """Take a stone out of the holding."""
        self._ask(have=self.question.have - Stones(value))

    def do_add_ware(self, value: str) -> None:
        """Display one more ware, typed or picked."""
        if value.strip():
            self._ask(wares=(*self.question.wares, Ware(value)))

    def do_remove_ware(self, value: str) -> None:
        """Take a ware off display."""
        self._ask(wares=tuple(ware for ware in self.question.wares if ware != Ware(value)))

    def do_star(self, value: str) -> None:
        """Put a star on a ware, or take it off."""
        chosen = Ware(value)
        turned = Ware(f"{chosen.stones}{'' if chosen.stars else '*'}")
        self._ask(wares=tuple(turned if ware == chosen else ware for ware in self.question.wares))

    def do_empty_stalls(self, value: str) -> None:
        """Say whether a stall is empty already."""
        self._ask(empty_stalls=int(value))

    def do_die(self, value: str) -> None:
        """Trades only, or with the die."""
        self._ask(die=value == "yes")

    def do_choose(self, value: str) -> None:
        """Look at a row of the frontier."""
        self._ask(chosen=int(value))

    def do_across(self, value: str) -> None:
        """Another colour across the heat map; if it was the one up, they change places."""
        across, up = self.question.axes
        self._ask(axes=(value, across if value == up else up), chosen=self.question.chosen)

    def do_up(self, value: str) -> None:
        """Another colour up the heat map; if it was the one across, they change places."""
        across, up = self.question.axes
        self._ask(axes=(up if value == across else across, value), chosen=self.question.chosen)
