"""Qrels, runs and measures as the public functions take them: files, patterns of files, values, and objects of other
libraries."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from irviewer.api.argument_order import in_order
from irviewer.api.warn import warn
from irviewer.errors import OptionError, ParseError
from irviewer.evaluation.caveats import empty_runs
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.folders import rankings_in
from irviewer.formats.format import Loaded
from irviewer.formats.load import Cached, load, opened_once
from irviewer.formats.parts import PartsError, grouped, parts_of
from irviewer.formats.reading.opener import is_given, open_bytes
from irviewer.measures.base import Measure
from irviewer.measures.parser import split_measures
from irviewer.model.answers.nugget_parts import joined_nuggets
from irviewer.model.answers.systems import differing_files, joined_systems, with_joined_labels
from irviewer.model.arguments import checked
from irviewer.model.column_names import ColumnChoice
from irviewer.model.exchange.frames import as_frame, judges_of_frame
from irviewer.model.exchange.objects import is_like_run, is_list, runs_of, unknown
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.matching.unmatched import unmatched_runs, unmatched_warnings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.paths import is_anything, is_folder
from irviewer.translation import tr, trn

Source = str | PathLike[str]


class Frame(Protocol):
    """A data frame: pandas, polars, PyArrow and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


AnyQrels = Qrels | Source | Mapping[Any, Mapping[Any, float]] | Frame | Iterable[Any]
"""Qrels as a value, a file (``irds:ID`` too), a data frame, ``{query: {document: grade}}``, or records."""
AnyRun = Run | Source | Mapping[Any, Mapping[Any, float]] | Frame | Iterable[Any]
"""A run in the same forms, with scores."""
AnyRuns = AnyRun | Mapping[str, AnyRun] | Sequence[AnyRun]
"""One run, several, or ``{name: run}``; a pattern such as ``runs/*.run`` is its files, a table the runs in it."""
Heard = Callable[[Iterable[str]], object]
"""Receives the notes of a file that whatever reads it says (``LoadReport.said_everywhere``)."""
AnyMeasures = str | Measure | Iterable[Any]
"""Measures as texts, as values, or as objects of ir_measures."""


@checked
def read_qrels(
    path: Source,
    *,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - what everyone calls it
    columns: Mapping[str, str] | None = None,
) -> Qrels:
    """Read qrels from a file.

    duplicates  what to do with a document judged twice for a query: "refuse", "first", "last" or "best" (the higher
                grade)
    format      the format, if it should not be detected (``irviewer formats`` lists the names)
    columns     names of the columns of a table, ``{"doc": "chunk_id"}``

    Raises ParseError with file, line, text and reason."""
    choice = ColumnChoice(columns)
    qrels = qrels_file(path, name, duplicates, format, choice)
    choice.check()
    return qrels


@checked
def read_run(
    path: Source,
    *,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - what everyone calls it
    cached: bool = True,
    columns: Mapping[str, str] | ColumnChoice | None = None,
) -> Run:
    """Read a run from a file, with its documents in rank order: by descending score, ties by descending document id as
    bytes, as in trec_eval.

    ``duplicates``, ``format`` and ``columns`` are as in :func:`read_qrels`; "best" keeps the higher score. With
    ``cached``, a large unchanged file is read from the cache, and a file read for the second time is added to it.
    Raises ParseError."""
    if isinstance(columns, ColumnChoice):
        return _run_file(path, name, duplicates, format, columns, cached=cached)
    choice = ColumnChoice(columns)
    run = _run_file(path, name, duplicates, format, choice, cached=cached)
    choice.check()
    return run


def read_runs(
    path: Source,
    *,
    duplicates: DuplicatePolicy = "refuse",
    cached: bool = True,
    columns: Mapping[str, str] | None = None,
    stored: bool = False,
) -> list[Run]:
    """Read all runs of a file: several where it holds several by name, each with its name. ``stored``: the file may
    hold values in place of runs, which is refused otherwise. The other arguments are those of :func:`read_run`. Raises
    ParseError."""
    choice = ColumnChoice(columns)
    runs = runs_of_file(path, duplicates, choice, cached=cached, stored=stored)
    choice.check()
    return runs


class Sources:
    """Reads the qrels and runs of one call with the same choice of columns; call :meth:`check` at the end.

    stored   whether a file of stored values may stand for its runs, for what needs no documents"""

    def __init__(self, columns: Mapping[str, str] | None = None, *, stored: bool = False) -> None:
        self._columns = ColumnChoice(columns)
        self._stored = stored

    def qrels(self, value: AnyQrels) -> Qrels:
        """Return qrels. Raises ParseError for a file, OptionError for a value that cannot be read."""
        if isinstance(value, Qrels):
            return Qrels.of(value)
        if isinstance(value, str | PathLike):
            return qrels_file(value, None, "refuse", None, self._columns)
        if (
            isinstance(value, list | tuple)
            and len(value) > 1
            and all(isinstance(each, str | PathLike) for each in value)
        ):
            parts = [self.qrels(each) for each in value]
            if all(each.nuggets is not None for each in parts):
                joined, said = joined_nuggets(parts)
                warn([said])
                return joined
        return Qrels.of(value, columns=self._columns)

    def judges(self, value: AnyQrels) -> tuple[JudgmentSet, ...]:
        """Return the judgment sets of a value, one for each judge that a table names. Raises as :meth:`qrels`."""
        if isinstance(value, str | PathLike):
            loaded = load(_path(value), kind="qrels", columns=self._columns, judges=True)
            warn(loaded.report.said_everywhere)
            if loaded.judges:
                return loaded.judges
            assert isinstance(loaded.value, Qrels)
            return (JudgmentSet.of(loaded.value),)
        frame = None if isinstance(value, Qrels) else as_frame(value)
        parts = [] if frame is None else judges_of_frame(frame, self._columns)
        if parts:
            return tuple(
                JudgmentSet(Qrels.of_rows(rows, name), name, explanations=explanations)
                for name, rows, explanations in parts
            )
        return (JudgmentSet.of(self.qrels(value)),)

    def both(self, qrels: AnyQrels, runs: AnyRuns, *, evaluated: bool = False) -> tuple[Qrels, list[Run]]:
        """Return qrels and runs, also where they were given in the wrong order, and warn of runs that are empty or
        match nothing; ``evaluated``: the latter will be found while the runs are evaluated. Raises as the methods of
        each."""
        judgments, all_runs = self._both(qrels, runs)
        unmatched = () if evaluated else unmatched_runs(all_runs, judgments)
        warn([*empty_runs(all_runs), *unmatched_warnings(unmatched)])
        return judgments, all_runs

    def _both(self, qrels: AnyQrels, runs: AnyRuns) -> tuple[Qrels, list[Run]]:
        try:
            return self.qrels(qrels), self.runs(runs)
        except (ParseError, OptionError):
            swapped = in_order(qrels, runs)
            if swapped is None:
                raise
        return self.qrels(swapped[0]), self.runs(swapped[1])

    def pair(self, qrels: AnyQrels, run: AnyRun) -> tuple[Qrels, Run]:
        """Return qrels and one run, as :meth:`both` does. Raises OptionError if the value holds several runs."""
        judgments, runs = self.both(qrels, run)
        return judgments, _only(runs)

    def run(self, value: AnyRun) -> Run:
        """Return a run. Raises OptionError if the value holds several."""
        return _only(self.runs(value))

    def runs(self, value: AnyRuns) -> list[Run]:
        """Return the runs in order, with unique names; values without a name are called run, run (2) …"""
        every = [*self._each(value)]
        warn([tr("{text}; each file is a run of its own", text=each.text) for each in differing_files(every)])
        warn([each.text for each in with_joined_labels(every)[1]])
        return joined_systems(every)

    def files_apart(self, value: AnyRuns) -> list[Run]:
        """Return the runs of each file, also where several files are of one system: the labels of an assigner count
        even if they are equal to those of another."""
        return [*self._each(value)]

    def check(self) -> None:
        """Raise OptionError for a chosen column that no table had."""
        self._columns.check()

    def _each(self, value: Any) -> Iterator[Run]:
        """Yield each run."""
        if isinstance(value, Run):
            yield value
        elif isinstance(value, str | PathLike):
            for path in files_in(value):
                yield from runs_of_file(path, "refuse", self._columns, stored=self._stored)
        elif isinstance(value, Mapping) and _is_named(value):
            for name, run in value.items():
                single = Run.of(run, columns=self._columns) if isinstance(run, Mapping) else self.run(run)
                yield single.renamed(str(name))
        else:
            # A generator can be read only once, and its items are needed twice: to see what they are, and to read them.
            value = list(value) if isinstance(value, Iterator) else value
            rows = runs_of(value, self._columns)
            if rows is not None:
                yield from map(Run.from_rows, rows)
            elif is_list(value):
                items = list(value)
                for item in items:  # before a file is looked for: in ["1", "a", 2.0] "1" is none
                    if not (is_like_run(item) or isinstance(item, Mapping) or is_list(item)):
                        raise OptionError(unknown(item, "run"))
                if all(isinstance(item, str | PathLike) for item in items):
                    items = grouped(map(str, items))
                for item in items:
                    yield from self._each(item)
            else:
                raise OptionError(unknown(value, "run"))


def _only(runs: Sequence[Run]) -> Run:
    if len(runs) != 1:
        raise OptionError(trn("One run is expected here, not {n}.", "One run is expected here, not {n}.", len(runs)))
    return runs[0]


def measures_of(measures: Any) -> list[str | Measure]:
    """Return the measures; those of ir_measures as texts. One text may hold several, as the command's ``-m``:
    ``"nDCG@10 AP"``."""
    if isinstance(measures, str):
        return list(split_measures([measures])) or [measures]
    if isinstance(measures, Measure):
        return [measures]
    if not isinstance(measures, Iterable):  # one measure of ir_measures
        return [str(measures)]
    return [measure if isinstance(measure, Measure) else str(measure) for measure in measures]


def listed_measures(measures: Any) -> list[str | Measure] | None:
    """Return the measures that a call names, those of an iterator once and for all; None where it names none. Raises
    OptionError for an empty list."""
    if measures is None:
        return None
    listed = measures_of(measures)
    if not listed:
        raise OptionError(tr("the list of measures is empty; name a measure, or give None for the usual ones"))
    return listed


def measure_of(measure: Any) -> str | Measure:
    """Return one measure; one of ir_measures as text."""
    return measure if isinstance(measure, Measure) else str(measure)


def _is_named(runs: Mapping[Any, Any]) -> bool:
    """Return True for ``{name: run}``, False for ``{query: {document: score}}``."""
    named = False
    for run in runs.values():
        if is_like_run(run):
            named = True
        elif not isinstance(run, Mapping) or run:  # an empty run among others, or a query without documents
            return False
    return named


def files_in(path: Source) -> list[Source]:
    """Return the files that a pattern matches or that a folder holds, sorted; the path itself if it is a file."""
    text = str(path)
    if is_folder(text):
        content = rankings_in(text)
        if not content.runs:
            raise OptionError(
                " ".join(filter(None, [tr("The folder {folder} has no run.", folder=text), content.unread]))
            )
        warn(list(filter(None, [content.unread])))
        return [*content.runs]
    if not glob.has_magic(text) or is_anything(text):
        return [path]
    files: list[Source] = [file for file in sorted(glob.glob(text, recursive=True)) if Path(file).is_file()]  # noqa: PTH207
    if not files:
        raise OptionError(tr("No file matches {pattern}.", pattern=text))
    return [*grouped(map(str, files))]


def qrels_file(
    path: Source, name: str | None, duplicates: DuplicatePolicy, form: str | None, columns: ColumnChoice,
    heard: Heard = warn,
) -> Qrels:  # fmt: skip
    """Return the qrels of a file. ``columns`` are shared by several files, which need not all have these columns."""
    loaded = load(_path(path), kind="qrels", name=name, duplicates=duplicates, format=form, columns=columns)
    heard(loaded.report.said_everywhere)
    return loaded.value  # type: ignore[return-value]


def _run_file(
    path: Source,
    name: str | None,
    duplicates: DuplicatePolicy,
    form: str | None,
    columns: ColumnChoice,
    *,
    cached: bool = True,
) -> Run:
    use: Cached = "use" if cached else "no"
    loaded = load(
        _path(path), kind="run", name=name, duplicates=duplicates, format=form, cached=use, account=False,
        columns=columns,
    )  # fmt: skip
    warn(loaded.report.said_everywhere)
    return loaded.value  # type: ignore[return-value]


def runs_of_file(
    path: Source, duplicates: DuplicatePolicy, columns: ColumnChoice, *, cached: bool = True, stored: bool = False,
    heard: Heard = warn,
) -> list[Run]:  # fmt: skip
    """Return all runs of a file; ``columns`` are as for :func:`qrels_file`."""
    use: Cached = "use" if cached else "no"

    opened = open_bytes(_path(path)) if is_given(str(path)) else None  # a pipe is read once

    def loaded(part: str | None, used: Cached) -> Loaded:
        return load(
            _path(path), kind="run", name=part, duplicates=duplicates, cached=used, account=False, columns=columns,
            part=part, stored=stored, opened=opened,
        )  # fmt: skip

    try:
        first = loaded(None, use)
    except PartsError:  # runs of their own
        alone = parts_of(str(path))
        return [
            run
            for file in alone
            for run in runs_of_file(file, duplicates, columns, cached=cached, stored=stored, heard=heard)
        ]
    if first.stored:
        return list(first.stored)
    parts = next((finding.names for finding in first.report.findings if finding.topic == "part"), ())
    files = [first]
    if len(parts) > 1:
        opened = opened or opened_once(_path(path))
        files = [loaded(part, "no") for part in parts]
    heard(dict.fromkeys(note for file in files for note in file.report.said_everywhere))
    return [value for value in (file.value for file in files) if isinstance(value, Run)]


def _path(path: Source) -> Path:
    return Path(path)
