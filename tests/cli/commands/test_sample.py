"""``irviewer sample``: the files of a bundled collection, in a folder that was not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.installed.samples import SAMPLES

ROOT = Path(__file__).resolve().parents[3]


def content(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_file_is_written(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", name, "-o", str(tmp_path / "a" / "b")]) == 0
    assert content(tmp_path / "a" / "b") == content(ROOT / "resources" / "samples" / name)
    assert "qrels" in capsys.readouterr().out


def test_an_existing_folder_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fables").mkdir()
    assert main(["sample"]) == 2
    assert "fables exists; name another folder with -o" in capsys.readouterr().err
    assert content(tmp_path) == {}


def test_the_commands_of_the_pages_run_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sample"]) == 0
    monkeypatch.chdir(tmp_path / "fables")
    assert main(["evaluate", "qrels.txt", "runs/bm25_plain.run.gz", "-m", "map", "--format", "trec"]) == 0
    assert "0.4891" in capsys.readouterr().out
