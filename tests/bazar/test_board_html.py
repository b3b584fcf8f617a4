"""The picture of a state: the figure next to a ware is what buying it brings, and the sentence says how it ended."""

import random
import re

import pytest

from tradekit import bazar
from tradekit.bazar.parameters import Step
from tradekit.game import CHANCE

from . import naive
from .test_rules import EXCHANGE, OPTIONS, at, choose, double


def bought_now(state, player=0):
    """Return the table's figure for each stall under "bought now"."""
    rows = re.findall(r"<tr>(<td>.*?)</tr>", state.html(player).partition('bz-stalls"')[2])
    return [re.sub("<[^>]*>", "", row.split("<td>")[-1]) for row in rows]


def scored(state, stall):
    """Return the points written down for a purchase in the end, if no other follows."""
    number, state = state.stalls[stall], state.after(f"buy {stall + 1}")
    while state.first:
        state = state.after("done" if state.step == Step.BUY else state.outcomes()[0][0])
    return dict(pair for pairs in state.bought for pair in pairs)[number]


@pytest.mark.long
@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("options", [options for options in OPTIONS.values() if "patience" not in options], ids=str)
def test_BZ_15_20_23_and_30_bought_now_is_what_the_purchase_scores_or_nothing_that_reads_like_points(options, players):
    more = {"series": 2} if players == 1 else {}
    said = 0
    for seed in range(4):
        state, rng = bazar.new(players, exchange=EXCHANGE, seed=seed, **options, **more), random.Random(seed)
        for _step in range(300):
            if not state.actors:
                break
            if state.actors != (CHANCE,) and state.step != Step.RETURN:
                position, me = naive.position(state), state.turn
                for stall, text in enumerate(bought_now(state, me)):
                    ware = position["stalls"][stall][0]
                    allowed = bool(ware) and naive.can_buy(position, position["hands"][me], ware)
                    assert bool(re.fullmatch(r"\d+ points?|nothing left", text)) == allowed, (text, str(state))
                    if f"buy {stall + 1}" in state.actions(me):
                        points = scored(state, stall)
                        assert text == ("nothing left" if players == 1 else f"{points} point{'s' * (points != 1)}")
                        said += 1
            actor, action = choose(state, rng)
            state = state.after(action, None if actor == CHANCE else actor)
    assert said or players == 1


def test_BZ_20_a_second_purchase_that_empties_its_own_stall():
    stalls = "RWBGY:4,WWWWW*:0,BBBBB*:4,GGGGG*:4"
    for option, points in (("both", 12), ("first", 8)):
        state = double(stalls=stalls, double_star=option).after("buy 1").after("ware RRWWG")
        assert bought_now(state)[1] == f"{points} points"
        assert state.after("buy 2").bought[0][-1][1] == points == state.points(1, 0)


def test_BZ_23_and_30_stones_that_are_too_many_are_counted():
    assert bought_now(at("RWBGYYY,RWBGYY", max_left=1))[0] == "1 stone too many"
    assert bought_now(at("RWBGYYY,RWBGYY", max_left=1), 1)[0] == "3 points"
    assert bought_now(at("RWBGYYY,-", max_left=0))[0] == "2 stones too many"
    assert bought_now(at("RWBGYY", "RWBGY:0"))[0] == "1 stone too many"


def solitaire(players=1, **options):
    """Return a solitaire of two wares in which nothing happens but rolls of red."""
    state = bazar.new(players, cards=(1, 4), seed=3, series=2, **options)
    while state.actors:
        state = state.after("roll" if state.step == Step.TURN else "return R" if state.step == Step.RETURN else "R")
    return state


def test_BZ_19_a_solitaire_that_closes_before_all_wares_are_bought_says_so():
    for patience, words in ((1, "after 1 turn;"), (3, "after 3 turns;")):
        state = solitaire(patience=patience)
        for picture in (state.html(0), state.to_svg(0)):
            assert f"closed {words} not all wares are bought" in re.sub(r"\s+|<[^>]*>", " ", picture).replace("  ", " ")
            assert "All wares are bought" not in picture


def test_BZ_19_and_30_the_turns_of_wares_that_were_bought_count(spanish):
    half = at("R", "GGGGG*:0", idle=3, patience=4, series=2, bought="RWBGY:-9").after("roll").after("R")
    assert half.scores() == (-13,) and "después de 13 turnos; no se compraron todas las mercancías" in half.html(0)


def test_BZ_30_a_solitaire_whose_wares_are_all_bought_says_so():
    state = at("RWBG", "RWBGY:0", step="die", idle=3).after("Y").after("buy 1")
    assert "All wares are bought, in 4 turns." in state.html(0) and "not all" not in state.html(0)


HIDDEN = "bazar players=3 deck=house cards=1,4 hidden=yes step={step} turn=p0 hands={hands} {rest}"
STALLS = "stalls=RWBGY:1,RRWGY:4,-:0,GGGGG*:4 bought=-,-,- idle=0"


def hiding(hands, step="turn"):
    return bazar.State.parse(HIDDEN.format(step=step, hands=hands, rest=STALLS))


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_BZ_22_the_bank_is_a_number_where_hands_are_hidden(viewer):
    """So others' hands cannot be counted from it (BZ-2); a viewer who sees all sees the bank, and all do at the end."""
    one, other = (
        hiding("RW,RRRB,WW"),
        hiding("RW,RRRB,WW".replace("RW" if viewer else "RRRB", "BB" if viewer else "YYGG")),
    )
    assert one.html(viewer) == other.html(viewer) and one.to_svg(viewer) == other.to_svg(viewer)
    assert one.html(viewer, live=True) == other.html(viewer, live=True)
    bank = re.search(r'bz-bank">(.*?)</ul>', one.html(viewer))[1]
    assert re.sub(r"<[^>]*>", " ", bank).split() == [*"RWBGY", "92", "stones"]
    assert "92 stones" not in one.html() and one.html() != other.html()
    assert "stones</li>" not in bazar.State.parse(str(one).replace(" hidden=yes", "")).html(viewer)


def test_BZ_14_BZ_22_who_chooses_the_stone_that_goes_back_sees_them_and_nobody_else():
    one, other = hiding("RRRRWWWWBBB,R,W", "return"), hiding("RRRRWWWWBBG,R,W", "return")
    assert one.html(2) == other.html(2) and one.to_svg(2) == other.to_svg(2)
    assert one.html(1) != other.html(1) and one.to_svg(1) != other.to_svg(1)


def test_BZ_22_a_refusal_tells_of_the_bank_only_what_legal_trades_tell():
    """For a trade that fails for two reasons, only the open one is given: too many stones, not a lack in the bank."""
    rows = "bazar players=3 deck=house exchange=R=WW hidden=yes step=turn turn=p0 hands={hands} "
    rich, poor = (
        bazar.State.parse(rows.format(hands=f"RRRRRRRRRR,{one},{two}") + STALLS)
        for one, two in (("BBBBBBBBBB", "BBBBBBBBBB"), ("WWWWWWWWWW", "WWWWWWWWWB"))
    )
    assert rich.actions(0) == poor.actions(0) and rich.stock.counts[1] == 20 and poor.stock.counts[1] == 1
    assert rich.why("R=WW", 0) == poor.why("R=WW", 0)
    assert "BZ-14" in poor.why("R=WW", 0)
    assert rich.html(0, live=True) == poor.html(0, live=True)
