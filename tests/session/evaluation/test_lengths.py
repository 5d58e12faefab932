"""Recall at a budget of tokens in the window: the lengths are those of the collection's documents."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.load import load
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import EvaluationOptions
from irviewer.session.session import Session

TEXTS = {"a": "one two three", "b": "one " * 30, "c": "one", "d": "one two", "e": "one " * 9}
BUDGETS = (3, 4, 13, 34, 45)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "some.qrels").write_text("1 0 a 1\n1 0 c 2\n1 0 e 1\n2 0 b 1\n2 0 d 1\n2 0 x 0\n")
    (tmp_path / "one.run").write_text(
        "1 Q0 a 1 5 t\n1 Q0 d 2 4 t\n1 Q0 c 3 3 t\n1 Q0 b 4 2 t\n1 Q0 e 5 1 t\n2 Q0 d 1 2 t\n2 Q0 b 2 1 t\n"
    )
    lines = [json.dumps({"_id": doc_id, "title": "", "text": text}) for doc_id, text in TEXTS.items()]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize("judged_only", [False, True])
def test_the_windows_value_is_evaluates(folder: Path, judged_only: bool) -> None:
    session = Session()
    session.files.open_files([str(path) for path in sorted(folder.iterdir())])
    session.protocol.set(judged_only=judged_only)
    qrels, run = load(folder / "some.qrels").value, load(folder / "one.run").value
    lengths = Lengths({doc_id: float(len(text.split())) for doc_id, text in TEXTS.items()})
    options = EvaluationOptions(judged_only=judged_only, lengths=lengths)
    seen = set()
    for budget in BUDGETS:
        for text in (f"BudgetRecall(budget={budget})", f"(BudgetRecall(budget={budget}) + P@5) / 2"):
            assert session.evaluation.set_measure(text), session.view.messages
            result = evaluate(qrels, run, [text], options)  # type: ignore[arg-type]
            view_model, context = session.view_models.systems_view_model(), session.view.context
            assert view_model is not None
            assert context is not None
            chosen = next(place for place, table_column in enumerate(view_model.columns) if table_column.chosen)
            assert view_model.means[0, chosen] == pytest.approx(float(result.means[0, 0]))
            assert context.shown_values()[:, 0].tolist() == pytest.approx(result.values[0, 0].tolist())
            seen.add(round(float(result.means[0, 0]), 6))
    assert len(seen) > 4


def test_without_documents_the_measure_is_refused_in_words(folder: Path) -> None:
    (folder / "corpus.jsonl").unlink()
    session = Session()
    session.files.open_files([str(path) for path in sorted(folder.iterdir())])
    assert not session.evaluation.set_measure("BudgetRecall")
    assert "needs document lengths. Open a file of the documents" in session.view.messages[-1].text
    assert str(session.view.measure) == "nDCG@10"


def test_a_collection_without_documents_has_no_value(folder: Path, tmp_path: Path) -> None:
    session = Session()
    session.files.open_files([str(path) for path in sorted(folder.iterdir())])
    assert session.evaluation.set_measure("BudgetRecall(budget=4)")
    other = tmp_path / "other"
    other.mkdir()
    (other / "o.qrels").write_text("q7 0 z 1\nq8 0 z 1\n")
    (other / "o.run").write_text("q7 Q0 z 1 1 t\nq8 Q0 z 1 1 t\n")
    session.files.open_files([str(other / "o.qrels"), str(other / "o.run")])
    assert len(session.view.workspace.collections) == 2
    context = session.view.context
    assert context is not None
    assert context.collection.documents is None
    assert math.isnan(context.mean(context.collection.runs[0], session.view.measure))
    for place in ("systems", "queries", "query"):
        session.navigation.set_place(place)
        assert all(
            shown is not None
            for shown in (
                session.view_models.systems_view_model(),
                session.view_models.queries_view_model(),
                session.view_models.query_view_model(),
            )
        )
        assert session.dialects.dialect_note is None or session.dialects.dialect_note.text


def test_a_budget_without_documents_is_said_in_the_status_line(folder: Path) -> None:
    session = Session()
    session.files.open_files([str(folder / "some.qrels"), str(folder / "one.run"), str(folder / "corpus.jsonl")])
    session.evaluation.set_measure("BudgetRecall(budget=4)")
    expected = "BudgetRecall(budget=4) has no values: it needs document lengths, and no documents are open"
    assert expected not in session.view.caveats
    session.files.close_collection()
    session.files.open_files([str(folder / "some.qrels"), str(folder / "one.run")])
    assert expected in session.view.caveats
