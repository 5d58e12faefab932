"""``irviewer answers VIEW NUGGETS FILE …``: what answers say, cite and lack, by system."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from irviewer.analysis.answers.merged_labels import RULES, TIES
from irviewer.api.answers import VIEWS, beside, labels_text, merge_labels
from irviewer.cli.commands import Parser
from irviewer.cli.modes.one_view import add_arguments, add_parameters, show_view
from irviewer.cli.options.common import put
from irviewer.cli.options.runs import each_run, read_judgments, read_runs
from irviewer.cli.streams import note
from irviewer.errors import DuplicateError, IrviewerError, OptionError, ParseError
from irviewer.model.answers.assigner_names import Kind
from irviewer.model.answers.systems import topics_alone
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn
from irviewer.views.answer_agreement import LABELS, SUPPORTS
from irviewer.views.manifest import view_named

DESCRIPTION = tr(
    "Show what answers say, cite and lack: scores, nuggets by system, two systems by nugget, where vital nuggets were "
    "lost, sentences at fault, two answers sentence by sentence. QRELS is a file of nuggets, RUN files of answers, "
    "assignments and support; the files of a system are one run. Answers alone will do for what needs no judgments. "
    "compare, gate, report and paper take the same files."
)

MOST_LISTED = 20
"""The most conflicts that are listed when labels are merged."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("view", choices=tuple(VIEWS), help=tr("what is shown"))
    parser.add_argument(
        "--judgments", metavar="FILE", help=tr("qrels of documents, for what is cited and for where nuggets were lost")
    )
    parser.add_argument("--context", metavar="RUN", help=tr("the list that the answers were made from"))
    parser.add_argument(
        "--segments", metavar="FILE", help=tr("assignments of nuggets to segments: which document holds which nugget")
    )
    parser.add_argument(
        "--merge", choices=tuple(RULES),
        help=tr("with agreement: merge the labels of all assigners into those of one and write them (JSON lines)"),
    )  # fmt: skip
    parser.add_argument(
        "--ties", choices=tuple(TIES), default="lower",
        help=tr("with --merge majority: how ties are decided (default: lower)"),
    )  # fmt: skip
    add_arguments(parser, "answers", required=True, alone=True, others=("merge",))
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
    if options.merge is not None:
        _merge(options)
        return 0
    show_view(view_named(VIEWS[options.view]), options, read=_read)
    return 0


def _merge(options: argparse.Namespace) -> None:
    """Write the labels of several assigners as those of one, and say what was decided."""
    if options.view != "agreement":
        raise OptionError(tr("--merge is of irviewer answers agreement"))
    kind: Kind = getattr(options, "view_labels", "nuggets")
    merged = merge_labels(
        options.runs, options.merge, labels=kind, ties=options.ties, nuggets=options.qrels,
        columns=options.columns.roles,
    )  # fmt: skip
    put(labels_text(merged).decode("utf-8", "surrogatepass"), options.output)
    lines = [merged.sentence, trn(
        "{n:,} label: {single:,} of one assigner alone, {differ:,} on which assigners differ, {tied:,} decided by the "
        "tie rule.",
        "{n:,} labels: {single:,} of one assigner alone, {differ:,} on which assigners differ, {tied:,} decided by the "
        "tie rule.",
        merged.labels, single=merged.single, differ=len(merged.conflicts), tied=merged.tied,
    )]  # fmt: skip
    for conflict in merged.conflicts[:MOST_LISTED]:
        given = ", ".join(f"{name} {_word(merged.kind, label)}" for name, label in conflict.labels.items())
        decided = tr("no label") if conflict.decided is None else _word(merged.kind, conflict.decided)
        lines.append(tr("{topic}, {run}, “{text}”: {labels} → {decided}.", topic=conflict.topic, run=conflict.system,
                        text=conflict.text, labels=given, decided=decided))  # fmt: skip
    if len(merged.conflicts) > MOST_LISTED:
        lines.append(tr("The table {name} of this command without --merge lists all {n:,} of them.",
                        name="disagreements", n=len(merged.conflicts)))  # fmt: skip
    for name, count in merged.other_text.items():
        if count:
            lines.append(trn(
                "{name}: {n:,} label is of another text of the answer or of another nugget, and takes no part.",
                "{name}: {n:,} labels are of other texts of answers or of other nuggets, and take no part.", count,
                name=name,
            ))  # fmt: skip
    for name, count in merged.odd.items():
        if count:
            lines.append(trn(
                "{name}: {n:,} label that no rule knows counts as not said.",
                "{name}: {n:,} labels that no rule knows count as not said.", count, name=name,
            ))  # fmt: skip
    for line in lines:
        note(line)


def _word(kind: Kind, label: int) -> str:
    return str((LABELS if kind == "nuggets" else SUPPORTS)[label])


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
    except IrviewerError:
        options.qrels, options.runs = first, options.runs[1:]
        return None
