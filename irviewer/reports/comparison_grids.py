"""Comparisons as grids of cells: a row a run, or a row a pair, as tables for the eye print them. Computes nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.compact_letters import in_ranges
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.corrections import CORRECTIONS
from irviewer.analysis.statistics.log_ratios import Change
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.test_results import TESTS
from irviewer.model.number_text import MINUS, counted, percent

BETTER, WORSE = "†", "‡"


@dataclass(frozen=True, eq=False)
class Report:
    """What is written: comparisons of the same runs, one a measure.

    posterior   whether tables have the posterior's columns
    power       the chance with which a difference should be seen, for the queries that it takes; None: not told
    judgments   what is to be told of the judgments ("with 1 changed judgment"), in every form; "" nothing
    """

    comparisons: tuple[Comparison, ...]
    posterior: bool = False
    power: float | None = None
    judgments: str = ""

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Every test, interval and posterior, once where it is the same for all measures."""
        every = [one.looked_at for one in self.comparisons]
        if all(one == every[0] for one in every):
            return every[0] if every else ()
        return tuple(f"{one.measure}: {said}" for one in self.comparisons for said in one.looked_at)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Of the judgments, then of all comparisons, each once."""
        told = (f"Computed {self.judgments}.",) if self.judgments else ()
        return (*told, *dict.fromkeys(said for one in self.comparisons for said in one.warnings))


def number(value: float) -> str:
    """A mean: four decimals, fewer above a thousand; a true minus; a dash for none."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return f"{MINUS if value < 0 else ''}∞"
    text = f"{abs(value):,.{4 if abs(value) < 1000 else 1}f}"
    return (MINUS if value < 0 and text.strip("0.") else "") + text


def reached(one: Comparison, run: int) -> str:
    """On which share of its queries a run reaches a value: ``2.0 % of 100``."""
    if one.reached is None or one.own is None:
        return ""
    share = one.share_reached(run)
    return f"{'–' if math.isnan(share) else percent(share)} of {int(one.own[run]):,}"


def signed(value: float) -> str:
    """A difference: as a mean, with its sign."""
    text = number(value)
    return text if text[0] in "–−" or not text.strip("0.") else f"+{text}"


def title_of(one: Comparison) -> str:
    """What is compared, on how many queries, with what."""
    beside = "all pairs" if one.baseline is None else f"beside {one.names[one.baseline]}"
    return f"{one.measure}, {counted(len(one.query_ids), 'query', 'queries')}, {beside}"


def marks(one: Comparison) -> list[str]:
    """For each run a dagger where the declared test shows it better than the baseline, a double one where worse."""
    return [BETTER if side > 0 else WORSE if side < 0 else "" for side in one.marks().tolist()]


def best(one: Comparison) -> list[bool]:
    """For each run whether its mean is the best as it is printed, which claims nothing; nowhere where all print the
    same."""
    texts = [number(mean) for mean in one.means.tolist()]
    known = one.means[~np.isnan(one.means)]
    if not len(known) or len(set(texts)) == 1:
        return [False] * len(texts)
    top = number(float(known.max() if one.higher_is_better else known.min()))
    return [text == top for text in texts]


Grid = tuple[list[str], list[list[str]]]


def runs_grid(one: Comparison, report: Report) -> Grid:
    """A row a run: mean and interval, and beside the baseline difference, interval, p-values, queries won and lost;
    of all pairs its group's letters. Where runs lack queries, how many each has; and beside the difference the two
    means that it is of, over the queries in common."""
    level = percent(one.level)
    header = ["run", "mean", f"{level} interval"]
    weighted = one.weighted_means
    header += ["weighted"] if weighted is not None else []
    header += ["queries"] if one.ragged else []
    rows = []
    places = {int(run): place for place, run in enumerate(one.first.tolist())}
    letters = one.letters() if one.baseline is None else ()
    header += ["at floor"] if one.at_floor is not None else []
    header += ["reached"] if one.reached is not None else []
    if one.baseline is None:
        header += ["group"]
    else:
        header += _pair_header(one, report)
    for run, name in enumerate(one.names):
        cells = [name, number(float(one.means[run])), _ends(float(one.low[run]), float(one.high[run]))]
        cells += [number(float(weighted[run]))] if weighted is not None else []
        cells += [f"{int(one.own[run]):,}"] if one.ragged and one.own is not None else []
        cells += [f"{int(one.at_floor[run]):,}"] if one.at_floor is not None else []
        cells += [reached(one, run)] if one.reached is not None else []
        if one.baseline is None:
            cells.append(in_ranges(letters[run]))
        elif run == one.baseline:
            cells += ["baseline"] + [""] * (len(header) - len(cells) - 1)
        else:
            cells += _pair_cells(one, one.pair(places[run]), report)
        rows.append(cells)
    return header, rows


def pairs_grid(one: Comparison, report: Report) -> Grid:
    """A row a pair of all pairs."""
    header = ["run", "other", *_pair_header(one, report)]
    return header, [[pair.run_name, pair.other_name, *_pair_cells(one, pair, report)] for pair in one.pairs]


def shown_tests(one: Comparison) -> list[tuple[str, str, bool]]:
    """Columns of p-values: header, test, whether after the correction. Of the declared test both; of others the
    corrected ones only, which is what is compared with alpha."""
    title = CORRECTIONS[one.correction] if len(one) > 1 else ""
    found = []
    for name in dict.fromkeys((one.declared, *one.tests)):
        said = "p" if name == one.declared == "t" else f"p {name}"
        corrects = bool(title) and not TESTS[name].family
        if name == one.declared or not corrects:
            found.append((said, name, False))
        if corrects:
            found.append((f"{said} {title}", name, True))
    return found


def _pair_header(one: Comparison, report: Report) -> list[str]:
    names = ["in common", "its mean there", "other's there"] if one.ragged else []
    what = "ratio" if one.geometric else "Δ"
    if one.reached is not None:  # signs are all there is
        return ["better/equal/worse", *(said for said, _, _ in shown_tests(one))]
    names += [what, f"{percent(one.level)} interval", *([] if one.geometric else ["relative"]), "better/equal/worse"]
    names += [] if one.weights is None else [f"weighted {what}", f"weighted {percent(one.level)} interval"]
    names += [*(said for said, _, _ in shown_tests(one)), "d"]
    names += ["P(better)", "P(equal)", "P(worse)"] if report.posterior else []
    return names + ([] if report.power is None else [f"queries for {percent(report.power)}"])


def _pair_cells(one: Comparison, pair: RunComparison, report: Report) -> list[str]:
    if one.reached is not None:
        return [f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}", *_p_cells(one, pair)]
    relative = pair.relative
    cells = [f"{pair.n:,}", number(pair.mean), number(pair.other_mean)] if one.ragged else []
    cells += _change(pair.change)
    if not one.geometric:  # the ratio says it already
        cells.append("–" if math.isnan(relative) else f"{'+' if relative > 0 else ''}{percent(relative)}")
    cells.append(f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}")
    if pair.weighted_change is not None:
        cells += _change(pair.weighted_change)
    cells += _p_cells(one, pair)
    d = pair.effects.d
    cells.append(signed(d)[:-2] if math.isfinite(d) else signed(d))
    shares = (pair.posterior.better, pair.posterior.equal, pair.posterior.worse)
    cells += [f"{share:.3f}" for share in shares] if report.posterior else []
    if report.power is not None:
        needed = pair.power(report.power).needed
        cells.append("–" if needed is None else f"{needed:,}")
    return cells


def _p_cells(one: Comparison, pair: RunComparison) -> list[str]:
    tests = [(pair.test(name), after) for _, name, after in shown_tests(one)]
    return [test.p_corrected_shown if after else test.p_shown for test, after in tests]


def _change(change: Change) -> list[str]:
    """A difference or a ratio, and its interval."""
    if change.ratio:
        return [change.text, change.ends]
    return [signed(change.value), _ends(change.low, change.high)]


def _ends(low: float, high: float) -> str:
    return "–" if math.isnan(low) and math.isnan(high) else f"[{number(low)}, {number(high)}]"
