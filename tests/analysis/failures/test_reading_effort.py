"""JoinOptions on, against counting by hand and the measures of high recall."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.analysis.failures.reading_effort import effort, stopped, stopped_everywhere
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate as evaluate_values
from irviewer.measures.parser import parse_measure
from irviewer.model.qrels import Qrels
from tests.helpers.failing import failing_collection, judged_of

SIZE = 40


@pytest.mark.parametrize("seed", range(8))
def test_stopping_is_counted_as_a_loop_counts(seed: int) -> None:
    qrels, rankings = failing_collection(seed, runs=1)
    _, (judged,) = judged_of(qrels, rankings)
    efforts = effort(judged, SIZE)
    for stop in (0, 1, 5, 17, 30, 100):
        total = [0, 0, 0, 0]
        for place, query in enumerate(judged.query_ids):
            relevant = {document for document, grade in qrels[query].items() if grade >= 1}
            read = rankings[0].get(query, [])[:stop]
            stop_found = stopped(efforts, place, stop)
            assert (stop_found.read, stop_found.size, stop_found.found, stop_found.relevant) == (
                min(stop, SIZE), SIZE, len(relevant & set(read)), len(relevant)
            )  # fmt: skip
            assert stop_found.missed == len(relevant - set(read))
            if relevant:
                assert stop_found.recall == pytest.approx(len(relevant & set(read)) / len(relevant))
                assert efforts.recall(stop)[place] == pytest.approx(stop_found.recall)
                total = [
                    a + b
                    for a, b in zip(
                        total, (stop_found.read, stop_found.size, stop_found.found, stop_found.relevant), strict=True
                    )
                ]
            else:
                assert np.isnan(efforts.recall(stop)[place])
        every = stopped_everywhere(efforts, stop)
        assert [every.read, every.size, every.found, every.relevant] == total
        assert every.saved == pytest.approx(1 - total[0] / total[1])


@pytest.mark.parametrize("seed", range(8))
def test_the_area_of_a_whole_order_is_that_of_its_steps(seed: int) -> None:
    """Where everything was ranked: the mean over documents read of the recall before and after each."""
    qrels, rankings = failing_collection(seed, runs=1, documents=20)
    names = [f"d{number}" for number in range(20)]
    whole = {
        query: [*ids, *(document for document in names if document not in ids)] for query, ids in rankings[0].items()
    }
    whole |= {query: names for query in qrels if query not in whole}
    _, (judged,) = judged_of(qrels, [whole])
    efforts = effort(judged, 20)
    for place, query in enumerate(judged.query_ids):
        relevant = {document for document, grade in qrels[query].items() if grade >= 1}
        if not relevant:
            assert np.isnan(efforts.area[place])
            continue
        hits = np.cumsum([document in relevant for document in whole[query]])
        steps = (np.concatenate([[0], hits[:-1]]) + hits) / 2 / len(relevant)
        assert efforts.area[place] == pytest.approx(steps.mean())


def test_the_rank_that_reaches_recall_is_the_measure_s() -> None:
    qrels, rankings = failing_collection(5, runs=1)
    (run,), (judged,) = judged_of(qrels, rankings)
    efforts = effort(judged, SIZE)
    measure = parse_measure(f"RankAtRecall(N={SIZE})@0.5")
    wanted = evaluate_values(Qrels.from_dict(qrels), [run], [measure]).values[0, 0]
    for place in range(judged.n_queries):
        stops = [stop for stop in range(SIZE + 1) if stopped(efforts, place, stop).recall >= 0.5]
        expected = min(stops) if stops and efforts.relevant[place] else SIZE
        assert wanted[place] == expected


@pytest.mark.parametrize("seed", range(4))
def test_the_curve_goes_through_every_count(seed: int) -> None:
    qrels, rankings = failing_collection(seed, runs=1)
    _, (judged,) = judged_of(qrels, rankings)
    efforts = effort(judged, SIZE)
    for place in range(judged.n_queries):
        x, y = efforts.curve(place)
        if not efforts.relevant[place]:
            assert not len(x)
            continue
        assert (np.diff(x) >= 0).all()
        assert x[-1] == efforts.returned[place]
        for stop in range(int(efforts.returned[place]) + 1):
            at = np.searchsorted(x, stop, side="right") - 1
            assert y[at] == pytest.approx(stopped(efforts, place, stop).recall)


def test_the_worst_come_first() -> None:
    qrels = {"1": {"a": 1, "b": 1}, "2": {"a": 1}, "3": {"a": 0}, "4": {"a": 1, "b": 1}}
    _, (judged,) = judged_of(qrels, [{"1": ["a", "x", "b"], "2": ["a"], "3": ["a"], "4": ["x", "y", "a"]}])
    assert effort(judged, 9).worst_first.tolist() == [3, 0, 1]


def test_without_a_size_it_is_what_run_and_qrels_hold() -> None:
    qrels, rankings = {"1": {"a": 1, "b": 0, "z": 1}}, [{"1": ["a", "x", "b"]}]
    _, (judged,) = judged_of(qrels, rankings)
    assert effort(judged).size.tolist() == [4]
    with pytest.raises(OptionError, match="3 documents are too few: run and qrels contain 4 for query 1"):
        effort(judged, 3)
