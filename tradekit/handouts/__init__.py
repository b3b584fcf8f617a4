"""Handouts for paper: any exercise of the notebooks as one page to print that needs nothing else.

    handouts.exercise("02.1").save("02.1.html")              # the question with room to write, then the teacher's page

A handout shows itself in a notebook as it will look on paper; print the saved file from a browser, on A4 or Letter.
"""

from typing import TYPE_CHECKING

from tradekit._utils.lazy import attach

if TYPE_CHECKING:
    from tradekit.handouts.exercise_sheet import exercise as exercise
    from tradekit.show.paper import Handout as Handout

__all__ = ["Handout", "exercise"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "Handout": "tradekit.show.paper",
        "exercise": "tradekit.handouts.exercise_sheet",
    },
)
