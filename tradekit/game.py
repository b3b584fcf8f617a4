"""What every game here shares. So far: the vocabulary of its errors.

All of them are `ValueError`: what was asked cannot be done, nothing has changed, and the message says what was wrong,
where, and what would be right.
"""


class ParseError(ValueError):
    """Text that cannot be read: stones, an equation, a card, a file."""


class IllegalAction(ValueError):
    """Something the rules do not allow here; the message names the rule."""
