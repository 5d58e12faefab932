"""Records of retrieval-augmented generation, several runs in one JSON object, and MTEB's predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.load import load
from irviewer.model.run import Run

DATA = Path(__file__).parents[2] / "data" / "formats"


def rankings(path: Path, **choices: Any) -> dict[str, list[str]]:
    run = load(path, **choices).value
    assert isinstance(run, Run)
    return {query: run.ranking(query) for query in run.query_ids}


def test_rag_records() -> None:
    assert rankings(DATA / "rag_records.jsonl") == {"1": ["a", "b", "c"], "2": ["b"]}
    assert load(DATA / "rag_records.jsonl").report.format == "RAG records"


@pytest.mark.parametrize(
    "records",
    [
        [{"question_id": 1, "retrieved_ids": [10, 20]}],
        [{"id": "1", "answer": "x", "retrieved_contexts": [{"id": "10", "text": "t"}, {"id": "20"}]}],
        [{"query_id": "1", "retrieved": [{"doc_id": "20", "score": 1.5}, {"doc_id": "10", "score": 2.5}]}],
        [{"qid": "1", "retrieved_ids": ["20", "10"], "retrieved_scores": [0.1, 0.9]}],
    ],
)
@pytest.mark.parametrize("shape", ["lines", "array"])
def test_shapes_of_records(records: list[dict[str, Any]], shape: str, tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    path.write_text(
        json.dumps(records) if shape == "array" else "".join(f"{json.dumps(record)}\n" for record in records)
    )
    assert rankings(path) == {"1": ["10", "20"]}


def test_runs_by_name() -> None:
    path = DATA / "named_runs.json"
    assert rankings(path) == {"1": ["a", "b"]}
    assert rankings(path, part="dense") == {"1": ["b"], "2": ["a"]}
    assert any("2 runs in one file (bm25, dense): read bm25" in warning for warning in load(path).report.warnings)
    with pytest.raises(ParseError, match="--part takes one of bm25, dense"):
        load(path, part="nix")
    # pytrec_eval's shape is one level less deep, and stays what it was.
    assert irviewer.check(path).report.kind == "run"


def test_mteb_predictions() -> None:
    assert rankings(DATA / "mteb_predictions.json") == {"1": ["a", "b"], "2": ["c"]}
    assert rankings(DATA.parent / "mapped" / "mteb_predictions.json") == {"1": ["a", "b"], "2": ["c"]}


@pytest.mark.parametrize(
    "text",
    [
        '{"question_id": "1", "retrieved_ids": ["a"]}\n{"question_id": "2"}\n',
        '{"question_id": "1", "retrieved_ids": ["a"]}\n{"question_id": "2", "retrieved_ids": [[]]}\n',
        '{"question_id": "1", "retrieved_ids": ["a"]}\nnot json\n',
        '{"question_id": "1", "retrieved_ids": ["a", "a"]}\n',
        '{"a": {"1": {"d": 1.5}}, "b": 3}',
        '{"a": {"1": {"d": 1.5}, "2": 4}}',
        '{"a": {"1": {"d": 1.5, "e": "high"}}}',
        '{"mteb_model_metadata": {}, "default": 3}',
        '{"mteb_model_metadata": {}}',
    ],
)
def test_faults_are_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text)
    part = "b" if '"b": 3' in text else None
    with pytest.raises(IrviewerError) as caught:
        load(path, part=part)
    assert "\n" not in str(caught.value)


def test_the_predictions_that_mteb_writes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "Touche2020_predictions.json"
    meta = '{"model_name": "x", "revision": "1"}'
    path.write_text(f'{{\n  "mteb_model_meta": {meta},\n  "default": {{"test": {{"1": {{"a": 0.9, "b": 0.5}}}}}}\n}}')
    assert rankings(path) == {"1": ["a", "b"]}


def test_a_header_without_known_names_is_answered_with_the_option_that_names_them(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("question_id,chunk_id,sim\nq1,d1,0.5\n")
    with pytest.raises(ParseError, match="--columns query=NAME,doc=NAME"):
        irviewer.read_run(path)
