"""Painted rankings as tables of texts for screen readers: what each row and cell is, in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from irviewer.model.workspace import Regime
from irviewer.rendering.run_label import NEW
from irviewer.session.view_models.query import QueryViewModel, StripRow
from irviewer.translation import tr, trn


class SpokenTable(Protocol):
    """A table of texts: headers of columns, number of rows, the name of a row, and the text of a cell."""

    @property
    def headers(self) -> tuple[str, ...]:
        """The titles of the columns."""
        ...

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        ...

    def row_name(self, row: int) -> str:
        """Return the title of a row."""
        ...

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell, whole without its headers; "" for an empty one."""
        ...


@dataclass(frozen=True, eq=False)
class SpokenLists:
    """The ranked lists side by side: a row per rank, a column per run. ``title_of`` returns a document's title,
    ``fields_of`` those of its fields that are shown."""

    view_model: QueryViewModel
    title_of: Callable[[str], str]
    fields_of: Callable[[str], str] | None = None

    @property
    def headers(self) -> tuple[str, ...]:
        """The runs, with their values."""
        return tuple(
            _run_words(column.run.name, self.view_model.measure, column.value, baseline=column.run.baseline)
            for column in self.view_model.columns
        )

    @property
    def n_rows(self) -> int:
        """The length of the longest list."""
        return max((len(column.doc_ids) for column in self.view_model.columns), default=0)

    def row_name(self, row: int) -> str:
        """Return the rank."""
        return tr("rank {rank}", rank=row + 1)

    def cell(self, row: int, column: int) -> str:
        """Return rank, document, title, fields, grade and movement: ``rank 3, document 12, title, grade 2, up 4
        ranks``."""
        shown = self.view_model.columns[column]
        if row >= len(shown.doc_ids):
            return ""
        doc_id = shown.doc_ids[row]
        change = None if shown.change is None else int(shown.change[row])
        title = self.title_of(doc_id)
        parts = (
            self.row_name(row),
            tr("document {document}", document=doc_id),
            title if title != doc_id else "",
            "" if self.fields_of is None else self.fields_of(doc_id),
            grade_words(float(shown.grades[row]), self.view_model.regime),
            movement_words(change),
        )
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, eq=False)
class SpokenStrips:
    """The strips: a row per run, with its value and the ranks of its relevant documents."""

    view_model: QueryViewModel

    @property
    def headers(self) -> tuple[str, ...]:
        """What the row has, and the selected document in it."""
        return tr("relevant documents by rank"), tr("selected document")

    @property
    def n_rows(self) -> int:
        """The number of runs."""
        return len(self.view_model.strips)

    def row_name(self, row: int) -> str:
        """Return the run with its value."""
        strip = self.view_model.strips[row]
        return _run_words(strip.run.name, self.view_model.measure, strip.value, baseline=strip.run.baseline)

    def cell(self, row: int, column: int) -> str:
        """Return the run, and its relevant documents: ``rank 1: 12, grade 4; rank 3: 7, grade 1``."""
        strip = self.view_model.strips[row]
        if column == 1:
            return self._selected(strip)
        listed = [
            tr("rank {rank}: {document}, grade {grade:g}", rank=rank, document=doc_id, grade=grade)
            for rank, doc_id, grade in zip(strip.ranks.tolist(), strip.doc_ids, strip.grades.tolist(), strict=True)
            if grade > 0
        ]
        words = "; ".join(listed) or tr("no relevant document")
        shown = self.row_name(row) if strip.run.shown else tr("{run}, hidden", run=self.row_name(row))
        return f"{shown}: {words}"

    def _selected(self, strip: StripRow) -> str:
        """Return document, grade and rank of the selected document in a run."""
        document, rank = self.view_model.document, strip.selected_rank
        if document is None:
            return ""
        name = tr("document {document}", document=document)
        if not rank:
            return tr("{document}, not retrieved", document=name)
        grades = dict(zip(strip.ranks.tolist(), strip.grades.tolist(), strict=True))
        words = grade_words(grades.get(rank, math.nan), self.view_model.regime)
        return ", ".join((tr("rank {rank}", rank=rank), name, words))


@dataclass(frozen=True, eq=False)
class SpokenMissed:
    """The relevant documents outside the cutoff: a row per document, its rank in each run."""

    view_model: QueryViewModel

    @property
    def headers(self) -> tuple[str, ...]:
        """The document, and the runs."""
        return (tr("document"), *(column.run.name for column in self.view_model.columns))

    @property
    def n_rows(self) -> int:
        """The number of documents."""
        return len(self.view_model.missed)

    def row_name(self, row: int) -> str:
        """Return document, title and grade."""
        missed = self.view_model.missed[row]
        parts = (
            tr("document {document}", document=missed.doc_id),
            missed.title if missed.title != missed.doc_id else "",
            tr("grade {grade:g}", grade=missed.grade),
        )
        return ", ".join(part for part in parts if part)

    def cell(self, row: int, column: int) -> str:
        """Return the document, or its rank in a run: ``rank 15 in bm25``, ``not in the top 100 of bm25``."""
        if column == 0:
            return self.row_name(row)
        shown, rank = self.view_model.columns[column - 1], self.view_model.missed[row].ranks[column - 1]
        if rank:
            return tr("rank {rank} in {run}", rank=rank, run=shown.run.name)
        return tr("not in the top {depth} of {run}", depth=len(shown.doc_ids), run=shown.run.name)


def grade_words(grade: float, regime: Regime) -> str:
    """Return what a grade means: ``grade 2``, ``judged non-relevant``, ``unjudged``."""
    if math.isnan(grade):
        return tr("not in the qrels: counts as non-relevant") if regime is Regime.COMPLETE else tr("unjudged")
    if grade > 0:
        return tr("grade {grade:g}", grade=grade)
    if grade < 0:
        return tr("unjudged ({grade:g})", grade=grade)
    return tr("judged non-relevant ({grade:g})", grade=grade)


def movement_words(change: int | None) -> str:
    """Return how far a document moved against the baseline; "" for the baseline itself."""
    if change is None:
        return ""
    if change == NEW:
        return tr("not retrieved by the baseline")
    if change == 0:
        return tr("same rank as in the baseline")
    if change > 0:
        return trn("up {n} rank", "up {n} ranks", change)
    return trn("down {n} rank", "down {n} ranks", -change)


def _run_words(name: str, measure: str, value: float, *, baseline: bool) -> str:
    words = name if math.isnan(value) else tr("{run}, {measure} {value:.4f}", run=name, measure=measure, value=value)
    return tr("{run}, baseline", run=words) if baseline else words
