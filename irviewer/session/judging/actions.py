"""What a person can do to judgments: give a document a grade, take one back, judge without bias, write down what was
judged. The file's own qrels are never touched."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from irviewer.errors import IrviewerError, PatchError
from irviewer.formats.reading.opener import refuse_pipe
from irviewer.model.arrays import strings
from irviewer.model.judgments.merging import Document, judgments_in, taken
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay, now
from irviewer.model.number_text import counted
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.export import write_atomically
from irviewer.session import state_changes
from irviewer.session.changes import Change
from irviewer.session.evaluation.context import make_context
from irviewer.session.evaluation.default_measures import systems_measures
from irviewer.session.evaluation.evaluation_cache import Evaluation
from irviewer.session.evaluation.zscores import zscored
from irviewer.session.files.actions import FileService
from irviewer.session.files.import_result import same_file
from irviewer.session.judging.authors import by_judge, differing_told
from irviewer.session.judging.history import HistoryService
from irviewer.session.judging.merging import Choice, Incoming, Laying, by_unnamed, laying_of, with_judge, with_laid
from irviewer.session.messages import info, warning, without_topic
from irviewer.session.saving import FileSaving
from irviewer.session.shortcuts import KEYS_DO_NOT_JUDGE
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Progress
from irviewer.session.view import View
from irviewer.session.view_models.judging import (
    JudgingProgress,
    JudgingViewModel,
    WithWithout,
    build_judging_view_model,
    numbers_without,
    progress_of,
)

if TYPE_CHECKING:
    from irviewer.formats.format import Loaded

OWN_NAME = "judged here"


class JudgingService:
    """Judgments made by hand: given, taken back, laid over, saved; judging mode and blind judging."""

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

    # --- what there is ---

    @property
    def is_on(self) -> bool:
        """True in judging mode, where keys judge the document in view; judging blind is one way of it."""
        return self._store.state.judging or self._store.state.blind

    @property
    def grades(self) -> tuple[float, ...]:
        """The grades that the mouse can give, ascending: 0, 1, and every other one of the judgments in force."""
        judgments = self._view.judgments
        own = () if judgments is None else {one.grade for one in judgments.overlay if one.grade is not None}
        return tuple(sorted({0.0, 1.0, *self._view.levels, *own}))

    @property
    def blind(self) -> bool:
        """True where runs and ranks are to be hidden, so that who judges is not led by them."""
        return self._store.state.blind

    @property
    def assessor(self) -> str:
        """Who judges, as each judgment says: the name that was given, else the one the person logged in by; ""
        unknown."""
        return str(self._settings["assessor"]) or _login_name()

    @property
    def judged_progress(self) -> JudgingProgress | None:
        """How far the selected query's pool is judged; None without a query."""
        context = self._view.context
        if context is None or not self._view.query_id:
            return None
        return self._cache.get(
            "judged progress", (context, self._view.query_id, self.blind),
            lambda: progress_of(context, self._view.query_id, blind=self.blind),
        )  # fmt: skip

    def judging_view_model(self) -> JudgingViewModel | None:
        """What was judged here, and what there is to judge; None where nothing is open."""
        context = self._view.context
        if context is None:
            return None
        return self._cache.get(
            "judging", (context, self._view.query_id, self.blind),
            lambda: build_judging_view_model(context, self._view.query_id, self.judged_progress, blind=self.blind),
        )  # fmt: skip

    @property
    def query_details(self) -> tuple[tuple[str, str], ...]:
        """What is known of the selected query beside its title, such as description and narrative."""
        queries = None if self._view.collection is None else self._view.collection.queries
        if queries is None or not self._view.query_id:
            return ()
        fields = {name: " ".join(str(value).split()) for name, value in queries.row(self._view.query_id).items()}
        title = " ".join(queries.text(self._view.query_id).split())
        return tuple((name, text) for name, text in fields.items() if text and text not in (title, self._view.query_id))

    @property
    def details(self) -> bool:
        """True where description and narrative stand above the lists."""
        return bool(self._settings["query_details"])

    def show_details(self, shown: bool) -> None:
        """Show description and narrative above the lists, or hide them."""
        self._settings["query_details"] = shown
        self._store.changed.emit(frozenset({Change.QUERY}))

    @property
    def judged_text(self) -> str:
        """For the status line: ``1 judgment of yours differs from the file``; "" where nothing was judged here."""
        judgments = self._view.judgments
        if judgments is None or not judgments.overlay:
            return ""
        if not self._view.differing:
            number, judges = len(judgments.overlay), by_judge(judgments.overlay, self.assessor)
            here = (
                f"{number:,} of your judgments" if judges == "yours" else f"{number:,} judgments made here ({judges})"
            )
            return f"{here}, none other than the file's"
        return self._cache.get(
            "judged text", (judgments, self.assessor),
            lambda: differing_told(
                (row.judgment for row in judgments.overlay.differing(judgments.read)), self.assessor
            ),
        )  # fmt: skip

    # --- judging ---

    def judge(self, doc_id: str, grade: float | None, note: str = "", *, query_id: str = "") -> bool:
        """Give a document a grade for the selected query, or for another; None takes back what the file says, too, so
        that it is unjudged. Without a note the one there is stays. False where there is no such query.

        Raises IrviewerError for a grade that is no finite number, or an empty id."""
        query_id = query_id or self._view.query_id
        if grade is not None and not np.isfinite(grade):
            raise IrviewerError(f"{grade} is no grade")
        if not doc_id:
            raise IrviewerError("a document needs an id")
        if self._view.collection is None or not query_id:
            return False
        collection, place = self._to_judge()
        judgments = collection.judgments[place]
        before = judgments.overlay.judgment(query_id, doc_id)
        again = before is not None and before.grade == grade and note in ("", before.note)
        if before is not None and not note and before.who == self.assessor:
            note = before.note  # another judge's reasons are not one's own
        after = None if grade is None and doc_id not in judgments.read.judgments(query_id) else Judgment(
            query_id, doc_id, grade if grade is None else float(grade), self.assessor, now(), note
        )  # fmt: skip
        if not again and (before is not None or after is not None):
            said = "judgment taken back" if grade is None else f"grade {grade:g}"
            self._say_of(collection, place, query_id, doc_id, after, f"{said} of {doc_id} for query {query_id}")
        return True

    def revert_judgment(self, doc_id: str, *, query_id: str = "") -> bool:
        """Let the file's judgment of a document hold again; False where nothing else was said."""
        query_id = query_id or self._view.query_id
        if self._view.judgments is None:
            return False
        collection, place = self._to_judge()
        if collection.judgments[place].overlay.judgment(query_id, doc_id) is None:
            return False
        self._say_of(collection, place, query_id, doc_id, None, f"{doc_id} as in the file for query {query_id}")
        return True

    def write_judgment_note(self, doc_id: str, note: str) -> bool:
        """Write beside a judgment of the selected query why it is so, "" nothing any more; the file's own grade, or
        another judge's, is said again in the user's name where there is a note to it. False where the document is
        unjudged."""
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
            self._say_of(
                collection,
                place,
                self._view.query_id,
                doc_id,
                after,
                f"note of {doc_id} for query {self._view.query_id}",
            )
        return True

    def set_judging(self, judging: bool) -> None:
        """Have keys judge the document in view, or leave that, judging blind too. It ends by itself where other
        judgments, or another collection, come into view: a key never judges in what was not chosen for it."""
        messages = without_topic(self._view.messages, KEYS_DO_NOT_JUDGE) if judging else self._view.messages
        blind = self._store.state.blind and judging
        self._store.apply(
            replace(
                self._store.state, judging=judging and self._view.collection is not None, blind=blind, messages=messages
            )
        )

    def set_blind(self, blind: bool) -> None:
        """Hide runs and ranks, the hints that name them too, or show them again. Hidden, the first document to judge
        comes into view."""
        state = state_changes.without_hints(self._store.state) if blind else self._store.state
        self._store.apply(replace(state, blind=blind, place="query" if blind and self._view.query_id else state.place))

    def before_update(self, state: State) -> State:
        """The state that is to come with the modes that go with it: judging mode ends where other judgments come into
        view, and judging blind begins at the first document that is not judged."""
        if state.judging and _judged_in(state) != _judged_in(self._store.state):
            state = replace(state, judging=False)
        return self._with_first_blind(state) if state.blind else state

    def _with_first_blind(self, state: State) -> State:
        """Where one judges blind there is always a document in view: the first that is not judged."""
        chosen = state.chosen
        context = self._store.context_of(state) if state.current >= 0 and chosen.query_id else None
        if context is None:
            return state
        progress = progress_of(context, chosen.query_id, blind=True)
        if not progress.order or chosen.document_id in progress.order:
            return state
        return state.with_chosen(replace(chosen, document_id=(progress.left or progress.order)[0]))

    def step_unjudged(self, step: int) -> bool:
        """Select the next document that is not judged, or the one before (``step`` -1), from the one in view, round
        the ends; False where all are judged."""
        progress = self.judged_progress
        if progress is None or not progress.left:
            return False
        order = progress.order[::step]
        at = order.index(self._view.document_id) if self._view.document_id in order else -1
        left = set(progress.left)
        self._store.choose(document_id=next(doc for doc in (*order[at + 1 :], *order[: at + 1]) if doc in left))
        return True

    def step_blind(self, step: int) -> None:
        """Select the document before or after in the order of blind judging; the ends hold."""
        progress = self.judged_progress
        if progress is not None and progress.order:
            at = progress.order.index(self._view.document_id) if self._view.document_id in progress.order else -step
            self._store.choose(document_id=progress.order[max(0, min(len(progress.order) - 1, at + step))])

    def set_assessor(self, who: str) -> None:
        """Say who judges from now on; "" the login name."""
        self._settings["assessor"] = " ".join(who.split())
        self._settings.save()
        self._store.changed.emit(
            frozenset({Change.COLLECTION, Change.DOCUMENT, Change.QUERY})
        )  # whose the judgments are is told anew

    def _to_judge(self) -> tuple[Collection, int]:
        """The collection in view and the place of the set in force. Where there are no judgments yet, with a set of
        one's own: every query of the runs, and nothing judged."""
        collection, context = self._view.collection, self._view.context
        assert collection is not None
        assert context is not None
        if collection.judgments:
            return collection, min(self._store.state.chosen.judgments, len(collection.judgments) - 1)
        nothing = np.empty(0, dtype=np.int64)
        qrels = Qrels.from_columns(context.query_ids, nothing, strings([]), np.empty(0), name=OWN_NAME)
        return replace(collection, judgments=(JudgmentSet(qrels, Regime.POOLED),)), 0

    def _say_of(
        self, collection: Collection, place: int, query_id: str, doc_id: str, judgment: Judgment | None, label: str
    ) -> None:
        """Another judgment of a document, None the file's, as a step."""
        overlay = collection.judgments[place].overlay
        overlay = overlay.without(query_id, doc_id) if judgment is None else overlay.with_judgment(judgment)
        self._overlay(collection, place, overlay, label)

    def _overlay(self, collection: Collection, place: int, overlay: JudgmentOverlay, label: str) -> None:
        changed = _with_set(collection, place, collection.judgments[place].with_overlay(overlay))
        self._history.do(label, self._store.state.with_collection(changed))

    # --- files ---

    def lay_over(self, overlay: JudgmentOverlay) -> int:
        """Lay judgments over those in force, later than what was said so far, as one step; how many there were."""
        if self._view.collection is None or self._view.context is None or not overlay:
            return 0
        collection, place = self._to_judge()
        merged = JudgmentOverlay.of([*collection.judgments[place].overlay, *overlay])
        number = counted(len(overlay), "judgment", "judgments")
        self._overlay(collection, place, merged, f"{number} laid over {collection.judgments[place].name}")
        return len(overlay)

    def import_judgments(self, path: str) -> None:
        """Read a qrels patch, or a judge's own qrels, to be laid over the judgments in force; see :meth:`receive`."""
        collection = self._view.collection
        if collection is None or self._view.context is None:
            return
        collection, place = self._to_judge()
        there, beside = (
            bool(self._store.state.collection and self._store.state.collection.judgments),
            collection.judgments[place],
        )

        def work(progress: Progress, cancelled: object) -> Incoming:
            from irviewer.formats.judgment_patch import read_patch
            from irviewer.formats.load import load

            progress(None)
            refuse_pipe(path)
            try:
                qrels = load(path, kind="qrels").value
            except PatchError:
                said = by_unnamed((row.judgment for row in read_patch(path)), path)
                return Incoming(path, collection.identity, beside.identity, said)
            assert isinstance(qrels, Qrels)
            found, same = judgments_in(qrels, beside.read, beside.overlay, Path(path).name)
            return Incoming(path, collection.identity, beside.identity, found, same, qrels)

        def done(incoming: Incoming) -> None:
            if there:
                self.receive(incoming)
            else:  # nothing is judged yet: nothing can contradict
                number = self.lay_over(JudgmentOverlay.of(incoming.said))
                self._store.say(info(f"{_judgments_of(number, incoming.name)} over {self._over()}"))

        self._tasks.submit("patch", work, done, self._store.on_failure, title=f"Reading {Path(path).name}", reads=True)

    def _receive_opened(self, incoming: Incoming) -> None:
        self.receive(incoming, opened=True)

    def receive(self, incoming: Incoming, *, opened: bool = False) -> None:
        """Lay the judgments of a file over those of a set, as one step; where some contradict what was judged here the
        window is asked first (``laying``). ``opened``: nobody said that it is a patch."""
        laying = laying_of(self._store.state, incoming)
        if laying is None:
            self._store.say(warning(f"what {incoming.name} was to be laid over is not open any more"))
        elif laying.found.conflicts:
            self._incoming = (*self._incoming, incoming)
            if len(self._incoming) == 1:
                self._store.asked.emit("lay_over")
        else:
            self._lay(laying, theirs=True, opened=opened)

    @property
    def laying(self) -> Laying | None:
        """The file that waits until it is said what becomes of it (:meth:`settle`), beside what there is now."""
        while self._incoming:
            found = laying_of(self._store.state, self._incoming[0])
            if found is not None:
                return found
            self._incoming = self._incoming[1:]
        return None

    def settle(self, choice: Choice | None, theirs: frozenset[Document] = frozenset()) -> None:
        """What becomes of the file that waits: where it contradicts what was judged here "mine" stays, "theirs" holds,
        or that is said of "each": ``theirs`` are the documents for which the file holds; or all of it is kept as
        another "judge"'s set. None: nothing of it is laid over."""
        laying = self.laying
        if laying is None:
            return
        self._incoming = self._incoming[1:]
        name = laying.incoming.name
        if choice is None:
            self._store.say(info(f"Nothing of {name} was laid over {laying.over}"))
        elif choice == "judge":
            state, made = with_judge(self._store.state, laying)
            told = info(f"{name} is kept as another judge: the judgment set {made}, beside {laying.over}")
            self._history.do(f"{name} as another judge", state, told=told)
        else:
            self._lay(laying, theirs=theirs if choice == "each" else choice == "theirs")
        if self.laying is not None:
            self._store.asked.emit("lay_over")

    def _lay(self, laying: Laying, *, theirs: bool | frozenset[Document], opened: bool = False) -> None:
        found, name = laying.found, laying.incoming.name
        number = len(found.new) + len(found.changing) + len(taken(found, theirs))
        patch = f"{name} is a qrels patch: " if opened else ""
        if not number:
            stay = "what was judged here stays" if found.conflicts else "it says what holds already"
            self._store.say(info(f"{patch}nothing of {name} was laid over {laying.over}: {stay}"))
            return
        told = info(f"{patch}{_judgments_of(number, 'it' if opened else name)} over {laying.over}")
        state = with_laid(self._store.state, laying, theirs=theirs)
        self._history.do(
            f"{counted(number, 'judgment', 'judgments')} of {name} laid over {laying.over}", state, told=told
        )

    def _over(self) -> str:
        return "nothing" if self._view.judgments is None else self._view.judgments.name

    def export_patch(self, path: str) -> None:
        """Write what was judged here as a patch of the qrels, with what the file says beside it."""
        judgments = self._view.judgments
        if judgments is None or not judgments.overlay:
            self._store.say(warning("nothing was judged here: there is no patch to write"))
            return
        overlay, read = judgments.overlay, judgments.read

        def write(target: str) -> None:
            from irviewer.formats.judgment_patch import patch_text

            _write(target, patch_text(overlay.rows(read)).encode("utf-8", "surrogateescape"))

        self._saving.save_file(path, write)

    def revert_all(self) -> bool:
        """Let the file's judgments hold again, all of them, as one step; False where nothing else was said."""
        if self._view.judgments is None or not self._view.judgments.overlay:
            return False
        collection, place = self._to_judge()
        self._overlay(collection, place, JudgmentOverlay(), f"all judgments as in {collection.judgments[place].name}")
        return True

    def find_numbers_without(self, deliver: Callable[[tuple[WithWithout, ...]], object]) -> None:
        """Compute in the background each run's measures with and without what was judged here, and ``deliver`` them;
        nothing where none of it is other than the file's."""
        context, judgments = self._view.context, self._view.judgments
        if context is None or judgments is None or not self._view.differing:
            deliver(())
            return
        measures = systems_measures(context.depth, context.measure, self._settings["table_measures"])
        collection, place = self._to_judge()
        plain = _with_set(collection, place, judgments.with_overlay(JudgmentOverlay()))
        state = self._store.state
        choices = replace(state.chosen, query_id="", document_id=None, pinned=("", ""), brushed=frozenset())

        def work(progress: Progress, cancelled: object) -> tuple[WithWithout, ...]:
            # What is computed of them is nobody's afterwards.
            other = make_context(plain, choices, state.measure, state.cutoff, state.options, Evaluation())
            return numbers_without(context, zscored(other), measures, progress)

        def done(found: tuple[WithWithout, ...]) -> None:
            deliver(found)

        self._tasks.submit("without", work, done, self._store.on_failure, title="Computing without changed judgments")

    def save_as_set(self, path: str) -> None:
        """Write the judgments in force as qrels and judge by them from then on, as a set of the collection: nothing in
        it is changed by hand. What was judged stays with the set that it was laid over.

        Raises IrviewerError where the file is that of the judgments in force."""
        judgments, collection = self._view.judgments, self._view.collection
        if judgments is None or collection is None:
            self._store.say(warning("there are no judgments to save"))
            return
        if same_file(judgments.read.origin, path):
            raise IrviewerError(f"{path} is the file that the judgments were read from: choose another name")
        qrels, regime, identity = judgments.qrels, judgments.regime, collection.identity
        self._settings["last_folder"] = str(Path(path).resolve().parent)

        def work(progress: Progress, cancelled: object) -> Loaded:
            from irviewer.formats.load import load

            progress(None)
            _write_qrels(path, qrels)
            return load(path, kind="qrels", cached="no")

        def done(loaded: Loaded) -> None:
            assert isinstance(loaded.value, Qrels)
            self._files.reports[path] = loaded.report
            self._take_set(identity, loaded.value, regime)

        title = f"Saving {Path(path).name}"
        self._tasks.submit(f"save {path}", work, done, self._store.on_failure, title=title, writes=True)
        self._say_lost(qrels)

    def _take_set(self, identity: object, qrels: Qrels, regime: Regime) -> None:
        """Judge by qrels that were just saved, in the collection that they are of, as a step."""
        collection = self._view.collection
        if collection is None or collection.identity is not identity:
            self._store.say(info(f"Saved {qrels.origin}"))
            return
        sets = list(collection.judgments)
        place = next((n for n, one in enumerate(sets) if same_file(one.read.origin, qrels.origin)), len(sets))
        sets[place : place + 1] = [JudgmentSet(qrels, regime, chosen=True)]
        changed = self._store.state.with_collection(replace(collection, judgments=tuple(sets)))
        told = info(f"Saved {qrels.origin}: numbers are by {qrels.name} now")
        state = state_changes.with_judgments(changed, place, self._store.plain_context_of)
        self._history.do(f"judgment set {qrels.name}", state, told=told)

    def export_merged(self, path: str) -> None:
        """Write the qrels in force, the file's with what was judged here, in the format that the name asks for."""
        judgments = self._view.judgments
        if judgments is None:
            self._store.say(warning("there are no judgments to write"))
            return
        qrels = judgments.qrels
        self._saving.save_file(path, lambda target: _write_qrels(target, qrels))
        self._say_lost(qrels)

    def _say_lost(self, qrels: Qrels) -> None:
        """What a file of qrels cannot hold."""
        empty = [query for query, size in zip(qrels.query_ids, np.diff(qrels.offsets), strict=True) if not size]
        if empty:
            queries = "1 query has" if len(empty) == 1 else f"{len(empty):,} queries have"
            self._store.say(
                warning(f"{queries} no judgment left: a file of qrels cannot say so, and counts them not at all")
            )


def _judged_in(state: State) -> tuple[object, ...]:
    """The judgments that a key would change: those of which collection, which of its sets."""
    name = "" if state.collection is None else state.collection.name
    return state.current, name, len(state.workspace.collections), state.chosen.judgments


def _judgments_of(number: int, name: str) -> str:
    return f"{number:,} judgment{'' if number == 1 else 's'} of {name} {'lies' if number == 1 else 'lie'}"


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # nobody that the system knows
        return ""


def _with_set(collection: Collection, place: int, judgments: JudgmentSet) -> Collection:
    sets = list(collection.judgments)
    sets[place] = judgments
    return replace(collection, judgments=tuple(sets))


def _write_qrels(path: str, qrels: Qrels) -> None:
    from irviewer.formats.registry import format_to_write

    chosen = format_to_write(path, "qrels")
    _write(path, chosen.encoded(qrels))


def _write(path: str, data: bytes) -> None:
    write_atomically(Path(path), lambda stream: stream.write(data))
