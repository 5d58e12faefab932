"""The public function of reuse: runs without their own contribution to the pool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

from irviewer.analysis.pooling.reuse import Judgments
from irviewer.api.protocols import AnyProtocol, protocol_of, with_measures
from irviewer.api.show import FOLLOWED, ShownView, show_as
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, listed_measures
from irviewer.api.tuning import RunAttributes
from irviewer.model.arguments import checked
from irviewer.model.protocol import EvaluationFields
from irviewer.views.reuse import VIEW


@checked
def reuse(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    *,
    pool_depth: int = 10,
    families: str = "",
    prefix: str = "",
    judgments: Judgments = "all",
    every_run: bool = False,
    run_attributes: RunAttributes | None = None,
    protocol: AnyProtocol | None = None,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[EvaluationFields],
) -> ShownView:
    """Return where runs would have been placed, had each, or its family, not contributed to the pool; the numbers of
    ``irviewer reuse``.

    >>> qrels = {"1": {"a": 1, "b": 1}}
    >>> runs = {"one": {"1": {"a": 2.0, "x": 1.0}}, "two": {"1": {"b": 2.0, "x": 1.0}}}
    >>> reuse(qrels, runs, "P@1").value.reuse.without[0].tolist()
    [[0.0, 1.0], [1.0, 0.0]]

    pool_depth  ranks that each run contributed; 0: all
    families    an attribute of ``run_attributes`` (as for :func:`irviewer.show`) that names the family of each run;
                or ``prefix``, what ends the family in the names of runs. "": no families
    judgments   "all", or "pool": only those of documents that these runs returned down to the pool depth
    every_run   also the values of every run without each contribution

    Returns a ShownView: ``value.reuse`` has float64[measures, contributions, runs]; its tables are ``runs``,
    ``contributions``, ``tau`` and ``every_run``. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "reuse", fields, FOLLOWED)
    return show_as(
        "reuse", VIEW, qrels, runs, fields={}, run_attributes=run_attributes, progress=progress,
        protocol=with_measures(asked, listed_measures(measures)),
        parameters={"pool_depth": pool_depth, "families": families, "prefix": prefix, "judgments": judgments,
                    "every_run": every_run},
    )  # fmt: skip
