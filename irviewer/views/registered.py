"""The view of each value that a public function returns."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from irviewer.analysis.slices.slices import SliceComparison
from irviewer.analysis.stages.stages import Stages
from irviewer.evaluation.results import ResultTable
from irviewer.views import evaluation, slices, stages
from irviewer.views.result import ViewResult


@singledispatch
def view_of(value: Any) -> ViewResult | None:
    """Return what is shown of a value; None for one without a view."""
    return None


@view_of.register
def _(value: ResultTable) -> ViewResult:
    return evaluation.tables(value, value.protocol)


@view_of.register
def _(value: Stages) -> ViewResult:
    return stages.tables(value, value.protocol)


@view_of.register
def _(value: SliceComparison) -> ViewResult:
    return slices.tables(slices.Slices((value,)), value.protocol)
