"""Who imports whom: no circle among modules, whether an import stands at the top, in a function or for types only."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.helpers.source_texts import source

ROOT = Path(__file__).resolve().parent.parent

STARTING = (
    ("irviewer.session", "irviewer.formats", "a tenth of a second: no file is read before the window is there"),
    ("irviewer.session", "irviewer.analysis", "nearly as long, for what is looked at later"),
    ("irviewer.session", "irviewer.views", "the analysis that they describe, for what is saved"),
    ("irviewer.session", "irviewer.api.reports", "for a report that is saved"),
    ("irviewer.session", "irviewer.rendering.formula", "matplotlib, for formulas"),
    ("irviewer.gui", "irviewer.gui.plots", "pyqtgraph: plots come after the first picture"),
    ("irviewer.gui", "irviewer.rendering.formula", "matplotlib, when a formula has been drawn"),
    ("irviewer.gui.screens.make_screens", "irviewer.gui", "the first screen is there before the others"),
    ("irviewer.gui.query.screen", "irviewer.gui.query", "what is not in the first picture"),
    ("irviewer.gui.query.screen", "irviewer.gui.tables.ledger_panel", "what is not in the first picture"),
    ("irviewer.gui.query.answer.view", "irviewer.gui.tables.ledger_panel", "what is not in the first picture"),
    ("irviewer.gui.query.screen", "irviewer.gui.teaching", "for lessons"),
    ("irviewer.gui.window", "irviewer.gui.teaching.presenter", "for lecturers"),
    ("irviewer.gui.window", "irviewer.gui.dialogs", "a fiftieth of a second, for what is asked for later"),
)
"""Who may import what in a function because the window does not load it at its start."""

EVALUATING = (
    ("irviewer.formats.choice", "irviewer.formats.registry", "a tenth of an evaluation, for other files than TREC's"),
    ("irviewer.formats.load", "irviewer.formats.texts", "for texts, with half of all formats"),
    ("irviewer.cli.options.runs", "irviewer.formats.doctor", "for repairs that are asked for or offered"),
    ("irviewer.formats", "tomllib", "for files beside a run, and of protocols"),
)
"""Who may because ``irviewer evaluate`` does not load it for plain files of TREC."""

LATE = (
    *STARTING,
    *EVALUATING,
    ("irviewer", "scipy", "a third of a second, for statistics that are asked for"),
    ("irviewer", "pyarrow.parquet", "a tenth of a second, for files of that format"),
    ("irviewer.formats", "hashlib", "OpenSSL comes with it: 3.5 MB that a first evaluation does not need"),
    ("irviewer.model", "hashlib", "the same"),
    ("irviewer", "yaml", "for runs with a header of metadata"),
    ("irviewer", "cbor2", "for the files of one tool"),
    ("irviewer.formats.reading.workbook", "openpyxl", "an extra, for Excel workbooks"),
    ("irviewer.formats.reading.workbook", "zipfile", "for the same files"),
    ("irviewer", "markdown_it", "for the texts of lessons"),
    ("irviewer.views.manifest", "irviewer.views.view", "the analyses, when another package adds a view"),
    ("irviewer.api", "irviewer.api.export", "what writes results is loaded when one is written"),
    ("irviewer", "narwhals", "a twentieth of a second, for data frames"),
    ("irviewer", "ir_datasets", "may not be installed, and takes seconds"),
    ("irviewer", "importlib.metadata", "for plugins, which are looked for when a name is none of ours"),
    ("irviewer", "resource", "of Unix alone"),
    ("irviewer.rendering.export", "irviewer.rendering.matplotlib_figure", "imports matplotlib"),
    ("irviewer.api.export", "irviewer.rendering.matplotlib_figure", "imports matplotlib"),
    ("irviewer.cli.commands.evaluate", "irviewer.api.blocks", "engines and grouping, for values that are stored"),
    ("irviewer", "irviewer.cli", "each command's module is imported for that command alone"),
    ("irviewer.gui.app", "irviewer.session.scripting.connection", "for a window that Python opened"),
    ("irviewer.__main__", "irviewer.gui", "the command line runs where Qt's libraries are missing"),
    ("irviewer", "irviewer.installed.quick_arrow", "PyArrow, which the window loads later"),
    ("irviewer.installed.quick_arrow", "pyarrow.compute", "without the documentation that it writes for itself"),
    ("irviewer.formats", "fcntl", "of Unix alone"),
    ("irviewer.formats", "msvcrt", "of Windows alone"),
    ("irviewer.gui.launch", "irviewer.gui", "a missing library is explained before Qt is imported"),
)
"""Who else may, and why it is not at the top. A package stands for what is within it too."""


class Import(NamedTuple):
    """One import: the module that has it, what it imports (a module of ours, or another package's), and where."""

    module: str
    imported: str
    line: int
    late: bool


@cache
def _modules() -> Mapping[str, Path]:
    """Every module of ours by its dotted name."""
    modules = {}
    for path in sorted((ROOT / "irviewer").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return modules


def _names(node: ast.AST) -> list[str]:
    """The modules that a statement imports; of what comes out of a package, the module where it is one."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        full = [f"{node.module}.{alias.name}" for alias in node.names]
        ours = str(node.module).partition(".")[0] == "irviewer"
        return [str(node.module) if ours and name not in _modules() else name for name in full]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return [str(node.args[0].value)] if called in ("import_module", "__import__") else []
    return []


@cache
def _imports() -> tuple[Import, ...]:
    """Every import of every module of ours, type-only and late ones included."""
    imports = []
    for module, path in _modules().items():
        for node, late in source(path).imports:
            imports += [Import(module, name, node.lineno, late) for name in dict.fromkeys(_names(node))]
    return tuple(imports)


def circles(imports: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The strongly connected components of more than one node, by Tarjan's algorithm, each sorted."""
    graph: dict[str, list[str]] = {}
    for module, other in imports:
        if module != other:
            graph.setdefault(module, []).append(other)
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    components: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = lowest[node] = len(order)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in order:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in stack:
                lowest[node] = min(lowest[node], order[other])
        if lowest[node] == order[node]:
            place = stack.index(node)
            component, stack[place:] = stack[place:], []
            if len(component) > 1:
                components.append(sorted(component))

    for node in list(graph):
        if node not in order:
            visit(node)
    return components


def way(component: list[str], imports: Collection[tuple[str, str]]) -> list[str]:
    """A shortest way from the first of a strongly connected component back to it."""
    first = component[0]
    ways = [[first]]
    for start_of_way in ways:
        for other in component:
            if (start_of_way[-1], other) in imports:
                if other == first:
                    return [*start_of_way, first]
                if all(other not in walked for walked in ways):
                    ways.append([*start_of_way, other])
    raise ValueError("no circle")


def test_circles_are_found() -> None:
    """Two that touch are one; a way that leads out of a circle is none of it."""
    imports = ["ab", "bc", "ca", "cd", "de", "ed", "df", "fg", "hh"]
    assert sorted(circles((module, other) for module, other in imports)) == [["a", "b", "c"], ["d", "e"]]
    assert circles([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]) == [["a", "b", "c"]]


def test_a_circle_is_shown_as_a_path() -> None:
    assert way(["a", "b", "c"], [("a", "c"), ("c", "b"), ("b", "a")]) == ["a", "c", "b", "a"]
    assert way(["a", "b", "c"], [("a", "b"), ("b", "c"), ("c", "b"), ("b", "a")]) == ["a", "b", "a"]


def test_no_circle_among_modules() -> None:
    """Late and type-only imports count: who reads one module of a circle has to read all of them."""
    imports = {
        (module_import.module, module_import.imported)
        for module_import in _imports()
        if module_import.imported in _modules()
    }
    circles_found = circles(sorted(imports))
    ways = "\n".join(" → ".join(way(circle, imports)) for circle in circles_found)
    assert circles_found == [], f"these import one another; type-only imports count too:\n{ways}"


def _is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def test_imports_in_functions_have_a_reason() -> None:
    """At the top of a module everybody sees what it needs; what comes late is heavy, or not there everywhere."""
    used = set()
    for module_import in _imports():
        if not module_import.late:
            continue
        row = next(
            (
                row
                for row in LATE
                if _is_within(module_import.module, row[0]) and _is_within(module_import.imported, row[1])
            ),
            None,
        )
        where = f"{_modules()[module_import.module].relative_to(ROOT)}:{module_import.line}"
        assert row is not None, (
            f"{where} imports {module_import.imported} late: "
            "move it to the top, or give the reason in LATE of tests/test_imports.py"
        )
        used.add(row)
    assert set(LATE) == used, "a reason that nobody needs any more: remove it"


def _needless(code: str, rows: Collection[tuple[str, str, str]], *arguments: str) -> list[str]:
    """The late imports of some rows whose module is loaded all the same when a new process runs ``code``."""
    code = f"import sys, json; {code}; sys.stderr.write(json.dumps([*sys.modules]))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(done.stderr))
    return [
        f"{_modules()[module_import.module].relative_to(ROOT)}:{module_import.line} {module_import.imported}"
        for module_import in _imports()
        if module_import.late
        and module_import.imported in loaded
        and any(_is_within(module_import.module, row[0]) and _is_within(module_import.imported, row[1]) for row in rows)
    ]


def test_what_waits_for_the_start_of_the_window_is_not_loaded_by_it() -> None:
    """An import in a function that saves nothing is needless."""
    assert _needless("import irviewer.gui.app", STARTING) == []


def test_what_an_evaluation_does_not_need_is_not_loaded_by_it(tmp_path: Path) -> None:
    qrels, run = tmp_path / "a.qrels", tmp_path / "a.run"
    qrels.write_text("1 0 a 1\n1 0 b 0\n")
    run.write_text("1 Q0 a 1 2.5 x\n1 Q0 c 2 1.5 x\n")
    code = "from irviewer.__main__ import main; main(sys.argv[1:])"
    assert _needless(code, EVALUATING, "evaluate", str(qrels), str(run), "-m", "official") == []
