"""``irviewer pool``: print the effects of the pool and of unjudged documents on the values of runs."""

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
from irviewer.cli.options.common import (
    add_dialect,
    add_measures,
    add_options,
    add_output,
    add_sources,
)
from irviewer.cli.options.protocol import RULES, Followed, add_protocol, bound_protocol, put_answer, taking_part
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.errors import OptionError
from irviewer.measures.parser import split_measures
from irviewer.model.number_text import limit
from irviewer.model.options import EvaluationOptions, evaluation_options
from irviewer.model.workspace import Regime
from irviewer.tables.aligned import aligned
from irviewer.tables.json_text import json_text
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.pooling.bounds import Bounds
    from irviewer.analysis.pooling.effects import PoolEffects
    from irviewer.model.qrels import Qrels

POOL = tr(
    "Print the effects of the pool and of unjudged documents: relevant documents that only one run retrieved, shares "
    "of "
    "unjudged documents, the residual of rank-biased precision, the bounds of each measure over all grades of the "
    "unjudged documents that these runs returned (documents that nobody returned could change more), the pairs of runs "
    "whose order could be "
    "reversed by more judgments, and the value of each run without the documents that only it contributed. --worklist "
    "prints the unjudged documents that would change a measure most if they were judged relevant."
)
MOST = 10

FOLLOWED = Followed("pool", {**RULES, "measure": "measures"}, also=("runs",))


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = POOL
    add_sources(parser)
    add_measures(parser, ("nDCG@10", "AP"))
    parser.add_argument(
        "--pool-depth", type=int, metavar="N",
        help=tr("ranks that each run contributed to the pool (default: all), or with --worklist the ranks examined"),
    )  # fmt: skip
    parser.add_argument(
        "-k",
        "--unjudged-at",
        type=_depths,
        default=(5, 10, 20, 100),
        metavar="K,K…",
        help=tr("cutoffs at which unjudged documents are counted (default: 5,10,20,100)"),
    )
    parser.add_argument(
        "-p", type=float, default=0.9, metavar="P", help=tr("persistence of rank-biased precision (default: .9)")
    )
    parser.add_argument(
        "--no-leave-out", action="store_true", help=tr("skip the evaluation without the contributions of each run")
    )
    parser.add_argument(
        "--worklist", action="store_true",
        help=tr(
            "print unjudged documents, first those that would raise a value of -m most, last those that would lower "
            "it. "
            "Ranks are examined as deep as the measure reads or as a document could raise it, else down to rank 100 "
            "(or --pool-depth). The CSV begins with the columns query and document, as judging tools expect"
        ),
    )  # fmt: skip
    parser.add_argument("--most", type=int, metavar="N", help=tr("with --worklist: print at most N documents"))
    add_options(parser)
    add_dialect(parser)
    add_output(parser, WRITERS)
    add_protocol(parser, FOLLOWED)


def _depths(text: str) -> tuple[int, ...]:
    words = text.split(",")
    if not all(word.isdigit() and int(word) > 0 for word in words):
        raise argparse.ArgumentTypeError(tr("{text!r} is not a list of cutoffs; write numbers such as 5,10", text=text))
    return tuple(int(word) for word in words)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer pool``."""
    if not 0 < options.p < 1:
        raise OptionError(tr("-p is {p:g}; the persistence must be between 0 and 1", p=options.p))
    choices = evaluation_options(options.asked.rules)
    for name, number in (("--pool-depth", options.pool_depth), ("--most", options.most)):
        if number is not None and number < 1:
            raise OptionError(tr("{option} is {number}; it must be 1 or more", option=name, number=number))
    if options.most is not None and not options.worklist:
        raise OptionError(tr("--most needs --worklist"))
    qrels = read_judgments(options)
    if options.worklist:
        return _run_worklist(options, qrels, choices)
    runs = taking_part(options, read_runs(options, qrels))
    effects = pool_effects(
        qrels, runs, split_measures(options.measure or ["nDCG@10", "AP"]), choices,
        Regime(options.unjudged), pool_depth=options.pool_depth,
        depths=options.unjudged_at, p=options.p, leave_out=not options.no_leave_out,
    )  # fmt: skip
    bound = bound_protocol(options, [run.name for run in runs], qrels.query_ids, qrels)
    put_answer(WRITERS[options.format](effects), options, bound)
    return 0


def _run_worklist(options: argparse.Namespace, qrels: Qrels, choices: EvaluationOptions) -> int:
    """Run ``irviewer pool --worklist``."""
    measures = split_measures(options.measure or ["nDCG@10"])
    if len(measures) != 1:
        raise OptionError(tr("--worklist takes one measure; name it with -m"))
    runs = taking_part(options, read_runs(options, qrels))
    candidates = worklist(
        runs, qrels, measures[0], choices, depth=options.pool_depth, most=options.most
    )  # fmt: skip
    rows = [
        {
            "query": item.query, "document": item.document, "judged as": item.grade, "change": item.changes[0].delta,
            "run": item.changes[0].run, "rank": item.changes[0].rank, "runs": len(item.changes),
        }
        for item in candidates
    ]  # fmt: skip
    names = ["query", "document", "judged as", "change", "run", "rank", "runs"]
    if options.format == "json":
        text = json_text({"measure": measures[0], "left out": candidates.cut, "documents": rows})
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
        text = "\n".join([*aligned(names, cells), *([candidates.cut] if candidates.cut else [])]) + "\n"
    bound = bound_protocol(options, [run.name for run in runs], qrels.query_ids, qrels)
    put_answer(text, options, bound)
    return 0


def _number(value: float, counts: bool = False) -> str:
    return "–" if math.isnan(value) else f"{value:.0f}" if counts else f"{value:.4f}"


def write_table(effects: PoolEffects) -> str:
    """Return a table of what each run retrieved and what is unjudged, then a table per measure."""
    given, opened = effects.contributions, effects.openness
    lines = [effects.regime.statement, *([effects.offer] if effects.offer else []), ""]
    unjudged = [f"unj@{depth}" for depth in opened.depths]
    rows = [
        [
            tr("run"),
            tr("relevant found"),
            tr("by it alone"),
            *unjudged,
            tr("RBP residual, p = {p}", p=limit(opened.p)),
        ]
    ]
    for n, name in enumerate(given.runs):
        shares = [_number(value) for value in opened.mean_shares[n].tolist()]
        counts = [f"{given.found_relevant[n]:,}", f"{given.unique_relevant[n]:,}"]
        rows.append([name, *counts, *shares, _number(float(opened.mean_residuals[n]))])
    lines += aligned(rows[0], rows[1:])
    total = int(given.relevant.sum())
    lines.append(
        tr("found by no run: {count:,} of {total:,} relevant documents", count=given.found_by_none, total=total)
    )
    for m in range(len(effects.bounds.measures)):
        lines += ["", *_measure_lines(effects, m)]
    if effects.regime.value in ("pooled", "unknown"):
        lines += [
            "",
            tr(
                "least and most: with any grades from 0 to {grade:g}, {remark}", grade=effects.bounds.grade, remark=STAY
            ),
            tr(
                "unjudged: documents that the measure reads + others that these runs returned and that could change "
                "its norm, over all queries"
            ),
        ]
    return "\n".join(lines) + "\n"


def _measure_lines(effects: PoolEffects, m: int) -> Iterator[str]:
    bounds, left = effects.bounds, effects.left_out
    measure = bounds.measures[m]
    why = bounds.why.get(measure.text)
    complete = effects.regime.value == "complete"
    ends = [] if why or complete else [tr("least"), tr("non-relevant"), tr("relevant"), tr("most"), tr("unjudged")]
    rows = [[measure.text, tr("value"), *ends, *([tr("without its own"), tr("rank")] if left is not None else [])]]
    for n, name in enumerate(bounds.runs):
        cells = [bounds.mean_values[m, n]]
        if ends:
            cells += [bounds.mean_low[m, n], bounds.mean_none[m, n], bounds.mean_all[m, n], bounds.mean_high[m, n]]
        row = [name, *(_number(float(value), measure.counts) for value in cells)]
        if ends:
            read, others = bounds.number_open(m, n)
            row.append(f"{read:,} + {others:,}" if others else f"{read:,}")
        if left is not None:
            own = _number(float(left.without[m, n, n]), measure.counts)
            rank, moved = int(left.ranks[m, n]), int(left.own[1][m, n])
            row += [own, f"{rank} → {rank + moved}" if moved else str(rank)]
        rows.append(row)
    yield from aligned(rows[0], rows[1:])
    if ends and not bounds.exact[m].all():
        yield tr("least and most of {measure} are outer bounds, which may not be reached", measure=measure.text)
    if not ends:
        yield from [no_bounds_words(measure.text, why)] if why else []
        return
    pairs = list(zip(*(indices.tolist() for indices in bounds.overturned[m].nonzero()), strict=True))
    if pairs:
        yield tr(
            "More judgments could reverse the order of these pairs of runs (a document that both return has one grade):"
        )
        for better, other in pairs[:MOST]:
            difference = difference_words(bounds, m, better, other)
            yield "  " + tr(
                "{better} over {other}: {difference}",
                better=bounds.runs[better],
                other=bounds.runs[other],
                difference=difference,
            )
        if len(pairs) > MOST:
            yield "  " + trn("and {n} more", "and {n} more", len(pairs) - MOST)
    else:
        yield tr("More judgments could not reverse the order of any two runs.")


def write_csv(effects: PoolEffects) -> str:
    """Return a row per run and measure at full precision; missing values are empty."""
    rows = list(_records(effects))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: "" if value is None else value for key, value in row.items()} for row in rows)
    return out.getvalue()


def _records(effects: PoolEffects) -> Iterator[dict[str, Any]]:
    given, opened, bounds, left = effects.contributions, effects.openness, effects.bounds, effects.left_out
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
            row["unjudged"], row["unjudged elsewhere"] = bounds.number_open(m, n)
            row["exact"] = bool(bounds.exact[m, n])
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
    """Yield the bounds of the difference of each two runs ("run" minus "less"), or for geometric means of their ratio
    ("run" divided by "by")."""
    low, high = bounds.mean_differences
    for m, measure in enumerate(bounds.measures):
        ratio = measure.aggregate == "geometric"
        for first in range(len(bounds.runs)):
            for second in range(first + 1, len(bounds.runs)):
                ends = float(low[m, first, second]), float(high[m, first, second])
                if not all(map(math.isfinite, ends)):
                    continue
                yield {
                    "measure": measure.text, "run": bounds.runs[first],
                    "less": None if ratio else bounds.runs[second], "by": bounds.runs[second] if ratio else None,
                    "least": math.exp(ends[0]) if ratio else ends[0], "most": math.exp(ends[1]) if ratio else ends[1],
                    "exact": bool(bounds.exact_differences[m, first, second]),
                }  # fmt: skip


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def write_json(effects: PoolEffects) -> str:
    """Return the regime, the rows of the CSV, why measures have no bounds, and each run's value without each run."""
    document: dict[str, Any] = {
        "regime": effects.regime.value,
        "grade of what is taken for relevant": effects.bounds.grade,
        "found by no run": effects.contributions.found_by_none,
        "no interval": effects.bounds.why,
        "differences": list(_differences(effects.bounds)),
        "runs": list(_records(effects)),
        "left out": None,
    }
    if effects.left_out is not None:
        left = effects.left_out
        document["left out"] = {
            measure.text: {
                removed: {run: _plain(float(left.without[m, r, n])) for n, run in enumerate(left.runs)}
                for r, removed in enumerate(left.runs)
            }
            for m, measure in enumerate(left.measures)
        }
    return json_text(document)


WRITERS: dict[str, Callable[[PoolEffects], str]] = {"table": write_table, "csv": write_csv, "json": write_json}
