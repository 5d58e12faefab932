"""What the user can do with projects except saving: open them, find files that moved, restore unsaved work."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.errors import checked_path
from irviewer.formats.part_files import sweep_parts
from irviewer.formats.project_file import SUFFIX, WITH_PROTOCOL, version_of
from irviewer.model.changes.history import History
from irviewer.model.workspace import Workspace
from irviewer.paths import can_be_path, is_folder
from irviewer.session import state_changes
from irviewer.session.changes import Change
from irviewer.session.files.actions import FileService
from irviewer.session.files.import_result import origins
from irviewer.session.files.loading import ReadFile, ReadPatch
from irviewer.session.files.opening import Opened
from irviewer.session.messages import LEFT, error, info, warning, without_topic
from irviewer.session.projects.autosave import Autosave, copies_messages, damaged_messages, torn_messages
from irviewer.session.projects.opening import OpenedProject, Seeking, open_project, same_path
from irviewer.session.projects.project import other_sections, restored
from irviewer.session.projects.recovery import UnsavedWork
from irviewer.session.projects.references import found_again
from irviewer.session.projects.saving import Known
from irviewer.session.state_changes import Opening
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.translation import tr, trn


@dataclass(frozen=True)
class Offered:
    """Files opened beside a project, which wait until the user decides whether they join it."""

    openings: tuple[tuple[Opened, Opening], ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files."""
        return tuple(read_file.request.path for opened, _ in self.openings for read_file in _read(opened))

    @property
    def title(self) -> str:
        """``later.run``, ``3 files``, or a sample's name."""
        names = [opening.name for _, opening in self.openings if opening.name]
        if names and len(self.openings) == 1:
            return names[0]
        paths = self.paths
        return Path(paths[0]).name if len(paths) == 1 else trn("{n:,} file", "{n:,} files", len(paths))

    @property
    def is_one(self) -> bool:
        """True for one file, or one sample."""
        return len(self.openings) == 1 and (len(self.paths) == 1 or bool(self.openings[0][1].name))


def _read(opened: Opened) -> tuple[ReadFile | ReadPatch, ...]:
    return (*opened.loaded_files.files, *opened.loaded_files.patches)


class ProjectService:
    """Opens and restores projects, and asks whether opened files join the open project."""

    def __init__(self, store: Store, view: View, files: FileService, autosave: Autosave) -> None:
        self._store = store
        self._tasks = store.tasks
        self._evaluation = store.evaluation
        self._settings = store.settings
        self._view = view
        self._files = files
        self._autosave = autosave
        files.open_project = self.open_any
        files.hold_back = self.hold_back
        autosave.left_changed = self._look_for_unsaved_work
        self._seeking: Seeking | None = None
        self._then: tuple[str, ...] = ()
        self._left: tuple[UnsavedWork, ...] = ()
        self._beside: tuple[UnsavedWork, ...] = ()  # those of them that lie beside a project
        self._asked: tuple[str, ...] = ()
        self._offers = False
        self._offered: Offered | None = None

    @property
    def seeking(self) -> Seeking | None:
        """A project with missing files, while the user is asked where they are; else None."""
        return self._seeking

    @property
    def unsaved_work(self) -> tuple[UnsavedWork, ...]:
        """Work that another window left without a project, or could not save in its own, the newest first, as of the
        last search."""
        return self._left

    @property
    def offered(self) -> Offered | None:
        """Files opened while a project is open, until the user decides whether they join it; else None."""
        return self._offered

    # --- files beside a project ---

    def join_project(self) -> None:
        """Let the files that were offered join the project."""
        offered, self._offered = self._offered, None
        for opened, opening in () if offered is None else offered.openings:
            self._files.place(opened, opening)

    def open_apart(self) -> None:
        """Close the project, which is saved, and open the files that were offered."""
        offered, self._offered = self._offered, None
        if offered is None or not self._may_close(offered.title):
            return
        nothing = replace(state_changes.without_hints(self._store.state), workspace=Workspace(), choices=(), current=-1)
        self._store.apply(replace(nothing, place="start", history=History()))
        for opened, opening in offered.openings:
            self._files.place(opened, opening)

    def leave_offered(self) -> None:
        """Do not open the files that were offered."""
        self._offered = None

    def hold_back(self, opened: Opened, opening: Opening) -> bool:
        """Return True if files wait until the user decides whether they join the project."""
        if self._autosave.project is None or opening.invited or not self._is_new(opened):
            return False
        before = () if self._offered is None else self._offered.openings
        self._offered = Offered((*before, (opened, opening)))
        self._store.asked.emit("join_project")
        self._store.changed.emit(frozenset({Change.PROJECT}))
        return True

    def _is_new(self, opened: Opened) -> bool:
        """Return True if some of the files are not open yet."""
        present = {
            os.path.realpath(path) for collection in self._view.workspace.collections for path in origins(collection)
        }
        return any(os.path.realpath(read_file.request.path) not in present for read_file in _read(opened))

    def _may_close(self, instead: str) -> bool:
        """Return True if the open work can be closed without loss; else show an error."""
        self._autosave.finish()
        if self._autosave.at_risk:
            text = tr("{file} was not opened: the open work is NOT saved, and would be closed.", file=instead)
            self._store.say(replace(error(text, self._autosave.save_account), action="save_project_as"))
        return not self._autosave.at_risk

    # --- opening ---

    def open_any(self, paths: Sequence[str]) -> bool:
        """Open the project among the paths, and the other files into it; False if there is none."""
        projects = [path for path in paths if path.endswith(SUFFIX) and not is_folder(path)]
        others = [path for path in paths if path not in projects]
        if not projects:
            return False
        if len(projects) > 1:
            text = tr("Only one project can be open. Opening {project}.", project=Path(projects[0]).name)
            self._store.say(warning(text))
        self.open_project(projects[0], then=others)
        return True

    def open_project(self, path: str, *, then: Sequence[str] = ()) -> None:
        """Open a project in the background, replacing what is open; ``then`` are files to be opened into it. If files
        are missing, ``seeking`` lists them and the user is asked. Work that cannot be saved is not replaced."""
        place = checked_path(path)
        if not self._may_close(place.name):
            return
        self._then = tuple(then)
        self._settings["last_folder"] = str(place.resolve().parent)
        self._open_project(path, {}, without=False)

    def point_to(self, pointed: str) -> int:
        """Set the new path of a missing file, or the folder of several; the others are searched for from there. Return
        the number of files found; when none is missing any more the project opens."""
        seeking = self._seeking
        if seeking is None:
            return 0
        paths_found = found_again(seeking.missing, pointed)
        missing = {reference: path for reference, path in seeking.missing.items() if reference not in paths_found}
        self._seeking = replace(seeking, missing=missing, moved={**seeking.moved, **paths_found})
        if paths_found and not missing:
            self._open_project(seeking.path, self._seeking.moved, without=False)
        self._store.changed.emit(frozenset({Change.PROJECT}))
        return len(paths_found)

    def open_without_missing(self) -> None:
        """Open the project with the existing files; it keeps its references to the others."""
        if self._seeking is not None:
            self._open_project(self._seeking.path, self._seeking.moved, without=True)

    def stop_seeking(self) -> None:
        """Leave the project closed."""
        self._seeking = None

    def _open_project(self, path: str, moved: Mapping[str, str], *, without: bool, kept: bool = False) -> None:
        base = None if kept else Path(path).resolve().parent
        work = open_project(path, moved, self._store.state, self._evaluation, base=base, without=without or kept)

        def done(result: Seeking | OpenedProject) -> None:
            if isinstance(result, Seeking):
                self._seeking = result
                self._store.asked.emit("find_files")
            else:
                self._on_project_opened(result, kept=kept)
                if moved and not kept and self._autosave.project is not None:
                    self._autosave.keep(changed=True)  # where its files are now, so that the next start asks no more

        title = tr("Opening {file}", file=Path(path).name)
        self._tasks.run(Operation("open project", work, done, title=title, reads=True))

    def _on_project_opened(self, opened: OpenedProject, *, kept: bool) -> None:
        self._seeking = None
        self._autosave.leave_project(self._store.state)
        if self._autosave.kept is not None and not same_path(str(self._autosave.kept), opened.path):
            self._autosave.recovery.release(self._autosave.kept)  # what was open stays to be restored
            self._autosave.kept = None
        path = Path(opened.path).resolve()
        if kept and not self._autosave.recovery.adopt(Path(opened.path)):
            self._store.say(warning(tr("This work is open in another window.")))
            return
        self._autosave.leases.release()
        self._autosave.project, self._autosave.kept = (None, Path(opened.path)) if kept else (path, self._autosave.kept)
        self._autosave.other, self._autosave.layout_section = (
            other_sections(opened.sections),
            opened.sections.get("layout", {}),
        )
        self._autosave.columns = opened.sections.get("columns", {})
        self._files.reports.update((read_file.request.path, read_file.loaded.report) for read_file in opened.files)
        for read_file in opened.files:
            self._files.watch.note(read_file.request.path, read_file.stamp)
        state, troubles = restored(self._store.state, opened.sections, opened.collections)
        messages = [error(trouble.text, *trouble.details) for trouble in opened.troubles]
        damage = [*opened.damaged, *(f"{path.name}: {trouble}" for trouble in troubles)]
        messages += torn_messages(path, damage) if opened.torn else damaged_messages(path, damage)
        if version_of(opened.content) < WITH_PROTOCOL:
            messages += copies_messages(state)
        if opened.absent:
            text = trn(
                "{file} is missing. The project keeps its reference to it.",
                "{n:,} files are missing. The project keeps its references to them.",
                len(opened.absent), file=opened.absent[0],
            )  # fmt: skip
            messages.append(warning(text, *opened.absent))
        state = replace(state, messages=(*without_topic(self._view.messages, LEFT), *messages))
        self._autosave.restoring = True
        try:
            self._store.apply(self._autosave.sound(state))
        finally:
            self._autosave.restoring = False
        # The base for detecting changes is a snapshot in this version's own form; files found elsewhere are a change.
        file = Path(opened.path) if kept else path
        base = opened.sections if opened.moved else self._autosave.snapshot(file)
        self._autosave.know(file, Known(opened.content, base, opened.stamp, bool(opened.damaged)))
        if not kept:
            self._autosave.say_elsewhere(path)
        if not kept:
            self._settings.add_recent([str(path)])
            self._settings.save()
        self._look_for_unsaved_work(() if kept else [str(path)])
        self._store.changed.emit(frozenset({Change.PROJECT}))
        if self._then:
            then, self._then = self._then, ()
            self._files.open_paths(then, Opening(invited=True, brought=True))

    # --- work that was left ---

    def offer_unsaved_work(self) -> None:
        """Find unsaved work without a project, or beside one of the recent projects, and offer to restore it; called
        when the program starts."""
        recent = [row[0] for row in self._settings["recent"] if len(row) == 1 and row[0].endswith(SUFFIX)]
        self._offers = True
        self._look_for_unsaved_work(recent)
        self._sweep()

    def restore_work(self, number: int = 0) -> None:
        """Open unsaved work; it is kept in the recovery folder until it is saved as a project."""
        if 0 <= number < len(self._left):
            self._open_project(str(self._left[number].path), {}, without=True, kept=True)

    def discard_work(self, work: UnsavedWork) -> None:
        """Delete unsaved work permanently. Nothing happens if another window has it open."""
        if work in self._left and self._autosave.recovery.adopt(work.path):
            self._autosave.recovery.discard(work.path)
            self._left = tuple(other for other in self._left if other != work)
        self._autosave.tell(without_topic(self._view.messages, LEFT))
        self._say_left(self._left)
        self._look_for_unsaved_work()
        self._store.changed.emit(frozenset({Change.PROJECT}))

    def _look_for_unsaved_work(self, projects: Sequence[str] = ()) -> None:
        """Find work that other windows left, and copies beside projects that could not be saved in these, in the
        background: folders may not answer, or be full."""
        recovery, former = self._autosave.recovery, self._beside
        self._asked = (*self._asked, *projects)  # a newer search takes the place of one under way
        asked = self._asked

        def work(progress: Progress) -> tuple[tuple[UnsavedWork, ...], tuple[UnsavedWork, ...]]:
            beside = {left.path: left for project in asked for left in recovery.left_beside(Path(project))}
            still = [left for left in former if left.path.exists() and not recovery.holds(left.path)]
            return recovery.left(), tuple({**{left.path: left for left in still}, **beside}.values())

        def done(works: tuple[tuple[UnsavedWork, ...], tuple[UnsavedWork, ...]]) -> None:
            before, (left, self._beside) = self._left, works
            known = {work.path for work in before}
            self._left = tuple(sorted((*left, *self._beside), key=lambda work: -work.when))
            news = [work for work in self._beside if work.path not in known and work.project in asked]
            news += [work for work in self._beside if work.project == self._autosave.project_path in asked]
            self._say_left([*news, *(left if self._offers else ())])
            self._asked, self._offers = (), False
            if self._left != before:
                self._store.changed.emit(frozenset({Change.PROJECT}))

        if not self._autosave.confidential:
            self._tasks.run(Operation("find unsaved work", work, done, quiet=True, reads=True))

    def _sweep(self) -> None:
        """Remove what programs that were killed have left half written, where this program wrote lately."""
        folders = {Path(path).parent for row in self._settings["recent"] for path in row if can_be_path(path)}
        folders |= {Path(self._settings["last_folder"] or "."), *self._autosave.recovery.folders}
        if self._settings.path is not None:
            folders.add(self._settings.path.parent)

        def work(progress: Progress) -> None:
            for folder in sorted(folders):
                if folder.is_absolute():
                    sweep_parts(folder)

        if not self._autosave.confidential:
            self._tasks.run(Operation("sweep", work, lambda _: None, quiet=True, reads=True))

    def _say_left(self, works: Sequence[UnsavedWork]) -> None:
        """Offer to restore the newest of the unsaved work."""
        if not works:
            return
        newest = max(works, key=lambda work: work.when)
        content = newest.words
        if len(self._left) > 1:
            content = tr("{content} (and {count:,} more)", content=content, count=len(self._left) - 1)
        if newest.project:
            name = Path(newest.project).name
            text = tr(
                "Work of {time} could not be saved in {project}. A copy is beside it: {content}",
                time=newest.time, project=name, content=content,
            )  # fmt: skip
            detail = tr("The copy opens without a project. Save it as {project} to replace the file.", project=name)
            message = info(text, str(newest.path), detail)
        else:
            message = info(
                tr("Work of {time} is not saved in a project yet: {content}", time=newest.time, content=content)
            )
        message = replace(message, topic=LEFT, action="restore_work")
        self._autosave.tell([*without_topic(self._view.messages, LEFT), message])
