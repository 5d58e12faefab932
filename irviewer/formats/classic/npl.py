"""The files of the NPL (Vaswani) collection: blocks that begin with a line with a number and end with a line ``/``.

doc-text and query-text hold texts, rlv-ass the relevant documents of each query (grade 1)."""

from __future__ import annotations

from collections.abc import Iterator

from irviewer.errors import ParseError
from irviewer.formats.classic.smart_judgments import lines_of
from irviewer.formats.classic.writers import write_npl
from irviewer.formats.format import RELEVANT, Format, Head, Loaded, Sniffed, Wanted, is_whole
from irviewer.formats.load_report import relevant_only
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import TEXTS, loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.translation import tr

END = "/"


def _sniff(head: Head) -> Sniffed | None:
    lines = [line.strip() for _, line in head.lines]
    if not lines or not is_whole(lines[0]) or END not in lines:
        return None
    first_lines = [lines[index + 1] for index, line in enumerate(lines[:-1]) if line == END]
    if not all(is_whole(line) for line in first_lines):
        return None
    if all(is_whole(word) for line in lines if line != END for word in line.split()):
        return Sniffed("qrels", tr("blocks of document numbers, each ending with a slash"), certain=True)
    return Sniffed(TEXTS, tr("numbered blocks of text, each ending with a slash"))


def _blocks(opened: Opened) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """Yield each block: its line number, its number, and its lines with their line numbers.

    The last slash may be missing."""
    block_line, number = 0, ""
    block: list[tuple[int, str]] = []
    for line_number, line in lines_of(opened):
        text = line.strip()
        if text == END:
            if block_line:
                yield block_line, number, block
            block_line, number, block = 0, "", []
        elif not block_line:
            if not is_whole(text):
                raise ParseError(
                    opened.path,
                    tr("a block begins without its number"),
                    line=line_number,
                    column=1,
                    text=text,
                    hint=tr("write the number on a line of its own, then the text, then a line with a slash (/)"),
                )
            block_line, number = line_number, text
        else:
            block.append((line_number, text))
    if block_line:
        yield block_line, number, block


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if wanted.kind == "qrels":
        return _read_judgments(opened, wanted)
    rows = TextRows(opened.path)
    for line, number, block in _blocks(opened):
        rows.add({"id": number, "text": " ".join(" ".join(text.split()) for _, text in block)}, line, number)
    return loaded_texts(opened, wanted, rows.table(), "NPL")


def _read_judgments(opened: Opened, wanted: Wanted) -> Loaded:
    queries, documents, line_numbers = [], [], []
    for _, query, block in _blocks(opened):
        for line, text in block:
            for document in text.split():
                if not is_whole(document):
                    raise ParseError(
                        opened.path,
                        tr("{document!r} is not a document number", document=document),
                        line=line,
                        text=text,
                    )
                queries.append(query)
                documents.append(document)
                line_numbers.append(line)
    rows = rows_of(queries, documents, [1.0] * len(line_numbers), line_numbers)
    return made(opened, rows, wanted, tr("NPL judgments"), (relevant_only(len(line_numbers)),))


FORMAT = Format("npl", "NPL", ("qrels", "queries", "documents"), _sniff, _read, write_npl, (), ("qrels",), RELEVANT)
