"""Who imports whom: no circle among modules, whether an import stands at the top, in a function or for types only."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

CIRCLES = {
    "irviewer.session": "parts of the session name its type, until they are attributes of it",
    "irviewer.gui": "dialogs name their host and the window, until they take what they need of them",
}
"""Package -> why a circle among its modules is left for now."""

LATE = (
    ("irviewer", "scipy", "a third of a second, for statistics that are asked for"),
    ("irviewer", "pyarrow.parquet", "a tenth of a second, for files of that format"),
    ("irviewer", "yaml", "for runs with a header of metadata"),
    ("irviewer", "ir_datasets", "may not be installed, and takes seconds"),
    ("irviewer", "importlib.metadata", "for plugins, which are looked for when a name is none of ours"),
    ("irviewer", "resource", "of Unix alone"),
    ("irviewer.rendering.export", "irviewer.rendering.matplotlib_figure", "imports matplotlib"),
    ("irviewer", "irviewer.cli", "each command's module is imported for that command alone"),
    ("irviewer.__main__", "irviewer.gui.launch", "the command line runs where Qt's libraries are missing"),
    ("irviewer.session", "fcntl", "of Unix alone"),
    ("irviewer.session", "msvcrt", "of Windows alone"),
    ("irviewer.session", "irviewer", "to be moved to the top"),
    ("irviewer.commands", "irviewer", "to be moved to the top"),
    ("irviewer.gui", "irviewer", "to be moved to the top"),
)
"""Who may import what in a function, and why it is not at the top. A package stands for what is within it too."""


class Import(NamedTuple):
    """One import: the module that has it, what it imports (a module of ours, or another package's), and where."""

    module: str
    imported: str
    line: int
    late: bool


@cache
def _modules() -> Mapping[str, Path]:
    """Every module of ours by its dotted name."""
    found = {}
    for path in sorted((ROOT / "irviewer").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _within(node: ast.AST, late: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Everything below a node, and whether it lies in a function."""
    for child in ast.iter_child_nodes(node):
        yield child, late
        yield from _within(child, late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))


def _names(node: ast.AST) -> list[str]:
    """The modules that a statement imports; of what comes out of a package, the module where it is one."""
    if isinstance(node, ast.Import):
        return [one.name for one in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        full = [f"{node.module}.{one.name}" for one in node.names]
        ours = str(node.module).partition(".")[0] == "irviewer"
        return [str(node.module) if ours and one not in _modules() else one for one in full]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return [str(node.args[0].value)] if called in ("import_module", "__import__") else []
    return []


@cache
def _imports() -> tuple[Import, ...]:
    """Every import of every module of ours, type-only and late ones included."""
    found = []
    for module, path in _modules().items():
        for node, late in _within(ast.parse(path.read_text("utf-8"))):
            found += [Import(module, name, getattr(node, "lineno", 0), late) for name in dict.fromkeys(_names(node))]
    return tuple(found)


def circles(imports: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The strongly connected components of more than one node, by Tarjan's algorithm, each sorted."""
    graph: dict[str, list[str]] = {}
    for one, other in imports:
        if one != other:
            graph.setdefault(one, []).append(other)
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

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
                found.append(sorted(component))

    for node in list(graph):
        if node not in order:
            visit(node)
    return found


def test_circles_are_found() -> None:
    """Two that touch are one; a way that leads out of a circle is none of it."""
    imports = ["ab", "bc", "ca", "cd", "de", "ed", "df", "fg", "hh"]
    assert sorted(circles((one, other) for one, other in imports)) == [["a", "b", "c"], ["d", "e"]]
    assert circles([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]) == [["a", "b", "c"]]


def test_no_circle_among_modules() -> None:
    """Late and type-only imports count: who reads one module of a circle has to read all of them."""
    found = circles((one.module, one.imported) for one in _imports() if one.imported in _modules())
    kept: dict[str, str] = {}
    for circle in found:
        package = next((one for one in CIRCLES if all(name.startswith(f"{one}.") for name in circle)), None)
        assert package is not None, f"a circle of imports: {', '.join(circle)}"
        kept[package] = CIRCLES[package]
    assert kept == CIRCLES, "an exception that is no longer needed: remove it"


def _is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def test_imports_in_functions_have_a_reason() -> None:
    """At the top of a module everybody sees what it needs; what comes late is heavy, or not there everywhere."""
    used = set()
    for one in _imports():
        if not one.late:
            continue
        row = next((row for row in LATE if _is_within(one.module, row[0]) and _is_within(one.imported, row[1])), None)
        assert row is not None, f"{_modules()[one.module].relative_to(ROOT)}:{one.line} imports {one.imported} late"
        used.add(row)
    assert set(LATE) == used, "a reason that nobody needs any more: remove it"
