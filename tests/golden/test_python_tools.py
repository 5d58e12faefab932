"""ir_measures', pytrec_eval's and gdeval's values as those programs gave them, stored beside the collections."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from comparison import Comparison
from golden_files import qrels_of, run_of

from irviewer.evaluation.evaluate import evaluate, missing_queries
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run

ELSEWHERE = ("Compat", "Accuracy", "INST", "INSQ", "BPM", "NERR", "SDCG")
"""Families that test_browsing_models compares, with each tool's own order of ties."""

OTHERWISE = ("IPrec", "NumQ", "NumRel")
"""pytrec_eval rounds recall cutoffs as trec_eval 9; ir_measures counts the queries of the run only."""

OTHER_TIES = ("RR(rel=2)@10", "RR@10", "Judged", "RBP", "ERR")
"""Other programs break ties of these in other ways: compared only where the run has none."""


def ours(text: str) -> str | None:
    """The same measure in our words; None where it is not compared here."""
    if text.startswith((*ELSEWHERE, *OTHERWISE)):
        return None
    if text.startswith(("ERR@", "nDCG(dcg='exp-log2')")):
        return text.replace("ERR@", "ERR(max_rel=4)@")  # gdeval fixes the highest grade at 4
    if text.startswith("SetF(beta="):
        # ir_measures hands beta to trec_eval, whose x is not beta squared.
        return text.replace("SetF(beta=", "set_F(x=")
    return text


def _read(path: Path) -> dict[str, Any]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return json.loads(data)  # type: ignore[no-any-return]


def _run(folder: Path, name: str) -> Run:
    for old, new in (("runs_helper/", "runs_made/"), ("doshi-jay/runs_ids_fixed/", "runs/runs_ids_fixed/")):
        name = name.replace(old, new)
    run_file = next(path for path in (folder / name, folder / f"{name}.gz") if path.is_file())
    return run_of(run_file)


def _untied(run: Run) -> bool:
    return not run.tied.any()


def _close(value: float, wanted: float, text: str) -> bool:
    """gdeval prints five decimals and sums those; the others' values of queries were stored with seven."""
    rough = text.startswith("ERR") or "exp-log2" in text
    return math.isclose(value, wanted, rel_tol=0, abs_tol=6e-6 if rough else 6e-8)


@pytest.mark.parametrize("collection", ["adi", "cacm", "cranfield", "trec-covid-r1", "trec_eval_test"])
@pytest.mark.parametrize("file", ["ir_measures.json.gz", "ir_measures_extra.json.gz"])
def test_ir_measures(collection: str, file: str, data: Path, record_property: Callable[[str, object], None]) -> None:
    """Queries that a run lacks count as 0 there too; a query without a line is one of those."""
    path = data / collection / "goldens" / "python" / file
    if not path.is_file():
        pytest.skip(f"{collection} has no {file}")
    stored = _read(path)
    qrels = qrels_of(data / _found(data, stored["qrels"]))
    compared, wrong = 0, []
    for name, values in stored["runs"].items():
        run = _run(data / collection, name)
        texts = [text for text in values["aggregate"] if ours(text)]
        if not _untied(run):
            texts = [text for text in texts if not text.startswith(OTHER_TIES) and "exp-log2" not in text]
        result = evaluate(qrels, run, [str(ours(text)) for text in texts])
        for text in texts:
            mean = result.mean(str(ours(text)))
            compared += 1
            if not _close(mean, values["aggregate"][text], text):
                wrong.append(f"{name} {text}: {mean} {values['aggregate'][text]}")
            by_query = result.by_query(str(ours(text)))
            for query, wanted in values["per_query"].get(text, {}).items():
                compared += 1
                if not _close(by_query[query], wanted, text):
                    wrong.append(f"{name} {text} {query}: {by_query[query]} {wanted}")
    assert not wrong, f"{len(wrong)} of {compared}\n" + "\n".join(wrong[:20])
    assert compared
    record_property("values equal to ir_measures and gdeval", compared)


def _found(data: Path, name: str) -> str:
    name = name.replace("doshi-jay/", "runs/")
    return next(file for file in (name, f"{name}.gz") if (data / file).is_file())


@pytest.mark.parametrize("collection", ["adi", "cacm", "cranfield"])
def test_pytrec_eval(collection: str, data: Path, record_property: Callable[[str, object], None]) -> None:
    """Means over the queries that a run has; pytrec_eval sums nothing: its num_rel_ret and gm_map are plain means."""
    stored = _read(data / collection / "goldens" / "python" / "pytrec_eval.json")
    compared, wrong = 0, []
    account = Comparison("pytrec_eval-terrier", collection, files=1)
    for name, values in stored["runs"].items():
        run = _run(data / collection, name)
        qrels = qrels_of(data / {"adi": "adi/qrels.derived.trec", "cacm": "cacm/runs/cacm.rel.txt",
                               "cranfield": "cranfield/qrel.trec"}[collection])  # fmt: skip
        means = values["mean_over_returned_topics"]
        texts = [text for text in means if text != "gm_map"]
        options = EvaluationOptions(missing="intersection", dialect="trec_eval-9")
        result = evaluate(qrels, run, [*texts, "map"], options)
        queries = len(qrels.query_ids) - len(missing_queries(run, qrels))
        for text in texts:
            mean = result.mean(text) / (queries if text == "num_rel_ret" else 1)
            compared += 1
            account.equal()
            if mean != pytest.approx(means[text], abs=1e-9):
                wrong.append(f"{name} {text}: {mean} {means[text]}")
        if "gm_map" in means:  # the mean of logarithms there, without the power that makes a geometric mean of it
            logs = [math.log(max(value, 0.00001)) for value in result.by_query("map").values()]
            assert sum(logs) / len(logs) == pytest.approx(means["gm_map"], abs=1e-9)
            account.aside("gm_map is stored as the mean of logarithms, whose power is ours", True)
            assert evaluate(qrels, run, ["gm_map"], options).mean("gm_map") == pytest.approx(math.exp(means["gm_map"]))
    assert not wrong, "\n".join(wrong[:20])
    account.record(record_property)
    record_property("values equal to pytrec_eval's stored ones", compared)
