"""The help texts of the commands of `tradekit`, so that the page on them cannot go stale."""

import os
import re
import subprocess
import sys
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Commands(SphinxDirective):
    """A section for each command, with the text of its `--help`."""

    def run(self) -> list[nodes.Node]:
        """Return the sections; called by Sphinx."""
        told = said()
        names = re.findall(r"^    (\w+)", told, re.MULTILINE)
        return [nodes.literal_block(told, told, language="text"), *map(self.section, names)]

    def section(self, name: str) -> nodes.section:
        """Return the section of one command."""
        told = said(name)
        title = nodes.title("", f"tradekit {name}")
        return nodes.section("", title, nodes.literal_block(told, told, language="text"), ids=[f"tradekit-{name}"])


def said(*command: str) -> str:
    """Return the text of `--help`, in English whatever the language here."""
    environment = os.environ | {"COLUMNS": "88", "NO_COLOR": "1", "TRADEKIT_LANG": "en"}
    call = [sys.executable, "-m", "tradekit", *command, "--help"]
    return subprocess.run(call, env=environment, check=True, capture_output=True, text=True).stdout.rstrip()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
