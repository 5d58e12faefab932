"""What a judge's file says of a grade, beside the document; never while judging blind."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from irviewer.analysis.agreement.confusion import Disagreement
from irviewer.gui.compare.confusion import DocumentPanel
from irviewer.gui.query.document import CHANGES, Document
from irviewer.gui.theme import Theme
from irviewer.session.view_models.judges.confusion import ConfusionViewModel
from tests.session.helpers import session_with

TABLE = """query_id,doc_id,relevance,judge,explanation,model,confidence
1,a,1,Ann,,,
1,a,0,GPT,<b>too short</b>,gpt-4o,0.7
"""


def test_the_card_and_the_confusion_show_them_as_text(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "panel.csv").write_text(TABLE)
    (tmp_path / "a.run").write_text("1 Q0 a 1 2 r\n")
    session = session_with()
    session.files.open_files([str(tmp_path / "panel.csv"), str(tmp_path / "a.run")])
    session.navigation.set_query("1")
    session.navigation.set_document("a")
    panel = Document(session, Theme())
    qtbot.addWidget(panel)
    panel.refresh(CHANGES)
    assert "explanation" not in panel.text.toPlainText()
    session.judges.choose(1)
    panel.refresh(CHANGES)
    shown = panel.text.toPlainText()
    for text in ("GPT, explanation: <b>too short</b>", "model: gpt-4o", "confidence: 0.7"):
        assert text in shown
    session.judging.set_blind(True)
    session.navigation.set_document("a")
    panel._on_colours_changed()
    assert session.judging.blind
    assert "too short" not in panel.text.toPlainText()
    confusion = DocumentPanel(session, Theme())
    qtbot.addWidget(confusion)
    view_model = ConfusionViewModel(
        "", "", ("Ann", "GPT"), grades=(0.0, 1.0), documents=(Disagreement(0, "1", "a", 1.0, 0.0),)
    )
    confusion.show_row(view_model, 0)
    lines = confusion.facts.text().split("\n")
    assert lines[0] == "Ann: grade 1 (no explanation and no confidence in its file)"
    assert lines[1] == "GPT: grade 0. explanation: <b>too short</b> · model: gpt-4o · confidence: 0.7"
    session.close()
