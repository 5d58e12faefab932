"""Evaluation: qrels, runs and measures in, a table of values out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from irviewer.errors import OptionError
from irviewer.evaluation.bound_measure import BoundMeasure, treat
from irviewer.evaluation.results import ResultTable, combine
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.measures.parser import parse_measures
from irviewer.model.arrays import Floats
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged, judge
from irviewer.model.matching.unmatched import judged_share, names_nonrelevant, share_warnings, unmatched
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run, ScoreBits, TieRule


def evaluate(
    qrels: Qrels,
    runs: Run | Sequence[Run],
    measures: Sequence[str | Measure] = ("official",),
    options: EvaluationOptions | None = None,
) -> ResultTable:
    """Every measure of every run on every query of the qrels.

    Queries that a run lacks count as 0 and are named in the result's ``missing``; ``options`` may leave them out.
    Raises MeasureError for an unknown measure, OptionError where two runs have one name."""
    options = options or EvaluationOptions()
    every = [runs] if isinstance(runs, Run) else list(runs)
    names = [run.name for run in every]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise OptionError(f"two runs are called {double}; rename one (Run.renamed)")
    wanted = bound_measures(measures, qrels, options)
    tables, ids, missing = [], [], {}
    strangers, shares = [], []
    for run in every:
        joined = Joined(run, qrels, options)
        tables.append([value_of(one, joined) for one in wanted])
        plain = joined.under(options.rules.join_options)
        ids.append(plain.query_ids)
        missing[run.name] = missing_queries(run, qrels)
        stranger = None if len(plain.hit_rank) else unmatched(run, qrels)
        if stranger is None:
            shares.append(judged_share(run.name, plain))
        else:
            strangers.append(stranger)
    cautions = share_warnings(shares, names_nonrelevant(qrels))
    return combine([one.measure for one in wanted], names, tables, ids, missing, options, strangers, cautions)


class Joined:
    """A run joined with qrels, once for each of the readings that a dialect asks for."""

    def __init__(self, run: Run, qrels: Qrels, options: EvaluationOptions) -> None:
        self._run, self.qrels, self._options = run, qrels, options
        self._ranked: dict[tuple[TieRule, ScoreBits], Run] = {}
        self._found: dict[tuple[int, bool], Judged] = {}
        self._told: dict[JoinOptions, Callable[[], Judged]] = {}

    def tell(self, join_options: JoinOptions, known: Callable[[], Judged]) -> None:
        """How the join under a reading follows from what is known already; asked once, when it is wanted."""
        self._told[join_options] = known

    def _ask(self, join_options: JoinOptions) -> Judged:
        known = self._told[join_options]
        judged = known()
        self._told[join_options] = lambda: judged
        if join_options.bits == 64 and self._run.original is None and not self._run.tied.any():
            # No rule moves anything: the join is that of every other reading of the same negatives.
            negatives = join_options.negatives_judged and bool(np.any(self.qrels.grades < 0))
            self._found[id(self._run), negatives] = judged
        return judged

    def run_under(self, join_options: JoinOptions) -> Run:
        """The run as a reading ranks it. Raises OptionError where it cannot be ranked so."""
        rule = join_options.ties, join_options.bits
        run = self._ranked.get(rule)
        if run is None:
            run = self._ranked[rule] = self._run.reordered(*rule)
        return run

    def under(self, join_options: JoinOptions) -> Judged:
        """The join under a reading. Readings that make no difference here (most runs have no ties, most qrels no
        negative grades) share one join. Raises OptionError where the run cannot be ranked so."""
        if join_options in self._told:
            return self._ask(join_options)
        run = self.run_under(join_options)
        negatives = join_options.negatives_judged and bool(np.any(self.qrels.grades < 0))
        found = self._found.get((id(run), negatives))
        if found is None:
            found = self._found[id(run), negatives] = self._join(run, negatives)
        return found

    def _join(self, run: Run, negatives_judged: bool) -> Judged:
        if not negatives_judged:
            return judge(run, self.qrels, self._options)
        # Before unjudged documents are removed: these are judged.
        found = judge(run, self.qrels, replace(self._options, judged_only=False)).with_negatives_judged
        return found.judged_only if self._options.judged_only else found


def value_of(bound_measure: BoundMeasure, joined: Joined) -> Floats:
    """The value of every evaluated query, float64[E], as a dialect computes the measure."""
    if isinstance(bound_measure.measure, Expression):
        return bound_measure.measure.combine({one.measure.text: value_of(one, joined) for one in bound_measure.parts})
    return bound_measure.measure.compute(joined.under(bound_measure.join_options))


def bind(measures: Sequence[str | Measure], qrels: Qrels, options: EvaluationOptions) -> tuple[Measure, ...]:
    """Measures from texts and measures, in order and once each, with the relevance level, what follows the qrels'
    highest grade, and what the dialect has of its own made explicit."""
    return tuple(one.measure for one in bound_measures(measures, qrels, options))


def bound_measures(
    measures: Sequence[str | Measure], qrels: Qrels, options: EvaluationOptions
) -> tuple[BoundMeasure, ...]:
    """The same with the reading that the dialect computes each on."""
    found: dict[str, BoundMeasure] = {}
    for one in measures:
        for each in (one,) if isinstance(one, Measure) else parse_measures([one], options.rules.names):
            bound = treat(options.rules, each, level=options.level, max_grade=qrels.max_grade)
            known = found.setdefault(bound.measure.text, bound)
            if bound.measure.asked and not known.measure.asked:
                found[bound.measure.text] = bound  # it answers to both names
    return tuple(found.values())


def missing_queries(run: Run, qrels: Qrels) -> tuple[str, ...]:
    """The qrels' queries that the run lacks, in bytewise order."""
    return tuple(qrels.query_ids[p] for p in qrels.query_order if qrels.query_ids[p] not in run.query_index)
