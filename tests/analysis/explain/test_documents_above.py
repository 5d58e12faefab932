"""What stands above a document: counted by hand on a list of nine, and against a walk of random lists."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.analysis.explain.documents_above import documents_above
from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

SCORES = {"a": 9.0, "b": 8.0, "c": 7.0, "d": 6.0, "e": 5.0, "f": 4.0, "g": 3.0, "h": 2.0, "i": 1.5}
RUN = Run.from_dict({"1": SCORES, "3": {"a": 1.0}}, name="made")
QRELS = Qrels.from_dict({"1": {"a": 2, "b": 0, "c": 1, "g": 2, "z": 1}, "2": {"a": 1}})


def test_below_the_cutoff() -> None:
    above_it = documents_above(RUN, QRELS, "1", "g", cutoff=4)
    assert [(document.rank, document.document, document.score) for document in above_it.above] == [
        (1, "a", 9.0), (2, "b", 8.0), (3, "c", 7.0), (4, "d", 6.0),
    ]  # fmt: skip
    assert (above_it.rank, above_it.grade, above_it.missed) == (7, 2.0, True)
    assert (above_it.relevant, above_it.non_relevant, above_it.unjudged, above_it.lower) == (2, 1, 1, 2)
    assert above_it.gap == 3.0
    assert above_it.sentences() == (
        "g (grade 2) is at rank 7 of made, 3 ranks below the top 4.",
        "4 documents above it in the top 4: 2 relevant, 1 non-relevant, 1 unjudged; 2 of lower grade.",
        "Its score 3 is 3 below that of rank 4 (6).",
    )


def test_not_returned_and_nothing_returned() -> None:
    above_it = documents_above(RUN, QRELS, "1", "z", cutoff=2)
    assert (above_it.rank, len(above_it.above)) == (0, 2)
    assert math.isnan(above_it.gap)
    assert above_it.sentences() == (
        "made returned 9 documents, but not z (grade 1).",
        "2 documents above it in the top 2: 1 relevant, 1 non-relevant; 1 of lower grade.",
        "Rank 2 has the score 8 and the last document returned 1.5: the score of the document is at least 6.5 too low.",
    )
    assert documents_above(RUN, QRELS, "2", "a").sentences() == (
        "made returned no documents for query 2.",
    )  # fmt: skip


def test_within_the_cutoff_and_at_the_top() -> None:
    above_it = documents_above(RUN, QRELS, "1", "c", cutoff=10)
    assert not above_it.missed
    assert above_it.sentences() == (
        "c (grade 1) is at rank 3 of made, within the top 10.",
        "2 documents above it: 1 relevant, 1 non-relevant; 1 of lower grade.",
    )
    assert documents_above(RUN, QRELS, "1", "a").sentences()[1] == "No document is above it."
    assert documents_above(RUN, QRELS, "1", "b").sentences()[1] == "1 document above it: 1 relevant."


def test_complete_judgments_say_non_relevant_of_what_they_do_not_list() -> None:
    above_it = documents_above(RUN, QRELS, "1", "i", cutoff=6, complete=True)
    assert (above_it.grade, above_it.unjudged, above_it.non_relevant) == (0.0, 0, 4)
    assert math.isnan(documents_above(RUN, QRELS, "3", "q", complete=True).grade)  # the qrels do not have that query


def test_a_tie_at_the_cutoff_is_the_rule_s_doing() -> None:
    run = Run.from_dict({"1": {"a": 2.0, "b": 1.0, "c": 1.0}}, name="made")
    above_it = documents_above(run, QRELS, "1", "b", cutoff=2)  # c before b: ids descend
    assert above_it.rank == 3
    assert above_it.sentences()[-1] == (
        "Its score 1 is that of rank 2: tied documents are ordered by document id, descending as bytes "
        "(trec_eval's rule)."
    )


def test_a_level_decides_who_is_relevant() -> None:
    above_it = documents_above(RUN, QRELS, "1", "g", cutoff=4, level=2)
    assert (above_it.relevant, above_it.non_relevant, above_it.unjudged) == (1, 2, 1)


@pytest.mark.parametrize(("query", "cutoff"), [("9", 10), ("1", 0)])
def test_what_cannot_be_asked(query: str, cutoff: int) -> None:
    with pytest.raises(OptionError):
        documents_above(RUN, QRELS, query, "a", cutoff=cutoff)


@pytest.mark.parametrize("seed", range(10))
def test_as_a_walk_finds_it(seed: int) -> None:
    random = np.random.default_rng(seed)
    documents = [f"d{k}" for k in range(20)]
    run = Run.from_dict({"q": {doc: float(random.integers(0, 30)) for doc in documents}}, name="r")
    grades = {doc: int(random.integers(-1, 4)) for doc in documents if random.random() < 0.7}
    qrels = Qrels.from_dict({"q": {**grades, "other": 1}})
    ranking = run.ranking("q")
    for doc in [*documents, "other"]:
        for cutoff in (1, 5, 20, 30):
            above_it = documents_above(run, qrels, "q", doc, cutoff=cutoff)
            rank = ranking.index(doc) + 1 if doc in ranking else 0
            above = ranking[: rank - 1] if 0 < rank <= cutoff else ranking[:cutoff]
            assert (above_it.rank, [document.document for document in above_it.above]) == (rank, above)
            assert above_it.relevant == sum(grades.get(document, -1) >= 1 for document in above)
            assert above_it.unjudged == sum(document not in grades for document in above)
            assert above_it.relevant + above_it.non_relevant + above_it.unjudged == len(above)
            if rank > cutoff:
                scores = dict(zip(ranking, run.ranking_scores("q").tolist(), strict=True))
                assert above_it.gap == scores[ranking[cutoff - 1]] - scores[doc]
