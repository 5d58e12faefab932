"""Answers labelled by hand: scores on paper, undo, projects, two windows, files, blind order and own nuggets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import irviewer
from irviewer.errors import IrviewerError
from irviewer.formats.load import load
from irviewer.model.answers.labels import FULL, NONE, PARTIAL
from irviewer.model.run import Run
from irviewer.session.session import Session

OWN = Path(__file__).parents[2] / "data" / "answers"
FILES = [OWN / f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")]


def opened(*files: Path) -> Session:
    session = Session()
    session.files.open_files([str(file) for file in files])
    return session


@pytest.fixture
def session() -> Session:
    session = opened(OWN / "nuggets.jsonl", *FILES)
    session.navigation.set_query("t1")
    return session


def own_run(session: Session, name: str = "alpha, labelled here") -> object:
    collection = session.view.collection
    assert collection is not None
    return next((entry for entry in collection.runs if entry.name == name), None)


def value(session: Session, measure: str, query: str) -> float:
    """The value of the labels given here, computed by the session."""
    assert session.evaluation.set_measure(measure)
    context, entry = session.view.context, own_run(session)
    assert context is not None and entry is not None
    return float(context.values(entry, context.measure)[context.query_ids.index(query)])  # type: ignore[arg-type]


def codes(session: Session) -> list[int | None]:
    answer = session.answering.answer()
    assert answer is not None
    return [item.code for item in answer.items]


def test_keys_go_down_the_nuggets_and_scores_follow(session: Session) -> None:
    """t1 has the importance v v o o: said, in part, not, said give V (1 + .5)/2, strict 1/2, all (1 + .5 + 0 + 1)/4."""
    assert session.answering.systems == ("alpha", "beta")
    for code in (FULL, PARTIAL, NONE, FULL):
        assert session.answering.label(code)
    assert codes(session) == [FULL, PARTIAL, NONE, FULL]
    assert value(session, "V", "t1") == pytest.approx(0.75)
    assert value(session, "V_strict", "t1") == pytest.approx(0.5)
    assert value(session, "A", "t1") == pytest.approx(2.5 / 4)
    assert value(session, "V", "t2") == 0


def test_nuggets_that_nobody_labelled_are_left_out(session: Session) -> None:
    session.answering.label(NONE)
    assert value(session, "V", "t1") == 0
    session.answering.select(0)
    session.answering.label(FULL)
    assert value(session, "V", "t1") == 1
    session.answering.label(PARTIAL)  # now the second one
    assert value(session, "V", "t1") == pytest.approx(0.75)


def test_each_label_is_an_undo_step(session: Session) -> None:
    before = session.view.collection
    session.answering.label(FULL)
    session.answering.label(NONE)
    assert session.history.undo()
    assert codes(session) == [FULL, None, None, None]
    assert value(session, "V", "t1") == 1
    assert session.history.redo()
    assert codes(session) == [FULL, NONE, None, None]
    assert value(session, "V", "t1") == pytest.approx(0.5)
    session.history.undo()
    session.history.undo()
    assert own_run(session) is None
    assert before is not None and session.view.collection is not None
    assert [e.name for e in session.view.collection.runs] == [e.name for e in before.runs]


def test_the_last_label_taken_away_takes_the_run_away(session: Session) -> None:
    session.answering.label(FULL)
    session.answering.select(0)
    session.answering.label(None)
    assert own_run(session) is None
    session.history.undo()
    assert codes(session)[0] == FULL


def test_a_query_changed_alone_has_the_value_of_all_computed_anew(session: Session) -> None:
    assert session.evaluation.set_measure("A")
    for code in (FULL, FULL, NONE):
        session.answering.label(code)
        value(session, "A", "t1")
    session.navigation.set_query("t2")
    for code in (PARTIAL, NONE):
        session.answering.label(code)
        value(session, "A", "t2")
    entry = own_run(session)
    qrels = irviewer.read_qrels(OWN / "nuggets.jsonl")
    anew = irviewer.evaluate(qrels, entry.run, "A").by_query("A")  # type: ignore[attr-defined]
    assert {query: value(session, "A", query) for query in anew} == anew


def test_support_first_citations_first(session: Session) -> None:
    """alpha's t1 cites d11 d12 | nothing | d12: the first of each sentence comes before the second of the first."""
    session.answering.choose_support(True)
    answer = session.answering.answer()
    assert answer is not None
    assert [(item.sentence, item.document) for item in answer.citations] == [(0, "d11"), (2, "d12"), (0, "d12")]
    for code in (FULL, PARTIAL):
        session.answering.label(code)
    assert value(session, "SupportP", "t1") == pytest.approx(0.75)
    assert value(session, "SupportR", "t1") == pytest.approx(1.5 / 3)


def test_a_project_brings_labels_and_nuggets_back(session: Session, tmp_path: Path) -> None:
    session.answering.label(FULL, span=(4, 26))
    session.answering.label(PARTIAL)
    session.answering.choose_support(True)
    session.answering.label(NONE)
    session.answering.write_nugget("Oceans do not colour the sky", vital=False)
    project = tmp_path / "own.irviewer"
    session.autosave.save_project(str(project))
    again = Session()
    again.projects.open_project(str(project))
    again.navigation.set_query("t1")
    assert again.answering.answer() == session.answering.answer()
    again.answering.choose_support(False)
    session.answering.choose_support(False)
    assert again.answering.answer() == session.answering.answer()
    answer = again.answering.answer()
    assert answer is not None and answer.nuggets[0].span == (4, 26)
    assert answer.nuggets[-1].nugget.text == "Oceans do not colour the sky"
    assert value(again, "V", "t1") == value(session, "V", "t1")


def test_labels_outlast_the_files_they_were_made_from(tmp_path: Path) -> None:
    for file in FILES:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    session = opened(OWN / "nuggets.jsonl", *(tmp_path / file.name for file in FILES))
    session.navigation.set_query("t1")
    session.answering.label(FULL)
    project = tmp_path / "own.irviewer"
    session.autosave.save_project(str(project))
    for file in tmp_path.glob("*.jsonl"):
        file.unlink()
    again = Session()
    again.projects.open_project(str(project))
    again.projects.open_without_missing()
    assert value(again, "V", "t1") == 1


def test_two_windows_merge_label_by_label(session: Session, tmp_path: Path) -> None:
    project = tmp_path / "own.irviewer"
    session.answering.label(FULL)
    session.autosave.save_project(str(project))
    other = Session()
    other.projects.open_project(str(project))
    other.navigation.set_query("t1")
    session.answering.select(1)
    session.answering.label(PARTIAL)
    session.autosave.save_project(str(project))
    other.answering.select(2)
    other.answering.label(NONE)
    other.autosave.save_project(str(project))
    third = Session()
    third.projects.open_project(str(project))
    third.navigation.set_query("t1")
    assert codes(third) == [FULL, PARTIAL, NONE, None]


def test_saved_labels_are_read_as_an_assigner(session: Session, tmp_path: Path) -> None:
    for code in (FULL, PARTIAL, NONE, FULL):
        session.answering.label(code)
    session.answering.save(str(tmp_path / "mine.jsonl"))
    scores = irviewer.evaluate(OWN / "nuggets.jsonl", tmp_path / "mine.jsonl", ["V", "A"])
    assert scores.by_query("V")["t1"] == pytest.approx(0.75)
    session.answering.choose_support(True)
    with pytest.raises(IrviewerError):
        session.answering.save(str(tmp_path / "support.jsonl"))
    session.answering.label(FULL)
    session.answering.save(str(tmp_path / "support.jsonl"))
    scores = irviewer.evaluate(OWN / "nuggets.jsonl", tmp_path / "support.jsonl", ["SupportP"])
    assert scores.by_query("SupportP")["t1"] == 1


def test_blind_hides_system_and_labels_in_an_order_of_its_own(session: Session) -> None:
    session.answering.choose_blind(True, seed=7)
    seen = []
    for _ in range(6):
        answer = session.answering.answer()
        assert answer is not None
        assert (answer.system, {item.former for item in answer.nuggets}) == ("", {None})
        seen.append((answer.topic, answer.text))
        for _ in answer.items:  # the last label leads to the next answer
            session.answering.label(NONE)
    assert len(seen) == len(set(seen)) == session.answering.answer().of  # type: ignore[union-attr]
    again = opened(OWN / "nuggets.jsonl", *reversed(FILES))
    again.answering.choose_blind(True, seed=7)
    answer = again.answering.answer()
    assert answer is not None and (answer.topic, answer.text) == seen[0]


def test_equal_answers_are_shown_once_and_labelled_together(tmp_path: Path) -> None:
    """A third system says t1 as alpha does, word for word, and cites another document."""
    record = json.loads((OWN / "alpha.answers.jsonl").read_text().splitlines()[0])
    record["run_id"] = "gamma"
    record["references"] = [f"other-{each}" for each in record["references"]]
    (tmp_path / "gamma.jsonl").write_text(json.dumps(record) + "\n")
    session = opened(OWN / "nuggets.jsonl", *FILES, tmp_path / "gamma.jsonl")
    answering = session.answering
    answering.choose_blind(True, seed=7)
    answer = answering.answer()
    assert answer is not None and answer.of == 6
    for _ in range(6):
        topic, count = session.view.query_id, len(answering.answer().items)  # type: ignore[union-attr]
        for code in (FULL, PARTIAL, NONE, NONE, NONE)[:count]:
            answering.label(code)
    answering.save(str(tmp_path / "mine.jsonl"))
    scores = irviewer.evaluate(OWN / "nuggets.jsonl", tmp_path / "mine.jsonl", ["V"])
    assert scores.runs == ("alpha", "beta", "gamma")
    assert [scores.by_query("V", run)["t1"] for run in scores.runs] == [0.75] * 3
    assert topic in ("t1", "t2", "t3")
    answering.choose_support(True)  # what gamma cites is not what alpha cites: it is asked of both
    answer = answering.answer()
    assert answer is not None and answer.of == 7


def test_a_label_of_equal_answers_is_one_step(tmp_path: Path) -> None:
    same = (OWN / "alpha.answers.jsonl").read_text().replace('"alpha"', '"gamma"')
    (tmp_path / "gamma.jsonl").write_text(same)
    session = opened(OWN / "nuggets.jsonl", OWN / "alpha.answers.jsonl", tmp_path / "gamma.jsonl")
    names = ["alpha, labelled here", "gamma, labelled here"]
    session.answering.label(FULL)
    assert [bool(own_run(session, name)) for name in names] == [True, False]  # the system is seen: it alone is labelled
    session.history.undo()
    session.answering.choose_blind(True, seed=1)
    session.answering.label(FULL)
    assert all(own_run(session, name) for name in names)
    session.history.undo()
    assert not any(own_run(session, name) for name in names)


def test_undo_leads_to_the_answer_whose_label_it_takes_away(session: Session) -> None:
    """Blind, the last label of an answer leads to the next one: undo is of the former, and shows it."""
    answering = session.answering
    answering.choose_blind(True, seed=7)
    first = answering.answer()
    assert first is not None
    for _ in first.items:
        answering.label(FULL)
    moved = answering.answer()
    assert moved is not None and moved.text != first.text
    for place in reversed(range(len(first.items))):
        session.history.undo()
        answer = answering.answer()
        assert answer is not None and (answer.topic, answer.text, answer.at) == (first.topic, first.text, place)
        assert codes(session) == [FULL] * place + [None] * (len(first.items) - place)
    session.navigation.set_query("t2" if first.topic != "t2" else "t1")
    answering.choose_support(True)
    session.history.redo()
    answer = answering.answer()
    assert answer is not None and (answer.text, answer.at, answer.support) == (first.text, 0, False)
    assert codes(session)[0] == FULL


def test_own_nuggets(session: Session) -> None:
    answering = session.answering
    answering.label(FULL)
    answering.reword(0, "Air scatters blue light the most")
    answer = answering.answer()
    assert answer is not None and answer.nuggets[0].reworded and answer.nuggets[0].code == FULL
    answering.split(1, "It is called Rayleigh scattering", "Lord Rayleigh explained it")
    answering.set_vital(2, True)
    answering.join(2, 3)
    answering.link(0, "d11")
    answer = answering.answer()
    assert answer is not None
    listed = [(item.nugget.number, item.nugget.text, item.nugget.importance) for item in answer.nuggets]
    assert listed == [
        (0, "Air scatters blue light the most", "vital"),
        (1, "It is called Rayleigh scattering", "vital"),
        (4, "Lord Rayleigh explained it", "vital"),
        (2, "At sunset the path through the air is longer; Violet is scattered too", "vital"),
    ]
    assert answer.nuggets[0].nugget.documents == ("d11",)
    for _ in range(5):
        assert session.history.undo()
    answer = answering.answer()
    assert answer is not None and len(answer.nuggets) == 4 and not answer.nuggets[0].reworded
    with pytest.raises(IrviewerError):
        answering.write_nugget("  \n ", vital=True)


def test_a_nugget_that_was_written_is_labelled_next(session: Session) -> None:
    """The key labelled the first nugget again, and the label that it had was lost."""
    assert session.answering.label(NONE)
    session.answering.select(0)
    session.answering.write_nugget("The sky is blue <b>by day</b>", vital=True)
    assert session.answering.label(FULL)
    assert codes(session) == [NONE, None, None, None, FULL]
    session.history.undo()
    session.history.undo()
    assert codes(session) == [NONE, None, None, None]


def test_another_topic_begins_at_its_first_nugget(session: Session) -> None:
    """With J or a click it began where the topic before had ended, and a key labelled the last nugget twice."""
    for _ in range(4):
        session.answering.label(FULL)
    session.navigation.set_query("t2")
    for code in (PARTIAL, NONE):
        session.answering.label(code)
    assert codes(session)[:2] == [PARTIAL, NONE]
    session.history.undo()
    answer = session.answering.answer()
    assert answer is not None and answer.topic == "t2" and answer.at == 1


def test_nuggets_without_a_file(tmp_path: Path) -> None:
    """Answers alone: a nugget is written, labelled, and saved as a file of nuggets."""
    session = opened(OWN / "alpha.answers.jsonl")
    session.navigation.set_query("t1")
    session.answering.write_nugget("Air scatters <b>blue</b> light", vital=True)
    assert session.answering.label(PARTIAL)
    assert value(session, "V", "t1") == 0.5
    session.answering.save_nuggets(str(tmp_path / "nuggets.jsonl"))
    record = next(json.loads(line) for line in (tmp_path / "nuggets.jsonl").read_text().splitlines()
                  if '"t1"' in line)  # fmt: skip
    assert record["nuggets"] == [{"text": "Air scatters <b>blue</b> light", "importance": "vital"}]


def test_labelled_topics_become_a_query_set(session: Session) -> None:
    assert session.answering.keep_labelled() == ""
    for code in (FULL, PARTIAL, NONE, FULL):
        session.answering.label(code)
    name = session.answering.keep_labelled()
    collection = session.view.collection
    assert collection is not None and collection.query_set(name) is not None
    assert collection.query_set(name).query_ids == {"t1"}  # type: ignore[union-attr]


def test_nothing_to_label() -> None:
    session = Session()
    assert session.answering.answer() is None and not session.answering.label(FULL)
    assert not session.answering.next_answer() and not session.answering.step_answer(1)


def test_words_that_were_selected_are_in_saved_labels(session: Session, tmp_path: Path) -> None:
    """They are read again from the file, shown with its labels, and are not taken for the user's own."""
    session.answering.label(FULL, span=(4, 26))
    session.answering.label(NONE)
    path = tmp_path / "mine.jsonl"
    session.answering.save(str(path))
    listed = json.loads(path.read_text())["nuggets"]
    assert [each.get("span") for each in listed] == [[4, 26], None]
    read = load(path, kind="run").value
    assert isinstance(read, Run) and read.answered is not None and read.answered.assignments is not None
    assert [read.answered.assignments.span(row) for row in range(2)] == [(4, 26), ()]
    copy = tmp_path / "again.jsonl"
    assert not any("words" in note for note in irviewer.write_run(read, copy, format="assignments"))
    assert copy.read_bytes() == path.read_bytes()
    run = load(OWN / "alpha.answers.jsonl", kind="run").value
    assert isinstance(run, Run) and run.answered is not None
    both = replace(run, answered=run.answered.filled(read.answered))
    assert any("words" in note for note in irviewer.write_run(both, tmp_path / "plain.run", format="trec"))
    other = opened(OWN / "nuggets.jsonl", OWN / "alpha.answers.jsonl", path)
    other.navigation.set_query("t1")
    answer = other.answering.answer()
    assert answer is not None and answer.nuggets[0].span == (4, 26) and answer.nuggets[0].code is None
    other.answering.label(FULL)
    answer = other.answering.answer()
    assert answer is not None and answer.nuggets[0].code == FULL and answer.nuggets[0].span == ()


@pytest.mark.parametrize("span", [[5, 5], [-1, 3], [0, 10_000], ["0", 3], [0.0, 3], [True, 3], [1], "1-3", None])
def test_a_place_that_the_text_does_not_have_is_said(span: object, tmp_path: Path) -> None:
    record = {"qid": "t1", "run_id": "s", "answer_text": "The sky is blue.", "nuggets": [
        {"text": "blue", "importance": "vital", "assignment": "support", "span": span},
    ]}  # fmt: skip
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(record) + "\n")
    loaded = load(path, kind="run")
    assert "(span)" in str(loaded.report.findings)
    read = loaded.value
    assert isinstance(read, Run) and read.answered is not None and read.answered.assignments is not None
    assert read.answered.assignments.spans is None


def test_nuggets_are_labelled_and_written_beside_judgments_of_documents(tmp_path: Path) -> None:
    """With qrels in force the topic had no nuggets to label, and one written here was of the qrels."""
    session = opened(OWN / "qrels.txt", OWN / "nuggets.jsonl", *FILES)
    session.navigation.set_query("t1")
    collection = session.view.collection
    assert collection is not None
    alone = opened(OWN / "nuggets.jsonl", *FILES)
    alone.navigation.set_query("t1")
    texts = {}
    for each in (alone, session):
        kinds = [judged.qrels.nuggets is not None for judged in each.view.collection.judgments]  # type: ignore[union-attr]
        if False in kinds:
            each.evaluation.set_judgments(kinds.index(False))
        each.answering.write_nugget("A nugget of mine.", vital=False)
        answer = each.answering.answer()
        assert answer is not None
        texts[each] = [item.nugget.text for item in answer.nuggets]
        each.answering.save_nuggets(str(tmp_path / f"{len(texts)}.jsonl"))
    assert texts[session] == texts[alone] and texts[alone][-1] == "A nugget of mine." and len(texts[alone]) > 1
    assert (tmp_path / "1.jsonl").read_text() == (tmp_path / "2.jsonl").read_text()
