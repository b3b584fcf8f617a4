"""The checks of the notebooks' exercises: `check("02.1", answer)`, and the positions used in the notebooks.

A check computes the right answer with the library when you ask, so there is nothing to peek at. It accepts equal forms,
says right or wrong with one hint on how to go on, and never raises. None means "not answered yet".
"""

from tradekit.exercises import auctions as auctions
from tradekit.exercises.bazar import BALANCED, ONE_LEFT, THREE_LEFT, TONIGHT
from tradekit.exercises.checking import Verdict, check
from tradekit.exercises.silk import BARGAIN
from tradekit.exercises.turin import DUEL, EVENING

__all__ = ["BALANCED", "BARGAIN", "DUEL", "EVENING", "ONE_LEFT", "THREE_LEFT", "TONIGHT", "Verdict", "check"]
