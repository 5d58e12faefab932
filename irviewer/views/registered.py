"""The view of each value that a public function returns."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from irviewer.analysis.agreement.corrected import CorrectedScores
from irviewer.analysis.agreement.report import AgreementReport
from irviewer.analysis.collections.collection_table import CollectionTable, Forest
from irviewer.analysis.explain.difference import Difference
from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger
from irviewer.analysis.explain.mean_differences import MeanDifference
from irviewer.analysis.explain.tie_bounds import TieChanges, TieRange
from irviewer.analysis.explain.unjudged import Worklist
from irviewer.analysis.failures.detect import FailuresOfRuns
from irviewer.analysis.pooling.effects import PoolEffects
from irviewer.analysis.similarity.measure_agreement import Agreement
from irviewer.analysis.similarity.similarity import Similarity
from irviewer.analysis.slices.slices import SliceComparison
from irviewer.analysis.stages.stages import Stages
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.gate import Gate
from irviewer.analysis.statistics.result_comparison import ComparisonTable
from irviewer.analysis.statistics.series_average import SetMeans
from irviewer.analysis.statistics.stability import Stability
from irviewer.analysis.tuning.fusion_sweep import FusionSweep
from irviewer.analysis.tuning.trade_offs import CostEffectiveness
from irviewer.evaluation.dialect_changes import DialectChanges
from irviewer.evaluation.results import ResultTable
from irviewer.figures.curve_sets import CurveSet
from irviewer.model.zscores import ZScores
from irviewer.translation import tr
from irviewer.views import (
    agreement,
    collections,
    comparison,
    corrected,
    curves,
    dialects,
    explanation,
    failures,
    fusion_sweep,
    gate,
    measure_agreement,
    paper,
    pool,
    query_sets,
    similarity,
    slices,
    stability,
    stages,
    trade_offs,
    values,
    zscores,
)
from irviewer.views.paper import PaperTable
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult


@singledispatch
def view_of(value: Any) -> ViewResult | None:
    """Return what is shown of a value; None for one without a view."""
    return None


@view_of.register
def _(value: ComparisonTable) -> ViewResult:
    return comparison.tables(comparison.compared(value), value.protocol)


@view_of.register
def _(value: Comparison) -> ViewResult:
    return comparison.tables(comparison.Compared((value,)), value.protocol)


@view_of.register
def _(value: ResultTable) -> ViewResult:
    return values.tables(value, value.protocol)


@view_of.register
def _(value: Stages) -> ViewResult:
    return stages.tables(value, value.protocol)


@view_of.register
def _(value: SliceComparison) -> ViewResult:
    return slices.tables(slices.Slices((value,)), value.protocol)


@view_of.register(Ledger)
@view_of.register(MeanLedger)
@view_of.register(Difference)
@view_of.register(MeanDifference)
@view_of.register(TieRange)
@view_of.register(TieChanges)
def _(value: Any) -> ViewResult:
    return explanation.tables(value, value.protocol)


@view_of.register
def _(value: FailuresOfRuns) -> ViewResult:
    return failures.tables(value, value.protocol)


@view_of.register
def _(value: PoolEffects) -> ViewResult:
    return pool.tables(value, value.protocol)


@view_of.register
def _(value: Worklist) -> ViewResult:
    return pool.worklist_tables(value, value.protocol)


@view_of.register
def _(value: Similarity) -> ViewResult:
    return similarity.tables(value, value.protocol)


@view_of.register
def _(value: FusionSweep) -> ViewResult:
    return fusion_sweep.tables(value, value.protocol)


@view_of.register
def _(value: CollectionTable) -> ViewResult:
    return collections.tables([value], value.protocol)


@view_of.register
def _(value: Forest) -> ViewResult:
    return collections.forest_tables(value, value.protocol)


@view_of.register
def _(value: PaperTable) -> ViewResult:
    return paper.tables(value)


@view_of.register
def _(value: Stability) -> ViewResult:
    return stability.tables([value], value.protocol)


@view_of.register
def _(value: SetMeans) -> ViewResult:
    return query_sets.tables([value], value.protocol)


@view_of.register
def _(value: Agreement) -> ViewResult:
    return measure_agreement.tables(value, value.protocol)


@view_of.register
def _(value: DialectChanges) -> ViewResult:
    return dialects.tables(value, value.protocol)


@view_of.register
def _(value: CurveSet) -> ViewResult:
    return curves.tables(value, value.protocol)


@view_of.register
def _(value: ZScores) -> ViewResult:
    return zscores.tables(value, None)


@view_of.register
def _(value: CostEffectiveness) -> ViewResult:
    shown = trade_offs.TradeOffs(value.measure or tr("mean"), value)
    record = trade_offs.VIEW.record({"cost": value.attribute})
    return trade_offs.tables(shown, value.protocol).with_provenance(provenance("trade-offs", value.protocol, record))


@view_of.register
def _(value: AgreementReport) -> ViewResult:
    return agreement.tables(value, value.protocol)


@view_of.register
def _(value: CorrectedScores) -> ViewResult:
    return corrected.tables(value, value.protocol)


@view_of.register
def _(value: Gate) -> ViewResult:
    return gate.tables(value)
