"""Incomplete files of killed programs are removed at the next start, nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LONG_PROCESS

from irviewer.formats.part_files import SUFFIX, is_running, part_prefix, sweep_parts
from irviewer.session.session import Session
from irviewer.session.settings import Settings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are asked on POSIX only")
KILLED = """
import os, signal, sys
from pathlib import Path
from irviewer.formats.project_file import write_durably
from irviewer.rendering.atomic import write_atomically
from irviewer.session import settings

def die(stream):
    stream.write(b"half")
    stream.flush()
    os.kill(os.getpid(), signal.SIGKILL)

folder = Path(sys.argv[2])
if sys.argv[1] == "export":
    write_atomically(folder / "report.html", die)
elif sys.argv[1] == "project":
    write_durably(folder / "p.irviewer", die)
else:
    os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
    settings.write_atomically(folder / "settings.json", b"half")
"""


def killed(kind: str, folder: Path) -> Path:
    """The file that a program left which was killed while it wrote."""
    before = set(folder.iterdir())
    done = subprocess.run([sys.executable, "-c", KILLED, kind, str(folder)], timeout=LONG_PROCESS, check=False)
    assert done.returncode == -9
    (left,) = set(folder.iterdir()) - before
    return left


@pytest.mark.parametrize("kind", ["export", "project", "settings"])
def test_the_file_of_a_killed_program_is_removed_immediately(tmp_path: Path, kind: str) -> None:
    left = killed(kind, tmp_path)
    assert left.suffix == SUFFIX
    sweep_parts(tmp_path)
    assert not left.exists()


def test_all_else_stays(tmp_path: Path) -> None:
    ended = killed("export", tmp_path)
    number = ended.name.rpartition(".")[0].rpartition("-")[0].rpartition("-")[2]
    (tmp_path / f"{part_prefix('mine')}abcdefgh{SUFFIX}").touch()  # of a process that runs
    (tmp_path / ended.name.replace(f"-{number}-", f"x-{number}-")).touch()  # of another computer
    (tmp_path / "download.part").touch()
    (tmp_path / ".hidden.part").touch()
    (tmp_path / "elsewhere").touch()
    link = tmp_path / ended.name.replace("report", "link")
    link.symlink_to(tmp_path / "elsewhere")
    others = set(tmp_path.iterdir()) - {ended}
    sweep_parts(tmp_path)
    assert set(tmp_path.iterdir()) == others
    sweep_parts(tmp_path / "nowhere")


def test_the_next_start_removes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    folders = [tmp_path / "config", tmp_path / "config" / "recovery", tmp_path / "exports", tmp_path / "project"]
    for folder in folders:
        folder.mkdir(parents=True)
    settings = Settings.load()
    settings["last_folder"] = str(folders[2])
    settings.add_recent([str(folders[3] / "p.irviewer")])
    left = [killed("export", folder) for folder in folders]
    session = Session(settings)
    session.projects.offer_unsaved_work()
    session.close()
    assert [path for path in left if path.exists()] == []


def test_running_processes() -> None:
    assert is_running(os.getpid())
    assert is_running(os.getppid())
    assert not is_running(2**31 - 2)
    assert not is_running(10**30)
