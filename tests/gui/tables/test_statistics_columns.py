"""Columns of statistics: what they write, copy and say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.gui.tables.statistics_columns import IntervalColumn, PColumn, ShareColumn, WordsColumn

LOW, MIDDLE, HIGH = np.array([-0.0003, np.nan, -0.3]), np.array([0.0157, np.nan, -0.2]), np.array([0.0317, np.nan, 0.0])


def test_intervals_are_written_with_both_ends_and_drawn_as_shares_of_the_axis() -> None:
    column = IntervalColumn("interval", "95 % interval of Δ (−.04 … +.04)", LOW, MIDDLE, HIGH, 0.04, tips=("told",))
    assert column.text(0) == "[−.0003, .0317]"
    assert column.text(1) == "–"
    assert column.ends(0) == pytest.approx((-0.0075, 0.3925, 0.7925))
    assert column.ends(2)[1] == pytest.approx(-5)
    assert all(map(math.isnan, column.ends(1)))
    assert column.value(0) == "-0.0003 … 0.0317"
    assert column.value(1) is None
    assert column.tip(0) == "told"
    assert column.titles == ("95 % interval of Δ (−.04 … +.04)", "95 % interval of Δ")


def test_an_axis_of_no_length_draws_nothing() -> None:
    column = IntervalColumn("interval", "x", LOW, MIDDLE, HIGH, 0.0)
    assert all(map(math.isnan, column.ends(0)))


def test_p_values_and_shares() -> None:
    p = np.array([0.2754, 0.0000001, np.nan])
    column = PColumn("p", "p", p, "told", below=p < 0.05)
    assert [column.text(row) for row in range(3)] == [".275", "< .001", ""]
    assert column.value(1) == 0.0000001
    share = ShareColumn("first", "1st", np.array([0.995, np.nan]), "told")
    assert [share.text(0), share.text(1)] == ["100 %", ""]
    assert WordsColumn("group", "group", ["ab"], "told").right
