"""What a package index gets: metadata and a page that others can read, and sources that give the same wheels."""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two wheels and two archives of sources, which twine has checked."""
    pytest.importorskip("twine", reason="needs irviewer[release]")
    folder = tmp_path_factory.mktemp("index")
    command = [sys.executable, str(ROOT / "packaging" / "release.py"), "--output", str(folder), "--version", "0.9.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 4
    return folder


def _page(wheel: Path) -> email.message.Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return email.message_from_string(archive.read(name).decode("utf-8"))


def test_pictures_and_links_of_the_page_lead_somewhere(built: Path) -> None:
    for wheel in built.glob("*.whl"):
        page = _page(wheel)
        targets = re.findall(r"\]\(([^)]+)\)", str(page.get_payload(decode=False)))
        assert len(targets) > 5
        for target in targets:
            kept = re.fullmatch(
                r"https://(?:raw\.githubusercontent\.com/irviewer/irviewer|github\.com/irviewer/irviewer/blob)/v0\.9\.1/(.+)",
                target,
            )
            assert target.startswith(("https://", "#")), target
            if kept:
                assert (ROOT / kept.group(1).partition("#")[0]).is_file(), target


def test_metadata(built: Path) -> None:
    for wheel in built.glob("*.whl"):
        page = _page(wheel)
        stated = "MIT AND OFL-1.1 AND NIST-Software AND CC0-1.0"
        assert (page["License-Expression"], page["Requires-Python"]) == (stated, ">=3.11")
        with zipfile.ZipFile(wheel) as archive:
            texts = {name.rpartition("/")[2] for name in archive.namelist() if "/licenses/LICENSES/" in name}
        assert {f"{name}.txt" for name in stated.split(" AND ")} == texts
        assert {line.partition(",")[0] for line in page.get_all("Project-URL", [])} >= {"Source", "Issues", "Changelog"}
        kinds = page.get_all("Classifier", [])
        assert len(kinds) > 10
        # No window: no desktop.
        desktops = {kind for kind in kinds if kind.startswith("Environment ::")} - {"Environment :: Console"}
        assert bool(desktops) == (page["Name"] == "irviewer")
        assert page["Description-Content-Type"] == "text/markdown"


def test_nothing_of_cranfield_goes_to_an_index(built: Path) -> None:
    """Its texts state no licence: neither in wheels nor in their archives of sources."""
    assert len(list(built.iterdir())) == 4
    for path in built.iterdir():
        if path.suffix == ".whl":
            names = zipfile.ZipFile(path).namelist()
        else:
            with tarfile.open(path) as opened:
                names = opened.getnames()
        assert any("samples/fables/qrels.txt" in name for name in names) == ("core" in path.name)
        assert [name for name in names if "cranfield" in name.lower()] == []


def test_sources_give_the_same_wheels(built: Path, tmp_path: Path) -> None:
    for archive in built.glob("*.tar.gz"):
        with tarfile.open(archive) as opened:
            opened.extractall(tmp_path, filter="data")
        tree = tmp_path / archive.name.removesuffix(".tar.gz")
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(tree)]
        subprocess.run(command, check=True, capture_output=True)
        (wheel,) = tmp_path.glob(f"{archive.name.removesuffix('.tar.gz')}-*.whl")
        names = [set(zipfile.ZipFile(path).namelist()) for path in (wheel, built / wheel.name)]
        assert names[0] == names[1]


def test_every_file_has_a_licence() -> None:
    """By the tool that the specification of REUSE.toml comes with."""
    pytest.importorskip("reuse", reason="needs irviewer[release]")
    done = subprocess.run(
        [sys.executable, "-m", "reuse", "lint"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
