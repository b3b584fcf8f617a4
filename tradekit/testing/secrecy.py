"""The laws about secrets: nothing that a seat is given depends on what it must not know.

A player may know what `State.hide_from` leaves: where two states have equal views, everything given to the player
must be equal as well. Such pairs come from `View.sample`, and from replaying the last moves with another hidden one:
a card drawn, a bid, a choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any, Final

from tradekit.game import CHANCE, Action, State, View
from tradekit.record import Move, Record
from tradekit.testing import laws
from tradekit.testing.graphs import difference, reached
from tradekit.testing.law import Run, require

_WORDS: Final = 30  #: illegal actions that are tried
_DRAWN: Final = 2  #: players for whom pictures are drawn
_RETELLINGS: Final = 3  #: other versions of the last moves that are tried per player


def views(run: Run, state: State) -> Iterator[str]:
    """A view does not depend on what its player cannot see, and a state sampled from it is consistent with it

    `State.hide_from` blots out all that the player does not know, once and no more; `State.sample_hidden` fills it in
    again, so that all that was known, what is conserved, and the player's actions stay as they are.
    """
    rng, game = run.rng, run.game
    for player in range(run.start.players):
        view = state.view(player)
        mine = list(state.actions(player))
        yield from require(view == state.view(player), f"p{player}: two views of one state differ")
        yield from require(view.known.view(player) == view, f"p{player}: what is masked again is another")
        may, known = state.actions(player), view.actions()
        yield from require(mine == list(known), f"p{player}: the view has other actions")
        if mine:
            luck = rng.random()
            drawn, again = [[some.sample(r) for _ in "1234"] for some in (may, known) for r in [random.Random(luck)]]
            yield from require(drawn == again, f"p{player}: with the same luck other samples, {again} and not {drawn}")
        for _attempt in range(3):
            sample = view.sample(rng)
            yield from require(type(sample) is type(state), f"p{player}: the sample is {sample!r}")
            yield from require(sample.view(player) == view, f"p{player} could tell {sample} apart")
            yield from require(str(sample.view(player)) == str(view), f"p{player} could tell {sample} apart")
            yield from require(mine == list(sample.actions(player)), f"p{player}: other actions in {sample}")
            if not game.hidden and not game.simultaneous:
                yield from require(sample == state, f"nothing is hidden, but p{player} holds {sample} possible")
        for law in (*laws.CHEAP, laws.reads) if sample != state else ():
            for fault in law(run, sample):
                yield f"of what p{player} holds possible, {sample}: {fault}"


def bonds(run: Run, state: State) -> Iterator[str]:
    """Nothing that a player is handed hangs on the true state

    A view and its actions may refer to the masked state alone: do not attach actions, caches or functions to the state
    that they come from.
    """
    player = run.rng.randrange(run.start.players)
    view = state.view(player)
    if view.known == state and view.known.actors == state.actors:  # nothing is hidden
        return
    actions = view.actions()
    some = [*islice(actions, 20), *([actions.sample(random.Random(0))] if actions else [])]
    for thing in reached(view, actions, some):
        if isinstance(thing, State) and (thing is state or thing.hide_from(player) != thing):
            yield f"on the view or the actions of p{player} hangs {thing}"


def secrets(run: Run, state: State) -> Iterator[str]:
    """A player is handed the same in states that differ only in what the player may not know

    Make everything for a player from `State.hide_from(player)`: pictures, error messages, actions and their order.
    """
    n = run.start.players
    drawn = run.rng.sample(range(n), min(n, _DRAWN))  # pictures take time
    for player in range(n):
        twin = state.view(player).sample(run.rng)
        pairs = [(state, twin)] if twin != state else []
        pairs += islice(((a.state(), b.state()) for a, b in retold(run, state, player)), 1)
        for one, other in pairs:
            yield from _alike(one, other, player, _handed, run)
            yield from _alike(one, other, player, _refusals, run)
            if player in drawn:
                yield from _alike(one, other, player, _pictures, run)
        if player in drawn:
            other = state.alike(run.rng, player)
            if other != state and list(other.actions(player)) == list(state.actions(player)):
                yield from _alike(state, other, player, _pictures, run)


def news(run: Run, state: State) -> Iterator[str]:
    """A player is told the same of moves of a kind that the player cannot tell apart

    `State.visible_to` reveals no more of hidden cards and of choices not yet revealed than the view shows; without it,
    the player is told what the view shows.
    """
    for player in range(run.start.players):
        for one, other in retold(run, state, player, elsewhere=False):
            (_actor, made), (_actor, otherwise) = one.moves[0], other.moves[0]
            # The kind of a move may be public; and moves with the same result are not a secret.
            if made.split()[0] != otherwise.split()[0] or one.state() == other.state():
                continue
            for place, move in enumerate(one.moves):
                told = one.visible_to(player, place), other.visible_to(player, place)
                yield from require(
                    told[0] == told[1] or move.actor == player,
                    f"of {move} p{player} is told {told[0]!r}; of {other.moves[place]}, {told[1]!r}",
                )


def retold(run: Run, state: State, player: int, elsewhere: bool = True) -> Iterator[tuple[Record, Record]]:
    """Yield the last moves, and the same with a different first one, if the player could not tell them apart.

    `elsewhere`: the different move can also be made in another state that is consistent with what the player knew.
    """
    recent, rng = [*run.recent], run.rng
    for _attempt in range(_RETELLINGS if recent else 0):
        first = rng.randrange(len(recent))
        before, (actor, made) = recent[first]
        if actor == player:
            continue
        world = before.view(player).sample(rng) if elsewhere and rng.random() < 0.5 else before
        if actor not in world.actors:
            continue
        there = [action for action, _p in world.outcomes()]
        otherwise = rng.choice(there) if actor == CHANCE else world.actions(actor).sample(rng)
        if (world, otherwise) == (before, made):
            continue
        states, others = [before], [world]
        moves, said = list[Move](), list[Move]()
        for place in range(first, len(recent)):
            actor, action = recent[place][1]
            after = recent[place + 1][0] if place + 1 < len(recent) else state
            instead = action if place > first else Action(otherwise)
            try:
                other = others[-1].after(instead, actor)
            except ValueError:  # that could not have continued like this
                break
            if other.hide_from(player) != after.hide_from(player):
                break
            states.append(after)
            others.append(other)
            moves.append(Move(actor, action))
            said.append(Move(actor, instead))
        if moves:
            yield _record(states, moves), _record(others, said)


def _record(states: list[State], moves: list[Move]) -> Record:
    return Record.begin(states[0])._of(tuple(moves), states)


# What is handed out


def _handed(state: State, player: int) -> Iterator[tuple[str, Any]]:
    """Yield what a program in that seat gets: the view and its actions, with everything attached to them."""
    view: View = state.view(player)
    actions = view.actions()
    yield "view", view
    yield "actions", actions
    yield "text of the view", (str(view), repr(view))
    yield "what the view says", (view.actors, view.scores(), view.known.turn_of, view.known.pauses)
    listed = list(actions)
    yield "list of actions", (len(actions), listed, *map(repr, listed[:5]))
    rng = random.Random(1)
    yield "samples of the actions", [actions.sample(rng) for _attempt in range(5 if listed else 0)]
    yield "view and actions once they were used", (view, actions)


def _pictures(state: State, player: int) -> Iterator[tuple[str, Any]]:
    """Yield what a person in that seat sees."""
    names = laws.NAMES[: state.players]
    yield "picture", state.html(player)
    yield "live picture", state.html(player, live=True, names=names)
    yield "SVG picture", state.to_svg(player, names=names)
    yield "picture of the view", state.view(player)._repr_html_()


def _refusals(state: State, player: int, words: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the answers that the seat gets when it tries an illegal action; nothing for a legal one."""
    for word in words:
        yield f"answer to {word!r}", state.why(word, player)


def _alike(one: State, other: State, player: int, handed: Callable[..., Any], run: Run) -> Iterator[str]:
    """Yield where something differs that a player is given in two states."""
    tried = ([_words(one, other, player, run)],) if handed is _refusals else ((),)
    pairs = zip(handed(one, player, *tried[0]), handed(other, player, *tried[0]), strict=True)
    for (name, thing), (_name, its) in pairs:
        if apart := _apart(thing, its):
            yield f"p{player} gets another {name}: {apart}\n  one state: {one}\n  another: {other}"


def _apart(one: object, other: object) -> str:
    if isinstance(one, str) and isinstance(other, str):
        if one == other:
            return ""
        place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        around = slice(max(place - 40, 0), place + 40)
        return f"...{one[around]}... and ...{other[around]}..."
    return difference(one, other)


def _words(one: State, other: State, player: int, run: Run) -> list[str]:
    """Return actions that somebody might try: some of the game's words, and what others can do in either state."""
    words = dict.fromkeys(map(str, chain(one.vocabulary(), other.vocabulary())))
    theirs = [
        state.actions(actor).sample(run.rng) for state in (one, other) for actor in state.actors if actor != CHANCE
    ]
    return [*run.rng.sample([*words], min(_WORDS, len(words))), *map(str, theirs), "no such action"]
