"""Files of three columns without a header, and MS MARCO's four: a ranking with ranks, or judgments without iteration.

``query document rank`` is MS MARCO's run; ``query document grade`` are its qrels in some distributions. Ranks count up
within a query, grades do not; where neither shows, the reason says that it is a guess."""

from __future__ import annotations

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
from irviewer.model.arrays import Floats, Ints, Strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

CODES = frozenset({-1.0, 1.0, 2.0, 3.0, 4.0, 5.0})
"""What stands in Cranfield's files of judgments."""

NO_GRADE = 5
"""What counts up to here within a query are ranks: fewer lines may be grades that happen to rise."""

SCALE_HINT = (
    "say it: --from msmarco reads grades, --from cranfield codes (--qrels-from beside runs, the file doctor in the "
    "window)"
)

_RUN = "an MS MARCO run has 3: query document rank"
_QRELS = "these qrels have 3: query document grade"


def _sniff(head: Head) -> Sniffed | None:
    rows = head.columns
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return None
    if len(rows[0]) == 4:
        return _sniff_four(rows)
    if len(rows[0]) != 3 or not all(is_number(row[2]) for row in rows):
        return None
    if not all(is_whole(row[2]) for row in rows):
        kind = "qrels" if head.names("qrel") else "run"
        return Sniffed(kind, f"three columns, the third a fraction: taken for a {kind}; a guess, --kind overrules")
    counts = [int(row[2]) for row in rows]
    if _counts_up(rows, 2) and max(counts) > 1:
        reason = "three columns, the third counts ranks within a query"
        if max(counts) >= NO_GRADE:
            return Sniffed("run", reason)
        kind = "qrels" if head.names("qrel") else "run"
        named = "; the file's name says qrels" if kind == "qrels" else ""
        return Sniffed(kind, f"{reason}, or grades that happen to rise{named}; a guess, --kind overrules")
    guess = "" if any(one == other for one, other in pairwise(counts)) else " a guess,"
    return Sniffed("qrels", f"three columns, the third a number that is no rank: grades;{guess} --kind run overrules")


def _sniff_four(rows: list[list[str]]) -> Sniffed | None:
    """MS MARCO's run with a score, which ColBERT writes as well: qrels would hold the same few values in column two, or
    no ranks in column three, or grades that do not fall with the document's number."""
    if not all(is_whole(row[2]) and is_number(row[3]) for row in rows):
        return None
    if len({row[1] for row in rows}) < 2 or not _counts_up(rows, 2) or max(int(row[2]) for row in rows) < 2:
        return None
    if any(not is_whole(row[3]) for row in rows) and _falls(rows):
        return Sniffed(
            "run",
            "four columns, the third counts ranks within a query, the fourth falls with them and holds fractions: "
            "query document rank score; --kind qrels overrules",
        )
    if len(rows) < 3 or len({row[1] for row in rows}) < 3 or max(int(row[2]) for row in rows) < 3:
        return None
    return Sniffed("run", "four columns, the third counts ranks within a query: query document rank score")


def may_be_ranking(head: Head) -> bool:
    """True for four columns, the third a whole number and the fourth a number: a ranking, where a person says so. Not
    where they are judgments as plainly as MS MARCO's own (query, 0, document, 1), which somebody gave in its place."""
    rows = head.columns
    if not rows or not all(len(row) == 4 and is_whole(row[2]) and is_number(row[3]) for row in rows):
        return False
    seconds, least = {row[1] for row in rows}, min(int(row[2]) for row in rows)
    if seconds <= {"0", "Q0"} or _has_twice((row[0], row[1]) for row in rows):
        return False
    graded = all(is_whole(row[3]) for row in rows)
    return not (graded and (least > 1 or (len(seconds) == 1 and len(rows) > 1)))


def _has_twice(found: Iterable[tuple[str, str]]) -> bool:
    every = list(found)
    return len(set(every)) < len(every)


def _falls(rows: list[list[str]]) -> bool:
    """True where the fourth column never rises within a query."""
    last: dict[str, float] = {}
    for row in rows:
        value = float(row[3].replace(",", "."))
        if value > last.get(row[0], value):
            return False
        last[row[0]] = value
    return True


def _counts_up(rows: list[list[str]], place: int) -> bool:
    """True where the column counts 1, 2, 3 or 0, 1, 2 … within each query."""
    seen: dict[str, int] = {}
    for row in rows:
        value = int(row[place])
        if row[0] in seen:
            if value != seen[row[0]] + 1:
                return False
        elif value not in (0, 1):
            return False
        seen[row[0]] = value
    return True


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    head = Head(opened)
    if head.columns and len(head.columns[0]) == 4:
        # Judgments of four columns are written as TREC's: MS MARCO's own are.
        return _read_four(opened, wanted) if wanted.kind == "run" else formats.read(opened, wanted)
    whole = wanted.kind == "run" and all(is_whole(row[2]) for row in head.columns[:1] if len(row) > 2)
    named = "rank" if whole else "score" if wanted.kind == "run" else "grade"
    shape = _RUN if wanted.kind == "run" else _QRELS
    columns = read_columns(
        opened, (Column("query", 0, "key"), Column("document", 1, "text"), Column(named, 2, "number")), 3, shape
    )
    query_ids, codes = columns.keys["query"]
    values, findings = columns.numbers[named], []
    if named == "rank" and not wanted.as_format:
        _refuse_grades(opened, codes, values, columns.row_lines)
    if whole and np.all(values == np.floor(values)) and np.all(np.isfinite(values)):
        beyond = np.flatnonzero(np.abs(values) >= 2**31)
        if len(beyond):
            line = line_numbers(opened, [int(beyond[0])])[0]
            raise ParseError(opened.path, "a rank beyond any list", line=line, hint="are these scores or grades?")
        values, said = from_ranks(values.astype(np.int64))
        findings.append(said)
    if wanted.kind == "qrels" and may_be_codes(query_ids, columns.texts["document"], values):
        if not wanted.as_format:
            raise ScaleError(
                opened.path,
                "these are grades (more is better) or Cranfield's codes (1 is best): nothing in the file says which",
                hint=SCALE_HINT,
            )
        told = "read as grades, as you said: they may be Cranfield's codes"
        findings.append(Finding(told, len(values), serious=False, topic="scale"))
    rows = Rows(query_ids, codes, columns.texts["document"], values, columns.row_lines, by_line=True)
    return made(opened, rows, wanted, "MS MARCO run" if wanted.kind == "run" else "three-column qrels", findings)


def may_be_codes(query_ids: Sequence[str], doc_ids: Strings, values: Floats) -> bool:
    """True where judgments may be Cranfield's, whose codes run from 1, the best, to 5: ids are numbers and no grade is
    0. Where every document has grade 1, what is relevant is the same either way."""
    found = {float(one) for one in np.unique(values)}
    if not found <= CODES or found == {1.0}:
        return False
    return all(map(is_whole, query_ids)) and all(map(is_whole, pc.unique(doc_ids).to_pylist()))


def _refuse_grades(opened: Opened, codes: Ints, values: Floats, row_lines: Ints | None) -> None:
    """Raises ParseError where ranks stand twice in a query: then they are grades, of judgments that were given in a
    run's place."""
    order = np.lexsort((values, codes))
    same = (np.diff(codes[order]) == 0) & (np.diff(values[order]) == 0)
    if not same.any():
        return
    row = int(order[1:][same].min())
    line = line_numbers(opened, [row])[0] if row_lines is None else int(row_lines[row])
    raise ParseError(
        opened.path, f"the rank {values[row]:g} stands twice in a query, as grades do", line=line,
        text=opened.line(line).decode("utf-8", "replace").strip(),
        hint="this looks like qrels of three columns: are the files swapped? convert --from msmarco --kind run reads "
        "it as a run all the same",
    )  # fmt: skip


def _read_four(opened: Opened, wanted: Wanted) -> Loaded:
    places = (
        Column("query", 0, "key"), Column("document", 1, "text"), Column("rank", 2, "whole"),
        Column("score", 3, "number"),
    )  # fmt: skip
    columns = read_columns(opened, places, 4, "an MS MARCO run with scores has 4: query document rank score")
    query_ids, codes = columns.keys["query"]
    rows = Rows(
        query_ids, codes, columns.texts["document"], columns.numbers["score"], columns.row_lines,
        columns.wholes.get("rank"), by_line=True,
    )  # fmt: skip
    return made(opened, rows, wanted, "MS MARCO run with scores")


def _write(value: Value) -> bytes:
    """``query<TAB>document<TAB>rank`` of a run, the grade as third column of qrels; scores are not kept."""
    assert isinstance(value, Run | Qrels)
    refuse_preferences(value)
    documents = value.doc_ids.to_pylist()
    refuse_spaces(value.query_ids, documents)
    grades = texts_of(value.grades) if isinstance(value, Qrels) else []
    lines = []
    for place, query in enumerate(value.query_ids):
        start, stop = int(value.offsets[place]), int(value.offsets[place + 1])
        third = grades[start:stop] if grades else range(1, stop - start + 1)
        pairs = zip(documents[start:stop], third, strict=True)
        lines += [f"{query}\t{document}\t{number}\n" for document, number in pairs]
    if not lines:
        raise OptionError("there is nothing to write")
    return "".join(lines).encode("utf-8", "surrogateescape")


FORMAT = Format("msmarco", "MS MARCO", ("run", "qrels"), _sniff, _read, _write, keeps=frozenset({"queries"}))
