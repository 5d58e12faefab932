"""Why a document is not at the top: its rank, the documents above it, and the distance of its score."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.tied_ranks import ORDERS
from irviewer.model.run import Run
from irviewer.translation import tr, trn


@dataclass(frozen=True)
class Above:
    """A document within the cutoff and above the document in question; ``grade`` is NaN where unjudged."""

    rank: int
    document: str
    grade: float
    score: float


@dataclass(frozen=True)
class DocumentsAbove:
    """The position of a document in a run's list of a query.

    rank      its rank, 0 where the run did not return it among its ``returned`` documents
    grade     NaN where unjudged
    score     its score, NaN where it was not returned; ``bar`` that of the last rank within the cutoff (NaN: the list
              is shorter), ``last`` that of the last document returned (NaN: there is none)
    above     the documents above it down to the cutoff, best first
    level     the relevance level
    order     how the run breaks ties, in words
    """

    run: str
    query: str
    document: str
    cutoff: int
    rank: int
    grade: float
    score: float
    bar: float
    last: float
    returned: int
    above: tuple[Above, ...]
    level: float
    order: str

    @property
    def missed(self) -> bool:
        """True if the document is not within the cutoff."""
        return not 0 < self.rank <= self.cutoff

    @property
    def gap(self) -> float:
        """The difference of its score to that at the cutoff; NaN where it is above, or was not returned."""
        return self.bar - self.score if self.missed and self.rank else math.nan

    @property
    def relevant(self) -> int:
        """The number of relevant documents in ``above``."""
        return sum(entry.grade >= self.level and entry.grade >= 0 for entry in self.above)

    @property
    def unjudged(self) -> int:
        """The number of unjudged documents in ``above``."""
        return sum(math.isnan(entry.grade) for entry in self.above)

    @property
    def non_relevant(self) -> int:
        """The number of judged non-relevant documents in ``above``."""
        return len(self.above) - self.relevant - self.unjudged

    @property
    def lower(self) -> int:
        """The number of documents in ``above`` with a lower grade; 0 where it is unjudged."""
        return sum(entry.grade < self.grade for entry in self.above)

    def sentences(self) -> tuple[str, ...]:
        """Return sentences: its rank, the documents above it, the distance of its score."""
        return tuple(filter(None, (self._position(), self._above(), self._distance())))

    def _position(self) -> str:
        grade = tr("unjudged") if math.isnan(self.grade) else tr("grade {grade:g}", grade=self.grade)
        name = f"{self.document} ({grade})"
        if not self.returned:
            return tr("{run} returned no documents for query {query}.", run=self.run, query=self.query)
        if not self.rank:
            return trn(
                "{run} returned {n:,} document, which is not {document}.",
                "{run} returned {n:,} documents, but not {document}.",
                self.returned, document=name, run=self.run,
            )  # fmt: skip
        if not self.missed:
            return tr(
                "{document} is at rank {rank:,} of {run}, within the top {cutoff:,}.",
                document=name, rank=self.rank, run=self.run, cutoff=self.cutoff,
            )  # fmt: skip
        return trn(
            "{document} is at rank {rank:,} of {run}, {n:,} rank below the top {cutoff:,}.",
            "{document} is at rank {rank:,} of {run}, {n:,} ranks below the top {cutoff:,}.",
            self.rank - self.cutoff, document=name, rank=self.rank, run=self.run, cutoff=self.cutoff,
        )  # fmt: skip

    def _above(self) -> str:
        if not self.above:
            return tr("No document is above it.") if self.rank else ""
        parts = []
        if self.relevant:
            parts.append(trn("{n:,} relevant", "{n:,} relevant", self.relevant))
        if self.non_relevant:
            parts.append(trn("{n:,} non-relevant", "{n:,} non-relevant", self.non_relevant))
        if self.unjudged:
            parts.append(tr("{n:,} unjudged", n=self.unjudged))
        counts = ", ".join(parts)
        if self.lower:
            counts = tr("{counts}; {n:,} of lower grade", counts=counts, n=self.lower)
        if self.missed:
            return trn(
                "{n:,} document above it in the top {cutoff:,}: {counts}.",
                "{n:,} documents above it in the top {cutoff:,}: {counts}.",
                len(self.above), cutoff=self.cutoff, counts=counts,
            )  # fmt: skip
        return trn(
            "{n:,} document above it: {counts}.", "{n:,} documents above it: {counts}.", len(self.above), counts=counts
        )

    def _distance(self) -> str:
        if not self.missed or math.isnan(self.bar):
            return ""
        if not self.rank:
            return tr(
                "Rank {cutoff:,} has the score {bar:g} and the last document returned {last:g}: the score "
                    "of the document is at least {distance:g} too low.",
                cutoff=self.cutoff, bar=self.bar, last=self.last, distance=self.bar - self.last,
            )  # fmt: skip
        if self.score == self.bar:
            return tr(
                "Its score {score:g} is that of rank {cutoff:,}: tied documents are ordered {order}.",
                score=self.bar, cutoff=self.cutoff, order=self.order,
            )  # fmt: skip
        return tr(
            "Its score {score:g} is {distance:g} below that of rank {cutoff:,} ({bar:g}).",
            score=self.score, distance=self.gap, cutoff=self.cutoff, bar=self.bar,
        )  # fmt: skip


def documents_above(
    run: Run, qrels: Qrels, query: str, document: str, *, cutoff: int = 10, level: float = 1.0, complete: bool = False
) -> DocumentsAbove:
    """Return the position of a document in a run's list and what keeps it from the first ``cutoff`` ranks.

    ``complete``: documents that are not in the qrels are non-relevant.

    Raises OptionError for a cutoff below 1, and for a query that neither the run nor the qrels have."""
    if cutoff < 1:
        raise OptionError(tr("the cutoff is {cutoff}; it must be 1 or more", cutoff=cutoff))
    judged = query in qrels.query_index
    if not judged and query not in run.query_index:
        raise OptionError(tr("query {query} is neither in the qrels nor in the run", query=query))
    grades = qrels.judgments(query) if judged else {}
    unlisted = 0.0 if complete and judged else math.nan
    index = run.query_index.get(query)
    start, stop = (0, 0) if index is None else (int(run.offsets[index]), int(run.offsets[index + 1]))
    returned = stop - start
    documents = run.doc_ids[start:stop]
    rank = int(pc.index(documents, pa.scalar(document, pa.string())).as_py()) + 1
    count = min(cutoff, returned) if not 0 < rank <= cutoff else rank - 1
    scores = run.scores[start:stop]
    return DocumentsAbove(
        run.name, query, document, cutoff, rank, grades.get(document, unlisted),
        float(scores[rank - 1]) if rank else math.nan,
        float(scores[cutoff - 1]) if returned >= cutoff else math.nan,
        float(scores[-1]) if returned else math.nan,
        returned,
        tuple(
            Above(at, doc, grades.get(doc, unlisted), float(scores[at - 1]))
            for at, doc in enumerate(documents[:count].to_pylist(), start=1)
        ),
        level, ORDERS[run.rule[0]],
    )  # fmt: skip
