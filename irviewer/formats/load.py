"""Loading of files: detection of the format by content, reading, and the load report.

The formats are those of ``registry.formats()``; the file's name only decides what the content leaves open."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from irviewer.errors import OptionError, ParseError, name_some
from irviewer.formats.choice import choose
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import KINDS, Head, Loaded, Sniffed, Wanted
from irviewer.formats.judging_task import draws_documents, is_task, task_of
from irviewer.formats.load_report import Finding, LoadReport, run_facts
from irviewer.formats.mapping_file import SUFFIX, columns_beside
from irviewer.formats.names import is_irds
from irviewer.formats.parts import PartsError, gap_in, name_of_parts, parts_of, refuse_missing
from irviewer.formats.reading import cache
from irviewer.formats.reading.memory import no_memory
from irviewer.formats.reading.no_collection import NO_COLLECTION
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.stored_values import is_stored, read_stored
from irviewer.model.answers.joined_parts import joined_parts
from irviewer.model.column_names import ColumnChoice
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.joined_runs import are_disjoint, joined_run
from irviewer.model.run import Run
from irviewer.translation import decimal, tr, trn

Cached = Literal["keep", "use", "no"]
MOST_NOTES = 20
"""The notes of parts of a run that are reported."""

__all__ = ["KINDS", "Loaded", "detect", "load", "load_opened", "opened_once"]


def load(
    path: str | Path,
    *,
    kind: str | None = None,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - the usual name
    part: str | None = None,
    scores: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
    cached: Cached = "use",
    account: bool = True,
    columns: ColumnChoice | None = None,
    judges: bool = False,
    stored: bool = False,
    opened: Opened | None = None,
) -> Loaded:
    """Read a file of any known format; ``-`` is standard input, ``irds:ID`` a dataset of ir_datasets, a path with ``*``
    for the number the parts of one run (``parts``). Large files of documents stay on disk (``texts.corpus``).

    kind     "qrels", "run", "queries" or "documents": overrides the detection
    format   the name of a format: overrides the detection
    part     which of several runs in one file, or sheets of a workbook, by its name there
    scores   the file of scores that makes a LETOR file a run
    cached   "keep": cache a run that took long to read; "use": use the cache, and cache a run on its second reading;
             "no": neither
    account  False if the report is not needed: what only the report needs is left out if that saves time
    columns  the roles of a table's columns, for a header with unknown names
    judges   True to read a table of qrels as one judgment set per judge, with explanations (``Loaded.judges``)
    stored   True to read stored values (``formats.stored_values``) as a run without documents, False to refuse them
    opened   the file, where it is open already, as for another of its parts
    progress is called with the share of a large corpus that was read; an exception raised by it ends the reading

    Raises ParseError, also if there is not enough memory, or OptionError for options that contradict each other."""
    try:
        return _load(
            path, kind=kind, name=name, duplicates=duplicates, format=format, part=part, scores=scores,
            progress=progress, cached=cached, account=account, columns=columns, judges=judges, stored=stored,
            opened=opened,
        )  # fmt: skip
    except MemoryError:
        # The memory of the stack is free again.
        raise no_memory(path) from None


def _load(
    path: str | Path,
    *,
    kind: str | None,
    name: str | None,
    duplicates: DuplicatePolicy,
    format: str | None,  # noqa: A002
    part: str | None,
    scores: str | Path | None,
    progress: Callable[[float], None] | None,
    cached: Cached,
    account: bool,
    columns: ColumnChoice | None,
    judges: bool,
    stored: bool,
    opened: Opened | None,
) -> Loaded:
    if is_irds(path):
        from irviewer.formats.texts.ir_datasets import load_irds

        return load_irds(str(path), kind=kind, name=name)
    if is_stored(path):
        if not stored or kind not in (None, "run"):
            raise ParseError(
                path, tr("the file holds values of runs, not their documents"),
                hint=tr("what needs no documents takes it in place of a run, such as compare, gate, report and paper"),
            )  # fmt: skip
        return read_stored(path, name=name, part=part)
    beside = None if columns or str(path) == "-" or format is not None else columns_beside(path)
    if beside is not None:
        try:
            loaded = _load(
                path, kind=kind, name=name, duplicates=duplicates, format=None, part=part, scores=scores,
                progress=progress, cached=cached, account=account, columns=beside, judges=judges, stored=stored,
                opened=opened,
            )  # fmt: skip
        except OptionError as error:  # of a text that is no path
            raise ParseError(beside.origin, str(error)) from error
        file = f"{Path(path).name}{SUFFIX}"
        if beside.is_found:
            note = Finding(tr("columns of {file}", file=file), 1, serious=False)
        else:
            note = Finding(tr("the columns of {file} are not used: the file has none of them", file=file), 1)
        return replace(loaded, report=replace(loaded.report, findings=(note, *loaded.report.findings)))
    parts = parts_of(str(path)) if "*" in str(path) else []
    if parts:
        return _joined(
            str(path), parts, kind=kind, name=name, duplicates=duplicates, format=format, part=part, cached=cached,
            account=account, columns=columns,
        )  # fmt: skip
    if (
        kind in (None, "documents")
        and scores is None
        and not (columns is not None and (columns.names_texts or "rows" in columns.roles))
    ):  # its index knows the usual names only
        from irviewer.formats.texts.corpus import load_corpus

        corpus = load_corpus(path, kind=kind, name=name, format=format, progress=progress or _ignore)
        if corpus is not None:
            return corpus
    shelf = None
    if scores is None and not columns and cached != "no" and kind in (None, "run"):
        choices = {"kind": kind, "name": name, "duplicates": duplicates, "format": format, "part": part}
        shelf = cache.shelf_of(path, choices)
    kept = None if shelf is None else cache.recall(shelf)
    if kept is not None:
        return kept
    # A file that is read for the second time will probably be read again.
    keeps = shelf is not None and (cached == "keep" or cache.is_noted(shelf))
    begun = time.perf_counter()
    loaded = load_opened(
        opened or open_bytes(path), kind=kind, name=name, duplicates=duplicates, format=format, part=part,
        scores=scores, account=account or keeps, columns=columns, judges=judges,
    )  # fmt: skip
    if shelf is None or not loaded.cacheable or not cache.is_worth_keeping(loaded, shelf, time.perf_counter() - begun):
        return loaded
    if not keeps:
        cache.note(shelf)
    elif cache.keep(shelf, loaded):
        return cache.recall(shelf) or loaded  # the mapped arrays need less memory
    return loaded


def _joined(path: str, parts: Sequence[str], *, kind: str | None, name: str | None, **choices: Any) -> Loaded:
    """Return the run that numbered files are the parts of. Raises PartsError if a query is in two of them."""
    refuse_missing(parts)
    files = [load(part, kind=kind, **choices) for part in parts]
    runs = [file.value for file in files if isinstance(file.value, Run)]
    if len(runs) < len(files):
        wrong = next(file for file in files if not isinstance(file.value, Run))
        raise PartsError(path, tr("{file} has {kind}, not a part of a run", file=wrong.report.path, kind=wrong.kind))
    if not are_disjoint(runs):
        raise PartsError(
            path,
            tr("a query is in two of the files: they are no parts of one run"),
            hint=tr("open the files themselves"),
        )
    answered = [run.answered for run in runs if run.answered is not None]
    if answered and (len(answered) < len(runs) or len({each.system for each in answered}) > 1):
        raise PartsError(
            path, tr("the files have answers of several systems: they are no parts of one run"),
            hint=tr("open the files themselves"),
        )  # fmt: skip
    run = joined_run(runs, name=name or (answered and answered[0].system) or name_of_parts(path), origin=path)
    if answered:
        run = replace(run, answered=joined_parts(answered, path))
    reason = trn("the file is a part of a run", "the {n} files are parts of one run: no query is in two", len(parts))
    facts = ((tr("files"), decimal(f"{len(parts):,}")), *run_facts(run))
    findings = tuple(
        replace(note, text=f"{Path(part).name}: {note.text}", lines=())
        for part, file in zip(parts, files, strict=True)
        for note in file.report.findings
    )
    gap, count = gap_in(path, parts)
    if gap:
        findings = (Finding(gap, count, everywhere=True), *findings)
    report = LoadReport(path, "run", files[0].report.format, reason, facts, findings[:MOST_NOTES], run.name)
    return Loaded("run", run, report, cacheable=False)


def _ignore(share: float) -> None:
    """Ignore the progress."""


def opened_once(path: str | Path) -> Opened | None:
    """Return a file that is open for all of its runs or sheets; None for the path of numbered files (``parts``)."""
    return None if parts_of(str(path)) else open_bytes(path)


def load_opened(
    opened: Opened,
    *,
    kind: str | None = None,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002
    part: str | None = None,
    scores: str | Path | None = None,
    account: bool = True,
    columns: ColumnChoice | None = None,
    judges: bool = False,
) -> Loaded:
    """Read an opened file; the options are those of ``load``."""
    sheet = None if part is None else opened.sheet(part)
    if sheet is not None:
        opened, part = sheet, None
    opened.columns = columns or opened.columns
    if scores is not None:  # only LETOR files need scores
        kind, format = kind or "run", format or "letor"  # noqa: A001
    try:
        chosen, sniffed = choose(Head(opened), kind, format)
    except (ParseError, OSError) as error:
        raise _fault(opened, error) from error.__cause__
    if opened.binary and not chosen.binary:
        raise ParseError(
            opened.path,
            tr("this is a binary file, but {format} files are text", format=chosen.title),
            hint=tr("omit --from and --kind, or use --from parquet, arrow or ranx-lz4"),
        )
    wanted = Wanted(
        sniffed.kind, kind is not None, name, duplicates, part, None if scores is None else str(scores),
        sniffed.reason, account, format is not None, judges,
    )  # fmt: skip
    try:
        with NO_COLLECTION:
            loaded = chosen.read(opened, wanted)
    except (ParseError, OSError) as error:
        fault = _fault(opened, error)
        raise fault.at_line(opened.row(fault.line)) from error.__cause__
    opened.refuse_changed()
    if opened.sheets:
        loaded = _of_sheet(loaded, opened, part)
    if isinstance(loaded.value, Qrels) and not opened.binary and opened.in_memory and is_task(opened.data):
        loaded = _of_task(loaded, opened, judges=judges)
    return loaded


def _fault(opened: Opened, error: ParseError | OSError) -> ParseError:
    """Return the fault of a file. Raises ParseError if it changed, or is gone: then the fault may not be the file's."""
    opened.refuse_changed()
    if isinstance(error, ParseError):
        return error
    return ParseError(opened.path, tr("the file cannot be read: {reason}", reason=error.strerror or error))


def _of_sheet(loaded: Loaded, opened: Opened, part: str | None) -> Loaded:
    """Return what a sheet of a workbook holds, with its notes, and with rows in place of the lines of its text. Raises
    ParseError for a part that is neither a sheet nor a system of it."""
    own = [replace(note, lines=tuple(map(opened.row, note.lines))) for note in loaded.report.findings]
    if part is not None and not any(note.topic == "part" for note in own):
        names = name_some(opened.sheets)
        raise ParseError(opened.path, tr("there is no sheet {name}; the sheets are {names}", name=part, names=names))
    notes = [
        Finding(note.text, note.count, (), note.serious, "part" if note.names else "", note.names)
        for note in opened.notes
    ]
    return replace(loaded, report=replace(loaded.report, findings=(*notes, *own)))


def _of_task(loaded: Loaded, opened: Opened, *, judges: bool) -> Loaded:
    """Return qrels that know whether their documents were drawn; with ``judges``, and what was drawn."""
    assert isinstance(loaded.value, Qrels)
    drawn = draws_documents(opened.data)
    if drawn:
        text = tr(
            "the documents were drawn from a larger set: values of runs count those that were not drawn as unjudged"
        )
        report = replace(loaded.report, findings=(*loaded.report.findings, Finding(text)))
        own = tuple(replace(judge, qrels=replace(judge.qrels, drawn=True)) for judge in loaded.judges)
        loaded = replace(loaded, value=replace(loaded.value, drawn=True), report=report, judges=own)
    if judges:
        task = task_of(opened.path, opened.data)
        assert isinstance(loaded.value, Qrels)
        sets = loaded.judges or (JudgmentSet.of(loaded.value),)
        loaded = replace(loaded, judges=tuple(replace(judge, task=task) for judge in sets))
    return loaded


def detect(opened: Opened) -> Sniffed:
    """Return the kind ("qrels", "run", "texts") of a file, and the reason. Raises ParseError for an unknown format."""
    return choose(Head(opened))[1]
