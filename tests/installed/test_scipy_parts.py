"""SciPy is imported at one place, where threads take turns."""

from __future__ import annotations

import ast
from pathlib import Path

from irviewer.installed.scipy_parts import hierarchy, special

ROOT = Path(__file__).resolve().parent.parent.parent


def test_nothing_else_imports_scipy() -> None:
    importing = set()
    for path in (ROOT / "irviewer").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if any(name.split(".")[0] == "scipy" for name in names):
                importing.add(path.relative_to(ROOT).as_posix())
    assert importing == {"irviewer/installed/scipy_parts.py"}


def test_the_parts_are_those_of_scipy() -> None:
    assert special().ndtr(0.0) == 0.5
    assert hierarchy().__name__ == "scipy.cluster.hierarchy"
