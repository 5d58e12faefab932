"""TREC runs as people have them: every oddity of white space, encoding and order reads as the same run."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from irviewer.errors import ParseError
from irviewer.formats.load_report import LoadReport
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.trec.run import parse_run, read_run
from irviewer.model.run import Run

PLAIN = (
    "1 Q0 d1 1 9.5 tag\n1 Q0 d#2 2 8.25 tag\n1 Q0 a,b\"c\" 3 8.25 tag\n"
    "10 Q0 <dbpedia:Björn> 1 -1e-3 tag\n10 Q0 d1 2 -2 tag\n2 Q0 #x 1 3 tag\n"
)  # fmt: skip
RANKINGS = {"1": ["d1", "d#2", 'a,b"c"'], "10": ["<dbpedia:Björn>", "d1"], "2": ["#x"]}


def shuffled(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[place] for place in (3, 0, 5, 2, 4, 1))


SHAPES: dict[str, bytes] = {
    "plain": PLAIN.encode(),
    "no final newline": PLAIN[:-1].encode(),
    "CRLF": PLAIN.replace("\n", "\r\n").encode(),
    "old Mac": PLAIN.replace("\n", "\r").encode(),
    "mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "UTF-16": ("\ufeff" + PLAIN).encode("utf-16-le"),
    "UTF-16, other end": ("\ufeff" + PLAIN).encode("utf-16-be"),
    "Latin-1": PLAIN.encode("latin-1"),
    "tabs": PLAIN.replace(" ", "\t").encode(),
    "double spaces": PLAIN.replace(" ", "  ").encode(),
    "tabs and spaces": PLAIN.replace(" ", " \t").encode(),
    "padded": PLAIN.replace("\n", "  \n").replace("1 Q0", "  1 Q0").encode(),
    "blank lines": PLAIN.replace("\n", "\n\n \n").encode(),
    "comments": ("# first\n" + PLAIN.replace("10 Q0 d1", "# 6 words of a comment here\n10 Q0 d1")).encode(),
    "extra columns": PLAIN.replace("tag\n", "tag more words\n").encode(),
    "one extra column": PLAIN.replace("tag\n", "tag x\n", 1).encode(),
    "shuffled": shuffled(PLAIN).encode(),
    "odd ranks": PLAIN.replace(" 2 ", " 0 ").replace(" 3 ", " -7 ").encode(),
    "ranks of words": PLAIN.replace(" 1 9.5", " first 9.5").encode(),
    "gzip": gzip.compress(PLAIN.encode(), mtime=0),
    "bzip2": bz2.compress(PLAIN.encode()),
    "xz": lzma.compress(PLAIN.encode()),
    "zstd": pa.compress(PLAIN.encode(), codec="zstd", asbytes=True),
    "gzip of CRLF in UTF-16": gzip.compress(("\ufeff" + PLAIN.replace("\n", "\r\n")).encode("utf-16-le"), mtime=0),
}


def parse(tmp_path: Path, data: bytes | str, **said: object) -> tuple[Run, LoadReport]:
    path = tmp_path / "my.run"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return parse_run(open_bytes(path), **said)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_reads_as_the_same_run(tmp_path: Path, shape: str) -> None:
    run, report = parse(tmp_path, SHAPES[shape])
    assert {query: run.ranking(query) for query in RANKINGS} == RANKINGS
    assert set(run.query_ids) == set(RANKINGS)
    assert run.ranking_scores("10").tolist() == [-0.001, -2.0]
    assert run.tag == "tag"
    assert run.name == "my"
    assert report.kind == "run"
    assert dict(report.facts)["documents"] == "6 retrieved"
    assert all(isinstance(line, str) for line in report.lines())


def test_what_the_report_tells(tmp_path: Path) -> None:
    text = "# c\n1 Q0 a 1 1 t1\n1 Q0 b 2 2 t2 more\n1 Q0 c 3 nan t2\n1 Q0 d 4 inf t2\n1 Q0 e 5 1 t2\n"
    run, report = parse(tmp_path, text)
    assert run.ranking("1") == ["d", "b", "e", "a", "c"]
    report_text = "\n".join(report.lines())
    for part in (
        "1 score is NaN: ranked last in its query", "1 score is infinite", "the file has 2 run tags (t1, t2)",
        "1 line has more than 6 columns", "1 comment line", "tied scores in 1 query of 1 (40 %",
        "the rank column contradicts the scores in 1 query of 1 (query 1)",
    ):  # fmt: skip
        assert part in report_text
    assert not any("tied scores" in warning for warning in report.warnings), "two of five: ordinary"
    assert not any("more than 6" in warning for warning in report.warnings)


def test_ties_are_a_warning_only_where_they_make_most_of_the_order(tmp_path: Path) -> None:
    for tied, warned in ((0, False), (5, False), (6, True), (10, True)):
        lines = [f"1 Q0 d{n} {n} {1.0 if n < tied else 20.0 - n} t\n" for n in range(10)]
        _, report = parse(tmp_path, "".join(sorted(lines, key=lambda line: -float(line.split()[4]))))
        assert any("tied scores" in warning for warning in report.warnings) is warned, tied


def test_a_clean_file_has_no_findings(tmp_path: Path) -> None:
    _, report = parse(tmp_path, "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    assert report.findings == ()


def test_ranks_that_count_from_zero_or_not_at_all_contradict_nothing(tmp_path: Path) -> None:
    for ranks in ((0, 1, 2), (0, 0, 0), (1, 1, 1), (7, 8, 9)):
        text = "".join(f"1 Q0 d{n} {rank} {9 - n} t\n" for n, rank in enumerate(ranks))
        _, report = parse(tmp_path, text)
        assert report.findings == (), ranks


def test_an_ir_metadata_header_becomes_attributes(tmp_path: Path) -> None:
    run, _ = parse(tmp_path, "# ir_metadata.start\n# actor:\n#   team: Ours\n# ir_metadata.end\n1 Q0 a 1 2 t\n")
    assert run.attributes == {"actor": {"team": "Ours"}}
    assert run.ranking("1") == ["a"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("1 Q0 a 1 2.5\n", "5 columns; a TREC run has 6"),
        ("1 Q0 a 1 2,5 t\n", 'score "2,5" is not a number'),
        ("", "the file is empty"),
        ("\n  \n", "the file is empty"),
        ("# only\n# comments", "only comments"),
        (gzip.compress(PLAIN.encode(), mtime=0)[:-9], "gzip data is damaged"),
        (bytes(range(256)) * 40, "column"),
    ],
)
def test_what_is_no_run(tmp_path: Path, data: bytes | str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        parse(tmp_path, data)
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


TWICE = "# c\n1 Q0 a 1 5 t\n\n1 Q0 b 2 4 t\n1 Q0 a 3 {} t\n2 Q0 a 1 1 t\n1 Q0 a 4 3 t\n"


@pytest.mark.parametrize("careful", [False, True])
def test_a_document_that_is_listed_twice_is_refused_by_line(tmp_path: Path, careful: bool) -> None:
    text = TWICE.format(7) + ("3 Q0 z 1 1 t extra\n" if careful else "")
    with pytest.raises(ParseError) as caught:
        parse(tmp_path, text)
    assert caught.value.line == 5
    assert caught.value.text == "1 Q0 a 3 7 t"
    assert "document a of query 1 is repeated (lines 2 and 5); 2 such lines in all" in caught.value.reason


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize(
    ("policy", "score", "kept"),
    [("first", "7", 5), ("last", "7", 3), ("best", "7", 7), ("best", "nan", 5), ("best", "inf", np.inf)],
)
def test_one_of_two_is_kept(tmp_path: Path, policy: str, score: str, kept: float, careful: bool) -> None:
    text = TWICE.format(score) + ("3 Q0 z 1 1 t extra\n" if careful else "")
    run, report = parse(tmp_path, text, duplicates=policy)
    scores = dict(zip(run.ranking("1"), run.ranking_scores("1").tolist(), strict=True))
    assert scores == {"a": kept, "b": 4}
    assert run.ranking("2") == ["a"]
    assert any(f"the {policy} is kept (lines 5, 7)" in warning for warning in report.warnings)


def test_best_of_not_a_number(tmp_path: Path) -> None:
    """NaN is never the best, wherever it stands."""
    run, _ = parse(tmp_path, "1 Q0 a 1 nan t\n1 Q0 a 2 -5 t\n", duplicates="best")
    assert run.ranking_scores("1").tolist() == [-5]
    run, _ = parse(tmp_path, "1 Q0 a 1 nan t\n1 Q0 a 2 nan t\n", duplicates="best")
    assert len(run) == 1


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b/bm25.run.gz", "bm25"), ("x.txt", "x"), ("x.trec", "x"), ("x.v2.run", "x.v2"), (".gz", ".gz"),
        ("input.RUN.GZ", "input"),
        ("a.jsonl", "a"), ("a.answers.jsonl.gz", "a.answers"), ("a.ndjson", "a"),
        ("a.json", "a"), ("a.csv", "a"), ("a.tsv.zst", "a"), ("a.parquet", "a"), ("a.feather", "a"),
        ("plain", "plain"), ("-", "standard input"),
    ],
)  # fmt: skip
def test_names(path: str, name: str) -> None:
    assert name_of(path) == name


def test_read_run_by_path(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text(PLAIN, encoding="utf-8")
    assert read_run(path).name == "x"
    assert read_run(str(path), name="mine").name == "mine"
    assert read_run(path).origin == str(path)


def test_the_ids_of_a_few_ties_are_read_whole(tmp_path: Path) -> None:
    """Three neighbours of equal score among 400, their ids of other lengths: the middle one was cut once."""
    names = [f"d{n:03}" for n in range(400)]
    names[100:103] = ["a1", "bb22", "cccc3333"]
    scores = [*range(900, 799, -1), 800, 800, *range(797, 500, -1)]
    text = "".join(f"q Q0 {document} 1 {score} t\n" for document, score in zip(names, scores, strict=True))
    run, _ = parse(tmp_path, text)
    names[100:103] = ["cccc3333", "bb22", "a1"]
    assert run.ranking("q") == names


@pytest.mark.parametrize(
    ("first", "said"), [("query Q0 doc rank score tag", True), ("1 Q0 a 1 2,5 t", False), ("1 Q0 a 1 2 t", False)]
)
def test_a_header_with_spaces_is_refused_with_what_to_do(first: str, said: bool, tmp_path: Path) -> None:
    """Only the first line can be one; a header with tabs or commas is read as a table's."""
    path = tmp_path / "a.run"
    path.write_text(f"# a comment\n{first}\n1 Q0 b 2 high t\n")
    with pytest.raises(ParseError) as caught:
        read_run(path)
    assert caught.value.line == (3 if first.endswith("1 2 t") else 2)
    assert ("if this line is a header, remove it" in str(caught.value)) == said
