"""Corrections against figures worked by hand and their definitions spelled out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.significance.corrections import CORRECTIONS, corrected
from irviewer.errors import OptionError

P = [0.01, 0.04, 0.03, 0.005]


def test_worked_by_hand() -> None:
    assert corrected(P, "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected(P, "bonferroni") == pytest.approx([0.04, 0.16, 0.12, 0.02])
    assert corrected(P, "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert corrected(P, "none").tolist() == P


def test_benjamini_hochberg_is_scipys() -> None:
    p = np.random.default_rng(1).random(300) ** 3
    assert corrected(p, "bh") == pytest.approx(stats.false_discovery_control(p), abs=1e-12)


def test_holm_by_its_definition() -> None:
    """Rejected at alpha exactly where the corrected p is at most alpha."""
    p = np.random.default_rng(2).random(12) ** 4
    corrected_p = corrected(p, "holm")
    for alpha in (0.001, 0.01, 0.05, 0.2):
        rejected = set()
        for step, place in enumerate(np.argsort(p)):
            if p[place] > alpha / (12 - step):
                break
            rejected.add(int(place))
        assert rejected == set(np.flatnonzero(corrected_p <= alpha).tolist())


def test_bounds_and_empty() -> None:
    for name in CORRECTIONS:
        assert corrected([], name).tolist() == []
        assert (corrected([0.9, 1.0, 0.8], name) <= 1).all()
    with pytest.raises(OptionError, match="unknown correction 'sidak'; choose one of holm"):
        corrected([0.1], "sidak")
