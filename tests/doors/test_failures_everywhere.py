"""A run has the same failures in the window, on the command line, in Python and in CSV, whichever runs are shown; it is
said which of those that are listed take no part."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.session.session import Session
from irviewer.tables.exact import plain_columns
from irviewer.tables.table import Table

RUNS = ("bm25", "dense", "outsider", "sparse", "splade")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Runs of which one takes no part, and is by far the best: it moves every median, and makes no query hard."""
    dice, folder = random.Random(4), tmp_path_factory.mktemp("failures")
    queries, documents = [f"q{number}" for number in range(9)], [f"d{number}" for number in range(16)]
    grades = {(query, document): dice.choice([0, 0, 0, 1]) for query in queries for document in documents}
    (folder / "qrels.txt").write_text("".join(f"{q} 0 {doc} {grade}\n" for (q, doc), grade in grades.items()))
    for name in RUNS:
        with (folder / f"{name}.run").open("w") as file:
            for query in queries:
                listed = dice.sample([*documents, "u1", "u2", "u3", "u4"], 10)
                if name == "outsider":
                    listed.sort(key=lambda document: -grades.get((query, document), 0))
                for rank, document in enumerate(listed, start=1):
                    file.write(f"{query} Q0 {document} {rank} {50 - rank} {name}\n")
    names = [name for name in RUNS if name != "outsider"]
    (folder / "p.toml").write_text(f'measures = ["P@10"]\nscope = {{ runs = {json.dumps(names)} }}\n')
    return [str(folder / name) for name in ("qrels.txt", *(f"{name}.run" for name in RUNS), "p.toml")]


def rows_of(table: Table) -> list[dict[str, Any]]:
    columns = {key: values.to_pylist() for key, values in plain_columns(table).items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_showing_a_run_changes_no_number(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The window listed a run that takes no part as any other, and counted it among the runs that a document misleads,
    with hidden ones left out."""
    *paths, protocol = files
    asked = [*paths, "--protocol", protocol]
    assert main(["show", "failures", *asked, "--format", "json"]) == 0
    shown = {table["name"]: table["rows"] for table in json.loads(capsys.readouterr().out)["tables"]}
    assert main(["failures", *asked, "--format", "csv"]) == 0
    in_csv = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert main(["failures", *asked, "--hubs", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"][0]["rows"] == shown["hubs"]
    in_python = irviewer.failures(paths[0], paths[1:], protocol=protocol)
    assert in_python.runs == ("bm25", "dense", "sparse", "splade")

    session = Session()
    session.files.open_files(paths)
    session.protocol.open_file(protocol)
    collection = session.view.collection
    assert collection is not None
    session.runs.show_runs([entry.key for entry in collection.runs if entry.name in ("bm25", "dense", "outsider")])
    session.navigation.set_place("queries")
    tables: dict[str, Table] = {}
    for tab in ("failures", "hubs"):
        session.navigation.set_tab("queries", tab)
        session.compute_now()
        tables |= {table.name: table for table in session.failures.tables(tab)}
    listed = [row for row in rows_of(tables["failures"]) if row["run"] != "outsider"]
    assert listed == [row for row in shown["failures"] if row["run"] in ("bm25", "dense")]
    assert [(row["query"], row["run"]) for row in listed] == [
        (row["query"], row["run"]) for row in in_csv if row["run"] in ("bm25", "dense")
    ]
    assert rows_of(tables["hubs"]) == shown["hubs"]
    for name in ("failures", "counts"):
        notes = [note.text for note in tables[name].notes]
        assert "outsider is listed, but takes no part: no value of another run depends on it." in notes
        assert any(note.startswith("sparse, splade are hidden and not listed, but take part") for note in notes)
    session.navigation.set_tab("queries", "failures")
    view_model = session.failures.failures_view_model()
    assert view_model is not None
    assert "outsider is listed, but takes no part" in view_model.note
    session.close()


def found_by(session: Session, cutoff: int) -> dict[tuple[str, str], int]:
    session.compute_now()
    table = next(table for table in session.failures.tables("failures") if table.name == "failures")
    assert table.column("found").title == f"found by {cutoff}"
    return {(row["query"], row["run"]): row["found"] for row in rows_of(table)}


def test_the_top_is_what_the_measure_reads(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With P@3 the window looked at three documents, and the command and Python at ten."""
    paths = files[:-1]
    session = Session()
    session.files.open_files(paths)
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "failures")
    for measure, cutoff in (("AP", 10), ("P@3", 3)):
        session.evaluation.set_measure(measure)
        wanted = found_by(session, cutoff)
        for command in (["failures"], ["show", "failures"]):
            words = [*command, *paths, "-m" if command == ["failures"] else "--measure", measure, "--format", "json"]
            assert main(words) == 0
            given = json.loads(capsys.readouterr().out)
            counts = {(row["query"], row["run"]): row["found"] for row in given["tables"][0]["rows"]}
            assert {key: counts.get(key) for key in wanted} == wanted, command
            assert main([*words[:-2], "--cutoff", "5"]) == 0
            said = "The top is the first 5 documents"
            assert (f"{said}; P@3 is cut at rank 3." if measure == "P@3" else f"{said}.") in capsys.readouterr().out
        assert given["parameters"]["cutoff"] == cutoff
        assert irviewer.failures(paths[0], paths[1:], measure).failures.limits.cutoff == cutoff
    session.close()


@pytest.fixture(scope="module")
def pooled(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Runs that return judged and unjudged documents; protocols of judged documents only and of complete judgments."""
    dice, folder = random.Random(8), tmp_path_factory.mktemp("pooled")
    queries, documents = [f"q{number}" for number in range(6)], [f"d{number}" for number in range(12)]
    grades = {(query, doc): dice.choice([0, 1, 2]) for query in queries for doc in documents if dice.random() < 0.6}
    (folder / "qrels.txt").write_text("".join(f"{q} 0 {doc} {grade}\n" for (q, doc), grade in grades.items()))
    for name in ("base", "other"):
        (folder / f"{name}.run").write_text("".join(
            f"{query} Q0 {doc} {rank} {50 - rank} {name}\n"
            for query in queries for rank, doc in enumerate(dice.sample(documents, 10), start=1)
        ))  # fmt: skip
    for name, rules in (("judged", "judged_only = true"), ("complete", 'unjudged = "complete"')):
        (folder / f"{name}.toml").write_text(f'measures = ["nDCG@3"]\nrules = {{ {rules} }}\n')
    return [str(folder / name) for name in ("qrels.txt", "base.run", "other.run", "judged.toml", "complete.toml")]


def test_lists_of_judged_documents_everywhere(pooled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The command, Python and the verdict said that nDCG has no best order; the window had no document to judge."""
    *paths, protocol, _ = pooled
    session = Session()
    session.files.open_files(paths)
    session.protocol.open_file(protocol)
    session.navigation.set_place("queries")
    for tab, words in (("causes", ["failures", "--causes"]), ("worklist", ["pool", "--worklist"])):
        session.navigation.set_tab("queries", "failures" if tab == "causes" else tab)
        session.compute_now()
        assert main([words[0], *paths, words[1], "--protocol", protocol, "--format", "json"]) == 0
        given = {table["name"]: table["rows"] for table in json.loads(capsys.readouterr().out)["tables"]}
        assert {table.name: rows_of(table) for table in session.failures.tables(tab)} == given
        assert all(given.values())
    session.close()
    parts = ("not_retrieved", "too_low", "order")
    table = irviewer.failures(paths[0], paths[1:], protocol=protocol, run="other").to_arrow("loss").to_pylist()
    assert all(sum(row[part] for part in parts) == pytest.approx(row["loss"], abs=1e-12) for row in table)
    assert "loss" in irviewer.verdict(paths[0], paths[1:], protocol=protocol).shown.names
    # Each document to judge by hand: the value with its judgment, less that without.
    qrels = [line.split() for line in Path(paths[0]).read_text().splitlines()]
    for work in irviewer.worklist(paths[0], paths[1:], protocol=protocol, most=3):
        with_it: dict[str, dict[str, float]] = {}
        for query, _, doc, grade in [*qrels, [work.query, "0", work.document, str(work.grade)]]:
            with_it.setdefault(query, {})[doc] = float(grade)
        before, after = (
            irviewer.evaluate(judged, paths[1:], "nDCG@3", judged_only=True).by_query(
                "nDCG@3", run=work.changes[0].run
            )[work.query]
            for judged in (paths[0], with_it)
        )
        assert work.changes[0].delta == pytest.approx(after - before, abs=1e-9)


def test_complete_judgments_leave_nothing_to_judge(pooled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The window said so, and the command and Python listed documents."""
    *paths, _, protocol = pooled
    assert main(["pool", *paths, "--worklist", "--protocol", protocol]) == 2
    assert "The judgments are read as complete: every document counts as judged" in capsys.readouterr().err
    with pytest.raises(OptionError, match="every document counts as judged"):
        irviewer.worklist(paths[0], paths[1:], unjudged="complete")
