"""ndeval's outputs on TREC's diversity qrels of the Web track 2013: every value of every query, and the means."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from comparison import Comparison

from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.load import load
from irviewer.formats.trec.qrels import read_qrels
from irviewer.formats.trec.run import read_run
from irviewer.model.run import Run

FOLDER = "trec-web-2013-diversity"


def ours(name: str) -> str:
    """Our name of one of ndeval's columns."""
    return name.replace("MAP-IA", "AP-IA").replace("strec", "StRecall").replace("-", "_")


@pytest.mark.parametrize("suffix", ["-traditional", ""], ids=["by score", "by rank"])
@pytest.mark.parametrize("name", ["good", "mid", "random"])
def test_every_value(name: str, suffix: str, data: Path, record_property: Callable[[str, object], None]) -> None:
    """ "traditional" ranks by score and document id as trec_eval does; without it ndeval goes by the rank column: here
    the run is given that order as scores."""
    folder = data / FOLDER
    qrels = read_qrels(folder / "qrels.web.201-250.ndeval.txt.gz")
    path = folder / "runs_synthetic" / f"201-250.{name}.run.gz"
    run = read_run(path) if suffix else by_rank(path)
    with (folder / "goldens" / "ndeval" / f"201-250.{name}.ndeval{suffix}.csv").open() as file:
        rows = list(csv.DictReader(file))
    columns = [column for column in rows[0] if column not in ("runid", "topic")]
    result = evaluate(qrels, run, [ours(column) for column in columns])
    assert len(columns) == 21
    assert len(rows) == len(result.query_ids) + 1 == 51
    for column in columns:
        our_values = {**result.by_query(ours(column)), "amean": result.mean(ours(column))}
        for row in rows:
            assert our_values[row["topic"]] == pytest.approx(float(row[column]), abs=5.1e-7), (column, row["topic"])
    Comparison("ndeval", FOLDER, 1, len(columns) * len(rows)).record(record_property)
    record_property("values equal to ndeval", len(columns) * len(rows))


def by_rank(path: Path) -> Run:
    """The run with scores that say its rank column's order."""
    table: dict[str, dict[str, float]] = {}
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        query, _, document, rank, *_ = line.split()
        table.setdefault(query, {})[document] = -float(rank)
    return Run.from_dict(table)


def test_diversity_qrels_serve_ordinary_measures_as_well(data: Path) -> None:
    """Each document once, with its highest grade over subtopics; the pool is the one of the ordinary qrels."""
    folder = data / FOLDER
    loaded = load(folder / "qrels.web.201-250.ndeval.txt.gz")
    qrels, plain = loaded.value, read_qrels(folder / "qrels.web.201-250.txt.gz")
    assert qrels.assessments is not None
    assert len(qrels.assessments) == 44814
    assert len(qrels) == len(plain) == 14474
    highest: dict[tuple[str, str], float] = {}
    queries, _, documents, grades = qrels.written
    for query, document, grade in zip(queries.to_pylist(), documents.to_pylist(), grades.tolist(), strict=True):
        highest[query, document] = max(grade, highest.get((query, document), grade))
    for query in qrels.query_ids:
        assert qrels.judgments(query).keys() == plain.judgments(query).keys()
        assert qrels.judgments(query) == {document: highest[query, document] for document in qrels.judgments(query)}
    assert any("documents have several" in str(finding) for finding in loaded.report.findings)
    assert not loaded.report.warnings
    merged = type(qrels).from_dict({query: qrels.judgments(query) for query in qrels.query_ids})
    run = read_run(folder / "runs_synthetic" / "201-250.mid.run.gz")
    for text in ("AP", "nDCG@10", "P@5"):
        assert evaluate(qrels, run, [text]).by_query(text) == evaluate(merged, run, [text]).by_query(text)
