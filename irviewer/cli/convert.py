"""``irviewer convert``: any format into any other."""

from __future__ import annotations

import argparse
import bz2
import gzip
import lzma
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from irviewer.cli.reading_options import add_reading, load_file
from irviewer.errors import OptionError
from irviewer.formats.query_numbering import map_bytes, numbered, read_map
from irviewer.formats.registry import format_to_write
from irviewer.formats.texts.writers import columns_lost, ids_changed
from irviewer.formats.trec.three_columns import may_be_codes
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.zscores import ZScores
from irviewer.rendering.export import write_atomically

if TYPE_CHECKING:
    from irviewer.formats.format import Format, Value

CONVERT = (
    "Write a file in another format. What SRC is, is told from its content; --from and --kind overrule that. What DST "
    "is to be, is told from its name's ending (.json, .parquet, .csv … and .gz, .bz2, .xz, .zst, .lz4 to compress); "
    "--to overrules that. - is standard input and output. `irviewer formats` lists the names."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = CONVERT
    parser.add_argument("source", metavar="SRC", help="a file of any format, - for standard input")
    parser.add_argument("target", metavar="DST", help="the file to write, - for standard output")
    parser.add_argument("--to", metavar="FORMAT", help="the format to write")
    parser.add_argument("--name", metavar="NAME", help="the run's name, which becomes its tag")
    parser.add_argument(
        "--number-queries", action="store_true",
        help="write a number in place of each query's id, and which is which to DST.map.tsv",
    )  # fmt: skip
    parser.add_argument(
        "--map", metavar="FILE", help="the same, with the numbers in FILE; what it has already is gone on with"
    )
    add_reading(parser, "refuse")


def run(options: argparse.Namespace) -> int:
    """``irviewer convert``."""
    loaded = load_file(options.source, options, options.name)
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
    if (
        isinstance(value, Qrels)
        and target.name == "msmarco"
        and (may_be_codes(value.query_ids, value.doc_ids, value.grades))
    ):
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

    write_atomically(Path(target), lambda file: file.write(data))
