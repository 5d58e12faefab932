"""What the format of a file does not keep of a value, in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.errors import OptionError
from irviewer.formats.answers.table_writing import lost_in_table, part_in_table
from irviewer.formats.format import Format, Value
from irviewer.formats.registry import format_named
from irviewer.formats.texts.writers import columns_lost, ids_changed
from irviewer.formats.trec.three_columns import may_be_codes
from irviewer.model.answers.answered import Answered
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.translation import tr, trn

_TABLES = {"csv": "answer-table", "tsv": "answer-table-tsv"}
"""The tables of labels or nuggets without documents, by the format of lists."""
_OF_ANSWERS = {
    **dict.fromkeys(("rag24", "rag25", "rag25-ids", "rag-responses"), "answers"), "assignments": "assignments",
    "support": "support", **dict.fromkeys(_TABLES.values(), ""),
}  # fmt: skip
"""The formats of answers and labels, and which part of a system each keeps."""


def of_labels_alone(value: Value, target: Format) -> Format:
    """Return the format of CSV or TSV for labels or nuggets without documents: a table of them. Others are as given."""
    has_none = (isinstance(value, Qrels) and not len(value.doc_ids)) or (
        isinstance(value, Run) and not len(value) and value.answered is not None and value.answered.answers is None
    )
    if has_none and target.name in _TABLES and part_in_table(value) is not None:
        return format_named(_TABLES[target.name])
    return target


def losses(value: Value, target: Format, *, header: bool = False) -> list[str]:
    """Return what the format does not keep of a value, as sentences; ``header``: a TREC run has its metadata and its
    components. Raises OptionError for labels of answers in a format of lists: nothing would be written."""
    if isinstance(value, Run):
        return _run_lost(value, target, header=header)
    return _qrels_lost(value, target) if isinstance(value, Qrels) else _texts_lost(value, target)


def _run_lost(run: Run, target: Format, *, header: bool) -> list[str]:
    notes = [] if run.answered is None else _answers_lost(run, run.answered, target)
    if target.name == "trec" and not header:
        target = replace(target, keeps=target.keeps - {"components", "attributes"})
    if "scores" not in target.keeps:
        notes.append(tr("the scores are not kept, only the order"))
    if run.components and "components" not in target.keeps:
        notes.append(tr("the score components are not kept: {components}", components=", ".join(run.components)))
    named = [name for column, name in enumerate(run.components, start=7) if name != f"column {column}"]
    if named and "components" in target.keeps and "names" not in target.keeps:
        notes.append(tr(
            "the names of the score components are not kept, which become columns 7 and following: {components}",
            components=", ".join(run.components),
        ))  # fmt: skip
    if run.attributes and "attributes" not in target.keeps:
        notes.append(tr("the header with the metadata of the run is not kept"))
    assignments = None if run.answered is None else run.answered.assignments
    if assignments is not None and assignments.spans is not None and "spans" not in target.keeps:
        notes.append(tr("the words that were selected for labels of nuggets are not kept: use --to assignments"))
    return notes


def _qrels_lost(qrels: Qrels, target: Format) -> list[str]:
    notes = [] if qrels.nuggets is None else _nuggets_lost(qrels, target)
    if qrels.assessments is not None and "subtopics" not in target.keeps:
        notes.append(
            tr("the second column (subtopics, assessors or rounds) is not kept: each document is written once, with "
               "its highest grade")
            if qrels.subtopics is None
            else tr("the second column (subtopics, assessors or rounds) is not kept")
        )  # fmt: skip
    if qrels.strata is not None and "strata" not in target.keeps:
        notes.append(tr("the strata of the sample are not kept: use --to sampled"))
    if "relevant" in target.keeps and (count := int((qrels.grades <= 0).sum())):
        notes.append(trn(
            "{n:,} non-relevant judgment is not kept: this format lists relevant documents only",
            "{n:,} non-relevant judgments are not kept: this format lists relevant documents only",
            count,
        ))  # fmt: skip
    if "queries" not in target.keeps:
        notes.append(tr("the query id {query} is not kept: a review is one query, which is named after the file",
                        query=qrels.query_ids[0]))  # fmt: skip
    if target.name == "cranfield":
        notes.append(tr(
            "the file does not say that its codes run backwards (1 is the best): read it with --from cranfield, or "
            "with --qrels-from cranfield in commands that take qrels and runs"
        ))  # fmt: skip
    if target.name == "msmarco" and may_be_codes(qrels.query_ids, qrels.doc_ids, qrels.grades):
        notes.append(tr("the file does not say that it holds grades instead of codes: read it with --from msmarco"))
    return notes


def _texts_lost(texts: TextTable, target: Format) -> list[str]:
    notes = []
    if columns := columns_lost(texts, target.name):
        notes.append(tr("columns that are not kept: {columns}", columns=", ".join(columns)))
    if changed := ids_changed(texts, target.name):
        notes.append(changed)
    return notes


def _answers_lost(run: Run, answered: Answered, target: Format) -> list[str]:
    """Return what of a system that answers the format does not keep, as sentences."""
    of_lists = target.name not in _OF_ANSWERS
    if of_lists and answered.answers is None and not len(run):
        form = "support" if answered.assignments is None else "assignments"
        raise OptionError(tr("run {run} has labels of answers and no documents, which {format} holds; --to {form} and "
                             "--to csv write labels", run=run.name, format=target.title, form=form))  # fmt: skip
    words = {"answers": tr("answers"), "assignments": tr("labels of nuggets"), "support": tr("labels of support")}
    own = [name for name in words if getattr(answered, name) is not None]
    kept = own[0] if target.name in _TABLES.values() and own else _OF_ANSWERS.get(target.name)
    parts = ", ".join(words[name] for name in own if name != kept)
    notes = []
    if parts and of_lists and not answered.with_list:
        notes.append(tr("not kept: {parts}; the lists are the references", parts=parts))
    elif parts:
        notes.append(tr("not kept: {parts}", parts=parts))
    if of_lists and target.name in _TABLES and answered.answers is not None:
        notes.append(tr("--to {format} writes a row for each sentence", format=_TABLES[target.name]))
    answers = answered.answers
    if kept == "answers" and answers is not None:
        if target.name != "rag-responses" and not np.isnan(answers.scores).all():
            notes.append(tr("the scores of citations are not kept, only their order: use --to rag-responses"))
        if target.name == "rag24" and any('"metadata"' in more for more in answers.more):
            notes.append(tr("the metadata of the answers (team, kind of run …) is not kept"))
    return [*notes, *(lost_in_table(run) if target.name in _TABLES.values() else [])]


def _nuggets_lost(qrels: Qrels, target: Format) -> list[str]:
    """Return what of nuggets the format does not keep. Raises OptionError where nothing would be written."""
    if target.name == "nuggets" or target.name in _TABLES.values():
        assert qrels.nuggets is not None
        linked = qrels.nuggets.links is not None and len(qrels.nuggets.links.nugget)
        notes = [tr("which document holds which nugget is not kept")] if linked else []
        return [*notes, *(lost_in_table(qrels) if target.name in _TABLES.values() else [])]
    if not len(qrels.doc_ids):
        raise OptionError(tr("{name} has nuggets and no judged documents, which {format} holds; --to nuggets and "
                             "--to csv write nuggets", name=qrels.name, format=target.title))  # fmt: skip
    return [tr("not kept: {parts}", parts=tr("nuggets"))]
