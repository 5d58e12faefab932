"""The dialog of unknown columns."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.files.columns import ColumnsDialog
from irviewer.gui.theme import Theme
from irviewer.session.session import Session
from irviewer.session.settings import Settings


def asked(qtbot: QtBot, path: Path, text: str) -> tuple[Session, ColumnsDialog]:
    """A session that a file is opened in, and the dialog that asks for its columns."""
    path.write_text(text)
    session = Session(Settings())
    session.files.open_files([str(path)])
    window = QWidget()
    qtbot.addWidget(window)
    return session, ColumnsDialog(session, Theme(session.view.palette), session.files.unnamed[0], window)


def test_roles_are_chosen_above_the_first_rows(qtbot: QtBot, tmp_path: Path) -> None:
    session, dialog = asked(qtbot, tmp_path / "a.csv", "frage,stueck_doc,punkte,<b>\nq1,d1,2,<i>x</i>\n")
    assert dialog.chosen == {"document": "stueck_doc"}
    assert dialog.result_text.text() == "The file is read as documents, and its other columns as their fields."
    query, _, score, last = dialog.roles
    assert last.accessibleName() == "Contents of column <b>"
    query.setCurrentIndex(query.findData("query"))
    assert not dialog.ok.isEnabled(), "of a query and a document, without a score"
    score.setCurrentIndex(score.findData("document"))
    assert "Two columns hold the document id" in dialog.result_text.text()
    assert not dialog.ok.isEnabled()
    score.setCurrentIndex(score.findData("grade"))
    assert dialog.result_text.text() == "The file is read as qrels."
    score.setCurrentIndex(score.findData("score"))
    dialog.accept()
    assert session.view.collection is not None
    assert [entry.run.ranking("q1") for entry in session.view.collection.runs] == [["d1"]]


def test_an_id_and_a_text_are_queries_or_documents(qtbot: QtBot, tmp_path: Path) -> None:
    session, dialog = asked(qtbot, tmp_path / "a.csv", "nr,kopf,inhalt\nd1,<b>Head</b>,what it says\n")
    identifier, head, text = dialog.roles
    identifier.setCurrentIndex(identifier.findData("query"))
    assert not dialog.ok.isEnabled()
    text.setCurrentIndex(text.findData("text"))
    assert dialog.result_text.text() == "The file is read as queries."
    identifier.setCurrentIndex(identifier.findData("document"))
    head.setCurrentIndex(head.findData("title"))
    assert dialog.result_text.text() == "The file is read as documents."
    assert dialog.ok.isEnabled()
    dialog.accept()
    assert session.files.unnamed == ()
    assert session.settings["known_columns"] == {
        '["nr", "kopf", "inhalt"]': ["documents", "document=nr,title=kopf,text=inhalt"]
    }


def test_an_id_alone_is_of_documents_with_fields(qtbot: QtBot, tmp_path: Path) -> None:
    session, dialog = asked(qtbot, tmp_path / "items.csv", "sku,price,brand\np1,3.5,Acme\n")
    assert not dialog.ok.isEnabled()
    dialog.roles[0].setCurrentIndex(dialog.roles[0].findData("document"))
    assert dialog.result_text.text() == "The file is read as documents, and its other columns as their fields."
    dialog.accept()
    assert session.files.unnamed == ()
    assert session.view.collection is not None
    assert session.view.collection.documents is not None
    assert session.view.collection.documents.row("p1") == {"price": "3.5", "brand": "Acme"}


def test_an_answer_in_each_row_is_read_as_answers(qtbot: QtBot, tmp_path: Path) -> None:
    """No role was for them: such a table could be named on the command line alone."""
    session, dialog = asked(qtbot, tmp_path / "mine.csv", "nr,wortlaut,quellen\nsky,Air scatters it [2].,d1;d2\n")
    query, answer, references = dialog.roles
    answer.setCurrentIndex(answer.findData("answer"))
    references.setCurrentIndex(references.findData("references"))
    assert not dialog.ok.isEnabled()
    query.setCurrentIndex(query.findData("query"))
    assert dialog.result_text.text() == "The file is read as answers, one in each row."
    dialog.accept()
    assert session.view.collection is not None
    (entry,) = session.view.collection.runs
    assert entry.run.answered is not None and entry.run.answered.answers is not None
    answers = entry.run.answered.answers
    assert (answers.sentences_of("sky"), answers.cited_by(0)) == (["Air scatters it."], ["d2"])
    assert (session.view.place, session.view.tab("query")) == ("query", "answer")


def test_a_nugget_in_each_row_is_read_as_nuggets_or_labels(qtbot: QtBot, tmp_path: Path) -> None:
    """No role was for them, nor for sentences; with an assignment they are labels."""
    _, dialog = asked(qtbot, tmp_path / "mine.csv", "nr,fakt,wert,urteil\nsky,Air scatters,vital,support\n")
    for box, role in zip(dialog.roles, ("query", "nugget", "importance"), strict=False):
        box.setCurrentIndex(box.findData(role))
    assert dialog.ok.isEnabled() and dialog.result_text.text() == "The file is read as nuggets, one in each row."
    dialog.roles[3].setCurrentIndex(dialog.roles[3].findData("assignment"))
    assert dialog.ok.isEnabled() and "labels of nuggets" in dialog.result_text.text()
    dialog.roles[1].setCurrentIndex(dialog.roles[1].findData("sentence"))
    assert not dialog.ok.isEnabled()
