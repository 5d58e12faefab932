"""The columns of the views of failures: who fails where and how, who found what, what misleads, what to judge next.

Formats and nothing else; knows no widget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.gui.compare.pool_model import PercentColumn
from irviewer.gui.queries.model import notes_column
from irviewer.gui.query.ledger_model import GradeColumn
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.gui.widgets.painting import SWATCH
from irviewer.model.arrays import Bools, Ints
from irviewer.model.notes import Note
from irviewer.rendering.run_label import RunLabel
from irviewer.session.note_changes import note_sign, note_text
from irviewer.session.view_models.failures import FailuresViewModel, HubsViewModel, RelevantViewModel, WorklistViewModel
from irviewer.session.view_models.lazy_texts import LazyPairs, LazyTexts

WIDEST_NAME = 250
"""Pixels that a run's name takes at most."""


class RunNameColumn(TextColumn):
    """Runs by name, each with its swatch and, for the baseline, the star."""

    beside = SWATCH + 24

    def __init__(self, name: str, title: str, labels: Sequence[RunLabel], tooltip: str) -> None:
        super().__init__(name, title, (), tooltip, widest=WIDEST_NAME)
        self.labels = labels

    def text(self, row: int) -> str:
        return self.labels[row].name

    def value(self, row: int) -> str:
        return self.labels[row].name

    def tip(self, row: int) -> str:
        return label_tooltip(self.labels[row])


class HowColumn(Column):
    """The kinds of failure of each row, by sign and word; ``tips`` say what they mean."""

    gives_way = True

    def __init__(
        self, name: str, title: str, cells: Sequence[str], tips: Sequence[str], tooltip: str, longest: str
    ) -> None:
        super().__init__(name, title, tooltip)
        self.cells = cells
        self.tips = tips
        self.longest = longest

    def text(self, row: int) -> str:
        return self.cells[row]

    def value(self, row: int) -> str:
        return self.cells[row]

    def tip(self, row: int) -> str:
        return self.tips[row]


class FoundColumn(NumberColumn):
    """The ranks (int64[n]) at which a run found documents; 0 is written "missed". ``alone`` bool[n] are those that it
    alone found, marked ◆."""

    def __init__(self, label: RunLabel, ranks: Ints, alone: Bools, word: str) -> None:
        super().__init__(
            str(label.key), label.name, ranks, f"rank in {label_tooltip(label)}; ◆ no other run found it", run=label,
            counts=True, best=alone, descending_first=False,
        )  # fmt: skip
        self.word = word

    def missed(self, row: int) -> bool:
        """True where the run did not find the document of a row."""
        return self.cells.item(row) == 0

    def text(self, row: int) -> str:
        if self.missed(row):
            return self.word
        alone = self.best is not None and bool(self.best.item(row))
        return f"◆ {self.cells.item(row):,}" if alone else f"{self.cells.item(row):,}"

    def value(self, row: int) -> float | None:
        return None if self.missed(row) else int(self.cells.item(row))

    def tip(self, row: int) -> str:
        if self.missed(row):
            return "missed: the run does not return it"
        alone = self.best is not None and bool(self.best.item(row))
        return f"rank {self.cells.item(row):,}" + ("; no other run found it" if alone else "")


class FailuresModel(TableModel):
    """Rows of a :class:`FailuresViewModel`; their keys are (query, run) as places."""

    def set_view_model(self, view_model: FailuresViewModel) -> None:
        """Show another view model."""
        up, k = view_model.higher_is_better, view_model.cutoff
        text = [TextColumn("text", "text", view_model.texts, "the query's text")] if view_model.has_texts else []
        unjudged = PercentColumn("unjudged", f"unj@{k}", view_model.unjudged, f"how much of the top {k} nobody judged")
        open_ = [] if view_model.complete else [unjudged]
        columns: list[Column] = [
            TextColumn("query", "query", view_model.query_ids, "the query's id: a click opens it with the run as focus",
                       bold=True, tips=view_model.texts, link=True),
            *text,
            RunNameColumn("run", "run", LazyTexts(view_model.runs, view_model.run), "the run that fails"),
            HowColumn("failures", "how", view_model.failures, view_model.tips, "the kinds of failure",
                      view_model.longest),
            NumberColumn("value", view_model.measure, view_model.values, f"{view_model.measure} of the query",
                         missing="no value",
                         descending_first=not up),
            DeltaColumn("baseline", "Δ ★", view_model.to_baseline, "against the baseline", better_up=up,
                        missing="no baseline"),
            DeltaColumn("median", "Δ median", view_model.to_median, "against the median of all open runs", better_up=up,
                        missing="no median"),
            NumberColumn("first", "first", view_model.first, "the rank of the first relevant document", counts=True,
                         missing="the run returned none"),
            NumberColumn("above", "above", view_model.above, "non-relevant documents above that", counts=True),
            *open_,
            NumberColumn("relevant", "rel.", view_model.relevant, "relevant documents in the qrels", counts=True),
            NumberColumn("found", f"in {k}", view_model.found, f"of them within the top {k}", counts=True),
            NumberColumn("deeper", "below", view_model.deeper, "of them further down the list", counts=True),
        ]  # fmt: skip
        self.show(tuple(columns), LazyPairs(view_model.query, view_model.run), view_model.sort)


class ByRunModel(TableModel):
    """How many queries fail in which way, a row a run; the keys of rows are the runs' keys."""

    def set_view_model(self, view_model: FailuresViewModel) -> None:
        """Show another view model."""
        columns: list[Column] = [RunNameColumn("run", "run", view_model.runs, "the shown runs")]
        for place, kind in enumerate(view_model.kinds):
            tip = f"{kind.title}: {kind.meaning}"
            column = NumberColumn(kind.name, kind.sign, view_model.by_run[:, place], tip, counts=True)
            column.chosen = kind.on
            columns.append(column)
        self.show(tuple(columns), [label.key for label in view_model.runs])


class RelevantModel(TableModel):
    """Relevant documents x runs over a :class:`RelevantViewModel`; the keys of its rows are the documents' ids."""

    def set_view_model(self, view_model: RelevantViewModel) -> None:
        """Show another view model."""
        word = "missed" if len(view_model.runs) <= 8 else "–"
        columns: list[Column] = [
            GradeColumn(
                "grade", "grade", view_model.grades, view_model.doc_ids, view_model.max_grade, "its grade in the qrels"
            ),
            TextColumn(
                "document", "document", view_model.doc_ids, "the document's id", bold=True, tips=view_model.titles
            ),
        ]
        columns += _remarks(view_model.remarks)
        if any(view_model.titles):
            columns.append(TextColumn("title", "title", view_model.titles, "the document's title"))
        columns.append(
            NumberColumn("found", "found by", view_model.found, f"how many of the {len(view_model.runs):,} runs found "
                                                                "it",
                         counts=True, descending_first=False)
        )  # fmt: skip
        best = np.where(view_model.best > 0, view_model.best, np.nan)
        columns.append(
            NumberColumn("best", "best rank", best, "its best rank in any run", counts=True,
                         missing="every run missed it", descending_first=False)
        )  # fmt: skip
        for place, label in enumerate(view_model.runs):
            column = FoundColumn(label, view_model.ranks[:, place], view_model.unique[:, place], word)
            column.chosen = label.focus
            columns.append(column)
        self.show(tuple(columns), view_model.doc_ids, view_model.sort)


class HubsModel(TableModel):
    """Misleading documents over a :class:`HubsViewModel`; the keys of its rows are the documents' ids."""

    def set_view_model(self, view_model: HubsViewModel) -> None:
        """Show another view model."""
        k = view_model.cutoff
        titles = (
            [TextColumn("title", "title", view_model.titles, "the document's title")] if any(view_model.titles) else []
        )
        open_ = [] if view_model.complete else [
            NumberColumn("nonrelevant", "non-relevant", view_model.nonrelevant, "for how many it was judged so",
                         counts=True),
            NumberColumn("unjudged", "unjudged", view_model.unjudged, "for how many nobody judged it", counts=True),
        ]  # fmt: skip
        columns: list[Column] = [
            TextColumn("document", "document", view_model.doc_ids, "the document's id", bold=True,
                       tips=view_model.titles),
            *_judged(view_model.judged),
            *_remarks(view_model.remarks),
            *titles,
            NumberColumn("queries", "misleads", view_model.queries,
                         f"for how many queries it stands in the top {k} of a shown run and is not relevant",
                         counts=True),
            *open_,
            NumberColumn("runs", "runs", view_model.runs, "how many shown runs are misled", counts=True),
            NumberColumn("best", "best rank", view_model.best, "its best rank where it misleads", counts=True,
                         descending_first=False),
            NumberColumn("right", "right for", view_model.right,
                         f"for how many queries it is relevant and stands in the top {k}", counts=True),
            TextColumn("where", "queries", view_model.queries_text, "the first of them", widest=260),
        ]  # fmt: skip
        self.show(tuple(columns), view_model.doc_ids, view_model.sort)


class WorklistModel(TableModel):
    """Unjudged documents over a :class:`WorklistViewModel`; the keys of its rows are (query, document)."""

    def set_view_model(self, view_model: WorklistViewModel) -> None:
        """Show another view model."""
        texts = [TextColumn("text", "text", view_model.texts, "the query's text")] if any(view_model.texts) else []
        titles = (
            [TextColumn("title", "title", view_model.titles, "the document's title")] if any(view_model.titles) else []
        )
        columns: list[Column] = [
            NumberColumn("place", "", np.arange(1, len(view_model.doc_ids) + 1), "what to judge first", counts=True),
            TextColumn("query", "query", view_model.query_ids, "the query's id", bold=True, tips=view_model.texts),
            *texts,
            TextColumn("document", "document", view_model.doc_ids, "the document's id", bold=True,
                       tips=view_model.titles),
            *_judged(view_model.judged),
            *_remarks(view_model.remarks),
            *titles,
            DeltaColumn("change", f"Δ {view_model.measure}", view_model.change,
                        f"the largest change of a shown run's {view_model.measure} of the query",
                        better_up=view_model.higher_is_better),
            RunNameColumn("run", "run", view_model.run, "the run that it would change the most"),
            NumberColumn("rank", "rank", view_model.rank, "its rank there", counts=True),
            NumberColumn("runs", "runs", view_model.n_runs, "how many shown runs have it so high", counts=True),
        ]  # fmt: skip
        self.show(tuple(columns), list(zip(view_model.query_ids, view_model.doc_ids, strict=True)))


def _remarks(notes: Sequence[Note]) -> list[Column]:
    """What was written about the documents, where anything was."""
    if not any(notes):
        return []
    return [notes_column([note_sign(one) for one in notes], [note_text(one) for one in notes])]


def _judged(grades: Sequence[str]) -> list[Column]:
    """The grades given in a list while it is in view, where there are any."""
    if not any(grades):
        return []
    return [TextColumn("judged", "judged", grades, "the grade that was given here; – is unjudged", bold=True)]
