"""What other dialects change, counted only where they compute otherwise, is what computing everything under each gives:
of lists without ties and grades without negatives too, where only the queries that count differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from random_collections import KINDS, random_collection

from irviewer.evaluation.evaluation_cache import Evaluation, EvaluationInput
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.session.evaluation.dialects import Wanted, find_differing

MEASURES = tuple(map(parse_measure, ("AP", "P@5", "nDCG@10", "NumRelRet", "RBP(p=0.8)", "(P@5 + R@5) / 2")))
PLAIN = (
    Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"a": 1}, "3": {"a": 0}}),
    (Run.from_dict({"1": {"b": 2.0, "a": 1.0}, "3": {"a": 1.0}}, name="lacks query 2"),),
)


def differ(values: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where two values are written otherwise with four decimals; what is missing in both is not."""
    return np.array([f"{a:.4f}" != f"{b:.4f}" for a, b in zip(values, other)])  # noqa: B905


def counted(qrels: Qrels, runs: tuple[Run, ...], dialect: str) -> None:
    options = EvaluationOptions(dialect=dialect)
    differing = find_differing(Wanted(qrels, runs, options, MEASURES, "", MEASURES), MEASURES[0])
    for other in DIALECTS.values():
        if other.name == dialect:
            continue
        by_query, means, values = np.zeros(len(qrels.query_ids), np.int64), 0, 0
        for run in runs:
            ours, theirs = (
                EvaluationInput(run, qrels, replace(options, dialect=rules)) for rules in (dialect, other.name)
            )
            for number, measure in enumerate(MEASURES):
                moved = differ(Evaluation().values(ours, measure), Evaluation().values(theirs, measure))
                by_query += moved
                values += int(moved.sum()) if number == 0 else 0
                evaluation_input = [np.array([Evaluation().mean(side, measure)]) for side in (ours, theirs)]
                means += int(differ(*evaluation_input)[0])
        assert differing.by_query[other.title].tolist() == by_query.tolist(), other.name
        assert (differing.means[other.title], differing.values[other.title]) == (means, values), other.name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_queries_that_do_not_count_are_counted_as_other_values(dialect: str) -> None:
    counted(*PLAIN, dialect)


@pytest.mark.parametrize("kind", KINDS)
def test_random_collections_are_counted_as_if_all_were_computed(kind: str) -> None:
    example = random_collection(5, kind, queries=6, judged=8, deep=12, runs=2)
    counted(example.qrels, tuple(example.runs), "trec_eval")
