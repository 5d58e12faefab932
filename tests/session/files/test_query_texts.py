"""Texts that are numbered otherwise than the queries are never shown as another query's."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.session.files.query_texts import OWN_ID
from irviewer.session.messages import Level
from irviewer.session.session import Session

CRANFIELD = Path(__file__).parents[4] / "shared" / "data" / "cranfield"
QRELS = "".join(f"{query} 0 d{query} 1\n" for query in range(1, 5))


def opened(folder: Path, numbers: list[int], *, order: tuple[str, ...] = ("qrels", "queries")) -> Session:
    """A session on judgments of queries 1 to 4 and texts under ``numbers``, opened one after the other."""
    (folder / "small.qrels").write_text(QRELS)
    text = "".join(f".I {number}\n.W\ntext in place {place}\n" for place, number in enumerate(numbers, 1))
    (folder / "small.qry").write_text(text)
    files = {"qrels": str(folder / "small.qrels"), "queries": str(folder / "small.qry")}
    session = Session()
    for key in order:
        session.files.open_files([files[key]])
    return session


@pytest.mark.parametrize("order", [("qrels", "queries"), ("queries", "qrels")])
def test_other_numbers_are_matched_by_position_and_said(tmp_path: Path, order: tuple[str, ...]) -> None:
    session = opened(tmp_path, [1, 2, 4, 9], order=order)
    assert session.view.collection is not None
    assert [session.view.collection.query_text(str(query)) for query in range(1, 5)] == [
        f"text in place {place}" for place in range(1, 5)
    ]
    assert session.view.collection.queries is not None
    assert session.view.collection.queries.row("3")[OWN_ID] == "4"
    (message,) = [shown for shown in session.view.messages if shown.level is Level.WARNING]
    assert "matched by position" in message.text
    assert "only 3 of 4 ids are the same" in message.text


def test_the_same_numbers_in_any_order_are_matched_by_id(tmp_path: Path) -> None:
    session = opened(tmp_path, [4, 3, 2, 1])
    assert session.view.collection is not None
    assert session.view.collection.query_text("4") == "text in place 1"
    assert session.view.messages == ()


@pytest.mark.parametrize(("numbers", "said"), [([1, 2, 3, 4, 9], False), ([1, 2], False), ([1, 2, 9, 10, 11], True)])
def test_where_position_says_nothing_a_doubt_is_said(tmp_path: Path, numbers: list[int], said: bool) -> None:
    session = opened(tmp_path, numbers)
    assert session.view.collection is not None
    assert session.view.collection.query_text("2") == "text in place 2"
    assert any("has no text for" in message.text for message in session.view.messages) == said


@pytest.mark.skipif(not CRANFIELD.is_dir(), reason="the raw collection is not beside this checkout")
def test_raw_cranfield() -> None:
    session = Session()
    session.files.open_files([str(CRANFIELD / name) for name in ("qrel.trec", "cran.qry", "cran.all.1400")])
    (collection,) = session.view.workspace.collections
    assert collection.query_text("3").startswith("what problems of heat conduction")
    assert collection.query_text("225").startswith("what design factors can be used to control lift-drag")
    assert collection.documents is not None
    assert len(collection.documents) == 1400
    assert "position" in " ".join(line for diagnosis in session.files.diagnoses() for line in diagnosis.lines())
