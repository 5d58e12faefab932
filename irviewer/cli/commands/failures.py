"""``irviewer failures``: print the queries on which runs fail, or hub documents."""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from irviewer.analysis.failures.kinds import KINDS, NAMES, Limits
from irviewer.api.judging import failures_by
from irviewer.cli.options.common import (
    add_dialect,
    add_measure,
    add_options,
    add_output,
    add_sources,
    one_measure,
)
from irviewer.cli.options.protocol import RULES, Followed, add_protocol, asked_of, put_answer, taking_part
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.statistics import add_baseline
from irviewer.model.number_text import MINUS
from irviewer.tables.aligned import padded
from irviewer.tables.json_text import json_text
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.failures.detect import FailuresOfRuns

FAILURES = tr(
    "Print the queries on which runs fail, one line per query and run: no relevant document retrieved; relevant "
    "documents "
    "only below the cutoff; non-relevant documents above the first relevant one; unjudged documents at the top; worse "
    "than the baseline or the median; hard for all runs. --hubs prints non-relevant documents that are retrieved for "
    "many queries."
)

FOLLOWED = Followed("failures", {**RULES, "measure": "measures", "baseline": "baseline"}, also=("runs",))


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = FAILURES
    add_sources(parser)
    add_measure(parser)
    parser.add_argument(
        "-k",
        "--cutoff",
        type=int,
        default=10,
        metavar="K",
        help=tr("cutoff: the ranks that are examined (default: 10)"),
    )
    add_baseline(parser)
    parser.add_argument(
        "--worse",
        type=float,
        default=0.1,
        metavar="D",
        help=tr("smallest difference at which a run counts as worse (default: .1)"),
    )
    parser.add_argument(
        "--unjudged-share",
        type=float,
        default=0.5,
        metavar="SHARE",
        help=tr("smallest share of unjudged documents in the top that counts as a failure (default: .5)"),
    )
    parser.add_argument(
        "--hard",
        type=float,
        default=0.1,
        metavar="VALUE",
        help=tr("a query is hard if no run reaches this value (default: .1)"),
    )
    parser.add_argument("--kind", action="append", choices=NAMES, help=tr("only failures of this kind, repeatable"))
    parser.add_argument(
        "--hubs",
        action="store_true",
        help=tr("print documents that are retrieved, but not relevant, for two or more queries"),
    )
    add_options(parser)
    add_dialect(parser)
    add_output(parser, WRITERS)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer failures``."""
    measure = one_measure(options.measure, "nDCG@10")
    limits = Limits(options.cutoff, options.unjudged_share, options.worse, options.hard)
    qrels = read_judgments(options)
    runs = taking_part(options, read_runs(options, qrels))
    result = failures_by(asked_of(options, [run.name for run in runs]), qrels, runs, measure, limits)
    rows = list(_hubs(result)) if options.hubs else list(_records(result, set(options.kind or ())))
    put_answer(WRITERS[options.format](result, rows, options.hubs), options, result.protocol)
    return 0


def _records(result: FailuresOfRuns, wanted: set[str]) -> Iterator[dict[str, Any]]:
    """Yield a record per query and failing run, ordered by query, then run."""
    failures = result.failures
    masks = failures.masks
    sign = 1.0 if result.measure.higher_is_better else -1.0  # differences are the value minus the other value
    keep = sum(1 << bit for bit, kind in enumerate(KINDS) if not wanted or kind.name in wanted)
    for index, run in zip(*(masks & keep).nonzero(), strict=True):
        mask = int(masks[index, run])
        yield {
            "query": failures.query_ids[index],
            "run": result.runs[run],
            "failures": [kind for bit, kind in enumerate(KINDS) if mask >> bit & 1],
            result.measure.text: _plain(failures.values[index, run]),
            "to baseline": _plain(sign * failures.to_baseline[index, run]),
            "to median": _plain(sign * failures.to_median[index, run]),
            "first relevant": int(failures.first[index, run]) or None,
            "non-relevant above": int(failures.above[index, run]),
            "unjudged on top": _plain(failures.unjudged[index, run]),
            "relevant": int(failures.relevant[index]),
            f"found by {failures.limits.cutoff}": int(failures.found[index, run]),
            "found below": int(failures.deeper[index, run]),
        }


def _hubs(result: FailuresOfRuns) -> Iterator[dict[str, Any]]:
    """Yield a record per document that is retrieved, but not relevant, for two or more queries."""
    hubs = result.hubs
    for row, document in enumerate(hubs.doc_ids.to_pylist()):
        yield {
            "document": document,
            "queries": int(hubs.queries[row]),
            "non-relevant": int(hubs.nonrelevant[row]),
            "unjudged": int(hubs.unjudged[row]),
            "runs": int(hubs.runs[row]),
            "best rank": int(hubs.best[row]),
            "relevant for": int(hubs.right[row]),
            "for queries": [result.failures.query_ids[index] for index in hubs.queries_of(row).tolist()],
        }


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _cell(value: Any, exact: bool) -> str:
    if isinstance(value, list):
        return " ".join(part if isinstance(part, str) else part.name for part in value)
    if value is None:
        return "" if exact else "–"
    if not isinstance(value, float):
        return str(value)
    return repr(value) if exact else f"{value:.4f}".replace("-", MINUS)


def _counts(result: FailuresOfRuns) -> Iterator[str]:
    """Yield the lines of a table: the number of failing queries per kind, with a column per run."""
    failures = result.failures
    rows = [[tr("kind"), *result.runs, tr("meaning")]]
    for kind, counts in zip(KINDS, failures.counts.tolist(), strict=True):
        meaning = failures.limits.meaning(kind, result.measure.higher_is_better)
        rows.append([kind.name, *(f"{count:,}" for count in counts), meaning])
    yield from padded(rows, [False, *(True for _ in result.runs), False])


def _head(result: FailuresOfRuns) -> str:
    count, measure = int(result.failures.answerable.sum()), result.measure.text
    if result.baseline:
        return trn(
            "{measure} of {n:,} query with relevant documents, compared with {baseline}",
            "{measure} of {n:,} queries with relevant documents, compared with {baseline}",
            count,
            measure=measure,
            baseline=result.baseline,
        )
    return trn(
        "{measure} of {n:,} query with relevant documents",
        "{measure} of {n:,} queries with relevant documents",
        count,
        measure=measure,
    )


def write_table(result: FailuresOfRuns, rows: list[dict[str, Any]], hubs: bool) -> str:
    """Return counts by kind and run, then a line per failure; for hubs a line per document."""
    lines = [result.regime.statement]
    if not hubs:
        lines = [_head(result), *lines, "", *_counts(result)]
    lines.append("")
    if rows:
        table = [list(rows[0]), *([_cell(value, False) for value in row.values()] for row in rows)]
        left = (0, len(rows[0]) - 1) if hubs else (0, 1, 2)
        lines += padded(table, [column not in left for column in range(len(rows[0]))])
    else:
        lines.append(
            tr("no non-relevant document is retrieved for two or more queries")
            if hubs
            else tr("no failures of these kinds")
        )
    return "\n".join(lines) + "\n"


def write_csv(result: FailuresOfRuns, rows: list[dict[str, Any]], hubs: bool) -> str:
    """Return a row per failure at full precision.

    Kinds and queries are separated by spaces; missing values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if rows:
        writer.writerow(rows[0])
    writer.writerows([_cell(value, True) for value in row.values()] for row in rows)
    return out.getvalue()


def write_json(result: FailuresOfRuns, rows: list[dict[str, Any]], hubs: bool) -> str:
    """Return the rows of the CSV with the measure, the baseline and the counts."""
    failures = result.failures
    plain = [
        {key: [getattr(part, "name", part) for part in value] if isinstance(value, list) else value
         for key, value in row.items()}
        for row in rows
    ]  # fmt: skip
    document: dict[str, Any] = {
        "measure": result.measure.text,
        "baseline": result.baseline or None,
        "regime": result.regime.value,
        "counts": {
            kind.name: dict(zip(result.runs, counts, strict=True))
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
