"""What becomes of merged labels of answers: an assigner of their own beside the others, or a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.model.answers.assigner_names import assigner_names, labels_in
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.by_hand import HandLabels, labels_of_parts
from irviewer.model.answers.labels import MERGED
from irviewer.model.answers.support import Support
from irviewer.model.answers.systems import run_of_labels
from irviewer.model.run_names import free_name
from irviewer.rendering.atomic import write_atomically
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info
from irviewer.session.result_views import ResultViewService
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.answers.merged_labels import MergedLabels

VIEW = "answer-merge"


class LabelMergingService:
    """The labels that the view of merged labels shows."""

    def __init__(
        self, store: Store, view: View, saving: FileSaving, history: HistoryService, result_views: ResultViewService
    ) -> None:
        self._store = store
        self._view = view
        self._saving = saving
        self._history = history
        self._result_views = result_views

    @property
    def merged(self) -> MergedLabels | None:
        """The merged labels as the view shows them; None where another view is chosen, before they are computed, and
        where there are none."""
        if self._store.state.result_view != VIEW:
            return None
        answer = self._result_views.answer(VIEW)
        merged: MergedLabels | None = None if answer is None or answer.shown is None else answer.shown.value
        return merged if merged is not None and merged.runs else None

    def take(self) -> str:
        """Make the merged labels an assigner beside the others, a run a system, as an undo step; return its name. They
        do not follow later changes of the labels they were made from. Raises IrviewerError where there are none."""
        merged, collection = self.merged, self._view.collection
        if merged is None or collection is None:
            raise IrviewerError(_NOTHING)
        runs = sorted(collection.runs, key=lambda entry: entry.key)
        taken = {name for kind in ("nuggets", "support") for name in assigner_names([each.run for each in runs], kind)}
        judge = free_name(f"{MERGED}{merged.rule}", taken)
        grown = collection
        for labels in _labels(merged, judge):
            name = tr("{system}, {assigner}", system=labels.system, assigner=judge)
            grown = grown.with_runs([run_of_labels(labels, name)])
            grown = grown.with_run(replace(grown.runs[-1], labels=labels))
        self._history.do(tr("merge labels as {name}", name=judge), self._store.state.with_collection(grown))
        self._store.say(info(tr("Added the assigner {name}. Its labels do not follow later changes of those they were "
                                "made from. Assigner that counts… lets them count alone.", name=judge)))  # fmt: skip
        return judge

    def save(self, path: str) -> None:
        """Save the merged labels of all systems as TREC RAG writes them. Raises IrviewerError where there are none."""
        from irviewer.formats.answers import nuggets, support

        merged = self.merged
        if merged is None:
            raise IrviewerError(_NOTHING)
        written = nuggets.ASSIGNED if merged.kind == "nuggets" else support.FORMAT
        data = b"".join(written.encoded(run) for run in merged.runs)
        self._saving.save_file(path, lambda target: write_atomically(Path(target), lambda stream: stream.write(data)))


_NOTHING = tr("There are no merged labels: show Merged labels in Compare › More.")


def _labels(merged: MergedLabels, judge: str) -> list[HandLabels]:
    by_system = []
    for run in merged.runs:
        assert run.answered is not None
        part = labels_in(run.answered, merged.kind)
        system = run.answered.system or run.name
        by_system.append(labels_of_parts(
            system, judge, part if isinstance(part, Assignments) else None,
            part if isinstance(part, Support) else None,
        ))  # fmt: skip
    return [labels for labels in by_system if len(labels)]
