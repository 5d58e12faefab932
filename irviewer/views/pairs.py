"""The columns of comparisons of two runs, the same wherever one is shown: Systems, slices, stages, gates, reports.

A difference has an arrow where the declared test shows it after the correction of its family. Geometric means have a
ratio instead of a difference; where some run never reaches a value, there are counts and no differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.significance.test_results import TESTS, TestResult
from irviewer.evaluation.bind import BoundProtocol, Standing
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats
from irviewer.model.number_text import level_text
from irviewer.tables.column import Column, ComparisonFamily, count, difference, interval, outcome, p_value
from irviewer.tables.table import Remark
from irviewer.translation import tr, trn

Pairs = Sequence[RunComparison | None]
OUTCOMES = {"better": tr("shown to be better"), "worse": tr("shown to be worse"), "open": tr("no difference shown")}
"""What a test shows of a run beside another, by its code, as people read it."""
FAMILIES = {
    "runs": tr("each run with the baseline"), "pairs": tr("all pairs of runs"), "slices": tr("slices of every run"),
    "interactions": tr("attributes of every run"), "cells": tr("cells of two attributes"),
    "collections": tr("runs on every collection"), "conditions": tr("conditions of a gate"),
}  # fmt: skip
"""What is corrected for together, by the name of its family, as people read it."""


def family_of(
    name: str, test: TestResult | None, alpha: float, *, n: int | None = None, exploratory: bool = False
) -> ComparisonFamily:
    """Return the family in which a test was corrected: ``name`` says what was compared ("runs", "slices"); None: there
    is no test. ``n`` is the number of tests, where it is another than the test knows."""
    if test is None:
        return ComparisonFamily(name, n or 0, "", alpha, exploratory)
    correction = "Tukey" if TESTS[test.name].family else test.correction
    return ComparisonFamily(name, test.comparisons if n is None else n, correction, alpha, exploratory)


def family_text(family: ComparisonFamily) -> str:
    """Return what p-values were corrected for together, as people read it: ``Holm over 16 tests: each run with the
    baseline``."""
    members = FAMILIES.get(family.name, "")
    if not family.correction:
        text = trn("Not corrected, {n:,} test", "Not corrected, {n:,} tests", family.n)
    elif family.correction == "Tukey":
        text, members = tr("Tukey's test, which corrects for all pairs of runs"), ""
    else:
        text = trn("{correction} over {n:,} test", "{correction} over {n:,} tests", family.n,
                   correction=family.correction)  # fmt: skip
    text = f"{text}: {members}" if members else text
    return tr("{family}. Exploratory: it was not declared before.", family=text) if family.exploratory else text


def standing_remarks(standing: Standing, measure: Measure | str, bound: BoundProtocol) -> tuple[Remark, ...]:
    """Return what is to be said of a measure that is not the primary one of the protocol."""
    primary = bound.facts.primary or "".join(bound.protocol.measures[:1])
    values = {"measure": str(measure), "primary": primary}
    if standing == "secondary":
        text = tr("{measure} is secondary: {primary} decides.", measure=measure, primary=usual_name(primary))
        return (Remark("secondary", text, values, warns=False),)
    if standing == "exploratory":
        text = tr("{measure} is exploratory: the protocol does not declare it; {primary} decides.",
                  measure=measure, primary=usual_name(primary))  # fmt: skip
        return (Remark("exploratory", text, values),)
    return ()


def pair_columns(
    pairs: Pairs,
    family: ComparisonFamily,
    *,
    p: Sequence[float] | None = None,
    corrected: Sequence[float] | None = None,
    decides: Sequence[bool] | bool = True,
    explained: bool = False,
) -> tuple[Column, ...]:
    """Return the columns of pairs, a row each: ``difference`` (``ratio`` of geometric means) and its ``interval``
    (``ratio_interval``), the queries on which the run is ``better``, ``equal`` and ``worse``, ``p``, ``p_corrected``
    and the ``outcome`` of the declared test. None is a row without a comparison: the baseline, or no query.

    p, corrected  of each row, where they are others than those of the pairs' declared test; NaN for none
    decides       whether a row's measure is the primary one; the differences of others have no arrow
    explained     whether the difference can be explained"""
    own = [None if pair is None or math.isnan(pair.decision.p) else pair.decision for pair in pairs]
    p = [math.nan if test is None else test.p for test in own] if p is None else p
    if corrected is None:
        corrected = [math.nan if test is None else test.p_corrected for test in own]
    bounds = [test is not None and test.at_most for test in own]
    tip = family_text(family)
    return (
        *change_columns(pairs, decides=decides, explained=explained),
        *outcome_columns(pairs),
        p_value(
            "p",
            "p",
            p,
            family if family.correction == "Tukey" else None,
            at_most=bounds,
            tip=tip if family.correction == "Tukey" else tr("p-value of the test alone, not corrected"),
        ),
        corrected_column(corrected, family, bounds, proves=[pair is None or not pair.unproven for pair in pairs]),
        _conclusions(pairs, corrected, family.alpha),
    )


def corrected_column(
    corrected: Sequence[float] | Floats, family: ComparisonFamily, bounds: Sequence[bool] | bool = False,
    *, proves: Sequence[bool] | bool = True,
) -> Column:  # fmt: skip
    """Return the p-values after the correction of their family; people are shown them where there is one."""
    return p_value(
        "p_corrected", tr("p {correction}", correction=family.correction), corrected, family, at_most=bounds,
        proves=proves, detail=not (family.correction and family.correction != "Tukey" and family.n > 1),
        tip=family_text(family),
    )  # fmt: skip


def change_columns(
    pairs: Pairs, *, decides: Sequence[bool] | bool = True, explained: bool = False
) -> tuple[Column, ...]:
    """Return the differences and ratios of pairs with their intervals: of those there are, in any case one."""
    kinds = sorted({pair.geometric for pair in pairs if pair is not None}) or [False]
    return tuple(
        column
        for geometric in kinds
        for column in _changes(pairs, geometric=geometric, decides=decides, explained=explained)
    )


def _changes(
    pairs: Pairs, *, geometric: bool, decides: Sequence[bool] | bool, explained: bool
) -> tuple[Column, Column]:
    """Return the differences, or the ratios, with their intervals."""
    shown = [None if pair is None or pair.geometric != geometric else pair for pair in pairs]
    values = np.array([math.nan if pair is None else pair.difference for pair in shown])
    low = np.array([math.nan if pair is None else pair.interval.low for pair in shown])
    high = np.array([math.nan if pair is None else pair.interval.high for pair in shown])
    levels = {pair.interval.level for pair in pairs if pair is not None} or {LEVEL}
    up = [pair is None or pair.higher_is_better for pair in pairs]
    # Where runs are compared by signs no file lacks the columns, but nobody needs to read their dashes.
    empty = any(pair is not None and pair.by_signs for pair in pairs) and bool(np.isnan(values).all())
    proves = [pair is None or not pair.unproven for pair in pairs]
    return change_column(values, low, high, geometric=geometric, level=max(levels), better_up=up, decides=decides,
                         proves=True if all(proves) else proves, explained=explained, detail=empty)  # fmt: skip


def change_column(
    values: Floats, low: Floats, high: Floats, *, geometric: bool, level: float, **options: Any
) -> tuple[Column, Column]:
    """Return differences, or natural logarithms of ratios, float64[n], with the ends of their intervals of a level.
    ``options`` are those of the first column; ``detail`` is of both."""
    key, detail = "ratio" if geometric else "difference", options.get("detail", False)
    title = tr("{level} interval", level=level_text(level))
    return (
        difference(key, tr("ratio") if geometric else "Δ", values, of="p_corrected", log=geometric, **options),
        interval("ratio_interval" if geometric else "interval", title, low, high, of=key, log=geometric,
                 detail=detail),
    )  # fmt: skip


def outcome_columns(pairs: Pairs) -> tuple[Column, ...]:
    """Return the numbers of queries on which the run is better, equal and worse."""
    return (
        count("better", tr("better"), [None if pair is None else pair.wins for pair in pairs]),
        count("equal", tr("equal"), [None if pair is None else pair.ties for pair in pairs]),
        count("worse", tr("worse"), [None if pair is None else pair.losses for pair in pairs]),
    )


def _conclusions(pairs: Pairs, corrected: Sequence[float], alpha: float) -> Column:
    codes: list[str | None] = []
    for pair, p in zip(pairs, corrected, strict=True):
        if pair is None or math.isnan(p):
            codes.append(None)
        elif p < alpha and not pair.unproven:
            codes.append("better" if pair.better_by_test else "worse")
        else:
            codes.append("open")
    texts = [OUTCOMES.get(code or "", "–") for code in codes]
    return outcome("outcome", tr("outcome"), codes, texts=texts, detail=True)
