"""The public function of reproduction: how well own runs reproduce original ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

from irviewer.analysis.similarity.ties import TieVariant
from irviewer.api.protocols import AnyProtocol, protocol_of, with_measures
from irviewer.api.show import FOLLOWED, ShownView, show_as
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, listed_measures
from irviewer.model.arguments import checked
from irviewer.model.protocol import EvaluationFields
from irviewer.views.reproduction import VIEW


@checked
def reproduction(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    *,
    original: str,
    own: str,
    original_baseline: str = "",
    own_baseline: str = "",
    p: float = 0.9,
    ranks: int = 1000,
    ties: TieVariant = "a",
    protocol: AnyProtocol | None = None,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[EvaluationFields],
) -> ShownView:
    """Return how well own runs reproduce original ones, in the order of documents, the values of queries and the
    effect; the numbers of ``irviewer reproduction``.

    >>> qrels = {"1": {"a": 1, "b": 1}, "2": {"a": 1}}
    >>> run = {"1": {"a": 3.0, "x": 2.0, "b": 1.0}, "2": {"a": 1.0}}
    >>> again = {"1": {"x": 3.0, "a": 2.0, "b": 1.0}, "2": {"a": 1.0}}
    >>> found = reproduction(qrels, {"A": run, "own A": again}, "RR", original="A", own="own A")
    >>> round(found.value.reproduction.values[0].rmse[0], 4)  # the square root of .5² / 2
    0.3536

    original, own                    names of the advanced run A and of the own run that reproduces it
    original_baseline, own_baseline  those of the baseline B; both or none: the effect needs them
    p, ranks, ties                   of rank-biased overlap, as for :func:`irviewer.similarity`

    Returns a ShownView: ``value.reproduction`` is a Reproduction; its tables are ``effects`` (with baselines),
    ``values`` and ``order``. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "reproduction", fields, FOLLOWED)
    return show_as(
        "reproduction", VIEW, qrels, runs, fields={}, progress=progress,
        protocol=with_measures(asked, listed_measures(measures)),
        parameters={"original": original, "own": own, "original_baseline": original_baseline,
                    "own_baseline": own_baseline, "p": p, "ranks": ranks, "ties": ties},
    )  # fmt: skip
