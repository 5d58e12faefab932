"""The day of a release, in a clone: what RELEASING.md asks of a person, then the steps of the workflow, in their shell.

Only those steps run that cost seconds; what the others call has tests of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
import yaml

from irviewer.version import VERSION

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[2]
NAMED = f"\n## [{VERSION}]" in (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n### ", 1)[0]
"""Whether the changelog begins with the version that the program names; else the next one has no name yet."""
COMING = VERSION if NAMED else f"{int(VERSION.partition('.')[0]) + 1}.0.0"
IDENTITY = {f"GIT_{who}_{what}": "a@b.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def _bash(script: str, folder: Path, **environment: str) -> str:
    """Run a script as the service does: it ends at the first command that fails."""
    known = {
        **os.environ, **IDENTITY, **environment, "GIT_CONFIG_GLOBAL": os.devnull,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }  # fmt: skip
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of what is committed, on which a person did what RELEASING.md says, but for the signature of the tag."""
    folder = tmp_path_factory.mktemp("day") / "irviewer"
    _bash(f'git clone -q --no-tags "{ROOT}" "{folder}"', ROOT)
    text = (folder / "packaging" / "RELEASING.md").read_text("utf-8").replace("1.2.3", COMING)
    (name,) = re.findall(r"`(python packaging/naming\.py [^`]+)`", text)
    (tag,) = re.findall(r"`(git tag [^`]+?) && git push [^`]+`", text)
    _bash(f"{name}\ngit commit -q -a -m 'Release'\n{tag.replace(' -s ', ' -a ')}", folder)
    return folder


def _step(job: str, start: str) -> str:
    """The shell of the step of a job whose name or command begins so."""
    jobs: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    (shell,) = (
        step["run"] for step in jobs[job]["steps"]
        if "run" in step and (step.get("name", "").startswith(start) or step["run"].startswith(start))
    )  # fmt: skip
    command: str = shell
    return command


def test_the_tag_of_the_day_is_the_release(tagged: Path) -> None:
    assert _bash(_step("index", "The tag is a version"), tagged, TAG=f"v{COMING}") == f"{COMING}\n"
    for job in ("linux", "macos", "windows"):
        assert _bash(_step(job, "python packaging/versions.py"), tagged) == f"{COMING}\n"
    assert _bash("git status --porcelain", tagged) == ""
    _bash(_step("linux", "echo"), tagged, GITHUB_ENV=str(tagged / "build.env"))
    assert re.fullmatch(r"SOURCE_DATE_EPOCH=\d{10}\n", (tagged / "build.env").read_text())


def test_the_files_that_name_a_version_are_well_formed_on_the_day(tagged: Path) -> None:
    citation = yaml.safe_load((tagged / "CITATION.cff").read_text("utf-8"))
    day = citation["date-released"].isoformat()
    assert citation["version"] == COMING
    assert f"\n## [{COMING}] - {day}\n" in (tagged / "CHANGELOG.md").read_text("utf-8")
    if shutil.which("appstreamcli"):
        _bash("appstreamcli validate --no-net resources/desktop/*.metainfo.xml", tagged)
    _bash("python -m pytest -n0 -q -p no:cacheprovider tests/test_community_files.py", tagged, PYTHONPATH=str(tagged))


def test_the_notes_lead_to_files_that_the_tag_has(tagged: Path) -> None:
    _bash(_step("index", "Notes of the release"), tagged)
    notes = (tagged / "notes.md").read_text("utf-8")
    new = notes.partition("## Ways in")[0]
    lines = [line for line in new.splitlines() if line.startswith("- ")]
    assert (10 if NAMED else 0) <= len(lines) <= 20
    links = re.findall(r"\]\((.+?)\)", notes)
    start = f"https://github.com/irviewer/irviewer/blob/v{COMING}/"
    assert links
    for link in links:
        assert link.startswith(start), link
        assert (tagged / link.removeprefix(start).partition("#")[0]).is_file(), link


def test_the_sums_are_those_of_all_files(tmp_path: Path) -> None:
    files = {"irviewer-1.2.3.msi": b"a", "irviewer 1.2.3.dmg": b"b", "irviewer.cdx.json": b"{}"}
    for name, data in files.items():
        (tmp_path / "files" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "files" / name).write_bytes(data)
    _bash(_step("draft", "Sums"), tmp_path)
    lines = (tmp_path / "files" / "SHA256SUMS").read_text().splitlines()
    assert sorted(lines) == sorted(f"{hashlib.sha256(data).hexdigest()}  {name}" for name, data in files.items())
    assert "OK" in _bash("cd files && sha256sum --check SHA256SUMS", tmp_path)


def test_the_list_of_packages_names_what_the_environment_has(tagged: Path) -> None:
    """Of an environment with one package, in place of the bundle's."""
    if shutil.which("jq") is None:
        pytest.skip("needs jq")
    venv.create(tagged / "build" / "venv", with_pip=False)
    (packages,) = (tagged / "build" / "venv" / "lib").glob("*/site-packages")
    (packages / "ranker-1.5.dist-info").mkdir()
    (packages / "ranker-1.5.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: ranker\nVersion: 1.5\n")
    (tagged / "dist").mkdir()
    _bash(_step("linux", "The packages of Python"), tagged)
    listed = json.loads((tagged / "dist" / "irviewer.cdx.json").read_text("utf-8"))
    assert (listed["bomFormat"], listed["metadata"]["component"]["name"]) == ("CycloneDX", "irviewer")
    assert listed["metadata"]["component"]["version"] == COMING
    assert [(each["name"], each["version"]) for each in listed["components"]] == [("ranker", "1.5")]
