"""Values as Z-scores: results compared with the means and deviations of reference runs (trec_eval -Z)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.errors import OptionError
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import ENDLESS, Measure
from irviewer.measures.tool_names import trec_name
from irviewer.model.arrays import Floats
from irviewer.model.zscores import ZScores
from irviewer.translation import tr


def zscores_from_runs(result: ResultTable) -> ZScores:
    """Return the mean and the sample standard deviation (by n - 1) of each query and measure over the runs of an
    evaluation, under trec_eval's names of measures if it has them. Queries with fewer than two values are left out, and
    measures without Z-scores: counts of queries, texts, geometric means.

    Raises OptionError for fewer than two runs, and if no measure is left."""
    if len(result.runs) < 2:
        raise OptionError(tr("a standard deviation needs at least two runs"))
    kept = [measure for measure in result.measures if has_zscore(measure) and measure.aggregate != "geometric"]
    if not kept:
        measures = ", ".join(measure.text for measure in result.measures)
        raise OptionError(tr("Z-scores cannot be computed for {measures}; choose another measure", measures=measures))
    references: dict[tuple[str, str], tuple[float, float]] = {}
    for index, query in enumerate(result.query_ids):
        for measure in kept:
            values = result.of(measure)[1][:, index]
            values = values[~np.isnan(values)]
            if len(values) > 1:
                known = trec_name(measure, result.options.level)
                key = query, known[0] if known else measure.asked or measure.text
                deviation = 0.0 if np.ptp(values) == 0 else float(values.std(ddof=1))
                references[key] = float(values.mean()) if deviation else float(values[0]), deviation
    return ZScores(references)


def has_zscore(measure: Measure) -> bool:
    """Return False for measures shown unchanged among Z-scores: counts of queries and texts."""
    return measure.aggregate != "count" and not measure.is_text


def zscore_values(
    zscores: ZScores, measure: Measure, query_ids: tuple[str, ...], values: Floats, level: float = 1
) -> Floats:
    """Return the Z-scores of values, float64[E]; NaN without a reference, and for a deviation of 0 unless the value is
    the mean, which is 0."""
    return zscores.scored(values, *reference_of(zscores, measure, query_ids, level))


def reference_of(
    zscores: ZScores, measure: Measure, query_ids: tuple[str, ...], level: float = 1
) -> tuple[Floats, Floats]:
    """Return the mean and the deviation of each query, float64[E] both; NaN without a reference."""
    known = trec_name(measure, level)
    names = tuple(dict.fromkeys(name for name in (known[0] if known else "", measure.text, measure.asked) if name))
    pairs = [
        next((zscores.values[query, name] for name in names if (query, name) in zscores.values), (np.nan, np.nan))
        for query in query_ids
    ]
    mean, deviation = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    return mean, deviation


def as_zscores(zscores: ZScores, result: ResultTable) -> ResultTable:
    """Return the table with Z-scores as values; means are over the queries with a Z-score, NaN without any. Measures
    are named Z(nDCG@10). Counts of queries are unchanged; geometric means, which have no values by query, are NaN."""
    values, means = result.values.copy(), result.means.copy()
    measures = []
    for m, measure in enumerate(result.measures):
        family = replace(measure.family, counts=False, span=ENDLESS)
        measures.append(replace(measure, text=f"Z({measure.text})", family=family))
        if not has_zscore(measure):
            continue
        for n in range(len(result.runs)):
            if measure.aggregate == "geometric":
                values[m, n] = np.nan
            else:
                values[m, n] = zscore_values(zscores, measure, result.query_ids, values[m, n], result.options.level)
            known = values[m, n][~np.isnan(values[m, n])]
            means[m, n] = measure.mean(known) if len(known) else np.nan
    values.flags.writeable = False
    means.flags.writeable = False
    return replace(result, measures=tuple(measures), values=values, means=means)


def without_zscores(zscores: ZScores, result: ResultTable) -> tuple[str, ...]:
    """Return the measures without a Z-score for some query; geometric means and texts, which never have one, are left
    out."""
    converted = as_zscores(zscores, result)
    lost = np.isnan(converted.values) & ~np.isnan(result.values)
    never = ("geometric", "none")
    return tuple(
        measure.text for m, measure in enumerate(result.measures) if measure.aggregate not in never and lost[m].any()
    )
