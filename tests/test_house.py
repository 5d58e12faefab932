"""The rules of the house: style, types, who may import whom, and a README that says what is run."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from irviewer.commands import COMMANDS
from irviewer.commands.menus import GROUPS, MOST_ENTRIES
from irviewer.gui.platform_check import ALWAYS, XCB

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
README = (ROOT / "README.md").read_text("utf-8")
CI = (ROOT / ".ci" / "run").read_text("utf-8")
MODULES = {
    "PySide6-Essentials": "PySide6",
    "PyYAML": "yaml",
    "markdown-it-py": "markdown_it",
    "pytest-qt": "pytestqt",
    "import-linter": "importlinter",
    "scikit-learn": "sklearn",
    "pyinstaller": "PyInstaller",
}
"""Distributions whose module has another name than theirs."""


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def _ruff(*words: str, remedy: str) -> None:
    command = (sys.executable, "-m", "ruff", *words, ".")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(f"{done.stdout}{done.stderr}{remedy}", pytrace=False)


def _sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(path for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)


def _names(requirements: list[str]) -> list[str]:
    return [re.match(r"[\w.-]+", requirement).group() for requirement in requirements]  # type: ignore[union-attr]


def _commands() -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()]


def test_style() -> None:
    _ruff("check", remedy="ruff check --fix . mends most of it; the rest by hand")


def test_format() -> None:
    _ruff("format", "--check", remedy="ruff format . mends it")


@pytest.mark.slow
def test_types() -> None:
    _run(sys.executable, "-m", "mypy")


def test_imports_go_down_only() -> None:
    _run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")


def test_the_root_holds_packages_and_the_modules_that_all_may_import() -> None:
    modules = {path.stem for path in (ROOT / "irviewer").glob("*.py")}
    assert modules == {"__init__", "__main__", "errors", "hidden_characters", "paths", "translation", "version"}


def test_what_subclasses_must_have_is_abstract() -> None:
    """A method that raises NotImplementedError is missed when it is called; an abstract one when an object is made."""
    stubs = [
        path.relative_to(ROOT).as_posix()
        for path in _sources("irviewer")
        if re.search(r"\braise NotImplementedError\b", path.read_text("utf-8"))
    ]
    assert stubs == []


def test_signals_are_connected_to_bound_methods() -> None:
    """A lambda or a partial keeps its object alive, and is called after the object has gone."""
    lines = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in _sources("irviewer/gui")
        for match in re.finditer(r"connect\(\s*(?:lambda|(?:functools\.)?partial)\b", path.read_text("utf-8"))
    ]
    assert lines == []


def test_no_test_can_fail_because_the_machine_is_busy() -> None:
    """Clocks decide in tests/benchmarks only; a wait ends at what it waits for, or after helpers/patience's limits."""
    hasty = re.compile(r"\b(?:perf_counter|process_time|thread_time|timeit)\b|timeout=\d[\d_]*\b(?!\.)")
    lines = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in _sources("tests")
        for match in hasty.finditer(path.read_text("utf-8"))
        if "benchmarks" not in path.parts and path != Path(__file__).resolve()
    ]
    assert lines == []


@pytest.mark.parametrize("distribution", sorted(set(_names(PROJECT["project"]["dependencies"]))))
def test_dependency_is_used(distribution: str) -> None:
    module = MODULES.get(distribution, distribution)
    pattern = re.compile(rf"^\s*(?:from|import) {module}\b", re.M)
    assert any(pattern.search(path.read_text("utf-8")) for path in _sources("irviewer"))


def test_a_display_is_asked_of_no_module_outside_the_window() -> None:
    """The command line and Python are for machines without Qt's libraries too."""
    code = (
        "import sys, irviewer\n"
        "from irviewer.cli.main import main\n"
        "assert main(['measures']) == 0\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "found = loaded & {'PySide6', 'shiboken6', 'pyqtgraph', 'matplotlib'}\n"
        "assert not found, found\n"
    )
    _run(sys.executable, "-c", code)


def test_readme_commands() -> None:
    """The two commands that do all the set-up, word for word."""
    install = "python3 -m venv .venv && .venv/bin/pip install -q "
    assert install + ". && .venv/bin/irviewer --sample" in _commands()
    assert install + "-e '.[test]' && .venv/bin/python -m pytest" in _commands()


def test_ci_takes_its_commands_from_readme() -> None:
    """Commands and system packages stand in README and nowhere else."""
    assert "README.md" in CI
    assert "venv .venv" not in CI
    assert not [package for package in (*ALWAYS.values(), *XCB.values()) if package in CI]


def test_ci_runs_the_test_command_with_readmes_first_list_of_packages() -> None:
    """Before it installs any other, and with those hidden that are there already."""
    steps = ["install $first", "hide $others", 'bash -c "$tests"', "install $others"]
    assert sorted(steps, key=CI.index) == steps
    assert [CI.count(step) for step in steps] == [1] * 4


def test_ci_runs_every_kind_of_test_that_the_test_command_leaves_out() -> None:
    left_out = re.findall(r"not (\w+)", PROJECT["tool"]["pytest"]["ini_options"]["addopts"])
    assert sorted(left_out) == ["browser", "engines", "fuzz", "packaging", "slow", "xvfb"]
    selected = "".join(re.findall(r'-m (?:"\((.*?)\)|(\w+)$)', CI, re.M)[0]) + CI.split("an X server", 1)[1]
    assert [name for name in left_out if not re.search(rf"\b{name}\b", selected)] == []


def test_named_files_run_in_one_process_and_all_else_in_parallel(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seconds of starting workers are much for one file and nothing for all. With few processors there is one
    process more, as tests wait; with many, xdist decides, as it does where the user says how many."""
    assert "-n auto" in PROJECT["tool"]["pytest"]["ini_options"]["addopts"]
    shared = str(ROOT / "tests" / "conftest.py")
    plugins = pytestconfig.pluginmanager.get_plugins()
    (ours,) = [plugin for plugin in plugins if getattr(plugin, "__file__", None) == shared]
    monkeypatch.delenv("PYTEST_XDIST_AUTO_NUM_WORKERS", raising=False)
    everything = pytest.Config.fromdictargs({}, [])
    for words, in_this_process in (
        (["tests/test_paths.py"], True),
        (["-k", "some", "tests/a.py::test[two words]"], True),
        (["tests/gui"], False),
        (["-m", "slow", "--deselect", "tests/test_paths.py"], False),
        ([], False),
    ):
        asked = pytest.Config.fromdictargs({}, words)
        for processors, workers in ((1, 2), (2, 3), (4, 5), (5, None), (64, None)):
            monkeypatch.setattr(ours, "_processors", lambda processors=processors: processors)
            assert ours.pytest_xdist_auto_num_workers(asked) == (0 if in_this_process else workers)
    monkeypatch.setattr(ours, "_processors", lambda: 2)
    monkeypatch.setenv("PYTEST_XDIST_AUTO_NUM_WORKERS", "7")
    assert ours.pytest_xdist_auto_num_workers(everything) is None


def test_no_memory_that_is_shared_is_written_to() -> None:
    """Arrow's buffers and frozen arrays are shared by everybody who holds them: ids were once moved within them."""
    ways = (r"writeable\s*=\s*True", "setflags", "is_mutable", "memmove", "addressof", "foreign_buffer", "as_strided",
            r"ctypes\.cast", r"frombuffer\([^\n]*\)\[[^\]\n]*\]\s*(?:[-+*/|&^]|<<|>>)?=(?!=)")  # fmt: skip
    lent = re.compile("|".join(ways))
    lines = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in _sources("irviewer")
        for match in lent.finditer(path.read_text("utf-8"))
    ]
    assert lines == []


def test_percents_are_written_in_one_way() -> None:
    """Python writes "3.7%", our texts "3.7 %": one door, which knows the language's decimals."""
    lines = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in _sources("irviewer")
        for match in re.finditer(r"\{[^{}]*:[^{}]*%\}", path.read_text("utf-8"))
    ]
    assert lines == []


def test_readme_names_the_system_packages() -> None:
    """What the program asks for when a library is missing is what README says to install."""
    named = {word for line in _commands() if "apt-get install" in line for word in line.split()}
    assert {*ALWAYS.values(), *XCB.values()} <= named


def test_readme_names_only_files_that_exist() -> None:
    links = [link for link in re.findall(r"\]\(([^)#\s]+)\)", README) if "://" not in link]
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("name", ["README.md", "LICENSE", "pyproject.toml", ".ci/run"])
def test_no_path_of_one_machine(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert re.findall(r"(?<![\w.])/(?:work|home|root|Users)/[\w./-]+", text) == []


def test_labels_and_tooltips_are_plain_by_construction() -> None:
    """Qt guesses whether a text is HTML, and HTML can name files that Qt opens: one class of labels, one door for
    tooltips, and whatever is HTML says so."""
    lines = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in _sources("irviewer/gui")
        if path.name != "plain_text.py"
        for match in re.finditer(
            r"\bQLabel\(|\(QLabel\)|\.setToolTip\(|QToolTip\.showText\(|QMessageBox\("
            r"|\.setTextFormat\((?!Qt\.TextFormat\.Plain)",
            path.read_text("utf-8"),
        )
    ]
    assert lines == []


def test_no_menu_is_longer_than_can_be_read() -> None:
    for category, groups in GROUPS.items():
        listed = [command for command in COMMANDS if command.category == category and command.listed]
        sizes = {group.title: sum(command.group == group.name for command in listed) for group in groups if group.title}
        inline = {group.name for group in groups if not group.title}
        sizes[category] = sum(command.group in inline for command in listed) + sum(size > 0 for size in sizes.values())
        too_long = {name: size for name, size in sizes.items() if size > MOST_ENTRIES}
        assert not too_long, "give commands another group, or a group a title: irviewer/commands/menus.py"


def test_no_test_needs_more_than_the_extra_of_tests() -> None:
    """README's command installs that one: what other extras bring is imported inside a test, which says so if it is
    missing."""
    extras = PROJECT["project"]["optional-dependencies"]

    def imported(extra: str) -> set[str]:
        return {MODULES.get(name, name.replace("-", "_")) for name in _names(extras[extra])}

    others = set().union(*(imported(extra) for extra in extras if extra != "test")) - imported("test") | {"dask"}
    assert {"sklearn", "ranx", "krippendorff", "ray", "sphinx"} <= others
    lines = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in _sources("tests")
        for node in ast.parse(path.read_text("utf-8")).body
        for name in (
            [each.name for each in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )
        if name.split(".")[0] in others
    ]  # fmt: skip
    assert lines == []
