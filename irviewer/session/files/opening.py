"""The work of opening files, done on a worker: read them, put collections together, and compute the numbers that the
first views show.

All arguments are frozen except the cache of numbers, which any thread may fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.formats.project_file import SUFFIX
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.evaluation.caveats import query_differences
from irviewer.session.evaluation.context import first_shown, make_context
from irviewer.session.evaluation.default_measures import beside_systems, query_measures, systems_measures
from irviewer.session.failures.query_statistics import spread_of
from irviewer.session.files.import_result import ImportResult
from irviewer.session.files.loading import LoadedFiles, read_files
from irviewer.session.files.open_requests import OpenRequest
from irviewer.session.files.placement import place_files
from irviewer.session.protocol.in_view import files_in_view, warm_protocol
from irviewer.session.state import Choices, State
from irviewer.session.tasks import Progress
from irviewer.session.view_models.queries import describe, warm_attributes
from irviewer.session.view_models.systems import warm_curves
from irviewer.translation import tr, trn

READING_SHARE = 0.8


def by_name(paths: Sequence[str]) -> list[str]:
    """Return files that were chosen together in a dialog, or dropped, by folder and name: dialogs and file managers
    give them in orders of their own, and the first qrels are the judge in view. A name goes before those that it
    begins, as ``qrels.txt`` before ``qrels_model.txt``."""
    return sorted(paths, key=lambda path: (str(Path(path).parent), Path(path).name.replace(".", "\0")))


@dataclass(frozen=True, eq=False)
class Opened:
    """The files that were read, and their places in ``workspace`` (the workspace when the work began)."""

    loaded_files: LoadedFiles
    import_result: ImportResult
    workspace: Workspace
    open_request: OpenRequest


@dataclass(frozen=True)
class Recent:
    """A collection that was opened before: its title, its folder, its files, and in words how many these are."""

    title: str
    folder: str
    paths: tuple[str, ...]

    @property
    def about(self) -> str:
        """How many files, or that it is a project, and where."""
        n = len(self.paths)
        if self.paths[0].endswith(SUFFIX):
            return tr("project · {folder}", folder=self.folder)
        return trn("{n:,} file · {folder}", "{n:,} files · {folder}", n, folder=self.folder) if n > 1 else self.folder

    @classmethod
    def of(cls, paths: Sequence[str]) -> Recent:
        """Return the collection of these paths: a project and a single file have their own name, several files that of
        the folder that they share."""
        first = Path(paths[0])
        if len(paths) == 1:
            title = first.stem if first.suffix == SUFFIX else first.name
            return cls(title, str(first.parent), tuple(paths))
        parents = [Path(path).parent for path in paths]
        shared = next((folder for folder in (parents[0], *parents[0].parents) if all(
            folder == other or folder in other.parents for other in parents)), parents[0])  # fmt: skip
        if not shared.name:
            title = tr("{file} and {count:,} more", file=first.name, count=len(paths) - 1)
            return cls(title, str(first.parent), tuple(paths))
        return cls(shared.name, str(shared), tuple(paths))


def open_requests(
    find: Callable[[], OpenRequest],
    workspace: Workspace,
    current: int,
    state: State,
    evaluation: Evaluation,
    columns: Sequence[str] = (),
) -> Callable[[Progress], Opened]:
    """Return the work of an opening, to be submitted as a task; ``find`` returns the files, ``columns`` are those of
    statistics in the table of queries."""

    def work(progress: Progress) -> Opened:
        def reading_progress(fraction: float | None, title: str | None = None) -> None:
            progress(None if fraction is None else fraction * READING_SHARE, title)

        open_request = find()
        loaded_files = read_files(open_request.requests, reading_progress, in_blocks=True)
        import_result = place_files(workspace, current, loaded_files)
        collections = [import_result.workspace.collections[place] for place in import_result.touched]
        for number, collection in enumerate(collections):
            progress(READING_SHARE + (1 - READING_SHARE) * number / len(collections), tr("Evaluating"))
            warm_collection(collection, state, evaluation, progress, columns)
        return Opened(loaded_files, import_result, workspace, open_request)

    return work


def warm_collection(
    collection: Collection, state: State, evaluation: Evaluation, progress: Progress, columns: Sequence[str] = ()
) -> None:
    """Compute the values that the tables, the ``columns`` of queries and the averaged curves of a collection show
    first."""
    context = make_context(collection, Choices(), state.measure, state.cutoff, state.options, evaluation)
    if collection.documents is not None and len(collection.documents):
        collection.documents.title(collection.documents.ids[0])  # builds the index and the titles
    context.query_index, context.natural_order, context.texts  # noqa: B018 - of all queries, for the first view
    if context.judgments is None:
        return
    context.query_attributes  # noqa: B018
    measures = (
        *systems_measures(context.depth, state.measure, stored=context.stored_measures, graded=context.graded),
        *query_measures(context.depth, state.measure, context.stored_measures, graded=context.graded),
        *beside_systems(context.cutoff, len(context.system_runs)),
    )
    files_in_view(context, (context.judgments,))  # it may wait for a disk
    warm_protocol(context)
    query_differences(context)
    for pair, several in context.pairs_of(measures):
        progress(None, tr("Evaluating {run}", run=pair.run.name))
        evaluation.warm(pair, several)
    context.unmatched  # noqa: B018
    spread_of(context)
    shown = replace(context, choices=Choices(shown=first_shown(context)))
    describe(shown, columns)
    warm_attributes(shown)
    warm_curves(shown)
