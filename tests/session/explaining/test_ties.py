"""The tie inspector in the session: ranges hold the value, policies are the model's, and who has no ties is told so."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.view_models.ties import POLICIES, TiesTable
from tests.session.helpers import collection, session_with


def ties_of(session) -> TiesTable:  # type: ignore[no-untyped-def]
    tables: list[TiesTable] = []
    session.ties.find_ties(tables.append)
    return tables[0]


def tied() -> Collection:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": 1}, "2": {"a": 1}})
    run = Run.from_dict({"1": {"a": 1.0, "b": 1.0, "c": 1.0}, "2": {"a": 2.0, "z": 1.0}}, name="tied")
    return Collection("t", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs([run])


def test_the_query_and_the_mean_of_every_measure() -> None:
    session = session_with(tied())
    session.navigation.set_query("1")
    table = ties_of(session)
    rows = {(row.measure, row.what): row for row in table.rows}
    row = rows["RR", "query 1"]
    assert (row.lowest, row.highest) == (0.5, 1.0)
    assert row.expected == pytest.approx((1 + 1 + 0.5) / 3)
    assert dict(zip(POLICIES, row.policies, strict=True)) == {
        "descending": 1.0, "ascending": 1.0, "arrival": 1.0, "best": 1.0, "worst": 0.5,
    }  # fmt: skip
    mean = rows["RR", "mean"]
    assert (mean.lowest, mean.highest) == (0.75, 1.0)
    assert mean.expected == pytest.approx((row.expected + 1) / 2)
    assert "1 of 2 queries" in mean.method
    assert table.groups == ("ranks 1–3 share 1: c, b, a",)
    for row in table.rows:
        assert row.lowest - 1e-12 <= row.value <= row.highest + 1e-12


def test_without_ties_nothing_depends_on_them() -> None:
    session = session_with(collection(2))
    table = ties_of(session)
    assert table.groups == ()
    assert table.changing == "No value depends on ties."
    assert all(np.isclose(row.lowest, row.highest) for row in table.rows)


def test_nothing_open_nothing_found() -> None:
    session = session_with(collection(0))
    tables: list[TiesTable] = []
    session.ties.find_ties(tables.append)
    assert tables == []
