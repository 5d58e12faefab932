"""The public functions for several judges: agreement, runs under each judge, corrected values, merging, and samples
for a human judge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from irviewer.analysis.agreement.corrected import CorrectedScores
from irviewer.analysis.agreement.corrected import corrected_scores as corrected_values
from irviewer.analysis.agreement.judge_agreement import AgreementOptions, Steps
from irviewer.analysis.agreement.judge_agreement import agreement as agreement_values
from irviewer.analysis.agreement.merge import Merged, Rule, Ties, merge
from irviewer.analysis.agreement.report import AgreementReport
from irviewer.analysis.agreement.sampling import draw_pairs, draw_queries
from irviewer.analysis.agreement.systems_by_judge import systems_by_judge
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.api.sources import AnyQrels, AnyRuns, Source, Sources, measure_of
from irviewer.formats.judging_task import read_task
from irviewer.measures.base import Measure
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.exchange.frames import is_row
from irviewer.model.exchange.objects import is_list, is_record
from irviewer.model.judgments.judging_task import JudgingTask, Unit
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.panel import panel_of
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run
from irviewer.model.workspace import FAMILY, free_name

AnyJudge = JudgmentSet | AnyQrels
AnyJudges = Sequence[AnyJudge] | Mapping[str, AnyJudge]
AnyTask = JudgingTask | Source


def judgment_sets(judges: AnyJudges, sources: Sources | None = None) -> tuple[JudgmentSet, ...]:
    """Return judgment sets of files or values, with unique names: from the mapping, the set or the file. A table with a
    column of judges gives a set of each."""
    sets: list[JudgmentSet] = []
    if _is_one(judges):
        judges = (judges,)
    named = judges.items() if isinstance(judges, Mapping) else ((None, judge) for judge in judges)
    for given, judge in named:
        own = (judge,) if isinstance(judge, JudgmentSet) else (sources or Sources()).judges(judge)
        for each in own:
            name = each.name if given is None else given if len(own) == 1 else f"{given}: {each.name}"
            sets.append(replace(each, name=free_name(name, [other.name for other in sets])))
    return tuple(sets)


def _is_one(judges: Any) -> bool:
    """Return whether a value is one file, table or set, which may hold several judges."""
    if isinstance(judges, list | tuple):
        return bool(judges) and (is_row(judges[0]) or is_record(judges[0], "qrels"))
    return isinstance(judges, str | PathLike | JudgmentSet) or not (isinstance(judges, Mapping) or is_list(judges))


def judgment_set(judge: AnyJudge, sources: Sources | None = None) -> JudgmentSet:
    """Return the judgment set of a file or a value. Raises ParseError for a file of several judges of a document."""
    return judge if isinstance(judge, JudgmentSet) else JudgmentSet.of((sources or Sources()).qrels(judge))


def families_of(runs: Sequence[Run], given: Mapping[str, str | Collection[str]] | None) -> dict[str, tuple[str, ...]]:
    """Run -> the families whose models it uses: as given, else its attribute ``family``."""
    families = {}
    for run in runs:
        own = (given or {}).get(run.name, (run.attributes or {}).get(FAMILY, ()))
        families[run.name] = (own,) if isinstance(own, str) else tuple(str(family) for family in own or ())
    return families


def agreement(
    judges: AnyJudges,
    runs: AnyRuns | None = None,
    measure: str | Measure = "nDCG@10",
    *,
    reference: str | None = None,
    level: float = 1,
    steps: Steps = "position",
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = LEVEL,
    alpha: float = ALPHA,
    families: Mapping[str, str | Collection[str]] | None = None,
    task: AnyTask | None = None,
    judged_only: bool = False,
    dialect: str | Dialect = DEFAULT,
    progress: Callable[[float], None] | None = None,
) -> AgreementReport:
    """How far judges agree, on grades and, with runs, on the order of systems.

    >>> human = {"1": {"a": 1, "b": 0, "c": 1, "d": 0}, "2": {"a": 0, "b": 1}}
    >>> model = {"1": {"a": 1, "b": 1, "c": 1, "d": 0}, "2": {"a": 0, "b": 1}}
    >>> report = agreement({"human": human, "model": model}, samples=200)
    >>> pair = report.pair("human", "model")
    >>> pair.pairs, round(pair["same_grade"].value, 3), round(pair["kappa"].value, 3)
    (6, 0.833, 0.667)
    >>> report.confusion("human", "model").counts.tolist()
    [[2, 1], [0, 3]]

    judges      files, data frames, ``{query: {document: grade}}``, Qrels or JudgmentSets, or ``{name: judge}``; a
                table with a column judge, assessor, annotator or rater is a judgment set of each
    reference   the judge with whom the others are compared; None: the first
    level       least grade that counts as relevant
    steps       "position": neighbouring grades are one step apart in weighted kappa, as scikit-learn has it; "grade":
                by their difference
    families    run -> the families whose models it uses; without it a run's attribute ``family``
    task        what was drawn to be judged by the reference: pairs then count by their inclusion probability;
                None: judges whose files are filled tasks count by these
    judged_only under each judge, remove the documents that it did not judge from the runs

    Raises ParseError, MeasureError, OptionError."""
    sets = judgment_sets(judges)
    panel = panel_of(sets)
    options = AgreementOptions(level, steps, samples, seed, confidence)
    place = reference if reference is not None else 0
    drawn = None if task is None else _task(task)
    grades = agreement_values(panel, options, reference=place, task=drawn, progress=progress)
    systems = None
    if runs is not None:
        all_runs = Sources().runs(runs, rename=True)
        systems = systems_by_judge(
            panel, all_runs, measure_of(measure), options, reference=place, alpha=alpha,
            families=families_of(all_runs, families),
            evaluation=EvaluationOptions(level=level, judged_only=judged_only, dialect=dialect),
        )  # fmt: skip
    return AgreementReport(grades, systems)


def corrected_scores(
    human: AnyJudge,
    model: AnyJudge,
    runs: AnyRuns,
    measure: str | Measure = "nDCG@10",
    *,
    task: AnyTask | None = None,
    baseline: str | None = None,
    level: float = 1,
    confidence: float = LEVEL,
    judged_only: bool = False,
    dialect: str | Dialect = DEFAULT,
) -> CorrectedScores:
    """Scores under a model, corrected by queries that a human judged too and that were drawn at random, with intervals
    and how many queries judged by the human alone they are worth.

    task   the sample as it was drawn (``draw_task``), with inclusion probabilities; None: that of the human's file,
           else each query as likely
    judged_only   under human and model, remove the documents that each did not judge from the runs

    Raises ParseError, MeasureError, OptionError."""
    all_runs = Sources().runs(runs, rename=True)
    return corrected_values(
        judgment_set(human), judgment_set(model), all_runs, measure_of(measure), baseline=baseline, level=confidence,
        task=None if task is None else _task(task),
        evaluation=EvaluationOptions(level=level, judged_only=judged_only, dialect=dialect),
    )  # fmt: skip


def merge_judgments(judges: AnyJudges, rule: Rule = "majority", *, ties: Ties = "lower", name: str = "") -> Merged:
    """Return one judgment set of several: "majority" (``ties``: "lower", "higher", "first", "unjudged"), "median",
    "mean", or "fill", the first judge with the others for the gaps."""
    return merge(panel_of(judgment_sets(judges)), rule, ties=ties, name=name)


def draw_task(
    judge: AnyJudge,
    number: int,
    unit: Unit = "query",
    *,
    strata: Mapping[Any, str] | None = None,
    seed: int = 1,
) -> JudgingTask:
    """Queries or pairs of a judge's, drawn at random for another one: ``number`` of each stratum.

    strata   query -> stratum, or (query, document) -> stratum for pairs, which are drawn by grade without it"""
    qrels = judgment_set(judge).qrels
    draw = draw_queries if unit == "query" else draw_pairs
    return draw(qrels, number, strata=strata, seed=seed)


def _task(task: AnyTask) -> JudgingTask:
    return task if isinstance(task, JudgingTask) else read_task(Path(task))
