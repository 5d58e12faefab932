"""Runs and qrels as values of other libraries, which read them as they were and compute the same numbers."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import irviewer
from irviewer.errors import OptionError
from irviewer.model.immutable import immutable_copy
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

random = np.random.default_rng(5)
QUERIES = [f"q{number}" for number in range(20)]
QRELS = {
    query: {f"d{document}": int(grade) for document, grade in enumerate(random.integers(-1, 4, 12))}
    for query in QUERIES
}  # fmt: skip
RUN = {query: {f"d{document}": float(random.normal()) for document in range(15)} for query in QUERIES[:-1]}


def rows(value: Run | Qrels) -> list[tuple[str, str, float]]:
    return [
        (query, document, number) for query, numbers in value.to_dict().items() for document, number in numbers.items()
    ]


def test_a_run_is_iterated_and_indexed() -> None:
    run = Run(RUN, name="mine")
    best_first = [
        (query, document, score)
        for query in QUERIES[:-1]
        for document, score in sorted(RUN[query].items(), key=lambda pair: -pair[1])
    ]
    assert list(run) == best_first == rows(run) and len(best_first) == len(run)
    assert list(run["q3"].items()) == [(document, score) for query, document, score in best_first if query == "q3"]
    assert ("q3" in run, "q19" in run, "d1" in run) == (True, False, False)
    with pytest.raises(KeyError, match="q19"):
        run["q19"]
    assert Run(list(run), name="mine") == run


def test_qrels_are_iterated_and_indexed() -> None:
    qrels = Qrels(QRELS)
    assert qrels["q1"] == QRELS["q1"] == qrels.to_dict()["q1"]
    assert list(qrels) == rows(qrels) and len(list(qrels)) == len(qrels)
    assert Qrels(list(qrels)) == qrels
    with pytest.raises(OptionError):
        Run(qrels)  # qrels can be iterated, and are no list of rows of a run
    with pytest.raises(KeyError):
        qrels["none"]


@pytest.mark.parametrize("way", ["to_pandas", "to_polars", "to_arrow", "to_dict"])
def test_what_goes_out_comes_back(way: str) -> None:
    run, qrels = Run(RUN, name="mine"), Qrels(QRELS)
    assert Run(getattr(run, way)(), name="mine") == run
    assert Qrels(getattr(qrels, way)(), name="qrels") == qrels


def test_frames_have_ranks_and_whole_grades() -> None:
    frame = Run(RUN).to_pandas()
    assert list(frame.columns) == ["query_id", "doc_id", "score", "rank"]
    wanted = frame.groupby("query_id")["score"].rank(ascending=False).astype(int)
    pd.testing.assert_series_equal(frame["rank"], wanted, check_names=False)
    assert isinstance(Run(RUN).to_polars(), pl.DataFrame)
    assert Qrels(QRELS).to_pandas()["relevance"].dtype == np.int64
    assert Qrels({"q": {"d": 0.5}}).to_pandas()["relevance"].tolist() == [0.5]
    empty = Run({"q": {}})
    assert (empty.to_dict(), list(empty), len(empty.to_pandas())) == ({"q": {}}, [], 0)


def test_subtopics_go_out_by_row() -> None:
    table = {"query_id": ["q", "q"], "iteration": ["1", "2"], "doc_id": ["d", "d"], "relevance": [1, 2]}
    qrels = Qrels(pd.DataFrame(table))
    assert qrels.to_pandas().sort_values("iteration")["relevance"].tolist() == [1, 2]
    assert sorted(qrels.to_pandas()["iteration"]) == ["1", "2"]


def test_ir_measures_computes_the_same_of_them() -> None:
    measures = pytest.importorskip("ir_measures")
    run, qrels = Run(RUN), Qrels(QRELS)
    asked = [measures.nDCG @ 10, measures.AP, measures.P @ 5]
    theirs = {
        (str(metric.measure), metric.query_id): metric.value
        for metric in measures.iter_calc(asked, qrels.to_ir_measures(), run.to_ir_measures())
    }
    ours = irviewer.evaluate(qrels, run, "nDCG@10 AP P@5")
    for (name, query), value in theirs.items():
        assert ours.by_query(name)[query] == pytest.approx(value, abs=1e-12)
    assert len(theirs) >= 3 * len(RUN)


@pytest.mark.slow  # numba compiles ranx in each process anew, for ten seconds
@pytest.mark.filterwarnings("ignore:.*unsafe cast")  # of numba, about code of ranx
def test_ranx_computes_the_same_of_them() -> None:
    ranx = pytest.importorskip("ranx")
    shown = {**QRELS, "empty": {}}
    run, qrels = Run({**RUN, "none": {}}, name="mine"), Qrels(shown)
    assert run.to_ranx().name == "mine"
    theirs = ranx.evaluate(qrels.to_ranx(), run.to_ranx(), ["map", "precision@5"], make_comparable=True)
    ours = irviewer.evaluate(QRELS, RUN, ["AP", "P@5"])
    assert ours.mean("AP") == pytest.approx(theirs["map"], abs=1e-12)
    assert ours.mean("P@5") == pytest.approx(theirs["precision@5"], abs=1e-12)
    with pytest.raises(OptionError, match="whole grades"):
        Qrels({"q": {"d": 0.5}}).to_ranx()


def test_equal_values_are_equal() -> None:
    run, qrels = Run(RUN, name="mine"), Qrels(QRELS)
    for value, again in ((run, Run(RUN, name="mine")), (qrels, Qrels(QRELS))):
        for other in (again, copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert value == other and hash(value) == hash(other)
        assert value != value.renamed("another")
        assert value != 1
    moved = {query: {**scores, "d0": scores["d0"] + 1} for query, scores in RUN.items()}
    assert Run(moved, name="mine") != run
    assert Qrels({**QRELS, "q1": {**QRELS["q1"], "d0": 9}}) != qrels


def test_a_part_is_not_the_qrels_that_have_its_rows_alone() -> None:
    part, alone = Qrels({"q1": {"a": 1}, "q2": {"b": 3}}).of_queries(["q1"]), Qrels({"q1": {"a": 1}})
    assert (part.max_grade, alone.max_grade) == (3.0, 1.0)
    assert part != alone, "measures scale by the highest grade of all queries"
    for other in (copy.copy(part), pickle.loads(pickle.dumps(part)), part.renamed("x"), immutable_copy(part)):
        assert other.max_grade == 3.0
    assert part.of_queries(["q1"]) == part


@pytest.mark.parametrize("value", [Run({"q": {}}), Qrels({"q": {"d": -1}})])
def test_ranx_takes_nothing_empty(value: Run | Qrels) -> None:
    pytest.importorskip("ranx")
    with pytest.raises(OptionError, match="no documents"):
        value.to_ranx()


def test_what_was_not_read_does_not_go_out_as_empty() -> None:
    unread = Qrels.of_digest("judged", ("q",), "digest", 1.0)
    for way in (unread.to_dict, unread.to_arrow, unread.to_ranx):
        with pytest.raises(OptionError, match="only the queries"):
            way()
