"""Projects of each older version open with the values that the program of their time showed.

``values_of_older_versions.json`` was printed by the program of commit 140b8b52 (versions 1 and 2) and of 3928aa4e^
(version 3), from the files in tests/data/projects: by version and by measure and run, the values of the queries, their
means, and the differences to the baseline."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from irviewer.measures.parser import parse_measure
from irviewer.session.session import Session
from irviewer.session.settings import Settings

THEN = json.loads(Path(__file__).with_name("values_of_older_versions.json").read_text())


@pytest.mark.parametrize("version", sorted(THEN))
def test_values_are_those_of_then(small: Path, tmp_path: Path, version: str) -> None:
    for path in (small / "projects").iterdir():
        shutil.copy(path, tmp_path)
    session = Session(Settings())
    session.projects.open_project(str(tmp_path / f"version{version}.irviewer"))
    context, then = session.view.context, THEN[version]
    assert context is not None
    runs = {entry.name: entry for entry in context.collection.runs}
    assert (str(context.measure), context.options.level) == (then["measure"], then["level"])
    assert context.baseline == runs[then["baseline"]].key
    assert (list(context.query_ids), session.view.query_id) == (then["queries"], then["query"])
    assert [entry.name for entry in context.shown_runs] == then["shown"]
    assert {name.partition(" ")[2] for name in then["values"]} == set(runs)
    for name, values in then["values"].items():
        measure, _, run = name.partition(" ")
        chosen = parse_measure(measure)
        assert context.values(runs[run], chosen).tolist() == values, name
        assert context.mean(runs[run], chosen) == then["means"][name], name
    assert context.delta.tolist() == then["delta"]
    session.close()
