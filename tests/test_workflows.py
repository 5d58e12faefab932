"""The workflows of the repository: actions are pinned by their commit, scripts exist, rights are few."""

from __future__ import annotations

import re
import shutil
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")
WRITERS = {"draft", "site"}
"""Jobs that change something in the repository or on the site."""


def _jobs(path: Path) -> dict[str, dict[str, Any]]:
    jobs: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))["jobs"]
    return jobs


def _commands(path: Path) -> list[str]:
    return [step["run"] for job in _jobs(path).values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_a_commit(path: Path) -> None:
    used = re.findall(r"uses: *(.+)", path.read_text("utf-8"))
    assert used
    assert [name for name in used if not PINNED.fullmatch(name)] == []


def test_one_action_has_one_commit() -> None:
    used = {name for path in WORKFLOWS for name in re.findall(r"uses: *(.+)", path.read_text("utf-8"))}
    assert len({name.partition("@")[0] for name in used}) == len(used)


def test_scripts_are_in_the_repository() -> None:
    scripts = {name for path in WORKFLOWS for text in _commands(path) for name in re.findall(r"[\w/.]+\.py\b", text)}
    assert {"packaging/versions.py", "packaging/msi.py"} <= scripts
    assert [name for name in scripts if not (ROOT / name).is_file()] == []


def test_programs_that_are_installed_for_a_step_are_pinned() -> None:
    """Beside the project itself: another version could do, or upload, other things."""
    lines = [
        line for path in WORKFLOWS for text in _commands(path) for line in text.splitlines() if "pip install" in line
    ]
    named = [word.strip('"') for line in lines for word in line.split("pip install", 1)[1].split() if word[0] != "-"]
    named = [word for word in named if not word.startswith(".[")]
    assert {"cyclonedx-bom", "twine"} == {re.split(r"[=<>]", word)[0] for word in named}
    assert [word for word in named if not re.fullmatch(r"[\w-]+==[\w.]+", word)] == []


def test_the_tag_of_a_release_is_checked_before_anything_is_made() -> None:
    commands = [
        step["run"] for step in _jobs(ROOT / ".github" / "workflows" / "release.yml")["index"]["steps"] if "run" in step
    ]
    assert commands[0] == 'python packaging/versions.py --tag "$TAG"'


def test_texts_from_outside_reach_no_shell() -> None:
    """An expression inside a command is replaced before the shell reads it: a tag's name could be a command."""
    assert [text for path in WORKFLOWS for text in _commands(path) if "${{" in text] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_only_what_publishes_may_write(path: Path) -> None:
    content = yaml.safe_load(path.read_text("utf-8"))
    for name, job in content["jobs"].items():
        rights = job.get("permissions", content["permissions"])
        writes = {right for right, level in rights.items() if level == "write"} - {"id-token"}
        assert bool(writes) == (name in WRITERS), name
        assert ("id-token" in rights) == (name in WRITERS | {"publish"}), name


def test_a_release_is_published_when_all_is_made_and_a_user_approves() -> None:
    jobs = _jobs(ROOT / ".github" / "workflows" / "release.yml")
    makers = {name for name in jobs if name not in ("draft", "publish")}
    assert makers == {"index", "linux", "macos", "windows", "msi"}
    assert set(jobs["draft"]["needs"]) == makers - {"windows"}
    assert jobs["msi"]["needs"] == "windows"
    assert (jobs["publish"]["needs"], jobs["publish"]["environment"]) == ("draft", "pypi")
    for name in makers:
        (checkout,) = (step for step in jobs[name]["steps"] if step.get("uses", "").startswith("actions/checkout@"))
        assert checkout["with"]["fetch-depth"] == 0, "the version is counted from the tag"


def test_the_draft_has_what_is_given_away_and_nothing_else() -> None:
    """The folder of Windows goes from job to job only: its files by thousands are no files of a release."""
    jobs = _jobs(ROOT / ".github" / "workflows" / "release.yml")
    steps = [step for job in jobs.values() for step in job["steps"]]
    uploads = {step["with"]["name"] for step in steps if "upload-artifact@" in step.get("uses", "")}
    kept = {f"release-{system}" for system in ("index", "linux", "macos", "windows")}
    assert uploads == kept | {"folder-of-windows", "notes"}
    taken, notes = (step for step in jobs["draft"]["steps"] if "download-artifact@" in step.get("uses", ""))
    assert notes["with"] == {"name": "notes"}
    assert {name for name in uploads if fnmatchcase(name, taken["with"]["pattern"])} == kept
    named = {step["with"].get("name") for step in steps if "download-artifact@" in step.get("uses", "")} - {None}
    assert named <= uploads


def test_actionlint_finds_nothing() -> None:
    if shutil.which("actionlint") is None:
        pytest.skip("needs actionlint")
    done = subprocess.run(["actionlint", *map(str, WORKFLOWS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
