"""Files of query sets and weights: what is read, what reads back, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.query_sets import read_query_sets, read_query_weights, write_query_sets
from irviewer.model.query_sets import QuerySet


def put(folder: Path, text: str) -> str:
    path = folder / "mine.tsv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_ids_alone_are_one_set_with_the_name_of_the_file(tmp_path: Path) -> None:
    (found,) = read_query_sets(put(tmp_path, "\ufeff# the hard ones\n7\n\n12\n"))
    assert (found.name, found.query_ids, found.looked) == ("mine", frozenset({"7", "12"}), False)


@pytest.mark.parametrize(
    "text", ["query\tset\n1\ta b\n2\ta b\n1\tc\n", "qid,set\n1,a b\n2,a b\n1,c\n", "1 a b\n2 a b\n1 c\n"]
)
def test_the_second_column_names_the_set(tmp_path: Path, text: str) -> None:
    found = read_query_sets(put(tmp_path, text))
    assert [(one.name, set(one.query_ids)) for one in found] == [("a b", {"1", "2"}), ("c", {"1"})]


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    sets = (QuerySet("hard ones", frozenset({"q 1", "é"})), QuerySet("easy", frozenset({"3"})))
    found = read_query_sets(put(tmp_path, write_query_sets(sets)))
    assert [(one.name, one.query_ids) for one in found] == [(one.name, one.query_ids) for one in sets]


def test_weights(tmp_path: Path) -> None:
    found = read_query_weights(put(tmp_path, "query\tweight\n1\t20\n2\t.5\n"))
    assert found.values == {"1": 20.0, "2": 0.5}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1\t2\n2\n", 2, "no weight"),
        ("1\t2\n2\tmany\n", 2, "no weight"),
        ("1\t2\n2\t-1\n", 2, "no number from 0 up"),
        ("1\t2\n1\t3\n", 2, "has a weight already"),
        ("# nothing\n", 0, "there is no query"),
    ],
)
def test_weights_that_are_none_are_refused_with_their_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        read_query_weights(put(tmp_path, text))
    assert caught.value.line == line


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"1\n\xff\xfe\n")
    with pytest.raises(ParseError, match="no UTF-8") as caught:
        read_query_sets(str(path))
    assert caught.value.line == 2
