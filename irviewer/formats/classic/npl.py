"""The NPL (Vaswani) collection: blocks that begin with a number alone in its line and end with a line ``/``.

doc-text and query-text hold texts, rlv-ass the numbers of the relevant documents of each query (grade 1)."""

from __future__ import annotations

from collections.abc import Iterator

from irviewer.errors import ParseError
from irviewer.formats.classic.smart_judgments import lines_of
from irviewer.formats.classic.writers import write_npl
from irviewer.formats.format import RELEVANT, Format, Head, Loaded, Sniffed, Wanted, is_whole
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import TEXTS, loaded_texts
from irviewer.formats.texts.text_rows import TextRows

END = "/"


def _sniff(head: Head) -> Sniffed | None:
    lines = [line.strip() for _, line in head.lines]
    if not lines or not is_whole(lines[0]) or END not in lines:
        return None
    after = [lines[place + 1] for place, line in enumerate(lines[:-1]) if line == END]
    if not all(is_whole(line) for line in after):
        return None
    if all(is_whole(word) for line in lines if line != END for word in line.split()):
        return Sniffed("qrels", "blocks of document numbers, each ended by a stroke", certain=True)
    return Sniffed(TEXTS, "numbered blocks of text, each ended by a stroke")


def _blocks(opened: Opened) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """(line, number, the block's lines with theirs); the last stroke may be missing."""
    begun, number = 0, ""
    inside: list[tuple[int, str]] = []
    for place, line in lines_of(opened):
        text = line.strip()
        if text == END:
            if begun:
                yield begun, number, inside
            begun, number, inside = 0, "", []
        elif not begun:
            if not is_whole(text):
                raise ParseError(
                    opened.path,
                    "a block begins without its number",
                    line=place,
                    column=1,
                    text=text,
                    hint="write the number in a line of its own, the text, and a line with a stroke (/)",
                )
            begun, number = place, text
        else:
            inside.append((place, text))
    if begun:
        yield begun, number, inside


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if wanted.kind == "qrels":
        return _read_judgments(opened, wanted)
    rows = TextRows(opened.path)
    for line, number, inside in _blocks(opened):
        rows.add({"id": number, "text": " ".join(" ".join(text.split()) for _, text in inside)}, line, number)
    return loaded_texts(opened, wanted, rows.table(), "NPL")


def _read_judgments(opened: Opened, wanted: Wanted) -> Loaded:
    queries, documents, numbers = [], [], []
    for _, query, inside in _blocks(opened):
        for line, text in inside:
            for one in text.split():
                if not is_whole(one):
                    raise ParseError(opened.path, f"{one!r} is no document number", line=line, text=text)
                queries.append(query)
                documents.append(one)
                numbers.append(line)
    finding = Finding("the file has no grades: what it names is relevant, grade 1", len(numbers), serious=False)
    rows = rows_of(queries, documents, [1.0] * len(numbers), numbers)
    return made(opened, rows, wanted, "NPL judgments", (finding,))


FORMAT = Format("npl", "NPL", ("qrels", "queries", "documents"), _sniff, _read, write_npl, (), ("qrels",), RELEVANT)
