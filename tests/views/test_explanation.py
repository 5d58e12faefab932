"""Explanations at every door: the command and Python write the same bytes, exact where a program reads them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import irviewer
from tests.helpers.doors import assert_same_files, collection_files

QRELS = {"1": {"a": 3.0, "b": 0.0, "c": 1.0}, "2": {"x": 1.0, "y": 2.0}}
RUNS = {
    "run": {"1": {"b": 9.0, "a": 9.0, "c": 7.0}, "2": {"y": 3.0, "z": 2.0, "x": 1.0}},
    "move": {"1": {"a": 9.0, "c": 8.0, "q": 7.0}, "2": {"x": 3.0}},
}
"""Two runs of which one has ties, and the name of a column the other."""


@pytest.mark.parametrize("measure", ["nDCG@2", "AP", "gm_map", "AP - RR"])
@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["-q", "1"], {"query": "1"}),
        ([], {}),
        (["-q", "1", "--against", "move"], {"query": "1", "against": "move"}),
        (["--against", "move"], {"against": "move"}),
        (["-q", "1", "--ties"], {"query": "1", "ties": True}),
        (["--ties"], {"ties": True}),
        (["-q", "2", "-l", "2"], {"query": "2", "level": 2}),
    ],
)
def test_command_and_python_write_the_same_files(
    measure: str, words: list[str], options: dict[str, Any], tmp_path: Path
) -> None:
    qrels, run, other = collection_files(tmp_path, QRELS, RUNS)
    given = {name: other if value == "move" else value for name, value in options.items()}
    try:
        mine = irviewer.explain(qrels, run, measure, given.pop("query", None), **given)
    except irviewer.IrviewerError:
        return
    asked = [other if word == "move" else word for word in words]
    written = assert_same_files(tmp_path, ["explain", qrels, run, "-m", measure, *asked], mine)
    known = {"measure": mine.measure.text, "run": "run", **{name: options.get(name) for name in ("query", "against")}}
    named = {name: value for name, value in known.items() if value is not None}
    assert json.loads(written["json"])["parameters"] == named, "of which query and run it is"
    rows = list(csv.DictReader(io.StringIO(written["csv"].decode())))
    table = mine.to_arrow()
    for name in table.column_names:
        for cell, value in zip((row[name] for row in rows), table[name].to_pylist(), strict=True):
            assert (float(cell) == value) if isinstance(value, float | int) else (cell or None) == value
    assert len(rows) == table.num_rows
