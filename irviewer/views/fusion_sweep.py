"""The sweep of a fusion as tables: means out of fold and in sample, the settings, and the values by query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np

from irviewer.analysis.tuning.fusion_sweep import STEP, FusionSweep, sweep_fusion
from irviewer.analysis.tuning.nested_folds import FOLDS, REPEATS
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.number_text import quantity, queries_text
from irviewer.model.rankings.fusion import Fusion
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.inputs import Inputs
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, Step, option


def tables(sweep: FusionSweep, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``means``, ``settings``, ``chosen`` and ``out_of_fold``."""
    nested = sweep.nested
    known = {"step": sweep.step, "run_depth": sweep.run_depth, "folds": nested.folds, "repeats": nested.repeats}
    all_tables = (_means(sweep), _settings(sweep), _chosen(sweep), _out_of_fold(sweep))
    return ViewResult(sweep, all_tables).with_provenance(provenance(VIEW.name, bound, VIEW.record(known)))


def weights_text(setting: Fusion) -> str:
    """Return the weights of a setting as people read them, ``0.3, 0.7``; "" without weights."""
    return ", ".join(f"{weight:g}" for weight in setting.weights or ())


def _means(sweep: FusionSweep) -> Table:
    nested, runs = sweep.nested, sweep.runs
    fused = [tr("fused, out of fold"), tr("fused, in-sample best")]
    folds = tr(
        "{queries}, {folds} folds drawn {repeats} times, seed {seed}: weights and normalisation are chosen on the "
        "other folds.",
        queries=queries_text(len(sweep.query_ids)), folds=nested.folds, repeats=nested.repeats, seed=nested.seed,
    )  # fmt: skip
    best = tr(
        "The in-sample best, {weights} ({normalisation}), was chosen on the same queries that it is evaluated "
        "on; that makes it look better by {optimism}.",
        weights=weights_text(sweep.best), normalisation=sweep.best.normalisation, optimism=quantity(nested.optimism),
    )  # fmt: skip
    notes = [
        Remark("folds", folds, {"queries": len(sweep.query_ids)}, warns=False), Remark("optimism", best, {
            "optimism": nested.optimism, "weights": list(sweep.best.weights or ()),
            "normalisation": sweep.best.normalisation,
        }), *(Remark("sweep", text) for text in sweep.notes),
    ]  # fmt: skip
    if sweep.measure.aggregate == "geometric":
        notes.append(Remark("geometric", tr("Means are of logarithms.")))
    if not math.isnan(nested.deviation):
        text = tr("Standard deviation of the out-of-fold mean over the repeats: {deviation}.",
                  deviation=quantity(nested.deviation))  # fmt: skip
        notes.append(Remark("deviation", text, {"deviation": nested.deviation}))
    kinds = [*["run"] * len(runs), "out_of_fold", "in_sample"]
    return Table("means", tr("Fusion of {runs}", runs=", ".join(runs)), (
        column.text("kind", tr("list"), kinds, texts=[*runs, *fused]),
        column.run("run", tr("run"), [*runs, None, None], detail=True),
        column.number("mean", sweep.measure.text, np.array([*sweep.single_means, nested.mean, nested.in_sample])),
    ), notes=tuple(notes))  # fmt: skip


def _settings(sweep: FusionSweep) -> Table:
    fixed = [
        column.text("normalisation", tr("normalisation"), [setting.normalisation for setting in sweep.settings]),
        column.number("in_sample", tr("in-sample mean"), sweep.nested.means, best=True,
                      better_up=sweep.measure.higher_is_better),
        column.count("folds", tr("chosen in folds"), sweep.nested.counts),
    ]  # fmt: skip
    weights = _weights(sweep, sweep.settings, fixed)
    note = tr(
        "In-sample: every mean is over all queries. The best of them is too optimistic; the out-of-fold "
        "value is the estimate."
    )
    title = tr("In-sample {measure} by weights", measure=sweep.measure.text)
    return Table("settings", title, (*weights, *fixed), notes=(Remark("in_sample", note, warns=False),))


def _weights(sweep: FusionSweep, settings: Sequence[Fusion], columns: Sequence[Column]) -> list[Column]:
    """Return the weight of each run in some settings."""
    keys = data_keys(sweep.runs, columns)
    of_setting = np.array([setting.weights or (math.nan,) * len(sweep.runs) for setting in settings])
    return [
        column.number(key, tr("weight of {run}", run=run), of_setting[:, place], names="run", decimals=2)
        for place, (key, run) in enumerate(zip(keys, sweep.runs, strict=True))
    ]


def _chosen(sweep: FusionSweep) -> Table:
    chosen = sweep.nested.chosen
    repeats, folds = np.indices(chosen.shape)
    settings = [sweep.settings[place] for place in chosen.ravel().tolist()]
    fixed = [
        column.count("repeat", tr("repeat"), repeats.ravel() + 1),
        column.count("fold", tr("fold"), folds.ravel() + 1),
        column.text("normalisation", tr("normalisation"), [setting.normalisation for setting in settings]),
    ]
    return Table("chosen", tr("Chosen in the folds"), (*fixed, *_weights(sweep, settings, fixed)))


def _out_of_fold(sweep: FusionSweep) -> Table:
    fixed = [
        column.identifier("query", tr("query"), sweep.query_ids),
        column.number("out_of_fold", tr("fused, out of fold"), sweep.nested.by_query),
    ]
    runs = [
        column.number(key, run, values, names="run")
        for key, run, values in zip(data_keys(sweep.runs, fixed), sweep.runs, sweep.single, strict=True)
    ]
    return Table("out_of_fold", tr("By query"), (*fixed, *runs), keys=sweep.query_ids, opens="query")


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    step: Annotated[
        float, option(tr("step of the weights, which add up to 1"), low=0.001, high=1, title=tr("step"))
    ] = STEP,
    run_depth: Annotated[
        int,
        option(tr("documents of each run's list that are fused; 0: all"), low=0, zero=tr("all"), title=tr("run depth")),
    ] = 0,
    folds: Annotated[int, option(tr("folds of the queries"), low=2, title=tr("folds"))] = FOLDS,
    repeats: Annotated[
        int, option(tr("times that the queries are divided into folds"), low=1, title=tr("repeats"))
    ] = REPEATS,
    progress: Step | None = None,
) -> FusionSweep:
    """The runs fused with all weights and normalisations: means out of fold and in sample."""
    part = inputs.one
    part.refuse(tr("Fusion sweep"), "weights")
    runs = [part.runs[place].renamed(part.names[place]) for place in protocol.runs]
    return sweep_fusion(
        part.qrels, runs, part.measure, part.options, step=step, depth=run_depth or None, folds=folds, repeats=repeats,
        seed=protocol.protocol.inference.seed, queries=protocol.selected, progress=progress,
    )  # fmt: skip


VIEW = ResultView(
    "fusion-sweep", compute, tables, title=tr("Fusion sweep"), uses=("rules", "scope", "seed"),
    needs=("judgments", "grades", "lists", "two runs"),
)  # fmt: skip
