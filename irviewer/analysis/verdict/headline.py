"""The answer to "is B better than A?" under a declared family of comparisons: one of a few forms, of which exactly one
applies.

That the runs differ is asked first; by how much, of a smallest difference that matters, only afterwards."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

import numpy as np

from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.log_ratios import Change
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.simultaneous import Simultaneous, simultaneous_intervals
from irviewer.analysis.verdict.margins import Margins, declared_family, margin_tests
from irviewer.errors import OptionError
from irviewer.model.number_text import limit, queries_text, runs_text
from irviewer.translation import tr

FEWEST = 10
"""With fewer queries nothing is concluded."""


class Form(Enum):
    """The forms of the answer. With a margin m the last word on the size; without one only the plain forms occur."""

    FEW = "too few queries"
    EQUAL = "equal"
    BETTER_BY_MORE = "better by more than m"
    BETTER_BY_LESS = "better by less than m"
    BETTER = "better"
    NOT_WORSE = "not worse by m"
    EQUIVALENT = "equivalent within m"
    UNKNOWN = "not known"
    NOT_BETTER = "not better by m"
    WORSE = "worse"
    WORSE_BY_LESS = "worse by less than m"
    WORSE_BY_MORE = "worse by more than m"

    @property
    def side(self) -> int:
        """1 where the run is shown to be better, -1 where worse, 0 where neither is shown."""
        if self in (Form.BETTER, Form.BETTER_BY_MORE, Form.BETTER_BY_LESS):
            return 1
        return -1 if self in (Form.WORSE, Form.WORSE_BY_MORE, Form.WORSE_BY_LESS) else 0


@dataclass(frozen=True, eq=False)
class Headline:
    """The answer of one pair.

    form          which of the forms applies
    pair          the run with the other one; p is that of the declared family
    margins       the tests of the difference against the smallest one that matters; None where none is set, and where
                  the measure has no mean difference
    why           why nothing can be concluded, a sentence; "" where something can
    chosen_among  of how many runs the run was chosen by its mean; 0 where it was named
    simultaneous  intervals of all differences that hold together, for a chosen run, and its place in them
    both_chosen   the other run was chosen too, from the same runs: the differences are those of all pairs
    untested      that the smallest difference that matters was not tested, and why, a sentence; "" where it was
    labels_of     the assigner of whose labels runs were chosen, where several labelled a system; "" else
    """

    form: Form
    pair: RunComparison
    margins: Margins | None = None
    why: str = ""
    chosen_among: int = 0
    simultaneous: Simultaneous | None = None
    place: int = 0
    both_chosen: bool = False
    untested: str = ""
    labels_of: str = ""

    @property
    def margin(self) -> float | None:
        """The smallest difference that matters; None where none is set."""
        return None if self.margins is None else self.margins.margin

    @property
    def change(self) -> Change:
        """The difference with the one interval that it is said with: of a run that was chosen by its result that which
        holds for all that it was chosen from, else its own."""
        together, place = self.simultaneous, self.place
        if together is None:
            return self.pair.change
        low, high = float(together.low[place]), float(together.high[place])
        return Change(self.pair.difference, low, high, self.pair.geometric)

    @property
    def is_simultaneous(self) -> bool:
        """Whether there is an interval that holds for a chosen run."""
        return self.simultaneous is not None and math.isfinite(self.change.low) and math.isfinite(self.change.high)

    @property
    def sentence(self) -> str:
        """The answer as a sentence."""
        run, other, n = self.pair.run_name, self.pair.other_name, queries_text(self.pair.n)
        m = "" if self.margin is None else limit(self.margin)
        match self.form:
            case Form.FEW:
                return tr("Too few queries to say: {n}. A conclusion needs {least}.", n=n, least=FEWEST)
            case Form.EQUAL:
                return tr("No. {run} and {other} have the same value on every query ({n}).", run=run, other=other, n=n)
            case Form.BETTER_BY_MORE:
                return tr("Yes. {run} is better than {other}, by more than {m}.", run=run, other=other, m=m)
            case Form.BETTER_BY_LESS:
                return tr("Yes, but little. {run} is better than {other}, by less than {m}.", run=run, other=other, m=m)
            case Form.BETTER if m:
                return tr("Yes. {run} is better than {other}; whether by more than {m} is open.", run=run, other=other,
                          m=m)  # fmt: skip
            case Form.BETTER:
                return tr("Yes. {run} is better than {other}.", run=run, other=other)
            case Form.NOT_WORSE:
                return tr("Not known. {run} is not worse than {other} by {m}; that it is better is not shown.", run=run,
                          other=other, m=m)  # fmt: skip
            case Form.EQUIVALENT:
                return tr("No. {run} and {other} differ by less than {m}.", run=run, other=other, m=m)
            case Form.UNKNOWN if self.pair.unit and self.pair.units < 2:
                return tr("Not known. {n} of one {unit} are one unit, which is no sample: it cannot tell {run} from "
                          "{other}.", n=n, unit=self.pair.unit, run=run, other=other)  # fmt: skip
            case Form.UNKNOWN:
                return tr("Not known. {n} cannot tell {run} from {other}.", n=n, run=run, other=other)
            case Form.NOT_BETTER:
                return tr("No. {run} is not better than {other} by {m}; that it is worse is not shown.", run=run,
                          other=other, m=m)  # fmt: skip
            case Form.WORSE if m:
                return tr("No. {run} is worse than {other}; whether by more than {m} is open.", run=run, other=other,
                          m=m)  # fmt: skip
            case Form.WORSE:
                return tr("No. {run} is worse than {other}.", run=run, other=other)
            case Form.WORSE_BY_LESS:
                return tr("No. {run} is worse than {other}, by less than {m}.", run=run, other=other, m=m)
            case Form.WORSE_BY_MORE:
                return tr("No. {run} is worse than {other}, by more than {m}.", run=run, other=other, m=m)

    @property
    def choice(self) -> str:
        """That the run was chosen by its result, a sentence; "" where it was named."""
        if not self.chosen_among:
            return ""
        if self.both_chosen:
            return tr("{run} and {other} were chosen: they have the best means of {runs}.", run=self.pair.run_name,
                      other=self.pair.other_name, runs=runs_text(self.chosen_among))  # fmt: skip
        return tr("{run} was chosen: it has the best mean of the {runs} that are compared with {other}.",
                  run=self.pair.run_name, runs=runs_text(self.chosen_among), other=self.pair.other_name)  # fmt: skip


def headline(
    runs: RunValues,
    options: ComparisonOptions,
    *,
    baseline: int | None,
    run: int | None = None,
    other: int | None = None,
    margin: float | None = None,
    among: Collection[int] | None = None,
) -> Headline:
    """Answer whether a run is better than another.

    runs      all runs that take part: the family of every p
    baseline  the run that the others are compared with; None: the family is all pairs
    run       the run asked about; None: the one with the best mean, which the answer says
    other     what it is compared with; None: the baseline, or where the family is all pairs the best other run
    margin    the smallest difference that matters, in the measure's unit
    among     the places of the runs that can be chosen by their results, each of another system; None: all

    Raises OptionError for fewer than two runs, and for a pair that is not in the declared family."""
    if len(runs.names) < 2:
        raise OptionError(tr("A verdict needs two runs or more; give another run."))
    whole = runs.compare(options, baseline=baseline, pairs=baseline is None)
    among = range(len(runs.names)) if among is None else among
    asked, against = _asked(whole, run, other, among)
    differences, pairs = declared_family(runs, baseline)
    pair = whole.find(asked, against)
    place = next(number for number, ends in enumerate(pairs) if set(ends) == {asked, against})
    margins, untested = None, ""
    if margin is not None and (runs.geometric or pair.by_signs):
        untested = tr("The smallest difference that matters, {m}, was not tested: {measure} has no mean difference.",
                      m=limit(margin), measure=runs.measure)  # fmt: skip
    elif margin is not None:
        margins = margin_tests(differences, place, margin, options, runs.query_ids)
        margins = margins if pairs[place] == (asked, against) else margins.flipped
    both = run is None and other is None and baseline is None
    candidates = {*among} if both else {*among} - {against}
    chosen = len(candidates) if run is None and len({*among, asked, against}) > 2 else 0
    simultaneous = None
    if chosen and not pair.by_signs:
        compared = [(each, against) for each in sorted(candidates)]
        if both:
            compared = [(asked, against) if {*ends} == {asked, against} else ends
                        for ends in pairs if candidates.issuperset(ends)]  # fmt: skip
        rows = np.array([runs.difference(*ends) for ends in compared])
        simultaneous = simultaneous_intervals(
            rows, options.confidence, samples=options.samples, seed=options.seed,
            clusters=None if options.units is None else Clusters.of(options.units.of(runs.query_ids)),
        )  # fmt: skip
        place = compared.index((asked, against))
    form, why = _form(pair, margins)
    return Headline(form, pair, margins, why, chosen, simultaneous, place, bool(chosen and both), untested)


def _asked(whole: Comparison, run: int | None, other: int | None, among: Collection[int]) -> tuple[int, int]:
    """Return the places of the two runs, those that are not given by their results, from ``among``."""
    baseline, names = whole.baseline, whole.names
    if other is None and baseline is not None and run != baseline:
        other = baseline
    if run is None:
        run = _best(whole, other, among)
    if other is None:
        other = _best(whole, run, among)
    if run == other:
        raise OptionError(tr("A verdict needs two different runs, not {run} twice.", run=names[run]))
    if baseline is not None and baseline not in (run, other):
        raise OptionError(
            tr("{run} against {other} is not in the declared family, which compares runs with {baseline}; declare "
               "{other} as the baseline, or the family of all pairs",
               run=names[run], other=names[other], baseline=names[baseline])
        )  # fmt: skip
    return run, other


def _best(whole: Comparison, other: int | None, among: Collection[int]) -> int:
    """Return the run of ``among``, apart from ``other``, with the largest gain over it on the queries that both have;
    where that is None, the run with the best mean. Of equal ones the first by name. Raises OptionError without any."""
    if other is None:
        standing = {run: float(value) for run, value in enumerate(whole.standing)}
    else:
        sign = 1 if whole.higher_is_better else -1
        pairs = [
            pair if pair.other == other else pair.flipped for pair in whole.pairs if other in (pair.run, pair.other)
        ]
        standing = {pair.run: pair.wins - pair.losses if pair.by_signs else sign * pair.difference for pair in pairs}
    standing = {run: value for run, value in standing.items() if run in among}
    if not standing:
        raise OptionError(tr(
            "A verdict needs two systems, and these are one under several assigners; name the two runs to compare the "
            "assigners."
        ))  # fmt: skip
    return min(standing, key=lambda run: (-np.nan_to_num(standing[run], nan=-np.inf), whole.names[run]))


def _form(pair: RunComparison, margins: Margins | None) -> tuple[Form, str]:
    """Return which form applies, and why nothing can be concluded."""
    if pair.n and not pair.differing:
        return Form.EQUAL, ""
    if pair.n < FEWEST:
        return Form.FEW, ""
    if pair.chosen:
        why = tr("These queries were chosen after seeing results, so that the test proves nothing.")
        return Form.UNKNOWN, why
    if pair.undecided:
        return Form.UNKNOWN, tr("There is no test: {reason}.", reason=pair.undecided)
    if pair.significant:
        better = pair.better_by_test
        if margins is None:
            return (Form.BETTER if better else Form.WORSE), ""
        sided = margins if better else margins.flipped
        if sided.more.shown:
            return (Form.BETTER_BY_MORE if better else Form.WORSE_BY_MORE), ""
        if sided.less.shown:
            return (Form.BETTER_BY_LESS if better else Form.WORSE_BY_LESS), ""
        return (Form.BETTER if better else Form.WORSE), ""
    if margins is None:
        return Form.UNKNOWN, ""
    if margins.above.shown and margins.less.shown:
        return Form.EQUIVALENT, ""
    if margins.above.shown:
        return Form.NOT_WORSE, ""
    return (Form.NOT_BETTER if margins.less.shown else Form.UNKNOWN), ""
