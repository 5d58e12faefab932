"""Slips in the text of a lesson, which can be shown as it is: braces without values, formulas without dollar signs,
rows of tables with a cell too many, headings with other marks than sections have, words twice, marks without their
other half."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irviewer.formats.lessons.fences import with_fences
from irviewer.formats.lessons.fields import Line
from irviewer.formats.lessons.varying import Varying, braces_left, without_formulas
from irviewer.model.formula import without_code
from irviewer.model.lessons.lesson import Place, Slip
from irviewer.translation import tr, trn

_COMMAND = re.compile(r"(?<!\\)\\[A-Za-z]{2,}")
_SECTION = re.compile(r"(#|###+)\s+(step|question)\s*:", re.I)
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


def slips_in(header: Sequence[Line], body: Sequence[Line], varying: Varying) -> Iterator[Slip]:
    """Yield the slips in the header of a lesson and in what follows it."""
    for text, at in braces_left((*header, *body), varying):
        hint = tr("write the values in the header, such as: vary: k = 3, 5, 8, or put what is text between ` and `")
        yield Slip(tr("these braces have no values"), hint, text, at)
    former = Line(0, "")
    for line, fenced in with_fences(body):
        text = "" if fenced else line.text
        if (match := _SECTION.match(text)) and (len(match[1]) > 1 or former.is_blank):
            hint = tr("write ## before Step: and Question:")
            yield Slip(tr("this heading begins no section"), hint, text, Place(line.number, 1))
        elif "\\" in text and (match := _COMMAND.search(without_formulas(without_code(text)))):
            hint = tr("write $ before the formula and after it, in one line, or put what is text between ` and `")
            yield Slip(tr("this is in no formula"), hint, match[0], Place(line.number, match.start() + 1))
        former = line
    yield from _uneven_rows(body)
    yield from _slips_of_words(body)


_TWICE = re.compile(r"(?<![\w-])([^\W\d_]{2,}) \1(?![\w-])")
_DOLLAR = re.compile(r"(?<![\w$])\$(?=[A-Za-z\\])|(?<=[A-Za-z)}])\$(?![\w$])")
"""A dollar sign beside a letter, where none is money."""
_MAY_BE_TWICE = ("that", "had", "very", "yes", "no", "sí", "muy", "casi", "nous", "vous", "der", "die", "das")
_HALVES = (("“", "”"), ("„", "“”"), ("«", "»"), ("¿", "?"), ("**", "**"))
"""Marks that open and those that close."""


def _slips_of_words(lines: Sequence[Line]) -> Iterator[Slip]:
    """Yield words that are there twice, and marks that lack their other half in a paragraph: neither in code nor in
    formulas."""
    paragraph: list[Line] = []
    for line, fenced in [*with_fences(lines), (Line(0, ""), False)]:
        if not fenced and not line.is_blank and not re.match(r"#|(wrong \S+|[a-z ]+):\s|[-*] |\|", line.text):
            paragraph.append(line)
            continue
        yield from _slips_of(paragraph)
        paragraph = [] if fenced or line.is_blank else [line]


def _slips_of(paragraph: Sequence[Line]) -> Iterator[Slip]:
    """Yield the slips of a paragraph, a heading, a field or a row with the lines that go on with it."""
    texts = [re.sub(r"\\.", "  ", without_formulas(without_code(line.text))) for line in paragraph]
    whole = "\n".join(texts)
    for match in _TWICE.finditer(whole.replace("\n", " ")):
        if match[1].lower() not in _MAY_BE_TWICE and not match[1].istitle():  # "Bora Bora" is a name
            yield Slip(tr("a word is there twice"), tr("remove one"), match[0],
                       Place(paragraph[whole[: match.start()].count("\n")].number, 1))  # fmt: skip
    for text, line in zip(texts, paragraph, strict=True):
        if (stray := _DOLLAR.search(text)) is not None:
            hint = tr("write $ before the formula and after it, in one line, or \\$ for a dollar sign")
            around = text[max(0, stray.start() - 12) : stray.end() + 12].strip()
            yield Slip(tr("a mark lacks its other half"), hint, around, Place(line.number, stray.start() + 1))
    for opening, closing in _HALVES:
        if ("„" in whole) != (opening == "„") and "“" in (opening, closing[0]):
            continue
        first = whole.count(opening)
        second = whole.count(closing) if opening == closing else sum(map(whole.count, closing))
        if first % 2 if opening == closing else first > second if closing == "?" else first != second:
            hint = tr("write {marks} around the text, or \\ before a sign", marks=f"{opening} {closing}")
            yield Slip(tr("a mark lacks its other half"), hint, opening if first else closing,
                       Place(paragraph[0].number, 1))  # fmt: skip


def _uneven_rows(lines: Sequence[Line]) -> Iterator[Slip]:
    """Yield the rows of tables that have another number of cells than the row above the dashes."""
    cells = 0
    former = Line(0, "")
    for line, fenced in with_fences(lines):
        if fenced or "|" not in line.text:
            cells = 0
        elif "|" in former.text and _RULE.match(line.text):
            cells = _cells(former.text)
        if cells and _cells(line.text) != cells:
            reason = trn("the first row has {n} cell", "the first row has {n} cells", cells)
            hint = tr("write as many cells in each row, and \\| for a bar inside one")
            yield Slip(reason, hint, line.text.strip(), Place(line.number, 1))
        former = line


def _cells(row: str) -> int:
    inside = row.strip().removeprefix("|")
    inside = re.sub(r"(?<!\\)\|$", "", inside)
    return len(re.split(r"(?<!\\)\|", inside))
