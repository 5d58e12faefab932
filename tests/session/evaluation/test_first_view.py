"""The hint about the first view names runs as the window does."""

from __future__ import annotations

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from tests.session.helpers import session_with


def test_the_hint_names_runs_as_the_window_does() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}})
    runs = [
        Run.from_dict({"1": ranking}, name=f"2026-11-02_prod_{name}_top100")
        for name, ranking in (("bm25", {"b": 2.0, "a": 1.0}), ("hybrid", {"a": 2.0, "b": 1.0}))
    ]
    session = session_with(Collection("shop", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(runs))
    (message,) = session.view.messages
    assert ": hybrid 1.0000, " in message.text
    assert ", bm25 0.6309." in message.text
    session.close()
