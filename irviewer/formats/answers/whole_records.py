"""The records that are whole in a text of JSON that is damaged, or that is neither lines nor a list: one a line, over
lines, or in a list.

A record ends where the next one may begin: at the start of a line that is not further in than the first record, and
within a line of a list where an object has the same first name. So damage stays within its record, and the time is
linear in the length of the text."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from irviewer.formats.reading.json_faults import json_reason
from irviewer.translation import tr

_DECODER = json.JSONDecoder()
_LINE_START = re.compile(r"\n([ \t]*)(?:\}[ \t]*,[ \t]*)?(?=\{)")
_OVER_LINES = re.compile(r"\{\s*\n")
_NAME = re.compile(r'\{\s*("(?:[^"\\\n]|\\.)*")\s*:')
_GAP, _GAP_OF_LIST = re.compile(r"[\s,]*"), re.compile(r"[\s,\[\]}]*")
_BROKEN_OFF = re.compile(r"[\w.+-]*\s*")
_MOST_NAMES = 20
_FIRST_STEP = 4096
_PATIENCE = 4
"""How much text beyond the next beginning is tried, in lengths of the whole text: an object may begin in another."""


@dataclass(frozen=True)
class Fault:
    """Where a text is not JSON, from 1, and why; ``is_line`` if a line is what is lost, and not a record of a list;
    ``is_cut`` if the text ends within it."""

    line: int
    column: int
    reason: str
    is_line: bool
    is_cut: bool = False


@dataclass
class WholeRecords:
    """What was found: the records with the lines that they begin in, what is damaged, and the lines with commas between
    records that are no list."""

    records: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    commas: list[int] = field(default_factory=list)


def whole_records(
    text: str, begin: int, line: int, is_record: Callable[[dict[str, Any]], bool], *, in_list: bool
) -> WholeRecords:
    """Return what is whole from a place on, which is in ``line``. After damage an object that may be part of what is
    damaged counts if it has the names of the last record, or ``is_record``."""
    whole = WholeRecords()
    starts, sure = _starts(text, begin, in_list=in_list)
    spare = _PATIENCE * len(text)
    place, counted, is_lost = begin, begin, False
    line_begin = text.rfind("\n", 0, begin) + 1
    while True:
        former, place = place, _end(_GAP_OF_LIST if in_list else _GAP, text, place)
        after = bisect_right(starts, place)
        is_start = place in sure
        ended = in_list and after == len(starts) and not is_start and "]" in text[former:place]
        if place == len(text) or ended:
            return whole
        line += text.count("\n", counted, place)
        line_begin = max(line_begin, text.rfind("\n", counted, place) + 1)
        counted = place
        if not in_list and "," in text[former:place]:
            whole.commas.append(line)
        stop = starts[after] if after < len(starts) else len(text)
        value, end, fault = _decoded(text, place, stop)
        further = 1
        while fault is not None and fault.is_cut and after < len(starts) and spare > 0:
            after, further = after + further, 2 * further
            later = starts[after] if after < len(starts) else len(text)
            spare -= later - place
            value, end, its_fault = _decoded(text, place, later)
            if its_fault is None or not its_fault.is_cut:
                fault = None if its_fault is None else fault
                break
        if fault is None and isinstance(value, dict):
            place = end
            known = whole.records[-1][1].keys() if whole.records else value.keys()
            if not is_lost or is_start or value.keys() == known or is_record(value):
                whole.records.append((line, value))
                is_lost = False
            continue
        if not is_lost or is_start or _tells(text[place:stop], whole.records):
            whole.faults.append(_fault(fault, text[place:stop], line, place - line_begin, in_list=in_list))
        is_lost, place = True, max(stop, place + 1)


def _tells(piece: str, records: Sequence[tuple[int, dict[str, Any]]]) -> bool:
    """Return whether most names of the last record stand in a piece of text."""
    names = list(records[-1][1])[:_MOST_NAMES] if records else []
    return 2 * sum([json.dumps(name) in piece for name in names]) > len(names)


def _starts(text: str, begin: int, *, in_list: bool) -> tuple[list[int], set[int]]:
    """Return where records may begin, in order, and where they do, if the text is laid out as its first record is."""
    line_begin = text.rfind("\n", 0, begin) + 1
    own = len(text[line_begin:begin]) - len(text[line_begin:begin].lstrip())
    lines = [(each.end(), len(each[1])) for each in _LINE_START.finditer(text, begin)]
    if _OVER_LINES.match(text, begin):
        lines = [(place, depth) for place, depth in lines if depth <= own]
    sure = {begin, *(place for place, _ in lines)}
    name = _NAME.match(text, begin) or _NAME.search(text, begin)
    if not in_list or name is None:
        return sorted(sure), sure
    same = re.compile(r"\{\s*" + re.escape(name[1]) + r"\s*:")
    inside = [
        each.start()
        for start, stop in pairwise([*sorted(sure), len(text)])
        if "\n" not in text[start:stop].rstrip()
        for each in same.finditer(text, start + 1, stop)
    ]
    return sorted({*sure, *inside}), sure


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return place if match is None else match.end()


@dataclass(frozen=True)
class _Break:
    """Where a piece of text is no JSON, and why; whether at its end, and whether that is the end of all."""

    at: int
    reason: str
    is_cut: bool = False
    is_end: bool = False


def _decoded(text: str, place: int, stop: int) -> tuple[Any, int, _Break | None]:
    """Return the value that begins at a place and its end, or what is wrong with it; what begins at ``stop`` is not
    read. Of a long text only as much as the value needs is read, in steps that double."""
    size = _FIRST_STEP
    while place + size < stop:
        value, end, fault = _decoded_within(text, place, place + size)
        if isinstance(value, dict) or (fault is not None and not fault.is_cut):
            return value, end, fault
        size *= 2
    return _decoded_within(text, place, stop)


def _decoded_within(text: str, place: int, stop: int) -> tuple[Any, int, _Break | None]:
    whole = text[place:stop].rstrip()
    line_end = text.find("\n", place + len(whole), stop)
    piece = text[place : stop if line_end < 0 else line_end]
    try:
        value, size = _DECODER.raw_decode(piece)
    except json.JSONDecodeError as error:
        is_cut = error.msg.startswith("Unterminated") or _BROKEN_OFF.fullmatch(piece, error.pos) is not None
        at = len(whole) if is_cut and stop == len(text) else error.pos
        reason = tr("the file ends within a record") if is_cut and stop == len(text) else json_reason(error)
        return None, place, _Break(at, reason, is_cut, is_cut and stop == len(text))
    except (ValueError, RecursionError) as error:
        return None, place, _Break(0, json_reason(error))
    return value, place + size, None


def _fault(broken: _Break | None, piece: str, line: int, column: int, *, in_list: bool) -> Fault:
    """Return what is wrong with a piece that begins in a line behind so many characters; None: it is no object."""
    is_line = not in_list and "\n" not in piece.rstrip()
    if broken is None:
        return Fault(line, column + 1, tr("it is not a JSON object"), is_line)
    before = piece[: broken.at]
    if "\n" in before:
        line, column = line + before.count("\n"), -before.rfind("\n") - 1
    reason = tr("the line is not JSON: {reason}", reason=broken.reason) if is_line else broken.reason
    return Fault(line, column + broken.at + 1, reason, is_line, broken.is_end)
