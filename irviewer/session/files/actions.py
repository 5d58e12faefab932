"""Opening, reading again and closing. Files are read by tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.model.workspace import Workspace
from irviewer.session import state_changes
from irviewer.session.evaluation.unmatched import Repair, repair_of
from irviewer.session.files.changed_files import DiskWatch
from irviewer.session.files.detect import FormatDetection, look
from irviewer.session.files.doctor import DoctorInputs, account, as_chosen, read_options_by_path, read_options_of
from irviewer.session.files.import_result import origins
from irviewer.session.files.loading import Request, requests_of, requests_of_sample
from irviewer.session.files.open_requests import OpenRequest, open_request_of
from irviewer.session.files.opening import Opened, Recent, open_requests
from irviewer.session.files.placement import place_files
from irviewer.session.files.rereading import best_qrels, without_former
from irviewer.session.files.samples import Sample, find_sample, samples
from irviewer.session.judging.history import HistoryService
from irviewer.session.judging.merging import Incoming, by_unnamed
from irviewer.session.messages import error, info, warning, without_topic
from irviewer.session.projects.project import has_work
from irviewer.session.shortcuts import keys
from irviewer.session.state_changes import Opening
from irviewer.session.store import Store
from irviewer.session.tasks import Progress
from irviewer.session.teaching.examples import TYPED
from irviewer.session.view import View

if TYPE_CHECKING:
    from irviewer.formats.doctor import Diagnosis, ReadOptions
    from irviewer.formats.load_report import LoadReport
    from irviewer.session.files.loading import Trouble


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
        self.reports: dict[str, LoadReport] = {}
        self._refused: dict[str, Trouble] = {}
        self._diagnosed: dict[str, tuple[object, ...]] = {}
        self.watch = DiskWatch()
        self._samples: tuple[Sample, ...] | None = None
        # Hooks: whether a project was opened, whether files wait until the user has said where they go, and who takes
        # judgments that were read.
        self.open_project: Callable[[Sequence[str]], bool] = lambda paths: False
        self.hold_back: Callable[[Opened, Opening], bool] = lambda opened, opening: False
        self.receive: Callable[[Incoming], object] = lambda incoming: None

    @property
    def recent(self) -> tuple[Recent, ...]:
        """The last openings, the newest first."""
        return tuple(Recent.of(paths) for paths in self._settings["recent"])

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The collections that come with the program."""
        if self._samples is None:
            self._samples = samples()
        return self._samples

    @property
    def has_refused(self) -> bool:
        """True where a file was not read for a reason that the file doctor knows a way out of."""
        return bool(self._refused)

    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """What the file doctor tells of each file of the collection in view, and of files that were refused; of large
        runs it takes seconds, so that a window asks ``find_diagnoses``."""
        return account(*self._doctor_inputs())

    def _doctor_inputs(self) -> DoctorInputs:
        collection, judgments = self._store.state.collection, self._view.judgments
        qrels = None if judgments is None else judgments.qrels
        others = [
            one.qrels for each in self._view.workspace.collections if each is not collection for one in each.judgments
        ]
        # The dicts are copied: a worker reads them while files are opened.
        reports, refused = dict(self.reports), dict(self._refused)
        return collection, qrels, origins(collection), reports, refused, others, self._diagnosed

    def set_collection(self, number: int) -> None:
        """Bring another open collection into view."""
        if 0 <= number < len(self._view.workspace.collections):
            place = "query" if self._view.place == "start" else self._store.state.place
            state = (
                self._store.state
                if number == self._store.state.current
                else state_changes.without_hints(self._store.state)
            )
            self._store.apply(replace(state, current=number, place=place))

    def open_files(self, paths: Sequence[str]) -> None:
        """Read files or folders of any kind in the background and put them where they belong; a project among them is
        opened in the place of what is open."""
        if not self.open_project(paths):
            self.open_paths(paths, Opening())

    def open_sample(self, name: str) -> None:
        """Open a sample by its id or name; one that is open already comes into view."""
        try:
            sample = find_sample(name)
        except IrviewerError as failure:
            self._store.say(error(str(failure)))
            return
        if sample is None:
            self._store.say(error(f"there is no sample {name!r}"))
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
        """Open again what was opened before; 0 is the last time."""
        recent = self._settings["recent"]
        if 0 <= number < len(recent):
            self.open_files(recent[number])

    def reload(self) -> None:
        """Read the files of the collection in view again; names, colours and order of runs stay."""
        self.open_again(origins(self._view.collection))

    def treat(self, path: str, read_options: ReadOptions) -> None:
        """Read a file, again or for the first time, under a choice of the file doctor's or of a person's own (as which
        kind and format it is taken); the choice stays with its collection."""
        qrels = (
            best_qrels(self._store.state, path, read_options)
            if self._view.judgments is None
            else self._view.judgments.qrels
        )
        known = path in self.reports or path == "-"
        requests = (Request(path, read_options=read_options, qrels=qrels),)
        self._open(
            lambda: OpenRequest(requests, () if known else (str(Path(path).resolve()),)), Opening(), Path(path).name
        )

    def match_ids(self, repair: Repair | None) -> None:
        """Read the files of all runs that the qrels know nothing of under the rules that make their ids match. None:
        there is no such rule, which is said."""
        if repair is None:
            self._store.say(
                warning("no rule makes these ids those of the qrels: are these the judgments of these runs?")
            )
            return
        qrels = {one.path: one.qrels for one in self._view.strangers}
        every = repair.read_options.items()
        open_request = OpenRequest(
            tuple(Request(path, read_options=one, qrels=qrels[path]) for path, one in every if path in qrels)
        )
        if open_request.requests:
            self._open(lambda: open_request, Opening(), _titled([one.path for one in open_request.requests]))

    def find_repair(self, deliver: Callable[[Repair | None], object]) -> None:
        """Find in the background what would make the ids of all such runs those of the qrels, and ``deliver`` it."""
        strangers = self._view.strangers
        known: dict[str, ReadOptions] = {}
        for collection in self._view.workspace.collections:
            known.update(read_options_by_path(collection))

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Repair | None:
            return repair_of(strangers, known, progress)

        def done(found: Repair | None) -> None:
            deliver(found)

        self._tasks.submit("repair", work, done, self._store.on_failure, title="Looking for what makes the ids match")

    def find_diagnoses(self, deliver: Callable[[tuple[Diagnosis, ...]], object]) -> None:
        """Find in the background what the file doctor tells of each file, and ``deliver`` it."""
        inputs = self._doctor_inputs()

        def work(progress: Progress, cancelled: Callable[[], bool]) -> tuple[Diagnosis, ...]:
            return account(*inputs, heard=progress)

        def done(found: tuple[Diagnosis, ...]) -> None:
            deliver(found)

        self._tasks.submit("diagnose", work, done, self._store.on_failure, title="Examining the files")

    def look_at(self, path: str, deliver: Callable[[FormatDetection], object]) -> None:
        """Find in the background what a file is taken for and why, and ``deliver`` it; no more than its beginning is
        read."""

        def work(progress: Progress, cancelled: Callable[[], bool]) -> FormatDetection:
            return look(path)

        def done(found: FormatDetection) -> None:
            deliver(found)

        self._tasks.submit(
            "look", work, done, self._store.on_failure, title=f"Looking at {Path(path).name}", reads=True
        )

    def read_options_of(self, path: str) -> ReadOptions | None:
        """How a file of the collection in view is read, None as every file is."""
        return read_options_of(self._view.collection, path)

    def cancel_look(self) -> None:
        """Nobody waits for it any more."""
        self._tasks.cancel("look")

    def cancel_diagnoses(self) -> None:
        """Nobody waits for them any more."""
        self._tasks.cancel("diagnose")

    def open_paths(self, paths: Sequence[str], opening: Opening) -> None:
        self._open(partial(open_request_of, tuple(paths), self._view.workspace), opening, _titled(paths))

    def open_again(self, paths: Sequence[str]) -> None:
        """Read files that are open, whichever collection they belong to; selection, names and colours stay."""
        if paths:
            self._open(lambda: OpenRequest(requests_of(paths)), Opening(), _titled(paths))

    def _open(self, find: Callable[[], OpenRequest], opening: Opening, title: str) -> None:
        """Read what ``find`` finds. It is asked on the worker: a disk that does not answer stops nobody else."""
        # A sample is a collection of its own, whatever else is open.
        workspace, current = (Workspace(), -1) if opening.sample else (self._view.workspace, self._store.state.current)
        judged = None if self._view.judgments is None else self._view.judgments.qrels

        def open_request() -> OpenRequest:
            found = find()
            return found if opening.sample else replace(found, requests=as_chosen(found.requests, workspace, judged))

        work = open_requests(open_request, workspace, current, self._store.state, self._evaluation)

        def done(opened: Opened) -> None:
            if not self.hold_back(opened, opening):
                self.place(opened, opening)

        self._openings += 1
        key = f"open sample {opening.sample}" if opening.sample else f"open {self._openings}"
        self._tasks.submit(key, work, done, self._store.on_failure, title=f"Reading {title}", reads=True)

    def place(self, opened: Opened, opening: Opening) -> None:
        """Put what was read where it belongs."""
        import_result, state = opened.import_result, without_former(self._store.state, opened.loaded_files.files)
        if opening.sample:
            import_result = import_result.appended_to(state.workspace)
        elif opened.workspace is not state.workspace:  # something was opened or changed meanwhile
            import_result = place_files(state.workspace, state.current, opened.loaded_files)
        self.reports.update((one.request.path, one.loaded.report) for one in opened.loaded_files.files)
        for file in opened.loaded_files.files:
            self._refused.pop(file.request.path, None)
            self.watch.note(file.request.path, file.stamp)
        self._refused.update((one.path, one) for one in opened.loaded_files.troubles if one.topic)
        if opened.open_request.folder:
            self._settings["last_folder"] = opened.open_request.folder
        if opened.open_request.remember and opened.loaded_files.files:
            self._settings.add_recent(list(opened.open_request.remember))
        told = state.messages if self.watch.changed else without_topic(state.messages, "read_changed")
        state = replace(state, messages=told)
        self._store.apply(
            state_changes.with_import_result(
                state, import_result, opening, self._store.context_of, self._settings["hints"]
            )
        )
        for one in import_result.patches:
            said = by_unnamed((row.judgment for row in one.patch.rows), one.patch.request.path)
            incoming = Incoming(one.patch.request.path, one.collection, one.judgments, said)
            self.receive(incoming)
        self._settings.save()

    def close_collection(self, number: int | None = None) -> None:
        """Close a collection, without a number the one in view. One in which the user made something, or that was
        typed, is opened again by undo, unless it is the last one: then its project, or what was left, holds it."""
        number = self._store.state.current if number is None else number
        if not 0 <= number < len(self._view.workspace.collections):
            return
        collection = self._view.workspace.collections[number]
        closed = state_changes.without_collection(self._store.state, number)
        read_once = TYPED in collection.notes or any(entry.run.origin == "-" for entry in collection.runs)
        worked = read_once or has_work(Workspace((collection,))) or self._history.has_steps(collection)
        if not worked or not closed.workspace.collections:
            self._store.apply(self._history.without_steps(closed, collection.identity))
            return
        told = info(f"Closed {collection.name} with what was made in it: undo ({keys('undo')}) opens it again")
        self._history.do(f"close {collection.name}", closed, told=replace(told, action="undo"))
        self._history.let_closed_go()

    def drop_collection(self) -> None:
        """Close the collection in view and forget what was made in it, as where an example begins anew."""
        if self._view.collection is not None:
            closed = state_changes.without_collection(self._store.state, self._store.state.current)
            self._store.apply(self._history.without_steps(closed, self._view.collection.identity))


def _titled(paths: Sequence[str]) -> str:
    """``a.run``, or ``3 files``."""
    return Path(paths[0]).name if len(paths) == 1 else f"{len(paths):,} files"
