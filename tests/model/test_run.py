"""Runs: the tie rule against a plain sort, columns in any order, and what a run answers."""

from __future__ import annotations

import brute
import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.arrays import strings
from irviewer.model.rankings.tie_breaking import ranked
from irviewer.model.run import Run
from irviewer.model.workspace import Collection

rows = st.lists(
    st.tuples(some.queries, some.documents, some.any_scores), unique_by=lambda row: (row[0], row[1]), max_size=40
)


@given(rows, st.randoms(use_true_random=False))
def test_rank_order_is_a_plain_sort(table: list[tuple[str, str, float]], random: object) -> None:
    """Score descending, then document id descending as bytes, NaN last; rows of a query anywhere in the file."""
    names = tuple(dict.fromkeys(query for query, _, _ in table))
    codes = np.array([names.index(query) for query, _, _ in table], dtype=np.int64)
    documents, scores = strings([row[1] for row in table]), np.array([row[2] for row in table], dtype=np.float64)
    ranking = ranked(codes, documents, scores, len(names))
    order, tied = ranking.order, ranking.tied
    taken = table if order is None else [table[place] for place in order]
    wanted, ties = [], []
    for query in names:
        own = {document: score for code, document, score in table if code == query}
        wanted += [(query, document) for document in brute.ranked(own)]
        numbers = ["nan" if np.isnan(score) else score + 0.0 for score in own.values()]
        ties.append(len(set(numbers)) < len(numbers))
    assert [row[:2] for row in taken] == wanted
    assert tied.tolist() == ties


@given(some.runs(some.any_scores))
def test_a_run_answers_what_its_dictionary_says(rankings: dict[str, dict[str, float]]) -> None:
    run = Run.from_dict(rankings, name="x")
    assert run.query_ids == tuple(rankings)
    assert len(run) == sum(map(len, rankings.values()))
    assert run.depth == max(map(len, rankings.values()), default=0)
    for query, scores in rankings.items():
        assert run.ranking(query) == brute.ranked(scores)
        assert run.ranking(query, 2) == brute.ranked(scores)[:2]
        assert run.returned(query) == len(scores)
        shown = run.ranking_scores(query, 3).tolist()
        assert shown == pytest.approx([scores[document] for document in brute.ranked(scores)[:3]], nan_ok=True)


def test_an_unknown_query_has_nothing() -> None:
    run = Run.from_dict({"1": {"a": 1.0}})
    assert run.ranking("2") == []
    assert run.ranking_scores("2").tolist() == []
    assert run.returned("2") == 0


def test_trec_evals_tie_rule_spelled_out() -> None:
    """Bytes decide, not letters: "ü" (C3 BC) stands after "z" in bytes, so before it in the ranking."""
    run = Run.from_dict({"1": dict.fromkeys(["10", "9", "a", "Z", "ü", "z", "文"], 1.0)})
    assert run.ranking("1") == ["文", "ü", "z", "a", "Z", "9", "10"]
    assert run.tied.tolist() == [True]


def test_near_ties_that_a_float_of_32_bits_cannot_tell_apart() -> None:
    run = Run.from_dict({"1": {"a": 1.00000000011, "b": 1.00000000010}})
    assert run.ranking("1") == ["a", "b"]
    assert not run.tied.any()


def test_values_are_frozen_and_shared() -> None:
    run = Run.from_dict({"1": {"a": 2.0, "b": 1.0}}, name="first")
    with pytest.raises(ValueError, match="read-only"):
        run.scores[0] = 5
    again = run.renamed("second")
    assert again.name == "second"
    assert again.scores is run.scores
    assert repr(run) == "Run('first': 1 queries, 2 documents, depth 2)"


def test_a_caller_keeps_the_right_to_his_array() -> None:
    scores = np.array([2.0, 1.0])
    Run.from_columns(("1",), np.zeros(2, dtype=np.int64), strings(["a", "b"]), scores)
    scores[0] = 7.0


def _of(queries: tuple[str, ...], name: str = "a") -> Run:
    codes = np.arange(len(queries), dtype=np.int64)
    return Run.from_columns(queries, codes, strings(["d"] * len(queries)), np.ones(len(queries)), name=name)


def test_a_renamed_run_shares_what_was_derived() -> None:
    run = _of(("q1", "q2"))
    index, depth = run.query_index, run.depth
    renamed = run.renamed("b")
    assert (renamed.name, renamed.read_name, run.name) == ("b", "a", "a")
    assert renamed.query_index is index
    assert renamed.depth == depth
    assert renamed.renamed("c").read_name == "a"
    assert renamed == run.renamed("b")


@given(st.permutations(["q1", "q2", "q10", "\u200b"]), st.integers(0, 4))
def test_runs_of_the_same_queries_in_one_order_hold_their_ids_once(order: list[str], count: int) -> None:
    queries = ("q1", "q2", "q10", "\u200b")
    ids = tuple("".join(list(query)) + "" for query in order[:count])
    first, other = _of(queries), _of(ids, "b")
    shared = other.sharing_queries(first)
    assert shared.query_ids == other.query_ids
    assert shared.query_index == {query: place for place, query in enumerate(ids)}
    assert (shared.query_ids is first.query_ids) == (ids == queries)
    assert (shared is other) == (ids != queries)
    assert shared == other


def test_a_collection_holds_the_ids_of_its_runs_once() -> None:
    queries = [tuple(f"q{number}" for number in range(3)) for _ in range(2)]
    assert queries[0] is not queries[1]
    first, second = Collection("c").with_runs([_of(queries[0]), _of(queries[1], "b")]).runs
    assert first.run.query_ids is second.run.query_ids
    assert first.run.query_index is second.run.query_index
