"""Why a document is not among the first: where it stands, what stands above it, and how far its score is away.

Look-ups of one query of one run; knows no texts and no other run."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.tied_ranks import ORDERS
from irviewer.model.run import Run


@dataclass(frozen=True)
class Above:
    """A document within the cutoff that stands above the one asked about; ``grade`` is NaN where nobody judged it."""

    rank: int
    document: str
    grade: float
    score: float


@dataclass(frozen=True)
class DocumentsAbove:
    """Where ``document`` stands in a run's list of ``query``.

    rank      its rank, 0 where the run did not return it among its ``returned`` documents
    grade     NaN where nobody judged it
    score     its score, NaN where it was not returned; ``bar`` that of the last rank within the cutoff (NaN: the list
              is shorter), ``last`` that of the last document returned (NaN: there is none)
    above     the documents above it down to the cutoff, best first
    level     from which grade on a document is relevant
    order     how the run orders documents of equal score, in words
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
        """True where it is not within the cutoff."""
        return not 0 < self.rank <= self.cutoff

    @property
    def gap(self) -> float:
        """By how much its score is below that of the cutoff; NaN where it is above, or was not returned."""
        return self.bar - self.score if self.missed and self.rank else math.nan

    @property
    def relevant(self) -> int:
        """How many of ``above`` are relevant."""
        return sum(one.grade >= self.level and one.grade >= 0 for one in self.above)

    @property
    def unjudged(self) -> int:
        """How many of ``above`` nobody judged."""
        return sum(math.isnan(one.grade) for one in self.above)

    @property
    def non_relevant(self) -> int:
        """How many of ``above`` are judged, and not relevant."""
        return len(self.above) - self.relevant - self.unjudged

    @property
    def lower(self) -> int:
        """How many of ``above`` have a lower grade than it has; 0 where it is not judged."""
        return sum(one.grade < self.grade for one in self.above)

    def told(self) -> tuple[str, ...]:
        """Sentences: where it stands, what stands above it, how far it is away."""
        return tuple(filter(None, (self._where(), self._who(), self._how_far())))

    def _where(self) -> str:
        graded = "which nobody judged" if math.isnan(self.grade) else f"grade {self.grade:g}"
        name = f"{self.document} ({graded})"
        if not self.returned:
            return f"{self.run} returned nothing for query {self.query}, so {name} is not there either."
        if not self.rank:
            return f"{self.run} did not return {name} among its {_documents(self.returned)}."
        if not self.missed:
            return f"{name} stands at rank {self.rank:,} of {self.run}, within the top {self.cutoff:,}."
        return (
            f"{name} stands at rank {self.rank:,} of {self.run}, {self.rank - self.cutoff:,} below the top "
            f"{self.cutoff:,}."
        )

    def _who(self) -> str:
        if not self.above:
            return "Nothing stands above it." if self.rank else ""
        counts = ((self.relevant, "relevant"), (self.non_relevant, "non-relevant"), (self.unjudged, "unjudged"))
        parts = ", ".join(f"{count:,} {word}" for count, word in counts if count)
        where = f"above it in the top {self.cutoff:,}" if self.missed else "above it"
        stand = "stands" if len(self.above) == 1 else "stand"
        lower = f"; {self.lower:,} of lower grade" if self.lower else ""
        return f"{_documents(len(self.above))} {stand} {where}: {parts}{lower}."

    def _how_far(self) -> str:
        if not self.missed or math.isnan(self.bar):
            return ""
        if not self.rank:
            return (
                f"Rank {self.cutoff:,} has the score {self.bar:g}, the last one returned {self.last:g}: it is at least "
                f"{self.bar - self.last:g} away."
            )
        if self.score == self.bar:
            return (
                f"It shares the score {self.bar:g} with rank {self.cutoff:,}: tied documents are ordered {self.order}."
            )
        return f"Its score {self.score:g} is {self.gap:g} below that of rank {self.cutoff:,} ({self.bar:g})."


def documents_above(
    run: Run, qrels: Qrels, query: str, document: str, *, cutoff: int = 10, level: float = 1.0, complete: bool = False
) -> DocumentsAbove:
    """Where a document stands in a run's list and what keeps it from the first ``cutoff`` ranks. ``complete``: the
    qrels judge every document of their queries, those they do not list as non-relevant.

    Raises OptionError for a cutoff below 1, and for a query that neither the run nor the qrels have."""
    if cutoff < 1:
        raise OptionError(f"a cutoff is a rank from 1, not {cutoff}")
    judged = query in qrels.query_index
    if not judged and query not in run.query_index:
        raise OptionError(f"there is no query {query} in the qrels or the run")
    grades = qrels.judgments(query) if judged else {}
    unlisted = 0.0 if complete and judged else math.nan
    place = run.query_index.get(query)
    start, stop = (0, 0) if place is None else (int(run.offsets[place]), int(run.offsets[place + 1]))
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


def _documents(count: int) -> str:
    return f"{count:,} document{'s' if count != 1 else ''}"
