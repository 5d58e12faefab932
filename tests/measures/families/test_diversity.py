"""Diversity measures against pyndeval (ndeval's code) called live and against plain loops, on random qrels and runs."""

from __future__ import annotations

import contextlib
import io
import math
import warnings
from collections.abc import Sequence

import brute_diversity as brute
import numpy as np
import pyndeval
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.measures.registry import families
from irviewer.model.arrays import strings
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own imports are not ours to mend
    import ir_measures

TOPICS = ("0", "1", "2", "10", "b")
Row = tuple[str, str, str, float]
rows = st.lists(
    st.tuples(some.queries, st.sampled_from(TOPICS), some.documents, st.integers(-1, 3).map(float)),
    min_size=1, max_size=60, unique_by=lambda row: row[:3],
)  # fmt: skip


@st.composite
def runs_without_ties(draw: st.DrawFn) -> dict[str, dict[str, float]]:
    """{query: {document: score}}: pyndeval breaks ties by id ascending."""
    rankings = {}
    for query in draw(st.sets(some.queries, min_size=1)):
        order = draw(st.lists(some.documents, unique=True, min_size=1))
        rankings[query] = {document: float(-place) for place, document in enumerate(order)}
    return rankings


def qrels_of(judged_rows: Sequence[Row]) -> Qrels:
    """Qrels as a reader makes them from rows of a file."""
    queries = list(dict.fromkeys(row[0] for row in judged_rows))
    codes = np.array([queries.index(row[0]) for row in judged_rows], dtype=np.int64)
    grades = np.array([row[3] for row in judged_rows])
    return Qrels.from_columns(
        tuple(queries),
        codes,
        strings([row[2] for row in judged_rows]),
        grades,
        subtopics=strings([row[1] for row in judged_rows]),
    )


def nested(judged_rows: Sequence[Row]) -> dict[str, dict[str, dict[str, float]]]:
    """{query: {document: {subtopic: grade}}}"""
    result: dict[str, dict[str, dict[str, float]]] = {}
    for query, topic, document, grade in judged_rows:
        result.setdefault(query, {}).setdefault(document, {})[topic] = grade
    return result


# ndeval divides ERR-IA and alpha-DCG by their best from the second rank on only: see test_at_rank_one.
COLUMNS = (
    *(f"{name}@{k}" for name in ("ERR-IA", "alpha-DCG") for k in (2, 3, 20)),
    *(f"{name}@{k}" for name in ("nERR-IA", "alpha-nDCG", "P-IA", "strec") for k in (1, 2, 5, 20)),
    "NRBP", "nNRBP", "MAP-IA",
)  # fmt: skip


def ours(column: str, level: int, alpha: float, beta: float) -> str:
    """Our text of one of ndeval's columns under parameters."""
    name, at, k = column.partition("@")
    name = {"MAP-IA": "AP_IA", "strec": "StRecall"}.get(name, name.replace("-", "_"))
    family = families()[name]
    known = {"alpha": alpha, "beta": beta, "rel": level}
    given = ",".join(f"{key}={value}" for key, value in known.items() if family.parameter(key) is not None)
    return f"{name}({given}){at}{k}"


@given(
    rows,
    runs_without_ties(),
    st.sampled_from((1, 2)),
    st.sampled_from((0.5, 0.25, 1.0, 0.0)),
    st.sampled_from((0.5, 0.8)),
)
def test_pyndeval(
    judged_rows: list[Row], run: dict[str, dict[str, float]], level: int, alpha: float, beta: float
) -> None:
    theirs = pyndeval.RelevanceEvaluator(
        [(query, topic, document, int(grade)) for query, topic, document, grade in judged_rows],
        COLUMNS,
        relevance_level=level,
        alpha=alpha,
        beta=beta,
    ).evaluate([(query, document, score) for query, scores in run.items() for document, score in scores.items()])
    texts = {column: ours(column, level, alpha, beta) for column in COLUMNS}
    result = evaluate(qrels_of(judged_rows), Run.from_dict(run), list(texts.values()))
    for column, text in texts.items():
        values = result.by_query(text)
        for query, values_of_query in theirs.items():
            wanted = (
                0.0 if math.isnan(values_of_query[column]) else values_of_query[column]
            )  # it divides 0 by 0 where nothing is relevant
            assert values[query] == pytest.approx(wanted, abs=1e-9), (text, query)
        assert all(values[query] == 0 for query in result.query_ids if query not in theirs)


@given(
    rows, runs_without_ties(), st.sampled_from((1, 2)), st.sampled_from((0.5, 0.3)), st.sampled_from((None, 1, 3, 9))
)
def test_plain_loops(
    judged_rows: list[Row], run: dict[str, dict[str, float]], level: int, alpha: float, k: int | None
) -> None:
    """Also what ndeval lacks: whole lists, and a first rank that is divided like all others."""
    at = "" if k is None else f"@{k}"
    both, plain = f"(alpha={alpha},rel={level})", f"(rel={level})"
    texts = (
        f"ERR_IA{both}{at}", f"nERR_IA{both}{at}", f"alpha_DCG{both}{at}", f"alpha_nDCG{both}{at}",
        f"AP_IA{plain}{at}", f"P_IA{plain}{at}", f"StRecall{plain}{at}", f"NRBP{both}", f"nNRBP{both}",
    )  # fmt: skip
    result = evaluate(qrels_of(judged_rows), Run.from_dict(run), texts)
    for query, judgments in nested(judged_rows).items():
        ranking = list(run.get(query, {}))
        wanted = (
            brute.against_all(ranking, judgments, alpha, brute.by_rank, level, k),
            brute.against_ideal(ranking, judgments, alpha, brute.by_rank, level, k),
            brute.against_all(ranking, judgments, alpha, brute.by_logarithm, level, k),
            brute.against_ideal(ranking, judgments, alpha, brute.by_logarithm, level, k),
            brute.average_precision(ranking, judgments, level, k),
            brute.precision(ranking, judgments, level, k),
            brute.recall(ranking, judgments, level, k),
            brute.nrbp(ranking, judgments, alpha, 0.5, level),
            brute.against_ideal(ranking, judgments, alpha, lambda rank: 0.5 ** (rank - 1), level, None),
        )
        for text, value in zip(texts, wanted, strict=True):
            assert result.by_query(text)[query] == pytest.approx(value, abs=1e-9), (text, query)


DIVERSE = ("alpha_nDCG@3", "ERR_IA@2", "nERR_IA@5", "alpha_DCG@20", "NRBP", "nNRBP", "AP_IA", "P_IA@2", "StRecall@2")


@given(rows, some.runs(st.integers(-2, 2).map(float), least=1))
def test_ir_measures_with_ties(judged_rows: list[Row], run: dict[str, dict[str, float]]) -> None:
    """pyndeval, which it asks, takes documents of equal score by id ascending; so does its dialect. Default parameters
    only: with others (and with judged_only) ir_measures 0.4.3 reads its run twice, the second time to no end, and has 0
    for every query."""
    listed = [row for row in judged_rows if row[3] >= 0]
    if not listed:
        return
    qrels = [ir_measures.Qrel(query, document, int(grade), topic) for query, topic, document, grade in listed]
    by_measure = {ir_measures.parse_measure(text): text for text in DIVERSE}
    with contextlib.redirect_stderr(io.StringIO()):  # it warns where every query has one subtopic
        theirs = list(ir_measures.iter_calc(list(by_measure), qrels, run))
    result = evaluate(qrels_of(listed), Run.from_dict(run), DIVERSE, EvaluationOptions(dialect="ir_measures"))
    for value in theirs:
        wanted = 0.0 if math.isnan(value.value) else value.value
        text = by_measure[value.measure]
        assert result.by_query(text)[value.query_id] == pytest.approx(wanted, abs=1e-9), (text, value.query_id)


def test_at_rank_one() -> None:
    """ndeval's loop over the divisors begins at the second rank: its first value is S times ours."""
    judged_rows = [("1", "1", "a", 1.0), ("1", "2", "a", 1.0), ("1", "3", "b", 1.0)]
    theirs = pyndeval.ndeval(
        [(q, t, d, int(g)) for q, t, d, g in judged_rows], [("1", "a", 1.0)], ["ERR-IA@1", "alpha-DCG@1"]
    )
    assert theirs["1"] == {"ERR-IA@1": 2, "alpha-DCG@1": 2}
    assert evaluate(
        qrels_of(judged_rows), Run.from_dict({"1": {"a": 1.0}}), ["ERR_IA@1", "alpha_DCG@1"]
    ).means.tolist() == [
        [2 / 3],
        [2 / 3],
    ]


@given(rows, runs_without_ties())
def test_without_subtopics_a_query_is_one(judged_rows: list[Row], run: dict[str, dict[str, float]]) -> None:
    """Ordinary qrels, and the same rows under one subtopic, are the same; AP_IA is then AP and P_IA is P."""
    plain = {
        query: {document: max(grades.values()) for document, grades in each.items()}
        for query, each in nested(judged_rows).items()
    }
    alone = qrels_of(
        [(query, "7", document, grade) for query, each in plain.items() for document, grade in each.items()]
    )
    texts = ["AP_IA", "P_IA@3", "AP", "P@3", "alpha_nDCG@5", "ERR_IA@3", "NRBP", "StRecall@2"]
    first = evaluate(Qrels.from_dict(plain), Run.from_dict(run), texts)
    assert first.values.tolist() == evaluate(alone, Run.from_dict(run), texts).values.tolist()
    assert first["AP_IA"] == pytest.approx(first["AP"])
    assert first["P_IA@3"] == pytest.approx(first["P@3"])


@given(rows, runs_without_ties())
def test_judged_only_is_the_run_without_the_others(judged_rows: list[Row], run: dict[str, dict[str, float]]) -> None:
    judgments = nested(judged_rows)
    shorter = {
        query: {d: s for d, s in scores.items() if max(judgments.get(query, {}).get(d, {"": -1}).values()) >= 0}
        for query, scores in run.items()
    }
    texts = ["alpha_nDCG(judged_only=True)@3", "ERR_IA(judged_only=True)@3", "AP_IA(judged_only=True)"]
    first = evaluate(qrels_of(judged_rows), Run.from_dict(run), texts)
    second = evaluate(qrels_of(judged_rows), Run.from_dict(shorter), ["alpha_nDCG@3", "ERR_IA@3", "AP_IA"])
    assert first.values == pytest.approx(second.values)
    third = evaluate(qrels_of(judged_rows), Run.from_dict(run), ["alpha_nDCG@3"], EvaluationOptions(judged_only=True))
    assert first.values[0] == pytest.approx(third.values[0])


@given(rows)
def test_a_document_is_listed_once_with_its_highest_grade(judged_rows: list[Row]) -> None:
    qrels = qrels_of(judged_rows)
    for query, judgments in nested(judged_rows).items():
        assert qrels.judgments(query) == {
            document: max(grades_of_topics.values()) for document, grades_of_topics in judgments.items()
        }
    queries, topics, documents, grades = qrels.written
    assert topics is not None
    back = zip(queries.to_pylist(), topics.to_pylist(), documents.to_pylist(), grades.tolist(), strict=True)
    assert sorted(back) == sorted(judged_rows)
    assert (qrels.subtopics is None) == (len(qrels) < len(judged_rows))


def test_names() -> None:
    assert str(parse_measure("α_nDCG@10")) == "alpha_nDCG@10"
    assert str(parse_measure("MAP_IA")) == "AP_IA"
    assert str(parse_measure("alpha_nDCG(alpha=0.3, rel=2)@5")) == "alpha_nDCG(alpha=0.3,rel=2)@5"
