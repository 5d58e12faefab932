"""What the package promises: names, parameters and members that programs use are still there, as they were released.

``tests/data/public_api.json`` is the promise. A new name, parameter or member is added to it; nothing is taken out
without a deprecation (docs/reference/python.md). ``python tests/api/test_public_api.py`` writes it anew: its
diff shows additions only."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irviewer

PROMISE = Path(__file__).parents[1] / "data" / "public_api.json"
PROMISED: dict[str, dict[str, Any]] = json.loads(PROMISE.read_text("utf-8")) if PROMISE.exists() else {}
POSITIONAL = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")


def _parameters(function: Callable[..., Any]) -> list[list[str]]:
    """Name, kind and default ("" for none) of each parameter; annotations may become wider."""
    return [
        [name, each.kind.name, "" if each.default is inspect.Parameter.empty else repr(each.default)]
        for name, each in inspect.signature(function).parameters.items()
    ]


def _described(name: str) -> dict[str, Any]:
    value = getattr(irviewer, name)
    if inspect.isclass(value):
        fields = getattr(value, "__dataclass_fields__", {})
        return {"members": sorted(each for each in {*dir(value), *fields} if not each.startswith("_"))}
    return {"parameters": _parameters(value)}


def _broken(before: list[list[str]], now: list[list[str]]) -> list[str]:
    """Return why calls that were right are no longer so: what is gone or differs, and what has to be given now."""
    kept = {name: [kind, default] for name, kind, default in now}
    names = {name for name, _, _ in before}
    faults = [f"{name} was {kind} {default}" for name, kind, default in before if kept.get(name) != [kind, default]]
    faults += [
        f"{name} has to be given"
        for name, kind, default in now
        if name not in names and not default and not kind.startswith("VAR_")
    ]
    placed = [name for name, kind, _ in before if kind in POSITIONAL]
    if [name for name, kind, _ in now if kind in POSITIONAL][: len(placed)] != placed:
        faults.append(f"the order was {placed}")
    return faults


def test_every_public_name_is_promised() -> None:
    assert set(irviewer.__all__) == set(PROMISED)


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_what_was_promised_is_kept(name: str) -> None:
    now = _described(name)
    assert now.keys() == PROMISED[name].keys()
    assert set(PROMISED[name].get("members", ())) - set(now.get("members", ())) == set()
    assert _broken(PROMISED[name].get("parameters", []), now.get("parameters", [])) == []


@pytest.mark.parametrize(
    ("changed", "allowed"),
    [
        (lambda a, b=1, *, c=2, d=3: None, True),
        (lambda a, b=1, e=4, *, c=2: None, True),
        (lambda a, *, c=2: None, False),
        (lambda a, b=2, *, c=2: None, False),
        (lambda b, a=1, *, c=2: None, False),
        (lambda a, b=1, *, c=2, d: None, False),
        (lambda e=0, a=1, b=1, *, c=2: None, False),
        (lambda a, b=1, c=2: None, False),
    ],
)
def test_what_breaks_a_call_is_found(changed: Callable[..., Any], allowed: bool) -> None:
    assert (not _broken(_parameters(lambda a, b=1, *, c=2: None), _parameters(changed))) == allowed


if __name__ == "__main__":
    content = {name: _described(name) for name in sorted(irviewer.__all__)}
    PROMISE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
