"""The figures of attributes: queries by an attribute and a value, runs by a cost and the measure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.errors import OptionError
from irviewer.figures.attributes import cost_figure, query_attribute_figure
from irviewer.figures.figure import Figure
from irviewer.model.arrays import Floats, frozen
from irviewer.model.attributes.queries import value_text
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called
from irviewer.session.view_models.queries import query_groups
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.keys import data_keys


def build_query_figure(
    context: EvaluationContext, name: str, value: str, query_id: str, brushed: frozenset[str], colour: str = ""
) -> Figure | None:
    """Return the queries by an attribute; ``value`` is "delta" or a run's key, ``colour`` the attribute by whose slices
    points are coloured, "" for better and worse. None without such an attribute."""
    rows = np.arange(len(context.query_ids))
    if context.within is not None:
        rows = rows[context.within]
    attribute = next((known for known in context.query_attributes if known.name == name), None)
    if attribute is None or context.judgments is None:
        return None
    entry = context.collection.run(int(value)) if value.lstrip("-").isdigit() else None
    if entry is not None:
        label = f"{called(context, context.measure)} · {context.labels[entry.key].name}"
        heights, sides = context.values(entry, context.measure)[rows], np.zeros(len(rows))
    else:
        label = f"{context.delta_word} {called(context, context.measure)} · {context.delta_label}"
        heights = context.delta[rows]
        sides = heights if context.measure.higher_is_better else -heights
    ids = context.query_ids if context.within is None else tuple([context.query_ids[row] for row in rows.tolist()])
    marked = np.fromiter(map(brushed.__contains__, ids), np.bool_, len(ids))
    selected = ids.index(query_id) if query_id in ids else -1
    values = (
        frozen(attribute.numbers(ids)) if attribute.kind == "number" else [text or "" for text in attribute.texts(ids)]
    )
    groups = query_groups(context, colour, rows)
    return query_attribute_figure(
        attribute.shown, values, heights, sides, ids, marked, selected, label,
        groups=None if groups is None else groups.codes, group_names=() if groups is None else groups.names,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ParameterGridViewModel:
    """Means of runs by two numeric parameters as a heat map.

    rows, columns   the values of the parameters, as texts
    means           float64[rows, columns]: the best mean of the runs of a cell, NaN without runs
    shades          float64[rows, columns] in 0..1, 1 for the best
    runs            the run with the best mean of each cell, "" for none
    best            (row, column) of the best cell
    """

    title: str
    note: str
    row_title: str
    column_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    means: Floats
    shades: Floats
    runs: tuple[tuple[str, ...], ...]
    best: tuple[int, int]

    def table(self) -> Table:
        """Return a row for each cell with runs: both parameters, the best run, and its mean."""
        places = [(row, place) for row, line in enumerate(self.runs) for place, run in enumerate(line) if run]
        best = (
            column.run("run", tr("run"), [self.runs[row][place] for row, place in places]),
            column.number("mean", tr("mean"), [float(self.means[row, place]) for row, place in places]),
        )
        names = (self.column_title, self.row_title)
        values = ([self.columns[place] for _, place in places], [self.rows[row] for row, _ in places])
        parameters = (
            column.text(key, name, own, names="attribute")
            for key, name, own in zip(data_keys(names, best), names, values, strict=True)
        )
        notes = (Remark("in_sample", self.note),)
        return Table(
            "parameters", self.title, (*parameters, *best), keys=tuple(best[0].values), opens="run", notes=notes
        )


def build_parameter_grid(context: EvaluationContext, first: str, second: str) -> ParameterGridViewModel | None:
    """Return the runs by two numeric attributes; None where no run has both."""
    from irviewer.analysis.tuning.trade_offs import parameter_grid

    by_name = {attribute.name: attribute for attribute in context.run_attributes}
    if first not in by_name or second not in by_name or context.judgments is None:
        return None
    entries = context.taking_part
    names = [entry.name for entry in entries]
    means = np.array([context.mean(entry, context.measure) for entry in entries])
    up = context.measure.higher_is_better
    try:
        grid = parameter_grid(names, means, by_name[second], by_name[first], higher_is_better=up)
    except OptionError:
        return None
    gains = grid.means if up else -grid.means
    low, high = float(np.nanmin(gains)), float(np.nanmax(gains))
    shades = np.nan_to_num((gains - low) / (high - low)) if high > low else np.zeros(gains.shape)
    position = int(np.nanargmax(gains))
    notes = [tr("in-sample: the best cell is chosen on these queries, so its mean is too optimistic")]
    if grid.without:
        notes.append(trn("{n} run without a value", "{n} runs without a value", len(grid.without)))
    return ParameterGridViewModel(
        tr("{measure} by {first} and {second}", measure=called(context, context.measure), first=first, second=second),
        " · ".join(notes),
        second,
        first,
        tuple(value_text(float(value)) for value in grid.row_values.tolist()),
        tuple(value_text(float(value)) for value in grid.column_values.tolist()),
        frozen(grid.means),
        frozen(shades),
        tuple(tuple(names[run] if run >= 0 else "" for run in line) for line in grid.run.tolist()),
        (position // grid.means.shape[1], position % grid.means.shape[1]),
    )


def build_cost_figure(context: EvaluationContext, name: str) -> Figure | None:
    """Return the runs by a numeric attribute and the chosen measure; None where there is none."""
    from irviewer.analysis.tuning.trade_offs import cost_effectiveness

    attribute = next((known for known in context.run_attributes if known.name == name), None)
    if attribute is None or context.judgments is None:
        return None
    entries = context.taking_part
    means = np.array([context.mean(entry, context.measure) for entry in entries])
    names = [entry.name for entry in entries]
    try:
        trade_off = cost_effectiveness(names, means, attribute, higher_is_better=context.measure.higher_is_better)
    except OptionError:
        return None
    keys = [entry.key for entry in entries]
    selected = keys.index(context.focus) if context.focus in keys else -1
    groups = context.run_groups
    return cost_figure(
        trade_off, called(context, context.measure), selected,
        None if groups is None else frozen(np.array([groups.of[run] for run in names], dtype=np.int64)),
        () if groups is None else groups.names,
    )  # fmt: skip
