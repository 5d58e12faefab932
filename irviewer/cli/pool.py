"""``irviewer pool``: what the pool behind the judgments does to runs' numbers."""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from irviewer.analysis.explain.unjudged import worklist
from irviewer.analysis.pooling.effects import pool_effects
from irviewer.analysis.pooling.wording import STAY, difference_words, no_bounds_words
from irviewer.cli.options import add_dialect, add_options, add_sources, put
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.errors import OptionError
from irviewer.measures.parser import split_measures
from irviewer.model.number_text import limit
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Regime
from irviewer.reports.json_text import json_text

if TYPE_CHECKING:
    from irviewer.analysis.pooling.bounds import Bounds
    from irviewer.analysis.pooling.effects import PoolEffects
    from irviewer.model.qrels import Qrels

POOL = (
    "Print what the pool behind the judgments does to runs: relevant documents that a run alone found, what is "
    "unjudged, the residual of rank-biased precision, the interval that unjudged documents leave to each measure (over "
    "all their grades from 0 to the highest; documents that were not retrieved stay as they are), differences that "
    "judging more could turn round, and every run's score without what it alone contributed. "
    "--worklist prints which unjudged documents would change a measure the most if they were judged relevant."
)
MOST = 10
GRADES = "least and most: what is unjudged may have any grade from 0 to {:g}"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = POOL
    add_sources(parser)
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help="repeatable; without: nDCG@10, AP")
    parser.add_argument(
        "--regime",
        choices=tuple(one.value for one in Regime),
        help="what it means that a document is not listed (without: what the qrels look like)",
    )
    parser.add_argument(
        "--pool-depth", type=int, metavar="N",
        help="down to which rank a run contributed (without: its whole lists), or with --worklist is looked at",
    )  # fmt: skip
    parser.add_argument(
        "-k",
        "--unjudged-at",
        type=_depths,
        default=(5, 10, 20, 100),
        metavar="K,K…",
        help="unjudged documents are counted down to these ranks (default: 5,10,20,100)",
    )
    parser.add_argument("-p", type=float, default=0.9, metavar="P", help="persistence of the residual (.9)")
    parser.add_argument("--no-leave-out", action="store_true", help="do not score again without each run")
    parser.add_argument(
        "--worklist", action="store_true",
        help="unjudged documents, the one first that would raise a value of -m the most, after all those the ones that "
        "would lower one; looked at as deep as the measure reads, or as one could raise it, else down to rank 100 "
        "(--pool-depth N: down to rank N); --format csv has the columns query and document first, for who judges them",
    )  # fmt: skip
    parser.add_argument("--most", type=int, metavar="N", help="with --worklist: no more than N documents")
    add_options(parser)
    add_dialect(parser)
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")


def _depths(text: str) -> tuple[int, ...]:
    words = text.split(",")
    if not all(word.isdigit() and int(word) > 0 for word in words):
        raise argparse.ArgumentTypeError(f"{text!r} are no depths such as 5,10")
    return tuple(int(word) for word in words)


def run(options: argparse.Namespace) -> int:
    """``irviewer pool``."""
    if not 0 < options.p < 1:
        raise OptionError(f"p is {options.p:g}; a persistence is more than 0 and less than 1")
    choices = EvaluationOptions(options.level, options.judged_only, options.depth, options.missing, options.dialect)
    for name, number in (("--pool-depth", options.pool_depth), ("--most", options.most)):
        if number is not None and number < 1:
            raise OptionError(f"{name} is {number}; it is 1 or more")
    if options.most is not None and not options.worklist:
        raise OptionError("--most goes with --worklist")
    qrels = read_judgments(options)
    if options.worklist:
        return _run_worklist(options, qrels, choices)
    found = pool_effects(
        qrels, read_runs(options, qrels), split_measures(options.measure or ["nDCG@10", "AP"]), choices,
        None if options.regime is None else Regime(options.regime), pool_depth=options.pool_depth,
        depths=options.unjudged_at, p=options.p, leave_out=not options.no_leave_out,
    )  # fmt: skip
    put(WRITERS[options.format](found), options.output)
    return 0


def _run_worklist(options: argparse.Namespace, qrels: Qrels, choices: EvaluationOptions) -> int:
    """``irviewer pool --worklist``: of one measure."""
    measures = split_measures(options.measure or ["nDCG@10"])
    if len(measures) != 1:
        raise OptionError("a worklist is of one measure: -m MEASURE")
    found = worklist(
        read_runs(options, qrels), qrels, measures[0], choices, depth=options.pool_depth, most=options.most
    )  # fmt: skip
    rows = [
        {
            "query": one.query, "document": one.document, "judged as": one.grade, "change": one.changes[0].delta,
            "run": one.changes[0].run, "rank": one.changes[0].rank, "runs": len(one.changes),
        }
        for one in found
    ]  # fmt: skip
    names = ["query", "document", "judged as", "change", "run", "rank", "runs"]
    if options.format == "json":
        text = json_text({"measure": measures[0], "left out": found.cut, "documents": rows})
    elif options.format == "csv":
        out = io.StringIO()
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        text = out.getvalue()
    else:
        cells = [
            [str(row["query"]), str(row["document"]), f"{row['judged as']:g}", f"{row['change']:+.4f}", str(row["run"]),
             str(row["rank"]), str(row["runs"])]
            for row in rows
        ]  # fmt: skip
        text = "\n".join([*_aligned([names, *cells]), *([found.cut] if found.cut else [])]) + "\n"
    put(text, options.output)
    return 0


def _number(value: float, counts: bool = False) -> str:
    return "–" if math.isnan(value) else f"{value:.0f}" if counts else f"{value:.4f}"


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def write_table(found: PoolEffects) -> str:
    """First what each run found and what of it is open, then the measures one by one."""
    given, opened = found.contributions, found.openness
    lines = [f"{found.regime.value} judgments: {found.regime.meaning}", ""]
    unjudged = [f"unj@{depth}" for depth in opened.depths]
    rows = [["run", "relevant found", "by it alone", *unjudged, f"RBP residual, p = {limit(opened.p)}"]]
    for n, name in enumerate(given.runs):
        shares = [_number(value) for value in opened.mean_shares[n].tolist()]
        counts = [f"{given.found_relevant[n]:,}", f"{given.unique_relevant[n]:,}"]
        rows.append([name, *counts, *shares, _number(float(opened.mean_residuals[n]))])
    lines += _aligned(rows)
    total = int(given.relevant.sum())
    lines.append(f"found by no run: {given.found_by_none:,} of {total:,} relevant documents")
    for m in range(len(found.bounds.measures)):
        lines += ["", *_measure_lines(found, m)]
    if found.regime.value == "pooled":
        lines += ["", f"{GRADES.format(found.bounds.grade)}; {STAY}"]
    return "\n".join(lines) + "\n"


def _measure_lines(found: PoolEffects, m: int) -> Iterator[str]:
    bounds, left = found.bounds, found.left_out
    measure = bounds.measures[m]
    why = bounds.why.get(measure.text)
    complete = found.regime.value == "complete"
    ends = [] if why or complete else ["least", "non-relevant", "relevant", "most"]
    rows = [[measure.text, "value", *ends, *(["without its own", "rank"] if left is not None else [])]]
    for n, name in enumerate(bounds.runs):
        cells = [bounds.mean_values[m, n]]
        if ends:
            cells += [bounds.mean_low[m, n], bounds.mean_none[m, n], bounds.mean_all[m, n], bounds.mean_high[m, n]]
        row = [name, *(_number(float(value), measure.counts) for value in cells)]
        if left is not None:
            own = _number(float(left.without[m, n, n]), measure.counts)
            rank, moved = int(left.ranks[m, n]), int(left.own[1][m, n])
            row += [own, f"{rank} → {rank + moved}" if moved else str(rank)]
        rows.append(row)
    yield from _aligned(rows)
    if not ends:
        yield from [no_bounds_words(measure.text, why)] if why else []
        return
    pairs = list(zip(*(places.tolist() for places in bounds.overturned[m].nonzero()), strict=True))
    if pairs:
        yield "what is unjudged could turn round, one grade for a document that both return:"
        for better, other in pairs[:MOST]:
            yield f"  {bounds.runs[better]} over {bounds.runs[other]}: {difference_words(bounds, m, better, other)}"
        if len(pairs) > MOST:
            yield f"  and {len(pairs) - MOST} more"
    else:
        yield "what is unjudged could turn no two runs round"


def write_csv(found: PoolEffects) -> str:
    """A row a run and measure at full precision; an empty value where there is none."""
    rows = list(_records(found))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: "" if value is None else value for key, value in row.items()} for row in rows)
    return out.getvalue()


def _records(found: PoolEffects) -> Iterator[dict[str, Any]]:
    given, opened, bounds, left = found.contributions, found.openness, found.bounds, found.left_out
    for m, measure in enumerate(bounds.measures):
        for n, name in enumerate(bounds.runs):
            ends = {
                "value": bounds.mean_values,
                "least": bounds.mean_low,
                "non-relevant": bounds.mean_none,
                "relevant": bounds.mean_all,
                "most": bounds.mean_high,
            }
            row: dict[str, Any] = {"run": name, "measure": measure.text}
            row |= {key: _plain(float(table[m, n])) for key, table in ends.items()}
            row["could be turned round"] = " ".join(bounds.runs[j] for j in bounds.overturned[m, n].nonzero()[0])
            row["without its own"] = None if left is None else _plain(float(left.without[m, n, n]))
            row["rank"] = None if left is None else int(left.ranks[m, n])
            row["rank without its own"] = None if left is None else int(left.ranks[m, n] + left.own[1][m, n])
            row["relevant found"] = int(given.found_relevant[n])
            row["relevant by it alone"] = int(given.unique_relevant[n])
            row["judged by it alone"] = int(given.unique_judged[n])
            for column, depth in enumerate(opened.depths):
                row[f"unj@{depth}"] = _plain(float(opened.mean_shares[n, column]))
            row["RBP residual"] = _plain(float(opened.mean_residuals[n]))
            yield row


def _differences(bounds: Bounds) -> Iterator[dict[str, Any]]:
    """What the difference of every two runs could be ("run" less "less"); of geometric means their ratio ("run" by
    "by")."""
    low, high = bounds.mean_differences
    for m, measure in enumerate(bounds.measures):
        ratio = measure.aggregate == "geometric"
        for one in range(len(bounds.runs)):
            for other in range(one + 1, len(bounds.runs)):
                ends = float(low[m, one, other]), float(high[m, one, other])
                if not all(map(math.isfinite, ends)):
                    continue
                yield {
                    "measure": measure.text, "run": bounds.runs[one],
                    "less": None if ratio else bounds.runs[other], "by": bounds.runs[other] if ratio else None,
                    "least": math.exp(ends[0]) if ratio else ends[0], "most": math.exp(ends[1]) if ratio else ends[1],
                    "exact": bool(bounds.exact_differences[m, one, other]),
                }  # fmt: skip


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def write_json(found: PoolEffects) -> str:
    """The regime, the rows of the CSV, why measures have no interval, and the score of every run without each run."""
    document: dict[str, Any] = {
        "regime": found.regime.value,
        "grade of what is taken for relevant": found.bounds.grade,
        "found by no run": found.contributions.found_by_none,
        "no interval": found.bounds.why,
        "differences": list(_differences(found.bounds)),
        "runs": list(_records(found)),
        "left out": None,
    }
    if found.left_out is not None:
        left = found.left_out
        document["left out"] = {
            measure.text: {
                gone: {run: _plain(float(left.without[m, g, n])) for n, run in enumerate(left.runs)}
                for g, gone in enumerate(left.runs)
            }
            for m, measure in enumerate(left.measures)
        }
    return json_text(document)


WRITERS: dict[str, Callable[[PoolEffects], str]] = {"table": write_table, "csv": write_csv, "json": write_json}
