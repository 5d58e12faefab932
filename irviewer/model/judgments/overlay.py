"""The user's judgments, applied to the qrels of a file, which do not change.

An overlay has the grade of a document for a query, its judge, time and note. Applied, it gives qrels in which only the
queries with such judgments are new. Independent of files and runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from irviewer.model.changes.replace_queries import regraded_part, with_queries
from irviewer.model.qrels import Qrels


@dataclass(frozen=True)
class Judgment:
    """The judgment of a document for a query.

    grade   None: the judgment is removed, and the document is unjudged even if the file has a grade
    who     the judge, "" if unknown
    when    ISO 8601 in UTC, "" if unknown
    note    the judge's note
    """

    query_id: str
    doc_id: str
    grade: float | None
    who: str = ""
    when: str = ""
    note: str = ""


@dataclass(frozen=True)
class PatchRow:
    """A judgment with the grade of the file, None if it has none."""

    judgment: Judgment
    former: float | None

    @property
    def differs(self) -> bool:
        """True if the grade differs from the file's."""
        return self.judgment.grade != self.former


@dataclass(frozen=True)
class JudgmentOverlay:
    """Judgments by query and document; of several judgments of a document for a query the last counts.

    by_query   query -> document -> judgment, in the order in which they were first judged; must not be changed"""

    by_query: Mapping[str, Mapping[str, Judgment]] = field(default_factory=dict)

    @classmethod
    def of(cls, judgments: Iterable[Judgment]) -> JudgmentOverlay:
        """Return an overlay of judgments in their order; a later judgment of a document replaces an earlier one."""
        by_query: dict[str, dict[str, Judgment]] = {}
        for judgment in judgments:
            by_query.setdefault(judgment.query_id, {})[judgment.doc_id] = judgment
        return cls(by_query)

    def __len__(self) -> int:
        """The number of judgments."""
        return sum(len(documents) for documents in self.by_query.values())

    def __bool__(self) -> bool:
        return bool(self.by_query)

    def __iter__(self) -> Iterator[Judgment]:
        for documents in self.by_query.values():
            yield from documents.values()

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries with judgments, in the order in which they were first judged."""
        return tuple(self.by_query)

    def judgment(self, query_id: str, doc_id: str) -> Judgment | None:
        """Return the judgment of a document, None if there is none."""
        return self.by_query.get(query_id, {}).get(doc_id)

    def with_judgment(self, judgment: Judgment) -> JudgmentOverlay:
        """Return the overlay with one more judgment; unchanged queries are shared."""
        documents = {**self.by_query.get(judgment.query_id, {}), judgment.doc_id: judgment}
        return JudgmentOverlay({**self.by_query, judgment.query_id: documents})

    def without(self, query_id: str, doc_id: str) -> JudgmentOverlay:
        """Return the overlay without the judgment of a document, which has the file's grade again."""
        if self.judgment(query_id, doc_id) is None:
            return self
        documents = {doc: judgment for doc, judgment in self.by_query[query_id].items() if doc != doc_id}
        others = {query: judgments for query, judgments in self.by_query.items() if query != query_id}
        return JudgmentOverlay({**self.by_query, query_id: documents} if documents else others)

    def changed_queries(self, other: JudgmentOverlay) -> tuple[str, ...]:
        """Return the queries on which two overlays differ."""
        queries = dict.fromkeys((*self.by_query, *other.by_query))
        return tuple(query for query in queries if not _same(self.by_query.get(query), other.by_query.get(query)))

    # --- over qrels ---

    def applied(self, qrels: Qrels) -> Qrels:
        """Return the qrels with the overlay's judgments. Grades are replaced in place, new documents follow those of
        their query, new queries those of the file; other queries share memory. A query of the file that loses its last
        judgment remains: it is judged and has no relevant document."""
        return self.reapplied(qrels, qrels, self.queries)

    def reapplied(self, qrels: Qrels, former: Qrels, queries: Sequence[str]) -> Qrels:
        """Return the qrels with the overlay's judgments, computed from ``former``: ``qrels`` with an earlier overlay
        that differs from this one in ``queries`` only."""
        if any(query in former.query_index for query in queries if not self._holds(qrels, query)):
            return self.applied(qrels)  # a query that is not in the file lost its last judgment
        parts = [
            regraded_part(
                qrels, query, {doc: judgment.grade for doc, judgment in self.by_query.get(query, {}).items()}, former
            )
            for query in queries
            if self._holds(qrels, query)
        ]
        return with_queries(former, parts) if parts else former

    def _holds(self, qrels: Qrels, query_id: str) -> bool:
        judged = self.by_query.get(query_id, {}).values()
        return query_id in qrels.query_index or any(judgment.grade is not None for judgment in judged)

    def rows(self, qrels: Qrels) -> tuple[PatchRow, ...]:
        """Return every judgment with the grade in ``qrels``, those of the file."""
        rows = []
        for query, documents in self.by_query.items():
            known = qrels.judgments(query)
            rows += [PatchRow(judgment, known.get(doc)) for doc, judgment in documents.items()]
        return tuple(rows)

    def differing(self, qrels: Qrels) -> tuple[PatchRow, ...]:
        """Return the judgments whose grade differs from that in ``qrels``, those of the file."""
        return tuple(row for row in self.rows(qrels) if row.differs)


def now() -> str:
    """Return the current time as judgments are dated: ISO 8601, UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _same(first: Mapping[str, Judgment] | None, second: Mapping[str, Judgment] | None) -> bool:
    return first is second or (first or {}) == (second or {})
