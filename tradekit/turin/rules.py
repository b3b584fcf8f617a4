"""Turin Market's rules (TU-5 to TU-43): the states of a game for two to five players.

An auction goes through steps: hand cards are chosen and shown, cards on sale may be claimed, all bid, ties are settled
one after another, cards are chosen, and some are offered for sale. A step that leaves nothing to decide is passed over.
At a simultaneous moment each commits when ready, and nothing shows before the last one has. Cards that lie face down
come up by chance when they are dealt; then they are hidden from everybody but their owner.

What bids lead to is worked out by `auction`, what is paid in the end by `payment`; here they are put into states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import Final

from tradekit._utils.arguments import an_object, checked, optional, whole_number
from tradekit.auctions.formats import Block, Kind
from tradekit.drafts import Drafted, put, set_up
from tradekit.game import (
    CHANCE,
    NO_ACTIONS,
    PLAIN,
    Action,
    Actions,
    BotInfo,
    Even,
    Game,
    IllegalAction,
    Listed,
    Outcomes,
    ParseError,
    choices,
    normalise_move,
    read_pairs,
    register,
)
from tradekit.i18n import _, later
from tradekit.show.voice import Voice
from tradekit.turin import auction, payment
from tradekit.turin.actions import (
    CLAIM_NUMBERS,
    CLAIMS,
    DEALS,
    DEALT,
    DISCARD,
    DONE,
    NO_GOOSE,
    PASS,
    SELLS,
    SHOW,
    TAKE,
    WITHDRAWALS,
    Amounts,
    order_action,
    read,
    read_amount,
    read_offer,
    with_amount,
)
from tradekit.turin.deck import CARDS, Deck
from tradekit.turin.draft import FIELDS, NOT_ASKED, OPEN, Draft, fresh
from tradekit.turin.errors import not_your_turn, why_not
from tradekit.turin.fields import missing, written
from tradekit.turin.fields import read as read_field
from tradekit.turin.goose import CLAIM
from tradekit.turin.parameters import ALL, SIMULTANEOUS, START, Rules, Step, bits, numbers, picker
from tradekit.turin.parameters import parameters as make_setting
from tradekit.turin.payment import LOAN

(_DEAL, _SHOW, _WINDOW, _CHOOSE, _BID, _GOOSE, _ADD, _COIN, _TAKE, _OFFER, _PAID, _OVER) = Step

_deals: Final = picker([*DEALS.values()])  # what chance may do when these cards can come up


@checked(deck=optional(an_object(Deck, "Deck.house()", house=Deck.house)))
def new(
    players: int = 3,
    *,
    deck: Deck | None = None,
    rules: Rules | None = None,
    seed: int | None = None,
    **options: object,
) -> State:
    """The state that a game begins with, before the cards are dealt (TU-5).

    Options of `Rules` may be given by name, such as ``payouts="new"``. With `seed` the set-up is sampled, and nothing
    later. Raises `ValueError` for what cannot be.

    >>> new(players=3).actors
    (-1,)
    >>> new(players=3, seed=7).step.name
    'SHOW'
    """
    if players not in (2, 3, 4, 5):
        raise ValueError(_("players={n}: 2 to 5 can play (TU-5)").format(n=players))
    return set_up(fresh(make_setting(Rules.given(rules, options), deck or Deck.house(), players)).done(), seed)


class State(Draft, Drafted[Draft], draft=Draft):
    """A position of Turin Market. Made by `new`, by `after` and by `parse`."""

    __slots__ = ()
    FIELDS = FIELDS
    HOME = "tradekit.turin"

    # Who acts, and how

    def actions(self, player: int) -> Actions:  # noqa: D102  (the contract says it)
        if type(player) is not int:
            player = whole_number(player, "player")
        if player not in self.actors or player == CHANCE:
            return NO_ACTIONS
        return _MAY[self.step](self, player)

    def outcomes(self) -> Outcomes:  # noqa: D102
        if self.step is _DEAL or self.step is _PAID:
            return Even(_deals(self.rest if self.step is _DEAL else ALL))
        if self.step is _COIN:
            return Even([*map(order_action, auction.orders(self.parameters.format(self.auction), self._flip()))])
        return ()

    def after(self, action: str, player: int | None = None) -> State:  # noqa: D102
        if not isinstance(action, str) or type(player) not in PLAIN:
            action, player = normalise_move(action, player)
        actors = self.actors
        if player is None and len(actors) == 1:
            player = actors[0]
        if player not in actors:
            asked = self._known_to(player) if self.step in SIMULTANEOUS else self
            raise IllegalAction(not_your_turn(asked, action, player))
        new = _DOES[self.step](self, action, player)
        if new is None:
            exact = read(action)
            new = _DOES[self.step](self, exact, player) if exact != action else None
            if new is None:
                raise IllegalAction(why_not(self._known_to(player), exact, player))
        return new

    def _known_to(self, player: int | None) -> State:
        """Return what that actor may know; a refusal reveals no more."""
        return self.hide_from(player) if player is not None and player in range(self.players) else self

    def _may_show(self, player: int) -> Listed:
        return SHOW.among(self.hands[player])

    def _may_bid(self, player: int) -> Actions:
        return _amounts("bid", self.reserve[player], self.loans[player])

    def _may_add(self, player: int) -> Actions:
        return _amounts("add", self.reserve[player] - self.bids[player], self.loans[player])

    def _may_claim(self, player: int) -> Listed:
        have, borrowed = self.reserve[player], self.loans[player]
        claims = [PASS]
        for card, owner, price in self.sale:
            if owner != player:
                if price <= have:
                    claims.append(CLAIMS[card, 0])
                if not borrowed and price <= have + LOAN:
                    claims.append(CLAIMS[card, 1])
        return Listed(claims)

    def _may_choose(self, player: int) -> Listed:
        card = self.claims[0][0]
        return Listed(Action(f"sell {card} to p{buyer}") for number, buyer, _loan in self.claims if number == card)

    def _may_goose(self, player: int) -> Listed:
        return Listed.of(NO_GOOSE, *self.parameters.goose.may(self.holder, auction.tie(self.blocks()), player))

    def _may_take(self, player: int) -> Listed:
        cards = self.queue[0][1]
        return (TAKE if cards > 0 else DISCARD).among(self.centre, abs(cards))

    def _may_offer(self, player: int) -> Amounts:
        most = self._budget(player)
        cards = numbers(self.won[player])
        plain: tuple[Action, ...] = (DONE,)
        if own := [card for card, owner, _price in self.sale if owner == player]:
            plain += tuple([WITHDRAWALS[card] for card in own])
            if self.parameters.several:
                cards = tuple([card for card in cards if card not in own])
        loaned = 0 if self.loans[player] else most + LOAN
        return Amounts([SELLS[card] for card in cards], 1, most, loaned, plain)

    def _budget(self, player: int) -> int:
        """The highest price that a player can put on a card without a loan; the offer that it replaces pays for it."""
        if self.parameters.several:
            return self.reserve[player]
        return self.reserve[player] + sum([price for _card, owner, price in self.sale if owner == player])

    # The steps: each the state after an action, or None if it is not legal here

    def _deal(self, action: str, player: int) -> State | None:
        draft = self._next_game() if self.step is _PAID else self._draft()
        card = DEALT.get(action, 0)
        if not draft.rest & card:
            return None
        draft.rest ^= card
        size, players = self.parameters.hand, len(draft.hands)
        dealt = CARDS - 1 - draft.rest.bit_count()
        if min(draft.hands) < 0:  # in a view the cards of others are counted in the rest
            dealt -= sum([hand for hand in draft.hands if hand < 0])
        receiver = dealt // size
        if receiver < players:
            hand = draft.hands[receiver]
            draft.hands = put(draft.hands, receiver, hand - 1 if hand < 0 else hand | card)
        else:
            draft.centre |= card
        return draft.done() if dealt + 1 < size * players + self.parameters.centre else draft.begin_auction()

    def _next_game(self) -> Draft:
        """The next game of a match (TU-40)."""
        draft = fresh(self.parameters)
        draft.past = (*self.past, self.reserve)
        if self.rules.goose_stays:
            draft.holder = self.holder
        return draft

    def _show(self, action: str, player: int) -> State | None:
        card = SHOW.named(action, self.hands[player])
        if not card:
            return None
        return self._commit(player, card << 1, Draft.reveal_cards)

    def _bid(self, action: str, player: int) -> State | None:
        amount, loan = read_amount("bid", action)
        if not self._can(player, amount, loan, self.reserve[player]):
            return None
        return self._commit(player, amount << 1 | loan, Draft.reveal_bids)

    def _add(self, action: str, player: int) -> State | None:
        amount, loan = read_amount("add", action)
        if not self._can(player, amount, loan, self.reserve[player] - self.bids[player]):
            return None
        return self._commit(player, amount << 1 | loan, Draft.reveal_additions)

    def _can(self, player: int, amount: int, loan: bool, have: int) -> bool:
        """Return True if a player with that much money can name an amount, with a loan or without (TU-11, TU-30)."""
        return 1 <= amount <= have + LOAN and not self.loans[player] if loan else 0 <= amount <= have

    def _commit(self, player: int, choice: int, reveal: Callable[[Draft], State]) -> State:
        """The state after a choice at a simultaneous moment; what follows when it is the last one."""
        draft = self._draft()
        draft.commits = put(self.commits, player, choice)
        if len(self.actors) == 1:
            return reveal(draft)
        return draft.asking(tuple([actor for actor in self.actors if actor != player]))

    def _claim(self, action: str, player: int) -> State | None:
        card, loan = CLAIM_NUMBERS.get(action, (0, 0))
        if card:
            have = self.reserve[player] + LOAN * loan
            if loan and self.loans[player]:
                return None
            if not any(card == number and owner != player and price <= have for number, owner, price in self.sale):
                return None
        elif action != PASS:
            return None
        return self._commit(player, card << 1 | loan, Draft.claimed)

    def _choose(self, action: str, player: int) -> State | None:
        if action not in self._may_choose(player):
            return None
        card, buyer = self.claims[0][0], int(action.rpartition("p")[2])
        draft = self._draft()
        draft.claims = tuple([claim for claim in self.claims if claim[0] != card or claim[1] == buyer])
        return draft.serve()

    def _use_goose(self, action: str, player: int) -> State | None:
        tied = auction.tie(self.blocks())
        draft = self._draft()
        if action == NO_GOOSE:
            draft.queue = self.queue[1:]
            return draft.done() if draft.queue else draft.ask_additions(tied)
        if action not in self.parameters.goose.may(self.holder, tied, player):
            return None
        draft.holder, shifts = self.parameters.goose.moved(tied, player, action)
        draft.standing = auction.moved(self.standing, shifts)
        draft.queue = ()
        rest = tuple([other for other in tied if not shifts.get(other)])
        return draft.ask_additions(rest) if rest and rest == auction.tie(draft.blocks()) else draft.settle_ties()

    def _flip(self) -> Block:
        block = auction.flip(self.parameters.format(self.auction), self.blocks(), self.named)
        assert block is not None
        return block

    def _toss(self, action: str, player: int) -> State | None:
        block = self._flip()
        orders = auction.orders(self.parameters.format(self.auction), block)
        order = next((order for order in orders if order_action(order) == action), None)
        if order is None:
            return None
        draft = self._draft()
        if block.kind is Kind.VOID:
            draft.named = self.named + order
        else:
            draft.standing = auction.ordered(self.standing, self.blocks(), block, order)
        return draft.settle_ties()

    def _take(self, action: str, player: int) -> State | None:
        number = self.queue[0][1]
        cards = (TAKE if number > 0 else DISCARD).named(action, self.centre, abs(number))
        if not cards:
            return None
        draft = self._draft()
        draft.take(cards)
        return draft.choose_cards()

    def _offer(self, action: str, player: int) -> State | None:
        draft = self._draft()
        if action != DONE:
            card, price, loan = read_offer(action)
            own = [offer for offer in self.sale if offer[1] == player]
            if price:
                if not self.won[player] >> card - 1 & 1 or not self._can(player, price, loan, self._budget(player)):
                    return None
                if not self.parameters.several:
                    draft.withdraw(own)
                elif any(card == other for other, _owner, _price in own):
                    return None
                if loan:
                    draft.borrow(player)
                draft.reserve = put(draft.reserve, player, draft.reserve[player] - price)
                sale = [*draft.sale, (card, player, price)]
                sale.sort()
                draft.sale = tuple(sale)
            elif same := [offer for offer in own if offer[0] == card]:
                draft.withdraw(same)
                if self.parameters.several:  # more may follow
                    return draft.ask_offer()
            else:
                return None
        draft.queue = self.queue[1:]
        return draft.ask_offer()

    def _nothing(self, action: str, player: int) -> State | None:
        return None

    # The end

    @property
    def players(self) -> int:  # noqa: D102
        return len(self.hands)

    def scores(self) -> tuple[int, ...]:
        """Escudos, coins on cards for sale included, less what a loan will cost; in a match those of all games."""
        if self.cash:
            now = self.reserve
        else:
            now = tuple([have - payment.REPAID * loan for have, loan in zip(self.owned, self.loans, strict=True)])
        return tuple(map(sum, zip(now, *self.past, strict=True)))

    def conserved(self) -> tuple[int, ...]:
        """Escudos of all players and of the bank's ledger together, and cards."""
        coins = sum(price for _card, _owner, price in self.sale)
        piles = [*self.won, self.centre, self.gone, self.rest]
        cards = sum(pile.bit_count() for pile in piles) + sum(map(_count, self.hands))
        return sum(self.reserve) + coins + self.bank, cards

    # What a player may know

    def hide_from(self, player: int) -> State:
        """Others' hands, the cards that nobody has seen, and what others have committed, are not known."""
        self.need_player(player)
        player = whole_number(player, "player")
        draft = self._draft()
        draft.hands = tuple([hand if p == player else -_count(hand) for p, hand in enumerate(self.hands)])
        draft.rest = ALL & ~(max(self.hands[player], 0) | self.centre | self.gone)
        for won in self.won:
            draft.rest &= ~won
        if self.step in SIMULTANEOUS:
            draft.commits = tuple(
                [choice if p == player else self._before(p, choice) for p, choice in enumerate(self.commits)]
            )
        return draft.done()

    def _before(self, player: int, choice: int) -> int:
        """Return the value before a choice, as it was when the moment began."""
        if choice == NOT_ASKED:
            return NOT_ASKED
        least = self.bids[player] + 1 if self.step is _ADD else 1
        forced = self.step in (_BID, _ADD) and not self.may_pay(player, least)
        return 0 if forced else OPEN

    def sample_hidden(self, rng: Random, player: int) -> State:
        """Others' hands are dealt from the cards that this player has not seen."""
        unseen = list(numbers(self.rest))
        rng.shuffle(unseen)
        draft = self._draft()
        for other, hand in enumerate(self.hands):
            if hand < 0:
                dealt = bits(unseen.pop() for _card in range(-hand))
                draft.hands = put(draft.hands, other, dealt)
                draft.rest ^= dealt
        return draft.done()

    def alike(self, rng: Random, player: int) -> State:
        """Another state with the same pictures for that player: where money is secret (TU-6), others may have more."""
        state = super().alike(rng, player)
        if self.rules.money == "open" or self.cash:
            return state
        more = [rng.randrange(9) * (seat != player and have > 0) for seat, have in enumerate(self.reserve)]
        reserve = tuple([have + some for have, some in zip(self.reserve, more, strict=True)])
        richer = state._with(reserve=reserve, bank=self.bank - sum(more))
        # Who cannot pay is not asked: all see that.
        return richer if richer.hide_from(player).actors == state.hide_from(player).actors else state

    # What a person asks

    @property
    def turn_of(self) -> int:  # noqa: D102
        return CHANCE if self.step in SIMULTANEOUS or not self.actors else self.actors[0]

    @property
    def pauses(self) -> bool:  # noqa: D102
        return self.step is _PAID

    @property
    def rules(self) -> Rules:
        """The options in force."""
        return self.parameters.rules

    @property
    def deck(self) -> Deck:
        """The cards it is played with."""
        return self.parameters.deck

    @checked
    def goods(self, player: int) -> tuple[int, ...]:
        """A player's units of each good on the cards face up, those on sale included (TU-23).

        >>> from tradekit import exercises
        >>> State.parse(exercises.DUEL).goods(0)
        (0, 0, 2, 0, 0, 0, 5, 1, 4)
        """
        return self.parameters.units(self.won[player])

    def vocabulary(self) -> Iterator[Action]:  # noqa: D102
        players, cards = range(len(self.hands)), range(1, CARDS + 1)
        yield from (DONE, PASS, NO_GOOSE, Action(CLAIM), *DEALS.values(), *CLAIMS.values())
        for verb in ("show", "withdraw", "take", "discard"):
            yield from (Action(f"{verb} {card}") for card in cards)
        yield from (Action(f"{verb} {card} {card + 1}") for verb in ("take", "discard") for card in cards[:-1])
        for words in ("bid", "add", *(f"sell {card} for" for card in cards)):
            for amount in (0, 1, 3, START, START + 1, START + LOAN, START + LOAN + 1):
                yield from (with_amount(words, amount), with_amount(words, amount, True))
        for p in players:
            yield Action(f"give p{p}")
            yield from (Action(f"sell {card} to p{p}") for card in cards)
        yield from (order_action(order) for size in (1, 2) for order in permutations(players, size))

    # Words

    def sentence(self, action: str, actor: int, voice: Voice) -> str:  # noqa: D102
        from tradekit.turin.sentences import sentence

        return sentence(self, action, actor, voice)

    def label(self, action: str, voice: Voice) -> str:  # noqa: D102
        from tradekit.turin.sentences import label

        return label(self, action, voice)

    # Text

    def __str__(self) -> str:
        words = [self.game.name, self.parameters.text, f"step={self.step.name.lower()}"]
        usual = fresh(self.parameters)
        for name in FIELDS[2:]:
            value = getattr(self, name)
            if value != getattr(usual, name):
                words.append(f"{name}={written(name, value)}")
        return " ".join(words)

    @classmethod
    @checked
    def parse(cls, text: str) -> State:
        """The state of that text; raises `ParseError` that says what is wrong with it."""
        pairs = read_pairs(text, cls.game.name, ["players", "deck", "step"], [*FIELDS[2:], *Rules.names()])
        name = "players"
        try:
            players = int(pairs[name])
            deck = Deck.of_text(pairs["deck"])
            draft = fresh(make_setting(Rules.read(pairs), deck, range(2, 6)[players - 2] if players > 1 else 0))
            name = "step"
            draft.step = Step[pairs[name].upper()]
            for name in FIELDS[2:]:
                if name in pairs:
                    setattr(draft, name, read_field(name, pairs[name], players))
            name = "hands"
            piles = [*draft.won, draft.centre, draft.gone, draft.rest, *(hand for hand in draft.hands if hand > 0)]
            hidden = sum(-hand for hand in draft.hands if hand < 0)
            if sum(piles) != ALL or sum(map(int.bit_count, piles)) != CARDS or hidden > draft.rest.bit_count():
                raise ValueError
            name = "step"
            if empty := missing(draft):
                raise ParseError(_("state of {game}: {name}= is missing").format(game=cls.game.name, name=empty))
            state = draft.done()
            name = "commits" if state.step in SIMULTANEOUS else "step"
            if not state._goes_on():
                raise ValueError
            return state
        except (IndexError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, ParseError):
                raise
            message = _("state of {game}: {name}={value} cannot be")
            raise ParseError(message.format(game=cls.game.name, name=name, value=pairs.get(name, ""))) from None

    def _goes_on(self) -> bool:
        """Return True if the players to move can: a text may combine a step with fields that do not fit it."""
        if self.step in (_GOOSE, _ADD, _COIN):
            blocks = self.blocks()
            if self.step is _COIN:
                return auction.flip(self.parameters.format(self.auction), blocks, self.named) is not None
            if not {*self.actors} <= {*auction.tie(blocks)}:
                return False
        known = [actor for actor in self.actors if actor == CHANCE or self.hands[actor] >= 0]
        return bool(self.actors) != (self.step is _OVER) and all(choices(self, actor) for actor in known)


def _count(hand: int) -> int:
    """Return the number of cards in a hand, known or not."""
    return -hand if hand < 0 else hand.bit_count()


@lru_cache(1_000)
def _amounts(verb: str, have: int, borrowed: int) -> Amounts:
    return Amounts([verb], 0, have, 0 if borrowed else have + LOAN)


_MAY: Final = {
    _SHOW: State._may_show,
    _WINDOW: State._may_claim,
    _CHOOSE: State._may_choose,
    _BID: State._may_bid,
    _GOOSE: State._may_goose,
    _ADD: State._may_add,
    _TAKE: State._may_take,
    _OFFER: State._may_offer,
}
_DOES: Final = {
    _DEAL: State._deal,
    _SHOW: State._show,
    _WINDOW: State._claim,
    _CHOOSE: State._choose,
    _BID: State._bid,
    _GOOSE: State._use_goose,
    _ADD: State._add,
    _COIN: State._toss,
    _TAKE: State._take,
    _OFFER: State._offer,
    _PAID: State._deal,
    _OVER: State._nothing,
}


GAME: Final = register(
    Game(
        name="turin",
        state=State,
        new=new,
        players=(2, 3, 4, 5),
        simultaneous=True,
        hidden=True,
        low=None,  # who cannot repay a loan ends below zero (TU-35)
        high=None,
        conserves="escudos of the players and of the bank's ledger; cards",
        title=later("Turin Market"),
        rules="tradekit.turin.rules_card:RULES",
        help="turin-rules.md",
        options=Rules,
        bots=(
            BotInfo("value", "tradekit.turin.bots:ValueBot", later("Appraiser"), "strong", (2,)),
            BotInfo("equilibrium", "tradekit.turin.bots:EquilibriumBot", later("Theorist"), "strong", (3, 4, 5)),
        ),
        measured="tradekit.turin:bots.csv",
    )
)
