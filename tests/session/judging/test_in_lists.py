"""Keys that judge in the lists of the Queries place; the list stays as it is while one judges in it."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.commands import run_command
from irviewer.model.workspace import Regime
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with


@pytest.fixture
def session() -> Session:
    new_session = session_with(collection(4, queries=12))
    new_session.evaluation.set_regime(Regime.POOLED)
    new_session.navigation.set_place("queries")
    new_session.judging.set_judging(True)
    return new_session


def shown(session: Session, tab: str) -> None:
    session.navigation.set_tab("queries", tab)
    session.compute_now()


def grade_of(session: Session, query: str, document: str) -> float | None:
    assert session.view.judgments is not None
    return session.view.judgments.qrels.judgments(query).get(document)


def test_a_relevant_document_that_is_judged_down_stays_in_its_row(session: Session) -> None:
    shown(session, "relevant")
    view_model = session.list_judging.relevant_view_model()
    assert view_model is not None
    document = view_model.doc_ids[0]
    assert not session.list_judging.can_judge  # none is selected
    session.navigation.set_document(document)
    assert run_command(session, "grade_0")
    held = session.list_judging.relevant_view_model()
    assert held is not None
    assert (session.view.place, session.view.document_id) == ("queries", document)
    assert (held.doc_ids, held.selected) == (view_model.doc_ids, 0)
    assert held.grades[0] == grade_of(session, view_model.query_id, document) == 0
    run_command(session, "grade_2")
    assert (session.view.place, grade_of(session, view_model.query_id, document)) == ("queries", 2)
    run_command(session, "unjudge")
    held = session.list_judging.relevant_view_model()
    assert held is not None
    assert np.isnan(held.grades[0])
    assert grade_of(session, view_model.query_id, document) is None
    shown(session, "table")
    assert not session.list_judging.can_judge
    shown(session, "relevant")
    anew = session.list_judging.relevant_view_model()
    assert anew is not None
    assert document not in anew.doc_ids


def test_another_choice_lets_the_list_go(session: Session) -> None:
    shown(session, "relevant")
    view_model = session.list_judging.relevant_view_model()
    assert view_model is not None
    session.navigation.set_document(view_model.doc_ids[0])
    run_command(session, "grade_0")
    session.navigation.step_query(1)
    session.navigation.step_query(-1)
    anew = session.list_judging.relevant_view_model()
    assert anew is not None
    assert view_model.doc_ids[0] not in anew.doc_ids


def test_the_worklist_is_judged_row_by_row(session: Session) -> None:
    shown(session, "worklist")
    view_model = session.list_judging.worklist_view_model()
    assert view_model is not None
    assert len(view_model.doc_ids) > 1
    for row in (1, 0):
        session.list_judging.choose_pair(view_model.query_ids[row], view_model.doc_ids[row])
        run_command(session, "grade_2")
        session.compute_now()
        assert session.view.place == "queries"
        assert grade_of(session, view_model.query_ids[row], view_model.doc_ids[row]) == 2
        held = session.list_judging.worklist_view_model()
        assert held is not None
        assert (held.doc_ids, held.selected) == (view_model.doc_ids, row)
    assert held.judged[:3] == ("2", "2", *([""] if len(view_model.doc_ids) > 2 else []))
    session.history.undo()
    assert session.list_judging.worklist_view_model().judged[0] == ""  # type: ignore[union-attr]
    shown(session, "table")
    shown(session, "worklist")
    anew = session.list_judging.worklist_view_model()
    assert anew is not None
    assert (view_model.query_ids[1], view_model.doc_ids[1]) not in zip(anew.query_ids, anew.doc_ids, strict=True)


def test_a_misleading_document_is_judged_for_the_query_that_enter_opens() -> None:
    pair_of_runs = collection(2, queries=3)
    lists = {q: {f"d{q}": 1.0, "hub": 3.0, **({"other": 2.0} if q != "1" else {})} for q in ("1", "2", "3")}
    runs = [entry.run.from_dict(lists, name=entry.name) for entry in pair_of_runs.runs]
    session = session_with(type(pair_of_runs)("hubs", judgments=pair_of_runs.judgments).with_runs(runs))
    session.navigation.set_place("queries")
    session.judging.set_judging(True)
    shown(session, "hubs")
    view_model = session.list_judging.hubs_view_model()
    assert view_model is not None
    assert (view_model.doc_ids, view_model.first) == (("hub", "other"), ("1", "2"))
    session.navigation.set_query("1")
    session.navigation.set_document("other")
    assert session.list_judging.judging_target == ("2", "other")
    assert not session.list_judging.can_note
    run_command(session, "grade_1")
    assert grade_of(session, "2", "other") == 1
    held = session.list_judging.hubs_view_model()
    assert held is not None
    assert (held.doc_ids, held.judged) == (view_model.doc_ids, ("", "1"))


def test_the_first_queries_of_a_hub_are_in_natural_order() -> None:
    pair_of_runs = collection(2, queries=650)
    runs = [entry.run.from_dict({str(q): {"hub": 1.0} for q in range(1, 651)}, name=entry.name)
            for entry in pair_of_runs.runs]  # fmt: skip
    session = session_with(type(pair_of_runs)("hubs", judgments=pair_of_runs.judgments).with_runs(runs))
    session.navigation.set_place("queries")
    shown(session, "hubs")
    view_model = session.list_judging.hubs_view_model()
    assert view_model is not None
    named = next(column for column in view_model.table.columns if column.kind == "tags").show.texts
    assert named is not None
    assert named[0] == "1, 2, 3 and 647 more"
    assert view_model.first == ("1",)


def test_a_ranking_vector_judges_what_is_listed(session: Session) -> None:
    shown(session, "vector")
    view_model = session.failures.vector_view_model()
    assert view_model is not None
    session.navigation.set_document("nowhere")
    assert not session.list_judging.can_judge
    document = view_model.rows[0].doc_ids[1]
    session.navigation.set_document(document)
    run_command(session, "grade_2")
    assert (session.view.place, grade_of(session, session.view.query_id, document)) == ("queries", 2)
    session.judging.set_blind(True)
    session.navigation.set_place("queries")
    assert not session.list_judging.can_judge  # what blind judging hides is not judged
