"""JSON lines of rows read part by part: the same as line by line, and the careful reader for what is irregular."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.format import Loaded
from irviewer.formats.json import jsonl_rows
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.reading.sizes import SIZES
from irviewer.model.run import Run


def lines(count: int) -> str:
    rng = random.Random(3)
    rows = [
        {"qid": n // 10, "docno": f"dé{n % 10}", "score": rng.choice((1, 2.5, 1e-7)) * (n % 7), "bm25": n, "tag": "t"}
        for n in range(count)
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def seen(loaded: Loaded) -> object:
    run = loaded.value
    assert isinstance(run, Run)
    parts = {name: values.tolist() for name, values in run.components.items()}
    return run.query_ids, run.doc_ids.to_pylist(), run.scores.tolist(), run.tag, parts, loaded.report.lines()


def test_in_parts_as_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(lines(500))
    with monkeypatch.context() as patch:
        patch.setattr(jsonl_rows, "_parsed", None)  # nothing is left to the careful reader
        in_parts = seen(load_opened(open_bytes(path, replace(SIZES, objects=700, large=1))))
    monkeypatch.setattr(jsonl_rows, "stream_rows", lambda *_: None)
    assert seen(load(path, cached="no")) == in_parts


@pytest.mark.parametrize(
    "line",
    ['{"qid": 7, "docno": "z"}', '{"qid": "7", "docno": "z", "score": 1, "bm25": 1, "tag": "t"}', "",
     '{"qid": 7, "docno": "\\u00e9", "score": 1, "bm25": 2, "tag": "t"}'],
)  # fmt: skip
def test_what_is_irregular_is_read_with_care(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(lines(20) + line + "\n")

    def outcome() -> object:
        try:
            return seen(load(path, cached="no"))
        except ParseError as error:
            return str(error)

    in_parts = outcome()
    monkeypatch.setattr(jsonl_rows, "stream_rows", lambda *_: None)
    assert outcome() == in_parts
