"""The files for conda-forge, Flathub, winget and Homebrew: filled from a release's sums, and true to the sources."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
VERSION = "1.2.3"
FILES = (
    "irviewer_core-1.2.3.tar.gz", "irviewer-1.2.3.tar.gz", "irviewer_1.2.3_amd64.deb", "irviewer-1.2.3.msi",
    "irviewer.dmg",
)  # fmt: skip
SUMS = {name: f"{number:064x}" for number, name in enumerate(FILES, start=0xABC0)}


def _fill(folder: Path, sums: dict[str, str], version: str = VERSION) -> subprocess.CompletedProcess[str]:
    (folder / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))
    command = [
        sys.executable, str(ROOT / "packaging" / "channels.py"), "--version", version, "--maintainer", "someone",
        "--sums", str(folder / "SHA256SUMS"), "--output", str(folder / "filled"),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("channels")
    done = _fill(folder, SUMS)
    assert done.returncode == 0, done.stderr
    return folder / "filled"


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def _requirements(names: list[str]) -> dict[str, str]:
    """Name -> the first bound of its version, as of both indexes."""
    listed = {}
    for name in names:
        match = re.match(r"([A-Za-z0-9_-]+) ?(>=[0-9.]+)", name)
        if match:
            listed[match[1].lower()] = match[2]
    return listed


def test_files_have_their_sums(filled: Path) -> None:
    listed = {}
    for output in _yaml(filled / "conda-forge" / "recipe.yaml")["outputs"]:
        source = output["source"]
        listed[source["url"].replace("${{ version }}", VERSION)] = source["sha256"]
    (source,) = _yaml(filled / "flathub" / "org.irviewer.irviewer.yml")["modules"][0]["sources"]
    listed[source["url"]] = source["sha256"]
    (installer,) = _yaml(filled / "winget" / "irviewer.irviewer.installer.yaml")["Installers"]
    listed[installer["InstallerUrl"]] = installer["InstallerSha256"]
    cask = (filled / "homebrew" / "irviewer.rb").read_text("utf-8")
    texts = dict(re.findall(r'^  (version|sha256|url) "(.*)"$', cask, re.M))
    assert texts["version"] == VERSION
    listed[texts["url"].replace("#{version}", VERSION)] = texts["sha256"]
    start = f"https://github.com/irviewer/irviewer/releases/download/v{VERSION}/"
    assert listed == {start + name: digest for name, digest in SUMS.items()}
    for path in filled.rglob("*"):
        assert not (path.is_file() and re.search("@[A-Z]", path.read_text("utf-8"))), path


def test_a_sum_that_is_missing_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    done = _fill(tmp_path, {name: digest for name, digest in SUMS.items() if name != "irviewer.dmg"})
    assert done.returncode == 1
    assert done.stderr.startswith("no sum of irviewer.dmg:")
    assert not (tmp_path / "filled").exists()


@pytest.mark.parametrize("version", ["1.2.3.dev4+gabc1234", "1.2.3rc1", "v1.2.3"])
def test_only_a_release_is_submitted(version: str, tmp_path: Path) -> None:
    done = _fill(tmp_path, SUMS, version)
    assert (done.returncode, done.stdout) == (1, "")
    assert "is no release" in done.stderr


def test_conda_asks_for_what_the_wheels_ask_for(filled: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    core, window = _yaml(filled / "conda-forge" / "recipe.yaml")["outputs"]
    run = core["requirements"]["run"] + window["requirements"]["run"]
    names = {"pyside6": "pyside6-essentials", "matplotlib-base": "matplotlib"}
    asked = {names.get(name, name): bound for name, bound in _requirements(run).items()}
    assert asked == _requirements(project["dependencies"])
    assert {output["about"]["license"] for output in (core, window)} == {project["license"]}


def test_others_know_the_program_by_the_names_that_it_has(filled: Path) -> None:
    flatpak = _yaml(filled / "flathub" / "org.irviewer.irviewer.yml")
    desktop = ROOT / "resources" / "desktop"
    assert (desktop / f"{flatpak['id']}.metainfo.xml").is_file()
    assert (desktop / flatpak["rename-desktop-file"]).is_file()
    assert (desktop / flatpak["rename-mime-file"]).is_file()
    assert not [right for right in flatpak["finish-args"] if "network" in right]


def test_the_cask_is_ruby(filled: Path) -> None:
    if shutil.which("ruby") is None:
        pytest.skip("needs ruby")
    subprocess.run(["ruby", "-c", filled / "homebrew" / "irviewer.rb"], check=True, capture_output=True)


def test_workflows_are_of_the_schema_of_the_service() -> None:
    pytest.importorskip("check_jsonschema", reason="needs irviewer[release]")
    paths = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        *map(str, paths),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
