"""The form of the notebooks. (nbval runs them and compares their outputs: `make test`.)"""

import re
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
LESSONS = sorted(FOLDER.glob("*.ipynb"))
ALL = LESSONS + sorted((FOLDER / "solutions").glob("*.ipynb"))


def read(path):
    return nbformat.read(path, 4)


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def lesson(request):
    return read(request.param)


@pytest.fixture(params=ALL, ids=lambda path: f"{path.parent.name}-{path.stem}")
def notebook(request):
    return read(request.param)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_every_lesson_has_its_solutions():
    assert [path.name for path in LESSONS] == [path.name for path in sorted((FOLDER / "solutions").glob("*.ipynb"))]
    assert len(LESSONS) >= 4


def test_says_its_one_idea_first(lesson):
    assert "**One idea: " in lesson.cells[0].source


def test_has_the_parts_of_our_form_in_order(lesson):
    text = prose(lesson)
    parts = [
        r"\b(guess|question|what do you expect)",
        r"## (Two small )?[Ee]xercises",
        r"## What we left out",
        r"For the instructor",
    ]
    places = [re.search(part, text, re.IGNORECASE) for part in parts]
    assert all(places), "a question, exercises, what was left out and the instructor's note"
    assert [place.start() for place in places] == sorted(place.start() for place in places)
    assert "<details>" in text, "the instructor's note is folded"


def test_has_two_or_three_exercises(lesson):
    asked = [cell for cell in code(lesson) if "exercises.check(" in cell.source]
    assert 2 <= len(asked) <= 3


def test_code_cells_are_short_and_call_the_library(notebook):
    for cell in code(notebook):
        assert len(cell.source.splitlines()) <= 11, cell.source
        assert not cell.source.startswith("%"), "no magic"


def test_outputs_are_kept_and_nothing_failed(notebook):
    for cell in code(notebook):
        assert cell.execution_count is not None
        assert not any(output.output_type == "error" for output in cell.outputs)


def test_numbers_that_the_text_quotes_are_compared(notebook):
    assert any("NBVAL_CHECK_OUTPUT" in cell.source for cell in code(notebook))


def test_charts_carry_a_still_picture(lesson):
    for cell in code(lesson):
        for output in cell.outputs:
            data = output.get("data", {})
            if any(mime.startswith("application/vnd.vegalite") for mime in data):
                assert "image/svg+xml" in data


def test_nothing_is_loaded_from_another_host(notebook):
    names = ("vega.github.io/schema", "www.w3.org")  # names of formats, which nothing fetches
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            hosts = [
                host for host in re.findall(r"https?://([^\"'\\\s<>]+)", str(output)) if not host.startswith(names)
            ]
            assert not hosts
