"""The settings of the site, which ``python packaging/site.py`` builds. It needs no network: no fonts, scripts
or pictures of other hosts."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS / "_ext"), str(DOCS.parent)]

from irviewer.version import VERSION  # noqa: E402 - found by the path above

project = "irviewer"
author = "the authors of irviewer"
version = release = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "registries", "outside_links", "leftovers"]
exclude_patterns = ["_ext", "**/__pycache__"]

smartquotes = False  # the texts of the registries as they are; two dashes begin an option
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autodoc_typehints = "none"
autodoc_class_signature = "separated"
autodoc_member_order = "bysource"
maximum_signature_line_length = 100

html_theme = "pydata_sphinx_theme"
html_title = f"irviewer {VERSION}"
html_logo = "../resources/icons/irviewer-64.png"
html_favicon = "../resources/icons/irviewer-64.png"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {
    "logo": {"text": "irviewer", "alt_text": "irviewer, first page"},
    "navbar_persistent": ["search-button"],
    "navbar_end": ["theme-switcher"],
    "footer_start": [],
    "footer_center": [],
    "footer_end": [],
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
}
