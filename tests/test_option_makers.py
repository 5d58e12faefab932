"""Options of a computation are made of a protocol by their makers, so that no door assumes something of its own."""

from __future__ import annotations

import ast
from pathlib import Path

import irviewer

OPTIONS = {"EvaluationOptions", "ComparisonOptions", "AgreementOptions"}
PENDING = {"explanation", "runs", "judging", "judges", "tuning", "paper", "slices", "stages"}
"""Modules of ``irviewer.api`` that take single keywords and no protocol yet."""


def made_in(source: str) -> list[str]:
    """The option types that a source constructs."""
    calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [call.id for call in calls if isinstance(call, ast.Name) and call.id in OPTIONS]


def test_doors_make_no_options_themselves() -> None:
    assert made_in("x = f(EvaluationOptions(level=2))") == ["EvaluationOptions"]
    root = Path(irviewer.__file__).parent
    files = [*(root / "api").rglob("*.py"), *(root / "cli").rglob("*.py")]
    assert len(files) > 40
    making = {str(path.relative_to(root)) for path in files if made_in(path.read_text())}
    assert making <= {f"api/{name}.py" for name in PENDING}
