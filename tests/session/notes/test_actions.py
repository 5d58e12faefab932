"""Notes and tags of queries and documents in a session: written, filtered by, saved as a table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from irviewer.errors import IrviewerError
from irviewer.model.notes import NoteError
from irviewer.session.notes.changes import notes_of
from irviewer.session.session import Session
from irviewer.tables.filter import FilterError, parse_filter
from tests.session.helpers import Announcements, collection, session_with


@pytest.fixture
def session() -> Session:
    new_session = session_with(collection())
    new_session.judging.set_assessor("ada")
    new_session.notes.set_note("query", "2", "  Hard: see the\tsecond run, “x”\nand more ")
    new_session.notes.set_tags("query", "2", ["hard", "seen"])
    new_session.notes.set_tags("query", "5", ["seen"])
    new_session.notes.set_note("document", "d3", "spam, really")
    return new_session


def rows(session: Session, text: str) -> list[str]:
    session.navigation.filter_queries(text)
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    assert view_model.filter_error == ""
    return sorted(view_model.query_ids)


def test_what_was_written_is_there(session: Session) -> None:
    note = session.notes.note("query", "2")
    assert note.text == "Hard: see the\tsecond run, “x”\nand more"
    assert note.tags == ("hard", "seen")
    assert note.who == "ada"
    assert note.when.endswith("Z")
    session.notes.set_tags("query", "2", ["seen"])
    assert session.notes.note("query", "2").tags == ("seen",)
    session.notes.set_tags("query", "2", ["seen", "later"])
    assert session.notes.note("query", "2").tags == ("seen", "later")
    with pytest.raises(NoteError):
        session.notes.set_tags("query", "2", ["two words"])
    heard = Announcements(session)
    session.notes.set_note("query", "2", note.text)  # nothing new
    assert heard.take() == []
    session.notes.set_note("document", "d3", "")
    assert session.notes.every.documents == {}
    assert heard.take() == [{"workspace", "collection", "history"}]


def test_queries_are_filtered_by_tag_and_note(session: Session) -> None:
    assert rows(session, "tag:seen") == ["2", "5"]
    assert rows(session, "tag:SEEN note:second") == ["2"]
    assert rows(session, "note:*") == ["2"]
    assert rows(session, "tag:*") == ["2", "5"]
    assert rows(session, "tag:see") == []
    assert rows(session, "note:SPAM") == []
    assert len(rows(session, "")) == 8
    for text in ("tag:", "note:"):
        with pytest.raises(FilterError, match=r"needs a (tag|word) after it"):
            parse_filter(text)


def test_a_tag_of_a_document_finds_the_queries_that_have_it(session: Session) -> None:
    context = session.view.context
    assert context is not None
    session.notes.set_tags("document", "d3", ["spam"])
    having = {
        query for entry in context.shown_runs for query in entry.run.query_ids if "d3" in entry.run.ranking(query)
    } | {query for query in context.query_ids if "d3" in session.view.judgments.qrels.judgments(query)}  # type: ignore[union-attr]
    assert having
    assert len(having) < len(context.query_ids)
    assert rows(session, "tag:spam") == sorted(having)
    assert rows(session, "tag:seen") == ["2", "5"]
    assert rows(session, "tag:*") == sorted({"2", "5"} | having)


def test_notes_of_documents_are_in_tables_of_documents(session: Session) -> None:
    session.navigation.set_query("3")
    session.navigation.set_place("queries")
    view_model = session.list_judging.relevant_view_model()
    assert view_model is not None
    noted = dict(zip(view_model.doc_ids, view_model.remarks, strict=True))
    assert noted["d3"].text == "spam, really"
    assert not any(note for document, note in noted.items() if document != "d3")
    session.failures.sort_findings("relevant", "remarks", True)
    assert session.list_judging.relevant_view_model().doc_ids[0] == "d3"  # type: ignore[union-attr]
    session.notes.set_note("document", "d3", "")
    view_model = session.list_judging.relevant_view_model()
    assert view_model is not None
    assert view_model.remarks == ()


def test_notes_are_saved_as_a_table(session: Session, tmp_path: Path) -> None:
    expected = [
        ["made", "query", "2", "hard seen", "Hard: see the\tsecond run, “x”\nand more"],
        ["made", "query", "5", "seen", ""],
        ["made", "document", "d3", "", "spam, really"],
    ]
    session.notes.save_notes(str(tmp_path / "notes.csv"))
    with (tmp_path / "notes.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))
    assert table[0] == ["collection", "subject", "id", "tags", "note", "who", "when"]
    assert [row[:5] for row in table[1:]] == expected
    session.notes.save_notes(str(tmp_path / "notes.tsv"))
    lines = (tmp_path / "notes.tsv").read_text("utf-8").splitlines()
    assert [line.split("\t")[:5] for line in lines[1:]] == [
        [*row[:4], " ".join(row[4].split())] for row in expected
    ]  # fmt: skip
    session.notes.save_notes(str(tmp_path / "notes.jsonl"))
    records = [json.loads(line) for line in (tmp_path / "notes.jsonl").read_text("utf-8").splitlines()]
    assert records[0]["tags"] == ["hard", "seen"]
    assert [record["note"] for record in records] == [row[4] for row in expected]
    with pytest.raises(IrviewerError, match=r"\.csv, \.tsv, \.jsonl"):
        session.notes.save_notes(str(tmp_path / "notes.xlsx"))


def test_signs_are_beside_the_queries(session: Session) -> None:
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    signs = dict(zip(view_model.query_ids, view_model.remarks, strict=True))
    assert {query: sign for query, sign in signs.items() if sign} == {"2": "✎ #hard #seen", "5": "#seen"}
    lines = dict(zip(view_model.query_ids, view_model.note_texts, strict=True))["2"].splitlines()
    assert lines[0] == "Hard: see the\tsecond run, “x”"
    assert lines[-2] == "#hard #seen"
    assert lines[-1].startswith("ada ")
    session.navigation.sort_queries("remarks", True)
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    assert set(view_model.query_ids[:2]) == {"2", "5"}
    assert view_model.note.startswith("sorted by notes")
    session.notes.set_tags("query", "5", [])
    session.notes.set_tags("query", "2", [])
    session.notes.set_note("query", "2", "")
    assert not any(session.view_models.queries_view_model().remarks)  # type: ignore[union-attr]


def test_a_judgment_leaves_the_notes_the_same() -> None:
    """Lists of documents were laid out anew after every judgment where nobody had written a note."""
    session = session_with(collection())
    before = notes_of(session.view.collection)
    assert session.judging.judge("d3", 1.0)
    assert notes_of(session.view.collection) is before
