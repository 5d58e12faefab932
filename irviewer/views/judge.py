"""One page for a judge: may its judgments stand for the reference's here, for the order of systems, for the best of
them, for the height of their values, for single documents; and may it replace one of several human judges?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from irviewer.analysis.agreement.alternative import AlternativeTest, Scoring, alternative_test
from irviewer.analysis.agreement.bias_by_length import LengthPart, bias_by_length
from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.corrected import (
    FEWEST,
    CorrectedMeans,
    Sample,
    corrected_means,
    judged_in_part,
    sample_of,
)
from irviewer.analysis.agreement.document_sample import (
    ADDITIVE,
    FEWEST_QUERIES,
    DocumentCorrected,
    DocumentMeans,
    document_corrected,
)
from irviewer.analysis.agreement.document_sample import FEWEST_TUNED as FEWEST_TUNED_QUERIES
from irviewer.analysis.agreement.human_queries import HumanQueries, human_queries
from irviewer.analysis.agreement.judge_agreement import JudgeAgreement, agreement, agreement_options
from irviewer.analysis.agreement.orders import OrderAgreement, correlations
from irviewer.analysis.agreement.powered import CALIBRATED
from irviewer.analysis.agreement.powered import FEWEST as FEWEST_TUNED
from irviewer.analysis.agreement.run_pairs import PairCounts
from irviewer.analysis.agreement.second_person import MOST, SecondPerson, second_people
from irviewer.analysis.agreement.stress import Stress, stress, tuned_to
from irviewer.analysis.agreement.systems_by_judge import FamilyGain, SystemsByJudge, SystemsUnderJudge, systems_by_judge
from irviewer.analysis.statistics.significance.corrections import corrected as p_corrected
from irviewer.analysis.statistics.significance.paired import t_column
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.document_lengths import lengths_of
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable, having_in_all
from irviewer.measures.answered import reads_answers
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools, Floats, Ints, places_of
from irviewer.model.attributes.runs import find_attribute
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.panel import panel_of
from irviewer.model.number_text import level_text, limit, quantity
from irviewer.model.protocol import Inference
from irviewer.model.qrels import Qrels
from irviewer.model.query_units import looks_like_units
from irviewer.model.run import Run
from irviewer.model.run_names import free_name
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Table
from irviewer.translation import decimal, tr, trc, trn
from irviewer.views.annotator_test import left_out, said_of_people, sweep, untested
from irviewer.views.inputs import Inputs, Part
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_run, option, run_attribute

FEWEST_SHOWN, POINTS = 5, 60
"""The least number of queries whose half-width is shown, and about how many numbers are."""
HUMAN = 20
"""The queries that are drawn to correct means, where the reference has judged all."""
Status = Literal["holds", "open", "turns"]
STATUSES = {"holds": tr("● holds where decided"), "open": tr("◐ open"), "turns": tr("○ turns")}
USES = {
    "order": tr("which system is better"), "best": tr("which of the best is best"),
    "height": tr("how good a system is"), "documents": tr("whether a document is relevant"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class SampledMeans:
    """Means of the runs under the judge, corrected by a sample of queries under the reference.

    drawn       whether the sample was drawn here, as the reference has judged all queries
    reference   float64[N]: the means under the reference of all queries; NaN where it has not judged all
    ids         the queries; model float64[N, Q] and human float64[N, n] their values
    """

    means: CorrectedMeans
    drawn: bool
    reference: Floats
    ids: tuple[str, ...]
    sample: Sample
    model: Floats
    human: Floats


@dataclass(frozen=True, eq=False)
class NeededOf:
    """The queries needed of each run, ``against`` another one or, for "", of its mean."""

    against: str
    runs: tuple[str, ...]
    queries: HumanQueries


@dataclass(frozen=True, eq=False)
class PlannedOf:
    """The means whose half-widths are asked about: those of the runs, or their differences ``against`` another one."""

    against: str
    runs: tuple[str, ...]
    means: CorrectedMeans

    @property
    def numbers(self) -> Ints:
        """int64[K]: the numbers of queries whose half-widths are shown, at most about ``POINTS``."""
        every = np.linspace(FEWEST_SHOWN, max(self.means.total, FEWEST_SHOWN), POINTS)
        return np.unique(np.round(every).astype(np.int64))

    def half_widths(self) -> tuple[Floats, Floats]:
        """Return float64[K] twice: the widest of the half-widths at each number of queries, corrected, and by the
        reference alone."""
        corrected, alone = self.means.half_widths(self.numbers)
        return corrected.max(axis=0), alone.max(axis=0)


@dataclass(frozen=True, eq=False)
class JudgePage:
    """What is known of a judge beside a reference.

    order, height   whether the order of systems holds, and the height of their values
    best            the same of the order of the best ``k`` by the reference; ``tau_best`` is tau-b among them, NaN for
                    none
    shift, p_shift  float64[N]: the judge's mean minus the reference's, and p of 0 (paired t, Holm over the runs)
    p_favoured      float64[N]: p of a run's shift being that of all runs (paired t, Holm over the runs)
    corrected       means under the judge, corrected by the queries that the reference judged, or of which some were
                    drawn; None where they cannot be, for the ``reason``
    by_documents    the same by documents that were drawn within queries, each with its inclusion probability
    sampled_documents   the reference's file says that documents were drawn within queries
    planned         the means or differences that a number of queries is planned for, None where the sample is too
                    small to tell their spread
    needed          how many queries of the reference the half-width takes, None where none is asked
    by_length       bias by the length of documents, () without texts or with scales that differ; ``unit``: of lengths
    stress          the orders with systems tuned to the judge, None where it was not asked or nothing is in common
    people          the alternative annotator test, None with fewer than two human judges besides the judge
    epsilon         the declared ε, None where it is not
    second          the order of the systems under the reference and under other people, () without any, of so many
                    ``people_sharing`` queries with the reference and the judge
    """

    grades: JudgeAgreement
    systems: SystemsByJudge
    k: int
    order: Status
    best: Status
    height: Status
    tau_best: float
    shift: Floats
    p_shift: Floats
    p_favoured: Floats
    corrected: SampledMeans | None
    reason: str
    planned: PlannedOf | None
    needed: NeededOf | None
    by_length: tuple[LengthPart, ...]
    unit: str
    stress: Stress | None
    people: AlternativeTest | None
    epsilon: float | None
    alpha: float
    second: tuple[SecondPerson, ...]
    people_sharing: int
    by_documents: DocumentCorrected | None = None
    sampled_documents: bool = False

    @property
    def under(self) -> SystemsUnderJudge:
        """The means, the order and the pairs of systems by the judge's grades; the reference is the other one."""
        return self.systems.judges[1]

    @property
    def given(self) -> Floats:
        """The judge's grades of the pairs that both judged, ascending; none where the scales differ."""
        return np.unique(self.grades.panel.grades[both(self), 1][: 0 if self.grades.apart[0, 1] else None])

    @property
    def names(self) -> tuple[str, str]:
        """The reference's name, and the judge's."""
        return self.grades.names[0], self.grades.names[1]


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    judge_name: Annotated[
        str, option(tr("the judge asked about; without it the first other judge"), title=tr("judge"))
    ] = "",
    best: Annotated[int, option(tr("how many of the reference's best runs are examined apart"), low=2,
                                title=tr("best runs"))] = 5,
    scoring: Annotated[
        Scoring,
        option(tr("how grades are scored in that test: the share that is equal (accuracy), or their distance (rmse)"),
               title=tr("scoring"), words={"accuracy": tr("equal grades"), "rmse": tr("distance of grades")}),
    ] = "accuracy",
    human: Annotated[
        int,
        option(tr("how many queries of the reference correct the means; drawn at random where it has judged all"),
               low=2, title=tr("human queries")),
    ] = HUMAN,
    sampled: Annotated[
        Literal["file", "queries", "documents"],
        option(tr("what the reference judged a random sample of, by which means are corrected: whole queries, or "
                  "documents, each with its inclusion probability; without it what its file says"),
               title=tr("sample of"),
               words={"file": tr("as its file says"), "queries": tr("queries"), "documents": tr("documents")}),
    ] = "file",
    half_width: Annotated[
        float,
        option(tr("the half-width that intervals of corrected means should have: how many queries a human must judge; "
                  "0: not asked"), low=0, zero=tr("none"), title=tr("half-width")),
    ] = 0.0,
    against: Annotated[
        str, a_run(tr("the run from which corrected differences are listed, whose half-width is asked about; "
                      "without it that of the means"), title=tr("difference from"))
    ] = "",
    tuned: Annotated[
        float,
        option(tr("the share of the systems that are drawn and re-ranked by the judge's grades, to see how orders "
                  "part; 0: none"), low=0, zero=tr("none"), high=1, title=tr("tuned systems")),
    ] = 0.25,
    strength: Annotated[
        float,
        option(tr("how far their lists are re-ranked: 0 not at all, 1 in the order of the judge's grades"), low=0,
               high=1, title=tr("strength")),
    ] = 1.0,
    families: Annotated[
        str,
        run_attribute(tr("attribute of runs that names the family of the model that each uses; without it what is "
                         "known of the runs, such as the attribute family of their files"), title=tr("families")),
    ] = "",
    judge_family: Annotated[
        str,
        option(tr("the family of the judge's model; without it what is known of the judge"), title=tr("judge's family"),
               metavar="FAMILY"),
    ] = "",
) -> JudgePage:  # fmt: skip
    """Ask whether a judge can stand for the reference here, and for what.

    Raises OptionError without another judge, for a run of which no document is judged, for a judge that judged a sample
    of documents, and for judges without a common pair."""
    part = inputs.one
    part.refuse(trc("who judges", "Judge"), "weights")
    assert part.judgments is not None  # the view needs them
    reference, *others = _named_apart(
        [part.judgments.judge, *(each.judge for each in part.collection.judgments if each is not part.judgments)]
    )
    if not others:
        raise OptionError(tr("This page needs another judge: open another qrels file as another judge."))
    if protocol.undecided:
        without = name_some([protocol.names[place] for place in protocol.undecided])
        raise OptionError(tr("No document of {runs} is judged: this page would order systems by zeros. Leave them out.",
                             runs=without))  # fmt: skip
    asked = _chosen(others, judge_name)
    if _of_documents(asked):
        raise OptionError(tr("{judge} judged a sample of documents, under which runs have no values: make it the "
                             "reference, and ask about a judge of all.", judge=asked.name))  # fmt: skip
    if judge_family:
        of_family = replace(asked, family=judge_family)
        others, asked = [of_family if each is asked else each for each in others], of_family
    panel = panel_of([reference, asked]).of_queries(part.query_ids)
    inference = protocol.protocol.inference
    options = agreement_options(protocol.protocol.rules, inference)
    if not (panel.judged.all(axis=1)).any():
        raise OptionError(tr("{judge} and {reference} have judged no pair in common.", judge=asked.name,
                             reference=reference.name))  # fmt: skip
    grades = agreement(panel, options)
    runs = _of_judged([part.runs[place].renamed(part.names[place]) for place in protocol.runs], reference, asked)
    of_runs = _families(part, protocol, families, judge_family)
    results = [evaluate(each.qrels, runs, [part.measure], part.options) for each in panel.sets]
    kept = having_in_all(results, part.measure)
    runs, results = [runs[place] for place in kept], [result.of_runs(kept) for result in results]
    systems = systems_by_judge(
        panel, runs, part.measure, options, evaluation=part.options, results=results, alpha=inference.alpha, top=best,
        families=of_runs, with_samples=True,
    )  # fmt: skip
    if _of_documents(reference):
        systems = replace(systems, judges=(systems.judges[0], _without_reference(systems.judges[1], reference.name)))
    people = _people(reference, others, asked, part.query_ids, scoring)
    by_documents = None
    if sampled == "documents" or (sampled == "file" and _of_documents(reference)):
        corrected = None
        by_documents, reason = _by_documents(
            part, reference, asked, runs, results, protocol, part.whole_name(against), asked_for=sampled != "file"
        )
    else:
        corrected, reason = _corrected(part, reference, asked, runs, results, human, protocol)
    planned = None if corrected is None else _planned(corrected, systems.runs, part.whole_name(against), inference)
    needed = None
    if half_width and planned is not None:
        needed = NeededOf(planned.against, planned.runs,
                          human_queries(planned.means, half_width, confidence=inference.confidence))  # fmt: skip
    by_length, unit = _by_length(part, grades, inference.confidence)
    stressed = _stressed(part, systems, results, runs, (panel.sets[0].qrels, panel.sets[1].qrels), tuned, strength,
                         inference) if tuned else None  # fmt: skip
    second, sharing = _second(part, reference, others, asked, systems, runs, results)
    page = _page(grades, systems, results, best, people, inference.epsilon, inference.alpha, corrected, reason, planned,
                 needed, by_length, unit, stressed, second, sharing)  # fmt: skip
    return replace(page, by_documents=by_documents, sampled_documents=_of_documents(reference))


def _families(part: Part, protocol: BoundProtocol, families: str, asked: str) -> dict[str, tuple[str, ...]]:
    """Return the families whose models each run uses. Raises OptionError where the judge's family is named, and is that
    of no run."""
    names = [part.names[place] for place in protocol.runs]
    known = {name: part.collection.runs[place].families for name, place in zip(names, protocol.runs, strict=True)}
    if families:
        values = find_attribute(part.run_attributes, families).categories(names)
        known = {name: (value,) if value else () for name, value in zip(names, values, strict=True)}
    every = sorted({family for own in known.values() for family in own})
    if asked and asked not in every:
        raise OptionError(
            tr("No run uses a model of the family {family}. The families of the runs are {names}.", family=asked,
               names=name_some(every)) if every else
            tr("No family of a run is known: name the attribute of the runs that has it (families).")
        )  # fmt: skip
    return known


def _second(
    part: Part, reference: JudgmentSet, others: list[JudgmentSet], asked: JudgmentSet, systems: SystemsByJudge,
    runs: list[Run], results: list[ResultTable],
) -> tuple[tuple[SecondPerson, ...], int]:  # fmt: skip
    """Return the orders of the systems under other people, and how many share queries; () and 0 where the
    reference is none, or there is no order."""
    under = systems.judges[1]
    people = [each for each in others if each is not asked and _is_person(each) and not _of_documents(each)]
    if not people or not _is_person(reference) or under.order is None or part.measure.aggregate != "mean":
        return (), 0
    return second_people(reference, people, runs, systems.measure, (results[0], results[1]), under.queries,
                         part.options)  # fmt: skip


def _is_person(judge: JudgmentSet) -> bool:
    """Return whether a judge counts as human: all do that are no model and not merged."""
    return judge.origin not in ("model", "merged")


def _of_judged(runs: list[Run], *judges: JudgmentSet) -> list[Run]:
    """Return the runs on the queries that one of the judges judged: the others are joined with grades for nothing. A
    run of stored values, or with all its queries judged, stays as it is."""
    judged = {query for judge in judges for query in judge.qrels.query_ids}
    kept = [[query for query in run.query_ids if query in judged] for run in runs]
    return [run if run.stored is not None or len(queries) == len(run.query_ids) else run.of_queries(queries)
            for run, queries in zip(runs, kept, strict=True)]  # fmt: skip


def _stressed(
    part: Part, systems: SystemsByJudge, results: list[ResultTable], runs: list[Run], qrels: tuple[Qrels, Qrels],
    share: float, strength: float, inference: Inference,
) -> Stress | None:  # fmt: skip
    """Return the orders under both judges with a share of the systems tuned to the second; None where they have no
    query in common, for a measure that is no plain mean, and for one of answers, which are not tuned."""
    under = systems.judges[1]
    if under.order is None or part.measure.aggregate != "mean" or reads_answers(part.measure):
        return None
    tuned = [tuned_to(run, qrels[1], strength, part.options) for run in runs]
    sign = 1.0 if systems.measure.higher_is_better else -1.0
    plain, changed = (
        [sign * _by_query(result, systems, under) for result in tables]
        for tables in (results, [evaluate(own, tuned, [part.measure], part.options) for own in qrels])
    )
    return stress(
        (plain[0], changed[0]), (plain[1], changed[1]), share=share, strength=strength, alpha=inference.alpha,
        seed=inference.seed,
    )  # fmt: skip


def _by_length(part: Part, grades: JudgeAgreement, confidence: float) -> tuple[tuple[LengthPart, ...], str]:
    """Return the bias by length of the documents that both judged, and the unit of lengths; () without texts."""
    lengths = None if grades.apart[0, 1] else lengths_of(part.collection)
    if lengths is None:
        return (), ""
    rows = np.flatnonzero(grades.panel.judged.all(axis=1))
    reference, judge = grades.panel.grades[rows].T
    known = lengths.known(grades.panel.doc_ids.take(places_of(rows)))
    return bias_by_length(reference, judge, known, grades.panel.query[rows], confidence=confidence), lengths.unit


def _corrected(
    part: Part, reference: JudgmentSet, asked: JudgmentSet, runs: list[Run], results: list[ResultTable], human: int,
    protocol: BoundProtocol,
) -> tuple[SampledMeans | None, str]:  # fmt: skip
    """Return the means under the judge corrected by the reference, or why there are none."""
    inference = protocol.protocol.inference
    if part.measure.aggregate != "mean":
        return None, tr("{measure} is no plain mean over queries.", measure=usual_name(part.measure))
    of_judge = results[1]
    if not protocol.protocol.scope.queries and len(asked.qrels.query_ids) > len(part.query_ids):
        of_judge = evaluate(asked.qrels, runs, [part.measure], part.options)
    ids, model = _whole(of_judge, part.measure, asked)
    own, values = _whole(results[0], part.measure, reference)
    known = {query: number for number, query in enumerate(own)}
    places = np.array([number for number, query in enumerate(ids) if query in known], dtype=np.int64)
    task = reference.task
    if task is not None and task.unit == "pair":
        return None, tr("{reference} judged a sample of documents within queries, not whole queries.",
                        reference=reference.name)  # fmt: skip
    if task is not None:
        begun = {ids[place] for place in judged_in_part(task, reference.qrels, ids, places.tolist())}
        places = np.array([place for place in places.tolist() if ids[place] in task.drawn and ids[place] not in begun],
                          dtype=np.int64)  # fmt: skip
    drawn = len(places) == len(ids) and len(ids) > human
    if drawn:
        places = np.sort(np.random.default_rng(inference.seed).choice(len(ids), human, replace=False))
    if len(places) < FEWEST:
        return None, trn("{reference} and {judge} both judged only {n} query; a correction takes {least} or more.",
                         "{reference} and {judge} both judged only {n} queries; a correction takes {least} or more.",
                         len(places), reference=reference.name, judge=asked.name, least=FEWEST)  # fmt: skip
    if len(places) == len(ids):
        return None, tr("{reference} has judged all queries, and as many are to be drawn: its own means are known.",
                        reference=reference.name)  # fmt: skip
    sample = sample_of(ids, places.tolist(), reference.task if not drawn else None)
    of_human = values[:, [known[ids[place]] for place in places.tolist()]]
    means = corrected_means(model, of_human, sample, level=inference.confidence, seed=inference.seed)
    whole = values.mean(axis=1) if drawn else np.full(len(values), np.nan)
    return SampledMeans(means, drawn, whole, ids, sample, model, of_human), ""


def _of_documents(judge: JudgmentSet) -> bool:
    """Return whether a judge's file says that documents were drawn within queries, with inclusion probabilities."""
    return judge.task is not None and judge.task.unit == "pair"


def _without_reference(under: SystemsUnderJudge, reference: str) -> SystemsUnderJudge:
    """Return the runs under a judge beside a reference that judged a sample of documents: under it runs have no values,
    since all other documents would count as not relevant."""
    return replace(
        under, reference_values=np.full(len(under.values), np.nan), order=None, pairs=None, family_gain=None,
        reason=tr("{reference} judged a sample of documents, under which runs have no values.", reference=reference),
    )  # fmt: skip


def _by_documents(
    part: Part, reference: JudgmentSet, asked: JudgmentSet, runs: list[Run], results: list[ResultTable],
    protocol: BoundProtocol, against: str, *, asked_for: bool,
) -> tuple[DocumentCorrected | None, str]:  # fmt: skip
    """Return the means under the judge corrected by a sample of documents, or why there are none. Raises OptionError
    where the sample was ``asked_for`` and there is none."""
    why = ""
    if reference.task is None or reference.task.unit != "pair":
        why = tr("{reference} says no inclusion probabilities of documents: draw documents with “irviewer agreement "
                 "--draw 100 --unit pair”, and open the filled file.", reference=reference.name)  # fmt: skip
    elif part.options.judged_only:
        why = tr("Judged only: documents that are not judged are removed, so a sample of documents corrects no mean.")
    elif part.measure.name not in ADDITIVE:
        why = tr("A sample of documents corrects sums over documents ({measures}); {measure} is none: its value "
                 "depends also on unjudged documents, as nDCG does on the ideal ranking. Draw whole queries, or take "
                 "xinfAP or infNDCG on qrels with strata.", measure=usual_name(part.measure),
                 measures=", ".join(ADDITIVE))  # fmt: skip
    if why and asked_for:
        raise OptionError(why)
    if why or reference.task is None:
        return None, why
    _check_run(against, tuple(run.name for run in runs))
    of_judge = results[1]
    if not protocol.protocol.scope.queries and len(asked.qrels.query_ids) > len(part.query_ids):
        of_judge = evaluate(asked.qrels, runs, [part.measure], part.options)
    ids, model = _whole(of_judge, part.measure, asked)
    if len(ids) < FEWEST:
        return None, trn("{judge} judged only {n} query.", "{judge} judged only {n} queries.", len(ids),
                         judge=asked.name)  # fmt: skip
    return document_corrected(
        reference.task, reference.qrels, asked.qrels, runs, part.measure, ids, model, part.options,
        level=protocol.protocol.inference.confidence, against=against, seed=protocol.protocol.inference.seed,
    ), ""  # fmt: skip


def _whole(result: ResultTable, measure: Measure, judge: JudgmentSet) -> tuple[tuple[str, ...], Floats]:
    """Return the queries that a judge has judged and that all runs have a value of, and the values float64[N, Q]."""
    _, values = result.of(measure)
    judged = np.array([query in judge.qrels.query_index and bool(judge.qrels.judgments(query))
                       for query in result.query_ids], dtype=np.bool_)  # fmt: skip
    kept = judged & ~np.isnan(values).any(axis=0)
    return tuple(query for query, keep in zip(result.query_ids, kept.tolist(), strict=True) if keep), values[:, kept]


def _planned(
    sampled: SampledMeans, runs: tuple[str, ...], against: str, inference: Inference
) -> PlannedOf | None:  # fmt: skip
    """Return the means that queries are planned for; None where the sample is too small to say. Raises OptionError."""
    _check_run(against, runs)
    if sampled.means.n < FEWEST_TUNED:
        return None
    if not against:
        return PlannedOf("", runs, sampled.means)
    base = runs.index(against)
    others = [place for place in range(len(runs)) if place != base]
    differences = corrected_means(
        (sampled.model - sampled.model[base])[others], (sampled.human - sampled.human[base])[others], sampled.sample,
        level=inference.confidence, seed=inference.seed,
    )  # fmt: skip
    return PlannedOf(against, tuple(runs[place] for place in others), differences) if others else None


def _check_run(name: str, runs: tuple[str, ...]) -> None:
    if name and name not in runs:
        raise OptionError(tr("There is no run {name}. The runs are {names}.", name=name, names=name_some(runs)))


def _named_apart(judges: list[JudgmentSet]) -> list[JudgmentSet]:
    """Return judges with distinct names: of two of one name the later gets another one."""
    named: list[JudgmentSet] = []
    for each in judges:
        named.append(replace(each, name=free_name(each.name, [other.name for other in named])))
    return named


def _chosen(others: list[JudgmentSet], name: str) -> JudgmentSet:
    """Return the judge of a name, the first for "". Raises OptionError."""
    for each in others:
        if name in ("", each.name):
            return each
    raise OptionError(tr("There is no judge {name}. The judges are {names}.", name=name,
                         names=", ".join(each.name for each in others)))  # fmt: skip


def _people(
    reference: JudgmentSet, others: list[JudgmentSet], asked: JudgmentSet, query_ids: tuple[str, ...], scoring: Scoring
) -> AlternativeTest | None:
    """Return the test of the judge against the people: all other judges that are no model and not merged."""
    people = [each for each in (reference, *others) if each is not asked and _is_person(each)]
    if len(people) < 2:
        return None
    panel = panel_of([*people, asked]).of_queries(query_ids)
    return alternative_test(
        panel.grades[:, :-1], panel.grades[:, -1], panel.query, [each.name for each in people], name=asked.name,
        scoring=scoring,
    )  # fmt: skip


def _page(
    grades: JudgeAgreement, systems: SystemsByJudge, results: list[ResultTable], k: int,
    people: AlternativeTest | None, epsilon: float | None, alpha: float, corrected_by: SampledMeans | None, reason: str,
    planned: PlannedOf | None, needed: NeededOf | None, by_length: tuple[LengthPart, ...], unit: str,
    stressed: Stress | None, second: tuple[SecondPerson, ...], sharing: int,
) -> JudgePage:  # fmt: skip
    under = systems.judges[1]
    order, best = _order(under.counts), _order(under.top_counts)
    if best == "holds" and under.top_counts is not None and under.top_counts.opposite:
        best = "open"  # of so few pairs a turned one counts, decided or not
    rows = np.flatnonzero(under.top_runs)
    sign = 1.0 if systems.measure.higher_is_better else -1.0
    tau = math.nan
    if under.order is not None and len(rows) > 1:
        tau = float(correlations(sign * under.reference_values[None, rows], sign * under.values[None, rows])[0][0])
    shift = under.values - under.reference_values
    p_shift = p_favoured = np.full(len(shift), np.nan)
    if under.order is not None and len(under.queries) > 1:
        delta = _by_query(results[1], systems, under) - _by_query(results[0], systems, under)
        p_shift = p_corrected(t_column(delta).p)
        p_favoured = p_corrected(t_column(delta - delta.mean(axis=0)).p)
    height: Status = "turns" if bool((p_shift < alpha).any()) else "open"
    return JudgePage(grades, systems, k, order, best, height, tau, shift, p_shift, p_favoured, corrected_by, reason,
                     planned, needed, by_length, unit, stressed, people, epsilon, alpha, second, sharing)  # fmt: skip


def _by_query(result: ResultTable, systems: SystemsByJudge, under: SystemsUnderJudge) -> Floats:
    """Return the values of the runs on the queries in common, float64[N, Q]."""
    _, values = result.of(systems.measure)
    place = {query: number for number, query in enumerate(result.query_ids)}
    return np.asarray(values[:, [place[query] for query in under.queries]])


def _order(counts: PairCounts | None) -> Status:
    """Return whether an order holds: some pair is decided under both alike, none is turned that either decides."""
    if counts is None:
        return "open"
    if counts.opposite_both:
        return "turns"
    return "holds" if counts.same_both and not counts.opposite_one else "open"


# --- what is shown ---


def tables(page: JudgePage, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``judge`` (four uses), ``grades``, ``bias``, ``order``, ``pairs``, ``turned``, ``height`` and,
    where they are known, ``length``, ``ceiling``, ``corrected``, ``differences``, ``needed``, ``family``, ``stress``,
    ``people`` and ``epsilon``; ``widths`` where it is named."""
    by_length = [_by_length_table(page)] if page.by_length else []
    every = [_uses(page), _grades(page), _bias(page), *by_length, _orders(page),
             *([_ceiling(page)] if page.second else []), _pairs(page), _turned(page),
             _height(page)]  # fmt: skip
    if page.corrected is not None:
        every.append(_corrected_means(page, page.corrected))
    if page.by_documents is not None:
        every.append(_corrected_by_documents(page, page.by_documents))
    every += _differences(page)
    if page.needed is not None:
        every.append(_needed_queries(page, page.needed))
    if page.under.family_gain is not None:
        every.append(_family(page, page.under.family_gain))
    if page.stress is not None:
        every.append(_stress(page, page.stress))
    if page.people is not None:
        every.append(left_out(page.people, page.epsilon))
        if page.people.tested:
            every.append(sweep(page.people, page.epsilon))
    further = () if page.planned is None else (_widths(page, page.planned),)
    return ViewResult(page, tuple(every), sentences=_sentences(page), further=further)


def headline(page: JudgePage) -> str:
    """Return the verdict in a sentence about these runs and queries."""
    runs = trn("{n} run", "{n} runs", len(page.systems.runs))
    queries = trn("{n:,} query", "{n:,} queries", len(page.under.queries))
    if page.under.order is None:
        return tr("The order of systems is not known: {reason}", reason=page.under.reason)
    order = {
        "holds": tr("the order agrees where it is decided"), "open": tr("whether the order agrees is open"),
        "turns": tr("the order does not agree"),
    }[page.order]  # fmt: skip
    height = tr("height does not") if page.order == "holds" and page.height == "turns" else {
        "turns": tr("the height of values does not agree"), "open": tr("no difference in height is shown"),
    }[page.height]  # fmt: skip
    return tr("On these {runs} and {queries}, {order}; {height}.", runs=runs, queries=queries, order=order,
              height=height)  # fmt: skip


def _sentences(page: JudgePage) -> tuple[Remark, ...]:
    judge = page.names[1]
    said = [Remark("headline", headline(page), warns=False)]
    if page.under.order is not None:
        places = np.flatnonzero(page.p_favoured < page.alpha)
        text = tr(
            "Favours any run: {shown} (paired t of each shift against that of all runs, Holm).",
            shown=_favoured(page, places),
        )
        if np.isnan(page.p_favoured).all():
            text = tr("Favours any run: not known, as no shift can be tested.")
        said.append(Remark("favoured", text, {"runs": len(places)}, warns=False))
    if page.under.family_gain is None:
        said.append(Remark("family", tr(
            "Favours its own family: not known, as no run is marked as using a model of the judge's family."
        ), warns=False))  # fmt: skip
    said += _said_of_correction(page)
    if page.sampled_documents:
        said.append(Remark("sampled", tr(
            "{reference} judged a sample of documents: order, pairs, height and stress are not known, as all other "
            "documents would count as not relevant; corrected means are.", reference=page.names[0],
        )))  # fmt: skip
    if page.people is None:
        said.append(untested())
    else:
        said += said_of_people(page.people, page.epsilon)
    said.append(Remark("scope", tr("This is about these runs and queries, and no forecast for others."), warns=False))
    units = looks_like_units(page.under.queries)
    if units:
        said.append(Remark("units", tr(
            "The ids look like conversations, {queries:,} queries in {units:,}. If queries of one are alike, p and "
            "intervals of this page are too sure, and too many pairs decided: it counts every query alone.",
            queries=len(page.under.queries), units=units,
        ), {"units": units}))  # fmt: skip
    if page.under.split_half is not None:
        said.append(Remark("halves", tr(
            "{judge} with itself on random halves, other queries in each: τ {tau}. That is no ceiling.", judge=judge,
            tau=quantity(page.under.split_half),
        ), warns=False))  # fmt: skip
    if page.under.order is not None and not page.second:
        said.append(Remark("ceiling", tr("No ceiling is known: it takes a second person's judgments of these queries."),
                           warns=False))  # fmt: skip
    return tuple(said)


def _family(page: JudgePage, gain: FamilyGain) -> Table:
    """Return what runs that use a model of the judge's family gain under it, what the others do, and the difference."""
    reference, judge = page.names
    others = len(page.systems.runs) - len(gain.runs)
    rows = ((tr("its own family"), len(gain.runs), gain.own, gain.ranks[0]),
            (tr("the others"), others, gain.others, gain.ranks[1]),
            (tr("advantage of its family"), None, gain.gain, gain.rank_gain))  # fmt: skip
    measure, title = page.systems.measure, tr("gain")
    tip = tr("Mean under {judge} less that under {reference}, above 0 where it is kinder", judge=judge,
             reference=reference)  # fmt: skip
    if not measure.higher_is_better:
        tip = tr("Mean under {reference} less that under {judge}, above 0 where {judge} is kinder: lower is better",
                 judge=judge, reference=reference)  # fmt: skip
    if measure.aggregate == "geometric":
        title = tr("gain, of logarithms")
        tip = tr("Mean of the logarithms under {judge} less that under {reference}, above 0 where it is kinder",
                 judge=judge, reference=reference)  # fmt: skip
    low, high = ([math.nan if (end := getattr(each, name)) is None else end for _, _, each, _ in rows]
                 for name in ("low", "high"))  # fmt: skip
    shown = tr("shown") if gain.warns else tr("not shown")
    notes = (
        Remark("family", tr(
            "Favours its own family: {shown} ({runs} against the others; {percent}, bootstrap of queries, "
            "widened for few).",
            shown=shown, runs=name_some(gain.runs), percent=level_text(page.grades.options.confidence),
        ), {"runs": list(gain.runs)}, warns=gain.warns),
        Remark("cause", tr("Runs of one family can gain by more than their family: by what else they have in common, "
                           "and weaker runs under a judge that tells systems less apart."),
               warns=False),
    )  # fmt: skip
    return Table("family", tr("What runs gain under {judge}", judge=judge), (
        column.text("group", tr("runs of"), [name for name, _, _, _ in rows]),
        column.count("runs", tr("runs"), [n for _, n, _, _ in rows]),
        column.difference("gain", title, [each.value for _, _, each, _ in rows], decides=False, tip=tip),
        column.interval("interval", tr("interval"), low, high, of="gain"),
        column.number("ranks", tr("ranks gained"), [ranks for _, _, _, ranks in rows], decimals=1, signed=True),
    ), keys=("own", "others", "advantage"), notes=notes)  # fmt: skip


def _favoured(page: JudgePage, places: Ints) -> str:
    """Return which of the runs are favoured, and which the opposite."""
    sign = 1.0 if page.systems.measure.higher_is_better else -1.0
    more = sign * (page.shift - page.shift.mean()) > 0
    favoured, others = (
        [page.systems.runs[place] for place in places.tolist() if more[place] == way] for way in (True, False)
    )
    said = [tr("shown for {runs}", runs=name_some(favoured))] if favoured else []
    if others:
        said.append(tr("the opposite is shown for {runs}", runs=name_some(others)))
    return "; ".join(said) or tr("not shown")


def _uses(page: JudgePage) -> Table:
    counts, top = page.under.counts, page.under.top_counts
    pair = page.grades.pair(0, 1)
    kappa, most = pair["kappa_level"].value, pair["kappa_level_max"].value
    said = {
        "order": "" if counts is None else trn(
            "{same} of {n} pair in the same order, {shown} shown for all such queries; {turned} turned, {decided} "
            "decided by either judge",
            "{same} of {n} pairs in the same order, {shown} shown for all such queries; {turned} turned, {decided} of "
            "them decided by either judge",
            counts.pairs, same=counts.same, shown=0 if page.under.order is None else page.under.order.alike,
            turned=counts.opposite, decided=counts.opposite_both + counts.opposite_one,
        ),
        "best": "" if top is None else trn(
            "{turned} of {n} pair among the {k} best turned",
            "{turned} of {n} pairs among the {k} best turned",
            top.pairs, turned=top.opposite, k=_best_of(page),
        ),
        "height": "" if np.isnan(page.shift).all() else tr(
                     "means of {judge} minus those of {reference}: {least} to {most}", judge=page.names[1],
                     reference=page.names[0], least=quantity(float(page.shift.min())),
                     most=quantity(float(page.shift.max()))),
        "documents": "" if kappa is None or most is None else tr("κ {kappa} of at most {most}", kappa=quantity(kappa),
                                                                 most=quantity(most)),
    }  # fmt: skip
    status = {"order": page.order, "best": page.best, "height": page.height, "documents": "open"}
    return Table("judge", tr("What it can be used for"), (
        column.text("use", tr("use"), list(USES), texts=list(USES.values())),
        column.text("status", tr("verdict"), [status[use] for use in USES],
                    texts=[STATUSES[status[use]] for use in USES]),
        column.text("found", tr("seen here"), [None] * len(USES), texts=[said[use] for use in USES]),
    ), keys=list(USES), notes=(Remark("decided", tr(
        "A verdict is of these runs and queries. “Holds where decided” says nothing of the pairs that are not "
        "decided, and “open” is no evidence that judges agree."
    ), warns=False),))  # fmt: skip


def _best_of(page: JudgePage) -> int:
    """Return how many runs the best are: all where there are fewer."""
    return min(page.k, len(page.systems.runs))


def _grades(page: JudgePage) -> Table:
    pair, at = page.grades.pair(0, 1), limit(page.grades.options.level)
    names = ["kappa_level", "kappa_level_max", "relevant", "nonrelevant", "kappa_quadratic", "same_grade"]
    shown = [pair[name] for name in names]
    shares = [float(((page.grades.panel.grades[both(page), place]) >= page.grades.options.level).mean())
              for place in (0, 1)]  # fmt: skip
    note = tr(
        "Relevant from grade {level}, of the pairs that both judged: {first} {share}, {second} {other}.",
        level=at,
        first=page.names[0],
        second=page.names[1],
        share=quantity(shares[0]),
        other=quantity(shares[1]),
    )
    return Table("grades", tr("Do the grades agree?"), (
        column.text("statistic", tr("statistic"), names, texts=[COEFFICIENTS[name].title for name in names]),
        column.number("value", tr("value"), [each.value for each in shown]),
        column.interval("interval", tr("interval"), [each.low for each in shown], [each.high for each in shown],
                        of="value"),
        column.count("pairs", tr("pairs"), [pair.pairs] * len(names)),
    ), keys=names, notes=(Remark("shares", note, {"shares": shares}, warns=False),
                          *(Remark("grades", text) for text in page.grades.notes)))  # fmt: skip


def both(page: JudgePage) -> Bools:
    """Return which pairs both judged, bool[U]."""
    return np.asarray(page.grades.panel.judged.all(axis=1))


def _bias(page: JudgePage) -> Table:
    """Return the judge's grades of the documents of each grade of the reference; empty where their scales differ."""
    reference, judge = page.grades.panel.grades[both(page)].T
    levels = [] if page.grades.apart[0, 1] else np.unique(reference).tolist()
    chosen = [judge[reference == level] for level in levels]
    notes = [Remark("extremes", tr("Any error draws the extremes to the middle: bias at the lowest and highest grade "
                                   "is no proof of leniency or severity."), warns=False)]  # fmt: skip
    if page.grades.apart[0, 1]:
        notes = [Remark("scales", tr("The judges' scales differ: there is no bias by grade."))]
    return Table("bias", tr("Bias by grade"), (
        column.grade("grade", tr("grade of {judge}", judge=page.names[0]), levels),
        column.count("pairs", tr("pairs"), [len(each) for each in chosen]),
        column.number("mean", tr("mean grade of {judge}", judge=page.names[1]),
                      [float(each.mean()) for each in chosen]),
        column.number("bias", tr("bias"), [float(each.mean()) - level
                                           for each, level in zip(chosen, levels, strict=True)]),
        column.share("equal", tr("equal"), [float((each == level).mean())
                                            for each, level in zip(chosen, levels, strict=True)]),
        *(column.share(f"gives_{number}", tr("gives {grade}", grade=limit(grade)),
                       [float((each == grade).mean()) for each in chosen], detail=True)
          for number, grade in enumerate(page.given.tolist(), start=1)),
    ), keys=levels, notes=tuple(notes))  # fmt: skip


def _by_length_table(page: JudgePage) -> Table:
    """Return the judge's bias in parts of the documents by length."""
    parts, (reference, judge) = page.by_length, page.names
    left_out = int(both(page).sum()) - sum(part.pairs for part in parts)
    notes = [
        Remark("beyond", tr("Long documents may be relevant more often, and errors draw extreme grades to the middle. "
                            "Beyond the grade: what is left when the mean bias at each grade of {judge} is taken away.",
                            judge=reference), warns=False),
        Remark("clusters", tr("Intervals have CR2 errors by query, for each part alone."), warns=False),
    ]  # fmt: skip
    if left_out:
        notes.append(Remark("unknown", trn("{n:,} pair without a known length is left out.",
                                           "{n:,} pairs without a known length are left out.", left_out)))  # fmt: skip
    return Table("length", tr("Bias by length of the document"), (
        column.number("shortest", tr("from {unit}", unit=page.unit), [part.shortest for part in parts], decimals=0),
        column.number("longest", tr("to {unit}", unit=page.unit), [part.longest for part in parts], decimals=0),
        column.count("pairs", tr("pairs"), [part.pairs for part in parts]),
        column.number("bias", tr("bias of {judge}", judge=judge), [part.bias for part in parts]),
        column.interval("interval", tr("interval"), [part.low for part in parts], [part.high for part in parts],
                        of="bias"),
        column.number("beyond", tr("beyond the grade"), [part.beyond for part in parts]),
    ), keys=[part.shortest for part in parts], notes=tuple(notes))  # fmt: skip


def _orders(page: JudgePage) -> Table:
    under = page.under
    tau, tau_ap = (None, None) if under.order is None else (under.order.tau, under.order.tau_ap)
    names = ["tau", "tau_ap", "tau_best"]
    texts = [
        tr("τ-b of all runs"),
        tr("τ-AP"),
        trn(
            "τ-b of the best",
            "τ-b of the {n} best",
            _best_of(page),
        ),
    ]
    ends = [tau, tau_ap, None]
    values = [None if tau is None else tau.value, None if tau_ap is None else tau_ap.value,
              None if math.isnan(page.tau_best) else page.tau_best]  # fmt: skip
    few = tr("A τ of few runs takes few values: read the pairs.")
    intervals = () if under.order is None else (_shown_pairs(under.order, page.grades.options.confidence),)
    return Table("order", tr("Do they order the systems alike?"), (
        column.text("statistic", tr("statistic"), names, texts=texts),
        column.number("value", tr("value"), values),
        column.interval("interval", tr("interval"), [None if each is None else each.low for each in ends],
                        [None if each is None else each.high for each in ends], of="value"),
    ), keys=names, notes=(Remark("few", few, warns=False), *intervals,
                          *(Remark("order", text) for text in under.notes)))  # fmt: skip


def _shown_pairs(order: OrderAgreement, level: float) -> Remark:
    """Return what the interval of τ-b rests on, or why there is none."""
    if order.tau.low is None:
        text = (
            tr("τ has no interval: these queries and runs do not show how a single pair of systems is ordered.")
            if (order.alike + order.turned == 0)
            else tr("τ of so few systems has no interval: read the pairs.")
        )
    else:
        text = trn(
            "Of {n} pair at least {alike} is ordered alike over all such queries, and at least {turned} otherwise "
            "(closed test of paired t-tests under both, {level}); the interval of τ-b leaves the rest open, so it is "
            "wide. τ-AP has none.",
            "Of {n} pairs at least {alike} are ordered alike over all such queries, and at least {turned} otherwise "
            "(closed test of paired t-tests under both, {level}); the interval of τ-b leaves the rest open, so it is "
            "wide. τ-AP has none.",
            order.pairs,
            alike=order.alike,
            turned=order.turned,
            level=level_text(level),
        )
    return Remark("shown", text, {"alike": order.alike, "turned": order.turned, "pairs": order.pairs}, warns=False)


def _ceiling(page: JudgePage) -> Table:
    """Return how far other people order the systems as the reference does, on the same queries as the judge."""
    (reference, judge), rows = page.names, page.second

    def of(name: str) -> list[float | None]:
        values = [float(getattr(each, name)) for each in rows]
        return [None if math.isnan(value) else value for value in values]

    few = [] if page.people_sharing <= MOST else [Remark("most", tr(
        "The {n} people are shown who share the most queries, of {people:,}.", n=MOST, people=page.people_sharing,
    ))]  # fmt: skip
    return Table("ceiling", tr("Do two people order the systems alike?"), (
        column.text("person", tr("second person"), [each.name for each in rows]),
        column.count("queries", tr("queries"), [each.queries for each in rows]),
        column.count("pairs", tr("pairs of both"), [each.pairs for each in rows]),
        column.number("tau", tr("τ-b of two people"), of("tau")),
        column.number("judge_tau", tr("τ-b of {judge}", judge=judge), of("judge_tau")),
        column.number("tau_ap", tr("τ-AP of two people"), of("tau_ap"), detail=True),
        column.number("judge_tau_ap", tr("τ-AP of {judge}", judge=judge), of("judge_tau_ap"), detail=True),
    ), keys=[each.name for each in rows], notes=(
        Remark("same", tr("Each row has the queries that {reference}, the second person and {judge} judged. Two people "
                          "are the ceiling at hand. Where {judge} agrees more, it may share what is particular to "
                          "{reference}, or the second person may err more.",
                          reference=reference, judge=judge), warns=False),
        Remark("counted", tr("All judges count as people that are no model and not merged."), warns=False), *few,
    ))  # fmt: skip


def _pairs(page: JudgePage) -> Table:
    """Return the numbers of pairs of systems, alike and turned, by how many of the judges decide them."""
    titles = {
        "same_both": tr("alike, both decide"), "same_one": tr("alike, one decides"),
        "same_neither": tr("alike, none decides"), "opposite_both": tr("turned, both decide"),
        "opposite_one": tr("turned, one decides"), "opposite_neither": tr("turned, none decides"),
        "tied": tr("equal means under one"),
    }  # fmt: skip
    counts, top = page.under.counts, page.under.top_counts
    names = [] if counts is None else list(titles)
    return Table("pairs", tr("Pairs of systems"), (
        column.text("kind", tr("pairs"), names, texts=[titles[name] for name in names]),
        column.count("all", tr("all runs"), [getattr(counts, name) for name in names]),
        column.count("best", trn(
            "the best",
            "the {n} best",
            _best_of(page),
        ),
                     [None if top is None else getattr(top, name) for name in names]),
    ), keys=names, notes=(_how_decided(page),))  # fmt: skip


def _turned(page: JudgePage) -> Table:
    pairs, runs = page.under.opposite, page.systems.runs
    return Table("turned", trn("{n} pair of systems turned", "{n} pairs of systems turned", len(pairs)), (
        column.run("first", tr("run"), [runs[pair.first] for pair in pairs]),
        column.run("second", tr("over"), [runs[pair.second] for pair in pairs]),
        column.number("by_reference", page.names[0], [pair.by_reference for pair in pairs]),
        column.number("by_judge", page.names[1], [pair.by_judge for pair in pairs]),
        column.flag("decided_by_reference", tr("decided by {judge}", judge=page.names[0]),
                    [pair.significant_by_reference for pair in pairs]),
        column.flag("decided_by_judge", tr("decided by {judge}", judge=page.names[1]),
                    [pair.significant_by_judge for pair in pairs]),
    ), keys=[(runs[pair.first], runs[pair.second]) for pair in pairs], notes=(_how_decided(page),))  # fmt: skip


def _how_decided(page: JudgePage) -> Remark:
    """Return how a pair is decided under a judge, which the line of the protocol does not say."""
    n = len(page.systems.runs)
    return Remark("decided", trn(
        "Decided: paired t-test of the one pair of systems, p < {alpha}.",
        "Decided: paired t-test, Holm over all {n} pairs of systems, p < {alpha}.",
        n * (n - 1) // 2, alpha=limit(page.alpha),
    ), {"alpha": page.alpha},
                  warns=False)  # fmt: skip


def _height(page: JudgePage) -> Table:
    under, runs = page.under, page.systems.runs
    return Table("height", tr("How good a system is"), (
        column.run("run", tr("run"), list(runs)),
        column.number("reference", page.names[0], under.reference_values),
        column.number("judge", page.names[1], under.values),
        column.number("shift", tr("shift"), page.shift),
        column.p_value("p_shift", tr("p of no shift, Holm"), page.p_shift, None, detail=True),
        column.p_value("p_favoured", tr("p of the shift of all, Holm"), page.p_favoured, None, detail=True),
        column.rank("rank_reference", tr("rank of {judge}", judge=page.names[0]),
                    [None] * len(runs) if page.sampled_documents else under.ranks + under.rank_change),
        column.rank("rank_judge", tr("rank of {judge}", judge=page.names[1]), under.ranks),
    ), keys=list(runs), opens="run", notes=(
        Remark("biased", tr("The mean under {judge} is no estimate of that under {reference}: correct it by "
                            "queries that {reference} judged.", judge=page.names[1], reference=page.names[0]),
               warns=False),
    ))  # fmt: skip


def _stress(page: JudgePage, stressed: Stress) -> Table:
    """Return the agreement of the orders without tuned systems, and with them."""
    (reference, judge), total = page.names, len(page.systems.runs)
    names = {"tau": tr("τ-b of all runs"), "tau_ap": tr("τ-AP"), "turned": tr("pairs turned"),
             "decided": tr("turned and decided by either")}  # fmt: skip
    counts = [name in ("turned", "decided") for name in names]
    cases = [getattr(stressed.after, name) for name in names]
    cases = [case[~np.isnan(case)] for case in cases]
    ways = (
        trn("All {n:,} way to choose them is taken.", "All {n:,} ways to choose them are taken.",
            len(stressed.after.tau))
        if stressed.every else
        trn("{n:,} draw of them, with the seed of the protocol.", "{n:,} draws of them, with the seed of the protocol.",
            len(stressed.after.tau))
    )  # fmt: skip
    notes = (
        Remark("worst", tr("A worst case, no forecast. {tuned} of {total} systems are re-ranked by the grades of "
                           "{judge} with strength {strength}; no document is found or lost.", tuned=stressed.tuned,
                           total=total, judge=judge, strength=limit(stressed.strength)), warns=False),
        Remark("ways", ways, warns=False), _how_decided(page),
        Remark("gains", tr("A tuned system gains {judged} under {judge} and {own} under {reference}, the mean of all.",
                           judged=quantity(float(stressed.by_judge.mean())), judge=judge,
                           own=quantity(float(stressed.by_reference.mean())), reference=reference),
               {"by_judge": float(stressed.by_judge.mean()), "by_reference": float(stressed.by_reference.mean())},
               warns=False),
    )  # fmt: skip
    return Table("stress", tr("What if systems were tuned to this judge?"), (
        column.text("statistic", tr("statistic"), list(names), texts=list(names.values())),
        column.number("before", tr("as they are"), [float(getattr(stressed.before, name)[0]) for name in names],
                      whole=counts),
        column.number("mean", tr("tuned, mean"), [float(case.mean()) if len(case) else None for case in cases]),
        column.number("least", tr("least"), [float(case.min()) if len(case) else None for case in cases],
                      whole=counts),
        column.number("greatest", tr("greatest"), [float(case.max()) if len(case) else None for case in cases],
                      whole=counts),
    ), keys=list(names), notes=notes)  # fmt: skip


def _corrected_columns(means: CorrectedMeans | DocumentMeans, runs: Sequence[str], judge: str) -> tuple[Column, ...]:
    return (
        column.run("run", tr("run"), list(runs)),
        column.number("judge", tr("{judge} alone", judge=judge), means.model),
        column.number("corrected", tr("corrected"), means.values),
        column.interval("interval", tr("interval"), means.low, means.high, of="corrected"),
        column.flag("outside", tr("{judge} alone lies outside", judge=judge), means.misleads),
        column.number("weight", "λ", means.weight, decimals=2,
                      tip=tr("How much the model counts, from 0 to 1; near 0 its labels did not help")),
    )  # fmt: skip


def _corrected_means(page: JudgePage, sampled: SampledMeans) -> Table:
    means, runs, (reference, judge) = sampled.means, page.systems.runs, page.names
    notes = [Remark("sample", tr("{n:,} of {total:,} queries under {reference}, drawn at random with the seed of the "
                                 "protocol: a rehearsal, as {reference} has judged all.", n=means.n, total=means.total,
                                 reference=reference) if sampled.drawn else
                    tr("The {n:,} of {total:,} queries that {reference} has judged count as drawn at random.",
                       n=means.n, total=means.total, reference=reference), warns=False)]  # fmt: skip
    if bool(np.isnan(means.low).any()):
        notes.append(Remark("withheld", tr("An interval is withheld where so few queries do not tell how far the mean "
                                           "may be off.")))  # fmt: skip
    return Table("corrected", tr("Corrected means"), (
        *_corrected_columns(means, runs, judge),
        column.number("worth", tr("worth, queries"), means.worth, decimals=0,
                      tip=tr("Queries that {judge} alone would have to judge for so small a standard error; near {n} "
                             "the model did not help", judge=reference, n=means.n)),
        *([column.number("reference", tr("{reference}, all", reference=reference), sampled.reference)]
          if sampled.drawn else []),
    ), keys=list(runs), opens="run", notes=tuple(notes))  # fmt: skip


def _corrected_by_documents(page: JudgePage, sampled: DocumentCorrected) -> Table:
    means, runs, (reference, judge) = sampled.means, page.systems.runs, page.names
    notes = [Remark("sample", trn(
        "{reference} judged {n:,} document that was drawn with a known probability, of {queries:,} of {total:,} "
        "queries; the correction of its grade counts one over that probability.",
        "{reference} judged {n:,} documents that were drawn with known probabilities, of {queries:,} of {total:,} "
        "queries; the correction of each grade counts one over its probability.",
        sampled.documents, reference=reference, queries=sampled.queries, total=sampled.total,
    ), warns=False), Remark("frame", tr(
        "Only documents that could be drawn are corrected; of all others the grade of {judge} counts, and no grade is "
        "not relevant.",
        judge=judge,
    ), warns=False)]  # fmt: skip
    if sampled.open:
        notes.append(Remark("open", trn(
            "{n:,} drawn document is not judged; the judged ones of its stratum count for it too, which is right only "
            "if what was judged does not depend on the grade.",
            "{n:,} drawn documents are not judged; the judged ones of their stratum count for them too, which is right "
            "only if what was judged does not depend on the grade.",
            sampled.open,
        )))  # fmt: skip
    notes += _withheld(means)
    if not bool(np.isnan(means.low).all()):
        notes.append(Remark("weight", tr(
            "λ, how much the model counts, is tuned where the grades of {reference} add to the values of {least} "
            "queries or more, and else 1; intervals are widened until, in samples drawn from these queries, they cover "
            "the mean as often as they say.", reference=reference, least=FEWEST_TUNED_QUERIES,
        ), warns=False))  # fmt: skip
    return Table("corrected", tr("Corrected means"), (
        *_corrected_columns(means, runs, judge),
    ), keys=list(runs), opens="run", notes=tuple(notes))  # fmt: skip


def _withheld(means: DocumentMeans) -> list[Remark]:
    """Return why intervals are withheld, nothing where all are there."""
    if not bool(np.isnan(means.low).any()):
        return []
    return [Remark("withheld", tr(
        "An interval is withheld where the judged documents count in fewer than {least} queries, or do not tell how "
        "far the mean may be off.", least=FEWEST_QUERIES,
    ))]  # fmt: skip


def _differences(page: JudgePage) -> list[Table]:
    """Return the corrected differences of the other runs from the one that is named, nothing without one."""
    notes: list[Remark] = []
    means: DocumentMeans | CorrectedMeans
    if page.by_documents is not None and page.by_documents.differences is not None:
        against, means = page.by_documents.against, page.by_documents.differences
        runs = tuple(run for run in page.systems.runs if run != against)
        notes += _withheld(means)
    elif page.planned is not None and page.planned.against:
        against, runs, means = page.planned.against, page.planned.runs, page.planned.means
        if bool(np.isnan(means.low).any()):
            notes.append(Remark("withheld", tr("An interval is withheld where so few queries do not tell how far the "
                                               "mean may be off.")))  # fmt: skip
    else:
        return []
    notes.append(Remark("paired", trn(
        "Differences are corrected by themselves, query by query: their λ and interval are not those of the means. p "
        "of no difference: {n:,} run.",
        "Differences are corrected by themselves, query by query: their λ and interval are not those of the means. p "
        "of no difference: Holm over {n:,} runs.", len(runs),
    ), warns=False))  # fmt: skip
    return [Table("differences", tr("Corrected differences from {run}", run=against), (
        column.run("run", tr("run"), list(runs)),
        column.difference("judge", tr("{judge} alone", judge=page.names[1]), means.model),
        column.difference("corrected", tr("corrected"), means.values),
        column.interval("interval", tr("interval"), means.low, means.high, of="corrected", signed=True),
        column.p_value("p", tr("p"), p_corrected(means.p), None),
        column.number("weight", "λ", means.weight, decimals=2,
                      tip=tr("How much the model counts, from 0 to 1; near 0 its labels did not help")),
    ), keys=list(runs), opens="run", notes=tuple(notes))]  # fmt: skip


def _widths(page: JudgePage, planned: PlannedOf) -> Table:
    """Return the widest half-width by the number of queries that the reference judges."""
    (reference, judge), numbers = page.names, planned.numbers
    corrected, alone = planned.half_widths()
    title = (
        tr("Half-width by queries of {reference}, differences from {run}", reference=reference, run=planned.against)
        if planned.against else tr("Half-width by queries of {reference}", reference=reference)
    )  # fmt: skip
    return Table("widths", title, (
        column.count("queries", tr("queries of {judge}", judge=reference), numbers),
        column.number("corrected", tr("corrected"), corrected),
        column.number("alone", tr("{reference} alone", reference=reference), alone),
    ), keys=numbers.tolist(), notes=(
        Remark("widest", trn("The interval of {n:,} run, with the spreads of {drawn:,} queries.",
                             "The widest of the intervals of {n:,} runs, with the spreads of {drawn:,} queries.",
                             len(planned.runs), drawn=planned.means.n), warns=False),
        Remark("judged", trn(
            "{judge} has judged {n:,} query.",
            "{judge} has judged {n:,} queries.",
            planned.means.total, judge=judge,
        ),
               warns=False),
    ))  # fmt: skip


def _needed_queries(page: JudgePage, needed: NeededOf) -> Table:
    (reference, _), sampled = page.names, page.corrected
    assert sampled is not None
    half, total = limit(needed.queries.half), sampled.means.total
    title = (
        tr("Queries of {reference} for ±{half}, differences from {run}", reference=reference, half=half,
           run=needed.against)
        if needed.against else tr("Queries of {reference} for ±{half}", reference=reference, half=half)
    )  # fmt: skip
    by_correction, alone = needed.queries.corrected, needed.queries.alone
    notes = (
        Remark("new", tr("Plan a new sample: a sample that grows until its interval is narrow makes it too narrow. The "
                         "limits are those of the spreads, from the kurtosis of {n:,} queries (Bonett 2006); in "
                         "simulations 95 % limits held .91 to .96 of the time, with half of the values 0 and long "
                         "tails .87.", n=sampled.means.n),
               warns=False),
        Remark("unreached", tr("Empty: more than the {total:,} queries that the model judged would be needed.",
                               total=total), warns=False),
        Remark("widened", tr("Below {least} queries intervals are further widened by a simulation, and with any "
                             "number by the skewness of values, which is not counted here.", least=CALIBRATED),
               warns=False),
    )  # fmt: skip
    return Table("needed", title, (
        column.run("run", tr("run"), list(needed.runs)),
        column.number("corrected", tr("corrected"), by_correction.needed, decimals=0),
        column.interval("corrected_limits", tr("a new sample"), by_correction.low, by_correction.high, of="corrected",
                        decimals=0),
        column.number("alone", tr("{reference} alone", reference=reference), alone.needed, decimals=0),
        column.interval("alone_limits", tr("a new sample, alone"), alone.low, alone.high, of="alone", decimals=0),
    ), keys=list(needed.runs), opens="run", notes=notes)  # fmt: skip


def _said_of_correction(page: JudgePage) -> list[Remark]:
    """Return what the corrected means and the half-width say, or why there is nothing."""
    if page.by_documents is not None:
        means = page.by_documents.means
        return [_said_of_outside(page, means.misleads, means.low), Remark("needed", tr(
            "How many documents a half-width takes is not computed; of whole queries it is."
        ), warns=False)]  # fmt: skip
    sampled = page.corrected
    if sampled is None:
        return [Remark("corrected", tr("No means are corrected: {reason}", reason=page.reason), warns=False)]
    said = [_said_of_outside(page, sampled.means.misleads, sampled.means.low)]
    if page.needed is None:
        return said
    asked, half, (reference, judge) = page.needed.queries, limit(page.needed.queries.half), page.names
    alone = tr(
        "{reference} alone has to judge {n} queries for ±{half} of each (a new sample of {low}–{high})",
        reference=reference, half=half, n=_most(asked.alone.needed), low=_most(asked.alone.low),
        high=_most(asked.alone.high),
    )  # fmt: skip
    if bool(np.isnan(asked.corrected.needed).any()):
        sentence = tr("{alone}; with {judge} more than the {total:,} queries that it judged.", alone=alone, judge=judge,
                  total=sampled.means.total)  # fmt: skip
    else:
        low, high, n = (_most(numbers) for numbers in (asked.corrected.low, asked.corrected.high,
                                                       asked.corrected.needed))  # fmt: skip
        sentence = tr("{alone}; with {judge} {n} ({low}–{high}).", alone=alone, judge=judge, n=n, low=low, high=high)
    said.append(Remark("needed", sentence, warns=False))
    return said


def _said_of_outside(page: JudgePage, misleads: Bools, low: Floats) -> Remark:
    """Return of how many runs the judge's own mean lies outside the corrected interval."""
    outside = int(np.count_nonzero(misleads))
    if bool(np.isnan(low).all()):
        return Remark("corrected", tr(
            "No corrected mean has an interval, so it is not known whether the mean of {judge} alone is off.",
            judge=page.names[1],
        ), {"outside": 0}, warns=False)  # fmt: skip
    return Remark("corrected", trn(
        "The mean of {judge} alone lies outside {outside} of {n} corrected interval.",
        "The mean of {judge} alone lies outside {outside} of {n} corrected intervals.",
        int(np.count_nonzero(~np.isnan(low))), judge=page.names[1], outside=outside,
    ), {"outside": outside}, warns=False)  # fmt: skip


def _most(numbers: Floats) -> str:
    """Return the largest number as text; "…" where one is more than there are."""
    return "…" if bool(np.isnan(numbers).any()) else decimal(f"{int(numbers.max()):,}")


def _followed(page: JudgePage, bound: BoundProtocol) -> BoundProtocol:
    """Return the protocol whose line names ε where the alternative annotator test has people to test."""
    if page.people is not None and page.people.tested:
        return bound
    return replace(bound, uses=tuple(use for use in bound.uses if use != "epsilon"))


VIEW = ResultView(
    "judge", compute, tables, title=trc("who judges", "Judge"),
    uses=("rules", "scope", "alpha", "confidence", "samples", "seed", "epsilon"),
    needs=("judgments", "lists"), pins={"interval": ("percentile", tr("agreement of judges"))}, follows=_followed,
    knows_samples=True,
)  # fmt: skip
