"""What the protocol names as the files of an answer: files with their digests, and pipes as what they are."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from pathlib import Path

import pytest

import irviewer
from irviewer.errors import ParseError
from irviewer.formats.data_files import data_files, described

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a pipe has a name on POSIX only")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe.run"
    os.mkfifo(path)
    return path


def test_a_pipe_is_named_without_a_digest(tmp_path: Path, pipe: Path) -> None:
    file = tmp_path / "qrels"
    file.write_bytes(b"1 0 a 1\n")
    named = data_files([("run", str(pipe)), ("qrels", str(file)), ("run", "-"), ("run", "nothing"), ("run", {"1": {}})])
    assert described(named) == [
        ("qrels", "qrels", 8, hashlib.sha256(b"1 0 a 1\n").hexdigest()),
        ("run", f"pipe {pipe}", None, ""),
        ("run", "standard input", None, ""),
    ]


def test_a_result_names_the_pipe_that_a_run_came_through(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    reads, writes = os.pipe()
    writer = threading.Thread(target=lambda: (os.write(writes, b"1 Q0 a 1 2 t\n"), os.close(writes)))
    writer.start()
    result = irviewer.evaluate(str(tmp_path / "qrels"), f"/dev/fd/{reads}", "RR")
    writer.join()
    assert result.mean("RR") == 1
    result.save(tmp_path / "values.json")
    os.close(reads)
    assert f'"pipe /dev/fd/{reads}"' in (tmp_path / "values.json").read_text()


def test_a_pipe_is_not_read_in_blocks(pipe: Path) -> None:
    with pytest.raises(ParseError, match="which can be read once"):
        irviewer.evaluate_blocks({"1": {"a": 1}}, str(pipe), "RR")
