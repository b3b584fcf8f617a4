"""Bazar's rules (BZ-1 to BZ-23, BZ-30): the states of a game for one to six players.

A turn goes through steps: roll or trade; after a roll the die, and on Choice the colour taken; then perhaps a purchase;
and of eleven stones the left neighbour gives one back. A step that leaves nothing to decide is passed over. Cards that
lie face down have no order yet: which one comes up is a chance outcome, so nothing in a state is hidden.

Hands are tuples of five counts, wares are numbers in the deck. What depends on the equations and the wares alone, the
trades of a hand and what it can pay, is looked up in the `Setting` that all states of a game share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from itertools import combinations
from operator import add, sub
from typing import Any, Final, NamedTuple

from tradekit.bazar.deck import Deck
from tradekit.bazar.setting import (
    BANK,
    BUY,
    BY_CHANCE,
    COVERED,
    DIE,
    DONE,
    EMPTY,
    RETURN,
    ROLL,
    STALL_SIZE,
    STALLS,
    TAKE,
    Hand,
    Holding,
    Rules,
    Setting,
    Step,
    read_deck,
)
from tradekit.bazar.setting import setting as make_setting
from tradekit.bazar.stones import COLOURS, FACES, LIMIT, POINTS, Equation, Stones, Ware, parse_equations
from tradekit.game import (
    CHANCE,
    NO_ACTIONS,
    Action,
    Game,
    IllegalAction,
    Listed,
    Names,
    Outcomes,
    ParseError,
    draw,
    keyed,
    read_pairs,
    register,
)
from tradekit.game import State as GameState
from tradekit.i18n import _

CLOSING: Final = 2  #: BZ-17: so many empty stalls close the bazaar
_DIE_OUTCOMES: Final = tuple((face, 1 / len(FACES)) for face in DIE)
_UNITS: Final = tuple(tuple(int(c == colour) for c in COLOURS) for colour in COLOURS)
_DEAREST: Final = 4  # BZ-3: stones on a side of an equation, at most
_TURN, _OVER = Step.TURN, Step.OVER


def new(
    players: int = 2,
    cards: Iterable[int] | None = None,
    *,
    exchange: object = None,
    deck: Deck | None = None,
    rules: Rules | None = None,
    seed: int | None = None,
    **options: Any,
) -> State:
    """The state that a game begins with, before its set-up (BZ-7, BZ-8).

    Two exchange cards are drawn unless `cards` or an `exchange` (equations as text or as an `Exchange`) says which.
    Options of `Rules` may be given by name; `players=1` is the solitaire of BZ-30. With `seed` the set-up is sampled,
    and nothing later. Raises `ValueError` for what cannot be.

    >>> new(players=2, cards=(1, 4)).actors
    (-1,)
    >>> new(players=2, cards=(1, 4), seed=7).step.name
    'TURN'
    """
    if not 1 <= players <= 6:
        raise ValueError(_("players={n}: 1 to 6 can play (BZ-6)").format(n=players))
    rules = replace(rules or Rules(), **options)
    deck = deck or Deck.house()
    if cards is not None and exchange is not None:
        raise ValueError(_("give an exchange or cards, not both"))
    stalls = (rules.series,) if players == 1 else (STALL_SIZE,) * STALLS
    if len(deck.wares) < sum(stalls):
        raise ValueError(
            _("deck {name!r} has {n} wares; {needed} are needed (BZ-7)").format(
                name=deck.name, n=len(deck.wares), needed=sum(stalls)
            )
        )
    typed = () if exchange is None else tuple(parse_equations(str(exchange)))
    setting = make_setting(rules, deck, players, tuple(sorted(cards or ())), typed)
    if not setting.equations and len(deck.cards) < 2:
        raise ValueError(_("deck {name!r} has no two exchange cards to draw (BZ-7)").format(name=deck.name))
    state = State(
        setting=setting,
        step=Step.WARE if setting.equations else Step.CARDS,
        turn=CHANCE,
        hands=((0, 0, 0, 0, 0),) * players,
        bank=(BANK,) * len(COLOURS),
        stalls=(COVERED,) * len(stalls),
        under=tuple(size - 1 for size in stalls),
        unseen=(1 << len(deck.wares)) - 1,
        bought=((),) * players,
    )
    if seed is not None:
        rng = keyed(seed, "set-up")
        while state.turn == CHANCE:
            state = state.after(draw(state.outcomes(), rng))
    return state


class _Fields(NamedTuple):
    setting: Setting
    step: Step
    turn: int  #: whose turn it is; CHANCE during the set-up
    hands: tuple[Hand, ...]  #: stones of each player by colour
    bank: Hand
    stalls: tuple[int, ...]  #: the ware that each stall shows, by its number in the deck; EMPTY, COVERED
    under: tuple[int, ...]  #: how many wares lie under it
    unseen: int  #: a bit for each ware of the deck that has not been turned up yet
    bought: tuple[tuple[tuple[int, int], ...], ...]  #: for each player: (ware, points) of every purchase
    idle: int = 0  #: turns since the last purchase (BZ-19)
    first: tuple[int, ...] = ()  #: BZ-20: ware and column of the first purchase of this turn, not scored yet


class State(GameState, _Fields):
    """A position of Bazar. Made by `new`, by `after` and by `parse`.

    A named tuple: to make one takes a quarter of the time of a frozen dataclass, and it can be changed no more.
    """

    __slots__ = ()

    # Who acts, and how

    @property
    def actors(self) -> tuple[int, ...]:  # noqa: D102  (the contract says it)
        return self.setting.actors[self.step][self.turn]

    def actions(self, player: int) -> Listed:  # noqa: D102
        setting, step, turn, hands, bank, stalls, *_rest = self
        if step == _TURN and player == turn:
            turns, above, _makes = setting.trades[hands[turn]]
            if above:
                shown = setting.shown[stalls]
                turns = Listed((*turns, *[action for action, pays in above if pays & shown]))
            if min(bank) < _DEAREST:
                turns = Listed(a for a in turns if a == ROLL or self._bank_pays(setting.paid[a]))
            return turns
        if player not in self.actors or player == CHANCE:
            return NO_ACTIONS
        if step == Step.CHOICE:
            return Listed(action for action, stock in zip(TAKE, self.bank, strict=True) if stock)
        if step == Step.RETURN:
            return Listed(action for action, n in zip(RETURN, self.hands[self.turn], strict=True) if n)
        pays = self._pays()
        buys = (action for action, ware in zip(BUY, self.stalls, strict=False) if ware >= 0 and pays >> ware & 1)
        return Listed(buys) if step == Step.MUST else Listed((*buys, DONE))

    def outcomes(self) -> Outcomes:  # noqa: D102
        if self.step == Step.DIE:
            return _DIE_OUTCOMES
        if self.step == Step.WARE:
            chance = 1 / self.unseen.bit_count()
            wares = enumerate(self.setting.ware_actions)
            return [(action, chance) for number, action in wares if self.unseen >> number & 1]
        if self.step == Step.FIRST:
            return [(Action(f"first p{p}"), 1 / len(self.hands)) for p in range(len(self.hands))]
        if self.step == Step.CARDS:
            pairs = [*combinations([card.number for card in self.setting.deck.cards], 2)]
            return [(Action(f"cards {a} {b}"), 1 / len(pairs)) for a, b in pairs]
        return ()

    def after(self, action: str, player: int | None = None) -> State:  # noqa: D102
        if player is not None and player not in self.setting.actors[self.step][self.turn]:
            raise IllegalAction(self._not_your_turn(player))
        new = _DOES[self.step](self, action)
        if new is None:
            exact = self._read_action(action)
            new = _DOES[self.step](self, exact) if exact != action else None
            if new is None:
                raise IllegalAction(self._why_not(exact))
        return new

    # The end

    def scores(self) -> tuple[int, ...]:
        """Points of all purchases; in the solitaire minus the turns used (BZ-30)."""
        scores = tuple(sum(points for _ware, points in wares) for wares in self.bought)
        return (scores[0] - self.idle,) if self.setting.solitaire else scores

    def winners(self) -> tuple[int, ...]:
        """Highest score; of those tied fewest wares; still tied, they share it (BZ-18)."""
        if self.step != Step.OVER:
            return ()
        ranks = [(score, -len(wares)) for score, wares in zip(self.scores(), self.bought, strict=True)]
        return tuple(player for player, rank in enumerate(ranks) if rank == max(ranks))

    def conserved(self) -> tuple[int, ...]:
        """Stones of each colour in the bank and in all hands (BZ-2), and how many wares there are in all."""
        stones = (sum(column) for column in zip(self.bank, *self.hands, strict=True))
        shown = sum(ware >= 0 for ware in self.stalls)
        wares = shown + self.unseen.bit_count() + sum(map(len, self.bought)) + bool(self.first)
        return (*stones, wares)

    # What a person asks

    @property
    def turn_of(self) -> int:  # noqa: D102
        return self.turn

    @property
    def holdings(self) -> tuple[Stones, ...]:
        """The stones of each player."""
        return tuple(map(Stones.of, self.hands))

    @property
    def wares(self) -> tuple[Ware | None, ...]:
        """The ware that each stall shows."""
        return tuple(self.setting.deck.wares[number] if number >= 0 else None for number in self.stalls)

    @property
    def equations(self) -> tuple[Equation, ...]:
        """The equations in force; none before the cards are drawn."""
        return self.setting.equations

    @property
    def rules(self) -> Rules:
        """The options in force."""
        return self.setting.rules

    @property
    def empty_stalls(self) -> int:
        """How many stalls are empty (BZ-16, BZ-17)."""
        return self.stalls.count(EMPTY)

    def vocabulary(self) -> Iterator[Action]:  # noqa: D102
        yield from (ROLL, DONE, *BUY, *TAKE, *RETURN, *DIE)
        for e in self.equations:
            yield Action(e)
            yield Action(e.reversed)
        yield from (Action(f"ware {ware}") for ware in self.setting.deck.wares)
        yield from (Action(f"first p{p}") for p in range(len(self.hands)))
        numbers = [card.number for card in self.setting.deck.cards]
        yield from (Action(f"cards {a} {b}") for a, b in combinations(numbers, 2))

    # The steps: each the state after an action, or None if it is not legal here

    def _draw_cards(self, action: str) -> State | None:
        words = action.split()
        if words[:1] != ["cards"] or action not in [outcome for outcome, _p in self.outcomes()]:
            return None
        setting = self.setting.with_cards((int(words[1]), int(words[2])))
        return self._replace(setting=setting, step=Step.WARE)

    def _turn_up(self, action: str) -> State | None:
        number = self.setting.ware_numbers.get(action, -1)
        if number < 0 or not self.unseen >> number & 1:
            return None
        stall = self.stalls.index(COVERED)
        stalls = _put(self.stalls, stall, number)
        shown = self._replace(stalls=stalls, unseen=self.unseen ^ 1 << number)
        if self.turn != CHANCE:
            return shown._bought()
        if COVERED in stalls:
            return shown
        return shown._replace(step=Step.TURN, turn=0) if len(self.hands) == 1 else shown._replace(step=Step.FIRST)

    def _begin(self, action: str) -> State | None:
        player = next((p for p in range(len(self.hands)) if action == f"first p{p}"), None)
        return None if player is None else self._replace(step=Step.TURN, turn=player)

    def _act(self, action: str) -> State | None:
        """Roll or trade (BZ-9, BZ-10)."""
        if action == ROLL:
            return self._at(Step.DIE)
        setting, _step, turn, hands, bank, stalls, *_rest = self
        made = setting.trades[hands[turn]].makes.get(action)
        if made is None:
            return None
        paid = setting.paid[action]
        if min(bank) < _DEAREST and not self._bank_pays(paid):
            return None
        must = made.above and not setting.penalty
        if must and not made.pays & setting.shown[stalls]:
            return None
        return self._acted(made, tuple(map(sub, bank, paid)), must)

    def _pays(self) -> int:
        """A bit for each ware that the one whose turn it is may buy."""
        return self.setting.holding[self.hands[self.turn]].pays

    def _bank_pays(self, paid: Hand) -> bool:
        """Whether the bank can pay a trade out (BZ-2)."""
        return not any(map(int.__lt__, self.bank, paid))

    def _roll(self, action: str) -> State | None:
        if action == "Choice":
            return self._at(Step.CHOICE)
        colour = _FACE_NUMBER.get(action)
        return None if colour is None else self._take(colour)

    def _choose(self, action: str) -> State | None:
        colour = _TAKE_NUMBER.get(action)
        return None if colour is None or not self.bank[colour] else self._take(colour)

    def _take(self, colour: int) -> State:
        """Take a stone; of a colour that is out, nothing (BZ-2)."""
        hand, bank = self.hands[self.turn], self.bank
        if bank[colour]:
            unit = _UNITS[colour]
            hand, bank = tuple(map(add, hand, unit)), tuple(map(sub, bank, unit))
        return self._acted(self.setting.holding[hand], bank)

    def _acted(self, made: Holding, bank: Hand, must: bool = False) -> State:
        """After the roll or trade: a purchase if there is one to make (BZ-12), else the turn ends."""
        setting, _step, turn, hands, _bank, stalls, under, unseen, bought, idle, _first = self
        hand, above, pays = made
        hands = (*hands[:turn], hand, *hands[turn + 1 :])
        if pays & setting.shown[stalls]:
            step = Step.MUST if must else Step.BUY
        elif above:
            step = Step.RETURN
        else:
            return self._next_turn(hands, bank)
        return _make(State, (setting, step, turn, hands, bank, stalls, under, unseen, bought, idle, ()))

    def _buy(self, action: str) -> State | None:
        if action == DONE:
            return None if self.step == Step.MUST else self._scored()._turn_ends(self.hands, self.bank)
        stall = _BUY_NUMBER.get(action, STALLS)
        number = self.stalls[stall] if stall < len(self.stalls) else EMPTY
        if number < 0 or not self._pays() >> number & 1:
            return None
        price = self.setting.prices[number]
        column = self.setting.deck.wares[number].stars + bool(self.empty_stalls)  # BZ-16
        under = self.under[stall]
        after = self._replace(
            hands=_put(self.hands, self.turn, tuple(map(sub, self.hands[self.turn], price))),
            bank=tuple(map(add, self.bank, price)),
            stalls=_put(self.stalls, stall, COVERED if under else EMPTY),
            under=_put(self.under, stall, max(under - 1, 0)),
        )
        if self.first:  # BZ-20: both score by what is left after the second
            higher = bool((after if self.rules.double_star == "both" else self).empty_stalls)
            left = sum(after.hands[self.turn])
            purchases = (
                (self.first[0], self._points(self.first[1], left)),
                (number, self._points(self.setting.deck.wares[number].stars + higher, left)),
            )
            after = after._replace(bought=_more(self.bought, self.turn, *purchases), first=(), step=Step.WARE)
        elif self.rules.double and not after._closed():
            after = after._replace(first=(number, column), step=Step.WARE)
        else:
            points = self._points(column, sum(after.hands[self.turn]))
            after = after._replace(bought=_more(self.bought, self.turn, (number, points)), step=Step.WARE)
        return after if COVERED in after.stalls and not after._closed() else after._bought()

    def _bought(self) -> State:
        """After a purchase and what it turned up: a second one (BZ-20), or the turn ends (BZ-13)."""
        if self._closed():
            return self._scored()._replace(step=Step.OVER, idle=0)
        if self.first and self._pays() & self.setting.shown[self.stalls]:
            return self._replace(step=Step.BUY)
        return self._scored()._replace(idle=-1)._next_turn(self.hands, self.bank)

    def _scored(self) -> State:
        """With a first purchase that no second followed (BZ-20) written down."""
        if not self.first:
            return self
        number, column = self.first
        points = self._points(column, sum(self.hands[self.turn]))
        return self._replace(bought=_more(self.bought, self.turn, (number, points)), first=(), idle=-1)

    def _points(self, column: int, left: int) -> int:
        """BZ-15; in the solitaire minus the turns it took (BZ-30)."""
        return -(self.idle + 1) if self.setting.solitaire else self.rules.score(column, left)

    def _closed(self) -> bool:
        return self.stalls.count(EMPTY) >= min(CLOSING, len(self.stalls))

    def _turn_ends(self, hands: tuple[Hand, ...], bank: Hand) -> State:
        """Eleven stones go down to ten (BZ-14), then it is the next one's turn."""
        if sum(hands[self.turn]) > LIMIT:
            return self._replace(step=Step.RETURN, hands=hands, bank=bank)
        return self._next_turn(hands, bank)

    def _next_turn(self, hands: tuple[Hand, ...], bank: Hand) -> State:
        setting, _step, turn, _hands, _bank, stalls, under, unseen, bought, idle, _first = self
        idle += 1
        step = _OVER if idle == setting.patience else _TURN
        turn = (turn + 1) % len(hands)
        return _make(State, (setting, step, turn, hands, bank, stalls, under, unseen, bought, idle, ()))

    def _return(self, action: str) -> State | None:
        colour = _RETURN_NUMBER.get(action)
        hand = self.hands[self.turn]
        if colour is None or not hand[colour]:
            return None
        unit = _UNITS[colour]
        hands = _put(self.hands, self.turn, tuple(map(sub, hand, unit)))
        return self._turn_ends(hands, tuple(map(add, self.bank, unit)))

    def _nothing(self, action: str) -> State | None:
        return None

    def _at(self, step: Step) -> State:
        return _make(State, (self.setting, step, *self[2:]))

    # What a person typed, and why it cannot be done

    def _read_action(self, text: str) -> Action:
        """The exact form of an action; raises `ParseError` for what no action looks like."""
        words = text.split()
        verb, rest = (words[0].lower(), " ".join(words[1:])) if words else ("", "")
        if verb in ("roll", "done") and not rest:
            return Action(verb)
        if verb in ("take", "return") and len(stones := Stones(rest)) == 1:
            return Action(f"{verb} {stones}")
        if verb == "buy" and rest:
            if rest.isdecimal():
                return Action(f"buy {int(rest)}")
            ware = Ware(rest)
            if ware in self.wares:
                return BUY[self.wares.index(ware)]
            raise IllegalAction(_("{ware} is not on display (BZ-12)").format(ware=ware))
        if verb == "ware" and rest:
            return Action(f"ware {Ware(rest)}")
        if verb == "cards" and all(map(str.isdecimal, words[1:])):
            return Action(" ".join(["cards", *map(str, sorted(map(int, words[1:])))]))
        if (verb == "first" and rest) or text in FACES:
            return Action(text)
        if "=" in text or "->" in text:
            return Action(Equation(text))
        raise ParseError(
            _("{text!r} is no action; write roll, an equation such as R=WW, take R, buy 2, done or return R").format(
                text=text
            )
        )

    def _not_your_turn(self, player: int) -> str:
        if not self.actors:
            return _("the game is over (BZ-17)")
        if self.actors == (CHANCE,):
            return _("chance acts now, not p{player} (BZ-5)").format(player=player)
        return _("p{actor} is to act now, not p{player} (BZ-8)").format(actor=self.actors[0], player=player)

    def _why_not(self, action: Action) -> str:
        """Why an action that can be read is not legal here, and by which rule."""
        step, verb = self.step, action.split()[0]
        if step == Step.OVER:
            return _("the game is over (BZ-17)")
        if step in BY_CHANCE:
            if verb in ("cards", "ware", "first", *FACES):
                return _("{action} cannot come up here (BZ-7)").format(action=action)
            return _("chance acts now, not a player (BZ-5)")
        if verb in ("cards", "ware", "first", *FACES):
            return _("{action} is for chance to say, and it is p{player} who acts").format(
                action=action, player=self.actors[0]
            )
        if step == Step.RETURN:
            return _("one of the stones {stones} must go back (BZ-14)").format(stones=self.holdings[self.turn])
        if step == Step.CHOICE:
            stock = Stones.of([min(n, 1) for n in self.bank])
            return _("take a stone of a colour in stock: {stones} (BZ-5, BZ-2)").format(stones=" ".join(stock))
        if verb in ("take", "return"):
            return _("no stone is to be taken or given back now (BZ-9)")
        if step == Step.TURN:
            return self._why_no_turn(action, verb)
        if verb == "done":
            return _("the trade passed ten stones, so this turn must buy (BZ-14)")
        if verb == "buy":
            return self._why_no_purchase(action)
        return _("one roll or one trade a turn (BZ-9)")

    def _why_no_turn(self, action: Action, verb: str) -> str:
        if verb == "buy":
            return _("cannot buy before rolling or trading (BZ-12)")
        if verb == "done":
            return _("there is no passing: roll or trade (BZ-11)")
        equation, have = Equation(action), self.holdings[self.turn]
        if equation not in {t for e in self.equations for t in (e, e.reversed)}:
            return _("{equation} is not among the equations in force (BZ-10)").format(equation=equation)
        if not equation.left <= have:
            return _("{have} does not hold {give} (BZ-10)").format(have=have, give=equation.left)
        if not equation.right <= Stones.of(list(self.bank)):
            return _("the bank cannot pay {take} (BZ-2)").format(take=equation.right)
        return _(
            "{equation} would make {n} stones, more than ten, and none of the wares could be bought (BZ-14)"
        ).format(equation=equation, n=len(have - equation.left + equation.right))

    def _why_no_purchase(self, action: Action) -> str:
        stall, have = int(action.split()[1]) - 1, self.holdings[self.turn]
        if not 0 <= stall < len(self.stalls):
            return _("there is no stall {n}; there are {most} (BZ-7)").format(n=stall + 1, most=len(self.stalls))
        ware = self.wares[stall]
        if ware is None:
            return _("stall {n} is empty (BZ-7)").format(n=stall + 1)
        if not ware.stones <= have:
            return _("{have} does not hold {ware} (BZ-12)").format(have=have, ware=ware.stones)
        if self.setting.solitaire:
            return _("a solitaire buys with no stone left (BZ-30)")
        return _("a purchase may leave {n} stones at most (BZ-23)").format(n=self.rules.max_left)

    # Picture

    def html(self, player: int | None = None, *, live: bool = False, names: Names = ()) -> str:  # noqa: D102
        from tradekit.bazar.table_view import picture

        return picture(self, player, live=live, names=names)

    # Text

    def __str__(self) -> str:
        wares = self.setting.deck.wares
        names = {EMPTY: "-", COVERED: "?"}
        stalls = [f"{names.get(n) or wares[n]}:{below}" for n, below in zip(self.stalls, self.under, strict=True)]
        bought = [";".join(f"{wares[n]}:{points}" for n, points in pairs) or "-" for pairs in self.bought]
        words = [
            self.game.name,
            self.setting.text,
            f"step={self.step.name.lower()}",
            f"turn={'chance' if self.turn == CHANCE else f'p{self.turn}'}",
            f"hands={','.join(map(str, self.holdings))}",
            f"stalls={','.join(stalls)}",
            f"bought={','.join(bought)}",
            f"idle={self.idle}",
        ]
        if self.first:
            words.append(f"first={wares[self.first[0]]}:{self.first[1]}")
        return " ".join(words)

    @classmethod
    def parse(cls, text: str) -> State:
        """The state of that text; raises `ParseError` that says what is wrong with it."""
        needed = ["players", "deck", "step", "turn", "hands", "stalls", "bought", "idle"]
        pairs = read_pairs(
            text, cls.game.name, needed, ["cards", "exchange", "first", *(f.name for f in fields(Rules))]
        )
        name = ""
        try:
            name = "players"
            players = int(pairs[name])
            name = "deck"
            deck = Deck.house() if pairs[name] == "house" else read_deck(pairs[name])
            name = "cards"
            cards = tuple(map(int, pairs[name].split(","))) if name in pairs else ()
            name = "exchange"
            typed = tuple(parse_equations(pairs[name])) if name in pairs else ()
            setting = make_setting(Rules.read(pairs), deck, players, cards, typed)
            numbers = {str(ware): number for number, ware in enumerate(deck.wares)} | {"-": EMPTY, "?": COVERED}
            name = "step"
            step = Step[pairs[name].upper()]
            name = "turn"
            turn = CHANCE if pairs[name] == "chance" else range(players).index(int(pairs[name].removeprefix("p")))
            name = "hands"
            hands = tuple(Stones(hand).counts for hand in pairs[name].split(","))
            bank = tuple(BANK - sum(column) for column in zip(*hands, strict=True))
            name = "stalls"
            stalls = [(numbers[ware], int(below)) for ware, below in _marked(pairs[name].split(","))]
            name = "bought"
            bought = tuple(
                tuple((numbers[ware], int(points)) for ware, points in _marked(wares.split(";")))
                if wares != "-"
                else ()
                for wares in pairs[name].split(",")
            )
            name = "idle"
            idle = int(pairs[name])
            name = "first"
            pending = tuple((numbers[ware], int(column)) for ware, column in _marked(pairs.get(name, "").split()))
            name = "hands"
            if len(hands) != players or min(bank) < 0:
                raise ValueError
            name = "bought"
            seen = [n for n, _below in stalls if n >= 0] + [n for wares in bought for n, _points in wares]
            seen += [n for n, _column in pending]
            if len(bought) != players or len(set(seen)) != len(seen):
                raise ValueError
        except (KeyError, ValueError) as error:
            if isinstance(error, ParseError):
                raise
            raise ParseError(
                _("state of {game}: {name}={value} cannot be").format(
                    game=cls.game.name, name=name, value=pairs.get(name, "")
                )
            ) from None
        unseen = (1 << len(deck.wares)) - 1 - sum(1 << number for number in seen)
        shown, under = (tuple(column) for column in zip(*stalls, strict=True))
        return cls(setting, step, turn, hands, bank, shown, under, unseen, bought, idle, *pending)


def _marked(items: Iterable[str]) -> Iterator[tuple[str, str]]:
    """``ware:number`` in two."""
    for item in filter(None, items):
        left, sign, right = item.partition(":")
        if not sign:
            raise ValueError(item)
        yield left, right


def _put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    """The same with another item at a place."""
    return (*items[:place], item, *items[place + 1 :])


def _more(bought: tuple[Any, ...], player: int, *purchases: tuple[int, int]) -> tuple[Any, ...]:
    return _put(bought, player, (*bought[player], *purchases))


_make: Final = tuple.__new__
_FACE_NUMBER: Final[dict[str, int]] = {colour: number for number, colour in enumerate(COLOURS)}
_TAKE_NUMBER: Final[dict[str, int]] = {action: number for number, action in enumerate(TAKE)}
_RETURN_NUMBER: Final[dict[str, int]] = {action: number for number, action in enumerate(RETURN)}
_BUY_NUMBER: Final[dict[str, int]] = {action: number for number, action in enumerate(BUY)}
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
    )
)
