"""The Silk Road's rules (SI-1 to SI-62): the states of a game for three to five players, or two and the neutral.

A turn goes through steps: a card is drawn, then one of six actions; a trade is talks of offer, answer and acceptance,
and ends in an exchange or a barter with the market. Cards that lie face down have no order yet: which one comes up is a
chance outcome. Only the cards bartered away lie under the pile in an order, and `under` says who knows which.

What is hidden: hands, cards under the pile, and the cards of offers that are open. `knows` says for every player which
cards of other hands that player has seen going there; `tradekit.silk.knowledge` makes views of it. Sets of cards are
integers (`tradekit.silk.cards`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Any, Final

from tradekit.drafts import Drafted, put
from tradekit.game import (
    CHANCE,
    NO_ACTIONS,
    Action,
    Actions,
    Even,
    Game,
    IllegalAction,
    Listed,
    Names,
    Outcomes,
    draw,
    keyed,
    register,
)
from tradekit.i18n import _
from tradekit.remembered import Remembered
from tradekit.silk import kinds, knowledge, notation, refusals
from tradekit.silk.cards import (
    ALL,
    CARD_TEXT,
    GOODS,
    UNKNOWN,
    Cards,
    by_good,
    cards_of,
    good_of,
    looked_up,
    lowest,
    numbers,
    text,
    worth,
)
from tradekit.silk.kinds import BY_STEP, NEUTRAL_ACTION, SAFEGUARDS, Choices, Chosen, Kind, Move
from tradekit.silk.market import Market
from tradekit.silk.setting import (
    ALL_KNOW,
    HIDDEN,
    HORDES,
    LIMIT,
    NEUTRAL,
    NOBODY,
    OPEN,
    RICH_SALE,
    Rules,
    Said,
    Setting,
    Step,
)
from tradekit.silk.setting import setting as make_setting

_MARKET, _DEAL, _FIRST, _DRAW, _TURN, _TRADE, _ANSWER, _ACCEPT, _REFILL, _DROP, _HORDES, _NEUTRAL, _OVER = Step

_LAYOUTS: Final = {Action(f"market {' '.join(GOODS[good] for good in row)}"): row for row in permutations(range(5))}
_CHANCE_WORD: Final = {_DEAL: "deal", _DRAW: "draw", _REFILL: "draw", _DROP: "drop"}
_CARD_ACTIONS: Final = {word: Listed.of(*(f"{word} {name}" for name in CARD_TEXT)) for word in ("deal", "draw", "drop")}
#: By word and action: the card that it says, as a set.
_CARD: Final[dict[str, dict[str, Cards]]] = {
    word: {action: 1 << number for number, action in enumerate(some)} for word, some in _CARD_ACTIONS.items()
}
_DEALS, _DRAWS, _DROPS = _CARD.values()


def _outcomes(word: str) -> tuple[Remembered, ...]:
    """The cards that can come up as what chance does with that word."""
    actions = _CARD_ACTIONS[word]
    return by_good(lambda cards: [actions[number] for number in numbers(cards)])


_CARD_OUTCOMES: Final = {step: _outcomes(word) for step, word in _CHANCE_WORD.items()}


def new(players: int = 3, seed: int | None = None, rules: Rules | None = None, **options: Any) -> State:
    """The state that a game begins with, before its set-up (SI-3 to SI-5).

    Options of `Rules` may be given by name; two play with the neutral player. With `seed` the set-up is sampled, and
    nothing later. Raises `ValueError` for what cannot be.

    >>> new(players=4).actors
    (-1,)
    >>> new(players=4, seed=7).step.name
    'DRAW'
    """
    if not 2 <= players <= 5:
        raise ValueError(_("players={n}: 2 to 5 can play (SI-5, SI-60)").format(n=players))
    state = State.make(
        setting=make_setting(replace(rules or Rules(), **options), players),
        step=_MARKET,
        turn=CHANCE,
        mover=CHANCE,
        market=Market(),
        hordes=HORDES - 1,
        hands=(0,) * (players + (players == 2)),
        unseen=ALL,
        under=(),
        discards=0,
        safeguards=((),) * players,
        dinars=(0,) * players,
        marker=(),
        knows=(0,) * players,
        left=0,
        talked=0,
        exchanged=False,
        partner=NOBODY,
        offers=(),
        commits=(),
        idle=0,
        ran_out=0,
        to_come=(),
    )
    if seed is not None:
        rng = keyed(seed, "set-up")
        while state.turn == CHANCE:
            state = state.after(draw(state.outcomes(), rng))
    return state


_FIELDS: Final = (
    "setting", "step", "turn", "mover", "market", "hordes", "hands", "unseen", "under", "discards", "safeguards",
    "dinars", "marker", "knows", "left", "talked", "exchanged", "partner", "offers", "commits", "idle", "ran_out",
    "to_come",
)  # fmt: skip


class _Draft:
    """A state in the making; see `tradekit.drafts`."""

    __slots__ = (*_FIELDS, "actors")  # the last one follows from the others
    setting: Setting
    step: Step
    turn: int  #: whose turn it is; CHANCE during the set-up
    mover: int  #: whose hand acts: `turn`, or in a neutral turn `NEUTRAL` (SI-60)
    market: Market
    hordes: int  #: what the hordes' pile shows (SI-25)
    hands: tuple[Cards, ...]  #: of each player; in a game for two also of the neutral while it is there
    unseen: Cards  #: the draw pile but for `under`, without order; in a view: with all that is hidden from the player
    under: tuple[tuple[int, int], ...]  #: SI-12: cards under the draw pile from the top, each with who put it there
    discards: Cards
    safeguards: tuple[tuple[int, ...], ...]  #: SI-22: of each player, the oldest first
    dinars: tuple[int, ...]
    marker: tuple[int, ...]  #: SI-33: its card, the briber, and the two goods; () without a bribe
    knows: tuple[Cards, ...]  #: of each player: cards in hands of others that the player has seen going there
    left: int  #: cards that are still to be drawn or dropped
    talked: int  #: a bit for each player with whom a talk was finished this turn (SI-10)
    exchanged: bool  #: whether one of these talks ended in an exchange (SI-12)
    partner: int  #: with whom the talk is; NOBODY
    offers: tuple[Said, ...]  #: what was said in it: the offer, and the answer
    commits: tuple[int, ...]  #: what each hand loses to the hordes, OPEN until it is chosen; () without a raid
    idle: int  #: turns since the pile last shrank or something was sold (SI-53); -1: in this turn
    ran_out: int  #: how often the pile has run out (SI-50)
    to_come: tuple[int, ...]  #: whose turns are still to come when it has for the last time (SI-51)
    actors: tuple[int, ...]  #: whose decision is open: follows from the others

    def done(self) -> State:
        """The finished state."""
        self.actors = self.setting.actors[self.step][self.turn] or self.several()
        self.__class__ = State
        return self  # type: ignore[return-value]

    def several(self) -> tuple[int, ...]:
        """Who acts where it is not by turns: who answers, and all who still choose what the hordes take."""
        if self.step is _ANSWER:
            return (self.partner,)
        n, commits = self.setting.players, self.commits
        chooses = {player for player, cards in enumerate(commits[:n]) if cards == OPEN}
        if commits[n:] == (OPEN,):  # SI-60: for the neutral, too, behind the own hand
            chooses.add(self.turn)
        return tuple(sorted(chooses))

    @property
    def closed(self) -> bool:
        """Whether the pile has run out for the last time, and stays empty (SI-51)."""
        return self.ran_out >= self.setting.run_outs

    # Where cards go

    def give(self, seat: int, cards: Cards) -> None:
        """Add cards to a hand, or for cards that are in it take them out."""
        hands = [*self.hands]
        hands[seat] ^= cards
        self.hands = tuple(hands)

    def discard(self, seat: int, cards: Cards) -> None:
        """Cards of a hand go to the discards, face up: nobody has to remember where they were."""
        self.give(seat, cards)
        self.discards |= cards
        self.forget(cards)

    def forget(self, cards: Cards) -> None:
        """These cards are not where somebody saw them going any more, or all see where they are."""
        if any(self.knows):
            self.knows = tuple([known & ~cards for known in self.knows])

    def clear_marker(self) -> None:
        """The bribe is over; its marker goes to the discards (SI-33)."""
        if self.marker:
            self.discards |= 1 << self.marker[0]
            self.marker = ()

    # The pile

    def fetch(self) -> State:
        """Go on drawing: chance says which card comes up, but of the known bottom of the pile (SI-12)."""
        while self.left:
            if self.unseen:
                return self.done()
            card, by = self.under[0]
            self.under = self.under[1:]
            if self.mover < len(self.knows):  # the neutral's hand is open
                for player in range(len(self.knows)):
                    if player != self.mover and by in (player, ALL_KNOW):
                        self.know(player, 1 << card)
            self.receive(1 << card)
        if self.step is _REFILL:
            return self.action_over()
        if self.mover != self.turn and len(self.hands) <= NEUTRAL:  # it has left (SI-62)
            return self.turn_over()
        self.step = _TURN
        return self.done()

    def know(self, player: int, cards: Cards) -> None:
        """A player sees these cards going into another's hand."""
        knows = [*self.knows]
        knows[player] |= cards
        self.knows = tuple(knows)

    def receive(self, card: Cards) -> None:
        """The one who moves gets a card from the pile."""
        hands = [*self.hands]
        hands[self.mover] |= card
        self.hands = tuple(hands)
        self.left -= 1
        if not (self.unseen or self.under):
            self.run_out(bought=self.step is _REFILL)  # a barter and the neutral's pass put back as many as they draw

    def drop(self) -> State:
        """Go on turning up the cards that a pass drops (SI-41); then the turn is over."""
        while self.left:
            if self.unseen:
                return self.done()
            (card, _by), *rest = self.under
            self.under = tuple(rest)
            self.lose(1 << card)
        return self.turn_over()

    def lose(self, card: Cards) -> None:
        """A card of the pile goes to the discards."""
        self.discards |= card
        self.left -= 1
        if not (self.unseen or self.under):
            self.run_out()

    def run_out(self, bought: bool = False) -> None:
        """The pile has run out (SI-50), or is treated so (SI-53): a new one is made, or the end comes (SI-51).

        `bought`: by a purchase, whose buyer then has one turn less.
        """
        setting = self.setting
        self.ran_out += 1
        self.neutral_leaves()
        if not self.closed:
            self.market = self.market.raised()
            self.unseen |= self.discards | cards_of(card for card, _by in self.under)
            self.discards, self.under = 0, ()
            if self.unseen:
                return
            self.ran_out = setting.run_outs
            self.neutral_leaves()
        n = setting.players
        order = [(self.turn + 1 + place) % n for place in range(n)]
        last = [*order, *order] if setting.rules.last_turns == "rounds" else [p for p in order for _turn in (1, 2)]
        if bought:
            last.pop(len(last) - 1 - last[::-1].index(self.turn))
        self.left, self.to_come = 0, tuple(last)

    def neutral_leaves(self) -> None:
        """If it is time: the neutral's marker and its hand go to the discards (SI-62)."""
        if self.ran_out < self.setting.neutral_leaves or len(self.hands) == self.setting.players:
            return
        if self.marker and self.marker[1] == NEUTRAL:
            self.clear_marker()
        self.discards |= self.hands[NEUTRAL]
        self.hands = self.hands[:NEUTRAL]

    # The course of a turn

    def begin_turn(self) -> State:
        """The turn of `turn` begins: with six cards or fewer one is drawn, while there is a pile (SI-6, SI-51)."""
        self.talked, self.exchanged = 0, False
        return self.move_with(self.turn)

    def move_with(self, seat: int) -> State:
        """That hand draws, and moves (SI-6, SI-60)."""
        self.mover = seat
        if self.hands[seat].bit_count() >= LIMIT or self.closed:
            self.step = _TURN
            return self.done()
        self.step, self.left, self.idle = _DRAW, 1, -1
        return self.done() if self.unseen else self.fetch()

    def trade_on(self) -> State:
        """After a talk: another one, or the end of the trading; SI-13 wants an exchange, a barter, or a closed pile."""
        self.partner, self.offers = NOBODY, ()
        self.step = _TRADE
        if kinds.partners(self) or not (self.exchanged or self.closed):
            return self.done()
        return self.action_over()

    def action_over(self) -> State:
        """After an action other than a pass: two players may take a neutral turn (SI-60), else the turn is over."""
        if self.mover == self.turn and len(self.hands) > self.setting.players:
            self.step = _NEUTRAL
            return self.done()
        return self.turn_over()

    def turn_over(self) -> State:
        """The next one's turn begins (SI-5, SI-51), or the game is over."""
        setting = self.setting
        self.idle += 1
        if self.idle == setting.patience and not self.closed:
            self.idle = 0
            self.run_out()
        if self.ran_out < setting.run_outs:
            self.turn = setting.left[self.turn]
        elif self.to_come:
            self.turn, self.to_come = self.to_come[0], self.to_come[1:]
        else:
            self.mover, self.step, self.talked, self.exchanged = self.turn, _OVER, 0, False
            return self.done()
        return self.begin_turn()

    def raid(self) -> State:
        """The hordes attack (SI-25): all choose what they lose, at once; where nothing is to choose it is settled."""
        self.step = _HORDES
        self.commits = kinds.first_commits(self.hands, self.setting.players)
        return self.raided()

    def raided(self) -> State:
        """The hordes take what was chosen when all have chosen."""
        if OPEN in self.commits:
            return self.done()
        lost, self.commits = self.commits, ()
        for seat, cards in enumerate(lost):
            self.discard(seat, cards)
        return self.action_over()


class State(_Draft, Drafted[_Draft], draft=_Draft):
    """A position of The Silk Road. Made by `new`, by `after` and by `parse`."""

    __slots__ = ()
    FIELDS = _FIELDS

    # Who acts, and how

    def actions(self, player: int) -> Actions:  # noqa: D102  (the contract says it)
        if player not in self.actors or player == CHANCE:
            return NO_ACTIONS
        if self.step is _HORDES:
            seat = player if self.commits[player] == OPEN else NEUTRAL
            return _discards(self.hands[seat], seat != player)
        return Choices(self, BY_STEP[self.step] if self.mover == self.turn else NEUTRAL_ACTION)

    def outcomes(self) -> Outcomes:  # noqa: D102
        tables = _CARD_OUTCOMES.get(self.step)
        if tables:
            return Even(looked_up(self.unseen, tables))
        if self.step is _MARKET:
            return Even([*_LAYOUTS])
        if self.step is _FIRST:
            return Even(self.setting.first_actions)
        return ()

    def after(self, action: str, player: int | None = None) -> State:  # noqa: D102
        if player is None:
            if len(self.actors) > 1:
                raise IllegalAction(
                    _("say who acts: {actors} (SI-25)").format(actors=", ".join(map(_seat, self.actors)))
                )
        elif player not in self.actors:
            raise IllegalAction(refusals.not_your_turn(self, player))
        new = _DOES[self.step](self, action, player)
        if new is None:
            typed = refusals.exact(self, action)
            new = _DOES[self.step](self, typed, player) if typed != action else None
            if new is None:
                raise IllegalAction(refusals.why_not(self, typed, player))
        return new

    # The end

    @property
    def players(self) -> int:  # noqa: D102
        return self.setting.players

    def scores(self) -> tuple[int, ...]:
        """The dinars."""
        return self.dinars

    def winners(self) -> tuple[int, ...]:
        """Most dinars; of those tied most safeguards; still tied, they share it (SI-52)."""
        if self.step is not _OVER:
            return ()
        ranks = [(dinars, len(cards)) for dinars, cards in zip(self.dinars, self.safeguards, strict=True)]
        return tuple(player for player, rank in enumerate(ranks) if rank == max(ranks))

    def conserved(self) -> tuple[int, ...]:
        """How many goods cards there are in all places together, and how many different ones (SI-1)."""
        places = [*self.hands, self.unseen, self.discards, cards_of(card for card, _by in self.under)]
        places += [1 << card for cards in self.safeguards for card in cards]
        places += [1 << card for card in self.marker[:1]]
        different = 0
        for cards in places:
            different |= cards
        return sum(cards.bit_count() for cards in places), different.bit_count()

    # What a person asks

    @property
    def turn_of(self) -> int:  # noqa: D102
        return self.turn

    @property
    def rules(self) -> Rules:
        """The options in force."""
        return self.setting.rules

    @property
    def pile(self) -> int:
        """How many cards the draw pile has."""
        if self.closed:
            return 0
        pile = self.unseen.bit_count() + len(self.under)
        if max(self.hands) >> UNKNOWN or self.under:  # of a view
            pile -= sum([(hand >> UNKNOWN).bit_count() for hand in self.hands])
            pile -= sum([card == HIDDEN for card, _by in self.under])
        return pile

    @property
    def holdings(self) -> tuple[str, ...]:
        """The cards of each hand as text; those that are not known are left out."""
        return tuple(map(text, self.hands))

    @property
    def neutral(self) -> Cards | None:
        """The open hand of the neutral player; None without one (SI-60, SI-62)."""
        return self.hands[NEUTRAL] if len(self.hands) > self.players else None

    def supply(self, more: int = 0) -> int:
        """How many cards can be drawn (SI-40): the pile, and unless it is the last time the new one made when it runs
        out, with `more` discards than now.
        """
        times = self.ran_out + 1
        if times >= self.setting.run_outs:
            return self.pile
        more += self.discards.bit_count()
        if self.neutral is not None and times >= self.setting.neutral_leaves:
            more += self.neutral.bit_count() + (self.marker[1:2] == (NEUTRAL,))
        return self.pile + more

    def vocabulary(self) -> Iterator[Action]:
        """Actions of every kind, legal here or not: all short ones, and some of those that combine many cards."""
        return refusals.vocabulary(self)

    # The steps: each the state after an action, or None if it is not legal here

    def _lay_out(self, action: str, player: int | None) -> State | None:
        row = _LAYOUTS.get(action)  # type: ignore[call-overload]
        if row is None:
            return None
        return self._with(market=Market.begin(row, self.rules.zeros == "stay"), step=_DEAL)

    def _deal(self, action: str, player: int | None) -> State | None:
        card = _DEALS.get(action, 0)
        if not card & self.unseen:
            return None
        draft, first_hand = self._draft(), self.rules.first_hand
        dealt = UNKNOWN - self.unseen.bit_count()
        draft.unseen ^= card
        draft.give(dealt // first_hand, card)
        if dealt + 1 == first_hand * len(self.hands):
            draft.step = _FIRST
        return draft.done()

    def _begin(self, action: str, player: int | None) -> State | None:
        if action not in self.setting.first_actions:
            return None
        draft = self._draft()
        draft.turn = self.setting.first_actions.index(action)
        return draft.begin_turn()

    def _drawn(self, action: str, player: int | None) -> State | None:
        card = _DRAWS.get(action, 0)
        if not card & self.unseen:
            return None
        draft = self._draft()
        draft.unseen ^= card
        draft.receive(card)
        return draft.fetch()

    def _dropped(self, action: str, player: int | None) -> State | None:
        card = _DROPS.get(action, 0)
        if not card & self.unseen:
            return None
        draft = self._draft()
        draft.unseen ^= card
        draft.lose(card)
        return draft.drop()

    def _move(self, action: str, player: int | None) -> State | None:
        if type(action) is Chosen and action.state is self:
            return _DO[action.kind](self._draft(), action.move)
        found = kinds.read(BY_STEP[self.step] if self.mover == self.turn else NEUTRAL_ACTION, action)
        if found is None:
            return None
        kind, move = found
        return _DO[kind](self._draft(), move) if kind.legal(self, move) else None

    def _commit(self, action: str, player: int | None) -> State | None:
        who = self.actors[0] if player is None else player
        if action not in (actions := self.actions(who)):
            return None
        seat = who if self.commits[who] == OPEN else NEUTRAL
        commits = [*self.commits]
        ways = kinds.discards(self.hands[seat])
        commits[seat] = ways[[*actions].index(Action(action))]
        draft = self._draft()
        draft.commits = tuple(commits)
        return draft.raided()

    def _nothing(self, action: str, player: int | None) -> State | None:
        return None

    def masked(self, player: int) -> State:  # noqa: D102
        return self._with(**knowledge.masked(self, player))

    def completed(self, rng: Any, player: int) -> State:  # noqa: D102
        return self._with(**knowledge.completed(self, rng))

    def heard(self, action: Action, player: int, later: Iterable[Any]) -> str:  # noqa: D102
        from tradekit.silk.told import heard

        return heard(self, action, player, later)

    # Pictures

    def html(self, player: int | None = None, *, live: bool = False, names: Names = ()) -> str:  # noqa: D102
        from tradekit.silk.table_view import picture

        return picture(self, player, live=live, names=names)

    def to_svg(self, player: int | None = None, names: Names = ()) -> str:  # noqa: D102
        from tradekit.silk.state_svg import picture

        return picture(self, player, names)

    # Text

    def __str__(self) -> str:
        return notation.write(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """The state of that text; raises `ParseError` that says what is wrong with it."""
        return cls.make(**notation.read(text))


def _seat(player: int) -> str:
    return f"p{player}"


@cache
def _discards(hand: Cards, neutral: bool) -> Listed:
    return Listed(kinds.discard_text(cards, neutral) for cards in kinds.discards(hand))


# What each kind of action does. The draft is still the state as it was.


def _sell(draft: _Draft, move: Move) -> State:
    """SI-20 to SI-25; of the neutral's sales only the market takes notice (SI-60)."""
    (cards,) = move
    good = good_of(lowest(cards))
    draft.market = draft.market.sell(good)
    draft.idle = -1
    if draft.marker and good in draft.marker[2:]:  # SI-33; only the briber can have sold it
        draft.clear_marker()
    draft.discard(draft.mover, cards)
    turn = draft.turn
    if draft.mover != turn:
        return draft.turn_over()
    kept = lowest(cards)
    draft.discards ^= 1 << kept
    draft.safeguards = put(draft.safeguards, turn, (*draft.safeguards[turn], kept))
    dinars = draft.setting.dinars[cards.bit_count()][worth(cards)]
    draft.dinars = put(draft.dinars, turn, draft.dinars[turn] + dinars)
    if dinars >= RICH_SALE:
        draft.hordes = (draft.hordes - 1) % HORDES
        if not draft.hordes:
            return draft.raid()
    return draft.action_over()


def _pay(draft: _Draft, payment: Cards, safeguards: int) -> int:
    """Cards, or safeguards from the oldest on, go to the discards. Hands back the lowest, or the oldest, of them."""
    if payment != SAFEGUARDS:
        draft.discard(draft.mover, payment)
        return lowest(payment)
    have = draft.safeguards[draft.turn]
    draft.safeguards = put(draft.safeguards, draft.turn, have[safeguards:])
    draft.discards |= cards_of(have[:safeguards])
    return have[0]


def _bribe(draft: _Draft, move: Move) -> State:
    """SI-30 to SI-33."""
    up, down, payment = move
    draft.market = draft.market.bribe(up, down)
    draft.clear_marker()
    marker = _pay(draft, payment, 1)
    draft.discards ^= 1 << marker
    draft.marker = (marker, draft.mover, min(up, down), max(up, down))
    return draft.action_over()


def _audience(draft: _Draft, move: Move) -> State:
    """SI-35."""
    good, order, payment = move
    draft.market = draft.market.audience(good, order)
    _pay(draft, payment, 2)
    return draft.action_over()


def _buy(draft: _Draft, move: Move) -> State:
    """SI-40."""
    (safeguards,) = move
    _pay(draft, SAFEGUARDS, safeguards)
    draft.step, draft.idle, draft.left = _REFILL, -1, safeguards * draft.setting.rules.bought
    return draft.fetch()


def _barter(draft: _Draft, move: Move) -> State:
    """SI-12. Who saw cards going into that hand does not know any more whether they are there: one has left it."""
    (card,) = move
    mover = draft.mover
    if mover == draft.turn:
        if any(draft.knows):
            kept = ~draft.hands[mover]
            draft.knows = tuple([known & kept for known in draft.knows])
        draft.under = (*draft.under, (card, mover))
    else:
        draft.under = (*draft.under, (card, ALL_KNOW))
    draft.give(mover, 1 << card)
    draft.step, draft.left = _REFILL, 1
    return draft.fetch()


def _pass(draft: _Draft, _move: Move) -> State:
    """SI-41."""
    if not draft.closed:
        draft.step = _DROP
        draft.left = min(draft.setting.rules.dropped, draft.unseen.bit_count() + len(draft.under))
        if draft.left:
            draft.idle = -1
    return draft.drop()


def _neutral_pass(draft: _Draft, move: Move) -> State:
    """SI-61."""
    draft.give(NEUTRAL, draft.hands[NEUTRAL])
    draft.under = (*draft.under, *[(card, ALL_KNOW) for card in move])
    draft.step, draft.left = _REFILL, len(move)
    return draft.fetch()


def _offer(draft: _Draft, move: Move) -> State:
    """SI-11."""
    partner, cards, good = move
    draft.partner, draft.offers, draft.step = partner, (Said.of(cards, good),), _ANSWER
    return draft.done()


def _answer(draft: _Draft, move: Move) -> State:
    """SI-11."""
    cards, good = move
    draft.offers, draft.step = (*draft.offers, Said.of(cards, good)), _ACCEPT
    return draft.done()


def _decline(draft: _Draft, _move: Move) -> State:
    """SI-11: the talk has failed."""
    draft.talked |= 1 << draft.partner
    return draft.trade_on()


def _accept(draft: _Draft, _move: Move) -> State:
    """SI-11: the cards change hands face down; each remembers what it gave, and others cannot tell what is where."""
    one, other = draft.turn, draft.partner
    given, got = draft.offers[0].cards, draft.offers[1].cards
    both = draft.hands[one] | draft.hands[other]
    knows = [known & ~both if player not in (one, other) else known for player, known in enumerate(draft.knows)]
    knows[one] = knows[one] & ~got | given
    knows[other] = knows[other] & ~given | got
    draft.knows = tuple(knows)
    draft.give(one, given | got)
    draft.give(other, given | got)
    draft.talked |= 1 << other
    draft.exchanged = True
    return draft.trade_on()


def _neutral_turn(draft: _Draft, _move: Move) -> State:
    """SI-60."""
    return draft.move_with(NEUTRAL)


_DO: Final[dict[Kind, Callable[[_Draft, Move], State]]] = {
    kinds.SELL: _sell,
    kinds.BRIBE: _bribe,
    kinds.AUDIENCE: _audience,
    kinds.BUY: _buy,
    kinds.BARTER: _barter,
    kinds.OFFER: _offer,
    kinds.PASS: _pass,
    kinds.NEUTRAL_PASS: _neutral_pass,
    kinds.ANSWER: _answer,
    kinds.ACCEPT: _accept,
    kinds.DECLINE: _decline,
    kinds.DONE: lambda draft, _move: draft.action_over(),
    kinds.NEUTRAL_TURN: _neutral_turn,
    kinds.NO_NEUTRAL_TURN: lambda draft, _move: draft.turn_over(),
}
_DOES: Final = (
    State._lay_out,
    State._deal,
    State._begin,
    State._drawn,
    State._move,
    State._move,
    State._move,
    State._move,
    State._drawn,
    State._dropped,
    State._commit,
    State._move,
    State._nothing,
)  # by step

GAME: Final = register(
    Game(
        name="silk",
        state=State,
        new=new,
        players=(2, 3, 4, 5),
        simultaneous=True,
        hidden=True,
        conserves="goods cards, and that each is in one place",
    )
)
