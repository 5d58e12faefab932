"""The public function of the page of a judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from irviewer.api.protocols import AnyProtocol, protocol_of, with_measure
from irviewer.api.show import FOLLOWED, ShownView, show_as
from irviewer.api.sources import AnyQrels, AnyRuns, Source
from irviewer.api.tuning import RunAttributes
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.protocol import JudgePageFields
from irviewer.model.texts import TextTable
from irviewer.views.judge import VIEW


@checked
def judge(
    qrels: AnyQrels,
    runs: AnyRuns,
    judges: Sequence[AnyQrels],
    measure: str | Measure | None = None,
    *,
    protocol: AnyProtocol | None = None,
    run_attributes: RunAttributes | None = None,
    query_attributes: Source | Sequence[QueryAttribute] | None = None,
    documents: Source | TextTable | None = None,
    parameters: Mapping[str, Any] | None = None,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[JudgePageFields],
) -> ShownView:
    """Return whether a judge can stand for that of the qrels, on these runs and queries, and for what; the numbers of
    ``irviewer judge``.

    judges            judgments of other judges, the first is the one asked about
    documents         texts of documents, for the bias by their length
    run_attributes, query_attributes  as for :func:`irviewer.show`
    parameters        those of the view ``judge``: judge_name, best, scoring, human, sampled, half_width, against,
                      tuned, strength, families, judge_family
    fields            of the protocol, such as ``level=2`` and ``epsilon=0.2``

    Returns a ShownView: ``value`` is a JudgePage. Raises ParseError, MeasureError, OptionError."""
    asked, _ = with_measure(protocol_of(protocol, "judge", fields, FOLLOWED), measure)
    return show_as(
        "judge", VIEW, qrels, runs, fields={}, parameters=parameters or {}, protocol=asked, judges=judges,
        run_attributes=run_attributes, query_attributes=query_attributes, documents=documents, progress=progress,
    )  # fmt: skip
