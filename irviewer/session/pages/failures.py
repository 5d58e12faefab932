"""What the views of failures show: queries on which runs fail, documents that mislead, a worklist for assessors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.notes import Note
from irviewer.session.pages.common import RunLabel


@dataclass(frozen=True)
class KindRow:
    """A kind of failure: in how many of the queries some shown run fails so, and whether rows are of it."""

    name: str
    sign: str
    title: str
    meaning: str
    count: int
    on: bool


@dataclass(frozen=True, eq=False)
class FailuresPage:
    """N rows, a row a query and a run that fails there; S shown runs.

    kinds       of each kind how many queries, and whether it is seen
    by_run      int64[S, K]: in how many queries each run fails in each way
    query_ids, texts, failures, tips   of each row
    query, run  int64[N]: places among the scene's queries and the shown runs, by which a row is found again
    values … deeper   see ``model.failures.kinds.Failures``, a number a row
    first       float64[N]: NaN where nothing relevant was returned
    selected    the row of the selected query (and the focus, where it has one), -1 where there is none
    longest     the longest of ``failures``
    limits      (share of the top, how much worse, what is hard), as they are in force
    """

    title: str
    note: str
    measure: str
    runs: tuple[RunLabel, ...]
    kinds: tuple[KindRow, ...]
    by_run: Ints
    query_ids: Sequence[str]
    texts: Sequence[str]
    failures: Sequence[str]
    tips: Sequence[str]
    query: Ints
    run: Ints
    values: Floats
    to_baseline: Floats
    to_median: Floats
    first: Floats
    above: Ints
    unjudged: Floats
    relevant: Ints
    found: Ints
    deeper: Ints
    selected: int
    sort: tuple[str, bool]
    filter: str
    filter_error: str
    cutoff: int
    limits: tuple[float, float, float]
    longest: str = ""
    complete: bool = False
    has_texts: bool = False
    higher_is_better: bool = True
    explanation: str = ""


@dataclass(frozen=True, eq=False)
class HubsPage:
    """Documents that many queries retrieve wrongly, a row each; see ``model.failures.hubs.Hubs``. ``queries_text``
    names the first queries, ``first`` is the one to go to; ``judged`` the grades given since the list was made,
    where it is held, "" for none."""

    title: str
    note: str
    doc_ids: tuple[str, ...]
    titles: tuple[str, ...]
    queries: Ints
    nonrelevant: Ints
    unjudged: Ints
    runs: Ints
    best: Ints
    right: Ints
    queries_text: tuple[str, ...]
    first: tuple[str, ...]
    selected: int
    sort: tuple[str, bool]
    cutoff: int
    complete: bool = False
    explanation: str = ""
    judged: tuple[str, ...] = ()
    remarks: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class WorklistPage:
    """Unjudged documents, the one first that would change a value the most were it judged relevant.

    change      float64[N]: the largest change of a run's value, which is ``run`` where it has ``rank``
    n_runs      int64[N]: how many of the shown runs have it within the depth looked at
    grade       what it is taken to be judged as
    judged      the grades given since the list was made, where it is held, "" for none
    """

    title: str
    note: str
    measure: str
    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    doc_ids: tuple[str, ...]
    titles: tuple[str, ...]
    change: Floats
    run: tuple[RunLabel, ...]
    rank: Ints
    n_runs: Ints
    grade: float
    selected: int
    higher_is_better: bool = True
    explanation: str = ""
    judged: tuple[str, ...] = ()
    remarks: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class RelevantPage:
    """The relevant documents of one query by all runs of the collection: D rows, R runs.

    ranks    int64[D, R]: 0 where the run missed it
    unique   bool[D, R]: found by this run alone
    found    int64[D]: how many runs found it; ``shown_found`` of the shown ones
    best     int64[D]: its best rank, 0 where every run missed it
    remarks  what a person wrote about each, none where nothing was written of any; so in all pages of documents
    """

    title: str
    note: str
    query_id: str
    runs: tuple[RunLabel, ...]
    doc_ids: tuple[str, ...]
    titles: tuple[str, ...]
    grades: Floats
    ranks: Ints
    unique: Bools
    found: Ints
    best: Ints
    max_grade: float
    cutoff: int
    selected: int
    sort: tuple[str, bool]
    explanation: str = ""
    remarks: tuple[Note, ...] = ()
