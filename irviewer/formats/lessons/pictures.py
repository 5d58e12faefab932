"""Reading the pictures that a lesson names, ``![what it shows](file.png)``: PNG, JPEG and SVG files in its folder. Each
is checked: its size, that it is what its name says, and that an SVG loads and runs nothing."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from irviewer.errors import ParseError
from irviewer.formats.lessons.fences import with_fences
from irviewer.formats.lessons.fields import Field, Line
from irviewer.formats.lessons.file_inside import file_inside
from irviewer.formats.lessons.small_file import read_small
from irviewer.model.formula import without_code
from irviewer.model.lessons.picture import Picture
from irviewer.translation import tr

KINDS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".svg": "svg+xml"}
MOST_BYTES = 1_000_000
MOST_OF_A_LESSON = 5_000_000
MOST_PIXELS = 4000
"""The most pixels of a side."""
MOST_AREA = 100_000_000
"""The most pixels of all pictures of a lesson together: a window keeps four bytes of each."""
MOST_DRAWN, MOST_DEPTH = 100_000, 100
"""The most elements that an SVG draws, each as often as it is drawn, and the most that are within each other."""

_PICTURE = re.compile(r"!\[([^\[\]\n]*)\]\(<?([^<>()\n\"']*)>?\)")
_BEGINNING = re.compile(r"(?<!\\)!\[")
_WITHIN = re.compile(r"url\(\s*[\"']?\s*#([^\"')\s]+)")
"""What an attribute of an SVG draws with: another of its elements; group 1 is its id."""
_SVG = "{http://www.w3.org/2000/svg}"
_RUNS = ("script", "foreignObject", "iframe", "audio", "video", "image", "animate", "set", "handler")
"""What an SVG may not have: what runs, moves, or loads."""


class _NotShownError(Exception):
    """A picture that cannot be shown, and what to do."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason, self.hint = reason, hint


class _Named(NamedTuple):
    alt: str
    name: str
    line: Line
    column: int


def read_pictures(lines: Sequence[Line], path: str | Path) -> tuple[Picture, ...]:
    """Return the pictures that some lines of Markdown name, each once. Raises ParseError for one that is not in the
    lesson's folder, cannot be shown, or says not what it shows."""
    pictures: dict[str, Picture] = {}
    for named in _named(lines, path):
        field = Field("", named.name, named.line.number, named.column, str(path))
        if not named.alt.strip():
            hint = tr("write ![what it shows](file.png)")
            raise field.error(tr("the picture does not say what it shows"), hint=hint)
        if named.name in pictures:
            continue
        file = file_inside(path, named.name, field)
        kind = KINDS.get(file.suffix.lower())
        if kind is None:
            raise field.error(tr("this is no picture for a lesson"), hint=tr("name a .png, .jpg or .svg file"))
        data = _bytes(file, field)
        try:
            width, height = _SIZES[kind](data)
        except _NotShownError as refused:
            raise field.error(refused.reason, hint=refused.hint) from None
        if max(width, height) > MOST_PIXELS or min(width, height) < 1:
            reason = tr("a side of the picture is not from 1 to {n} pixels", n=MOST_PIXELS)
            raise field.error(reason, hint=tr("make it smaller"))
        pictures[named.name] = Picture(named.name, kind, data, width, height)
        size = sum(len(picture.data) for picture in pictures.values())
        area = sum(picture.width * picture.height for picture in pictures.values())
        if size > MOST_OF_A_LESSON or area > MOST_AREA:
            raise field.error(tr("the pictures of the lesson are too large together"), hint=tr("make them smaller"))
    return tuple(pictures.values())


def _named(lines: Sequence[Line], path: str | Path) -> Iterator[_Named]:
    for line, fenced in with_fences(lines):
        text = "" if fenced else without_code(line.text)
        for beginning in _BEGINNING.finditer(text):
            match = _PICTURE.match(text, beginning.start())
            if match is None:
                raise ParseError(
                    path, tr("this picture cannot be read"), line=line.number, column=beginning.start() + 1,
                    text=line.text.strip(), hint=tr("write ![what it shows](file.png) in one line"),
                )  # fmt: skip
            yield _Named(match[1], match[2].strip(), line, match.start(2) + 1)


def _bytes(file: Path, field: Field) -> bytes:
    try:
        return read_small(file, MOST_BYTES, tr("the picture has more than {n} bytes", n=MOST_BYTES))
    except ParseError as failure:
        raise field.error(failure.reason, hint=tr("make it smaller")) from None


def _png_size(data: bytes) -> tuple[int, int]:
    """Return the size of a PNG whose parts are all there. Raises _NotShownError."""
    size, at, ended = None, 8, False
    while data.startswith(b"\x89PNG\r\n\x1a\n") and at + 12 <= len(data) and not ended:
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body, check = data[at + 8 : at + 8 + length], data[at + 8 + length : at + 12 + length]
        if check != zlib.crc32(kind + body).to_bytes(4, "big"):
            break
        if size is None and kind == b"IHDR" and length == 13:
            size = struct.unpack(">II", body[:8])
        ended, at = kind == b"IEND", at + 12 + length
    if size is None or not ended:
        raise _NotShownError(tr("the file is no whole {kind}", kind="PNG"))
    return size


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Return the size of a JPEG that has its end. Raises _NotShownError."""
    at = 2
    while data.startswith(b"\xff\xd8") and b"\xff\xd9" in data[-64:] and at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 1 if marker == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    raise _NotShownError(tr("the file is no whole {kind}", kind="JPEG"))


def _svg_size(data: bytes) -> tuple[int, int]:
    """Return the size of an SVG that neither loads nor runs anything. Raises _NotShownError."""
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data or b"\0" in data:
        raise _NotShownError(tr("the SVG has a document type"), tr("save it as plain SVG"))
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        raise _NotShownError(tr("the file is no whole {kind}", kind="SVG")) from None
    if root.tag != f"{_SVG}svg":
        raise _NotShownError(tr("the file is no whole {kind}", kind="SVG"))
    parts: dict[str, list[ElementTree.Element]] = {}
    for element in root.iter():
        _refuse_what_loads(element)
        parts.setdefault(element.get("id", ""), []).append(element)
    for style in root.iter(f"{_SVG}style"):  # its rules may lead from anywhere: to colours alone
        if any(
            not str(part.tag).endswith("Gradient")
            for name in _WITHIN.findall(style.text or "")
            for part in parts.get(name, ())
        ):
            raise _NotShownError(tr("the SVG draws too much, or a part within itself"), tr("save it as plain SVG"))
    _drawn(root, parts, {}, 0)
    box = [_number(each) for each in (root.get("viewBox") or "").replace(",", " ").split()]
    width, height = _number(root.get("width")), _number(root.get("height"))
    if not (width and height) and len(box) == 4:
        width, height = box[2], box[3]
    if not (width and height):
        raise _NotShownError(tr("the SVG has no size"), tr("write width and height, or a viewBox"))
    return max(1, round(width)), max(1, round(height))


def _refuse_what_loads(element: ElementTree.Element) -> None:
    name = str(element.tag).rpartition("}")[2]
    values = [(key.rpartition("}")[2].lower(), value) for key, value in element.attrib.items()]
    style = (element.text or "") if name == "style" else ""
    loads = [value for key, value in values if key in ("href", "src") and not value.strip().startswith("#")]
    said = " ".join((style, *(value for _, value in values)))
    elsewhere = re.search(r"url\(\s*+[\"']?+(?!#)|@import|expression\(|javascript:", said, re.I)
    if name.startswith(_RUNS) or loads or elsewhere or any(key.startswith("on") for key, _ in values):
        raise _NotShownError(tr("the SVG loads or runs something ({name})", name=name), tr("save it as plain SVG"))


def _drawn(
    element: ElementTree.Element,
    parts: dict[str, list[ElementTree.Element]],
    counted: dict[ElementTree.Element, int],
    depth: int,
) -> int:
    """Return how many elements are drawn for an element, with those that it names. Raises _NotShownError for more than
    a window can draw: some that name each other ten times draw thousands of millions."""
    if element not in counted:
        counted[element] = MOST_DRAWN + 1  # until it is counted: what is drawn within itself has no end
        values = element.attrib.items()
        names = [value.strip()[1:] for key, value in values if key.endswith("href")]
        names += [name for _, value in values for name in _WITHIN.findall(value)]
        within = [*element, *(part for name in names if name for part in parts.get(name, ()))]
        n = MOST_DRAWN + 1
        if depth < MOST_DEPTH:
            n = 1 + sum(_drawn(part, parts, counted, depth + 1) for part in within)
        if n > MOST_DRAWN:
            raise _NotShownError(tr("the SVG draws too much, or a part within itself"), tr("save it as plain SVG"))
        counted[element] = n
    return counted[element]


def _number(text: str | None) -> float:
    """Return a length in pixels; 0 for none, and for one that is relative."""
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,9})?)\s*(px|pt|mm|cm|in)?\s*", text or "")
    units = {"pt": 96 / 72, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
    return 0.0 if match is None else float(match[1]) * units.get(match[2] or "", 1.0)


_SIZES = {"png": _png_size, "jpeg": _jpeg_size, "svg+xml": _svg_size}
