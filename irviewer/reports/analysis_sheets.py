"""Tables of plain columns of slices, stages, collections and sweeps, for data frames, files and notebooks.

Importing this module registers them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from irviewer.analysis.tuning.trade_offs import CostEffectiveness
from irviewer.reports.sheets import Columns, Sheet, sheets
from irviewer.translation import tr


def columns_of(rows: Iterable[Mapping[str, Any]]) -> Columns:
    """Rows of the same keys as columns."""
    records = list(rows)
    return {name: [row[name] for row in records] for name in (records[0] if records else ())}


@sheets.register
def _(result: CostEffectiveness) -> tuple[Sheet, ...]:
    columns: Columns = {
        "run": list(result.runs), result.attribute: result.cost, "mean": result.mean, "efficient": result.efficient,
    }  # fmt: skip
    return (Sheet("runs", tr("Runs by {cost}", cost=result.attribute), columns),)
