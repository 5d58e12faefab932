"""The upgrade of project files to the version in which the protocol has a section of its own.

Before it, rules were options, inference was statistics, and baseline and query set were part of the selection. Values
that were written although nobody had chosen them are not declared: those that were defaults, and a baseline that its
name suggests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviewer.model.run_names import suggested_baseline

OPTIONS: Mapping[str, Any] = {
    "level": 1, "judged_only": False, "depth": None, "missing": None, "dialect": "trec_eval",
}  # fmt: skip
"""The options of an evaluation, now rules of the same names, with their defaults."""
STATISTICS: Mapping[str, tuple[str, Any]] = {
    "test": ("test", "t"), "zeros": ("zeros", "wilcox"), "tukey": ("tukey", "parametric"),
    "correction": ("correction", "holm"), "alpha": ("alpha", 0.05), "interval": ("interval", "percentile"),
    "level": ("confidence", 0.95), "samples": ("samples", 10_000), "seed": ("seed", 42), "rope": ("smallest", 0.01),
}  # fmt: skip
"""The options of statistics -> fields of the inference, and their defaults."""
SIMILARITY: Mapping[str, Any] = {"rbo_p": 0.9, "rbo_depth": 100}


def inference_of(statistics: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the inference that former options of statistics declare."""
    return {
        name: statistics[old]
        for old, (name, default) in STATISTICS.items()
        if old in statistics and statistics[old] != default
    }


def with_protocol(data: dict[str, Any]) -> dict[str, Any]:
    """Upgrade version 3. Damaged parts are moved as they are: their readers report them."""
    data = dict(data)
    options, statistics = data.pop("options", {}), data.pop("statistics", {})
    protocol: dict[str, Any] = {}
    rules = options
    if isinstance(options, dict):
        rules = {name: options[name] for name, default in OPTIONS.items() if options.get(name, default) != default}
    if rules:
        protocol["rules"] = rules
    inference = inference_of(statistics) if isinstance(statistics, dict) else statistics
    if inference:
        protocol["inference"] = inference
    if protocol:
        data["protocol"] = protocol
    if isinstance(statistics, dict) and (
        given := {name: statistics[name] for name in SIMILARITY if name in statistics}
    ):
        view = data.get("view", {})
        data["view"] = {**view, **given} if isinstance(view, dict) else view
    collections = data.get("collections")
    if isinstance(collections, list):
        data["collections"] = [_scoped(each) if isinstance(each, dict) else each for each in collections]
    return data


def _scoped(collection: Mapping[str, Any]) -> dict[str, Any]:
    """Return a collection with baseline and query set in a scope."""
    selection = collection.get("selection")
    if not isinstance(selection, dict):
        return dict(collection)
    left = {name: value for name, value in selection.items() if name not in ("baseline", "query_set")}
    scope = {}
    baseline, query_set = selection.get("baseline"), selection.get("query_set", "")
    if query_set != "":
        scope["queries"] = query_set
    if baseline is not None and baseline != _usual(collection.get("runs")):
        scope["baseline"] = baseline
    return {**collection, "selection": left, **({"scope": scope} if scope else {})}


def _usual(runs: object) -> object:
    """Return the key of the run that is the baseline where nobody chose one."""
    rows = [row for row in runs if isinstance(row, dict)] if isinstance(runs, list) else []
    rows = [row for row in rows if isinstance(row.get("key"), int)]
    rows.sort(key=lambda row: int(row["key"]))
    systems = [row for row in rows if "edited" not in row] or rows
    place = suggested_baseline([str(row.get("name")) for row in systems])
    return systems[place or 0]["key"] if systems else None
