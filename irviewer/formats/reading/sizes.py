"""The sizes of the parts in which files are read. No result depends on them."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Sizes in bytes, except ``parsers`` and ``rows``.

    head     the beginning of a file, by which formats are detected
    large    the size from which a file is not read at once
    part     the regular text that one of ``parsers`` threads parses at a time
    alone    the largest file of regular text that is read and parsed by one thread
    decoded  the non-ASCII text that is decoded at a time
    cells    the regular text that is searched for empty cells at a time, within the processor's cache
    lines    the text whose white space is normalised at a time
    careful  the text that the line reader reads at a time
    begin    the beginning of a large file that the line reader checks before the whole file is read
    maps     the JSON map text that is parsed at a time
    objects  the JSON lines that are parsed at a time
    rows     the rows of a table that are read at a time
    line     the length of a line from which the line reader takes over
    uncut    the length of JSON without a place to cut from which the line reader takes over
    first    the part of the first line in which the delimiter is searched
    blank    the length of white space at the beginning from which a file counts as blank
    sniffed  the length of comments and long lines in which the first lines are searched
    column   the limit of the ids of a column, whose offsets have 32 bits; the line reader takes over beyond it
    """

    head: int = 1 << 16
    large: int = 1 << 20
    part: int = 2 << 20
    parsers: int = min(4, os.cpu_count() or 1)
    alone: int = 3 << 20
    decoded: int = 2 << 20
    cells: int = 1 << 18
    lines: int = 1 << 20
    careful: int = 4 << 20
    begin: int = 2 << 20
    maps: int = 2 << 20
    objects: int = 4 << 20
    rows: int = 1 << 17
    line: int = 8 << 20
    uncut: int = 32 << 20
    first: int = 4096
    blank: int = 8 << 20
    sniffed: int = 8 << 20
    column: int = 2**31 - 1


SIZES = Sizes()
