"""Links of the pages to files beside ``docs``, which the checkout has: those that the site has go to its pages, others
to the source."""

from __future__ import annotations

import posixpath
import re

from sphinx.application import Sphinx

SOURCE = "https://github.com/irviewer/irviewer/blob/main/"
PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "resources/glossary.md": "glossary.md"}
"""Files of the checkout -> the pages that include them."""


def _target(name: str, anchor: str) -> str:
    """The end of a link to a file, by its path in the checkout."""
    if name in PAGES:
        return f"](/{PAGES[name]}{anchor})"
    if name.startswith("docs/"):
        return f"](/{name.removeprefix('docs/')}{anchor})"
    return f"]({SOURCE}{name}{anchor})"


def from_page(app: Sphinx, page: str, content: list[str]) -> None:
    """Change the links of a page that leave its folder; pictures stay, for Sphinx copies them."""
    pattern = r"(?<!!)(\[[^\]]*)\]\((\.\./[\w./-]+)(#[\w-]+)?\)"
    folder = posixpath.dirname(f"docs/{page}")
    content[0] = re.sub(
        pattern, lambda m: m[1] + _target(posixpath.normpath(posixpath.join(folder, m[2])), m[3] or ""), content[0]
    )


def from_included(app: Sphinx, path: object, page: str, content: list[str]) -> None:
    """Change the links of a file that a page includes: they begin at the root of the checkout."""
    pattern = r"\]\((?!\w+:|#|/)([\w./-]+)(#[\w-]+)?\)"
    content[0] = re.sub(pattern, lambda m: _target(m[1], m[2] or ""), content[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the two functions."""
    app.connect("source-read", from_page)
    app.connect("include-read", from_included)
    return {"parallel_read_safe": True}
