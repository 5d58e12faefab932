"""Runs that the qrels know nothing of, in a session: no p-value anywhere, and one step that makes all ids match."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from irviewer.commands import run_command
from irviewer.session.evaluation.unmatched import Repair, said
from irviewer.session.session import Session
from tests.helpers.unlike_ids import write_unlike
from tests.session.helpers import collection, session_with


def opened(files: list[str]) -> Session:
    session = Session()
    session.files.open_files(files)
    return session


def repair(session: Session) -> Repair | None:
    repairs: list[Repair | None] = []
    session.files.find_repair(repairs.append)
    return repairs[0]


def test_they_are_named_and_all_repaired_in_one_step(tmp_path: Path) -> None:
    session = opened(write_unlike(tmp_path, "docs", "hash", "chunks", "prefixed"))
    assert [stranger.why.run for stranger in session.view.unmatched_runs] == ["hash", "chunks", "prefixed"]
    assert said(session.view.unmatched_runs).startswith(
        "hash and 2 more have no judged document: document ids such as 1"
    )
    mending = repair(session)
    assert mending is not None
    assert mending.title == "Match the ids (3 rules)"
    session.files.match_ids(mending)
    assert session.view.unmatched_runs == ()
    assert said(session.view.unmatched_runs) == ""
    assert session.view.collection is not None
    assert [entry.name for entry in session.view.collection.runs] == ["docs", "hash", "chunks", "prefixed"]
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert (view_model.means[:, 0] > 0).all()


def test_the_command_mends_them(tmp_path: Path) -> None:
    session = opened(write_unlike(tmp_path, "docs", "chunks"))
    assert run_command(session, "match_ids")
    assert not session.view.unmatched_runs
    assert not run_command(session, "match_ids")


def test_ids_that_no_rule_matches(tmp_path: Path) -> None:
    session = opened(write_unlike(tmp_path, "docs", "others"))
    assert [stranger.why.run for stranger in session.view.unmatched_runs] == ["others"]
    assert repair(session) is None
    run_command(session, "match_ids")
    assert "No rule matches the document ids with the qrels" in session.view.messages[-1].text


def test_queries_written_otherwise(tmp_path: Path) -> None:
    """Such runs stand in a collection of their own, without judgments; they come home."""
    session = opened(write_unlike(tmp_path, "docs", "queries"))
    assert [stranger.why.run for stranger in session.view.unmatched_runs] == ["queries"]
    expected = "queries has no judged query: its query ids, such as q1, do not match the qrels (1)."
    assert said(session.view.unmatched_runs) == expected
    mending = repair(session)
    assert mending is not None
    session.files.match_ids(mending)
    assert not session.view.unmatched_runs
    assert len(session.view.workspace.collections) == 1
    assert session.view.collection is not None
    assert [entry.name for entry in session.view.collection.runs] == ["docs", "queries"]


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("names", [("docs", "chunks", "docs_too"), ("chunks", "docs", "docs_too"), ("docs", "chunks")])
def test_no_p_value_is_drawn(tmp_path: Path, names: tuple[str, ...], judged_only: bool) -> None:
    session = opened(write_unlike(tmp_path, *names))
    session.protocol.set(judged_only=judged_only, family="pairs")
    assert [stranger.why.run for stranger in session.view.unmatched_runs] == ["chunks"]
    session.navigation.set_place("systems")
    session.compute_now()
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    row = [label.name for label in view_model.runs].index("chunks")
    decided = names == ("docs", "chunks", "docs_too")
    assert (view_model.statistics is not None) == decided
    assert np.isnan(view_model.delta[row])
    if view_model.statistics is not None:
        statistics = view_model.statistics
        assert np.isnan([statistics.p[row], statistics.low[row], statistics.high[row], statistics.mean_low[row]]).all()
        assert (statistics.outcomes[row], statistics.conclusions[row]) == ("", "")
        assert statistics.letters is not None and statistics.letters[row] == ""
        assert statistics.first is not None and np.isnan(statistics.first[row])
        other = [label.name for label in view_model.runs].index("docs_too")
        assert statistics.p[other] <= 1
        assert any("chunks has no judged document" in each for each in statistics.notes)
    else:
        assert np.isnan(view_model.delta).all() or names == ("docs", "chunks")
    keys = {label.name: label.key for label in view_model.runs}
    session.matrices.go_to_pair(keys["docs"], keys["chunks"])
    session.compute_now()
    pair = session.comparison.pair_view_model()
    assert pair is not None
    assert (pair.tests, pair.conclusion) == ((), "")
    assert pair.explanation.startswith("The comparison is undecided: run chunks has no judged document")
    session.navigation.set_tab("compare", "matrices")
    session.matrices.set_matrix("p")
    session.compute_now()
    matrix = session.matrices.matrix_view_model()
    assert matrix is not None
    if matrix.figure is not None and matrix.figure.matrix is not None:
        place = matrix.figure.matrix.names.index("chunks")
        assert np.isnan(matrix.figure.matrix.values[place]).all()
        assert np.isnan(matrix.figure.matrix.values[:, place]).all()
        assert len(names) == 3


def test_no_p_value_is_saved(tmp_path: Path) -> None:
    session = opened(write_unlike(tmp_path, "docs", "chunks", "docs_too"))
    session.comparison.save_comparison(str(tmp_path / "out.csv"))
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    assert [row["run"] for row in rows] == ["docs_too"]
    session.comparison.save_comparison(str(tmp_path / "all.json"), "pairs")
    assert "chunks has no judged document" in (tmp_path / "all.json").read_text()
    assert json.loads((tmp_path / "all.json").read_text())


def test_little_or_unlike_shares_are_among_the_warnings(tmp_path: Path) -> None:
    session = opened(write_unlike(tmp_path, "docs", "docs_too"))
    assert not any("are judged" in said for said in session.view.caveats)
    judged = {line.split()[0]: [] for line in (tmp_path / "qrels.txt").read_text().splitlines()}
    for line in (tmp_path / "qrels.txt").read_text().splitlines():
        judged[line.split()[0]].append(line.split()[2])
    rows = [
        f"{query} Q0 {document} 0 {-place} all\n"
        for query, some in judged.items()
        for place, document in enumerate(some)
    ]
    (tmp_path / "all.run").write_text("".join(rows))
    session.files.open_files([str(tmp_path / "all.run")])
    assert session.view.caveats[0].startswith("of the top 10 documents, ")
    assert "and 100 % in all" in session.view.caveats[0]


def test_two_runs_are_compared_without_the_shares_of_others(tmp_path: Path) -> None:
    session = opened(write_unlike(tmp_path, "docs", "docs_too"))
    rows = [line.split() for line in (tmp_path / "qrels.txt").read_text().splitlines()]
    text = "".join(f"{row[0]} Q0 {row[2]} 0 {-place} all\n" for place, row in enumerate(rows))
    (tmp_path / "all.run").write_text(text)
    session.files.open_files([str(tmp_path / "all.run")])
    session.navigation.set_place("compare")
    assert session.view.baseline == 0

    def warnings_with(run: int) -> tuple[str, ...]:
        session.runs.set_focus(run)
        session.compute_now()
        pair = session.comparison.pair_view_model()
        assert pair is not None
        assert pair.conclusion
        return tuple(text for text in pair.warnings if "are judged" in text)

    assert warnings_with(1) == ()
    (share,) = warnings_with(2)
    assert "and 100 % in all" in share


def test_samples_have_none() -> None:
    for name in ("cranfield", "fables", "trec"):
        session = Session()
        session.files.open_sample(name)
        assert session.view.unmatched_runs == ()
        assert not any("judged" in said and "top" in said for said in session.view.caveats)


def test_they_are_looked_for_once_while_runs_and_judgments_are_the_same() -> None:
    """Opening 500 runs asks for them in a task, and then for each choice of what is shown first."""
    session = session_with(collection(3))
    context = session.view.context
    assert context is not None
    before = context.unmatched
    session.runs.show_run(1, False)
    other = session.view.context
    assert other is not None and other is not context
    assert other.unmatched is before
    session.judging.judge("d1", 2.0, query_id="1")
    judged = session.view.context
    assert judged is not None
    assert judged.unmatched is not before
    session.close()
