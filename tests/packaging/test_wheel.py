"""The wheel in an empty environment finds everything that it needs."""

from __future__ import annotations

import email
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from given import Given, colours

import irviewer

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "resources" / "samples" / "fables"


def test_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    shipped = {name for name in names if name.startswith("irviewer/resources/")}
    own = {
        f"irviewer/resources/{path.relative_to(ROOT / 'resources').as_posix()}"
        for path in (ROOT / "resources").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and "cranfield" not in str(path.relative_to(ROOT))
    }
    assert shipped == own
    assert [name for name in names if "cranfield" in name.lower()] == []
    assert {name.split("/")[0] for name in names} == {"irviewer", f"irviewer-{_version()}.dist-info"}


def test_every_file_has_a_licence_whose_text_is_inside(wheel: Path, tmp_path: Path) -> None:
    """By the tool that the specification of REUSE.toml comes with, on what the wheel has, where the source has it. Each
    licence that the wheel states is that of a file, and no file has another."""
    pytest.importorskip("reuse", reason="needs irviewer[release]")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "wheel")
    tree, (notes,) = tmp_path / "tree", (tmp_path / "wheel").glob("*.dist-info")
    shutil.copytree(tmp_path / "wheel" / "irviewer", tree / "irviewer")
    shutil.move(tree / "irviewer" / "resources", tree / "resources")
    shutil.copytree(notes / "licenses" / "LICENSES", tree / "LICENSES")
    shutil.copy(ROOT / "REUSE.toml", tree)
    command = [sys.executable, "-m", "reuse", "lint", "--json"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    used = json.loads(done.stdout)["summary"]["used_licenses"]
    stated = email.message_from_string((notes / "METADATA").read_text("utf-8"))["License-Expression"]
    assert set(used) == set(stated.split(" AND "))


def test_the_program_says_where_cranfield_is(installed: Given) -> None:
    done = subprocess.run(
        [str(installed.program), "sample", "cranfield"],
        cwd=installed.folder, env=installed.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "in resources/samples/cranfield" in done.stderr


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
        "import irviewer; from irviewer.paths import resource; folder = resource('samples/fables');"
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


@pytest.mark.parametrize("sample", ["fables", "trec"])
@pytest.mark.parametrize("place", ["systems", "queries", "query"])
def test_screenshot(installed: Given, tmp_path: Path, sample: str, place: str) -> None:
    picture = tmp_path / "window.png"
    installed.run("--sample", sample, "--place", place, "--size", "1280x800", "--screenshot", picture)
    assert len(colours(picture, (1280, 800))) > 200
