"""Reports, tables for papers and collections where runs lack queries that are left out: differences, and the means
beside them, are over the queries that both runs have, and nothing bold is marked worse."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import numpy as np
import pytest

import irviewer
from irviewer.analysis.collections.collection_table import CollectionValues, collection_table, forest, over_collections
from irviewer.analysis.statistics.result_comparison import ComparisonOptions, compare_measure
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.api.reports import report
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.tables.emphasis import best
from irviewer.views.collections import means_note
from irviewer.views.registered import view_of
from tests.helpers.lacking import qrels_and_runs
from tests.helpers.report_page import ReportPage

LEFT_OUT = EvaluationOptions(missing="intersection")


def bold(comparison: Any) -> list[bool]:
    """Which means of a comparison are printed bold."""
    view = view_of(comparison)
    assert view is not None
    runs = view.table("runs")
    return list(best(runs, runs.column("mean")).tolist())


def means_in_common() -> tuple[float, float]:
    """The means of part and base over the queries that both have."""
    qrels, (base, part, _) = qrels_and_runs()
    by_query = [evaluate(qrels, run, ["AP"]).by_query("AP") for run in (part, base)]
    means = [float(np.mean([table[query] for query in part.query_ids])) for table in by_query]
    return means[0], means[1]


def test_a_report() -> None:
    qrels, runs = qrels_and_runs()
    page = report(qrels, list(runs), ["AP", "P@5"], baseline="base", missing="intersection").html
    text = re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", " ", page)))
    part_mean, base_mean = means_in_common()
    rows = ReportPage(page).rows("What the tests show", "AP, 30 queries, compared with base")
    row = next(row for row in rows if row["run"][0] == "part")
    shown = [row[title][0] for title in ("in common", "its mean there", "other's there", "Δ")]
    assert shown == ["14", f"{part_mean:.4f}", f"{base_mean:.4f}", f"▼ −{base_mean - part_mean:.4f}"]
    exact = [float(row[title][1]) for title in ("its mean there", "other's there")]
    assert exact == pytest.approx([part_mean, base_mean])
    assert "is better than base" not in text  # part's mean over its own queries is the highest
    assert "Δ over those that both runs have" in text
    bold = re.findall(r"<tr[^>]*>(?:(?!</tr>).)*part(?:(?!</tr>).)*</tr>", page, re.DOTALL)
    assert bold
    assert not any(re.search(r"<(b|strong)\b|class=\"[^\"]*best", row) for row in bold[:1])


def test_a_run_that_gains_on_common_queries_is_what_a_report_names() -> None:
    qrels, (base, part, third) = qrels_and_runs()
    page = report(qrels, [part, base, third], ["AP"], baseline="part", missing="intersection").html
    part_mean, base_mean = means_in_common()
    assert "base was chosen" in unescape(page)
    gain = f"{base_mean - part_mean:.4f}".removeprefix("0")
    wanted = f"AP is {base_mean:.4f}, compared with {part_mean:.4f} of part (+{gain}; 14 queries)."
    assert wanted in unescape(page)


def test_a_paper_has_nothing_bold_that_is_marked_worse() -> None:
    qrels, runs = qrels_and_runs()
    table = irviewer.paper_table(qrels, list(runs), ["AP"], baseline="base", missing="intersection")
    (column,) = table.columns
    assert table.marks.tolist()[1] == -1
    assert np.nanargmax(column.means) == 1
    assert not best(table.table, table.table.column("AP")).any()
    assert "**" not in table.markdown
    assert "Best values in bold" not in table.caption


def test_a_comparison_has_nothing_bold_that_is_marked_worse() -> None:
    qrels, runs = qrels_and_runs()
    comparison = compare_measure(evaluate(qrels, list(runs), ["AP"], LEFT_OUT), "AP", baseline="base")
    assert comparison.marks().tolist()[1] == -1
    assert bold(comparison) == [False, False, False]
    others = compare_measure(evaluate(qrels, list(runs), ["AP"], LEFT_OUT), "AP", baseline="part")
    assert others.marks().tolist()[0] == 1  # better than a baseline whose own mean is the highest
    assert bold(others) == [False, False, False]


@pytest.mark.parametrize("measure", ["AP", "gm_map"])
def test_collections(measure: str) -> None:
    collections = []
    for seed in range(3, 10):
        qrels, runs = qrels_and_runs(seed)
        values = RunValues.of(evaluate(qrels, list(runs), [measure], LEFT_OUT), measure)
        collections.append(CollectionValues(f"c{seed}", values))
    table = collection_table(collections, baseline="base", options=ComparisonOptions(interval="t"))
    assert table.ragged
    assert "Δ are over those that both runs have" in means_note(table)
    assert np.count_nonzero(table.marks[1] == -1) > 3
    assert np.nanargmax(table.means[:, 0]) == 1
    assert not (table.best & (table.marks < 0)).any()
    assert not (table.micro_best & (table.micro_marks < 0)).any()
    plot = forest(table, "part")
    for row in plot.rows:
        assert row.pair is not None
        assert row.queries == row.pair.n == 14
        first, second = np.array([row.mean, row.other_mean])
        difference = np.log(first / second) if table.geometric else first - second
        assert difference == pytest.approx(row.pair.difference)
        assert row.pair.interval.low <= difference <= row.pair.interval.high
    over = over_collections(table)
    pair = next(pair for pair in over.pairs if (pair.system, pair.other) == ("part", "base"))
    differences = [row.pair.difference for row in plot.rows if row.pair is not None]
    assert pair.difference == pytest.approx(float(np.mean(differences)), abs=1e-9)
    assert (pair.better, pair.worse) == (0, 7)
