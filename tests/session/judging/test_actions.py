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
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection
from irviewer.session.session import Session
from tests.session.helpers import Announcements, collection, session_with

MEASURES = ("AP", "nDCG@10", "P@10", "RR")


def numbers(session: Session) -> dict[tuple[str, str], float]:
    """What the Systems table shows."""
    scene = session.scene
    assert scene is not None
    parsed = evaluate(Qrels.from_dict({"1": {"d": 1.0}}), scene.collection.runs[0].run, MEASURES).measures
    return {
        (entry.name, measure.text): scene.mean(entry, measure) for entry in scene.collection.runs for measure in parsed
    }


def from_scratch(session: Session) -> dict[tuple[str, str], float]:
    """The same from the judgments in force, written out and read as a dictionary."""
    judgments, opened = session.judgments, session.collection
    assert judgments is not None
    assert opened is not None
    qrels = Qrels.from_dict({query: judgments.qrels.judgments(query) for query in judgments.qrels.query_ids})
    table = evaluate(qrels, [entry.run for entry in opened.runs], MEASURES, session.state.options)
    return {(entry.name, name): table.mean(name, entry.name) for entry in opened.runs for name in MEASURES}


def overlaid(session: Session) -> list[tuple[str, str, float | None, str]]:
    assert session.judgments is not None
    return [(one.query_id, one.doc_id, one.grade, one.note) for one in session.judgments.overlay]


def test_a_judgment_moves_every_number_and_goes_back() -> None:
    session = session_with(collection(3))
    before = numbers(session)
    assert before == from_scratch(session)
    assert session.judgments is not None
    file = session.judgments.qrels
    heard = Announcements(session)
    session.set_assessor("  Ada   L. ")
    assert session.judge("x1-0", 2, "names the theorem", query_id="1")
    after = numbers(session)
    assert after == from_scratch(session)
    assert after != before
    assert any("collection" in aspects for aspects in heard.take())
    assert session.judgments.read is file
    one = session.judgments.overlay.judgment("1", "x1-0")
    assert one is not None
    assert (one.who, one.note, one.grade) == ("Ada L.", "names the theorem", 2.0)
    assert len(one.when) == 20
    assert session.undo_label == "grade 2 of x1-0 for query 1"
    assert session.undo()
    assert numbers(session) == before
    assert session.judgments.qrels is file
    assert not session.undo()
    assert session.redo()
    assert numbers(session) == after
    assert not session.redo()


@pytest.mark.parametrize("options", [{}, {"judged_only": True}, {"dialect": "ranx"}, {"dialect": "gdeval"}])
def test_a_walk_of_judgments_undo_and_redo_agrees_with_scratch(options: dict[str, object]) -> None:
    session = session_with(collection(3, queries=6))
    if options.get("judged_only"):
        session.set_judged_only(True)
    if "dialect" in options:
        session.set_dialect(str(options["dialect"]))
    dice = random.Random(7)
    copy = session.edit_copy(1)
    assert copy is not None
    shadow: list[list[tuple[str, str, float | None, str]]] = [overlaid(session)]
    for _ in range(60):
        act = dice.choice(("judge", "judge", "back", "revert", "undo", "redo", "move", "query"))
        query = str(dice.randint(1, 6))
        document = dice.choice((f"x{query}-{dice.randint(0, 6)}", f"d{query}", f"e{query}", "never seen"))
        if act == "judge":
            session.judge(document, dice.randint(-1, 4), dice.choice(("", "because")), query_id=query)
        elif act == "back":
            session.take_back(document, query_id=query)
        elif act == "revert":
            session.revert_judgment(document, query_id=query)
        elif act == "undo":
            session.undo()
        elif act == "redo":
            session.redo()
        elif act == "query":
            session.set_query(query)
        else:
            seen = session.scene.collection.run(copy) if session.scene is not None else None
            assert seen is not None
            ids = seen.run.ranking(session.query_id)
            if ids:
                session.move_document(copy, dice.choice(ids), dice.randint(1, 8))
        shadow.append(overlaid(session))
        if not options:
            assert numbers(session) == pytest.approx(from_scratch(session), abs=1e-12)
    scene = session.scene
    assert scene is not None
    fresh = Session()
    fresh._state = session.state  # the same state, and a cache that knows nothing
    assert numbers(session) == pytest.approx(numbers(fresh), abs=1e-12)
    session.query_page()
    session.systems_page()
    session.queries_page()
    assert len(session._evaluation) <= 2 * 2 * len(scene.collection.runs) + 2
    while session.undo():
        pass
    assert overlaid(session) == []
    while session.redo():
        pass


def test_keys_judge_in_the_query_place_in_judging_mode_and_go_nowhere() -> None:
    session = session_with(collection(2))
    session.set_place("query")
    session.set_query("1")
    session.set_document(None)
    session.set_judging(True)
    run_command(session, "grade_1")
    assert session.place == "query"
    session.set_document("x1-0")
    run_command(session, "grade_3")
    assert session.place == "query"
    assert overlaid(session) == [("1", "x1-0", 3.0, "")]
    run_command(session, "unjudge")
    assert overlaid(session) == []  # the file says nothing of it: so does the overlay
    session.set_document("d1")
    run_command(session, "unjudge")
    assert overlaid(session) == [("1", "d1", None, "")]
    run_command(session, "revert_judgment")
    assert overlaid(session) == []
    run_command(session, "undo")
    assert overlaid(session) == [("1", "d1", None, "")]
    for digit in range(10):
        assert f"grade_{digit}" in {one.id for one in every(session)}
    session.set_place("systems")
    assert not run_command(session, "grade_7")


def test_a_page_says_what_differs_and_blind_order_follows_no_run() -> None:
    session = session_with(collection(2))
    session.set_query("1")
    page = session.judging_page()
    assert page is not None
    assert page.text == "nothing judged here: qrels as it was read"
    progress = page.progress
    assert progress is not None
    assert progress.pool == len(
        {doc for entry in session.scene.shown_runs for doc in entry.run.ranking("1", session.cutoff)}  # type: ignore[union-attr]
    )
    assert progress.judged == 1
    assert len(progress.left) == progress.pool - 1
    first = session.collection.runs[0].run.ranking("1", 1)[0]  # type: ignore[union-attr]
    assert first in progress.left[:2]
    run_command(session, "next_unjudged")
    assert session.document_id == progress.left[0]
    session.judge(progress.left[0], 0)
    session.judge("d1", 1)
    page = session.judging_page()
    assert page is not None
    assert [(row.doc_id, row.grade, row.former, row.differs) for row in page.rows] == [
        ("d1", 1.0, 1.0, False),
        (progress.left[0], 0.0, None, True),
    ]
    assert page.text == "2 judgments laid over qrels, 1 other than its own, in 1 query"
    assert page.progress is not None
    assert page.progress.text == f"2 of {progress.pool} judged in the top 10 of the shown runs"
    heard = Announcements(session)
    session.set_blind(True)
    assert heard.take() == [{"mode"}]
    blind = session.judged_progress
    assert blind is not None
    assert set(blind.left) == set(page.progress.left)
    assert blind.left != page.progress.left


def test_patch_and_merged_qrels_are_written_and_lie_over_again(tmp_path: Path) -> None:
    session = session_with(collection(2))
    session.export_patch(str(tmp_path / "none.tsv"))
    assert "nothing was judged" in session.messages[-1].text
    session.judge("x1-0", 2, 'a "tab\there', query_id="1")
    session.take_back("d2", query_id="2")
    before, overlay = numbers(session), overlaid(session)
    session.export_patch(str(tmp_path / "patch.tsv"))
    session.export_merged(str(tmp_path / "merged.txt"))
    rows = read_patch(tmp_path / "patch.tsv")
    assert [(row.judgment.doc_id, row.judgment.grade, row.former) for row in rows] == [
        ("x1-0", 2.0, None),
        ("d2", None, 1.0),
    ]
    merged = load(tmp_path / "merged.txt").value
    assert isinstance(merged, Qrels)
    assert session.judgments is not None
    for query in merged.query_ids:
        assert merged.judgments(query) == session.judgments.qrels.judgments(query)
    other = session_with(collection(2))
    other.import_judgments(str(tmp_path / "patch.tsv"))
    assert overlaid(other) == overlay
    assert numbers(other) == pytest.approx(before)
    assert other.messages[-1].text == "2 judgments of patch.tsv lie over qrels"
    single = (tmp_path / "patch.tsv").read_text().splitlines()[:-1]
    (tmp_path / "one.tsv").write_text("\n".join(single) + "\n")
    other.import_judgments(str(tmp_path / "one.tsv"))
    assert other.messages[-1].text == "nothing of one.tsv was laid over qrels: it says what holds already"
    other = session_with(collection(2))
    other.import_judgments(str(tmp_path / "one.tsv"))
    assert other.messages[-1].text == "1 judgment of one.tsv lies over qrels"


def test_who_has_no_judgments_begins_a_set_of_ones_own() -> None:
    runs = [entry.run for entry in collection(2).runs]
    session = session_with(Collection("bare").with_runs(runs))
    session.set_query("1")
    assert session.judgments is None
    assert session.judge("x1-0", 1)
    assert session.judgments is not None
    assert session.judgments.name == "judged here"
    assert session.query_id == "1"
    scene = session.scene
    assert scene is not None
    assert len(scene.query_ids) == 8
    assert sum(numbers(session)[name, "AP"] for name in ("alpha", "beta")) == pytest.approx(2 / 8)


def test_bad_judgments_are_refused_and_odd_ones_do_nothing() -> None:
    session = session_with(collection(2))
    with pytest.raises(IrviewerError, match="no grade"):
        session.judge("d1", float("nan"))
    with pytest.raises(IrviewerError, match="needs an id"):
        session.judge("", 1)
    assert not session.revert_judgment("d1")
    assert not Session().judge("d", 1)
    state = session.state
    session.take_back("nobody knows it")
    assert session.state is state
    assert np.isfinite(list(numbers(session).values())).all()


def test_how_many_differ_is_said_and_counted_per_query() -> None:
    session = session_with(collection(2))
    assert (session.differing, session.judged_text) == (0, "")
    session.judge("d1", 2, query_id="1")
    assert session.judged_text == "1 judgment of yours differs from the file"
    session.judge("x2-0", 0, query_id="2")
    session.judge("e2", 2, query_id="2")  # as the file has it
    assert session.differing == 2
    assert session.judged_text == "2 judgments of yours differ from the file"
    session.judge("d1", 1, query_id="1")
    session.revert_judgment("x2-0", query_id="2")
    assert session.judged_text == "2 of your judgments, none other than the file's"
    session.undo()
    session.undo()
    assert session.differing == 2
    page = session.judging_page()
    assert page is not None
    assert page.differing == session.differing


def test_a_note_is_written_beside_a_judgment_and_taken_back() -> None:
    session = session_with(collection(2))
    session.set_assessor("ada")
    session.set_query("1")
    assert not session.write_judgment_note("x1-7", "nobody judged it")
    assert session.write_judgment_note("d1", "  says  it all ")
    assert session.judgments is not None
    one = session.judgments.overlay.judgment("1", "d1")
    assert one is not None
    assert (one.grade, one.note, one.who, session.differing) == (1.0, "says it all", "ada", 0)
    session.judge("d1", 2)
    assert session.write_judgment_note("d1", "")
    one = session.judgments.overlay.judgment("1", "d1")
    assert one is not None
    assert (one.grade, one.note) == (2.0, "")
    session.undo()
    session.undo()
    assert overlaid(session) == [("1", "d1", 1.0, "says it all")]
    session.undo()
    assert overlaid(session) == []


def test_who_judges_is_the_login_name_until_another_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "grace")
    session = session_with(collection(1))
    assert session.assessor == "grace"
    session.set_assessor("Ada")
    assert session.assessor == "Ada"
    session.set_assessor("")

    def nobody() -> str:
        raise OSError("no such user")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert session.assessor == ""


def test_blind_there_is_always_a_document_and_its_order_says_nothing_of_ranks() -> None:
    session = session_with(collection(2))
    session.set_query("1")
    session.set_blind(True)
    progress = session.judged_progress
    assert progress is not None
    assert session.document_id == progress.left[0]
    assert sorted(progress.order) != list(progress.order)
    assert set(progress.left) <= set(progress.order)
    assert session.can_judge == (session.place == "query")
    at = progress.order.index(session.document_id)
    session.step_blind(1)
    assert session.document_id == progress.order[min(at + 1, len(progress.order) - 1)]
    for _ in progress.order:
        session.step_blind(1)
    assert session.document_id == progress.order[-1]
    session.step_unjudged(1)  # round the end
    assert session.document_id == progress.left[0]
    session.step_unjudged(-1)
    assert session.document_id == progress.left[-1]
    walked = []
    while session.step_unjudged(1):
        walked.append(session.document_id)
        session.judge(str(session.document_id), 0)
    assert sorted(map(str, walked)) == sorted(progress.left)
    done = session.judged_progress
    assert done is not None
    assert (done.judged, done.left, done.order) == (done.pool, (), progress.order)
