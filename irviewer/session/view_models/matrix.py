"""The view model of the matrices of all pairs of runs, or of measures; similar ones are adjacent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratio_of, ratios
from irviewer.figures.figure import Figure
from irviewer.figures.matrix import matrix_figure
from irviewer.measures.parser import parse_measures
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.number_text import p_value, quantity, times
from irviewer.model.same import Same
from irviewer.session.comparison.result import Compared
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.default_measures import COMMON, systems_measures
from irviewer.session.evaluation.zscores import called
from irviewer.session.view_models.pair import untestable
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.similarity.measure_agreement import Correlation
    from irviewer.analysis.similarity.similarity import Similarity
    from irviewer.analysis.statistics.comparison import Comparison


@dataclass(frozen=True)
class MatrixKind:
    """A kind of matrix: its name, the text of its button, and what its values are. ``of`` is the kind that it is a
    variant of, ``variant`` the text of its button among these."""

    name: str
    title: str
    meaning: str
    of: str = ""
    variant: str = ""


MATRICES = (
    MatrixKind("difference", tr("Differences"), tr("Difference of the means, row minus column")),
    MatrixKind("p", tr("p-values"), tr("p-values of the differences by the declared test, corrected for all pairs")),
    MatrixKind(
        "rbo", "RBO", tr("Rank-biased overlap: shared documents, weighted towards the top"), variant=tr("extrapolated")
    ),
    MatrixKind(
        "rbo-min",
        tr("RBO, minimum"),
        tr("The lowest possible RBO, whatever follows below the ends of the lists"),
        "rbo",
        tr("minimum"),
    ),
    MatrixKind(
        "rbo-max",
        tr("RBO, maximum"),
        tr("The highest possible RBO, if the lists continued alike"),
        "rbo",
        tr("maximum"),
    ),
    MatrixKind(
        "rbo-residual",
        tr("RBO, residual"),
        tr("How much higher RBO could be if the lists continued alike"),
        "rbo",
        tr("residual"),
    ),
    MatrixKind("overlap", tr("Overlap"), tr("Shared documents among the first ten")),
    MatrixKind("tau", tr("Kendall's τ"), tr("Agreement in the order of the documents that both return")),
    MatrixKind("tau-ap", "τ-AP", tr("Like τ, but disagreement near the top counts more")),
    MatrixKind(
        "measures", tr("Measures"), tr("Agreement of two measures in the order of the runs, Kendall's τ"), variant="τ"
    ),
    MatrixKind(
        "measures-tau-ap",
        tr("Measures, τ-AP"),
        tr("Agreement of two measures, the best runs counting more"),
        "measures",
        "τ-AP",
    ),
    MatrixKind(
        "measures-pearson",
        tr("Measures, r"),
        tr("Pearson's correlation of two measures over the runs"),
        "measures",
        "r",
    ),
)


@dataclass(frozen=True, eq=False)
class MatrixViewModel:
    """One matrix.

    kind, kinds   the kind shown, and all kinds
    keys          the key of the run, or the measure, of each row
    figure        None until it is computed
    explanation   what is missing, or that the matrix is computed
    """

    title: str
    note: str
    kind: str
    kinds: tuple[MatrixKind, ...]
    keys: tuple[int | str, ...]
    figure: Figure | None
    explanation: str = ""


BY: dict[str, tuple[Correlation, str, str]] = {
    "measures": ("kendall", "τ", tr("Kendall's τ of the order of the runs")),
    "measures-tau-ap": ("tau-ap", "τ-AP", tr("τ-AP of the order of the runs, mean of both directions")),
    "measures-pearson": ("pearson", "r", tr("Pearson's r of the means of the runs")),
}
"""Matrices of measures: the correlation, its symbol, and its meaning."""
NOT_LONG = ((8, 28), (24, 20))
"""So many names, at most, of so many characters are written in full on a small screen."""
LIKE = 0.6
"""The least mean similarity of runs in one cluster."""


def build_matrix_view_model(
    context: EvaluationContext, kind: str, pairs: Compared | None, lists: Mapping[str, Similarity | None],
    *, declared: bool = False,
) -> MatrixViewModel:  # fmt: skip
    """Return the view model of a kind of matrix, with similar runs (by rank-biased overlap) adjacent. ``declared``: the
    declared family is all pairs; else tests of all pairs are exploratory."""
    about = next(entry for entry in MATRICES if entry.name == kind)
    if kind in BY:
        return _of_measures(context, kind)
    runs = context.taking_part
    order, groups = _order(context, lists.get("rbo"), len(runs))
    keys = tuple(runs[position].key for position in order.tolist())
    figure: Figure | None = None
    if len(runs) > 1:
        figure = _differences(context, kind, pairs, order, groups) if kind in ("difference", "p") else None
        figure = _similarity(context, kind, lists, order, groups) if kind in lists else figure
    explanation = context.explanation
    if not explanation and figure is None:
        untested = _never_compared(context) if kind in ("difference", "p") else ""
        explanation = tr("A matrix needs two runs.") if len(runs) < 2 else untested or tr("Comparing all pairs …")
    title = trn("{matrix} · {n:,} run", "{matrix} · {n:,} runs", len(runs), matrix=about.title)
    note = "" if figure is None else figure.note
    if note and kind in ("difference", "p") and not declared:
        note = tr("{note} · exploratory: all pairs were not declared", note=note)
    note = note and tr("{note} · double-click a cell to compare two runs", note=note)
    return MatrixViewModel(title, note, kind, MATRICES, keys, figure, explanation)


def _never_compared(context: EvaluationContext) -> str:
    """Return why :meth:`ComparisonService.wanted` compares no pair of runs; "" if it compares them."""
    reason = untestable(context)
    if reason or len(context.decidable) > 1:
        return reason
    if context.unmatched:
        return tr("Fewer than two runs have judged documents: their ids do not match the qrels.")
    return tr("Fewer than two runs have what {measure} reads.", measure=called(context, context.measure))


def _order(context: EvaluationContext, rbo: Similarity | None, n: int) -> tuple[Ints, Ints]:
    """Return (indices, cluster of each) ordered by similarity; the display order until that is computed."""
    if rbo is None or len(rbo.runs) != n:
        return np.arange(n), np.zeros(n, dtype=np.int64)
    tree = rbo.tree
    groups = context.evaluation.shared(("clusters", Same(tree), LIKE), lambda: frozen(tree.groups(LIKE)[tree.order]))
    return np.asarray(tree.order), groups


def _selected(context: EvaluationContext, order: Ints) -> tuple[int, int]:
    keys = [context.taking_part[position].key for position in order.tolist()]
    if context.focus not in keys or context.baseline not in keys:
        return -1, -1
    return keys.index(context.focus), keys.index(context.baseline)


def _named(context: EvaluationContext, order: Ints) -> dict[str, Any]:
    """Return the full names of the runs and the meaning of the clusters."""
    labels = context.taking_part_labels
    return {
        "full_names": [labels[position].whole_name for position in order.tolist()],
        "grouped": tr("boxed: similar runs, mean RBO at least {least}", least=_two_decimals(LIKE)),
    }


def _names(context: EvaluationContext, order: Ints) -> list[str]:
    """Return the names beside the rows: short ones if there are many or long ones."""
    labels = [context.taking_part_labels[position] for position in order.tolist()]
    longest = max((len(label.name) for label in labels), default=0)
    whole = any(len(labels) <= few and longest <= letters for few, letters in NOT_LONG)
    return [label.name if whole else label.short for label in labels]


def _differences(
    context: EvaluationContext, kind: str, pairs: Compared | None, order: Ints, groups: Ints
) -> Figure | None:
    if pairs is None:
        return None

    comparison = pairs.comparison
    # The row of a run without judged documents is empty.
    keys = [entry.key for entry in context.taking_part]
    places = np.array([pairs.keys.index(key) if key in pairs.keys else -1 for key in keys])[order]
    empty = (places[:, None] < 0) | (places[None, :] < 0)

    def squared(matrix: Floats) -> Floats:
        return np.where(empty, np.nan, matrix[np.ix_(places, places)])

    measure, n = called(context, context.measure), _in_common(context, comparison)
    if kind == "difference":
        signed = squared(comparison.matrix("difference"))
        # Better has the colour of better even if the value is lower.
        up = context.measure.higher_is_better
        shown = _shown(comparison, places, empty)
        not_shown = tr("grey: the test does not show it ({test})", test=comparison.decided_by())
        if comparison.geometric:
            return matrix_figure(
                signed, _names(context, order), groups, tr("Ratios of {measure}", measure=measure),
                lambda value: times(ratio_of(value)),
                shading="signed", better_up=up, selected=_selected(context, order),
                note=tr("row ÷ column, geometric mean of {queries}", queries=n),
                quantity=tr("ratio of {measure}", measure=measure), held=ratios, shown=shown, not_shown=not_shown,
                **_named(context, order),
            )  # fmt: skip
        return matrix_figure(
            signed, _names(context, order), groups, tr("Differences in {measure}", measure=measure), quantity,
            shading="signed",
            better_up=up, selected=_selected(context, order),
            note=tr("row − column, mean of {queries}", queries=n)
            if up
            else tr("row − column, mean of {queries}, lower is better", queries=n), quantity=f"Δ {usual_name(measure)}",
            shown=shown, not_shown=not_shown,
            **_named(context, order),
        )  # fmt: skip
    return matrix_figure(
        squared(comparison.matrix("corrected")), _names(context, order), groups,
        tr("p-values of {measure}", measure=measure), p_value,
        shading="p", selected=_selected(context, order), note=f"{comparison.decided_by()}, {n}", quantity="p",
        **_named(context, order),
    )  # fmt: skip


def _in_common(context: EvaluationContext, comparison: Comparison) -> str:
    """Return the number of queries that two runs have in common, as a text: of all pairs the fewest and the most."""
    least, most = int(comparison.n.min(initial=context.n_queries)), int(comparison.n.max(initial=0))
    if least == most == context.n_queries or not len(comparison):
        return context.queries_text
    if least == most:
        return tr("{n:,} of {queries}", n=most, queries=context.queries_text)
    return tr(
        "the queries that both runs have, {least:,} to {most:,} of {queries}",
        least=least, most=most, queries=context.queries_text,
    )  # fmt: skip


def _shown(comparison: Comparison, places: Ints, empty: Bools) -> Bools:
    """Return bool[n, n]: where the declared test shows the difference of a row and a column."""
    pairs = np.zeros((len(comparison.names), len(comparison.names)), dtype=np.bool_)
    pairs[comparison.first, comparison.second] = comparison.shown()
    return np.where(empty, False, (pairs | pairs.T)[np.ix_(places, places)])


def _similarity(
    context: EvaluationContext, kind: str, lists: Mapping[str, Similarity | None], order: Ints, groups: Ints
) -> Figure | None:
    similarity = lists[kind]
    if similarity is None:
        return None
    means = similarity.means[np.ix_(order, order)]
    return matrix_figure(
        means, _names(context, order), groups, similarity.title, _two_decimals, low=similarity.about.low,
        high=similarity.about.high,
        selected=_selected(context, order), note=_of_lists(context, similarity), quantity=similarity.about.title,
        **_named(context, order),
    )  # fmt: skip


def _of_measures(context: EvaluationContext, kind: str) -> MatrixViewModel:
    """Return the matrix of measures: the agreement of their orders of the runs, or the correlation of the means."""
    from irviewer.analysis.similarity.measure_agreement import LEAST_MEASURES, agreement_of_means

    about = next(matrix for matrix in MATRICES if matrix.name == kind)
    by, quantity, meaning = BY[kind]
    runs = context.decidable
    if context.judgments is None or len(runs) < 3:
        explanation = context.explanation or tr("The agreement of measures needs three runs.")
        return MatrixViewModel(about.title, "", kind, MATRICES, (), None, explanation)
    wanted = dict.fromkeys(
        (
            *systems_measures(context.depth, context.measure, stored=context.stored_measures, graded=context.graded),
            *(() if context.stored_measures else parse_measures(COMMON)),
        )
    )
    measures = [measure for measure in wanted if not measure.is_text]
    if len(measures) < LEAST_MEASURES:
        explanation = tr("The agreement of measures needs two measures.")
        return MatrixViewModel(about.title, "", kind, MATRICES, (), None, explanation)
    means = np.array([[context.mean(entry, measure) for entry in runs] for measure in measures])
    agreement = agreement_of_means(measures, means, by)
    texts = tuple(str(measure) for measure in measures)
    figure = matrix_figure(
        agreement.values, texts, np.zeros(len(texts), dtype=np.int64),
        tr("Agreement of measures over {count:,} runs", count=len(runs)),
        _two_decimals, low=-1.0, note=f"{meaning}, {context.queries_text}", quantity=quantity,
    )  # fmt: skip
    title = trn("{matrix} · {n:,} run", "{matrix} · {n:,} runs", len(runs), matrix=about.title)
    note = tr("{note} · double-click a row to select its measure", note=figure.note)
    return MatrixViewModel(title, note, kind, MATRICES, texts, figure)


def _of_lists(context: EvaluationContext, similarity: Similarity) -> str:
    """Return the parameters and the number of queries; if runs lack queries, pairs have fewer."""
    pairs = similarity.compared[~np.eye(len(similarity.runs), dtype=bool)]
    least, most = int(pairs.min()), int(pairs.max())
    parameters = similarity.title.removeprefix(similarity.about.title).removeprefix(", ")
    if least == most == context.n_queries:
        text = tr("{parameters}, mean of {queries}", parameters=parameters, queries=context.queries_text)
    else:
        text = tr(
            "{parameters}, mean of the queries that both runs have, {least:,} to {most:,} of {queries}",
            parameters=parameters, least=least, most=most, queries=context.queries_text,
        )  # fmt: skip
    return f"{text}. {similarity.ties_note}" if similarity.ties_note else text


def _two_decimals(value: float) -> str:
    text = f"{value:.2f}".replace("-", "−")
    return decimal(text if text.startswith("1") else text.replace("0.", ".", 1))
