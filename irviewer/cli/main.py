"""The command line: evaluate, curves, measures, what ``cli.convert`` does with files, and the words of
view. The same model as the window, as text.

Knows no Qt: ``parse_view`` gives back what the window was asked for, and ``__main__`` opens it."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from irviewer import __version__
from irviewer.cli.cache import add_cache
from irviewer.cli.compare import add_compare
from irviewer.cli.convert import add_commands
from irviewer.cli.curves import add_bands, bands_of
from irviewer.cli.dialects import DIALECTS, add_arguments, add_dialect
from irviewer.cli.explain import add_explain
from irviewer.cli.failures import add_failures
from irviewer.cli.fuse import add_fuse
from irviewer.cli.measures import add_measures
from irviewer.cli.options import (
    add_duplicates,
    add_options,
    add_sources,
    lengths_of,
    note,
    number,
    put,
    some,
    split_measures,
)
from irviewer.cli.pool import add_pool
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.cli.similarity import add_similarity
from irviewer.cli.streams import drop_output, prepare
from irviewer.cli.zscores import add_zscores, add_zscores_command, as_asked
from irviewer.errors import IrviewerError, MissingQueriesError, OptionError
from irviewer.paths import is_anything

COMMANDS = (
    "evaluate",
    "curves",
    "measures",
    "compare",
    "similarity",
    "pool",
    "fuse",
    "explain",
    "failures",
    "check",
    "convert",
    "formats",
    "dialects",
    "zscores",
    "cache",
    "view",
)


INTERRUPTED = 130
"""The status of a command that was interrupted by Ctrl-C, as shells expect it: 128 and the number of the signal."""


class _Parser(argparse.ArgumentParser):
    """argparse whose errors are one clear line, as all of ours are."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


class _ViewParser(_Parser):
    """The window's, whose help lists the text commands; their parsers are made for that alone."""

    def format_help(self) -> str:
        self.epilog = _commands_told()
        return super().format_help()


def main(arguments: Sequence[str]) -> int:
    """Run one of the text commands; 0, 2 with one clear line on standard error, 130 when it was interrupted. A closed
    pipe ends quietly."""
    prepare()
    parser = build_parser(arguments[0] if arguments else "")
    try:
        options = parser.parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return int(stop.code or 0)
    except KeyboardInterrupt:
        drop_output()
        return INTERRUPTED
    except IrviewerError as error:
        print(f"irviewer: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has closed the pipe. Python would complain once more at exit: give it nothing to flush to.
        drop_output()
        return 0
    except MemoryError:
        print("irviewer: there is not enough memory for this: fewer runs at a time need less", file=sys.stderr)
        return 2
    except OSError as error:
        where = error.filename or "standard output"
        print(f"irviewer: {where}: {error.strerror or error}", file=sys.stderr)
        drop_output()
        return 2


def build_parser(asked: str = "") -> argparse.ArgumentParser:
    """The parser of the text commands; of the one that is ``asked`` for alone, where there is one of that name: the
    others' choices are imported from all over the house."""
    parser = _Parser(prog="irviewer", description="The debugger for rankings.", epilog="Without a command: the window.")
    parser.add_argument("--version", action="version", version=f"irviewer {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, metavar="COMMAND")
    for add in (_ADDERS[asked],) if asked in _ADDERS else dict.fromkeys(_ADDERS.values()):
        add(commands)
    return parser


EVALUATE = (
    "Print measures of runs. Measures are written as ir_measures (nDCG@10, AP(rel=2)), trec_eval (map, ndcg_cut.10, "
    "official) or ranx (ndcg@10) write them."
)
CURVES = "Print the points of a curve, or draw it where -o names a .pdf, .svg or .png file."


def _add_evaluate(commands: Any) -> None:
    from irviewer.reports.values import WRITERS

    parser = commands.add_parser("evaluate", help="values of measures for runs", description=EVALUATE)
    add_sources(parser)
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help="repeatable; without: official")
    parser.add_argument(
        "--documents", metavar="FILE", help="documents, for measures that count their words (or column tokens)"
    )
    parser.add_argument("-q", "--by-query", action="store_true", help="values of every query as well")
    parser.add_argument(
        "-c", "--complete", action="store_true", help="with --format trec: count queries that a run lacks as 0"
    )
    add_options(parser)
    add_dialect(parser)
    add_zscores(parser)
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")
    parser.set_defaults(run=run_evaluate)


def _add_curves(commands: Any) -> None:
    from irviewer.figures.curve_sets import KINDS

    parser = commands.add_parser("curves", help="precision-recall and gain curves", description=CURVES)
    add_sources(parser)
    parser.add_argument(
        "--kind",
        choices=tuple(KINDS),
        default="pr",
        help="pr: interpolated precision by recall, max P(k) with R(k) >= r (of all queries at .00 … 1.00); pr-raw: "
        "every rank of one query; pr11: at 11 levels, as the dialect rounds recall; dcg, cg: gain by rank; ndcg: nDCG "
        "by cutoff; prf: P, R and F by rank of one query",
    )
    parser.add_argument("-q", "--query", metavar="ID", help="one query; without: averaged over all")
    parser.add_argument("--depth", type=int, default=100, metavar="K", help="last rank (default 100)")
    parser.add_argument("-l", "--level", type=number, default=1, metavar="N", help="least relevant grade (default 1)")
    add_dialect(parser)
    add_bands(parser)
    parser.add_argument("--format", choices=("csv", "tsv", "json"), default="csv")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there; .pdf, .svg and .png are drawn")
    add_duplicates(parser, "refuse")
    parser.set_defaults(run=run_curves)


def _add_dialects(commands: Any) -> None:
    parser = commands.add_parser("dialects", help="what changes under other tools' rules", description=DIALECTS)
    add_arguments(parser)
    add_options(parser)
    parser.set_defaults(run=run_dialects)


_ADDERS: dict[str, Callable[[Any], None]] = {
    "evaluate": _add_evaluate,
    "curves": _add_curves,
    "measures": add_measures,
    "dialects": _add_dialects,
    "compare": add_compare,
    "similarity": add_similarity,
    "pool": add_pool,
    "fuse": add_fuse,
    "explain": add_explain,
    "failures": add_failures,
    "convert": add_commands,
    "check": add_commands,
    "formats": add_commands,
    "zscores": add_zscores_command,
    "cache": add_cache,
}
"""What registers each text command."""


def run_evaluate(options: argparse.Namespace) -> int:
    """``irviewer evaluate``."""
    from irviewer.evaluation.evaluate import evaluate, missing_queries
    from irviewer.measures.tool_names import GROUPS, RUNID
    from irviewer.model.judgments.judged import judge
    from irviewer.model.options import EvaluationOptions
    from irviewer.reports.values import WRITERS, Written

    if options.complete and options.missing == "intersection":
        raise OptionError("-c counts missing queries as 0, --missing intersection leaves them out: give one of them")
    options.missing = "zero" if options.complete else options.missing
    texts = split_measures(["official"] if options.measure is None else options.measure)
    if not texts:
        raise OptionError("-m names no measure; irviewer measures lists them")
    named = RUNID in texts and options.format == "trec"  # in other formats every number says whose it is
    texts = [text for text in texts if text != RUNID] if named else texts
    lengths = lengths_of(options.documents)
    choices = EvaluationOptions(
        options.level, options.judged_only, options.depth, options.missing, options.dialect, lengths=lengths
    )
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    trec = options.format == "trec"
    for run in runs:
        missing = missing_queries(run, qrels)
        if missing and trec and choices.rules.missing == "refuse" and choices.missing is None:
            raise MissingQueriesError(run.name, missing)
        if missing and not trec and (options.missing is None or choices.missing_policy == "zero"):
            done = "counted as 0" if choices.missing_policy == "zero" else f"left out, as {choices.rules.title} does"
            note(f"run {run.name} lacks {some(missing)} of the qrels: {done}")
    result = evaluate(qrels, runs, texts, choices)
    for one, name, queries in () if trec else result.without_mean:
        way = "N, as in {0}(N=1400), says how many documents there are" if one.wants_size else ""
        way = way.format(one.name) or "--missing intersection has one"
        note(f"{one} has no value for {some(queries)} in run {name} and so no mean; {way}")
    for caution in result.cautions:
        note(caution)
    result = as_asked(result, options)
    written = Written(
        result,
        [run.tag for run in runs],
        [judge(run, qrels, choices) for run in runs] if trec else (),
        by_query=options.by_query,
        runid=named or len(runs) > 1 or any(text in GROUPS for text in texts),
        zscores=options.zscores is not None,
    )
    put(WRITERS[options.format](written), options.output)
    return 0


def run_dialects(options: argparse.Namespace) -> int:
    """``irviewer dialects``."""
    from irviewer.cli.dialects import changes_text, rules_text
    from irviewer.model.options import EvaluationOptions

    if options.qrels is None:
        put(rules_text(), options.output)
        return 0
    if not options.runs:
        raise OptionError("give a run beside the qrels; without any file the rules of every dialect are told")
    lengths = lengths_of(options.documents)
    choices = EvaluationOptions(options.level, options.judged_only, options.depth, options.missing, lengths=lengths)
    qrels = read_judgments(options)
    texts = split_measures(options.measure or ["official"])
    found = changes_text(
        qrels, read_runs(options, qrels), texts, options.dialect, choices, options.format, by_query=options.by_query
    )
    put(found, options.output)
    return 0


def run_curves(options: argparse.Namespace) -> int:
    """``irviewer curves``."""
    from irviewer.figures.curve_sets import curve_set
    from irviewer.rendering.export import save_figure, table_text
    from irviewer.rendering.palette import LIGHT, run_colour, run_dash

    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    if options.depth < 1:
        raise OptionError(f"--depth {options.depth}: the last rank must be 1 or more")
    found = curve_set(
        options.kind, qrels, runs, options.query, options.depth, options.level, options.dialect, bands_of(options)
    )
    if options.output and Path(options.output).suffix.lower() in (".pdf", ".svg", ".png"):
        styles = {slot: (run_colour(LIGHT, slot), run_dash(slot)) for slot in range(len(runs))}
        save_figure(found.figure, Path(options.output), LIGHT, styles)
        return 0
    header, rows = found.table
    if options.format == "json":
        from irviewer.reports.json_text import json_text

        text = json_text([dict(zip(header, row, strict=True)) for row in rows])
    else:
        text = table_text(header, rows, "," if options.format == "csv" else "\t")
    put(text, options.output)
    return 0


def build_view_parser() -> argparse.ArgumentParser:
    """The parser of ``irviewer view`` and of ``irviewer`` without a command."""
    parser = _ViewParser(
        prog="irviewer view",
        description="Open the window on files of any kind: qrels, runs, queries, documents.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"irviewer {__version__}")
    parser.add_argument("paths", nargs="*", metavar="FILE", help="qrels, runs, queries, documents in any order")
    parser.add_argument(
        "--sample", nargs="?", const="cranfield", choices=("cranfield", "trec"), help="open a bundled collection"
    )
    parser.add_argument(
        "--place",
        metavar="PLACE",
        type=_place,
        help="systems, queries, query, compare; compare:sets is one of its views",
    )
    parser.add_argument("--query", metavar="ID", help="stand on this query")
    parser.add_argument("--measure", metavar="MEASURE", help="look at this measure")
    parser.add_argument("--baseline", metavar="RUN", help="compare with this run")
    parser.add_argument("--explain", action="store_true", help="show why the number in view is what it is")
    parser.add_argument("--theme", choices=("light", "dark", "system"), help="default: as it was last")
    parser.add_argument("--large-type", action="store_true", help="everything larger, for a projector")
    parser.add_argument("--size", type=_size, metavar="WxH", help="for example 1280x800")
    parser.add_argument("--confidential", action="store_true", help="keep nothing of what is opened, nor settings")
    parser.add_argument("--screenshot", metavar="FILE.png", help="save a picture of the window and exit; no display")
    return parser


def _commands_told() -> str:
    """The other commands, a line each with what they are for."""
    parser = argparse.ArgumentParser()
    told: Any = parser.add_subparsers()
    for add in dict.fromkeys(_ADDERS.values()):
        add(told)
    meant = {one.dest: one.help for one in told._choices_actions}
    width = max(len(name) for name in COMMANDS)
    lines = [f"  {name.ljust(width)}  {meant[name]}" for name in COMMANDS if name in meant]
    return "\n".join(["other commands (irviewer COMMAND --help says more):", *lines])


def parse_view(arguments: Sequence[str]) -> dict[str, Any]:
    """What the window was asked for, by the names of its request. Raises SystemExit as argparse does."""
    from difflib import get_close_matches

    parser = build_view_parser()
    found = vars(parser.parse_args(arguments))
    found["paths"] = tuple(found["paths"])
    first = found["paths"][0] if found["paths"] else ""
    if first not in ("", "-") and not is_anything(first):
        near = [one for one in COMMANDS if one.startswith(first)]
        near = near if len(near) == 1 else get_close_matches(first, COMMANDS, n=1, cutoff=0.6)
        if near or re.fullmatch(r"[\w-]+", first):
            hint = f"did you mean {near[0]}?" if near else "see irviewer --help for the commands"
            parser.error(f"there is no command and no file {first!r}; {hint}")
    return found


def _place(text: str) -> str:
    from irviewer.session.state import PLACES, TABS

    place, _, tab = text.partition(":")
    if place not in PLACES or place == "start" or (tab and tab not in TABS.get(place, ())):
        known = [one if view is None else f"{one}:{view}" for one in PLACES[1:] for view in (None, *TABS.get(one, ()))]
        raise argparse.ArgumentTypeError(f"there is no place {text!r}; there are {', '.join(known)}")
    return text


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 200 <= int(width) <= 10000 and 200 <= int(height) <= 10000):
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 1280x800")
    return int(width), int(height)
