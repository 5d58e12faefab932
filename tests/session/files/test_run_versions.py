"""Runs that are read again: what moved, the versions kept, watching files and folders."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import RunEntry
from irviewer.session.files.run_versions import run_change, version_lines, versions_data, versions_of, with_versions
from irviewer.session.session import Session
from tests.session.helpers import collection

QRELS = "".join(f"q{query} 0 d1 1\n" for query in range(1, 5))
GOOD = "".join(f"q{query} Q0 d1 1 2 a\nq{query} Q0 d2 2 1 a\n" for query in range(1, 5))
# q2 and q4 fall from 1 to 1/2.
WORSE = GOOD.replace("q2 Q0 d1 1 2", "q2 Q0 d1 1 .5").replace("q4 Q0 d1 1 2", "q4 Q0 d1 1 .5")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "test.qrels").write_text(QRELS)
    (tmp_path / "all" / "a.run").write_text(GOOD)
    return tmp_path / "all"


@pytest.fixture
def session(folder: Path) -> Session:
    session = Session()
    session.files.open_files([str(folder)])
    session.evaluation.set_measure("AP")
    return session


def changed(path: Path, text: str, seconds: int) -> None:
    """Write a file with another time, as a clock would give it."""
    path.write_text(text)
    os.utime(path, (1_700_000_000 + seconds, 1_700_000_000 + seconds))


def checked(session: Session) -> None:
    """Two checks: a file counts when it is the same at both."""
    for _ in range(2):
        session.autosave.look_at_disk()


def test_a_change_is_the_difference_of_two_evaluations() -> None:
    rows = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}, "q3": {"d2": 1.0}}
    worse = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0, "d2": 2.0}, "q3": {"d1": 3.0}}
    qrels = Qrels.from_dict({query: {"d1": 1} for query in rows})
    before, after = Run.from_dict(rows, name="x"), Run.from_dict(worse, name="x")
    change = run_change("x", (before, "t1"), (after, "t2"), qrels, parse_measure("AP"), EvaluationOptions())
    assert change.moved == (("q3", 0.0, 1.0), ("q2", 1.0, 0.5))
    assert (change.fallen, change.risen) == (("q2",), ("q3",))
    assert change.before.mean == evaluate(qrels, before, ["AP"]).mean("AP", "x")
    assert change.text == "x was read again: AP 0.6667 → 0.8333; 1 query fell, 1 rose."


def test_of_a_measure_of_cost_less_is_better() -> None:
    rows = Run.from_dict({"q1": {"d2": 2.0, "d1": 1.0}}, name="x")
    better = Run.from_dict({"q1": {"d1": 2.0}}, name="x")
    qrels = Qrels.from_dict({"q1": {"d1": 1, "d2": 0}})
    measure = parse_measure("num_nonrel_judged_ret")
    change = run_change("x", (rows, ""), (better, ""), qrels, measure, EvaluationOptions())
    assert (change.before.mean, change.after.mean) == (1, 0)
    assert change.risen == ("q1",)


def test_reading_again_says_what_moved_and_brushes_it(session: Session, folder: Path) -> None:
    changed(folder / "a.run", WORSE, 10)
    session.files.reload()
    message = session.state.messages[-1]
    assert message.text == "a was read again: AP 1.0000 → 0.7500; 2 queries fell, 0 rose."
    assert message.details == ("q2: 1.0000 → 0.5000", "q4: 1.0000 → 0.5000")
    assert message.action == "show_moved"
    session.versions.show_moved()
    assert session.query_sets.brushed == {"q2", "q4"}


def test_versions_are_kept_in_order_and_saved(session: Session, folder: Path, tmp_path: Path) -> None:
    for number, text in enumerate((WORSE, GOOD)):
        changed(folder / "a.run", text, 10 * number)
        session.files.reload()
    opened = session.view.collection
    assert opened is not None
    versions = versions_of(opened, opened.runs[0].key)
    assert [version.mean for version in versions] == [1.0, 0.75, 1.0]
    assert [version.when[:19] for version in versions][1:] == ["2023-11-14T22:13:20", "2023-11-14T22:13:30"]
    assert version_lines(versions)[0] == "2023-11-14 22:13:30: AP 1.0000, 4 queries"
    again = with_versions(opened, versions_data(opened))
    assert versions_of(again, opened.runs[0].key) == versions
    session.autosave.save_project(str(tmp_path / "p.irviewer"))
    session.close()
    other = Session()
    other.files.open_files([str(tmp_path / "p.irviewer")])
    assert other.view.collection is not None
    assert versions_of(other.view.collection, opened.runs[0].key) == versions


def test_unchanged_values_need_no_message(session: Session, folder: Path) -> None:
    said = session.state.messages
    changed(folder / "a.run", GOOD + "q9 Q0 d1 1 1 a\n", 10)
    session.files.reload()
    assert session.state.messages == said
    assert not session.versions.can_show_moved
    assert len(versions_of(session.view.collection, _runs(session)[0].key)) == 2  # type: ignore[arg-type]
    session.files.reload()  # the file is the same
    assert len(versions_of(session.view.collection, _runs(session)[0].key)) == 2  # type: ignore[arg-type]


def test_a_watched_file_is_read_again_without_asking(session: Session, folder: Path) -> None:
    changed(folder / "a.run", WORSE, 10)
    checked(session)
    assert session.state.messages[-1].action == "read_changed"  # not watched: it asks
    session.disk.watch(True)
    assert "AP 1.0000 → 0.7500" in session.state.messages[-1].text
    changed(folder / "a.run", GOOD, 20)
    checked(session)
    assert "AP 0.7500 → 1.0000" in session.state.messages[-1].text
    assert session.disk.changed_files == ()


def test_new_files_of_a_watched_folder_are_opened_once(session: Session, folder: Path) -> None:
    changed(folder / "b.run", WORSE, 10)
    checked(session)
    assert [entry.name for entry in _runs(session)] == ["a"]
    session.disk.watch(True)
    session.autosave.look_at_disk()
    assert [entry.name for entry in _runs(session)] == ["a"]  # it may still be written
    checked(session)
    assert [entry.name for entry in _runs(session)] == ["a", "b"]
    session.runs.remove_run(_runs(session)[1].key)
    checked(session)
    assert [entry.name for entry in _runs(session)] == ["a"]  # what was removed stays removed


def test_a_mean_without_values_is_no_number_in_a_project() -> None:
    assert math.isnan(with_versions(collection(), {"0": [["", "AP", None, 0]]}).notes["versions"][0][0].mean)


def _runs(session: Session) -> tuple[RunEntry, ...]:
    assert session.view.collection is not None
    return session.view.collection.runs
