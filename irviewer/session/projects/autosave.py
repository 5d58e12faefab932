"""Automatic saving: in the project's file, or without a project in the recovery folder; in several windows of a
project, and on disks that cannot be written to.

Whatever changes the state passes ``_apply`` here, and is handed to the saver: what the user made at once, where they
are when they rest. What another window saved meanwhile is joined with it, judgment by judgment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError, checked_path
from irviewer.formats.project_file import SUFFIX
from irviewer.model.same import Same
from irviewer.model.workspace import Workspace
from irviewer.session.changes import Change
from irviewer.session.files.actions import FileService
from irviewer.session.files.changed_files import Stamp, stamp
from irviewer.session.files.disk_actions import DiskService
from irviewer.session.messages import NOT_SAVED, Message, error, info, warning, without_topic
from irviewer.session.projects.joining import Joined, join_project
from irviewer.session.projects.leases import Leases, user_name
from irviewer.session.projects.merging import Conflict, Side
from irviewer.session.projects.project import Snapshot, has_work, without_removed
from irviewer.session.projects.recovery import Recovery, other_folders, recovery_folder
from irviewer.session.projects.saving import Known, Saver, Written
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress, Tasks
from irviewer.session.view import View
from irviewer.translation import listed_clauses, tr, trn

ELSEWHERE, JOINED = "open_elsewhere", "joined"
"""Topics of messages: a newer message replaces the one before."""

CONFIDENTIAL = tr("this window is confidential and does not save automatically")

LOOK = "check project"
ATTEMPTS = 5
"""How often changes are merged at the end if other windows keep saving."""


@dataclass(frozen=True)
class Division:
    """Conflicting changes, made here and in the project's file: nothing is saved until the user has chosen."""

    path: str
    conflicts: tuple[Conflict, ...]


class Autosave:
    """Saves the user's work automatically, in the project's file or in the recovery folder."""

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
        self.columns: Mapping[str, Mapping[str, list[str]]] = {}
        """By table the ids of columns in their ``order``, and those ``hidden``, as the user chose them."""
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
        """Write pending changes, merged with those saved elsewhere in the meantime; return when they are on disk or
        cannot be saved. ``at_risk`` then states whether the user would lose work."""
        for _ in range(ATTEMPTS):
            if not self._saver.flush():
                self._give_up()
                return
            written = self._saver.last
            if written is None or not written.foreign or written.path != self._file or self._division is not None:
                break
            self._tasks.cancel("join project")
            self._join(at_once=True)

    def _give_up(self) -> None:
        """Report that pending changes cannot be written in time. No copy is made, as a project's references to its
        files need the same disk."""
        self._say_trouble(tr("the disk does not respond"))

    def close(self) -> None:
        """Write pending changes; work without a project is kept for the next start."""
        self.leave_project(self._store.state)
        answers = self._saver.close()
        if answers and self.at_risk and self._rescued is None:
            self._rescue_here()
        if self.kept is not None and not has_work(self._view.workspace):
            self.recovery.discard(self.kept)
        if answers:
            self.leases.release()
        self.recovery.close()

    # --- the present state of saving ---

    @property
    def project_path(self) -> str:
        """The project's file, "" if there is no project."""
        return "" if self.project is None else str(self.project)

    @property
    def project_name(self) -> str:
        """The project's name, "" if there is no project."""
        return "" if self.project is None else self.project.name.removesuffix(SUFFIX)

    @property
    def is_saved(self) -> bool:
        """True if all work and the present view are on disk, in the project or in the recovery folder."""
        return self._saved >= self._made and not self._trouble

    @property
    def at_risk(self) -> bool:
        """True if some work is neither in a project nor in the recovery folder: the user is asked before the window
        closes."""
        return self._worked > self._saved and bool(self._trouble)

    @property
    def save_status(self) -> str:
        """The short status for the status line: "saved", "NOT saved" if work may be lost, and others; "" if there is
        nothing to save."""
        if self.at_risk:
            return tr("NOT saved")
        if self.project is None and self.kept is None:
            return ""
        if self._trouble:
            return tr("not saved")
        if not self.is_saved:
            return tr("saving …")
        return tr("saved") if self.project is not None else tr("stored, not in a project")

    @property
    def save_account(self) -> str:
        """The status in a sentence or two."""
        if self.at_risk:
            return self._not_saved_text(self._trouble)
        if self._trouble:
            return tr("The current view is not saved: {reason}.", reason=self._trouble)
        if self.project is not None:
            return tr("Every change is saved in {file}.", file=self.project)
        if self.kept is not None:
            return tr("Stored for recovery until it is saved as a project, also if the program crashes.")
        return ""

    def _not_saved_text(self, reason: str) -> str:
        return tr("NOT saved: {reason}. {copy}", reason=reason, copy=self.copy_account)

    @property
    def copy_account(self) -> str:
        """A sentence with the place of the copy of work that could not be saved."""
        if self._rescued is None:
            return tr("There is no copy of the work.")
        return tr("A copy is in {path}.", path=self._rescued)

    @property
    def rescued(self) -> str:
        """The copy of work that could not be saved, "" if there is none; the next start offers it."""
        return "" if self._rescued is None else str(self._rescued)

    @property
    def division(self) -> Division | None:
        """The conflicts that the user has to decide before anything is saved; None if there are none."""
        return self._division

    @property
    def layout(self) -> Mapping[str, Any]:
        """The sizes of the parts of the project's window, in the window's own form."""
        return self.layout_section

    @property
    def confidential(self) -> bool:
        return self._settings.path is None

    @property
    def _file(self) -> Path | None:
        """The file that the open work is written to; without a project a file that may not be writable."""
        return self.project or self.kept or self.recovery.nowhere

    # --- saving ---

    def set_autosave(self, on: bool) -> None:
        """Turn automatic saving on or off (off for screenshots)."""
        self._autosave = on

    def set_layout(self, layout: Mapping[str, Any]) -> None:
        """Set the sizes of the parts of the window, which are saved with the project."""
        if layout != self.layout_section:
            self.layout_section = dict(layout)
            self.keep(changed=False)

    def set_columns(self, table: str, choice: Mapping[str, list[str]]) -> None:
        """Set order and hidden columns of a table, which are saved with the project; empty: those of the view."""
        if choice != self.columns.get(table, {}):
            others = {name: columns for name, columns in self.columns.items() if name != table}
            self.columns = {**others, table: choice} if choice else others
            self.keep(changed=False)

    def save_project(self, path: str = "") -> None:
        """Save the open work as a project, and from now on automatically after every change; without a path in the
        present project file."""
        target = self.project
        if path:
            target = checked_path(path if path.endswith(SUFFIX) else path + SUFFIX).resolve()
        if target is None:
            raise IrviewerError(tr("Choose a file for the project."))
        anew = target != self.project
        if anew:
            self._saver.flush()
            self.project, self._division = target, None
            self._settings["last_folder"] = str(target.parent)
            self._settings.add_recent([str(target)])
            self._settings.save()
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
        """Save the present state if what a project keeps differs from the former state."""
        new = self._store.state
        if new is old or self.restoring:
            return
        changed = old.workspace is not new.workspace or _said(old) != _said(new)
        if changed and not new.workspace.collections and old.workspace.collections:
            self._set_aside(old)
            return
        if changed or _where(old) != _where(new):
            self.keep(changed=changed)

    def keep(self, *, changed: bool) -> None:
        if not self._autosave or self.restoring or self._store.state.current < 0:
            return
        self._steps += 1
        if self.project is None and not self._has_work():
            self._keep_nothing()
            return
        before = self.save_status
        self._made += 1
        self._worked = self._made if changed else self._worked
        if self.project is None:
            self.kept = self.kept or self.recovery.claim()
        path = self._file
        if path is None:
            self._trouble = CONFIDENTIAL
        else:
            self._saver.save(self.snapshot(path), self._made, at_once=changed)
        if before != self.save_status:
            self._store.changed.emit(frozenset({Change.PROJECT}))

    def _has_work(self) -> bool:
        """Return whether there is work to keep; looked for once in a workspace, as steps through queries keep it."""
        workspace = self._view.workspace
        return self._store.cache.get("has work", (Same(workspace),), lambda: has_work(workspace))

    def _keep_nothing(self) -> None:
        """Discard the recovery file when all work was undone."""
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
        return Snapshot(state or self._store.state, path, base, self.layout_section, self.columns, self.other)

    def leave_project(self, state: State) -> None:
        """Write pending changes, and the project without the runs that only undo could bring back."""
        self.finish()
        if (
            self.project is not None
            and self._autosave
            and any(collection.removed for collection in state.workspace.collections)
        ):
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
        self.other, self.layout_section, self.columns = {}, {}, {}
        self._saved = self._made
        self._say_trouble("")
        self.left_changed()
        self._store.changed.emit(frozenset({Change.PROJECT}))

    def _look_for_unsaved_work(self) -> None:
        """Look for work that other windows have left."""

    # --- results of saving ---

    def _rescue(self, snapshot: Snapshot) -> Path | None:
        """Write a copy of work that could not be saved to another place; on the saver's thread."""
        return self.recovery.rescue(snapshot) if has_work(snapshot.state.workspace) else None

    def _rescue_here(self) -> None:
        path = self._file
        if path is not None:
            self._rescued = self._rescue(self.snapshot(path))

    def _on_written(self, written: Written) -> None:
        if written.path != self._file:
            return
        if written.foreign:
            self._join()
            return
        before = self.save_status
        self._rescued = written.copy
        if not written.trouble:
            self._saved = max(self._saved, written.version)
            self._unreadable = False
            self.recovery.saved(written.path)
            if written.path == self.recovery.nowhere and self.project is None:
                self.kept = written.path  # there is room again
                self.recovery.adopt(written.path)
            if written.path == self.project and self.kept is not None:
                self.recovery.saved(self.kept)
                self.recovery.discard(self.kept)  # all of it is in the project now
                self.kept = None
        self._say_trouble(written.trouble)
        if before != self.save_status:
            self._store.changed.emit(frozenset({Change.PROJECT}))

    def _say_trouble(self, trouble: str) -> None:
        """Set the reason why nothing is saved, with a message if work is at risk; "" removes both."""
        self._trouble = trouble
        if not trouble:
            self._rescued = None
        messages = without_topic(self._view.messages, NOT_SAVED)
        key = (trouble, self._rescued)
        # Shown once: a user who closed the message has read it, and the status line still says so.
        if self.at_risk and (key != self._warned or len(messages) < len(self._view.messages)):
            details = [self.copy_account, tr("“Save project as…” saves it in another place.")]
            if self._unreadable:
                details.append(tr("“Save project” overwrites the file, and keeps a copy of it in the same folder."))
            message = error(self._not_saved_text(trouble), *details)
            messages = (*messages, replace(message, topic=NOT_SAVED, action="save_project_as"))
        self._warned = key
        if messages != self._view.messages:
            self.tell(messages)

    def tell(self, messages: Sequence[Message]) -> None:
        """Replace the messages, without saving."""
        restoring, self.restoring = self.restoring, True
        try:
            self._store.apply(replace(self._store.state, messages=tuple(messages)))
        finally:
            self.restoring = restoring

    # --- other windows ---

    def look_at_disk(self) -> None:
        """Check whether open files changed on disk and whether the project was saved elsewhere; try again to save what
        could not be saved."""
        self._disk.look_at_disk()
        path = self.project
        if not self._autosave or self._tasks.under_way("join project") or self._tasks.under_way(LOOK):
            return
        if self._trouble and self._division is None and self._trouble != CONFIDENTIAL and self._saver.idle:
            self.keep(changed=self._worked > self._saved)
        if path is None:
            return

        def work(progress: Progress) -> Stamp | None:
            self.leases.refresh()
            return stamp(str(path))

        def done(present: Stamp | None) -> None:
            if path == self.project and self._saver.is_changed(path, present):
                self._join()

        self._tasks.run(Operation(LOOK, work, done, quiet=True, reads=True))

    def say_elsewhere(self, path: Path) -> None:
        """Register that the project is open here, and show a message if it is open in other windows."""
        if not self._autosave:
            return
        others = self.leases.take(path, str(self._settings["assessor"]) or user_name())
        messages = without_topic(self._view.messages, ELSEWHERE)
        if others:
            text = trn(
                "{project} is open in another window, too: {opener}. Changes saved in all windows are merged.",
                "{project} is open in {n:,} other windows, too: {opener}, … Changes saved in all windows are merged.",
                len(others), project=path.name, opener=others[0].words,
            )  # fmt: skip
            message = warning(
                text,
                *(opener.words for opener in others),
                tr(
                    "Judgments and notes are merged one by one. Of two judgments of the same document the "
                    "later one is used, and a message says so. You decide all other conflicts."
                ),
            )
            messages = (*messages, replace(message, topic=ELSEWHERE))
        if messages != self._view.messages:
            self.tell(messages)

    def settle_project(self, side: Side) -> None:
        """Decide conflicts for the values of "mine" (this window) or "theirs" (the file)."""
        if self._division is not None:
            self._prefer, self._division = side, None
            self._join()

    def _join(self, *, at_once: bool = False) -> None:
        """Merge changes saved to the file elsewhere with the open work."""
        path = self._file
        known = None if path is None else self._saver.known(path)
        if path is None or known is None:
            return
        self._saver.forget()  # pending changes are saved after the merge
        work = join_project(self.snapshot(path), known, self._evaluation, self._prefer)
        tasks = Tasks() if at_once else self._tasks
        title = tr("Merging {file}", file=path.name)
        tasks.run(Operation("join project", work, self._on_joined, self._on_join_failed, title=title, reads=True))

    def _on_joined(self, joined: Joined) -> None:
        path = joined.snapshot.path
        if path != self._file:
            return
        if self._store.state.workspace is not joined.snapshot.state.workspace or _said(self._store.state) != _said(
            joined.snapshot.state
        ):
            self._join()  # the user went on meanwhile
            return
        self._unreadable = False
        if joined.merged is not None and joined.merged.conflicts:
            self._divide(joined)
            return
        self._prefer, self._division = "", None
        self._saver.know(path, joined.known)
        if joined.merged is not None:
            self._take(joined)
        if joined.merged is None or joined.differs:
            self._say_trouble("")
            if self._made > self._saved or joined.differs:
                self.keep(changed=joined.differs or self._worked > self._saved)
        else:
            self._saved = self._made
            self._say_trouble("")
        self._store.changed.emit(frozenset({Change.PROJECT}))

    def _take(self, joined: Joined) -> None:
        """Apply changes saved elsewhere to the state, with a message if there are any."""
        assert joined.merged is not None
        if joined.other is not None:
            self.other = joined.other
        self._files.reports.update((file.request.path, file.loaded.report) for file in joined.files)
        for file in joined.files:
            self._files.watch.note(file.request.path, file.stamp)
        messages = list(without_topic(self._view.messages, JOINED))
        messages += [error(trouble.text, *trouble.details) for trouble in joined.troubles] + damaged_messages(
            joined.snapshot.path, joined.damaged
        )
        changes = (*joined.merged.news, *joined.merged.settled)
        if changes:
            name, first, more = joined.snapshot.path.name, listed_clauses(changes[:2]), len(changes) - 2
            if more > 0:
                text = tr("{project} was saved elsewhere; merged: {changes} and {count:,} more",
                          project=name, changes=first, count=more)  # fmt: skip
            else:
                text = tr("{project} was saved elsewhere; merged: {changes}", project=name, changes=first)
            messages.append(replace(info(text, *changes), topic=JOINED))
        state = self._store.state if joined.state is None else self._with_joined(joined.state, joined.merged.rekeyed)
        self.restoring = True
        try:
            self._store.apply(self.sound(replace(state, messages=tuple(messages))))
        finally:
            self.restoring = False

    def _with_joined(self, joined: State, rekeyed: Mapping[str, object]) -> State:
        """Return the present state, with its present selection, with the merged collections."""
        now = self._store.state
        own_choices = {
            collection.identity: chosen
            for collection, chosen in zip(now.workspace.collections, now.choices, strict=True)
        }
        pairs = zip(joined.workspace.collections, joined.choices, strict=True)
        choices = tuple(
            replace(own_choices[collection.identity], scope=chosen.scope)
            if collection.identity in own_choices and collection.identity not in rekeyed
            else chosen
            for collection, chosen in pairs
        )
        identities = [collection.identity for collection in joined.workspace.collections]
        in_view = None if now.collection is None else now.collection.identity
        current = identities.index(in_view) if in_view in identities else min(max(now.current, 0), len(identities) - 1)
        return replace(
            now,
            workspace=Workspace(joined.workspace.collections),
            choices=choices,
            current=current,
            place=now.place if identities else "start",
            protocol=joined.protocol,
            finding=joined.finding,
            history=joined.history,
        )

    def _divide(self, joined: Joined) -> None:
        """Ask the user to decide conflicts, before which nothing can be saved."""
        assert joined.merged is not None
        asked = self._division is None or self._division.conflicts != joined.merged.conflicts
        self._division = Division(str(joined.snapshot.path), joined.merged.conflicts)
        self._worked = self._made = max(self._made, self._saved + 1)
        if asked:
            self._rescue_here()
        name = joined.snapshot.path.name
        self._trouble = tr("changes in {project} conflict with changes made here", project=name)
        lines = [
            tr("{what}: {mine} here, {theirs} in the file", what=each.what, mine=each.mine, theirs=each.theirs)
            for each in joined.merged.conflicts
        ]
        message = error(self._not_saved_text(self._trouble), *lines)
        message = replace(message, topic=NOT_SAVED, action="settle_project")
        self.tell([*without_topic(self._view.messages, NOT_SAVED), message])
        self._store.changed.emit(frozenset({Change.PROJECT}))
        if asked:
            self._store.asked.emit("settle_project")

    def _on_join_failed(self, failure: BaseException) -> None:
        """Keep a file that cannot be read as it is, and write a copy of the open work to another place."""
        self._unreadable = True
        if self._worked > self._saved:
            self._rescue_here()
        self._say_trouble(str(failure))
        self._store.changed.emit(frozenset({Change.PROJECT}))
        if not isinstance(failure, IrviewerError):
            raise failure

    def know(self, path: Path, known: Known) -> None:
        """Record that the open work is what the file holds."""
        self._saver.know(path, known)
        self._saved = self._worked = self._made
        self._division, self._unreadable, self._rescued, self._prefer = None, False, None, ""
        self._say_trouble("")

    def sound(self, state: State) -> State:
        """Return the state with an existing query selected in every collection."""
        for position, collection in enumerate(state.workspace.collections):
            if not (collection.runs or collection.judgments):
                continue
            valid_state = replace(state, current=position)
            context = self._store.plain_context_of(valid_state)
            if context.query_ids and valid_state.chosen.query_id not in context.query_index:
                first = context.query_ids[int(context.natural_order[0])]
                valid_state = valid_state.with_chosen(replace(valid_state.chosen, query_id=first, document_id=None))
            state = replace(valid_state, current=state.current)
        return state


def damaged_messages(path: Path, lines: Sequence[str]) -> list[Message]:
    """Return one message about the damaged parts of a project that were left out; none without such parts."""
    if not lines:
        return []
    if len(lines) == 1:
        return [warning(tr("{damage}. This part was left out.", damage=lines[0]))]
    text = tr(
        "{count:,} parts of {project} are damaged and were left out: {first}; …",
        count=len(lines), project=path.name, first=lines[0],
    )  # fmt: skip
    return [warning(text, *lines)]


def copies_messages(state: State) -> list[Message]:
    """Return one message about comparisons of a project of an older version, in which edited copies took part as runs
    do; none without copies."""
    runs = copies = 0
    for collection in state.workspace.collections:
        systems = len(collection.system_runs)
        if collection.judgments and 1 < systems < len(collection.runs):
            runs, copies = runs + systems - 1, copies + len(collection.runs) - systems
    if not copies or state.protocol.inference.correction == "none":
        return []
    text = trn(
        "Corrected p-values of {runs} changed: {n:,} edited copy no longer counts as a run.",
        "Corrected p-values of {runs} changed: {n:,} edited copies no longer count as runs.",
        copies, runs=trn("{n:,} run", "{n:,} runs", runs),
    )  # fmt: skip
    return [info(text)]


def torn_messages(path: Path, lines: Sequence[str]) -> list[Message]:
    """Return one message about the parts of a project that could not be read."""
    if len(lines) > 1:
        text = tr("{project} is damaged. All parts that can be read are open. Left out: {first} and {count:,} more",
                  project=path.name, first=lines[0], count=len(lines) - 1)  # fmt: skip
    else:
        text = tr("{project} is damaged. All parts that can be read are open. Left out: {first}",
                  project=path.name, first=lines[0])  # fmt: skip
    kept = tr("The file is unchanged until you change something; then a copy of it is kept as {project}.damaged.",
              project=path.name)  # fmt: skip
    return [warning(text, *lines, kept)]


def _said(state: State) -> tuple[object, ...]:
    """Return the options that change numbers, besides the collections."""
    numbers = (str(state.measure), state.cutoff, state.chosen.scope, state.chosen.judgments)
    return state.protocol, numbers, state.finding.limits, state.finding.sizes


def _where(state: State) -> tuple[object, ...]:
    """Return what a project keeps of the present view, besides the collections."""
    view = (state.place, state.cutoff, str(state.measure), state.lists_mode, dict(state.tabs), state.blind)
    return state.choices, state.current, view, state.finding, state.matrix
