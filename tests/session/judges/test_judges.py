"""The judges of a collection: named, described, chosen, opened beside judgments that are there, saved and merged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from irviewer.analysis.agreement.corrected import corrected_scores
from irviewer.analysis.agreement.sampling import draw_queries
from irviewer.commands import find, run_command
from irviewer.errors import IrviewerError
from irviewer.formats.judging_task import read_task, task_text
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.session.judges.actions import facts_text
from irviewer.session.session import Session
from irviewer.session.settings import Settings

MODEL = JudgeFacts("model", "GPT-4", "zero shot")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nist.qrels").write_text("1 0 a 2\n1 0 x 0\n2 0 c 1\n2 0 d 0\n")
    (tmp_path / "umbrela.qrels").write_text("1 0 a 1\n1 0 x 1\n2 0 c 1\n2 0 e 3\n")
    for name in ("one", "two"):
        (tmp_path / f"{name}.run").write_text("1 Q0 a 1 2.0 t\n1 Q0 x 2 1.0 t\n2 Q0 c 1 1.0 t\n2 Q0 e 2 .5 t\n")
    return tmp_path


def opened(folder: Path, *names: str) -> Session:
    settings = Settings()
    settings["hints"] = False
    session = Session(settings)
    session.files.open_files([str(folder / name) for name in ("nist.qrels", "one.run", "two.run", *names)])
    return session


def judges(session: Session) -> list[str]:
    return [judgments.name for judgments in session.judges.sets]


def asked_for(session: Session) -> list[str]:
    commands: list[str] = []
    session.asked.connect(commands.append)
    return commands


def test_a_single_human_judge_is_not_named_beside_numbers(folder: Path) -> None:
    session = opened(folder)
    assert session.view.judged_by == session.view.judgment_mark == ""
    session.judges.describe(0, "nist", MODEL)
    assert session.view.judged_by == "judged by nist, model"
    systems = session.view_models.systems_view_model()
    assert systems is not None
    assert systems.title == "2 systems, judged by nist, model"
    session.close()


def test_the_judge_in_force_is_named_with_every_number(folder: Path) -> None:
    session = opened(folder, "umbrela.qrels")
    assert session.view.judgment_mark == "judged by nist"
    session.judging.judge("a", 0.0, query_id="1")
    assert session.view.judgment_mark == "judged by nist, with 1 changed judgment"
    session.judges.choose(1)
    assert session.view.judgment_mark == "judged by umbrela"
    session.judges.step(1)
    assert session.view.judgments is session.judges.sets[0]
    session.close()


def test_describing_is_an_undo_step(folder: Path) -> None:
    session = opened(folder, "umbrela.qrels")
    session.judging.judge("a", 0.0, query_id="1")
    session.judges.describe(0, " Human  judge", MODEL)
    named = session.judges.sets[0]
    assert (named.name, named.read.name, named.facts) == ("Human judge", "Human judge", MODEL)
    assert session.history.undo()
    assert (session.judges.sets[0].name, session.judges.sets[0].facts) == ("nist", JudgeFacts())
    assert len(session.judges.sets[0].overlay) == 1
    assert session.history.redo()
    assert session.judges.sets[0].facts == MODEL
    session.close()


def test_names_are_unique(folder: Path) -> None:
    session = opened(folder, "umbrela.qrels")
    for name in ("", "umbrela"):
        with pytest.raises(IrviewerError):
            session.judges.describe(0, name, JudgeFacts())
    session.close()


def test_removing_the_judge_in_force_chooses_another_and_can_be_undone(folder: Path) -> None:
    session = opened(folder, "umbrela.qrels")
    session.judges.choose(1)
    session.judges.remove(1)
    assert judges(session) == ["nist"]
    assert session.judges.number == 0
    session.judges.remove(0)  # the only one stays
    assert judges(session) == ["nist"]
    assert session.history.undo()
    assert judges(session) == ["nist", "umbrela"]
    session.close()


def test_judges_opened_together_are_not_asked_about(folder: Path) -> None:
    session = Session()
    commands = asked_for(session)
    session.files.open_files([str(folder / name) for name in ("nist.qrels", "umbrela.qrels", "one.run")])
    assert (judges(session), commands) == (["nist", "umbrela"], [])
    message = next(message for message in session.view.messages if "another judge" in message.text)
    assert not message.answers_act  # where it was done is outside the window
    session.close()


@pytest.mark.parametrize(
    ("role", "names", "grades"),
    [
        ("judge", ["nist", "umbrela"], {"a": 2.0, "x": 0.0}),
        ("more", ["nist"], {"a": 1.0, "x": 1.0}),
        ("replace", ["umbrela"], {"a": 1.0, "x": 1.0}),
    ],
)
def test_judgments_for_judged_queries_ask_what_they_are(
    folder: Path, role: str, names: list[str], grades: dict[str, float]
) -> None:
    session = opened(folder)
    session.judges.describe(0, "nist", JudgeFacts("human", "assessors"))
    commands = asked_for(session)
    session.files.open_files([str(folder / "umbrela.qrels")])
    assert commands == ["judge_role"]
    assert find(session, "judge_role").enabled(session)
    session.judges.answer(role)  # type: ignore[arg-type]
    assert session.judges.asked is None
    assert judges(session) == names
    first = session.judges.sets[0]
    assert dict(first.qrels.judgments("1")) == grades
    assert first.facts.family == "assessors"
    assert ("d" in first.qrels.judgments("2")) == (role != "replace")
    if role != "judge":
        assert session.history.undo()
        assert judges(session) == ["nist", "umbrela"]
        assert dict(session.judges.sets[0].qrels.judgments("1")) == {"a": 2.0, "x": 0.0}
    session.close()


@pytest.mark.parametrize(
    ("role", "collections", "names", "grades"),
    [
        ("collection", ["nist", "other"], ["nist"], {"a": 2.0, "x": 0.0}),
        ("judge", ["nist"], ["nist", "other"], {"a": 2.0, "x": 0.0}),
        ("more", ["nist"], ["nist"], {"a": 2.0, "x": 0.0, "e": 1.0}),
        ("replace", ["nist"], ["other"], {"e": 1.0}),
    ],
)
def test_judgments_of_other_documents_of_judged_queries_ask_too(
    folder: Path, role: str, collections: list[str], names: list[str], grades: dict[str, float]
) -> None:
    (folder / "one.run").write_text("1 Q0 a 1 2.0 t\n1 Q0 e 2 1.0 t\n2 Q0 c 1 1.0 t\n")
    (folder / "other.qrels").write_text("1 0 e 1\n2 0 f 1\n")
    session = opened(folder)
    commands = asked_for(session)
    session.files.open_files([str(folder / "other.qrels")])
    assert commands == ["judge_role"]
    before = [collection.name for collection in session.view.workspace.collections]
    assert before == ["nist", "other"]
    session.judges.answer(role)  # type: ignore[arg-type]
    assert session.judges.asked is None
    assert [collection.name for collection in session.view.workspace.collections] == collections
    first = session.view.workspace.collections[0]
    assert [judge.name for judge in first.judgments] == names
    assert dict(first.judgments[0].qrels.judgments("1")) == grades
    if role != "collection":
        assert session.history.undo()
        assert [collection.name for collection in session.view.workspace.collections] == before
        assert [judge.name for judge in session.view.workspace.collections[0].judgments] == ["nist"]
    session.close()


def three_files(folder: Path) -> list[str]:
    grades = ("1 0 a 1\n1 0 x 0\n2 0 c 1\n", "1 0 a 2\n2 0 c 0\n", "1 0 a 0\n1 0 x 1\n")
    for name, text in zip(("gpt", "llama", "crowd"), grades, strict=True):
        (folder / f"{name}.qrels").write_text(text)
    return [str(folder / f"{name}.qrels") for name in ("gpt", "llama", "crowd")]


def test_judges_opened_together_are_one_question(folder: Path) -> None:
    session = opened(folder)
    commands = asked_for(session)
    session.files.open_files(three_files(folder))
    assert commands == ["judge_role"]
    assert len(session.judges.asked_together) == 3
    session.judges.answer("judge")
    assert commands == ["judge_role"] and session.judges.asked is None
    assert judges(session) == ["nist", "gpt", "llama", "crowd"]
    session.close()


def test_the_user_can_be_asked_about_each(folder: Path) -> None:
    session = opened(folder)
    commands = asked_for(session)
    session.files.open_files(three_files(folder))
    session.judges.ask_each()
    assert len(session.judges.asked_together) == 1
    session.judges.answer("judge")
    session.judges.cancel_opening()
    session.judges.answer("replace")
    assert commands == ["judge_role"] * 4 and session.judges.asked is None
    assert judges(session) == ["crowd", "gpt"]
    session.close()


def test_cancel_opens_nothing(folder: Path) -> None:
    session = opened(folder)
    before = session.state.workspace
    session.files.open_files(three_files(folder))
    session.judges.cancel_opening()
    assert (judges(session), session.judges.asked) == (["nist"], None)
    assert session.state.workspace.collections[0].judgments == before.collections[0].judgments
    assert not any("another judge" in message.text for message in session.view.messages)
    assert session.view.messages[-1].text == "gpt, llama, crowd were not opened."
    assert session.history.undo()  # in one step
    assert judges(session) == ["nist", "gpt", "llama", "crowd"]
    session.close()


def test_cancel_closes_judgments_of_other_documents_too(folder: Path) -> None:
    (folder / "one.run").write_text("1 Q0 a 1 2.0 t\n1 Q0 e 2 1.0 t\n2 Q0 c 1 1.0 t\n")
    (folder / "other.qrels").write_text("1 0 e 1\n2 0 f 1\n")
    session = opened(folder)
    session.files.open_files([str(folder / "other.qrels")])
    session.judges.cancel_opening()
    assert [collection.name for collection in session.view.workspace.collections] == ["nist"]
    assert session.view.collection is session.view.workspace.collections[0]
    session.close()


def test_the_kind_of_a_judge_that_no_file_states_is_not_stated(folder: Path) -> None:
    session = opened(folder)
    assert [judge.facts.origin for judge in session.judges.sets] == ["unstated"]
    assert facts_text(session.judges.sets[0]) == "not stated"
    assert session.view.judged_by == ""  # nothing is claimed of it
    session.judges.describe(0, "nist", JudgeFacts("model"))
    assert session.view.judged_by == "judged by nist, model"
    session.close()


@pytest.mark.parametrize("text", ["1 0 q 1\n2 0 r 1\n", "5 0 a 1\n6 0 x 1\n"], ids=["documents", "queries"])
def test_qrels_that_no_run_knows_are_another_collection_unasked(folder: Path, text: str) -> None:
    (folder / "other.qrels").write_text(text)
    session = opened(folder)
    commands = asked_for(session)
    session.files.open_files([str(folder / "other.qrels")])
    assert commands == []
    assert len(session.view.workspace.collections) == 2
    session.close()


def test_a_filled_task_brings_its_inclusion_probabilities_back(tmp_path: Path) -> None:
    rows = [(str(query), f"d{rank}", (query * rank) % 3) for query in range(1, 13) for rank in range(1, 6)]
    (tmp_path / "model.qrels").write_text("".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in rows))
    for name, step in (("one", 1), ("two", 2)):
        lines = [f"{query} Q0 {doc} 1 {(int(doc[1:]) * step * int(query)) % 7 + 1} t\n" for query, doc, _ in rows]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    settings = Settings()
    settings["hints"] = False
    session = Session(settings)
    session.files.open_files([str(tmp_path / name) for name in ("model.qrels", "one.run", "two.run")])
    qrels = session.judges.sets[0].qrels
    strata = {str(query): "few" if query < 9 else "all" for query in range(1, 13)}
    drawn = draw_queries(qrels, 4, strata=strata, seed=3)
    chances = {row.query_id: row.probability for row in drawn.rows}
    assert set(chances.values()) == {0.5, 1.0}
    filled = replace(drawn, rows=tuple(replace(row, grade=float(len(row.doc_id) % 2)) for row in drawn.rows))
    for place, row in enumerate(filled.rows):
        assert row.grade is not None
        if place % 3 == 0:
            filled = replace(filled, rows=(*filled.rows[:place], replace(row, grade=0.0), *filled.rows[place + 1 :]))
    path = tmp_path / "human.tsv"
    path.write_text(task_text(filled))
    session.files.open_files([str(path)])
    if session.judges.asked is not None:
        session.judges.answer("judge")
    human = session.judges.sets[1]
    assert human.task is not None
    assert {row.query_id: row.probability for row in human.task.rows} == chances
    session.judge_comparison.go_to("corrected")
    session.compute_now()
    view_model = session.judge_comparison.corrected_view_model()
    assert view_model is not None
    assert not view_model.explanation
    runs = [entry.run for entry in session.view.collection.runs]  # type: ignore[union-attr]
    plain = replace(human.judge, task=None)
    arguments = (session.judges.sets[0].judge, runs, session.view.measure)
    weighted = corrected_scores(plain, *arguments, task=filled)
    equal = corrected_scores(plain, *arguments)
    assert view_model.table is not None
    assert sorted(view_model.table.column("value").values) == pytest.approx(sorted(weighted.means.values.tolist()))
    assert sorted(weighted.means.values.tolist()) != pytest.approx(sorted(equal.means.values.tolist()), abs=1e-6)
    assert any("0.5 … 1" in fact.replace(" .5", " 0.5") or ".500 … 1" in fact for fact in view_model.facts)
    session.autosave.save_project(str(tmp_path / "p.irviewer"))
    session.close()
    again = Session()
    again.projects.open_project(str(tmp_path / "p.irviewer"))
    assert again.judges.sets[1].task == human.task
    again.close()


def test_judges_are_commands(folder: Path) -> None:
    session = opened(folder, "umbrela.qrels")
    assert run_command(session, "judge 1")
    assert session.judges.number == 1
    session.close()


def test_a_project_keeps_the_judges_and_the_families_of_runs(folder: Path) -> None:
    session = opened(folder, "umbrela.qrels")
    session.judges.describe(1, "UMBRELA (GPT-4)", MODEL)
    key = session.view.collection.runs[0].key  # type: ignore[union-attr]
    session.runs.set_family(key, "GPT-4")
    session.autosave.save_project(str(folder / "p.irviewer"))
    session.close()
    again = Session()
    again.projects.open_project(str(folder / "p.irviewer"))
    assert [(judgment_set.name, judgment_set.facts) for judgment_set in again.judges.sets] == [
        ("nist", JudgeFacts()),
        ("UMBRELA (GPT-4)", MODEL),
    ]
    assert again.view.collection is not None
    assert [entry.families for entry in again.view.collection.runs] == [("GPT-4",), ()]
    again.close()


def test_two_windows_merge_what_each_says_of_a_judge(folder: Path) -> None:
    first = opened(folder, "umbrela.qrels")
    first.autosave.save_project(str(folder / "p.irviewer"))
    second = Session()
    second.projects.open_project(str(folder / "p.irviewer"))
    first.judges.describe(0, "NIST", JudgeFacts())
    first.autosave.save_project(str(folder / "p.irviewer"))
    second.judges.describe(1, "umbrela", MODEL)
    second.autosave.save_project()
    third = Session()
    third.projects.open_project(str(folder / "p.irviewer"))
    assert [(judgment_set.name, judgment_set.facts) for judgment_set in third.judges.sets] == [
        ("NIST", JudgeFacts()),
        ("umbrela", MODEL),
    ]
    for session in (first, second, third):
        session.close()


def test_the_family_of_a_run_is_an_undo_step(folder: Path) -> None:
    session = opened(folder)
    assert session.view.collection is not None
    session.runs.set_family(session.view.collection.runs[1].key, "Llama")
    assert session.view.collection.runs[1].families == ("Llama",)
    assert session.history.undo()
    assert session.view.collection.runs[1].families == ()
    session.close()


@pytest.mark.parametrize(
    ("rule", "grades"),
    [("fill", {"a": 2.0, "x": 0.0}), ("mean", {"a": 1.5, "x": 0.5}), ("median", {"a": 1.0, "x": 0.0})],
)
def test_merged_judges_are_a_judge_of_their_own(folder: Path, rule: str, grades: dict[str, float]) -> None:
    session = opened(folder, "umbrela.qrels")
    session.judges.merge([0, 1], rule, "lower", "both")
    assert judges(session) == ["nist", "umbrela", "both"]
    merged = session.judges.sets[2]
    assert merged.facts.origin == "merged"
    assert merged.facts.note
    assert dict(merged.qrels.judgments("1")) == grades
    assert set(merged.qrels.judgments("2")) == {"c", "d", "e"}
    said = [line for message in session.view.messages for line in (message.text, *message.details)]
    assert any("its first" in line and "umbrela" in line for line in said) == (rule == "fill")
    assert session.history.undo()
    assert judges(session) == ["nist", "umbrela"]
    session.close()


def test_a_sample_is_saved_with_inclusion_probabilities(folder: Path) -> None:
    session = opened(folder)
    session.judges.save_task(str(folder / "task.tsv"), 1)
    task = read_task(folder / "task.tsv")
    assert task.unit == "query"
    assert len(task.drawn) == 1
    assert {row.probability for row in task.rows} == {0.5}
    assert all(row.grade is None for row in task.rows)
    session.close()


def test_blind_judging_goes_on_after_a_grade_and_offers_no_other_judge(folder: Path) -> None:
    (folder / "long.run").write_text("".join(f"1 Q0 u{n} {n} {9 - n} t\n" for n in range(1, 6)))
    session = opened(folder, "umbrela.qrels", "long.run")
    session.navigation.set_query("1")
    session.judging.set_blind(True)
    first = session.view.document_id
    assert session.list_judging.judge_here(1.0)
    second = session.view.document_id
    assert second not in (None, first)
    assert session.judging.judged_progress is not None
    assert second in session.judging.judged_progress.left
    assert not find(session, "choose_judge").enabled(session)
    session.close()


def test_choosing_a_judge_is_an_undo_step(folder: Path) -> None:
    session = opened(folder, "umbrela.qrels")
    session.judges.choose(0)
    assert not session.history.undo_label  # nothing changed
    session.judges.choose(1)
    assert session.history.undo_label == "judged by umbrela"
    session.judging.judge("a", 0.0, query_id="1")
    assert session.history.undo()
    assert session.judges.number == 1
    assert session.history.undo()
    assert session.judges.number == 0
    assert session.view.judgment_mark == "judged by nist"
    assert session.history.redo()
    assert session.judges.number == 1
    session.judges.remove(1)
    session.history.undo()
    assert session.judges.number == 1
    session.close()


def test_undoing_the_choice_of_a_judge_shows_a_query_that_is_judged_there(folder: Path) -> None:
    session = opened(folder, "umbrela.qrels")
    session.judges.choose(1)
    others = set(session.view.context.query_ids) if session.view.context else set()
    session.history.undo()
    context = session.view.context
    assert context is not None
    assert session.view.query_id in context.query_index
    assert others
    session.close()


def test_who_is_more_generous_is_said_only_where_the_interval_shows_it(tmp_path: Path) -> None:
    lenient = {(query, document): 1 for query in range(1, 9) for document in "abcdefgh"}
    strict = {pair: grade * (pair[1] in "abc") for pair, grade in lenient.items()}
    steady = {pair: int(pair[1] in "abcd") for pair in lenient}
    swaying = {pair: int(pair[1] in ("abcdef" if pair[0] % 2 else "abc")) for pair in lenient}
    lines = [f"{query} Q0 a 1 1.0 t\n" for query in range(1, 9)]
    (tmp_path / "r.run").write_text("".join(lines))

    def meaning(first: dict[tuple[int, str], int], second: dict[tuple[int, str], int]) -> str:
        for name, grades in (("first", first), ("second", second)):
            text = "".join(f"{query} 0 {document} {grade}\n" for (query, document), grade in grades.items())
            (tmp_path / f"{name}.qrels").write_text(text)
        session = Session(Settings())
        session.files.open_files([str(tmp_path / name) for name in ("first.qrels", "second.qrels", "r.run")])
        session.judge_comparison.go_to("confusion")
        session.compute_now()
        view_model = session.judge_comparison.confusion_view_model()
        assert view_model is not None
        assert view_model.coefficients is not None
        tips = view_model.coefficients.column("statistic").tips
        assert tips is not None
        text = tips(list(view_model.coefficients.keys).index("difference"))
        session.close()
        return text

    assert meaning(strict, lenient) == "second − first: second is more generous"
    assert meaning(lenient, strict) == "second − first: first is more generous"
    assert meaning(lenient, lenient) == "second − first: equally generous"
    assert meaning(steady, swaying) == "second − first: neither is shown to be more generous"
