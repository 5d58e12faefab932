"""A mapping by paths: where the query, the document and the score are in a file of nested JSON or a wide table.

The paths are those of ``json_paths``. One mapping is used for a user's ``--columns`` with paths and for the ready
mappings of tools (``ready_mappings``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irviewer.errors import OptionError
from irviewer.formats.json_paths import JsonPath, is_path, parse_path
from irviewer.translation import tr

Paths = tuple[str, ...]
"""Paths that may hold a value: the first one that is in a row is used."""


@dataclass(frozen=True)
class PathMapping:
    """Paths by role, within ``rows``.

    document   the document's id; each of its values is a row
    query      the query's id or text; without one, the file's name or the number of the list
    score      higher is better; ``distance``: lower is better, its negative is the score; ``rank``: from 1
    grade      makes the rows qrels; ``graded`` says that every document has grade 1
    part       the name of the run that a row belongs to, where a file holds several
    best_first the best document is the first of its list: scores that rise are distances
    one_query  without a query, each of ``rows`` is one, else the file or line; otherwise each list is one
    Without a score, distance or rank, documents are ranked by their position."""

    document: Paths
    query: Paths = ()
    score: Paths = ()
    distance: Paths = ()
    rank: Paths = ()
    grade: Paths = ()
    part: Paths = ()
    rows: str = ""
    graded: bool = False
    one_query: bool = False
    best_first: bool = False

    @property
    def kind(self) -> str:
        """What is read: "qrels" or "run"."""
        return "qrels" if self.grade or self.graded else "run"

    def paths(self, role: str) -> tuple[JsonPath, ...]:
        """The parsed paths of a role from the top of the file or line. Raises OptionError."""
        rows = parse_path(self.rows)
        return tuple(parse_path(path).within(rows) for path in getattr(self, role))

    @property
    def words(self) -> str:
        """The mapping as ``--columns`` has it."""
        pairs = [("rows", (self.rows,))] if self.rows else []
        pairs += [(role, getattr(self, role)) for role in (*ROLES, "part")]
        return ",".join(f"{_WRITTEN.get(role, role)}={'|'.join(paths)}" for role, paths in pairs if paths)


ROLES = ("document", "query", "score", "distance", "rank", "grade")
_WRITTEN = {"document": "doc", "grade": "relevance", "part": "tag"}


def mapping_of(roles: Mapping[str, str]) -> PathMapping:
    """Return the mapping of a user's columns by role; ``|`` separates paths of which the first that is there is used.
    Raises OptionError for a text that is no path, a mapping without a document, and a role it cannot have."""
    if "document" not in roles:
        raise OptionError(tr("a mapping by paths needs the path of the documents: doc=…"))
    odd = next((role for role in roles if role not in (*ROLES, "rows", "tag")), None)
    if odd is not None:
        raise OptionError(
            tr("a mapping by paths has no role {role!r}: its roles are rows, query, doc, score, distance, rank, "
               "relevance and tag", role=odd)
        )  # fmt: skip
    paths = {role: tuple(roles[role].split("|")) for role in (*ROLES, "tag") if role in roles}
    mapping = PathMapping(
        paths["document"], paths.get("query", ()), paths.get("score", ()), paths.get("distance", ()),
        paths.get("rank", ()), paths.get("grade", ()), paths.get("tag", ()), roles.get("rows", ""), one_query=True,
    )  # fmt: skip
    for role in (*ROLES, "part"):
        mapping.paths(role)
    values = [role for role in ("score", "distance", "rank") if role in roles]
    if len(values) > 1:
        raise OptionError(
            tr("a mapping by paths ranks by one of score, distance and rank, not by {roles}", roles=", ".join(values))
        )
    return mapping


def names_paths(roles: Mapping[str, str]) -> bool:
    """Return True if columns by role are paths, or may be: ``rows`` is given, or a text has the signs of one."""
    return "rows" in roles or any(is_path(column) for column in roles.values())
