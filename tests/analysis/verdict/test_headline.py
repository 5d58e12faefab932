"""The answer of a verdict: margins as SciPy tests them, exactly one form, and how often it errs."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.simultaneous import simultaneous_intervals
from irviewer.analysis.verdict.headline import FEWEST, Form, headline
from irviewer.analysis.verdict.margins import margin_tests
from irviewer.errors import OptionError

QUICK = ComparisonOptions(samples=200, interval="t")


def values_of(rows: np.ndarray, *, higher: bool = True, names: tuple[str, ...] = ()) -> RunValues:
    ids = tuple(f"q{place:03}" for place in range(rows.shape[1]))
    return RunValues(
        names or tuple(f"r{place}" for place in range(len(rows))),
        ids,
        rows,
        np.zeros(rows.shape, np.bool_),
        "AP",
        higher,
    )


def holm(p: list[float]) -> list[float]:
    """Holm's correction in a plain loop, of one-sided p that are held against half of alpha."""
    order = sorted(range(len(p)), key=lambda place: p[place])
    corrected, most = [0.0] * len(p), 0.0
    for step, place in enumerate(order):
        most = max(most, min(1.0, (len(p) - step) * min(1.0, 2 * p[place])))
        corrected[place] = most / 2
    return corrected


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(8, 30), st.floats(0.01, 0.3))
def test_margins_are_one_sided_t_tests_of_shifted_differences(seed: int, members: int, n: int, margin: float) -> None:
    differences = np.random.default_rng(seed).normal(0.05, 0.2, (members, n))
    margins = margin_tests(differences, members - 1, margin, QUICK)
    for test, border, side in (
        (margins.more, margin, "greater"), (margins.less, margin, "less"), (margins.above, -margin, "greater"),
        (margins.below, -margin, "less"),
    ):  # fmt: skip
        p = [float(stats.ttest_1samp(row, border, alternative=side).pvalue) for row in differences]
        assert test.p == pytest.approx(p[-1], abs=1e-10)
        assert test.p_corrected == pytest.approx(holm(p)[-1], abs=1e-10)
        assert (test.level, test.family) == (0.025, members)


@pytest.mark.parametrize("name", ["wilcoxon", "sign", "randomisation"])
def test_margins_follow_the_declared_test(name: str) -> None:
    differences = np.random.default_rng(3).normal(0.3, 0.2, (1, 12))
    margins = margin_tests(differences, 0, 0.05, ComparisonOptions((name,), samples=200))
    shifted = differences[0] - 0.05
    if name == "wilcoxon":
        expected = stats.wilcoxon(shifted, alternative="greater", method="exact").pvalue
    elif name == "sign":
        expected = stats.binomtest(int((shifted > 0).sum()), 12, alternative="greater").pvalue
    else:
        sums = [abs(np.dot(signs, shifted)) for signs in itertools.product((-1, 1), repeat=12)]
        expected = np.mean(np.array(sums) >= abs(shifted.sum()) - 1e-12) / 2
    assert margins.more.p == pytest.approx(float(expected), abs=1e-9)


SHAPES = {
    Form.BETTER_BY_MORE: (0.30, 0.05), Form.BETTER_BY_LESS: (0.02, 0.01), Form.BETTER: (0.06, 0.05),
    Form.NOT_WORSE: (0.04, 0.20), Form.EQUIVALENT: (0.0, 0.03), Form.UNKNOWN: (0.0, 0.50),
    Form.NOT_BETTER: (-0.04, 0.20), Form.WORSE: (-0.06, 0.05), Form.WORSE_BY_LESS: (-0.02, 0.01),
    Form.WORSE_BY_MORE: (-0.30, 0.05),
}  # fmt: skip


def runs_with(mean: float, deviation: float, n: int = 40) -> np.ndarray:
    """Two runs whose differences have exactly this mean and deviation."""
    noise = np.random.default_rng(7).normal(size=n)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    base = np.linspace(0.2, 0.7, n)
    return np.array([base, base + mean + deviation * noise])


@pytest.mark.parametrize("form", list(SHAPES))
def test_each_form_applies_where_mean_and_spread_say_so(form: Form) -> None:
    rows = runs_with(*SHAPES[form])
    answer = headline(values_of(rows), QUICK, baseline=0, margin=0.05)
    assert answer.form is form
    # Exchanged, and of a cost, the answer is mirrored.
    mirror = {Form.NOT_WORSE: Form.NOT_BETTER, Form.NOT_BETTER: Form.NOT_WORSE}
    mirror |= {
        Form[name]: Form[name.replace("BETTER", "WORSE")] for name in ("BETTER", "BETTER_BY_MORE", "BETTER_BY_LESS")
    }
    mirror |= {other: own for own, other in mirror.items()}
    assert headline(values_of(rows), QUICK, baseline=0, run=0, margin=0.05).form is mirror.get(form, form)
    assert headline(values_of(rows, higher=False), QUICK, baseline=0, margin=0.05).form is mirror.get(form, form)
    assert headline(values_of(rows), QUICK, baseline=None, run=1, other=0, margin=0.05).form is form


def two_sided(row: np.ndarray) -> float:
    return float(stats.ttest_1samp(row, 0).pvalue)


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(2, 40), st.floats(-0.3, 0.3), st.floats(0.001, 0.4),
    st.floats(0.01, 0.2),
)  # fmt: skip
def test_of_the_forms_exactly_one_applies(
    seed: int, members: int, n: int, mean: float, deviation: float, margin: float
) -> None:
    """Each form has a condition of its own, from tests of SciPy with Holm's correction in a plain loop: on any data one
    of them holds, and the answer is that one."""
    generator = np.random.default_rng(seed)
    differences = generator.normal(mean, deviation, (members, n))
    base = generator.uniform(0.3, 0.6, n)
    answer = headline(values_of(np.concatenate([[base], base + differences])), QUICK, baseline=0, run=1, margin=margin)
    differences = base + differences - base
    few = n < FEWEST
    p = 2 * holm([two_sided(row) / 2 for row in differences])[0]
    side = 0 if few or not p < 0.05 else int(np.sign(differences[0].mean()))
    more, below, less, above = (
        not few
        and holm([float(stats.ttest_1samp(row, border, alternative=way).pvalue) for row in differences])[0] < 0.025
        for border, way in ((margin, "greater"), (-margin, "less"), (margin, "less"), (-margin, "greater"))
    )  # fmt: skip
    applies = {
        Form.FEW: few,
        Form.BETTER_BY_MORE: side > 0 and more,
        Form.BETTER_BY_LESS: side > 0 and less,
        Form.BETTER: side > 0 and not more and not less,
        Form.NOT_WORSE: not few and not side and above and not less,
        Form.EQUIVALENT: not few and not side and above and less,
        Form.UNKNOWN: not few and not side and not above and not less,
        Form.NOT_BETTER: not few and not side and less and not above,
        Form.WORSE: side < 0 and not below and not above,
        Form.WORSE_BY_LESS: side < 0 and above,
        Form.WORSE_BY_MORE: side < 0 and below,
    }
    assert [form for form, holds in applies.items() if holds] == [answer.form]


def test_without_a_margin_there_are_plain_forms() -> None:
    forms = {headline(values_of(runs_with(*shape)), QUICK, baseline=0).form for shape in SHAPES.values()}
    assert forms == {Form.BETTER, Form.WORSE, Form.UNKNOWN}


def test_few_queries_equal_runs_and_chosen_queries_conclude_nothing() -> None:
    few = headline(values_of(runs_with(0.3, 0.01, FEWEST - 1)), QUICK, baseline=0, margin=0.05)
    assert few.form is Form.FEW and "10" in few.sentence
    same = np.tile(np.linspace(0, 1, 20), (2, 1))
    assert headline(values_of(same), QUICK, baseline=0, margin=0.05).form is Form.EQUAL
    chosen = headline(values_of(runs_with(0.3, 0.05)), replace(QUICK, chosen_after_looking=True), baseline=0)
    assert chosen.form is Form.UNKNOWN and chosen.why
    level = np.array([np.zeros(20), np.full(20, 0.25)])
    assert headline(values_of(level), QUICK, baseline=0, margin=0.05).form is Form.UNKNOWN


def test_the_best_run_is_chosen_and_says_so_whatever_the_order_of_the_runs() -> None:
    base = np.linspace(0.2, 0.7, 40)
    noise = np.random.default_rng(5).normal(0, 0.05, (3, 40))
    rows = np.array([base, base + 0.1 + noise[0], base + 0.2 + noise[1], base - 0.1 + noise[2]])
    names = ("base", "good", "best", "bad")
    for order in itertools.permutations(range(4)):
        values = values_of(rows[list(order)], names=tuple(names[place] for place in order))
        for baseline in (order.index(0), None):
            answer = headline(values, QUICK, baseline=baseline, margin=0.05)
            assert answer.pair.run_name == "best" and answer.chosen_among == (4 if baseline is None else 3)
            assert answer.both_chosen is (baseline is None) and ("good were chosen" in answer.choice) is (
                baseline is None
            )
            assert answer.pair.other_name == ("good" if baseline is None else "base")
            assert answer.simultaneous is not None
            low, high = answer.simultaneous.low[answer.place], answer.simultaneous.high[answer.place]
            own = answer.pair.interval
            against = itertools.combinations(range(4), 2) if baseline is None else ((0, run) for run in (1, 2, 3))
            together = simultaneous_intervals(np.array([rows[a] - rows[b] for a, b in against]), samples=200)
            assert answer.simultaneous.critical == pytest.approx(together.critical, rel=1e-9)
            assert low < own.low < answer.pair.difference < own.high < high
            usual = 0 if baseline is not None else None
            assert answer.form is headline(values_of(rows, names=names), QUICK, baseline=usual, margin=0.05).form


def test_a_run_of_all_pairs_against_a_named_one_is_chosen_alone() -> None:
    rows = np.random.default_rng(4).uniform(size=(4, 30))
    answer = headline(values_of(rows), QUICK, baseline=None, other=2)
    assert (answer.chosen_among, answer.both_chosen) == (3, False)
    assert answer.simultaneous is not None and len(answer.simultaneous.differences) == 3


def test_a_margin_that_cannot_be_tested_is_said() -> None:
    rows = runs_with(0.3, 0.05)
    geometric = replace(values_of(rows), measure="GMAP", geometric=True)
    answer = headline(geometric, QUICK, baseline=0, margin=0.05)
    assert answer.margins is None and answer.form is Form.BETTER
    assert answer.untested == (
        "The smallest difference that matters, .05, was not tested: GMAP has no mean difference."
    )
    assert not headline(geometric, QUICK, baseline=0).untested
    assert not headline(values_of(rows), QUICK, baseline=0, margin=0.05).untested


def test_a_pair_outside_the_declared_family_is_refused() -> None:
    values = values_of(np.random.default_rng(1).uniform(size=(3, 20)), names=("a", "b", "c"))
    with pytest.raises(OptionError, match="declare c as the baseline"):
        headline(values, QUICK, baseline=0, run=1, other=2)
    with pytest.raises(OptionError, match="two different runs"):
        headline(values, QUICK, baseline=0, run=0, other=0)
    with pytest.raises(OptionError, match="two runs"):
        headline(values.only([0]), QUICK, baseline=0)


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "wrong"), [
    (0.0, {Form.BETTER, Form.BETTER_BY_MORE, Form.BETTER_BY_LESS, Form.WORSE, Form.WORSE_BY_MORE, Form.WORSE_BY_LESS}),
    (0.05, {Form.BETTER_BY_MORE, Form.BETTER_BY_LESS, Form.EQUIVALENT, Form.NOT_BETTER}),
    (-0.05, {Form.WORSE_BY_MORE, Form.WORSE_BY_LESS, Form.EQUIVALENT, Form.NOT_WORSE}),
])  # fmt: skip
def test_wrong_answers_are_at_most_as_frequent_as_alpha(shift: float, wrong: set[Form]) -> None:
    """Four runs that all differ from the baseline by ``shift``, the margin or 0: the share of collections where any of
    them gets a wrong answer is at most .05, here with the error of 250 collections."""
    generator, errors, rounds = np.random.default_rng(11), 0, 250
    for _ in range(rounds):
        rows = generator.normal(0.5, 0.15, (5, 40))
        rows[1:] += shift
        values = values_of(rows)
        answers = {headline(values, QUICK, baseline=0, run=run, margin=0.05).form for run in range(1, 5)}
        errors += bool(answers & wrong)
    assert errors / rounds < 0.05 + 3 * np.sqrt(0.05 * 0.95 / rounds)
