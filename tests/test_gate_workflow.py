"""The workflow of the how-to, the action and the hooks: each step's shell, in order, with failures and conditions."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
HOWTO = (ROOT / "docs" / "howto" / "gate_a_build.md").read_text("utf-8")
ACTION = yaml.safe_load((ROOT / ".github" / "actions" / "gate" / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
GATE = 'schema = 1\nbaseline = "runs/bm25_plain.run.gz"\nprotocol = { rules = { unjudged = "complete" } }\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A copy of the sample, with ``irviewer`` and a ``python`` that notes what it is asked to install."""
    folder = tmp_path / "sample"
    shutil.copytree(ROOT / "resources" / "samples" / "fables", folder)
    programs = tmp_path / "bin"
    programs.mkdir()
    commands = {
        "irviewer": f'exec {shlex.quote(sys.executable)} -m irviewer "$@"', "python": f'echo "$@" >> {tmp_path}/asked',
    }  # fmt: skip
    for name, command in commands.items():
        (programs / name).write_text(f"#!/bin/bash\n{command}\n")
        (programs / name).chmod(0o755)
    return folder


def run_steps(steps: list[dict[str, Any]], place: Path, **more: str) -> tuple[list[int | None], str]:
    """Run the steps as a runner does: after a failure only those whose ``if`` says so. Returns the status of each, None
    for one that was skipped, and what was printed."""
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{place.parent / 'bin'}:{os.environ['PATH']}", **more,
        "GITHUB_STEP_SUMMARY": str(place / "summary.md"), "GITHUB_OUTPUT": str(place / "output"),
    }  # fmt: skip
    statuses: list[int | None] = []
    printed = ""
    for step in steps:
        failed = any(statuses)
        wanted = {None: not failed, "always()": True, "failure()": failed}[step.get("if")]
        if "run" not in step or not wanted:
            statuses.append(None)
            continue
        given = {name: more[value[3:-3].strip().removeprefix("inputs.").upper()]
                 for name, value in step.get("env", {}).items()}  # fmt: skip
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=place,
            env={**environment, **given}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        statuses.append(done.returncode)
        printed += done.stdout + done.stderr
    return statuses, printed


@pytest.mark.parametrize(
    ("condition", "status", "word"),
    [("nDCG@10 > -0.01", 0, "PASSED"), ("nDCG@10 > +0.2", 1, "FAILED"), ("nDCG@10 > +0.1", 2, "UNDECIDED")],
)
def test_the_result_is_shown_whatever_it_is(place: Path, condition: str, status: int, word: str) -> None:
    (block,) = re.findall(r"^```yaml\n(.*?)^```", HOWTO, re.M | re.S)
    steps = yaml.safe_load(block.replace("nDCG@10 > -0.01", condition))["steps"]
    statuses, printed = run_steps(steps, place)
    assert statuses == [None, 0, status, 0]
    assert "### " + word in printed
    assert f"### {word}" in (place / "summary.md").read_text()
    level = {0: "notice", 1: "error", 2: "warning"}[status]
    assert re.search(rf"^::{level} title=Gate::{word}: fusion_rrf against bm25_plain$", printed, re.M)


@pytest.mark.parametrize(("condition", "status"), [("nDCG@10 >= 0.5", 0), ("nDCG@10 >= 0.9", 1)])
@pytest.mark.parametrize("wheel", ["", "a core.whl"])
def test_the_action(place: Path, condition: str, status: int, wheel: str) -> None:
    (place / "gate.toml").write_text(f'{GATE}require = ["{condition}"]\n')
    assert ACTION["inputs"]["conditions"]["default"] == "gate.toml"
    action = place.parent / "repository" / ".github" / "actions" / "gate"
    action.mkdir(parents=True)
    (action.parents[2] / "dist").mkdir()
    (action.parents[2] / "dist" / "irviewer_core-1-py3-none-any.whl").touch()
    statuses, printed = run_steps(
        ACTION["runs"]["steps"], place, QRELS="qrels.txt", RUN="runs/fusion_rrf.run.gz", CONDITIONS="gate.toml",
        WHEEL=wheel, GITHUB_ACTION_PATH=str(action),
    )  # fmt: skip
    assert statuses == [0, status], printed
    assert (place / "output").read_text() == f"status={status}\n"
    assert (place / "gate.md").exists()
    assert (place / "gate.xml").exists()
    asked = (place.parent / "asked").read_text().splitlines()
    assert asked[-1] == f"-m pip install --quiet --no-compile {wheel or 'dist/irviewer_core-1-py3-none-any.whl'}"
    assert ("packaging/wheels.py" in asked) == (not wheel)
    assert (ROOT / "packaging" / "wheels.py").is_file()


@pytest.mark.parametrize(
    ("condition", "reason"), [("nDCG@10 >", "gate.toml:4:12: "), ("100 % nDCGG@10 >= 0.5", "gate.toml:4:12: ")]
)
def test_the_action_without_a_result_says_why(place: Path, condition: str, reason: str) -> None:
    """An error ends with status 2, as an undecided gate does; what an earlier step left is no result."""
    (place / "gate.toml").write_text(f'{GATE}require = ["{condition}"]\n')
    (place / "gate.md").write_text("### PASSED\n")
    statuses, printed = run_steps(
        ACTION["runs"]["steps"][1:], place, QRELS="qrels.txt", RUN="runs/fusion_rrf.run.gz", CONDITIONS="gate.toml"
    )
    assert statuses == [2], printed
    assert (place / "output").read_text() == "status=2\n"
    (annotation,) = re.findall(r"^::error title=Gate::NO RESULT: (.*)$", printed, re.M)
    assert reason in annotation
    assert "%" not in annotation.replace("%25", "")
    for name in ("gate.md", "summary.md"):
        said = (place / name).read_text()
        assert said.startswith("### NO RESULT\n")
        assert annotation.replace("%25", "%") in said


def test_the_action_installs_what_the_core_imports() -> None:
    """The script that makes the wheels imports the core."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    names = {re.split(r"[^\w-]", text)[0] for text in wanted} - {"PySide6-Essentials", "pyqtgraph", "matplotlib"}
    assert names <= set(ACTION["runs"]["steps"][0]["run"].split())


def test_the_hooks(place: Path) -> None:
    (place / "gate.toml").write_text(f'{GATE}require = ["nDCG@10 >= 0.5"]\n')
    check, gate = (hook["entry"] for hook in HOOKS)
    more = "qrels.txt runs/fusion_rrf.run.gz --conditions gate.toml"
    statuses, printed = run_steps([{"run": f"{check} qrels.txt"}, {"run": f"{gate} {more}"}], place)
    assert statuses == [0, 0], printed
