"""Documents that stay on disk, and documents in many files, in the session."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

from irviewer.formats.texts import corpus
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.model.workspace import Workspace
from irviewer.session.files.loading import read_files, requests_of
from irviewer.session.files.placement import place_files
from irviewer.session.session import Session
from irviewer.session.tasks import Cancelled


def _heard(share: float, title: str) -> None:
    assert 0 <= share <= 1


def opened(folder: Path) -> Workspace:
    return place_files(Workspace(), -1, read_files(requests_of([str(folder)]), _heard)).workspace


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_a_corpus_on_disk_finds_its_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "INDEX_FROM", 100)
    write(tmp_path, "qrels.txt", "1 0 d1 1\n1 0 d2 0\n")
    write(tmp_path, "a.run", "1 Q0 d1 1 2 a\n1 Q0 d3 2 1 a\n")
    write(tmp_path, "corpus.jsonl", "".join(f'{{"_id": "d{n}", "title": "t{n}", "text": "x"}}\n' for n in range(50)))
    (collection,) = opened(tmp_path).collections
    assert isinstance(collection.documents, CorpusIndex)
    assert collection.document_title("d3") == "t3"
    assert collection.queries is None


def corpus_session(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setattr(corpus, "INDEX_FROM", 100)
    write(folder, "qrels.txt", "1 0 d1 1\n1 0 d2 0\n")
    write(folder, "a.run", "1 Q0 d1 1 2 a\n1 Q0 d3 2 1 a\n")
    write(folder, "corpus.jsonl", "".join(f'{{"_id": "d{n}", "title": "t{n}", "text": "x"}}\n' for n in range(50)))
    session = Session()
    session.files.open_files([str(folder / name) for name in ("qrels.txt", "a.run", "corpus.jsonl")])
    session.navigation.set_query("1")
    return session


def said(session: Session, document: str) -> tuple[bool, str, str]:
    session.navigation.set_document(document)
    card = session.view_models.document_card()
    assert card is not None
    return card.known, card.title, card.lost


def test_the_card_of_a_document_that_the_changed_file_hides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = corpus_session(tmp_path, monkeypatch)
    assert said(session, "d1") == (True, "t1", "")
    write(tmp_path, "corpus.jsonl", "".join(f'{{"_id": "e{n}", "title": "other", "text": "x"}}\n' for n in range(60)))
    assert said(session, "d3") == (True, "", "corpus.jsonl changed. Press F5 to read it again.")
    session.files.reload()
    assert said(session, "d3") == (False, "", "")


@pytest.mark.parametrize("how", ["deleted", "cut"])
def test_the_text_of_a_document_whose_file_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:  # fmt: skip
    session = corpus_session(tmp_path, monkeypatch)
    assert said(session, "d1") == (True, "t1", "")
    path = tmp_path / "corpus.jsonl"
    whole = path.read_bytes()
    if how == "deleted":
        path.unlink()
        words, reason = "corpus.jsonl is no longer on disk", "is no longer on disk. Its data stays open. "
    else:
        with path.open("r+b") as file:
            file.truncate(len(whole) - 10)  # before the cut all is as it was, and so it may not be for long
        words = "corpus.jsonl was cut short. Press F5 to read it again."
        reason = "changed on disk. F5 reads it again. "
    assert said(session, "d3") == (True, "", words)
    assert said(session, "d1") == (True, "t1", "")  # was read before
    view_model = session.documents.why_not_view_model()
    assert view_model is not None
    assert view_model.terms == ()
    session.autosave.look_at_disk()
    session.autosave.look_at_disk()  # has rested
    assert (
        session.view.messages[-1].text
        == f"corpus.jsonl {reason}Documents that were not displayed before can no longer be read."
    )
    session.evaluation.set_measure(
        "BudgetRecall(budget=10)"
    )  # how long d3 is cannot be known: no number, rather than a wrong one
    query = session.view_models.query_view_model()
    assert query is not None
    assert math.isnan(query.strips[0].value)


def test_cancelling_while_a_corpus_is_indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "INDEX_FROM", 100)
    write(tmp_path, "corpus.jsonl", '{"_id": "d1", "text": "some text that is long enough"}\n' * 5)
    titles = []

    def cancelled(share: float, title: str) -> None:
        titles.append(title)
        if title == "Indexing documents":
            raise Cancelled

    with pytest.raises(Cancelled):
        read_files(requests_of([str(tmp_path)]), cancelled)
    assert titles == ["Reading corpus.jsonl", "Indexing documents"]


def test_files_of_one_collection_become_one_table(tmp_path: Path, small: Path) -> None:
    for name in ("LISA0.001", "LISA0.003", "LISA.QUE", "LISARJ.NUM"):
        shutil.copy(small / "collections" / name, tmp_path)
    write(tmp_path, "LISARJ.NUM", "           1           2           1           3\n")
    collections = opened(tmp_path).collections
    tables = [collection.documents for collection in collections if collection.documents is not None]
    assert [list(texts.ids) for texts in tables] == [["1", "2", "3"]]
    again = place_files(
        Workspace(tuple(collections)), 0, read_files(requests_of([str(tmp_path / "LISA0.003")]), _heard)
    ).workspace
    assert [list(collection.documents.ids) for collection in again.collections if collection.documents] == [
        ["1", "2", "3"]
    ]


def test_other_folders_and_names_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    write(tmp_path / "one", "docs1.tsv", "a\tx\n")
    write(tmp_path / "two", "docs2.tsv", "b\ty\n")
    write(tmp_path / "two", "corpus3.tsv", "c\ty\n")
    tables = [collection.documents for collection in opened(tmp_path).collections]
    assert sorted(next(iter(texts.ids)) for texts in tables if texts is not None) == ["a", "b", "c"]


def test_the_real_lisa_is_one_collection(data: Path, tmp_path: Path) -> None:
    if not (data / "lisa").is_dir():
        pytest.skip("LISA is not among the collections here")
    for path in (data / "lisa").glob("LISA*"):
        if path.name != "LISA.REL":
            shutil.copy(path, tmp_path)
    (collection,) = opened(tmp_path).collections
    assert collection.documents is not None
    assert collection.queries is not None
    assert (len(collection.documents), len(collection.queries), len(collection.judgments[0].qrels)) == (5999, 35, 379)
