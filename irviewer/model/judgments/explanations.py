"""Explanations of judgments: what a judge wrote about a grade, the model that gave it, and its confidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Explanation:
    """What is known of one judgment beside its grade, as the file has it; "" for what it does not have."""

    text: str = ""
    model: str = ""
    confidence: str = ""

    def __bool__(self) -> bool:
        return bool(self.text or self.model or self.confidence)


NO_EXPLANATION = Explanation()


@dataclass(frozen=True, eq=False)
class Explanations:
    """The explanations of one judge's judgments.

    by_query   query -> document -> explanation, without empty ones; must not be changed"""

    by_query: Mapping[str, Mapping[str, Explanation]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[tuple[str, str, Explanation]]) -> Explanations:
        """Return the explanations of rows of query, document and explanation, without the empty ones; of several
        explanations of a judgment the last one counts."""
        by_query: dict[str, dict[str, Explanation]] = {}
        for query_id, doc_id, explanation in rows:
            if explanation:
                by_query.setdefault(query_id, {})[doc_id] = explanation
        return cls(by_query)

    def __len__(self) -> int:
        """The number of judgments with an explanation."""
        return sum(len(documents) for documents in self.by_query.values())

    def __bool__(self) -> bool:
        return bool(self.by_query)

    def __iter__(self) -> Iterator[tuple[str, str, Explanation]]:
        for query_id, documents in self.by_query.items():
            for doc_id, explanation in documents.items():
                yield query_id, doc_id, explanation

    def explanation(self, query_id: str, doc_id: str) -> Explanation:
        """Return the explanation of a judgment, an empty one if there is none."""
        return self.by_query.get(query_id, {}).get(doc_id, NO_EXPLANATION)
