"""The worklist: every candidate against an evaluation with that one judgment added."""

from __future__ import annotations

import pytest
import strategies as some
from hypothesis import given, settings
from hypothesis import strategies as st

from irviewer.model.evaluate import evaluate
from irviewer.model.explain.unjudged import pool_of, worklist
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


@settings(max_examples=15)
@given(
    judged=some.qrels(), one=some.runs(least=1), two=some.runs(least=1),
    text=st.sampled_from(("AP", "nDCG@3", "RBP(p=0.8)", "P@3", "Bpref")),
)  # fmt: skip
def test_worklist_is_what_single_judgments_do(
    judged: dict[str, dict[str, float]],
    one: dict[str, dict[str, float]],
    two: dict[str, dict[str, float]],
    text: str,
) -> None:
    qrels = Qrels.from_dict(judged)
    runs = [Run.from_dict(one, name="one"), Run.from_dict(two, name="two")]
    found = worklist(runs, qrels, text, depth=4)
    grade = max(qrels.max_grade, 1)
    wanted = {}
    before = evaluate(qrels, runs, [text])
    for query in judged:
        for document in {name for run in runs for name in run.ranking(query, 4)} - set(judged[query]):
            more = {**judged, query: {**judged[query], document: grade}}
            after = evaluate(Qrels.from_dict(more), runs, [text])
            place = before.query_ids.index(query)
            seen = [n for n, run in enumerate(runs) if document in run.ranking(query, 4)]
            change = max(abs(after.values[0, n, place] - before.values[0, n, place]) for n in seen)
            if change > 1e-12:
                wanted[query, document] = change
    assert {(each.query, each.document): each.most for each in found} == pytest.approx(wanted, abs=1e-12)
    assert [each.most for each in found] == sorted((each.most for each in found), reverse=True)
    assert pool_of(found) == [(each.query, each.document) for each in found]


def test_ranks_values_and_progress() -> None:
    qrels, told = Qrels.from_dict({"1": {"a": 1}}), []
    run = Run.from_dict({"1": {"x": 3.0, "a": 2.0, "y": 1.0}}, name="r")
    found = worklist([run], qrels, "AP", progress=told.append)
    assert [(one.document, one.changes[0].rank) for one in found] == [("x", 1), ("y", 3)]
    assert (found[0].changes[0].value, found[0].changes[0].after) == pytest.approx((0.5, 1.0))
    assert told == [1.0]
    assert worklist([run], qrels, "P@1", depth=1)[0].grade == 1
