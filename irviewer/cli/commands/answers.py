"""``irviewer answers VIEW NUGGETS FILE …``: what answers say, cite and lack, by system."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from irviewer.api.answers import VIEWS, beside, labels_text
from irviewer.cli.commands import Parser
from irviewer.cli.modes.one_view import add_arguments, add_parameters, show_view
from irviewer.cli.options.former import add_former
from irviewer.cli.options.runs import each_run, read_judgments, read_runs
from irviewer.errors import ColumnsError, DuplicateError, IrviewerError, OptionError, ParseError
from irviewer.model.answers.systems import topics_alone
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.rendering.atomic import write_atomically
from irviewer.translation import tr
from irviewer.views.manifest import view_named

DESCRIPTION = tr(
    "Show what answers say, cite and lack: scores, nuggets by system, two systems by nugget, where vital nuggets were "
    "lost, sentences at fault, two answers sentence by sentence. QRELS is a file of nuggets, RUN files of answers, "
    "assignments and support; the files of a system are one run. Answers alone will do for what needs no judgments. "
    "compare, gate, report and paper take the same files."
)
VIEWS_TEXT = tr(
    "scores: of systems; nuggets: which system says which; pairs: two systems, nugget by nugget; lost: where vital "
    "nuggets were lost; sentences: those without a citation or support; versions: two answers, sentence by sentence; "
    "agreement: of assigners; merge: the labels of several assigners as those of one; checks: numbers, names and "
    "negations to examine; worklist: which answers to label next"
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("view", choices=tuple(VIEWS), help=VIEWS_TEXT)
    parser.add_argument(
        "--judgments", metavar="FILE", help=tr("qrels of documents, for what is cited and for where nuggets were lost")
    )
    parser.add_argument("--context", metavar="RUN", help=tr("the list that the answers were made from"))
    parser.add_argument(
        "--segments", metavar="FILE", help=tr("assignments of nuggets to segments: which document holds which nugget")
    )
    parser.add_argument(
        "--labels-to", metavar="FILE", help=tr("with merge: also write the merged labels, as JSON lines of TREC RAG")
    )
    add_former(parser, "--merge", tr("irviewer answers merge with --rule"))
    add_arguments(parser, "answers", required=True, alone=True)
    parser.description = DESCRIPTION
    if isinstance(parser, Parser):
        parser.further = _add_parameters


def _add_parameters(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the options of the view that the first argument names."""
    if arguments and arguments[0] in VIEWS:
        description = parser.description
        add_parameters(parser, view_named(VIEWS[arguments[0]]))
        parser.description = description


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer answers``."""
    if options.labels_to is not None and options.view != "merge":
        raise OptionError(tr("--labels-to is of irviewer answers merge"))
    options.versions |= options.view == "versions"  # which compares them
    shown = show_view(view_named(VIEWS[options.view]), options, read=_read)
    if options.labels_to is not None:
        data = labels_text(shown.value)
        write_atomically(Path(options.labels_to), lambda stream: stream.write(data))
    return 0


def _read(options: argparse.Namespace) -> tuple[Qrels, list[Run]]:
    try:
        qrels = read_judgments(options)
    except ParseError:
        alone = None if options.qrels_from is not None else _answers_alone(options)
        if alone is None:
            raise
        qrels, runs = alone
    else:
        if not options.runs:
            raise OptionError(tr("give a file of answers, assignments or support behind the nuggets"))
        runs = read_runs(options, qrels)
    return beside(
        qrels, runs, columns=options.columns,
        judgments=options.judgments, context=options.context, segments=options.segments,
    )  # fmt: skip


def _answers_alone(options: argparse.Namespace) -> tuple[Qrels, list[Run]] | None:
    """Return the topics of answers that nobody judged, and the answers; None where a file holds something else. The
    first file is then one of the runs, in ``options`` too."""
    first, options.qrels, options.runs = options.qrels, None, [options.qrels, *options.runs]
    try:
        runs = list(each_run(options, topics_alone([])))
        return topics_alone(runs), runs
    except DuplicateError:  # only a file of answers has two to a topic
        raise
    except IrviewerError as error:
        if isinstance(error, ColumnsError) and "answer" in options.columns.roles:
            raise
        options.qrels, options.runs = first, options.runs[1:]
        return None
