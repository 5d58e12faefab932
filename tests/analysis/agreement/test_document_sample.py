"""Means corrected by a sample of documents: unbiased over all samples, the human's own values where all are drawn, and
the coverage of the intervals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.agreement.document_sample import ADDITIVE, document_corrected, document_means, sampled_values
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judging_task import JudgingTask, TaskRow
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

OPTIONS = EvaluationOptions()
HUMAN = {"1": {"a": 2.0, "b": 0.0, "c": 1.0, "d": 0.0}, "2": {"a": 0.0, "c": 3.0}}
MODEL = {"1": {"a": 1.0, "b": 2.0, "c": 0.0, "d": 1.0}, "2": {"a": 3.0, "c": 1.0}}
RUNS = [
    Run.from_dict({"1": {"b": 3.0, "a": 2.0, "x": 1.0, "c": 0.5}, "2": {"c": 2.0, "a": 1.0}}, name="first"),
    Run.from_dict({"1": {"d": 3.0, "c": 2.0}, "2": {"x": 3.0, "a": 1.0}}, name="second"),
]
MEASURES = ["P@2", "P(rel=2)@3", "CG@3", "DCG@3", "DCG(dcg='exp-log2')@3", "SetP"]


def values_of(grades: dict[str, dict[str, float]], measure: str) -> Floats:
    return np.asarray(evaluate(Qrels.from_dict(grades), RUNS, [measure], OPTIONS).of(measure)[1])


def estimate(sample: dict[tuple[str, str], tuple[str, float]], measure: str, weight: float = 1.0) -> Floats:
    """The human's weighted values plus λ times what the model's values are above its weighted ones; sample: (query,
    document) -> stratum and probability."""
    rows = tuple(TaskRow(*key, None, *drawn) for key, drawn in sample.items())
    human: dict[str, dict[str, float]] = {}
    for query, doc in sample:
        human.setdefault(query, {})[doc] = HUMAN[query][doc]
    added, less = sampled_values(
        JudgingTask("pair", rows), Qrels.from_dict(human), Qrels.from_dict(MODEL), RUNS, parse_measure(measure),
        ["1", "2"], OPTIONS,
    )  # fmt: skip
    return added + weight * (values_of(MODEL, measure) - less)


def estimates(measure: str, weight: float = 1.0) -> list[Floats]:
    """Two strata of both queries: 2 of 4 documents, and 1 of 2; each of the 12 samples is as likely."""
    many = [("1", "a"), ("1", "b"), ("1", "d"), ("2", "a")]
    few = [("1", "c"), ("2", "c")]
    return [
        estimate({**dict.fromkeys(two, ("many", 0.5)), other: ("few", 0.5)}, measure, weight)
        for two in itertools.combinations(many, 2) for other in few
    ]  # fmt: skip


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_mean_over_all_samples_is_the_humans_value(measure: str, weight: float) -> None:
    assert parse_measure(measure).name in ADDITIVE
    assert np.mean(estimates(measure, weight), axis=0) == pytest.approx(values_of(HUMAN, measure))
    assert np.std(estimates(measure), axis=0).max() > 0.1


@pytest.mark.parametrize("measure", ["AP", "nDCG@3", "RR", "R@3", "ERR@3", "RBP"])
def test_of_other_measures_it_is_not(measure: str) -> None:
    assert parse_measure(measure).name not in ADDITIVE
    assert np.mean(estimates(measure), axis=0) != pytest.approx(values_of(HUMAN, measure))


def test_unequal_probabilities_within_a_query() -> None:
    """Each document is drawn or not by itself (Poisson), so all 64 subsets have a chance; each is its own stratum."""
    pairs = [(query, doc) for query, own in HUMAN.items() for doc in own]
    chances = [0.2, 0.9, 0.5, 0.35, 0.6, 0.75]
    mean: Floats = np.zeros((2, 2))
    for bits in itertools.product((False, True), repeat=6):
        likely = np.prod([chance if bit else 1 - chance for bit, chance in zip(bits, chances, strict=True)])
        drawn = {pair: ("".join(pair), chance) for pair, chance, bit in zip(pairs, chances, bits, strict=True) if bit}
        mean += likely * (estimate(drawn, "DCG@3") if drawn else values_of(MODEL, "DCG@3"))
    assert mean == pytest.approx(values_of(HUMAN, "DCG@3"))


@pytest.mark.parametrize("measure", MEASURES)
def test_where_all_are_drawn_the_values_are_the_humans(measure: str) -> None:
    every = {(query, doc): ("", 1.0) for query, own in HUMAN.items() for doc in own}
    assert estimate(every, measure) == pytest.approx(values_of(HUMAN, measure))


def test_no_interval_from_few_queries() -> None:
    rows = (TaskRow("1", "a", None, "", 0.5), TaskRow("2", "a", None, "", 0.5), TaskRow("2", "c", None, "", 0.5))
    human = Qrels.from_dict({"1": {"a": 2.0}, "2": {"a": 0.0}})
    model = Qrels.from_dict(MODEL)
    means = document_corrected(
        JudgingTask("pair", rows), human, model, RUNS, parse_measure("P@2"), ["1", "2"], values_of(MODEL, "P@2"),
        OPTIONS, level=0.95,
    )  # fmt: skip
    assert (means.documents, means.queries, means.total, means.open) == (2, 2, 2, 1)
    assert np.isnan(means.means.low).all()
    assert not means.means.misleads.any()
    assert means.differences is None


def simulated(queries: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """A human's weighted values of two runs, and the model's weighted and whole values: half of what is weighted
    says what the model errs by chance."""
    random = np.random.default_rng(seed)
    model = random.random((2, queries))
    sampled = model + random.normal(0, 0.3, (2, queries))
    return 0.5 * (sampled - model) + random.normal(0.5, 0.1, (2, queries)), sampled, model


def test_the_weight_is_that_of_least_squares() -> None:
    """λ is the slope of the human's weighted values by what the sample misses of the model's (scipy), and where that
    is tuned the mean has the interval of residuals whose λ leaves their query out."""
    human, sampled, model = simulated(40, 1)
    means = document_means(human, sampled, model)
    for row in range(2):
        left = model[row] - sampled[row]
        slope = -stats.linregress(left, human[row]).slope
        assert 0.3 < slope < 0.7
        assert means.weight[row] == pytest.approx(slope)
        assert means.values[row] == pytest.approx(human[row].mean() + slope * left.mean())
        residuals = []
        for query in range(40):
            others = np.arange(40) != query
            own = -stats.linregress(left[others], human[row][others]).slope
            residuals.append(human[row][query] + own * left[query])
        half = stats.t.ppf(0.975, 39) * stats.sem(residuals) * means.widened[row]
        assert [means.low[row], means.high[row]] == pytest.approx([means.values[row] - half, means.values[row] + half])
        assert means.p[row] == pytest.approx(
            2 * stats.t.sf(abs(means.values[row]) / stats.sem(residuals) / means.widened[row], 39)
        )
    plain = document_means(np.where(np.arange(40) < 9, human, 0.0), sampled, model)  # nine queries have a grade
    assert plain.weight.tolist() == [1, 1]
    every = document_means(human, model, model)  # all documents are drawn
    assert np.isnan(every.weight).all()
    assert every.values == pytest.approx(human.mean(axis=1))


def test_a_model_that_is_no_use_does_no_harm() -> None:
    human, sampled, model = simulated(40, 2)
    unrelated = document_means(human[:, ::-1], sampled, model)
    assert (unrelated.weight < 0.3).all()
    assert (unrelated.high - unrelated.low < 1.2 * stats.t.ppf(0.975, 39) * 2 * stats.sem(human, axis=1)).all()


@pytest.mark.slow
@pytest.mark.parametrize(("queries", "drawn", "wrong", "beta"), [
    (20, 100, 0.1, (1, 4)), (20, 100, 0.3, (2, 2)), (50, 100, 0.5, (1, 4)), (50, 100, 0.02, (1, 4)),
])  # fmt: skip
def test_coverage(queries: int, drawn: int, wrong: float, beta: tuple[int, int]) -> None:
    """P@10 of lists of 30 documents, whose first third is relevant with the chance of its query; the model is wrong in
    a share, and of each of its grades a number of documents is drawn over all queries. The interval holds the mean of
    all such queries."""
    random = np.random.default_rng(queries + drawn)
    ids = [f"q{place}" for place in range(queries)]
    docs = [f"d{place:02d}" for place in range(30)]
    run = Run.from_dict({query: {doc: 30.0 - place for place, doc in enumerate(docs)} for query in ids})
    chance = np.where(np.arange(30) < 10, 1.0, 0.3)
    true, held, known, cases = stats.beta(*beta).mean(), 0, 0, 150
    measure = parse_measure("P@10")
    for _ in range(cases):
        human = (random.random((queries, 30)) < random.beta(*beta, (queries, 1)) * chance).astype(float)
        model = np.where(random.random((queries, 30)) < wrong, 1 - human, human)
        rows, judged = [], {}  # type: list[TaskRow], dict[str, dict[str, float]]
        for grade in (0, 1):
            pairs = np.argwhere(model == grade)
            chosen = pairs[random.choice(len(pairs), min(drawn, len(pairs)), replace=False)]
            for query, doc in chosen.tolist():
                rows.append(TaskRow(ids[query], docs[doc], None, f"{grade}", len(chosen) / len(pairs)))
                judged.setdefault(ids[query], {})[docs[doc]] = float(human[query, doc])
        of_model = Qrels.from_dict(
            {query: dict(zip(docs, model[at].tolist(), strict=True)) for at, query in enumerate(ids)}
        )
        means = document_corrected(
            JudgingTask("pair", tuple(rows)), Qrels.from_dict(judged), of_model, [run], measure, ids,
            model[None, :, :10].mean(axis=2), OPTIONS, level=0.95,
        )  # fmt: skip
        known += not np.isnan(means.means.low[0])
        held += bool(means.means.low[0] <= true <= means.means.high[0])
    assert known > cases / 2
    assert held / known >= 0.92


def test_queries_that_are_all_alike_have_no_interval() -> None:
    """Every query had the same sums: [.5, .5] with p = 0."""
    means = document_means(np.full((1, 30), 0.3), np.full((1, 30), 0.3), np.full((1, 30), 0.5))
    assert means.values[0] == pytest.approx(0.5)
    assert np.isnan([means.low[0], means.high[0], means.p[0]]).all()
