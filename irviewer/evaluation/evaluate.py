"""Evaluation of runs with qrels and measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import AnswerCautions, reads_other_topics, refuse_lacking_all
from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.bound_measure import BoundMeasure, treat
from irviewer.evaluation.document_lengths import field_digests
from irviewer.evaluation.field_cautions import FieldGap, field_gaps, gap_sentences
from irviewer.evaluation.level_cautions import level_cautions
from irviewer.evaluation.results import ResultTable, combine
from irviewer.evaluation.sampled_cautions import estimated, sampled_cautions
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.measures.parser import parse_measures
from irviewer.model.arrays import Floats, bytewise_order
from irviewer.model.ascending_ids import AscendingIds, outside
from irviewer.model.dialects import JoinOptions
from irviewer.model.held_bytes import held_bytes
from irviewer.model.judgments.judged import Judged, judge
from irviewer.model.matching.unmatched import (
    JudgedShare,
    Unmatched,
    judged_share,
    names_nonrelevant,
    share_warnings,
    unmatched,
)
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run, ScoreBits, TieRule
from irviewer.model.stored_values import StoredValues
from irviewer.translation import tr


def evaluate(
    qrels: Qrels,
    runs: Run | Sequence[Run],
    measures: Sequence[str | Measure] = ("official",),
    options: EvaluationOptions | None = None,
) -> ResultTable:
    """Return the values of all measures, runs and queries of the qrels.

    Queries that a run lacks count as 0 and are listed in the result's ``missing``; ``options`` may leave them out. A
    run that lacks what a measure reads, such as answers, has no values of it (NaN), and is in the result's ``lacking``.
    Raises MeasureError for an unknown measure and one for which every run lacks what it reads, OptionError for two runs
    of the same name."""
    runs = [runs] if isinstance(runs, Run) else list(runs)
    names = [run.name for run in runs]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise _repeated(repeated)
    return evaluate_each(qrels, runs, measures, options)


def evaluate_each(
    qrels: Qrels,
    runs: Iterable[Run],
    measures: Sequence[str | Measure] = ("official",),
    options: EvaluationOptions | None = None,
) -> ResultTable:
    """Return the same of runs that are given one by one, as while they are read; no run is kept once it is
    evaluated."""
    options = options or EvaluationOptions()
    wanted = bound_measures(measures, qrels, options)
    names: list[str] = []
    tables, ids, missing = [], [], {}
    unmatched_runs, shares = [], []
    known_cautions: list[str] = []
    answering: list[Run | None] = []  # None for a run of lists alone: these are not kept
    named = [bound_measure.measure for bound_measure in wanted]
    gaps: list[FieldGap] = []
    of_answers = AnswerCautions(named, qrels)
    for run in runs:
        if run.name in missing:
            raise _repeated(run.name)
        names.append(run.name)
        of_answers.add(run)
        if run.stored is not None:
            tables.append(_known(run.stored, qrels, wanted, options))
            ids.append(run.stored.query_ids)
            missing[run.name] = missing_queries(run, qrels)
            known_cautions += run.stored.cautions
            if run.stored.judged is not None:
                shares.append(JudgedShare(run.name, *run.stored.judged))
            if run.stored.unmatched is not None:
                unmatched_runs.append(Unmatched(**{**run.stored.unmatched, "run": run.name}))
            answering.append(run)
            continue
        answering.append(None if run.answered is None else run)
        joined = Joined(run, qrels, options)
        tables.append([values_or_none(bound_measure, joined, run, qrels) for bound_measure in wanted])
        plain = joined.under(options.rules.join_options)
        gaps += field_gaps(run.name, plain, named)
        ids.append(plain.query_ids)
        missing[run.name] = missing_queries(run, qrels)
        warning = None if len(plain.hit_rank) else unmatched(run, qrels)
        if warning is None:
            shares.append(judged_share(run.name, plain))
        else:
            unmatched_runs.append(warning)
        del run, joined, plain  # the next one is read now
    cautions = [
        *dict.fromkeys(known_cautions),
        *of_answers.sentences(),
        *level_cautions(named, qrels),
        *sampled_cautions(named, qrels),
        *gap_sentences(gaps),
        *share_warnings(shares, names_nonrelevant(qrels) and not estimated(named, qrels)),
    ]
    result = combine(
        named,
        names,
        tables,
        ids,
        missing,
        options,
        unmatched_runs,
        cautions,
        shares,
    )
    refuse_lacking_all(of_answers.lacking, names)
    if not of_answers.lacking and all(run is None or run.answered is None for run in answering):
        return result
    known = [Run.from_dict({}, name=name) if run is None else run for name, run in zip(names, answering, strict=True)]
    return replace(result, answers=AnswerSources((qrels,), known), lacking=of_answers.lacking)


def _known(
    stored: StoredValues, qrels: Qrels, wanted: Sequence[BoundMeasure], options: EvaluationOptions
) -> list[Floats]:
    """Return the values of measures that were computed before. Raises OptionError for other rules or judgments, and for
    a measure without values."""
    fields = field_digests([bound_measure.measure for bound_measure in wanted], options.lengths)
    stored.check(stored_rules(options), qrels.digest, fields)
    return [stored.of(bound_measure.measure.text) for bound_measure in wanted]


def stored_rules(options: EvaluationOptions) -> dict[str, Any]:
    """Return what values depend on besides the judgments, by the names of the protocol's fields."""
    return {
        "level": float(options.level), "dialect": options.rules.name, "missing": options.missing_policy,
        "judged_only": options.judged_only, "depth": options.depth,
    }  # fmt: skip


def _repeated(name: str) -> OptionError:
    return OptionError(tr("two runs have the name {name}; rename one (Run.renamed)", name=name))


class Joined:
    """The joins of a run with qrels, one for each of the join options that a dialect needs; with ``queries`` those of
    the qrels that are among them, else of all."""

    def __init__(
        self, run: Run, qrels: Qrels, options: EvaluationOptions, queries: Sequence[str] | None = None
    ) -> None:
        self._run, self.qrels, self._options, self._queries = run, qrels, options, queries
        self._ranked: dict[tuple[TieRule, ScoreBits], Run] = {}
        self._joins: dict[tuple[int, bool], Judged] = {}
        self._derived: dict[JoinOptions, Callable[[], Judged]] = {}

    @property
    def held_bytes(self) -> int:
        """About how many bytes the joins hold, without the run and the qrels."""
        joins = tuple(self._joins.values())
        answered = self._run.answered  # its texts are those of the run, whatever the order of its list
        return sum(held_bytes(each, (answered, each.qrels, each.query_ids, each.lengths)) for each in joins)

    def forget(self) -> None:
        """Drop all joins; they are computed again when they are needed."""
        self._ranked, self._joins, self._derived = {}, {}, {}

    def tell(self, join_options: JoinOptions, known: Callable[[], Judged]) -> None:
        """Set a function that derives the join from another one; it is called once, when the join is needed."""
        self._derived[join_options] = known

    def _derive(self, join_options: JoinOptions) -> Judged:
        known = self._derived[join_options]
        judged = known()
        self._derived[join_options] = lambda: judged
        if join_options.bits == 64 and self._run.original is None and not self._run.tied.any():
            # No rule changes the order: all join options with the same negative grades share this join.
            negatives = join_options.negatives_judged and bool(np.any(self.qrels.grades < 0))
            self._joins[id(self._run), negatives] = judged
        return judged

    def run_under(self, join_options: JoinOptions) -> Run:
        """Return the run ranked by the join options. Raises OptionError if that is impossible."""
        rule = join_options.ties, join_options.bits
        run = self._ranked.get(rule)
        if run is None:
            run = self._ranked[rule] = self._run.reordered(*rule)
        return run

    def under(self, join_options: JoinOptions) -> Judged:
        """Return the join under options. Options that make no difference here (most runs have no ties, most qrels no
        negative grades) share one join. Raises OptionError if the run cannot be ranked by them."""
        if join_options in self._derived:
            return self._derive(join_options)
        run = self.run_under(join_options)
        negatives = join_options.negatives_judged and bool(np.any(self.qrels.grades < 0))
        judged = self._joins.get((id(run), negatives))
        if judged is None:
            judged = self._joins[id(run), negatives] = self._join(run, negatives)
        return judged

    def _join(self, run: Run, negatives_judged: bool) -> Judged:
        if not negatives_judged:
            return judge(run, self.qrels, self._options, self._queries)
        # Before unjudged documents are removed, as documents of negative grades are judged.
        judged = judge(run, self.qrels, replace(self._options, judged_only=False), self._queries).with_negatives_judged
        return judged.judged_only if self._options.judged_only else judged


def value_of(bound_measure: BoundMeasure, joined: Joined) -> Floats:
    """Return the value of each evaluated query, float64[E]."""
    if isinstance(bound_measure.measure, Expression):
        return bound_measure.measure.combine(
            {part.measure.text: value_of(part, joined) for part in bound_measure.parts}
        )
    return bound_measure.measure.compute(joined.under(bound_measure.join_options))


def values_or_none(bound_measure: BoundMeasure, joined: Joined, run: Run, qrels: Qrels) -> Floats:
    """Return the same of a whole run under whole qrels: all NaN where what the measure reads is of other topics."""
    values = value_of(bound_measure, joined)
    return np.full_like(values, np.nan) if reads_other_topics(bound_measure.measure, run, qrels) else values


def bind_measures(measures: Sequence[str | Measure], qrels: Qrels, options: EvaluationOptions) -> tuple[Measure, ...]:
    """Return measures from texts and measures, in order and without duplicates, with the values determined by the
    relevance level, the qrels' highest grade and the dialect written out."""
    return tuple(bound.measure for bound in bound_measures(measures, qrels, options))


def bound_measures(
    measures: Sequence[str | Measure], qrels: Qrels, options: EvaluationOptions
) -> tuple[BoundMeasure, ...]:
    """Return the same with the join options of each."""
    by_text: dict[str, BoundMeasure] = {}
    for item in measures:
        for measure in (item,) if isinstance(item, Measure) else parse_measures([item], options.rules.names):
            bound = treat(options.rules, measure, level=options.level, max_grade=qrels.max_grade)
            known = by_text.setdefault(bound.measure.text, bound)
            if bound.measure.asked and not known.measure.asked:
                by_text[bound.measure.text] = bound  # it has both names
    return tuple(by_text.values())


def missing_by_run(runs: Sequence[Run], names: Sequence[str], qrels: Qrels | None) -> dict[str, tuple[str, ...]]:
    """Return the queries of the qrels that runs lack, by the runs' ``names``, of those that lack any; {} without
    qrels."""
    if qrels is None:
        return {}
    missing = {name: missing_queries(run, qrels) for name, run in zip(names, runs, strict=True)}
    return {name: queries for name, queries in missing.items() if queries}


def missing_queries(run: Run, qrels: Qrels) -> tuple[str, ...]:
    """Return the queries of the qrels that the run lacks, in bytewise order."""
    ascend = isinstance(run.query_ids, AscendingIds)
    missing = outside(qrels.ordered_query_ids if ascend else qrels.query_ids, run.query_ids, run.query_index)
    if not missing:  # usually
        return ()
    return tuple([missing[place] for place in bytewise_order(missing).tolist()])
