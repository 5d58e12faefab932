"""Each part of the session, made of what it takes and nothing else, does its main thing on a small collection."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from irviewer.errors import IrviewerError, OptionError
from irviewer.evaluation.evaluate import stored_rules
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.notes import Note
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.rankings.fusion import Fusion
from irviewer.model.run import Run
from irviewer.model.stored_values import StoredValues
from irviewer.model.workspace import NO_LIST, Regime, Workspace
from irviewer.session.answering.actions import AnswerLabelService
from irviewer.session.answers.actions import AnswerService
from irviewer.session.answers.merging import LabelMergingService
from irviewer.session.answers.sources import AnswerSourceService
from irviewer.session.answers.versions import AnswerVersionService
from irviewer.session.appearance import AppearanceService
from irviewer.session.attributes import AttributeService
from irviewer.session.changes import Change
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
from irviewer.session.files.import_result import ImportResult
from irviewer.session.files.large_runs import LargeRunService
from irviewer.session.files.loading import Request
from irviewer.session.files.version_actions import VersionService
from irviewer.session.judges.actions import JudgeService
from irviewer.session.judges.comparison import JudgeComparisonService
from irviewer.session.judging.actions import JudgingService
from irviewer.session.judging.history import HistoryService
from irviewer.session.judging.in_lists import ListJudgingService
from irviewer.session.judging.run_editing import RunEditingService
from irviewer.session.lecture_table.actions import LectureTableService
from irviewer.session.messages import warning
from irviewer.session.navigation.actions import NavigationService
from irviewer.session.notes.actions import NoteService
from irviewer.session.notes.changes import notes_of, with_note
from irviewer.session.preferences import PreferenceService
from irviewer.session.projects.actions import ProjectService
from irviewer.session.projects.autosave import Autosave
from irviewer.session.protocol.actions import ProtocolService
from irviewer.session.query_sets import QuerySetService
from irviewer.session.result_views import ResultViewService
from irviewer.session.runs.actions import RunService
from irviewer.session.saving import FileSaving
from irviewer.session.scripting.actions import GivenData, ScriptingService
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.stages.actions import StageService
from irviewer.session.state_changes import Opening, with_import_result
from irviewer.session.store import Store
from irviewer.session.stored_values import StoredValueService
from irviewer.session.teaching.actions import TeachingService
from irviewer.session.teaching.course_walk import CourseWalk
from irviewer.session.teaching.lesson_watch import LessonWatch
from irviewer.session.teaching.lessons import LessonService
from irviewer.session.teaching.progress import ProgressService
from irviewer.session.teaching.sliders import SliderService
from irviewer.session.teaching.step_actions import LessonParts
from irviewer.session.text.columns import ColumnService
from irviewer.session.view import View
from irviewer.session.view_model_service import ViewModelService
from irviewer.views.paper import PaperTable
from tests.session.helpers import collection


def takes(part: type) -> tuple[type, ...]:
    """Return what a part is made of, as its constructor says: the store, the view and other parts, nothing else."""
    if part in (Store, Settings):
        return ()
    known = {known.__name__: known for known in (*MAIN, LessonParts)}
    return tuple(known[parameter.annotation] for parameter in inspect.signature(part).parameters.values())


class Alone:
    """A store with three runs open, of which the first is the worst; and parts, made with what they take when they are
    asked for and not before."""

    def __init__(self) -> None:
        self.store = Store(Settings())
        import_result = ImportResult(Workspace((collection(),)), new=[0], touched=[0])
        self.store.apply(
            with_import_result(self.store.state, import_result, Opening(), self.store.context_of, hints=False)
        )
        self.parts: dict[type, Any] = {Store: self.store}
        self.heard: list[frozenset[Change]] = []
        self.store.changed.connect(self.heard.append)

    def make(self, part: type) -> Any:
        """A part; its own parts are made first."""
        if part not in self.parts:
            self.parts[part] = part(*(self.make(taken) for taken in takes(part)))
        return self.parts[part]

    @cached_property
    def view(self) -> View:
        """What is in view."""
        new_view: View = self.make(View)
        return new_view

    @property
    def grade(self) -> float:
        """The grade of query 1's document d1; it is 1 in the file."""
        assert self.view.judgments is not None
        return self.view.judgments.qrels.judgments("1")["d1"]

    def run(self, key: int) -> Any:
        """A run of the collection in view."""
        assert self.view.collection is not None
        return self.view.collection.run(key)

    @property
    def ranking(self) -> list[str]:
        """The list of the first run on query 1."""
        order: list[str] = self.run(0).run.ranking("1")
        return order


@pytest.fixture
def alone() -> Iterator[Alone]:
    """Closed at the end; every part but those that a test asks for is never made."""
    new_alone = Alone()
    yield new_alone
    if Autosave in new_alone.parts:
        new_alone.parts[Autosave].close()
    new_alone.store.close()


Works = Callable[[Alone, Any, Path], None]
MAIN: dict[type, Works] = {}


def does(part: type) -> Callable[[Works], Works]:
    """Registers what a part mainly does."""

    def register(works: Works) -> Works:
        MAIN[part] = works
        return works

    return register


@does(Store)
def announces_what_changed(alone: Alone, store: Store, folder: Path) -> None:
    store.choose(query_id="8" if store.state.chosen.query_id == "1" else "1")
    assert alone.heard == [frozenset({Change.QUERY})]
    store.say(warning("hear"))
    assert [message.text for message in store.state.messages] == ["hear"]


@does(View)
def reads_what_is_in_view(alone: Alone, view: View, folder: Path) -> None:
    assert [label.name for label in view.labels()] == ["alpha", "beta", "gamma"]
    assert (view.baseline, len(view.shown), view.query_id in view.context.query_index) == (0, 3, True)


@does(Settings)
def are_the_stores(alone: Alone, settings: Settings, folder: Path) -> None:
    assert settings is alone.store.settings


@does(FileSaving)
def writes_a_file(alone: Alone, saving: FileSaving, folder: Path) -> None:
    saving.save_file(str(folder / "one"), lambda path: Path(path).write_text("written"))
    assert (folder / "one").read_text() == "written"
    assert saving.finish_files() == ()


@does(HistoryService)
def does_and_undoes(alone: Alone, history: HistoryService, folder: Path) -> None:
    now = alone.view.collection
    assert now is not None
    state = alone.store.state
    history.do("note", state.with_collection(with_note(now, "query", "1", Note(text="odd"))))
    assert "note" in history.undo_label
    assert history.undo()
    assert alone.view.collection is not None
    assert not notes_of(alone.view.collection).queries
    assert history.redo()
    assert notes_of(alone.view.collection).queries


@does(NavigationService)
def walks_the_queries(alone: Alone, navigation: NavigationService, folder: Path) -> None:
    navigation.set_place("query")
    navigation.sort_queries("query", False)
    navigation.set_query("1")
    navigation.step_query(1)
    assert (alone.view.place, alone.view.query_id) == ("query", "2")
    assert not navigation.set_query("none")
    assert "none" in alone.view.messages[-1].text


@does(EvaluationService)
def chooses_a_measure(alone: Alone, evaluation: EvaluationService, folder: Path) -> None:
    evaluation.set_measure("P@5")
    assert (str(alone.view.measure), alone.view.cutoff) == ("P@5", 5)
    evaluation.set_regime(Regime.COMPLETE)
    assert alone.view.judgments is not None
    assert alone.view.judgments.regime is Regime.COMPLETE


@does(ResultViewService)
def computes_a_view(alone: Alone, result_views: ResultViewService, folder: Path) -> None:
    result_views.choose("trade-offs")
    result_views.results.compute_now()
    answer = result_views.answer()
    assert answer is not None
    assert "no attribute that is a number" in answer.trouble


@does(AppearanceService)
def chooses_a_theme(alone: Alone, appearance: AppearanceService, folder: Path) -> None:
    appearance.set_theme("dark")
    assert alone.view.theme == "dark"
    assert alone.heard == [frozenset({Change.THEME})]


@does(FileService)
def opens_files(alone: Alone, files: FileService, folder: Path) -> None:
    (folder / "more.run").write_text("1 Q0 d1 1 9 more\n")
    files.open_files([str(folder / "more.run")])
    assert [label.name for label in alone.view.labels()] == ["alpha", "beta", "gamma", "more"]


@does(DiskService)
def sees_changed_files(alone: Alone, disk: DiskService, folder: Path) -> None:
    path = folder / "more.run"
    path.write_text("1 Q0 d1 1 9 more\n")
    alone.parts[FileService].open_files([str(path)])
    path.write_text("1 Q0 e1 1 9 more\n1 Q0 d1 2 8 more\n")
    disk.look_at_disk()
    assert disk.changed_files == ()  # it may be being written
    disk.look_at_disk()
    assert disk.changed_files == (str(path),)
    disk.read_changed()
    assert alone.view.collection is not None
    assert alone.view.collection.runs[-1].run.ranking("1") == ["e1", "d1"]


@does(RunService)
def shows_renames_and_removes(alone: Alone, runs: RunService, folder: Path) -> None:
    runs.show_run(1, False)
    assert alone.view.shown == (0, 2)
    runs.rename_run(2, "third")
    runs.remove_run(0)
    assert [label.name for label in alone.view.labels()] == ["beta", "third"]
    assert alone.parts[HistoryService].undo()
    assert [label.name for label in alone.view.labels()] == ["alpha", "beta", "third"]


@does(JudgingService)
def judges(alone: Alone, judging: JudgingService, folder: Path) -> None:
    assert judging.judge("d1", 2.0, query_id="1")
    assert (alone.grade, alone.view.differing) == (2.0, 1)
    assert alone.parts[HistoryService].undo()
    assert (alone.grade, alone.view.differing) == (1.0, 0)


@does(JudgeService)
def describes_a_judge(alone: Alone, judges: JudgeService, folder: Path) -> None:
    judges.describe(0, "NIST", JudgeFacts("human", "assessors"))
    assert judges.sets[0].label == "NIST"
    assert judges.sets[0].facts.family == "assessors"


@does(NumberService)
def has_no_numbers_elsewhere(alone: Alone, numbers: NumberService, folder: Path) -> None:
    assert not numbers.is_here
    assert numbers.numbers() == ()


@does(JudgeComparisonService)
def needs_two_judges(alone: Alone, comparison: JudgeComparisonService, folder: Path) -> None:
    view_model = comparison.agreement_view_model()
    assert view_model is not None
    assert "two judgment sets" in view_model.explanation


@does(RunEditingService)
def moves_a_document(alone: Alone, editing: RunEditingService, folder: Path) -> None:
    key = editing.edit_copy(0)
    assert key is not None
    alone.store.choose(query_id="1")
    last = alone.ranking[-1]
    assert editing.move_document(key, last, 1)
    assert alone.run(key).run.ranking("1") == [last, *alone.ranking[:-1]]


@does(NoteService)
def writes_a_note(alone: Alone, notes: NoteService, folder: Path) -> None:
    notes.write_note("query", "1", "odd", ["hard"])
    assert (notes.note("query", "1").text, notes.note("query", "1").tags) == ("odd", ("hard",))
    notes.save_notes(str(folder / "notes.tsv"))
    assert "odd" in (folder / "notes.tsv").read_text()


@does(DocumentService)
def pins_a_document(alone: Alone, documents: DocumentService, folder: Path) -> None:
    alone.store.choose(query_id="1", document_id="d1")
    documents.pin_document("e1")
    assert documents.pinned_document == "e1"
    view_model = documents.why_not_view_model()
    assert view_model is not None


@does(ExplanationService)
def explains_a_number(alone: Alone, explaining: ExplanationService, folder: Path) -> None:
    alone.store.choose(query_id="1")
    explaining.explain(0, "RR")
    view_model = explaining.ledger_view_model()
    assert explaining.is_on
    assert view_model is not None
    explaining.stop_explaining()
    assert not explaining.is_on


@does(TieService)
def finds_ties(alone: Alone, ties: TieService, folder: Path) -> None:
    tables: list[Any] = []
    ties.find_ties(tables.append)
    assert tables[0].changing == "No value depends on ties."


@does(ZScoreService)
def has_none_without_means(alone: Alone, zscores: ZScoreService, folder: Path) -> None:
    assert not zscores.has_zscores
    zscores.set_zscores(True)
    assert not zscores.is_on


@does(DialectService)
def finds_what_dialects_change(alone: Alone, dialects: DialectService, folder: Path) -> None:
    tables: list[Any] = []
    dialects.find_dialect_changes(tables.append)
    assert tables[0].here.startswith("trec_eval")


@does(AttributeService)
def shows_an_attribute(alone: Alone, attributes: AttributeService, folder: Path) -> None:
    assert [attribute.name for attribute in attributes.of_queries] == ["relevant"]
    assert attributes.columns == ()
    attributes.set_column("relevant", True)
    assert attributes.columns == ("relevant",)
    with pytest.raises(IrviewerError, match="Unknown attribute"):
        attributes.set_column("language", True)


@does(SliceService)
def crosses_two_attributes(alone: Alone, slices: SliceService, folder: Path) -> None:
    view_model = slices.slices_view_model()
    assert view_model is not None
    assert "no attributes that make slices" in view_model.explanation
    slices.cross("relevant", "length")
    assert alone.store.state.chosen.slice_crossed == ("relevant", "length")


@does(ColumnService)
def chooses_columns(alone: Alone, columns: ColumnService, folder: Path) -> None:
    before = columns.query_columns
    name = before[0]
    columns.set_query_column(name, False)
    assert name not in columns.query_columns
    assert alone.heard == [frozenset({Change.ORDER})]


@does(FailureService)
def finds_failures(alone: Alone, failures: FailureService, folder: Path) -> None:
    view_model = failures.failures_view_model()
    relevant = failures.relevant_view_model()
    assert view_model is not None
    assert relevant is not None
    failures.set_stop(5)
    assert failures.recall_view_model() is not None


@does(FailureLoopService)
def tags_a_failure(alone: Alone, loop: FailureLoopService, folder: Path) -> None:
    alone.store.choose(query_id="1")
    loop.add_tag("odd")
    view_model = loop.view_model()
    assert view_model is not None
    assert view_model.keys == {"1": ("1",)}


@does(ListJudgingService)
def judges_where_one_is(alone: Alone, lists: ListJudgingService, folder: Path) -> None:
    alone.store.choose(query_id="1", document_id="d1")
    lists.choose_pair("1", "d1")
    assert lists.judge_document("1", "d1", 2.0)
    assert alone.grade == 2.0
    assert lists.revert_document("1", "d1")
    assert alone.grade == 1.0


@does(ProtocolService)
def declares_fields(alone: Alone, protocol: ProtocolService, folder: Path) -> None:
    protocol.set_number("alpha", "0.01")
    protocol.set(dialect="ranx")
    assert protocol.declared.declared == {"inference.alpha", "rules.dialect"}
    assert alone.view.dialect == "ranx"
    with pytest.raises(OptionError, match="no test"):
        protocol.set(test="no test")  # type: ignore[arg-type]
    protocol.undeclare("alpha", "dialect")
    assert protocol.declared == EvaluationProtocol()


@does(LargeRunService)
def evaluates_in_blocks(alone: Alone, large_runs: LargeRunService, folder: Path) -> None:
    assert alone.view.collection is not None
    queries = alone.view.collection.judgments[0].qrels.query_ids
    path = folder / "large.run"
    path.write_text("".join(f"{query} Q0 d{n} {n} {9 - n} t\n" for query in queries for n in range(3)))
    large_runs.evaluate([Request(str(path))])
    entry = alone.view.collection.runs[-1]
    assert entry.name == "large"
    assert entry.run.stored is not None
    alone.store.apply(replace(alone.store.state, place="query"))
    alone.store.choose(query_id=queries[0], shown={entry.key})
    for results in alone.store.background:
        results.compute_now()
    assert {key: list(read.doc_ids.to_pylist()) for key, read in large_runs.known.items() if isinstance(read, Run)} == {
        entry.key: ["d0", "d1", "d2"]
    }
    assert large_runs.others == ()


@does(StoredValueService)
def declares_the_rules_of_values(alone: Alone, stored_values: StoredValueService, folder: Path) -> None:
    assert alone.view.collection is not None
    judgments = alone.view.collection.judgments[0].qrels
    rules = {**stored_rules(EvaluationOptions()), "level": 2}
    values = StoredValues("v.parquet", "v", judgments.query_ids, {}, (), rules, judgments.digest)
    run = Run.of_stored("v", judgments.query_ids, values)
    before = alone.store.state
    alone.store.apply(before.with_collection(alone.view.collection.with_runs([run])))
    assert stored_values.rules == {"level": 2}
    stored_values.after_update(before)
    assert alone.view.messages[-1].action == "use_stored_rules"
    stored_values.use_rules()
    assert alone.store.state.options.level == 2
    assert stored_values.rules == {}
    stored_values.after_update(before)
    assert not alone.view.messages


@does(ComparisonService)
def compares(alone: Alone, comparison: ComparisonService, folder: Path) -> None:
    compared = comparison.compared("baseline")
    assert compared is not None
    assert comparison.systems_view_model() is not None
    pair = comparison.pair_view_model()
    assert pair is not None


@does(PaperService)
def makes_a_table_for_a_paper(alone: Alone, paper: PaperService, folder: Path) -> None:
    preset = paper.preset()
    assert preset is not None
    tables: list[PaperTable] = []
    paper.find_table(preset.choices, tables.append, pytest.fail)
    assert len(tables[0].runs) == len(preset.runs)
    paper.save(tables[0], "csv", str(folder / "table.csv"))
    assert (folder / "table.csv").read_text() == tables[0].csv


@does(MatrixService)
def shows_similarity_of_runs(alone: Alone, matrices: MatrixService, folder: Path) -> None:
    alone.store.apply(with_tab(alone, "matrices"))
    matrices.results.compute_now()
    view_model = matrices.matrix_view_model()
    assert view_model is not None


@does(PoolService)
def measures_the_pool(alone: Alone, pooling: PoolService, folder: Path) -> None:
    alone.store.apply(with_tab(alone, "pool"))
    pooling.results.compute_now()
    assert pooling.known_pool() is not None
    assert pooling.pool_view_model() is not None


@does(CurveService)
def chooses_what_curves_show(alone: Alone, curves: CurveService, folder: Path) -> None:
    curves.set_query_gain("dcg")
    assert curves.query_gain == "dcg"
    assert curves.dress_systems(None) is None


@does(StageService)
def chooses_stages(alone: Alone, stages: StageService, folder: Path) -> None:
    stages.set_stage(0, 2)
    assert stages.chain.keys == (2, 0)  # the baseline takes turns
    assert stages.stages_view_model() is not None


@does(CollectionService)
def matches_systems(alone: Alone, collections: CollectionService, folder: Path) -> None:
    assert collections.collections_view_model() is None  # one collection is open
    collections.match({0: {1: "best"}})
    assert collections.systems.runs[0]["best"] == 1


@does(FusionService)
def fuses_runs(alone: Alone, fusion: FusionService, folder: Path) -> None:
    fusion.fuse_runs([1, 2], Fusion(), "both")
    assert alone.view.labels()[-1].name == "both"


@does(ScriptingService)
def shows_what_python_gives(alone: Alone, scripting: ScriptingService, folder: Path) -> None:
    scripting.open_data(GivenData("given", None, (alone.run(0).run,)))
    assert scripting.selection()["runs"] == ["alpha"]
    assert scripting.add_runs([alone.run(0).run]) == ("alpha (2)",)
    assert alone.view.collection.name == "given"


@does(VersionService)
def compares_a_run_that_was_read_again(alone: Alone, versions: VersionService, folder: Path) -> None:
    before = alone.store.state
    entry = alone.run(0)
    again = replace(alone.run(1).run.renamed(entry.name), origin=str(folder / "alpha"))
    changed = alone.view.collection.with_run(replace(entry, run=again))
    after = replace(before, workspace=before.workspace.with_collection(0, changed))
    versions.compare(before, after, {again.origin: ("", "2026-01-01")})
    assert versions.can_show_moved
    versions.show_moved()
    assert alone.store.state.chosen.brushed
    assert [message.details[-1][:12] for message in versions.histories()] == ["time unknown"]


@does(ReportService)
def writes_a_report(alone: Alone, report: ReportService, folder: Path) -> None:
    assert report.title == "made"
    report.save(str(folder / "report.html"))
    text = (folder / "report.html").read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert all(name in text for name in ("alpha", "beta", "gamma"))


@does(PreferenceService)
def sets_what_is_preferred(alone: Alone, preferences: PreferenceService, folder: Path) -> None:
    preferences.set(replace(preferences.present, theme="dark", table_measures=("AP",)))
    assert (alone.store.state.theme, alone.store.settings["table_measures"]) == ("dark", ["AP"])


@does(ViewModelService)
def gives_view_models(alone: Alone, view_models: ViewModelService, folder: Path) -> None:
    alone.store.choose(query_id="1", document_id="d1")
    systems, queries, query = (
        view_models.systems_view_model(),
        view_models.queries_view_model(),
        view_models.query_view_model(),
    )
    assert systems is not None
    assert queries is not None
    assert sorted(queries.query_ids) == list("12345678")
    assert query is not None
    assert query is view_models.query_view_model()
    card = view_models.document_card()
    assert card is not None


@does(QuerySetService)
def makes_a_query_set(alone: Alone, sets: QuerySetService, folder: Path) -> None:
    sets.make_query_set("few", ["1", "2"])
    sets.set_query_set("few")
    assert (sets.query_set, [query_set.name for query_set in sets.every]) == ("few", ["few"])
    assert alone.view.context is not None
    assert alone.view.context.within is not None
    assert int(alone.view.context.within.sum()) == 2


@does(SliderService)
def sweeps_a_threshold(alone: Alone, sliders: SliderService, folder: Path) -> None:
    sliders.set_thresholds(True)
    assert sliders.thresholds_open
    sliders.set_threshold("cutoff", 3)
    assert alone.view.measure.cutoff == 3
    swept = sliders.sweep("cutoff", (1, 3))
    assert swept is not None
    assert swept.means.shape == (3, 2)
    sliders.reset_thresholds()
    assert alone.view.measure.cutoff == 10


@does(LessonService)
def opens_a_lesson(alone: Alone, lessons: LessonService, folder: Path) -> None:
    assert lessons.open_named(lessons.every[0].id)
    assert lessons.lesson is not None


@does(ProgressService)
def remembers_what_was_done(alone: Alone, progress: ProgressService, folder: Path) -> None:
    lesson = next(lesson for lesson in bundled_course("").lessons if progress.of(lesson).questions)
    alone.store.settings.path = folder / "settings.json"
    marks = [str(place) for place in range(len(lesson.items) + 1)]
    (folder / "lessons.json").write_text(json.dumps({"courses": {"bundled": {Path(lesson.path).stem: marks}}}))
    progress.look()
    assert progress.of(lesson).is_begun
    put_back = progress.reset([lesson])
    assert not progress.of(lesson).is_begun
    put_back()
    assert progress.of(lesson).is_begun


@does(LessonWatch)
def reads_a_lesson_again(alone: Alone, watch: LessonWatch, folder: Path) -> None:
    path = folder / "lesson.md"
    path.write_text("---\ntitle: Before\nrankings: 1 0 1\n---\nText\n")
    teaching = alone.parts[TeachingService]
    assert teaching.open_path(str(path))
    path.write_text("---\ntitle: Afterwards\nrankings: 1 0 1\n---\nText\n")
    os.utime(path, (1, 1))
    watch.look_at_disk()
    lesson = alone.parts[LessonService].lesson
    assert lesson is not None
    assert lesson.title == "Afterwards"


@does(CourseWalk)
def goes_to_the_next_lesson(alone: Alone, walk: CourseWalk, folder: Path) -> None:
    lessons = bundled_course("").lessons
    assert alone.parts[TeachingService].open(lessons[0])
    assert walk.go(1)
    assert alone.parts[LessonService].lesson == lessons[1]


@does(TeachingService)
def teaches(alone: Alone, teaching: TeachingService, folder: Path) -> None:
    teaching.set_teaching(True)
    assert teaching.is_on
    assert teaching.open_inline_ranking("1 0 1 | R=3")
    assert alone.view.collection is not None
    assert alone.view.collection.name == "typed"
    assert teaching.lesson_view_model() is not None


@does(Autosave)
def saves_a_project(alone: Alone, autosave: Autosave, folder: Path) -> None:
    path = folder / "work.irviewer"
    autosave.save_project(str(path))
    autosave.finish()
    assert path.is_file()
    assert autosave.project_path == str(path)


@does(LectureTableService)
def uncovers_a_table(alone: Alone, table: LectureTableService, folder: Path) -> None:
    alone.parts[TeachingService].open_inline_ranking("1 0 1")
    assert table.guess("1")
    assert table.next()
    view_model = table.view_model()
    assert view_model is not None
    assert view_model.row == 2


@does(ProjectService)
def opens_a_project(alone: Alone, projects: ProjectService, folder: Path) -> None:
    (folder / "more.run").write_text("1 Q0 d1 1 9 more\n")
    alone.parts[FileService].open_files([str(folder / "more.run")])
    autosave, path = alone.parts[Autosave], folder / "work.irviewer"
    autosave.save_project(str(path))
    autosave.finish()
    projects.open_project(str(path))
    assert autosave.project_path == str(path)
    assert alone.view.collection is not None


@does(AnswerLabelService)
def writes_a_nugget(alone: Alone, answering: AnswerLabelService, folder: Path) -> None:
    answering.write_nugget("a fact", vital=True)
    judgments = alone.view.judgments
    assert judgments is not None and judgments.qrels.nuggets is not None
    assert judgments.qrels.nuggets.texts.to_pylist() == ["a fact"]


@does(AnswerSourceService)
def chooses_the_list_of_the_answers(alone: Alone, answer_sources: AnswerSourceService, folder: Path) -> None:
    assert (answer_sources.lists, answer_sources.chosen_list, answer_sources.assigners) == ((), None, ())
    answer_sources.set_list(NO_LIST)
    assert answer_sources.chosen_list == NO_LIST
    alone.parts[HistoryService].undo()
    assert answer_sources.chosen_list is None


@does(AnswerVersionService)
def asks_nothing_where_no_run_answers(alone: Alone, versions: AnswerVersionService, folder: Path) -> None:
    before = alone.store.state
    versions.ask_about([0, 1])
    versions.choose("last")
    assert versions.differing == () and alone.store.state is before


@does(LabelMergingService)
def has_nothing_to_merge(alone: Alone, merging: LabelMergingService, folder: Path) -> None:
    assert merging.merged is None
    with pytest.raises(IrviewerError, match="no merged labels"):
        merging.take()


@does(AnswerService)
def shows_answers_side_by_side(alone: Alone, answers: AnswerService, folder: Path) -> None:
    assert not answers.is_here and answers.view_model() is None  # no run answers
    answers.set_columns(9)
    assert alone.store.state.chosen.answer_columns == 4
    answers.select_nugget(3)
    assert alone.store.state.chosen.answer_part == (alone.view.query_id, "nugget", "3")
    answers.switch_hints()
    assert not alone.store.state.chosen.answer_hints


def with_tab(alone: Alone, tab: str) -> Any:
    """The state with a view of the place Compare in sight."""
    return replace(alone.store.state, place="compare", tabs={"compare": tab})


@pytest.mark.parametrize("part", MAIN, ids=lambda part: part.__name__)
def test_a_part_works_alone(part: type, alone: Alone, tmp_path: Path) -> None:
    made_part = alone.store.settings if part is Settings else alone.make(part)
    MAIN[part](alone, made_part, tmp_path)
    asked = {Store, View, *_taken(part)}
    assert set(alone.parts) <= asked | {part}, "a part was made that it does not take"


def _taken(part: type) -> set[type]:
    """All that a part is made of, and what that is made of."""
    own = set(takes(part))
    return own.union(*map(_taken, own)) if own else own


@pytest.fixture
def session() -> Iterator[Session]:
    new_session = Session()
    yield new_session
    new_session.close()


@pytest.mark.parametrize("part", MAIN, ids=lambda part: part.__name__)
def test_a_part_takes_the_store_and_other_parts_only(part: type) -> None:
    assert set(takes(part)) <= {*MAIN, LessonParts}, "another is a KeyError"


def test_every_part_of_the_session_is_tested_alone(session: Session) -> None:
    ours = (value for value in vars(session).values() if type(value).__module__.startswith("irviewer."))
    assert {type(value) for value in ours} - set(MAIN) == set()


def test_a_part_that_is_forgotten_is_seen(session: Session) -> None:
    session.another = Opening()  # type: ignore[attr-defined]
    ours = (value for value in vars(session).values() if type(value).__module__.startswith("irviewer."))
    assert {type(value) for value in ours} - set(MAIN) == {Opening}


def test_the_session_is_made_of_parts() -> None:
    assert Session.__bases__ == (object,)


def test_no_part_inherits_from_another() -> None:
    assert {part: part.__bases__ for part in MAIN if part.__bases__ != (object,)} == {}
