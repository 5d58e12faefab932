"""Export of a report: what is in view as one HTML file for others, written in the background."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from irviewer.session.comparison.paper import PaperService
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.saving import FileSaving
from irviewer.session.view import View
from irviewer.translation import tr


class ReportService:
    """Writes reports of the shown runs, against the baseline, with the measures of the Systems table."""

    def __init__(self, view: View, saving: FileSaving, paper: PaperService) -> None:
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

    def save(self, path: str) -> None:
        """Write the report to a file. Does nothing without runs that have values."""
        writer = self._writer()
        if writer is not None:
            self._saving.save_file(path, partial(writer, self.title))

    def _writer(self) -> Callable[[str, str], None] | None:
        context, preset = self._view.context, self._paper.preset()
        if context is None or preset is None:
            return None
        keys = preset.choices.runs
        measure = str(context.measure)
        measures = (measure, *(text for text in preset.choices.measures if text != measure))
        return partial(_write, context, keys, measures)


def _write(context: EvaluationContext, keys: tuple[int, ...], measures: tuple[str, ...], title: str, path: str) -> None:
    from irviewer.api.reports import report

    assert context.judgments is not None
    entries = [entry for key in keys for entry in context.collection.runs if entry.key == key]
    baseline = next((entry for entry in context.collection.runs if entry.key == context.baseline), None)
    if baseline is not None and baseline not in entries:
        entries.insert(0, baseline)
    others = {judgments.name: judgments.qrels for judgments in context.collection.judgments}
    options = context.options
    report(
        context.judgments.qrels, [entry.run for entry in entries], measures,
        baseline=None if baseline is None else baseline.name, title=title, queries=context.collection.queries,
        documents=context.collection.documents, judges=others if len(others) > 1 else (), level=options.level,
        judged_only=options.judged_only, depth=options.depth, missing=options.missing, dialect=options.dialect,
    ).save(path)  # fmt: skip
