"""Judgments that a person lays over a file's: frozen values, the file's qrels untouched beneath.

An overlay says what a document is worth for a query, who said so, when and why; applied, it gives qrels in which only
the queries it touches are made anew. Knows no file and no run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from irviewer.model.qrels import Qrels
from irviewer.model.replace_queries import judged_anew, with_queries


@dataclass(frozen=True)
class Judgment:
    """A document judged for a query.

    grade   None: taken back, so that the document is unjudged, whatever the file says
    who     the person, "" unknown; when ISO 8601 in UTC, "" unknown; note what the person wrote beside it
    """

    query_id: str
    doc_id: str
    grade: float | None
    who: str = ""
    when: str = ""
    note: str = ""


@dataclass(frozen=True)
class PatchRow:
    """A judgment with the grade that the file has, None where it has none."""

    judgment: Judgment
    former: float | None

    @property
    def differs(self) -> bool:
        """True where the grade is another than the file's."""
        return self.judgment.grade != self.former


@dataclass(frozen=True)
class JudgmentOverlay:
    """Judgments by query and document: the last of a document for a query counts, at the place of its first.

    by_query   query -> document -> judgment, in the order in which they were first judged; not to be written to"""

    by_query: Mapping[str, Mapping[str, Judgment]] = field(default_factory=dict)

    @classmethod
    def of(cls, judgments: Iterable[Judgment]) -> JudgmentOverlay:
        """An overlay of judgments in the order given; a later one of a document replaces an earlier one."""
        found: dict[str, dict[str, Judgment]] = {}
        for one in judgments:
            found.setdefault(one.query_id, {})[one.doc_id] = one
        return cls(found)

    def __len__(self) -> int:
        """How many documents are judged, each query's counted for itself."""
        return sum(len(one) for one in self.by_query.values())

    def __bool__(self) -> bool:
        return bool(self.by_query)

    def __iter__(self) -> Iterator[Judgment]:
        for documents in self.by_query.values():
            yield from documents.values()

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries touched, in the order in which they first were."""
        return tuple(self.by_query)

    def judgment(self, query_id: str, doc_id: str) -> Judgment | None:
        """What is said of a document, None where nothing is."""
        return self.by_query.get(query_id, {}).get(doc_id)

    def with_judgment(self, judgment: Judgment) -> JudgmentOverlay:
        """The overlay with one more judgment. What is not touched is shared."""
        documents = {**self.by_query.get(judgment.query_id, {}), judgment.doc_id: judgment}
        return JudgmentOverlay({**self.by_query, judgment.query_id: documents})

    def without(self, query_id: str, doc_id: str) -> JudgmentOverlay:
        """The overlay that says nothing of a document: the file's grade holds again."""
        if self.judgment(query_id, doc_id) is None:
            return self
        documents = {one: judgment for one, judgment in self.by_query[query_id].items() if one != doc_id}
        rest = {query: them for query, them in self.by_query.items() if query != query_id}
        return JudgmentOverlay({**self.by_query, query_id: documents} if documents else rest)

    def changed_queries(self, other: JudgmentOverlay) -> tuple[str, ...]:
        """The queries of which the two do not say the same."""
        every = dict.fromkeys((*self.by_query, *other.by_query))
        return tuple(query for query in every if not _same(self.by_query.get(query), other.by_query.get(query)))

    # --- over qrels ---

    def applied(self, qrels: Qrels) -> Qrels:
        """The qrels with what the overlay says. Grades are replaced where the documents stand, new documents follow
        those of their query, new queries those of the file; queries that the overlay does not touch share what they
        are. A query of the file's of which nothing is left stays: it is judged, and holds no relevant document."""
        return self.reapplied(qrels, qrels, self.queries)

    def reapplied(self, qrels: Qrels, former: Qrels, queries: Sequence[str]) -> Qrels:
        """The same, from what an earlier overlay made of ``qrels`` (``former``), from which this one differs in some
        queries only."""
        if any(query in former.query_index for query in queries if not self._holds(qrels, query)):
            return self.applied(qrels)  # a query that the file lacks is judged no more
        parts = [
            judged_anew(qrels, query, {doc: one.grade for doc, one in self.by_query.get(query, {}).items()}, former)
            for query in queries
            if self._holds(qrels, query)
        ]
        return with_queries(former, parts) if parts else former

    def _holds(self, qrels: Qrels, query_id: str) -> bool:
        judged = self.by_query.get(query_id, {}).values()
        return query_id in qrels.query_index or any(one.grade is not None for one in judged)

    def rows(self, qrels: Qrels) -> tuple[PatchRow, ...]:
        """Every judgment with the grade that ``qrels``, the file's, has."""
        found = []
        for query, documents in self.by_query.items():
            known = qrels.judgments(query)
            found += [PatchRow(one, known.get(doc)) for doc, one in documents.items()]
        return tuple(found)

    def differing(self, qrels: Qrels) -> tuple[PatchRow, ...]:
        """The judgments whose grade is another than that of ``qrels``, the file's."""
        return tuple(row for row in self.rows(qrels) if row.differs)


def now() -> str:
    """This moment as judgments are dated: ISO 8601, UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _same(one: Mapping[str, Judgment] | None, other: Mapping[str, Judgment] | None) -> bool:
    return one is other or (one or {}) == (other or {})
