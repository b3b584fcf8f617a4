"""The map of the code: which room of tradekit imports which, drawn as an SVG picture from the imports themselves.

``python docs/_ext/layout.py`` writes ``docs/images/layout.svg``; a test says when it is no longer true.
"""

import ast
from html import escape
from pathlib import Path
from textwrap import wrap

import networkx as nx

ROOT = Path(__file__).parents[2]
HOME = ROOT / "tradekit"
PICTURE = ROOT / "docs" / "images" / "layout.svg"
WIDTH, HIGH, WIDE, GAP = 1060, 66, 150, 54  # pixels: of the picture, of a box, and between rows of boxes


def rooms() -> dict[str, list[Path]]:
    """Return the rooms of the house, a package or a module at the top each, with their files."""
    found = {}
    for path in sorted(HOME.iterdir()):
        if path.is_dir() and (path / "__init__.py").exists():
            found[path.name] = sorted(path.glob("*.py"))
        elif path.suffix == ".py" and not path.stem.startswith("__"):
            found[path.stem] = [path]
    return found


def imported(path: Path) -> set[str]:
    """Return the rooms that a file imports when it is loaded, not those that functions or types ask for."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module == "tradekit":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tradekit."):
            found.add(node.module.split(".")[1])
    return found


def graph() -> nx.DiGraph:
    """Return the graph of rooms: an edge leads from a room to one that it imports."""
    files = rooms()
    edges = ((room, other) for room, paths in files.items() for path in paths for other in imported(path))
    drawn = nx.DiGraph((room, other) for room, other in edges if other != room and other in files)
    drawn.add_nodes_from(files)
    return drawn


def rows(arrows: nx.DiGraph) -> list[list[str]]:
    """Return the rooms row by row: each room stands above all those that it imports."""
    return [sorted(row) for row in nx.topological_generations(arrows)]


def says(room: str) -> str:
    """Return what a room says of itself: the first sentence of its docstring."""
    path = HOME / room / "__init__.py" if (HOME / room).is_dir() else HOME / f"{room}.py"
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")[0].split(":")[0].rstrip(".")


def drawing() -> str:
    """Return the picture: boxes in rows, and the arrows that do not follow from others."""
    whole = graph()
    arrows = nx.transitive_reduction(whole)
    places = {}
    for y, row in enumerate(rows(whole)):
        for x, room in enumerate(row):
            places[room] = ((x + 1) * WIDTH / (len(row) + 1), 8 + y * (HIGH + GAP))
    high = 16 + HIGH + max(y for _x, y in places.values())
    lines, boxes = [], []
    for start, end in sorted(arrows.edges):
        (x, y), (to_x, to_y) = places[start], places[end]
        y += HIGH
        bend = (to_y - y) / 2
        lines.append(
            f'<path d="M{x:.0f},{y:.0f}C{x:.0f},{y + bend:.0f} {to_x:.0f},{to_y - bend:.0f} {to_x:.0f},{to_y:.0f}"/>'
        )
    for room, (x, y) in sorted(places.items()):
        text = "".join(
            f'<tspan x="{x:.0f}" dy="14">{escape(line)}</tspan>'
            for line in wrap(says(room), 26, max_lines=3, placeholder=" …")
        )
        package = "/" if (HOME / room).is_dir() else ""
        frame = f'<rect x="{x - WIDE / 2:.0f}" y="{y:.0f}" width="{WIDE}" height="{HIGH}" rx="6"/>'
        bold = f'<tspan font-weight="bold">{room}{package}</tspan>'
        boxes.append((frame, f'<text x="{x:.0f}" y="{y + 16:.0f}">{bold}{text}</text>'))
    name = "Rooms of tradekit; an arrow leads from a room to one that it imports"
    size = f'width="{WIDTH}" height="{high}"'
    frames, texts = zip(*boxes, strict=True)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {WIDTH} {high}" role="img" aria-label="{name}"',
        f' font-family="sans-serif" font-size="10.5" text-anchor="middle"><rect {size} fill="#fff"/>',
        '<g fill="none" stroke="#9aa3af">', *lines, '</g><g fill="#eff4fb" stroke="#2b62a8">', *frames,
        '</g><g fill="#1f2328">', *texts, "</g></svg>\n",
    ])  # fmt: skip


if __name__ == "__main__":
    PICTURE.write_text(drawing(), "utf-8")
