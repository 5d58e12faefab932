"""``irviewer cache`` tells and clears; no command opens a socket; confidential runs leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from irviewer.cli import main
from irviewer.formats.load import load
from irviewer.formats.reading import cache, cache_folder

RUN = "".join(f"{n // 10} Q0 d{n} {n % 10 + 1} {10 - n % 10} tag\n" for n in range(60000))


def test_what_is_kept_is_reported_and_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(cache_folder.DIRECTORY_VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setattr(cache, "WORTH", 0)
    assert main.main(["cache"]) == 0
    assert "the cache is empty" in capsys.readouterr().out
    (tmp_path / "a.run").write_text(RUN)
    load(tmp_path / "a.run", cached="keep")
    assert main.main(["cache"]) == 0
    assert "1 file, " in capsys.readouterr().out
    assert main.main(["cache", "--clear"]) == 0
    assert "deleted" in capsys.readouterr().out
    assert list((tmp_path / "kept" / "runs").iterdir()) == []
    monkeypatch.setenv(cache_folder.CONFIDENTIAL_VARIABLE, "1")
    assert main.main(["cache"]) == 0
    assert "nothing is cached: " in capsys.readouterr().out


def test_the_limit_is_set_and_holds_immediately(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(cache_folder.DIRECTORY_VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path))
    monkeypatch.delenv(cache_folder.LIMIT_VARIABLE, raising=False)
    monkeypatch.setattr(cache, "WORTH", 0)
    (tmp_path / "a.run").write_text(RUN)
    load(tmp_path / "a.run", cached="keep")
    assert main.main(["cache", "--limit", "2.5"]) == 0
    assert "1 file, " in (printed := capsys.readouterr().out)
    assert "2,500.0 MB" in printed
    assert main.main(["cache", "--limit", "0"]) == 0
    assert "0 files, 0.0 MB of at most 0.0 MB" in capsys.readouterr().out
    assert main.main(["cache", "--limit", "nan"]) == 2
    assert "cache_limit_gb" in capsys.readouterr().err


WATCHED = """
import sys
def heard(event, arguments):
    if event.startswith("socket.") or event in ("urllib.Request", "http.client.connect"):
        print("SOCKET", event, arguments, file=sys.stderr)
sys.addaudithook(heard)
from irviewer.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("command", ["evaluate", "view"])
def test_no_socket_is_opened_and_confidential_leaves_nothing(tmp_path: Path, samples: Path, command: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.run").write_text(RUN)
    (folder / "qrels.txt").write_text("".join(f"{n} 0 d{n * 10 + n % 7} 1\n" for n in range(6000)))
    given = {
        "evaluate": ["evaluate", "qrels.txt", "a.run", "-m", "official", "-o", "values.txt"],
        "view": ["view", "--confidential", "qrels.txt", "a.run", "--screenshot", "picture.png", "--size", "900x600"],
    }[command]
    hidden = ("IRVIEWER_CONFIG_DIR", "IRVIEWER_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    if command == "evaluate":
        environment["IRVIEWER_CONFIDENTIAL"] = "1"
    environment |= {"HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *given],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "SOCKET" in done.stderr) == (0, False), done.stderr
    written = "values.txt" if command == "evaluate" else "picture.png"
    assert {file.name for file in folder.iterdir()} == {"a.run", "qrels.txt", written}
    left = [file for file in home.rglob("*") if file.is_file() and "fontconfig" not in file.parts]
    assert left == []
