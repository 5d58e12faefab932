"""Numbers of thousands in texts have the sign of the window: 2,641 is two and a half where the comma is decimal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import irviewer

PACKAGE = Path(irviewer.__file__).parent
FOR_PROGRAMMERS = ("__repr__", "__str__")
WRITTEN_LATER = {
    "figures/axes.py": "the axis writes its ticks",
    "model/number_text.py": "the text is finished there",
    "tables/show.py": "the text is finished there",
    "views/paper.py": "a note in a file",
}
"""Modules whose numbers get their sign after they are put together, and why."""
FILES = ("cli", "formats", "engines")
"""Packages whose texts are for files and terminals, which have points."""


def called(node: ast.Call) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def faults(node: ast.AST, finished: bool = False) -> Iterator[int]:
    """Yield the lines of f-strings with a comma between thousands that no ``decimal`` takes."""
    if isinstance(node, ast.FunctionDef) and node.name in FOR_PROGRAMMERS:
        return
    if isinstance(node, ast.Call) and called(node) in ("decimal", "horizontalAdvance"):
        finished = True
    if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr) and not finished:
        parts = [part.value for part in node.format_spec.values if isinstance(part, ast.Constant)]
        if any("," in str(part) for part in parts):
            yield node.lineno
    for child in ast.iter_child_nodes(node):
        yield from faults(child, finished)


def test_the_comma_between_thousands_is_that_of_the_window() -> None:
    lines: list[str] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name.split("/")[0] not in FILES and name not in WRITTEN_LATER:
            lines += [f"{name}:{line}" for line in faults(ast.parse(path.read_text("utf-8")))]
    assert not lines, "write decimal(f'{number:,}'), or the format in the placeholder of tr()"


def test_a_fault_is_found() -> None:
    assert list(faults(ast.parse('x = f"{n:,} documents"\ny = decimal(f"{n:,}")\nz = f"{n:.2f}"'))) == [1]
