"""The documentation site builds without a warning, loads nothing from elsewhere, and all its links lead somewhere."""

import doctest
import re
import subprocess
import sys
import textwrap
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from tradekit import bots

from .conftest import AXE

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
RULES = [ROOT / "docs" / f"{game}-rules.md" for game in ("bazar", "turin", "silk")]
RULE = re.compile(r"\b(?:BZ|TU|SI)-\d+\b")
FENCE = re.compile(r"^[ ]*```.*$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"#[\d.]+")  # the value of a chart in a widget's picture, for the widget's own script
FORMULA = re.compile(r"\$[^$\n]+\$")

# Tags that load something by themselves; a link to click (`a href`) does not.
LOADED = {
    "script": ["src"],
    "link": ["href"],
    "img": ["src", "srcset"],
    "source": ["src", "srcset"],
    "iframe": ["src"],
    "embed": ["src"],
    "object": ["data"],
    "video": ["src", "poster"],
    "audio": ["src"],
    "image": ["href", "xlink:href"],
    "use": ["href", "xlink:href"],
    "form": ["action"],
}
FOREIGN = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
FOREIGN_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?\s*(?:https?:)?//""", re.IGNORECASE)


class Page(HTMLParser):
    """The parts of a page that it loads, its links, and its link targets."""

    def __init__(self, path):
        super().__init__()
        self.path, self.loaded, self.links, self.ids, self.text = path, [], [], set(), []
        self.inside = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.loaded += [attributes[name] for name in LOADED.get(tag, []) if attributes.get(name)]
        self.loaded += [attributes["style"]] if FOREIGN_STYLE.search(attributes.get("style") or "") else []
        self.ids.update(attributes[name] for name in ("id", "name") if attributes.get(name))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag in ("script", "style", "pre", "code"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if "style" in self.inside and FOREIGN_STYLE.search(data):
            self.loaded.append(FOREIGN_STYLE.search(data)[0])
        if not self.inside:
            self.text.append(data)


def sources():
    """Return the files that a site is made of, and the other files next to them."""
    found = (path for folder in ("docs", "notebooks", "data") for path in (ROOT / folder).rglob("*"))
    return {path for path in found if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, built as `make docs` does it: every warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs", "-d", f"{folder}/doctrees"]
    before = sources()
    done = subprocess.run([*command, ".", f"{folder}/html"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert sources() == before, "a build leaves the checkout as it was"
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in site.rglob("*.html") if "_static" not in path.parts}


# The built site


@pytest.mark.long
def test_it_builds_without_a_warning_and_opens_on_the_first_page(site):
    assert (site / "docs" / "index.html").is_file()
    assert "docs/index.html" in (site / "index.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_no_page_loads_anything_from_another_host(site, pages):
    assert len(pages) > 40
    for page in pages.values():
        assert not [what for what in page.loaded if FOREIGN.match(what) or FOREIGN_STYLE.search(what)], page.path
    for style in site.rglob("*.css"):
        assert not FOREIGN_STYLE.search(style.read_text(encoding="utf-8")), style
    assert "mathjax" not in " ".join(what for page in pages.values() for what in page.loaded).lower()


@pytest.mark.long
def test_what_is_loaded_and_linked_to_is_there_to_the_last_anchor(site, pages):
    """External links are ignored: following them would need a network. They must be https, and name a host."""
    missing, leaving = [], set()
    for page in pages.values():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if MARK.fullmatch(link) and "notebooks" in page.path.parts:
                continue
            if parts.scheme in ("data", "mailto", "javascript"):
                continue
            if parts.scheme or parts.netloc:
                leaving.add(link)
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            anchor = unquote(parts.fragment)
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].ids):
                missing.append((str(page.path.relative_to(site)), link))
    assert not missing
    assert not [link for link in leaving if urlsplit(link).scheme != "https" or not urlsplit(link).netloc]


@pytest.mark.long
def test_formulas_are_drawn_not_shown_as_text(pages):
    theory = next(page for path, page in pages.items() if path.name == "auction-theory.html")
    assert theory.path.read_text(encoding="utf-8").count("<math ") > 40
    for page in pages.values():
        text = " ".join(page.text)
        assert "\\frac" not in text and "\\alpha" not in text and not FORMULA.search(text), page.path


@pytest.mark.long
def test_the_reference_has_every_public_name(pages):
    ids = set().union(*(page.ids for page in pages.values()))
    for package in ("auctions", "bazar", "exercises", "silk", "tournament", "turin"):
        module = import_module(f"tradekit.{package}")
        documented = [
            name for name in module.__all__ if getattr(module, name).__doc__ or callable(getattr(module, name))
        ]
        things = [
            name for name in documented if isinstance(getattr(module, name), type) or callable(getattr(module, name))
        ]
        assert things
        assert not [name for name in things if f"tradekit.{package}.{name}" not in ids]
    for name in ("play", "game.State.after", "bots.Bot.choose", "record.Record.to_frame", "testing.check_game",
                 "adapters.openspiel.load", "adapters.pettingzoo.env", "auctions.charts.bid_function"):  # fmt: skip
        assert f"tradekit.{name}" in ids


@pytest.mark.long
def test_every_notebook_is_a_tutorial_in_order(site, pages):
    tutorials = pages[site / "docs" / "tutorials.html"]
    linked = [Path(unquote(urlsplit(link).path)).with_suffix("") for link in tutorials.links if "/notebooks/" in link]
    folder = ROOT / "notebooks"
    homes = folder, folder / "es", folder / "solutions", folder / "es" / "solutions"
    lessons = [path for home in homes for path in sorted(home.glob("*.ipynb"))]
    names = [str(path.relative_to(folder).with_suffix("")) for path in lessons]
    assert [*dict.fromkeys(str(path).partition("notebooks/")[2] for path in linked)] == names
    for name in names:
        text = (site / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
        assert "NBVAL_CHECK_OUTPUT" not in text
        assert "<img" in text or "<svg" in text


@pytest.mark.long
def test_rules_can_be_linked_to_and_are(pages):
    named = {f"{path.parent.name}/{path.stem}": page for path, page in pages.items()}
    assert {"bz-1", "bz-17", "bz-47"} <= named["docs/bazar-rules"].ids
    assert "bazar-rules.html#bz-43" in named["docs/bots"].links
    assert "../bazar-rules.html#bz-1" in named["reference/bazar"].links


# The pages as they are written


def test_every_rule_that_is_named_anywhere_is_explained():
    """Error messages, tests and docstrings name rules by numbers; each is explained once, on one of the three pages."""
    stated = re.findall(
        r"^- ((?:BZ|TU|SI)-\d+)\b", "\n".join(page.read_text(encoding="utf-8") for page in RULES), re.MULTILINE
    )
    assert len(stated) == len(set(stated)) > 90
    sources = [*(ROOT / "tradekit").rglob("*.py"), *(ROOT / "notebooks").rglob("*.ipynb"), *PAGES]
    named = {rule: path for path in sources for rule in RULE.findall(path.read_text(encoding="utf-8"))}
    assert not {rule: str(path) for rule, path in named.items() if rule not in stated}


@pytest.mark.parametrize("page", RULES, ids=lambda page: page.stem)
def test_where_the_text_is_silent_the_page_says_why(page):
    text = page.read_text(encoding="utf-8")
    _intro, rules = text.split("\n## ", 1)
    silent = re.findall(r"\*silent\*(.)", rules)
    assert len(silent) > 5
    assert "*silent*)" not in rules, "a reading of ours without a reason"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_examples_run(page, tmp_path, monkeypatch):
    """Sessions (`>>>`) are run, and give what the page says; other examples are Python at least."""
    text = page.read_text(encoding="utf-8")
    for example in PYTHON.findall(text):
        if not example.startswith(">>>"):
            compile(textwrap.dedent(example), str(page), "exec")
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest(FENCE.sub("", text), {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said = []
    there = {*bots._BOTS}
    try:
        runner.run(session, out=said.append)
    finally:
        for name in {*bots._BOTS} - there:  # a page's own bot is nobody else's
            del bots._BOTS[name]
    assert runner.failures == 0, "".join(said)


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_of_each_kind_can_be_heard_and_walked_through(site, chromium, scheme):
    """axe finds no fault: rules, formulas, a session with wide tables, notebooks, signatures, and the search."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    kinds = "docs/index", "docs/tutorials", "docs/turin-rules", "docs/auction-theory", "docs/adapters", "search"
    for name in (*kinds, "docs/reference/bazar", "notebooks/01_start_here", "notebooks/es/11_juega_a_turin"):
        page.goto((site / f"{name}.html").as_uri())
        violations = Axe().run(page, options=AXE).response["violations"]
        assert not violations, (name, [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in violations])
    context.close()
    assert not [url for url in asked if urlsplit(url).scheme not in ("file", "data", "blob")]
