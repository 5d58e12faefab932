"""Which column of a table with a header is the query, the document, the score, the rank, the grade.

One list of the names in use, for CSV, TSV, Parquet, Arrow and JSON lines. Names are compared without case and signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

QUERY = (
    "queryid", "qid", "topicid", "topic", "topicnumber", "topicno", "topicnum", "querynumber", "number", "queryno",
    "querytext", "query", "searchquery", "searchterm", "keyword", "q",
)  # fmt: skip
DOCUMENT = (
    "docid", "docno", "documentid", "documentnumber", "corpusid", "passageid", "pid", "did", "docnumber", "document",
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


def roles_of(
    names: Sequence[str], is_whole: Callable[[str], bool], wanted: str | None = None, hint: str = ""
) -> Roles | None:
    """The roles of a table's columns, None where it is neither a run nor qrels.

    ``is_whole(name)`` says whether a column holds whole numbers only; ``wanted`` is the kind where it is known;
    ``hint`` "run" or "qrels" settles what the names leave open."""
    query = first_of(names, QUERY)
    document = first_of([name for name in names if name != query], DOCUMENT)
    rest = [name for name in names if name not in (query, document)]
    score, rank, grade = first_of(rest, SCORE), first_of(rest, RANK), first_of(rest, GRADE)
    if not query or not document or not (score or rank or grade):
        return None
    shown = f"{query}, {document}"
    tag, subtopic = first_of(rest, TAG), first_of(rest, SUBTOPIC)
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
