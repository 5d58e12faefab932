"""The public functions for several judges: agreement, runs under each judge, corrected values, merging, and samples
for a human judge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from irviewer.analysis.agreement.corrected import CorrectedScores
from irviewer.analysis.agreement.corrected import corrected_scores as corrected_values
from irviewer.analysis.agreement.judge_agreement import Steps, agreement_options
from irviewer.analysis.agreement.judge_agreement import agreement as agreement_values
from irviewer.analysis.agreement.merge import Merged, Rule, Ties, merge
from irviewer.analysis.agreement.report import AgreementReport
from irviewer.analysis.agreement.sampling import draw_pairs, draw_queries
from irviewer.analysis.agreement.systems_by_judge import systems_by_judge
from irviewer.api.protocols import AnyProtocol, bound_to, protocol_of, taking_part, with_files_of, with_measure
from irviewer.api.sources import AnyQrels, AnyRuns, Source, Sources
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.usual_measures import usual_measure
from irviewer.formats.judging_task import read_task
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.exchange.frames import is_row
from irviewer.model.exchange.objects import is_list, is_record
from irviewer.model.judgments.judging_task import JudgingTask, Unit
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.panel import Panel, panel_of
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import CorrectedFields, EvaluationProtocol, JudgeFields
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet
from irviewer.model.run import Run
from irviewer.model.run_names import free_name, further_names, whole_name
from irviewer.model.workspace import FAMILY
from irviewer.translation import tr
from irviewer.views import corrected
from irviewer.views.agreement import PINS, USES

AnyJudge = JudgmentSet | AnyQrels
AnyJudges = Sequence[AnyJudge] | Mapping[str, AnyJudge]
AnyTask = JudgingTask | Source
QuerySets = Sequence[QuerySet] | Mapping[str, QuerySet]


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
    """Run -> the families whose models it uses: as given, else its attribute ``family``. Raises OptionError for a name
    of several runs."""
    names, further = [run.name for run in runs], further_names(runs)
    known = {whole_name(name, names, further): own for name, own in (given or {}).items()}
    families = {}
    for run in runs:
        own = known.get(run.name, (run.attributes or {}).get(FAMILY, ()))
        families[run.name] = (own,) if isinstance(own, str) else tuple(str(family) for family in own or ())
    return families


@checked
def agreement(
    judges: AnyJudges,
    runs: AnyRuns | None = None,
    measure: str | Measure | None = None,
    *,
    protocol: AnyProtocol | None = None,
    reference: str | None = None,
    steps: Steps = "position",
    families: Mapping[str, str | Collection[str]] | None = None,
    task: AnyTask | None = None,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[JudgeFields],
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
    measure     of the runs; None: the primary one of the protocol, else nDCG@10
    protocol    an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    reference   the judge with whom the others are compared; None: the first
    level       least grade that counts as relevant
    steps       "position": neighbouring grades are one step apart in weighted kappa, as scikit-learn has it; "grade":
                by their difference
    families    run -> the families whose models it uses; without it a run's attribute ``family``
    task        what was drawn to be judged by the reference: pairs then count by their inclusion probability;
                None: judges whose files are filled tasks count by these
    judged_only under each judge, remove the documents that it did not judge from the runs

    Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "agreement", fields, frozenset(JudgeFields.__annotations__), ("queries", "runs"))
    asked, chosen = with_measure(asked, measure)
    sets = judgment_sets(judges)
    if not sets:
        raise OptionError(tr("Give the judgments of judges: the list is empty."))
    panel = panel_of(sets)
    given_runs, all_runs = [] if runs is None else Sources().runs(runs), None
    if runs is not None:
        asked, all_runs = taking_part(given_runs, asked)
    report = agreement_by(
        asked, panel, all_runs, usual_measure(chosen, panel.sets[panel.place(reference or 0)].qrels),
        reference=reference if reference is not None else 0, steps=steps,
        families=families, task=None if task is None else _task(task), progress=progress,
    )  # fmt: skip
    return with_files_of(report, given_runs)


def agreement_by(
    asked: EvaluationProtocol, panel: Panel, runs: Sequence[Run] | None, measure: str | Measure, *,
    reference: str | int = 0, steps: Steps = "position", families: Mapping[str, str | Collection[str]] | None = None,
    task: JudgingTask | None = None, sets: QuerySets | None = None,
    progress: Callable[[float], None] | None = None,
) -> AgreementReport:  # fmt: skip
    """Return the agreement of a panel under a protocol, on the queries that it selects; ``sets`` are the query sets
    that it can name, None: those of its file. Raises OptionError, MeasureError."""
    qrels = panel.sets[panel.place(reference)].qrels
    bound = bound_judges(asked, qrels, runs or (), sets, panel.sets, task)
    panel = panel if bound.selected is None else panel.of_queries(bound.query_ids)
    options = agreement_options(asked.rules, asked.inference, steps)
    grades = agreement_values(panel, options, reference=reference, task=task, progress=progress)
    systems = None
    if runs is not None:
        systems = systems_by_judge(
            panel, runs, measure, options, reference=reference, alpha=asked.inference.alpha,
            families=families_of(runs, families), evaluation=evaluation_options(asked.rules), task=task,
        )  # fmt: skip
    return AgreementReport(grades, systems).under(bound)


def bound_judges(
    asked: EvaluationProtocol, qrels: Qrels, runs: Sequence[Run], sets: QuerySets | None = None,
    judges: Sequence[JudgmentSet] = (), task: JudgingTask | None = None,
) -> BoundProtocol:  # fmt: skip
    """Return the protocol of an agreement bound to the reference judge and the runs; its intervals are percentiles.
    Raises OptionError."""
    return bound_to(
        asked, qrels, runs, ("qrels", [judge.qrels.origin for judge in judges]), _named(task), sets=sets,
        uses=(*USES, *(("alpha",) if runs else ())), pins=PINS,
    )  # fmt: skip


@checked
def corrected_scores(
    human: AnyJudge,
    model: AnyJudge,
    runs: AnyRuns,
    measure: str | Measure | None = None,
    *,
    protocol: AnyProtocol | None = None,
    task: AnyTask | None = None,
    baseline: str | None = None,
    **fields: Unpack[CorrectedFields],
) -> CorrectedScores:
    """Scores under a model, corrected by queries that a human judged too and that were drawn at random (PPI++: the
    weight of the model is tuned), with intervals and how many queries judged by the human alone they are worth.

    task   the sample as it was drawn (``draw_task``), with inclusion probabilities; None: that of the human's file,
           else each query as likely
    protocol   an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    baseline   a run: also the differences to it; None: that of the protocol, or none
    judged_only   under human and model, remove the documents that each did not judge from the runs

    Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "corrected_scores", fields, frozenset(CorrectedFields.__annotations__), ("runs",))
    asked, chosen = with_measure(asked, measure)
    if baseline is not None:
        asked = asked.but(baseline=baseline)
    given_runs = Sources().runs(runs)
    asked, all_runs = taking_part(given_runs, asked)
    reference = judgment_set(human)
    scores = corrected_by(
        asked, reference, judgment_set(model), all_runs, usual_measure(chosen, reference.qrels),
        None if task is None else _task(task),
    )  # fmt: skip
    return with_files_of(scores, given_runs)


def corrected_by(
    asked: EvaluationProtocol, human: JudgmentSet, model: JudgmentSet, runs: Sequence[Run], measure: str | Measure,
    task: JudgingTask | None,
) -> CorrectedScores:  # fmt: skip
    """Return the corrected scores under a protocol; its intervals are Student's. Raises OptionError, MeasureError."""
    bound = bound_to(
        asked, human.qrels, runs, ("qrels", model.qrels.origin), _named(task),
        uses=corrected.uses_of(against=bool(asked.scope.baseline)), pins=corrected.PINS,
    )  # fmt: skip
    scores = corrected_values(
        human, model, runs, measure, level=asked.inference.confidence, alpha=asked.inference.alpha, task=task,
        baseline=bound.baseline, evaluation=evaluation_options(asked.rules), seed=asked.inference.seed,
    )  # fmt: skip
    return scores.under(corrected.following(bound, scores))


@checked
def merge_judgments(judges: AnyJudges, rule: Rule = "majority", *, ties: Ties = "lower", name: str = "") -> Merged:
    """Return one judgment set of several: "majority" (``ties``: "lower", "higher", "first", "unjudged"), "median",
    "mean", or "fill", the first judge with the others for the gaps."""
    return merge(panel_of(judgment_sets(judges)), rule, ties=ties, name=name)


@checked
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


def _named(task: JudgingTask | None) -> tuple[str, str]:
    """Return the file of a task with its role; "" for none."""
    return "task", "" if task is None else task.origin


def _task(task: AnyTask) -> JudgingTask:
    return task if isinstance(task, JudgingTask) else read_task(Path(task))
