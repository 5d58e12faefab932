import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.figures.figure import Figure, Role
from irviewer.figures.precision_recall import averaged_precision_recall_figure, precision_recall_figure
from irviewer.figures.readout import read_out, relevant_needed

RUN = Role("run", 0)


def interpolated_corners(ranks: Sequence[int], n_relevant: int) -> tuple[np.ndarray, np.ndarray]:
    """By brute force: at recall k / R the best precision from the k-th relevant document on."""
    raw = [(i + 1) / rank for i, rank in enumerate(ranks)]
    x, y = [0.0], [max(raw, default=0.0)]
    for k in range(1, len(ranks) + 1):
        x += [(k - 1) / n_relevant, k / n_relevant]
        y += [max(raw[k - 1 :])] * 2
    return np.array(x), np.array(y)


def figure_of(ranks: Sequence[int], n_relevant: int, exact: bool = True) -> Figure:
    x, y = interpolated_corners(ranks, n_relevant)
    return precision_recall_figure([(RUN, "a", x, y)], n_relevant, [np.array(ranks, dtype=np.int64)] if exact else None)


def test_query_3_of_cranfield_as_a_reader_sees_it() -> None:
    figure = figure_of([1, 2, 3, 4, 5, 7, 9, 15], 9)
    assert figure.x.label == "Recall (of 9 relevant)"
    assert (figure.x.low, figure.x.high, figure.y.low, figure.y.high) == (0, 1, 0, 1)
    assert figure.curves[0].ends_open and figure.curves[0].x[-1] == pytest.approx(8 / 9)
    assert read_out(figure, 0.6).text == "recall 0.60 (6 of 9): precision 0.86, 7 documents to read"
    assert read_out(figure, 0.95).text == "recall 0.95 (9 of 9): ends at 0.8889"
    assert figure.title == "Precision–recall: max P(k) with R(k) ≥ r"
    assert figure.note == "○ end of run"


def test_a_run_that_finds_all_has_no_ring() -> None:
    figure = figure_of([1, 3], 2)
    assert not figure.curves[0].ends_open
    assert figure.note == ""


def test_only_corners_are_kept() -> None:
    assert figure_of(list(range(1, 101)), 100).curves[0].x.tolist() == [0.0, 1.0]


def test_a_run_that_finds_nothing() -> None:
    figure = precision_recall_figure([(RUN, "a", np.empty(0), np.empty(0))], 3)
    assert read_out(figure, 0.5).text == "recall 0.50 (2 of 3): nothing found"


def test_several_runs_are_listed_from_top_to_bottom_and_ended_ones_last() -> None:
    curves = [
        (Role("run", i), name, *interpolated_corners(ranks, 4))
        for i, (name, ranks) in enumerate([("low", [2, 4, 6, 8]), ("short", [1]), ("high", [1, 2, 3, 4])])
    ]
    out = read_out(precision_recall_figure(curves, 4), 0.5)
    assert [entry.label for entry in out.entries] == ["high", "low", "short"]
    assert out.entries[2].value == "ends at 0.25"
    assert out.columns == ("precision", "documents to read")
    assert out.text.startswith("recall 0.50 (2 of 4): high precision 1.00, 2 documents to read; low precision 0.50")


@given(st.sets(st.integers(1, 60), min_size=1, max_size=20), st.integers(0, 5), st.floats(0, 1))
def test_documents_to_read_against_counting(relevant_ranks: set[int], unfound: int, recall: float) -> None:
    ranks, n_relevant = sorted(relevant_ranks), len(relevant_ranks) + unfound
    exact, bound = figure_of(ranks, n_relevant), figure_of(ranks, n_relevant, exact=False)
    place = exact.x.snapped(recall)
    needed = next(k for k in range(n_relevant + 1) if k / n_relevant >= place - 1e-9)
    assert relevant_needed(place, n_relevant) == needed
    said = read_out(exact, place).entries[0]
    if math.isnan(said.y):
        assert needed > len(ranks)
        return
    assert said.extra == str(ranks[needed - 1] if needed else 0)
    assert said.y == pytest.approx(max(k / ranks[k - 1] for k in range(max(needed, 1), len(ranks) + 1)))
    assert int(read_out(bound, place).entries[0].extra.removeprefix("≥ ")) <= int(said.extra)


def test_averaged() -> None:
    levels = np.linspace(0, 1, 101)
    figure = averaged_precision_recall_figure([(RUN, "a", levels, 1 - levels**2)], 1225)
    assert figure.title == "Precision–recall: max P(k) with R(k) ≥ r"
    assert figure.y.label == "Interpolated precision: max P(k) with R(k) ≥ r, mean of 1,225 queries"
    assert read_out(figure, 0.301).text == "recall 0.30: precision 0.9100"
    assert figure.n_relevant == 0


def raw(ranks: Sequence[int], n_relevant: int, returned: int) -> Figure:
    """Precision at every rank, as a plot has it."""
    hits = np.cumsum([rank in ranks for rank in range(1, returned + 1)])
    points = (RUN, "a", hits / n_relevant, hits / np.arange(1, returned + 1))
    return precision_recall_figure([points], n_relevant, [np.array(ranks, dtype=np.int64)], raw=True)


def test_the_raw_curve_gives_a_rank_that_exists() -> None:
    """Four of ten found at rank 8: .50 there, wherever near it the pointer is; not .44, between two ranks."""
    figure = raw([1, 2, 5, 8], 10, 12)
    assert read_out(figure, 0.4).text == "recall 0.40 (4 of 10): precision 0.50, 8 documents to read"
    assert read_out(figure, 0.36).text == read_out(figure, 0.44).text == read_out(figure, 0.4).text
    assert read_out(figure, 0.31).text == "recall 0.30 (3 of 10): precision 0.60, 5 documents to read"
    assert read_out(figure, 0.5).text == "recall 0.50 (5 of 10): ends at 0.4"


@given(st.sets(st.integers(1, 60), min_size=1, max_size=20), st.integers(0, 200), st.floats(0, 1))
def test_every_place_of_the_raw_curve_is_a_rank(relevant_ranks: set[int], unfound: int, recall: float) -> None:
    ranks, n_relevant = sorted(relevant_ranks), len(relevant_ranks) + unfound
    out = read_out(raw(ranks, n_relevant, 60), recall)
    needed = round(out.x * n_relevant)
    assert out.x == needed / n_relevant
    (said,) = out.entries
    if 1 <= needed <= len(ranks):
        assert said.y == needed / ranks[needed - 1]
        assert said.extra == f"{ranks[needed - 1]}"
        assert abs(recall - out.x) <= 0.5 / n_relevant + 1e-12


@pytest.mark.parametrize("n_relevant", [1, 3, 7, 10, 20, 40, 100, 225])
def test_the_pointer_is_on_hundredths_as_they_are_written(n_relevant: int) -> None:
    """35 times .01 is above .35: seven of twenty are reached at .35, and the read-out must not take the eighth."""
    figure = figure_of(list(range(1, 2 * n_relevant, 2)), n_relevant)
    for step in range(1, 101):
        needed = -(-step * n_relevant // 100)
        said = read_out(figure, step / 100)
        assert said.x == step / 100
        assert said.entries[0].y == pytest.approx(needed / (2 * needed - 1)), step
