"""Two wheels of disjoint files: the core works without Qt and matplotlib, and each can be removed alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from given import Given, colours

import irviewer

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "resources" / "samples" / "cranfield"
RUNS = sorted((SAMPLE / "runs").glob("bm25*"))


def _python(folder: Path) -> Path:
    return folder / "venv" / "bin" / "python"


def _pip(folder: Path, *words: object) -> None:
    command = [_python(folder), "-m", "pip", *words, "-q", "--disable-pip-version-check"]
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """irviewer-core and irviewer."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, ROOT / "packaging" / "wheels.py", "--output", folder, "--version", "0.9.1"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    core, window = (Path(line) for line in done.stdout.split())
    return core, window


@pytest.fixture(scope="module")
def core(wheels: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Given:
    """irviewer-core alone, in an environment that was empty."""
    folder = tmp_path_factory.mktemp("core")
    venv.create(folder / "venv", with_pip=True)
    _pip(folder, "install", "--no-compile", "--retries", "10", wheels[0])
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "QT_"))}
    return Given(folder / "venv" / "bin" / "irviewer", folder, own, _python(folder))


def test_no_file_is_in_both_and_none_is_lost(wheels: tuple[Path, Path], wheel: Path) -> None:
    core, window, whole = (
        {name for name in zipfile.ZipFile(path).namelist() if name.startswith("irviewer/")} for path in (*wheels, wheel)
    )
    assert core.isdisjoint(window)
    assert core | window == whole
    assert not any("cranfield" in name.lower() for path in wheels for name in zipfile.ZipFile(path).namelist())
    assert not any("/gui/" in name or "matplotlib" in name for name in core)


def test_the_core_has_the_manual_pages(core: Given) -> None:
    pages = {file.name for file in (core.folder / "venv" / "share" / "man" / "man1").iterdir()}
    assert {"irviewer.1", "irviewer-evaluate.1"} <= pages
    assert '"irviewer 0.9.1"' in (core.folder / "venv" / "share" / "man" / "man1" / "irviewer.1").read_text("ascii")


def test_both_say_their_version_and_what_they_need(wheels: tuple[Path, Path]) -> None:
    for path in wheels:
        archive = zipfile.ZipFile(path)
        (metadata,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        text = archive.read(metadata).decode()
        assert "Version: 0.9.1\n" in text
        assert ("Requires-Dist: irviewer-core==0.9.1" in text) == (path is wheels[1])
        assert ("pyside6" in text.lower().partition("\n\n")[0]) == (path is wheels[1])


def test_the_core_has_neither_qt_nor_matplotlib(core: Given) -> None:
    code = "import importlib.util as u; print([n for n in ('PySide6','pyqtgraph','matplotlib') if u.find_spec(n)])"
    assert core.run_python(code).strip() == "[]"
    assert core.run_python("import irviewer; print(irviewer.__version__)").strip() == "0.9.1"


def test_the_core_is_light(core: Given) -> None:
    """In bytes: the memory of a first evaluation, once Python has compiled what it imports, and what is installed. pip
    compiles everything unless it is told not to (--no-compile): that is 60 MB more."""
    memory = (
        f"import irviewer; irviewer.evaluate({str(SAMPLE / 'qrels.txt')!r}, [{str(RUNS[0])!r}], 'AP')\n"
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(int(status['VmHWM'].split()[0]) * 1024)\n"
    )
    disk = (
        "import pathlib; from importlib.metadata import distributions\n"
        "files = {str(file.locate()) for one in distributions() for file in one.files or () if file.suffix != '.pyc'\n"
        "         and one.metadata['Name'] not in ('pip', 'setuptools')}\n"
        "print(sum(path.stat().st_size for path in map(pathlib.Path, files) if path.is_file()))\n"
    )
    core.run_python(memory)
    assert int(core.run_python(memory)) < 100e6
    assert int(core.run_python(disk)) < 400e6


def test_the_core_evaluates_compares_checks_and_reports(core: Given, tmp_path: Path) -> None:
    qrels = SAMPLE / "qrels.txt"
    report = json.loads(core.run("evaluate", qrels, *RUNS, "-m", "AP", "--format", "json"))
    expected = irviewer.evaluate(qrels, RUNS, "AP")
    assert json.dumps(report).count(repr(float(expected.means[0, 0]))) >= 1
    assert "bm25_plain" in core.run("compare", qrels, *RUNS, "-m", "AP")
    assert "TREC qrels" in core.run("check", qrels)
    core.run("report", qrels, *RUNS, "-o", tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text().count("<svg") >= 1


def test_what_is_missing_is_named(core: Given, tmp_path: Path) -> None:
    done = subprocess.run([str(core.program)], env=core.environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "irviewer: The window is not installed. Install it: pip install irviewer. The commands work without it; "
        "irviewer --help lists them.\n"
    )
    figure = ["curves", str(SAMPLE / "qrels.txt"), str(RUNS[0]), "-o", str(tmp_path / "c.pdf")]
    done = subprocess.run(
        [str(core.program), *figure], env=core.environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "pip install irviewer" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "c.pdf").exists()


def test_the_window_is_added_and_removed(core: Given, wheels: tuple[Path, Path]) -> None:
    """Without its libraries: only its own files come and go."""
    assert core.python is not None
    folder = core.python.parents[2]
    _pip(folder, "install", "--no-deps", wheels[1])
    assert core.run_python("import irviewer.installed.parts as p; print(p.has('irviewer.gui'))").strip() == "True"
    done = subprocess.run([str(core.program)], env=core.environment, capture_output=True, text=True, check=False)
    assert "The window is not installed" in done.stderr  # Qt is still missing
    _pip(folder, "uninstall", "-y", "irviewer")
    assert core.run_python("import irviewer.installed.parts as p; print(p.has('irviewer.gui'))").strip() == "False"
    assert "bm25_plain" in core.run("evaluate", SAMPLE / "qrels.txt", *RUNS, "-m", "AP")
    _pip(folder, "uninstall", "-y", "irviewer-core")
    assert not list((folder / "venv").rglob("irviewer*"))


def _interpreter(version: str) -> str | None:
    """Python of a version that runs here: on the path, or one of pyenv's."""
    of_pyenv = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python{version}"))
    for program in (shutil.which(f"python{version}"), *map(str, of_pyenv)):
        if program and subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0:
            return program
    return None


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_both_wheels_on_newer_pythons(version: str, wheels: tuple[Path, Path], tmp_path: Path) -> None:
    if "IRVIEWER_NEWER_PYTHONS" not in os.environ:
        pytest.skip("takes minutes, and hosted tests run on every Python: set IRVIEWER_NEWER_PYTHONS=1 to try it here")
    program = _interpreter(version)
    if program is None:
        pytest.skip(f"no Python {version} here: neither on the path nor among pyenv's")
    subprocess.run([program, "-m", "venv", str(tmp_path / "venv")], check=True)
    _pip(tmp_path, "install", "--retries", "10", *wheels)
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "QT_"))}
    given = Given(tmp_path / "venv" / "bin" / "irviewer", tmp_path, own, _python(tmp_path))
    assert given.run_python("import sys; print('%d.%d' % sys.version_info[:2])").strip() == version
    report = json.loads(given.run("evaluate", SAMPLE / "qrels.txt", *RUNS, "-m", "AP", "--format", "json"))
    expected = irviewer.evaluate(SAMPLE / "qrels.txt", RUNS, "AP")
    assert json.dumps(report).count(repr(float(expected.means[0, 0]))) >= 1
    picture = tmp_path / "window.png"
    given.run("--sample", "--size", "1280x800", "--screenshot", picture)
    assert len(colours(picture, (1280, 800))) > 200
