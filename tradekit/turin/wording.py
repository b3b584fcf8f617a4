"""Sentences about the game: the result of each bid, and the final payments, with the reason and its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from tradekit.auctions.formats import Block, Format, Kind
from tradekit.i18n import _, ngettext
from tradekit.show.names import join_words
from tradekit.turin import auction
from tradekit.turin.draft import NONE
from tradekit.turin.parameters import Step
from tradekit.turin.payment import DEBT, LOAN, REPAID, GoodPaid, Payments
from tradekit.turin.rules import State

_HALF: Final = auction.SCALE // 2

Name = Callable[[int], str]  #: name of a player, by seat


class Told(NamedTuple):
    """Result of a player's bid."""

    player: int
    bid: int
    added: int | None  #: escudos added; None for a player who was not tied
    place: int | None  #: winning place, from 1; None: no winning place, or not known yet
    pays: int | None  #: escudos to pay; None: not known yet
    why: str

    def columns(self) -> list[str]:
        """Return bid, addition, total, place and payment as text; – for missing values."""
        total = None if self.added is None else self.bid + self.added
        return ["–" if n is None else str(n) for n in (self.bid, self.added, total, self.place, self.pays)]


def auction_of_bids(state: State) -> int:
    """Return the auction, from 0, of the bids shown: the last auction's bids stay until all have bid again."""
    next_begun = state.step is Step.SHOW or (state.step in (Step.WINDOW, Step.CHOOSE) and state.centre)
    return state.auction - bool(next_begun)


def bids(state: State) -> list[Told]:
    """Return the result of each bid, by player; empty before the bids are revealed.

    >>> from tradekit import turin
    >>> state = turin.new(2, seed=1)
    >>> for action, player in [("show", 0), ("show", 1), ("bid 5", 0), ("bid 3", 1)]:
    ...     state = state.after(action if " " in action else state.actions(player)[0], player)
    >>> bids(state)[1].pays, bids(state)[1].why
    (1, 'loses: half of 3, rounded down (TU-12)')
    """
    if not state.bids:
        return []
    format = state.parameters.format(auction_of_bids(state))
    blocks = format.blocks(state.bids, state.additions(), state.standing)
    pays = auction.payments(format, state.bids, state.additions(), blocks)
    return sorted(_bid(state, format, block, player, int(pays[player])) for block in blocks for player in block.who)


def _bid(state: State, format: Format, block: Block, player: int, pays: int) -> Told:
    bid, added = state.bids[player], None if state.added[player] == NONE else state.added[player]
    total = bid + (added or 0)
    place: int | None = None
    owes: int | None = pays
    half = _("half of {n}, rounded down") if total % 2 else _("half of {n}")
    half = half.format(n=total)
    if block.kind is Kind.TIED:
        owes, why = None, _("tied: bids again (TU-14)")
    elif block.kind is Kind.VOID:
        why = _("a bid of 0 wins nothing (TU-13)")
        if bid:
            why = _("tied, and not alone in adding 0: no card, {half} (TU-16)").format(half=half)
    elif block.place >= format.places:
        why = _("loses: {half} (TU-12)") if added is None else _("loses the tie: {half} (TU-17)")
        why = why.format(half=half)
    elif len(block.who) > 1:
        owes, why = None, _("tied again: a coin decides (TU-15)")
    else:
        place = block.place + 1
        n = int(format.prizes[block.place])
        why = ngettext("wins {n} card, pays all (TU-12)", "wins {n} cards, pays all (TU-12)", n)
    remark = _remark(state, player) if block.kind is Kind.PLACED else ""
    return Told(player, bid, added, place, owes, f"{why}; {remark}" if remark else why)


def _remark(state: State, player: int) -> str:
    """Return the reason for a place other than the amounts: a coin toss or the goose."""
    ahead = state.standing[player] - auction.SCALE * state.bids[player]
    if abs(ahead) == _HALF:
        place = _("first") if ahead > 0 else _("last")
        return _("by the goose {place} of the tied (TU-41)").format(place=place)
    same = [p for p, bid in enumerate(state.bids) if (bid, state.added[p]) == (state.bids[player], state.added[player])]
    if state.added[player] > 0 and len({state.standing[p] for p in same}) > 1:
        return _("the coin said so (TU-15)")
    if ahead > _HALF:
        return _("with the goose it counted {n} more (TU-42)").format(n=round(ahead / auction.SCALE))
    return ""


def payment(paid: GoodPaid, name: Name) -> str:
    """Describe the payments for one good: who gets what, who pays, who had to borrow (TU-32 to TU-34)."""
    if not paid.leaders:
        return _("nobody has any: nothing is paid")
    sum_ = f"{paid.payout} + {len(paid.payers)}" if paid.payers else str(paid.payout)
    leaders = join_words(map(name, paid.leaders))
    pay = [name(player) for player in paid.payers if player not in paid.covered]
    if len(paid.leaders) == 1:
        total = f"{sum_} = {paid.share}" if paid.payers else sum_
        said = [_("{name} has most and gets {sum}").format(name=leaders, sum=total)]
    else:
        each = _("{names} share {sum}, rounded up: {n} each (TU-33)")
        if (paid.payout + len(paid.payers)) % len(paid.leaders) == 0:
            each = _("{names} share {sum}: {n} each (TU-33)")
        said = [each.format(names=leaders, sum=sum_, n=paid.share)]
    if pay:
        each = _("{names} pays 1") if len(pay) == 1 else _("{names} pay 1 each")
        said.append(each.format(names=join_words(pay)))
    said += [_("{name} had to take the loan for it (TU-34)").format(name=name(player)) for player in paid.borrowed]
    said += [
        _("the bank pays for {name}, who owes {n} more (TU-34)").format(name=name(player), n=DEBT)
        for player in paid.covered
    ]
    return "; ".join(said)


def repayment(payments: Payments, name: Name) -> str:
    """Describe the repayments in the end (TU-35)."""
    owed = [
        _("{name} repays {n}").format(name=name(player), n=REPAID * loan + debt)
        for player, (loan, debt) in enumerate(zip(payments.loans, payments.debts, strict=True))
        if loan or debt
    ]
    return "; ".join(owed) or _("nobody has a loan to repay")


def loan_offer() -> str:
    """Explain the loan (TU-30)."""
    return _("with a loan: {n} now, {due} due at the end").format(n=LOAN, due=REPAID)


def awards(format: Format) -> str:
    """List the lots by place: ``Place 1: 2 cards · Place 2: 1 card``."""
    cards = [ngettext("{n} card", "{n} cards", int(n)) for n in format.prizes]
    return " · ".join(_("Place {place}: {cards}").format(place=place, cards=n) for place, n in enumerate(cards, 1))
