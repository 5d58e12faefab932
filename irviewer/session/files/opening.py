"""What opening does on a worker: read, put together, and compute the numbers that the first views will ask for.

Everything it is given is frozen, but for the cache of numbers, which any thread may fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.model.workspace import Collection, Workspace
from irviewer.session.evaluation.context import first_shown, make_context
from irviewer.session.evaluation.default_measures import query_measures, systems_measures
from irviewer.session.evaluation.evaluation_cache import Evaluation
from irviewer.session.files.import_result import ImportResult
from irviewer.session.files.loading import LoadedFiles, read_files
from irviewer.session.files.open_requests import OpenRequest
from irviewer.session.files.placement import place_files
from irviewer.session.state import Choices, State
from irviewer.session.tasks import Progress
from irviewer.session.view_models.systems import warm_curves

READING_SHARE = 0.8


@dataclass(frozen=True, eq=False)
class Opened:
    """What was read, and where it would be put in ``workspace`` (the one that was open when the work began)."""

    loaded_files: LoadedFiles
    import_result: ImportResult
    workspace: Workspace
    open_request: OpenRequest


@dataclass(frozen=True)
class Recent:
    """An opening of the past: what to call it, where it was, its files."""

    title: str
    folder: str
    paths: tuple[str, ...]

    @classmethod
    def of(cls, paths: Sequence[str]) -> Recent:
        """``qrels.txt and 6 more`` in a folder."""
        first = Path(paths[0])
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        return cls(first.name + more, str(first.parent), tuple(paths))


def open_requests(
    find: Callable[[], OpenRequest], workspace: Workspace, current: int, state: State, evaluation: Evaluation
) -> Callable[[Progress, Callable[[], bool]], Opened]:
    """The work of an opening, to be submitted as a task; ``find`` tells the files."""

    def work(progress: Progress, cancelled: Callable[[], bool]) -> Opened:
        def reading_progress(fraction: float | None, title: str | None = None) -> None:
            progress(None if fraction is None else fraction * READING_SHARE, title)

        open_request = find()
        loaded_files = read_files(open_request.requests, reading_progress)
        import_result = place_files(workspace, current, loaded_files)
        collections = [import_result.workspace.collections[place] for place in import_result.touched]
        for number, collection in enumerate(collections):
            progress(READING_SHARE + (1 - READING_SHARE) * number / len(collections), "Evaluating")
            warm_collection(collection, state, evaluation, progress)
        return Opened(loaded_files, import_result, workspace, open_request)

    return work


def warm_collection(collection: Collection, state: State, evaluation: Evaluation, progress: Progress) -> None:
    """Compute what the tables and the averaged curves of a collection show at first."""
    context = make_context(collection, Choices(), state.measure, state.cutoff, state.options, evaluation)
    if collection.documents is not None and len(collection.documents):
        collection.documents.title(collection.documents.ids[0])  # builds the index and the titles
    if context.judgments is None:
        return
    measures = (*systems_measures(context.depth, state.measure), *query_measures(context.depth, state.measure))
    for pair, several in context.pairs_of(measures):
        progress(None, f"Evaluating {pair.run.name}")
        evaluation.warm(pair, several)
    warm_curves(replace(context, choices=Choices(shown=first_shown(context))))
