"""What a person can do with projects: save, open, find files that moved, get back work that was left. A part of the
session, Qt-free.

Whatever changes the state passes ``_apply`` here, and is handed to the saver: what a person made at once, where they
are when they rest."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError
from irviewer.formats.project_file import SUFFIX, write_project
from irviewer.session.file_actions import FileActions
from irviewer.session.messages import Message, error, info, warning, without_topic
from irviewer.session.projects.opening import OpenedProject, Seeking, open_project, same_path
from irviewer.session.projects.project import Snapshot, has_work, other_sections, restored, without_removed
from irviewer.session.projects.recovery import Left, Recovery, recovery_folder
from irviewer.session.projects.references import found_again
from irviewer.session.projects.saving import Saver, Written, write_beside
from irviewer.session.settings import Settings
from irviewer.session.state import State
from irviewer.session.tasks import Post

NOT_SAVED, LEFT = "not_saved", "left_work"


class ProjectActions(FileActions):
    """The session's methods for projects."""

    def __init__(self, settings: Settings | None = None, *, post: Post | None = None) -> None:
        self._project: Path | None = None
        self._kept: Path | None = None  # the file of work that has no project
        self._other: Mapping[str, Any] = {}
        self._layout: Mapping[str, Any] = {}
        self._made = self._saved = 0  # the last thing that is to be kept, and the last that is on the disk
        self._steps = 0
        self._trouble = ""
        self._autosave = True
        self._restoring = False
        self._seeking: Seeking | None = None
        self._then: tuple[str, ...] = ()
        self._left: tuple[Left, ...] = ()
        self._saver = Saver(post, self._on_written)
        super().__init__(settings, post=post)
        self._recovery = Recovery(recovery_folder(self.settings))

    def close(self) -> None:
        """Write what waits; work without a project stays for the next time, where there is any."""
        self._leave_project(self._state)
        self._saver.close()
        if self._saver.last is not None and self._saver.last.trouble:
            self._rescue()
        if self._kept is not None and not has_work(self.workspace):
            self._recovery.discard(self._kept)
        self._recovery.close()
        super().close()

    def _leave_project(self, state: State) -> None:
        """Write what waits, and the project without the runs that only undo could bring back."""
        if self._project is not None and self._autosave and any(one.removed for one in state.workspace.collections):
            self._made += 1
            self._saver.save(self._snapshot(self._project, without_removed(state)), self._made, at_once=True)
        self._saver.flush()

    def _rescue(self) -> None:
        """The project could not be written: what was made in it is kept as work without one, if that can be."""
        path = None if self._confidential or not has_work(self.workspace) else self._recovery.claim()
        if path is not None:
            with contextlib.suppress(IrviewerError):
                text, kept = self._snapshot(path).written()
                write_beside(path, kept)
                write_project(path, text)

    # --- what there is ---

    @property
    def project_path(self) -> str:
        """The project's file, "" where what is open has none."""
        return "" if self._project is None else str(self._project)

    @property
    def project_name(self) -> str:
        """The project's name, "" where there is none."""
        return "" if self._project is None else self._project.name.removesuffix(SUFFIX)

    @property
    def is_saved(self) -> bool:
        """True where all that a person made and where they are is on the disk, in the project or kept until it is in
        one."""
        return self._saved >= self._made and not self._trouble

    @property
    def save_status(self) -> str:
        """Short, for the status line: "saved" only where it is; "" where there is nothing to save."""
        if self._project is None and self._kept is None:
            return ""
        if self._trouble:
            return "not saved"
        if not self.is_saved:
            return "saving …"
        return "saved" if self._project is not None else "kept, not in a project"

    @property
    def save_account(self) -> str:
        """The same in a sentence or two."""
        if self._trouble:
            return f"Not saved: {self._trouble}"
        if self._project is not None:
            return f"Every change is saved in {self._project}"
        return "Kept until it is saved as a project, also if the program is killed" if self._kept is not None else ""

    @property
    def seeking(self) -> Seeking | None:
        """A project some of whose files are missing, while it is asked where they are."""
        return self._seeking

    @property
    def left_work(self) -> tuple[Left, ...]:
        """Work without a project that another window left, the newest first, as far as it was looked for."""
        return self._left

    @property
    def layout(self) -> Mapping[str, Any]:
        """How the project's window was divided, in the window's own words."""
        return self._layout

    # --- saving ---

    def set_autosave(self, on: bool) -> None:
        """Whether changes are saved by themselves: not where a picture is made."""
        self._autosave = on

    def set_layout(self, layout: Mapping[str, Any]) -> None:
        """How the window is divided now; kept with the project."""
        if layout != self._layout:
            self._layout = dict(layout)
            self._keep(made=False)

    def save_project(self, path: str = "") -> None:
        """Save what is open as a project, from now on by itself after every change; without a path where it is saved
        already."""
        if path:
            target = Path(path if path.endswith(SUFFIX) else path + SUFFIX).resolve()
            if target != self._project:
                self._saver.flush()
                self._project, self._trouble = target, ""
                self.settings["last_folder"] = str(target.parent)
                self.settings.add_recent([str(target)])
        if self._project is None:
            raise IrviewerError("a project needs a file: say where to save it")
        self._made += 1
        self._saver.save(self._snapshot(self._project), self._made, at_once=True, force=True)
        self.changed.emit(frozenset({"project"}))

    def _apply(self, state: State) -> None:
        old = self._state
        super()._apply(state)
        new = self._state
        if new is old or self._restoring:
            return
        made = old.workspace is not new.workspace or _said(old) != _said(new)
        if made and not new.workspace.collections and old.workspace.collections:
            self._set_aside(old)
            return
        if made or _where(old) != _where(new):
            self._keep(made=made)

    def _keep(self, *, made: bool) -> None:
        if not self._autosave or self._restoring or self._state.current < 0:
            return
        self._steps += 1
        if self._project is None:
            if self._confidential:
                return
            if not has_work(self.workspace):
                self._keep_nothing()
                return
            self._kept = self._kept or self._recovery.claim()
        path = self._project or self._kept
        if path is None:
            return
        before = self.save_status
        self._made += 1
        self._saver.save(self._snapshot(path), self._made, at_once=made)
        if before != self.save_status:
            self.changed.emit(frozenset({"project"}))

    def _keep_nothing(self) -> None:
        """All that was made was undone: what was kept of it is not to come back."""
        if self._kept is not None:
            self._saver.forget()
            self._saver.flush()
            self._recovery.discard(self._kept)
            self._kept, self._saved = None, self._made
            self.changed.emit(frozenset({"project"}))

    @property
    def _confidential(self) -> bool:
        return self.settings.path is None

    def _snapshot(self, path: Path, state: State | None = None) -> Snapshot:
        base = path.parent if path == self._project else None
        return Snapshot(state or self._state, path, base, self._layout, self._other)

    def _set_aside(self, old: State) -> None:
        """The last collection was closed: the project stays as it was saved, work without one can be restored."""
        self._leave_project(old)
        if self._kept is not None and self._project is None:
            self._recovery.release(self._kept)
            self._look_for_left()
        self._project = self._kept = None
        self._other, self._layout, self._trouble = {}, {}, ""
        self.changed.emit(frozenset({"project"}))

    def _on_written(self, told: Written) -> None:
        if told.path not in (self._project, self._kept):
            return
        before = self.save_status
        self._trouble = told.trouble
        if not told.trouble:
            self._saved = max(self._saved, told.version)
            if told.path == self._project and self._kept is not None:
                self._recovery.discard(self._kept)  # all of it is in the project now
                self._kept = None
        messages = without_topic(self.messages, NOT_SAVED)
        if told.trouble:
            how = (
                "Save project writes over it, Save project as… beside it" if told.foreign else "Save project as… helps"
            )
            message = replace(error(f"Not saved: {told.trouble}", how), topic=NOT_SAVED, action="save_project_as")
            messages = (*messages, message)
        if messages != self.messages:
            self._apply(replace(self._state, messages=messages))
        if before != self.save_status:
            self.changed.emit(frozenset({"project"}))

    # --- opening ---

    def open_files(self, paths: Sequence[str]) -> None:
        projects = [one for one in paths if one.endswith(SUFFIX) and not Path(one).is_dir()]
        others = [one for one in paths if one not in projects]
        if not projects:
            super().open_files(others)
            return
        if len(projects) > 1:
            self.say(warning(f"one project at a time: {Path(projects[0]).name} is opened"))
        self.open_project(projects[0], then=others)

    def open_project(self, path: str, *, then: Sequence[str] = ()) -> None:
        """Open a project in the place of what is open, in the background; ``then`` are files to be opened into it.
        Files that are not where it says are sought: ``seeking`` says which, and the window is asked."""
        self._then = tuple(then)
        self.settings["last_folder"] = str(Path(path).resolve().parent)
        self._open_project(path, {}, without=False)

    def point_to(self, pointed: str) -> int:
        """Say where a missing file of the project is, or the folder of several; the others are looked for from there.
        How many were found; when none is missing any more the project opens."""
        seeking = self._seeking
        if seeking is None:
            return 0
        found = found_again(seeking.missing, pointed)
        missing = {told: path for told, path in seeking.missing.items() if told not in found}
        self._seeking = replace(seeking, missing=missing, moved={**seeking.moved, **found})
        if found and not missing:
            self._open_project(seeking.path, self._seeking.moved, without=False)
        self.changed.emit(frozenset({"project"}))
        return len(found)

    def open_without_missing(self) -> None:
        """Open the project with the files that are there; it keeps what it says of the others."""
        if self._seeking is not None:
            self._open_project(self._seeking.path, self._seeking.moved, without=True)

    def stop_seeking(self) -> None:
        """Leave the project closed."""
        self._seeking = None

    def _open_project(self, path: str, moved: Mapping[str, str], *, without: bool, kept: bool = False) -> None:
        base = None if kept else Path(path).resolve().parent
        work = open_project(path, moved, self._state, self._evaluation, base=base, without=without or kept)

        def done(found: Seeking | OpenedProject) -> None:
            if isinstance(found, Seeking):
                self._seeking = found
                self.asked.emit("find_files")
            else:
                self._on_project_opened(found, kept=kept)
                if moved and not kept and self._project is not None:
                    self._keep(made=True)  # where its files are now, so that the next start asks no more

        title = f"Opening {Path(path).name}"
        self._tasks.submit("open project", work, done, self._on_failure, title=title, reads=True)

    def _on_project_opened(self, found: OpenedProject, *, kept: bool) -> None:
        self._seeking = None
        self._leave_project(self._state)
        if self._kept is not None and not same_path(str(self._kept), found.path):
            self._recovery.release(self._kept)  # what was open stays to be restored
            self._kept = None
        path = Path(found.path).resolve()
        if kept and not self._recovery.adopt(Path(found.path)):
            self.say(warning("this work is open in another window"))
            return
        self._project, self._kept = (None, Path(found.path)) if kept else (path, self._kept)
        self._saver.know(Path(found.path) if kept else path, found.content if found.damaged else None)
        self._other, self._layout = other_sections(found.sections), found.sections.get("layout", {})
        self._reports.update((one.request.path, one.loaded.report) for one in found.files)
        for one in found.files:
            self._disk.note(one.request.path, one.stamp)
        state, troubles = restored(self._state, found.sections, found.collections)
        told = [error(one.text, *one.details) for one in found.troubles]
        told += _damaged(path, [*found.damaged, *(f"{path.name}: {one}" for one in troubles)])
        if found.absent:
            names = f"{len(found.absent):,} files are" if len(found.absent) > 1 else f"{found.absent[0]} is"
            told.append(warning(f"{names} missing: the project keeps what it says of them", *found.absent))
        state = replace(state, messages=(*without_topic(self.messages, LEFT), *told))
        self._restoring = True
        try:
            self._apply(self._sound(state))
        finally:
            self._restoring = False
        self._saved, self._trouble = self._made, ""
        if not kept:
            self.settings.add_recent([str(path)])
            self.settings.save()
        self._look_for_left()
        self.changed.emit(frozenset({"project"}))
        if self._then:
            then, self._then = self._then, ()
            self.open_files(then)

    def _sound(self, state: State) -> State:
        """The state with a query selected that there is, in every collection."""
        for place, collection in enumerate(state.workspace.collections):
            if not (collection.runs or collection.judgments):
                continue
            there = replace(state, current=place)
            scene = self._plain_scene_of(there)
            if scene.query_ids and there.chosen.query_id not in scene.query_index:
                first = scene.query_ids[int(scene.natural_order[0])]
                there = there.with_chosen(replace(there.chosen, query_id=first, document_id=None))
            state = replace(there, current=state.current)
        return state

    # --- work that was left ---

    def offer_left_work(self) -> None:
        """Look for work that was left without a project, and say so; to be called when the program begins."""
        self._look_for_left()
        if self._left:
            newest = self._left[0]
            more = f" (and {len(self._left) - 1} more)" if len(self._left) > 1 else ""
            message = info(f"Work of {newest.time} is in no project yet: {newest.words}{more}")
            self.say(replace(message, topic=LEFT, action="restore_work"))

    def restore_work(self, number: int = 0) -> None:
        """Open work that was left; it stays kept until it is saved as a project."""
        if 0 <= number < len(self._left):
            self._open_project(str(self._left[number].path), {}, without=True, kept=True)

    def discard_work(self, number: int) -> None:
        """Throw work away that was left."""
        if 0 <= number < len(self._left) and self._recovery.adopt(self._left[number].path):
            self._recovery.discard(self._left[number].path)
            self._look_for_left()

    def _look_for_left(self) -> None:
        self._left = () if self._confidential else self._recovery.left()


def _damaged(path: Path, lines: Sequence[str]) -> list[Message]:
    """What of a project was left out because it is damaged: one message."""
    if not lines:
        return []
    if len(lines) == 1:
        return [warning(f"{lines[0]}; it was left out")]
    return [warning(f"{len(lines):,} parts of {path.name} are damaged and were left out: {lines[0]}; …", *lines)]


def _said(state: State) -> tuple[object, ...]:
    """What a person said of which numbers there are and how they are made, beside the collections."""
    compared = (state.chosen.baseline, state.chosen.query_set, state.chosen.judgments)
    numbers = (str(state.measure), state.cutoff, *compared)
    return state.options, state.statistics, numbers, state.finding.limits, state.finding.sizes


def _where(state: State) -> tuple[object, ...]:
    """What a project keeps of where one is, beside the collections."""
    view = (state.place, state.cutoff, str(state.measure), state.lists_mode, dict(state.tabs), state.blind)
    return state.choices, state.current, view, state.finding, state.matrix
