"""Edited lists: each edit against plain lists, scores that every tool ranks so, all else of the run untouched."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.format import Wanted
from irviewer.formats.reading.opener import Opened
from irviewer.formats.trec.formats import read, write
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.edited_run import (
    EditedLists,
    falling_scores,
    inserted,
    moved,
    relisted,
    removed,
    shifted,
    swapped,
)
from irviewer.model.run import Run

ABC = ("a", "b", "c", "d")


def test_edits_of_a_list() -> None:
    assert moved(ABC, "d", 1) == ("d", "a", "b", "c")
    assert moved(ABC, "a", 3) == ("b", "c", "a", "d")
    assert moved(ABC, "b", 99) == ("a", "c", "d", "b")
    assert moved(ABC, "c", -5) == ("c", "a", "b", "d")
    assert moved(ABC, "c", 3) == ABC
    assert shifted(ABC, "b", 2) == ("a", "c", "d", "b")
    assert shifted(ABC, "b", -1) == ("b", "a", "c", "d")
    assert swapped(ABC, "a", "d") == ("d", "b", "c", "a")
    assert removed(ABC, "b") == ("a", "c", "d")
    assert inserted(ABC, "x", 2) == ("a", "x", "b", "c", "d")
    assert inserted(ABC, "x", 50) == (*ABC, "x")
    for edit in (lambda: moved(ABC, "z", 1), lambda: removed(ABC, "z"), lambda: swapped(ABC, "a", "z")):
        with pytest.raises(IrviewerError, match="not in the ranking"):
            edit()
    with pytest.raises(IrviewerError, match="already in the ranking, at rank 3"):
        inserted(ABC, "c", 1)
    with pytest.raises(IrviewerError, match="enter the id of a document"):
        inserted(ABC, "", 1)


@given(st.lists(st.one_of(some.any_scores, st.floats(allow_nan=True)), max_size=12))
def test_scores_fall_in_32_bits_and_as_many_as_can_stay_do(known: list[float]) -> None:
    values = np.array(known, dtype=np.float64)
    scores = falling_scores(values)
    with np.errstate(over="ignore"):
        narrow = scores.astype(np.float32)
        wide = values.astype(np.float32)
    assert np.isfinite(narrow).all()
    assert (narrow[1:] < narrow[:-1]).all()
    kept = int((scores == values).sum())
    best = 0  # the longest falling sequence, by brute force over the sets of places
    finite = [place for place in range(len(known)) if np.isfinite(wide[place])]
    if len(finite) <= 8:
        for mask in range(1 << len(finite)):
            chosen = [wide[place] for bit, place in enumerate(finite) if mask >> bit & 1]
            if all(high > other for high, other in pairwise(chosen)):
                best = max(best, len(chosen))
        respaced = scores.tolist() == list(range(len(known), 0, -1))
        assert kept == best or respaced


def test_scores_stay_where_the_order_allows() -> None:
    assert falling_scores(np.array([9.0, 5.0, 7.0, 3.0])).tolist() in ([9.0, 8.0, 7.0, 3.0], [9.0, 5.0, 4.0, 3.0])
    assert falling_scores(np.array([5.0, np.nan, 4.0])).tolist() == [5.0, 4.5, 4.0]
    assert falling_scores(np.array([np.nan, 5.0, 4.0, np.nan])).tolist() == [6.0, 5.0, 4.0, 3.0]
    assert falling_scores(np.array([np.nan, np.nan])).tolist() == [2.0, 1.0]
    assert falling_scores(np.array([1.0 + 1e-12, np.nan, 1.0])).tolist()[0] > 1.0
    assert falling_scores(np.empty(0)).tolist() == []


lists = st.lists(some.documents, unique=True, max_size=8)


@given(some.runs(some.any_scores), some.queries, lists)
def test_the_run_has_the_list_and_every_tool_ranks_it_so(
    scores: dict[str, dict[str, float]], query: str, order: list[str]
) -> None:
    run = Run.from_dict(scores, name="run")
    edited = relisted(run, run, {query: order})
    assert edited.ranking(query) == order
    for other in run.query_ids:
        if other != query:
            assert edited.ranking(other) == run.ranking(other)
            np.testing.assert_array_equal(edited.ranking_scores(other), run.ranking_scores(other))
    for ties in ("ascending", "arrival"):
        again = edited.reordered(ties)  # type: ignore[arg-type]
        assert again.ranking(query) == order
        for other in run.query_ids:
            if other != query:
                assert again.ranking(other) == run.reordered(ties).ranking(other)  # type: ignore[arg-type]
    assert edited.reordered("descending", 32).ranking(query) == order
    if query in run.query_index:
        again = relisted(edited, run, {query: None})
        np.testing.assert_array_equal(again.ranking_scores(query), run.ranking_scores(query))
        assert again.reordered("arrival").ranking(query) == run.reordered("arrival").ranking(query)
    if all(edited.returned(query_id) for query_id in edited.query_ids) and len(edited):
        written = read(Opened("x.run", write(edited), "", "utf-8"), Wanted("run", True)).value
        assert isinstance(written, Run)
        assert written.ranking(query) == edited.ranking(query)


def test_a_copy_knows_its_source_and_gives_its_lists_back() -> None:
    source = Run.from_dict({"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 1.0}}, name="bm25")
    copy = EditedLists(source)
    assert copy.list_of("1") == ("a", "b", "c")
    edited = copy.with_list("1", ("c", "a")).with_list("3", ("x",))
    assert edited.list_of("1") == ("c", "a")
    assert edited.run().query_ids == ("1", "2", "3")
    assert edited.run().name == "bm25"
    back = edited.with_list("1", None).with_list("3", None)
    assert back.lists == {}
    assert back.run().ranking("1") == ["a", "b", "c"]
    qrels = Qrels.from_dict({"1": {"c": 1.0}})
    assert evaluate(qrels, edited.run(), ["RR"]).mean("RR", "bm25") == 1


def test_components_move_with_their_documents() -> None:
    run = Run.from_columns(
        ("1",), np.zeros(3, dtype=np.int64), Run.from_dict({"1": {"a": 3.0, "b": 2.0, "c": 1.0}}).doc_ids,
        np.array([3.0, 2.0, 1.0]), components={"bm25": np.array([30.0, 20.0, 10.0])},
    )  # fmt: skip
    edited = relisted(run, run, {"1": ("c", "x", "a", "b"), "2": ("y",)})
    assert edited.ranking_components("1")["bm25"].tolist()[:1] == [10.0]
    assert np.isnan(edited.ranking_components("1")["bm25"][1])
    assert np.isnan(edited.ranking_components("2")["bm25"]).all()
