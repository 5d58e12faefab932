"""The files of a system that answers as one run: its answers, assignments and support are opened as runs of their own,
so that each can be read again and removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.model.answers.systems import Choice, joined_systems
from irviewer.model.same import Same
from irviewer.model.workspace import Collection, RunEntry


def with_joined_systems(collection: Collection, evaluation: Evaluation) -> Collection:
    """Return the collection with one run for each system that answers, in the place of the first of its files, whose
    key, name and colour it has; the same collection where there is nothing to join. Files count in the order in which
    they were opened, not in that in which runs are shown."""
    answering = [entry for entry in collection.runs if entry.run.answered is not None and not entry.is_copy]
    answering.sort(key=lambda entry: entry.key)
    if len(answering) < 2:
        return collection
    entries = evaluation.shared(
        (
            "joined systems",
            tuple((entry.key, Same(entry.run)) for entry in answering),
            tuple(collection.answer_versions.items()),
        ),
        lambda: _joined(answering, collection.answer_versions),
    )
    if len(entries) == len(answering):
        return collection
    known = {entry.key: entry for entry in entries}
    gone = {entry.key for entry in answering} - known.keys()
    runs = []
    for entry in collection.runs:
        if entry.key in known:
            run = known[entry.key].run
            runs.append(replace(entry, run=run if run.name == entry.name else run.renamed(entry.name)))
        elif entry.key not in gone:
            runs.append(entry)
    return replace(collection, runs=tuple(runs))


def _joined(entries: list[RunEntry], choices: Mapping[str, Choice]) -> tuple[RunEntry, ...]:
    """Return the entries that stay, each with the run that it stands for."""
    inner = {entry.name: entry for entry in reversed(entries)}
    joined = joined_systems([entry.run for entry in entries], choices)
    return tuple(replace(inner[run.name], run=run) for run in joined if run.name in inner)
