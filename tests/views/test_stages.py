"""Stages at every door: the window, the command and Python write the same bytes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.session.session import Session
from irviewer.tables.grid import grid_of
from irviewer.views import stages
from tests.analysis.stages.test_stages import world
from tests.helpers.doors import assert_same_files, collection_files

QRELS, LISTS = world(1)
RUNS = {"a": LISTS[0], "b": LISTS[1]}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and two runs as files, the second a re-ranking of the first."""
    return collection_files(tmp_path, QRELS, RUNS)


def test_command_and_python_write_the_same_files(files: list[str], tmp_path: Path) -> None:
    mine = irviewer.stages(files[0], files[1:], "nDCG@4", samples=100)
    words = ["stages", *files, "-m", "nDCG@4", "--samples", "100", "-q"]
    written = assert_same_files(tmp_path, words, mine)
    assert written["csv"].startswith(b"stage,run,relevant,")
    assert mine.tables == ("funnel", "means", "difference", "by_query")
    assert "in the qrels" in repr(mine)
    assert repr(mine).startswith(mine.protocol.line())
    assert "<table" in mine._repr_html_()


def test_files_with_the_documents_of_a_query_name_it(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    query = next(iter(QRELS))
    for words, named in (([], None), (["--query", query], query)):
        assert main(["stages", *files, "-m", "nDCG@4", "--samples", "100", "--format", "json", *words]) == 0
        assert json.loads(capsys.readouterr().out)["parameters"].get("query") == named


def test_the_window_writes_the_same_files(files: list[str], tmp_path: Path) -> None:
    session = Session()
    try:
        session.files.open_files(files)
        session.evaluation.set_measure("nDCG@4")
        session.protocol.set_number("samples", "100")
        session.runs.set_baseline(0)
        session.navigation.set_place("query")
        session.navigation.set_tab("query", "stages")
        for place, entry in enumerate(session.view.collection.runs):  # type: ignore[union-attr]
            session.stages.set_stage(place, entry.key)
        session.compute_now()
        result, query = session.stages.result(), session.view.query_id
    finally:
        session.close()
    assert result is not None
    words = ["stages", *files, "-m", "nDCG@4", "--samples", "100", "-q", "--query", query, "--baseline", "a"]
    assert_same_files(tmp_path, words, None, result.tables)


def test_the_numbers_are_those_of_the_analysis() -> None:
    mine = irviewer.stages(QRELS, RUNS, "nDCG@4", samples=100)
    result = stages.tables(mine, mine.protocol, query=mine.query_ids[0])
    funnel, by_query = result.table("funnel"), result.table("by_query")
    assert list(funnel.column("lost").values) == [None, *(step.lost for step in mine.steps[1:])]
    assert by_query.column("lost_order").values.tolist() == mine.lost[2].tolist()
    assert by_query.column("lost").values.tolist() == mine.lost.sum(axis=0).tolist()
    value = by_query.column("value").parts
    assert value["out_of_reach"].tolist() == mine.out_of_reach.tolist()  # type: ignore[union-attr]
    assert np.allclose(sum(value.values()), mine.values[-1])  # type: ignore[arg-type]
    ranks = [document.ranks for document in mine.documents(mine.query_ids[0])]
    documents = result.table("documents")
    assert list(zip(documents.column("a").values, documents.column("b").values, strict=True)) == ranks
    assert [row[0] for row in grid_of(funnel).rows] == [
        "in the qrels", "within the depth of a", "seen by b", "in the top 4 of b"
    ]  # fmt: skip


def test_runs_may_have_the_names_of_columns() -> None:
    runs = {"query": LISTS[0], "room": LISTS[1]}
    mine = irviewer.stages(QRELS, runs, "nDCG@4", samples=100)
    table = mine.to_arrow("by_query")
    assert table["query"].to_pylist() == list(mine.query_ids)
    assert table["query_2"].to_pylist() == mine.values[0].tolist()
    assert table["room_2"].to_pylist() == mine.values[1].tolist()
