"""Export of a report: what is in view as one HTML file for others, written in the background."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from irviewer.evaluation.bind import refuse_fields
from irviewer.evaluation.document_lengths import lengths_of, needs_lengths
from irviewer.measures.parser import parse_measure
from irviewer.model.protocol import EvaluationProtocol
from irviewer.session.comparison.paper import PaperService
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr

Reader = Literal["expert", "manager"]
"""Whom a report is for."""


class ReportService:
    """Writes reports under the protocol of what is in view: on the measures that it declares, then that in view and
    those of the Systems table. They show the runs that are shown; all that take part are tested."""

    def __init__(self, store: Store, view: View, saving: FileSaving, paper: PaperService) -> None:
        self._store = store
        self._view = view
        self._saving = saving
        self._paper = paper

    @property
    def title(self) -> str:
        """The title of the report: the collection and, where the numbers need it, the judge; "" without runs."""
        writer = self._writer()
        collection = self._view.collection
        if writer is None or collection is None:
            return ""
        mark = self._view.judgment_mark
        return tr("{collection}, {mark}", collection=collection.name, mark=mark) if mark else collection.name

    def save(self, path: str, reader: Reader = "expert") -> None:
        """Write the report for a reader to a file. Does nothing without runs that have values."""
        writer = self._writer(reader)
        if writer is not None:
            self._saving.save_file(path, partial(writer, self.title))

    def _writer(self, reader: Reader = "expert") -> Callable[[str, str], None] | None:
        context, preset, bound = self._view.context, self._paper.preset(), self._view.protocol
        if context is None or preset is None or bound is None:
            return None
        shown = tuple(entry.name for key in preset.choices.runs for entry in context.taking_part if entry.key == key)
        state = self._store.state
        declared = (str(parse_measure(text)) for text in state.protocol.measures)
        measures = tuple(dict.fromkeys((*declared, str(context.measure), *preset.choices.measures)))
        sections = tuple((name, state.result_parameters.get(name, {})) for name in state.report_views)
        return partial(_write, context, bound.protocol, shown, measures, sections, reader)


def _write(
    context: EvaluationContext,
    protocol: EvaluationProtocol,
    shown: tuple[str, ...],
    measures: tuple[str, ...],
    sections: tuple[tuple[str, Mapping[str, Any]], ...],
    reader: Reader,
    title: str,
    path: str,
) -> None:
    from irviewer.api.reports import report_of

    refuse_fields(protocol, ("zscores",), tr("A report"))
    collection, judgments = context.collection, context.judgments
    assert judgments is not None
    others = {each.name: each.qrels for each in collection.judgments}
    said, weights = collection.weights, None
    if said is not None:
        every = dict.fromkeys(context.query_ids, said.default) if said.default else {}
        weights = every | dict(said.values)
    lengths = lengths_of(collection) if any(needs_lengths(parse_measure(text)) for text in measures) else None
    report_of(
        judgments.qrels, [entry.run for entry in context.opened_family], measures, protocol,
        sets=collection.query_sets, lengths=lengths, shown=shown, title=title, texts=collection.queries,
        documents=collection.documents, judges=others if len(others) > 1 else (),
        weights=weights, sections=sections, attributes=collection.attributes, reader=reader,
    ).save(path)  # fmt: skip
