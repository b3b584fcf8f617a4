"""The form of the notebooks. (nbval runs them and compares their outputs: `make test`.)"""

import ast
import configparser
import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from markupsafe import Markup

from tradekit import theme
from tradekit.bazar import board_html as bazar_picture
from tradekit.bazar import explorer
from tradekit.show.cell import page as output_page
from tradekit.silk import board_html as silk_picture
from tradekit.turin import board_html as turin_picture
from tradekit.widgets import bidding, lab, table

FOLDER = Path(__file__).parents[1] / "notebooks"
SPANISH = FOLDER / "es"
LESSONS = [path for folder in (FOLDER, SPANISH) for path in sorted(folder.glob("*.ipynb"))]
SOLUTIONS = [path for folder in (FOLDER, SPANISH) for path in sorted((folder / "solutions").glob("*.ipynb"))]
TRANSLATED = [path for path in LESSONS + SOLUTIONS if path.is_relative_to(SPANISH)]
MARK = "# NBVAL_CHECK_OUTPUT"
SPEAK = 'tradekit.set_language("es")'

WIDGETS = (bidding.Game, explorer.Explorer, lab.Lab, table.Table)
PICTURES = (theme, bazar_picture, silk_picture, turin_picture)
STYLESHEETS = {widget._css for widget in WIDGETS} | {picture.CSS for picture in PICTURES}

# By language: how a notebook states its one idea, and the marks of its parts.
IDEA = {"en": "**One idea: ", "es": "**Una idea: "}
PARTS = {
    "en": [
        r"\b(guess|question|what do you expect)",
        r"## (Two small )?[Ee]xercises",
        r"## What we left out",
        r"For the instructor",
    ],
    "es": [
        r"\b(predicción|pregunta)",
        r"## (Dos )?[Ee]jercicios",
        r"## Lo que hemos dejado fuera",
        r"Para quien da la clase",
    ],
}


def read(path):
    return nbformat.read(path, 4)


def name(path):
    return str(path.relative_to(FOLDER).with_suffix(""))


@pytest.fixture(params=LESSONS, ids=name)
def path(request):
    return request.param


@pytest.fixture
def lesson(path):
    return read(path)


@pytest.fixture
def language(path):
    return "es" if path.is_relative_to(SPANISH) else "en"


@pytest.fixture(params=LESSONS + SOLUTIONS, ids=name)
def notebook(request):
    return read(request.param)


@pytest.fixture(params=TRANSLATED, ids=name)
def pair(request):
    """A notebook in Spanish, and the one in English that has its number."""
    there = FOLDER / request.param.relative_to(SPANISH).parent
    (english,) = there.glob(f"{request.param.name[:2]}_*.ipynb")
    return read(request.param), read(english)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_every_lesson_has_its_solutions():
    assert [path.parent / "solutions" / path.name for path in LESSONS] == SOLUTIONS
    assert [path.name[:2] for path in LESSONS if path in TRANSLATED] == ["01", "02", "05", "06", "11"]
    assert len(LESSONS) >= 20


def test_says_its_one_idea_first(lesson, language):
    assert IDEA[language] in lesson.cells[0].source


def test_has_the_parts_of_our_form_in_order(lesson, language):
    text = prose(lesson)
    places = [re.search(part, text, re.IGNORECASE) for part in PARTS[language]]
    assert all(places), "a question, exercises, what was left out and the instructor's note"
    assert [place.start() for place in places] == sorted(place.start() for place in places)
    assert "<details>" in text, "the instructor's note is folded"


def test_other_notebooks_are_named_by_links_that_lead_there(path, lesson):
    text = prose(lesson)
    assert not re.findall(r"(?<!\[)`((?:solutions/)?\d\d_\w+(?:\.ipynb)?)`", text), "no link"
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert (path.parent / target).is_file(), target


def test_has_two_or_three_exercises(lesson):
    asked = [cell for cell in code(lesson) if "exercises.check(" in cell.source]
    assert 2 <= len(asked) <= 3


def test_names_only_notebooks_that_there_are(lesson, path):
    """They are in the same folder, or in English one folder up."""
    for named in re.findall(r"`((?:solutions/)?\d\d_\w+)(?:\.ipynb)?`", prose(lesson)):
        assert any((folder / f"{named}.ipynb").exists() for folder in (path.parent, FOLDER)), named


def test_code_cells_are_short_and_call_the_library(notebook):
    for cell in code(notebook):
        assert len(cell.source.splitlines()) <= 11, cell.source
        assert not cell.source.startswith("%"), "no magic"


def test_outputs_are_kept_and_nothing_failed(notebook):
    for cell in code(notebook):
        assert cell.execution_count is not None
        assert not any(output.output_type == "error" for output in cell.outputs)


def test_numbers_that_the_text_quotes_are_compared(notebook):
    assert any(MARK in cell.source for cell in code(notebook))


def test_charts_carry_a_still_picture(lesson):
    for cell in code(lesson):
        for output in cell.outputs:
            data = output.get("data", {})
            if any(mime.startswith("application/vnd.vegalite") for mime in data):
                assert "image/svg+xml" in data


def test_no_state_of_widgets_is_kept(notebook):
    """With it, a notebook exported to HTML requests a script from another host, and is blank without one."""
    assert "widgets" not in notebook.metadata
    for cell in code(notebook):
        for output in cell.outputs:
            page = output.get("data", {}).get("text/html", "")
            assert "tk-still" not in page or not re.search("<(button|input|select|textarea)", page)


def test_outputs_wear_the_looks_of_today(notebook):
    """Old and new ones on one page would conflict. After a change of style: `make notebooks`."""
    for cell in code(notebook):
        for output in cell.outputs:
            for mime, data in output.get("data", {}).items():
                if mime == "text/html":
                    assert set(re.findall(r"<style>(.*?)</style>", data, re.DOTALL)) <= STYLESHEETS
                if mime.startswith("application/vnd.vegalite"):
                    for part, rules in theme.VEGA_CONFIG.items():
                        kept = data["config"].get(part)
                        assert rules.items() <= kept.items() if isinstance(rules, dict) else kept == rules, part


def test_nbval_compares_what_an_output_says_and_not_its_stylesheet():
    sanitize = configparser.ConfigParser()
    sanitize.read(Path(__file__).with_name("nbval_sanitize.cfg"))
    rule = sanitize["stylesheet"]

    def compared(html):
        return re.sub(rule["regex"], rule["replace"], html)

    assert compared(output_page(Markup("<p>right</p>"))) == '<div class="tk">STYLESHEET<p>right</p></div>'
    pandas = "<style scoped>\n  .dataframe tbody tr th { color: red }\n</style>\n<table><td>1</td></table>"
    assert compared(pandas) == "STYLESHEET\n<table><td>1</td></table>"


def test_nothing_is_loaded_from_another_host(notebook):
    names = ("vega.github.io/schema", "www.w3.org")  # names of formats, which nothing fetches
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            hosts = [
                host for host in re.findall(r"https?://([^\"'\\\s<>]+)", str(output)) if not host.startswith(names)
            ]
            assert not hosts


# Spanish: only words differ


class Wordless(ast.NodeTransformer):
    """Code without the words that a translation changes.

    A word has a small letter: stones, equations, the names of exercises and the forms of numbers stay. The keywords of
    `assign` are names of columns, so they are words as well.
    """

    def visit_Constant(self, node):
        worded = isinstance(node.value, str) and any(map(str.islower, node.value))
        return ast.Constant("...") if worded else node

    def visit_JoinedStr(self, node):
        node.values = [self.visit(part) for part in node.values if isinstance(part, ast.FormattedValue)]
        return node

    def visit_FormattedValue(self, node):
        node.value = self.visit(node.value)
        return node

    def visit_Call(self, node):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "assign":
            node.keywords = [ast.keyword("word", keyword.value) for keyword in node.keywords]
        return self.generic_visit(node)


def wordless(cell):
    return [ast.unparse(Wordless().visit(statement)) for statement in ast.parse(cell.source).body]


def without_language(statements):
    """Return the statements without those that choose the language (`set_language` is tradekit's)."""
    choose = (ast.unparse(Wordless().visit(ast.parse(SPEAK))), "import tradekit")
    return [statement for statement in statements if statement not in choose]


def shown(cell):
    """Return the text that a cell shows. A table's is that of its HTML, which does not break lines for lack of room."""
    data = [output.get("data", {"text/plain": output.get("text", "")}) for output in cell.outputs]
    return " ".join(re.sub("<[^>]*>", " ", each.get("text/html") or each.get("text/plain", "")) for each in data)


def numbers(cell):
    return Counter(re.findall(r"\d+(?:\.\d+)?", shown(cell)))


def test_speaks_spanish_from_its_first_cell_on(pair):
    spanish, english = map(code, pair)
    assert SPEAK in spanish[0].source
    for here, there in zip(spanish, english, strict=True):
        if "exercises.check(" in here.source or "Chart: " in shown(here):
            assert shown(here) != shown(there), here.source


def test_is_the_english_one_cell_by_cell(pair):
    spanish, english = ([(cell.id, cell.cell_type) for cell in notebook.cells] for notebook in pair)
    assert spanish == english


def test_differs_from_the_english_one_in_words_alone(pair):
    spanish, english = pair
    first, *rest = code(spanish)
    other, *others = code(english)
    assert without_language(wordless(first)) == without_language(wordless(other))
    for here, there in zip(rest, others, strict=True):
        assert wordless(here) == wordless(there)
        assert here.source.startswith(MARK) == there.source.startswith(MARK)


def test_shows_the_numbers_of_the_english_one(pair):
    for here, there in zip(*map(code, pair), strict=True):
        if MARK in here.source:
            assert numbers(here) == numbers(there), here.source
