"""Judging tasks as files: written, read back, read as qrels, and refused with the line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError
from irviewer.formats.judging_task import COLUMNS, read_task, task_text
from irviewer.formats.load import load
from irviewer.model.judgments.judging_task import JudgingTask, TaskRow
from irviewer.model.qrels import Qrels

TASK = JudgingTask(
    "pair",
    (TaskRow("1", "a", 2.0, "high", 0.25), TaskRow("1", "b", None, "high", 0.25), TaskRow("2", "a", 0.5, "", 1.0)),
)


@pytest.mark.parametrize("lines", [False, True])
def test_written_and_read(lines: bool, tmp_path: Path) -> None:
    path = tmp_path / "task"
    path.write_text(task_text(TASK, lines=lines), "utf-8")
    assert read_task(path) == TASK
    assert TASK.qrels().judgments("1") == {"a": 2.0}


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1),
            st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1),
            st.none() | st.floats(-2, 9),
            st.text(st.characters(exclude_categories=("Cs", "Cc", "Z"))),
            st.floats(1e-9, 1),
        ),
        min_size=1,
        unique_by=lambda row: row[:2],
    ),
    st.booleans(),
)
def test_anything_survives(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple], lines: bool) -> None:  # type: ignore[type-arg]
    path = tmp_path_factory.mktemp("task") / "task"
    task = JudgingTask("pair", tuple(TaskRow(*row) for row in rows))
    path.write_text(task_text(task, lines=lines), "utf-8")
    assert read_task(path) == task


def test_a_table_with_probabilities_that_is_no_task_is_judgments(tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text("query,doc,relevance,inclusion_probability,unit\nq1,d1,1,0.5,query\nq1,d2,0,0.5,query\n")
    loaded = load(path, kind="qrels", judges=True)
    assert isinstance(loaded.value, Qrels)
    assert loaded.value.judgments("q1") == {"d1": 1, "d2": 0}
    assert all(judge.task is None for judge in loaded.judges)


def test_a_filled_task_is_qrels_for_every_command(tmp_path: Path) -> None:
    path = tmp_path / "task.tsv"
    filled = replace(TASK, rows=tuple(replace(row, grade=row.grade or 1.0) for row in TASK.rows))
    path.write_text(task_text(filled), "utf-8")
    assert load(path, kind="qrels").value.judgments("1") == {"a": 2, "b": 1}  # type: ignore[union-attr]


HEAD = "\t".join(COLUMNS)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 0, "holds no task"),
        (f"{HEAD}\n", 0, "holds no task"),
        (f"{HEAD}\n1\ta\t1\t\t0\tpair\n", 2, "inclusion probability is not above 0"),
        (f"{HEAD}\n1\ta\t1\t\t1.5\tpair\n", 2, "inclusion probability is not above 0"),
        (f"{HEAD}\n1\ta\t1\t\tnan\tpair\n", 2, "inclusion probability is not above 0"),
        (f"{HEAD}\n1\ta\t1\t\t1\tpair\n1\tb\tgood\t\t1\tpair\n", 3, "the grade is not a number"),
        (f"{HEAD}\n1\ta\t1\t\t1\tpair\n1\ta\t1\t\t1\tpair\n", 3, "is already in line 2"),
        (f"{HEAD}\n1\ta\t1\t\t1\tpair\n1\tb\t1\t\t1\tquery\n", 3, "the unit is 'query'"),
        (f"{HEAD}\n1\ta\t1\t\t1\tdocument\n", 2, "the unit is 'document'"),
        (f"{HEAD}\n\ta\t1\t\t1\tpair\n", 2, "an empty query"),
        (f"{HEAD}\n1\ta\t1\tx\t1\tquery\n1\tb\t1\tx\t.5\tquery\n", 3, "several strata or inclusion probabilities"),
        ("query\tdoc\tgrade\n1\ta\t1\n", 2, "the column inclusion_probability is missing"),
        ('{"query": "1"}\n', 1, "the column doc is missing"),
        ("{\n", 1, "not a JSON object"),
    ],
)
def test_what_is_refused(text: str, line: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "task"
    path.write_text(text)
    with pytest.raises(ParseError, match=said) as caught:
        read_task(path)
    assert caught.value.line == line


def test_numbers_of_json_stay(tmp_path: Path) -> None:
    path = tmp_path / "task.jsonl"
    record = dict(zip(COLUMNS, ("7", "a", 3, None, 0.5, "query"), strict=True))
    path.write_text(json.dumps(record) + "\n")
    assert read_task(path).rows == (TaskRow("7", "a", 3.0, "", 0.5),)
