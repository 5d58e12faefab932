"""The table for a paper: a row for each run, a column for each measure, and a caption.

Daggers, or letters where all pairs are compared, stand at the primary measure alone: they are of the declared family,
whichever runs are rows. The other measures are secondary, and the caption says so. Its numbers have decimal points in
every language."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.analysis.statistics.compact_letters import in_ranges
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.warnings import CHOSEN
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.base import Measure, with_level
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats, Ints
from irviewer.model.dialects import DEFAULT
from irviewer.model.exported import Exported
from irviewer.model.number_text import limit, queries_text
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol_line import BOUNDS
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.emphasis import best
from irviewer.tables.table import Mark, Remark, Table
from irviewer.tables.writers.registry import written
from irviewer.translation import decimal_points, tr, trn
from irviewer.views.pairs import OUTCOMES, family_of
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

DECIMALS = 4
"""The decimals of a value where none are asked for, as in trec_eval and in the window."""
LEAST_DECIMALS, MOST_DECIMALS = 1, 8
UNWEIGHTED = tr("Means are not weighted.")
NAME = "effectiveness"
"""The name of the table, which is its label in LaTeX."""
SIGNS = {1: ("better", "†"), -1: ("worse", "‡")}


def rules_remarks(options: EvaluationOptions, *, weighted: bool, looked: bool) -> list[str]:
    """Return the sentences below the table about how its values and tests came about, of rules that are not the usual
    ones, ``weighted`` queries that count alike in it, and queries that were chosen after looking at results."""
    remarks = [tr("Unjudged documents are left out.")] if options.judged_only else []
    if options.rules.name != DEFAULT:
        remarks.append(tr("Values follow the rules of {tool}.", tool=options.rules.title))
    return [*remarks, *([UNWEIGHTED] if weighted else []), *([CHOSEN] if looked else [])]


def own_queries_remark(counts: Mapping[str, int]) -> str:
    """Return that the means of some runs are over fewer queries; ``counts`` run -> number of its queries."""
    listed = name_some([f"{run} {n:,}" for run, n in counts.items()], 6)
    return tr("Each mean is over the queries that the run has ({counts}).", counts=listed)


@dataclass(frozen=True, eq=False)
class PaperColumn:
    """A measure as a column.

    key      its full name, as in every table; of values that are derived from it, what they are called
    name     without the relevance level
    level    that level; None where grades do not depend on one
    means    float64[R]; NaN for no value
    counts   whether values are whole numbers
    own      over how many queries each mean is, where the measure leaves out those without a value; () else
    """

    key: str
    name: str
    level: float | None
    means: Floats
    counts: bool = False
    higher_is_better: bool = True
    own: tuple[int, ...] = ()


def column_of(
    measure: Measure, means: Floats, *, graded: bool, level: float, counts: bool | None = None, name: str = "",
    own: Sequence[int] = (),
) -> PaperColumn:  # fmt: skip
    """Return the column of a measure: the means float64[R] of the rows. ``name`` replaces the measure's; it may hold
    ``{measure}``. ``own`` are the numbers of queries with a value by rows, which count if the measure leaves out the
    others."""
    plain, own_level = measure.apart_from_level(graded, level)
    plain = usual_name(plain)
    return PaperColumn(
        name.format(measure=measure.text) if name else measure.text, name.format(measure=plain) if name else plain,
        own_level, means, measure.counts if counts is None else counts, measure.higher_is_better,
        tuple(own) if measure.leaves_out else (),
    )  # fmt: skip


@dataclass(frozen=True)
class PaperSubject:
    """What the values of a table are of, as its caption names it.

    judgments   their number; ``judged_by`` names the set or the judge, "" for none
    mark        a remark about changed judgments: "with 1 changed judgment"
    remarks     further sentences, such as how queries count that a run lacks
    apart       whether the means of some rows are over fewer queries than those of others
    """

    collection: str = ""
    queries: int = 0
    query_set: str = ""
    judgments: int = 0
    judged_by: str = ""
    mark: str = ""
    remarks: tuple[str, ...] = ()
    apart: bool = False


@dataclass(frozen=True)
class PaperStyle:
    """How a table is printed: decimals of values, the best of each column bold, daggers or letters. Raises OptionError
    for too few or too many decimals."""

    decimals: int = DECIMALS
    bold: bool = True
    marked: bool = True

    def __post_init__(self) -> None:
        if not LEAST_DECIMALS <= self.decimals <= MOST_DECIMALS:
            raise OptionError(
                tr(
                    "the number of decimals is {decimals}; it must be from {least} to {most}",
                    decimals=self.decimals, least=LEAST_DECIMALS, most=MOST_DECIMALS,
                )
            )  # fmt: skip


USUAL = PaperStyle()


@dataclass(frozen=True, eq=False, repr=False)
class PaperTable(Exported):
    """R runs by measures, as they are printed. ``print`` shows it; ``latex``, ``markdown``, ``html`` and ``csv`` are
    its files as texts, and ``save`` writes every format.

    runs        the rows
    primary     the full name of the measure that decides; "" where nothing is tested
    comparison  of the primary measure over all runs that take part; None without a test, or where that measure has none
    protocol    what the values and tests follow
    """

    runs: tuple[str, ...]
    columns: tuple[PaperColumn, ...]
    subject: PaperSubject
    primary: str = ""
    comparison: Comparison | None = None
    style: PaperStyle = USUAL
    protocol: BoundProtocol | None = None

    @property
    def main(self) -> PaperColumn | None:
        """The column of the primary measure, if it is compared; None without one."""
        if self.comparison is None:
            return None
        return next((each for each in self.columns if each.key == self.primary), None)

    @property
    def marks(self) -> Ints:
        """int64[R]: 1 for a row that the test shows to be better than the baseline in the primary measure, -1 for a
        worse one, else 0; all 0 where all pairs are compared."""
        comparison = self.comparison
        if self.main is None or comparison is None or comparison.baseline is None:
            return np.zeros(len(self.runs), np.int64)
        every = dict(zip(comparison.names, comparison.marks().tolist(), strict=True))
        return np.array([every.get(run, 0) for run in self.runs], np.int64)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the rows where all pairs are compared: those that share one do not differ; () else."""
        comparison = self.comparison
        if self.main is None or comparison is None or comparison.baseline is not None:
            return ()
        every = dict(zip(comparison.names, comparison.letters(), strict=True))
        return tuple(every.get(run, "") for run in self.runs)

    @property
    def p(self) -> Floats:
        """float64[R]: of the primary measure against the baseline, corrected in its family; NaN for no test."""
        comparison = self.comparison
        if self.main is None or comparison is None or comparison.baseline is None:
            return np.full(len(self.runs), np.nan)
        names = [comparison.names[run] for run in comparison.first]
        every = dict(zip(names, comparison.column().corrected.tolist(), strict=True))
        return np.array([every.get(run, math.nan) for run in self.runs])

    @property
    def hidden(self) -> int:
        """The number of runs that take part in the tests, but are no rows."""
        comparison = self.comparison
        if comparison is None:
            return 0
        against = () if comparison.baseline is None else (comparison.names[comparison.baseline],)
        return len(set(comparison.names) - {*self.runs, *against})

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns, the first of which has the runs."""
        return tuple(each.title for each in self.table.columns if not each.show.detail)

    @property
    def caption(self) -> str:
        """What the values are of, and what the marks mean that occur."""
        return self.table.caption

    @cached_property
    def table(self) -> Table:
        """The table that is printed and written."""
        return tables(self).tables[0]

    # --- its files as texts ---

    def text(self, form: str) -> str:
        """Return the file in a format of text, such as "latex"."""
        return written((self.table,), form).decode("utf-8", "surrogateescape")

    @property
    def latex(self) -> str:
        """The table in the style of booktabs."""
        return self.text("latex")

    @property
    def markdown(self) -> str:
        """The table with its caption in Markdown, rounded as it is printed."""
        return self.text("markdown")

    @property
    def csv(self) -> str:
        """The exact values."""
        return self.text("csv")

    @property
    def html(self) -> str:
        """The table as a page that word processors open."""
        return self.text("html")


def tables(value: PaperTable) -> ViewResult:
    """Return the table ``effectiveness``: ``run``, the mean of each measure, and where runs are tested against a
    baseline ``p_corrected`` and ``outcome`` of the primary measure, where in all pairs ``group``."""
    with decimal_points():
        body = Table(
            NAME, value.subject.collection or tr("Table"),
            (column.run("run", tr("Run"), value.runs), *_values(value), *_tests(value)),
            opens="run", marks=_marks(value),
        )  # fmt: skip
        caption = _caption(value, body)
    table = replace(body, caption=caption, notes=(Remark("caption", caption, warns=False),))
    style = value.style
    parameters = {"decimals": style.decimals, "bold": style.bold, "marked": style.marked}
    return ViewResult(value, (table,)).with_provenance(provenance("paper", value.protocol, parameters))


def _titles(value: PaperTable) -> list[str]:
    """Return the titles of measures, with their levels where these differ."""
    names = {each.name for each in value.columns}
    if len(_levels(value)) < 2 and len(names) == len(value.columns):
        return [each.name for each in value.columns]
    return [
        each.name if each.level is None else with_level(each.name, each.level, short=True) for each in value.columns
    ]


def _levels(value: PaperTable) -> set[float]:
    return {each.level for each in value.columns if each.level is not None}


def _values(value: PaperTable) -> list[Column]:
    return [
        column.number(
            each.key, title, each.means, names="measure", whole=each.counts, better_up=each.higher_is_better,
            decimals=value.style.decimals, best=value.style.bold and _ranks(value, each),
        )
        for each, title in zip(value.columns, _titles(value), strict=True)
    ]  # fmt: skip


def _ranks(value: PaperTable, each: PaperColumn) -> bool:
    """Return whether the means of a column rank runs. They do not where runs lack queries, so that means are over
    different ones, unless the test says the same; nor where the best row is marked worse than the baseline."""
    main = value.main
    if each is not main:
        return not value.subject.apart
    shown = column.number("values", "", each.means, decimals=value.style.decimals, best=True,
                          better_up=each.higher_is_better)  # fmt: skip
    top, marks = best(Table(NAME, "", (shown,)), shown), value.marks
    comparison = value.comparison
    against = "" if comparison is None or comparison.baseline is None else comparison.names[comparison.baseline]
    worse = bool((marks[top] < 0).any())
    if against not in value.runs:
        return not worse
    return not worse and not (bool(top[value.runs.index(against)]) and bool((marks > 0).any()))


def _tests(value: PaperTable) -> list[Column]:
    """Return what files of data say of the primary measure."""
    comparison, main = value.comparison, value.main
    if comparison is None or main is None:
        return []
    if letters := value.letters:
        return [column.text("group", tr("group"), letters, detail=True)]
    p, marks = value.p, value.marks.tolist()
    family = family_of("runs", comparison.pair(0).decision if len(comparison) else None, comparison.alpha)
    codes = [
        None if math.isnan(each) else {1: "better", -1: "worse", 0: "open"}[mark]
        for each, mark in zip(p.tolist(), marks, strict=True)
    ]
    return [
        column.p_value("p_corrected", tr("p {correction}", correction=family.correction), p, family, detail=True),
        column.outcome("outcome", tr("outcome"), codes, texts=[OUTCOMES.get(code or "", "–") for code in codes],
                       detail=True),
    ]  # fmt: skip


def _marks(value: PaperTable) -> dict[tuple[int, str], Mark]:
    main = value.main
    if main is None or not value.style.marked:
        return {}
    if letters := value.letters:
        return {(row, main.key): Mark("group", in_ranges(each), "") for row, each in enumerate(letters) if each}
    return {(row, main.key): Mark(*SIGNS[side], "") for row, side in enumerate(value.marks.tolist()) if side}


# --- the caption ---


def _caption(value: PaperTable, table: Table) -> str:
    sentences = [_subject_sentence(value.subject), *_own_queries_sentences(value), _level_sentence(value)]
    if any(best(table, each).any() for each in table.columns if each.kind == "number"):
        sentences.append(tr("Best values in bold."))
    sentences += [_marks_sentence(value), _secondary_sentence(value)]
    return " ".join([*filter(None, sentences), *value.subject.remarks])


def _own_queries_sentences(value: PaperTable) -> list[str]:
    """Return over how many queries means are by measures that leave out queries without a value."""
    sentences = []
    for each in value.columns:
        least, most = min(each.own, default=0), max(each.own, default=0)
        if not each.own or least == most == value.subject.queries:
            continue
        count = f"{most:,}" if least == most else tr("{least:,} to {most:,}", least=least, most=most)
        sentences.append(tr("{measure} is over those that have a value, {count}.", measure=each.name, count=count))
    return sentences


def _subject_sentence(subject: PaperSubject) -> str:
    parts = [queries_text(subject.queries)]
    if subject.query_set:
        parts = [tr("{queries} of the set {set}", queries=parts[0], set=subject.query_set)]
    if subject.judgments:
        count = trn("{n:,} judgment", "{n:,} judgments", subject.judgments)
        if subject.judged_by:
            count = tr("{judgments} of {judge}", judgments=count, judge=subject.judged_by)
        parts.append(f"{count} {subject.mark}".strip())
    numbers = ", ".join(parts)
    if not subject.collection:
        return tr("Means over {numbers}.", numbers=numbers)
    return f"{subject.collection}: {numbers}."


def _level_sentence(value: PaperTable) -> str:
    levels, names = _levels(value), [each.name for each in value.columns if each.level is not None]
    if len(levels) != 1 or _titles(value) != [each.name for each in value.columns]:
        return ""
    return trn(
        "{measures} counts grades from {level} as relevant.",
        "{measures} count grades from {level} as relevant.",
        len(names),
        measures=_listed(names),
        level=limit(next(iter(levels))),
    )


def _condition(value: PaperTable, alpha: float) -> str:
    """Return below which p a difference is significant, with the look that decides there."""
    inference = None if value.protocol is None else value.protocol.protocol.inference
    looks = None if inference is None or alpha == inference.alpha else inference.looks
    if looks is None:
        return f"p < {limit(alpha)}"
    return tr(
        "p < {p}, the bound of look {at} of {n}, {bounds}", p=limit(float(f"{alpha:.3g}")), at=looks.at,
        n=len(looks.fractions), bounds=BOUNDS[looks.bounds],
    )  # fmt: skip


def _marks_sentence(value: PaperTable) -> str:
    comparison = value.comparison
    if comparison is None or value.main is None or not value.style.marked:
        return ""
    test = comparison.decided_by()
    if value.hidden:
        test = trn("{test}; {n} run not shown", "{test}; {n} runs not shown", value.hidden, test=test)
    condition = _condition(value, comparison.alpha)
    if comparison.undecided:
        return tr("No test could show a difference: {reason} ({test}).", reason=comparison.undecided, test=test)
    if comparison.baseline is None:
        return tr(
            "Between runs that share a letter the test shows no difference ({test}, {condition}).",
            test=test, condition=condition,
        )  # fmt: skip
    baseline = comparison.names[comparison.baseline]
    present = {int(side) for side in np.unique(value.marks)} - {0}
    if present == {1, -1}:
        return tr(
            "†: significantly better, ‡: worse than {baseline} ({test}, {condition}).",
            baseline=baseline, test=test, condition=condition,
        )  # fmt: skip
    if present == {1}:
        return tr(
            "†: significantly better than {baseline} ({test}, {condition}).",
            baseline=baseline, test=test, condition=condition,
        )  # fmt: skip
    if present == {-1}:
        return tr(
            "‡: significantly worse than {baseline} ({test}, {condition}).",
            baseline=baseline, test=test, condition=condition,
        )  # fmt: skip
    return tr(
        "No difference to {baseline} is significant ({test}, {condition}).",
        baseline=baseline, test=test, condition=condition,
    )  # fmt: skip


def _secondary_sentence(value: PaperTable) -> str:
    """Return which measure is tested, and which are secondary; "" where nothing is tested or marked."""
    names, titles, main = [each.key for each in value.columns], _titles(value), value.main
    others = [title for name, title in zip(names, titles, strict=True) if main is None or name != main.key]
    if not value.primary or not value.style.marked or not others:
        return ""
    listed = _listed(others)
    if main is not None:
        return trn(
            "Only {primary} is tested; {measures} is secondary.",
            "Only {primary} is tested; {measures} are secondary.",
            len(others), primary=titles[names.index(main.key)], measures=listed,
        )  # fmt: skip
    if value.primary not in names:
        return trn(
            "{measures} is secondary to {primary}, and not tested.",
            "{measures} are secondary to {primary}, and not tested.",
            len(others), primary=usual_name(value.primary), measures=listed,
        )  # fmt: skip
    return trn("{measures} is not tested.", "{measures} are not tested.", len(others), measures=listed)


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return tr("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])
