"""``irviewer.view``: the window as a process, driven from Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

import irviewer
from irviewer.api.texts import text_table
from irviewer.api.viewer import Viewer
from irviewer.errors import IrviewerError, OptionError
from irviewer.installed import parts
from irviewer.session.scripting.connection import ScriptConnection
from irviewer.session.session import Session
from tests.helpers.patience import LONG

ROOT = Path(__file__).resolve().parents[2]
QRELS = {"q1": {"d1": 2, "d2": 0, "d9": 1}, "q2": {"d3": 1}}
FRAME = pd.DataFrame({"qid": ["q1", "q1", "q2"], "docno": ["d1", "d2", "d3"], "score": [1.0, 2.0, 3.0]})
OTHER = {"q1": {"d9": 1.0, "d1": 0.5}, "q2": {"d4": 1.0}}


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


@pytest.fixture
def viewer(private: Path) -> Iterator[Viewer]:
    opened = irviewer.view(
        QRELS, {"bm25": FRAME, "dense": OTHER}, queries={"q1": "what"}, baseline="dense", measure="AP"
    )  # fmt: skip
    yield opened
    opened._process.terminate()
    opened._process.wait(20)


def test_a_window_is_driven_and_its_work_comes_back(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert viewer.is_open
    selection = viewer.selection
    assert (selection.runs, selection.baseline, selection.measure) == (("bm25", "dense"), "dense", "AP")
    viewer.select(query="q2", queries=["q1"])
    assert (viewer.selection.query, viewer.selection.queries) == ("q2", ("q1",))
    table = viewer.selection.to_pandas()
    assert table.to_dict("list") == {"query_id": ["q2", "q1"], "selected": [True, False], "brushed": [False, True]}
    assert list(viewer.selection.to_pandas("documents")) == ["query_id", "doc_id"]
    assert viewer.add(FRAME, "bm25") == "bm25 (2)"
    with pytest.raises(IrviewerError, match="no query q7"):
        viewer.select(query="q7")
    with pytest.raises(IrviewerError, match="Only a notebook"):
        viewer.follow()
    called = []
    shell = SimpleNamespace(events=SimpleNamespace(register=lambda event, call: called.append((event, call))))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    viewer.follow()
    ((event, follow),) = called
    for result in (None, 3, irviewer.fuse({"one": FRAME, "two": OTHER}, name="fused")):
        follow(SimpleNamespace(result=result))
    assert (event, viewer.selection.runs[-1], len(viewer.selection.runs)) == ("post_run_cell", "fused", 4)
    assert viewer.qrels is not None
    assert viewer.qrels.judgments("q1") == {"d1": 2, "d2": 0, "d9": 1}
    assert list(viewer.judgments.to_pandas()) == [
        "query_id", "doc_id", "grade", "former_grade", "judge", "time", "note",
    ]  # fmt: skip
    # An ordered end of the window: what it had can be read afterwards.
    viewer._process.terminate()
    viewer.wait()
    assert not viewer.is_open
    assert viewer.selection.query == "q2"
    assert len(viewer.query_sets) == 0
    with pytest.raises(IrviewerError, match="closed"):
        viewer.add(FRAME)
    assert not viewer._folder.exists()


def test_a_killed_window_is_an_error_not_a_wait(viewer: Viewer) -> None:
    os.kill(viewer._process.pid, signal.SIGKILL)
    viewer.wait()
    with pytest.raises(IrviewerError, match="closed"):
        _ = viewer.selection


def test_files_are_opened_by_the_window_and_survive_the_end_of_python(private: Path) -> None:
    (private / "q.qrels").write_text("q1 0 d1 1\n")
    (private / "a.run").write_text("q1 Q0 d1 1 2.0 a\n")
    code = (
        "import irviewer, sys; v = irviewer.view('q.qrels', ['a.run']); print(v.selection.query, v._process.pid);"
        "sys.stdout.flush()"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=private, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    query, pid = done.stdout.split()
    assert query == "q1"
    os.kill(int(pid), 0)  # the window is still there
    os.kill(int(pid), signal.SIGTERM)


def test_watched_files_are_read_again(private: Path) -> None:
    (private / "q.qrels").write_text("q1 0 d1 1\n")
    (private / "a.run").write_text("q1 Q0 d1 1 2.0 a\n")
    watched = irviewer.view(private / "q.qrels", [private / "a.run"], watch=True)
    try:
        (private / "q.qrels").write_text("q1 0 d1 1\nq1 0 d2 3\n")

        def judged() -> dict[str, float]:
            return {} if watched.qrels is None else watched.qrels.judgments("q1")

        end = time.monotonic() + LONG
        while judged() != {"d1": 1, "d2": 3}:
            assert time.monotonic() < end, "the file is not read again"
        assert not list(private.rglob("settings*")) or "watch_files" not in "".join(
            path.read_text() for path in private.rglob("settings*") if path.is_file()
        ), "watching is for now"
    finally:
        watched.close()


def test_files_that_cannot_be_read_are_an_error(private: Path) -> None:
    (private / "q.qrels").write_text("q1 0 d1 1\n")
    (private / "bad.run").write_text("<html>\n")
    with pytest.raises(IrviewerError, match=r"bad\.run"):
        irviewer.view(str(private / "bad.run"))
    with pytest.raises(IrviewerError, match=r"nothing\.run"):
        irviewer.view(str(private / "nothing.run"))


def test_the_secret_is_needed(private: Path) -> None:
    address = str(private / "s")
    connection = ScriptConnection(Session(), address, b"right", lambda call: call())
    with pytest.raises((AuthenticationError, EOFError, OSError)):
        Client(address, authkey=b"wrong")
    with Client(address, authkey=b"right"):
        pass
    connection.close()


def test_a_missing_window_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "has", lambda *modules: False)
    with pytest.raises(IrviewerError, match="pip install irviewer"):
        irviewer.view(QRELS, {"a": OTHER})


def test_a_window_that_cannot_start_says_why(private: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(IrviewerError, match="cannot be opened"):
        irviewer.view(QRELS, {"a": OTHER})


def test_texts_of_any_form() -> None:
    frame = pd.DataFrame({"docno": [1, 2], "text": ["a", "b"]})
    for texts in ({1: "a", 2: "b"}, {"1": {"text": "a"}, "2": {"text": "b"}}, frame):
        table = text_table(texts, "documents")  # type: ignore[arg-type]
        assert [*table.ids] == ["1", "2"]
        assert [table.text(each) for each in ("1", "2")] == ["a", "b"]
    with pytest.raises(OptionError, match="no column of ids"):
        text_table(pd.DataFrame({"x": [1]}), "documents")
    with pytest.raises(OptionError, match="not a table"):
        text_table(3, "documents")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"doc_id": ["1", "1"], "price": [1, 100]}, "the id '1' of row 2 is repeated"),
        ({"doc_id": ["1", None], "price": [1, 2]}, "doc_id"),
        ({"doc_id": ["1", ""], "price": [1, 2]}, "doc_id"),
    ],
)
def test_a_frame_of_texts_has_an_id_in_each_row_as_in_files(texts: dict[str, list[object]], said: str) -> None:
    """The first of two rows was taken, and the id "None"."""
    with pytest.raises(OptionError, match=said):
        text_table(pd.DataFrame(texts), "documents")
    with pytest.raises(OptionError, match="the id '1' of row 2 is repeated"):
        text_table({1: "a", "1": "b"}, "documents")
    assert [*text_table(pd.DataFrame({"doc_id": [1.0, 1.0, 2.0], "price": 3}), "documents").ids] == ["1", "2"]


def test_data_that_fit_nothing_are_refused_before_a_window_opens() -> None:
    with pytest.raises(OptionError, match="qrels, runs"):
        irviewer.view()
    with pytest.raises(OptionError, match="no run c"):
        irviewer.view(QRELS, {"a": OTHER}, baseline="c")


@pytest.mark.slow
def test_from_a_notebook(private: Path) -> None:
    """In a kernel of Jupyter, as a notebook runs its cells."""
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("ipykernel")
    (private / "k").mkdir()
    kernel, client = manager.start_new_kernel(
        kernel_name="python3", env={**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(private / "k")}
    )
    try:
        cells = (
            f"import pandas as pd, irviewer; v = irviewer.view({QRELS!r}, {{'a': {OTHER!r}}})",
            "v.select(query='q2'); print(v.selection.query)",
            "v.judgments",
            "v._process.terminate(); v.wait(); print(v)",
        )
        out = []
        for cell in cells:
            outputs: list[dict[str, object]] = []
            reply = client.execute_interactive(cell, timeout=LONG, output_hook=outputs.append)
            assert reply["content"]["status"] == "ok", reply["content"]
            out.append(str([message["content"] for message in outputs]))
        assert "q2" in out[1]
        assert "<table" in out[2]
        assert "Viewer(closed)" in out[3]
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def test_a_viewer_in_with_ends_its_connection_and_leaves_the_window() -> None:
    class Counted(Viewer):
        closed = 0

        def __init__(self) -> None:
            pass  # without a window

        def disconnect(self) -> None:
            self.closed += 1

    with Counted() as viewer:
        assert viewer.closed == 0
    assert viewer.closed == 1


def test_close_closes_the_window_and_its_work_stays_readable(viewer: Viewer) -> None:
    viewer.select(query="q2", queries=["q1"])
    viewer.close()
    assert viewer._process.poll() == 0
    assert not viewer.is_open
    assert (viewer.selection.query, viewer.selection.queries) == ("q2", ("q1",))
    assert viewer.qrels is not None
    assert viewer.qrels.judgments("q1") == {"d1": 2, "d2": 0, "d9": 1}
    assert len(viewer.judgments) == len(viewer.query_sets) == 0
    with pytest.raises(IrviewerError, match="closed"):
        viewer.add(FRAME)
    viewer.close()  # again: nothing happens
    assert not viewer._folder.exists()


def test_a_window_that_is_disconnected_stays_and_its_work_too(viewer: Viewer) -> None:
    with viewer:
        viewer.select(query="q2")
    assert not viewer.is_open
    assert viewer._process.poll() is None
    assert viewer.selection.query == "q2"
    assert viewer.qrels is not None
