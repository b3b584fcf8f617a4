"""Bazar on the command line: `tradekit chain` finds the shortest chain of trades to a ware."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tradekit._utils.arguments import whole_numbers
from tradekit.i18n import _


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `chain` to the subparsers of the command line."""
    chain = commands.add_parser("chain", help=_("the shortest chain of trades to a ware of Bazar"))
    exchange = chain.add_mutually_exclusive_group(required=True)
    exchange.add_argument("--cards", nargs="+", metavar="N", help=_("exchange cards, by number"))
    exchange.add_argument("--equations", metavar="TEXT", help=_("equations, such as 'R=WW W=BG'"))
    chain.add_argument(
        "--deck", type=Path, metavar="FILE", help=_("a deck of your own (CSV or text) instead of the house deck")
    )
    chain.add_argument("--have", default="", metavar="STONES", help=_("the stones in hand, such as 'R R'"))
    chain.add_argument("--want", required=True, metavar="WARE", help=_("the ware, such as RWBGY or 'GGGGG*'"))
    chain.add_argument("--left", metavar="K", help=_("stones left after paying, exactly; any number if not given"))
    chain.add_argument("--json", action="store_true", help=_("print JSON"))
    chain.set_defaults(run=_chain)


def _chain(options: argparse.Namespace) -> int:
    from tradekit.bazar import Deck, Exchange  # brings NumPy: not needed for --help

    if options.equations is not None and options.deck:
        raise ValueError(_("--deck goes with --cards: equations that are typed need no deck"))
    if options.cards:
        cards = [card for text in options.cards for card in whole_numbers(text, "--cards")]
        exchange = Exchange.of_cards(*cards, deck=Deck.load(options.deck) if options.deck else None)
    else:
        exchange = Exchange(options.equations)
    chain = exchange.chain(options.have, options.want, options.left)
    policy = exchange.solve(options.want, options.left)
    turns, action = policy.turns(options.have), policy.best(options.have)
    if options.json:
        found = None if chain is None else {
            "turns": chain.turns, "left": chain.left, "points": chain.points(), "rest": str(chain.rest),
            "steps": [{"trade": str(s.trade), "before": str(s.before), "after": str(s.after)} for s in chain.steps],
        }  # fmt: skip
        die = {"turns": turns if turns < float("inf") else None, "best": action}
        print(json.dumps({"exchange": [str(e) for e in exchange.equations], "chain": found, "with_die": die}))
    else:
        print(chain.to_text() if chain else _("There is no chain, of any length."))
        print(_("With the die: {turns:.3f} expected turns; first: {action}").format(turns=turns, action=action))
    return 0 if chain else 1
