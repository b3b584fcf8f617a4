"""Every picture recorded and compared, when code is moved: ``python tests/pictures.py record | check``.

A picture is kept as two short hashes: of its bytes, and of its parsed tree (entities decoded, attributes sorted).
`check` prints which pictures differ in bytes, and fails for those whose trees differ.
"""

import json
import random
import re
import sys
from collections import defaultdict
from contextlib import chdir
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import tradekit
from tradekit import auctions, bazar, game, i18n

KEPT = Path(__file__).parent / "golden" / "pictures.json"
NAMES = ["Ana & Co", "Bo <b>", 'the "third"', "Dé", "E"]
STARTS = {
    "bazar 2": ("bazar", {"players": 2}),
    "bazar hidden": ("bazar", {"players": 3, "hidden": True, "cards": (1, 4)}),
    "bazar-alone": ("bazar-alone", {}),
    "turin 2": ("turin", {"players": 2}),
    "turin 4": ("turin", {"players": 4}),
    "silk 2": ("silk", {"players": 2}),
    "silk 3": ("silk", {"players": 3}),
}


class Tree(HTMLParser):
    """The content of a page, in whatever form it is written."""

    def __init__(self, text):
        super().__init__()
        self.nodes = []
        self.feed(str(text))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.nodes.append([tag, *sorted((name, value or "") for name, value in attrs)])

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if tag not in {"input", "br", "path", "rect", "circle", "line", "polygon", "polyline", "use"}:
            self.nodes.append("/" + tag)

    def handle_data(self, data):
        if self.nodes and self.nodes[-1] == ["style"]:  # sheets have tests of their own
            return
        if self.nodes and isinstance(self.nodes[-1], tuple):
            self.nodes[-1] = (self.nodes[-1][0] + data,)
        else:
            self.nodes.append((data,))


def states():
    """Yield some hundred positions, of games played at random."""
    for name, (of, options) in STARTS.items():
        for seed in range(3):
            rng = random.Random(seed)
            for n, state in enumerate(game.play_on(game.begin(of, seed=seed, **options), rng)):
                if n < 12 or n % 37 == seed or not state.actors:
                    yield f"{name} {seed} {n}", state
                if n > 400:
                    break


def pictures():
    """Yield every picture with its name."""
    for language in ("en", "es"):
        i18n.set_language(language)
        for name, state in states():
            for viewer in (None, *range(min(state.players, 2))):
                for names in ((), NAMES):
                    at = f"{language} {name} p{viewer} {len(names)}"
                    yield f"{at} html", state.html(viewer, names=names)
                    yield f"{at} live", state.html(viewer, names=names, live=True)
                    yield f"{at} svg", state.to_svg(viewer, names=names)
        for of in ("bazar", "turin", "silk"):
            for seed in range(2):
                Path("game.txt").unlink(missing_ok=True)
                table = tradekit.play(game.begin(of, players=3, seed=seed), seed=seed, file="game.txt", pause=0)
                rng = random.Random(seed)
                for n in range(14):
                    for do in ("hint", "seating") if n % 5 == 2 and of != "bazar" else ():
                        getattr(table, f"do_{do}")()
                        table.refresh()
                        yield from parts(f"{language} table {of} {seed} {n} {do}", table)
                    table.refresh()
                    yield from parts(f"{language} table {of} {seed} {n}", table)
                    if table.to_act is None:
                        break
                    table.receive("act", str(table.state.actions(table.to_act).sample(rng)))
        explorer = bazar.explore(cards=(1, 4), have="RRW", wares=["RWBGY", "RRWWB*"])
        for do, value in (("add", "G"), ("die", "yes"), ("add", "Q"), ("card", "5"), ("choose", "1")):
            explorer.receive(do, value)
            explorer.refresh()
            yield from parts(f"{language} explorer {do} {value}", explorer)
        lab = auctions.lab()
        for do, value in (("bidders", "4"), ("loser_pays", "0.5"), ("reserve", "x"), ("prizes", "2")):
            lab.receive(do, value)
            lab.refresh()
            yield from parts(f"{language} lab {do} {value}", lab)
        bidding = auctions.bidding_game(seed=4)
        for do, value in (("amount", "0.3"), ("bid", ""), ("uncover_all", ""), ("next", "")):
            bidding.receive(do, value)
            bidding.refresh()
            yield from parts(f"{language} bidding {do} {value}", bidding)
    i18n.set_language("en")


def parts(at, page):
    """Yield the parts of a page, live and still."""
    for name, html in page.parts.items():
        yield f"{at} {name}", html
    yield f"{at} still", page._repr_html_()


def hashes():
    """Return two short hashes for each group of pictures: of their bytes, and of their content."""
    groups = defaultdict(lambda: (sha256(), sha256()))
    with TemporaryDirectory() as folder, chdir(folder):
        for name, text in pictures():
            of_bytes, of_trees = groups[re.sub(r" p\w+ \d ", " ", name)]
            of_bytes.update(text.encode())
            of_trees.update(json.dumps(Tree(text).nodes).encode())
    return {name: [part.hexdigest()[:12] for part in both] for name, both in groups.items()}


def main(command, *of):
    if command == "show":
        with TemporaryDirectory() as folder, chdir(folder):
            print(next(text for name, text in pictures() if name == " ".join(of)))
        return 0
    found = hashes()
    if command == "record":
        KEPT.write_text(json.dumps(found, indent=0))
        print(len(found), "pictures")
        return 0
    kept = json.loads(KEPT.read_text())
    names = kept.keys() | found.keys()
    bytes_differ = sorted(name for name in names if kept.get(name) != found.get(name))
    trees_differ = [name for name in bytes_differ if kept.get(name, "  ")[1] != found.get(name, "  ")[1]]
    print(f"{len(found)} pictures; {len(bytes_differ)} differ in bytes, {len(trees_differ)} in what they say")
    print("\n".join((trees_differ or bytes_differ)[:12]))
    return bool(trees_differ)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
