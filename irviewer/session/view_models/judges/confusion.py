"""The view model of two judges grade by grade: the table, its statistics, and the documents of the chosen cells."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.number_text import limit
from irviewer.model.workspace import Collection, JudgmentSet
from irviewer.tables.table import Table
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.agreement.confusion import Confusion, Disagreement
    from irviewer.analysis.agreement.judge_agreement import JudgeAgreement
    from irviewer.analysis.agreement.leverage import Leverage
    from irviewer.evaluation.bind import BoundProtocol

SHOWN = ("same_grade", "kappa_quadratic", "alpha_ordinal", "difference", "same_side", "kappa_level",
         "kappa_level_max", "relevant", "nonrelevant", "ac1")  # fmt: skip
"""The statistics of the pair that the window shows, in its order."""


@dataclass(frozen=True, eq=False)
class TwoJudges:
    """Two judges compared: the result that the view model is built from.

    agreement   the two with intervals
    documents   the documents to which they give different grades
    leverage    what each would change in the runs' values; None without runs, or for a measure that does not allow it
    trouble     why there is no leverage, "" otherwise
    """

    confusion: Confusion
    agreement: JudgeAgreement
    documents: tuple[Disagreement, ...]
    leverage: Leverage | None
    trouble: str = ""


@dataclass(frozen=True, eq=False)
class ConfusionViewModel:
    """What the Confusion view shows of two judges.

    counts, shares    int64[K, K] and float64[K, K]: pairs by grade, and per cent of the row
    cells             the chosen cells as (row, column) indices; none means all disagreements
    two_by_two        neither, only the column judge, only the row judge, both relevant
    coefficients      the table of the view; ``statistics`` are the rows of it that are shown
    documents         those of the chosen cells, by the size of their change; ``listed`` is the table of them
    by_query          the table of the view with a row for each query, shown in the order ``queries`` int64[Q]: those
                      with the most disagreements first, beside them their ``texts``
    kappa             the key of the kappa that is shown: quadratic, or at the level of judges with different scales
    """

    title: str
    explanation: str
    names: tuple[str, str] = ("", "")
    level: float = 1.0
    grades: tuple[float, ...] = ()
    counts: Ints | None = None
    shares: Floats | None = None
    cells: tuple[tuple[int, int], ...] = ()
    coefficients: Table | None = None
    statistics: Ints | None = None
    note: str = ""
    sentence: str = ""
    two_by_two: tuple[int, int, int, int] = (0, 0, 0, 0)
    list_title: str = ""
    list_note: str = ""
    documents: tuple[Disagreement, ...] = ()
    listed: Table | None = None
    depth: int = 10
    by_query: Table | None = None
    queries: Ints | None = None
    texts: tuple[str, ...] = ()
    adjudicated: Mapping[tuple[str, str], float] | None = None
    kappa: str = "kappa_quadratic"

    @property
    def shown_names(self) -> tuple[str, str]:
        """The names of the judges, hidden characters as escapes."""
        first, second = map(escape_hidden, self.names)
        return first, second

    @property
    def top_grade(self) -> float:
        """The highest grade."""
        return max(self.grades, default=1.0)

    @property
    def n_adjudicated(self) -> int:
        """How many documents of the list have a grade of the user."""
        known = self.adjudicated or {}
        return sum((document.query_id, document.doc_id) in known for document in self.documents)


def cell_name(row: float, column: float) -> str:
    """Return the name of a cell in the state: ``0>3``."""
    return f"{row:g}>{column:g}"


def build_confusion_view_model(
    sets: Sequence[JudgmentSet],
    two: TwoJudges | None,
    cells: Sequence[str],
    collection: Collection,
    adjudicated: JudgmentSet | None,
    bound: BoundProtocol | None,
) -> ConfusionViewModel:
    """Return the view model; ``cells`` are the names of the chosen cells."""
    if len(sets) < 2:
        return ConfusionViewModel(
            tr("Confusion"), tr("Confusion needs two judgment sets: open another qrels file as another judge.")
        )
    if two is None:
        return ConfusionViewModel(tr("Confusion"), tr("Computing …"))
    table = two.confusion
    if not table.pairs:
        text = tr("{first} and {second} have judged no pair of query and document in common.",
                  first=table.names[0], second=table.names[1])  # fmt: skip
        return ConfusionViewModel(tr("Confusion"), text, table.names)
    from irviewer.views.confusion import Chosen, by_query_tables, tables

    grades = tuple(table.grades.tolist())
    named = {
        cell_name(row, column): (position, other)
        for position, row in enumerate(grades)
        for other, column in enumerate(grades)
    }
    cells_chosen = tuple(named[name] for name in cells if name in named)
    pairs = [(grades[row], grades[column]) for row, column in cells_chosen]
    yours = {} if adjudicated is None else {
        (judgment.query_id, judgment.doc_id): judgment.grade
        for judgment in adjudicated.overlay
        if judgment.grade is not None
    }  # fmt: skip
    chosen = Chosen(
        pairs, two.documents, collection.query_text if collection.has_query_texts else None,
        collection.document_title, yours,
    )  # fmt: skip
    result = tables(table, bound, agreement=two.agreement, leverage=two.leverage, chosen=chosen)
    coefficients, listed = result.table("coefficients"), result.table("documents")
    by_name: dict[Hashable, Disagreement] = {(each.query_id, each.doc_id): each for each in chosen.of(table)}
    documents = tuple(by_name[key] for key in listed.keys)
    by_query = by_query_tables([table], bound).tables[0]
    square = table.two_by_two()
    order = np.argsort(-table.by_query.disagreements, kind="stable")
    names = list(coefficients.keys)
    return ConfusionViewModel(
        title=tr("Confusion"),
        explanation="",
        names=table.names,
        level=table.level,
        grades=grades,
        counts=table.counts,
        shares=table.row_shares,
        cells=cells_chosen,
        coefficients=coefficients,
        statistics=frozen(np.array([names.index(name) for name in SHOWN])),
        note=trn("95 % interval: bootstrap over the {n} query", "95 % interval: bootstrap over the {n} queries",
                 len(two.agreement.panel.query_ids)),
        sentence=table.sentence,
        two_by_two=(square.neither, square.only_second, square.only_first, square.both),
        list_title=_list_title(table.names, pairs, len(documents)),
        list_note=two.trouble or _sorted_by(two.leverage),
        documents=documents,
        listed=listed,
        depth=10 if two.leverage is None else two.leverage.depth,
        by_query=by_query,
        queries=frozen(order),
        texts=tuple(collection.query_text(table.by_query.query_ids[row]) for row in order.tolist()),
        adjudicated=yours,
        kappa=two.agreement.main,
    )  # fmt: skip


def _sorted_by(leverage: Leverage | None) -> str:
    measure = "" if leverage is None else leverage.measure
    text = tr("sorted by the change in {measure} · Enter opens the query", measure=measure)
    if leverage is not None and leverage.condensed:
        return tr("{text} · judged only, by {judge}", text=text, judge=leverage.condensed)
    return text


def _list_title(names: tuple[str, str], cells: Sequence[tuple[float, float]], count: int) -> str:
    documents = trn("{n:,} document", "{n:,} documents", count)
    if len(cells) != 1:
        return (
            tr("Chosen cells: {documents}", documents=documents)
            if cells
            else tr("Different grades: {documents}", documents=documents)
        )
    return tr(
        "{first} {row}, {second} {column}: {documents}",
        first=names[0], row=limit(cells[0][0]), second=names[1], column=limit(cells[0][1]), documents=documents,
    )  # fmt: skip
