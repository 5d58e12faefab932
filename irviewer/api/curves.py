"""The public function for curves: precision and recall, gain by rank, nDCG by cutoff."""

from __future__ import annotations

from collections.abc import Mapping

from irviewer.analysis.statistics.intervals import LEVEL, IntervalMethod
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.api.sources import AnyQrels, AnyRuns, Sources
from irviewer.errors import OptionError, name_some
from irviewer.figures.curve_bands import BandOptions
from irviewer.figures.curve_sets import KINDS, CurveSet, curve_set
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.translation import tr


def curves(
    qrels: AnyQrels,
    runs: AnyRuns,
    kind: str = "pr",
    query: str | None = None,
    *,
    depth: int = 100,
    level: float = 1,
    dialect: str | Dialect = DEFAULT,
    bands: IntervalMethod | None = None,
    confidence: float = LEVEL,
    samples: int = SAMPLES,
    seed: int = SEED,
    columns: Mapping[str, str] | None = None,
) -> CurveSet:
    """Return the curves of runs for one query, or averaged over all.

    >>> found = curves({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "dcg", depth=2)
    >>> found.to_arrow().column_names
    ['run', 'rank', 'DCG']

    kind     "pr" (interpolated precision by recall), "pr-raw" (one query, every rank), "pr11", "dcg", "cg", "ndcg" (by
             cutoff), "prf" (one query: precision, recall and F)
    depth    the last rank
    bands    confidence intervals of the mean at each point of averaged curves: "percentile", "bca", "t"

    The others as for :func:`irviewer.evaluate`. Returns a CurveSet: ``plot()`` draws it, ``to_pandas()`` has a row per
    point. Raises ParseError, OptionError."""
    if kind not in KINDS:
        names = name_some(list(KINDS))
        raise OptionError(tr("Unknown curve {kind!r}. Use one of {names}.", kind=kind, names=names))
    if depth < 1:
        raise OptionError(tr("The depth is {depth}; it must be 1 or more.", depth=depth))
    sources = Sources(columns)
    judgments, all_runs = sources.both(qrels, runs, rename=True)
    sources.check()
    options = None if bands is None else BandOptions(bands, confidence, samples, seed)
    return curve_set(kind, judgments, all_runs, query, depth, level, dialect, options)
