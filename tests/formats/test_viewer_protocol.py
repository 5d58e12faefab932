"""Messages between Python and its window: what arrives is what was sent, and nothing is pickled."""

from __future__ import annotations

import threading
from multiprocessing import Pipe
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.formats.viewer_protocol import (
    ViewerMessage,
    qrels_from,
    qrels_table,
    receive,
    run_from,
    run_table,
    send,
)
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
ROWS = st.dictionaries(
    IDS, st.dictionaries(IDS, st.integers(-2, 3).map(float), min_size=1, max_size=6), min_size=1, max_size=4
)


class Wire:
    """A connection that keeps what is sent."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def send_bytes(self, data: object, /) -> None:
        self.frames.append(bytes(data))  # type: ignore[call-overload]

    def recv_bytes(self, maxlength: int | None = None, /) -> bytes:
        if not self.frames:
            raise EOFError
        return self.frames.pop(0)


def passed(message: ViewerMessage) -> ViewerMessage:
    wire = Wire()
    send(wire, message)
    arrived = receive(wire)
    assert wire.frames == []
    return arrived


@given(ROWS)
def test_runs_and_qrels_arrive_as_they_were(rows: dict[str, dict[str, float]]) -> None:
    run, qrels = Run.from_dict(rows, name="a"), Qrels.from_dict(rows, name="b")
    tables = passed(ViewerMessage("open", 3, {}, {"run": run_table(run), "qrels": qrels_table(qrels)})).tables
    arrived, judged = run_from(tables["run"], "a"), qrels_from(tables["qrels"], "b")
    assert arrived.query_ids == run.query_ids
    assert all(arrived.ranking(query) == run.ranking(query) for query in run.query_ids)
    assert arrived.scores.tolist() == run.scores.tolist()
    assert {query: judged.judgments(query) for query in judged.query_ids} == rows


def test_queries_without_documents_and_second_columns_arrive() -> None:
    none = np.array([], np.int64)
    run = Run.from_columns(("q1", "q2"), none, pa.array([], pa.string()), np.array([], np.float64))
    assert run_from(passed(ViewerMessage("add", 1, {}, {"r": run_table(run)})).tables["r"], "x").query_ids == (
        "q1",
        "q2",
    )
    codes, documents = np.array([0, 0, 0]), pa.array(["d1", "d1", "d2"])
    qrels = Qrels.from_columns(
        ("q1",), codes, documents, np.array([1.0, 0.0, 2.0]), subtopics=pa.array(["s1", "s2", "s1"])
    )
    arrived = qrels_from(passed(ViewerMessage("open", 1, {}, {"q": qrels_table(qrels)})).tables["q"], "x")
    assert arrived.assessments is not None
    assert arrived.assessments.groups.to_pylist() == ["s1", "s2", "s1"]


def test_values_of_a_message_are_json() -> None:
    arrived = passed(ViewerMessage("select", 7, {"query": "é ☃ \ud800", "queries": ["a"], "none": None}))
    assert (arrived.kind, arrived.number) == ("select", 7)
    assert arrived.values == {"query": "é ☃ \ud800", "queries": ["a"], "none": None}
    assert arrived.tables == {}


@pytest.mark.parametrize("frame", [b"", b"\x80\x04N.", b"PAR1", bytes(100)])
def test_what_is_no_message_is_refused(frame: bytes) -> None:
    wire = Wire()
    wire.frames = [frame]
    with pytest.raises(ValueError, match=r"no table|no message"):
        receive(wire)
    wire = Wire()
    send(wire, ViewerMessage("x"))
    wire.frames[0] = wire.frames[0].replace(b"irviewer", b"irvieweR")
    with pytest.raises(ValueError, match="no message"):
        receive(wire)


def test_large_tables_pass_a_real_connection() -> None:
    ours, theirs = Pipe()
    table = pa.table({"doc": pa.array([f"d{number}" for number in range(200_000)])})
    sender = threading.Thread(target=send, args=(ours, ViewerMessage("add", 1, {}, {"run": table})))
    sender.start()
    assert receive(theirs).tables["run"].equals(table)
    sender.join()


def test_no_pickle_is_read() -> None:
    root = Path(__file__).resolve().parents[2] / "irviewer"
    for name in ("formats/viewer_protocol.py", "api/viewer.py", "session/scripting/connection.py"):
        text = (root / name).read_text("utf-8")
        assert ".recv()" not in text
        assert "import pickle" not in text
