"""The menus of the menu bar, and the parts of each: sections between lines, and sub-menus.

A command names its menu (``category``) and the part of it (``group``). Within a part the order is that of the registry;
a command that names no part is in the part "" of its menu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from irviewer.translation import tr

Category = Literal["File", "Edit", "View", "Go", "Judge", "Run", "Statistics", "Export", "Help"]

MOST_ENTRIES = 16
"""The largest number of entries in a menu or sub-menu, lists of what is open apart."""


@dataclass(frozen=True)
class Group:
    """A part of a menu. With a ``title`` it is a sub-menu; with ``line`` a separator comes before it."""

    name: str
    title: str = ""
    line: bool = True


CATEGORIES: dict[Category, str] = {
    "File": tr("File"),
    "Edit": tr("Edit"),
    "View": tr("View"),
    "Go": tr("Go"),
    "Judge": tr("Judge"),
    "Run": tr("Run"),
    "Statistics": tr("Statistics"),
    "Export": tr("Export"),
    "Help": tr("Help"),
}
"""Each menu and its title, in the order of the menu bar."""

GROUPS: dict[Category, tuple[Group, ...]] = {
    "File": (
        Group("open"),
        Group("lessons", tr("Lessons"), line=False),
        Group("project"),
        Group("resolve", tr("Resolve"), line=False),
        Group("reload", tr("Reload")),
        Group("", line=False),
        Group("close"),
    ),
    "Edit": (
        Group("undo"),
        Group("copy"),
        Group(""),
        Group("clear"),
        Group("preferences"),
    ),
    "View": (
        Group(""),
        Group("lists", tr("Lists"), line=False),
        Group("panels", tr("Side panels"), line=False),
        Group("document"),
        Group("columns"),
        Group("curves", tr("Curves"), line=False),
        Group("textbook", tr("Textbook")),
        Group("theme", tr("Theme")),
        Group("type", tr("Type size"), line=False),
    ),
    "Go": (
        Group("places"),
        Group("failures", tr("Failure analysis")),
        Group("compare", tr("Comparisons"), line=False),
        Group("answers", tr("Answers"), line=False),
        Group(""),
        Group("query"),
        Group("next", tr("Tabs and collections")),
    ),
    "Judge": (
        Group(""),
        Group("grade", tr("Give a grade"), line=False),
        Group("step"),
        Group("made"),
        Group("judges", tr("Judges")),
        Group("labels", tr("Labels of answers"), line=False),
    ),
    "Run": (
        Group("choose"),
        Group("change"),
        Group(""),
        Group("edited", tr("Edited ranking"), line=False),
    ),
    "Statistics": (
        Group("measure"),
        Group("explain", line=False),
        Group("cutoff", tr("Cutoff and relevance")),
        Group("rules", line=False),
        Group("judgments", tr("Judgments"), line=False),
        Group("sets", tr("Query sets"), line=False),
        Group(""),
        Group("tests"),
        Group("numbers", tr("Further options"), line=False),
        Group("protocol", tr("Protocol"), line=False),
    ),
    "Export": (
        Group("view"),
        Group("report", tr("Report"), line=False),
        Group("comparisons"),
        Group("runs"),
        Group("judgments"),
        Group(""),
    ),
    "Help": (
        Group("find"),
        Group(""),
        Group("about"),
    ),
}
"""The parts of each menu, in their order."""


def group_of(category: Category, name: str) -> Group:
    """Return a part of a menu. Raises ValueError if the menu has none of this name."""
    part = next((group for group in GROUPS[category] if group.name == name), None)
    if part is None:
        raise ValueError(f"the menu {category!r} has no part {name!r}")
    return part
