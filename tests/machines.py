"""Results that must be the same on every machine, as text that `tests/test_machines.py` compares under many kernels.

    python -m tests.machines            # everything
    python -m tests.machines games 20   # only the parts of these names, with twenty times as many games

A line has its subject, a colon, and the text on which two machines must agree to the letter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tradekit import bots, game, tournament
from tradekit._utils import ties

QUICK = {"search": {"iterations": 12, "depth": 20}}  #: options that make a bot fast enough
MANY = {"sale": 50, "chain": 2}  #: games of quick bots that weigh sums, by bot; otherwise 1
TABLES = (2, 3)  #: numbers of players, where the game allows them
SEED = 74

Lines = Iterator[tuple[str, object]]


def games(times: int) -> Lines:
    """Yield seeded games of every bot of every game at a table of its own kind, as records."""
    for name in game.names():
        numbers = game.find(name).players
        for players in [n for n in TABLES if n in numbers] or [min(numbers)]:
            for bot in bots.names(name):
                dealt = {} if bot in MANY else {"seed": SEED}  # the same cards, so that solutions for them are reused
                start = game.begin(name, players=players, **dealt)
                seats = {bot: bots.make(bot, **QUICK.get(bot, {}))}
                rounds = times * MANY.get(bot, 1)
                for played in tournament.play(
                    start, seats, rounds, SEED, limit=50, progress=False, records=True
                ).played:
                    yield f"{name}, {players}, {bot}, {played.round}", f"{played.record}{played.shares}"


def hints(times: int) -> Lines:
    """Yield what every bot that weighs actions expects of them during a game, ranked as a hint shows it."""
    for name in game.names():
        for seed in range(times):
            luck, start = game.keyed(SEED, "hints", seed), game.begin(name, seed=SEED + seed)
            moves = [*game.random_moves(start, luck)][:40]
            for bot in bots.names(name):
                asked = bots.make(bot, **QUICK.get(bot, {}))
                for place, (state, actor, _action) in enumerate(moves[:: 8 if bot != "search" else 20]):
                    if actor >= 0:
                        view = state.view(actor)
                        worth = asked.evaluate(view, view.actions(), game.keyed(SEED, place))
                        order = ties.ranked(worth, key=worth.__getitem__)[:200]
                        yield (
                            f"{name}, {bot}, {seed}.{place}",
                            [(str(a), f"{ties.settled(worth[a]):.4f}") for a in order],
                        )


def studies(times: int) -> Lines:
    """Yield the rows of quick treatments of the studies, as they are kept."""
    from tradekit.studies import Study, sacksons_worry, silk_playtest

    sacksons_worry.PAIRS = sacksons_worry.PAIRS[:1]
    quick = {
        sacksons_worry: [{**one, "rounds": times} for one in sacksons_worry.STUDY.treatments[-4::3]],
        silk_playtest: [{"option": "zeros", "table": "sale", "games": 20 * times}],
    }
    for module, treatments in quick.items():
        found = Study(module.STUDY.name, module.STUDY.question, treatments, module.play).make()
        for n, row in enumerate(found.astype(object).to_dict("records")):
            yield f"{module.STUDY.name} {row['measure']} {n}", row


def auctions(times: int) -> Lines:
    """Yield solved and learned games with whole bids, to six digits, and draws from a seed."""
    from tradekit import exercises, turin
    from tradekit.auctions import Format, all_pay, first_price, losers_pay, uniform
    from tradekit.auctions.learn import RULES, learn
    from tradekit.auctions.whole_bids import solve, solve_known

    def told(array):
        return [[f"{ties.settled(x):z.6f}" for x in row] for row in array.tolist()]

    for format in (first_price(step=1), all_pay(step=1), losers_pay(0.5, step=1, reserve=1)):
        private = solve(format, range(8), bidders=3, steps=1500)
        known = solve_known(format, (7, 5, 5), steps=1500)
        even = solve_known(format, (4, 4), steps=1500)
        for name, found in (("private", private), ("known", known), ("even", even)):
            yield f"{format.name}, {name}", told(found.strategy)
        for rule in RULES:
            seen = learn(private.game, [rule], steps=150 * times, moments=3)
            yield f"{format.name}, {rule}", [told(strategy) for strategy in seen.strategies.values()]
        drawn = format.simulate("naive", uniform(0, 9), rounds=500, bidders=3)
        yield f"{format.name}, drawn", drawn[["bid", "award", "pays"]].sum().to_dict()
    rebids = turin.solve_auction(turin.State.parse(exercises.DUEL), steps=500)
    yield "solve_auction", told(rebids.strategy[["probability", "payoff"]].to_numpy())
    yield "quantal response", told(solve(Format(step=1), range(6), precision=3.0).strategy)


PARTS = {"games": games, "hints": hints, "studies": studies, "auctions": auctions}

if __name__ == "__main__":
    wanted, times = [*sys.argv[1:], *["", "1"][len(sys.argv) - 1 :]][:2]
    for part, lines in PARTS.items():
        if wanted in ("", part):
            for of, text in lines(int(times)):
                print(f"{part} {of}: {text!r}", flush=True)
