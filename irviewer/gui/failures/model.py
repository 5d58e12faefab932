"""The columns of the failure analysis: failures, relevant documents by runs, misleading documents, worklist."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from irviewer.gui.failures.cells import KindsColumn
from irviewer.gui.tables.model import Column
from irviewer.gui.tables.notes_column import notes_column
from irviewer.gui.tables.result_columns import ColumnLayout, result_columns
from irviewer.model.notes import Note
from irviewer.rendering.run_label import RunLabel
from irviewer.session.notes.changes import note_sign, note_text
from irviewer.session.view_models.failures import (
    FailuresViewModel,
    HubsViewModel,
    RelevantViewModel,
    WorklistViewModel,
    relevant_table_of,
)
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import tr

WIDEST = 280
WIDEST_RUN = 250
"""The greatest natural widths of ids and titles, and of names of runs, in pixels."""
REMARKS = "remarks"
"""The column of the user's notes, which no table has."""
LAYOUTS = {
    "query": ColumnLayout(widest=WIDEST),
    "document": ColumnLayout(widest=WIDEST, once=True),
    "title": ColumnLayout(widest=WIDEST),
    "run": ColumnLayout(widest=WIDEST_RUN),
}


KINDS = {"kinds": ColumnLayout(name="failures", made=KindsColumn)}


def failures_columns(view_model: FailuresViewModel) -> tuple[Column, ...]:
    """Return the columns of failures: those of their table, with the texts of the queries."""
    own = [column.text("text", tr("text"), view_model.texts, tip=tr("Text of the query"))]
    # How many relevant documents there are has a column.
    as_shown: dict[str, dict[str, Any]] = {
        "kinds": {"texts": view_model.failures}, "found": {"of": ""}, "found_below": {"of": ""},
    }  # fmt: skip
    columns = [each.told(**as_shown.get(each.key, {})) for each in view_model.table.columns]
    order = ("query", *(("text",) if view_model.has_texts else ()), "run", "kinds", "value", "to_baseline", "to_median",
             "first_relevant", "non_relevant_above", *(() if view_model.complete else ("unjudged_on_top",)),
             "relevant", "found", "found_below")  # fmt: skip
    layouts = {
        "value": ColumnLayout(least=view_model.higher_is_better), "to_baseline": ColumnLayout(name="baseline"),
        "to_median": ColumnLayout(name="median"), "first_relevant": ColumnLayout(name="first", least=False),
        "non_relevant_above": ColumnLayout(name="above"), "unjudged_on_top": ColumnLayout(name="unjudged"),
        "found_below": ColumnLayout(name="deeper"), **KINDS,
    }  # fmt: skip
    labels = {label.whole_name or label.name: label for label in view_model.runs}
    tips = {"query": view_model.texts, "kinds": view_model.tips}
    table = replace(view_model.table, columns=tuple(columns))
    shown = _columns(table, own, order, labels, tips=tips, remarks=(), layouts=layouts)
    for each in shown:
        each.longest = view_model.longest if isinstance(each, KindsColumn) else each.longest
    return shown


def by_run_columns(view_model: FailuresViewModel) -> tuple[Column, ...]:
    """Return the columns of the number of queries with each kind of failure, one row per run."""
    labels = {label.whole_name or label.name: label for label in view_model.runs}
    table = Table("by_run", tr("By run"), (
        column.run("run", tr("run"), list(labels), tip=tr("The shown runs")),
        *(column.count(kind.name, kind.sign, view_model.by_run[:, place], tip=f"{kind.title}: {kind.meaning}")
          for place, kind in enumerate(view_model.kinds)),
    ))  # fmt: skip
    layouts = {kind.name: ColumnLayout(chosen=kind.on) for kind in view_model.kinds}
    keys = [each.key for each in table.columns]
    return _columns(table, (), keys, labels, tips={}, remarks=(), layouts=layouts)


def relevant_columns(view_model: RelevantViewModel) -> tuple[Column, ...]:
    """Return the columns of the relevant documents of a query: those of their table, with the user's notes."""
    table = relevant_table_of(view_model)
    word = tr("missed") if len(view_model.runs) <= 8 else None
    ranks = [each for each in table.columns if each.names == "run"]
    labels = {each.key: label for each, label in zip(ranks, view_model.runs, strict=True)}
    missed = np.isnan([each.numbers[""] for each in ranks])
    with_words = {each.key: each.told(texts=[word if miss else None for miss in missed[place].tolist()])
            for place, each in enumerate(ranks)}  # fmt: skip
    table = replace(table, columns=tuple(with_words.get(each.key, each) for each in table.columns))
    layouts = {key: ColumnLayout(name=str(label.key), chosen=label.focus) for key, label in labels.items()}
    layouts |= {"found": ColumnLayout(least=True), "best_rank": ColumnLayout(name="best")}
    merit = {key: place for place, key in enumerate(view_model.by_merit)}

    def first(key: str) -> tuple[bool, int]:  # of many runs most are out of sight
        return (False, 0) if labels[key].shown else (True, merit[labels[key].key])

    shown_first = sorted(labels, key=first)
    order = ("grade", "document", REMARKS, "title", "found", "best_rank", *shown_first)
    return _columns(table, (), order, labels, tips={"document": view_model.titles}, remarks=view_model.remarks,
                    layouts=layouts, max_grade=view_model.max_grade)  # fmt: skip


def hubs_columns(view_model: HubsViewModel) -> tuple[Column, ...]:
    """Return the columns of misleading documents: those of their table, with what only the window has."""
    judged = () if view_model.complete else ("non_relevant", "unjudged")
    order = ("document", "judged", REMARKS, "title", "queries", *judged, "runs", "best_rank", "relevant_for",
             "for_queries")  # fmt: skip
    layouts = {
        "non_relevant": ColumnLayout(name="nonrelevant"), "best_rank": ColumnLayout(name="best"),
        "relevant_for": ColumnLayout(name="right"), "for_queries": ColumnLayout(name="where", widest=260),
    }  # fmt: skip
    own = _told(view_model.judged, view_model.titles)
    return _columns(view_model.table, own, order, {}, tips={"document": view_model.titles},
                    remarks=view_model.remarks, layouts=layouts)  # fmt: skip


def worklist_columns(view_model: WorklistViewModel) -> tuple[Column, ...]:
    """Return the columns of the worklist: those of its table, with what only the window has."""
    table = view_model.table
    own = [column.rank("place", "", np.arange(1, table.n_rows + 1), tip=tr("Place in the worklist"))]
    if any(view_model.texts):
        own.append(column.text("text", tr("text"), view_model.texts, tip=tr("Text of the query")))
    own += _told(view_model.judged, view_model.titles)
    tips = {"query": view_model.texts, "document": view_model.titles}
    order = ("place", "query", "text", "document", "judged", REMARKS, "title", "change", "run", "rank", "runs")
    labels = {label.whole_name or label.name: label for label in view_model.run}
    return _columns(table, own, order, labels, tips=tips, remarks=view_model.remarks)


def _columns(
    table: Table,
    own: Sequence[column.Column],
    order: Sequence[str],
    labels: Mapping[str, RunLabel],
    *,
    tips: Mapping[str, Sequence[str]],
    remarks: Sequence[Note],
    layouts: Mapping[str, ColumnLayout] = MappingProxyType({}),
    max_grade: float = math.nan,
) -> tuple[Column, ...]:
    """Return the columns of a table and the window's own ones in an order of keys; keys of columns that are not there
    are left out. ``tips`` are texts by key, which the tips of ids say; ``remarks`` are notes on documents."""
    with_tips = [replace(each, tips=tips[each.key].__getitem__) if each.key in tips else each for each in table.columns]
    whole = replace(table, columns=(*with_tips, *own))
    present = {each.key for each in whole.columns}
    keys = [key for key in order if key in present]
    rows = np.arange(table.n_rows, dtype=np.int64)
    columns = result_columns(
        whole, rows, labels, keys=keys, layouts={**LAYOUTS, **layouts}, max_grade=max_grade
    )  # fmt: skip
    by_key = {each.values.key: each for each in columns}
    shown: dict[str, Column] = {**by_key, **dict(zip((REMARKS,), _remarks(remarks), strict=False))}
    return tuple(shown[key] for key in order if key in shown)


def _told(judged: Sequence[str], titles: Sequence[str]) -> list[column.Column]:
    """Return the columns of grades given since a list was made, and of the titles of documents, if there are any."""
    tip = tr("The grade that you gave; – is unjudged")
    columns = [column.text("judged", tr("judged"), judged, tip=tip)] if any(judged) else []
    if any(titles):
        columns.append(column.text("title", tr("title"), titles, tip=tr("Title of the document")))
    return columns


def _remarks(notes: Sequence[Note]) -> list[Column]:
    """Return the column of notes on documents, if there are any."""
    if not any(notes):
        return []
    return [notes_column([note_sign(note) for note in notes], [note_text(note) for note in notes])]
