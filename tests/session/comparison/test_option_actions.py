"""What a person chooses of the statistics: typed, kept with the project, told, and in the numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from irviewer import commands
from irviewer.api.runs import similarity
from irviewer.commands import run_command
from irviewer.errors import OptionError
from irviewer.session.comparison.options import NUMBERS, PRESET, StatisticsOptions, number_of
from irviewer.session.projects.json_records import record_data, with_record
from irviewer.session.session import Session
from irviewer.session.view_models.pair import TestRow
from tests.session.helpers import Announcements, collection, session_with


@pytest.fixture
def session() -> Session:
    """Three runs, twelve queries, in the Compare place."""
    new_session = session_with(collection(3, queries=12))
    new_session.navigation.set_place("compare")
    return new_session


def row(session: Session, name: str) -> TestRow:
    session.compute_now()
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    return next(test for test in view_model.tests if test.name.startswith(name))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("alpha", ".01", 0.01), ("alpha", "0,01", 0.01), ("alpha", "1 %", 0.01), ("level", "99%", 0.99),
        ("rope", "0", 0.0), ("seed", "7", 7), ("samples", "20,000", 20_000), ("rbo_p", "0.98", 0.98),
        ("rbo_depth", "50", 50),
    ],
)  # fmt: skip
def test_numbers_are_read_as_typed(name: str, text: str, value: float) -> None:
    assert number_of(name, text) == pytest.approx(value)
    assert type(number_of(name, text)) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("alpha", "0"), ("alpha", "1"), ("alpha", "nan"), ("alpha", "x"), ("alpha", ""), ("level", "100 %"),
        ("rope", "-.1"), ("rope", "inf"), ("seed", "1.5"), ("seed", "-1"), ("samples", "99"), ("rbo_p", "1"),
        ("rbo_depth", "0"), ("beta", "1"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(name: str, text: str) -> None:
    with pytest.raises(OptionError):
        number_of(name, text)


def test_every_number_has_a_command_and_changes_what_is_kept(session: Session) -> None:
    asked: list[str] = []
    session.asked.connect(asked.append)
    for name in NUMBERS:
        run_command(session, f"statistics_{name}")
    assert asked == [f"statistics_{name}" for name in NUMBERS]
    heard = Announcements(session)
    session.statistics.set_statistics_number("rope", ".02")
    assert heard.take() == [{"statistics"}]
    assert session.statistics.statistics_number("rope") == ".02"


def test_zeros_and_tukey_are_commands(session: Session) -> None:
    for name in ("zeros pratt", "tukey randomised"):
        command = commands.find(session, name)
        assert command.checked is not None
        assert not command.checked(session)
        run_command(session, name)
        assert command.checked(session)
    for wrong in (lambda: session.statistics.set_zeros("x"), lambda: session.statistics.set_tukey("x")):
        with pytest.raises(OptionError):
            wrong()


def test_pratt_is_scipys(session: Session) -> None:
    context = session.view.context
    assert context is not None
    assert row(session, "Wilcoxon").name == "Wilcoxon signed-rank test"
    session.statistics.set_zeros("pratt")
    test_row = row(session, "Wilcoxon")
    assert test_row.name.endswith("after Pratt")
    delta = np.round(context.delta, 12)
    wanted = stats.wilcoxon(delta, zero_method="pratt").pvalue
    compared = session.comparison.known_comparison("baseline")
    assert compared is not None
    assert compared.pair(context.focus).test("wilcoxon-pratt").p == pytest.approx(wanted, abs=1e-9)  # type: ignore[arg-type, union-attr]


def test_tukeys_test_is_in_the_table_of_a_pair(session: Session) -> None:
    context = session.view.context
    assert context is not None
    test_row = row(session, "Tukey HSD, two-way")
    values = np.array([context.values(entry, context.measure) for entry in context.collection.runs])
    k, n = values.shape
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    error = np.sqrt((rest**2).sum() / ((k - 1) * (n - 1)) / n)
    q = abs(values[2].mean() - values[0].mean()) / error  # gamma against alpha
    pairs = session.comparison.known_comparison("pairs")
    assert pairs is not None
    pair = pairs.pair(2, 0)
    assert pair is not None
    test = pair.test("tukey")
    assert test.p == pytest.approx(stats.studentized_range.sf(q, k, (k - 1) * (n - 1)), abs=1e-6)
    assert (test_row.p, test_row.corrected) == ("", test.p_shown)
    session.statistics.set_tukey("randomised")
    drawn = row(session, "Tukey HSD by randomisation")
    assert drawn.corrected
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert [shown_test.name for shown_test in view_model.tests if shown_test.name.startswith("Tukey")] == [drawn.name]
    assert abs(session.comparison.known_comparison("pairs").pair(2, 0).test("tukey-randomised").p - test.p) < 0.1  # type: ignore[union-attr]


def test_level_rope_seed_and_alpha_reach_the_numbers_and_are_reported(session: Session) -> None:
    narrow = row(session, "interval").value
    assert row(session, "posterior").sentence.startswith("Better by more than .0100")
    for name, text in (("level", "99 %"), ("rope", ".05"), ("seed", "7"), ("alpha", ".01")):
        session.statistics.set_statistics_number(name, text)
    assert row(session, "posterior").sentence.startswith("Better by more than .0500")
    assert row(session, "interval").value != narrow
    assert "99 %" in row(session, "interval").sentence
    known_comparison = session.comparison.known_comparison("baseline")
    assert known_comparison is not None
    assert (known_comparison.comparison.seed, known_comparison.comparison.alpha, known_comparison.comparison.level) == (
        7,
        0.01,
        0.99,
    )
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert view_model.note.endswith(" · significant below p = .01 · 99 % intervals · equivalent within ±.05 · seed 7")


def test_persistence_and_depth_reach_rbo_alone(session: Session) -> None:
    session.navigation.set_tab("compare", "matrices")
    session.matrices.set_matrix("rbo")
    session.compute_now()
    pairs = session.comparison.known_comparison("pairs")
    session.statistics.set_statistics_number("rbo_p", ".98")
    session.statistics.set_statistics_number("rbo_depth", "3")
    assert session.comparison.known_comparison("pairs") is pairs  # tests do not depend on it
    context = session.view.context
    assert context is not None
    for kind in ("rbo", "rbo-min", "rbo-residual"):
        session.matrices.set_matrix(kind)
        session.compute_now()
        view_model = session.matrices.matrix_view_model()
        assert view_model is not None
        assert view_model.figure is not None
        assert view_model.figure.matrix is not None
        runs = [context.collection.run(key).run for key in view_model.keys]  # type: ignore[arg-type, union-attr]
        wanted = similarity(runs, kind, p=0.98, depth=3, queries=context.query_ids).means  # type: ignore[arg-type]
        np.testing.assert_allclose(view_model.figure.matrix.values, wanted, atol=1e-12)
        assert view_model.note.startswith("p = .98, depth 3")


def test_they_are_kept_as_a_project_keeps_them(session: Session) -> None:
    session.statistics.set_zeros("pratt")
    session.statistics.set_tukey("randomised")
    for name, text in (("level", ".9"), ("rope", ".02"), ("rbo_p", ".8"), ("rbo_depth", "20")):
        session.statistics.set_statistics_number(name, text)
    data = json.loads(json.dumps(record_data(session.statistics.statistics_options)))
    assert with_record(StatisticsOptions(), data) == session.statistics.statistics_options != PRESET
