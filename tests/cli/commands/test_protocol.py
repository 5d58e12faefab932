"""``irviewer protocol``: what options say is written, read back and checked."""

from __future__ import annotations

import json
from pathlib import Path

import protocols as some
import pytest
from hypothesis import HealthCheck, given, settings

from irviewer.cli import main
from irviewer.formats.protocol_file import parse_protocol, protocol_text, read_protocol
from irviewer.model.protocol import PLACES, PRESET, EvaluationProtocol, QuerySelection


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.main(["protocol", *words]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_options_become_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["-m", "AP", "-l", "2", "--unjudged", "pooled", "--query-set", "q.txt", "--set", "hard", "--looked",
             "--run", "a", "--run", "b", "--test", "wilcoxon-pratt", "--pairs", "--smallest", ".02",
             "--epsilon", ".15", "-J"]  # fmt: skip
    expected = PRESET.but(
        measures=["AP"], level=2, unjudged="pooled", queries=QuerySelection("hard", "q.txt", looked=True),
        runs=["a", "b"], test="wilcoxon", zeros="pratt", family="pairs", smallest=0.02, epsilon=0.15, judged_only=True,
    )  # fmt: skip
    text = output(capsys, *words)
    assert parse_protocol(text) == expected
    assert main.main(["protocol", *words, "-o", str(tmp_path / "p.toml")]) == 0
    assert all(read_protocol(tmp_path / "p.toml")[name] == expected[name] for name in PLACES if name != "queries")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(protocol=some.protocols)
def test_a_file_is_printed_as_it_was_read(
    protocol: EvaluationProtocol, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(protocol_text(protocol).encode("utf-8", "surrogateescape"))
    if any(name.startswith("/") for name in (protocol.rules.zscores, protocol.scope.queries.file)):
        return
    assert main.main(["protocol", str(path), "-o", str(path)]) == 0, capsys.readouterr().err
    again = read_protocol(path)
    first = parse_protocol(protocol_text(protocol), path=path, folder=tmp_path)
    assert again.changed(first) == ()


def test_the_line_and_every_field(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text("[rules]\nlevel = 3\n")
    line, _, full = output(capsys, str(path), "--format", "table").splitlines()
    assert line == "all queries · level ≥ 3 · unjudged: unknown · Holm against the baseline · paired t"
    assert "seed 42" in full
    record = output(capsys, str(path), "--format", "record")
    assert all(f"{name}=" in record for name in PLACES)
    answer = json.loads(output(capsys, str(path), "--format", "json", "--alpha", ".01"))
    assert (answer["level"], answer["alpha"], answer["line"].count("level ≥ 3")) == (3, 0.01, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[rules]\nlevle = 2\n", ":2:1: a protocol has no key rules.levle"),
        ("measures = ['nDGC@10']\n", "nDGC@10"),
        ("[rules\n", ":1:7: this is no TOML"),
    ],
)
def test_a_fault_is_one_line(text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    assert main.main(["protocol", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
