"""The worklist: every candidate against an evaluation with that one judgment added."""

from __future__ import annotations

from dataclasses import replace

import pytest
import strategies as some
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.explain import judgment_gain
from irviewer.analysis.explain.unjudged import pool_of, worklist
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

TEXTS = (
    "AP", "nDCG@3", "nDCG", "RBP(p=0.8)", "P@3", "Bpref", "Rprec", "RR", "ERR", "SetR", "SetF", "IPrec@0.3",
    "SearchLength", "AP + P@2", "infAP",
)  # fmt: skip
"""All that are tried at once, and two that are not: an expression, and one whose gain is not known to fall."""


def one_judgment(
    judged: dict[str, dict[str, float]], runs: list[Run], text: str, options: EvaluationOptions, depth: int
) -> dict[tuple[str, str], tuple[float, float]]:
    """(query, document) -> (greatest rise, greatest fall) of any run's value, evaluated with that judgment."""
    grade = max(Qrels.from_dict(judged).max_grade, 1)
    options = replace(options, missing="zero")
    before = evaluate(Qrels.from_dict(judged), runs, [text], options)
    rises = {}
    for query in judged:
        for document in {name for run in runs for name in run.ranking(query, depth)} - set(judged[query]):
            more = {**judged, query: {**judged[query], document: grade}}
            after = evaluate(Qrels.from_dict(more), runs, [text], options)
            place = before.query_ids.index(query)
            seen = [n for n, run in enumerate(runs) if document in run.ranking(query, depth)]
            changes = [after.values[0, n, place] - before.values[0, n, place] for n in seen]
            rises[query, document] = max(0.0, *changes), max(0.0, *(-change for change in changes))
    return rises


@examples(30)
@given(
    judged=some.qrels(), first_run=some.runs(least=1), two=some.runs(least=1), text=st.sampled_from(TEXTS),
    judged_only=st.booleans(),
)  # fmt: skip
def test_worklist_is_what_single_judgments_do(
    judged: dict[str, dict[str, float]],
    first_run: dict[str, dict[str, float]],
    two: dict[str, dict[str, float]],
    text: str,
    judged_only: bool,
) -> None:
    qrels = Qrels.from_dict(judged)
    runs = [Run.from_dict(first_run, name="one"), Run.from_dict(two, name="two")]
    options = EvaluationOptions(judged_only=judged_only)
    work = worklist(runs, qrels, text, options, depth=4)
    changes = one_judgment(judged, runs, text, options, 4)
    wanted = {key: max(change) for key, change in changes.items() if max(change) > 1e-11}
    assert {(each.query, each.document): each.most for each in work} == pytest.approx(wanted, abs=1e-10)
    sign = -1 if text == "SearchLength" else 1
    gains = [sign * each.changes[0].delta for each in work]
    rises = [gain for gain in gains if gain > 0]
    assert gains[: len(rises)] == pytest.approx(sorted(rises, reverse=True))
    assert gains[len(rises) :] == pytest.approx(sorted(gains[len(rises) :]))
    assert pool_of(work) == [(each.query, each.document) for each in work]
    first = worklist(runs, qrels, text, options, depth=4, most=2)
    assert (pool_of(first), first.total) == (pool_of(work)[:2], len(work))


@examples(30)
@given(
    judged=some.qrels(), first=some.runs(least=1),
    text=st.sampled_from([measure for measure in TEXTS if "@" not in measure][:-1]),
    judged_only=st.booleans(),
)  # fmt: skip
def test_without_a_depth_every_document_that_raises_a_value_is_found(
    judged: dict[str, dict[str, float]], first: dict[str, dict[str, float]], text: str, judged_only: bool
) -> None:
    runs = [Run.from_dict(first, name="one")]
    options = EvaluationOptions(judged_only=judged_only)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judgment_gain, "FIRST", 1)
        work = worklist(runs, Qrels.from_dict(judged), text, options)
    sign = -1 if text == "SearchLength" else 1
    rises = {(each.query, each.document) for each in work if sign * each.changes[0].delta > 1e-11}
    changes = one_judgment(judged, runs, text, options, 1000)
    assert rises == {key for key, (rise, fall) in changes.items() if (fall if sign < 0 else rise) > 1e-11}


def test_the_best_is_far_down_and_what_is_left_out_is_reported() -> None:
    ranking = [f"n{number}" for number in range(60)] + ["best", "hit", *(f"m{number}" for number in range(500))]
    qrels = Qrels.from_dict({"1": {**{f"n{number}": 0 for number in range(60)}, "hit": 1, "m7": 1, "away": 1}})
    run = Run.from_dict({"1": {name: 1000.0 - place for place, name in enumerate(ranking)}}, name="r")
    work = worklist([run], qrels, "AP")
    assert (work[0].document, work[0].changes[0].rank) == ("best", 61)
    assert work[0].changes[0].delta > 0
    assert work.cut.startswith("below rank ")
    assert work.cut.endswith("no document would raise AP")
    assert work.deepest < len(ranking)
    assert worklist([run], qrels, "AP", depth=20).cut == "examined down to rank 20; 1 list is longer"
    assert worklist([run], qrels, "AP + 0", most=1).cut.startswith("examined down to rank 100; 1 list is longer; ")
    assert worklist([run], qrels, "AP", depth=1000).cut == ""
    assert worklist([run], qrels, "P@80").cut == ""
    assert worklist([run], qrels, "SetR", most=5).cut == "495 more left out"


def test_ranks_values_and_progress() -> None:
    qrels, progress = Qrels.from_dict({"1": {"a": 1}}), []
    run = Run.from_dict({"1": {"x": 3.0, "a": 2.0, "y": 1.0}}, name="r")
    work = worklist([run], qrels, "AP", progress=progress.append)
    assert [(item.document, item.changes[0].rank) for item in work] == [("x", 1), ("y", 3)]
    assert (work[0].changes[0].value, work[0].changes[0].after) == pytest.approx((0.5, 1.0))
    assert progress == [1.0]
    assert worklist([run], qrels, "P@1", depth=1)[0].grade == 1


@pytest.mark.parametrize("measure", ["ERR", "ERR@5", "ERR(max_rel=1)", "(ERR + P@1) / 2"])
def test_no_document_is_taken_to_be_judged_higher_than_err_knows(measure: str) -> None:
    """Relevant from a grade on that nobody gave, by rules under which ERR's highest grade is the qrels'."""
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"a": 1}})
    run = Run.from_dict({"1": {"x": 3.0, "a": 2.0}, "2": {"x": 3.0, "a": 2.0}})
    work = worklist([run], qrels, measure, EvaluationOptions(level=2, dialect="textbook"))
    assert [(item.query, item.document, item.grade) for item in work] == [("1", "x", 1), ("2", "x", 1)]
    assert all(change.after <= 1 for item in work for change in item.changes)
