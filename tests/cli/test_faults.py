"""An exception that nobody expected ends a command with 70, one line and a report, not with the status of a result."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irviewer.__main__ import main
from irviewer.cli.commands import BY_NAME, Command
from irviewer.formats.reading import cache_folder

STATUS = 70


def explode(options: object) -> int:
    raise TypeError("too\nmany \x1b[31m cooks")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_command_ends_with_70_and_names_the_report(
    name: str, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Command, "add", property(lambda self: lambda parser: None))
    monkeypatch.setattr(Command, "run", property(lambda self: explode))
    words = [name]
    assert main(words) == STATUS
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "TypeError: too many \\x1b[31m cooks" in err
    path = Path(err.rstrip("\n").partition("report: ")[2])
    report = path.read_text()
    assert path.parent.parent == cache
    assert "explode" in report
    assert repr(words) in report
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0


def test_the_window_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("irviewer.__main__.require_window", lambda: explode(None))
    assert main(["view"]) == STATUS
    assert "report: " in capsys.readouterr().err


def test_without_a_place_for_reports_there_is_still_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    monkeypatch.setattr(Command, "run", property(lambda self: explode))
    monkeypatch.setenv("IRVIEWER_CONFIDENTIAL", "1")
    assert main(["formats"]) == STATUS
    assert "no report could be written" in capsys.readouterr().err
    assert not cache.exists()
    monkeypatch.delenv("IRVIEWER_CONFIDENTIAL")
    cache.write_text("a file where the folder should be")
    assert main(["formats"]) == STATUS
    assert capsys.readouterr().err.count("\n") == 1


def test_old_reports_go(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from irviewer.cli import faults

    monkeypatch.setattr(Command, "run", property(lambda self: explode))
    monkeypatch.setattr(faults, "MOST_KEPT", 3)
    for _ in range(5):
        main(["formats"])
    last = Path(capsys.readouterr().err.splitlines()[-1].partition("report: ")[2])
    assert len(list(cache_folder.cache_folder(faults.FOLDER).iterdir())) == 3
    assert last.exists()
