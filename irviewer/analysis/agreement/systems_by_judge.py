"""Systems under each judge: values and ranks, agreement of the orders, and which systems a judge favours."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.analysis.agreement.draws import Draws, expanded, percentiles
from irviewer.analysis.agreement.grades_of_runs import (
    GradeDifference,
    TopDocuments,
    depth_of,
    grade_difference,
    judged_share,
    top_documents,
)
from irviewer.analysis.agreement.judge_agreement import AgreementOptions, Estimate, estimate
from irviewer.analysis.agreement.orders import (
    FEWEST_RUNS,
    OrderAgreement,
    correlations,
    order_agreement,
    ranks_of,
    split_half,
)
from irviewer.analysis.agreement.run_pairs import OppositePair, PairCounts, RunPairs, run_pairs
from irviewer.analysis.agreement.sampling import refuse_document_sample
from irviewer.analysis.agreement.scales import scales_differ
from irviewer.analysis.statistics.result_comparison import untestable
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.resampling import bootstrap_means
from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import left_out_texts
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable, having_in_all
from irviewer.evaluation.sampled_cautions import is_by_strata
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.geometric import logarithms
from irviewer.model.judgments.judging_task import JudgingTask
from irviewer.model.judgments.panel import Panel
from irviewer.model.number_text import quantity
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run
from irviewer.translation import decimal, tr, trn

TOP_RUNS = 5
"""The number of best runs of the reference whose pairs are also counted separately."""


@dataclass(frozen=True)
class FamilyGain:
    """The advantage of runs that use a model of the judge's family over the other runs.

    gain        mean of (value under the judge - under the reference) of those runs, minus that of the others; above 0
                where the judge is the kinder one, whichever direction is better
    own, others   both means, by themselves
    rank_gain   the same as ``gain`` for ranks; ``ranks`` of those runs and of the others
    warns       True if the interval is above 0
    """

    runs: tuple[str, ...]
    gain: Estimate
    own: Estimate
    others: Estimate
    rank_gain: float
    ranks: tuple[float, float]
    warns: bool


@dataclass(frozen=True, eq=False)
class SystemsUnderJudge:
    """N runs under one judge, on the Q queries that it has in common with the reference (its own where there are none).

    values, low, high    float64[N]: means with bootstrap intervals
    reference_values     float64[N]: under the reference on the same queries; NaN where none are in common
    ranks, rank_change   int64[N]: 1 the best; ranks gained (above 0) or lost against the reference
    order                None for the reference itself, and where there is no order to compare: ``reason`` says why
    pairs                pairs of runs by direction and significance; None as above
    grades               judge minus reference on each run's first documents; None if the two scales differ
    judged               float64[N]: the share of each run's first documents that the judge judged
    marked               bool[N]: runs that use a model of the judge's family
    tau_apart            tau-b of the orders where no queries are in common, each on its judge's own ones: other queries
                         part them too, so that it is no agreement of judges; None where some are in common
    """

    judge: str
    queries: tuple[str, ...]
    judgments: int
    values: Floats
    low: Floats
    high: Floats
    reference_values: Floats
    ranks: Ints
    rank_change: Ints
    split_half: float | None
    order: OrderAgreement | None
    pairs: RunPairs | None
    top_runs: Bools
    grades: GradeDifference | None
    judged: Floats
    marked: Bools
    family_gain: FamilyGain | None
    significant: int | None
    reason: str = ""
    notes: tuple[str, ...] = ()
    tau_apart: float | None = None

    @property
    def counts(self) -> PairCounts | None:
        """Pairs of all runs."""
        return None if self.pairs is None else self.pairs.counts()

    @property
    def top_counts(self) -> PairCounts | None:
        """Pairs of the best runs of the reference."""
        return None if self.pairs is None else self.pairs.counts(self.top_runs)

    @property
    def opposite(self) -> tuple[OppositePair, ...]:
        """The pairs whose order differs between the judge and the reference."""
        return () if self.pairs is None else self.pairs.opposite


@dataclass(frozen=True, eq=False)
class SystemsByJudge:
    """N runs under J judges.

    judges   one entry a judge, in the order of the panel
    judged_only   each judge's values are of the documents that it judged itself
    left_out      what is said of runs that lack what the measure reads
    order    int64[N]: the runs, the reference's best first
    """

    measure: Measure
    runs: tuple[str, ...]
    reference: int
    depth: int
    top: int
    alpha: float
    options: AgreementOptions
    judges: tuple[SystemsUnderJudge, ...]
    judged_only: bool = False
    left_out: tuple[str, ...] = ()

    def __getitem__(self, judge: str) -> SystemsUnderJudge:
        """The runs under a judge. Raises KeyError."""
        return next((systems for systems in self.judges if systems.judge == judge), None) or _no_judge(judge)

    @cached_property
    def order(self) -> Ints:
        """int64[N]: the runs by the reference, best first."""
        return np.asarray(np.argsort(self.judges[self.reference].ranks, kind="stable"))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on all judges."""
        result = [*self.left_out, *([each_judge_condenses()] if self.judged_only else [])]
        result += [note for judge in self.judges for note in judge.notes]
        if len(self.runs) < FEWEST_RUNS:
            result.append(
                trn(
                    "Correlations of {n} run have no interval: give {most} runs or more.",
                    "Correlations of {n} runs have no interval: give {most} runs or more.",
                    len(self.runs), most=FEWEST_RUNS,
                )
            )  # fmt: skip
        if not any(judge.marked.any() for judge in self.judges):
            result.append(tr("No run is marked as using a model of a judge's family."))
        return tuple(result)


def each_judge_condenses() -> str:
    """Return what judged only means where there are several judges."""
    return tr("Judged only: under each judge, the documents that this judge did not judge are removed from the runs.")


def _no_judge(judge: str) -> SystemsUnderJudge:
    raise KeyError(judge)


def systems_by_judge(
    panel: Panel,
    runs: Sequence[Run],
    measure: str | Measure = "nDCG@10",
    options: AgreementOptions | None = None,
    *,
    reference: str | int = 0,
    evaluation: EvaluationOptions | None = None,
    results: Sequence[ResultTable] | None = None,
    families: Mapping[str, Collection[str]] | None = None,
    alpha: float = ALPHA,
    top: int = TOP_RUNS,
    depth: int | None = None,
    task: JudgingTask | None = None,
    with_samples: bool = False,
    progress: Callable[[float], None] | None = None,
) -> SystemsByJudge:
    """Return the systems under every judge of a panel.

    evaluation  how values are computed (level, dialect …); judged only: each judge removes what it did not judge
    results     of each judge, where it is known already
    families    run -> the families whose models it uses
    alpha       significance of pairs (paired t, Holm over all pairs)
    depth       the first documents that are examined; None: the measure's cutoff, or 10
    task        what was drawn for the reference; None: what its set says
    with_samples  also where a judge judged a sample of documents, under whom the values are not those of runs

    Raises OptionError for a measure that is no mean over queries, for a judge of a sample of documents, and
    MeasureError."""
    options, evaluation = options or AgreementOptions(), evaluation or EvaluationOptions()
    place = panel.place(reference)
    if not with_samples:
        for number, each in enumerate(panel.sets):
            refuse_document_sample(each, task if number == place else None)
    if not runs:
        raise OptionError(tr("Give runs: without them there are no systems to order."))
    if results is None:
        results = [evaluate(judge.qrels, runs, [measure], evaluation) for judge in panel.sets]
    kept = having_in_all(results, measure)
    left_out: tuple[str, ...] = ()
    if len(kept) < len(runs):
        lacking = {text: gaps for result in results for text, gaps in result.lacking.items()}
        left_out = tuple(left_out_texts(lacking, len(runs)))
        runs, results = [runs[number] for number in kept], [result.of_runs(kept) for result in results]
    known, _ = results[place].of(measure)
    if untestable(known):
        raise OptionError(untestable(known))
    names = tuple(run.name for run in runs)
    depth = depth or depth_of(known)
    documents = top_documents(panel, runs, depth, evaluation)
    draws = Draws(options.samples, options.seed)
    given = families or {}
    top_runs = None
    by_judge: dict[int, SystemsUnderJudge] = {}
    for number, judge in enumerate([place, *(other for other in range(len(panel.sets)) if other != place)]):
        marked = np.array([panel.sets[judge].family in given.get(name, ()) for name in names], dtype=np.bool_)
        if not panel.sets[judge].family:
            marked[:] = False
        sheet = _Sheet(panel, results, measure, place, judge, names, marked, documents, draws, options, alpha)
        by_judge[judge] = sheet.result(top_runs, top)
        if judge == place:
            top_runs = by_judge[judge].ranks <= top
        if progress is not None:
            progress((number + 1) / len(panel.sets))
    return SystemsByJudge(
        known, names, place, depth, top, alpha, options, tuple(by_judge[judge] for judge in range(len(panel.sets))),
        evaluation.judged_only, left_out,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Sheet:
    """The values of one judge."""

    panel: Panel
    results: Sequence[ResultTable]
    measure: str | Measure
    reference: int
    judge: int
    runs: tuple[str, ...]
    marked: Bools
    documents: TopDocuments
    draws: Draws
    options: AgreementOptions
    alpha: float

    def values(self, judge: int) -> tuple[tuple[str, ...], Floats, bool]:
        """Return queries, values float64[N, Q] whose arithmetic mean is the measure's (logarithms for geometric means),
        and whether higher values are better. Queries without judgments of the judge are left out."""
        result = self.results[judge]
        measure, values = result.of(self.measure)
        known = {self.panel.query_ids[query] for query in self.panel.queries_of(judge).tolist()}
        kept = [position for position, query in enumerate(result.query_ids) if query in known]
        values = values[:, kept]
        ids = tuple(result.query_ids[place] for place in kept)
        whole = np.asarray(~np.isnan(values).any(axis=0))
        if measure.aggregate == "geometric":
            values = logarithms(values)
        kept_ids = tuple(query for query, keep in zip(ids, whole.tolist(), strict=True) if keep)
        return kept_ids, values[:, whole], measure.higher_is_better

    def result(self, top_runs: Bools | None, top: int) -> SystemsUnderJudge:
        """Return the results of one judge."""
        own_ids, own, up = self.values(self.judge)
        ids, reference_values, _ = self.values(self.reference)
        itself = self.judge == self.reference
        known = {query: position for position, query in enumerate(ids)}
        common = [position for position, query in enumerate(own_ids) if query in known]
        alike = bool(common)
        used = common if alike else list(range(len(own_ids)))
        queries = tuple(own_ids[place] for place in used)
        values = own[:, used]
        other = reference_values[:, [known[query] for query in queries]] if alike else np.empty((len(own), 0))
        reason = "" if alike else self._reason(len(own_ids), len(ids))
        if len(self.runs) < 2 and not reason:
            reason = tr("One run has no order: give two runs or more.")
        sign = 1.0 if up else -1.0
        ranks = ranks_of(sign * _means(values))
        reference_ranks = ranks_of(sign * _means(other)) if alike else ranks
        pairs = order = apart = None
        options = self.options
        if not alike and own_ids and ids and len(self.runs) > 1:
            apart = float(correlations(sign * reference_values.mean(axis=1)[None], sign * own.mean(axis=1)[None])[0][0])
            apart = None if math.isnan(apart) else apart
        if alike and len(self.runs) > 1:
            pairs = run_pairs(sign * other, sign * values, self.alpha)
        if pairs is not None and not itself:
            order = order_agreement(sign * other, sign * values, pairs, seed=options.seed, level=options.confidence)
        half = order.split_half if order is not None else split_half(sign * values, seed=options.seed)
        low, high = self._ends(values)
        geometric = self.results[self.judge].of(self.measure)[0].aggregate == "geometric"
        shown = np.exp if geometric else np.asarray
        place_of = {query: place for place, query in enumerate(self.panel.query_ids)}
        places = np.array([place_of[query] for query in queries], dtype=np.int64)
        return SystemsUnderJudge(
            self.panel.names[self.judge],
            queries,
            int(self.panel.judged[:, self.judge].sum()),
            frozen(shown(_means(values))),
            frozen(shown(low)),
            frozen(shown(high)),
            frozen(shown(_means(other)) if alike else np.full(len(self.runs), np.nan)),
            frozen(ranks),
            frozen(reference_ranks - ranks),
            half,
            order,
            None if itself else pairs,
            frozen(ranks <= top if top_runs is None else top_runs),
            None if itself or not alike else self._grades(places),
            frozen(judged_share(self.documents, self.panel.judged[:, self.judge], places)),
            frozen(self.marked),
            self._gain(sign * values, sign * other, reference_ranks - ranks) if alike and not itself else None,
            None if pairs is None else pairs.counts().significant,
            reason,
            tuple(self._notes(reason, len(own_ids), len(ids), len(queries), apart)),
            apart,
        )

    def _reason(self, own: int, reference: int) -> str:
        judge, other = self.panel.names[self.judge], self.panel.names[self.reference]
        if not own or not reference:
            return tr("{judge} has judged nothing.", judge=other if own else judge)
        return tr("{judge} and {reference} have no query in common.", judge=judge, reference=other)

    def _notes(self, reason: str, own: int, reference: int, common: int, apart: float | None) -> list[str]:
        judge = self.panel.names[self.judge]
        if self.judge == self.reference:
            return []
        if reason:
            said = [tr("{judge}: no correlation. {reason}", judge=judge, reason=reason)]
            if apart is not None:
                said.append(
                    tr("{judge}: its order on its own queries has τ {tau} with that of {reference} on other queries. "
                       "Queries part them too: this is no agreement of judges. A guide is each judge's split-half τ.",
                       judge=judge, reference=self.panel.names[self.reference], tau=quantity(apart))
                )  # fmt: skip
            return said
        result = []
        if common < max(own, reference):
            result.append(
                tr(
                    "{judge}: on the {common} queries in common ({own} of its own, {reference} of the reference).",
                    judge=judge, common=decimal(f"{common:,}"),
                    own=decimal(f"{own:,}"), reference=decimal(f"{reference:,}"),
                )
            )  # fmt: skip
        if scales_differ(self.panel, self.reference, self.judge):
            result.append(
                tr(
                    "{judge}: its grades have a different scale from the reference's, so there is no difference "
                    "in grade.",
                    judge=judge,
                )
            )
        return result

    def _ends(self, values: Floats, *, widened: bool = False) -> tuple[Floats, Floats]:
        if not self.options.samples or values.shape[1] < 2 or (not widened and is_by_strata(str(self.measure))):
            return np.full(len(values), np.nan), np.full(len(values), np.nan)
        drawn = bootstrap_means(values, self.options.samples, self.options.seed)
        level = self.options.confidence
        return percentiles(drawn, expanded(level, values.shape[1]) if widened else level)

    def _grades(self, queries: Ints) -> GradeDifference | None:
        if scales_differ(self.panel, self.reference, self.judge):
            return None
        return grade_difference(
            self.panel, self.documents, self.reference, self.judge, queries, self.draws, self.options.confidence
        )

    def _gain(self, values: Floats, reference: Floats, ranks: Ints) -> FamilyGain | None:
        if not self.marked.any() or self.marked.all():
            return None
        difference = values - reference
        own, others = difference[self.marked].mean(axis=0), difference[~self.marked].mean(axis=0)
        by_query = np.stack([own - others, own, others])
        low, high = self._ends(by_query, widened=True)
        gain, *both = [
            estimate(float(row.mean()), float(least), float(greatest))
            for row, least, greatest in zip(by_query, low, high, strict=True)
        ]
        names = tuple(name for name, mark in zip(self.runs, self.marked.tolist(), strict=True) if mark)
        gained = float(ranks[self.marked].mean()), float(ranks[~self.marked].mean())
        warns = gain.low is not None and gain.low > 0
        return FamilyGain(names, gain, both[0], both[1], gained[0] - gained[1], gained, warns)


def _means(values: Floats) -> Floats:
    return np.asarray(values.mean(axis=1)) if values.shape[1] else np.full(len(values), np.nan)
