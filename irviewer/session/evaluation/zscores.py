"""A context whose numbers are Z-scores: deviations from the means of reference runs, where a person wants to see those.

Knows contexts and what a file of means says; no view model, no file."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from irviewer.evaluation.zscores import has_zscore, reference_of
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.model.workspace import RunEntry
from irviewer.model.zscores import ZScores
from irviewer.session.evaluation.context import EvaluationContext


class ZScoreContext(EvaluationContext):
    """The same choices; values of queries are Z-scores, and so is what is averaged of them. Counts of queries stay."""

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
        """Over the queries of the set in force that have a Z-score."""
        return self.mean_over(entry, measure, self.within) if has_zscore(measure) else super().mean(entry, measure)

    def mean_over(self, entry: RunEntry, measure: Measure, within: Bools | None) -> float:
        """NaN where no query has a Z-score, of sums of them too."""
        found = super().mean_over(entry, measure, within)
        if not has_zscore(measure):
            return found
        counted = self.counted(entry, measure)
        return found if counted is not None and (counted if within is None else counted & within).any() else np.nan

    def counted(self, entry: RunEntry, measure: Measure) -> Bools | None:
        """The queries that have a Z-score: a query that reference runs say nothing of has none."""
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
        reference, _ = self.evaluation.shared(
            ("means for Z-scores", id(said), id(ids), measure.text, measure.asked, level),
            lambda: (reference_of(said, measure, ids, level), (said, ids)),
        )
        return said.scored(values, *reference)

    @property
    def values_caveat(self) -> str:
        """That these are Z-scores, and of how many there are none."""
        text = f"values are Z-scores: deviations from the means in {self.zscores.name}"
        mean, _ = reference_of(self.zscores, self.measure, self.query_ids, self.options.level)
        lacking = int(np.count_nonzero(np.isnan(mean)))
        if not lacking or not has_zscore(self.measure):
            return text
        if lacking == len(mean):
            return f"{text}, which has none of {self.measure}"
        return f"{text}, which lacks {lacking:,} {'query' if lacking == 1 else 'queries'} of {self.measure}"


def zscored(context: EvaluationContext) -> EvaluationContext:
    """The context with Z-scores for values where the choices want them and there are means; else as it is."""
    if not context.choices.zscores or context.collection.zscores is None or context.judgments is None:
        return context
    return ZScoreContext(**{one.name: getattr(context, one.name) for one in fields(context)})


def plain(context: EvaluationContext) -> EvaluationContext:
    """The context with the values that the measures give, for what explains those."""
    if not isinstance(context, ZScoreContext):
        return context
    return EvaluationContext(**{one.name: getattr(context, one.name) for one in fields(context)})


def told_zscore(context: EvaluationContext, key: int | None, measure: Measure, query: str = "") -> tuple[str, ...]:
    """How the Z-score of a query, or with "" a mean, that tables show follows from what is explained; nothing where
    they show that itself."""
    entry = None if key is None else context.collection.run(key)
    if not isinstance(context, ZScoreContext) or entry is None or not has_zscore(measure):
        return ()
    shown = context.mean(entry, measure) if not query else float("nan")
    if not query:
        said = "none" if np.isnan(shown) else f"{shown:.4f}"
        return (f"Tables show the mean of Z-scores, {said}; explained is that of the values themselves.",)
    place = context.query_index.get(query)
    if place is None:
        return ()
    means, deviations = reference_of(context.zscores, measure, (query,), context.options.level)
    mean, deviation, shown = float(means[0]), float(deviations[0]), float(context.values(entry, measure)[place])
    if np.isnan(shown):
        return (f"Tables show no Z-score: {context.zscores.name} has none for this value.",)
    own = float(plain(context).values(entry, measure)[place])
    return (f"As a Z-score: ({own:.4f} − {mean:.4f}) ÷ {deviation:.4f} = {shown:.4f}.",)


def zscores_of(context: EvaluationContext) -> ZScores | None:
    """What its values are Z-scores by; None where they are none."""
    return context.zscores if isinstance(context, ZScoreContext) else None


def is_zscored(context: EvaluationContext, measure: Measure) -> bool:
    """True where a context's values of a measure are Z-scores."""
    return isinstance(context, ZScoreContext) and has_zscore(measure)


def called(context: EvaluationContext, measure: Measure, text: str = "") -> str:
    """What a measure's values are called in a context: its text, or another name for it; ``Z(…)`` for Z-scores."""
    text = text or str(measure)
    return f"Z({text})" if is_zscored(context, measure) else text
