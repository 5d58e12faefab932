"""The collection of a lesson that names files: qrels, runs and queries in the lesson's folder. Read on a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import dialect_of
from irviewer.model.lessons.lesson import Lesson
from irviewer.model.protocol import Rules
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.files.changed_files import Stamp
from irviewer.session.files.loading import Request, read_files
from irviewer.session.files.opening import READING_SHARE, warm_collection
from irviewer.session.files.placement import place_files
from irviewer.session.state import State
from irviewer.session.tasks import Progress
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class LessonCollection:
    """The collection of a lesson's files; ``stamps``: the state of each file from before it was read."""

    collection: Collection
    stamps: Mapping[str, Stamp | None]


def read_lesson_files(lesson: Lesson, state: State, evaluation: Evaluation, progress: Progress) -> LessonCollection:
    """Return the collection of the files that a lesson names, with the values that it shows first computed. Raises
    IrviewerError if a file cannot be read, or if the runs do not belong to the qrels."""
    folder = Path(lesson.path).parent.resolve()
    named = [(lesson.files.qrels, "qrels"), *((name, "run") for name in lesson.files.runs)]
    named += [(lesson.files.queries, "queries")] if lesson.files.queries else []
    requests = [Request(str((folder / name).resolve()), kind) for name, kind in named]
    for request in requests:
        if not Path(request.path).is_relative_to(folder):  # a link may have changed since the lesson was read
            raise IrviewerError(tr("{name} is not in the lesson's folder", name=request.path))

    def reading_progress(fraction: float | None, title: str | None = None) -> None:
        progress(None if fraction is None else fraction * READING_SHARE, title)

    loaded = read_files(requests, reading_progress)
    if loaded.troubles:
        raise IrviewerError(loaded.troubles[0].text)
    collections = place_files(Workspace(), -1, loaded).workspace.collections
    if len(collections) != 1 or not collections[0].judgments or not collections[0].runs:
        raise IrviewerError(tr("The runs of the lesson {title} do not belong to its qrels.", title=lesson.title))
    level = 1.0 if lesson.view.level is None else lesson.view.level
    state = replace(
        state,
        measure=parse_measure(lesson.view.measure, dialect_of(lesson.rules).names),
        protocol=replace(state.protocol, rules=Rules(level=level, dialect=lesson.rules)),
    )
    collection = replace(collections[0], name=lesson.title)
    warm_collection(collection, state, evaluation, progress)
    return LessonCollection(collection, {file.request.path: file.stamp for file in loaded.files})
