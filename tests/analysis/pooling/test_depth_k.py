"""The pool of a query by a plain loop, for lists that hypothesis makes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.pooling.depth_k import depth_pool

LISTS = st.lists(st.lists(st.sampled_from("ABCDEFGH"), unique=True, max_size=8), min_size=1, max_size=4)


@given(LISTS, st.integers(1, 9))
def test_the_pool_is_the_union_of_the_first_documents(lists: list[list[str]], depth: int) -> None:
    pool = depth_pool(lists, depth)
    union = set().union(*(documents[:depth] for documents in lists))
    assert set(pool.documents[: pool.size]) == union
    assert set(pool.documents) == set().union(*map(set, lists))
    assert pool.pooled.tolist() == [document in union for document in pool.documents]
    for number, documents in enumerate(lists):
        for place, document in enumerate(pool.documents):
            rank = documents.index(document) + 1 if document in documents else 0
            assert pool.ranks[number, place] == rank
            assert pool.contributed[number, place] == (0 < rank <= depth)
    assert pool.sizes(9).tolist() == [len(set().union(*(each[:k] for each in lists))) for k in range(1, 10)]
    assert pool.size <= pool.most == depth * len(lists)


def test_documents_come_by_their_best_rank_then_by_the_order_of_the_lists() -> None:
    assert depth_pool([list("ABCDE"), list("ACBDF"), list("BACDF")][:3], 2).documents == tuple("ABCDEF")


def test_what_is_asked_for_each_document_is_computed_once() -> None:
    """For each of 4,000 documents of 40 lists anew it held the window for 18 seconds."""
    pool = depth_pool([["a", "b"], ["c", "a"]], 1)
    assert pool.contributed is pool.contributed
    assert pool.pooled is pool.pooled
    assert pool.best_ranks is pool.best_ranks
