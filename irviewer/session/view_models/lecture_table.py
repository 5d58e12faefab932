"""The view model of the lecture's table: one or two rankings rank by rank, what is uncovered, formulas, curves, sums.

Nothing that is covered is in any text of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irviewer.evaluation.bound_measure import treat
from irviewer.measures.base import Cutoff, Measure
from irviewer.measures.gains import GainRule
from irviewer.measures.parser import parse_measure
from irviewer.model.dialect_rules import gain_words
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.lecture_table.columns import (
    BINARY,
    COLUMN_OF,
    COLUMNS,
    GRADED,
    TableColumn,
    cell_text,
    formula,
    four_decimals,
    two_decimals,
    worked,
)
from irviewer.session.lecture_table.progress import Cell, LectureTable, WrongGuess
from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.view_models.lesson import level_of
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.evaluation.context import EvaluationContext

MOST_ROWS = 50
"""Longer lists are cut here."""
WITH_GAINS = ("DCG", "nDCG", "IdealDCG")
_ASKED = {"P": "P", "R": "R", "F": "F", "RR": "RR", "CG": "CG", "DCG": "DCG", "nDCG": "DCG", "IdealDCG": "ideal"}
"""Measure -> the column that is asked at first; AP for any other."""
_MEASURED = {"P": "P", "R": "R", "F": "F", "CG": "CG", "DCG": "DCG", "ideal": "IdealDCG", "nDCG": "nDCG"}
"""Column -> the measure that its last value is, with the cutoff there."""


class Point(NamedTuple):
    """A point of a curve: the rank, its place, and whether the document is relevant (or has a gain)."""

    rank: int
    x: float
    y: float
    filled: bool


class FootPart(NamedTuple):
    """A piece of a foot line; a blank is a number that is still covered."""

    text: str
    role: Literal["label", "value", "blank", "result"]


@dataclass(frozen=True, eq=False)
class TableHalf:
    """A ranking of the table: its columns, and how many ranks are shown."""

    run: RunLabel
    query_id: str
    title: str
    ranking: TableRanking
    columns: tuple[TableColumn, ...]
    rows: int

    @property
    def column_ids(self) -> tuple[str, ...]:
        return tuple(column.id for column in self.columns)


@dataclass(frozen=True, eq=False)
class LectureTableViewModel:
    """The table.

    halves      one or two rankings
    table       what is chosen and uncovered
    asked       the columns that are asked
    max_grade   for the colours of grades
    graded      whether grades are more than 0 and 1
    """

    halves: tuple[TableHalf, ...]
    table: LectureTable
    asked: frozenset[str]
    max_grade: float
    graded: bool

    @property
    def rows(self) -> int:
        """The number of rows: of the longer ranking."""
        return max(half.rows for half in self.halves)

    @property
    def row(self) -> int:
        """The current row."""
        return min(self.table.progress.row, self.rows)

    @property
    def cells(self) -> tuple[tuple[int, str], ...]:
        """The columns of both rankings from left to right: (half, column)."""
        return tuple((number, column.id) for number, half in enumerate(self.halves) for column in half.columns)

    def has(self, cell: Cell) -> bool:
        """Return whether there is such a cell."""
        return (
            0 <= cell.half < len(self.halves)
            and 1 <= cell.rank <= self.halves[cell.half].rows
            and cell.column in self.halves[cell.half].column_ids
        )

    def is_open(self, cell: Cell) -> bool:
        """Return whether a cell is uncovered."""
        return self.table.progress.is_open(cell, self.halves[cell.half].column_ids, self.asked)

    @property
    def pending(self) -> tuple[Cell, ...]:
        """The asked cells of the current row that are covered, from left to right."""
        cells = (Cell(half, self.row, column) for half, column in self.cells if column in self.asked)
        return tuple(cell for cell in cells if self.has(cell) and not self.is_open(cell))

    @property
    def at(self) -> Cell | None:
        """The selected cell: the user's, else the first that is asked, else the last of the current row."""
        chosen = self.table.progress.at
        if chosen is not None and self.has(chosen):
            return chosen
        pending = self.pending
        row_cells = [cell for cell in (Cell(half, self.row, column) for half, column in self.cells) if self.has(cell)]
        return pending[0] if pending else row_cells[-1] if row_cells else None

    @property
    def wrong(self) -> WrongGuess | None:
        """The last guess, if it was wrong and is still about this table's numbers."""
        wrong = self.table.progress.wrong
        if wrong is None or not self.has(wrong.cell) or self.is_open(wrong.cell):
            return None
        now = self.halves[wrong.cell.half].ranking.at(wrong.cell.column, wrong.cell.rank)
        return wrong if now == wrong.value else None

    def text(self, cell: Cell) -> tuple[str, str]:
        """Return (fraction, value) of a cell; two empty texts where it is covered."""
        if not self.is_open(cell):
            return "", ""
        return cell_text(self.halves[cell.half].ranking, cell.column, cell.rank)

    def adds_nothing(self, cell: Cell) -> bool:
        """Return whether a sum stays as it is in this row."""
        ranking = self.halves[cell.half].ranking
        if cell.column == "AP":
            return not ranking.is_relevant[cell.rank - 1]
        return cell.column in ("CG", "DCG") and not ranking.gain[cell.rank - 1]

    def formula_column(self, half: int) -> str:
        """Return the column whose formula stands above a ranking: the selected one, else its last sum or value."""
        at = self.at
        if at is not None and at.half == half:
            return at.column
        ids = self.halves[half].column_ids
        wanted = [column for column in ("AP", "nDCG", "DCG", "CG") if column in ids]
        asked = [column for column in ids if column in self.asked]
        return (asked or wanted or list(ids) or [""])[0]

    def formula(self, half: int) -> str:
        """Return the formula above a ranking, as LaTeX; "" without a column."""
        column = self.formula_column(half)
        return formula(self.halves[half].ranking, column) if column else ""

    def worked(self, half: int, *, short: bool = False) -> tuple[str, str]:
        """Return (``K = 11:``, ``5.68 + 8/11 × 1 = ?``), the formula with the numbers of the selected row; unless
        ``short``, it says that a row is the last."""
        column, at = self.formula_column(half), self.at
        if not column or at is None:
            return "", ""
        rank = min(at.rank if at.half == half else self.row, self.halves[half].rows)
        last = rank == self.halves[half].rows and not short
        label = tr("K = {rank}, the last:", rank=rank) if last else tr("K = {rank}:", rank=rank)
        return label, worked(self.halves[half].ranking, column, rank, self.known(half))

    def known(self, half: int) -> Callable[[str, int], bool]:
        """Return whether a number of a ranking is uncovered; numbers without a column are."""

        def known(column: str, rank: int) -> bool:
            cell = Cell(half, rank, column)
            return not self.has(cell) or self.is_open(cell)

        return known

    def note(self, half: int) -> str:
        """Return what is known of a ranking: how many relevant documents there are, whether it has gains."""
        shown = self.halves[half]
        ranking = shown.ranking
        if {"P", "R", "F", "AP", "RR"} & set(shown.column_ids):
            text = trn("{n} relevant document", "{n} relevant documents", ranking.relevant)
            if self.graded:
                text = tr("{documents} from grade {level:g}", documents=text, level=ranking.level)
            full = int(np.searchsorted(ranking.hits, ranking.relevant) + 1)
            if ranking.relevant and full <= self.row and not self.pending:
                text = tr("{documents}, all found by rank {rank}", documents=text, rank=full)
            return text
        return self.gain_rule(half)

    def gain_rule(self, half: int) -> str:
        """Return the rule of the gain and of the ideal ranking, in words."""
        rule = self.halves[half].ranking.rule
        gain = tr("gain by grade") if rule.gains else gain_words(rule.dcg)
        ideal = tr("ideal: all judged") if rule.ideal == "judged" else tr("ideal: retrieved only")
        return f"{gain} · {ideal}"

    # --- the foot ---

    def foot(self, half: int) -> tuple[FootPart, ...]:
        """Return the line below a ranking: AP as sum divided by R, nDCG, or the last value of the column that is asked;
        blanks for what is covered."""
        column = self.foot_column(half)
        if column == "nDCG":
            return self._ndcg_foot(half)
        return self._ap_foot(half) if column == "AP" else self._last_foot(half, column) if column else ()

    def foot_column(self, half: int) -> str:
        """Return the column whose last value, as a measure, is below a ranking; "" for none."""
        ids = self.halves[half].column_ids
        if {"DCG", "ideal"} <= set(ids):
            return "nDCG"
        if "AP" in ids:
            return "AP"
        return next((column for column in ids if column in self.asked and column in _MEASURED), "")

    def foot_value(self, half: int) -> float | None:
        """Return the value of the measure below a ranking; None while it is covered."""
        line, shown, column = self.foot(half), self.halves[half], self.foot_column(half)
        if not any(part.role == "result" for part in line):
            return None
        value = shown.ranking.at(column, shown.rows)
        return value / shown.ranking.relevant if column == "AP" else value

    def _last_foot(self, half: int, column: str) -> tuple[FootPart, ...]:
        shown = self.halves[half]
        label = FootPart(tr("{measure} =", measure=f"{_MEASURED[column]}@{shown.rows}"), "label")
        if self.known(half)(column, shown.rows):
            return label, FootPart(four_decimals(shown.ranking.at(column, shown.rows)), "result")
        return label, FootPart("", "blank"), FootPart(tr("after rank {rank}", rank=shown.rows), "label")

    def _ap_foot(self, half: int) -> tuple[FootPart, ...]:
        shown = self.halves[half]
        ranking, last = shown.ranking, shown.rows
        name = "AP" if last == ranking.n else f"AP@{last}"
        total = self.known(half)("AP", last)
        value = ranking.at("AP", last)
        parts = [
            FootPart(tr("{measure} = sum ÷ R =", measure=name), "label"),
            FootPart(two_decimals(value), "value") if total else FootPart("", "blank"),
            FootPart(f"÷ {ranking.relevant} =", "label"),
        ]
        if total and ranking.relevant:
            parts.append(FootPart(four_decimals(value / ranking.relevant), "result"))
        elif not total:
            parts += [FootPart("", "blank"), FootPart(tr("after rank {rank}", rank=last), "label")]
        return tuple(parts)

    def _ndcg_foot(self, half: int) -> tuple[FootPart, ...]:
        shown = self.halves[half]
        ranking, last = shown.ranking, shown.rows
        known = self.known(half)
        parts = [FootPart(tr("{measure} =", measure=f"nDCG@{last}"), "label")]
        for column, after in (("DCG", "÷"), ("ideal", "=")):
            value = four_decimals(ranking.at(column, last))
            parts.append(FootPart(value, "value") if known(column, last) else FootPart("", "blank"))
            parts.append(FootPart(after, "label"))
        if known("DCG", last) and known("ideal", last) and known("nDCG", last):
            parts.append(FootPart(four_decimals(ranking.at("nDCG", last)), "result"))
        else:
            parts += [FootPart("", "blank"), FootPart(tr("after rank {rank}", rank=last), "label")]
        return tuple(parts)

    # --- the curves ---

    def precision_points(self, half: int) -> tuple[Point, ...]:
        """Return recall and precision at every rank down to the current row where both are known."""
        return self._points(half, ("P", "R"), lambda ranking, rank: (ranking.at("R", rank), ranking.at("P", rank)))

    def gain_points(self, half: int, column: str) -> tuple[Point, ...]:
        """Return rank and DCG (or "CG", "ideal") at every rank down to the current row where it is known."""
        return self._points(half, (column,), lambda ranking, rank: (float(rank), ranking.at(column, rank)))

    def _points(
        self, half: int, needed: tuple[str, ...], place: Callable[[TableRanking, int], tuple[float, float]]
    ) -> tuple[Point, ...]:
        shown = self.halves[half]
        if not set(needed) <= set(shown.column_ids):
            return ()
        precision = "P" in needed
        return tuple(
            Point(
                rank,
                *place(shown.ranking, rank),
                bool((shown.ranking.is_relevant if precision else shown.ranking.gain)[rank - 1]),
            )
            for rank in range(1, min(self.row, shown.rows) + 1)
            if all(self.is_open(Cell(half, rank, column)) for column in needed)
        )

    # --- what was guessed ---

    @property
    def score(self) -> str:
        """How many cells were asked, and how many of them guessed right at once; "" before the first."""
        progress = self.table.progress
        if not progress.asked:
            return ""
        return tr("asked {n} · right at the first try {right}", n=len(progress.asked), right=len(progress.right))

    def words(self, cell: Cell) -> str:
        """Return a cell for a screen reader: ``rank 11, P@K, 8/11 = .73``; whether it is covered, or a wrong guess."""
        title = COLUMN_OF[cell.column].title
        fraction, value = self.text(cell)
        if value:
            said = f"{fraction} = {value}" if fraction else value
        elif self.wrong is not None and self.wrong.cell == cell:
            said = tr("{guess} is wrong", guess=self.wrong.typed)
        elif cell in self.pending:
            said = tr("asked")
        else:
            said = tr("covered")
        return tr("rank {rank}, {column}, {value}", rank=cell.rank, column=title, value=said)


@dataclass(frozen=True, eq=False)
class SpokenLectureTable:
    """The table as texts: a row per rank; document and grade, then the columns, of each ranking."""

    view_model: LectureTableViewModel

    @property
    def headers(self) -> tuple[str, ...]:
        """Document and columns of each ranking."""
        headers: list[str] = []
        for half in self.view_model.halves:
            headers += [tr("{run}, document", run=half.title), *(column.title for column in half.columns)]
        return tuple(headers)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.view_model.rows

    def row_name(self, row: int) -> str:
        """Return the rank."""
        return tr("rank {rank}", rank=row + 1)

    def cell(self, row: int, column: int) -> str:
        """Return document and grade, or a value; "" below the end of a list."""
        for number, half in enumerate(self.view_model.halves):
            if column > len(half.columns):
                column -= len(half.columns) + 1
                continue
            if row >= half.rows:
                return ""
            if column:
                return self.view_model.words(Cell(number, row + 1, half.columns[column - 1].id))
            grade = half.ranking.grade(row + 1)
            said = tr("unjudged") if math.isnan(grade) else tr("grade {grade:g}", grade=grade)
            return tr(
                "rank {rank}, document {document}, {grade}",
                rank=row + 1,
                document=half.ranking.documents[row],
                grade=said,
            )
        return ""

    def column_of(self, cell: Cell) -> int:
        before = sum(len(half.columns) + 1 for half in self.view_model.halves[: cell.half])
        return before + 1 + self.view_model.halves[cell.half].column_ids.index(cell.column)


def build_lecture_table(
    context: EvaluationContext, rankings: tuple[tuple[RunEntry, str], ...], table: LectureTable
) -> LectureTableViewModel | None:
    """Return the table of (run, query) pairs; None without judgments or documents of the first."""
    halves = tuple(
        half
        for number, ((entry, query), title) in enumerate(zip(rankings, _titles(context, rankings), strict=True))
        if (half := _half(context, entry, query, title, table.columns[number], alone=len(rankings) == 1)) is not None
    )
    if not halves or (rankings and halves[0].query_id != rankings[0][1]):
        return None
    asked = table.asked
    if asked is None:
        asked = frozenset(_asked(context.measure, half.column_ids) for half in halves)
    return LectureTableViewModel(halves, table, asked, context.max_grade, context.max_grade > 1)


def table_ranking(context: EvaluationContext, entry: RunEntry, query: str) -> TableRanking | None:
    """Return the numbers of a run's ranking of a query under the setting in force; None without judgments or
    documents."""
    judgments = context.judgments
    if judgments is None or query not in judgments.qrels.query_index:
        return None
    grades = judgments.qrels.judgments(query)
    documents = tuple(entry.run.ranking(query))
    if not documents:
        return None
    return TableRanking(
        documents,
        np.array([grades.get(document, math.nan) for document in documents], dtype=np.float64),
        np.array(list(grades.values()), dtype=np.float64),
        level_of(context, context.measure),
        gain_rule(context),
    )


def _asked(measure: Measure, columns: tuple[str, ...]) -> str:
    """Return the column that is asked at first: that of the measure if it is shown, else a sum, else the first."""
    own = _ASKED.get(measure.name, "AP")
    return next((column for column in (own, "AP", "DCG", "CG", *columns) if column in columns), own)


def _titles(context: EvaluationContext, rankings: tuple[tuple[RunEntry, str], ...]) -> tuple[str, ...]:
    """Return what tells the rankings apart: the names of runs, or the queries of one run."""
    if len({entry.key for entry, _ in rankings}) < len(rankings):
        return tuple(tr("query {query}", query=query) for _, query in rankings)
    return tuple(context.labels[entry.key].name for entry, _ in rankings)


def _half(
    context: EvaluationContext, entry: RunEntry, query: str, title: str, columns: tuple[str, ...], *, alone: bool
) -> TableHalf | None:
    ranking = table_ranking(context, entry, query)
    if ranking is None:
        return None
    wanted = columns or _default_columns(context.measure, alone=alone)
    shown = tuple(column for column in COLUMNS if column.id in wanted)
    return TableHalf(
        context.labels[entry.key], query, title, ranking, shown, min(ranking.n, _last(context.measure), MOST_ROWS)
    )


def _default_columns(measure: Measure, *, alone: bool) -> tuple[str, ...]:
    name = measure.name
    if name in WITH_GAINS:
        return (*GRADED, "nDCG") if alone and name == "nDCG" else GRADED
    own = _ASKED.get(name, "AP")
    return BINARY if own in BINARY else ("P", "R", own)


def _last(measure: Measure) -> int:
    by_rank = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    return int(measure.cutoff) if by_rank and measure.cutoff is not None else MOST_ROWS


def gain_rule(context: EvaluationContext) -> GainRule:
    """Return the rule of gain, discount and ideal ranking in force: of the measure if it has gains, else that of nDCG
    under the rules chosen."""
    options = context.options
    measure = context.measure if context.measure.name in WITH_GAINS else parse_measure("nDCG")
    bound = treat(options.rules, measure, level=options.level, max_grade=context.max_grade).measure
    given = {parameter.name: bound.parameter(parameter.name) for parameter in bound.family.parameters}
    return GainRule(given["dcg"], given["base"], given["gains"], given["rel"], given.get("ideal", "judged"))
