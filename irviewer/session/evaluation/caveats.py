"""Warnings about the values in view, as short texts for the status line.

Knows a context; nothing of widgets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np

from irviewer.errors import MeasureError, name_some
from irviewer.evaluation.answer_cautions import answer_cautions
from irviewer.evaluation.caveats import apart_from_zero
from irviewer.evaluation.document_lengths import needs_lengths
from irviewer.evaluation.field_cautions import FieldGap, field_gaps, gap_sentences
from irviewer.evaluation.level_cautions import level_cautions
from irviewer.evaluation.sampled_cautions import estimated, is_by_strata, sample_caveat
from irviewer.measures.field_values import reads_fields
from irviewer.model.ascending_ids import outside
from irviewer.model.dialects import DEFAULT
from irviewer.model.matching.unmatched import (
    JudgedShare,
    names_nonrelevant,
    share_warnings,
)
from irviewer.model.options import EvaluationOptions
from irviewer.model.same import Same
from irviewer.model.workspace import Regime, RunEntry
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.default_measures import systems_measures
from irviewer.session.evaluation.zscores import is_zscored
from irviewer.session.files.doctor import read_options_caveats
from irviewer.session.shortcuts import keys
from irviewer.translation import tr, trn

Differences = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def find_caveats(context: EvaluationContext) -> tuple[str, ...]:
    """Return the warnings: options that change files, options that change values, and missing data."""
    return context.once("caveats", _find_caveats)


def _find_caveats(context: EvaluationContext) -> tuple[str, ...]:
    own = (context.values_caveat,) if context.values_caveat else ()
    if context.judgments is None:
        return (tr("no judgments: lists without grades, no values"),) if context.collection.runs else ()
    treated = read_options_caveats(context.collection)
    return (
        *own,
        *context.refusals.values(),
        *level_cautions([context.treated(context.measure)], context.judgments.qrels),
        *_stored_cautions(context),
        *share_caveats(context),
        *_field_caveats(context),
        *_answer_caveats(context),
        *treated,
        *_option_caveats(context),
        *_missing_caveats(context),
        *_judgment_caveats(context),
    )


def share_caveats(context: EvaluationContext, runs: Sequence[RunEntry] | None = None) -> tuple[str, ...]:
    """Return warnings (:class:`ShareWarning`) about ``runs``, by default those that take part, with few judged
    documents at the top, or, where the measure in view counts unjudged documents, far fewer than others of them; none
    if unlisted documents are non-relevant."""
    if runs is None:
        return context.once("judged shares", lambda context: _shares_of(context, context.taking_part))
    return _shares_of(context, runs)


def _shares_of(context: EvaluationContext, runs: Sequence[RunEntry]) -> tuple[str, ...]:
    if context.judgments is None or context.complete:
        return ()
    qrels, shares = context.judgments.qrels, []
    nonrelevant = names_nonrelevant(qrels)
    for entry in runs:
        stored = entry.run.stored
        if stored is not None and stored.judged is not None and entry.key not in context.refusals:
            shares.append(JudgedShare(context.name_of(entry), *stored.judged))
            if qrels.unread is not None and not is_by_strata(context.measure.text):
                nonrelevant = nonrelevant or stored.nonrelevant
        elif context.list_input(entry) is not None and entry.key not in context.unmatched:
            judged, returned, reachable, _ = context.judged_counts(entry).sum(axis=1, dtype=np.int64).tolist()
            shares.append(JudgedShare(context.name_of(entry), judged, returned, reachable))
    return tuple(share_warnings(shares, nonrelevant and not estimated([context.measure], qrels)))


def _field_caveats(context: EvaluationContext) -> list[str]:
    """Return what the documents' table does not say of the documents that the measure reads, or why it has no value."""
    if not reads_fields(context.measure) or context.collection.documents is None:
        return []
    gaps: list[FieldGap] = []
    try:
        for entry in context.taking_part:
            evaluation_input = None if entry.run.stored is not None else context.evaluation_input(
                entry, context.measure
            )  # fmt: skip
            if evaluation_input is not None:
                context.evaluation.values(evaluation_input, context.measure)  # known, or it says why there are none
                gaps += context.evaluation.derived(
                    evaluation_input, ("field gaps", context.measure.text, context.name_of(entry)),
                    partial(field_gaps, context.name_of(entry), measures=[context.measure]),
                )  # fmt: skip
    except MeasureError as error:
        return [str(error)]
    return gap_sentences(gaps)


def _answer_caveats(context: EvaluationContext) -> list[str]:
    """Return what a user should know of the scores of answers, of the usual measures beside the chosen one too."""
    judgments = context.judgments
    if judgments is None or (
        judgments.qrels.nuggets is None and not any(entry.run.answered for entry in context.taking_part)
    ):
        return []
    measures = systems_measures(context.depth, context.measure, graded=context.graded)
    runs = [entry.run.renamed(context.name_of(entry)) for entry in context.taking_part]
    return answer_cautions(measures, judgments.qrels, runs, compared=[context.measure])


def _stored_cautions(context: EvaluationContext) -> tuple[str, ...]:
    """Return the warnings about values that were stored with them."""
    stored = [entry.run.stored for entry in context.system_runs]
    return tuple(dict.fromkeys(text for values in stored if values is not None for text in values.cautions))


def hidden_words(context: EvaluationContext) -> str:
    """Return a text that explains how to show runs if all are hidden, else ""."""
    if not context.collection.runs or context.shown_runs:
        return ""
    return tr("No run is shown. Press {key} to choose runs.", key=keys("choose_runs"))


def _option_caveats(context: EvaluationContext) -> list[str]:
    """Return warnings about options that differ from the defaults."""
    lines = []
    if context.query_set is not None:
        lines.append(tr("values are over {queries}", queries=context.queries_text))
        lines += [context.query_set.warning] if context.looked else []
    rules = context.options.rules
    if rules.name != DEFAULT:
        lines.append(tr("{dialect} dialect: {rules} …", dialect=rules.title, rules="; ".join(rules.account()[:2])))
    if context.options.level != EvaluationOptions().level:
        lines.append(tr("relevance level: grade {grade:g}", grade=context.options.level))
    if needs_lengths(context.measure) and context.collection.documents is None:
        lines.append(
            tr(
                "{measure} has no values: it needs fields of documents, and no documents are open",
                measure=context.measure,
            )
            if reads_fields(context.measure)
            else tr(
                "{measure} has no values: it needs document lengths, and no documents are open", measure=context.measure
            )
        )
    if context.judged_only:
        lines.append(tr("judged documents only: unjudged documents are left out of lists and values"))
    return lines


def _missing_caveats(context: EvaluationContext) -> list[str]:
    assert context.judgments is not None
    by_missing: dict[tuple[str, ...], list[str]] = {}
    outside: dict[tuple[str, ...], list[str]] = {}
    for entry, (lacking, unknown) in zip(context.system_runs, query_differences(context), strict=True):
        if lacking:
            by_missing.setdefault(lacking, []).append(context.name_of(entry))
        if unknown:
            outside.setdefault(unknown, []).append(context.name_of(entry))
    how: Literal["out", "zero", "empty"] = "out"
    if context.options.missing_policy == "zero":
        measure = context.measure
        how = "empty" if apart_from_zero([measure]) is None or is_zscored(context, measure) else "zero"
    lines = [_missing_text(names, _queries(missing), how) for missing, names in by_missing.items()]
    return lines + [_unjudged_text(names, _queries(unknown)) for unknown, names in outside.items()]


def _missing_text(names: list[str], queries: str, how: Literal["out", "zero", "empty"]) -> str:
    if how == "empty":
        return trn(
            "{run} lacks {queries}: each counts as an empty list",
            "{n} runs lack {queries}: each counts as an empty list",
            len(names), run=names[0], queries=queries,
        )  # fmt: skip
    if how == "zero":
        return trn(
            "{run} lacks {queries}: counted as 0", "{n} runs lack {queries}: counted as 0",
            len(names), run=names[0], queries=queries,
        )  # fmt: skip
    return trn(
        "{run} lacks {queries}: left out", "{n} runs lack {queries}: left out",
        len(names), run=names[0], queries=queries,
    )  # fmt: skip


def _unjudged_text(names: list[str], queries: str) -> str:
    return trn(
        "{run} has {queries} without judgments", "{n} runs have {queries} without judgments",
        len(names), run=names[0], queries=queries,
    )  # fmt: skip


def query_differences(context: EvaluationContext) -> Differences:
    """Return (judged queries that it lacks, its queries without judgments) of each run. Both depend on ids only, so
    that edits of judgments or lists do not compute them again, and the cache holds only ids."""
    runs = tuple(entry.run.query_ids for entry in context.system_runs)
    judged = None if context.judgments is None else context.judgments.qrels.query_ids  # as in the file

    def find() -> Differences:
        return tuple(
            ((), ()) if ids in (context.query_ids, judged)
            else (
                outside(context.query_ids, ids, entry.run.query_index),
                outside(ids, context.query_ids, context.query_index),
            )
            for ids, entry in zip(runs, context.system_runs, strict=True)
        )  # fmt: skip

    return context.evaluation.shared(("differences", Same(context.query_ids), *map(Same, runs)), find)


def _judgment_caveats(context: EvaluationContext) -> list[str]:
    assert context.judgments is not None
    lines = []
    without = int(np.count_nonzero(context.relevant == 0))
    if without and context.graded and context.judgments.qrels.unread is None:
        lines.append(trn("{n:,} query has no relevant document", "{n:,} queries have no relevant document", without))
    if context.judgments.regime is Regime.SPARSE:
        lines.append(tr("judgments are sparse: unlisted documents may be relevant"))
    sampled = sample_caveat(context.measure, context.judgments.qrels)
    return [*lines, sampled] if sampled else lines


def _queries(ids: tuple[str, ...]) -> str:
    if len(ids) == 1:
        return tr("query {id}", id=ids[0])
    if len(ids) > 3:
        return trn("{n:,} query ({ids})", "{n:,} queries ({ids})", len(ids), ids=name_some(ids, 3))
    return tr("queries {ids}", ids=", ".join(ids))
