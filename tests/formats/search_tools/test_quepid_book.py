"""Quepid's books: a column a rater, each judgment with its rater, a document with its highest grade."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import load
from irviewer.model.qrels import Qrels

BOOK = Path(__file__).parents[2] / "data" / "formats" / "quepid_book.csv"


def test_raters_and_grades() -> None:
    loaded = load(BOOK)
    qrels = loaded.value
    assert isinstance(qrels, Qrels)
    assert loaded.report.reason == "Quepid's book with 2 raters"
    assert {query: qrels.judgments(query) for query in qrels.query_ids} == {"lift": {"a": 3, "b": 0}, "drag": {"c": 1}}
    assert qrels.assessments is not None
    assert set(qrels.assessments.names) == {"Ada", "Bo, B."}
    assert any("1 row has no rating" in finding.text for finding in loaded.report.findings)


def test_one_rater_is_plain_qrels(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text("query,docid,Ada\nlift,a,2\n")
    qrels = load(path).value
    assert isinstance(qrels, Qrels)
    assert (qrels.judgments("lift"), qrels.assessments) == ({"a": 2}, None)


def test_ratings_stay_ratings_and_a_word_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("query,docid,rating\nlift,a,2\n")
    assert "book" not in load(path).report.format
    path.write_text(
        "query,docid,Ada,Bo\n" + "lift,a,2,1\n" * 1 + "".join(f"q{n},d,1,2\n" for n in range(80)) + "z,a,x,1\n"
    )
    with pytest.raises(ParseError, match="rating of Ada is 'x'") as caught:
        load(path)
    assert caught.value.line == 83


@pytest.mark.parametrize("text", ["", "query\n1\n", "query,docid\n1,a\n", "\n\n"])
def test_a_file_that_is_no_book_is_refused_where_it_is_named_as_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "book.csv"
    path.write_text(text)
    with pytest.raises(ParseError):
        load(path, kind="qrels", format="quepid-book")
