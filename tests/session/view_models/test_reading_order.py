"""The rows of a ledger as they are read: of many ranks those first that matter."""

from __future__ import annotations

import numpy as np

from irviewer.measures.parser import parse_measure
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.view_models.ledgers.ledger import IN_SIGHT, LedgerViewModel, build_ledger_view_model
from tests.session.helpers import session_with


def ledger(measure: str, depth: int, relevant: tuple[int, ...]) -> LedgerViewModel:
    """A list with relevant documents at some ranks (from 1)."""
    qrels = Qrels.from_dict({"1": {f"d{rank}": 2.0 for rank in relevant} | {"e": 0.0}})
    run = Run.from_dict({"1": {f"d{rank}": -float(rank) for rank in range(1, depth + 1)}}, name="one")
    session = session_with(Collection("c", judgments=(JudgmentSet(qrels, Regime.COMPLETE),)).with_runs([run]))
    context = session.view.context
    assert context is not None
    return build_ledger_view_model(context, "1", None, parse_measure(measure), context.collection.runs[0].key)


def ranks(view_model: LedgerViewModel) -> list[int]:
    assert view_model.table is not None
    cells = view_model.table.column("rank").numbers[""]
    return [int(cells[row]) for row in view_model.reading_order if np.isfinite(cells[row])]


def test_of_many_ranks_those_that_add_something_come_first() -> None:
    view_model = ledger("AP", 60, (7, 31, 50))
    rest = [rank for rank in range(1, 61) if rank not in (7, 31, 50)]
    assert ranks(view_model) == [7, 31, 50, *rest]
    assert sorted(view_model.reading_order) == list(range(len(view_model.documents)))


def test_ranks_at_which_the_ideal_ranking_gains_matter_too() -> None:
    assert ranks(ledger("nDCG", 40, (7, 31)))[:5] == [1, 2, 7, 31, 3]


def test_few_ranks_stay_in_their_order() -> None:
    assert ranks(ledger("nDCG@10", 60, (7, 31))) == list(range(1, 11))
    assert ranks(ledger("AP", IN_SIGHT, (7, 9))) == list(range(1, IN_SIGHT + 1))
