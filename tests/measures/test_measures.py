"""Every measure against plain loops over documents, on random qrels and runs under every option."""

from __future__ import annotations

from dataclasses import replace

import brute
import brute_browsing
import brute_recall
import numpy as np
import pytest
import strategies as some
from every import NEEDS_MORE, computed, every_measure
from hypothesis import given
from hypothesis import strategies as st
from random_collections import random_collection

from irviewer.analysis.explain import explain_query
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import bind_measures, evaluate
from irviewer.measures.gains import satisfying
from irviewer.measures.parser import parse_measure
from irviewer.measures.registry import families
from irviewer.model.document_lengths import Lengths
from irviewer.model.judgments.judged import judge
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

MEASURES = brute.MEASURES | brute_browsing.MEASURES | brute_recall.MEASURES

ONES = Lengths(dict.fromkeys(some.DOCUMENTS, 1.0))
"""Documents of one token each: what is read down to a document is its rank."""

OPTIONS = st.builds(
    EvaluationOptions,
    level=st.sampled_from((1, 2, 0.5, 3)),
    judged_only=st.booleans(),
    depth=st.sampled_from((None, 1, 3, 5)),
    missing=st.sampled_from(("zero", "intersection")),
)


def expected(
    text: str, qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], options: EvaluationOptions
) -> dict[str, float]:
    """The brute-force value of every evaluated query."""
    top = max((grade for grades in qrels.values() for grade in grades.values()), default=0.0)
    by_query = {}
    for query in sorted(qrels, key=str.encode):
        if query not in run and options.missing == "intersection":
            continue
        ranking = brute.graded_list(run.get(query, {}), qrels[query], options.depth, options.judged_only)
        by_query[query] = MEASURES[text](ranking, list(qrels[query].values()), options.level, top)
    return by_query


ELSEWHERE = (
    "citations",
    "diversity",
    "document_fields",
    "judgment_groups",
    "nuggets",
    "preferences",
    "sampled",
    "support",
)
"""Files of measures that read more than the grades of the qrels: each has loops and a test file of its own."""


def test_every_family_has_a_brute_force_counterpart() -> None:
    assert {parse_measure(text).name for text in MEASURES} == {
        name
        for name, family in families().items()
        if family.strings is None and family.compute.__module__.rpartition(".")[2] not in ELSEWHERE
    }


@given(some.qrels(), some.runs(some.any_scores), OPTIONS)
def test_equal_to_plain_loops(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], options: EvaluationOptions
) -> None:
    """Values of every query, and their mean, for every measure at once."""
    judgments, ranking = Qrels.from_dict(qrels), Run.from_dict(run)
    judged = judge(ranking, judgments, replace(options, lengths=ONES))
    for text in MEASURES:
        wanted = expected(text, qrels, run, options)
        (measure,) = bind_measures([text], judgments, options)
        values = measure.compute(judged)
        assert values.dtype == "float64"
        assert dict(zip(judged.query_ids, values.tolist(), strict=True)) == pytest.approx(
            wanted, abs=1e-12, nan_ok=True
        ), text
        numbers = list(wanted.values())
        mean = {
            "sum": sum(numbers),
            "count": len(numbers),
            "geometric": brute.geometric_mean(numbers),
            "mean": sum(numbers) / len(numbers) if numbers else brute.NAN,
        }[measure.aggregate]
        assert measure.mean(values) == pytest.approx(mean, abs=1e-12, nan_ok=True), text


@given(some.qrels(), some.runs(), st.sampled_from(sorted(MEASURES)))
def test_judged_only_as_a_parameter_is_judged_only_as_an_option(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], text: str
) -> None:
    measure = parse_measure(text)
    if measure.family.parameter("judged_only") is None:
        return
    head, _, tail = text.partition("@")
    said = f"{head[:-1]},judged_only=True)" if head.endswith(")") else f"{head}(judged_only=True)"
    with_parameter = parse_measure(f"{said}@{tail}" if tail else said)
    judgments, ranking = Qrels.from_dict(qrels), Run.from_dict(run)
    wanted = expected(text, qrels, run, EvaluationOptions(judged_only=True))
    values = with_parameter.compute(judge(ranking, judgments, EvaluationOptions(lengths=ONES))).tolist()
    assert values == pytest.approx(list(wanted.values()), abs=1e-12, nan_ok=True)


@given(some.qrels(), some.runs())
def test_bounds(qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]]) -> None:
    """What is announced as bounded lies between 0 and 1."""
    judged = judge(Run.from_dict(run), Qrels.from_dict(qrels), EvaluationOptions(lengths=ONES))
    for text in MEASURES:
        measure = parse_measure(text)
        if measure.bounded and "gains" not in text:
            values = measure.bind(max_grade=judged.max_grade).compute(judged)
            if measure.name == "Effort":
                values = values[~np.isnan(values)]  # what is never reached has no value without N
            assert ((values >= -1e-12) & (values <= 1 + 1e-12)).all(), text


@given(some.qrels(some.whole_grades))
def test_the_ideal_ranking_is_perfect(qrels: dict[str, dict[str, float]]) -> None:
    """A run that returns the judged documents by grade has nDCG 1 wherever there is something to find."""
    result = evaluate(Qrels.from_dict(qrels), Run.from_dict(qrels), ["nDCG", "nDCG@3", "AP", "Rprec", "Bpref", "RR"])
    for query, judgments in qrels.items():
        wanted = 1.0 if max(judgments.values()) >= 1 else 0.0
        for measure in result.measures:
            assert result.by_query(measure)[query] == pytest.approx(wanted), measure.text


@given(some.qrels(some.whole_grades), some.runs(), st.integers(0, 30))
def test_unlisted_documents_below_the_list_change_no_ranked_measure(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], more: int
) -> None:
    longer = {query: {**scores, **{f"unknown-{n}": -100.0 - n for n in range(more)}} for query, scores in run.items()}
    texts = ["AP", "nDCG", "P@4", "R@4", "RR", "Bpref", "IPrec@0.5", "ERR@10", "RBP(p=0.8)", "infAP"]
    short, long = (evaluate(Qrels.from_dict(qrels), Run.from_dict(ranking), texts) for ranking in (run, longer))
    assert short.values.tolist() == long.values.tolist()


def test_err_refuses_a_grade_above_the_maximum() -> None:
    qrels = Qrels.from_dict({"1": {"a": 5}})
    run = Run.from_dict({"1": {"a": 1.0}})
    with pytest.raises(MeasureError, match=r"grade of 5; set max_rel to 5 or more"):
        evaluate(qrels, run, ["ERR(max_rel=4)@10"])
    result = evaluate(qrels, run, ["ERR@10"])
    assert result.measures[0].text == "ERR(max_rel=5)@10"
    assert result.mean("ERR@10") == pytest.approx(31 / 32)


@pytest.mark.parametrize("top", [1023, 1024, 1e6, 1e299])
def test_err_of_any_grade(top: float) -> None:
    """2 to the grade is no number from 1024 on; its share of 2 to the highest grade is."""
    qrels = Qrels.from_dict({"1": {"a": top, "b": top - 1, "c": 1}})
    run = Run.from_dict({"1": {"b": 2.0, "a": 1.0, "c": 0.5}})
    below = 0.5 if top < 1e9 else 1.0  # beyond 2^53 the grade below is the same number
    assert evaluate(qrels, run, ["ERR@10"]).mean("ERR@10") == pytest.approx(below + (1 - below) / 2)
    assert explain_query(run, qrels, "ERR@10", "1").value == pytest.approx(below + (1 - below) / 2)


def test_satisfaction_is_as_it_was_for_grades_of_any_collection() -> None:
    for most in range(1, 60):
        grades = np.arange(float(most + 1))
        np.testing.assert_array_equal(satisfying(grades, most), (2.0**grades - 1.0) / 2.0**most)


@pytest.mark.parametrize("name", ["DCG", "nDCG", "IdealDCG"])
def test_an_exponential_gain_beyond_any_number_is_refused(name: str) -> None:
    run = Run.from_dict({"1": {"a": 1.0}})
    text = f"{name}(dcg='exp-log2')"
    assert evaluate(Qrels.from_dict({"1": {"a": 1023}}), run, [text]).mean(text) >= 1
    with pytest.raises(MeasureError, match=r"the gain 2\^1024 of grade 1024 is too large"):
        evaluate(Qrels.from_dict({"1": {"a": 1024}}), run, [text])


def test_the_fixture_of_the_tools_disagreements() -> None:
    """One query on which trec_eval 10, ir_measures and gdeval were run; the values that they printed."""
    qrels = Qrels.from_dict({"1": {"a": 3, "b": 0, "c": 1, "d": -2, "n": 1}})
    run = Run.from_dict({"1": {"d": 9, "u": 8, "c": 7, "a": 7, "b": 6}})
    result = evaluate(
        qrels, run,
        ["AP", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@3", "Bpref", "unj@5", "Judged@5", "Judged@10",
         "RBP(p=0.9,rel=1)", "ERR(max_rel=4)@5"],
    )  # fmt: skip
    assert [round(value, 4) for value in result.means[:, 0].tolist()] == [
        0.2778, 0.4338, 0.1210, 0.0615, 0.6667, 0.4, 0.8, 0.8, 0.1539, 0.1234,
    ]  # fmt: skip
    judged_only = evaluate(qrels, run, ["AP", "nDCG", "RR"], EvaluationOptions(judged_only=True))
    assert [round(value, 4) for value in judged_only.means[:, 0].tolist()] == [0.6667, 0.7003, 1.0]
    assert round(evaluate(qrels, run, ["nDCG"], EvaluationOptions(level=2)).mean("nDCG"), 4) == 0.4338


def test_a_query_is_worth_the_same_whatever_other_queries_there_are() -> None:
    """A sum that runs on from one query into the next leaves its digits there."""
    example = random_collection(7, "wide", queries=25, judged=30, deep=40)
    big = Judgment("q0", "d0", 1e9)
    qrels = JudgmentOverlay.of([big]).applied(example.qrels)
    whole = judge(example.runs[0], qrels)
    alone = {query: judge(example.runs[0], qrels, queries=[query]) for query in whole.query_ids}
    for measure in every_measure(3):
        values = computed(measure, whole)
        if values is None or measure.name in NEEDS_MORE:
            continue
        for query, value in zip(whole.query_ids, values.tolist(), strict=True):
            again = float(measure.compute(alone[query])[0])
            assert again == pytest.approx(value, rel=1e-13, abs=1e-14, nan_ok=True), (measure.text, query)
