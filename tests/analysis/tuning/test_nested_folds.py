"""Choices among settings: each query is valued under the setting that the other folds chose."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.analysis.tuning.nested_folds import nested_folds
from irviewer.errors import OptionError


@pytest.mark.parametrize("higher", [True, False])
def test_a_setting_is_chosen_on_the_other_folds(higher: bool) -> None:
    values = np.random.default_rng(2).uniform(0, 1, (6, 23))
    folds = nested_folds(values, folds=4, repeats=3, seed=5, higher_is_better=higher)
    best = max if higher else min
    for repeat in range(3):
        assert sorted(np.bincount(folds.fold[repeat]).tolist()) == [5, 6, 6, 6]
        for fold in range(4):
            rest = [place for place in range(23) if folds.fold[repeat, place] != fold]
            means = [float(values[setting, rest].mean()) for setting in range(6)]
            chosen = means.index(best(means))
            assert folds.chosen[repeat, fold] == chosen
            for place in set(range(23)) - set(rest):
                assert folds.values[repeat, place] == values[chosen, place]
    assert folds.mean == pytest.approx(folds.values.mean())
    assert folds.by_query == pytest.approx(folds.values.mean(axis=0))
    assert folds.in_sample == pytest.approx(best(values.mean(axis=1).tolist()))
    assert folds.optimism == pytest.approx((folds.in_sample - folds.mean) * (1 if higher else -1))
    assert folds.counts.sum() == 12
    assert folds.deviation == pytest.approx(folds.values.mean(axis=1).std(ddof=1))


def test_the_seed_decides() -> None:
    values = np.random.default_rng(2).uniform(0, 1, (4, 20))
    assert nested_folds(values, seed=1).fold.tolist() == nested_folds(values, seed=1).fold.tolist()
    assert nested_folds(values, seed=1).fold.tolist() != nested_folds(values, seed=2).fold.tolist()
    assert math.isnan(nested_folds(values, repeats=1).deviation)


def test_out_of_fold_is_no_better_than_the_truth_and_in_sample_is() -> None:
    """Twenty settings that are all worth 0: the best of them looks good on the queries that chose it."""
    dice = np.random.default_rng(9)
    nested = [nested_folds(dice.normal(0, 1, (20, 30)), repeats=2, seed=number) for number in range(150)]
    out, inside = np.mean([folds.mean for folds in nested]), np.mean([folds.in_sample for folds in nested])
    assert abs(float(out)) < 0.05
    assert float(inside) > 0.25
    assert np.mean([folds.optimism for folds in nested]) > 0.25


def test_equal_settings_take_the_first() -> None:
    folds = nested_folds(np.tile(np.random.default_rng(1).uniform(0, 1, 12), (3, 1)))
    assert set(folds.chosen.ravel().tolist()) == {0}
    assert folds.best == 0
    assert folds.optimism == pytest.approx(0)


def test_what_is_refused() -> None:
    values = np.zeros((2, 4))
    with pytest.raises(OptionError, match="too few for 5"):
        nested_folds(values)
    for choices in ({"folds": 1}, {"repeats": 0}, {"seed": -1}):
        with pytest.raises(OptionError, match="2 folds or more"):
            nested_folds(values, **choices)
    with pytest.raises(OptionError, match="needs a value"):
        nested_folds(np.full((2, 6), np.nan))
    with pytest.raises(OptionError, match="needs a value"):
        nested_folds(np.zeros((0, 6)))
