"""Comparisons as grids of cells, a row for each run or for each pair, as printed tables show them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.compact_letters import in_ranges
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.log_ratios import Change
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.model.arrays import Bools
from irviewer.model.number_text import MINUS, percent, queries_text
from irviewer.translation import tr

BETTER, WORSE = "†", "‡"


@dataclass(frozen=True, eq=False)
class Report:
    """A report: comparisons of the same runs, one for each measure.

    posterior   whether tables have the columns of the posterior
    power       the power for which the queries needed are shown; None: not shown
    judgments   a remark about the judgments ("with 1 changed judgment"), in every format; "" for none
    """

    comparisons: tuple[Comparison, ...]
    posterior: bool = False
    power: float | None = None
    judgments: str = ""

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Every test, interval and posterior, once where it is the same for all measures."""
        every = [comparison.looked_at for comparison in self.comparisons]
        if all(comparison == every[0] for comparison in every):
            return every[0] if every else ()
        return tuple(
            f"{comparison.measure}: {text}" for comparison in self.comparisons for text in comparison.looked_at
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """The remark about the judgments, then the warnings of all comparisons, each once."""
        first = (tr("Computed {judgments}.", judgments=self.judgments),) if self.judgments else ()
        return (*first, *dict.fromkeys(warning for comparison in self.comparisons for warning in comparison.warnings))


def number(value: float) -> str:
    """Return a mean: four decimals, fewer above a thousand; a minus sign; a dash for NaN."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return f"{MINUS if value < 0 else ''}∞"
    text = f"{abs(value):,.{4 if abs(value) < 1000 else 1}f}"
    return (MINUS if value < 0 and text.strip("0.") else "") + text


def reached(comparison: Comparison, run: int) -> str:
    """Return the share of its queries on which a run reaches a value: ``2.0 % of 100``."""
    if comparison.reached is None or comparison.own is None:
        return ""
    share = comparison.share_reached(run)
    return tr(
        "{share} of {queries:,}", share="–" if math.isnan(share) else percent(share), queries=int(comparison.own[run])
    )


def signed(value: float) -> str:
    """Return a difference: as a mean, with its sign."""
    text = number(value)
    return text if text[0] in "–−" or not text.strip("0.") else f"+{text}"


def title_of(comparison: Comparison) -> str:
    """Return measure, queries and baseline: ``AP, 225 queries, compared with bm25``."""
    queries = queries_text(len(comparison.query_ids))
    if comparison.baseline is None:
        return tr("{measure}, {queries}, all pairs", measure=comparison.measure, queries=queries)
    baseline = comparison.names[comparison.baseline]
    return tr(
        "{measure}, {queries}, compared with {baseline}", measure=comparison.measure, queries=queries, baseline=baseline
    )


def marks(comparison: Comparison) -> list[str]:
    """Return for each run a dagger where the declared test shows it to be better than the baseline, a double dagger
    where worse."""
    return [BETTER if side > 0 else WORSE if side < 0 else "" for side in comparison.marks().tolist()]


def best(comparison: Comparison) -> list[bool]:
    """Return for each run whether its mean is the best as printed; False for all where all print the same, and where
    the marks of runs that lack queries say otherwise."""
    texts = [number(mean) for mean in comparison.means.tolist()]
    present = comparison.means[~np.isnan(comparison.means)]
    if not len(present) or len(set(texts)) == 1:
        return [False] * len(texts)
    top = number(float(present.max() if comparison.higher_is_better else present.min()))
    bold = np.array([text == top for text in texts])
    return [False] * len(texts) if contradicted(comparison, bold) else bold.tolist()


def contradicted(comparison: Comparison, best: Bools) -> bool:
    """Return whether one of the best means bool[R] is marked worse than the baseline, or another is marked better than
    a baseline among them: where runs lack queries, means are over different ones and do not rank runs."""
    if comparison.baseline is None or not comparison.ragged:
        return False
    sides = comparison.marks()
    return bool((sides[best] < 0).any()) or (bool(best[comparison.baseline]) and bool((sides > 0).any()))


Grid = tuple[list[str], list[list[str]]]
RELATIVE, WEIGHTED = tr("relative"), tr("weighted")


def quantity_of(comparison: Comparison) -> str:
    """Return the title of the column of differences, or of ratios."""
    return tr("ratio") if comparison.geometric else "Δ"


def weighted_titles(comparison: Comparison) -> list[str]:
    """Return the titles of the columns of weighted values: mean, difference or ratio, its interval."""
    return [
        WEIGHTED,
        tr("weighted {quantity}", quantity=quantity_of(comparison)),
        tr("weighted {level} interval", level=percent(comparison.level)),
    ]


def runs_grid(comparison: Comparison, report: Report) -> Grid:
    """Return a row for each run: mean and interval, and difference to the baseline with interval, p-values, queries won
    and lost, or the letters of its groups for all pairs. Where runs lack queries, also their number, and the two means
    over the queries in common."""
    level = percent(comparison.level)
    header = [tr("run"), tr("mean"), tr("{level} interval", level=level)]
    weighted = comparison.weighted_means
    header += [WEIGHTED] if weighted is not None else []
    header += [tr("queries")] if comparison.ragged else []
    rows = []
    pair_of_run = {int(run): pair for pair, run in enumerate(comparison.first.tolist())}
    letters = comparison.letters() if comparison.baseline is None else ()
    header += [tr("at floor")] if comparison.at_floor is not None else []
    header += [tr("reached")] if comparison.reached is not None else []
    if comparison.baseline is None:
        header += [tr("group")]
    else:
        header += _pair_header(comparison, report)
    for run, name in enumerate(comparison.names):
        cells = [
            name,
            number(float(comparison.means[run])),
            _ends(float(comparison.low[run]), float(comparison.high[run])),
        ]
        cells += [number(float(weighted[run]))] if weighted is not None else []
        cells += [f"{int(comparison.own[run]):,}"] if comparison.ragged and comparison.own is not None else []
        cells += [f"{int(comparison.at_floor[run]):,}"] if comparison.at_floor is not None else []
        cells += [reached(comparison, run)] if comparison.reached is not None else []
        if comparison.baseline is None:
            cells.append(in_ranges(letters[run]))
        elif run == comparison.baseline:
            cells += [tr("baseline")] + [""] * (len(header) - len(cells) - 1)
        else:
            cells += _pair_cells(comparison, comparison.pair(pair_of_run[run]), report)
        rows.append(cells)
    return header, rows


def pairs_grid(comparison: Comparison, report: Report) -> Grid:
    """Return a row for each pair."""
    header = [tr("run"), tr("other"), *_pair_header(comparison, report)]
    return header, [
        [pair.run_name, pair.other_name, *_pair_cells(comparison, pair, report)] for pair in comparison.pairs
    ]


def shown_tests(comparison: Comparison) -> list[tuple[str, str, bool]]:
    """Return the columns of p-values: header, test, whether corrected. Both for the declared test; of others only the
    corrected ones, which are compared with alpha."""
    correction = CORRECTIONS[comparison.correction] if len(comparison) > 1 else ""
    columns = []
    for name in dict.fromkeys((comparison.declared, *comparison.tests)):
        title = "p" if name == comparison.declared == "t" else f"p {name}"
        corrects = bool(correction) and not TESTS[name].family
        if name == comparison.declared or not corrects:
            columns.append((title, name, False))
        if corrects:
            columns.append((f"{title} {correction}", name, True))
    return columns


def _pair_header(comparison: Comparison, report: Report) -> list[str]:
    names = [tr("in common"), tr("its mean there"), tr("other's there")] if comparison.ragged else []
    if comparison.reached is not None:  # there are only signs
        return [tr("better/equal/worse"), *(title for title, _, _ in shown_tests(comparison))]
    names += [quantity_of(comparison), tr("{level} interval", level=percent(comparison.level))]
    names += [*([] if comparison.geometric else [RELATIVE]), tr("better/equal/worse")]
    names += [] if comparison.weights is None else weighted_titles(comparison)[1:]
    names += [*(title for title, _, _ in shown_tests(comparison)), "d"]
    names += ["P(better)", "P(equal)", "P(worse)"] if report.posterior else []
    return names + ([] if report.power is None else [tr("queries for {power}", power=percent(report.power))])


def _pair_cells(comparison: Comparison, pair: RunComparison, report: Report) -> list[str]:
    if comparison.reached is not None:
        return [f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}", *_p_cells(comparison, pair)]
    relative = pair.relative
    cells = [f"{pair.n:,}", number(pair.mean), number(pair.other_mean)] if comparison.ragged else []
    cells += _change(pair.change)
    if not comparison.geometric:  # the ratio is shown instead
        cells.append("–" if math.isnan(relative) else f"{'+' if relative > 0 else ''}{percent(relative)}")
    cells.append(f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}")
    if pair.weighted_change is not None:
        cells += _change(pair.weighted_change)
    cells += _p_cells(comparison, pair)
    d = pair.effects.d
    cells.append(signed(d)[:-2] if math.isfinite(d) else signed(d))
    shares = (pair.posterior.better, pair.posterior.equal, pair.posterior.worse)
    cells += [f"{share:.3f}" for share in shares] if report.posterior else []
    if report.power is not None:
        needed = pair.power(report.power).needed
        cells.append("–" if needed is None else f"{needed:,}")
    return cells


def _p_cells(comparison: Comparison, pair: RunComparison) -> list[str]:
    tests = [(pair.test(name), after) for _, name, after in shown_tests(comparison)]
    return [test.p_corrected_shown if after else test.p_shown for test, after in tests]


def _change(change: Change) -> list[str]:
    """Return a difference or a ratio, and its interval."""
    if change.ratio:
        return [change.text, change.ends]
    return [signed(change.value), _ends(change.low, change.high)]


def _ends(low: float, high: float) -> str:
    return "–" if math.isnan(low) and math.isnan(high) else f"[{number(low)}, {number(high)}]"
