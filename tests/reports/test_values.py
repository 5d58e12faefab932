"""Values as text: trec_eval's lines to the sign, CSV and JSON that read back, tables that stand in line."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest
import strategies as some
from hypothesis import given

from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.reports.values import WRITERS, Written, as_trec_eval, write_trec

QRELS = Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"a": 1}})
RUN = Run.from_dict({"1": {"a": 2.0, "x": 1.0}, "2": {"x": 1.0}}, name="r|un")


def written(
    measures: list[str], options: EvaluationOptions | None = None, by_query: bool = True, qrels: Qrels = QRELS,
    runs: tuple[Run, ...] = (RUN,),
) -> Written:  # fmt: skip
    options = options or EvaluationOptions()
    result = evaluate(qrels, runs, measures, options)
    return Written(result, [run.tag for run in runs], [judge(run, qrels, options) for run in runs], by_query)


def test_a_query_whose_list_judged_only_leaves_empty_prints_as_trec_eval_divides() -> None:
    """0 divided by 0 in six places where no document is needed for the recall; the sum carries it on."""
    options = EvaluationOptions(judged_only=True)
    text = write_trec(written(["iprec_at_recall.0,0.5", "11pt_avg", "map"], options))
    lines = dict(line.rsplit("\t", 1) for line in text.splitlines())
    assert lines["iprec_at_recall_0.00  \t2"] == lines["11pt_avg              \tall"] == "  -nan"
    assert lines["iprec_at_recall_0.50  \t2"] == "0.0000"
    assert lines["iprec_at_recall_0.00  \t1"] == "1.0000"
    assert lines["map                   \tall"] == "0.5000"
    result = evaluate(QRELS, RUN, ["IPrec@0"], options)
    assert result.by_query("IPrec@0") == {"1": 1.0, "2": 0.0}  # elsewhere it is 0
    judged = judge(RUN, QRELS, options)
    values = parse_measure("AP").compute(judged)
    assert as_trec_eval(parse_measure("AP"), judged, values) is values


def test_a_long_name_is_not_cut() -> None:
    text = write_trec(written(["nDCG(dcg='exp-log2',judged_only=True)@10"], by_query=False))
    assert "nDCG(dcg='exp-log2',judged_only=True)@10\tall\t" in text


@given(some.qrels(), some.runs())
def test_csv_tsv_and_json_read_back(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]]) -> None:
    """Every value at full precision, whatever the ids."""
    odd_run = Run.from_dict(run, name='na,me "x"')
    about = written(["AP", "num_ret", "nDCG@3"], qrels=Qrels.from_dict(qrels), runs=(odd_run,))
    expected = {(row["query"], row["measure"]): row["value"] for row in about.result.table.to_pylist()}
    for name, sign in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.DictReader(io.StringIO(WRITERS[name](about)), delimiter=sign))
        assert {row["run"] for row in rows} == {'na,me "x"'}
        assert {(row["query"], row["measure"]): float(row["value"]) for row in rows} == expected
    run_report = json.loads(WRITERS["json"](about))["runs"][0]
    assert run_report["all"] == {
        "AP": expected["all", "AP"],
        "NumRet": expected["all", "NumRet"],
        "nDCG@3": expected["all", "nDCG@3"],
    }
    assert {(q, m): v for q, values in run_report["queries"].items() for m, v in values.items()} == {
        key: value for key, value in expected.items() if key[0] != "all"
    }


@pytest.mark.parametrize("name", ["table", "markdown", "csv", "tsv", "json"])
def test_nothing_evaluated(name: str) -> None:
    """No query in common under intersection: a mean of nothing is no number, and no format falls over it."""
    about = written(["AP", "num_q"], EvaluationOptions(missing="intersection"), qrels=Qrels.from_dict({"9": {"a": 1}}))
    text = WRITERS[name](about)
    if name == "json":
        assert json.loads(text)["runs"][0]["all"] == {"AP": None, "NumQ": 0}
    else:
        assert "0" in text


def test_tables_are_aligned() -> None:
    about = written(["AP", "num_ret", "nDCG(dcg='exp-log2')@10"])
    lines = WRITERS["table"](about).splitlines()
    assert lines[0].split() == ["query", "measure", "r|un"]
    assert len({len(line) for line in lines[1:]}) == 1
    rows = WRITERS["markdown"](about).splitlines()
    assert rows[0] == "| query | measure | r\\|un |"
    assert {row.replace("\\|", "").count("|") for row in rows} == {4}


def test_summaries_are_not_values_of_queries() -> None:
    about = written(["num_q", "gm_map", "AP"])
    lines = [line for line in write_trec(about).splitlines() if "\tall\t" not in line]
    assert {line.split("\t")[0].rstrip() for line in lines} == {"map"}
    assert math.isclose(about.result.mean("gm_map"), math.sqrt(0.00001))
