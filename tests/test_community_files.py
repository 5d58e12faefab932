"""The files that a hosting service and contributors read: they parse, and they agree with pyproject.toml and README."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from irviewer.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def _yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_workflow_runs_readmes_tests_on_every_supported_version_and_system() -> None:
    workflow = _yaml(".github/workflows/tests.yml")
    job = workflow["jobs"]["tests"]
    versions = job["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13"]
    assert all(isinstance(version, str) for version in versions)  # 3.10 as a number would be 3.1
    assert f">={versions[0]}" == PROJECT["requires-python"]
    assert {system.split("-")[0] for system in job["strategy"]["matrix"]["os"]} == {"ubuntu", "macos", "windows"}
    commands = [step["run"].strip() for step in job["steps"] if "run" in step]
    assert 'python -m pip install -e ".[test]"' in commands
    assert "python -m pytest" in commands


def test_the_workflow_installs_readmes_first_list_of_system_packages() -> None:
    steps = _yaml(".github/workflows/tests.yml")["jobs"]["tests"]["steps"]
    installed = next(step["run"] for step in steps if "apt-get install" in step.get("run", "")).split("recommends", 1)[
        1
    ]
    readme = (ROOT / "README.md").read_text("utf-8")
    first = next(line for line in readme.splitlines() if line.startswith("sudo apt-get install "))
    assert {"git", "python3-venv"} | set(installed.split()) == set(first.split()[3:])


def test_the_citation_names_this_project() -> None:
    citation = _yaml("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == VERSION
    assert citation["license"] == PROJECT["license"].split(" AND ")[0]  # that of the program itself
    assert citation["authors"]


def test_the_hooks_before_a_commit_are_tools_of_the_test_environment() -> None:
    hooks = [hook for repository in _yaml(".pre-commit-config.yaml")["repos"] for hook in repository["hooks"]]
    tools = {hook["name"].split()[0] for hook in hooks}
    needed = {line.split(">")[0].split("=")[0] for line in PROJECT["optional-dependencies"]["test"]}
    assert tools == {"ruff", "mypy", "import-linter"}
    assert tools <= needed


def test_the_changelog_tells_each_kind_of_change_of_a_version_once() -> None:
    """As Keep a Changelog has it; the newest version stands first, what is not released above it."""
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.M)[1:]
    names = [section.split("\n", 1)[0] for section in versions]
    coming = ["[Unreleased]", f"[{VERSION}] - unreleased"]
    released = names[1:] if names[0] in coming else names
    assert names[0] == coming[1] or released[0].startswith(f"[{VERSION}]")
    assert not [name for name in released if not re.fullmatch(r"\[\d+\.\d+\.\d+\](?: - \d{4}-\d\d-\d\d)?", name)]
    for section in versions:
        kinds = re.findall(r"^### (.*)$", section, re.M)
        assert kinds == [kind for kind in KINDS if kind in kinds]


def test_every_file_has_a_licence_whose_text_is_there() -> None:
    """What is given away has the licences that the project states: those of the program, its fonts and samples. The
    sample Cranfield, whose texts state none, is not given away."""
    annotations = tomllib.loads((ROOT / "REUSE.toml").read_text("utf-8"))["annotations"]
    assert annotations[0]["path"] == "**"
    texts = {path.stem for path in (ROOT / "LICENSES").iterdir()}
    assert {each["SPDX-License-Identifier"] for each in annotations} == texts
    given: list[str] = []
    for each in annotations:
        paths = [each["path"]] if isinstance(each["path"], str) else each["path"]
        for path in paths:
            assert path == "**" or any(ROOT.glob(path)), f"no file is {path}"
        if any(path == "**" or path.startswith("resources/") for path in paths if "samples/cranfield/" not in path):
            given.append(each["SPDX-License-Identifier"])
    assert " AND ".join(dict.fromkeys(given)) == PROJECT["license"]
    metainfo = (ROOT / "resources" / "desktop" / "org.irviewer.irviewer.metainfo.xml").read_text("utf-8")
    # AppStream's list of licences lacks this one.
    stated = PROJECT["license"].replace("NIST-Software", "LicenseRef-NIST-Software")
    assert f"<project_license>{stated}</project_license>" in metainfo
    assert (ROOT / "LICENSES" / "MIT.txt").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert (ROOT / "LICENSES" / "OFL-1.1.txt").read_bytes() == (ROOT / "resources" / "fonts" / "OFL.txt").read_bytes()
    fables = ROOT / "resources" / "samples" / "fables"
    assert (ROOT / "LICENSES" / "CC0-1.0.txt").read_bytes() == (fables / "LICENSE.txt").read_bytes()


def test_templates_of_issues_are_forms_that_parse() -> None:
    """As the hosting service wants them: a name, a description, and fields with ids that differ."""
    folder = ROOT / ".github" / "ISSUE_TEMPLATE"
    forms = [path for path in sorted(folder.glob("*.yml")) if path.name != "config.yml"]
    assert len(forms) == 3
    for path in forms:
        form = yaml.safe_load(path.read_text("utf-8"))
        assert {"name", "description", "body"} <= form.keys(), path
        ids = [field["id"] for field in form["body"]]
        assert len(set(ids)) == len(ids)
        assert all(field["type"] in ("textarea", "input") and field["attributes"]["label"] for field in form["body"])
    (link,) = _yaml(".github/ISSUE_TEMPLATE/config.yml")["contact_links"]
    assert link["url"].startswith(PROJECT["urls"]["Source"])
    assert (ROOT / "SECURITY.md").is_file()


def test_a_pull_request_is_asked_for_the_commands_of_contributing() -> None:
    template = (ROOT / ".github" / "pull_request_template.md").read_text("utf-8")
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8") + (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    for command in ("python -m pytest", "ruff check", "ruff format", "mypy", "python -m tests.words"):
        assert command in template
        assert command in guide
