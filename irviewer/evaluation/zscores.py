"""Values as Z-scores: results compared with the means and deviations of reference runs (trec_eval -Z)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.errors import OptionError
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import trec_name
from irviewer.model.arrays import Floats
from irviewer.model.zscores import ZScores


def zscores_from_runs(result: ResultTable, name: str = "") -> ZScores:
    """The runs of an evaluation as reference: of each query and measure the mean of their values and the standard
    deviation of a sample (by n - 1), under trec_eval's names where it has the measure. A query on which fewer than
    two runs have a value is left out, and so is what has no Z-score: counts of queries, texts, geometric means.

    Raises OptionError for fewer than two runs, and where no measure is left."""
    if len(result.runs) < 2:
        raise OptionError("a deviation takes two runs or more")
    kept = [one for one in result.measures if has_zscore(one) and one.aggregate != "geometric"]
    if not kept:
        raise OptionError(f"no Z-scores are made of {', '.join(one.text for one in result.measures)}")
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for place, query in enumerate(result.query_ids):
        for one in kept:
            values = result.of(one)[1][:, place]
            values = values[~np.isnan(values)]
            if len(values) > 1:
                known = trec_name(one, result.options.level)
                key = query, known[0] if known else one.asked or one.text
                spread = 0.0 if np.ptp(values) == 0 else float(values.std(ddof=1))
                found[key] = float(values.mean()) if spread else float(values[0]), spread
    return ZScores(found, name)


def has_zscore(measure: Measure) -> bool:
    """False for what stays as it is: a count of queries, text."""
    return measure.aggregate != "count" and not measure.is_text


def zscore_values(
    zscores: ZScores, measure: Measure, query_ids: tuple[str, ...], values: Floats, level: float = 1
) -> Floats:
    """float64[E]: the Z-scores of values, NaN where there is none: no such line, or a deviation of 0 from a mean
    that the value is not; the mean itself is 0."""
    return zscores.scored(values, *reference_of(zscores, measure, query_ids, level))


def reference_of(
    zscores: ZScores, measure: Measure, query_ids: tuple[str, ...], level: float = 1
) -> tuple[Floats, Floats]:
    """float64[E], float64[E]: the mean and the deviation of each query, NaN where there is no such line."""
    known = trec_name(measure, level)
    names = tuple(dict.fromkeys(one for one in (known[0] if known else "", measure.text, measure.asked) if one))
    pairs = [
        next((zscores.values[query, name] for name in names if (query, name) in zscores.values), (np.nan, np.nan))
        for query in query_ids
    ]
    mean, deviation = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    return mean, deviation


def as_zscores(zscores: ZScores, result: ResultTable) -> ResultTable:
    """The table with Z-scores for values; means are over the queries that have one, NaN where none has. A measure
    is called Z(nDCG@10) there. Counts of queries stay; a geometric mean, which has no value by query, is NaN."""
    values, means = result.values.copy(), result.means.copy()
    measures = []
    for m, one in enumerate(result.measures):
        measures.append(replace(one, text=f"Z({one.text})", family=replace(one.family, counts=False)))
        if not has_zscore(one):
            continue
        for n in range(len(result.runs)):
            if one.aggregate == "geometric":
                values[m, n] = np.nan
            else:
                values[m, n] = zscore_values(zscores, one, result.query_ids, values[m, n], result.options.level)
            there = values[m, n][~np.isnan(values[m, n])]
            means[m, n] = one.mean(there) if len(there) else np.nan
    values.flags.writeable = False
    means.flags.writeable = False
    return replace(result, measures=tuple(measures), values=values, means=means)


def without_zscores(zscores: ZScores, result: ResultTable) -> tuple[str, ...]:
    """The measures that have no Z-score for some query of a table; geometric means, which never have, left out."""
    converted = as_zscores(zscores, result)
    gone = np.isnan(converted.values) & ~np.isnan(result.values)
    never = ("geometric", "none")
    return tuple(one.text for m, one in enumerate(result.measures) if one.aggregate not in never and gone[m].any())
