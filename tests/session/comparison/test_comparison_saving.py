"""A saved comparison is the one in view, in the form that its suffix says, and names all tests."""

from __future__ import annotations

import csv
import html
import io
import json
from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.errors import IrviewerError
from irviewer.model.protocol import TestName
from irviewer.model.run import Run
from irviewer.model.workspace import Collection
from tests.helpers.latex import read_tables
from tests.session.helpers import collection, session_with


@pytest.mark.parametrize("suffix", [".txt", ".md", ".tex", ".html", ".json"])
@pytest.mark.parametrize("kind", ["baseline", "pairs"])
def test_every_form_names_what_was_examined(tmp_path: Path, suffix: str, kind: str) -> None:
    session = session_with(collection(4, queries=30))
    path = tmp_path / f"found{suffix}"
    session.comparison.save_comparison(str(path), kind)  # type: ignore[arg-type]
    text = html.unescape(path.read_text("utf-8").replace("\\", ""))
    compared = session.comparison.compared(kind)  # type: ignore[arg-type]
    assert compared is not None
    assert session.view.messages[-1].text == f"Saved {path}"
    wanted = [said.split(" (")[0] for said in compared.comparison.looked_at]
    assert [said for said in wanted if said not in text and said.split(":")[-1] not in text] == []


def test_the_numbers_are_those_in_view(tmp_path: Path) -> None:
    session = session_with(collection(3, queries=30))
    session.runs.set_baseline(1)
    session.query_sets.make_query_set("few", [str(number) for number in range(1, 11)])
    session.query_sets.set_query_set("few")
    session.comparison.save_comparison(str(tmp_path / "found.csv"))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "found.csv").read_text("utf-8"))))
    assert [(row["run"], row["other"], row["n"]) for row in rows] == [
        ("alpha", "beta", "10"),
        ("gamma", "beta", "10"),
    ]
    compared = session.comparison.compared()
    assert compared is not None
    pair = compared.pair(2)
    assert pair is not None
    assert float(rows[1]["difference"]) == pair.difference
    session.comparison.save_comparison(str(tmp_path / "found.json"))
    document = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert any("chosen after looking" in note["text"] for note in document["notes"])
    session.comparison.save_comparison(str(tmp_path / "found.tex"))
    _, table = read_tables((tmp_path / "found.tex").read_text("utf-8"))
    assert [row[0] for row in table.rows] == ["alpha", "beta", "gamma"]


def test_what_cannot_be_saved_says_why(tmp_path: Path) -> None:
    session = session_with(collection(1))
    with pytest.raises(IrviewerError, match="at least two runs"):
        session.comparison.save_comparison(str(tmp_path / "a.csv"))
    with pytest.raises(IrviewerError, match="file extension determines the format"):
        session.comparison.save_comparison(str(tmp_path / "a.xlsx"))


def test_warnings_about_a_pair_have_the_names_of_the_window() -> None:
    small_collection = collection(3, queries=30)
    runs = []
    for entry in small_collection.runs:
        run = entry.run
        queries = [query for query in run.query_ids if query != "15" or run.name != "beta"]
        lists = {
            query_id: dict(zip(run.ranking(query_id), run.ranking_scores(query_id).tolist(), strict=True))
            for query_id in queries
        }
        runs.append(Run.from_dict(lists, name=f"results_of_{run.name}"))
    session = session_with(Collection("made", judgments=small_collection.judgments).with_runs(runs))
    session.navigation.set_place("compare")
    session.runs.set_focus(1)
    session.compute_now()
    view_model = session.comparison.pair_view_model()
    assert view_model is not None and view_model.run is not None
    assert view_model.run.name == "beta"
    assert "beta lacks 1 query: counted as 0." in view_model.warnings


def test_a_query_that_a_run_lacks_and_the_set_in_force_are_reported(tmp_path: Path) -> None:
    """As the command line does; the view model of two runs speaks of these two, and names the set in its title."""
    small_collection = collection(3, queries=30)
    run = small_collection.runs[1].run
    queries = [query for query in run.query_ids if query != "15"]
    lists = {
        query_id: dict(zip(run.ranking(query_id), run.ranking_scores(query_id).tolist(), strict=True))
        for query_id in queries
    }
    short = Collection("made", judgments=small_collection.judgments).with_runs(
        [small_collection.runs[0].run, Run.from_dict(lists, name="beta"), small_collection.runs[2].run]
    )
    session = session_with(short)
    expected = "beta lacks 1 query: counted as 0."
    session.navigation.set_place("compare")

    def warned(focus: int) -> tuple[str, ...]:
        session.runs.set_focus(focus)
        session.compute_now()
        view_model = session.comparison.pair_view_model()
        assert view_model is not None
        assert view_model.conclusion
        return view_model.warnings

    assert expected in warned(1)
    assert expected not in warned(2)
    session.query_sets.make_query_set("some", [str(query) for query in range(1, 29)], looked=False)
    session.query_sets.set_query_set("some")
    assert expected in warned(1)
    assert not any("some" in said for said in warned(1))
    for suffix in (".txt", ".csv", ".md", ".json"):
        session.comparison.save_comparison(str(tmp_path / f"found{suffix}"))
        beside = ".protocol.toml" if suffix == ".csv" else ""
        text = (tmp_path / f"found{suffix}{beside}").read_text("utf-8").replace("\\", "")
        assert expected in text
        assert "Only the queries of some: 28 of 30." in text


@pytest.mark.parametrize("test", ["t", "wilcoxon"])
@pytest.mark.parametrize("kind", ["baseline", "pairs"])
def test_the_columns_are_those_of_the_command(
    tmp_path: Path, kind: str, test: TestName, capsys: pytest.CaptureFixture[str]
) -> None:
    """The window computes further tests for Pair, which nobody asked the command for; t is always beside."""
    opened = collection(3, queries=30)
    assert opened.judgments
    qrels = tmp_path / "qrels.txt"
    judged = opened.judgments[0].qrels
    lines = [f"{query} 0 {document} {grade:g}" for query in judged.query_ids
             for document, grade in judged.judgments(query).items()]  # fmt: skip
    qrels.write_text("\n".join(lines) + "\n")
    paths = []
    for entry in opened.runs:
        paths.append(str(tmp_path / f"{entry.name}.run"))
        lines = [f"{query} Q0 {document} 0 {-place} {entry.name}" for query in judged.query_ids
                 for place, document in enumerate(entry.run.ranking(query))]  # fmt: skip
        Path(paths[-1]).write_text("\n".join(lines) + "\n")
    session = session_with(opened)
    session.protocol.set(test=test)
    session.comparison.save_comparison(str(tmp_path / "found.csv"), kind)  # type: ignore[arg-type]
    pairs = ["--pairs"] if kind == "pairs" else []
    assert main(["compare", str(qrels), *paths, "-m", str(session.view.measure), *pairs, "--test", test,
                 "--format", "csv"]) == 0  # fmt: skip
    window, command = (
        list(csv.reader(io.StringIO(text)))
        for text in ((tmp_path / "found.csv").read_text("utf-8"), capsys.readouterr().out)
    )
    assert window[0] == command[0]
    if kind == "baseline":
        assert window == command
