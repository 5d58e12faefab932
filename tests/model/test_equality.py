"""Whether two values hold the same: NaN is NaN everywhere, and no value makes an exception of the question."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from irviewer.api.viewer import ViewerTable
from irviewer.model.equality import equal, hash_of

MAKES: dict[str, Callable[[float], Any]] = {
    "float": lambda x: x,
    "array": lambda x: np.array([1.0, x]),
    "objects": lambda x: np.array([x, "a"], dtype=object),
    "Arrow column": lambda x: pa.array([None, x], pa.float64()),
    "Arrow chunks": lambda x: pa.chunked_array([pa.array([1.0, x])]),
    "Arrow table": lambda x: pa.table({"a": ["q"], "b": [x]}),
    "pandas": lambda x: pd.DataFrame({"a": [1.0, x]}),
    "polars": lambda x: pl.DataFrame({"a": [1.0, x]}),
    "nested": lambda x: {"a": [(1, np.array([x]))]},
    "table of the window": lambda x: ViewerTable("judgments", "Judgments", pa.table({"grade": [x]})),
}


@pytest.mark.parametrize("name", MAKES)
def test_nan_is_nan_and_nothing_else(name: str) -> None:
    make = MAKES[name]
    assert equal(make(math.nan), make(float("nan")))
    assert equal(make(2.0), make(2.0))
    assert not equal(make(math.nan), make(2.0))
    assert not equal(make(1.0), make(2.0))


def test_a_missing_number_is_not_nan() -> None:
    assert not equal(pa.array([None], pa.float64()), pa.array([math.nan]))


def test_tables_of_the_window_are_values() -> None:
    first, second = (ViewerTable("judgments", "Judgments", pa.table({"grade": [1.0]})) for _ in range(2))
    assert first == second and hash_of(first) == hash_of(second)
