"""Bazar's rules (BZ-1 to BZ-23, BZ-30): the states of a game for one to six players.

A turn goes through steps: roll or trade; after a roll the die, and on Choice the colour taken; then perhaps a purchase;
and of eleven stones the left neighbour gives one back. A step that leaves nothing to decide is passed over. Cards that
lie face down have no order yet: which one comes up is a chance outcome, so nothing in a state is hidden.

Hands are piles, wares are numbers in the deck. What depends on the equations and the wares alone, the trades of a hand
and what it can pay, is looked up in the `Parameters` that all states of a game share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random
from typing import ClassVar, Final, Self, cast

from tradekit._utils.arguments import an_object, checked, optional, refusal, whole, whole_number, whole_numbers
from tradekit.bazar import errors, notation
from tradekit.bazar.deck import Deck
from tradekit.bazar.packed_stones import OVERDRAWN, UNIT, Pile, counts, pile, size
from tradekit.bazar.parameters import (
    BUY,
    COVERED,
    DIE,
    DONE,
    EMPTY,
    FULL,
    PLAYERS,
    RETURN,
    ROLL,
    STALLS,
    TAKE,
    Holding,
    Parameters,
    Rules,
    Step,
)
from tradekit.bazar.parameters import parameters as make_setting
from tradekit.bazar.stones import COLOURS, POINTS, WARE_SIZE, Equation, Stones, Ware, parse_exchange
from tradekit.drafts import Drafted, put, set_up
from tradekit.game import (
    CHANCE,
    NO_ACTIONS,
    PLAIN,
    UNTOLD,
    Action,
    BotInfo,
    Even,
    Game,
    IllegalAction,
    Listed,
    Outcomes,
    choices,
    normalise_move,
    register,
)
from tradekit.i18n import _, later
from tradekit.show.voice import Voice

Bought = tuple[tuple[tuple[int, int], ...], ...]

_DIE_OUTCOMES: Final = Even(DIE)
_DEAREST: Final = pile([4] * len(COLOURS))  # BZ-3: stones on a side of an equation, at most
_CARDS, _WARE, _FIRST, _TURN, _DIE, _CHOICE, _BUY, _MUST, _RETURN, _OVER = Step  # Python 3.11 finds members slowly


@checked(
    players=whole(), cards=optional(whole_numbers), deck=optional(an_object(Deck, "Deck.house()", house=Deck.house))
)
def new(
    players: int = 2,
    cards: Iterable[int] | None = None,
    *,
    exchange: object = None,
    deck: Deck | None = None,
    rules: Rules | None = None,
    seed: int | None = None,
    **options: object,
) -> State:
    """The state that a game begins with, before its set-up (BZ-7, BZ-8).

    Two exchange cards are drawn unless `cards` or an `exchange` (equations as text or as an `Exchange`) says which:
    one card or two, one to ten equations (BZ-3). Options of `Rules` may be given by name; `players=1` is the solitaire
    of BZ-30. With `seed` the set-up is sampled, and nothing later. Raises `ValueError` for what cannot be.

    >>> new(players=2, cards=(1, 4)).actors
    (-1,)
    >>> new(players=2, cards=(1, 4), seed=7).step.name
    'TURN'
    """
    if players not in PLAYERS:
        raise ValueError(_("players={n}: 1 to 6 can play (BZ-6)").format(n=players))
    rules = Rules.given(rules, options)
    deck = deck or Deck.house()
    if cards is not None and exchange is not None:
        raise ValueError(_("give an exchange or cards, not both"))
    numbers = () if cards is None else tuple(sorted(cards))
    if cards is not None:
        deck.exchange(numbers)  # raises for what cannot be
    parameters = make_setting(rules, deck, players, numbers, () if exchange is None else parse_exchange(exchange))
    stalls = parameters.stall_counts[0]
    if len(deck.wares) < (needed := stalls * parameters.stall_size):
        message = _("deck {name!r} has {n} wares; {needed} are needed (BZ-7)")
        raise ValueError(message.format(name=deck.name, n=len(deck.wares), needed=needed))
    if not parameters.equations and len(deck.cards) < 2:
        raise ValueError(_("deck {name!r} has no two exchange cards to draw (BZ-7)").format(name=deck.name))
    state = State.make(
        parameters=parameters,
        step=_WARE if parameters.equations else _CARDS,
        turn=CHANCE,
        hands=(0,) * players,
        bank=FULL,
        stalls=(COVERED,) * stalls,
        under=(parameters.stall_size - 1,) * stalls,
        unseen=tuple(range(len(deck.wares))),
        bought=((),) * players,
        idle=0,
        first=(),
    )
    return set_up(state, seed)


_FIELDS: Final = ("parameters", "step", "turn", "hands", "bank", "stalls", "under", "unseen", "bought", "idle", "first")


class Draft:
    """A state in the making; see `tradekit.drafts`."""

    __slots__ = (*_FIELDS, "actors", "shown")  # the last two follow from the others
    finished: ClassVar[type[State]]  #: the class of a finished state
    parameters: Parameters
    step: Step
    turn: int  #: whose turn it is; CHANCE during the set-up
    hands: tuple[Pile, ...]  #: stones of each player
    bank: Pile
    stalls: tuple[int, ...]  #: the ware that each stall shows, by its number in the deck; EMPTY, COVERED
    under: tuple[int, ...]  #: how many wares lie under it
    unseen: tuple[int, ...]  #: the wares of the deck that have not been turned up yet
    bought: Bought  #: for each player: (ware, points) of every purchase
    idle: int  #: turns since the last purchase (BZ-19)
    first: tuple[int, ...]  #: BZ-20: ware and column of the first purchase of this turn, not scored yet
    actors: tuple[int, ...]  #: whose decision is open: follows from step and turn
    shown: int  #: a bit for each ware on display: follows from the stalls

    def done(self) -> State:
        """The finished state."""
        self.actors = self.parameters.actors[self.step][self.turn]
        self.__class__ = self.finished
        return self  # type: ignore[return-value]

    def next_turn(self) -> State:
        """The same with the turn over: the next one's begins, or the bazaar closes (BZ-19)."""
        self.idle += 1
        self.first = ()
        self.turn = (self.turn + 1) % len(self.hands)
        self.step = _OVER if self.idle == self.parameters.patience else _TURN
        return self.done()


class State(Draft, Drafted[Draft], draft=Draft):
    """A position of Bazar. Made by `new`, by `after` and by `parse`."""

    __slots__ = ()
    FIELDS = _FIELDS
    DERIVED = ("shown",)
    HOME = "tradekit.bazar"

    @classmethod
    def make(cls, **values: object) -> Self:
        """The state of these fields."""
        stalls = cast(tuple[int, ...], values["stalls"])
        return super().make(**values, shown=sum(1 << number for number in stalls if number >= 0))

    # Who acts, and how

    def actions(self, player: int) -> Listed:  # noqa: D102  (the contract says it)
        if type(player) is not int:
            player = whole_number(player, "player")
        step, turn = self.step, self.turn
        if step is _TURN and player == turn:
            hand = self.hands[turn]
            trades = self.parameters.trades[hand]
            turns = trades.turns[trades.pays & self.shown]
            if self.bank - _DEAREST & OVERDRAWN:
                turns = Listed(a for a in turns if a == ROLL or not self.bank + hand - trades.makes[a].hand & OVERDRAWN)
            return turns
        if player not in self.actors or player == CHANCE:
            return NO_ACTIONS
        if step is _CHOICE:
            return Listed(action for action, stock in zip(TAKE, counts(self.bank), strict=True) if stock)
        if step is _RETURN:
            return Listed(action for action, n in zip(RETURN, counts(self.hands[turn]), strict=True) if n)
        pays = self._pays()
        buys = [action for action, ware in zip(BUY, self.stalls, strict=False) if ware >= 0 and pays >> ware & 1]
        return Listed(buys if step is _MUST else [*buys, DONE])

    def outcomes(self) -> Outcomes:  # noqa: D102
        if self.step is _DIE:
            return _DIE_OUTCOMES
        if self.step is _WARE:
            actions = self.parameters.ware_actions
            return Even([actions[number] for number in self.unseen])
        if self.step is _FIRST:
            return Even(self.parameters.first_actions)
        if self.step is _CARDS:
            pairs = combinations([card.number for card in self.parameters.deck.cards], 2)
            return Even([Action(f"cards {a} {b}") for a, b in pairs])
        return ()

    def after(self, action: str, player: int | None = None) -> State:  # noqa: D102
        if not isinstance(action, str) or type(player) not in PLAIN:
            action, player = normalise_move(action, player)
        if player is not None and player not in self.actors:
            raise IllegalAction(errors.not_your_turn(self, player))
        new = _DOES[self.step](self, action)
        if new is None:
            exact = errors.exact(self, action)
            new = _DOES[self.step](self, exact) if exact != action else None
            if new is None:
                raise IllegalAction(errors.why_not(self, exact))
        return new

    # The end

    @property
    def players(self) -> int:  # noqa: D102
        return len(self.hands)

    def scores(self) -> tuple[int, ...]:
        """Points of all purchases; in the solitaire minus the turns used (BZ-30)."""
        scores = tuple(sum(points for _ware, points in wares) for wares in self.bought)
        return (scores[0] - self.idle,) if self.parameters.solitaire else scores

    def winners(self) -> tuple[int, ...]:
        """Highest score; of those tied fewest wares; still tied, they share it (BZ-18)."""
        if self.step is not _OVER:
            return ()
        ranks = [(score, -len(wares)) for score, wares in zip(self.scores(), self.bought, strict=True)]
        return tuple(player for player, rank in enumerate(ranks) if rank == max(ranks))

    def conserved(self) -> tuple[int, ...]:
        """Stones of each colour in the bank and in all hands (BZ-2), and how many wares there are in all."""
        wares = self.shown.bit_count() + len(self.unseen) + sum(map(len, self.bought)) + bool(self.first)
        return (*counts(self.bank + sum(self.hands)), wares)

    # What a person asks

    @property
    def turn_of(self) -> int:  # noqa: D102
        return self.turn

    @property
    def hides(self) -> bool:
        """True if the screen shows only the number of others' stones (BZ-22)."""
        return self.rules.hidden

    @property
    def time_limit(self) -> float | None:
        """Seconds that a turn can take; None: no limit (BZ-21)."""
        return self.rules.timer or None

    @property
    def timed_turn(self) -> tuple[int, int]:
        """Whose turn it is, and how many there were without a purchase: one who plays alone has turns as well."""
        return self.turn, self.idle

    def when_out_of_time(self) -> Listed:
        """Return the moves made for a player whose time is up, in order of preference (BZ-21)."""
        return _OUT_OF_TIME

    @property
    def holdings(self) -> tuple[Stones, ...]:
        """The stones of each player."""
        return tuple(Stones.of(counts(hand)) for hand in self.hands)

    @property
    def stock(self) -> Stones:
        """The stones in the bank."""
        return Stones.of(counts(self.bank))

    @property
    def wares(self) -> tuple[Ware | None, ...]:
        """The ware that each stall shows."""
        return tuple(self.parameters.deck.wares[number] if number >= 0 else None for number in self.stalls)

    @property
    def equations(self) -> tuple[Equation, ...]:
        """The equations in force; none before the cards are drawn."""
        return self.parameters.equations

    @checked
    def points(self, stall: int, player: int) -> int | None:
        """Return the points of the ware of a stall, counted from 0, with a player's hand; None if it does not buy
        it (BZ-12, BZ-23, BZ-30).

        By column and stones left (BZ-15, BZ-16), of a second purchase as BZ-20 says. In the solitaire minus the turns
        that it took.

        >>> table = "bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=RWBGYR,G "
        >>> state = State.parse(table + "stalls=RWBGY:1,RRWGY:4,-:0,GGGGG*:4 bought=-,- idle=0")
        >>> state.points(0, 0), state.points(0, 1), state.after("buy 1").scores()
        (5, None, (5, 0))
        """
        self.need_player(player)
        if stall not in range(len(self.stalls)):
            raise refusal(
                "stall", stall, _("must be between {least} and {most}").format(least=0, most=len(self.stalls) - 1)
            )
        number, hand = self.stalls[stall], self.hands[player]
        if number < 0 or not self.parameters.holding[hand].pays >> number & 1:
            return None
        return self._points(self._column(stall, player), size(hand) - WARE_SIZE)

    @property
    def rules(self) -> Rules:
        """The options in force."""
        return self.parameters.rules

    @property
    def empty_stalls(self) -> int:
        """Number of empty stalls (BZ-16, BZ-17)."""
        return self.stalls.count(EMPTY)

    def vocabulary(self) -> Iterator[Action]:  # noqa: D102
        yield from (ROLL, DONE, *BUY, *TAKE, *RETURN, *DIE)
        for e in self.equations:
            yield Action(e)
            yield Action(e.reversed)
        yield from (Action(f"ware {ware}") for ware in self.parameters.deck.wares)
        yield from self.parameters.first_actions
        numbers = [card.number for card in self.parameters.deck.cards]
        yield from (Action(f"cards {a} {b}") for a, b in combinations(numbers, 2))

    # The steps: each the state after an action, or None if it is not legal here

    def _draw_cards(self, action: str) -> State | None:
        words = action.split()
        if words[:1] != ["cards"] or action not in choices(self, CHANCE):
            return None
        parameters = self.parameters.with_cards((int(words[1]), int(words[2])))
        return self._with(parameters=parameters, step=_WARE)

    def _turn_up(self, action: str) -> State | None:
        number = self.parameters.ware_numbers.get(action, -1)
        if number not in self.unseen:
            return None
        stalls = put(self.stalls, self.stalls.index(COVERED), number)
        unseen = tuple([other for other in self.unseen if other != number])
        shown = self._with(stalls=stalls, unseen=unseen, shown=self.shown | 1 << number)
        if self.turn != CHANCE:
            return shown._bought()
        if COVERED in stalls:
            return shown
        return shown._with(step=_TURN, turn=0) if len(self.hands) == 1 else shown._at(_FIRST)

    def _begin(self, action: str) -> State | None:
        first = self.parameters.first_actions
        return self._with(step=_TURN, turn=first.index(action)) if action in first else None

    def _act(self, action: str) -> State | None:
        """Roll or trade (BZ-9, BZ-10)."""
        parameters = self.parameters
        hand = self.hands[self.turn]
        made = parameters.trades[hand].makes.get(action)
        if made is None:
            return self._at(_DIE) if action == ROLL else None
        bank = self.bank + hand - made.hand  # overdrawn if it cannot pay (BZ-2), as no colour is on both sides (BZ-3)
        must = made.above and not parameters.penalty
        if bank & OVERDRAWN or (must and not made.pays & self.shown):
            return None
        return self._acted(made, bank, must)

    def _pays(self) -> int:
        """A bit for each ware that the one whose turn it is may buy."""
        return self.parameters.holding[self.hands[self.turn]].pays

    def _roll(self, action: str) -> State | None:
        if action == "Choice":
            return self._at(_CHOICE)
        colour = _FACE_NUMBER.get(action)
        return None if colour is None else self._take(colour)

    def _choose(self, action: str) -> State | None:
        colour = _TAKE_NUMBER.get(action)
        return None if colour is None or self.bank - UNIT[colour] & OVERDRAWN else self._take(colour)

    def _take(self, colour: int) -> State:
        """Take a stone; of a colour that is out, nothing (BZ-2)."""
        hand, bank = self.hands[self.turn], self.bank - UNIT[colour]
        if bank & OVERDRAWN:
            return self._acted(self.parameters.holding[hand], self.bank)
        return self._acted(self.parameters.holding[hand + UNIT[colour]], bank)

    def _acted(self, made: Holding, bank: Pile, must: bool = False) -> State:
        """After the roll or trade: a purchase if there is one to make (BZ-12), else the turn ends."""
        draft, hands = self._draft(), [*self.hands]
        hands[self.turn] = made.hand
        draft.hands, draft.bank = tuple(hands), bank
        if made.pays & self.shown:
            draft.step = _MUST if must else _BUY
        elif made.above:
            draft.step = _RETURN
        else:
            return draft.next_turn()
        return draft.done()

    def _buy(self, action: str) -> State | None:
        if action == DONE:
            return None if self.step is _MUST else self._scored()._turn_ends()
        stall = _BUY_NUMBER.get(action, STALLS)
        points = self.points(stall, self.turn) if stall < len(self.stalls) else None
        if points is None:
            return None
        parameters, turn, number, under = self.parameters, self.turn, self.stalls[stall], self.under[stall]
        price = parameters.prices[number]
        hand = self.hands[turn] - price
        stalls = put(self.stalls, stall, COVERED if under else EMPTY)
        closed = stalls.count(EMPTY) >= parameters.closing
        bought, idle = self.bought, 0
        first: tuple[int, ...] = ()
        if self.first:  # BZ-20: both score by what is left after the second
            bought = _more(bought, turn, (self.first[0], self._points(self.first[1], size(hand))), (number, points))
        elif parameters.twice and not closed:  # scored when it is known whether a second follows
            first, idle = (number, self._column(stall, turn)), self.idle
        else:
            bought = _more(bought, turn, (number, points))
        after = self._with(
            step=_WARE,
            hands=put(self.hands, turn, hand),
            bank=self.bank + price,
            stalls=stalls,
            shown=self.shown ^ 1 << number,
            under=put(self.under, stall, max(under - 1, 0)),
            bought=bought,
            idle=idle,
            first=first,
        )
        return after if under and not closed else after._bought()

    def _bought(self) -> State:
        """After a purchase and what it turned up: a second one (BZ-20), or the turn ends (BZ-13)."""
        if self.empty_stalls >= self.parameters.closing:
            return self._scored()._with(step=_OVER, idle=0)
        if self.first and self._pays() & self.shown:
            return self._with(step=_BUY)
        draft = self._scored()._draft()
        draft.idle = -1
        return draft.next_turn()

    def _scored(self) -> State:
        """With a first purchase that no second followed (BZ-20) written down."""
        if not self.first:
            return self
        number, column = self.first
        points = self._points(column, size(self.hands[self.turn]))
        return self._with(bought=_more(self.bought, self.turn, (number, points)), first=(), idle=-1)

    def _column(self, stall: int, player: int) -> int:
        """The column in which a player's purchase at a stall scores: the ware's stars, or one higher (BZ-16, BZ-20)."""
        stars, empty = self.parameters.deck.wares[self.stalls[stall]].stars, self.empty_stalls
        if self.first and player == self.turn and self.rules.double_star == "both":
            empty += not self.under[stall]  # the second purchase's own stall counts, too
        return stars + bool(empty)

    def _points(self, column: int, left: int) -> int:
        """BZ-15; in the solitaire minus the turns it took (BZ-30)."""
        return -(self.idle + 1) if self.parameters.solitaire else self.rules.score(column, left)

    def _turn_ends(self) -> State:
        """Eleven stones go down to ten (BZ-14), then it is the next one's turn."""
        if self.parameters.holding[self.hands[self.turn]].above:
            return self._with(step=_RETURN)
        return self._draft().next_turn()

    def _return(self, action: str) -> State | None:
        colour = _RETURN_NUMBER.get(action)
        hand = self.hands[self.turn] - UNIT[colour or 0]
        if colour is None or hand & OVERDRAWN:
            return None
        return self._with(hands=put(self.hands, self.turn, hand), bank=self.bank + UNIT[colour])._turn_ends()

    def _nothing(self, action: str) -> State | None:
        return None

    def _at(self, step: Step) -> State:
        draft = self._draft()
        draft.step = step
        return draft.done()

    # Words

    def sentence(self, action: str, actor: int, voice: Voice) -> str:  # noqa: D102
        from tradekit.bazar.sentences import sentence

        if action == UNTOLD:
            return super().sentence(action, actor, voice)
        return sentence(self, action, actor, voice)

    def label(self, action: str, voice: Voice) -> str:  # noqa: D102
        from tradekit.bazar.sentences import label

        return label(self, action, voice)

    # Picture

    def alike(self, rng: Random, player: int) -> State:
        """Another state with the same pictures for that player: stones that the screen hides are swapped (BZ-22)."""
        from tradekit.bazar.hidden import swapped

        return swapped(self, rng, player)

    # Text

    def __str__(self) -> str:
        return notation.write(self)

    @classmethod
    @checked
    def parse(cls, text: str) -> State:
        """The state of that text; raises `ParseError` that says what is wrong with it."""
        return cls.make(**notation.read(text, cls.game.name))


def _more(bought: Bought, player: int, *purchases: tuple[int, int]) -> Bought:
    return put(bought, player, (*bought[player], *purchases))


_FACE_NUMBER: Final[dict[str, int]] = {colour: number for number, colour in enumerate(COLOURS)}
_TAKE_NUMBER: Final[dict[str, int]] = {action: number for number, action in enumerate(TAKE)}
_RETURN_NUMBER: Final[dict[str, int]] = {action: number for number, action in enumerate(RETURN)}
_BUY_NUMBER: Final[dict[str, int]] = {action: number for number, action in enumerate(BUY)}
_OUT_OF_TIME: Final = Listed((ROLL, DONE, *BUY))
_DOES: Final = (
    State._draw_cards,
    State._turn_up,
    State._begin,
    State._act,
    State._roll,
    State._choose,
    State._buy,
    State._buy,
    State._return,
    State._nothing,
)  # by step

GAME: Final = register(
    Game(
        name="bazar",
        state=State,
        new=new,
        players=(1, 2, 3, 4, 5, 6),
        low=None,  # a solitaire counts turns, downwards (BZ-30)
        high=45 * POINTS[-1][0],
        conserves="stones of each colour in bank and hands; wares",
        title=later("Bazar"),
        rules="tradekit.bazar.rules_card:RULES",
        help="bazar-rules.md",
        options=Rules,
        bots=(
            BotInfo("quick", "tradekit.bazar.simple_bots:QuickBuyer", later("Quick buyer"), "easy"),
            BotInfo("patient", "tradekit.bazar.simple_bots:PatientBuyer", later("Patient buyer"), "easy"),
            BotInfo("chain", "tradekit.bazar.bots:ChainBot", later("Chain finder"), "medium"),
            BotInfo("policy", "tradekit.bazar.bots:PolicyBot", later("Planner"), "strong", (1, 2, 3, 4, 5, 6)),
        ),
        measured="tradekit.bazar:bots.csv",
        commands="tradekit.bazar.commands:add",
    )
)
