"""Which ranks share a score: against a walk of the list, rank by rank."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.model.rankings.tied_ranks import group_of, tied_ranks
from irviewer.model.run import Run


def _run(*queries: list[float]) -> Run:
    return Run.from_dict(
        {f"q{n}": {f"d{k}": score for k, score in enumerate(scores)} for n, scores in enumerate(queries)}
    )


@pytest.mark.parametrize("seed", range(20))
def test_groups_as_a_walk_finds_them(seed: int) -> None:
    random = np.random.default_rng(seed)
    run = _run(*(random.integers(0, 6, size=random.integers(1, 15)).astype(float).tolist() for _ in range(3)))
    for query in run.query_ids:
        scores = run.ranking_scores(query).tolist()
        walked = []
        for score in dict.fromkeys(scores):
            ranks = [place + 1 for place, tied_score in enumerate(scores) if tied_score == score]
            if len(ranks) > 1:
                walked.append([ranks[0], ranks[-1]])
        groups = tied_ranks(run, query)
        assert groups.tolist() == walked
        for rank in range(1, len(scores) + 1):
            expected = [tuple(group) for group in walked if group[0] <= rank <= group[1]]
            assert group_of(groups, rank) == (expected[0] if expected else None)


def test_no_ties_and_no_list() -> None:
    run = _run([3.0, 2.0, 1.0], [float("nan"), float("nan"), 4.0])
    assert tied_ranks(run, "q0").shape == (0, 2)
    assert tied_ranks(run, "nowhere").shape == (0, 2)
    assert group_of(tied_ranks(run, "q0"), 1) is None
    assert tied_ranks(run, "q1").tolist() == [[2, 3]]
