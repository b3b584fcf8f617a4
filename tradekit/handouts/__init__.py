"""Handouts for paper: any exercise of the notebooks, and any chain, as one page to print that needs nothing else.

    handouts.exercise("02.1").save("02.1.html")              # the question with room to write, then the teacher's page
    handouts.chain(chain, exchange, blank=True)              # a puzzle; without blank the chain and its proof

A handout shows itself in a notebook as it will look on paper; the browser prints the saved file, on A4 or Letter.
"""

from tradekit.handouts.of_chain import chain
from tradekit.handouts.of_exercise import exercise
from tradekit.handouts.paper import Handout

__all__ = ["Handout", "chain", "exercise"]
