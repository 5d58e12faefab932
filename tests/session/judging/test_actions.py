"""Judging over the file's qrels: every number answers, every step goes back and forth, the file stays as it was."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from irviewer.commands import every, run_command
from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.judgment_patch import read_patch
from irviewer.formats.load import load
from irviewer.model.arrays import strings
from irviewer.model.judgments.strata import Strata
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime, RunEntry
from irviewer.session.navigation.places import PLACE_TEXTS
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.state import TABS
from irviewer.session.view_models.queries import build_order
from tests.session.helpers import Announcements, collection, session_with

MEASURES = ("AP", "nDCG@10", "P@10", "RR")


def numbers(session: Session) -> dict[tuple[str, str], float]:
    """What the Systems table shows."""
    context = session.view.context
    assert context is not None
    parsed = evaluate(Qrels.from_dict({"1": {"d": 1.0}}), context.collection.runs[0].run, MEASURES).measures
    return {
        (entry.name, measure.text): context.mean(entry, measure)
        for entry in context.collection.runs
        for measure in parsed
    }


def from_scratch(session: Session) -> dict[tuple[str, str], float]:
    """The same from the judgments in force, written out and read as a dictionary."""
    judgments, opened = session.view.judgments, session.view.collection
    assert judgments is not None
    assert opened is not None
    qrels = Qrels.from_dict({query: judgments.qrels.judgments(query) for query in judgments.qrels.query_ids})
    table = evaluate(qrels, [entry.run for entry in opened.runs], MEASURES, session.state.options)
    return {(entry.name, name): table.mean(name, entry.name) for entry in opened.runs for name in MEASURES}


def overlay_rows(session: Session) -> list[tuple[str, str, float | None, str]]:
    assert session.view.judgments is not None
    return [
        (judgment.query_id, judgment.doc_id, judgment.grade, judgment.note)
        for judgment in session.view.judgments.overlay
    ]


def test_a_judgment_moves_every_number_and_goes_back() -> None:
    session = session_with(collection(3))
    before = numbers(session)
    assert before == from_scratch(session)
    assert session.view.judgments is not None
    file = session.view.judgments.qrels
    heard = Announcements(session)
    session.judging.set_assessor("  Ada   L. ")
    assert session.judging.judge("x1-0", 2, "names the theorem", query_id="1")
    after = numbers(session)
    assert after == from_scratch(session)
    assert after != before
    assert any("collection" in aspects for aspects in heard.take())
    assert session.view.judgments.read is file
    judgment = session.view.judgments.overlay.judgment("1", "x1-0")
    assert judgment is not None
    assert (judgment.who, judgment.note, judgment.grade) == ("Ada L.", "names the theorem", 2.0)
    assert len(judgment.when) == 20
    assert session.history.undo_label == "grade 2 of x1-0 for query 1"
    assert session.history.undo()
    assert numbers(session) == before
    assert session.view.judgments.qrels is file
    assert not session.history.undo()
    assert session.history.redo()
    assert numbers(session) == after
    assert not session.history.redo()


@pytest.mark.parametrize("options", [{}, {"judged_only": True}, {"dialect": "ranx"}, {"dialect": "gdeval"}])
def test_a_walk_of_judgments_undo_and_redo_agrees_with_scratch(options: dict[str, object]) -> None:
    session = session_with(collection(3, queries=6))
    if options.get("judged_only"):
        session.protocol.set(judged_only=True)
    if "dialect" in options:
        session.protocol.set(dialect=str(options["dialect"]))
    dice = random.Random(7)
    copy = session.run_editing.edit_copy(1)
    assert copy is not None
    shadow: list[list[tuple[str, str, float | None, str]]] = [overlay_rows(session)]
    for _ in range(60):
        act = dice.choice(("judge", "judge", "back", "revert", "undo", "redo", "move", "query"))
        query = str(dice.randint(1, 6))
        document = dice.choice((f"x{query}-{dice.randint(0, 6)}", f"d{query}", f"e{query}", "never seen"))
        if act == "judge":
            session.judging.judge(document, dice.randint(-1, 4), dice.choice(("", "because")), query_id=query)
        elif act == "back":
            session.judging.judge(document, None, query_id=query)
        elif act == "revert":
            session.judging.revert_judgment(document, query_id=query)
        elif act == "undo":
            session.history.undo()
        elif act == "redo":
            session.history.redo()
        elif act == "query":
            session.navigation.set_query(query)
        else:
            seen = session.view.context.collection.run(copy) if session.view.context is not None else None
            assert seen is not None
            ids = seen.run.ranking(session.view.query_id)
            if ids:
                session.run_editing.move_document(copy, dice.choice(ids), dice.randint(1, 8))
        shadow.append(overlay_rows(session))
        if not options:
            assert numbers(session) == pytest.approx(from_scratch(session), abs=1e-12)
    context = session.view.context
    assert context is not None
    fresh = Session()
    fresh.store.state = session.state  # the same state, and a cache that knows nothing
    assert numbers(session) == pytest.approx(numbers(fresh), abs=1e-12)
    session.view_models.query_view_model()
    session.view_models.systems_view_model()
    session.view_models.queries_view_model()
    assert len(session.store.evaluation) <= 2 * 2 * len(context.collection.runs) + 2
    while session.history.undo():
        pass
    assert overlay_rows(session) == []
    while session.history.redo():
        pass


def test_keys_judge_in_the_query_place_in_judging_mode_and_go_nowhere() -> None:
    session = session_with(collection(2))
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    session.navigation.set_document(None)
    session.judging.set_judging(True)
    run_command(session, "grade_1")
    assert session.view.place == "query"
    session.navigation.set_document("x1-0")
    run_command(session, "grade_2")
    assert session.view.place == "query"
    assert overlay_rows(session) == [("1", "x1-0", 2.0, "")]
    run_command(session, "unjudge")
    assert overlay_rows(session) == []  # the file says nothing of it: so does the overlay
    session.navigation.set_document("d1")
    run_command(session, "unjudge")
    assert overlay_rows(session) == [("1", "d1", None, "")]
    run_command(session, "revert_judgment")
    assert overlay_rows(session) == []
    run_command(session, "undo")
    assert overlay_rows(session) == [("1", "d1", None, "")]
    for digit in range(10):
        assert f"grade_{digit}" in {command.id for command in every(session)}
    session.navigation.set_place("systems")
    assert not run_command(session, "grade_7")


def test_a_view_model_says_what_differs_and_blind_order_follows_no_run() -> None:
    session = session_with(collection(2))
    session.navigation.set_query("1")
    view_model = session.judging.judging_view_model()
    assert view_model is not None
    assert view_model.text == "No judgments were made here: qrels is as in its file."
    progress = view_model.progress
    assert progress is not None
    assert progress.pool == len(
        {doc for entry in session.view.context.shown_runs for doc in entry.run.ranking("1", session.view.cutoff)}  # type: ignore[union-attr]
    )
    assert progress.judged == 1
    assert len(progress.left) == progress.pool - 1
    first = session.view.collection.runs[0].run.ranking("1", 1)[0]  # type: ignore[union-attr]
    assert first in progress.left[:2]
    run_command(session, "next_unjudged")
    assert session.view.document_id == progress.left[0]
    for left in progress.left[1:]:
        session.judging.judge(left, 0)
    session.judging.judge(progress.left[0], 0)
    run_command(session, "next_unjudged")
    assert "is judged here, down to rank" in session.view.messages[-1].text
    for left in progress.left[1:]:
        session.judging.revert_judgment(left)
    session.judging.judge("d1", 1)
    view_model = session.judging.judging_view_model()
    assert view_model is not None
    assert [(row.doc_id, row.grade, row.former, row.differs) for row in view_model.rows] == [
        ("d1", 1.0, 1.0, False),
        (progress.left[0], 0.0, None, True),
    ]
    assert view_model.text == "2 judgments made here on qrels, 1 different from the file"
    assert view_model.progress is not None
    assert view_model.progress.text == f"2 of {progress.pool} judged in the top 10 of the shown runs"
    heard = Announcements(session)
    session.judging.set_blind(True)
    assert heard.take() == [{"mode"}]
    blind = session.judging.judged_progress
    assert blind is not None
    assert set(blind.left) == set(view_model.progress.left)
    assert blind.left != view_model.progress.left


def test_patch_and_merged_qrels_are_written_and_lie_over_again(tmp_path: Path) -> None:
    session = session_with(collection(2))
    session.judging.export_patch(str(tmp_path / "none.tsv"))
    assert "no judgments were made here" in session.view.messages[-1].text
    session.judging.judge("x1-0", 2, 'a "tab\there', query_id="1")
    session.judging.judge("d2", None, query_id="2")
    before, overlay = numbers(session), overlay_rows(session)
    session.judging.export_patch(str(tmp_path / "patch.tsv"))
    session.judging.export_merged(str(tmp_path / "merged.txt"))
    rows = read_patch(tmp_path / "patch.tsv")
    assert [(row.judgment.doc_id, row.judgment.grade, row.former) for row in rows] == [
        ("x1-0", 2.0, None),
        ("d2", None, 1.0),
    ]
    merged = load(tmp_path / "merged.txt").value
    assert isinstance(merged, Qrels)
    assert session.view.judgments is not None
    for query in merged.query_ids:
        assert merged.judgments(query) == session.view.judgments.qrels.judgments(query)
    other = session_with(collection(2))
    other.judging.import_judgments(str(tmp_path / "patch.tsv"))
    assert overlay_rows(other) == overlay
    assert numbers(other) == pytest.approx(before)
    assert other.view.messages[-1].text == "Applied 2 judgments of patch.tsv to qrels"
    single = (tmp_path / "patch.tsv").read_text().splitlines()[:-1]
    (tmp_path / "one.tsv").write_text("\n".join(single) + "\n")
    other.judging.import_judgments(str(tmp_path / "one.tsv"))
    assert other.view.messages[-1].text == "one.tsv changed nothing: qrels has the same judgments already"
    other = session_with(collection(2))
    other.judging.import_judgments(str(tmp_path / "one.tsv"))
    assert other.view.messages[-1].text == "Applied 1 judgment of one.tsv to qrels"


def test_who_has_no_judgments_begins_a_set_of_ones_own() -> None:
    runs = [entry.run for entry in collection(2).runs]
    session = session_with(Collection("bare").with_runs(runs))
    session.navigation.set_query("1")
    assert session.view.judgments is None
    assert session.judging.judge("x1-0", 1)
    assert session.view.judgments is not None
    assert session.view.judgments.name == "judged here"
    assert session.view.query_id == "1"
    context = session.view.context
    assert context is not None
    assert len(context.query_ids) == 8
    assert sum(numbers(session)[name, "AP"] for name in ("alpha", "beta")) == pytest.approx(2 / 8)


def test_bad_judgments_are_refused_and_odd_ones_do_nothing() -> None:
    session = session_with(collection(2))
    with pytest.raises(IrviewerError, match="finite number"):
        session.judging.judge("d1", float("nan"))
    with pytest.raises(IrviewerError, match="Enter the id"):
        session.judging.judge("", 1)
    assert not session.judging.revert_judgment("d1")
    assert not Session().judging.judge("d", 1)
    state = session.state
    session.judging.judge("nobody knows it", None)
    assert session.state is state
    assert np.isfinite(list(numbers(session).values())).all()


def test_how_many_differ_is_said_and_counted_per_query() -> None:
    session = session_with(collection(2))
    assert (session.view.differing, session.judging.judged_text) == (0, "")
    session.judging.judge("d1", 2, query_id="1")
    assert session.judging.judged_text == "1 judgment of yours differs from the file"
    session.judging.judge("x2-0", 0, query_id="2")
    session.judging.judge("e2", 2, query_id="2")  # as the file has it
    assert session.view.differing == 2
    assert session.judging.judged_text == "2 judgments of yours differ from the file"
    session.judging.judge("d1", 1, query_id="1")
    session.judging.revert_judgment("x2-0", query_id="2")
    assert session.judging.judged_text == "2 judgments of yours, all the same as in the file"
    session.history.undo()
    session.history.undo()
    assert session.view.differing == 2
    view_model = session.judging.judging_view_model()
    assert view_model is not None
    assert view_model.differing == session.view.differing


def test_a_note_is_written_beside_a_judgment_and_taken_back() -> None:
    session = session_with(collection(2))
    session.judging.set_assessor("ada")
    session.navigation.set_query("1")
    assert not session.judging.write_judgment_note("x1-7", "nobody judged it")
    assert session.judging.write_judgment_note("d1", "  says  it all ")
    assert session.view.judgments is not None
    judgment = session.view.judgments.overlay.judgment("1", "d1")
    assert judgment is not None
    assert (judgment.grade, judgment.note, judgment.who, session.view.differing) == (1.0, "says it all", "ada", 0)
    session.judging.judge("d1", 2)
    assert session.judging.write_judgment_note("d1", "")
    judgment = session.view.judgments.overlay.judgment("1", "d1")
    assert judgment is not None
    assert (judgment.grade, judgment.note) == (2.0, "")
    session.history.undo()
    session.history.undo()
    assert overlay_rows(session) == [("1", "d1", 1.0, "says it all")]
    session.history.undo()
    assert overlay_rows(session) == []


def test_the_judge_is_the_login_name_until_another_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "grace")
    session = session_with(collection(1))
    assert session.judging.assessor == "grace"
    session.judging.set_assessor("Ada")
    assert session.judging.assessor == "Ada"
    session.judging.set_assessor("")

    def nobody() -> str:
        raise OSError("no such user")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert session.judging.assessor == "grace"  # it is asked for once
    assert session_with(collection(1)).judging.assessor == ""


def test_blind_there_is_always_a_document_and_its_order_says_nothing_of_ranks() -> None:
    session = session_with(collection(2))
    session.navigation.set_query("1")
    session.judging.set_blind(True)
    progress = session.judging.judged_progress
    assert progress is not None
    assert session.view.document_id == progress.left[0]
    assert sorted(progress.order) != list(progress.order)
    assert set(progress.left) <= set(progress.order)
    assert session.list_judging.can_judge == (session.view.place == "query")
    at = progress.order.index(session.view.document_id)
    session.judging.step_blind(1)
    assert session.view.document_id == progress.order[min(at + 1, len(progress.order) - 1)]
    for _ in progress.order:
        session.judging.step_blind(1)
    assert session.view.document_id == progress.order[-1]
    session.judging.step_unjudged(1)  # round the end
    assert session.view.document_id == progress.left[0]
    session.judging.step_unjudged(-1)
    assert session.view.document_id == progress.left[-1]
    walked = []
    while session.judging.step_unjudged(1):
        walked.append(session.view.document_id)
        session.judging.judge(str(session.view.document_id), 0)
    assert sorted(map(str, walked)) == sorted(progress.left)
    done = session.judging.judged_progress
    assert done is not None
    assert (done.judged, done.left, done.order) == (done.pool, (), progress.order)


def graded_session() -> Session:
    """Two runs of three queries on a scale of 0 to 3, sorted by the measure."""
    grades = {str(query): {f"d{rank}": float(rank % 4) for rank in range(4)} for query in range(1, 4)}
    runs = [
        Run.from_dict({query: {doc: sign * rank for rank, doc in enumerate((*docs, "u"))}
                       for query, docs in grades.items()}, name=name)
        for name, sign in (("up", 1.0), ("down", -1.0))
    ]  # fmt: skip
    qrels = Qrels.from_dict(grades, name="graded")
    return session_with(Collection("graded", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(runs))


def test_a_grade_that_is_not_on_the_scale_is_not_given() -> None:
    session = graded_session()
    session.judging.set_judging(True)
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    session.navigation.set_document("u")
    before = numbers(session)
    assert session.judging.scale is not None and session.judging.scale.text == "0–3"
    for give in (lambda: run_command(session, "grade_9"), lambda: session.list_judging.judge_document("1", "u", 9.0)):
        give()
        assert numbers(session) == before
        assert not session.history.undo_label
        message = session.view.messages[-1]
        assert "9 is not on the scale of graded, 0–3" in message.text
        assert (message.action, message.answers_act) == ("widen_scale", True)
    assert session.judging.refused == 9
    session.judging.widen_scale(5)
    run_command(session, "grade_4")
    assert session.view.judgments is not None
    assert session.view.judgments.qrels.judgments("1")["u"] == 4
    assert session.judging.grades == (0, 1, 2, 3, 4, 5)
    run_command(session, "grade_9")
    assert session.view.judgments.qrels.judgments("1")["u"] == 4
    session.history.undo()
    session.history.undo()
    assert session.judging.scale.text == "0–3"
    assert not session.list_judging.judge_document("1", "u", 4.0)
    session.close()


@pytest.mark.parametrize("text", ["", "three", "2", "3", "101", "nan"])
def test_a_scale_is_widened_to_a_higher_grade_only(text: str) -> None:
    session = graded_session()
    assert session.judging.scale_trouble(text)
    assert not session.judging.scale_trouble("4")
    session.close()


def test_judgments_without_a_file_have_no_scale_until_it_is_stated() -> None:
    session = session_with(Collection("runs").with_runs([Run.from_dict({"1": {"a": 1.0, "b": 0.5}}, name="one")]))
    session.navigation.set_query("1")
    assert session.judging.scale is None
    assert session.list_judging.judge_document("1", "a", 7.0)
    session.judging.widen_scale(8)
    assert not session.list_judging.judge_document("1", "a", 9.0)
    session.close()


def test_a_judgment_moves_no_query() -> None:
    session = graded_session()
    session.navigation.set_place("query")
    session.navigation.sort_queries("delta", descending=True)
    session.judging.set_judging(True)
    context = session.view.context
    assert context is not None
    before = session.view.order(context).rows.tolist()
    for query in ("3", "1"):
        assert session.list_judging.judge_document(query, "d3", 0.0)
        assert session.list_judging.judge_document(query, "u", 3.0)
        context = session.view.context
        assert context is not None
        assert session.view.order(context).rows.tolist() == before
    session.judging.set_judging(False)
    context = session.view.context
    assert context is not None
    assert session.view.order(context).rows.tolist() == build_order(context).rows.tolist() != before
    session.close()


def test_undo_puts_the_query_back_whose_judgment_it_changes() -> None:
    session = graded_session()
    session.navigation.set_place("query")
    for query in ("1", "2"):
        session.navigation.set_query(query)
        session.list_judging.judge_document(query, "u", 1.0)
    session.navigation.set_query("3")
    session.history.go_back(2)
    assert session.view.query_id == "1"
    session.history.go_back(-1)
    session.history.go_back(-1)
    assert session.view.query_id == "2"
    session.close()


def test_the_next_document_to_judge_comes_or_it_is_said_why_not() -> None:
    """In every place and tab: what was selected is in sight, or a message says why nothing is."""
    session = session_with(collection(2))
    session.navigation.set_query("1")
    places = [(place.name, tab) for place in PLACE_TEXTS for tab in TABS.get(place.name, ("",))]
    for step in ("next_unjudged", "previous_unjudged"):
        for place, tab in places:
            session.navigation.set_place(place)
            if tab:
                session.navigation.set_tab(place, tab)
            session.navigation.set_document(None)
            assert run_command(session, step)
            assert session.view.document_id in session.judging.judged_progress.left  # type: ignore[union-attr]
            assert (session.view.place, session.view.tab("query")) == ("query", "rankings")
    progress = session.judging.judged_progress
    assert progress is not None
    for doc in progress.left:
        session.judging.judge(doc, 0)
    for place, tab in places:
        session.navigation.set_place(place)
        if tab:
            session.navigation.set_tab(place, tab)
        here = session.view.place
        before = len(session.view.messages)
        run_command(session, "next_unjudged")
        assert session.view.place == here
        assert len(session.view.messages) > before or "down to rank" in session.view.messages[-1].text
        assert "is judged here, down to rank 10." in session.view.messages[-1].text
    session.runs.show_runs([])
    run_command(session, "next_unjudged")
    assert session.view.messages[-1].text == "No document can be judged: no run is shown."


def test_without_a_collection_it_is_said_that_nothing_can_be_judged() -> None:
    session = Session(Settings())
    assert not run_command(session, "next_unjudged")
    assert session.view.messages[-1].text == "No document can be judged: open qrels and runs first."
    session.close()


def test_runs_that_return_nothing_for_the_query_are_named_as_the_reason() -> None:
    qrels = Qrels.from_dict({"1": {"d": 1.0}, "2": {"d": 1.0}})
    opened = Collection("two", judgments=(JudgmentSet(qrels, Regime.COMPLETE, True),))
    session = session_with(opened.with_runs([Run.from_dict({"1": {"d": 1.0}}).renamed("first")]))
    session.navigation.set_query("2")
    run_command(session, "next_unjudged")
    said = "No document can be judged: the runs shown return none for query 2."
    assert session.view.messages[-1].text == said


SAMPLED = {"1": {"a": ("s", 1.0), "b": ("s", -1.0), "c": ("t", -1.0), "d": ("t", 0.0)}, "2": {"a": ("s", 2.0)}}


def sampled_session() -> Session:
    """A session of judgments with strata and one run."""
    rows = [(q, doc, *of) for q, query in enumerate(SAMPLED.values()) for doc, of in query.items()]
    qrels = Qrels.from_columns(
        tuple(SAMPLED), np.array([row[0] for row in rows]), strings([row[1] for row in rows]),
        np.array([row[3] for row in rows]), name="sample",
        strata=Strata(("s", "t"), np.array([0 if row[2] == "s" else 1 for row in rows])),
    )  # fmt: skip
    run = Run.from_dict({"1": {"b": 4.0, "a": 3.0, "x": 2.0, "d": 1.0}, "2": {"a": 1.0}}, name="r")
    return session_with(Collection("c", judgments=(JudgmentSet(qrels, Regime.POOLED),), runs=(RunEntry(0, run, 0),)))


def test_a_saved_sample_keeps_its_strata_and_judgments_in_them(tmp_path: Path) -> None:
    session = sampled_session()
    session.judging.judge("b", 2, query_id="1")
    session.judging.export_merged(str(tmp_path / "x.txt"))
    assert (tmp_path / "x.txt").read_text() == "1 0 a s 1\n1 0 b s 2\n1 0 c t -1\n1 0 d t 0\n2 0 a s 2\n"
    assert not any("strata" in message.text for message in session.view.messages)
    session.judging.save_as_set(str(tmp_path / "set.txt"))
    judgments = session.view.judgments
    assert judgments is not None
    assert judgments.read.strata is not None
    assert judgments.read.strata.texts.to_pylist() == ["s", "s", "t", "t", "s"]


def test_strata_that_a_file_cannot_keep_are_said(tmp_path: Path) -> None:
    session = sampled_session()
    session.judging.export_merged(str(tmp_path / "x.csv"))
    assert session.view.messages[-1].text == "The strata of the sample are not in the file."
    session.judging.judge("x", 2, query_id="1")
    session.judging.export_merged(str(tmp_path / "x.txt"))
    assert "1 document that was judged here is in none" in session.view.messages[-1].text
    assert (tmp_path / "x.txt").read_text().splitlines()[0] == "1 0 a 1"


def test_of_a_sample_the_window_says_which_measures_estimate() -> None:
    session = sampled_session()
    said = "judgments are a sample: only xinfAP and infNDCG estimate for the documents not sampled"
    assert said in session.view.caveats
    session.evaluation.set_measure("xinfAP")
    assert said not in session.view.caveats
