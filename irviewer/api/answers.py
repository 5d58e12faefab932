"""The public function for answers: what they say, cite and lack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from irviewer.analysis.agreement.merge import Ties
from irviewer.analysis.answers.merged_labels import MergedLabels, Rule, merged_labels
from irviewer.api.protocols import AnyProtocol, protocol_of, query_sets
from irviewer.api.show import FOLLOWED, ShownView, shown_view
from irviewer.api.sources import AnyQrels, AnyRun, AnyRuns, Source, Sources
from irviewer.api.texts import texts_of
from irviewer.errors import OptionError, name_some
from irviewer.formats.data_files import data_files
from irviewer.formats.registry import format_named
from irviewer.model.answers.assigner_names import Kind
from irviewer.model.answers.beside import with_context, with_judgments, with_segments
from irviewer.model.answers.systems import topics_alone
from irviewer.model.arguments import checked
from irviewer.model.column_names import ColumnChoice
from irviewer.model.protocol import PLACES
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.rendering.atomic import write_atomically
from irviewer.translation import tr
from irviewer.views.inputs import inputs_of
from irviewer.views.manifest import view_named

VIEWS: Mapping[str, str] = {
    "scores": "answer-scores", "nuggets": "answer-nuggets", "pairs": "answer-pairs", "lost": "answer-lost",
    "sentences": "answer-sentences", "versions": "answer-versions",
    "agreement": "answer-agreement", "merge": "answer-merge", "checks": "answer-checks", "worklist": "answer-worklist",
}  # fmt: skip
"""What can be shown -> the name of the view."""


@checked
def answers(
    view: str,
    nuggets: AnyQrels | None,
    runs: AnyRuns,
    *,
    judgments: AnyQrels | None = None,
    context: AnyRun | None = None,
    segments: AnyQrels | None = None,
    documents: Source | TextTable | None = None,
    protocol: AnyProtocol | None = None,
    columns: Mapping[str, str] | None = None,
    progress: Callable[[float], None] | None = None,
    **parameters: Any,
) -> ShownView:
    """Show what answers say, cite and lack, by system.

    view        "scores", "nuggets" (by system), "pairs" (two systems by nugget), "lost" (where vital nuggets were
                lost), "sentences" (at fault), "versions" (two answers sentence by sentence), "agreement" (of
                assigners), "merge" (their labels as those of one), "checks" (numbers and negations to examine) or
                "worklist" (answers to label next)
    nuggets     a file of nuggets or of assignments, whose topics are evaluated; qrels of documents will do, too; None
                for answers alone: their sentences, citations, lengths and versions
    runs        files of answers, assignments and support; the files of a system, by the name in them, are one run
    judgments   qrels of documents, for what is cited and for where nuggets were lost
    context     the list that the answers were made from
    segments    a file of assignments of nuggets to segments: which document holds which nugget
    documents   a file with the texts of documents, for the numbers of sentences
    protocol    an EvaluationProtocol or the file of one, instead of the defaults
    parameters  fields of the protocol (``level=2``) and parameters of the view (``topic="12"``)

    Returns a ShownView. Raises ParseError, MeasureError, OptionError."""
    if view not in VIEWS:
        raise OptionError(tr("There is no view {view!r} of answers. There are: {names}.", view=view,
                             names=name_some(list(VIEWS))))  # fmt: skip
    chosen_view = view_named(VIEWS[view])
    fields = {name: value for name, value in parameters.items() if name in PLACES}
    chosen = chosen_view.chosen({name: value for name, value in parameters.items() if name not in PLACES})
    asked = protocol_of(protocol, "answers", fields, FOLLOWED)
    sources = Sources(columns)
    if nuggets is None:
        all_runs = sources.runs(runs)
        qrels = topics_alone(all_runs)
    else:
        qrels, all_runs = sources.both(nuggets, runs)
    sources.check()
    qrels, all_runs = beside(qrels, all_runs, judgments=judgments, context=context, segments=segments)
    inputs = inputs_of(
        asked, qrels, all_runs, uses=chosen_view.uses, pins=chosen_view.pins, sets=query_sets(asked),
        documents=texts_of(documents, "documents"),
        files=data_files(
            [("qrels", nuggets), ("run", runs), ("qrels", judgments), ("run", context), ("qrels", segments),
             ("documents", documents)]
        ),
    )  # fmt: skip
    return shown_view(chosen_view, inputs, chosen, progress)


@checked
def merge_labels(
    runs: AnyRuns,
    rule: Rule = "majority",
    *,
    labels: Kind = "nuggets",
    ties: Ties = "lower",
    nuggets: AnyQrels | None = None,
    columns: Mapping[str, str] | None = None,
    output: Source | None = None,
    assigners: Sequence[str] = (),
) -> MergedLabels:
    """Merge the labels that several assigners gave to the same answers into those of one.

    runs     files of assignments, or of support, in the order in which the assigners count; a file may have several
             systems
    rule     "majority" (``ties``: "lower", "higher", "first", "unjudged"), "median", or "fill", the first assigner with
             the others for the gaps
    labels   "nuggets", or "support" of citations
    nuggets  the set in force; None: of each system the largest that an assigner was given
    output   a file for the merged labels of all systems, as TREC RAG writes them
    assigners  who takes part, in the order in which they count; () for all whose labels were not merged themselves

    Returns MergedLabels, whose ``conflicts`` are the items on which assigners differ.
    Raises ParseError, OptionError."""
    sources = Sources(columns)
    given = None if nuggets is None else sources.qrels(nuggets).nuggets
    every = list(sources.files_apart(runs))
    sources.check()
    merged = merged_labels(every, rule, kind=labels, ties=ties, nuggets=given, assigners=assigners)
    if output is not None:
        data = labels_text(merged)
        write_atomically(Path(output), lambda stream: stream.write(data))
    return merged


def labels_text(merged: MergedLabels) -> bytes:
    """Return merged labels as a file: JSON lines, of all systems. Raises OptionError where there are none."""
    if not merged.runs:
        raise OptionError(tr("No label is left: the assigners differ on all items."))
    written = format_named("assignments" if merged.kind == "nuggets" else "support")
    return b"".join(written.encoded(run) for run in merged.runs)


def beside(
    qrels: Qrels,
    runs: Sequence[Run],
    *,
    judgments: AnyQrels | None = None,
    context: AnyRun | None = None,
    segments: AnyQrels | None = None,
    columns: ColumnChoice | None = None,
) -> tuple[Qrels, list[Run]]:
    """Return qrels and runs with judgments, links and context added. Raises ParseError, OptionError."""
    sources = Sources(None if columns is None else columns.roles)
    every = list(runs)
    if judgments is not None:
        graded = sources.qrels(judgments)
        _refuse_others(graded.name, graded.query_ids, qrels)
        qrels = with_judgments(qrels, graded)
    if segments is not None:
        qrels = with_segments(qrels, sources.qrels(segments))
    if context is not None:
        listed = sources.run(context)
        _refuse_others(listed.name, listed.query_ids, qrels)
        every = with_context(every, listed)
    return qrels, every


def _refuse_others(name: str, topics: Sequence[str], qrels: Qrels) -> None:
    """Raise OptionError where a file has no topic that is evaluated: beside the answers it would count as nothing."""
    if topics and qrels.query_ids and qrels.query_index.keys().isdisjoint(topics):
        raise OptionError(tr(
            "{name} has none of the topics: its query ids ({ids} …) are not those of {qrels} ({others} …)", name=name,
            ids=name_some(topics[:2]), qrels=qrels.name, others=name_some(qrels.query_ids[:2]),
        ))  # fmt: skip
