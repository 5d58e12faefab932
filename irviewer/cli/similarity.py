"""``irviewer similarity``: how alike runs are, every pair of them."""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.analysis.similarity.clusters import clusters
from irviewer.analysis.similarity.similarity import KINDS, similarity
from irviewer.api import sources
from irviewer.cli.options import put
from irviewer.cli.run_options import add_qrels_from, read_judgments
from irviewer.errors import OptionError
from irviewer.formats.duplicates import POLICIES
from irviewer.model.workspace import free_name
from irviewer.reports.json_text import json_text

if TYPE_CHECKING:
    from irviewer.analysis.similarity.similarity import Similarity
    from irviewer.model.run import Run

SIMILARITY = (
    "Print how alike runs are: rank-biased overlap (extrapolated, its least value, its residual, or the sum of what is "
    "seen), overlap or Jaccard down to a depth, Kendall's tau or tau-AP on the documents that both return. The mean is "
    "over the queries that both runs have."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = SIMILARITY
    parser.add_argument("runs", nargs="+", metavar="RUN", help="retrieval runs")
    parser.add_argument("--qrels", metavar="QRELS", help="look at the judged queries only")
    parser.add_argument("--kind", choices=tuple(KINDS), default="rbo", help="default: rbo")
    parser.add_argument("-p", type=float, default=0.9, metavar="P", help="rank-biased overlap's persistence (.9)")
    parser.add_argument(
        "-k", "--depth", type=int, metavar="DEPTH",
        help="what lists are cut at (without: 10 for overlap and jaccard, 100 for the others)",
    )  # fmt: skip
    parser.add_argument("--order", choices=("given", "like"), default="given", help="like: like runs side by side")
    parser.add_argument("-q", "--by-query", action="store_true", help="every query's value (csv and json)")
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")
    add_reading(parser)
    add_qrels_from(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How runs are read where there are no qrels to treat them by."""
    parser.add_argument("--no-cache", action="store_true", help="read the text, even where the window kept its columns")
    parser.add_argument(
        "--duplicates", choices=POLICIES, default="refuse",
        help="a document that stands twice for a query: refuse the file, or keep one (default: refuse)",
    )  # fmt: skip


def read_some(options: argparse.Namespace) -> list[Run]:
    """The runs of the command line, two or more, each with a name of its own. Raises IrviewerError."""
    if len(options.runs) < 2:
        raise OptionError("give two runs or more")
    runs: list[Run] = []
    for path in options.runs:
        run = sources.read_run(path, duplicates=options.duplicates, cached=not options.no_cache)
        runs.append(run.renamed(free_name(run.name, [one.name for one in runs])))
    return runs


def run(options: argparse.Namespace) -> int:
    """``irviewer similarity``."""
    if options.by_query and options.format == "table":
        raise OptionError("values of every query are for --format csv and json")
    queries = None
    if options.qrels is not None:
        qrels = read_judgments(options)
        queries = [qrels.query_ids[place] for place in qrels.query_order]
    found = similarity(
        read_some(options), options.kind, p=options.p, depth=options.depth, queries=queries, by_query=options.by_query
    )
    if options.order == "like":
        found = found.ordered(clusters(found.means).order.tolist())
    put(WRITERS[options.format](found), options.output)
    return 0


def write_table(found: Similarity) -> str:
    """The matrix, aligned; columns have the rows' numbers, so that many runs fit."""
    width, digits = max(len(name) for name in found.runs), len(str(len(found.runs)))
    compared = {int(n) for n in found.compared[~_diagonal(found)]}
    said = f"{next(iter(compared)):,}" if len(compared) == 1 else f"{min(compared):,} to {max(compared):,}"
    lines = [f"{found.title}; means over {said} queries"]
    lines.append(" " * (digits + 1 + width) + "".join(f"  {n:>7}" for n in range(1, len(found.runs) + 1)))
    for number, name in enumerate(found.runs):
        cells = "".join(f"  {_shown(value):>7}" for value in found.means[number].tolist())
        lines.append(f"{number + 1:>{digits}} {name.ljust(width)}{cells}")
    return "\n".join(lines) + "\n"


def _diagonal(found: Similarity) -> Any:
    return np.eye(len(found.runs), dtype=np.bool_)


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f}"


def write_csv(found: Similarity) -> str:
    """A row a pair (and query, where they were asked for) at full precision; an empty value where there is none."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    queries = found.query_ids if found.by_query is not None else ()
    writer.writerow(["run", "other", *(["query"] if queries else []), found.kind, "queries"])
    for one in range(len(found.runs)):
        for other in range(one + 1, len(found.runs)):
            names = [found.runs[one], found.runs[other]]
            for place, query in enumerate(queries):
                assert found.by_query is not None
                value = float(found.by_query[one, other, place])
                writer.writerow(
                    [*names, query, "" if math.isnan(value) else repr(value), 0 if math.isnan(value) else 1]
                )
            value = float(found.means[one, other])
            cells = ["" if math.isnan(value) else repr(value), int(found.compared[one, other])]
            writer.writerow([*names, *(["all"] if queries else []), *cells])
    return out.getvalue()


def write_json(found: Similarity) -> str:
    """The matrices as lists of rows; null where there is no value."""
    document: dict[str, Any] = {
        "kind": found.kind,
        "p": found.p if found.kind.startswith("rbo") else None,
        "depth": found.depth,
        "runs": list(found.runs),
        "means": found.means,
        "queries": found.compared,
        "by_query": None,
    }
    if found.by_query is not None:
        places = enumerate(found.query_ids)
        document["by_query"] = {query: found.by_query[:, :, place] for place, query in places}
    return json_text(document)


WRITERS: dict[str, Callable[[Similarity], str]] = {"table": write_table, "csv": write_csv, "json": write_json}
