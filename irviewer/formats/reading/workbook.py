"""A sheet of an Excel workbook as the text of CSV, which every reader of tables reads.

A cell is what it holds as text: numbers with all digits, dates as 2024-01-31, of formulas the values. openpyxl, an
extra, is imported when a workbook is opened."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from irviewer.errors import ParseError, name_some, printable
from irviewer.formats.delimited_text import delimited_text
from irviewer.formats.reading.unpacking import whole_budget
from irviewer.translation import tr, trn

Read = TypeVar("Read")
_ZIP = b"PK\x03\x04"
_SUFFIXES = (".xlsx", ".xlsm")
_CHECKED = 4096
_MOST_ROWS, _MOST_CELLS = 1 << 20, 20_000_000
"""What a sheet of Excel may have at most, and the empty cells beside others that are still read."""
_ROUNDED, _EXACT = 10.0**15, 10.0**22
"""From where on Excel does not keep all digits of whole numbers, and they are written as powers of ten."""
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_ZEROS = re.compile("0{2,}")


@dataclass(frozen=True)
class Note:
    """What is to be said of a sheet; ``names`` are those with the same header, such as the runs of other systems."""

    text: str
    count: int
    serious: bool = True
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """The text of a sheet; the row, from 1, in which each of its lines begins; and what is to be said of it."""

    name: str
    data: bytes
    rows: tuple[int, ...]
    notes: tuple[Note, ...]


def is_workbook(begin: bytes, path: str | Path) -> bool:
    """Return whether a file that begins so is an Excel workbook as an archive of XML."""
    known = b"xl/" in begin[:_CHECKED] or Path(path).suffix.lower() in _SUFFIXES
    return begin.startswith(_ZIP) and known


class Workbook:
    """The bytes of a workbook, which is opened once, and whose sheets are read when they are asked for. Raises
    ParseError. ``names`` are those of all sheets, once the first is read."""

    def __init__(self, path: str | Path, raw: bytes) -> None:
        self.path = path
        self.raw = raw
        self.names: list[str] = []

    def first(self) -> Sheet:
        """Return the first sheet in view that has a header, else the first that holds something."""
        return self._read(self._first)

    def sheet(self, name: str) -> Sheet | None:
        """Return a sheet by its name; None without one."""
        return self._read(lambda sheets: self._text_of(sheets[name], []) if name in sheets else None)

    def _read(self, read: Callable[[dict[str, Any]], Read]) -> Read:
        """Return what is read of the sheets."""
        try:
            with warnings.catch_warnings():  # about what is no data: styles, validation of input
                warnings.simplefilter("ignore")
                return read(self._sheets)
        except (ParseError, MemoryError):
            raise
        except Exception as error:  # a damaged archive or damaged XML fails in any way
            reason = printable(" ".join(str(error).split()))[:200] or type(error).__name__
            raise ParseError(
                self.path, tr("this is an Excel workbook that cannot be read: {reason}", reason=reason),
                hint=tr("save it again as .xlsx, or as CSV, and open that file"),
            ) from error  # fmt: skip

    @cached_property
    def _sheets(self) -> dict[str, Any]:
        """The sheets of cells by their names, without those of charts; of formulas the values."""
        self._refuse_large()
        return self._opened(data_only=True)

    @cached_property
    def _with_formulas(self) -> dict[str, Any]:
        """The same sheets with the formulas themselves; {} if no sheet has any."""
        from zipfile import ZipFile

        with ZipFile(BytesIO(self.raw)) as archive:
            parts = [each for each in archive.namelist() if each.startswith("xl/worksheets/")]
            has_formulas = any(b"<f" in archive.read(each) for each in parts)
        return self._opened(data_only=False) if has_formulas else {}

    def _opened(self, *, data_only: bool) -> dict[str, Any]:
        try:
            from openpyxl import load_workbook
        except ModuleNotFoundError:
            raise ParseError(
                self.path, tr("this is {what}", what=tr("an Excel workbook")),
                hint=tr("install what reads it: pip install 'irviewer[excel]'; or save it as CSV and open that file"),
            ) from None  # fmt: skip
        book = load_workbook(BytesIO(self.raw), read_only=True, data_only=data_only, keep_links=False)
        return {each.title: each for each in book.worksheets}

    def _refuse_large(self) -> None:
        from zipfile import ZipFile

        with ZipFile(BytesIO(self.raw)) as archive:
            size = sum(each.file_size for each in archive.infolist())
        if size > whole_budget(len(self.raw)):
            raise ParseError(
                self.path,
                tr("the workbook has {size:,} bytes, compressed to {packed:,}: too much for a table", size=size,
                   packed=len(self.raw)),
                hint=tr("save its sheet as CSV and open that file"),
            )  # fmt: skip

    def _first(self, sheets: dict[str, Any]) -> Sheet:
        self.names = list(sheets)
        shown = [each for each in sheets.values() if each.sheet_state == "visible"] or list(sheets.values())
        headers = {each.title: header for each in shown if (header := _header(each))}
        chosen = next(
            (name for name, header in headers.items() if len(header) > 1), next(iter(headers or sheets), None)
        )
        if chosen is None:
            raise ParseError(self.path, tr("the workbook has no sheet"))
        notes = []
        if len(headers) > 1:
            alike = tuple(name for name, header in headers.items() if header == headers[chosen])
            text = tr("the file has {count:,} sheets ({names}): {name} is read; --part reads another",
                      count=len(headers), names=name_some(list(headers), 4), name=chosen)  # fmt: skip
            notes.append(Note(text, len(headers), len(alike) > 1, alike if len(alike) > 1 else ()))
        return self._text_of(sheets[chosen], notes)

    def _text_of(self, sheet: Any, notes: list[Note]) -> Sheet:
        rows, lines = [], []
        width = dates = errors = rounded = empty = 0
        computed = self._with_formulas.get(sheet.title)
        formulas = iter(()) if computed is None else _rows(self.path, computed)
        for number, cells in enumerate(_rows(self.path, sheet), start=1):
            # Programs that write workbooks compute no formula.
            pairs = zip(next(formulas, ()), cells, strict=False)
            empty += sum(formula.data_type == "f" and cell.value is None for formula, cell in pairs)
            texts = [_text(cell) for cell in cells]
            while texts and not texts[-1]:
                texts.pop()
            width = width or len(texts)
            rows.append(texts + [""] * (width - len(texts)) if texts else [])
            lines += [number] * (1 + sum(text.count("\n") for text in texts))
            dates += sum(isinstance(cell.value, date | time | timedelta) for cell in cells)
            errors += sum(cell.data_type == "e" for cell in cells)
            rounded += sum(_is_rounded(cell.value) for cell in cells)
        if dates:
            text = trn("{n:,} cell is a date, written as 2024-01-31; of texts such as 1-2 Excel makes dates",
                       "{n:,} cells are dates, written as 2024-01-31; of texts such as 1-2 Excel makes dates",
                       dates)  # fmt: skip
            notes.append(Note(text, dates, serious=False))
        if rounded:
            text = trn("{n:,} whole number has more than 15 digits, which Excel rounds: write such ids as text",
                       "{n:,} whole numbers have more than 15 digits, which Excel rounds: write such ids as text",
                       rounded)  # fmt: skip
            notes.append(Note(text, rounded))
        if errors:
            text = trn("{n:,} cell holds an error of Excel, such as #N/A; it is read as that text",
                       "{n:,} cells hold errors of Excel, such as #N/A; they are read as these texts",
                       errors)  # fmt: skip
            notes.append(Note(text, errors))
        if empty:
            text = trn("{n:,} formula has no value in the file, so its cell is empty: open it in Excel and save it",
                       "{n:,} formulas have no values in the file, so their cells are empty: open it in Excel and "
                       "save it", empty)  # fmt: skip
            notes.append(Note(text, empty))
        text = delimited_text(rows[0], rows[1:], ",") if rows else ""
        return Sheet(sheet.title, text.encode("utf-8", "replace"), tuple(lines), tuple(notes))


def _rows(path: str | Path, sheet: Any) -> Iterator[Sequence[Any]]:
    """Yield the cells of each row. Raises ParseError for more than a sheet has."""
    sheet.reset_dimensions()  # what a file says of its size may be wrong
    rows = cells = 0
    for row in sheet.iter_rows():
        rows, cells = rows + 1, cells + len(row)
        if rows > _MOST_ROWS or cells > _MOST_CELLS:
            raise ParseError(path, tr("the sheet has more rows or columns than a table"),
                             hint=tr("save its sheet as CSV and open that file"))  # fmt: skip
        yield row


def _header(sheet: Any) -> tuple[str, ...]:
    """Return what the cells of the first row with any hold, without empty ones."""
    sheet.reset_dimensions()
    rows = (tuple(filter(None, map(_text, row))) for row in islice(sheet.iter_rows(), _MOST_ROWS))
    return next(filter(None, rows), ())


def _is_rounded(value: Any) -> bool:
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return is_whole and _ROUNDED <= abs(value) < _EXACT


def _text(cell: Any) -> str:
    """Return what a cell holds as text, as a program of tables saves it as CSV, and numbers exactly."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), value)
        return text.replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and not (value.is_integer() and abs(value) < _EXACT):
        return repr(value)
    if isinstance(value, int | float):
        padded = _ZEROS.fullmatch(str(cell.number_format))
        digits = str(abs(int(value))).zfill(len(padded[0]) if padded else 0)
        return f"-{digits}" if value < 0 else digits
    if isinstance(value, timedelta):  # more than a day, in the format [h]:mm:ss
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return value.isoformat() if isinstance(value, date | time) else str(value)
