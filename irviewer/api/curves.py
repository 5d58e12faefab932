"""The public function for curves: precision and recall, gain by rank, nDCG by cutoff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Unpack

from irviewer.analysis.statistics.intervals import IntervalMethod
from irviewer.api.protocols import DRAWN, AnyProtocol, bound_to, protocol_of, taking_part, with_files_of
from irviewer.api.sources import AnyQrels, AnyRuns, Sources
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.selected import select_queries
from irviewer.figures.curve_bands import BandOptions
from irviewer.figures.curve_sets import KINDS, CurveSet, curve_set
from irviewer.model.arguments import checked
from irviewer.model.protocol import CurveFields, EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

FEWEST_SAMPLES = 100
"""Bands from fewer samples would be ragged."""


@checked
def curves(
    qrels: AnyQrels,
    runs: AnyRuns,
    kind: str = "pr",
    query: str | None = None,
    *,
    depth: int = 100,
    protocol: AnyProtocol | None = None,
    bands: IntervalMethod | Literal[True] | None = None,
    columns: Mapping[str, str] | None = None,
    **fields: Unpack[CurveFields],
) -> CurveSet:
    """Return the curves of runs for one query, or averaged over all.

    >>> found = curves({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "dcg", depth=2)
    >>> found.to_arrow().column_names
    ['run', 'rank', 'DCG']

    kind     "pr" (interpolated precision by recall), "pr-raw" (one query, every rank), "pr11", "dcg", "cg", "ndcg" (by
             cutoff), "prf" (one query: precision, recall and F)
    depth    the last rank that is drawn
    protocol an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    bands    confidence intervals of the mean at each point of averaged curves: "percentile", "bca", "t", or True: by
             the method of the protocol

    The others as for :func:`irviewer.evaluate`. Returns a CurveSet: ``plot()`` draws it, ``to_pandas()`` has a row per
    point. Raises ParseError, OptionError."""
    if kind not in KINDS:
        names = name_some(list(KINDS))
        raise OptionError(tr("Unknown curve {kind!r}. Use one of {names}.", kind=kind, names=names))
    if depth < 1:
        raise OptionError(tr("The depth is {depth}; it must be 1 or more.", depth=depth))
    asked = protocol_of(protocol, "curves", fields, frozenset(CurveFields.__annotations__), ("runs", "queries"))
    if isinstance(bands, str):
        asked = asked.but(interval=bands)
    sources = Sources(columns)
    judgments, given_runs = sources.both(qrels, runs)
    sources.check()
    asked, all_runs = taking_part(given_runs, asked)
    if not all_runs:
        raise OptionError(tr("Curves need a run."))
    drawn = curves_by(asked, judgments, all_runs, kind, query, depth=depth, bands=bands is not None)
    return with_files_of(drawn, given_runs)


def curves_by(
    asked: EvaluationProtocol, qrels: Qrels, runs: Sequence[Run], kind: str, query: str | None, *, depth: int,
    bands: bool
) -> CurveSet:  # fmt: skip
    """Return the curves of runs under a protocol. Raises OptionError."""
    inference, options = asked.inference, None
    if bands:
        if inference.samples < FEWEST_SAMPLES:
            raise OptionError(tr("Bands need {samples} samples or more.", samples=FEWEST_SAMPLES))
        options = BandOptions(inference.interval, inference.confidence, inference.samples, inference.seed)
    bound = bound_to(asked, qrels, runs, uses=("rules", "scope", *(("interval", *DRAWN) if bands else ())))
    if query is None:
        qrels, runs = select_queries(bound, qrels, runs)
    curve_values = curve_set(kind, qrels, runs, query, depth, asked.rules.level, asked.rules.dialect, options)
    return curve_values.under(bound)
