"""One table of runs and measures for a paper, with its caption: LaTeX, Markdown, CSV, HTML for word processors."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.errors import OptionError, name_some
from irviewer.measures.base import Measure, with_level
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.number_text import MINUS, limit, queries_text
from irviewer.reports.comparison_grids import BETTER, WORSE
from irviewer.reports.sheets import escape
from irviewer.tables import latex, markdown
from irviewer.translation import decimal_points, tr, trn

DECIMALS = 4
"""The decimals of a value where none are asked for, as in trec_eval and in the window."""
LEAST_DECIMALS, MOST_DECIMALS = 1, 8
UNWEIGHTED = tr("Means are not weighted.")
LABEL = "tab:effectiveness"


def own_queries_remark(counts: Mapping[str, int]) -> str:
    """Return that the means of some runs are over fewer queries; ``counts`` run -> number of its queries."""
    listed = name_some([f"{run} {n:,}" for run, n in counts.items()], 6)
    return tr("Each mean is over the queries that the run has ({counts}).", counts=listed)


@dataclass(frozen=True, eq=False)
class PaperColumn:
    """A measure as a column.

    name, level      its name without the relevance level; the level, None where grades do not depend on one
    means            float64[R]; NaN for no value
    marks            int64[R]: 1 where the test shows the run to be better than the baseline, -1 worse, else 0
    p                float64[R]: after the correction; NaN for the baseline and without a test
    decided_by       the test with its correction; "" where there is none
    corrected        whether p is corrected for the comparisons of this measure alone
    counts           values are whole numbers
    """

    name: str
    level: float | None
    means: Floats
    marks: Ints
    p: Floats
    decided_by: str = ""
    corrected: bool = False
    counts: bool = False
    higher_is_better: bool = True


@dataclass(frozen=True)
class PaperSubject:
    """What the values of a table are of, as its caption names it.

    judgments   their number; ``judged_by`` names the set or the judge, "" for none
    mark        a remark about changed judgments: "with 1 changed judgment"
    remarks     further sentences, such as how queries count that a run lacks
    """

    collection: str = ""
    queries: int = 0
    query_set: str = ""
    judgments: int = 0
    judged_by: str = ""
    mark: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PaperTable:
    """R runs by measures, as they are printed.

    baseline   the name of the run that others are compared with; "" for none
    hidden     the number of runs that take part in the tests, but are no rows
    marked     whether daggers are printed, ``bold`` whether the best value of each column is bold

    Its numbers have decimal points, on screen too.
    """

    runs: tuple[str, ...]
    columns: tuple[PaperColumn, ...]
    subject: PaperSubject
    baseline: str = ""
    alpha: float = 0.05
    decimals: int = DECIMALS
    bold: bool = True
    marked: bool = True
    hidden: int = 0

    def __post_init__(self) -> None:
        if not LEAST_DECIMALS <= self.decimals <= MOST_DECIMALS:
            raise OptionError(
                tr(
                    "the number of decimals is {decimals}; it must be from {least} to {most}",
                    decimals=self.decimals, least=LEAST_DECIMALS, most=MOST_DECIMALS,
                )
            )  # fmt: skip

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns, the first of which has the runs."""
        one_level = len(self._levels) < 2 and len({column.name for column in self.columns}) == len(self.columns)
        with decimal_points():
            titles = [
                column.name if one_level or column.level is None else with_level(column.name, column.level, short=True)
                for column in self.columns
            ]
        return tr("Run"), *titles

    @property
    def _levels(self) -> set[float]:
        return {column.level for column in self.columns if column.level is not None}

    def text(self, column: PaperColumn, run: int) -> str:
        """Return a value as it is printed, without its mark."""
        value = float(column.means[run])
        if math.isnan(value):
            return "–"
        if math.isinf(value):
            return f"{MINUS if value < 0 else ''}∞"
        text = f"{abs(value):,.0f}" if column.counts else f"{abs(value):,.{self.decimals}f}"
        return (MINUS if value < 0 and text.strip("0.,") else "") + text

    def best(self, column: PaperColumn) -> list[bool]:
        """Return for each run whether its value is the best as printed; False for all where all print the same, and
        where a mark says otherwise: means over different queries do not rank runs."""
        texts = [self.text(column, run) for run in range(len(self.runs))]
        present = column.means[~np.isnan(column.means)]
        if not self.bold or not len(present) or len(set(texts)) == 1:
            return [False] * len(texts)
        top = float(present.max() if column.higher_is_better else present.min())
        best_text = texts[int(np.flatnonzero(column.means == top)[0])]
        bold = [text == best_text for text in texts]
        return [False] * len(texts) if self._contradicted(column, bold) else bold

    def _contradicted(self, column: PaperColumn, bold: list[bool]) -> bool:
        """Return whether a bold run is marked worse than the baseline, or a run is marked better than a bold baseline:
        both happen where runs lack queries, and the test is over the queries that both have."""
        marks = column.marks.tolist()
        worse = any(top and mark < 0 for top, mark in zip(bold, marks, strict=True))
        if self.baseline not in self.runs:
            return worse
        return worse or (bold[self.runs.index(self.baseline)] and any(mark > 0 for mark in marks))

    def mark(self, column: PaperColumn, run: int) -> str:
        """Return the dagger of a value, "" for none."""
        side = int(column.marks[run]) if self.marked else 0
        return BETTER if side > 0 else WORSE if side < 0 else ""

    @property
    def tested(self) -> tuple[PaperColumn, ...]:
        """The columns whose differences were tested."""
        return tuple(column for column in self.columns if column.decided_by)

    @property
    def condition(self) -> str:
        """``p < .05``."""
        with decimal_points():
            return f"p < {limit(self.alpha)}"

    @property
    def caption(self) -> str:
        """What the values are of, and what the marks mean that occur."""
        with decimal_points():
            sentences = [self._subject_sentence(), self._level_sentence()]
            if any(any(self.best(column)) for column in self.columns):
                sentences.append(tr("Best values in bold."))
            sentences.append(self._marks_sentence())
        return " ".join([*filter(None, sentences), *self.subject.remarks])

    def _subject_sentence(self) -> str:
        subject = self.subject
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

    def _level_sentence(self) -> str:
        if len(self._levels) != 1 or " ≥" in "".join(self.header):
            return ""
        names = [column.name for column in self.columns if column.level is not None]
        return trn(
            "{measures} counts grades from {level} as relevant.",
            "{measures} count grades from {level} as relevant.",
            len(names),
            measures=_listed(names),
            level=limit(next(iter(self._levels))),
        )

    def _marks_sentence(self) -> str:
        tested = self.tested
        if not self.baseline or not tested or not self.marked:
            return ""
        decisions = dict.fromkeys(column.decided_by for column in tested)
        if len(decisions) == 1:
            test = next(iter(decisions))
            if len(tested) > 1 and tested[0].corrected:
                test = tr("{test} per measure", test=test)
        else:
            test = "; ".join(f"{column.name}: {column.decided_by}" for column in tested)
        if self.hidden:
            test = trn("{test}; {n} run not shown", "{test}; {n} runs not shown", self.hidden, test=test)
        present = {int(side) for column in tested for side in np.unique(column.marks)} - {0}
        if present == {1, -1}:
            text = tr(
                "†: significantly better, ‡: worse than {baseline} ({test}, {condition}).",
                baseline=self.baseline,
                test=test,
                condition=self.condition,
            )
        elif present == {1}:
            text = tr(
                "†: significantly better than {baseline} ({test}, {condition}).",
                baseline=self.baseline,
                test=test,
                condition=self.condition,
            )
        elif present == {-1}:
            text = tr(
                "‡: significantly worse than {baseline} ({test}, {condition}).",
                baseline=self.baseline,
                test=test,
                condition=self.condition,
            )
        else:
            text = tr(
                "No difference to {baseline} is significant ({test}, {condition}).",
                baseline=self.baseline,
                test=test,
                condition=self.condition,
            )
        untested = [column.name for column in self.columns if not column.decided_by]
        if untested:
            text += " " + trn(
                "{measures} is not tested.", "{measures} are not tested.", len(untested), measures=_listed(untested)
            )
        return text

    # --- the forms of the file ---

    @property
    def latex(self) -> str:
        """The table in the style of booktabs."""
        return write_latex(self)

    @property
    def markdown(self) -> str:
        """The table in Markdown."""
        return write_markdown(self)

    @property
    def csv(self) -> str:
        """The table as CSV at full precision."""
        return write_csv(self)

    @property
    def html(self) -> str:
        """The table as a page that word processors open."""
        return write_html(self)

    def __str__(self) -> str:
        return self.markdown

    def _repr_html_(self) -> str:
        return html_table(self)


def column_of(
    measure: Measure,
    runs: Sequence[str],
    means: Floats,
    comparison: Comparison | None,
    *,
    graded: bool = False,
    level: float = 1,
    counts: bool | None = None,
    name: str = "",
) -> PaperColumn:
    """Return the column of a measure: the means float64[R] of the runs with these names, and their comparison with the
    baseline, None without a test. The comparison may lack runs, and have others. ``name`` replaces the measure's; it
    may hold ``{measure}``."""
    plain, own_level = measure.apart_from_level(graded, level)
    marks, p, decided_by, corrected = np.zeros(len(runs), np.int64), np.full(len(runs), np.nan), "", False
    if comparison is not None and len(comparison):
        column = comparison.column()
        p_of = dict(zip(comparison.first.tolist(), column.corrected.tolist(), strict=True))
        every_mark = comparison.marks().tolist()
        for position, run in enumerate(runs):
            if run in comparison.names:
                at = comparison.names.index(run)
                marks[position], p[position] = every_mark[at], p_of.get(at, math.nan)
        corrected = not TESTS[column.test].family and bool(CORRECTIONS[comparison.correction]) and len(comparison) > 1
        decided_by = comparison.decided_by()
    return PaperColumn(
        name.format(measure=plain) if name else plain, own_level, frozen(means), frozen(marks), frozen(p), decided_by,
        corrected, measure.counts if counts is None else counts, measure.higher_is_better,
    )  # fmt: skip


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return tr("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])


# --- writers ---


def write_latex(table: PaperTable) -> str:
    """Return a floating table that compiles with booktabs. Daggers hang outside the columns, so that figures align."""
    daggers = {BETTER: r"\rlap{$^{\dagger}$}", WORSE: r"\rlap{$^{\ddagger}$}", "": ""}
    tops = [table.best(column) for column in table.columns]
    rows = []
    for run, name in enumerate(table.runs):
        cells = [latex.escape(name)]
        for column, top in zip(table.columns, tops, strict=True):
            text = latex.escape(table.text(column, run))
            cells.append((rf"\textbf{{{text}}}" if top[run] else text) + daggers[table.mark(column, run)])
        rows.append(cells)
    header = [latex.escape(title) for title in table.header]
    body = latex.table(header, rows, "@{}l" + "r" * len(table.columns) + "@{}", latex_caption(table), LABEL)
    return latex.head(table.caption + "".join(table.runs) + "".join(table.header)) + body


def latex_caption(table: PaperTable) -> str:
    """Return the caption in LaTeX."""
    text = latex.escape(table.caption)
    return text.replace(latex.escape(table.condition), f"${table.condition}$")


def write_markdown(table: PaperTable) -> str:
    """Return a table with the caption below."""
    rows = []
    for run, name in enumerate(table.runs):
        cells = [markdown.escape(name)]
        for column in table.columns:
            text = table.text(column, run)
            cells.append((f"**{text}**" if table.best(column)[run] else text) + table.mark(column, run))
        rows.append(cells)
    header = [markdown.escape(title) for title in table.header]
    lines = markdown.table(header, rows, [False, *[True] * len(table.columns)])
    return "\n".join(lines) + f"\n\n{markdown.escape(table.caption)}\n"


def write_csv(table: PaperTable) -> str:
    """Return a row for each run: for each measure the value at full precision and, where it was tested, its corrected p
    and mark; the caption in the last column. The header is English in every language, as in all files of data."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    header = ["run"]
    for title, column in zip(table.header[1:], table.columns, strict=True):
        header += [title, *([f"{title} p", f"{title} mark"] if _has_marks(table, column) else [])]
    writer.writerow([*header, "notes"])
    for run, name in enumerate(table.runs):
        cells: list[str] = [name]
        for column in table.columns:
            cells.append(_exact(column, float(column.means[run])))
            if _has_marks(table, column):
                p = float(column.p[run])
                cells += ["" if math.isnan(p) else repr(p), table.mark(column, run)]
        writer.writerow([*cells, table.caption])
    return out.getvalue()


def _has_marks(table: PaperTable, column: PaperColumn) -> bool:
    return bool(table.marked and table.baseline and column.decided_by)


def _exact(column: PaperColumn, value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.0f}" if column.counts and value == round(value) else repr(value)


THICK, THIN = "1.5pt", ".75pt"


def html_table(table: PaperTable) -> str:
    """Return the table with its caption as HTML whose styles are written at each cell, as word processors need it."""
    lines = [
        f'<p style="font-family:Times New Roman,serif;font-size:10pt;margin:0 0 6pt 0">{escape(table.caption)}</p>',
        '<table cellspacing="0" cellpadding="0" style="border-collapse:collapse;border:none;'
        'font-family:Times New Roman,serif;font-size:10pt">',
    ]
    last = len(table.runs) - 1
    cells = [
        _html_cell("th", escape(title), position, _rule("top", THICK) + _rule("bottom", THIN))
        for position, title in enumerate(table.header)
    ]
    lines.append(f"<tr>{''.join(cells)}</tr>")
    for run, name in enumerate(table.runs):
        rule = _rule("bottom", THICK) if run == last else ""
        cells = [_html_cell("td", escape(name), 0, rule)]
        for position, column in enumerate(table.columns, start=1):
            text = escape(table.text(column, run))
            text = f"<b>{text}</b>" if table.best(column)[run] else text
            mark = table.mark(column, run)
            cells.append(_html_cell("td", text + (f"<sup>{mark}</sup>" if mark else ""), position, rule))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</table>"])


def _rule(side: str, width: str) -> str:
    return f"border-{side}-style:solid;border-{side}-width:{width};"


def _html_cell(tag: str, content: str, place: int, rule: str) -> str:
    side = "right" if place else "left"
    style = (
        f"text-align:{side};font-weight:normal;padding:1pt 6pt;white-space:nowrap;border-left:none;border-right:none"
    )
    return f'<{tag} align="{side}" style="{style}{";" if rule else ""}{rule}">{content}</{tag}>'


def write_html(table: PaperTable) -> str:
    """Return a page with the table."""
    title = escape(table.subject.collection or tr("Table"))
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
    return f"{head}<body>\n{html_table(table)}\n</body></html>\n"


WRITERS: dict[str, Callable[[PaperTable], str]] = {
    "latex": write_latex,
    "markdown": write_markdown,
    "csv": write_csv,
    "html": write_html,
}
ENDINGS = {".tex": "latex", ".md": "markdown", ".csv": "csv", ".html": "html", ".htm": "html"}
"""The format of a file by its ending."""


def encoded(table: PaperTable, form: str) -> bytes:
    """Return the file in a format of WRITERS; names that were not UTF-8 keep their bytes in Markdown and CSV."""
    return WRITERS[form](table).encode("utf-8", "surrogateescape" if form in ("markdown", "csv") else "replace")
