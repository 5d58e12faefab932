"""The public function for every view, ours and those of other packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from irviewer.api.protocols import AnyProtocol, protocol_of, query_sets, weights_read
from irviewer.api.sources import AnyQrels, AnyRuns, Source, Sources
from irviewer.api.texts import texts_of
from irviewer.api.tuning import RunAttributes, attributes_from
from irviewer.evaluation.bind import BoundProtocol
from irviewer.formats.attribute_tables import read_query_attributes
from irviewer.formats.data_files import files_read
from irviewer.model.arguments import checked
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.exported import Exported
from irviewer.model.protocol import PLACES
from irviewer.model.texts import TextTable
from irviewer.tables.table import Table
from irviewer.views.inputs import Inputs, inputs_of
from irviewer.views.manifest import view_named
from irviewer.views.registered import view_of
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView

FOLLOWED = frozenset(PLACES) - {"zscores"}
"""The fields of a protocol that views follow."""


@dataclass(frozen=True, eq=False, repr=False)
class ShownView(Exported):
    """What a view found: the value, and its tables.

    value       what was computed
    shown       its tables, figures and sentences
    parameters  the parameters with their values
    """

    view: ResultView
    inputs: Inputs = field(compare=False)
    parameters: Mapping[str, Any]
    value: Any
    shown: ViewResult = field(compare=False)  # made from the value, with texts that are functions
    protocol: BoundProtocol | None = field(default=None)

    def __getitem__(self, name: str) -> Table:
        """Return a table by its name. Raises KeyError."""
        return self.shown.table(name)

    def explain(self, row: Any, column: str) -> ViewResult:
        """Return how a number comes about, by the keys of its row and column. Raises OptionError."""
        return self.view.explained(self.value, self.inputs, self.parameters, row, column)


@view_of.register
def _(value: ShownView) -> ViewResult:
    return value.shown


@checked
def show(
    view: str,
    qrels: AnyQrels,
    runs: AnyRuns,
    *,
    protocol: AnyProtocol | None = None,
    run_attributes: RunAttributes | None = None,
    query_attributes: Source | Sequence[QueryAttribute] | None = None,
    texts: Source | TextTable | None = None,
    documents: Source | TextTable | None = None,
    columns: Mapping[str, str] | None = None,
    judges: Sequence[AnyQrels] = (),
    progress: Callable[[float], None] | None = None,
    **parameters: Any,
) -> ShownView:
    """Compute a view by its name; ``irviewer show`` lists the names.

    view               the name, such as ``acme-latency`` of another package
    qrels, runs        as for :func:`irviewer.evaluate`
    protocol           an EvaluationProtocol or the file of one, instead of the defaults
    run_attributes     a file with a row a run, ``{run: {attribute: value}}``, or attributes; None: the runs' own
                       headers
    query_attributes   a file with a row a query, or attributes
    judges             further judgments of the same queries, by other judges
    texts, documents   files with the texts of queries and documents
    progress           called with the share done; an exception from it stops the work
    parameters         fields of the protocol (``level=2``) and parameters of the view

    Returns a ShownView: ``value`` is what was computed, ``to_pandas()``, ``save()`` have its tables. Raises ParseError,
    MeasureError, OptionError."""
    return show_as(
        "show", view_named(view), qrels, runs, fields={name: parameters[name] for name in parameters if name in PLACES},
        parameters={name: parameters[name] for name in parameters if name not in PLACES}, protocol=protocol,
        run_attributes=run_attributes, query_attributes=query_attributes, texts=texts, documents=documents,
        columns=columns, judges=judges, progress=progress,
    )  # fmt: skip


def show_as(
    function: str,
    view: ResultView,
    qrels: AnyQrels,
    runs: AnyRuns,
    *,
    fields: Mapping[str, Any],
    parameters: Mapping[str, Any],
    protocol: AnyProtocol | None = None,
    run_attributes: RunAttributes | None = None,
    query_attributes: Source | Sequence[QueryAttribute] | None = None,
    texts: Source | TextTable | None = None,
    documents: Source | TextTable | None = None,
    columns: Mapping[str, str] | None = None,
    judges: Sequence[AnyQrels] = (),
    progress: Callable[[float], None] | None = None,
) -> ShownView:
    """Compute a view for the public ``function``, which errors name: ``fields`` of the protocol, ``parameters`` of the
    view, the others as for :func:`show`. Raises ParseError, MeasureError, OptionError."""
    chosen = view.chosen(dict(parameters))
    asked = protocol_of(protocol, function, fields, FOLLOWED)
    sources = Sources(columns, stored=True)
    judgments, all_runs = sources.both(qrels, runs)
    others = [sources.qrels(judge) for judge in judges]
    sources.check()
    inputs = inputs_of(
        asked, judgments, all_runs, uses=view.uses, pins=view.pins, sets=query_sets(asked),
        weights=weights_read(asked),
        attributes=tables_of_attributes(
            None if run_attributes is None else attributes_from(run_attributes, all_runs), query_attributes
        ),
        queries=texts_of(texts, "queries"), documents=texts_of(documents, "documents"),
        files=files_read(
            judgments, all_runs, ("attributes", run_attributes), ("attributes", query_attributes), ("queries", texts),
            ("documents", documents), ("qrels", [other.origin for other in others]),
        ),
        judges=others,
    )  # fmt: skip
    return shown_view(view, inputs, chosen, progress)


def shown_view(
    view: ResultView, inputs: Inputs, parameters: Mapping[str, Any], progress: Callable[[float], None] | None = None
) -> ShownView:
    """Return what a view finds in inputs. Raises IrviewerError."""
    value = view.value(inputs, parameters) if progress is None else view.value(inputs, parameters, progress)
    shown = view.described(value, inputs, parameters)
    return ShownView(view, inputs, parameters, value, shown, view.followed(value, inputs.protocol))


def tables_of_attributes(
    runs: Sequence[Any] | None, queries: Source | Sequence[QueryAttribute] | None
) -> tuple[AttributeTable, ...]:
    """Return tables of the attributes of runs and of queries. Raises ParseError."""
    own = () if queries is None else queries
    read = read_query_attributes(str(own)) if not isinstance(own, Sequence) or isinstance(own, str) else tuple(own)
    return (AttributeTable("attributes", tuple(read), () if runs is None else tuple(runs)),)
