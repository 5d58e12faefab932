"""The public function for planning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

from irviewer.analysis.planning.designs import Spread
from irviewer.analysis.planning.looks import SpendingName
from irviewer.api.protocols import AnyProtocol, protocol_of, query_sets, with_measure
from irviewer.api.show import FOLLOWED, ShownView, shown_view, tables_of_attributes
from irviewer.api.sources import AnyQrels, AnyRuns, Source, Sources
from irviewer.errors import OptionError
from irviewer.formats.data_files import files_read
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.protocol import ComparisonFields
from irviewer.translation import tr
from irviewer.views.inputs import inputs_of
from irviewer.views.plan import VIEW, Pilot, PlanName, Planning, no_effect, planned


@checked
def plan(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure | None = None,
    *,
    design: PlanName = "difference",
    size: float = 0.0,
    protocol: AnyProtocol | None = None,
    baseline: str | None = None,
    query_attributes: Source | Sequence[QueryAttribute] | None = None,
    progress: Callable[[float], None] | None = None,
    parameters: dict[str, Any] | None = None,
    **fields: Unpack[ComparisonFields],
) -> ShownView:
    """Return how many queries a comparison needs, with the spread of runs as a pilot; :func:`queries_for` takes a
    given spread.

    >>> qrels = {str(query): {"a": 1} for query in range(12)}
    >>> good = {str(query): {"a": 2.0, "x": 1.0} for query in range(12)}
    >>> bad = {str(query): {"x": 3.0, "y": 2.0, "a": 1.0 + query % 4} for query in range(12)}
    >>> plan(qrels, {"bad": bad, "good": good}, "RR", baseline="bad", size=0.1).value.rows[0].plan.needed
    66

    design      "difference", "non-inferiority" (a gate's margin), "equivalence", "width" (of an interval), "systems",
                "unpaired", "unpaired-width"
    size        the smallest difference that matters, the margin, or the width; 0: ``smallest`` of the protocol
    query_attributes  a file with a row a query, or attributes: one may be the ``unit``, and the design effect is then
                that of the pilot
    parameters  the other parameters of the view ``plan``: true, power, run, sigma, systems, comparisons, design_effect,
                look_at, spending

    Returns a ShownView with the tables ``plan`` and ``curve``. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "plan", fields, FOLLOWED)
    if baseline is not None:
        asked = asked.but(baseline=baseline)
    asked, _ = with_measure(asked, measure)
    sources = Sources(stored=True)
    judgments, all_runs = sources.both(qrels, runs)
    sources.check()
    inputs = inputs_of(
        asked, judgments, all_runs, uses=VIEW.uses, sets=query_sets(asked),
        attributes=tables_of_attributes(None, query_attributes),
        files=files_read(judgments, all_runs, ("attributes", query_attributes)),
    )  # fmt: skip
    return shown_view(VIEW, inputs, VIEW.chosen({"design": design, "size": size, **(parameters or {})}), progress)


@checked
def queries_for(
    size: float,
    sigma: float,
    *,
    design: PlanName = "difference",
    true: float = 0.0,
    power: float = 0.8,
    systems: int = 2,
    comparisons: int = 1,
    design_effect: float = 0.0,
    look_at: Sequence[int] = (),
    spending: SpendingName = "obrien-fleming",
    protocol: AnyProtocol | None = None,
    **fields: Unpack[ComparisonFields],
) -> Planning:
    """Return how many queries a design needs, from a standard deviation that is given.

    >>> queries_for(0.05, 0.2).rows[0].plan.needed
    128

    size    the smallest difference that matters, the margin, or the width of the interval
    sigma   of the paired differences; of "systems", "unpaired", "unpaired-width" within a system
    look_at numbers of queries after which the same pair is tested: the bound of each is in ``looks`` of the result

    Raises OptionError."""
    if not size > 0:
        raise OptionError(tr("the difference to plan for is {size:g}; it must be above 0", size=size))
    asked = protocol_of(protocol, "plan", fields, FOLLOWED)
    VIEW.chosen({"design": design})
    if asked.scope.unit and not design_effect:
        raise OptionError(no_effect(asked.scope.unit))
    return planned(
        design, [Pilot(Spread(sigma))], asked.inference, size=size, true=true, power=power, systems=systems,
        comparisons=comparisons, design_effect=design_effect, look_at=look_at, spending=spending,
    )  # fmt: skip
