"""The public functions for files: check and convert them, write runs and qrels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np

from irviewer.api.sources import AnyQrels, AnyRun, Source, Sources
from irviewer.errors import OptionError
from irviewer.formats.answers.table_writing import lost_in_table, part_in_table
from irviewer.formats.compression import compressed
from irviewer.formats.doctor import Diagnosis, ReadOptions, diagnose
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import Format, Value
from irviewer.formats.load import load
from irviewer.formats.registry import format_named, format_to_write
from irviewer.formats.texts.writers import columns_lost, ids_changed
from irviewer.formats.trec.formats import six_fields
from irviewer.formats.trec.three_columns import may_be_codes
from irviewer.model.answers.answered import Answered
from irviewer.model.column_names import ColumnChoice
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.zscores import ZScores
from irviewer.rendering.atomic import write_atomically
from irviewer.translation import tr, trn


def check(
    path: Source,
    qrels: AnyQrels | None = None,
    *,
    kind: str | None = None,
    duplicates: DuplicatePolicy = "best",
    format: str | None = None,  # noqa: A002 - what everyone calls it
    columns: Mapping[str, str] | None = None,
) -> Diagnosis:
    """Report the contents and problems of a file.

    ``report.warnings`` are sentences, ``lines()`` the full report. With qrels, a run is also compared with them.
    Raises ParseError for a file that cannot be read."""
    choice = ColumnChoice(columns)
    loaded = load(_file(path, "check"), kind=kind, duplicates=duplicates, format=format, columns=choice)
    choice.check()
    judgments = None if qrels is None else Sources().qrels(qrels)
    odd = {finding.topic for finding in loaded.report.findings} & {"duplicates", "records"}
    if "records" in odd and duplicates == "best":  # of answers none is the best: the first is kept
        duplicates = "first"
    return diagnose(loaded, judgments, ReadOptions(duplicates if odd else "refuse", kind=kind, format=format))


def convert(
    source: Source,
    target: Source,
    *,
    to: str | None = None,
    kind: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - what everyone calls it
    columns: Mapping[str, str] | None = None,
    header: bool = False,
) -> tuple[str, ...]:
    """Write a file in another format. The ending of the target chooses the format (and compresses: .gz, .bz2, .xz,
    .zst, .lz4), or ``to`` names it; ``irviewer formats`` lists the names. ``header`` writes what other tools do not
    read in TREC runs: the header of metadata, and score components as further columns. Returns what is not kept, as
    sentences. Raises ParseError, OptionError."""
    choice = ColumnChoice(columns)
    loaded = load(_file(source, "convert"), kind=kind, duplicates=duplicates, format=format, columns=choice)
    choice.check()
    if isinstance(loaded.value, ZScores):
        raise OptionError(tr("Z-scores are not written in another format."))
    return _write(loaded.value, loaded.kind, target, to, header=header)


def _file(path: Source, call: str) -> Path:
    """The path of a file; values that are no path raise an OptionError that says so."""
    if not isinstance(path, str | PathLike):
        raise OptionError(
            tr(
                "{call} takes a file, not a value of type {type}. Write it with write_run or write_qrels first.",
                call=call, type=type(path).__name__,
            )
        )  # fmt: skip
    return Path(path)


def write_run(
    run: AnyRun,
    path: Source,
    *,
    format: str | None = None,  # noqa: A002 - what everyone calls it
    columns: Mapping[str, str] | None = None,
    header: bool = False,
) -> tuple[str, ...]:
    """Write a run (of any kind that :func:`irviewer.evaluate` takes) to a file whose ending, or ``format``, chooses the
    format; TREC's six columns otherwise. ``header`` is as in :func:`convert`. Returns what is not kept, as sentences.
    Raises OptionError."""
    sources = Sources(columns)
    value = sources.run(run)
    sources.check()
    return _write(value, "run", path, format, header=header)


def write_qrels(
    qrels: AnyQrels,
    path: Source,
    *,
    format: str | None = None,  # noqa: A002 - what everyone calls it
    columns: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Write qrels to a file, as :func:`write_run` does; the default format is TREC's four columns."""
    sources = Sources(columns)
    value = sources.qrels(qrels)
    sources.check()
    return _write(value, "qrels", path, format)


def _write(value: Value, kind: str, path: Source, form: str | None, *, header: bool = False) -> tuple[str, ...]:
    target = of_labels_alone(value, format_to_write(str(path), kind, form))
    plain = value if header else six_fields(value, target.name)
    lost = tuple(losses(value, target, header=header))
    data = compressed(target.encoded(plain), str(path), target)
    write_atomically(Path(path), lambda file: file.write(data))
    return lost


def of_labels_alone(value: Value, target: Format) -> Format:
    """Return the format of CSV or TSV for labels or nuggets without documents: a table of them. Others are as given."""
    has_none = (isinstance(value, Qrels) and not len(value.doc_ids)) or (
        isinstance(value, Run) and not len(value) and value.answered is not None and value.answered.answers is None
    )
    if has_none and target.name in _TABLES and part_in_table(value) is not None:
        return format_named(_TABLES[target.name])
    return target


_TABLES = {"csv": "answer-table", "tsv": "answer-table-tsv"}


def _answers_lost(run: Run, answered: Answered, target: Format) -> list[str]:
    """Return what of a system that answers the format does not keep, as sentences."""
    of_lists = target.name not in OF_ANSWERS
    if of_lists and answered.answers is None and not len(run):
        form = "support" if answered.assignments is None else "assignments"
        raise OptionError(tr("run {run} has labels of answers and no documents, which {format} holds; --to {form} and "
                             "--to csv write labels", run=run.name, format=target.title, form=form))  # fmt: skip
    words = {"answers": tr("answers"), "assignments": tr("labels of nuggets"), "support": tr("labels of support")}
    own = [name for name in words if getattr(answered, name) is not None]
    kept = own[0] if target.name in _TABLES.values() and own else OF_ANSWERS.get(target.name)
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


OF_ANSWERS = {
    **dict.fromkeys(("rag24", "rag25", "rag25-ids", "rag-responses"), "answers"), "assignments": "assignments",
    "support": "support", **dict.fromkeys(_TABLES.values(), ""),
}  # fmt: skip
"""The formats of answers and labels, and which part of a system each keeps."""


def losses(value: Value, target: Format, *, header: bool = False) -> list[str]:
    """Return what the format does not keep of a value, as sentences; ``header``: a TREC run has its metadata and its
    components. Raises OptionError for labels of answers in a format of lists: nothing would be written."""
    notes = []
    if isinstance(value, Run) and value.answered is not None:
        notes += _answers_lost(value, value.answered, target)
    if isinstance(value, Qrels) and value.nuggets is not None:
        notes += _nuggets_lost(value, target)
    if target.name == "trec" and not header:
        target = replace(target, keeps=target.keeps - {"components", "attributes"})
    if isinstance(value, Qrels) and value.assessments is not None and "subtopics" not in target.keeps:
        if value.subtopics is None:
            notes.append(
                tr(
                    "the second column (subtopics, assessors or rounds) is not kept: each document is written once, "
                    "with "
                    "its highest grade"
                )
            )
        else:
            notes.append(tr("the second column (subtopics, assessors or rounds) is not kept"))
    if isinstance(value, Qrels) and value.strata is not None and "strata" not in target.keeps:
        notes.append(tr("the strata of the sample are not kept: use --to sampled"))
    if isinstance(value, Qrels) and "relevant" in target.keeps and bool((value.grades <= 0).any()):
        count = int((value.grades <= 0).sum())
        notes.append(
            trn(
                "{n:,} non-relevant judgment is not kept: this format lists relevant documents only",
                "{n:,} non-relevant judgments are not kept: this format lists relevant documents only",
                count,
            )
        )
    if isinstance(value, Qrels) and "queries" not in target.keeps:
        notes.append(
            tr(
                "the query id {query} is not kept: a review is one query, which is named after the file",
                query=value.query_ids[0],
            )
        )
    if isinstance(value, Qrels) and target.name == "cranfield":
        notes.append(
            tr(
                "the file does not say that its codes run backwards (1 is the best): read it with --from cranfield, or "
                "with --qrels-from cranfield in commands that take qrels and runs"
            )
        )
    if (
        isinstance(value, Qrels)
        and target.name == "msmarco"
        and (may_be_codes(value.query_ids, value.doc_ids, value.grades))
    ):
        notes.append(tr("the file does not say that it holds grades instead of codes: read it with --from msmarco"))
    if isinstance(value, TextTable) and (columns := columns_lost(value, target.name)):
        notes.append(tr("columns that are not kept: {columns}", columns=", ".join(columns)))
    if isinstance(value, TextTable) and (changed := ids_changed(value, target.name)):
        notes.append(changed)
    if isinstance(value, Run):
        if "scores" not in target.keeps:
            notes.append(tr("the scores are not kept, only the order"))
        if value.components and "components" not in target.keeps:
            notes.append(tr("the score components are not kept: {components}", components=", ".join(value.components)))
        named = [name for column, name in enumerate(value.components, start=7) if name != f"column {column}"]
        if named and "components" in target.keeps and "names" not in target.keeps:
            notes.append(
                tr(
                    "the names of the score components are not kept, which become columns 7 and following: "
                    "{components}",
                    components=", ".join(value.components),
                )
            )
        if value.attributes and "attributes" not in target.keeps:
            notes.append(tr("the header with the metadata of the run is not kept"))
        assignments = None if value.answered is None else value.answered.assignments
        if assignments is not None and assignments.spans is not None and "spans" not in target.keeps:
            notes.append(tr("the words that were selected for labels of nuggets are not kept: use --to assignments"))
    return notes
