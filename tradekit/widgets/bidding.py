"""A person bids against chosen opponents, sees each round uncovered step by step, and bids it again in thought.

The rounds are an `Experiment`, a plain value; `Game` adds what is looked at, and `bidding_page` writes both as a page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pandas as pd

from tradekit._utils import arguments
from tradekit._utils.arguments import checked
from tradekit._utils.numerals import is_share, number, whole
from tradekit.auctions import lab_charts, rounds_csv
from tradekit.auctions.experiment import Experiment, Opponent
from tradekit.auctions.formats import Format, first_price
from tradekit.auctions.source_text import spell
from tradekit.auctions.values import Distribution, ValueModel, uniform
from tradekit.i18n import _
from tradekit.widgets import bidding_page
from tradekit.widgets.page_widget import LivePage

_FAR: Final = 2  # times the most that a prize can be worth: a bid above that is asked about
_TWO_PLACES: Final = 0.009
STEPS: Final = ("bids", "values", "line", "best", "payments")  #: in which a round is uncovered


@checked(rounds=arguments.whole(1, 100_000))
def bidding_game(
    format: Format | None = None,
    values: ValueModel | Distribution | None = None,
    opponents: Iterable[Opponent] = ("equilibrium", "naive"),
    rounds: int = 10,
    seed: int = 0,
) -> Game:
    """A game of `rounds` auctions for one person, who is bidder 0.

    `values`: private ones as for `Format.equilibrium` (0 to 1, all equally likely, if None), or values in common such
    as `MeanOfSignals()`. `opponents`: "equilibrium", "naive" (bids what the prize seems to be worth), "shading" (half
    of that), a function of types, or the experiment of another game, whose person's bids are bid again.

    >>> game = bidding_game(first_price(), rounds=2, seed=4)
    >>> game
    auctions.bidding_game(auctions.Format(), stats.uniform(0, 1), ('equilibrium', 'naive'), 2, seed=4)
    >>> game.experiment.rounds[0].status
    <Status.OPEN: 'not bid yet'>
    """
    values = uniform() if values is None else values
    return Game(Experiment.begin(format or first_price(), values, opponents, rounds, seed))


def read(text: str) -> Game:
    """A game from the text of its CSV, to look at; what was left open stays so.

    Raises `ValueError` that names the line at fault.
    """
    return Game(rounds_csv.read(text), live=False)


class Game(LivePage):
    """The widget. `experiment` is a plain value, for whoever goes on in Python."""

    sheets = ("live", "lab", "bidding")
    actions = frozenset({"amount", "bid", "no_bid", "uncover", "uncover_all", "next", "replay", "try"})
    one_message = True

    def __init__(self, experiment: Experiment, live: bool = True) -> None:
        self.experiment = experiment
        self.live = live  #: whether bids are taken; a game that was read is over
        self.uncovering: int | None = None  #: the round that is being uncovered
        self.step = 0  #: how many of its steps are done
        self.replayed = 0  #: the round that is bid again in thought
        self.tried: float | None = None  #: with that bid; None: as it was
        self.typed = ""  #: in the field, not handed in
        self.doubted = ""  #: what was typed there and asked about: handed in again, it is meant
        lab_charts.warm_up()
        super().__init__(_("bidding game"))

    def __repr__(self) -> str:
        game = self.experiment
        return (
            f"auctions.bidding_game({spell(game.format)}, {spell(game.values)}, {game.opponents!r}, "
            f"{len(game.rounds)}, seed={game.seed})"
        )

    def to_frame(self) -> pd.DataFrame:
        """A row a bidder and round: see `tradekit.auctions.rounds_csv`."""
        return self.experiment.to_frame()

    def to_csv(self) -> str:
        """The same as text, which `read` reads."""
        return self.experiment.to_csv()

    @property
    def uncovered(self) -> int:
        """Number of rounds that are uncovered to the end."""
        return self.experiment.played if self.uncovering is None or self.step == len(STEPS) else self.uncovering

    @property
    def bids_are_taken(self) -> bool:
        """True if there is a round to bid in, and every round before it is uncovered."""
        return self.live and self.uncovering is None and self.experiment.current is not None

    @property
    def over(self) -> bool:
        """True if nothing is left to bid or to uncover."""
        return self.uncovered == self.experiment.played and (self.experiment.current is None or not self.live)

    def write(self) -> dict[str, str]:
        """The page: see `bidding_page`."""
        return bidding_page.write(self)

    # What a person can do

    def do_amount(self, value: str) -> None:
        """Type an amount; it is no bid before it is handed in."""
        if self.bids_are_taken:
            if value != self.typed:
                self.doubted = ""
            self.typed = value

    def do_bid(self, _value: str) -> None:
        """Hand in what was typed."""
        if not self.bids_are_taken:
            return  # a second click
        if not self.typed.strip():
            raise ValueError(_("an empty field is no bid of 0: type an amount, or choose not to bid"))
        self._decide(self._amount(self.typed))

    def _amount(self, typed: str) -> float:
        """The bid that was typed; `ValueError` asks about one that may mean something else."""
        game = self.experiment
        most = game.highest_worth
        if is_share(typed) and most > 1:
            raise ValueError(_('"{text}": type the amount itself, and no share of it').format(text=typed.strip()))
        # only where amounts have three places does this page itself write such as 1.234
        amount = number(typed, within=(0, most) if game.unit < _TWO_PLACES else None)
        if amount < 0:
            raise ValueError(_("{amount:g}: a bid is 0 or more; or choose not to bid").format(amount=amount))
        if amount > _FAR * most and self.doubted != typed:
            self.doubted = typed
            doubt = _("{amount:.12g} is far above {most:g}, the most a prize can be worth. To bid it, press Bid again.")
            raise ValueError(doubt.format(amount=amount, most=most))
        return amount

    def do_no_bid(self, _value: str) -> None:
        """Choose not to bid."""
        if self.bids_are_taken:
            self._decide(None)

    def _decide(self, amount: float | None) -> None:
        n = self.experiment.current
        self.experiment = self.experiment.bid(amount)
        self.uncovering, self.step, self.typed, self.doubted = n, 0, "", ""

    def do_uncover(self, _value: str) -> None:
        """Show the next thing about the round; after the last one, it can be bid again in thought."""
        self._uncover(self.step + 1)

    def do_uncover_all(self, _value: str) -> None:
        """Show all of it."""
        self._uncover(len(STEPS))

    def _uncover(self, step: int) -> None:
        if self.uncovering is None:
            return
        self.step = min(step, len(STEPS))
        if self.step == len(STEPS):
            self.replayed, self.tried = self.uncovering, None

    def do_next(self, _value: str) -> None:
        """On to the next round."""
        if self.step == len(STEPS):
            self.uncovering = None

    def do_replay(self, value: str) -> None:
        """Bid another round again."""
        if 0 <= (n := whole(value) - 1) < self.uncovered:
            self.replayed, self.tried = n, None

    def do_try(self, value: str) -> None:
        """Another bid in the round that is bid again."""
        amount = number(value, within=(0, self.experiment.most))
        self.experiment.payoff(self.replayed, amount)  # raises for what is no bid
        self.tried = amount
