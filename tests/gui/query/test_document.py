"""The document panel: its words, its marks, and what it says when no text is known."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.query.document import Document
from irviewer.gui.query.document_text import marked_html
from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import Theme
from irviewer.model.judgments.overlay import Judgment, PatchRow
from irviewer.model.workspace import Regime
from irviewer.rendering.palette import DARK, LIGHT

SELECTED = frozenset({"document"})


@pytest.fixture
def session(query_view_models: ModuleType) -> Any:
    fake = query_view_models.FakeSession(query_view_models.query_view_model(3))
    fake.set_document("d3")
    fake.calls.clear()
    return fake


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, session: Any) -> Document:
    view = Document(session, theme)
    qtbot.addWidget(view)
    view.resize(420, 260)
    view.show()
    view.refresh(SELECTED)
    return view


def test_text_is_shown_as_it_is_with_its_terms_marked(panel: Document, session: Any) -> None:
    card = session.card
    shown = panel.text.toPlainText()
    assert card.title in shown
    assert "periodic heat <flow> & composite slabs." in shown
    assert "abstract long" in shown
    term = panel.text.document().find("composite slabs.")
    cursor = QTextCursor(panel.text.document())
    cursor.setPosition(term.selectionStart() + 2)
    assert cursor.charFormat().fontUnderline()
    assert cursor.charFormat().fontWeight() > 500
    cursor.setPosition(term.selectionEnd())
    assert not cursor.charFormat().fontUnderline()
    assert not panel.grab().isNull()


def test_a_title_that_is_the_beginning_of_the_text_is_shown_once(panel: Document, session: Any) -> None:
    """A document without a title of its own is called by the beginning of its text."""
    text = "Heat pumps\nmove heat from a cold place to a warm one."
    for title in ("Heat pumps move heat…", "Heat pumps move heat from a cold place to a warm one."):
        session.card = replace(session.card, title=title, title_marks=(), text=text, marks=())
        panel.refresh(SELECTED)
        assert " ".join(panel.text.toPlainText().split()).count("Heat pumps") == 1
    session.card = replace(session.card, title="Warm rooms", title_marks=(), text=text, marks=())
    panel.refresh(SELECTED)
    assert "Warm rooms" in panel.text.toPlainText()


def test_grade_and_ranks_are_words(panel: Document, session: Any) -> None:
    assert panel.facts == "relevant standard_bm25 not retrieved english_bm25 7 english_classic 14"
    session.card = replace(session.card, grade=0.0)
    panel.refresh(SELECTED)
    assert panel.facts.startswith("judged non-relevant")
    session.card = replace(session.card, grade=math.nan)
    panel.refresh(SELECTED)
    assert panel.facts.startswith("unjudged")
    session.judgments = type("Set", (), {"regime": Regime.COMPLETE, "name": "judge"})()
    session.card = replace(session.card, grade=math.nan)
    panel.refresh(SELECTED)
    assert panel.facts.startswith("not in the qrels: counts as non-relevant")
    session.card = replace(session.card, grade=0.0, listed=False)  # as the session says it where judgments are complete
    panel.refresh(SELECTED)
    assert panel.facts.startswith("not in the qrels: counts as non-relevant")


def test_a_note_is_above_the_text(panel: Document, session: Any) -> None:
    session.card = replace(session.card, remark="✎ odd <but> right #seen")
    panel.refresh(SELECTED)
    assert panel.text.toPlainText().startswith("✎ odd <but> right #seen\n")


def test_unknown_text_says_what_to_do(panel: Document, session: Any, query_view_models: ModuleType) -> None:
    session.card = query_view_models.document_card("d3", session.view_model, known=False)
    panel.refresh(SELECTED)
    assert "does not have this document" in panel.text.toPlainText()
    session.collection = replace(session.collection, documents=None)
    session.card = query_view_models.document_card("d3", session.view_model, known=False)
    panel.refresh(SELECTED)
    assert panel.text.toPlainText() == "No documents file is open. Drop one on the window to see texts."


def test_a_file_that_changed_is_distinguished_from_one_without_a_text(panel: Document, session: Any) -> None:
    empty = replace(session.card, title="", text="", fields=(), marks=(), title_marks=())
    lost = "a<b>.jsonl changed. Press F5 to read it again."
    for why, words in (("", "has no text for this document"), (lost, f"The text can no longer be read: {lost}")):
        session.card = replace(empty, lost=why)
        panel.refresh(SELECTED)
        assert words in panel.text.toPlainText()


def test_escape_in_the_text_closes(qtbot: QtBot, panel: Document, session: Any) -> None:
    panel.focus_text()
    qtbot.keyClick(panel.text, Qt.Key.Key_Down)
    assert session.calls == []
    qtbot.keyClick(panel.text, Qt.Key.Key_Escape)
    assert session.calls == [("set_document", None)]
    panel.refresh(SELECTED)
    assert panel.card is None


def test_another_theme_keeps_the_text_on_its_ground(panel: Document, theme: Theme) -> None:
    before = panel.text.toPlainText()
    for palette in (DARK, LIGHT, DARK):
        QApplication.instance().setStyleSheet(stylesheet(palette))  # type: ignore[union-attr]
        theme.set_palette(palette)
        assert panel.text.toPlainText() == before
        picture = panel.grab().toImage()
        corner = panel.text.mapTo(panel, panel.text.rect().bottomLeft())
        assert picture.pixelColor(corner.x() + 16, corner.y() - 2) == theme["panel"]


def test_marks_are_escaped_too() -> None:
    assert marked_html("a<b> c\nd", ((1, 3), (5, 1))) == "a<b><u>&lt;b&gt;</u></b> <b><u>c</u></b><br>d"
    assert marked_html("plain", ()) == "plain"


def test_a_local_picture_is_shown(panel: Document, session: Any, tmp_path: Path) -> None:
    path = tmp_path / "a picture & more.png"
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    assert image.save(str(path))
    session.card = replace(session.card, picture=str(path))
    panel.refresh(SELECTED)
    panel.text.verticalScrollBar().setValue(0)
    grabbed = panel.grab().toImage()
    coloured = sum(
        grabbed.pixelColor(x, y) == QColor("#ff00ff")
        for x in range(0, grabbed.width(), 4)
        for y in range(0, grabbed.height(), 4)
    )
    assert coloured > 100


def test_beside_a_pinned_document_grade_and_ranks_say_which_is_higher(
    qtbot: QtBot, theme: Theme, session: Any, query_view_models: ModuleType
) -> None:
    mine = session.card
    (first, _), (second, _), (third, _) = mine.ranks
    pinned = replace(mine, doc_id="p1", grade=5.0, ranks=((first, 3), (second, 9), (third, 0)))
    session.card = replace(mine, ranks=((first, 0), (second, 7), (third, 14)))
    session.pin(pinned)
    views = [Document(session, theme, pinned=with_pin) for with_pin in (False, True)]
    for view in views:
        qtbot.addWidget(view)
        view.show()
        view.refresh(SELECTED)
    document, other = views
    a, b, c = (label.name for label in (first, second, third))
    assert document.facts == f"relevant, 3 below the other document {a} not retrieved {b} 7 ▲2 {c} 14 ▲"
    assert other.facts == f"relevant, 3 above the other document {a} 3 ▲ {b} 9 ▼2 {c} not retrieved"
    assert (document.title, other.title) == ("Document d3", "Pinned p1")
    session.pin(None)
    document.refresh(SELECTED)
    assert "▲" not in document.facts
    assert "other" not in document.facts


def test_pinning_is_asked_for_where_it_can_be(panel: Document, session: Any) -> None:
    assert panel.pin.text() == "pin"
    panel.pin.click()
    assert ("switch_pin",) in session.calls
    session.pin(session.card)  # the selected one is the pinned one
    panel.refresh(SELECTED)
    assert panel.pin.text() == "unpin"
    assert panel.pin.isVisibleTo(panel)
    session.pin(replace(session.card, doc_id="p1"))
    panel.refresh(SELECTED)
    assert not panel.pin.isVisibleTo(panel)  # the pinned panel has a × of its own


@pytest.mark.parametrize("height", [110, 130, 150, 180, 220, 300])
@pytest.mark.parametrize("width", [200, 300, 520])
def test_nothing_is_painted_over_anything_else_however_low_the_panel_is(
    panel: Document, session: Any, height: int, width: int
) -> None:
    label = session.card.ranks[0][0]
    named = (replace(label, key=key, name=f"a_long_name_{key}", short=f"a_long_name_{key}") for key in range(1, 10))
    ranks = tuple((run_label, run_label.key) for run_label in named)
    judged = PatchRow(Judgment("1", "d3", 1.0, "ada", "2026-02-03T10:00:00Z"), None)
    session.card = replace(session.card, ranks=ranks, own=judged)
    panel.refresh(SELECTED)
    panel.resize(width, height)
    QApplication.processEvents()
    facts, own, text = panel._facts, panel.own, panel.text
    spans = [
        (part.mapTo(panel, part.rect().topLeft()).y(), part.mapTo(panel, part.rect().bottomLeft()).y())
        for part in (facts, own.words, *([own.note] if own.note.isVisible() else []), text)
    ]
    for (_, above), (below, _) in itertools.pairwise(spans):
        assert above < below, spans
    assert spans[-1][1] < panel.height()
    assert own.note.isVisible() == (height >= 150)
