"""A pinned document stays while others are selected, and Escape lets go of one after the other; tied ranks in words."""

from __future__ import annotations

from dataclasses import replace

from irviewer.commands import run_command
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from tests.session.helpers import collection, session_with


def test_the_next_selected_is_beside_the_pinned() -> None:
    session = session_with(collection())
    session.navigation.set_query("2")
    assert session.documents.pinned_card() is None
    session.navigation.set_document("d2")
    session.documents.switch_pin()
    context = session.view.context
    assert (session.documents.pinned_document, session.documents.beside) == ("d2", False)
    session.navigation.set_document("e2")
    assert session.view.context is context  # nothing is evaluated because a document is pinned
    pinned, card = session.documents.pinned_card(), session.view_models.document_card()
    assert pinned is not None
    assert card is not None
    assert session.documents.beside
    assert (pinned.doc_id, pinned.grade, card.doc_id, card.grade) == ("d2", 1.0, "e2", 2.0)
    by_hand = [entry.run.ranking("2").index("d2") + 1 for entry in context.shown_runs]  # type: ignore[union-attr]
    assert [rank for _, rank in pinned.ranks] == by_hand


def test_escape_lets_go_of_the_selected_then_of_the_pinned() -> None:
    session = session_with(collection())
    session.navigation.set_query("2")
    assert not session.documents.leave_document()
    session.navigation.set_document("d2")
    session.documents.switch_pin()
    session.navigation.set_document("e2")
    assert session.documents.leave_document()
    assert (session.view.document_id, session.documents.pinned_document) == (None, "d2")
    assert session.documents.leave_document()
    assert (session.view.document_id, session.documents.pinned_document) == (None, None)
    session.navigation.set_document("d2")
    session.documents.switch_pin()
    assert session.documents.leave_document()  # both are the same: one panel, one key
    assert (session.view.document_id, session.documents.pinned_document) == (None, None)
    session.navigation.set_document("d2")
    session.documents.switch_pin()
    session.documents.switch_pin()
    assert (session.view.document_id, session.documents.pinned_document) == ("d2", None)


def test_a_pin_is_its_query_s() -> None:
    session = session_with(collection())
    session.navigation.set_query("2")
    session.navigation.set_document("d2")
    session.documents.switch_pin()
    session.navigation.set_query("3")
    assert session.documents.pinned_document is None
    session.navigation.set_query("2")
    assert session.documents.pinned_document == "d2"


def test_pinning_is_announced_as_what_documents_depend_on() -> None:
    session = session_with(collection())
    session.navigation.set_query("2")
    session.navigation.set_document("d2")
    heard: list[frozenset[str]] = []
    session.changed.connect(heard.append)
    session.documents.switch_pin()
    assert heard == [frozenset({"document"})]


def test_the_key_pins_in_the_query_place_only() -> None:
    session = session_with(collection())
    session.navigation.set_query("2")
    session.navigation.set_document("d2")
    session.navigation.set_place("systems")
    assert not run_command(session, "pin_document")
    session.navigation.set_place("query")
    assert run_command(session, "pin_document")
    assert session.documents.pinned_document == "d2"


def test_tied_ranks_in_the_view_model_and_in_words() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}})
    run = Run.from_dict({"1": {"a": 4.0, "b": 2.5, "c": 2.5, "d": 1.0}}, name="tied")
    plain = Run.from_dict({"1": {"a": 4.0, "b": 2.5}}, name="plain")
    tied_collection = Collection("t", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs([run, plain])
    session = session_with(tied_collection)
    session.navigation.set_query("1")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    columns = {column.run.name: column for column in view_model.columns}
    assert columns["tied"].tied.tolist() == [[2, 3]]
    assert columns["plain"].tied.tolist() == []
    keys = {entry.name: entry.key for entry in tied_collection.runs}
    assert session.documents.tie_words(keys["tied"], 1) == ""
    assert session.documents.tie_words(keys["tied"], 3) == (
        "tied: ranks 2–3 share the score 2.5, by document id, descending as bytes (trec_eval's rule)"
    )
    assert session.documents.tie_words(keys["plain"], 1) == ""


def _with_texts() -> Collection:
    qrels = Qrels.from_dict({"1": {"a": 2, "b": 0, "c": 1}})
    focus = Run.from_dict({"1": {"b": 5.0, "d": 4.0, "e": 3.0, "a": 1.0}}, name="focus")
    base = Run.from_dict({"1": {"a": 5.0, "b": 4.0}}, name="base")
    tied_collection = Collection("t", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs([base, focus])
    queries = TextTable.from_rows([{"id": "1", "text": "flutter of heated panels"}], name="queries")
    documents = TextTable.from_rows(
        [
            {"id": "a", "title": "panel theory", "text": "A panel and panels."},
            {"id": "b", "title": "heat", "text": "heating, fluttering wings"},
            {"id": "d", "title": "on flutter", "text": "nothing else"},
        ],
        name="documents",
    )
    return replace(tied_collection, queries=queries, documents=documents)


def test_documents_above_a_document_with_ranks_elsewhere_and_terms() -> None:
    session = session_with(_with_texts())
    session.navigation.set_query("1")
    assert session.documents.why_not_view_model() is None  # no document is selected
    session.evaluation.set_cutoff(2)
    session.navigation.set_document("a")
    session.runs.set_focus(next(label.key for label in session.view.labels() if label.name == "focus"))
    view_model = session.documents.why_not_view_model()
    assert view_model is not None
    assert view_model.run.name == "focus"
    assert [(row.rank, row.doc_id, row.terms) for row in view_model.rows] == [
        (1, "b", ("flutter", "heated")), (2, "d", ("flutter",)), (4, "a", ("panels",)),
    ]  # fmt: skip
    assert [(label.name, rank) for label, rank in view_model.others] == [("base", 1)]
    # "panel theory" + "A panel and panels.": three words of that stem
    assert [term.text for term in view_model.terms] == [
        "flutter 0× (2 of 2 above)", "heated 0× (1 of 2 above)", "panels 3× (0 of 2 above)",
    ]  # fmt: skip
    assert view_model.sentences == (
        "a (grade 2) is at rank 4 of focus, 2 ranks below the top 2.",
        "2 documents above it in the top 2: 1 non-relevant, 1 unjudged; 1 of lower grade.",
        "Its score 1 is 3 below that of rank 2 (4).",
        "Missing terms: “flutter” (in 2 of 2 above), “heated” (in 1 of 2 above).",
        "Terms that most documents above lack: “panels” (in 0 of 2 above).",
    )


def test_without_its_text_nothing_is_said_of_terms() -> None:
    session = session_with(_with_texts())
    session.navigation.set_query("1")
    session.navigation.set_document("c")
    view_model = session.documents.why_not_view_model()
    assert view_model is not None
    assert view_model.terms == ()
    assert view_model.rows[-1].terms is None
    assert view_model.rows[-1].rank == 0


def test_judging_blind_nothing_is_shown_of_runs() -> None:
    session = session_with(_with_texts())
    session.navigation.set_query("1")
    session.navigation.set_document("a")
    assert run_command(session, "why_not")
    session.judging.set_blind(True)
    assert not run_command(session, "why_not")
    assert not run_command(session, "pin_document")
