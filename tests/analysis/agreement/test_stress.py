"""Stress: loops over queries, documents, draws and pairs with scipy's tests, and what must not move a number."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.agreement.stress import Stress, stress, tuned_to
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.arrays import Floats, Ints
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Lists = dict[str, dict[str, float]]
Grades = dict[str, dict[str, float]]
QUERIES, DOCUMENTS = 12, 9
ALPHA = 0.9  # so that few queries decide some pairs


def world(seed: int, systems: int = 5) -> tuple[Grades, Grades, list[Lists]]:
    random = np.random.default_rng(seed)
    queries = [f"q{number:02}" for number in range(QUERIES)]
    truth = random.integers(0, 3, (QUERIES, DOCUMENTS))
    model = np.where(random.random(truth.shape) < 0.4, random.integers(0, 3, truth.shape), truth)

    def named(grades: Floats | Ints, known: int) -> Grades:
        return {
            query: {f"d{place}": float(grade) for place, grade in enumerate(row[:known])}
            for query, row in zip(queries, grades.tolist(), strict=True)
        }

    lists = [
        {query: {f"d{place}": float(score) for place, score in enumerate(random.permutation(DOCUMENTS))}
         for query in queries} for _ in range(systems)
    ]  # fmt: skip
    return named(truth, DOCUMENTS), named(model, DOCUMENTS - 1), lists  # the judge has not judged the last one


def reranked(scores: dict[str, float], grades: dict[str, float], strength: float) -> list[str]:
    own = sorted(scores, key=lambda document: -scores[document])
    by_grade = sorted(own, key=lambda document: -grades.get(document, 0.0))
    return sorted(own, key=lambda document: round(
        (1 - strength) * own.index(document) + strength * by_grade.index(document), 9))  # fmt: skip


@pytest.mark.parametrize("strength", [0.0, 0.3, 0.5, 1.0])
def test_lists_of_a_loop(strength: float) -> None:
    _, judge, lists = world(1)
    run = tuned_to(Run.from_dict(lists[0]), Qrels.from_dict(judge), strength, EvaluationOptions())
    for query, scores in lists[0].items():
        assert run.ranking(query) == reranked(scores, judge[query], strength)
    if not strength:
        assert all(run.ranking(query) == Run.from_dict(lists[0]).ranking(query) for query in lists[0])


def test_a_query_that_the_judge_lacks_keeps_its_order() -> None:
    _, judge, lists = world(2)
    del judge["q03"]
    run = tuned_to(Run.from_dict(lists[0]), Qrels.from_dict(judge), 1.0, EvaluationOptions())
    assert run.ranking("q03") == Run.from_dict(lists[0]).ranking("q03")
    assert run.ranking("q04") == reranked(lists[0]["q04"], judge["q04"], 1.0)


def precision(order: list[str], grades: dict[str, float]) -> float:
    return sum(grades.get(document, 0) >= 1 for document in order[:3]) / 3


def by_loop(seed: int, systems: int, share: int, strength: float) -> list[tuple[float, int, int]]:
    """tau-b, turned and decided pairs of every way to choose ``share`` systems."""
    truth, judge, lists = world(seed, systems)
    cases = []
    for chosen in itertools.combinations(range(systems), share):
        orders = [
            {query: reranked(scores, judge[query], strength if number in chosen else 0.0)
             for query, scores in own.items()} for number, own in enumerate(lists)
        ]  # fmt: skip
        values = [[[precision(own[query], grades[query]) for query in sorted(own)] for own in orders]
                  for grades in (truth, judge)]  # fmt: skip
        means = np.round(np.array(values, dtype=np.float64).mean(axis=2), 12)
        pairs = list(itertools.combinations(range(systems), 2))
        p = [[stats.ttest_rel(side[first], side[second]).pvalue for first, second in pairs] for side in values]
        holm = [np.empty(len(pairs)), np.empty(len(pairs))]
        for side in range(2):
            last = 0.0
            for rank, place in enumerate(np.argsort(p[side], kind="stable")):
                last = max(last, min(1.0, (len(pairs) - rank) * p[side][place]))
                holm[side][place] = last
        turned = decided = 0
        for place, (first, second) in enumerate(pairs):
            if (means[0][first] - means[0][second]) * (means[1][first] - means[1][second]) < 0:
                turned += 1
                decided += bool(min(holm[0][place], holm[1][place]) < ALPHA)
        cases.append((float(stats.kendalltau(means[0], means[1]).statistic), turned, decided))
    return cases


def stressed(seed: int, systems: int, share: float, strength: float, *, draws: int = 200, other: str = "") -> Stress:
    truth, judge, lists = world(seed, systems)
    if other == "names":
        lists = [{f"x{query}": {f"z{document}": score for document, score in scores.items()}
                  for query, scores in own.items()} for own in lists]  # fmt: skip
        truth, judge = (
            {f"x{query}": {f"z{document}": grade for document, grade in own.items()} for query, own in grades.items()}
            for grades in (truth, judge)
        )
    if other == "files":
        lists = lists[::-1]
    qrels = [Qrels.from_dict(truth), Qrels.from_dict(judge)]
    runs = [Run.from_dict(own, name=f"{other}{number}") for number, own in enumerate(lists)]
    tuned = [tuned_to(run, qrels[1], strength, EvaluationOptions()) for run in runs]
    values = [tuple(evaluate(each, some, ["P@3"]).of("P@3")[1] for some in (runs, tuned)) for each in qrels]
    result = stress(
        (values[0][0], values[0][1]), (values[1][0], values[1][1]), share=share, strength=strength, alpha=ALPHA, seed=3,
        draws=draws,
    )  # fmt: skip
    assert result is not None
    return result


@pytest.mark.parametrize(("seed", "strength"), [(4, 1.0), (36, 1.0), (5, 0.5)])
def test_every_draw_of_a_loop(seed: int, strength: float) -> None:
    result = stressed(seed, 6, 2 / 6, strength)
    wanted = by_loop(seed, 6, 2, strength)
    assert result.every
    assert result.tuned == 2
    got = zip(result.after.tau.tolist(), result.after.turned.tolist(), result.after.decided.tolist(), strict=True)
    assert sorted((round(tau, 9), turned, decided) for tau, turned, decided in got) == sorted(
        (round(tau, 9), turned, decided) for tau, turned, decided in wanted
    )
    ((tau, turned, decided),) = by_loop(seed, 6, 0, strength)
    assert result.before.tau[0] == pytest.approx(tau)
    assert (result.before.turned[0], result.before.decided[0]) == (turned, decided)
    assert any(decided for _, _, decided in wanted) or strength < 1  # the case shows something


@pytest.mark.parametrize("other", ["names", "files"])
def test_names_and_the_order_of_files_move_no_number(other: str) -> None:
    plain, changed = stressed(8, 7, 0.4, 1.0, draws=20), stressed(8, 7, 0.4, 1.0, draws=20, other=other)
    assert not plain.every
    for orders in ("before", "after"):
        for name in ("tau", "tau_ap", "turned", "decided"):
            assert list(getattr(getattr(plain, orders), name)) == pytest.approx(
                list(getattr(getattr(changed, orders), name))
            )


def test_without_strength_nothing_changes() -> None:
    result = stressed(3, 5, 0.4, 0.0)
    assert (result.after.tau == result.before.tau[0]).all()
    assert not result.by_judge.any() and not result.by_reference.any()
    assert stress((np.ones((1, 3)),) * 2, (np.ones((1, 3)),) * 2, share=0.5, strength=1.0, alpha=0.05, seed=1) is None
