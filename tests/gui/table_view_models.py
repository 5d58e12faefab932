"""View models made by hand for the tests of the tables: runs, queries and values of any number, always the same.

Reached through the fixture ``pages`` of conftest.py."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from session_parts import PARTS

from irviewer.figures.figure import Axis, Figure
from irviewer.gui.queries.table import query_columns
from irviewer.gui.tables.model import TableModel
from irviewer.measures.parser import parse_measure
from irviewer.model.workspace import Regime
from irviewer.rendering.run_label import RunLabel
from irviewer.session.view_models.queries import QueriesViewModel
from irviewer.session.view_models.query import MetricRow, QueryViewModel, RankedColumn
from irviewer.session.view_models.systems import MeasureColumn, SystemsViewModel

MEASURES = ("AP", "nDCG@10", "P@10", "RR", "Rprec", "R@50", "num_rel_ret")
NAMES = ("standard_bm25", "english_bm25", "english_classic", "simple_bm25", "whitespace_classic", "custom_boolean")
WORDS = (
    "what problems of heat conduction in composite slabs have been solved so far",
    "can't the static deflection shapes be used in predicting flutter in place of vibrational shapes",
    "has anyone investigated relaxation effects on gaseous heat transfer to a suddenly heated wall",
)


def no_figure() -> Figure:
    """A figure without marks."""
    return Figure("", Axis("", 0, 1), Axis("", 0, 1))


def labels(runs: int, shown: int) -> tuple[RunLabel, ...]:
    """``runs`` runs, the first of them ``shown``; the first is the baseline, the second the focus."""
    labels_so_far = []
    for key in range(runs):
        name = NAMES[key % len(NAMES)] + ("" if key < len(NAMES) else f"_{key}")
        least = f"{name[:2]}…{name[-2:]}"
        label = RunLabel(key, name, name[:8], key, None, key < shown, key == 0, key == 1, name, forms=(least,))
        labels_so_far.append(label)
    return tuple(labels_so_far)


def systems(runs: int = 15, shown: int = 3, sort: tuple[str, bool] = ("nDCG@10", True)) -> SystemsViewModel:
    """A systems view model; the last run lacks RR."""
    values = np.sort(np.random.default_rng(7).random((runs, len(MEASURES))) * 0.8, axis=0)[::-1].copy()
    values[:, -1] = np.arange(runs)[::-1] * 31 + 7
    values[runs - 1, 3] = np.nan
    heat = np.linspace(1, 0, runs)[:, None] ** 2 * np.ones((1, len(MEASURES)))
    best = np.zeros(values.shape, dtype=bool)
    best[0] = True
    delta = values[:, 1] - values[0, 1]
    delta[0] = np.nan
    if runs > 2:
        delta[2] = 0.0157
    if runs > 3:
        delta[3] = 0.0
    columns = tuple(
        MeasureColumn(name, name, f"{name} rewards something", name.startswith("num"), True, name == "nDCG@10")
        for name in MEASURES
    )
    note = "mean of 225 queries · shade by column, steepest among the best · Δ against ★"
    return SystemsViewModel(
        f"{runs} systems",
        note,
        labels(runs, shown),
        columns,
        values,
        best,
        heat,
        delta,
        "Δ nDCG@10",
        sort,
        no_figure(),
        no_figure(),
        (),
    )


def queries(
    count: int = 225, runs: int = 3, selected: int = 8, sort: tuple[str, bool] = ("delta", True)
) -> QueriesViewModel:
    """A queries view model, by difference; query 3 lacks a value in the first run."""
    random = np.random.default_rng(11)
    values = random.random((count, runs))
    if count > 3:
        values[3, 0] = np.nan
    delta = np.sort(random.random(count) - 0.4)[::-1].copy()
    if count > 5:
        delta[5] = 0.0
        delta[3] = np.nan
    spread = np.nanmax(values, axis=1) - np.nanmin(values, axis=1) if count else np.zeros(0)
    return QueriesViewModel(
        f"{count:,} queries · nDCG@10",
        "sorted by Δ english_bm25 − ★ · Enter opens the query",
        "nDCG@10",
        labels(runs, runs),
        tuple(str(place + 1) for place in range(count)),
        tuple(f"{WORDS[place % len(WORDS)]} {place + 1}" for place in range(count)),
        random.integers(1, 40, count),
        values,
        delta,
        spread,
        (0.0, 1.0),
        selected if selected < count else -1,
        sort,
        "",
        "",
        count,
        107,
        39,
        79,
        "Δ english_bm25 − standard_bm25",
        no_figure(),
        lambda: None,
        lambda: None,
    )


def show_queries(model: TableModel, view_model: QueriesViewModel) -> None:
    """Show a queries view model as the table of the Queries place does."""
    model.show(query_columns(view_model), view_model.query_ids, view_model.sort)


def query(runs: int = 3, chosen: str = "nDCG@10") -> QueryViewModel:
    """A query view model with metrics only."""
    random = np.random.default_rng(3)
    rows = []
    for name in MEASURES:
        counts = name.startswith("num")
        values = random.integers(1, 9, runs).astype(float) if counts else random.random(runs)
        best = tuple(np.flatnonzero(values == values.max()).tolist()) if runs > 1 and name != "RR" else ()
        delta = float(values[1] - values[0]) if runs > 1 and name != "RR" else 0.0
        rows.append(
            MetricRow(
                name,
                name,
                tuple(values.tolist()),
                best,
                delta,
                name == chosen,
                counts,
                base=float(values[0]) if len(values) else float("nan"),
            )
        )
    columns = tuple(
        RankedColumn(label, 0.5, [], np.zeros(0), None if label.baseline else np.zeros(0, dtype=np.int64))
        for label in labels(runs, runs)
    )
    return QueryViewModel(
        "3",
        WORDS[0],
        (1, 225),
        9,
        chosen,
        10,
        Regime.COMPLETE,
        5.0,
        (1.0, 2.0, 3.0, 4.0, 5.0),
        columns,
        tuple,
        (),
        tuple(rows),
        no_figure,
        no_figure,
        None,
        (),
        100,
    )


class FakeSession:
    """Hands out one view model and notes what it is asked to do, as (name, arguments)."""

    def __init__(
        self, view_model: SystemsViewModel | QueriesViewModel | QueryViewModel | None, query_id: str = "9"
    ) -> None:
        self.view_model = view_model
        self.query_id = query_id
        self.measure = parse_measure("nDCG@10")
        self.calls: list[tuple[object, ...]] = []
        self.intervals: dict[int, str] = {}
        self.judgment_mark = ""
        self.columns: dict[str, dict[str, list[str]]] = {}
        self.replicates_declared = False
        self.sort_under_way: tuple[str, bool] | None = None
        self.filter_under_way: str | None = None

    def systems_view_model(self) -> object:
        return self.view_model

    queries_view_model = query_view_model = systems_view_model

    def value_intervals(self) -> dict[int, str]:
        return self.intervals

    def file_folder(self) -> str:
        return ""

    def save_file(self, path: str, write: Callable[[str], object]) -> None:
        write(path)

    def labels(self) -> tuple[RunLabel, ...]:
        return labels(15, 3)

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name in PARTS:
            return self

        def note(*arguments: object) -> None:
            self.calls.append((name, *arguments))

        return note
