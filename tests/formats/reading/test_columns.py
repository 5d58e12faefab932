"""White-space separated columns: Arrow and the careful reader give the same; every fault has its line."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError
from irviewer.formats.reading import columns as module
from irviewer.formats.reading.columns import Column, Columns, line_numbers, read_columns
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.sizes import SIZES, Sizes

WANTED = (
    Column("query", 0, "key"),
    Column("document", 2, "text"),
    Column("rank", 3, "whole"),
    Column("score", 4, "number"),
    Column("tag", 5, "key"),
)
SHAPE = "a run has 6"

# Ids as people write them: signs that a CSV reader would trip over, other scripts, and a no-break space, which is no
# column's end. No ASCII white space, and no "#" at the beginning of a line (of a query).
signs = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters=" ")
ids = st.one_of(
    st.sampled_from(('a"b', "a,b", "#x", "x#y", "'q'", "a\\b", "nan", "null", "NA", "007", "1e5", "ü", "文\u00a0書")),
    st.text(signs, min_size=1, max_size=8),
)
queries = ids.filter(lambda query: not query.startswith("#"))
numbers = st.one_of(
    st.floats(-1e9, 1e9).map(repr),
    st.sampled_from(("nan", "inf", "-inf", "1e-300", "-0.0", "12", "1.5E+3", ".5", "5.", "Infinity", "-NaN")),
)
ranks = st.one_of(st.integers(-5, 10**6).map(str), st.sampled_from(("first", "1.5", "-")))
rows = st.lists(st.tuples(queries, ids, ids, ranks, numbers, ids), min_size=1, max_size=20)
whole_ranks = st.lists(st.tuples(queries, ids, ids, st.integers(0, 9).map(str), numbers, ids), min_size=1, max_size=20)


def opened(data: bytes | str, sizes: Sizes = SIZES) -> Opened:
    return Opened("x.run", data.encode() if isinstance(data, str) else data, "", "utf-8", sizes=sizes)


def read(data: bytes | str, sizes: Sizes = SIZES) -> Columns:
    return read_columns(opened(data, sizes), WANTED, 6, SHAPE)


def read_quickly(text: str) -> Columns | None:
    data = text.encode()
    parts = module._read_stream(opened(data), lambda: io.BytesIO(data), 0, data, WANTED, 6)
    return None if parts is None else parts[0]


def plain(columns: Columns) -> dict[str, object]:
    """What was read as comparable values; NaN equals NaN."""
    keys = {name: [names[code] for code in codes] for name, (names, codes) in columns.keys.items()}
    texts = {name: column.to_pylist() for name, column in columns.texts.items()}
    numbers = {name: list(map(repr, column.tolist())) for name, column in columns.numbers.items()}
    return {"n": columns.n, "keys": keys, "texts": texts, "numbers": numbers,
            "wholes": {name: column.tolist() for name, column in columns.wholes.items()}}  # fmt: skip


def regular(table: list[tuple[str, ...]], sign: str = " ", end: str = "\n") -> str:
    return "".join(sign.join(row) + end for row in table)


@given(rows, st.data())
def test_regular_and_irregular_renderings_read_alike(table: list[tuple[str, ...]], drawn: st.DataObject) -> None:
    """The same rows with one space, one tab, or white space, comments, blank lines and further columns as they come."""
    expected = plain(read(regular(table)))
    assert expected["texts"] == {"document": [row[2] for row in table]}
    assert expected["keys"] == {"query": [row[0] for row in table], "tag": [row[5] for row in table]}
    assert expected["numbers"] == {"score": [repr(float(row[4])) for row in table]}
    assert plain(read(regular(table, "\t"))) == expected
    assert plain(read(regular(table, end="\r\n"))) == expected
    assert plain(read(regular(table)[:-1])) == expected
    space = st.text(st.sampled_from(" \t\v\f"), min_size=1, max_size=3)
    odd = []
    for row in table:
        between = st.sampled_from(("", "  ", "# a comment", "#", "# 1 Q0 d 1 1.0 t", "\t"))
        odd += drawn.draw(st.lists(between, max_size=2))
        begin = drawn.draw(st.sampled_from((" ", "\t", "")))
        more = drawn.draw(st.sampled_from(("", " more junk", "\tand\tmore", "  ")))
        odd.append(begin + "".join(cell + drawn.draw(space) for cell in row[:5]) + row[5] + more)
    ends = drawn.draw(st.sampled_from(("\n", "\r\n", " \n", "\t\r\n")))
    assert plain(read(ends.join(odd))) == expected


@given(whole_ranks)
def test_arrow_and_the_careful_reader_agree(table: list[tuple[str, ...]]) -> None:
    text = regular(table)
    fast = read_quickly(text)
    slow = module._read_lines(opened(text), WANTED, 6, SHAPE)
    assert fast is None or plain(fast) == plain(slow)
    assert slow.row_lines is not None
    assert slow.row_lines.tolist() == list(range(1, len(table) + 1))


def test_a_regular_file_goes_through_arrow() -> None:
    """What the speed rests on: no line is looked at alone."""
    for text in ("1 Q0 a 1 2.5 t\n", "1\tQ0\ta\t1\t2.5\tt\r\n", "# c\n\n1 Q0 a 1 2.5 t", "1  Q0\ta 1 2.5 t \n"):
        assert read(text).row_lines is None, text
    assert read("1 Q0 a 1 2.5 t more\n").row_lines is not None


def test_a_rank_that_is_no_number_drops_the_column_only() -> None:
    columns = read("1 Q0 a first 2.5 t\n1 Q0 b second 1.5 t\n")
    assert "rank" not in columns.wholes
    assert columns.numbers["score"].tolist() == [2.5, 1.5]
    assert columns.row_lines is None


def test_a_tab_among_spaces_never_becomes_part_of_an_id() -> None:
    """Six columns at single spaces, yet seven: the tab parts two of them, as it does for trec_eval."""
    columns = read("1 Q0 a\t1 2.5 t more\n")
    assert columns.texts["document"].to_pylist() == ["a"]
    assert columns.numbers["score"].tolist() == [2.5]
    padded = read("1\tQ0\ta \t1\t  2.5\tt\n")
    assert padded.texts["document"].to_pylist() == ["a"]
    assert read("1\tQ0\ta\t1\t2.5\tmy tag\n").keys["tag"][0] == ("my",)


def test_comments_are_kept_and_their_lines_counted() -> None:
    columns = read("# one\n#two\n1 Q0 a 1 2 t\n# three\n\n1 Q0 b 2 1 t\n")
    assert columns.comments == (" one", "two", " three")
    assert line_numbers(opened("# one\n\n1 Q0 a 1 2 t\n#\r\n \n1 Q0 b 2 1 t\n"), [0, 1]) == [3, 6]


def test_a_comment_that_looks_like_a_row() -> None:
    columns = read("1 Q0 a 1 2 t\n#1 Q0 b 2 1 t\n")
    assert columns.n == 1
    assert columns.comments == ("1 Q0 b 2 1 t",)


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("1 Q0 a 1 2\n", 1, 11, "5 columns; a run has 6"),
        ("1 Q0 a 1 2 t\n1  b 2 1 t\n", 2, 11, "5 columns; a run has 6"),
        ("1 Q0 a 1 2 t\n1  Q0 b 2 1\n", 2, 12, "5 columns; a run has 6"),
        ("1 Q0 a 1 2 t\n1 Q0 b  1 t\n", 2, 12, "5 columns; a run has 6"),
        ("1 Q0 a 1 2 t\n1 Q0 b  1 t", 2, 12, "5 columns; a run has 6"),
        ("1 Q0 a 1 2 t\n 1 Q0 b 2 1\n", 2, 12, "5 columns; a run has 6"),
        ("1\tQ0\ta\t1\t2\tt\r\n1\tQ0\tb\t\t1\tt\r\n", 2, 12, "5 columns; a run has 6"),
        ("1 Q0 a 1 2 t\n\n# c\nx\n", 4, 2, "1 column; a run has 6"),
        ("1 Q0 a 1 2 t\n1 Q0 b 2 1,5 t\n", 2, 10, 'score "1,5" is not a number'),
        ("1 Q0 a 1 2 t\r\n1 Q0 bb 2 high t\r\n", 2, 11, 'score "high" is not a number'),
        ("1 Q0 a 1 1_000 t\n", 1, 10, 'score "1_000" is not a number'),
        ("1 Q0 a 1 ١ t\n", 1, 10, 'score "١" is not a number'),
        ("\t1   Q0 a 1 -- t\n", 1, 13, 'score "--" is not a number'),
    ],
)
def test_faults_have_a_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    error = caught.value
    assert (error.line, error.column, error.reason) == (line, column, reason)
    assert error.text == text.split("\n")[line - 1].strip()
    assert ("decimals with a point" in error.message) == ("1,5" in text)


@pytest.mark.parametrize(("text", "reason"), [("", "empty"), (" \n\t\r\n", "empty"), ("# a\n#b", "only comments")])
def test_nothing_to_read(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        read(text)
    assert caught.value.line == 0


def test_many_blocks() -> None:
    """Arrow reads in blocks: codes of one key must be the same in all of them."""
    lines = [f"{n % 7} Q0 d{n} {n} {n / 3!r} t{n % 2}" for n in range(2000)]
    columns = read("\n".join(lines), replace(SIZES, part=4096))
    names, codes = columns.keys["query"]
    assert [names[code] for code in codes] == [str(n % 7) for n in range(2000)]
    assert columns.texts["document"].to_pylist() == [f"d{n}" for n in range(2000)]
    assert np.allclose(columns.numbers["score"], np.arange(2000) / 3)
