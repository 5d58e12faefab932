"""Asking why a number is what it is: whose, of which measure, and that the rows lead to the number shown."""

from __future__ import annotations

from collections.abc import Callable
from queue import Queue
from typing import Any

import numpy as np
import pytest
from patience import deliver

from irviewer.analysis.explain import explain_query
from irviewer.commands import run_command
from irviewer.measures.parser import parse_measure
from irviewer.model.workspace import Regime
from irviewer.session.explaining import actions
from irviewer.session.session import Session
from irviewer.session.view_models.ledgers.ledger import MOST_PARTS, LedgerViewModel
from tests.session.helpers import Announcements, collection, session_with


@pytest.fixture
def session() -> Session:
    """Three runs, forty queries."""
    return session_with(collection(3, queries=40))


def columns_of(view_model: LedgerViewModel) -> dict[str, Any]:
    """The values of a ledger by key."""
    assert view_model.table is not None
    return {column.key: column.values for column in view_model.table.columns}


def test_a_value_is_explained_and_left_again(session: Session) -> None:
    assert session.explaining.ledger_view_model() is None
    heard = Announcements(session)
    session.explaining.explain()
    assert heard.take() == [{"explanation"}]
    view_model = session.explaining.ledger_view_model()
    context = session.view.context
    assert view_model is not None
    assert context is not None
    entry = context.collection.run(session.view.focus)  # type: ignore[arg-type]
    assert entry is not None
    value = context.values(entry, context.measure)[context.query_index[session.view.query_id]]
    assert view_model.title == f"Why is nDCG@10 of {entry.name} {value:.4f}?"
    columns = columns_of(view_model)
    total, ideal = columns["contribution"].sum(), columns["ideal_running"][-1]
    assert total / ideal == pytest.approx(value)
    session.explaining.stop_explaining()
    assert session.explaining.ledger_view_model() is None


def test_the_difference_taken_apart_adds_up(session: Session) -> None:
    session.explaining.explain()
    view_model = session.explaining.ledger_view_model()
    context = session.view.context
    assert view_model is not None
    assert context is not None
    assert view_model.difference is not None
    held = view_model.difference.waterfall
    assert held is not None
    assert held.deltas.sum() == pytest.approx(context.delta[context.query_index[session.view.query_id]])


def test_no_difference_has_no_sign(session: Session) -> None:
    session.evaluation.set_measure("P@5")
    context = session.view.context
    assert context is not None
    finite = {query: float(value) for query, value in zip(context.query_ids, context.delta, strict=True)}
    equal = next(query for query, value in finite.items() if value == 0)
    other = next(query for query, value in finite.items() if value > 0.001)
    session.explaining.explain()
    for query, written in ((equal, "= 0.0000,"), (other, f"= +{finite[other]:.4f},")):
        session.navigation.set_query(query)
        view_model = session.explaining.ledger_view_model()
        assert view_model is not None and view_model.difference is not None
        assert written in view_model.difference.note


def test_any_run_and_measure_can_be_asked_about(session: Session) -> None:
    session.explaining.explain(0, "AP")
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    assert view_model.title.startswith("Why is AP of alpha ")
    assert view_model.difference is None  # the baseline differs from nothing
    session.explaining.explain()
    assert session.explaining.ledger_view_model().title.startswith("Why is nDCG@10 of gamma")  # type: ignore[union-attr]


def test_a_mean_and_its_difference_over_queries(session: Session) -> None:
    session.navigation.set_place("systems")
    session.explaining.explain()
    view_model = session.explaining.mean_view_model()
    context = session.view.context
    assert view_model is not None
    assert context is not None
    entry = context.collection.run(session.view.focus)  # type: ignore[arg-type]
    base = context.collection.run(session.view.baseline)  # type: ignore[arg-type]
    assert entry is not None
    assert base is not None
    mean = context.mean(entry, context.measure)
    columns = columns_of(view_model)
    assert columns["share"].sum() == pytest.approx(mean)  # type: ignore[union-attr]
    assert columns["running"][-1] == pytest.approx(mean)
    assert view_model.difference is not None
    held = view_model.difference.waterfall
    assert held is not None
    assert held.deltas.sum() == pytest.approx(mean - context.mean(base, context.measure))
    assert len(held.keys) <= MOST_PARTS
    assert "" in held.keys  # what is left out of the picture stands as one part


def test_a_mean_of_many_queries_is_explained_in_the_background(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: Queue[Callable[[], None]] = Queue()
    threaded = session_with(collection(3, queries=40), post=posted.put)
    monkeypatch.setattr(actions, "MEAN_COST", 1.0)
    for each in (threaded, session):
        each.navigation.set_place("systems")
        each.explaining.explain()
    waiting = threaded.explaining.mean_view_model()
    assert waiting is not None
    assert (waiting.title, waiting.explanation) == ("Explaining a mean", "Explaining a mean …")
    assert waiting.table is None
    deliver(posted, lambda: not threaded.explaining.mean_view_model().explanation)  # type: ignore[union-attr]
    threaded.close()
    monkeypatch.undo()
    explained, at_once = threaded.explaining.mean_view_model(), session.explaining.mean_view_model()
    assert explained is not None
    assert at_once is not None
    assert (explained.title, explained.documents, explained.rules) == (at_once.title, at_once.documents, at_once.rules)


def test_another_query_is_selected_in_the_rows_and_parts_of_a_mean(session: Session) -> None:
    session.navigation.set_place("systems")
    session.explaining.explain()
    for query in ("3", "17"):
        session.navigation.set_query(query)
        view_model = session.explaining.mean_view_model()
        assert view_model is not None
        assert view_model.documents[view_model.selected] == query
        assert view_model.difference is not None
        held = view_model.difference.waterfall
        assert held is not None
        assert held.selected == (held.keys.index(query) if query in held.keys else -1)


@pytest.mark.parametrize("text", ["gm_map", "NumRelRet"])
def test_what_is_no_plain_mean_is_taken_apart_too(session: Session, text: str) -> None:
    session.navigation.set_place("systems")
    session.explaining.explain(2, text)
    view_model, context = session.explaining.mean_view_model(), session.view.context
    assert view_model is not None
    assert context is not None
    assert view_model.difference is not None
    held = view_model.difference.waterfall
    assert held is not None
    ours, theirs = (context.mean(context.collection.runs[place], parse_measure(text)) for place in (2, 0))
    assert held.deltas.sum() == pytest.approx(ours - theirs)
    columns = columns_of(view_model)
    assert columns["running"][-1] == pytest.approx(ours)
    assert ("by shares of the logarithms" in view_model.difference.note) == (text == "gm_map")
    start = "How Δ is divided among the queries: in proportion to the logarithms"
    said = any(rule.startswith(start) for rule in view_model.rules)
    assert said == (text == "gm_map")


def test_a_mean_of_a_set_is_of_its_queries(session: Session) -> None:
    session.query_sets.make_query_set("few", ["1", "2", "3"], looked=False)
    session.query_sets.set_query_set("few")
    session.navigation.set_place("systems")
    session.explaining.explain()
    view_model = session.explaining.mean_view_model()
    assert view_model is not None
    assert set(view_model.documents) == {"1", "2", "3"}


def test_the_queries_place_leads_to_the_query(session: Session) -> None:
    session.navigation.set_place("queries")
    run_command(session, "explain")
    assert session.view.place == "query"
    assert session.explaining.is_on
    run_command(session, "explain")
    assert not session.explaining.is_on


def test_a_document_is_found_in_its_row(session: Session) -> None:
    session.explaining.explain()
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    session.navigation.set_document(view_model.documents[2])
    assert session.explaining.ledger_view_model().selected == 2  # type: ignore[union-attr]


def test_every_measure_of_the_tables_can_be_explained(session: Session) -> None:
    for text in ("AP", "P@10", "RR", "Rprec", "R@50", "Bpref", "ERR@20", "RBP", "infAP", "NumRet", "SetF"):
        session.explaining.explain(None, text)
        view_model = session.explaining.ledger_view_model()
        assert view_model is not None
        assert not view_model.explanation, text
        assert view_model.measure == str(parse_measure(text))


def test_nothing_open_nothing_explained() -> None:
    session = Session()
    session.explaining.explain()
    assert session.explaining.ledger_view_model() is None
    assert session.explaining.mean_view_model() is None
    alone = session_with(collection(1))
    alone.explaining.explain()
    assert alone.explaining.ledger_view_model().difference is None  # type: ignore[union-attr]
    assert np.isfinite(alone.explaining.ledger_view_model().max_grade)  # type: ignore[union-attr]


def test_complete_judgments_leave_nothing_unjudged_in_words(session: Session) -> None:
    session.explaining.explain()
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    assert any("Such documents gain nothing." in rule for rule in view_model.rules)
    assert any(rule.startswith("The value could be between") for rule in view_model.rules)
    session.evaluation.set_regime(Regime.COMPLETE)
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    assert any("documents are not in the qrels: " in rule for rule in view_model.rules)
    assert not any("could be between" in rule for rule in view_model.rules)
    assert not any("unjudged" in rule for rule in view_model.rules)


def test_a_ledger_says_that_a_judgment_of_ones_own_is_in_it(session: Session) -> None:
    session.explaining.explain()
    query = session.view.query_id
    session.judging.judge(f"x{query}-0", 2.0)
    session.judging.judge(f"e{query}", 2.0)  # as the file says
    view_model, mean = session.explaining.ledger_view_model(), session.explaining.mean_view_model()
    assert view_model is not None
    assert mean is not None
    assert view_model.rules[0] == f"1 judgment made here is used: x{query}-0 is 2 (not in the file)."
    assert view_model.note == f"query {query} · with your judgments"
    assert mean.rules[0] == "1 judgment made here is used, in 1 query."
    session.judging.judge(f"d{query}", None)
    view_model, mean = session.explaining.ledger_view_model(), session.explaining.mean_view_model()
    assert view_model is not None
    assert mean is not None
    assert view_model.rules[0].endswith(f", d{query} is unjudged (1 in the file).")
    assert mean.rules[0] == "2 judgments made here are used, in 1 query."
    session.history.undo()
    session.history.undo()
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    assert view_model.note.endswith("with your judgments")
    session.history.undo()
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    assert view_model.note == f"query {query}"
    assert not any("made here" in rule for rule in view_model.rules)


def test_a_cell_is_explained_followed_and_left_again(session: Session) -> None:
    session.navigation.set_place("systems")
    context = session.view.context
    assert context is not None
    keys = [entry.key for entry in context.collection.runs]
    names = {entry.key: entry.name for entry in context.collection.runs}

    def title() -> str:
        view_model = session.explaining.mean_view_model()
        assert view_model is not None
        return view_model.title

    session.explaining.follow_cell(keys[2], "AP")
    assert not session.explaining.is_on  # pointing alone asks nothing
    session.explaining.explain_cell(keys[2], "AP")
    assert names[keys[2]] in title()
    assert "AP" in title()
    session.explaining.follow_cell(keys[0], "RR")
    assert names[keys[0]] in title()
    assert "RR" in title()
    session.explaining.explain_cell(keys[1], "RR")
    assert session.explaining.is_on  # another one: explained, not left
    session.explaining.explain_cell(keys[1], "RR")
    assert not session.explaining.is_on
    session.navigation.set_place("queries")
    session.explaining.explain_cell(keys[2])
    view_model = session.explaining.ledger_view_model()
    assert session.view.place == "query"
    assert view_model is not None
    assert names[keys[2]] in view_model.title


def test_the_columns_are_those_of_the_command_line(session: Session) -> None:
    session.evaluation.set_measure("nDCG@3")
    session.explaining.explain()
    view_model, context = session.explaining.ledger_view_model(), session.view.context
    assert view_model is not None
    assert view_model.run is not None
    assert context is not None
    entry, judgments = context.collection.run(view_model.run.key), context.judgments
    assert entry is not None
    assert judgments is not None
    ledger = explain_query(entry.run, judgments.qrels, "nDCG@3", session.view.query_id)
    assert list(columns_of(view_model)) == [column.key for column in ledger.columns]
    assert "gain" in columns_of(view_model)
