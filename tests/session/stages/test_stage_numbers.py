"""Why a bar of Stages has its value: the rows of its ledger, counted and computed by plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.evaluation.evaluate import evaluate
from irviewer.session.session import Session
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.session.view_models.stages import StagesViewModel
from tests.session import number_ledgers
from tests.session.helpers import session_with
from tests.session.number_ledgers import column
from tests.session.staged import QUERIES, staged, staged_lists


@pytest.fixture
def session() -> Session:
    new_session = session_with(staged())
    new_session.evaluation.set_measure("nDCG@10")
    new_session.navigation.set_place("query")
    new_session.navigation.set_tab("query", "stages")
    keys = {label.name: label.key for label in new_session.view.labels()}
    new_session.runs.set_baseline(keys["first"])
    new_session.runs.set_focus(keys["second"])
    new_session.compute_now()
    return new_session


def shown(session: Session) -> StagesViewModel:
    view_model = session.stages.stages_view_model()
    assert view_model is not None
    return view_model


def explained(session: Session, key: str) -> LedgerViewModel:
    ledger = number_ledgers.explained(session, key)
    assert set(ledger.documents) == set(QUERIES)
    return ledger


def test_a_bar_counts_relevant_documents_by_query_and_grade(session: Session) -> None:
    grades, first, second, third, _ = staged_lists()
    kept_by_stage = {
        0: lambda query, document: True,
        1: lambda query, document: document in first[query],
        2: lambda query, document: document in second[query],
        3: lambda query, document: document in third[query],
        4: lambda query, document: document in third[query][:10],
    }
    steps = shown(session).steps
    assert len(steps) == len(kept_by_stage)
    before: dict[str, int] = {}
    for number, kept in kept_by_stage.items():
        ledger = explained(session, f"bar:{number}")
        counts = {
            query: [sum(grade == wanted and kept(query, document) for document, grade in grades[query].items())
                    for wanted in (1, 2)]
            for query in QUERIES
        }  # fmt: skip
        for place, key in enumerate(("grade0", "grade1")):
            assert column(ledger, key).tolist() == [counts[query][place] for query in ledger.documents]
        totals = [sum(counts[query][place] for query in QUERIES) for place in (0, 1)]
        assert ledger.worked == f"{totals[0]} + {totals[1]} = {steps[number].relevant}"
        if number:
            room = {query: min(10, count) for query, count in before.items()} if number == 4 else before
            lost = [room[query] - sum(counts[query]) for query in ledger.documents]
            assert column(ledger, "lost").tolist() == lost == sorted(lost, reverse=True)
            assert sum(lost) == steps[number].lost
        before = {query: sum(counts[query]) for query in QUERIES}


def test_the_ceiling_is_the_ideal_dcg_of_the_candidates(session: Session) -> None:
    grades, _, _, third, _ = staged_lists()
    ceiling = shown(session).ceiling
    assert len(ceiling) == 5  # three stages, the candidates in ideal order, all judged documents
    ledger = explained(session, "ceiling:3")

    def dcg(gains: list[int]) -> float:
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(sorted(gains, reverse=True)[:10], start=1))

    reached = [dcg([grades[query].get(document, 0) for document in third[query]]) for query in ledger.documents]
    ideal = [dcg(list(grades[query].values())) for query in ledger.documents]
    np.testing.assert_allclose(column(ledger, "dcg"), reached)
    np.testing.assert_allclose(column(ledger, "ideal"), ideal)
    shares = [top / best for top, best in zip(reached, ideal, strict=True)]
    np.testing.assert_allclose(column(ledger, "value"), shares)
    assert ledger.worked == f"{sum(shares):.4f} ÷ 12 = {ceiling[3].value:.4f}"


@pytest.mark.parametrize("measure", ["nDCG@10", "nDCG(dcg='exp-log2')@10", "AP", "gm_map"])
def test_every_order_is_a_mean_of_queries(session: Session, measure: str) -> None:
    session.evaluation.set_measure(measure)
    session.compute_now()
    view_model = shown(session)
    context = session.view.context
    assert context is not None
    assert context.judgments is not None
    for place, bar in enumerate(view_model.ceiling):
        ledger = explained(session, f"ceiling:{place}")
        values = column(ledger, "value")
        mean = values.mean() if measure != "gm_map" else math.exp(np.log(np.maximum(values, 1e-5)).mean())
        assert mean == pytest.approx(bar.value)
        assert ledger.worked.endswith(f"= {bar.value:.4f}")
        assert f"{bar.value:.4f}?" in ledger.title
        if bar.run is not None:
            entry = context.collection.run(bar.run.key)
            assert entry is not None
            by_query = evaluate(context.judgments.qrels, entry.run, [measure]).by_query(measure)
            np.testing.assert_allclose(values, [by_query[query] for query in ledger.documents])
        if any(column.key == "dcg" for column in ledger.table.columns):
            np.testing.assert_allclose(values, column(ledger, "dcg") / column(ledger, "ideal"))
            assert measure.startswith("nDCG")


def test_the_bar_that_filters_comes_first(session: Session) -> None:
    assert session.numbers.numbers()[0].key == "bar:0"
    session.stages.set_filter("lost-4")
    assert session.numbers.numbers()[0].key == "bar:4"
    session.navigation.set_tab("query", "rankings")
    assert not session.numbers.is_here
