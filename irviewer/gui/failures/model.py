"""The columns of the views of failures: who fails where and how, who found what, what misleads, what to judge next.

Formats and nothing else; knows no widget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.gui.compare.pool_model import PercentColumn
from irviewer.gui.queries.model import remarks_column
from irviewer.gui.query.ledger_model import GradeColumn
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.gui.widgets.painting import SWATCH
from irviewer.model.arrays import Bools, Ints
from irviewer.model.notes import Note
from irviewer.rendering.run_label import RunLabel
from irviewer.session.note_changes import remark_sign, remark_told
from irviewer.session.view_models.failures import FailuresPage, HubsPage, RelevantPage, WorklistPage
from irviewer.session.view_models.lazy_texts import Pairs, Picked

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
    """Rows of a :class:`FailuresPage`; their keys are (query, run) as places."""

    def set_page(self, page: FailuresPage) -> None:
        """Show another page."""
        up, k = page.higher_is_better, page.cutoff
        text = [TextColumn("text", "text", page.texts, "the query's text")] if page.has_texts else []
        unjudged = PercentColumn("unjudged", f"unj@{k}", page.unjudged, f"how much of the top {k} nobody judged")
        open_ = [] if page.complete else [unjudged]
        columns: list[Column] = [
            TextColumn("query", "query", page.query_ids, "the query's id: a click opens it with the run as focus",
                       bold=True, tips=page.texts, link=True),
            *text,
            RunNameColumn("run", "run", Picked(page.runs, page.run), "the run that fails"),
            HowColumn("failures", "how", page.failures, page.tips, "the kinds of failure", page.longest),
            NumberColumn("value", page.measure, page.values, f"{page.measure} of the query", missing="no value",
                         descending_first=not up),
            DeltaColumn("baseline", "Δ ★", page.to_baseline, "against the baseline", better_up=up,
                        missing="no baseline"),
            DeltaColumn("median", "Δ median", page.to_median, "against the median of all open runs", better_up=up,
                        missing="no median"),
            NumberColumn("first", "first", page.first, "the rank of the first relevant document", counts=True,
                         missing="the run returned none"),
            NumberColumn("above", "above", page.above, "non-relevant documents above that", counts=True),
            *open_,
            NumberColumn("relevant", "rel.", page.relevant, "relevant documents in the qrels", counts=True),
            NumberColumn("found", f"in {k}", page.found, f"of them within the top {k}", counts=True),
            NumberColumn("deeper", "below", page.deeper, "of them further down the list", counts=True),
        ]  # fmt: skip
        self.show(tuple(columns), Pairs(page.query, page.run), page.sort)


class ByRunModel(TableModel):
    """How many queries fail in which way, a row a run; the keys of rows are the runs' keys."""

    def set_page(self, page: FailuresPage) -> None:
        """Show another page."""
        columns: list[Column] = [RunNameColumn("run", "run", page.runs, "the shown runs")]
        for place, kind in enumerate(page.kinds):
            tip = f"{kind.title}: {kind.meaning}"
            column = NumberColumn(kind.name, kind.sign, page.by_run[:, place], tip, counts=True)
            column.chosen = kind.on
            columns.append(column)
        self.show(tuple(columns), [label.key for label in page.runs])


class RelevantModel(TableModel):
    """Relevant documents x runs over a :class:`RelevantPage`; the keys of its rows are the documents' ids."""

    def set_page(self, page: RelevantPage) -> None:
        """Show another page."""
        word = "missed" if len(page.runs) <= 8 else "–"
        columns: list[Column] = [
            GradeColumn("grade", "grade", page.grades, page.doc_ids, page.max_grade, "its grade in the qrels"),
            TextColumn("document", "document", page.doc_ids, "the document's id", bold=True, tips=page.titles),
        ]
        columns += _remarks(page.remarks)
        if any(page.titles):
            columns.append(TextColumn("title", "title", page.titles, "the document's title"))
        columns.append(
            NumberColumn("found", "found by", page.found, f"how many of the {len(page.runs):,} runs found it",
                         counts=True, descending_first=False)
        )  # fmt: skip
        best = np.where(page.best > 0, page.best, np.nan)
        columns.append(
            NumberColumn("best", "best rank", best, "its best rank in any run", counts=True,
                         missing="every run missed it", descending_first=False)
        )  # fmt: skip
        for place, label in enumerate(page.runs):
            column = FoundColumn(label, page.ranks[:, place], page.unique[:, place], word)
            column.chosen = label.focus
            columns.append(column)
        self.show(tuple(columns), page.doc_ids, page.sort)


class HubsModel(TableModel):
    """Misleading documents over a :class:`HubsPage`; the keys of its rows are the documents' ids."""

    def set_page(self, page: HubsPage) -> None:
        """Show another page."""
        k = page.cutoff
        titles = [TextColumn("title", "title", page.titles, "the document's title")] if any(page.titles) else []
        open_ = [] if page.complete else [
            NumberColumn("nonrelevant", "non-relevant", page.nonrelevant, "for how many it was judged so", counts=True),
            NumberColumn("unjudged", "unjudged", page.unjudged, "for how many nobody judged it", counts=True),
        ]  # fmt: skip
        columns: list[Column] = [
            TextColumn("document", "document", page.doc_ids, "the document's id", bold=True, tips=page.titles),
            *_judged(page.judged),
            *_remarks(page.remarks),
            *titles,
            NumberColumn("queries", "misleads", page.queries,
                         f"for how many queries it stands in the top {k} of a shown run and is not relevant",
                         counts=True),
            *open_,
            NumberColumn("runs", "runs", page.runs, "how many shown runs are misled", counts=True),
            NumberColumn("best", "best rank", page.best, "its best rank where it misleads", counts=True,
                         descending_first=False),
            NumberColumn("right", "right for", page.right,
                         f"for how many queries it is relevant and stands in the top {k}", counts=True),
            TextColumn("where", "queries", page.queries_text, "the first of them", widest=260),
        ]  # fmt: skip
        self.show(tuple(columns), page.doc_ids, page.sort)


class WorklistModel(TableModel):
    """Unjudged documents over a :class:`WorklistPage`; the keys of its rows are (query, document)."""

    def set_page(self, page: WorklistPage) -> None:
        """Show another page."""
        texts = [TextColumn("text", "text", page.texts, "the query's text")] if any(page.texts) else []
        titles = [TextColumn("title", "title", page.titles, "the document's title")] if any(page.titles) else []
        columns: list[Column] = [
            NumberColumn("place", "", np.arange(1, len(page.doc_ids) + 1), "what to judge first", counts=True),
            TextColumn("query", "query", page.query_ids, "the query's id", bold=True, tips=page.texts),
            *texts,
            TextColumn("document", "document", page.doc_ids, "the document's id", bold=True, tips=page.titles),
            *_judged(page.judged),
            *_remarks(page.remarks),
            *titles,
            DeltaColumn("change", f"Δ {page.measure}", page.change,
                        f"the largest change of a shown run's {page.measure} of the query",
                        better_up=page.higher_is_better),
            RunNameColumn("run", "run", page.run, "the run that it would change the most"),
            NumberColumn("rank", "rank", page.rank, "its rank there", counts=True),
            NumberColumn("runs", "runs", page.n_runs, "how many shown runs have it so high", counts=True),
        ]  # fmt: skip
        self.show(tuple(columns), list(zip(page.query_ids, page.doc_ids, strict=True)))


def _remarks(notes: Sequence[Note]) -> list[Column]:
    """What was written about the documents, where anything was."""
    if not any(notes):
        return []
    return [remarks_column([remark_sign(one) for one in notes], [remark_told(one) for one in notes])]


def _judged(grades: Sequence[str]) -> list[Column]:
    """The grades given in a list while it is in view, where there are any."""
    if not any(grades):
        return []
    return [TextColumn("judged", "judged", grades, "the grade that was given here; – is unjudged", bold=True)]
