"""What files say together: unequal grades of one text, queries that are documents, training queries in the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.formats.collection_doctor import text_findings, train_finding
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable
from irviewer.session.session import Session

DOCUMENTS = TextTable.from_rows(
    [
        {"id": "a", "text": "the same  words"},
        {"id": "b", "text": "the same words"},
        {"id": "c", "text": "other words"},
        {"id": "d", "text": "what is asked"},
        {"id": "e", "text": ""},
        {"id": "f", "text": ""},
    ]
)
QUERIES = TextTable.from_rows([{"id": "1", "text": "what is\nasked"}, {"id": "2", "text": "nothing"}])


def test_texts_judged_unequally() -> None:
    qrels = Qrels.from_dict(
        {"1": {"a": 1, "b": 0, "c": 2, "e": 0, "f": 1}, "2": {"a": 1, "b": 1}, "3": {"c": 1, "x": 0}}
    )
    (finding,) = text_findings(DOCUMENTS, qrels, None)
    assert (finding.count, finding.serious) == (1, True)
    assert "1: b has grade 0, a 1" in finding.text
    assert text_findings(DOCUMENTS, Qrels.from_dict({"2": {"a": 1, "b": 1}}), None) == ()
    assert text_findings(DOCUMENTS, None, None) == ()


def test_a_document_that_is_the_query() -> None:
    qrels = Qrels.from_dict({"1": {"d": 1, "c": 0}})
    (finding,) = text_findings(DOCUMENTS, qrels, QUERIES)
    assert finding.count == 1
    assert "d (query 1); judged for it: 1" in finding.text
    (finding,) = text_findings(DOCUMENTS, None, QUERIES)
    assert "judged for it: 0." in finding.text
    assert text_findings(DOCUMENTS, qrels, TextTable.from_rows([{"id": "2", "text": ""}])) == ()


def test_training_queries_in_the_test() -> None:
    assert train_finding(["1", "2"], ["3"], "train") is None
    finding = train_finding(["1", "2", "3"], ["2", "9", "1"], "train")
    assert finding is not None
    assert "2 of 3 queries are in the training set train too, by their ids: 1, 2" in finding.text


def test_negative_grades_are_no_judgments() -> None:
    """-1 beside 2 was said to be an unequal judgment, and a document with -1 to be judged for its query."""
    assert text_findings(DOCUMENTS, Qrels.from_dict({"1": {"a": 2, "b": -1}, "2": {"a": -1, "b": -2}}), None) == ()
    (finding,) = text_findings(DOCUMENTS, Qrels.from_dict({"1": {"d": -1}}), QUERIES)
    assert "judged for it: 0." in finding.text


def test_an_accent_of_two_characters_is_the_same_text() -> None:
    documents = TextTable.from_rows([{"id": "a", "text": "caf\u00e9"}, {"id": "b", "text": "cafe\u0301"}])
    queries = TextTable.from_rows([{"id": "1", "text": "cafe\u0301"}])
    unequal, same = text_findings(documents, Qrels.from_dict({"1": {"a": 1, "b": 0}}), queries)
    assert "1: b has grade 0, a 1" in unequal.text
    assert same.count == 2


def test_that_no_query_is_shared_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a word nobody knows whether they were compared; a run alone has no queries of a test."""
    for name, line in (("qrels", "1 0 a 1\n"), ("train", "7 0 z 1\n"), ("run", "1 Q0 a 1 1 r\n")):
        (tmp_path / name).write_text(line)
    train = ["--train", str(tmp_path / "train")]
    assert main(["check", "--strict", str(tmp_path / "qrels"), *train]) == 0
    assert "· 1 query of the test is not in the training set train, by its id" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "run"), *train]) == 2
    assert "give qrels or queries among the files" in capsys.readouterr().err


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    texts = {
        "qrels": "1 0 a 1\n1 0 b 0\n2 0 d 1\n",
        "docs.jsonl": "".join(f'{{"_id": "{row}", "text": "{text}"}}\n' for row, text in
                              (("a", "same words"), ("b", "same words"), ("d", "what is asked"))),
        "queries.tsv": "1\twhat is asked\n2\tanother thing\n",
        "train.qrels": "2 0 z 1\n7 0 z 1\n",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


def test_check_says_it(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    *collection, train = files
    assert main(["check", "--strict", *collection, "--train", train]) == 1
    said = capsys.readouterr().out
    assert "! 1 text is judged unequally in a query under two ids or more (1: b has grade 0, a 1)" in said
    assert "! 1 document has the text of a query: d (query 1); judged for it: 0." in said
    assert "! 1 of 2 queries is in the training set train.qrels too, by its id: 2" in said
    assert main(["check", collection[0], "--train", collection[2]]) == 0
    assert "2 of 2 queries are in the training set queries.tsv" in capsys.readouterr().out
    assert main(["check", *collection[:1]]) == 0
    assert "!" not in capsys.readouterr().out


def test_the_window_says_it(files: list[str]) -> None:
    session = Session()
    session.files.open_files(files[:3])
    diagnoses = session.files.diagnoses()
    said = "\n".join(line for diagnosis in diagnoses for line in diagnosis.lines())
    assert "1 text is judged unequally" in said
    assert "1 document has the text of a query" in said
    assert diagnoses == session.files.diagnoses()
