"""The view model of two judges grade by grade: the table, its statistics, and the documents of the chosen cells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.number_text import limit
from irviewer.model.workspace import Collection, JudgmentSet
from irviewer.session.view_models.judges.agreement import interval_text, statistic_text
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.agreement.confusion import Confusion, Disagreement
    from irviewer.analysis.agreement.judge_agreement import Estimate, JudgeAgreement
    from irviewer.analysis.agreement.leverage import Leverage

SHOWN = ("same_grade", "kappa_quadratic", "alpha_ordinal", "difference", "same_side", "kappa_level",
         "kappa_level_max", "relevant",
         "nonrelevant", "ac1")  # fmt: skip
"""The statistics of the pair, in the order of the table."""


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


@dataclass(frozen=True)
class StatisticRow:
    """A statistic of two judges in words: its title, value, interval, and what it means here."""

    title: str
    value: str
    interval: str
    meaning: str


@dataclass(frozen=True, eq=False)
class ConfusionViewModel:
    """What the Confusion view shows of two judges.

    counts, shares    int64[K, K] and float64[K, K]: pairs by grade, and per cent of the row
    cells             the chosen cells as (row, column) indices; none means all disagreements
    two_by_two        neither, only the column judge, only the row judge, both relevant
    documents         the documents of the chosen cells, by the size of their change; ``changes`` float64, ``of_run``
                      and ``in_top`` beside them (NaN, "" and -1 without runs)
    query_table       by query: id, text, pairs, share of relevant under both, per cent, kappa, disagreements
    kappa             which kappa that is: quadratic, or at the level of judges with different scales
    """

    title: str
    explanation: str
    names: tuple[str, str] = ("", "")
    level: float = 1.0
    grades: tuple[float, ...] = ()
    counts: Ints | None = None
    shares: Floats | None = None
    cells: tuple[tuple[int, int], ...] = ()
    statistics: tuple[StatisticRow, ...] = ()
    note: str = ""
    sentence: str = ""
    two_by_two: tuple[int, int, int, int] = (0, 0, 0, 0)
    list_title: str = ""
    list_note: str = ""
    documents: tuple[Disagreement, ...] = ()
    texts: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    changes: Floats | None = None
    of_run: tuple[str, ...] = ()
    in_top: Ints | None = None
    runs: int = 0
    depth: int = 10
    measure: str = ""
    query_table: Mapping[str, Sequence[object]] | None = None
    adjudicated: Mapping[tuple[str, str], float] | None = None
    kappa: str = "kappa_quadratic"

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
    grades = tuple(table.grades.tolist())
    named = {
        cell_name(row, column): (position, other)
        for position, row in enumerate(grades)
        for other, column in enumerate(grades)
    }
    chosen = tuple(named[name] for name in cells if name in named)
    pairs = [(grades[row], grades[column]) for row, column in chosen]
    documents, changes, runs, in_top = _documents(two, pairs)
    square = table.two_by_two()
    queries = len(two.agreement.panel.query_ids)
    leverage = two.leverage
    return ConfusionViewModel(
        tr("Confusion"),
        "",
        table.names,
        table.level,
        grades,
        table.counts,
        table.row_shares,
        chosen,
        _statistics(two),
        trn("95 % interval: bootstrap over the {n} query", "95 % interval: bootstrap over the {n} queries", queries),
        table.sentence,
        (square.neither, square.only_second, square.only_first, square.both),
        _list_title(table.names, pairs, len(documents)),
        two.trouble or _sorted_by(leverage),
        documents,
        tuple(collection.query_text(document.query_id) for document in documents),
        tuple(collection.document_title(document.doc_id) or document.doc_id for document in documents),
        changes,
        runs,
        in_top,
        len(collection.system_runs),
        10 if leverage is None else leverage.depth,
        "" if leverage is None else leverage.measure,
        _by_query(two, collection),
        {} if adjudicated is None else {
            (judgment.query_id, judgment.doc_id): judgment.grade
            for judgment in adjudicated.overlay
            if judgment.grade is not None
        },
        two.agreement.main,
    )  # fmt: skip


def _documents(
    two: TwoJudges, cells: Sequence[tuple[float, float]]
) -> tuple[tuple[Disagreement, ...], Floats, tuple[str, ...], Ints]:
    """Return the documents of cells by the size of their change, the changes, whose they are, and in how many tops."""
    if not cells:
        documents, places = two.documents, np.arange(len(two.documents))
    else:
        documents = two.confusion.documents(cells)
        where = {document.row: position for position, document in enumerate(two.documents)}
        places = np.array([where.get(document.row, -1) for document in documents], dtype=np.int64)
    gains = two.leverage
    if gains is None:
        nothing = np.full(len(documents), np.nan)
        return documents, nothing, ("",) * len(documents), np.full(len(documents), -1, dtype=np.int64)
    known = places >= 0
    changes = np.where(known, gains.largest[places] if len(gains.largest) else 0.0, 0.0)
    order = np.argsort(-np.abs(np.nan_to_num(changes)), kind="stable")
    most, in_top = gains.most, gains.in_top
    runs = tuple(gains.runs[int(most[places[row]])] if known[row] and changes[row] else "" for row in order.tolist())
    tops = np.where(known, in_top[places] if len(in_top) else -1, -1)
    return tuple(documents[row] for row in order.tolist()), frozen(changes[order]), runs, frozen(tops[order])


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


def _statistics(two: TwoJudges) -> tuple[StatisticRow, ...]:
    pair = two.agreement.pair(0, 1)
    table, (first, second) = two.confusion, two.confusion.names
    square, pairs, level = table.two_by_two(), table.pairs, limit(table.level)
    same = int(np.trace(table.counts))
    rows = []
    for name in SHOWN:
        estimate = pair[name]
        if table.apart and not COEFFICIENTS[name].at_level:
            text = tr("the scales of {first} and {second} differ", first=first, second=second)
            rows.append(StatisticRow(COEFFICIENTS[name].title, "–", "", text))
            continue
        meaning = COEFFICIENTS[name].meaning
        if name == "same_grade":
            meaning = tr("{same:,} of {pairs:,} pairs have one grade under both", same=same, pairs=pairs)
        elif name == "same_side":
            meaning = tr("{same:,} of {pairs:,} pairs, relevant from grade {level}",
                         same=square.neither + square.both, pairs=pairs, level=level)  # fmt: skip
        elif name == "difference" and estimate.value is not None:
            meaning = _difference(first, second, estimate)
        elif name in ("relevant", "nonrelevant") and estimate.value is not None:
            side = tr("relevant") if name == "relevant" else tr("non-relevant")
            meaning = tr(
                "if one says {side}, the other does in {n} of 100 cases", side=side, n=round(100 * estimate.value)
            )
        title = COEFFICIENTS[name].title
        if name == "kappa_level":
            title = tr("kappa ≥{level}", level=level)
        elif name == "kappa_level_max":
            title = tr("largest kappa ≥{level}", level=level)
        elif name == "ac1":
            title = tr("Gwet's AC1 ≥{level}", level=level)
        unit = " %" if name in ("same_grade", "same_side") else ""
        interval = interval_text(estimate.low, estimate.high, name)
        rows.append(StatisticRow(title, statistic_text(name, estimate.value) + unit, interval, meaning))
    return tuple(rows)


def _difference(first: str, second: str, estimate: Estimate) -> str:
    """Return who gives the higher grades, if the interval of the difference shows it."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or not float(f"{value:.2f}"):
        return tr("{second} − {first}: equally generous", first=first, second=second)
    if low is not None and high is not None and low <= 0 <= high:
        return tr("{second} − {first}: neither is shown to be more generous", first=first, second=second)
    generous = second if value > 0 else first
    return tr("{second} − {first}: {generous} is more generous", first=first, second=second, generous=generous)


def _by_query(two: TwoJudges, collection: Collection) -> dict[str, Sequence[object]]:
    rows = two.confusion.by_query
    order = np.argsort(-rows.disagreements, kind="stable").tolist()
    kappa = rows.values[two.agreement.main]
    return {
        "query": [rows.query_ids[row] for row in order],
        "text": [collection.query_text(rows.query_ids[row]) for row in order],
        "pairs": [int(rows.pairs[row]) for row in order],
        "first": [float(rows.first[row]) for row in order],
        "second": [float(rows.second[row]) for row in order],
        "same": [float(rows.values["same_grade"][row]) for row in order],
        "kappa": [float(kappa[row]) if not math.isnan(kappa[row]) else math.nan for row in order],
        "disagreements": [int(rows.disagreements[row]) for row in order],
    }
