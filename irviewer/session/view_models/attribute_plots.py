"""The figures of attributes: queries by an attribute and a value, runs by a cost and the measure."""

from __future__ import annotations

import numpy as np

from irviewer.errors import OptionError
from irviewer.figures.attributes import cost_figure, query_attribute_figure
from irviewer.figures.figure import Figure
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called
from irviewer.session.view_models.queries import attribute_column


def build_query_figure(
    context: EvaluationContext, name: str, value: str, query_id: str, brushed: frozenset[str]
) -> Figure | None:
    """Return the queries by an attribute; ``value`` is "delta" or a run's key. None without such an attribute."""
    rows = np.arange(len(context.query_ids))
    if context.within is not None:
        rows = rows[context.within]
    column = attribute_column(context, name, rows)
    if column is None or context.judgments is None:
        return None
    entry = context.collection.run(int(value)) if value.lstrip("-").isdigit() else None
    if entry is not None:
        label = f"{called(context, context.measure)} · {context.labels[entry.key].name}"
        heights, sides = context.values(entry, context.measure)[rows], np.zeros(len(rows))
    else:
        label = f"{context.delta_word} {called(context, context.measure)} · {context.delta_label}"
        heights = context.delta[rows]
        sides = heights if context.measure.higher_is_better else -heights
    ids = tuple(context.query_ids[row] for row in rows.tolist())
    marked = np.fromiter((query in brushed for query in ids), np.bool_, len(ids))
    selected = ids.index(query_id) if query_id in ids else -1
    values = column.texts if column.numbers is None else column.numbers
    return query_attribute_figure(column.title, values, heights, sides, ids, marked, selected, label)


def build_cost_figure(context: EvaluationContext, name: str) -> Figure | None:
    """Return the runs by a numeric attribute and the chosen measure; None where there is none."""
    from irviewer.analysis.tuning.trade_offs import cost_effectiveness

    attribute = next((known for known in context.run_attributes if known.name == name), None)
    if attribute is None or context.judgments is None:
        return None
    entries = context.collection.runs
    means = np.array([context.mean(entry, context.measure) for entry in entries])
    names = [entry.name for entry in entries]
    try:
        trade_off = cost_effectiveness(names, means, attribute, higher_is_better=context.measure.higher_is_better)
    except OptionError:
        return None
    keys = [entry.key for entry in entries]
    selected = keys.index(context.focus) if context.focus in keys else -1
    return cost_figure(trade_off, called(context, context.measure), selected)
