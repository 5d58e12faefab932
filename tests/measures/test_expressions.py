"""Expressions over measures: read, written back, computed, named in faults; in Python and on the command line."""

from __future__ import annotations

import math

import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.cli import main
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.expressions import FUNCTIONS
from irviewer.measures.parser import parse_measure, parse_measures, split_measures
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

PARTS = ("P@2", "R@3", "AP", "RR", "nDCG@3", "AP(rel=2)@3", "SearchLength", "Judged@2")


def trees() -> st.SearchStrategy[str]:
    """Random expressions, brackets everywhere."""
    leaves = st.sampled_from((*PARTS, "2", "0.5"))

    def more(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
            inner.map(lambda x: f"(-{x})"),
            st.tuples(inner, inner).map(lambda t: f"min({t[0]}, {t[1]})"),
            inner.map(lambda x: f"sqrt({x})"),
        )

    return st.recursive(leaves, more, max_leaves=6)


class Number(float):
    """A float whose divisions by 0 give 0."""

    def __truediv__(self, other: float) -> Number:
        return Number(float(self) / float(other) if other else 0.0)

    def __rtruediv__(self, other: float) -> Number:
        return Number(other) / self

    def __add__(self, other: float) -> Number:
        return Number(float(self) + float(other))

    def __sub__(self, other: float) -> Number:
        return Number(float(self) - float(other))

    def __mul__(self, other: float) -> Number:
        return Number(float(self) * float(other))

    def __neg__(self) -> Number:
        return Number(-float(self))


def by_python(text: str, values: dict[str, float]) -> float:
    """The expression's value as Python reckons it."""
    names = {}
    for number, part in enumerate(sorted(PARTS, key=len, reverse=True)):
        text = text.replace(part, f"value_{number}_")
        names[f"value_{number}_"] = Number(values[part])
    for number in ("2", "0.5"):
        text = text.replace(f" {number} ", f" Number({number}) ")
    if any(math.isnan(value_of_name) and name in text for name, value_of_name in names.items()):
        return math.nan  # what is made of something that has no value has none
    scope = {"min": min, "sqrt": lambda x: Number(math.sqrt(max(x, 0))), "Number": Number, **names}
    return float(eval(text, scope))


@given(some.qrels(some.whole_grades), some.runs(), trees())
def test_values(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], text: str) -> None:
    if not any(part in text for part in PARTS):
        with pytest.raises(MeasureError):
            parse_measure(text)
        return
    measure = parse_measure(text)
    assert parse_measure(measure.text) == measure
    assert parse_measure(measure.text).text == measure.text
    judged = judge(Run.from_dict(run), Qrels.from_dict(qrels))
    parts = {part: parse_measure(part).compute(judged) for part in PARTS}
    values = measure.compute(judged)
    assert values.shape == (len(qrels),)
    for query, value in enumerate(values.tolist()):
        wanted = by_python(text, {part: float(values_of_part[query]) for part, values_of_part in parts.items()})
        assert value == pytest.approx(wanted, abs=1e-9, nan_ok=True), (text, measure.text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(P@5+R@20)/2", "(P@5 + R@20) / 2"),
        ("P_5 - recall_20", "P@5 - R@20"),
        ("((P@5))", "P@5"),
        ("P@5 - (R@5 - AP)", "P@5 - (R@5 - AP)"),
        ("(P@5 - R@5) - AP", "P@5 - R@5 - AP"),
        ("P@5 / (R@5 * 2)", "P@5 / (R@5 * 2)"),
        ("-(P@5 + AP)", "-(P@5 + AP)"),
        ("P@5 * -AP", "P@5 * -AP"),
        ("ndcg@10-l2 - P.5", "nDCG(rel=2)@10 - P@5"),
        ("r-precision - 0.50", "Rprec - 0.5"),
        ("max(AP(rel=2), nDCG(gains={1:2,2:5})@3)", "max(AP(rel=2), nDCG(gains={1:2,2:5})@3)"),
        ("11pt_avg*2", "11pt_avg * 2"),
        ("iprec_at_recall.0.10+1e-1", "IPrec@0.1 + 0.1"),
        ("IPrec@1e-05", "IPrec@1e-05"),
        ("IPrec@1e-05-P@5*.5e-9", "IPrec@1e-05 - P@5 * 5e-10"),
    ],
)
def test_text(text: str, written: str) -> None:
    assert parse_measure(text).text == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P@5 +", "the expression is incomplete"),
        ("(P@5 + R@5", r'"\)" is missing'),
        ("P@5 + R@5)", r"unexpected '\)'"),
        ("P@5 + (R@5 AP)", r'"\)" is missing'),
        ("P@5 * nDGC@10", "unknown measure 'nDGC@10'; did you mean nDCG"),
        ("gm_map / 2", "no values of single queries"),
        ("NumQ + AP", "no values of single queries"),
        ("official * 2", "name one of them in the expression"),
        ("2 * 3", "at least one measure"),
        ("min(AP)", r"min\(\) takes two or more values"),
        ("sqrt(AP, RR)", r"sqrt\(\) takes one value"),
        ("P@5 * 1e999", "a number is too large"),
        pytest.param("P@5 / " + "9" * 400, "a number is too large", id="400 digits"),
        ("hit-rate@10", "unknown measure 'hit-rate@10'; did you mean hit_rate"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        parse_measure(text)


def test_the_level_reaches_the_parts() -> None:
    qrels = Qrels.from_dict({"1": {"a": 2, "b": 1}})
    run = Run.from_dict({"1": {"b": 2.0, "a": 1.0}})
    result = evaluate(qrels, run, ["P@2 + RR"], EvaluationOptions(level=2))
    assert result.measures[0].text == "P(rel=2)@2 + RR(rel=2)"
    assert result.mean("P@2 + RR") == pytest.approx(0.5 + 0.5)
    assert parse_measure("P@2 + RR").label(True, 1) == "P@2 + RR, grade ≥ 1"
    assert parse_measure("nDCG / 2").label(True, 1) == "nDCG / 2"


def test_what_is_known_of_an_expression() -> None:
    half_sum = parse_measure("sqrt(P@5 * R@5) - Judged@10 / 2")
    assert half_sum.family.formula == r"\sqrt{\mathrm{P@5} \cdot \mathrm{R@5}} - \frac{\mathrm{Judged@10}}{2}"
    assert (half_sum.aggregate, half_sum.counts, half_sum.bounded, half_sum.cutoff) == ("mean", False, False, None)
    assert parse_measure("P@5 + AP").higher_is_better
    assert not parse_measure("SearchLength * 2").higher_is_better
    assert parse_measure("P@5 - SearchLength").higher_is_better
    assert parse_measure("-SearchLength").higher_is_better
    assert {half_sum, parse_measure("sqrt(P@5*R@5)-Judged@10/2")} == {half_sum}
    assert sorted(FUNCTIONS) == ["abs", "log", "max", "min", "sqrt"]


def test_counts_divide_query_by_query() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 1}, "2": {"a": 0}})
    run = Run.from_dict({"1": {"a": 2.0}, "2": {"a": 1.0}})
    result = evaluate(qrels, run, ["NumRelRet / NumRel", "log(P@1)", "abs(P@1 - 2)"])
    assert result.by_query("NumRelRet / NumRel") == {"1": 0.5, "2": 0.0}
    assert result.by_query("log(P@1)") == pytest.approx({"1": 0, "2": math.log(0.00001)})
    assert result.by_query("abs(P@1 - 2)") == {"1": 1, "2": 2}


def test_on_the_command_line(samples: str, capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["(P@5 + R@20) / 2", "map P@5 / 2 - RR AP(rel=2) +R@5", "min(P@5, R@5)"]
    assert split_measures(texts) == ["(P@5 + R@20) / 2", "map", "P@5 / 2 - RR", "AP(rel=2) +R@5", "min(P@5, R@5)"]
    assert len(parse_measures(split_measures(texts))) == 5
    folder = f"{samples}/trec"
    asked = ["-m", "(P@5 + R@20) / 2 P@5 R@20", "--format", "csv"]
    assert main.main(["evaluate", f"{folder}/qrels.test", f"{folder}/results.test", *asked]) == 0
    header, row = (line.split(",") for line in capsys.readouterr().out.splitlines())
    values = dict(zip(header, row, strict=True))
    assert float(values["(P@5 + R@20) / 2"]) == pytest.approx((float(values["P@5"]) + float(values["R@20"])) / 2)
