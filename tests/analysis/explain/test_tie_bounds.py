"""What ties could change: against every permutation, one by one."""

from __future__ import annotations

import itertools
import random
from functools import cache

import numpy as np
import pytest
from examples import a_part

from irviewer.analysis.explain import explain_query
from irviewer.analysis.explain.tie_bounds import POLICIES, tie_changes, tie_range
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

CLOSED = (
    "P@2",
    "R@3",
    "F@2",
    "F(beta=2)@3",
    "relative_P@3",
    "Rprec",
    "AP",
    "AP@3",
    "gm_map",
    "RR",
    "RR@2",
    "nDCG",
    "nDCG@3",
    "nDCG(dcg='exp-log2')@2",
    "nDCG(ideal='retrieved')@2",
    "DCG@2",
    "RBP(p=0.8)@3",
    "RBP(p=0.5,rel=2)",
    "SDCG@3",
    "INSQ",
)
OTHERS = (
    "ERR",
    "Bpref",
    "infAP",
    "IPrec@0.5",
    "Success@2",
    "Compat",
    "alpha_nDCG@3",
    "prefs_simp",
    "(P@2 + RR) / 2",
    "SetP",
)


@cache
def cases(number: int) -> list[tuple[Qrels, Run, list[Run]]]:
    """Random lists with ties: qrels of two queries (the second holds the highest grade), and every order as a run."""
    chance, cases_so_far = random.Random(5), []
    for _ in range(number):
        grades = {
            document: chance.choice([-1, 0, 1, 2, 3]) for document in chance.sample("abcdefg", chance.randint(1, 6))
        }
        scores = {
            document: chance.choice([1.0, 2.0, 3.0]) for document in chance.sample("abcdefg", chance.randint(2, 6))
        }
        orders = [
            order
            for order in itertools.permutations(scores)
            if all(scores[above] >= scores[below] for above, below in itertools.pairwise(order))
        ]
        runs = [
            Run.from_dict({"1": {document: -float(place) for place, document in enumerate(order)}}, name=str(number))
            for number, order in enumerate(orders)
        ]
        cases_so_far.append((Qrels.from_dict({"1": grades, "2": {"z": 5.0}}), Run.from_dict({"1": scores}), runs))
    return cases_so_far


@pytest.mark.parametrize("text", a_part([*CLOSED, *OTHERS], 3))
def test_range_is_that_of_all_permutations(text: str) -> None:
    for qrels, run, orders in cases(20):
        values = evaluate(qrels, orders, [text]).values[0, :, 0]
        ties = tie_range(run, qrels, text, "1")
        assert ties.value == pytest.approx(evaluate(qrels, run, [text]).values[0, 0, 0])
        assert (ties.lowest, ties.highest, ties.expected) == pytest.approx(
            (values.min(), values.max(), values.mean()), abs=1e-12
        )
        assert ties.exact
        assert ties.method in (("no ties", "closed form") if text in CLOSED else ("no ties", "every order"))


@pytest.mark.parametrize("options", [EvaluationOptions(depth=3), EvaluationOptions(judged_only=True)])
def test_every_order_of_lists_that_are_cut_or_judged_only_is_examined(options: EvaluationOptions) -> None:
    for qrels, run, orders in cases(20):
        values = evaluate(qrels, orders, ["AP"], options).values[0, :, 0]
        ties = tie_range(run, qrels, "AP", "1", options)
        assert (ties.lowest, ties.highest, ties.expected) == pytest.approx(
            (values.min(), values.max(), values.mean()), abs=1e-12
        )
        assert ties.method in ("no ties", "every order")


@pytest.mark.parametrize("text", ["P@2", "AP", "ERR", "RR", "nDCG@3", "NumRelRet@2"])
def test_words_say_the_same_where_no_order_changes_anything(text: str) -> None:
    """Over every permutation; and a ledger never says that nothing is tied beside a range that says what is."""
    kinds = set()
    for qrels, run, orders in cases(25):
        values = evaluate(qrels, orders, [text]).values[0, :, 0]
        ties = tie_range(run, qrels, text, "1")
        said, rule = ties.sentence(), explain_query(run, qrels, text, "1").rule("ties")
        if not ties.groups:
            kinds.add("none")
            assert (said, rule) == ("No ties.",) * 2
            continue
        assert not rule.startswith("No ties")
        same = bool(np.ptp(values) < 1e-9)
        kinds.add("same" if same else "between")
        assert ("the value is always" in said) == same
        assert ("is between" in said) == (not same)
    assert kinds == {"none", "same", "between"}


def test_what_differs_beyond_the_decimals_shown_is_no_range_of_one_number() -> None:
    """Ranks 20,001 and 20,002: 1/20001 and 1/20002 print alike."""
    scores = {f"d{n:05}": -float(n) for n in range(20_000)} | {"r": -1e6, "x": -1e6}
    ties = tie_range(Run.from_dict({"1": scores}), Qrels.from_dict({"1": {"r": 1}}), "RR", "1")
    assert (ties.lowest, ties.highest) == (1 / 20_002, 1 / 20_001)
    assert "the value is 5.00e-05, except for digits that are not shown" in ties.sentence()


def test_ties_below_the_rows_are_said_to_be_there() -> None:
    run = Run.from_dict({"1": {"a": 5.0, "b": 4.0, "c": 1.0, "d": 1.0}})
    qrels = Qrels.from_dict({"1": {"a": 1, "c": 1}})
    assert explain_query(run, qrels, "P@2", "1").rule("ties") == ("The first ties are at rank 3, below these rows.")


def test_policies_and_a_long_tie() -> None:
    qrels = Qrels.from_dict({"1": {f"d{n:02d}": n % 3 for n in range(40)}})
    run = Run.from_dict({"1": {f"d{n:02d}": 1.0 for n in (7, 3, *range(10, 40), 1, 2)}})
    options = EvaluationOptions()
    ties = tie_range(run, qrels, "AP", "1", options)
    for policy, dialect in (("descending", "trec_eval"), ("arrival", "ranx")):
        other = evaluate(qrels, run, ["AP"], EvaluationOptions(dialect=dialect)).mean("AP")
        assert ties.policies[policy] == pytest.approx(other)
    assert ties.lowest == ties.policies["worst"] < ties.expected < ties.policies["best"] == ties.highest
    sampled = tie_range(run, qrels, "ERR", "1", options)
    assert (sampled.method, sampled.exact, sampled.orders) == ("sample", False, 1000)
    assert "sample of 1,000" in sampled.sentence()
    assert sampled.expected == tie_range(run, qrels, "ERR", "1", options).expected
    assert [(group.first, group.last) for group in ties.groups] == [(1, 34)]


def test_changes_of_a_run() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"a": 1}, "3": {"x": 1}})
    run = Run.from_dict({"1": {"a": 1.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}, "3": {"a": 1.0, "b": 1.0}})
    changes = tie_changes(run, qrels, "RR")
    assert (changes.query_ids, changes.changing, changes.n_queries) == (("1", "3"), 1, 3)
    assert dict(zip(changes.policies, changes.means.tolist(), strict=True)) == pytest.approx(
        {"descending": 0.5, "ascending": 2 / 3, "arrival": 2 / 3, "best": 2 / 3, "worst": 0.5}
    )
    assert set(changes.policies) == set(POLICIES)


@pytest.mark.parametrize("text", ["RR", "AP", "nDCG@2", "P@1", "ERR", "NumRelRet"])
def test_the_expected_mean_is_that_over_all_orders_of_all_queries(text: str) -> None:
    grades = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1}, "3": {"x": 1, "y": 2, "z": 0}, "4": {"a": 1}}
    qrels = Qrels.from_dict(grades)
    tied = {"1": ("a", "b", "c"), "3": ("x", "y", "u")}
    run = Run.from_dict({**{query: dict.fromkeys(ids, 1.0) for query, ids in tied.items()}, "2": {"b": 2.0, "a": 1.0}})
    means = []
    for first in itertools.permutations(tied["1"]):
        for third in itertools.permutations(tied["3"]):
            lists = {"1": first, "2": ("b", "a"), "3": third}
            ordered = Run.from_dict(
                {query: {doc: -float(at) for at, doc in enumerate(ids)} for query, ids in lists.items()}
            )
            means.append(evaluate(qrels, ordered, [text]).mean(text))
    done: list[float] = []
    changes = tie_changes(run, qrels, text, progress=done.append)
    assert changes.expected_mean == pytest.approx(float(np.mean(means)))
    assert done == [0.5, 1.0]
    for query, expected in zip(changes.query_ids, changes.expected.tolist(), strict=True):
        assert expected == pytest.approx(tie_range(run, qrels, text, query).expected)


def test_the_expected_mean_is_not_said_where_it_is_not_known() -> None:
    qrels = Qrels.from_dict({"1": {f"d{n:02d}": n % 3 for n in range(40)}, "2": {"a": 1}})
    run = Run.from_dict({"1": {f"d{n:02d}": 1.0 for n in range(40)}, "2": {"a": 1.0, "b": 1.0}})
    sampled = tie_changes(run, qrels, "ERR")
    assert np.isnan(sampled.expected).tolist() == [True, False]
    assert np.isnan(sampled.expected_mean)
    assert np.isnan(tie_changes(run, qrels, "gm_map").expected_mean)  # a geometric mean is not linear
    assert not np.isnan(tie_changes(run, qrels, "AP").expected_mean)
