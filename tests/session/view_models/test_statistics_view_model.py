"""What the Systems view model says of statistics, against scipy and against the comparison it is made of."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from irviewer.session.session import Session
from irviewer.session.view_models.late_texts import LateTexts
from irviewer.session.view_models.systems import scale_of
from tests.session.helpers import collection, session_with


@pytest.fixture
def session() -> Session:
    """Five runs, twelve queries, compared."""
    new_session = session_with(collection(5, queries=12))
    new_session.navigation.set_place("systems")
    new_session.compute_now()
    return new_session


def test_it_comes_when_the_comparison_is_there() -> None:
    session = session_with(collection(3, queries=12))
    session.navigation.set_place("systems")
    assert session.view_models.systems_view_model().statistics is None  # type: ignore[union-attr]
    session.compute_now()
    assert session.view_models.systems_view_model().statistics is not None  # type: ignore[union-attr]


def test_numbers_are_those_of_the_runs_in_the_tables_order(session: Session) -> None:
    view_model = session.view_models.systems_view_model()
    context = session.view.context
    assert view_model is not None
    assert context is not None
    statistics = view_model.statistics
    assert statistics is not None
    values = {entry.key: context.values(entry, context.measure) for entry in context.collection.runs}
    raw = {key: scipy.stats.ttest_rel(values[key], values[0]).pvalue for key in values if key != 0}
    holm: dict[int, float] = {}
    for place, key in enumerate(sorted(raw, key=raw.__getitem__)):
        holm[key] = max([min(1.0, (len(raw) - place) * raw[key]), *holm.values()])
    for row, label in enumerate(view_model.runs):
        if label.key == 0:
            assert np.isnan(statistics.p[row])
            assert statistics.outcomes[row] == ""
            continue
        assert statistics.p[row] == pytest.approx(holm[label.key], rel=1e-9)
        delta = values[label.key] - values[0]
        counts = [(delta > 1e-12).sum(), (np.abs(delta) <= 1e-12).sum(), (delta < -1e-12).sum()]
        assert statistics.outcomes[row] == " · ".join(map(str, counts))
        assert statistics.low[row] <= view_model.delta[row] <= statistics.high[row]
        assert label.name in statistics.conclusions[row]
    assert statistics.p_title == "p, Holm over 4"


def test_the_conclusions_of_systems_are_made_when_they_are_read(session: Session) -> None:
    """A tip of each of 500 runs took a third of the time of the table, anew for each result that came."""
    view_model = session.view_models.systems_view_model()
    assert view_model is not None and view_model.statistics is not None
    conclusions = view_model.statistics.conclusions
    assert isinstance(conclusions, LateTexts)
    assert len(conclusions) == len(view_model.runs)
    assert any(conclusions)
    context = session.view.context
    assert context is not None and context.against_baseline is context.against_baseline


def test_bold_is_the_best_mean_and_claims_nothing(session: Session) -> None:
    """It was the whole group that a test cannot tell from the best, and read as a claim."""
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    for column, table_column in enumerate(view_model.columns):
        means = view_model.means[:, column]
        top = means >= np.nanmax(means) - 1e-9
        assert view_model.best[:, column].tolist() == (top & (not table_column.counts) & (not top.all())).tolist()
    assert "bold: best mean" in view_model.note
    assert "cannot be told" not in view_model.note


@pytest.mark.parametrize("test", ["t", "sign", "tukey"])
def test_letters_conclusions_and_bold_p_are_of_the_test_that_decides(test: str) -> None:
    """Letters were Tukey's and conclusions the t-test's, and contradicted each other on one view model."""
    session = session_with(collection(5, queries=30))
    session.protocol.set(test=test)
    session.navigation.set_place("systems")
    session.compute_now()
    view_model, context = session.view_models.systems_view_model(), session.view.context
    assert view_model is not None
    assert context is not None
    statistics = view_model.statistics
    assert statistics is not None
    values = np.array([context.values(context.collection.run(label.key), context.measure) for label in view_model.runs])
    base = next(row for row, label in enumerate(view_model.runs) if label.baseline)
    every = [(first, two) for first in range(5) for two in range(first + 1, 5)]
    after = _tukey(values, every) if test == "tukey" else _holm([_alone(test, values, *pair) for pair in every])
    others = [row for row in range(5) if row != base]
    if test == "tukey":
        beside = dict(zip(others, _tukey(values, [(row, base) for row in others]), strict=True))
    else:
        beside = dict(zip(others, _holm([_alone(test, values, row, base) for row in others]), strict=True))
    for row in others:
        assert statistics.p[row] == pytest.approx(beside[row], rel=1e-6)
        assert bool(statistics.shown[row]) == (beside[row] < 0.05)
        assert ("the test shows a difference" in statistics.conclusions[row]) == (beside[row] < 0.05)
    named = {"t": "paired t-test", "sign": "sign test", "tukey": "Tukey HSD, two-way"}[test]
    assert named in statistics.p_tip
    assert statistics.p_title == ("p, all pairs" if test == "tukey" else "p, Holm over 4")
    assert statistics.letters is None, "letters exist where the family is all pairs"
    session.protocol.set(family="pairs")
    session.compute_now()
    view_model = session.view_models.systems_view_model()
    assert view_model is not None and view_model.statistics is not None
    statistics = view_model.statistics
    letters = [set(letter) for letter in statistics.letters or ()]
    for (first, two), p in zip(every, after, strict=True):
        assert bool(letters[first] & letters[two]) == (p >= 0.05)
        if base in (first, two):
            row = two if first == base else first
            assert statistics.p[row] == pytest.approx(p, rel=1e-6)
            assert bool(statistics.shown[row]) == (p < 0.05)
            assert ("the test shows a difference" in statistics.conclusions[row]) == (p < 0.05)
    assert statistics.p_title == ("p, all pairs" if test == "tukey" else "p, Holm over 10")
    assert named in statistics.letters_tip
    assert ("10 pairs together" if test == "tukey" else "Holm over 10 comparisons") in statistics.letters_tip


def _alone(test: str, values: np.ndarray, first: int, two: int) -> float:
    difference = np.round(values[first] - values[two], 12)
    if test == "t":
        return float(scipy.stats.ttest_1samp(difference, 0).pvalue)
    wins, used = int((difference > 0).sum()), int((difference != 0).sum())
    return float(scipy.stats.binomtest(wins, used).pvalue)


def _holm(p: list[float]) -> list[float]:
    corrected, least = [0.0] * len(p), 0.0
    for place, number in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        least = corrected[number] = max(least, min(1.0, (len(p) - place) * p[number]))
    return corrected


def _tukey(values: np.ndarray, pairs: list[tuple[int, int]]) -> list[float]:
    runs, queries = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    error = np.sqrt((rest**2).sum() / ((runs - 1) * (queries - 1)) / queries)
    gaps = [abs(values[first].mean() - values[two].mean()) / error for first, two in pairs]
    return [float(scipy.stats.studentized_range.sf(gap, runs, (runs - 1) * (queries - 1))) for gap in gaps]


def test_first_places_add_up(session: Session) -> None:
    statistics = session.view_models.systems_view_model().statistics  # type: ignore[union-attr]
    assert statistics is not None
    assert statistics.first is not None
    assert statistics.first.sum() == pytest.approx(1.0)


def test_filters_and_sorts(session: Session) -> None:
    session.comparison.filter_systems("p < .5")
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert view_model.statistics is not None
    assert np.all(view_model.statistics.p < 0.5)
    assert view_model.title == f"{len(view_model.runs)} of 5 systems"
    session.comparison.filter_systems("gam")
    assert [label.name for label in session.view_models.systems_view_model().runs] == ["gamma"]  # type: ignore[union-attr]
    session.comparison.filter_systems("nonsense > 3")
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert "nonsense" in view_model.filter_error
    assert len(view_model.runs) == 5
    for field in ("spread > .1", "relevant > 2", "rel > 2"):  # the queries', which systems have not
        session.comparison.filter_systems(field)
        view_model = session.view_models.systems_view_model()
        assert view_model is not None
        assert len(view_model.runs) == 5
        known = view_model.filter_error.partition("choose one of ")[2].split(", ")
        assert {"Δ", "p", "1st", "nDCG@10"} <= set(known)
        assert not {"spread", "relevant"} & set(known)
    session.comparison.filter_systems("1st > .1")
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert view_model.filter_error == ""
    assert view_model.statistics is not None
    assert view_model.statistics.first is not None
    assert 0 < len(view_model.runs) < 5
    assert np.all(view_model.statistics.first > 0.1)
    session.comparison.filter_systems("")
    session.navigation.sort_systems("p", False)
    ps = session.view_models.systems_view_model().statistics.p  # type: ignore[union-attr]
    assert np.all(np.diff(ps[:-1]) >= 0)
    assert np.isnan(ps[-1])


def test_columns_are_the_users(session: Session) -> None:
    session.comparison.set_column("P@10", False)
    session.comparison.set_column("Success@1", True)
    session.comparison.set_column("group", False)
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    names = [column.measure for column in view_model.columns]
    assert "P@10" not in names
    assert names[-1] == "Success@1"
    assert view_model.hidden == {"group"}
    session.comparison.reset_columns()
    assert "P@10" in [column.measure for column in session.view_models.systems_view_model().columns]  # type: ignore[union-attr]
    assert session.view_models.systems_view_model().hidden == frozenset()  # type: ignore[union-attr]


def test_the_axis_holds_the_contest_and_not_what_is_far_off() -> None:
    low = np.array([-0.01, -0.02, -0.045, -0.4, np.nan])
    high = np.array([0.03, 0.01, -0.01, -0.3, np.nan])
    assert scale_of(low, high) == pytest.approx(0.05)
    assert scale_of(low[:3] * [1, 1, 1.9], high[:3]) >= 0.0855  # nearly thrice as wide is still seen whole
    assert scale_of(np.array([np.nan]), np.array([np.nan])) == 0
    assert scale_of(np.zeros(3), np.zeros(3)) == 0
