"""The Query place: one query's ranked lists side by side, its strips, missed documents, metrics and curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from irviewer.figures.figure import Figure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.overlay import PatchRow
from irviewer.model.tied import no_ties
from irviewer.model.workspace import Regime
from irviewer.session.pages.common import RunLabel


@dataclass(frozen=True, eq=False)
class RankedColumn:
    """One shown run's list for the query; row r is rank r + 1.

    doc_ids   the documents, best first, to the run's depth (empty: the run lacks the query)
    grades    float64[n]; NaN where the qrels do not list the document
    change    int64[n] rank change against the baseline: + up, - down, 0 equal, ``NEW`` where the baseline lacks the
              document; None for the baseline itself, or where the baseline lacks the query
    value     the chosen measure of this query
    tied      int64[g, 2] the first and the last rank of each group of documents that share a score, by rank
    """

    run: RunLabel
    value: float
    doc_ids: list[str]
    grades: Floats
    change: Ints | None
    tied: Ints = field(default_factory=no_ties)


@dataclass(frozen=True, eq=False)
class StripRow:
    """One run (shown or not) as a row of cells: only listed documents are named, the rest is ground.

    ranks, grades   int64[h], float64[h] of the returned documents that the qrels list, by rank
    doc_ids         list[str][h] beside them
    returned        how many documents the run returned (beyond: not retrieved)
    selected_rank   the rank of the selected document, 0 where the run did not return it
    tied            int64[g, 2] the first and the last rank of each group of documents that share a score, by rank
    """

    run: RunLabel
    value: float
    ranks: Ints
    grades: Floats
    doc_ids: list[str]
    returned: int
    selected_rank: int
    tied: Ints = field(default_factory=no_ties)


@dataclass(frozen=True)
class MissedRow:
    """A relevant document outside the cutoff of some shown run; ``ranks`` by shown run, 0 where not retrieved."""

    doc_id: str
    title: str
    grade: float
    ranks: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class MetricRow:
    """One measure of this query by shown run; ``delta`` is focus minus baseline, with ``ratio`` (the measure's mean is
    geometric) the logarithm of their ratio, NaN where there is no such pair. ``best`` are the places of the best
    values, empty where all are equal."""

    measure: str
    label: str
    values: tuple[float, ...]
    best: tuple[int, ...]
    delta: float
    chosen: bool
    counts: bool = False
    higher_is_better: bool = True
    tooltip: str = ""
    ratio: bool = False


@dataclass(frozen=True, eq=False)
class QueryPage:
    """Everything the Query place shows. ``cutoff`` is the cutoff line's rank; ``depth`` the deepest shown list;
    ``position`` is (place from 1, number of queries) in the order the person walks; place 0 where the filter hides the
    query. ``explanation`` says what is missing (no runs, no judgments), "" where nothing is; ``aspects`` the
    subtopics that a document is relevant to, by document ("1, 3"); ``own`` what was judged here, by document."""

    query_id: str
    text: str
    position: tuple[int, int]
    n_relevant: int
    measure: str
    cutoff: int
    regime: Regime
    max_grade: float
    grade_levels: tuple[float, ...]
    columns: tuple[RankedColumn, ...]
    strips: tuple[StripRow, ...]
    missed: tuple[MissedRow, ...]
    metrics: tuple[MetricRow, ...]
    precision_recall: Figure
    gain: Figure
    document: str | None
    terms: tuple[str, ...]
    depth: int
    explanation: str = ""
    aspects: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, PatchRow] = field(default_factory=dict)

    def differs(self, doc_id: str) -> bool:
        """True where a person gave a document another grade than the file."""
        found = self.own.get(doc_id)
        return found is not None and found.differs


@dataclass(frozen=True)
class ScoreRow:
    """The score of a document in one run and its parts by name, as the run's file has them; NaN where it says none."""

    run: RunLabel
    score: float
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class DocumentCard:
    """The selected document: ``fields`` are its columns in order (title and text apart); ``grade`` is NaN where the
    query's qrels do not list it; ``listed`` where they do; ``ranks`` (label, rank or 0) by run, the shown
    ones first; ``marks`` (start, length) of query terms in
    ``text``, ``title_marks`` in ``title``; ``picture`` the path of a picture on this computer, "" for none; ``scores``
    of the shown runs that returned it, where some run's file says what the score is made of; ``aspects`` its
    subtopics or judges in words; ``own`` what was judged here, None where nothing was; ``remark`` the note and the tags
    that a person gave it, "" for none; ``lost`` why its text can no longer be read, "" where it can."""

    doc_id: str
    title: str
    text: str
    fields: tuple[tuple[str, str], ...]
    grade: float
    ranks: tuple[tuple[RunLabel, int], ...]
    marks: tuple[tuple[int, int], ...]
    title_marks: tuple[tuple[int, int], ...]
    known: bool
    picture: str = ""
    lost: str = ""
    scores: tuple[ScoreRow, ...] = ()
    aspects: str = ""
    own: PatchRow | None = None
    listed: bool = True
    remark: str = ""
