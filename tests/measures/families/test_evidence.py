"""Recall within a budget: lengths from a mapping, a column, words; condensed lists; what is not known."""

from __future__ import annotations

import json
from pathlib import Path

import brute
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.cli import main
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

lengths = st.fixed_dictionaries({document: st.integers(0, 9).map(float) for document in some.DOCUMENTS})


@given(some.qrels(some.whole_grades), some.runs(), lengths, st.integers(1, 40), st.booleans(), st.sampled_from((1, 2)))
def test_filled_from_the_top(
    qrels: dict[str, dict[str, float]],
    run: dict[str, dict[str, float]],
    tokens: dict[str, float],
    budget: int,
    judged_only: bool,
    level: int,
) -> None:
    """A context that takes document after document; what does not fit whole ends it."""
    options = EvaluationOptions(level, judged_only, lengths=Lengths(tokens))
    texts = [f"BudgetRecall(budget={budget})", f"AllInBudget(budget={budget})"]
    result = evaluate(Qrels.from_dict(qrels), Run.from_dict(run), texts, options)
    for query, judgments in qrels.items():
        left, hits = float(budget), 0
        wanted = sum(1 for grade in judgments.values() if grade >= level)
        for document in brute.ranked(run.get(query, {})):
            if judged_only and judgments.get(document, -1) < 0:
                continue
            left -= tokens[document]
            if left < 0:
                break
            hits += judgments.get(document, -1) >= level
        recall = hits / wanted if wanted else 0.0
        assert result.by_query(texts[0])[query] == pytest.approx(recall)
        assert result.by_query(texts[1])[query] == (recall == 1)


QRELS = Qrels.from_dict({"1": {"a": 1, "b": 1, "c": 0}})
RUN = Run.from_dict({"1": {"a": 3.0, "c": 2.0, "b": 1.0}})


def value(source: Lengths | None, budget: float) -> float:
    return (
        evaluate(QRELS, RUN, [f"BudgetRecall(budget={budget})"], EvaluationOptions(lengths=source)).means[0, 0].item()
    )


def test_words_or_a_column() -> None:
    words = TextTable.from_rows([{"id": "a", "text": "one two"}, {"id": "b", "text": "three"}, {"id": "c", "text": ""}])
    assert Lengths(words).unit == "words"
    assert [value(Lengths(words), budget) for budget in (1, 2, 3)] == [0, 0.5, 1]
    column = TextTable.from_rows([{"id": doc_id, "text": "x", "tokens": 100} for doc_id in "abc"])
    assert Lengths(column).unit == "tokens"
    assert [value(Lengths(column), budget) for budget in (99, 100, 299, 300)] == [0, 0.5, 0.5, 1]


def test_an_unknown_document_counts_as_the_mean_of_the_others() -> None:
    assert [value(Lengths({"a": 2.0, "b": 4.0}), budget) for budget in (8, 9)] == [0.5, 1]  # c counts as 3


def test_without_lengths_it_says_what_is_missing() -> None:
    with pytest.raises(MeasureError, match="needs the lengths of documents"):
        value(None, 10)
    with pytest.raises(MeasureError, match="the lengths of all documents returned are unknown"):
        value(Lengths({"z": 1.0}), 10)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q.txt").write_text("1 0 a 1\n1 0 b 1\n")
    (tmp_path / "r.txt").write_text("1 Q0 a 1 3 t\n1 Q0 c 2 2 t\n1 Q0 b 3 1 t\n")
    documents = tmp_path / "documents.jsonl"
    documents.write_text("".join(json.dumps({"id": doc_id, "text": "w " * 5}) + "\n" for doc_id in "abc"))
    asked = ["evaluate", str(tmp_path / "q.txt"), str(tmp_path / "r.txt"), "-m", "BudgetRecall(budget=10) AllFound@3"]
    assert main.main([*asked, "--documents", str(documents), "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split(",")[-2:] == ["0.5", "1"]
    assert main.main(asked) == 2
    assert "open a file of the documents (--documents FILE)" in capsys.readouterr().err
