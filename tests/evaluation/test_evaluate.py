"""Evaluation as a whole: measures bound and kept once, runs with different queries, options that narrow."""

from __future__ import annotations

import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

import irviewer
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import bind_measures, evaluate, missing_queries
from irviewer.evaluation.results import format_value, format_values
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import use_decimal_comma

QRELS = Qrels.from_dict({"2": {"a": 2, "b": 1}, "10": {"a": 1}, "1": {"c": 1}})
FULL = Run.from_dict({"1": {"c": 1.0}, "2": {"x": 3.0, "a": 2.0}, "10": {"a": 1.0}}, name="full")
PART = Run.from_dict({"2": {"a": 1.0}, "99": {"a": 1.0}}, name="part")


def test_several_runs() -> None:
    result = evaluate(QRELS, [FULL, PART], ["AP", "num_ret"])
    assert result.query_ids == ("1", "10", "2")
    assert result["AP"].tolist() == pytest.approx([(1 + 1 + 0.25) / 3, (0 + 0 + 0.5) / 3])
    assert result.missing == {"full": (), "part": ("1", "10")}
    assert result.by_query("NumRet", "part") == {"1": 0, "10": 0, "2": 1}


def test_intersection_is_each_runs_own() -> None:
    result = evaluate(QRELS, [FULL, PART], ["AP"], EvaluationOptions(missing="intersection"))
    assert result.query_ids == ("1", "10", "2")
    assert result.mean("AP", "part") == 0.5
    assert result.by_query("AP", "part") == {"2": 0.5}
    assert np.isnan(result.values[0, 1, :2]).all()
    assert result.table.filter(result.table["run"].to_numpy(zero_copy_only=False) == "part").num_rows == 2


def test_missing_queries_are_named_in_bytewise_order() -> None:
    assert missing_queries(Run.from_dict({}), QRELS) == ("1", "10", "2")
    assert missing_queries(FULL, QRELS) == ()


def test_measures_are_kept_once_and_in_order() -> None:
    bound = bind_measures(["P.5,10", "AP", "map", parse_measure("P@5"), "ERR@5"], QRELS, EvaluationOptions(level=2))
    assert [measure.text for measure in bound] == ["P(rel=2)@5", "P(rel=2)@10", "AP(rel=2)", "ERR(max_rel=4)@5"]


def test_a_measure_answers_to_its_names() -> None:
    result = evaluate(QRELS, FULL, ["AP", "AP(rel=1)", "P@5"], EvaluationOptions(level=2))
    assert [measure.text for measure in result.measures] == ["AP(rel=2)", "AP", "P(rel=2)@5"]
    assert result.mean("P_5") == result.mean("P(rel=2)@5") == pytest.approx(0.2 / 3)
    assert result.mean("AP(rel=2)") == pytest.approx(0.5 / 3)


def test_two_runs_of_one_name() -> None:
    with pytest.raises(OptionError, match="two runs have the name full"):
        evaluate(QRELS, [FULL, FULL], ["AP"])


def test_a_readable_text() -> None:
    text = repr(irviewer.evaluate(QRELS, [FULL, PART], ["AP", "nDCG(dcg='exp-log2')@10", "num_ret"]))
    lines = text.splitlines()
    assert lines[0].startswith("3 queries · graded")
    assert lines[2] == "Means"
    assert lines[4].startswith("full")
    assert lines[4].endswith("4")
    assert len({len(line) for line in lines[3:6]}) == 1
    assert "8 more" not in text
    many = repr(irviewer.evaluate(QRELS, FULL, ["official"])).splitlines()
    assert many[3].split() == ["measure", "full"], "measures that do not fit beside each other are rows"


def test_values_as_trec_eval_prints_them() -> None:
    ap, count = parse_measure("AP"), parse_measure("num_ret")
    assert format_value(ap, 0.5) == "0.5000"
    assert format_value(ap, 2 / 3, 2) == "0.67"
    assert format_value(count, 1234.0) == "1234"
    assert format_value(ap, float("nan")) == "–"


@pytest.mark.parametrize("comma", [False, True])
def test_many_values_as_each_of_them(comma: bool) -> None:
    values = np.array([0.5, 2 / 3, 0.12345, 0.00005, 1234.0, -1.0, float("nan"), float("inf")])
    use_decimal_comma(comma)
    try:
        for measure in (parse_measure("AP"), parse_measure("num_ret")):
            for digits in (2, 4):
                assert format_values(measure, values, digits) == [format_value(measure, v, digits) for v in values]
    finally:
        use_decimal_comma(False)
    assert format_values(parse_measure("AP"), values[-2:], nan="-nan") == ["-nan", "inf"]


@given(some.qrels(), some.runs(), some.runs(), st.sampled_from(("zero", "intersection")))
def test_runs_do_not_touch_each_other(
    qrels: dict[str, dict[str, float]],
    first: dict[str, dict[str, float]],
    two: dict[str, dict[str, float]],
    missing: str,
) -> None:
    """Evaluated together or alone: the same values, the same means, the table says the same once more."""
    judgments, options = Qrels.from_dict(qrels), EvaluationOptions(missing=missing)  # type: ignore[arg-type]
    runs = [Run.from_dict(first, name="one"), Run.from_dict(two, name="two")]
    texts = ["AP", "nDCG@3", "num_q", "gm_map", "Bpref"]
    together = evaluate(judgments, runs, texts, options)
    rows = {(row["run"], row["measure"], row["query"]): row["value"] for row in together.table.to_pylist()}
    for run in runs:
        alone = evaluate(judgments, run, texts, options)
        for text in texts:
            measure = parse_measure(text)
            assert together.by_query(text, run.name) == alone.by_query(text)
            assert together.mean(text, run.name) == pytest.approx(alone.mean(text), abs=0, nan_ok=True)
            for query, value in alone.by_query(text).items():
                assert rows[(run.name, measure.text, query)] == value
