"""Random collections, each evaluated by irviewer, by pytrec_eval-terrier and by ir_measures, all values compared: ties
and near ties, negative grades, graded and binary and empty judgments, missing and additional queries, empty lists, ids
of every script.

IRVIEWER_CASES says how many collections there are (400, a third of them in ordinary runs); ten thousand and more take
some minutes::

    IRVIEWER_CASES=10000 python -m pytest tests/evaluation/test_differential.py
"""

from __future__ import annotations

import math
import os
import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import pytrec_eval
from examples import count
from strategies import DOCUMENTS, QUERIES

from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measures
from irviewer.measures.tool_names import GROUPS
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own imports are not ours to mend
    import ir_measures

CASES = int(os.environ.get("IRVIEWER_CASES", count(400)))
BLOCKS = 8
"""Parts that can be run beside each other."""

Record = Callable[[str, object], None]
pytestmark = pytest.mark.random
IDS = (*DOCUMENTS, *(f"doc{number}" for number in range(14)))
GRADES = {
    "binary": (0, 1),
    "graded": (0, 0, 1, 2, 3, 4),
    "negative": (-2, -1, 0, 0, 1, 3),
    "nothing": (0,),
    "all": (1, 2),
}
SCORES = {
    "ties": (0.0, 1.0, 2.0, 3.0, -1.0),
    "equal": (1.0,),
    "near": (1.0, 1.00000001, 1.00000002, 2.0, 2.0000000001, 1e10, 1e10 + 1),
    "apart": (),
}


@dataclass(frozen=True)
class Case:
    """A collection: judgments, the same without those below 0, a run, the least relevant grade."""

    judgments: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]
    level: int
    scores: str

    @property
    def positive(self) -> dict[str, dict[str, int]]:
        """What pytrec_eval, which every negative grade makes crash, can be given: trec_eval takes those documents for
        pooled and unjudged, and only infAP tells such from those that are not in the pool."""
        kept = {query: {document: grade for document, grade in listed.items() if grade >= 0}
                for query, listed in self.judgments.items()}  # fmt: skip
        return {query: listed for query, listed in kept.items() if listed}

    @property
    def negative(self) -> bool:
        """True where some grade is below 0."""
        return any(grade < 0 for listed in self.judgments.values() for grade in listed.values())

    @property
    def whole(self) -> bool:
        """True where every query of the judgments has some grade of 0 or more."""
        return len(self.positive) == len(self.judgments)


def case(seed: int) -> Case:
    """The collection of a number."""
    rng = random.Random(seed)
    grades, scores = rng.choice(list(GRADES)), rng.choice(list(SCORES))
    queries = rng.sample(QUERIES, rng.randint(1, len(QUERIES)))
    ids = rng.sample(IDS, rng.randint(3, len(IDS)))
    judgments: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for query in queries:
        if rng.random() < 0.9:
            judgments[query] = {
                document: rng.choice(GRADES[grades]) for document in rng.sample(ids, rng.randint(1, len(ids)))
            }
        if query not in judgments or rng.random() < 0.85:
            retrieved = rng.sample(ids, rng.randint(0 if rng.random() < 0.2 else 1, len(ids)))
            values = SCORES[scores] or tuple(rng.uniform(-9, 9) for _ in retrieved) or (0.0,)
            run[query] = (
                {document: rng.choice(values) for document in retrieved}
                if scores != "apart"
                else dict(zip(retrieved, values, strict=False))
            )
    if not judgments:
        judgments[queries[0]] = {ids[0]: GRADES[grades][-1]}
    return Case(judgments, run, rng.choice((1, 1, 2, 3)), scores)


def seeds(block: int) -> range:
    return range(block, CASES, BLOCKS)


def ours(
    example: Case, judgments: dict[str, dict[str, int]], measures: tuple[Measure, ...], **said: object
) -> ResultTable:
    options = EvaluationOptions(**said)  # type: ignore[arg-type]
    return evaluate(Qrels.from_dict(judgments), Run.from_dict(example.run), measures, options)


PYTREC_EVAL = {name for name in GROUPS["all_trec"] if name in pytrec_eval.supported_measures} - {"relstring"}


def their_value(name: str, value: float) -> float:
    """A geometric mean's part is a logarithm there."""
    return math.log(max(value, 0.00001)) if name.startswith("gm_") else value


@pytest.mark.parametrize("block", range(BLOCKS))
def test_pytrec_eval(block: int, record_property: Record) -> None:
    """Every value of every query that both have, under the dialect of the version that it wraps."""
    parsed: dict[str, Measure] = {}
    compared = odd = 0
    for seed in seeds(block):
        example = case(seed)
        judged = example.positive
        if not any(query in example.run for query in judged):
            continue
        theirs = pytrec_eval.RelevanceEvaluator(judged, PYTREC_EVAL, relevance_level=example.level).evaluate(
            example.run
        )
        if not parsed:
            names = sorted({name for values in theirs.values() for name in values})
            parsed = {name: parse_measures([name.replace("gm_map", "map").replace("gm_bpref", "bpref")])[0]
                      for name in names}  # fmt: skip
        texts = [name for name in parsed if not (example.negative and name == "infAP")]
        wanted = tuple(dict.fromkeys(parsed[name] for name in texts))
        judgments = example.judgments if example.whole else judged
        result = ours(example, judgments, wanted, level=example.level, dialect="trec_eval-9", missing="intersection")
        assert set(result.query_ids) == set(theirs), seed
        for name in texts:
            ours_by_query = result.by_query(parsed[name])
            for query, values in theirs.items():
                if nothing_by_nothing(example, query, name, values[name]):
                    assert ours_by_query[query] == 0
                    odd += 1
                    continue
                assert their_value(name, ours_by_query[query]) == pytest.approx(values[name], abs=1e-9), (
                    seed,
                    name,
                    query,
                )
                compared += 1
    assert compared
    record_property("values equal to pytrec_eval on random collections", compared)
    record_property("values 0 of an empty list where pytrec_eval divides 0 by 0", odd)


def nothing_by_nothing(example: Case, query: str, name: str, value: float) -> bool:
    """True where trec_eval divides 0 by 0: the precision of an empty list at a recall of no document."""
    return math.isnan(value) and name.lower().startswith(("iprec", "11pt")) and not example.run[query]


BY_PYTREC_EVAL = (
    "AP", "AP(rel=2)", "AP@3", "AP(rel=3)@7", "RR", "RR(rel=2)", "P@1", "P(rel=2)@3", "P@20", "R@3", "R(rel=2)@9",
    "Rprec", "Rprec(rel=2)", "Success@2", "Success(rel=3)@4", "nDCG", "nDCG@3", "nDCG@12", "Bpref", "Bpref(rel=2)",
    "SetP", "SetP(rel=2)", "SetR", "SetF", "SetRelP", "SetAP", "IPrec@0.0", "IPrec@0.3", "IPrec(rel=2)@0.6",
    "AP(judged_only=True)", "nDCG(judged_only=True)@3", "P(judged_only=True)@2",
)  # fmt: skip
# Not NumRet: beside measures with judged_only it is now and then (by the order of a set) counted on their run there.
APART = ("RR@3", "RR(rel=2)@5", "Judged@2", "Judged@10", "Judged", "RBP(p=0.8,rel=1)", "RBP(p=0.5,rel=2)")
"""Computed by other programs, which take negative grades; they break ties in other ways, as the dialect does."""
GDEVAL = ("ERR@5", "nDCG(dcg='exp-log2')@5")


@pytest.mark.parametrize("block", range(BLOCKS))
def test_ir_measures(block: int, record_property: Record) -> None:
    """Every value of every query and the means, under its dialect: a query that the run lacks counts as 0, one that has
    no line there is such a one."""
    compared = 0
    for seed in seeds(block):
        example = case(seed)
        if example.positive:
            compared += compare(example, example.positive, BY_PYTREC_EVAL, seed, 1e-9)
        compared += compare(example, example.judgments, APART, seed, 1e-9)
    assert compared
    record_property("values equal to ir_measures on random collections", compared)


def compare(example: Case, judged: dict[str, dict[str, int]], texts: tuple[str, ...], seed: int, close: float) -> int:
    """How many values were compared."""
    wanted = {text: ir_measures.parse_measure(text) for text in texts}
    # Its Judged divides by the length of an empty list and ends; without the list the query counts as 0.
    run = {query: scores for query, scores in example.run.items() if scores} if texts == APART else example.run
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = ir_measures.calc(list(wanted.values()), judged, run)
    measures = {wanted[text]: parse_measures([text])[0] for text in texts}
    judgments = example.judgments if example.whole else judged
    result = ours(example, judgments, tuple(measures.values()), dialect="ir_measures")
    empty = any(not example.run.get(query, {1}) for query in judged)
    for measure, value in theirs[0].items():
        if math.isnan(value) and empty and str(measure).startswith("IPrec"):
            continue  # as below
        assert result.mean(measures[measure]) == pytest.approx(value, abs=close), (seed, str(measure))
    n_skipped = 0
    for line in theirs[1]:
        if line.query_id in judged:
            if nothing_by_nothing(example, line.query_id, str(line.measure), line.value):
                continue
            n_skipped += 1
            ours_here = result.by_query(measures[line.measure])[line.query_id]
            assert ours_here == pytest.approx(line.value, abs=close), (seed, str(line.measure), line.query_id)
    return n_skipped + len(theirs[0])


def test_the_cases_are_of_every_kind() -> None:
    """A generator that stops making what it is for would be found out here."""
    every = [case(seed) for seed in range(400)]
    assert len({repr(example) for example in every}) == 400
    lists = [scores for example in every for scores in example.run.values()]
    wanted = {
        "ties": any(len(set(scores.values())) < len(scores) for scores in lists),
        "negative": any(example.negative for example in every),
        "only negative": any(not example.whole for example in every),
        "missing": any(set(example.judgments) - set(example.run) for example in every),
        "additional": any(set(example.run) - set(example.judgments) for example in every),
        "empty list": any(not scores for scores in lists),
        "nothing relevant": any(max(j.values()) <= 0 for example in every for j in example.judgments.values()),
        "graded": any(max(j.values()) > 1 for example in every for j in example.judgments.values()),
        "beyond ASCII": any(not name.isascii() for scores in lists for name in scores),
        "no run": any(not example.run for example in every),
    }
    assert all(wanted.values()), wanted
