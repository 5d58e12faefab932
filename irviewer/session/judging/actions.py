"""What the user can do with judgments: give a document a grade, remove a judgment, judge blind, import judgments and
save them. The qrels file is never changed."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from irviewer.errors import IrviewerError, PatchError
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.formats.reading.opener import refuse_pipe
from irviewer.model.arrays import strings
from irviewer.model.judgments.grade_scale import MOST, GradeScale
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.judgments.merging import Document, accepted, judgments_in
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay, now
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.atomic import write_atomically
from irviewer.session import state_changes
from irviewer.session.changes import Change
from irviewer.session.evaluation.context import make_context
from irviewer.session.evaluation.default_measures import systems_measures
from irviewer.session.evaluation.zscores import zscored
from irviewer.session.files.actions import FileService
from irviewer.session.files.import_result import same_file
from irviewer.session.judging.authors import YOURS, by_judge, differing_text
from irviewer.session.judging.history import HistoryService
from irviewer.session.judging.merging import (
    Choice,
    ImportComparison,
    Incoming,
    by_unnamed,
    compare_import,
    with_import,
    with_judge,
)
from irviewer.session.messages import info, warning, without_topic
from irviewer.session.saving import FileSaving
from irviewer.session.shortcuts import KEYS_DO_NOT_JUDGE
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.session.view_models.judges.judging import (
    JudgingProgress,
    JudgingViewModel,
    WithWithout,
    build_judging_view_model,
    numbers_without,
    progress_of,
)
from irviewer.translation import tr, trn, typed_number

if TYPE_CHECKING:
    from irviewer.formats.format import Format, Loaded

OWN_NAME = tr("judged here")
"""The name of judgments that were made without a file."""


class JudgingService:
    """Judgments made by hand: given, removed, imported, saved; judging mode and blind judging."""

    def __init__(
        self, store: Store, view: View, saving: FileSaving, history: HistoryService, files: FileService
    ) -> None:
        self._store = store
        self._tasks = store.tasks
        self._settings = store.settings
        self._cache = store.cache
        self._view = view
        self._saving = saving
        self._history = history
        self._files = files
        files.receive = self._receive_opened

    _incoming: tuple[Incoming, ...] = ()
    _refused: float | None = None

    # --- the current judgments ---

    @property
    def is_on(self) -> bool:
        """True in judging mode, where keys judge the selected document; blind judging is part of it."""
        return self._store.state.judging or self._store.state.blind

    @property
    def grades(self) -> tuple[float, ...]:
        """The grades that the mouse can give, ascending: 0, 1, and every other grade of the current judgments."""
        judgments = self._view.judgments
        if judgments is None:
            return (0.0, 1.0)
        own = {item.grade for item in judgments.overlay if item.grade is not None}
        return tuple(sorted({0.0, 1.0, *self._view.levels, *own, *judgments.widened}))

    @property
    def scale(self) -> GradeScale | None:
        """The scale of the current judgments; None where nobody stated one."""
        return None if self._view.judgments is None else self._view.judgments.scale

    @property
    def refused(self) -> float | None:
        """The last grade that was not given because it is not on the scale; None if there is none."""
        return self._refused

    def takes(self, grade: float | None) -> bool:
        """Return whether a grade is on the scale of the current judgments. If not, say so, and how to widen it."""
        text = self.off_scale(grade)
        if not text:
            return True
        self._refused = grade
        self._store.say(replace(info(text), action="widen_scale"))
        return False

    def off_scale(self, grade: float | None) -> str:
        """Return that a grade is not on the scale of the current judgments, or ""."""
        scale, judgments = self.scale, self._view.judgments
        if grade is None or scale is None or judgments is None or scale.has(grade):
            return ""
        return tr("{grade:g} is not on the scale of {qrels}, {scale}. The document was not judged.",
                  grade=grade, qrels=judgments.name, scale=scale.text)  # fmt: skip

    def scale_trouble(self, text: str) -> str:
        """Return why the scale cannot be widened to a highest grade, or ""."""
        scale = self.scale or GradeScale.of()
        try:
            highest = float(typed_number(text))
        except ValueError:
            return tr("Enter a number.")
        if not highest <= MOST or (self.scale is not None and highest <= scale.grades[-1]) or highest < 1:
            return tr("Enter a grade above {top:g}, {most} at most.", most=MOST,
                      top=scale.grades[-1] if self.scale is not None else 0)  # fmt: skip
        return ""

    def widen_scale(self, highest: float) -> None:
        """Let grades up to a new highest one be given, as one undo step. Raises IrviewerError."""
        trouble = self.scale_trouble(f"{highest:g}")
        if trouble:
            raise IrviewerError(trouble)
        if self._view.collection is None or self._view.context is None:
            return
        collection, place = self._to_judge()
        judgments = collection.judgments[place]
        scale = judgments.scale or GradeScale.of()
        added = scale.up_to(highest) or (float(highest),)
        changed = replace(judgments, widened=(*judgments.widened, *added))
        self._refused = None
        label = tr("widen the scale of {qrels} to {grade:g}", qrels=judgments.name, grade=highest)
        self._history.do(label, self._store.state.with_collection(_with_set(collection, place, changed)))

    @property
    def blind(self) -> bool:
        """True if runs and ranks are hidden so that they do not influence the judge."""
        return self._store.state.blind

    @property
    def assessor(self) -> str:
        """The name stored with each judgment: the name in the settings, else the login name; "" if unknown."""
        return str(self._settings["assessor"]) or self._login_name

    @cached_property
    def _login_name(self) -> str:
        """The login name, asked for once: the system may read files or a server for it, and each judgment has it."""
        return _login_name()

    @property
    def judged_progress(self) -> JudgingProgress | None:
        """The progress of judging the selected query's pool; None without a query."""
        context = self._view.context
        if context is None or not self._view.query_id:
            return None
        return self._cache.get(
            "judged progress", (context, self._view.query_id, self.blind),
            lambda: progress_of(context, self._view.query_id, blind=self.blind),
        )  # fmt: skip

    def judging_view_model(self) -> JudgingViewModel | None:
        """The judgments made here and the documents to judge; None if nothing is open."""
        context = self._view.context
        if context is None:
            return None
        return self._cache.get(
            "judging", (context, self._view.query_id, self.blind),
            lambda: build_judging_view_model(context, self._view.query_id, self.judged_progress, blind=self.blind),
        )  # fmt: skip

    @property
    def query_details(self) -> tuple[tuple[str, str], ...]:
        """(field, text) of the selected query besides its title, such as description and narrative."""
        queries = None if self._view.collection is None else self._view.collection.queries
        if queries is None or not self._view.query_id:
            return ()
        fields = {name: " ".join(str(value).split()) for name, value in queries.row(self._view.query_id).items()}
        title = " ".join(queries.text(self._view.query_id).split())
        return tuple((name, text) for name, text in fields.items() if text and text not in (title, self._view.query_id))

    @property
    def details(self) -> bool:
        """True if description and narrative are shown above the lists."""
        return bool(self._settings["query_details"])

    def show_details(self, shown: bool) -> None:
        """Show description and narrative above the lists, or hide them."""
        self._settings["query_details"] = shown
        self._store.changed.emit(frozenset({Change.QUERY}))

    @property
    def judged_text(self) -> str:
        """The text of the status line: ``1 judgment of yours differs from the file``; "" if nothing was judged here."""
        judgments = self._view.judgments
        if judgments is None or not judgments.overlay:
            return ""
        if not self._view.differing:
            number, judges = len(judgments.overlay), by_judge(judgments.overlay, self.assessor)
            if judges == YOURS:
                return trn(
                    "{n:,} judgment of yours, the same as in the file",
                    "{n:,} judgments of yours, all the same as in the file",
                    number,
                )
            return trn(
                "{n:,} judgment made here ({judges}), the same as in the file",
                "{n:,} judgments made here ({judges}), all the same as in the file",
                number, judges=judges,
            )  # fmt: skip
        return self._cache.get(
            "judged text", (judgments, self.assessor),
            lambda: differing_text(
                (row.judgment for row in judgments.overlay.differing(judgments.read)), self.assessor
            ),
        )  # fmt: skip

    # --- judging ---

    def judge(self, doc_id: str, grade: float | None, note: str = "", *, query_id: str = "") -> bool:
        """Give a document a grade for the selected query, or for another; None makes it unjudged, also if the file
        judges it. Without a note the existing note is kept. False if there is no such query.

        Raises IrviewerError for a grade that is not a finite number, or an empty id."""
        query_id = query_id or self._view.query_id
        if grade is not None and not np.isfinite(grade):
            raise IrviewerError(tr("A grade must be a finite number, not {grade}.", grade=grade))
        if not doc_id:
            raise IrviewerError(tr("Enter the id of the document."))
        if self._view.collection is None or not query_id:
            return False
        collection, place = self._to_judge()
        judgments = collection.judgments[place]
        before = judgments.overlay.judgment(query_id, doc_id)
        again = before is not None and before.grade == grade and note in ("", before.note)
        if before is not None and not note and before.who == self.assessor:
            note = before.note  # a note of another judge is not kept
        after = None if grade is None and doc_id not in judgments.read.judgments(query_id) else Judgment(
            query_id, doc_id, grade if grade is None else float(grade), self.assessor, now(), note
        )  # fmt: skip
        if not again and (before is not None or after is not None):
            if grade is None:
                label = tr("remove judgment of {document} for query {query}", document=doc_id, query=query_id)
            else:
                label = tr("grade {grade:g} of {document} for query {query}",
                           grade=grade, document=doc_id, query=query_id)  # fmt: skip
            self._put_judgment(collection, place, query_id, doc_id, after, label)
        return True

    def revert_judgment(self, doc_id: str, *, query_id: str = "") -> bool:
        """Restore the file's judgment of a document; False if it was not changed."""
        query_id = query_id or self._view.query_id
        if self._view.judgments is None:
            return False
        collection, place = self._to_judge()
        if collection.judgments[place].overlay.judgment(query_id, doc_id) is None:
            return False
        label = tr("restore the file's judgment of {document} for query {query}", document=doc_id, query=query_id)
        self._put_judgment(collection, place, query_id, doc_id, None, label)
        return True

    def write_judgment_note(self, doc_id: str, note: str) -> bool:
        """Set the note of a judgment of the selected query, "" to remove it. A grade of the file or of another judge
        becomes the user's own judgment when it gets a note. False if the document is unjudged."""
        note = " ".join(note.split())
        if self._view.judgments is None:
            return False
        collection, place = self._to_judge()
        judgments = collection.judgments[place]
        before = judgments.overlay.judgment(self._view.query_id, doc_id)
        grade = judgments.qrels.judgments(self._view.query_id).get(doc_id)
        if before is None and grade is None:
            return False
        if note != ("" if before is None else before.note):
            grade = before.grade if before is not None else grade
            after = Judgment(self._view.query_id, doc_id, grade, self.assessor, now(), note)
            label = tr("note of {document} for query {query}", document=doc_id, query=self._view.query_id)
            self._put_judgment(collection, place, self._view.query_id, doc_id, after, label)
        return True

    def set_judging(self, judging: bool) -> None:
        """Turn judging mode, in which keys judge the selected document, on or off; off ends blind judging too. It ends
        automatically when other judgments or another collection are selected, so that a key never changes judgments
        that the user did not choose."""
        messages = without_topic(self._view.messages, KEYS_DO_NOT_JUDGE) if judging else self._view.messages
        blind = self._store.state.blind and judging
        self._store.apply(
            replace(
                self._store.state, judging=judging and self._view.collection is not None, blind=blind, messages=messages
            )
        )

    def set_blind(self, blind: bool) -> None:
        """Hide runs and ranks, and the hints that name them, or show them again. When they are hidden, the first
        document to judge is selected."""
        state = state_changes.without_hints(self._store.state) if blind else self._store.state
        self._store.apply(replace(state, blind=blind, place="query" if blind and self._view.query_id else state.place))

    def before_update(self, state: State) -> State:
        """Return the new state with its judging modes: judging mode ends when other judgments are selected, and blind
        judging begins at the first unjudged document."""
        if state.judging and _judged_in(state) != _judged_in(self._store.state):
            state = replace(state, judging=False)
        return self._with_first_blind(state) if state.blind else state

    def _with_first_blind(self, state: State) -> State:
        """Return the state with a document selected, as blind judging needs one: the first unjudged document."""
        chosen = state.chosen
        context = self._store.context_of(state) if state.current >= 0 and chosen.query_id else None
        if context is None:
            return state
        progress = progress_of(context, chosen.query_id, blind=True)
        if not progress.order or chosen.document_id in progress.order:
            return state
        return state.with_chosen(replace(chosen, document_id=(progress.left or progress.order)[0]))

    def step_unjudged(self, step: int) -> bool:
        """Select the next unjudged document, or the previous one (``step`` -1), continuing at the other end of the
        list; False if all are judged."""
        progress = self.judged_progress
        if progress is None or not progress.left:
            return False
        order = progress.order[::step]
        at = order.index(self._view.document_id) if self._view.document_id in order else -1
        left = set(progress.left)
        self._store.choose(document_id=next(doc for doc in (*order[at + 1 :], *order[: at + 1]) if doc in left))
        return True

    @property
    def nothing_to_judge(self) -> str:
        """Why there is no further document to judge in the selected query; "" where there is one."""
        progress, context = self.judged_progress, self._view.context
        if context is None:
            return tr("No document can be judged: open qrels and runs first.")
        if progress is None:
            return tr("No document can be judged: select a query first.")
        if progress.left:
            return ""
        if not context.shown_runs:
            return tr("No document can be judged: no run is shown.")
        if not progress.order:
            return tr("No document can be judged: the runs shown return none for query {query}.",
                      query=self._view.query_id)  # fmt: skip
        return tr("Every document of the runs shown is judged here, down to rank {cutoff}.", cutoff=context.cutoff)

    def step_blind(self, step: int) -> None:
        """Select the previous or next document in the order of blind judging, stopping at the ends."""
        progress = self.judged_progress
        if progress is not None and progress.order:
            at = progress.order.index(self._view.document_id) if self._view.document_id in progress.order else -step
            self._store.choose(document_id=progress.order[max(0, min(len(progress.order) - 1, at + step))])

    def set_assessor(self, who: str) -> None:
        """Set the judge's name for new judgments; "" for the login name."""
        self._settings["assessor"] = " ".join(who.split())
        self._settings.save()
        self._store.changed.emit(
            frozenset({Change.COLLECTION, Change.DOCUMENT, Change.QUERY})
        )  # texts that name the judges are made again

    def _to_judge(self) -> tuple[Collection, int]:
        """Return the collection in view and the index of its current judgment set. A collection without judgments gets
        an empty set: every query of the runs, and nothing judged."""
        collection, context = self._view.collection, self._view.context
        assert collection is not None
        assert context is not None
        if context.judgments is not None and context.judgments.qrels.unread is not None:
            raise IrviewerError(tr("Of the judgments only the queries are known. Open the qrels file first."))
        if collection.judgments:
            return collection, min(self._store.state.chosen.judgments, len(collection.judgments) - 1)
        nothing = np.empty(0, dtype=np.int64)
        qrels = Qrels.from_columns(context.query_ids, nothing, strings([]), np.empty(0), name=OWN_NAME)
        return replace(collection, judgments=(JudgmentSet(qrels, Regime.UNKNOWN, facts=JudgeFacts("human")),)), 0

    def _put_judgment(
        self, collection: Collection, place: int, query_id: str, doc_id: str, judgment: Judgment | None, label: str
    ) -> None:
        """Replace the judgment of a document, None for the file's, as one undo step."""
        overlay = collection.judgments[place].overlay
        overlay = overlay.without(query_id, doc_id) if judgment is None else overlay.with_judgment(judgment)
        self._overlay(collection, place, overlay, label)

    def _overlay(self, collection: Collection, place: int, overlay: JudgmentOverlay, label: str) -> None:
        changed = _with_set(collection, place, collection.judgments[place].with_overlay(overlay))
        self._history.do(label, self._store.state.with_collection(changed))

    # --- files ---

    def apply_judgments(self, overlay: JudgmentOverlay) -> int:
        """Apply judgments to the current set, over those made so far, as one undo step; return their number."""
        if self._view.collection is None or self._view.context is None or not overlay:
            return 0
        collection, place = self._to_judge()
        merged = JudgmentOverlay.of([*collection.judgments[place].overlay, *overlay])
        label = trn(
            "apply {n:,} judgment to {judgments}", "apply {n:,} judgments to {judgments}",
            len(overlay), judgments=collection.judgments[place].name,
        )  # fmt: skip
        self._overlay(collection, place, merged, label)
        return len(overlay)

    def import_judgments(self, path: str) -> None:
        """Read a judgment patch, or a judge's own qrels, and apply it to the current judgments; see :meth:`receive`."""
        collection = self._view.collection
        if collection is None or self._view.context is None:
            return
        collection, place = self._to_judge()
        has_judgments = bool(self._store.state.collection and self._store.state.collection.judgments)
        target = collection.judgments[place]

        def work(progress: Progress) -> Incoming:
            from irviewer.formats.judgment_patch import read_patch
            from irviewer.formats.load import load

            progress(None)
            refuse_pipe(path)
            try:
                qrels = load(path, kind="qrels").value
            except PatchError:
                judgments = by_unnamed((row.judgment for row in read_patch(path)), path)
                return Incoming(path, collection.identity, target.identity, judgments)
            assert isinstance(qrels, Qrels)
            judgments, same = judgments_in(qrels, target.read, target.overlay, Path(path).name)
            return Incoming(path, collection.identity, target.identity, judgments, same, qrels)

        def done(incoming: Incoming) -> None:
            if has_judgments:
                self.receive(incoming)
            else:  # nothing is judged yet, so there are no conflicts
                number = self.apply_judgments(JudgmentOverlay.of(incoming.said))
                self._store.say(info(_applied(number, incoming.name, self._current_name())))

        title = tr("Reading {file}", file=Path(path).name)
        self._tasks.run(Operation("patch", work, done, title=title, reads=True))

    def _receive_opened(self, incoming: Incoming) -> None:
        self.receive(incoming, opened=True)

    def receive(self, incoming: Incoming, *, opened: bool = False) -> None:
        """Apply the judgments of a file to a set, as one undo step; if some conflict with judgments made here the
        user is asked first (``import_comparison``). ``opened``: the file was opened, not chosen as a patch."""
        import_comparison = compare_import(self._store.state, incoming)
        if import_comparison is None:
            text = tr(
                "{file} was not applied: its judgments were closed. Open them and import it again.", file=incoming.name
            )
            self._store.say(warning(text))
        elif import_comparison.found.conflicts:
            self._incoming = (*self._incoming, incoming)
            if len(self._incoming) == 1:
                self._store.asked.emit("resolve_conflicts")
        else:
            self._apply_import(import_comparison, theirs=True, opened=opened)

    @property
    def import_comparison(self) -> ImportComparison | None:
        """The file that waits for the user's choice (:meth:`settle`), compared with the current judgments."""
        while self._incoming:
            import_comparison = compare_import(self._store.state, self._incoming[0])
            if import_comparison is not None:
                return import_comparison
            self._incoming = self._incoming[1:]
        return None

    def settle(self, choice: Choice | None, theirs: frozenset[Document] = frozenset()) -> None:
        """Apply the waiting file as the user chose. Conflicts are decided for "mine", the judgments made here, for
        "theirs", the file's, or for "each" (``theirs`` are the documents for which the file's judgment is used);
        "judge" keeps all of the file as another judge's set. None: the file is not applied."""
        import_comparison = self.import_comparison
        if import_comparison is None:
            return
        self._incoming = self._incoming[1:]
        name = import_comparison.incoming.name
        if choice is None:
            self._store.say(
                info(tr("{file} was not applied to {judgments}", file=name, judgments=import_comparison.set_name))
            )
        elif choice == "judge":
            state, set_name = with_judge(self._store.state, import_comparison)
            text = tr(
                "{file} was added as judgment set {name}; {judgments} is unchanged",
                file=name, name=set_name, judgments=import_comparison.set_name,
            )  # fmt: skip
            self._history.do(tr("add judgment set {name}", name=set_name), state, message=info(text))
        else:
            self._apply_import(import_comparison, theirs=theirs if choice == "each" else choice == "theirs")
        if self.import_comparison is not None:
            self._store.asked.emit("resolve_conflicts")

    def _apply_import(
        self, import_comparison: ImportComparison, *, theirs: bool | frozenset[Document], opened: bool = False
    ) -> None:
        comparison, name = import_comparison.found, import_comparison.incoming.name
        number = len(comparison.new) + len(comparison.changing) + len(accepted(comparison, theirs))
        if not number:
            if comparison.conflicts:
                text = tr("{file} changed nothing: your judgments in {judgments} were kept",
                          file=name, judgments=import_comparison.set_name)  # fmt: skip
            else:
                text = tr("{file} changed nothing: {judgments} has the same judgments already",
                          file=name, judgments=import_comparison.set_name)  # fmt: skip
            self._store.say(info(text))
            return
        text = (
            _applied_patch(number, name, import_comparison.set_name)
            if opened
            else _applied(number, name, import_comparison.set_name)
        )
        state = with_import(self._store.state, import_comparison, theirs=theirs)
        label = trn(
            "apply {n:,} judgment of {file} to {judgments}", "apply {n:,} judgments of {file} to {judgments}",
            number, file=name, judgments=import_comparison.set_name,
        )  # fmt: skip
        self._history.do(label, state, message=info(text))

    def _current_name(self) -> str:
        return "" if self._view.judgments is None else self._view.judgments.name

    def export_patch(self, path: str) -> None:
        """Write the judgments made here as a judgment patch, with the grades of the file."""
        judgments = self._view.judgments
        if judgments is None or not judgments.overlay:
            self._store.say(warning(tr("No patch was written: no judgments were made here.")))
            return
        overlay, read = judgments.overlay, judgments.read

        def write(target: str) -> None:
            from irviewer.formats.judgment_patch import patch_text

            _write(target, patch_text(overlay.rows(read)).encode("utf-8", "surrogateescape"))

        self._saving.save_file(path, write)

    def revert_all(self) -> bool:
        """Restore all judgments of the file, as one undo step; False if none was changed."""
        if self._view.judgments is None or not self._view.judgments.overlay:
            return False
        collection, place = self._to_judge()
        label = tr("restore all judgments of {file}", file=collection.judgments[place].name)
        self._overlay(collection, place, JudgmentOverlay(), label)
        return True

    def find_numbers_without(self, deliver: Callable[[tuple[WithWithout, ...]], object]) -> None:
        """Compute each run's measures with and without the judgments made here, in the background, and ``deliver``
        them; an empty tuple if none differs from the file."""
        context, judgments = self._view.context, self._view.judgments
        if context is None or judgments is None or not self._view.differing:
            deliver(())
            return
        measures = systems_measures(
            context.depth,
            context.measure,
            self._settings["table_measures"],
            context.stored_measures,
            graded=context.graded,
        )
        collection, place = self._to_judge()
        plain = _with_set(collection, place, judgments.with_overlay(JudgmentOverlay()))
        state = self._store.state
        choices = replace(state.chosen, query_id="", document_id=None, pinned=("", ""), brushed=frozenset())

        def work(progress: Progress) -> tuple[WithWithout, ...]:
            # A cache of its own: nothing needs these values afterwards.
            other = make_context(plain, choices, state.measure, state.cutoff, state.options, Evaluation())
            return numbers_without(context, zscored(other), measures, progress)

        title = tr("Computing without changed judgments")
        self._tasks.run(Operation("without", work, deliver, title=title))

    def save_as_set(self, path: str) -> None:
        """Write the current judgments as qrels, add these to the collection as a set, and select it. The judgments made
        here stay with the set that they were applied to.

        Raises IrviewerError if the path is the file of the current judgments."""
        judgments, collection = self._view.judgments, self._view.collection
        if judgments is None or collection is None:
            self._store.say(warning(tr("Nothing was saved: there are no judgments.")))
            return
        if same_file(judgments.read.origin, path):
            raise IrviewerError(tr("{path} is the file of these judgments. Choose another name.", path=path))
        qrels, regime, identity = judgments.qrels, judgments.regime, collection.identity
        self._settings["last_folder"] = str(Path(path).resolve().parent)

        def work(progress: Progress) -> Loaded:
            from irviewer.formats.load import load

            progress(None)
            _write_qrels(path, qrels)
            form = "sampled" if _format_for(path, qrels).name == "sampled" else None
            return load(path, kind="qrels", format=form, cached="no")

        def done(loaded: Loaded) -> None:
            assert isinstance(loaded.value, Qrels)
            self._files.reports[path] = loaded.report
            self._take_set(identity, loaded.value, regime)

        title = tr("Saving {file}", file=Path(path).name)
        self._tasks.run(Operation(f"save {path}", work, done, title=title, writes=True))
        self._warn_of_lost(path, qrels)

    def _take_set(self, identity: object, qrels: Qrels, regime: Regime) -> None:
        """Add qrels that were just saved to their collection and select them, as one undo step."""
        collection = self._view.collection
        if collection is None or collection.identity is not identity:
            self._store.say(info(tr("Saved {path}", path=qrels.origin)))
            return
        sets = list(collection.judgments)
        place = next((n for n, other in enumerate(sets) if same_file(other.read.origin, qrels.origin)), len(sets))
        sets[place : place + 1] = [JudgmentSet(qrels, regime, chosen=True)]
        changed = self._store.state.with_collection(replace(collection, judgments=tuple(sets)))
        text = tr("Saved {path}. Evaluating with judgment set {name} now.", path=qrels.origin, name=qrels.name)
        state = state_changes.with_judgments(changed, place, self._store.plain_context_of)
        self._history.do(tr("judgment set {name}", name=qrels.name), state, message=info(text))

    def export_merged(self, path: str) -> None:
        """Write the current qrels, with the judgments made here, in the format of the file's extension."""
        judgments = self._view.judgments
        if judgments is None:
            self._store.say(warning(tr("Nothing was saved: there are no judgments.")))
            return
        qrels = judgments.qrels
        self._saving.save_file(path, lambda target: _write_qrels(target, qrels))
        self._warn_of_lost(path, qrels)

    def _warn_of_lost(self, path: str, qrels: Qrels) -> None:
        """Warn of queries without judgments, which a qrels file cannot hold, and of strata that the file does not
        keep."""
        if qrels.strata is not None and _format_for(path, qrels).name != "sampled":
            self._store.say(warning(_lost_strata(qrels)))
        empty = [query for query, size in zip(qrels.query_ids, np.diff(qrels.offsets), strict=True) if not size]
        if empty:
            text = trn(
                "{n:,} query has no judgments left. A qrels file cannot hold it, and it will be missing from the file.",
                "{n:,} queries have no judgments left. A qrels file cannot hold them, and they will be missing from "
                "the file.",
                len(empty),
            )
            self._store.say(warning(text))


def _judged_in(state: State) -> tuple[object, ...]:
    """Return what identifies the judgments that a key would change: the collection and the set."""
    name = "" if state.collection is None else state.collection.name
    return state.current, name, len(state.workspace.collections), state.chosen.judgments


def _applied(number: int, file: str, judgments: str) -> str:
    return trn(
        "Applied {n:,} judgment of {file} to {judgments}", "Applied {n:,} judgments of {file} to {judgments}",
        number, file=file, judgments=judgments,
    )  # fmt: skip


def _applied_patch(number: int, file: str, judgments: str) -> str:
    return trn(
        "{file} is a judgment patch: applied {n:,} judgment to {judgments}",
        "{file} is a judgment patch: applied {n:,} judgments to {judgments}",
        number, file=file, judgments=judgments,
    )  # fmt: skip


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # the system has no name for the user
        return ""


def _with_set(collection: Collection, place: int, judgments: JudgmentSet) -> Collection:
    sets = list(collection.judgments)
    sets[place] = judgments
    return replace(collection, judgments=tuple(sets))


def _write_qrels(path: str, qrels: Qrels) -> None:
    from irviewer.formats.compression import compressed

    chosen = _format_for(path, qrels)
    _write(path, compressed(chosen.encoded(qrels), path, chosen))


def _format_for(path: str, qrels: Qrels) -> Format:
    """Return the format of the file's extension; five columns instead of TREC's four for a sample whose documents all
    have a stratum. Without a document left to sample, four say as much."""
    from irviewer.formats.registry import format_named, format_to_write

    chosen = format_to_write(path, "qrels")
    strata = qrels.strata
    if chosen.name != "trec" or strata is None or not bool((qrels.grades < 0).any()) or bool((strata.codes < 0).any()):
        return chosen
    return format_named("sampled")


def _lost_strata(qrels: Qrels) -> str:
    assert qrels.strata is not None
    outside = int((qrels.strata.codes < 0).sum())
    if not outside:
        return tr("The strata of the sample are not in the file.")
    return trn(
        "The strata of the sample are not in the file, as {n:,} document that was judged here is in none.",
        "The strata of the sample are not in the file, as {n:,} documents that were judged here are in none.",
        outside,
    )


def _write(path: str, data: bytes) -> None:
    write_atomically(Path(path), lambda stream: stream.write(data))
