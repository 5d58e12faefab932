"""The commands about files: ``convert`` any format into any other, ``check`` what is in files, list the ``formats``.

Knows no Qt; ``cli`` registers what stands here."""

from __future__ import annotations

import argparse
import bz2
import gzip
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irviewer.errors import IrviewerError, OptionError

if TYPE_CHECKING:
    from irviewer.formats.format import Format, Loaded, Value

CHECK = (
    "Say of each file what it is, what is in it and what is odd about it, with the ways there are to read it; of runs "
    "also what they have in common with the first qrels among the files."
)
CONVERT = (
    "Write a file in another format. What SRC is, is told from its content; --from and --kind overrule that. What DST "
    "is to be, is told from its name's ending (.json, .parquet, .csv … and .gz, .bz2, .xz, .zst, .lz4 to compress); "
    "--to overrules that. - is standard input and output. `irviewer formats` lists the names."
)


def add_commands(commands: Any) -> None:
    """Register convert, check and formats with the command line's parser."""
    convert = commands.add_parser("convert", help="write a file in another format", description=CONVERT)
    convert.add_argument("source", metavar="SRC", help="a file of any format, - for standard input")
    convert.add_argument("target", metavar="DST", help="the file to write, - for standard output")
    convert.add_argument("--to", metavar="FORMAT", help="the format to write")
    convert.add_argument("--name", metavar="NAME", help="the run's name, which becomes its tag")
    convert.add_argument(
        "--number-queries", action="store_true",
        help="write a number in place of each query's id, and which is which to DST.map.tsv",
    )  # fmt: skip
    convert.add_argument(
        "--map", metavar="FILE", help="the same, with the numbers in FILE; what it has already is gone on with"
    )
    _add_reading(convert, "refuse")
    convert.set_defaults(run=run_convert)
    check = commands.add_parser("check", help="an account of files: what is in them and what is odd", description=CHECK)
    check.add_argument("files", nargs="+", metavar="FILE", help="qrels, runs, queries, documents in any order")
    _add_reading(check, "best")
    from irviewer.cli.run_options import add_ids

    add_ids(check)
    check.set_defaults(run=run_check)
    formats = commands.add_parser("formats", help="the file formats there are")
    formats.set_defaults(run=run_formats)


def _add_reading(parser: argparse.ArgumentParser, default: str) -> None:
    from irviewer.formats.duplicates import POLICIES
    from irviewer.formats.format import KINDS

    parser.add_argument("--from", dest="format", metavar="FORMAT", help="what the file is, whatever its content says")
    parser.add_argument("--kind", choices=KINDS, help="what is in it, where the format leaves that open")
    parser.add_argument("--part", metavar="NAME", help="which of several runs in one file (a tag, a snapshot)")
    parser.add_argument("--scores", metavar="FILE", help="the scores that make a LETOR file a run")
    parser.add_argument(
        "--duplicates", choices=POLICIES, default=default,
        help=f"a document that stands twice for a query: refuse the file, or keep one (default: {default})",
    )  # fmt: skip


def _load(path: str, options: argparse.Namespace, name: str | None = None) -> Loaded:
    from irviewer.formats.load import load

    return load(
        path, kind=options.kind, name=name, duplicates=options.duplicates, format=options.format, part=options.part,
        scores=options.scores,
    )  # fmt: skip


def run_convert(options: argparse.Namespace) -> int:
    """``irviewer convert``."""
    from dataclasses import replace

    from irviewer.formats.registry import format_to_write
    from irviewer.model.run import Run
    from irviewer.model.zscores import ZScores

    loaded = _load(options.source, options, options.name)
    value = loaded.value
    if options.name and isinstance(value, Run):
        value = replace(value, tag=options.name)
    if options.target != "-" and Path(options.target).is_dir():
        raise OptionError(f"{options.target} is a folder: name the file to write")
    if options.target not in ("-", options.source) or options.to:
        target = format_to_write(options.target, loaded.kind, options.to)
    elif options.target == "-":
        target = format_to_write("-", loaded.kind)
    else:
        raise OptionError("source and target are the same file: --to says what it is to become")
    assert not isinstance(value, ZScores)  # no format writes them
    if options.number_queries or options.map:
        value = _numbered(value, loaded.kind, options)
    lost = losses(value, target)
    written(value, options.target, target)
    for text in (*loaded.report.warnings, *lost):
        print(f"irviewer: note: {text}", file=sys.stderr)
    shown = f"{loaded.report.format} ({loaded.report.reason})"
    print(f"irviewer: {options.source}: {shown}, written as {target.title} {loaded.kind}", file=sys.stderr)
    return 0


def _numbered(value: Value, kind: str, options: argparse.Namespace) -> Value:
    """With numbers for queries, which are in the map before anything else is written."""
    from irviewer.formats.query_numbering import map_bytes, numbered, read_map

    if kind == "documents":
        raise OptionError("--number-queries and --map are for runs, qrels and queries, not for documents")
    if options.map is None and options.target == "-":
        raise OptionError("standard output has no place for a map beside it: --map FILE names one")
    place = options.map or f"{options.target}.map.tsv"
    value, numbers = numbered(value, read_map(place) if options.map else {})
    _put(map_bytes(numbers), place)
    print(f"irviewer: {place}: {len(numbers):,} queries by number", file=sys.stderr)
    return value


def written(value: Value, path: str, target: Format) -> None:
    """Write a value in a format that writes it, compressed as the path's ending says; - is standard output."""
    _put(_compressed(target.encoded(value), path, target), path)


def losses(value: Value, target: Format) -> list[str]:
    """What the format does not keep of a value, as sentences."""
    from irviewer.formats.texts.writers import columns_lost, ids_changed
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run
    from irviewer.model.texts import TextTable

    found = []
    if isinstance(value, Qrels) and value.assessments is not None and "subtopics" not in target.keeps:
        several = value.subtopics is None
        more = ": each document stands once, with its highest grade" if several else ""
        found.append(f"the second column (subtopics, people or rounds) is not kept{more}")
    if isinstance(value, Qrels) and "relevant" in target.keeps and bool((value.grades <= 0).any()):
        count = int((value.grades <= 0).sum())
        found.append(f"{count:,} judged non-relevant are not kept: what such a file does not name is not relevant")
    if isinstance(value, Qrels) and "queries" not in target.keeps:
        found.append(
            f"the query id {value.query_ids[0]} is not kept: a review is one query, which is called after the file"
        )
    if isinstance(value, Qrels) and target.name == "cranfield":
        found.append(
            "nothing in the file says that its codes run backwards, 1 the best: --from cranfield reads it, "
            "--qrels-from cranfield where it stands beside runs"
        )
    if isinstance(value, Qrels) and target.name == "msmarco":
        from irviewer.formats.trec.three_columns import may_be_codes

        if may_be_codes(value.query_ids, value.doc_ids, value.grades):
            found.append("nothing in the file says that these are grades and no codes: --from msmarco reads it")
    if isinstance(value, TextTable) and (columns := columns_lost(value, target.name)):
        found.append(f"columns that are not kept: {', '.join(columns)}")
    if isinstance(value, TextTable) and (changed := ids_changed(value, target.name)):
        found.append(changed)
    if isinstance(value, Run):
        if "scores" not in target.keeps:
            found.append("the scores are not kept, only the order")
        if value.components and "components" not in target.keeps:
            found.append(f"the score components are not kept: {', '.join(value.components)}")
        named = [name for place, name in enumerate(value.components, start=7) if name != f"column {place}"]
        if named and "components" in target.keeps and "names" not in target.keeps:
            found.append(
                f"the score components have no names there, they are columns 7 and on: {', '.join(value.components)}"
            )
        if value.attributes and "attributes" not in target.keeps:
            found.append("the header with the run's metadata is not kept")
    return found


def _compressed(data: bytes, path: str, target: Format) -> bytes:
    """Compressed as the name's last ending says, unless that ending is the format's own."""
    suffix = Path(path).suffix.lower()
    if suffix in target.suffixes:
        return data
    plain: dict[str, Callable[[bytes], bytes]] = {
        ".gz": _gzip, ".bz2": bz2.compress, ".xz": lzma.compress,
    }  # fmt: skip
    if suffix in plain:
        return plain[suffix](data)
    if suffix in (".zst", ".lz4"):
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, {".zst": "zstd", ".lz4": "lz4"}[suffix]) as stream:
            stream.write(data)
        return bytes(sink.getvalue())
    return data


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # the same bytes whenever it is written


def _put(data: bytes, target: str) -> None:
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    from irviewer.rendering.export import write_atomically

    write_atomically(Path(target), lambda file: file.write(data))


def run_check(options: argparse.Namespace) -> int:
    """``irviewer check``: every file's report with the choices there are; runs also against the first qrels among the
    files, their ids treated as --ids, --query-ids and --rollup say. 2 where one fails."""
    from dataclasses import replace

    from irviewer.formats.doctor import Treatment, diagnose, treated
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

    loaded: list[Loaded] = []
    failed = False
    for path in options.files:
        try:
            loaded.append(_load(path, options))
        except IrviewerError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
    qrels = next((one.value for one in loaded if isinstance(one.value, Qrels)), None)
    for one in loaded:
        odd = any(finding.topic == "duplicates" for finding in one.report.findings)
        now = Treatment(
            options.duplicates if odd else "refuse", kind=options.kind, format=options.format, part=options.part
        )
        try:
            if isinstance(one.value, Run):
                now = replace(now, ids=options.ids, rollup=options.rollup, queries=options.query_ids)
                one = treated(one, now, qrels)
        except OptionError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
            continue
        print("\n".join(diagnose(one, qrels, now).lines()))
    return 2 if failed else 0


def run_formats(options: argparse.Namespace) -> int:
    """``irviewer formats``: name, what is read, what is written, the endings that choose it."""
    from irviewer.formats.format import KINDS
    from irviewer.formats.registry import FORMATS

    rows = [("name", "reads", "writes", "endings")]
    for one in FORMATS:
        writes = ", ".join(kind for kind in KINDS if one.writes(kind))
        reads = ", ".join(kind for kind in KINDS if kind in one.kinds)
        rows.append((one.name, reads, writes or "–", " ".join(one.suffixes)))
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0
