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
    (query_set,) = read_query_sets(put(tmp_path, "\ufeff# the hard ones\n7\n\n12\n"))
    assert (query_set.name, query_set.query_ids, query_set.looked) == ("mine", frozenset({"7", "12"}), False)


@pytest.mark.parametrize(
    "text", ["query\tset\n1\ta b\n2\ta b\n1\tc\n", "qid,set\n1,a b\n2,a b\n1,c\n", "1 a b\n2 a b\n1 c\n"]
)
def test_the_second_column_names_the_set(tmp_path: Path, text: str) -> None:
    sets_read = read_query_sets(put(tmp_path, text))
    assert [(query_set.name, set(query_set.query_ids)) for query_set in sets_read] == [
        ("a b", {"1", "2"}),
        ("c", {"1"}),
    ]


TABLE = (
    "query_id,text,lang,hits\n"
    '1,"flow, heat and ""wings""",en,3\n2,plain,de,4\n3,"a text\nof two lines, quoted",en,9\n4,x,de,1\n'
)


def test_commas_within_quotation_marks_part_nothing(tmp_path: Path) -> None:
    sets_read = read_query_sets(put(tmp_path, 'query,set\n"1, a","hard, long"\n2,easy\n"3 ""b""","hard, long"\n'))
    sets = {query_set.name: set(query_set.query_ids) for query_set in sets_read}
    assert sets == {"hard, long": {"1, a", '3 "b"'}, "easy": {"2"}}
    weights = read_query_weights(put(tmp_path, 'query,weight\n"1, a",2\n2,3\n'))
    assert weights.values == {"1, a": 2.0, "2": 3.0}


def test_every_query_of_a_table_is_found(tmp_path: Path) -> None:
    """225 queries with their texts, 30 of which hold commas: as lines parted at commas they lost their sets."""
    texts = ['"heat, and flow"' if number % 8 == 0 else "heat" for number in range(1, 226)]
    lines = [f"{number},{text},{'easy' if number % 2 else 'hard'}\n" for number, text in enumerate(texts, start=1)]
    sets_read = read_query_sets(put(tmp_path, "query_id,text,set\n" + "".join(lines)))
    assert {query_set.name: len(query_set.query_ids) for query_set in sets_read} == {"easy": 113, "hard": 112}


def test_columns_of_a_table_make_sets_of_their_own(tmp_path: Path) -> None:
    sets_read = read_query_sets(put(tmp_path, TABLE))
    assert {query_set.name: set(query_set.query_ids) for query_set in sets_read} == {
        "lang: de": {"2", "4"},
        "lang: en": {"1", "3"},
    }
    assert sets_read[0].how == "mine.tsv: lang = de"


def test_a_comma_in_a_name_parts_no_columns(tmp_path: Path) -> None:
    sets_read = read_query_sets(put(tmp_path, "1 hard, long\n2 easy\n3 hard, long\n"))
    assert {query_set.name: set(query_set.query_ids) for query_set in sets_read} == {
        "hard, long": {"1", "3"},
        "easy": {"2"},
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1,a,b\n2,c,d\n", "3 columns without a header"),
        ("query,text,number of words\n1,a,x\n2,b,y\n3,c,z\n", "none of the columns text, number of words is named"),
        ("".join(f"{number},text {number}\n" for number in range(30)), "30 different sets for 30 queries"),
        ("1,a\n2,hard, long\n", "3 columns, but the first line has 2"),
        ("query,set,x\n1,a,b,c\n", "4 columns, but the header has 3"),
        ('query,set\n1,"a\n2,b\n', ":2: not valid CSV"),
        ("query,lang,size\n1,a,b\n1,a,c\n", "query 1 is repeated, first in line 2"),
        ("set,query\na,\n", "the query id is empty"),
    ],
)
def test_tables_that_do_not_say_their_sets_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read_query_sets(put(tmp_path, text))


def test_the_weight_of_a_table_is_the_column_called_so(tmp_path: Path) -> None:
    text = "query\tclicks\tweight\ttext\n1\t5\t.5\tx\n2\t6\t2\ty\n"
    assert read_query_weights(put(tmp_path, text)).values == {"1": 0.5, "2": 2.0}
    with pytest.raises(ParseError, match=r"is named weight; rename the column of weights \(clicks, share\)"):
        read_query_weights(put(tmp_path, text.replace("weight", "share")))


def test_the_id_is_found_in_any_column(tmp_path: Path) -> None:
    (first, other) = read_query_sets(put(tmp_path, "set,qid\na,1\nb,2\n"))
    assert (first.query_ids, other.query_ids) == ({"1"}, {"2"})


def test_a_quotation_mark_that_is_not_closed_is_a_sign(tmp_path: Path) -> None:
    sets_read = read_query_sets(put(tmp_path, 'query\tset\n1\t"hard\n2\t"hard\n3\tso "easy"\n'))
    assert {query_set.name: set(query_set.query_ids) for query_set in sets_read} == {
        '"hard': {"1", "2"},
        'so "easy"': {"3"},
    }


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    sets = (
        QuerySet("hard ones", frozenset({"q 1", "é"})),
        QuerySet("easy", frozenset({"3"})),
        QuerySet('"a\tb', frozenset({'"q', "#5"})),
    )
    sets_read = read_query_sets(put(tmp_path, write_query_sets(sets)))
    assert [(query_set.name, query_set.query_ids) for query_set in sets_read] == [
        (query_set.name, query_set.query_ids) for query_set in sets
    ]


def test_weights(tmp_path: Path) -> None:
    weights = read_query_weights(put(tmp_path, "query\tweight\n1\t20\n2\t.5\n"))
    assert weights.values == {"1": 20.0, "2": 0.5}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1\t2\n2\n", 2, "no weight"),
        ("1\t2\n2\tmany\n", 2, "no weight"),
        ("1\t2\n2\t-1\n", 2, "not a number of 0 or more"),
        ("1\t2\n1\t3\n", 2, "already has a weight"),
        ("# nothing\n", 0, "the file has no queries"),
    ],
)
def test_weights_that_are_none_are_refused_with_their_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        read_query_weights(put(tmp_path, text))
    assert caught.value.line == line


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"1\n\xff\xfe\n")
    with pytest.raises(ParseError, match="not UTF-8") as caught:
        read_query_sets(str(path))
    assert caught.value.line == 2
