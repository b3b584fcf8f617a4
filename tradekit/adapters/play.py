"""A game under way, word by word: what was done, what is half said, and what every player has seen.

A state of the contract is a position without a past. Other libraries want the past as well: an information state is all
that a player has seen and done. It is told here as the sequence of the player's views, of each only what changed, with
the player's own actions in between. What changes nothing in a view leaves no trace in it, so it hides what views hide.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from tradekit.adapters.words import Choice, Spelling, Words
from tradekit.bots import standing
from tradekit.game import CHANCE, Action, IllegalAction, State
from tradekit.i18n import _
from tradekit.record import Move, Record, actor_text

UTILITIES: Final = ("win", "points")  #: what is played for: the share of the win, or the scores

_SAYS: Final = ">"  #: stands before an action of one's own
_NOTHING: Final = Action("")


class Moment:
    """A state in a game under way, and how it came about.

    What was worked out about it is kept, for all plays that come through here.
    """

    __slots__ = ("_choices", "_news", "_views", "action", "actor", "before", "chances", "state", "words")

    def __init__(
        self, words: Words, state: State, before: Moment | None = None, actor: int = CHANCE, action: Action = _NOTHING
    ) -> None:
        self.words, self.state, self.before, self.actor, self.action = words, state, before, actor, action
        #: how often chance has acted: the place of its next event, for `game.keyed`
        self.chances: int = before.chances + (actor == CHANCE) if before else 0
        self._choices: dict[int, Choice] = {}
        self._views: dict[int, str] = {}
        self._news: dict[int, str] = {}

    def after(self, actor: int, action: Action) -> Moment:
        """The moment after an action."""
        return Moment(self.words, self.state.after(action, actor), self, actor, action)

    def choice(self, actor: int) -> Choice:
        """All that an actor may do, chance too."""
        if actor not in self._choices:
            state = self.state
            actions = state.outcomes() if actor == CHANCE else [(action, 1.0) for action in state.actions(actor)]
            self._choices[actor] = Choice.among(self.words, actions)
        return self._choices[actor]

    def view(self, player: int) -> str:
        """Return what a player may know, as text."""
        if player not in self._views:
            self._views[player] = str(self.state.view(player))
        return self._views[player]

    def back(self) -> Iterator[Moment]:
        """This one and all before it, the last one first."""
        moment: Moment | None = self
        while moment is not None:
            yield moment
            moment = moment.before

    def news(self, player: int) -> str:
        """Return what a player has done and seen: the words that changed, ``-name`` for one that is gone."""
        if player not in self._news:
            self._news[player] = self._changes(player)
        return self._news[player]

    def tell(self, player: int, news: str) -> None:
        """Have a player's past end here with these news, instead of what came before."""
        self._news[player] = news

    def _changes(self, player: int) -> str:
        if self.before is None:
            return self.view(player)
        own = [f"{_SAYS} {self.action}"] if self.actor == player else []
        old, new = (moment.view(player).split() for moment in (self.before, self))
        if old != new:
            names = {_name(word) for word in new}
            known = {*old}
            own += [word for word in new if word not in known]
            own += [f"-{name}" for name in map(_name, old) if name not in names]
        return " ".join(own)


def _name(word: str) -> str:
    return word.partition("=")[0]


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """A game under way, in which some may have said the beginning of an action. It never changes.

    >>> from tradekit import turin
    >>> play = Play.begin(turin.new(3, seed=7))
    >>> [play.choice(0).text(n) for n in play.choice(0).numbers]
    ['show 2', 'show 4', 'show 6', 'show 8', 'show 9', 'show 17']
    >>> play.say(0, play.choice(0).numbers[1]).actors
    (1, 2)
    """

    moment: Moment
    partly: tuple[tuple[int, Choice], ...] = ()  #: who has begun to say something, and what that leaves

    @classmethod
    def begin(cls, start: State) -> Play:
        """A game that begins so."""
        return cls(Moment(Words.of(start), start))

    @property
    def state(self) -> State:
        """The position."""
        return self.moment.state

    @property
    def words(self) -> Words:
        """The words of the game."""
        return self.moment.words

    @property
    def actors(self) -> tuple[int, ...]:
        """Actors who are to say a word: one player, several at once, ``(CHANCE,)``, or none at the end."""
        return self.state.actors

    def choice(self, actor: int) -> Choice:
        """Return the actions that an actor can still mean."""
        for who, choice in self.partly:
            if who == actor:
                return choice
        return self.moment.choice(actor)

    def say(self, actor: int, number: int) -> Play:
        """The play after an actor's next word; raises `IllegalAction` for one that cannot come next."""
        if actor not in self.actors:
            who = ", ".join(map(actor_text, self.actors)) or _("nobody: it is over")
            raise IllegalAction(
                _("{actor} has nothing to say here, but {actors}").format(actor=actor_text(actor), actors=who)
            )
        left = self.choice(actor).say(number)
        if isinstance(left, Action):
            return self.act(actor, left)
        return replace(self, partly=(*self._others(actor), (actor, left)))

    def act(self, actor: int, action: Action) -> Play:
        """The play after a whole action."""
        return Play(self.moment.after(actor, action), self._others(actor))

    def _others(self, actor: int) -> tuple[tuple[int, Choice], ...]:
        return tuple([other for other in self.partly if other[0] != actor])

    def resampled(self, player: int, rng: random.Random) -> Play:
        """A play that the player must hold possible: another state that looks the same, after the same past.

        Half-said actions are kept if the player hears them, and if the other state allows them.
        """
        state = self.state.view(player).sample(rng)
        for who in state.actors:  # no view shows what others have done at the same moment, so it is done anew
            if who not in self.state.actors:
                state = state.after(state.actions(who).sample(rng), who)
        moment = Moment(self.words, state)
        moment.chances = self.moment.chances
        moment.tell(player, self._seen(player))
        partly = []
        for who, choice in self.partly:
            same = moment.choice(who).after(choice.clear) if self._hears(player, who) else None
            if same:
                partly.append((who, same))
        return Play(moment, tuple(partly))

    # What a player knows

    def _hears(self, player: int, who: int) -> bool:
        """Return True if a player hears the beginning of an action: the player's own, or any if nothing is hidden."""
        game = self.state.game
        return who == player or not (game.hidden or game.simultaneous)

    def half_said(self, player: int) -> Spelling:
        """The beginning of an action that a player hears."""
        heard = [choice for who, choice in self.partly if self._hears(player, who)]
        return heard[0].clear if heard else ()

    def observed(self, player: int) -> str:
        """Return what a player sees now, as text."""
        return self._with_half_said(self.moment.view(player), player)

    def seen(self, player: int) -> str:
        """All that a player has seen and done, a line each, as text: the information state."""
        return self._with_half_said(self._seen(player), player)

    def _seen(self, player: int) -> str:
        news = [said for moment in self.moment.back() if (said := moment.news(player))]
        return "\n".join(reversed(news))

    def _with_half_said(self, text: str, player: int) -> str:
        half = self.half_said(player)
        return f"{text}\n{_SAYS} {self.words.said(half)} …" if half else text

    # Text

    @property
    def record(self) -> Record:
        """The actions so far."""
        moments = [*self.moment.back()][::-1]
        moves = tuple(Move(moment.actor, moment.action) for moment in moments[1:])
        return replace(Record.begin(moments[0].state), moves=moves)

    def __str__(self) -> str:
        half = [f"{actor_text(who)} {self.words.said(choice.clear)} …" for who, choice in self.partly]
        return "\n".join([str(self.state), *half])

    def __deepcopy__(self, memo: object) -> Play:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (str(self.record), tuple((who, choice.clear) for who, choice in self.partly))


def _replayed(record: str, partly: tuple[tuple[int, Spelling], ...]) -> Play:
    """The play of a record's text, and of what was half said at its end."""
    read = Record.parse(record)
    play = Play.begin(read.start)
    for actor, action in read.moves:
        play = play.act(actor, action)
    return replace(play, partly=tuple((who, play.moment.choice(who).after(clear)) for who, clear in partly))


def shares(state: State) -> tuple[float, ...]:
    """Return each player's share of the win: 1 divided among all winners, so they add up to 1; 0 before the end."""
    return (0.0,) * state.players if state.actors else standing(state)
