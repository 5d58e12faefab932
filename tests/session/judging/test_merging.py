"""Laying other judgments over one's own: told before anything is done, three ways out, one step; judges stay known."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.formats.judgment_patch import COLUMNS, read_patch
from irviewer.model.judgments.overlay import Judgment
from irviewer.session.judging.authors import by_judge, differing_text, whose
from irviewer.session.session import Session

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 c 1\n"
RUN = "1 Q0 a 1 2.0 x\n1 Q0 b 2 1.0 x\n1 Q0 n 3 0.5 x\n2 Q0 c 1 2.0 x\n"
ADA, WHEN = "Ada", "2026-01-02T03:04:05Z"
ROWS = (("1", "a", "3", "1"), ("1", "b", "2", "0"), ("1", "c", "2", "2"), ("1", "n", "1", ""), ("2", "c", "", "1"))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "some.qrels").write_text(QRELS)
    (tmp_path / "x.run").write_text(RUN)
    lines = ["\t".join(COLUMNS), *("\t".join((*row, ADA, WHEN, "sure" if row[1] == "a" else "")) for row in ROWS)]
    (tmp_path / "ada.tsv").write_text("\n".join(lines) + "\n")
    (tmp_path / "colleague.qrels").write_text("1 0 a 3\n1 0 b 2\n1 0 c 2\n1 0 n 1\n2 0 c 1\n")
    session = Session()
    session.judging.set_assessor("Grace")
    session.files.open_files([str(tmp_path / name) for name in ("some.qrels", "x.run")])
    session.judging.judge("a", 2, "mine", query_id="1")
    session.judging.judge("b", 1, query_id="1")
    return session


def overlay_rows(session: Session, place: int = 0) -> dict[tuple[str, str], tuple[float | None, str]]:
    assert session.view.collection is not None
    overlay = session.view.collection.judgments[place].overlay
    return {(judgment.query_id, judgment.doc_id): (judgment.grade, judgment.who) for judgment in overlay}


MINE = {("1", "a"): (2.0, "Grace"), ("1", "b"): (1.0, "Grace")}
NEW = {("1", "n"): (1.0, ADA), ("2", "c"): (None, ADA)}
THEIRS = {("1", "a"): (3.0, ADA), ("1", "b"): (2.0, ADA)}


@pytest.mark.parametrize("opened", [True, False])
def test_nothing_is_applied_before_it_is_announced(session: Session, tmp_path: Path, opened: bool) -> None:
    asked: list[str] = []
    session.asked.connect(asked.append)
    if opened:
        session.files.open_files([str(tmp_path / "ada.tsv")])
    else:
        session.judging.import_judgments(str(tmp_path / "ada.tsv"))
    assert asked == ["resolve_conflicts"]
    assert overlay_rows(session) == MINE
    import_comparison = session.judging.import_comparison
    assert import_comparison is not None
    assert import_comparison.summary("Grace") == "1 new, 1 changed from the file, 2 differ from yours, 1 the same"
    assert import_comparison.summary("Heidi") == "1 new, 1 changed from the file, 2 differ from Grace's, 1 the same"
    assert [
        (conflict.mine.grade, conflict.theirs.grade, conflict.theirs.when)
        for conflict in import_comparison.found.conflicts
    ] == [
        (2.0, 3.0, WHEN),
        (1.0, 2.0, WHEN),
    ]
    steps = session.history.history_labels
    session.judging.settle(None)
    assert overlay_rows(session) == MINE
    assert session.history.history_labels == steps
    assert session.view.messages[-1].text == "ada.tsv was not applied to some"
    assert session.judging.import_comparison is None
    session.judging.settle("theirs")  # nothing waits
    assert overlay_rows(session) == MINE


def test_mine_stays_where_they_differ(session: Session, tmp_path: Path) -> None:
    session.judging.import_judgments(str(tmp_path / "ada.tsv"))
    session.judging.settle("mine")
    assert overlay_rows(session) == {**MINE, **NEW}
    assert session.history.undo_label == "apply 2 judgments of ada.tsv to some"
    session.history.undo()
    assert overlay_rows(session) == MINE


def test_each_conflict_is_settled_separately_in_one_step(session: Session, tmp_path: Path) -> None:
    session.judging.import_judgments(str(tmp_path / "ada.tsv"))
    session.judging.settle("each", frozenset({("1", "b"), ("1", "no such document")}))
    assert overlay_rows(session) == {**MINE, ("1", "b"): THEIRS["1", "b"], **NEW}
    assert session.history.undo_label == "apply 3 judgments of ada.tsv to some"
    session.history.undo()
    assert overlay_rows(session) == MINE
    session.history.redo()
    assert overlay_rows(session) == {**MINE, ("1", "b"): THEIRS["1", "b"], **NEW}


def test_theirs_holds_with_judge_date_and_note(session: Session, tmp_path: Path) -> None:
    session.judging.import_judgments(str(tmp_path / "ada.tsv"))
    session.judging.settle("theirs")
    assert overlay_rows(session) == {**MINE, **THEIRS, **NEW}
    assert session.view.judgments is not None
    assert session.view.judgments.overlay.judgment("1", "a") == Judgment("1", "a", 3.0, ADA, WHEN, "sure")
    assert session.judging.judged_text == "4 judgments differ from the file: Ada's"
    session.judging.export_patch(str(tmp_path / "out.tsv"))
    written = {row.judgment.doc_id: row.judgment for row in read_patch(tmp_path / "out.tsv") if row.former != 1.0}
    assert written["n"] == Judgment("1", "n", 1.0, ADA, WHEN)
    session.history.undo()
    assert overlay_rows(session) == MINE
    session.history.redo()
    assert overlay_rows(session) == {**MINE, **THEIRS, **NEW}


@pytest.mark.parametrize("name", ["ada.tsv", "colleague.qrels"])
def test_another_judge_is_a_set_beside_mine(session: Session, tmp_path: Path, name: str) -> None:
    session.autosave.save_project(str(tmp_path / "work"))
    session.judging.import_judgments(str(tmp_path / name))
    import_comparison = session.judging.import_comparison
    assert import_comparison is not None
    before = import_comparison.summary("Grace")
    session.judging.settle("judge")
    assert session.view.collection is not None
    new_name = "some (Ada)" if name == "ada.tsv" else "colleague"
    assert [judgment_set.name for judgment_set in session.view.collection.judgments] == ["some", new_name]
    assert overlay_rows(session) == MINE
    assert session.view.judgments is session.view.collection.judgments[0]
    theirs = session.view.collection.judgments[1].qrels
    assert theirs.judgments("1") == {"a": 3, "b": 2, "c": 2, "n": 1}
    again = Session()
    again.projects.open_project(str(tmp_path / "work.irviewer"))
    assert again.view.collection is not None
    assert [judgment_set.name for judgment_set in again.view.collection.judgments] == ["some", new_name]
    assert again.view.collection.judgments[1].qrels.judgments("1") == theirs.judgments("1")
    session.history.undo()
    assert [judgment_set.name for judgment_set in session.view.collection.judgments] == ["some"]
    session.judging.import_judgments(str(tmp_path / name))
    assert session.judging.import_comparison is not None
    assert session.judging.import_comparison.summary("Grace") == before


def test_a_set_of_the_same_file_is_read_again_with_it(session: Session, tmp_path: Path) -> None:
    session.judging.import_judgments(str(tmp_path / "ada.tsv"))
    session.judging.settle("judge")
    (tmp_path / "some.qrels").write_text(QRELS + "2 0 z 2\n")
    session.files.reload()
    assert session.view.collection is not None
    assert [judgment_set.name for judgment_set in session.view.collection.judgments] == ["some", "some (Ada)"]
    assert [judgment_set.qrels.judgments("2") for judgment_set in session.view.collection.judgments] == [
        {"c": 1, "z": 2},
        {"z": 2},
    ]


def test_qrels_of_a_colleague_are_applied_in_the_files_name(session: Session, tmp_path: Path) -> None:
    session.judging.import_judgments(str(tmp_path / "colleague.qrels"))
    import_comparison = session.judging.import_comparison
    assert import_comparison is not None
    assert import_comparison.summary("Grace") == "1 new, 2 differ from yours, 2 the same"
    session.judging.settle("theirs")
    name = "colleague.qrels"
    assert overlay_rows(session) == {("1", "a"): (3.0, name), ("1", "b"): (2.0, name), ("1", "n"): (1.0, name)}
    assert session.judging.judged_text == "3 judgments differ from the file: colleague.qrels's"


def test_without_a_contradiction_nobody_is_asked(session: Session, tmp_path: Path) -> None:
    asked: list[str] = []
    session.asked.connect(asked.append)
    session.history.undo()
    session.history.undo()
    session.judging.import_judgments(str(tmp_path / "ada.tsv"))
    assert asked == []
    assert overlay_rows(session) == {**THEIRS, **NEW}
    assert session.view.messages[-1].text == "Applied 4 judgments of ada.tsv to some"
    session.judging.import_judgments(str(tmp_path / "ada.tsv"))
    assert session.view.messages[-1].text == "ada.tsv changed nothing: some has the same judgments already"
    assert session.history.undo()
    assert overlay_rows(session) == {}


def test_several_files_wait_for_one_another(session: Session, tmp_path: Path) -> None:
    second = (tmp_path / "ada.tsv").read_text().replace("\t3\t1\t", "\t0\t1\t").replace(ADA, "Eve")
    (tmp_path / "eve.tsv").write_text(second)
    asked: list[str] = []
    session.asked.connect(asked.append)
    session.files.open_files([str(tmp_path / "ada.tsv"), str(tmp_path / "eve.tsv")])
    assert asked == ["resolve_conflicts"]
    session.judging.settle("theirs")
    assert asked == ["resolve_conflicts", "resolve_conflicts"]
    import_comparison = session.judging.import_comparison
    assert import_comparison is not None
    assert import_comparison.incoming.name == "eve.tsv"
    assert import_comparison.summary("Grace") == "1 differs from Ada's, 4 the same"
    session.judging.settle("mine")
    assert "your judgments in some were kept" in session.view.messages[-1].text
    session.files.open_files([str(tmp_path / "eve.tsv")])
    session.files.close_collection()
    assert session.judging.import_comparison is None


def test_anothers_judgment_is_never_yours() -> None:
    mine, hers, nobodys = (Judgment("1", "a", 1.0, who) for who in ("Grace", "Ada", ""))
    assert [whose(judgment, "Grace") for judgment in (mine, hers, nobodys)] == ["yours", "Ada's", "by an unknown judge"]
    assert by_judge([mine, hers, mine], "Grace") == "2 yours, 1 Ada's"
    assert differing_text([mine], "Grace") == "1 judgment of yours differs from the file"
    assert differing_text([mine, hers], "Ada") == "2 judgments differ from the file: 1 Grace's, 1 yours"
    assert differing_text([], "Ada") == ""


def test_judging_what_another_judged_is_ones_own_without_the_others_note(session: Session, tmp_path: Path) -> None:
    session.judging.import_judgments(str(tmp_path / "ada.tsv"))
    session.judging.settle("theirs")
    assert session.view.judgments is not None
    session.judging.judge("a", 3, query_id="1")  # says the same: Ada's stays
    judgment = session.view.judgments.overlay.judgment("1", "a")
    assert judgment == Judgment("1", "a", 3.0, ADA, WHEN, "sure")
    session.judging.judge("a", 1, query_id="1")
    judgment = session.view.judgments.overlay.judgment("1", "a")
    assert judgment is not None
    assert (judgment.grade, judgment.who, judgment.note) == (1.0, "Grace", "")
