"""ir_measures' stored values, all of them, under its dialect: tied runs and rounded recall included."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from pathlib import Path

import golden_files
import pytest
from comparison import Comparison

from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run


def ours(text: str) -> str:
    """The same measure in our words."""
    return "NumRelRet" if text == "NumRet(rel=1)" else text


def run_of(folder: Path, name: str) -> Run:
    for old, new in (("runs_helper/", "runs_made/"), ("doshi-jay/runs_ids_fixed/", "runs/runs_ids_fixed/")):
        name = name.replace(old, new)
    return golden_files.run_of(next(path for path in (folder / name, folder / f"{name}.gz") if path.is_file()))


@pytest.mark.parametrize("collection", ["adi", "cacm", "cranfield", "trec-covid-r1", "trec_eval_test"])
@pytest.mark.parametrize("file", ["ir_measures.json.gz", "ir_measures_extra.json.gz"])
def test_all_values(collection: str, file: str, data: Path, record_property: Callable[[str, object], None]) -> None:
    path = data / collection / "goldens" / "python" / file
    if not path.is_file():
        pytest.skip(f"{collection} has no {file}")
    stored = json.loads(gzip.decompress(path.read_bytes()))
    name = stored["qrels"].replace("doshi-jay/", "runs/")
    names = (name, f"{name}.gz")
    qrels = golden_files.qrels_of(next(data / file_name for file_name in names if (data / file_name).is_file()))
    compared, wrong = 0, []
    account = Comparison("ir_measures 0.4.3", collection, files=1)
    for name, values in stored["runs"].items():
        run = run_of(data / collection, name)
        texts = list(values["aggregate"])
        result = evaluate(qrels, run, [ours(text) for text in texts], EvaluationOptions(dialect="ir_measures"))
        for text in texts:
            # gdeval prints five decimals; the others' values of queries were stored with seven, some with six.
            close = 6e-6 if text.startswith("ERR") or "exp-log2" in text else 6e-8
            close = 6e-7 if text.startswith(("Compat", "Accuracy")) else close
            our_values = {"all": result.mean(ours(text)), **result.by_query(ours(text))}
            wanted = {"all": values["aggregate"][text], **values["per_query"].get(text, {})}
            for query, value in wanted.items():
                differs = not math.isclose(our_values[query], value, rel_tol=0, abs_tol=close)
                why = reason(text, query, run)
                if why:
                    account.aside(why, differs)
                    continue
                compared += 1
                account.equal()
                if differs:
                    wrong.append(f"{name} {text} {query}: {our_values[query]} {value}")
    assert not wrong, f"{len(wrong)} of {compared}\n" + "\n".join(wrong[:20])
    account.record(record_property)
    record_property("values equal to ir_measures under its dialect", compared)


def reason(text: str, query: str, run: Run) -> str:
    """Why a value is not asked to be equal; "" where it is."""
    if text.startswith(("NumQ", "NumRel")):
        return "NumQ and NumRel count the run's queries only"
    if text.startswith("Compat") and run.tied.any():
        return (
            "Compat's ideal ranking has documents of equal grade and score in the order of the qrels, unknown to runs"
        )
    if text.startswith("Accuracy") and query == "all":
        return "the mean of Accuracy leaves out queries where nothing relevant was found"
    return ""
