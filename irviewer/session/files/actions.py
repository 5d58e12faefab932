"""Opening, reloading and closing of files. Files are read by background tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError, checked_path, name_some, short_name
from irviewer.formats.doctor import ReadOptions
from irviewer.model.column_names import columns_text, header_key
from irviewer.model.workspace import Collection, Workspace
from irviewer.session import state_changes
from irviewer.session.evaluation.unmatched import Repair, repair_of
from irviewer.session.files.changed_files import DiskWatch
from irviewer.session.files.detect import FormatDetection, look
from irviewer.session.files.doctor import (
    DoctorInputs,
    TrainingSet,
    account,
    as_chosen,
    read_options_by_path,
    read_options_of,
)
from irviewer.session.files.import_result import AddedJudge, ImportedAttributes, ImportResult, origins
from irviewer.session.files.loading import Request, requests_of, requests_of_sample
from irviewer.session.files.open_requests import OpenRequest, open_request_of, request_of_new_files
from irviewer.session.files.opening import Opened, Recent, open_requests
from irviewer.session.files.placement import place_files
from irviewer.session.files.rereading import best_qrels, without_former
from irviewer.session.files.samples import Sample, find_sample, samples
from irviewer.session.judging.history import HistoryService
from irviewer.session.judging.merging import Incoming, by_unnamed
from irviewer.session.messages import error, info, warning, without_topic
from irviewer.session.projects.project import has_work
from irviewer.session.settings import MOST_HEADERS
from irviewer.session.shortcuts import keys
from irviewer.session.state import State
from irviewer.session.state_changes import Opening
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.teaching.lesson import LESSON, TYPED
from irviewer.session.teaching.lesson_source import LessonSource
from irviewer.session.view import View
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.formats.doctor import Diagnosis
    from irviewer.formats.load_report import LoadReport
    from irviewer.model.table_preview import TablePreview
    from irviewer.session.files.loading import Trouble

OPENED = "opened"
"""The topic of what opening files did: they may have been dropped, or named where the program was started."""

PROTOCOL_SUFFIX = ".toml"
"""The end of the name of a protocol's file; no other file that is opened has it."""


class FileService:
    """Opens, reloads and closes files, and examines what is wrong with them."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._evaluation = store.evaluation
        self._settings = store.settings
        self._view = view
        self._history = history
        self._openings = 0
        self._remembered: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}
        """By the identity of a collection the paths it was opened by, and the files that they are."""
        self.reports: dict[str, LoadReport] = {}
        self._refused: dict[str, Trouble] = {}
        self._diagnosed: dict[str, tuple[object, ...]] = {}
        self._training: dict[str, TrainingSet] = {}
        """By the identity of a collection the training set that it was compared with."""
        self.watch = DiskWatch()
        self._samples: tuple[Sample, ...] | None = None
        # Hooks: open a project and return True if the paths name one; read what is a lesson or a course (on a worker),
        # and show it; return True if files wait for the user's choice; receive judgments that were read; ask what
        # judgments of judged documents are.
        self.open_project: Callable[[Sequence[str]], bool] = lambda paths: False
        self.read_lesson: Callable[[Sequence[str]], LessonSource | None] = lambda paths: None
        self.show_lesson: Callable[[LessonSource], object] = lambda source: None
        self.hold_back: Callable[[Opened, Opening], bool] = lambda opened, opening: False
        self.receive: Callable[[Incoming], object] = lambda incoming: None
        self.ask_about: Callable[[tuple[AddedJudge, ...]], object] = lambda added: None
        self.ask_versions: Callable[[Sequence[int]], object] = lambda keys: None
        # Receives the states before and after, and the times of the files.
        self.on_reread: Callable[[State, State, Mapping[str, tuple[str, str]]], object] = lambda before, after, times: (
            None
        )
        self.receive_attributes: Callable[[ImportedAttributes], object] = lambda imported: None
        self.open_protocol: Callable[[str], object] = lambda path: None
        self.evaluate_in_blocks: Callable[[Sequence[Request]], object] = lambda requests: None

    @property
    def recent(self) -> tuple[Recent, ...]:
        """The last collections, the newest first."""
        return tuple(Recent.of(paths) for paths in self._settings["recent"])

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The collections that come with the program."""
        if self._samples is None:
            self._samples = samples()
        return self._samples

    @property
    def has_refused(self) -> bool:
        """True if a file was not read for a reason that the file doctor can solve."""
        return bool(self._refused)

    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """Return the file doctor's diagnoses of the files of the collection in view, and of files that were not read.
        Large runs take seconds: windows call ``find_diagnoses``."""
        return account(*self._doctor_inputs())

    def _doctor_inputs(self) -> DoctorInputs:
        collection, judgments = self._store.state.collection, self._view.judgments
        qrels = None if judgments is None else judgments.qrels
        others = [
            judgment_set.qrels
            for other in self._view.workspace.collections if other is not collection
            for judgment_set in other.judgments
        ]  # fmt: skip
        # The dicts are copied: a worker reads them while files are opened.
        reports, refused = dict(self.reports), dict(self._refused)
        training = None if collection is None else self._training.get(collection.identity)
        return collection, qrels, origins(collection), reports, refused, others, self._diagnosed, training

    def set_collection(self, number: int) -> None:
        """Show another open collection."""
        if 0 <= number < len(self._view.workspace.collections):
            place = "query" if self._view.place == "start" else self._store.state.place
            state = (
                self._store.state
                if number == self._store.state.current
                else state_changes.without_hints(self._store.state)
            )
            self._store.apply(replace(state, current=number, place=place))

    def open_files(self, paths: Sequence[str], *, verdict_first: bool = True) -> None:
        """Read files or folders of any kind in the background and add them to their collections; a project among them
        replaces what is open. A lesson, or a folder of lessons, opens in textbook mode. The file of a protocol is
        declared for what is in view then, as an undo step. Runs that can be compared are shown at the verdict; without
        ``verdict_first`` at a query, which needs no long computation."""
        possible = self._possible(paths)
        protocols = [path for path in possible if path.lower().endswith(PROTOCOL_SUFFIX)]
        paths = [path for path in possible if path not in protocols]
        if not paths:
            self._open_protocols(protocols)
        elif not self.open_project(paths):
            self._open(
                self._requested(paths), Opening(brought=verdict_first),
                _titled(paths), read_lesson=partial(self.read_lesson, tuple(paths)),
                after=partial(self._open_protocols, protocols),
            )  # fmt: skip
        elif protocols:
            name = Path(protocols[0]).name
            self._store.say(info(tr("Open {file} again when the project is open.", file=name)))

    def show_verdict_first(self) -> None:
        """Show the verdict if the runs in view can be compared, as of files just opened."""
        if self._view.context is not None and state_changes.comparable(self._view.context):
            self._store.apply(replace(self._store.state, place="verdict"))

    def _open_protocols(self, paths: Sequence[str]) -> None:
        for path in paths:
            self.open_protocol(path)

    def open_sample(self, name: str) -> None:
        """Open a sample by its id or name; if it is open already, show it."""
        try:
            sample = find_sample(name)
        except IrviewerError as failure:
            self._store.say(error(str(failure)))
            return
        if sample is None:
            names = ", ".join(sample.id for sample in self.samples)
            self._store.say(error(tr("Unknown sample {name!r}; choose one of {names}.", name=name, names=names)))
            return
        for number, collection in enumerate(self._view.workspace.collections):
            if collection.notes.get("sample") == sample.id:
                self.set_collection(number)
                return
        if self._tasks.under_way(f"open sample {sample.id}"):
            return
        open_request = OpenRequest(requests_of_sample(sample))
        self._open(lambda: open_request, Opening(sample.id, sample.name, sample.baseline), sample.name)

    def open_recent(self, number: int) -> None:
        """Open a recent opening again; 0 is the last one."""
        recent = self._settings["recent"]
        if 0 <= number < len(recent):
            self.open_files(recent[number])

    def reload(self) -> None:
        """Read the files of the collection in view again; names, colours and order of runs stay."""
        self.open_again(origins(self._view.collection))

    def treat(self, path: str, read_options: ReadOptions) -> None:
        """Read a file, again or for the first time, with the options that the file doctor suggests or the user chose
        (kind, format and others); the options are kept with its collection."""
        qrels = (
            best_qrels(self._store.state, path, read_options)
            if self._view.judgments is None
            else self._view.judgments.qrels
        )
        known = path in self.reports or path == "-"
        requests = (Request(path, read_options=read_options, qrels=qrels),)
        self._open(
            lambda: OpenRequest(requests, () if known else (str(Path(path).resolve()),)),
            Opening(brought=True),
            Path(path).name,
        )

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The files that were not read because their columns have unknown names."""
        return tuple(path for path, trouble in self._refused.items() if trouble.topic == "columns")

    def preview(self, path: str, deliver: Callable[[TablePreview], object]) -> None:
        """Read the header and the first rows of a table in the background and ``deliver`` them."""

        def work(progress: Progress) -> TablePreview:
            from irviewer.formats.preview import preview

            return preview(path)

        title = tr("Reading {files}", files=Path(path).name)
        self._tasks.run(Operation("preview", work, deliver, title=title, reads=True))

    def name_columns(self, path: str, names: Sequence[str], kind: str, columns: Mapping[str, str]) -> None:
        """Read a table with these contents ("run", "qrels") and columns (role -> column), and remember them for all
        tables with the same header, ``names``."""
        text = columns_text(columns)
        known = {**self._settings["known_columns"]}
        known.pop(header_key(names), None)
        known[header_key(names)] = [kind, text]
        self._settings["known_columns"] = dict(list(known.items())[-MOST_HEADERS:])
        self._settings.save()
        others = [other for other in self.unnamed if other != path]
        before = self.read_options_of(path) or ReadOptions()
        self.treat(path, replace(before, kind=kind, columns=text))
        if others:  # of several files with this header, one was shown
            self.open_again(others)

    def match_ids(self, repair: Repair | None) -> None:
        """Read the files of all runs without judged documents with the rules that make their ids match the qrels. None:
        there is no such rule, and a message says so."""
        if repair is None:
            text = tr("No rule matches the document ids with the qrels. Check that the qrels belong to these runs.")
            self._store.say(warning(text))
            return
        qrels = {unmatched.path: unmatched.qrels for unmatched in self._view.unmatched_runs}
        every = repair.read_options.items()
        open_request = OpenRequest(
            tuple(
                Request(path, read_options=read_options, qrels=qrels[path])
                for path, read_options in every
                if path in qrels
            )
        )
        if open_request.requests:
            title = _titled([request.path for request in open_request.requests])
            self._open(lambda: open_request, Opening(brought=True), title)

    def find_repair(self, deliver: Callable[[Repair | None], object]) -> None:
        """Find the rules that make the ids of all such runs match the qrels, in the background, and ``deliver``
        them."""
        unmatched_runs = self._view.unmatched_runs
        known: dict[str, ReadOptions] = {}
        for collection in self._view.workspace.collections:
            known.update(read_options_by_path(collection))

        work = partial(repair_of, unmatched_runs, known)
        self._tasks.run(Operation("repair", work, deliver, title=tr("Matching ids with the qrels")))

    def find_diagnoses(self, deliver: Callable[[tuple[Diagnosis, ...]], object]) -> None:
        """Find the file doctor's diagnosis of each file, in the background, and ``deliver`` them."""
        inputs = self._doctor_inputs()

        def work(progress: Progress) -> tuple[Diagnosis, ...]:
            return account(*inputs, heard=progress)

        self._tasks.run(Operation("diagnose", work, deliver, title=tr("Examining the files")))

    def compare_with_training(self, path: str, deliver: Callable[[], object]) -> None:
        """Read the queries of a training set in the background, which the file doctor looks for among those of the
        collection in view, and call ``deliver``. A message says why a file cannot be one."""
        collection = self._store.state.collection
        test = "" if collection is None else collection.identity

        def take(training: TrainingSet) -> None:
            self._training[test] = training
            deliver()

        title = tr("Reading {file}", file=Path(path).name)
        self._tasks.run(Operation("training", lambda _: TrainingSet.read(path), take, title=title, reads=True))

    def look_at(self, path: str, deliver: Callable[[FormatDetection], object]) -> None:
        """Detect the format of a file in the background and ``deliver`` it with the reason; only the beginning of the
        file is read."""

        title = tr("Detecting the format of {file}", file=Path(path).name)
        self._tasks.run(Operation("look", lambda _: look(path), deliver, title=title, reads=True))

    def read_options_of(self, path: str) -> ReadOptions | None:
        """Return the options with which a file of the collection in view is read, None for the defaults."""
        return read_options_of(self._view.collection, path)

    def cancel_look(self) -> None:
        """Cancel :meth:`look_at`."""
        self._tasks.cancel("look")

    def cancel_diagnoses(self) -> None:
        """Cancel :meth:`find_diagnoses`."""
        self._tasks.cancel("diagnose")

    def _possible(self, paths: Sequence[str]) -> list[str]:
        """Return the paths that can be some; a message names the others."""
        possible = []
        for path in paths:
            try:
                checked_path(path)
                possible.append(path)
            except IrviewerError as failure:
                self._store.say(error(str(failure)))
        return possible

    def open_paths(self, paths: Sequence[str], opening: Opening) -> None:
        paths = self._possible(paths)
        if not paths:
            return
        self._open(self._requested(paths), opening, _titled(paths))

    def _requested(self, paths: Sequence[str]) -> Callable[[], OpenRequest]:
        """Return what finds the files of paths, on a worker."""
        return partial(open_request_of, tuple(paths), self._view.workspace, self._settings["recent"])

    def open_new(self, paths: Sequence[str]) -> None:
        """Open new files of watched folders."""
        folders = self.watch.folders_of_collections
        self._open(
            partial(request_of_new_files, tuple(paths), folders, self._view.workspace), Opening(), _titled(paths)
        )

    def open_again(self, paths: Sequence[str]) -> None:
        """Read open files of any collection again; selection, names and colours are kept. Systems of a file that were
        removed do not come back."""

        def again() -> OpenRequest:
            return OpenRequest(tuple(replace(each, reread=True) for each in requests_of(paths)))

        if paths:
            self._open(again, Opening(), _titled(paths))

    def _open(
        self, find: Callable[[], OpenRequest], opening: Opening, title: str,
        *, read_lesson: Callable[[], LessonSource | None] = lambda: None, after: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        """Read the files that ``find`` returns, unless they are a lesson or a course. Both are called on the worker, as
        a disk may not respond. ``after`` is called when the files are in their collections."""
        # A sample is always a collection of its own.
        workspace, current = (Workspace(), -1) if opening.sample else (self._view.workspace, self._store.state.current)
        judged = None if self._view.judgments is None else self._view.judgments.qrels

        known_columns = dict(self._settings["known_columns"])

        def open_request() -> OpenRequest:
            requested = find()
            if opening.sample:
                return requested
            chosen = as_chosen(requested.requests, workspace, judged)
            return replace(requested, requests=tuple(replace(each, known_columns=known_columns) for each in chosen))

        read = open_requests(
            open_request, workspace, current, self._store.state, self._evaluation, self._settings["query_columns"]
        )

        def work(progress: Progress) -> Opened | LessonSource:
            return read_lesson() or read(progress)

        def done(opened: Opened | LessonSource) -> None:
            if not isinstance(opened, Opened):
                self.show_lesson(opened)
            elif not self.hold_back(opened, opening):
                self.place(opened, opening)
                after()
                self.evaluate_in_blocks(opened.loaded_files.large)

        self._openings += 1
        key = f"open sample {opening.sample}" if opening.sample else f"open {self._openings}"
        self._tasks.run(Operation(key, work, done, title=tr("Reading {files}", files=title), reads=True))

    def place(self, opened: Opened, opening: Opening) -> None:
        """Add the files that were read to their collections."""
        import_result, state = opened.import_result, without_former(self._store.state, opened.loaded_files.files)
        if opening.sample:
            import_result = import_result.appended_to(state.workspace)
        elif opened.workspace is not state.workspace:  # something was opened or changed meanwhile
            import_result = place_files(state.workspace, state.current, opened.loaded_files)
        self.reports.update(
            (read_file.request.path, read_file.loaded.report) for read_file in opened.loaded_files.files
        )
        times = {}
        for file in opened.loaded_files.files:
            path = file.request.path
            self._refused.pop(path, None)
            former = self.watch.time_of(path)
            self.watch.note(path, file.stamp)
            times[file.loaded.value.origin] = former, self.watch.time_of(path)
        for read in opened.loaded_files.attributes:
            self.watch.note(read.request.path, read.stamp)
        known = [request.path for request in opened.open_request.requests]
        known += opened.open_request.inside  # what was skipped is not new when the folder is watched
        for folder in opened.open_request.folders:
            self.watch.note_folder(folder, known, of_collections=bool(opened.open_request.inside))
        self._refused.update((trouble.path, trouble) for trouble in opened.loaded_files.troubles if trouble.topic)
        if opened.open_request.folder:
            self._settings["last_folder"] = opened.open_request.folder
        if opened.open_request.remember and (opened.loaded_files.files or opened.loaded_files.attributes):
            self._remember(opened.open_request, import_result)
        messages = state.messages if self.watch.changed else without_topic(state.messages, "read_changed")
        before = self._store.state
        state = replace(state, messages=messages)
        self._store.apply(
            state_changes.with_import_result(
                state, import_result, opening, self._store.context_of, self._settings["hints"]
            )
        )
        for patch_placed in import_result.patches:
            said = by_unnamed((row.judgment for row in patch_placed.patch.rows), patch_placed.patch.request.path)
            incoming = Incoming(patch_placed.patch.request.path, patch_placed.collection, patch_placed.judgments, said)
            self.receive(incoming)
        self._tell_judges(import_result.judges, state.workspace)
        self.ask_versions(import_result.added.get(self._store.state.current, ()))
        self._tell_skipped([*opened.open_request.skipped, *import_result.skipped], len(import_result.new))
        self.on_reread(before, self._store.state, times)
        for imported in import_result.attributes:
            self.receive_attributes(imported)
        self._settings.save()

    def _remember(self, request: OpenRequest, import_result: ImportResult) -> None:
        """Enter the collection in the recent ones, with the files that were added to it before. It takes the place of
        the same files that were opened by other paths, such as their folder."""
        paths, files = request.remember, request.files
        touched = [import_result.workspace.collections[place].identity for place in import_result.touched]
        if len(touched) == 1:
            known, read = self._remembered.get(touched[0], ((), frozenset()))
            paths, files = tuple(dict.fromkeys((*known, *paths))), files | read
            self._remembered[touched[0]] = paths, files
        self._settings.add_recent(list(paths), [former for former, theirs in request.former.items() if theirs == files])

    def _tell_judges(self, added: Sequence[AddedJudge], before: Workspace) -> None:
        """Say which judges were added. Of those beside judgments that were open before, the user is asked what they
        are."""
        if not added:
            return
        names = {
            judgments.identity: judgments.name
            for collection in self._view.workspace.collections
            for judgments in collection.judgments
        }
        beside = [judgment_set for judgment_set in added if not judgment_set.apart]
        text = trn(
            "{names} was opened as another judge, since it judges the same documents as {former}.",
            "{n} judgment sets were opened as further judges, since they judge the same documents as "
                "{former}: {names}.",
            len(beside), names=name_some([names.get(judgment_set.identity, "") for judgment_set in beside]),
            former=short_name(names.get(added[0].former, "")),
        )  # fmt: skip
        if beside:
            self._store.say(replace(info(text), topic=OPENED))
        known = {judgments.identity for collection in before.collections for judgments in collection.judgments}
        self.ask_about(tuple(judgment_set for judgment_set in added if judgment_set.former in known))

    def _tell_skipped(self, skipped: Sequence[tuple[str, str]], opened: int) -> None:
        """Say which files of folders were not opened, and why."""
        if not skipped:
            return
        text = trn(
            "Opened {opened:,} collections; {n:,} file belongs to none of them and was skipped.",
            "Opened {opened:,} collections; {n:,} files belong to none of them and were skipped.",
            len(skipped), opened=opened,
        )  # fmt: skip
        self._store.say(info(text, *(f"{path}: {reason}" for path, reason in skipped)))

    def close_collection(self, number: int | None = None) -> None:
        """Close a collection, by default the one in view. Undo opens it again if it holds the user's work or was typed,
        unless it is the last one: then its project or the recovery file keeps it."""
        number = self._store.state.current if number is None else number
        if not 0 <= number < len(self._view.workspace.collections):
            return
        collection = self._view.workspace.collections[number]
        closed = state_changes.without_collection(self._store.state, number)
        read_once = TYPED in collection.notes or any(entry.run.origin == "-" for entry in collection.runs)
        tried = self._history.has_steps(collection) and LESSON not in collection.notes  # a lesson's steps are no work
        worked = read_once or has_work(Workspace((collection,))) or tried
        if not worked or not closed.workspace.collections:
            self._store.apply(self._history.without_steps(closed, collection.identity))
            return
        text = tr(
            "Closed {collection} with unsaved work. Undo ({key}) opens it again.",
            collection=collection.name, key=keys("undo"),
        )  # fmt: skip
        label = tr("close {collection}", collection=collection.name)
        self._history.do(label, closed, message=replace(info(text), action="undo"))
        self._history.let_closed_go()

    def replace_collection(self, number: int, collection: Collection) -> None:
        """Show another collection in place of an open one, and discard the work in that, as when a lesson was
        changed."""
        former = self._view.workspace.collections[number]
        state = state_changes.with_other_collection(self._store.state, number, collection, self._store.context_of)
        self._store.apply(self._history.without_steps(state, former.identity))

    def drop_collection(self) -> None:
        """Close the collection in view and discard the work in it, as when an example starts again."""
        if self._view.collection is not None:
            closed = state_changes.without_collection(self._store.state, self._store.state.current)
            self._store.apply(self._history.without_steps(closed, self._view.collection.identity))


def _titled(paths: Sequence[str]) -> str:
    """Return ``a.run``, or ``3 files``."""
    return Path(paths[0]).name if len(paths) == 1 else trn("{n:,} file", "{n:,} files", len(paths))
