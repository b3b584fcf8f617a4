"""The Silk Road's rules (SI-1 to SI-62): the states of a game for three to five players, or two and the neutral.

A turn goes through steps: a card is drawn, then one of six actions; a trade is talks of offer, answer and acceptance,
and ends in an exchange or a barter with the market. Cards that lie face down have no order yet: which one comes up is a
chance outcome. Only the cards bartered away lie under the pile in an order, and `under` says who knows which.

What is hidden: hands, cards under the pile, and the cards of offers that are open. `knows` says for every player which
cards of other hands that player has seen going there; `tradekit.silk.knowledge` makes views of it. Sets of cards are
integers (`tradekit.silk.cards`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import permutations
from random import Random
from typing import Final, cast

from tradekit._utils.arguments import checked, whole_number
from tradekit.drafts import Drafted, set_up
from tradekit.game import (
    CHANCE,
    NO_ACTIONS,
    PLAIN,
    UNTOLD,
    Action,
    Actions,
    BotInfo,
    Even,
    Game,
    IllegalAction,
    Listed,
    Outcomes,
    ParseError,
    normalise_move,
    register,
)
from tradekit.game import State as AnyState
from tradekit.i18n import _, later
from tradekit.show.voice import Voice
from tradekit.silk import actions as kinds
from tradekit.silk import errors, knowledge, notation, validate
from tradekit.silk.actions import BY_STEP, NEUTRAL_ACTION, Choices
from tradekit.silk.cards import CARD_TEXT, GOODS, UNKNOWN, Cards, by_good, cards_of, looked_up, numbers, text
from tradekit.silk.draft import FIELDS, Draft, fresh
from tradekit.silk.effects import DO
from tradekit.silk.market import Market
from tradekit.silk.parameters import HIDDEN, NEUTRAL, OPEN, Rules, Step
from tradekit.silk.parameters import parameters as make_setting

_MARKET, _DEAL, _FIRST, _DRAW, _TURN, _TRADE, _ANSWER, _ACCEPT, _REFILL, _DROP, _HORDES, _NEUTRAL, _OVER = Step

_LAYOUTS: Final = {Action(f"market {' '.join(GOODS[good] for good in row)}"): row for row in permutations(range(5))}


def _cards(word: str) -> dict[str, Cards]:
    """The card that comes up, as a set, by each action of chance with that word."""
    return {f"{word} {name}": 1 << number for number, name in enumerate(CARD_TEXT)}


def _outcomes(cards: dict[str, Cards]) -> tuple[Mapping[int, list[Action]], ...]:
    """The actions of chance by which cards can come up."""
    actions = [*map(Action, cards)]
    return by_good(lambda cards: [actions[number] for number in numbers(cards)])


_DEALS, _DRAWS, _DROPS = map(_cards, ("deal", "draw", "drop"))
_CARD_OUTCOMES: Final = {_DEAL: _outcomes(_DEALS), _DRAW: _outcomes(_DRAWS), _DROP: _outcomes(_DROPS)}
_CARD_OUTCOMES[_REFILL] = _CARD_OUTCOMES[_DRAW]


@checked
def new(players: int = 3, seed: int | None = None, rules: Rules | None = None, **options: object) -> State:
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
    return set_up(fresh(make_setting(Rules.given(rules, options), players)).done(), seed)


class State(Draft, Drafted[Draft], draft=Draft):
    """A position of The Silk Road. Made by `new`, by `after` and by `parse`."""

    __slots__ = ()
    FIELDS = FIELDS
    HOME = "tradekit.silk"

    # Who acts, and how

    def actions(self, player: int) -> Actions:  # noqa: D102  (the contract says it)
        if type(player) is not int:
            player = whole_number(player, "player")
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
            return Even(self.parameters.first_actions)
        return ()

    def after(self, action: str, player: int | None = None) -> State:  # noqa: D102
        if not isinstance(action, str) or type(player) not in PLAIN:
            action, player = normalise_move(action, player)
        if player is None:
            if len(self.actors) > 1:
                actors = ", ".join(f"p{actor}" for actor in self.actors)
                raise IllegalAction(_("say who acts: {actors} (SI-25)").format(actors=actors))
        elif player not in self.actors:
            raise IllegalAction(errors.not_your_turn(self, player))
        new = _DOES[self.step](self, action, player)
        if new is None:
            typed = errors.exact(self, action)
            new = _DOES[self.step](self, typed, player) if typed != action else None
            if new is None:
                raise IllegalAction(errors.why_not(self._known_to(player), typed, player))
        return new

    def _known_to(self, player: int | None) -> State:
        """Return what that actor may know; a refusal reveals no more."""
        who = self.actors[0] if player is None and self.actors else player
        return self.hide_from(who) if who is not None and who in range(self.players) else self

    # The end

    @property
    def players(self) -> int:  # noqa: D102
        return self.parameters.players

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
        """Return the number of goods cards in all places together, and of different ones (SI-1)."""
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
        return self.parameters.rules

    @property
    def pile(self) -> int:
        """Number of cards in the draw pile."""
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

    @checked
    def supply(self, more: int = 0) -> int:
        """Number of cards that can be drawn (SI-40): the pile, and unless it is the last time the new one made when it
        runs out, with `more` discards than now.

        >>> state = new(players=3, seed=1)
        >>> state.pile, state.supply(), state.supply(more=4)
        (35, 35, 39)
        """
        times = self.ran_out + 1
        if times >= self.parameters.run_outs:
            return self.pile
        more += self.discards.bit_count()
        if self.neutral is not None and times >= self.parameters.neutral_leaves:
            more += self.neutral.bit_count() + (self.marker[1:2] == (NEUTRAL,))
        return self.pile + more

    def vocabulary(self) -> Iterator[Action]:
        """Actions of every kind, legal here or not: all short ones, and some of those that combine many cards."""
        return errors.vocabulary(self)

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
        if action not in self.parameters.first_actions:
            return None
        draft = self._draft()
        draft.turn = self.parameters.first_actions.index(action)
        return draft.begin_turn(draft.turn)

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
        state, text, kind, move = kinds.last
        if state is not self or text != action:
            found = kinds.read(BY_STEP[self.step] if self.mover == self.turn else NEUTRAL_ACTION, action)
            if found is None:
                return None
            kind, move = found
            if not kind.legal(self, move):
                return None
        return DO[kind](self._draft(), move)

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

    def hide_from(self, player: int) -> State:  # noqa: D102
        self.need_player(player)
        player = whole_number(player, "player")
        return self._with(**knowledge.hide_from(self, player))

    def sample_hidden(self, rng: Random, player: int) -> State:  # noqa: D102
        return self._with(**knowledge.sample_hidden(self, rng))

    def visible_to(self, action: Action, player: int, later: Iterable[AnyState]) -> str:  # noqa: D102
        from tradekit.silk.wording import visible_to

        return visible_to(self, action, player, cast(Iterable[State], later))

    # Words

    def sentence(self, action: str, actor: int, voice: Voice) -> str:  # noqa: D102
        from tradekit.silk.sentences import sentence

        if action == UNTOLD and actor != CHANCE:
            return super().sentence(action, actor, voice)
        return sentence(self, action, actor, voice)

    def label(self, action: str, voice: Voice) -> str:  # noqa: D102
        from tradekit.silk.sentences import label

        return label(self, action, voice)

    # Pictures

    # Text

    def __str__(self) -> str:
        return notation.write(self)

    @classmethod
    @checked
    def parse(cls, text: str) -> State:
        """The state of that text; raises `ParseError` that says what is wrong with it."""
        state = notation.read(text).done()
        if fault := next(validate.faults(state), ""):
            raise ParseError(_("state of {game}: {fault}").format(game=cls.game.name, fault=fault))
        return state


@cache
def _discards(hand: Cards, neutral: bool) -> Listed:
    return Listed(kinds.discard_text(cards, neutral) for cards in kinds.discards(hand))


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
        title=later("The Silk Road"),
        rules="tradekit.silk.rules_card:RULES",
        help="silk-rules.md",
        options=Rules,
        bots=(
            BotInfo("sale", "tradekit.silk.bots:SaleBot", later("Seller"), "medium"),
            BotInfo("planner", "tradekit.silk.bots:PlannerBot", later("Planner"), "strong", (2, 3, 4, 5)),
        ),
        measured="tradekit.silk:bots.csv",
    )
)
