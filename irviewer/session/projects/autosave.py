"""How what is open is kept while the user works: in the project's file, or without one where the program keeps work; in
several windows at once, and where nothing can be written.

Whatever changes the state passes ``_apply`` here, and is handed to the saver: what the user made at once, where they
are when they rest. What another window saved meanwhile is joined with it, judgment by judgment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError
from irviewer.formats.project_file import SUFFIX
from irviewer.model.workspace import Workspace
from irviewer.session.changes import Change
from irviewer.session.files.actions import FileService
from irviewer.session.files.changed_files import Stamp, stamp
from irviewer.session.files.disk_actions import DiskService
from irviewer.session.messages import Message, error, info, warning, without_topic
from irviewer.session.projects.joining import Joined, join_project
from irviewer.session.projects.leases import Leases, user_name
from irviewer.session.projects.merging import Conflict, Side
from irviewer.session.projects.project import Snapshot, has_work, without_removed
from irviewer.session.projects.recovery import Recovery, other_folders, recovery_folder
from irviewer.session.projects.saving import Known, Saver, Written
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Progress, Tasks
from irviewer.session.view import View

NOT_SAVED, ELSEWHERE, JOINED = "not_saved", "open_elsewhere", "joined"
"""Topics of messages: a newer one takes the place of the one before."""

CONFIDENTIAL = "this window is confidential and keeps nothing by itself"

LOOK = "look at the project"
ATTEMPTS = 5
"""So often is joined at the end, where others go on saving."""


@dataclass(frozen=True)
class Division:
    """What was changed here and in the project's file so that both cannot hold: nothing is saved until the user has
    chosen."""

    path: str
    conflicts: tuple[Conflict, ...]


class Autosave:
    """Keeps what the user made, in the project's file or in a folder of work without one."""

    def __init__(self, store: Store, view: View, files: FileService, disk: DiskService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._evaluation = store.evaluation
        self._settings = store.settings
        self._view = view
        self._files = files
        self._disk = disk
        self.left_changed: Callable[[], object] = lambda: None
        self.project: Path | None = None
        self.kept: Path | None = None  # the file of work that has no project
        self.other: Mapping[str, Any] = {}
        self.layout_section: Mapping[str, Any] = {}
        self._made = self._saved = 0  # the last thing that is to be kept, and the last that is on the disk
        self._worked = 0  # the last of them that the user made, and not merely where they are
        self._steps = 0
        self._trouble = ""
        self._rescued: Path | None = None
        self._warned: tuple[str, Path | None] = ("", None)
        self._unreadable = False
        self._division: Division | None = None
        self._prefer: Side = ""
        self._autosave = True
        self.restoring = False
        self._saver = Saver(store.post, self._on_written, self._rescue)
        self.leases = Leases()
        self.recovery = Recovery(recovery_folder(self._settings), other_folders())

    def finish(self) -> None:
        """Write what waits, joined with what was saved elsewhere meanwhile; returns when it is on the disk, or cannot
        be. ``at_risk`` then says whether the user would lose something."""
        for _ in range(ATTEMPTS):
            if not self._saver.flush():
                self._give_up()
                return
            told = self._saver.last
            if told is None or not told.foreign or told.path != self._file or self._division is not None:
                break
            self._tasks.cancel("join project")
            self._join(at_once=True)

    def _give_up(self) -> None:
        """What waits cannot be written, nor can its failure be waited for. No copy is made here: what a project says of
        its files asks the same disk."""
        self._say_trouble("the disk does not answer")

    def close(self) -> None:
        """Write what waits; work without a project stays for the next time, where there is any."""
        self.leave_project(self._store.state)
        answers = self._saver.close()
        if answers and self.at_risk and self._rescued is None:
            self._rescue_here()
        if self.kept is not None and not has_work(self._view.workspace):
            self.recovery.discard(self.kept)
        if answers:
            self.leases.release()
        self.recovery.close()

    # --- what there is ---

    @property
    def project_path(self) -> str:
        """The project's file, "" where what is open has none."""
        return "" if self.project is None else str(self.project)

    @property
    def project_name(self) -> str:
        """The project's name, "" where there is none."""
        return "" if self.project is None else self.project.name.removesuffix(SUFFIX)

    @property
    def is_saved(self) -> bool:
        """True where all that a person made and where they are is on the disk, in the project or kept until it is in
        one."""
        return self._saved >= self._made and not self._trouble

    @property
    def at_risk(self) -> bool:
        """True where something that the user made is in no project and not kept where the next start looks for it:
        whoever closes the window is asked."""
        return self._worked > self._saved and bool(self._trouble)

    @property
    def save_status(self) -> str:
        """Short, for the status line: "saved" only where it is; "NOT saved" where something made may be lost; "" where
        there is nothing to save."""
        if self.at_risk:
            return "NOT saved"
        if self.project is None and self.kept is None:
            return ""
        if self._trouble:
            return "not saved"
        if not self.is_saved:
            return "saving …"
        return "saved" if self.project is not None else "kept, not in a project"

    @property
    def save_account(self) -> str:
        """The same in a sentence or two."""
        if self.at_risk:
            return f"NOT saved: {self._trouble}. {self.copy_account}"
        if self._trouble:
            return f"Where you are is not saved: {self._trouble}"
        if self.project is not None:
            return f"Every change is saved in {self.project}"
        return "Kept until it is saved as a project, also if the program is killed" if self.kept is not None else ""

    @property
    def copy_account(self) -> str:
        """Where a copy is of what could not be saved, in a sentence."""
        return "There is no copy of it anywhere." if self._rescued is None else f"A copy is in {self._rescued}."

    @property
    def rescued(self) -> str:
        """The copy of what could not be saved, "" where there is none; the next start offers it."""
        return "" if self._rescued is None else str(self._rescued)

    @property
    def division(self) -> Division | None:
        """What the user has to choose before anything is saved, None where there is nothing."""
        return self._division

    @property
    def layout(self) -> Mapping[str, Any]:
        """How the project's window was divided, in the window's own words."""
        return self.layout_section

    @property
    def confidential(self) -> bool:
        return self._settings.path is None

    @property
    def _file(self) -> Path | None:
        """Where what is open is written to; of work without a project a file that may not be possible."""
        return self.project or self.kept or self.recovery.nowhere

    # --- saving ---

    def set_autosave(self, on: bool) -> None:
        """Whether changes are saved by themselves: not where a picture is made."""
        self._autosave = on

    def set_layout(self, layout: Mapping[str, Any]) -> None:
        """How the window is divided now; kept with the project."""
        if layout != self.layout_section:
            self.layout_section = dict(layout)
            self.keep(made=False)

    def save_project(self, path: str = "") -> None:
        """Save what is open as a project, from now on by itself after every change; without a path where it is saved
        already."""
        target = Path(path if path.endswith(SUFFIX) else path + SUFFIX).resolve() if path else self.project
        if target is None:
            raise IrviewerError("a project needs a file: say where to save it")
        anew = target != self.project
        if anew:
            self._saver.flush()
            self.project, self._division = target, None
            self._settings["last_folder"] = str(target.parent)
            self._settings.add_recent([str(target)])
        elif self._division is not None:
            self._store.asked.emit("settle_project")
            return
        self._made = self._worked = self._made + 1
        force = anew or self._unreadable
        self._saver.save(self.snapshot(target), self._made, at_once=True, force=force)
        if anew:
            self.say_elsewhere(target)
        self._store.changed.emit(frozenset({Change.PROJECT}))

    def follow(self, old: State) -> None:
        """Hand the present state to the saver where it differs from the former one in what is kept."""
        new = self._store.state
        if new is old or self.restoring:
            return
        made = old.workspace is not new.workspace or _said(old) != _said(new)
        if made and not new.workspace.collections and old.workspace.collections:
            self._set_aside(old)
            return
        if made or _where(old) != _where(new):
            self.keep(made=made)

    def keep(self, *, made: bool) -> None:
        if not self._autosave or self.restoring or self._store.state.current < 0:
            return
        self._steps += 1
        if self.project is None and not has_work(self._view.workspace):
            self._keep_nothing()
            return
        before = self.save_status
        self._made += 1
        self._worked = self._made if made else self._worked
        if self.project is None:
            self.kept = self.kept or self.recovery.claim()
        path = self._file
        if path is None:
            self._trouble = CONFIDENTIAL
        else:
            self._saver.save(self.snapshot(path), self._made, at_once=made)
        if before != self.save_status:
            self._store.changed.emit(frozenset({Change.PROJECT}))

    def _keep_nothing(self) -> None:
        """All that was made was undone: what was kept of it is not to come back."""
        if self.kept is None and not self._trouble:
            return
        self._saver.forget()
        self._saver.flush()
        for path in (self.kept, self.recovery.nowhere):
            if path is not None:
                self.recovery.saved(path)
        if self.kept is not None:
            self.recovery.discard(self.kept)
        self.kept, self._saved = None, self._made
        self._say_trouble("")
        self._store.changed.emit(frozenset({Change.PROJECT}))

    def snapshot(self, path: Path, state: State | None = None) -> Snapshot:
        base = path.parent if path == self.project else None
        return Snapshot(state or self._store.state, path, base, self.layout_section, self.other)

    def leave_project(self, state: State) -> None:
        """Write what waits, and the project without the runs that only undo could bring back."""
        self.finish()
        if self.project is not None and self._autosave and any(one.removed for one in state.workspace.collections):
            self._made += 1
            self._saver.save(self.snapshot(self.project, without_removed(state)), self._made, at_once=True)
            self._saver.flush()

    def _set_aside(self, old: State) -> None:
        """The last collection was closed: the project stays as it was saved, work without one can be restored."""
        if self.project is not None:
            self.leave_project(old)
        self._saver.flush()
        if self.kept is not None and self.project is None:
            self.recovery.release(self.kept)
        self.leases.release()
        self.project = self.kept = self._division = None
        self.other, self.layout_section = {}, {}
        self._saved = self._made
        self._say_trouble("")
        self.left_changed()
        self._store.changed.emit(frozenset({Change.PROJECT}))

    def _look_for_unsaved_work(self) -> None:
        """Look for work that other windows have left."""

    # --- what the saver says ---

    def _rescue(self, snapshot: Snapshot) -> Path | None:
        """Put what could not be saved somewhere else; on the saver's thread."""
        return self.recovery.rescue(snapshot) if has_work(snapshot.state.workspace) else None

    def _rescue_here(self) -> None:
        path = self._file
        if path is not None:
            self._rescued = self._rescue(self.snapshot(path))

    def _on_written(self, told: Written) -> None:
        if told.path != self._file:
            return
        if told.foreign:
            self._join()
            return
        before = self.save_status
        self._rescued = told.copy
        if not told.trouble:
            self._saved = max(self._saved, told.version)
            self._unreadable = False
            self.recovery.saved(told.path)
            if told.path == self.recovery.nowhere and self.project is None:
                self.kept = told.path  # there is room again
                self.recovery.adopt(told.path)
            if told.path == self.project and self.kept is not None:
                self.recovery.saved(self.kept)
                self.recovery.discard(self.kept)  # all of it is in the project now
                self.kept = None
        self._say_trouble(told.trouble)
        if before != self.save_status:
            self._store.changed.emit(frozenset({Change.PROJECT}))

    def _say_trouble(self, trouble: str) -> None:
        """Why nothing is saved, as a message where something is at risk; "" takes it back."""
        self._trouble = trouble
        if not trouble:
            self._rescued = None
        messages = without_topic(self._view.messages, NOT_SAVED)
        key = (trouble, self._rescued)
        # Said once: whoever has put the message away has read it, and the status line goes on saying so.
        if self.at_risk and (key != self._warned or len(messages) < len(self._view.messages)):
            details = [self.copy_account, "Save project as… puts it somewhere else"]
            if self._unreadable:
                details.append("Save project writes it there; what stands there is kept beside it")
            message = error(f"NOT saved: {trouble}. {self.copy_account}", *details)
            messages = (*messages, replace(message, topic=NOT_SAVED, action="save_project_as"))
        self._warned = key
        if messages != self._view.messages:
            self.tell(messages)

    def tell(self, messages: Sequence[Message]) -> None:
        """Other messages, which are nothing to be saved."""
        restoring, self.restoring = self.restoring, True
        try:
            self._store.apply(replace(self._store.state, messages=tuple(messages)))
        finally:
            self.restoring = restoring

    # --- other windows ---

    def look_at_disk(self) -> None:
        """Look whether the open files are as they were read, and whether the project was saved elsewhere; try again
        what could not be saved."""
        self._disk.look_at_disk()
        path = self.project
        if not self._autosave or self._tasks.under_way("join project") or self._tasks.under_way(LOOK):
            return
        if self._trouble and self._division is None and self._trouble != CONFIDENTIAL and self._saver.idle:
            self.keep(made=self._worked > self._saved)
        if path is None:
            return

        def work(progress: Progress, cancelled: object) -> Stamp | None:
            self.leases.refresh()
            return stamp(str(path))

        def done(found: Stamp | None) -> None:
            if path == self.project and self._saver.is_changed(path, found):
                self._join()

        self._tasks.submit(LOOK, work, done, self._store.on_failure, quiet=True, reads=True)

    def say_elsewhere(self, path: Path) -> None:
        """Say that the project is open here, and to the user where else it is."""
        if not self._autosave:
            return
        others = self.leases.take(path, str(self._settings["assessor"]) or user_name())
        messages = without_topic(self._view.messages, ELSEWHERE)
        if others:
            more = f", and in {len(others) - 1} more" if len(others) > 1 else ""
            text = f"{path.name} is open in another window, too: {others[0].words}{more}"
            message = warning(
                f"{text}. What each of them saves is merged",
                *(one.words for one in others),
                "Judgments and notes are merged one by one; of two judgments of one document the later holds, and it is"
                " said. What cannot be merged is asked.",
            )
            messages = (*messages, replace(message, topic=ELSEWHERE))
        if messages != self._view.messages:
            self.tell(messages)

    def settle_project(self, side: Side) -> None:
        """Choose whose values hold where both sides changed the same: "mine" or "theirs"."""
        if self._division is not None:
            self._prefer, self._division = side, None
            self._join()

    def _join(self, *, at_once: bool = False) -> None:
        """Join what was saved to the file elsewhere with what is open."""
        path = self._file
        known = None if path is None else self._saver.known(path)
        if path is None or known is None:
            return
        self._saver.forget()  # what waits is what is open, and comes after
        work = join_project(self.snapshot(path), known, self._evaluation, self._prefer)
        tasks = Tasks() if at_once else self._tasks
        tasks.submit(
            "join project", work, self._on_joined, self._on_join_failed, title=f"Merging {path.name}", reads=True
        )

    def _on_joined(self, found: Joined) -> None:
        path = found.snapshot.path
        if path != self._file:
            return
        if self._store.state.workspace is not found.snapshot.state.workspace or _said(self._store.state) != _said(
            found.snapshot.state
        ):
            self._join()  # the user went on meanwhile
            return
        self._unreadable = False
        if found.merged is not None and found.merged.conflicts:
            self._divide(found)
            return
        self._prefer, self._division = "", None
        self._saver.know(path, found.known)
        if found.merged is not None:
            self._take(found)
        if found.merged is None or found.differs:
            self._say_trouble("")
            if self._made > self._saved or found.differs:
                self.keep(made=found.differs or self._worked > self._saved)
        else:
            self._saved = self._made
            self._say_trouble("")
        self._store.changed.emit(frozenset({Change.PROJECT}))

    def _take(self, found: Joined) -> None:
        """What was saved elsewhere, in the state; said where it is more than nothing."""
        assert found.merged is not None
        if found.other is not None:
            self.other = found.other
        self._files.reports.update((one.request.path, one.loaded.report) for one in found.files)
        for one in found.files:
            self._files.watch.note(one.request.path, one.stamp)
        messages = list(without_topic(self._view.messages, JOINED))
        messages += [error(one.text, *one.details) for one in found.troubles] + damaged_told(
            found.snapshot.path, found.damaged
        )
        said = (*found.merged.news, *found.merged.settled)
        if said:
            more = f" and {len(said) - 2} more" if len(said) > 2 else ""
            text = f"{found.snapshot.path.name} was saved elsewhere; merged: {'; '.join(said[:2])}{more}"
            messages.append(replace(info(text, *said), topic=JOINED))
        state = self._store.state if found.state is None else self._with_joined(found.state, found.merged.rekeyed)
        self.restoring = True
        try:
            self._store.apply(self.sound(replace(state, messages=tuple(messages))))
        finally:
            self.restoring = False

    def _with_joined(self, joined: State, rekeyed: Mapping[str, object]) -> State:
        """The present state with the collections that were joined; where the user went meanwhile they stay."""
        now = self._store.state
        here = {one.identity: chosen for one, chosen in zip(now.workspace.collections, now.choices, strict=True)}
        pairs = zip(joined.workspace.collections, joined.choices, strict=True)
        choices = tuple(
            here[one.identity] if one.identity in here and one.identity not in rekeyed else chosen
            for one, chosen in pairs
        )
        identities = [one.identity for one in joined.workspace.collections]
        in_view = None if now.collection is None else now.collection.identity
        current = identities.index(in_view) if in_view in identities else min(max(now.current, 0), len(identities) - 1)
        return replace(
            now,
            workspace=Workspace(joined.workspace.collections),
            choices=choices,
            current=current,
            place=now.place if identities else "start",
            options=joined.options,
            statistics=joined.statistics,
            finding=joined.finding,
            history=joined.history,
        )

    def _divide(self, found: Joined) -> None:
        """Nothing can be saved before the user has said which holds."""
        assert found.merged is not None
        asked = self._division is None or self._division.conflicts != found.merged.conflicts
        self._division = Division(str(found.snapshot.path), found.merged.conflicts)
        self._worked = self._made = max(self._made, self._saved + 1)
        if asked:
            self._rescue_here()
        name = found.snapshot.path.name
        self._trouble = f"{name} was changed elsewhere in what was changed here, too"
        lines = [f"{one.what}: {one.mine} here, {one.theirs} in the file" for one in found.merged.conflicts]
        message = error(f"NOT saved: {self._trouble}. {self.copy_account}", *lines)
        message = replace(message, topic=NOT_SAVED, action="settle_project")
        self.tell([*without_topic(self._view.messages, NOT_SAVED), message])
        self._store.changed.emit(frozenset({Change.PROJECT}))
        if asked:
            self._store.asked.emit("settle_project")

    def _on_join_failed(self, failure: BaseException) -> None:
        """What is in the file cannot be read: it is left as it is, and what was made here is put somewhere else."""
        self._unreadable = True
        if self._worked > self._saved:
            self._rescue_here()
        self._say_trouble(str(failure))
        self._store.changed.emit(frozenset({Change.PROJECT}))
        if not isinstance(failure, IrviewerError):
            raise failure

    def know(self, path: Path, known: Known) -> None:
        """What is open is from now on what that file holds."""
        self._saver.know(path, known)
        self._saved = self._worked = self._made
        self._division, self._unreadable, self._rescued, self._prefer = None, False, None, ""
        self._say_trouble("")

    def sound(self, state: State) -> State:
        """The state with a query selected that there is, in every collection."""
        for place, collection in enumerate(state.workspace.collections):
            if not (collection.runs or collection.judgments):
                continue
            there = replace(state, current=place)
            context = self._store.plain_context_of(there)
            if context.query_ids and there.chosen.query_id not in context.query_index:
                first = context.query_ids[int(context.natural_order[0])]
                there = there.with_chosen(replace(there.chosen, query_id=first, document_id=None))
            state = replace(there, current=state.current)
        return state


def damaged_told(path: Path, lines: Sequence[str]) -> list[Message]:
    """What of a project was left out because it is damaged: one message."""
    if not lines:
        return []
    if len(lines) == 1:
        return [warning(f"{lines[0]}; it was left out")]
    return [warning(f"{len(lines):,} parts of {path.name} are damaged and were left out: {lines[0]}; …", *lines)]


def torn_told(path: Path, lines: Sequence[str]) -> list[Message]:
    """What of a project could not be read: one message."""
    more = f" and {len(lines) - 1:,} more" if len(lines) > 1 else ""
    text = f"{path.name} is damaged; what can be read of it is open. Left out: {lines[0]}{more}"
    kept = f"The file stays as it is until something is saved; then it is kept beside it as {path.name}.damaged"
    return [warning(text, *lines, kept)]


def _said(state: State) -> tuple[object, ...]:
    """What a person said of which numbers there are and how they are made, beside the collections."""
    compared = (state.chosen.baseline, state.chosen.query_set, state.chosen.judgments)
    numbers = (str(state.measure), state.cutoff, *compared)
    return state.options, state.statistics, numbers, state.finding.limits, state.finding.sizes


def _where(state: State) -> tuple[object, ...]:
    """What a project keeps of where one is, beside the collections."""
    view = (state.place, state.cutoff, str(state.measure), state.lists_mode, dict(state.tabs), state.blind)
    return state.choices, state.current, view, state.finding, state.matrix
