"""``irviewer protocol``: print, check or write the protocol of an evaluation."""

from __future__ import annotations

import argparse
from pathlib import Path

from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.cli.options.common import add_dialect, add_measures, add_output, add_rules, put
from irviewer.cli.options.protocol import COMPARED, Followed, follow
from irviewer.cli.options.queries import add_former_queries, add_query_set
from irviewer.cli.options.statistics import (
    add_baseline,
    add_correction,
    add_epsilon,
    add_intervals,
    add_looks,
    add_samples,
    add_smallest,
)
from irviewer.cli.options.unit import add_unit
from irviewer.errors import OptionError
from irviewer.evaluation.bind import bind
from irviewer.formats.protocol_file import protocol_text
from irviewer.formats.registration import kept_sentences, opened_files, read_registration, register
from irviewer.measures.parser import parse_measures
from irviewer.model.protocol_line import BY_LOOK
from irviewer.rendering.atomic import write_atomically
from irviewer.tables.json_text import json_text
from irviewer.translation import tr
from irviewer.views.provenance import named_files

DESCRIPTION = tr(
    "Print a protocol: what numbers depend on besides the data, such as the relevance level, the dialect, the queries, "
    "the tests and their correction. The other commands take it with --protocol. A FILE is checked; options change "
    "single fields. Without a FILE the protocol has the options that are given, and defaults."
)
FOLLOWED = Followed(
    "protocol",
    {**COMPARED, "pairs": "family", "smallest": "smallest", "looks": "looks", "epsilon": "epsilon",
     "weights": "weights", "zscores": "zscores", "chosen": "runs"},
    uses=BY_LOOK,
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    parser.add_argument("protocol_file", nargs="?", metavar="FILE", help=tr("protocol (TOML) to read and check"))
    add_measures(parser, (tr("none"),), of_nuggets=False)
    add_rules(parser)
    add_dialect(parser)
    parser.add_argument("-Z", "--zscores", metavar="FILE", help=tr("file of reference means, for Z-scores"))
    add_query_set(parser)
    add_former_queries(parser)
    parser.add_argument("--weights", metavar="FILE", help=tr("file of the weights of queries"))
    parser.add_argument(
        "--run",
        dest="chosen",
        action="append",
        metavar="RUN",
        help=tr("run that takes part, repeatable (default: all)"),
    )
    add_baseline(parser)
    parser.add_argument("--pairs", action="store_true", help=tr("compare all pairs of runs"))
    parser.add_argument("--test", choices=tuple(TESTS), metavar="TEST",
                        help=tr("test that decides: {tests}", tests=", ".join(TESTS)))  # fmt: skip
    add_correction(parser)
    add_intervals(parser)
    add_samples(parser)
    add_smallest(parser)
    add_looks(parser)
    add_epsilon(parser)
    add_unit(parser, table=False)
    parser.add_argument(
        "--register", metavar="FILE",
        help=tr("register the protocol: write it with the time, the inputs of --opened and a digest, which is printed"),
    )  # fmt: skip
    parser.add_argument(
        "--opened", action="append", default=[], metavar="FILE",
        help=tr("with --register: qrels, run or other input that was opened before, repeatable; with --registered: one "
                "that is used now"),
    )  # fmt: skip
    parser.add_argument(
        "--registered", metavar="FILE", help=tr("say whether this protocol is the registered one, and what differs")
    )
    add_output(
        parser, ("toml", "table", "record", "json"), "toml",
        text=tr("toml: a file for --protocol; table: as it is shown, with the defaults; record: one line of all "
                "fields; json (default: that of the ending of -o FILE, else toml)"),
        endings={".toml": "toml"},
    )  # fmt: skip
    follow(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer protocol``. Raises ParseError for a file that is no protocol, MeasureError, OptionError."""
    protocol = options.asked
    parse_measures(protocol.measures)
    if options.opened and not (options.register or options.registered):
        raise OptionError(tr("--opened needs --register or --registered"))
    files = opened_files(options.opened, named_files(protocol))
    if options.registered:
        registration = read_registration(options.registered)
        print("\n".join(kept_sentences(registration, protocol, files)))
        return 1 if registration.protocol.changed(protocol) or not registration.intact else 0
    if options.register:
        data = register(protocol, files).encode("ascii")
        write_atomically(Path(options.register), lambda file: file.write(data))
        digest = read_registration(options.register).digest
        print(tr("registered, digest {digest}; publish the digest before the results are known", digest=digest))
        return 0
    if options.format == "toml":
        folder = None if options.output in (None, "-") else Path(options.output).parent
        put(protocol_text(protocol, folder=folder), options.output)
        return 0
    bound = bind(protocol)
    writers = {
        "table": lambda: f"{bound.line()}\n\n{bound.full_text()}\n",
        "record": lambda: bound.record() + "\n",
        "json": lambda: json_text(bound.as_json()),
    }
    put(writers[options.format](), options.output)
    return 0
