"""The answers to a topic in the window: one selection in all parts, steps, measures, and what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.model.answers.labels import NONE
from irviewer.session.session import Session
from irviewer.session.view_models.answers import NUGGET, SEGMENT, SENTENCE, AnswerViewModel

OWN = Path(__file__).parents[1] / "data" / "answers"
PARTS = [f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")]


def opened(*names: str) -> Session:
    session = Session()
    session.files.open_files([str(OWN / name) for name in names])
    session.navigation.set_place("query")
    session.navigation.set_tab("query", "answer")
    return session


@pytest.fixture
def session() -> Session:
    session = opened("nuggets.jsonl", *PARTS, "qrels.txt", "context.run", "segments.jsonl")
    session.navigation.set_query("t1")
    return session


def shown(session: Session) -> AnswerViewModel:
    view_model = session.answers.view_model()
    assert view_model is not None
    return view_model


def test_files_of_all_kinds_are_one_collection(session: Session) -> None:
    assert len(session.view.workspace.collections) == 1
    view_model = shown(session)
    assert [label.name for label in view_model.labels] == ["alpha", "beta"]
    assert view_model.list_name and view_model.topic.listed and view_model.graded_by
    assert view_model.missing == ()
    assert view_model.assigners == ("alpha.assignments", "beta.assignments")


def test_one_selection_goes_through_all_parts_and_back(session: Session) -> None:
    session.answers.select_sentence(0, 1)
    view_model = shown(session)
    assert view_model.selection.kind == SENTENCE
    documents = {view_model.topic.segments[place].document for place in view_model.lit_segments}
    assert documents == {"d11", "d12"}
    assert 0 in view_model.lit_nuggets  # "air scatters blue light more than red"
    place = next(n for n, each in enumerate(view_model.topic.segments) if each.document == "d12")
    session.answers.select_segment(place)
    view_model = shown(session)
    assert session.view.document_id == "d12" and view_model.selection.kind == SEGMENT
    assert view_model.lit_sentences == (frozenset({1, 3}), frozenset())
    assert {view_model.topic.nuggets[n].text for n in view_model.lit_nuggets} == {"This is Rayleigh scattering"}
    session.answers.select_nugget(1)
    view_model = shown(session)
    assert session.view.document_id is None and view_model.selection.kind == NUGGET
    assert {view_model.topic.segments[n].document for n in view_model.lit_segments} == {"d12"}
    session.navigation.set_query("t2")
    assert shown(session).selection.kind == ""


def test_a_system_without_an_answer_has_no_counts_and_no_difference() -> None:
    session = opened("nuggets.jsonl", *PARTS[:3], "beta.assignments.jsonl", "context.run")
    session.navigation.set_query("t1")
    lines = {line.measure: line for line in shown(session).measures}
    for measure in ("Length", "Uncited", "Used"):
        assert lines[measure].texts[1] == "–" and not lines[measure].delta
    assert lines["Used"].texts[0] != "–"


def test_hints_can_be_switched_off(session: Session) -> None:
    session.answers.select_nugget(0)
    assert shown(session).lit_sentences[0]
    session.answers.switch_hints()
    assert not any(shown(session).lit_sentences)


def test_steps_to_lost_nuggets_and_uncited_sentences_go_on_in_later_topics(session: Session) -> None:
    session.navigation.sort_queries("query", False)
    assert session.answers.next_uncited()
    assert shown(session).selection.place == 2 and session.view.query_id == "t1"
    assert not session.answers.next_uncited()  # alpha cites in every other sentence
    assert session.view.query_id == "t1"
    assert session.answers.next_lost()  # Rayleigh, in part
    assert shown(session).topic.nuggets[shown(session).selection.place].text == "This is Rayleigh scattering"
    assert session.answers.next_lost() and session.view.query_id == "t2"
    assert shown(session).topic.nuggets[shown(session).selection.place].text.startswith("The waggle dance")
    session.answers.step_system(1)
    session.navigation.set_query("t3")
    assert session.answers.next_uncited()
    assert shown(session).selection.system == 1


def test_measures_are_those_of_the_registry(session: Session) -> None:
    view_model, context = shown(session), session.view.context
    assert context is not None
    lines = {line.title: line for line in view_model.measures}
    for entry, text in zip(context.collection.runs[:2], lines["V strict"].texts, strict=True):
        place = context.query_index["t1"]
        assert float(context.values(entry, context.measure)[place]) == pytest.approx(float(text), abs=5e-5)
    assert lines["Sentences uncited"].texts == ("1 of 3", "0 of 2")
    assert lines["Sentences uncited"].delta == "▲ 1"
    assert "Support, precision" in lines


def test_side_by_side_the_nuggets_that_differ_come_first(session: Session) -> None:
    session.answers.set_columns(2)
    view_model = shown(session)
    assert view_model.shown == (0, 1)
    every = [n for group in view_model.groups for n in group.rows]
    assert sorted(every) == list(range(len(view_model.topic.nuggets)))
    differ = [len(set(view_model.topic.nuggets[n].labels)) > 1 for n in every]
    assert differ == sorted(differ, reverse=True)
    session.answers.set_columns(9)
    assert len(shown(session).shown) == 2


def test_where_it_was_lost(session: Session) -> None:
    session.navigation.set_query("t2")
    assert dict(shown(session).lost) == {"not_retrieved": 1}
    session.answers.step_system(1)
    assert dict(shown(session).lost) == {"not_retrieved": 1, "not_cited": 1, "partly": 1}


@pytest.mark.parametrize("links", ["auto", "segments", "grades"])
@pytest.mark.parametrize("with_segments", [True, False])
def test_a_nugget_is_lost_at_the_same_stage_in_the_answer_and_in_the_list_of_all(
    links: str, with_segments: bool
) -> None:
    """Also by grades, the weaker rule, where no segment is assigned; it is marked."""
    session = opened("nuggets.jsonl", *PARTS, "qrels.txt", "context.run", *["segments.jsonl"] * with_segments)
    session.result_views.set_parameter("links", links, "answer-lost")
    session.result_views.choose("answer-lost")
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None
    table = next(table for table in answer.shown.tables if table.name == "nuggets")
    columns = {column.key: list(column.values) for column in table.columns}
    listed = {
        (topic, int(place), run): stage
        for topic, place, run, stage in zip(
            columns["topic"], columns["place"], columns["run"], columns["stage"], strict=True
        )
    }
    session.navigation.set_place("query")
    session.navigation.set_tab("query", "answer")
    stages = {}
    for topic in ("t1", "t2", "t3"):
        session.navigation.set_query(topic)
        view_model = shown(session)
        assert view_model.topic.by_grades == (links == "grades" or (links == "auto" and not with_segments))
        for row in view_model.topic.nuggets:
            for label, stage in zip(view_model.labels, row.stages, strict=True):
                if stage:
                    stages[topic, row.number, label.name] = stage
    assert stages == listed and len(stages) > 3


def test_a_lost_nugget_that_no_sentence_is_like_names_the_nearest(session: Session) -> None:
    """Nothing stood there. Of what is said, of okay nuggets and without hints nothing is told."""
    session.navigation.set_query("t2")
    for system in range(2):
        view_model = shown(session)
        texts = {row.text: view_model.near_words(place) for place, row in enumerate(view_model.topic.nuggets)}
        lost = {row.text for row in view_model.topic.nuggets
                if row.is_vital and row.labels[view_model.lead] == NONE and not row.alike[view_model.lead]}  # fmt: skip
        assert {text for text, said in texts.items() if said} == lost
        if not system:
            assert texts["The waggle dance tells direction and distance"] == "≈ none: no sentence has any of its words"
        session.answers.step_system(1)
    assert any("has most of its words, 1 of" in text for text in texts.values())
    session.answers.switch_hints()
    assert not any(map(shown(session).near_words, range(len(texts))))


def test_what_is_missing_is_said() -> None:
    session = opened(*[name for name in PARTS if "answers" in name])
    view_model = shown(session)
    assert view_model.topic.nuggets == () and any("no nuggets" in text for text in view_model.missing)
    assert any("list" in text for text in view_model.missing)
    session = opened(*[name for name in PARTS if "assignments" in name], "nuggets.jsonl")
    view_model = shown(session)
    assert not view_model.topic.systems[0].answered and any(
        "open the file of the answers" in t for t in view_model.missing
    )
    assert opened("qrels.txt", "context.run").answers.view_model() is None
    assert Session().answers.view_model() is None


def explained(session: Session, measure: str) -> tuple[str, str, str]:
    """Return title, calculation and rules of a value of alpha."""
    key = next(label.key for label in shown(session).labels if label.name == "alpha")
    session.explaining.explain(key, measure)
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    return view_model.title, view_model.worked, " ".join(view_model.rules)


@pytest.mark.parametrize("size", [0, 3, 2])
def test_what_is_used_is_of_the_list_as_far_as_the_model_saw_it(session: Session, size: int) -> None:
    session.result_views.set_parameter("context_size", size, "answer-lost")
    line = next(line for line in shown(session).measures if line.measure == "Used")
    seen = size or 4  # documents of the list
    assert line.title == f"Used of the {seen}" and line.texts[0] == "2"
    title, worked, _ = explained(session, "Used")
    assert title == f"Why is Used of alpha {min(1, 2 / seen):.4f}?"
    assert worked == f"Used = 2 ÷ {seen} = {2 / seen:.4f}"
    session.navigation.set_tab("query", "rankings")
    assert "2 ÷ 2" in explained(session, "Used")[1]  # of the references, which are the lists there


def test_the_share_that_is_used_is_explained_anew_where_the_model_saw_less(session: Session) -> None:
    session.result_views.set_parameter("context_size", 3, "answer-lost")
    assert "2 ÷ 3" in explained(session, "Used")[1]
    session.result_views.set_parameter("context_size", 2, "answer-lost")
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None and "2 ÷ 2" in view_model.worked
    assert session.explaining.ledger_view_model() is view_model, "nothing changed: nothing is computed"


@pytest.mark.parametrize(("measure", "value"), [("V_strict", "1 ÷ 2 = 0.5000"), ("V", "1.5000 ÷ 2 = 0.7500")])
def test_a_nugget_score_ends_in_its_value_under_its_usual_name(session: Session, measure: str, value: str) -> None:
    title, worked, rules = explained(session, measure)
    assert title.startswith(f"Why is {measure} of alpha") and worked == f"{measure} = {value}"
    assert "The labels are those of alpha.assignments" in rules
    assert "unjudged" not in rules, "no grade of a document changes it"
