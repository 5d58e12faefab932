"""Scores that files of other tools bring: beside ours, as theirs, and computed with by nobody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.tables.exact import records

SAMPLES = [
    {"query_id": "1", "user_input": "why", "retrieved_contexts": ["a"], "response": "Air [1].", "reference": "5",
     "faithfulness": 0.5, "answer relevancy": 1, "verdict": True, "<b>notes</b>": "fine"},
    {"query_id": "2", "user_input": "how", "retrieved_contexts": ["b"], "response": "Bees.", "reference": "7",
     "faithfulness": 1.0, "answer relevancy": None, "verdict": False, "<b>notes</b>": "4"},
    {"query_id": "3", "user_input": "what", "retrieved_contexts": ["c"], "response": "Sea.", "reference": "7",
     "faithfulness": float("nan"), "answer relevancy": 0.2, "verdict": True, "<b>notes</b>": ""},
]  # fmt: skip


def shown(path: Path, folder: Path, **options: Any) -> dict[str, object]:
    nuggets = folder / "n.jsonl"
    nuggets.write_text("".join(
        json.dumps({"qid": record["query_id"], "nuggets": [{"text": "x", "importance": "vital"}]}) + "\n"
        for record in SAMPLES
    ))  # fmt: skip
    result = irviewer.answers("scores", nuggets, path, measures=["Length"], **options)
    row: dict[str, object] = records(result["scores"])[0]
    return row


def test_means_are_over_the_topics_of_the_protocol(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in SAMPLES))
    row = shown(path, tmp_path, queries=["2", "3"])
    assert (row["faithfulness (Ragas)"], row["answer relevancy (Ragas)"]) == (1.0, 0.2)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_scores_of_ragas_are_columns(tmp_path: Path, ending: str) -> None:
    """The mean over the samples that have a number; texts, truth values and what the sample is are no scores."""
    path = tmp_path / f"samples.{ending}"
    if ending == "jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in SAMPLES))
    else:
        pandas = pytest.importorskip("pandas")
        pandas.DataFrame(SAMPLES).to_csv(path)
    row = shown(path, tmp_path)
    assert row["faithfulness (Ragas)"] == pytest.approx(0.75)
    assert row["answer relevancy (Ragas)"] == pytest.approx(0.6)
    assert [name for name in row if name.endswith("(Ragas)")] == ["faithfulness (Ragas)", "answer relevancy (Ragas)"]
