"""The error that every reader of text raises."""


class ParseError(ValueError):
    """Text that cannot be read: stones, an equation, a card, an action, a file."""

    __module__ = "tradekit.game"  # where people find it
