"""The AppDir starts from wherever it is, its image holds it whole, and an AppImage is made of a known runtime."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from given import Given

pytestmark = pytest.mark.packaging
PACKAGING = Path(__file__).parents[2] / "packaging"
RUNTIME = b"\x7fELF\x02\x01\x01\x00AI\x02" + b"\x00" * 100


def _make(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PACKAGING / "appdir.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def appdir_folder(bundle: Given, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the AppDir, its image and, with a runtime that does nothing, the AppImage."""
    folder = tmp_path_factory.mktemp("appdir")
    (folder / "runtime").write_bytes(RUNTIME)
    words = ("--bundle", bundle.program.parent, "--output", folder, "--compression", "gzip")
    digest = hashlib.sha256(RUNTIME).hexdigest()
    done = _make(*words, "--runtime", folder / "runtime", "--digest", digest)
    assert done.returncode == 0, done.stderr
    return folder


def test_apprun_starts_the_program(appdir_folder: Path, bundle: Given, tmp_path: Path) -> None:
    moved = tmp_path / "somewhere else"
    moved.symlink_to(appdir_folder / "irviewer.AppDir")
    environment = {**bundle.environment, "PATH": "/usr/bin:/bin"}  # for readlink and dirname
    given = Given(moved / "AppRun", bundle.folder, environment)
    assert given.run("--version") == bundle.run("--version")
    picture = tmp_path / "window.png"
    given.run("--sample", "--size", "1280x800", "--screenshot", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_what_desktops_read_is_at_the_top(appdir_folder: Path) -> None:
    names = {path.name for path in (appdir_folder / "irviewer.AppDir").iterdir()}
    assert names == {"AppRun", "irviewer.desktop", "irviewer.svg", ".DirIcon", "usr"}
    everything = [path.name.lower() for path in (appdir_folder / "irviewer.AppDir").rglob("*")]
    assert "fables" in everything
    assert not any("cranfield" in name for name in everything)  # its texts state no licence
    done = subprocess.run(
        ["appstreamcli", "validate-tree", "--no-net", str(appdir_folder / "irviewer.AppDir")], check=False
    )
    assert done.returncode == 0


def test_the_image_holds_the_folder(appdir_folder: Path) -> None:
    listed = subprocess.run(
        ["unsquashfs", "-l", "-d", ".", str(appdir_folder / "irviewer.squashfs")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    own = {
        f"./{path.relative_to(appdir_folder / 'irviewer.AppDir')}"
        for path in (appdir_folder / "irviewer.AppDir").rglob("*")
    }
    assert own - set(listed.splitlines()) == set()


def test_an_appimage_is_the_runtime_and_the_image(appdir_folder: Path) -> None:
    appimage = appdir_folder / "irviewer-x86_64.AppImage"
    assert appimage.stat().st_mode & 0o777 == 0o755
    data = appimage.read_bytes()
    assert data[: len(RUNTIME)] == RUNTIME
    assert data[len(RUNTIME) :] == (appdir_folder / "irviewer.squashfs").read_bytes()


def test_another_runtime_is_refused(tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    runtime.write_bytes(RUNTIME + b"changed")
    done = _make("--output", tmp_path, "--runtime", runtime, "--digest", hashlib.sha256(RUNTIME).hexdigest())
    assert (done.returncode, "has the SHA-256" in done.stderr) == (1, True)
    runtime.write_bytes(b"no runtime")
    done = _make("--output", tmp_path, "--runtime", runtime, "--digest", hashlib.sha256(b"no runtime").hexdigest())
    assert (done.returncode, "is no runtime" in done.stderr) == (1, True)
    assert not list(tmp_path.glob("*.AppImage"))
