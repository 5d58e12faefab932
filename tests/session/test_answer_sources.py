"""The list that answers were made from and the assigner that counts, as the user chooses them: all numbers, the line of
the protocol, undo and the project follow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.commands import dynamic, run_command
from irviewer.model.workspace import NO_LIST
from irviewer.session.session import Session

OWN = Path(__file__).parents[1] / "data" / "answers"
FILES = [OWN / f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments")]
NUGGETS, QRELS, LIST = OWN / "nuggets.jsonl", OWN / "qrels.txt", OWN / "context.run"


def opened(*paths: Path) -> Session:
    session = Session()
    session.files.open_files([str(path) for path in paths])
    return session


@pytest.fixture
def other_list(tmp_path: Path) -> Path:
    """The list in another order, without the first document of each topic: it has fewer of the references."""
    lines = LIST.read_text().splitlines()
    kept = [line.split() for line in lines if line.split()[3] != "1"]
    path = tmp_path / "other.run"
    path.write_text("".join(f"{q} Q0 {d} {n} {-n} other\n" for n, (q, _, d, *_) in enumerate(reversed(kept))))
    return path


@pytest.fixture
def person(tmp_path: Path) -> list[Path]:
    """Another assigner's labels of the same answers: what was said in part is said."""
    paths = []
    for run in ("alpha", "beta"):
        paths.append(tmp_path / f"{run}.person.jsonl")
        text = (OWN / f"{run}.assignments.jsonl").read_text()
        paths[-1].write_text(text.replace('"partial_support"', '"support"'))
    return paths


def lost(session: Session) -> list[tuple[str, ...]]:
    session.result_views.choose("answer-lost")
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None, answer
    table = answer.shown.table("nuggets")
    return [tuple(str(column.values[row]) for column in table.columns) for row in range(table.n_rows)]


def line(session: Session) -> str:
    bound = session.result_views.protocol("answer-lost")
    assert bound is not None
    return bound.line()


def key(session: Session, name: str) -> int:
    assert session.view.collection is not None
    return next(entry.key for entry in session.view.collection.runs if entry.name == name)


def test_the_list_is_found_until_one_is_chosen(other_list: Path) -> None:
    session = opened(NUGGETS, *FILES, QRELS, LIST, other_list)
    assert [name for _, name in session.answer_sources.lists] == ["context", "other"]
    before = lost(session)
    assert "list: context, by its references" in line(session)
    assert run_command(session, f"answer_list {key(session, 'other')}")
    assert "list: other" in line(session) and "by its references" not in line(session)
    chosen = lost(session)
    assert chosen != before
    wanted = irviewer.answers("lost", NUGGETS, FILES, judgments=QRELS, context=other_list)["nuggets"]
    assert chosen == [tuple(str(column.values[row]) for column in wanted.columns) for row in range(wanted.n_rows)]
    notes = session.result_views.answer().shown.table("systems").notes  # type: ignore[union-attr]
    assert any("The list of the answers is other, as chosen: it has" in note.text for note in notes)
    session.navigation.set_place("query")
    session.navigation.set_query("t1")
    view_model = session.answers.view_model()
    assert view_model is not None and view_model.list_name == "other"
    session.history.undo()
    assert lost(session) == before and session.answer_sources.chosen_list is None


def test_no_list_leaves_the_references(other_list: Path) -> None:
    session = opened(NUGGETS, *FILES, QRELS, LIST)
    run_command(session, f"answer_list {NO_LIST}")
    assert "list: the references" in line(session)
    wanted = irviewer.answers("lost", NUGGETS, FILES, judgments=QRELS)["nuggets"]
    assert lost(session) == [tuple(str(each.values[row]) for each in wanted.columns) for row in range(wanted.n_rows)]


def test_a_chosen_list_that_is_removed_is_found_again(other_list: Path) -> None:
    session = opened(NUGGETS, *FILES, QRELS, LIST, other_list)
    before = lost(session)
    session.answer_sources.set_list(key(session, "other"))
    session.runs.remove_run(key(session, "other"))
    assert session.answer_sources.chosen_list is None and lost(session) == before


def test_a_project_keeps_the_list(tmp_path: Path, other_list: Path) -> None:
    session = opened(NUGGETS, *FILES, QRELS, LIST, other_list)
    session.answer_sources.set_list(key(session, "other"))
    wanted = lost(session)
    session.autosave.save_project(str(tmp_path / "p.irviewer"))
    again = Session()
    again.projects.open_project(str(tmp_path / "p.irviewer"))
    assert again.answer_sources.chosen_list == key(again, "other") and lost(again) == wanted


def test_without_answers_there_is_nothing_to_choose() -> None:
    session = opened(QRELS, LIST)
    assert session.answer_sources.lists == () and session.answer_sources.assigners == ()
    assert not [command for command in dynamic(session) if command.id.startswith(("answer_list", "assigner"))]


def scores(session: Session) -> dict[str, float]:
    session.evaluation.set_measure("V_strict")
    session.result_views.choose("answer-scores")
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None
    table = answer.shown.table("scores")
    return dict(zip(table.column("run").values, table.columns[1].values, strict=True))


def test_one_assigner_counts(person: list[Path]) -> None:
    session = opened(NUGGETS, *FILES, *person)
    assert session.answer_sources.assigners == ("assignments", "person") and session.answer_sources.assigner == ""
    every = scores(session)
    assert len(every) == 4
    wanted = irviewer.answers("scores", NUGGETS, [*FILES[:1], *FILES[2:3], *person], measures=("V_strict",)).value
    assert run_command(session, "assigner person")
    own = scores(session)
    assert list(own.values()) == wanted.means[0].tolist() and session.answer_sources.assigner == "person"
    assert "assigned by person" in line(session)
    context = session.view.context
    assert context is not None and context.baseline in {entry.key for entry in context.taking_part}
    assert len(context.shown) == 2
    run_command(session, "assigner ")
    assert scores(session) == every and len(session.view.context.shown) == 4  # type: ignore[union-attr]
    session.history.undo()
    assert scores(session) == own


def test_a_system_without_labels_of_the_assigner_takes_no_part(person: list[Path]) -> None:
    session = opened(NUGGETS, *FILES, person[0])
    said: list[str] = []
    session.answered.connect(lambda message: said.append(message.text))
    session.answer_sources.set_assigner("person")
    assert any("take no part: beta" in text for text in said)
    assert list(scores(session)) == [f"{person[0].parent.name}/alpha"]  # of a name that two others have


def test_names_are_text(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (OWN / "alpha.assignments.jsonl").read_text().splitlines()]
    path = tmp_path / "alpha.<b>&x.jsonl"
    for row in rows:
        row["nuggets"][0]["assignment"] = "not_support"
    path.write_text("\n".join(map(json.dumps, rows)))
    session = opened(NUGGETS, *FILES, path)
    assert session.answer_sources.assigners[-1] == "<b>&x"
    assert run_command(session, "assigner <b>&x") and session.answer_sources.assigner == "<b>&x"
