"""A context whose values are Z-scores: deviations from the means of reference runs.

Knows contexts and the values of a file of means; no view model, no file."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from irviewer.evaluation.zscores import has_zscore, reference_of
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import nuggetizer_name
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.model.same import Same
from irviewer.model.workspace import RunEntry
from irviewer.model.zscores import ZScores
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.translation import tr, trn


class ZScoreContext(EvaluationContext):
    """An evaluation context whose values of queries, and means of them, are Z-scores. Counts of queries stay."""

    @property
    def zscores(self) -> ZScores:
        """The means and deviations of reference runs."""
        assert self.collection.zscores is not None
        return self.collection.zscores

    def values(self, entry: RunEntry, measure: Measure) -> Floats:
        """float64[E]; NaN as well for queries without a mean, and for geometric means, which have no value by query."""
        values, evaluation_input = super().values(entry, measure), self.evaluation_input(entry, measure)
        if evaluation_input is None or not has_zscore(measure):
            return values
        key = ("z-scores", self.zscores, measure.text, measure.asked)
        return self.evaluation.kept(evaluation_input, key, lambda: frozen(self.scored(measure, values)))

    def mean(self, entry: RunEntry, measure: Measure) -> float:
        """Return the mean over the queries of the set in use that have a Z-score."""
        return self.mean_over(entry, measure, self.within) if has_zscore(measure) else super().mean(entry, measure)

    def mean_over(self, entry: RunEntry, measure: Measure, within: Bools | None) -> float:
        """Return the mean over other queries; NaN if none has a Z-score, for sums too."""
        mean = super().mean_over(entry, measure, within)
        if not has_zscore(measure):
            return mean
        counted = self.counted(entry, measure)
        return mean if counted is not None and (counted if within is None else counted & within).any() else np.nan

    def counted(self, entry: RunEntry, measure: Measure) -> Bools | None:
        """Return bool[E]: the queries that have a Z-score; a query without values of reference runs has none."""
        counted = super().counted(entry, measure)
        if counted is None or not has_zscore(measure):
            return counted
        return counted & ~np.isnan(self.values(entry, measure))

    def scored(self, measure: Measure, values: Floats) -> Floats:
        """float64[E]: values of a measure as Z-scores."""
        if not has_zscore(measure):
            return values
        if measure.aggregate == "geometric":
            return np.full(len(values), np.nan)
        said, ids, level = self.zscores, self.query_ids, self.options.level
        reference = self.evaluation.shared(
            ("means for Z-scores", Same(said), Same(ids), measure.text, measure.asked, level),
            lambda: reference_of(said, measure, ids, level),
        )
        return said.scored(values, *reference)

    @property
    def values_caveat(self) -> str:
        """The warning that values are Z-scores, and for how many queries there are none."""
        file = self.zscores.name
        mean, _ = reference_of(self.zscores, self.measure, self.query_ids, self.options.level)
        lacking = int(np.count_nonzero(np.isnan(mean)))
        if not lacking or not has_zscore(self.measure):
            return tr("values are Z-scores with the means of {file}", file=file)
        if lacking == len(mean):
            return tr(
                "values are Z-scores with the means of {file}, which has none for {measure}",
                file=file, measure=self.measure,
            )  # fmt: skip
        return trn(
            "values are Z-scores with the means of {file}, which has none for {measure} of {n:,} query",
            "values are Z-scores with the means of {file}, which has none for {measure} of {n:,} queries",
            lacking, file=file, measure=self.measure,
        )  # fmt: skip


def zscored(context: EvaluationContext) -> EvaluationContext:
    """Return the context with Z-scores as values if these are chosen and means are open; else the same context."""
    if not context.choices.zscores or context.collection.zscores is None or context.judgments is None:
        return context
    return ZScoreContext(**{field.name: getattr(context, field.name) for field in fields(context)})


def plain(context: EvaluationContext) -> EvaluationContext:
    """Return the context with plain values, for explanations."""
    if not isinstance(context, ZScoreContext):
        return context
    return EvaluationContext(**{field.name: getattr(context, field.name) for field in fields(context)})


def told_zscore(context: EvaluationContext, key: int | None, measure: Measure, query: str = "") -> tuple[str, ...]:
    """Return a sentence that relates the Z-score of a query (or with "" the mean) in tables to the explained value;
    nothing if tables show plain values."""
    entry = None if key is None else context.collection.run(key)
    if not isinstance(context, ZScoreContext) or entry is None or not has_zscore(measure):
        return ()
    shown = context.mean(entry, measure) if not query else float("nan")
    if not query:
        if np.isnan(shown):
            return (
                tr("Tables show the mean of Z-scores, which has no value here. This explains the mean of the values."),
            )
        return (
            tr("Tables show the mean of Z-scores, {value:.4f}. This explains the mean of the values.", value=shown),
        )
    position = context.query_index.get(query)
    if position is None:
        return ()
    means, deviations = reference_of(context.zscores, measure, (query,), context.options.level)
    mean, deviation, shown = float(means[0]), float(deviations[0]), float(context.values(entry, measure)[position])
    if np.isnan(shown):
        return (tr("Tables show no Z-score: {file} has none for this value.", file=context.zscores.name),)
    own = float(plain(context).values(entry, measure)[position])
    return (
        tr(
            "As a Z-score: ({value:.4f} − {mean:.4f}) ÷ {deviation:.4f} = {zscore:.4f}.",
            value=own, mean=mean, deviation=deviation, zscore=shown,
        ),
    )  # fmt: skip


def zscores_of(context: EvaluationContext) -> ZScores | None:
    """Return the means of a context's Z-scores; None if its values are plain."""
    return context.zscores if isinstance(context, ZScoreContext) else None


def is_zscored(context: EvaluationContext, measure: Measure) -> bool:
    """Return True if a context's values of a measure are Z-scores."""
    return isinstance(context, ZScoreContext) and has_zscore(measure)


def called(context: EvaluationContext, measure: Measure, text: str = "") -> str:
    """Return the name of a measure's values in a context: that of TREC RAG's papers for its own text, where they have
    one, or another name for it, ``text``; ``Z(…)`` for Z-scores."""
    if text in ("", str(measure)):
        text = nuggetizer_name(measure) or str(measure)
    return f"Z({text})" if is_zscored(context, measure) else text


def in_files(context: EvaluationContext, measure: Measure) -> str:
    """Return the name of a measure's values in a context as every door writes it: as it is computed, with the level."""
    text = str(context.treated(measure))
    return f"Z({text})" if is_zscored(context, measure) else text
