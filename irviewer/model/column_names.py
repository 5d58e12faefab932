"""Which column of a table with a header is the query, the document, the score, the rank, the grade.

One list of the names in use, for CSV, TSV, Parquet, Arrow, JSON lines and data frames. Names are compared without case
and signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from irviewer.errors import OptionError, name_some
from irviewer.translation import tr

QUERY = (
    "queryid", "qid", "topicid", "topic", "topicnumber", "topicno", "topicnum", "querynumber", "number", "queryno",
    "querytext", "query", "searchquery", "searchterm", "keyword", "q",
)  # fmt: skip
DOCUMENT = (
    "docno", "docid", "documentid", "documentnumber", "corpusid", "passageid", "pid", "did", "docnumber", "document",
    "doc", "itemid", "productid", "asin", "passage", "item", "product",
)  # fmt: skip
GRADE = (
    "relevance", "rel", "grade", "label", "rating", "judgment", "judgement", "qrel", "gain", "relevancelabel",
    "relevancegrade", "relevancescore", "relevant", "relevancerating", "relevancejudgment", "relevancejudgement",
    "relevancelevel", "relevancy", "judgmentvalue", "qrels", "relgrade", "gradedrelevance", "assessment", "esci",
)  # fmt: skip
SCORE = ("score", "sim", "similarity", "rsv", "prediction", "retrievalscore", "docscore", "value")
RANK = ("rank", "docposition", "position", "ranking", "rankposition")
TAG = ("tag", "runid", "run", "runtag", "runname", "system", "systemid", "snapshotname", "name")
NO_COMPONENTS = frozenset({"caseid", "teamid", "bookid", "snapshotid", "scorerid", "id", "index", "unnamed0"})
"""Columns of numbers that are no part of a score: ids of what a tool keeps, and a table's own row numbers."""
SUBTOPIC = ("iteration", "iter", "subtopic", "subtopicid", "intent", "intentid", "aspect", "q0")

KNOWN = {
    "query": QUERY, "document": DOCUMENT, "score": SCORE, "rank": RANK, "grade": GRADE, "tag": TAG,
    "subtopic": SUBTOPIC,
}  # fmt: skip
"""The names of the columns by role. PyTerrier's tables have the collection's id as ``docno`` beside a number of the
index as ``docid``: ``docno`` comes first."""


@dataclass(frozen=True)
class Roles:
    """The columns' names by role; "" where there is none. ``kind`` is "run" or "qrels", ``reason`` why."""

    kind: str
    reason: str
    query: str
    document: str
    value: str
    rank: str = ""
    tag: str = ""
    subtopic: str = ""


class ColumnChoice:
    """Which columns have which role by the user's word, for several tables that need not all have all of them.

    Remembers which columns were met, so that one which no table has is refused (:meth:`check`)."""

    def __init__(self, columns: Mapping[str, str] | None = None) -> None:
        self.roles = given_roles(columns or {})
        self._met: set[str] = set()
        self._seen: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self.roles)

    def within(self, names: Sequence[str]) -> dict[str, str]:
        """Role -> column, of the columns that a table has."""
        self._seen |= dict.fromkeys(names)
        met = {role: column for role, column in self.roles.items() if column in names}
        self._met |= set(met.values())
        return met

    def check(self) -> None:
        """Raises OptionError for a column that none of the tables had."""
        missing = [column for column in self.roles.values() if column not in self._met]
        if missing:
            raise OptionError(
                tr(
                    "No table has a column {column!r}. The columns are: {names}.",
                    column=missing[0], names=name_some(list(self._seen), 20) or "–",
                )
            )  # fmt: skip


def given_roles(columns: Mapping[str, str], names: Sequence[str] | None = None) -> dict[str, str]:
    """Role -> column, of what the user says (``{"doc": "chunk_id"}``): a role has the names that columns of it have.
    Raises OptionError for a role that does not exist, and for a column that is none of ``names``."""
    roles = {}
    for word, column in columns.items():
        role = next((role for role, known in KNOWN.items() if plain_name(word) in (*known, role)), None)
        if role is None:
            raise OptionError(
                tr(
                    "There is no column role {role!r}. Use query, doc, score, rank, relevance, tag or iteration.",
                    role=str(word),
                )
            )
        if names is not None and column not in names:
            raise OptionError(
                tr(
                    "There is no column {column!r} for {role}. The columns are: {names}.",
                    column=str(column), role=str(word), names=name_some(list(map(str, names)), 20),
                )
            )  # fmt: skip
        roles[role] = column
    return roles


def roles_of(
    names: Sequence[str],
    is_whole: Callable[[str], bool],
    wanted: str | None = None,
    hint: str = "",
    given: Mapping[str, str] | None = None,
) -> Roles | None:
    """The roles of a table's columns, None where it is neither a run nor qrels.

    ``is_whole(name)`` says whether a column holds whole numbers only; ``wanted`` is the kind where it is known;
    ``hint`` "run" or "qrels" settles what the names leave open; ``given`` role -> column overrules the names."""
    given = given or {}
    free = [name for name in names if name not in given.values()]

    def column(role: str, among: Sequence[str]) -> str:
        return given.get(role) or first_of([name for name in among if name in free], KNOWN[role])

    query = column("query", names)
    document = column("document", [name for name in names if name != query])
    rest = [name for name in names if name not in (query, document)]
    score, rank, grade = (column(role, rest) for role in ("score", "rank", "grade"))
    if not query or not document or not (score or rank or grade):
        return None
    shown = f"{query}, {document}"
    tag, subtopic = column("tag", rest), column("subtopic", rest)
    run = Roles("run", "", query, document, score or rank, rank if score else "", tag)
    qrels = Roles("qrels", "", query, document, grade or score, subtopic=subtopic)
    if wanted:
        chosen = run if wanted == "run" else qrels
        return _because(chosen, f"a header with {shown}, {chosen.value}") if chosen.value else None
    if not score and not grade:
        return _because(run, f"a header with {shown} and {rank}")
    if grade and not score:
        return _because(qrels, f"a header with {shown} and {grade}")
    if grade:
        return _because(run, f"a header with {shown} and {score}; --kind qrels reads {grade}")
    if rank or tag:
        return _because(run, f"a header with {shown}, {score} and {rank or tag}")
    if hint != "run" and (hint == "qrels" or is_whole(score)):
        why = "the file's name says qrels" if hint == "qrels" else f"{score} holds whole numbers: grades"
        return _because(qrels, f"a header with {shown} and {score}; {why}; a guess, --kind run overrules")
    return _because(run, f"a header with {shown} and {score}; a guess, --kind qrels overrules")


def _because(roles: Roles, reason: str) -> Roles:
    return Roles(
        roles.kind, reason, roles.query, roles.document, roles.value, roles.rank, roles.tag, roles.subtopic
    )  # fmt: skip


def plain_name(name: str) -> str:
    """A name without case and signs."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def first_of(names: Sequence[str], known: Sequence[str]) -> str:
    """The column whose name comes first among the known ones, "" where none is known."""
    plain = {plain_name(name): name for name in reversed(names)}
    return next((plain[one] for one in known if one in plain), "")
