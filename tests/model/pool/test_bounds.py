"""The interval of a measure: all assignments of small cases tried, and what is said where there is none."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.pool import bounds as module
from irviewer.model.pool.bounds import BY_COUNT, BY_PLACE, NOT_BOUNDABLE, bounds
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime

MEASURES = (
    "P@3", "P@10", "Success@2", "RR", "RR(rel=2)@3", "RBP(p=0.8)", "RBP(p=0.5,rel=1)@4", "DCG", "DCG(dcg='exp-jk')@3",
    "ERR@5", "R@4", "R(rel=2)@3", "F@3", "F(beta=2)@5", "relative_P@4", "SetP", "SetR", "SetF(beta=2)", "set_F(x=1)",
    "SetAP", "SetRelP", "NumRelRet", "SearchLength", "AP", "AP(rel=2)", "AP@3", "gm_map", "nDCG", "nDCG@3",
    "nDCG(dcg='exp-log2')@4", "nDCG(ideal='retrieved')@4", "Rprec", "Bpref", "gm_bpref", "IPrec@0.4",
    "AP(judged_only=True)", "P(judged_only=True)@3", "nDCG(judged_only=True)@2",
)  # fmt: skip
Judgments = dict[str, dict[str, float]]


def _tried(
    qrels: Judgments, run: Run, measure: str, depth: int | None, options: EvaluationOptions, grade: float
) -> dict[str, list[float]]:
    """The value of each query under every assignment, every one non-relevant first and every one relevant last."""
    found: dict[str, list[float]] = {}
    for query, judged in qrels.items():
        ranking = run.ranking(query, depth)
        opened = [document for document in ranking if judged.get(document, -1.0) < 0]
        found[query] = []
        for grades in itertools.product((0.0, grade), repeat=len(opened)):
            everything = {**qrels, query: {**judged, **dict(zip(opened, grades, strict=True))}}
            again = Qrels.from_dict(everything)
            found[query].append(evaluate(again, run, [measure], options).values[0, 0][_place(again, query)])
    return found


def _place(qrels: Qrels, query: str) -> int:
    return [qrels.query_ids[place] for place in qrels.query_order].index(query)


def test_every_family_is_tried() -> None:
    tried = {text.split("(")[0].split("@")[0] for text in MEASURES}
    assert tried == BY_COUNT | BY_PLACE


@pytest.mark.parametrize("measure", MEASURES)
@given(
    qrels=st.dictionaries(
        st.sampled_from(("1", "2")),
        st.dictionaries(strategies.documents, st.integers(-1, 3).map(float), min_size=1, max_size=6),
        min_size=1,
    ),
    run=st.dictionaries(
        st.sampled_from(("1", "2", "3")), st.dictionaries(strategies.documents, strategies.scores, max_size=7)
    ),
)
def test_bounds_are_the_least_and_greatest_of_all_assignments(
    measure: str, qrels: Judgments, run: dict[str, dict[str, float]]
) -> None:
    values, one = Qrels.from_dict(qrels), Run.from_dict(run)
    grade = max(values.max_grade, 1.0)
    # The grade that gains 1 is the highest of the whole qrels: it must not move with the assignment.
    pinned = {**qrels, "9": {"top": grade}}
    options = EvaluationOptions()
    found = bounds(Qrels.from_dict(pinned), [one], [measure], options)
    assert (found.why, found.grade) == ({}, grade)
    cutoff = int(found.measures[0].cutoff) if "@" in measure and "IPrec" not in measure else None  # type: ignore[arg-type]
    for query, tried in _tried(pinned, one, measure, cutoff, options, grade).items():
        place = found.query_ids.index(query)
        np.testing.assert_allclose(found.low[0, 0, place], min(tried), atol=1e-9, err_msg="low")
        np.testing.assert_allclose(found.high[0, 0, place], max(tried), atol=1e-9, err_msg="high")
        np.testing.assert_allclose(found.none[0, 0, place], tried[0], atol=1e-9, err_msg="none")
        np.testing.assert_allclose(found.all[0, 0, place], tried[-1], atol=1e-9, err_msg="all")
        assert 2 ** found.unjudged[0, 0, place] == len(tried)


def _case() -> tuple[Qrels, list[Run]]:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0, "z": 1}, "2": {"c": 1}})
    rankings = {
        "good": {"1": "axb", "2": "cyb"},
        "bad": {"1": "xyba", "2": "xc"},
        "worst": {"1": "bbc", "2": "ab"},
    }
    runs = [
        Run.from_dict({q: {d: 9.0 - n for n, d in enumerate(ids)} for q, ids in one.items()}, name=name)
        for name, one in rankings.items()
    ]
    return qrels, runs


def test_average_precision_by_hand() -> None:
    """One relevant document of two at rank 1, one unjudged at 2: 1/2, and (1 + 1) / 3 were it relevant."""
    qrels, runs = _case()
    found = bounds(qrels, runs[:1], ["AP"])
    assert found.low[0, 0, 0] == found.none[0, 0, 0] == found.values[0, 0, 0] == pytest.approx(1 / 2)
    assert found.high[0, 0, 0] == found.all[0, 0, 0] == pytest.approx(2 / 3)
    # Found at rank 1, the only one: whatever else is relevant, the least has the last alone: (1 + 2/3) / 2.
    assert found.high[0, 0, 1] == pytest.approx(1)
    assert found.low[0, 0, 1] == pytest.approx((1 + 2 / 3) / 2)
    assert (found.none[0, 0, 1], found.all[0, 0, 1]) == (1, 1)
    assert found.mean_low[0, 0] == pytest.approx((1 / 2 + 5 / 6) / 2)


def test_differences_that_could_turn_round() -> None:
    qrels, runs = _case()
    found = bounds(qrels, runs, ["P@1", "SearchLength"])
    np.testing.assert_allclose(found.mean_values[0], [1, 0, 0])
    np.testing.assert_allclose([found.mean_low[0], found.mean_high[0]], [[1, 0, 0], [1, 1, 0.5]])
    assert found.overturned[0].tolist() == [[False, True, False], [False] * 3, [False] * 3]
    # Search length counts the other way: the shorter one is better.
    assert found.mean_values[1].argmin() == 0
    assert not found.overturned[1, 1].any()


@pytest.mark.parametrize("at_a_time", [1, 7])
def test_some_at_a_time_is_the_same(at_a_time: int, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, runs = _case()
    whole = bounds(qrels, runs, ["nDCG", "Rprec"])
    monkeypatch.setattr(module, "AT_A_TIME", at_a_time)
    parts = bounds(qrels, runs, ["nDCG", "Rprec"])
    np.testing.assert_array_equal(parts.low, whole.low)
    np.testing.assert_array_equal(parts.high, whole.high)


@pytest.mark.parametrize(
    "measure",
    [
        "AP", "AP@20", "nDCG", "nDCG@30", "nDCG(ideal='retrieved')", "nDCG(dcg='exp-jk')@50", "Rprec", "Rprec(rel=2)",
        "Bpref", "gm_bpref", "IPrec@0", "IPrec@0.1", "IPrec@0.4", "IPrec(cut='up')@0.25", "IPrec(cut='exact')@0.3",
        "IPrec@0.6", "AP(judged_only=True)", "Bpref(judged_only=True)",
    ],
)  # fmt: skip
def test_long_lists_are_as_if_tried(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the bounds are known without trying, they are those that trying finds."""
    random = np.random.default_rng(11)
    documents = [f"d{number}" for number in range(200)]
    qrels = {
        str(q): dict(zip(random.choice(documents, 40, replace=False), random.integers(0, 4, 40) * 1.0, strict=True))
        for q in range(4)
    }
    run = {q: {d: float(random.random()) for d in random.choice(documents, 90, replace=False)} for q in qrels}
    known = bounds(Qrels.from_dict(qrels), [Run.from_dict(run)], [measure])
    monkeypatch.setattr(module, "known_bounds", lambda *_, **__: None)
    tried = bounds(Qrels.from_dict(qrels), [Run.from_dict(run)], [measure])
    np.testing.assert_allclose(known.low, tried.low, atol=1e-12)
    np.testing.assert_allclose(known.high, tried.high, atol=1e-12)
    assert (known.high > known.low).all()


def test_options_hold() -> None:
    """Level, depth and judged-only are those of the evaluation; queries left out are NaN."""
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 2}, "2": {"c": 1}})
    run = Run.from_dict({"1": {"x": 3.0, "b": 2.0, "a": 1.0, "y": 0.5}})
    found = bounds(qrels, [run], ["AP"], EvaluationOptions(level=2, depth=2, missing="intersection"))
    assert found.query_ids == ("1",)
    assert found.measures[0].text == "AP(rel=2)"
    assert (found.low[0, 0, 0], found.high[0, 0, 0]) == (0.5, 1)
    condensed = bounds(qrels, [run], ["P@1"], EvaluationOptions(judged_only=True))
    assert condensed.values[0, 0].tolist() == [1, 0]
    assert (condensed.none[0, 0, 0], condensed.all[0, 0, 0]) == (0, 1)


def test_sparse_judgments_are_not_boundable() -> None:
    qrels, runs = _case()
    found = bounds(qrels, runs, ["P@1"], regime=Regime.SPARSE)
    assert not found.boundable
    assert found.why == {"P@1": NOT_BOUNDABLE}
    assert np.isnan(found.low).all()
    assert np.isnan(found.mean_high).all()
    assert not found.overturned.any()
    np.testing.assert_allclose(found.mean_values[0], [1, 0, 0])


def test_complete_judgments_leave_nothing_open() -> None:
    qrels, runs = _case()
    found = bounds(qrels, runs, ["AP", "P@1"], regime=Regime.COMPLETE)
    np.testing.assert_array_equal(found.low, found.values)
    np.testing.assert_array_equal(found.high, found.values)
    assert not found.unjudged.any()


def test_what_has_no_bounds_says_so() -> None:
    qrels, runs = _case()
    told: list[float] = []
    found = bounds(qrels, runs, ["infAP", "P@1 + R@5", "DCG(gains={0: 1})", "P@1"], progress=told.append)
    assert list(found.why.values()) == [
        "no bounds are known for infAP",
        "no bounds are known for expressions",
        "no bounds are known where grades have gains of their own",
    ]
    assert np.isnan(found.low[:3]).all()
    assert np.isfinite(found.low[3]).all()
    assert np.isfinite(found.values).all()
    assert told[-1] == 1


def test_means_of_some_queries() -> None:
    qrels, runs = _case()
    found = bounds(qrels, runs, ["AP", "P@1"])
    second = found.within(np.array([False, True]))
    np.testing.assert_array_equal(second.mean_low, found.low[:, :, 1])
    np.testing.assert_array_equal(second.mean_high, found.high[:, :, 1])
    np.testing.assert_array_equal(found.within(np.array([True, True])).mean_values, found.mean_values)
    assert np.isnan(found.within(np.array([False, False])).mean_all).all()
    # On the first query alone nothing that "good" leaves open could put "worst" above it at rank 1.
    assert not found.within(np.array([True, False])).overturned[1, 0, 2]


def test_an_expression_of_judged_documents_alone() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}})
    run = Run.from_dict({"1": {"x": 3.0, "y": 2.0, "a": 1.0}})
    found = bounds(qrels, [run], ["(P@1 + R@1) / 2"], EvaluationOptions(judged_only=True))
    assert found.values[0, 0].tolist() == [1.0]
