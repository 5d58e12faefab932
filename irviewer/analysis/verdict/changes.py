"""What could turn a verdict round: the same question after one thing is changed.

Every row is exploratory. It holds where the verdict is shown under every change tried, it turns where the opposite is
shown under one, and else it is open. A verdict that is not shown has nothing to hold: its rows are open."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irviewer.analysis.pooling.bounds import bounds
from irviewer.analysis.pooling.wording import unjudged_words
from irviewer.analysis.slices.slices import LEAST_QUERIES, compare_slices
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.dependence.tests_by_unit import BY_UNIT
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.analysis.verdict.headline import FEWEST, Headline
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import nuggetizer_name
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.attributes.queries import Slicing, slice_text
from irviewer.model.number_text import signed_quantity, times
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr, trn

ChangeKind = Literal["judgments", "judge", "assigner", "measure", "slices", "queries", "test"]
Status = Literal["holds", "open", "turns", "unknown"]
MOST_ONE_BY_ONE = 200
"""The largest number of queries that are left out one after the other."""
ALTERNATIVES = ("t", "wilcoxon", "sign", "randomisation")
"""The tests that are tried beside the declared one."""


@dataclass(frozen=True)
class Tried:
    """One thing that was changed: its name, the difference of the run and the other one then (NaN where there is none),
    and what is shown of it: 1 better, -1 worse, 0 neither. ``weak``: too few queries to say; ``title``: the name in the
    language of the user, "" for the same one."""

    name: str
    difference: float
    side: int
    weak: bool = False
    title: str = ""

    @property
    def shown(self) -> str:
        """The name that people are shown."""
        return self.title or self.name


@dataclass(frozen=True)
class Change:
    """A row: what was changed, what became of the verdict, what was found in a sentence without full stop, and each
    thing that was tried."""

    kind: ChangeKind
    status: Status
    found: str
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True, eq=False)
class Question:
    """Whether a run is better than another: the values of all runs that take part, the options of the comparison, the
    baseline (None: all pairs), and the answer."""

    runs: RunValues
    options: ComparisonOptions
    baseline: int | None
    answer: Headline

    @property
    def run(self) -> int:
        """The place of the run asked about."""
        return self.answer.pair.run

    @property
    def other(self) -> int:
        """The place of what it is compared with."""
        return self.answer.pair.other

    @property
    def sign(self) -> float:
        """1 where more is better, -1 where less is."""
        return 1.0 if self.runs.higher_is_better else -1.0

    def gain(self, pair: RunComparison) -> float:
        """Return the difference of a pair of this question, above 0 where the run is better."""
        return pair.difference * (1 if pair.higher_is_better else -1)

    def compare(self, runs: RunValues, options: ComparisonOptions) -> Comparison:
        """Return the declared comparisons of other values of the same runs."""
        return runs.compare(replace(options, interval="t"), baseline=self.baseline, pairs=self.baseline is None)

    def asked(self, runs: RunValues, options: ComparisonOptions | None = None) -> RunComparison:
        """Return the comparison that is asked for, of other values of the same runs."""
        return self.compare(runs, options or self.options).find(self.run, self.other)


def side_of(pair: RunComparison, test: str | None = None) -> int:
    """Return 1 where a test (None: the declared one) shows the run better, -1 where worse, 0 where neither."""
    result = pair.decision if test is None else pair.test(test)
    if pair.unproven or pair.n < FEWEST or not result.p_corrected < pair.alpha:
        return 0
    return result.toward * (1 if pair.higher_is_better else -1)


def too_few(pair: RunComparison) -> bool:
    """Return whether a pair has too few queries to conclude anything, or all of one unit."""
    return pair.n < FEWEST or bool(pair.unit and pair.units < 2)


def status_of(verdict: int, tried: Sequence[Tried]) -> Status:
    """Return what becomes of a verdict (1, -1, or 0: not shown) under changes."""
    sides = [each.side for each in tried]
    if verdict and -verdict in sides:
        return "turns"
    return "holds" if verdict and sides and all(side == verdict for side in sides) else "open"


# --- documents that are not judged ---


def more_judgments(
    question: Question, qrels: Qrels, run: Run, other: Run, measure: Measure, options: EvaluationOptions, regime: Regime
) -> Change | None:
    """Ask what every possible grade of the unjudged documents would make of the verdict: the difference of each query
    at its least, and at its greatest. None where judging is declared complete, so that there is nothing to judge."""
    if regime is Regime.COMPLETE:
        return None
    if regime is Regime.SPARSE:
        return Change("judgments", "unknown", tr("judgments are sparse, which leaves no bounds"))
    pair, verdict = question.answer.pair, question.answer.form.side
    limits = bounds(qrels, [other, run], [measure], options, regime, against=0)
    places = _places(question.runs.query_ids, limits.query_ids)
    selected = np.zeros(len(limits.query_ids), dtype=np.bool_)
    selected[places] = True
    limits = limits.within(selected)
    low, high = (end[places] for end in limits.differences.ends(0, 1, 0))
    if measure.text in limits.why or not np.isfinite(np.concatenate([low, high])[_known(low, high)]).all():
        return Change(
            "judgments",
            "unknown",
            tr("no bounds are known for {measure}", measure=nuggetizer_name(measure) or measure.text),
        )
    ends = limits.mean_differences
    least, most = float(ends[0][0, 1, 0]), float(ends[1][0, 1, 0])
    read, others = (sum(counts) for counts in zip(limits.number_open(0, 0), limits.number_open(0, 1), strict=True))
    if not read + others:
        same = Tried("", question.gain(pair), verdict)
        return Change("judgments", status_of(verdict, [same]), tr("every document that decides is judged"))
    tried = []
    observed, sign = question.runs.difference(question.run, question.other), question.sign
    titles = {"least": tr("least possible"), "greatest": tr("greatest possible")}
    for name, end, mean in (("least", low, least), ("greatest", high, most)):
        shifted = question.runs.values.copy()
        base = question.runs.values[question.other]
        # A query that one of the two lacks keeps its difference.
        moved = np.where(np.isnan(end), observed, end)
        shifted[question.run] = _moved(base, moved, geometric=question.runs.geometric)
        values = replace(question.runs, values=frozen(shifted))
        tried.append(Tried(name, sign * mean, side_of(question.asked(values)), title=titles[name]))
    low_text, high_text = (
        times(math.exp(end)) if question.runs.geometric else signed_quantity(end) for end in (least, most)
    )
    text = tr("{quantity} could be from {low} to {high}: {documents}", documents=unjudged_words(read, others),
              quantity=pair.change.name, low=low_text, high=high_text)  # fmt: skip
    return Change("judgments", status_of(verdict, tried), text, tuple(tried))


def _moved(base: Floats, difference: Floats, *, geometric: bool) -> Floats:
    return base * np.exp(difference) if geometric else base + difference


def _known(low: Floats, high: Floats) -> Ints:
    return np.flatnonzero(~(np.isnan(np.concatenate([low, high]))))


def _places(wanted: Sequence[str], known: Sequence[str]) -> Ints:
    place = {query: number for number, query in enumerate(known)}
    return np.array([place[query] for query in wanted], dtype=np.int64)


# --- another judge, another measure: other values of the same runs ---


def other_values(
    kind: Literal["judge", "assigner", "measure"], question: Question, others: Sequence[tuple[str, RunValues]]
) -> Change | None:
    """Ask the question of other values of the same runs: under other judges, under the labels of other assigners, or by
    other measures. None without any."""
    if not others:
        return None
    tried = []
    for name, values in others:
        pair = question.asked(values)
        change = math.nan if pair.geometric or pair.by_signs else pair.difference * (1 if pair.higher_is_better else -1)
        tried.append(Tried(name, change, side_of(pair), too_few(pair)))
    return Change(kind, status_of(question.answer.form.side, tried), _listed(tried), tuple(tried))


def _listed(tried: Sequence[Tried]) -> str:
    """``better: AP, P@10; neither shown: RR``: what was shown of each."""
    phrases = []
    for side in (1, -1, 0):
        names = ", ".join(each.shown for each in tried if each.side == side)
        if names and side:
            phrases.append(tr("better: {names}", names=names) if side > 0 else tr("worse: {names}", names=names))
        elif names:
            phrases.append(tr("not shown: {names}", names=names))
    return "; ".join(phrases)


# --- another test ---


def other_tests(question: Question) -> Change:
    """Ask the question of the tests that were not declared."""
    declared = question.answer.pair.declared
    if question.answer.pair.by_signs:
        return Change("test", "unknown", tr("where a run lacks values only the sign test applies"))
    known = ALTERNATIVES if question.options.units is None else BY_UNIT
    tests = tuple(name for name in known if name != declared)
    pair = question.asked(question.runs, replace(question.options, tests=(*tests, *question.options.tests[:1])))
    gain = question.gain(pair)
    weak = too_few(pair)
    tried = tuple(Tried(name, gain, side_of(pair, name), weak, TESTS[name].title) for name in tests)
    return Change("test", status_of(question.answer.form.side, tried), _listed(tried), tried)


# --- the largest few queries ---


def few_queries(question: Question) -> Change | None:
    """Count the queries, the largest differences for the verdict first, without which it is no longer shown. None where
    nothing is shown."""
    side = question.answer.form.side
    if not side or question.answer.pair.by_signs:
        return None
    differences = question.runs.difference(question.run, question.other)
    gains = side * differences * (1 if question.runs.higher_is_better else -1)
    ids = np.array(question.runs.query_ids, dtype=object)
    order = np.lexsort((ids, -np.nan_to_num(gains, nan=-np.inf)))
    n = int((~np.isnan(differences)).sum())

    def shown_without(count: int) -> bool:
        kept = np.sort(order[count:])
        return side_of(question.asked(question.runs.at(kept))) == side

    # Without a query the p of the others change too, so that what is shown may come and go: each count is tried. Past
    # MOST_ONE_BY_ONE the range is halved.
    low, high = 0, n
    while low < min(MOST_ONE_BY_ONE, n - 1) and high == n:
        low, high = (low + 1, high) if shown_without(low + 1) else (low, low + 1)
    while high - low > 1:  # shown without ``low`` of them, not without ``high``
        middle = (low + high) // 2
        low, high = (middle, high) if shown_without(middle) else (low, middle)
    text = trn(
        "still shown without its {n:,} best query, not without {more:,}",
        "still shown without its {n:,} best queries, not without {more:,}",
        low, more=high,
    )  # fmt: skip
    return Change("queries", "holds" if low else "open", text)


# --- kinds of queries ---


def by_slices(
    question: Question, slicings: Sequence[Slicing], progress: Callable[[float], None] | None = None
) -> Change | None:
    """Ask whether the difference varies with attributes of the queries: by the tests of interaction. None without
    attributes.

    It turns where the difference varies with an attribute and some slice shows the opposite; it holds where no test
    shows that it varies and every slice of LEAST_QUERIES has the same direction."""
    if not slicings:
        return None
    verdict, sign = question.answer.form.side, 1 if question.runs.higher_is_better else -1
    against = question.other if question.baseline is None else question.baseline
    asked, turn = (question.run, 1) if question.other == against else (question.other, -1)
    compared = compare_slices(
        question.runs, slicings, replace(question.options, interval="t"), baseline=against, shown=[asked],
        pairs=question.baseline is None, progress=progress,
    ).runs[0]  # fmt: skip
    tried, varies, turned, same = [], [], False, True
    for part in compared.attributes:
        shown = part.interaction.corrected < question.options.alpha
        varies += [part.slicing.attribute.shown] if shown else []
        for row in part.rows:
            if row.pair is None:
                continue
            weak = row.n < LEAST_QUERIES
            side = 0 if weak or not row.significant else turn * row.toward
            difference = turn * sign * row.pair.difference
            attribute = part.slicing.attribute
            title = f"{attribute.shown}: {slice_text(attribute.name, row.name)}"
            tried.append(Tried(f"{attribute.name}: {row.name}", difference, side, weak, title))
            turned = turned or (shown and bool(verdict) and side == -verdict)
            same = same and (weak or difference * verdict > 0)
    weak_slices = sum(each.weak for each in tried)
    status: Status = "turns" if turned else "holds" if verdict and same and not varies else "open"
    words = [
        tr("varies with {names}", names=", ".join(varies)) if varies
        else trn("not shown to vary with {n} attribute", "not shown to vary with any of {n} attributes",
                 len(compared.attributes))
    ]  # fmt: skip
    if weak_slices:
        words.append(trn("{n} slice is too small to tell", "{n} slices are too small to tell", weak_slices))
    return Change("slices", status, "; ".join(words), tuple(tried))
