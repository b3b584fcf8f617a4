"""The settings of the site: `make docs`, from the top of the checkout, so that every link is the one that readers of
the files follow; offline, and without running anything but the imports of the reference.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS / "_ext"), str(DOCS.parent)]

import tradekit  # noqa: E402

project = "tradekit"
author = "The tradekit developers"
copyright = author
version = release = tradekit.__version__
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "references",
    "rules",
    "files",
    "mathml",
    "commands",
]
include_patterns = [
    "docs/**.md",
    "notebooks/**.ipynb",
    "data/**README.md",
    "benchmarks/README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
exclude_patterns = [".*", "build", "dist", "**/.*", "docs/README.md", "tests", "tradekit"]
root_doc = "docs/index"

# Links and references: everything that can be checked is checked.
nitpicky = True
default_role = "py:obj"
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "dollarmath"]

# Notebooks are shown with the outputs that they keep; widgets as the picture next to them.
nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
suppress_warnings = ["mystnb.unknown_mime_type"]  # charts in the form that JupyterLab draws; their picture is shown

# The reference.
autodoc_default_options = {"members": True}
autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 110
add_module_names = False
toc_object_entries_show_parents = "hide"

# The look.
html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "tradekit"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
templates_path = ["_templates"]
html_additional_pages = {"index": "first.html"}  # the file that a server or a person opens first
html_context = {"default_mode": "auto"}
html_show_sourcelink = False
html_show_search_summary = False  # it fetches pages, which a browser does not do from files
html_theme_options = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
