"""Means by query set at every door: the window and the command write the same bytes, and the screen their values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irviewer.cli.options import files as options
from irviewer.session.session import Session
from tests.analysis.stages.test_stages import world
from tests.helpers.doors import assert_same_files, collection_files, printed

QRELS, LISTS = world(1)
RUNS = {"a": LISTS[0], "b": LISTS[1]}


def test_the_window_writes_the_files_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = collection_files(tmp_path, QRELS, RUNS)
    session = Session()
    session.files.open_files(files)
    session.evaluation.set_measure("nDCG@4")
    queries = list(QRELS)
    sets = {"few": queries[:3], "others": queries[2:6]}
    for name, ids in sets.items():
        session.query_sets.make_query_set(name, ids, looked=False)
    rows = [f"{query}\t{name}\n" for name, ids in sets.items() for query in ids]
    (tmp_path / "sets.tsv").write_text("".join(rows))
    find_means, view_model = session.query_sets.means_later(), session.query_sets.sets_view_model()
    assert find_means is not None
    assert view_model is not None
    tables = find_means()
    words = ["query-sets", *files, "-m", "nDCG@4", "--query-set", str(tmp_path / "sets.tsv")]
    with monkeypatch.context() as patch:
        patch.delitem(options.ROLES, "sets")  # the sets are made in the window, so that it has no file to name
        json_text = assert_same_files(tmp_path, words, None, tables)["json"]
    inputs, of_command = (
        json.loads(text)["inputs"] for text in (json_text, printed(capsys, *words, "--format", "json"))
    )
    assert [file["role"] for file in inputs] == ["qrels", "run", "run"]
    assert [file["name"] for file in of_command if file not in inputs] == ["sets.tsv"]
    assert [file for file in of_command if file in inputs] == inputs
    (table,) = tables
    seen = 0
    for row, (kind, name) in enumerate(view_model.table.keys):  # type: ignore[misc]
        place = next(place for place, (_, own, known) in enumerate(table.keys)  # type: ignore[misc]
                     if (own, known or "") == (kind, name))  # fmt: skip
        for label in view_model.runs:
            value = view_model.table.column(label.whole_name).numbers[""][row]
            assert value == table.column(label.whole_name).numbers[""][place], (kind, name)
            seen += 1
    assert seen == 2 * 5
    session.query_sets.set_query_set("few")
    assert session.query_sets.means_later() is None
    session.close()
