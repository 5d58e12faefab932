"""The columns of the Systems table: run, measures, difference to the baseline, statistics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from irviewer.gui.systems.replicates import DeclaredSystems, FoldedRows, folded_rows
from irviewer.gui.tables.model import Column, TableModel
from irviewer.gui.tables.result_columns import INDENT, ColumnLayout, ResultColumn, result_columns
from irviewer.session.view_models.late_texts import LateTexts
from irviewer.session.view_models.systems import ATTRIBUTE, SystemsStatistics, SystemsViewModel
from irviewer.session.view_models.systems_table import systems_table_of
from irviewer.translation import decimal

WIDEST_ATTRIBUTE = 120
"""The greatest natural width of categories, in pixels."""
CHANGES = ("difference", "ratio")
OF_TESTS = ("interval", "ratio_interval", "p_corrected", "outcomes", "group", "first")
"""The columns of what the tests show."""
NAMES = {"difference": "delta", "ratio": "delta", "ratio_interval": "interval", "p_corrected": "p",
         "weighted_mean": "weighted"}  # fmt: skip
"""How the session calls columns that files have under other keys."""
MOVES = frozenset({"rank", "reached", "weighted_mean", "judged", *OF_TESTS})
"""The columns that the user may hide beside measures."""


def awaited(statistics: SystemsStatistics | None, former: SystemsStatistics, size: int) -> SystemsStatistics:
    """Return the statistics of ``size`` runs, with empty cells for what the former ones had and is still computed."""
    nothing, silent = np.full(size, np.nan), ("",) * size
    if statistics is None:
        statistics = replace(
            former, low=nothing, high=nothing, p=nothing, shown=np.zeros(size, np.bool_), outcomes=silent,
            conclusions=LateTexts(size, lambda _: ""), mean_low=nothing, mean_high=nothing, letters=None, first=None,
            looked_at=(), warnings=(),
        )  # fmt: skip
    letters = silent if statistics.letters is None and former.letters is not None else statistics.letters
    first = nothing if statistics.first is None and former.first is not None else statistics.first
    return replace(statistics, letters=letters, first=first)


class ShownSystems:
    """Gives a model runs x measures of a :class:`SystemsViewModel`. The keys of rows are those of the runs; headings of
    systems of several runs (``declared``) have keys below 0, and those in ``unfolded`` have their runs below them."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._statistics: SystemsStatistics | None = None
        self.declared = DeclaredSystems()
        self.unfolded: frozenset[str] = frozenset()
        self.folded = FoldedRows(np.zeros(0, dtype=np.int64))
        self._longest: dict[str, str] = {}

    def show(self, view_model: SystemsViewModel) -> None:
        """Show a view model. Columns whose values are still computed stay, and say so, so that columns do not come and
        go with every edit."""
        former, pending = self._statistics, frozenset[str]()
        if view_model.pending and former is not None:
            known = view_model.statistics
            pending = frozenset(OF_TESTS) if known is None else frozenset(
                name for name in ("group", "first") if getattr(known, STATISTIC.get(name, name)) is None
            )  # fmt: skip
            view_model = replace(view_model, statistics=awaited(known, former, len(view_model.runs)))
        self._statistics = view_model.statistics
        if view_model.pending and not self._model.awaiting:
            rows = range(self._model.rowCount())
            self._longest = {
                each.id: _longest_of(each, rows)
                for each in self._model.columns
                if isinstance(each, ResultColumn) and each.values.key in OF_TESTS
            }
        self.folded = folded_rows(view_model.runs, self.declared, self.unfolded)
        columns = systems_columns(view_model, pending, self.folded)
        if view_model.pending:  # what is still computed is as wide as before
            for each in columns:
                each.longest = self._longest.get(each.id, each.longest)
        self._model.awaiting = view_model.pending
        keys = [view_model.runs[place].key if place >= 0 else place for place in self.folded.rows.tolist()]
        self._model.show(tuple(columns), keys, view_model.sort)


def _longest_of(column: Column, rows: range) -> str:
    return "" if column.drawn else max((column.text(row) for row in rows), key=len, default="")


STATISTIC = {"group": "letters"}
"""The field of the statistics of a column."""


def systems_columns(
    view_model: SystemsViewModel, pending: frozenset[str] = frozenset(), folded: FoldedRows | None = None
) -> list[ResultColumn]:
    """Return the columns of a view model in their order, without those that are hidden; of all runs, or of the rows of
    ``folded``."""
    table = systems_table_of(view_model, pending)
    names = dict(NAMES)
    layouts = {"run": ColumnLayout(ticks=True), "rank": ColumnLayout(right=True, whole=True)}
    layouts |= {key: ColumnLayout(right=True, whole=True) for key in ("outcomes", "group")}
    means: list[str] = []
    measures = [each for each in table.columns if each.names == "measure"]
    for entry, column in zip(view_model.columns, measures, strict=True):
        whisker = "mean_interval" if entry.chosen and view_model.statistics is not None else ""
        layouts[column.key] = ColumnLayout(chosen=entry.chosen, whisker=whisker)
        names[column.key] = entry.measure
        means += [column.key, *(("reached", "weighted_mean") if entry.chosen else ())]
    own = [each for each in table.columns if each.names == "attribute"]
    for attribute, column in zip(view_model.attributes, own, strict=True):
        wide = 0 if attribute.numbers is not None else WIDEST_ATTRIBUTE
        layouts[column.key] = ColumnLayout(widest=wide, least=True)
        names[column.key] = f"{ATTRIBUTE}{attribute.name}"
    scale = 0.0 if view_model.statistics is None else view_model.statistics.scale
    if scale > 0:  # with one query or no difference there is no axis
        layouts |= {key: ColumnLayout(ends=(-scale, scale)) for key in ("interval", "ratio_interval")}
    present = {each.key for each in table.columns}
    order = ["rank", "run", *(each.key for each in own), *means, "judged", *CHANGES,
             *(OF_TESTS if view_model.statistics is not None else ())]  # fmt: skip
    hidden = {key for key in MOVES if names.get(key, key) in view_model.hidden}
    keys = [key for key in order if key in present and key not in hidden]
    labels = {label.whole_name or label.name: label for label in view_model.runs}
    rows, headings = (np.arange(table.n_rows, dtype=np.int64), ()) if folded is None else (folded.rows, folded.headings)
    columns = list(result_columns(table, rows, labels, keys=keys, layouts=layouts, headings=headings, axes=False))
    for each in columns:
        each.id = names.get(each.id, each.id)
        if each.ticks and folded is not None and folded.below:
            each.indented, each.beside = folded.below, each.beside + INDENT
        if each.values.names == "measure":
            each.heat = view_model.heat[:, measures.index(each.values)]
        if each.drawn and scale > 0:
            each.titles = (f"{each.title}{_ends(scale, ratio=view_model.ratio)}", each.title)
            each.title = each.titles[0]
    return columns


def _ends(scale: float, *, ratio: bool) -> str:
    """Return the ends of the axis of intervals, for its title."""
    end = decimal(f"{math.exp(scale):g}" if ratio else f"{scale:g}".removeprefix("0"))
    return f" (÷{end} … ×{end})" if ratio else f" (−{end} … +{end})"
