"""Files that a text names (`docs/bots.md`, `02_trade_chains`) as links to pages; code without the tests' marks."""

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

MARK = "# NBVAL_CHECK_OUTPUT\n"  # makes the tests compare the output of a cell
FOLDERS = ("", "docs/", "notebooks/")


class LinkFiles(SphinxTransform):
    """A transform that links to pages named as files, in text and in docstrings alike."""

    default_priority = 800

    def apply(self, **_options: Any) -> None:
        """Link the names on a page; called by Sphinx for every page once it is read."""
        for node in [*self.document.findall(self.names_a_page)]:
            target = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{self.page(node.astext())}"}
            shown = nodes.literal("", node.astext())
            node.parent.replace(
                node, addnodes.pending_xref("", shown, **target, refdoc=self.env.docname, refexplicit=True)
            )
        for block in self.document.findall(nodes.literal_block):
            if block.astext().startswith(MARK):
                block.rawsource = block.astext().removeprefix(MARK)
                block.children = [nodes.Text(block.rawsource)]

    def names_a_page(self, node: nodes.Node) -> bool:
        """Return whether a node is code that names a page, and is not in a link yet."""
        code = isinstance(node, nodes.literal) and not in_link(node.parent)
        name = isinstance(node, addnodes.pending_xref) and node.get("reftype") == "obj"
        return (code or name) and bool(self.page(node.astext()))

    def page(self, name: str) -> str:
        """Return the page that a file is shown on, or nothing."""
        stem = name.removesuffix(".md").removesuffix(".ipynb")
        found = (folder + stem for folder in FOLDERS if folder + stem in self.env.found_docs)
        return next(found, "") if stem != name or stem[:2].isdigit() else ""


def in_link(node: nodes.Node | None) -> bool:
    """Return whether a node is a link, or is inside one."""
    return node is not None and (isinstance(node, nodes.reference | addnodes.pending_xref) or in_link(node.parent))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform; called by Sphinx."""
    app.add_transform(LinkFiles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
