"""The numbers of rules, such as BZ-12, as links: from every mention to the rule itself.

A rule is a list item that begins with its number, on a page that ends with `-rules`. A number that no page explains is
a warning.
"""

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

RULE = re.compile(r"\b(?:BZ|TU|SI)-\d+\b")
LET_BE = (nodes.literal, nodes.literal_block, nodes.reference, nodes.title, nodes.raw, addnodes.pending_xref)


class LinkRules(SphinxTransform):
    """A transform that makes the rules of a page link targets, and links to the rules that it mentions."""

    default_priority = 800

    def apply(self, **_options: Any) -> None:
        """Name and link the rules of a page; called by Sphinx for every page once it is read."""
        if self.env.docname.endswith("-rules"):
            for item in self.document.findall(nodes.list_item):
                self.name(item)
        for text in [*self.document.findall(nodes.Text)]:
            if RULE.search(text) and not any(isinstance(above, LET_BE) for above in parents(text)):
                text.parent.replace(text, [*self.linked(text)])

    def name(self, item: nodes.list_item) -> None:
        """Make a rule a link target."""
        if (rule := RULE.match(item.astext())) is None:
            return
        name = rule[0].lower()
        item["ids"].append(name)
        self.env.domains.standard_domain.anonlabels[name] = self.env.docname, name
        self.env.domains.standard_domain.labels[name] = self.env.docname, name, rule[0]

    def linked(self, text: nodes.Text) -> Iterator[nodes.Node]:
        """Yield the text, with a link for each number in it."""
        end = 0
        for rule in RULE.finditer(text):
            yield nodes.Text(text[end : rule.start()])
            target = {"refdomain": "std", "reftype": "ref", "reftarget": rule[0].lower(), "refdoc": self.env.docname}
            yield addnodes.pending_xref("", nodes.inline("", rule[0]), **target, refexplicit=True, refwarn=True)
            end = rule.end()
        yield nodes.Text(text[end:])


def parents(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the nodes around a node, from the inside out."""
    while node := node.parent:
        yield node


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform; called by Sphinx."""
    app.add_transform(LinkRules)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
