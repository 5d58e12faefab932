"""The interval of one value against every way to judge what is unjudged, and how a ledger tells it."""

from __future__ import annotations

import itertools

import pytest

from irviewer.analysis.explain.ledger import bound_measure_of, explain_query
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.analysis.explain.unjudged_interval import interval_of, interval_sentence
from irviewer.api.explanation import explain
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime

GRADES = {"1": {"a": 1.0, "n": 0.0, "far": 2.0, "gone": 1.0}, "2": {"z": 4.0}}
"""The highest grade is another query's."""
ORDER = ("u1", "a", "u2", "n", "u3", "far", "u4")
RUN = Run.from_dict({"1": {doc: -float(rank) for rank, doc in enumerate(ORDER)}, "2": {"z": 1.0}}, name="run")
QRELS = Qrels.from_dict(GRADES)


@pytest.mark.parametrize("text", ["P@3", "RR", "RBP", "ERR", "AP", "nDCG@5", "nDCG", "Rprec", "R@5", "DCG@2"])
@pytest.mark.parametrize("dialect", ["trec_eval", "ir_measures"])
def test_it_is_that_over_all_judgments(text: str, dialect: str) -> None:
    options = EvaluationOptions(dialect=dialect)
    interval = interval_of(OneQuery.of(RUN, QRELS, "1", options), bound_measure_of(text, QRELS, options))
    assert interval is not None
    assert interval.grade == 4
    cutoff = int(text.partition("@")[2] or len(ORDER))
    opened = [doc for doc in ORDER if doc.startswith("u")]
    read = [doc for doc in ORDER[:cutoff] if doc.startswith("u")]
    # Every way to judge is a query of its own.
    ways = {
        f"way {number}": GRADES["1"] | dict(zip(opened, said, strict=True))
        for number, said in enumerate(itertools.product((0.0, 1.0, 2.0, 3.0, 4.0), repeat=len(opened)))
    }
    run = Run.from_dict(
        {way: {doc: -float(rank) for rank, doc in enumerate(ORDER)} for way in ways} | {"2": {"z": 1.0}}
    )
    by_query = evaluate(Qrels.from_dict(ways | {"2": GRADES["2"]}), run, [text], options).by_query(text)
    values = [by_query[way] for way in ways]
    assert interval.unjudged == len(read)
    depends = text.partition("@")[0] in ("AP", "nDCG", "Rprec", "R")  # on documents below the cutoff
    assert (interval.others, interval.alone) == (len(opened) - len(read) if depends else 0, True)
    assert (interval.low, interval.high) == (pytest.approx(min(values)), pytest.approx(max(values)))
    assert (interval.none, interval.all) == (pytest.approx(values[0]), pytest.approx(values[-1]))


def test_a_ledger_tells_it_and_is_the_same_besides() -> None:
    ledger, bare = explain(QRELS, RUN, "P@3", "1"), explain_query(RUN, QRELS, "P@3", "1")
    assert ledger.rule("interval") == (  # type: ignore[union-attr]
        "The value could be between 0.3333 and 1.0000 (2 unjudged documents: 0.3333 if none is relevant, 1.0000 if all "
        "have grade 4), if every document that this run returned were judged; documents that it did not return could "
        "change more."
    )
    assert ledger.value == bare.value  # type: ignore[union-attr]
    assert bare.rule("interval") == ""
    explained = explain(QRELS, RUN, "P@1", "1")
    assert "(1 unjudged document: " in explained.rule("interval")  # type: ignore[union-attr]


def test_documents_of_other_runs_count_for_the_norm() -> None:
    """Few judgments, the run has d1, another d1, d2 and d5: judging these makes nDCG .6131."""
    qrels = Qrels.from_dict({"1": {"d1": 1.0}})
    run, other = Run.from_dict({"1": {"d1": 1.0}}), Run.from_dict({"1": {"d1": 3.0, "d2": 2.0, "d5": 1.0}})
    part, measure = (
        OneQuery.of(run, qrels, "1", EvaluationOptions()),
        bound_measure_of("nDCG@10", qrels, EvaluationOptions()),
    )
    assert interval_of(part, measure) is None  # alone, everything is judged
    interval = interval_of(part, measure, others=[other, Run.from_dict({"2": {"x": 1.0}})])
    assert interval is not None
    judged = Qrels.from_dict({"1": {"d1": 1.0, "d2": 1.0, "d5": 1.0}})
    worst = evaluate(judged, run, ["nDCG@10"]).by_query("nDCG@10")["1"]
    assert (interval.low, interval.high, interval.unjudged, interval.others) == (pytest.approx(worst), 1.0, 0, 2)
    assert interval_sentence(interval) == (
        "The value could be between 0.4693 and 1.0000 (0 unjudged documents, and 2 more that it does not read: 1.0000 "
        "if none is relevant, 0.4693 if all have grade 1), if every document that these runs returned were judged; "
        "documents that nobody returned could change more."
    )
    # Only the first of them lies within the depth of evaluation.
    shallow = OneQuery.of(run, qrels, "1", EvaluationOptions(depth=2))
    interval = interval_of(shallow, measure, others=[other])
    assert interval is not None
    assert (interval.low, interval.others) == (pytest.approx(0.6131, abs=5e-5), 1)


def test_where_there_is_none() -> None:
    options = EvaluationOptions()
    query_slice = OneQuery.of(RUN, QRELS, "1", options)
    precision = bound_measure_of("P@3", QRELS, options)
    assert interval_of(query_slice, precision, Regime.COMPLETE) is None
    assert interval_of(OneQuery.of(RUN, QRELS, "2", options), precision) is None  # all that it reads is judged
    sparse = interval_of(query_slice, precision, Regime.SPARSE)
    assert sparse is not None
    assert interval_sentence(sparse).startswith(
        "The effect of its 2 unjudged documents on the value is not known: with sparse"
    )
    unknown = interval_of(query_slice, bound_measure_of("P@3 - R@3", QRELS, options))
    assert unknown is not None
    assert interval_sentence(unknown) == (
        "The effect of its 2 unjudged documents on the value is not known: its parts do not all rise, or all fall, "
        "when a document becomes relevant."
    )
    both = interval_of(query_slice, bound_measure_of("P@3 + R@3", QRELS, options))
    assert both is not None
    assert (both.low, both.high) == (pytest.approx(1 / 3 + 1 / 5), pytest.approx(3 / 3 + 3 / 5))
