"""``irviewer failures``: on which queries which runs fail, and how; documents that mislead many queries."""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from irviewer.analysis.failures.detect import failures_of_runs
from irviewer.analysis.failures.kinds import KINDS, NAMES, Limits
from irviewer.cli.options import add_dialect, add_options, add_sources, one_measure, put
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.model.number_text import MINUS
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Regime
from irviewer.reports.json_text import json_text

if TYPE_CHECKING:
    from irviewer.analysis.failures.detect import FailuresOfRuns

FAILURES = (
    "Print the queries on which runs fail, a line a query and run: nothing relevant found; relevant documents below "
    "the cutoff only; non-relevant documents above the first relevant one; an unjudged top; worse than the baseline or "
    "the median; hard for all. --hubs prints documents that many queries retrieve wrongly."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = FAILURES
    add_sources(parser)
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help="one (default nDCG@10)")
    parser.add_argument("-k", "--cutoff", type=int, default=10, metavar="K", help="ranks looked at first (10)")
    parser.add_argument("--baseline", metavar="RUN", help="a run, by name or file (default: the first)")
    parser.add_argument("--worse", type=float, default=0.1, metavar="D", help="how much worse is too much (.1)")
    parser.add_argument("--unjudged", type=float, default=0.5, metavar="SHARE", help="too much of the top (.5)")
    parser.add_argument("--hard", type=float, default=0.1, metavar="VALUE", help="hard where no run reaches it (.1)")
    parser.add_argument("--kind", action="append", choices=NAMES, help="only failures of this kind; repeatable")
    parser.add_argument("--hubs", action="store_true", help="documents that two queries or more retrieve wrongly")
    parser.add_argument(
        "--regime", choices=tuple(one.value for one in Regime),
        help="what it means that a document is not listed (without: what the qrels look like)",
    )  # fmt: skip
    add_options(parser)
    add_dialect(parser)
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")


def run(options: argparse.Namespace) -> int:
    """``irviewer failures``."""
    measure = one_measure(options.measure, "nDCG@10")
    limits = Limits(options.cutoff, options.unjudged, options.worse, options.hard)
    choices = EvaluationOptions(options.level, options.judged_only, options.depth, options.missing, options.dialect)
    qrels = read_judgments(options)
    files, runs = list(options.runs), read_runs(options, qrels)
    baseline = options.baseline
    if baseline in files and baseline not in [run.name for run in runs]:
        baseline = runs[files.index(baseline)].name
    found = failures_of_runs(
        qrels, runs, measure, limits, choices, baseline=baseline,
        regime=None if options.regime is None else Regime(options.regime),
    )  # fmt: skip
    rows = list(_hubs(found)) if options.hubs else list(_records(found, set(options.kind or ())))
    put(WRITERS[options.format](found, rows, options.hubs), options.output)
    return 0


def _records(found: FailuresOfRuns, wanted: set[str]) -> Iterator[dict[str, Any]]:
    """A record a query and run that fails, in the order of queries, then runs."""
    failures = found.failures
    masks = failures.masks
    sign = 1.0 if found.measure.higher_is_better else -1.0  # a difference is the value less the other, as everywhere
    keep = sum(1 << place for place, kind in enumerate(KINDS) if not wanted or kind.name in wanted)
    for place, run in zip(*(masks & keep).nonzero(), strict=True):
        mask = int(masks[place, run])
        yield {
            "query": failures.query_ids[place],
            "run": found.runs[run],
            "failures": [kind for number, kind in enumerate(KINDS) if mask >> number & 1],
            found.measure.text: _plain(failures.values[place, run]),
            "to baseline": _plain(sign * failures.to_baseline[place, run]),
            "to median": _plain(sign * failures.to_median[place, run]),
            "first relevant": int(failures.first[place, run]) or None,
            "non-relevant above": int(failures.above[place, run]),
            "unjudged on top": _plain(failures.unjudged[place, run]),
            "relevant": int(failures.relevant[place]),
            f"found by {failures.limits.cutoff}": int(failures.found[place, run]),
            "found below": int(failures.deeper[place, run]),
        }


def _hubs(found: FailuresOfRuns) -> Iterator[dict[str, Any]]:
    """A record a document that two queries or more retrieve wrongly."""
    hubs = found.hubs
    for row, document in enumerate(hubs.doc_ids.to_pylist()):
        yield {
            "document": document,
            "queries": int(hubs.queries[row]),
            "non-relevant": int(hubs.nonrelevant[row]),
            "unjudged": int(hubs.unjudged[row]),
            "runs": int(hubs.runs[row]),
            "best rank": int(hubs.best[row]),
            "relevant for": int(hubs.right[row]),
            "for queries": [found.failures.query_ids[place] for place in hubs.queries_of(row).tolist()],
        }


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _cell(value: Any, exact: bool) -> str:
    if isinstance(value, list):
        return " ".join(one if isinstance(one, str) else one.name for one in value)
    if value is None:
        return "" if exact else "–"
    return (
        repr(value)
        if exact and isinstance(value, float)
        else f"{value:.4f}".replace("-", MINUS)
        if isinstance(value, float)
        else str(value)
    )


def _counts(found: FailuresOfRuns) -> Iterator[str]:
    """How many queries fail in which way, a column a run."""
    failures = found.failures
    rows = [["kind", *found.runs, "meaning"]]
    for kind, counts in zip(KINDS, failures.counts.tolist(), strict=True):
        meaning = failures.limits.meaning(kind, found.measure.higher_is_better)
        rows.append([kind.name, *(f"{one:,}" for one in counts), meaning])
    yield from _aligned(rows, left=(0, len(found.runs) + 1))


def _aligned(rows: list[list[str]], left: tuple[int, ...]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def write_table(found: FailuresOfRuns, rows: list[dict[str, Any]], hubs: bool) -> str:
    """Counts by kind and run, then a line a failure; of hubs a line a document."""
    failures = found.failures
    lines = []
    if not hubs:
        against = f", against {found.baseline}" if found.baseline else ""
        asked = int(failures.answerable.sum())
        lines = [f"{found.measure.text} of {asked:,} queries with relevant documents{against}", "", *_counts(found), ""]
    if rows:
        table = [list(rows[0]), *([_cell(value, False) for value in row.values()] for row in rows)]
        last = len(rows[0]) - 1
        lines += _aligned(table, left=(0, last) if hubs else (0, 1, 2))
    else:
        lines.append("no document is retrieved wrongly by two queries or more" if hubs else "no failure of these kinds")
    return "\n".join(lines) + "\n"


def write_csv(found: FailuresOfRuns, rows: list[dict[str, Any]], hubs: bool) -> str:
    """A row a failure at full precision; kinds, and queries, parted by spaces; an empty cell where there is no
    value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if rows:
        writer.writerow(rows[0])
    writer.writerows([_cell(value, True) for value in row.values()] for row in rows)
    return out.getvalue()


def write_json(found: FailuresOfRuns, rows: list[dict[str, Any]], hubs: bool) -> str:
    """The rows of the CSV with what they are of."""
    failures = found.failures
    plain = [
        {key: [getattr(one, "name", one) for one in value] if isinstance(value, list) else value
         for key, value in row.items()}
        for row in rows
    ]  # fmt: skip
    document: dict[str, Any] = {
        "measure": found.measure.text,
        "baseline": found.baseline or None,
        "regime": found.regime.value,
        "counts": {
            kind.name: dict(zip(found.runs, counts, strict=True))
            for kind, counts in zip(KINDS, failures.counts.tolist(), strict=True)
        },
        "documents" if hubs else "failures": plain,
    }
    return json_text(document)


WRITERS: dict[str, Callable[[FailuresOfRuns, list[dict[str, Any]], bool], str]] = {
    "table": write_table,
    "csv": write_csv,
    "json": write_json,
}
