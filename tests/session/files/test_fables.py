"""The fables sample is what its README says: its runs come from its script, its pool from its runs."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import json
import re
import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import pytrec_eval
import scipy.stats

from irviewer.model.workspace import Regime
from irviewer.session.files.samples import find_sample
from irviewer.session.session import Session

FOLDER = Path(__file__).parents[3] / "resources" / "samples" / "fables"
POOL = 10


def read_run(path: Path) -> dict[str, list[tuple[str, float]]]:
    run: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        query, _, docno, rank, score, tag = line.split()
        assert tag == path.name.removesuffix(".run.gz")
        run[query].append((docno, float(score)))
        assert int(rank) == len(run[query])
    return dict(run)


RUNS = {path.name.removesuffix(".run.gz"): read_run(path) for path in sorted((FOLDER / "runs").iterdir())}
DOCUMENTS = [json.loads(line) for line in (FOLDER / "documents.jsonl").read_text("utf-8").splitlines()]
with (FOLDER / "queries.tsv").open(encoding="utf-8", newline="") as stream:
    QUERIES = list(csv.DictReader(stream, delimiter="\t"))
QRELS: dict[str, dict[str, int]] = defaultdict(dict)
for line in (FOLDER / "qrels.txt").read_text("ascii").splitlines():
    topic, _, judged, grade = line.split()
    assert judged not in QRELS[topic]
    QRELS[topic][judged] = int(grade)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    # No bytecode among the samples, which are copied to where the program is given away.
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        return _script()
    finally:
        sys.dont_write_bytecode = writes


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_fables", FOLDER.parent / "build_fables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def values(measure: str) -> dict[str, list[float]]:
    """The values of every run by query, by pytrec_eval."""
    evaluator = pytrec_eval.RelevanceEvaluator(dict(QRELS), {measure})
    return {
        name: [row[measure] for _, row in sorted(evaluator.evaluate({q: dict(r) for q, r in run.items()}).items())]
        for name, run in RUNS.items()
    }


def test_the_runs_are_those_of_the_script(script: ModuleType) -> None:
    """The last decimal of a sum may differ on another machine, and with it the order of neighbours."""
    rebuilt = script.make_runs(DOCUMENTS, QUERIES)
    assert set(rebuilt) == set(RUNS)
    for name, run in RUNS.items():
        assert list(rebuilt[name]) == list(run) == [query["id"] for query in QUERIES]
        for query, ranking in run.items():
            ours = [float(score) for _, score in rebuilt[name][query]]
            assert ours == pytest.approx([score for _, score in ranking], abs=2e-4)
            assert len({docno for docno, _ in rebuilt[name][query]} ^ {docno for docno, _ in ranking}) <= 2


def test_bm25_is_the_formula() -> None:
    """The plain run's scores, from a loop over the texts."""
    texts = {d["id"]: re.findall("[a-z]+", f"{d['title']} {d['text']}".lower().replace("'s", "")) for d in DOCUMENTS}
    mean = np.mean([len(words) for words in texts.values()])
    query = next(query for query in QUERIES if query["id"] == "31")
    for docno, score in RUNS["bm25_plain"]["31"]:
        expected = 0.0
        for word in re.findall("[a-z]+", query["text"]):
            holders = sum(word in words for words in texts.values())
            frequency = texts[docno].count(word)
            saturation = frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * len(texts[docno]) / mean))
            expected += np.log(1 + (158 - holders + 0.5) / (holders + 0.5)) * saturation
        assert score == pytest.approx(expected, abs=1e-4)


def test_what_is_judged_is_the_pool_and_nothing_else() -> None:
    for query in QUERIES:
        pool = {docno for run in RUNS.values() for docno, _ in run[query["id"]][:POOL]}
        assert set(QRELS[query["id"]]) == pool
        assert max(QRELS[query["id"]].values()) > 0
    assert {grade for row in QRELS.values() for grade in row.values()} == {0, 1, 2}
    known = {document["id"] for document in DOCUMENTS}
    assert all(docno in known for run in RUNS.values() for ranking in run.values() for docno, _ in ranking)
    unjudged = [docno not in QRELS[query] for query, ranking in RUNS["lsa_dense"].items() for docno, _ in ranking]
    assert 0.5 < np.mean(unjudged) < 0.8


def test_the_readme_has_pytrec_evals_values() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (0\.\d{4}) \| (0\.\d{4}) \|$", (FOLDER / "README.md").read_text(), re.M)
    ndcg, average = values("ndcg_cut_10"), values("map")
    expected = [(name, f"{np.mean(ndcg[name]):.4f}", f"{np.mean(average[name]):.4f}") for name, _, _ in rows]
    assert sorted(name for name, _, _ in rows) == sorted(RUNS)
    assert rows == expected


def test_some_pairs_differ_and_others_do_not() -> None:
    rows = values("ndcg_cut_10")
    p = {pair: scipy.stats.ttest_rel(rows[pair[0]], rows[pair[1]]).pvalue for pair in combinations(sorted(rows), 2)}
    assert sum(value < 0.05 / len(p) for value in p.values()) >= 5
    assert p["bm25_plain", "fusion_rrf"] < 0.01
    assert sum(value > 0.2 for value in p.values()) >= 3


def test_it_opens_with_texts_and_attributes() -> None:
    session = Session()
    session.files.open_sample("fables")
    collection = session.view.collection
    assert collection is not None
    assert collection.documents is not None
    assert collection.queries is not None
    assert (len(collection.documents), len(collection.queries), len(collection.runs)) == (158, 48, 6)
    assert {"form", "asks for"} <= set(collection.queries.attributes)
    assert session.view.judgments is not None
    assert session.view.judgments.regime is Regime.POOLED
    assert session.view.caveats == ()
    assert session.view.place == "query"
    session.close()
    sample = find_sample("Fables")
    assert sample is not None
    assert sample.baseline == "bm25_plain"
