"""Systems on collections are the same in the window, on the command line, in Python and in CSV: the family, the values,
and what is said beside them; also where a system has a run on one collection alone."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.session.session import Session
from irviewer.tables.emphasis import best
from irviewer.tables.exact import plain_columns

RUNS = {
    "first": ("bm25", "dense", "sparse", "only_a", "only_b", "only_c"),
    "second": ("bm25", "dense", "sparse"),
    "third": ("bm25", "dense", "sparse", "only_d"),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three collections; dense returns many documents that nobody judged."""
    dice, root = random.Random(3), tmp_path_factory.mktemp("collections")
    queries, documents = [f"q{number}" for number in range(8)], [f"d{number}" for number in range(14)]
    for name, runs in RUNS.items():
        (root / name).mkdir()
        grades = [f"{query} 0 {document} {dice.choice([0, 0, 1])}\n" for query in queries for document in documents]
        (root / name / "judged.qrels").write_text("".join(grades))
        for run in runs:
            with (root / name / f"{run}.run").open("w") as file:
                for query in queries:
                    unjudged = [f"u{number}" for number in range(30 if run == "dense" else 0)]
                    for rank, document in enumerate(dice.sample([*documents, *unjudged], 10), start=1):
                        file.write(f"{query} Q0 {document} {rank} {50 - rank} {run}\n")
    return [str(root / name) for name in RUNS]


def test_every_door_takes_the_systems_of_one_collection(
    folders: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window left them out of the family, and the command's had no macro mean for want of them; the window said
    nothing of the shares of judged documents."""
    asked = ["collections", *folders, "--baseline", "bm25", "--tests"]
    assert main([*asked, "--format", "json"]) == 0
    answer_json = json.loads(capsys.readouterr().out)
    printed = {table["name"]: table["rows"] for table in answer_json["tables"]}
    assert main([*asked, "--format", "csv", "--table", "means"]) == 0
    in_csv = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    ours = irviewer.evaluate_collections(folders, baseline="bm25")
    session = Session()
    session.files.open_files(folders)
    session.evaluation.set_measure("nDCG@10")
    session.navigation.set_place("collections")
    session.compute_now()
    result, bound = session.collections.result(), session.collections.protocol
    assert result is not None and bound is not None and ours.protocol is not None
    assert "Holm over 2 to 5 in each collection against bm25" in bound.line()
    for name in ("systems", "means", "pairs", "ranks"):
        columns = {key: values.to_pylist() for key, values in plain_columns(result.table(name)).items()}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        assert rows == printed[name], name
    shown = [float(row["p_corrected"]) if row["p_corrected"] else None for row in in_csv]
    assert shown == [row["p_corrected"] for row in printed["means"]]
    notes = [remark.text for remark in result.table("systems").notes]
    of_command = next(table for table in answer_json["tables"] if table["name"] == "systems")
    assert notes == [note["text"] for note in of_command.get("notes", answer_json["notes"])][: len(notes)]
    assert any("dense" in text and "judged" in text for text in notes)
    assert any(text.startswith("only_a, only_b, only_c") for text in notes)
    view_model = session.collections.collections_view_model()
    assert view_model is not None
    assert [label.name for label in view_model.systems] == ["bm25", "dense", "sparse"]
    assert "4 runs of single collections take part there and are not shown" in view_model.legend
    assert "judged" in view_model.legend
    # The best of some collection has a run there alone, which the window does not list.
    whole = ours.table
    listed = [whole.systems.index(label.name) for label in view_model.systems]
    names = [name for name, column in zip(whole.collections, whole.best.T, strict=True)
             if column.any() and not column[listed].any()]  # fmt: skip
    assert names and f"the best of {', '.join(names)} takes part there alone and is not shown" in view_model.legend
    assert (view_model.best == whole.best[listed]).all()
    table = result.table("systems")
    for column, bold in zip(whole.collections, whole.best.T, strict=True):
        assert best(table, table.column(column)).tolist() == bold.tolist()
    session.close()


def test_macro_and_micro_means_by_hand(folders: list[str]) -> None:
    """Those of systems of several collections do not need the others, which have none."""
    table = irviewer.evaluate_collections(folders, "P@5", baseline="bm25").table
    assert table.complete.tolist() == [True, True, True]
    values: dict[str, list[float]] = {}
    for folder in folders:
        for run in RUNS[Path(folder).name]:
            of_run = irviewer.evaluate(f"{folder}/judged.qrels", f"{folder}/{run}.run", "P@5")
            values.setdefault(run, []).append(float(of_run.means[0, 0]))
    for row, system in enumerate(table.systems):
        means: Any = values[system]
        if len(means) == 3:
            assert table.macro[row] == pytest.approx(np.mean(means), abs=1e-12)
            assert table.micro[row] == pytest.approx(np.mean(means), abs=1e-12)  # as many queries on each
        else:
            assert np.isnan(table.macro[row]) and np.isnan(table.micro[row])
    assert table.alone == ("only_a", "only_b", "only_c", "only_d")
    tests = irviewer.evaluate_collections(folders, "P@5", baseline="bm25").tests
    assert tests.systems == ("bm25", "dense", "sparse") and tests.excluded == ()
