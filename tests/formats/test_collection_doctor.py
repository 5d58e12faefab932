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
    assert "d (query 1); 1 is judged for it" in finding.text
    (finding,) = text_findings(DOCUMENTS, None, QUERIES)
    assert "0 is judged" in finding.text
    assert text_findings(DOCUMENTS, qrels, TextTable.from_rows([{"id": "2", "text": ""}])) == ()


def test_training_queries_in_the_test() -> None:
    assert train_finding(["1", "2"], ["3"], "train") is None
    finding = train_finding(["1", "2", "3"], ["2", "9", "1"], "train")
    assert finding is not None
    assert "2 of 3 queries are in the training set train too, by their ids: 1, 2" in finding.text


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
    assert "! 1 document has the text of a query: d (query 1); 0 is judged for it." in said
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
