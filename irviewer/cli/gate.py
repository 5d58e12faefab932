"""``irviewer gate``: whether a run may replace a baseline; for builds."""

from __future__ import annotations

import argparse

from irviewer.analysis.statistics.gate import CONFIDENCE, Gate, parse_margin, parse_worse
from irviewer.analysis.statistics.intervals import INTERVALS
from irviewer.analysis.statistics.resampling import SAMPLES, SEED
from irviewer.api.gates import gate
from irviewer.cli.options import add_dialect, add_options, put
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.errors import MeasureError, OptionError, ParseError
from irviewer.model.workspace import Regime
from irviewer.reports.gates import WRITERS
from irviewer.translation import tr

DESCRIPTION = tr(
    "Hold a run against a baseline by conditions stated beforehand. Exit status 0: every condition passed; 1: one "
    "failed; 2: undecided (an interval or unjudged documents lie on both sides of a margin, a file is missing, nothing "
    "is judged)."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = DESCRIPTION
    parser.add_argument("qrels", metavar="QRELS", help=tr("relevance judgments"))
    parser.add_argument("run", metavar="RUN", help=tr("the run that is to replace the baseline"))
    parser.add_argument("--baseline", metavar="RUN", required=True, help=tr("the run to hold it against"))
    parser.add_argument(
        "--non-inferior", action="append", default=[], metavar="CONDITION",
        help=tr(
            'such as "nDCG@10 > -0.01": the lower one-sided limit of the mean difference lies above the margin; '
            "repeatable, all must hold"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--fail-if", action="append", default=[], metavar="CONDITION",
        help=tr(
            'such as "P@1 worse, p < .05": the paired t-test shows the run worse; repeatable, p is corrected by Holm '
            "over all of these"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--by", action="append", default=[], metavar="ATTRIBUTE",
        help=tr("each condition in each slice of the queries too: a column of --query-attributes, or relevant"),
    )  # fmt: skip
    parser.add_argument("--query-attributes", metavar="FILE", help=tr("with --by: a table with a row a query"))
    parser.add_argument(
        "--confidence", type=float, default=CONFIDENCE, metavar="C", help=tr("of the one-sided limit (default .95)")
    )
    parser.add_argument(
        "--interval", choices=tuple(INTERVALS), default="t", help=tr("how the limit is made (default: t)")
    )
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help=tr("samples of a bootstrap"))
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=tr("seed of a bootstrap"))
    parser.add_argument(
        "--regime", choices=tuple(one.value for one in Regime),
        help=tr("what it means that a document is not listed (default: what the qrels look like)"),
    )  # fmt: skip
    parser.add_argument(
        "--ignore-unjudged", action="store_true",
        help=tr("take unjudged documents as non-relevant: they leave nothing undecided"),
    )  # fmt: skip
    add_options(parser)
    add_dialect(parser)
    parser.add_argument("--format", choices=tuple(WRITERS), default="text", help=tr("default: text"))
    parser.add_argument("-o", "--output", metavar="FILE", help=tr("write there instead of printing"))
    for name in ("markdown", "junit", "json"):
        parser.add_argument(f"--{name}", metavar="FILE", help=tr("write {format} there as well", format=name))


def run(options: argparse.Namespace) -> int:
    """``irviewer gate``: 0 passed, 1 failed, 2 undecided."""
    for text in options.non_inferior:
        parse_margin(text)
    for text in options.fail_if:
        parse_worse(text)
    if not options.non_inferior and not options.fail_if:
        raise OptionError(tr("Give a condition: --non-inferior or --fail-if."))
    if options.query_attributes and not options.by:
        raise OptionError(tr("--query-attributes goes with --by."))
    found = _decided(options)
    put(WRITERS[options.format](found), options.output)
    for name in ("markdown", "junit", "json"):
        path = getattr(options, name)
        if path is not None:
            put(WRITERS[name](found), path)
    return found.status


def _decided(options: argparse.Namespace) -> Gate:
    """The gate; undecided where a file cannot be read."""
    names = {"run": options.run, "baseline": options.baseline}
    try:
        qrels = read_judgments(options)
        options.runs = [options.baseline, options.run]
        baseline, ours = read_runs(options, qrels)
    except (ParseError, OSError) as error:
        return Gate(names["run"], names["baseline"], (), options.confidence, error=str(error))
    try:
        return gate(
            qrels, ours, baseline, options.non_inferior, options.fail_if, by=options.by,
            query_attributes=options.query_attributes, confidence=options.confidence, interval=options.interval,
            samples=options.samples, seed=options.seed, regime=options.regime, unjudged=not options.ignore_unjudged,
            level=options.level, judged_only=options.judged_only, depth=options.depth, missing=options.missing,
            dialect=options.dialect,
        )  # fmt: skip
    except MeasureError:
        raise
    except ParseError as error:
        return Gate(names["run"], names["baseline"], (), options.confidence, error=str(error))
