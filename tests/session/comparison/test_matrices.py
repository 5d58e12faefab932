"""Matrices of all pairs in the session: what they hold, their common order, and the way to a pair."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from brute_similarity import tau_ap_over_ties
from scipy import stats

from irviewer.api.runs import similarity
from irviewer.errors import IrviewerError
from irviewer.measures.parser import parse_measure
from irviewer.model.number_text import quantity
from irviewer.session.session import Session
from irviewer.session.view_models import matrix
from irviewer.session.view_models.matrix import MATRICES
from tests.helpers.unlike_ids import write_unlike
from tests.session.helpers import collection, session_with


@pytest.fixture
def session() -> Session:
    """Five runs in the Compare place, on its matrices."""
    new_session = session_with(collection(5, queries=12))
    new_session.navigation.set_place("compare")
    new_session.navigation.set_tab("compare", "matrices")
    return new_session


def test_they_come_when_they_are_computed(session: Session) -> None:
    view_model = session.matrices.matrix_view_model()
    assert view_model is not None
    assert view_model.figure is None
    assert view_model.explanation.startswith("Comparing")
    session.compute_now()
    assert session.matrices.matrix_view_model().figure is not None  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", ["difference", "p"])
def test_runs_of_other_ids_are_never_compared(tmp_path: Path, kind: str) -> None:
    session = Session()
    session.files.open_files(write_unlike(tmp_path, "others", "chunks"))
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "matrices")
    session.matrices.set_matrix(kind)
    session.compute_now()
    view_model = session.matrices.matrix_view_model()
    session.close()
    assert view_model is not None
    assert view_model.explanation.startswith("Fewer than two runs have judged documents")


@pytest.mark.parametrize("kind", [matrix.name for matrix in MATRICES if "measures" not in (matrix.name, matrix.of)])
def test_every_matrix_has_the_same_order_and_the_right_values(session: Session, kind: str) -> None:
    session.matrices.set_matrix(kind)
    session.compute_now()
    view_model = session.matrices.matrix_view_model()
    assert view_model is not None
    assert view_model.figure is not None
    matrix = view_model.figure.matrix
    assert matrix is not None
    session.matrices.set_matrix("rbo")
    session.compute_now()
    assert session.matrices.matrix_view_model().keys == view_model.keys  # type: ignore[union-attr]
    context = session.view.context
    assert context is not None
    entries = [context.collection.run(key) for key in view_model.keys if isinstance(key, int)]
    means = [context.mean(entry, context.measure) for entry in entries if entry is not None]
    if kind == "difference":
        np.testing.assert_allclose(
            matrix.values[0, 1:], [means[0] - other_mean for other_mean in means[1:]], atol=1e-12
        )
    elif kind != "p":
        runs = [entry.run for entry in entries if entry is not None]
        # As the command line and Python have it where nothing is said.
        wanted = similarity(runs, kind, queries=context.query_ids).means  # type: ignore[arg-type]
        np.testing.assert_allclose(matrix.values, wanted, atol=1e-12)
    else:
        compared = session.comparison.compared("pairs")
        assert compared is not None
        pair = compared.pair(view_model.keys[0], view_model.keys[1])  # type: ignore[arg-type]
        assert pair is not None
        assert matrix.values[0, 1] == pytest.approx(pair.test("t").p_corrected)


def test_measures_agree_with_themselves(session: Session) -> None:
    session.matrices.set_matrix("measures")
    view_model = session.matrices.matrix_view_model()
    assert view_model is not None
    assert view_model.figure is not None
    assert view_model.figure.matrix is not None
    values = view_model.figure.matrix.values
    assert "nDCG@10" in view_model.keys
    diagonal = np.diag(values)
    np.testing.assert_allclose(diagonal[~np.isnan(diagonal)], 1.0)
    np.testing.assert_array_equal(values, values.T)


@pytest.mark.parametrize("kind", ["measures", "measures-tau-ap", "measures-pearson"])
def test_measures_are_correlated_over_the_runs(session: Session, kind: str) -> None:
    session.matrices.set_matrix(kind)
    view_model, context = session.matrices.matrix_view_model(), session.view.context
    assert view_model is not None
    assert view_model.figure is not None
    assert view_model.figure.matrix is not None
    assert context is not None
    row, other = view_model.keys.index("AP"), view_model.keys.index("nDCG@10")
    first, second = (
        np.array([context.mean(entry, parse_measure(str(view_model.keys[place]))) for entry in context.collection.runs])
        for place in (row, other)
    )
    wanted = {
        "measures": lambda: stats.kendalltau(first, second).statistic,
        "measures-pearson": lambda: stats.pearsonr(first, second).statistic,
        "measures-tau-ap": lambda: (
            (tau_ap_over_ties(first.tolist(), second.tolist()) + tau_ap_over_ties(second.tolist(), first.tolist())) / 2
        ),
    }[kind]()
    assert view_model.figure.matrix.values[row, other] == pytest.approx(wanted, abs=1e-12)
    np.testing.assert_array_equal(view_model.figure.matrix.values, view_model.figure.matrix.values.T)


def test_of_one_measure_a_sentence_says_what_is_needed(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where files with the values of one measure are open, without lists."""
    monkeypatch.setattr(matrix, "systems_measures", lambda *_, **__: (parse_measure("AP"),))
    monkeypatch.setattr(matrix, "COMMON", ("AP",))
    session.matrices.set_matrix("measures")
    view_model = session.matrices.matrix_view_model()
    assert view_model is not None
    assert (view_model.figure, view_model.explanation) == (None, "The agreement of measures needs two measures.")


def test_a_matrix_tells_whole_names_its_shades_and_its_clusters(session: Session) -> None:
    session.matrices.set_matrix("p")
    session.compute_now()
    view_model = session.matrices.matrix_view_model()
    assert view_model is not None
    assert view_model.figure is not None
    assert view_model.figure.matrix is not None
    names = {label.key: label.name for label in session.view.labels()}
    assert view_model.figure.matrix.full_names == tuple(names[key] for key in view_model.keys)  # type: ignore[index]
    assert [text for _, text in view_model.figure.matrix.key] == ["p ≥ .050", "< .050", "< .010", "< .001"]


def test_a_cell_leads_to_its_pair(session: Session) -> None:
    session.matrices.go_to_pair(2, 4)
    assert (session.view.focus, session.view.baseline) == (2, 4)
    assert session.view.tab("compare") == "pair"
    assert {2, 4} <= set(session.view.shown)
    session.matrices.go_to_pair(2, 2)
    session.matrices.go_to_pair(2, 99)
    assert (session.view.focus, session.view.baseline) == (2, 4)


def test_what_there_is_not_is_refused_and_one_run_says_so(session: Session) -> None:
    with pytest.raises(IrviewerError, match="Unknown matrix"):
        session.matrices.set_matrix("x")
    alone = session_with(collection(1))
    assert "needs two runs" in alone.matrices.matrix_view_model().explanation  # type: ignore[union-attr]
    assert Session().matrices.matrix_view_model() is None


def test_where_less_is_better_the_number_is_still_row_minus_column(session: Session) -> None:
    session.evaluation.set_measure("RankAtRecall@0.5")
    session.compute_now()
    view_model, context = session.matrices.matrix_view_model(), session.view.context
    assert view_model is not None
    assert view_model.figure is not None
    assert view_model.figure.matrix is not None
    assert context is not None
    assert "lower is better" in view_model.note
    entries = [context.collection.run(key) for key in view_model.keys if isinstance(key, int)]
    means = [context.mean(entry, context.measure) for entry in entries if entry is not None]
    for column, mean in enumerate(means):
        if column:
            assert view_model.figure.matrix.texts[0][column] == quantity(means[0] - mean)
            assert view_model.figure.matrix.values[0, column] == pytest.approx(
                means[0] - mean
            )  # as it is copied and saved
            assert view_model.figure.matrix.shade[0, column] * (means[0] - mean) <= 0  # less is better


def test_a_sum_over_queries_has_no_difference_to_test(session: Session) -> None:
    session.evaluation.set_measure("num_rel")
    session.compute_now()
    assert "not a mean over queries" in session.matrices.matrix_view_model().explanation  # type: ignore[union-attr]
    assert "not a mean over queries" in session.comparison.pair_view_model().explanation  # type: ignore[union-attr]


def test_the_note_tells_parameters_and_how_many_queries(session: Session) -> None:
    session.matrices.set_matrix("rbo")
    session.compute_now()
    assert session.matrices.matrix_view_model().note.startswith("p = .9, ties a, depth 100, mean of")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "whole"), [("the best of them", True), ("the best of all of them, by whatever measure", False)]
)
def test_few_names_are_shown_whole_while_none_is_long(session: Session, name: str, whole: bool) -> None:
    session.runs.rename_run(0, name)
    session.compute_now()
    view_model = session.matrices.matrix_view_model()
    assert view_model is not None
    assert view_model.figure is not None
    assert view_model.figure.matrix is not None
    matrix = view_model.figure.matrix
    wanted = {label.key: label.name if whole else label.short for label in session.view.labels()}
    assert [wanted[key] for key in view_model.keys] == list(matrix.names)  # type: ignore[index]
    assert name in matrix.full_names
    assert (name in matrix.names) is whole


def test_differences_are_better_or_worse_where_the_test_shows_them(session: Session) -> None:
    matrices = {}
    for kind in ("difference", "p"):
        session.matrices.set_matrix(kind)
        session.compute_now()
        view_model = session.matrices.matrix_view_model()
        assert view_model is not None and view_model.figure is not None
        matrices[kind] = view_model.figure.matrix
    differences, p = matrices["difference"], matrices["p"]
    assert differences is not None and p is not None and differences.shown is not None
    np.testing.assert_array_equal(differences.shown, p.values < 0.05)
    assert p.shown is None
    assert bool(differences.not_shown) == bool((~differences.shown & ~np.eye(5, dtype=bool)).any())


def test_runs_are_ordered_before_the_matrix_is_shown(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 76 runs the order takes longer than a window may wait."""
    from scipy.cluster import hierarchy

    session.compute_now()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the order is computed while the window waits")

    monkeypatch.setattr(hierarchy, "linkage", refuse)
    view_model = session.matrices.matrix_view_model()
    assert view_model is not None and view_model.figure is not None
    assert len(view_model.keys) == 5
