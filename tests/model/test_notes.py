"""Notes and tags as values."""

from __future__ import annotations

import pytest

from irviewer.model.notes import Note, NoteError, Notes, checked_tags, parse_tags


def test_notes_are_given_and_taken() -> None:
    notes = Notes().with_note("query", "1", Note("hard", ("a", "b"))).with_note("document", "d", Note(tags=("b",)))
    assert len(notes) == 2
    assert notes.of("query", "1").text == "hard"
    assert notes.of("query", "2") == Note()
    assert [(subject, identity) for subject, identity, _ in notes.rows()] == [("query", "1"), ("document", "d")]
    assert notes.tags() == ("b", "a")
    assert notes.tags("document") == ("b",)
    assert len(notes.with_note("query", "1", Note())) == 1
    assert len(notes) == 2


def test_tags_are_words() -> None:
    assert parse_tags("hard, seen;  Hard später") == ("hard", "seen", "später")
    assert parse_tags(" ,; ") == ()
    assert checked_tags(["x", "X", "y"]) == ("x", "y")
    for bad in ("two words", "", "a,b", 'q"'):
        with pytest.raises(NoteError, match="is not a tag"):
            checked_tags([bad])
