"""The public function for verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Unpack

from irviewer.api.protocols import AnyProtocol, protocol_of, query_sets, with_measure
from irviewer.api.show import FOLLOWED, ShownView, shown_view, tables_of_attributes
from irviewer.api.sources import AnyQrels, AnyRuns, Source, Sources
from irviewer.api.texts import texts_of
from irviewer.formats.data_files import files_read
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.protocol import ComparisonFields
from irviewer.model.texts import TextTable
from irviewer.views.inputs import inputs_of
from irviewer.views.verdict import VIEW


@checked
def verdict(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure | None = None,
    *,
    run: str = "",
    against: str = "",
    judges: Sequence[AnyQrels] = (),
    protocol: AnyProtocol | None = None,
    baseline: str | None = None,
    query_attributes: Source | Sequence[QueryAttribute] | None = None,
    texts: Source | TextTable | None = None,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[ComparisonFields],
) -> ShownView:
    """Answer whether one run is better than another, and what could change the answer.

    >>> qrels = {str(query): {"a": 1} for query in range(12)}
    >>> good = {str(query): {"a": 2.0, "x": 1.0} for query in range(12)}
    >>> bad = {str(query): {"x": 3.0, "y": 2.0, "a": 1.0 + query} for query in range(12)}
    >>> found = verdict(qrels, {"bad": bad, "good": good}, "RR", baseline="bad")
    >>> found.value.verdict.answer.sentence
    'Not known. 12 queries cannot tell good from bad.'

    run, against   names of runs; without ``run`` the best one, which the verdict says, without ``against`` the
                   baseline
    judges         further judgments of the same queries, by other judges
    protocol       an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields,
                   ``smallest`` the smallest difference that matters
    query_attributes, texts   as for :func:`irviewer.show`

    Returns a ShownView: ``value.verdict`` is a Verdict, its tables are
    ``verdict``, ``changes``, ``tried``, ``queries``, ``loss`` and ``next``. Raises ParseError, MeasureError,
    OptionError, UndecidedError."""
    asked = protocol_of(protocol, "verdict", fields, FOLLOWED)
    if baseline is not None:
        asked = asked.but(baseline=baseline)
    asked, _ = with_measure(asked, measure)
    sources = Sources()
    judgments, all_runs = sources.both(qrels, runs)
    others = [sources.qrels(judge) for judge in judges]
    sources.check()
    inputs = inputs_of(
        asked, judgments, all_runs, uses=VIEW.uses, sets=query_sets(asked),
        attributes=tables_of_attributes(None, query_attributes), queries=texts_of(texts, "queries"),
        files=files_read(
            judgments, all_runs, ("qrels", [judge.origin for judge in others]), ("attributes", query_attributes),
            ("queries", texts),
        ),
        judges=others,
    )  # fmt: skip
    return shown_view(VIEW, inputs, VIEW.chosen({"run": run, "against": against}), progress)
