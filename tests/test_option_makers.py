"""Options of a computation are made of a protocol by their makers, so that no door assumes something of its own."""

from __future__ import annotations

import ast
from inspect import signature
from pathlib import Path

import irviewer

OPTIONS = {"EvaluationOptions", "ComparisonOptions", "AgreementOptions"}


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
    assert not making


PLAIN = {
    "check", "convert", "draw_task", "find_stages", "fuse", "merge_judgments", "merge_labels", "parse_measure",
    "parse_measures", "read_protocol", "read_qrels", "read_registration", "read_run", "save_values",
    "write_qrels", "write_run",
}  # fmt: skip
"""Public functions without numbers that follow a protocol: they read, write, convert, merge or draw."""


def test_every_public_function_of_numbers_takes_a_protocol() -> None:
    functions = {name: getattr(irviewer, name) for name in irviewer.__all__ if name.islower()}
    without = {name for name, function in functions.items() if "protocol" not in signature(function).parameters}
    assert without == PLAIN
