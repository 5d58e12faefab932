"""Slices in the session: the numbers of analysis.slices, computed in the background, chosen, kept and saved."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest
from patience import Call, deliver

from irviewer.cli.main import main
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.trec.formats import write
from irviewer.model.attributes.queries import Cut, QueryAttribute, Slicing, slices_of
from irviewer.model.attributes.tables import SlicingChoices
from irviewer.session.comparison import slices
from irviewer.session.session import Session
from irviewer.session.view_models.slices import SlicesViewModel
from irviewer.tables.exact import records
from tests.session.helpers import collection, session_with
from tests.session.sliced import CSV, QUERIES, sliced


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return sliced(tmp_path)


def view_model_of(session: Session) -> SlicesViewModel:
    view_model = session.slices.slices_view_model()
    assert view_model is not None
    return view_model


def by_query(session: Session, key: int) -> dict[str, float]:
    context = session.view.context
    assert context is not None
    assert context.judgments is not None
    entry = context.collection.run(key)
    assert entry is not None
    text = str(context.measure)
    return evaluate(context.judgments.qrels, entry.run, [text]).by_query(text)


def rows_of(session: Session, name: str = "slices") -> list[dict[str, Any]]:
    """The rows of a table that is shown, by key."""
    table = view_model_of(session).table(name)
    return [] if table is None else records(table)


def test_rows_are_the_means_of_the_queries(session: Session) -> None:
    view_model = view_model_of(session)
    assert [heading.title for heading in view_model.headings] == ["language", "traffic"]
    assert all("interaction" in heading.interaction for heading in view_model.headings)
    context = session.view.context
    assert context is not None
    assert context.focus is not None
    assert context.baseline is not None
    run, base = by_query(session, context.focus), by_query(session, context.baseline)
    rows = rows_of(session)
    assert len(rows) == 7
    for row in rows:
        if row["attribute"] is None:
            ids = list(run)
        elif row["attribute"] == "language":
            ids = [query for query in run if ("de" if int(query) % 3 else "en") == row["slice"]]
        else:
            low, high = row["slice"].split("–")
            ids = [query for query in run if int(low) <= int(query) <= int(high)]
        assert row["n"] == len(ids)
        np.testing.assert_allclose(row["mean"], np.mean([run[query] for query in ids]))
        np.testing.assert_allclose(row["baseline_mean"], np.mean([base[query] for query in ids]))
        np.testing.assert_allclose(row["difference"], row["mean"] - row["baseline_mean"], atol=1e-12)
        assert row["interval_low"] <= row["difference"] <= row["interval_high"]
    assert view_model.sentence.startswith("Over all queries")


def test_a_slice_and_a_cell_list_their_queries_and_make_a_set(session: Session) -> None:
    session.slices.choose((("language", "en"),))
    view_model = view_model_of(session)
    assert view_model.chosen == (("language", "en"),)
    queries = view_model.queries
    assert queries is not None
    assert {*queries.table.keys} == {str(query) for query in range(3, QUERIES + 1, 3)}
    changes = queries.table.column("difference").numbers[""].tolist()
    assert changes == sorted(changes, reverse=True)
    assert session.slices.keep() == "en"
    assert session.query_sets.every[0].query_ids == {*queries.table.keys}
    crossed = view_model.table("crossed")
    assert crossed is not None
    assert crossed.column("slice").title == "language"
    _, *parts = crossed.keys[1]  # type: ignore[misc]
    session.slices.choose(tuple(parts))
    queries = view_model_of(session).queries
    assert queries is not None
    assert queries.table.n_rows == crossed.column("n").values[1] == 10
    session.slices.cross("traffic", "language")
    crossed = view_model_of(session).table("crossed")
    assert crossed is not None
    assert crossed.column("slice").title == "traffic"


def test_the_queries_of_a_cell_are_those_of_both_slices() -> None:
    ids = [str(number) for number in range(12)]
    thirds = {query: "abc"[int(query) % 3] for query in ids}
    halves = {query: "low" if int(query) < 6 else "high" for query in ids if query != "3"}
    slicings = [slices_of(QueryAttribute(name, "category", values), ids)
                for name, values in (("third", thirds), ("half", halves), ("again", thirds))]  # fmt: skip
    for third in "abc":
        wanted = {query for query in ids if thirds[query] == third}
        assert slices._queries_of(slicings, (("third", third),)) == wanted
        low = {query for query in wanted if halves.get(query) == "low"}
        assert slices._queries_of(slicings, (("third", third), ("half", "low"))) == low
        assert slices._queries_of(slicings, (("half", "low"), ("third", third))) == low
    assert slices._queries_of(slicings, (("third", "a"), ("again", "b"))) == frozenset()
    for unknown in ((), (("third", "d"),), (("fourth", "a"),), (("third", "a"), ("third", "b"))):
        assert slices._queries_of(slicings, unknown) is None


def test_attributes_and_cuts_are_chosen_and_undone(session: Session) -> None:
    session.attributes.set_slicing(SlicingChoices(("traffic",), {"traffic": Cut(borders=(5.0, 30.0))}))
    _, first, *others = rows_of(session)
    assert [row["slice"] for row in (first, *others)] == ["< 5", "[5, 30)", "≥ 30"]
    assert (first["n"], first["p"], first["p_corrected"]) == (4, None, None)
    assert view_model_of(session).table("crossed") is None
    session.history.undo()
    assert len(rows_of(session)) == 1 + 6


def test_queries_are_cut_once_whatever_is_asked(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    cuts: list[str] = []

    def counted(attribute: QueryAttribute, ids: Sequence[str], cut: Cut | None = None) -> Slicing:
        cuts.append(attribute.name)
        return slices_of(attribute, ids, cut)

    monkeypatch.setattr(slices, "slices_of", counted)
    view_model_of(session)
    session.compute_now()
    cuts.clear()
    session.navigation.set_query("2")
    for _ in range(3):
        assert session.numbers.is_here
        view_model_of(session)
    assert not cuts
    session.attributes.cut("traffic", Cut(parts=2))
    view_model_of(session)
    assert "traffic" in cuts, "another cut is another slicing"


def test_difficulty_is_of_the_other_runs_only(session: Session) -> None:
    context = session.view.context
    assert context is not None
    difficulty = session.slices.attributes[-1]
    assert difficulty.name == "difficulty"
    (other,) = [entry.key for entry in context.collection.runs if entry.key not in (context.focus, context.baseline)]
    assert difficulty.values == pytest.approx(by_query(session, other))
    assert "difficulty" not in session.slices.shown


def test_found_slices_are_exploratory(session: Session) -> None:
    session.slices.search(True)
    assert "Exploratory" in view_model_of(session).search_words
    assert rows_of(session, "search")
    session.slices.search(False)
    assert view_model_of(session).table("search") is None
    assert not view_model_of(session).search_words


def test_what_is_missing_is_said() -> None:
    lone = session_with(collection(1))
    assert "Show a run beside the baseline" in view_model_of(lone).explanation
    assert view_model_of(lone).result is None


def test_they_are_saved(session: Session, tmp_path: Path) -> None:
    session.slices.save(str(tmp_path / "slices.json"))
    saved = json.loads((tmp_path / "slices.json").read_text())
    assert "language" in json.dumps(saved)
    session.slices.save(str(tmp_path / "slices.tex"))
    assert "\\begin{tab" in (tmp_path / "slices.tex").read_text()


def test_the_crossed_table_and_the_found_slices_are_saved_where_they_are_shown(
    session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "slices.json"
    session.slices.save(str(path))
    assert [*tables_in(path)] == ["slices", "interactions", "crossed"]
    session.slices.search(True)
    label = "loses most"
    session.slices.save(str(path))
    saved = tables_in(path)
    assert [*saved] == ["slices", "interactions", "crossed", "search"]
    assert len(saved["search"]) > 0
    for suffix in (".tex", ".md"):
        whole = tmp_path / f"slices{suffix}"
        session.slices.save(str(whole))
        text = whole.read_text()
        assert label in text
        assert "Exploratory: p corrected over" in text
    session.attributes.show_slices(["language"])
    session.slices.search(False)
    session.slices.save(str(path))
    assert [*tables_in(path)] == ["slices", "interactions"]


def tables_in(path: Path) -> dict[str, list[dict[str, object]]]:
    """The rows of each table in a JSON file."""
    return {table["name"]: table["rows"] for table in json.loads(path.read_text())["tables"]}


def test_the_file_of_two_runs_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = sliced(tmp_path, runs=2)
    context = session.view.context
    assert context is not None
    assert context.judgments is not None
    (tmp_path / "qrels.txt").write_bytes(write(context.judgments.qrels))
    paths = []
    for key in (context.baseline, context.focus):
        entry = context.collection.run(key)  # type: ignore[arg-type]
        assert entry is not None
        paths.append(str(tmp_path / f"{entry.name}.run"))
        Path(paths[-1]).write_bytes(write(entry.run))
    for suffix in ("csv", "json"):
        session.slices.save(str(tmp_path / f"window.{suffix}"))
        command = ["slices", str(tmp_path / "qrels.txt"), *paths, "-m", str(context.measure), "--by", "language",
                   "--by", "traffic", "--cross", "--query-attributes", str(tmp_path / "table.csv"),
                   "--format", suffix]  # fmt: skip
        assert main(command) == 0
        of_command, kept = capsys.readouterr().out, (tmp_path / f"window.{suffix}").read_text()
        if suffix == "csv":
            assert of_command == kept
        else:
            command_tables, kept_tables = (json.loads(text)["tables"] for text in (of_command, kept))
            assert command_tables == kept_tables


def test_they_are_computed_in_the_background(tmp_path: Path) -> None:
    posted: Queue[Call] = Queue()
    session = session_with(collection(3, QUERIES), post=posted.put)
    (tmp_path / "table.csv").write_text(CSV)
    session.attributes.open_table(str(tmp_path / "table.csv"))
    deliver(posted, lambda: bool(session.attributes.tables))
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "slices")
    assert view_model_of(session).explanation == "Comparing the slices …"
    deliver(posted, lambda: view_model_of(session).result is not None)
    assert view_model_of(session).explanation == ""
    session.close()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".md", ".tex", ".txt", ".html"])
def test_changed_judgments_are_named_in_every_form(session: Session, suffix: str, tmp_path: Path) -> None:
    mark, plain, changed = "with 1 changed judgment", tmp_path / f"plain{suffix}", tmp_path / f"changed{suffix}"
    session.slices.save(str(plain))
    context = session.view.context
    assert context is not None
    query = session.view.query_id
    document, grade = next(iter(context.judgments.qrels.judgments(query).items()))  # type: ignore[union-attr]
    session.judging.judge(document, 0 if grade else 1)
    session.slices.save(str(changed))
    assert mark not in plain.read_text()
    text = changed.read_text()
    assert mark in text
    if suffix in (".csv", ".tsv"):
        header, *rows = csv.reader(io.StringIO(text), delimiter="\t" if suffix == ".tsv" else ",")
        assert header[-1] == "judgments"
        assert {row[-1] for row in rows} == {mark}
    if suffix == ".json":
        assert {row["judgments"] for rows in tables_in(changed).values() for row in rows} == {mark}


def numbers_of(session: Session) -> list[object]:
    """Each row's name, p and corrected p, and the tests of interaction."""
    rows = [(row["slice"], row["p"], row["p_corrected"]) for row in rows_of(session)]
    return [*rows, *rows_of(session, "interactions"), *view_model_of(session).headings]


def test_hiding_runs_changes_no_p_and_all_queries_have_that_of_systems(tmp_path: Path) -> None:
    session = sliced(tmp_path, runs=5)
    context = session.view.context
    assert context is not None
    before, known = numbers_of(session), session.slices.known()
    assert known is not None
    (run,) = known.comparison.runs
    assert run.family == 4 * sum(row.n >= 10 for row in run.rows) == 24
    systems = session.comparison.wanted(context, "baseline")
    assert systems is not None
    (pair,) = [pair for pair in systems.compute().comparison.pairs if pair.run_name == run.overall.run_name]
    assert run.overall.decision == pair.decision
    assert pair.decision.comparisons == 4
    assert context.baseline is not None
    assert context.focus is not None
    session.runs.show_runs([context.baseline, context.focus])
    hidden = session.view.context
    assert hidden is not None
    assert len(hidden.shown) == 2
    assert numbers_of(session) == before
