"""``irviewer similarity``: print the similarity of each pair of runs."""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.analysis.similarity.clusters import clusters
from irviewer.analysis.similarity.similarity import KINDS
from irviewer.api.runs import similarity_by
from irviewer.cli.options.common import add_dialect, add_output
from irviewer.cli.options.protocol import SELECTED, Followed, add_protocol, put_answer, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import (
    add_qrels_from,
    add_reading_without_qrels,
    read_judgments,
    read_runs_without_qrels,
)
from irviewer.errors import OptionError
from irviewer.tables.aligned import aligned
from irviewer.tables.json_text import json_text
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.similarity.similarity import Similarity

SIMILARITY = tr(
    "Print the similarity of runs: rank-biased overlap (extrapolated, its lower bound, its residual, or the sum over "
    "the "
    "ranks read), overlap or Jaccard index at a depth, Kendall's tau or tau-AP of the documents that both return. "
    "Means "
    "are over the queries that both runs have."
)

FOLLOWED = Followed(
    "similarity", {"dialect": "dialect", **dict.fromkeys(SELECTED, "queries")},
    also=("level", "missing", "zscores", "runs"), uses=("dialect", "scope"),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = SIMILARITY
    parser.add_argument("runs", nargs="+", metavar="RUN", help=tr("retrieval runs"))
    parser.add_argument("--qrels", metavar="QRELS", help=tr("use only the queries of these qrels"))
    parser.add_argument("--kind", choices=tuple(KINDS), default="rbo", help=tr("kind of similarity (default: rbo)"))
    parser.add_argument(
        "-p", type=float, default=0.9, metavar="P", help=tr("persistence of rank-biased overlap (default: .9)")
    )
    parser.add_argument(
        "-k", "--depth", type=int, metavar="DEPTH",
        help=tr("ranks compared (default: 10 for overlap and jaccard, 100 for the others)"),
    )  # fmt: skip
    parser.add_argument(
        "--order",
        choices=("given", "like"),
        default="given",
        help=tr("order of the runs: as given, or similar runs next to each other (like)"),
    )
    parser.add_argument(
        "-q", "--by-query", action="store_true", help=tr("also print the values of each query (csv and json)")
    )
    add_dialect(parser)
    add_query_set(parser)
    add_output(parser, WRITERS)
    add_reading_without_qrels(parser)
    add_qrels_from(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer similarity``."""
    if options.by_query and options.format == "table":
        raise OptionError(tr("-q needs --format csv or json"))
    queries = None
    if options.qrels is not None:
        qrels = read_judgments(options)
        queries = [qrels.query_ids[index] for index in qrels.query_order]
    result = similarity_by(
        options.asked, taking_part(options, read_runs_without_qrels(options)), options.kind, p=options.p,
        depth=options.depth, query_ids=queries, by_query=options.by_query,
    )  # fmt: skip
    bound = result.protocol
    if options.order == "like":
        result = result.ordered(clusters(result.means).order.tolist())
    put_answer(WRITERS[options.format](result), options, bound)
    return 0


def write_table(result: Similarity) -> str:
    """Return the matrix as text; columns are numbered as the rows, so that many runs fit."""
    digits = len(str(len(result.runs)))
    compared = {int(n) for n in result.compared[~_diagonal(result)]}
    if len(compared) == 1:
        count = next(iter(compared))
        lines = [trn("{title}; mean over {n:,} query", "{title}; means over {n:,} queries", count, title=result.title)]
    else:
        low, high = min(compared), max(compared)
        lines = [tr("{title}; means over {low:,} to {high:,} queries", title=result.title, low=low, high=high)]
    header = ["", *(f"{n:>7}" for n in range(1, len(result.runs) + 1))]
    rows = [
        [f"{number + 1:>{digits}} {name}", *(f"{_shown(value):>7}" for value in result.means[number].tolist())]
        for number, name in enumerate(result.runs)
    ]
    lines += aligned(header, rows)
    return "\n".join(lines) + "\n"


def _diagonal(result: Similarity) -> Any:
    return np.eye(len(result.runs), dtype=np.bool_)


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f}"


def write_csv(result: Similarity) -> str:
    """Return a row per pair, and per query if asked for, at full precision; missing values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    queries = result.query_ids if result.by_query is not None else ()
    writer.writerow(["run", "other", *(["query"] if queries else []), result.kind, "queries"])
    for first in range(len(result.runs)):
        for second in range(first + 1, len(result.runs)):
            names = [result.runs[first], result.runs[second]]
            for column, query in enumerate(queries):
                assert result.by_query is not None
                value = float(result.by_query[first, second, column])
                writer.writerow(
                    [*names, query, "" if math.isnan(value) else repr(value), 0 if math.isnan(value) else 1]
                )
            value = float(result.means[first, second])
            cells = ["" if math.isnan(value) else repr(value), int(result.compared[first, second])]
            writer.writerow([*names, *(["all"] if queries else []), *cells])
    return out.getvalue()


def write_json(result: Similarity) -> str:
    """Return the matrices as lists of rows; missing values are null."""
    document: dict[str, Any] = {
        "kind": result.kind,
        "p": result.p if result.kind.startswith("rbo") else None,
        "depth": result.depth,
        "runs": list(result.runs),
        "means": result.means,
        "queries": result.compared,
        "by_query": None,
    }
    if result.by_query is not None:
        columns = enumerate(result.query_ids)
        document["by_query"] = {query: result.by_query[:, :, column] for column, query in columns}
    return json_text(document)


WRITERS: dict[str, Callable[[Similarity], str]] = {"table": write_table, "csv": write_csv, "json": write_json}
