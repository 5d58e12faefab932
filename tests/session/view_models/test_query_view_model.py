"""The Query place's view model, checked against plain dictionaries on collections small enough to read."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.run_label import NEW
from irviewer.session.session import Session
from tests.session.helpers import collection as made_collection
from tests.session.helpers import session_with

QRELS = {"q1": {"a": 2, "b": 1, "c": 0, "z": 3}, "q2": {"a": 1}}
BASE = {"q1": {"a": 9.0, "b": 8.0, "x": 7.0}, "q2": {"b": 2.0, "a": 1.0}}
OTHER = {"q1": {"b": 9.0, "y": 8.0, "a": 7.0, "c": 6.0}}


def small(regime: Regime = Regime.POOLED) -> Session:
    collection = Collection(
        "small",
        queries=TextTable.from_rows([{"id": "q1", "text": "the heat of slabs"}, {"id": "q2", "text": "flow"}]),
        documents=TextTable.from_rows(
            [
                {"id": "a", "title": "Heated slab", "text": "A slab is heating. No flow.", "author": "N. N."},
                {"id": "z", "title": "Zeta", "text": "nothing", "author": "M."},
            ]
        ),
        judgments=(JudgmentSet(Qrels.from_dict(QRELS), regime),),
    ).with_runs([Run.from_dict(BASE, name="base"), Run.from_dict(OTHER, name="other")])
    session = session_with(collection)
    session.navigation.set_query("q1")
    return session


def test_lists_grades_and_changes_against_the_baseline() -> None:
    view_model = small().view_models.query_view_model()
    assert view_model is not None
    base, other = view_model.columns
    assert base.doc_ids == ["a", "b", "x"]
    assert base.grades[:2].tolist() == [2, 1]
    assert math.isnan(base.grades[2])
    assert base.change is None
    assert other.doc_ids == ["b", "y", "a", "c"]
    assert other.change is not None
    assert other.change.tolist() == [1, NEW, -2, NEW]
    assert other.grades[3] == 0  # judged non-relevant is not unjudged


def test_complete_judgments_make_unlisted_documents_non_relevant() -> None:
    session = small(Regime.COMPLETE)
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.columns[0].grades.tolist() == [2, 1, 0]
    assert view_model.grade_levels == (0, 1, 2, 3)
    session.evaluation.set_regime(Regime.POOLED)
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert math.isnan(view_model.columns[0].grades[2])
    assert view_model.regime is Regime.POOLED


def test_a_query_that_a_run_lacks_has_an_empty_list_and_counts_as_zero() -> None:
    session = small()
    session.navigation.set_query("q2")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.columns[1].doc_ids == []
    assert view_model.columns[1].value == 0
    assert session.view.caveats[0] == "other lacks query q2: counted as 0"


def test_no_rank_change_where_the_baseline_lacks_the_query() -> None:
    session = small()
    session.runs.set_baseline(1)
    session.navigation.set_query("q2")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.columns[0].change is None


def test_missed_documents_are_the_relevant_ones_outside_the_cutoff_of_some_run() -> None:
    session = small()
    session.evaluation.set_cutoff(2)
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert [(row.doc_id, row.grade, row.ranks) for row in view_model.missed] == [("z", 3, (0, 0)), ("a", 2, (1, 3))]
    assert view_model.missed[0].title == "Zeta"
    session.evaluation.set_cutoff(3)
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert [row.doc_id for row in view_model.missed] == ["z"]


def test_strips_hold_every_run_best_first_with_listed_documents_named() -> None:
    session = small()
    session.runs.show_run(1, False)
    session.navigation.set_document("a")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert [row.run.name for row in view_model.strips] == ["base", "other"]
    other = view_model.strips[1]
    assert other.ranks.tolist() == [1, 3, 4]
    assert other.grades.tolist() == [1, 2, 0]
    assert other.doc_ids == ["b", "a", "c"]
    assert (other.returned, other.selected_rank, view_model.strips[0].selected_rank) == (4, 3, 1)
    assert view_model.document == "a"
    assert len(view_model.columns) == 1


def test_measures_best_delta_and_the_chosen_measure() -> None:
    session = small()
    session.evaluation.set_measure("P@2")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    row = next(value_row for value_row in view_model.metrics if value_row.chosen)
    assert (row.measure, row.values, row.best, row.delta) == ("P@2", (1.0, 0.5), (0,), -0.5)
    first = next(value_row for value_row in view_model.metrics if value_row.measure == "RR")
    assert first.values == (1.0, 1.0)
    assert first.best == ()  # nothing is best where all are equal
    assert [value_row.measure for value_row in view_model.metrics].count("P@2") == 1


def test_delta_is_against_the_baseline_even_where_it_is_hidden() -> None:
    session = small()
    session.evaluation.set_measure("P@2")
    session.runs.show_run(0, False)
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    row = next(value_row for value_row in view_model.metrics if value_row.chosen)
    assert (row.values, row.delta) == ((0.5,), -0.5)


def test_position_in_the_walk_and_when_filtered_away() -> None:
    session = small()
    session.navigation.sort_queries("query", True)
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.position == (2, 2)
    session.navigation.filter_queries("flow")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.position == (0, 1)


def test_figures_carry_one_curve_a_shown_run() -> None:
    view_model = small().view_models.query_view_model()
    assert view_model is not None
    assert [curve.role.run for curve in view_model.precision_recall.curves] == [0, 1]
    assert {curve.role.kind for curve in view_model.gain.curves} == {"run", "ideal"}


def test_the_document_card_tells_grade_ranks_and_marks() -> None:
    session = small()
    assert session.view_models.document_card() is None
    session.navigation.set_document("a")
    card = session.view_models.document_card()
    assert card is not None
    assert (card.title, card.grade, card.known) == ("Heated slab", 2, True)
    assert card.fields == (("author", "N. N."),)
    assert [(label.name, rank) for label, rank in card.ranks] == [("base", 1), ("other", 3)]
    assert [card.text[start : start + length] for start, length in card.marks] == ["slab", "heating"]
    assert [card.title[start : start + length] for start, length in card.title_marks] == ["Heated", "slab"]
    session.navigation.set_document("x")
    card = session.view_models.document_card()
    assert card is not None
    assert not card.known
    assert math.isnan(card.grade)


def test_the_card_tells_hidden_runs_the_note_and_what_the_qrels_lack() -> None:
    session = small()
    session.evaluation.set_regime(Regime.COMPLETE)
    session.navigation.set_document("a")
    card = session.view_models.document_card()
    assert card is not None
    assert (card.listed, card.remark) == (True, "")
    session.runs.show_runs([1])
    session.notes.write_note("document", "a", "odd\nbut right", ["seen"])
    card = session.view_models.document_card()
    assert card is not None
    assert [(label.name, label.shown, rank) for label, rank in card.ranks] == [("other", True, 3), ("base", False, 1)]
    assert card.remark == "✎ odd but right #seen"
    session.navigation.set_document("x")
    card = session.view_models.document_card()
    assert card is not None
    assert (card.grade, card.listed) == (0, False)  # it counts as non-relevant, and nobody said so


def test_without_judgments_lists_have_no_grades() -> None:
    session = session_with(Collection("bare").with_runs([Run.from_dict(BASE, name="base")]))
    session.navigation.set_query("q1")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.columns[0].doc_ids == ["a", "b", "x"]
    assert np.isnan(view_model.columns[0].grades).all()
    assert math.isnan(view_model.columns[0].value)
    assert view_model.metrics == ()
    assert view_model.missed == ()
    assert "qrels" in view_model.explanation
    assert session.view.caveats == ("no judgments: lists without grades, no values",)


def test_without_runs_the_view_model_explains_itself() -> None:
    session = session_with(Collection("bare", judgments=(JudgmentSet(Qrels.from_dict(QRELS), Regime.POOLED),)))
    session.navigation.set_query("q1")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.columns == ()
    assert "run" in view_model.explanation
    assert (session.view.baseline, session.view.focus) == (None, None)


DOCUMENTS = st.sampled_from([f"d{n}" for n in range(12)])
RANKINGS = st.lists(DOCUMENTS, unique=True, max_size=12)


@examples(60)
@given(RANKINGS, RANKINGS, st.dictionaries(DOCUMENTS, st.integers(-1, 3), min_size=1), st.integers(1, 12))
def test_the_view_model_agrees_with_dictionaries(
    first: list[str], two: list[str], grades: dict[str, int], cutoff: int
) -> None:
    def ranking(documents: list[str]) -> dict[str, dict[str, float]]:
        return {"q": {document: -float(rank) for rank, document in enumerate(documents)}} if documents else {}

    collection = Collection(
        "random", judgments=(JudgmentSet(Qrels.from_dict({"q": grades}), Regime.POOLED),)
    ).with_runs([Run.from_dict(ranking(first), name="one"), Run.from_dict(ranking(two), name="two")])
    session = session_with(collection)
    session.navigation.set_query("q")
    session.evaluation.set_cutoff(cutoff)
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    for column, wanted in zip(view_model.columns, (first, two), strict=True):
        assert column.doc_ids == wanted
        for document, grade in zip(wanted, column.grades.tolist(), strict=True):
            assert grade == grades[document] if document in grades else math.isnan(grade)
    change = view_model.columns[1].change
    if first:
        assert change is not None
        assert change.tolist() == [first.index(d) - two.index(d) if d in first else NEW for d in two]
    else:
        assert change is None
    relevant = [document for document, grade in grades.items() if grade >= 1]
    missed = {
        document
        for document in relevant
        if any(document not in ranked or ranked.index(document) >= cutoff for ranked in (first, two))
    }
    assert {row.doc_id for row in view_model.missed} == missed
    chosen = next((n for n, each in enumerate(view_model.columns) if each.run.focus), 0)
    in_top = [0 < row.ranks[chosen] <= cutoff for row in view_model.missed]
    order = [(seen, -row.grade) for seen, row in zip(in_top, view_model.missed, strict=True)]
    assert order == sorted(order), "what the chosen run misses, the highest grades first, then what others miss"


def test_ids_with_any_signs_are_distinguished() -> None:
    qrels = {"ü-1": {"<dbpedia:Zürich>": 1}}
    run = {"ü-1": {"<dbpedia:Zurich>": 2.0, "<dbpedia:Zürich>": 1.0}}
    collection = Collection("u", judgments=(JudgmentSet(Qrels.from_dict(qrels), Regime.SPARSE),))
    session = session_with(collection.with_runs([Run.from_dict(run, name="r")]))
    session.navigation.set_query("ü-1")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.columns[0].value == pytest.approx(1 / math.log2(3))
    assert "sparse" in session.view.caveats[0]


def test_figures_of_a_query_name_it_where_they_are_alone() -> None:
    session = small()
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    for figure in (view_model.precision_recall, view_model.gain):
        assert figure.full_title == f"{figure.title} · query {view_model.query_id}"
        assert view_model.query_id not in figure.title


def test_what_was_judged_here_is_beside_what_the_file_says() -> None:
    session = session_with(made_collection(2))
    session.navigation.set_query("1")
    session.navigation.set_document("d1")
    view_model, card = session.view_models.query_view_model(), session.view_models.document_card()
    assert view_model is not None
    assert card is not None
    assert (view_model.own, card.own, view_model.differing) == ({}, None, frozenset())
    session.judging.judge("d1", 2)
    session.judging.judge("e1", 2)  # as the file has it
    session.judging.judge("x1-0", 0)
    view_model, card = session.view_models.query_view_model(), session.view_models.document_card()
    assert view_model is not None
    assert card is not None
    assert {doc: (row.judgment.grade, row.former) for doc, row in view_model.own.items()} == {
        "d1": (2.0, 1.0),
        "e1": (2.0, 2.0),
        "x1-0": (0.0, None),
    }
    assert view_model.differing == {"d1", "x1-0"}
    assert card.own == view_model.own["d1"]
    session.navigation.set_query("2")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert not view_model.own


def test_strips_know_of_the_ties_that_the_runs_have(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("1 0 d1 1\n1 0 d2 0\n")
    scores = {"even": (3, 2, 2, 2, 1, 1), "clear": (6, 5, 4, 3, 2, 1)}
    for name, column in scores.items():
        lines = (f"1 Q0 d{place} {place + 1} {score} {name}\n" for place, score in enumerate(column))
        (tmp_path / f"{name}.run").write_text("".join(lines))
    session = Session()
    session.files.open_files([str(tmp_path / name) for name in ("a.qrels", "even.run", "clear.run")])
    session.navigation.set_query("1")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    ties = {row.run.name: row.tied.tolist() for row in view_model.strips}
    assert ties == {"even": [[2, 4], [5, 6]], "clear": []}
    session.close()
