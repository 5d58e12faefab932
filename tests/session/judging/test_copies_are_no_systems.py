"""An edited copy is no system until it is kept as a run: no statistic, count or choice of the others depends on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.projects.project import has_work
from irviewer.session.session import Session
from irviewer.session.state import ChosenScope
from irviewer.session.view_models.systems import SystemsViewModel
from tests.session.helpers import collection, session_with

NAMES = ["alpha", "beta", "gamma"]


@pytest.fixture
def session() -> Session:
    """Three runs on 30 queries; gamma is the best."""
    return session_with(collection(3, queries=30))


def edited(session: Session, key: int = 2) -> int:
    """A copy of a run, far better on every query than any run."""
    copy = session.run_editing.edit_copy(key)
    assert copy is not None
    assert session.view.context is not None
    for query in session.view.context.query_ids:
        session.navigation.set_query(query)
        session.run_editing.move_document(copy, f"d{query}", 1)
        session.run_editing.insert_document(copy, f"e{query}", 1)
    return copy


def systems(session: Session) -> SystemsViewModel:
    session.navigation.set_place("systems")
    session.protocol.set(family="pairs")  # so that there are letters
    session.comparison.compared("baseline")
    session.comparison.compared("pairs")
    view_model = session.comparison.systems_view_model()
    assert view_model is not None
    return view_model


def rows(view_model: SystemsViewModel) -> dict[str, tuple[object, ...]]:
    """What Systems shows of each run."""
    statistics = view_model.statistics
    assert statistics is not None
    assert statistics.letters is not None
    assert statistics.first is not None
    return {
        label.name: (
            view_model.means[row].tolist(), view_model.best[row].tolist(), view_model.heat[row].tolist(),
            str(view_model.delta[row]), str(statistics.low[row]), str(statistics.p[row]), statistics.letters[row],
            statistics.outcomes[row], statistics.conclusions[row], float(statistics.first[row]),
        )
        for row, label in enumerate(view_model.runs)
    }  # fmt: skip


def test_systems_are_as_without_the_copy(session: Session) -> None:
    before = systems(session)
    edited(session)
    after = systems(session)
    with_copy = rows(after)
    copy = with_copy.pop("gamma (edited)")
    assert with_copy == rows(before)
    assert copy[4] != "nan"  # an interval, as in the view, but no p, letters or place
    assert copy[5:9] == ("nan", "", "30 · 0 · 0", "")
    assert np.isnan(copy[9])
    assert not any(copy[1])
    assert (before.title, after.title) == ("3 systems", "3 systems, 1 edited copy")
    assert after.note == before.note


def test_editing_never_changes_the_baseline(session: Session) -> None:
    assert session.view.baseline == 0
    copy = edited(session, 2)
    assert session.view.baseline == 0
    assert session.view.focus == copy
    session.runs.set_baseline(copy)
    assert session.view.baseline == 0
    assert session.view.messages[-1].text == "gamma (edited) is an edited copy. Keep it as a run to compare with it."


def test_no_copy_becomes_the_baseline_unasked() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}})
    runs = [Run.from_dict({"1": {"a": 1.0}}, name=name) for name in ("first", "second")]
    session = session_with(Collection("made", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(runs))
    copy = session.run_editing.edit_copy(1)
    assert copy is not None
    session.runs.rename_run(copy, "baseline bm25")
    session.store.choose(scope=ChosenScope())
    assert session.view.baseline == 0
    session.store.choose(scope=ChosenScope(baseline=copy))  # as an older project says
    assert session.view.baseline == 0


def test_the_paper_has_no_copy(session: Session) -> None:
    edited(session)
    session.navigation.set_place("systems")
    preset = session.paper.preset()
    assert preset is not None
    assert sorted(label.name for label in preset.runs) == NAMES
    assert sorted(preset.choices.runs) == [0, 1, 2]
    assert len(preset.values) == 3


def test_pair_and_slices_say_why_a_copy_is_not_tested(session: Session) -> None:
    edited(session)
    session.navigation.set_place("compare")
    pair = session.comparison.pair_view_model()
    assert pair is not None
    assert pair.conclusion.startswith("gamma (edited) is an edited copy, which is not tested")
    slices = session.slices.slices_view_model()
    assert slices is not None
    assert slices.explanation == pair.conclusion


def test_stages_have_no_copy(session: Session) -> None:
    copy = edited(session)
    session.navigation.set_place("query")
    session.navigation.set_tab("query", "stages")
    assert copy not in session.stages.chain.keys
    session.stages.set_stage(1, copy)
    assert copy not in session.stages.chain.keys
    assert "Keep it as a run to make it a stage" in session.view.messages[-1].text
    session.stages.set_stage(0, 1)
    assert copy not in session.stages.chain.keys


def test_confusion_counts_no_copy() -> None:
    opened = collection(3, queries=30)
    human = opened.judgments[0].qrels
    other = Qrels.from_dict({q: {d: 1.0 - min(1, g) for d, g in human.judgments(q).items()} for q in human.query_ids})
    second = JudgmentSet(other.renamed("model"), Regime.POOLED, facts=JudgeFacts("model"))
    session = session_with(
        Collection("made", judgments=(*opened.judgments, second)).with_runs(entry.run for entry in opened.runs)
    )

    def seen() -> tuple[object, ...]:
        session.navigation.set_place("compare")
        session.navigation.set_tab("compare", "confusion")
        session.compute_now()
        view_model = session.judge_comparison.confusion_view_model()
        assert view_model is not None
        assert view_model.listed is not None
        return tuple(list(view_model.listed.column(key).values) for key in ("in_top", "change", "run"))

    before = seen()
    edited(session)
    assert seen() == before


def test_statistics_over_all_runs_leave_the_copy_out(session: Session) -> None:
    for name in ("median", "mean", "agreement"):
        session.columns.set_query_column(name, True)

    def seen() -> tuple[object, ...]:
        view_model = session.view_models.queries_view_model()
        assert view_model is not None
        assert view_model.field is not None
        order = np.argsort(view_model.query_ids)
        return view_model.field.runs, view_model.field.mean[order].tolist(), view_model.field.difficulty[order].tolist()

    session.navigation.sort_queries("query", False)
    before = seen()
    edited(session)
    assert seen() == before


def test_a_kept_run_is_a_system_like_the_others(session: Session) -> None:
    copy = edited(session)
    key = session.run_editing.keep_as_run(copy)
    assert key is not None
    assert session.view.collection is not None
    assert session.view.collection.run(copy) is None
    assert session.run_editing.edited_run is None
    view_model = systems(session)
    assert view_model.title == "4 systems"
    assert view_model.runs[0].name == "gamma (edited)"
    statistics = view_model.statistics
    assert statistics is not None
    assert statistics.outcomes[0] == "30 · 0 · 0"
    assert statistics.letters is not None
    assert statistics.letters[0]
    assert view_model.best[0].any()
    session.runs.set_baseline(key)
    assert session.view.baseline == key
    assert not session.run_editing.move_document(key, "d1", 2)


def test_keeping_is_undone_and_done_again(session: Session) -> None:
    copy = edited(session)
    lists = {query: session.view.collection.run(copy).run.ranking(query) for query in ("1", "2")}  # type: ignore[union-attr]
    key = session.run_editing.keep_as_run(copy)
    assert key is not None
    session.history.undo()
    collection_now = session.view.collection
    assert collection_now is not None
    assert collection_now.run(key) is None
    entry = collection_now.run(copy)
    assert entry is not None
    assert entry.is_copy
    assert session.run_editing.edited_run == copy or copy not in session.view.shown
    session.history.redo()
    assert session.view.collection is not None
    kept = session.view.collection.run(key)
    assert kept is not None
    assert not kept.is_copy
    assert {query: kept.run.ranking(query) for query in lists} == lists


def test_a_kept_run_is_stored_in_a_project(tmp_path: Path) -> None:
    (tmp_path / "some.qrels").write_text("1 0 a 1\n2 0 b 1\n")
    for name in ("one", "two"):
        (tmp_path / f"{name}.run").write_text(
            "".join(f"{q} Q0 {d} 1 {s} {name}\n" for q in "12" for s, d in enumerate("abc"))
        )
    session = Session()
    session.files.open_files([str(tmp_path / name) for name in ("some.qrels", "one.run", "two.run")])
    copy = session.run_editing.edit_copy(1)
    assert copy is not None
    session.navigation.set_query("1")
    session.run_editing.move_document(copy, "a", 1)
    assert session.run_editing.keep_as_run(copy) is not None
    assert has_work(session.state.workspace)
    session.autosave.save_project(str(tmp_path / "p.irviewer"))
    other = Session()
    other.projects.open_project(str(tmp_path / "p.irviewer"))
    assert other.view.collection is not None
    entry = next(entry for entry in other.view.collection.runs if entry.name == "two (edited)")
    assert not entry.is_copy
    assert entry.run.ranking("1") == ["a", "c", "b"]
    assert entry.run.attributes == {"edited from": "two"}
    assert has_work(other.state.workspace)


def test_a_copy_has_no_file_whichever_lists_are_shown(tmp_path: Path) -> None:
    """Nor the costs of the file that it was copied from: nobody measured the copy."""
    (tmp_path / "some.qrels").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "one.run").write_text("".join(f"{q} Q0 {d} 1 {s} one\n" for q in "12" for s, d in enumerate("abc")))
    (tmp_path / "costs.csv").write_text("run,MB\none,4\n")
    session = Session()
    session.files.open_files([str(tmp_path / name) for name in ("some.qrels", "one.run", "costs.csv")])
    assert session.run_editing.edit_copy(0) is not None
    for judged_only in (False, True):
        session.protocol.set(judged_only=judged_only)
        assert session.view.context is not None
        (costs,) = (each for each in session.view.context.run_attributes if each.name == "MB")
        assert dict(costs.values) == {"one": 4.0}
        assert [entry.run.origin for entry in session.view.context.collection.runs][1] == ""
