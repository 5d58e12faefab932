"""What the public calls take as qrels, runs and measures: files, patterns of files, values, and what other libraries
hold."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from irviewer.errors import OptionError
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.folders import rankings_in
from irviewer.formats.load import Cached, load
from irviewer.measures.base import Measure
from irviewer.model.column_names import ColumnChoice
from irviewer.model.exchange.objects import runs_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import free_name
from irviewer.translation import tr

Source = str | PathLike[str]


class Frame(Protocol):
    """A data frame: pandas, polars, PyArrow and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


AnyQrels = Qrels | Source | Mapping[Any, Mapping[Any, float]] | Frame | Iterable[Any]
"""Qrels as a value, a file (``irds:ID`` too), a data frame, ``{query: {document: grade}}``, or records."""
AnyRun = Run | Source | Mapping[Any, Mapping[Any, float]] | Frame | Iterable[Any]
"""A run likewise."""
AnyRuns = AnyRun | Mapping[str, AnyRun] | Sequence[AnyRun]
"""One run, several, or ``{name: run}``; a pattern such as ``runs/*.run`` is its files, a table the runs in it."""
AnyMeasures = str | Measure | Iterable[Any]
"""Measures as texts, as values, or as ir_measures has them."""


def read_qrels(
    path: Source,
    *,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - what everyone calls it
    columns: Mapping[str, str] | ColumnChoice | None = None,
) -> Qrels:
    """Qrels from a file. ``duplicates`` says what happens to a document judged twice for a query: "refuse", "first",
    "last" or "best" (the higher grade). ``format`` overrules what the content says (``irviewer formats`` lists the
    names); ``columns`` names columns of a table, ``{"doc": "chunk_id"}``. Raises ParseError with file, line, the text
    and the reason."""
    if isinstance(columns, ColumnChoice):  # of several files, of which this need not have all columns
        return _qrels_file(path, name, duplicates, format, columns)
    choice = ColumnChoice(columns)
    qrels = _qrels_file(path, name, duplicates, format, choice)
    choice.check()
    return qrels


def read_run(
    path: Source,
    *,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - what everyone calls it
    cached: bool = True,
    columns: Mapping[str, str] | ColumnChoice | None = None,
) -> Run:
    """A run from a file, its documents in rank order (score descending, ties by document id descending as bytes, as
    trec_eval ranks). ``duplicates``, ``format`` and ``columns`` as in :func:`read_qrels`, "best" keeping the higher
    score. ``cached`` takes the columns that were kept of a large file, where it has not changed since, and keeps those
    of one that is read for the second time. Raises ParseError."""
    if isinstance(columns, ColumnChoice):
        return _run_file(path, name, duplicates, format, columns, cached=cached)
    choice = ColumnChoice(columns)
    run = _run_file(path, name, duplicates, format, choice, cached=cached)
    choice.check()
    return run


class Sources:
    """The qrels and runs of one call, read under the same choice of columns. Make one, read all, then :meth:`check`."""

    def __init__(self, columns: Mapping[str, str] | None = None) -> None:
        self._columns = ColumnChoice(columns)

    def qrels(self, value: AnyQrels) -> Qrels:
        """The qrels. Raises ParseError for a file, OptionError for a value that cannot be read."""
        if isinstance(value, Qrels):
            return value
        if isinstance(value, str | PathLike):
            return _qrels_file(value, None, "refuse", None, self._columns)
        return Qrels.of(value, columns=self._columns)

    def run(self, value: AnyRun) -> Run:
        """The run. Raises OptionError where the value holds several."""
        runs = self.runs(value)
        if len(runs) != 1:
            raise OptionError(tr("One run is expected here, not {n}.", n=len(runs)))
        return runs[0]

    def runs(self, value: AnyRuns, *, rename: bool = False) -> list[Run]:
        """The runs in order. Values without a name are called run, run (2) …; with ``rename`` files of the same name
        are renamed likewise."""
        runs: list[Run] = []
        for run, named in self._each(value):
            taken = [other.name for other in runs]
            runs.append(run if named and not rename else run.renamed(free_name(run.name, taken)))
        return runs

    def check(self) -> None:
        """Raises OptionError for a chosen column that no table had."""
        self._columns.check()

    def _each(self, value: Any) -> Iterator[tuple[Run, bool]]:
        """Each run, and whether its name is its own."""
        if isinstance(value, Run):
            yield value, True
        elif isinstance(value, str | PathLike):
            for path in _files(value):
                yield _run_file(path, None, "refuse", None, self._columns), True
        elif isinstance(value, Mapping) and _is_named(value):
            for name, one in value.items():
                yield self.run(one).renamed(str(name)), True
        else:
            # A generator is read once: whether it gives records or runs, its items are needed again.
            value = list(value) if isinstance(value, Iterator) else value
            rows = runs_of(value, self._columns)
            if rows is not None:
                for each in rows:
                    yield Run.from_rows(each), bool(each.name)
            elif isinstance(value, Iterable) and not isinstance(value, bytes):
                for one in value:
                    yield from self._each(one)
            else:
                yield Run.of(value), False


def measures_of(measures: Any) -> list[str | Measure]:
    """The measures, those of ir_measures by their text."""
    if isinstance(measures, str | Measure):
        return [measures]
    if not isinstance(measures, Iterable):  # one measure of ir_measures
        return [str(measures)]
    return [one if isinstance(one, Measure) else str(one) for one in measures]


def measure_of(measure: Any) -> str | Measure:
    """One measure likewise."""
    return measure if isinstance(measure, Measure) else str(measure)


def _is_named(runs: Mapping[Any, Any]) -> bool:
    """True for ``{name: run}``, False for ``{query: {document: score}}``."""
    first = next(iter(runs.values()), None)
    if isinstance(first, Mapping):
        return any(isinstance(one, Mapping) for one in first.values())
    if isinstance(first, Sequence) and not isinstance(first, str):
        return bool(first) and not isinstance(first[0], str)  # records or runs; texts are documents without scores
    return first is not None and not isinstance(first, int | float)


def _files(path: Source) -> list[Source]:
    """The files that a pattern matches, or that a folder has, sorted; the path itself where it is a file."""
    text = str(path)
    if Path(text).is_dir():
        found_there = rankings_in(text).runs
        if not found_there:
            raise OptionError(tr("The folder {folder} has no run.", folder=text))
        return [*found_there]
    if not glob.has_magic(text) or Path(text).exists():
        return [path]
    found: list[Source] = [one for one in sorted(glob.glob(text, recursive=True)) if Path(one).is_file()]  # noqa: PTH207
    if not found:
        raise OptionError(tr("No file matches {pattern}.", pattern=text))
    return found


def _qrels_file(
    path: Source, name: str | None, duplicates: DuplicatePolicy, form: str | None, columns: ColumnChoice
) -> Qrels:
    loaded = load(_path(path), kind="qrels", name=name, duplicates=duplicates, format=form, columns=columns)
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
    return loaded.value  # type: ignore[return-value]


def _path(path: Source) -> Path:
    return Path(path)
