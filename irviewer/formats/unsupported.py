"""Files without rankings, judgments or texts, recognised by their beginning so that the error can name them."""

from __future__ import annotations

import re
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.translation import tr

_CONTROLS = bytes(sign for sign in range(32) if sign not in b"\t\n\v\f\r\x1a\x1b")

_SECOND_CONTROLS = re.compile(rb"\xc2[\x80-\x9f]")  # such bytes after a guess of Latin-1

_CHECKED = 4096

_BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", tr("a PNG picture"), ""),
    (b"\xff\xd8\xff", tr("a JPEG picture"), ""),
    (b"GIF89a", tr("a GIF picture"), ""),
    (b"%PDF-", tr("a PDF document"), tr("copy the judgments out of it as text")),
    (b"PK\x03\x04", tr("a ZIP archive"), tr("unpack it and open the files in it")),
    (b"PK\x05\x06", tr("an empty ZIP archive"), ""),
    (b"7z\xbc\xaf\x27\x1c", tr("a 7z archive"), tr("unpack it and open the files in it")),
    (b"GIF87a", tr("a GIF picture"), ""),
    (b"Rar!\x1a\x07", tr("a RAR archive"), tr("unpack it and open the files in it")),
    (b"SQLite format 3\0", tr("an SQLite database"), tr("export a table as CSV")),
    (b"\x93NUMPY", tr("a NumPy array"), tr("write it with its ids as Parquet or CSV")),
    (b"\x89HDF\r\n\x1a\n", tr("an HDF5 file"), tr("write the table in it as Parquet or CSV")),
    (b"\x7fELF", tr("a program"), ""),
    (b"MZ\x90\0", tr("a program"), ""),
    (b"\xca\xfe\xba\xbe", tr("a program"), ""),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", tr("an old Office document"), tr("save a spreadsheet as .xlsx or CSV")),
    (
        b"\x80\x04\x95",
        tr("a Python pickle"),
        tr("write JSON or Parquet: a pickle can run programs and is never opened"),
    ),
    (b"Obj\x01", tr("an Avro file"), tr("write it as Parquet or JSON lines")),
    (b"ORC", tr("an ORC file"), tr("write it as Parquet")),
    (b"FEA1", tr("a Feather file of version 1"), tr("write it as Parquet or as Feather of version 2")),
    (b"PARE", tr("an encrypted Parquet file"), tr("write it without encryption")),
)
_AS_CSV = tr("save it as .xlsx, which keeps all of its sheets, or as CSV, and open that file")
_OFFICE: tuple[tuple[bytes, tuple[str, ...], str, str], ...] = (
    (b"xl/", (".xlsx", ".xlsm", ".xlsb", ".xls"), tr("an Excel workbook"), _AS_CSV),
    (b"opendocument.spreadsheet", (".ods",), tr("an OpenDocument spreadsheet"), _AS_CSV),
    (b"Index/Tables/", (".numbers",), tr("a spreadsheet of Numbers"), _AS_CSV),
    (b"word/", (".docx", ".doc"), tr("a Word document"), tr("save its table as CSV or text and open that file")),
)
"""Archives and old Office documents by a name in their first bytes, which may come later, or by the file's suffix."""
_CONTAINERS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_LFS = b"version https://git-lfs.github.com/spec/"
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL)


def foreign(begin: bytes, path: str | Path = "") -> tuple[str, str] | None:
    """Return what a file with this beginning is and what to do with it; None if it is not recognised.

    The bytes may be decoded by guess (Latin-1, written as UTF-8)."""
    for sign, what, hint in _BEGINNINGS:
        if begin.startswith((sign, sign.decode("latin-1").encode())):
            if sign in _CONTAINERS:
                suffix = Path(path).suffix.lower()
                for name, suffixes, document, advice in _OFFICE:
                    if name in begin or suffix in suffixes:
                        return document, advice
            return what, hint
    if begin[257:262] == b"ustar":
        return tr("a tar archive"), tr("unpack it and open the files in it")
    if begin.startswith(b"RIFF") and b"WEBP" in begin[8:16]:
        return tr("a WebP picture"), ""
    if begin.startswith(_LFS):
        return tr("a Git LFS pointer, not the file itself"), tr("download the file with git lfs pull")
    if _HTML.match(begin):
        return (
            tr("an HTML page"),
            tr("download the raw file: this may be a web site's view of it or a login page"),
        )
    return None


def refuse_foreign(path: str | Path, begin: bytes, *, binary: bool = False) -> None:
    """Raise ParseError if a file with this beginning is of another kind, or not text unless ``binary``."""
    refuse_known(path, begin)
    begin = begin[:_CHECKED]
    if not binary and _is_no_text(begin):
        raise ParseError(
            path, tr("this is not text, and not a table or map of a known format"),
            hint=tr("unpack archives first, and save text as UTF-8"),
        )  # fmt: skip


def refuse_known(path: str | Path, begin: bytes) -> None:
    """Raise ParseError if a file with this beginning, not decoded yet, is of another known kind. Many of the first
    bytes of an Excel workbook are null, as in UTF-16."""
    known = foreign(begin[:_CHECKED], path)
    if known is not None:
        raise ParseError(path, tr("this is {what}", what=known[0]), hint=known[1])


def _is_no_text(begin: bytes) -> bool:
    """Return True for more control characters than in text: a picture, an archive, a program."""
    controls = len(begin) - len(begin.translate(None, _CONTROLS)) + len(_SECOND_CONTROLS.findall(begin))
    return (controls > 8 and controls > len(begin) / 50) or controls > max(2, len(begin) / 14)
