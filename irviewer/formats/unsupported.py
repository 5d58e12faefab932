"""Files that hold no rankings, judgments or texts, by how they begin: so that a message can say what they are.

Knows beginnings only; what irviewer reads is in ``registry``."""

from __future__ import annotations

import re
from pathlib import Path

from irviewer.errors import ParseError

_CONTROLS = bytes(sign for sign in range(32) if sign not in b"\t\n\v\f\r\x1a\x1b")

_SECOND_CONTROLS = re.compile(rb"\xc2[\x80-\x9f]")  # what other bytes become where Latin-1 is the guess

_LOOKED_AT = 4096

_BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture", ""),
    (b"\xff\xd8\xff", "a JPEG picture", ""),
    (b"GIF89a", "a GIF picture", ""),
    (b"%PDF-", "a PDF document", "judgments in a PDF must be copied out as text first"),
    (b"PK\x03\x04", "a ZIP archive", "unpack it and open what is inside; of a spreadsheet, save a sheet as CSV"),
    (b"PK\x05\x06", "an empty ZIP archive", ""),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it and open what is inside"),
    (b"GIF87a", "a GIF picture", ""),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it and open what is inside"),
    (b"SQLite format 3\0", "an SQLite database", "export a table of it as CSV"),
    (b"\x93NUMPY", "a NumPy array", "write it with its ids as a table: Parquet or CSV"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "write the table in it as Parquet or CSV"),
    (b"\x7fELF", "a program", ""),
    (b"MZ\x90\0", "a program", ""),
    (b"\xca\xfe\xba\xbe", "a program", ""),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", "of a spreadsheet, save a sheet as CSV"),
    (b"\x80\x04\x95", "a Python pickle", "a pickle is a program and is never opened: write JSON or Parquet"),
    (b"Obj\x01", "an Avro file", "write it as Parquet or JSON lines"),
)  # fmt: skip
_LFS = b"version https://git-lfs.github.com/spec/"
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL)


def foreign(begin: bytes) -> tuple[str, str] | None:
    """(what a file that begins so is, what to do), None where nothing says that it is something else.

    The bytes may have come through a guess at their encoding (Latin-1, written as UTF-8)."""
    for sign, what, hint in _BEGINNINGS:
        if begin.startswith((sign, sign.decode("latin-1").encode())):
            return what, hint
    if begin[257:262] == b"ustar":
        return "a tar archive", "unpack it and open what is inside"
    if begin.startswith(b"RIFF") and b"WEBP" in begin[8:16]:
        return "a WebP picture", ""
    if begin.startswith(_LFS):
        return "a Git LFS pointer, not the file itself", "fetch the file with git lfs pull"
    if _HTML.match(begin):
        return (
            "an HTML page",
            "was it saved from a web site's view of the file, or from a login page? Fetch the raw file",
        )
    return None


def refuse_foreign(path: str | Path, begin: bytes, *, binary: bool = False) -> None:
    """Raises ParseError where a file that begins so is something else, or no text at all; ``binary`` where it is known
    that it need be none."""
    begin = begin[:_LOOKED_AT]
    known = foreign(begin)
    if known is not None:
        raise ParseError(path, f"this is {known[0]}", hint=known[1])
    if not binary and _is_no_text(begin):
        raise ParseError(
            path, "the bytes are no text, and no table or map that irviewer knows",
            hint="unpack an archive first; text is best saved as UTF-8",
        )  # fmt: skip


def _is_no_text(begin: bytes) -> bool:
    """True where control signs stand as no text has them: a picture, an archive, a program."""
    controls = len(begin) - len(begin.translate(None, _CONTROLS)) + len(_SECOND_CONTROLS.findall(begin))
    return (controls > 8 and controls > len(begin) / 50) or controls > max(2, len(begin) / 14)
