"""Comparisons as text: a table for the eye, Markdown, LaTeX, CSV, TSV, JSON. One table of writers, by name.

Every one of them names all tests and intervals that were looked at. Computes nothing."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irviewer.formats import latex
from irviewer.model.statistics.comparison import Comparison, Pair
from irviewer.model.statistics.corrections import CORRECTIONS
from irviewer.model.statistics.of_results import row_of
from irviewer.model.statistics.records import TESTS
from irviewer.model.statistics.wording import MINUS, counted, limit, percent

SENTENCES = 20
"""Verdicts that a table for the eye writes out a measure; the rest is in its rows."""
BETTER, WORSE = "†", "‡"


@dataclass(frozen=True, eq=False)
class Report:
    """What is written: comparisons of the same runs, one a measure; ``mark`` is the test whose corrected p-value marks
    a difference, ``posterior`` whether tables have the posterior's columns."""

    comparisons: tuple[Comparison, ...]
    mark: str = "t"
    posterior: bool = False

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Every test, interval and posterior, once where it is the same for all measures."""
        every = [one.looked_at for one in self.comparisons]
        if all(one == every[0] for one in every):
            return every[0] if every else ()
        return tuple(f"{one.measure}: {said}" for one in self.comparisons for said in one.looked_at)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Of all comparisons, each once."""
        return tuple(dict.fromkeys(said for one in self.comparisons for said in one.warnings))


def number(value: float) -> str:
    """A mean: four decimals, fewer above a thousand; a true minus; a dash for none."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return f"{MINUS if value < 0 else ''}∞"
    text = f"{abs(value):,.{4 if abs(value) < 1000 else 1}f}"
    return (MINUS if value < 0 and text.strip("0.") else "") + text


def signed(value: float) -> str:
    """A difference: as a mean, with its sign."""
    text = number(value)
    return text if text[0] in "–−" or not text.strip("0.") else f"+{text}"


def title_of(one: Comparison) -> str:
    """What is compared, on how many queries, with what."""
    beside = "all pairs" if one.baseline is None else f"beside {one.names[one.baseline]}"
    return f"{one.measure}, {counted(len(one.query_ids), 'query', 'queries')}, {beside}"


def marks(one: Comparison, test: str) -> list[str]:
    """For each run a dagger where the test, corrected, shows it better than the baseline, a double one where worse."""
    found = [""] * len(one.names)
    shown = one.tests[test].corrected < one.alpha  # NaN is not less
    for place in np.flatnonzero(shown).tolist():
        above = (one.difference[place] > 0) == one.higher_is_better
        found[int(one.first[place])] = BETTER if above else WORSE
    return found


def best(one: Comparison) -> list[bool]:
    """For each run whether its mean is the best as it is printed; nowhere where all print the same."""
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
    if one.baseline is None:
        header += ["group"]
    else:
        header += _pair_header(one, report)
    for run, name in enumerate(one.names):
        cells = [name, number(float(one.means[run])), _ends(float(one.low[run]), float(one.high[run]))]
        cells += [number(float(weighted[run]))] if weighted is not None else []
        cells += [f"{int(one.own[run]):,}"] if one.ragged and one.own is not None else []
        if one.baseline is None:
            cells.append(letters[run])
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


def _shown_tests(one: Comparison, report: Report) -> list[tuple[str, str, bool]]:
    """Columns of p-values: header, test, whether after the correction. Of the test that marks both; of others the
    corrected ones only, which is what is compared with alpha."""
    title = CORRECTIONS[one.correction] if len(one) > 1 else ""
    found = []
    for name in dict.fromkeys((report.mark, *one.tests)):
        said = "p" if name == "t" else f"p {name}"
        corrects = bool(title) and not TESTS[name].family
        if name == report.mark or not corrects:
            found.append((said, name, False))
        if corrects:
            found.append((f"{said} {title}", name, True))
    return found


def _pair_header(one: Comparison, report: Report) -> list[str]:
    names = ["in common", "its mean there", "other's there"] if one.ragged else []
    names += ["Δ", f"{percent(one.level)} interval", "relative", "better/equal/worse"]
    names += [] if one.weights is None else ["weighted Δ", f"weighted {percent(one.level)} interval"]
    names += [*(said for said, _, _ in _shown_tests(one, report)), "d"]
    return names + (["P(better)", "P(equal)", "P(worse)"] if report.posterior else [])


def _pair_cells(one: Comparison, pair: Pair, report: Report) -> list[str]:
    change = pair.relative
    cells = [f"{pair.n:,}", number(pair.mean), number(pair.other_mean)] if one.ragged else []
    cells += [
        signed(pair.difference),
        _ends(pair.interval.low, pair.interval.high),
        "–" if math.isnan(change) else f"{'+' if change > 0 else ''}{percent(change)}",
        f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}",
    ]
    if pair.weighted_difference is not None and pair.weighted_interval is not None:
        cells += [signed(pair.weighted_difference), _ends(pair.weighted_interval.low, pair.weighted_interval.high)]
    for _, name, after in _shown_tests(one, report):
        test = pair.test(name)
        cells.append(test.p_corrected_shown if after else test.p_shown)
    d = pair.effects.d
    cells.append(signed(d)[:-2] if math.isfinite(d) else signed(d))
    shares = (pair.posterior.better, pair.posterior.equal, pair.posterior.worse)
    return cells + ([f"{share:.3f}" for share in shares] if report.posterior else [])


def _ends(low: float, high: float) -> str:
    return "–" if math.isnan(low) and math.isnan(high) else f"[{number(low)}, {number(high)}]"


def _verdicts(one: Comparison) -> list[str]:
    pairs = [one.pair(place) for place in range(min(len(one), SENTENCES))]
    found = [f"{pair.verdict}. {pair.remark}" if pair.remark else pair.verdict for pair in pairs]
    if len(one) > SENTENCES:
        found.append(f"… and {len(one) - SENTENCES:,} more pairs, a row each")
    return found


def write_table(report: Report) -> str:
    """Aligned for the eye, the verdicts in words below, then what has to be told and all that was looked at."""
    lines: list[str] = []
    for one in report.comparisons:
        lines += [title_of(one), *_aligned(*runs_grid(one, report)), ""]
        if one.baseline is None:
            lines += ["Runs that share a letter cannot be told apart by " + TESTS[one.of_all].title + ".", ""]
            lines += [*_aligned(*pairs_grid(one, report), left=2), ""]
        lines += [*_verdicts(one), ""]
    lines += [f"Note: {said}" for said in report.warnings]
    lines += ["Looked at:", *(f"  {said}" for said in report.looked_at)]
    return "\n".join(lines) + "\n"


def _aligned(header: list[str], rows: list[list[str]], left: int = 1) -> list[str]:
    widths = [max(len(row[place]) for row in [header, *rows]) for place in range(len(header))]
    found = []
    for row in [header, *rows]:
        pairs = enumerate(zip(row, widths, strict=True))
        cells = [cell.ljust(width) if place < left else cell.rjust(width) for place, (cell, width) in pairs]
        found.append("  ".join(cells).rstrip())
    return found


def write_markdown(report: Report) -> str:
    """A heading and a table a measure, the best mean bold, the verdicts as a list, and all that was looked at."""
    blocks: list[str] = []
    for one in report.comparisons:
        blocks.append(f"### {_plain(title_of(one))}")
        header, rows = runs_grid(one, report)
        for row, top in zip(rows, best(one), strict=True):
            row[1] = f"**{row[1]}**" if top else row[1]
        blocks.append(_markdown(header, rows, 1))
        if one.baseline is None:
            blocks.append(f"Runs that share a letter cannot be told apart by {TESTS[one.of_all].title}.")
            blocks.append(_markdown(*pairs_grid(one, report), 2))
        blocks.append("\n".join(f"- {_plain(said)}" for said in _verdicts(one)))
    if report.warnings:
        blocks.append("\n".join(f"- Note: {_plain(said)}" for said in report.warnings))
    blocks.append("Looked at: " + "; ".join(map(_plain, report.looked_at)) + ".")
    return "\n\n".join(blocks) + "\n"


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    rule = [":--" if place < left else "--:" for place in range(len(header))]
    plain = [[_plain(cell) if place < left else cell for place, cell in enumerate(row)] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(header), rule, *plain])


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~$" else letter for letter in text)


def write_latex(report: Report) -> str:
    """Tables that compile with booktabs: one of all measures, a row a run, the best mean bold, daggers (or the letters
    of all pairs) explained in the caption, which names all tests; of one measure with difference and p-value."""
    one = report.comparisons[0]
    names = "".join(one.names) + "".join(each.measure for each in report.comparisons)
    baseline = None if one.baseline is None else one.names[one.baseline]
    alone = len(report.comparisons) == 1 and baseline is not None
    header = ["Run", *(latex.escape(each.measure) for each in report.comparisons)]
    columns = [_latex_means(each, report) for each in report.comparisons]
    rows = [[latex.escape(name), *cells] for name, *cells in zip(one.names, *columns, strict=True)]
    if alone:
        grid, body = runs_grid(one, report)
        # A page has room for the test that marks; the others are named in the caption.
        others = {said for said, name, _ in _shown_tests(one, report) if name != report.mark}
        left_out = {"relative", *others}
        kept = [name not in left_out and not name.startswith("weighted") for name in grid]
        chosen = [place for place, keep in enumerate(kept) if place > 2 and keep]
        header += [_latex_name(grid[place]) for place in chosen]
        for row, cells in zip(rows, body, strict=True):
            row += [latex.escape(cells[place]) for place in chosen]
    caption = _caption(report, one, baseline)
    found = latex.table(header, rows, "l" + "r" * (len(header) - 1), caption, "tab:comparison")
    return latex.head(names) + found


def _latex_means(one: Comparison, report: Report) -> list[str]:
    tops = best(one)
    above = one.letters() if one.baseline is None else marks(one, report.mark)
    daggers = {BETTER: r"$^{\dagger}$", WORSE: r"$^{\ddagger}$"}
    found = []
    for mean, top, mark in zip(one.means.tolist(), tops, above, strict=True):
        text = latex.escape(number(mean))
        text = rf"\textbf{{{text}}}" if top else text
        found.append(text + (daggers.get(mark) or (rf"$^{{\mathrm{{{mark}}}}}$" if mark else "")))
    return found


def _latex_name(name: str) -> str:
    if name == "p" or name.startswith("p "):
        return f"$p${latex.escape(name[1:])}"
    return f"${name}$" if name == "d" else latex.escape(name)


def _caption(report: Report, one: Comparison, baseline: str | None) -> str:
    over = counted(len(one.query_ids), "query", "queries")
    parts = [f"Means over {'those that a run has of ' if one.ragged else ''}{over}; the best in bold."]
    after = CORRECTIONS[one.correction]
    if baseline is None:
        how = f"{TESTS[one.of_all].title}, p < {limit(one.alpha)}"
        parts.append(f"Runs that share a letter cannot be told apart ({how}).")
    said = " ".join(parts)
    text = latex.escape(said)
    if baseline is not None:
        how = TESTS[report.mark].title
        how += f", after {after}" if after and not TESTS[report.mark].family and len(one) > 1 else ""
        text += (
            rf" $\dagger$: better, $\ddagger$: worse than {latex.escape(baseline)}"
            rf" ({latex.escape(how)}, $p < {limit(one.alpha)}$)."
        )
    looked = "; ".join(report.looked_at)
    notes = "".join(f" {said}" for said in report.warnings)
    return text + latex.escape(f" Looked at: {looked}.{notes}")


def write_csv(report: Report, delimiter: str = ",") -> str:
    """A row a measure and pair at full precision; the last columns say in every row all that was looked at and
    what has to be told, so that the file stays a plain table and the remarks go wherever a row goes."""
    out = io.StringIO()
    rows: list[dict[str, Any]] = []
    for one in report.comparisons:
        looked = "; ".join(one.looked_at)
        told = {"correction": one.correction, "interval": one.interval, "level": one.level}
        told |= {"samples": one.samples, "seed": one.seed, "looked at": looked}
        told |= {"notes": " ".join(one.warnings)} if one.warnings else {}
        rows += [row_of(pair) | told for pair in one.pairs]
    header = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(row.get(name)) for name in header] for row in rows)
    return out.getvalue()


def write_tsv(report: Report) -> str:
    """The same with tabs."""
    return write_csv(report, "\t")


def _cell(value: object) -> object:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return "" if value is None else value


def write_json(report: Report) -> str:
    """One object: the choices, what was looked at and has to be told, and for each measure its runs and pairs, each
    with its verdict; null where there is no number."""
    measures = []
    for one in report.comparisons:
        letters = one.letters() if one.baseline is None else None
        runs = []
        for place, name in enumerate(one.names):
            run: dict[str, Any] = {"name": name, "mean": one.means[place]}
            run |= {"low": one.low[place], "high": one.high[place]}
            run |= {} if one.own is None else {"queries": int(one.own[place])}
            run |= {} if letters is None else {"group": letters[place]}
            run |= {} if one.weighted_means is None else {"weighted mean": one.weighted_means[place]}
            runs.append(run)
        pairs = [row_of(pair) | {"verdict": pair.verdict, "remark": pair.remark} for pair in one.pairs]
        measures.append({
            "measure": one.measure, "queries": len(one.query_ids), "higher_is_better": one.higher_is_better,
            "baseline": None if one.baseline is None else one.names[one.baseline],
            "correction": one.correction, "comparisons": len(one), "interval": one.interval, "level": one.level,
            "alpha": one.alpha, "samples": one.samples, "seed": one.seed, "rope": one.posteriors.rope,
            "runs": runs, "pairs": pairs, "looked_at": list(one.looked_at), "warnings": list(one.warnings),
        })  # fmt: skip
    return json.dumps(_finite({"comparisons": measures}), indent=2, ensure_ascii=False) + "\n"


def _finite(value: Any) -> Any:
    """Plain values that JSON has: no numpy, no NaN; infinity in words."""
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    if isinstance(value, float):
        number = float(value)
        return None if math.isnan(number) else str(number) if math.isinf(number) else number
    return value


WRITERS: dict[str, Callable[[Report], str]] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "latex": write_latex,
    "markdown": write_markdown,
}
