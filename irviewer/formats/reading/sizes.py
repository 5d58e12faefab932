"""How much of a file is worked on at a time. No result depends on any of it."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Bytes, if not said otherwise.

    head     what stands before the first look: formats are told apart by this much
    large    a smaller file is read at once
    part     of regular text, parsed at a time by one of ``parsers`` threads
    decoded  of a part that is not ASCII, decoded at a time
    lines    of irregular white space, made regular at a time
    careful  read line by line at a time, where parts will not do
    begin    of a large file that is looked at line by line before all of it is
    maps     of JSON maps, parsed at a time
    objects  of JSON lines, parsed at a time
    rows     of a table, gathered at a time
    line     of a line, beyond which a stream is left to the careful reader
    uncut    of JSON without a place to cut, beyond which it is
    first    of a first line that is looked at for what parts its columns
    blank    of white space that nobody waits behind
    sniffed  of remarks and long lines that are looked at for the first lines
    column   of the ids of one column, whose offsets are 32 bits; more are left to the careful reader
    """

    head: int = 1 << 16
    large: int = 1 << 20
    part: int = 4 << 20
    parsers: int = min(4, os.cpu_count() or 1)
    decoded: int = 2 << 20
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
