"""The session: the application's state and its parts, without Qt, used from one thread.

Each action makes a new frozen state through the store, which announces once what changed; views then read what they
show. Listeners must not change the session."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.session.answering.actions import AnswerLabelService
from irviewer.session.answers.actions import AnswerService
from irviewer.session.answers.merging import LabelMergingService
from irviewer.session.answers.sources import AnswerSourceService
from irviewer.session.answers.versions import AnswerVersionService
from irviewer.session.appearance import AppearanceService
from irviewer.session.attributes import AttributeService
from irviewer.session.collections.actions import CollectionService
from irviewer.session.comparison.actions import ComparisonService
from irviewer.session.comparison.fusion import FusionService
from irviewer.session.comparison.matrices import MatrixService
from irviewer.session.comparison.paper import PaperService
from irviewer.session.comparison.pooling import PoolService
from irviewer.session.comparison.report import ReportService
from irviewer.session.comparison.slices import SliceService
from irviewer.session.curves.actions import CurveService
from irviewer.session.evaluation.actions import EvaluationService
from irviewer.session.evaluation.dialects import DialectService
from irviewer.session.evaluation.zscore_actions import ZScoreService
from irviewer.session.explaining.actions import ExplanationService
from irviewer.session.explaining.document_actions import DocumentService
from irviewer.session.explaining.numbers import NumberService
from irviewer.session.explaining.ties import TieService
from irviewer.session.failures.actions import FailureService
from irviewer.session.failures.loop import FailureLoopService
from irviewer.session.files.actions import FileService
from irviewer.session.files.disk_actions import DiskService
from irviewer.session.files.large_runs import LargeRunService
from irviewer.session.files.version_actions import VersionService
from irviewer.session.judges.actions import JudgeService
from irviewer.session.judges.comparison import JudgeComparisonService
from irviewer.session.judging.actions import JudgingService
from irviewer.session.judging.history import HistoryService
from irviewer.session.judging.in_lists import ListJudgingService
from irviewer.session.judging.run_editing import RunEditingService
from irviewer.session.lecture_table.actions import LectureTableService
from irviewer.session.messages import Message
from irviewer.session.navigation.actions import NavigationService
from irviewer.session.notes.actions import NoteService
from irviewer.session.preferences import PreferenceService
from irviewer.session.projects.actions import ProjectService
from irviewer.session.projects.autosave import Autosave
from irviewer.session.protocol.actions import ProtocolService
from irviewer.session.query_sets import QuerySetService
from irviewer.session.result_views import ResultViewService
from irviewer.session.runs.actions import RunService
from irviewer.session.saving import FileSaving
from irviewer.session.scripting.actions import ScriptingService
from irviewer.session.settings import Settings
from irviewer.session.stages.actions import StageService
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.stored_values import StoredValueService
from irviewer.session.tasks import Busy, Post
from irviewer.session.teaching.actions import TeachingService
from irviewer.session.teaching.course_walk import CourseWalk
from irviewer.session.teaching.lesson_source import lesson_among
from irviewer.session.teaching.lesson_watch import LessonWatch
from irviewer.session.teaching.lessons import LessonService
from irviewer.session.teaching.progress import ProgressService
from irviewer.session.teaching.sliders import SliderService
from irviewer.session.teaching.step_actions import LessonParts
from irviewer.session.text.columns import ColumnService
from irviewer.session.view import View
from irviewer.session.view_model_service import ViewModelService


class Session:
    """What is open and what can be done with it: one part per feature, each made of what it needs.

    ``post`` delivers results of background work to this thread; without it, work runs synchronously. ``changed``
    carries a frozenset of ``Change``; ``hovered`` the document under the pointer ("" for none); ``asked`` the id of a
    command that needs the window; ``answered`` a message that says what the user's act did."""

    def __init__(self, settings: Settings | None = None, *, post: Post | None = None) -> None:
        store = self.store = Store(settings, post=post)
        self.settings = store.settings
        self.changed, self.hovered, self.asked = store.changed, store.hovered, store.asked
        self.answered = store.answered
        view = self.view = View(store)
        self.saving = FileSaving(store)
        self.history = HistoryService(store, view)
        self.navigation = NavigationService(store, view)
        self.protocol = ProtocolService(store, view, self.saving, self.history)
        self.stored_values = StoredValueService(store, view, self.protocol)
        self.evaluation = EvaluationService(store, view, self.history)
        self.appearance = AppearanceService(store)
        self.files = FileService(store, view, self.history)
        self.files.open_protocol = self.protocol.open_file
        self.large_runs = LargeRunService(store, view, self.files)
        self.files.evaluate_in_blocks = self.large_runs.evaluate
        self.attributes = AttributeService(store, view, self.history, self.files)
        self.files.receive_attributes = self.attributes.receive
        self.disk = DiskService(store, view, self.files)
        self.versions = VersionService(store, view, self.files)
        self.runs = RunService(store, view, self.history)
        self.judging = JudgingService(store, view, self.saving, self.history, self.files)
        self.preferences = PreferenceService(store, self.appearance, self.judging)
        self.judges = JudgeService(store, view, self.saving, self.history, self.evaluation)
        self.files.ask_about = self.judges.ask_about
        self.judge_comparison = JudgeComparisonService(store, view, self.judges)
        self.run_editing = RunEditingService(store, view, self.saving, self.history)
        self.notes = NoteService(store, view, self.saving, self.history)
        self.documents = DocumentService(store, view)
        self.answers = AnswerService(store, view)
        self.explaining = ExplanationService(store, view, self.answers)
        self.ties = TieService(store, view)
        self.zscores = ZScoreService(store, view)
        self.dialects = DialectService(store, view)
        self.columns = ColumnService(store)
        self.failures = FailureService(store, view, self.saving)
        self.failure_loop = FailureLoopService(store, view, self.history, self.failures)
        self.list_judging = ListJudgingService(store, view, self.failures, self.judging)
        self.comparison = ComparisonService(store, view, self.saving)
        self.paper = PaperService(store, view, self.saving, self.comparison)
        self.report = ReportService(store, view, self.saving, self.paper)
        self.matrices = MatrixService(store, view, self.comparison, self.runs)
        self.pooling = PoolService(store, view)
        self.curves = CurveService(store, view)
        self.stages = StageService(store, view, self.history)
        self.answer_sources = AnswerSourceService(store, view, self.history)
        self.answer_versions = AnswerVersionService(store, view, self.history)
        self.files.ask_versions = self.answer_versions.ask_about
        self.result_views = ResultViewService(store, view, self.saving, self.history)
        self.label_merging = LabelMergingService(store, view, self.saving, self.history, self.result_views)
        self.collections = CollectionService(store, view, self.history)
        self.navigation.listed = self._listed_queries
        self.fusion = FusionService(store, view, self.history)
        self.view_models = ViewModelService(store, view, self.comparison, self.curves, self.pooling, self.large_runs)
        self.query_sets = QuerySetService(store, view, self.saving, self.history, self.view_models, self.comparison)
        self.answering = AnswerLabelService(store, view, self.saving, self.history, self.judging, self.query_sets)
        self.slices = SliceService(store, view, self.saving, self.attributes, self.query_sets)
        self.numbers = NumberService(store, view, self.judge_comparison, self.slices, self.collections, self.stages)
        self.sliders = SliderService(store, view, self.history)
        self.progress = ProgressService(store)
        self.lessons = LessonService(store, view, self.files, self.progress)
        parts = LessonParts(view, self.evaluation, self.protocol, self.judging, self.run_editing, self.history)
        self.teaching = TeachingService(store, view, self.files, self.lessons, parts)
        self.course_walk = CourseWalk(self.lessons, self.teaching, self.progress)
        self.lesson_watch = LessonWatch(store, view, self.lessons, self.teaching)
        self.lecture_table = LectureTableService(store, view, self.teaching)
        self.files.read_lesson, self.files.show_lesson = lesson_among, self.teaching.show
        self.autosave = Autosave(store, view, self.files, self.disk)
        self.projects = ProjectService(store, view, self.files, self.autosave)
        self.scripting = ScriptingService(store, view, self.history, self.evaluation, self.navigation)

        store.before = [self.judging.before_update, self.lessons.before_update]
        store.follow = [self.list_judging.follow, self.result_views.follow]
        store.after = [
            self.stored_values.after_update,
            self.lessons.after_update,
            self.progress.after_update,
            self.autosave.follow,
        ]

    def _listed_queries(self) -> Sequence[str] | None:
        """The queries of the list in view that has an order of its own; None where there is none."""
        listed = self.failure_loop.listed_queries()
        return self.stages.listed_queries() if listed is None else listed

    @property
    def state(self) -> State:
        """The current state."""
        return self.store.state

    @property
    def busy(self) -> Busy | None:
        """The running work; None if there is none."""
        return self.store.busy

    def say(self, message: Message) -> None:
        """Show a message."""
        self.store.say(message)

    def dismiss_message(self, message: Message) -> None:
        """Remove a message; one that has gone already is no fault."""
        self.store.dismiss_message(message)

    def compute_now(self) -> None:
        """Compute pending background results synchronously, for screenshots."""
        for results in self.store.background:
            results.compute_now()

    def close(self) -> None:
        """Save unsaved work and cancel what is running. May be called twice."""
        self.autosave.close()
        self.store.close()
