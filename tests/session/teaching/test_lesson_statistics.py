"""The figures that lessons tell of tests and effect sizes, against loops and scipy, and what Compare shows beside
them."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import pytest
from scipy import stats

from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.model.rankings.inline_ranking import parse_inline_ranking
from irviewer.session.session import Session

B = [0.1] * 8 + [0.2] * 2
C = [0.5, 0.4, 0.4, -0.1, -0.1, -0.1, 0.1, 0.1, -0.1, 0.1]


def opened(name: str) -> tuple[Session, Lesson]:
    session = Session()
    assert session.teaching.open_example(name)
    lesson = session.lessons.lesson
    assert lesson is not None
    return session, lesson


def step_of(session: Session, lesson: Lesson, run: str) -> str:
    """Show the step about a run; return its text."""
    place = next(n for n, item in enumerate(lesson.items, 1) if isinstance(item, Step) and item.view.run == run)
    assert session.lessons.show_place(place)
    session.compute_now()
    assert session.view.place == "compare"
    return lesson.items[place - 1].text


def rows_of(session: Session) -> dict[str, tuple[str, str]]:
    """What Compare shows: statistic -> (value, p)."""
    pair = session.comparison.pair_view_model()
    assert pair is not None
    return {row.name: (row.value, row.p) for row in pair.tests}


def sign_p(differences: list[float]) -> float:
    """The share of all signs that are at least as uneven."""
    wins = sum(difference > 0 for difference in differences)
    uneven = [abs(sum(signs)) for signs in itertools.product((-1, 1), repeat=len(differences))]
    return sum(value >= abs(2 * wins - len(differences)) for value in uneven) / len(uneven)


def exchange_p(differences: list[float]) -> float:
    """Fisher's test: the share of all exchanges with a mean difference at least as large."""
    all_signs = list(itertools.product((-1, 1), repeat=len(differences)))
    sums = [abs(sum(sign * difference for sign, difference in zip(signs, differences, strict=True)))
            for signs in all_signs]  # fmt: skip
    return sum(value >= abs(sum(differences)) - 1e-9 for value in sums) / len(sums)


@pytest.mark.parametrize(("run", "differences"), [("B", B), ("C", C)])
def test_compare_shows_the_tests_that_the_lesson_tells_of(run: str, differences: list[float]) -> None:
    session, lesson = opened("significance")
    text = step_of(session, lesson, run)
    rows = rows_of(session)
    t, p = stats.ttest_1samp(differences, 0)
    assert rows["paired t-test"][0] == f"{t:.4f}, df 9"
    assert rows["sign test"][1] == pytest.approx(sign_p(differences))
    assert rows["Fisher's randomisation test"][1] == pytest.approx(exchange_p(differences))
    assert f"p = {sign_p(differences):.3f}".replace("0.", ".") in text
    if run == "B":
        assert p < 0.001
        assert f"t = {t:.1f}, p below .001" in text
    else:
        assert rows["paired t-test"][1] == pytest.approx(p)
        assert "p = .140" in text
    d = statistics.mean(differences) / statistics.stdev(differences)
    assert rows["effect size"][0].startswith(f"d {d:.4f}".replace(" 0.", " ."))


@pytest.mark.parametrize(("run", "differing"), [("four", 3), ("two", 1)])
def test_compare_shows_the_effect_size_that_the_lesson_tells_of(run: str, differing: int) -> None:
    session, lesson = opened("effect")
    text = step_of(session, lesson, run)
    differences = [1.0] * differing + [0.0] * (20 - differing)
    d = statistics.mean(differences) / statistics.stdev(differences)
    g = d * math.gamma(19 / 2) / math.gamma(18 / 2) / math.sqrt(19 / 2)
    shown = rows_of(session)["effect size"][0]
    assert shown == f"d {d:.4f}, g {g:.4f}".replace(" 0.", " .")
    assert f"d = {d:.2f} and g = {g:.2f}".replace(" 0.", " .") in text


@pytest.mark.parametrize(
    ("name", "words", "value"),
    [("significance", "√10", 1.6164), ("effect", ".05 / .224", 0.2236), ("significance", "2/1024", 2 / 1024)],
)
def test_answers_about_statistics_are_those_of_the_definition(name: str, words: str, value: float) -> None:
    _, lesson = opened(name)
    (question,) = [item for item in lesson.items if isinstance(item, Question) and words in item.because]
    top, _, below = question.answer.partition("/")
    assert float(top) / float(below or 1) == pytest.approx(value, abs=0.005)


def test_a_step_compares_the_run_that_it_names_and_then_the_best_again() -> None:
    session, lesson = opened("effect")
    context = session.view.context
    assert context is not None
    best = context.focus
    step_of(session, lesson, "two")
    context = session.view.context
    assert context is not None
    assert context.focus is not None
    entry = context.collection.run(context.focus)
    assert entry is not None
    assert entry.name == "two"
    session.lessons.show_place(0)
    context = session.view.context
    assert context is not None
    assert context.focus == best


def test_the_interval_of_the_lesson_on_margins_is_that_of_t() -> None:
    """The figures of its text, by scipy; the bootstrap interval that Compare shows beside them leads to the same."""
    lesson = bundled_course("en").lesson("margins")
    assert lesson is not None
    typed = parse_inline_ranking(lesson.rankings)
    value = {run.name: evaluate(typed.qrels, [run], ["P@10"]).by_query("P@10") for run in typed.runs}
    differences = np.array([value["B"][query] - value["A"][query] for query in value["A"]])
    error = stats.sem(differences)
    low, high = stats.t.interval(0.95, 9, differences.mean(), error)
    figures = differences.mean(), differences.std(ddof=1), error, low, high
    assert figures == pytest.approx((0.03, 0.0949, 0.030, -0.0378, 0.098), abs=6e-4)
    drawn = stats.bootstrap((differences,), np.mean, method="percentile", rng=np.random.default_rng(1))
    for lower, upper in ((low, high), drawn.confidence_interval):
        assert -0.05 < lower < 0 < 0.05 < upper


def test_the_figures_of_the_lesson_on_several_comparisons() -> None:
    _, lesson = opened("comparisons")
    numbers = [float(item.answer) for item in lesson.items if isinstance(item, Question) and item.answer]
    p = [0.003, 0.02, 0.03, 0.2]
    holm = [max((len(p) - k) * p[k] for k in range(n + 1)) for n in range(len(p))]
    assert numbers == pytest.approx([1 - 0.95**20, 0.05 / 4, holm[1], holm[2]], abs=2e-3)
    # What the step says of C: the larger of two p-values is multiplied by one.
    p_b, p_c = (stats.ttest_1samp(differences, 0).pvalue for differences in (B, C))
    assert max(2 * p_b, p_c) == pytest.approx(0.140, abs=5e-4)
