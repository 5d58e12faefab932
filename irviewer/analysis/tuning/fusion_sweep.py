"""Sweep of a weighted fusion: every weight of a grid with every normalisation, and the value of the best setting on
queries that were not used to choose it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.result_comparison import untestable
from irviewer.analysis.statistics.significance.resampling import SEED
from irviewer.analysis.tuning.nested_folds import FOLDS, REPEATS, NestedFolds, nested_folds
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.answer_cautions import refuse_answers
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, group_of_each
from irviewer.model.exported import Exported
from irviewer.model.geometric import logarithms
from irviewer.model.matching.unmatched import unmatched_runs, unmatched_warnings
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.fusion import NORMALISATIONS, Fusion, FusionCandidates, Normalisation
from irviewer.model.run import Run
from irviewer.translation import tr, trn

STEP = 0.1
MOST_SETTINGS = 2000
SWEPT: tuple[Normalisation, ...] = ("min-max", "z-score", "sum")
"""The default normalisations; without one, scores of different runs rarely have the same scale."""


@dataclass(frozen=True, eq=False, repr=False)
class FusionSweep(Exported):
    """N runs fused in S settings over Q queries.

    settings    weighted sums; the weights of a setting add up to 1
    values      float64[S, Q] of the measure (logarithms if its mean is geometric)
    single      float64[N, Q]: of the single runs
    nested      the value of the choice: ``nested.means`` are in-sample, ``nested.mean`` is out of fold
    notes       sentences for the user
    step, run_depth  of the weights; the documents of each list that are fused, 0: all
    """

    runs: tuple[str, ...]
    measure: Measure
    query_ids: tuple[str, ...]
    settings: tuple[Fusion, ...]
    values: Floats
    single: Floats
    nested: NestedFolds
    notes: tuple[str, ...] = ()
    step: float = STEP
    run_depth: int = 0

    @property
    def normalisations(self) -> tuple[Normalisation, ...]:
        """The normalisations in the sweep, in order."""
        return tuple(dict.fromkeys(setting.normalisation for setting in self.settings))

    @property
    def single_means(self) -> Floats:
        """float64[N]: the means of the single runs."""
        return np.asarray(self.single.mean(axis=1))

    @property
    def best(self) -> Fusion:
        """The setting with the best in-sample mean."""
        return self.settings[self.nested.best]

    def grid(self, normalisation: Normalisation) -> tuple[tuple[tuple[float, ...], ...], Floats]:
        """Return the weights for a normalisation and their in-sample means, float64."""
        places = [position for position, setting in enumerate(self.settings) if setting.normalisation == normalisation]
        return tuple(self.settings[place].weights or () for place in places), self.nested.means[places]


def weight_grid(runs: int, step: float = STEP) -> tuple[tuple[float, ...], ...]:
    """Weights of ``runs`` runs that add up to 1, each a multiple of the step. Raises OptionError for a step that 1 is
    no multiple of, or too many weights."""
    parts = round(1 / step) if 0 < step <= 1 else 0
    if not parts or abs(parts * step - 1) > 1e-9:
        raise OptionError(tr("The step of the weights is {step:g}; use one that divides 1, such as .1.", step=step))
    settings = []
    for cuts in itertools.combinations(range(parts + runs - 1), runs - 1):
        edges = (-1, *cuts, parts + runs - 1)
        settings.append(tuple((after - before - 1) / parts for before, after in itertools.pairwise(edges)))
        if len(settings) > MOST_SETTINGS:
            raise OptionError(
                tr("{runs} runs in steps of {step:g} have more than {most:,} weights; take larger steps or fewer runs.",
                   runs=runs, step=step, most=MOST_SETTINGS)
            )  # fmt: skip
    return tuple(sorted(settings, reverse=True))


def sweep_fusion(
    qrels: Qrels,
    runs: Sequence[Run],
    measure: str | Measure = "nDCG@10",
    options: EvaluationOptions | None = None,
    *,
    normalisations: Sequence[Normalisation] = SWEPT,
    step: float = STEP,
    depth: int | None = None,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    seed: int = SEED,
    queries: Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> FusionSweep:
    """Fuse runs in every setting and evaluate the choice in nested folds over the queries. ``depth`` cuts each run's
    list before it is fused; ``queries`` are those that count, None: all. Raises OptionError, and UndecidedError if the
    ids of a run do not match those of the qrels; it may have nothing judged for the queries that count."""
    options = options or EvaluationOptions()
    refuse_answers(tr("Fusion sweep"), measure)
    if len(runs) < 2:
        raise OptionError(tr("A sweep fuses two runs or more; give another run."))
    unknown = [name for name in normalisations if name not in NORMALISATIONS]
    if unknown or not normalisations:
        raise OptionError(
            tr("Choose normalisations from {names}; {name} is not one of them.", names=", ".join(NORMALISATIONS),
               name=", ".join(unknown) or "–")
        )  # fmt: skip
    weights = weight_grid(len(runs), step)
    settings = tuple(
        Fusion("weighted", name, weight, depth=depth) for name in dict.fromkeys(normalisations) for weight in weights
    )
    if len(settings) > MOST_SETTINGS:
        raise OptionError(tr("{n:,} settings are too many; take larger steps.", n=len(settings)))
    unknown_ids = unmatched_runs(runs, qrels)
    if unknown_ids:
        raise UndecidedError("; ".join(unmatched_warnings(unknown_ids)))
    if queries is not None:
        qrels, runs = qrels.of_queries(queries), [run.of_queries(queries) for run in runs]
    result = evaluate(qrels, runs, [measure], options)
    bound = result.measures[0]
    why = untestable(bound)
    if why:
        raise OptionError(why)
    judged = [_judged_only(run, qrels) for run in runs]
    candidates = FusionCandidates.of(judged, depth)
    rows = []
    for number, setting in enumerate(settings, start=1):
        fused = candidates.fuse(setting, name="fused")
        evaluated = evaluate(qrels, fused, [bound], options)
        rows.append(dict(zip(evaluated.query_ids, evaluated.values[0, 0].tolist(), strict=True)))
        if progress is not None:
            progress(number / len(settings))
    ids = [query for query in result.query_ids if query in rows[0]]
    values = np.array([[row[query] for query in ids] for row in rows]).reshape(len(rows), len(ids))
    places = [position for position, query in enumerate(result.query_ids) if query in rows[0]]
    single = result.values[0][:, places]
    kept = np.isfinite(values).all(axis=0) & np.isfinite(single).all(axis=0)
    notes = list(result.cautions)
    if not kept.any():
        raise OptionError(
            tr(
                "No query has a value of {measure} in every run and setting. Choose another measure.",
                measure=bound.text,
            )
        )
    if not kept.all():
        notes.append(
            trn(
                "{n} of {all} queries has no value in some setting or run: left out.",
                "{n} of {all} queries have no value in some setting or run: left out.",
                int((~kept).sum()),
                all=len(ids),
            )
        )
    values, single = values[:, kept], single[:, kept]
    if bound.aggregate == "geometric":
        values, single = logarithms(values), logarithms(single)
    nested = nested_folds(
        values, folds=folds, repeats=repeats, seed=seed, higher_is_better=bound.higher_is_better
    )  # fmt: skip
    used = tuple(query for query, keep in zip(ids, kept.tolist(), strict=True) if keep)
    return FusionSweep(
        tuple(run.name for run in runs), bound, used, settings, values, single, nested, tuple(notes), step, depth or 0
    )  # fmt: skip


def _judged_only(run: Run, qrels: Qrels) -> Run:
    """Return the run's lists of judged queries; other queries are not evaluated."""
    wanted = np.array([query in qrels.query_index for query in run.query_ids], dtype=np.bool_)
    if run.original is not None or wanted.all():
        return run
    return run.only(np.flatnonzero(wanted[group_of_each(run.offsets)]))
