"""The picture of a state of Turin Market: nothing hidden shows, legal actions are offered, and its claims are true."""

import random
import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from itertools import combinations, combinations_with_replacement, product
from xml.etree import ElementTree

import pytest

from tests.turin import naive
from tests.turin.positions import RICH, all_bid, at, play, rich
from tradekit import i18n, turin
from tradekit.auctions.formats import turin as auction_format
from tradekit.game import CHANCE, random_moves
from tradekit.turin import render, wording
from tradekit.turin.deck import Good
from tradekit.turin.parameters import SIMULTANEOUS, Step, numbers

SVG = "{http://www.w3.org/2000/svg}"
OPTIONS = [
    {"players": 2},
    {"players": 3},
    {"players": 4, "selling": "several"},
    {"players": 5, "goose": "tie"},
    {"players": 3, "goose": "underdog", "games": 2},
]


def games(options, seeds=3):
    """Return all states of some random games from the first deal on."""
    for seed in range(seeds):
        yield from random_moves(turin.new(**options), random.Random(seed))


def text(html):
    """Return the text that a person reads."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]+>", " ", html, flags=re.S))).strip()


def cells(html, part):
    """Return the rows of a part's table, cell by cell."""
    table = re.search(rf'class="{part}".*?<tbody>(.*?)</tbody>', html, flags=re.S)[1]
    rows = re.findall(r"<tr>(.*?)</tr>", table, flags=re.S)
    return [[text(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, flags=re.S)] for row in rows]


# --- offered actions


class Offered(HTMLParser):
    """All actions that the controls of a live picture can send: buttons, and forms with every value of their fields."""

    VOID = ("input", "br")

    def __init__(self, html):
        super().__init__()
        self.actions, self.depth, self.form, self.fields = set(), 0, None, []
        self.feed(str(html))

    def handle_starttag(self, tag, attributes):
        field = dict(attributes)
        if self.form is not None and tag not in self.VOID:
            self.depth += 1
        if "data-form" in field:
            self.form, self.depth, self.fields = field, 1, []
        if tag in ("input", "option", "select"):
            self.fields.append((tag, field))
        if field.get("data-do") == "act" and "disabled" not in field:
            if "data-pattern" in field:
                self.actions |= set(self._composed(field))
            else:
                self.actions.add(field["data-value"])

    def handle_endtag(self, tag):
        self.depth -= 1
        if self.form is not None and not self.depth:
            self.form = None

    def _composed(self, button):
        boxes = [field for tag, field in self.fields if field.get("type") == "checkbox"]
        if "data-needs" in button:
            for some in combinations([box["value"] for box in boxes], int(button["data-needs"])):
                yield button["data-pattern"].format(cards=" ".join(some))
            return
        (slider,) = (field for tag, field in self.fields if field.get("type") == "range")
        (box,) = boxes
        least, most, cards = int(slider["min"]), int(slider["data-high"]), ["-"]
        if "{card}" in button["data-pattern"]:
            cards = [field["value"] for tag, field in self.fields if tag == "option"]
        for card in cards:
            if "checked" not in box:
                for n in range(least, most + 1):
                    yield button["data-pattern"].format(card=card, amount=n, loan="").strip()
            if "checked" in box or "disabled" not in box:
                for n in range(1, int(box["data-high"]) + 1):
                    yield button["data-pattern"].format(card=card, amount=n, loan="loan")


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_picture_offers_what_is_legal_in_every_state(options):
    """Every player to move has buttons and forms for it; others can do nothing, and every state has its sentence."""
    for number, (state, _actor, _action) in enumerate(games(options, seeds=1)):
        for player in {*state.actors, number % state.players} - {CHANCE}:
            html = state.html(player, live=True)
            assert Offered(html).actions == set(state.actions(player)), state
            assert re.search(r'class="tu-todo"><p>\S', html)
        assert "<button" not in state.html(0)
        assert "<input" not in state.html(0)


def test_what_is_switched_off_names_its_rule():
    html = turin.new(3, seed=1).html(0, live=True, names=["Ada"])
    titles = dict(re.findall(r'aria-disabled="true"[^>]*data-key="([^"]+)" title="([^"]+)"', html))
    assert "(TU-10)" in titles["act-bid"]
    assert "(TU-10)" in titles["act-pass"]
    assert "(TU-10)" in titles["act-done"]


def test_TU_30_a_price_that_needs_the_loan_has_its_box_ticked():
    """And a bid of 0 does not."""
    poor = at(3, Step.OFFER, won=[(1,), (), ()], centre=[], reserve=(0, 15, 15), queue=((0, 0),))
    box = re.search(r'<input type="checkbox"[^>]*data-name="loan"[^>]*>', poor.html(0, live=True))[0]
    assert "checked" in box
    assert Offered(poor.html(0, live=True)).actions == {"done", *(f"sell 1 for {n} loan" for n in range(1, 11))}
    bidder = at(3, Step.BID, reserve=(0, 15, 15)).html(0, live=True)
    assert Offered(bidder).actions == {"bid 0", *(f"bid {n} loan" for n in range(1, 11))}


# --- secrets


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_pictures_of_a_player_are_the_same_in_every_state_that_the_player_holds_possible(options):
    """TU-6: whatever others hold, and in whatever order the unseen cards are."""
    rng = random.Random(5)
    differed = 0
    for state, _actor, _action in games(options):
        if rng.random() < 0.85:
            continue
        for player in range(state.players):
            possible = state.view(player).sample(rng)
            differed += possible.hands != state.hands
            assert possible.html(player, live=True) == state.html(player, live=True)
            assert possible.to_svg(player) == state.to_svg(player)
    assert differed > 20, "or there was nothing to hide"


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_TU_10_TU_11_what_another_has_committed_does_not_show_before_the_last_one_has(options):
    committed = 0
    for state, actor, action in games(options, seeds=2):
        if state.step not in SIMULTANEOUS or len(state.actors) < 2:
            continue
        after = state.after(action, actor)
        for player in set(range(state.players)) - {actor}:
            committed += 1
            assert after.html(player, live=True) == state.html(player, live=True)
            if committed % 4 == 0:
                assert after.to_svg(player) == state.to_svg(player)
    assert committed >= 10


@pytest.mark.parametrize("step", [Step.SHOW, Step.OFFER])
def test_TU_6_secret_money_of_others_does_not_show_before_the_payments(step):
    state = at(3, step, won=[(4,), (5,), (6,)], centre=[], queue=((0, 0),), options={"money": "secret"})
    other = at(
        3, step, won=[(4,), (5,), (6,)], centre=[], queue=((0, 0),), reserve=(15, 7, 23), options={"money": "secret"}
    )
    assert state.html(0, live=True) == other.html(0, live=True)
    assert state.to_svg(0) == other.to_svg(0)
    assert state.html(1) != other.html(1), "one's own shows"
    assert "secret" not in text(turin.new(3, seed=1).html(0)), "TU-6: open by default"
    over = play_out(turin.new(2, money="secret"))
    assert "secret" not in text(over.html(0))


def play_out(state, seed=0):
    """Return the last state of a random game."""
    return [state for state, _actor, _action in random_moves(state, random.Random(seed))][-1]


# --- bids: each payment and its reason


CASES = [  # players, bids, additions by player, pays, and for each a part of the reason
    (3, (2, 2, 4), {0: 0, 1: 1}, (1, 3, 4), ["loses the tie: half of 2 (TU-17)", "wins 1 card", "wins 2 cards"]),
    (3, (5, 0, 0), {}, (5, 0, 0), ["wins 2 cards", "0 wins nothing (TU-13)", "0 wins nothing (TU-13)"]),
    (3, (5, 3, 1), {}, (5, 3, 0), ["wins 2 cards", "wins 1 card", "half of 1, rounded down (TU-12)"]),
    (
        4,
        (5, 5, 3, 2),
        {0: 0, 1: 0},
        (2, 2, 3, 1),
        ["half of 5, rounded down (TU-16)"] * 2 + ["wins 1", "half of 2 (TU"],
    ),
    (2, (4, 4), {0: 3, 1: 1}, (7, 2), ["wins 2 cards", "loses the tie: half of 5, rounded down (TU-17)"]),
]


@pytest.mark.parametrize(("players", "bids", "additions", "pays", "reasons"), CASES)
def test_TU_12_to_TU_17_what_each_pays_and_why(players, bids, additions, pays, reasons):
    state = play(all_bid(rich(players), *bids), *(f"p{player} add {n}" for player, n in additions.items()))
    results = wording.bids(state)
    assert tuple(one.pays for one in results) == pays
    if state.actors == (CHANCE,):  # TU-19: in which order those of a void place name cards
        state = state.after(state.outcomes()[0][0])
    assert wording.bids(state) == results
    assert tuple(RICH - have for have in state.reserve) == pays
    for one, reason in zip(results, reasons, strict=True):
        assert reason in one.why
    shown = cells(state.html(0), "tu-bids")
    assert [row[5] for row in shown] == [str(n) for n in pays]
    assert [row[1] for row in shown] == [str(n) for n in bids]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_TU_12_to_TU_17_the_reason_is_the_rule_that_holds(players):
    """All bids of 0, 1 and 5 from the top, and all additions of 0 and 2."""
    told_of = Counter()
    for bids in combinations_with_replacement((5, 1, 0), players):
        asked = sorted(naive.rebidders(bids, auction_format(players).places))
        for amounts in product((0, 2), repeat=len(asked)):
            added = dict(zip(asked, amounts, strict=True))
            state = all_bid(rich(players), *bids)
            while state.step is Step.ADD or state.actors == (CHANCE,):
                actor = state.actors[0]
                state = state.after(f"add {added[actor]}" if actor != CHANCE else state.outcomes()[0][0], actor)
            for one in wording.bids(state) if state.step is Step.TAKE else ():
                tied = [p for p in asked if bids[p] == one.bid]
                nothing = [p for p in tied if not added[p]]
                ahead = sum(bid > one.bid for bid in bids) + sum(added[p] > added.get(one.player, 0) for p in tied)
                if one.place is not None:
                    rule, said = "(TU-12)", "wins "
                elif not one.bid:
                    rule, said = "(TU-13)", "a bid of 0"
                elif one.player in nothing and len(nothing) > 1 and "(TU-17)" not in one.why:
                    rule, said = "(TU-16)", "tied, and not alone in adding 0"
                else:
                    assert one.player not in nothing or len(nothing) == 1 or ahead >= auction_format(players).places
                    rule, said = ("(TU-17)", "loses the tie") if one.player in asked else ("(TU-12)", "loses")
                assert rule in one.why and one.why.startswith(said), (bids, added, one)
                told_of[said] += 1
    assert len(told_of) == 5


def test_TU_14_TU_15_before_it_is_settled_nothing_is_said_of_payments():
    tied = all_bid(rich(3), 4, 4, 1)
    assert [one.why for one in wording.bids(tied)][:2] == ["tied: bids again (TU-14)"] * 2
    assert [one.pays for one in wording.bids(tied)] == [None, None, 0]
    coin = play(tied, "p0 add 2", "p1 add 2")
    assert coin.actors == (CHANCE,)
    assert [one.pays for one in wording.bids(coin)] == [None, None, 0]
    tossed = play(coin, "order p1 p0")
    results = wording.bids(tossed)
    assert [one.place for one in results] == [2, 1, None]
    assert all(one.why.endswith("the coin said so (TU-15)") for one in results[:2])


def test_TU_41_TU_42_the_goose_is_named_as_a_reason():
    tied = all_bid(rich(3, options={"goose": "tie"}), 4, 4, 1)
    results = wording.bids(play(tied, "p0 goose"))
    assert "by the goose last of the tied (TU-41)" in results[0].why
    assert results[0].place == 2
    underdog = rich(3, options={"goose": "underdog"}, holder=2, tokens=(0, 1, 0, 1, -1, -1, -1, -1, -1))
    assert "with the goose it counted 1 more (TU-42)" in wording.bids(all_bid(underdog, 7, 5, 5))[2].why


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_what_is_told_is_what_was_paid(options):
    """The bank's ledger of TU-2 moves by the sum of what all pay, and by the loans."""
    before, told_of, checked = None, None, 0
    for state, _actor, _action in games(options, seeds=4):
        if state.step is Step.BID:
            before, told_of = (state.bank, sum(state.loans)), None
        results = wording.bids(state)
        if (
            before
            and results
            and not state.cash
            and state.step is not Step.COIN
            and told_of is None
            and all(one.pays is not None for one in results)
        ):
            told_of = sum(one.pays for one in results)
            bank, loans = before
            assert state.bank == bank + told_of - 10 * (sum(state.loans) - loans)
            checked += 1
    assert checked > 10


def test_TU_10_bids_of_the_first_auction_keep_their_places_while_the_next_one_begins():
    """With four players the first auction has two places of one card, the others three."""
    state = all_bid(rich(4, first=True, won=[(5,), (), (), ()]), 4, 3, 2, 0)
    while state.step is not Step.SHOW:
        state = state.after(next(iter(state.actions(state.actors[0]))), state.actors[0])
    assert state.auction == 1
    assert [one.place for one in wording.bids(state)] == [1, 2, None, None]
    assert "Bids of auction 1" in text(state.html(0))


# --- goods and players


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_TU_32_who_has_most_is_marked_and_ties_too(options):
    for state, _actor, _action in games(options, seeds=1):
        rows = cells(state.html(0), "tu-goods")
        for good, row in zip(state.parameters.order, rows, strict=True):
            units = [state.goods(player)[good] for player in range(state.players)]
            sign = "◆" if units.count(max(units)) == 1 else "="
            assert row[3:] == [f"{n} {sign}" if n == max(units) > 0 else str(n or "·") for n in units]
            assert row[1:3] == [str(state.parameters.payouts[good]), str(state.deck.goods[good].total)]


def test_TU_4_goods_stand_in_the_order_of_payment():
    order = "maize,rice,butter,chocolate,walnuts,anchovies,grapes,honey,truffles"
    html = turin.new(3, seed=1, order=order).html(0)
    assert [row[0].split()[-1] for row in cells(html, "tu-goods")] == order.split(",")


def test_own_hand_only_and_all_hands_for_who_sees_all():
    state = turin.new(3, seed=1)
    shown = [set(re.findall(r"card (\d+):", state.html(player))) for player in (0, 1, 2, None)]
    assert shown == [{str(n) for n in numbers(hand)} for hand in state.hands] + [set.union(*shown[:3])]


def test_TU_20_cards_on_sale_with_their_coins_and_owner():
    state = at(
        3, Step.WINDOW, won=[(1,), (2,), ()], centre=[4, 5, 6], sale=((1, 0, 4), (2, 1, 3)), reserve=(11, 12, 15)
    )
    html = state.html(2, live=True, names=["Ada", "Bo", "Cy"])
    assert re.findall(r"<b>(\d+)</b> (?:<span[^>]*>)+(\w+)</span>", html.partition("tu-sale")[2]) == [
        ("4", "Ada"),
        ("3", "Bo"),
    ]
    assert "4 on cards for sale" in text(html)
    assert "claim card 1 for 4 escudos" in html


def test_names_are_escaped():
    html = turin.new(3, seed=1).html(0, live=True, names=["<b>Ada</b>", "Bo & Co", '"Cy"'])
    assert "<b>Ada" not in html
    assert "Bo & Co" not in html
    assert "&lt;b&gt;Ada" in html
    ElementTree.fromstring(turin.new(3, seed=1).to_svg(0, names=["<b>Ada</b>", "Bo & Co", '"Cy"']))


# --- the payments


def test_TU_32_to_TU_35_the_account_good_by_good():
    """Every row has what each player has after it, and the last one is the end."""
    for seed in range(6):
        state = play_out(turin.new(2 + seed % 4), seed)
        rows = cells(state.html(None, names=["Ada", "Bo", "Cy", "Di", "Ed"]), 'tu-account" [^>]*')
        payments = state.payments()
        assert [row[3:] for row in rows] == [
            [*map(str, state.cash)], *([*map(str, paid.cash)] for paid in payments.steps), [*map(str, payments.final)]
        ]  # fmt: skip
        assert len(rows) == 11
        for row, paid in zip(rows[1:-1], payments.steps, strict=True):
            assert ("takes" in row[2] or "had to take the loan" in row[2]) == bool(paid.borrowed)
            assert ("the bank pays for" in row[2]) == bool(paid.covered)
            assert ("share" in row[2]) == (len(paid.leaders) > 1)
        for player, (have, repaid) in enumerate(zip(payments.steps[-1].cash, payments.final, strict=True)):
            named = f"{['Ada', 'Bo', 'Cy', 'Di', 'Ed'][player]} repays {have - repaid}"
            assert (named in rows[-1][2]) == (have != repaid)


def test_TU_33_TU_34_payments_in_words():
    from tradekit.turin.payment import settle

    steps = settle([[2, 0], [2, 1], [1, 0]], [6, 4], [0, 5, 0], [0, 0, 1]).steps
    name = ["Ada", "Bo", "Cy"].__getitem__
    assert wording.payment(steps[0], name) == (
        "Ada and Bo share 6 + 1, rounded up: 4 each (TU-33); the bank pays for Cy, who owes 2 more (TU-34)"
    )
    assert wording.payment(steps[1], name) == "Bo has most and gets 4"
    three = settle([[3], [2], [1]], [6], [0, 0, 5], [0, 0, 0]).steps
    assert wording.payment(three[0], name) == (
        "Ada has most and gets 6 + 2 = 8; Bo and Cy pay 1 each; Bo had to take the loan for it (TU-34)"
    )


def test_TU_36_the_winners_are_named():
    state = play_out(turin.new(3), 4)
    winners = [f"player {player + 1}" for player in state.winners()]
    assert all(name in text(state.html()).partition("auction 5")[0] for name in winners)
    assert Offered(state.html(0, live=True)).actions == set()


def test_TU_40_games_before_are_told():
    for state, _actor, _action in random_moves(turin.new(2, games=2), random.Random(2)):
        if state.pauses:
            first = state.reserve
            assert "Game 1 is over" in text(state.html(0))
    before, last = state.past[0], state.reserve
    assert before == first
    for player in (0, 1):
        assert f"earlier games {before[player]}, all {before[player] + last[player]}" in text(state.html())


# --- marks, languages, pictures for paper


def test_marks_are_two_letters_that_no_other_good_has():
    marks = render.marks(turin.Deck.house())
    assert marks == ("Tr", "Ho", "Gr", "An", "Wa", "Ch", "Bu", "Ri", "Ma")
    for good, mark in enumerate(marks):
        assert f">{mark}<" in render.mark(turin.Deck.house(), good)


def test_the_goods_are_called_in_the_language_of_the_texts(monkeypatch):
    good = Good("grapes", 1, 1, 1, "uvas")
    assert good.shown == "grapes"
    monkeypatch.setattr(i18n, "_language", "es")
    assert good.shown == "uvas"
    assert Good("Trauben", 1, 1, 1).shown == "Trauben", "a deck of one's own has the names that it has"
    html = turin.new(3, seed=1).html(0)
    assert "mantequilla" in html
    assert "butter" not in html


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_state_of_a_game_has_a_picture_for_paper_that_fits_it(options):
    for state, _actor, _action in games(options, seeds=1):
        for player in (None, 0):
            root = ElementTree.fromstring(state.to_svg(player, names=["Maximiliana", "Bo"]))
            assert not re.findall(r"(?:href|url|src)\W", state.to_svg(player))
            _fits(root, 0, 0, float(root.get("width")), float(root.get("height")))
            assert root.find(f"{SVG}title").text


def test_a_name_with_a_space_heads_its_column_whole():
    svg = turin.new(3, seed=1).to_svg()
    assert ">player 1<" in svg and ">player 3<" in svg, "heads of columns; the list marks who is to act"


def _fits(element, x, y, width, height):
    for child in element:
        if child.tag == f"{SVG}g":
            dx, dy = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", child.get("transform")).groups())
            _fits(child, x + dx, y + dy, width, height)
        elif child.tag == f"{SVG}text":
            size = 0 if child.get("text-anchor") == "end" else 5.2 * len(child.text or "")
            assert y + float(child.get("y")) < height
            assert 0 <= x + float(child.get("x")) <= width - size, child.text
