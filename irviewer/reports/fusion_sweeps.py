"""Text of sweeps of a fusion: aligned tables, Markdown, LaTeX, CSV, TSV, JSON."""

from __future__ import annotations

import math
from collections.abc import Callable

from irviewer.analysis.tuning.fusion_sweep import FusionSweep
from irviewer.model.number_text import quantity, queries_text
from irviewer.model.rankings.fusion import Fusion
from irviewer.reports import tables
from irviewer.reports.tables import Cell, Grid
from irviewer.tables.json_text import json_text
from irviewer.translation import tr

MOST_CHOSEN = 10


def weights_text(setting: Fusion) -> str:
    """``0.3, 0.7``."""
    return ", ".join(f"{weight:g}" for weight in setting.weights or ())


def sweep_grids(sweep: FusionSweep) -> list[Grid]:
    """Return the means out of fold and in sample, the settings chosen by the folds, and the in-sample mean of every
    setting."""
    nested = sweep.nested
    rows: list[tuple[Cell, ...]] = [
        (name, mean) for name, mean in zip(sweep.runs, sweep.single_means.tolist(), strict=True)
    ]
    rows.append((tr("fused, out of fold"), nested.mean))
    rows.append((tr("fused, in-sample best"), nested.in_sample))
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
    notes = [folds, best, *sweep.notes]
    if sweep.measure.aggregate == "geometric":
        notes.append(tr("Means are of logarithms."))
    if not math.isnan(nested.deviation):
        text = tr("Standard deviation of the out-of-fold mean over the repeats: {deviation}.",
                  deviation=quantity(nested.deviation))  # fmt: skip
        notes.append(text)
    header = (tr("run"), sweep.measure.text)
    grids = [Grid(tr("Fusion of {runs}", runs=", ".join(sweep.runs)), header, tuple(rows), tuple(notes))]
    return [*grids, _chosen(sweep), _in_sample(sweep)]


def _chosen(sweep: FusionSweep) -> Grid:
    counts = sweep.nested.counts
    order = sorted(
        (position for position in range(len(counts)) if counts[position]), key=lambda place: (-counts[place], place)
    )
    rows = tuple(
        (weights_text(sweep.settings[place]), sweep.settings[place].normalisation, int(counts[place]))
        for place in order[:MOST_CHOSEN]
    )
    left = len(order) - len(rows)
    notes = (tr("{n} more settings were chosen less often.", n=left),) if left > 0 else ()
    return Grid(tr("Chosen in the folds"), (tr("weights"), tr("normalisation"), tr("folds")), rows, notes)


def _in_sample(sweep: FusionSweep) -> Grid:
    names = sweep.normalisations
    means = {name: dict(zip(*sweep.grid(name), strict=True)) for name in names}
    rows: list[tuple[Cell, ...]] = [
        (", ".join(f"{weight:g}" for weight in weights), *(float(means[name][weights]) for name in names))
        for weights in sweep.grid(names[0])[0]
    ]
    note = tr(
        "In-sample: every mean is over all queries. The best of them is too optimistic; the out-of-fold "
        "value is the estimate."
    )
    title = tr("In-sample {measure} by weights", measure=sweep.measure.text)
    return Grid(title, (tr("weights"), *names), tuple(rows), (note,))


def write_json(sweep: FusionSweep) -> str:
    """Return one object: out of fold, in-sample, the folds' choices, and every setting; null if missing."""
    nested = sweep.nested

    def setting(place: int) -> dict[str, object]:
        setting = sweep.settings[place]
        return {"weights": list(setting.weights or ()), "normalisation": setting.normalisation}

    return json_text(
        {
            "measure": sweep.measure.text, "queries": len(sweep.query_ids), "notes": list(sweep.notes),
            "runs": [{"run": run, "mean": float(sweep.single_means[at])} for at, run in enumerate(sweep.runs)],
            "out_of_fold": {
                "mean": nested.mean, "deviation": nested.deviation, "folds": nested.folds, "repeats": nested.repeats,
                "seed": nested.seed,
                "by_query": dict(zip(sweep.query_ids, nested.by_query.tolist(), strict=True)),
                "chosen": [[setting(place) for place in row] for row in nested.chosen.tolist()],
            },
            "in_sample": {
                "best": {**setting(nested.best), "mean": nested.in_sample}, "optimism": nested.optimism,
                "settings": [
                    {**setting(position), "mean": float(nested.means[position]), "folds": int(nested.counts[position])}
                    for position in range(len(sweep.settings))
                ],
            },
        },
        2,
    )  # fmt: skip


def _written(writer: Callable[..., str]) -> Callable[[FusionSweep], str]:
    return lambda sweep: writer(sweep_grids(sweep))


WRITERS: dict[str, Callable[[FusionSweep], str]] = {
    "table": _written(tables.write_table),
    "csv": _written(tables.write_csv),
    "tsv": _written(tables.write_tsv),
    "json": write_json,
    "latex": _written(tables.write_latex),
    "markdown": _written(tables.write_markdown),
}
