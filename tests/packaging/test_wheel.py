"""The wheel in an empty environment finds everything that it needs."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from given import Given, colours

import irviewer

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "resources" / "samples" / "cranfield"


def test_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    shipped = {name for name in names if name.startswith("irviewer/resources/")}
    own = {
        f"irviewer/resources/{path.relative_to(ROOT / 'resources').as_posix()}"
        for path in (ROOT / "resources").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert shipped == own
    assert {name.split("/")[0] for name in names} == {"irviewer", f"irviewer-{_version()}.dist-info"}


def _version() -> str:
    command = [sys.executable, str(ROOT / "packaging" / "versions.py")]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_its_version_is_that_of_the_checkout_and_the_program_says_it(wheel: Path, installed: Given) -> None:
    assert wheel.name == f"irviewer-{_version()}-py3-none-any.whl"
    assert installed.run("--version") == f"irviewer {_version()}\n"


def test_resources_are_the_installed_ones(installed: Given) -> None:
    samples = Path(installed.run_python("from irviewer.paths import resource; print(resource('samples'))").strip())
    assert samples.is_relative_to(installed.folder)


def test_evaluate_sample(installed: Given) -> None:
    code = (
        "import irviewer; from irviewer.paths import resource; folder = resource('samples/cranfield');"
        "runs = sorted((folder / 'runs').iterdir());"
        "print(repr(irviewer.evaluate(folder / 'qrels.txt', runs, 'official').means.tolist()))"
    )
    expected = irviewer.evaluate(SAMPLE / "qrels.txt", sorted((SAMPLE / "runs").iterdir()), "official")
    assert installed.run_python(code).strip() == repr(expected.means.tolist())


def test_command_line(installed: Given) -> None:
    run = SAMPLE / "runs" / "bm25_plain.run.gz"
    output = installed.run("evaluate", SAMPLE / "qrels.txt", run, "--format", "trec", "-m", "map")
    mean = irviewer.evaluate(SAMPLE / "qrels.txt", run, "map").mean("map")
    assert output == f"{'map':22}\tall\t{mean:.4f}\n"


@pytest.mark.parametrize("sample", ["cranfield", "fables", "trec"])
@pytest.mark.parametrize("place", ["systems", "queries", "query"])
def test_screenshot(installed: Given, tmp_path: Path, sample: str, place: str) -> None:
    picture = tmp_path / "window.png"
    installed.run("--sample", sample, "--place", place, "--size", "1280x800", "--screenshot", picture)
    assert len(colours(picture, (1280, 800))) > 200
