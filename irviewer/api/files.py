"""The public functions for files: check and convert them, write runs and qrels."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from irviewer.api.sources import AnyQrels, AnyRun, Source, Sources
from irviewer.errors import OptionError
from irviewer.formats.compression import compressed
from irviewer.formats.doctor import Diagnosis, ReadOptions, diagnose
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import Value
from irviewer.formats.load import load
from irviewer.formats.losses import losses, of_labels_alone
from irviewer.formats.registry import format_to_write
from irviewer.formats.trec.formats import six_fields
from irviewer.model.arguments import checked
from irviewer.model.column_names import ColumnChoice
from irviewer.model.zscores import ZScores
from irviewer.rendering.atomic import write_atomically
from irviewer.translation import tr


@checked
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


@checked
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


@checked
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


@checked
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
