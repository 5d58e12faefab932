"""Histories of gates: lines appended and read, damaged ones told, and what they count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.analysis.planning.gate_history import GateHistory, PastGate
from irviewer.cli.main import main
from irviewer.errors import IrviewerError
from irviewer.formats import gate_history
from irviewer.formats.file_locks import locked
from irviewer.formats.gate_history import append_to_history, read_gate_history

GATE = PastGate("2026-01-01T00:00:00+00:00", "r\u202e\n", "b", "failed", 0.025, 50, "ab", ("P@1 worse",))


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "gates.jsonl"
    assert read_gate_history(path).gates == ()
    for _ in range(3):
        append_to_history(path, GATE)
    history = read_gate_history(path)
    assert history.gates == (GATE,) * 3
    assert path.read_bytes().count(b"\n") == 3
    assert (history.failed, round(history.expected, 9)) == (3, 0.075)
    assert (
        history.sentence
        == "3 gates: at most about .075 alarms expected on average without change (at most .025 each); 3 failed."
    )
    assert "3 of the gates used the same 50 queries" in history.reuse


def test_expected_alarms_have_no_exponent() -> None:
    for many, text in ((2, ".05"), (52, "1.3"), (6000, "150"), (60_000, "1,500")):
        assert f"about {text} alarms" in GateHistory("x", (GATE,) * many).sentence


def test_a_gate_waits_for_another_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gate waits while another holds the history, and says so if that takes too long."""
    path = tmp_path / "gates.jsonl"
    monkeypatch.setattr(gate_history, "PATIENCE", 0.02)
    with path.open("ab") as other:
        assert locked(other.fileno())
        with pytest.raises(IrviewerError, match="another gate"):
            append_to_history(path, GATE)
        assert not path.read_bytes()
    append_to_history(path, GATE)
    assert read_gate_history(path).gates == (GATE,)


@pytest.mark.parametrize(
    "line",
    [
        b"{", b"[]", b"null", b"\xff\xfe", b'{"schema": 2}', b"[" * 5000, b'{"schema": 1, "time": 3}', b"9" * 70_000,
        json.dumps({"schema": 1, **vars(GATE), "alarm": float("nan")}).encode(),
        json.dumps({"schema": 1, **vars(GATE), "alarm": True}).encode(),
        json.dumps({"schema": 1, **vars(GATE), "outcome": "<b>"}).encode(),
        json.dumps({"schema": 1, **vars(GATE), "queries": -1}).encode(),
    ],
)  # fmt: skip
def test_a_damaged_line_is_named_and_stays(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "gates.jsonl"
    append_to_history(path, GATE)
    with path.open("ab") as file:
        file.write(line)  # cut off: without an end
    append_to_history(path, GATE)
    history = read_gate_history(path)
    assert history.gates == (GATE, GATE)
    assert [number for number, _ in history.damaged] == [2]
    assert line in path.read_bytes()


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IrviewerError, match="no history"):
        read_gate_history(tmp_path)
    with pytest.raises(IrviewerError, match="cannot be written"):
        append_to_history(tmp_path, GATE)


def test_a_gate_appends_a_line_and_every_door_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q").write_text("".join(f"{query} 0 a 1\n" for query in range(12)))
    for name in ("one", "two"):
        (tmp_path / name).write_text("".join(f"{query} Q0 a 1 2 {name}\n" for query in range(12)))
    path = str(tmp_path / "gates.jsonl")
    words = [str(tmp_path / "q"), str(tmp_path / "one"), "--baseline", str(tmp_path / "two"), "--fail-if", "RR worse"]
    for _ in range(2):
        assert main(["gate", *words, "--history", path]) == 0
    said = capsys.readouterr().out
    assert "2 gates: at most about .05 alarms expected on average without change (at most .025 each); 0 failed." in said
    assert "2 of the gates used the same 12 queries" in said
    result = irviewer.gate(*words[:2], words[3], "RR > -0.5", "RR worse", history=path)
    assert result.history is not None
    assert [gate.alarm for gate in result.history.gates] == [0.025, 0.025, 0.075]
    shown = irviewer.show("gate", words[0], [words[3], words[1]], fail_if=["RR worse"], history=path)
    assert shown["history"].column("number").values == [1, 2, 3]
    assert len(read_gate_history(path).gates) == 3
    assert main(["gate", words[0], "nowhere", *words[2:], "--history", path]) == 2
    assert len(read_gate_history(path).gates) == 3  # undecided for want of a file: no gate
