"""All pairs of runs (or of measures) at once, like beside like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratio_of, ratios
from irviewer.figures.figure import Figure
from irviewer.figures.matrix import matrix_figure
from irviewer.measures.parser import parse_measures
from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import p_value, quantity, times
from irviewer.session.comparison.result import Compared
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.default_measures import COMMON, systems_measures
from irviewer.session.evaluation.zscores import called
from irviewer.session.view_models.pair import untestable

if TYPE_CHECKING:
    from irviewer.analysis.similarity.measure_agreement import Correlation
    from irviewer.analysis.similarity.similarity import Similarity


@dataclass(frozen=True)
class MatrixKind:
    """What a matrix may show: its name, what the strip calls it, and what its numbers are. ``of`` names the kind that
    it is a variant of, ``variant`` is what it is called among those."""

    name: str
    title: str
    meaning: str
    of: str = ""
    variant: str = ""


MATRICES = (
    MatrixKind("difference", "Differences", "difference of the means, row minus column"),
    MatrixKind("p", "p-values", "of the difference, by the test that decides, corrected for all pairs"),
    MatrixKind(
        "rbo", "RBO", "rank-biased overlap: shared documents, the more the nearer the top", variant="extrapolated"
    ),
    MatrixKind(
        "rbo-min", "RBO, least", "the least that RBO can be, whatever stands below the lists' ends", "rbo", "least"
    ),
    MatrixKind(
        "rbo-residual", "RBO, residual", "how much more RBO could be, were what stands below alike", "rbo", "residual"
    ),
    MatrixKind("overlap", "Overlap", "shared documents among the first ten"),
    MatrixKind("tau", "Kendall's τ", "how alike the documents that both return are ordered"),
    MatrixKind("tau-ap", "τ-AP", "as τ, disagreement near the top counting more"),
    MatrixKind("measures", "Measures", "how alike two measures order the runs, Kendall's τ", variant="τ"),
    MatrixKind(
        "measures-tau-ap", "Measures, τ-AP", "how alike they order the runs, the best counting more", "measures", "τ-AP"
    ),
    MatrixKind(
        "measures-pearson", "Measures, r", "Pearson's correlation of two measures over the runs", "measures", "r"
    ),
)


@dataclass(frozen=True, eq=False)
class MatrixViewModel:
    """One matrix.

    kind, kinds   which, and those there are
    keys          what each row is: a run's key, or a measure's text
    figure        None until it is there
    explanation   what is missing, or that it is being made
    """

    title: str
    note: str
    kind: str
    kinds: tuple[MatrixKind, ...]
    keys: tuple[int | str, ...]
    figure: Figure | None
    explanation: str = ""


# Builds the view model of a matrix from a context, its comparison and the likenesses of its runs. Draws nothing.

BY: dict[str, tuple[Correlation, str, str]] = {
    "measures": ("kendall", "τ", "Kendall's τ of the order of the runs"),
    "measures-tau-ap": ("tau-ap", "τ-AP", "τ-AP of the order of the runs, mean of both directions"),
    "measures-pearson": ("pearson", "r", "Pearson's r of the runs' means"),
}
"""Matrices of measures: the correlation, its letter, and what it is of."""
FEW, NOT_LONG = 8, 18
"""So many names of so many letters stand whole below their columns on a small screen."""
LIKE = 0.6
"""Runs whose mean likeness is at least this stand in one cluster."""


def build_matrix_view_model(
    context: EvaluationContext, kind: str, pairs: Compared | None, lists: Mapping[str, Similarity | None]
) -> MatrixViewModel:
    """The view model of the matrix ``kind``, runs in the order of their rank-biased overlap: like beside like."""
    about = next(one for one in MATRICES if one.name == kind)
    if kind in BY:
        return _of_measures(context, kind)
    runs = context.collection.runs
    order, groups = _order(lists.get("rbo"), len(runs))
    keys = tuple(runs[place].key for place in order.tolist())
    figure: Figure | None = None
    if len(runs) > 1:
        figure = _differences(context, kind, pairs, order, groups) if kind in ("difference", "p") else None
        figure = _similarity(context, kind, lists, order, groups) if kind in lists else figure
    explanation = context.explanation
    if not explanation and figure is None:
        untested = untestable(context) if kind in ("difference", "p") else ""
        explanation = "A matrix takes two runs." if len(runs) < 2 else untested or "Comparing all pairs …"
    title = f"{about.title} of {len(runs):,} run{'' if len(runs) == 1 else 's'}"
    note = "" if figure is None else f"{figure.note} · a click compares the two"
    return MatrixViewModel(title, note, kind, MATRICES, keys, figure, explanation)


def _order(rbo: Similarity | None, n: int) -> tuple[Ints, Ints]:
    """(places, cluster of each) in the order of likeness; as they stand until that is known."""
    if rbo is None or len(rbo.runs) != n:
        return np.arange(n), np.zeros(n, dtype=np.int64)
    from irviewer.analysis.similarity.clusters import clusters

    found = clusters(rbo.means)
    return np.asarray(found.order), found.groups(LIKE)[found.order]


def _selected(context: EvaluationContext, order: Ints) -> tuple[int, int]:
    keys = [context.collection.runs[place].key for place in order.tolist()]
    if context.focus not in keys or context.baseline not in keys:
        return -1, -1
    return keys.index(context.focus), keys.index(context.baseline)


def _named(context: EvaluationContext, order: Ints) -> dict[str, Any]:
    """How the runs are called, and what their clusters are."""
    labels = tuple(context.labels.values())
    return {
        "full_names": [labels[place].name for place in order.tolist()],
        "grouped": f"boxed: runs alike, their mean RBO {_two_decimals(LIKE)} or more",
    }


def _names(context: EvaluationContext, order: Ints) -> list[str]:
    """As they stand beside rows: whole where few and not long, else shortened where they begin or end alike."""
    labels = [tuple(context.labels.values())[place] for place in order.tolist()]
    whole = len(labels) <= FEW and all(len(label.name) <= NOT_LONG for label in labels)
    return [label.name if whole else label.short for label in labels]


def _differences(
    context: EvaluationContext, kind: str, pairs: Compared | None, order: Ints, groups: Ints
) -> Figure | None:
    if pairs is None:
        return None

    found = pairs.comparison
    # A run that the qrels know nothing of stands there, empty.
    keys = [entry.key for entry in context.collection.runs]
    places = np.array([pairs.keys.index(key) if key in pairs.keys else -1 for key in keys])[order]
    empty = (places[:, None] < 0) | (places[None, :] < 0)

    def squared(matrix: Floats) -> Floats:
        return np.where(empty, np.nan, matrix[np.ix_(places, places)])

    measure, n = called(context, context.measure), context.queries_text
    if kind == "difference":
        signed = squared(found.matrix("difference"))
        # What is better has the better colour, though it be less; the number stays what it is.
        up = context.measure.higher_is_better
        if found.geometric:
            return matrix_figure(
                signed, _names(context, order), groups, f"Ratios of {measure}", lambda one: times(ratio_of(one)),
                shading="signed", better_up=up, selected=_selected(context, order),
                note=f"row ÷ column, geometric mean of {n}", quantity=f"ratio of {measure}", held=ratios,
                **_named(context, order),
            )  # fmt: skip
        return matrix_figure(
            signed, _names(context, order), groups, f"Differences in {measure}", quantity, shading="signed",
            better_up=up, selected=_selected(context, order),
            note=f"row − column, mean of {n}{'' if up else ', less is better'}", quantity=f"Δ {measure}",
            **_named(context, order),
        )  # fmt: skip
    return matrix_figure(
        squared(found.matrix("corrected")), _names(context, order), groups, f"p-values of {measure}", p_value,
        shading="p", selected=_selected(context, order), note=f"{found.decided_by()}, {n}", quantity="p",
        **_named(context, order),
    )  # fmt: skip


def _similarity(
    context: EvaluationContext, kind: str, lists: Mapping[str, Similarity | None], order: Ints, groups: Ints
) -> Figure | None:
    found = lists[kind]
    if found is None:
        return None
    means = found.means[np.ix_(order, order)]
    return matrix_figure(
        means, _names(context, order), groups, found.title, _two_decimals, low=found.about.low, high=found.about.high,
        selected=_selected(context, order), note=_of_lists(context, found), quantity=found.about.title,
        **_named(context, order),
    )  # fmt: skip


def _of_measures(context: EvaluationContext, kind: str) -> MatrixViewModel:
    """How alike measures order the runs, or how their means go together."""
    from irviewer.analysis.similarity.measure_agreement import agreement_of_means

    about = next(one for one in MATRICES if one.name == kind)
    by, quantity, told = BY[kind]
    runs = context.decidable
    if context.judgments is None or len(runs) < 3:
        explanation = context.explanation or "How alike measures order runs takes three runs."
        return MatrixViewModel(about.title, "", kind, MATRICES, (), None, explanation)
    wanted = dict.fromkeys((*systems_measures(context.depth, context.measure), *parse_measures(COMMON)))
    measures = [one for one in wanted if not one.is_text]
    means = np.array([[context.mean(entry, one) for entry in runs] for one in measures])
    found = agreement_of_means(measures, means, by)
    texts = tuple(str(one) for one in measures)
    figure = matrix_figure(
        found.values, texts, np.zeros(len(texts), dtype=np.int64), f"Agreement of measures over {len(runs):,} runs",
        _two_decimals, low=-1.0, note=f"{told}, {context.queries_text}", quantity=quantity,
    )  # fmt: skip
    title = f"{about.title} over {len(runs):,} runs"
    return MatrixViewModel(title, f"{figure.note} · a click chooses the measure", kind, MATRICES, texts, figure)


def _of_lists(context: EvaluationContext, found: Similarity) -> str:
    """The parameters, and how many queries the means are of: where runs lack some, a pair has fewer."""
    pairs = found.compared[~np.eye(len(found.runs), dtype=bool)]
    least, most = int(pairs.min()), int(pairs.max())
    parameters = found.title.removeprefix(found.about.title).removeprefix(", ")
    if least == most == context.n_queries:
        return f"{parameters}, mean of {context.queries_text}"
    return f"{parameters}, mean of the queries that both have, {least:,} to {most:,} of {context.queries_text}"


def _two_decimals(value: float) -> str:
    text = f"{value:.2f}".replace("-", "−")
    return text if text.startswith("1") else text.replace("0.", ".", 1)
