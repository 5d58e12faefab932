"""The columns of the Queries table: query, text, number of relevant documents, value of every shown run."""

from __future__ import annotations

from irviewer.gui.tables.model import (
    AttributeNumbers,
    Column,
    DeltaColumn,
    NumberColumn,
    TableModel,
    TextColumn,
    label_tooltip,
)
from irviewer.gui.tables.notes_column import notes_column
from irviewer.gui.tables.statistics_columns import RatioColumn
from irviewer.session.view_models.queries import ATTRIBUTE, AttributeColumn, QueriesViewModel, QueryField
from irviewer.translation import tr

WIDEST_ATTRIBUTE = 110
"""The greatest width of a column of categories, in pixels."""


class QueriesModel(TableModel):
    """Queries x shown runs of a :class:`QueriesViewModel`. The keys of the rows are query ids."""

    def set_view_model(self, view_model: QueriesViewModel) -> None:
        """Show a view model."""
        texts = [TextColumn("text", tr("text"), view_model.texts, tr("Text of the query"))]
        columns: list[Column] = [
            TextColumn("query", tr("query"), view_model.query_ids, tr("Query id"), bold=True, tips=view_model.texts),
            *(texts if any(view_model.texts) else []),
            *_remarks(view_model),
            NumberColumn(
                "relevant", tr("relevant"), view_model.relevant, tr("Relevant documents in the qrels"), counts=True
            ),
            *map(_attribute, view_model.attributes),
        ]
        for position, label in enumerate(view_model.runs):
            column = NumberColumn(
                str(label.key),
                label.name,
                view_model.values[:, position],
                tr("{measure} of {run}", measure=view_model.measure, run=label_tooltip(label)),
                run=label,
                heat=view_model.heat[:, position],
                missing=tr(
                    "No value: {run} lacks this query, or {measure} is not defined for it.",
                    run=label.name,
                    measure=view_model.measure,
                ),
                descending_first=view_model.higher_is_better,
            )
            column.chosen = label.focus
            columns.append(column)
        columns.append(
            DeltaColumn(
                "delta",
                tr("ratio") if view_model.ratio else "Δ",
                view_model.delta,
                view_model.delta_note or tr("Difference in {measure}", measure=view_model.measure),
                missing=tr("No difference: baseline and another run must both have a value for this query."),
                better_up=view_model.higher_is_better,
                ratios=view_model.ratio,
            )
        )
        spread = RatioColumn if view_model.ratio else NumberColumn
        columns.append(
            spread(
                "spread",
                tr("spread"),
                view_model.spread,
                tr("Best divided by worst of the shown runs")
                if view_model.ratio
                else tr("Best minus worst of the shown runs"),
                missing=tr("No spread: two shown runs must have a value."),
            )
        )
        if view_model.field is not None:
            columns += _field_columns(view_model, view_model.field)
        self.show(tuple(columns), view_model.query_ids, view_model.sort)


def _field_columns(view_model: QueriesViewModel, field: QueryField) -> list[Column]:
    """Return the columns of statistics over all runs that the user selected."""
    focus = next((label.name for label in view_model.runs if label.focus), tr("the shown run"))
    if view_model.ratio:
        median_tip = tr(
            "{measure} of {run} divided by the median of all {count} runs on the query",
            measure=view_model.measure,
            run=focus,
            count=field.runs,
        )
    else:
        median_tip = tr(
            "{measure} of {run} minus the median of all {count} runs on the query, as TREC prints it",
            measure=view_model.measure,
            run=focus,
            count=field.runs,
        )
    columns: dict[str, Column] = {
        "median": DeltaColumn(
            "median",
            tr("÷ median") if view_model.ratio else tr("Δ median"),
            field.median,
            median_tip,
            missing=tr("No difference: a run has no value for this query."),
            better_up=view_model.higher_is_better,
            ratios=view_model.ratio,
        ),
        "mean": NumberColumn(
            "mean",
            tr("all runs"),
            field.mean,
            tr(
                "Mean of {measure} over all {count} runs: how difficult the query is",
                measure=view_model.measure,
                count=field.runs,
            ),
            missing=tr("No run has a value for this query."),
            descending_first=not view_model.higher_is_better,
        ),
        "agreement": NumberColumn(
            "agreement",
            tr("agreement"),
            field.agreement,
            tr(
                "Kendall's tau between the order of all {count} runs on this query and on the other queries: 1 is the "
                "same order, 0 no relation, below 0 the reverse order. Bold: the query separates the runs (half of "
                "all pairs of runs differ, and tau is above 0).",
                count=field.runs,
            ),
            best=field.discriminates,
            missing=tr("No value: too few runs have a value for this query."),
        ),
    }
    return [columns[name] for name in field.columns]


def _attribute(column: AttributeColumn) -> Column:
    tip = f"{column.title}: {column.meaning}" if column.meaning else column.title
    groups = None if column.groups is None else column.groups.tolist()
    if column.numbers is not None:
        missing = tr("The query has no value of this attribute.")
        numbers = AttributeNumbers(
            f"{ATTRIBUTE}{column.name}", column.title, column.numbers, column.texts, tip, missing
        )
        numbers.groups = groups
        return numbers
    texts = TextColumn(f"{ATTRIBUTE}{column.name}", column.title, column.texts, tip, widest=WIDEST_ATTRIBUTE)
    texts.groups = groups
    return texts


def _remarks(view_model: QueriesViewModel) -> list[Column]:
    """Return the column of notes, if there are any."""
    if not any(view_model.remarks):
        return []
    return [notes_column(view_model.remarks, view_model.note_texts)]
