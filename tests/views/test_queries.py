"""Queries with the values of every run, and the difference to the median, which needs five runs."""

from __future__ import annotations

import random

import numpy as np
import pytest

import irviewer


@pytest.mark.parametrize("n", [4, 5])
def test_the_difference_to_the_median_or_why_there_is_none(n: int) -> None:
    """With four runs it said that a run has no value, though each has one."""
    dice, documents = random.Random(7), [f"d{number}" for number in range(8)]
    queries = [f"q{number}" for number in range(5)]
    qrels = {query: {document: dice.choice([0, 1]) for document in documents} for query in queries}
    runs = {
        f"r{number}": {query: {document: dice.random() for document in documents} for query in queries}
        for number in range(n)
    }
    view = irviewer.show("queries", qrels, runs, measures=["P@3"])
    column = view["queries"].column("from_median")
    values = np.array([[sum(qrels[query][document] for document in sorted(ranked, key=ranked.get)[:-4:-1]) / 3  # type: ignore[arg-type]
                        for query, ranked in run.items()] for run in runs.values()])  # fmt: skip
    if n < 5:
        assert np.isnan(column.values).all()
        assert column.show.missing == ("No difference: the median of 4 runs is not meaningful; at least 5 are needed.")
    else:
        assert np.asarray(column.values) == pytest.approx(values[1] - np.median(values, axis=0), abs=1e-12)
        assert column.show.missing == "No difference: a run has no value for this query."
