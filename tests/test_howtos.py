"""The how-tos of CONTRIBUTING.md are complete: applied to a copy of the tree, all of them together, they are well
formed, and the tests that they contain pass.

A block of Python begins with a comment that names its file. A block ``diff`` begins with the name of a file; then come
lines as they stand there (after a space), lines that go (-) and lines that come (+); @@ parts places of one file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from patience import LONG_PROCESS

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
HOWTOS = GUIDE.split("\n## How-tos\n", 1)[1]
NEW = re.compile(r"```python\n# (\S+\.py)\n(.*?)```", re.S)
CHANGED = re.compile(r"```diff\n(\S+\.(?:py|md))\n(.*?)```", re.S)
ASKED = [
    "a measure", "a file format", "a plot to a view", "a view", "a command of the command line",
    "an action of the window", "a result computed in the background",
]  # fmt: skip
CONCERNED = (
    "tests/measures/test_measures.py::test_every_family_has_a_brute_force_counterpart",
    "tests/analysis/explain/test_ledger.py::test_every_family_is_tested",
)
"""Tests of ours that ask something of every measure: a how-to that forgets it is no complete change."""
STRUCTURE = (
    "tests/test_house.py",
    "tests/test_imports.py",
    "tests/test_translation.py",
    "tests/words",
    "tests/commands",
    "tests/session/test_parts_alone.py",
    "tests/cli/commands/test_help.py",
    "tests/formats/test_registry.py",
)
"""Tests that ask something of every module, text, action, part of the session, command or format."""


def changed(text: str, difference: str) -> str:
    """A file's text after a difference; each of its places must be in it once."""
    for hunk in re.split(r"^@@\n", difference, flags=re.M):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        assert text.count(before) == 1, f"stands there {text.count(before)} times:\n{before}"
        text = text.replace(before, after)
    return text


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with every how-to applied."""
    folder = tmp_path_factory.mktemp("howtos") / "irviewer"
    names = (".venv", ".git", "build", "dist", "__pycache__", "data", "pictures", ".mypy_cache", ".ruff_cache")
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*names))
    for name in ("tests/data", "packaging/pictures"):
        (folder / name).symlink_to(ROOT / name)
    for name, text in NEW.findall(HOWTOS):
        assert not (folder / name).exists(), name
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, difference in CHANGED.findall(HOWTOS):
        path = folder / name
        path.write_text(changed(path.read_text("utf-8"), difference), encoding="utf-8")
    return folder


def _run(tree: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=LONG_PROCESS,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_tests_of_the_how_tos_pass(tree: Path) -> None:
    tests = [name for name, _ in NEW.findall(HOWTOS) if name.startswith("tests/")]
    assert len(tests) == len(ASKED)
    assert re.search(r"^[0-9]+ passed", _run(tree, "pytest", "-q", "-n0", *tests, *CONCERNED), re.M)


@pytest.mark.slow
def test_a_tree_with_the_how_tos_passes_the_structural_tests(tree: Path) -> None:
    _run(tree, "tests.words")
    assert re.search(r"^[0-9]+ passed", _run(tree, "pytest", "-q", "-n0", *STRUCTURE), re.M)


def test_the_code_of_the_how_tos_is_in_the_style_of_the_rest(tree: Path) -> None:
    names = [name for name, _ in (*NEW.findall(HOWTOS), *CHANGED.findall(HOWTOS)) if name.endswith(".py")]
    _run(tree, "ruff", "check", *names)
    _run(tree, "ruff", "format", "--check", *names)


def test_there_is_a_how_to_for_each_thing_that_is_added_often() -> None:
    assert re.findall(r"^### Add (.*)$", HOWTOS, re.M) == ASKED
    for section in HOWTOS.split("\n### ")[1:]:
        assert any(name.startswith("tests/") for name, _ in NEW.findall(section)), section.split("\n", 1)[0]


def test_all_code_of_the_how_tos_names_its_file() -> None:
    assert len(re.findall(r"^```(?:python|diff)$", HOWTOS, re.M)) == len(NEW.findall(HOWTOS)) + len(
        CHANGED.findall(HOWTOS)
    )


def test_a_place_that_is_not_there_once_is_reported() -> None:
    assert changed("a\nb\nc\n", " a\n-b\n+x\n@@\n c\n+d\n") == "a\nx\nc\nd\n"
    with pytest.raises(AssertionError, match="stands there 2 times"):
        changed("a\na\n", " a\n+b\n")
    with pytest.raises(AssertionError, match="stands there 0 times"):
        changed("a\n", "-b\n")


def test_the_map_names_every_package() -> None:
    table = GUIDE.split("## Where things are", 1)[1].split("\n## ", 1)[0]
    named = set(re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in table.splitlines() if "|" in line)))
    packages = {path.stem for path in (ROOT / "irviewer").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert named == packages - {"__init__", "__pycache__", "package", "resources"}


def test_what_it_links_to_is_there() -> None:
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", GUIDE) if "://" not in link]
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_picture_of_the_layers_is_the_contract_of_the_imports() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0]
    assert contract["type"] == "layers"
    wanted = [[name.strip().removeprefix("irviewer.") for name in row.split("|")] for row in contract["layers"]]
    picture = ARCHITECTURE.split("```text\n", 1)[1].split("```", 1)[0]
    rows = [[cell.split()[0] for cell in line.strip("│").split("│")] for line in picture.splitlines() if line[0] == "│"]
    assert [row for row in rows if any(set(row) & set(pair) for pair in wanted)] == wanted


def test_the_roads_pass_modules_that_are_there() -> None:
    roads = "".join(ARCHITECTURE.split("```text\n")[2:])
    top = "|".join(path.name for path in (ROOT / "irviewer").iterdir() if path.is_dir())
    named = set(re.findall(rf"\b((?:{top})(?:\.\w+)+)", roads))
    assert len(named) > 15

    def is_listed(name: str) -> bool:
        path = ROOT / "irviewer" / name.replace(".", "/")
        return path.is_dir() or path.with_suffix(".py").is_file()

    # A last word may be a method, as that of the store.
    assert sorted(name for name in named if not is_listed(name) and not is_listed(name.rpartition(".")[0])) == []
