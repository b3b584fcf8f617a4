"""The Spanish catalogue is complete and true to the code, and no text that a person sees bypasses it."""

import ast
import os
import random
import re
import string
import subprocess
import sys
from functools import partial

import pandas as pd
import pytest
from babel.messages.mofile import read_mo

import tradekit
from tests import catalogue
from tests.pseudo import CYRILLIC, WIDE, Pseudo, english, seen
from tradekit import auctions, bazar, bots, i18n, silk, turin
from tradekit.auctions import Format, MeanOfSignals, first_price, losers_pay, uniform
from tradekit.auctions.learn import learn
from tradekit.auctions.rank_games import PrivateValues
from tradekit.bazar.explorer import explore
from tradekit.game import random_moves
from tradekit.record import Record
from tradekit.turin.parameters import Step
from tradekit.turin.render import marks
from tradekit.widgets.bidding import bidding_game
from tradekit.widgets.lab import RISKS, SHAPES, lab

ANEW = "run `make catalogue`, and translate what it names"
NAMES = ("Ana", "Bo", "Cid", "Dea", "Eva")
MODULES = sorted((catalogue.ROOT / "tradekit").rglob("*.py"))

# The catalogue


@pytest.fixture(scope="module")
def spanish():
    return catalogue.read()


def entries(spanish):
    """Return messages and translations, form by form."""
    for entry in spanish:
        if entry.id:
            ours, theirs = (pair if entry.pluralizable else (pair,) for pair in (entry.id, entry.string))
            yield from zip(ours, theirs, strict=True)


def test_every_message_of_the_code_is_there_and_no_other(spanish):
    there = {(entry.id, entry.context) for entry in spanish if entry.id}
    needed = {(message.id, message.context) for message in catalogue.from_code()}
    assert needed - there == set() and there - needed == set(), ANEW
    assert not spanish.obsolete, ANEW


def test_every_message_is_translated_and_none_is_guessed(spanish):
    assert [entry.id for entry in spanish if entry.fuzzy] == []
    assert [ours for ours, theirs in entries(spanish) if not theirs.strip()] == []
    assert spanish.num_plurals == 2


def fields(text):
    """Return the fields of a text, with form and conversion, in any order."""
    parsed = string.Formatter().parse(text)
    return sorted((name, form or "", how or "") for _text, name, form, how in parsed if name is not None)


def test_translations_fill_in_what_the_messages_do(spanish):
    assert [ours for ours, theirs in entries(spanish) if fields(ours) != fields(theirs)] == []


#: Parts that a translation must keep: seats, rules, names of options, typed or called words, and HTML.
KEPT = re.compile(r"\bp\{\w+\}|\b(?:BZ|TU|SI)-\d+|\b\w+=|'[^' {}]+'|\b\w+\(|</?[a-z]+>")


def test_translations_keep_what_is_typed_rules_and_html(spanish):
    wrong = {}
    for ours, theirs in entries(spanish):
        if missing := {word for word in KEPT.findall(ours) if word not in theirs} - {"name="}:
            wrong[ours] = missing
    assert wrong == {}


def edges(text):
    """Return the white space at both ends, and the kind of the final sign."""
    last = re.search(r"[.?!:;,…]*$", text.rstrip())[0]
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :], last


def test_translations_begin_and_end_as_the_messages_do(spanish):
    assert [(ours, theirs) for ours, theirs in entries(spanish) if edges(ours) != edges(theirs)] == []


def test_Spanish_opens_questions_and_quotations(spanish):
    for _ours, text in entries(spanish):
        theirs = re.sub(r"\{[^{}]*\}", "", text)
        assert theirs.count("¿") == theirs.count("?") and theirs.count("¡") == theirs.count("!"), theirs
        assert '"' not in re.sub(r'\("\w+"', "", theirs) and theirs.count("«") == theirs.count("»"), theirs


def test_the_compiled_catalogue_is_that_of_the_text(spanish, tmp_path):
    def content(mo):
        return {(str(entry.id), entry.context): tuple(entry.string) for entry in mo if entry.id}

    new = tmp_path / "tradekit.mo"
    new.write_bytes(catalogue.compiled(spanish))
    with new.open("rb") as made, catalogue.SPANISH.with_suffix(".mo").open("rb") as committed:
        assert content(read_mo(committed)) == content(read_mo(made)), ANEW


def test_a_message_of_the_code_is_a_plain_text():
    for wrong in ("_(f'{x} turns')", "_(text)", "ngettext('{n} turn', many, n)", "_('a' if b else 'c')"):
        with pytest.raises(ValueError, match="must be a plain text"):
            [*catalogue.messages(wrong)]


# The language


def run(code, **environment):
    """Return the output of a program in a process of its own, whose language is set only by `environment`."""
    kept = {k: v for k, v in os.environ.items() if k != "TRADEKIT_LANG" and not k.startswith(("LANG", "LC_"))}
    return subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], check=True, capture_output=True, encoding="utf-8",
        env={**kept, **environment},
    ).stdout.strip()  # fmt: skip


ERROR = (
    "from tradekit import bazar\ntry: bazar.Stones('RR') - bazar.Stones('W')\nexcept ValueError as error: print(error)"
)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "RR does not contain W"),
        ({"TRADEKIT_LANG": "es"}, "RR no contiene W"),
        ({"LANG": "es_ES.UTF-8"}, "RR no contiene W"),
        ({"LANGUAGE": "fr:es:en"}, "RR no contiene W"),
        ({"LANGUAGE": "en_GB:es"}, "RR does not contain W"),  # English is the language of the code and has no catalogue
        ({"LC_ALL": "C.UTF-8", "LANG": "es_ES.UTF-8"}, "RR does not contain W"),
        ({"TRADEKIT_LANG": "en", "LANG": "es_ES.UTF-8"}, "RR does not contain W"),
        ({"TRADEKIT_LANG": "es", "LANG": "en_US.UTF-8"}, "RR no contiene W"),
    ],
)
def test_the_language_of_the_environment_in_a_process_of_its_own(environment, said):
    assert run(ERROR, **environment) == said


def test_set_language_is_found_at_the_top():
    assert tradekit.set_language is i18n.set_language and "set_language" in dir(tradekit)
    assert "es" in (tradekit.set_language.__doc__ or "")


SPY = """
import sys
from gettext import NullTranslations
from pathlib import Path
from importlib import import_module
from tradekit import i18n
class Spy(NullTranslations):
    def gettext(self, message):
        if message != "{file}, line {n}: ":  # with which an error would begin, were there one in a deck that is read
            print(message)
        return message
    pgettext = ngettext = lambda self, *texts: print(*texts) or texts[0]
i18n._catalogue = Spy()
for path in sorted(Path(i18n.__file__).parent.rglob("*.py")):
    name = ".".join(("tradekit", *path.relative_to(Path(i18n.__file__).parent).with_suffix("").parts))
    if "__main__" not in name and ".adapters" not in name:
        import_module(name.removesuffix(".__init__"))
"""


@pytest.mark.long
def test_no_message_is_looked_up_while_modules_are_imported():
    """It would stay in the language of that moment. (The adapters need libraries that may be missing, and say so.)"""
    assert run(SPY) == ""


# Nothing bypasses the catalogue: errors, by the code


def literals(call):
    """Yield the text in a call's arguments as written in the code."""
    for argument in call.args:
        parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
        yield "".join(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def test_errors_are_messages():
    """Errors are raised with messages, except for faults in code: `BrokenLaw`, `TypeError` and the like."""
    of_code = {"NotImplementedError", "AttributeError", "TypeError", "ArithmeticError", "BrokenLaw"}
    plain = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                seen_by_all = ast.unparse(node.exc.func) not in of_code
                if seen_by_all and any(len(english([text])) > 1 for text in literals(node.exc)):
                    plain.append(f"{path.relative_to(catalogue.ROOT)}, line {node.lineno}: {ast.unparse(node)}")
    assert plain == []


# Nothing bypasses the catalogue: shown texts


@pytest.fixture(params=[WIDE])
def pseudo(request, monkeypatch):
    """All messages in letters that are not English."""
    monkeypatch.setattr(i18n, "_language", "xx")
    monkeypatch.setattr(i18n, "_catalogue", Pseudo(request.param))


GOODS = {word for good in turin.Deck.house().goods for word in good.name.split()}  # the deck also has them in Spanish
MARKS = {*marks(turin.Deck.house())}  # two letters of each, which the deck has in Spanish
#: An action before the reason why it is not legal, as it would be typed.
TYPED = re.compile(r"(^|: )(?:show|bid|add|claim|withdraw|sell|pass|done|no goose|accept|decline|neutral)[\w ]*(?=: )")

STARTS = {
    "bazar": partial(bazar.new, 2, cards=(1, 4)),
    "bazar, a solitaire": partial(bazar.new, 1),
    "bazar, stones hidden, two wares a turn": partial(bazar.new, 3, hidden=True, double=True),
    "turin": partial(turin.new, 3),
    "turin, a match with the goose, money secret": partial(turin.new, 5, goose="tie", games=2, money="secret"),
    "turin, the underdog's goose": partial(turin.new, 2, goose="underdog"),
    "silk": partial(silk.new, 3),
    "silk, with the neutral": partial(silk.new, 2),
}


def some_states(start, games=2, most=2):
    """Return states of random games, `most` of every step."""
    found = {}
    for seed in range(games):
        for state, _actor, _action in random_moves(start, random.Random(seed)):
            there = found.setdefault(state.step, [])
            if len(there) < most:
                there.append(state)
    return [state for states in found.values() for state in states]


@pytest.mark.long
@pytest.mark.parametrize("name", STARTS)
def test_pictures_of_states(name, pseudo):
    """As each player and as a viewer who sees all: the live page, and the picture for paper."""
    for state in some_states(STARTS[name]()):
        for seat in (None, *range(state.players)):
            for page in (state.html(seat, live=True, names=NAMES), state.to_svg(seat, NAMES)):
                texts = [TYPED.sub(r"\1", text) for text in seen(page)]
                assert english(texts, {*NAMES, *GOODS, *MARKS}) == {}


@pytest.mark.parametrize("name", STARTS)
def test_reasons_why_not(name, pseudo):
    """The reasons cover all actions that can be written, in all steps: only the action itself, and goods, stay."""
    for state in some_states(STARTS[name](), games=1, most=1):
        rng = random.Random(1)
        actions = [*state.vocabulary()]
        for action in rng.sample(actions, min(40, len(actions))):
            for player in (None, *state.actors[:2]):
                kept = {*re.findall(r"\w+", action), *GOODS}
                assert english([state.why(action, player)], kept) == {}


# Widgets: a person's actions, one after another, and the page after each

HOUSE = {"bazar", "turin", "silk", *(name for game in ("bazar", "turin", "silk") for name in bots.names(game))}
SAID = ("tb-typed",)  # moves as they are typed
OWN = {"Python", "Ana", "Bo", "txt", *GOODS, *MARKS, *HOUSE}


def page(widget, but=()):
    """Return the English words on a widget's page, and of its title."""
    texts = [TYPED.sub(r"\1", text) for part in widget.parts.values() for text in seen(part, but)]
    return english([*texts, widget.label], OWN)


def do(widget, *actions):
    """Do what a person does, such as ("stop", "") or ("act", "roll")."""
    for name, value in actions:
        widget.receive(name, value)
        widget.refresh()


@pytest.fixture
def somewhere(tmp_path, monkeypatch):
    """An empty folder, in which tables save their games."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", ["bazar", "turin", "silk"])
def test_the_table(name, pseudo, somewhere):
    table = tradekit.play(STARTS[name](), {0: "Ana", 1: "Bo", 2: "random"} if name != "bazar" else {0: "Ana"}, seed=1)
    assert page(table, SAID) == {}
    for _turn in range(3):
        do(table, ("uncover", ""), ("hint", ""))
        assert page(table, SAID) == {}
        action = next(iter(table.state.actions(table.facing or 0))) if table.to_act is not None else ""
        do(table, ("act", action), ("type", "?"), ("seating", ""), ("seed", "x"), ("replay", "1"))
        assert page(table, SAID) == {}
        do(table, ("replay", "999"), ("back", ""), ("seating", ""), ("paste", "?"), ("stop", ""))
        assert page(table, SAID) == {}
        do(table, ("go", ""), ("undo", ""))
        assert page(table, SAID) == {}


@pytest.mark.parametrize("die", [False, True])
def test_the_explorer(die, pseudo):
    explorer = explore(cards=(1, 4), have="RRB", wares=["RWBGY", "GGGGG*"], die=die)
    assert page(explorer) == {}
    do(explorer, ("equations", "R"), ("have", "XX"), ("add_ware", "RWBGY"), ("card", "2"), ("choose", "1"))
    assert page(explorer) == {}
    do(explorer, ("remove_ware", "RWBGY"), ("remove_ware", "GGGGG*"))
    assert page(explorer) == {}


FORMATS = (
    Format(), Format(prizes=(2, 1), loser_pays=0.5), Format(winner_pays="next"), Format(loser_pays=1, reserve=0.2)
)  # fmt: skip


def test_the_laboratory(pseudo):
    own = {*OWN, "Beta", "CRRA", "CARA"}
    for format in FORMATS:
        bench = lab(format, bidders=3)
        texts = [text for part in bench.parts.values() for text in seen(part)]
        assert english([*texts, bench.label], own) == {}
    bench = lab(first_price(), bidders=3)
    for shape in SHAPES:
        do(bench, ("values", shape))
        assert english([text for part in bench.parts.values() for text in seen(part)], own) == {}
    for risk in RISKS:
        do(bench, ("values", "uniform"), ("risk", risk), ("bidders", "99"))
        assert english([text for part in bench.parts.values() for text in seen(part)], own) == {}


@pytest.mark.parametrize("values", [uniform(), MeanOfSignals()])
def test_the_bidding_game(values, pseudo):
    game = bidding_game(Format(step=0.1), values, ["equilibrium", "naive", "shading"], rounds=3, seed=1)
    assert page(game) == {}
    for typed, way in (("0.3", "bid"), ("", "no_bid"), ("0.2", "bid")):
        do(game, ("amount", "?"), ("bid", ""))
        assert page(game) == {}
        do(game, ("amount", typed), (way, ""))
        for _step in range(6):
            assert page(game) == {}
            do(game, ("uncover", ""))
        do(game, ("try", "0.25"), ("replay", "1"), ("try", "x"), ("next", ""))
        assert page(game) == {}


# Charts: texts drawn, read out, and shown under the pointer


def shown(chart):
    """Return the texts of a chart."""
    spec = chart.to_dict()
    yield from (text for text in re.findall(r"<text[^>]*>([^<]*)<", chart.to_svg()))
    open_ = [spec]
    while open_:
        part = open_.pop()
        if isinstance(part, dict):
            for name in ("tooltip", "description", "text"):
                shows = part.get(name) if "mark" not in part else None
                for one in shows if isinstance(shows, list) else [shows]:
                    if isinstance(one, dict) and "field" in one:
                        rows = [row for rows in spec["datasets"].values() for row in rows]
                        yield from (str(row[one["field"]]) for row in rows if row.get(one["field"]) is not None)
                        if name == "tooltip":
                            yield one.get("title", one["field"])
            if "bind" in part:
                yield part["bind"].get("name", "")
            yield from (part[name] for name in ("title", "subtitle") if isinstance(part.get(name), str))
            open_ += part.values()
        elif isinstance(part, list):
            open_ += part


EXCHANGE = bazar.Exchange.of_cards(1, 4)
WARES = ["RWBGY", "GGGGG*"]


def bazar_charts():
    policy = EXCHANGE.solve("RWBGY", left=0)
    plays = policy.simulate("RR", 50, seed=1)
    yield bazar.charts.frontier(EXCHANGE.frontier("RRW", WARES))
    yield bazar.charts.frontier(EXCHANGE.outlook("RRW", WARES), chosen=0)
    yield bazar.charts.heat_map(policy, "RRB")
    yield bazar.charts.picture(EXCHANGE)
    yield bazar.charts.proof(EXCHANGE.proof("RRW", "GGGGG*", left=0))
    yield bazar.charts.plays(plays, policy.turns("RR"), 7)
    record = bots.finish(Record.begin(bazar.new(2, cards=(1, 4), seed=1), NAMES[:2]), ["random", "random"], seed=1)
    yield bazar.charts.review(bazar.review(record).assign(action="", best=""))  # those are typed


def auction_charts():
    equilibria = {"Ana": first_price().equilibrium(2, uniform()), "Bo": first_price().equilibrium(3, uniform())}
    simulated = first_price().simulate(equilibria["Bo"], uniform(), rounds=20, seed=1, bidders=3)
    yield auctions.charts.bid_function(equilibria, simulated, prediction=(0.5, 0.3))
    yield auctions.charts.bid_function(equilibria["Bo"], simulated, prediction=(0.5, None), signals=True)
    shares = [losers_pay(a).equilibrium(3, uniform()).to_frame(11).assign(A=a) for a in (0.0, 0.5, 1.0)]
    yield auctions.charts.bid_function(pd.concat(shares), slider="A")
    yield auctions.charts.learning(learn(PrivateValues.of(Format(step=1), range(4)), steps=20, moments=4))
    frame = pd.DataFrame({"A": ["x", "y"], "revenue": [0.5, 0.5], "spread": [0.1, 0.4], "simulated": [0.5, 0.5]})
    yield auctions.charts.revenue(frame, prediction=[("x", 0.0), ("y", None)])


def turin_pictures():
    record = bots.finish(Record.begin(turin.new(2, seed=1), NAMES[:2]), ["random", "random"], seed=1)
    states = [state for state in record.states() if state.centre and state.actors == (0, 1)]
    yield turin.charts.worth(turin.worth(states[0]), NAMES)
    yield turin.charts.worth(turin.awards(states[0]), NAMES)
    night = turin.solve_auction(next(state for state in states if state.step is Step.BID))
    yield turin.charts.auction(night, 0, 1, NAMES)
    yield turin.charts.history(turin.bids(record, samples=5))


def silk_pictures():
    record = bots.finish(Record.begin(silk.new(3, seed=1), NAMES[:3]), ["sale"] * 3, seed=1)
    frame = silk.demands(record).head(4)  # the rest repeats actions
    yield from (silk.charts.demand(frame.assign(action=""), by) for by in ("place", "good"))
    yield silk.charts.decay(silk.decay(3))
    yield silk.charts.odds(silk.odds(silk.new(3, seed=7), 2))
    yield silk.charts.revealed(silk.inference(silk.new(3, seed=7).view(0), 1, 2, silk.Good.IVORY, 19))
    yield silk.charts.income(silk.income_shares(record))


@pytest.mark.long
@pytest.mark.parametrize("pictures", [bazar_charts, auction_charts, turin_pictures, silk_pictures])
def test_charts(pictures, pseudo):
    for chart in pictures():
        assert english(shown(chart), {*NAMES, *GOODS, *MARKS}) == {}


def test_values_that_show_themselves(pseudo):
    exchange = bazar.Exchange("R=WW W=BG")
    chain = exchange.chain("RRR", "WWBGG")
    pages = [chain._repr_html_(), chain.to_svg(), bazar.Stones("")._repr_html_(), EXCHANGE._repr_html_()]
    pages += [EXCHANGE.solve("RWBGY")._repr_html_(), EXCHANGE.prices()._repr_html_()]
    assert english([text for page in pages for text in seen(page)]) == {}
    assert english([chain.title(), EXCHANGE.solve("RWBGY").title()]) == {}


# A language chosen later applies to everything drawn from then on: nothing keeps a text


def everything():
    """Yield pages and pictures, including those of widgets that go on; each call draws them again."""
    states = [state for start in STARTS.values() for state in some_states(start(), games=1, most=1)]
    table, bench = tradekit.play(bazar.new(2, cards=(1, 4)), {0: "Ana", 1: "Bo"}), lab(first_price(), bidders=3)
    game = bidding_game(first_price(), rounds=1, seed=1)
    do(game, ("amount", "0.3"), ("bid", ""), ("uncover_all", ""), ("next", ""))
    chain, policy = EXCHANGE.chain("RR", "RWBGY"), EXCHANGE.solve("RWBGY", left=0)

    def draw():
        for state in states:
            yield from (state.html(seat, live=True, names=NAMES) for seat in range(state.players))
            yield state.to_svg(0, NAMES)
        for widget in (table, bench, game, explore(cards=(1, 4), have="RRB", wares=["RWBGY"], die=True)):
            widget.refresh()
            yield from widget.parts.values()
        yield from (chain._repr_html_(), chain.to_svg(), policy._repr_html_())
        yield bazar.charts.frontier(EXCHANGE.outlook("RRW", WARES)).to_svg()
        yield " ".join(map(bots.strength, ("chain", "value", "sale"), ("bazar", "turin", "silk")))

    return draw


@pytest.mark.long
def test_no_text_is_kept_when_the_language_changes(monkeypatch, somewhere):
    monkeypatch.setattr(i18n, "_language", "xx")
    monkeypatch.setattr(i18n, "_catalogue", Pseudo(WIDE))
    draw, wide, cyrillic = everything(), {*map(chr, WIDE.values())}, {*map(chr, CYRILLIC.values())}
    assert sum(bool(wide & {*drawn}) for drawn in draw()) > 100
    monkeypatch.setattr(i18n, "_catalogue", Pseudo(CYRILLIC))
    pages = [*draw()]
    assert sum(bool(cyrillic & {*drawn}) for drawn in pages) > 100
    assert [text for drawn in pages for text in seen(drawn) if wide & {*text}] == []
