"""The text of a document is its contents, whatever its title; the title of a topic is the query."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irviewer.formats.collection_doctor import _text
from irviewer.formats.load import load
from irviewer.model.arrays import strings
from irviewer.model.document_lengths import Lengths
from irviewer.model.texts import TextTable
from irviewer.session.session import Session
from irviewer.session.view_models.query import build_document

WORDS = "the whole text of a page about boats"


@pytest.mark.parametrize("column", ["text", "contents", "content", "body", "description"])
@pytest.mark.parametrize("title_first", [True, False])
def test_the_text_of_a_document_is_not_its_title(column: str, title_first: bool) -> None:
    parts = {"title": "Boats", column: WORDS}
    row = {"id": "d", **(parts if title_first else dict(reversed(parts.items())))}
    table = TextTable.from_rows([row])
    assert (table.title("d"), table.body("d"), table.body("unknown")) == ("Boats", WORDS, "")
    assert Lengths(table).of(strings(["d"])).tolist() == [len(WORDS.split())]


def test_a_document_of_a_title_alone_has_it_as_text() -> None:
    assert TextTable.from_rows([{"id": "d", "title": "Boats"}]).body("d") == "Boats"


def test_the_query_of_a_topic_is_its_title() -> None:
    table = TextTable.from_rows([{"id": "q", "title": "boats", "description": "Find boats.", "narrative": "Long"}])
    assert table.text("q") == "boats"


def write(folder: Path) -> list[str]:
    """Two documents of one title and different contents, both in one list."""
    (folder / "a.qrels").write_text("q 0 d1 1\nq 0 d2 0\n", "utf-8")
    (folder / "a.run").write_text("q Q0 d1 1 2 a\nq Q0 d2 2 1 a\n", "utf-8")
    rows = [{"id": "d1", "title": "Boats", "contents": WORDS}, {"id": "d2", "title": "Boats", "contents": "Sails only"}]
    (folder / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return [str(folder / name) for name in ("a.qrels", "a.run", "docs.jsonl")]


def test_the_card_of_a_document_shows_its_contents(tmp_path: Path) -> None:
    session = Session()
    session.files.open_files(write(tmp_path))
    session.compute_now()
    context = session.view.context
    assert context is not None
    assert build_document(context, "q", "d1").text == WORDS
    session.close()


def test_documents_of_one_title_are_not_one_text(tmp_path: Path) -> None:
    table = load(write(tmp_path)[2], kind="documents").value
    assert isinstance(table, TextTable)
    assert [_text(table, each) for each in ("d1", "d2")] == [f"Boats {WORDS}", "Boats Sails only"]
