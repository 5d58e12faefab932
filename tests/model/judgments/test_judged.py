"""The join of a run with qrels against dictionaries: ranks, grades, counts, under every option."""

from __future__ import annotations

import brute
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import OptionError
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


@given(
    some.qrels(),
    some.runs(some.any_scores),
    st.sampled_from((None, 1, 2, 5)),
    st.booleans(),
    st.sampled_from(("zero", "intersection")),
    st.one_of(st.none(), st.lists(some.queries)),
)
def test_the_join(
    qrels: dict[str, dict[str, float]],
    run: dict[str, dict[str, float]],
    depth: int | None,
    judged_only: bool,
    missing: str,
    queries: list[str] | None,
) -> None:
    options = EvaluationOptions(1, judged_only, depth, missing)  # type: ignore[arg-type]
    judged = judge(Run.from_dict(run), Qrels.from_dict(qrels), options, queries)
    wanted = [query for query in sorted(qrels, key=str.encode) if queries is None or query in queries]
    if missing == "intersection":
        wanted = [query for query in wanted if query in run]
    assert list(judged.query_ids) == wanted
    assert judged.n_queries == len(wanted)
    assert judged.missing == tuple(query for query in wanted if query not in run)
    top = max(grade for judged_grades in qrels.values() for grade in judged_grades.values())
    assert judged.max_grade == top
    for place, query in enumerate(wanted):
        ranking = brute.graded_list(run.get(query, {}), qrels[query], depth, judged_only)
        hits = [(rank, grade) for rank, grade in enumerate(ranking, start=1) if grade is not None]
        ranks, grades = judged.hits_of(place)
        assert list(zip(ranks.tolist(), grades.tolist(), strict=True)) == hits
        assert judged.returned[place] == len(ranking)
        assert bool(judged.in_run[place]) == (query in run)
        assert judged.ideal_of(place).tolist() == sorted(qrels[query].values(), reverse=True)
        for level in (1, 2):
            assert judged.relevant_count(level)[place] == brute.n_rel(list(qrels[query].values()), level)
            low = sum(1 for grade in qrels[query].values() if 0 <= grade < level)
            assert judged.nonrelevant_count(level)[place] == low
            assert judged.nonrelevant_hits(level).count_by_query[place] == brute.nonrelevant_found(ranking, level)
            counted = judged.relevant_hits(level, 2).count_by_query[place]
            assert counted == brute.relevant_within(ranking, level, 2)


@given(some.qrels(), some.runs())
def test_hits_are_ordered_and_counted_from_one(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]]
) -> None:
    judged = judge(Run.from_dict(run), Qrels.from_dict(qrels))
    pairs = list(zip(judged.hit_query.tolist(), judged.hit_rank.tolist(), strict=True))
    assert pairs == sorted(pairs)
    hits = judged.relevant_hits(1)
    seen: dict[int, int] = {}
    for query, ordinal in zip(hits.query.tolist(), hits.ordinal.tolist(), strict=True):
        seen[query] = seen.get(query, 0) + 1
        assert ordinal == seen[query]


@given(some.qrels(), some.runs())
def test_one_query_alone_is_that_query_among_all(
    qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]]
) -> None:
    """An edited judgment costs one query: the narrowed join must be the same."""
    judgments, ranking = Qrels.from_dict(qrels), Run.from_dict(run)
    whole = judge(ranking, judgments)
    for place, query in enumerate(whole.query_ids):
        alone = judge(ranking, judgments, queries=[query, "unknown", query])
        assert alone.query_ids == (query,)
        assert [part.tolist() for part in alone.hits_of(0)] == [part.tolist() for part in whole.hits_of(place)]


def test_nothing_in_common() -> None:
    judged = judge(
        Run.from_dict({"2": {"a": 1.0}}), Qrels.from_dict({"1": {"a": 1}}), EvaluationOptions(missing="intersection")
    )
    assert judged.query_ids == ()
    assert judged.relevant_count(1).tolist() == []


@pytest.mark.parametrize("options", [{"depth": 0}, {"depth": -3}, {"missing": "ignore"}])
def test_options_out_of_range(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        EvaluationOptions(**options)  # type: ignore[arg-type]
