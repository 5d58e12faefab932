"""Failures at every door: the window, the command and Python write the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

import irviewer
from irviewer.analysis.failures.causes import Cause
from irviewer.gui.failures.model import failures_columns
from irviewer.gui.tables.model import VALUE, TableModel
from irviewer.session.session import Session
from irviewer.views.failures import _weightiest_first
from tests.analysis.stages.test_stages import world
from tests.helpers.doors import assert_same_files, collection_files

QRELS, LISTS = world(1)
RUNS = {"a": LISTS[0], "b": LISTS[1]}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and two runs as files."""
    return collection_files(tmp_path, QRELS, RUNS)


@pytest.fixture
def session(files: list[str]) -> Iterator[Session]:
    """A session that shows the failures of both runs against the first."""
    opened = Session()
    opened.files.open_files(files)
    opened.evaluation.set_measure("nDCG@10")
    opened.runs.set_baseline(0)
    opened.navigation.set_place("queries")
    yield opened
    opened.close()


@pytest.mark.parametrize("kind", ["failures", "causes", "hubs"])
def test_a_level_above_all_grades_is_in_what_the_window_writes(
    files: list[str], session: Session, kind: str, tmp_path: Path
) -> None:
    session.protocol.set(level=9)
    session.navigation.set_tab("queries", "hubs" if kind == "hubs" else "failures")
    session.compute_now()
    words = ["failures", *files, "-m", "nDCG@10", "--level", "9", "--baseline", "a"]
    words += [] if kind == "failures" else [f"--{kind}"]
    written = assert_same_files(tmp_path, words, None, session.failures.tables(kind))
    assert b"no document has grade 9 or higher" in written["json"]


@pytest.mark.parametrize("kind", ["failures", "causes", "hubs"])
def test_the_window_writes_the_files_of_the_command(
    files: list[str], session: Session, kind: str, tmp_path: Path
) -> None:
    session.navigation.set_tab("queries", "hubs" if kind == "hubs" else "failures")
    session.compute_now()
    words = ["failures", *files, "-m", "nDCG@10", "--baseline", "a", *([] if kind == "failures" else [f"--{kind}"])]
    python = irviewer.failures(files[0], files[1:], "nDCG@10", baseline="a") if kind == "failures" else None
    written = assert_same_files(tmp_path, words, None, session.failures.tables(kind))
    assert len(written["csv"].splitlines()) > 3
    if python is not None:
        python.save(tmp_path / "python.csv")
        assert (tmp_path / "python.csv").read_bytes() == written["csv"]


def test_what_is_hidden_or_filtered_in_the_window_changes_no_file(session: Session) -> None:
    session.navigation.set_tab("queries", "failures")
    session.compute_now()
    before = [[column.parts for column in table.columns] for table in session.failures.tables("failures")]
    session.failures.switch_failure_kind("above")
    session.navigation.filter_queries("1")
    session.failures.sort_findings("failures", "value", True)
    after = session.failures.tables("failures")
    assert before[0][0][""] == after[0].columns[0].values
    assert [table.n_rows for table in after] == [len(next(iter(parts[0].values()))) for parts in before]


def test_the_screen_shows_the_values_of_the_table(session: Session) -> None:
    session.navigation.set_tab("queries", "failures")
    session.compute_now()
    view_model = session.failures.failures_view_model()
    assert view_model is not None
    model = TableModel()
    keys = list(zip(view_model.query.tolist(), view_model.run.tolist(), strict=True))
    model.show(failures_columns(view_model), keys)
    failures, _ = session.failures.tables("failures")
    rows = {key: row for row, key in enumerate(failures.keys)}
    runs = [label.whole_name for label in view_model.runs]
    shown = {
        "value": "value", "baseline": "to_baseline", "median": "to_median", "first": "first_relevant",
        "above": "non_relevant_above", "unjudged": "unjudged_on_top", "relevant": "relevant", "found": "found",
        "deeper": "found_below",
    }  # fmt: skip
    assert model.rowCount() == failures.n_rows > 3
    for column, key in shown.items():
        section, exact = model.column_of(column), failures.column(key).numbers[""]
        for row, (_, run) in enumerate(model.keys):  # type: ignore[misc]
            value = exact[rows[view_model.query_ids[row], runs[run]]]
            assert model.index(row, section).data(VALUE) == (None if value != value else value), key


def test_the_kinds_with_the_most_loss_come_first() -> None:
    """Parts keep their order, which is that of their bar, and tags theirs."""
    causes = (
        Cause("part", "not_retrieved", "", 1, 0.1), Cause("part", "too_low", "", 5, 0.7),
        Cause("kind", "nothing", "", 0, 0.0), Cause("kind", "late", "", 2, 0.3), Cause("kind", "baseline", "", 1, 0.5),
        Cause("kind", "median", "", 0, math.nan), Cause("tag", "b", "", 1, 0.1), Cause("tag", "a", "", 2, 0.9),
    )  # fmt: skip
    names = ["not_retrieved", "too_low", "baseline", "late", "nothing", "median", "b", "a"]
    assert [cause.name for cause in _weightiest_first(causes)] == names
