"""Files of three columns without a header, and MS MARCO's four: rankings with ranks, or judgments without iteration.

``query document rank`` is MS MARCO's run; ``query document grade`` are its qrels in some distributions. Ranks count up
within a query, grades do not; if neither is certain, the reason says that it is a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import OptionError, ParseError, ScaleError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted, is_number, is_whole
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.columns import Column, line_numbers, read_columns
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import Rows, from_ranks, made
from irviewer.formats.trec import formats
from irviewer.formats.trec.formats import refuse_preferences, refuse_spaces, texts_of
from irviewer.formats.trec.run import comment_findings
from irviewer.model.arrays import Codes, Floats, Ints, Strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

CODES = frozenset({-1.0, 1.0, 2.0, 3.0, 4.0, 5.0})
"""The codes in Cranfield's judgments."""

NO_GRADE = 5
"""Numbers that count up to this within a query are ranks; fewer may be grades that happen to rise."""

SCALE_HINT = tr(
    "choose: --from msmarco reads grades, --from cranfield reads codes (with runs: --qrels-from; in the window: the "
    "file doctor)"
)

RUNS = {
    3: tr("an MS MARCO run has 3: query document rank"),
    4: tr("an MS MARCO run with scores has 4: query document rank score"),
}
"""The columns of a run, by their number."""
_QRELS = tr("these qrels have 3: query document grade")


def _sniff(head: Head) -> Sniffed | None:
    rows = head.columns
    if len(set(map(len, rows))) != 1:
        return None
    if len(rows[0]) == 4:
        return _sniff_four(rows)
    if len(rows[0]) != 3 or not all(is_number(row[2]) for row in rows) or head.has_texts:
        return None
    if not all(is_whole(row[2]) for row in rows):
        kind = "qrels" if head.names("qrel") else "run"
        if kind == "qrels":
            reason = tr("three columns, the third a fraction: read as qrels (a guess; --kind overrides it)")
        else:
            reason = tr("three columns, the third a fraction: read as a run (a guess; --kind overrides it)")
        return Sniffed(kind, reason, guess=True)
    counts = [int(row[2]) for row in rows]
    if _counts_up(rows, 2) and max(counts) > 1:
        if max(counts) >= NO_GRADE:
            return Sniffed("run", tr("three columns, the third counts ranks within a query"))
        if head.names("qrel"):
            return Sniffed(
                "qrels",
                tr(
                    "three columns, the third may be ranks or grades, and the file's name says qrels (a guess; --kind "
                    "overrides it)"
                ),
                guess=True,
            )
        return Sniffed(
            "run",
            tr(
                "three columns, the third counts ranks within a query, or is grades that happen to rise (a guess; "
                "--kind overrides it)"
            ),
            guess=True,
        )
    if any(count == following for count, following in pairwise(counts)):
        return Sniffed(
            "qrels", tr("three columns, the third a number but not a rank: grades (--kind run overrides it)")
        )
    return Sniffed(
        "qrels",
        tr("three columns, the third a number but not a rank: grades (a guess; --kind run overrides it)"),
        guess=True,
    )


def _sniff_four(rows: list[list[str]]) -> Sniffed | None:
    """Recognise MS MARCO's run with a score, also written by ColBERT. Qrels have few values in column two, or no ranks
    in column three, or grades that do not fall with the document's number."""
    if len({row[1] for row in rows}) < 2 or not all(is_whole(row[2]) and is_number(row[3]) for row in rows):
        return None
    if not _counts_up(rows, 2) or max(int(row[2]) for row in rows) < 2:
        return None
    if any(not is_whole(row[3]) for row in rows) and _falls(rows):
        return Sniffed(
            "run",
            tr(
                "four columns, the third counts ranks within a query, the fourth falls with them and has "
                "fractions: query document rank score (--kind qrels overrides it)"
            ),
        )
    if len(rows) < 3 or len({row[1] for row in rows}) < 3 or max(int(row[2]) for row in rows) < 3:
        return None
    return Sniffed("run", tr("four columns, the third counts ranks within a query: query document rank score"))


def may_be_ranking(head: Head) -> bool:
    """Return True for four columns that are a ranking if the user says so: the third a whole number, the fourth a
    number. False for obvious judgments, such as MS MARCO's own (query, 0, document, 1)."""
    rows = head.columns
    if not rows or not all(len(row) == 4 and is_whole(row[2]) and is_number(row[3]) for row in rows):
        return False
    seconds, least = {row[1] for row in rows}, min(int(row[2]) for row in rows)
    if seconds <= {"0", "Q0"} or _has_repeated((row[0], row[1]) for row in rows):
        return False
    graded = all(is_whole(row[3]) for row in rows)
    return not (graded and (least > 1 or (len(seconds) == 1 and len(rows) > 1)))


def _has_repeated(pairs: Iterable[tuple[str, str]]) -> bool:
    listed = list(pairs)
    return len(set(listed)) < len(listed)


def _falls(rows: list[list[str]]) -> bool:
    """Return True if the fourth column never rises within a query."""
    last: dict[str, float] = {}
    for row in rows:
        value = float(row[3].replace(",", "."))
        if value > last.get(row[0], value):
            return False
        last[row[0]] = value
    return True


def _counts_up(rows: list[list[str]], column: int) -> bool:
    """Return True if the column counts 1, 2, 3 or 0, 1, 2 … within each query."""
    seen: dict[str, int] = {}
    for row in rows:
        value = int(row[column])
        if row[0] in seen:
            if value != seen[row[0]] + 1:
                return False
        elif value not in (0, 1):
            return False
        seen[row[0]] = value
    return True


def has_ranks(head: Head) -> bool:
    """Return whether the numbers of a run are ranks by its first lines: whole ones; else they are scores. What is no
    number at all is refused later."""
    numbers = [row[2] for row in head.columns if len(row) > 2]
    return all(map(is_whole, numbers[:1])) and all(map(_is_digits, filter(is_number, numbers)))


def _is_digits(text: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]+", text) is not None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    head = Head(opened)
    if head.columns and len(head.columns[0]) == 4:
        # Judgments of four columns, such as MS MARCO's own, are TREC qrels.
        return _read_four(opened, wanted) if wanted.kind == "run" else formats.read(opened, wanted)
    whole = wanted.kind == "run" and has_ranks(head)
    value_name = "rank" if whole else "score" if wanted.kind == "run" else "grade"
    shape = RUNS[3] if wanted.kind == "run" else _QRELS
    columns = read_columns(
        opened, (Column("query", 0, "key"), Column("document", 1, "text"), Column(value_name, 2, "number")), 3, shape
    )
    query_ids, codes = columns.keys["query"]
    values, findings = columns.numbers[value_name], comment_findings(columns.comments, 3, 2)
    if value_name == "rank" and not wanted.as_format:
        refuse_grades(opened, codes, values, columns.row_lines)
    if whole:
        values, note = from_ranks(whole_ranks(opened, values, columns.row_lines))
        findings.append(note)
    if wanted.kind == "qrels" and may_be_codes(query_ids, columns.texts["document"], values):
        if not wanted.as_format:
            raise ScaleError(
                opened.path,
                tr(
                    "these may be grades (higher is better) or Cranfield's codes (1 is best): the file does "
                    "not say which"
                ),
                hint=SCALE_HINT,
            )
        scale_note = tr("read as grades, as requested: they may be Cranfield's codes")
        findings.append(Finding(scale_note, len(values), serious=False, topic="scale"))
    rows = Rows(query_ids, codes, columns.texts["document"], values, columns.row_lines, by_line=True)
    return made(
        opened, rows, wanted, tr("MS MARCO run") if wanted.kind == "run" else tr("three-column qrels"), findings
    )


def may_be_codes(query_ids: Sequence[str], doc_ids: Strings, values: Floats) -> bool:
    """Return True if judgments may have Cranfield's codes, 1 (best) to 5: all ids are numbers and no grade is 0. If
    every grade is 1, both readings have the same relevant documents."""
    grades = {float(grade) for grade in np.unique(values)}
    if not grades <= CODES or grades == {1.0}:
        return False
    return all(map(is_whole, query_ids)) and all(map(is_whole, pc.unique(doc_ids).to_pylist()))


def refuse_grades(opened: Opened, codes: Ints | Codes, values: Floats, row_lines: Ints | None) -> None:
    """Raise ParseError if a rank is repeated within a query: the file is qrels given in place of a run."""
    order = np.lexsort((values, codes))
    repeated = (np.diff(codes[order]) == 0) & (np.diff(values[order]) == 0)
    if not repeated.any():
        return
    row = int(order[1:][repeated].min())
    line = _line_of(opened, row, row_lines)
    raise ParseError(
        opened.path, tr("the rank {rank:g} occurs twice in a query, as grades do", rank=values[row]), line=line,
        text=opened.line(line).decode("utf-8", "replace").strip(),
        hint=tr("this looks like qrels of three columns: are the files swapped? irviewer convert --from "
"msmarco --kind run reads it as a run anyway"),
    )  # fmt: skip


def whole_ranks(opened: Opened, values: Floats, row_lines: Ints | None) -> Ints:
    """Return ranks as whole numbers. Raises ParseError with the line of one that is none, or of 2³¹ or more."""
    wrong = np.flatnonzero((values != np.floor(values)) | ~(np.abs(values) < 2**31))
    if len(wrong):
        row = int(wrong[0])
        reason = tr("a rank of 2,147,483,648 or more is not possible")
        if not abs(values[row]) >= 2**31:
            reason = tr("{column} is {value:g}, which is not a rank", column="rank", value=values[row])
        raise ParseError(
            opened.path, reason, line=_line_of(opened, row, row_lines),
            hint=tr("if these are scores or grades, use --kind qrels or write six columns"),
        )  # fmt: skip
    return values.astype(np.int64)


def _line_of(opened: Opened, row: int, row_lines: Ints | None) -> int:
    return line_numbers(opened, [row])[0] if row_lines is None else int(row_lines[row])


def _read_four(opened: Opened, wanted: Wanted) -> Loaded:
    wanted_columns = (
        Column("query", 0, "key"), Column("document", 1, "text"), Column("rank", 2, "whole"),
        Column("score", 3, "number"),
    )  # fmt: skip
    columns = read_columns(opened, wanted_columns, 4, RUNS[4])
    query_ids, codes = columns.keys["query"]
    rows = Rows(
        query_ids, codes, columns.texts["document"], columns.numbers["score"], columns.row_lines,
        columns.wholes.get("rank"), by_line=True,
    )  # fmt: skip
    return made(opened, rows, wanted, tr("MS MARCO run with scores"), comment_findings(columns.comments, 4, 3))


def _write(value: Value) -> bytes:
    """Return lines ``query<TAB>document<TAB>rank`` of a run, with the grade of qrels; scores are not written."""
    assert isinstance(value, Run | Qrels)
    refuse_preferences(value)
    documents = value.doc_ids.to_pylist()
    refuse_spaces(value.query_ids, documents)
    grades = texts_of(value.grades) if isinstance(value, Qrels) else []
    lines = []
    for index, query in enumerate(value.query_ids):
        start, stop = int(value.offsets[index]), int(value.offsets[index + 1])
        numbers = grades[start:stop] if grades else range(1, stop - start + 1)
        pairs = zip(documents[start:stop], numbers, strict=True)
        lines += [f"{query}\t{document}\t{number}\n" for document, number in pairs]
    if not lines:
        raise OptionError(tr("there are no documents to write"))
    return "".join(lines).encode("utf-8", "surrogateescape")


FORMAT = Format("msmarco", "MS MARCO", ("run", "qrels"), _sniff, _read, _write, keeps=frozenset({"queries"}))
