"""The comparison of judges in a session: computed when it is in view, with the values of the analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement
from irviewer.errors import IrviewerError
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from tests.helpers.judges import judges_of, random_grades
from tests.session.helpers import collection, session_with


def judged(rows: Sequence[Sequence[float | None]], origins: Sequence[str] = ()) -> Collection:
    """A collection without runs with a judge for each row of grades."""
    sets = []
    for number, judge in enumerate(judges_of(rows)):
        made = JudgmentSet(judge.qrels, Regime.POOLED)
        if origins:
            made = replace(made, facts=JudgeFacts(origins[number]))  # type: ignore[arg-type]
        sets.append(made)
    return replace(collection(0), judgments=tuple(sets))


def comparing(tab: str, made: Collection) -> Session:
    session = session_with(made)
    session.statistics.set_statistics_number("samples", "200")
    session.judge_comparison.go_to(tab)
    session.compute_now()
    return session


def test_the_view_shows_what_the_analysis_computes() -> None:
    rows = random_grades(3, 4, 60)
    session = comparing("agreement", judged(rows))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    expected = agreement(judges_of(rows), AgreementOptions(samples=200))
    assert view_model.places == tuple(expected.order.tolist())
    order = expected.order
    shown = expected.values["kappa_quadratic"][np.ix_(order, order)].copy()
    np.fill_diagonal(shown, np.nan)
    np.testing.assert_array_equal(view_model.values, shown)
    assert view_model.beside is not None
    for name, values in view_model.beside.items():
        np.testing.assert_array_equal(values[1:], expected.values[name][0, order[1:]])
    np.testing.assert_array_equal(view_model.low[1:], expected.low["kappa_quadratic"][0, order[1:]])
    np.testing.assert_array_equal(view_model.high[1:], expected.high["kappa_quadratic"][0, order[1:]])
    session.close()


def test_another_reference_puts_it_first_and_keeps_the_pair_with_it() -> None:
    session = comparing("agreement", judged(random_grades(3, 4, 60)))
    session.judge_comparison.set_reference(2)
    session.compute_now()
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert view_model.places[0] == 2
    assert 0 in view_model.pair
    assert not np.isnan(view_model.low[1:]).any()
    session.close()


def test_the_reference_is_the_first_human() -> None:
    session = session_with(judged(random_grades(3, 3, 40), ("model", "human", "model")))
    assert session.judge_comparison.reference == 1
    assert session.judge_comparison.pair == (1, 0)
    session.close()


def test_the_pair_is_that_of_every_view_and_has_intervals() -> None:
    session = comparing("agreement", judged(random_grades(3, 4, 60)))
    session.judge_comparison.set_pair(2, 3)
    session.compute_now()
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert [view_model.places[row] for row in view_model.pair] == [2, 3]
    expected = agreement(judges_of(random_grades(3, 4, 60)), AgreementOptions(samples=200)).pair(2, 3)
    kappa = expected["kappa_quadratic"]
    assert kappa.value is not None
    assert kappa.low is not None
    shown = next(row for row in view_model.pair_statistics if row.title == "quadratic κ")
    assert float(shown.value) == pytest.approx(kappa.value, abs=6e-4)
    assert float(shown.interval[1:].split(",")[0].replace("−", "-")) == pytest.approx(kappa.low, abs=6e-4)
    session.judge_comparison.set_pair(1, 1)
    assert session.judge_comparison.pair == (2, 3)
    session.close()


def test_near_clones_are_flagged() -> None:
    first = [float(number % 3) for number in range(120)]
    session = comparing("agreement", judged([first, [*first[:-1], 0.0], [0.0, 1.0] * 60]))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    rows = {place: row for row, place in enumerate(view_model.places)}
    assert view_model.texts[rows[0]][rows[1]] == "≡"
    assert "near-clones" in view_model.tip(rows[0], rows[1])
    assert "near-clones" not in view_model.tip(rows[0], rows[2])
    session.close()


def test_a_family_is_named_as_the_ceiling() -> None:
    made = judged(random_grades(3, 3, 60))
    sets = [replace(one, facts=JudgeFacts("model", "GPT-4")) for one in made.judgments[1:]]
    session = comparing("agreement", replace(made, judgments=(made.judgments[0], *sets)))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert any(line.startswith("GPT-4: judge1, judge2") for line in view_model.below)
    session.close()


def test_one_judge_and_judges_without_a_common_pair_say_so() -> None:
    session = comparing("agreement", judged(random_grades(3, 1, 20)))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert "needs two judgment sets" in view_model.explanation
    session.close()
    session = comparing("agreement", judged([[1.0, 0.0, None, None], [None, None, 1.0, 0.0]]))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert view_model.explanation.startswith("No two judges")
    session.close()


def test_the_table_has_every_pair_with_every_statistic() -> None:
    session = comparing("agreement", judged(random_grades(3, 4, 60)))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    header, *rows = view_model.table()
    assert len(rows) == 6
    assert {"kappa_quadratic", "alpha_ordinal_low", "ac1_high"} <= set(header)
    assert all(len(row) == len(header) for row in rows)
    session.close()


def test_an_unknown_statistic_is_refused() -> None:
    session = session_with(judged(random_grades(3, 2, 20)))
    with pytest.raises(IrviewerError):
        session.judge_comparison.set_statistic("rbo")
    session.close()
