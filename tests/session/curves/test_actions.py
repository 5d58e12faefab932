"""Bands, differences, lines of equal F1 and DCG in the curves that the session shows."""

from __future__ import annotations

from collections.abc import Callable
from queue import Queue

import numpy as np
import pytest
from patience import deliver

from irviewer.commands import run_command
from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.rendering.export import figure_rows
from irviewer.session.files.import_result import ImportResult
from irviewer.session.session import Session
from irviewer.session.state_changes import Opening, with_import_result
from tests.session.helpers import Announcements, collection, session_with


def banded(session: Session) -> tuple[tuple[str, ...], tuple[str, ...]]:
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    first, second = (
        [band.label for band in figure.bands] for figure in (view_model.precision_recall, view_model.by_cutoff)
    )
    return tuple(first), tuple(second)


def test_the_band_at_the_cutoff_is_the_interval_of_the_table() -> None:
    session = session_with(collection(3, queries=30))
    session.navigation.set_place("systems")
    assert banded(session) == ((), ())
    session.curves.set_curve_look("curve_bands", True)
    session.compute_now()
    names = ("alpha", "beta", "gamma")
    assert banded(session) == (names, names)
    view_model, compared = session.view_models.systems_view_model(), session.comparison.compared()
    assert view_model is not None
    assert compared is not None
    for run, band in enumerate(view_model.by_cutoff.bands):
        assert band.at(10) == pytest.approx((compared.comparison.low[run], compared.comparison.high[run]))
        curve = view_model.by_cutoff.curves[run]
        assert all(low <= curve.at(x) <= high for x, low, high in zip(band.x, band.low, band.high, strict=True))
        assert view_model.by_cutoff.y.low <= band.low.min()
        assert view_model.by_cutoff.y.high >= band.high.max()
    header, rows = figure_rows(view_model.by_cutoff)
    assert header[-2:] == ("low", "high")
    assert len(rows) == sum(len(band.x) for band in view_model.by_cutoff.bands)


def test_the_difference_is_that_of_the_curves_with_the_interval_of_the_table() -> None:
    session = session_with(collection(3, queries=30))
    session.navigation.set_place("systems")
    before = session.view_models.systems_view_model()
    assert before is not None
    curves = {curve.label: curve for curve in before.by_cutoff.curves}
    session.curves.set_curve_look("curve_differences", True)
    session.compute_now()
    view_model, context, compared = (
        session.view_models.systems_view_model(),
        session.view.context,
        session.comparison.compared(),
    )
    assert view_model is not None
    assert context is not None
    assert compared is not None
    assert view_model.by_cutoff.title == "Δ nDCG by cutoff"
    (curve,), (band,) = view_model.by_cutoff.curves, view_model.by_cutoff.bands
    assert context.delta_label == curve.label == "gamma − alpha"
    for x in (1, 5, 10, 20):
        assert curve.at(x) == pytest.approx(curves["gamma"].at(x) - curves["alpha"].at(x))
    pair = compared.pair(2)
    assert pair is not None
    assert band.at(10) == pytest.approx((pair.interval.low, pair.interval.high))
    assert view_model.precision_recall.bands[0].label == "gamma − alpha"


def test_dcg_takes_the_place_of_ndcg() -> None:
    session = session_with(collection(2, queries=12))
    session.evaluation.set_measure("DCG@10")
    session.curves.set_curve_gain("dcg")
    view_model, context = session.view_models.systems_view_model(), session.view.context
    assert view_model is not None
    assert context is not None
    assert view_model.by_cutoff.title == "DCG by cutoff"
    for entry, curve in zip(context.collection.runs, view_model.by_cutoff.curves, strict=True):
        assert curve.at(10) == pytest.approx(context.mean(entry, context.measure))


def test_lines_of_equal_f1_are_in_both_views_and_cost_no_new_curves() -> None:
    session = session_with(collection(2, queries=12))
    plain = session.view_models.query_view_model()
    session.curves.set_curve_look("iso_f", True)
    view_model, query = session.view_models.systems_view_model(), session.view_models.query_view_model()
    assert view_model is not None
    assert query is not None
    assert plain is not None
    assert len(view_model.precision_recall.guides) == len(query.precision_recall.guides) == 9
    assert query.precision_recall.curves is plain.precision_recall.curves
    assert session.view_models.query_view_model() is query
    session.curves.set_curve_look("iso_f", False)
    again = session.view_models.query_view_model()
    assert again is not None
    assert again.precision_recall.guides == ()


def test_switches_are_remembered_commands() -> None:
    session = session_with(collection(2))
    for command, setting in (("curve_bands", True), ("curve_differences", True), ("iso_f", True), ("curve_dcg", "dcg")):
        run_command(session, command)
        assert session.settings["curve_gain" if command == "curve_dcg" else command] == setting
    with pytest.raises(OptionError, match="Unknown option"):
        session.curves.set_curve_look("colours", True)


def test_without_judgments_there_is_nothing_to_dress() -> None:
    assert Session().view_models.systems_view_model() is None
    session = Session()
    session.curves.set_curve_look("curve_bands", True)
    session.compute_now()
    assert session.view_models.systems_view_model() is None


def test_bands_come_from_a_task_and_only_where_they_are_seen() -> None:
    posted: Queue[Callable[[], None]] = Queue()
    session = Session(post=posted.put)
    try:
        import_result = ImportResult(Workspace((collection(3, queries=30),)), new=[0], touched=[0])
        session.store.apply(
            with_import_result(session.state, import_result, Opening(), session.store.context_of, hints=False)
        )
        session.navigation.set_place("query")
        session.curves.set_curve_look("curve_bands", True)
        assert not session.store.tasks.under_way("bands")
        heard = Announcements(session)
        session.navigation.set_place("systems")
        assert session.store.tasks.under_way("bands")
        assert banded(session) == ((), ())
        deliver(posted, lambda: all(banded(session)))
        assert all(banded(session))
        assert any("statistics" in changes for changes in heard.take())
        before = session.view_models.systems_view_model()
        session.navigation.sort_systems("run", False)
        session.protocol.set(correction="bonferroni")
        assert all(banded(session)), "another order or correction draws no new bands"
        assert before is not session.view_models.systems_view_model()
    finally:
        session.close()


def test_queries_that_do_not_count_for_one_are_in_no_difference() -> None:
    session = session_with(collection(2, queries=12))
    session.navigation.set_place("systems")
    session.query_sets.make_query_set("few", ["1", "2", "3"])
    session.query_sets.set_query_set("few")
    session.curves.set_curve_look("curve_differences", True)
    (strip, *_) = session.curves._strips_wanted(session.view.context)  # type: ignore[arg-type]
    drawn = strip.rows()
    assert drawn is not None
    assert drawn[1].shape == (3, 101)
    assert not np.isnan(drawn[1]).any()


def test_a_querys_curves_raw_and_undiscounted() -> None:
    """By hand: relevant at ranks 2 and 4 of four, of two relevant documents, grades 1 and 2."""
    qrels = JudgmentSet(Qrels.from_dict({"1": {"a": 1, "b": 2, "x": 0}}), Regime.POOLED)
    run = Run.from_dict({"1": {"x": 4.0, "a": 3.0, "y": 2.0, "b": 1.0}}, name="one")
    session = session_with(Collection("by hand", judgments=(qrels,)).with_runs([run]))
    session.navigation.set_query("1")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    usual = view_model.precision_recall
    assert usual.title == "Precision–recall: max P(k) with R(k) ≥ r"
    assert figure_rows(usual)[0][2] == "Precision: max P(k) with R(k) ≥ r"
    assert view_model.gain.quantity == "DCG"
    run_command(session, "pr_raw")
    run_command(session, "query_cg")
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    curve = view_model.precision_recall.curves[0]
    points = set(zip(curve.x.tolist(), curve.y.tolist(), strict=True))
    assert view_model.precision_recall.title == "Precision–recall: P(k) at every rank k"
    assert figure_rows(view_model.precision_recall)[0][2] == "Precision: P(k) at every rank k"
    assert {(0.5, 0.5), (1.0, 0.5)} <= points
    assert any(x == 0.0 and y == 0.0 for x, y in points)  # the first document is not relevant
    assert any(x == 0.5 and abs(y - 1 / 3) < 1e-12 for x, y in points)  # nor is the third
    gain = view_model.gain
    assert gain.quantity == "CG"
    own, ideal = gain.curves
    assert own.y[-1] == 3.0  # 1 + 2, whatever the rank
    assert ideal.y.tolist()[0] == 2.0
    assert ideal.y[-1] == 3.0
    assert session.settings["pr_raw"] is True
    assert session.settings["query_gain"] == "cg"
    run_command(session, "pr_raw")
    run_command(session, "query_cg")
    again = session.view_models.query_view_model()
    assert again is not None
    assert again.precision_recall.title == usual.title
    assert again.gain.quantity == "DCG"
