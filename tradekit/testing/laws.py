"""The laws about rules: who acts, legal actions, their results, scores, texts, pictures and records."""

from __future__ import annotations

import gc
import pickle
import random
from collections.abc import Iterator, Mapping
from inspect import Parameter, signature
from itertools import islice
from math import isclose, isfinite
from typing import Any, Final
from xml.etree import ElementTree

from tradekit.game import CHANCE, Action, Game, IllegalAction, ParseError, State
from tradekit.record import Record
from tradekit.testing.law import Law, Run, require

_MANY: Final = 100  #: actions of a list that are each looked up in it
_WORDS: Final = 60  #: actions that players out of turn try
NAMES: Final = ('<b>Ana "A" & Co</b>', "Bo's", "Ćwik", "D", "E", "F")  #: as people might be called


# Cheap laws


def actors(run: Run, state: State) -> Iterator[str]:
    """The actors are players, or chance alone, as the game declares

    Give `State.actors` numbers from 0 to players - 1, each once, or `(CHANCE,)`, and declare `chance` and
    `simultaneous` in `Game` as they are.
    """
    acting, n, game = state.actors, run.start.players, run.game
    yield from require(isinstance(acting, tuple), f"actors are {acting!r}, no tuple")
    yield from require(len(set(acting)) == len(acting), f"somebody acts twice: {acting}")
    if CHANCE in acting:
        yield from require(len(acting) == 1 and game.chance, f"chance acts: {acting}")
    else:
        yield from require(all(0 <= actor < n for actor in acting), f"there is no such player: {acting}")
        yield from require(len(acting) <= 1 or game.simultaneous, f"several act at once: {acting}")
    yield from require(state.players == n, f"{n} players have become {state.players}")


def actions(run: Run, state: State) -> Iterator[str]:
    """The players to move have actions, others have none; len, iteration, `in` and sample agree

    `Listed` does it all; in a collection of your own `__len__`, `__iter__`, `__contains__` and `sample` must agree.
    """
    for player in range(run.start.players):
        may = state.actions(player)
        if player not in state.actors:
            yield from require(not may and not len(may), f"p{player} is not to act but may")
            continue
        listed = list(may)
        yield from require(bool(may) and len(may) == len(listed), f"p{player}: len is {len(may)}, listed {len(listed)}")
        there = {*listed}
        yield from require(len(there) == len(listed), f"p{player} has an action twice")
        some = listed if len(listed) <= _MANY else run.rng.sample(listed, _MANY)
        yield from require(all(action in may for action in some), f"p{player}: a listed action is not in")
        yield from require("no such action" not in may, f"p{player}: what is no action is in")
        sample = may.sample(random.Random(run.rng.random()))
        yield from require(sample in there, f"p{player}: the sample {sample!r} is not listed")


def values(run: Run, state: State) -> Iterator[str]:
    """An action is its text and nothing else, and its text is exact

    Make actions by `Action(text)` or `Listed.of`. A subclass that remembers more can be changed, and reveals what it
    remembers to whoever receives it.
    """
    acts: list[Any] = [action for action, _p in state.outcomes()]
    acts += [action for player in state.actors if player != CHANCE for action in islice(state.actions(player), 50)]
    one_of_each = {type(action): action for action in acts}.values()
    yield from require(all(isinstance(action, Action) for action in one_of_each), f"no Actions: {acts[:5]}")
    carried = [part for part in gc.get_referents(*acts) if not isinstance(part, type)]
    yield from require(not carried, f"one of {acts[:5]} carries {carried[:3]}")
    yield from require(
        not any(hasattr(action, "__dict__") for action in one_of_each), f"{acts[:5]}: one carries a dict"
    )
    spaced = [action for action in acts if "  " in action or action != action.strip() or not action]
    yield from require(not spaced, f"spaces to spare: {spaced[:5]}")


def chance(run: Run, state: State) -> Iterator[str]:
    """Probabilities are positive and add up to 1 where chance acts; elsewhere it has no outcomes

    `Even` gives each of some outcomes the same probability.
    """
    outcomes = list(state.outcomes())
    if CHANCE not in state.actors:
        yield from require(not outcomes, "outcomes without chance")
        return
    total = sum(probability for _action, probability in outcomes)
    yield from require(isclose(total, 1, abs_tol=1e-9), f"they add up to {total}")
    yield from require(all(probability > 0 for _action, probability in outcomes), "one is not positive")
    yield from require(len({action for action, _p in outcomes}) == len(outcomes), "an outcome stands there twice")


def scores(run: Run, state: State) -> Iterator[str]:
    """There is a score for every player, within the bounds that the game declares; winners only at the end, of the best

    Declare `low` and `high` in `Game` as they are. More is better: if the fewest points win, count them as negative.
    """
    game, points = run.game, state.scores()
    yield from require(len(points) == run.start.players, f"scores {points}")
    yield from require(all(map(isfinite, points)), f"scores {points}")
    yield from require(game.low is None or min(points) >= game.low, f"scores {points} below {game.low}")
    yield from require(game.high is None or max(points) <= game.high, f"scores {points} above {game.high}")
    winners = state.winners()
    if state.actors:
        yield from require(not winners, f"winners {winners} before the end")
    else:
        there = bool(winners) and set(winners) <= set(range(run.start.players)) and len(set(winners)) == len(winners)
        yield from require(there, f"winners {winners}")
        yield from require(all(points[p] == max(points) for p in winners), f"winners {winners} with scores {points}")


def conserved(run: Run, state: State) -> Iterator[str]:
    """What the game conserves is conserved

    An action, or chance, has made or lost some of it; or `State.conserved` does not count every place where it can be.
    """
    now, then = state.conserved(), run.start.conserved()
    yield from require(now == then, f"{then} became {now} ({run.game.conserves or 'nothing declared'})")


# Dear laws


def refusals(run: Run, state: State) -> Iterator[str]:
    """Every listed action is accepted and every other one refused, also from other players, and nothing has changed

    `State.after` returns a new state for a listed action. For any other it raises `IllegalAction`, and for text that is
    not an action of the game `ParseError`, both with a sentence that gives the reason.
    """
    text, players = str(state), range(run.start.players)
    legal: set[tuple[int, str]] = {(CHANCE, action) for action, _p in state.outcomes()}
    legal |= {(player, action) for player in players for action in state.actions(player)}
    for actor, action in sorted(legal):
        try:
            after = state.after(action, actor)
            typed = state.after(str(action), actor)
        except ValueError as error:
            yield f"{action!r} of {actor} is listed but refused: {error}"
            continue
        if type(after) is not type(state):
            yield f"{action!r} leads to {after!r}"
        if typed != after:
            yield f"{action!r} leads elsewhere if it is typed: {typed}"
    words = [*dict.fromkeys([*state.vocabulary(), *(action for _actor, action in legal)])]
    for actor in {*players, CHANCE}:
        tried = words
        if actor not in state.actors and len(words) > _WORDS:
            tried = run.rng.sample(words, _WORDS) + [action for _actor, action in sorted(legal)[:_WORDS]]
        for action in tried:
            if (actor, action) not in legal:
                yield from _refused(state, action, actor, IllegalAction)
    for nonsense in ("", "no such action", "\N{SNOWMAN}"):
        for actor in state.actors:
            yield from _refused(state, nonsense, actor, ParseError)
    yield from require(str(state) == text, f"it was {text!r}")


def _refused(state: State, action: str, actor: int, error: type[ValueError]) -> Iterator[str]:
    try:
        state.after(action, actor)
    except error as refusal:
        yield from require(bool(str(refusal).strip()), f"{action!r} is refused without a word")
    except Exception as other:
        yield f"{action!r} of {actor} raises {type(other).__name__}, not {error.__name__}: {other}"
    else:
        yield f"{action!r} of {actor} is not listed but accepted"


def texts(run: Run, state: State) -> Iterator[str]:
    """A state's text gives the same state back, and so does a pickle; equal states have equal texts and hashes

    The state read back must equal the one written in every part: numbers, texts, tuples and the same classes inside.
    Any difference between two states must show in their texts.
    """
    text = str(state)
    yield from reads(run, state)
    same = type(state).parse(text)
    yield from require("\n" not in text, "the text has several lines")
    yield from require(text.split()[:1] == [run.game.name], f"the text does not begin with {run.game.name!r}")
    kept = pickle.loads(pickle.dumps(state))
    yield from require(kept == state and hash(kept) == hash(state), f"pickled: {kept}")
    for twin, how in ((same, "parsed"), (kept, "pickled")):
        for name, of_state, of_twin in zip(_FACTS, facts(run, state), facts(run, twin), strict=True):
            yield from require(of_state == of_twin, f"{how}, it has other {name}: {of_twin}, not {of_state}")
    known = run.texts.setdefault(state, text)
    yield from require(known == text, f"an equal state had the text {known!r}")


def reads(run: Run, state: State) -> Iterator[str]:
    """A state's text gives the same state back"""
    text = str(state)
    same = type(state).parse(text)
    yield from require(same == state and str(same) == text == str(state), f"parsed: {same}")
    yield from require(hash(same) == hash(state), "its hash is another")


_FACTS: Final = ("actors", "actions", "outcomes", "scores", "winners", "conserved amounts", "views", "pictures")


def facts(run: Run, state: State) -> tuple[object, ...]:
    """Return all that a state says of itself, as `_FACTS` lists it."""
    players = range(run.start.players)
    return (
        state.actors,
        [list(state.actions(player)) for player in players],
        list(state.outcomes()),
        state.scores(),
        state.winners(),
        state.conserved(),
        [str(state.view(player)) for player in players],
        state.html(),
    )


def pictures(run: Run, state: State) -> Iterator[str]:
    """A state can be drawn for everybody, live and on paper, whatever the players are called

    `State.html` and `State.to_svg` return text for every state, including the last one; an SVG picture is XML, and
    names are escaped (`tradekit.show.html.element` does it).
    """
    names = NAMES[: run.start.players]
    for player in (None, run.rng.randrange(run.start.players)):
        drawn = [state.html(player), state.html(player, live=True, names=names), state.to_svg(player, names=names)]
        yield from require(all(isinstance(picture, str) and picture for picture in drawn), f"for {player}: {drawn}")
        yield from require(not any("<b>Ana" in picture for picture in drawn), f"for {player}, a name is not escaped")
        try:
            ElementTree.fromstring(drawn[-1])
        except ElementTree.ParseError as error:
            yield f"for {player}, the SVG picture is no XML: {error}"


def commits(run: Run, state: State) -> Iterator[str]:
    """Players who act at the same time can do so in any order, and nobody sees it before the last one has

    Keep each player's choice apart until all have chosen, and blot it out in `State.hide_from`.
    """
    acting, rng = state.actors, run.rng
    if len(acting) < 2:
        return
    for _attempt in range(5):
        chosen = {player: state.actions(player).sample(rng) for player in acting}
        ends = set()
        for order in (acting, acting[::-1]):
            committed = state
            for player in order:
                committed = committed.after(chosen[player], player)
            ends.add(committed)
        yield from require(len(ends) == 1, f"the order matters: {ends}")
    first, *others = acting
    for other in others:
        views = {str(state.after(action, first).view(other)) for action in list(state.actions(first))[:20]}
        yield from require(views == {str(state.view(other))}, f"p{other} sees what p{first} has chosen")


# Laws of a whole game


def replays(run: Run, state: State) -> Iterator[str]:
    """A record replays to the same states, and can be taken back and gone on with

    `State.after` must give the same result every time: it draws nothing at random, and remembers nothing outside the
    state.
    """
    record = run.record()
    again = Record.parse(str(record))
    yield from require(again == record, "it is read as another")
    yield from require(again.state() == state == record.state(), f"it ended in {again.state()}")
    yield from require([*again.states()] == [*record.states()], "a state on the way is another")
    if run.moves:
        place = run.rng.randrange(len(run.moves))
        back = record.before(place)
        yield from require(back.state() == record.state(place), f"taken back to move {place}, it is another state")
        forth = back.with_move(run.moves[place].action, run.moves[place].actor)
        yield from require(forth.state() == record.state(place + 1), f"from move {place} on, it goes elsewhere")
        yield from require(forth.moves == record.moves[: place + 1], f"move {place + 1} is written otherwise")


def declared(run: Run, options: Mapping[str, object]) -> Iterator[str]:
    """A game begins with every number of players and every option that it declares, and so again with the same seed

    Declare in `Game.players` the numbers that `Game.new` accepts, and no others.
    """
    game: Game = run.game
    yield from require(run.start.players in game.players, f"{run.start.players} play, declared are {game.players}")
    yield from require(len({*game.players}) == len(game.players) > 0, f"declared are {game.players} players")
    taken = signature(game.new).parameters
    any_name = any(of.kind is Parameter.VAR_KEYWORD for of in taken.values())
    for number in game.players if "players" in taken or any_name else ():
        try:
            start = game.new(**{**options, "players": number})
        except Exception as error:
            yield f"{number} players: {type(error).__name__}: {error}"
            continue
        yield from require(start.players == number, f"{number} players: {start.players} play")
        yield from require(number != run.start.players or start == run.start, f"begun again, it is {start}")
    if "seed" in taken:
        with_seed = (
            {"players": run.start.players, **options, "seed": 7} if "players" in taken else {**options, "seed": 7}
        )
        yield from require(game.new(**with_seed) == game.new(**with_seed), "with one seed it begins in two ways")
    if game.options is not None:
        for name in game.options.names():
            try:
                same = game.new(**{**options, name: getattr(run.start.rules, name)})  # type: ignore[attr-defined]
            except Exception as error:
                yield f"option {name}: {type(error).__name__}: {error}"
                continue
            yield from require(same == run.start, f"option {name}, given as it is, makes it {same}")


CHEAP: Final[tuple[Law, ...]] = (actors, actions, values, chance, scores, conserved)
